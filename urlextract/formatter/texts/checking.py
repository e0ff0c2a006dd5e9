"""Check that only the lines of a text were changed, and not its URLs or words."""

from __future__ import annotations

import re

from urlextract.errors import RewrapError
from urlextract.formatter.texts.blocks import comment_sign
from urlextract.formatter.texts.mending import Break, breaks_in, mended, names_of, urls_of
from urlextract.formatter.texts.quotes import named_line_of
from urlextract.grammar.marks import WRAPPER_CLOSER, WRAPPER_OPENER
from urlextract.grammar.patterns import lazy_re
from urlextract.message.running_text import unflow

_BRACKETS = lazy_re(rf"{WRAPPER_OPENER}|{WRAPPER_CLOSER}")
_LABEL = lazy_re(r"URL:", re.IGNORECASE)
_WORD = lazy_re(r"[^ \t\r\n]+")


def has_same_urls(before: str, after: str, policy: str) -> bool:
    """Return whether ``after``, the rewritten text of a unit, has the URLs of ``before``."""
    if before == after and policy != "flowed":
        return True
    if policy == "ref":
        return set(urls_of(before)) == set(urls_of(after))
    if policy == "flowed":
        after = unflowed(after)
    return urls_of(before) == urls_of(after)


def check_text(before: str, after: str, policy: str) -> None:
    """Raise `RewrapError` if ``after`` has other URLs or other words than ``before``."""
    if not has_same_urls(before, after, policy):
        raise RewrapError("what is printed holds other URLs")
    names = names_of(before.split("\n"))
    words = _words(before, names)
    if policy != "ref" and words != _words(unflowed(after) if policy == "flowed" else after, names):
        raise RewrapError("what is printed holds other words")


def unflowed(text: str) -> str:
    """Return a text as a reader of ``format=flowed; delsp=yes`` sees it."""
    return unflow(text.replace("\r\n", "\n"), delsp=True)


def _words(text: str, names: frozenset[str]) -> list[str]:
    """Return the words of a text, without the brackets of URLs, quote prefixes and comment signs."""
    lines = mended(text, [each for each in breaks_in(text) if _is_joined(each, text)]).lines
    bodies = (named_line_of(line.rstrip("\r"), names).body for line in lines)
    words = _WORD.findall(_LABEL.sub("", _BRACKETS.sub("", " ".join(bodies))))
    return [word for word in words if not comment_sign(f"{word} x")]


def _is_joined(each: Break, text: str) -> bool:
    """Return whether a URL is read as one word: it is joined, or its blanks are within one line."""
    return each.is_certain or bool(each.gaps) or "\n" not in text[each.start : each.end]
