"""The formats of sources, and how one is detected: by its sign in the first bytes, then by lines and fields.

A format is a module and a row of `FORMATS`, which says how data of the format begin, and what reads them, or
why nothing does. All else follows: detection from the content, the name for ``--format``, and for an archive
that it is opened wherever it occurs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.formats.postmark import EOL, HEADER, LONGEST, MORE, URL, after_postmark

# --- the formats ----------------------------------------------------------------------------------


class Sign(NamedTuple):
    """How data of a format begin: they match a pattern.

    The patterns are compiled only for data whose first byte is one of ``first``, if that has any. Data that
    ``opening`` matches to their end may have the sign once more of them is known.
    """

    first: bytes
    pattern: re.Pattern[bytes]
    opening: re.Pattern[bytes] | None = None

    def is_in(self, head: bytes, *, at_end: bool) -> bool | None:
        """Return whether data with this ``head`` have the sign, None if more bytes are needed."""
        if self.first and head[:1] not in self.first:
            return False
        if not at_end and self.opening and self.opening.fullmatch(head):
            return None
        return self.pattern.match(head) is not None


def magic(data: bytes) -> Sign:
    """Return the sign of a format that begins with ``data``."""
    return Sign(data[:1], lazy_re(re.escape(data)))


class Format(NamedTuple):
    """A format of sources: its name, its reader as "module:name" in `sources`, and how its data begin.

    A reader is called with the blocks, the `Detection` and the `Origin` of a source, and returns its items.
    If the format was not asked for but detected, ``if_detected`` is called where there is one. The reader of
    an archive is called with the blocks and the `DecompressionBudget`, and yields both for each member. Of a
    format that is refused, ``refusal`` says why, and which program reads it; with ``unread``, only data that
    have this in them are refused, after the rest of them was read. Of one that has a ``frame``, data that are
    said to be in it are reported if they do not have this. By ``endings``, those of names, a text
    without a sign is known, or markup that is text.
    """

    name: str
    reader: str = ""
    signs: tuple[Sign, ...] = ()
    if_detected: str = ""
    is_archive: bool = False
    refusal: str = ""
    unread: re.Pattern[bytes] | None = None
    frame: re.Pattern[bytes] | None = None
    endings: tuple[str, ...] = ()


def _refused(what: str, tool: str, *starts: bytes | Sign) -> Format:
    signs = tuple(start if isinstance(start, Sign) else magic(start) for start in starts)
    return Format(what, signs=signs, refusal=f"{what} cannot be read: {tool}")


ZIP = b"PK\3\4"
"""PKWARE's APPNOTE.TXT, section 4.3.7: the local header of a member."""
_WAS_SPLIT, _SPLIT = b"PK00" + ZIP, b"PK\7\x08" + ZIP  # sections 8.5.4 and 8.5.3
_TAR = Sign(b"", lazy_re(rb"[\s\S]{257}ustar"))  # POSIX.1-1988: the magic in the header

WARC_VERSION = rb"WARC/[0-9]{1,3}\.[0-9]{1,3}[ \t]*\r?\n"
"""ISO 28500:2017, section 4: version = "WARC/" 1*DIGIT "." 1*DIGIT CRLF."""
_WARC = Sign(b"W", lazy_re(WARC_VERSION), lazy_re(rb"WARC/[^\n]*"))

_DIGITS = b"0123456789"
# RFC 3977, section 8.3: number, subject, from, date, message-id, references, bytes, lines
_OVERVIEW = Sign(
    _DIGITS,
    lazy_re(rb"[0-9]{1,16}\t[^\t\n]*\t[^\t\n]*\t[^\t\n]*\t<[^\t\n]*>\t[^\t\n]*\t[0-9]*\t[0-9]*[\t\r\n]"),
    opening=lazy_re(rb"[0-9]{1,16}\t[^\n]*"),
)
# Emacs' rmail.el before 23: a line of options, then that of the version
_BABYL = Sign(
    b"Bb",
    lazy_re(rb"(?i:babyl options:[^\n]*\nversion:)"),
    opening=lazy_re(rb"(?i:babyl options:)[^\n]*(?:\n[^\n:]*)?"),
)
# RFC 3977, section 6.2: the answers to ARTICLE, HEAD and BODY
_NNTP = Sign(_DIGITS, lazy_re(rb"22[012] [0-9]{1,16} <[^\n]*\n"), lazy_re(rb"22[012] [^\n]*"))
# Apple Mail's .emlx: the length of a message, and its first field
_EMLX = Sign(
    _DIGITS,
    lazy_re(
        rb"[0-9]{2,10}[ \t]*\r?\n(?i:return-path|received|delivered-to|from|to|subject|date|message-id"
        rb"|reply-to|mime-version|content-type|dkim-signature|arc-seal|x-[a-z-]{1,60}|authentication-results|sender):"
    ),
    opening=lazy_re(rb"[0-9]{2,10}[ \t]*(?:\r?\n)?"),
)
# RFC 5545, section 3.4, and RFC 6350, section 6.1.1
_CALENDAR = Sign(
    b"Bb",
    lazy_re(rb"(?i:begin:vca(?:lendar|rd))[ \t]*\r?(?:\n|\Z)"),
    opening=lazy_re(rb"(?i:begin:vca)[^\n]*"),
)
# ISO 32000-1, sections 7.5.2 (the header), 7.4.1 (filters of streams) and 7.6.1 (encryption)
_PDF = Sign(
    b"%\xef \t\r\n",
    lazy_re(rb"(?:\xef\xbb\xbf)?\s{0,1024}%PDF-[0-9]{1,2}\.[0-9]{1,2}[ \t]*[\r\n]"),
    lazy_re(rb"(?:\xef\xbb\xbf)?\s{0,1024}(?:%PDF-?[0-9]*\.?[0-9]*[ \t]*)?"),
)
_COMPRESSED = lazy_re(rb"/(?:FlateDecode|LZWDecode|ASCII85Decode|ASCIIHexDecode|RunLengthDecode|Encrypt)")
_PST = Sign(
    b"!", lazy_re(rb"!BDN[\s\S]{4}SM")
)  # [MS-PST], section 2.2.2.6: dwMagic, dwCRCPartial, wMagicClient
_INN = Sign(b"C", lazy_re(rb"(?:Cycbuf|CBuf[34]|CRMT)[\s\S]{0,250}\0"))
_RNEWS = (b"#! rnews ", b"#! gunbatch", b"#! bunbatch", b"#! zunbatch")

# Text, markup, messages and mailboxes have no sign of their own: `sniff` detects them from tags, lines and
# fields. Tables are known by their names alone.
_ROWS = (
    Format("empty"),
    Format("text", "formats.single:read_text", endings=("md", "markdown", "rst")),
    Format("html", "formats.single:read_page", endings=("html", "htm", "xhtml")),
    Format("xml", "formats.single:read_xml", endings=("xml", "rss", "atom", "svg", "rels", "vml")),
    Format("calendar", "formats.single:read_calendar", (_CALENDAR,), endings=("ics", "vcf"),
           frame=lazy_re(rb"(?i:begin:v)")),
    Format("csv", "formats.single:read_table", endings=("csv",)),
    Format("message", "formats.single:read_message", if_detected="formats.mbox:read_first_message"),
    # The first message of a mailbox may have no postmark.
    Format("mbox", "formats.mbox:read_mailbox",
           frame=lazy_re(rb"(?:\A|[\r\n])\W{0,3}From |\A\s{0,99}[\w-]{1,40}:")),
    Format("rnews", "formats.usenet:read_rnews", tuple(map(magic, _RNEWS)),
           frame=lazy_re(rb"#! [a-z]?(?:news|unbatch)")),
    Format("nntp", "formats.usenet:read_nntp", (_NNTP,), frame=lazy_re(rb"(?:\A|\n)22[0-2] ")),
    Format("mmdf", "formats.mbox:read_mmdf", (magic(b"\1\1\1\1"),), frame=lazy_re(rb"\x01{4}")),
    Format("warc", "formats.warc:read_warc", (_WARC,), frame=lazy_re(rb"WARC/[0-9]")),
    Format("emlx", "formats.single:read_emlx", (_EMLX,), frame=lazy_re(rb"\A\s{0,9}[0-9]{1,9}")),
    Format("zip", "compress.zips:members", (magic(ZIP), magic(_WAS_SPLIT)), is_archive=True),
    Format("tar", "compress.tars:members", (_TAR,), is_archive=True),
    _refused("a news overview", "give its fields with 'cut -f2-5'", _OVERVIEW),
    _refused("a Babyl file of Rmail", "convert it with 'unrmail' of Emacs", _BABYL),
    _refused("data of compress (.Z)", "undo it with 'gzip -dc'", b"\x1f\x9d"),
    _refused(
        "a batch packed by compress", "undo it with 'tail -n +2 | gzip -dc'",
        b"#! cunbatch\n", b"#! cunbatch\r\n",
    ),
    _refused("a batch in seven bits", "undo it with 'decode | uncompress'", b"#! c7unbatch"),
    _refused("a piece of a split zip archive", "join all pieces with 'zip -s 0 --out'", _SPLIT),
    _refused(
        "an SQLite file",
        "'sqlite3 FILE .dump' prints it as text; of an index, 'urlextract report' makes a page",
        b"SQLite format 3\0",
    ),
    _refused("a 7z archive", "unpack it with '7z x'", b"7z\xbc\xaf\x27\x1c"),
    _refused("a rar archive", "unpack it with 'unrar'", b"Rar!\x1a\x07"),
    _refused("lz4 data", "undo it with 'lz4 -dc'", b"\x04\x22\x4d\x18"),
    _refused("lzip data", "undo it with 'lzip -dc'", b"LZIP"),
    _refused("an Outlook folder (pst, ost)", "convert it with 'readpst'", _PST),
    _refused(
        "an Outlook message (msg) or an old file of Office",
        "convert a msg with 'msgconvert', a doc with 'catdoc'", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ),
    _refused("the compressed text of a PDF", "convert it with 'pdftotext'", _PDF)._replace(
        reader="formats.single:read_text", unread=_COMPRESSED
    ),
    _refused("an Outlook Express folder (dbx)", "convert it with 'undbx'", b"\xcf\xad\x12\xfe"),
    _refused("TNEF (winmail.dat)", "unpack it with 'tnef'", b"\x78\x9f\x3e\x22"),
    _refused("a folder of UW imapd (mbx)", "convert it with 'mailutil copy'", b"*mbx*\r\n"),
    _refused("a buffer of INN (cnfs, timecaf)", "feed articles through 'sm -R'", _INN),
)  # fmt: skip
FORMATS = {row.name: row for row in _ROWS}
READABLE = tuple(row.name for row in _ROWS if row.reader and not (row.is_archive or row.refusal))
"""The names of the formats that can be asked for."""


# --- detection ------------------------------------------------------------------------------------

LARGEST_HEAD = 64 * 1024  # bytes after which what is known of a head decides
# What is looked at before that: whole lines or, as long as there is none, words that are longer than a sign.
# Blanks before a colon belong to the name of a field, but not after a URL.
_KNOWN = lazy_re(rb"[\s\S]*\n|[^\n\0]{16,} (?=[^ \t:])|(?>[^\n\0 ]*?://)[^\n\0 ]{9,} ")

BOM = b"\xef\xbb\xbf"
BLANK_LINES = lazy_re(rb"(?:[ \t\0\r\n]*[\r\n])?")
BLANKS = lazy_re(rb"[ \t\0]*+")
# Some exports begin a single message with the envelope's sender and no date.
ENVELOPE = lazy_re(rb"From [^\s@:/]+@[^\s@:/]+[ \t]*(?:\r{0,2}\n|\r)")

# Fields that a text does not have by chance. One of them makes a head block that
# ends in a blank line a message.
_TELLING = frozenset(
    b"apparently-to approved article-i.d. bcc cc content-transfer-encoding content-type date delivered-to "
    b"from injection-date list-id mime-version nntp-posting-date nntp-posting-host organization path "
    b"posted-date posting-version relay-version reply-to resent-from return-path sender subject to "
    b"x-mailer x-newsreader x-original-to".split()
)
# Fields whose value is usually not searched for URLs. Alone, they do not count if the head has a URL:
# "Received: see http://x" may be the first line of a text.
_SUPPORTING = frozenset(b"message-id newsgroups received xref".split())
# Other fields of one word in standards and in mailboxes. What else has no hyphen may be a word of a log.
_OTHERS = frozenset(
    b"also-control archive comments control distribution encrypted errors-to expires face forwarded "
    b"keywords lines phone precedence priority references replied status summary supersedes".split()
)
_OF_ONE_WORD = _TELLING | _SUPPORTING | _OTHERS
_MOST_OTHERS = 5  # lines with other words before a colon, after which a source is no message
_FIRST_FIELD = lazy_re(rb"[A-Za-z][!-9;-~]*[ \t]*:(?:[ \t\r\n]|\Z)")  # but "INFO:root: ..." is of a log


# HTML Standard, sections 13.1 and 4.2: the tags with which a page begins, also if its first tags were left
# out. Others begin one if they have attributes or an end: "<b>" and "<mark>" are names in logs of chats, too.
_PAGE_TAGS = frozenset(b"html head body title meta link base style script".split())
_OTHER_TAGS = frozenset(
    b"""a abbr address article aside audio b big blockquote br button center cite code dd del details dialog
    div dl dt em embed fieldset figure font footer form frameset h1 h2 h3 h4 h5 h6 header hr i iframe img
    input ins kbd label li main map mark menu nav noscript object ol p picture pre q s samp section select
    small span strike strong sub sup table tbody td template textarea tfoot th thead time tr tt u ul var
    video wbr""".split()
)
_TAG = lazy_re(rb"<(!?[A-Za-z][A-Za-z0-9-]*)(?=([^A-Za-z0-9-])?)")
_DOCTYPE = lazy_re(rb"<!doctype\s{1,20}([^\s>]{1,60})(?=[\s>])", re.IGNORECASE)
_ATTRIBUTED = lazy_re(rb"<[A-Za-z0-9-]+[^<>]*?\s[A-Za-z:_-]{1,60}\s*=\s*[^\s<>=]")
_DECLARATION = lazy_re(rb"<\?xml[\s?]")
_LONGEST_OPENING = 200  # bytes within which a name and a doctype end
_END_WITHIN = 4096  # bytes after a tag in which its end tag makes a page

_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
UTF_16 = tuple(_WIDE)
"""The marks with which texts in UTF-16 begin."""


def _markup(head: bytes, first: int, *, at_end: bool) -> str | None:
    """Return the format of the markup that begins at ``first``, "text" for comments alone or before a text.

    Return "" if there is neither, None if more bytes are needed.
    """
    at, is_xml = first, False
    if wide := _WIDE.get(head[:2]):
        # half of its last line end may be cut off
        opening = (head[2:] + bytes(len(head) % 2)).decode(wide, "replace").encode("ascii", "replace")
        head, first = opening, 0
        at = _end_of(BLANKS, head, _end_of(BLANK_LINES, head, 0))
    while head.startswith((b"<!--", b"<?"), at):
        is_xml = is_xml or _DECLARATION.match(head, at) is not None
        is_comment = head.startswith(b"<!--", at)
        if not (is_xml or is_comment):
            break
        mark = b"-->" if is_comment else b">"
        end = head.find(mark, at + len("<!"))
        if end < 0:
            return None if not at_end else "xml" if is_xml else "text"
        at = _end_of(BLANKS, head, _end_of(BLANK_LINES, head, end + len(mark)))
    found = _tag_at(head, at, at_end=at_end, is_xml=is_xml)
    return "text" if found == "" and at > first else found


def _tag_at(head: bytes, at: int, *, at_end: bool, is_xml: bool = False) -> str | None:
    """Return the format that the tag at ``at`` shows, "" if that is no markup, None if more bytes are needed.

    With ``is_xml`` a declaration of XML comes before.

    >>> [_tag_at(head, 0, at_end=True) for head in (b"<p>a</p>", b"<b> hi", b"<!DOCTYPE book>")]
    ['html', '', 'xml']
    """
    other = "xml" if is_xml else ""
    rest = head[at : at + _END_WITHIN]
    tag = _TAG.match(rest)
    may_follow = not at_end and len(rest) < _LONGEST_OPENING
    if not tag or not tag[2]:
        return None if may_follow and (tag or not rest) else other
    name, ends = tag[1].lower(), tag[2] in b" \t\r\n\f>"
    if name == b"!doctype":
        doctype = _DOCTYPE.match(rest)
        kind = ("html" if doctype[1].lower() == b"html" else "xml") if doctype else other
        return None if may_follow and not doctype else kind
    if name in _PAGE_TAGS and ends:
        return "html"
    if is_xml or (name == b"svg" and ends):
        return "xml"
    if name not in _OTHER_TAGS or not (ends or tag[2] == b"/"):
        return ""
    if _ATTRIBUTED.match(rest) or re.search(rb"</%s[\s>]" % name, rest, re.IGNORECASE):
        return "html"
    return "" if at_end or len(rest) == _END_WITHIN else None


class Detection(NamedTuple):
    """What a source holds: ``format`` is the name of one of `FORMATS`.

    ``start`` is the offset of the first line that is not blank, ``head`` that of
    the first header line, after a postmark if there is one.
    """

    format: str
    start: int = 0
    head: int = 0


def detect(data: bytes) -> Detection:
    r"""Return what data hold that are there as a whole; signs of formats are not looked for.

    >>> detect(b"Note: see http://example.org/\n\nSubject: x\n").format
    'text'
    """
    return _by_lines(data[: LARGEST_HEAD + 1], at_end=True) or Detection("text")


def _detect(head: bytes, formats: Iterable[Format], *, at_end: bool, as_text: bool) -> Detection | None:
    """Return what a source holds that begins with ``head``, None if that may change with what follows.

    Unless it is ``at_end``, the head is what `_KNOWN` matches. The signs of ``formats`` are looked for, then
    lines and fields. With ``as_text`` a source that has none of the signs is text, whatever its lines are.
    """
    may_follow = False
    for each in formats:
        for sign in each.signs:
            # as text, it may come from a terminal: more than its first line is not waited for
            is_in = sign.is_in(head, at_end=at_end or as_text)
            if is_in:
                return Detection(each.name)
            may_follow = may_follow or is_in is None
    if may_follow:
        return None
    if as_text:
        return Detection("text" if head else "empty")
    return _by_lines(head, at_end=at_end)


def _by_lines(head: bytes, *, at_end: bool) -> Detection | None:
    r"""Skip blank lines; look for a page, then for a postmark, then for fields. Return as `_detect` does.

    >>> _by_lines(b"Subject: a talk\n", at_end=False)
    >>> _by_lines(b"Subject: a talk\n\n", at_end=False)
    Detection(format='message', start=0, head=0)
    """
    start = _end_of(BLANK_LINES, head, len(BOM) if head.startswith(BOM) else 0)
    first = _end_of(BLANKS, head, start)
    if first == len(head):
        if not at_end:
            return None
        return Detection("empty", start, start) if first <= LARGEST_HEAD else Detection("text")
    markup = _markup(head, first, at_end=at_end)
    if markup != "":
        return Detection(markup, start, start) if markup else None
    if not head.startswith(b"From ", start):
        return _by_fields(head, start, start, at_end=at_end)
    end = after_postmark(b"\n\n" + head[start : start + 2 * LONGEST], 2, at_end=at_end)
    if end == MORE:
        return None
    if end > 0:
        return Detection("mbox", start, start + end - 2)
    return _by_fields(head, start, _end_of(ENVELOPE, head, start), at_end=at_end)


def _by_fields(head: bytes, start: int, first: int, *, at_end: bool) -> Detection | None:
    """Detect a message by the fields of the header block that begins at ``first``.

    More are required if no blank line ends it: the head of a message may have a line that is no header (a
    broken continuation line), and the head may be all there is.
    """
    names: set[bytes] = set()
    line, is_blank, others = first, False, 0
    while line < len(head):
        is_blank = line > first and head[line] in b"\r\n"
        is_folded = line > first and head[line] in b" \t"
        header = None if is_folded else HEADER.match(head, line)
        if is_blank or not (is_folded or header):
            break
        if header:
            name = header[0].partition(b":")[0].lower()
            others += not (name in _OF_ONE_WORD or (b"-" in name and name[:1].isalpha()))
            if others and not names and not _FIRST_FIELD.match(head, line):
                return Detection("text")
            names.add(name)
            if others == _MOST_OTHERS and names.isdisjoint(_OF_ONE_WORD):
                return Detection("text")
        end = EOL.search(head, line)
        line = end.end() if end else len(head)
    if line == len(head) and not at_end:
        return None
    needed = 1 if is_blank else 2 if line == len(head) else 3
    if needed == 1 and not names & _TELLING:
        needed += URL.search(head, 0, line) is not None
    is_message = len(names & (_TELLING | _SUPPORTING)) >= needed
    return Detection("message", start, first) if is_message else Detection("text")


def _end_of(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    """Return the end of the match of a pattern at ``at``, or ``at`` without a match."""
    found = pattern.match(data, at)
    return found.end() if found else at


_NAMED = {ending: row.name for row in _ROWS for ending in row.endings}
_ENDING = lazy_re(r"\.(\w{1,10})(?:\.(?:gz|bz2|xz|zst))?\Z")
BINARY_HEAD = 1024
"""Bytes in which a NUL shows that a file is no text, whatever its name."""


def _named_format(name: str) -> str:
    """Return the format that the name of a file says it has, "" if it says nothing.

    >>> _named_format("feed.rss"), _named_format("data.csv.gz"), _named_format("notes.txt")
    ('xml', 'csv', '')
    """
    ending = _ENDING.search(name)
    return _NAMED.get(ending[1].lower(), "") if ending else ""


def _with_name(detection: Detection, head: bytes, name: str) -> Detection:
    """Return what is detected if the source has that name: it counts where the content says nothing."""
    named = _named_format(name)
    if named == "text":
        return detection._replace(format="text") if detection.format in ("html", "xml") else detection
    is_text = detection.format == "text" and (head.startswith(UTF_16) or b"\0" not in head[:BINARY_HEAD])
    return detection._replace(format=named) if is_text and named in READABLE else detection


def _at_line(head: bytes, formats: Iterable[Format], *, as_text: bool) -> Detection | None:
    """Return what a stream holds whose lines are decided as they come, None if more must be waited for.

    What a blank line would make a message may become one.
    """
    found = _detect(head, formats, at_end=True, as_text=as_text) or Detection("text")
    may_be_message = not as_text and detect(head + b"\n").format == "message"
    return None if found.format == "empty" or may_be_message else found


def sniff(
    blocks: Iterator[bytes], format: str = "auto", name: str = "", *, is_followed: bool = False
) -> tuple[Detection, bytes, Iterator[bytes]]:
    r"""Detect what a stream holds; return that, the head that was read, and an iterator over all blocks.

    If the ``format`` that was asked for is text, it is text unless it is an archive. ``name`` is that of the
    source, which counts where its content does not say what it is. Of a stream that ``is_followed`` no more
    lines are waited for than may decide it.

    >>> sniff(iter([b"#! rnews 1234\n"]))[0].format, sniff(iter([b"#! rnews 1234\n"]), "text")[0].format
    ('rnews', 'text')
    """
    as_text = format == "text"
    formats = [each for each in FORMATS.values() if each.is_archive or not as_text]
    head = bytearray()
    held: list[bytes] = []
    due = 0  # bytes: the head is looked at again once it has grown by a part of it, so in linear time
    detection = None
    for block in blocks:
        held.append(block)
        head += block
        if len(head) > LARGEST_HEAD:
            break
        if len(head) >= due:
            due = len(head) + len(head) // 64
            known = _KNOWN.match(head)
            detection = _detect(known[0], formats, at_end=False, as_text=as_text) if known else None
            if is_followed and not detection:
                detection = _at_line(bytes(head), formats, as_text=as_text)
            if detection:
                break
    whole = bytes(head)
    detection = detection or _detect(whole, formats, at_end=True, as_text=as_text) or Detection("text")
    return detection if as_text else _with_name(detection, whole, name), whole, chain(held, blocks)
