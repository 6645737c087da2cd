"""What several tests need: every setting of the game, databases, and hypothesis at a steady pace."""

from hypothesis import HealthCheck, settings

from tests.databases import (
    bare_postgres_url,
    bare_url,
    database_url,
    postgres,
    postgres_url,
    sqlite_url,
)

__all__ = ["bare_postgres_url", "bare_url", "database_url", "postgres", "postgres_url", "sqlite_url"]

settings.register_profile("signoria", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("signoria")
