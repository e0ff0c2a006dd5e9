"""From the bytes of a message to decoded text: fields, parts, encodings, charsets (SPEC §1, §3, §8)."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from remarks import part_of, words
from scans import urls_only
from strategies import examples

from urlextract import Found, extract_message
from urlextract.message import events, limits
from urlextract.message.content import KINDS, Kind, kind_of
from urlextract.message.segments import read_message
from urlextract.records import Form, LongText, Provenance, RawMessage, Segment, Unread


def read(data: bytes, **options: Any) -> list[Segment]:
    """Return the segments of a message."""
    message = RawMessage(data=data, provenance=Provenance(source="s", message=1, offset=0))
    return [*map(whole, read_message(message, **options))]


def whole(text: Segment | LongText | Unread) -> Segment | Unread:
    """Return a text with its pieces as one."""
    if not isinstance(text, LongText):
        return text
    return Segment("".join(text.pieces), text.provenance, byte=text.byte, defects=text.defects)


def texts(data: bytes) -> list[tuple[str | None, str]]:
    """Return the part and text of each segment."""
    segments = read(data)
    return [
        (part_of(each.provenance), each.advice if isinstance(each, Unread) else each.text)
        for each in segments
    ]


def part(body: bytes, kind: bytes = b"text/plain", *more: bytes) -> str:
    """Return the joined text of a message with one part."""
    head = b"\n".join((b"Content-Type: " + kind, *more))
    return "".join(text for _, text in texts(b"To: x\n" + head + b"\n\n" + body))


FIELDS = [
    (b"X-URL: http://a.example/", [("X-URL", "http://a.example/")]),
    (b"Subject: no sign: 10:30, see a.b or x=y", []),
    (b"From: Joe <joe@www.example.org>", []),
    (b"NNTP-Posting-Host: www.example.org", []),
    (b'Injection-Info: www.example.org; posting-host="www.example.org:1.2.3.4"', []),
    (b"List-Id: <www.example.org>", []),
    (b"X-Sender-URL: www.example.org", [("X-Sender-URL", "www.example.org")]),
    (b"X-Mailer: Foo (www.example.org)", [("X-Mailer", "Foo (www.example.org)")]),
    (b"Received-SPF: pass (see http://a.example/) helo=www.example.org",
     [("Received-SPF", "pass (see http://a.example/) helo=___.example.org")]),
    (b"Received: from http://a.example/", []),
    (b"dkim-signature: http://a.example/", []),
    (b"Message-ID: <mailto:a@b>", []),
    (b"List-Archive: <http://a.example/\n b/c>", [("List-Archive", "<http://a.example/b/c>")]),
    (b"Archived-At:\n\t<http://a.example/b>", [("Archived-At", "<http://a.example/b>")]),
    (b"Subject: =?utf-8?Q?no_sign?=", []),
    (b"Subject: =?utf-8?B?d3d3LmEuZXhhbXBsZQ==?=", [("Subject", "www.a.example")]),
    (b"Subject: =?x?Z?broken?= =?utf-8?Q?=FF?= www.a.b", [("Subject", "=?x?Z?broken?= ÿ www.a.b")]),
    (b"Subject: =?utf-8?B?w6Qw6?= =?utf-8?B?w6Q=?= www.a.b", [("Subject", "=?utf-8?B?w6Qw6?=ä www.a.b")]),
    (b"Contact: sip:joe@example.org", [("Contact", "sip:joe@example.org")]),
    (b"Comments: \xe4 www.a.example", [("Comments", "ä www.a.example")]),
    (b"http://a.example/ is where", [("http", "http://a.example/ is where")]),
    (b"mailto:joe@example.org", [("mailto", "mailto:joe@example.org")]),
    (b"<URL:ftp://a.example/>", [("<URL", "<URL:ftp://a.example/>")]),
    (b"Note: see http://a.example/", [("Note", "see http://a.example/")]),
    (b'Content-Type: text/plain; name="http://a.example/"', []),
]  # fmt: skip


@pytest.mark.parametrize(("field", "expected"), FIELDS)
def test_header_field_is_read_only_if_it_may_hold_urls(field: bytes, expected: list[tuple[str, str]]) -> None:
    assert texts(field + b"\nX-Last: x\n\n") == expected
    assert texts(b"X-First: x\n" + field + b"\n\n") == expected
    assert texts(b"To: x\n" + field + b"\n\nbody") == [*expected, ("1", "body")]


def test_header_segment_has_its_form_and_byte_offset() -> None:
    (segment,) = read(b"To: a\nX-URL:   http://a.example/ \nX: y\n\n")
    assert (segment.form, segment.byte) == (Form.HEADER, 15)


def test_origin_is_that_of_the_innermost_message() -> None:
    inner = b"From: =?iso-8859-1?q?J=F6rg?= <j@x>\nMessage-ID: <2@b>\n\ninner\n"
    data = (
        b"Message-ID: <1@a>\nDate: now\nNewsgroups: a.b,\n c.d\nSubject: =?utf-8?q?c?=\n d\n"
        b"List-Id: Boats <boats.lists.example.org>\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\n\nouter\n--b\nContent-Type: message/rfc822\n\n" + inner + b"--b--\n"
    )
    outer, within = read(data)
    assert known(outer) == {
        "source": "s", "message": 1, "offset": 0, "message_id": "<1@a>", "date_field": "now",
        "newsgroups": "a.b, c.d", "part": "1", "media_type": "text/plain", "subject": "c d",
        "list_id": "boats.lists.example.org", "thread_id": "<1@a>", "occurrence": 0,
    }  # fmt: skip
    assert known(within) == {
        "source": "s", "message": 1, "offset": 0, "message_id": "<2@b>", "from_": "Jörg <j@x>",
        "part": "2.1", "media_type": "text/plain", "thread_id": "<2@b>", "occurrence": 0,
    }  # fmt: skip


def known(segment: Segment) -> dict[str, object]:
    """Return what a record has of where a text is from, as far as it is known."""
    names = Found.__struct_fields__[Found.__struct_fields__.index("source") :]
    values = zip(names, segment.provenance.shared, strict=True)
    return {name: value for name, value in values if value is not None}


def test_header_record_has_its_field_and_part() -> None:
    inner = b"Subject: see http://b.example/\nContent-Type: text/html\n\n<p>http://c.example/"
    data = (
        b"List-Post: <mailto:x@a.example>\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Type: message/rfc822\n\n" + inner + b"\n--b--\n"
    )
    found = list(extract_message(data))
    assert [(each.url, each.part, each.header, each.media_type, each.subject) for each in found] == [
        ("mailto:x@a.example", None, "List-Post", None, None),
        ("http://b.example/", "1", "Subject", None, "see http://b.example/"),
        ("http://c.example/", "1.1", None, "text/html", "see http://b.example/"),
    ]


@pytest.mark.parametrize(("field", "identifier"), [
    (b"Boats and ships <boats.lists.example.org>", "boats.lists.example.org"),
    (b"<boats.lists.example.org>", "boats.lists.example.org"),
    (b"=?utf-8?q?B=C3=B6te?=\n <boats.lists.example.org> (all)", "boats.lists.example.org"),
    (b"boats", "boats"),
    (b"boats <", ""),
])  # fmt: skip
def test_list_id_is_the_identifier_in_brackets(field: bytes, identifier: str) -> None:
    (segment,) = read(b"List-ID: " + field + b"\n\nhi\n")
    assert known(segment)["list_id"] == identifier


def test_parts_are_numbered_as_imap_does() -> None:
    inner = b"Subject: www.in.example\nContent-Type: multipart/mixed; boundary=i\n\n"
    inner += b"before\n--i\n\nx\n--i\n\ny\n--i--\n"
    data = (
        b"Content-Type: multipart/mixed; boundary=o\n\npreamble\n--o\n\nfirst\n--o\n"
        b"Content-Type: message/rfc822\n\n" + inner + b"\n--o\n"
        b"Content-Type: multipart/alternative; boundary=a\n\n--a\nContent-Location: http://part.example/\n\nthird\n--a--\n--o--\nepilogue\n"
    )  # fmt: skip
    assert texts(data) == [
        (None, "preamble"), ("1", "first"),
        ("2:Subject", "www.in.example"), ("2", "before"), ("2.1", "x"), ("2.2", "y"),
        ("3.1:Content-Location", "http://part.example/"), ("3.1", "third"), (None, "epilogue\n"),
    ]  # fmt: skip


STRUCTURES = [
    # (Content-Type and other fields, body, what must be in the text)
    (b"Content-Type: multipart/mixed; boundary=b", b"no boundary http://a/\n", "http://a/"),
    (b"Content-Type: multipart/mixed; boundary=b", b"x\n--b--\nhttp://a/\n", "http://a/"),
    (b"Content-Type: multipart/mixed; boundary=b", b"--b\n\nhttp://a/\n", "http://a/"),
    (b"Content-Type: multipart/mixed; boundary=b", b"--b\nFrom here on http://a/\n\nx\n--b--\n", "http://a/"),
    (b"Content-Type: multipart/mixed; boundary=b", b"--b\n--b\n\nhttp://a/\n--b--", "http://a/"),
    (b"Content-Type: multipart/mixed; boundary=b", b"--b\nhttp://a/ is\n--b--", "http://a/"),
    (b"Content-Type: multipart/mixed; boundary*0=b", b"--b\n\nhttp://a/\n--b--\n", "http://a/"),
    (b"Content-Type: multipart/mixed; boundary*=utf-9'", b"--b\n\nhttp://a/\n--b--\n", "http://a/"),
    (b"Content-Type: multipart/digest; boundary=b", b"--b\n\nSubject: http://a/\n\nx\n--b--\n", "http://a/"),
    (b"Content-Type: message/delivery-status", b"X: y\n\nDiagnostic-Code: http://a/\n", "http://a/"),
    (b"Content-Type: text/rfc822-headers", b"X-URL: http://a/\n", "http://a/"),
    (b'Content-Type: message/external-body; access-type=URL;\n URL="http://a/\n b"', b"\n", "http://a/b"),
    (b"Content-Type: text/plain\nContent-Type: image/gif", b"http://a/", "http://a/"),
    (b"Content-Type: text/plain\nbroken line http://b/", b"http://a/", "http://a/"),
    (b"X: y\nFrom here http://a/\nTo: x", b"z", "http://a/"),
]


@pytest.mark.parametrize(("head", "body", "expected"), STRUCTURES)
def test_malformed_structure_loses_no_text(head: bytes, body: bytes, expected: str) -> None:
    assert any(expected in text for _, text in texts(b"To: x\n" + head + b"\n\n" + body))


ENCODED_PART = b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8=\n"
MIXED = b"Content-Type: multipart/mixed; boundary=b\n\n"
BASE64 = b"\nContent-Transfer-Encoding: base64\n\n"
ODD_STRUCTURES = [
    # A nameless field is a text of its own, with the lines that continue it.
    (b"To: x\n: http://a.example/b\n c\nSubject: www.s.example\n\nz",
     [("Subject", "www.s.example"), (None, ": http://a.example/b\n c\n"), ("1", "z")]),
    # A multipart whose first boundary is written as the closing one begins there, if a head follows;
    # otherwise that line is text of the preamble.
    (MIXED + b"--b--\n" + ENCODED_PART + b"--b--\n",
     [("1", "http://a.example/")]),
    (MIXED + b"--b--\nto be read\n--b\n" + ENCODED_PART + b"--b--\n",
     [(None, "--b--\nto be read"), ("1", "http://a.example/")]),
    # Of two types the first counts, but for a multipart whose boundary is there.
    (b"Content-Type: text/html\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b--\n",
     [("1", "hi")]),
    (b"Content-Type: text/html\nContent-Type: multipart/mixed; boundary=b\n\n<p>hi</p>\n",
     [("1", "<p>hi</p>\n")]),
    # The parts of a multipart whose boundary is another than it says have the numbers that they would have.
    (b"Content-Type: multipart/mixed; boundary=c\n\nx\n--b\n" + ENCODED_PART + b"--b--\n",
     [(None, "x"), ("1", "http://a.example/")]),
    # A name with blanks before its colon counts in every line of a head; in a body it is text.
    (b"X-A: b\n" * 150 + b"Content-Type : text/html\n\n<p>a : b", [("1", "<p>a : b")]),
    (b"To: x\n\nno : field\n", [("1", "no : field\n")]),
    # Lines before the first field that continue none are one text.
    (b"  a title\n  http://a.example/\nTo: x\n\ny", [(None, "  a title\n  http://a.example/\n"), ("1", "y")]),
    # The same boundary twice: the outer one counts.
    (MIXED + b"--b\n" + MIXED + b"x\n--b\n\ny\n--b--\n", [("1", "x"), ("2", "y")]),
    # A boundary line without a blank line before it ends a head, and one of a multipart around it a message.
    (MIXED + b"--b\nContent-Type: message/rfc822\n\nSubject: www.s.example\n--b\n\ny\n--b--\n",
     [("1:Subject", "www.s.example"), ("2", "y")]),
    # A multipart that is not closed ends where the next part of the one around it begins.
    (MIXED + b"--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--b\n\ny\n--b--\n",
     [("1.1", "x"), ("2", "y")]),
    # Names of fields do not depend on case, and blanks may follow a boundary: also where one is guessed.
    (b"Content-Type: multipart/mixed\n\n--b \n" + ENCODED_PART.lower().replace(b"ahr0cdovl2euzxhhbxbszs8=",
     b"aHR0cDovL2EuZXhhbXBsZS8=") + b"--b--\n", [("1", "http://a.example/")]),
    (MIXED + b"--b--\n" + ENCODED_PART.replace(b"Content", b"content") + b"--b--\n", [("1", "http://a.example/")]),
    # A closing line right after a boundary line closes.
    (MIXED + b"--b\n\nx\n--b\n--b--\nepilogue", [("1", "x"), (None, "epilogue")]),
    # A message that is declared to be encoded, but is not; a text after one that is.
    (b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nFrom: a@b\n\nhttp://a.example/\n",
     [("1.1", "http://a.example/\n")]),
    (b"Content-Type: message/rfc822" + BASE64
     + b"U3ViamVjdDogcwoKeAo=\n____\nwww.b.c\n",
     [("1.1", "x\n\n____\nwww.b.c\n")]),
    (b"Content-Type: message/rfc822" + BASE64 + base64.encodebytes(b"Subject: www.s.b\n\nwww.b.example"),
     [("1:Subject", "www.s.b"), ("1.1", "www.b.example")]),
    # Two files in one body.
    (b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n#:'1T\n`\nend\nbegin 644 b\n#=W=W\n`\nend\n",
     [("1", "httwww")]),
    # A boundary of 8-bit bytes.
    (b'Content-Type: multipart/mixed; boundary="a\xe9"\n\n--a\xe9\n\nx\n--a\xe9--\n', [("1", "x")]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), ODD_STRUCTURES)
@pytest.mark.parametrize("crlf", [False, True])
def test_odd_structure_is_read_as_it_is_meant(
    data: bytes, expected: list[tuple[str | None, str]], crlf: bool
) -> None:
    assert texts(data.replace(b"\n", b"\r\n") if crlf else data) == expected


def test_returned_copy_in_base64_is_a_message() -> None:
    body = b"It could not be delivered.\n\n------ This is a copy of the message. ------\n\n" + RETURNED
    data = b"Content-Type: text/plain" + b"\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(body)
    assert [found.url for found in extract_message(data)] == ["http://a.example/?b=c"]


@pytest.mark.parametrize("size", [1, 30_000])
def test_kind_of_part_is_one_row(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """A new row is enough, for short texts and for long ones."""
    monkeypatch.setattr(limits, "PART", 10_000)
    data = b"Content-Type: application/x-log\n\n" + b"a line\n" * size + b"http://a.example/\n"
    blocks = [data[at : at + 500] for at in range(0, len(data), 500)]
    for row, expected in ((None, []), (Kind("text"), ["http://a.example/"])):
        if row:
            monkeypatch.setitem(KINDS, "application/x-log", row)
        kind_of.cache_clear()
        assert [found.url for found in extract_message(data)] == expected
        message = RawMessage(b"", Provenance(message=1), rest=iter(blocks))
        assert urls_only([message]) == expected
    monkeypatch.undo()
    kind_of.cache_clear()


RETURNED = (
    b"Return-path: <joe@c.example>\nSubject: Hello\nMIME-Version: 1.0\nContent-Type: text/html\n"
    b'Content-Transfer-Encoding: quoted-printable\n\n<a href=3D"http://a.example/?b=3Dc">cli=\nck</a>\n'
)


@pytest.mark.parametrize("before", [
    b"see", b"-", b"--\n\nx", b"-" * 70, b"-" * 30,
    b"------ This is a copy of the message, including all the headers. ------",
    b"   ----- Unsent message follows -----", b"The text of the message follows:",
])  # fmt: skip
def test_message_in_a_plain_text_is_text(before: bytes) -> None:
    data = b"To: x\n\n" + before + b"\n\n" + RETURNED
    assert [part for part, _ in texts(data)] == ["1"]


@pytest.mark.parametrize(
    "kind", [b"text/rfc822-headers", b"message/global-headers", b"message/feedback-report"]
)
def test_part_of_header_fields_is_read_as_fields(kind: bytes) -> None:
    """Machine names and identifiers are not URLs; encoded words are decoded, fields unfolded."""
    head = (
        b"Received: from www.a.example (www.a.example [192.0.2.1])\n\tby www.b.example\n"
        b"Message-ID: <1@www.a.example>\nReporting-MTA: dns; www.a.example\n"
        b"Subject: =?utf-8?Q?http=3A//c.example/?=\nList-Unsubscribe: <http://d.example/\n b>\n"
    )
    report = b"Content-Type: multipart/report; boundary=q\n\n--q\n\nbounced\n--q\n"
    data = report + b"Content-Type: " + kind + b"\n\n" + head + b"\n--q--\n"
    assert [found.url for found in extract_message(data)] == ["http://c.example/", "http://d.example/b"]


@pytest.mark.parametrize("kind", [b"message/feedback-report", b"message/disposition-notification"])
def test_report_has_the_origin_of_its_message(kind: bytes) -> None:
    head = b"Subject: s\nMessage-ID: <1@a.example>\nContent-Type: multipart/report; boundary=q\n\n"
    data = head + b"--q\nContent-Type: " + kind + b"\n\nReported-URI: http://b.example/\n\n--q--\n"
    (found,) = extract_message(data)
    assert (found.subject, found.message_id, found.part) == ("s", "<1@a.example>", "1")


@pytest.mark.parametrize("kind", [b"text/calendar", b"text/vcard"])
@pytest.mark.parametrize("url", ["http://a.example/b-", "http://a.example/b%", "http://a.example/?b="])
def test_next_property_of_a_calendar_is_not_joined(kind: bytes, url: str) -> None:
    for following in ("END:X", "SUMMARY:x", "item2.TEL:+1", "URL;X=y:http://c.example/"):
        data = b"Content-Type: " + kind + f"\n\nBEGIN:X\nURL:{url}\n{following}\n".encode()
        for join in ("safe", "likely"):
            found = next(extract_message(data, join=join))
            assert (found.url, words(found.defects)) == (url, ())


def test_spaces_in_list_header_urls_are_removed() -> None:
    """RFC 2369, section 2: spaces that poorly behaved programs insert are ignored."""
    data = b"List-Unsubscribe: <http://a.example/options/ab\n cd>, <mailto:x@b.example?subject=a b>\n"
    data += b"List-Id: two words <http://c.example/>\nX-Seen: <http://d.example/x The Title>\n\n"
    found = [found.url for found in extract_message(data)]
    assert found[:2] == ["http://a.example/options/abcd", "mailto:x@b.example?subject=ab"]
    assert found[2:] == ["http://c.example/", "http://d.example/x"]


@pytest.mark.parametrize("depth", [19, 25, 3000])
def test_part_nested_too_deep_is_read_as_text(depth: int) -> None:
    messages = b"Content-Type: message/rfc822\n\n" * depth + b"\nhttp://a.example/\n"
    assert "http://a.example/" in texts(messages)[-1][1]
    parts = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    assert any("http://a.example/" in text for _, text in texts(parts + b"\nhttp://a.example/\n"))


ENCODED = [
    (b"quoted-printable", b"http://a.example/=\nb=3Dc", "http://a.example/b=c"),
    (b"quoted-printable", b"http://a.example/=  \nb", "http://a.example/b"),
    (b"Quoted-Printable", b"=ZZ stray = sign", "=ZZ stray = sign"),
    (b"base64", base64.encodebytes(b"http://a.example/" * 9), "http://a.example/" * 9),
    (b"base64", base64.encodebytes(b"x" * 91) + b"____\nlist www.b.example\n",
     "x" * 91 + "____\nlist www.b.example\n"),
    (b"base64", base64.encodebytes(b"x" * 90) + b"--\nlist www.b.example\n",
     "x" * 90 + "--\nlist www.b.example\n"),
    (b"base64", base64.b64encode(b"one") + b"\n" + base64.b64encode(b"www.b.example"), "onewww.b.example"),
    (b"base64", b"aHR0cDovL2EuZXhhbXBsZS8", "http://a.example/"),
    (b"base64", b"not base64 at all: www.b.example", "not base64 at all: www.b.example"),
    # text that gateways put before it or between, and a second text after the padding of the first
    (b"base64", b"[Mail from outside]\n\nSGVsbG8gd3d3LmIuZXhhbXBsZQ==",
     "[Mail from outside]\n\nHello www.b.example"),
    (b"base64", b"Mail from outside\n" + base64.encodebytes(b"Hello www.b.example " * 9),
     "Mail from outside\n" + "Hello www.b.example " * 9),
    (b"base64", b"SGVsbG8gd3d3LmIuZXhhbXBsZQ==\nd3d3LmMuZXhhbXBsZSAxMg==",
     "Hello www.b.examplewww.c.example 12"),
    (b"base64", b"SGVsbG8gd3d3LmIuZXhhbXBsZQ==\nList\nSGVsbG8gd3d3LmIuZXhhbXBsZQ==",
     "Hello www.b.example\nList\nHello www.b.example"),
    # stray characters are skipped; the URL-safe alphabet has "-" and "_"
    (b"base64", b"SGVsbG8g-d3d3LmIuZXhhbXBsZSAx", "Hello www.b.example 1"),
    (b"base64", b"d3d3LmIuZXhhbXBsZS9-P34_fj9-", "www.b.example/~?~?~?~"),
    (b"base64", b"Hello\nsee www.b.example\ndeadbeefdeadbeefdeadbeefdeadbeefdeadbeef\nwww.c.example\n",
     "\x1d\xe9esee www.b.example\ndeadbeefdeadbeefdeadbeefdeadbeefdeadbeef\nwww.c.example\n"),
    (b"x-uuencode", b"begin 644 f\n1:'1T<#HO+V$N97AA;7!L92\\`\n`\nend\ntail", "http://a.example/tail"),
    (b"7bit (really)", b"www.b.example", "www.b.example"),
]  # fmt: skip


@pytest.mark.parametrize(("encoding", "body", "expected"), ENCODED)
def test_transfer_encoding_is_decoded(encoding: bytes, body: bytes, expected: str) -> None:
    assert part(body, b"text/plain", b"Content-Transfer-Encoding: " + encoding) == expected


LONG = b"The list of what is still to be done by the end of the year: www.a.example"
UNDECLARED, UNDECODED = ("undeclared quoted-printable",), ("undecoded quoted-printable",)
QUOTED_PRINTABLE = [
    (LONG + b"=\n/b?c=3Dd and =C3=A9\n", "http://www.a.example/b?c=d", UNDECLARED),
    (LONG + b"= \r\n/?c=3D10=0D\n", "http://www.a.example/?c=10", UNDECLARED),
    (b'<img src=3D"http://b.example/?c=3Dd">', "http://b.example/?c=d", UNDECLARED),
    (b"Hallo,=20\nsee http://b.example/pa=\nth?id=3D5\n", "http://b.example/path?id=5", UNDECLARED),
    (b"=C3=A9t=C3=A9: http://b.example/pa=\nth\n", "http://b.example/path", UNDECLARED),
    (b"http://a.example/?view=3D", "http://a.example/?view=3D", ()),
    (LONG + b"?dim=3D\n", "http://www.a.example?dim=3D", ()),
    (LONG + b"?dim=10&x=\n3", "http://www.a.example?dim=10&x=", ()),
    (b"width=20\nheight=20\nhttp://b.example/?c=20\n", "http://b.example/?c=20", ()),
    (b"width=20\nurl=http://b.example/?c=3D\n", "http://b.example/?c=3D", ()),
    (LONG + b"=\n/b?c=10\n", "http://www.a.example", UNDECODED),
    (LONG + b"=\n/b?c=3Dd x=y\n", "http://www.a.example", UNDECODED),
]


@pytest.mark.parametrize("head", [b"", b"Content-Transfer-Encoding: 7bit\n", b"Content-Type: text/html\n"])
@pytest.mark.parametrize(("body", "url", "defects"), QUOTED_PRINTABLE)
def test_undeclared_quoted_printable_is_decoded_if_certain(
    head: bytes, body: bytes, url: str, defects: tuple[str, ...]
) -> None:
    found = list(extract_message(b"From: x\n" + head + b"\n" + body))
    assert [(each.url, words(each.defects)) for each in found] == [(url, defects)]


CHARSETS = [
    (b"iso-8859-1", b"caf\xe9 \x93http://a/\x94", "café “http://a/”"),
    (b"utf-8", b"caf\xc3\xa9", "café"),
    (b"utf-8", b"caf\xe9", "café"),
    (b"us-ascii", b"caf\xc3\xa9", "café"),
    (b"x-sjis", "日本 http://a/".encode("cp932"), "日本 http://a/"),
    (b"ISO-2022-JP", "日本 http://a/".encode("iso2022_jp"), "日本 http://a/"),
    (b"windows-874", "กข".encode("cp874"), "กข"),
    (b"idna", b"xn--a www.a.b", "xn--a www.a.b"),
    (b"hex", b"zz www.a.b", "zz www.a.b"),
    (b'"unknown-8bit"', b"caf\xe9", "café"),
    (None, "日本 http://a/".encode("iso2022_jp"), "日本 http://a/"),
    (b"hz-gb-2312", "中文 http://a/".encode("hz"), "中文 http://a/"),
    (None, b"a~{b}", "a~{b}"),
    # the labels that webencodings leads to none or to a narrow codec of Python
    (b"utf-7", b"+AOQ- http://a/", "ä http://a/"),
    (b"iso-2022-kr", "가 http://a/".encode("iso2022_kr"), "가 http://a/"),
    (b"shift_jis", "① http://a/".encode("cp932"), "① http://a/"),
    (b"euc-kr", "똠 http://a/".encode("cp949"), "똠 http://a/"),
    (b"euc-jp", "① http://a/".encode("euc_jis_2004"), "① http://a/"),
    (b"gb2312", "€ http://a/".encode("gb18030"), "€ http://a/"),
    # a mark counts more than what is declared, but not where it is none
    (b"iso-8859-1", b"\xef\xbb\xbfth\xc3\xa9", "thé"),
    (b"utf-8", "see http://a/".encode("utf-16"), "see http://a/"),
    (b"iso-8859-1", b"\xff\xfe is no mark", "ÿþ is no mark"),
    (None, "see http://a/".encode("utf-16"), "see http://a/"),
    # a text without NUL bytes is not UTF-16, whatever is declared
    (b"utf-16", b"see http://a/ th\xc3\xa9r", "see http://a/ th\xe9r"),
    (b"utf-16-le", b"see http://a/ th\xe9re", "see http://a/ th\xe9re"),
    (None, "see http://a/".encode("utf-16-be"), "see http://a/"),
    (b"utf-32-be", "see http://a/".encode("utf-32-be"), "see http://a/"),
    (b"utf-32", "see http://a/".encode("utf-32"), "see http://a/"),
    (b"utf-32", b"see http://a/", "see http://a/"),
    (None, b"caf\xe9", "café"),
    (None, b"\x81", "\ufffd"),
]


@pytest.mark.parametrize(("charset", "body", "expected"), CHARSETS)
def test_charset_is_decoded(charset: bytes | None, body: bytes, expected: str) -> None:
    assert part(body, b"text/plain; charset=" + charset if charset else b"text/plain") == expected


def test_only_a_replaced_byte_is_a_defect() -> None:
    assert words(read(b"To: x\n\ncaf\xe9")[0].defects) == ()
    assert words(read(b"To: x\n\n\x81 http://a/")[0].defects) == ("undecodable bytes",)


@pytest.mark.parametrize("end", [b"\r\n", b"\r\r\n", b"\r"])
def test_line_ends_are_unified(end: bytes) -> None:
    data = b"Subject: www.a.example\nTo: x\n\none\ntwo\n"
    segments = read(data.replace(b"\n", end))
    assert texts(data.replace(b"\n", end)) == [("Subject", "www.a.example"), ("1", "one\ntwo\n")]
    assert {segment.byte for segment in segments} == {None}


FLOWED = [
    # quoted by a program that does not know format=flowed: left to the scanner
    (b"> > see <http://a/ \n> > b> c\n", "> > see <http://a/ \n> > b> c\n"),
    (b"JD> see <http://a/ \nJD> b> c\n", "JD> see <http://a/\nJD> b> c\n"),
    (b"see <http://a/ \nindex> c\n", "see <http://a/\nindex> c\n"),
    (b"a \nb\n", "a b\n"),
    (b"> a \n> b\n", "> a b\n"),
    (b">> a \n> b\n", ">> a \n> b\n"),
    (b"a \n\nb", "a \n\nb"),
    (b"-- \nsig", "-- \nsig"),
    (b" >From\n  x", ">From\n x"),
    (b"a \n-- \nb", "a \n-- \nb"),
    (b"http://a/ \n", "http://a/ \n"),
    # the program broke the line within a URL
    (b"[a](http://a/b/ \nc) d \ne\n", "[a](http://a/b/\nc) d e\n"),
    (b'see "http://a/b/ \nc" d\n', 'see "http://a/b/\nc" d\n'),
    (b"see http:// \na/b d\n", "see http://\na/b d\n"),
    (b"http://a/b- \nc- \nd \ne-f- \ng\n", "http://a/b-\nc- d e-f- g\n"),
    (b"(http://a/b) \nc\n", "(http://a/b) c\n"),
]


@pytest.mark.parametrize(("body", "expected"), FLOWED)
def test_flowed_text_is_unfolded(body: bytes, expected: str) -> None:
    assert part(body, b"text/plain; format=flowed") == expected


LINE = b"M" + b"A" * 60 + b"\n"
AS_IT_IS = {
    "signed text": (
        b"-----BEGIN PGP SIGNED MESSAGE-----\n\n- - http://a/\n-----BEGIN PGP SIGNATURE-----\n\n"
        + b"A" * 64 + b"\n=abcd\n-----END PGP SIGNATURE-----\nend"
    ),
    "uuencode": b"x\nbegin 644 f\n" + LINE * 3 + b"#AAAA\n`\nend\nhttp://a/",
    "yEnc": b"=ybegin line=8 size=9 name=f\n\xe4234567\xe4\n9\n=yend size=9\n",
    "a digest": (
        b"Topics\n\n" + b"-" * 70 + b"\n\nFrom: a\n\nhttp://a/\n\n" + b"-" * 30 + b"\n\nFrom: b\n\nx\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", AS_IT_IS.values(), ids=AS_IT_IS)
def test_plain_text_is_read_as_it_is(body: bytes) -> None:
    assert part(body) == body.decode("cp1252")


@pytest.mark.parametrize("kind", [b"text/enriched", b"text/richtext", b"text/x-log", b"text/markdown"])
def test_text_of_another_type_is_read_as_it_is(kind: bytes) -> None:
    assert part(b"<bold>a</bold> <<http://a/>", kind) == "<bold>a</bold> <<http://a/>"


PART = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n"
HOSTILE = [
    *(times(piece, b"Content-Type: text/html\n\n") for piece in (
        b"<", b"<a ", b"<a href=", b'<a href="', b"<!--", b"<script>", b"&#1", b"<a href=x>", b"<p a=b>")),
    *(times(piece, b"\n") for piece in (b"~{", b"\x1b$")),
    *(times(piece, b"X: y\n", b"\n\n") for piece in (
        b"=?u?q?a?=", b"Subject: =?utf-8?q?", b"A: www.\n", b"=?u?q?a", b" :", b"From x\n", b"A:\n")),
    *(times(piece, PART, b"\n--b--\n") for piece in (
        b"--b\n\n", b"--b\n", b"--b\nX: y\n", b"--b\nodd\n", b"--x\n",
        b"--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n",
        b"--b\nContent-Type: multipart/mixed; boundary=d\n\n", b"--b\nContent-Type: message/rfc822\n\n",
        b"--b\nContent-Type: text/plain\nodd\nContent-Type: text/html\n", b"\r", b"\r\0")),
    times(b"a=b ", b"Content-Type: text/html\n\n<p ", b">http://a/"),
    times(b"9", b"Content-Type: text/html\n\n&#", b";"),
    times(b"a=b; ", b"Content-Type: text/plain; ", b"\n\n"),
    times(b"=", b"Content-Transfer-Encoding: base64\n\n", b"\xff"),
    times(b"abcd=\n--\n", b"Content-Transfer-Encoding: base64\n\n"),
    *(times(piece, b"Content-Type: text/plain; format=flowed\n\n", b" \nx")
      for piece in (b"://", b"<a:", b"> \n")),
    times(b"\n\\,http://a.example/", b"Content-Type: text/calendar\n\n"),
    times(b'"http://a\nb",', b"Content-Type: text/csv\n\n"),
    times(b":\n", b"Content-Type: message/delivery-status\n\n"),
]  # fmt: skip


NESTED = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(380))
IN_BYTES = [
    times(b"X: y\n"), times(b"X: y\n odd\n", b"X: y\n"), times(b"x", b"\n"), times(b"\r", b"\n"),
    times(b"\n"), times(b"--b\n\nx\n", PART), times(b"--b7\n\nx\n", NESTED),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("make", IN_BYTES, ids=lambda make: repr(make(40)[-40:]))
def test_message_that_comes_byte_by_byte_takes_linear_time(make: Callable[[int], bytes]) -> None:
    def read(data: bytes) -> None:
        blocks = (data[at : at + 1] for at in range(len(data)))
        list(read_message(RawMessage(b"", Provenance(), rest=blocks)))

    assert growth(read, make, 50_000, 200_000) < LINEAR


@pytest.mark.slow
@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: repr(make(60)))
def test_hostile_message_takes_linear_time(make: Callable[[int], bytes]) -> None:
    def read(data: bytes) -> None:
        list(read_message(RawMessage(data=data, provenance=Provenance())))

    assert growth(read, make, 50_000, 200_000) < LINEAR


LINES = st.sampled_from([
    b"Subject: www.a.example", b"Subject: =?utf-8?q?http=3A//a?=", b"From: a@b", b"Message-ID: <1@a>",
    b" folded http://f/", b"Content-Type: text/plain",
    b"Content-Type: text/plain; charset=utf-8; format=flowed", b"Content-Type: text/html",
    b"Content-Type: message/rfc822", b"Content-Type: multipart/mixed; boundary=b",
    b'content-type: multipart/alternative;\n boundary="c d "',
    b"Content-Type: multipart/mixed; boundary*=us-ascii''b", b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: quoted-printable", b"Content-Location: http://l/", b"--b", b"--b--",
    b"--c d", b"--c d--  ", b"--bb", b"", b"", b"", b"http://u.example/ soft =", b"broken field",
    b"From here http://x/", b"aHR0cDovL2EuZXhhbXBsZS8=", b"<a href=http://h/>x</a> <p>http://p/ &amp;",
    b"> quoted ", b"------ This is a copy of the message. ------", b"Return-path: <a@b.example>",
    b"\xe4\xff", b"\0", b"a\rb", b":",
])  # fmt: skip


@examples(1500)
@given(st.lists(LINES.filter(lambda line: b"\0" not in line and b"\r" not in line), max_size=24))
def test_line_ends_of_a_message_do_not_matter(lines: list[bytes]) -> None:
    assert texts(b"\r\n".join(lines)) == texts(b"\n".join(lines))


@examples(1500)
@given(
    st.lists(LINES.filter(lambda line: b"\0" not in line), max_size=24),
    st.sampled_from([b"\n", b"\r\n", b"\r\r\n"]),
    st.integers(0, 99),
    st.sampled_from([1, 2, 3, 7, 40]),
)
def test_blocks_in_which_a_message_comes_do_not_matter(lines, end, first, size) -> None:
    data = end.join(lines)
    blocks = iter([data[at : at + size] for at in range(first, len(data), size)])
    message = RawMessage(data[:first], Provenance(source="s", message=1, offset=0), rest=blocks)
    assert [*map(whole, read_message(message))] == read(data)


@examples(1500)
@given(st.lists(LINES, max_size=24))
def test_text_stands_at_its_offset(lines: list[bytes]) -> None:
    data = b"\n".join(lines)
    for segment in read(data):
        if not isinstance(segment, Unread) and segment.byte is not None:
            assert data[segment.byte :].replace(b"\r", b"\n").startswith(segment.text.encode())


@examples(300)
@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    read(data)
    read(b"Content-Type: text/html\n\n" + data)


UNDECODABLE = ("undecodable bytes",)


@pytest.mark.parametrize(("charset", "body", "url", "defects"), [
    ("utf-8", b"\xe2\x80\x9chttp://a.example/x\xe2\x80\x9d. di\xe9t", "http://a.example/x", UNDECODABLE),
    ("us-ascii", b"\xe2\x80\x9chttp://a.example/x\xe2\x80\x9d. di\xe9t", "http://a.example/x", ()),
    ("utf-8", b"http://a.example/\xc3\xbc \xe2\x80", "http://a.example/\u00fc", UNDECODABLE),
    ("gb2312", b"\xbf\xb4http://a.example/x\xa3\xac\xc8", "http://a.example/x", UNDECODABLE),
    ("iso-2022-jp", b"\x1b$B4G\x1b(Bhttp://a.b/x\x1b$B!$?M\x1b(B \xff", "http://a.b/x", UNDECODABLE),
    ("gb2312", b"caf\xe9 http://a.b/\xe9t\xe9 d\xe9j\xe0", "http://a.b/\u00e9t\u00e9", UNDECODABLE),
])  # fmt: skip
def test_undecodable_byte_spoils_no_other_text(charset, body, url, defects) -> None:
    """A footer in another charset, or a character that was cut in two."""
    message = b"Content-Type: text/plain; charset=" + charset.encode() + b"\n\n" + body + b"\n"
    assert [(found.url, words(found.defects)) for found in extract_message(message)] == [(url, defects)]
    assert urls_only([RawMessage(data=message, provenance=Provenance())]) == [url]


def test_a_head_is_decoded_once_and_only_for_records(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []
    read_head = events.values_of

    def counted(head: bytes) -> tuple[str | None, ...]:
        decoded.append(head)
        return read_head(head)

    monkeypatch.setattr(events, "values_of", counted)
    body = b"http://a.example/ http://b.example/\n"
    inner = b"Subject: in\nContent-Type: message/rfc822\n\n"
    parts = b"--q\n\n" + body + b"--q\nContent-Type: message/rfc822\n\nSubject: in\n\n" + body + b"--q--\n"
    data = b"Subject: out http://s.example/\nContent-Type: multipart/mixed; boundary=q\n\n" + parts
    assert [found.subject for found in extract_message(data)] == [
        *["out http://s.example/"] * 3, "in", "in"
    ]  # fmt: skip
    assert len(decoded) == 2
    assert len(urls_only([RawMessage(data, Provenance())])) == 5
    assert list(extract_message(inner + b"Subject: x\n\nno link\n")) == []
    assert len(decoded) == 2
