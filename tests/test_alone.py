"""Who measures alone is alone in the run, and comes to it however many tests there are."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from alone import Room
from realtools import LIMIT


def is_taken(file: object) -> bool:
    """Return whether a lock is held by others."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(file, fcntl.LOCK_UN)
    return False


def test_who_wants_to_be_alone_waits_for_those_inside(tmp_path: Path) -> None:
    mine, others, watch = rooms = [Room(tmp_path) for _ in range(3)]
    inside, seen = threading.Event(), []

    def work() -> None:
        with others.shared():
            inside.set()
            while not is_taken(watch.gate):  # the gate is closed by the one that waits for us
                pass
            assert is_taken(watch.room)
            seen.append("left")

    worker = threading.Thread(target=work)
    with mine.shared():
        worker.start()
        assert inside.wait(LIMIT)
        with mine.alone():
            seen.append("alone")
            assert is_taken(watch.gate)
        assert not is_taken(watch.gate)
        assert is_taken(watch.room)
    worker.join(LIMIT)
    assert seen == ["left", "alone"]
    assert not is_taken(watch.room)
    for room in rooms:
        room.close()


TESTS = """
import time
from pathlib import Path

import pytest
from alone import alone

HERE = Path(__file__).parent

@pytest.mark.parametrize("number", range(40))
def test_others(number):
    mark = HERE / f"{number}.works"
    mark.touch()
    time.sleep(0.02)
    mark.unlink()

@pytest.mark.parametrize("number", range(4))
def test_alone(number):
    assert not [*HERE.glob("*.alone")]
    with alone():
        assert not [*HERE.glob("*.works")]
        (HERE / f"{number}.alone").touch()
        time.sleep(0.3)
        assert not [*HERE.glob("*.works")]
        (HERE / f"{number}.alone").unlink()
"""


@pytest.mark.slow
@pytest.mark.parametrize("spoiled", [False, True])
def test_no_other_process_of_the_run_works_beside_it(spoiled: bool, tmp_path: Path) -> None:
    """Without the lock, the same tests fail."""
    (tmp_path / "test_it.py").write_text(TESTS.replace("with alone():", "if True:") if spoiled else TESTS)
    words = f"-m pytest -q -p alone -c /dev/null -n 3 {tmp_path}".split()
    how = {"capture_output": True, "cwd": Path(__file__).parent, "timeout": LIMIT}
    done = subprocess.run([sys.executable, *words], check=False, **how)
    assert (b"44 passed" in done.stdout) is not spoiled, done.stdout
