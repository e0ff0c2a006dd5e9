"""Quote prefixes and page breaks between the lines of one URL."""

from __future__ import annotations

from functools import lru_cache

from urlextract.grammar.chars import BLANKS, LINE_END
from urlextract.grammar.marks import COMMENT_MARK, FREE_MARKS, NAMED_MARK, QUOTE_MARK
from urlextract.grammar.patterns import lazy_re

_BLANKS = lazy_re(rf"[{BLANKS}]*+")
_GAP = lazy_re(rf"[{BLANKS}\r\n]")
_LINE_END = lazy_re(LINE_END)
# A mark and the blanks before it; the signs are those of added and removed lines in a patch,
# with or without a blank after them.
_MARK = lazy_re(
    rf"[{BLANKS}]*+(?:(?P<mark>{NAMED_MARK}|{QUOTE_MARK})"
    rf"|(?P<comment>{COMMENT_MARK})(?=[{BLANKS}])|(?P<sign>[+-]))"
)


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
    end = 0
    match = _MARK.match(head)
    while match and not (match["sign"] and head[: match.start("sign")].strip(FREE_MARKS + " \t")):
        end = match.end()
        match = _MARK.match(head, end)
    return head[: skip_blanks(head, end)] if end else ""


@lru_cache(maxsize=256)
def _marks(prefix: str) -> tuple[tuple[str, str, int], ...]:
    """Return the text and kind of each mark of ``prefix``, and how many blanks come before it."""
    marks: list[tuple[str, str, int]] = []
    end = 0
    while match := _MARK.match(prefix, end):
        kind = match.lastgroup or ""
        marks.append((match[kind], kind, match.start(kind) - end))
        end = match.end()
    return tuple(marks)


def skip_prefix(text: str, start: int, prefix: str) -> int:
    """Return the offset after as much of ``prefix`` as the line at ``start`` begins with.

    Any number of blanks may come between and after the marks; they are skipped, too.

    >>> skip_prefix(">> rest", 0, "> > ")
    3
    >>> skip_prefix("rest>", 0, "> ")
    0
    """
    for mark, kind, blanks in _marks(prefix) if prefix else ():
        at = skip_blanks(text, start)
        after = at + len(mark)
        # A "-" after more blanks is the URL's; what has a bracket after it, as in "*>", is no comment.
        is_other = (kind == "sign" and at - start > blanks) or (
            kind == "comment" and not _GAP.match(text, after)
        )
        if is_other or not text.startswith(mark, at):
            break
        start = after
    return skip_blanks(text, start)


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
    ends = [at for at, char in enumerate(prefix, 1) if not char.isspace()]
    after = prefix[ends[count - 1] :] if count <= len(ends) else ""
    return blanks > len(after) - len(after.lstrip())


def used_prefix(raw: str, prefix: str) -> str:
    r"""Return ``prefix`` if a line of ``raw`` after the first begins with part of it, else "".

    >>> used_prefix("ftp://a/\n> b", "> "), used_prefix("ftp://a/\nb", "> ")
    ('> ', '')
    """
    starts = (match.end() for match in _LINE_END.finditer(raw)) if prefix else ()
    is_used = any(skip_prefix(raw, start, prefix) > skip_blanks(raw, start) for start in starts)
    return prefix if is_used else ""


LONGEST_PAGE_BREAK = 1_000
"""The most characters of a page break: with as many, no more text is needed to decide."""

_EMPTY = rf"(?:[ \t]{{0,80}}+{LINE_END})"
# A footer contains no angle brackets, so a line with a closer is none.
_FOOTER = rf"[^\r\n\f<>]{{0,90}}\[[Pp]age[ ][0-9ivxlc]{{1,5}}\][ \t]{{0,9}}{LINE_END}"
_HEADER = rf"[ \t]{{0,9}}[^\s<>][^\r\n\f<>]{{0,90}}{LINE_END}"
_PAGE_BREAK = lazy_re(
    rf"(?>{_EMPTY}{{0,12}}){_FOOTER}(?>{_EMPTY}{{0,12}})"
    rf"(?:\f(?>{_EMPTY}{{0,6}}){_HEADER}|(?=RFC|INTERNET|Internet|draft-){_HEADER})"
    rf"(?>{_EMPTY}{{1,9}})"
)
# Text at the start of a line after which no footer can come: a bracket, no "[" for long, or a whole line
_NO_PAGE_BREAK = lazy_re(r"[^\r\n<>\[]*+[<>]|[^\r\n<>\[]{100}|\s*+(?![^\r\n]*\[(?i:page)[ ])[^\r\n]++[\r\n]")


def page_break_end(text: str, start: int) -> int | None:
    """Return the end of the page break that begins at the line start ``start``, if one does.

    The next line begins there. At most `LONGEST_PAGE_BREAK` characters are read.
    """
    match = _PAGE_BREAK.match(text, start, start + LONGEST_PAGE_BREAK)
    return match.end() if match else None


def is_page_break_open(text: str, start: int) -> bool:
    """Return whether more text could make, or lengthen, a page break at ``start``.

    It could as long as there are fewer than `LONGEST_PAGE_BREAK` characters, and the first line that is not
    blank is a footer, or incomplete. So the result is the same in whatever pieces the text comes.
    """
    return len(text) - start < LONGEST_PAGE_BREAK and not _NO_PAGE_BREAK.match(text, start)
