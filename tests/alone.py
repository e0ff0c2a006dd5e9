"""One test that works alone for a time, to measure, while the other processes of the run wait.

Each test holds a lock that the others may hold, too. Who wants to be alone lets go of it, closes the gate
through which each test comes, and takes the lock for itself when the tests that have begun are done.
"""

from __future__ import annotations

import fcntl
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager


class Room:
    """The room in which the tests of all processes of a run work: two locked files in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.gate, self.room = ((folder / name).open("w") for name in ("gate", "room"))

    def close(self) -> None:
        """Leave the room for good."""
        self.gate.close()
        self.room.close()

    @contextmanager
    def shared(self) -> Generator[None]:
        """Work beside others."""
        fcntl.flock(self.gate, fcntl.LOCK_EX)
        fcntl.flock(self.room, fcntl.LOCK_SH)
        fcntl.flock(self.gate, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(self.room, fcntl.LOCK_UN)

    @contextmanager
    def alone(self) -> Generator[None]:
        """Work without others, within `shared`."""
        fcntl.flock(self.room, fcntl.LOCK_UN)  # first, for two may want to be alone
        fcntl.flock(self.gate, fcntl.LOCK_EX)
        fcntl.flock(self.room, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self.room, fcntl.LOCK_SH)
            fcntl.flock(self.gate, fcntl.LOCK_UN)


_rooms: list[Room] = []  # of this process: none if the run has no other one


def alone() -> AbstractContextManager[None]:
    """Wait until no other test of the run works, and keep all from working."""
    return _rooms[-1].alone() if _rooms else nullcontext()


def pytest_configure(config: pytest.Config) -> None:
    """Open the room of this run; pytest-xdist gives each of its workers a directory beside the others'."""
    if hasattr(config, "workerinput"):
        _rooms.append(Room(Path(config.option.basetemp).parent))


def pytest_unconfigure() -> None:
    """Close the room."""
    while _rooms:
        _rooms.pop().close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Run each test in the room."""
    with _rooms[-1].shared() if _rooms else nullcontext():
        return (yield)
