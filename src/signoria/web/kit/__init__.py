"""What drawings of both games share: symbols, the pen, numerals."""
