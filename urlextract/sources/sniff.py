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
from urlextract.sources.formats.postmark import (
    LONGEST,
    MORE,
    URL,
    after_postmark,
    line_end,
    looks_like_header,
)

# --- the formats ----------------------------------------------------------------------------------

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
    an archive is called with the blocks and the `DecompressionBudget`, and yields both for each member. Of a
    format that is refused, ``refusal`` says why, and which program reads it. By ``endings``, those of names,
    a text without a sign is known, or markup that is text.
    """

    name: str
    reader: str = ""
    signs: tuple[Magic | Lines, ...] = ()
    if_detected: str = ""
    is_archive: bool = False
    refusal: str = ""
    endings: tuple[str, ...] = ()


def _refused(
    what: str, tool: str, *magics: bytes, needs_nul: bool = False, endings: tuple[str, ...] = ()
) -> Format:
    signs = tuple(Magic(magic, needs_nul=needs_nul) for magic in magics)
    return Format(what, signs=signs, refusal=f"{what} cannot be read: {tool}", endings=endings)


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
# RFC 5545, section 3.4, and RFC 6350, section 6.1.1
_CALENDAR = Lines(
    b"Bb",
    lazy_re(rb"(?i:b(?:\Z|e(?:\Z|g(?:\Z|i(?:\Z|n(?:\Z|:v?c?a?)))))|begin:vc)"),
    lazy_re(rb"(?i:begin:vca(?:lendar|rd))[ \t]*\r?(?:\n|\Z)"),
)
_RNEWS = (b"#! rnews ", b"#! gunbatch", b"#! bunbatch", b"#! zunbatch")

# Text, markup, messages and mailboxes have no sign of their own: `sniff` detects them from tags, lines and
# fields. Tables are known by their names alone.
_ROWS = (
    Format("empty"),
    Format("text", "formats.single:read_text", endings=("md", "markdown", "rst")),
    Format("html", "formats.single:read_page", endings=("html", "htm", "xhtml")),
    Format("xml", "formats.single:read_xml", endings=("xml", "rss", "atom", "svg")),
    Format("calendar", "formats.single:read_calendar", (_CALENDAR,), endings=("ics", "vcf")),
    Format("csv", "formats.single:read_table", endings=("csv",)),
    Format("message", "formats.single:read_message", if_detected="formats.single:read_first_message"),
    Format("mbox", "formats.mbox:read_mailbox"),
    Format("rnews", "formats.usenet:read_rnews", tuple(map(Magic, _RNEWS))),
    Format("nntp", "formats.usenet:read_nntp", (_NNTP,)),
    Format("mmdf", "formats.mbox:read_mmdf", (Magic(b"\1\1\1\1"),)),
    Format("warc", "formats.warc:read_warc", (_WARC,)),
    Format("emlx", "formats.single:read_emlx", (_EMLX,)),
    Format("overview", "formats.usenet:read_overview", (_OVERVIEW,)),
    Format("zip", "compress.zips:members", (Magic(ZIP),), is_archive=True),
    Format("tar", "compress.tars:members", (_TAR,), is_archive=True),
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
    _refused(
        "an Outlook message (msg) or another file of Office", "convert a msg with 'msgconvert'",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", endings=("msg",),
    ),
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


# --- detection ------------------------------------------------------------------------------------

LARGEST_HEAD = 64 * 1024  # bytes after which what is known of a head decides

BOM = b"\xef\xbb\xbf"
BLANK_LINES = lazy_re(rb"(?>(?:[ \t\0]*+(?:\r{0,2}\n|\r))*)")
BLANKS = lazy_re(rb"[ \t\0]*+")
# Some exports begin a single message with the envelope's sender and no date.
ENVELOPE = lazy_re(rb"From [^\s@:/]+@[^\s@:/]+[ \t]*(?:\r{0,2}\n|\r)")

# Fields that a text does not have by chance. One of them makes a head block that
# ends in a blank line a message.
TELLING = frozenset(
    b"apparently-to approved article-i.d. bcc cc content-transfer-encoding content-type date delivered-to "
    b"from injection-date list-id mime-version nntp-posting-date nntp-posting-host organization path "
    b"posted-date posting-version relay-version reply-to resent-from return-path sender subject to "
    b"x-mailer x-newsreader x-original-to".split()
)
# Fields whose value is usually not searched for URLs. Alone, they do not count if the head has a URL:
# "Received: see http://x" may be the first line of a text.
SUPPORTING = frozenset(b"message-id newsgroups received xref".split())


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
_COMMENTS = lazy_re(rb"(?>(?:\s++|<!--[\s\S]*?-->)*)")
_LONGEST_OPENING = 200  # bytes within which a name and a doctype end
_END_WITHIN = 4096  # bytes after a tag in which its end tag makes a page


def _markup_at(head: bytes | bytearray, at: int, *, at_end: bool, is_xml: bool = False) -> str | None:
    """Return the format of what begins at ``at``, "" if that is no markup, None if more bytes are needed.

    With ``is_xml`` a declaration of XML comes before.

    >>> [_markup_at(head, 0, at_end=True) for head in (b"<p>a</p>", b"<b> hi", b"<!DOCTYPE book>")]
    ['html', '', 'xml']
    """
    other = "xml" if is_xml else ""
    rest = bytes(head[at : at + _END_WITHIN])
    tag = _TAG.match(rest)
    may_follow = not at_end and len(rest) < _LONGEST_OPENING
    if not tag or not tag[2]:
        return None if may_follow and (tag or rest in (b"", b"<", b"<!")) else other
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


_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
UTF_16 = tuple(_WIDE)
"""The marks with which texts in UTF-16 begin."""


class Detection(NamedTuple):
    """What a source holds: ``format`` is the name of one of `FORMATS`.

    ``start`` is the offset of the first line that is not blank, ``head`` that of
    the first header line, after a postmark if there is one.
    """

    format: str
    start: int = 0
    head: int = 0


class Detector:
    r"""Detects what a source holds from its head, which is fed in pieces.

    The signs of ``formats`` are looked for, then lines and fields. With ``as_text`` a source that has none of
    the signs is text, whatever its lines are.

    >>> detector = Detector()
    >>> detector.feed(b"Subject: a")
    >>> detector.feed(b" talk\n\n")
    Detection(format='message', start=0, head=0)
    """

    def __init__(self, formats: Iterable[Format] = (), *, as_text: bool = False) -> None:
        self.head = bytearray()
        self._formats = tuple(formats)  # whose signs may still come
        self._as_text = as_text
        self._start = 0  # of the first line that is not blank
        self._first = -1  # of the first header line, once the start is known
        self._line = 0  # of the line that is looked at
        self._seen = 0  # up to here that line holds no line end
        self._tag = self._searched = 0  # where comments end, and up to where the end of the next is not found
        self._is_xml = False  # whether a declaration of XML comes first
        self._names: set[bytes] = set()

    def feed(self, data: bytes) -> Detection | None:
        """Take more of the head; return what the source holds once that is certain."""
        self.head += data
        detection = self._detect(at_end=False)
        if detection or len(self.head) <= LARGEST_HEAD:
            return detection
        detection = self.close()
        return detection if detection.format != "empty" else Detection("text")  # something may follow yet

    def close(self) -> Detection:
        """Return what the source holds if no more bytes follow."""
        return self._detect(at_end=True) or self._end_of_block(blank=False)

    def _detect(self, *, at_end: bool) -> Detection | None:
        # as text, it may come from a terminal: more than its first line is not waited for
        is_enough = at_end or (self._as_text and self.head.endswith(b"\n"))
        may_follow = False
        for each in self._formats:
            for sign in each.signs:
                is_in = sign.is_in(self.head, at_end=is_enough)
                if is_in:
                    return Detection(each.name)
                may_follow = may_follow or is_in is None
        if may_follow:
            return None
        self._formats = ()
        if self._as_text:
            return Detection("text" if self.head else "empty")
        if self._first < 0:
            detection = self._detect_start(at_end=at_end)
            if detection or self._first < 0:
                return detection
        return self._read_fields(at_end=at_end)

    def _detect_start(self, *, at_end: bool) -> Detection | None:
        """Skip blank lines; look for a page, then for a postmark; then set where the header block begins."""
        head = self.head
        if not self._start and not at_end and len(head) < len(BOM) and BOM.startswith(head):
            return None
        if not self._start and head.startswith(BOM):
            self._start = len(BOM)
        self._start = _end_of(BLANK_LINES, head, self._start)
        first = _end_of(BLANKS, head, self._start)
        if first == len(head):
            return Detection("empty", self._start, self._start) if at_end else None
        markup = self._markup(first, at_end=at_end)
        if markup != "":
            return Detection(markup, self._start, self._start) if markup else None

        start = self._start
        word = head[start : start + 5]
        if not at_end and len(word) < 5 and b"From ".startswith(word):
            return None
        if word == b"From ":
            end = after_postmark(b"\n\n" + head[start : start + 2 * LONGEST], 2, at_end=at_end)
            if end > 0:
                return Detection("mbox", start, start + end - 2)
            if end == MORE:
                return None
            start = _end_of(ENVELOPE, head, start)
        self._first = self._line = self._seen = start
        return None

    def _markup(self, at: int, *, at_end: bool) -> str | None:
        """Return what begins at ``at``, after comments, as `_markup_at` does; "text" for comments alone."""
        head = self.head
        wide = _WIDE.get(bytes(head[:2]))
        if wide:
            opening = head[2 : 4 * _END_WITHIN].decode(wide, "replace").encode("ascii", "replace")
            declared = _DECLARATION.match(opening.lstrip())
            tag = _COMMENTS.match(opening, opening.find(b">") + 1 if declared else 0)
            at, at_end = tag.end() if tag else 0, at_end or len(head) >= 4 * _END_WITHIN
            if not at_end and opening[at : at + 2] in (b"<!", b"<?") and b">" not in opening[at:]:
                return None
            return _markup_at(opening, at, at_end=at_end, is_xml=declared is not None)
        first, at = at, max(at, self._tag)
        while head[at : at + 1] == b"<":
            opening = bytes(head[at : at + len("<?xml ")])
            if not at_end and len(opening) < len("<?xml ") and b"<!-- <?xml ".find(opening) in (0, 5):
                return None
            self._is_xml = self._is_xml or _DECLARATION.match(opening) is not None
            mark = b"-->" if opening.startswith(b"<!--") else b">"
            if mark == b">" and not (self._is_xml and opening.startswith(b"<?")):
                break
            end = head.find(mark, max(at + len("<!"), self._searched))
            if end < 0:
                self._searched = max(at, len(head) - len(mark))
                return None if not at_end else "xml" if self._is_xml else "text"
            at = self._tag = _end_of(BLANKS, head, _end_of(BLANK_LINES, head, end + len(mark)))
            self._searched = 0
        found = _markup_at(head, at, at_end=at_end, is_xml=self._is_xml)
        return "text" if found == "" and at > first else found

    def _read_fields(self, *, at_end: bool) -> Detection | None:
        """Continue through the header block until it ends."""
        head = self.head
        while self._line < len(head):
            if self._line > self._first and head[self._line] in b"\r\n":
                return self._end_of_block(blank=True)
            folded = self._line > self._first and head[self._line] in b" \t"
            header = folded or looks_like_header(head, self._line, at_end=at_end)
            if header is False:
                return self._end_of_block(blank=False)
            end = line_end(head, max(self._line, self._seen), at_end=at_end) if header else None
            if end is None:
                self._seen = max(self._line, len(head) - 2)
                return None
            if not folded:
                self._names.add(bytes(head[self._line : end[0]]).partition(b":")[0].lower())
            self._line = end[1]
        return None

    def _end_of_block(self, *, blank: bool) -> Detection:
        """Decide on the header block by its fields; more are required if no blank line ends it.

        The head of a message may have a line that is no header (a broken
        continuation line), and the head may be all there is.
        """
        known = len(self._names & (TELLING | SUPPORTING))
        needed = 1 if blank else 2 if self._line >= len(self.head) else 3
        if needed == 1 and not self._names & TELLING:
            needed += URL.search(self.head, 0, self._line) is not None
        is_message = known >= needed
        return Detection("message", self._start, self._first) if is_message else Detection("text")


def _end_of(pattern: re.Pattern[bytes], data: bytearray, at: int) -> int:
    """Return the end of the match of a pattern at ``at``, or ``at`` without a match."""
    found = pattern.match(data, at)
    return found.end() if found else at


def detect(data: bytes) -> Detection:
    r"""Return what a head holds that is passed as a whole; signs of formats are not looked for.

    >>> detect(b"Note: see http://example.org/\n\nSubject: x\n").format
    'text'
    """
    detector = Detector()
    return detector.feed(data[: LARGEST_HEAD + 1]) or detector.close()


_NAMED = {ending: row.name for row in _ROWS for ending in row.endings}
_ENDING = lazy_re(r"\.(\w{1,10})(?:\.(?:gz|bz2|xz|zst))?\Z")
BINARY_HEAD = 1024
"""Bytes in which a NUL shows that a file is no text, whatever its name."""


def named_format(name: str) -> str:
    """Return the format that the name of a file says it has, "" if it says nothing.

    >>> named_format("feed.rss"), named_format("data.csv.gz"), named_format("notes.txt")
    ('xml', 'csv', '')
    """
    ending = _ENDING.search(name)
    return _NAMED.get(ending[1].lower(), "") if ending else ""


def _with_name(detection: Detection, head: bytes, name: str) -> Detection:
    """Return what is detected if the source has that name: it counts where the content says nothing."""
    named = named_format(name)
    if named == "text":
        return detection._replace(format="text") if detection.format in ("html", "xml") else detection
    is_text = detection.format == "text" and (head.startswith(UTF_16) or b"\0" not in head[:BINARY_HEAD])
    return detection._replace(format=named) if is_text and named in READABLE else detection


def sniff(
    blocks: Iterator[bytes], format: str = "auto", name: str = ""
) -> tuple[Detection, bytes, Iterator[bytes]]:
    r"""Detect what a stream holds; return that, the head that was read, and an iterator over all blocks.

    If the ``format`` that was asked for is text, it is text unless it is an archive. ``name`` is that of the
    source, which counts where its content does not say what it is.

    >>> sniff(iter([b"#! rnews 1234\n"]))[0].format, sniff(iter([b"#! rnews 1234\n"]), "text")[0].format
    ('rnews', 'text')
    """
    as_text = format == "text"
    detector = Detector(
        (each for each in FORMATS.values() if each.is_archive or not as_text), as_text=as_text
    )
    held: list[bytes] = []
    detection = None
    for block in blocks:
        held.append(block)
        detection = detector.feed(block)
        if detection:
            break
    found, head = detection or detector.close(), bytes(detector.head)
    return found if as_text else _with_name(found, head, name), head, chain(held, blocks)
