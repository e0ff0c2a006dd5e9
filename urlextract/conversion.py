"""Records as dictionaries of JSON values, and back: schema ``"v": 2``, in which no key is ever missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from urlextract.arguments import check_choice, check_is
from urlextract.errors import UrlSyntaxError
from urlextract.records import Alternative, Defect, Difference, Form, Link, Origin, Repair, Span
from urlextract.schemes.comparing import host_name_of
from urlextract.schemes.url import Url, parse_url
from urlextract.schemes.validation import Caution, Violation

if TYPE_CHECKING:  # it imports this module
    from urlextract.results import Found

SCHEMA_VERSION = 2

KEYS = (
    "v", "url", "form", "scheme", "host", "start", "end", "inner", "byte", "line", "column", "raw",
    "pieces", "repairs", "repair_codes", "alternatives", "defects", "defect_codes", "confidence",
    "element", "attribute", "text", "shown", "differs", "inside", "unwrapped",
    "wrapped_by", "violations", "warnings", "parsed",
    "source", "message", "offset", "length", "message_id", "date", "from", "to", "newsgroups", "subject",
    "list_id", "part", "header", "media_type", "occurrence",
)  # fmt: skip
"""The keys of a record, in their order."""

_OF_THE_PARSE = ("violations", "warnings", "parsed")
_OF_THE_ORIGIN = KEYS[KEYS.index("source") :]
# The names of those keys in `Origin`; "from" is a keyword of Python.
_ORIGIN_NAMES = {key: "from_" if key == "from" else key for key in _OF_THE_ORIGIN}
_code_of = attrgetter("code.value")
_origin_values = attrgetter(*_ORIGIN_NAMES.values())


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a record: see `Found.to_dict`.

    >>> record_schema()["properties"]["line"]["type"]
    'integer'
    """
    schema: dict[str, Any] = json.loads(files("urlextract").joinpath("record.schema.json").read_text("utf-8"))
    return schema


def record_of(found: Found, *, parses: bool = False) -> dict[str, Any]:
    """Return the record of ``found``, with keys in their order; ``parses`` fills those of the parsed URL."""
    origin, link, wrapped_by = found.origin, found.link, found.wrapped_by
    return {
        "v": SCHEMA_VERSION,
        "url": found.url,
        "form": found.form.value,
        "scheme": found.scheme,
        "host": host_name_of(found.url),
        "start": found.span.start,
        "end": found.span.end,
        "inner": list(found.inner),
        "byte": found.byte,
        "line": found.line,
        "column": found.column,
        "raw": found.raw,
        "pieces": list(map(list, found.pieces)),
        "repairs": list(map(str, found.repairs)),
        "repair_codes": list(map(_code_of, found.repairs)),
        "alternatives": [{"url": a.url, "reason": a.reason} for a in found.alternatives],
        "defects": list(map(str, found.defects)),
        "defect_codes": list(map(_code_of, found.defects)),
        "confidence": found.confidence,
        "element": link.element if link else None,
        "attribute": link.attribute if link else None,
        "text": link.text if link else None,
        "shown": link.shown if link else None,
        "differs": link.differs if link else None,
        "inside": found.inside,
        "unwrapped": wrapped_by and found.unwrapped,
        "wrapped_by": wrapped_by,
        **(_parsed(found) if parses else dict.fromkeys(_OF_THE_PARSE)),
        **dict(zip(_ORIGIN_NAMES, _origin_values(origin), strict=True)),
    }


def _parsed(found: Found) -> dict[str, Any]:
    """Return the keys of the parsed URL; if it does not parse, this error is its only violation."""
    try:
        url = parse_url(found.url)
    except UrlSyntaxError as error:
        start, end = error.span
        fault = {"start": start, "end": end, "rule": "syntax", "message": error.message}
        return {"violations": [fault], "warnings": [], "parsed": None}
    return {**remarks_of(url), "parsed": parsed_of(url)}


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


def remarks_of(url: Url) -> dict[str, Any]:
    """Return the violations and warnings of a URL."""
    return {
        "violations": [_remark(remark) for remark in url.violations],
        "warnings": [_remark(remark) for remark in url.warnings],
    }


def _remark(remark: Violation | Caution) -> dict[str, Any]:
    start, end = remark.span
    return {"start": start, "end": end, **{name: getattr(remark, name) for name in remark._fields[1:]}}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return value._asdict()
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def fields_of_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Found` for a record; raise `ValueError` or `TypeError` if it is not one."""
    check_is("record", record, Mapping)
    for key in KEYS:
        if key not in record:
            raise ValueError(f"the record has no {key!r}")
        if not _has_type(record[key], *_TYPES[key]):
            raise ValueError(f"{key!r} of the record has a wrong type: {record[key]!r}")
    if record["v"] != SCHEMA_VERSION:
        raise ValueError(f"the version of the record is {record['v']!r}: {SCHEMA_VERSION} can be read")
    if (record["element"] is None) != (record["attribute"] is None):
        raise ValueError("'element' and 'attribute' of the record are not both null")
    if record["differs"] is not None:
        check_choice("differs", record["differs"], Difference)
    return {
        "url": record["url"],
        "form": Form(record["form"]),
        "span": Span(record["start"], record["end"]),
        "inner": _span("inner", record["inner"]),
        "raw": record["raw"],
        "line": record["line"],
        "column": record["column"],
        "pieces": tuple(_span("pieces", pair) for pair in record["pieces"]),
        "byte": record["byte"],
        "repairs": tuple(map(Repair, *_coded(record, "repair_codes", "repairs"))),
        "alternatives": tuple(map(_alternative, record["alternatives"])),
        "defects": tuple(map(Defect, *_coded(record, "defect_codes", "defects"))),
        "confidence": float(record["confidence"]),
        "link": None if record["element"] is None else Link(**{name: record[name] for name in _OF_THE_LINK}),
        "inside": record["inside"],
        "target_of": record["wrapped_by"] if record["unwrapped"] == record["url"] else None,
        "origin": Origin(**{name: record[key] for key, name in _ORIGIN_NAMES.items()}),
    }


_OF_THE_LINK = ("element", "attribute", "text", "shown", "differs")
# The types of the values by key; None is that of null.
_TYPES: dict[str, tuple[type | None, ...]] = (
    dict.fromkeys(KEYS, (str, None))
    | dict.fromkeys(("url", "form", "scheme", "raw"), (str,))
    | dict.fromkeys(("v", "start", "end", "line", "column", "occurrence"), (int,))
    | dict.fromkeys(("byte", "message", "offset", "length"), (int, None))
    | dict.fromkeys(("inner", "pieces", "repairs", "repair_codes", "alternatives"), (list,))
    | dict.fromkeys(("defects", "defect_codes"), (list,))
    | dict.fromkeys(("violations", "warnings"), (list, None))
    | {"confidence": (int, float), "parsed": (dict, None)}
)


def _has_type(value: object, *types: type | None) -> bool:
    if value is None:
        return None in types
    return not isinstance(value, bool) and isinstance(value, tuple(filter(None, types)))


def _coded(record: Mapping[str, Any], codes: str, words: str) -> tuple[list[str], list[str]]:
    """Return the lists of codes and words of a record."""
    for key in (codes, words):
        if not all(isinstance(each, str) for each in record[key]):
            raise ValueError(f"{key!r} of the record has a value that is no text: {record[key]!r}")
    if len(record[codes]) != len(record[words]):
        raise ValueError(f"the record has not as many {codes!r} as {words!r}")
    return record[codes], record[words]


def _alternative(each: Any) -> Alternative:
    match each:
        case {"url": str(url), "reason": str(reason)}:
            return Alternative(url, reason)
    raise ValueError(f"'alternatives' of the record has one of a wrong type: {each!r}")


def _span(key: str, pair: Any) -> Span:
    if not (isinstance(pair, list) and len(pair) == 2 and all(_has_type(each, int) for each in pair)):
        raise ValueError(f"{key!r} of the record has no pair of integers: {pair!r}")
    return Span(*pair)
