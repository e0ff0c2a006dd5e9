"""The shards of a file that is read once for them: where each begins, and what is counted before it.

A shard is read alone, and yet its messages have the numbers, and its text the places, that they have in the
file.
"""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from typing import BinaryIO

from urlextract.errors import SourceError, UrlExtractError
from urlextract.grammar.patterns import lazy_re
from urlextract.run.shards import Files, Shard
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import PREAMBLE
from urlextract.sources.formats.warc import cut_warc
from urlextract.sources.streams import Place, blocks_of_stream, up_to

_MOST_CR = 4  # that end a line with the LF after them
_LONE_CR = lazy_re(rb"(?<!\r)\r{1,%d}+(?!\n)" % _MOST_CR)


def counted_shards(whole: Shard, edges: Sequence[int], files: Files) -> Iterator[Shard]:
    """Yield the shards of a text, a mailbox or a web archive, the last one marked.

    The first one begins at the first of the ``edges``, where a text, a postmark or a version does, and each
    other one with the first line, message or record at one of them or after it; the last edge is the end of
    the file. What is left of a file that cannot be read further is one shard, by which the fault is reported;
    if it is no fault of the file, it is a shard with the damage.
    """
    cut = _cut_text if whole.format == "text" else _cut_at_heads
    begun = whole._replace(start=edges[0], after=edges[0] - 1)
    try:
        with files.open(whole.source) as stream:
            for shard in cut(whole, edges, stream):
                yield _up_to(begun, shard.start or 0)
                begun = shard
    except (SourceError, OSError, ValueError):  # is reported when the shard is read
        pass
    except UrlExtractError as error:
        cause = str(error).removeprefix(f"{whole.source}: ")
        yield Shard(whole.source, damage=(whole.source, cause, None, None), is_last=True)
        return
    yield begun._replace(size=edges[-1] - (begun.start or 0), is_last=True)


def _up_to(shard: Shard, end: int) -> Shard:
    """Return a shard that ends where the next one begins."""
    until = end if shard.format == "text" else end - 1
    return shard._replace(until=until, size=end - (shard.start or 0))


def _raise(error: SourceError) -> None:
    raise error


def _blocks(whole: Shard, stream: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes of the file; raise `SourceError` if they cannot be read."""
    stream.seek(start)
    return up_to(end - start, blocks_of_stream(stream, Place(whole.source, _raise), start))


def _cut_at_heads(whole: Shard, edges: Sequence[int], stream: BinaryIO) -> Iterator[Shard]:
    """Yield each shard of a mailbox or a web archive but the first, without its end."""
    blocks = _blocks(whole, stream, edges[0], edges[-1])
    pieces = (
        cut_at_postmarks(blocks, edges[0]) if whole.format == "mbox" else cut_warc(blocks, offset=edges[0])
    )
    starts = (start for start, _ in groupby(pieces, key=attrgetter("start")) if start != PREAMBLE)
    left = deque(edges[1:-1])
    for number, head in enumerate(starts):
        if not left:
            return
        if head >= left[0]:
            yield whole._replace(start=head, after=head - 1, number=number, at_head=True)
        while left and left[0] <= head:
            left.popleft()


def _cut_text(whole: Shard, edges: Sequence[int], stream: BinaryIO) -> Iterator[Shard]:
    """Yield each shard of a text in UTF-8 but the first, without its end.

    There is none after a carriage return that alone ends a line: only the lines of a shard have all the rules
    for these.
    """
    characters, line = 0, 1
    for low, high in pairwise(edges[:-1]):
        counted = _characters_and_lines(whole, low, high, stream)
        if counted is None:
            return
        characters, line = characters + counted[0], line + counted[1]
        yield whole._replace(start=high, place=(characters, line))


def _characters_and_lines(whole: Shard, start: int, end: int, stream: BinaryIO) -> tuple[int, int] | None:
    """Count what is in a range of a text, which begins and ends where a line does; None if unknown."""
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    has_mark = not start and stream.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8
    characters = -1 if has_mark else 0  # a byte order mark is not part of the text
    lines = 0
    tail = b""  # carriage returns, which may end a line with what follows
    for block in _blocks(whole, stream, start, end):
        data = tail + block
        tail = data[len(data.rstrip(b"\r")) :]
        data = data[: len(data) - len(tail)]
        if len(tail) > _MOST_CR or (b"\r" in data and _LONE_CR.search(data)):
            return None
        characters += len(decode(data))
        lines += data.count(b"\n")
    return None if tail else (characters, lines)
