"""Find where the lines of a URL end.

Each line ends at the cheapest place in its last third, the last of equals; without one there at the cheapest
that fits; without any as late as possible, inside a word or, last of all, inside the host.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from urlextract.errors import WidthError
from urlextract.formatter.opportunities import Opportunities
from urlextract.grammar.cells import cells_before


class Frame(NamedTuple):
    """What surrounds a URL on its lines, in terminal cells.

    ``opening`` cells come before the URL on the first line, ``margin`` cells on each other
    line, and ``closing`` cells after it on the last line.
    """

    width: int
    opening: int
    margin: int
    closing: int


def pieces_of(text: str, ends: Iterable[int]) -> list[str]:
    """Return the pieces of ``text`` that end at ``ends``, in order.

    >>> pieces_of("abcd", [1, 4])
    ['a', 'bcd']
    """
    return [text[start:end] for start, end in pairwise([0, *ends])]


def line_ends(url: str, found: Opportunities, frame: Frame) -> list[int]:
    """Return the offset at which each line of ``url`` ends; the last one is the length of ``url``.

    Raises `WidthError` if no way to break the URL fits.

    >>> from urlextract.formatter.opportunities import opportunities
    >>> url = "http://www.example.org/docs/manual/index.html?page=2"
    >>> pieces_of(url, line_ends(url, opportunities(url, "mail"), Frame(31, 5, 1, 1)))
    ['http://www.example.org/', 'docs/manual/index.html?page=2']
    """
    columns = cells_before(url)
    ends: list[int] = []
    start, room = 0, frame.width - frame.opening
    while columns[-1] - columns[start] + frame.closing > room:
        start = _end_of_line(start, room, found, columns)
        if not start:
            least, unit = _least(found, columns, frame)
            raise WidthError(frame.width, least, url, unit)
        ends.append(start)
        room = frame.width - frame.margin
    return [*ends, len(url)]


def _end_of_line(start: int, room: int, found: Opportunities, columns: Sequence[int]) -> int:
    """Return where the line ends that begins at ``start`` and has ``room`` cells, 0 if nothing fits.

    The first line has all of the host, or none of it.
    """
    last = min(bisect_right(columns, columns[start] + room), len(columns) - 1)
    places = [
        at
        for at in range(last - 1, start, -1)
        if at not in found.never and (start or not found.host < at < found.path)
    ]
    priced = [at for at in places if at in found.costs]
    late = [at for at in priced if 3 * (columns[at] - columns[start]) >= 2 * room]
    if priced:
        return min(late or priced, key=found.costs.__getitem__)
    outside = (at for at in places if not found.host < at < found.path)
    return next(outside, places[0] if places else 0)


def _least(found: Opportunities, columns: Sequence[int], frame: Frame) -> tuple[int, tuple[int, int]]:
    """Return the least width at which the URL fits, and the piece of it that needs that width."""
    size = len(columns) - 1
    bounds = [0]
    bounds += [at for at in range(1, size) if at not in found.never]
    while len(bounds) > 1 and found.host < bounds[1] < found.path:
        del bounds[1]
    bounds.append(size)
    widths = []
    for start, end in pairwise(bounds):
        before = frame.margin if start else frame.opening
        behind = frame.closing if end == size else 0
        widths.append((before + columns[end] - columns[start] + behind, (start, end)))
    return max(widths, key=lambda pair: pair[0])
