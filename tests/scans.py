"""The ways to read one text, which must agree: in slices, cut at its barriers, for URLs only."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from urlextract import extract
from urlextract.pipeline.item_results import read_urls
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Provenance, RawText
from urlextract.scanner.feeding import Pieces
from urlextract.scanner.scan import scan
from urlextract.sources.stretches import after_blank_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from urlextract.records import Item


def urls_of(text: str, **options: Any) -> list[str]:
    """Return the URLs of a text."""
    return [found.url for found in extract(text, **options)]


def scanned(pieces: Iterable[str]) -> list[Any]:
    """Feed a text in pieces; return what is found in it, with its places in all of it."""
    fed = Pieces()
    windows = [window for piece in pieces for window in fed.feed(piece)]
    return [match.moved(start) for start, text in (*windows, *fed.close()) for match in scan(text)]


def urls_only(items: Iterable[Item]) -> list[str]:
    """Return the URLs of some items, without records."""
    return list(read_urls(items, ExtractOptions()))


def urls_of_bytes(chunks: Iterable[bytes]) -> list[str]:
    """Return the URLs of a text in bytes, by the reader that makes no records."""
    return urls_only([RawText(chunks=iter(chunks), provenance=Provenance())])


def cut(data: Any, places: Iterable[int]) -> list[Any]:
    """Return the pieces of ``data`` between the places."""
    ends = sorted({min(place, len(data)) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


def between_barriers(data: bytes) -> list[bytes]:
    """Return the pieces of a text between its blank lines, where several processes may divide it."""
    places = [len(data)]
    while at := after_blank_line(data, places[-1] - 1):
        places.append(at)
    return [data[start:end] for start, end in pairwise([0, *places[::-1]])]
