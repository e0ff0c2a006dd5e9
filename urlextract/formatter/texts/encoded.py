r"""Change the text of a part that is encoded for transfer: decode it, and encode it in the same way."""

from __future__ import annotations

import binascii
import re
from base64 import encodebytes
from collections.abc import Callable

from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import codec_of
from urlextract.message.transfer import ENCODINGS, is_as_sent, is_undeclared, undo_transfer

Change = Callable[[str], str]

# What may begin a line of the decoded text alone: a postmark, a boundary line
_BEGINS_ELSE = lazy_re(rb"(?m:^)(?:From |--)")


def with_changed_text(written: str, encoding: str, charset: str | None, change: Change) -> str | None:
    r"""Return a part as it is written, with its text changed; None if it cannot be.

    >>> with_changed_text("aHR0cDovL2EuZXhhbXBsZS8=\n", "base64", None, str.upper)
    'SFRUUDovL0EuRVhBTVBMRS8=\n'
    """
    line_end = "\r\n" if "\r\n" in written else "\n"
    data = written.replace("\r\n", "\n").encode("utf-8", "surrogateescape")
    if is_undeclared(data, encoding):
        encoding = "quoted-printable"
    if is_as_sent(data, encoding) or encoding not in ENCODINGS:
        changed = _changed(written.encode("utf-8", "surrogateescape"), charset, change)
        return None if changed is None else changed.decode("utf-8", "surrogateescape")
    undone, tail = undo_transfer(data, encoding)
    result = _changed(undone, charset, change)
    if result == undone:
        return written
    if tail or result is None or encoding not in ("base64", "quoted-printable"):
        return None
    lines = encodebytes(result) if encoding == "base64" else _quoted(result)
    if undo_transfer(lines, encoding) != (result, b""):
        return None
    end = written[len(written.rstrip()) :] if encoding == "base64" else ""
    coded = lines.rstrip(b"\n") if encoding == "base64" else lines
    return coded.decode("ascii").replace("\n", line_end) + end


def _changed(data: bytes, charset: str | None, change: Change) -> bytes | None:
    """Return the bytes of a text that is changed, None if its charset is not known.

    Where it is not that which was declared, bytes beyond ASCII are kept as they are (PEP 383).
    """
    codec = codec_of(charset) or "utf-8"
    try:
        text = data.decode(codec)
        if text.encode(codec) == data:
            return change(text).encode(codec)
    except (UnicodeError, LookupError):
        pass
    if b"\0" in data:
        return None
    return change(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _quoted(data: bytes) -> bytes:
    """Return data as quoted-printable (RFC 2045, section 6.7); no line of it begins a message or a part."""
    return _BEGINS_ELSE.sub(_escaped, binascii.b2a_qp(data))


def _escaped(match: re.Match[bytes]) -> bytes:
    return b"=%02X%b" % (match[0][0], match[0][1:])
