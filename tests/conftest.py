"""How long generated tests look: ``quick`` if nothing is said; ``--hypothesis-profile=long`` for hours."""

from hypothesis import HealthCheck, settings

settings.register_profile("quick", deadline=None)
settings.register_profile(
    "long", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quick")
