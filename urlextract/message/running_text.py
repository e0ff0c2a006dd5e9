"""Convert texts of special formats to running text: folded, flowed, with cells or references.

Other formats are read unchanged, JSON, too, whose escapes the scanner knows.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterable, Iterator

from urlextract.grammar.marks import QUOTE_MARK
from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import codec_of
from urlextract.message.entities import character_of

_LONGEST_LINE = 1 << 16  # characters of a line that is held
_QUOTE = lazy_re(r">*")
_OPENED = lazy_re(r"<(?i:URL:)?[A-Za-z][A-Za-z0-9+.-]{1,20}:[^>]*+\Z")
# What a URL goes on after, whatever the next word is: a hyphen, its scheme, the bracket or quote around it
_SPLIT = lazy_re(r"\S*://(?:\S*-)?\Z|\S*[(\[{\"][A-Za-z][A-Za-z0-9+.-]{1,20}://[^()\[\]{}\"<>\s]++\Z")
_MARK = lazy_re(rf"[A-Za-z]{{0,10}}>|(?:{QUOTE_MARK}|#)(?= )")


def unflow(text: str, *, delsp: bool = False) -> str:
    r"""Join flowed lines; with ``delsp`` the blank at each break is removed, too.

    >>> unflow("> see the \n> page\n From here\n-- \nme\n")
    '> see the page\nFrom here\n-- \nme\n'
    >>> unflow("http://a.example/ \nb\n", delsp=True)
    'http://a.example/b\n'
    """
    return "".join(unflowed((text,), delsp=delsp))


def unflowed(pieces: Iterable[str], *, delsp: bool) -> Iterator[str]:
    r"""Join the flowed lines of a text in pieces (RFC 3676).

    A blank line ends a paragraph and is kept, also after a line that flows: there a
    person typed the blank at the end. A line with a quote prefix in its text ends a paragraph, too:
    programs that write "> > " do not flow lines. A break within a URL in brackets or quotes, after its scheme
    or after a hyphen stays a line end: the program broke the line there and put the blank.

    >>> "".join(unflowed(["see \n<http://a.example/? \nb=c> \nnow\n"], delsp=False))
    'see <http://a.example/?\nb=c> now\n'
    """
    first: str | None = None  # the first line of the paragraph that goes on, None if none does
    depth, end = 0, ""  # those of the line before: its quote depth and its line end
    is_open = is_split = False  # whether a bracket is open, and whether the URL is split at its end
    for lines, is_cut in _lines(pieces):
        joined: list[str] = []
        for line in lines:
            before, end = end, "\n"
            if first is None and not line.endswith(" "):
                joined.append(before + line.removeprefix(" "))
                continue
            # Sections 4.4 and 4.5: a quote prefix, with the stuffed blank, and the text.
            quote = _QUOTE.match(line)
            old_depth, depth = depth, quote.end() if quote else 0
            content = line[depth:].removeprefix(" ")
            flows = content.endswith(" ") and content != "-- "  # sections 4.1 and 4.3
            shown = content[:-1] if delsp and flows else content
            is_same = first is not None and depth == old_depth and content not in ("", "-- ")
            prefix = line[: len(line) - len(content)] if depth else ""
            if not is_same or _is_quoted(content, first or ""):
                is_open, first, shown = False, shown, before + prefix + shown
            elif is_split:
                shown = before.lstrip(" ") + prefix + shown
            was_split, is_split = is_split, False
            if flows and not delsp:
                is_open, is_split = _is_url_open(content, is_open=is_open, was_split=was_split)
                if is_split:  # the blank is written before the next line, if that is of another paragraph
                    shown, end = shown[:-1], " \n"
            joined.append(shown)
            if not flows:
                first = None
        if is_cut:
            end = ""
        yield "".join(joined)


def _is_url_open(line: str, *, is_open: bool, was_split: bool) -> tuple[bool, bool]:
    """Return whether a bracket with a URL is open where a line ends, and whether a URL may be split there.

    ``is_open`` is true if one is open where it begins, ``was_split`` if a URL may go on there.
    """
    word = (line.rsplit(None, 1)[-1:] or [""])[0]
    bracket = word.rfind("<")
    if bracket >= 0:
        is_open = _OPENED.match(word, bracket) is not None
        return is_open, is_open
    is_alone = len(line.split(None, 1)) == 1
    is_open = is_open and ">" not in word and is_alone
    goes_on = was_split and is_alone and word.endswith("-")
    return is_open, is_open or goes_on or _SPLIT.match(word) is not None


def _lines(pieces: Iterable[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield the lines of each piece, without their ends, and whether the last one, if very long, was cut."""
    pending = ""
    for piece in pieces:
        *lines, pending = (pending + piece).split("\n")
        is_cut = len(pending) > _LONGEST_LINE
        if is_cut:
            lines.append(pending)
            pending = ""
        yield lines, is_cut
    yield [pending], False


def _is_quoted(content: str, first: str) -> bool:
    """Return whether a line's text begins with a quote prefix that is unknown to RFC 3676.

    A prefix other than ">" counts only if the text of the ``first`` line begins with it, too.
    """
    mark = _MARK.match(content)
    return mark is not None and (content[0] == ">" or first.startswith(mark.group()))


# RFC 5545, section 3.1, and RFC 6350, section 3.2: a line continues after a line end and a blank.
_FOLD = lazy_re(r"\n[ \t]")
_ESCAPED = lazy_re(r"\\([\\,;:nN])")  # RFC 5545, section 3.3.11; the colon is RFC 2426's
# vCard 2.1, section 2.1.3: a property may be quoted-printable, which breaks its lines in its own way.
_QUOTED = lazy_re(
    r"^([^\n:]{1,200};(?:ENCODING=)?QUOTED-PRINTABLE(?:;[^\n:]{0,200})?:)((?>(?:[^\n]*=\n)*)[^\n]*)",
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


Running = Callable[[str, str], str]
"""Makes running text of a text, or of a piece of one; the second argument is the beginning of the text."""


def unfolded_properties(text: str, _: str) -> str:
    """Return the properties of a calendar or a vCard, unfolded; a property ends at its line."""
    text = _FOLD.sub("", _QUOTED.sub(_unquoted, text)).replace("\n", " \n")
    return _OF_HTML.sub(_without_references, _ESCAPED.sub(_unescaped, text))


def without_cells(text: str, beginning: str) -> str:
    """Return a table with tabs between its cells; the first line shows what is between them."""
    first = beginning.partition("\n")[0]
    cells = _COMMA if first.count(",") >= first.count(";") else _SEMICOLON
    return cells.sub(lambda sign: sign[0] if len(sign[0]) > 1 else "\t", text)


def without_references(text: str, _: str) -> str:
    """Return a text of XML with characters in place of references."""
    return _REFERENCE.sub(_character, text).replace("&amp;", "&")


def in_lines(pieces: Iterable[str], *, folds: bool = False) -> Iterator[str]:
    r"""Cut a text at line ends, if it ``folds`` its lines, where no blank follows; a very long line is cut.

    >>> list(in_lines(["a\nb\n", " c", "\nd"], folds=True))
    ['a\n', 'b\n c\n', 'd']
    """
    pending = ""
    for piece in pieces:
        pending += piece
        end = len(pending)
        while (
            (end := pending.rfind("\n", 0, end)) >= 0
            and folds
            and pending[end + 1 : end + 2] in ("", " ", "\t")
        ):
            pass
        end += 1
        if not end and len(pending) > _LONGEST_LINE:  # not within a reference or a tag
            end = max(pending.rfind(" "), pending.rfind(">")) + 1 or len(pending)
        if end:
            yield pending[:end]
            pending = pending[end:]
    yield pending


def converted_pieces(pieces: Iterable[str], convert: Running) -> Iterator[str]:
    """Yield a text in pieces, converted; what goes on in the next piece is held."""
    beginning = held = ""
    for piece in in_lines(pieces, folds=convert is unfolded_properties):
        beginning = beginning or piece
        held += piece
        end = _finished_end(held, convert)
        if len(held) - end > _LONGEST_LINE:
            end = len(held)
        yield convert(held[:end], beginning)
        held = held[end:]
    yield convert(held, beginning)


def _finished_end(text: str, convert: Running) -> int:
    """Return where a quoted cell, or a property in quoted-printable, begins that goes on after ``text``."""
    end = len(text)
    if convert is without_cells:
        return text.rfind('"') if text.count('"') % 2 else end
    while convert is unfolded_properties and text.endswith("=\n", 0, end):
        end = text.rfind("\n", 0, end - 1) + 1
    return end


def _unquoted(quoted: re.Match[str]) -> str:
    """Return a decoded property as one line; white space in its value becomes single blanks."""
    charset = _CHARSET.search(quoted[1])
    data = binascii.a2b_qp(quoted[2].encode("utf-8", "surrogatepass"))
    value = data.decode(codec_of(charset[1] if charset else None) or "utf-8", "replace")
    return quoted[1] + " ".join(value.split())


def _unescaped(escape: re.Match[str]) -> str:
    return "\n" if escape[1] in "nN" else escape[1]


def _without_references(line: re.Match[str]) -> str:
    return _REFERENCE.sub(_character, line[0])


def _character(reference: re.Match[str]) -> str:
    """Return the character that a reference of XML stands for."""
    if reference[1]:
        return _NAMED[reference[1]]
    return character_of(int(reference[2]) if reference[2] else int(reference[3], 16))
