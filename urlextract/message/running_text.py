"""Make running text of special formats: flowed, folded, with cells or references. Each takes one str.

Other formats are read unchanged, JSON, too, whose escapes the scanner knows.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable
from itertools import pairwise

from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import decode
from urlextract.message.entities import character_of

Running = Callable[[str, str], str]
"""Makes running text of a text, or of a window of one; the second argument is the text's beginning."""

# A bracket or quote with a URL in it that is open where a word ends.
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]{1,20}:"
_OPENED = lazy_re(rf"(?:<(?i:URL:)?{_SCHEME}|[(\[{{\"]{_SCHEME}//)[^()\[\]{{}}\"<>]*\Z")


def unflow(text: str, *, delsp: bool) -> str:
    r"""Join the lines of a flowed text (RFC 3676); with ``delsp`` the blank at each break is removed, too.

    A blank line ends a paragraph and is kept, also after a line that flows: there a person typed the blank.
    So does a line with a quote prefix in its text: programs that write "> > " do not flow lines.

    >>> unflow("> see \n> http://a.example/x- \n> y\n From here\n-- \nme\n", delsp=False)
    '> see http://a.example/x-\n> y\nFrom here\n-- \nme\n'
    """
    if " \n" not in text:  # no line flows, and a stuffed blank is all there may be
        return text.removeprefix(" ").replace("\n ", "\n")
    pieces: list[str] = []
    is_joined = False
    for line, following in pairwise([*text.split("\n"), ""]):
        # Sections 4.4 and 4.5: a quote prefix, perhaps a stuffed blank, and the text.
        depth = len(line) - len(line.lstrip(">")) if line[:1] == ">" else 0
        content = line[depth + (line[depth : depth + 1] == " ") :]
        shown = content if is_joined or not depth else line
        # Sections 4.1 and 4.3
        is_joined = content[-1:] == " " and content != "-- " and _goes_on(following, depth)
        if is_joined and (delsp or _is_split(content[:-1].rpartition(" ")[2])):
            shown, is_joined = shown[:-1], delsp
        pieces += (shown,) if is_joined else (shown, "\n")
    return "".join(pieces[:-1])  # the last line has no end


def _is_split(word: str) -> bool:
    """Return whether a flowed line ends within the URL that is its last word, where the program broke it.

    The URL is in an open bracket, or ends after its scheme or after a hyphen.
    """
    bracket = max(map(word.rfind, '<([{"'))
    is_open = bracket >= 0 and _OPENED.match(word, bracket) is not None
    return is_open or ("://" in word and word.endswith(("-", "://")))


def _goes_on(line: str, depth: int) -> bool:
    """Return whether a line goes on a paragraph of that quote depth."""
    content = line[depth:].removeprefix(" ")
    is_same = line[:depth] == ">" * depth and not line.startswith(">", depth)
    return is_same and content not in ("", "-- ") and not content.startswith(">")


# RFC 5545, section 3.1, and RFC 6350, section 3.2: a line continues after a line end and a blank.
_FOLD = lazy_re(r"\n[ \t]")
_ESCAPED = lazy_re(r"\\([\\,;:nN])")  # RFC 5545, section 3.3.11; the colon is RFC 2426's
# vCard 2.1, section 2.1.3: a property may be quoted-printable, which breaks its lines in its own way.
_QUOTED = lazy_re(
    r"^([^\n:]{1,200};(?:ENCODING=)?QUOTED-PRINTABLE(?:;[^\n:]{0,200})?:)((?s:.*?)(?:(?<!=)(?=\n)|\Z))",
    re.IGNORECASE | re.MULTILINE,
)
_CHARSET = lazy_re(r";CHARSET=\"?([\w.:-]{1,40})", re.IGNORECASE)
_OF_HTML = lazy_re(r"^X-ALT-DESC[;:][^\n]*+", re.MULTILINE)  # Outlook's description of an event

# RFC 4180: a comma, or a semicolon in its place, separates cells, except within quotes.
_COMMA = lazy_re(r'"[^"]*+"|,')
_SEMICOLON = lazy_re(r'"[^"]*+"|;')

# XML 1.0, section 4.6, and feeds, whose texts are HTML that was escaped once more.
_REFERENCE = lazy_re(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def unfolded_properties(text: str, _: str) -> str:
    """Return the properties of a calendar or a vCard, unfolded; a property ends at its line.

    No URL goes on over the two blanks after it.
    """
    text = _FOLD.sub("", _QUOTED.sub(_unquoted, text)).replace("\n", "  \n")
    text = _ESCAPED.sub(lambda escape: "\n" if escape[1] in "nN" else escape[1], text)
    return _OF_HTML.sub(lambda line: _REFERENCE.sub(_character, line[0]), text)


def _unquoted(quoted: re.Match[str]) -> str:
    """Return a decoded property as one line; white space in its value becomes single blanks."""
    charset = _CHARSET.search(quoted[1])
    data = binascii.a2b_qp(quoted[2].encode("utf-8", "surrogatepass"))
    return quoted[1] + " ".join(decode(data, charset[1] if charset else None)[0].split())


def without_cells(text: str, beginning: str) -> str:
    """Return a table with tabs between its cells; its first line shows what is between them."""
    first = beginning.partition("\n")[0]
    cells = _COMMA if first.count(",") >= first.count(";") else _SEMICOLON
    return cells.sub(lambda sign: sign[0] if len(sign[0]) > 1 else "\t", text)


def without_references(text: str, _: str) -> str:
    """Return a text of XML with characters in place of references."""
    return _REFERENCE.sub(_character, text).replace("&amp;", "&")


def _character(reference: re.Match[str]) -> str:
    """Return the character that a reference of XML stands for."""
    if reference[1]:
        return _NAMED[reference[1]]
    return character_of(int(reference[2]) if reference[2] else int(reference[3], 16))
