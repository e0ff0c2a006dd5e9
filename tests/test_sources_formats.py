"""News batches, mail folders, web archives and sessions, in slices of any size (SPEC §8)."""

import bz2
import gzip
import io

import pytest
from slices import read

from urlextract import extract_source
from urlextract.sources.formats.messages import COUNT_OFF
from urlextract.sources.streams import BLOCK


def items_of(data, form="auto", told=()):
    """Read in slices of every size, which must not matter; return number, offset and bytes of each item."""
    items, damage = read(data, form)
    assert [error.cause for error in damage] == [*told]
    for size in range(1, 61):
        again, damage = read(data, form, size)
        assert (again, len(damage)) == (items, len(told))
    return [item[1:] for item in items]


def numbered(data, *messages):
    """Return messages that occur unchanged in ``data`` as they are read."""
    return [(number, data.index(each), each) for number, each in enumerate(messages, 1)]


def check_bytes(data, urls, *, placed):
    """Check the number of URLs, how many have a byte offset, and that these are there in the source.

    Text that is not in the source as it is read, as with CR LF, has no offsets.
    """
    found = list(extract_source(io.BytesIO(data)))
    with_byte = [each for each in found if each.byte is not None]
    assert (len(found), len(with_byte)) == (urls, placed)
    assert all(data[each.byte :].startswith(each.raw.encode()) for each in with_byte)


ARTICLES = [
    b"Path: a!b\nSubject: one\n\nsee http://one.example/\n",
    b"Path: a!b\nSubject: two\n\n#! rnews 5\nis a line of it\n\nhttp://two.example/\n",
    b"Path: a!c\nSubject: three\n\n..see http://three.example/\n.\n",
]
ONE, TWO, THREE = ARTICLES


def batch(*articles, more=0):
    """Return a news batch, with counts that are off by ``more`` for each line."""
    return b"".join(b"#! rnews %d\n%b" % (len(each) + more * each.count(b"\n"), each) for each in articles)


BATCH = batch(*ARTICLES)
TWICE = b"#! gunbatch\n" + gzip.compress(b"#! bunbatch\n" + bz2.compress(BATCH))
WIRE = batch(ONE, THREE).replace(b"\n", b"\r\n")  # its counts are too small, and it is in wire format
LINE = b"\1\1\1\1\n"  # MMDF: mmdf(5)
LETTERS = [
    b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\nSubject: one\n\nhttp://one.example/\n",
    b"Subject: two\n\nFrom here on \1\1\1\1\n\n \1\1\1\1\nhttp://two.example/\n\n\n",
    b"Subject: three\n\nhttp://three.example/",
]
MMDF = LINE + LETTERS[0] + LINE + LINE + LETTERS[1] + LINE
MMDF_CRLF = b"".join(LINE + letter + b"\n" + LINE for letter in LETTERS).replace(b"\n", b"\r\n")


def record(block, *, length=None, version=b"1.0"):
    """Return a record of a web archive (ISO 28500): version, fields, blank line, block, two line ends."""
    size = len(block) if length is None else length
    head = b"WARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % size
    return b"WARC/" + version + b"\r\n" + head + block + b"\r\n\r\n"


def content(block):
    """Return the fields and the block, which are a message."""
    return record(block).partition(b"\r\n")[2][: -len(b"\r\n\r\n")]


BLOCKS = [
    b"see http://one.example/\n",
    b"\r\n\r\nWARC/1.0\r\nis no record, see http://two.example/",
    b"http://three.example/\r\n\r\n",
]
CONTENTS = [*map(content, BLOCKS)]
WARC = b"".join(map(record, BLOCKS))
MAIL = b"From: a@b.example\nSubject: x\n\nsee http://x.example/ now\n"
LIST = b"<?xml version='1.0'?>\n<plist><string>http://no.example/</string></plist>\n"
EMLX = b"%-10d\n" % len(MAIL) + MAIL + LIST
SESSION = (  # RFC 3977
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
AFTER_ANSWER = [b"200 years, see http://x.example/\r\n", b"250 http://x.example/\r\nmore\r\n", b"..x\r\n"]
CASES = {  # data, their form, and what is read: messages that are there unchanged, or bytes alone
    "rnews: counts decide where articles end": (BATCH, "auto", numbered(BATCH, *ARTICLES)),
    "rnews of one article": (batch(ONE), "auto", numbered(batch(ONE), ONE)),
    "rnews of an empty one": (b"#! rnews 0\n" + batch(ONE), "auto", [(1, 23, ONE)]),
    "rnews, LF for CR LF": (batch(ONE, THREE, more=1), "auto",
        numbered(batch(ONE, THREE, more=1), ONE, THREE)),
    "rnews, CR LF for LF": (WIRE, "auto", [
        (1, 13, ONE.replace(b"\n", b"\r\n")),
        (2, WIRE.index(b"Path: a!c"), THREE[:-2].replace(b"..", b".").replace(b"\n", b"\r\n")),
    ]),
    **{f"rnews, packed {number}": (line + pack(BATCH), "auto", numbered(BATCH, *ARTICLES)) for number, line,
        pack in [
        (1, b"#! gunbatch\n", gzip.compress), (2, b"#! bunbatch\n", bz2.compress),
        (3, b"#! gunbatch\r\n", gzip.compress), (4, b"#! zunbatch\n", gzip.compress),
    ]},
    "rnews, packed in gzip": (gzip.compress(b"#! bunbatch\n" + bz2.compress(BATCH)), "auto",
                              numbered(BATCH, *ARTICLES)),
    "rnews, packed twice": (TWICE, "auto", numbered(BATCH, *ARTICLES)),
    "MMDF": (MMDF, "auto", numbered(MMDF, *LETTERS[:2])),
    "MMDF without its end": (LINE + LETTERS[2], "auto", [(1, 5, LETTERS[2])]),
    "MMDF, CR LF": (MMDF_CRLF, "auto", [letter.replace(b"\n", b"\r\n") + b"\r\n" for letter in LETTERS]),
    "WARC: lengths decide where records end": (WARC, "auto", [
        (number, sum(len(record(block)) for block in BLOCKS[: number - 1]) + 10, each)
        for number, each in enumerate(CONTENTS, 1)
    ]),
    **{f"WARC, {version}": (record(BLOCKS[0], version=version) + record(BLOCKS[1], version=version), "auto",
        CONTENTS[:2])
       for version in (b"0.17", b"0.18", b"1.1")},
    "WET, packed by records": (b"".join(gzip.compress(record(block)) for block in BLOCKS), "auto", CONTENTS),
    "WARC, cut short": (WARC[:-30], "auto", [*CONTENTS[:2], CONTENTS[2][:-26]]),
    "WARC without a length": (
        (warcinfo := b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\nhttp://a.example/\r\n\r\n") + record(
            BLOCKS[0]), "auto",
        [warcinfo[10:], CONTENTS[0]]),
    "a session, whose articles have no offset": (SESSION, "auto",
        [(n, None, each) for n, each in enumerate(ANSWERED, 1)]),
    "a session, logged with LF": (SESSION.replace(b"\r", b""), "auto",
        [each.replace(b"\r", b"") for each in ANSWERED]),
    "a session with a greeting": (b"200 news.example ready\r\n211 3 1 3 a.b.c\r\n" + SESSION, "nntp",
        ANSWERED),
    "a session, cut short": (SESSION[: SESSION.index(b"last")], "auto",
        [*ANSWERED[:3], b"Path: a!b\r\n\r\n"]),
    **{f"the body after an answer {number}": (b"222 3 <3@a> body\r\n" + body + b".\r\n", "auto",
        [body.removeprefix(b".")])
       for number, body in enumerate(AFTER_ANSWER)},
    "emlx: its count decides where the message ends": (EMLX, "auto", [(1, 11, MAIL)]),
    **{f"emlx, an invalid count {line!r:.9}": (line + b"\n" + MAIL, "emlx", 1)
       for line in (b"1" * 5000, b"9" * 15, b" 12 ")},
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_format_is_cut_into_its_messages(name):
    data, form, expected = CASES[name]
    items = items_of(data, form)
    if isinstance(expected, int):
        assert len(items) == expected
    else:
        bare = expected and isinstance(expected[0], bytes)
        assert [item[2] if bare else item for item in items] == expected


@pytest.mark.parametrize("form", ["rnews", "mmdf", "warc", "nntp", "emlx", "mbox", "calendar"])
@pytest.mark.parametrize("data", [b"see http://a.example/\n", b"<p>http://a.example/</p>\n"])
def test_what_is_not_in_the_format_that_was_asked_for_is_read_and_told(form, data):
    read_as = items_of(data, form, told=[f"is not in the format {form}"])
    assert b"".join(item[2] for item in read_as) == data


@pytest.mark.parametrize(("data", "urls", "placed"), [
    (BATCH, 3, 3), (MMDF, 2, 2), (MMDF_CRLF, 3, 0), (WARC, 3, 0), (SESSION, 3, 0), (EMLX, 1, 1),
    *(((record(block, length=length) + record(block)).replace(b"\r\n", b"\n"), 4, 4)
      for block in [b"one two three\n\n\nsee http://one.example/\n\nand http://two.example/\n"]
      for length in (0, 1, 14, 15, 16, 29)),
], ids=range(12))  # fmt: skip
def test_places_of_urls_are_those_of_the_source(data, urls, placed):
    check_bytes(data, urls, placed=placed)


@pytest.mark.parametrize("count", [0, 1, 40, 49, 1000, 999999999999999999])
def test_rnews_with_any_count_loses_no_article(count):
    items = items_of(b"#! rnews %d\n" % count + ONE + batch(THREE))
    assert b"".join(item[2] for item in items).count(b"http://") == 2
    assert items[-1][2] == THREE


@pytest.mark.parametrize("length", [0, 4, 5, 23, 25, 26, 27, 30, 100, 150, 5000, 10**17])
def test_warc_with_any_length_loses_no_url(length):
    """A record extends to the next line that names the version, unless its length goes beyond that."""
    data = record(BLOCKS[0], length=length) + record(BLOCKS[2])
    items = items_of(data)
    assert b"".join(item[2] for item in items).count(b"http://") == 2
    if length < 30:
        first, second = items
        assert (first[2].count(BLOCKS[0][:-1]), second[1:]) == (1, (data.rindex(b"WARC-Type"), CONTENTS[2]))


def test_what_is_cut_short_is_told_after_the_articles_before_it():
    """Anywhere in the last article, or in the command after it; a batch in a batch, up to a limit."""
    for end in range(1, 40):
        items, (damage,) = read(BATCH[:-end])
        assert [item.data for item in items] == [ONE, TWO, THREE[:-end]]
        told = f"news batch is cut short: of the last article {56 - end} of 56 bytes"
        assert (damage.cause, damage.offset) == (told, len(BATCH) - end)
    for end in range(1, 12):
        items, (damage,) = read(BATCH + b"#! rnews 99\n"[:end])
        assert ([item.data for item in items], damage.cause[:23]) == (ARTICLES, "news batch is cut short")
    packed = b"#! gunbatch\n" + gzip.compress(batch(*ARTICLES * 20), 0)
    for cut in range(480, 540):
        items, (damage,) = read(packed[:-cut])
        assert ([item.data for item in items][:3], "gzip data is cut short" in damage.cause) == (
            ARTICLES,
            True,
        )
    data = TWICE
    for _ in range(9):
        data = b"#! gunbatch\n" + gzip.compress(data)
    items, (damage,) = read(data)
    assert (items, damage.cause) == ([], "batch in a batch, more than 4 deep")


def test_wrong_counts_are_a_defect():
    """One of emlx that is too small hides text."""
    for off, defects in ((0, ()), (1, (COUNT_OFF,)), (-1, (COUNT_OFF,))):
        data = batch(THREE) + b"#! rnews %d\n" % (len(ONE) + off) + ONE + batch(TWO)
        assert [each.defects for each in extract_source(io.BytesIO(data))] == [(), defects, ()]
    (found,) = extract_source(io.BytesIO(b"900\n" + MAIL))
    assert (found.url, found.defects) == ("http://x.example/", (COUNT_OFF,))
    assert list(extract_source(io.BytesIO(b"40\n" + MAIL + LIST))) == []
    large = MAIL + b"a line of text\n" * 600_000  # its length is not checked
    (found,) = extract_source(io.BytesIO(b"%d\n" % (len(large) + 9) + large))
    assert found.defects == ()


# --- formats that are refused, and texts that begin like one --------------------------------------

REFUSED = [
    (b"!BDN\x80\xa8\x01\x02SM", "readpst"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "msgconvert"),
    (b"\xcf\xad\x12\xfe\xc5\xfdto", "undbx"), (b"\x78\x9f\x3e\x22\x01\x00", "tnef"),
    (b"Cycbuf3\0", "sm -R"), (b"CBuf4\0\0\0", "sm -R"), (b"CRMT\0\0\0\1", "sm -R"),
    (b"*mbx*\r\n5a6b", "mailutil"), (b"#! c7unbatch\n", "decode"),
    (b"#! cunbatch\n\x1f\x9d\x90", "gzip -dc"), (b"\x1f\x9d\x90 noise", "gzip -dc"),
    (b"7\tone\tme <a@b>\tMon, 14 Nov 1994 09:12:44 GMT\t<7@a>\t\t900\t12\tXref: x a.b:7\n", "cut -f2-5"),
    (b"9\tRe: two\tyou\t\t<9@a>\t<7@a> <8@a>\t\t\r\n", "cut -f2-5"),
    (b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\x1f\x0c\n", "unrmail"),
    (b"Babyl Options:\r\nVersion: 5\r\n", "unrmail"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "tool"), REFUSED, ids=[tool for _, tool in REFUSED])
def test_unsupported_format_is_refused_naming_a_tool(head, tool):
    """Once, also inside gzip."""
    data = head + bytes(600) + b"http://x.example/" + bytes(600)
    for each in (data, gzip.compress(data)):
        for size in (*range(1, 61), BLOCK):
            items, (damage,) = read(each, size=size)
            assert (items, tool in damage.cause) == ([], True)


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
def test_text_that_begins_like_a_format_is_text(text):
    assert items_of(text) == [(None, None, text)]
    urls = ["http://x.example/"] * text.count(b"http")
    assert [found.url for found in extract_source(io.BytesIO(text))] == urls
