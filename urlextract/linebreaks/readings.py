"""The possible readings of a broken URL: with or without hyphens and blanks at its breaks.

RFC 1738, appendix: "the hyphen may or may not actually be part of the URL". In all 67
cases where the answer is known it is part of the URL, so that is the first reading.
The fewer hyphens a reading drops, the likelier it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from urlextract.records import Alternative, Span

_MOST = 8
"""The most readings with and without hyphens, including the first."""


def holds_another(before: str) -> bool:
    """Return whether a URL that is ``before`` up to a break may go on with another URL inside it.

    Otherwise a scheme after the break begins a URL of its own.

    >>> holds_another("http://archive.example/"), holds_another("http://a.example/x,")
    (True, False)
    """
    return before.endswith(("/", "=", "?"))


def readings(pieces: Sequence[str], gaps: Sequence[str], *, drop: bool) -> list[Alternative]:
    r"""Return the readings of the pieces, likeliest first; the first one has no reason.

    ``gaps`` are what comes between them: line ends or blanks. ``drop`` puts the readings
    without hyphens first.

    >>> [r.url for r in readings(["ftp://a/in-", "notes"], ["\n"], drop=False)]
    ['ftp://a/in-notes', 'ftp://a/innotes']
    """
    if " " not in gaps and not any(piece.endswith("-") for piece in pieces[:-1]):
        return [Alternative("".join(pieces), "")]
    found = list(islice(_hyphen_readings(pieces, gaps, drop=drop), _MOST))
    return list(dict.fromkeys([*found, *_blank_readings(pieces, gaps)]))


def _hyphen_readings(pieces: Sequence[str], gaps: Sequence[str], *, drop: bool) -> Iterator[Alternative]:
    open_ends = [index for index, gap in enumerate(gaps) if gap == "\n" and pieces[index].endswith("-")]
    for count, dropped in _droppings(open_ends, drop=drop):
        yield Alternative(_joined(pieces, dropped), _hyphen_reason(count, drop=drop))


def _droppings(open_ends: Sequence[int], *, drop: bool) -> Iterator[tuple[int, set[int]]]:
    """Yield how many hyphens at ``open_ends`` are not as in the first reading, and which are dropped."""
    for count in range(len(open_ends) + 1):
        for chosen in combinations(open_ends, count):
            yield count, set(open_ends) - set(chosen) if drop else set(chosen)


def _joined(pieces: Sequence[str], dropped: set[int]) -> str:
    return "".join(piece[:-1] if index in dropped else piece for index, piece in enumerate(pieces))


_AT_THE_BREAK = " at the line break"
_DROPPED = f"{_AT_THE_BREAK}, which may not belong to the URL"


def _hyphen_reason(count: int, *, drop: bool) -> str:
    if not count:
        return ""
    many = f"{count} hyphens" if count > 1 else "the hyphen"
    return f"with {many} kept{_AT_THE_BREAK}" if drop else f"without {many}{_DROPPED}"


def is_of_hyphens(alternative: Alternative) -> bool:
    """Return whether an alternative differs in the hyphens at line breaks."""
    return alternative.reason.endswith((_AT_THE_BREAK, _DROPPED))


def without_hyphens(raw: str, spans: Sequence[Span], url: str) -> tuple[Span, ...]:
    r"""Return the pieces ``spans`` of ``raw`` without the hyphens that ``url`` lacks.

    They are unchanged if ``url`` is made of other pieces.

    >>> spans = without_hyphens("ftp://a/in-\nnotes", [Span(0, 11), Span(12, 17)], "ftp://a/innotes")
    >>> [tuple(span) for span in spans]
    [(0, 10), (12, 17)]
    """
    pieces = [span.of(raw) for span in spans]
    open_ends = [index for index, piece in enumerate(pieces[:-1]) if piece.endswith("-")]
    for drop in (True, False):
        for _, dropped in islice(_droppings(open_ends, drop=drop), _MOST):
            if _joined(pieces, dropped) == url:
                return tuple(
                    Span(span.start, span.end - 1) if index in dropped else span
                    for index, span in enumerate(spans)
                )
    return tuple(spans)


def _blank_readings(pieces: Sequence[str], gaps: Sequence[str]) -> Iterator[Alternative]:
    """Yield readings with blanks between letters or digits kept: RFC 1630 has such selectors."""
    blanks = [i for i, gap in enumerate(gaps) if gap == " " and _is_inside_word(pieces, i)]
    if not blanks:
        return
    yield Alternative(_spaced(pieces, set(blanks)), "the blanks inside a line may be meant")
    ends = [i for i, gap in enumerate(gaps) if gap == "\n" and _is_inside_word(pieces, i)]
    if ends:
        yield Alternative(
            _spaced(pieces, {*blanks, *ends}), "the blanks inside a line and at its end may be meant"
        )


def _is_inside_word(pieces: Sequence[str], index: int) -> bool:
    return pieces[index][-1].isalnum() and pieces[index + 1][0].isalnum()


def _spaced(pieces: Sequence[str], places: set[int]) -> str:
    """Return the pieces joined, with ``%20`` after those at ``places``."""
    return "".join(f"{piece}%20" if index in places else piece for index, piece in enumerate(pieces))
