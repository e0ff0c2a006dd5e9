"""Formats that their first bytes tell: archives, batches, and what is refused."""

from typing import NamedTuple

from urlextract.grammar.patterns import later

__all__ = ["UNDECIDED", "WARC_VERSION", "ZIP", "Mark", "marked"]

ZIP = b"PK\3\4"
"""PKWARE's APPNOTE.TXT, section 4.3.7: the local header of a member."""
WARC_VERSION = rb"WARC/[0-9]{1,3}\.[0-9]{1,3}[ \t]*\r?\n"
"""ISO 28500:2017, section 4: version = "WARC/" 1*DIGIT "." 1*DIGIT CRLF."""


class Mark(NamedTuple):
    """A format, and for one that is refused why, and what reads it.

    A mark that a text may begin with counts where a NUL stands not far behind it.
    """

    form: str
    refusal: str | None = None
    needs_nul: bool = False


UNDECIDED = Mark("undecided")


def _refused(what: str, tool: str, *, needs_nul: bool = False) -> Mark:
    return Mark("refused", f"{what} cannot be read: {tool}", needs_nul)


_CYCLIC = _refused("a cyclic buffer of INN (cnfs)", "feed articles through 'sm -R'", needs_nul=True)

_BEGINNINGS: dict[bytes, Mark] = {
    ZIP: Mark("zip"),
    b"#! rnews ": Mark("rnews"),
    b"#! cunbatch": Mark("rnews"),
    b"#! gunbatch": Mark("rnews"),
    b"#! bunbatch": Mark("rnews"),
    b"#! zunbatch": Mark("rnews"),
    b"#! c7unbatch": _refused("a batch in seven bits", "undo it with 'decode | uncompress'"),
    b"\1\1\1\1": Mark("mmdf"),
    b"BABYL OPTIONS:": Mark("babyl"),
    b"7z\xbc\xaf\x27\x1c": _refused("a 7z archive", "unpack it with '7z x'"),
    b"Rar!\x1a\x07": _refused("a rar archive", "unpack it with 'unrar'"),
    b"\x04\x22\x4d\x18": _refused("lz4 data", "undo it with 'lz4 -dc'"),
    b"LZIP": _refused("lzip data", "undo it with 'lzip -dc'"),
    b"!BDN": _refused("an Outlook folder (pst, ost)", "convert it with 'readpst'", needs_nul=True),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _refused("an Outlook message (msg)", "convert it with 'msgconvert'"),
    b"\xcf\xad\x12\xfe": _refused("an Outlook Express folder (dbx)", "convert it with 'undbx'"),
    b"\x78\x9f\x3e\x22": _refused("TNEF (winmail.dat)", "unpack it with 'tnef'"),
    b"*mbx*\r\n": _refused("a folder of UW imapd (mbx)", "convert it with 'mailutil copy'"),
    b"Cycbuf": _CYCLIC,
    b"CBuf3": _CYCLIC,
    b"CBuf4": _CYCLIC,
    b"CRMT": _refused("a timecaf file of INN", "feed articles through 'sm -R'", needs_nul=True),
}

_LINES_BEGIN_WITH = b"W0123456789"
# RFC 3977, section 8.3: number, subject, from, date, message-id, references, bytes, lines
_OVERVIEW_OPENING = rb"[0-9]{1,16}(?:\t|\Z)"
_OVERVIEW = rb"[0-9]{1,16}\t[^\t\n]*\t[^\t\n]*\t[^\t\n]*\t<[^\t\n]*>\t[^\t\n]*\t[0-9]*\t[0-9]*[\t\r\n]"
# RFC 3977, section 6.2: the answers to ARTICLE, HEAD and BODY
_ANSWER_OPENING = rb"2(?:\Z|2(?:\Z|[012](?:\Z| (?:\Z|[0-9]))))"
_ANSWER = rb"22[012] [0-9]{1,16} <[^\n]*\n"
# Apple Mail's .emlx: the length of a message, and its first field
_LENGTH_OPENING = rb"[0-9]{2,10}[ \t]*(?:\r?\n|\r?\Z)"
_LENGTH = (
    rb"[0-9]{2,10}[ \t]*\r?\n(?i:return-path|received|delivered-to|from|to|subject|date|message-id|reply-to"
    rb"|mime-version|content-type|dkim-signature|arc-seal|x-[a-z-]{1,60}|authentication-results|sender):"
)
_VERSION_OPENING = rb"W(?:\Z|A(?:\Z|R(?:\Z|C(?:\Z|/))))"


_LINES = (
    (later(_VERSION_OPENING), later(WARC_VERSION), 1, Mark("warc")),
    (later(_OVERVIEW_OPENING), later(_OVERVIEW), 1, Mark("overview")),
    (later(_ANSWER_OPENING), later(_ANSWER), 1, Mark("nntp")),
    (later(_LENGTH_OPENING), later(_LENGTH), 2, Mark("emlx")),
)
"""The formats that whole lines tell: how the first begins, how they look, and how many they are."""


_TAR, _TAR_AT = b"ustar", 257  # POSIX.1-1988: the magic of a header, behind a name padded with NULs
_TAR_NAME = later(rb"[^\s\0]{0,100}(?:\Z|\0)")
_NUL_WITHIN = 256  # bytes
_LONGEST_LINE = 8 * 1024  # bytes of the first line that are waited for


def marked(head: bytes, *, at_end: bool) -> Mark | None:
    r"""Give the format that ``head`` is the mark of, None for no mark, or `UNDECIDED`.

    >>> marked(b"#! rnews 1234\n", at_end=False), marked(b"#! r", at_end=True)
    (Mark(form='rnews', refusal=None, needs_nul=False), None)
    """
    mark = _marked_at_start(head, at_end=at_end) or _marked_as_tar(head, at_end=at_end)
    return mark or _marked_by_line(head, at_end=at_end)


def _marked_at_start(head: bytes, *, at_end: bool) -> Mark | None:
    for beginning, mark in _BEGINNINGS.items():
        if head.startswith(beginning):
            if not mark.needs_nul or b"\0" in head[:_NUL_WITHIN]:
                return mark
            return None if at_end or len(head) >= _NUL_WITHIN else UNDECIDED
        if not at_end and beginning.startswith(head):
            return UNDECIDED
    return None


def _marked_as_tar(head: bytes, *, at_end: bool) -> Mark | None:
    if head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return Mark("tar")
    may_be_name = not at_end and len(head) < _TAR_AT + len(_TAR) and _TAR_NAME.match(head)
    return UNDECIDED if may_be_name else None


def _marked_by_line(head: bytes, *, at_end: bool) -> Mark | None:
    if head[:1] not in _LINES_BEGIN_WITH:
        return None
    for opening, pattern, lines, mark in _LINES:
        if opening.match(head):
            if pattern.match(head):
                return mark
            if not at_end and head.count(b"\n") < lines and len(head) < _LONGEST_LINE:
                return UNDECIDED
    return None
