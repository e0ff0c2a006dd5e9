"""What kind of text a source is, by its first tag, its sign or its name, and how each kind is read."""

import gzip
import io

import pytest
from commands import outcome
from library import extract_urls
from slices import Slices

from urlextract import Extractor, extract, extract_html, extract_message, extract_source

FLOWED = b"Content-Type: text/plain; format=flowed\nSubject: x\n\n"

SOFT_BREAKS = [  # a body of format=flowed, and its URLs
    (b"see <https://gate.a.example/? \nurl=https%3A%2F%2Fgit.example%2Fx&k=1> now\n",
     ["https://gate.a.example/?url=https%3A%2F%2Fgit.example%2Fx&k=1"]),
    (b"> <https://docs.a.example/guide/ \n> part-two/ \n> end.html> \n> and on\n",
     ["https://docs.a.example/guide/part-two/end.html"]),
    (b"[2] https://lists.b.example/archive/the-long- \nsubject_of-the-thread\n",
     ["https://lists.b.example/archive/the-long-subject_of-the-thread"]),
    (b"at <https://a.example/whole.html> \nand more\n", ["https://a.example/whole.html"]),
    (b"see https://a.example/whole \nand more words\n", ["https://a.example/whole"]),
    (b"<https://a.example/x \n\nbare\n", ["https://a.example/x"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "urls"), SOFT_BREAKS)
def test_soft_break_of_flowed_text_is_a_break_of_lines_inside_a_url(body, urls):
    assert [found.url for found in extract_message(FLOWED + body)] == urls


QUERIES = [  # the value of an attribute, and its URL
    (b"mailto:ada@a.example?subject=Old \nNews", "mailto:ada@a.example?subject=Old%20News"),
    (b"http://a.example/find?q=two  blanks", "http://a.example/find?q=two%20%20blanks"),
    (b"http://a.example/find?q=a\nb", "http://a.example/find?q=ab"),
    (b" http://a.example/a \n b ", "http://a.example/ab"), (b"http://a.example/a  b", "http://a.example/a%20b"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "url"), QUERIES)
def test_blanks_in_the_query_of_an_attribute_are_kept(value, url):
    page = io.BytesIO(b'<html><a href="' + value + b'">x</a>')
    assert [found.url for found in extract_source(page)] == [url]


def web_archive(kind, body):
    answer = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n" + body
    head = b"WARC-Type: %s\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\n" % kind
    return b"WARC/1.1\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n" % (head, len(answer), answer)


@pytest.mark.parametrize(
    ("kind", "is_damaged"), [(b"revisit", False), (b"Revisit", False), (b"response", True)]
)
def test_body_that_a_revisit_lacks_is_no_damage(kind, is_damaged):
    told = []
    found = extract_source(io.BytesIO(web_archive(kind, b"")), on_damage=told.append)
    assert ([each.url for each in found], bool(told)) == (["http://a.example/"], is_damaged)


REFERENCES = [  # plain text with markup in it, and its URLs
    ('as in <a href="http://a.example/?x=1&amp;y=2">this</a>', ["http://a.example/?x=1&y=2"]),
    ("as in <a class=b href='http://a.example/?x=1&amp;y=2'>this</a>", ["http://a.example/?x=1&y=2"]),
    ("# T\n\n<img\n  src=\"http://a.example/i?x=1&#38;y=2\" alt='i'>", ["http://a.example/i?x=1&y=2"]),
    ('> said\n> <a\n> href="http://a.example/?x=1&amp;y=2">t</a>', ["http://a.example/?x=1&y=2"]),
    (r'msgid "see <a href=\"http://a.example/?x=1&amp;y=2\">it</a>"', ["http://a.example/?x=1&y=2"]),
    ("a <loc>http://a.example/?x=1&amp;y=2</loc> b", ["http://a.example/?x=1&y=2"]),
    ("a <td>Go to http://a.example/?x=1&amp;copy=2.</td> b", ["http://a.example/?x=1&copy=2"]),
    ('a <a href="http://a.example/?x=1&copy=2">b</a>', ["http://a.example/?x=1&copy=2"]),
    # no markup: the reference may be meant
    ("write http://a.example/?x=1&amp;y=2 there", ["http://a.example/?x=1&amp;y=2"]),
    ('url = "http://a.example/?x=1&amp;y=2"', ["http://a.example/?x=1&amp;y=2"]),
    ("<ada> http-proxy, see http://a.example/?x=1&amp;y=2 there", ["http://a.example/?x=1&amp;y=2"]),
    ('if a < b: "http://a.example/?x=1&amp;y=2"', ["http://a.example/?x=1&amp;y=2"]),
]


@pytest.mark.parametrize(("text", "urls"), REFERENCES)
def test_references_are_undone_in_markup_that_stands_in_text(text, urls):
    found = list(extract(text))
    assert [each.url for each in found] == urls
    assert [f"{each}" for each in extract_urls(text)] == urls
    decoded = [repair.code for each in found for repair in each.repairs]
    assert decoded == (["decoded-entities"] if urls[0] not in text else [])
    for size in (1, 7):
        extractor = Extractor()
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        fed = [each for piece in pieces for each in extractor.feed(piece)]
        assert fed + extractor.close() == found


A, B = "http://a.example/?x=1&y=2", "http://b.example/"
A_LINK = '<a href="http://a.example/?x=1&amp;y=2">x</a>'
A_XML = "http://a.example/?x=1&#38;y=2"
HTML_TYPE, XML_TYPE, CALENDAR_TYPE, TABLE_TYPE = "text/html", "text/xml", "text/calendar", "text/csv"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
LONG_COMMENT = f"<!-- {'no ' * 3000}-->\n"

KINDS = [  # the name of a file, its content, and the media type and the URLs that are found
    # markup by its first tag
    ("f", f"<div class=b>{A_LINK}</div>", HTML_TYPE, [A]),
    ("f", f"\n<p>Hi {A_LINK}</p>", HTML_TYPE, [A]),
    ("f", f"<!-- one --> {LONG_COMMENT}<table border=0><td>{A_LINK}", HTML_TYPE, [A]),
    ("f",
     f'<div class=3D"b"><a href=3D"http://a.example/?x=3D1&amp;y=\n=3D2">x</a> {B}=\nc',
     HTML_TYPE, [A, B + "c"]),
    ("f", "<p class=3D'b'><a href=3D'http://a.example/?x=3D1&amp;y=3D2'>x</a>", HTML_TYPE, [A]),
    ("f", f"<!DOCTYPE html [\n]><p>{A_LINK}", HTML_TYPE, [A]),
    ("f", f"{XML}<!-- x -->\n<html xmlns='http://no.example/'>{A_LINK}</html>", HTML_TYPE, [A]),
    ("f", f"{XML}<urlset xmlns='http://no.example/'><url><loc>{A_XML}</loc><x>3</x></url>", XML_TYPE, [A]),
    ("f", f"{XML}{LONG_COMMENT}<r><ulink url='{B}'>b</ulink><e url='{A_XML}'/></r>", XML_TYPE, [B, A]),
    ("f",
     f"{XML}<r xmlns:x='http://no.example/' x:schemaLocation='http://no.example/s'>{B}-<x>c</x></r>",
     XML_TYPE, [B + "-"]),
    ("f", f"<!DOCTYPE book SYSTEM 'http://no.example/d'><book>\n<link>{B}</link>", XML_TYPE, [B]),
    ("f", f"<svg width='1'><image xlink:href='{B}'/></svg>", XML_TYPE, [B]),
    # no markup: names in chats, comments alone, tags that are no HTML's
    ("f", f"<mark> have a look: {B}\n<b> yes", None, [B]),
    ("f", f"<ada> {B}\n</ada>", None, [B]),
    ("f", f"<!-- see {B} -->\nno markup here", None, [B]),
    ("f", f"<!-- see {B}", None, [B]),
    ("f", f"<{B}> and more", None, [B]),
    # by its name
    ("f.html", f"Text first, {A_LINK}", HTML_TYPE, [A]),
    ("f.HTM.gz", f"Text first, {A_LINK}", HTML_TYPE, [A]),
    ("f.rss", f"<rss><channel><link>{A_XML}</link><enclosure url='{B}'/></channel></rss>", XML_TYPE, [A, B]),
    ("f.md", f"<!-- by {B} -->\n# T\n<p align=center>{A_LINK}</p>", None, [B, A]),
    ("f.rst", f"<p align=center>{A_LINK}</p>", None, [A]),
    ("f.txt", f"Text first, <a href='{B}'>b</a>", None, [B]),
    ("html", f"Text first, <a href='{B}'>b</a>", None, [B]),
    ("f.html", f"From: a@b.example\nDate: x\nSubject: y\n\n{B}\n", "text/plain", [B]),
    # calendars and cards, as parts of mail
    ("f.ics",
     f"BEGIN:VCALENDAR\r\nX-ALT-DESC:<a href={B}?a&amp;b\r\n >\r\nURL:http://b.exam\r\n ple/c\r\n",
     CALENDAR_TYPE, [B + "?a&b", B + "c"]),
    ("f",
     "BEGIN:VCARD\nVERSION:3.0\nURL:http\\://b.example/\nNOTE:see http://b.exa\n mple/c\\, or\n",
     CALENDAR_TYPE, [B, B + "c"]),
    ("f.vcf",
     "VERSION:2.1\nNOTE;ENCODING=QUOTED-PRINTABLE:at http://b.ex=\nample/?c=3Dd\n",
     CALENDAR_TYPE, [B + "?c=d"]),
    ("f", "BEGIN:VOICE\nURL:http\\://b.example/\n", None, []),
    # tables
    ("f.csv", f"id,url,note\n1,{B}a,ok\n2,{B}b,\"see {B}x,y\"\n", TABLE_TYPE, [B + "a", B + "b", B + "x,y"]),
    ("f.csv", f"url;n\n{B}a,b;3\n", TABLE_TYPE, [B + "a,b"]),
    ("f.tsv", f"url\tn\n{B}a,b\t3\n", None, [B + "a,b"]),
    ("f.csv", f'a,b\n"see\n{B}a,b\nnow",{B}c,d\n', TABLE_TYPE, [B + "a,b", B + "c"]),
]  # fmt: skip


def named(name, data, size):
    """Return a stream that has a name, and gives few bytes at a time."""
    stream = Slices(data, size)
    stream.name = name
    return stream


@pytest.mark.parametrize(("name", "content", "media_type", "urls"), KINDS)
def test_kind_of_a_file_is_known_by_its_first_tag_its_sign_or_its_name(
    tmp_path, name, content, media_type, urls
):
    data = content.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    found = list(extract_source(tmp_path / name))
    assert [each.url for each in found] == urls
    assert {each.media_type for each in found} <= {media_type}
    assert list(extract_source(tmp_path))[len(urls) :] == []
    for words in ([], ["--state", "state"], *[["-J2"]] * (content is KINDS[0][1])):
        assert outcome(*words, name, cwd=tmp_path) == (
            0 if urls else 1,
            "".join(f"{url}\n" for url in urls),
            "",
        )
    for size in (1, 7, 4000) if not name.endswith(".gz") else ():
        assert [each.url for each in extract_source(named(name, data, size))] == urls


def test_cells_of_a_long_table_do_not_depend_on_its_pieces():
    rows = [f'{number},"see\n{B}{number},b and\n\n""{B}c,d""",{B}e,f\n' for number in range(3000)]
    read = []
    for size in (3001, 70_000, 1 << 20):
        stream = named("f.csv", ("id,text,url\n" + "".join(rows)).encode(), size)
        read.append([(found.url, found.start, found.line) for found in extract_source(stream)])
    assert read[0] == read[1] == read[2]
    assert [url for url, _, _ in read[0][-3:]] == [f"{B}2999,b", f"{B}c,d", f"{B}e"]


TRIMMED = [  # an attribute, the text of its link, and the alternatives
    ("http://a.example/x.", "http://a.example/x.", ["http://a.example/x"]),
    ("http://a.example/x),", "http://a.example/x", ["http://a.example/x"]),
    ("http://a.example/x.", "here", []),
    ("http://a.example/x_(y)", "http://a.example/x_(y)", []),
    ("http://a.example/x", "http://a.example/x", []),
    ("http://a.example/x.html.", "http://a.example/x", []),
]


@pytest.mark.parametrize(("target", "text", "urls"), TRIMMED)
def test_target_that_is_its_text_with_punctuation_has_an_alternative(target, text, urls):
    found = next(extract_html(f'<p>see <a href="{target}">{text}</a>'))
    assert (found.url, [each.url for each in found.alternatives]) == (target, urls)
