"""The speed of `format_url` and `rewrap`: ratios to `textwrap`, and MB/s; medians of several runs.

python tests/benchmarks/printing.py
"""

from __future__ import annotations

import statistics
import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING

from urlextract import format_url, rewrap

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 7


def median(call: Callable[[], object]) -> float:
    """Return the median seconds of a call."""
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def speeds() -> None:
    """Print the time that printing takes."""
    for size in (2_000, 20_000):
        unit = "harbour/tide-tables.html?year=1996&north%20side;"
        for name, url in (
            ("of many parts", "http://www.example.org/" + (unit * size)[: size - 23]),
            ("of one word", "http://www.example.org/" + "a" * (size - 23)),
        ):
            ours = median(lambda url=url: format_url(url))
            theirs = median(lambda url=url: textwrap.wrap(url, 72))
            print(f"{size:,} characters {name}: {1000 * ours:.2f} ms, {ours / theirs:.2f} of textwrap.wrap")
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    text = (text * (10_000_000 // len(text) + 1))[:10_000_000]
    prose = "".join(
        f"The tide of day {n} is high, and the boats\nlie at the quay until the evening comes.\n\n"
        for n in range(1_000)
    )
    prose = (prose * (10_000_000 // len(prose) + 1))[:10_000_000]
    for name, whole in (("README.md, many times", text), ("prose", prose)):
        seconds = median(lambda whole=whole: rewrap(whole))
        print(f"rewrap of 10 MB of {name}: {10 / seconds:.1f} MB/s")


if __name__ == "__main__":
    speeds()
