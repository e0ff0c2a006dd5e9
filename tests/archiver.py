"""An example archiver: the plain texts of a message as HTML in which each URL is a link.

A URL that was broken over lines is a link in each of its pieces, so the text looks as it did.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from urlextract import read_texts

if TYPE_CHECKING:
    from urlextract import PartText

__all__ = ["page_of"]


def page_of(message: bytes) -> str:
    """Return a page with a ``pre`` element for each header field and each plain text of a message."""
    texts = [text for text in read_texts(message) if text.view != "html"]
    return "\n".join(["<!DOCTYPE html>", *(f"<pre>\n{_linked(text)}</pre>" for text in texts), ""])


def _linked(part: PartText) -> str:
    pieces: list[str] = []
    at = 0
    for found in part.found:
        target = html.escape(found.url)
        for piece in found.pieces:
            before, inside = part.text[at : piece.start], piece.of(part.text)
            pieces += (html.escape(before), f'<a href="{target}">', html.escape(inside), "</a>")
            at = piece.end
    return "".join([*pieces, html.escape(part.text[at:])])
