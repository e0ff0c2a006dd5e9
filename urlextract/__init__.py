r"""Find the complete URLs in mail, news, HTML and text.

URLs may be wrapped in ``<URL:...>`` or angle brackets, quoted, bare or abbreviated, broken
over lines, and after quote prefixes. Each is returned on one line, with its scheme; its
record lists the repairs.

>>> from urlextract import extract
>>> [found.url for found in extract("> see <URL:http://www.w3.org/TR/\n> REC-xml>.")]
['http://www.w3.org/TR/REC-xml']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlextract.errors import (
        FormatError,
        RewrapError,
        SourceError,
        UrlExtractError,
        UrlSyntaxError,
        WidthError,
    )
    from urlextract.formatter.printing import break_points, format_url
    from urlextract.formatter.texts.numbering import from_refs, to_refs
    from urlextract.formatter.texts.rewrapping import rewrap
    from urlextract.grammar.registry import SCHEMES, Scheme
    from urlextract.linebreaks import rejoin
    from urlextract.pipeline.entry import examine, extract, extract_html, extract_message, extract_source
    from urlextract.records import Alternative, Candidate, Form, Origin, Rejoined, Span
    from urlextract.results import Found, Link, Rejection
    from urlextract.scanner import Scanner
    from urlextract.schemes.ftp import FtpUrl
    from urlextract.schemes.gopher import GopherUrl
    from urlextract.schemes.ldap import LdapExtension, LdapUrl
    from urlextract.schemes.local import AboutUrl, InfoUrl, ManUrl, WhatisUrl
    from urlextract.schemes.local_files import AfsUrl, FileUrl
    from urlextract.schemes.mail import CidUrl, MailtoUrl, MidUrl
    from urlextract.schemes.news import NewsUrl, NntpUrl
    from urlextract.schemes.parsing import parse_url, same_resource
    from urlextract.schemes.prospero import ProsperoUrl
    from urlextract.schemes.resolving import resolve
    from urlextract.schemes.telnet import TelnetUrl
    from urlextract.schemes.urn import UrnUrl
    from urlextract.schemes.validation import Caution, Violation
    from urlextract.schemes.value import Url
    from urlextract.schemes.wais import WaisUrl
    from urlextract.schemes.web import HttpUrl

__all__ = [
    "SCHEMES",
    "AboutUrl",
    "AfsUrl",
    "Alternative",
    "Candidate",
    "Caution",
    "CidUrl",
    "FileUrl",
    "Form",
    "FormatError",
    "Found",
    "FtpUrl",
    "GopherUrl",
    "HttpUrl",
    "InfoUrl",
    "LdapExtension",
    "LdapUrl",
    "Link",
    "MailtoUrl",
    "ManUrl",
    "MidUrl",
    "NewsUrl",
    "NntpUrl",
    "Origin",
    "ProsperoUrl",
    "Rejection",
    "Rejoined",
    "RewrapError",
    "Scanner",
    "Scheme",
    "SourceError",
    "Span",
    "TelnetUrl",
    "Url",
    "UrlExtractError",
    "UrlSyntaxError",
    "UrnUrl",
    "Violation",
    "WaisUrl",
    "WhatisUrl",
    "WidthError",
    "break_points",
    "examine",
    "extract",
    "extract_html",
    "extract_message",
    "extract_source",
    "format_url",
    "from_refs",
    "parse_url",
    "rejoin",
    "resolve",
    "rewrap",
    "same_resource",
    "to_refs",
]

__version__ = "0.1.0"

# Names are imported from their modules on first use: importing this package takes about a
# millisecond, and a program that only parses URLs does not load the scanner.
_STAGES = {
    "errors": (
        "FormatError",
        "RewrapError",
        "SourceError",
        "UrlExtractError",
        "UrlSyntaxError",
        "WidthError",
    ),
    "formatter.printing": ("break_points", "format_url"),
    "formatter.texts.numbering": ("from_refs", "to_refs"),
    "formatter.texts.rewrapping": ("rewrap",),
    "linebreaks": ("rejoin",),
    "pipeline.entry": ("examine", "extract", "extract_html", "extract_message", "extract_source"),
    "records": ("Alternative", "Candidate", "Form", "Origin", "Rejoined", "Span"),
    "results": ("Found", "Link", "Rejection"),
    "scanner": ("Scanner",),
    "grammar.registry": ("SCHEMES", "Scheme"),
    "schemes.local_files": ("AfsUrl", "FileUrl"),
    "schemes.ftp": ("FtpUrl",),
    "schemes.gopher": ("GopherUrl",),
    "schemes.ldap": ("LdapExtension", "LdapUrl"),
    "schemes.local": ("AboutUrl", "InfoUrl", "ManUrl", "WhatisUrl"),
    "schemes.mail": ("CidUrl", "MailtoUrl", "MidUrl"),
    "schemes.news": ("NewsUrl", "NntpUrl"),
    "schemes.parsing": ("parse_url", "same_resource"),
    "schemes.prospero": ("ProsperoUrl",),
    "schemes.resolving": ("resolve",),
    "schemes.validation": ("Caution", "Violation"),
    "schemes.telnet": ("TelnetUrl",),
    "schemes.urn": ("UrnUrl",),
    "schemes.value": ("Url",),
    "schemes.wais": ("WaisUrl",),
    "schemes.web": ("HttpUrl",),
}
_STAGE_OF = {name: stage for stage, names in _STAGES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _STAGE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - imported on first use, as the names

    value: object = getattr(import_module(f"{__name__}.{_STAGE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
