"""Quote prefixes, and the patterns of what stands between two pieces of one URL.

A line that goes on loses at most the prefix of the line on which the URL began. So everything that reads over
line ends asks for the patterns of that one prefix, which are compiled when they are first used, and kept.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

from urlextract.grammar.chars import BLANK, LINE_END
from urlextract.grammar.marks import ADDED_BARE_BREAKS, ANY_QUOTE_MARK, COMMENT_MARK, FREE_MARKS, WRAPPERS
from urlextract.grammar.patterns import lazy_re

_REACH = 1_024
"""Characters before a place in which its line begins, or it has no prefix."""

# A mark and the blanks before it; the signs are those of added and removed lines in a patch, with or without
# a blank after them, or right before the mark of a comment.
_MARK = lazy_re(
    rf"{BLANK}*+(?:(?P<free>{ANY_QUOTE_MARK})"
    rf"|(?P<comment>[+-]?{COMMENT_MARK})(?={BLANK})"
    r"|(?P<sign>[+-]))"
)
_BLANKS = lazy_re(rf"{BLANK}*+")


def _marks_of(head: str) -> list[re.Match[str]]:
    """Return the marks that ``head`` begins with; a sign of a patch counts as the first one only."""
    marks: list[re.Match[str]] = []
    match = _MARK.match(head)
    while match and not (match["sign"] and head[: match.start("sign")].strip(FREE_MARKS + " \t")):
        marks.append(match)
        match = _MARK.match(head, match.end())
    return marks


def opening_prefix(head: str) -> str:
    """Return the quote prefix at the start of ``head``, the text before a URL on its line.

    >>> opening_prefix("> > JD> see ")
    '> > JD> '
    >>> opening_prefix("no prefix: ")
    ''
    """
    marks = _marks_of(head)
    blanks = _BLANKS.match(head, marks[-1].end()) if marks else None
    return head[: blanks.end()] if blanks else ""


def line_start(text: str, at: int) -> int:
    r"""Return the start of the line that holds ``at``, or where `_REACH` characters before it begin.

    >>> line_start("a\rbc", 3), line_start("-" * 2000, 1999)
    (2, 975)
    """
    low = at - _REACH if at > _REACH else 0
    start = text.rfind("\n", low, at) + 1 or low
    return text.rfind("\r", start, at) + 1 or start


def prefix_before(text: str, at: int) -> str:
    r"""Return the quote prefix of the line that holds ``at``, as far as it stands before that.

    >>> prefix_before("\n> see x", 7), prefix_before("\nsee x", 5)
    ('> ', '')
    """
    start = line_start(text, at)
    return opening_prefix(text[start:at]) if at > start else ""


_MOST_MARKS = 40  # of different kinds, one after the other


def _skipped(prefix: str) -> str:
    """Return the pattern of as much of ``prefix`` as a line may begin with, blanks free between its marks."""
    marks = []
    for mark in _marks_of(prefix):
        kind = mark.lastgroup or ""
        word, before = re.escape(mark[kind]), rf"{BLANK}*+"
        if kind == "comment":
            word += r"(?=\s)"
        elif kind == "sign":  # a "-" behind more blanks is the URL's
            before = rf"{BLANK}{{0,{mark.start(kind) - mark.start()}}}"
        marks.append(before + word)
    pattern = rf"{BLANK}*+"
    for mark_and_blanks, same in _runs(marks):
        pattern = rf"(?>(?:(?:{mark_and_blanks}){{1,{same}}}{pattern})?){BLANK}*+"
    return pattern


def _runs(marks: list[str]) -> list[tuple[str, int]]:
    """Return each run of equal marks with its length, the last one first."""
    return [(mark, len([*run])) for mark, run in groupby(marks[:1_000])][:_MOST_MARKS][::-1]


def _inside(opener: str, closer: str, turn: str) -> str:
    """Return the pattern of what a wrapper holds, as a group, and what ends it: its closer, or an opener."""
    firsts, ends = re.escape(opener[0] + closer[0]), f"{re.escape(opener)}|{re.escape(closer)}"
    # The first character of a mark is text if not all of it follows.
    line = rf"(?>(?:[^<>\"{firsts}\r\n\x00-\x08\x0e-\x1f\x7f]++|(?!{ends}|&quot;)[{firsts}])*)"
    return rf"(?>({line}(?:{turn}{line}){{0,{_MOST_LINES}}}))(?:{ends}|<)"


_QUOTED_LINE = r"[^\s<>\"\x00-\x1f\x7f]"
_MOST_LINES = 4_000  # of a wrapper that a formatter has printed


class Prefix:
    """The patterns of what may stand between two lines of a URL, by the quote prefix of its first line."""

    def __init__(self, prefix: str) -> None:
        skipped = _skipped(prefix)
        turn = rf"{LINE_END}{skipped}(?![\r\n])"
        # As much of the prefix as a line begins with, and the blanks after it
        self.skipped = lazy_re(skipped)
        # A line end, and the prefix of the next line, which is a group
        self.next_line = lazy_re(rf"{LINE_END}({skipped})")
        # What stands between two pieces of a URL: added marks, line ends and prefixes, or blanks. The marks
        # are backslashes and hyphens that no URL has, or the "%" of an argument of TeX.
        ends = rf"{BLANK}*+(?>(?:{LINE_END}{skipped})+)|(?:{BLANK}|[\u200b\ufeff])+"
        self.gap = lazy_re(rf"{BLANK}*+(?:(?<!\\)\\++|[{ADDED_BARE_BREAKS}])?{ends}")
        self.gap_of_tex = lazy_re(rf"{BLANK}*+%?{ends}")
        # A hyphen and the line end after it; one that typesetters put after a slash, but not before another
        self.hyphen = lazy_re(rf"-{BLANK}*+{LINE_END}{skipped}")
        self.slash_hyphen = lazy_re(rf"/-{BLANK}*+{LINE_END}{skipped}(?!/)")
        # The inside of each wrapper, by its opener
        self.inside = {opener: lazy_re(_inside(opener, closer, turn)) for opener, closer in WRAPPERS.items()}
        # The inside of a quotation, which has no blank inside a line
        self.quotation = lazy_re(rf"({_QUOTED_LINE}*+(?>(?:{turn}{_QUOTED_LINE}++){{0,63}}))\"")


_prefix_of = lru_cache(maxsize=256)(Prefix)


def patterns_of(prefix: str) -> Prefix:
    """Return the patterns of a quote prefix; blanks between free marks make no other."""
    marks = "".join(prefix.split())
    return _prefix_of(prefix if marks.strip(FREE_MARKS) else marks)
