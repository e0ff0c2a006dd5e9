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
from urlextract.records import Form, Origin, RawMessage, Segment
from urlextract.scanner.attributes import read_value

CHECKOUT = Path(__file__).resolve().parents[1]
CORPORA = CHECKOUT / "corpora"
SHARED = CHECKOUT.parent / "shared" / "corpora"

POSTMARK = re.compile(rb"(?:\A|\n\n)From \S+@\S+ [^\n]*\d\d:\d\d:\d\d \d{4}\n")


def mailbox_messages(path: Path) -> dict[tuple[str, int], RawMessage]:
    """Return the messages of an mbox by their number."""
    data = path.read_bytes()
    marks = list(POSTMARK.finditer(data))
    ends = [mark.start() + 1 for mark in marks[1:]] + [len(data)]
    return {
        ("", number): RawMessage(
            data=data[mark.end() : end], origin=Origin(source=str(path), message=number, offset=mark.end())
        )
        for number, (mark, end) in enumerate(zip(marks, ends, strict=True), 1)
    }


def file_message(path: Path) -> RawMessage:
    """Return the one message of a file; an article in wire format loses its doubled dots."""
    data = path.read_bytes()
    if data.endswith(b"\r\n.\r\n"):
        data = re.sub(rb"(?m)^\.\.", b".", data.removesuffix(b".\r\n"))
    return RawMessage(data=data, origin=Origin(source=str(path), message=1, offset=0))


def sample_messages() -> dict[tuple[str, str, int], RawMessage]:
    """Return all labelled messages by corpus, file and number."""
    messages = {
        ("inbox.mbox", *key): message for key, message in mailbox_messages(CORPORA / "inbox.mbox").items()
    }
    messages["sample.eml", "", 1] = file_message(CORPORA / "sample.eml")
    for name in ("maildir", "news"):
        for path in sorted((CORPORA / name).rglob("*")):
            if path.is_file():
                messages[name, str(path.relative_to(CORPORA / name)), 1] = file_message(path)
    return messages


MESSAGES = sample_messages()


def labels() -> list[Any]:
    """Return all labels of the sample mail, each with the key of its message."""
    rows = []
    for name in ("inbox.mbox", "sample.eml", "maildir", "news"):
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


@pytest.mark.parametrize("key", MESSAGES, ids=lambda key: "-".join(map(str, key)))
def test_segment_byte_offset_points_at_its_text(key: tuple[str, str, int]) -> None:
    message = MESSAGES[key]
    base = message.origin.offset or 0
    for segment in read_message(message):
        if segment.byte is not None:
            start = segment.byte - base
            assert message.data[start : start + len(segment.text)].decode("ascii") == segment.text


def shared_files() -> list[Path]:
    """Return the files of other corpora, if there are any."""
    names = ("cpython-email", "inn", "mime4j", "rubymail")
    return [path for name in names for path in sorted((SHARED / name).rglob("*")) if path.is_file()]


@pytest.mark.skipif(not SHARED.is_dir(), reason="no corpora of others beside this checkout")
def test_segment_byte_offset_points_at_its_text_in_other_mail() -> None:
    for path in shared_files():
        message = file_message(path)
        for segment in read_message(message):
            if segment.byte is not None:
                found = message.data[segment.byte : segment.byte + len(segment.text)]
                assert found == segment.text.encode(), path


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


@pytest.mark.skipif(not SHARED.is_dir(), reason="no corpora of others beside this checkout")
def test_every_url_in_text_decoded_by_the_standard_library_is_found() -> None:
    """More come from fields, pages, preambles and inner messages. Records and URLs-only agree."""
    for path in shared_files():
        message = file_message(path)
        found = [each.url for each in extract_message(message.data)]
        assert urls_by_standard_library(message.data) <= set(found), path
        assert urls_only([message]) == found, path
