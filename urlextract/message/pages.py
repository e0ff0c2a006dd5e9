"""Pages as their URLs and their visible text alone, without places: one cut at all tags at once.

It gives what ``markup`` gives. What asks for places in the markup is left to that:
tags that never end, a base, links with tags in a text that may be a URL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlextract.message.markup import absolute_url, read_page, unusual_values
from urlextract.message.tags import PIECES, USUAL
from urlextract.message.visible import SEPARATORS, seen, shows

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["page_texts"]

_PLAIN = re.compile(r"https?://[!#-%'-~]*+")  # no blank, nothing to be decoded
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"<>"))


def page_texts(markup: str, base: Callable[[], str | None]) -> tuple[list[str], str]:
    r"""Give the URLs in the attributes of a page, and what a reader sees of it.

    ``base`` gives the URL of the page, if the mail names one; few ask for it.

    >>> page_texts("<p>a <a href='http://x.example/'>b</a>", lambda: None)
    (['http://x.example/'], '\na b')
    """
    text = markup
    if "<br>" in text:
        if b"<<" in text.encode("utf-8", "replace").translate(None, _ALL_BUT_BRACKETS):  # a tag in a tag
            return _by_places(markup, base())
        text = text.replace("<br>\n", "\n").replace("<br>", "\n")
    pieces: list[str] = PIECES.split(text)
    texts, names, attributes = pieces[0::4], pieces[1::4], pieces[2::4]
    values: list[str] = []
    if "" in pieces[3::4] or not _read_attributes(texts, names, attributes, values):
        return _by_places(markup, base())
    woven = texts + names
    woven[0::2], woven[1::2] = texts, map(SEPARATORS.__getitem__, names)
    urls = [raw if _PLAIN.fullmatch(raw) else absolute_url(raw, None) for raw in values]
    if None in urls:
        page = base()
        urls = [absolute_url(raw, page) for raw in values] if page else urls
    return [url for url in urls if url is not None], seen("".join(woven))


def _by_places(markup: str, base: str | None) -> tuple[list[str], str]:
    page = read_page(markup, base)
    return [url for _, _, url in page.urls], page.visible()


def _read_attributes(texts: list[str], names: list[str], attributes: list[str], values: list[str]) -> bool:
    """Gather the values of attributes, and blank the texts of links that show them.

    False where that would not be all there is to do.
    """
    for at, attribute in enumerate(attributes):
        if not attribute:
            continue
        name = names[at].lower()
        if name == "base":
            return False
        for is_link, raw in _raw_values(name, attribute):
            values.append(raw)
            if not is_link or name != "a" or at + 1 == len(names):
                continue
            if names[at + 1] not in ("/a", "/A"):
                if not _is_dull(texts, names, at + 1):
                    return False
            elif shows(texts[at + 1], raw):
                texts[at + 1] = ""
    return True


def _raw_values(name: str, attribute: str) -> list[tuple[bool, str]]:
    """Give the values that are URLs of all attributes of a tag; whether each is of href."""
    usual = USUAL.fullmatch(attribute)
    if usual:
        return [(usual[1] == "href", usual[2])]
    return [(is_link, value.raw) for is_link, value in unusual_values(name, attribute, 0, len(attribute))]


def _is_dull(texts: list[str], names: list[str], at: int) -> bool:
    """Say whether a link with tags in its text shows nothing that may be a URL."""
    for text, name in zip(texts[at : at + _FEW], names[at : at + _FEW], strict=False):
        if "." in text or ":" in text:
            return False
        if name in ("/a", "/A"):
            return True
    return False


_FEW = 20  # pieces of a link's text
