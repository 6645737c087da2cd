"""The house under load, measured from outside: `signoria bench-server`."""
