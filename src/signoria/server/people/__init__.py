"""Accounts, sessions, names, passwords, ratings, preferences, blocked people."""
