"""Messages with nothing between them (``cat a.eml b.eml``) are one; what is not decoded of them is told."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from slices import Slices

from urlextract import extract_source
from urlextract.errors import SourceError
from urlextract.records import RawMessage
from urlextract.sources.reading import read_source

PLAIN = b"""\
Return-Path: <ada@example.org>
From: Ada <ada@example.org>
Subject: a plain one
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

QUOTED = b"""\
From: Eve <eve@example.net>
CONTENT-TRANSFER-ENCODING : "Quoted-Printable"
Subject: a field
 that is folded

A long one: http://quoted.example/a/path/that/goes/on/and/on/and/on/and/on/=
to/the/next/line
"""

PARTS = (
    b"""\
From: Cy <cy@example.com>
Subject: two parts, and a message
MIME-Version: 1.0
Content-Type: multipart/mixed;
 boundary="cut here"

--cut here
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<a href=3D"http://parts.example/c">c</a>
--cut here
Content-Type: message/rfc822

"""
    + ENCODED
    + b"--cut here--\n"
)

TOLD = (
    "byte 0: {}: a head within the text, and {} after it that is not decoded: "
    "give each message as a file, or make a mailbox with 'formail'"
)


def read(data: bytes) -> tuple[list[bytes], list[str]]:
    """Return the messages of a stream, and what is told of it."""
    damage: list[SourceError] = []
    items = list(read_source(io.BytesIO(data), on_damage=damage.append, name="x"))
    list(extract_source(io.BytesIO(data), on_damage=damage.append, name="x"))
    return [item.data for item in items if isinstance(item, RawMessage)], [str(each) for each in damage]


@pytest.mark.parametrize("first", [PLAIN, ENCODED, QUOTED, PARTS])
@pytest.mark.parametrize("second", [PLAIN, ENCODED, QUOTED, PARTS])
@pytest.mark.parametrize("between", [b"", b"\n\n"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_messages_without_a_mark_are_one(first: bytes, second: bytes, between: bytes, end: bytes) -> None:
    data = (first + between + second).replace(b"\n", end)
    messages, told = read(data)
    assert messages == [data]
    if second == PLAIN or (first == second != PARTS):  # which is decoded as the text that it is in
        assert told == []
    else:
        is_decoded = second == PARTS and first == QUOTED  # but for the message within
        encoding = "base64" if second == ENCODED or is_decoded else "quoted-printable"
        where = "message 1" if first == PARTS else "message 1, part 1"
        assert told == [f"x, {TOLD.format(where, encoding)}"]


LARGE = ENCODED.replace(b"From", b"X-A: " + b"y" * 900 + b"\n" + b"X-B: z\n" * 9_300 + b"From")


def test_message_before_a_mailbox_is_the_first_of_it() -> None:
    """As Sympa exports it; the heads after postmarks are those of messages."""
    postmark = b"From ada@example.org Mon Nov  2 09:00:00 2026\n"
    data = b"\n".join([PLAIN, postmark + ENCODED, postmark + QUOTED])
    messages, told = read(data)
    assert [each.rstrip() for each in messages] == [each.rstrip() for each in (PLAIN, ENCODED, QUOTED)]
    assert told == []
    for data, number in ((PLAIN + ENCODED + b"\n" + postmark + PLAIN, 1), (postmark + PLAIN + QUOTED, 1)):
        _, (told,) = read(data)
        assert f"message {number}, part 1: a head within the text" in told


PICTURE = base64.encodebytes(b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1" + bytes(90))
HARMLESS = {
    "a forward in text": b"Begin forwarded message:\n\n" + ENCODED.replace(b"base64", b"8bit"),
    "one that was decoded": ENCODED.split(b"\n\n")[0] + b"\n\nSee http://decoded.example/b for it.\n",
    "a decoded one of quoted-printable": QUOTED.replace(b"=\n", b""),
    "a head alone": ENCODED.split(b"\n\n")[0] + b"\n",
    "a quoted one": b"> " + ENCODED.replace(b"\n", b"\n> "),
    "an indented one": b"  " + ENCODED.replace(b"\n", b"\n  "),
    "prose": b"Content-Transfer-Encoding: base64 is what\nit says.\n\nU2VlIGh0dHA6Ly9lbmNvZGVkLmV4YW1wbGU=\n",
    "a picture": b"Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n" + PICTURE,
    "a rule below words": QUOTED.replace(b"=\n", b"\n========\n"),
    "a signature of PGP": QUOTED.replace(b"=\n", b"\n\niD8DBQFBmR2Z8Tk0=\n=abcd\n"),
    "an encoded word": QUOTED.replace(b"=\n", b"\n\nSubject: =?utf-8?q?tides?=\n"),
}


@pytest.mark.parametrize("data", [
    PLAIN, ENCODED, QUOTED, PARTS, LARGE, *(PLAIN + text for text in HARMLESS.values()),
])  # fmt: skip
def test_nothing_is_told_where_nothing_is_lost(data: bytes) -> None:
    assert read(data) == ([data], [])


def test_text_in_base64_after_a_picture_is_told() -> None:
    assert len(read(PLAIN + HARMLESS["a picture"] + b"\n" + ENCODED)[1]) == 1


@pytest.mark.parametrize("size", [1, 7, 100, 4096])
def test_blocks_of_any_size_give_the_same(size: int) -> None:
    data = PARTS + ENCODED
    damage: list[SourceError] = []
    urls = [each.url for each in extract_source(Slices(data, size), on_damage=damage.append, name="x")]
    assert urls == ["http://parts.example/c", "http://encoded.example/b"]
    assert [str(each) for each in damage] == [f"x, {TOLD.format('message 1', 'base64')}"]


@pytest.mark.parametrize("lines", [0, 1_590, 25_000, 51_100, 51_145, 100_000])
def test_head_is_found_wherever_it_stands(lines: int) -> None:
    before = PLAIN + b"a line of forty characters without a URL\n" * lines
    for encoded in (ENCODED, QUOTED):
        found: list[SourceError] = []
        urls = [each.url for each in extract_source(io.BytesIO(before + encoded), on_damage=found.append)]
        assert urls[0] == "http://plain.example/a"
        assert [error.offset for error in found] == [0]


HOSTILE = (
    b"Content-Type: multipart/", b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: base64\n\n", b"Content-Transfer-Encoding: quoted-printable\n\n",
    b"Content-Transfer-Encoding: base64\n\n" + b"A" * 5_000,
    b"Content-Transfer-Encoding: base64\n" + b"a: b\n" * 29,
    b"Content-Transfer-Encoding: base64\n\nAAAAAAAAAAAAAAAA\n", b"\n", b"a:\n b\n",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_text_full_of_heads_takes_linear_time(unit: bytes) -> None:
    assert growth(read, times(unit, PLAIN), 250_000, 1_000_000) < LINEAR


def test_command_tells_it_of_a_pipe_and_of_a_file(tmp_path: Path) -> None:
    """The exit status is that of a source that was not read completely."""
    told = TOLD.format("message 1, part 1", "base64")
    assert outcome(data=PLAIN + ENCODED) == (2, "http://plain.example/a\n", f"urlextract: -, {told}\n")
    (tmp_path / "both.eml").write_bytes(PLAIN + ENCODED)
    for words in ["both.eml"], ["."], ["-J", "2", "both.eml"]:
        status, out, said = outcome(*words, cwd=tmp_path)
        assert (status, out) == (2, "http://plain.example/a\n")
        assert said.endswith(f"both.eml, {told}\n")
