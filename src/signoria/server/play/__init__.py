"""A table in memory: making steps, undo, bots' turns, clocks, sealed bids, hints."""
