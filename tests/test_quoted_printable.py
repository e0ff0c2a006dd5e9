"""Undecoded quoted-printable in a text: decoded and joined if the lines around it prove it (SPEC §3)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from remarks import words
from scans import between_barriers, cut, scanned, urls_of_bytes
from strategies import examples

from urlextract import extract, extract_message

# ruff: noqa: E501
FULL = "The list of all that is still to be done by the end of the year, and more =\n"
AFTER = "it=E2=80=99s at the usual place=20\n"
FILLER = "word word\n" * 90
DOUBT = ("undecoded quoted-printable",)

SPLIT = [
    "h=\nttp://a.example/b", "htt=\np://a.example/b", "http=\n://a.example/b", "http:=\n//a.example/b",
    "http:/=\n/a.example/b", "http://=\na.example/b", "http=\r\n://a.example/b", "HTT= \nP://a.example/b",
    "<htt=\np://a.example/b>", "<URL:http=\n://a.example/b>", '"ht=\ntp://a.example/b"', "(http:=\n//a.example/b).",
]  # fmt: skip
"""URLs with a soft break inside the scheme."""


@pytest.mark.parametrize("written", SPLIT)
@pytest.mark.parametrize("mark", ["", "> "])
def test_scheme_broken_by_a_soft_break_is_joined(written, mark):
    text = "".join(mark + line for line in f"{AFTER}{FULL}It is at {written} it=E2=80=99s\n".splitlines(True))
    (found,) = extract(text)
    assert (found.url.lower(), words(found.defects)) == ("http://a.example/b", ())
    assert {"joined 2 lines", "decoded quoted-printable"} <= {*words(found.repairs)}
    assert urls_of_bytes([text.encode()]) == [found.url]


@pytest.mark.parametrize("join", ["none", "safe"])
@pytest.mark.parametrize(
    "text", ["key=\nhttp://a.example/b", "x=\nURL:http://a.example/b", "x=\nnot-http://a.example/b"]
)
def test_scheme_after_a_soft_break_is_left_alone(text, join):
    (found,) = extract(text, join=join)
    assert (found.url, words(found.defects)) == ("http://a.example/b", ())


def test_what_is_far_is_no_evidence():
    """All other texts are in ``cases/quoted-printable.txt``."""
    found = next(extract(f"{FULL}{AFTER}\n{FILLER}http://a.example/?x=3Dy\n"))
    assert (found.url, words(found.defects), words(found.repairs)) == ("http://a.example/?x=3Dy", DOUBT, ())


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_before_soft_ones_are_decoded_up_to_the_end_of_the_paragraph(line_end):
    text = "http://a.example/=0A=\nb=0A=\n\nc".replace("\n", line_end)
    assert [found.url for found in extract(text)] == ["http://a.example/"]


@pytest.mark.parametrize("url", ["http://a.example/b=\nc?d=3De", "<http://a.example/b=\nc?d=3De>"])
def test_join_none_ends_the_url_at_its_line(url):
    (found,) = extract(f"{AFTER}{FULL}see {url}\n", join="none")
    assert found.url == "http://a.example/b"


def test_part_in_undeclared_quoted_printable_is_decoded_once():
    text = f"{AFTER}{FULL}see http://a.example/b=\nc?d=3D3D1\n".encode()
    found = next(iter(extract_message(b"Subject: x\n\n" + text)))
    assert (found.url, words(found.repairs)) == ("http://a.example/bc?d=3D1", ())


def test_part_in_undeclared_quoted_printable_that_was_quoted_loses_its_quote_marks():
    text = "".join(
        f"> {line}" for line in f"{AFTER}{FULL}see http://a.example/b=\nc?d=3D1\n".splitlines(True)
    )
    found = next(iter(extract_message(f"Subject: x\n\n{text}".encode())))
    assert found.url == "http://a.example/bc?d=1"


PIECES = (
    FULL, AFTER, "=\n", "=\n> ", "=\n  ", "=20\n", "\n", "\n> ", "\n\n", "\r\n", " ", "http://a.example/", "www.b.example/", "<", ">", '"',
    "?x=3Dy", "=3D", "=C3=A9", "M=FCnchen", "=E2=80=99", "=", "=q", "é", "\0", "<URL:", "mailto:a@b.example", "b", "/c", "htt", "p://a.example/", "=E2=80=9D", "?n=20", "=20", "http", "://", ":", "/", "-" * 95, "x y\n" * 200,
)  # fmt: skip
quoted_texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@examples(400)
@given(quoted_texts, st.lists(st.integers(0, 900), max_size=5))
def test_any_slicing_has_the_same_candidates(text, places):
    whole = scanned([text])
    assert scanned(cut(text, places)) == whole
    assert scanned(text) == whole


@examples(400)
@given(quoted_texts, st.lists(st.integers(0, 900), max_size=4))
def test_urls_of_bytes_are_those_of_the_decoded_text(text, places):
    data = b"-" * 8 + text.encode()
    assert urls_of_bytes(cut(data, places)) == [found.url for found in extract(data.decode())]


@examples(400)
@given(st.lists(quoted_texts, min_size=2, max_size=4))
@example(["http://a.example/M=FCnchenM=FCnchen", "it=E2=80=99s at the usual place=20\n", ""])
@example([f"{AFTER}mailto:a@b.exampleM=FCnchen", AFTER, ""])
def test_pieces_between_barriers_have_the_urls_of_the_whole(paragraphs):
    data = b"-" * 8 + "\n\n".join(paragraphs).encode()
    pieces = between_barriers(data)
    assert [url for piece in pieces for url in urls_of_bytes([piece])] == urls_of_bytes([data])
    assert all(start.endswith(b"\n") for start, _ in pairwise(pieces))


@pytest.mark.parametrize("text", [
    "=20\nhttp://www.example.org/a=\r\n4=3Dx y", "=20\nwww.e.=\r\n4=3D",
    "* =3D}&lt;,@:1234.html%\\/localhost:8080/x(www.example.orga.=\r\nF",
])  # fmt: skip
@pytest.mark.parametrize("join", ["none", "delimited", "safe"])
def test_slice_inside_a_soft_break_changes_nothing(text, join):
    assert list(extract(list(text), join=join)) == list(extract(text, join=join))
