"""HTML that is not part of a message, or too long to be held: in windows, so that memory is bounded."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain

from urlextract.message.charsets import decoded_text, without_strays
from urlextract.message.html_page import Page, title_of
from urlextract.message.html_tokens import CONSTRUCT, PARTING, tag_name
from urlextract.message.quoting import mask_pages
from urlextract.message.segments import CHARSET_WITHIN, UNDECLARED, charset_of_page
from urlextract.message.transfer import is_undeclared, undone_pieces
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.positions import Positions
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
    text, byte = decoded_text(chunks, charset_of_page(head[:CHARSET_WITHIN]) or options.choice.charset)
    byte, defects = (None, (UNDECLARED,)) if undeclared else (byte, ())
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
            plain = without_strays(window)
            if options.choice.masks:
                plain = mask_pages(opener + plain, options.choice)[len(opener) :]
            page = Page(
                plain,
                provenance,
                base=base,
                own_base=own_base,
                byte=positions.byte if window.isascii() or window == plain else None,
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

    It ends before a tag, if possible where no link and no word is cut. If there is no tag, it ends at a
    blank, and what is open there goes on in the next one.
    """
    pieces = CONSTRUCT.split(opener + markup)
    starts = array("q", accumulate(map(len, pieces), initial=-len(opener)))  # a fifth of a list of numbers
    ends = (_boundary_before(most, markup, pieces, starts) for most in (_WINDOW, len(markup)))
    end = next(filter(None, ends), starts[-3] if len(pieces) > 1 else 0)
    if end > 0:
        return end, ""
    most = len(markup) - _END_MARK
    ends = (markup.rfind(mark, len(markup) // 2, most) + len(mark) for mark in _ENDS)
    end = next((end for end in ends if end > len(markup) // 2), most)
    hides = (each for each in _OPENERS if len(pieces) > 1 and pieces[1][:9].lower().startswith(each[:-1]))
    return end, next(hides, "") if len(starts) > 2 and starts[2] > end else ""


def _boundary_before(most: int, markup: str, pieces: list[str], starts: Sequence[int]) -> int:
    """Return the start of the last tag up to ``most`` at which no link and no word is cut, 0 without one."""
    end, in_link = 0, False
    for at in range(min(bisect_right(starts, most) // 2 * 2, len(pieces) - 1) - 1, 0, -2):
        start, name = starts[at], tag_name(pieces[at])
        if start <= 0 or (name == "/a" and end):
            break
        if name == "a":
            return start
        in_link = in_link or name == "/a"
        is_between = markup[start - 1].isspace() or name.removeprefix("/") in PARTING
        end = start if is_between and not (in_link or end) else end
    return end
