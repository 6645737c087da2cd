"""Lampioni: play paper lanterns onto the street, and take the best for your window."""
