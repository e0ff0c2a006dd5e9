"""Links of web archives (ISO 28500) have the page, its title and the date on which it was captured."""

import gzip
import io

import pytest
from sampled import mostly_slow

from urlextract import Extractor, Found, extract_html, extract_message, extract_source

PAGE = "http://www.a.example/tides/"
DATE = "2024-05-01T12:00:00Z"
IDENTIFIER = "<urn:uuid:12345678-0000-4000-8000-000000000001>"
HTML = b"<html><head><title>Tides &amp;\n boats</title></head><body><a href='north.html'>North</a></body>"


def record(kind, content_type, block, *, page=PAGE, date=DATE):
    uri = f"WARC-Target-URI: {page}\r\n" if page else ""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\n{uri}WARC-Record-ID: {IDENTIFIER}\r\nWARC-Date: {date}\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def http(body, *fields, kind=b"text/html", start=b"HTTP/1.1 200 OK"):
    head = (start, b"Date: Mon, 14 Nov 1994 09:12:31 GMT", b"Content-Type: " + kind, *fields)
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def response(body, *fields, kind=b"text/html", date=DATE):
    return record("response", "application/http; msgtype=response", http(body, *fields, kind=kind), date=date)


def found_in(data, **options):
    """Return the links of an archive but those in the heads of its records; the same if it is compressed."""
    found = [found for found in extract_source(io.BytesIO(data), **options) if isinstance(found, Found)]
    packed = list(extract_source(io.BytesIO(gzip.compress(data)), **options))
    assert [each.to_dict() for each in packed] == [each.to_dict() for each in found]
    return [each for each in found if each.header != "WARC-Target-URI"]


NORTH = f"{PAGE}north.html"
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(HTML), HTML)
SEE = b"see http://b.example/\n"
HTTP = "application/http; msgtype="
RECORDS = [  # the URL and the title
    ("response", response(HTML), NORTH, "Tides & boats"),
    ("response, chunked", response(CHUNKED, b"Transfer-Encoding: chunked"), NORTH, "Tides & boats"),
    ("response, packed", response(gzip.compress(HTML), b"Content-Encoding: gzip"), NORTH, "Tides & boats"),
    ("response, said to be packed", response(HTML, b"Content-Encoding: gzip"), NORTH, "Tides & boats"),
    ("response, XHTML", response(HTML, kind=b"application/xhtml+xml"), NORTH, "Tides & boats"),
    ("response, text", response(SEE, kind=b"text/plain"), "http://b.example/", None),
    ("response, head", response(b"", b"Location: http://b.example/"), "http://b.example/", None),
    ("revisit", record("revisit", f"{HTTP}response", http(b"", b"Link: <http://b.example/>")),
     "http://b.example/", None),
    ("request", record("request", f"{HTTP}request",
                       http(b"", b"Referer: http://b.example/", start=b"GET /tides/ HTTP/1.1")),
     "http://b.example/", None),
    ("resource", record("resource", "text/html", HTML), NORTH, "Tides & boats"),
    ("resource, text", record("resource", "text/plain", SEE), "http://b.example/", None),
    ("conversion", record("conversion", "text/plain", SEE), "http://b.example/", None),
    ("metadata", record("metadata", "application/warc-fields", b"via: http://b.example/\r\n"),
     "http://b.example/", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "url", "title"), RECORDS)
def test_link_has_page_date_and_title(name, data, url, title):
    (found,) = found_in(data)
    assert (found.url, found.page, found.title) == (url, PAGE, title)
    assert (found.date, found.date_field, found.message_id) == (DATE, DATE, IDENTIFIER)
    assert (found.thread_id, found.from_) == (None, None)
    assert Found.from_dict(found.to_dict()) == found
    assert (found.to_dict()["page"], found.to_dict()["title"]) == (PAGE, title)


def test_page_of_a_record():
    """Its URL is a link of it; in brackets and folded, too. Records do not mix."""
    found = next(iter(extract_source(io.BytesIO(response(HTML)))))
    assert (found.url, found.header, found.page, found.date) == (PAGE, "WARC-Target-URI", PAGE, DATE)
    (found,) = found_in(record("resource", "text/plain", SEE, page="<http://www.a.example/a\r\n b>"))
    assert found.page == "http://www.a.example/ab"
    second = record("resource", "text/plain", SEE, page="http://c.example/", date="2024-05-02T00:00:00Z")
    about = record("warcinfo", "application/warc-fields", SEE, page=None)  # the archive
    found = [(each.page, each.date, each.title) for each in found_in(response(HTML) + second + about)]
    others = [("http://c.example/", "2024-05-02T00:00:00Z", None), (None, DATE, None)]
    assert found == [(PAGE, DATE, "Tides & boats"), *others]


def test_mail_is_described_by_its_own_fields():
    """In an archive, and around a message of HTTP."""
    head = b"Date: Mon, 14 Nov 1994 09:12:31 GMT\nMessage-ID: <1@a>\n"
    mail = head + b"\n" + SEE
    for data in (record("resource", "message/rfc822", mail), response(mail, kind=b"message/rfc822")):
        (found,) = found_in(data)
        assert (found.message_id, found.date, found.page) == ("<1@a>", "1994-11-14T09:12:31Z", PAGE)
    answer = b"HTTP/1.1 200 OK\nDate: Tue, 1 Jan 2002 00:00:00 GMT\n\n" + SEE
    (found,) = extract_message(head + b"Content-Type: message/http\n\n" + answer)
    its_own = ("<1@a>", "1994-11-14T09:12:31Z", None, None)
    assert (found.message_id, found.date, found.page, found.title) == its_own


def test_choice_by_date_is_by_the_date_of_capture():
    data = response(HTML) + response(HTML, date="2025-01-01T00:00:00Z")
    assert [each.date for each in found_in(data, since="2024-05-02")] == ["2025-01-01T00:00:00Z"]
    assert [each.date for each in found_in(data, until="2024-05-01")] == [DATE]
    assert found_in(data, until="1994-12-31") == []


@pytest.mark.parametrize("kind", mostly_slow(["response", "resource"]))
def test_long_page_has_its_title_everywhere(kind):
    """Such a page is not held as a whole."""
    words = b"more words for the link " * 9
    links = b"".join(b"<p><a href='%d.html'>%b</a>\n" % (each, words) for each in range(6_000))
    data = response(HTML + links) if kind == "response" else record("resource", "text/html", HTML + links)
    found = list(extract_source(io.BytesIO(data)))
    assert len(found) == 6_002
    assert {(each.page, each.date) for each in found} == {(PAGE, DATE)}
    assert {each.title for each in found[1:]} == {"Tides & boats"}


TITLES = [
    ("<title>Tides</title>", "Tides"),
    ("<!DOCTYPE html><HTML><HEAD><TITLE lang=en>\n Tides\t of\r\n  1994 </TITLE >", "Tides of 1994"),
    ("<title>Fish &amp; chips &lt;b&gt; &#8212; &eacute;</title>", "Fish & chips <b> — é"),
    ("<title>a <b>c</b> <!-- d --></title>", "a <b>c</b> <!-- d -->"),
    ("<!-- <title>x</title> --><script>'<title>y</title>'</script><title>Tides</title>", "Tides"),
    ("<title>Tides</title><svg><title>Anchor</title></svg>", "Tides"),
    (f"<title>{'tide ' * 100}</title>", ("tide " * 40).strip()),
    (f"<title>{'x' * 300}</title>", "x" * 200),
    ("<title></title>", None), ("<title> \n</title>", None), ("<title>never ends <p>", None),
    ("<titles>no</titles>", None), ("<p>none", None), ("<!-- <title>x</title>-->", None),
    ("<p title='<title>x</title>'>", None),
    (" " * 65_000 + "<title>Tides</title>", "Tides"), (" " * 66_000 + "<title>Tides</title>", None),
    (" " * 65_500 + "<title>" + "x" * 100 + "</title>", None),
]  # fmt: skip


@pytest.mark.parametrize(("head", "title"), TITLES, ids=lambda value: repr(value)[:40])
def test_title_of_a_page_however_it_is_read(head, title):
    page = head + "<a href='http://b.example/'>b</a> "
    data = page.encode()

    def fed(markup):
        for at in range(0, len(markup), 99):
            extractor.feed(markup[at : at + 99])
        return extractor.close()

    extractor = Extractor(html=True)
    ways = [
        fed(page), fed(data), extractor(page), extractor(data), extract_html(page),
        extract_source(io.BytesIO(data), "html"), found_in(response(data, kind=b"text/html; charset=utf-8")),
    ]  # fmt: skip
    assert [{each.title for each in way} for way in ways] == [{title}] * len(ways)


def test_title_belongs_to_pages_of_their_own():
    """A part of a message has the subject; a text and XML have none. Odd bytes do no harm."""
    part = b"Subject: x\nContent-Type: text/html\n\n<title>Tides</title><a href='http://b.example/'>b</a>"
    texts = (
        extract_message(part),
        extract_message(part + b" " * 2_000_000 + b"http://c.example/"),
        extract_source(io.BytesIO(part)),
        extract_source(io.BytesIO(b"<?xml version='1.0'?><rss><title>x</title>http://b.example/</rss>")),
        Extractor()("<title>x</title> http://b.example/"),
    )
    assert [{each.title for each in found} for found in texts] == [{None}] * len(texts)
    (found,) = extract_html(b"<title>caf\xe9</title><a href='http://b.example/'>b</a>")
    assert found.title == "café"
