"""Undo the encoding of a body, its Content-Transfer-Encoding (RFC 2045, section 6).

What cannot be decoded is skipped. Text that a list server put after a base64 body
is returned separately, as the tail.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterable, Iterator

from urlextract.grammar.marks import QUOTE_MARK
from urlextract.grammar.patterns import lazy_re
from urlextract.message import limits

_IDENTITIES = frozenset(("", "7bit", "8bit", "binary"))
_UUENCODINGS = ("x-uuencode", "uuencode", "x-uue", "uue")
ENCODINGS = frozenset(("base64", "quoted-printable", *_UUENCODINGS))
"""Encodings that are undone; all others change nothing."""

# RFC 2045, section 6.7 (3): blanks after a soft line break were added on the way.
_PADDED_BREAK = lazy_re(rb"=[ \t]++(?=\r?\n)")

# Quoted-printable that is not declared. It must have one of these signs: a soft break after a long line,
# an attribute of HTML, an encoded blank at a line end, a UTF-8 character. It must have an encoded "=" or
# a UTF-8 character, and no "=" that begins neither a soft break nor an escape of a usual character, nor a
# soft break before a quote mark: what was quoted since is undone by the scanner, which knows the marks.
_UTF_8 = rb"[C-F][0-9A-F]=[89AB][0-9A-F]"
_SIGNS = lazy_re(rb"=(?:3D[\"']|%s|20[ \t]{0,9}\r?\n|(?<=[^\n]{59}=)[ \t]{0,9}\r?\n)" % _UTF_8)
_EVIDENCE = lazy_re(rb"=(?:3D|%s)" % _UTF_8)
_NO_ESCAPE = lazy_re(rb"=(?!(?:[2-9A-F][0-9A-F]|0[9AD])|[ \t]{0,9}\r?\n(?!%s))" % QUOTE_MARK.encode())

# Lines that continue base64, and those that begin it, also after its padding or a plain text.
_BASE64_LINE = lazy_re(rb"[A-Za-z0-9+/]*+={0,2}[ \t]*+\r?")
_BASE64_BEGIN = lazy_re(
    rb"(?=[^A-Z]*+[A-Z])(?=[^a-z]*+[a-z])(?=[^0-9]*+[0-9])(?:[A-Za-z0-9+/]{40,}+={0,2}"
    rb"|(?:[A-Za-z0-9+/_-]{4}){3,9}(?:[A-Za-z0-9+/_-]{4}|[A-Za-z0-9+/_-]{2}[A-Za-z0-9+/_=-]=))[ \t]*+\r?"
)
_SPACES = b" \t\r\n\v\f"
_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r"
_STRAYS = b" \t\r!*"  # characters that are skipped, if there are few of them
_NO_DIGITS = bytes(set(range(256)) - set(_DIGITS) | set(b"\r"))
_OTHER_DIGITS = bytes.maketrans(b"-_", b"+/")  # RFC 4648, section 5
_PADDED = lazy_re(rb"[^=]++=*+")
_UU_FILE = lazy_re(rb"(?ms)^begin [0-7]{3,4} [^\n]*\n(.*?)(?:^end[ \t]*\n|^end[ \t]*\Z|\Z)")


def is_as_sent(data: bytes, encoding: str) -> bool:
    r"""Return whether a body is not encoded: its encoding changes nothing, or it is not base64, as it says.

    Mail programs give filters the decoded body with the header fields as they were.

    >>> is_as_sent(b"hi there\n", "base64"), is_as_sent(b"aGk=\n", "base64"), is_as_sent(b"hi", "7bit")
    (True, False, True)
    """
    if encoding == "base64":
        first = data.lstrip().partition(b"\n")[0]
        strays = len(first) - len(first.translate(None, _STRAYS))
        return not _BASE64_LINE.fullmatch(
            first.translate(None, _STRAYS) if strays * 16 <= len(first) else first
        )
    return encoding in _IDENTITIES


def is_undeclared(data: bytes, encoding: str) -> bool:
    r"""Return whether a text without a declared encoding looks like quoted-printable throughout.

    Archives, gateways and people who save mail lose the head of a part and keep its body.

    >>> line = b"The list of all that is still to be done by the end of the year:"
    >>> is_undeclared(line + b"=\n http://a.example/?b=3D1", "7bit"), is_undeclared(b"/?b=3D1", "7bit")
    (True, False)
    """
    first = data.find(b"=")  # most texts have none, which is seen at once
    return (
        first >= 0
        and encoding in _IDENTITIES
        and _SIGNS.search(data, first) is not None
        and _EVIDENCE.search(data, first) is not None
        and _NO_ESCAPE.search(data, first) is None
    )


def undo_transfer(data: bytes, encoding: str) -> tuple[bytes, bytes]:
    r"""Return the decoded content, and the plain tail that was put after it.

    ``encoding`` is in lower case; an unknown one changes nothing.

    >>> undo_transfer(b"a=3Db=\nc", "quoted-printable")
    (b'a=bc', b'')
    >>> undo_transfer(b"aGk=\n____\nlist info\n", "base64")
    (b'hi', b'____\nlist info\n')
    """
    if encoding == "base64":
        return _undo_base64(data)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(_PADDED_BREAK.sub(b"=", data) if _PADDED_BREAK.search(data) else data), b""
    return (_undo_uuencode(data) if encoding in _UUENCODINGS else data), b""


def undone_pieces(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    r"""Yield the decoded content of a body in pieces, and after it the plain tail that was put there.

    >>> b"".join(undone_pieces([b"a=", b"3Db=", b"\nc"], "quoted-printable"))
    b'a=bc'
    >>> b"".join(undone_pieces([b"aGkg", b"aG", b"k=\n____\nlist info\n"], "base64"))
    b'hi hi\n____\nlist info\n'
    """
    held = b""
    for piece in pieces:
        held += piece
        end = _cut(held, encoding)
        content, tail = undo_transfer(held[:end], encoding)
        held = held[end:]
        yield content
        if tail:
            encoding = ""
            yield b"\n" + tail
    content, tail = undo_transfer(held, encoding)
    yield content + (b"\n" + tail if tail else b"")


def _cut(data: bytes, encoding: str) -> int:
    """Return where encoded data may be cut: no escape, group of digits or line in two."""
    if encoding not in ENCODINGS:
        return len(data)
    end = data.rfind(b"\n") + 1
    if encoding == "base64":
        for _ in range(4):  # lines of one length have whole groups after four
            if not end or len(data[:end].translate(None, _NO_DIGITS)) % 4 == 0:
                break
            end = data.rfind(b"\n", 0, end - 1) + 1
    if end or len(data) < limits.ENCODED_LINE:
        return end
    if encoding == "base64":  # a digit before the end for each that is too many
        return len(data) - len(data.translate(None, _NO_DIGITS)) % 4
    return len(data) - (2 if b"=" in data[-2:] else 0)


def _undo_base64(data: bytes) -> tuple[bytes, bytes]:
    """Decode base64: all at once if it is valid, otherwise by runs of lines; return the plain tail, too."""
    try:
        return binascii.a2b_base64(data.translate(None, _SPACES), strict_mode=True), b""
    except binascii.Error:
        pass
    pieces: list[bytes] = []
    tail = b""
    for is_base64, run in _runs(data.split(b"\n")):
        piece = b"\n".join(run)
        if is_base64:
            before = [b"\n" * bool(pieces), tail, b"\n"] if tail else []
            pieces += [*before, decode_base64(piece)]
            tail = b""
        else:
            tail = piece
    return b"".join(pieces), tail if tail.strip() else b""


def _runs(lines: list[bytes]) -> Iterator[tuple[bool, list[bytes]]]:
    """Yield runs of lines: base64, and plain text that was put before it, after it or between."""
    run: list[bytes] = []
    was_base64 = is_open = True
    for line in lines:
        is_base64 = _goes_on(line) if is_open else _BASE64_BEGIN.fullmatch(line) is not None
        if is_base64 != was_base64 and run:
            yield was_base64, run
            run = []
        run.append(line)
        was_base64, is_open = is_base64, is_base64 and b"=" not in line
    yield was_base64, run


def _goes_on(line: bytes) -> bool:
    """Return whether a line continues base64; a few characters that are no digits are accepted."""
    strays = len(line.translate(None, _DIGITS))
    return strays * 16 <= len(line) or bool(_BASE64_LINE.fullmatch(line) or _BASE64_BEGIN.fullmatch(line))


def decode_base64(data: bytes) -> bytes:
    r"""Decode base64 that may be cut off, or put together from pieces with padding of their own.

    The alphabet for file names has "-" and "_" in place of "+" and "/". What is no digit is skipped.

    >>> decode_base64(b"aG\nkg?aGk")
    b'hi hi'
    """
    digits = data.translate(None, _SPACES)
    if len(digits) % 4 == 0 and not (b"+" in digits or b"/" in digits):
        digits = digits.translate(_OTHER_DIGITS)
    decoded = []
    for padded in _PADDED.findall(digits.translate(None, _NO_DIGITS)):
        piece = padded.rstrip(b"=")
        whole = len(piece) - (len(piece) % 4 == 1)
        decoded.append(binascii.a2b_base64(piece[:whole] + b"==="[: -whole % 4]))
    return b"".join(decoded)


def _undo_uuencode(data: bytes) -> bytes:
    """Decode the files in a body; what stands around them is text."""
    return _UU_FILE.sub(lambda file: b"".join(map(_decode_uu_line, file[1].splitlines())), data)


def _decode_uu_line(line: bytes) -> bytes:
    """Decode one line; faulty encoders write more on it than its first character announces."""
    try:
        return binascii.a2b_uu(line[: ((line[0] - 32 & 63) * 4 + 5) // 3])
    except (binascii.Error, IndexError):
        return b""
