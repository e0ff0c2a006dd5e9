"""Read one stream of bytes, whatever it holds: decompress it, detect what it is, and call its reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from urlextract.doors import load_named
from urlextract.records import Item
from urlextract.sources.compress import decompress
from urlextract.sources.compress.layers import DecompressionBudget, layer_of
from urlextract.sources.folders.filters import is_number
from urlextract.sources.formats.table import FORMATS
from urlextract.sources.sniff import Detection, sniff
from urlextract.sources.streams import Place, peek

Member: TypeAlias = tuple[Place, Iterator[bytes], DecompressionBudget]
Items: TypeAlias = Iterator[Item]


UTF_16 = (b"\xff\xfe", b"\xfe\xff")
BINARY_HEAD = 1024  # bytes in which a NUL makes a file of a tree binary
MOST_NESTED = 4  # archives in archives


def read_named(
    blocks: Iterator[bytes], format: str, place: Place, *, budget: DecompressionBudget | None = None
) -> Items:
    r"""Read a stream that the caller named; ``format`` is auto or the name of a format with a reader.

    >>> from urlextract.sources.streams import Place
    >>> items = read_named(iter([b"Subject: a\n\nhi\n"]), "auto", Place("x", print))
    >>> [item.origin.message for item in items]
    [1]
    """
    budget = budget or DecompressionBudget(place)
    detection, _, blocks = sniff(decompress(blocks, place, budget), format)
    return _read(blocks, detection, format, place, budget)


def read_walked(
    blocks: Iterator[bytes], place: Place, *, is_mail: bool, budget: DecompressionBudget | None = None
) -> Items:
    """Read a file that was found in a directory, or in an archive.

    If it ``is_mail``, judged by where it is, it is read as a message, however odd
    its head; otherwise it is skipped if it is binary.
    """
    budget = budget or DecompressionBudget(place)
    detection, _, blocks = sniff(decompress(blocks, place, budget))
    format = "auto"
    if is_mail and detection.format in ("message", "text", "html"):
        format = "message"
    elif detection.format == "text":
        head, blocks = peek(blocks, lambda head: len(head) >= BINARY_HEAD)
        if is_binary(head):
            return iter(())
    return _read(blocks, detection, format, place, budget)


def is_binary(head: bytes) -> bool:
    r"""Return whether a file has a NUL near its beginning and so is no text; UTF-16 may have some.

    >>> is_binary(b"\x7fELF\1\0"), is_binary(b"\xff\xfea\0")
    (True, False)
    """
    return b"\0" in head[:BINARY_HEAD] and not head.startswith(UTF_16)


def enterable(blocks: Iterator[bytes], format: str) -> Detection | None:
    """Detect what a file holds from its first blocks; return None if reading cannot resume in its middle.

    It can in plain mailboxes, and in texts that are not UTF-16.
    """
    detection, head, _ = sniff(blocks)
    if layer_of(head) or head.startswith(UTF_16) or b"\0" in head:
        return None
    if format == "text" and not FORMATS[detection.format].is_archive:
        return Detection("text")
    is_asked = format in ("auto", detection.format)
    return detection if is_asked and detection.format in ("mbox", "text") else None


def _read(
    blocks: Iterator[bytes], detection: Detection, format: str, place: Place, budget: DecompressionBudget
) -> Items:
    """Read a stream in the format that was asked for, or by its content; report why it cannot be read."""
    row = FORMATS[detection.format]
    if row.is_archive:
        return _read_archive(row.reader, blocks, format, place, budget)
    reader = row.if_detected or row.reader
    if format != "auto" and row.name != "empty":
        reader = FORMATS[format].reader
    elif row.refusal:
        budget.first_only(place).damage(row.refusal)
    if not reader:
        return iter(())
    items: Items = load_named("sources", reader)(blocks, detection, budget.first_only(place))
    return items


def _read_archive(
    reader: str, blocks: Iterator[bytes], format: str, place: Place, budget: DecompressionBudget
) -> Items:
    """Read the members of an archive as the files of a directory, or in the format asked for."""
    if budget.depth >= 2 * MOST_NESTED:  # an archive, and a member of it
        place.damage(f"archives in archives, more than {MOST_NESTED} deep")
        return
    members: Iterator[Member] = load_named("sources", reader)(blocks, place, budget)
    for member, content, inside in members:
        if format == "auto":
            is_mail = is_number(member.name.rpartition("/")[2])
            yield from read_walked(content, member, is_mail=is_mail, budget=inside)
        else:
            yield from read_named(content, format, member, budget=inside)
