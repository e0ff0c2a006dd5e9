"""Short ways to what tests ask often of the library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from urlextract import Url, extract, format_url, parse_url, unwrap
from urlextract.errors import WidthError
from urlextract.schemes.changing import full_form
from urlextract.schemes.changing import target_of as target
from urlextract.schemes.components import split_parts


def extract_urls(text: str | Iterable[str], **options: Any) -> Iterator[str]:
    """Yield the URLs of a text."""
    return (found.url for found in extract(text, **options))


def same_resource(one: str | Url, other: str | Url) -> bool:
    """Return whether two URLs are the same but for their fragments."""
    first, second = (parse_url(url).key.partition("#")[0] for url in (one, other))
    return first == second


def resolve(base: str | Url, partial: str | Url, rules: str = "rfc3986") -> str:
    """Return the text of a reference resolved by `Url.join`, whether it parses or not."""
    context, reference = str(base), str(partial)
    return target(split_parts(context), reference) if rules == "rfc3986" else full_form(context, reference)


def gateway_of(url: str | Url) -> str | None:
    """Return the name of the service that has rewritten a link."""
    found = unwrap(url)
    return found.by if found else None


def target_of(url: str | Url) -> str | None:
    """Return the target of a link that was rewritten; None if it cannot be decoded, or it was not."""
    found = unwrap(url)
    return found.url if found else None


def format_in_any_width(url: str | Url, **how: Any) -> str:
    """Return a URL as printed, at its least width if that is more than the width asked for."""
    try:
        return format_url(url, **how)
    except WidthError as error:
        return format_url(url, **{**how, "width": error.least})
