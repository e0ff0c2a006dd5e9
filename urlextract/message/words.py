"""The value of a header field as one line of text: unfolded, its encoded words decoded (RFC 2047)."""

from __future__ import annotations

import binascii
import re

from urlextract.grammar.patterns import compiled, later
from urlextract.message.charsets import decode, unify_line_ends

__all__ = ["decode_words", "unfolded", "without_folds"]

# RFC 2047, section 2
#   encoded-word = "=?" charset "?" encoding "?" encoded-text "?="
# and RFC 2231, section 5: charset *( "*" language ). A "?" inside is not allowed,
# but URLs with one are sent so; blanks in it are the work of careless folding.
_WORD = later(r"=\?([^?*\s]++)(?:\*[^?\s]*+)?\?([bBqQ])\?([^?]*+(?:\?(?!=)[^?]*+){0,8})\?=")

# Printable ASCII that is neither folded nor may be anything else: most values.
_UNCODED = compiled(rb"[\t -<>-}]*+")

# Inside a bracket about a URL a fold is a line end like any other.
_FOLDED_URL = later(r"<[A-Za-z][A-Za-z0-9+.-]{0,40}+:[^<>\s]{0,900}+(?:\r?\n[ \t]++[^<>\s]{0,900}+){1,9}+>")


def without_folds(text: str) -> str:
    r"""Take out the line ends of folds: RFC 5322, section 2.2.3, leaves the blanks behind them.

    >>> without_folds("a\n b <http://a.example/b\n c>")
    'a b <http://a.example/bc>'
    """
    if "\n" not in text:
        return text
    if "<" in text:
        text = _FOLDED_URL.sub(lambda inside: "".join(inside[0].split()), text)
    return text.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", "\t")


def unfolded(value: bytes, charset: str | None = None) -> str:
    """Give a value as one line of text; ``charset`` is that of bytes beyond ASCII, if it is known."""
    if _UNCODED.fullmatch(value):
        return value.decode("ascii").strip(" \t")
    text, _ = decode(value, charset)
    text = without_folds(text)
    return unify_line_ends(decode_words(text) if "=?" in text else text).strip(" \t\n")


def decode_words(text: str) -> str:
    """Decode the encoded words of RFC 2047; those that follow each other are joined.

    Words of the same charset are decoded as one, for some are cut within a character.

    >>> decode_words("=?utf-8?B?w6Q=?= =?utf-8?Q?=C3?= =?utf-8?Q?=A4?= x")
    'ää x'
    """
    pieces: list[str] = []
    held: list[bytes] = []
    held_charset, at = "", 0
    for word in _WORD.finditer(text):
        charset, between = word[1].lower(), text[at : word.start()]
        if at and not between.strip():
            between = ""
        if held and (between or charset != held_charset):
            pieces.append(decode(b"".join(held), held_charset)[0])
            held = []
        pieces.append(between)
        held.append(_word_bytes(word[2], word[3]))
        held_charset, at = charset, word.end()
    if held:
        pieces.append(decode(b"".join(held), held_charset)[0])
    return "".join((*pieces, text[at:]))


def _word_bytes(encoding: str, encoded: str) -> bytes:
    """Give the bytes of one encoded word (RFC 2047, section 4)."""
    data = encoded.encode("utf-8", "surrogatepass")
    if encoding in "qQ":
        return binascii.a2b_qp(data.replace(b"\n", b" "), header=True)
    digits = re.sub(rb"[^A-Za-z0-9+/]++", b"", data)
    whole = len(digits) - (len(digits) % 4 == 1)
    return binascii.a2b_base64(digits[:whole] + b"==="[: -whole % 4])
