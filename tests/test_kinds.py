"""What kind of text a source is, by its first tag, its sign or its name, and how each kind is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from urlextract import Extractor, extract, extract_message, extract_source, extract_urls

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
def test_soft_break_of_flowed_text_is_a_break_of_lines_inside_a_url(body: bytes, urls: list[str]) -> None:
    assert [found.url for found in extract_message(FLOWED + body)] == urls


QUERIES = [  # the value of an attribute, and its URL
    (b"mailto:ada@a.example?subject=Old \nNews", "mailto:ada@a.example?subject=Old%20News"),
    (b"http://a.example/find?q=two  blanks", "http://a.example/find?q=two%20%20blanks"),
    (b"http://a.example/find?q=a\nb", "http://a.example/find?q=ab"),
    (b" http://a.example/a \n b ", "http://a.example/ab"),
    (b"http://a.example/a  b", "http://a.example/a%20b"),
]


@pytest.mark.parametrize(("value", "url"), QUERIES)
def test_blanks_in_the_query_of_an_attribute_are_kept(tmp_path: Path, value: bytes, url: str) -> None:
    page = tmp_path / "page"
    page.write_bytes(b'<html><a href="' + value + b'">x</a>')
    assert [found.url for found in extract_source(page)] == [url]


def web_archive(kind: bytes, body: bytes) -> bytes:
    answer = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n" + body
    head = b"WARC-Type: %s\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\n" % kind
    return b"WARC/1.1\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n" % (head, len(answer), answer)


@pytest.mark.parametrize(
    ("kind", "is_damaged"), [(b"revisit", False), (b"Revisit", False), (b"response", True)]
)
def test_body_that_a_revisit_lacks_is_no_damage(tmp_path: Path, kind: bytes, is_damaged: bool) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(web_archive(kind, b""))
    told: list[object] = []
    assert [found.url for found in extract_source(path, on_damage=told.append)] == ["http://a.example/"]
    assert bool(told) == is_damaged


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
def test_references_are_undone_in_markup_that_stands_in_text(text: str, urls: list[str]) -> None:
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
