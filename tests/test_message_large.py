"""Very large messages: attachments are skipped, texts are read in pieces, memory is bounded (SPEC §8)."""

from __future__ import annotations

import base64
import io
import os
import quopri
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from costs import LINEAR, growth
from hostile import times
from remarks import part_of
from sampled import mostly_slow
from scans import urls_only
from slices import Slices

from urlextract import Found, extract_message, extract_source
from urlextract.message import limits
from urlextract.sources.formats import messages
from urlextract.sources.reading import read_source

HELD, KEPT = 4_000, 60_000


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LARGEST_HELD", HELD)
    for name in ("PART", "PREAMBLE", "PIECE", "WINDOW"):
        monkeypatch.setattr(limits, name, KEPT)


def read(data: bytes, size: int = 1000) -> list[Found]:
    """Read a message as a source, in slices; the URLs-only reader must agree."""
    found = list(extract_source(Slices(data, size)))
    items = read_source(Slices(data, size), on_damage=pytest.fail)
    assert urls_only(items) == [each.url for each in found]
    return found


def parts_of(found: list[Found]) -> list[tuple[str, str | None]]:
    """Return the first label of each host, and the part."""
    return [(each.url.split("://")[1].split(".")[0], part_of(each)) for each in found]


def check_bytes(found: list[Found], data: bytes, *, at_least: int) -> None:
    """Check that so many URLs or more have a byte offset, and are there."""
    with_byte = [each for each in found if each.byte is not None]
    assert len(with_byte) >= at_least
    for each in with_byte:
        assert data[each.byte :].startswith(each.raw.encode()), each


IMAGE = base64.encodebytes(random.Random(4).randbytes(150_000))
PICTURE = (
    b"Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment\n\n" + IMAGE
)


def text(name: str, kind: str = "text/plain") -> bytes:
    return f"Content-Type: {kind}\n\nsee http://{name}.example/ here\n".encode()


def multipart(*parts: bytes, boundary: str = "b", kind: str = "mixed", is_closed: bool = True) -> bytes:
    """Return a multipart body with its header."""
    line = f"--{boundary}\n".encode()
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode()
    end = f"--{boundary}--\n".encode() if is_closed else b""
    return head + b"".join(line + part for part in parts) + end


HEAD = b"Subject: http://head.example/\nMessage-ID: <1@a>\nMIME-Version: 1.0\n"
MESSAGE = HEAD + multipart(text("one"), PICTURE, text("two"))


@pytest.mark.parametrize("size", [100, 1000, 65536])
def test_attachment_between_two_texts_is_skipped(size: int) -> None:
    """What is before it keeps its byte offset."""
    found = read(MESSAGE, size)
    assert parts_of(found) == [("head", "Subject"), ("one", "1"), ("two", "3")]
    assert [each.byte for each in found[:2]] == [MESSAGE.index(b"http://head"), MESSAGE.index(b"http://one")]
    check_bytes(found, MESSAGE, at_least=2)
    assert {each.message_id for each in found} == {"<1@a>"}


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_html_beyond_the_bound_is_read_as_html(encoding: str) -> None:
    """In both alternatives of a message; the plain text after it is read as text."""
    links = [f"http://a.example/{number}?x&y" for number in range(2_000)]
    shown = (link.replace("&", "&amp;") for link in links)
    page = "".join(f'<p>See <a href="{link}">this</a>.</p>\n' for link in shown).encode()
    encode = {"7bit": bytes, "quoted-printable": quopri.encodestring, "base64": base64.encodebytes}[encoding]
    data = (
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n"
        b"Content-Transfer-Encoding: %s\n\n%s\n--b\nContent-Type: text/plain\n\n<http://b.example/>\n--b--\n"
        % (encoding.encode(), encode(page))
    )
    assert len(page) > 2 * KEPT
    found = read(data)
    assert [each.url for each in found] == [*links, "http://b.example/"]
    assert {each.form.value for each in found[:-1]} == {"html-attribute"}
    assert found[-1].form.value == "angle"
    assert {each.subject for each in found} == {"x"}


@pytest.mark.parametrize("end", [b"\r\n", b"\r\r\n"])
def test_attachment_is_skipped_with_other_line_ends(end: bytes) -> None:
    found = read(MESSAGE.replace(b"\n", end))
    assert parts_of(found) == [("head", "Subject"), ("one", "1"), ("two", "3")]
    assert {each.byte for each in found} == {None}


def test_messages_after_a_large_one_keep_number_and_offset() -> None:
    """Three of the six messages are large."""
    postmark = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"
    small = b"Subject: x\n\nhttp://small.example/\n"
    box = b"".join(postmark + each + b"\n" for each in (small, MESSAGE, small, MESSAGE, MESSAGE, small))
    found = read(box)
    three = ["head", "one", "two"]
    expected = {1: ["small"], 2: three, 3: ["small"], 4: three, 5: three, 6: ["small"]}
    assert [(each.message, name) for each, (name, _) in zip(found, parts_of(found), strict=True)] == [
        (number, name) for number, names in expected.items() for name in names
    ]
    check_bytes(found, box, at_least=9)
    assert found[-1].byte == box.rindex(b"http://small")
    assert {each.offset for each in found if each.message == 5} == {box.rindex(MESSAGE)}


@pytest.mark.parametrize("kind", [
    b"image/gif", b"application/octet-stream", b"audio/x", b"video/mp4", b"application/zip", b"font/x",
])  # fmt: skip
def test_part_of_a_binary_type_is_skipped(kind: bytes) -> None:
    data = HEAD + multipart(text("one"), PICTURE.replace(b"image/png", kind), text("two"))
    assert parts_of(read(data)) == [("head", "Subject"), ("one", "1"), ("two", "3")]
    whole = HEAD + b"Content-Type: " + kind + b"\nContent-Transfer-Encoding: base64\n\n" + IMAGE
    assert parts_of(read(whole)) == [("head", "Subject")]


ONE, TWO, ATTACHED = text("one"), text("two"), b"\nContent-Disposition: attachment\n\n"
LINES_LIKE_A_BOUNDARY = b"--bb\n--\n --b\n--b x\nx--b\n" + bytes(range(256)) + b"\r\n--b-\n"
NOTE = text("note").replace(b"\n\n", ATTACHED)
RFC822 = b"Content-Type: message/rfc822"
INNER = base64.encodebytes(b"Subject: http://inner.example/\n\nhttp://deep.example/\n")
LARGE_FIELD = b"To: " + b"joe@example.org, al@example.org,\n " * 1_000 + b"ann@example.org\n"
NON_ASCII = multipart(ONE, PICTURE, TWO, boundary="\u00e4")
TEN_TIMES = text("in") + b"\n"
for depth in range(10):
    TEN_TIMES = multipart(PICTURE[:5_000] + b"\n", TEN_TIMES, boundary=f"x{depth}")
MANY = [part for n in range(30) for part in (text(f"t{n}"), PICTURE[:9_000] + b"\n")]

STRUCTURES: dict[str, tuple[bytes, list[tuple[str, str | None]]]] = {  # and what is found after the head
    "lines that are nearly a boundary": (
        multipart(ONE, b"Content-Type: image/png\n\n" + LINES_LIKE_A_BOUNDARY * 200 + b"\n", TWO),
        [("one", "1"), ("two", "3")]),
    "attached texts": (
        multipart(ONE, PICTURE, NOTE, text("page", "text/html"), PICTURE, TWO),
        [("one", "1"), ("note", "3"), ("page", "4"), ("two", "6")]),
    "many attachments": (multipart(*MANY), [(f"t{n}", f"{2 * n + 1}") for n in range(30)]),
    "a preamble and an epilogue": (
        multipart(ONE, PICTURE).replace(b"\n\n", b"\n\nhttp://before.example/\n", 1)
        + b"http://behind.example/\n",
        [("before", None), ("one", "1"), ("behind", None)]),
    "no last boundary": (multipart(ONE, PICTURE, TWO, is_closed=False), [("one", "1"), ("two", "3")]),
    "no last boundary after an attachment": (multipart(ONE, PICTURE, is_closed=False), [("one", "1")]),
    "one boundary begins with another, and an inner multipart is not closed": (
        multipart(
            multipart(text("plain"), text("html", "text/html"), boundary="b1", kind="alternative"), PICTURE,
            multipart(PICTURE, text("three"), boundary="b1b", is_closed=False), text("four")),
        [("plain", "1.1"), ("html", "1.2"), ("three", "3.2"), ("four", "4")]),
    # RFC 2231 allows it, RFC 2046 forbids it; the standard library does not find it in UTF-8
    "a boundary that is not ASCII": (
        NON_ASCII.replace('boundary="\u00e4"'.encode(), b"boundary*=utf-8''%C3%A4"),
        [("one", "1"), ("two", "3")]),
    "ten nested multiparts": (TEN_TIMES, [("in", ".".join("2" * 10))]),
    "a message as the whole body": (
        RFC822 + b"\n\nTo: x\n" + multipart(ONE, PICTURE, TWO), [("one", "1.1"), ("two", "1.3")]),
    # RFC 2046, section 5.2.1, forbids it, but programs send it
    "a message in base64": (
        multipart(PICTURE, RFC822 + b"\nContent-Transfer-Encoding: base64\n\n" + INNER, TWO),
        [("inner", "2:Subject"), ("deep", "2.1"), ("two", "3")]),
    "a large head": (LARGE_FIELD + multipart(ONE, PICTURE, TWO), [("one", "1"), ("two", "3")]),
}  # fmt: skip


@pytest.mark.parametrize("name", STRUCTURES)
def test_texts_are_read_in_their_parts_and_attachments_skipped(name: str) -> None:
    body, expected = STRUCTURES[name]
    data = HEAD + body
    found = read(data)
    assert parts_of(found) == [("head", "Subject"), *expected]
    check_bytes(found, data, at_least=1)
    if "attached" in name:
        assert parts_of(list(extract_source(io.BytesIO(data), parts={"attach"}))) == [("note", "3")]


def test_multipart_without_a_boundary_parameter_is_read_as_text() -> None:
    """The body is one text."""
    kind = b"Content-Type: multipart/mixed\n\n"
    data = HEAD + kind + b"see http://one.example/\n" + IMAGE + b"http://two.example/\n"
    names = [name for name, _ in parts_of(read(data))]
    assert (names[:2], names[-1]) == (["head", "one"], "two")


@pytest.mark.parametrize("is_last", [False, True])
def test_attachments_of_an_inner_message_are_skipped(is_last: bool) -> None:
    """Its fields and texts are read like those of the outer message."""
    inner = b"Subject: http://inner.example/\nMessage-ID: <2@b>\n"
    forwarded = b"Content-Type: message/rfc822\n\n" + inner + multipart(PICTURE, text("deep"), boundary="i")
    rest = () if is_last else (PICTURE, text("two"))
    data = HEAD + multipart(text("one"), forwarded, *rest)
    expected = [("head", "Subject"), ("one", "1"), ("inner", "2:Subject"), ("deep", "2.2")]
    found = read(data)
    assert parts_of(found) == expected + ([] if is_last else [("two", "4")])
    assert [each.message_id for each in found[:4]] == ["<1@a>", "<1@a>", "<2@b>", "<2@b>"]
    check_bytes(found, data, at_least=2)


LONG = "x" * 70 + "\n"
TABLE = "name;note;url\n" + "x;one, two, three, four;http://a.example/;foo\n" * 3_000
LONG_TEXTS = [
    # What a text is like is known by its beginning.
    ("text/csv", TABLE, "http://a.example/"),
    ("text/xml", "<rss>" + "<l>http://a.example/?a=1&amp;b=2</l>" * 4_000, "http://a.example/?a=1&b=2"),
    ("text/plain; charset=iso-8859-1", "é\x85 " * 40_000 + "\nhttp://a.example/é\n", "http://a.example/é"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "body", "url"), LONG_TEXTS)
def test_long_text_is_read_as_a_short_one_of_its_kind(kind: str, body: str, url: str) -> None:
    charset = "iso-8859-1" if "charset" in kind else "utf-8"
    data = f"Subject: x\nContent-Type: {kind}\n\n{body}".encode(charset)
    assert len(data) > 2 * KEPT
    assert {each.url for each in read(data, 65536)} == {url}


@pytest.mark.parametrize("size", [1_000, 65_536, 100_000])
def test_line_end_after_a_very_long_flowed_line_is_kept(size: int) -> None:
    lines = "".join(f"{'x' * 80_000}\nhttp://a{number}.example/\n" for number in range(40))
    data = b"Content-Type: text/plain; format=flowed\n\n" + lines.encode()
    assert [each.url for each in read(data, size)] == [f"http://a{number}.example/" for number in range(40)]


def test_long_base64_with_a_stray_character_is_read_to_its_end() -> None:
    encoded = base64.b64encode(LONG.encode() * 2_000 + b"http://a.example/\n" + LONG.encode())
    encoded = encoded[:90_001] + b"!" + encoded[90_001:]
    lines = b"\n".join(encoded[at : at + 75] for at in range(0, len(encoded), 75))
    found = read(b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + lines + b"\n", 65536)
    assert [each.url for each in found] == ["http://a.example/"]


def test_long_text_with_a_nul_and_carriage_returns_has_no_offsets() -> None:
    data = b"Subject: x\n\n\0" + LONG.encode() * 2_000 + b"http://a.example/\n"
    assert [each.byte for each in read(data.replace(b"\n", b"\r\n"), 65536)] == [None]


# texts larger than the limit

COUNT = 2_500
LINES = "".join(f"line {n}, «ä»: see http://x.example/{n} and more\n" for n in range(10_000, 10_000 + COUNT))
WANTED = [f"http://x.example/{n}" for n in range(10_000, 10_000 + COUNT)]  # of one length


def in_lines(data: bytes, width: int) -> bytes:
    """Return base64 in lines of any width; RFC 2045, section 6.8, allows at most 76."""
    encoded = base64.b64encode(data)
    return b"\n".join(encoded[at : at + width] for at in range(0, len(encoded), width)) + b"\n"


ENCODINGS: list[tuple[str, str, Callable[[bytes], bytes], str]] = [
    ("8bit", "utf-8", bytes, "8bit"),
    ("8bit", "iso-8859-1", bytes, "8bit"),
    ("base64", "utf-8", base64.encodebytes, "base64"),
    ("base64", "iso-8859-1", base64.encodebytes, "base64"),
    ("quoted-printable", "utf-8", quopri.encodestring, "quoted-printable"),
    ("quoted-printable", "iso-8859-1", quopri.encodestring, "quoted-printable"),
    ("base64 in lines of 61", "utf-8", lambda data: in_lines(data, 61), "base64"),
    ("base64 in lines of 70", "utf-8", lambda data: in_lines(data, 70), "base64"),
    ("base64", "utf-16-be", base64.encodebytes, "base64"),
    ("base64", "utf-7", base64.encodebytes, "base64"),
    ("base64", "utf-16", base64.encodebytes, "base64"),
    ("base64", "utf-32", base64.encodebytes, "base64"),
    ("base64 without a mark", "utf-16", lambda data: base64.encodebytes(data[2:]), "base64"),
]


@pytest.mark.parametrize("end", mostly_slow([b"\n", b"\r\n"]))
@pytest.mark.parametrize(("what", "charset", "encode", "encoding"), ENCODINGS)
def test_large_text_is_read_as_a_small_one(
    what: str, charset: str, encode: Callable[[bytes], bytes], encoding: str, end: bytes
) -> None:
    kind = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n"
    part = kind.encode() + encode(LINES.encode(charset))
    for data in (HEAD + part, HEAD + multipart(text("one"), PICTURE, part, PICTURE, text("two"))):
        urls = [each.url for each in extract_source(io.BytesIO(data.replace(b"\n", end)))]
        assert [url for url in urls if url in WANTED] == WANTED
        assert set(urls) - set(WANTED) <= {f"http://{name}.example/" for name in ("head", "one", "two")}
        assert ("http://two.example/" in urls) == ("multipart" in data[:200].decode("latin-1"))


MARKED = f"\ufeff{LINES}"
TYPES_OF_TEXTS = [  # with byte orders; what has no NUL is not UTF-16, whatever is declared
    *((f"text/plain; charset={codec}", MARKED.encode(f"{codec}-{order}"))
      for codec in ("utf-16", "utf-32") for order in ("le", "be")),
    ("text/plain; charset=utf-16", LINES.encode()),
    ("text/html; charset=utf-8", "".join(f'<p>é <a href="{url}">x</a></p>\n' for url in WANTED).encode()),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data"), TYPES_OF_TEXTS)
def test_large_text_is_read_to_its_end(kind: str, data: bytes) -> None:
    head = f"Content-Type: {kind}\nContent-Transfer-Encoding: base64\n\n"
    found = read(HEAD + head.encode() + base64.encodebytes(data), 65536)
    assert set(WANTED) <= {each.url for each in found}


def test_plain_footer_after_a_large_base64_body_is_read() -> None:
    """List servers append such footers."""
    head = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    footer = b"_______________________________________________\nlist http://list.example/info/\n"
    urls = [each.url for each in read(HEAD + head + base64.encodebytes(LINES.encode()) + footer, 65536)]
    assert urls[-1] == "http://list.example/info/"


def test_text_that_is_too_long_to_be_held_has_no_bytes() -> None:
    """A carriage return may come after its first windows: then the bytes are not those of the source."""
    data = HEAD + b"\n" + LINES.replace("«ä»", "ascii").encode()
    found = read(data, 65536)
    assert [each.byte for each in found[:2]] == [data.index(b"http://head"), None]
    assert [part_of(each) for each in found[:2]] == ["Subject", "1"]
    assert {each.message for each in found} == {1}


@pytest.mark.parametrize("size", [HELD - 50, HELD, HELD + 1, 2 * HELD, 2 * HELD + 1, 3 * HELD])
def test_message_of_any_size_around_the_limit_has_the_same_records(size: int) -> None:
    """Compared with reading it whole."""
    filler = b"x" * (size - len(HEAD) - len(b"\nhttp://a.example/ \nhttp://b.example/\n"))
    data = HEAD + b"\nhttp://a.example/ " + filler + b"\nhttp://b.example/\n"
    assert len(data) == size
    expected = [(each.url, each.span, each.byte) for each in extract_message(data)]
    for slices in (1, 999, 65536):
        assert [(each.url, each.span, each.byte) for each in read(data, slices)] == expected


def test_large_message_dated_before_since_is_skipped() -> None:
    data = b"Date: Mon, 14 Nov 1994 09:12:44 +0000\n" + MESSAGE
    assert list(extract_source(Slices(data, 1000), since="1999-12-31")) == []
    assert len(list(extract_source(Slices(data, 1000), since="1990-12-31"))) == 3


def test_quoted_lines_and_signature_of_a_large_text_are_skipped() -> None:
    lines = b"".join(b"> http://q.example/%d\nhttp://a.example/%d\n" % (n, n) for n in range(COUNT))
    stream = Slices(HEAD + b"\n" + lines + b"-- \nhttp://s.example/\n", 65536)
    urls = [each.url for each in extract_source(stream, quoted="skip", signature="skip")]
    assert urls == ["http://head.example/", *(f"http://a.example/{n}" for n in range(COUNT))]


def test_parts_option_applies_to_a_large_text() -> None:
    """The text after the cut belongs to the same part."""
    data = HEAD + b"\n" + LINES.encode()
    assert list(extract_source(Slices(data, 65536), parts={"html"})) == []
    assert len(list(extract_source(Slices(data, 65536), parts={"text"}))) >= COUNT - 1


# memory and time of the messages that cost most

HUGE = 50_000_000  # bytes
MOST = 45  # MB above a message of one line: a part of 2 MiB is held, and its text

TEXT = b"a line of a text, with some more words in it than two\n"
TYPE = b"Content-Type: "
BASE64 = b"\nContent-Transfer-Encoding: base64\n\n"
NESTED = b"".join(TYPE + b"multipart/mixed; boundary=n%d\n\n--n%d\n" % (n, n) for n in range(100)) + b"\n"
END = b"http://end.example/\n"
MIXED = TYPE + b"multipart/mixed; boundary=b\n\n"

# What a message begins with, what is repeated in it, and its end
COSTLY: dict[str, tuple[bytes, bytes, bytes]] = {
    "an attachment": (
        MIXED + b"--b\n" + TYPE + b"image/png" + BASE64, base64.encodebytes(bytes(57)), b"\n--b\n\n" + END),
    "a head": (HEAD, b"X-Field: value of it\n", b"\n" + END),
    "a field": (HEAD + b"X-Field: ", b"value of it ", b"\n\n" + END),
    "a folded field": (HEAD + b"X-Field: ", b"value\n of it", b"\n\n" + END),
    "parts": (MIXED, b"--b\n" + TYPE + b"text/plain\n\nx\n", b"--b\n\n" + END),
    "parts with odd heads": (MIXED, b"--b\nX: y\nodd\n", b"--b\n\n" + END),
    "nested multiparts, then text": (HEAD + NESTED, TEXT, END),
    "text": (HEAD + b"\n", TEXT, END),
    "a line": (HEAD + b"\n", b"words without an end ", b"\n" + END),
    "carriage returns": (HEAD + b"\n", b"\r", END),
    "html": (TYPE + b"text/html\n\n", b"<p>a <b>line</b> of a page &amp; <i>more</i></p>\n", b"<p>" + END),
    "base64 text": (TYPE + b"text/plain" + BASE64, base64.encodebytes(TEXT[:54]), base64.encodebytes(END)),
    "a base64 message": (
        TYPE + b"message/rfc822" + BASE64 + base64.encodebytes(b"Subject: x\n\n"),
        base64.encodebytes(TEXT[:54]), base64.encodebytes(END)),
    "quoted-printable": (
        TYPE + b"text/plain\nContent-Transfer-Encoding: quoted-printable\n\n", b"a line=\n of=3D\n", END),
    "a flowed paragraph": (TYPE + b"text/plain; format=flowed\n\n", b"a line of a paragraph \n", b"\n" + END),
    "uuencode": (
        HEAD + b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 f\n", b"M" + b"A" * 60 + b"\n",
        b"`\nend\n\n" + END),
    "boundary lines": (MIXED, b"--b\n", b"\n" + END),
    "a preamble": (MIXED, TEXT, b"--b\n\n" + END),
    "a patch": (MIXED + b"--b\n\n", b"--- a/f.c\n+++ b/f.c\n" + TEXT * 20, END),
    "closing lines": (MIXED, b"--b--\n", END),
    "parts of two types": (
        MIXED, b"--b\n" + TYPE + b"text/x\n" + TYPE + b"multipart/x; boundary=q\n\nx\n", b"--b\n\n" + END),
    "nameless fields": (TYPE + b"message/delivery-status\n\n", b":\n", b"X: " + END),
    "a delivery status": (TYPE + b"message/delivery-status\n\n", b"Final-Recipient: a\n\n", b"X: " + END),
}  # fmt: skip

MEASURED = """
import io, sys
from itertools import chain, repeat
from urlextract import extract_source
from slices import Blocks
begin, unit, end = (bytes.fromhex(each) for each in sys.argv[1:4])
block = unit * (65536 // len(unit) + 1)
blocks = chain((begin,), repeat(block, int(sys.argv[4]) // len(block)), (end,))
urls = [found.url for found in extract_source(Blocks(blocks), "message")]
(peak,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:"))
print(urls[-1:], int(peak) // 1024)
"""


def measured(case: tuple[bytes, bytes, bytes], size: int) -> tuple[str, int]:
    """Return the last URL of a message of about ``size`` bytes, and the most memory that reading it takes."""
    arguments = [*(each.hex() for each in case), str(size)]
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(here), str(here.parent)))}
    command = [sys.executable, "-c", MEASURED, *arguments]
    output = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    urls, peak = output.rsplit(maxsplit=1)
    return urls, int(peak)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("name", COSTLY)
def test_memory_is_bounded_for_a_message_of_50_mb(name: str) -> None:
    _, least = measured((HEAD + b"\n", b"x\n", END), 0)
    urls, peak = measured(COSTLY[name], HUGE)
    assert urls == "['http://end.example/']"
    assert peak - least <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTLY)
def test_time_grows_as_the_size_of_a_costly_message(name: str) -> None:
    begin, unit, end = COSTLY[name]
    make = times(unit, begin, end)
    assert growth(lambda data: read(data, 65536), make, 250_000, 1_000_000) < LINEAR


@pytest.mark.parametrize("kind", ["text/plain", "text/html", "multipart/mixed", "multipart/digest"])
@pytest.mark.parametrize("encoding", ["7bit", "base64"])
@pytest.mark.parametrize("beyond", mostly_slow([0, 9_000, 60_000]))
def test_boundary_right_after_what_is_held_is_the_same_in_any_blocks(
    monkeypatch: pytest.MonkeyPatch, kind: str, encoding: str, beyond: int
) -> None:
    for name in ("PART", "PREAMBLE", "PIECE", "WINDOW"):
        monkeypatch.setattr(limits, name, 1 << 20)
    monkeypatch.setattr(messages, "LARGEST_HELD", 1 << 20)
    filler = b"<p>x</p>\n" * (((1 << 20) + beyond) // 9)
    data = (
        b"Content-Type: multipart/mixed; boundary=OUT\n\n--OUT\nContent-Type: %b\n"
        b"Content-Transfer-Encoding: %b\n\nsee http://a.example/1\n%bSubject: x\n"
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhttp://c.example/\n"
        b"--b--\nhttp://b.example/2\n--OUT--\nafter http://e.example/\n"
    ) % (kind.encode(), encoding.encode(), filler)
    first, *others = (list(extract_source(Slices(data, size), "message")) for size in (1_000, 10_007, 65_536))
    assert first
    assert all(other == first for other in others)
