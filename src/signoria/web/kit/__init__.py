"""Drawing tools that all games share: symbols, the pen, numerals."""
