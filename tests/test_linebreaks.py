"""Rejoining broken URLs: the joined text, its repairs, and the other readings (SPEC §3)."""

from __future__ import annotations

import pytest
from costs import LINEAR, growth
from hostile import times
from remarks import words

from urlextract import extract
from urlextract.linebreaks.joining import Hyphen


@pytest.mark.parametrize(("raw", "prefix", "url", "repairs"), [
    ("http://a.example/b", "", "http://a.example/b", ()),
    ("http://a.example/\n  b", "", "http://a.example/b", ("joined 2 lines",)),
    ("http://a.example/\n> b", "> ", "http://a.example/b", ("joined 2 lines", 'removed quote prefix "> "')),
    ("http://a.example/ b c", "", "http://a.example/bc", ("removed 2 blanks",)),
    ("http://a.example/ b", "", "http://a.example/b", ("removed 1 blank",)),
    ("http://a.example/ \\\n b", "", "http://a.example/b", ("joined 2 lines", "removed backslash")),
    ("http://a.example/\r\nb\rc", "", "http://a.example/bc", ("joined 3 lines",)),
    ("http://a.example/\u00a0b\v\fc", "", "http://a.example/bc", ("removed 3 blanks",)),
    ("http://a.example/\n\n\n\nAuthor   Standards   [Page 9]\n\f\nRFC 1    Title     1999\n\n\n   b", "",
     "http://a.example/b", ("joined 2 lines", "removed page break")),
])  # fmt: skip
def test_rejoined_url_has_its_repairs(raw: str, prefix: str, url: str, repairs: tuple[str, ...]) -> None:
    text = f"{prefix}<URL:{raw}>"
    (found,) = extract(text)
    assert (found.url, words(found.repairs)) == (url, repairs)
    assert "".join(piece.of(text) for piece in found.pieces) == url


READINGS = {
    "a hyphen may be the writer's or the URL's":
        ("http://a.example/b-\nc", "keep", "http://a.example/b-c", ["http://a.example/bc"]),
    "of several, all are":
        ("http://a.example/b-\nc-\nd", "keep", "http://a.example/b-c-d", ["http://a.example/bcd"]),
    "drop puts the reading without hyphens first":
        ("http://a.example/b-\nc-\nd", "drop", "http://a.example/bcd", ["http://a.example/b-c-d"]),
    "typesetters put one behind a slash":
        ("http://a.example/-\nb", "keep", "http://a.example/b", ["http://a.example/-b"]),
    "but not before another slash":
        ("http://a.example/-\n/b", "keep", "http://a.example/-/b", ["http://a.example//b"]),
    "a hyphen inside a line stays":
        ("http://a.example/b- c-\nd-", "drop", "http://a.example/b-cd-", ["http://a.example/b-c-d-"]),
    "a space between words may be meant":
        ("gopher://a.example/00/About Gopher/More\n About", "keep", "gopher://a.example/00/AboutGopher/MoreAbout",
         ["gopher://a.example/00/About%20Gopher/MoreAbout"]),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "hyphen", "url", "others"), READINGS.values(), ids=READINGS)
def test_other_readings_are_alternatives(raw: str, hyphen: Hyphen, url: str, others: list[str]) -> None:
    for line_end in ("\n", "\r\n", "\r"):
        (found,) = extract(f"<URL:{raw}>".replace("\n", line_end), hyphen=hyphen)
        assert found.url == url
        assert [other.url for other in found.alternatives] == others


# As troff hyphenates: its words tell nothing of the URL
MAN_PAGE = """\
       This may oc-
       cur when the file is read, and a descrip-
       tion of it is needed; errors that occur often are de-
       scribed elsewhere. As described there, see <https://www.har-
       bour.example/doc/> or the description.
"""


def test_hyphens_are_kept_in_a_text_that_hyphenates_words() -> None:
    (found,) = extract(MAN_PAGE)
    assert found.url == "https://www.har-bour.example/doc/"
    assert [other.url for other in found.alternatives] == ["https://www.harbour.example/doc/"]
    assert [found.url for found in extract(MAN_PAGE, hyphen="drop")] == ["https://www.harbour.example/doc/"]


LONG = "Take this one, which is said to be good, http://www.example.org/harbour/tab"


def test_full_line_has_the_joined_alternative() -> None:
    (found,) = extract(f"{LONG}\nles/north.html and go")
    assert found.url == "http://www.example.org/harbour/tab"
    assert [a.url for a in found.alternatives] == ["http://www.example.org/harbour/tables/north.html"]


def test_hyphen_at_a_line_end_has_the_joined_alternatives() -> None:
    (found,) = extract("(see http://a.example/one-\r\n  Two)")
    assert (found.url, words(found.defects)) == ("http://a.example/one-", ("may-continue",))
    assert [a.url for a in found.alternatives] == ["http://a.example/one-Two", "http://a.example/oneTwo"]


@pytest.mark.parametrize(
    "after", ["-\ntwo", "\n- two", "\n\ntwo", "\n> two", "\nhttp://b.example/", "\nTo: x"]
)
def test_line_that_cannot_follow_a_hyphen_is_no_alternative(after: str) -> None:
    found = next(extract("see http://a.example/one-" + after))
    assert found.alternatives == ()


def test_join_none_leaves_a_broken_wrapper() -> None:
    assert [f.url for f in extract("<http://a.example/b\nc>", join="none")] == ["http://a.example/b"]


PRINTED = ("http://a.example/abcde", *("fghij/klmno",) * 200)


@pytest.mark.parametrize("prefix", ["", "> ", ">> ", "> > ", "| ", "# ", "   ", "- "])
@pytest.mark.parametrize("indent", [" ", "    "])
def test_indented_wrapper_may_exceed_the_line_limit(prefix, indent):
    again = prefix if prefix.strip() not in {"", "-"} else " " * len(prefix)
    text = f"{prefix}<URL:" + f"\n{again}{indent}".join(PRINTED) + ">"
    assert [found.url for found in extract(text)] == ["".join(PRINTED)]


@pytest.mark.parametrize("text", [
    # one line is not indented; a space inside a line; indented only as far as the opening line
    "<URL:" + "\n ".join(PRINTED[:8]) + "\n" + "\n ".join(PRINTED[8:]) + ">",
    "<URL:" + "\n ".join(PRINTED[:12]) + " x\n " + "\n ".join(PRINTED[12:]) + ">",
    "> <URL:" + "\n> ".join(PRINTED) + ">",
    # never closed
    "<URL:" + "\n ".join(PRINTED),
])  # fmt: skip
def test_unindented_or_unclosed_wrapper_keeps_to_the_line_limit(text):
    assert [found.url for found in extract(text)] == [PRINTED[0]]


@pytest.mark.parametrize("unit", [" ", "\t", "\\", "=", "= ", "-\n", " \n", "> \n", "\f\n"], ids=ascii)
def test_cost_is_in_proportion(unit: str) -> None:
    assert (
        growth(lambda text: list(extract(text)), times(unit, "<http://a.example/", "b\nc>"), 10_000, 80_000)
        < LINEAR
    )
