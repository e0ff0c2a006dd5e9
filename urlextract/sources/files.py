"""One stream of bytes, whatever it holds: unwrapped, judged and handed to its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from urlextract.records import Origin, RawText
from urlextract.sources.compress import decompress
from urlextract.sources.sniff import Verdict, sniff
from urlextract.sources.streams import peek

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.records import RawMessage
    from urlextract.sources.streams import Place

    Items: TypeAlias = Iterator[RawMessage | RawText]

__all__ = ["READERS", "read_named", "read_walked"]

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
BINARY_HEAD = 1024  # bytes in which a NUL makes a file of a tree binary


def read_named(blocks: Iterator[bytes], form: str, place: Place) -> Items:
    r"""Read a stream that the caller named; ``form`` is auto or one of `READERS`.

    >>> from urlextract.sources.streams import Place
    >>> items = read_named(iter([b"Subject: a\n\nhi\n"]), "auto", Place("x", print))
    >>> [item.origin.message for item in items]
    [1]
    """
    blocks = decompress(blocks, place)
    if form == "text":  # it may be a terminal: more than its first line is not waited for
        head, blocks = peek(blocks, bool)
        verdict = Verdict("text" if head else "empty")
    else:
        verdict, _, blocks = sniff(blocks)
    reader = BY_CONTENT[verdict.form] if form == "auto" or verdict.form == "empty" else READERS[form]
    return reader(blocks, verdict, place.name)


def read_walked(blocks: Iterator[bytes], place: Place, *, is_mail: bool) -> Items:
    """Read a file that was met in a directory.

    Where its place says that it ``is_mail``, it is a message, however odd its
    head; elsewhere it is passed over if it is binary.
    """
    verdict, head, blocks = sniff(decompress(blocks, place))
    reader = BY_CONTENT[verdict.form]
    if is_mail and verdict.form in ("message", "text"):
        reader = _read_one
    elif verdict.form == "text" and is_binary(head):
        reader = _read_nothing
    return reader(blocks, verdict, place.name)


def is_binary(head: bytes) -> bool:
    r"""Tell by a NUL that a file is no text; UTF-16 may have them.

    >>> is_binary(b"\x7fELF\1\0"), is_binary(b"\xff\xfea\0")
    (True, False)
    """
    return b"\0" in head[:BINARY_HEAD] and not head.startswith(UTF_16)


def _read_text(blocks: Iterator[bytes], _: Verdict, source: str) -> Items:
    """Give all of it as one text, as it comes."""
    return iter((RawText(chunks=blocks, origin=Origin(source=source)),))


def _read_nothing(_blocks: Iterator[bytes], _: Verdict, _source: str) -> Items:
    """Give nothing."""
    return iter(())


def _read_one(blocks: Iterator[bytes], verdict: Verdict, source: str) -> Items:
    """Take all of it as one message."""
    from urlextract.sources.mbox import uncut  # noqa: PLC0415 - a text pays for no mail
    from urlextract.sources.messages import messages_of  # noqa: PLC0415 - as above
    from urlextract.sources.wire import undo_wire_format  # noqa: PLC0415 - as above

    return messages_of(uncut(blocks, verdict.head), source, undo_wire_format)


def _read_mbox(blocks: Iterator[bytes], verdict: Verdict, source: str) -> Items:
    """Cut a mailbox into its messages."""
    from urlextract.sources.mbox import cut_at_postmarks  # noqa: PLC0415 - as above
    from urlextract.sources.messages import messages_of  # noqa: PLC0415 - as above

    skip = verdict.start if verdict.form == "mbox" else 0
    return messages_of(cut_at_postmarks(blocks, skip), source)


def _read_message_first(blocks: Iterator[bytes], verdict: Verdict, source: str) -> Items:
    """Read a message, or a mailbox whose first message has no postmark (exports of Sympa)."""
    from urlextract.sources.mbox import cut_at_postmarks  # noqa: PLC0415 - as above
    from urlextract.sources.messages import messages_of  # noqa: PLC0415 - as above
    from urlextract.sources.wire import undo_wire_format  # noqa: PLC0415 - as above

    head = verdict.head
    return messages_of(cut_at_postmarks(blocks, head, start=head), source, undo_wire_format)


READERS: dict[str, Callable[[Iterator[bytes], Verdict, str], Items]] = {
    "text": _read_text,
    "message": _read_one,
    "mbox": _read_mbox,
}
BY_CONTENT = READERS | {"message": _read_message_first, "empty": _read_nothing}
