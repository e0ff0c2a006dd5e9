"""What a message or a part of one says of itself, by the stdlib's parser (compat32).

The parser raises on some values, and decodes what is to be had as it stands: so each
thing is asked for here.
"""

from __future__ import annotations

import re
from email.errors import StartBoundaryNotFoundDefect
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import collapse_rfc2231_value
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from urlextract.message.content import Content
from urlextract.message.letter import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.policy import Policy

__all__ = [
    "Entity",
    "boundary_of",
    "content_of",
    "encoding_of",
    "is_attached",
    "parameter",
    "parse_entity",
    "raw_bytes",
    "raw_fields",
]

_ENCODING = re.compile(r"[^\s;(]*+")


class Entity(Message):
    """A message or part that knows its depth, and keeps messages in it as they stand.

    So it does with multiparts whose boundary is known to be broken.
    """

    depth = 0

    def __init__(self, policy: Policy = compat32, broken: frozenset[str] = frozenset()) -> None:
        super().__init__(policy)
        self._broken = broken

    def attach(self, payload: Message) -> None:  # type: ignore[override]
        """Take a part."""
        payload.depth = self.depth + 1  # type: ignore[attr-defined]
        super().attach(payload)

    def get_content_maintype(self) -> str:
        """Say what the parser has to look for: multiparts, but no messages."""
        kind = super().get_content_maintype()
        if kind == "message" or self.depth >= MAX_DEPTH:
            return "text"
        return "text" if self._broken and boundary_of(self) in self._broken else kind

    def raw(self) -> bytes:
        """Give the body as it stands; the public way would decode it by its charset."""
        return raw_bytes(getattr(self, "_payload", None))


def parse_entity(data: bytes) -> Entity:
    """Parse; where a multipart never begins, keep it as it stands, for the parser drops its end."""
    message = cast("Entity", BytesParser(Entity, policy=compat32).parsebytes(data))
    broken = frozenset(
        str(boundary_of(part))
        for part in cast("Iterator[Entity]", message.walk())
        if any(isinstance(defect, StartBoundaryNotFoundDefect) for defect in part.defects)
    )
    if not broken:
        return message
    careful: Any = partial(Entity, broken=broken)
    return cast("Entity", BytesParser(careful, policy=compat32).parsebytes(data))


def raw_bytes(text: object) -> bytes:
    """Give the bytes that the parser made a text of."""
    return text.encode("ascii", "surrogateescape") if isinstance(text, str) else b""


def raw_fields(entity: Entity) -> list[tuple[bytes, bytes]]:
    """Give the fields as they stand; the blank behind the colon is gone."""
    return [(raw_bytes(name), raw_bytes(value)) for name, value in entity.raw_items()]


# Characters of a Content-Type: the stdlib looks at each semicolon of it again and again.
_LONGEST_TYPE = 4_000


def parameter(entity: Entity, name: str) -> str | None:
    """Give a parameter of the Content-Type, RFC 2231 undone; None where it is beyond reading."""
    if len(str(entity.get("content-type", ""))) > _LONGEST_TYPE:
        return None
    try:
        value = entity.get_param(name)
        return None if value is None else collapse_rfc2231_value(value)
    except Exception:
        return None


def boundary_of(entity: Message) -> str | None:
    """Give the boundary that the parser looks for."""
    try:
        return entity.get_boundary()
    except Exception:  # get_boundary raises on some parameters of RFC 2231
        return None


def content_of(entity: Entity) -> Content:
    """Give what an entity holds."""
    kind = entity.get_content_type()
    return Content(
        kind=kind,
        charset=parameter(entity, "charset"),
        flowed=(parameter(entity, "format") or "").lower() == "flowed",
        delsp=(parameter(entity, "delsp") or "").lower() == "yes",
    )


def is_attached(entity: Message) -> bool:
    """Say whether the sender attached a part."""
    return str(entity.get("content-disposition", "")).strip().lower().startswith("attachment")


def encoding_of(entity: Entity) -> str:
    """Give the transfer encoding in lower case."""
    field = _ENCODING.match(str(entity.get("content-transfer-encoding", "")).strip())
    return field[0].lower() if field else ""
