"""What the tags of a link hide of it: by ``display:none``, ``font-size:0`` or ``hidden``.

Style sheets, colors, and the tags around a link are not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import decode_attribute
from urlextract.message.html_tokens import PARTING, tag_name

_MAY_HIDE = lazy_re(r"(?i)[\s\"'/](?:hidden|style)\b")
_EACH = lazy_re(r"""([^\s/>="']++)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>]*+)))?""")
_DISPLAY = lazy_re(r"(?i)(?:\A|;)\s*+display\s*+:\s*+(none\b)?")
_SIZE = lazy_re(r"(?i)(?:\A|;)\s*+font-size\s*+:\s*+((?:0++(?:\.0*+)?|\.0++)[a-z%]*+\s*+(?![^;!]))?")
_NOT_ENTERED = frozenset(
    re.findall(r"\S+", "area base br col embed hr img input link meta param script source style track wbr")
)
_CLOSED_BY_THE_NEXT = frozenset(re.findall(r"\S+", "dd dt li option p td th tr"))
_REACH = 64  # open elements among which that of an end tag is looked for


class _Element(NamedTuple):
    """An open element: whether it is hidden, and whether its letters have no size."""

    name: str = ""
    is_hidden: bool = False
    has_no_size: bool = False


class Hidden(NamedTuple):
    """Whether the text after a tag is hidden, and the image that it is."""

    text: bool
    image: bool


def hidden_after(tags: Sequence[str]) -> list[Hidden] | None:
    """Return what is hidden after each of ``tags``, those of a link, None if none of them hides anything.

    >>> hidden_after(["<a>", "<b style='font-size: 0px'>", "</b>"])[1]
    Hidden(text=True, image=False)
    """
    if not any(map(_MAY_HIDE.search, tags)):
        return None
    opened = [_Element()]
    found: list[Hidden] = []
    for tag in tags:
        name = tag_name(tag)
        if name.startswith("/"):
            _close(opened, name[1:])
        elif name and name not in _NOT_ENTERED:
            if name in PARTING:
                _close(opened, "p")
            if name in _CLOSED_BY_THE_NEXT:
                _close(opened, name)
            opened.append(_element(tag, name, opened[-1]))
        image = _element(tag, name, opened[-1]) if name == "img" else opened[-1]
        found.append(Hidden(opened[-1].is_hidden or opened[-1].has_no_size, image.is_hidden))
    return found


def _close(opened: list[_Element], name: str) -> None:
    """Close the last open element of that name, and those in it."""
    least = max(1, len(opened) - _REACH)
    at = next((at for at in range(len(opened) - 1, least - 1, -1) if opened[at].name == name), None)
    if at is not None:
        del opened[at:]


def _element(tag: str, name: str, outer: _Element) -> _Element:
    """Return the element that ``tag`` opens in ``outer``."""
    attributes: dict[str, str] = {}
    for match in _EACH.finditer(tag, 1 + len(name)):
        attributes.setdefault(match[1].lower(), match[match.lastindex or 1])
    style = decode_attribute(attributes.get("style", ""))
    displays, sizes = _DISPLAY.findall(style), _SIZE.findall(style)  # the last of each counts
    is_hidden = bool(displays[-1]) if displays else "hidden" in attributes
    return _Element(name, outer.is_hidden or is_hidden, bool(sizes[-1]) if sizes else outer.has_no_size)
