"""Overview files of news servers: a line an article, its fields parted by tabs (RFC 3977, section 8.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import Origin, RawMessage
from urlextract.sources.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_overview"]

_FIELDS = (b"", b"Subject", b"From", b"Date", b"Message-ID")


def read_overview(blocks: Iterator[bytes], source: str) -> Iterator[RawMessage]:
    r"""Give the head of each article as far as the overview has it, numbered by its line.

    >>> line = b"7\tsee www.x.example\tme\tMon\t<1@a>\t\t9\t1\n"
    >>> [message.data for message in read_overview(iter([line]), "x")]
    [b'Subject: see www.x.example\nFrom: me\nDate: Mon\nMessage-ID: <1@a>\n\n']
    """
    reader = Reader(blocks)
    number = 0
    while True:
        start = reader.offset
        line = reader.line()
        if not line:
            return
        number += 1
        values = line.rstrip(b"\r\n").replace(b"\r", b" ").split(b"\t")
        head = b"".join(
            name + b": " + value + b"\n" for name, value in zip(_FIELDS, values, strict=False) if name
        )
        origin = Origin(source=source, message=number, offset=start)
        yield RawMessage(data=head + b"\n", origin=origin, verbatim=0)
