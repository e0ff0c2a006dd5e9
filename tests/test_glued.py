"""URLs without a space before them: after another URL, and after a word (SPEC §1)."""

from __future__ import annotations

import pytest
from remarks import words

from urlextract import extract

A, B = "http://a.example", "http://b.example"


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
