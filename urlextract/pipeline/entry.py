"""The public functions, which return the records of a text, a message, a page or a source."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, TypeVar, Unpack, cast

from urlextract.errors import SourceError, SourceNotFoundError
from urlextract.message.html_page import Page, Readable
from urlextract.pipeline.choice import with_targets
from urlextract.pipeline.evidence import Result
from urlextract.pipeline.item_results import masked, read_items, read_pages
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
from urlextract.pipeline.reading import Records
from urlextract.records import Item, Provenance, RawMessage, RawText, Segment, SourceFormat, text_key
from urlextract.results import Found, Message, PartText, Rejection, View
from urlextract.sources.folders.tree import TreeFilter
from urlextract.sources.reading import read_source
from urlextract.sources.streams import in_blocks

_Item = TypeVar("_Item")
_OF_A_PAGE = Provenance(media_type="text/html")
_SLICE = 1 << 16  # characters


Bytes = bytes | bytearray | memoryview
BYTES = (bytes, bytearray, memoryview)


def results_of_text(
    text: str | Iterable[str], options: ExtractOptions, *, explains: bool = False
) -> Iterator[Result]:
    """Yield the results of a text, or of a text in pieces."""
    return with_targets(
        Records(options, explains=explains).of_text(masked(_pieces(text), options), Provenance()), options
    )


def _pieces(text: str | Iterable[str]) -> Iterable[str]:
    if isinstance(text, str):
        return slices_of(text) if len(text) > _SLICE else (text,)
    if isinstance(text, BYTES) or not isinstance(text, Iterable):
        kind = type(text).__name__
        raise TypeError(
            f"text is {kind}, not str or str in pieces: extract_message and extract_source read bytes"
        )
    return text


def slices_of(text: str) -> Iterator[str]:
    """Yield the text in slices, so that its first URLs are found before all of it is read."""
    for start in range(0, len(text), _SLICE):
        yield text[start : start + _SLICE]


def results_of_page(
    markup: str | Bytes | Iterable[str] | Iterable[bytes], options: ExtractOptions, *, explains: bool = False
) -> Iterator[Result]:
    """Yield the results of a page of HTML: a text or bytes, or pieces of either."""
    pieces = (markup,) if isinstance(markup, (str, *BYTES)) else markup
    if not isinstance(pieces, Iterable):
        raise TypeError(f"markup is {type(markup).__name__}: it is str or bytes, or pieces of either")
    return with_targets(read_pages(_pages_of(iter(pieces), options), options, explains=explains), options)


def _pages_of(pieces: Iterator[Any], options: ExtractOptions) -> Iterator[Page]:
    first = next(pieces, "")
    whole = chain((first,), pieces)
    if isinstance(first, str):
        return pages_of_text(chain.from_iterable(map(slices_of, whole)), _OF_A_PAGE, options)
    if not isinstance(first, BYTES):
        raise TypeError(f"markup is in pieces of {type(first).__name__}: they are str or bytes")
    blocks = chain.from_iterable(in_blocks(bytes(memoryview(piece))) for piece in whole)
    return pages_of(RawText(blocks, _OF_A_PAGE, is_page=True), options)


def results_of_message(
    message: RawMessage,
    options: ExtractOptions,
    on_damage: Callable[[SourceError], None] | None,
    *,
    explains: bool = False,
) -> Iterator[Result]:
    """Yield the results of a message."""
    return with_targets(read_items([message], options, explains=explains, on_damage=on_damage), options)


def raw_message(data: Bytes | Message, source: str | None) -> RawMessage:
    """Return a message as it is read; ``source`` is its name, by default that which a `Message` has."""
    if not isinstance(source, str | None):
        raise TypeError(f"source is {type(source).__name__}: it is the name of the message, a str")
    if isinstance(data, Message):
        name = data.source if source is None else source
        verbatim = sys.maxsize if data.is_verbatim else 0
        provenance = Provenance(name, data.number, data.offset, data.length)
        return RawMessage(data.data, provenance, verbatim, defects=data.defects)
    if not isinstance(data, BYTES):
        raise TypeError(f"a message is a Message or bytes, not {type(data).__name__}: extract reads text")
    return RawMessage(bytes(data), Provenance(source=source, message=1, offset=0, length=len(data)))


@takes_options(TextOptions)
def extract(text: str | Iterable[str], **options: Unpack[TextOptions]) -> Iterator[Found]:
    r"""Yield the URLs of a text, or of a text in pieces, in order and as soon as each is certain.

    Spans are half-open, and count characters from the start of the text.

    ``hyphen`` is the preferred reading of hyphens before line breaks: "keep", "drop" or "both" (one result
    for each reading).
    ``join`` selects what is joined over line ends: "none"; "delimited", URLs in brackets or quotes;
    "safe", also bare URLs that certainly continue; "likely", also those that probably continue. A
    bare URL that may continue but was not joined has the defect "may-continue", and the joined URL is
    among its alternatives.

    ``schemes`` and ``forms`` are the schemes and the forms (see `Form`) of the URLs to yield, by
    default all; ``schemes={"any"}`` accepts unregistered schemes, too, and one that is named is accepted
    whether it is registered or not. One value need not be in a list. ``hosts`` are patterns, as in the
    shell, one of which the host must fit, and ``not_hosts`` those that it must not fit: ".a.example" is
    a.example and all below it. ``domains`` are registered domains by the Public Suffix List. They are
    compared with `Found.host`, in either form of international names. With ``bracketed``, only URLs in
    angle brackets are yielded, with ``valid`` only those that fit a grammar of their scheme. With
    ``relaxed``, hosts without a scheme ("github.com/x") are found, too, with ``emails`` also mail
    addresses, as ``mailto:`` URLs, with ``refang`` also defanged URLs ("hxxp://example[.]com"), as those
    that they stand for. With ``context``, results have the text around them (`Found.context`).
    With ``unwrap``, results have the target of a link that a gateway of mail has rewritten (see `unwrap`)
    instead of that link: in ``url``, ``raw`` and all other texts but ``context``. ``gateways`` are gateways
    of one's own, each a pair of its host, with a folder or without, and the name of the parameter that holds
    the target: ``("links.corp.example/r", "u")``.

    ``quoted="skip"`` leaves out quoted lines, "only" all others; ``signature="skip"`` leaves out
    signatures.

    Raise `ValueError` for an unknown value of an argument, and `TypeError` for an unknown argument.

    >>> [found.url for found in extract("see <http://www.w3.org/TR/\nREC-xml> and www.w3.org.")]
    ['http://www.w3.org/TR/REC-xml', 'http://www.w3.org']
    """
    return cast(Iterator[Found], results_of_text(text, options_of(options, TextOptions)))


@takes_options(TextOptions)
def examine(text: str | Iterable[str], **options: Unpack[TextOptions]) -> Iterator[Found | Rejection]:
    """Yield the results of `extract`, and each rejected place with the reason, in order.

    All of them have a context. The arguments and errors are those of `extract`.

    >>> for result in examine("<warning: long> http://example.org/"):
    ...     print(type(result).__name__, result.raw)
    Rejection <warning:
    Found http://example.org/
    """
    return results_of_text(text, options_of(options, TextOptions), explains=True)


@takes_options(MessageOptions)
def extract_message(
    data: Bytes | Message,
    *,
    source: str | None = None,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[MessageOptions],
) -> Iterator[Found]:
    r"""Yield the URLs of one message of mail or news: those of its header fields, then of its parts.

    ``data`` is its bytes, or a `Message` of `read_messages`. Records have ``source`` as the name of their
    source. Spans count characters in the decoded text of the part: see `read_texts`. ``on_damage`` is called
    with a `SourceError` for each part with text that cannot be read.

    ``parts`` are the kinds of parts to read ("text", "html", "headers", "attach"), ``charset`` is the charset
    of texts that declare none, and a message dated before ``since`` or after ``until`` is left out: a date,
    a duration before now as a `timedelta`, or a text such as "2024-01-31", "yesterday" or "7d" (seven days
    ago). A day is meant as a whole. ``links`` leaves out URLs that a reader cannot follow, such as those of
    images, styles and scripts. The other keyword arguments are those of `extract`. Raise `ValueError` for an
    unknown value of an argument, and `TypeError` for an unknown argument.

    >>> [f.url for f in extract_message(b"Subject: http://a.example/\n\nsee http://b.example/\n")]
    ['http://a.example/', 'http://b.example/']
    """
    chosen = options_of(options, MessageOptions)
    return cast(Iterator[Found], results_of_message(raw_message(data, source), chosen, on_damage))


@takes_options(MessageOptions)
def examine_message(
    data: Bytes | Message,
    *,
    source: str | None = None,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[MessageOptions],
) -> Iterator[Found | Rejection]:
    r"""Yield the results of `extract_message`, and each rejected place with the reason, in order.

    All of them have a context. The arguments and errors are those of `extract_message`.

    >>> for result in examine_message(b"Subject: x\n\n<warning: long> http://example.org/"):
    ...     print(type(result).__name__, result.raw)
    Rejection <warning:
    Found http://example.org/
    """
    chosen = _explaining(options_of(options, MessageOptions))
    return results_of_message(raw_message(data, source), chosen, on_damage, explains=True)


def _explaining(options: ExtractOptions) -> ExtractOptions:
    """Return the options that also read fields in which only ``relaxed`` or ``emails`` would find URLs."""
    return options._replace(choice=options.choice._replace(schemeless=True))


@takes_options(MessageOptions)
def read_texts(
    data: Bytes | Message,
    *,
    source: str | None = None,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[MessageOptions],
) -> Iterator[PartText]:
    r"""Yield the texts of one message in its order, each with the URLs that were found in it.

    These are the texts in which the spans of `extract_message` count: with the transfer encoding and
    the charset undone, line ends as LF, lines of format=flowed joined (RFC 3676), header fields unfolded
    and decoded (RFC 2047). The text of HTML is its markup, also for URLs that were found in the visible
    text. In text/csv, commas are tabs; in text/calendar and text/vcard, lines are unfolded and backslashes
    undone.

    Header fields in which there can be no URL are left out, as are blank texts. With ``quoted`` and
    ``signature``, the lines that are not read are blank. The arguments and errors are those of
    `extract_message`; its results have the same origins as the texts they count in.

    >>> message = b"Content-Type: text/plain; format=flowed\n\nsee \nhttp://a.example/ for more\n"
    >>> for part in read_texts(message):
    ...     print(repr(part.text), [found.span.of(part.text) for found in part.found])
    'see http://a.example/ for more\n' ['http://a.example/']
    """
    chosen = options_of(options, MessageOptions)
    return _texts(raw_message(data, source), chosen, on_damage)


def _texts(
    message: RawMessage, options: ExtractOptions, on_damage: Callable[[SourceError], None] | None
) -> Iterator[PartText]:
    texts: list[Readable] = []
    found: dict[object, list[Found]] = {}
    results = read_items(
        [message], options._replace(since=None, until=None), on_damage=on_damage, on_text=texts.append
    )
    for result in with_targets(results, options):
        found.setdefault(text_key(result), []).append(cast(Found, result))
    for text in texts:
        where = text.provenance
        here = tuple(found.get(text_key(where), ()))
        view: View = "html" if not isinstance(text, Segment) else "header" if where.header else "text"
        yield PartText(text.text, where.part, where.header, where.media_type, view, here)


@takes_options(HtmlOptions)
def extract_html(
    markup: str | Bytes | Iterable[str] | Iterable[bytes], **options: Unpack[HtmlOptions]
) -> Iterator[Found]:
    """Yield the URLs of an HTML page, or of a page in pieces, in the order of its markup.

    Spans are half-open, and count characters of the markup. ``text``, ``shown`` and ``differs`` of a result
    compare the URL with the text of its link.

    ``base`` is the URL of the page, the base of its relative references. These are left out if there
    is neither ``base`` nor a ``base`` element. If ``markup`` is bytes, its charset is taken from a
    byte order mark, a ``meta`` element or ``charset``, in this order. ``links`` leaves out URLs that a reader
    cannot follow, such as those of images, styles and scripts. The other keyword arguments are
    those of `extract`. Raise `ValueError` for an unknown value of an argument, and `TypeError` for an
    unknown argument.

    >>> page = "<a href='../b'>here</a>, or see www.a.example"
    >>> for found in extract_html(page, base="http://a.example/x/y"):
    ...     print(found.url, found.span.of(page), found.text)
    http://a.example/b ../b here
    http://www.a.example www.a.example None
    """
    return cast(Iterator[Found], results_of_page(markup, options_of(options, HtmlOptions)))


@takes_options(HtmlOptions)
def examine_html(
    markup: str | Bytes | Iterable[str] | Iterable[bytes], **options: Unpack[HtmlOptions]
) -> Iterator[Found | Rejection]:
    """Yield the results of `extract_html`, and each rejected place with the reason, in order.

    All of them have a context. The arguments and errors are those of `extract_html`.

    >>> rejection, found = examine_html("<a href='javascript:pay()'>www.bank.example</a>")
    >>> rejection.reason, rejection.shown, str(found.defects[0])
    ('a script', 'www.bank.example', 'shows-another-domain: bank.example, leads to a script')
    """
    return results_of_page(markup, options_of(options, HtmlOptions), explains=True)


@takes_options()
def extract_source(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    name: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    follow: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[Options],
) -> Iterator[Found]:
    """Yield the URLs of a file, a directory or a binary stream; ``"-"`` is standard input.

    ``format`` is the format of the source: "text", "html", "xml", "calendar", "csv", "message", "mbox",
    "rnews", "nntp", "mmdf", "warc", "emlx", "maildir", "inbox" or "tree". "auto" detects it from
    the content, and where that says nothing, from the name. Spans count characters in the text of the part.

    ``name`` is the name of the source in records, by default the path, or the attribute ``name`` of a stream.
    In directories, the files are read whose names match a pattern of ``include`` (by default all) and
    no pattern of ``exclude``. Symbolic links in them are read only with ``follow``. The other
    keyword arguments are those of `extract`.

    ``on_damage`` is called with a `SourceError` for whatever cannot be read. Without it, a source that
    does not exist raises `SourceNotFoundError` at once, and the first `SourceError` is raised after the
    last URL. Raise `ValueError` for an unknown value of an argument, and `TypeError` for an
    unknown argument.

    >>> import io
    >>> [found.url for found in extract_source(io.BytesIO(b"see http://example.org/."))]
    ['http://example.org/']
    """
    chosen = options_of(options)
    results = _read_source(source, format, name, include, exclude, chosen, follow=follow, on_damage=on_damage)
    return cast(Iterator[Found], results)


@takes_options()
def examine_source(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    name: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    follow: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[Options],
) -> Iterator[Found | Rejection]:
    """Yield the results of `extract_source`, and each rejected place with the reason, in order.

    All of them have a context. The arguments and errors are those of `extract_source`.

    >>> import io
    >>> for result in examine_source(io.BytesIO(b"<warning: long> http://example.org/")):
    ...     print(type(result).__name__, result.raw)
    Rejection <warning:
    Found http://example.org/
    """
    chosen = _explaining(options_of(options))
    return _read_source(
        source, format, name, include, exclude, chosen, follow=follow, on_damage=on_damage, explains=True
    )


def _read_source(  # noqa: PLR0917 - the arguments of `extract_source`
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat,
    name: str | None,
    include: str | Iterable[str],
    exclude: str | Iterable[str],
    options: ExtractOptions,
    *,
    follow: bool,
    on_damage: Callable[[SourceError], None] | None,
    explains: bool = False,
) -> Iterator[Result]:
    items, damage, told = _items(source, format, name, include, exclude, follow=follow, on_damage=on_damage)
    results = read_items(items, options, explains=explains, on_damage=told)
    return _until_damage(with_targets(results, options), damage)


def _items(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat,
    name: str | None,
    include: str | Iterable[str],
    exclude: str | Iterable[str],
    *,
    follow: bool,
    on_damage: Callable[[SourceError], None] | None,
) -> tuple[Iterator[Item], list[SourceError], Callable[[SourceError], None]]:
    """Return the items of a source, and the damage in it, if ``on_damage`` is not to get it."""
    check_source(source, is_told=on_damage is not None)
    damage: list[SourceError] = []
    told = on_damage or damage.append
    tree_filter = tree_filter_of(include, exclude, follow=follow)
    return read_source(source, format, name=name, on_damage=told, tree_filter=tree_filter), damage, told


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

    def listed(patterns: Iterable[str]) -> tuple[str, ...]:
        return (patterns,) if isinstance(patterns, str) else tuple(patterns)

    return TreeFilter(listed(include), listed(exclude), follow)


def _until_damage(results: Iterator[_Item], damage: list[SourceError]) -> Iterator[_Item]:
    yield from results
    if damage:
        for further in damage[1:]:
            damage[0].add_note(str(further))
        raise damage[0]


def read_messages(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    name: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    follow: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
) -> Iterator[Message]:
    r"""Yield the messages of a file, a directory or a binary stream, in order.

    Texts that are no messages are left out. The arguments and errors are those of `extract_source`. A
    message is held in memory as a whole, however large it is.

    >>> import io
    >>> mailbox = io.BytesIO(b"From a@b Mon Nov 14 09:12:44 1994\nSubject: c\n\nhi\n")
    >>> for message in read_messages(mailbox):
    ...     print(message.offset, message.length, message.data, message.field("subject"))
    34 15 b'Subject: c\n\nhi\n' c
    """
    items, damage, _ = _items(source, format, name, include, exclude, follow=follow, on_damage=on_damage)
    return _until_damage(_whole_messages(items), damage)


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
