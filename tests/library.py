"""Short ways to what tests ask often of the library."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from urlextract import Url, extract, extract_source, parse_url, unwrap
from urlextract.formatter.texts.bodies import parts_of
from urlextract.formatter.texts.checking import check_text


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


def target_of(url: str | Url) -> str | None:
    """Return the target of a link that was rewritten; None if it cannot be decoded, or it was not."""
    found = unwrap(url)
    return found.url if found else None


def check_rewritten(before: str, after: str, policy: str) -> None:
    """Check that ``after``, the rewritten text, has the same URLs, and the same words but in what flows."""
    if policy == "flowed" and any(part.in_message for _, part in parts_of(before)):
        first, second = (
            [found.url for found in extract_source(io.BytesIO(data), on_damage=lambda _: None)]
            for data in (before.encode("utf-8", "surrogateescape"), after.encode("utf-8", "surrogateescape"))
        )
        assert first == second
    else:
        check_text(before, after, policy)
