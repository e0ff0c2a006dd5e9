"""Babyl, the format of Rmail in Emacs up to version 22.

A file begins with its options; each message with Control-_, a form feed, and a line
of labels. Where the first label is 1, the header as it came stands first, and once
more, pruned, behind a line ``*** EOOH ***``; where it is 0, behind that line only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.sources.formats.pieces import NOWHERE, PREAMBLE, cut_at_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.formats.pieces import Piece
    from urlextract.sources.sniff import Verdict

__all__ = ["cut_babyl", "undo_babyl"]

_SEPARATOR = later(rb"\x1f")
_LABELS = later(rb"\x0c?\r?\n?[01],[^\n]*\n")
_END_OF_HEADER = later(rb"\n(\*\*\* EOOH \*\*\*\r?\n)")
_BLANK_LINE = later(rb"\n\r?\n")


def cut_babyl(blocks: Iterator[bytes], _: Verdict | None = None) -> Iterator[Piece]:
    """Cut a file into its messages, each as it stands; the options are what comes before them."""
    for piece in cut_at_lines(blocks, _SEPARATOR, PREAMBLE):
        yield piece if piece.start == PREAMBLE else piece._replace(start=NOWHERE)


def undo_babyl(data: bytes) -> bytes:
    r"""Make a message of one that stands in a Babyl file: one header, then the body.

    >>> undo_babyl(b"\x0c\n1,,\nTo: a\nX-URL: x\n\n*** EOOH ***\nTo: a\n\nhi\n")
    b'To: a\nX-URL: x\n\nhi\n'
    >>> undo_babyl(b"\x0c\n0,,\n*** EOOH ***\nTo: a\n\nhi\n")
    b'To: a\n\nhi\n'
    """
    labels = _LABELS.match(data)
    start = labels.end() if labels else 0
    end = _END_OF_HEADER.search(data, max(0, start - 1))
    if not end:
        return data[start:].lstrip(b"\x0c\r\n")
    header = data[start : end.start(1)].strip(b"\r\n")
    if not header:
        return data[end.end() :]
    blank = _BLANK_LINE.search(data, end.end() - 1)
    return header + b"\n\n" + (data[blank.end() :] if blank else b"")
