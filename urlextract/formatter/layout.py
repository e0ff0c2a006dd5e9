"""Find where the lines of a URL end: the best of all ways to break it that a width allows.

Ways are compared by the number of breaks inside the host, then of breaks inside words,
then of lines, then by the costs of the breaks and the raggedness of the lines. The best
one is found by dynamic programming over the places where a line may end: O(n * width) for
n characters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from urlextract.errors import WidthError
from urlextract.formatter.opportunities import Opportunities
from urlextract.grammar.cells import cells_before

# One sum holds the tuple by which ways are compared: a line counts for more than all
# raggedness, a break inside a word for more than all lines, one inside the host for still more.
_LINE = 1 << 40
_WORD = 1 << 56
_HOST = 1 << 72
_NEVER = 1 << 96

_COLUMNS_A_COST = 10  # cells of raggedness that one step of a break's cost is worth


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


class _Places(NamedTuple):
    """The places where a line may end: offsets in order, the cells before each, the cost of a break there."""

    offsets: list[int]
    columns: list[int]
    costs: list[int]


def line_ends(url: str, found: Opportunities, frame: Frame) -> list[int]:
    """Return the offset at which each line of ``url`` ends; the last one is the length of ``url``.

    Raises `WidthError` if no way to break the URL fits.
    """
    columns = cells_before(url)
    if frame.opening + columns[-1] + frame.closing <= frame.width:
        return [len(url)]
    ends = _best_ends(_places(found, columns, frame), found, frame)
    if ends is None:
        least, unit = _least(found, columns, frame)
        raise WidthError(frame.width, least, url, unit)
    return ends


def _places(found: Opportunities, columns: Sequence[int], frame: Frame) -> _Places:
    """Return the places where a line may end; those inside words only if a word does not fit on a line."""
    size = len(columns) - 1
    costs = {0: 0, size: 0}
    costs.update((point.offset, (point.cost * _COLUMNS_A_COST) ** 2) for point in found.points)
    costs.update(_forced(sorted(costs), found, columns, frame))
    offsets = sorted(costs)
    return _Places(offsets, [columns[offset] for offset in offsets], [costs[offset] for offset in offsets])


def _forced(
    offsets: list[int], found: Opportunities, columns: Sequence[int], frame: Frame
) -> Iterator[tuple[int, int]]:
    """Yield the places inside words that are too wide, each with the cost of a break there.

    A line that ends inside a word is as full as possible, so there is one such place for each
    start of a line, and not more of them than characters.
    """
    room = frame.width - frame.margin
    size = offsets[-1]
    for index, end in enumerate(offsets[1:], 1):
        start = offsets[index - 1]
        width = columns[end] - columns[start] + (frame.closing if end == size else 0)
        is_first = start == 0 and width > frame.width - frame.opening
        if width <= room and not is_first:
            continue
        forced = _filled_lines(_starts(offsets, index, columns, room), (start, end), found, columns, frame)
        if start <= found.host < found.path <= end and found.path < size:
            forced.add(found.path)
        for offset in forced:
            yield offset, _HOST if found.host < offset < found.path else _WORD


def _starts(offsets: list[int], index: int, columns: Sequence[int], room: int) -> list[int]:
    """Return where lines may begin that reach into the word after ``offsets[index - 1]``."""
    low = index - 1
    while low > 0 and columns[offsets[index - 1]] - columns[offsets[low - 1]] < room:
        low -= 1
    return offsets[low:index] if low == 0 else [0, *offsets[low:index]]


def _filled_lines(
    starts: list[int], word: tuple[int, int], found: Opportunities, columns: Sequence[int], frame: Frame
) -> set[int]:
    """Return the ends inside ``word`` of full lines that begin at ``starts`` or at the end of another one."""
    low, high = word
    forced: set[int] = set()
    for start in starts:
        at = _filled_end(start, high - 1, found, columns, frame)
        while at > low and at not in forced:
            forced.add(at)
            at = _filled_end(at, high - 1, found, columns, frame)
    return forced


def _filled_end(start: int, most: int, found: Opportunities, columns: Sequence[int], frame: Frame) -> int:
    """Return the last place up to ``most`` where a line from ``start`` may end, or 0."""
    room = frame.width - (frame.margin if start else frame.opening)
    at = min(bisect_right(columns, columns[start] + room) - 1, most)
    while at > start and (at in found.never or (not start and found.host < at < found.path)):
        at -= 1
    return at if at > start else 0


def _best_ends(places: _Places, found: Opportunities, frame: Frame) -> list[int] | None:
    """Return the ends of the lines in the best way, or None if no way fits."""
    offsets, columns, costs = places
    first, room = frame.width - frame.opening, frame.width - frame.margin
    last = len(offsets) - 1
    sums = [_NEVER] * (last + 1)
    before = [0] * (last + 1)
    low = 1
    for index in range(1, last):
        column = columns[index]
        best, chosen = _NEVER, 0
        if column <= first and not found.host < offsets[index] < found.path:
            best = (first - column) ** 2
        slack = room - column
        while low < index and columns[low] + slack < 0:
            low += 1
        for other in range(low, index):
            total = sums[other] + (slack + columns[other]) ** 2
            if total < best:
                best, chosen = total, other
        sums[index] = best + costs[index] + _LINE
        before[index] = chosen
    need = columns[last] + frame.closing - room
    fitting = [other for other in range(low, last) if columns[other] >= need]
    chosen = min(fitting, key=sums.__getitem__, default=0)
    if not chosen or sums[chosen] >= _NEVER:
        return None
    ends = [offsets[last]]
    while chosen:
        ends.append(offsets[chosen])
        chosen = before[chosen]
    return ends[::-1]


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
