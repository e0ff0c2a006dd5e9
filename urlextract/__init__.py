r"""Finds every URL in mail, news and text, whole.

Wrapped in ``<URL:...>`` or angle brackets, quoted, bare or abbreviated, broken over
lines and behind quote prefixes: each is given as one would type it, with what was
done to it on the record.

>>> from urlextract import extract
>>> [found.url for found in extract("> see <URL:http://www.w3.org/TR/\n> REC-xml>.")]
['http://www.w3.org/TR/REC-xml']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlextract.errors import SourceError, UrlExtractError, UrlSyntaxError
    from urlextract.linebreaks import rejoin
    from urlextract.pipeline.entry import examine, extract, extract_message, extract_source
    from urlextract.records import Alternative, Candidate, Form, Origin, Rejoined, Span
    from urlextract.results import Found, Rejection
    from urlextract.scanner import Scanner
    from urlextract.schemes import SCHEMES, Caution, Url, Violation, parse_url, resolve, same_resource

__all__ = [
    "SCHEMES",
    "Alternative",
    "Candidate",
    "Caution",
    "Form",
    "Found",
    "Origin",
    "Rejection",
    "Rejoined",
    "Scanner",
    "SourceError",
    "Span",
    "Url",
    "UrlExtractError",
    "UrlSyntaxError",
    "Violation",
    "examine",
    "extract",
    "extract_message",
    "extract_source",
    "parse_url",
    "rejoin",
    "resolve",
    "same_resource",
]

__version__ = "0.1.0"

# Names are fetched from their stages when first asked for: a program that merely
# imports this package pays a millisecond, and one that parses pays for no scanner.
_STAGES = {
    "errors": ("SourceError", "UrlExtractError", "UrlSyntaxError"),
    "linebreaks": ("rejoin",),
    "pipeline.entry": ("examine", "extract", "extract_message", "extract_source"),
    "records": ("Alternative", "Candidate", "Form", "Origin", "Rejoined", "Span"),
    "results": ("Found", "Rejection"),
    "scanner": ("Scanner",),
    "schemes": ("SCHEMES", "Caution", "Url", "Violation", "parse_url", "resolve", "same_resource"),
}
_STAGE_OF = {name: stage for stage, names in _STAGES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _STAGE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of the same economy

    value: object = getattr(import_module(f"{__name__}.{_STAGE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
