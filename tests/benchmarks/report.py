"""Measure ``urlextract report``: time to make it, to open it in Chromium, to filter and to sort it.

python tests/benchmarks/report.py [--links N] [--runs N]
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Browser, browser
from made_indexes import fill
from realtools import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from made_indexes import Mail

_WORDS = (Path(ROOT) / "README.md").read_text("utf-8").split()
_LINKS_OF_A_MAIL = 4
_SEARCHES = ("a", "tides", "example.org tides", "nowhere-at-all")


def mails(count: int) -> Iterator[Mail]:
    """Yield mails with ``count`` links in all: many hosts, a quarter of the URLs in several mails."""
    chance = random.Random(1994)
    senders = [f"{chance.choice(_WORDS)} <user{number}@d{number % 200}.example>" for number in range(2_000)]
    for _ in range(count // _LINKS_OF_A_MAIL):
        date = f"{chance.randint(2004, 2025)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T09:12:00Z"
        message = {"date": date, "from": chance.choice(senders), "subject": sentence(chance, 7)}
        yield message, [place(chance, count) for _ in range(_LINKS_OF_A_MAIL)]


def place(chance: random.Random, count: int) -> dict[str, Any]:
    """Return a place: the tenth lies, and what is around it has some 180 characters."""
    number = chance.randint(1, count)
    host = f"www{number % 40}.h{number % 3_000}.example"
    url = f"https://{host}/{chance.choice('abcd')}/tides/{number}?m={number}"
    link = {
        "url": url,
        "text": sentence(chance, 3),
        "context": sentence(chance, 30),
        "form": "html-attribute",
    }
    if number % 10 == 0:
        link |= {"shown": "www.bank.example", "differs": "domain", "defects": "shows-another-domain"}
    return link | {"element": "a", "attribute": "href"}


def sentence(chance: random.Random, length: int) -> str:
    """Return some words."""
    return " ".join(chance.choices(_WORDS, k=length))


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
    parser.add_argument("--links", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with TemporaryDirectory() as name, browser(Path(name)) as chromium:
        index, page = Path(name, "links.db"), Path(name, "links.html")
        fill(index, mails(options.links))
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
        for column in ("subject", "url", "date"):
            click = f"document.querySelector('th[data-column={column}] button').click()"
            times = measured(options.runs, lambda click=click: acted(chromium, click))  # type: ignore[misc]
            print(f"sorted, ms     {times}  {column}")


if __name__ == "__main__":
    main()
