"""Patrician."""
