"""Replace URLs by numbers, with a list of the URLs at the end of the text, and put them back."""

from __future__ import annotations

import re
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby, islice
from typing import AnyStr, NamedTuple

from urlextract.arguments import check_choice
from urlextract.formatter.texts.blocks import blocks_of
from urlextract.formatter.texts.bodies import TEXT, parts_of
from urlextract.formatter.texts.entries import (
    NUMBER,
    WIDTH,
    Entry,
    bracketed,
    cut,
    entry_in,
    filled_lines,
    is_entry,
    opening_of,
)
from urlextract.formatter.texts.markup import marked_in_lines, overlaps
from urlextract.formatter.texts.mending import Readings, join_in_use, names_of, reading_with, urls_of
from urlextract.formatter.texts.quotes import line_of
from urlextract.formatter.texts.units import Unit, Write, rewrite_part, text_or_bytes
from urlextract.formatter.texts.untouched import is_signature
from urlextract.grammar.codes import RepairCode
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.pipeline.entry import extract
from urlextract.records import Form
from urlextract.results import Found

# A number in running text: not glued to a word, and not that of a Markdown link or a list entry.
_USE = lazy_re(r"(?<![\w\]])\[(\d{1,6})\](?![\w(:\[])")
# The label of a Markdown link, which needs its entry in the list.
_LABEL = lazy_re(r"(?<=\])\[(\d{1,6})\]")
_LABEL_ALONE = lazy_re(r"(?>(?:[ ]{0,3}|> ?)*)\[[^\[\]]{1,300}\]:[ \t\r]*\Z")
_LIST_START = r"^\[(\d{1,6})\]:?[ \t]"
_LIST = lazy_re(_LIST_START, re.MULTILINE)
_LIST_LINE = lazy_re(_LIST_START + r"[^\n]*", re.MULTILINE)


def from_refs(text: AnyStr, join: Join = "safe") -> AnyStr:
    r"""Return a text with its numbers replaced by the URLs of the list at its end.

    Entries of the list are lines ``[n]: url`` or ``[n] url``. An entry is kept if no number refers to it,
    if such a number is in what is never changed, such as code, or if it is the label of a Markdown link.
    All others are removed. A URL gets the brackets that it has in the list; one that is bare there is put in
    brackets only where it would not be read back, as before letters. ``join`` is as in `rewrap`. Raises
    `ValueError` for an unknown ``join``.

    >>> print(from_refs("See [1].\n\n[1]: <http://a.example/b>\n"))
    See <http://a.example/b>.
    <BLANKLINE>
    >>> from_refs(b"\xfc [1].\n\n[1]: http://a.example/b\n")
    b'\xfc http://a.example/b.\n'
    """
    check_choice("join", join, Join)
    return text_or_bytes(text, lambda text: _written(text, partial(replace_numbers, join=join)))


def _written(text: str, change: Callable[[str, Write], bool]) -> str:
    done: list[str] = []
    return "".join(done) if change(text, done.append) else text


def replace_numbers(text: str, write: Write, join: Join) -> bool:
    """Write what `from_refs` returns, in pieces; return whether it differs from ``text``."""
    return _in_bodies(text, write, join, _Inliner)


def number_urls(text: str, write: Write, join: Join) -> bool:
    """Write what `to_refs` returns, in pieces; return whether it differs from ``text``."""
    return _in_bodies(text, write, join, _Numberer)


def _in_bodies(text: str, write: Write, join: Join, editor_of: type[_Inliner | _Numberer]) -> bool:
    """Have each body rewritten by an editor of its own: it has a list of its own."""
    is_changed = False
    for body, part in parts_of(text):
        if not part.is_fixed or not editor_of.needs.search(body):
            write(body)
            continue
        editor = editor_of(body, write, join)
        rewrite_part(body, part, join, editor.unit, write)
        editor.close()
        is_changed = is_changed or editor.is_changed
    return is_changed


class _Inliner:
    """Puts URLs in place of the numbers in a body, and drops the entries of its list that are used up.

    Of the list, only the places of its entries are kept. Which of them are used up is known once all
    units were read; then all are read again.
    """

    needs = _LIST

    def __init__(self, body: str, write: Write, join: Join) -> None:
        self._body = body
        self._places: dict[str, int] = {}
        with reading_with(Readings(join)):
            for found in _LIST.finditer(body):
                if found[1] not in self._places and entry_in(self._line_at(found.start())):
                    self._places[found[1]] = found.start()
        self._asked, self._left = set[str](), set[str]()
        self.is_changed = False
        rewrite_part(body, TEXT, join, self._noted, write)
        self._dropped = self._asked - self._left
        self._remover = _Remover(write)

    def _line_at(self, start: int) -> str:
        end = self._body.find("\n", start)
        return self._body[start : end if end >= 0 else len(self._body)]

    def _entry(self, number: str) -> Entry | None:
        place = self._places.get(number)
        return None if place is None else entry_in(self._line_at(place))

    def _inlined(self, text: str) -> str:
        return inlined(text, self._entry) if self._places else text

    def _noted(self, unit: Unit) -> str:
        """Note which numbers a unit asks for, and which of them stay in it; return nothing."""
        changed = unit.changed(self._inlined)
        self.is_changed = self.is_changed or changed != unit.text
        for text, asked, patterns in (
            (unit.text, self._asked, (_USE,)),
            (changed, self._left, (_USE, _LABEL)),
        ):
            for line in text.split("\n"):
                if "[" in line and not entry_in(line):
                    asked.update(each for pattern in patterns for each in pattern.findall(line))
        self._asked &= self._places.keys()
        self._left &= self._places.keys()
        return ""

    def unit(self, unit: Unit) -> str:
        """Write a unit with its URLs in place, but for the entries that are used up."""
        for number, line in enumerate(unit.changed(self._inlined).split("\n")):
            found = _LIST.match(line)
            is_dropped = found is not None and found[1] in self._dropped and entry_in(line) is not None
            if found and is_dropped:
                self._dropped.discard(found[1])
            self._remover.feed(line, is_dropped=is_dropped, is_rest=not number)
        return ""

    def close(self) -> None:
        """End the body."""
        self._remover.close()


class _Remover:
    """Writes lines but those that are dropped, nor the blank line before a run of these.

    That goes if a blank line or nothing follows the run, and before a signature and a patch, where `to_refs`
    has added it.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._line = ""  # the last one, which goes on in the next unit
        self._is_dropped = self._was_dropped = False
        self._held: str | None = None  # a blank line
        self._last: str | None = None  # the last line that was not dropped, without its line end
        self._carriage = ""

    def feed(self, line: str, *, is_dropped: bool, is_rest: bool) -> None:
        """Take a line; with ``is_rest``, it goes on with the one before."""
        if is_rest:
            self._line += line
            self._is_dropped = self._is_dropped or is_dropped
            return
        self._take()
        self._line, self._is_dropped = line, is_dropped

    def _take(self) -> None:
        line = self._line
        if self._is_dropped:
            self._was_dropped, self._carriage = True, _cr_of(line)
            return
        if self._held is not None and not (self._was_dropped and (not line.strip() or _is_after_list(line))):
            self._put(self._held)
        self._held, self._was_dropped = None, False
        if line.strip():
            self._put(line)
        else:
            self._held = line

    def _put(self, line: str) -> None:
        if self._last is not None:
            self._write(f"{self._last}\n")
        self._last = line

    def close(self) -> None:
        """End the text, whose last line has no line end."""
        self._take()
        if self._held is not None and not self._was_dropped:
            self._put(self._held)
        if self._last is not None:
            self._write(_without_cr(self._last) + self._carriage if self._was_dropped else self._last)


def inlined(text: str, entry_of: Callable[[str], Entry | None]) -> str:
    """Return a text with URLs in place of numbers, bare ones if its URLs are then the same."""
    lines, blocks = cut(text, WIDTH)
    for is_bare_allowed in (True, False):
        put: set[str] = set()
        shown = _with_urls(lines, entry_of, put, is_bare_allowed=is_bare_allowed)
        if shown == lines:
            return text
        filled = filled_lines(blocks) | _filled_with_urls(shown)
        result = "\n".join(shown[at] if at in filled else line for at, line in enumerate(lines))
        if {*urls_of(result)} <= {*urls_of(text)} | put and {*urls_of(text)} <= {*urls_of(result)}:
            return result
    return text


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


def _with_urls(
    lines: list[str], entry_of: Callable[[str], Entry | None], put: set[str], *, is_bare_allowed: bool
) -> list[str]:
    """Return lines with URLs in place of all numbers, but in those of a list; add these URLs to ``put``."""
    marked = marked_in_lines(lines)

    def with_urls(index: int, line: str) -> str:
        def url_of(match: re.Match[str]) -> str:
            entry = entry_of(match[1])
            if entry is None or overlaps(marked.get(index, ()), *match.span()):
                return match.group()
            put.add(entry.url)
            return _printed(entry, line, match, is_bare_allowed) or match.group()

        return _USE.sub(url_of, line)

    return [
        line if "[" not in line or entry_in(line) else with_urls(index, line)
        for index, line in enumerate(lines)
    ]


_AFTER_LIST = lazy_re(r"^--[^\n]*", re.MULTILINE)
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


def to_refs(text: AnyStr, join: Join = "safe") -> AnyStr:
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
    >>> to_refs(b"\xfc http://a.example/b.\n")
    b'\xfc [1].\n\n[1]: http://a.example/b\n'
    """
    check_choice("join", join, Join)
    return text_or_bytes(text, lambda text: _written(text, partial(number_urls, join=join)))


class _Numberer:
    """Puts numbers in place of the URLs of a body, and writes their list at its end.

    A unit gets those that can be put back where they were. What comes after the place of the list is held:
    the blank lines at the end, and all from the signature on.
    """

    needs = lazy_re("[.:]")

    def __init__(self, body: str, write: Write, join: Join) -> None:
        self._write = write
        self.is_changed = False
        self._numbers: dict[str, str] = {}
        with reading_with(Readings(join)):
            known = {found[1]: entry_in(found[0]) for found in _LIST_LINE.finditer(body)}
        self._numbers = {entry.url: number for number, entry in reversed(known.items()) if entry}
        self._first_new = len(self._numbers)
        self._last = max((int(found[1]) for found in NUMBER.finditer(body)), default=0)
        self._openings: dict[str, str] = {}
        self._before, self._after = "", list[str]()

    def unit(self, unit: Unit) -> str:
        """Write a unit with its numbers, as far as it comes before the list."""
        text = unit.changed(self._numbered)
        if self._after:
            self._after.append(text)
            return ""
        after = next((found for found in _AFTER_LIST.finditer(text) if _is_after_list(found[0])), None)
        if after:
            self._after.append(text[after.start() :])
            text = text[: after.start()]
        if text.strip():
            self._write(self._before)
            self._before = ""
        self._before += text
        return ""

    def _numbered(self, text: str) -> str:
        if not urls_of(text):
            return text
        lines, blocks = cut(text, WIDTH)
        filled, stay = filled_lines(blocks), set[str]()
        for _ in range(_ROUNDS):
            places = self._numbered_places(lines, filled, stay)
            new = self._new_numbers(places)
            numbers = ChainMap(new, self._numbers)
            changed = list(lines)
            for index, inside in groupby(places, lambda place: place.line):
                changed[index] = _line_with_numbers(lines[index], inside, numbers)
            if changed == lines:
                return text
            result = "\n".join(changed)
            used = {
                numbers[each.url]: Entry(each.url, each.opening) for each in places if each.url in numbers
            }
            wanted, back = (Counter(urls_of(inlined(each, used.get))) for each in (text, result))
            if wanted == back and {*urls_of(text)} == {
                *urls_of(result),
                *(each.url for each in used.values()),
            }:
                self._note(places, new)
                return result
            stay |= {url for url in wanted | back if wanted[url] != back[url]} or {
                each.url for each in places
            }
        return text

    def _numbered_places(self, lines: list[str], filled: set[int], stay: set[str]) -> list[_Place]:
        """Return the places of the URLs that numbers can stand for."""
        marked = marked_in_lines(lines)
        return [
            place
            for place in _places(lines)
            if place.line in filled
            and place.url not in stay
            and not overlaps(marked.get(place.line, ()), place.start, place.end)
            and not _stays(lines, place)
        ]

    def _new_numbers(self, places: Iterable[_Place]) -> dict[str, str]:
        """Return the next numbers for the URLs that have none; one that is not read back gets none."""
        urls = {place.url: place.opening for place in places if place.url not in self._numbers}
        listed = [url for url, opening in urls.items() if _listed(url, opening)]
        return {url: str(number) for number, url in enumerate(listed, self._last + 1)}

    def _note(self, places: Iterable[_Place], new: dict[str, str]) -> None:
        """Note new numbers, and the bracket with which each URL is listed: "<" if its places differ."""
        for place in places:
            is_first = place.url in new and place.url not in self._numbers
            if is_first:
                self._numbers[place.url] = new[place.url]
            known = place.opening if is_first else self._openings.get(place.url, "")
            opening = known if known == place.opening else "<"
            if opening:
                self._openings[place.url] = opening
        self._last += len(new)
        self.is_changed = True

    def close(self) -> None:
        """End the body: write its list, and what comes after it."""
        text, after = self._before, "".join(self._after)
        end = text.find("\n", len(text.rstrip()))
        before, behind = (text, "") if end < 0 else (text[:end], text[end:])
        lines = before.rsplit("\n", 2)[-2:]
        carriage = "\r" if any(line.endswith("\r") for line in lines) else ""
        count = len(self._numbers) - self._first_new
        ends_text = not (behind or after)  # which has no line end at its end then, and gets none
        if count and not before.strip():
            behind, before = f"\n{text}", carriage
        elif count:
            if ends_text:
                before = _without_cr(before) + carriage
            before += "" if is_entry(lines[-1]) else f"\n{carriage}"
        self._write(before)
        for number, entry in enumerate(self._entries(), 1):
            ends = _cr_of(lines[-1]) if ends_text and number == count else carriage
            self._write(f"\n{entry}{ends}")
        self._write(behind + after)

    def _entries(self) -> Iterator[str]:
        for url, number in islice(self._numbers.items(), self._first_new, None):
            yield f"[{number}]: {_listed(url, self._openings.get(url, '')) or _listed(url, '')}"


def _line_with_numbers(line: str, places: Iterable[_Place], numbers: Mapping[str, str]) -> str:
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


def _listed(url: str, opening: str) -> str | None:
    """Return a URL as it is listed: bare if it was and is read back, else in brackets, or None."""
    if not opening and not _STRAY.search(url) and urls_of(f"[1]: {url}\n[2]: x") == [url]:
        return url
    return bracketed(url, opening or "<")


def _without_cr(line: str) -> str:
    return line.removesuffix("\r")


def _cr_of(line: str) -> str:
    """Return the CR of a line; the last line of a text has none, but that of a part of a message may."""
    return line[len(_without_cr(line)) :]


def _is_after_list(line: str) -> bool:
    """Return whether a line begins a signature, or the notes and the patch after a message of git."""
    return is_signature(line.rstrip("\r")) or line.rstrip() == "---"
