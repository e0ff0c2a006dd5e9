"""Parts of messages whose lines flow already (RFC 3676), filled to another width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.formatter.texts.blocks import Block
from urlextract.formatter.texts.breakers import flowed_breaker
from urlextract.formatter.texts.checking import has_same_urls
from urlextract.formatter.texts.filling import filled
from urlextract.formatter.texts.flowing import fixed_line, flowed_lines
from urlextract.formatter.texts.parts import flowed_bodies_of, with_bodies
from urlextract.grammar.cells import cells_of
from urlextract.grammar.patterns import later
from urlextract.message.flowed import unflow

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["reflowed"]

_MARKS = later(r"(>*) ?")
_IS_LAID_OUT = later(r"[ \t]|.*(?:\t|  )")


def reflowed(text: str, width: int) -> str:
    """Fill the parts of a message that say ``format=flowed; delsp=yes``; all else stays byte for byte."""
    lines = text.split("\n")
    bodies = flowed_bodies_of([line.rstrip("\r") for line in lines])
    result = "\n".join(with_bodies(lines, bodies, lambda start, end: _body(lines[start:end], width)))
    return result if has_same_urls(text, result, "flowed") else text


def _body(body: list[str], width: int) -> list[str]:
    if any(line.startswith(" >") for line in body):  # stuffed: joined, it would be taken for a quotation
        return body
    carriage = "\r" if body[0].endswith("\r") else ""
    last = "\r" if body[-1].endswith("\r") else ""
    whole = unflow("\n".join(line.removesuffix("\r") for line in body), delsp=True).split("\n")
    again = [new for line in whole for new in _flowed(line, width)]
    return [*(line + carriage for line in again[:-1]), again[-1] + last]


def _flowed(line: str, width: int) -> Iterator[str]:
    """Give a paragraph, which is one line, in lines that flow; as one line if it fits, or is laid out."""
    match = _MARKS.match(line)
    quote = match[1] if match else ""
    body = line[match.end() :] if match and quote else line
    if cells_of(line) <= width or _IS_LAID_OUT.match(body):
        yield fixed_line(line)
        return
    room = width - len(quote) - 3  # the blank behind the marks, and the two that join lines
    block = Block(0, 1, True, f"{quote} " if quote else "", words=(body,))
    yield from flowed_lines(block, filled(body, room, room, flowed_breaker))
