"""Markdown and HTML in texts that are filled: paragraphs with tags are left, links and code stay whole.

CommonMark texts are also read by markdown-it, before and after.
"""

from __future__ import annotations

import re

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rewriting import check_text
from strategies import examples
from test_cases import texts_of

from urlextract import rewrap

# Paragraphs that are left, at 40 columns, although one of their lines is wider, or broken too early
LEFT = texts_of("rewrap-markup")
PLAIN = "one two three four five six seven eight nine\nten\n"
PLAIN_FILLED = "one two three four five six seven eight\nnine ten\n"


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_paragraph_with_markup_is_left_and_counted(text, tmp_path):
    for left in (text, text.replace("\n", "\r\n")):
        assert rewrap(left, 40) == rewrap(left, 40, break_urls=True) == left
    around = f"{PLAIN}\n{text}\n{PLAIN}"
    filled = f"{PLAIN_FILLED}\n{text}\n{PLAIN_FILLED}"
    assert rewrap(around, 40) == filled
    path = tmp_path / "text"
    path.write_text(around)
    said = f"urlextract: {path}: left as it is: 1 paragraph with HTML; the first at line 4 of the result\n"
    assert outcome("rewrap", "-w", "40", path) == (0, filled, said)


def test_paragraph_with_markup_that_needs_no_filling_is_not_counted():
    text = "See <b>it</b> at http://a.example/t now.\n"
    assert outcome("rewrap", "-w", "40", data=text.encode()) == (0, text, "")


def test_url_in_a_link_or_code_is_never_broken():
    """Links and code that are filled are in ``cases/rewrap-spans.txt``."""
    link, code = f"[the list](http://a.example/{'t/' * 20})", f"`curl http://a.example/{'t/' * 20}`"
    text = f"See {link} and {code} here.\n"
    for break_urls in (False, True):
        assert rewrap(text, 40, break_urls=break_urls) == f"See\n{link}\nand\n{code}\nhere.\n"


# Texts that are left alone whatever is in them, at 30 columns
UNTOUCHED = texts_of("rewrap-blocks")


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=UNTOUCHED)
@pytest.mark.parametrize("break_urls", [False, True])
def test_table_definition_and_block_are_left_alone(text, break_urls):
    for kept in (text, text.replace("\n", "\r\n")):
        assert rewrap(kept, 30, break_urls=break_urls) == kept
        around = f"one two three four\nfive\n\n{kept}\nsix seven eight nine\nten\n"
        filled = f"one two three four five\n\n{kept}\nsix seven eight nine ten\n"
        assert rewrap(around, 30, break_urls=break_urls) == filled


# Text that merely looks like Markdown or HTML: it is filled as any other text is.
NO_MARKUP = texts_of("rewrap-no-markup")


@pytest.mark.parametrize("text", NO_MARKUP.values(), ids=NO_MARKUP)
def test_text_that_merely_looks_like_markup_is_filled(text):
    words = text.split()
    assert rewrap(" ".join(words), 12).split() == words
    assert max(map(len, rewrap(text, 12).split("\n"))) <= max(12, *(len(word) + 3 for word in words))


PROSE = {
    "two blanks after sentences": "One ended here.  Two did.\nThree ended.  Four did, too.\n",
    "justified text": "one  two three  four\nfive six  seven  eight\nand the last line\n",
    "items with two blanks": "1.  one two three four five\n2.  six\n",
    "a hanging paragraph": "Foo  one two three four five\n     six seven\n",
    "one bar": "one two | three four\nfive six seven\n",
}


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_prose_with_wide_gaps_is_no_table(text):
    result = rewrap(text, 16)
    assert result != text
    assert set(text.split()) == set(result.split())


RENDERER = MarkdownIt("commonmark")
TEXTS = (
    "word ", "another word, ", "and ", "see ", "(see ", "). ", "\n", "\n", "\n\n", "[t](http://a.example/t) ",
    "[a link of words](http://a.example/long/path/to/some/place.html) ", "[t](<http://a.example/y>)\n",
    '[t](http://a.example/x "The title") ', "![img of it](http://a.example/i.png) ", "`code` ",
    "`curl http://a.example/z -o x` ", "`` a ` b `` ", "<http://a.example/auto> ", "http://a.example/bare ",
    '<a href="http://b.example/1">text</a> ', "<b>bold</b> ", '<img src="http://b.example/2" alt="x y"> ',
    "[t][1] ", "[t][x y] ", "> ", "- ", "[", "<", "a[i](x) ", "``quoted'' ",
)  # fmt: skip
documents = st.lists(st.sampled_from(TEXTS), max_size=20).map("".join)
DEFINITIONS = "\n\n[1]: http://c.example/1\n[x y]: http://c.example/xy\n"


def rendered(text):
    """Return the links and images of a CommonMark text, and its code."""
    page = RENDERER.render(text)
    codes = re.findall("<code>(.*?)</code>", page, re.DOTALL)
    return re.findall('(?:href|src)="([^"]*)"', page), [" ".join(code.split()) for code in codes]


@examples(200)
@given(documents, st.sampled_from((12, 20, 40, 72)))
def test_rewrapped_markdown_has_the_same_links_and_code(document, width):
    assume(not re.search(r"<http:\S* +>", document))  # a blank before the bracket: no link, but a wrapper
    text = document + DEFINITIONS
    result = rewrap(text, width)
    check_text(text, result)
    assert rendered(result) == rendered(text)
    assert rewrap(result, width) == result


UNITS = (
    "`", "` ", "`a ", "``a `b", "](", "[", "[a](", '[a](x "', "[a](<", '<a b="', "<a x=\" y=' ", "<!-- ",
    "<a><b>", "a][1] [1] ", "`a [1]` [1] ", "<a ", "<a =", "</a ", "<a:",
    "</a>", "<pre>\n", "<pre>\n\n", "<div>\n", "a  b\n", "a | b\n", "[x y]: http://a/\n", "`a` http://a/ ",
    '<a href="http://a/">x</a> ', '[t](http://a/ "t u") http://b/ ', "<br> ", "<a > > ",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_time_for_markup_is_proportional_to_the_length(unit):
    text = times(unit, behind="\n\n[1]: http://z.example/\n")
    growing = growth(lambda text: rewrap(text, break_urls=True), text, 80_000, 320_000)  # in several units
    assert growing < LINEAR
