"""Pages as their URLs and their visible text alone, without places: one cut at all tags at once.

It gives what ``markup`` gives. What asks for places in the markup is left to that:
tags that hold brackets or never end, a base, links with tags in a text that may be a URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from urlextract.grammar.patterns import later
from urlextract.message.markup import OPENS, absolute_url, is_absolute, read_page, unusual_values
from urlextract.message.tags import LINK, TAG, TOKENS
from urlextract.message.visible import SEPARATORS, seen, shows, woven

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["page_texts"]

_PLAIN = later(r"https?://[!#-%'-~]*+")  # no blank, nothing to be decoded
_FEW = 20  # pieces of a link's text

# By what stands between the brackets of a tag without URLs, what it puts between texts. The
# same ones come again and again, in all pages of a program; ``None`` is what is hidden.
_known: dict[str | None, str] = {None: ""}
_MOST_KNOWN, _LONGEST_KNOWN = 4096, 200


def page_texts(markup: str, base: Callable[[], str | None]) -> tuple[list[str], str]:
    r"""Give the URLs in the attributes of a page, and what a reader sees of it.

    ``base`` gives the URL of the page, if the mail names one; few ask for it.

    >>> page_texts("<p>a <a href='http://x.example/'>b</a>", lambda: None)
    (['http://x.example/'], '\na b')
    """
    pieces: list[str] = TOKENS.split(markup)
    page = _Page(pieces[0::3], pieces[1::3])
    if "" in pieces[2::3] or not page.is_read():
        read = read_page(markup, base())
        return [url for _, _, url in read.urls], read.visible()
    urls = [raw if _PLAIN.fullmatch(raw) else absolute_url(raw, None) for raw in page.values]
    if None in urls:
        against = base()
        urls = [absolute_url(raw, against) for raw in page.values] if against else urls
    return [url for url in urls if url is not None], seen(page.visible())


class _Page:
    """The texts of a page, and between them its tags: what stands in the brackets of each."""

    def __init__(self, texts: list[str], tags: list[str]) -> None:
        self.values: list[str] = []
        self._texts, self._tags = texts, tags
        self._between: list[str | None] = list(map(_known.get, tags))

    def is_read(self) -> bool:
        """Gather the values of attributes, and blank the texts of links that show them.

        False where that would not be all there is to do.
        """
        at = 0
        for _ in range(self._between.count(None)):
            at = self._between.index(None, at)
            link = LINK.fullmatch(self._tags[at])
            if not (self._read_link(at, *link.groups()) if link else self._read_tag(at)):
                return False
        return True

    def visible(self) -> str:
        """Give the texts with what their tags put between them."""
        return woven(self._texts, cast("list[str]", self._between))

    def _read_tag(self, at: int) -> bool:
        """Read any tag that is not yet known."""
        token = self._tags[at]
        tag = TAG.fullmatch(f"<{token}>")
        if tag is None or tag[3] is not None:
            return False
        name, attributes = tag[1], tag[2]
        separator = self._between[at] = SEPARATORS[name]
        values = list(unusual_values(name.lower(), attributes, 0, len(attributes))) if attributes else ()
        if not values and len(token) <= _LONGEST_KNOWN and len(_known) < _MOST_KNOWN:
            _known[token] = separator
        return all(
            self._read_link(at, name, "href" if is_link else "", value.raw) for is_link, value in values
        )

    def _read_link(self, at: int, name: str, key: str, raw: str) -> bool:
        """Keep a value of a tag; blank the text of a link that shows it."""
        self._between[at] = SEPARATORS[name]
        self.values.append(raw)
        if key != "href":
            return True
        if name not in ("a", "A"):
            return name.lower() != "base"
        if at + 1 < len(self._tags):
            if self._tags[at + 1] not in ("/a", "/A"):
                return self._is_dull(at + 1)
            return self._read_text(at + 1, raw)
        return True

    def _read_text(self, at: int, raw: str) -> bool:
        """Blank the text of a link that shows its URL; what may be another is a word of its own."""
        text = self._texts[at]
        if "." not in text and ":" not in text:
            return True
        if not (shows(text, raw) and (_PLAIN.match(raw) or is_absolute(raw))):
            self._texts[at] = f" {text} "
        elif not OPENS.search(self._texts[at - 1]) or self._texts[at + 1].startswith("&gt;"):
            self._texts[at] = ""
        else:
            return False
        return True

    def _is_dull(self, at: int) -> bool:
        """Say whether a link with tags in its text shows nothing that may be a URL."""
        for text, tag in zip(self._texts[at : at + _FEW], self._tags[at : at + _FEW], strict=False):
            if "." in text or ":" in text:
                return False
            if tag in ("/a", "/A"):
                return True
        return False
