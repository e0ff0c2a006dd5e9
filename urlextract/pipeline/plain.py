"""The lane that gives URLs alone, in batches: what most pipes ask for.

It makes no records, counts no lines, and reads UTF-8 as bytes. Its URLs are those
that `extract_source` gives, in the same order.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from urlextract.linebreaks.joining import joined_url, rejoin
from urlextract.pipeline.items import chosen_items, damage_of
from urlextract.pipeline.texts import DecodedText
from urlextract.records import EVERYTHING, Form, RawMessages, RawText
from urlextract.scanner.hits import Looks
from urlextract.scanner.passes import read_pass
from urlextract.scanner.places import look_at_colon, look_at_dot
from urlextract.scanner.stream import Stream
from urlextract.scanner.views import view_look_at_colon, view_look_at_dot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlextract.errors import SourceError
    from urlextract.pipeline.options import Options
    from urlextract.records import Candidate, Item, Unread

__all__ = ["is_plain", "read_urls"]

_ATTRIBUTE = Form.HTML_ATTRIBUTE
# Texts are searched together, for a search costs more than most of them. What
# stands between them ends every URL, and no bracket reaches over it.
_BETWEEN = "\n\0\n"
_TOGETHER = 1 << 16  # characters


def is_plain(options: Options) -> bool:
    """Say whether the URLs alone are all that is asked for, and each has its scheme."""
    is_as_read = options.hyphen in ("keep", "drop") and options.join != "likely"
    return options.lets_all_pass and is_as_read and options.choice == EVERYTHING and options.since is None


def read_urls(
    items: Iterable[Item],
    options: Options,
    *,
    is_prompt: bool = True,
    on_damage: Callable[[SourceError], None] | None = None,
) -> Iterator[list[str]]:
    """Give the URLs of raw messages and texts, those that are certain together in one list.

    Where nobody waits for them (not ``is_prompt``), those of several messages are one list.
    """
    limits = options.limits(looks_on=False)
    joined = _without_hyphens if options.hyphen == "drop" else joined_url
    looks = Looks(look_at_colon, look_at_dot, limits, joined, keeps_hyphens=options.hyphen == "keep")
    messages: _Messages | None = None
    for item in chosen_items(items, options):
        if isinstance(item, RawText):
            if messages:
                yield messages.urls()
            yield from _text_urls(DecodedText(item.chunks), looks)
        else:
            messages = messages or _Messages(looks, on_damage, any_scheme=options.any_scheme)
            messages.add(item if isinstance(item, RawMessages) else item.alone())
            if is_prompt or messages.size > _TOGETHER:
                yield messages.urls()
    if messages:
        yield messages.urls()


def _without_hyphens(candidate: Candidate) -> str:
    return rejoin(candidate, hyphen="drop").url


def _text_urls(text: DecodedText, looks: Looks) -> Iterator[list[str]]:
    if text.is_utf8:
        looks = looks._replace(colon=view_look_at_colon, dot=view_look_at_dot)
    stream = Stream(looks)
    for piece in text.views() if text.is_utf8 else text:
        urls = stream.feed_for_urls(piece)
        if urls:
            yield urls
    urls = stream.feed_for_urls("", is_whole=True)
    if urls:
        yield urls


class _Messages:
    """Gathers the texts of messages, and searches them together."""

    def __init__(
        self, looks: Looks, on_damage: Callable[[SourceError], None] | None, *, any_scheme: bool
    ) -> None:
        from urlextract.message import read_views  # noqa: PLC0415 - texts need none of it
        from urlextract.message.bulk import readable_views  # noqa: PLC0415 - as above
        from urlextract.scanner.attributes import (  # noqa: PLC0415 - as above
            attribute_fault,
            attribute_text,
            attribute_url,
        )

        self._looks = looks._replace(colon=view_look_at_colon, dot=view_look_at_dot)
        self._on_damage = on_damage
        self._read_views, self._readable, self._url_of = read_views, readable_views, attribute_url
        self._fault_of = partial(attribute_fault, any_scheme=any_scheme)
        self._in_text = partial(attribute_text, any_scheme=any_scheme)
        self._views: list[str] = []
        self._urls: list[str] = []
        self.size = 0

    def add(self, messages: RawMessages) -> None:
        """Take in messages."""
        for entry in self._read_views(messages, self._tell):
            if isinstance(entry, str):
                self._views.append(entry)
            else:
                self._take_values(entry)
        self.size += len(messages.data)

    def _take_values(self, values: list[str]) -> None:
        """Take the values of attributes in their place among the texts."""
        self._search()
        for value in values:
            url = self._url_of(value)
            if self._fault_of(url):
                self._urls += map(self._looks.joined or joined_url, self._in_text(value))
            else:
                self._urls.append(url)

    def _tell(self, unread: Unread) -> None:
        if self._on_damage:
            self._on_damage(damage_of(unread))

    def urls(self) -> list[str]:
        """Give the URLs of all that was taken in, in their order."""
        self._search()
        urls, self._urls, self.size = self._urls, [], 0
        return urls

    def _search(self) -> None:
        if not self._views:
            return
        together = _BETWEEN.join(self._views)
        readable = self._readable(self._views, together)
        if readable is not self._views:
            together = _BETWEEN.join(readable)
        self._views.clear()
        self._urls += read_pass(together, 0, 0, self._looks, is_whole=True).urls
