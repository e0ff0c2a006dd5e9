"""HTML that is not part of a message, or too long to be held: in windows, so that memory is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.message.charsets import DecodedText
from urlextract.message.html_page import Page, title_of
from urlextract.message.html_tokens import CONSTRUCT, PARTING, tag_name
from urlextract.message.quoting import mask_pages
from urlextract.message.reading import CHARSET_WITHIN, UNDECLARED, charset_of_page
from urlextract.message.transfer import is_undeclared, undone_pieces
from urlextract.pipeline.assembly import Positions
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Defect, Provenance, RawText
from urlextract.sources.streams import peek

_JUDGED = 1 << 16  # bytes by which a page is judged to be quoted-printable that nobody has undone
_LARGEST = 1 << 20  # characters of a page that is read as a whole
_WINDOW = 1 << 18  # characters of each window of a longer one
_ENDS = ("\n\n", "\n", " ")  # where a window ends that has no tag, the best first
_END_MARK = 64  # characters: longer than what ends a comment or a script, of which none may be cut
_OPENERS = ("<script>", "<style>", "<!-- ", "<! ", "<? ")  # of what has no text, and may be very long


def pages_of(item: RawText, options: ExtractOptions) -> Iterator[Page]:
    """Yield the page ``item``, or its windows."""
    head, chunks = peek(item.chunks, lambda head: len(head) >= _JUDGED)
    undeclared = is_undeclared(head[: head.rfind(b"\n") + 1] or head, "")
    if undeclared:
        chunks = undone_pieces(chunks, "quoted-printable")
        head, chunks = peek(chunks, lambda head: len(head) >= CHARSET_WITHIN)
    text = DecodedText(chunks, charset_of_page(head[:CHARSET_WITHIN]) or options.choice.charset)
    byte, defects = (None, (UNDECLARED,)) if undeclared else (text.byte, ())
    return pages_of_text(text, item.provenance, options, byte=byte, defects=defects)


def pages_of_text(
    pieces: Iterable[str],
    provenance: Provenance,
    options: ExtractOptions,
    *,
    base: str | None = None,
    byte: int | None = None,
    defects: tuple[Defect, ...] = (),
    has_title: bool = True,
) -> Iterator[Page]:
    """Yield a page in pieces, or its windows.

    ``base`` is its URL if it is not that of the options, ``byte`` the offset in bytes of its first character.
    If it ``has_title``, that is in the provenance.
    """
    markup, opener, own_base = "", "", None
    positions, start, base = Positions(byte=byte), 0, base or options.given["base"]
    for piece in chain(pieces, (None,)):
        markup += piece or ""
        while len(markup) > _LARGEST or (piece is None and markup):
            if start == 0 and has_title and provenance.media_type != "text/xml":
                provenance = provenance.but(title=title_of(markup))
            end, hides = _end_of_window(markup, opener) if len(markup) > _LARGEST else (len(markup), "")
            window = markup[:end]
            plain = window if window.isascii() else window.translate(STRAY_BYTES)
            if options.choice.masks:
                plain = mask_pages(opener + plain, options.choice)[len(opener) :]
            page = Page(
                plain,
                provenance,
                base=base,
                own_base=own_base,
                byte=positions.byte if window == plain else None,
                defects=defects,
                start=start,
                line=positions.line,
                column=positions.column,
                opener=opener,
            )
            yield page
            own_base = page.own_base
            del page  # before the next one is made: it takes much memory
            positions.go_to(start + end, markup, start)
            start, markup, opener = start + end, markup[end:], hides


def _end_of_window(markup: str, opener: str) -> tuple[int, str]:
    """Return where a window of a long page ends, and what the next one begins with.

    It ends before a tag, if possible one that separates texts or stands behind a blank. If there is no tag,
    it ends at a blank, and what is open there goes on in the next one.
    """
    end = last = size = 0
    for construct in CONSTRUCT.finditer(opener + markup):
        start, after = (at - len(opener) for at in construct.span())
        if start <= 0:
            size, begin = after, construct[0][:9].lower()
            continue
        if start > _WINDOW and end:
            break
        last = start
        if markup[start - 1].isspace() or tag_name(construct[0]).removeprefix("/") in PARTING:
            end = start
    if last:
        return end or last, ""
    most = len(markup) - _END_MARK
    ends = (markup.rfind(mark, len(markup) // 2, most) + len(mark) for mark in _ENDS)
    end = next((end for end in ends if end > len(markup) // 2), most)
    return end, next((each for each in _OPENERS if size > end and begin.startswith(each[:-1])), "")
