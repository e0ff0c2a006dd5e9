"""JSON lines: one record or URL as one line, and the records of parsed URLs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from urlextract.conversion import parsed_of, record_of, remarks_of
from urlextract.grammar.patterns import lazy_re

if TYPE_CHECKING:
    import re

    from urlextract.errors import UrlSyntaxError
    from urlextract.results import Found
    from urlextract.schemes.value import Url

__all__ = ["error_record", "json_line", "place_of", "record_of_url", "valid_text"]

# Surrogates, and what ends a line for some readers, but not in JSON: the Unicode Standard, section 5.8
_UNSAFE = lazy_re("[\ud800-\udfff\x85\u2028\u2029]")
_SURROGATE = lazy_re("[\ud800-\udfff]")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_PLACE = ("form", "start", "end", "byte", "line", "column", "source", "message", "message_id", "part",
          "header")  # fmt: skip


def place_of(found: Found) -> dict[str, Any]:
    """Return the place of ``found``: the keys that differ between two places of one URL."""
    record = record_of(found)
    return {key: record[key] for key in _PLACE}


def record_of_url(url: Url) -> dict[str, Any]:
    """Return the record of a parsed URL, for JSON."""
    return {
        "url": url.text,
        "given": url.given,
        "parsed": parsed_of(url),
        **remarks_of(url),
        "error": None,
    }


def error_record(error: UrlSyntaxError) -> dict[str, Any]:
    """Return the record of a text that does not parse, with the keys of `record_of_url`."""
    start, end = error.span
    place = {"start": start, "end": end, "message": error.message}
    return {
        "url": error.text,
        "given": error.text,
        "parsed": None,
        "violations": None,
        "warnings": None,
        "error": place,
    }


def json_line(record: dict[str, Any]) -> str:
    """Return one record as valid JSON in valid Unicode, whatever it holds: one line for any reader."""
    line = _encode(record)
    return line if line.isascii() else _UNSAFE.sub(_safe, line)


def valid_text(text: str) -> str:
    r"""Return a text in valid Unicode: with replacement characters for surrogates, which are none.

    >>> valid_text("a\udce9")
    'a�'
    """
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _safe(match: re.Match[str]) -> str:
    """Return the replacement for a surrogate, which is no character, or the escape for a line end."""
    code = ord(match.group())
    return valid_text(match.group()) if 0xD800 <= code < 0xE000 else f"\\u{code:04x}"
