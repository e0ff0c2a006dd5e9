"""The public functions: text, a message or a source in, records out."""

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
    """The keyword arguments that all public functions share: see `extract`."""

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
    """Cut a text, so that its first URLs need not wait for its last."""
    for start in range(0, len(text), _SLICE):
        yield text[start : start + _SLICE]


def extract(text: str | Iterable[str], **keywords: Unpack[ExtractKeywords]) -> Iterator[Found]:
    r"""Find the URLs of a text, or of one that comes in pieces, as soon as each is certain.

    ``hyphen`` says which reading of a hyphen before a line break goes first: "keep",
    "drop", "both" (a result each) or "evidence" (the one that stands unbroken
    elsewhere in the text). ``join`` says what is joined over line ends: "none",
    "delimited" (what brackets or quotes hold), "safe" (bare URLs that certainly go on,
    too) or "likely" (those that go on more likely than not, too). A bare URL that may go
    on but was not joined has the defect "may-continue", and the joined form is its first
    alternative. ``schemes`` and ``forms`` name what to give, ``schemes={"any"}`` takes
    unregistered ones too; ``wrapped`` gives only what stood in angle brackets,
    ``strict`` only what parses. With ``relaxed``, hosts without a scheme are found,
    too ("github.com/x"), with ``emails`` mail addresses, as ``mailto:``. ``links`` leaves out
    what no reader can follow: images, styles, scripts. ``base`` is the URL against which the relative
    references are read of HTML that is no mail.

    Of lines of text, ``quoted="skip"`` leaves out what is quoted, "only" all else;
    ``signature="skip"`` leaves signatures out. Of messages, ``parts`` names the kinds
    that are read ("text", "html", "headers", "attach"), ``charset`` is that of texts
    which name none, and those dated before ``since`` (2024-01-31, or 7d) are not read.

    >>> [found.url for found in extract("see <http://www.w3.org/TR/\nREC-xml> and www.w3.org.")]
    ['http://www.w3.org/TR/REC-xml', 'http://www.w3.org']
    """
    options = options_of(keywords)
    results = read_text(_chosen_lines(_pieces(text), options), Origin(), options)
    return cast(Iterator[Found], _results(results, options))


def examine(text: str | Iterable[str], **keywords: Unpack[ExtractKeywords]) -> Iterator[Found | Rejection]:
    """Yield what `extract` yields, and each place that was turned down, with the reason.

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
    r"""Find the URLs of one message of mail or news: its header fields, then its parts.

    Parts that hold text which cannot be read are told to ``on_damage``. The other
    keyword arguments are those of `extract`.

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
    """Find the URLs of a page of HTML, in the order of its source; spans count in its markup.

    ``base`` is the URL of the page, against which its relative references are read; without one, and
    without a ``base`` element, they are none. Of bytes the charset is told by a mark, by a ``meta``
    element or by ``charset``. The other keyword arguments are those of `extract`. Links say what they
    show: see `Link`.

    >>> page = "<a href='../b'>here</a>, or see www.a.example"
    >>> for found in extract_html(page, base="http://a.example/x/y"):
    ...     print(found.url, found.span.of(page), found.link and found.link.text)
    http://a.example/b ../b here
    http://www.a.example www.a.example None
    """
    from urlextract.pipeline.page_source import pages_of, pages_of_text  # noqa: PLC0415 - texts need none of it

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
    """Find the URLs of a file, a directory or a binary stream, ``"-"`` for standard input.

    What it holds is told from its content, or by ``form``: "text", "html", "message",
    "mbox", "rnews", "nntp", "mmdf", "babyl", "warc", "emlx", "overview", "maildir", "inbox"
    or "tree". Of directories, files are read whose names fit a pattern of ``include``
    (none: all) and none of ``exclude``; links to files are read, those to directories only
    with ``follow``. What cannot be read is told to ``on_damage``; without one, the first
    `SourceError` is raised after all that could be read was given. The other
    keyword arguments are those of `extract`.

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
    """Do for a source what `examine` does for a text."""
    from urlextract.sources import read_source  # noqa: PLC0415 - texts in memory need none of it
    from urlextract.sources.folders.filters import TreeFilter  # noqa: PLC0415 - as above

    options = options_of(keywords)
    if explains:  # it tells of what --relaxed and --emails would take
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
    """Blank the lines that are not to be read."""
    if not options.choice.masks:
        return pieces
    from urlextract.message.quoting import mask_pieces  # noqa: PLC0415 - asked for by few

    return mask_pieces(pieces, options.choice)


def read_items(
    items: Iterable[Item],
    options: ExtractOptions,
    *,
    explains: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
) -> Iterator[Result]:
    """Read raw messages and texts in their order; what cannot be read of them is told to ``on_damage``."""
    for item in chosen_items(items, options):
        if isinstance(item, RawText) and item.is_page:
            from urlextract.pipeline.page_source import pages_of  # noqa: PLC0415 - texts need none of it

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
    """Read the stretches of a page; what is in doubt is settled within each."""
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
    from urlextract.message import read_message  # noqa: PLC0415 - texts need none of it

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
