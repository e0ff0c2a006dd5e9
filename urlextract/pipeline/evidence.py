"""What the rest of a text tells of a URL that is in doubt: whether it goes on, and whether it has a hyphen.

A URL that may continue on the next line is joined if the joined URL is found elsewhere in the message,
before or after the place in doubt: in a link of the HTML part, a quotation, or a list of links at the end.
``hyphen="elsewhere"`` prefers the reading of a hyphen that is found unbroken elsewhere in the source. So
from the first URL in doubt on, results are held back, until the message or the source ends, or too many are
held.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

from urlextract.grammar.codes import RepairCode
from urlextract.pipeline.assembly import as_read, hyphen_readings
from urlextract.pipeline.choice import with_target
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Match, Origin, Repair, Span
from urlextract.results import Found, Rejection

Result = Found | Rejection
_HELD = 10_000  # the most results that are held back
_REASON = "the whole URL stands elsewhere in the message"


def joined_elsewhere(match: Match) -> Match:
    """Return ``match`` joined with its next lines, for the case that this URL is found elsewhere."""
    return match._replace(reasons=f"{_REASON}, {match.reasons}").with_more_lines()


class PlacedUrl(NamedTuple):
    """A URL without a record, and its place: what decides about the URLs of a message needs no more."""

    url: str
    span: Span
    origin: Origin


_Result = TypeVar("_Result", bound=Found | Rejection | PlacedUrl)


class Elsewhere(Generic[_Result]):
    """The URLs of one message, and its results in doubt."""

    def __init__(self) -> None:
        self._urls: set[str] = set()
        self._sorted: list[str] | None = None
        # By the id of the result in doubt, which is unique as long as the result is kept here.
        self._offers: dict[int, tuple[_Result, _Result]] = {}

    def note(self, found: _Result, joined: _Result | None = None) -> None:
        """Add a result; ``joined`` replaces it if the URL of ``joined`` is found elsewhere."""
        if not isinstance(found, Rejection):
            self._urls.add(found.url)
            self._sorted = None
        if joined is not None:
            self._offers[id(found)] = found, joined

    def _has(self, url: str) -> bool:
        """Return whether a URL was found, alone or with more parameters or a fragment after it."""
        if url in self._urls:
            return True
        if self._sorted is None:
            self._sorted = sorted(self._urls)
        for longer in (f"{url}?", f"{url}#", f"{url}&"):
            at = bisect_left(self._sorted, longer)  # of the first URL that may begin so
            if at < len(self._sorted) and self._sorted[at].startswith(longer):
                return True
        return False

    def settled(self, results: Iterable[_Result]) -> Iterator[_Result]:
        """Yield the results of the message in order; from the first doubt on, wait for all of them."""
        held: list[_Result] = []
        for result in results:
            if held or id(result) in self._offers:
                held.append(result)
            else:
                yield result
            if len(held) > _HELD:
                yield from held
                held.clear()
                self._offers.clear()
        end, origin = -1, None
        for result in held:
            if result.origin == origin and result.span.start < end:
                continue  # found on a line that was joined with a URL
            _, joined = self._offers.get(id(result), (None, None))
            if joined is not None and not isinstance(joined, Rejection) and self._has(joined.url):
                end, origin = joined.span.end, joined.origin
                yield joined
            else:
                yield result


# --- hyphens -------------------------------------------------------------------------------------

_REMEMBERED = 200_000  # the most URLs of one source that are remembered
_KEPT = Repair(RepairCode.KEPT_HYPHEN, "hyphen kept: the URL stands unbroken elsewhere")
_DROPPED = Repair(RepairCode.DROPPED_HYPHEN, "hyphen dropped: the URL stands unbroken elsewhere")


def weighed(results: Iterator[Found | Rejection], options: ExtractOptions) -> Iterator[Found | Rejection]:
    """Return the results as the options ``hyphen`` and ``unwrap`` ask for them; this is the last step."""
    is_asked = options.given["hyphen"] == "elsewhere" or options.given["unwrap"]
    return _weighed(results, Evidence(options)) if is_asked else results


def _weighed(results: Iterator[Found | Rejection], evidence: Evidence) -> Iterator[Found | Rejection]:
    for result in results:
        yield from evidence.feed(result)
    yield from evidence.close()


class Evidence:
    """Takes results in order, and returns those that no later result can change.

    With ``hyphen="elsewhere"`` they have hyphens as in unbroken URLs of the same source. With ``unwrap`` they
    are those of the targets of rewritten links; a rewritten one is compared.
    """

    def __init__(self, options: ExtractOptions) -> None:
        self._asks_for_hyphens = options.given["hyphen"] == "elsewhere"
        self._unwraps, self._gateways = options.given["unwrap"], options.gateways
        self._held: deque[Found | Rejection] = deque()
        self._seen: set[str] = set()
        self._source: str | None = None

    def feed(self, result: Found | Rejection) -> Iterator[Found | Rejection]:
        """Take a result; yield those that are certain now."""
        if not self._asks_for_hyphens:
            yield self._decided(result)
            return
        if result.origin.source != self._source:
            yield from self.close()
            self._source = result.origin.source
        if isinstance(result, Found) and len(result.pieces) == 1 and len(self._seen) < _REMEMBERED:
            self._seen.add(result.url)
        self._held.append(result)
        while self._held and (len(self._held) > _HELD or not _is_in_doubt(self._held[0])):
            yield self._decided(self._held.popleft())

    def close(self) -> Iterator[Found | Rejection]:
        """End the source; yield the results that were held back."""
        while self._held:
            yield self._decided(self._held.popleft())
        self._seen.clear()

    def _decided(self, result: Found | Rejection) -> Found | Rejection:
        if isinstance(result, Rejection):
            return result
        if self._asks_for_hyphens:
            result = self._with_hyphens(result)
        return with_target(result, self._gateways) if self._unwraps else result

    def _with_hyphens(self, result: Found) -> Found:
        others = hyphen_readings(result)
        if others and result.url in self._seen:
            return replace(result, repairs=(*result.repairs, _KEPT))
        for other in others:
            if other.url in self._seen:
                read = as_read(result, other, "with the hyphen kept at the line break")
                return replace(read, repairs=(*result.repairs, _DROPPED))
        return result


def _is_in_doubt(result: Found | Rejection) -> bool:
    return isinstance(result, Found) and bool(hyphen_readings(result))
