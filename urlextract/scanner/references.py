"""Character references in URLs of markup that stands in text: in an attribute, or between two tags."""

from __future__ import annotations

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Match
from urlextract.scanner.buffer import Buffer

_REACH = 300  # characters before a URL in which its tag begins
_REFERENCE = lazy_re(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_QUOTE_PREFIX = lazy_re(r"\n[> \t]+")
# What stands from the last "<" up to the URL: in program text, a backslash is before the quote.
_ATTRIBUTE = lazy_re(r"<[A-Za-z][\w:.-]*+\s[^<>]*=\s*\\?[\"']?\Z")
_TAG, _WORDS = lazy_re(r"<[A-Za-z][^<>]*+>"), lazy_re(r"[^<>]*+\Z")
_END_TAG = lazy_re(r"[.,;:!?)]{0,3}</[A-Za-z]")
_LONGEST_END = 6


def with_references(buffer: Buffer, match: Match) -> Match:
    """Return the match of a URL, marked as written with references if it stands in markup and has some."""
    if "&" not in match.raw or match.escapes or not _REFERENCE.search(match.raw):
        return match
    text, (start, end) = buffer.text, match.inner
    before = _QUOTE_PREFIX.sub("\n", text[max(0, start - _REACH) : start])
    at = before.rfind("<")
    if at < 0:
        return match
    is_markup = _ATTRIBUTE.match(before, at) is not None
    tag = _TAG.match(before, at)
    if not is_markup and tag and _WORDS.match(before, tag.end()):
        buffer.need(_LONGEST_END, end)
        is_markup = not before[tag.end() :].strip() or _END_TAG.match(text, end) is not None
    return match._replace(escapes="entities") if is_markup else match
