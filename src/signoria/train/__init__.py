"""Trains value networks: games of self-play on all cores, fitting in PyTorch (`pip install 'signoria[train]'`)."""
