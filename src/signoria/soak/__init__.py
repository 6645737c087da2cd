"""The reliability campaign: the real server is played on, broken on purpose, and checked. See `signoria soak`."""
