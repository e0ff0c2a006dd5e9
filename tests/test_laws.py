"""Laws of the scanner (SPEC §8): slices, fast-path patterns and bytes change nothing; cost is linear."""

from __future__ import annotations

import io
import re
from itertools import accumulate
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from costs import LINEAR, growth
from hostile import times
from hypothesis import example, given
from hypothesis import strategies as st
from remarks import without_contexts, words
from scans import between_barriers, cut, scanned, urls_of_bytes
from strategies import OF_GRAMMAR, PRINTABLE, broken_texts, examples, plain_texts, texts

from urlextract import examine, extract, extract_source
from urlextract.grammar.marks import END_MARKS
from urlextract.linebreaks.joining import Join
from urlextract.scanner import wrappers
from urlextract.sources.stretches import _NEAR

SAMPLES = sorted((Path(__file__).parent.parent / "corpora" / "text").glob("*.txt"))


@examples(600)
@given(st.one_of(texts, plain_texts), st.lists(st.integers(0, 200), max_size=6))
@example("<URL:ftp://ds.in\nternic.net/rfc>.", [3, 17])
@example("&lt;www. &gt;\n\n", [9])
@example("mailto:\r\n<<URL:", [9])
@example("see http://a.example\u00e9!!!=\nword ", [26])
@example("a\nhttp://a.e-\nf\n\n" + "word word word word word\n" * 16 + "x" * 399, [50])
def test_any_slicing_has_the_same_candidates(text, places):
    whole = scanned([text])
    assert scanned(cut(text, places)) == whole
    assert scanned(text) == whole
    assert without_contexts(examine(cut(text, places))) == without_contexts(examine(text))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_sample_is_read_alike_in_slices_and_between_barriers(sample):
    data = sample.read_bytes()
    text = data.decode("utf-8", "surrogateescape")
    pieces = between_barriers(data)
    assert [url for piece in pieces for url in urls_of_bytes([piece])] == urls_of_bytes([data])
    begin = text[:12_000]
    for size in (1, 7, 61, 4096):
        assert scanned(begin[i : i + size] for i in range(0, len(begin), size)) == scanned([begin])


@pytest.mark.parametrize("size", [400, 600, 1_200, 70_000])
def test_a_quotation_on_one_line_may_be_as_long_as_a_bare_url(size):
    text = f'<a href="http://a.example/{"x" * size}">'
    assert [match.form.value for match in scanned([text])] == ["quoted" if size < 65_536 else "bare"]


@examples(600)
@given(broken_texts)
@example("# <http://a.example/x\n# y>, <URL:news:a.b>")
@example("JD> <http://a.example/x\nJD> y>")
@example("<http://_/x> <URL:hxxp://a.example/>")
def test_brackets_to_which_no_rule_applies_are_read_as_all_others(text):
    whole = scanned([text])
    with patch.object(wrappers, "plain", lambda *_: None):
        assert scanned([text]) == whole


def test_generated_text_has_every_printable_character():
    """An alphabet without "_" once hid that three copies of a rule differed."""
    assert set(map(chr, range(32, 127))) | set(END_MARKS) <= set("".join((*PRINTABLE, *OF_GRAMMAR)))


@examples(1000)
@given(broken_texts)
@example("> <http://a.example/x-\n> y>, <URL:http://a.example/\n> /x>")
@example("<http://><http://www.b.example%20>")
@example("JD> <http://a.example/\nJD>")
@example("* <http://xn--\nb.example/\n%20>")
@example("<mailto:a\n@b.example> a mailto:x b")
@example("<URL:http:\n:a.example>")
@example('"mailto:\n* *=\n:%20a@b.example" "http:\n//a.example/"')
@example("<URL:\xa0news:a.b> <URL:\udcf6https://1>")
@example("<URL://\nJD> info:\u00e9/URL &lt;about: foo&gt;\n<")
@example("* mailto:\u00e9@c.example info:\u00e9#f")
@example("REM http://\nREM www.b.example/x\n")
@example("> <htt\n> p://a.example/x> <URL:f\ntp://b.example/>")
@example("<http:\\\n//Foo>")
def test_line_ends_of_each_kind_break_urls_alike(text):
    plain = text.replace("\r", "")
    found = [match.url for match in scanned([plain])]
    assert [match.url for match in scanned([plain.replace("\n", "\r\n")])] == found
    assert [match.url for match in scanned([plain.replace("\n", "\r")])] == found


@examples(600)
@given(st.one_of(texts, plain_texts), st.lists(st.integers(0, 200), max_size=4))
@example("ftp://日", [16])
@example("\n> <URL:\\\n> >", [])
@example("<http:\\\n>", [])
@example("http://a.example/日" + "日" * 300, [])
@example("x" * 100 + "http://a.example/" + "日" * 700 + " ", [])
@example("x" * 100 + "http://a.example/a" + "日" * 700 + " ", [])
@example("x" * 100 + "http://a.example/ab" + "日" * 700 + " ", [])
def test_urls_of_bytes_are_those_of_the_decoded_text(text, places):
    data = b"-" * 8 + text.encode("utf-8", "surrogateescape")  # no byte order mark, no sign of UTF-16
    decoded = data.decode("utf-8", "surrogateescape")
    assert urls_of_bytes(cut(data, places)) == [found.url for found in extract(decoded)]


def likely(data):
    return [(f.url, f.confidence) for f in extract(data.decode("utf-8", "surrogateescape"), join="likely")]


@examples(600)
@given(st.lists(texts, min_size=2, max_size=4))
@example(["<http://a.example/", "b>"])
@example(["<", "http://a.example/b>"])
@example(["see <URL:http://a.example/\n", "\n[Page 9]\n\nRFC 1738\n\nb>"])
def test_pieces_between_barriers_have_the_urls_of_the_whole(paragraphs):
    data = b"-" * 8 + "\n\n".join(paragraphs).encode("utf-8", "surrogateescape")
    pieces = between_barriers(data)
    assert [url for piece in pieces for url in urls_of_bytes([piece])] == urls_of_bytes([data])
    assert [found for piece in pieces for found in likely(piece)] == likely(data)


@pytest.mark.parametrize(
    "url", ["http://a.example/b", "www.a.example/b", "mailto:a@b.example", "a.example/b"]
)
def test_barriers_are_at_all_blank_lines(url):
    """Nothing beyond one decides about a URL, whether its line goes on or not."""
    lines = b"Some words of prose in a line.\n\n"
    assert len(between_barriers(lines * 90)) == 90
    assert len(between_barriers(lines + url.encode() + b"/x-\ny\n\n" + lines * 90)) == 92


@pytest.mark.parametrize("is_far", [True, False])
def test_no_barrier_is_near_a_page_break(is_far):
    """A wrapper may continue after a page break."""
    far = _NEAR + 200 if is_far else _NEAR - 200
    text = b"one\n\n" + b"x" * far + b"\n\n[Page 9]\n\nRFC 1738\n\n" + b"y" * far + b"\r\n\r\ntwo"
    assert [piece[:3] for piece in between_barriers(text)] == (
        [b"one", b"xxx", b"two"] if is_far else [b"one"]
    )


@examples(300)
@given(texts)
def test_no_option_makes_any_text_raise(text):
    for keywords in ({"hyphen": "both"}, {"join": "likely"}, {"join": "none"}, {"valid": True}):
        list(extract(text, **keywords))


# ruff: noqa: E501
HOSTILE = {
    **{unit: times(unit) for unit in (
        "<", "<URL:", "http://", "a.", "a", ":", "://", "x://", "www.", "<http:", "<http://a ", "http://a((((((((",
        "http://a))))))))", "http://a.,.,.,.,", "mailto:", "news: ", "<a:b ", "www.a(", "a+a-", "<URL:http://x\n",
        "<URL:" + " " * 20, "<http://a\n> ", "(", "> ", '"http://a\n', "http://a@", "&lt;", "<mailto:a@b ", "\n\f[Page 1]\n",
        "http://a&", "www.a-", "http://é", "tel:1", "info:(", "> | # ", "\r", "JD> <", "news:a.", "file:\\", "-\n", "<ftp:\n",
    )},
    "http://a + ')'": lambda n: "http://a" + ")" * n,
    "http://a + '.'": lambda n: "http://a" + "." * n,
    "http://a + '()'": lambda n: "http://a" + "()" * (n // 2),
    "http://a + '(' and ').'": lambda n: "http://a" + "(" * (n // 3) + ")." * (n // 3),
    "<URL:http://x + words": lambda n: "<URL:http://x " + "word " * (n // 5),
    "<URL:http://x + lines": lambda n: "<URL:http://x\n" + "lorem ipsum dolor sit\n" * (n // 22),
    "http://a/ + Arabic question marks": lambda n: "http://a/" + "\u061f" * n,
    "a + ://x": lambda n: "a" * n + "://x",
    "< + a + ://x>": lambda n: "<" + "a" * n + "://x>",
    "<URL: + spaces": lambda n: "<URL:" + " " * n,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE, ids=[ascii(name)[1:-1] for name in HOSTILE])
def test_scanning_hostile_text_takes_linear_time(name):
    """One step is allowed: what comes after the longest URL is many places in place of one."""
    sizes = (80_000, 640_000)
    assert any(
        growth(lambda text: scanned([text]), HOSTILE[name], size // 4, size) < LINEAR for size in sizes
    )


@examples(300)
@given(texts, st.lists(st.integers(0, 200), max_size=6))
def test_line_column_and_byte_count_from_the_start(text, places):
    """Positions are the same however the text is sliced."""
    data = ("-" * 8 + text).encode("utf-8", "surrogateescape")
    decoded = data.decode("utf-8", "surrogateescape")
    for found in extract_source(io.BytesIO(data), "text"):
        before = decoded[: found.start]
        assert found.byte == len(before.encode("utf-8", "surrogateescape"))
        ends = list(re.finditer(r"\r{0,4}+\n|\r", before))
        assert found.line == len(ends) + 1
        assert found.column == found.start - (ends[-1].end() if ends else 0) + 1
    assert list(extract(cut(decoded, places))) == list(extract(decoded))


PARAGRAPHS = st.lists(st.sampled_from((
    "", "", " ", "> ", ">", "> see http://a.example/some/long/path-", "http://a.example/some/long/path/of/",
    "north/map-of-it.html", "> north/map.html", "see <http://a.example/b", " c> or", "c", "www.a.example/b-",
    "a line of prose that is as wide as people write their mail, more or less", "Name:", "x=20", "=3D=3D",
    "http://a.example/?b=3Dc=", "d and more of these words, which go on up to the end of the lin=",
    "http://a.example/?b=", "=C3=A9t=C3=A9 is summer, and these are many words of a line of th=",
    "index.html", "http://a.example/0123456789abcdef0123456789abcdef", "0123456789abcdef", "a@b.example",
    "hxxp://intranet", "see hxxp://b[.]example/c-", "[1] x", "www.a.example b[.]example", ">x-=", "L:=", "(",
)), max_size=14)  # fmt: skip


@given(PARAGRAPHS, st.sampled_from(("safe", "likely")), st.booleans(), st.booleans())
@example(["http://a.example/some/long/path/of/", "north/map-of-it.html", "", "> > x"], "safe", False, False)
@example(["hxxp://c", "", "("], "safe", False, True)
@example([">x-=", "L:=", ""], "safe", False, False)
def test_nothing_beyond_a_blank_line_counts(
    lines: list[str], join: Join, relaxed: bool, refang: bool
) -> None:
    """So a text can be cut at any of them: by several processes, and wherever it comes in pieces."""
    text = "\n".join(lines)
    pieces = re.split(r"(?<=\n\n)(?=[^\n])", text)

    def found(piece: str, start: int) -> list[Any]:
        every = extract(piece, join=join, relaxed=relaxed, emails=relaxed, refang=refang)
        return [
            (e.url, e.span.start + start, words(e.repairs), words(e.defects), [o.url for o in e.alternatives])
            for e in every
        ]

    starts = accumulate(map(len, pieces), initial=0)
    apart = [each for piece, start in zip(pieces, starts, strict=False) for each in found(piece, start)]
    assert found(text, 0) == apart
