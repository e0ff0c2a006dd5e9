"""Records as dictionaries of JSON values, and back: schema ``"v": 4``, whose keys are all written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from urlextract.arguments import check_choice
from urlextract.errors import UrlSyntaxError
from urlextract.grammar.codes import CUT_DEFECTS, AlternativeCode
from urlextract.record_keys import KEYS, SCHEMA_VERSION, Record, keyed_values
from urlextract.records import Alternative, Defect, Difference, Form, Link, Origin, Repair, Span
from urlextract.schemes.cautions import Caution
from urlextract.schemes.checks import Violation
from urlextract.schemes.gateways import unwrapped
from urlextract.schemes.url import Url, parse_url

if TYPE_CHECKING:  # it imports this module
    from urlextract.results import Found

_IN_RECORDS = [key for key in KEYS if not key.is_extra]
_values = keyed_values(_IN_RECORDS)


def record_of(found: Found, *, parses: bool = False) -> Record:
    """Return the record of ``found``, with keys in their order; ``parses`` fills those of the parsed URL."""
    return cast("Record", _values(found) | _parsed(found) if parses else _values(found))


def _parsed(found: Found) -> dict[str, Any]:
    """Return the keys of the parsed URL; if it does not parse, this error is its only violation."""
    try:
        url = parse_url(found.url)
    except UrlSyntaxError as error:
        start, end = error.span
        fault = {"start": start, "end": end, "rule": "syntax", "message": error.message, "code": "syntax"}
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
    said = {name: str(getattr(remark, name)) for name in remark._fields[1:]}
    return {"start": start, "end": end, **said}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return value._asdict()
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def fields_of_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Found` for a record; raise `ValueError` if it is not one."""
    if not isinstance(record, Mapping):  # a line of JSON may be anything
        raise ValueError(f"a record is an object, and not {record!r}")  # noqa: TRY004 - of data
    if record.get("v") == _WITHOUT_DATE_FIELD:
        record = {**record, "date_field": record.get("date"), "date": None}
    record = {**_ADDED, **record}
    for name, kind, *_ in _IN_RECORDS:
        if name not in record:
            raise ValueError(f"the record has no {name!r}")
        if not _fits(record[name], kind):
            raise ValueError(f"{name!r} of the record has a wrong type: {record[name]!r}")
    if not _WITHOUT_DATE_FIELD <= record["v"] <= SCHEMA_VERSION:
        raise ValueError(
            f"the version of the record is {record['v']!r}: "
            f"{_WITHOUT_DATE_FIELD} to {SCHEMA_VERSION} can be read"
        )
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
        "rewritten": _rewritten(record),
        "origin": Origin(**{field: record[key] for field, key in _OF_THE_ORIGIN.items()}),
    }


_WITHOUT_DATE_FIELD = 2  # the version whose ``date`` is as it was written
_ADDED = {key.name: None for key in _IN_RECORDS if key.is_added}
_OF_THE_LINK = ("element", "attribute", "text", "shown", "differs")
_OF_THE_ORIGIN = {key.field_of_origin: key.name for key in KEYS if key.field_of_origin in Origin._fields}
"""The fields of `Origin`, each with the name of its key."""

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "object": (dict,), "list": (list,),
}  # fmt: skip


def _fits(value: object, kind: str) -> bool:
    """Return whether a value has the type of a key; the types in a list are checked where it is read."""
    if value is None:
        return kind.endswith(" or null")
    return not isinstance(value, bool) and isinstance(value, _TYPES[kind.split(maxsplit=1)[0]])


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
        case {"url": str(url), "reason": str(reason), **others}:  # version 3 has no codes of these
            return Alternative(url, reason, AlternativeCode(str(others.get("code", "other"))))
    raise ValueError(f"'alternatives' of the record has one of a wrong type: {each!r}")


def _rewritten(record: Mapping[str, Any]) -> tuple[str | None, str] | None:
    """Return the target and the service of a rewritten link, None if they follow from its URL."""
    is_cut = not CUT_DEFECTS.isdisjoint(record["defect_codes"])
    found = unwrapped(record["url"], is_cut=is_cut)
    given = record["unwrapped"], record["wrapped_by"]
    return None if given in ((None, None), found and (found.url, found.by)) else given


def _span(key: str, pair: Any) -> Span:
    if not (isinstance(pair, list) and len(pair) == 2 and all(_fits(each, "integer") for each in pair)):
        raise ValueError(f"{key!r} of the record has no pair of integers: {pair!r}")
    return Span(*pair)
