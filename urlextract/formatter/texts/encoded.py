r"""Change the text of a part that is encoded for transfer: decode it, and encode it in the same way.

Nothing is known of its charset but that ASCII is in it, and nothing else is put there: bytes beyond ASCII are
kept as they are (PEP 383).
"""

from __future__ import annotations

import binascii
import re
from base64 import encodebytes
from collections.abc import Callable

from urlextract.grammar.patterns import lazy_re
from urlextract.message.transfer import ENCODINGS, is_as_sent, is_undeclared, undo_transfer

# What may begin a line of the decoded text alone: a postmark, a boundary line
_BEGINS_ELSE = lazy_re(rb"(?m:^)(?:From |--)")


def with_changed_text(written: str, encoding: str, change: Callable[[str], str]) -> str | None:
    r"""Return a part as it is written, with its text changed; None if it cannot be.

    >>> with_changed_text("aHR0cDovL2EuZXhhbXBsZS8=\n", "base64", str.upper)
    'SFRUUDovL0EuRVhBTVBMRS8=\n'
    """
    line_end = "\r\n" if "\r\n" in written else "\n"
    data = written.replace("\r\n", "\n").encode("utf-8", "surrogateescape")
    if is_undeclared(data, encoding):
        encoding = "quoted-printable"
    if is_as_sent(data, encoding) or encoding not in ENCODINGS:
        return None if "\0" in written else change(written)
    undone, tail = undo_transfer(data, encoding)
    if tail or b"\0" in undone or encoding not in ("base64", "quoted-printable"):
        return None
    text = undone.decode("utf-8", "surrogateescape")
    changed = change(text)
    if changed == text:
        return written
    result = changed.encode("utf-8", "surrogateescape")
    lines = encodebytes(result) if encoding == "base64" else _quoted(result)
    if undo_transfer(lines, encoding) != (result, b""):
        return None
    end = written[len(written.rstrip()) :] if encoding == "base64" else ""
    coded = lines.rstrip(b"\n") if encoding == "base64" else lines
    return coded.decode("ascii").replace("\n", line_end) + end


def _quoted(data: bytes) -> bytes:
    """Return data as quoted-printable (RFC 2045, section 6.7); no line of it begins a message or a part."""
    return _BEGINS_ELSE.sub(_escaped, binascii.b2a_qp(data))


def _escaped(match: re.Match[bytes]) -> bytes:
    return b"=%02X%b" % (match[0][0], match[0][1:])
