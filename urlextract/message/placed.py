"""Find the bodies of a message that need no decoding, with their offsets, for callers that rewrite them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.message.segments import PartSink
from urlextract.message.transfer import IDENTITIES

if TYPE_CHECKING:
    from urlextract.message.content import Body
    from urlextract.message.context import MessageContext

__all__ = ["PlacedBodies"]

# What is signed or encrypted may not be changed (RFC 1847), nor may a report in fields (RFC 3464).
_SEALED = ("multipart/signed", "multipart/encrypted", "message/delivery-status")


class PlacedBodies(PartSink):
    """Keeps the bodies of plain text of one message.

    A body that is encoded for transfer, sealed, or in a message inside this one is left out.
    """

    def __init__(self, context: MessageContext) -> None:
        super().__init__(context)
        self.made: list[Body] = []
        self._sealed: list[str] = []

    def multipart(self, kind: str, part: str) -> None:
        """Remember a multipart that is sealed."""
        if kind in _SEALED:
            self._sealed.append(f"{part}." if part else "")

    def text(self, body: Body, part: str) -> None:
        """Keep a body, if it may be rewritten."""
        is_plain = body.content.kind == "text/plain" and body.encoding in IDENTITIES
        if is_plain and body.offset is not None and not part.startswith(tuple(self._sealed)):
            self.made.append(body)
