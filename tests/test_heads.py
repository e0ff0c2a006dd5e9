"""Messages one after the other (``cat a.eml b.eml``): each is read as a message of its own."""

from __future__ import annotations

import io

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from slices import read_slices

from urlextract import extract_source
from urlextract.records import RawMessage
from urlextract.sources.reading import read_source

PLAIN = b"""\
Return-Path: <ada@example.org>
Received: from a.example by b.example; Mon, 2 Nov 2026 09:00:00 +0000
From: Ada <ada@example.org>
To: list@example.org
Subject: a plain one
Date: Mon, 2 Nov 2026 09:00:00 +0000
Message-ID: <plain@example.org>

See http://plain.example/a for it.
"""

ENCODED = b"""\
From: Bob <bob@example.net>
Subject: in base64
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

U2VlIGh0dHA6Ly9lbmNvZGVkLmV4YW1wbGUvYiBmb3IgaXQuCg==
"""

PARTS = (
    b"""\
Delivered-To: list@example.org
From: Cy <cy@example.com>
Subject: two parts, and a message
Message-ID: <parts@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed;
 boundary="cut here"

--cut here
Content-Type: text/html

<a href="http://parts.example/c">c</a>
--cut here
Content-Type: message/rfc822

"""
    + PLAIN.replace(b"plain", b"inner")
    + b"--cut here--\n"
)

ARTICLE = b"""\
Path: news.example.org!not-for-mail
From: dee@example.org
Newsgroups: comp.example
Subject: an article
Date: 2 Nov 2026 09:00:00 GMT
Message-ID: <article@example.org>

http://article.example/d
"""  # fmt: skip


def messages(data: bytes) -> list[bytes]:
    return [
        item.data for item in read_source(io.BytesIO(data), on_damage=print) if isinstance(item, RawMessage)
    ]


def records(data: bytes) -> list[tuple[str, str | None, str | None, int | None]]:
    found = extract_source(io.BytesIO(data))
    return [(each.url, each.origin.subject, each.origin.message_id, each.origin.message) for each in found]


@pytest.mark.parametrize("between", [b"", b"\n", b"\n\n\n"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_each_message_is_read_by_itself(between: bytes, end: bytes) -> None:
    given = [PLAIN, ENCODED, PARTS, ARTICLE, PARTS, PLAIN]
    data = between.join(given).replace(b"\n", end)
    assert [each.rstrip() for each in messages(data)] == [each.replace(b"\n", end).rstrip() for each in given]
    assert [record[0] for record in records(data)] == [
        "http://plain.example/a",
        "http://encoded.example/b",
        "http://parts.example/c",
        "http://inner.example/a",
        "http://article.example/d",
        "http://parts.example/c",
        "http://inner.example/a",
        "http://plain.example/a",
    ]


@pytest.mark.parametrize("first", [PLAIN, ENCODED, PARTS, ARTICLE])
@pytest.mark.parametrize("second", [PLAIN, ENCODED, PARTS, ARTICLE])
def test_two_messages_have_the_records_of_each(first: bytes, second: bytes) -> None:
    alone, after = records(first), records(second)
    both = [*alone, *((*record[:3], 1 + (record[3] or 0)) for record in after)]
    if all(record[3] == 1 for record in (*alone, *after)):
        assert records(first + second) == both
    else:
        assert [record[:3] for record in records(first + second)] == [record[:3] for record in both]


def test_head_begins_at_its_first_field() -> None:
    letter = PLAIN + b"Ada\nPhone: 555 0100\n"
    assert messages(letter + ENCODED) == [letter, ENCODED]


FORWARDS = {
    "a forward of Gmail": b"---------- Forwarded message ---------\n",
    "a forward of Apple": b"Begin forwarded message:\n\n",
    "a bounce": b"------ This is a copy of the message, including all the headers. ------\n\n",
    "a copy under a word": b"The whole head:\n",
    "a digest": b"-" * 30 + b"\n\n",
    "a forward of old": b">From ada Mon Nov  2 09:00:00 2026\n",
}


@pytest.mark.parametrize("introduction", FORWARDS.values(), ids=FORWARDS)
def test_copy_of_a_message_within_a_text_is_no_next_message(introduction: bytes) -> None:
    data = PLAIN + b"\n" + introduction + ARTICLE
    assert messages(data) == [data]


def test_head_as_people_copy_it_is_no_next_message() -> None:
    data = (
        PLAIN
        + b"\nFrom: Ada\nSent: Monday, 2 November 2026 09:00\nTo: Bob\nSubject: hi\n\nhttp://x.example/\n"
    )
    assert messages(data) == [data]


def test_message_in_an_open_multipart_is_no_next_message() -> None:
    cut = PARTS.removesuffix(b"--cut here--\n")
    assert messages(cut + PLAIN) == [cut + PLAIN]


def test_body_that_is_a_message_is_no_next_message() -> None:
    data = b"From: x@example.org\nSubject: y\nContent-Type: message/rfc822\n\n" + PLAIN
    assert messages(data) == [data]


def test_a_message_that_was_asked_for_is_one() -> None:
    found = read_source(io.BytesIO(PLAIN + PLAIN), "message", on_damage=print)
    assert len(list(found)) == 1


@pytest.mark.parametrize("size", [1, 7, 100, 4096])
def test_blocks_of_any_size_give_the_same_messages(size: int) -> None:
    data = PLAIN + ENCODED + PARTS + ARTICLE
    items, damage = read_slices(data, size, "auto")
    assert [each for _, each in items] == messages(data)
    assert not damage


def test_large_messages_are_cut_too() -> None:
    body = b"a line of text, and no URL in it\n" * 100_000
    data = PLAIN + body + ENCODED + PARTS + body.replace(b"a l", b"Note: l") + ARTICLE
    assert [record[0] for record in records(data)] == [
        "http://plain.example/a",
        "http://encoded.example/b",
        "http://parts.example/c",
        "http://inner.example/a",
        "http://article.example/d",
    ]


@pytest.mark.parametrize("lines", [1_560, 1_590, 1_600, 3_190, 3_200, 3_230])
@pytest.mark.parametrize("length", [900, 1_500, 5_000])
def test_copy_of_a_message_is_none_wherever_the_blocks_end(lines: int, length: int) -> None:
    before = (
        b"From: a@a.example\nMessage-ID: <b@a.example>\nSubject: c\n\n"
        + b"a line without any URL, but long\n" * 10
    )
    copy = b"---- Forwarded message ----\n" + ARTICLE.replace(
        b"\nFrom", b"\nX-A: " + b"y" * length + b"\nFrom"
    )
    data = (
        before
        + b"a line of forty characters without a URL\n" * lines
        + copy
        + b"http://a.example/b\n" * 9_000
    )
    assert messages(data) == [data]
    assert len(records(data)) == 9_001


def test_boundary_is_that_of_the_content_type() -> None:
    data = PARTS.replace(b"Subject: ", b"Subject: multipart/x; boundary=no ", 1)
    assert messages(data + PLAIN) == [data, PLAIN]


HOSTILE = (
    b"Content-Type: multipart/",
    b"--- Forwarded\nFrom: a\nTo: c\nMessage-ID: d\n\n",
    b"From: a\n",
    b"Date: b\n\n",
    b"\n",
    b"a:\n b\n",
    ARTICLE,
    b"Received: a\n" * 9,
    b"a\nFrom: b\nTo: c\nDate: d",
)


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_text_full_of_heads_takes_linear_time(unit: bytes) -> None:
    assert growth(messages, times(unit, PLAIN), 500_000, 4_000_000) < LINEAR


def test_command_reads_them_from_a_pipe() -> None:
    urls = "http://plain.example/a\nhttp://encoded.example/b\n"
    assert outcome(data=PLAIN + ENCODED) == (0, urls, "")
