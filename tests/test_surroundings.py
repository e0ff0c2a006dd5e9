"""The text around a URL: its line, or its paragraph if the URL has the line for itself."""

from __future__ import annotations

from typing import Any

import pytest
from commands import run
from hypothesis import given
from hypothesis import strategies as st

from urlextract import Extractor, Found, examine, extract, extract_html, extract_message

URL = "http://a.example/1"


def context_in(text: str, **options: Any) -> str:
    """Return the context of the first URL of a text, which stands there."""
    found = next(extract(text, context=True, **options))
    assert found.context is not None
    start = text.find(found.context, max(0, found.end - len(found.context)))
    assert 0 <= start <= found.start
    assert found.end <= start + len(found.context)
    return found.context


# Around the URL: what stands there on its line
ALONE = [
    "{}", "  {}", "\t{} ", "<{}>", "({})", "[{}]", '"{}"', "*{}*", "<{}>.", "{},", "“{}”",
    "- {}", "* {}", "+ {}", "• {}", "– <{}>", "1. {}", "12) {}", "(3) {}", "[1] {}", "[1]: {}",
    "[foo-2] <{}>",
    "> {}", "> > {}", ">> - <{}>.", "| {}", "JD> {}", "# {}", "-{}",
]  # fmt: skip


@pytest.mark.parametrize("line", ALONE)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_context_of_a_url_alone_is_its_paragraph(line: str, end: str) -> None:
    lines = "The tables of the harbour", "are kept here:", line.format(URL), "They go back to 1891."
    paragraph = end.join(lines)
    text = end.join(("Dear Ada,", "", paragraph, "", "Yours, Joe", ""))
    assert context_in(text) == paragraph


# Beside a word, or another URL, the line says what it says
NOT_ALONE = [
    "see {}", "{} (new)", "> see {}", "URL: see <{}>", "{} http://b.example/", "1. Tides: {}", "{} -- tables",
]  # fmt: skip


@pytest.mark.parametrize("line", NOT_ALONE)
def test_context_of_a_url_in_a_sentence_is_its_line(line: str) -> None:
    text = f"one line\n{line.format(URL)}\nanother\n"
    assert context_in(text) == line.format(URL)


ABOVE, BELOW, TWENTY = "above " * 40, "below " * 40, "twenty characters so\n"
CASES = [
    # a text, and the context of its first URL
    ("see\n\n{}\n", "see\n\n{}"),
    ("see\n\n{}\n\nand then\n", "see\n\n{}"),
    ("> see\n>\n> {}\n>\n> so\n", "> see\n>\n> {}"),
    ("> see\n> >\n> > {}\n", "> see\n> >\n> > {}"),
    ("one\n\ntwo\nthree\n\n{}\n", "two\nthree\n\n{}"),
    ("one\n>\n> two\n> {}\n> three\n> \n> four", "> two\n> {}\n> three"),
    ("Title\n=====\n{}\n", "Title\n=====\n{}"),
    ("see\n  \t\n{}", "see\n  \t\n{}"),
    # more than one blank line away, or nothing at all
    ("see\n\n\n{}\n", "{}"), ("{}", "{}"),
    ("\n\n{}\n\n", "{}"), ("\n{}\n\nsee above\n", "{}"), ("--\n{}", "{}"),
    # in a list of URLs the words before it
    ("Two tables:\n\n- {}\n- http://b.example/\n", "Two tables:\n\n- {}"),
    ("Two tables:\n- {}\n- http://b.example/\n", "Two tables:\n- {}\n- http://b.example/"),
    ("[1] {}\n[2] http://b.example/\n", "[1] {}"),
    ("http\n\n{}\nThe tables of the north\n", "{}\nThe tables of the north"),
    # the footer of a list
    ("Joe\n_____________\ntides mailing list\ntides@lists.example\n{}\n",
     "tides mailing list\ntides@lists.example\n{}"),
    # broken over lines
    ("see\n\n<http://a.exam\nple/1>\n", "see\n\n<http://a.exam\nple/1>"),
    ("see it:\n> <http://a.exam\n> ple/1>\nor not\n", "see it:\n> <http://a.exam\n> ple/1>\nor not"),
    # cut at words of five characters: 120 characters with a line end hold 20 of them
    (f"{ABOVE.strip()}\n{{}}\n{BELOW.strip()}\n", f"{ABOVE[:120].strip()}\n{{}}\n{BELOW[:120].strip()}"),
    (f"{ABOVE}\n\n{{}}\n", f"{ABOVE[:114]}\n\n{{}}"),
    (f"{TWENTY * 20}{{}}\n{TWENTY * 20}", f"characters so\n{TWENTY * 5}{{}}\n{TWENTY * 5}twenty"),
    # a word that is longer is left out, a long line of marks is not read
    (f"{'x' * 300}\n{{}}\n{'y' * 300}\n", "{}"),
    (f"{'x' * 300}\nso\n{{}}\nor\n{'y' * 300}\n", "so\n{}\nor"),
    (f"see\n{' ' * 500}{{}}\n", f"{' ' * 60}{{}}"),
    (f"see\n{'-' * 500}\n{{}}\n", "{}"), (f"see\n{' ' * 500}\n{{}}\n", "{}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "context"), CASES)
def test_context_is_what_says_something(text: str, context: str) -> None:
    assert context_in(text.format(URL)) == context.format(URL)


PIECE = st.sampled_from(
    ["see it", "> ", "- ", "\n", "\n", "\n\n", " ", f"{URL}\n", f"<{URL}>\n", "word " * 40, ">\n"]
)


@given(
    st.lists(PIECE, max_size=40).map("".join),
    st.lists(PIECE, max_size=20).map("".join),
    st.lists(st.integers(1, 300), min_size=1, max_size=20),
)
def test_pieces_of_the_text_before_do_not_matter(before: str, after: str, sizes: list[int]) -> None:
    extractor, at = Extractor(context=True), 0
    fed: list[Found] = []
    for size in [*sizes, len(before)]:
        fed += extractor.feed(before[at : at + size])
        at = min(len(before), at + size)
    fed += [*extractor.feed(after), *extractor.close()]
    whole = extract(before + after, context=True)
    contexts = [
        [(each.url, each.context) for each in results if each.start >= len(before)]
        for results in (fed, whole)
    ]
    assert contexts[0] == contexts[1]


def test_long_text_in_slices_has_the_contexts_of_a_short_one() -> None:
    block = f"The tables of the harbour:\n\n{URL}\n\n{'more words to read and so on ' * 30}\n\n"
    found = list(extract(block * 500, context=True))
    assert len(found) == 500
    assert {each.context for each in found} == {f"The tables of the harbour:\n\n{URL}"}


def test_texts_of_messages_have_paragraphs_and_markup_has_lines() -> None:
    text = f"The tables:\n{URL}\n"
    (found,) = extract_message(f"Subject: x\n\n{text}".encode(), context=True)
    assert found.context == f"The tables:\n{URL}"
    (found,) = extract_html(f"<p>The tables:\n{URL}\n</p>", context=True)
    assert found.context == URL
    assert [each.context for each in examine(text)] == [f"The tables:\n{URL}"]


def test_explanation_shows_the_line_alone() -> None:
    shown = run("--explain", data=f"The tables:\n> <{URL}>\nThey are new.\n").stdout.decode().splitlines()
    assert shown[1:3] == [f"    | > <{URL}>", f"    |   {'^' * 20}"]
