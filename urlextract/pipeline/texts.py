"""Decode streams of bytes: as UTF-8, or as UTF-16 or UTF-32 if their beginning shows it.

Each byte that is not valid UTF-8 becomes a lone surrogate, so that no byte is lost and
offsets can be counted. The scanner reads these surrogates as Windows-1252.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from urlextract.message.charsets import codec_of

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64  # bytes in which NULs are counted, to detect UTF-16 without a byte order mark


def sniffed_codec(data: bytes) -> tuple[str, int]:
    r"""Return the codec of a text that begins with ``data``, and the size of its byte order mark.

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
    """The decoded text of ``chunks``; iterate over it once to get its pieces.

    ``charset`` is used if the text does not begin with a byte order mark, and does not look like
    UTF-16. ``byte`` is the offset of the first character, in bytes, None if the text is not UTF-8.
    """

    def __init__(self, chunks: Iterable[bytes], charset: str | None = None) -> None:
        self._chunks = iter(chunks)
        first = next(self._chunks, b"")
        while len(first) < 4 and (more := next(self._chunks, b"")):
            first += more
        codec, mark = sniffed_codec(first)
        if charset is not None and codec == "utf-8" and not mark:
            codec = codec_of(charset) or codec
            codec = f"{codec}-le" if codec in ("utf-16", "utf-32") else codec  # there is no byte order mark
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
        """Yield the chunks without decoding, each byte as one character; only for UTF-8."""
        yield self._first.decode("latin-1")
        for chunk in self._chunks:
            yield chunk.decode("latin-1")
