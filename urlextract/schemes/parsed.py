"""The components of a URL in a record: ``parsed``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlextract.errors import UrlSyntaxError
from urlextract.schemes.cautions import Caution
from urlextract.schemes.checks import Violation, ViolationCode
from urlextract.schemes.url import Url, parse_url

Remarks = tuple[tuple[Violation, ...], tuple[Caution, ...], dict[str, Any] | None]


def remarks_on(text: str) -> Remarks:
    """Return the violations, the warnings and the components of a URL.

    If it does not parse, this error is its only violation.
    """
    try:
        url = parse_url(text)
    except UrlSyntaxError as error:
        fault = Violation(*error.span, "syntax", error.message, ViolationCode.SYNTAX)
        return (fault,), (), None
    return url.violations, url.warnings, parsed_of(url)


def parsed_of(url: Url) -> dict[str, Any]:
    """Return the components, encoded as they were written, and what is derived from them."""
    return {
        **{name: _plain(value) for name, value in _components(url)},
        "default_port": url.default_port,
        "grammars": list(url.grammars),
        "normalized": str(url.normalized()),
    }


def _components(url: Url) -> Iterator[tuple[str, Any]]:
    """Yield the components by name; a query that its standard calls the search has both names."""
    for name, value in url.parts().items():
        if name == "search" and url._PART_OF.get(name) == ("query",):
            yield "query", value
        yield name, value


def _plain(value: Any) -> Any:
    """Return a value with lists in place of tuples."""
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
