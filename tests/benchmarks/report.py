"""Measure ``urlextract report``: time to make it, to open it in Chromium, to search and to sort it.

python tests/benchmarks/report.py [--targets N] [--runs N] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Browser, browser
from made_indexes import archive, fill
from realtools import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

_SEARCHES = ("a", "tides", "example.org tides", "nowhere-at-all", '"of the week"', "from:ada after:2010")


def make(index: Path, page: Path) -> float:
    """Make the report, and return the time in seconds."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "urlextract", "report", index, "-o", page], cwd=ROOT, check=True)
    return time.perf_counter() - start


def opened(chromium: Browser, page: Path) -> float:
    """Open the page; return the time until it is loaded and its rows are there, in milliseconds."""
    chromium.open("about:blank")
    chromium.open(page.as_uri())
    return float(chromium.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))


def acted(chromium: Browser, action: str, before: str = "") -> float:
    """Return the time that an action and the layout after it take, in milliseconds; not what is before."""
    return float(
        chromium.evaluate(
            f"(() => {{ {before}; const start = performance.now(); {action};"
            "document.body.offsetHeight; return performance.now() - start; })()"
        )
    )


def searched(words: str) -> str:
    """Return the script that types words into the field."""
    return f"words.value = {words!r}; words.dispatchEvent(new Event('input'))"


def measured(runs: int, measure: Callable[[], float]) -> str:
    """Return the median of some measurements, and the least and the greatest."""
    times = [measure() for _ in range(runs)]
    return f"{statistics.median(times):8.1f} ({min(times):.1f} to {max(times):.1f})"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="a folder in which the index and the page stay")
    options = parser.parse_args()
    with TemporaryDirectory() as name, browser(Path(name)) as chromium:
        folder = options.keep or Path(name)
        index, page = folder / "links.db", folder / "links.html"
        if not index.exists():
            fill(index, archive(options.targets))
        chromium.size(1280, 900)
        print(f"made, s        {measured(options.runs, lambda: make(index, page))}")
        print(f"memory, MB     {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1_024:8.1f}")
        print(f"page, MB       {page.stat().st_size / 1e6:8.1f}")
        print(f"opened, ms     {measured(options.runs, lambda: opened(chromium, page))}")
        chromium.evaluate("window.words = document.getElementById('words'); 1")
        for words in _SEARCHES:
            times = measured(options.runs, lambda words=words: acted(chromium, searched(words), searched("")))  # type: ignore[misc]
            print(f"searched, ms   {times}  {words}")
        chromium.evaluate(f"{searched('')}; 1")
        for column in ("url", "links", "first", "last"):
            click = f"document.querySelector('th[data-column={column}] button').click()"
            times = measured(options.runs, lambda click=click: acted(chromium, click))  # type: ignore[misc]
            print(f"sorted, ms     {times}  {column}")


if __name__ == "__main__":
    main()
