"""The postmark: the ``From `` line that separates two messages of a mailbox.

Every mailbox format quotes such lines in a body in its own way or not at all, so
a line that begins with ``From `` is a separator only if it has the look of a
postmark; any other belongs to the body, where the URLs on it are found.
"""

from __future__ import annotations

import re

from urlextract.grammar.patterns import lazy_re

NO = -1  # no postmark
MORE = -2  # more bytes are needed to decide
LONGEST = 998  # bytes of a postmark without its line end: RFC 2822, section 2.1.1

# Every line that may be a postmark, once all of it has come; those that cannot are
# skipped by the engine. Group 1 matches at once the kind that nearly all are of;
# `after_postmark` has the same result for it, but is slower:
#   <blank line>From ada@cs.example.edu Mon Nov 14 09:12:44 1994
# The pattern begins with a literal, so that `re` skips to it; the lone CR of old
# Macintosh files is why the byte before is tested afterwards. \Z is where the
# buffer ends for now.
SEPARATOR = lazy_re(
    rb"From (?<=[\r\n]From )(?:"
    rb"((?<=\n\nFrom )[^\s@:/]{1,200}@[^\s@:/]{1,200}[ ]{1,9}[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d "
    rb"\d\d:\d\d:\d\d \d{4}\r?\n)"
    rb"|(?=[^\r\n]{0,998}?(?:\d:\d\d[:\s]|\Z))"
    rb"|(?=[-\d@x \t]*+(?:\r{0,2}\Z|(?:\r{0,2}\n|\r)(?:[!-9;-~]{0,128}(?:\Z|:)|>From)))"
    rb")"
)

# A date as asctime(3) prints it, with a zone before or after the year and the tail
# that UUCP puts there. The zones are matched possessively: there are very many
# ways to split "AAA AAA ..." into zones.
DATED = lazy_re(
    rb"From (?P<sender>.*?)\d{1,2}:\d\d(?::\d\d)?"
    rb"(?>(?:[ \t]+(?:[A-Z]{1,5}(?:[ \t][A-Z]{3})?|[+-]\d{4}))*)"
    rb"[ \t]+\d{2,4}(?:[ \t]+[+-]\d{4})?(?:[ \t]+remote[ \t]+from[ \t]+\S+)?[ \t]*",
    re.DOTALL,
)
# "From 1844347792267117879@xxx" (Takeout), "From -8946248053963491671" (Google
# Groups), "From - " (Netscape), "From " (exports of Gmail and Thunderbird)
UNDATED = lazy_re(rb"From (?:-?\d{15,20}(?:@xxx)?|-? ?)[ \t]*")
# What distinguishes a sender or a date from prose ("From the talk at 10:30 2001").
SENDER = lazy_re(rb"\S@\S|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b")
# A line with a URL on it is always kept as text: otherwise the URL would be lost.
URL = lazy_re(rb"://|\b(?i:mailto|url):|[ <(\"](?:www|ftp)\.")


def after_postmark(buffer: bytes, at: int, *, at_end: bool, strict: bool = False) -> int:
    r"""Return the offset right after the postmark at ``at``, else `NO` or `MORE`.

    A line with a date, and with an address or a weekday before it, is a postmark after
    a blank line. Any other is one only if the next line looks like a header. ``strict``
    requires the date, the blank line and the header.

    >>> after_postmark(b"\n\nFrom a@b Mon Nov 14 09:12:44 1994\nTo: c", 2, at_end=True)
    36
    >>> after_postmark(b"\n\nFrom here on http://x/\nTo: c", 2, at_end=True) == NO
    True
    """
    eol = EOL.search(buffer, at)
    may_be_crlf = eol and eol[0] == b"\r" and buffer[eol.end() : eol.end() + 2] in (b"", b"\r")
    if not eol or (may_be_crlf and not at_end):
        return NO if at_end or len(buffer) - at > LONGEST else MORE
    line, end = buffer[at : eol.start()], eol.end()
    dated = DATED.fullmatch(line)
    if len(line) > LONGEST or not (dated or UNDATED.fullmatch(line)) or URL.search(line):
        return NO
    blank = follows_blank_line(buffer, at)
    if strict and not (dated and blank):
        return NO
    if blank and not strict and dated and SENDER.search(dated["sender"]):
        return end
    header = looks_like_header(buffer, end, at_end=at_end)
    if header is None:
        return MORE
    return end if header else NO


# --- the lines around it ---------------------------------------------------------------------------

LOOK_BEHIND = 64  # bytes before a line in which a blank line is looked for

EOL = lazy_re(rb"\r{0,2}\n|\r")
_ENDS = (b"\r\r\n", b"\r\n", b"\n", b"\r")  # the same, the longest first
BLANKS = b" \t\0"  # NUL: a crash or a tape may have padded the file

# RFC 822, section 3.2
#   field      = field-name ":" [ field-body ] CRLF
#   field-name = 1*<any CHAR, excluding CTLs, SPACE, and ":">
# The name of a real field is short, and "http://x" is no field of that name.
# ">From " in a head is a postmark that was quoted once more on its way.
# RFC 822 allowed blanks before the colon: after names with a hyphen, for words of prose have none.
SPACED = rb"[A-Za-z]{1,20}(?:-[A-Za-z0-9]{1,20}){1,4}[ \t]{1,9}"
NAME = lazy_re(rb"%s(?=:|\Z)|[!-9;-~]{0,128}" % SPACED)
HEADER = lazy_re(rb"(?:[!-9;-~]{1,128}|%s):(?!//)|>From " % SPACED)


def looks_like_header(buffer: bytes, at: int, *, at_end: bool) -> bool | None:
    """Return whether the line at ``at`` begins as a header field does.

    >>> [looks_like_header(line, 0, at_end=True) for line in (b"To: x", b"To-Do : x", b"http://x", b"a b: c")]
    [True, True, False, False]
    >>> looks_like_header(b"http:", 0, at_end=False)
    """
    name = NAME.match(buffer, at)
    end = name.end() if name else at
    is_open = end == len(buffer) or (buffer[end] == 0x3A and end + len("://") > len(buffer))
    if is_open and not at_end:
        return None
    return HEADER.match(buffer, at) is not None


def follows_blank_line(buffer: bytes, at: int) -> bool:
    r"""Return whether there is a blank line directly before the line at ``at``.

    At most `LOOK_BEHIND` bytes are looked at; the caller keeps that many.

    >>> text = b"a\n\nb\r\nc\r\r\nd"
    >>> [follows_blank_line(text, text.index(letter)) for letter in (b"b", b"c", b"d")]
    [True, False, False]
    """
    before = buffer[max(0, at - LOOK_BEHIND) : at]
    eol = next((end for end in _ENDS if before.endswith(end)), b"")
    return before.removesuffix(eol).rstrip(BLANKS).endswith((b"\n", b"\r"))
