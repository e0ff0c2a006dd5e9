"""Character references of HTML, decoded; the frequent ones without the stdlib's table."""

from __future__ import annotations

import re

__all__ = ["decode_entities"]

# The stdlib makes a number of all digits, and Python refuses numbers of too many.
_ENDLESS = re.compile(r"&#[xX]?[0-9a-fA-F]{12,}+;?")

_FREQUENT = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\xa0"))


def decode_entities(text: str) -> str:
    """Decode the character references in ``text``.

    >>> decode_entities("&lt;a&amp;lt;&#62;&eacute;")
    '<a&lt;>é'
    """
    if "&" not in text:
        return text
    for name, character in _FREQUENT:
        text = text.replace(name, character)
    ampersands = text.count("&")
    if ampersands == text.count("&amp;"):
        return text.replace("&amp;", "&") if ampersands else text
    from html import unescape  # noqa: PLC0415 - its table is large

    return unescape(_ENDLESS.sub("\ufffd", text) if "&#" in text else text)
