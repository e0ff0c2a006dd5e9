"""What is undone, is undone in paragraphs: of longer ones in parts, which no URL is cut by."""

from __future__ import annotations

import json

import pytest

from urlextract import extract


@pytest.mark.parametrize("length", range(5, 20))
@pytest.mark.parametrize("as_rows", [False, True])
def test_long_lines_of_json_are_read_whole(length, as_rows):
    urls = [f"http://a.example/page/{number:04}{'z' * length}" for number in range(600)]
    rows = [{"u": url} for url in urls] if as_rows else urls
    text = json.dumps(rows, separators=(",", ":")).replace("/", "\\/")
    assert [found.url for found in extract(text)] == urls


def test_url_before_the_part_that_is_undone_stays():
    first, second = f"http://a.example/{'y' * 200}", r"http:\/\/b.example\/c"
    text = f"{'w ' * 10}{first} {'word ' * 1_580}see {second} end"
    assert [(found.url, found.raw) for found in extract(text)] == [
        (first, first), ("http://b.example/c", second)
    ]  # fmt: skip
    assert all(found.span.of(text) == found.raw for found in extract(text))


def test_bracket_that_was_given_up_is_not_told_of_a_host_after_it():
    text = "<http://a.example/x/b c is\nwords> \n\nsee b.example.com/yes here"
    host = [*extract(text, relaxed=True)][-1]
    assert (host.url, host.defects, host.alternatives) == ("http://b.example.com/yes", (), ())
