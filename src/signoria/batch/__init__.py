"""Plays many games at once, on the CPU cores or on the GPU."""
