"""Find the parts of a message or a mailbox that may be rewritten: bodies of plain text.

A text that `extract_source` does not read as a message is one body. Parts that are encoded for transfer,
attached, signed (RFC 1847) or not plain text are no bodies. Bodies with lines that flow (RFC 3676) are
found separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from urlextract.message.content import DEFAULT, Content
from urlextract.message.reading import read_bodies
from urlextract.records import RawMessage
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import read_stream
from urlextract.sources.streams import Place, ignored, in_blocks


def line_offsets(texts: Iterable[str]) -> list[int]:
    """Return the offsets at which lines begin in their text, and that of a line after the last one.

    >>> line_offsets(["ab", "", "c"])
    [0, 3, 4, 6]
    """
    return [*accumulate((len(text) + 1 for text in texts), initial=0)]


def is_message(texts: Sequence[str]) -> bool:
    """Return whether a text is a message or a mailbox."""
    return any(_messages(_data(texts)))


def bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are bodies of plain text, with lines that do not flow.

    >>> list(bodies_of(["From: ada", "Subject: x", "", "See there"])), list(bodies_of(["See: there"]))
    ([(3, 4)], [(0, 1)])
    """
    return ((start, end) for start, end, content in _parts(texts) if not content.flowed)


def readable_bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are bodies of plain text, also with lines that flow.

    >>> list(readable_bodies_of(["From: ada", "Content-Type: text/plain; format=flowed", "", "See"]))
    [(3, 4)]
    """
    return ((start, end) for start, end, _ in _parts(texts))


def flowed_bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are bodies of plain text with ``format=flowed; delsp=yes``.

    >>> list(flowed_bodies_of(["From: ada", "Content-Type: text/plain; format=flowed; delsp=yes", "", "See"]))
    [(3, 4)]
    """
    return ((start, end) for start, end, content in _parts(texts) if content.flowed and content.delsp)


def with_bodies(
    lines: Sequence[str], bodies: Iterable[tuple[int, int]], change: Callable[[int, int], Iterable[str]]
) -> list[str]:
    """Return lines with each body replaced by what ``change`` returns for its range, and all else as it is.

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
    """Yield the range of lines of each body of plain text, and the content that its header declares."""
    data = _data(texts)
    line = at = 0
    is_message = False
    for message in _messages(data):
        is_message = True
        for body in read_bodies(message):
            start = body.offset or 0
            end = start + len(body.data)
            if start < at or data[start:end] != body.data:  # the text has it in another form
                continue
            first = line + data.count(b"\n", at, start)
            line, at = first + data.count(b"\n", start, end), end
            is_in_line = end == len(data) or data[end] == 0x0A  # or at the start of the next one
            yield first, line + is_in_line, body.content
    if not is_message:
        yield 0, len(texts), DEFAULT


def _messages(data: bytes) -> Iterator[RawMessage]:
    """Yield the messages of a text, each with all its data; none if the text is no message."""
    for item in read_stream(in_blocks(data), "auto", DecompressionBudget(Place("", ignored))):
        if isinstance(item, RawMessage):
            yield item._replace(data=item.data + b"".join(item.rest or ()), rest=None)


def _data(texts: Sequence[str]) -> bytes:
    """Return lines as bytes, with LF between them and nowhere else; line ends within a line become blanks."""
    lines = (text.rstrip("\r").replace("\n", " ").replace("\r", " ") for text in texts)
    return "\n".join(lines).encode("utf-8", "surrogatepass")
