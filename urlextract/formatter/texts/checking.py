"""Check that only the lines of a text were changed, and not its URLs or words."""

from __future__ import annotations

import re

from urlextract.errors import RewrapError
from urlextract.formatter.texts.blocks import comment_sign
from urlextract.formatter.texts.mending import Break, breaks_in, mended, names_of, urls_of
from urlextract.formatter.texts.quotes import named_line_of
from urlextract.grammar.marks import WRAPPER_CLOSER, WRAPPER_OPENER
from urlextract.grammar.patterns import lazy_re

_BRACKETS = lazy_re(rf"{WRAPPER_OPENER}|{WRAPPER_CLOSER}")
_LABEL = lazy_re(r"URL:", re.IGNORECASE)
_WORD = lazy_re(r"[^ \t\r\n]+")


def has_same_urls(before: str, after: str) -> bool:
    """Return whether ``after``, a text that was rewritten, has the URLs of ``before``."""
    return before == after or urls_of(before) == urls_of(after)


def check_text(before: str, after: str) -> None:
    """Raise `RewrapError` if ``after`` has other URLs or other words than ``before``."""
    if not has_same_urls(before, after):
        raise RewrapError("what is printed holds other URLs")
    names = names_of(before.split("\n"))
    if _words(before, names) != _words(after, names):
        raise RewrapError("what is printed holds other words")


def _words(text: str, names: frozenset[str]) -> list[str]:
    """Return the words of a text, without the brackets of URLs, quote prefixes and comment signs."""
    lines = mended(text, [each for each in breaks_in(text) if _is_joined(each, text)]).lines
    bodies = (named_line_of(line.rstrip("\r"), names).body for line in lines)
    words = _WORD.findall(_LABEL.sub("", _BRACKETS.sub("", " ".join(bodies))))
    return [word for word in words if not comment_sign(f"{word} x")]


def _is_joined(each: Break, text: str) -> bool:
    """Return whether a URL is read as one word: it is joined, or its blanks are within one line."""
    return each.is_certain or bool(each.gaps) or "\n" not in text[each.start : each.end]
