r"""The marks around URLs and at both ends of lines: one table of each kind, for all who read and print them.

To make another mark known, at the start or end of a line or a URL or around it, add a row. Patterns are
source texts, to be inserted into larger ones.

>>> import re
>>> re.match(QUOTE_MARK, "| see")[0], re.match(COMMENT_MARK, "## see")[0], re.match(CLOSER, "&gt; see")[0]
('|', '##', '&gt;')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from urlextract.grammar.codes import RepairCode


def _any_of(texts: Iterable[str]) -> str:
    """Return a pattern that matches one of ``texts``, the longest that it can."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


def _inside_of_class(characters: Iterable[str]) -> str:
    return re.escape("".join(sorted(set(characters))))


# --- around a URL -------------------------------------------------------------------------------

WRAPPERS = {
    "<": ">",
    "&lt;": "&gt;",  # in markup that was escaped
}
"""The openers of wrappers, each with its closer: RFC 1738, appendix; RFC 3986, appendix C."""

DELIMITERS = {**WRAPPERS, '"': '"'}
"""Those of wrappers, and the quotation mark."""

OPENER, CLOSER = f"(?:{_any_of(DELIMITERS)})", f"(?:{_any_of(DELIMITERS.values())})"
"""Patterns of a delimiter."""

WRAPPER_OPENER, WRAPPER_CLOSER = f"(?:{_any_of(WRAPPERS)})", f"(?:{_any_of(WRAPPERS.values())})"
"""Patterns of a bracket of a wrapper."""

CLOSERS = {"(": ")", "[": "]", "{": "}"}
"""Other brackets, which may be part of a URL: the openers, each with its closer."""

# --- at the start of a line -----------------------------------------------------------------------


class LineMark(NamedTuple):
    """A mark at the start of lines that quote another text, or are comments in a program.

    If it ``is_free``, it is a mark wherever it begins a line, and has one character. Others are so
    common in text that a blank must follow. If it ``repeats``, its last character may be there more
    than once. ``quotes`` is true if lines with a free mark are quoted ones for those who leave these out.

    ``rewrapped`` is what rewrapping takes it for: "quote" if the lookahead ``before`` matches, "comment"
    if a line that begins with it is left as it is, or "": text, or the mark of a list.
    """

    text: str
    is_free: bool = False
    repeats: bool = False
    quotes: bool = True
    rewrapped: Literal["quote", "comment", ""] = ""
    before: str = ""

    @property
    def pattern(self) -> str:
        """A pattern of the mark."""
        return re.escape(self.text) + ("++" if self.repeats else "")


LINE_MARKS = (
    LineMark(">", is_free=True, rewrapped="quote"),
    # A table has more bars.
    LineMark("|", is_free=True, quotes=False, rewrapped="quote", before=r"(?=[ \t]|\Z)(?!.*\|)"),
    # Lists of definitions have more blanks after a colon.
    LineMark(":", rewrapped="quote", before=r"(?=[ ]\S|[ ]*\Z)"),
    LineMark("#", repeats=True, rewrapped="comment"),
    LineMark("//", repeats=True, rewrapped="comment"),
    LineMark(";", repeats=True, rewrapped="comment"),
    LineMark("%", repeats=True, rewrapped="comment"),
    LineMark("dnl", rewrapped="comment"),
    LineMark("REM", rewrapped="comment"),
    LineMark("*"),
    LineMark('.\\"'),
)
"""The marks of lines. Initials, names and signs before a ">" are marks, too: `NAMED_MARK`."""

FREE_MARKS = "".join(mark.text for mark in LINE_MARKS if mark.is_free)
"""The characters that are marks wherever they begin a line."""

QUOTING_MARKS = "".join(mark.text for mark in LINE_MARKS if mark.is_free and mark.quotes)
"""Those of them that make a line a quoted one."""

QUOTE_MARK, QUOTING_MARK = f"[{_inside_of_class(FREE_MARKS)}]", f"[{_inside_of_class(QUOTING_MARKS)}]"
"""Patterns of one of each."""


def depth_of(prefix: str) -> int:
    """Return the quote depth of a line that begins with ``prefix``: 2 for "| > JD> "."""
    return sum(map(prefix.count, QUOTING_MARKS))


LINE_MARK_ENDS = "".join(mark.text[-1] for mark in LINE_MARKS if not mark.text.isalpha()) + "-"
"""The last characters of all marks of lines but words, and the sign of removed lines of a patch."""

MARKS_AND_BLANKS = f"[{_inside_of_class(FREE_MARKS)} \t]"
"""A pattern of one character of a quote prefix without names."""

COMMENT_MARK = f"(?i:{'|'.join(mark.pattern for mark in LINE_MARKS if not mark.is_free)})"
"""A pattern of a mark that a blank must follow; the letters of words may be large or small."""

WORD_MARKS = tuple(mark.text.lower() for mark in LINE_MARKS if mark.text.isalpha())
"""The comment marks that are words, in small letters."""

QUOTE_WHEN_REWRAPPED = "|".join(
    mark.pattern + mark.before for mark in LINE_MARKS if mark.rewrapped == "quote"
)
"""A pattern of a quote mark in a text that is rewrapped."""

REWRAPPED_QUOTES = tuple(mark.text for mark in LINE_MARKS if mark.rewrapped == "quote")
"""Those marks, without what must follow."""

COMMENT_WHEN_REWRAPPED = (
    f"(?i:{'|'.join(mark.pattern for mark in LINE_MARKS if mark.rewrapped == 'comment')})"
)
"""A pattern of the mark of a line that rewrapping leaves; a blank must follow."""

NAMED_MARK = r"(?:[^\W\d_][\w.'-]{0,14}(?: [^\W\d_a-z][\w.'-]{0,14}){0,2}|[-=~*:+#]{1,3})>"
"""A quote mark after initials, a name or a sign: "JD>", "John Doe>", ":>".

A line of text may also begin like this. It is a quote mark if two lines do.
"""

ANY_QUOTE_MARK = f"{NAMED_MARK}|{QUOTE_MARK}"
"""A pattern of either."""

# --- at the end of a URL --------------------------------------------------------------------------

END_MARKS = ".,;:!?'([{|"
"""Marks that end a sentence or open a bracket: a bare URL does not end in them."""

SENTENCE_MARKS = "".join(mark for mark in END_MARKS if mark not in CLOSERS and mark != "|")
"""Those of them that open nothing."""

_STOPS = SENTENCE_MARKS.replace("'", "")  # an apostrophe stands in words, too
STOP, AFTER_WORD = f"[{_inside_of_class(_STOPS)}]", f"[{_inside_of_class(_STOPS + ')')}]"
"""Patterns of the marks that end a sentence or a part of it, and of what ends a word: these, or a closer."""

END_OF_CLAUSE = f"[{_inside_of_class(_STOPS.replace(':', '') + ')]')}]"
"""A pattern of the same before a blank within brackets, where a colon may be that of a scheme."""


class SoftBreak(NamedTuple):
    """A mark at the end of a line that may break a URL.

    If it ``joins``, it is evidence that a bare URL goes on in the next line. If it ``is_added``, no URL
    has it: it is removed. ``name`` is what reasons and repairs call it; ``repair`` is the code of these.
    """

    text: str
    name: str
    repair: RepairCode = RepairCode.REMOVED_HYPHENS
    joins: bool = True
    is_added: bool = True


SOFT_BREAKS = (
    # Of shells and C; a bare URL ends before it.
    SoftBreak("\\", "backslash", RepairCode.REMOVED_BACKSLASHES, joins=False),
    SoftBreak("-", "hyphen", is_added=False),  # RFC 1738, appendix: it may or may not belong to the URL
    SoftBreak("\N{HYPHEN}", "hyphen"),  # as groff prints it
    SoftBreak("\N{SOFT HYPHEN}", "hyphen"),
)
"""Marks of one character. Those of quoted-printable and of flowed text are decoded before."""

ADDED_BREAKS = "".join(mark.text for mark in SOFT_BREAKS if mark.is_added)
"""The marks that are removed at a line end."""

BARE_BREAKS = "".join(mark.text for mark in SOFT_BREAKS if mark.joins)
"""The marks after which a bare URL goes on."""

ADDED_BARE_BREAKS = "".join(mark.text for mark in SOFT_BREAKS if mark.joins and mark.is_added)
"""Those of them that are removed."""
