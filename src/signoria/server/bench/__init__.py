"""The server under load, measured from outside: `signoria bench-server`."""
