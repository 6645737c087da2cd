"""What people see: pages drawn from views and from the models in `models`, styles, scripts. No rules, no state."""
