"""Streams of bytes to text: UTF-8 as it comes, UTF-16 where it says so.

Bytes that are no UTF-8 become lone surrogates, one each, so that nothing is lost
and places stay countable; the scanner reads them as Windows-1252.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["DecodedText", "sniffed_codec"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64  # bytes whose NULs tell UTF-16 without a mark


def sniffed_codec(data: bytes) -> tuple[str, int]:
    r"""Return the codec of a text that begins with ``data``, and the length of its mark in bytes.

    >>> sniffed_codec(b"h\0t\0t\0p\0:\0/\0/\0")
    ('utf-16-le', 0)
    """
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return codec, len(mark)
    sample = data[:_SAMPLE]
    if len(sample) >= 8:
        half = len(sample) // 2
        even, odd = sample[0::2].count(0), sample[1::2].count(0)
        if odd > half * 0.7 and even == 0:
            return "utf-16-le", 0
        if even > half * 0.7 and odd == 0:
            return "utf-16-be", 0
    return "utf-8", 0


class DecodedText:
    """The text of byte chunks, and the offset of its first byte where bytes can be counted.

    ``charset`` is what the caller says of a text that has no mark.
    """

    def __init__(self, chunks: Iterable[bytes], charset: str | None = None) -> None:
        self._chunks = iter(chunks)
        first = next(self._chunks, b"")
        while len(first) < 4 and (more := next(self._chunks, b"")):
            first += more
        codec, mark = sniffed_codec(first)
        if charset is not None and codec == "utf-8" and not mark:
            from urlextract.message.content import codec_of  # noqa: PLC0415 - asked for by few

            codec = codec_of(charset) or codec
            codec = f"{codec}-le" if codec in ("utf-16", "utf-32") else codec  # it has no mark
        self.is_utf8 = codec == "utf-8"
        self.byte = mark if self.is_utf8 else None
        self._codec = codec
        self._first = first[mark:]

    def __iter__(self) -> Iterator[str]:
        errors = "surrogateescape" if self.is_utf8 else "replace"
        decoder = codecs.getincrementaldecoder(self._codec)(errors)
        yield decoder.decode(self._first)
        for chunk in self._chunks:
            yield decoder.decode(chunk)
        yield decoder.decode(b"", final=True)

    def views(self) -> Iterator[str]:
        """Yield the bytes as they are, each seen as one character: for UTF-8 only."""
        yield self._first.decode("latin-1")
        for chunk in self._chunks:
            yield chunk.decode("latin-1")
