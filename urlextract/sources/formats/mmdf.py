"""MMDF: lines of four Control-A before and behind each message (mmdf(5))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.sources.formats.pieces import cut_at_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.formats.pieces import Piece
    from urlextract.sources.sniff import Verdict

__all__ = ["cut_mmdf"]

_LINE = later(rb"\x01\x01\x01\x01\r{0,2}\n")


def cut_mmdf(blocks: Iterator[bytes], _: Verdict | None = None) -> Iterator[Piece]:
    r"""Cut a folder into messages; between two of them stands an empty one.

    >>> pieces = cut_mmdf(iter([b"\1\1\1\1\nTo: a\n\nhi\n\1\1\1\1\n"]))
    >>> [piece.data for piece in pieces if piece.data]
    [b'To: a\n\nhi\n']
    """
    return cut_at_lines(blocks, _LINE)
