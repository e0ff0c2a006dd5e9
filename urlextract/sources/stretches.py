"""Stretches: what of a source is read at a time, and where in a file that begins.

A file is one stretch, or is cut into several where messages or paragraphs begin. Each is read alone, at any
time and in any process, and its items are as they are in the whole file.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import takewhile
from typing import BinaryIO, NamedTuple

from urlextract.errors import SourceError
from urlextract.grammar.chars import LINE_END
from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item, Provenance, RawText
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import read_files, read_stream
from urlextract.sources.folders.tree import File, Stamp
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.formats.warc import cut_warc
from urlextract.sources.streams import Origin, blocks_of_file, blocks_of_stream, up_to


class Start(NamedTuple):
    """Where a stretch of a file begins: the bytes, messages, characters and lines before it.

    Characters and lines are counted in texts only. If there are messages before it, it begins where one
    does, after its postmark.
    """

    offset: int = 0
    messages: int = 0
    characters: int = 0
    lines: int = 0


class Stretch(NamedTuple):
    """A file, a part of it, or some files of a directory.

    A part of a file goes from ``start`` to the offset ``end``, at which the next part begins; None is the end
    of the file. Its ``format`` is that of the file: "text", "mbox" or "warc". Of a directory these ``files``
    are read; ``damage`` is what cannot be. ``size`` is the number of bytes, as far as it is known, and
    ``stamp`` that of the file.
    """

    source: str
    format: str = "auto"
    start: Start = Start()
    end: int | None = None
    files: tuple[File, ...] | None = None
    damage: SourceError | None = None
    size: int = 0
    stamp: Stamp = Stamp()

    @property
    def is_file(self) -> bool:
        """Whether all of a file is to be read."""
        return self.files is None and self.start == Start() and self.end is None


def read_stretch(stretch: Stretch, origin: Origin) -> Iterator[Item]:
    """Yield the items of a stretch of the source at ``origin``; damage in it is reported there."""
    if stretch.damage:
        origin.on_damage(stretch.damage)
    elif stretch.files is not None:
        yield from read_files(iter(stretch.files), stretch.format, origin)
    elif stretch.is_file:
        blocks = blocks_of_file(stretch.source, origin)
        yield from read_stream(blocks, stretch.format, DecompressionBudget(origin))
    else:
        try:
            stream = origin.opener(stretch.source)
        except (OSError, ValueError) as error:
            origin.damage(error)
            return
        with stream:
            yield from read_part(stretch, stream, origin)


def read_part(stretch: Stretch, stream: BinaryIO, origin: Origin) -> Iterator[Item]:
    """Yield the items of a part of a file that ``stream`` reads."""
    start, end = stretch.start, stretch.end
    stream.seek(start.offset)
    blocks = blocks_of_stream(stream, origin, start.offset)
    if stretch.format == "text":
        chunks = blocks if end is None else up_to(end - start.offset, blocks)
        provenance = Provenance(source=stretch.source)
        yield RawText(chunks, provenance, start.characters, start.lines + 1, start.offset)
        return
    cut = cut_warc if stretch.format == "warc" else cut_at_postmarks
    pieces = cut(blocks, start.offset, at_head=start.messages > 0)
    wanted = pieces if end is None else takewhile(lambda piece: piece.start < end, pieces)
    yield from messages_of(wanted, stretch.source, number=start.messages)


# --- texts ----------------------------------------------------------------------------------------

SIZE = 256 * 1024
"""Bytes of a text within which a stretch ends, after the last blank line; without one, these are doubled."""

_LONGEST = 4 * 1024 * 1024  # bytes after which it ends after a line or, without one, a word
_LINE_END = lazy_re(LINE_END.encode())
# A printable ASCII character follows: no mark of an encoding, and no indent of a page's header
_BLANK_LINE = lazy_re(rb"\n\r?\n(?=[!-~])")
_LONGEST_BLANK_LINE = 4  # bytes, with the character that follows
_SEARCHED = 64 * 1024  # bytes that are searched at a time
_PAGE_END = lazy_re(rb"\f|\[[Pp]age ")
_NEAR = 1_000  # bytes before and after the end of a page, over which a URL may go on


class TextStretch(NamedTuple):
    """A stretch of a text in UTF-8: its bytes, and where they begin."""

    data: bytes
    start: Start = Start()

    def of(self, text: RawText) -> RawText:
        """Return this stretch of a text."""
        offset, _, characters, lines = self.start
        return text._replace(chunks=iter((self.data,)), start=characters, line=lines + 1, byte=offset)

    def start_at(self, at: int) -> Start:
        """Return where ``at`` bytes of this stretch end; a byte order mark is no character."""
        offset, _, characters, lines = self.start
        data = self.data[:at]
        characters += len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))
        characters -= offset == 0 and data.startswith(codecs.BOM_UTF8)
        lines += len(_LINE_END.findall(data)) if b"\r" in data else data.count(b"\n")
        return Start(offset + at, 0, characters, lines)


def after_blank_line(data: bytes | bytearray, size: int = _LONGEST) -> int:
    r"""Return the offset after the last blank line in the first ``size`` bytes, 0 if there is none.

    One near the end of a page does not count.

    >>> after_blank_line(b"<http://a.example/>\n\n<http://b.example/>")
    21
    >>> after_blank_line(b"<http://a.example/\n\n[Page 9]\n\nRFC 1\n\nb>")
    0
    """
    for low in range(max(0, size - _SEARCHED), -_SEARCHED, -_SEARCHED):  # the last ones first
        end = min(low + _SEARCHED + _LONGEST_BLANK_LINE, size + 1)
        for match in reversed([*_BLANK_LINE.finditer(data, max(0, low), end)]):
            at = match.end()
            if at <= size and not _PAGE_END.search(data, max(0, at - _NEAR), at + _NEAR):
                return at
    return 0


def _last_break(data: bytes | bytearray, size: int) -> int:
    """Return where the last line in the first ``size`` bytes ends or, without one, word or character."""
    for each in (b"\n", b" ", b"\t"):
        if end := data.rfind(each, 0, size) + 1:
            return end
    end = size - 1
    while end > size - 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    return end


def cut_text(blocks: Iterator[bytes], start: Start, most: int = SIZE) -> Iterator[TextStretch]:
    r"""Cut a text that begins at ``start`` into stretches, as it comes.

    Each ends after the last blank line within ``most`` bytes, or within more if there is none.

    >>> [stretch] = cut_text(iter([b"a\n\nb\n", b"c"]), Start())
    >>> stretch.data, stretch.start_at(5)
    (b'a\n\nb\nc', Start(offset=5, messages=0, characters=5, lines=3))
    """
    data, size = bytearray(), most
    for block in blocks:
        data += block
        while len(data) >= size + _NEAR:
            # A stretch ends after a blank line, a very long one where it can. That depends on its bytes
            # alone, so a text that is resumed there is cut as before.
            end = after_blank_line(data, size)
            if not end and size < _LONGEST:
                size *= 2
                continue
            stretch = TextStretch(bytes(data[: end or _last_break(data, size)]), start)
            yield stretch
            del data[: len(stretch.data)]
            size, start = most, stretch.start_at(len(stretch.data))
    if data:
        yield TextStretch(bytes(data), start)
