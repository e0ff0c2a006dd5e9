"""Colours and links on a terminal: ``--color`` and ``--hyperlink``.

Every text between the escape sequences is made harmless first, so that only this module's own sequences
reach the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import harmless
from urlextract.schemes.comparing import normal_form

When = Literal["auto", "always", "never"]

# The colours of grep: the host of a URL is what it calls a match.
_NAME, _NUMBER, _SEPARATOR, _MATCH, _PLAIN = "\x1b[35m", "\x1b[32m", "\x1b[36m", "\x1b[01;31m", "\x1b[0m"

# OSC 8: "Hyperlinks in terminal emulators", which asks for at most 2,083 bytes of printable ASCII.
_LINK, _END = "\x1b]8;;", "\x1b\\"
_LONGEST = 2_083
_CLICKABLE = lazy_re(r"(?i:https?|ftp|mailto):")
_NOT_IN_A_LINK = lazy_re(r"[^\x21-\x7e]")
_HOST = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#\\]*@)?(\[[^\]/?#]*\]|[^/?#:\\]*)")

# Terminals that are known to take links, by variables that they set.
_TERMS = ("xterm-kitty", "foot", "alacritty", "wezterm", "xterm-ghostty", "contour")
_PROGRAMS = frozenset(("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "mintty", "Tabby"))
_LEAST_VTE = 5_001  # 0.50.0 crashes on links
_LEAST_KONSOLE = 201_200


class Style(NamedTuple):
    """Whether colours and links are written."""

    color: bool
    links: bool


def style_of(
    color: When, hyperlink: When, *, is_terminal: bool, environment: Mapping[str, str]
) -> Style | None:
    """Return the style of the output; None for plain text."""
    links = hyperlink == "always" or (hyperlink == "auto" and is_terminal and _takes_links(environment))
    style = Style(shows_colors(color, is_terminal=is_terminal, environment=environment), links)
    return style if any(style) else None


def shows_colors(color: When, *, is_terminal: bool, environment: Mapping[str, str]) -> bool:
    """Return whether colours are written; "auto" minds NO_COLOR (no-color.org) and dumb terminals.

    >>> [shows_colors("auto", is_terminal=True, environment={"TERM": term}) for term in ("xterm", "dumb")]
    [True, False]
    """
    if color != "auto":
        return color == "always"
    is_dumb = environment.get("TERM", "dumb") in ("", "dumb")
    return is_terminal and not is_dumb and not environment.get("NO_COLOR")


def _takes_links(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is known to take links; tmux and screen may drop or show them."""
    term = environment.get("TERM", "")
    if term in ("", "dumb", "linux") or term.startswith(("screen", "tmux")):
        return False
    if environment.get("TMUX") or environment.get("STY"):
        return False
    return (
        term.startswith(_TERMS)
        or environment.get("TERM_PROGRAM") in _PROGRAMS
        or bool(environment.get("WT_SESSION") or environment.get("DOMTERM"))
        or _number(environment.get("VTE_VERSION")) >= _LEAST_VTE
        or _number(environment.get("KONSOLE_VERSION")) >= _LEAST_KONSOLE
    )


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def styled_url(text: str, url: str, style: Style) -> str:
    """Return ``text``, which shows ``url``, with its host coloured, and as a link if it may be one."""
    shown = _with_host(text) if style.color else harmless(text)
    target = _target(url) if style.links else None
    return f"{_LINK}{target}{_END}{shown}{_LINK}{_END}" if target else shown


def _with_host(text: str) -> str:
    start, end = host_span(text)
    if start == end:
        return harmless(text)
    return harmless(text[:start]) + styled_match(text[start:end]) + harmless(text[end:])


def host_span(url: str) -> tuple[int, int]:
    """Return the place of the host in a URL, in characters; an empty one if there is none.

    >>> host_span("http://ada@a.example:80/"), host_span("mailto:ada@a.example")
    ((11, 20), (0, 0))
    """
    match = _HOST.match(url)
    return match.span(1) if match else (0, 0)


def is_clickable(url: str) -> bool:
    """Return whether a URL may be a link to click: of a scheme that can do no more than show something."""
    return _CLICKABLE.match(url) is not None


def _target(url: str) -> str | None:
    """Return the target of a link: printable ASCII; None for a URL that is no link."""
    if not is_clickable(url):
        return None
    if not url.isascii():
        url = normal_form(url)
    target = _NOT_IN_A_LINK.sub(_encoded, url)
    return target if len(target) <= _LONGEST else None


def _encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))


def styled_match(text: str) -> str:
    """Return ``text`` in the colour of a match."""
    return f"{_MATCH}{harmless(text)}{_PLAIN}"


def styled_separator(text: str) -> str:
    """Return ``text`` in the colour of a separator."""
    return f"{_SEPARATOR}{text}{_PLAIN}"


def styled_names(names: Iterable[str | int], mark: str, style: Style | None) -> str:
    """Return names and line numbers, each with ``mark`` after it."""
    if style is None or not style.color:
        safe = harmless if style else str
        return "".join(f"{safe(str(name))}{mark}" for name in names)
    return "".join(
        f"{_NUMBER if isinstance(name, int) else _NAME}{harmless(str(name))}{_PLAIN}{styled_separator(mark)}"
        for name in names
    )
