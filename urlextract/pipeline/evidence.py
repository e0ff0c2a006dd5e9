"""``hyphen="evidence"``: a reading that stands unbroken elsewhere goes first.

What a source has said so far is remembered, and results wait for what it will
say, within bounds: a hyphen in doubt holds the results after it.
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

_HELD = 10_000  # results that wait for the rest of their source
_REMEMBERED = 200_000  # URLs of one source

_Result = TypeVar("_Result", Found, Found | Rejection)


def _is_in_doubt(result: Found | Rejection) -> bool:
    return isinstance(result, Found) and any("hyphen" in a.reason for a in result.alternatives)


def by_evidence(results: Iterable[_Result]) -> Iterator[_Result]:
    """Yield the results in order, hyphens read as the same source has them elsewhere."""
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
