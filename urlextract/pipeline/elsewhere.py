"""A URL that may go on in the next line is joined where it stands whole elsewhere in its message.

The link of the HTML part, a quotation, a list of links at the end: they come before or after
the place in doubt, so the results of a message wait from the first doubt on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import Candidate, InDoubt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlextract.results import Found, Rejection

__all__ = ["Elsewhere", "joined_elsewhere", "settled_urls"]

_HELD = 10_000  # results that wait for the rest of their message
_REASON = "the whole URL stands elsewhere in the message"


def joined_elsewhere(candidate: Candidate) -> Candidate:
    """Return ``candidate`` joined with its next lines, as it is if the whole stands elsewhere."""
    return candidate._replace(reasons=f"{_REASON}, {candidate.reasons}").with_more_lines()


class Elsewhere:
    """The URLs of one message, and the records among them that others may settle."""

    def __init__(self) -> None:
        self._urls: set[str] = set()
        self._offers: dict[int, tuple[Found, Found]] = {}  # by id; the record keeps its id while it is here

    def note(self, found: Found, joined: Found | None = None) -> None:
        """Take note of a record, and of the one to take its place if its URL stands elsewhere."""
        self._urls.add(found.url)
        if joined is not None:
            self._offers[id(found)] = found, joined

    def settled(self, results: Iterable[Found | Rejection]) -> Iterator[Found | Rejection]:
        """Yield the results of the message in order, those in doubt when all others are known."""
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
                continue  # found in the next line of a URL that was joined
            _, joined = self._offers.get(id(result), (None, None))
            if joined is not None and joined.url in self._urls:
                end, origin = joined.span.end, joined.origin
                yield joined
            else:
                yield result


def settled_urls(urls: list[str]) -> list[str]:
    """Return the URLs of one message, those in doubt joined if the whole is among them."""
    known = set(urls)
    return [url.joined if isinstance(url, InDoubt) and url.joined in known else str(url) for url in urls]
