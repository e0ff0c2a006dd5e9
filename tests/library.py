"""Short ways to what tests ask often of the library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from urlextract import Url, extract, parse_url, unwrap


def extract_urls(text: str | Iterable[str], **options: Any) -> Iterator[str]:
    """Yield the URLs of a text."""
    return (found.url for found in extract(text, **options))


def same_resource(one: str | Url, other: str | Url) -> bool:
    """Return whether two URLs are the same but for their fragments."""
    first, second = (parse_url(url).key.partition("#")[0] for url in (one, other))
    return first == second


def gateway_of(url: str | Url) -> str | None:
    """Return the name of the service that has rewritten a link."""
    found = unwrap(url)
    return found.by if found else None
