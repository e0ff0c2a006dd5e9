"""Texts and what is found in them, as anybody can read and add to: the files ``cases/*.txt``.

A case is a text and below it, indented, the URLs that a careful reader types, one a line. A blank line
ends it. A line that begins with "# " is the title of the cases up to the next one. The signs of Unicode for
controls stand for these: a line that is nothing but ``␊`` is an empty one, ``␍`` a carriage return, ``␠`` a
blank at the start or the end of a line. ``{U+200B}`` stands for what cannot be seen.

The first lines of a file may be ``options: relaxed emails``, the options of all its cases, and
``tells: alternatives defects repairs``, what else is below each URL: all other readings as ``or URL``, all
defects and repairs in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from urlextract import Found, extract

FILES = sorted((Path(__file__).parent / "cases").glob("*.txt"))


class Case(NamedTuple):
    """A text and what is found in it, as lines; what these tell beside URLs, and the options for it."""

    title: str
    text: str
    lines: list[str]
    options: dict[str, Any]
    tells: tuple[str, ...]


def plain(line: str) -> str:
    """Return a line of a case without its signs."""
    line = re.sub("[\u2400-\u2420]", lambda sign: chr(ord(sign[0]) - 0x2400), line.replace("\u240a", ""))
    return re.sub(r"\{U\+([0-9A-F]+)\}", lambda sign: chr(int(sign[1], 16)), line)


def option(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    return name, value or True


def cases_of(path: Path) -> Iterator[Case]:
    """Yield the cases of a file."""
    text, title = path.read_text("utf-8"), ""
    heads = {"options": "", "tells": ""}
    while head := re.match(r"(options|tells): (.*)\n", text):
        heads[head[1]], text = head[2], text[head.end() :]
    options, tells = dict(map(option, heads["options"].split())), tuple(heads["tells"].split())
    for block in re.split(r"\n\n+", text):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith("# "):
            title = lines.pop(0).removeprefix("# ")
        if lines:
            read = "\n".join(plain(line) for line in lines if not line.startswith("    "))
            found = [plain(line[4:]) for line in lines if line.startswith("    ")]
            yield Case(title, read, found, options, tells)


def lines_of(found: Found, tells: tuple[str, ...]) -> Iterator[str]:
    """Yield what a case says of a URL."""
    yield found.url
    if "alternatives" in tells:
        yield from (f"or {other.url}" for other in found.alternatives)
    if "defects" in tells:
        yield from (f"defect: {defect}" for defect in found.defects)
    if "repairs" in tells:
        yield from (f"repair: {repair}" for repair in found.repairs)


CASES = [
    pytest.param(case, id=f"{path.stem}: {case.title}: {ascii(case.text)[1:40]}")
    for path in FILES
    for case in cases_of(path)
]


@pytest.mark.parametrize("case", CASES)
def test_text_has_these_urls(case: Case) -> None:
    """However it comes: as a whole, or character by character."""
    for text in (case.text, list(case.text)):
        records = list(extract(text, **case.options))
        assert [line for found in records for line in lines_of(found, case.tells)] == case.lines
        assert all(found.inner.of(case.text) == found.raw for found in records)
