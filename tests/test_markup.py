"""Markdown and HTML in texts that are filled: a paragraph that has them is left as it is, and counted.

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

from urlextract import rewrap

# Paragraphs that are left, at 40 columns, although one of their lines is wider, or broken too early
LEFT = {
    "a link": "The tables are in [the harbour list](http://a.example/t.html) here.\n",
    "a link with a title": 'See the list of [all tables](http://a.example/t "The Tides") there.\n',
    "a link in brackets": "You will find them all in [a list](<http://a.example/b> 'x y').\n",
    "a link over two lines": "See [the\nlist](http://a.example/t) now.\n",
    "an image": "Look here: ![the old harbour](http://a.example/harbour.png) it is.\n",
    "code": "Get the whole list with `curl -O http://a.example/t` now.\n",
    "code of two backquotes": "Get the whole list of them with ``a `b` http://a.example/``.\n",
    "code over two lines": "Get it by `curl -O\nhttp://a.example/t` now, or not.\n",
    "quoted code over two lines": "> Get the whole list with `curl\n> -O http://a.example/t` now.\n",
    "a link in an item of a list": "- The tables: [the list](http://a.example/t.html) of them\n",
    "a link of reStructuredText": "See `the list <http://a.example/t>`_, or `it <http://a.example/t>`__.\n",
    "a tag": 'The tables are in <a href="http://a.example/t" title="x y">a list</a>.\n',
    "a tag over two lines": "All of the tables are in this <a\nhref='http://a.example/t'>list</a>, I say.\n",
    "a tag without quotes": "See <img src=http://a.example/harbour/i.png> here, and now.\n",
    "a tag with a prefix": "See <x:a b='http://a.example/harbour/i.png'> here, and now.\n",
    "an element": "See <code>curl http://a.example/t -O list.html</code>.\n",
    "a comment": "There is one more thing <!-- http://a.example/ --> to say here.\n",
}
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
    said = f"urlextract: {path}: left as they are: 1 paragraph (1 with Markdown or HTML)\n"
    assert outcome("rewrap", "-w", "40", path) == (0, filled, said)


def test_paragraph_with_markup_that_needs_no_filling_is_not_counted():
    text = "See [the list](http://a.example/t) now.\n\nRun `ls`.\n"
    assert outcome("rewrap", "-w", "40", data=text.encode()) == (0, text, "")


def test_other_items_of_a_list_are_filled():
    text = "- see [the list](http://a.example/t) of them all\n- one two three four five six seven eight\n"
    assert rewrap(text, 36) == text.replace(" eight", "\n  eight")


# Texts that are left alone whatever is in them, at 30 columns
UNTOUCHED = {
    "two columns": "host  http://a.example/\nport  80, or http://b.example/\n",
    "two columns, not aligned": "a  http://a.example/\nlonger  http://b.example/ and more\n",
    "two columns with a heading": "They are:\nhost  http://a.example/ or so\nport  80\n",
    "options": "-h  print this text, and exit\n-v  see http://a.example/\n",
    "keys of two words": "the host  http://a.example/x\nthe port  80, and nothing else\n",
    "a column that goes on": "host  http://a.example/x/y\n      or another one\nport  80\n",
    "a quoted table": "> host  http://a.example/\n> port  80, or http://b.example/\n",
    "a pipe table": "key | http://a.example/\n--- | ---\nx | http://b.example/ and more\n",
    "a pipe table without a head": "a | http://a.example/b/c/d\nc | http://a.example/d\n",
    "a pipe table with bars": "|a | http://a.example/b|\n|c | http://a.example/d and more|\n",
    "a definition": "[x]: http://a.example/t/u/v 'The title'\n",
    "a definition with a long label": "[the long label]: http://a.example/t/u/v\n",
    "a definition in brackets": '[the long label]: <http://a.example/t> "The title"\n',
    "a block of HTML": '<div class="x">\n<p>See <a href="http://a.example/t">http://a.example/t</a></p>\n</div>\n',
    "a paragraph of HTML": '<p>See <a href="http://a.example/t">the list</a>\nor http://a.example/u.</p>\n',
    "a list of HTML": "<ul>\n<li>http://a.example/b and more words</li>\n</ul>\n",
    "preformatted text": "<pre>\nhttp://a.example/b and more words\n\nand more\n</pre>\n",
    "an element of XML": '<entry key="x"\nhref="http://a.example/t"/>\n',
    "a lone tag": '<a href="http://a.example/t">\nthe list of all the tables\n</a>\n',
    "a document of XML": '<?xml version="1.0"?>\n<a xmlns="urn:x:y">\n<b key="http://a.example/"\n/>\n</a>\n',
    "a tag over lines": '   <a\n     xmlns="urn:x:y">\n     <b/> and http://a.example/\n',
    "elements of XML": "     <a>\n       <b key='http://a.example/'/>\n     </a>\n  </c>\n",
    "a chat": "<ada> see http://a.example/t/u/v there\n<bob> yes\n<ada> but not now\n",
    "a comment over lines": "<!-- one\nhttp://a.example/\n\ntwo three -->\n",
    "code of one line": "```curl http://a.example/ -o x``` it is\n",
    "a fence in an item": "- item\n\n  ```\n  curl http://a.example/ -o x\n  y\n  ```\n",
    "a fence with a language": "~~~ sh `x`\ncurl http://a.example/ -o x\ny\n~~~\n",
}


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=UNTOUCHED)
@pytest.mark.parametrize("break_urls", [False, True])
def test_table_definition_and_block_are_left_alone(text, break_urls):
    for kept in (text, text.replace("\n", "\r\n")):
        assert rewrap(kept, 30, break_urls=break_urls) == kept
        around = f"one two three four\nfive\n\n{kept}\nsix seven eight nine\nten\n"
        filled = f"one two three four five\n\n{kept}\nsix seven eight nine ten\n"
        assert rewrap(around, 30, break_urls=break_urls) == filled


# Text that merely looks like Markdown or HTML: it is filled as any other text is.
NO_MARKUP = {
    "an autolink": "The tables are in this list, <http://a.example/t> now.\n",
    "parentheses": "It is there (see <http://a.example/t>).\n",
    "a bracket": "[Note: see <http://a.example/t> (now)]\n",
    "citations": "They say so in [1][2], and in [AL96][BB97].\n",
    "quotation marks of TeX": "It's ``so'' <http://a.example/t> ``now''.\n",
    "quotation marks of old": "See `it' <http://a.example/t> `now'.\n",
    "one backquote": "Take ` of <http://a.example/t>, or ` not.\n",
    "backquotes in words": "it`s <http://a.example/t> that`s it\n",
    "a comparison": "if a < b see <http://a.example/t> or c > d.\n",
    "a placeholder": "Put <your name> at <http://a.example/t>.\n",
    "a label": "Put it at <URL:http://a.example/?t=1>, or else.\n",
    "an address": "Ada <ada@a.example> has <http://a.example/t>.\n",
}


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
