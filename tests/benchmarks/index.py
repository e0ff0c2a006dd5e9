"""How fast an index is written and brought up to date: ratios from one run, medians of several.

    python tests/benchmarks/index.py --mbox FILE [--runs 5] [--copies 10]

FILE is a mailbox, as peers.py writes one. The yardstick of a new index is
`urlextract -j FILE > /dev/null`. That of a run without news is the time that such a run takes on a mailbox
of one message: the rest is for a mailbox of --copies times FILE.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import tempfile
from contextlib import closing
from pathlib import Path

from speed import COMMAND, in_turn, process, timed

ENDS = ("", "-wal", "-shm", "-journal")


def anew(index, path):
    """Make an index of a mailbox."""
    for end in ENDS:
        Path(f"{index}{end}").unlink(missing_ok=True)
    process(*COMMAND, "index", index, path)


def written(folder, path, runs):
    """Make an index, and print the records."""
    index = folder / "links.db"
    mine, yard, ratio = in_turn(lambda: anew(index, path), lambda: process(*COMMAND, "-j", path), runs)
    with closing(sqlite3.connect(index)) as opened:
        (places,) = opened.execute("SELECT count(*) FROM places").fetchone()
    size = os.path.getsize(index) / 1e6
    print(f"new index       {mine:.3f} s, -j {yard:.3f} s: {ratio:.2f} ({places} places, {size:.0f} MB)")


def without_news(folder, path, runs, copies):
    """Look for news where there is none."""
    large, small = folder / "large.mbox", folder / "small.mbox"
    with open(path, "rb") as file:
        data = file.read()
    with open(large, "wb") as file:
        file.writelines([data] * copies)
    small.write_bytes(data[: data.index(b"\n\nFrom ") + 2])
    del data
    index = folder / "large.db"
    seconds, _ = timed(anew, index, large)
    size = os.path.getsize(large) / 1e9
    print(f"a large index   {seconds:.1f} s for {size:.1f} GB")
    process(*COMMAND, "index", index, small)
    pairs = [
        (
            timed(process, *COMMAND, "index", index, large)[0],
            timed(process, *COMMAND, "index", index, small)[0],
        )
        for _ in range(runs)
    ]
    whole, start = (statistics.median(each) for each in zip(*pairs, strict=True))
    print(
        f"no news         {whole:.3f} s for {size:.1f} GB, {start:.3f} s for one message: "
        f"{(whole - start) / size:.4f} s for each GB"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mbox", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--copies", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        written(Path(name), arguments.mbox, arguments.runs)
        without_news(Path(name), arguments.mbox, arguments.runs, arguments.copies)


if __name__ == "__main__":
    main()
