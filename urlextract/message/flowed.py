"""Unfold format=flowed text (RFC 3676): soft line breaks are taken out.

A line that ends with a blank flows into the next of the same quote depth. What
is joined keeps the quote prefix of its first line, so that a reader of the text
sees quoted lines as such.
"""

from __future__ import annotations

from typing import NamedTuple

from urlextract.grammar.patterns import later

__all__ = ["unflow"]

# A soft break: a blank before the line end, but not that of the signature's "-- ".
# Patterns begin with the line end, for which the engine leaps.
_SOFT_BREAK = later(r"\n(?<= \n)(?<!\n-- \n)(?!\Z)")
_STUFFED = later(r"\n(?= )")

_QUOTE = later(r">*")
_MARK = later(r"[A-Za-z]{0,10}>|[|#](?= )")


class _Line(NamedTuple):
    prefix: str
    depth: int
    content: str

    @property
    def flows(self) -> bool:
        """Say whether the line goes on (RFC 3676, sections 4.1 and 4.3)."""
        return self.content.endswith(" ") and self.content != "-- "


def unflow(text: str, *, delsp: bool = False) -> str:
    r"""Join what flows; with ``delsp`` the blank at the break goes too.

    >>> unflow("> see the \n> page\n From here\n-- \nme\n")
    '> see the page\nFrom here\n-- \nme\n'
    >>> unflow("http://a.example/ \nb\n", delsp=True)
    'http://a.example/b\n'
    """
    if _SOFT_BREAK.search(text):
        return "\n".join(_paragraphs(text.split("\n"), delsp=delsp))
    text = text.removeprefix(" ")
    return "\n".join(text.split("\n ")) if _STUFFED.search(text) else text  # "replace" searches twice


def _paragraphs(lines: list[str], *, delsp: bool) -> list[str]:
    """Give the lines with those that flow into each other joined.

    A blank line ends a paragraph and stays, also behind a line that flows: there
    the blank was typed by a person. So does a line with a quote prefix in its text: who
    writes "> > " flows nothing, and a reader of the text knows what to make of it.
    """
    joined: list[str] = []
    pieces: list[str] = []
    depth = 0
    for raw in lines:
        if not pieces and not raw.endswith(" "):
            joined.append(raw.removeprefix(" "))
            continue
        line = _read_line(raw)
        if pieces and (line.depth != depth or line.content in ("", "-- ") or _is_quoted(line, pieces[1])):
            joined.append("".join(pieces))
            pieces = []
        content = line.content[:-1] if delsp and line.flows else line.content
        pieces += (content,) if pieces else (line.prefix, content)
        depth = line.depth
        if not line.flows:
            joined.append("".join(pieces))
            pieces = []
    if pieces:
        joined.append("".join(pieces))
    return joined


def _is_quoted(line: _Line, first: str) -> bool:
    """Say whether the text of a line begins with a prefix that RFC 3676 does not know, as ``first`` does."""
    mark = _MARK.match(line.content)
    return mark is not None and (line.content[0] == ">" or first.startswith(mark.group()))


def _read_line(line: str) -> _Line:
    """Take the quote prefix off, then the stuffed blank (RFC 3676, sections 4.4 and 4.5)."""
    quote = _QUOTE.match(line)
    depth = quote.end() if quote else 0
    content = line[depth:]
    stuffing = " " if content.startswith(" ") else ""
    prefix = line[:depth] + stuffing if depth else ""
    return _Line(prefix, depth, content[len(stuffing) :])
