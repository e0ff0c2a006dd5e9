"""What the look at one place gives, and the bounds within which it looks."""

from typing import NamedTuple

from urlextract.records import Candidate, Form, Refusal, Span

__all__ = ["CONTEXT", "KEPT", "NOTHING", "Limits", "Outcome", "refused", "rest_fault"]

CONTEXT = 1_024
"""Characters before a place that may be looked at: for brackets, schemes, the line's prefix."""


KEPT = 5 * CONTEXT
"""Characters kept before a place: enough for `CONTEXT` of them where each takes four bytes."""


class Limits(NamedTuple):
    """How far a candidate may reach, and what counts as one.

    A wrapper is given up beyond ``max_lines`` lines or ``max_chars`` characters
    (the longest of 84,000 real ones had 9 lines and 628 characters); a bare run
    is cut at ``max_run``. ``any_scheme`` takes unregistered names before ``://``,
    ``any_name`` all registered ones in brackets without it.
    ``joins`` is false where nothing may be joined over a line end. ``looks_on``
    asks whether a bare URL that fills its line goes on, ``explains`` how far what
    is turned down reaches, and why. ``relaxed`` takes hosts without a scheme,
    ``emails`` mail addresses; in a text without ``hosts`` or ``addresses``, a field of
    a machine, there are none.
    """

    max_lines: int = 9
    max_chars: int = 1_000
    max_run: int = 65_536
    any_scheme: bool = False
    any_name: bool = False
    joins: bool = True
    looks_on: bool = True
    explains: bool = False
    relaxed: bool = False
    emails: bool = False
    hosts: bool = True
    addresses: bool = True

    @property
    def asks_for_hosts(self) -> bool:
        """Whether hosts without a scheme are taken, or told of."""
        return self.hosts and (self.relaxed or self.explains)

    @property
    def asks_for_addresses(self) -> bool:
        """Whether mail addresses are taken, or told of."""
        return self.addresses and (self.emails or self.explains)

    @property
    def reads_marks(self) -> bool:
        """Whether hosts without a scheme, or addresses, have to be looked for."""
        return self.asks_for_hosts or self.asks_for_addresses


class Outcome(NamedTuple):
    """What one place gave: a candidate or none, and what was turned down on the way.

    ``shift`` is to be added to all spans, where a window of the text was read.
    """

    candidate: Candidate | None
    refusals: tuple[Refusal, ...] = ()
    shift: int = 0


NOTHING = Outcome(None)
"""No place of ours, and nothing to be said of it."""

_SHOWN = 200  # characters of a refused place that are kept


def rest_fault(rest: str) -> str | None:
    """Say what is wrong with what stands behind the colon of any scheme."""
    return '"::" is no URL' if rest.startswith(":") else None


def refused(
    form: Form, text: str, start: int, end: int, reason: str, *, joined: str | None = None
) -> Outcome:
    """Turn down the place ``start:end``, and say why; all of it ``joined`` is the URL that it may yet be."""
    raw = text[start : min(end, start + _SHOWN)]
    return Outcome(None, (Refusal(span=Span(start, end), form=form, raw=raw, reason=reason, joined=joined),))
