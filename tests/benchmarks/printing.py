"""How programs print long URLs: where they break them, in how many lines, and at what speed.

    python tests/benchmarks/printing.py [FOLDER]

takes the URLs of more than 60 characters that stand in the files of FOLDER (default: ``corpora``), and prints
a table for README.md; then the time of `format_url` and `rewrap`, as ratios to `textwrap`, medians of several
runs. ``fold`` and ``fmt`` are of the system, ``par`` is Debian's package of that name.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from urlextract import UrlSyntaxError, extract_source, format_url, parse_url, rewrap
from urlextract.errors import FormatError, WidthError
from urlextract.schemes.components import span_of

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTHS = (40, 60, 66, 72, 78)
LEAST = 60  # characters: shorter URLs are rarely broken
RUNS = 7
SAFE_BEFORE = re.compile(r"[.,;:!~_%?#&=-]")


def urls_of(folder: Path) -> list[str]:
    """Return the URLs to print, each once, as printed."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            for result in extract_source(path):
                if len(result.url) > LEAST and result.url.isascii():
                    found[result.url] = None
    return [url for url in found if printed(url, 5_000) == [f"<URL:{url}>"]]


def printed(url: str, width: int) -> list[str]:
    """Print with this program, in more than ``width`` only if it must."""
    try:
        return format_url(url, width=width).split("\n")
    except WidthError as error:
        return printed(url, error.least)
    except (FormatError, UrlSyntaxError):
        return []


def greedy(url: str, width: int) -> list[str]:
    """Print by the Chicago Manual, each line as full as possible: after "//" and "/", before marks."""
    places = [m.end() for m in re.finditer(r"/+", url)] + [m.start() for m in SAFE_BEFORE.finditer(url)]
    lines, start, text = [], 0, f"<URL:{url}>"
    places = sorted({place + 5 for place in places} | {len(text)})
    while start < len(text):
        room = width if not start else width - 1
        end = max((place for place in places if start < place <= start + room), default=start + room)
        lines.append(text[start:end])
        start = end
    return lines


def piped(*command: str) -> Callable[[str, int], list[str]] | None:
    """Return a program that fills its standard input."""
    if not shutil.which(command[0]):
        return None

    def fill(url: str, width: int) -> list[str]:
        words = [word.format(width) for word in command]
        done = subprocess.run(words, input=f"<URL:{url}>\n", capture_output=True, text=True, check=True)
        return done.stdout.rstrip("\n").split("\n")

    return fill


def faults(url: str, lines: list[str], width: int) -> Counter[str]:
    """Count the faults of a layout."""
    path = span_of(parse_url(url), "path").start
    scheme = url.index(":") + (3 if "://" in url else 1)
    escapes = {at + 1 for at in (m.start() for m in re.finditer("%[0-9A-Fa-f]{2}", url))}
    escapes |= {at + 1 for at in escapes}
    count = Counter(lines=len(lines), breaks=len(lines) - 1, wide=sum(len(line) > width for line in lines))
    at = -5
    for line in lines[:-1]:
        at += len(line.strip())
        if not 0 < at < len(url):  # outside the URL, in its brackets
            count["bracket"] += 1
            continue
        count["hyphen"] += url[at - 1] == "-"
        count["escape"] += at in escapes
        count["scheme"] += at < scheme
        count["host"] += scheme < at < path and "://" in url
        count["word"] += at > path and url[at - 1].isalnum() and url[at].isalnum() and at not in escapes
    return count


def table(urls: list[str]) -> None:
    """Print how each program breaks the URLs."""
    programs = {
        "urlextract": printed,
        "greedy, as Chicago has it": greedy,
        "textwrap": lambda url, width: textwrap.wrap(f"<URL:{url}>", width),
        "fold": piped("fold", "-w", "{}"),
        "par": piped("par", "w{}"),
        "fmt": piped("fmt", "-w", "{}"),
    }
    print(f"{len(urls)} URLs of more than {LEAST} characters, at widths {', '.join(map(str, WIDTHS))}\n")
    names = ("breaks", "hyphen", "escape", "scheme", "host", "word", "wide", "lines")
    print(f"| program | {' | '.join(names)} |\n| --- {'| ---: ' * len(names)}|")
    for name, program in programs.items():
        if program is None:
            print(f"| {name} | not installed |")
            continue
        total: Counter[str] = Counter()
        for width in WIDTHS:
            for url in urls:
                total += faults(url, program(url, width), width)
        print(f"| {name} | {' | '.join(str(total[key]) for key in names)} |")
    for width in WIDTHS:
        ours: Counter[str] = Counter()
        theirs: Counter[str] = Counter()
        for url in urls:
            ours += faults(url, printed(url, width), width)
            theirs += faults(url, greedy(url, width), width)
        print(f"width {width}: {ours['lines']} lines, greedy {theirs['lines']}; inside hosts {ours['host']}, "
              f"words {ours['word']}")  # fmt: skip


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
    table(urls_of(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "corpora")))
    speeds()
