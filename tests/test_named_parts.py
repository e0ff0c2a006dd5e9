"""Parts of no known type (`application/octet-stream`), which are read as the names of their files say."""

from __future__ import annotations

import base64

import pytest
from scans import urls_only

from urlextract import extract_message
from urlextract.records import Provenance, RawMessage

PAGE = '<p><a href="http://a.example/?x=1&amp;y=2">in it</a></p>\n'
NOTE = "see http://a.example/?x=1&amp;y=2 now\n"
INSIDE = "Subject: inside\nContent-Type: text/html\n\n" + PAGE
CALENDAR = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nURL:http://a.example/?x=1&y=\n 2\nEND:VEVENT\nEND:VCALENDAR\n"
BYTES = "application/octet-stream"
ATTACHED = "Content-Disposition: attachment"
DECODED, AS_IT_STANDS = "http://a.example/?x=1&y=2", "http://a.example/?x=1&amp;y=2"


def message(kind, disposition, text, encoding="7bit"):
    data = base64.encodebytes(text.encode()).decode() if encoding == "base64" else text
    return (
        "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b\n"
        f"Content-Type: {kind}\n{disposition}Content-Transfer-Encoding: {encoding}\n\n{data}\n--b--\n"
    ).encode()


def urls(data):
    """Return the URLs of a message, which the way for URLs alone must find, too."""
    found = [found.url for found in extract_message(data)]
    assert urls_only([RawMessage(data, Provenance())]) == found
    return found


@pytest.mark.parametrize("encoding", ["7bit", "base64"])
@pytest.mark.parametrize(("kind", "disposition", "text", "expected"), [
    ("application/octet-stream; name=page.html", "", PAGE, DECODED),
    (BYTES, f"{ATTACHED}; filename=page.htm\n", PAGE, DECODED),
    (BYTES, f'{ATTACHED};\n filename="a b.HTML"\n', PAGE, DECODED),
    (BYTES, f"{ATTACHED}; filename*=utf-8''p.html\n", PAGE, DECODED),
    (BYTES, f'{ATTACHED}; filename="=?utf-8?B?cMOkLmh0bWw=?="\n', PAGE, DECODED),
    ("application/octet-stream; name=note.txt", f"{ATTACHED}\n", NOTE, AS_IT_STANDS),
    ("application/octet-stream; name=README.md", "", NOTE, AS_IT_STANDS),
    ("application/octet-stream; name=forwarded.eml", "", INSIDE, DECODED),
    ("application/octet-stream; name=meeting.ics", "", CALENDAR, DECODED),
    ("Application/Octet-Stream (unknown); name=page.html", "", PAGE, DECODED),
])  # fmt: skip
def test_a_part_of_unknown_type_is_read_as_its_file_name_says(kind, disposition, text, expected, encoding):
    assert urls(message(kind, disposition, text, encoding)) == [expected]


@pytest.mark.parametrize(("kind", "disposition"), [
    (BYTES, ""),
    ("application/octet-stream; name=tool.exe", ""),
    ("application/octet-stream; name=html", ""),
    ("application/octet-stream; name=page.html.gz", ""),
    ("application/octet-stream; name=page.html", f"{ATTACHED}; filename=page.bin\n"),
    ("application/pdf; name=page.html", ""),
    ("image/png", f"{ATTACHED}; filename=page.html\n"),
])  # fmt: skip
def test_any_other_binary_part_is_not_read(kind, disposition):
    assert urls(message(kind, disposition, PAGE)) == []


def test_a_page_that_is_the_whole_message_is_read():
    head = b"From: a@b.example\nContent-Type: application/octet-stream; name=page.html\n\n"
    (found,) = extract_message(head + PAGE.encode())
    assert (found.url, found.media_type, found.text) == (DECODED, "text/html", "in it")
