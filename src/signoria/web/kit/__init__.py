"""What drawings of all games share: symbols, the pen, numerals."""
