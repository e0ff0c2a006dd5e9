"""What a body may hold, seen at one look at its bytes: most hold nothing of it.

Each pattern begins with one letter, which `re` looks for by ``memchr``; what comes before is looked back for.
That is faster than a search for a word, or than one pattern for all.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from urlextract.message.digests import FIRST_RULE, OF_MACHINES

_RETURNED = re.compile(rb"R(?<=[-:.\n]\nR)e(?:ceived:|turn-[Pp]ath:)")
_AUTHOR = re.compile(rb"F(?<=[-:.\n]\nF)rom: [^\n]*+\n(?:[^\n]++\n){0,100}?%s" % OF_MACHINES)
_PGP = re.compile(rb"P(?<=-----BEGIN P)GP ")
_YENC = re.compile(rb"=(?=ybegin )")
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
    messages = FIRST_RULE in data or bool(_AUTHOR.search(data) or _RETURNED.search(data))
    # UTF-16 has NULs: words are not looked for in it
    blocks = b"\0" in data or bool(_PGP.search(data) or _YENC.search(data) or _UUENCODED.search(data))
    return Signs(b"=" in data, messages, blocks)
