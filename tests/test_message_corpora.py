"""Sample mail: every labelled URL is where its label says (SPEC §6)."""

from __future__ import annotations

import email
import json
import re
from pathlib import Path
from typing import Any

import pytest
from scans import urls_only

from urlextract import extract, extract_message
from urlextract.message.reading import read_message
from urlextract.records import Form, RawMessage, Segment
from urlextract.scanner.attributes import read_value
from urlextract.sources.reading import read_source

CHECKOUT = Path(__file__).resolve().parents[1]
CORPORA = CHECKOUT / "corpora"
SHARED = CHECKOUT.parent / "shared" / "corpora"

NAMES = ("inbox.mbox", "sample.eml", "maildir", "news")


def messages_of(path: Path, form: str = "auto") -> list[RawMessage]:
    items = read_source(path, form, on_damage=lambda _: None)
    return [item for item in items if isinstance(item, RawMessage)]


def source_of(name: str, message: RawMessage) -> str:
    """Return the name of a message's file in a directory, "" if the corpus is one file."""
    below = Path(message.origin.source or "").relative_to(CORPORA / name)
    return "" if below == Path() else str(below)


MESSAGES = {
    (name, source_of(name, message), message.origin.message): message
    for name in NAMES
    for message in messages_of(CORPORA / name)
}


def labels() -> list[Any]:
    """Return all labels of the sample mail, each with the key of its message."""
    rows = []
    for name in NAMES:
        for line in (CORPORA / f"{name}.expected.jsonl").read_text().splitlines():
            label = json.loads(line)
            source = label.get("source", "") if name in ("maildir", "news") else ""
            key = (name, source, label.get("message", 1))
            rows.append(pytest.param(key, label, id=f"{name}-{source}-{key[2]}-{label['url'][:40]}"))
    return rows


def place(segment: Segment, at: int) -> tuple[int, int]:
    """Return the line and column, in the text of the part, of a character of the segment."""
    return segment.text.count("\n", 0, at) + 1, at - segment.text.rfind("\n", 0, at)


@pytest.mark.parametrize(("key", "label"), labels())
def test_labelled_url_is_in_its_part(key: tuple[str, str, int], label: dict[str, Any]) -> None:
    where = label.get("part"), label.get("header")
    read = [s for s in read_message(MESSAGES[key]) if (s.origin.part, s.origin.header) == where]
    segments = [s for s in read if isinstance(s, Segment)]
    if label["form"] == "html-attribute":
        (page,) = read
        urls = [read_value(value.raw, page.bases_of(value)) for value in page.values if not value.is_text]
        assert label["url"] in [reading.url for reading in urls if reading]
    elif not segments:
        (page,) = read
        assert label["raw"] in page.visible
    elif label["form"] == "header":
        (segment,) = segments
        assert segment.form is Form.HEADER
        assert label["url"] in re.sub(r"\s", "", segment.text)
    elif "raw" not in label:
        joined = re.sub(r"\s|^>+", "", "".join(s.text for s in segments), flags=re.MULTILINE)
        assert re.sub(r"^(?:http|ftp)://(?=www|ftp)", "", label["url"]) in joined
    else:
        raw = label["raw"]
        places = {
            place(segment, at.start()): segment
            for segment in segments
            for at in re.finditer(re.escape(raw), segment.text)
        }
        lines = {line for line, _ in places}
        assert label["line"] in lines
        if "column" in label:
            # The label has the place of the wrapper or of the URL inside it.
            starts = [c for line, c in places if line == label["line"]]
            assert any(0 <= c - label["column"] <= len("<URL: ") for c in starts)


def check_offsets(message: RawMessage) -> None:
    base = message.origin.offset or 0
    for segment in read_message(message):
        if segment.byte is not None:
            start = segment.byte - base
            found = message.data[start : start + len(segment.text)]
            assert found == segment.text.encode(), message.origin.source


@pytest.mark.parametrize("key", MESSAGES, ids=lambda key: "-".join(map(str, key)))
def test_segment_byte_offset_points_at_its_text(key: tuple[str, str, int]) -> None:
    check_offsets(MESSAGES[key])


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
