"""Time `urlextract cluster` with 1 and 2 workers beside `-J 2`; the memory of a worker, the cost of a shard.

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
SMALL_SHARDS = 2_000


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
        cost_of_a_shard(folder)


def compare(folder: Path, box: Path, gigabytes: float, run: int) -> None:
    """Print the figures of one run of each."""
    plan = Measured(["shards", str(box)])
    print(f"plan: {plan.wall / gigabytes:.1f} s a GB, processor {plan.processor / gigabytes:.1f} s a GB")
    jobs = Measured(["-j", "-J", "2", str(box)])
    print(f"-J 2: {jobs.wall:.1f} s, processor {jobs.processor / gigabytes:.1f} s a GB")
    walls = {}
    for workers in (1, 2):
        done = Measured(
            ["cluster", "--workers", str(workers), "--out", str(folder / f"{run}-{workers}"), str(box)]
        )
        walls[workers] = done.wall
        print(
            f"cluster, {workers} workers: {done.wall:.1f} s, "
            f"processor {done.processor / gigabytes:.1f} s a GB, "
            f"{done.peak / 1e6:.0f} MB the largest process"
        )
    print(f"2 workers against 1: {walls[1] / walls[2]:.2f}; against -J 2: {walls[2] / jobs.wall:.2f}")


def cost_of_a_shard(folder: Path) -> None:
    """Print what a shard costs that has hardly anything in it: alone, and with the scheduler's share."""
    tiny = folder / "tiny"
    tiny.mkdir()
    for number in range(SMALL_SHARDS):
        (tiny / str(number)).write_text("http://a.example/\n")
    names = folder / "names"
    names.write_text("".join(f"{tiny / str(number)}\n" for number in range(SMALL_SHARDS)))
    alone = Measured(["shards", "-T", str(names)], folder / "plan")
    numbers = [word for number in range(1, SMALL_SHARDS + 1) for word in ("--number", str(number))]
    one = Measured(["shard", "--plan", str(folder / "plan"), "--out", str(folder / "one"), *numbers])
    many = Measured(
        ["cluster", "--workers", "1", "--plan", str(folder / "plan"), "--out", str(folder / "many")]
    )
    again = Measured(
        ["cluster", "--workers", "1", "--plan", str(folder / "plan"), "--out", str(folder / "many")]
    )
    each = 1000 / SMALL_SHARDS
    print(
        f"a shard of nothing: plan {alone.processor * each:.2f} ms, "
        f"one process {one.processor * each:.2f} ms, "
        f"cluster {(many.processor - again.processor) * each:.2f} ms of processor time; "
        f"start and end of a cluster {again.wall:.1f} s"
    )


if __name__ == "__main__":
    main()
