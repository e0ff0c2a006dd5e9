"""Profiles of generated tests: ``quick`` by default; ``--hypothesis-profile=long`` takes hours."""

import signal
from collections.abc import Iterator

import pytest
from alone import pytest_configure, pytest_runtest_protocol, pytest_unconfigure  # noqa: F401 - hooks
from hypothesis import HealthCheck, settings

settings.register_profile("quick", deadline=None)
settings.register_profile(
    "long", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quick")


# Tests of time, of many processes, of whole archives and of what strangers plant take most of the time.
_NOT_CORE = (
    "alone", "cli", "cli_parse", "cluster", "costs", "defanged", "fuzz",
    "gateways", "gone", "hostile", "hosts", "index", "jobs", "lists", "manual", "mistakes",
    "pairs", "pick", "places", "planted", "readme", "report", "runner", "safety", "safety_git",
    "sources_directories", "state", "table", "terminal", "typing",
)  # fmt: skip


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests with real programs as slow, for these may have to be installed, and the core as such."""
    for item in items:
        name = item.path.name.removeprefix("test_").removesuffix(".py")
        if name.startswith("real_"):
            item.add_marker("slow")
        if name not in _NOT_CORE and not item.get_closest_marker("slow"):
            item.add_marker("core")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Return a short, readable id for a text, a list of words or options; pytest makes the others."""
    if isinstance(val, list | tuple) and val and all(isinstance(word, str) for word in val):
        val = " ".join(val)
    if isinstance(val, dict) and val:
        val = " ".join(f"{name}={value}" for name, value in val.items())
    if not isinstance(val, str | bytes):
        return None
    text = ascii(val).removeprefix("b")[1:-1]
    return text if len(text) <= 60 else f"{text[:40]}...{text[-17:]}"


@pytest.fixture
def heeded_signals() -> Iterator[None]:
    """Reset signals that nohup or a shell's "&" ignores, so that started programs receive them."""
    numbers = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    ignored = [number for number in numbers if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
