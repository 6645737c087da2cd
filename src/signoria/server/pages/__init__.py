"""Pages and what their forms do: a module a page."""
