"""JSON lines: one object per record, schema ``"v": 2``, in which no key is ever missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import lazy_re

if TYPE_CHECKING:
    import re

    from urlextract.results import Found
    from urlextract.schemes.validation import Caution, Violation
    from urlextract.schemes.value import Url

__all__ = ["KEYS", "error_record", "json_line", "place_of", "record_of", "record_of_url"]

SCHEMA_VERSION = 2
# Surrogates, and what ends a line for some readers, but not in JSON: the Unicode Standard, section 5.8
_UNSAFE = lazy_re("[\ud800-\udfff\x85\u2028\u2029]")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def record_of(found: Found, *, parses: bool = False) -> dict[str, Any]:
    """Return the record of ``found``, with keys in their order; ``parses`` fills those of the parsed URL."""
    origin = found.origin
    return {
        "v": SCHEMA_VERSION,
        "url": found.url,
        "form": found.form.value,
        "scheme": found.scheme,
        "start": found.start,
        "end": found.end,
        "byte": found.byte,
        "line": found.line,
        "column": found.column,
        "raw": found.raw,
        "pieces": [list(piece) for piece in found.pieces] or None,
        "repairs": list(found.repairs),
        "alternatives": [{"url": a.url, "reason": a.reason} for a in found.alternatives],
        "defects": list(found.defects),
        "confidence": found.confidence,
        **link_of(found),
        **(_parsed(found) if parses else dict.fromkeys(_OF_THE_PARSE)),
        "source": origin.source,
        "message": origin.message,
        "message_id": origin.message_id,
        "date": origin.date,
        "from": origin.from_,
        "newsgroups": origin.newsgroups,
        "subject": origin.subject,
        "list_id": origin.list_id,
        "part": origin.part,
        "header": origin.header,
        "media_type": origin.media_type,
    }


def link_of(found: Found) -> dict[str, Any]:
    """Return the keys about links: the attribute that holds the URL, or the link whose text has it."""
    link = found.link
    return {
        "element": link.element if link else None,
        "attribute": link.attribute if link else None,
        "text": link.text if link else None,
        "shown": link.shown if link else None,
        "differs": link.differs if link else None,
        "inside": found.inside,
    }


def place_of(found: Found) -> dict[str, Any]:
    """Return the place of ``found``: the keys that differ between two places of one URL."""
    record = record_of(found)
    return {key: record[key] for key in _PLACE}


_OF_THE_PARSE = ("violations", "warnings", "parsed")


def _parsed(found: Found) -> dict[str, Any]:
    """Return the keys of the parsed URL; if it does not parse, this error is its only violation."""
    try:
        url = found.parsed
    except UrlSyntaxError as error:
        start, end = error.span
        fault = {"start": start, "end": end, "rule": "syntax", "message": error.message}
        return {"violations": [fault], "warnings": [], "parsed": None}
    return {**remarks_of(url), "parsed": parsed_of(url)}


def record_of_url(url: Url) -> dict[str, Any]:
    """Return the record of a parsed URL, for JSON."""
    return {"url": url.text, "parsed": parsed_of(url), **remarks_of(url), "error": None}


def error_record(error: UrlSyntaxError) -> dict[str, Any]:
    """Return the record of a text that does not parse, with the keys of `record_of_url`."""
    start, end = error.span
    place = {"start": start, "end": end, "message": error.message}
    return {"url": error.text, "parsed": None, "violations": None, "warnings": None, "error": place}


def parsed_of(url: Url) -> dict[str, Any]:
    """Return the components, encoded as they were written, and what is derived from them."""
    return {
        **{name: _plain(value) for name, value in url.parts().items()},
        "default_port": url.default_port,
        "grammars": list(url.grammars),
        "normalized": str(url.normalized()),
    }


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


_PLACE = ("form", "start", "end", "byte", "line", "column", "source", "message", "message_id", "part",
          "header")  # fmt: skip

KEYS = (
    "v", "url", "form", "scheme", "start", "end", "byte", "line", "column", "raw", "pieces", "repairs",
    "alternatives", "defects", "confidence", "element", "attribute", "text", "shown",
    "differs", "inside", "violations", "warnings", "parsed", "source",
    "message", "message_id", "date", "from", "newsgroups", "subject", "list_id", "part",
    "header", "media_type",
)  # fmt: skip


def json_line(record: dict[str, Any]) -> str:
    """Return one record as valid JSON in valid Unicode, whatever it holds: one line for any reader."""
    line = _encode(record)
    return line if line.isascii() else _UNSAFE.sub(_safe, line)


def _safe(match: re.Match[str]) -> str:
    """Return the replacement for a surrogate, which is no character, or the escape for a line end."""
    code = ord(match.group())
    return "\N{REPLACEMENT CHARACTER}" if 0xD800 <= code < 0xE000 else f"\\u{code:04x}"
