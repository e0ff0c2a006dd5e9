r"""Where the parts of a text begin: characters and lines before each, counted without reading it for URLs."""

from __future__ import annotations

import codecs
from itertools import pairwise
from typing import TYPE_CHECKING, BinaryIO

from urlextract.grammar.patterns import later

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["places_of"]

_BLOCK = 1 << 20  # bytes
_LONE_CR = later(rb"(?<!\r)\r{1,4}+(?!\n)")  # five before a LF are ends of lines too


def places_of(stream: BinaryIO, edges: Sequence[int]) -> list[tuple[int, int]] | None:
    r"""Give the character and the line at which each of the bytes ``edges`` of a text in UTF-8 stands.

    The first edge is 0, and all others stand behind line ends. None where carriage returns
    alone end lines: those are left to who reads the text.

    >>> import io
    >>> places_of(io.BytesIO("é\n\nb\r\n\r\nc".encode()), (0, 4, 9))
    [(0, 1), (3, 3), (8, 5)]
    """
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    stream.seek(0)
    characters = -1 if stream.read(3) == codecs.BOM_UTF8 else 0  # the mark is none of the text
    stream.seek(0)
    places, line = [(0, 1)], 1
    for start, end in pairwise(edges):
        left = end - start
        while left and (block := stream.read(min(left, _BLOCK))):
            left -= len(block)
            while left and block.endswith(b"\r") and len(block) <= _BLOCK + 9 and (more := stream.read(1)):
                block += more
                left -= 1
            if b"\r" in block and _LONE_CR.search(block):
                return None
            characters += len(decode(block))
            line += block.count(b"\n")
        places.append((characters, line))
    return places
