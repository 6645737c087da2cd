"""What all games share: the game interface, tables, records, fair shuffles and errors."""
