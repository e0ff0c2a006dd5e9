"""Blank out lines that are not to be read, quoted ones or signatures; all others keep their places."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from urlextract.grammar.marks import NAMED_MARK, QUOTING_MARK, depth_of
from urlextract.grammar.patterns import lazy_re
from urlextract.message.html_tokens import CONSTRUCT, tag_name
from urlextract.records import PartFilter

# "> ", ">> ", "> > ", with the blank or without, after initials or a name ("JD> ", "John Doe> ");
# ">From " is what a mailbox makes of a line that begins with "From ".
_QUOTE = lazy_re(
    rf"(?!>From )[ \t]{{0,8}}(?:(?=[A-Z]){NAMED_MARK}|{QUOTING_MARK})(?:[ \t]?{QUOTING_MARK}){{0,99}}[ \t]?"
)
# Outlook and similar programs put the original message below such a line, without quote prefixes.
_ORIGINAL = lazy_re(
    r"[ \t]*-{2,20}[ \t]*(?:Original Message|Original-Nachricht|Ursprüngliche Nachricht|Message d'origine"
    r"|Mensaje original|Mensagem original|Messaggio originale|Oorspronkelijk bericht)[ \t]*-{2,20}[ \t]*\Z",
    re.IGNORECASE,
)
_LINE = lazy_re(r"(?!\Z)([^\r\n]*+)(?:\r\n|\r|\n|\Z)")
_ANY = lazy_re(r"[^\r\n]")


class Mask:
    r"""Blanks out the lines that are not to be read of a text that comes in windows of whole lines.

    >>> from urlextract.records import PartFilter
    >>> mask = Mask(PartFilter(quoted="skip"))
    >>> mask("a\n> b\n"), mask("c")
    ('a\n   \n', 'c')
    """

    def __init__(self, choice: PartFilter) -> None:
        self._choice = choice
        self._signature: int | None = None  # the depth of the signature that has begun
        self._is_original = False

    def __call__(self, text: str) -> str:
        """Return the next window, masked."""
        return _LINE.sub(self._masked, text)

    def _masked(self, match: re.Match[str]) -> str:
        line = match[1]
        quote = _QUOTE.match(line)
        depth = depth_of(quote[0]) if quote else 0
        content = line[quote.end() :] if quote else line
        if self._signature is not None and depth != self._signature:
            self._signature = None
        if content == "-- ":
            self._signature = depth
        self._is_original = self._is_original or _ORIGINAL.match(line) is not None
        is_quoted = depth > 0 or self._is_original
        is_read = self._choice.quoted == "keep" or is_quoted == (self._choice.quoted == "only")
        if self._choice.signature == "skip" and self._signature is not None:
            is_read = False
        return match[0] if is_read else _blanked(match[0])


def _blanked(text: str) -> str:
    """Return a text with all characters but its line ends as blanks."""
    return _ANY.sub(" ", text)


_IS_SIGNATURE = lazy_re(
    r"""\bclass\s{0,9}=\s{0,9}["']?[^"'>]{0,200}\bsignature\b|_signature\b""", re.IGNORECASE
)
_OF_SIGNATURES = ("div", "pre", "table", "span")


def mask_pages(text: str, choice: PartFilter) -> str:
    r"""Blank out the quotes in a page (``blockquote``), or its signatures (elements of such a class).

    >>> from urlextract.records import PartFilter
    >>> mask_pages("a<blockquote>b</blockquote>c", PartFilter(quoted="skip"))
    'a                         c'
    """
    if choice.signature == "skip":
        is_signature = _IS_SIGNATURE.search
        text = _without(text, _elements(text, lambda name, tag: name in _OF_SIGNATURES and is_signature(tag)))
    if choice.quoted != "keep":
        quoted = _elements(text, lambda name, _: name == "blockquote")
        if choice.quoted == "only":
            ends = [0, *chain.from_iterable(quoted), len(text)]
            quoted = list(zip(ends[0::2], ends[1::2], strict=True))
        text = _without(text, quoted)
    return text


def _elements(text: str, begins: Callable[[str, str], object]) -> list[tuple[int, int]]:
    """Return the outermost elements whose name and tag ``begins`` accepts."""
    found: list[tuple[int, int]] = []
    name, start, depth = "", 0, 0
    for tag in CONSTRUCT.finditer(text):
        each = tag_name(tag[0])
        if depth:
            depth += (each == name) - (each == f"/{name}")
            if not depth:
                found.append((start, tag.end()))
        elif begins(each, tag[0]):
            name, start, depth = each, tag.start(), 1
    return [*found, (start, len(text))] if depth else found


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """Blank out spans of a text."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += (text[at:start], _blanked(text[start:end]))
        at = end
    return "".join((*pieces, text[at:]))
