"""What a pass is asked, and what it gives: hits, or the URLs alone.

A hit is a plain tuple ``(start, end, form, value)``: a value object would cost more
than the search. ``value`` is the candidate of a place that ``places`` has read, or the
refusal of one; None for a fast lane's, of which `candidate_of` makes one.
"""

from collections.abc import Callable
from typing import NamedTuple

from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.scanner.outcome import Limits, Outcome

__all__ = ["Hit", "Look", "Looks", "Pass", "candidate_of", "inner_of"]

Hit = tuple[int, int, Form, Candidate | Refusal | None]
Look = Callable[..., Outcome | None]


class Pass(NamedTuple):
    """What a pass gave, the place from which to go on, and the end of the last place taken.

    One of ``hits`` and ``urls`` is empty: see `Looks`.
    """

    hits: list[Hit]
    urls: list[str]
    done: int
    last: int


class Looks(NamedTuple):
    """How places of a text are read: its functions for a colon and a dot, and the bounds.

    With ``joined``, which makes the URL of a candidate, a pass gives URLs alone;
    ``keeps_hyphens`` says that it keeps a hyphen before a line end.
    """

    colon: Look
    dot: Look
    limits: Limits
    joined: Callable[[Candidate], str] | None = None
    keeps_hyphens: bool = False


# Members are looked up once: of an enum that costs as much as the rest.
_WRAPPER, _ANGLE, _QUOTED = Form.URL_WRAPPER, Form.ANGLE, Form.QUOTED


def inner_of(hit: Hit, text: str) -> tuple[int, int]:
    """Give where the raw text of a fast lane's hit begins and ends."""
    start, end, form, _ = hit
    if form is _WRAPPER:
        return start + (6 if text[start + 5] in " \t\n\r\v\f" else 5), end - 1
    if form is _ANGLE or form is _QUOTED:
        return start + 1, end - 1
    return start, end


def candidate_of(hit: Hit, text: str, base: int = 0) -> Candidate | Refusal:
    """Give the value of a hit in ``text``, whose first character is the ``base``-th of all."""
    start, end, form, value = hit
    if value is not None:
        return value.moved(base)
    first, last = inner_of(hit, text)
    return Candidate(Span(start + base, end + base), form, text[first:last], Span(first + base, last + base))
