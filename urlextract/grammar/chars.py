"""Line ends and blanks, as sources of patterns; stray bytes; the names of files."""

from __future__ import annotations

from urlextract.grammar.names import extension_of
from urlextract.grammar.patterns import lazy_re

LINE_END = r"(?>\r{0,4}+\n|\r)"
"""One line end: LF, CRLF, the CR CR LF of a file that was converted twice, or a lone CR."""

BLANK = r"[^\S\r\n\x85]"
"""A blank: white space but a line end, and but U+0085, a mark of dots in mail that declares no charset.

A class of categories compiles far quicker than a list of Unicode.
"""

END_OF_PARAGRAPH = r"(?:\n[ \t]*+\r{0,4}+\n|\r[ \t]*+\r(?![\r\n]))"
"""A blank line, with the end of the line before it. What decides about a URL never stands beyond one."""

BLANK_OR_CONTROL = "".join(map(chr, range(33)))
"""The blank and the C0 controls, which browsers ignore around a URL: URL Standard, section 4.4."""

IGNORED_IN_URLS = dict.fromkeys(map(ord, "\t\n\r"))
"""A table that removes what browsers ignore within a URL: tabs and line ends (section 4.4)."""

# Bytes that are not UTF-8 are lone surrogates U+DC80 to U+DCFF in decoded text.
# Mail that does not declare its charset is mostly Windows-1252.
STRAY_BYTES = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


def readable(text: str) -> str:
    r"""Return ``text`` with each stray byte read as a character of Windows-1252.

    >>> readable("caf\udce9")
    'café'
    """
    return text if text.isascii() else text.translate(STRAY_BYTES)


_FILE_NAME = lazy_re(rf"\.(?i:{extension_of('page', 'file')})\Z")
_LONGEST_EXTENSION = 6  # characters, with the dot


def ends_file_name(text: str) -> bool:
    """Return whether ``text`` ends in a known file extension, as a complete file name does.

    >>> ends_file_name("http://a.example/x.tar.gz"), ends_file_name("http://a.example")
    (True, False)
    """
    return _FILE_NAME.search(text, max(0, len(text) - _LONGEST_EXTENSION)) is not None
