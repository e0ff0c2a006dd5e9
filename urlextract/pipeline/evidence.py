"""``hyphen="evidence"``: prefer the reading of a hyphen that is found unbroken elsewhere.

The URLs of a source are remembered. A result with a hyphen in doubt, and the results after
it, are held back until the source ends or too many results are held.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from urlextract.records import Alternative
from urlextract.results import Found, Rejection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["by_evidence"]

_HELD = 10_000  # the most results that are held back
_REMEMBERED = 200_000  # the most URLs of one source that are remembered

_Result = TypeVar("_Result", Found, Found | Rejection)


def _is_in_doubt(result: Found | Rejection) -> bool:
    return isinstance(result, Found) and any("hyphen" in a.reason for a in result.alternatives)


def by_evidence(results: Iterable[_Result]) -> Iterator[_Result]:
    """Yield the results in order, with hyphens as in unbroken URLs of the same source."""
    held: deque[_Result] = deque()
    seen: set[str] = set()
    source: str | None = None
    for result in results:
        if result.origin.source != source:
            yield from _released(held, seen)
            seen.clear()
            source = result.origin.source
        if isinstance(result, Found) and not result.pieces and len(seen) < _REMEMBERED:
            seen.add(result.url)
        held.append(result)
        while held and (len(held) > _HELD or not _is_in_doubt(held[0])):
            yield _weighed(held.popleft(), seen)
    yield from _released(held, seen)


def _released(held: deque[_Result], seen: set[str]) -> Iterator[_Result]:
    while held:
        yield _weighed(held.popleft(), seen)


def _weighed(result: _Result, seen: set[str]) -> _Result:
    if not isinstance(result, Found) or not _is_in_doubt(result):
        return result
    if result.url in seen:
        return replace(result, repairs=(*result.repairs, "hyphen kept: the URL stands unbroken elsewhere"))
    for alternative in result.alternatives:
        if "hyphen" in alternative.reason and alternative.url in seen:
            others: list[Alternative] = [a for a in result.alternatives if a != alternative]
            first = Alternative(result.url, "with the hyphen kept at the line break")
            return replace(
                result,
                url=alternative.url,
                alternatives=(first, *others),
                repairs=(*result.repairs, "hyphen dropped: the URL stands unbroken elsewhere"),
            )
    return result
