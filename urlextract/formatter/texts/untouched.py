"""Recognize text that is never changed: where it begins, and where it ends.

Such text includes signatures, diffs, code, tables, HTML, what is signed or encoded, reference
lists, fields and trailers. In doubt, text is left as it is: a paragraph that is not filled
does no harm, but a table that is filled does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from urlextract.formatter.texts.quotes import Line, item_mark, marks_of, named_mark
from urlextract.grammar.marks import CLOSER, COMMENT_WHEN_REWRAPPED, NAMED_MARK, OPENER
from urlextract.grammar.patterns import lazy_re

_ENCLOSED = (
    (lazy_re(r"-----BEGIN PGP SIGNED MESSAGE-----\s*\Z"), "-----END PGP SIGNATURE-----"),
    (lazy_re(r"-----BEGIN ([A-Z ]{2,40})-----\s*\Z"), "-----END {}-----"),
    (lazy_re(r"\s{0,3}(`{3,}(?!.*`)|~{3,})"), r"\s{{0,3}}{}[`~]*\s*\Z"),
    (lazy_re(r"begin(?:-base64)? [0-7]{3,4} \S"), r"(?:end|={{4}})\s*\Z"),
    (lazy_re(r"=ybegin "), "=yend "),
)
"""Patterns of the first line of what is kept as a whole, and of its last line."""

_SIGNATURE = lazy_re(r"-- ?\Z")
_PART = lazy_re(r"Content-[A-Za-z-]{2,40}:", re.IGNORECASE)
_DIFF = lazy_re(r"diff (?:-|--git )|Index: \S|--- \S|\*\*\* \S|@@ -\d")
_DIFF_GOES_ON = lazy_re(
    r"[ +\-@\\!]|diff |index |Index: |new |deleted |old |similarity |rename |copy |Binary |Only in "
    r"|={9}|\*{3}"
)
_DIFF_SECOND = lazy_re(
    r"\+\+\+ |--- |@@ -\d|\*\*\*|index |===|new |deleted |old |similarity |rename |retrieving"
)
# HTML (CommonMark 0.31, section 4.6): what begins a block at the start of a line, within a paragraph, too.
# Blocks of the first five kinds end with the line that has what closes them, the others at a blank line.
_RAW_BLOCK = lazy_re(
    r"(?i)[ ]{0,3}<(?:(?P<sign>!--|\?|!\[CDATA\[|!(?=[A-Z]))|(?P<name>pre|script|style|textarea)(?=[\s>]|\Z))"
)
_CLOSINGS = {"!--": "-->", "?": "?>", "![cdata[": "]]>", "!": ">"}
_BLOCK = lazy_re(
    r"(?i)[ ]{0,3}<(?:/?(?:address|article|aside|base|basefont"
    r"|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure"
    r"|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav"
    r"|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track"
    r"|ul)(?=[\s>]|/>|\Z))"
)
# The name of a tag. With a prefix, as in XML, it needs a blank: "<a:b>" is an autolink.
_NAME = r"[A-Za-z][\w.-]*+(?>(?::[A-Za-z][\w.-]*+(?=\s|\Z))?)"
_TAG_FIRST = lazy_re(rf"\s*</?{_NAME}(?:\s|/?>|\Z)")
_LONE_TAG = lazy_re(rf"[ ]{{0,3}}</?{_NAME}(?:\s[^<>]*+|/)?>[ \t]*+(?:\n|\Z)")
# Code between backquotes, a link of Markdown, a tag that has attributes or ends an element, a comment
_MARKUP = lazy_re(
    r"(?<![\w`])(`++)(?!\s)[^`]++(?<!\s)\1_{0,2}(?![\w`])|\]\("
    rf"|</{_NAME}\s*+>|<{_NAME}\s[^<>=]*+=[^<>]*+>|<!--"
)
KEPT_BEGINS = "-`~ bdI*@=<"
"""Characters with which the first line of anything that is kept as a whole may begin."""

_LONGEST_SIGNATURE = 12  # lines after a "--" without its trailing blank

_RULE = lazy_re(r"\s*([-=*_~#^+.:\u2500-\u257f])(?:\s*\1){2,}\s*\Z")
# A rule with words in it, as programs write it before a forwarded message
_TITLED_RULE = lazy_re(r"([-=*_~#])(?>\1{2,})[^\n]{1,70}?\1{3}\s*\Z")
# Prompts of shells and interpreters, and lines of "ls -l"
_PROMPT = lazy_re(r"(?:\$|>>>|\.\.\.) \S|total \d+\Z|[-dlcbps](?:[r-][w-][xsStT-]){3}[.+@]? ")
# The first line of what a shell printed, with the name of a host, perhaps, before the prompt
_SESSION = lazy_re(r"(?:[\w.-]{1,32}@[\w.-]{1,64}:[^\s$#]{0,80}|\[[^\]\n]{1,80}\])?[$#] (?<!^# )\S")
# The time with which a line of a log or a chat begins; in logs of web servers, after the name of a client
_STAMP_WITH_NAME = r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d "
_STAMP = lazy_re(
    rf"{_STAMP_WITH_NAME}|\[?(?:\d{{4}}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|\[\d\d:\d\d\] "
    r"|[0-9A-Fa-f.:]{3,39} \S{1,64} \S{1,64} \[\d\d/[A-Z][a-z]{2}/\d{4}:"
)
# A label, and a URL, one word, or what is no entry of a bibliography
_REFERENCE = lazy_re(
    r"\s*\[[\w^-]{1,9}\](?::\s+\S|\s+(?:<?(?:URL:)?(?:[A-Za-z][A-Za-z0-9+.-]*+:\S|www\.)|\S++\s*+\Z))"
    r"|\s*\[[A-Za-z_^-]{1,9}\]\s+\S"
)
# A definition of Markdown (CommonMark, section 4.7), whose label may have blanks, with its title
_DEFINITION = lazy_re(
    r"""[ ]{0,3}\[[^\[\]]{1,300}\]:[ \t]+<?[A-Za-z][A-Za-z0-9+.-]*+:\S*+"""
    r"""(?>(?:[ \t]+(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?)[ \t]*\Z"""
)
_FIELD = lazy_re(r"[A-Za-z][A-Za-z0-9-]{0,60}:(?:[ \t]|\Z)")
# Trailers of git: unlike other fields, one alone is recognized
_TRAILER = lazy_re(
    r"(?:[A-Z][a-z]+(?:-[a-z]+)*-by|Cc|CC|Fixes|Closes|Link|Bug|Change-Id|Message-I[Dd]|References): "
)
_TABLE = lazy_re(r"\S(?:\t|[ ]{3})[ \t]*+\S|(?:\S|^)\s*\|.*\|")
_DELIMITERS = lazy_re(r"\s*:?-+:?(?:\s*[|+]\s*:?-+:?)+\s*\Z")  # of the columns of a table
# The separators of fields in a row of CSV, after which there is no blank as in prose
_SEPARATOR = lazy_re(r"[,;](?=\S)")
_SEPARATED = lazy_re(r"[^\n,;]*+[,;]\S[^\n]*?[,;]\S")
_BAR = " | "
# The first word of a row, before two blanks or more; and where these end. A sentence may end there, too.
_KEY = lazy_re(r"(\w\S*+)(?<![.!?])[ ]{2}")
_GAP = lazy_re(r"(?<![ .!?])[ ]{2,}(?=[^ ])")
_C_COMMENT = lazy_re(r"\s*/\*|.*\*/\s*\Z")
_HEADING = lazy_re(r"(?:#{1,6}|[.][A-Z]{1,2}|[.]{2}|=+)(?:[ \t]|\Z)")
_TICKS = lazy_re(r"\s*`{3}")  # code on one line; without its last words it would open a fence
_LINES_APART = (_REFERENCE, _DEFINITION, _HEADING, _TICKS, _PROMPT, _STAMP)
_CODE_INDENT = 4
_NO_PROSE = lazy_re(
    r"^(?:[^A-Za-z\"'(<]|[dlcbps][rwx-]{3}|total \d|\(\w{1,3}\) "
    r"|<(?:[!?]|/?[A-Za-z][\w.-]*+(?:[ />]|:\w[\w.-]*+ |$))"
    rf"|{NAMED_MARK}|[A-Za-z][.)]? |From |diff |Index: |begin"
    rf"|{COMMENT_WHEN_REWRAPPED} |{_STAMP_WITH_NAME})",
    re.MULTILINE,
)
_DISPLAYED = lazy_re(
    rf"\s*{OPENER}(?:URL:)?[A-Z][A-Z0-9+.-]*+:[^\s<>\"]*{CLOSER}[.,;:!?)]*\s*\Z",
    re.IGNORECASE,
)
_CONTROL = lazy_re(r"[\x00-\x08\x0b-\x1f\x7f]")


def kept_until(lines: Sequence[Line], at: int, end: int) -> int:
    """Return the end of what begins at line ``at`` and is kept as a whole, or ``at`` if nothing does."""
    body = lines[at].body
    if not body or body[0] not in KEPT_BEGINS:
        return at
    for opening, closing in _ENCLOSED:
        if match := opening.match(body):
            return _behind(lines, at, end, closing.format(*match.groups()))
    closing_tag = _html_block_end(body)
    if closing_tag is not None:
        return _html_end(lines, at, end, closing_tag)
    if _SIGNATURE.match(body):
        return _signature_end(lines, at, end)
    if body.startswith("--") and at + 1 < end and _PART.match(lines[at + 1].body):
        return next((index for index in range(at, end) if lines[index].is_blank), end)
    if _DIFF.match(body) and _is_diff(lines, at, end):
        return _diff_end(lines, at, end)
    return at


def begins_kept(body: str) -> bool:
    """Return whether a line could begin something that is kept as a whole."""
    patterns = (*(opening for opening, _ in _ENCLOSED), _SIGNATURE, _DIFF)
    return any(pattern.match(body) for pattern in patterns) or _html_block_end(body) is not None


def _behind(lines: Sequence[Line], at: int, end: int, pattern: str) -> int:
    """Return the index after the next line that matches ``pattern``, or ``end``."""
    closing = re.compile(pattern)
    return next((index + 1 for index in range(at + 1, end) if closing.match(lines[index].body)), end)


def _html_block_end(body: str) -> str | None:
    """Return what ends the block of HTML that a line begins, "" for a blank line; None if it begins none."""
    if "<" not in body[:4]:
        return None
    if raw := _RAW_BLOCK.match(body):
        return f"</{raw['name'].lower()}>" if raw["name"] else _CLOSINGS[raw["sign"].lower()]
    return "" if _BLOCK.match(body) else None


def _html_end(lines: Sequence[Line], at: int, end: int, closing: str) -> int:
    """Return the end of an HTML block: after the line with ``closing``, or if that is "", at a blank line."""
    if closing:
        return next((index + 1 for index in range(at, end) if closing in lines[index].body.lower()), end)
    marks = marks_of(lines[at].quote)
    for index in range(at, end):
        if lines[index].is_blank or marks_of(lines[index].quote) != marks:
            return index
    return end


def _signature_end(lines: Sequence[Line], at: int, end: int) -> int:
    """Return the end of a signature: where the quote depth changes, or ``end``.

    Return ``at`` if what follows a "--" without its trailing blank is too long for a signature.
    """
    marks = marks_of(lines[at].quote)
    most = at + _LONGEST_SIGNATURE + 1 if lines[at].body == "--" else end
    for index in range(at, min(end, most)):
        if marks_of(lines[index].quote) != marks:
            return index
    return end if most >= end else at


def _is_diff(lines: Sequence[Line], at: int, end: int) -> bool:
    """Return whether a line that looks like the first of a diff is one, as the next line may show."""
    if lines[at].body.startswith(("diff ", "@@ ")):
        return True
    return at + 1 < end and _DIFF_SECOND.match(lines[at + 1].body) is not None


def _diff_end(lines: Sequence[Line], at: int, end: int) -> int:
    index = at
    while index < end and not _SIGNATURE.match(lines[index].body):
        line = lines[index]
        goes_on = index + 1 < end and _DIFF_GOES_ON.match(lines[index + 1].body)
        if not _DIFF_GOES_ON.match(line.body) and not (line.is_blank and goes_on):
            break
        index += 1
    return index


def is_kept_whole(lines: Sequence[Line]) -> bool:
    """Return whether a run of lines is code, a table, HTML or a list of fields."""
    bodies = [line.body for line in lines]
    if bodies[0][0] in " \t" and all(len(line.indent.expandtabs()) >= _CODE_INDENT for line in lines):
        return True
    if _SESSION.match(bodies[0]) or _LONE_TAG.match("\n".join(bodies)) or _are_tags(bodies):
        return True
    return _is_table(bodies) or _is_code(bodies) or _is_fields(bodies)


def _are_tags(bodies: Sequence[str]) -> bool:
    """Return whether lines are HTML, XML or a chat: half of them or more begin with a tag."""
    count = sum("<" in body and _TAG_FIRST.match(body) is not None for body in bodies)
    return count > 1 and 2 * count >= len(bodies)


def has_markup(text: str) -> bool:
    """Return whether a paragraph has links or code of Markdown, or tags of HTML, in it.

    >>> has_markup("see [it](http://a.example/)"), has_markup("see `it' at <http://a.example/>")
    (True, False)
    """
    return ("`" in text or "](" in text or "<" in text) and _MARKUP.search(text) is not None


def _is_table(bodies: list[str]) -> bool:
    """Return whether any line has columns, or separates the head of a table from its rows."""
    text = "\n".join(bodies)
    if _SEPARATED.match(text) and _has_fields(bodies):
        return True
    if "  " not in text and "\t" not in text and "|" not in text:
        return False
    if any(_TABLE.search(body) or ("|" in text and _DELIMITERS.match(body)) for body in bodies):
        return True
    return _has_two_columns(bodies)


def _has_fields(bodies: Sequence[str]) -> bool:
    """Return whether all lines have as many fields, three or more, with a comma or semicolon between them."""
    if len(bodies) < 2:
        return False
    counts = {len(_SEPARATOR.findall(body)) for body in bodies}
    return len(counts) == 1 and counts.pop() >= 2


def _has_two_columns(bodies: Sequence[str]) -> bool:
    """Return whether all lines have two columns: by a bar, after a key of one word, or at the same place.

    The first line may introduce them, with a colon at its end. In justified text, too, there are two
    blanks between some words, but not at the same place of all lines.
    """
    rows = bodies[1:] if len(bodies) > 2 and bodies[0].rstrip().endswith(":") else bodies
    if len(rows) < 2 or any(map(item_mark, rows)):
        return False
    if all(_BAR in row for row in rows):
        return True
    keys = [match and match[1] for match in map(_KEY.match, rows)]
    if all(keys):
        return len(set(keys)) > 1  # the same word on all lines is a comment sign
    columns = {match.end() for match in _GAP.finditer(rows[0])}
    for row in rows[1:]:
        columns = {at for at in columns if at < len(row) and row[at - 2 : at] == "  " and row[at] != " "}
    # In a hanging paragraph, all lines but the first have only the indent there.
    return bool(columns) and any(len(row) - len(row.lstrip()) < max(columns) for row in rows[1:])


def _is_code(bodies: list[str]) -> bool:
    """Return whether lines end like those of a program, or are a comment in one."""
    if _C_COMMENT.match(bodies[0]) or _C_COMMENT.match(bodies[-1]):
        return True
    count = sum(body.rstrip().endswith(("{", "}", ";", "*/")) for body in bodies)
    return count > 1 and 2 * count >= len(bodies)


def _is_fields(bodies: list[str]) -> bool:
    """Return whether each line is a field or continues one; a single line must be a trailer."""
    if not _FIELD.match(bodies[0]):
        return False
    if len(bodies) == 1:
        return _TRAILER.match(bodies[0]) is not None
    fields = [body for body in bodies if _FIELD.match(body)]
    goes_on = [body for body in bodies if body[:1] in (" ", "\t")]
    return len(fields) > 1 and len(fields) + len(goes_on) == len(bodies)


def is_fixed_line(body: str) -> bool:
    """Return whether a line is not joined with others.

    It is a rule, a reference, a heading or a prompt, has a control character, or begins with a time, with
    three backquotes, or with a name as a quote mark.
    """
    if not body.isprintable() and _CONTROL.search(body):
        return True
    if body[0].isalpha() or body.lstrip()[:1].isalpha():
        is_own = (body[0] in "dlcbpst" and _PROMPT.match(body) is not None) or bool(_STAMP.match(body))
    else:
        is_own = is_rule(body) or any(line.match(body) for line in _LINES_APART)
    return is_own or named_mark(body) != ""


def is_prose(bodies: Sequence[str]) -> bool:
    """Return True if lines are clearly a paragraph of words, without marks or indents of any kind.

    This is a quick check, which is enough for most paragraphs. If it is False, lines may still be one.
    """
    text = "\n".join(bodies)
    if "   " in text or "\t" in text or "|" in text or not " ".join(bodies).isprintable():
        return False
    if ("  " in text and _has_two_columns(bodies)) or (_SEPARATED.match(text) and _has_fields(bodies)):
        return False
    is_own = _NO_PROSE.search(text) or _FIELD.match(text) or _TRAILER.match(text)
    return not is_own and not has_markup(text)


def is_displayed_url(body: str) -> bool:
    """Return whether a line holds only a URL in brackets or quotes, and punctuation after it."""
    return _DISPLAYED.match(body) is not None


def is_signature(body: str) -> bool:
    """Return whether a line is the "--" before a signature, with or without its trailing blank."""
    return _SIGNATURE.match(body) is not None


def is_rule(body: str) -> bool:
    """Return whether a line is a rule, drawn with one character, with or without words in it."""
    if _RULE.match(body):
        return True
    return _TITLED_RULE.match(body) is not None and not _DELIMITERS.match(body)
