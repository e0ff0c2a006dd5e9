"""Bare URLs: where the scheme of one begins in running text, and what is none of it."""

from __future__ import annotations

from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEMES, is_registered
from urlextract.scanner.glued import is_well_known

__all__ = ["follows_escape", "scheme_start"]

_ESCAPES = r"\\(?:[nrt]|f[BIRP1-9])|=[0-9A-F]{2}|\x1b\[[0-9;]{0,20}m|\x03[0-9]{1,2}(?:,[0-9]{1,2})?"
_ESCAPE = later(_ESCAPES)
# Brackets, quotes and dashes of troff and JSON, too: before what has slashes.
_ESCAPE_OR_GLYPH = later(rf"{_ESCAPES}|\\\((?:la|[acdlo]q|em|en|bu)|\\u00[2-7][0-9A-Fa-f]")
_ESCAPE_SIGN = later(r"[\\=\x1b\x03]")
_LONGEST_ESCAPE = 24
_IN_URI = later(r"[A-Za-z0-9]:\?[^\s<>\"]{0,50}=\Z")


def scheme_start(text: str, run_start: int, colon: int, *, has_slashes: bool, any_scheme: bool) -> int | None:
    r"""Give the start of the scheme that ends before ``colon``, None where there is none.

    The longest registered name counts whose first letter has no ASCII letter or
    digit before it, but for what ends an escape: see `follows_escape`.

    >>> text = "url=svn+ssh://x"
    >>> scheme_start(text, 4, 11, has_slashes=True, any_scheme=False)
    4
    """
    before = text[run_start - 1] if run_start else " "
    follows_word = before.isascii() and before.isalnum()  # the end of another URL
    follows_word = follows_word or (
        before == "\\" and text.find("+", run_start, colon) >= 0
    )  # "\\verb+http://x+"
    if not has_slashes and _goes_on(text, run_start, colon):
        return None
    for start in _starts(text, run_start, colon, has_slashes=has_slashes, follows_word=follows_word):
        name = text[start:colon]
        if has_slashes:
            if any_scheme or is_registered(name):
                return start
        elif name.lower() in SCHEMES:
            return start
    return None


def _starts(text: str, run_start: int, colon: int, *, has_slashes: bool, follows_word: bool) -> list[int]:
    """Return where a scheme may begin: behind escapes, and where a word does."""
    starts = []
    low = max(0, run_start - _LONGEST_ESCAPE)
    if _ESCAPE_SIGN.search(text, low, colon):
        escapes = (_ESCAPE_OR_GLYPH if has_slashes else _ESCAPE).finditer(text, low, colon)
        starts = [match.end() for match in escapes if run_start < match.end() < colon]
    follows_url = has_slashes and follows_word and text[run_start - 1] != "\\"
    follows_url = follows_url and is_well_known(text[run_start:colon])
    if (follows_url or not follows_word) and text[run_start].isalpha():
        starts.append(run_start)
    if not text[run_start:colon].isalpha():
        starts += [at for at in range(run_start + 1, colon) if text[at].isalpha() and text[at - 1] in "+.-"]
    return starts


def _goes_on(text: str, start: int, colon: int) -> bool:
    """Say whether a name goes on with an identifier ("PATH_INFO:") or a URI ("magnet:?xt=urn:")."""
    if text[start - 1 : start] == "_":
        return start > 1 and text[start - 2].isascii() and text[start - 2].isalnum()
    is_urn = text[start:colon].lower() == "urn"
    return is_urn and _IN_URI.search(text, max(0, start - 60), start) is not None


def follows_escape(text: str, at: int) -> bool:
    r"""Say whether an escape ends at ``at`` whose last letter is none of the text.

    Line ends and tabs of program text, fonts of troff, colours of a terminal or
    of IRC, quoted-printable that nobody decoded.

    >>> [follows_escape(text, len(text)) for text in (r"see\n", r"\fB", "\x1b[1;34m", "=20", "m")]
    [True, True, True, True, False]
    """
    low = max(0, at - _LONGEST_ESCAPE)
    return bool(_ESCAPE_SIGN.search(text, low, at)) and any(
        match.end() == at for match in _ESCAPE.finditer(text, low, at)
    )
