"""Notifications: what people are told when they have no page open, or look at another one."""
