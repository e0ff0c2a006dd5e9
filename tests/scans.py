"""The ways to read one text, which must agree: in slices, by the fast path, for URLs only."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from urlextract import Candidate, Scanner, extract
from urlextract.pipeline.item_results import read_urls
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Origin, RawText, Refusal
from urlextract.run.shards import barrier
from urlextract.scanner.buffer import ScanLimits, candidate_of
from urlextract.scanner.stream import scan_buffer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from urlextract.records import Item


def urls_of(text: str, **options: Any) -> list[str]:
    """Return the URLs of a text."""
    return [found.url for found in extract(text, **options)]


def scanned(pieces: Iterable[str]) -> list[Any]:
    """Feed a scanner; return all that it yields."""
    scanner = Scanner()
    found = [value for piece in pieces for value in scanner.feed(piece)]
    return found + scanner.close()


def scanned_once(text: str, *, plain: bool, looks_on: bool) -> tuple[list[Candidate], list[str]]:
    """Return the candidates of one scan, and its URLs.

    If ``plain`` is true, the fast path takes what it can, else all rules are asked.
    """
    limits = ScanLimits(looks_on=looks_on, explains=not plain)
    hits = scan_buffer(text, 0, 0, limits, is_whole=True, plain=plain).hits
    values = [candidate_of(hit, text) for hit in hits]
    candidates = [value for value in values if isinstance(value, Candidate)]
    return candidates, [hit[4] for hit in hits if not isinstance(hit[5], Refusal)]


def urls_only(items: Iterable[Item]) -> list[str]:
    """Return the URLs of some items, without records."""
    return list(read_urls(items, ExtractOptions()))


def urls_of_bytes(chunks: Iterable[bytes]) -> list[str]:
    """Return the URLs of a text in bytes, by the reader that makes no records."""
    return urls_only([RawText(chunks=iter(chunks), origin=Origin())])


def cut(data: Any, places: Iterable[int]) -> list[Any]:
    """Return the pieces of ``data`` between the places."""
    ends = sorted({min(place, len(data)) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


def between_barriers(data: bytes) -> list[bytes]:
    """Return the pieces of a text between its barriers, where several processes may divide it."""
    places = [0]
    while (at := barrier(data, places[-1], len(data))) is not None:
        places.append(at)
    return [data[start:end] for start, end in pairwise([*places, len(data)])]
