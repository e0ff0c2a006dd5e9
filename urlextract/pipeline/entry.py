"""The public functions, which return the records of a text, a message, a page or a source."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, TypeVar, Unpack, cast

from urlextract.errors import SourceError, SourceNotFoundError
from urlextract.message.html_page import Readable
from urlextract.pipeline.evidence import Result, weighed
from urlextract.pipeline.item_results import masked, read_items, read_pages
from urlextract.pipeline.options import ExtractOptions, Options, options_of, takes_options
from urlextract.pipeline.page_source import pages_of, pages_of_text
from urlextract.pipeline.reading import Records, Urls, needs_no_records
from urlextract.records import Item, Origin, RawMessage, RawText, Segment, SourceFormat
from urlextract.results import Found, Message, PartText, Rejection, View
from urlextract.sources.folders.tree import TreeFilter
from urlextract.sources.reading import read_source
from urlextract.sources.streams import in_blocks

_Any = TypeVar("_Any")
_OF_A_PAGE = Origin(media_type="text/html")
_SLICE = 1 << 16  # characters


def _pieces(text: str | Iterable[str]) -> Iterable[str]:
    if isinstance(text, str):
        return _slices(text) if len(text) > _SLICE else (text,)
    if isinstance(text, bytes | bytearray | memoryview) or not isinstance(text, Iterable):
        kind = type(text).__name__
        raise TypeError(
            f"text is {kind}, not str or str in pieces: extract_message and extract_source read bytes"
        )
    return text


def _slices(text: str) -> Iterator[str]:
    """Yield the text in slices, so that its first URLs are found before all of it is read."""
    for start in range(0, len(text), _SLICE):
        yield text[start : start + _SLICE]


@takes_options
def extract(text: str | Iterable[str], **options: Unpack[Options]) -> Iterator[Found]:
    r"""Yield the URLs of a text, or of a text in pieces, in order and as soon as each is certain.

    Spans are half-open, and count characters from the start of the text.

    ``hyphen`` is the preferred reading of a hyphen before a line break: "keep" (but not in a text that
    hyphenates words), "drop", "both" (one result for each reading) or "elsewhere" (the reading that is
    found unbroken elsewhere in the text).
    ``join`` selects what is joined over line ends: "none"; "delimited", URLs in brackets or quotes;
    "safe", also bare URLs that certainly continue; "likely", also those that probably continue. A
    bare URL that may continue but was not joined has the defect "may-continue", and the joined URL is
    among its alternatives.

    ``schemes`` and ``forms`` are the schemes and the forms (see `Form`) of the URLs to yield, by
    default all; ``schemes={"any"}`` accepts unregistered schemes, too. ``hosts`` are patterns, as in the
    shell, one of which the host must fit, and ``not_hosts`` those that it must not fit: ".a.example" is
    a.example and all below it. ``domains`` are registered domains by the Public Suffix List. They are
    compared with `Found.host`, in either form of international names. With ``bracketed``, only URLs in
    angle brackets are yielded, with ``valid`` only those that fit a grammar of their scheme. With
    ``relaxed``, hosts without a scheme ("github.com/x") are found, too, with ``emails`` also mail
    addresses, as ``mailto:`` URLs, with ``refang`` also defanged URLs ("hxxp://example[.]com"), as those
    that they stand for. ``links`` leaves out URLs that a reader cannot follow, such as
    those of images, styles and scripts. ``base`` is the base URL of relative references in HTML that
    is not part of a message. With ``context``, results have the lines around them (`Found.context`).
    With ``unwrap``, results have the target of a link that a gateway of mail has rewritten (see `unwrap`)
    instead of that link: in ``url``, ``raw`` and all other texts but ``context``.

    ``quoted="skip"`` leaves out quoted lines, "only" all others; ``signature="skip"`` leaves out
    signatures. The other arguments apply to messages, and change nothing in a text: ``parts`` are the
    kinds of parts to read ("text", "html", "headers", "attach"), ``charset`` is the charset of texts that
    declare none, and messages dated before ``since`` or after ``until`` are left out: a date, a duration
    before now as a `timedelta`, or a text such as "2024-01-31", "yesterday" or "7d" (seven days ago). A day
    is meant as a whole.

    Raise `ValueError` for an unknown value of an argument, and `TypeError` for an unknown argument.

    >>> [found.url for found in extract("see <http://www.w3.org/TR/\nREC-xml> and www.w3.org.")]
    ['http://www.w3.org/TR/REC-xml', 'http://www.w3.org']
    """
    chosen = options_of(options)
    results = Records(chosen).of_text(masked(_pieces(text), chosen), Origin())
    return cast(Iterator[Found], weighed(results, chosen))


@takes_options
def examine(text: str | Iterable[str], **options: Unpack[Options]) -> Iterator[Found | Rejection]:
    """Yield the results of `extract`, and each rejected place with the reason, in order.

    All of them have a context. The arguments and errors are those of `extract`.

    >>> for result in examine("<warning: long> http://example.org/"):
    ...     print(type(result).__name__, result.raw)
    Rejection <warning:
    Found http://example.org/
    """
    chosen = options_of(options)
    return weighed(Records(chosen, explains=True).of_text(masked(_pieces(text), chosen), Origin()), chosen)


@takes_options
def extract_urls(text: str | Iterable[str], **options: Unpack[Options]) -> Iterator[str]:
    r"""Yield the URLs of a text, or of a text in pieces, without their places: the same as `extract`.

    This takes less than half the time of `extract` in a text with many URLs. The arguments and errors
    are those of `extract`.

    >>> list(extract_urls("see <http://www.w3.org/TR/\nREC-xml> and www.w3.org."))
    ['http://www.w3.org/TR/REC-xml', 'http://www.w3.org']
    """
    chosen = options_of(options)
    if needs_no_records(chosen):
        return Urls(chosen).of_text(_pieces(text))
    results = Records(chosen).of_text(masked(_pieces(text), chosen), Origin())
    return (result.url for result in cast("Iterator[Found]", weighed(results, chosen)))


@takes_options
def extract_message(
    data: bytes | bytearray | memoryview,
    *,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[Options],
) -> Iterator[Found]:
    r"""Yield the URLs of one message of mail or news: those of its header fields, then of its parts.

    Spans count characters in the decoded text of the part: see `read_texts`. ``on_damage`` is called
    with a `SourceError` for each part with text that cannot be read. The other keyword arguments are
    those of `extract`. Raise `ValueError` for an unknown value of an argument, and `TypeError` for an
    unknown argument.

    >>> [f.url for f in extract_message(b"Subject: http://a.example/\n\nsee http://b.example/\n")]
    ['http://a.example/', 'http://b.example/']
    """
    chosen = options_of(options)
    results = read_items([_message(data)], chosen, on_damage=on_damage)
    return cast(Iterator[Found], weighed(results, chosen))


@takes_options
def examine_message(
    data: bytes | bytearray | memoryview,
    *,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[Options],
) -> Iterator[Found | Rejection]:
    r"""Yield the results of `extract_message`, and each rejected place with the reason, in order.

    All of them have a context. The arguments and errors are those of `extract_message`.

    >>> for result in examine_message(b"Subject: x\n\n<warning: long> http://example.org/"):
    ...     print(type(result).__name__, result.raw)
    Rejection <warning:
    Found http://example.org/
    """
    chosen = _explaining(options_of(options))
    return weighed(read_items([_message(data)], chosen, explains=True, on_damage=on_damage), chosen)


def _message(data: bytes | bytearray | memoryview) -> RawMessage:
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"a message is bytes, not {type(data).__name__}: extract reads text")
    return RawMessage(data=bytes(data), origin=Origin(message=1, offset=0, length=len(data)))


def _explaining(options: ExtractOptions) -> ExtractOptions:
    """Return the options that also read fields in which only ``relaxed`` or ``emails`` would find URLs."""
    return options._replace(choice=options.choice._replace(schemeless=True))


@takes_options
def read_texts(
    data: bytes | bytearray | memoryview,
    *,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[Options],
) -> Iterator[PartText]:
    r"""Yield the texts of one message in its order, each with the URLs that were found in it.

    These are the texts in which the spans of `extract_message` count: with the transfer encoding and
    the charset undone, line ends as LF, lines of format=flowed joined (RFC 3676), dash escapes undone
    (RFC 9580, section 7.2), header fields unfolded and decoded (RFC 2047). The text of HTML is its
    markup, also for URLs that were found in the visible text. In text/csv, commas are tabs; in
    text/calendar and text/vcard, lines are unfolded and backslashes undone.

    Header fields in which there can be no URL are left out, as are blank texts. With ``quoted`` and
    ``signature``, the lines that are not read are blank. The arguments and errors are those of
    `extract_message`; its results have the same origins as the texts they count in.

    >>> message = b"Content-Type: text/plain; format=flowed\n\nsee \nhttp://a.example/ for more\n"
    >>> for part in read_texts(message):
    ...     print(repr(part.text), [found.span.of(part.text) for found in part.found])
    'see http://a.example/ for more\n' ['http://a.example/']
    """
    chosen = options_of(options)
    return _texts(_message(data), chosen, on_damage)


def _texts(
    message: RawMessage, options: ExtractOptions, on_damage: Callable[[SourceError], None] | None
) -> Iterator[PartText]:
    texts: list[Readable] = []
    found: dict[Origin, list[Found]] = {}
    results = read_items(
        [message], options._replace(since=None, until=None), on_damage=on_damage, on_text=texts.append
    )
    for result in weighed(results, options):
        found.setdefault(result.origin, []).append(cast(Found, result))
    for text in texts:
        here = tuple(found.get(text.origin, ()))
        if isinstance(text, Segment):
            view: View = "text" if text.origin.header is None else "header"
            yield PartText(text.text, text.origin, view, here)
        else:
            yield PartText(text.text, text.origin, "html", here)


@takes_options
def extract_html(markup: str | bytes | bytearray | memoryview, **options: Unpack[Options]) -> Iterator[Found]:
    """Yield the URLs of an HTML page, in the order of its markup.

    Spans are half-open, and count characters of the markup. The attribute ``link`` of a result
    compares the URL with the text of its link: see `Link`.

    ``base`` is the URL of the page, the base of its relative references. These are left out if there
    is neither ``base`` nor a ``base`` element. If ``markup`` is bytes, its charset is taken from a
    byte order mark, a ``meta`` element or ``charset``, in this order. The other keyword arguments are
    those of `extract`. Raise `ValueError` for an unknown value of an argument, and `TypeError` for an
    unknown argument.

    >>> page = "<a href='../b'>here</a>, or see www.a.example"
    >>> for found in extract_html(page, base="http://a.example/x/y"):
    ...     print(found.url, found.span.of(page), found.link and found.link.text)
    http://a.example/b ../b here
    http://www.a.example www.a.example None
    """
    chosen = options_of(options)
    if isinstance(markup, str):
        pages = pages_of_text(_slices(markup), _OF_A_PAGE, chosen)
    elif isinstance(markup, bytes | bytearray | memoryview):
        pages = pages_of(RawText(in_blocks(bytes(markup)), _OF_A_PAGE, is_page=True), chosen)
    else:
        raise TypeError(f"markup is {type(markup).__name__}: it is str or bytes")
    return cast(Iterator[Found], weighed(read_pages(pages, chosen), chosen))


@takes_options
def extract_source(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    follow: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
    **options: Unpack[Options],
) -> Iterator[Found]:
    """Yield the URLs of a file, a directory or a binary stream; ``"-"`` is standard input.

    ``format`` is the format of the source: "text", "html", "xml", "calendar", "csv", "message", "mbox",
    "rnews", "nntp", "mmdf", "warc", "emlx", "overview", "maildir", "inbox" or "tree". "auto" detects it from
    the content, and where that says nothing, from the name. Spans count characters in the text of the part.

    In directories, the files are read whose names match a pattern of ``include`` (by default all) and
    no pattern of ``exclude``. Symbolic links that lead out of the directory are read only with
    ``follow``. The other keyword arguments are those of `extract`.

    ``on_damage`` is called with a `SourceError` for whatever cannot be read. Without it, a source that
    does not exist raises `SourceNotFoundError` at once, and the first `SourceError` is raised after the
    last URL. Raise `ValueError` for an unknown value of an argument, and `TypeError` for an
    unknown argument.

    >>> import io
    >>> [found.url for found in extract_source(io.BytesIO(b"see http://example.org/."))]
    ['http://example.org/']
    """
    chosen = options_of(options)
    results = _read_source(source, format, include, exclude, chosen, follow=follow, on_damage=on_damage)
    return cast(Iterator[Found], results)


@takes_options
def examine_source(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
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
        source, format, include, exclude, chosen, follow=follow, on_damage=on_damage, explains=True
    )


def _read_source(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat,
    include: Iterable[str],
    exclude: Iterable[str],
    options: ExtractOptions,
    *,
    follow: bool,
    on_damage: Callable[[SourceError], None] | None,
    explains: bool = False,
) -> Iterator[Result]:
    items, damage, told = _items(source, format, include, exclude, follow=follow, on_damage=on_damage)
    results = read_items(items, options, explains=explains, on_damage=told)
    return _until_damage(weighed(results, options), damage)


def _items(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat,
    include: Iterable[str],
    exclude: Iterable[str],
    *,
    follow: bool,
    on_damage: Callable[[SourceError], None] | None,
) -> tuple[Iterator[Item], list[SourceError], Callable[[SourceError], None]]:
    """Return the items of a source, and the damage in it, if ``on_damage`` is not to get it."""
    check_source(source, is_told=on_damage is not None)
    damage: list[SourceError] = []
    told = on_damage or damage.append
    tree_filter = tree_filter_of(include, exclude, follow=follow)
    return read_source(source, format, on_damage=told, tree_filter=tree_filter), damage, told


def check_source(source: object, *, is_told: bool) -> None:
    """Raise `TypeError` if ``source`` is no source, `SourceError` if its path leads to nothing."""
    if isinstance(source, bytes | bytearray | memoryview):
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


def tree_filter_of(include: Iterable[str], exclude: Iterable[str], *, follow: bool) -> TreeFilter:
    """Return what is read of directories; a lone pattern need not be in a list."""

    def listed(patterns: Iterable[str]) -> tuple[str, ...]:
        return (patterns,) if isinstance(patterns, str) else tuple(patterns)

    return TreeFilter(listed(include), listed(exclude), follow)


def _until_damage(results: Iterator[_Any], damage: list[SourceError]) -> Iterator[_Any]:
    yield from results
    if damage:
        for further in damage[1:]:
            damage[0].add_note(str(further))
        raise damage[0]


def read_messages(
    source: str | os.PathLike[str] | BinaryIO,
    format: SourceFormat = "auto",
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
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
    items, damage, _ = _items(source, format, include, exclude, follow=follow, on_damage=on_damage)
    return _until_damage(_whole_messages(items), damage)


def _whole_messages(items: Iterator[Item]) -> Iterator[Message]:
    for item in items:
        if isinstance(item, RawMessage):
            data = item.data if item.rest is None else b"".join((item.data, *item.rest))
            origin = item.origin._replace(length=item.origin.length or len(data))
            is_verbatim = origin.length == len(data) <= item.verbatim and origin.offset is not None
            yield Message(data, origin, item.defects, is_verbatim)
        elif isinstance(item, RawText):
            for _ in item.chunks:  # to its end, so that the next item can be read
                pass
