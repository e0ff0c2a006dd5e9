"""News batches, mail folders, web archives and sessions, in slices of any size (SPEC §8)."""

from __future__ import annotations

import bz2
import gzip
import io
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from slices import read_slices

from urlextract import extract_source
from urlextract.errors import SourceError
from urlextract.sources.formats.messages import COUNT_OFF
from urlextract.sources.streams import BLOCK


class Item(NamedTuple):
    """A message, or a text, which has no number."""

    number: int | None
    offset: int | None
    data: bytes


def read(data: bytes, size: int = BLOCK, form: str = "auto") -> tuple[list[Item], list[SourceError]]:
    found, damage = read_slices(data, size, form)
    return [Item(origin.message, origin.offset, content) for origin, content in found], damage


def items_of(data: bytes, form: str = "auto") -> list[Item]:
    """Read in slices of every size, which must not matter."""
    items, damage = read(data, form=form)
    assert not damage
    for size in range(1, 61):
        assert read(data, size, form) == (items, [])
    return items


def numbered(items: Sequence[tuple[int | None, bytes]]) -> list[Item]:
    """Return messages with these offsets and bytes, numbered."""
    return [Item(number, *item) for number, item in enumerate(items, 1)]


def check_bytes(data: bytes, urls: int, *, placed: int) -> None:
    """Check the number of URLs, how many have a byte offset, and that these are there in the source.

    Text that is not in the source as it is read, as with CR LF, has no offsets.
    """
    found = list(extract_source(io.BytesIO(data)))
    with_byte = [each for each in found if each.byte is not None]
    assert (len(found), len(with_byte)) == (urls, placed)
    for each in with_byte:
        assert data[each.byte :].startswith(each.raw.encode()), each


# news batches

ARTICLES = [
    b"Path: a!b\nSubject: one\n\nsee http://one.example/\n",
    b"Path: a!b\nSubject: two\n\n#! rnews 5\nis a line of it\n\nhttp://two.example/\n",
    b"Path: a!c\nSubject: three\n\n..see http://three.example/\n.\n",
]


def batch(articles: Sequence[bytes] = ARTICLES) -> bytes:
    return b"".join(b"#! rnews %d\n" % len(article) + article for article in articles)


def expected(data: bytes, articles: Sequence[bytes] = ARTICLES) -> list[Item]:
    """Return the items of messages that occur unchanged in ``data``."""
    return numbered([(data.index(article), article) for article in articles])


def test_rnews_counts_decide_where_articles_end() -> None:
    """A line of an article may look like a command."""
    assert items_of(batch()) == expected(batch())
    check_bytes(batch(), 3, placed=3)


def test_rnews_of_one_or_no_article_is_read() -> None:
    for before in (b"", b"#! rnews 0\n"):
        data = before + batch(ARTICLES[:1])
        assert items_of(data) == expected(data, ARTICLES[:1])


def test_rnews_with_counts_too_small_after_crlf_conversion_is_read() -> None:
    """Articles of CR LF lines are in wire format."""
    articles = [ARTICLES[0], ARTICLES[2]]
    data = batch(articles).replace(b"\n", b"\r\n")
    crlf = [article.replace(b"\n", b"\r\n") for article in articles]
    offsets = [data.index(article) for article in crlf]
    crlf[1] = b"Path: a!c\r\nSubject: three\r\n\r\n.see http://three.example/\r\n"
    assert items_of(data) == numbered(list(zip(offsets, crlf, strict=True)))


def test_rnews_with_counts_too_large_after_lf_conversion_is_read() -> None:
    """An article extends to the next command."""
    counts = [(len(article) + article.count(b"\n"), article) for article in (ARTICLES[0], ARTICLES[2])]
    data = b"".join(b"#! rnews %d\n%b" % row for row in counts)
    assert items_of(data) == expected(data, [ARTICLES[0], ARTICLES[2]])


@pytest.mark.parametrize("count", [b"0", b"1", b"40", b"49", b"1000", b"999999999999999999"])
def test_rnews_with_any_count_loses_no_article(count: bytes) -> None:
    data = b"#! rnews " + count + b"\n" + ARTICLES[0] + batch(ARTICLES[2:])
    items = items_of(data)
    joined = b"".join(item.data for item in items)
    assert joined.count(b"http://") == 2
    assert items[-1].data == ARTICLES[2]


def test_truncated_rnews_names_the_missing_bytes() -> None:
    """The data that are there are yielded first."""
    data = batch()[:-9]
    items, (damage,) = read(data)
    assert [item.data for item in items] == [*ARTICLES[:2], ARTICLES[2][:-9]]
    assert damage.cause == "news batch is cut short: of the last article 47 of 56 bytes"
    assert damage.offset == len(data)


def test_rnews_truncated_anywhere_in_its_last_article_or_command_is_one_damage() -> None:
    for end in range(1, 40):
        items, damage = read(batch()[:-end])
        assert (len(items), len(damage)) == (3, 1)
    command = b"#! rnews 99\n"
    for end in range(1, len(command) + 1):
        items, (told,) = read(batch() + command[:end])
        assert [item.data for item in items] == ARTICLES
        assert told.cause.startswith("news batch is cut short")


@pytest.mark.parametrize(("off", "defects"), [(0, ()), (1, (COUNT_OFF,)), (-1, (COUNT_OFF,))])
def test_wrong_rnews_count_is_a_defect(off: int, defects: tuple[object, ...]) -> None:
    article = ARTICLES[0]
    data = batch(ARTICLES[2:]) + b"#! rnews %d\n" % (len(article) + off) + article + batch(ARTICLES[1:2])
    found = list(extract_source(io.BytesIO(data)))
    assert [each.defects for each in found] == [(), defects, ()]


@pytest.mark.parametrize(("line", "pack"), [
    (b"#! gunbatch\n", gzip.compress), (b"#! bunbatch\n", bz2.compress),
    (b"#! gunbatch\r\n", gzip.compress), (b"#! zunbatch\n", gzip.compress),
])  # fmt: skip
def test_packed_rnews_offsets_count_unpacked_bytes(line: bytes, pack) -> None:
    """Alone, and inside gzip."""
    assert items_of(line + pack(batch())) == expected(batch())
    assert items_of(gzip.compress(line + pack(batch()))) == expected(batch())


def test_batch_in_a_batch_is_read_up_to_a_limit() -> None:
    data = b"#! gunbatch\n" + gzip.compress(b"#! bunbatch\n" + bz2.compress(batch()))
    assert items_of(data) == expected(batch())
    for _ in range(9):
        data = b"#! gunbatch\n" + gzip.compress(data)
    items, (damage,) = read(data)
    assert items == []
    assert "batch in a batch" in damage.cause


def test_truncated_packed_rnews_yields_the_articles_before() -> None:
    data = b"#! gunbatch\n" + gzip.compress(batch(ARTICLES * 20), 0)
    for cut in range(480, 540):
        items, (damage,) = read(data[:-cut])
        assert [item.data for item in items][:3] == ARTICLES
        assert "gzip data is cut short" in damage.cause


# MMDF (mmdf(5)): a line of four Control-A before and after each message

LINE = b"\1\1\1\1\n"
LETTERS = [
    b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\nSubject: one\n\nhttp://one.example/\n",
    b"Subject: two\n\nFrom here on \1\1\1\1\n\n \1\1\1\1\nhttp://two.example/\n\n\n",
    b"Subject: three\n\nhttp://three.example/",
]


def test_mmdf_separator_lines_delimit_messages() -> None:
    data = b"".join(LINE + letter + LINE for letter in LETTERS[:2])
    assert items_of(data) == expected(data, LETTERS[:2])
    check_bytes(data, 2, placed=2)


def test_mmdf_with_crlf_lines_is_read() -> None:
    letters = [letter.replace(b"\n", b"\r\n") for letter in LETTERS]
    data = b"".join(b"\1\1\1\1\r\n" + letter + b"\r\n" + b"\1\1\1\1\r\n" for letter in letters)
    assert [item.data for item in items_of(data)] == [letter + b"\r\n" for letter in letters]
    check_bytes(data, 3, placed=0)


def test_mmdf_without_its_last_separator_is_read() -> None:
    data = LINE + LETTERS[0] + LINE + LINE + LETTERS[2]
    assert items_of(data) == expected(data, [LETTERS[0], LETTERS[2]])


# web archives (ISO 28500): version, fields, blank line, a block of the given length, two line ends

BLOCKS = [
    b"see http://one.example/\n",
    b"\r\n\r\nWARC/1.0\r\nis no record, see http://two.example/",
    b"http://three.example/\r\n\r\n",
]


def record(block: bytes, *, length: int | None = None, version: bytes = b"1.0") -> bytes:
    size = len(block) if length is None else length
    head = b"WARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % size
    return b"WARC/" + version + b"\r\n" + head + block + b"\r\n\r\n"


def content(block: bytes) -> bytes:
    """Return the fields and the block, which are a message."""
    return record(block).partition(b"\r\n")[2][: -len(b"\r\n\r\n")]


def test_warc_lengths_decide_where_records_end() -> None:
    """A block may hold what looks like a record."""
    data = b"".join(map(record, BLOCKS))
    starts = [sum(len(record(block)) for block in BLOCKS[:at]) + 10 for at in range(3)]
    assert items_of(data) == numbered(list(zip(starts, map(content, BLOCKS), strict=True)))
    check_bytes(data, 3, placed=0)


@pytest.mark.parametrize("version", [b"0.17", b"0.18", b"1.0", b"1.1"])
def test_every_warc_version_is_read(version: bytes) -> None:
    data = record(BLOCKS[0], version=version) + record(BLOCKS[1], version=version)
    assert [item.data for item in items_of(data)] == [content(BLOCKS[0]), content(BLOCKS[1])]


def test_wet_file_with_a_gzip_member_for_each_record_is_read() -> None:
    data = b"".join(gzip.compress(record(block)) for block in BLOCKS)
    assert items_of(data) == items_of(b"".join(map(record, BLOCKS)))


@pytest.mark.parametrize("length", [0, 4, 5, 23, 25, 26, 27, 30, 100, 150, 5000, 10**17])
def test_warc_with_any_length_loses_no_url(length: int) -> None:
    """A record extends to the next line that names the version, unless its length goes beyond that."""
    data = record(BLOCKS[0], length=length) + record(BLOCKS[2])
    items = items_of(data)
    assert b"".join(item.data for item in items).count(b"http://") == 2
    if length < 30:
        first, second = items
        assert (first.data.count(b"see http://one.example/"), second.data) == (1, content(BLOCKS[2]))
        assert second.offset == data.rindex(b"WARC-Type")


@pytest.mark.parametrize("length", [0, 1, 14, 15, 16, 29])
def test_byte_offsets_in_a_warc_with_a_wrong_length_are_right(length: int) -> None:
    block = b"one two three\n\n\nsee http://one.example/\n\nand http://two.example/\n"
    data = (record(block, length=length) + record(block)).replace(b"\r\n", b"\n")
    check_bytes(data, 4, placed=4)


def test_warc_record_without_a_length_is_read() -> None:
    data = b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\nhttp://a.example/\r\n\r\n" + record(BLOCKS[0])
    first, second = items_of(data)
    assert b"http://a.example/" in first.data
    assert second.data == content(BLOCKS[0])


def test_truncated_warc_yields_the_records_before() -> None:
    data = b"".join(map(record, BLOCKS))[:-30]
    assert [item.data for item in items_of(data)][:2] == [content(BLOCKS[0]), content(BLOCKS[1])]


# sessions with a news server (RFC 3977)

SESSION = (
    b"220 1 <1@a> article\r\nPath: a!b\r\nSubject: one\r\n\r\n..see http://one.example/\r\n.x\r\n.\r\n"
    b"221 2 <2@a> head\r\nPath: a!b\r\nX-URL: http://two.example/\r\n.\r\n"
    b"223 3 <3@a> status\r\n"
    b"222 3 <3@a> body\r\nsee http://three.example/\r\n\r\n...\r\n.\r\n"
    b"430 no such article\r\n423 none\r\n"
    b"220 0 <4@a>\r\nPath: a!b\r\n\r\nlast\r\n.\r\n205 bye\r\n"
)
ANSWERED = [
    b"Path: a!b\r\nSubject: one\r\n\r\n.see http://one.example/\r\n.x\r\n",
    b"Path: a!b\r\nX-URL: http://two.example/\r\n",
    b"see http://three.example/\r\n\r\n..\r\n",
    b"Path: a!b\r\n\r\nlast\r\n",
]


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_session_yields_the_articles_of_its_answers(end: bytes) -> None:
    """Also as logged by a script. An article has no byte offset: its dots are doubled in the source."""
    data = SESSION.replace(b"\r\n", end)
    assert items_of(data) == numbered([(None, each.replace(b"\r\n", end)) for each in ANSWERED])
    check_bytes(data, 3, placed=0)


def test_form_nntp_accepts_a_greeting() -> None:
    data = b"200 news.example ready\r\n211 3 1 3 a.b.c\r\n" + SESSION
    assert [item.data for item in items_of(data, "nntp")] == ANSWERED


@pytest.mark.parametrize(
    "body", [b"200 years, see http://x.example/\r\n", b"250 http://x.example/\r\nmore\r\n", b"..x\r\n"]
)
def test_body_begins_after_the_line_of_the_answer(body: bytes) -> None:
    """With a number, or with a dot, which is doubled (RFC 3977, section 3.1.1)."""
    data = b"222 3 <3@a> body\r\n" + body + b".\r\n"
    assert [item.data for item in items_of(data)] == [body.removeprefix(b".")]


def test_truncated_session_yields_the_articles_before() -> None:
    data = SESSION[: SESSION.index(b"last")]
    assert [item.data for item in items_of(data)] == [*ANSWERED[:3], b"Path: a!b\r\n\r\n"]


# Apple Mail

MESSAGE = b"From: a@b.example\nSubject: x\n\nsee http://x.example/ now\n"
LIST = b"<?xml version='1.0'?>\n<plist><string>http://no.example/</string></plist>\n"


def test_count_of_emlx_decides_where_its_message_ends() -> None:
    data = b"%-10d\n" % len(MESSAGE) + MESSAGE + LIST
    assert items_of(data) == numbered([(11, MESSAGE)])
    (found,) = extract_source(io.BytesIO(data))
    assert (found.url, found.byte) == ("http://x.example/", data.index(b"http://x"))


@pytest.mark.parametrize("line", [b"1" * 5000, b"", b"x", b"9" * 15, b" 12 "])
def test_emlx_with_an_invalid_count_is_one_message(line: bytes) -> None:
    assert len(items_of(line + b"\n" + MESSAGE, "emlx")) == 1


def test_too_large_emlx_count_is_a_defect_and_too_small_hides_text() -> None:
    (found,) = extract_source(io.BytesIO(b"900\n" + MESSAGE))
    assert (found.url, found.defects) == ("http://x.example/", (COUNT_OFF,))
    assert list(extract_source(io.BytesIO(b"40\n" + MESSAGE + LIST))) == []


# formats that are refused

REFUSED = [
    (b"!BDN\x80\xa8\x01\x02", "readpst"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "msgconvert"),
    (b"\xcf\xad\x12\xfe\xc5\xfdto", "undbx"),
    (b"\x78\x9f\x3e\x22\x01\x00", "tnef"),
    (b"Cycbuf3\0", "sm -R"),
    (b"CBuf4\0\0\0", "sm -R"),
    (b"CRMT\0\0\0\1", "sm -R"),
    (b"*mbx*\r\n5a6b", "mailutil"),
    (b"#! c7unbatch\n", "decode"),
    (b"#! cunbatch\n\x1f\x9d\x90", "gzip -dc"),
    (b"\x1f\x9d\x90 noise", "gzip -dc"),
    (b"7\tone\tme <a@b>\tMon, 14 Nov 1994 09:12:44 GMT\t<7@a>\t\t900\t12\tXref: x a.b:7\n", "cut -f2-5"),
    (b"9\tRe: two\tyou\t\t<9@a>\t<7@a> <8@a>\t\t\r\n", "cut -f2-5"),
    (b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\x1f\x0c\n", "unrmail"),
    (b"Babyl Options:\r\nVersion: 5\r\n", "unrmail"),
]


@pytest.mark.parametrize(("head", "tool"), REFUSED, ids=[tool for _, tool in REFUSED])
def test_unsupported_format_is_refused_naming_a_tool(head: bytes, tool: str) -> None:
    """Once, also inside gzip."""
    data = head + bytes(600) + b"http://x.example/" + bytes(600)
    for each in (data, gzip.compress(data)):
        for size in (*range(1, 61), BLOCK):
            items, (damage,) = read(each, size)
            assert items == []
            assert tool in damage.cause


# texts that begin like one of these formats

TEXTS = [
    b"#! rnewsletter\nsee http://x.example/\n", b"#! rnews is a line of http://x.example/\n",
    b"#! rnews\nhttp://x.example/\n", b"#! gunbatches, see http://x.example/\n",
    b"#! cunbatch is described in http://x.example/\n", b"#! /bin/sh\n# http://x.example/\n",
    b"\1\1\1\nhttp://x.example/\n", b"BABYL OPTIONS: are what http://x.example/ says\n",
    b"BABYL OPTIONS: Version: http://x.example/\n\nVersion: 5\n", b"WARC/ours is http://x.example/\n",
    b"WARC/2 see http://x.example/\n", b"WARC/1.0 is described in http://x.example/\n",
    b"220 people came, see http://x.example/\n", b"220 1 is what the server of http://x.example/ says\n",
    b"220 1 <http://x.example/>", b"221 <b>bold</b> http://x.example/\n", b"7\thttp://x.example/\n",
    b"7\tone\ttwo\tthree\tfour\tfive\t6\t7\thttp://x.example/\n",
    b"1994\t14\t11\t<b>\tx\t\t\t\thttp://x.example/\n", b"*mbx is http://x.example/\n",
    b"!BD http://x.example/\n", b"PK\3 http://x.example/\n", b"Cycbuf is the magic of http://x.example/\n",
    b"CRMT (RFC 4211) http://x.example/\n", b"*mbx* is what folders begin with: http://x.example/\n",
    b"!BDN http://x.example/\n", b"12\nNote: http://x.example/\n", b"12 http://x.example/\n", b"1994\r\n",
    b"1",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:24]))
def test_text_that_begins_like_a_format_is_text(text: bytes) -> None:
    assert items_of(text) == [Item(None, None, text)]
    urls = ["http://x.example/"] * text.count(b"http")
    assert [found.url for found in extract_source(io.BytesIO(text))] == urls


@pytest.mark.parametrize("form", ["rnews", "mmdf", "warc", "nntp", "emlx", "mbox"])
def test_requested_form_without_its_magic_loses_nothing(form: str) -> None:
    text = b"no mark at all, see http://x.example/\n\nTo: a\n"
    (item,) = items_of(text, form)
    assert item.data == text
