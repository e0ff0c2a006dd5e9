"""Recognize what is no running text, and never changed: signatures, diffs, code, tables, HTML, fields, ...

In doubt, text is left as it is: a paragraph that is not filled does no harm, but a table that is filled does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from urlextract.formatter.texts.lines import Line, item_mark, line_of
from urlextract.grammar.marks import COMMENT_WHEN_REWRAPPED, NAMED_MARK
from urlextract.grammar.patterns import lazy_re

# --- what goes on over blank lines ----------------------------------------------------------------


class _Kind(NamedTuple):
    """How a structure begins, in two lines, and ends.

    ``closing`` is found in its last line, or, if that is ``behind``, in the first line after it. Quote marks
    within it are its own text if it ``nests``.
    """

    opening: re.Pattern[str]
    closing: str
    nests: bool = True
    behind: bool = False


_SIGNED = _Kind(lazy_re(r"-----BEGIN PGP SIGNED MESSAGE-----\s*\n"), r"\A-----END PGP SIGNATURE-----")
_KINDS = (
    _SIGNED,
    _Kind(lazy_re(r"-----BEGIN ([A-Z ]{2,40})-----\s*\n"), r"\A-----END {}-----"),
    _Kind(lazy_re(r"[ ]{0,3}(`{3,}(?!.*`)|~{3,})"), r"\A[ ]{{0,3}}{}[`~]*\s*\Z"),
    # RFC 3676, section 4.3
    _Kind(lazy_re(r"-- \n"), r"(?!)", nests=False),
    # CommonMark 0.31, section 4.6: what ends with a line that has the closing tag or sign
    _Kind(lazy_re(r"(?i)[ ]{0,3}<(pre|script|style|textarea)(?=[\s>])"), r"(?i)</{}>"),
    _Kind(lazy_re(r"[ ]{0,3}<!--"), "-->"),
    _Kind(lazy_re(r"[ ]{0,3}<\?"), r"\?>"),
    _Kind(
        lazy_re(
            r"diff (?:-|--git )|@@ -\d|(?:Index: \S|--- \S|\*\*\* \S).*\n"
            r"(?:\+\+\+ |--- |@@ -\d|\*\*\*|index |===|new |deleted |old |similarity |rename |retrieving)"
        ),
        r"\A(?![ +\-@\\!]|\Z|diff |index |Index: |new |deleted |old |similarity |rename |copy |Binary |"
        r"Only in |={{9}}|\*{{3}})",
        behind=True,
    ),
)
_BEGINS = "-`~ dI*@<"
"""Characters with which the first line of these may begin."""


class Open(NamedTuple):
    """A structure that has begun at a line with the quote ``marks``."""

    kind: _Kind
    closing: re.Pattern[str]
    marks: str

    @property
    def is_signed(self) -> bool:
        """Whether a signature is about the text, which may not be changed then: RFC 9580, section 7."""
        return self.kind is _SIGNED

    def is_over(self, line: Line) -> bool:
        """Return whether a line is the first one after the structure."""
        if not line.marks.startswith(self.marks) or not (self.kind.nests or line.marks == self.marks):
            return True
        return self.kind.behind and self.closing.search(line.body) is not None


def kept_lines(
    lines: Sequence[Line], opened: Open | None = None, *, signatures: bool = True
) -> tuple[list[Open | None], Open | None]:
    """Return for each line in which structure it is, and the one that is open after the last line.

    ``opened`` is the one that is open before the first line. Without ``signatures``, these are none.
    """
    if opened and not (signatures or opened.kind.nests):
        opened = None
    kept: list[Open | None] = []
    for at, line in enumerate(lines):
        if opened and opened.is_over(line):
            opened = None
        start = 0
        if not opened and line.body and line.body[0] in _BEGINS:
            following = lines[at + 1].body if at + 1 < len(lines) else ""
            opened, start = _opened_by(line, following)
            if opened and not (signatures or opened.kind.nests):
                opened = None
        kept.append(opened)
        if opened and not opened.kind.behind and opened.closing.search(line.body, start):
            opened = None
    return kept, opened


def _opened_by(line: Line, following: str) -> tuple[Open | None, int]:
    """Return the structure that begins at a line, and where its end is looked for on that line."""
    for kind in _KINDS:
        if match := kind.opening.match(f"{line.body}\n{following}"):
            closing = re.compile(kind.closing.format(*map(re.escape, match.groups())))
            return Open(kind, closing, line.marks), match.end()
    return None, 0


# --- one line -------------------------------------------------------------------------------------

_FIXED = lazy_re(
    "|".join((
        r"\s*([-=*_~#^+.:\u2500-\u257f])(?:\s*\1){2,}\s*\Z",  # a rule
        r"([-=*_~#])(?>\2{2,})[^\n]{1,70}?\2{3}\s*\Z",  # one with words in it, before a forwarded message
        r"--(?:\s*|[\w'()+,./:=?-]{1,72})\Z",  # a signature without its blank; a boundary line
        r"(?:#{1,6}|[.][A-Z]{1,2}|[.]{2}|=+)(?:[ \t]|\Z)",  # a heading, a request of roff
        rf"[ ]*{COMMENT_WHEN_REWRAPPED}[ ]",
        r"\s*`{3}",  # code on one line
        r"(?:\$|>>>|\.\.\.) \S|total \d+\Z|[-dlcbps](?:[r-][w-][xsStT-]){3}[.+@]? ",  # a prompt, ls -l
        # the time of a log or a chat; of a web server
        r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|\[\d\d:\d\d\] ",
        r"[0-9A-Fa-f.:]{3,39} \S{1,64} \S{1,64} \[\d\d/[A-Z][a-z]{2}/\d{4}:",
        # a reference: a label, and a URL, one word, or what is no entry of a bibliography
        r"\s*\[[\w^-]{1,9}\](?::\s+\S|\s+(?:<?(?:URL:)?(?:[A-Za-z][A-Za-z0-9+.-]*+:\S|www\.)|\S++\s*+\Z))",
        r"\s*\[[A-Za-z_^-]{1,9}\]\s+\S",
        # a definition of Markdown (CommonMark, section 4.7), whose label may have blanks
        r"[ ]{0,3}\[[^\[\]]{1,300}\]:[ \t]+<?[A-Za-z][A-Za-z0-9+.-]*+:\S",
        rf"[ \t]{{0,3}}(?![-=~]+>){NAMED_MARK}(?=[ >]|\Z)",  # a name before a quote mark
        r"[\x00-\x08\x0b-\x1f\x7f]|[^\n]*[\x00-\x08\x0b-\x1f\x7f]",
    ))
)  # fmt: skip
_UNSAFE = lazy_re(r"[.#]|From(?:\s|\Z)|--? ?\Z")
# A word that has no meaning, as nearly all: those above have other signs, or are these
_PLAIN_WORD = lazy_re(r"(?!(?i:from|diff|dnl|rem)\b)[A-Za-z][A-Za-z0-9_,'\"]+[.;:!?)]?\Z")


def is_fixed(body: str) -> bool:
    """Return whether a line is joined with no other: a rule, a heading, a reference, a line of a log, ..."""
    return _FIXED.match(body) is not None


def begins_unsafely(line: str) -> bool:
    """Return whether a line, or its first word, has a meaning of its own.

    >>> begins_unsafely("- as a mark"), begins_unsafely("as a word")
    (True, False)
    """
    return has_meaning_before_words(line.split(" ", 1)[0]) or _has_meaning(line)


def has_meaning_before_words(word: str) -> bool:
    """Return whether a word has a meaning of its own at the beginning of a line with other words.

    >>> has_meaning_before_words("-"), has_meaning_before_words("--all")
    (True, False)
    """
    return not _PLAIN_WORD.match(word) and _has_meaning(f"{word} x")


def _has_meaning(body: str) -> bool:
    return (
        _UNSAFE.match(body) is not None
        or item_mark(body) != ""
        or line_of(body).quote != ""
        or is_fixed(body)
        or _opened_by(Line("", body), "--- ")[0] is not None
    )


# --- a paragraph ----------------------------------------------------------------------------------

_NAME = r"[A-Za-z][\w.-]*+(?>(?::[A-Za-z][\w.-]*+(?=\s|\Z))?)"  # with a prefix and no blank: an autolink
# A tag that has attributes or ends an element, a comment
_INLINE_TAG = lazy_re(rf"</{_NAME}\s*+>|<{_NAME}\s[^<>=]*+=[^<>]*+>|<!--")
_TAG = lazy_re(rf"\s*</?{_NAME}(?:\s|/?>|\Z)")
# The first line of what a shell printed, with the name of a host, perhaps, before the prompt
_SESSION = lazy_re(r"(?:[\w.-]{1,32}@[\w.-]{1,64}:[^\s$#]{0,80}|\[[^\]\n]{1,80}\])?[$#] (?<!^# )\S")
_FIELD = lazy_re(r"[A-Za-z][A-Za-z0-9-]{0,60}:(?:[ \t]|\Z)")
# Trailers of git: unlike other fields, one alone is recognized
_TRAILER = lazy_re(
    r"(?:[A-Z][a-z]+(?:-[a-z]+)*-by|Cc|CC|Fixes|Closes|Link|Bug|Change-Id|Message-I[Dd]|References): "
)
_COLUMNS = lazy_re(
    r"\S(?:\t|[ ]{3})[ \t]*+\S|(?:\S|^)\s*\|.*\||^\s*:?-+:?(?:\s*[|+]\s*:?-+:?)+\s*$", re.MULTILINE
)
_SEPARATOR = lazy_re(r"[,;](?=\S)")  # of the fields of a row of CSV; prose has a blank after it
# Before a second column; in justified text the last line has none, and a sentence may end there
_GAP = lazy_re(r"(?<![ .!?])[ ]{2}| \| ")
_CODE_INDENT = 4
_CODE_ENDS = ("{", "}", ";", "*/")


def has_tags(text: str) -> bool:
    """Return whether a paragraph has tags or comments of HTML or XML in it.

    >>> has_tags("see <a href='b'>"), has_tags("see <http://a.example/> a < b")
    (True, False)
    """
    return "<" in text and _INLINE_TAG.search(text) is not None


def is_kept(lines: Sequence[Line]) -> bool:
    """Return whether adjacent lines are code, a table, HTML or fields."""
    bodies = [line.body for line in lines]
    if all(len(line.indent.expandtabs()) >= _CODE_INDENT for line in lines) or _SESSION.match(bodies[0]):
        return True
    return _is_code(bodies) or _is_fields(bodies) or _is_table(bodies)


def _is_code(bodies: Sequence[str]) -> bool:
    """Return whether lines end like those of a program, are a comment in one, or HTML, XML or a chat."""
    if bodies[0].lstrip().startswith("/*") or bodies[-1].rstrip().endswith("*/") or bodies[0].strip() in "{[":
        return True
    ends = sum(body.rstrip().endswith(_CODE_ENDS) for body in bodies)
    tags = [_TAG.match(body) is not None for body in bodies]
    return tags[0] or 2 * max(ends, sum(tags)) >= max(len(bodies), 3)


def _is_fields(bodies: Sequence[str]) -> bool:
    """Return whether each line is a field or continues one; a single line must be a trailer."""
    if len(bodies) == 1:
        return _TRAILER.match(bodies[0]) is not None
    fields = sum(_FIELD.match(body) is not None for body in bodies)
    goes_on = sum(body[0] in " \t" for body in bodies)
    return fields > 1 and fields + goes_on == len(bodies)


def _is_table(bodies: Sequence[str]) -> bool:
    """Return whether lines have columns, or as many fields each, three or more, as in CSV."""
    if _COLUMNS.search("\n".join(bodies)):
        return True
    fields = {len(_SEPARATOR.findall(body)) for body in bodies}
    is_csv = len(fields) == 1 and fields.pop() >= 2
    rows = bodies[1:] if len(bodies) > 2 and bodies[0].rstrip().endswith(":") else bodies
    return len(bodies) > 1 and (is_csv or all(_GAP.search(row.strip()) for row in rows))
