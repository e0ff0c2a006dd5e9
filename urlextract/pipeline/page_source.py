"""HTML that is not part of a message: a saved page, the response of a web server, a text in memory.

It comes in pieces and is read in stretches, so that memory is bounded for long pages, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.message.charsets import DecodedText
from urlextract.message.html_page import Page, title_of
from urlextract.message.html_tokens import last_construct, opener_at_end
from urlextract.message.quoting import mask_pages
from urlextract.message.reading import CHARSET_WITHIN, UNDECLARED, charset_of_page
from urlextract.message.transfer import is_undeclared, undone_pieces
from urlextract.pipeline.assembly import Positions
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Provenance, RawText
from urlextract.scanner.attributes import absolute
from urlextract.sources.streams import peek

_JUDGED = 1 << 16  # bytes by which a page is judged to be quoted-printable that nobody has undone
_LARGEST = 1 << 19  # characters of a stretch
_LONGEST = 1 << 20  # characters of a stretch that has no tag at which it could end
_ENDS = ("\n\n", "\n", " ")  # where such a stretch ends, the best first
_END_MARK = 64  # characters: longer than what ends a comment or a script, of which none may be cut


def pages_of(item: RawText, options: ExtractOptions) -> Iterator[Page]:
    """Yield the stretches of the page ``item``."""
    head, chunks = peek(item.chunks, lambda head: len(head) >= _JUDGED)
    undeclared = is_undeclared(head[: head.rfind(b"\n") + 1] or head, "")
    if undeclared:
        chunks = undone_pieces(chunks, "quoted-printable")
        head, chunks = peek(chunks, lambda head: len(head) >= CHARSET_WITHIN)
    text = DecodedText(chunks, charset_of_page(head[:CHARSET_WITHIN]) or options.choice.charset)
    for page in pages_of_text(text, item.provenance, options, byte=None if undeclared else text.byte):
        page.defects += (UNDECLARED,) if undeclared else ()
        yield page
        del page  # before the next one is made: it takes much memory


def pages_of_text(
    pieces: Iterable[str],
    provenance: Provenance,
    options: ExtractOptions,
    *,
    base: str | None = None,
    byte: int | None = None,
    most: int | None = None,
    has_title: bool = True,
) -> Iterator[Page]:
    """Yield the stretches of a page in pieces, of about ``most`` characters.

    ``base`` is its URL if it is not that of the options, ``byte`` the offset in bytes of its first character.
    If it ``has_title``, that is in their provenance.
    """
    most = most or _LARGEST
    markup, opener, largest = "", "", most
    positions, start, base = Positions(byte=byte), 0, base or options.given["base"]
    for piece in chain(pieces, (None,)):
        markup += piece or ""
        end, hides = len(markup), ""
        if piece is not None:
            if len(markup) < largest:
                continue
            end = last_construct(opener + markup) - len(opener)
            if end <= 0:  # a construct, or a text after it, that is longer than the markup so far
                if len(markup) < _LONGEST:
                    largest *= 2
                    continue
                end = _end_without_tag(markup)
                hides = opener_at_end(opener + markup[:end])
        if not markup:
            return
        if start == 0 and has_title and provenance.media_type != "text/xml":
            provenance = provenance.but(title=title_of(markup))
        stretch = markup[:end]
        plain = stretch if stretch.isascii() else stretch.translate(STRAY_BYTES)
        if options.choice.masks:
            plain = mask_pages(opener + plain, options.choice)[len(opener) :]
        page = Page(
            plain,
            provenance,
            base=base,
            byte=positions.byte if stretch == plain else None,
            start=start,
            line=positions.line,
            column=positions.column,
            opener=opener,
        )
        yield page
        base = absolute((base, page.own_base))
        del page  # before the next one is made: it takes much memory
        positions.go_to(start + end, markup, start)
        start, markup, opener = start + end, markup[end:], hides
        largest = _LONGEST if hides else max(most, 2 * len(markup))


def _end_without_tag(markup: str) -> int:
    """Return where a stretch ends that is too long and has no tag in it: in its second half."""
    ends = (markup.rfind(mark, len(markup) // 2) + len(mark) for mark in _ENDS)
    return next((end for end in ends if end > len(markup) // 2), len(markup) - _END_MARK)
