"""The components of a URL in a record: ``parsed``, and its schema, from the parts of the types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from urlextract.errors import UrlSyntaxError
from urlextract.schemes.cautions import Caution
from urlextract.schemes.checks import Violation, ViolationCode
from urlextract.schemes.rows import Part
from urlextract.schemes.url import TYPES, Url, parse_url, type_of

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
    if hasattr(value, "_asdict"):
        return value._asdict()
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def schema_of_parsed() -> dict[str, Any]:
    """Return the JSON Schema of ``parsed``: of the parts of all types, and of what is derived from them."""
    type_of("http")  # loads all types
    kinds: tuple[type[Url], ...] = (Url, *dict.fromkeys(TYPES.values()))
    hints: dict[str, dict[Any, None]] = {"scheme": {str: None}}
    docs: dict[str, dict[str, None]] = {"scheme": {"The scheme, in lower case.": None}}
    for kind in kinds:
        for name in (*kind._FIELDS, "query"):
            row = getattr(kind, name)
            is_part = isinstance(row, Part)
            hint = get_args(row.__orig_class__)[0] if is_part else get_type_hints(row.fget)["return"]
            hints.setdefault(name, {})[_in_json(hint)] = None
            docs.setdefault(name, {})[" ".join((row.__doc__ or "").split("\n\n", 1)[0].split())] = None
    properties = {name: _schema(reduce(or_, hints[name]), " ".join(docs[name])) for name in hints}
    derived = {name: _schema(*row) for name, row in _DERIVED.items()}
    return {"type": "object", "properties": properties | derived, "additionalProperties": False}


_DERIVED: dict[str, tuple[Any, str]] = {
    "default_port": (int | None, "The port that the scheme has if the URL names none."),
    "grammars": (tuple[str, ...], "The grammars that the URL fits, of those that define the scheme."),
    "normalized": (str, "The normal form of the URL, which lacks the default port and needless escapes."),
}


def _schema(hint: Any, words: str) -> dict[str, Any]:
    return {**msgspec.json.schema(hint), "description": words}


def _in_json(hint: Any) -> Any:
    """Return the type of a part as JSON has it: a named tuple is an object."""
    if hasattr(hint, "_fields"):
        return dict[str, reduce(or_, get_type_hints(hint).values())]  # type: ignore[misc]
    inner = [*map(_in_json, get_args(hint))]
    if not inner:
        return hint
    return GenericAlias(tuple, tuple(inner)) if get_origin(hint) is tuple else reduce(or_, inner)
