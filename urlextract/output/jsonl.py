"""JSON lines: one record or URL as one line, and the records of parsed URLs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.defanged import defang
from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import valid_value
from urlextract.output.outputs import OutputOptions
from urlextract.output.unique import key_by
from urlextract.output.writer import Writer
from urlextract.results import Found, keys_with
from urlextract.schemes.parsed import parsed_of
from urlextract.schemes.url import Url

# What ends a line for some readers, but not in JSON: the Unicode Standard, section 5.8
_LINE_END = lazy_re("[\x85\u2028\u2029]")
_encode = msgspec.json.Encoder().encode


def line_of(found: Found, output: OutputOptions) -> str:
    """Return the record of ``found`` as one line of JSON."""
    return json_line(_record(found, output) if output.defang else found)


def _record(found: Found, output: OutputOptions) -> dict[str, Any]:
    """Return the record of ``found``, with its defanged URL as one more key if that is asked for."""
    record = found.to_dict()
    return {**record, "defanged": defang(found.url)} if output.defang else record


def print_merged(found: Iterable[Found], output: OutputOptions, writer: Writer) -> int:
    """Print one record per URL, with all its places, after all input has been read."""
    merged: dict[str, dict[str, Any]] = {}
    of_place = keys_with("is_of_place")
    key = key_by(output.by)
    limit = output.limit if output.top is None else None
    for one in found:
        own = key(one.url)
        known = merged.get(own)
        if known is None:
            if len(merged) == limit:
                continue
            known = merged[own] = {**_record(one, output), "count": 0, "places": []}
        known["count"] += 1
        known["places"].append({name: getattr(one, name) for name in of_place})
    records = list(merged.values())
    if output.top is not None:
        records.sort(key=lambda record: -record["count"])
    for record in records[: output.limit]:
        writer.write(json_line(record))
    return len(records[: output.limit])


def record_of_url(url: Url) -> dict[str, Any]:
    """Return the record of a parsed URL, for JSON."""
    return {
        "url": url.text,
        "parsed": parsed_of(url),
        "violations": url.violations,
        "warnings": url.warnings,
        "error": None,
    }


def error_record(error: UrlSyntaxError) -> dict[str, Any]:
    """Return the record of a text that does not parse, with the keys of `record_of_url`."""
    start, end = error.span
    place = {"start": start, "end": end, "message": error.message}
    return {
        "url": error.text,
        "parsed": None,
        "violations": None,
        "warnings": None,
        "error": place,
    }


def json_line(record: Any) -> str:
    """Return a value as valid JSON in valid Unicode, whatever it holds: one line for any reader."""
    try:
        line = _encode(record).decode()
    except UnicodeEncodeError:
        line = _encode(valid_value(msgspec.to_builtins(record))).decode()
    return line if line.isascii() else _LINE_END.sub(_escaped, line)


def _escaped(line_end: re.Match[str]) -> str:
    return f"\\u{ord(line_end[0]):04x}"
