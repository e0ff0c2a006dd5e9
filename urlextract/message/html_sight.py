"""What is seen of a link of HTML: which of its texts are hidden, and which run from right to left.

A reader sees nothing of ``display:none``, ``visibility:hidden``, ``font-size:0``, ``hidden``, and of letters
in the color of their ground. Of style sheets, the rules for a class or an identifier alone are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import decode_attribute
from urlextract.message.html_tokens import PARTING, tag_name

_MAY_HIDE = lazy_re(r"(?i)[\s;\"'/](?:hidden|display|visibility|opacity|font|color|style|dir)\b|<template\b")
_HAS_NAME = lazy_re(r"(?i)[\s\"'/](?:class|id)\b")
_EACH = lazy_re(r"""([^\s/>="']++)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>]*+)))?""")
_URL = lazy_re(r"url\([^()]*+\)")
_NOT_ENTERED = frozenset(
    re.findall(r"\S+", "area base br col embed hr img input link meta param script source style track wbr")
)
_CLOSED_BY_THE_NEXT = frozenset(re.findall(r"\S+", "dd dt li option p td th tr"))
_REACH = 64  # open elements among which that of an end tag is looked for
GROUND = 200
"""How many constructs before a link are searched for the ground on which it stands."""

# The declarations that hide an element with all that is in it, and those that hide its letters.
_HIDING = {
    "display": lazy_re(r"none\b"),
    "visibility": lazy_re(r"hidden\b|collapse\b"),
    "opacity": lazy_re(r"0*\.?0*%?\s*\Z"),
    "max-height": lazy_re(r"0+[a-z%]*\s*\Z"),
} | dict.fromkeys(("left", "margin-left", "text-indent", "top"), lazy_re(r"-[0-9]{3,}"))
_HIDING_LETTERS = {
    "font-size": lazy_re(r"0*\.?0*[a-z%]*\s*\Z|(?:0*\.[0-9]+|1(?:\.0*)?)(?:px|pt)\s*\Z"),
    "font": lazy_re(r"(?>(?:[a-z]++\s++)*)0++(?:\.0*+)?[a-z]*+[/\s]"),
    "color": lazy_re(r"transparent\b"),
}
_ALL = _HIDING | _HIDING_LETTERS
_COLOR = lazy_re(
    r"#([0-9a-f]{3}|[0-9a-f]{6})\b|rgba?\(\s*([0-9]{1,3})[\s,]+([0-9]{1,3})[\s,]+([0-9]{1,3})\b|([a-z]++)"
)
_NAMES = {
    "white": "ffffff", "black": "000000", "silver": "c0c0c0", "gray": "808080", "grey": "808080",
    "red": "ff0000", "maroon": "800000", "yellow": "ffff00", "olive": "808000", "lime": "00ff00",
    "green": "008000", "aqua": "00ffff", "teal": "008080", "blue": "0000ff", "navy": "000080",
    "fuchsia": "ff00ff", "purple": "800080",
}  # fmt: skip


class _Sight(NamedTuple):
    """How an element is seen: what hides it, its colors, and how many elements around it turn its letters.

    ``hidden`` are the names of declarations.
    """

    name: str = ""
    hidden: frozenset[str] = frozenset()
    color: str = ""
    ground: str = ""
    turned: int = 0

    @property
    def is_hidden(self) -> bool:
        return not self.hidden.isdisjoint(_HIDING)

    @property
    def has_no_letters(self) -> bool:
        return bool(self.hidden) or bool(self.color and self.color == self.ground)


class Unseen(NamedTuple):
    """Whether nothing is seen of the letters after a tag, and nothing of the image that it is.

    ``turns`` are the characters of Unicode that turn the letters after it, or end that.
    """

    text: bool
    image: bool
    turns: str = ""


Styles = dict[str, dict[str, str]]
"""Declarations by the names of classes, with a dot before them, and of identifiers, with a "#"."""

_COMMENT = lazy_re(r"/\*[\s\S]*?(?:\*/|\Z)")
_AT_RULE = lazy_re(r"@[^{};@]*+(?:;|\{(?>(?:[^{}]*+\{[^{}]*+\})*)[^{}]*+\}?)")
_BRACE = lazy_re(r"[{}]")
_SELECTOR = lazy_re(r"\s*+(?:[A-Za-z][A-Za-z0-9]*+)?([.#][\w-]++)\s*+\Z")
_MAY_HIDE_BY = _ALL.keys() | {"background", "background-color", "direction", "unicode-bidi"}
_LONGEST_VALUE = 1_000  # characters


def styles_of(sheets: Iterable[str]) -> Styles:
    """Return the declarations in style sheets that may hide what has a class or an identifier.

    Rules that hold for some media only are left out.

    >>> styles_of([".a, p#b { display: none } @media print { .c { display: none } } .d e { color: red }"])
    {'.a': {'display': 'none'}, '#b': {'display': 'none'}}
    """
    styles: Styles = {}
    for sheet in sheets:
        selectors_and_declarations = _BRACE.split(_AT_RULE.sub("", _COMMENT.sub("", sheet)))
        for selectors, declared in zip(*[iter(selectors_and_declarations)] * 2, strict=False):
            style = _declared(declared)
            for selector in filter(None, map(_SELECTOR.match, selectors.split(",") if style else ())):
                styles.setdefault(selector[1], {}).update(style)
    return styles


def _declared(text: str) -> dict[str, str]:
    """Return the values of the declarations in ``text`` that may hide an element, the last of each name."""
    style: dict[str, str] = {}
    for declaration in text.lower().split(";"):
        key, _, value = declaration.partition(":")
        if key.strip() in _MAY_HIDE_BY:
            style[key.strip()] = value.partition("!")[0].strip()[:_LONGEST_VALUE]
    return style


_TURNS, _ENDS = "\u202e", "\u202c"


def unseen_after(tags: Sequence[str], before: Sequence[str], styles: Styles) -> list[Unseen] | None:
    """Return what is not seen after each of ``tags``, those of a link; ``before`` are those before it.

    Return None if none of them hides or turns anything.

    >>> unseen_after(["<a>", "<b style='font-size: 0px'>", "</b>"], [], {})[1]
    Unseen(text=True, image=False, turns='')
    """
    if not any(_MAY_HIDE.search(tag) or (styles and _HAS_NAME.search(tag)) for tag in tags):
        return None
    opened = [_Sight(ground=_ground_of(before))]
    found: list[Unseen] = []
    for tag in tags:
        name = tag_name(tag)
        turned = opened[-1].turned
        if name.startswith("/"):
            _close(opened, name[1:])
        elif name and name not in _NOT_ENTERED:
            if name in PARTING:
                _close(opened, "p")
            if name in _CLOSED_BY_THE_NEXT:
                _close(opened, name)
            opened.append(_sight_of(tag, name, opened[-1], styles))
        image = _sight_of(tag, name, opened[-1], styles) if name == "img" else opened[-1]
        more = opened[-1].turned - turned
        turns = _TURNS * more if more > 0 else _ENDS * -more
        found.append(Unseen(opened[-1].has_no_letters, image.is_hidden, turns))
    return found


def _close(opened: list[_Sight], name: str) -> None:
    """Close the last open element of that name, and those in it."""
    least = max(1, len(opened) - _REACH)
    at = next((at for at in range(len(opened) - 1, least - 1, -1) if opened[at].name == name), None)
    if at is not None:
        del opened[at:]


def _sight_of(tag: str, name: str, outer: _Sight, styles: Styles) -> _Sight:
    """Return how the element that ``tag`` opens in ``outer`` is seen."""
    attributes: dict[str, str] = {}
    for match in _EACH.finditer(tag, 1 + len(name)):
        attributes.setdefault(match[1].lower(), match[match.lastindex or 1])
    style = {"display": "none"} if "hidden" in attributes or name == "template" else {}
    if attributes.get("dir", "").lower() == "rtl":
        style["direction"] = "rtl"
        style["unicode-bidi"] = "bidi-override" if name == "bdo" else ""
    if "color" in attributes:
        style["color"] = attributes["color"].lower()
    style["background"] = attributes.get("bgcolor", "").lower()
    if styles:
        for each in dict.fromkeys(attributes.get("class", "").split()):
            style |= styles.get(f".{each}", {})
        style |= styles.get(f"#{attributes.get('id', '')}", {})
    style |= _declared(decode_attribute(attributes.get("style", "")))
    hidden = set(outer.hidden)
    for key, pattern in _ALL.items():
        if key in style and pattern.match(style[key]):
            hidden.add(key)
        elif key in style and key in _INHERITED:  # an element in it may be seen again
            hidden -= _INHERITED[key]
    ground = _color(style.get("background-color") or style["background"])
    color = _color(style.get("color", "")) or outer.color
    is_turned = style.get("direction") == "rtl" and "override" in style.get("unicode-bidi", "")
    return _Sight(name, frozenset(hidden), color, ground or outer.ground, outer.turned + is_turned)


_LETTERS = frozenset({"font-size", "font"})
_INHERITED = {
    "visibility": frozenset({"visibility"}),
    "color": frozenset({"color"}),
    "font-size": _LETTERS,
    "font": _LETTERS,
}


def _color(text: str) -> str:
    """Return a color as six digits, "" if there is none or it has a rare name.

    >>> [_color(text) for text in ("#FFF".lower(), "white", "rgb(255, 255,255)", "url(x) red", "")]
    ['ffffff', 'ffffff', 'ffffff', 'ff0000', '']
    """
    for match in _COLOR.finditer(_URL.sub("", text)):
        digits, name = match[1], match[5]
        if digits:
            return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        if not name:
            return "".join(f"{min(int(part), 255):02x}" for part in match.group(2, 3, 4))
        if name in _NAMES:
            return _NAMES[name]
    return ""


def _ground_of(before: Sequence[str]) -> str:
    """Return the color on which a link stands: that of the innermost open element whose tag gives one."""
    closed: Counter[str] = Counter()
    for tag in reversed(before):
        name = tag_name(tag)
        if name.startswith("/"):
            closed[name[1:]] += 1
        elif closed[name]:
            closed[name] -= 1
        elif name and name not in _NOT_ENTERED and _MAY_HAVE_GROUND.search(tag):
            ground = _sight_of(tag, name, _Sight(), {}).ground
            if ground:
                return ground
    return ""


_MAY_HAVE_GROUND = lazy_re(r"(?i)bgcolor|background")
