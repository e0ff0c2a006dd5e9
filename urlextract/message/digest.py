"""Digests in plain text: several messages in the body of one (RFC 1153)."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Digest", "may_be_digest", "split_digest"]

# RFC 1153, section 3: the preamble ends with a line of 70 hyphens and a blank one;
# messages are parted by a line of 30 with blank ones round it.
_FIRST = b"\n" + b"-" * 70 + b"\n\n"
_BETWEEN = re.compile(rb"\n-{30}\n\n(?<=\n\n-{30}\n\n)(?=[!-9;-~]{1,76}:)")
_HEADER = re.compile(rb"\n*[!-9;-~]{1,76}:(?!//)")
_END = re.compile(rb"\n-{30}\n\n(?<=\n\n-{30}\n\n)(?=End of )")


class Digest(NamedTuple):
    """The preamble, the messages, and what stands behind them; each with its place in the body."""

    preamble: tuple[int, int]
    messages: list[tuple[int, int]]
    trailer: tuple[int, int]


def may_be_digest(data: bytes) -> bool:
    """Say cheaply whether a body may be a digest."""
    return _FIRST in data


def split_digest(data: bytes) -> Digest | None:
    r"""Find the messages of a digest, None where there are none.

    >>> rule, line = b"\n" + b"-" * 70 + b"\n\n", b"\n" + b"-" * 30 + b"\n\n"
    >>> body = b"Topics\n" + rule + b"From: a\n\nhi\n" + line + b"From: b\n\nho\n" + line + b"End of x\n"
    >>> [body[start:end] for start, end in split_digest(body).messages]
    [b'From: a\n\nhi\n', b'From: b\n\nho\n']
    """
    at = data.find(_FIRST)
    start = at + len(_FIRST)
    if at < 0 or not _HEADER.match(data, start):
        return None
    last = _END.search(data, start - 1)
    end, trailer = (last.start(), last.end()) if last else (len(data), len(data))
    messages = []
    for rule in _BETWEEN.finditer(data, start, end):
        messages.append((start, rule.start()))
        start = rule.end()
    messages.append((start, end))
    return Digest((0, at + 1), messages, (trailer, len(data)))
