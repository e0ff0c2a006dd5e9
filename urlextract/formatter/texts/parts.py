"""The parts of a message that are plain text as it stands: all else of one is left alone.

A text that does not begin as a message is one body. What is encoded for transfer, what
is no plain text and what is flowed already (RFC 3676) is no body.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["bodies_of"]

_POSTMARK = re.compile(r"From \S+ .*\d{4}")
_FIELD = re.compile(r"[!-9;-~]{1,70}:(?:[ \t]|\Z)")
_KNOWN = re.compile(
    r"(?:From|To|Cc|Date|Subject|Message-ID|Received|Return-Path|Path|Newsgroups|MIME-Version|Content-Type|Reply-To"
    r"|Delivered-To|X-[\w-]+):",
    re.IGNORECASE,
)
_TYPE = re.compile(r"^content-type:\s*([^\s;]+)", re.IGNORECASE | re.MULTILINE)
_ENCODING = re.compile(r"^content-transfer-encoding:\s*\"?([\w-]+)", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(r'boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))', re.IGNORECASE)
_FLOWED = re.compile(r"format\s*=\s*\"?flowed", re.IGNORECASE)
_IDENTITIES = ("", "7bit", "8bit", "binary")


def bodies_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Give the ranges of lines that are bodies of plain text.

    >>> list(bodies_of(["From: ada", "Subject: x", "", "See there"])), list(bodies_of(["See: there"]))
    ([(3, 4)], [(0, 1)])
    """
    boundaries: set[str] = set()
    start = _head_end(texts, 0)
    is_plain = start == 0 or _is_plain(texts[:start], boundaries)
    at = start
    while at < len(texts):
        behind = at + 1
        if _is_boundary(texts[at], boundaries):
            behind = max(behind + 1, _fields_end(texts, at + 1))
        elif texts[at].startswith("From ") and at and _POSTMARK.match(texts[at]):
            behind = max(behind, _head_end(texts, at))
        if behind > at + 1:
            if is_plain and start < at:
                yield start, at
            is_plain = _is_plain(texts[at + 1 : behind], boundaries)
            start = behind
        at = behind
    if is_plain and start < len(texts):
        yield start, len(texts)


def _head_end(texts: Sequence[str], at: int) -> int:
    """Give the line behind the blank line that ends a message's head, ``at`` where none begins."""
    first = at + 1 if at < len(texts) and _POSTMARK.match(texts[at]) else at
    end = _fields_end(texts, first)
    head = texts[first:end]
    is_head = sum(_KNOWN.match(line) is not None for line in head) >= (1 if first > at else 2)
    return end if is_head else at


def _fields_end(texts: Sequence[str], at: int) -> int:
    """Give the line behind the blank line that ends the fields that begin at ``at``."""
    while at < len(texts) and texts[at] and (_FIELD.match(texts[at]) or texts[at][0] in " \t"):
        at += 1
    return min(at + 1, len(texts)) if at < len(texts) and not texts[at] else at


def _is_boundary(text: str, boundaries: set[str]) -> bool:
    return bool(boundaries) and text.startswith("--") and text.rstrip().removesuffix("--") in boundaries


def _is_plain(head: Sequence[str], boundaries: set[str]) -> bool:
    """Say whether a head is that of plain text as it stands; note the boundary of a multipart."""
    fields = re.sub(r"\n[ \t]+", " ", "\n".join(head))
    match = _TYPE.search(fields)
    kind = match[1].lower() if match else "text/plain"
    if kind.startswith("multipart/"):
        boundary = _BOUNDARY.search(fields)
        if boundary:
            boundaries.add(f"--{boundary[1] or boundary[2]}")
        return False
    encoding = _ENCODING.search(fields)
    is_identity = (encoding[1].lower() if encoding else "") in _IDENTITIES
    return kind == "text/plain" and is_identity and not _FLOWED.search(fields)
