"""How long generated tests look: ``quick`` if nothing is said; ``--hypothesis-profile=long`` for hours."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("quick", deadline=None)
settings.register_profile(
    "long", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what asks for real programs, which may have to be installed."""
    for item in items:
        if item.path.name.startswith("test_real_"):
            item.add_marker("slow")


@pytest.fixture
def heeded_signals() -> Iterator[None]:
    """Let a program that is started heed the signals that nohup, or a shell's "&", has the tests ignore."""
    numbers = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    ignored = [number for number in numbers if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
