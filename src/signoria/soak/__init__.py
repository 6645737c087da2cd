"""The reliability campaign: plays on the real server, breaks it on purpose, and checks it. See `signoria soak`."""
