r"""Find the complete URLs in mail, news, HTML and text, and print URLs so that they can be found again.

URLs may be wrapped in ``<URL:...>`` or angle brackets, quoted, bare or abbreviated, broken
over lines, and after quote prefixes. Each is returned on one line, with its scheme; its
record lists the repairs.

What to call for which job:

**The URLs of a text**: `extract` yields a record (`Found`) for each. For each function `extract...` there is
one `examine...`, which also yields what was rejected, with the reason.

>>> from urlextract import extract
>>> text = "> see <URL:http://www.w3.org/TR/\n> REC-xml>."
>>> (found,) = extract(text)
>>> found.url, found.span.of(text)
('http://www.w3.org/TR/REC-xml', '<URL:http://www.w3.org/TR/\n> REC-xml>')
>>> [str(repair) for repair in found.repairs]
['joined 2 lines', 'removed quote prefix "> "']

**The URLs of a message**: `extract_message` takes its bytes, or a `Message` of `read_messages`. `read_texts`
yields the decoded texts in which the spans count, with what was found in each.

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
>>> found.url, found.text
('http://a.example/x', 'the tables')

**The URLs of files**: `extract_source` reads a mailbox, a news spool, a directory, an archive or a stream of
any format; `read_messages` yields the messages in it.

>>> import io
>>> from urlextract import extract_source, read_messages
>>> mailbox = b"From a@b Mon Nov 14 09:12:44 1994\nSubject: x\n\nhttp://a.example/\n"
>>> [(found.url, found.message, found.offset) for found in extract_source(io.BytesIO(mailbox))]
[('http://a.example/', 1, 34)]
>>> [message.field("Subject") for message in read_messages(io.BytesIO(mailbox))]
['x']

**An index of what was found**, in an SQLite file that is kept up to date: `index_sources` reads what is new
in mailboxes, directories and streams, and returns what it has done.

>>> import os, sqlite3, tempfile
>>> from urlextract import index_sources
>>> folder = tempfile.TemporaryDirectory()
>>> path = os.path.join(folder.name, "links.db")
>>> index_sources(path, io.BytesIO(mailbox)).places
1
>>> sqlite3.connect(path).execute("SELECT url, subject FROM links").fetchall()
[('http://a.example/', 'x')]
>>> folder.cleanup()

**Options that are made once**, for many texts, whole or in pieces: `Extractor`, `MessageExtractor` and
`HtmlExtractor`.

>>> from urlextract import Extractor
>>> extractor = Extractor(schemes="http")
>>> [found.url for found in extractor("http://a.example/ or ftp://b.example/")]
['http://a.example/']
>>> [found.url for piece in ("http://a.ex", "ample/ and") for found in extractor.feed(piece)]
['http://a.example/']
>>> extractor.close()
[]

**Records for other programs**: `Found.to_dict` is the record that ``urlextract -j`` prints,
`Found.from_dict` reads it, `Found.schema` returns its JSON Schema.

>>> record = found.to_dict()
>>> record["url"], record["host"], record["line"]
('http://a.example/x', 'a.example', 1)

pandas and polars take records: ``DataFrame(map(Found.to_dict, found))``; polars asks for
``infer_schema_length=None``. ``msgspec.json`` and pydantic's ``TypeAdapter(Found)`` read and write `Found`.

**The components of a URL**: `parse_url` returns a value of the type of its scheme, one of `urlextract.urls`;
`Url.join` takes a relative reference, `Url.key` is equal for URLs that are the same. A record has the same as
``found.parse()``.

>>> from urlextract import parse_url
>>> url = parse_url("ftp://info.cern.ch/pub/www/doc;type=d")
>>> url.host, url.cwd, url.typecode
('info.cern.ch', ('pub', 'www'), 'd')

**Where a link leads**: `unwrap` returns the target of one that a gateway of mail has rewritten, without a
network; a record has ``unwrapped`` and ``wrapped_by``, and the option ``unwrap`` yields the targets.
`compare_link` says whether the text of a link deceives.

>>> from urlextract import compare_link, unwrap
>>> unwrap("https://urldefense.com/v3/__https://a.example/x__;!!b!c$").url
'https://a.example/x'
>>> str(compare_link("www.bank.example", "https://evil.example/").defect)
'shows-another-domain: www.bank.example, leads to evil.example'

**Defanged URLs**: `defang` writes a URL so that nobody follows it, `refang` reads one; with
``refang=True``, they are found in texts.

>>> from urlextract import defang, refang
>>> defang("https://www.example.com/x"), refang("hxxp[:]//example(dot)com/x")
('hxxps://www[.]example[.]com/x', 'http://example.com/x')
>>> [found.url for found in extract("It is at hxxp://example[.]com/x.", refang=True)]
['http://example.com/x']

**URLs in print**: `format_url` breaks a URL over lines so that it can be found again; `mend` makes the broken
URLs of a text whole and changes no other line; `replace_urls` puts other text in place of URLs; `rewrap`
fills a text with its URLs as units.

>>> from urlextract import format_url
>>> print(format_url("http://www.w3.org/TR/REC-xml", width=24))
<URL:http://www.w3.org/
 TR/REC-xml>

**Options**: the functions that find URLs share keywords, which `extract`, `extract_html` and
`extract_message` explain; `urlextract.types.Options` has all of them. Where several values are meant, one
need not be in a list.

**Errors**: wrong values of arguments raise `ValueError` at the call, unknown arguments `TypeError`, and so do
those that would change nothing. No text, message or file makes these functions raise: what is odd is a defect
of the record. `SourceError` is an `OSError`: a source that cannot be read, or not to its end.
`UrlSyntaxError` is a `ValueError`: a text that `parse_url` cannot parse. All others are in
`urlextract.errors`.

**Types**: those of arguments, codes and records are in `urlextract.types`, those of single schemes in
`urlextract.urls`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlextract.errors import SourceError, UrlExtractError, UrlSyntaxError
    from urlextract.formatter.printing import format_url
    from urlextract.formatter.texts.repairing import mend
    from urlextract.formatter.texts.replacing import replace_urls
    from urlextract.formatter.texts.rewrapping import rewrap
    from urlextract.grammar.defanged import defang, refang
    from urlextract.index.indexing import index_sources
    from urlextract.pipeline.entry import (
        examine,
        examine_html,
        examine_message,
        examine_source,
        extract,
        extract_html,
        extract_message,
        extract_source,
        read_messages,
        read_texts,
    )
    from urlextract.pipeline.feeding import Extractor, HtmlExtractor, MessageExtractor
    from urlextract.pipeline.links import LinkComparison, compare_link
    from urlextract.records import Span
    from urlextract.results import Found, Message, PartText, Rejection
    from urlextract.schemes.gateways import Unwrapped, unwrap
    from urlextract.schemes.url import Url, parse_url

__all__ = [
    "Extractor",
    "Found",
    "HtmlExtractor",
    "LinkComparison",
    "Message",
    "MessageExtractor",
    "PartText",
    "Rejection",
    "SourceError",
    "Span",
    "Unwrapped",
    "Url",
    "UrlExtractError",
    "UrlSyntaxError",
    "compare_link",
    "defang",
    "examine",
    "examine_html",
    "examine_message",
    "examine_source",
    "extract",
    "extract_html",
    "extract_message",
    "extract_source",
    "format_url",
    "index_sources",
    "mend",
    "parse_url",
    "read_messages",
    "read_texts",
    "refang",
    "replace_urls",
    "rewrap",
    "unwrap",
]

__version__ = "0.1.0"

# Names are imported from their modules on first use: importing this package takes about a
# millisecond, and a program that only parses URLs does not load the scanner.
_MODULES = {
    "errors": (
        "SourceError",
        "UrlExtractError",
        "UrlSyntaxError",
    ),
    "formatter.printing": ("format_url",),
    "formatter.texts.repairing": ("mend",),
    "formatter.texts.replacing": ("replace_urls",),
    "formatter.texts.rewrapping": ("rewrap",),
    "grammar.defanged": (
        "defang",
        "refang",
    ),
    "index.indexing": ("index_sources",),
    "pipeline.entry": (
        "examine",
        "examine_html",
        "examine_message",
        "examine_source",
        "extract",
        "extract_html",
        "extract_message",
        "extract_source",
        "read_messages",
        "read_texts",
    ),
    "pipeline.feeding": (
        "Extractor",
        "HtmlExtractor",
        "MessageExtractor",
    ),
    "pipeline.links": (
        "LinkComparison",
        "compare_link",
    ),
    "records": ("Span",),
    "results": (
        "Found",
        "Message",
        "PartText",
        "Rejection",
    ),
    "schemes.gateways": (
        "Unwrapped",
        "unwrap",
    ),
    "schemes.url": (
        "Url",
        "parse_url",
    ),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
