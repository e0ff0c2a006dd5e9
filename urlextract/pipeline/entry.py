"""The public functions, which return the records of a text, a message, a page or a source."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO, TypedDict, Unpack, cast

from urlextract.errors import SourceError
from urlextract.linebreaks.joining import Hyphen, Join
from urlextract.pipeline.elsewhere import Elsewhere
from urlextract.pipeline.evidence import by_evidence
from urlextract.pipeline.items import chosen_items, damage_of
from urlextract.pipeline.options import ExtractOptions, options_of
from urlextract.pipeline.reading import Result, read_segment, read_text
from urlextract.pipeline.texts import DecodedText
from urlextract.records import Form, Item, Origin, Quoted, RawMessage, RawText, Signature, Unread
from urlextract.results import Found, Rejection

if TYPE_CHECKING:
    from urlextract.message.html_page import Page

__all__ = [
    "ExtractKeywords",
    "examine",
    "extract",
    "extract_html",
    "extract_message",
    "extract_source",
    "read_items",
]


class ExtractKeywords(TypedDict, total=False):
    """The keyword arguments that all public functions accept: see `extract`."""

    hyphen: Hyphen
    join: Join
    schemes: Iterable[str] | None
    forms: Iterable[Form | str] | None
    wrapped: bool
    strict: bool
    parts: Iterable[str] | None
    quoted: Quoted
    signature: Signature
    charset: str | None
    since: str | datetime | None
    relaxed: bool
    emails: bool
    links: bool
    base: str | None


_OF_A_PAGE = Origin(media_type="text/html")
_SLICE = 1 << 16  # characters


def _results(results: Iterator[Result], options: ExtractOptions) -> Iterator[Result]:
    return by_evidence(results) if options.hyphen == "evidence" else results


def _pieces(text: str | Iterable[str]) -> Iterable[str]:
    if isinstance(text, bytes | bytearray | memoryview):
        raise TypeError(f"text is {type(text).__name__}: extract_message and extract_source read bytes")
    return _slices(text) if isinstance(text, str) else text


def _slices(text: str) -> Iterator[str]:
    """Yield the text in slices, so that its first URLs are found before all of it is read."""
    for start in range(0, len(text), _SLICE):
        yield text[start : start + _SLICE]


def extract(text: str | Iterable[str], **keywords: Unpack[ExtractKeywords]) -> Iterator[Found]:
    r"""Yield the URLs of a text, or of a text in pieces, in order and as soon as each is certain.

    Spans are half-open, and count characters from the start of the text.

    ``hyphen`` is the preferred reading of a hyphen before a line break: "keep", "drop", "both" (one
    result for each reading) or "evidence" (the reading that is found unbroken elsewhere in the text).
    ``join`` selects what is joined over line ends: "none"; "delimited", URLs in brackets or quotes;
    "safe", also bare URLs that certainly continue; "likely", also those that probably continue. A
    bare URL that may continue but was not joined has the defect "may-continue", and the joined URL is
    among its alternatives.

    ``schemes`` and ``forms`` are the schemes and the forms (see `Form`) of the URLs to yield, by
    default all; ``schemes={"any"}`` accepts unregistered schemes, too. With ``wrapped``, only URLs in
    angle brackets are yielded, with ``strict`` only those that fit a grammar of their scheme. With
    ``relaxed``, hosts without a scheme ("github.com/x") are found, too, with ``emails`` also mail
    addresses, as ``mailto:`` URLs. ``links`` leaves out URLs that a reader cannot follow, such as
    those of images, styles and scripts. ``base`` is the base URL of relative references in HTML that
    is not part of a message.

    ``quoted="skip"`` leaves out quoted lines, "only" all others; ``signature="skip"`` leaves out
    signatures. The other arguments apply to messages: ``parts`` are the kinds of parts to read
    ("text", "html", "headers", "attach"), ``charset`` is the charset of texts that declare none, and
    messages dated before ``since`` ("2024-01-31", "7d" for seven days ago, or a `datetime`) are left
    out.

    Raise `ValueError` for an unknown value of an argument, and `TypeError` if ``text`` is bytes.

    >>> [found.url for found in extract("see <http://www.w3.org/TR/\nREC-xml> and www.w3.org.")]
    ['http://www.w3.org/TR/REC-xml', 'http://www.w3.org']
    """
    options = options_of(keywords)
    results = read_text(_chosen_lines(_pieces(text), options), Origin(), options)
    return cast(Iterator[Found], _results(results, options))


def examine(text: str | Iterable[str], **keywords: Unpack[ExtractKeywords]) -> Iterator[Found | Rejection]:
    """Yield the results of `extract`, and each rejected place with the reason, in order.

    The arguments and errors are those of `extract`.

    >>> for result in examine("<warning: long> http://example.org/"):
    ...     print(type(result).__name__, result.raw)
    Rejection <warning:
    Found http://example.org/
    """
    options = options_of(keywords)
    pieces = _chosen_lines(_pieces(text), options)
    return _results(read_text(pieces, Origin(), options, explains=True), options)


def extract_message(
    data: bytes,
    *,
    on_damage: Callable[[SourceError], None] | None = None,
    **keywords: Unpack[ExtractKeywords],
) -> Iterator[Found]:
    r"""Yield the URLs of one message of mail or news: those of its header fields, then of its parts.

    Spans count characters in the decoded text of the part. ``on_damage`` is called with a
    `SourceError` for each part with text that cannot be read. The other keyword arguments are those
    of `extract`. Raise `ValueError` for an unknown value of an argument, and `TypeError` if ``data``
    is not bytes.

    >>> [f.url for f in extract_message(b"Subject: http://a.example/\n\nsee http://b.example/\n")]
    ['http://a.example/', 'http://b.example/']
    """
    options = options_of(keywords)
    if not isinstance(data, bytes):
        raise TypeError("a message is bytes: extract reads text")
    message = RawMessage(data=data, origin=Origin(message=1, offset=0))
    results = read_items([message], options, on_damage=on_damage)
    return cast(Iterator[Found], _results(results, options))


def extract_html(markup: str | bytes, **keywords: Unpack[ExtractKeywords]) -> Iterator[Found]:
    """Yield the URLs of an HTML page, in the order of its markup.

    Spans are half-open, and count characters of the markup. The attribute ``link`` of a result
    compares the URL with the text of its link: see `Link`.

    ``base`` is the URL of the page, the base of its relative references. These are left out if there
    is neither ``base`` nor a ``base`` element. If ``markup`` is bytes, its charset is taken from a
    byte order mark, a ``meta`` element or ``charset``, in this order. The other keyword arguments are
    those of `extract`. Raise `ValueError` for an unknown value of an argument, and `TypeError` if
    ``markup`` is neither `str` nor `bytes`.

    >>> page = "<a href='../b'>here</a>, or see www.a.example"
    >>> for found in extract_html(page, base="http://a.example/x/y"):
    ...     print(found.url, found.span.of(page), found.link and found.link.text)
    http://a.example/b ../b here
    http://www.a.example www.a.example None
    """
    from urlextract.pipeline.page_source import pages_of, pages_of_text  # noqa: PLC0415 - rarely needed

    options = options_of(keywords)
    if isinstance(markup, bytes):
        pages = pages_of(RawText(iter((markup,)), _OF_A_PAGE, is_page=True), options)
    elif isinstance(markup, str):
        pages = pages_of_text(_slices(markup), _OF_A_PAGE, options)
    else:
        raise TypeError(f"markup is {type(markup).__name__}: it is to be str or bytes")
    return cast(Iterator[Found], _results(_read_pages(pages, options, explains=False), options))


def extract_source(
    source: str | os.PathLike[str] | BinaryIO,
    form: str = "auto",
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    follow: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
    **keywords: Unpack[ExtractKeywords],
) -> Iterator[Found]:
    """Yield the URLs of a file, a directory or a binary stream; ``"-"`` is standard input.

    ``form`` is the format of the source: "text", "html", "message", "mbox", "rnews", "nntp", "mmdf",
    "babyl", "warc", "emlx", "overview", "maildir", "inbox" or "tree". "auto" detects it from the
    content. Spans count characters in the text of the part.

    In directories, the files are read whose names match a pattern of ``include`` (by default all) and
    no pattern of ``exclude``. Symbolic links to files are read, those to directories only with
    ``follow``. The other keyword arguments are those of `extract`.

    ``on_damage`` is called with a `SourceError` for whatever cannot be read. Without it, the first
    `SourceError` is raised after the last URL. Raise `ValueError` for an unknown value of an
    argument, and `TypeError` for a text stream.

    >>> import io
    >>> [found.url for found in extract_source(io.BytesIO(b"see http://example.org/."))]
    ['http://example.org/']
    """
    results = examine_source(
        source,
        form,
        include=include,
        exclude=exclude,
        follow=follow,
        on_damage=on_damage,
        explains=False,
        **keywords,
    )
    return cast(Iterator[Found], results)


def examine_source(
    source: str | os.PathLike[str] | BinaryIO,
    form: str = "auto",
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    follow: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
    explains: bool = True,
    **keywords: Unpack[ExtractKeywords],
) -> Iterator[Found | Rejection]:
    """Yield the results of `extract_source`; with ``explains`` also each rejected place with the reason."""
    from urlextract.sources import read_source  # noqa: PLC0415 - not needed for texts in memory
    from urlextract.sources.folders.filters import TreeFilter  # noqa: PLC0415 - as above

    options = options_of(keywords)
    if explains:  # also the places that --relaxed and --emails would accept
        options = options._replace(choice=options.choice._replace(schemeless=True))
    damage: list[SourceError] = []
    told = on_damage or damage.append
    tree_filter = TreeFilter(tuple(include), tuple(exclude), follow)
    items = read_source(source, form, on_damage=told, tree_filter=tree_filter)
    results = read_items(items, options, explains=explains, on_damage=told)
    return _until_damage(_results(results, options), damage)


def _until_damage(results: Iterator[Result], damage: list[SourceError]) -> Iterator[Result]:
    yield from results
    if damage:
        for further in damage[1:]:
            damage[0].add_note(str(further))
        raise damage[0]


def _chosen_lines(pieces: Iterable[str], options: ExtractOptions) -> Iterable[str]:
    """Return ``pieces`` with the lines blanked out that are not to be read."""
    if not options.choice.masks:
        return pieces
    from urlextract.message.quoting import mask_pieces  # noqa: PLC0415 - rarely needed

    return mask_pieces(pieces, options.choice)


def read_items(
    items: Iterable[Item],
    options: ExtractOptions,
    *,
    explains: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
) -> Iterator[Result]:
    """Yield the results of messages and texts in order; ``on_damage`` gets what cannot be read."""
    for item in chosen_items(items, options):
        if isinstance(item, RawText) and item.is_page:
            from urlextract.pipeline.page_source import pages_of  # noqa: PLC0415 - not needed for texts

            yield from _read_pages(pages_of(item, options), options, explains=explains)
        elif isinstance(item, RawText):
            text = DecodedText(item.chunks, options.choice.charset)
            pieces = _chosen_lines(text, options)
            byte = None if text.byte is None or item.byte is None else item.byte + text.byte
            yield from read_text(
                pieces, item.origin, options, byte=byte, start=item.start, line=item.line, explains=explains
            )
        elif isinstance(item, RawMessage):
            yield from _read_message(item, options, on_damage, explains=explains)


def _read_pages(pages: Iterator[Page], options: ExtractOptions, *, explains: bool) -> Iterator[Result]:
    """Yield the results of the stretches of a page; URLs in doubt are decided within each stretch."""
    for page in pages:
        elsewhere = Elsewhere() if options.joins_bare else None
        results = read_segment(page, options, explains=explains, elsewhere=elsewhere)
        yield from elsewhere.settled(results) if elsewhere else results


def _read_message(
    message: RawMessage,
    options: ExtractOptions,
    on_damage: Callable[[SourceError], None] | None,
    *,
    explains: bool,
) -> Iterator[Result]:
    from urlextract.message import read_message  # noqa: PLC0415 - not needed for texts

    elsewhere = Elsewhere() if options.joins_bare else None

    def results() -> Iterator[Result]:
        for segment in read_message(message, options.choice):
            if isinstance(segment, Unread):
                if on_damage:
                    on_damage(damage_of(segment))
                continue
            if message.defects:
                segment = segment.with_defects(message.defects)  # noqa: PLW2901
            yield from read_segment(segment, options, explains=explains, elsewhere=elsewhere)

    return elsewhere.settled(results()) if elsewhere else results()
