"""What was turned down, and the option that takes it: one row for each reason that an option lifts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.registry import is_registered

if TYPE_CHECKING:
    from urlextract.records import Refusal

__all__ = ["hint_of"]

_TAKEN_WITH = {
    "not a registered scheme": "--scheme any takes unregistered schemes",
    "broken over lines": "--join delimited joins it",
}
_IN_BRACKETS = 'no scheme that stands in brackets without "//"'
_ON_DEMAND = "--scheme any takes registered schemes in brackets"


def hint_of(refusal: Refusal) -> str | None:
    """Return the words for the option that would take what was turned down, None without any."""
    if refusal.reason == _IN_BRACKETS:
        name = refusal.raw.lstrip('<" \t\r\n').partition(":")[0]
        return _ON_DEMAND if is_registered(name) else None
    return _TAKEN_WITH.get(refusal.reason)
