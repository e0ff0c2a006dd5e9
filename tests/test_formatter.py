"""Formatted URLs: where they are broken, and that they read back in any context (SPEC §7)."""

from __future__ import annotations

import pickle
from itertools import pairwise, product
from typing import get_args

import docutils.core
import docutils.nodes
import pytest
from costs import LINEAR, growth
from hostile import times
from hypothesis import assume, example, given
from hypothesis import strategies as st
from library import format_in_any_width
from markdown_it import MarkdownIt
from scans import urls_of
from scheme_cases import CASES
from strategies import examples, printed_urls
from wcwidth import wcswidth

from urlextract import UrlExtractError, UrlSyntaxError, extract_html, format_url, parse_url
from urlextract.errors import FormatError, WidthError
from urlextract.formatter.opportunities import opportunities
from urlextract.formatter.printing import printed_url
from urlextract.formatter.targets import TARGETS, Target, Wrapper
from urlextract.schemes.components import span_of

PREFIXES = (
    "", "> ", ">> ", "| ", ":> ", "J.D.> ", "\u65e5\u672c> ", "   ", "# ", "// ", ">", "JD> ", "> > ", "; ",
    "% ", " * ",
)  # fmt: skip
GLUED = (("", ""), ("(see ", ")."), ("here", "there"), ("- ", ""), ("+ ", ","), ("* ", ";"), ("1. ", "!"))


def least_width(url, **how):
    try:
        format_url(url, width=1, **how)
    except WidthError as error:
        return error.least
    return 1


# Places where a URL may be broken, each with its cost, as the table of break rules has them.

FORCED = 9


def break_points(url, *, target="mail", encode=False):
    """Return each place where a URL may be broken, with its cost; in the host and in words it is `FORCED`."""
    text, column = printed_url(url, target=target, encode=encode), TARGETS[target].column
    if column is None:
        return {}
    found = opportunities(text, column)
    points = {at: FORCED for at in range(1, len(text)) if at not in found.never}
    return points | found.costs


TABLE = [
    ("http://www.a.example/b/c", {7: 4, 21: 0, 23: 0}),
    ("http://a.example//b", {7: 2, 18: 0}),
    ("ftp://a.example/b-c--d", {6: 2, 16: 0, 17: 2, 19: 2}),
    ("http://a.example/?b=c&d;e#f",
     {7: 2, 17: 0, 18: 1, 19: 1, 20: 1, 21: 3, 22: 0, 23: 2, 24: 0, 25: 0}),
    ("http://a.example/b.c,d;e!f~g_h",
     {7: 2, 17: 0, 18: 2, 19: 3, 20: 2, 21: 3, 22: 2, 23: 3, 24: 2, 25: 3, 26: 2, 28: 2}),
    ("ftp://a.example/b%20%C3%A9", {6: 2, 16: 0, 17: 2, 20: 2}),
    ("http://a.example/%E6%97%A5%E6%9C%AC", {7: 2, 17: 0, 26: 2}),
    ("mailto:a@b.example", {7: 5, 8: 3, 10: 2, 11: 3}),
    ("http://a.example/b/http://c/d", {7: 2, 17: 0, 19: 2, 26: 2, 28: 0}),
    ("http://a.example/b,http://c/d", {7: 2, 17: 0, 18: 2, 26: 2, 28: 0}),
    ("http://a.example/b/www.c", {7: 2, 17: 0, 19: 2, 22: 2, 23: 3}),
    ("file:///etc/motd", {8: 0, 12: 0}),
    ("urn:isbn:12", {4: 3, 9: 3}),
]  # fmt: skip


@pytest.mark.parametrize(("url", "places"), TABLE, ids=[url for url, _ in TABLE])
def test_break_points_have_the_cost_of_the_table(url, places):
    assert {at: cost for at, cost in break_points(url).items() if cost < FORCED} == places


def test_forced_break_points_are_inside_the_host_or_a_word():
    url = "http://u:p@ab.example:80/xy-z"
    assert [at for at, cost in break_points(url).items() if cost == FORCED] == [*range(8, 25), 26]
    assert opportunities(url, "mail")[2:] == (7, 24)


def test_scheme_escape_hyphen_and_grapheme_are_never_broken():
    url = "ftp://a-b.example/x%C3%A9-%25zz%2Fcafe\u0301s"
    never = {*range(1, 6), 8, *range(20, 25), 26, 27, 28, 32, 33, 38}
    assert set(break_points(url)) == set(range(1, len(url))) - never
    # Places count in the printed text.
    assert break_points(url.replace("%25", "%"), encode=True) == break_points(url)


def test_target_has_its_own_break_costs():
    url = "http://a.example/b-c/www.d"
    costs = {target: break_points(url, target=target) for target in (
        "mail", "latex", "html", "man", "rst", "plain")}  # fmt: skip
    assert {target: (cost[18], cost[21]) for target, cost in costs.items()} == {
        "mail": (2, 2), "latex": (1, 1), "html": (1, 1), "man": (1, 1), "rst": (2, 2),
        "plain": (1, 1),
    }  # fmt: skip
    assert break_points(url, target="markdown") == {}


LAYOUTS = [
    # The host whole, as long as that goes
    ("http://www.example.org/a/b", {"width": 14}, ["<URL:http://", " www.example.o", " rg/a/b>"]),
    ("http://www.example.org/a/b", {"width": 17}, ["<URL:http://", " www.example.org/", " a/b>"]),
    ("http://www.example.org/a/b", {"width": 21}, ["<URL:http://", " www.example.org/a/b>"]),
    ("http://www.example.org/a/b", {"width": 28}, ["<URL:http://www.example.org/", " a/b>"]),
    # A line fewer counts for more than a better place.
    ("http://a.example/bcde.fghij/k", {"width": 24}, ["<URL:http://a.example/", " bcde.fghij/k>"]),
    # The quote prefix is repeated on each line, and counts to the width.
    ("http://a.example/bcdef/ghij", {"width": 26, "prefix": "> > "},
     ["> > <URL:http://a.example/", "> >  bcdef/ghij>"]),
    # In the brackets of RFC 3986, and without any.
    ("http://a.example/bcdef/ghij", {"width": 23, "brackets": "<>"}, ["<http://a.example/", " bcdef/ghij>"]),
    ("http://a.example/bcdef/ghij", {"width": 30, "brackets": None}, ["http://a.example/bcdef/ghij"]),
    # A word that fits on no line is cut where its line is full, never in an escape or after a hyphen.
    ("http://a.example/abcdefghijklmnopqrstuvwxyz", {"width": 22, "indent": ""},
     ["<URL:http://a.example/", "abcdefghijklmnopqrstuv", "wxyz>"]),
    ("urn:x:abcdefghij-klm%C3%A9nop", {"width": 12},
     ["<URL:urn:x:", " abcdefghij", " -klm", " %C3%A9nop>"]),
    # One that fits but for its bracket is broken.
    *(("about:xhttp://", {"width": width}, ["<URL:about:xhttp", " ://>"]) for width in range(16, 20)),
    *(("about:xhttp://", {"width": width}, ["<URL:about:xhttp://>"]) for width in (20, 21)),
]  # fmt: skip


@pytest.mark.parametrize(("url", "how", "lines"), LAYOUTS)
def test_layout_has_these_lines(url, how, lines):
    assert format_url(url, **how).split("\n") == lines


MARKED = "http://a.example/b-c?d=e&f#g~h_i'%20"
PRINTED = [
    # The example of the style guide
    ("ftp://ds.internic.net/instructions/overview-of-it.html", {"width": 40},
     "<URL:ftp://ds.internic.net/instructions/\n overview-of-it.html>"),
    # Markup marks the places to break.
    (MARKED, {"target": "html", "brackets": "URL:"}, (
        '<a href="http://a.example/b-c?d=e&amp;f#g~h_i&#x27;%20">'
        '<span style="white-space:nowrap">&lt;URL:http://</span><wbr>'
        '<span style="white-space:nowrap">a.example/</span><wbr>b<wbr>'
        '<span style="white-space:nowrap">-c</span><wbr><span style="white-space:nowrap">?</span><wbr>'
        'd<wbr>=<wbr>e<wbr><span style="white-space:nowrap">&amp;</span><wbr>f<wbr>'
        '<span style="white-space:nowrap">#g</span><wbr>~h<wbr>_i<wbr>'
        '<span style="white-space:nowrap">&#x27;</span><wbr>'
        '<span style="white-space:nowrap">%20&gt;</span></a>'
    )),
    (MARKED, {"target": "man", "brackets": "<>"}, (
        r"\%<http://\:\%a.example/\:\%b\:\%\-c\:\%?\:\%d\:\%=\:\%e\:\%&\:\%f\:\%#g\:\%\(tih\:\%_i"
        r"\:\%\(aq\:\%%20>"
    )),
    ("http://a.example/b-c_d", {"target": "latex"}, (
        r"\href{http://a.example/b-c\_d}{\texttt{\mbox{http://}\penalty200{}a.example/\allowbreak{}b"
        r"\penalty100{}\mbox{-}c\penalty100{}\char95{}d}}"
    )),
    # A link of man is on lines of its own, one of reST is broken inside its brackets, one of Markdown never.
    ('http://a.example/b-c~d^e`f\\g"h', {"target": "man"},
     ".UR http://\\:a.example/\\:b\\:\\-c\\:\\(tid\\:\\(hae\\:\\(gaf\\:\\eg\\:\\(dqh\n.UE"),
    ("http://a.example/b/cdefgh", {"target": "rst", "width": 26}, "`<http://a.example/b/\ncdefgh>`__"),
    ("http://a.example/" + "b/" * 60, {"target": "markdown"}, f"<http://a.example/{'b/' * 60}>"),
    # Markdown escapes what an autolink cannot have, and what would be an entity.
    ("foo:bar", {"target": "markdown"}, "<foo:bar>"),
    ("x:y", {"target": "markdown"}, r"[x:y](<x:y>)"),
    ("http://a.example/b<c>", {"target": "markdown"}, r"[http://a.example/b\<c\>](<http://a.example/b\<c\>>)"),
    ("http://a.example/b\\&lt;", {"target": "markdown"},
     r"[http://a.example/b\\\&lt;](<http://a.example/b\\&amp;lt;>)"),
    ("http://a.example/?b&copy;c_d", {"target": "markdown"},
     r"[http://a.example/?b\&copy;c\_d](<http://a.example/?b&amp;copy;c_d>)"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "how", "printed"), PRINTED)
def test_target_has_its_own_marks_and_escapes(url, how, printed):
    assert format_url(url, **how) == printed


def test_unindented_continuation_never_begins_like_a_quote_or_comment():
    url = "http://a.example/bcdefgh.ijkl-mnopq/rstuv#wxyz"
    for width in range(least_width(url, indent=""), 60):
        printed = format_url(url, width=width, indent="")
        assert not any(line[0] in ".-#>" for line in printed.split("\n")), printed


ENCODED = [
    ("http://a.example/b c", "http://a.example/b%20c"),
    ('http://a.example/<>"{}|\\^`', "http://a.example/%3C%3E%22%7B%7D%7C%5C%5E%60"),
    ("http://a.example/100%", "http://a.example/100%25"),
    ("http://a.example/%zz%2f", "http://a.example/%25zz%2f"),
    ("http://a.example/\x00\x1f\x7f", "http://a.example/%00%1F%7F"),
    ("http://a.example/a\u00adb\u200bc\u202ed", "http://a.example/a%C2%ADb%E2%80%8Bc%E2%80%AEd"),
    ("http://a.example/\u3000", "http://a.example/%E3%80%80"),
    ("http://a.example/\udce9", "http://a.example/%E9"),
    ("http://a.example/日本/é", "http://a.example/日本/é"),
    ("ftp://me:pass word@bücher.example:21/", "ftp://me:pass%20word@bücher.example:21/"),
]


@pytest.mark.parametrize(("url", "printed"), ENCODED)
def test_encode_escapes_unsafe_characters(url, printed):
    how = {"width": 200, "encode": True}
    assert format_url(url, **how) == f"<URL:{printed}>"
    assert urls_of(format_url(url, **how)) == [printed]


RAW = "http://a.example/b|c{d}e^f`g\\h%zz100%/\u00e9\u65e5'"


@pytest.mark.parametrize("wrapper", ["URL:", "<>"])
@pytest.mark.parametrize("prefix", ["", "> ", "| "])
def test_character_that_reads_back_raw_is_printed_raw(wrapper, prefix):
    url = RAW if wrapper == "URL:" else RAW.replace("|", "")  # in <...>, a label may come after a bar
    for width in range(least_width(url, brackets=wrapper, prefix=prefix), 80):
        assert urls_of(format_url(url, brackets=wrapper, prefix=prefix, width=width)) == [url]
    host = "http://b\u00fccher.example/"
    assert urls_of(format_url(host)) == [host]


@pytest.mark.parametrize("char", [*' \t\n\x00\x7f<>"', "\u3000", "\u200b", "\xad", "\udce9"], ids=ascii)
def test_character_that_does_not_read_back_is_refused(char):
    with pytest.raises(FormatError, match="is not read back unless it is encoded") as caught:
        format_url(f"http://a.example/b{char}c")
    assert caught.value.span == (18, 19)


def test_backslash_that_browsers_read_as_a_slash_or_docutils_drops_is_refused():
    for url, target in (("http://a.example/b\\c", "html"), ("http://a.example/b\\_", "rst")):
        told = rf"cannot be printed for {target}, .* encoded as %5C"
        with pytest.raises(FormatError, match=told) as caught:
            format_url(url, target=target)
        assert caught.value.span == (18, 19)
    assert "b%5Cc" in format_url("http://a.example/b\\c", target="html", encode=True)
    for other in ("http://a.example/?b\\c", "gopher://a.example/b\\c"):
        assert f'href="{other}"' in format_url(other, target="html")
    assert format_url("http://a.example/\\_b", target="rst") == r"`<http://a.example/\\_b>`__"


# The default wrapper of each target, and the others
U = "http://a.example/b"
WRITTEN = [
    ("mail", {"auto": f"<URL:{U}>", "URL:": f"<URL:{U}>", "<>": f"<{U}>", None: U}),
    ("plain", {"auto": f"<URL:{U}>", "URL:": f"<URL:{U}>", "<>": f"<{U}>", None: U}),
    ("markdown", {"auto": f"<{U}>", "URL:": rf"\<URL:<{U}>\>", "<>": f"<{U}>"}),
    ("rst", {"auto": f"`<{U}>`__", "URL:": f"<URL:`<{U}>`__>", "<>": f"`<{U}>`__"}),
    ("man", {
        "auto": ".UR http://\\:a.example/\\:b\n.UE", None: ".UR http://\\:a.example/\\:b\n.UE",
        "URL:": r"\%<URL:http://\:\%a.example/\:\%b>", "<>": r"\%<http://\:\%a.example/\:\%b>",
    }),
]  # fmt: skip


@pytest.mark.parametrize(("target", "row"), WRITTEN)
def test_wrapper_of_each_target(target, row):
    assert {wrapper: format_url(U, target=target, brackets=wrapper) for wrapper in row} == row
    assert format_url(U, target=target) == row["auto"]


@pytest.mark.parametrize("target", ["html", "latex"])
@pytest.mark.parametrize(("wrapper", "opening"), [("auto", None), (None, None), ("URL:", "URL:"), ("<>", "")])
def test_html_and_latex_show_a_wrapper_only_if_asked(target, wrapper, opening):
    printed = format_url(U, target=target, brackets=wrapper)
    less = {"html": "&lt;", "latex": r"\textless{}"}[target]
    assert (less in printed) == (opening is not None)
    assert f"{less}{opening}" in printed or opening is None
    assert U in printed  # the link itself


@pytest.mark.parametrize("end", [*".,;:!?)]}'*_~-=&", "`", "|", "\\", '"', "<", ">", "b).", "/("])
@pytest.mark.parametrize("target", ["html", "latex", "man", "rst", "markdown"])
def test_target_that_delimits_prints_any_last_character(target, end):
    """So do brackets, unless the character ends them."""
    url = f"gopher://a.example/{end}"
    assert format_url(url, target=target)
    if not set(end) & set('"<>'):
        assert urls_of(format_url(url)) == [url]


def test_html_reads_back_every_character_that_can_be_seen():
    for char in map(chr, range(33, 127)):
        url = f"gopher://a.example/b{char}c{char}"
        shown = format_url(url, target="html")
        assert [found.url for found in extract_html(f"<p>See {shown}, or not.</p>")] == [url]


# Any URL with any characters that can be seen
VISIBLE = (*map(chr, range(33, 127)), "é", "日", "&lt;", "&#38;", "](", "``", "\\`", "\\\\")


def parses(url):
    try:
        return parse_url(url)
    except UrlSyntaxError:
        return None


odd_urls = st.builds(
    lambda start, rest: start + "".join(rest),
    st.sampled_from(("http://a.example/", "foo:", "x:", "a-very.long+scheme-that-is-not-registered:")),
    st.lists(st.sampled_from((*VISIBLE, "_", "_")), min_size=1, max_size=20),
).filter(parses)


@examples(150)
@given(odd_urls, st.sampled_from(("auto", "URL:", "<>")))
def test_target_with_links_of_its_own_refuses_no_visible_character(url, wrapper):
    for target in ("latex", "man", "markdown"):
        assert format_in_any_width(url, target=target, brackets=wrapper)
    assume(not url.endswith("\\_"))
    assert format_in_any_width(url, target="rst", brackets=wrapper)
    if "\\" in url and url.startswith("http:"):
        url = url.replace("\\", "")
    assert format_url(url, target="html", brackets=wrapper)


@examples(100)
@given(odd_urls, st.sampled_from((20, 40, 900)), st.sampled_from(("auto", "URL:")))
@example("foo:_", 40, "auto")
@example('foo:"_', 40, "auto")
@example("foo:#_", 40, "auto")
@example("x:a`__<b>_", 20, "URL:")
def test_rst_link_with_any_visible_characters_is_that_link(url, width, wrapper):
    assume(not url.endswith("\\_"))
    how = {"width": width, "brackets": wrapper, "target": "rst"}
    tree = docutils.core.publish_doctree(f"See {format_in_any_width(url, **how)}, or not.")
    assert [link["refuri"] for link in tree.findall(docutils.nodes.reference)] == [url]
    shown = f"<URL:{url}>" if wrapper == "URL:" else url
    assert tree.astext() == f"See {shown}, or not."


@examples(200)
@given(odd_urls, st.sampled_from(("auto", "URL:")))
@example("http://a.example/&lt;", "auto")
def test_markdown_link_with_any_visible_characters_is_that_link(url, wrapper):
    renderer = MarkdownIt("commonmark")
    renderer.validateLink = lambda url: True
    renderer.normalizeLink = renderer.normalizeLinkText = lambda url: url
    tokens = renderer.parseInline(f"See {format_url(url, target='markdown', brackets=wrapper)}, or not.")
    links = [token.attrs["href"] for token in tokens[0].children if token.type == "link_open"]
    assert links == [url]
    shown = f"<URL:{url}>" if wrapper == "URL:" else url
    assert "".join(token.content for token in tokens[0].children) == f"See {shown}, or not."


def test_rst_escapes_its_own_marks_and_breaks_no_escape():
    url = "http://a.example/b`c\\d<e>f"
    assert format_url(url, target="rst") == r"`<http://a.example/b\`c\\d\<e\>f>`__"
    for width in range(20, 44):
        printed = format_url(url, target="rst", width=width)
        assert max(map(len, printed.split("\n"))) <= width
        assert printed.replace("\n", "") == r"`<http://a.example/b\`c\\d\<e\>f>`__"
        assert "\\\n" not in printed


WOULD_DO = r"print it in <URL:\.\.\.>"
REFUSED = [
    ("http://a\udc00b.example/", {}, (8, 9), "not read back"),
    ("http://a.example/\ud800", {"encode": True}, (17, 18), r"U\+D800"),
    ("http://a b.example/", {}, (8, 9), "cannot hold"),
    ("http://a.example/\u3000", {}, (17, 18), "unless it is encoded as %E3%80%80"),
    ("http://a.example/b,", {"brackets": None}, (18, 19), rf'",".*{WOULD_DO}'),
    ("http://a.example/b.", {"brackets": None}, (18, 19), r'"\."'),
    ("http://a.example/b\\c", {"brackets": None}, (18, 19), r'"\\"'),
    ("http://a.example/b)", {"brackets": None}, (18, 19), r'"\)"'),
    # What is reserved may have another meaning if it is encoded (RFC 1738, section 2.2).
    *((f"http://a.example/b{end}", {"brackets": None, "encode": True}, (18, 19), WOULD_DO) for end in "?;:"),
    ("foo:bar", {"brackets": None}, (0, 7), WOULD_DO),
    ("foo:bar", {"brackets": "<>"}, (0, 7), WOULD_DO),
    ("x-tool:y", {"brackets": "<>"}, (0, 8), "not read back"),
    ("foo://x/", {"brackets": None}, (0, 8), "a reader finds no URL"),
    ("foo://@", {}, (0, 7), "not read back"),
    ("http://a.example/" + "b" * 70_000, {}, (65_000, 70_017), "longer than"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "how", "span", "words"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_refused_url_has_the_place_and_the_reason(url, how, span, words):
    with pytest.raises(FormatError, match=words) as caught:
        format_url(url, **how)
    assert caught.value.span == span
    assert isinstance(caught.value, UrlExtractError)
    if words is WOULD_DO:
        assert urls_of(format_url(url)) == [url]


@pytest.mark.parametrize(("end", "encoded"), [
    (".", "%2E"), (",", "%2C"), (").", "%29%2E"), ("!", "%21"), ("(x)", "(x)"), ("-", "-"),
])  # fmt: skip
def test_final_punctuation_of_a_bare_url_is_encoded(end, encoded):
    url = f"http://a.example/etc{end}"
    assert format_url(url, brackets=None, encode=True) == f"http://a.example/etc{encoded}"
    assert format_url(url) == f"<URL:{url}>"


@pytest.mark.parametrize(("option", "value", "allowed"), [
    ("target", "pdf", "'markdown'"), ("brackets", "[]", "'auto', 'URL:', '<>', None"),
    ("brackets", "none", "None"), ("indent", "\t", "blanks"), ("indent", ">", "blanks"),
    ("prefix", "a\nb", "printable"), ("width", 0, "1"),
])  # fmt: skip
def test_unknown_value_names_its_option_and_what_is_allowed(option, value, allowed):
    with pytest.raises(ValueError, match=option) as caught:
        format_url("http://a.example/", **{option: value})
    assert repr(value) in str(caught.value)
    assert allowed in str(caught.value)


def test_public_types_name_all_values():
    assert set(get_args(Target)) == set(TARGETS)
    assert set(get_args(Wrapper)) == {"auto", "URL:", "<>", None}
    for target in get_args(Target):
        for wrapper in TARGETS[target].brackets:
            assert "a.example" in format_url("http://a.example/", target=target, brackets=wrapper)


UNUSED = [
    *product(("markdown", "html", "latex", "man"), ("width", "prefix", "indent")),
    ("rst", "indent"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "name"), UNUSED)
def test_argument_that_changes_nothing_is_refused(target, name):
    """Where another program fills the lines, no width can be promised."""
    with pytest.raises(ValueError, match=f"^{name}: changes nothing for the target {target}$"):
        format_url(U, target=target, **{name: {"width": 10, "prefix": "> ", "indent": " "}[name]})


def test_brackets_that_a_target_cannot_be_without_and_an_indent_without_brackets_are_refused():
    for target in ("rst", "markdown"):
        with pytest.raises(ValueError, match=r"^brackets: none "):
            format_url(U, target=target, brackets=None)
    with pytest.raises(ValueError, match=r"^indent: changes nothing without brackets"):
        format_url(U, brackets=None, indent="  ")


def test_url_is_parsed_or_a_text_that_is_one():
    assert format_url(parse_url("http://a.example/")) == "<URL:http://a.example/>"
    with pytest.raises(UrlSyntaxError):
        format_url("no scheme")


def test_too_narrow_width_names_the_least_width():
    url = "http://www.example.org/a"
    with pytest.raises(WidthError, match="12, not 11") as caught:
        format_url(url, width=11)
    assert (caught.value.least, caught.value.span) == (12, (0, 7))
    assert pickle.loads(pickle.dumps(caught.value)).least == 12
    assert urls_of(format_url(url, width=12)) == [url]


def test_least_width_of_a_piece_that_is_wider_than_any_line_is_wide_enough():
    url = f"http://a.example/{'-' * 1_000}"
    least = least_width(url)
    assert urls_of(format_url(url, width=least)) == [url]
    for width in (72, least - 1):
        with pytest.raises(WidthError):
            format_url(url, width=width)


# Laws, for generated URLs of every scheme


@st.composite
def layouts(draw):
    url = draw(printed_urls)
    how = {
        "prefix": draw(st.sampled_from(PREFIXES)),
        "target": draw(st.sampled_from(("mail", "plain"))),
        "brackets": draw(st.sampled_from(("URL:", "URL:", "<>"))),
        "indent": draw(st.sampled_from((" ", " ", "  ", "    "))),
        "encode": draw(st.booleans()),
    }
    try:
        least = least_width(url, **how)
    except FormatError:
        assume(False)
    return url, {**how, "width": least + draw(st.sampled_from((*range(12), 20, 40, 60, 80)))}


@examples(400)
@given(layouts(), st.sampled_from(GLUED))
@example(("http://a.example/b-c", {"prefix": "", "width": 24, "indent": " "}), ("- ", ""))
@example(("http://a.example/abc//|//*", {"prefix": "", "width": 12, "indent": " "}), ("* ", ";"))
@example(("http://a.example/-----", {"prefix": "", "width": 8, "indent": " ", "brackets": "<>"}), ("", ""))
@example(
    ("http://a.example/?|mailto:abc", {"prefix": "", "width": 16, "indent": " ", "brackets": "<>"}), ("", "")
)
@example(("mailto:joe@a.example", {"prefix": ":> ", "width": 11, "indent": " ", "brackets": "<>"}), ("", ""))
def test_every_printed_url_reads_back_as_itself(layout, glued):
    url, how = layout
    printed = format_url(url, **how)
    lines, prefix, width = printed.split("\n"), how["prefix"], how["width"]
    [given_back] = urls_of(format_url(url, **{**how, "width": 900}))
    # 1: read back, between other text too; 3: after its prefix
    text = f"{prefix}{glued[0]}{printed.removeprefix(prefix)}{glued[1]}\n"
    assert urls_of(printed) == urls_of(text) == [given_back]
    assert given_back == url or how.get("encode")
    assert all(line.startswith(prefix) for line in lines)
    # 2: no hyphen at a line's end, none added; 5: no trailing space, no tab
    assert not any(line.endswith("-") or line != line.rstrip() or "\t" in line for line in lines)
    joined = "".join(line.removeprefix(prefix).strip() for line in lines)
    assert joined.removeprefix("<").removeprefix("URL:").removesuffix(">") == given_back
    # the width
    assert all(wcswidth(line) <= width for line in lines)
    # 4: printing again changes nothing; one more level of quoting only moves it
    assert format_url(given_back, **how) == printed
    deeper = {**how, "prefix": "> " + prefix, "width": width + 2}
    assert format_url(given_back, **deeper) == "\n".join("> " + line for line in lines)
    assert urls_of("\n".join(f"> {line}" for line in lines)) == [given_back]
    # 6: continuation lines are indented
    assert all(line.removeprefix(prefix).startswith(how["indent"]) for line in lines[1:])
    # 7: the first line holds the whole host, or ends after "://"
    value = parse_url(given_back)
    shown = lines[0].removeprefix(prefix).removeprefix("<").removeprefix("URL:").removesuffix(">")
    if value.host:
        assert shown.endswith("://") or len(shown) >= span_of(value, "path").start


@examples(200)
@given(layouts())
def test_every_break_is_at_a_break_point(layout):
    url, how = layout
    lines = format_url(url, **how).split("\n")
    pieces = [line.removeprefix(how["prefix"]).strip() for line in lines]
    pieces[0] = pieces[0].removeprefix("<").removeprefix("URL:")
    costs = break_points(url, target=how["target"], encode=how["encode"])
    ends = []
    for piece in pieces[:-1]:
        ends.append((ends[-1] if ends else 0) + len(piece))
    assert all(end in costs for end in ends)
    # a break is forced only in what fits on no line of its own, or not on the first one
    room = how["width"] - wcswidth(how["prefix"] + how["indent"])
    text = "".join(pieces).removesuffix(">")
    safe = sorted([0, *(at for at, cost in costs.items() if cost < FORCED), len(text)])
    for end in ends:
        if costs[end] == FORCED:
            low, high = next(pair for pair in pairwise(safe) if pair[0] < end < pair[1])
            assert wcswidth(text[low:high]) + (high == len(text)) > room or not low


@pytest.mark.parametrize("url", [text for text, _ in CASES])
def test_every_example_url_reads_back_at_every_width(url):
    value = parse_url(url)
    encode = " " in url or "<" in url
    [given_back] = urls_of(format_url(value, width=500, encode=encode))
    assert encode or given_back == url
    for prefix in PREFIXES:
        least = least_width(url, prefix=prefix, encode=encode)
        for width in (least, least + 1, least + 3, least + 11, 72):
            if width >= least:
                assert urls_of(format_url(url, width=width, prefix=prefix, encode=encode)) == [given_back]


@pytest.mark.parametrize(("width", "lines"), [
    # the last third has one place of cost 0, after "tables/"
    (40, ["<URL:http://www.example.org/tables/", " harbour/winter.html?year=1996&month=11>"]),
    # the last of equals
    (50, ["<URL:http://www.example.org/tables/harbour/", " winter.html?year=1996&month=11>"]),
    (64, ["<URL:http://www.example.org/tables/harbour/winter.html", " ?year=1996&month=11>"]),
    (29, ["<URL:http://www.example.org/", " tables/harbour/winter.html", " ?year=1996&month=11>"]),
    # the host does not fit behind "<URL:http://"
    (24, ["<URL:http://", " www.example.org/tables/", " harbour/winter.html", " ?year=1996&month=11>"]),
    # it fits on no line, and is cut as late as possible; a place before a dot costs 2, but is a late one
    (15, ["<URL:http://", " www.example.or", " g/tables/", " harbour/winter", " .html?year=",
          " 1996&month=11>"]),
])  # fmt: skip
def test_line_ends_at_the_cheapest_place_of_its_last_third(width, lines):
    url = "http://www.example.org/tables/harbour/winter.html?year=1996&month=11"
    assert format_url(url, width=width).split("\n") == lines


LONG = [
    *(("http://a.example/", unit, "") for unit in (
        "word/and-more.of?it&", "a", "-", "a.b", "%C3%A9", "http://", "日本e\u0301", "=",
    )),
    ("http://", "a.", "example/"), ("http://", "a", "/"),  # many labels, a long one
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("before", "unit", "after"), LONG)
def test_formatting_time_is_proportional_to_the_length(before, unit, after):
    assert growth(format_in_any_width, times(unit, before, after), 8_000, 32_000) < LINEAR


@pytest.mark.parametrize(("prefix", "indent", "width"), [
    ("> > ", "", 20), ("\u65e5) ", " ", 24), ("1. ", " ", 24), ("[x] ", " ", 24), ("!! ", " ", 24),
])  # fmt: skip
def test_prefix_that_no_reader_joins_is_refused(prefix, indent, width):
    url = "http://example.org/" + "%E3%81%82" * 80
    with pytest.raises(FormatError, match="prefix or indent"):
        format_url(url, prefix=prefix, indent=indent, width=width)
    assert format_url(url, prefix=prefix, indent=indent, width=900).startswith(prefix + "<URL:http:")


def test_unregistered_scheme_is_refused_in_plain_brackets():
    """A reader takes such text in brackets for something else; in reST it is a link."""
    assert format_url("foo:bar") == "<URL:foo:bar>"
    with pytest.raises(FormatError, match="no scheme that stands in brackets"):
        format_url("foo:bar", brackets="<>")
    assert format_url("foo:bar", target="rst") == "`<foo:bar>`__"


@pytest.mark.parametrize("prefix", ["x-", "a", "http://b.example/"])
def test_bare_url_after_a_glued_prefix_is_refused(prefix):
    with pytest.raises(FormatError, match="prefix or indent"):
        format_url("http://a.example/", prefix=prefix, brackets=None)
    assert format_url("http://a.example/", prefix="> ", brackets=None) == "> http://a.example/"
