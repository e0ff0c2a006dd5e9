"""Decode bytes to text: by the charset that was declared, or the one that must have been meant.

The labels are those of the Encoding Standard (encoding.spec.whatwg.org), by `webencodings`; Python has the
codecs. A byte order mark counts more than what is declared, then come the NULs of UTF-16 and the escapes of
ISO 2022 in a text of seven bits. What the declared charset does not fit is UTF-8, and last Windows-1252,
which has characters for all but five bytes. Nothing here raises an exception because of its input.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.grammar.patterns import lazy_re
from urlextract.records import UNDECODABLE, Defect

# --- names ---------------------------------------------------------------------------------------

_ASCII = frozenset(("us-ascii", "ascii", "ansi_x3.4-1968", "iso-ir-6", "iso646-us", "us"))
# Where Python's codec is narrower than the encoding of the standard, which has what vendors added.
_WIDER = {"shift_jis": "cp932", "euc_kr": "cp949", "euc_jp": "euc_jis_2004", "gbk": "gb18030"}
_WIDER |= {"iso8859-1": "cp1252"}  # under names that only Python knows, such as latin-1
_WIDER |= {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}  # these two raise where there is no mark
# What browsers do not read, for its bytes are ASCII and its text is another; mail has it.
_UNKNOWN_TO_BROWSERS = {
    "utf-7": "utf-7", "unicode-1-1-utf-7": "utf-7", "iso-2022-kr": "iso2022_kr", "csiso2022kr": "iso2022_kr",
    "hz": "hz", "hz-gb-2312": "hz", "iso-2022-jp": "iso2022_jp_ext", "csiso2022jp": "iso2022_jp_ext",
}  # fmt: skip
# Codecs of Python that are no charset of mail; two of them take quadratic time.
_NO_CHARSETS = frozenset((
    "idna", "punycode", "unicode-escape", "unicode_escape", "raw-unicode-escape", "raw_unicode_escape",
    "undefined", "mbcs", "oem", "replacement", "x-user-defined",
))  # fmt: skip
_SEVEN_BITS = frozenset(("utf-7", "hz", "iso2022_kr"))  # and their bytes are not what they seem


@lru_cache(maxsize=256)
def codec_of(label: str | None) -> str | None:
    """Return the codec of a charset's label; None for an unknown one, and for ASCII.

    ASCII is often declared without knowledge of the text, so it counts as no declaration.

    >>> codec_of("X-SJIS"), codec_of("latin1"), codec_of("unknown-8bit"), codec_of("us-ascii")
    ('cp932', 'cp1252', None, None)
    """
    name = (label or "").strip(" \t'\"").lower()
    if not name or name == "utf-8" or is_ascii(name):
        return "utf-8" if name == "utf-8" else None
    if name in _UNKNOWN_TO_BROWSERS:
        return _UNKNOWN_TO_BROWSERS[name]
    from webencodings import lookup  # most mail is UTF-8 or ASCII

    try:
        known = lookup(name)
        codec = (
            known.codec_info.name if known and known.name not in _NO_CHARSETS else codecs.lookup(name).name
        )
        # "hex" and its like are no charsets
        is_charset = codec not in _NO_CHARSETS and getattr(codecs.lookup(codec), "_is_text_encoding", True)
    except (LookupError, ValueError):
        return None
    return _WIDER.get(codec, codec) if is_charset else None


def is_ascii(label: str) -> bool:
    """Return whether a charset's label is one of ASCII.

    >>> is_ascii("US-ASCII"), is_ascii("latin1")
    (True, False)
    """
    return label.strip().lower() in _ASCII


# --- decoding ------------------------------------------------------------------------------------

_ESCAPES = (
    (lazy_re(rb"\x1b\$\)C"), "iso2022_kr"),
    (lazy_re(rb"\x1b(?:\$[@B]|\([IJ]|\$\([DOPQ])"), "iso2022_jp_ext"),
)
_BYTE_ORDER_MARKS = (  # that of UTF-32 in little-endian order begins as UTF-16's
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SEEN = 1024  # bytes in which NULs are counted
_STRAY = re.compile("[\udc80-\udcff]")  # a byte that is no UTF-8


def decode(data: bytes, label: str | None) -> tuple[str, tuple[Defect, ...]]:
    r"""Return the text of ``data``, with LF as line ends, and its defects; ``label`` is what was declared.

    >>> decode(b"caf\xe9", "iso-8859-1"), decode(b"\xe2\x80\x9cdi\xe9t\xe2\x80\x9d", None)
    (('café', ()), ('“diét”', ()))
    >>> text, (defect,) = decode(b"\x81 x", None)
    >>> text, str(defect)
    ('\ufffd x', 'undecodable bytes')
    """
    if b"\x1b" not in data and b"\0" not in data:  # most texts
        codec = codec_of(label)
        try:
            if codec is None or codec == "utf-8" or (codec not in _SEVEN_BITS and data.isascii()):
                return unify_line_ends(data.decode().removeprefix("\ufeff")), ()
        except UnicodeDecodeError:
            pass
    codec = codec_for(data, label)
    text = data.decode(codec, _errors(codec)).removeprefix("\ufeff")
    read = without_strays(text)
    is_wrong = "\ufffd" in read or (read is not text and codec_of(label) is not None)
    return unify_line_ends(read), (UNDECODABLE,) if is_wrong else ()


def without_strays(text: str) -> str:
    """Return a text with characters of Windows-1252 in place of the bytes in it that are no UTF-8."""
    return text.translate(STRAY_BYTES) if not text.isascii() and _STRAY.search(text) else text


def codec_for(data: bytes, label: str | None) -> str:
    r"""Return the codec of a text that begins with ``data``, or is that; ``label`` is what was declared.

    >>> codec_for(b"caf\xc3\xa9", "us-ascii"), codec_for(b"caf\xe9", "latin-1"), codec_for(b"h\0i\0", None)
    ('utf-8', 'cp1252', 'utf-16-le')
    """
    declared = codec_of(label)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark) and (name == "utf-8" or b"\0" in data):  # as each blank and line end has
            return name
    if declared is None or declared.startswith(("utf-8", "utf-16")):
        guessed = _order_of_utf16(data[:_SEEN])
        if guessed and (declared or _fits(data, guessed)):
            return guessed
        declared = None if declared and b"\0" not in data and declared != "utf-8" else declared
    if b"\x1b" in data and (declared is None or data.isascii() or declared.startswith("iso2022")):
        for pattern, name in _ESCAPES:
            if pattern.search(data):
                return name
    if declared is None or declared == "utf-8":
        return "utf-8"
    is_meant = _fits(data, declared) or not (_fits(data, "utf-8") or not _is_mostly(data, declared))
    return declared if is_meant else "utf-8"


def _order_of_utf16(head: bytes) -> str | None:
    """Return the codec of UTF-16 without a mark: most of the high bytes of Latin text are NULs."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    is_plain = max(even, odd) * 4 > len(head) > max(1, min(even, odd) * 16)
    return ("utf-16-le" if odd > even else "utf-16-be") if is_plain else None


def _fits(data: bytes, codec: str) -> bool:
    """Return whether ``data`` is valid; its last character may be cut."""
    try:
        codecs.getincrementaldecoder(codec)().decode(data)
    except (UnicodeError, LookupError, ValueError):
        return False
    return True


def _is_mostly(data: bytes, codec: str) -> bool:
    """Return whether most characters beyond ASCII are valid.

    A character may have been cut in two, or a footer in another charset put after the text.
    """
    text = data.decode(codec, "replace")
    return text.count("\ufffd") * 2 <= len(text) - len(text.encode("ascii", "ignore"))


def _errors(codec: str) -> str:
    return "surrogateescape" if codec == "utf-8" else "replace"


def decoded_pieces(pieces: Iterable[bytes], codec: str) -> Iterator[str]:
    r"""Decode a text in pieces; its line ends become LF. Bytes that are not UTF-8 become lone surrogates.

    >>> "".join(decoded_pieces([b"\xef\xbb\xbfa\r", b"\nb\xc3", b"\xa9\r"], "utf-8"))
    'a\nb\xe9\n'
    """
    held, is_first = "", True
    for piece in _decoded(pieces, codec):
        text = held + piece
        if is_first and text:
            text, is_first = text.removeprefix("\ufeff"), False
        held = text[len(text.rstrip("\r")) :][-6:]  # it may begin a line end
        yield unify_line_ends(text[: len(text) - len(held)])
    yield unify_line_ends(held)


def _decoded(pieces: Iterable[bytes], codec: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec)(_errors(codec))
    yield from map(decoder.decode, pieces)
    yield decoder.decode(b"", final=True)


def decoded_text(chunks: Iterable[bytes], charset: str | None = None) -> tuple[Iterator[str], int | None]:
    """Decode a text that is not part of a message, with its line ends; return its pieces.

    With them comes the offset of the first character, in bytes, None if the text is not UTF-8. ``charset`` is
    used if the text does not begin with a byte order mark, and does not look like UTF-16. Each byte that is
    not valid UTF-8 becomes a lone surrogate, which the scanner reads as Windows-1252: so no byte is lost, and
    offsets can be counted.
    """
    chunks = iter(chunks)
    first = next(chunks, b"")
    while len(first) < 4 and (more := next(chunks, b"")):
        first += more
    mark, codec = next((each for each in _BYTE_ORDER_MARKS if first.startswith(each[0])), (b"", ""))
    guessed = _order_of_utf16(first[:64]) if len(first) >= 8 else None
    codec = codec or guessed or codec_of(charset) or "utf-8"
    pieces = _decoded(chain((first[len(mark) :],), chunks), codec)
    return pieces, len(mark) if codec == "utf-8" else None


def unify_line_ends(text: str) -> str:
    r"""Return a text with every line end as LF: CRLF, a lone CR, CR CR LF of a twice converted file.

    >>> unify_line_ends("a\r\r\nb\r\nc\rd")
    'a\nb\nc\nd'
    """
    if "\r" not in text:
        return text
    usual = text.replace("\r\n", "\n")
    if "\r" not in usual:
        return usual
    for end in ("\r\r\r\n", "\r\r\n", "\r\n", "\r"):
        text = text.replace(end, "\n")
    return text


# --- encoded words -------------------------------------------------------------------------------

# RFC 2047, section 2
#   encoded-word = "=?" charset "?" encoding "?" encoded-text "?="
# A "?" inside is not allowed, but URLs with one are sent so; blanks in it are the work of careless folding.
_WORD = r"=\?[^?\s]++\?[bBqQ]\?[^?]*+(?:\?(?!=)[^?]*+){0,8}\?="
# Words that follow each other: not more at once, for the stdlib's time grows as the square of their number.
_WORDS = lazy_re(rf"{_WORD}(?:\s*+{_WORD}){{0,49}}(?:\s++(?==\?))?")
_EACH_WORD = lazy_re(_WORD)


def decode_words(text: str) -> str:
    """Decode the encoded words of RFC 2047; those that follow each other are joined.

    >>> decode_words("=?utf-8?B?w6Q=?= =?utf-8?Q?=C3?= =?utf-8?Q?=A4?= x =?utf-8?B?w6Qw6?= =?utf-8?Q?y?=")
    'ää x =?utf-8?B?w6Qw6?=y'
    """
    return _WORDS.sub(_decoded_words, text) if "=?" in text else text


def _decoded_words(words: re.Match[str]) -> str:
    from email.errors import HeaderParseError  # most mail is read without ``email``
    from email.header import decode_header

    try:
        pieces = decode_header(words[0])
    except (HeaderParseError, ValueError):  # base64 of one word is bad: that one stays as it is
        each = _EACH_WORD.findall(words[0])
        return "".join(map(decode_words, each)) if len(each) > 1 else words[0]
    return "".join(
        decode(piece, (label or "").partition("*")[0])[0] if isinstance(piece, bytes) else piece
        for piece, label in pieces
    )
