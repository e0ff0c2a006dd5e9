"""Time `urlextract cluster` with 1 and 2 workers beside `-J 2`; the memory of a worker, the cost of a part.

    python tests/benchmarks/cluster.py [--mailbox FILE] [--gigabytes N] [--runs N]

Processor time is that of all processes of a run; on a machine that others use, it is the figure to trust.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "urlextract"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
SMALL_PARTS = 2_000


class Measured:
    """A run: its wall clock and processor time in seconds, and the largest memory of a process."""

    def __init__(self, words: list[str], output: Path | None = None) -> None:
        self.peak = 0
        before = os.times()
        started = time.monotonic()
        with open(output or os.devnull, "wb") as stream:
            process = subprocess.Popen(
                [*COMMAND, *words], stdout=stream, stderr=subprocess.PIPE, env=ENVIRONMENT
            )
            watcher = threading.Thread(target=self._watch, args=(process.pid,), daemon=True)
            watcher.start()
            _, errors = process.communicate()
        self.wall = time.monotonic() - started
        after = os.times()
        own = after.children_user + after.children_system - before.children_user - before.children_system
        self.processor = own
        if process.returncode not in (0, 1):
            raise SystemExit(errors.decode())

    def _watch(self, pid: int) -> None:
        """Remember the largest memory of the process ``pid`` and of those below it."""
        try:
            parent = psutil.Process(pid)
            while True:
                for child in (parent, *parent.children(recursive=True)):
                    try:
                        self.peak = max(self.peak, child.memory_info().rss)
                    except psutil.Error:
                        continue
                time.sleep(0.2)
        except psutil.Error:
            return


def large_mailbox(path: Path, given: Path | None, size: int) -> None:
    """Write a mailbox of about ``size`` bytes: the given one, or a generated one, again and again."""
    sys.path.insert(0, str(ROOT / "tests"))
    if given:
        data = given.read_bytes()
    else:
        from test_jobs import mailbox

        data = mailbox(20_000_000, each=4_000)
    with path.open("wb") as stream:
        while stream.tell() < size:
            stream.write(data)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mailbox", type=Path)
    parser.add_argument("--gigabytes", type=float, default=2)
    parser.add_argument("--runs", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        box = folder / "box"
        large_mailbox(box, chosen.mailbox, int(chosen.gigabytes * 1e9))
        gigabytes = box.stat().st_size / 1e9
        for run in range(chosen.runs):
            compare(folder, box, gigabytes, run)
        cost_of_a_part(folder)


def compare(folder: Path, box: Path, gigabytes: float, run: int) -> None:
    """Print the figures of one run of each."""
    jobs = Measured(["-j", "-J", "2", str(box)])
    print(f"-J 2: {jobs.wall:.1f} s, processor {jobs.processor / gigabytes:.1f} s a GB")
    figures = {}
    for workers in (1, 2):
        done = Measured(
            ["cluster", "--workers", str(workers), "--out", str(folder / f"{run}-{workers}"), str(box)]
        )
        figures[workers] = done
        print(
            f"cluster, {workers} workers: {done.wall:.1f} s, "
            f"processor {done.processor / gigabytes:.1f} s a GB, "
            f"{done.peak / 1e6:.0f} MB the largest process"
        )
    one, two = figures.values()
    print(
        f"2 workers against 1: {one.wall / two.wall:.2f} times as fast; "
        f"against -J 2: {two.processor / jobs.processor:.2f} times the processor time"
    )


def cost_of_a_part(folder: Path) -> None:
    """Print what a part costs that has hardly anything in it: made, and found."""
    tiny = folder / "tiny"
    tiny.mkdir()
    for number in range(SMALL_PARTS):
        (tiny / str(number)).write_text("http://a.example/\n")
    names = folder / "names"
    names.write_text("".join(f"{tiny / str(number)}\n" for number in range(SMALL_PARTS)))
    words = ["cluster", "--workers", "1", "-T", str(names), "--out", str(folder / "out")]
    made, found = Measured(words), Measured(words)
    each = 1000 / SMALL_PARTS
    print(
        f"a part of nothing: made in {(made.processor - found.processor) * each:.2f} ms of processor time, "
        f"found in {found.processor * each:.2f} ms"
    )


if __name__ == "__main__":
    main()
