"""Markdown and HTML in texts that are filled or numbered: links, code, tags and tables stay what they are.

CommonMark texts are also read by markdown-it, before and after.
"""

from __future__ import annotations

import re

import pytest
from costs import LINEAR, growth
from hostile import times
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from scans import urls_of
from strategies import examples

from urlextract import from_refs, rewrap, to_refs
from urlextract.formatter.texts.checking import check_text

# Texts that are filled around their markup: the text, and what it is at 40 columns.
FILLED = {
    "the text of a link is filled": (
        "The tables are in [the harbour list](http://a.example/t.html) here.\n",
        "The tables are in [the harbour\nlist](http://a.example/t.html) here.\n",
    ),
    "a destination and its title": (
        'See the list of [all tables](http://a.example/t "The Tides") there.\n',
        'See the list of [all\ntables](http://a.example/t "The Tides")\nthere.\n',
    ),
    "a destination in brackets": (
        "You will find them all in [a list](<http://a.example/b> 'x y').\n",
        "You will find them all in [a\nlist](<http://a.example/b> 'x y').\n",
    ),
    "a destination with parentheses": (
        "It is in the harbour [list](http://a.example/t_(2)) of them.\n",
        "It is in the harbour\n[list](http://a.example/t_(2)) of them.\n",
    ),
    "an image": (
        "Look here: ![the old harbour](http://a.example/harbour.png) it is.\n",
        "Look here: ![the old\nharbour](http://a.example/harbour.png)\nit is.\n",
    ),
    "an autolink": (
        "The tables are in this list here, <http://a.example/t> now.\n",
        "The tables are in this list here,\n<http://a.example/t> now.\n",
    ),
    "code": (
        "Get the whole list with `curl -O http://a.example/t` now.\n",
        "Get the whole list with\n`curl -O http://a.example/t` now.\n",
    ),
    "code of two backquotes": (
        "Get the whole list of them with ``a `b` http://a.example/``.\n",
        "Get the whole list of them with\n``a `b` http://a.example/``.\n",
    ),
    "code that a line end breaks": (
        "Get it by `curl -O\nhttp://a.example/t` now, or not.\n",
        "Get it by `curl -O http://a.example/t`\nnow, or not.\n",
    ),
    "code in a quotation": (
        "> Get the whole list with `curl\n> -O http://a.example/t` now.\n",
        "> Get the whole list with\n> `curl -O http://a.example/t` now.\n",
    ),
    "a link in an item of a list": (
        "- The tables: [the list](http://a.example/t.html 'x y') or so\n",
        "- The tables: [the\n  list](http://a.example/t.html 'x y')\n  or so\n",
    ),
    "a tag": (
        'The tables are in <a href="http://a.example/t" title="x y">a list</a>.\n',
        'The tables are in\n<a href="http://a.example/t" title="x y">a\nlist</a>.\n',
    ),
    "a tag that a line end breaks": (
        "The tables are in <a\nhref='http://a.example/t'>a list</a>.\n",
        "The tables are in\n<a href='http://a.example/t'>a list</a>.\n",
    ),
    "an image of HTML at the start": (
        '<img src="http://a.example/i.png" alt=""> is the harbour.\n',
        '<img src="http://a.example/i.png" alt=""> is\nthe harbour.\n',
    ),
    "a tag never begins a block of HTML": (
        "The next one is a tag that begins HTML, <div> it is called.\n",
        "The next one is a tag that begins\nHTML, <div> it is called.\n",
    ),
    "a comment": (
        "There is one more thing <!-- http://a.example/ --> to say here.\n",
        "There is one more\nthing <!-- http://a.example/ --> to say\nhere.\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "result"), FILLED.values(), ids=FILLED)
def test_text_is_filled_around_its_markup(text, result):
    assert rewrap(text, 40) == result
    assert rewrap(result, 40) == result
    assert rewrap(text, 40, "bracket") == result  # no URL in markup is broken
    check_text(text, result, "keep")
    assert rewrap(text.replace("\n", "\r\n"), 40) == result.replace("\n", "\r\n")


# Texts that are left alone by all policies, at 30 columns
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
@pytest.mark.parametrize("policy", ["keep", "bracket", "ref"])
def test_table_definition_and_block_are_left_alone(text, policy):
    for kept in (text, text.replace("\n", "\r\n")):
        assert rewrap(kept, 30, policy) == kept
        assert to_refs(kept) == from_refs(kept) == kept
        around = f"one two three four\nfive\n\n{kept}\nsix seven eight nine\nten\n"
        filled = f"one two three four five\n\n{kept}\nsix seven eight nine ten\n"
        assert rewrap(around, 30, policy) == filled


LONG = "http://www.example.org/harbour/tables/north/all.html"


@pytest.mark.parametrize(
    "mark", ["# Tables\n\n", "See [it](http://a.example/).\n\n", "```\nx\n```\n\n", "![](i.png)\n\n"]
)
def test_no_link_of_markdown_becomes_a_labelled_url(mark):
    for word in (f"<{LONG}>", LONG):
        text = f"{mark}See {word} for the tables.\n"
        assert rewrap(text, 30, "bracket") == f"{mark}See\n{word}\nfor the tables.\n"
        assert "<URL:http://www.example.org/\n" in rewrap(
            text.removeprefix(mark), 30, "bracket"
        )  # plain text
    labelled = f"{mark}See <URL:{LONG}>.\n"
    assert LONG not in rewrap(labelled, 40, "bracket")
    assert rewrap(rewrap(labelled, 40, "bracket"), 40, "bracket") == rewrap(labelled, 40, "bracket")


# Texts in which no URL gets a number
LEFT = {
    "code between two backquotes, with blanks": "See `` http://a.example/t `` now.\n",
    "a definition on two lines": "[it]:\n  http://a.example/t\n\nSee [it].\n",
    "a link of reStructuredText": "See `it <http://a.example/t>`_, or `it <http://a.example/t>`__.\n",
    "a link with a bar": "See <http://a.example/t|it> now.\n",
    "a link": "See [the list](http://a.example/t), or ![it](http://a.example/i.png).\n",
    "a link with its URL as text": "See [http://a.example/t](http://a.example/t).\n",
    "a link in brackets": 'See [it](<http://a.example/t>), [it](http://a.example/t "x").\n',
    "a link over two lines": "See [the\nlist](http://a.example/t) now.\n",
    "a link to a definition": "See [http://a.example/t][x], now.\n\n[x]: http://a.example/t\n",
    "code": "Run `curl http://a.example/t` or ``<http://a.example/u>``.\n",
    "code over two lines": "Run `curl\n<http://a.example/t>` now.\n",
    "quoted code over two lines": "> Run `curl\n> <http://a.example/t>` now.\n",
    "an attribute": "See <a href='http://a.example/t'>it</a>, <img src=http://a.example/i.png>.\n",
    "an attribute on the next line": "See <a\nhref='http://a.example/t'>it</a>.\n",
    "an image on two lines": "See <img\nsrc=http://a.example/i.png> here.\n",
    "the text of an element": '<b>See</b> <a href="http://a.example/t">http://a.example/t</a>.\n',
    "an element of code": "See <code>curl http://a.example/t</code>.\n",
    "a comment": "See <!-- <http://a.example/t> --> it.\n",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_url_in_markup_gets_no_number(text):
    assert to_refs(text) == text
    assert from_refs(text) == text
    more = f"Take <http://b.example/c>.\n\n{text}"
    numbered = to_refs(more)
    assert numbered.startswith(f"Take [1].\n\n{text}\n[1]: <http://b.example/c>")
    assert from_refs(numbered) == more


# Texts in which some URLs get numbers: the text, and what it is then
NUMBERED = {
    "an autolink is a link by number": (
        "See <http://a.example/t>, and [it](http://a.example/t).\n",
        "See [1], and [it](http://a.example/t).\n\n[1]: <http://a.example/t>\n",
    ),
    "code and a URL after it": (
        "Run `curl http://a.example/t` of <http://a.example/t>.\n",
        "Run `curl http://a.example/t` of [1].\n\n[1]: <http://a.example/t>\n",
    ),
    "a number in code stays": (
        "Take `x[1]`, `[2]` and <http://a.example/t>.\n",
        "Take `x[1]`, `[2]` and [3].\n\n[3]: <http://a.example/t>\n",
    ),
    "a number that is the label of a link": (
        "See [it][1] and <http://b.example/>.\n\n[1]: <http://a.example/t>\n",
        "See [it][1] and [2].\n\n[1]: <http://a.example/t>\n[2]: <http://b.example/>\n",
    ),
    "an entry that a link needs, too": (
        "See [it][1] and <http://a.example/t>.\n\n[1]: <http://a.example/t>\n",
        "See [it][1] and [1].\n\n[1]: <http://a.example/t>\n",
    ),
    "a definition with a name": (
        "See [it][x], <http://a.example/t>.\n\n[x]: http://a.example/t\n",
        "See [it][x], [1].\n\n[x]: http://a.example/t\n\n[1]: <http://a.example/t>\n",
    ),
    "a tag and a URL after it": (
        'See <a href="http://a.example/t">it</a> or <http://b.example/>.\n',
        'See <a href="http://a.example/t">it</a> or [1].\n\n[1]: <http://b.example/>\n',
    ),
}


@pytest.mark.parametrize(("text", "numbered"), NUMBERED.values(), ids=NUMBERED)
def test_url_outside_of_markup_gets_a_number(text, numbered):
    assert to_refs(text) == numbered
    assert from_refs(numbered) == text


# Text that merely looks like Markdown or HTML: it is filled and numbered as any other text is.
PLAIN = {
    "an index": ("Take a[i](x) and <http://a.example/t>.\n", "Take a[i](x) and [1].\n"),
    "parentheses": ("It is there (see <http://a.example/t>).\n", "It is there (see [1]).\n"),
    "a bracket": ("[Note: see <http://a.example/t> (now)]\n", "[Note: see [1] (now)]\n"),
    "quotation marks of TeX": ("It's ``so'' <http://a.example/t> ``now''.\n", "It's ``so'' [1] ``now''.\n"),
    "quotation marks of old": ("See `it' <http://a.example/t> `now'.\n", "See `it' [1] `now'.\n"),
    "one backquote": ("Take ` of <http://a.example/t>, or ` not.\n", "Take ` of [1], or ` not.\n"),
    "backquotes in words": ("it`s <http://a.example/t> that`s it\n", "it`s [1] that`s it\n"),
    "a comparison": ("if a < b see <http://a.example/t> or c > d.\n", "if a < b see [1] or c > d.\n"),
    "a placeholder": ("Put <your name> at <http://a.example/t>.\n", "Put <your name> at [1].\n"),
    "an address": ("Ada <ada@a.example> has <http://a.example/t>.\n", "Ada <ada@a.example> has [1].\n"),
    "an escaped bracket": (r"Take \`x <http://a.example/t> y\` now." + "\n", r"Take \`x [1] y\` now." + "\n"),
}


@pytest.mark.parametrize(("text", "numbered"), PLAIN.values(), ids=PLAIN)
def test_text_that_merely_looks_like_markup_is_plain(text, numbered):
    assert to_refs(text) == f"{numbered}\n[1]: <http://a.example/t>\n"
    assert from_refs(to_refs(text)) == text
    words = text.split()
    assert rewrap(" ".join(words), 12).split() == words
    assert max(map(len, rewrap(text, 12).split("\n"))) <= max(12, *(len(word) + 3 for word in words))


PROSE = {
    "two blanks after sentences": "One ended here.  Two did.\nThree ended.  Four did, too.\n",
    "justified text": "one  two three  four\nfive six  seven  eight\nand the last line\n",
    "items with two blanks": "1.  one two three four five\n2.  six\n",
    "a hanging paragraph": "Foo  one two three four five\n     six seven\n",
    "one bar": "one two | three four\nfive six seven\n",
    "a comment sign": "REM  one two three four\nREM  five six seven\n",
}


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_prose_with_wide_gaps_is_no_table(text):
    result = rewrap(text, 16)
    assert result != text
    assert result.split() == [*result.split()]
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
@given(documents, st.sampled_from((12, 20, 40, 72)), st.sampled_from(("keep", "bracket", "ref")))
def test_rewrapped_markdown_has_the_same_links_and_code(document, width, policy):
    assume(not re.search(r"<http:\S* +>", document))  # a blank before the bracket: no link, but a wrapper
    text = document + DEFINITIONS
    result = rewrap(text, width, policy)
    check_text(text, result, policy)
    if policy == "keep":
        assert rendered(result) == rendered(text)
        assert rewrap(result, width, policy) == result


@examples(200)
@given(documents)
def test_numbers_in_markdown_are_undone(document):
    text = document.replace("http://a.example/bare", "<http://a.example/bare>") + DEFINITIONS
    numbered = to_refs(text)
    assert set(urls_of(numbered)) == set(urls_of(text))
    assert sorted(urls_of(from_refs(numbered))) == sorted(urls_of(from_refs(text)))


UNITS = (
    "`", "` ", "`a ", "``a `b", "](", "[", "[a](", '[a](x "', "[a](<", '<a b="', "<a x=\" y=' ", "<!-- ",
    "<a><b>", "a][1] [1] ", "`a [1]` [1] ",
    "</a>", "<pre>\n", "<pre>\n\n", "<div>\n", "a  b\n", "a | b\n", "[x y]: http://a/\n", "`a` http://a/ ",
    '<a href="http://a/">x</a> ', '[t](http://a/ "t u") http://b/ ', "<br> ", "<a > > ",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_time_for_markup_is_proportional_to_the_length(unit):
    def rewrite(text):
        rewrap(text, policy="bracket")
        from_refs(to_refs(text))

    text = times(unit, behind="\n\n[1]: http://z.example/\n")
    assert growth(rewrite, text, 80_000, 320_000) < LINEAR  # both in several units
