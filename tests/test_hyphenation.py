"""Texts that hyphenate words, as those of troff: the hyphen at a line end belongs to no URL (SPEC §3)."""

from __future__ import annotations

import pytest
from commands import outcome
from costs import LINEAR, growth
from library import extract_urls

from urlextract import Extractor, extract, extract_message
from urlextract.scanner.hyphenation import LOOKED_AT, hyphenates

PAGE = """\
       This may oc-
       cur when the file is read, and a descrip-
       tion of it is needed; errors that occur often are de-
       scribed elsewhere. As described there, see <https://www.har-
       bour.example/doc/> or the description at <https://moor-
       ing.example/in-
       dex.html>.
"""
TROFF = ["https://www.harbour.example/doc/", "https://mooring.example/index.html"]
KEPT = ["https://www.har-bour.example/doc/", "https://moor-ing.example/in-dex.html"]


def urls(text: str, **options: str) -> list[str]:
    return [found.url for found in extract(text, **options)]  # type: ignore[arg-type]


def test_hyphens_of_the_typesetter_belong_to_no_url() -> None:
    assert urls(PAGE) == TROFF


def test_reading_with_the_hyphen_is_an_alternative() -> None:
    first, _ = extract(PAGE)
    assert [each.url for each in first.alternatives] == [KEPT[0]]
    assert first.repairs == ("joined 2 lines", "removed hyphen")
    assert "".join(piece.of(PAGE) for piece in first.pieces) == first.url


def test_words_after_the_url_tell_it_too() -> None:
    url, _, words = "see <http://a.example/tides-\nof-old>\n\n".partition("\n\n")
    assert urls(f"{url}\n\n{PAGE}{words}") == ["http://a.example/tidesof-old", *TROFF]


@pytest.mark.parametrize(
    "text",
    [
        PAGE.replace("described there", "it is there"),  # two words stand unbroken elsewhere
        PAGE + "They re-occur; an oc-cur, a descrip-tion is how troff parts them.\n",
        PAGE.replace("-\n       cur", "\n       cur"),
        PAGE.replace("cur when", "Cur when"),  # a name
    ],
    ids=["two words", "hyphens in lines", "no hyphen", "a capital"],
)
def test_other_texts_keep_the_hyphen(text: str) -> None:
    assert urls(text) == KEPT


def test_hyphens_of_urls_tell_nothing() -> None:
    text = "".join(
        f"<http://a.example/{a}-\n{b}> {a}{b}\n" for a, b in (("web", "site"), ("on", "line"), ("e", "mail"))
    )
    assert urls(text) == ["http://a.example/web-site", "http://a.example/on-line", "http://a.example/e-mail"]


def test_a_bare_url_is_joined_without_the_hyphen() -> None:
    text = PAGE + "\nhttps://a.example/doc/html/latest/tides-descrip-\ntion.html\n"
    assert urls(text)[-1] == "https://a.example/doc/html/latest/tides-description.html"


def test_a_name_that_somebody_may_have_registered_is_not_joined() -> None:
    found = [*extract(PAGE + "\nat https://translationpro-\nject.example/. It is good.\n")][-1]
    assert "may-continue" in [defect.code for defect in found.defects]
    assert found.alternatives[0].url == "https://translationproject.example/"


def test_all_ways_agree() -> None:
    assert [*extract_urls(PAGE)] == TROFF
    message = b"From: a@a.example\nSubject: tides\n\n" + PAGE.replace("       ", "> ").encode()
    assert [found.url for found in extract_message(message)] == TROFF
    for size in (1, 7, 50):
        extractor = Extractor()
        found = [each for at in range(0, len(PAGE), size) for each in extractor.feed(PAGE[at : at + size])]
        assert [each.url for each in (*found, *extractor.close())] == TROFF
    assert outcome(data=PAGE) == (0, "".join(f"{url}\n" for url in TROFF), "")
    assert outcome("--fields", "url", data=PAGE)[1].split() == TROFF


@pytest.mark.parametrize("size", [7, 4_096, 100_000])
def test_defanged_urls_do_not_move_the_end_of_the_beginning(size: int) -> None:
    line = "hxxp://a[.]b[.]example/x and words go on here. \n"
    text = (
        f"{PAGE}\n"
        + line * (66_000 // len(line))
        + "<http://www.host.example/some/long-\npath>\n"
        + line * 5_000
    )
    extractor = Extractor(refang=True)
    found = [each for at in range(0, len(text), size) for each in extractor.feed(text[at : at + size])]
    assert [each.url for each in (*found, *extractor.close())] == urls(text, refang=True)
    assert "http://www.host.example/some/long-path" in urls(text, refang=True)


def test_what_is_asked_for_counts() -> None:
    assert urls(PAGE, hyphen="drop") == TROFF
    assert urls(PAGE, hyphen="both") == [KEPT[0], TROFF[0], *(url for url in urls(PAGE, hyphen="both")[2:])]
    assert urls(PAGE, hyphen="elsewhere") == KEPT  # none stands unbroken elsewhere


def test_only_the_beginning_of_a_text_is_read_so() -> None:
    filler = "a line of words, all of them whole.\n" * (LOOKED_AT // 36 + 1)
    assert urls(f"{PAGE}\n{filler}\n{PAGE}") == TROFF + KEPT
    assert urls(f"{filler}\n{PAGE}") == KEPT


def test_line_ends_of_all_kinds() -> None:
    assert urls(PAGE.replace("\n", "\r\n")) == TROFF
    assert hyphenates(PAGE.replace("       ", "> > "))


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["<http://a-\nb>\n", "oc-\ncur ", "a-\n", "oc-\ncur occur oc-cur <http://a.example/b-\nc> "]
)
def test_hostile_texts_take_linear_time(unit: str) -> None:
    assert growth(urls, lambda size: unit * (size // len(unit)), 60_000, 480_000) < LINEAR
