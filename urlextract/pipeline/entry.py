"""The public functions, which return the records of a text, a message, a page or a source.

Each reads its arguments, and returns what one of the functions ``..._results`` yields for them; `Extractor`
and `MessageExtractor` do the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, Protocol, TypeVar, Unpack, cast, overload

from urlextract.arguments import check_function, check_switches, listed
from urlextract.errors import OnDamage, SourceError, SourceNotFoundError, raise_first
from urlextract.grammar.patterns import lazy_re
from urlextract.message.html_page import Page, Readable
from urlextract.pipeline.item_results import read_items, read_pages
from urlextract.pipeline.options import (
    ExtractOptions,
    HtmlOptions,
    MessageOptions,
    Options,
    TextOptions,
    options_of,
    takes_options,
)
from urlextract.pipeline.page_source import pages_of, pages_of_text
from urlextract.pipeline.texts import Records, Result
from urlextract.records import Item, Provenance, RawMessage, RawText, Segment, SourceFormat, text_key
from urlextract.results import Found, Message, PartText, Rejection, View
from urlextract.sources.folders.tree import TreeFilter
from urlextract.sources.reading import read_source
from urlextract.sources.streams import in_blocks


class EmailMessage(Protocol):
    """An `email.message.Message`, by what is asked of it: that module is not loaded."""

    def as_bytes(self, unixfrom: bool = False, policy: Any = None) -> bytes:
        """Return the message as it is sent."""


_Item = TypeVar("_Item")
Bytes = bytes | bytearray | memoryview
BYTES = (bytes, bytearray, memoryview)
AnyMessage = Bytes | Message | EmailMessage
Markup = str | Bytes | Iterable[str] | Iterable[bytes]
_OF_A_PAGE = Provenance(media_type="text/html")
_SLICE = 1 << 16  # characters
_NO_OCTET = lazy_re("[\ud800-\udc7f\udd00-\udfff]")  # surrogates that stand for none


# --- the results of a text, a page, a message ------------------------------------------------------


def text_results(
    text: str | Iterable[str], options: ExtractOptions, *, explains: bool = False
) -> Iterator[Result]:
    """Yield the results of a text, or of a text in pieces."""
    pieces: Iterable[str] = text
    if isinstance(text, str):
        pieces = _slices_of(text) if len(text) > _SLICE else (text,)
    elif isinstance(text, BYTES) or not isinstance(text, Iterable):
        kind = type(text).__name__
        raise TypeError(
            f"text is {kind}, not str or str in pieces: extract_message and extract_source read bytes"
        )
    return Records(options, explains=explains).of_text(pieces, Provenance())


def _slices_of(text: str) -> Iterator[str]:
    """Yield the text in slices, so that its first URLs are found before all of it is read."""
    for start in range(0, len(text), _SLICE):
        yield text[start : start + _SLICE]


def page_results(markup: Markup, options: ExtractOptions, *, explains: bool = False) -> Iterator[Result]:
    """Yield the results of a page of HTML: a text or bytes, or pieces of either."""
    pieces = (markup,) if isinstance(markup, (str, *BYTES)) else markup
    if not isinstance(pieces, Iterable):
        raise TypeError(f"markup is {type(markup).__name__}: it is str or bytes, or pieces of either")
    return read_pages(_pages_of(iter(pieces), options), options, explains=explains)


def _pages_of(pieces: Iterator[Any], options: ExtractOptions) -> Iterator[Page]:
    first = next(pieces, "")
    whole = chain((first,), pieces)
    if isinstance(first, str):
        return pages_of_text(chain.from_iterable(map(_slices_of, whole)), _OF_A_PAGE, options)
    if not isinstance(first, BYTES):
        raise TypeError(f"markup is in pieces of {type(first).__name__}: they are str or bytes")
    blocks = chain.from_iterable(in_blocks(bytes(memoryview(piece))) for piece in whole)
    return pages_of(RawText(blocks, _OF_A_PAGE, is_page=True), options)


def message_results(
    message: RawMessage, options: ExtractOptions, on_damage: OnDamage | None, *, explains: bool = False
) -> Iterator[Result]:
    """Yield the results of a message."""
    return read_items([message], options, explains=explains, on_damage=on_damage)


def raw_message(data: AnyMessage, source: str | None, on_damage: OnDamage | None = None) -> RawMessage:
    """Return a message as it is read; ``source`` is its name, by default that which a `Message` has."""
    if not isinstance(source, str | None):
        raise TypeError(f"source is {type(source).__name__}: it is the name of the message, a str")
    check_function("on_damage", on_damage, "a SourceError")
    if isinstance(data, Message):
        name = data.source if source is None else source
        verbatim = sys.maxsize if data.is_verbatim else 0
        provenance = Provenance(name, data.number, data.offset, data.length)
        return RawMessage(data.data, provenance, verbatim, defects=data.defects)
    if not isinstance(data, BYTES):
        if not hasattr(data, "as_bytes"):
            kind = type(data).__name__
            raise TypeError(
                f"a message is bytes, a Message or an email.message.Message, not {kind}: extract reads text"
            )
        data = _written(data)
    return RawMessage(bytes(data), Provenance(source=source, message=1, offset=0, length=len(data)))


def _written(message: Any) -> bytes:
    """Return the bytes of an `email.message.Message`, without new line ends in its header fields.

    One that was put together may have what cannot be written: of that, the fields and texts are returned.
    """
    try:
        return bytes(message.as_bytes(policy=message.policy.clone(max_line_length=None)))
    except Exception:  # the standard library raises errors of ten types
        fields = [f"{name}: {value}" for name, value in message.raw_items() if name[:8].lower() != "content-"]
        text = "\n".join((*fields, "", *_texts_in(message)))
        return _NO_OCTET.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def _texts_in(message: Any) -> Iterator[str]:
    """Yield the texts of an `email.message.Message` and of its parts, in order."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        content = getattr(part, "_payload", part)  # `get_payload` raises for some
        if isinstance(content, list):
            waiting += reversed(content)
        elif isinstance(content, str | bytes):
            yield content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")


# --- the results of a source ----------------------------------------------------------------------


class SourceArguments(NamedTuple):
    """A source, and how it is read: the arguments of `extract_source`."""

    source: str | os.PathLike[str] | BinaryIO
    format: SourceFormat = "auto"
    name: str | None = None
    include: str | Iterable[str] = ()
    exclude: str | Iterable[str] = ()
    follow: bool = False
    on_damage: OnDamage | None = None

    def results(self, options: ExtractOptions, *, explains: bool = False) -> Iterator[Result]:
        """Yield the results of the source."""
        items, damage, on_damage = self._items()
        results = read_items(items, options, explains=explains, on_damage=on_damage)
        return _until_damage(results, damage)

    def messages(self) -> Iterator[Message]:
        """Yield the messages of the source."""
        items, damage, _ = self._items()
        return _until_damage(_whole_messages(items), damage)

    def _items(self) -> tuple[Iterator[Item], list[SourceError], OnDamage]:
        """Return the items of the source, the damage if ``on_damage`` is not to get it, and what gets it."""
        source, name, on_damage = self.source, self.name, self.on_damage
        check_source(source, is_told=on_damage is not None)
        check_function("on_damage", on_damage, "a SourceError")
        if not isinstance(name, str | None):
            raise TypeError(f"name is {type(name).__name__}: it is the name of the source, a str")
        damage: list[SourceError] = []
        told = on_damage or damage.append
        tree_filter = tree_filter_of(self.include, self.exclude, follow=self.follow)
        items = read_source(source, self.format, name=name, on_damage=told, tree_filter=tree_filter)
        return items, damage, told


def check_source(source: object, *, is_told: bool) -> None:
    """Raise `TypeError` if ``source`` is no source, `SourceError` if its path leads to nothing."""
    if isinstance(source, BYTES):
        raise TypeError("source is bytes, not a path or a stream: extract_message reads a message in memory")
    if hasattr(source, "read"):
        return
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"source is {type(source).__name__}: it is a path or a binary stream")
    path = os.fsdecode(source)
    if is_told or path == "-" or "\0" in path:
        return
    try:
        os.lstat(path)
    except FileNotFoundError as error:
        raise SourceNotFoundError(path, str(error.strerror), errno=error.errno) from None
    except OSError as error:
        raise SourceError(path, str(error.strerror), errno=error.errno) from None


def tree_filter_of(include: str | Iterable[str], exclude: str | Iterable[str], *, follow: bool) -> TreeFilter:
    """Return what is read of directories; a lone pattern need not be in a list."""
    check_switches(follow=follow)
    return TreeFilter(listed("include", include), listed("exclude", exclude), follow)


def _until_damage(results: Iterator[_Item], damage: list[SourceError]) -> Iterator[_Item]:
    yield from results
    raise_first(damage)


def _whole_messages(items: Iterator[Item]) -> Iterator[Message]:
    for item in items:
        if isinstance(item, RawMessage):
            data = item.data if item.rest is None else b"".join((item.data, *item.rest))
            source, number, offset = item.provenance.source, item.provenance.message, item.provenance.offset
            length = item.provenance.length or len(data)
            is_verbatim = length == len(data) <= item.verbatim and offset is not None
            yield Message(data, source, number, offset, length, item.defects, is_verbatim)
        elif isinstance(item, RawText):
            for _ in item.chunks:  # to its end, so that the next item can be read
                pass


# --- the public functions -------------------------------------------------------------------------


@takes_options(TextOptions)
def extract(text: str | Iterable[str], **options: Unpack[TextOptions]) -> Iterator[Found]:
    r"""Yield the URLs of a text, or of a text in pieces, in order and as soon as each is certain.

    Spans are half-open, and count characters from the start of the text.

    Which URLs: ``schemes``, ``forms`` (see `urlextract.types.Form`), ``hosts`` and ``domains``, by default
    all; one value need not be in a list. A scheme that is named is found also without ``//``; "any" accepts
    unregistered ones. ``hosts`` and ``not_hosts`` are patterns as in the shell; ".a.example" is a.example and
    all below it. ``domains`` are registered domains. ``grep`` is a pattern (of the package `regex`) of the
    URL or the words of its link. ``bracketed`` URLs are those in angle brackets, ``valid`` ones fit a grammar
    of their scheme. More are found with ``relaxed`` (hosts without a scheme, as "github.com/x"), ``emails``
    (mail addresses, as ``mailto:``) and ``refang`` ("hxxp://example[.]com").

    Line ends: ``join`` is "none"; "delimited", in brackets or quotes; "safe", also bare URLs that certainly
    go on; "likely", also those that probably do. One that may go on has the defect "may-continue", and the
    joined one as an alternative. ``hyphen``: a hyphen before a line end is to
    "keep", to "drop", or "both", one result for each.

    Targets: ``unwrap`` puts the target in place of a link that a gateway of mail has rewritten (see
    `unwrap`). ``gateways`` are gateways of one's own, such as ``("links.corp.example/r", "u")``: a host, with
    a folder or without, and the parameter that holds the target.

    Lines: ``quoted="skip"`` leaves out quoted lines, "only" all others; ``signature="skip"`` signatures.

    Records have the text around the place with ``context``, and with ``parse`` the components of the URL, its
    violations and warnings.

    >>> [found.url for found in extract("see <http://www.w3.org/TR/\nREC-xml> and www.w3.org.")]
    ['http://www.w3.org/TR/REC-xml', 'http://www.w3.org']
    """
    return cast(Iterator[Found], text_results(text, options_of(options, TextOptions)))


@takes_options(MessageOptions)
def extract_message(
    data: AnyMessage,
    *,
    source: str | None = None,
    on_damage: OnDamage | None = None,
    **options: Unpack[MessageOptions],
) -> Iterator[Found]:
    r"""Yield the URLs of one message of mail or news: those of its header fields, then of its parts.

    ``data`` is its bytes, a `Message` of `read_messages`, or an `email.message.Message`. ``source`` is the
    name of its source in the records. Spans count characters in the decoded text of the part: see
    `read_texts`. ``on_damage`` is called with a `SourceError` for each part with text that cannot be read.

    Options beside those of `extract`: ``parts`` are the kinds of parts to read ("text", "html", "headers",
    "attach"), ``charset`` that of texts that declare none. Messages dated before ``since`` or after ``until``
    are left out: a date, a `timedelta`, or a text such as "2024-01-31" or "7d"; so are those
    without the words ``sender`` in From, and ``subject`` in Subject. ``links`` leaves out images, styles and
    scripts.

    >>> [f.url for f in extract_message(b"Subject: http://a.example/\n\nsee http://b.example/\n")]
    ['http://a.example/', 'http://b.example/']
    """
    message, chosen = raw_message(data, source, on_damage), options_of(options, MessageOptions)
    return cast(Iterator[Found], message_results(message, chosen, on_damage))


@takes_options(HtmlOptions)
def extract_html(markup: Markup, **options: Unpack[HtmlOptions]) -> Iterator[Found]:
    """Yield the URLs of an HTML page, or of a page in pieces, in the order of its markup.

    Spans count characters of the markup. Options beside those of `extract`: ``base`` is the URL of the page,
    to which references are relative, if it has no ``base`` element; without either, they are left out.
    ``links`` is as for `extract_message`, ``charset`` is that of bytes that declare none.

    >>> page = "<a href='../b'>here</a>, or see www.a.example"
    >>> [(found.url, found.span.of(page)) for found in extract_html(page, base="http://a.example/x/y")]
    [('http://a.example/b', '../b'), ('http://www.a.example', 'www.a.example')]
    """
    return cast(Iterator[Found], page_results(markup, options_of(options, HtmlOptions)))


@takes_options()
def extract_source(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    name: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    follow: bool = False,
    on_damage: OnDamage | None = None,
    **options: Unpack[Options],
) -> Iterator[Found]:
    """Yield the URLs of a file, a directory or a binary stream; ``"-"`` is standard input.

    ``format`` is "text", "html", "xml", "calendar", "csv", "message", "mbox", "rnews", "nntp", "mmdf",
    "warc", "emlx", "maildir", "inbox" or "tree"; "auto" detects it. ``name`` is that of the source in
    records, by default the path. In directories, files whose names match a pattern of ``include`` (by default
    all) and none of ``exclude`` are read; symbolic links only with ``follow``.

    ``on_damage`` is called with a `SourceError` for whatever cannot be read. Without it, the first one is
    raised after the last URL, and `FileNotFoundError` at once.

    >>> import io
    >>> [found.url for found in extract_source(io.BytesIO(b"see http://example.org/."))]
    ['http://example.org/']
    """
    read = SourceArguments(source, format, name, include, exclude, follow, on_damage)
    return cast(Iterator[Found], read.results(options_of(options)))


@overload
def examine(text: str | Iterable[str], **options: Unpack[TextOptions]) -> Iterator[Found | Rejection]: ...
@overload
def examine(
    *,
    message: AnyMessage,
    source: str | None = None,
    on_damage: OnDamage | None = None,
    **options: Unpack[MessageOptions],
) -> Iterator[Found | Rejection]: ...
@overload
def examine(*, html: Markup, **options: Unpack[HtmlOptions]) -> Iterator[Found | Rejection]: ...
@overload
def examine(
    *,
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    name: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    follow: bool = False,
    on_damage: OnDamage | None = None,
    **options: Unpack[Options],
) -> Iterator[Found | Rejection]: ...
@takes_options()
def examine(
    text: Any = None, *, message: Any = None, html: Any = None, source: Any = None, **options: Any
) -> Iterator[Found | Rejection]:
    """Yield what `extract` finds, and each rejected place with the reason, in the order of the text.

    ``message=``, ``html=`` and ``source=`` are read as `extract_message`, `extract_html` and `extract_source`
    do, with their arguments. All results have a context.

    >>> for result in examine("<warning: long> http://example.org/"):
    ...     print(type(result).__name__, result.raw)
    Rejection <warning:
    Found http://example.org/
    """
    given = (text, html, message, source if message is None else None)
    if sum(each is not None for each in given) != 1:
        raise TypeError("examine takes one of these: a text, message=, html= or source=")
    if message is not None:
        on_damage = options.pop("on_damage", None)
        read = raw_message(message, source, on_damage)
        chosen = _explaining(options_of(options, MessageOptions))
        return message_results(read, chosen, on_damage, explains=True)
    if html is not None:
        return page_results(html, options_of(options, HtmlOptions), explains=True)
    if source is not None:
        own = {name: options.pop(name) for name in SourceArguments._fields if name in options}
        return SourceArguments(source, **own).results(_explaining(options_of(options)), explains=True)
    return text_results(text, options_of(options, TextOptions), explains=True)


def _explaining(options: ExtractOptions) -> ExtractOptions:
    """Return the options that also read fields in which only ``relaxed`` or ``emails`` would find URLs."""
    return options._replace(choice=options.choice._replace(schemeless=True))


@takes_options(MessageOptions)
def read_texts(
    data: AnyMessage,
    *,
    source: str | None = None,
    on_damage: OnDamage | None = None,
    **options: Unpack[MessageOptions],
) -> Iterator[PartText]:
    r"""Yield the texts of one message in its order, each with the URLs that were found in it.

    The spans of `extract_message`, whose arguments it has, count in these texts: decoded, line ends as LF,
    lines of format=flowed joined (RFC 3676), header fields unfolded and decoded (RFC 2047), HTML as markup.
    In text/csv, commas are tabs; calendars are unfolded. Texts that can have no URL are left out; lines that
    ``quoted`` and ``signature`` leave out are blank.

    >>> message = b"Content-Type: text/plain; format=flowed\n\nsee \nhttp://a.example/ for more\n"
    >>> [(part.text, [found.span for found in part.found]) for part in read_texts(message)]
    [('see http://a.example/ for more\n', [Span(start=4, end=21)])]
    """
    return _texts(raw_message(data, source, on_damage), options_of(options, MessageOptions), on_damage)


def _texts(message: RawMessage, options: ExtractOptions, on_damage: OnDamage | None) -> Iterator[PartText]:
    texts: list[Readable] = []
    found: dict[object, list[Found]] = {}
    results = read_items(
        [message], options._replace(since=None, until=None), on_damage=on_damage, on_text=texts.append
    )
    for result in results:
        found.setdefault(text_key(result), []).append(cast(Found, result))
    for text in texts:
        where = text.provenance
        here = tuple(found.get(text_key(where), ()))
        view: View = "html" if not isinstance(text, Segment) else "header" if where.header else "text"
        yield PartText(text.text, where.part, where.header, where.media_type, view, here)


def read_messages(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    name: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    follow: bool = False,
    on_damage: OnDamage | None = None,
) -> Iterator[Message]:
    r"""Yield the messages of a file, a directory or a binary stream, in order; other texts are left out.

    The arguments are those of `extract_source`. A message is held in memory as a whole, however large it is.

    >>> import io
    >>> mailbox = io.BytesIO(b"From a@b Mon Nov 14 09:12:44 1994\nSubject: c\n\nhi\n")
    >>> [(message.offset, message.data, message.field("subject")) for message in read_messages(mailbox)]
    [(34, b'Subject: c\n\nhi\n', 'c')]
    """
    return SourceArguments(source, format, name, include, exclude, follow, on_damage).messages()
