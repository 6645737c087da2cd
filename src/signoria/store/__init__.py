"""The database: people, tables and every step. SQLite needs no setup; PostgreSQL serves many server processes."""
