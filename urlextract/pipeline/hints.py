"""What was turned down, and the option that takes it: one row for each reason that an option lifts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.registry import is_registered
from urlextract.scanner.bare import UNREGISTERED
from urlextract.scanner.brackets import BROKEN_OVER_LINES, NOT_IN_BRACKETS

if TYPE_CHECKING:
    from urlextract.records import Refusal

__all__ = ["hint_of"]

_TAKEN_WITH = {
    UNREGISTERED: "--scheme any takes unregistered schemes",
    BROKEN_OVER_LINES: "--join delimited joins it",
}
_ON_DEMAND = "--scheme any takes registered schemes in brackets"


def hint_of(refusal: Refusal) -> str | None:
    """Return the words for the option that would take what was turned down, None without any."""
    if refusal.reason == NOT_IN_BRACKETS:
        name = refusal.raw.lstrip('<" \t\r\n').partition(":")[0]
        return _ON_DEMAND if is_registered(name) else None
    return _TAKEN_WITH.get(refusal.reason)
