"""Read one stream of bytes, whatever it holds: decompress it, judge it, and call its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from urlextract.doors import load_named
from urlextract.records import Item, Origin, RawText
from urlextract.sources.compress import decompress
from urlextract.sources.compress.layers import DecompressionBudget as Wrapping
from urlextract.sources.compress.layers import layer_of
from urlextract.sources.folders.filters import is_number
from urlextract.sources.formats.messages import as_it_stands, messages_of
from urlextract.sources.sniff import ZIP, Verdict, sniff
from urlextract.sources.streams import Place, peek

Member: TypeAlias = tuple[Place, Iterator[bytes], Wrapping]
Items: TypeAlias = Iterator[Item]


UTF_16 = (b"\xff\xfe", b"\xfe\xff")
BINARY_HEAD = 1024  # bytes in which a NUL makes a file of a tree binary
MOST_NESTED = 4  # archives in archives


def read_named(
    blocks: Iterator[bytes], form: str, place: Place, *, wrapping: Wrapping | None = None
) -> Items:
    r"""Read a stream that the caller named; ``form`` is auto or one of `READERS`.

    >>> from urlextract.sources.streams import Place
    >>> items = read_named(iter([b"Subject: a\n\nhi\n"]), "auto", Place("x", print))
    >>> [item.origin.message for item in items]
    [1]
    """
    wrapping = wrapping or Wrapping(place)
    blocks = decompress(blocks, place, wrapping)
    if form == "text":  # it may be a terminal: more than its first line is not waited for
        head, blocks = peek(blocks, bool)
        verdict = Verdict("zip" if head.startswith(ZIP) else "text" if head else "empty")
    else:
        verdict, _, blocks = sniff(blocks)
    if verdict.form in ARCHIVES:
        return _read_archive(verdict.form, blocks, form, place, wrapping)
    reader = BY_CONTENT[verdict.form] if form == "auto" or verdict.form == "empty" else READERS[form]
    return reader(blocks, verdict, wrapping.first_only(place))


def read_walked(
    blocks: Iterator[bytes], place: Place, *, is_mail: bool, wrapping: Wrapping | None = None
) -> Items:
    """Read a file that was found in a directory, or in an archive.

    If it ``is_mail``, judged by where it is, it is read as a message, however odd
    its head; otherwise it is skipped if it is binary.
    """
    wrapping = wrapping or Wrapping(place)
    verdict, _, blocks = sniff(decompress(blocks, place, wrapping))
    if verdict.form in ARCHIVES:
        return _read_archive(verdict.form, blocks, "auto", place, wrapping)
    reader = BY_CONTENT[verdict.form]
    if is_mail and verdict.form in ("message", "text", "html"):
        reader = READERS["message"]
    elif verdict.form == "text":
        head, blocks = peek(blocks, lambda head: len(head) >= BINARY_HEAD)
        reader = _read_nothing if is_binary(head) else reader
    return reader(blocks, verdict, wrapping.first_only(place))


def is_binary(head: bytes) -> bool:
    r"""Return whether a file has a NUL near its beginning and so is no text; UTF-16 may have some.

    >>> is_binary(b"\x7fELF\1\0"), is_binary(b"\xff\xfea\0")
    (True, False)
    """
    return b"\0" in head[:BINARY_HEAD] and not head.startswith(UTF_16)


def enterable(blocks: Iterator[bytes], form: str) -> Verdict | None:
    """Judge a file by its first blocks; return None if reading cannot resume in its middle.

    It can in plain mailboxes, and in texts that are not UTF-16.
    """
    verdict, head, _ = sniff(blocks)
    if layer_of(head) or head.startswith(UTF_16) or b"\0" in head:
        return None
    if form == "text" and verdict.form not in ARCHIVES:
        return Verdict("text")
    return verdict if verdict.form in ("mbox", "text") and form in ("auto", verdict.form) else None


def _read_archive(kind: str, blocks: Iterator[bytes], form: str, place: Place, wrapping: Wrapping) -> Items:
    """Read the members of an archive as the files of a directory, or in the form asked for."""
    if wrapping.depth >= 2 * MOST_NESTED:  # an archive, and a member of it
        place.damage(f"archives in archives, more than {MOST_NESTED} deep")
        return
    members: Iterator[Member] = load_named("sources", ARCHIVES[kind])(blocks, place, wrapping)
    for member, content, inside in members:
        if form == "auto":
            is_mail = is_number(member.name.rpartition("/")[2])
            yield from read_walked(content, member, is_mail=is_mail, wrapping=inside)
        else:
            yield from read_named(content, form, member, wrapping=inside)


def _read_text(blocks: Iterator[bytes], _: Verdict, place: Place) -> Items:
    """Return the whole stream as one text."""
    return iter((RawText(chunks=blocks, origin=Origin(source=place.name)),))


def _read_page(blocks: Iterator[bytes], _: Verdict, place: Place) -> Items:
    """Return the whole stream as one page of HTML."""
    return iter(
        (RawText(chunks=blocks, origin=Origin(source=place.name, media_type="text/html"), is_page=True),)
    )


def _read_nothing(_blocks: Iterator[bytes], _: Verdict, _place: Place) -> Items:
    """Yield nothing."""
    return iter(())


def _refuse(_: Iterator[bytes], verdict: Verdict, place: Place) -> Items:
    """Report why the stream cannot be read, and yield nothing."""
    place.damage(verdict.refusal)
    return iter(())


class Named:
    """A reader as ``module:name``, which is loaded when it is needed."""

    __slots__ = ("_reader",)

    def __init__(self, reader: str) -> None:
        self._reader = reader

    def __call__(self, blocks: Iterator[bytes], verdict: Verdict, place: Place) -> Items:
        """Read the stream."""
        items: Items = load_named("sources", self._reader)(blocks, verdict, place)
        return items


class Cut:
    """A reader that cuts a stream into messages.

    ``cut`` and ``finish`` are functions, as ``module:name``, that are loaded when needed. ``finish``
    is applied to each message that is held as a whole. Without ``blanks`` blank messages are left out.
    """

    __slots__ = ("_blanks", "_cut", "_finish")

    def __init__(self, cut: str, finish: str | None = None, *, blanks: bool = True) -> None:
        self._cut, self._finish, self._blanks = cut, finish, blanks

    def __call__(self, blocks: Iterator[bytes], verdict: Verdict, place: Place) -> Items:
        """Read the stream."""
        pieces = load_named("sources", self._cut)(blocks, verdict)
        finish = load_named("sources", self._finish) if self._finish else as_it_stands
        return messages_of(pieces, place.name, finish, blanks=self._blanks)


ARCHIVES = {"zip": "compress.zips:members", "tar": "compress.tars:tar_members"}
READERS: dict[str, Callable[[Iterator[bytes], Verdict, Place], Items]] = {
    "text": _read_text,
    "html": _read_page,
    "message": Cut("formats.messages:uncut", "formats.usenet:undo_wire_format"),
    "mbox": Cut("formats.mbox:cut_mailbox"),
    "rnews": Named("formats.usenet:read_rnews"),
    "nntp": Cut("formats.usenet:cut_nntp", "formats.usenet:undo_nntp", blanks=False),
    "mmdf": Cut("formats.mailboxes:cut_mmdf", blanks=False),
    "babyl": Cut("formats.mailboxes:cut_babyl", "formats.mailboxes:undo_babyl", blanks=False),
    "warc": Cut("formats.warc:cut_warc"),
    "emlx": Cut("formats.mailboxes:cut_emlx"),
    "overview": Named("formats.usenet:read_overview"),
}
BY_CONTENT: dict[str, Callable[[Iterator[bytes], Verdict, Place], Items]] = READERS | {
    # a mailbox whose first message has no postmark begins as a message does (exports of Sympa)
    "message": Cut("formats.mbox:cut_behind_message", "formats.usenet:undo_wire_format"),
    "empty": _read_nothing,
    "refused": _refuse,
}
