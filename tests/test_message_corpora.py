"""Sample mail: texts are where their offsets say; what the standard library decodes is found (SPEC §6)."""

from __future__ import annotations

import email
from pathlib import Path

import pytest
from scans import urls_only

from urlextract import extract, extract_message
from urlextract.message.segments import read_message
from urlextract.records import RawMessage, Segment
from urlextract.sources.reading import read_source

CHECKOUT = Path(__file__).resolve().parents[1]
CORPORA = CHECKOUT / "corpora"
SHARED = CHECKOUT.parent / "shared" / "corpora"


def messages_of(path: Path, form: str = "auto") -> list[RawMessage]:
    items = read_source(path, form, on_damage=lambda _: None)
    return [item for item in items if isinstance(item, RawMessage)]


def check_offsets(message: RawMessage) -> None:
    base = message.provenance.offset or 0
    for segment in read_message(message):
        if segment.byte is not None:
            start, text = (
                segment.byte - base,
                segment.text if isinstance(segment, Segment) else "".join(segment.pieces),
            )
            assert message.data[start : start + len(text)] == text.encode(), message.provenance.source


@pytest.mark.parametrize("name", ["inbox.mbox", "sample.eml", "maildir", "news"])
def test_segment_byte_offset_points_at_its_text(name: str) -> None:
    messages = messages_of(CORPORA / name)
    assert messages
    for message in messages:
        check_offsets(message)


OTHERS = ("cpython-email", "inn", "mime4j", "rubymail")


@pytest.mark.skipif(not SHARED.is_dir(), reason="no corpora of others beside this checkout")
def test_byte_offsets_and_urls_of_other_mail() -> None:
    """The URLs of text that the standard library decodes are found.

    More come from fields, pages, preambles and inner messages. Records and URLs-only agree.
    """
    paths = [path for name in OTHERS for path in sorted((SHARED / name).rglob("*")) if path.is_file()]
    for path in paths:
        for message in messages_of(path, "message"):
            check_offsets(message)
            found = [each.url for each in extract_message(message.data)]
            assert urls_by_standard_library(message.data) <= set(found), path
            assert urls_only([message]) == found, path


def urls_by_standard_library(data: bytes) -> set[str]:
    """Return the URLs of the text/plain parts that the standard library decodes."""
    urls: set[str] = set()
    for part in email.message_from_bytes(data).walk():
        if part.get_content_type() != "text/plain" or part.is_multipart():
            continue
        body = part.get_payload(decode=True) or b""
        for charset in (part.get_content_charset() or "utf-8", "utf-8", "cp1252"):
            try:
                text = body.decode(charset)
            except (LookupError, UnicodeError):
                continue
            urls.update(found.url for found in extract(text))
            break
    return urls
