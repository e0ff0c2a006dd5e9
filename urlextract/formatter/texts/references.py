"""Numbers in place of URLs, with a list of them at the end; and URLs in place of numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from urlextract.errors import FormatError
from urlextract.formatter.readable import check_reading
from urlextract.formatter.texts.checking import has_same_urls
from urlextract.formatter.texts.cutting import cut
from urlextract.formatter.texts.parts import bodies_of, with_bodies
from urlextract.formatter.texts.quotes import line_of
from urlextract.formatter.texts.untouched import is_signature
from urlextract.pipeline.entry import extract
from urlextract.records import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["from_refs", "to_refs"]

_WIDTH = 72  # columns: by it, lines that end early are told from those that are full
_NUMBER = re.compile(r"\[(\d{1,6})\]")
# A number in running text: glued to no word, and no link or entry of its own.
_USE = re.compile(r"(?<![\w\]])\[(\d{1,6})\](?![\w(:\[])")
_ENTRY = re.compile(r"\[(\d{1,6})\]:?[ \t]+([^\s\udc80-\udcff]+)[ \t]*\r?\Z")
_WORDS = re.compile(r":?[ \t]+\S")
_STRAY = re.compile(r"[\udc80-\udcff]")


class _Place(NamedTuple):
    """A URL in a line: where it stands there, in its brackets, and what it is."""

    line: int
    start: int
    end: int
    url: str
    is_quoted: bool


def to_refs(text: str) -> str:
    r"""Put numbers in place of the URLs of a text, and a list of them at its end.

    The list stands before the signature. A URL has one number; numbers that are there
    are kept, and the next ones used. URLs in what is never touched (see `rewrap`), and
    those glued to a word, stay where they are. `extract` finds the same URLs.

    >>> print(to_refs("See <URL:http://a.example/b> or http://c.example/.\n"))
    See [1] or [2].
    <BLANKLINE>
    [1]: <http://a.example/b>
    [2]: <http://c.example/>
    <BLANKLINE>
    """
    return _in_each_body(text, _numbered)


def from_refs(text: str) -> str:
    r"""Put the URLs of the list at the end of a text back in place of their numbers.

    Entries are lines ``[n]: url`` or ``[n] url``; those that no number asks for are kept.

    >>> print(from_refs("See [1].\n\n[1]: <http://a.example/b>\n"))
    See <http://a.example/b>.
    <BLANKLINE>
    """
    return _in_each_body(text, _inlined)


def _in_each_body(text: str, change: Callable[[list[str], set[int]], list[str]]) -> str:
    """Change each body of plain text in ``text``, which is one if it is no message."""
    lines, blocks = cut(text, _WIDTH)
    filled = {line for block in blocks if block.is_filled for line in range(block.start, block.end)}

    def changed(start: int, end: int) -> list[str]:
        return change(lines[start:end], {line - start for line in range(start, end) if line in filled})

    bodies = bodies_of([line.rstrip("\r") for line in lines])
    result = "\n".join(with_bodies(lines, bodies, changed))
    return result if has_same_urls(text, result, "ref") else text


def _numbered(lines: list[str], filled: set[int]) -> list[str]:
    """Give the lines of a body with numbers, and their list."""
    places = [place for place in _places(lines) if place.line in filled and not _stays(lines, place)]
    numbers = {url: number for number, (_, url) in reversed(_entries(lines).items())}
    new = list(_new_entries(dict.fromkeys(place.url for place in places), lines, numbers))
    changed = list(lines)
    for place in reversed(places):
        if place.url in numbers:
            line = changed[place.line]
            mark = '"' if place.is_quoted else ""
            number = f"{mark}[{numbers[place.url]}]{mark}"
            changed[place.line] = line[: place.start] + number + line[place.end :]
    return _with_list(changed, new) if new else changed


def _places(lines: list[str]) -> Iterator[_Place]:
    """Give the URLs that stand in one line."""
    index, begin = 0, 0
    for found in extract("\n".join(lines)):
        while found.start > begin + len(lines[index]):
            begin += len(lines[index]) + 1
            index += 1
        if found.end <= begin + len(lines[index]):
            yield _Place(index, found.start - begin, found.end - begin, found.url, found.form is Form.QUOTED)


def _stays(lines: list[str], place: _Place) -> bool:
    """Say whether a URL stays where it is.

    It is glued to a word; it holds bytes that are no UTF-8, which a list would change; it begins
    a line of words, which with a number there would be one of a list.
    """
    line = lines[place.line]
    if _STRAY.search(line, place.start, place.end):
        return True
    if _WORDS.match(line, place.end) and not line_of(line[: place.start]).body.strip():
        return True
    before, behind = line[: place.start][-1:], line[place.end : place.end + 1]
    return before.isalnum() or before in ("_", "]", "=") or behind.isalnum() or behind in ("(", "[", ":")


def _entries(lines: list[str]) -> dict[str, tuple[int, str]]:
    """Give the entries of lists by number, the first of each: their line and URL."""
    entries: dict[str, tuple[int, str]] = {}
    for index, line in enumerate(lines):
        match = _ENTRY.match(line)
        urls = [found.url for found in extract(match[2])] if match else []
        if match and len(urls) == 1 and match[2].strip("<>").removeprefix("URL:") == urls[0]:
            entries.setdefault(match[1], (index, urls[0]))
    return entries


def _new_entries(urls: dict[str, None], lines: list[str], numbers: dict[str, str]) -> Iterator[str]:
    """Give each URL that has no number yet the next one, and its entry; none to what no list can hold."""
    last = max((int(number) for line in lines for number in _NUMBER.findall(line)), default=0)
    for url in urls:
        printed = None if url in numbers else _bracketed(url)
        if printed:
            last += 1
            numbers[url] = str(last)
            yield f"[{last}]: {printed}"


def _bracketed(url: str) -> str | None:
    """Give ``url`` in the brackets in which it is read back, None if there are none."""
    for opening in ("<", "<URL:"):
        try:
            check_reading(url, opening)
        except FormatError:
            continue
        if not any(char.isspace() for char in url):
            return f"{opening}{url}>"
    return None


def _with_list(lines: list[str], entries: list[str]) -> list[str]:
    """Put ``entries`` before the signature or a patch, or at the end, behind a list that stands there."""
    ends = (
        index for index, line in enumerate(lines) if is_signature(line.rstrip("\r")) or line.rstrip() == "---"
    )
    end = next(ends, len(lines))
    at = end
    while at and not lines[at - 1].strip():
        at -= 1
    carriage = "\r" if at and lines[at - 1].endswith("\r") else ""
    gap = [] if at and _ENTRY.match(lines[at - 1]) else [carriage]
    behind = lines[at:] or [""]
    if behind == [""] and at == len(lines):  # the text's last line had no end: now it has
        lines = [*lines[: at - 1], lines[at - 1] + carriage]
    return [*lines[:at], *gap, *(entry + carriage for entry in entries), *behind]


def _inlined(lines: list[str], filled: set[int]) -> list[str]:
    """Give the lines of a body with URLs in place of numbers, without the entries that were used."""
    entries = _entries(lines)
    used: set[str] = set()

    def url_of(match: re.Match[str]) -> str:
        printed = _bracketed(entries[match[1]][1]) if match[1] in entries else None
        if printed is None:
            return match.group()
        used.add(match[1])
        return printed

    changed = [_USE.sub(url_of, line) if index in filled else line for index, line in enumerate(lines)]
    dropped = {entries[number][0] for number in used}
    dropped |= set(_blank_before(lines, dropped))
    return [line for index, line in enumerate(changed) if index not in dropped]


def _blank_before(lines: list[str], dropped: set[int]) -> Iterator[int]:
    """Give the blank line before each run of lines that goes, if a blank line or nothing follows it."""
    for index in dropped:
        before = index - 1
        if before in dropped or before < 0 or lines[before].strip():
            continue
        behind = next(at for at in range(index, len(lines) + 1) if at not in dropped)
        if behind >= len(lines) or not lines[behind].strip():
            yield before
