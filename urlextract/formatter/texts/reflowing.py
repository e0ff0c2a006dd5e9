"""Lines that flow (RFC 3676), and breaking the URLs in filled lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from urlextract.errors import UrlExtractError, WidthError
from urlextract.formatter.layout import Frame, line_ends, pieces_of
from urlextract.formatter.opportunities import opportunities
from urlextract.formatter.printable import printable_url
from urlextract.formatter.texts.blocks import Block
from urlextract.formatter.texts.checking import unflowed
from urlextract.formatter.texts.filling import Filled, filled
from urlextract.formatter.texts.mending import urls_of
from urlextract.formatter.texts.quotes import marks_of
from urlextract.grammar.cells import cells_of
from urlextract.grammar.patterns import lazy_re
from urlextract.message.running_text import unflow
from urlextract.pipeline.entry import extract
from urlextract.records import Form
from urlextract.results import Found

_SIGNATURE = lazy_re(r"(?:>+ ?)?-- \Z")


def flowed_lines(block: Block, lines: Sequence[Filled]) -> list[str]:
    """Return the lines of a paragraph, each but the last ending in a blank that joins it to the next.

    RFC 3676, section 4.2: the blank is deleted (DelSp), so a blank between words comes before it.
    A paragraph whose lines begin with marks other than ">" does not flow.
    """
    if not flows(block):
        leads = [block.first, *([block.rest] * (len(lines) - 1))]
        return [fixed_line(block.quote + lead + line.text) for lead, line in zip(leads, lines, strict=True)]
    marks = marks_of(block.quote)
    texts = [f"{line.text}{' ' if line.is_inside else '  '}" for line in lines[:-1]]
    texts.append(lines[-1].text)
    texts[0] = block.first + texts[0]
    return [f"{marks} {text}" if marks else _stuffed(text) for text in texts]


def flows(block: Block) -> bool:
    """Return whether the lines of a paragraph begin with no marks but ">", as RFC 3676 requires."""
    return not set(marks_of(block.quote)) - {">"} and not block.rest.strip()


def fixed_line(line: str) -> str:
    """Return a line that does not flow: without blanks at its end, and stuffed (section 4.4)."""
    body = line.rstrip("\r")
    carriage = line[len(body) :]
    fixed = body if _SIGNATURE.match(body) else body.rstrip(" \r")
    return (fixed if body.startswith(">") else _stuffed(fixed)) + carriage


def blank_kept_line(line: str) -> str:
    """Return a line that flows if it ended in a blank, so that a reader sees that blank (DelSp).

    Without it, the URL at its end might go on in the next line.
    """
    body = line.rstrip("\r")
    fixed = fixed_line(body)
    return (
        fixed + ("  " if fixed and not fixed.endswith(" ") and body.endswith(" ") else "") + line[len(body) :]
    )


def _stuffed(line: str) -> str:
    return f" {line}" if line.startswith((" ", "From ")) else line


_INDENT = " "
_PIECE = 1_000  # characters
_LONGEST_HEAD = 200  # characters before a URL in its word


# Signs that a text is Markdown: a link or an image, a fence, or a heading
_MARKDOWN = lazy_re(r"\]\([^\s()]*+\)|^[ ]{0,3}(?:```|~~~|#{1,6} \S[^\n]*+\n[ \t]*+$)", re.MULTILINE)


def is_markdown(text: str) -> bool:
    """Return whether a text has signs of Markdown."""
    return _MARKDOWN.search(text) is not None


def breaker_in_brackets(word: str, used: int, room: int) -> list[str] | None:
    """Return what `wrapping_breaker` does, but None for what is not in ``<URL:...>`` already.

    Markdown does not know these brackets: in them, a bare URL or an autolink would be a link no more.
    """
    return wrapping_breaker(word, used, room) if "<URL:" in word.upper() else None


def wrapping_breaker(word: str, used: int, room: int) -> list[str] | None:
    """Return the lines of ``word`` with its URL broken in brackets, or None if it cannot be broken.

    ``used`` cells of the first line are taken, and each line has ``room`` cells.

    >>> wrapping_breaker("(http://www.example.org/abc/def),", 0, 30)
    ['(<URL:http://www.example.org/', ' abc/def>),']
    """
    found = _only_url(word)
    if found is None or found.form is Form.ABBREVIATED:
        return None
    opening, closing = word[: found.start], word[found.end :]
    if found.form is Form.QUOTED:  # a full stop may come before the closing quote
        at = word.index(found.url, found.start)
        opening, closing = word[:at], word[at + len(found.url) :]
    if opening.endswith("<") and closing.startswith(">"):  # brackets that are too long for a reader
        opening, closing = opening[:-1], closing[1:]
    opening, closing = f"{opening}<URL:", f">{closing}"
    frame = Frame(room, used + cells_of(opening), len(_INDENT), cells_of(closing))
    ends = _ends(found.url, frame, used)
    if not ends:
        return None
    pieces = pieces_of(found.url, ends)
    lines = [opening + pieces[0], *(_INDENT + piece for piece in pieces[1:])]
    lines[-1] += closing
    return lines


def flowed_breaker(word: str, used: int, room: int) -> list[str] | None:
    """Return the lines of ``word`` with its URL broken, or None; in lines that flow it needs no brackets.

    >>> flowed_breaker("<http://www.example.org/abc/def>,", 4, 30)
    ['<http://www.example.org/', 'abc/def>,']
    """
    found = _only_url(word)
    if found is None:
        return None
    at = word.index(found.url)
    behind = cells_of(word[at + len(found.url) :])
    ends = _ends(found.url, Frame(room, used + cells_of(word[:at]), 0, behind), used)
    if not ends:
        return None
    return pieces_of(word, [*(at + end for end in ends[:-1]), len(word)])


def _only_url(word: str) -> Found | None:
    """Return the first URL of a word, or None if it cannot be printed as it is written there."""
    found = next(extract(_pieces(word)), None)
    if found is None or found.start > _LONGEST_HEAD or found.url not in word:
        return None
    try:
        return found if printable_url(found.url, "unicode", encode=True) == found.url else None
    except UrlExtractError:
        return None


def _pieces(word: str) -> Iterator[str]:
    """Yield the word in pieces, so that the text after its first URL need not be read."""
    return (word[start : start + _PIECE] for start in range(0, len(word), _PIECE))


def _ends(url: str, frame: Frame, used: int) -> list[int] | None:
    """Return where the lines of ``url`` end, or None if it does not fit or needs a line of its own.

    After ``used`` cells of other text, the first line must hold the whole host.
    """
    found = opportunities(url, "mail")
    try:
        ends = line_ends(url, found, frame)
    except WidthError:
        return None
    return None if used and ends[0] < found.path else ends


_MARKS = lazy_re(r"(>*) ?")
_IS_LAID_OUT = lazy_re(r"[ \t]|.*(?:\t|  )")


def reflowed(text: str, width: int) -> str:
    """Return a body with ``format=flowed; delsp=yes`` filled."""
    result = "\n".join(_body(text.split("\n"), width))
    return result if urls_of(unflowed(text)) == urls_of(unflowed(result)) else text


def _body(body: list[str], width: int) -> list[str]:
    if any(line.startswith(" >") for line in body):  # stuffed: joined, it would be taken for a quotation
        return body
    carriage = "\r" if body[0].endswith("\r") else ""
    last = "\r" if body[-1].endswith("\r") else ""
    whole = unflow("\n".join(line.removesuffix("\r") for line in body), delsp=True).split("\n")
    again = [new for line in whole for new in _flowed(line, width)]
    return [*(line + carriage for line in again[:-1]), again[-1] + last]


def _flowed(line: str, width: int) -> Iterator[str]:
    """Yield a paragraph, which is one line, as lines that flow; as one line if it fits or is aligned."""
    match = _MARKS.match(line)
    quote = match[1] if match else ""
    body = line[match.end() :] if match and quote else line
    if cells_of(line) <= width or _IS_LAID_OUT.match(body):
        yield fixed_line(line)
        return
    room = width - len(quote) - 3  # the blank after the marks, and the two that join lines
    block = Block(0, 1, True, f"{quote} " if quote else "", words=(body,))
    yield from flowed_lines(block, filled(body, room, room, flowed_breaker, keeps_markup=False))
