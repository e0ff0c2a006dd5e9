r"""Find the complete URLs in mail, news, HTML and text, and print URLs so that they can be found again.

URLs may be wrapped in ``<URL:...>`` or angle brackets, quoted, bare or abbreviated, broken
over lines, and after quote prefixes. Each is returned on one line, with its scheme; its
record lists the repairs.

What to call for which job:

**The URLs of a text**: `extract` yields a record (`Found`) for each, `extract_urls` only the URLs.
`examine` also yields what was rejected, with the reason.

>>> from urlextract import extract, extract_urls
>>> text = "> see <URL:http://www.w3.org/TR/\n> REC-xml>."
>>> list(extract_urls(text))
['http://www.w3.org/TR/REC-xml']
>>> (found,) = extract(text)
>>> found.span.of(text), found.repairs
('<URL:http://www.w3.org/TR/\n> REC-xml>', ('joined 2 lines', 'removed quote prefix "> "'))

**The URLs of a message**: `extract_message` takes its bytes, `examine_message` also yields what was
rejected. `read_texts` yields the decoded texts in which the spans count, with what was found in each.

>>> from urlextract import extract_message, read_texts
>>> message = b"Subject: tides\nContent-Transfer-Encoding: quoted-printable\n\nsee http://a.ex=\nample/\n"
>>> [(found.url, found.subject) for found in extract_message(message)]
[('http://a.example/', 'tides')]
>>> for part in read_texts(message):
...     print(repr(part.text), [found.span for found in part.found])
'see http://a.example/\n' [Span(start=4, end=21)]

**The URLs of an HTML page**, with the words of its links: `extract_html`.

>>> from urlextract import extract_html
>>> (found,) = extract_html("<a href='/x'>the tables</a>", base="http://a.example/")
>>> found.url, found.link.text
('http://a.example/x', 'the tables')

**The URLs of files**: `extract_source` and `examine_source` read a mailbox, a news spool, a directory,
an archive or a stream of any format; `read_messages` yields the messages in it.

>>> import io
>>> from urlextract import extract_source, read_messages
>>> mailbox = b"From a@b Mon Nov 14 09:12:44 1994\nSubject: x\n\nhttp://a.example/\n"
>>> [(found.url, found.message, found.offset) for found in extract_source(io.BytesIO(mailbox))]
[('http://a.example/', 1, 34)]
>>> [message.field("Subject") for message in read_messages(io.BytesIO(mailbox))]
['x']

**An index of what was found**, in an SQLite file that is kept up to date: `index_sources` reads what is new
in mailboxes, directories and streams, and returns an `IndexRun`.

>>> import os, sqlite3, tempfile
>>> from urlextract import index_sources
>>> folder = tempfile.TemporaryDirectory()
>>> path = os.path.join(folder.name, "links.db")
>>> index_sources(path, io.BytesIO(mailbox)).places
1
>>> sqlite3.connect(path).execute("SELECT url, subject FROM links").fetchall()
[('http://a.example/', 'x')]
>>> folder.cleanup()

**Text or mail that arrives in pieces**: `Extractor`, `MessageExtractor`, and `aextract` for `asyncio`.

>>> from urlextract import Extractor
>>> extractor = Extractor()
>>> [found.url for piece in ("http://a.ex", "ample/ and") for found in extractor.feed(piece)]
['http://a.example/']
>>> extractor.close()
[]

**Records for other programs**: `Found.to_dict` is the record that ``urlextract -j`` prints,
`Found.from_dict` reads it, `record_schema` is its JSON Schema.

>>> record = found.to_dict()
>>> record["url"], record["host"], record["line"]
('http://a.example/x', 'a.example', 1)

**The components of a URL**: `parse_url` returns a value of the type of its scheme; `resolve` takes a
relative reference, `same_resource` compares two URLs. A record has the same as ``found.parse()``.

>>> from urlextract import parse_url
>>> url = parse_url("ftp://info.cern.ch/pub/www/doc;type=d")
>>> url.host, url.cwd, url.typecode
('info.cern.ch', ('pub', 'www'), 'd')

**Where a link leads** that a gateway of mail has rewritten: `unwrap`, without a network. A record has
``unwrapped`` and ``wrapped_by``, and the option ``unwrap`` yields the targets.

>>> from urlextract import unwrap
>>> unwrap("https://urldefense.com/v3/__https://a.example/x__;!!b!c$").url
'https://a.example/x'

**Defanged URLs**: `defang` writes a URL so that nobody follows it, `refang` reads one; with
``refang=True``, they are found in texts.

>>> from urlextract import defang, refang
>>> defang("https://www.example.com/x"), refang("hxxp[:]//example(dot)com/x")
('hxxps://www[.]example[.]com/x', 'http://example.com/x')
>>> list(extract_urls("It is at hxxp://example[.]com/x.", refang=True))
['http://example.com/x']

**URLs in print**: `format_url` breaks a URL over lines so that it can be found again, `break_points` are
the places where it may, each a `BreakPoint`; `mend` makes the broken URLs of a text whole and changes no
other line; `replace_urls` puts other text in place of URLs; `rewrap` fills a text with its URLs as units;
`to_refs` moves its URLs into numbered references at its end, `from_refs` moves them back.

>>> from urlextract import format_url
>>> print(format_url("http://www.w3.org/TR/REC-xml", width=24))
<URL:http://www.w3.org/
 TR/REC-xml>

**Options**: the functions that find URLs share the keywords of `Options`, which `extract` explains.

**Errors**: wrong values of arguments raise `ValueError` at the call, unknown arguments `TypeError`. No text,
message or file makes these functions raise: what is odd is a defect of the record. `SourceError` is an
`OSError`: a source that cannot be read, or not to its end; so is `IndexFileError`, of an index.
`UrlSyntaxError` is a `ValueError`: a text that `parse_url` cannot parse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlextract.errors import (
        FormatError,
        IndexFileError,
        RewrapError,
        SourceError,
        SourceNotFoundError,
        UrlExtractError,
        UrlSyntaxError,
        WidthError,
    )
    from urlextract.formatter.opportunities import BreakPoint
    from urlextract.formatter.printable import HostLetters
    from urlextract.formatter.printing import Overflow, break_points, format_url
    from urlextract.formatter.targets import Target, Wrapper
    from urlextract.formatter.texts.numbering import from_refs, to_refs
    from urlextract.formatter.texts.repairing import mend
    from urlextract.formatter.texts.replacing import replace_urls
    from urlextract.formatter.texts.rewrapping import Policy, rewrap
    from urlextract.grammar.defanged import defang, refang
    from urlextract.grammar.registry import SCHEMES, Scheme
    from urlextract.index.indexing import IndexRun, index_sources
    from urlextract.linebreaks.joining import Hyphen, Join, rejoin
    from urlextract.pipeline.entry import (
        examine,
        examine_message,
        examine_source,
        extract,
        extract_html,
        extract_message,
        extract_source,
        extract_urls,
        read_messages,
        read_texts,
    )
    from urlextract.pipeline.feeding import Extractor, MessageExtractor, aextract
    from urlextract.pipeline.options import Options
    from urlextract.records import (
        Alternative,
        Candidate,
        Defect,
        DefectCode,
        Difference,
        Form,
        Link,
        Origin,
        Part,
        Quoted,
        Rejoined,
        Repair,
        RepairCode,
        Signature,
        SourceFormat,
        Span,
    )
    from urlextract.results import Found, Message, PartText, Rejection, View
    from urlextract.scanner.stream import Scanner
    from urlextract.schema import record_schema
    from urlextract.schemes.comparing import same_resource
    from urlextract.schemes.gateways import Unwrapped, gateway_of, unwrap
    from urlextract.schemes.ldap import LdapExtension, LdapUrl
    from urlextract.schemes.local import AboutUrl, AfsUrl, FileUrl, InfoUrl, ManUrl, WhatisUrl
    from urlextract.schemes.messages import CidUrl, MailtoUrl, MidUrl, NewsUrl, NntpUrl
    from urlextract.schemes.rfc1738 import FtpUrl, GopherUrl, HttpUrl, ProsperoUrl, TelnetUrl, WaisUrl
    from urlextract.schemes.url import ResolveRules, Rules, Url, parse_url, resolve
    from urlextract.schemes.urn import UrnUrl
    from urlextract.schemes.validation import Caution, Violation

__all__ = [
    "SCHEMES",
    "AboutUrl",
    "AfsUrl",
    "Alternative",
    "BreakPoint",
    "Candidate",
    "Caution",
    "CidUrl",
    "Defect",
    "DefectCode",
    "Difference",
    "Extractor",
    "FileUrl",
    "Form",
    "FormatError",
    "Found",
    "FtpUrl",
    "GopherUrl",
    "HostLetters",
    "HttpUrl",
    "Hyphen",
    "IndexFileError",
    "IndexRun",
    "InfoUrl",
    "Join",
    "LdapExtension",
    "LdapUrl",
    "Link",
    "MailtoUrl",
    "ManUrl",
    "Message",
    "MessageExtractor",
    "MidUrl",
    "NewsUrl",
    "NntpUrl",
    "Options",
    "Origin",
    "Overflow",
    "Part",
    "PartText",
    "Policy",
    "ProsperoUrl",
    "Quoted",
    "Rejection",
    "Rejoined",
    "Repair",
    "RepairCode",
    "ResolveRules",
    "RewrapError",
    "Rules",
    "Scanner",
    "Scheme",
    "Signature",
    "SourceError",
    "SourceFormat",
    "SourceNotFoundError",
    "Span",
    "Target",
    "TelnetUrl",
    "Unwrapped",
    "Url",
    "UrlExtractError",
    "UrlSyntaxError",
    "UrnUrl",
    "View",
    "Violation",
    "WaisUrl",
    "WhatisUrl",
    "WidthError",
    "Wrapper",
    "aextract",
    "break_points",
    "defang",
    "examine",
    "examine_message",
    "examine_source",
    "extract",
    "extract_html",
    "extract_message",
    "extract_source",
    "extract_urls",
    "format_url",
    "from_refs",
    "gateway_of",
    "index_sources",
    "mend",
    "parse_url",
    "read_messages",
    "read_texts",
    "record_schema",
    "refang",
    "rejoin",
    "replace_urls",
    "resolve",
    "rewrap",
    "same_resource",
    "to_refs",
    "unwrap",
]

__version__ = "0.1.0"

# Names are imported from their modules on first use: importing this package takes about a
# millisecond, and a program that only parses URLs does not load the scanner.
_STAGES = {
    "schema": ("record_schema",),
    "errors": (
        "FormatError",
        "IndexFileError",
        "RewrapError",
        "SourceError",
        "SourceNotFoundError",
        "UrlExtractError",
        "UrlSyntaxError",
        "WidthError",
    ),
    "formatter.opportunities": ("BreakPoint",),
    "formatter.printable": ("HostLetters",),
    "formatter.printing": (
        "Overflow",
        "break_points",
        "format_url",
    ),
    "formatter.targets": (
        "Target",
        "Wrapper",
    ),
    "formatter.texts.numbering": (
        "from_refs",
        "to_refs",
    ),
    "formatter.texts.repairing": ("mend",),
    "formatter.texts.replacing": ("replace_urls",),
    "formatter.texts.rewrapping": (
        "Policy",
        "rewrap",
    ),
    "grammar.defanged": (
        "defang",
        "refang",
    ),
    "grammar.registry": (
        "SCHEMES",
        "Scheme",
    ),
    "index.indexing": ("IndexRun", "index_sources"),
    "linebreaks.joining": (
        "Hyphen",
        "Join",
        "rejoin",
    ),
    "pipeline.entry": (
        "examine",
        "examine_message",
        "examine_source",
        "extract",
        "extract_html",
        "extract_message",
        "extract_source",
        "extract_urls",
        "read_messages",
        "read_texts",
    ),
    "pipeline.feeding": (
        "Extractor",
        "MessageExtractor",
        "aextract",
    ),
    "pipeline.options": ("Options",),
    "records": (
        "Alternative",
        "Candidate",
        "Defect",
        "DefectCode",
        "Difference",
        "Form",
        "Link",
        "Origin",
        "Part",
        "Quoted",
        "Rejoined",
        "Repair",
        "RepairCode",
        "Signature",
        "SourceFormat",
        "Span",
    ),
    "results": (
        "Found",
        "Message",
        "PartText",
        "Rejection",
        "View",
    ),
    "scanner.stream": ("Scanner",),
    "schemes.comparing": ("same_resource",),
    "schemes.gateways": (
        "Unwrapped",
        "gateway_of",
        "unwrap",
    ),
    "schemes.ldap": (
        "LdapExtension",
        "LdapUrl",
    ),
    "schemes.local": (
        "AboutUrl",
        "AfsUrl",
        "FileUrl",
        "InfoUrl",
        "ManUrl",
        "WhatisUrl",
    ),
    "schemes.messages": (
        "CidUrl",
        "MailtoUrl",
        "MidUrl",
        "NewsUrl",
        "NntpUrl",
    ),
    "schemes.rfc1738": (
        "FtpUrl",
        "GopherUrl",
        "HttpUrl",
        "ProsperoUrl",
        "TelnetUrl",
        "WaisUrl",
    ),
    "schemes.url": (
        "ResolveRules",
        "Rules",
        "Url",
        "parse_url",
        "resolve",
    ),
    "schemes.urn": ("UrnUrl",),
    "schemes.validation": (
        "Caution",
        "Violation",
    ),
}
_STAGE_OF = {name: stage for stage, names in _STAGES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _STAGE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{_STAGE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
