"""URLs in place of numbers, from the list at the end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlextract.formatter.texts.blocks import blocks_of
from urlextract.formatter.texts.checking import has_same_urls
from urlextract.formatter.texts.cutting import cut
from urlextract.formatter.texts.mending import readings_kept
from urlextract.formatter.texts.parts import bodies_of, with_bodies
from urlextract.formatter.texts.quotes import names_in
from urlextract.formatter.texts.references import WIDTH, bracketed, entries_of, filled_lines
from urlextract.grammar.patterns import later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.formatter.texts.references import Entry
    from urlextract.linebreaks.joining import Join

__all__ = ["from_refs"]

# A number in running text: glued to no word, and no link or entry of its own.
_USE = later(r"(?<![\w\]])\[(\d{1,6})\](?![\w(:\[])")
_LIST = later(r"^\[\d{1,6}\]:?[ \t]", re.MULTILINE)


def from_refs(text: str, join: Join = "safe") -> str:
    r"""Put the URLs of the list at the end of a text back in place of their numbers.

    Entries are lines ``[n]: url`` or ``[n] url``. One is kept where no number asks for it, or one
    that stays: in what is never touched, such as code. ``join`` is as in `rewrap`.

    >>> print(from_refs("See [1].\n\n[1]: <http://a.example/b>\n"))
    See <http://a.example/b>.
    <BLANKLINE>
    """
    if not isinstance(text, str):
        raise TypeError(f"what has numbers is text, not {type(text).__name__}")
    with readings_kept(join):
        return _inlined(text) if _LIST.search(text) else text


def _inlined(text: str) -> str:
    lines, blocks = cut(text, WIDTH)
    bodies = list(bodies_of([line.rstrip("\r") for line in lines]))
    lists = {start: entries_of(lines[start:end]) for start, end in bodies}
    shown = with_bodies(lines, bodies, lambda start, end: _with_urls(lines[start:end], lists[start]))
    if shown == lines:
        return text
    filled = filled_lines(blocks) | _filled_with_urls(shown)

    def inlined(start: int, end: int) -> list[str]:
        changed = [shown[at] if at in filled else lines[at] for at in range(start, end)]
        return _without_used(changed, lines[start:end], lists[start])

    result = "\n".join(with_bodies(lines, bodies, inlined))
    return result if has_same_urls(text, result, "ref") else text


def _filled_with_urls(shown: list[str]) -> set[int]:
    """Give the lines that are in paragraphs once they have their URLs.

    A number that stands for a displayed URL, or leaves a line short, can make them look like no prose.
    """
    names = names_in(shown)
    return filled_lines(blocks_of([line.rstrip("\r") for line in shown], WIDTH, names))


def _with_urls(lines: list[str], entries: dict[str, Entry]) -> list[str]:
    """Give the lines of a body with URLs in place of all numbers, but for those of the list itself."""
    printed = {number: bracketed(entry.url) for number, entry in entries.items()}
    listed = {entry.line for entry in entries.values()}

    def url_of(match: re.Match[str]) -> str:
        return printed.get(match[1]) or match.group()

    if not entries:
        return lines
    return [line if index in listed else _USE.sub(url_of, line) for index, line in enumerate(lines)]


def _without_used(changed: list[str], lines: list[str], entries: dict[str, Entry]) -> list[str]:
    """Give the ``changed`` lines of a body without entries that ``lines`` asked for and none asks for now."""
    listed = {entry.line for entry in entries.values()}
    used = _asked(lines, listed) - _asked(changed, listed)
    dropped = {entry.line for number, entry in entries.items() if number in used}
    dropped |= set(_blank_before(lines, dropped))
    return [line for index, line in enumerate(changed) if index not in dropped]


def _asked(lines: list[str], listed: set[int]) -> set[str]:
    """Give the numbers for which lines ask that are not ``listed`` as entries."""
    return {
        number for index, line in enumerate(lines) if index not in listed for number in _USE.findall(line)
    }


def _blank_before(lines: list[str], dropped: set[int]) -> Iterator[int]:
    """Give the blank line before each run of lines that goes, if a blank line or nothing follows it."""
    for index in dropped:
        before = index - 1
        if before in dropped or before < 0 or lines[before].strip():
            continue
        behind = next(at for at in range(index, len(lines) + 1) if at not in dropped)
        if behind >= len(lines) or not lines[behind].strip():
            yield before
