"""The targets that URLs are printed for, and how each of them writes a URL.

Some targets are read as they are printed, so `format_url` breaks their lines. The others
are filled by a program of their own (TeX, a browser, troff), which chooses the width;
URLs for these have marks where they may be broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Literal, NamedTuple

from urlextract.grammar.patterns import lazy_re

Target = Literal["mail", "latex", "html", "man", "rst", "markdown", "plain"]
"""What a URL is printed for: see `format_url`."""

Wrapper = Literal["auto", "URL:", "<>", None]
"""The brackets that a URL is printed in: see `format_url`.

"URL:" is ``<URL:...>`` (RFC 1738, appendix), "<>" is ``<...>`` (RFC 3986, appendix C), None is no
brackets, and "auto" is the wrapper that the target has by default.
"""

_Brackets = dict[str | None, tuple[str, str]]
"""The text before and after a URL, for each wrapper."""

_BRACKETS: _Brackets = {"URL:": ("<URL:", ">"), "<>": ("<", ">"), None: ("", "")}
# Links of these two languages need brackets, which the rendered text does not have. Those of "URL:"
# come before and after the link, so that the rendered text has them.
_RST: _Brackets = {"URL:": ("<URL:`<", ">`__>"), "<>": ("`<", ">`__")}
_MARKDOWN: _Brackets = {"URL:": (r"\<URL:", r"\>"), "<>": ("", "")}
_FILLED_ELSEWHERE = ("width", "prefix", "indent")


class TargetRules(NamedTuple):
    """How URLs are written for a target, and its ``column`` in the table of breaks.

    ``wrapper`` is the default one, and ``brackets`` are what each wrapper is written as.
    ``unused`` are arguments of `format_url` that could change nothing. ``delimits`` is true if
    the language marks the end of a link, so that a URL may have any character that can be
    seen; ``escaped`` returns it as it is then written. ``refused`` matches what a link cannot
    have even so. ``write`` returns one line made of the pieces between breaks.
    """

    column: str | None
    wrapper: Wrapper
    brackets: _Brackets = _BRACKETS
    unused: tuple[str, ...] = ()
    delimits: bool = False
    escaped: Callable[[str], str] = str
    refused: re.Pattern[str] | None = None
    write: Callable[[str, Sequence[str], Sequence[int], tuple[str, str]], str] | None = None

    def pair(self, wrapper: Wrapper) -> tuple[str, str]:
        """Return the text before and after a URL."""
        return self.brackets[self.wrapper if wrapper == "auto" else wrapper]


# LaTeX: TeX breaks a line at a penalty; 10,000 forbids it. For text to be copied from a page, each
# sign must be a character: "\_" in LaTeX's default encoding is a drawn line.
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\char95{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "'": r"\textquotesingle{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "-": r"\mbox{-}", ",": "{,}", "`": r"\textasciigrave{}",
    '"': r"\char34{}", "|": r"\textbar{}",
}  # fmt: skip
# In the argument of "\href", hyperref expands these. Braces must be balanced there, so they have names,
# which LaTeX itself defines.
_TEX_TARGET = str.maketrans({
    "%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_", "~": r"\~", "\\": r"\\",
    "{": r"\csname @charlb\endcsname ", "}": r"\csname @charrb\endcsname ",
})  # fmt: skip
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


# What browsers read as "/": a backslash before the query and the fragment, in the schemes that the URL
# standard (WHATWG) calls special.
_READ_AS_SLASH = lazy_re(r"(?i)(?:https?|wss?|ftp|file):[^\\?#]*(\\)")

# man, for groff and mandoc: groff_char(7). A line may end at "\:"; mandoc does not break there.
_ROFF = str.maketrans({
    "-": r"\-", "~": r"\(ti", "^": r"\(ha", "'": r"\(aq", "`": r"\(ga", "\\": r"\e", '"': r"\(dq",
})  # fmt: skip


def _man(url: str, pieces: Sequence[str], costs: Sequence[int], brackets: tuple[str, str]) -> str:
    r"""Return the lines of a link (groff_man(7)), or words of running text if there are brackets.

    Words are hyphenated, unless each piece begins with "\%"; in a link there is no hyphenation.
    """
    del url, costs
    separator = r"\:\%" if brackets[0] else r"\:"
    line = separator.join(piece.translate(_ROFF) for piece in pieces)
    return rf"\%{brackets[0]}{line}{brackets[1]}" if brackets[0] else f".UR {line}\n.UE"


# CommonMark, section 6.5: an autolink has a scheme of 2 to 32 characters, and no angle brackets. In the
# target of a link, and with some parsers in an autolink, "&name;" is a character (section 2.5).
_AUTOLINK = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:(?!.*&#?\w{1,40};)[^<>]*\Z")
_ESCAPED_IN_LINK = str.maketrans({char: f"\\{char}" for char in r"\`*_[]<>!&~|"})
_DESTINATION = str.maketrans({**{char: f"\\{char}" for char in r"\<>"}, "&": "&amp;"})


def _markdown(url: str, pieces: Sequence[str], costs: Sequence[int], brackets: tuple[str, str]) -> str:
    del pieces, costs
    is_autolink = _AUTOLINK.match(url)
    link = (
        f"<{url}>" if is_autolink else f"[{url.translate(_ESCAPED_IN_LINK)}](<{url.translate(_DESTINATION)}>)"
    )
    return f"{brackets[0]}{link}{brackets[1]}"


# reST: a target in brackets that ends in "_" is the name of another target, unless docutils reads it as a
# URI, which is what this pattern says of plain ones.
_RST_MARKS = str.maketrans({char: f"\\{char}" for char in r"\`<>"})
_PART = r"[A-Za-z0-9_.!~*'()\[\];/:@&=+$,%-]*[A-Za-z0-9_~*/=+]"
_URI_OF_RST = lazy_re(rf"[A-Za-z][A-Za-z0-9.+-]*+://{_PART}(?:\?{_PART})?(?:\#{_PART})?\Z")


# docutils drops such a backslash, however it is written.
_DROPPED = lazy_re(r"(?s).*(\\)_\Z")


def _rst_escaped(url: str) -> str:
    text = url.translate(_RST_MARKS)
    return rf"{text[:-1]}\_" if url.endswith("_") and not _URI_OF_RST.match(url) else text


TARGETS: dict[str, TargetRules] = {
    "mail": TargetRules("mail", "URL:"),
    "plain": TargetRules("print", "URL:"),
    # The indent of a paragraph's line means something in reST, white space in a target does not.
    "rst": TargetRules(
        "mail",
        "<>",
        brackets=_RST,
        unused=("indent",),
        delimits=True,
        escaped=_rst_escaped,
        refused=_DROPPED,
    ),
    "latex": TargetRules("print", None, unused=_FILLED_ELSEWHERE, delimits=True, write=_latex),
    "html": TargetRules(
        "print", None, unused=_FILLED_ELSEWHERE, delimits=True, refused=_READ_AS_SLASH, write=_html
    ),
    "man": TargetRules("print", None, unused=_FILLED_ELSEWHERE, delimits=True, write=_man),
    # CommonMark allows no line end in a link.
    "markdown": TargetRules(
        None, "<>", brackets=_MARKDOWN, unused=_FILLED_ELSEWHERE, delimits=True, write=_markdown
    ),
}
"""The targets, by name."""
