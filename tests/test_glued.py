"""URLs without a space before them: after another URL, and after a word (SPEC §1)."""

from __future__ import annotations

import pytest
from remarks import words

from urlextract import extract

A, B = "http://a.example", "http://b.example"
TWO = [
    (f"{A}/6{B}/7", [f"{A}/6", f"{B}/7"]),
    (f"{A}{B}/7", [A, f"{B}/7"]),
    (f"{A}/6https://b.example/7ftp://c.example/x", [f"{A}/6", "https://b.example/7", "ftp://c.example/x"]),
    (f"{A}/x.{B}/", [f"{A}/x", f"{B}/"]),
    (f"{A}/({B}/)", [f"{A}/", f"{B}/"]),
    (f"{A}/,{B}/;mailto:joe@c.example|http://d.example/", [f"{A}/", f"{B}/", "mailto:joe@c.example", "http://d.example/"]),
    (f"{A}/6svn+http://b.example/7", [f"{A}/6", "svn+http://b.example/7"]),
    (f"{A}/xHTTP://b.example/", [f"{A}/x", "HTTP://b.example/"]),
    (f"www.a.example/6{B}/", ["http://www.a.example/6", f"{B}/"]),
    (f"www.a.example{B}/", ["http://www.a.example", f"{B}/"]),
    ("mailto:joe@a.examplehttps://b.example/", ["mailto:joe@a.example", "https://b.example/"]),
    (f"> {A}/6{B}/7\n", [f"{A}/6", f"{B}/7"]),
]  # fmt: skip
ONE = [
    "https://web.archive.org/web/2001/http://b.example/x",
    "http://r.example/?u=http://b.example/", "http://r.example/?http://b.example/", "http://r.example/x&http://b.example/",
    "http://r.example/x:http://b.example/", "http://r.example/svn+http://b.example/", "http://r.example/?q=a+http://b.example/",
    *(f"http://r.example/x%{code}http://b.example/" for code in ("2F", "3D", "3F", "26", "3A", "2f", "252F")),
    "http://r.example/xhttp://%s", "http://r.example/xhttp://",
]  # fmt: skip
AFTER_WORDS = [
    ("Seehttps://a.example/1", "https://a.example/1"),
    ("site.Seehttp://a.example, and", "http://a.example"),
    ("linkftp://a.example/x", "ftp://a.example/x"),
    ("(Websitehttps://me@a.example:80/x)", "https://me@a.example:80/x"),
    ("2023Seehttp://localhost/", "http://localhost/"),
]
NONE = (
    "xhttp://a.example/", "shttp://a.example/", "hhttp://a.example/", "ttp://a.example/",
    "fBhttp://a.example/", "gsiftp://a.example/x", "fakehttp://host/x", "Seehttp://", "Seehttp://%s/", "Seegopher://a.example/",
    "wordhttp:a.example", "Seehttp://x@y",
)  # fmt: skip


@pytest.mark.parametrize(("text", "urls"), TWO)
def test_adjacent_urls_are_separate(text, urls):
    found = list(extract(text))
    assert [f.url for f in found] == urls
    assert not any(f.defects for f in found)


@pytest.mark.parametrize("url", ONE)
def test_url_inside_a_url_is_part_of_it(url):
    assert [f.url for f in extract(f"see {url}\n")] == [url]


@pytest.mark.parametrize(("text", "url"), AFTER_WORDS)
def test_url_glued_to_a_word_has_a_defect(text, url):
    (found,) = extract(text)
    assert (found.url, words(found.defects), found.span.of(text)) == (url, ("glued-before",), url)
    assert found.confidence < 0.9


@pytest.mark.parametrize("text", NONE)
def test_mistyped_scheme_is_rejected(text):
    assert not list(extract(text))


@pytest.mark.parametrize("name", ["git+https", "svn+https", "x-seehttp", "coap+tcp"])
def test_longer_registered_name_is_the_scheme(name):
    (found,) = extract(f"see {name}://a.example/x")
    assert (found.scheme, words(found.defects)) == (name, ())


@pytest.mark.parametrize("text", [f"{A}/6{B}/7", f"<{A}/6{B}/7>", f'"{A}/6{B}/7"'])
def test_delimiters_hold_one_url(text):
    count = 1 if text[0] in '<"' else 2
    assert len(list(extract(text))) == count


def test_label_inside_another_url_is_not_of_the_next_one():
    text = "http://URL:http://example.com/"
    urls = ["http://URL", "http://example.com/"]
    assert [(found.url, found.span.of(text)) for found in extract(text)] == list(zip(urls, urls, strict=True))
