"""Read one file, whatever it holds: decompress it, detect what it is, and call its reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from urlextract.doors import load_named
from urlextract.records import Item
from urlextract.sources.compress import (
    MOST_NESTED,
    DamagedError,
    DecompressionBudget,
    decompress,
    layer_of,
)
from urlextract.sources.folders.git import cut_inbox
from urlextract.sources.folders.tree import File, is_number
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.sniff import (
    BINARY_HEAD,
    FORMATS,
    READABLE,
    UTF_16,
    Detection,
    Format,
    sniff,
)
from urlextract.sources.streams import LONGEST_MARK, Origin, blocks_of_file, peek


def read_files(files: Iterator[File], format: str, origin: Origin) -> Iterator[Item]:
    """Read the files of a directory one by one."""
    return (item for file in files for item in read_file(file, format, origin.inside(file.path)))


def read_file(file: File, format: str, origin: Origin) -> Iterator[Item]:
    """Read one file of a directory, in the format that was asked for or by its content."""
    if file.repositories:
        return messages_of(cut_inbox(file.repositories, origin), file.path)
    blocks = blocks_of_file(file.path, origin)
    return read_stream(blocks, format, DecompressionBudget(origin), is_mail=file.is_mail)


def read_stream(
    blocks: Iterator[bytes], format: str, budget: DecompressionBudget, *, is_mail: bool = False
) -> Iterator[Item]:
    r"""Read a stream in ``format``, or by its content if that is no format of files.

    By its content, a file that was found in a directory or in an archive is skipped if it is binary; if it
    ``is_mail``, judged by where it is, it is read as a message, however odd its head.

    >>> items = read_stream(iter([b"Subject: a\n\nhi\n"]), "auto", DecompressionBudget(Origin("x", print)))
    >>> [item.provenance.message for item in items]
    [1]
    """
    format = format_of_file(format)
    detection, _, blocks = sniff(
        decompress(blocks, budget), format, budget.origin.name, is_followed=budget.origin.is_followed
    )
    row = FORMATS[detection.format]
    if row.is_archive:
        return _read_archive(row.reader, blocks, format, budget)
    if budget.origin.within is not None and format == "auto":
        if is_mail and row.name in ("message", "text", "html"):
            format = "message"
        elif row.name == "text":
            head, blocks = peek(blocks, lambda head: len(head) >= BINARY_HEAD)
            if b"\0" in head[:BINARY_HEAD] and not head.startswith(UTF_16):
                return iter(())
    origin = budget.first_only()
    reader = row.if_detected or row.reader
    if format != "auto" and row.name != "empty":
        asked = FORMATS[format]
        reader = asked.reader
        if asked.frame and row is not asked and origin.within is None:
            tell = partial(origin.damage, f"is not in the format {format}")
            blocks = _told_at_end(blocks, asked.frame, tell, if_found=False)
    elif row.refusal:
        blocks = _refused(blocks, row, origin)
    if not reader:
        return iter(())
    read: Callable[[Iterator[bytes], Detection, Origin], Iterator[Item]] = load_named("sources", reader)
    return read(blocks, detection, origin)


def _refused(blocks: Iterator[bytes], row: Format, origin: Origin) -> Iterator[bytes]:
    """Report that the format of a stream is not read, or after its blocks that not all of it is."""
    if not row.unread:
        origin.refuse(row.refusal)
        return iter(())
    return _told_at_end(blocks, row.unread, partial(origin.refuse, row.refusal), if_found=True)


def _told_at_end(
    blocks: Iterator[bytes], pattern: re.Pattern[bytes], tell: Callable[[], None], *, if_found: bool
) -> Iterator[bytes]:
    """Yield the blocks, then call ``tell`` if the pattern is in them, or is not, as ``if_found`` says."""
    found, tail = None, b""
    for block in blocks:
        yield block
        found = found or pattern.search(tail + block)
        tail = (tail + block)[-LONGEST_MARK:]
    if bool(found) is if_found:
        tell()


def _read_archive(
    reader: str, blocks: Iterator[bytes], format: str, budget: DecompressionBudget
) -> Iterator[Item]:
    """Read the members of an archive as the files of a directory, or in the format asked for."""
    if budget.depth >= MOST_NESTED:
        cause = f"archives in archives, more than {MOST_NESTED} deep, cannot be read: unpack it first"
        budget.outermost.refuse("deep", cause)
        return
    members: Iterator[tuple[Iterator[bytes], DecompressionBudget]]
    members = load_named("sources", reader)(blocks, budget)
    try:
        for content, member in members:
            is_mail = is_number(member.origin.name.rpartition("/")[2])
            yield from read_stream(content, format, member, is_mail=is_mail)
    except DamagedError as fault:  # a bomb: a member counts, too
        budget.damage(fault)
    budget.tell_refusals()


def format_of_file(format: str) -> str:
    """Return the format in which files are read if ``format`` was asked for: not that of a directory."""
    return format if format in READABLE else "auto"


def enterable(blocks: Iterator[bytes], format: str, name: str) -> Detection | None:
    """Detect what a file holds from its first blocks; return None if reading cannot resume in its middle.

    It can in plain mailboxes and web archives, and in texts that are not UTF-16.
    """
    format = format_of_file(format)
    detection, head, _ = sniff(blocks, name=name)
    if layer_of(head) or head.startswith(UTF_16) or b"\0" in head:
        return None
    if format == "text" and not FORMATS[detection.format].is_archive:
        return Detection("text")
    is_asked = format in ("auto", detection.format)
    return detection if is_asked and detection.format in ("mbox", "text", "warc") else None
