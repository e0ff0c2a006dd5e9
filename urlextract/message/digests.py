"""Find messages in the plain text of another, without MIME: digests (RFC 1153), and returned mail."""

from __future__ import annotations

import re
from typing import NamedTuple

# RFC 1153, section 3: the preamble ends with a line of 70 hyphens and a blank one;
# messages are separated by a line of 30 with blank ones around it.
FIRST_RULE = b"\n" + b"-" * 70 + b"\n\n"
"""The line between the preamble of a digest and its first message."""

_BETWEEN = re.compile(rb"\n-{30}\n\n(?<=\n\n-{30}\n\n)(?=[!-9;-~]{1,76}:)")
_HEADER = re.compile(rb"\n*[!-9;-~]{1,76}:(?!//)")
_END = re.compile(rb"\n-{30}\n\n(?<=\n\n-{30}\n\n)(?=End of )")
# Exim, qmail and others send back what they could not deliver after a line that says so:
# "------ This is a copy of the message, including all the headers. ------".
# Sendmail's begin with "Received:", perhaps without a blank line before; then more of a head must follow.
_LINE = rb"(?:[ \t]{0,9}-{2}[^\n]{1,200}|[^\n]{0,100}?\b(?i:message|headers?)\b[^\n]{0,80}[:.-])"
_FIELD = rb"(?:Date|From|Subject|Message-I[Dd]|M(?i:ime)-Version|Content-[A-Za-z-]{4,30}):"
_HEAD = rb"Re(?:ceived|turn-[Pp]ath):[^\n]*+\n(?:[^\n]++\n){0,100}?%s" % _FIELD
# Some begin with "From:". That of a quoted mail in an answer has no field of machines after it.
OF_MACHINES = rb"(?:Received|Message-I[Dd]|M(?i:ime)-Version|Content-[A-Za-z-]{4,30}):"
_OF_AUTHOR = rb"From:[^\n]*+\n(?:[^\n]++\n){0,100}?%s" % OF_MACHINES
_COPY = re.compile(
    rb"(?:\A|\n)(?:[ \t]{0,9}-{2}[^\n]{1,200}\n(?=\nReturn-[Pp]ath:)|%s\n{1,2}(?=%s|%s))"
    % (_LINE, _HEAD, _OF_AUTHOR)
)


class Enclosed(NamedTuple):
    """The spans in a body of the preamble, the messages, and what is after them."""

    preamble: tuple[int, int]
    messages: list[tuple[int, int]]
    trailer: tuple[int, int]


def enclosed_messages(data: bytes) -> Enclosed | None:
    r"""Find the messages in a body, None where there are none; `signs_of` says whether there may be some.

    >>> rule, line = b"\n" + b"-" * 70 + b"\n\n", b"\n" + b"-" * 30 + b"\n\n"
    >>> body = b"Topics\n" + rule + b"From: a\n\nhi\n" + line + b"From: b\n\nho\n" + line + b"End of x\n"
    >>> [body[start:end] for start, end in enclosed_messages(body).messages]
    [b'From: a\n\nhi\n', b'From: b\n\nho\n']
    >>> body = b"--- Below this line is a copy of the message.\n\nReturn-Path: <a@b.example>\n\nhi\n"
    >>> [body[start:end] for start, end in enclosed_messages(body).messages]
    [b'Return-Path: <a@b.example>\n\nhi\n']
    """
    return _digest(data) or returned_message(data)


def _digest(data: bytes) -> Enclosed | None:
    at = data.find(FIRST_RULE)
    start = at + len(FIRST_RULE)
    if at < 0 or not _HEADER.match(data, start):
        return None
    last = _END.search(data, start - 1)
    end, trailer = (last.start(), last.end()) if last else (len(data), len(data))
    messages = []
    for rule in _BETWEEN.finditer(data, start, end):
        messages.append((start, rule.start()))
        start = rule.end()
    messages.append((start, end))
    return Enclosed((0, at + 1), messages, (trailer, len(data)))


def returned_message(data: bytes) -> Enclosed | None:
    """Find the copy of a message that was not delivered, which goes on to the end."""
    line = _COPY.search(data)
    if line is None:
        return None
    start = line.end() + data.startswith(b"\n", line.end())
    return Enclosed((0, line.end()), [(start, len(data))], (len(data), len(data)))
