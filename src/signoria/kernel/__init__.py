"""What any game is: its protocol, tables in play, records, fair shuffles, errors."""
