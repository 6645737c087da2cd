"""The house in a real browser: Debian's chromium, a server process, people who click."""
