"""The formats of sources: a row says how data of a format begin, and what reads them, or why nothing does.

A format is a module and a row here. All else follows: detection from the content, the name for
``--format``, and for an archive that it is opened wherever it occurs.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re

_NUL_WITHIN = 256  # bytes
_LONGEST_LINE = 8 * 1024  # bytes of the first line that are waited for


class Magic(NamedTuple):
    """Bytes with which a format begins, or that are ``at`` an offset, after what ``before`` matches.

    With ``needs_nul``, text may have them, too: they count only if a NUL follows soon.
    """

    data: bytes
    at: int = 0
    before: re.Pattern[bytes] | None = None
    needs_nul: bool = False

    def is_in(self, head: bytes | bytearray, *, at_end: bool) -> bool | None:
        """Return whether data with this ``head`` have the mark, None if more bytes are needed."""
        found = head[self.at : self.at + len(self.data)]
        if found != self.data:
            may_follow = not at_end and self.data.startswith(found)
            return None if may_follow and (not self.before or self.before.match(head)) else False
        if not self.needs_nul or b"\0" in head[:_NUL_WITHIN]:
            return True
        return False if at_end or len(head) >= _NUL_WITHIN else None


class Lines(NamedTuple):
    """The first lines of a format: a pattern of a ``number`` of them, and one of how they may begin.

    The patterns are compiled only for data whose first character is one of ``first``.
    """

    first: bytes
    opening: re.Pattern[bytes]
    pattern: re.Pattern[bytes]
    number: int = 1

    def is_in(self, head: bytes | bytearray, *, at_end: bool) -> bool | None:
        """Return whether data with this ``head`` have the lines, None if more bytes are needed."""
        if head[:1] not in self.first or not self.opening.match(head):
            return False
        if self.pattern.match(head):
            return True
        may_follow = not at_end and head.count(b"\n") < self.number and len(head) < _LONGEST_LINE
        return None if may_follow else False


class Format(NamedTuple):
    """A format of sources: its name, its reader as "module:name" in `sources`, and how its data begin.

    A reader is called with the blocks, the `Detection` and the place of a source, and returns its items.
    If the format was not asked for but detected, ``if_detected`` is called where there is one. The reader of
    an archive is called with the blocks, the place and the wrapping, and yields the place, the blocks and the
    wrapping of each member. Of a format that is refused, ``refusal`` says why, and which program reads it.
    """

    name: str
    reader: str = ""
    signs: tuple[Magic | Lines, ...] = ()
    if_detected: str = ""
    is_archive: bool = False
    refusal: str = ""


def _refused(what: str, tool: str, *magics: bytes, needs_nul: bool = False) -> Format:
    signs = tuple(Magic(magic, needs_nul=needs_nul) for magic in magics)
    return Format(what, signs=signs, refusal=f"{what} cannot be read: {tool}")


ZIP = b"PK\3\4"
"""PKWARE's APPNOTE.TXT, section 4.3.7: the local header of a member."""
# POSIX.1-1988: the magic in the header of a tar is at 257, after a name that is padded with NULs
_TAR = Magic(b"ustar", at=257, before=lazy_re(rb"[^\s\0]{0,100}(?:\Z|\0)"))

WARC_VERSION = rb"WARC/[0-9]{1,3}\.[0-9]{1,3}[ \t]*\r?\n"
"""ISO 28500:2017, section 4: version = "WARC/" 1*DIGIT "." 1*DIGIT CRLF."""
_WARC = Lines(b"W", lazy_re(rb"W(?:\Z|A(?:\Z|R(?:\Z|C(?:\Z|/))))"), lazy_re(WARC_VERSION))

_DIGITS = b"0123456789"
# RFC 3977, section 8.3: number, subject, from, date, message-id, references, bytes, lines
_OVERVIEW = Lines(
    _DIGITS,
    lazy_re(rb"[0-9]{1,16}(?:\t|\Z)"),
    lazy_re(
        rb"[0-9]{1,16}\t[^\t\n]*\t[^\t\n]*\t[^\t\n]*\t<[^\t\n]*>\t[^\t\n]*\t[0-9]*\t[0-9]*[\t\r\n]"
    ),
)  # fmt: skip
# RFC 3977, section 6.2: the answers to ARTICLE, HEAD and BODY
_NNTP = Lines(
    _DIGITS,
    lazy_re(rb"2(?:\Z|2(?:\Z|[012](?:\Z| (?:\Z|[0-9]))))"),
    lazy_re(rb"22[012] [0-9]{1,16} <[^\n]*\n"),
)
# Apple Mail's .emlx: the length of a message, and its first field
_EMLX = Lines(
    _DIGITS,
    lazy_re(rb"[0-9]{2,10}[ \t]*(?:\r?\n|\r?\Z)"),
    lazy_re(
        rb"[0-9]{2,10}[ \t]*\r?\n(?i:return-path|received|delivered-to|from|to|subject|date|message-id"
        rb"|reply-to|mime-version|content-type|dkim-signature|arc-seal|x-[a-z-]{1,60}|authentication-results|sender):"
    ),
    number=2,
)
_RNEWS = (b"#! rnews ", b"#! gunbatch", b"#! bunbatch", b"#! zunbatch")

# Text, pages, messages and mailboxes have no sign of their own: `sniff` detects them from lines and fields.
_ROWS = (
    Format("empty"),
    Format("text", "formats.single:read_text"),
    Format("html", "formats.single:read_page"),
    Format("message", "formats.single:read_message", if_detected="formats.single:read_first_message"),
    Format("mbox", "formats.mbox:read_mailbox"),
    Format("rnews", "formats.usenet:read_rnews", tuple(map(Magic, _RNEWS))),
    Format("nntp", "formats.usenet:read_nntp", (_NNTP,)),
    Format("mmdf", "formats.mailboxes:read_mmdf", (Magic(b"\1\1\1\1"),)),
    Format("warc", "formats.warc:read_warc", (_WARC,)),
    Format("emlx", "formats.mailboxes:read_emlx", (_EMLX,)),
    Format("overview", "formats.usenet:read_overview", (_OVERVIEW,)),
    Format("zip", "compress.zips:members", (Magic(ZIP),), is_archive=True),
    Format("tar", "compress.tars:tar_members", (_TAR,), is_archive=True),
    _refused("data of compress (.Z)", "undo it with 'gzip -dc'", b"\x1f\x9d"),
    _refused(
        "a batch packed by compress", "undo it with 'tail -n +2 | gzip -dc'",
        b"#! cunbatch\n", b"#! cunbatch\r\n",
    ),
    _refused("a batch in seven bits", "undo it with 'decode | uncompress'", b"#! c7unbatch"),
    _refused("a 7z archive", "unpack it with '7z x'", b"7z\xbc\xaf\x27\x1c"),
    _refused("a rar archive", "unpack it with 'unrar'", b"Rar!\x1a\x07"),
    _refused("lz4 data", "undo it with 'lz4 -dc'", b"\x04\x22\x4d\x18"),
    _refused("lzip data", "undo it with 'lzip -dc'", b"LZIP"),
    _refused("an Outlook folder (pst, ost)", "convert it with 'readpst'", b"!BDN", needs_nul=True),
    _refused("an Outlook message (msg)", "convert it with 'msgconvert'", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    _refused("an Outlook Express folder (dbx)", "convert it with 'undbx'", b"\xcf\xad\x12\xfe"),
    _refused("TNEF (winmail.dat)", "unpack it with 'tnef'", b"\x78\x9f\x3e\x22"),
    _refused("a folder of UW imapd (mbx)", "convert it with 'mailutil copy'", b"*mbx*\r\n"),
    _refused(
        "a cyclic buffer of INN (cnfs)", "feed articles through 'sm -R'", b"Cycbuf", b"CBuf3", b"CBuf4",
        needs_nul=True,
    ),
    _refused("a timecaf file of INN", "feed articles through 'sm -R'", b"CRMT", needs_nul=True),
)  # fmt: skip
FORMATS = {row.name: row for row in _ROWS}
READABLE = tuple(row.name for row in _ROWS if row.reader and not row.is_archive)
"""The names of the formats that can be asked for."""
