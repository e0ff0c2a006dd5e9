"""Walk over any message with the stdlib's parser (policy compat32, which does not parse fields itself).

The parser finds the parts; their contents are read by the same code as in plain messages.
Messages inside are passed to the caller as bytes, so that base64-encoded ones, which RFC 2046,
section 5.2.1, forbids, are parsed, too. The parser's own methods raise on some values, and decode
what is needed undecoded; the functions here work around that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import MissingHeaderBodySeparatorDefect, StartBoundaryNotFoundDefect
from email.header import Header
from email.message import Message
from email.parser import BytesParser
from email.policy import Policy, compat32
from email.utils import collapse_rfc2231_value
from functools import partial
from itertools import chain
from typing import Any, cast

from urlextract.grammar.patterns import lazy_re
from urlextract.message.content import BYTES, DEFAULT, Body, Content, kind_of_file
from urlextract.message.context import HEADS, MAX_DEPTH, REPORTS
from urlextract.message.fields import Field, base_url, decode_words
from urlextract.message.http import HTTP, undo_http
from urlextract.message.parts import MARKUP, UNREADABLE, advice_for
from urlextract.message.segments import PartSink
from urlextract.message.transfer import undo_transfer

_ENCODING = lazy_re(r"[\s\"']*+([^\s;(,\"']*+)")
_MISSPELT = lazy_re(r"[\s\"']*+(?:x-)?(?:(quoted)[\s_-]?printable|base[\s_-]?64)\b", re.IGNORECASE)

# RFC 5322, section 3.2.2: comments are in parentheses and may be nested; quoted strings hold none.
_PIECE = lazy_re(r'"(?>(?:[^"\\]|\\.)*)"?|\\.?|[()]|[^"\\()]++', re.DOTALL)
_FOLD = lazy_re(r"\r?\n(?=[ \t])")
# RFC 2045, section 5.1; careless programs add blanks, quotes and other characters.
_WORD = r'[^\s()<>@,;:\\"/\[\]?=]++'
_KIND = lazy_re(rf'[\s"]*+({_WORD})\s*+/\s*+({_WORD})[\s",;]*+')
_STRUCTURED = frozenset(("content-type", "content-transfer-encoding"))  # spelt as the stdlib looks them up
# A field name with blanks before the colon, which RFC 822 allowed; the head of a message or of a part.
_SPACED_NAME = lazy_re(rb"^([A-Za-z][A-Za-z0-9-]{0,60})([ \t]{1,9}):", re.MULTILINE)
_HEAD = lazy_re(rb"(?:\A|\n--[^\n]{1,200}\n)(?>(?:[^\n]++\n?){1,100})")
# In a head: the line end before a line that is no field, such as a continuation line without its blank;
# a field that says how to read the body.
_STRAY = lazy_re(rb"\n(?![!-9;-~]++:|[ \t\n])(?:(?<=[,;:]\n)|(?![^\n]*?(?::/|www\.)))(?=[^\n])")
_READING = lazy_re(rb"\n(?i:content-t(?:ype|ransfer-encoding)|mime-version):")
_LARGEST_HEAD = 1 << 16
_UNFINISHED = lazy_re(rb"\n[^\n]*+(?>(?:(?<=[:;])\n[^\n]++)*)")


def with_plain_names(data: bytes) -> bytes:
    r"""Move blanks before the colon of a field name to after it, so that other offsets do not change.

    >>> with_plain_names(b"Subject : a : b\n\nb : c\n--x\nContent-Type\t: text/html\n")
    b'Subject:  a : b\n\nb : c\n--x\nContent-Type:\t text/html\n'
    """
    return _HEAD.sub(lambda head: _SPACED_NAME.sub(rb"\1:\2", head[0]), data)


def _plain_value(value: str, *, is_kind: bool) -> str:
    """Return the value of a structured field, unfolded and without comments; normalize a type (``is_kind``).

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


# The most characters that are read of a field that says how to read a body: for each semicolon in it, the
# stdlib copies all that follows.
_LONGEST_VALUE = 4_000


class Entity(Message):
    """A message or part that knows its depth, and keeps the messages inside it as raw bytes.

    Multiparts in ``broken`` (depth and boundary) are kept as raw bytes, too. Types and encodings
    in a careless form are understood.
    """

    depth = 0

    def __init__(self, policy: Policy = compat32, broken: frozenset[tuple[int, str]] = frozenset()) -> None:
        super().__init__(policy)
        self._broken = broken

    def get(self, name: str, failobj: Any = None) -> Any:
        """Return a field; one that says how to read the body is cut if too long, and has no comments."""
        value = super().get(name, failobj)
        if value is failobj or name not in _STRUCTURED or not isinstance(value, str | Header):
            return value
        return _plain_value(str(value)[:_LONGEST_VALUE], is_kind=name == "content-type")

    def get_content_type(self) -> str:
        """Return the type; an encoded delivery status gets one that the parser does not take apart."""
        kind = super().get_content_type()
        is_encoded = kind == "message/delivery-status" and encoding_of(self) in ("base64", "quoted-printable")
        return "message/global-delivery-status" if is_encoded else kind

    def get_boundary(self, failobj: Any = None) -> Any:
        """Return the boundary, even if its closing quote is missing or not at the end."""
        boundary = super().get_boundary(failobj)
        is_open = isinstance(boundary, str) and boundary.startswith('"')
        return boundary[1:].partition('"')[0].rstrip() if is_open else boundary

    def attach(self, payload: Message) -> None:  # type: ignore[override]
        """Add a part, one level deeper."""
        payload.depth = self.depth + 1  # type: ignore[attr-defined]
        super().attach(payload)

    def get_content_maintype(self) -> str:
        """Return the main type for the parser; "text" keeps messages and broken multiparts in one piece."""
        kind = super().get_content_maintype()
        if kind == "message" or self.depth >= MAX_DEPTH:
            return "text"
        return "text" if self._broken and (self.depth, boundary_of(self)) in self._broken else kind

    def raw(self) -> bytes:
        """Return the undecoded body; the public method would decode it by its charset."""
        return raw_bytes(getattr(self, "_payload", None))


def parse_entity(data: bytes) -> Entity:
    """Parse a message; keep a multipart that never begins as raw bytes, for the parser drops its end."""
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
    r"""Return an entity with all its fields, even if a line that is no field ended its head too early.

    If a field that says how to read the body comes after such a line, the line is joined to the one
    before it. A line with a URL is joined only if the one before it ends in ",", ";" or ":". Otherwise
    the URL might become part of a field that is not read.

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
    """Return the bytes from which the parser made a string."""
    return text.encode("ascii", "surrogateescape") if isinstance(text, str) else b""


def raw_fields(entity: Entity) -> list[tuple[bytes, bytes]]:
    """Return the undecoded fields, without the blanks after the colon."""
    return [(raw_bytes(name), raw_bytes(value)) for name, value in entity.raw_items()]


def parameter(entity: Entity, name: str, field: str = "content-type") -> str | None:
    """Return a parameter of a field, decoded by RFC 2231; None if missing or not readable."""
    try:
        value = entity.get_param(name, header=field)
        return None if value is None else collapse_rfc2231_value(value)
    except Exception:
        return None


def boundary_of(entity: Message) -> str | None:
    """Return the boundary that the parser looks for, None if there is none or it is not readable."""
    try:
        return entity.get_boundary()
    except Exception:  # get_boundary raises on some parameters of RFC 2231
        return None


def content_of(entity: Entity) -> Content:
    """Return the content type of an entity."""
    kind = entity.get_content_type()
    if not kind[0].isalpha():  # RFC 2045, section 5.2: an invalid type counts as none
        kind = DEFAULT.kind
    content = Content(
        kind=kind,
        charset=parameter(entity, "charset"),
        flowed=(parameter(entity, "format") or "").lower() == "flowed",
        delsp=(parameter(entity, "delsp") or "").lower() == "yes",
    )
    return content._replace(kind=kind_of_file(file_name_of(entity))) if kind == BYTES else content


def file_name_of(entity: Entity) -> str:
    """Return the file name of an entity, "" if there is none or it is not readable."""
    name = parameter(entity, "filename", "content-disposition") or parameter(entity, "name")
    return decode_words(name or "").strip()


def is_attached(entity: Message) -> bool:
    """Return whether the sender attached a part."""
    return str(entity.get("content-disposition", "")).strip().lower().startswith("attachment")


def encoding_of(entity: Message) -> str:
    """Return the transfer encoding in lower case; correct misspelt base64 and quoted-printable."""
    value = str(entity.get("content-transfer-encoding", "")).strip()
    known = _MISSPELT.match(value)
    if known:
        return "quoted-printable" if known[1] else "base64"
    field = _ENCODING.match(value)
    return field[1].lower() if field else ""


# RFC 2046, section 5.2; RFC 5537, section 2.3 (news); RFC 6532, section 3.7 (global).
_MESSAGES = HEADS | {"message/rfc822", "message/global", "message/news", "message/partial"}

_SPACE = lazy_re(r"\s+")
# A line that begins with hyphens, and the head of a part after it; RFC 2046, section 5.1.1.
_BOUNDARY = lazy_re(
    rb"(?:\A|\n)--([A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-])\n(?=Content-[A-Za-z-]{2,20}:)"
)


def walk_any(data: bytes, sink: PartSink) -> None:
    """Hand the parts of any message to ``sink``."""
    data = with_plain_names(data)
    _Walk(data, sink, parse_entity(data)).all()


class _Walk:
    """Walks over the parts of one message in order, and tracks its offset in the bytes."""

    def __init__(self, data: bytes, sink: PartSink, message: Entity) -> None:
        self._data, self._out = data, sink
        self._at = 0
        self._has_guessed = False
        self._spare = 4 * len(data)  # bytes that may be parsed again
        self._message = self._whole(message)
        sink.describe(Field(name, value) for name, value in raw_fields(self._message))
        self._context = sink.context

    def all(self) -> None:
        """Walk over the whole message."""
        self._entity(self._message, self._context.path)

    def _whole(self, entity: Entity) -> Entity:
        """Return an entity with all its fields; stop when too many bytes were parsed again."""
        mended = whole_head(entity) if self._spare > 0 else entity
        if mended is not entity:
            self._spare -= len(entity.raw())
        return mended

    def _entity(self, entity: Entity, part: str) -> None:
        """Walk over the fields and the body of the message or a part of it."""
        for name, value in raw_fields(entity):
            self._out.field(Field(name, value, self._find_field(name, value)), part)
        self._dropped(entity, part)
        content = content_of(entity)
        if entity.is_multipart():
            self._multipart(entity, content.kind, part)
            return
        if entity is self._message:
            part = self._context.body_part()
        self._body(entity, content, part)

    def _body(self, entity: Entity, content: Content, part: str) -> None:
        """Walk over the body of an entity that has no parts."""
        out, is_deep = self._out, self._context.depth >= MAX_DEPTH
        payload, encoding = entity.raw(), encoding_of(entity)
        if content.kind == "message/external-body":
            self._external(entity, part)
        if content.kind in UNREADABLE:
            advice = advice_for(content.kind, (parameter(entity, "smime-type") or "").lower())
            if advice:
                out.unread(advice, part)
        elif content.kind in _MESSAGES and not is_deep:
            inner = self._context.inner(part)
            if content.kind in REPORTS:  # its fields describe no message
                inner = inner._replace(provenance=False)
            out.message(undo_transfer(payload, encoding)[0], inner)
        elif content.kind.startswith("multipart/") and (guessed := self._guessed(payload)):
            self._multipart(guessed, content.kind, part)
        elif content.kind in HTTP and not is_deep:
            self._http(undo_transfer(payload, encoding)[0], part)
        else:
            heads = (raw_fields(entity), raw_fields(self._message))
            base = base_url(chain(*heads)) or self._context.page if content.kind in MARKUP else None
            body = Body(payload, content, encoding, self._find(payload), base, is_attached(entity))
            out.text(body, part)

    def _guessed(self, data: bytes) -> Entity | None:
        """Return the multipart that a body seems to be, though its boundary is not declared; only once."""
        line = None if self._has_guessed else _BOUNDARY.search(data)
        if line is None:
            return None
        self._has_guessed = True
        entity = parse_entity(b'Content-Type: multipart/mixed; boundary="%s"\n\n%s' % (line[1], data))
        return entity if entity.is_multipart() else None

    def _http(self, data: bytes, part: str) -> None:
        """Walk over an HTTP message; URLs in its page are resolved against the URL it was fetched from."""
        first, message, complaint = undo_http(data)
        if complaint:
            self._out.unread(complaint, part)
        self._beside(first.decode("ascii", "surrogateescape"), part)
        page = base_url(raw_fields(self._message)) or self._context.page
        self._out.message(message, self._context.inner(part)._replace(page=page))

    def _dropped(self, entity: Entity, part: str) -> None:
        """Walk over the lines of a head that the parser counts neither as a field nor as body."""
        lines = [entity.get_unixfrom(), *(getattr(defect, "line", None) for defect in entity.defects)]
        for line in lines:
            if isinstance(line, str):
                self._beside(line, part)

    def _multipart(self, entity: Entity, kind: str, part: str) -> None:
        """Walk over the preamble, the parts and the epilogue."""
        self._out.multipart(kind, part)
        self._beside(entity.preamble, part)
        for number, child in enumerate(entity.get_payload(), 1):
            self._entity(self._whole(child), self._context.child(part, number))
        self._beside(entity.epilogue, part)

    def _beside(self, text: str | None, part: str) -> None:
        """Walk over a text outside the parts."""
        data = raw_bytes(text)
        if data.strip():
            self._out.beside(data, self._find(data), part)

    def _external(self, entity: Entity, part: str) -> None:
        """Hand over the URL of a body that is stored elsewhere (RFC 2017)."""
        url = _SPACE.sub("", parameter(entity, "url") or "")
        if url:
            self._out.external(url, part)

    def _find_field(self, name: bytes, value: bytes) -> int | None:
        """Return the offset of a field's value in the bytes of the message, None if it is not found."""
        at = self._at if self._data.startswith(name + b":", self._at) else -1
        if at < 0:
            at = self._data.find(b"\n" + name + b":", max(0, self._at - 1)) + 1
            if not at:
                return None
        start = at + len(name) + 1
        while self._data[start : start + 1] in (b" ", b"\t"):
            start += 1
        if not self._data.startswith(value, start):
            return None
        self._at = start + len(value)
        return start

    def _find(self, data: bytes) -> int | None:
        """Return the offset of a body in the source, None if it is not certain."""
        if self._context.base is None or not data:
            return None
        for gap in (b"\n\n", b"\n"):  # after a head, and after one whose blank line is missing
            if self._data.startswith(gap + data, self._at):
                at = self._at + len(gap)
                break
        else:
            at = self._data.find(b"\n" + data, self._at) + 1
        if not at:
            return None
        self._at = at + len(data)
        return self._context.place(at)
