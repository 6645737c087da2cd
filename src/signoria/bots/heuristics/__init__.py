"""What a step promises at first glance: all that `greedy` knows, and where `search` looks first. A module a game."""
