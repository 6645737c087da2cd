"""The web server: lobby, tables, live play, accounts, and the API for programs."""
