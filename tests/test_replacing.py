"""Other text in place of URLs: `replace_urls`, and ``urlextract mend`` with its options."""

from __future__ import annotations

from base64 import encodebytes
from binascii import b2a_qp
from html import escape
from itertools import product
from urllib.parse import quote

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from strategies import broken_texts, examples

from urlextract import extract, extract_message, mend, replace_urls, rewrap
from urlextract.formatter.texts import units
from urlextract.formatter.texts.replacing import with_fangs, with_targets
from urlextract.formatter.texts.units import rewritten

GOOGLE = "https://www.google.com/url?q={}&sa=D"
PROOFPOINT = "https://urldefense.com/v3/__https://a.example/tide*table__;JQ!!b!c$"
HEAD = "From: ada@a.example\nSubject: http://s.example/\n"


def fanged(text, fang):
    return rewritten(text, lambda unit: with_fangs(unit, fang).text)


def unwrapped(text):
    return rewritten(text, lambda unit: with_targets(unit).text)


# ruff: noqa: E501
# A text and the result, written by hand.
UNWRAPPED = {
    "bare": (f"see {GOOGLE.format('http://a.example/b%3Fc%3D1')}, and\n", "see http://a.example/b?c=1, and\n"),
    "in brackets": (f"<URL:{PROOFPOINT}>.", "<URL:https://a.example/tide%table>."),
    "broken": (
        "> <https://urldefense.com/v3/__https://a.example/\n> b__;!!b!c$> x\n", "> <https://a.example/b>\n> x\n"),
    "one in another": (f"({GOOGLE.format(quote(GOOGLE.format('http://a.example/'), ''))})", "(http://a.example/)"),
    "what may end the sentence stays": (f"{GOOGLE.format('http://a.example/b.')}\n",) * 2,
    "what would end its brackets is encoded": (f"<{GOOGLE.format('http://a.example/b%3Ec%20d')}>", "<http://a.example/b%3Ec%20d>"),
    "a control character is encoded": (f"{GOOGLE.format('http://a.example/%1B%5B2J%5Dx')}", "http://a.example/%1B[2J]x"),
    "what is cut stays": (f"{GOOGLE.format('http://a.example/b')}...\n",) * 2,
    "in a field, and in what flows": (
        f"{HEAD}X: {PROOFPOINT}\nContent-Type: text/plain; format=flowed\n\n{GOOGLE.format('http://a.example/')}\n",
        f"{HEAD}X: https://a.example/tide%table\nContent-Type: text/plain; format=flowed\n\nhttp://a.example/\n"),
    "in what is encoded": (
        f"{HEAD}Content-Transfer-Encoding: quoted-printable\n\nhttps://www.google.com/url?q=3Dhttp://a.example/&sa=3DD\n",
        f"{HEAD}Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/\n"),
    "in a page": (
        f"{HEAD}Content-Type: text/html\n\n<p><a href='{GOOGLE.format('http://a.example/?b%3Dc%26d')}'>x</a>\n",
        f"{HEAD}Content-Type: text/html\n\n<p><a href='http://a.example/?b=c&amp;d'>x</a>\n"),
    "in code, and where lines end in CRLF": (
        f"```\r\n{GOOGLE.format('http://a.example/')}\r\n```\r\n", "```\r\nhttp://a.example/\r\n```\r\n"),
}  # fmt: skip

DEFANGED = {
    "bare": ("see http://a.example/b, www.a.example and mailto:ada@a.example\n",
             "see hxxp://a[.]example/b, www[.]a[.]example and mailto:ada[@]a[.]example\n"),
    "wrapped, quoted and escaped": (
        '<URL:http://a.example/> "http://b.example" &lt;http://c.example/&gt;',
        '<URL:hxxp://a[.]example/> "hxxp://b[.]example" &lt;hxxp://c[.]example/&gt;'),
    "hosts without a scheme, and addresses": (
        "a.com/b, b.org and ada.b@c.com, no README.md\n", "a[.]com/b, b[.]org and ada.b[@]c[.]com, no README.md\n"),
    "schemes without slashes": (
        "tel:+1234567 urn:isbn:0451450523 and news:comp.text\n",
        "tel[:]+1234567 urn[:]isbn:0451450523 and news[:]comp.text\n"),
    "what is defanged": ("hxxp://a[.]example/",) * 2,
    "broken": ("<http://a.example/\nb> c", "<hxxp://a[.]example/b>\nc"),
    "in code, a diff and a signature": (
        "```\nhttp://a.example/\n```\n\n--- a\n+++ b\n@@ -1 +1 @@\n-http://b.example/\n+http://c.example/\n-- \nhttp://d.example/\n",
        "```\nhxxp://a[.]example/\n```\n\n--- a\n+++ b\n@@ -1 +1 @@\n-hxxp://b[.]example/\n+hxxp://c[.]example/\n-- \nhxxp://d[.]example/\n"),
    "broken in code, where lines stay": (
        "```\n<http://a.example/\nb>\n```\n@@ -1 +1 @@\n-<http://b.example/\n-c>\n",
        "```\n<hxxp://a[.]example/\nb>\n```\n@@ -1 +1 @@\n-<hxxp://b[.]example/\n-c>\n"),
    "bytes that are not UTF-8": ("\udcfc http://a.example/ \udcfc", "\udcfc hxxp://a[.]example/ \udcfc"),
}  # fmt: skip


@pytest.mark.core
@pytest.mark.parametrize("name", UNWRAPPED)
def test_targets_stand_in_place_of_rewritten_links(name):
    text, result = UNWRAPPED[name]
    status, output, complaint = outcome("mend", "--unwrap", data=text.encode())
    assert (status, output, complaint) == (0, result, "")


@pytest.mark.core
@pytest.mark.parametrize("name", DEFANGED)
def test_urls_are_defanged_and_back(name):
    text, result = DEFANGED[name]
    data = text.encode("utf-8", "surrogateescape")
    printed = outcome("mend", "--defang", data=data)[1].encode("utf-8", "surrogateescape")
    assert printed == result.encode("utf-8", "surrogateescape") or "\udcfc" in text
    assert fanged(result, "defang") == result
    if name not in ("broken", "what is defanged"):
        assert fanged(fanged(text, "defang"), "refang") == text


@pytest.mark.parametrize("how", ["--defang", "--unwrap"])
def test_what_is_signed_within_a_text_stays_and_is_told(how):
    """RFC 9580, section 7."""
    link = "https://www.google.com/url?q=http://a.example/x"
    text = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{link}\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n"
    status, output, complaint = outcome("mend", how, data=text.encode())
    assert (status, output) == (1, text)
    assert (
        complaint
        == "urlextract: -: URLs that cannot be changed, in signed or long parts or encoded fields: 1\n"
    )


def test_urls_that_are_left_are_counted(tmp_path):
    path, other = tmp_path / "mail", tmp_path / "other"
    path.write_text(f"{HEAD}X: =?utf-8?q?=C3=A4_http=3A//x.example/?=\n\nhttp://a.example/\n")
    other.write_text("http://b.example/\n")
    said = f"urlextract: {path}: URLs that cannot be changed, in signed or long parts or encoded fields: 1\n"
    assert outcome("mend", "--defang", "-i", path, other) == (1, "", said)
    head = HEAD.replace("http://s.example", "hxxp://s[.]example")
    fields = "X: =?utf-8?q?=C3=A4_http=3A//x.example/?=\n\n"
    assert path.read_text() == f"{head}{fields}hxxp://a[.]example/\n"
    assert other.read_text() == "hxxp://b[.]example/\n"
    assert outcome("mend", "--refang", "-i", path) == (0, "", "")
    assert path.read_text() == f"{HEAD}{fields}http://a.example/\n"


PAGE = '<p>See <a href="http://evil.example/?a=1&amp;b=2">http://bank.example/</a>, \u00e4 <img src=//i.example/x></p>\n'
SAFE_PAGE = (
    PAGE.replace("http://evil.", "hxxp://evil[.]")
    .replace("http://bank.", "hxxp://bank[.]")
    .replace("//i.", "hxxps://i[.]")
)
TEXT = "see http://a.example/x now\nFrom here to --b\n--b is no boundary \u00e4\n"
SAFE_TEXT = TEXT.replace("http://a.", "hxxp://a[.]")
IN_PARTS = """\
From: ada@a.example
Message-ID: <1@www.a.example>
Received: from http.a.example (www.b.example [1.2.3.4])
Content-Type: multipart/mixed; boundary="http://b"

--http://b
Content-Type: {kind}; charset={charset}
Content-Transfer-Encoding: {encoding}
{more}
{body}
--http://b--
"""


def urls_of(message):
    return [found.url for found in extract_message(message)]


def in_parts(kind, text, encoding, charset, more=""):
    data = text.encode(charset)
    if encoding == "base64":
        data = encodebytes(data)
    elif encoding == "quoted-printable":  # and what begins a boundary or a message
        data = b2a_qp(data).replace(b"\n--", b"\n=2D-").replace(b"\nFrom ", b"\n=46rom ")
    fields = {"kind": kind, "charset": charset, "encoding": encoding, "more": more}
    head, _, tail = IN_PARTS.format(**fields, body="\0").partition("\0")
    return head.encode() + data + tail.encode()


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
@pytest.mark.parametrize(("kind", "text", "safe", "more"), [
    ("text/plain", TEXT, SAFE_TEXT, ""), ("text/html", PAGE, SAFE_PAGE, ""),
    ("text/html", PAGE, SAFE_PAGE, "Content-Disposition: attachment\n"), ("text/markdown", TEXT, SAFE_TEXT, ""),
])  # fmt: skip
def test_parts_are_defanged_in_their_encoding_and_nothing_else_changes(kind, text, safe, more, encoding):
    for charset, line_end in product(("utf-8", "iso-8859-1"), (b"\n", b"\r\n")):
        before, after = (
            in_parts(kind, each, encoding, charset, more).replace(b"\n", line_end) for each in (text, safe)
        )
        assert mend(before, defang=True) == after
        refanged = mend(after, refang=True)
        assert refanged == before or (kind == "text/html" and urls_of(refanged) == urls_of(before))


LONG = "PHA+YWJjIGRlZgo8cD5hYmMgZGVmCjxwPmFi\n" * 70_000  # more than is held

IN_PAGES = [  # what browsers read, what stands in scripts and comments, and what is no URL but a name
    ('<a href="ht&#10;tp://a.example/">', '<a href="hxxp://a[.]example/">'),
    ('<a href="/\\a.example/"> <a href="b/c">', '<a href="hxxps://a[.]example/"> <a href="b/c">'),
    ("<iframe srcdoc=\"<a href='http://a.example/'>\">", "<iframe srcdoc=\"<a href='hxxp://a[.]example/'>\">"),
    ('<script>location="http://a.example/"</script>', '<script>location="hxxp://a[.]example/"</script>'),
    ("<!-- http://a.example/ --><img data-src=http://b.example/>",
     "<!-- hxxp://a[.]example/ --><img data-src=hxxp://b[.]example/>"),
    ("<style>@import '//a.example/?b=1&c';</style>", "<style>@import 'hxxps://a[.]example/?b=1&c';</style>"),
    ('<img src="cid:1@a.example"> <a href="//a.example/&eacute;">',
     '<img src="cid:1@a.example"> <a href="hxxps://a[.]example/&#233;">'),
    ('<style>@import "http://a.example/?b=1&c";</style>', '<style>@import "hxxp://a[.]example/?b=1&c";</style>'),
    ('<!DOCTYPE html PUBLIC "" "http://www.w3.org/x"><html xmlns="http://www.w3.org/1999/xhtml">',) * 2,
    ("<p>http://a.<wbr>example/<b>x</b>", "<p>hxxp://a.<wbr>example/<b>x</b>"),
    ('<a href="http://a.example/">http://a.example/</a>', '<a href="hxxp://a[.]example/">hxxp://a[.]example/</a>'),
]  # fmt: skip


@pytest.mark.parametrize(("page", "expected"), IN_PAGES)
def test_page_of_a_message_is_defanged_wherever_a_url_is(page, expected):
    head = "From: ada@a.example\nContent-Type: text/html\n\n"
    assert mend(f"{head}{page}\n", defang=True) == f"{head}{expected}\n"
    if (
        "//a" not in page.replace("http://a", "")
        and "&#10;" not in page
        and "\\" not in page
        and "<wbr>" not in page
    ):
        assert mend(f"{head}{expected}\n", refang=True) == f"{head}{page}\n"


def test_page_by_itself_is_defanged_as_browsers_read_it_and_a_long_one_as_a_text(monkeypatch):
    page = "<!doctype html><p>htt&#112;://a.example/ <a href=http://b.example/>http://b.example/</a>\n"
    safe = "<!doctype html><p>hxxp://a[.]example/ <a href=hxxp://b[.]example/>hxxp://b[.]example/</a>\n"
    assert mend(page, defang=True) == safe
    assert mend(page) == rewrap(page) == page
    monkeypatch.setattr(units, "_LONGEST_WHOLE", 50)
    assert mend(page, defang=True) == safe.replace("hxxp://a[.]example", "htt&#112;://a.example")


@pytest.mark.parametrize(("charset", "text"), [
    ("iso-2022-jp", "\u8868\u793a http://a.example/\u8868\u793a?b&amp;c "), ("big5", "\u4f60\u597dhttp://a.example/ "),
    ("utf-16", "\u00fc http://a.example/ "), ("koi8-r", "http://a.example/\u043f?b&amp;c "),
])  # fmt: skip
def test_text_of_any_charset_is_defanged_in_it(charset, text):
    before, after = (
        in_parts("text/html", each, "base64", charset)
        for each in (text, text.replace("http://a.", "hxxp://a[.]"))
    )
    assert mend(before, defang=True) == after
    assert mend(after, refang=True) == before


def test_lines_that_flow_and_fields_that_are_folded_stay_so():
    data = (
        "From: ada@a.example\nX-Page: <http://a.example/b\n c>\nContent-Type: text/plain; format=flowed\n\n"
        "see <http://b.example/d \ne> now\n"
    )
    assert mend(data, defang=True) == data.replace("http://a.", "hxxp://a[.]").replace(
        "http://b.", "hxxp://b[.]"
    )


@pytest.mark.parametrize(("message", "left"), [
    ("Content-Type: multipart/signed; boundary=b\n\n--b\nX: http://a.example/\n\nhttp://b.example/\n--b--\n", 2),
    ("Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8gaXMgaXQgbm93Cg==\n____\nhttp://b.example/\n", 1),
    ("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nVG86IGEKCmh0dHA6Ly9hLmV4YW1wbGUvCg==\n", 1),
    ("Content-Type: text/html\n\n<b>http://</b>a.example/z and htt<b>p</b>://b.example/\n", 2),
    ("X-1: =?utf-8?q?http=3A//a.example/1?=\nX-2: =?utf-8?q?c?= x\n\nx\n", 1),
    ("Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + LONG, 1),
])  # fmt: skip
def test_what_cannot_be_defanged_stays_and_is_told(message, left):
    data = f"From: ada@a.example\n{message}"
    status, output, complaint = outcome("mend", "--defang", data=data.encode())
    assert (status, output) == (1, data)
    assert complaint.endswith(f"encoded fields: {left}\n")


@pytest.mark.parametrize(("kind", "count"), [
    ("image/svg+xml; name=a.svg", 1), ("application/octet-stream; name=a.xyz", 1), ("application/pdf", 1),
    ("application/ms-tnef", 1), ("image/png", 0), ("application/pkcs7-signature", 0),
])  # fmt: skip
def test_parts_that_are_not_read_and_may_have_urls_are_told(kind, count):
    data = (
        f"{HEAD}Content-Type: {kind}\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8gaXMgaXQ=\n"
    )
    said = "urlextract: -: parts that are not read, and may have URLs: 1\n" if count else ""
    result = data.replace("http://s.example", "hxxp://s[.]example")
    assert outcome("mend", "--defang", data=data.encode()) == (count, result, said)
    assert outcome("mend", "--refang", data=data.encode()) == (0, data, "")


def test_hosts_and_addresses_are_defanged_in_pages_and_not_in_fields():
    body = '<p>a.com/b, <a href="c.html">ada@b.com</a></p>\n'
    data = f"{HEAD}Content-Type: text/html\n\n{body}".replace("http:", "")
    safe = body.replace("a.com", "a[.]com").replace("@b.com", "[@]b[.]com")
    assert mend(data, defang=True) == data.replace(body, safe)
    assert mend(data.replace(body, safe), refang=True) == data


def test_targets_are_defanged():
    text = f"see {GOOGLE.format('http://a.example/')} \n"
    assert outcome("mend", "--unwrap", "--defang", data=text.encode())[1] == "see hxxp://a[.]example/ \n"


def test_replace_urls_takes_a_function_and_the_options_of_extract():
    text = 'see <www.a.example/b\nc> & http://b.example/?x="y".'
    linked = replace_urls(text, lambda found: f'<a href="{escape(found.url)}">')
    assert linked == 'see <<a href="http://www.a.example/bc">> & <a href="http://b.example/?x=">"y".'
    assert replace_urls(text, lambda found: None) == text
    assert replace_urls(text, lambda found: "x", hosts=["b.example"]) == text.replace(
        "http://b.example/?x=", "x"
    )
    assert replace_urls("http://a.example/b-\nc", lambda found: "x", hyphen="both").count("x") == 1
    with pytest.raises(TypeError):
        replace_urls(text, lambda found: "x", colour=1)


@examples(200)
@given(broken_texts)
def test_nobody_follows_what_is_defanged(text):
    before, after = ({found.host for found in extract(each, join="none")} - {None}
                     for each in (text, fanged(text, "defang")))  # fmt: skip
    assert {host for host in before & after if "." in host} == set()
    assert unwrapped(text) == text
    assert replace_urls(text, lambda found: found.inner.of(text)) == text


UNITS = (
    f"{GOOGLE.format('http://a.example/b')} ", f"<{GOOGLE.format('http://a.example/b.')}>\n",
    "http://a.example/b-\n", "hxxp://a[.]b ", f"{PROOFPOINT[:-1]}",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("change", [unwrapped, lambda text: fanged(text, "defang"),
                                    lambda text: fanged(text, "refang")])  # fmt: skip
@pytest.mark.parametrize("unit", UNITS)
def test_time_is_proportional_to_the_length(unit, change):
    assert growth(change, times(unit), 40_000, 320_000) < LINEAR
