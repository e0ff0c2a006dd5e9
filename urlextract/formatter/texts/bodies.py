"""The parts of a message that are plain text as it stands: all else of one is left alone.

A text that does not begin as a message is one body. What is encoded for transfer, what
is no plain text and what is signed (RFC 1847) is no body; lines that flow (RFC 3676) are
bodies of their own kind.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from urlextract.grammar.patterns import lazy_re
from urlextract.message.content import DEFAULT, read_content, read_encoding
from urlextract.message.heads import CONTENT
from urlextract.message.transfer import IDENTITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.message.content import Content

__all__ = ["bodies_of", "flowed_bodies_of", "is_message", "with_bodies"]

_Kind = Literal["fixed", "flowed", "other"]

_POSTMARK = lazy_re(r"From \S+ .*\d{4}")
_FIELD = lazy_re(r"[!-9;-~]{1,70}:(?:[ \t]|\Z)")
_KNOWN = lazy_re(
    r"(?:From|To|Cc|Date|Subject|Message-ID|Received|Return-Path|Path|Newsgroups|MIME-Version|Content-Type|Reply-To"
    r"|Delivered-To|X-[\w-]+):",
    re.IGNORECASE,
)
# Multiparts whose parts are signed, encrypted, or messages of their own
_CLOSED = ("multipart/signed", "multipart/encrypted", "multipart/digest")


def is_message(texts: Sequence[str]) -> bool:
    """Return whether a text begins as a message does, or a mailbox."""
    return _head_end(texts, 0) > 0


def bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are bodies of plain text, with lines that do not flow.

    >>> list(bodies_of(["From: ada", "Subject: x", "", "See there"])), list(bodies_of(["See: there"]))
    ([(3, 4)], [(0, 1)])
    """
    return ((start, end) for start, end, kind in _parts(texts) if kind == "fixed")


def flowed_bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are bodies of plain text with ``format=flowed; delsp=yes``.

    >>> list(flowed_bodies_of(["From: ada", "Content-Type: text/plain; format=flowed; delsp=yes", "", "See"]))
    [(3, 4)]
    """
    return ((start, end) for start, end, kind in _parts(texts) if kind == "flowed")


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


def _parts(texts: Sequence[str]) -> Iterator[tuple[int, int, _Kind]]:
    """Yield the ranges of lines between heads and delimiters, and the kind of each."""
    boundaries: set[str] = set()
    at = start = _head_end(texts, 0)
    kind: _Kind = "fixed" if start == 0 else _kind_of(texts[:start], boundaries)
    while at < len(texts):
        text = texts[at]
        behind, of_next = at, kind
        if boundaries and text.startswith("--") and text.rstrip() in boundaries:
            behind = max(at + 1, _fields_end(texts, at + 1))
            of_next = _kind_of(texts[at + 1 : behind], boundaries)
        elif boundaries and text.startswith("--") and text.rstrip().removesuffix("--") in boundaries:
            behind, of_next = at + 1, "other"
        elif at and text.startswith("From ") and _POSTMARK.match(text) and _head_end(texts, at) > at:
            behind = _head_end(texts, at)
            boundaries = set()
            of_next = _kind_of(texts[at + 1 : behind], boundaries)
        if behind > at:
            if start < at:
                yield start, at, kind
            kind, start = of_next, behind
        at = max(behind, at + 1)
    if start < len(texts):
        yield start, len(texts), kind


def _head_end(texts: Sequence[str], at: int) -> int:
    """Return the line after the blank line that ends a message's head, ``at`` where none begins."""
    first = at + 1 if at < len(texts) and _POSTMARK.match(texts[at]) else at
    end = _fields_end(texts, first)
    head = texts[first:end]
    is_head = sum(_KNOWN.match(line) is not None for line in head) >= (1 if first > at else 2)
    return end if is_head else at


def _fields_end(texts: Sequence[str], at: int) -> int:
    """Return the line after the blank line that ends the fields that begin at ``at``."""
    while at < len(texts) and texts[at] and (_FIELD.match(texts[at]) or texts[at][0] in " \t"):
        at += 1
    return min(at + 1, len(texts)) if at < len(texts) and not texts[at] else at


def _kind_of(head: Sequence[str], boundaries: set[str]) -> _Kind:
    """Return what a head announces; note the boundary of a multipart whose parts may be changed."""
    content, encoding = _read_content(head)
    if encoding not in IDENTITIES:
        return "other"
    if content.kind.startswith("multipart/"):
        if content.boundary and content.kind not in _CLOSED:
            boundaries.add(f"--{content.boundary.decode('utf-8', 'surrogateescape')}")
        return "other"
    if content.kind != "text/plain":
        return "other"
    if not content.flowed:
        return "fixed"
    return "flowed" if content.delsp else "other"


def _read_content(head: Sequence[str]) -> tuple[Content, str]:
    """Return what a head says of the body after it, and how that is encoded."""
    content: Content | None = DEFAULT
    encoding: str | None = ""
    fields = "".join(f"\n{line}" for line in head).encode("utf-8", "surrogatepass")
    for name, value in CONTENT.findall(fields):
        if name.lower() == b"ype":
            content = read_content(value)
        else:
            encoding = read_encoding(value)
    if content is not None and encoding is not None:
        return content, encoding
    from urlextract.message.mime import boundary_of, content_of, encoding_of, parse_entity  # noqa: PLC0415 - few are odd

    entity = parse_entity(fields[1:] + b"\n\n")
    boundary = (boundary_of(entity) or "").encode("utf-8", "surrogateescape")
    return content_of(entity)._replace(boundary=boundary or None), encoding_of(entity)
