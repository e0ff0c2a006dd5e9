"""One pass that also reads hosts without a scheme, and mail addresses.

It asks about every colon, dot and "@" in the order of the text. It is used only with
``relaxed``, ``emails`` or ``explains``: `passes` is for all else.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later
from urlextract.scanner.addresses import look_at_address
from urlextract.scanner.hits import Looks, Pass
from urlextract.scanner.outcome import NOTHING, Limits, Outcome
from urlextract.scanner.places import look_at_colon, look_at_dot
from urlextract.scanner.schemeless import look_at_local, look_at_name
from urlextract.scanner.settling import Settler

__all__ = ["read_marks"]

_MARK = later(r":(?<=[A-Za-z0-9+.-]:)|\.(?<![\s.]\.)|@(?<!\s@)|/(?<=(?i:localhost)/)")
_HOST = later(r"(?i:www|ftp)")


def read_marks(text: str, start: int, last: int, looks: Looks, *, is_whole: bool) -> Pass:
    """Do as `passes.read_pass` for all marks that give away a URL, a host or an address."""
    settler = Settler(text, last, looks, is_whole=is_whole)
    for match in _MARK.finditer(text, start):
        at = match.start()
        if at >= settler.last and not settler.look(_LOOKS[text[at]], at):
            return settler.result(at)
    return settler.result(len(text))


def _at_colon(text: str, at: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    outcome = look_at_colon(text, at, floor, limits, is_whole=is_whole)
    if outcome is None or outcome.candidate:
        return outcome
    return _joined(outcome, look_at_local(text, at, floor, limits, is_whole=is_whole))


def _at_dot(text: str, at: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    first = NOTHING
    if _HOST.match(text, max(0, at - 3), at):
        outcome = look_at_dot(text, at, floor, limits, is_whole=is_whole)
        if outcome is None or outcome.candidate:
            return outcome
        first = outcome
    return _joined(first, look_at_name(text, at, floor, limits, is_whole=is_whole))


def _joined(first: Outcome, second: Outcome | None) -> Outcome | None:
    """Put the refusals of one reading before what another one gives."""
    if second is None or not first.refusals:
        return second
    return second._replace(refusals=(*first.refusals, *second.refusals))


_LOOKS = {":": _at_colon, ".": _at_dot, "@": look_at_address, "/": look_at_local}
