"""Line ends, blank lines and header lines, as every format here sees them.

A line ends in LF, CR LF, CR CR LF (a CR LF file sent through a text mode once
too often) or a lone CR. Every question can be asked of a buffer that is still
growing: the answer None means "more bytes are needed", and an answer once
given does not change when more bytes come.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later

__all__ = ["LOOK_BEHIND", "follows_blank_line", "is_blank", "line_end", "looks_like_header", "with_lf"]

LOOK_BEHIND = 64  # bytes: how far before a line its blank line may reach

EOL = later(rb"\r{0,2}\n|\r")
BLANKS = b" \t\0"  # NUL: files that a crash or a tape has padded

# RFC 822, section 3.2
#   field      = field-name ":" [ field-body ] CRLF
#   field-name = 1*<any CHAR, excluding CTLs, SPACE, and ":">
# The name of a real field is short, and "http://x" is no field of that name.
# ">From " in a head is a postmark that was quoted once more on its way.
# RFC 822 allowed blanks before the colon: behind names with a hyphen, for words of prose have none.
SPACED = rb"[A-Za-z]{1,20}(?:-[A-Za-z0-9]{1,20}){1,4}[ \t]{1,9}"
NAME = later(rb"%s(?=:|\Z)|[!-9;-~]{0,128}" % SPACED)
HEADER = later(rb"(?:[!-9;-~]{1,128}|%s):(?!//)|>From " % SPACED)


def is_blank(data: bytes) -> bool:
    r"""Tell whether nothing but white space and NUL stands in ``data``.

    >>> is_blank(b" \r\n\0"), is_blank(b"x")
    (True, False)
    """
    return not data.strip(b" \t\r\n\f\v\0")


def with_lf(data: bytes) -> bytes:
    r"""Make every line end LF.

    >>> with_lf(b"a\r\r\nb\r\nc\rd")
    b'a\nb\nc\nd'
    """
    if b"\r" not in data:  # a lone byte is looked for in no time
        return data
    usual = data.replace(b"\r\n", b"\n")
    if b"\r" not in usual:
        return usual
    for end in (b"\r\r\n", b"\r\n", b"\r"):
        data = data.replace(end, b"\n")
    return data


def line_end(buffer: bytes | bytearray, at: int, *, at_end: bool) -> tuple[int, int] | None:
    r"""Find where the line that holds byte ``at`` ends, and where the next begins.

    >>> line_end(b"one\r\r\ntwo", 0, at_end=True)
    (3, 6)
    >>> line_end(b"one\r", 0, at_end=False)  # an LF may still follow
    >>> line_end(b"one", 0, at_end=True)
    (3, 3)
    """
    found = EOL.search(buffer, at)
    if not found:
        return (len(buffer), len(buffer)) if at_end else None
    after = bytes(buffer[found.end() : found.end() + 2])
    if found[0] == b"\r" and not at_end and after in (b"", b"\r"):
        return None
    return found.span()


def looks_like_header(buffer: bytes | bytearray, at: int, *, at_end: bool) -> bool | None:
    """Tell whether the line at ``at`` begins as a header field does.

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


def follows_blank_line(buffer: bytes | bytearray, at: int) -> bool:
    r"""Tell whether a blank line stands right before the line at ``at``.

    At most `LOOK_BEHIND` bytes are looked at; the caller keeps that many.

    >>> text = b"a\n\nb\r\nc\r\r\nd"
    >>> [follows_blank_line(text, text.index(letter)) for letter in (b"b", b"c", b"d")]
    [True, False, False]
    """
    if buffer[at - 2 : at] == b"\n\n":
        return True
    before = bytes(buffer[max(0, at - LOOK_BEHIND) : at])
    if before.endswith(b"\n"):
        end = len(before) - 1
        while end > len(before) - 3 and before[:end].endswith(b"\r"):
            end -= 1
        before = before[:end]
    else:
        before = before.removesuffix(b"\r")
    return before.rstrip(BLANKS).endswith((b"\n", b"\r"))
