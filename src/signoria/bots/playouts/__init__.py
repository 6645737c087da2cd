"""The rest of an imagined game, once it has left the tree of a search: a module a game."""
