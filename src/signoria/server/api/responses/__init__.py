"""Response models: every response of the API, field by field."""
