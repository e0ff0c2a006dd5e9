"""HTML parts: URLs in attributes, what links show, and the visible text (SPEC §1)."""

from __future__ import annotations

import re

import pytest
from costs import LINEAR, growth
from remarks import words
from scans import urls_only

from urlextract import Found, Rejection, examine, extract_html, extract_message
from urlextract.message.html_page import Page
from urlextract.message.segments import read_message
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.page_source import pages_of_text
from urlextract.records import LongText, Provenance, RawMessage, Span
from urlextract.scanner.attributes import read_value

HEAD = b"To: x\nContent-Type: text/html; charset=utf-8\n"


def read(markup: str, more: bytes = b"") -> Page:
    """Return the page of a message with this markup."""
    data = HEAD + more + b"\n" + markup.encode()
    *_, text = read_message(RawMessage(data=data, provenance=Provenance(offset=0)))
    assert isinstance(text, LongText)
    (page,) = pages_of_text(text.pieces, text.provenance, ExtractOptions(), base=text.base)
    return page


@pytest.mark.parametrize("text", ["\u00bb", "\u2192 \u2192", "\u2014"])
def test_text_of_a_link_may_have_no_letter(text: str) -> None:
    for shown in (text, f"<img src=x alt='{text}'>", f"<i hidden>{text}</i>"):
        assert next(extract_html(f"<a href='http://a.example/'>{shown}</a>")).text == text


def urls(markup: str, more: bytes = b"") -> list[str]:
    """Return the absolute URLs in attributes."""
    return [text for text in values(markup, more) if re.match("[A-Za-z][A-Za-z0-9+.-]*:", text)]


def values(markup: str, more: bytes = b"") -> list[str]:
    """Return the URLs and relative references in attributes, and scripts and data."""
    page = read(markup, more)
    readings = [read_value(value.raw, page.bases_of(value)) for value in page.values if not value.is_text]
    return [reading.url for reading in readings if reading]


def visible(page: str) -> str:
    """Return the text between the tags."""
    return read(page).visible


ATTRIBUTES = [
    ('<a href="http://a.example/?x=1&amp;y=2">t</a>', ["http://a.example/?x=1&y=2"]),
    ("<A CLASS=x HREF = 'http://a.example/'>t</A>", ["http://a.example/"]),
    ("<a href=http://a.example/>t</a>", ["http://a.example/"]),
    ('<a title="<a href=x>" href="http://a.example/">t</a>', ["http://a.example/"]),
    ('<a title="it\'s"href="http://a.example/">t</a>', ["http://a.example/"]),
    ('<img src="cid:1@a" data-src="http://no/"/><form action=http://f/>', ["cid:1@a", "http://f/"]),
    ('<img srcset="http://a/1 1x, http://a/2,3 2x,http://a/4">', ["http://a/1", "http://a/2,3", "http://a/4"]),
    ('<META http-equiv="Refresh" content="5; URL=http://a.example/">', ["http://a.example/"]),
    ('<meta name="x" content="5; url=http://a.example/">', []),
    ('<a href=""><a href="#x"><a href="javascript:x"><img src="data:x"><a href>', ["javascript:x", "data:x"]),
    ('<a href="../x">t</a>', []),
    # a forgotten closing quote: the tag ends at its ">"
    ("""<a href="http://a.example/x>a</a> <a href='http://b.example/>b</a> <a href="http://c.example/">c</a>""",
     ["http://a.example/x", "http://b.example/", "http://c.example/"]),
    ("<p><a class=x href=\"http://a.example/x>a</a>, it's", ["http://a.example/x"]),
    ('<a href="http://a.example/x>y" title="z">a</a> <b>', ["http://a.example/x>y"]),
    ('<base href="http://b.example/d/e"><a href="../x">t</a>', ["http://b.example/d/e", "http://b.example/x"]),
    ('<!-- <a href="http://c/">--><script>"<a href=http://s/>"</script><a href=http://a/>', ["http://a/"]),
    ('<p><td background=" http://a/ ">', ["http://a/"]),
    ("<a href='http://[x'>t</a>", ["http://[x"]),
    # of twins, the first counts, also without a value; names may begin with "=", and values hold quotes
    ('<a href="http://a.example/1" HREF="http://a.example/2">t</a>', ["http://a.example/1"]),
    ('<a href href="http://a.example/">t</a>', []),
    ('<a ="x>y" href="http://a.example/">t</a>', []),
    ('<a =href="http://a.example/1" href="http://a.example/2">t</a>', ["http://a.example/2"]),
    ("<a href=http://a.example/?q=\"b'c>t</a>", ["http://a.example/?q=\"b'c"]),
    ('<a b"c=\'>\' href="http://a.example/">t</a>', ["http://a.example/"]),
    ('<scriptsa><a href="http://a.example/">t</a></script><a href=http://b.example/>',
     ["http://a.example/", "http://b.example/"]),
    ('<script src="http://a.example/s.js">"</scripts>"<a href=http://no.example/></script >', ["http://a.example/s.js"]),
    ('<object codebase="http://a.example/x/" data="http://a.example/y">', ["http://a.example/x/", "http://a.example/y"]),
    ('<input type=SUBMIT value="x" src="http://a.example/i">', ["http://a.example/i"]),
    ('<base href="http://b/"><a href="//[x">t</a>', ["http://b/"]),
]  # fmt: skip


@pytest.mark.parametrize(("page", "expected"), ATTRIBUTES)
def test_attribute_has_these_urls(page: str, expected: list[str]) -> None:
    assert urls(page) == expected


def test_relative_reference_without_a_base_is_rejected() -> None:
    page = "<img src='#'><a href='../x'>t</a><a href=http://a.example/><a href='a&amp;b'>"
    assert values(page) == ["../x", "http://a.example/", "a&b"]
    (given_up, _, _) = examine(message=b"Content-Type: text/html\n\n" + page.encode())
    assert isinstance(given_up, Rejection)
    assert given_up.reason == "a relative reference without a base"


@pytest.mark.parametrize(("page", "expected"), [
    # comments as browsers end them
    ('<!--><a href="http://a.example/1">x</a>', ["http://a.example/1"]),
    ('<!---><a href="http://a.example/1">x</a>', ["http://a.example/1"]),
    ('<!-- x --!><a href="http://a.example/1">x</a><!-- y -->', ["http://a.example/1"]),
    ('<!--[if !mso]><!--><a href="http://a.example/1">x</a><!-- <![endif]-->', ["http://a.example/1"]),
    ('<!-- <a href="http://a.example/1"> --><a href="http://a.example/2">', ["http://a.example/2"]),
    # text before and after a link that shows another URL
    ('<a href="http://a.example/1">http://b.example/</a>Click', ["http://a.example/1", "http://b.example/"]),
    ('<a href="http://a.example/1">http://b.example</a>Tel: 1', ["http://a.example/1", "http://b.example"]),
    ('x<a href="http://a.example/1">http://b.example/</a>', ["http://a.example/1", "http://b.example/"]),
    ('<a href="http://b.example.a.example/">http://b.example\u2026</a>',
     ["http://b.example.a.example/", "http://b.example"]),
    ('<a href="http://a.example/long">http://b.example/lo...</a>', ["http://a.example/long", "http://b.example/lo"]),
    ("<span>Web</span><span>http://a.example/</span>", ["http://a.example/"]),
    ("http://a.example/<b>http</b>/x", ["http://a.example/http/x"]),
    # a link without a scheme
    ('<a href="www.a.example/x">www.a.example/x</a>', ["http://www.a.example/x"]),
    # slashes, control characters and line ends as browsers read them
    ('<a href="http:\\\\a.example\\x?\\y"><a href="http:/\\b.example/">', ["http://a.example/x?\\y", "http://b.example/"]),
    ('<a href="http:/a.example/"><a href="HTTPS:///b.example/x">', ["http://a.example/", "HTTPS://b.example/x"]),
    ('<a href="http:a.example/x"><a href="//b.example/x">', ["http://a.example/x", "https://b.example/x"]),
    ('<a href="ht&#10;tp://a.example/"><a href="\x01http://b.example/">', ["http://a.example/", "http://b.example/"]),
    ('<a href="java&#10;script:alert(1)"><a href=" javascript:x">', []),
    ('<a href="http://a.example/\0x\x1b[m">', ["http://a.example/%EF%BF%BDx%1B[m"]),
    # refreshes
    ("<meta http-equiv=refresh content='0;URL=&quot;http://a.example/b&quot;'>", ["http://a.example/b"]),
    ("<meta http-equiv=refresh content='3; http://a.example/c'>", ["http://a.example/c"]),
    ("<meta http-equiv=refresh content='3'><meta name=description content='see http://a.example/'>", []),
    # a wrapper that continues after a link
    ('&lt;<a href="http://a.example/b/">http://a.example/b/</a><br>c&gt;',
     ["http://a.example/b/c", "http://a.example/b/"]),
    ('&lt;<a href="http://a.example/b/">http://a.example/b/</a>&gt;', ["http://a.example/b/"]),
    # zero-width characters inside words
    ("http://a.example/b&#8203;c https://a.exam\u2060ple/ x\u200bhttp://b.example/",
     ["http://a.example/bc", "https://a.example/"]),
    # footnotes, brackets and Office markup
    ("http://e.example/x<sup>[1]</sup>", ["http://e.example/x"]),
    ("http://e.example/x<sup>(1)</sup>", ["http://e.example/x"]),
    ("http://e.example/x<a href='mailto:a@b.c'>[link]</a>", ["http://e.example/x", "mailto:a@b.c"]),
    ("<a href='http://e.example/x'>http://e.example/x</a>[1]", ["http://e.example/x"]),
    ("(<a href='http://e.example/x'>http://e.example/x</a>)", ["http://e.example/x"]),
    ("<a href='tel:+49 123 4'>t</a>", ["tel:+49%20123%204"]),
    ("<v:imagedata src='cid:1@a' o:href='http://o.example/i.png'/>", ["cid:1@a", "http://o.example/i.png"]),
    # a tag that never ends is text up to its quote; what follows is markup
    ('x <p title="<a href=\'http://a.example/1\'>y</a> <a href=http://a.example/2>', ["http://a.example/1", "http://a.example/2"]),
    ('x <a href="http://a.example/1', ["http://a.example/1"]),
    ('<a href="http://a.example/1>y</a> http://a.example/2', ["http://a.example/1", "http://a.example/2"]),
])  # fmt: skip
def test_page_has_the_urls_that_browsers_see(page: str, expected: list[str]) -> None:
    data = b"Content-Type: text/html; charset=utf-8\n\n" + page.encode()
    assert [found.url for found in extract_html(page)] == expected
    assert [found.url for found in extract_message(data)] == expected
    assert urls_only([RawMessage(data, Provenance())]) == expected


# What a link shows, its URL, how they differ, and whether that is deceptive, which is a defect.
DIFFERENCES = [
    # shortened text
    ("https://bank.example...", "https://bank.example.evil.example/abc", "domain", True),
    ("https://bank.example\u2026", "https://bank.example@evil.example/abc", "domain", True),
    ("https://bank.example\u2026", "https://bank.example/abc", None, False),
    ("https://bank.example/lo\u2026page.html", "https://bank.example/long/page.html", None, False),
    ("https://bank.example/lo...gh", "https://bank.example/long/page.html", "path", False),
    ("https://bank.example/lo[...]", "https://bank.example/long/page.html", None, False),
    ("bank.com/lo...", "https://evil.example/long", "domain", True),
    ("paypal.com\u2026", "https://paypal.com.evil.com/", "domain", True),
    ("https://exam\u2026", "https://example.com/x", None, False),
    ("https://sub.very-long-ho\u2026", "https://sub.very-long-host.example.com/x", None, False),
    ("https://paypal.\u2026", "https://paypal.com/x", None, False),
    ("http://a.example/Shared Files/b c.doc", "http://a.example/Shared%20Files/b%20c.doc", None, False),
    ("http://a.example/long/&#8203;pa&shy;th", "http://a.example/long/path", None, False),
    ("(<b>http://a.example/%7Ex</b>)", "http://a.example/~x", None, False),
    ("http://b&uuml;cher.a.example/", "http://xn--bcher-kva.a.example/", None, False),
    # the same URL, written differently
    ("https://en.wiki.example/A_(b)", "https://en.wiki.example/A_(b)", None, False),
    ("https://a.example/x.", "https://a.example/x.", None, False),
    ("https://a.example/'x'", "https://a.example/'x'", None, False),
    ("https://a.example/aaa/\n bbb", "https://a.example/aaa/bbb", None, False),
    ("https://bank.example/", "https://bank.example:443/", None, False),
    ("https://bank.example/a", "https://bank.example/a?", None, False),
    ("bank.com", "https://www.bank.com/", None, False),
    ("WWW.Bank.Com", "http://bank.com", None, False),
    ("\u201cbank.com\u201d.", "http://bank.com", None, False),
    ("ba&shy;nk.com", "http://bank.com", None, False),
    ("URL: http://bank.com/", "http://bank.com", None, False),
    ("joe@bank.com", "mailto:Joe@bank.com?subject=x", None, False),
    # another place of the same owner
    ("bank.com", "https://bank.com/login", "path", False),
    ("https://bank.example/", "https://bank.example:80/", "host", False),
    ("www.bank.co.uk", "http://mail.bank.co.uk/", "host", False),
    ("joe@bank.com", "mailto:ann@bank.com", "path", False),
    ("joe@bank.com", "https://www.bank.com/joe", "path", False),
    ("amazon.com", "https://www.amazon.de/", "brand", False),
    ("amazon.co.uk", "https://www.amazon.de/", "brand", False),
    # another owner
    ("paypal.com", "https://evil.example/", "domain", True),
    ("www.bank.co.uk", "http://evil.co.uk/", "domain", True),
    ("paypal.com", "https://paypal.github.io/", "domain", True),
    ("ann.github.io", "https://joe.github.io/", "domain", True),
    ("http://192.0.2.1/", "http://192.0.2.11/", "domain", True),
    ("http://192.0.2.1/", "http://192.0.2.1/x", "path", False),
    ("paypal.com", "http://www.paypal.com@evil.example/", "domain", True),
    ("joe@bank.com", "mailto:joe@evil.example", "domain", True),
    ("(bank.com)", "https://evil.example/", "domain", True),
    ("bank.pl", "https://evil.example/", "domain", True),
    ("bank.shop", "https://evil.example/", "domain", True),
    ("\u2192 https://bank.com/", "https://evil.example/", "domain", True),
    ("\u2022 *bank.com*?", "https://evil.example/", "domain", True),
    ("\u300cbank.com\u300d", "https://evil.example/", "domain", True),
    ("bank\u3002com", "https://evil.example/", "domain", True),
    ("ba\u2062n\ufe0fk.com\u202c", "https://evil.example/", "domain", True),
    ("https:// bank.com", "https://evil.example/", "domain", True),
    ("https:\\\\bank.com", "https://evil.example/", "domain", True),
    ("<i></i>" * 500 + "bank.com", "https://evil.example/", "domain", True),
    ("&nbsp;" * 5000 + "bank.com", "https://evil.example/", "domain", True),
    # not another domain
    ("\uff42\uff41\uff4e\uff4b.com", "http://bank.com/", None, False),
    ("http://[0:0::1]/", "http://[::1]/", None, False),
    ("127.0.0.1:80", "http://0x7f.1/", None, False),
    ("doi:10.1000/182", "https://doi.org/10.1000/182", "path", False),
    ("bank.com", "tel:123", "path", False),
    ("https://www.youtube.com/watch?v=x", "https://youtu.be/x", "domain", False),
    ("paypal.com", "https://paypa1.com/", "lookalike", True),
    ("paypal.com", "https://p\u0430ypal.com/", "lookalike", True),
    ("apple.com", "https://xn--80ak6aa92e.com/", "lookalike", True),
    ("https://www.microsoft.com/", "https://www.rnicrosoft.com/", "lookalike", True),
    ("paypal.com", "https://paypal.com.evil.example/", "domain", True),
    # a gateway, a tracker, a URL shortener: a difference, but no defect
    ("bank.com", "https://protect-eu.mimecast.com/s/AbC1", "domain", False),
    ("bank.com", "https://u1.ct.sendgrid.net/ls/click?upn=x", "domain", False),
    ("bank.com", "https://www.google.com/url?q=https://bank.com/", None, False),
    ("bank.com", "https://www.google.com/url?q=https://harbour.com/", "domain", True),
    ("bank.com", "https://www.google.com/url?q=https://bit.ly/x", "domain", False),
    ("bank.com", "https://www.google.com/url?q=//evil.com/", "domain", True),
    ("bank.com", "https://www.google.com/url?q=https://evil.com%5c.bank.com/", "domain", True),
    ("bank.com", "https://www.google.com/url?q=https://2130706433/", "domain", True),
    ("youtu.be/abc", "https://www.youtube.com/watch?v=abc", "domain", False),
    ("https://bank.com/x", "https://bank.com.mcas.ms/x", "domain", False),
    ("bank.com", "https://evil.com/owa/redir.aspx?URL=https://bank.com/", "domain", True),
    ("bank.com", "https://evil.com/fmlurlsvc/?fewReq=x&url=https://bank.com/", "domain", True),
    ("bank.com", "https://protect-eu.mimecast.com/s/AbC1?domain=bank.com", "domain", False),
    ("bank.com", "https://www.google.com/search?q=https://bank.com/", "domain", True),
    ("bank.com", "https://bit.ly/x", "domain", False),
    ("bank.com", "https://evil.example/bit.ly", "domain", True),
    ("bank.com", "https://notbit.ly/x", "domain", True),
]


@pytest.mark.parametrize(("shown", "url", "differs", "is_lie"), DIFFERENCES)
def test_link_that_shows_another_domain_is_a_defect(
    shown: str, url: str, differs: str | None, is_lie: bool
) -> None:
    first, *others = linked(url, shown)
    assert (first.url, first.differs, bool(first.defects)) == (url, differs, is_lie)
    assert first.shown
    assert {other.inside for other in others} <= ({url} if differs else set())


@pytest.mark.parametrize("text", [
    "Visit bank.com today", "read more", "bank.com and others", "README.md", "", "e.g.", "3.14", "Dr. No",
    "setup.py", "joe at bank.com", "http://", "v1.2.3", "a.b", "&hellip;", "...", "Booking: 12.30",
])  # fmt: skip
def test_link_text_that_is_not_a_url_shows_nothing(text: str) -> None:
    link = linked("https://evil.example/", text)[0]
    assert (link.shown, link.differs) == (None, None)


@pytest.mark.parametrize(("markup", "url"), [
    ("<a href='&lt;https://evil.com/&gt;'>bank.com</a>", "https://evil.com/"),
    ("<a href='URL:https://evil.com/'>bank.com</a>", "https://evil.com/"),
    ("<a href='http://https://evil.com/'>bank.com</a>", "https://evil.com/"),
    ("<a href='https://evil.com,/'>bank.com</a>", "https://evil.com,/"),
    ("<svg><a xlink:href='https://evil.com/'><text>bank.com</text></a></svg>", "https://evil.com/"),
    ("<!--[if mso]><v:roundrect href='https://evil.com/'><center>bank.com</center></v:roundrect><![endif]-->",
     "https://evil.com/"),
    ("<area href='https://evil.com/' alt='bank.com'>", "https://evil.com/"),
    ("<a href='https://evil.com/'><img src='cid:x' alt='bank.com'></a>", "https://evil.com/"),
])  # fmt: skip
def test_deceptive_link_is_detected_in_any_markup(markup: str, url: str) -> None:
    found = next(extract_message(HEAD + b"\n" + markup.encode()))
    assert (found.url, found.text, found.differs) == (url, "bank.com", "domain")
    assert words(found.defects)[-1].startswith("shows-another-domain: bank.com, leads to evil.com")


ODD = ("a host that does not end as one",)


@pytest.mark.parametrize(("href", "url", "defects"), [
    # the host is not cut at an odd character: the shorter host would be another one
    ("https://bank.com\u2044x.evil.com/", "https://bank.com\u2044x.evil.com/", ODD),
    ("https://bank.com\uff0fx.evil.com/", "https://bank.com\uff0fx.evil.com/", ODD),
    ("https://bank.com,/x", "https://bank.com,/x", ODD),
    ("mailto:?subject=x&amp;body=https://a.com/", "mailto:?subject=x&body=https://a.com/", ()),
    ("///a.com/x", "https://a.com/x", ("no-scheme",)),
])  # fmt: skip
def test_odd_attribute_value_is_kept_whole(href: str, url: str, defects: tuple[str, ...]) -> None:
    (found,) = linked(href, "x")
    assert (found.url, words(found.defects)) == (url, defects)


@pytest.mark.parametrize(("reference", "url"), [
    ("\\x", "https://a.com/x"), ("\\\\b.com\\c", "https://b.com/c"), ("/\\b.com/x", "https://b.com/x"),
    ("..\\b", "https://a.com/b"), ("///b.com/x", "https://b.com/x"), ("?a\\b", "https://a.com/d/e?a\\b"),
])  # fmt: skip
def test_backslash_in_a_relative_reference_is_a_slash(reference: str, url: str) -> None:
    reading = read_value(reference, ("https://a.com/d/e",))
    assert reading
    assert reading.url == url


@pytest.mark.parametrize(("style", "expected"), [
    ('a{content:"url(http://no.com/)"} b{c:url(http://a.com/)}', ["http://a.com/"]),
])  # fmt: skip
def test_strings_of_styles_are_ignored(style: str, expected: list[str]) -> None:
    found = extract_message(HEAD + b"\n" + f"<style>{style}</style>".encode())
    assert [each.url for each in found] == expected


def test_deceptive_link_names_both_domains_and_has_less_confidence() -> None:
    found = linked("https://evil.example/in", "paypal.com")[0]
    assert words(found.defects) == ("shows-another-domain: paypal.com, leads to evil.example",)
    assert found.confidence < linked("https://evil.example/in", "log in")[0].confidence


def test_content_base_field_is_the_base() -> None:
    assert urls("<a href=x>t</a>", b'Content-Base: "http://b.example/d/"\n') == ["http://b.example/d/x"]


def test_attribute_value_has_its_position_in_the_markup() -> None:
    page = '<p>one\n<a href=" http://a.example/">x</a>\n\n  <img src=http://b.example/>'
    found = list(extract_message(HEAD + b"\n" + page.encode()))
    assert [(each.start, each.line, each.column) for each in found] == [(17, 2, 11), (54, 4, 12)]
    for each in found:
        assert each.span.of(page) == each.raw == each.url
        assert each.byte == len(HEAD) + 1 + each.start


VISIBLE = [
    ("http://a.example/pa&shy;th lo\u00adng", "http://a.example/path long"),
    ("a<b>b</b>c<wbr>d<p>e", "abcd\ne"),
    ("a<br>\nb<BR/>c", "a\nb\nc"),
    ("a<BR>\nb<br />\nc<br/>\nd<hr>\ne", "a\nb\nc\nd\n\ne"),
    ("&lt;http://a.example/b/<BR>\nc&gt;", "<http://a.example/b/\nc>"),
    ("a</script>b</>c<b title='<br>'>d", "ab</>cd"),
    ("<title>t http://a/</title>", "\nt http://a/\n"),
    ("&lt;URL:http://a/&gt; &amp;lt;", "<URL:http://a/> &lt;"),
    ("a <3 b < c > d", "a <3 b < c > d"),
    ("<http://a.example/> <mailto:j@a> <URL:http://b/>", "<http://a.example/> <mailto:j@a> <URL:http://b/>"),
    ("a<!-- http://c/ -->b<style>http://s/</style>c<!DOCTYPE x>d", "abcd"),
    ("x <a href=http://a.example/>http://a.example/</a> y", "x http://a.example/ y"),
    ("x <a href=http://a.example/><b>a.example</b></a> y", "x a.example y"),
    ("x <a href=mailto:j@a.example>j@a.example</a> y", "x j@a.example y"),
    ("x <a href=http://evil.example/>http://a.example/</a> y", "x http://a.example/ y"),
    ("x <a href=http://a.example/>here</a> y", "x here y"),
    ("http://a.example/a<o:p>b</o:p>c <st1:place>d</st1:place>e", "http://a.example/abc de"),
    ("http://a.example/a<img src=x>b", "http://a.example/a\nb"),
    ('a <b title="http://t/', 'a <b title="http://t/'),
    ("a <b c http://t/", "a <b c http://t/"),
    ("<![CDATA[http://a/]]>", "http://a/]]>"),
]


@pytest.mark.parametrize(("page", "expected"), VISIBLE)
def test_visible_text_is_what_a_browser_shows(page: str, expected: str) -> None:
    assert visible(page) == expected


@pytest.mark.parametrize("page", [
    "http://a.example/p&shy;a&#8203;th&amp;b", "&nbsp;http://a.example/\u00adx&copy2024 ", "<b>x</b>http://a.example/<wbr>y",
    "&#8203;&lt;http://a.example/&eacute;&#x200b;z&gt;", "a\u200bhttp://a.example/&unknown;&#99999999999999999999;",
])  # fmt: skip
def test_each_character_of_the_visible_text_has_its_place(page: str) -> None:
    read_page = Page(page, Provenance())
    shown, places = read_page.visible, read_page.places
    for at in range(len(shown)):
        (span,) = places.spans(Span(at, at + 1))
        raw = span.of(page)
        assert raw in (shown[at], "") or raw.startswith("&")
        assert not raw or places.shown_at(span.start) == at
    pieces = places.spans(Span(0, len(shown)))
    assert [*pieces] == sorted(pieces)
    assert places.hull(Span(0, len(shown))) == (pieces[0].start, pieces[-1].end)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", "<a href=", '<a href="', "<a href='x\" ", "<!--", "<!", "<script>", "</a", "<a href=x>",
     "<a href=http://x/>", "<base href=x>", "<a/", "<p a=b ", "&", "&#", "<img srcset='a,", "= ",
     "<a b='", "<style ", '="<a x', "<script b ", '<script b="', "<div style='display:none'><a href=x>y",
     "a<sup>", "&#8203;", "\u00ad", "<a href=http://x.example/ title=a.example>",
     "<a href=http://x.example/>a.example b"],
)  # fmt: skip
def test_reading_hostile_markup_takes_linear_time(piece: str) -> None:
    assert growth(records, lambda size: piece * (size // len(piece)), 50_000, 500_000) < LINEAR


def records(markup: str) -> list[Found]:
    return list(extract_message(HEAD + b"\n" + markup.encode()))


def linked(url: str, shown: str) -> list[Found]:
    """Return the records of a page with one link."""
    markup = f'<p>see <a href="{url}">{shown}</a> there'
    return list(extract_message(b"Content-Type: text/html; charset=utf-8\n\n" + markup.encode()))


def test_attribute_takes_registered_schemes_only() -> None:
    page = '<a href="sms:+1555">a</a><a href="no-such:x">b</a><a href="javascript:x">c</a>'
    found = extract_message(HEAD + b"\n" + page.encode())
    assert [each.url for each in found] == ["sms:+1555"]
