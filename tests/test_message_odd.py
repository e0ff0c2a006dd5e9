"""Malformed mail whose meaning is clear (SPEC §8)."""

from __future__ import annotations

import pytest
from scans import urls_only

from urlextract import extract_message
from urlextract.records import Provenance, RawMessage

B64 = b"aHR0cDovL2EuZXhhbXBsZS9h\n"  # http://a.example/a
URL = "http://a.example/a"
PAGE = b'<a href="http://h.example/?a&amp;b">x</a>\n'
LINK = "http://h.example/?a&b"
MIXED = b"Content-Type: multipart/mixed; boundary=b\n\n"
BASE64 = b"Content-Transfer-Encoding: base64\n\n" + B64


def part(boundary: bytes, *lines: bytes) -> bytes:
    return b"--" + boundary + b"\n" + b"\n".join(lines) + b"\n--" + boundary + b"--\n"


HEADS = [
    # RFC 822 allowed spaces before the colon
    (b"Content-Transfer-Encoding : base64\n\n" + B64, URL),
    (b"Content-Type\t: text/html\n\n" + PAGE, LINK),
    (MIXED + part(b"b", b"Content-Type : text/html", b"", PAGE), LINK),
    # comments, folds and invalid types: RFC 2045, sections 5.1 and 5.2
    (b"Content-Type: multipart/mixed; boundary=b (x)\n\n" + part(b"b", BASE64), URL),
    (b'Content-Type: multipart/mixed; boundary="b (y)" (x (z))\n\n' + part(b"b (y)", BASE64), URL),
    (b'Content-Type: multipart/mixed; boundary="b\n c"\n\n' + part(b"b c", BASE64), URL),
    (b'Content-Type: multipart/mixed; boundary="b\n\n' + part(b"b", BASE64), URL),
    (b'Content-Type: multipart/mixed; boundary="b" charset=x\n\n' + part(b"b", BASE64), URL),
    (b"Content-Type: text/html (x); charset=utf-8\n\n" + PAGE, LINK),
    (b"Content-Type: (c) text/html\n\n" + PAGE, LINK),
    (b"Content-Type: text/html charset=utf-8\n\n" + PAGE, LINK),
    (b"Content-Type: text / html\n\n" + PAGE, LINK),
    (b'Content-Type: "text/html"\n\n' + PAGE, LINK),
    (b"Content-Type: %%%/%%%\n\nhttp://h.example/\n", "http://h.example/"),
    (b"Content-Transfer-Encoding: (x) quoted-printable\n\nhttp://h.example/?a=3Db\n", "http://h.example/?a=b"),
    (b'Content-Transfer-Encoding: "base64"\n\n' + B64, URL),
    (b"Content-Transfer-Encoding: base64,\n\n" + B64, URL),
    (b"Content-Transfer-Encoding: X-Base-64\n\n" + B64, URL),
    (b"Content-Transfer-Encoding: quotedprintable\n\nhttp://h.example/?a=3Db\n", "http://h.example/?a=b"),
    (b"Content-Transfer-Encoding: Quoted Printable\n\nhttp://h.example/?a=3Db\n", "http://h.example/?a=b"),
    (b"Content-Transfer-Encoding: base64x\n\nhttp://h.example/\n", "http://h.example/"),
    # header lines that are not fields: folded without a space, or inserted
    (b"To: a@b.example,\nb@c.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n" + PAGE, LINK),
    (b"Subject: y\nthis is no header\nContent-Type: text/plain\n" + BASE64, URL),
    (b"Subject: y\nFrom a@b Mon Nov 14 09:12:44 1994\n" + BASE64, URL),
    (b'Content-Type: text/html;\ncharset="utf-8"\n\n' + PAGE, LINK),
    (b"Content-Type:\ntext/html\n\n" + PAGE, LINK),
    (MIXED + part(b"b", b"Content-Type: text/plain;", b'name="x"', BASE64), URL),
    (b"List-Help: <mailto:a@b.example>,\n<http://q.example/x>\n" + BASE64,
     f"mailto:a@b.example http://q.example/x {URL}"),
    (b"Received: by x\nsee http://q.example/x\nContent-Type: text/plain\n\ny\n", "http://q.example/x"),
    (b"Subject: y\nThe text, without a blank line, on: www.q.example\nthat: is all\n", "http://www.q.example"),
    # cells of a table, separated by the character that its first line has
    (b"Content-Type: text/csv\n\n1,http://q.example/x,foo\n2,http://r.example/,2\n",
     "http://q.example/x http://r.example/"),
    (b'Content-Type: text/csv\n\n"http://q.example/x,y",http://r.example/z;1,2\n',
     "http://q.example/x,y http://r.example/z;1"),
    (b'Content-Type: text/csv\n\nid;url\n1;http://q.example/x\n2;"http://r.example/y;z";3\n4;http://s.example/,;5\n',
     "http://q.example/x http://r.example/y;z http://s.example/"),
    # machine names
    (b"X-Source-Dir: www.q.example:/public_html\nX-ClientProxiedBy: www.r.example\n\nhttp://s.example/\n",
     "http://s.example/"),
    (b"Content-Type: message/disposition-notification\n\nReporting-UA: www.s.example\nError: http://u.example/\n",
     "http://u.example/"),
    # a fold inside brackets does not break the URL
    (b"Link: <http://q.example/foo\n bar>\n\nhi\n", "http://q.example/foobar"),
    (b"Subject: see <http://q.example/foo\n bar> and\n <http://q.example/x The Page>\n\n",
     "http://q.example/foobar http://q.example/x"),
    (b"Content-Type: text/html\nContent-Location: http://q.example/aa/\n bb.html\n\n<a href=x>k</a>\n",
     "http://q.example/aa/bb.html http://q.example/aa/x"),
    (b'X-SMTPAPI: {"u":"http:\\/\\/js.example\\/b"}\n\nhi\n', "http://js.example/b"),
]  # fmt: skip

SIGNED = b"""-----BEGIN PGP SIGNED MESSAGE-----

http://a.example/a
-----BEGIN PGP SIGNATURE-----

iQ
-----END PGP SIGNATURE-----
"""
PARTS = [
    # no boundary, another case
    (b"Content-Type: multipart/mixed\n\n" + part(b"b", BASE64), URL),
    (b"Content-Type: multipart/mixed; boundary=BB\n\n" + part(b"bb", BASE64), URL),
    (b"Content-Type: multipart/mixed\n\n--\nsee http://a.example/a\n", URL),
    (b"Content-Type: message/rfc822\n\n\nFrom: c@d.example\n" + BASE64, URL),
    (
        b"Content-Type: multipart/report; boundary=z\n\n"
        + part(b"z", b"Content-Type: message/delivery-status", b"Content-Transfer-Encoding: base64", b"",
               b"RGlhZ25vc3RpYy1Db2RlOiBzbXRwOyBodHRwOi8vZC5leGFtcGxlLwo="),
        "http://d.example/",
    ),
    (b"\nsee\n\nReceived: from http://a.example/a\n", URL),
    (b"Content-Type: application/pgp; format=text; x-action=sign\n\n" + SIGNED, URL),
    (b"Content-Type: text/x-amp-html\n\n<script>'http://no.example/'</script>" + PAGE, LINK),
    (b"Content-Type: text/enriched\n\n<center>http://e.example/a</center><<http://e.example/b>\n",
     "http://e.example/a http://e.example/b"),
    # RFC 5545, section 3.3.11; RFC 2426, section 4
    (b"Content-Type: text/calendar\n\nLOCATION:https://m.example/@52.5\\,13\\;4\\,1\n 5z\\nx\n",
     "https://m.example/@52.5,13;4,15z"),
    (b"Content-Type: text/vcard\n\nURL:http\\://v.example/d\n", "http://v.example/d"),
    ((b'Content-Type: text/calendar\n\nX-ALT-DESC;FMTTYPE=text/html:<a href="https://m.example/j?a=1&am'
      b'\n p;b=2\\;c">Join</a>\nDESCRIPTION:https://m.example/?a&amp;b\n'),
     "https://m.example/j?a=1&b=2;c https://m.example/?a&amp;b"),
    # vCard 2.1, section 2.1.3
    ((b"Content-Type: text/x-vcard\n\nVERSION:2.1\nURL;ENCODING=QUOTED-PRINTABLE:http://v.example/=\n"
      b"a=3Db\nNOTE;CHARSET=UTF-8;QUOTED-PRINTABLE:=C3=A4 see=0D=0Ahttp://v.example/=C3=A4\nN:=3D\n"),
     "http://v.example/a=b http://v.example/\u00e4"),
    (b"Content-Type: text/x-vcard\n\nURL;ENCODING=QUOTED-PRINTABLE:http://v.example/a=\n", "http://v.example/a"),
    (b"Content-Type: text/x-vcard\n\nURL;PREF:http://v.example/?a=3Db\n", "http://v.example/?a=3Db"),
    # XML 1.0, section 4.6; escaped content of a feed is HTML
    (b"Content-Type: text/xml\n\n<a>http://x.example/?a=1&amp;b=2&#38;c</a><b u='http://x.example/y'/>\n",
     "http://x.example/?a=1&b=2&c http://x.example/y"),
    ((b"Content-Type: application/rss+xml\n\n<link>http://r.example/1</link><description>&lt;a href=&quot;"
      b"http://r.example/2?a&amp;amp;b&quot;&gt;x&lt;/a&gt;</description>"
      b"<c><![CDATA[http://r.example/3?a&copy=b]]></c>\n"),
     "http://r.example/1 http://r.example/2?a&b http://r.example/3?a&copy=b"),
    (b"Content-Type: application/atom+xml; charset=utf-8\n\n<link href=\"http://t.example/?a&amp;b\"/>\n",
     "http://t.example/?a&b"),
    (b'Content-Type: application/json\n\n{"u": "http:\\/\\/j.example\\/x?a=1\\u0026b", "v": "http://j.example/y"}\n',
     "http://j.example/x?a=1&b http://j.example/y"),
    ((b"Content-Type: application/ld+json\nContent-Transfer-Encoding: base64\n\n"
      b"eyJ1IjoiaHR0cDovL2ouZXhhbXBsZS8ifQ==\n"), "http://j.example/"),
    (b"\n-----Original Message-----\nFrom: x@b.example\nSent: today\nSubject: y\n\nhttp://or.example/?a=3D1\n",
     "http://or.example/?a=3D1"),
]  # fmt: skip

PAGES = [
    (b"<a href='http://http://a.example/5'>x</a>", "http://a.example/5"),
    (b"<a href='blocked::http://a.example/5'>x</a>", "http://a.example/5"),
    (b"<a href='(http://a.example/5)'>x</a>", "http://a.example/5"),
    (b"<a href='&nbsp;http://a.example/5'>x</a>", "http://a.example/5"),
    (b"<a href='\xe2\x80\x8bhttp://a.example/5'>x</a>", "http://a.example/5"),
    (b"<a href='&lt;http://a.example/5&gt;'>x</a>", "http://a.example/5"),
    (b"<a href='http:// a.example/5'>x</a>", ""),
    (b"<a href='http://a.example /5'>x</a>", "http://a.example"),
    (b"<a href='http://a.ex\0ample/5'>x</a>", "http://a.ex"),
    (b'<a href="http://a.example/1>x</a> <a href="x.html">y</a>', "http://a.example/1"),
    (b"<a href='go?u=http://a.example/5'>x</a>", ""),
]

CHARSETS = [
    ("x-x-big5", "（http://k.example/b）《http://k.example/c》".encode("big5"), "http://k.example/b http://k.example/c"),
    ("windows-949", "http://k.example/a。".encode("cp949"), "http://k.example/a"),
    ("x-cp1251", b"http://k.example/\xfe", "http://k.example/ю"),
    ("koi8", b"http://k.example/\xc0", "http://k.example/ю"),
    ("iso-2022-jp", b"\x1b$B-!\x1b(Bhttp://k.example/a\x1b$B!#\x1b(B", "http://k.example/a"),
    ("euc-jp", b"\xad\xa1 http://k.example/a\xa1\xa3", "http://k.example/a"),
    ("iso-8859-1", b"\x1b$B$\"\x1b(Bhttp://k.example/a\x1b$B!#\x1b(B", "http://k.example/a"),
    ("utf-8", "http://k.example/a。".encode("utf-16"), "http://k.example/a"),
]  # fmt: skip


def check(data: bytes, urls: str) -> None:
    """Check that the records and the URLs-only reader both have these URLs."""
    assert [found.url for found in extract_message(data)] == urls.split()
    assert urls_only([RawMessage(data, Provenance())]) == urls.split()


@pytest.mark.parametrize(("data", "urls"), HEADS + PARTS)
def test_malformed_message_is_read_as_meant(data: bytes, urls: str) -> None:
    check(b"From: a@b.example\n" + data, urls)


@pytest.mark.parametrize(("page", "urls"), PAGES)
def test_attribute_value_that_is_not_a_url_is_read_as_text(page: bytes, urls: str) -> None:
    check(b"Content-Type: text/html; charset=utf-8\n\n" + page + b"\n", urls)


@pytest.mark.parametrize(("charset", "body", "urls"), CHARSETS)
def test_charset_is_known_by_all_its_names(charset: str, body: bytes, urls: str) -> None:
    check(b"Content-Type: text/plain; charset=" + charset.encode() + b"\n\n" + body + b"\n", urls)


def test_base_is_resolved_against_the_outer_base() -> None:
    base = b"Content-Type: text/html\nContent-Location: http://b.example/d/e\n\n"
    urls = "http://b.example/d/e http://b.example/d/q/ http://b.example/d/q/x"
    check(base + b"<base href='q/'><a href=x>y</a>\n", urls)
    inner = b"Content-Type: text/html\nContent-Location: f/g.html\n\n<a href=x>y</a>"
    outer = b"Content-Location: http://b.example/d/e\n" + MIXED
    check(outer + part(b"b", inner), "http://b.example/d/e http://b.example/d/f/x")
