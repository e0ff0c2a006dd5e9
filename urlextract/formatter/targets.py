"""The targets that URLs are printed for, and how each of them writes a URL.

Some targets are read as they are printed, so `format_url` breaks their lines. The others
are filled by a program of their own (TeX, a browser, troff), which chooses the width;
URLs for these have marks where they may be broken.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Literal, NamedTuple

from urlextract.grammar.patterns import lazy_re

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["TARGETS", "Target", "TargetName", "Wrapper", "brackets_of"]

TargetName = Literal["mail", "flowed", "latex", "html", "man", "rst", "markdown", "plain"]
"""What a URL is printed for."""

Wrapper = Literal["URL:", "<>"]
"""What a URL is printed in: ``<URL:...>`` of RFC 1738, or ``<...>`` of RFC 3986."""

_BRACKETS: dict[str | None, tuple[str, str]] = {"URL:": ("<URL:", ">"), "<>": ("<", ">"), None: ("", "")}


class Target(NamedTuple):
    """A target: its ``column`` in the table of breaks, and how URLs are written for it.

    ``brackets`` are the target's own, and replace any wrapper. ``ending`` is what a broken
    line ends with. ``keeps_margin`` is true if lines after the first may be indented.
    ``breaks_bare`` is true if broken lines are read back without a wrapper, too. ``refused``
    are characters that cannot be written in a link. ``write`` returns one line made of the
    pieces between breaks.
    """

    column: str | None
    brackets: tuple[str, str] | None = None
    ending: str = ""
    keeps_margin: bool = True
    breaks_bare: bool = False
    refused: str = ""
    write: Callable[[str, Sequence[str], Sequence[int], tuple[str, str]], str] | None = None


def brackets_of(target: Target, wrapper: Wrapper | None) -> tuple[str, str]:
    """Return the brackets before and after the URL."""
    if wrapper not in _BRACKETS:
        raise ValueError(f"wrapper: {wrapper!r} is not 'URL:', '<>' or None")
    return target.brackets or _BRACKETS[wrapper]


# LaTeX: TeX breaks a line at a penalty; 10,000 forbids it. For text to be copied from a page, each
# sign must be a character: "\_" in LaTeX's default encoding is a drawn line.
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\char95{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "'": r"\textquotesingle{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "-": r"\mbox{-}", ",": "{,}", "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}", "|": r"\textbar{}",
}  # fmt: skip
_TEX_TARGET = str.maketrans({"%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_", "~": r"\~"})
_TEX_TEXT = str.maketrans(_TEX)
_PENALTY = 100  # for each step of a break's cost


def _latex(url: str, pieces: Sequence[str], costs: Sequence[int], brackets: tuple[str, str]) -> str:
    shown = [piece.translate(_TEX_TEXT) for piece in (brackets[0], *pieces, brackets[1])]
    breaks = [r"\allowbreak{}" if not cost else rf"\penalty{cost * _PENALTY}{{}}" for cost in costs]
    first = rf"\mbox{{{shown[0]}{shown[1]}}}"  # TeX hyphenates the first word after a blank
    parts = [first, *(part for pair in zip(breaks, shown[2:-1], strict=True) for part in pair), shown[-1]]
    return rf"\href{{{url.translate(_TEX_TARGET)}}}{{\texttt{{{''.join(parts)}}}}}"


# HTML: browsers break after these signs, in the middle of a piece too.
_BROWSERS_BREAK = lazy_re(r"[^A-Za-z0-9._~:,=]")
_NO_WRAP = '<span style="white-space:nowrap">{}</span>'


def _html(url: str, pieces: Sequence[str], costs: Sequence[int], brackets: tuple[str, str]) -> str:
    del costs
    shown = list(pieces)
    shown[0] = brackets[0] + shown[0]
    shown[-1] += brackets[1]
    held = [_NO_WRAP.format(escape(text)) if _BROWSERS_BREAK.search(text) else text for text in shown]
    return f'<a href="{escape(url)}">{"<wbr>".join(held)}</a>'


# man, for groff and mandoc: groff_char(7). A line may end at "\:"; "\%" keeps groff from hyphenating
# the word after it, and a word begins after each "\:". mandoc breaks at neither.
_ROFF = str.maketrans({"-": r"\-", "~": r"\(ti", "^": r"\(ha", "'": r"\(aq", "`": r"\(ga", "\\": r"\e"})


def _man(url: str, pieces: Sequence[str], costs: Sequence[int], brackets: tuple[str, str]) -> str:
    del url, costs
    line = r"\:\%".join(piece.translate(_ROFF) for piece in pieces)
    return rf"\%{brackets[0]}{line}{brackets[1]}"


# CommonMark, section 6.5: an autolink has a scheme of 2 to 32 characters. In the target of a
# link, and with some parsers in an autolink, "&name;" is a character (section 2.5).
_AUTOLINK = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:(?!.*&#?\w{1,40};)")
_MARKS = lazy_re(r"([\\`*_\[\]<>!&~|])")


def _markdown(url: str, pieces: Sequence[str], costs: Sequence[int], brackets: tuple[str, str]) -> str:
    del pieces, costs, brackets
    if _AUTOLINK.match(url):
        return f"<{url}>"
    return f"[{_MARKS.sub(_escaped, url)}](<{url.replace(chr(92), chr(92) * 2).replace('&', '&amp;')}>)"


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match.group()


TARGETS: dict[str, Target] = {
    "mail": Target("mail"),
    "flowed": Target("mail", ending=" ", breaks_bare=True),
    "plain": Target("print"),
    # The indent of a paragraph's line means something in reST, white space in a target does not.
    "rst": Target("rst", brackets=("`<", ">`__"), keeps_margin=False, refused="\\`"),
    "latex": Target("latex", refused="\\{}", write=_latex),
    "html": Target("html", refused="\\", write=_html),  # browsers read it as "/"
    "man": Target("man", write=_man),
    # CommonMark allows no line end in a link.
    "markdown": Target(None, brackets=("<", ">"), write=_markdown),
}
"""The targets, by name."""
