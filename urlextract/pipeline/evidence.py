"""``hyphen="elsewhere"``: prefer the reading of a hyphen that is found unbroken elsewhere.

The URLs of a source are remembered. A result with a hyphen in doubt, and the results after
it, are held back until the source ends or too many results are held.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from urlextract.pipeline.assembly import as_read, hyphen_readings
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.targets import with_targets
from urlextract.records import Repair, RepairCode
from urlextract.results import Found, Rejection

_HELD = 10_000  # the most results that are held back
_REMEMBERED = 200_000  # the most URLs of one source that are remembered
_KEPT = Repair(RepairCode.KEPT_HYPHEN, "hyphen kept: the URL stands unbroken elsewhere")
_DROPPED = Repair(RepairCode.DROPPED_HYPHEN, "hyphen dropped: the URL stands unbroken elsewhere")


def weighed(results: Iterator[Found | Rejection], options: ExtractOptions) -> Iterator[Found | Rejection]:
    """Return the results; for "elsewhere", with hyphens as in unbroken URLs of the same source.

    This is the last step, so the targets of rewritten links replace these here, too, if that is asked for.
    """
    results = _by_evidence(results) if options.given["hyphen"] == "elsewhere" else results
    if options.given["unwrap"]:
        return with_targets(results)
    return results


def _by_evidence(results: Iterable[Found | Rejection]) -> Iterator[Found | Rejection]:
    evidence = Evidence()
    for result in results:
        yield from evidence.feed(result)
    yield from evidence.close()


class Evidence:
    """Takes results in order, and returns those that no later result can change."""

    def __init__(self) -> None:
        self._held: deque[Found | Rejection] = deque()
        self._seen: set[str] = set()
        self._source: str | None = None

    def feed(self, result: Found | Rejection) -> Iterator[Found | Rejection]:
        """Take a result; yield those that are certain now."""
        if result.origin.source != self._source:
            yield from self.close()
            self._source = result.origin.source
        if isinstance(result, Found) and len(result.pieces) == 1 and len(self._seen) < _REMEMBERED:
            self._seen.add(result.url)
        self._held.append(result)
        while self._held and (len(self._held) > _HELD or not _is_in_doubt(self._held[0])):
            yield self._weighed(self._held.popleft())

    def close(self) -> Iterator[Found | Rejection]:
        """End the source; yield the results that were held back."""
        while self._held:
            yield self._weighed(self._held.popleft())
        self._seen.clear()

    def _weighed(self, result: Found | Rejection) -> Found | Rejection:
        if not isinstance(result, Found) or not _is_in_doubt(result):
            return result
        if result.url in self._seen:
            return replace(result, repairs=(*result.repairs, _KEPT))
        for other in hyphen_readings(result):
            if other.url in self._seen:
                read = as_read(result, other, "with the hyphen kept at the line break")
                return replace(read, repairs=(*result.repairs, _DROPPED))
        return result


def _is_in_doubt(result: Found | Rejection) -> bool:
    return isinstance(result, Found) and bool(hyphen_readings(result))
