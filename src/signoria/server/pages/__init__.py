"""Pages for people, and their forms: one module per page."""
