"""Join a URL that may continue on the next line if the joined URL is found elsewhere in the message.

It may be found before or after the place in doubt: in a link of the HTML part, a quotation, or a
list of links at the end. So from the first URL in doubt on, the results of a message are held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlextract.records import Candidate, InDoubt
from urlextract.results import Found, Rejection

_HELD = 10_000  # the most results that are held back
_REASON = "the whole URL stands elsewhere in the message"


def joined_elsewhere(candidate: Candidate) -> Candidate:
    """Return ``candidate`` joined with its next lines, for the case that this URL is found elsewhere."""
    return candidate._replace(reasons=f"{_REASON}, {candidate.reasons}").with_more_lines()


class Elsewhere:
    """The URLs of one message, and its records in doubt."""

    def __init__(self) -> None:
        self._urls: set[str] = set()
        # By the id of the record in doubt, which is unique as long as the record is kept here.
        self._offers: dict[int, tuple[Found, Found]] = {}

    def note(self, found: Found, joined: Found | None = None) -> None:
        """Add a record; ``joined`` replaces it if the URL of ``joined`` is found elsewhere."""
        self._urls.add(found.url)
        if joined is not None:
            self._offers[id(found)] = found, joined

    def settled(self, results: Iterable[Found | Rejection]) -> Iterator[Found | Rejection]:
        """Yield the results of the message in order; from the first doubt on, wait for all of them."""
        held: list[Found | Rejection] = []
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
            if joined is not None and joined.url in self._urls:
                end, origin = joined.span.end, joined.origin
                yield joined
            else:
                yield result


def settled_urls(urls: Iterable[str]) -> Iterator[str]:
    """Yield the URLs of one message; one in doubt is joined if the joined URL is found in the message."""
    known: set[str] = set()
    held: list[str] = []
    for url in urls:
        known.add(url)
        if held or isinstance(url, InDoubt):
            held.append(url)
        else:
            yield url
        if len(held) > _HELD:
            yield from map(str, held)
            held.clear()
    for url in held:
        yield url.joined if isinstance(url, InDoubt) and url.joined in known else str(url)
