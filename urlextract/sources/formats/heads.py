"""Messages one after the other with nothing between them (``cat a.eml b.eml``), cut where a head begins.

A head within the text of a message is no reason to cut: mail forwards and returns other mail. So its fields
must be those of a message that was sent, no line before it may introduce it, and what a multipart holds, or
a message of a message type, is left whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.formats.messages import Piece
from urlextract.sources.sniff import SUPPORTING, TELLING
from urlextract.sources.streams import Reader

_LONGEST = 64 * 1024  # bytes of a head
_FEWEST = 3  # fields of mail or news that a head has

# RFC 5322, section 2.2: fields, each with its folded lines, and the blank line or the end after them
_NAME = rb"[A-Za-z][A-Za-z0-9-]{0,60}(?=[ \t]?:(?!//))"
_FIELDS = lazy_re(rb"\n(?=%s)((?>(?:(?:%s|[ \t])[^\n]*(?:\n|\Z))+))(?=(\r?\n|\Z))?" % (_NAME, _NAME))
_NAMES = lazy_re(rb"^%s" % _NAME, re.MULTILINE)
# Fields that people leave out when they copy a head into a text
_SENT = frozenset(
    b"content-type delivered-to message-id mime-version newsgroups received return-path".split()
)
# The line before the copy of a message: "Begin forwarded message:", "---- Original message", a rule
_INTRODUCES = lazy_re(rb"[ \t]*(?!-----END )(?:>From |[-=_*~#+]{2}|[^\n]*:\Z)")
_LINE = 1024  # bytes of that line

_HEAD_END = lazy_re(rb"\n\r?\n")
_TYPES = lazy_re(rb"^content-type[ \t]?:((?:[^\n]*\n(?=[ \t]))*[^\n]*)", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = lazy_re(rb"\bboundary\s*=\s*(?:\"([^\"\n]{1,200})\"|([^\s\";]{1,200}))", re.IGNORECASE)


def cut_at_heads(pieces: Iterator[Piece]) -> Iterator[Piece]:
    r"""Cut the first message of a stream where the head of another one follows.

    >>> from urlextract.sources.formats.messages import pieces_of
    >>> head = b"From: a@example.org\nSubject: a\nMessage-ID: <1@example.org>\n\n"
    >>> blocks = iter([head + b"one\n" + head + b"two\n"])
    >>> [piece.start for piece in cut_at_heads(pieces_of(0, blocks)) if piece.last]
    [0, 64]
    """
    first = next(pieces)
    reader = Reader(_data_of(first, pieces))
    while True:
        start = first.start + reader.offset
        for data in _to_next_head(reader):
            yield Piece(start, data, last=False)
        yield Piece(start, b"", last=True)
        if not reader.peek(1):
            break
    yield from pieces  # a postmark follows: those of a mailbox cut it


def _data_of(piece: Piece, pieces: Iterator[Piece]) -> Iterator[bytes]:
    """Yield the data of a message, whose first piece is there already."""
    yield piece.data
    while not piece.last:
        piece = next(pieces)
        yield piece.data


def _to_next_head(reader: Reader) -> Iterator[bytes]:
    """Take a message up to the head of another one, or to the end."""
    data = reader.peek(_LONGEST)
    end = _HEAD_END.search(data)
    head = reader.take(end.end() if end else len(data))
    yield head
    declared = b" ".join(_TYPES.findall(head))
    if b"multipart/" in declared.lower():
        boundary = _BOUNDARY.search(declared)
        closing = rb"--%s--[ \t]{0,99}\r?\n" % re.escape(boundary[1] or boundary[2]) if boundary else rb"\Z."
        yield from reader.up_to(re.compile(closing), _LINE)
        yield reader.line()
    elif b"message/" in declared.lower():
        yield from reader.pieces()
    held = b"\n"  # the end of what was taken
    while data := reader.peek(2 * _LONGEST):
        text = held + data
        size = _LONGEST if len(data) == 2 * _LONGEST else len(data)
        at, end_of_search = _head_in(text, len(held), len(held) + size)
        yield reader.take((end_of_search if at is None else at) - len(held))
        if at is not None:
            return
        held = text[max(0, end_of_search - _LINE) : end_of_search]


def _head_in(text: bytes, first: int, limit: int) -> tuple[int | None, int]:
    """Return where a head begins in ``first:limit``, and up to where there is no other; it may end behind."""
    for fields in _FIELDS.finditer(text, first - 1):  # after a line end
        if fields.start() >= limit:
            break
        limit = max(limit, fields.end())
        names = [(found.start(), found[0].lower()) for found in _NAMES.finditer(fields[1])]
        known = {name for _, name in names} & (TELLING | SUPPORTING | _SENT)
        if fields[2] is None or b"from" not in known or len(known) < _FEWEST or not known & _SENT:
            continue
        # "Phone: 1234" may be the last line of the message before
        start = fields.start(1) + next(at for at, name in names if name in known or b"-" in name)
        before = text[max(0, start - _LINE) : start].rstrip().rpartition(b"\n")[2]
        if not _INTRODUCES.match(before):
            return start, limit
    return None, limit
