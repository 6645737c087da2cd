"""What is kept: people, tables, every step. SQLite without any set-up, PostgreSQL for many server processes."""
