"""Texts that hyphenate words, as those of troff: there a hyphen at a line end is not part of a URL either."""

from __future__ import annotations

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Match
from urlextract.scanner.buffer import Buffer, MoreNeeded, with_url

LOOKED_AT = 65_536
"""Characters at the beginning of a text that tell whether it hyphenates; the URLs in them are read so.

A text is never cut there for several processes, or to be resumed, so it is read in the same way by all.
"""

_LEAST = 3  # words that stand unbroken elsewhere in the text
_RATIO = 3  # such words for each one that stands there with its hyphen
# A word of prose, and its rest at the start of the next line, after quote marks and blanks
_BROKEN_WORD = lazy_re(
    r"(?<![^\s(\"'])([A-Za-z]{2,30})-[ \t]{0,9}\r?\n[ \t>|]{0,99}([a-z]{2,30})(?=[\s.,;:!?)\"']|\Z)"
)
_WORD = lazy_re(r"[A-Za-z]{4,60}(?:-[A-Za-z]{2,30}(?![A-Za-z]))?")
_HYPHEN_AT_END = lazy_re(r"-[ \t]*\r?[\n\r]")


def hyphenates(text: str) -> bool:
    r"""Return whether words are broken at hyphens that stand unbroken elsewhere in the text.

    >>> hyphenates("oc-\ncur, de-\nscribe, tab-\nle: they occur to describe a table.\n")
    True
    >>> hyphenates("well-\nknown, mail-\ning, on-\nline, for the well-known mailing online\n")
    False
    """
    broken = {(found[1].lower(), found[2]) for found in _BROKEN_WORD.finditer(text)}
    if len(broken) < _LEAST:
        return False
    words = {word.lower() for word in _WORD.findall(text)}
    words |= {word.partition("-")[0] for word in words}
    whole = sum(first + rest in words for first, rest in broken)
    hyphened = sum(f"{first}-{rest}" in words for first, rest in broken)
    return whole >= _LEAST and whole > _RATIO * hyphened


class Opening:
    """The beginning of a text, as far as it came; ``base`` is the offset of the buffer in the text."""

    def __init__(self, text: str = "") -> None:
        self._pieces = [text]
        self._size = len(text)
        self._hyphenates: bool | None = None
        self.base = 0

    def feed(self, text: str) -> None:
        """Take more of the text."""
        if self._size < LOOKED_AT:
            self._pieces.append(text)
            self._size += len(text)

    def hyphenates(self, at: int, *, is_whole: bool, is_paused: bool = False) -> bool | None:
        """Return whether a place ``at`` of the buffer is hyphenated, None if more of the text is needed."""
        if at + self.base >= LOOKED_AT:
            return False
        if self._hyphenates is None and is_paused:  # for now: more of the text may tell otherwise
            return hyphenates("".join(self._pieces))
        if self._hyphenates is None and (is_whole or self._size >= LOOKED_AT):
            self._hyphenates = hyphenates("".join(self._pieces)[:LOOKED_AT])
            self._pieces.clear()
        return self._hyphenates


def with_hyphens_dropped(buffer: Buffer, match: Match, opening: Opening | None, at: int) -> Match:
    """Return ``match`` without its hyphens at line ends first, if the text hyphenates; else unchanged.

    ``at`` is where it begins in the text that was fed, which may be defanged. Raise `MoreNeeded` if more of
    the text may show that. Without an ``opening`` it is not known.
    """
    if opening is None or not _HYPHEN_AT_END.search(match.more_lines or match.raw):
        return match
    drops = opening.hyphenates(at, is_whole=buffer.is_whole, is_paused=buffer.is_paused)
    if drops is None:
        raise MoreNeeded
    return with_url(match._replace(hyphen="drop")) if drops else match
