"""`/api/v1`: everything that can be done at a table, for programs."""
