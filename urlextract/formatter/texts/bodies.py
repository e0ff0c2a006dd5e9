"""The parts of a text that is a message, or a mailbox, which may be rewritten: bodies of plain text.

A text that is no message, as `extract_source` reads it, is one body. What is encoded for transfer, what
is no plain text and what is signed (RFC 1847) is no body; lines that flow (RFC 3676) are
bodies of their own kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.message import read_bodies
from urlextract.message.content import DEFAULT
from urlextract.records import RawMessage
from urlextract.sources.files import read_named
from urlextract.sources.streams import Place, ignored, in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.message.content import Content

__all__ = ["bodies_of", "flowed_bodies_of", "is_message", "with_bodies"]


def is_message(texts: Sequence[str]) -> bool:
    """Return whether a text is a message or a mailbox."""
    return any(_messages(_data(texts)))


def bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are bodies of plain text, with lines that do not flow.

    >>> list(bodies_of(["From: ada", "Subject: x", "", "See there"])), list(bodies_of(["See: there"]))
    ([(3, 4)], [(0, 1)])
    """
    return ((start, end) for start, end, content in _parts(texts) if not content.flowed)


def flowed_bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are bodies of plain text with ``format=flowed; delsp=yes``.

    >>> list(flowed_bodies_of(["From: ada", "Content-Type: text/plain; format=flowed; delsp=yes", "", "See"]))
    [(3, 4)]
    """
    return ((start, end) for start, end, content in _parts(texts) if content.flowed and content.delsp)


def with_bodies(
    lines: Sequence[str], bodies: Iterable[tuple[int, int]], change: Callable[[int, int], Iterable[str]]
) -> list[str]:
    """Return lines with what ``change`` makes of each body, whose range it is given, and all else as it is.

    >>> with_bodies(["a", "b", "c"], [(1, 2)], lambda start, end: ["x", "y"])
    ['a', 'x', 'y', 'c']
    """
    done: list[str] = []
    at = 0
    for start, end in bodies:
        done += (*lines[at:start], *change(start, end))
        at = end
    return [*done, *lines[at:]]


def _parts(texts: Sequence[str]) -> Iterator[tuple[int, int, Content]]:
    """Yield the ranges of lines of all bodies of plain text, and what the head of each says of it."""
    data = _data(texts)
    line = at = 0
    is_message = False
    for message in _messages(data):
        is_message = True
        for body in read_bodies(message):
            start = body.offset or 0
            end = start + len(body.data)
            if start < at or data[start:end] != body.data:  # it is in the text in another way
                continue
            first = line + data.count(b"\n", at, start)
            line, at = first + data.count(b"\n", start, end), end
            is_in_line = end == len(data) or data[end] == 0x0A  # or at the start of the next one
            yield first, line + is_in_line, body.content
    if not is_message:
        yield 0, len(texts), DEFAULT


def _messages(data: bytes) -> Iterator[RawMessage]:
    """Yield the messages of a text, whole, by their place in it; none where it is no message."""
    for item in read_named(in_blocks(data), "auto", Place("", ignored)):
        if isinstance(item, RawMessage):
            yield item._replace(data=item.data + b"".join(item.rest or ()), rest=None)


def _data(texts: Sequence[str]) -> bytes:
    """Return lines as bytes, with LF at the end of each and nowhere else: a text may hold line ends."""
    lines = (text.rstrip("\r").replace("\n", " ").replace("\r", " ") for text in texts)
    return "\n".join(lines).encode("utf-8", "surrogatepass")
