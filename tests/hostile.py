"""Hostile input: each maker returns bytes of about the requested size.

The sizes are those of the input as it is read; an archive holds more than it weighs.
"""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from functools import reduce

POSTMARK = b"From a@b.example Mon Nov 14 09:12:44 1994\n"
HEAD = b"From: a@b.example\nSubject: x\nMIME-Version: 1.0\n"
HTML = HEAD + b"Content-Type: text/html\n\n"
XML = b'<?xml version="1.0"?>\n'
UUENCODED = b"Content-Transfer-Encoding: x-uuencode"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=q\n\n"


def times(unit, before=None, behind=None):
    """Return a maker that repeats ``unit``, which is text or bytes like what comes before and behind."""
    before, behind = before or unit[:0], behind or unit[:0]
    return lambda size: before + unit * max(1, (size - len(before) - len(behind)) // len(unit)) + behind


def counted(unit, before=b"", behind=b""):
    """Return a maker that repeats ``unit`` with a number in it."""
    return lambda size: before + b"".join(unit % n for n in range(size // len(unit % 99999))) + behind


def nested_multipart(size):
    depth = size // 75
    return (
        HEAD
        + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
        + b"\nhttp://a.example/\n"
        + b"".join(b"--b%d--\n" % n for n in reversed(range(depth // 8)))
    )


def nested_messages(size):
    return HEAD + b"Content-Type: message/rfc822\n\nSubject: x\n" * (size // 43) + b"\nhttp://a.example/\n"


def nested_base64(size):
    data = b"Subject: x\n\nhttp://a.example/\n" + b"x" * (size // 20) + b"\n"
    while len(data) < size:
        inner = base64.encodebytes(data)
        data = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + inner
    return HEAD + data


def packed(pack, rounds=1):
    """Return a maker of data that unpack to much more."""
    return lambda size: reduce(
        lambda data, _: pack(data), range(rounds), b"http://a.example/ " * (size // 18)
    )


def bomb(pack):
    """Return a maker of data that unpack to a thousand times their size, or more."""
    return lambda size: pack(b"\0" * min(600_000_000, size * 1_000))


def tarred(size):
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w") as archive:
        for number in range(size // 1024):
            member = tarfile.TarInfo(f"../../{number}")
            member.size = 18
            archive.addfile(member, io.BytesIO(b"http://a.example/\n"))
    return sink.getvalue()


def tar_header(kind, size, claimed=None):
    """Return the header of a member of ``kind``, which may claim another size than its own."""
    member = tarfile.TarInfo("x")
    member.type, member.size = kind, size if claimed is None else claimed
    return member.tobuf(tarfile.GNU_FORMAT)


def tar_chain(kind, inner):
    """Return a maker of headers that each describe the next one."""
    data = inner + bytes(-len(inner) % 512)
    end = tar_header(b"0", 18) + b"http://a.example/\n".ljust(512, b"\0") + bytes(1024)
    return lambda size: (tar_header(kind, len(inner)) + data) * (size // 1024) + end


def sealed(head):
    """Return the header of a sparse member with its checksum."""
    head[148:156] = b"%06o\0 " % (sum(head[:148]) + sum(head[156:]) + 8 * 32)
    return bytes(head)


def tar_sparse(size):
    """Return a sparse member whose map has an entry for every few bytes."""
    chain = (b"%011o\0%011o\0" % (512, 0)) * 21 + b"\1" + bytes(7)
    head = bytearray(tar_header(b"S", 0))
    head[482] = 1
    return sealed(head) + chain * (size // 512)


def tar_hole(size):
    """Return a sparse member that is a text and then a hole (tar(5), old GNU format)."""
    text = b"http://a.example/ " + b"x" * 494
    head = bytearray(tar_header(b"S", len(text)))
    for at, number in ((386, 0), (398, len(text)), (410, size), (422, 0), (483, size)):
        head[at : at + 12] = b"%011o\0" % number
    return sealed(head) + text + bytes(1024)


def zstd_windows(size):
    """Return layers of Zstandard that each ask for a window of 128 MiB, after a frame that is skipped."""
    data = b"http://a.example/ " * (size // 18)
    for _ in range(3):
        blocks = [data[at : at + 131_072] for at in range(0, len(data), 131_072)]
        last = len(blocks) - 1
        heads = ((len(block) << 3 | (at == last)).to_bytes(3, "little") for at, block in enumerate(blocks))
        data = b"\x28\xb5\x2f\xfd\0\x88" + b"".join(map(bytes.__add__, heads, blocks))
    return b"\x50\x2a\x4d\x18" + (2_000_000).to_bytes(4, "little") + bytes(2_000_000) + data


def matryoshka(size):
    data = b"http://a.example/ " * (size // 18)
    for number in range(40):
        data = gzip.compress(data, 1) if number % 2 else zip_of({"inner": data})
    return data


def zip_of(members, method=zipfile.ZIP_STORED):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return sink.getvalue()


TEXTS = {
    repr(unit)[2:-1]: times(unit) for unit in (
        b"<", b"<URL:", b"http://", b"a.", b"a", b":", b"://", b"x://", b"www.", b"<http:", b"<http://a ",
        b"http://a((((((((", b"http://a))))))))", b"http://a.,.,.,.,", b"mailto:", b"news: ", b"<a:b ",
        b"a+a-", b"<URL:http://x\n", b"<URL:" + b" " * 20, b"<http://a\n> ", b"\f\n", b"http://a/%",
        b"www.a(", b"\xe2\x80\x9c",
        b'"http://a ', b"\x00", b"\xff", b"\xff\xfe", b"\r", b"> ", b"&#", b"&lt;http:", b"-\n", b"http://a\\\n",
        b"http://a\\-", b"http://a/\\_)", rb"http:\/\/", rb"http:\/\/a\/)", rb"www.a.b/\-)",
        b"http://[::", b"http://a@", b"//", b"urn:a:", b"[1]: http://a\n", b"''http://a/", b"mailto:?to=", b"=http://a/|",
        b"ftp.a.b:/", b"www.a.b#",
        b"geo:1,", b"geo:1,1", b"http://a/6http://", b"http://a/=http://", b"=\n", b"a=3D", b"http://a/=\n", b"http://a/?b=3D",
        b"Seehttps://", b"Seehttps://a.b", b"magnet:?a&", b"sms:111,", b"http://a/=3D\n=20\n", b"<http://a/=\n",
    )
}  # fmt: skip
TEXTS |= {
    "a wrapper, then words": times(b"word ", b"<URL:http://x "),
    "a wrapper, then lines": times(b"lorem ipsum dolor sit\n", b"<URL:http://x\n"),
    "blanks in a quotation": times(b" ", b'"http://a/'),
    "a scheme as long as all": times(b"a", b"", b"://x"),
    "brackets that close": times(b")", b"http://a"),
    "prefixes 1,000 deep": times(b">" * 1000 + b" <http://a/\n" + b">" * 1000 + b" b>\n"),
    "a prefix as long as all": times(b"> ", b"<http://a/\n", b"b>"),
    "pages in a wrapper": times(b"\n\nAuthor  [Page 1]\n\x0c\nRFC 1  Title\n\n", b"<http://a/"),
    "one URL over all lines": times(b"harbour-\n", b"http://a.example/x-\n"),
    "URLs that may go on": times(b"http://a.example/9f86d081884c7d65\n9f86d081884c7d65-\n"),
    "quoted URLs that may go on": times(b"> > > http://a.example/x-\n> > b-\n> c-\n"),
    "the open link of a gateway": times(b"a&url=a\n", b"http://a.safelinks.protection.outlook.com/?url=\n"),
    "one URL of all": times(b"a/b?c=d&", b"http://a.example/"),
    "slashes before a title": times(b"/", b"<http://a.example/", b" The Title>"),
    "schemes before a host": times(b"h://", b"http://a.example/", b"?@\nx1y2z3=4&y"),
    "brackets with a control": times(b"<http://a.example/\x7f "),
    "closers without an opener": times(b"&lt;http://a.example/x> "),
    "page breaks in wrappers": times(b"<http://a/\n\n\nA  [Page 1]\n\x0c\nRFC 1  T\n\nb>\n"),
}

DENSE = {
    repr(unit): times(unit.encode("utf-8", "surrogateescape")) for unit in (
        "''http://a/", "\u4e2durn:", "urn:\u2013", "\xffurn:", "cid:", "tel:", "http://", "http://\u2013/",
        "\u2028urn:", "http://a\u4e2d", "\U0001f600a:", "a@b.de\u4e2d", "urn:()", "urn:,", "urn:a\\-",
        "mailto:?to=", "\xa0mid:a@b", "cid:\udcff",
    )
}  # fmt: skip
"""Texts with a candidate every few characters, each before a long run, so that each must cost little."""

DENSE |= {
    "URLs that go on in the next one": times(b"/http://a.example/?a=\n"),
    "quoted URLs that go on in the next one": times(b"> /http://a.example/?a=\n"),
    "links of a gateway below each other": times(b"/https://urldefense.com/v3/__http://a.example/x\n"),
    "lines that are taken back": times(("http://a.example/b\xad\n" + "&amp;\xad\n" * 1_900 + "\n").encode()),
    "hosts in a field": times("\xffwww.".encode(), HEAD + b"X-A: ", b"\n\n"),
    "names with entities in HTML": times(b"cid:x&zwnj;", HTML),
    "addresses with entities in HTML": times(b"http://a&zwnj;", HTML),
}

REWRITTEN = [
    *((True, unit) for unit in ("<http://a b>http://[", "http://a/", "<http://a b>a/b", "http://[::1]/")),
    *((False, unit) for unit in ("http://[", "cid:", "<http://a b>")),
]
"""Units of texts that are rewrapped, by whether URLs are broken."""

MESSAGES = {
    "a postmark on every line": times(POSTMARK),
    "From on every line": times(b"From \n", POSTMARK + b"\n"),
    "a head without end": times(b"X-A: http://a.example/\n", POSTMARK),
    "one field of all": times(b" http://a.example/\n", HEAD + b"X-A:"),
    "a field without line ends": times(b"a", b"Subject: "),
    "encoded words": times(b"=?utf-8?q?http://a?= ", HEAD + b"X-A: ", b"\n\n"),
    "encoded words that do not end": times(b"=?utf-8?b?", HEAD + b"X-A: ", b"\n\n"),
    "nested multiparts": nested_multipart,
    "nested messages": nested_messages,
    "nested in base64": nested_base64,
    "parts by the thousand": times(b"--q\n\nhttp://a.example/\n", MIXED, b"--q--\n"),
    "parts without an end": times(b"--q\n", MIXED),
    "parts with heads alone": times(b"--q\nContent-Type: text/html\n\n", MIXED),
    "almost boundaries": times(b"--", MIXED),
    "parameters": counted(b"; a*%d*=x", HEAD + b"Content-Type: text/plain", b"\n\nhttp://a.example/\n"),
    "pieces of a boundary": counted(
        b"; boundary*%d=x", HEAD + b"Content-Type: multipart/mixed", b"\n\n--x\n\nhttp://a.example/\n"
    ),
    "a boundary of all": times(
        b"b", HEAD + b'Content-Type: multipart/mixed; boundary="', b'"\n\n--b\n\nhttp://a/\n'
    ),
    "comments nested": times(b"(", HEAD + b"X-A: ", b"\n\n"),
    "base64 that is none": times(b"=A=B", HEAD + b"Content-Transfer-Encoding: base64\n\n"),
    "soft line ends": times(b"=\n", HEAD + b"Content-Transfer-Encoding: quoted-printable\n\nhttp://a/"),
    "equals signs": times(b"=", HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n"),
    "flowed for ever": times(
        b"http://a.example/ \n", HEAD + b"Content-Type: text/plain; format=flowed; delsp=yes\n\n"
    ),
    "uuencode without end": times(b"M" + b"!" * 60 + b"\n", HEAD + UUENCODED + b"\n\nbegin 644 x\n"),
    "begin on every line": times(b"begin 644 x\n", HEAD + UUENCODED + b"\n\n"),
    "charsets unknown": times(b"--q\nContent-Type: text/plain; charset=x-none\n\n\xe9\n", MIXED),
    "UTF-7 shifts": times(b"+A-", HEAD + b"Content-Type: text/plain; charset=utf-7\n\n"),
    "ISO-2022 escapes": times(b"\x1b$B!!\x1b(B", HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\n\n"),
    "digest separators": times(b"-" * 30 + b"\n\n", HEAD + b"Content-Type: multipart/digest; boundary=q\n\n"),
    "external bodies": times(b'--q\nContent-Type: message/external-body; URL="http://a/"\n\n\n', MIXED),
}

MARKUP = {
    "elements nested": times(b"<div>", HTML),
    "a tag without end": times(b" a", HTML + b"<a"),
    "attributes by the million": counted(b" a%d=1", HTML + b"<a", b">"),
    "one tag of links": times(b' href="http://a.example/"', HTML + b"<a", b">"),
    "quotes that do not close": times(b'<a href="', HTML),
    "comments that do not close": times(b"<!--", HTML),
    "CDATA": times(b"<![CDATA[", HTML),
    "scripts that do not close": times(b"<script>", HTML),
    "styles and titles": times(b"<style><title>", HTML),
    "ends that nothing began": times(b"</a></b></blockquote>", HTML),
    "quotations nested": times(b"<blockquote>", HTML),
    "references": times(b"&amp;#x26;", HTML),
    "references without end": times(b"&#0", HTML),
    "a srcset of all": times(b"http://a.example/ 1x, ", HTML + b'<img srcset="', b'">'),
    "bases": times(b'<base href="http://a.example/"><a href=b>', HTML),
    "refreshes": times(b'<meta http-equiv=refresh content="0;url=http://a/">', HTML),
    "links whose text is another": times(b'<a href="http://a.example/">http://b.example/</a>', HTML),
    "links in links": times(b"<a href=http://a.example/>http://b.example/ ", HTML),
    "links with long texts": times(b"<a href=http://a.example/>" + b"word " * 60 + b"</a>", HTML),
    "links that never close": times(b"<a href=http://a.example/>x ", HTML),
    "elements nested in a link": times(b"<b>", HTML + b"<a href=http://a.example/>"),
    "images in a link": times(b"<img alt='x y' src=a>", HTML + b"<a href=http://a.example/>"),
    "lies": counted(b"<a href='http://a%d.example/'>bank.com</a>", HTML),
    "lies that are nearly none": counted(b"<a href='http://bank%d.com/'>www.bank.com/...</a>", HTML),
    "a link that shows a long URL": times(b"a", HTML + b"<a href=http://a.example/>http://a.example/"),
    "links cut short": times(b"<a href=http://a.example/b>http://a.example/...</a>", HTML),
    "hosts that are hidden": times(b"<a href='http://%77%77%77.%61.example/'>", HTML),
    "bases that change": counted(b"<base href='http://a%d.example/'><a href=b>x</a>", HTML),
    "codebases": times(b"<object codebase='http://a.example/' data=b>", HTML),
    "notes": times(b"http://a.example/x<sup>1</sup>", HTML),
    "notes in notes": times(b"<sup>", HTML + b"http://a.example/x"),
    "breaks in one URL": times(b"a<wbr>", HTML + b"http://a.example/"),
    "references in one URL": times(b"&amp;a", HTML + b"http://a.example/?"),
    "references that are none": times(b"&#", HTML),
    "texts in attributes": times(b"<p title='see http://a.example/'>", HTML),
    "a text in an attribute": times(b"http://a.example/ ", HTML + b"<p title='", b"'>"),
    "url( without end": times(b"url(", HTML + b"<p style='", b"'>"),
    "a style of url(": times(b"url(http://a.example/) ", HTML + b"<style>"),
    "comments in a style": times(b"/*", HTML + b"<style>"),
    "imports": times(b"@import 'http://a.example/';", HTML + b"<style>"),
    "pings": times(b"http://a.example/ ", HTML + b"<a ping='", b"'>"),
    "pings and a title": lambda size: (
        HTML + b"<a ping='%s' title='%s'>" % ((b"http://a/ " * (size // 20)), b"http://b/ " * (size // 20))
    ),
    "a long base": lambda size: (
        HTML + b"<base href='http://a.example/%s/'>" % (b"a" * (size // 2)) + b"<a href=x>" * (size // 20)
    ),
    "an attribute that swallows a tag": lambda size: (
        HTML + b'<a href=x =" %sfoo=\'%s">x</a>' % (b" " * (size // 2), b"a" * (size // 2))
    ),
    "a long link round many URLs": lambda size: (
        HTML + b"<a href='http://a.example/%s'>" % (b"a" * (size // 2)) + b"http://b.example/ " * (size // 36)
    ),
    "comments for Outlook": times(b"<!--[if mso]><a href=http://a.example/>", HTML),
    "a page by itself": times(b"<p><a href=http://a.example/>b</a> http://b.example/", b"<!doctype html>"),
    "a page that is one tag": times(b" b=c", b"<html><a"),
    "a page that is one script": times(b"<b>", b"<html><script>"),
    "a doctype that never ends": times(b" ", b"<!doctype"),
    "XML that is no page": times(b" ", b"<?xml"),
    "comments before a page": times(b"<!-- x -->", b""),
    "angle brackets": times(b"<", HTML),
    "declarations": times(b"<?", HTML),
}

PACKED = {
    "gzip of gzip of gzip": packed(lambda data: gzip.compress(data, 1), 3),
    "forty wrappings": matryoshka,
    "gzip, many members": lambda size: gzip.compress(b"http://a.example/\n") * (size // 38),
    "gzip bomb": bomb(lambda data: gzip.compress(data, 9)),
    "bzip2 bomb": lambda size: bz2.compress(b"\0" * 50_000_000) * (size // 100),
    "xz bomb": bomb(lambda data: lzma.compress(data, preset=0)),
    "zip of many": lambda size: zip_of(
        {f"{number}.txt": b"http://a.example/\n" for number in range(size // 120)}, zipfile.ZIP_DEFLATED
    ),
    "zip bomb": lambda size: zip_of({"inner": bomb(lambda data: gzip.compress(data, 9))(size)}),
    "tar that climbs": tarred,
    "tar of long names, chained": tar_chain(b"L", b"x" * 100),
    "tar of long links, chained": tar_chain(b"K", b"x" * 100),
    "tar of pax headers, chained": tar_chain(b"x", b"12 path=abc\n"),
    "tar of global pax headers": tar_chain(b"g", b"12 path=abc\n"),
    "tar of a name that claims much": lambda size: tar_header(b"L", 0, 1 << 32) + b"x" * size,
    "tar of a pax header that claims much": lambda size: (
        tar_header(b"x", 0, 1 << 32) + b"9 a=bcd\n" * (size // 8)
    ),
    "tar of a name of zeros, packed": lambda size: gzip.compress(
        tar_header(b"L", 0, 1 << 32) + bytes(size * 100)
    ),
    "tar of a number of digits": tar_chain(b"x", b"9" * 5000 + b" path=abc\n"),
    "tar, sparse without end": tar_sparse,
    "tar of a hole": lambda size: tar_hole(8 << 30),
    "zstd in zstd, with the widest windows": zstd_windows,
    "zip, its long size cut off": lambda size: (
        b"PK\3\4" + bytes(14) + b"\xff\xff\xff\xff" * 2 + b"\1\0\4\0" + b"x" + b"\1\0\x18\0" + b"x" * size
    ),
    "gzip cut off": lambda size: gzip.compress(b"http://a.example/ " * (size // 18), 1)[:-20],
    "zlib noise behind gzip's mark": lambda size: (
        b"\x1f\x8b\x08\0\0\0\0\0\0\3" + zlib.compress(b"x" * size)[2:]
    ),
}

FORMATS = {
    "news batch, counts that lie": times(b"#! rnews 999999999\nSubject: x\n\nhttp://a/\n"),
    "news batch, empty articles": times(b"#! rnews 0\n"),
    "news batch, counts of letters": times(b"#! rnews x\n"),
    "MMDF": times(b"\x01\x01\x01\x01\n"),
    "NNTP": times(b"220 0 <a@b> article\r\nSubject: x\r\n\r\n.\r\n"),
    "WARC, lengths that lie": times(b"WARC/1.0\r\nContent-Length: 999999999\r\n\r\n"),
    "WARC, heads alone": times(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n"),
    "WARC, one head": times(b"A: b\r\n", b"WARC/1.0\r\n"),
    "XML, elements nested": times(b"<x>", XML),
    "XML, attributes": times(b" a='http://a.example/'", XML + b"<x"),
    "XML, blanks in a tag": times(b"a  ", XML + b"<x ", b">"),
    "calendar, folds alone": times(b"\n x", b"BEGIN:VCALENDAR\nURL:http://a"),
    "card, soft breaks alone": times(b"=\n", b"BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:"),
    "comments before a tag": times(b"<!-- x -->"),
    "tags with references": times(b'<a href="http://a/?b&amp;c">'),
    "flowed brackets": times(b"<http:x \n", HEAD + b"Content-Type: text/plain; format=flowed\n\n"),
    "content lengths that lie": times(POSTMARK + b"Content-Length: 99999999\nSubject: x\n\nhttp://a/\n\n"),
}

HOSTILE = TEXTS | DENSE | MESSAGES | MARKUP | PACKED | FORMATS
