"""Lines of format=flowed text (RFC 3676), with DelSp: the inverse of how messages are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.formatter.texts.quotes import marks_of
from urlextract.grammar.patterns import later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlextract.formatter.texts.blocks import Block
    from urlextract.formatter.texts.filling import Filled

__all__ = ["fixed_line", "flowed_lines", "flows"]

_SIGNATURE = later(r"(?:>+ ?)?-- \Z")


def flowed_lines(block: Block, lines: Sequence[Filled]) -> list[str]:
    """Give the lines of a paragraph, each but the last ending in a blank that joins it to the next.

    RFC 3676, section 4.2: the blank is deleted (DelSp), so one between words stands before it.
    What other marks than ">" quote, or begins each line, does not flow.
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
    """Say whether a paragraph's lines begin with nothing but the marks that RFC 3676 has."""
    return not set(marks_of(block.quote)) - {">"} and not block.rest.strip()


def fixed_line(line: str) -> str:
    """Give a line that does not flow: without blanks at its end, and stuffed (section 4.4)."""
    body = line.rstrip("\r")
    carriage = line[len(body) :]
    fixed = body if _SIGNATURE.match(body) else body.rstrip(" \r")
    return (fixed if body.startswith(">") else _stuffed(fixed)) + carriage


def _stuffed(line: str) -> str:
    return f" {line}" if line.startswith((" ", "From ")) else line
