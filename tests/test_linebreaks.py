"""Rejoining: what is put together, what is said of it, and the other readings."""

from __future__ import annotations

import pytest

from urlextract import examine, extract, rejoin


@pytest.mark.parametrize(
    ("raw", "prefix", "url", "repairs"),
    [
        ("http://a.example/b", "", "http://a.example/b", ()),
        ("http://a.example/\n  b", "", "http://a.example/b", ("joined 2 lines",)),
        (
            "http://a.example/\n> b",
            "> ",
            "http://a.example/b",
            ("joined 2 lines", 'removed quote prefix "> "'),
        ),
        ("http://a.example/ b c", "", "http://a.example/bc", ("removed 2 blanks",)),
        ("http://a.example/ b", "", "http://a.example/b", ("removed 1 blank",)),
        ("http://a.example/ \\\n b", "", "http://a.example/b", ("joined 2 lines", "removed backslash")),
        ("http://a.example/\r\nb\rc", "", "http://a.example/bc", ("joined 3 lines",)),
        ("http://a.example/\u00a0b\v\fc", "", "http://a.example/bc", ("removed 3 blanks",)),
        (
            "http://a.example/\n\n\n\nAuthor   Standards   [Page 9]\n\f\nRFC 1    Title     1999\n\n\n   b",
            "",
            "http://a.example/b",
            ("joined 2 lines", "removed page break"),
        ),
    ],
)
def test_rejoin(raw: str, prefix: str, url: str, repairs: tuple[str, ...]) -> None:
    rejoined = rejoin(raw, prefix=prefix)
    assert rejoined.url == url
    assert rejoined.repairs == repairs
    assert "".join(piece.of(raw) for piece in rejoined.pieces) == url


def test_every_reading_of_hyphens_likeliest_first() -> None:
    rejoined = rejoin("http://a.example/b-\nc-\nd")
    assert rejoined.url == "http://a.example/b-c-d"
    urls = [a.url for a in rejoined.alternatives]
    assert urls == ["http://a.example/bc-d", "http://a.example/b-cd", "http://a.example/bcd"]


def test_readings_are_eight_at_most() -> None:
    assert len(rejoin("http://a.example/" + "b-\n" * 6 + "c").alternatives) == 7


def test_drop_puts_the_reading_without_hyphens_first() -> None:
    rejoined = rejoin("http://a.example/b-\nc", hyphen="drop")
    assert rejoined.url == "http://a.example/bc"
    assert [a.url for a in rejoined.alternatives] == ["http://a.example/b-c"]


def test_blanks_between_words_may_be_meant() -> None:
    rejoined = rejoin("gopher://a.example/00/About Gopher/More\n About")
    assert rejoined.url == "gopher://a.example/00/AboutGopher/MoreAbout"
    assert [a.url for a in rejoined.alternatives] == [
        "gopher://a.example/00/About%20Gopher/MoreAbout",
        "gopher://a.example/00/About%20Gopher/More%20About",
    ]


def test_both_gives_a_result_each() -> None:
    urls = [f.url for f in extract("<http://a.example/b-\nc> http://d.example", hyphen="both")]
    assert urls == ["http://a.example/b-c", "http://a.example/bc", "http://d.example"]


@pytest.mark.parametrize("elsewhere", ["http://a.example/bc", "http://a.example/b-c"])
@pytest.mark.parametrize("text", ["<http://a.example/b-\nc> and {}", "{} and <http://a.example/b-\nc>"])
def test_evidence_puts_what_stands_unbroken_first(text: str, elsewhere: str) -> None:
    found = [f for f in extract(text.format(elsewhere), hyphen="evidence") if f.pieces]
    assert [f.url for f in found] == [elsewhere]
    assert "stands unbroken elsewhere" in found[0].repairs[-1]


def test_without_evidence_the_hyphen_is_kept() -> None:
    assert [f.url for f in extract("<http://a.example/b-\nc>", hyphen="evidence")] == ["http://a.example/b-c"]


LONG = "Take this one, which is said to be good, http://www.example.org/harbour/tab"


def test_a_full_line_offers_what_seems_to_follow() -> None:
    (found,) = extract(f"{LONG}\nles/north.html and go")
    assert found.url == "http://www.example.org/harbour/tab"
    assert [a.url for a in found.alternatives] == ["http://www.example.org/harbour/tables/north.html"]


def test_a_full_line_is_joined_on_demand() -> None:
    (found,) = extract(f"> {LONG}\n> les/north.html and go", join="likely")
    assert found.url == "http://www.example.org/harbour/tables/north.html"
    assert [a.url for a in found.alternatives] == ["http://www.example.org/harbour/tab"]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see http://a.example/one-\ntwos for it", "http://a.example/one-twos"),
        ("(http://a.example/one-\r\n  Two)", "http://a.example/one-Two"),
    ],
)
def test_a_hyphen_at_the_end_of_any_line_offers_what_follows(text: str, url: str) -> None:
    (found,) = extract(text)
    assert found.url == "http://a.example/one-"
    assert [a.url for a in found.alternatives] == [url, url.replace("-", "")]
    assert found.defects == ("may-continue",)


@pytest.mark.parametrize(
    "after", ["-\ntwo", "\n- two", "\n\ntwo", "\n> two", "\nhttp://b.example/", "\nTo: x", " \nx"]
)
def test_what_does_not_follow_a_hyphen_is_not_offered(after: str) -> None:
    found = next(extract("see http://a.example/one-" + after))
    assert found.alternatives == ()


@pytest.mark.parametrize(
    "after", ["\nand then go", "\n\nles/north.html", "\nhttp://b.example/x", "\n- les/north", "", "\nThen"]
)
def test_the_next_word_is_never_glued_on(after: str) -> None:
    found = next(extract(LONG + after, join="likely"))
    assert found.url == "http://www.example.org/harbour/tab"
    assert found.alternatives == ()


def test_join_none_leaves_what_is_broken() -> None:
    assert [f.url for f in extract("<http://a.example/b\nc>", join="none")] == ["http://a.example/b"]


def test_explanations_show_the_line() -> None:
    (rejection,) = examine("one\ntwo <warning: x>\nthree")
    assert rejection.context == "two \0<warning: x>"


PRINTED = ("http://a.example/abcde", *("fghij/klmno",) * 200)


@pytest.mark.parametrize("prefix", ["", "> ", ">> ", "> > ", "| ", "# ", "   ", "- "])
@pytest.mark.parametrize("indent", [" ", "    "])
def test_a_wrapper_laid_out_in_print_has_as_many_lines_as_it_takes(prefix, indent):
    again = prefix if prefix.strip() not in {"", "-"} else " " * len(prefix)
    text = f"{prefix}<URL:" + f"\n{again}{indent}".join(PRINTED) + ">"
    assert [found.url for found in extract(text)] == ["".join(PRINTED)]


@pytest.mark.parametrize(
    "text",
    [
        # not indented, once; a blank inside a line; indented only as far as the opening line
        "<URL:" + "\n ".join(PRINTED[:8]) + "\n" + "\n ".join(PRINTED[8:]) + ">",
        "<URL:" + "\n ".join(PRINTED[:12]) + " x\n " + "\n ".join(PRINTED[12:]) + ">",
        "> <URL:" + "\n> ".join(PRINTED) + ">",
        # never closed
        "<URL:" + "\n ".join(PRINTED),
    ],
)
def test_what_is_not_laid_out_so_keeps_to_the_limits(text):
    assert [found.url for found in extract(text)] == [PRINTED[0]]


def test_the_sign_of_a_list_is_no_patch():
    assert [found.url for found in extract("- <URL:http://a.example/b\n  -c>")] == ["http://a.example/b-c"]
    assert [found.url for found in extract("+ <http://a.example/b\n +c>")] == ["http://a.example/b+c"]
    # of a patch it is one, after quote marks too
    assert [found.url for found in extract("+<URL:http://a.example/b\n+c>")] == ["http://a.example/bc"]
    assert [found.url for found in extract("> + <URL:http://a.example/b\n> + c>")] == ["http://a.example/bc"]
