"""Texts and what is found in them, as anybody can read and add to: the files ``cases/*.txt``.

A case is a text and below it, indented, the URLs that a careful reader types, one a line. A blank line
ends it. A line that begins with "# " is the title of the cases up to the next one. The signs of Unicode for
controls stand for these: a line that is nothing but ``␊`` is an empty one, ``␍`` a carriage return, ``␠`` a
blank at the start or the end of a line. ``{U+200B}`` stands for what cannot be seen.

The first lines of a file may be ``options: relaxed emails``, the options of all its cases, and
``tells: alternatives defects repairs``, what else is below each URL: all other readings as ``or URL``, all
defects and repairs in words. In a file with ``does: rewrap`` or ``does: mend``, what is below a text is what
becomes of it, ``(the same)`` if nothing changes; each has a line end, or ``␃`` at its end. With
``does: unwrap`` it is the target of a link and the service, with ``does: warn`` the warnings of a URL, each
with the characters that it is about. Behind a title, ``| width=20`` are options of its cases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rewriting import check_text

from urlextract import Found, extract, mend, parse_url, rewrap, unwrap

FOLDER = Path(__file__).parent / "cases"
REWRITES = {"rewrap": rewrap, "mend": mend}


class Case(NamedTuple):
    """A text and what is found in it, or becomes of it, as lines; and what the head of its file says."""

    title: str
    text: str
    lines: list[str]
    options: dict[str, Any]
    tells: tuple[str, ...]
    does: str


def plain(line: str) -> str:
    """Return a line of a case without its signs."""
    line = re.sub("[\u2400-\u2420]", lambda sign: chr(ord(sign[0]) - 0x2400), line.replace("\u240a", ""))
    return re.sub(r"\{U\+([0-9A-F]+)\}", lambda sign: chr(int(sign[1], 16)), line)


def options_of(words: str) -> dict[str, Any]:
    pairs = (word.partition("=") for word in words.split())
    return {name: int(value) if value.isdecimal() else value or True for name, _, value in pairs}


def cases_of(name: str) -> Iterator[Case]:
    """Yield the cases of a file."""
    text, title = (FOLDER / f"{name}.txt").read_text("utf-8"), ""
    heads = {"options": "", "tells": "", "does": ""}
    while head := re.match(r"(options|tells|does): (.*)\n", text):
        heads[head[1]], text = head[2], text[head.end() :]
    options = options_of(heads["options"])
    for block in re.split(r"\n\n+", text):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith("# "):
            title, _, words = lines.pop(0).removeprefix("# ").partition(" | ")
            options = {**options_of(heads["options"]), **options_of(words)}
        if lines:
            read = "\n".join(plain(line) for line in lines if not line.startswith("    "))
            found = [plain(line[4:]) for line in lines if line.startswith("    ")]
            if heads["does"] in (*REWRITES, "kept"):
                read = ended(read)
            yield Case(title, read, found, options, tuple(heads["tells"].split()), heads["does"])


def ended(text: str) -> str:
    """Return a text with its line end."""
    return text.removesuffix("\x03") if text.endswith("\x03") else f"{text}\n"


def texts_of(name: str) -> dict[str, str]:
    """Return the texts of a file in which nothing is below them, by their titles."""
    return {case.title: case.text for case in cases_of(name)}


def lines_of(found: Found, tells: tuple[str, ...]) -> Iterator[str]:
    """Yield what a case says of a URL."""
    yield found.url
    if "alternatives" in tells:
        yield from (f"or {other.url}" for other in found.alternatives)
    if "defects" in tells:
        yield from (f"defect: {defect}" for defect in found.defects)
    if "repairs" in tells:
        yield from (f"repair: {repair}" for repair in found.repairs)


def target_of(link: str) -> Iterator[str]:
    """Yield the target of a link that was rewritten, if it is known, and the service."""
    target = unwrap(link)
    if target and target.url:
        yield target.url
    if target:
        yield f"by {target.by}"


def warnings_of(url: str) -> Iterator[str]:
    """Yield the warnings of a URL."""
    for warning in parse_url(url).warnings:
        yield f"{warning.start}-{warning.end} {warning.message}"


def rows_of(*kinds: str) -> list[Any]:
    """Return the cases of all files of some kinds."""
    return [
        pytest.param(case, id=f"{path.stem}: {case.title}: {ascii(case.text)[1:40]}")
        for path in sorted(FOLDER.glob("*.txt"))
        for case in cases_of(path.stem)
        if case.does in kinds
    ]


@pytest.mark.parametrize("case", rows_of(""))
def test_text_has_these_urls(case: Case) -> None:
    """However it comes: as a whole, or character by character."""
    for text in (case.text, list(case.text)):
        records = list(extract(text, **case.options))
        assert [line for found in records for line in lines_of(found, case.tells)] == case.lines
        assert all(found.inner.of(case.text) == found.raw for found in records)


@pytest.mark.parametrize("case", rows_of(*REWRITES))
def test_text_becomes_this(case: Case) -> None:
    """Again, it stays; its URLs and words are the same."""
    rewrite = REWRITES[case.does]
    result = case.text if case.lines == ["(the same)"] else ended("\n".join(case.lines))
    assert rewrite(case.text, **case.options) == result
    assert rewrite(result, **case.options) == result
    check_text(case.text, result)


@pytest.mark.parametrize("case", rows_of("unwrap"))
def test_link_has_this_target(case: Case) -> None:
    assert list(target_of(case.text)) == case.lines


@pytest.mark.parametrize("case", rows_of("warn"))
def test_url_has_these_warnings(case: Case) -> None:
    assert list(warnings_of(case.text)) == case.lines
