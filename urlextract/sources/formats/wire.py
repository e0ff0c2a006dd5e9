"""Articles as the network carries them: CR LF at each line's end, dots doubled.

A news server may keep its articles so (INN does by default), and an article
taken from an NNTP session is so. There is no mark that says it: it is told from
the article itself.
"""

from __future__ import annotations

import re

from urlextract.grammar.patterns import later

__all__ = ["is_wire_format", "undo_wire_format"]

# RFC 3977, section 3.1.1: a line that begins with "." gets another in front, and
# a line of a single "." ends the article.
TERMINATOR = b"\r\n.\r\n"
# A server writes Path into each article it takes (RFC 5536, section 3.1.5).
PATH = later(rb"(?:\A|\n)Path:", re.IGNORECASE)


def is_wire_format(data: bytes) -> bool:
    r"""Tell whether every line ends in CR LF and the article came from a server.

    >>> is_wire_format(b"Path: a!b\r\n\r\n..x\r\n"), is_wire_format(b"To: a\r\n\r\n..x\r\n")
    (True, False)
    """
    if b"\r\n" not in data or data.count(b"\n") != data.count(b"\r\n"):
        return False
    if data.endswith(TERMINATOR):
        return True
    head_end = data.find(b"\r\n\r\n")
    return PATH.search(data, 0, head_end if head_end >= 0 else len(data)) is not None


def undo_wire_format(data: bytes) -> bytes:
    r"""Take the doubled dots and the last line out of an article, if it has them.

    >>> undo_wire_format(b"Path: a!b\r\n\r\n..x\r\n.\r\n")
    b'Path: a!b\r\n\r\n.x\r\n'
    >>> undo_wire_format(b"To: a\n\n..x\n")
    b'To: a\n\n..x\n'
    """
    if not is_wire_format(data):
        return data
    if data.endswith(TERMINATOR):
        data = data[: -len(TERMINATOR) + len(b"\r\n")]
    return data.replace(b"\r\n..", b"\r\n.")
