"""What stands between the network and the house: who is asking, what may pass, how much, and what is said when not."""
