"""`/api/v1`: everything that programs can do at a table."""
