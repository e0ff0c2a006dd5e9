"""Replace URLs by numbers, with a list of the URLs at the end of the text, and put them back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from urlextract.arguments import check_choice
from urlextract.formatter.texts.blocks import blocks_of
from urlextract.formatter.texts.bodies import parts_of
from urlextract.formatter.texts.checking import has_same_urls
from urlextract.formatter.texts.entries import (
    NUMBER,
    WIDTH,
    Entry,
    bracketed,
    cut,
    entries_of,
    filled_lines,
    is_entry,
    opening_of,
)
from urlextract.formatter.texts.markup import marked_in_lines, overlaps
from urlextract.formatter.texts.mending import Readings, join_in_use, names_of, reading_with, urls_of
from urlextract.formatter.texts.quotes import line_of
from urlextract.formatter.texts.units import AnyText, text_or_bytes
from urlextract.formatter.texts.untouched import is_signature
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.pipeline.entry import extract
from urlextract.records import Form, RepairCode
from urlextract.results import Found

# A number in running text: not glued to a word, and not that of a Markdown link or a list entry.
_USE = lazy_re(r"(?<![\w\]])\[(\d{1,6})\](?![\w(:\[])")
# The label of a Markdown link, which needs its entry in the list.
_LABEL = lazy_re(r"(?<=\])\[(\d{1,6})\]")
_LABEL_ALONE = lazy_re(r"(?>(?:[ ]{0,3}|> ?)*)\[[^\[\]]{1,300}\]:[ \t\r]*\Z")
_LIST = lazy_re(r"^\[\d{1,6}\]:?[ \t]", re.MULTILINE)


def from_refs(text: AnyText, join: Join = "safe") -> AnyText:
    r"""Return a text with its numbers replaced by the URLs of the list at its end.

    Entries of the list are lines ``[n]: url`` or ``[n] url``. An entry is kept if no number refers to it,
    if such a number is in what is never changed, such as code, or if it is the label of a Markdown link.
    All others are removed. A URL gets the brackets that it has in the list; one that is bare there is put in
    brackets only where it would not be read back, as before letters. ``join`` is as in `rewrap`. Raises
    `ValueError` for an unknown ``join``.

    >>> print(from_refs("See [1].\n\n[1]: <http://a.example/b>\n"))
    See <http://a.example/b>.
    <BLANKLINE>
    """
    check_choice("join", join, Join)
    return text_or_bytes(text, lambda text: _in_bodies(text, join, _inlined) if _LIST.search(text) else text)


def _in_bodies(text: str, join: Join, change: Callable[[str], str]) -> str:
    """Return a text with each body as ``change`` returns it, which has a list of its own."""
    done: list[str] = []
    for body, part in parts_of(text):
        with reading_with(Readings(join)):
            done.append(change(body) if part.is_fixed else body)
    return "".join(done)


def _inlined(text: str) -> str:
    """Return a text with URLs in place of numbers, bare ones if its URLs are then the same."""
    for is_bare_allowed in (True, False):
        result = _with_all_urls(text, is_bare_allowed=is_bare_allowed)
        if has_same_urls(text, result, "ref"):
            return result
    return text


def _with_all_urls(text: str, *, is_bare_allowed: bool) -> str:
    lines, blocks = cut(text, WIDTH)
    entries = entries_of(lines)
    shown = _with_urls(lines, entries, is_bare_allowed=is_bare_allowed)
    if shown == lines:
        return text
    filled = filled_lines(blocks) | _filled_with_urls(shown)
    changed = [shown[at] if at in filled else line for at, line in enumerate(lines)]
    return "\n".join(_without_used(changed, lines, entries))


def _filled_with_urls(shown: list[str]) -> set[int]:
    """Return the indexes of the lines that are in paragraphs once the URLs are in place.

    With a number in place of a displayed URL, or in a line that gets short, they may not look like prose.
    """
    return filled_lines(blocks_of([line.rstrip("\r") for line in shown], WIDTH, names_of(shown)))


def _printed(entry: Entry, line: str, place: re.Match[str], is_bare_allowed: bool) -> str | None:
    """Return a URL as its entry has it: in brackets, or bare if it is read back in that place."""
    if is_bare_allowed and not entry.opening:
        before, behind = (
            line[max(place.start() - 1, 0) : place.start()],
            line[place.end() :].split(maxsplit=1),
        )
        word = behind[0] if behind and not line[place.end()].isspace() else ""
        if len(word) <= _LONGEST_WORD and urls_of(before + entry.url + word) == [entry.url]:
            return entry.url
    return bracketed(entry.url, entry.opening or "<")


def _with_urls(lines: list[str], entries: dict[str, Entry], *, is_bare_allowed: bool) -> list[str]:
    """Return the lines of a body with URLs in place of all numbers, except those of the list itself."""
    listed = {entry.line for entry in entries.values()}
    if not entries:
        return lines
    marked = marked_in_lines(lines)

    def with_urls(index: int, line: str) -> str:
        def url_of(match: re.Match[str]) -> str:
            entry = entries.get(match[1])
            if entry is None or overlaps(marked.get(index, ()), *match.span()):
                return match.group()
            return _printed(entry, line, match, is_bare_allowed) or match.group()

        return _USE.sub(url_of, line)

    return [line if index in listed else with_urls(index, line) for index, line in enumerate(lines)]


def _without_used(changed: list[str], lines: list[str], entries: dict[str, Entry]) -> list[str]:
    """Return ``changed`` without the entries to which numbers in ``lines`` refer, but none in ``changed``."""
    listed = {entry.line for entry in entries.values()}
    used = _asked(lines, listed) - _asked(changed, listed) - _asked(changed, listed, _LABEL)
    dropped = {entry.line for number, entry in entries.items() if number in used}
    dropped |= set(_blank_before(lines, dropped))
    left = [line for index, line in enumerate(changed) if index not in dropped]
    if left and len(lines) - 1 in dropped:
        left[-1] = _without_cr(left[-1]) + _cr_of(lines[-1])
    return left


def _asked(lines: list[str], listed: set[int], pattern: re.Pattern[str] = _USE) -> set[str]:
    """Return the numbers used in lines that are not ``listed``, the lines of the entries."""
    return {
        number for index, line in enumerate(lines) if index not in listed for number in pattern.findall(line)
    }


def _blank_before(lines: list[str], dropped: set[int]) -> Iterator[int]:
    """Yield the blank line before each run of dropped lines, if a blank line or nothing follows the run.

    So it is before a signature and a patch: `to_refs` adds that blank line.
    """
    for index in dropped:
        before = index - 1
        if before in dropped or before < 0 or lines[before].strip():
            continue
        behind = next(at for at in range(index, len(lines) + 1) if at not in dropped)
        if behind >= len(lines) or not lines[behind].strip() or _is_after_list(lines[behind]):
            yield before


_ROUNDS = 4  # after each, the URLs that were not put back are left in place; real texts need two
_WORDS = lazy_re(r":?[ \t]+\S")
_LONGEST_WORD = 200  # characters glued to a number that is replaced by a bare URL
_STRAY = lazy_re(r"[\udc80-\udcff]")


class _Place(NamedTuple):
    """A URL within one line: its place there, brackets included, and the URL itself."""

    line: int
    start: int
    end: int
    url: str
    opening: str  # the bracket before it, if any
    is_quoted: bool
    begins_line: bool  # after blanks and quote prefixes


def to_refs(text: AnyText, join: Join = "safe") -> AnyText:
    r"""Return a text with numbers in place of its URLs, and a list of the URLs at its end.

    The list comes before the signature, and has the URLs in the brackets that they had, so that `from_refs`
    gives the text back. All places of a URL have the same number; if its brackets differ, ``<...>`` is
    used. Numbers that exist are kept, and new ones follow the highest of them. URLs in what is never changed
    (see `rewrap`), those glued to a word, and those in the links and code of Markdown and in the tags and
    elements of HTML stay where they are. In Markdown, a number is a link by its entry in the list
    (CommonMark, section 6.3). URLs stay, too, that `from_refs` would not put back in all their places,
    for example because a line looks like code with a number. `extract` finds the same URLs. ``join`` is
    as in `rewrap`. Raises `ValueError` for an unknown ``join``.

    >>> print(to_refs("See <URL:http://a.example/b> or http://c.example/.\n"))
    See [1] or [2].
    <BLANKLINE>
    [1]: <URL:http://a.example/b>
    [2]: http://c.example/
    <BLANKLINE>
    >>> to_refs("See [it](http://a.example/b), or `curl http://a.example/b`.")
    'See [it](http://a.example/b), or `curl http://a.example/b`.'
    """
    check_choice("join", join, Join)
    return text_or_bytes(text, lambda text: _in_bodies(text, join, _with_sure_numbers))


def _with_sure_numbers(text: str) -> str:
    """Return a text with numbers in place of those URLs that `from_refs` puts back where they were."""
    numbered = _with_numbers(text, set()) if urls_of(text) else text
    if numbered == text:
        return text
    stay: set[str] = set()
    wanted = _urls_in_place(text)
    for _ in range(_ROUNDS):
        back = _urls_in_place(numbered)
        if back == wanted:
            return numbered
        stay |= {url for url in wanted | back if wanted[url] != back[url]}
        numbered = _with_numbers(text, stay)
    return text


def _urls_in_place(text: str) -> Counter[str]:
    """Return how often each URL is in a text after its numbers were replaced by URLs."""
    return Counter(urls_of(_inlined(text) if _LIST.search(text) else text))


def _with_numbers(text: str, stay: set[str]) -> str:
    """Return a text with numbers in place of its URLs, except those in ``stay``."""
    lines, blocks = cut(text, WIDTH)
    result = "\n".join(_numbered(lines, filled_lines(blocks), stay))
    return result if has_same_urls(text, result, "ref") else text


def _numbered(lines: list[str], filled: set[int], stay: set[str]) -> list[str]:
    """Return the lines of a body with numbers in place of URLs, and the list of these URLs."""
    urls = [place for place in _places(lines) if place.line in filled and place.url not in stay]
    marked = marked_in_lines(lines)
    places = [
        place
        for place in urls
        if not overlaps(marked.get(place.line, ()), place.start, place.end) and not _stays(lines, place)
    ]
    numbers = {entry.url: number for number, entry in reversed(entries_of(lines).items())}
    new = list(_new_entries(_openings(places), lines, numbers))
    changed = list(lines)
    for index, inside in groupby(places, lambda place: place.line):
        changed[index] = _line_with_numbers(lines[index], inside, numbers)
    return _with_list(changed, new) if new else changed


def _line_with_numbers(line: str, places: Iterable[_Place], numbers: dict[str, str]) -> str:
    """Return a line with numbers in place of those of its URLs that have one."""
    pieces, done = list[str](), 0
    for place in places:
        if place.url in numbers:
            mark = '"' if place.is_quoted else ""
            pieces += line[done : place.start], f"{mark}[{numbers[place.url]}]{mark}"
            done = place.end
    return "".join([*pieces, line[done:]])


def _places(lines: list[str]) -> Iterator[_Place]:
    """Yield the URLs that are within one line."""
    index, begin = 0, 0
    is_first = True
    for found in extract("\n".join(lines), join=join_in_use()):
        while found.start > begin + len(lines[index]):
            begin += len(lines[index]) + 1
            index += 1
            is_first = True
        start, end = found.start - begin, found.end - begin
        if end <= len(lines[index]) and not _has_own_form(found):
            begins_line = is_first and not line_of(lines[index][:start]).body.strip()
            opening = opening_of(lines[index][start:end])
            yield _Place(index, start, end, found.url, opening, found.form is Form.QUOTED, begins_line)
        is_first = False


def _has_own_form(found: Found) -> bool:
    """Return whether a URL has a label, or no scheme, which an entry of the list would not give back."""
    added = any(repair.code is RepairCode.ADDED_SCHEME for repair in found.repairs)
    return added or found.form is Form.PREFIXED


def _stays(lines: list[str], place: _Place) -> bool:
    """Return whether a URL stays where it is.

    It does if it is glued to a word, if it holds bytes that are not UTF-8, which no list entry can
    hold, or if it begins a line of words, which would look like a list entry with a number there. So does
    the destination of a definition of Markdown, which may be on the line after its label (section 4.7).
    """
    if place.begins_line and place.line and _LABEL_ALONE.match(lines[place.line - 1]):
        return True
    line = lines[place.line]
    if _STRAY.search(line, place.start, place.end):
        return True
    if place.begins_line and _WORDS.match(line, place.end):
        return True
    before, behind = line[max(place.start - 1, 0) : place.start], line[place.end : place.end + 1]
    return before.isalnum() or before in ("_", "]", "=") or behind.isalnum() or behind in ("(", "[", ":", "|")


def _openings(places: Iterable[_Place]) -> dict[str, str]:
    """Return the bracket with which each URL is listed: that of all its places, or if they differ "<"."""
    openings: dict[str, str] = {}
    for place in places:
        known = openings.setdefault(place.url, place.opening)
        openings[place.url] = known if known == place.opening else "<"
    return openings


def _new_entries(urls: dict[str, str], lines: list[str], numbers: dict[str, str]) -> Iterator[str]:
    """Assign the next number to each URL without one, and yield its entry, with the bracket in ``urls``.

    A URL that is not read back from its entry gets no number.
    """
    last = max((int(number) for line in lines for number in NUMBER.findall(line)), default=0)
    for url, opening in urls.items():
        printed = None if url in numbers else _listed(url, opening)
        if printed:
            last += 1
            numbers[url] = str(last)
            yield f"[{last}]: {printed}"


def _listed(url: str, opening: str) -> str | None:
    """Return a URL as it is listed: bare if it was and is read back, else in brackets, or None."""
    if not opening and not _STRAY.search(url) and urls_of(f"[1]: {url}\n[2]: x") == [url]:
        return url
    return bracketed(url, opening or "<")


def _with_list(lines: list[str], entries: list[str]) -> list[str]:
    """Return lines with ``entries`` before the signature or a patch, or at the end; they continue a list."""
    at = next((index for index, line in enumerate(lines) if _is_after_list(line)), len(lines))
    while at and not lines[at - 1].strip():
        at -= 1
    carriage = "\r" if any(line.endswith("\r") for line in lines[max(at - 2, 0) : at]) else ""
    gap = [] if at and is_entry(lines[at - 1]) else [carriage]
    listed = [entry + carriage for entry in entries]
    if at == len(lines):  # the text has no line end at its end, and gets none
        last = _without_cr(lines[-1]) + carriage
        return [*lines[:-1], last, *gap, *listed[:-1], entries[-1] + _cr_of(lines[-1])]
    return [*lines[:at], *gap, *listed, *lines[at:]]


def _without_cr(line: str) -> str:
    return line.removesuffix("\r")


def _cr_of(line: str) -> str:
    """Return the CR of a line; the last line of a text has none, but that of a part of a message may."""
    return line[len(_without_cr(line)) :]


def _is_after_list(line: str) -> bool:
    """Return whether a line begins a signature, or the notes and the patch after a message of git."""
    return is_signature(line.rstrip("\r")) or line.rstrip() == "---"
