"""What is seen of a link of HTML: which of its texts its own tags hide, as far as tags say so themselves.

A reader sees nothing of ``display:none``, ``visibility:hidden``, ``font-size:0``, ``hidden``, and of letters
in the color of their ground. What style sheets say is not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import decode_attribute
from urlextract.message.html_tokens import PARTING, tag_name

_MAY_HIDE = lazy_re(r"(?i)[\s;\"'/](?:hidden|display|visibility|opacity|font|color|style)\b")
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
}
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
    """How an element is seen: each name of a declaration that hides it, and its colors."""

    name: str = ""
    hidden: frozenset[str] = frozenset()
    color: str = ""
    ground: str = ""

    @property
    def is_hidden(self) -> bool:
        return not self.hidden.isdisjoint(_HIDING)

    @property
    def has_no_letters(self) -> bool:
        return bool(self.hidden) or bool(self.color and self.color == self.ground)


class Unseen(NamedTuple):
    """Whether nothing is seen of the letters after a tag, and nothing of the image that it is."""

    text: bool
    image: bool


def unseen_after(tags: Sequence[str], before: Sequence[str]) -> list[Unseen] | None:
    """Return what is not seen after each of ``tags``, those of a link; ``before`` are those before it.

    Return None if none of them hides anything.

    >>> unseen_after(["<a>", "<b style='font-size: 0px'>", "</b>"], [])
    [Unseen(text=False, image=False), Unseen(text=True, image=False), Unseen(text=False, image=False)]
    """
    if not any(_MAY_HIDE.search(tag) for tag in tags):
        return None
    opened = [_Sight(ground=_ground_of(before))]
    found: list[Unseen] = []
    for tag in tags:
        name = tag_name(tag)
        if name.startswith("/"):
            _close(opened, name[1:])
        elif name and name not in _NOT_ENTERED:
            if name in PARTING:
                _close(opened, "p")
            if name in _CLOSED_BY_THE_NEXT:
                _close(opened, name)
            opened.append(_sight_of(tag, name, opened[-1]))
        image = _sight_of(tag, name, opened[-1]) if name == "img" else opened[-1]
        found.append(Unseen(opened[-1].has_no_letters, image.is_hidden))
    return found


def _close(opened: list[_Sight], name: str) -> None:
    """Close the last open element of that name, and those in it."""
    least = max(1, len(opened) - _REACH)
    at = next((at for at in range(len(opened) - 1, least - 1, -1) if opened[at].name == name), None)
    if at is not None:
        del opened[at:]


def _sight_of(tag: str, name: str, outer: _Sight) -> _Sight:
    """Return how the element that ``tag`` opens in ``outer`` is seen."""
    attributes: dict[str, str] = {}
    for match in _EACH.finditer(tag, 1 + len(name)):
        attributes.setdefault(match[1].lower(), match[match.lastindex or 1])
    style = {"display": "none"} if "hidden" in attributes else {}
    if "color" in attributes:
        style["color"] = attributes["color"].lower()
    style["background"] = attributes.get("bgcolor", "").lower()
    for declaration in decode_attribute(attributes.get("style", "")).lower().split(";"):
        key, _, value = declaration.partition(":")
        style[key.strip()] = value.strip()
    hidden = set(outer.hidden)
    for key, pattern in _ALL.items():
        if key in style and pattern.match(style[key]):
            hidden.add(key)
        elif key in style and key in _INHERITED:  # an element in it may be seen again
            hidden -= _INHERITED[key]
    ground = _color(style.get("background-color") or style["background"])
    return _Sight(
        name, frozenset(hidden), _color(style.get("color", "")) or outer.color, ground or outer.ground
    )


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
    """Return the color on which a link stands: that of the innermost open element that gives one."""
    closed: Counter[str] = Counter()
    for tag in reversed(before):
        name = tag_name(tag)
        if name.startswith("/"):
            closed[name[1:]] += 1
        elif closed[name]:
            closed[name] -= 1
        elif name and name not in _NOT_ENTERED and _MAY_HAVE_GROUND.search(tag):
            ground = _sight_of(tag, name, _Sight()).ground
            if ground:
                return ground
    return ""


_MAY_HAVE_GROUND = lazy_re(r"(?i)bgcolor|background")
