"""Quote prefixes and page breaks between the lines of one URL."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from urlextract.grammar.chars import BLANKS, LINE_END
from urlextract.grammar.marks import COMMENT_MARK, FREE_MARKS, NAMED_MARK, QUOTE_MARK, WORD_MARKS
from urlextract.grammar.patterns import lazy_re

_MARK = lazy_re(rf"{NAMED_MARK}|{QUOTE_MARK}")
_COMMENT = lazy_re(rf"{COMMENT_MARK}(?=[{BLANKS}])")
# The signs of added and removed lines in a patch, with or without a blank after them.
_PATCH = lazy_re(r"[+-]")
_BLANKS = lazy_re(rf"[{BLANKS}]*+")
_LINE_END = lazy_re(LINE_END)
_COMMENT_AGAIN = lazy_re(rf"(?=[{BLANKS}\r\n])")  # not a mark with a bracket after it, as in "*>"


class _Token(NamedTuple):
    text: str
    is_spaced: bool
    most_blanks: int | None  # before a sign of a patch; a "-" after more is the URL's


def skip_blanks(text: str, start: int) -> int:
    """Return the first offset from ``start`` on that is no blank."""
    match = _BLANKS.match(text, start)
    return match.end() if match else start


def opening_prefix(head: str) -> str:
    """Return the quote prefix at the start of ``head``, the text before a wrapper on its line.

    >>> opening_prefix("> > JD> see ")
    '> > JD> '
    >>> opening_prefix("no prefix: ")
    ''
    """
    if head.isascii() and head[:1].isalnum() and ">" not in head and head[:3].lower() not in WORD_MARKS:
        return ""  # most lines: a prefix begins with a letter only for these words, and initials before a ">"
    end = 0
    while True:
        start = skip_blanks(head, end)
        match = _MARK.match(head, start) or _COMMENT.match(head, start)
        if match is None and (not head[:start].strip(FREE_MARKS + " \t")):
            match = _PATCH.match(head, start)
        if match is None:
            return head[:start] if end else ""
        end = match.end()


@lru_cache(maxsize=256)
def _tokens(prefix: str) -> tuple[_Token, ...]:
    tokens: list[_Token] = []
    end = 0
    while True:
        start = skip_blanks(prefix, end)
        match = _MARK.match(prefix, start)
        is_mark = match is not None
        match = match or _COMMENT.match(prefix, start)
        is_sign = match is None
        match = match or _PATCH.match(prefix, start)
        if match is None:
            return tuple(tokens)
        gap = start - end
        end = match.end()
        is_spaced = not is_mark and prefix[end : end + 1] != "" and skip_blanks(prefix, end) > end
        # A C comment that begins with a slash and a star goes on with a star.
        text = "*" if match.group().startswith("/*") else match.group()
        tokens.append(_Token(text, is_spaced and not is_sign, gap if is_sign else None))


def skip_prefix(text: str, start: int, prefix: str) -> int:
    """Return the offset after as much of ``prefix`` as the line at ``start`` begins with.

    Any number of blanks may come between and after the marks; they are skipped, too.

    >>> skip_prefix(">> rest", 0, "> > ")
    3
    >>> skip_prefix("rest>", 0, "> ")
    0
    """
    if not prefix:
        return skip_blanks(text, start)
    end = start
    for token in _tokens(prefix):
        at = skip_blanks(text, end)
        after = at + len(token.text)
        if text[at:after] != token.text:
            break
        if token.most_blanks is not None and at - end > token.most_blanks:
            break
        if token.is_spaced and not _COMMENT_AGAIN.match(text, after):
            break
        end = after
    return skip_blanks(text, end)


def is_indented(text: str, start: int, end: int, prefix: str) -> bool:
    """Return whether ``text[start:end]``, a line's part of ``prefix``, ends in more blanks than ``prefix``.

    >>> is_indented(">  a", 0, 3, "> "), is_indented("> a", 0, 2, "> "), is_indented(" a", 0, 1, "- ")
    (True, False, True)
    """
    marks = text[start:end].rstrip()
    blanks = end - start - len(marks)
    if not marks:
        return blanks > 0
    count = len("".join(marks.split()))
    places = (at for at, char in enumerate(prefix, 1) if not char.isspace())
    after = prefix[next(islice(places, count - 1, None), len(prefix)) :]
    return blanks > len(after) - len(after.lstrip())


def used_prefix(raw: str, prefix: str) -> str:
    r"""Return ``prefix`` if a line of ``raw`` after the first begins with part of it, else "".

    >>> used_prefix("ftp://a/\n> b", "> "), used_prefix("ftp://a/\nb", "> ")
    ('> ', '')
    """
    if not prefix:
        return ""
    for match in _LINE_END.finditer(raw):
        start = match.end()
        if skip_prefix(raw, start, prefix) > skip_blanks(raw, start):
            return prefix
    return ""


LONGEST_PAGE_BREAK = 1_000
"""The most characters of a page break: with as many, no more text is needed to decide."""

_EMPTY = rf"(?:[ \t]{{0,80}}+{LINE_END})"
# A footer contains no angle brackets, so a line with a closer is none.
_FOOTER = rf"[^\r\n\f<>]{{0,90}}\[[Pp]age[ ][0-9ivxlc]{{1,5}}\][ \t]{{0,9}}{LINE_END}"
_HEADER = rf"[ \t]{{0,9}}[^\s<>][^\r\n\f<>]{{0,90}}{LINE_END}"
NO_PAGE_BREAK = lazy_re(r"[^\r\n<>\[]*+[<>]|[^\r\n<>\[]{100}")
"""Text at the start of a line that shows at once that no page break begins there."""

_FIRST_LINE = lazy_re(r"\s*+[^\r\n]++[\r\n]")  # the first line that is not blank: the footer, if there is one


_PAGE_BREAK = lazy_re(
    rf"(?>{_EMPTY}{{0,12}}){_FOOTER}(?>{_EMPTY}{{0,12}})"
    rf"(?:\f(?>{_EMPTY}{{0,6}}){_HEADER}|(?=RFC|INTERNET|Internet|draft-){_HEADER})"
    rf"(?>{_EMPTY}{{1,9}})"
)


def _has_footer(text: str, start: int) -> bool | None:
    """Return whether the first line that is not blank may be a footer, None if it is incomplete."""
    match = _FIRST_LINE.match(text, start, start + LONGEST_PAGE_BREAK)
    return match and "[page " in match.group().lower()


def page_break_end(text: str, start: int) -> int | None:
    """Return the end of the page break that begins at the line start ``start``, if one does.

    The next line begins there. At most `LONGEST_PAGE_BREAK` characters are read.
    """
    if NO_PAGE_BREAK.match(text, start) or not _has_footer(text, start):
        return None
    match = _PAGE_BREAK.match(text, start, start + LONGEST_PAGE_BREAK)
    return match.end() if match else None


def is_page_break_open(text: str, start: int) -> bool:
    """Return whether more text could make, or lengthen, a page break at ``start``.

    It could as long as there are fewer than `LONGEST_PAGE_BREAK` characters, and the first line that is not
    blank is a footer, or incomplete. So the result is the same in whatever pieces the text comes.
    """
    is_near = len(text) - start < LONGEST_PAGE_BREAK
    return is_near and not NO_PAGE_BREAK.match(text, start) and _has_footer(text, start) is not False
