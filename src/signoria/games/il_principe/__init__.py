"""Il Principe."""
