"""What an NNTP server answered: articles, each behind a line with its number (RFC 3977, section 6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.sources.formats.pieces import NOWHERE, cut_at_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.formats.pieces import Piece
    from urlextract.sources.sniff import Verdict

__all__ = ["cut_nntp", "undo_nntp"]

_END = later(rb"\.\r{0,2}\n")
# Other answers are lines, too, but nothing else follows those.
_ANSWER = rb"(?:[1-5][0-9]{2}(?:[ -][^\n]*)?\n|\r?\n)"
_ANSWERS = later(_ANSWER + rb"*?22[012] [0-9]+[^\n]*\n|" + _ANSWER + rb"*+\Z")


def cut_nntp(blocks: Iterator[bytes], _: Verdict | None = None) -> Iterator[Piece]:
    """Cut a session into the articles that were answered; where each begins is known when it is read."""
    return (piece._replace(start=NOWHERE) for piece in cut_at_lines(blocks, _END))


def undo_nntp(data: bytes) -> bytes:
    r"""Take the lines of the server off an article, and the dots that the wire has doubled.

    >>> undo_nntp(b"220 1 <a@b> article\r\nPath: a\r\n\r\n..x\r\n")
    b'Path: a\r\n\r\n.x\r\n'
    """
    answers = _ANSWERS.match(data)
    data = data[answers.end() :] if answers else data
    return (b"\n" + data).replace(b"\n..", b"\n.")[1:]
