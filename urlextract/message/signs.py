"""What a body may hold, seen at one look at its bytes: most hold nothing of it.

Words that are rare are looked for first, because that is fast; a pattern for all of them takes twice as long.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from urlextract.message.digests import FIRST_RULE, OF_MACHINES

_RETURNED = re.compile(rb"R(?<=[-:.\n]\nR)e(?:ceived:|turn-[Pp]ath:)")
_AUTHOR = re.compile(rb"From:(?<=[-:.\n]\nFrom:)[^\n]*+\n(?:[^\n]++\n){0,100}?%s" % OF_MACHINES)
_UUENCODED = re.compile(rb"M(?<=\nM)[ -`]{60,61}\n")  # a full line


class Signs(NamedTuple):
    """What a body may hold: escapes of quoted-printable, messages, blocks that are no text."""

    escapes: bool
    messages: bool
    blocks: bool


def signs_of(data: bytes) -> Signs:
    r"""Return what the bytes of a body may hold, after its transfer encoding was undone.

    >>> signs_of(b"see a=3Db\n"), signs_of(b"begin 644 f\nM" + b"A" * 60 + b"\n")
    (Signs(escapes=True, messages=False, blocks=False), Signs(escapes=False, messages=False, blocks=True))
    """
    author = data.find(b"\nFrom: ")
    messages = (
        FIRST_RULE in data
        or (author >= 0 and _AUTHOR.search(data, author) is not None)
        or _RETURNED.search(data) is not None
    )
    is_wide = b"\0" in data  # UTF-16: these words are not looked for
    blocks = is_wide or b"-----BEGIN PGP " in data or b"=ybegin " in data
    return Signs(b"=" in data, messages, blocks or _UUENCODED.search(data) is not None)
