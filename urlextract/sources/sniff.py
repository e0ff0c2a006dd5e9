"""Detect what a stream holds from its first bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.formats.postmark import LONGEST, MORE, URL, after_postmark
from urlextract.sources.reader import line_end, looks_like_header

ZIP = b"PK\3\4"
"""PKWARE's APPNOTE.TXT, section 4.3.7: the local header of a member."""
WARC_VERSION = rb"WARC/[0-9]{1,3}\.[0-9]{1,3}[ \t]*\r?\n"
"""ISO 28500:2017, section 4: version = "WARC/" 1*DIGIT "." 1*DIGIT CRLF."""


class Mark(NamedTuple):
    """A format; for a refused one, ``refusal`` says why, and which program reads it.

    With ``needs_nul``, text may begin with the mark, too: it counts only if a NUL follows soon.
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
    (lazy_re(_VERSION_OPENING), lazy_re(WARC_VERSION), 1, Mark("warc")),
    (lazy_re(_OVERVIEW_OPENING), lazy_re(_OVERVIEW), 1, Mark("overview")),
    (lazy_re(_ANSWER_OPENING), lazy_re(_ANSWER), 1, Mark("nntp")),
    (lazy_re(_LENGTH_OPENING), lazy_re(_LENGTH), 2, Mark("emlx")),
)
"""Formats known by whole lines: patterns of the beginning and of the lines, and the number of lines."""


_TAR, _TAR_AT = b"ustar", 257  # POSIX.1-1988: the magic of a header, after a name padded with NULs
_TAR_NAME = lazy_re(rb"[^\s\0]{0,100}(?:\Z|\0)")
_NUL_WITHIN = 256  # bytes
_LONGEST_LINE = 8 * 1024  # bytes of the first line that are waited for


def marked(head: bytes, *, at_end: bool) -> Mark | None:
    r"""Return the mark that ``head`` begins with, None without one, `UNDECIDED` if more bytes are needed.

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


LARGEST_HEAD = 64 * 1024  # bytes of a head after which it is judged by what is known

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
# out, but none with which Markdown begins. XHTML may begin with an XML declaration.
_PAGE = lazy_re(
    rb"<!--|(?:<\?xml[\s?][^<>]{0,160}>\s{0,20})?"
    rb"(?:<!doctype\s{1,20}html[\s>]|<(?:html|head|body|title|meta|link|base|style|script)[\s>])",
    re.IGNORECASE,
)
_TAGS = (
    b"<?xml",
    b"<!--",
    b"<!doctype html",
    *b"<html <head <body <title <meta <link <base <style <script".split(),
)
_LONGEST_OPENING = 200  # bytes that are waited for to recognize a page
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


class Verdict(NamedTuple):
    """What a source holds: ``form`` is mbox, message, html, text or empty, or that of a `Mark`.

    ``start`` is the offset of the first line that is not blank, ``head`` that of
    the first header line, after a postmark if there is one. ``refusal`` says
    why the source cannot be read.
    """

    form: str
    start: int = 0
    head: int = 0
    refusal: str | None = None


class HeadJudge:
    r"""Judges a head that is fed in pieces.

    >>> judge = HeadJudge()
    >>> judge.feed(b"Subject: a")
    >>> judge.feed(b" talk\n\n")
    Verdict(form='message', start=0, head=0, refusal=None)
    """

    def __init__(self) -> None:
        self._head = bytearray()
        self._start = 0  # of the first line that is not blank
        self._first = -1  # of the first header line, once the start is known
        self._line = 0  # of the line that is looked at
        self._seen = 0  # up to here that line holds no line end
        self._names: set[bytes] = set()
        self._is_page: bool | None = None

    def feed(self, data: bytes) -> Verdict | None:
        """Take more of the head; return the verdict once it is certain."""
        self._head += data
        verdict = self._judge(at_end=False)
        if verdict or len(self._head) <= LARGEST_HEAD:
            return verdict
        verdict = self.close()
        return verdict if verdict.form != "empty" else Verdict("text")  # something may follow yet

    def close(self) -> Verdict:
        """Return the verdict on the bytes that were fed."""
        return self._judge(at_end=True) or self._end_of_block(blank=False)

    def _judge(self, *, at_end: bool) -> Verdict | None:
        if self._first < 0:
            verdict = self._judge_start(at_end=at_end)
            if verdict or self._first < 0:
                return verdict
        return self._judge_lines(at_end=at_end)

    def _judge_start(self, *, at_end: bool) -> Verdict | None:
        """Skip blank lines, and look for a page or a postmark."""
        head = self._head
        if not self._start and not at_end and len(head) < len(BOM) and BOM.startswith(head):
            return None
        if not self._start and head.startswith(BOM):
            self._start = len(BOM)
        self._start = _end_of(BLANK_LINES, head, self._start)
        if _end_of(BLANKS, head, self._start) == len(head):
            return Verdict("empty", self._start, self._start) if at_end else None
        return self._judge_page(at_end=at_end) or (
            self._judge_postmark(at_end=at_end) if self._is_page is False else None
        )

    def _judge_page(self, *, at_end: bool) -> Verdict | None:
        """Decide by the first tag whether the source is HTML; wait until enough of the tag is there."""
        opening = self._opening()
        if _PAGE.match(opening):
            return Verdict("html", self._start, self._start)
        if at_end or len(opening) >= _LONGEST_OPENING or not _may_be_page(opening):
            self._is_page = False
        return None

    def _opening(self) -> bytes:
        """Return the bytes that decide whether it is HTML, without leading blanks; UTF-16 becomes ASCII."""
        wide = _WIDE.get(bytes(self._head[:2]))
        if wide:
            return (
                self._head[2 : 2 * _LONGEST_OPENING]
                .decode(wide, "replace")
                .encode("ascii", "replace")
                .lstrip()
            )
        start = _end_of(BLANKS, self._head, self._start)
        return bytes(self._head[start : start + _LONGEST_OPENING])

    def _judge_postmark(self, *, at_end: bool) -> Verdict | None:
        """Look for a postmark in the first line; without one, set where the header block begins."""
        start = self._start
        word = self._head[start : start + 5]
        if not at_end and len(word) < 5 and b"From ".startswith(word):
            return None
        self._first = self._line = self._seen = start
        if word != b"From ":
            return None

        end = after_postmark(b"\n\n" + self._head[start : start + 2 * LONGEST], 2, at_end=at_end)
        if end > 0:
            return Verdict("mbox", start, start + end - 2)
        envelope = ENVELOPE.match(self._head, start)
        if end == MORE:
            self._first = -1
        elif envelope:
            self._first = self._line = self._seen = envelope.end()
        return None

    def _judge_lines(self, *, at_end: bool) -> Verdict | None:
        """Continue through the header block until it ends."""
        head = self._head
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

    def _end_of_block(self, *, blank: bool) -> Verdict:
        """Judge the header block by its fields; more are required if no blank line ends it.

        The head of a message may have a line that is no header (a broken
        continuation line), and the head may be all there is.
        """
        known = len(self._names & (TELLING | SUPPORTING))
        needed = 1 if blank else 2 if self._line >= len(self._head) else 3
        if needed == 1 and not self._names & TELLING:
            needed += URL.search(self._head, 0, self._line) is not None
        is_message = known >= needed
        return Verdict("message", self._start, self._first) if is_message else Verdict("text")


def _may_be_page(opening: bytes) -> bool:
    """Return whether ``opening`` may turn out to be the first tag of a page when more bytes come."""
    opening = opening.lower()
    return any(opening.startswith(tag[: len(opening)]) for tag in _TAGS)


def _end_of(pattern: re.Pattern[bytes], data: bytearray, at: int) -> int:
    """Return the end of the match of a pattern at ``at``, or ``at`` without a match."""
    found = pattern.match(data, at)
    return found.end() if found else at


def judge(data: bytes) -> Verdict:
    r"""Judge a head that is passed as a whole.

    >>> judge(b"Note: see http://example.org/\n\nSubject: x\n").form
    'text'
    """
    judge = HeadJudge()
    return judge.feed(data[: LARGEST_HEAD + 1]) or judge.close()


def sniff(blocks: Iterator[bytes]) -> tuple[Verdict, bytes, Iterator[bytes]]:
    """Judge a stream; return the verdict, the head that was read, and an iterator over all blocks."""
    judge = HeadJudge()
    held: list[bytes] = []
    head, judged = b"", 0
    is_marked: bool | None = None
    for block in blocks:
        held.append(block)
        head += block
        if is_marked is None:
            mark = marked(head, at_end=False)
            if mark is UNDECIDED:
                continue
            is_marked = mark is not None
            if mark:
                return Verdict(mark.form, refusal=mark.refusal), head, chain(held, blocks)
        verdict = judge.feed(head[judged:])
        judged = len(head)
        if verdict:
            return verdict, head, chain(held, blocks)
    mark = marked(head, at_end=True) if is_marked is None else None
    if mark:
        return Verdict(mark.form, refusal=mark.refusal), head, iter(held)
    verdict = judge.feed(head[judged:])
    return verdict or judge.close(), head, iter(held)
