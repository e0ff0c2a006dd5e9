"""The lines that show links, cut to the width of a terminal, with nothing in them that a terminal obeys.

The words of a link are its sender's. They cannot pass for the program's own text: each link takes one
line, its target comes after a column of words of a fixed width, and its host is never cut away by words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
_LONGEST = 1_000  # characters of a host, of what follows it, and of a line of the context
_LINES = 3  # of the text before a link
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


def folded(text: str, width: int, indent: int) -> list[str]:
    """Return ``text`` in lines of at most ``width`` cells, where ``indent`` blanks begin all but the first.

    They are broken at blanks where that is possible. A line has room for two cells after its indentation
    in any case. The time is quadratic, so ``text`` is to be short.

    >>> folded("! shows a.example, leads to b.example", 20, 2)
    ['! shows a.example,', '  leads to b.example']
    """
    width = max(width, indent + 2)
    lines = []
    while cells_of(text) > width:
        end = max(at for at, before in enumerate(cells_before(text)) if before <= width)
        while end > indent + 1 and cells_of(text[:end]) > width:  # as in `cut`
            end -= 1
        blank = text.rfind(" ", 0, end + 1)
        end = blank if blank > 0 and text[:blank].strip() else end
        lines.append(text[:end].rstrip())
        text = " " * indent + text[end:].lstrip()
    return [*lines, text]


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
    """The lines of a list of links, each ``width`` cells at most.

    With ``numbers``, each begins with the number of its link. The words of all links have a column of
    the same width, at most two fifths of the line. They are cut, or left out, before the host and the end
    of the path are.
    """

    def __init__(self, choices: Sequence[Choice], width: int, *, numbers: bool) -> None:
        self._choices = choices
        self._digits = len(str(len(choices))) if numbers else 0
        self._rest = max(8, width - (self._digits + 1 if numbers else 0) - 2)
        self._words = [_SEPARATORS.sub("-", plain(choice.words)) for choice in choices]
        longest = max(map(cells_of, self._words), default=0)
        self._column = min(longest, self._rest * 2 // 5)

    def row(self, index: int) -> str:
        """Return the line of the link at ``index``."""
        choice, room = self._choices[index], self._rest
        target = _target_of(choice)
        head = f"{index + 1:>{self._digits}} " if self._digits else ""
        doubt = DOUBT if choice.is_reading or is_cut(choice.found.defects) else " "
        begin = f"{head}{MARK if choice.lie else doubt} "
        host = cells_of(target.scheme + target.host) + min(cells_of(target.rest), _LEAST_REST)
        for_words = min(self._column, room - cells_of(_SEPARATOR) - (host if target.host else room // 2))
        if for_words >= min(_LEAST_WORDS, self._column) and self._column:
            words = cut(self._words[index], for_words, at_start=choice.is_lead)
            begin += words + " " * (for_words - cells_of(words)) + _SEPARATOR
            room -= for_words + cells_of(_SEPARATOR)
        return begin + _target_in(target, room)


def _target_in(target: _Target, room: int) -> str:
    """Return a target cut to ``room`` cells: the host, and the end of the rest; of a longer host its end."""
    head = target.scheme + target.host
    if cells_of(head) > room:
        host = target.host if cells_of(target.host) <= room else cut(target.host, room, at_start=True)
        return cut(host, room)
    mark, rest = target.rest[:1], target.rest[1:]
    left = room - cells_of(head + mark)
    return head + mark + cut(rest, left, at_start=True) if left > 1 else cut(head + target.rest, room)


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
