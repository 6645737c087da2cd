"""Pages for people and their forms: a module a page."""
