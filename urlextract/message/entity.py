"""What a message or a part of one says of itself, by the stdlib's parser (compat32).

The parser raises on some values, and decodes what is to be had as it stands: so each
thing is asked for here.
"""

from __future__ import annotations

import re
from email.errors import MissingHeaderBodySeparatorDefect, StartBoundaryNotFoundDefect
from email.header import Header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import collapse_rfc2231_value
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from urlextract.grammar.patterns import later
from urlextract.message.content import DEFAULT, Content
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
    "whole_head",
    "with_plain_names",
]

_ENCODING = later(r"[\s\"']*+([^\s;(,\"']*+)")
_MISSPELT = later(r"[\s\"']*+(?:x-)?(?:(quoted)[\s_-]?printable|base[\s_-]?64)\b", re.IGNORECASE)

# RFC 5322, section 3.2.2: comments stand in brackets, and in each other; quotes hold none.
_PIECE = later(r'"(?:[^"\\]|\\.)*+"?|\\.?|[()]|[^"\\()]++', re.DOTALL)
_FOLD = later(r"\r?\n(?=[ \t])")
# RFC 2045, section 5.1; blanks, quotes and what else does not belong there are of careless programs.
_WORD = r'[^\s()<>@,;:\\"/\[\]?=]++'
_KIND = later(rf'[\s"]*+({_WORD})\s*+/\s*+({_WORD})[\s",;]*+')
_STRUCTURED = frozenset(("content-type", "content-transfer-encoding"))  # as the stdlib asks for them
# A blank before the colon, which RFC 822 allowed, in the head of a message and in those of parts.
_SPACED_NAME = later(rb"^([A-Za-z][A-Za-z0-9-]{0,60})([ \t]{1,9}):", re.MULTILINE)
_HEAD = later(rb"(?:\A|\n--[^\n]{1,200}\n)(?:[^\n]++\n?){1,100}+")
# In a head: a line that is no field, as one that was folded without a blank; what says how to read the body.
_STRAY = later(rb"\n(?![!-9;-~]++:|[ \t\n])(?:(?<=[,;:]\n)|(?![^\n]*?(?::/|www\.)))(?=[^\n])")
_READING = later(rb"\n(?i:content-t(?:ype|ransfer-encoding)|mime-version):")
_LARGEST_HEAD = 1 << 16
_UNFINISHED = later(rb"\n[^\n]*+(?:(?<=[:;])\n[^\n]++)*+")


def with_plain_names(data: bytes) -> bytes:
    r"""Put blanks between the name of a field and its colon behind that; so all keeps its place.

    >>> with_plain_names(b"Subject : a : b\n\nb : c\n--x\nContent-Type\t: text/html\n")
    b'Subject:  a : b\n\nb : c\n--x\nContent-Type:\t text/html\n'
    """
    return _HEAD.sub(lambda head: _SPACED_NAME.sub(rb"\1:\2", head[0]), data)


def _plain_value(value: str, *, is_kind: bool) -> str:
    """Give the value of a structured field unfolded, without comments, its type as it ought to be written.

    >>> _plain_value('text / html (x (y)) charset="(z)"', is_kind=True)
    'text/html; charset="(z)"'
    """
    value = _FOLD.sub("", value)
    if "(" in value:
        kept: list[str] = []
        depth = 0
        for piece in _PIECE.findall(value):
            depth += (piece == "(") - (piece == ")" and depth > 0)
            if not depth and piece != ")":
                kept.append(piece)
        value = "".join(kept)
    kind = _KIND.match(value) if is_kind else None
    return f"{kind[1]}/{kind[2]}; {value[kind.end() :]}" if kind else value


# Characters of a field that says how to read a body: of its parameters, the stdlib copies what is left for
# each semicolon.
_LONGEST_VALUE = 4_000


class Entity(Message):
    """A message or part that knows its depth, and keeps messages in it as they stand.

    So it does with multiparts whose boundary is known to be broken. Its type and its
    encoding are read as they are meant.
    """

    depth = 0

    def __init__(self, policy: Policy = compat32, broken: frozenset[tuple[int, str]] = frozenset()) -> None:
        super().__init__(policy)
        self._broken = broken

    def get(self, name: str, failobj: Any = None) -> Any:
        """Return a field; what says how to read the body without comments, and cut where it is too long."""
        value = super().get(name, failobj)
        if value is failobj or name not in _STRUCTURED or not isinstance(value, str | Header):
            return value
        return _plain_value(str(value)[:_LONGEST_VALUE], is_kind=name == "content-type")

    def get_content_type(self) -> str:
        """Give the type; reports that are encoded are none that the parser could take apart."""
        kind = super().get_content_type()
        is_encoded = kind == "message/delivery-status" and encoding_of(self) in ("base64", "quoted-printable")
        return "message/global-delivery-status" if is_encoded else kind

    def get_boundary(self, failobj: Any = None) -> Any:
        """Give the boundary, also where its closing quote is missing or not the end."""
        boundary = super().get_boundary(failobj)
        is_open = isinstance(boundary, str) and boundary.startswith('"')
        return boundary[1:].partition('"')[0].rstrip() if is_open else boundary

    def attach(self, payload: Message) -> None:  # type: ignore[override]
        """Take a part."""
        payload.depth = self.depth + 1  # type: ignore[attr-defined]
        super().attach(payload)

    def get_content_maintype(self) -> str:
        """Say what the parser has to look for: multiparts, but no messages."""
        kind = super().get_content_maintype()
        if kind == "message" or self.depth >= MAX_DEPTH:
            return "text"
        return "text" if self._broken and (self.depth, boundary_of(self)) in self._broken else kind

    def raw(self) -> bytes:
        """Give the body as it stands; the public way would decode it by its charset."""
        return raw_bytes(getattr(self, "_payload", None))


def parse_entity(data: bytes) -> Entity:
    """Parse; where a multipart never begins, keep it as it stands, for the parser drops its end."""
    message = cast("Entity", BytesParser(Entity, policy=compat32).parsebytes(data))
    broken = frozenset(
        (part.depth, str(boundary_of(part)))
        for part in cast("Iterator[Entity]", message.walk())
        if any(isinstance(defect, StartBoundaryNotFoundDefect) for defect in part.defects)
    )
    if not broken:
        return message
    careful: Any = partial(Entity, broken=broken)
    return cast("Entity", BytesParser(careful, policy=compat32).parsebytes(data))


def whole_head(entity: Entity) -> Entity:
    r"""Give an entity with all its fields, where a line that is no field ended its head.

    Where behind such a line stands how to read the body, it goes on with the one before it; but not
    if it holds a URL, unless that one breaks off: it may stand behind a field that is not read.

    >>> whole_head(parse_entity(b"To: a,\nb\nContent-Type: text/html;\ncharset=x\n\ntext")).items()
    [('To', 'a, b'), ('Content-Type', 'text/html; charset=x')]
    """
    if entity.is_multipart() or not entity.items() or not _is_cut_short(entity):
        return entity
    fields = b"\n" + b"".join(
        b"%s:%s\n" % (name, value and b" " + value) for name, value in raw_fields(entity)
    )
    head, blank, body = entity.raw().partition(b"\n\n")
    head = fields + head
    readings = list(_READING.finditer(head)) if blank and len(head) < _LARGEST_HEAD else []
    last = _UNFINISHED.match(head, readings[-1].start()) if readings else None
    if not last or last.end() <= len(fields):
        return entity
    mended = parse_entity(_STRAY.sub(b" ", head[: last.end()])[1:] + head[last.end() :] + blank + body)
    mended.set_unixfrom(entity.get_unixfrom() or "")
    mended.defects[:0] = entity.defects
    return mended


def _is_cut_short(entity: Entity) -> bool:
    return any(isinstance(defect, MissingHeaderBodySeparatorDefect) for defect in entity.defects)


def raw_bytes(text: object) -> bytes:
    """Give the bytes that the parser made a text of."""
    return text.encode("ascii", "surrogateescape") if isinstance(text, str) else b""


def raw_fields(entity: Entity) -> list[tuple[bytes, bytes]]:
    """Give the fields as they stand; the blank behind the colon is gone."""
    return [(raw_bytes(name), raw_bytes(value)) for name, value in entity.raw_items()]


def parameter(entity: Entity, name: str) -> str | None:
    """Give a parameter of the Content-Type, RFC 2231 undone; None where it is beyond reading."""
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
    if not kind[0].isalpha():  # RFC 2045, section 5.2: what is no type says nothing
        kind = DEFAULT.kind
    return Content(
        kind=kind,
        charset=parameter(entity, "charset"),
        flowed=(parameter(entity, "format") or "").lower() == "flowed",
        delsp=(parameter(entity, "delsp") or "").lower() == "yes",
    )


def is_attached(entity: Message) -> bool:
    """Say whether the sender attached a part."""
    return str(entity.get("content-disposition", "")).strip().lower().startswith("attachment")


def encoding_of(entity: Message) -> str:
    """Give the transfer encoding in lower case, the two that hide URLs as they ought to be spelt."""
    value = str(entity.get("content-transfer-encoding", "")).strip()
    known = _MISSPELT.match(value)
    if known:
        return "quoted-printable" if known[1] else "base64"
    field = _ENCODING.match(value)
    return field[1].lower() if field else ""
