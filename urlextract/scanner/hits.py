"""What a pass is asked, and what it gives: hits, or the URLs alone.

A hit is a plain tuple ``(start, end, form, value)``: a value object would cost more
than the search. ``value`` is the candidate of a place that ``places`` has read, or the
refusal of one; None for a fast lane's, of which `candidate_of` makes one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.scanner.outcome import Limits, Outcome

__all__ = ["Hit", "Look", "Looks", "Pass", "candidate_of"]

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


def candidate_of(hit: Hit, text: str) -> Candidate | Refusal:
    """Give the value of a hit in ``text``."""
    start, end, form, value = hit
    if value is not None:
        return value
    if form is Form.URL_WRAPPER:
        inner = Span(start + (6 if text[start + 5] in " \t\n\r\v\f" else 5), end - 1)
    elif form in (Form.ANGLE, Form.QUOTED):
        inner = Span(start + 1, end - 1)
    else:
        inner = Span(start, end)
    return Candidate(span=Span(start, end), form=form, raw=text[inner.start : inner.end], inner=inner)
