"""What several tests need: every setting of the game, and hypothesis at a steady pace."""

from hypothesis import HealthCheck, settings

settings.register_profile("signoria", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("signoria")
