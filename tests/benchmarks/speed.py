"""The speed of whole commands beside `rg -oU`, of the start, and the memory: medians of several runs.

    python tests/benchmarks/speed.py [--corpora DIR] [--runs 5]

DIR holds plain.txt, dense.txt, angle.txt and mail.mbox, as peers.py writes them; without --corpora they are
made in a temporary folder.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TEXTS = ("plain.txt", "dense.txt", "angle.txt")
PATTERN = (
    r"(?i)<URL:[^<>]+>|<(?:https?|ftp|mailto|news):[^<>]+>"
    r"|\b(?:[a-z][a-z0-9+.-]*://|mailto:|news:|www\.|ftp\.)[^\s<>\x22]+"
)


def timed(function, *arguments):
    started = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - started, result


def in_turn(first, second, runs):
    """Time two calls in turn; return their medians and the median of the ratios."""
    pairs = [(timed(first)[0], timed(second)[0]) for _ in range(runs)]
    ratio = statistics.median(a / b for a, b in pairs)
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), ratio


SCRIPT = Path(sys.executable).parent / "urlextract"
MAIN = "from urlextract.__main__ import main; main()"  # what the script does
COMMAND = [str(SCRIPT)] if SCRIPT.exists() else [sys.executable, "-c", MAIN]


def on_one_processor():
    """Run on one processor only, so that the command uses one process without being told."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def process(*command, prepare=None):
    """Run a command to its end, and discard its output."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, preexec_fn=prepare) as child:  # noqa: PLW1509 - there are no threads
        while child.stdout.read(1 << 20):
            pass


def whole_process(corpora, runs):
    rg = shutil.which("rg")
    if rg is None:
        print("whole process: no rg on the path")
        return
    for name in (*TEXTS, "mail.mbox"):
        path = str(corpora / name)
        process(*COMMAND, path)
        for how, prepare in (("one process", on_one_processor), ("as it is", None)):
            mine, yard, ratio = in_turn(
                lambda p=path, h=prepare: process(*COMMAND, p, prepare=h),
                lambda p=path: process(rg, "-a", "-o", "-U", "-N", "--no-unicode", PATTERN, p),
                runs,
            )
            print(f"{how:15} {name:10} {mine:6.3f} s, rg -oU     {yard:6.3f} s: {ratio:.2f}")


def start_up(runs):
    for what, code in (("import urlextract", "import urlextract"), ("from urlextract import extract",) * 2):
        mine, bare, _ = in_turn(
            lambda c=code: process(sys.executable, "-c", c),
            lambda: process(sys.executable, "-c", ""),
            2 * runs,
        )
        print(f"start-up        {what}: {1000 * (mine - bare):.0f} ms above python's {1000 * bare:.0f} ms")
    mine = statistics.median(timed(process, *COMMAND, os.devnull)[0] for _ in range(2 * runs))
    print(f"start-up        urlextract /dev/null: {1000 * mine:.0f} ms in all")


def peak(what, blocks):
    """Feed blocks through a pipe; return the peak memory, which begins with that of the parent."""
    child = subprocess.Popen(
        [*COMMAND, "-c"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    for block in blocks:
        child.stdin.write(block)
    child.stdin.close()
    found = child.stdout.read().decode().strip()
    _, _, usage = os.wait4(child.pid, 0)
    print(f"memory          {what}: {usage.ru_maxrss / 1024:.0f} MiB at most, {found} URLs")


def memory():
    """Feed 200 MB through a pipe, with and without line ends."""
    for what, unit in (
        ("lines", b"some words http://a.example/ and more\n"),
        ("no line end", b"x http://a.example "),
    ):
        peak(f"200 MB on a pipe, {what}", [unit * (1_000_000 // len(unit))] * 200)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpora = arguments.corpora or Path(folder)
        if not arguments.corpora:
            from peers import write_mailbox, write_texts  # which takes its pattern from here

            write_texts(corpora)
            write_mailbox(corpora / "mail.mbox")
        whole_process(corpora, arguments.runs)
    start_up(arguments.runs)
    memory()


if __name__ == "__main__":
    main()
