"""A table in memory: making steps, undo, bots' turns, clocks, orders, hints."""
