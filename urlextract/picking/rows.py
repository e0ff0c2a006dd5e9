"""The lines that show links, cut to the width of a terminal, with nothing in them that a terminal obeys.

The words of a link are its sender's. They cannot pass for the program's own text: each link takes one
line, its target comes after a column of words of a fixed width, and its host is never cut away by words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from urlextract.grammar.cells import cells_before, cells_of
from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import encoded, plain
from urlextract.picking.choices import Choice
from urlextract.records import is_cut
from urlextract.schemes.hosts import to_unicode
from urlextract.schemes.url import host_name_of

MARK = "!"
"""The mark of a link that deceives."""
DOUBT = "?"
"""The mark of one of which a part may be missing, and of another reading of the link above."""

_SEPARATOR = " \u00b7 "
_CUT = "\u2026"
_SEPARATORS = lazy_re(
    "(?<= )[\u00b7\u2022\u2027\u2219\u22c5\u30fb\uff65](?= )"
)  # the one above, and its like
_LEAST_WORDS = 4  # cells: fewer are no help
_LEAST_REST = 10  # cells of what follows the host, by which links of one host differ
_LEAST_BOTH = 8  # cells of a path and a query: in fewer, only the end of both is shown
_NARROWEST = 33  # cells of the number and the target in a row of any width: fzf takes 4 of 40
_WIDEST_WORDS = 40  # cells of the words there
_LONGEST_LIE = 500  # characters
_LINES = 3  # of the text before a link
_LONGEST = 1_000  # characters of a host, of what follows it, and of a line around a link
_QUERY = lazy_re(r"[?#].+", re.DOTALL)
_PARTS = lazy_re(r"(?:https?://|([A-Za-z][A-Za-z0-9+.-]*://))([^/?#\\]*)(.*)", re.DOTALL | re.IGNORECASE)


class _Target(NamedTuple):
    """What is shown of a URL: its scheme if it is not http or https, its host, and the rest."""

    scheme: str
    host: str
    rest: str


def cut(text: str, width: int, *, at_start: bool = False) -> str:
    """Return ``text`` cut to at most ``width`` cells, at its end or its start.

    >>> cut("the tables", 8), cut("www.example.org", 8, at_start=True), cut("日本語", 4)
    ('the tab…', '…ple.org', '日…')
    """
    if cells_of(text) <= width:
        return text
    if width < 1:
        return ""
    cells = cells_before(text)
    if at_start:
        start = next(at for at, before in enumerate(cells) if cells[-1] - before <= width - 1)
        while cells_of(_CUT + text[start:]) > width:  # marks take more cells together than alone
            start += 1
        return _CUT + text[start:]
    end = max(at for at, before in enumerate(cells) if before <= width - 1)
    while cells_of(text[:end] + _CUT) > width:
        end -= 1
    return text[:end] + _CUT


def lie_of(choice: Choice, width: int) -> list[str]:
    """Return the lines that tell how a link deceives, each of at most ``width`` cells."""
    lie = f"{MARK} {plain(choice.lie)}"[:_LONGEST_LIE]
    columns = max(width if lie.isascii() else width // 2, 12)  # a character takes two cells at most
    return wrap(lie, columns, initial_indent=" " * 4, subsequent_indent=" " * 6) if choice.lie else []


def _target_of(choice: Choice) -> _Target:
    """Return what is shown of a link's target, without a user name; the host as it is asked for."""
    url = choice.target
    parts = _PARTS.match(url)
    if not parts:
        return _Target("", "", url[:_LONGEST])
    authority = parts[2].rpartition("@")[2]
    host, colon, port = authority.partition(":") if not authority.startswith("[") else (authority, "", "")
    name = host_name_of(url)
    if name and not authority.startswith("["):
        host = name if choice.lie else to_unicode(name)  # letters that deceive are shown as A-labels
    rest = parts[3][:_LONGEST] if parts[3] != "/" else ""
    return _Target(parts[1] or "", (host + colon + port)[-_LONGEST:], rest)


class Table:
    """The lines of a list of links, each with its number, and ``width`` cells at most.

    The words of all links have a column of the same width, at most two fifths of the line. They are cut, or
    left out, before the host and the end of the path are.
    """

    def __init__(self, choices: Sequence[Choice], width: int) -> None:
        self._choices = choices
        self._digits = len(str(len(choices)))
        self._room = max(8, width - self._digits - 3)  # behind the number, the mark, and their blanks
        self._words = [_SEPARATORS.sub("-", plain(choice.words)) for choice in choices]
        self._widest = max(map(cells_of, self._words), default=0)
        self._column = min(self._widest, self._room * 2 // 5)

    def row(self, index: int) -> str:
        """Return the line of the link at ``index``."""
        choice, room = self._choices[index], self._room
        target = _target_of(choice)
        host = cells_of(target.scheme + target.host) + min(cells_of(target.rest), _LEAST_REST)
        for_words = min(self._column, room - cells_of(_SEPARATOR) - (host if target.host else room // 2))
        if for_words < min(_LEAST_WORDS, self._column) or not self._column:
            return self._begin(index) + _target_in(target, room)
        words = cut(self._words[index], for_words)
        rest = _target_in(target, room - for_words - cells_of(_SEPARATOR))
        return f"{self._begin(index)}{_padded(words, for_words)}{_SEPARATOR}{rest}"

    def row_of_any_width(self, index: int) -> str:
        """Return the line of a link for a program that cuts it at its end, and anew for each width.

        So what tells links apart comes first: the number, the host and the end of the path, in a column that
        fits into 40 columns. Behind it are the words, and then the whole URL and the whole words, if these
        columns do not have them: the program searches in all of it.
        """
        choice, target = self._choices[index], _target_of(self._choices[index])
        width = min(self._room, _NARROWEST - self._digits)
        shown = _target_in(target, width)
        cells = [_padded(shown, width)]
        if self._widest:
            words = cut(self._words[index], _WIDEST_WORDS)
            cells.append(_padded(words, min(self._widest, _WIDEST_WORDS)))
        if shown != "".join(target):
            cells.append(choice.target[:_LONGEST])
        if cells_of(self._words[index]) > _WIDEST_WORDS:
            cells.append(self._words[index])
        return self._begin(index) + _SEPARATOR.join(cells).rstrip()

    def _begin(self, index: int) -> str:
        """Return the number of a link, and its mark."""
        choice = self._choices[index]
        doubt = DOUBT if choice.is_reading or is_cut(choice.found.defects) else " "
        return f"{index + 1:>{self._digits}} {MARK if choice.lie else doubt} "


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells_of(text))


def _target_in(target: _Target, room: int) -> str:
    """Return a target cut to ``room`` cells: the host, and the ends of the path and of the query.

    Of a longer host its end.
    """
    head = target.scheme + target.host
    if cells_of(head) > room:
        host = target.host if cells_of(target.host) <= room else cut(target.host, room, at_start=True)
        return cut(host, room)
    slash, rest = target.rest[:1], target.rest[1:]
    left = room - cells_of(head + slash)
    if left < 2 or cells_of(rest) <= left:
        return cut(head + target.rest, room)
    query = _QUERY.search(rest)
    if query and left >= _LEAST_BOTH:
        path = cut(rest[: query.start()], max(left // 2, left - cells_of(query[0])), at_start=True)
        mark, left = query[0][:1], left - cells_of(path) - 1
        return head + slash + path + mark + cut(query[0][1:], left, at_start=True)
    return head + slash + cut(rest, left, at_start=True)


def details_of(choice: Choice) -> list[str]:
    """Return what is known of a link: its URL in full, where it leads, warnings, and the text around it."""
    lines = [choice.url]
    if choice.target != choice.url:
        service = f" ({plain(choice.gateway)})" if choice.gateway else ""
        lines.append(f"leads to {choice.target}{service}")
    if choice.lie:
        lines.append(f"{MARK} {plain(choice.lie)}")
    lines += [f"warning: {plain(warning)}" for warning in choice.warnings if warning != choice.lie]
    lines += [f"defect: {plain(defect.words)}" for defect in choice.found.defects]
    if choice.is_reading:
        lines.append(f"or {encoded(choice.found.url)}")
    else:
        lines += [f"or {encoded(other.url)} ({plain(other.reason)})" for other in choice.found.alternatives]
    return [*lines, *(f"  | {line}" for line in _context(choice))]


def _context(choice: Choice) -> list[str]:
    """Return the lines of the text around a link, those that are not blank."""
    *above, begin = choice.before.split("\n")
    end, *below = choice.after.split("\n")
    middle = choice.found.text if choice.found.element else choice.found.raw
    lines = (*above[-_LINES:], f"{begin}{middle}{end}", *below[:1])
    return [shown for shown in (plain(line[:_LONGEST]) for line in lines) if shown]
