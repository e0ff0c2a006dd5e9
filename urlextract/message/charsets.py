"""Decode bytes to text: by the charset that was declared, or the one that must have been meant.

The declared charset is tried strictly. If none is declared, the bytes are searched for signs
of one: a byte order mark, the NULs of UTF-16, the escapes of ISO 2022 and HZ. A few signs count
even against a declaration. Otherwise the text is UTF-8, and last Windows-1252, which has
characters for all but five bytes. Nothing here raises an exception because of its input.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import StringIO
from itertools import chain

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.grammar.patterns import lazy_re
from urlextract.records import UNDECODABLE, Defect

# --- names ---------------------------------------------------------------------------------------

# Names found in mail that Python's codec registry does not know, or knows too
# narrowly: what is sent as Latin-1 or GB2312 mostly uses the superset of Windows.
_ALIASES = {
    "ascii": "us-ascii",
    "ansi-x3.4-1968": "us-ascii",
    "ansi": "cp1252",
    "x-ansi": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "x-cp1252": "cp1252",
    "iso-8859-6-i": "iso8859-6",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "x-sjis": "cp932",
    "shift-jis": "cp932",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "x-big5": "big5",
    "ks-c-5601-1987": "cp949",
    "euc-kr": "cp949",
    "windows-874": "cp874",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "cp-850": "cp850",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "x-utf-8": "utf-8",
    "utf": "utf-8",
    "iso-2022-jp": "iso2022_jp_ext",
}

# Further labels of the Encoding Standard (encoding.spec.whatwg.org), by their codecs.
_LABELS = {
    "big5": "cn-big5 x-x-big5",
    "cp1250": "x-cp1250",
    "cp1251": "x-cp1251",
    "cp1253": "x-cp1253",
    "cp1254": "x-cp1254",
    "cp1255": "x-cp1255",
    "cp1257": "x-cp1257",
    "cp1258": "x-cp1258",
    "cp874": "dos-874 iso885911",
    "cp949": "cseuckr csksc56011987 iso-ir-149 ks-c-5601-1989 ksc-5601 windows-949 x-windows-949",
    "euc_jp": "cseucpkdfmtjapanese",
    "gb18030": "csgb2312 gb-2312 gb-2312-80",
    "iso8859-13": "iso885913",
    "iso8859-2": "iso88592",
    "iso8859-5": "iso88595",
    "iso8859-6": "csiso88596e csiso88596i iso-8859-6-e",
    "iso8859-7": "sun-eu-greek",
    "iso8859-8": "csiso88598e csiso88598i logical visual",
    "koi8-r": "koi koi8",
    "koi8-u": "koi8-ru",
    "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "mac_roman": "csmacintosh mac",
}
_ALIASES |= {label: codec for codec, labels in _LABELS.items() for label in labels.split()}

# Codecs of Python that are no charset of mail; two of them take quadratic time.
_NO_CHARSETS = frozenset(
    ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem")
)

_ASCII = bytes(range(128))


@lru_cache(maxsize=256)
def codec_of(charset: str | None) -> str | None:
    """Return the codec of a charset's name; None if there is none, or if the charset is ASCII.

    ASCII is often declared without knowledge of the text, so it counts as no declaration.

    >>> codec_of("X-SJIS"), codec_of("unknown-8bit"), codec_of("us-ascii")
    ('cp932', None, None)
    """
    if charset is None:
        return None
    name = charset.strip(" \t'\"").lower().replace("_", "-")
    name = _ALIASES.get(name, name)
    if name in _NO_CHARSETS or name == "us-ascii":
        return None
    try:
        codec = codecs.lookup(name)
        if not getattr(codec, "_is_text_encoding", True):  # "hex" and its like are no charsets
            return None
        return codec.name if name not in _ALIASES.values() else name
    except (UnicodeError, LookupError, ValueError):
        return None


def is_ascii(charset: str) -> bool:
    """Return whether a charset's name is a name of ASCII.

    >>> is_ascii("US-ASCII"), is_ascii("latin1")
    (True, False)
    """
    name = charset.strip().lower().replace("_", "-")
    return _ALIASES.get(name, name) == "us-ascii"


@lru_cache(maxsize=256)
def is_ascii_superset(codec: str) -> bool:
    """Return whether seven-bit bytes are ASCII in this codec.

    >>> is_ascii_superset("utf-8"), is_ascii_superset("utf-7")
    (True, False)
    """
    try:
        return _ASCII.decode(codec) == _ASCII.decode("ascii")
    except (UnicodeError, LookupError, ValueError):
        return False


# --- decoding ------------------------------------------------------------------------------------

_HZ = lazy_re(rb"~(?=\{)")
_ESCAPES = (
    (lazy_re(rb"\x1b\$\)C"), "iso2022_kr"),
    (lazy_re(rb"\x1b(?:\$[@B]|\([IJ]|\$\([DOPQ])"), "iso2022_jp_ext"),
    (lazy_re(rb"~\{[!-}\s]{2,2000}+~\}"), "hz"),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Texts are declared in the narrower charset, but have characters that vendors added to it.
_WIDER: dict[str, tuple[str, ...]] = {"euc_jp": ("euc_jis_2004",)}

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WIDE = ("utf-16", "utf-32")
_WIDE_MARKS = (*_UTF16_MARKS, codecs.BOM_UTF32_BE)  # that of UTF-32 in little-endian order begins as UTF-16's
_WIDTHS = {"utf-16": 2, "utf-32": 4}  # bytes of a unit, in codecs that leave its order to a mark

_SNIFFED = 1024  # bytes looked at for NULs
_FEW_TILDES = 50


def decode(data: bytes, charset: str | None) -> tuple[str, tuple[Defect, ...]]:
    r"""Return the text of ``data`` and its defects; ``charset`` is what was declared.

    If nothing else fits, bytes that are not UTF-8 are read as Windows-1252, the rest as UTF-8.

    >>> decode(b"caf\xe9", "iso-8859-1"), decode(b"caf\xc3\xa9", "us-ascii")
    (('café', ()), ('café', ()))
    >>> decode(b"\xe2\x80\x9cdi\xe9t\xe2\x80\x9d", None)
    ('“diét”', ())
    >>> decode(b"th\xc3\xa9", "utf-16")
    ('thé', ())
    >>> text, (defect,) = decode(b"\x81 x", None)
    >>> text, str(defect)
    ('\ufffd x', 'undecodable bytes')
    """
    codec = meant_codec(data, charset)
    if data.isascii() and (codec is None or is_ascii_superset(codec)) and not _has_escapes(data):
        return data.decode("ascii"), ()
    for name in _candidates(data, codec):
        try:
            return data.decode(name).removeprefix("\ufeff"), ()
        except (UnicodeError, LookupError, ValueError):
            if name.startswith("iso2022_jp"):
                return _decode_jis(data)
            if name == "utf-16" and codec != name:
                return _mostly(data, name), (UNDECODABLE,)
    text = _mostly(data, codec) if codec and codec != "utf-8" else ""
    if text:
        return text, (UNDECODABLE,)
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").translate(STRAY_BYTES)
    return text, (UNDECODABLE,) if codec or "\ufffd" in text else ()


def _candidates(data: bytes, codec: str | None) -> Iterator[str]:
    """Yield the codecs by which to decode ``data``, the most likely first; ``codec`` was declared."""
    if codec is None:
        yield from _guesses(data)
    else:
        if is_ascii_superset(codec):  # these signs count against the declaration
            if b"\x1b" in data and data.isascii():
                yield from (name for pattern, name in _ESCAPES[:2] if pattern.search(data))
            if data.startswith(_UTF16_MARKS) and b"\0" in data[:_SNIFFED]:
                yield "utf-16"
        yield codec
        yield from _WIDER.get(codec, ())
    yield "utf-8"


def _guesses(data: bytes) -> Iterator[str]:
    """Yield the codecs that the bytes show signs of, if none was declared."""
    yield from (name for mark, name in _MARKS if data.startswith(mark))
    head = data[:_SNIFFED]
    if b"\0" in head:  # most of the high bytes of Latin text in UTF-16 are NULs
        high = ((head[1::2], "utf-16-le"), (head[0::2], "utf-16-be"))
        yield from (name for every_other, name in high if every_other.count(0) * 2 > len(every_other))
    yield from (name for pattern, name in _ESCAPES if pattern.search(data))


def codec_for(data: bytes, charset: str | None) -> str:
    r"""Return the codec of a text that begins with ``data``; ``charset`` is what was declared.

    >>> codec_for(b"caf\xc3\xa9", "us-ascii"), codec_for(b"caf\xe9", "latin-1"), codec_for(b"h\0i\0", None)
    ('utf-8', 'cp1252', 'utf-16-le')
    """
    for name in _candidates(data, meant_codec(data, charset)):
        try:
            codecs.getincrementaldecoder(name)().decode(data)
        except (UnicodeError, LookupError, ValueError):
            if name.startswith("iso2022_jp"):
                return name
        else:
            return name
    return "utf-8"


def decoded_pieces(pieces: Iterable[bytes], codec: str) -> Iterator[str]:
    r"""Decode a text in pieces; its line ends become LF. Bytes that are not UTF-8 become lone surrogates.

    >>> "".join(decoded_pieces([b"\xef\xbb\xbfa\r", b"\nb\xc3", b"\xa9\r"], "utf-8"))
    'a\nb\xe9\n'
    """
    errors = "surrogateescape" if codec == "utf-8" else "replace"
    decoder = codecs.getincrementaldecoder(codec)(errors)
    held, is_first = "", True
    for data in chain(pieces, (None,)):
        text = held + decoder.decode(data or b"", final=data is None)
        if is_first and text:
            text, is_first = text.removeprefix("\ufeff"), False
        held = "" if data is None else text[len(text.rstrip("\r")) :][-2:]  # it may begin a line end
        yield unify_line_ends(text[: len(text) - len(held)])


def meant_codec(data: bytes, charset: str | None) -> str | None:
    r"""Return the codec of a declared charset, as far as ``data`` fits it, or a stretch of it.

    In UTF-16 and UTF-32, spaces, line ends and URLs have NULs: without any, these were not meant. Without a
    byte order mark they are big-endian (RFC 2781, section 4.3), but some programs do otherwise.

    >>> meant_codec(b"a", "utf-16"), meant_codec(b"a\0", "utf-16"), meant_codec(b"\xff\xfea\0", "utf-16")
    (None, 'utf-16-le', 'utf-16')
    """
    codec = codec_of(charset)
    if codec is None or not codec.startswith(_WIDE):
        return codec
    if b"\0" not in data:
        return None
    width = _WIDTHS.get(codec)
    if width is None or data.startswith(_WIDE_MARKS):
        return codec
    is_little = data[width - 1 :: width].count(0) > data[0::width].count(0)
    return f"{codec}-le" if is_little else f"{codec}-be"


_JIS_TURN = lazy_re(rb"(\x1b(?:\$[@B]|\$?\([A-Z]))")
_HIGH = bytes(at | 0x80 if 0x21 <= at <= 0x7E else at for at in range(256))


def _decode_jis(data: bytes) -> tuple[str, tuple[Defect, ...]]:
    r"""Decode ISO-2022-JP stretch by stretch, so that a fault in one does not affect the next.

    Characters that vendors added (row 13) are decoded as those of JIS X 0213.

    >>> _decode_jis(b"\x1b$B-!\x1b(Ba\x1b$B!#\x1b(Bb")
    ('①a。b', ())
    """
    texts = StringIO()  # a list of stretches that are short takes 50 times their memory
    for turn, stretch in _stretches(data):
        if turn in (b"\x1b$@", b"\x1b$B"):
            texts.write(stretch.translate(_HIGH).decode("euc_jis_2004", "replace"))
        elif turn == b"\x1b(I":
            texts.write(stretch.translate(_HIGH).decode("cp932", "replace"))
        elif turn in (b"", b"\x1b(B", b"\x1b(J"):
            texts.write(stretch.decode("ascii", "replace"))
        else:
            texts.write((turn + stretch).decode("iso2022_jp_ext", "replace"))
    text = texts.getvalue()
    return text, (UNDECODABLE,) if "\ufffd" in text else ()


def _stretches(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield each stretch of ISO-2022-JP with the escape sequence before it, b"" for the first."""
    turn, start = b"", 0
    for match in _JIS_TURN.finditer(data):
        yield turn, data[start : match.start()]
        turn, start = match[0], match.end()
    yield turn, data[start:]


def _mostly(data: bytes, codec: str) -> str:
    """Decode a text that is mostly in this charset; return "" for any other.

    A character may have been cut in two, or a footer in another charset put after the text.
    """
    try:
        text = data.decode(codec, "replace")
    except (UnicodeError, LookupError, ValueError):
        return ""
    if codec.startswith("utf-16"):
        wrong = text.count("\ufffd") + text.count("\0")
        return text.removeprefix("\ufeff") if wrong * 20 <= len(text) else ""
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text if text.count("\ufffd") * 2 <= beyond_ascii else ""


def _has_escapes(data: bytes) -> bool:
    """Return whether seven-bit bytes may encode more than ASCII; single bytes are found fastest."""
    if b"\x1b" in data or b"\0" in data:
        return True
    at = data.find(b"~")  # may begin "~{" of HZ; the first few are tested one by one, for texts have few
    for _ in range(_FEW_TILDES):
        if at < 0 or data.startswith(b"~{", at):
            return at >= 0
        at = data.find(b"~", at + 1)
    return at >= 0 and _HZ.search(data, at) is not None


def unify_line_ends(text: str) -> str:
    r"""Return a text with every line end as LF: CRLF, a lone CR, CR CR LF of a twice converted file.

    >>> unify_line_ends("a\r\r\nb\r\nc\rd")
    'a\nb\nc\nd'
    """
    if "\r" not in text:
        return text
    return text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")


# --- texts that are not part of a message --------------------------------------------------------
#
# They come in streams, and are decoded as UTF-8, or as UTF-16 or UTF-32 if their beginning shows it. Each
# byte that is not valid UTF-8 becomes a lone surrogate, so that no byte is lost and offsets can be counted.
# The scanner reads these surrogates as Windows-1252.

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64  # bytes in which NULs are counted, to detect UTF-16 without a byte order mark


def sniffed_codec(data: bytes) -> tuple[str, int]:
    r"""Return the codec of a text that begins with ``data``, and the size of its byte order mark.

    >>> sniffed_codec(b"h\0t\0t\0p\0:\0/\0/\0")
    ('utf-16-le', 0)
    """
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return codec, len(mark)
    sample = data[:_SAMPLE]
    if len(sample) >= 8:
        half = len(sample) // 2
        even, odd = sample[0::2].count(0), sample[1::2].count(0)
        if odd > half * 0.7 and even == 0:
            return "utf-16-le", 0
        if even > half * 0.7 and odd == 0:
            return "utf-16-be", 0
    return "utf-8", 0


class DecodedText:
    """The decoded text of ``chunks``; iterate over it once to get its pieces.

    ``charset`` is used if the text does not begin with a byte order mark, and does not look like
    UTF-16. ``byte`` is the offset of the first character, in bytes, None if the text is not UTF-8.
    """

    def __init__(self, chunks: Iterable[bytes], charset: str | None = None) -> None:
        self._chunks = iter(chunks)
        first = next(self._chunks, b"")
        while len(first) < 4 and (more := next(self._chunks, b"")):
            first += more
        codec, mark = sniffed_codec(first)
        if charset is not None and codec == "utf-8" and not mark:
            codec = codec_of(charset) or codec
            codec = f"{codec}-le" if codec in ("utf-16", "utf-32") else codec  # there is no byte order mark
        self.is_utf8 = codec == "utf-8"
        self.byte = mark if self.is_utf8 else None
        self._codec = codec
        self._first = first[mark:]

    def __iter__(self) -> Iterator[str]:
        errors = "surrogateescape" if self.is_utf8 else "replace"
        decoder = codecs.getincrementaldecoder(self._codec)(errors)
        yield decoder.decode(self._first)
        for chunk in self._chunks:
            yield decoder.decode(chunk)
        yield decoder.decode(b"", final=True)
