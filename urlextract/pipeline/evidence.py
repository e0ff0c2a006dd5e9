"""What the rest of a message tells of a URL that is in doubt: whether it goes on.

A URL that may continue on the next line is joined if the joined URL is found elsewhere in the message,
before or after the place in doubt: in a link of the HTML part, a quotation, or a list of links at the end.
So from the first URL in doubt on, results are held back, until the message ends, or too many are held.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from urlextract.records import Match, Span, text_key
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
    part: str | None
    header: str | None
    occurrence: int


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
        end, text = -1, None
        for result in held:
            if text_key(result) == text and result.span.start < end:
                continue  # found on a line that was joined with a URL
            _, joined = self._offers.get(id(result), (None, None))
            if joined is not None and not isinstance(joined, Rejection) and self._has(joined.url):
                end, text = joined.span.end, text_key(joined)
                yield joined
            else:
                yield result
