"""``urlextract pick``: links of a message, chosen on a terminal, then opened, copied or printed."""

from __future__ import annotations

import io
import os
import signal
import sys
from base64 import b64decode
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from commands import outcome
from costs import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st
from realtools import LIMIT, README, ROOT, wait_until, write_script
from sampled import mostly_slow
from terminals import OnTerminal
from wcwidth import wcwidth

from urlextract import parse_url
from urlextract.grammar.cells import cells_of
from urlextract.output.escaping import encoded, plain
from urlextract.picking import choices as choices_module
from urlextract.picking.asking import numbers_of
from urlextract.picking.choices import links_of
from urlextract.picking.copying import LARGEST
from urlextract.picking.opening import OPENED, Opener, openers, refusal
from urlextract.picking.rows import Table, cut, details_of, lie_of
from urlextract.schemes.url import warnings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BOTH = b"""\
From: Ada <ada@cs.example.edu>
Subject: the tables http://subject.example/
List-Unsubscribe: <http://lists.example.org/leave>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="=="

--==
Content-Type: text/plain

Hello,
> the tables are at
> HTTP://www.example.org:80/%74ables and on
ftp://ftp.example.org/pub
--==
Content-Type: text/html; charset=utf-8

<p>Hello, <a href="http://www.example.org/tables">the <b>tables</b></a>
<img src="http://img.example.org/pixel"> <form action="http://form.example.org/go"><input></form>
<a href="http://www.example.org/north">the north</a>
</p>
--==--
"""
LIES = b"""\
Content-Type: text/html; charset=utf-8

<a href="http://login.evil.example/x">www.mybank.example</a>
<a href="http://www.mybank.example@user.example/">click</a>
<a href="https://xn--pypal-4ve.example/">pay</a>
<a href="http://www.example.org/">http://example.org</a>
"""


def texts_of(data: bytes, **options: bool) -> list[tuple[str, str]]:
    return [(choice.words, choice.url) for choice in links_of(data, **options).choices]


def rows_of(data: bytes, width: int) -> list[str]:
    choices = links_of(data).choices
    table = Table(choices, width)
    return [table.row(at) for at in range(len(choices))]


# --- the links of a message -----------------------------------------------------------------------


def test_each_link_is_there_once_with_its_words_in_the_order_of_the_message():
    assert texts_of(BOTH) == [
        ("the tables", "http://www.example.org/tables"), ("(form)", "http://form.example.org/go"),
        ("the north", "http://www.example.org/north"), ("", "ftp://ftp.example.org/pub"),
    ]  # fmt: skip


def test_links_of_header_fields_are_left_out_and_counted_or_come_last_if_asked_for():
    links = links_of(BOTH)
    assert (links.in_headers, any(choice.found.header for choice in links.choices)) == (2, False)
    last = [url for _, url in texts_of(BOTH, headers=True)][-2:]
    assert last == ["http://subject.example/", "http://lists.example.org/leave"]


def test_header_link_that_the_body_has_is_a_link_of_the_body():
    message = b"X-URL: http://a.example/\nSubject: x\n\nsee http://b.example/ and http://a.example/\n"
    assert [url for _, url in texts_of(message, headers=True)] == ["http://b.example/", "http://a.example/"]
    assert links_of(message).in_headers == 0


A, B, C, D = (f"http://{name}.example/" for name in "abcd")
IN_HTML = "<!doctype html><meta charset=utf-8>"
WORDY = b"<!doctype html><a href=http://www.example.org/tables>%s</a>" % (b"word " * 30)
SAFE = "https://eur01.safelinks.protection.outlook.com/?url="
WORDS = {
    "those before it": (
        f"Look at the\nnorthern tables: <URL:{A}\nnorth>\n\nor\n\n  {B} (s)\n",
        [("northern tables:", f"{A}north"), ("s", B)],
    ),
    "not back to the link before": (
        f"It is at <{A}\nx>, or was it {B}?  {C} - the south\n",
        [("It is at", f"{A}x"), ("or was it", B), ("the south", C)],
    ),
    "at the start of a text, those after it": (f"<{A}> the tables\nmore\n", [("the tables", A)]),
    "another link is none": (f"{A} mailto:a@b.example", [("", A), ("", "mailto:a@b.example")]),
    "marks alone are none": (
        f"Ada\n-- \n{A}\n\n\u8868\u306f\uff08{B}\uff09\u3001\n", [("", A), ("\u8868\u306f", B)],
    ),
    "those that refer to a footnote": (
        (
            "Subject: x\n\nThe tables of this year [1] are better than\nthose of the last one[2]; nobody "
            f"knows why.\nSee also\n[10] for the north.\n\nAda\n\n[1] {A}\n[2]: <{B}>\n> [10] {C}\n[4] {D}\n"
        ),
        [("The tables of this year", A), ("those of the last one", B), ("", C), ("", D)],
    ),
    "a text is better than those of an image": (
        (
            f"{IN_HTML}<a href={A}><img src=http://b.example/x alt=Logo></a><a href={A}> </a>"
            f" <a href={A}>The harbour is open</a><a href={C}><img src=http://b.example/y alt=Harbour></a>"
        ),
        [("The harbour is open", A), ("Harbour", C)],
    ),
    "an image has none of another link": (
        f"<html><p><a href={A}><img src=h.jpg></a> <a href={B}>Leave</a></p>", [("(image)", A), ("Leave", B)],
    ),
    "not what nobody sees": (f"{IN_HTML}seen <a href={A}>\u200b\xad \u200c\ufeff</a>", [("", A)]),
    "an empty link is no image": (
        f"{IN_HTML}<a href={A}></a><a href={B}><svg></svg></a><a href={C}><b> </b></a>",
        [("", A), ("(image)", B), ("", C)],
    ),
    "a slash after a host is no difference": (
        f"http://a.example HTTP://A.EXAMPLE:80/ {A}%7e {A}~\n", [("", "http://a.example"), ("", f"{A}%7e")],
    ),
}  # fmt: skip


OF_LINES = [
    ("Today:\n{A} - first story\n{B} - second one\n{C} - third\n", ["first story", "second one", "third"]),
    ("Top stories:\n{A} First story\n{B} Second one\n", ["First story", "Second one"]),
    ("[Facebook]<{A}> [Twitter]<{B}>\n[Mail]<{C}>\n", ["Facebook", "Twitter", "Mail"]),
    ("* First item\n  {A}\n* Second item\n  {B}\n", ["First item", "Second item"]),
    # a title below its link: another such pair shows whose it is
    ("{A}\nThe first\n\n{B}\nThe second\n\n{C}\nThe third\n", ["The first", "The second", "The third"]),
    ("> News:\n>\n> {A}\n> One\n>\n> {B}\n> Two\n", ["One", "Two"]),
    ("It is\n\n{A}\nRegards,\n\nAda\n", [""]),
    ("The first\n{A}\n\nThe second\n{B}\n", ["The first", "The second"]),
    # what stands between two links may belong to either
    ("The first\n{A}\nThe second\n{B}\n", ["The first", ""]), ("{A}\nFirst\n{B}\nSecond\n", ["", ""]),
    ("> The news:\n> {A}\n>\n> {B}\n", ["The news:", ""]),
    # nothing over the end of a sentence, a semicolon, a blank line, or what another link stands in
    ("It is done. {A}\n", [""]), ("It is done.\n{A}\n", [""]), ("It is: {A}\n{B}\n", ["It is:", ""]),
    ("One thing; {A}\n", [""]), ("You find it here:\n\n    {A}\n", [""]),
    ("It is on. See e.g. {A}\n", ["See e.g."]),
    ("{A}\n{B}\n{C}\nthe last\n", ["", "", ""]), ("See {A} for x, and {B}, too.\n", ["See", ""]),
    ("One ({A}) is nice, Two ({B}) too.\n", ["One", "Two"]),
    ("More [1] | Less[2] is\nthere.\n\n[1] {A}\n[2] {B}\n", ["More", "Less"]),
    ("It is [1].\n\n[1] {A}\n\nOthers are [1].\n\n[1] {B}\n", ["It is", "Others are"]),
    ('[d]: {A} "One"\n| 1 | {B} | Two |\n', ["One", "Two"]),
    # the lines of lists and tables
    ("* {A} - the tables\n* {B} - the harbour (part 2)\n", ["the tables", "the harbour (part 2)"]),
    ("* The tables: {A}\n* Harbour | News \u2013 {B}\n", ["The tables:", "Harbour | News"]),
    # below a link alone in its item, a line of the same item, but none that may lead to another link
    ("1. {A}\n   The harbour\n2. {B}\n The north. Old\n", ["The harbour", "The north"]),
    ("> * {A}\n>   The harbour\n> * {B}\n> The end\n", ["The harbour", ""]),
    ("- {A}\n\n  The harbour\n- {B}\n  and\n  {C}\n", ["", "", ""]),
    ("* {A}\n  - {B}\n    The part\n", ["", "The part"]),
    ("1. {A}\n2) {B} Harbour\n3: {C}\n[4]: {D}\n", ["", "Harbour", "", ""]),
    ("| Docs | {A} | all |\n| Code | {B} | none |\n", ["Docs", "Code"]),
    ("{A}\tall\nCode\t{B}\tx\n", ["all", "Code"]),
    ("{A} (the tables), {B} (the north)\n", ["the tables", "the north"]),
    ("One ({A}) | Two ({B}) | Three: {C} | Four <{D}>\n", ["One", "Two", "Three:", "Four"]),
    # running text
    ("See the tables at\n{A}x for details.\n", ["See the tables at"]),
    ("{A} is the page. More\n", ["is the page"]),
    ("The tables ({A}) and the harbour ({B}).\n", ["The tables", "and the harbour"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), OF_LINES)
def test_words_are_those_of_the_own_line_or_the_one_that_leads_to_it(text, words):
    data = f"Subject: x\n\n{text.format(A=A, B=B, C=C, D=D)}".encode()
    assert [found for found, _ in texts_of(data)] == words


def test_words_of_a_link_of_a_field_are_the_name_of_that():
    fields = (
        b"List-Unsubscribe: <http://a.example/u>",
        b"List-Help: <mailto:a@b.example>",
        b"X-Page: news:a.b",
    )
    head = b"\n".join((b"Subject: x", *fields, b"", b""))
    assert [words for words, _ in texts_of(head, headers=True)] == ["Unsubscribe", "Help", "X-Page"]


@pytest.mark.parametrize("rule", WORDS)
def test_words_of_a_link(rule):
    data, expected = WORDS[rule]
    assert texts_of(data.encode()) == expected


def test_links_are_in_the_order_of_the_html_then_come_those_of_the_text_alone():
    html = b"".join(b"<a href=http://%s.example/>%s</a> " % (name, name) for name in (b"a", b"b", b"c"))

    def hosts(*of_text: str) -> list[str]:
        urls = " ".join(f"http://{name}.example/" for name in of_text).encode()
        head = b"Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n"
        both = head + urls + b"\n--b\nContent-Type: text/html\n\n" + html + b"\n--b--\n"
        return [url.removeprefix("http://").removesuffix(".example/") for _, url in texts_of(both)]

    assert hosts("c", "only", "a") == ["a", "b", "c", "only"]
    assert hosts("other", "only", "a") == ["a", "b", "c", "other", "only"]


def test_any_source_is_read(tmp_path):
    (tmp_path / "one").write_bytes(b"see http://a.example/\n")
    (tmp_path / "two").write_bytes(b"see http://b.example/ and http://a.example/\n")
    choices = links_of(tmp_path / "one", tmp_path / "two").choices
    assert [choice.url for choice in choices] == [A, B]
    (tmp_path / "in").mkdir()
    message = b"From a@b Mon Nov 14 09:12:44 1994\nSubject: x\n\nhttp://a.example/\n\n"
    (tmp_path / "in" / "box").write_bytes(message * 2)
    assert texts_of(str(tmp_path / "in")) == [("", A)]
    assert links_of(io.BytesIO(b"see http://b.example/")).choices[0].words == "see"


@pytest.mark.parametrize(("text", "words"), [
    ("See [the log](http://a.example/) now", "the log"),
    ("See [the long\nlog](<http://a.example/>) now", "the long log"),
    ("![a chart](http://a.example/)", "a chart"),
    ("See `http://a.example/`", "See"),
    ('See <A HREF="http://a.example/">the <B>log</B></A> now', "the log"),
    ("See <a class=x href=http://a.example/ >the log</a> now", "the log"),
    ("See [1] (http://a.example/)", "See [1]"),
    ("See a [b (http://a.example/)", "See a [b"),
])  # fmt: skip
def test_words_of_a_link_that_the_text_itself_marks(text, words):
    assert texts_of(f"Subject: x\n\n{text}\n".encode()) == [(words, "http://a.example/")]


def test_link_that_a_gateway_rewrote_for_each_reply_is_there_once():
    gateway = f"{SAFE}https%3A%2F%2Fa.example%2Fx&data="
    thread = f"Subject: x\n\nsee {gateway}1&x=0\n> see {gateway}2&x=0\n> > https://a.example/x\n"
    [choice] = links_of(thread.encode()).choices
    assert (choice.url, choice.target) == (f"{gateway}1&x=0", "https://a.example/x")


LYING = {
    "shows www.mybank.example, leads to login.evil.example":
        "<a href='http://login.evil.example/x'>www.mybank.example</a>",
    "a user name that looks like a host": "<a href='http://www.mybank.example@user.example/'>click</a>",
    "letters of several scripts: Cyrillic, Latin": "<a href='https://xn--pypal-4ve.example/'>pay</a>",
    "": "<a href='http://www.example.org/'>http://example.org</a>",
    # in one place only
    "shows www.bank.example, leads to a.example":
        "<a href=http://a.example/>here</a> <a href=http://a.example/>www.bank.example</a>",
    "shows bank.example, leads to a script": "<a href='javascript:x()'>http://www.bank.example/</a>",
}  # fmt: skip


@pytest.mark.parametrize("lie", LYING)
def test_link_that_deceives_is_told(lie):
    [choice] = links_of(f"<!doctype html>{LYING[lie]}".encode()).choices
    assert choice.lie == lie


def test_text_of_a_link_in_markdown_that_shows_another_domain_deceives():
    [_, choice] = links_of(b"Subject: x\n\nsee [http://www.bank.example/](http://a.example/)\n").choices
    assert choice.lie == "shows http://www.bank.example/, leads to a.example"


@pytest.mark.parametrize("url", [
    "http://a.example/", "https://www.example.co.uk/x?y=@z", "http://0x7f000001/", "http://2130706433/",
    "http://a.example:81/", "http://u:p@a.example/", "http://xn--pypal-4ve.example/", "http://a\u0430.example/",
    "http://bank.example@evil.example/", "http://%65vil.example/", "http://1.2.3.4/", "ftp://a.example/x",
    "http://a.example\\@b.example/", "http://a.example/\x07", "http://a.example/x y", "http://localhost/",
    "http://a..example/", "http://-a.example/",
])  # fmt: skip
def test_short_cut_for_plain_hosts_leaves_out_no_warning(url):
    expected = tuple(dict.fromkeys(warning.message for warning in parse_url(url).warnings))
    assert tuple(warning.message for warning in warnings_of(url)) == expected


def test_places_in_html_have_the_text_around_them():
    page = b"<!doctype html><p>before &lt;it&gt; <a href=http://a.example/><b>here</b></a>, and after"
    [choice] = links_of(page).choices
    assert details_of(choice)[-1] == "  | before <it> here, and after"


def test_list_is_bounded(monkeypatch):
    monkeypatch.setattr(choices_module, "MOST", 10)
    text = b"".join(b"http://a.example/%d\n" % at for at in range(20))
    for data in (text, b"Subject: x\n\n" + text, b"<!doctype html>" + text):
        links = links_of(data)
        assert (len(links.choices), links.is_cut) == (10, True)


@pytest.mark.parametrize("unit", mostly_slow([
    b"http://a.example/%d ", b"<a href=http://a.example/%d>x</a>", b"http://a.example/%d&lt; ",
    b"<a href=%d>", b"www.a.example/%d www.bank.example ", b"<a href=http://a.example/%d>www.bank%d.example</a>",
]))  # fmt: skip
def test_time_is_in_proportion_to_the_text(unit):
    def text(size: int) -> bytes:
        many = (unit.replace(b"%d", b"%d" % at) for at in range(size // len(unit)))
        return b"Content-Type: text/html\n\n<p>" + b"".join(many)

    assert growth(links_of, text, 20_000, 160_000) < LINEAR


def test_url_that_is_the_text_of_the_link_after_it_is_no_link_of_its_own():
    text = b"Subject: x\n\nSee www.a.example/x <https://www.a.example/x> and www.b.example <https://c.example/>\n"
    (words, first), *rest = texts_of(text)
    assert (words, first) == ("See", "https://www.a.example/x")
    assert [url for _, url in rest] == ["http://www.b.example", "https://c.example/"]


# --- lines ----------------------------------------------------------------------------------------


ROWS = [
    (BOTH, 80, [
        "1   the tables \u00b7 www.example.org/tables", "2   (form)     \u00b7 form.example.org/go",
        "3   the north  \u00b7 www.example.org/north", "4              \u00b7 ftp://ftp.example.org/pub",
    ]),
    # Words are cut before the host, and of a long host the end is kept.
    (WORDY, 40, ["1   word word \u2026 \u00b7 www.example.org/tables"]),
    (WORDY, 20, ["1   www.example.org\u2026"]),
    # and of what follows the host, too
    (b"<http://www.example.org/a/long/way/to/north-1996> <http://www.example.org/a/long/way/to/south-96>", 40,
     ["1   www.example.org/\u2026g/way/to/north-1996", "2   www.example.org/\u2026ong/way/to/south-96"]),
    (WORDY, 16, ["1   \u2026example.org"]),
    (b"<!doctype html><a href=http://www.bank.example.login.evil.example/x>x</a>", 30,
     ["1   \u2026xample.login.evil.example"]),
    (b"Dear all, the tables of this year are to be found at http://www.example.org/\n", 46,
     ["1   Dear all, the t\u2026 \u00b7 www.example.org"]),
    # Few marks on a letter
    (f"{IN_HTML}<a href=http://a.example/>e{chr(0x301) * 100}\u00e9a\u0308</a>".encode(), 60,
     ["1   e\u0301\u0301\u0301\u00e9a\u0308 \u00b7 a.example"]),
    # Letters of other scripts, unless they deceive
    (f"{IN_HTML}<a href=http://b\u00fccher.example/x>b</a> <a href=http://p\u0430ypal.example/>p</a>".encode(),
     60, ["1   b \u00b7 b\u00fccher.example/x", "2 ! p \u00b7 xn--pypal-4ve.example"]),
    # A host after what looks like one, the target of a gateway
    (b"<!doctype html><a href=http://www.mybank.example@user.example/>click</a>", 60,
     ["1 ! click \u00b7 user.example"]),
    (f"see {SAFE}http%3A%2F%2Fwww.example.org%2Fx&data=".encode(), 60, ["1   see \u00b7 www.example.org/x"]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "width", "rows"), ROWS)
def test_row_has_words_then_host_and_path(data, width, rows):
    assert rows_of(data, width) == rows


@given(
    st.text(st.characters(codec="utf-8"), max_size=60), st.text("abc/日é%", max_size=40), st.integers(20, 120)
)
def test_row_fits_and_has_the_host_and_nothing_that_acts(words, path, width):
    escaped = words.replace("&", "&amp;").replace("<", "&lt;")
    page = f"<!doctype html><meta charset=utf-8><a href='http://a.example/{path}'>{escaped}</a>".encode()
    [row] = rows_of(page, width)
    assert cells_of(row) <= width
    assert "a.example" in row
    assert row.isprintable() or not set(row) & {*map(chr, range(32)), "\u202e", "\u2028", "\x9b"}


def test_row_of_any_width_has_all_words_and_the_url_to_search_in():
    words, path = "the long words of a link, which " * 4 + "end", "x" * 100
    [choice] = links_of(f"{IN_HTML}<a href={A}{path}/end>{words}</a>".encode()).choices
    row = Table([choice], 80).row_of_any_width(0)
    assert words in row
    assert f"{A}{path}/end" in row


@given(st.lists(st.text("ab/?#=日é", max_size=40), min_size=2, max_size=12), st.integers(40, 120))
def test_rows_of_any_width_differ_and_have_the_host_and_the_ends_at_40_columns(paths, width):
    links = "".join(f"<a href='http://www.example.org/{path}'>the tables</a>" for path in paths)
    choices = links_of(f"{IN_HTML}{links}".encode()).choices
    table = Table(choices, width - 4)
    seen = [cut(table.row_of_any_width(at), 40 - 3) for at in range(len(choices))]
    assert len({*seen}) == len(seen)
    for choice, row in zip(choices, seen, strict=True):
        _, end = choice.target.split("www.example.org/")
        assert "www.example.org" in row
        assert end[-1:] in row
        assert not end.partition("?")[0] or end.partition("?")[0].partition("#")[0][-1:] in row


def test_words_cannot_pass_for_a_target_or_another_entry():
    page = (
        "<!doctype html><meta charset=utf-8><a href=http://evil.example/>Log in \u00b7 www.bank.example/x\n"
        "2   real \u00b7 http://real.example\u2028\u202e\x1b[2J</a><a href=http://b.example/>b</a>"
    ).encode()
    first, second = rows_of(page, 200)
    assert first.startswith(r"1   Log in - www.bank.example/x 2 real - http://real.example \u202e\x1b[2J ")
    assert first.split(" \u00b7 ")[1:] == ["evil.example"]
    assert first.index("\u00b7") == second.index("\u00b7")


def test_gateways_link_shows_its_target_and_is_opened_itself():
    wrapped = f"{SAFE}http%3A%2F%2Fwww.example.org%2Fx&data=05"
    [choice] = links_of(f"see {wrapped}".encode()).choices
    assert (choice.url, choice.target) == (wrapped, "http://www.example.org/x")
    assert details_of(choice)[1] == "leads to http://www.example.org/x (SafeLinks)"
    page = f"{IN_HTML}<a href='{wrapped.replace('&', '&amp;')}'>example.org/x</a>"
    assert [choice.lie for choice in links_of(page.encode()).choices] == [""]


@pytest.mark.parametrize("wrapped", [
    "http://evil.example/fmlurlsvc/?fewReq=x&url=http%3A%2F%2Fwww.bank.example%2F",
    "http://evil.example/owa/redir.aspx?URL=http%3A%2F%2Fwww.bank.example%2F",
    f"{SAFE}http%3A%2F%2Fevil.example%2Fowa%2Fredir.aspx%3FURL%3Dhttp%253A%252F%252Fwww.bank.example%252F&data=05",
])  # fmt: skip
def test_stranger_cannot_make_a_gateway_of_his_own(wrapped):
    page = f"<!doctype html><a href='{wrapped.replace('&', '&amp;')}'>www.bank.example</a>"
    [choice] = links_of(page.encode()).choices
    assert choice.lie == "shows www.bank.example, leads to evil.example"
    assert " \u00b7 evil.example/" in rows_of(page.encode(), 70)[0]


def test_details_have_the_url_in_full_and_its_context():
    first = links_of(BOTH[: BOTH.index(b"--==\nContent-Type: text/html")]).choices[0]
    assert details_of(first) == [
        "HTTP://www.example.org:80/%74ables", "  | Hello,", "  | > the tables are at",
        "  | > HTTP://www.example.org:80/%74ables and on", "  | ftp://ftp.example.org/pub",
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "width", "expected"), [
    ("abc", 3, "abc"), ("abcd", 3, "ab\u2026"), ("\u65e5\u672c\u8a9e", 4, "\u65e5\u2026"), ("abc", 0, ""),
    ("e\u0301e\u0301e\u0301", 2, "e\u0301\u2026"), ("000\u093e0", 4, "000\u2026"),
])  # fmt: skip
def test_cut_counts_cells(text, width, expected):
    assert cut(text, width) == expected


def test_width_that_is_told_without_tables_is_that_of_the_tables():
    characters = [chr(code) for code in range(0xA0, 0x30000) if not 0xD800 <= code < 0xE000]
    assert [char for char in characters if cells_of(char) != max(0, wcwidth(char))] == []


@given(st.text(st.characters(), max_size=80), st.integers(12, 60))
def test_lines_that_tell_a_lie_fit_and_have_all_of_it(text, width):
    [choice, *_] = links_of(LIES).choices
    lines = lie_of(replace(choice, lie=text or "x"), width)
    assert all(cells_of(line) <= max(width, 24) for line in lines)
    assert "".join("".join(lines).split()) == "".join(f"! {plain(text or 'x')}".split())


def test_encoded_url_is_one_word_without_hidden_characters():
    url = "http://a.example/b c\x1b\u202e\u200b\xa0\ud800é日"
    assert encoded(url) == "http://a.example/b%20c%1B%E2%80%AE%E2%80%8B%C2%A0%ED%A0%80é日"
    assert encoded(encoded(url)) == encoded(url)


# --- what is typed --------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "numbers"), [
    ("3", [3]), ("1,4-6", [1, 4, 5, 6]), ("1 3", [1, 3]), ("2 - 4, 3", [2, 3, 4]), ("6-4", [6, 5, 4]),
])  # fmt: skip
def test_typed_numbers_are_understood(line, numbers):
    assert numbers_of(line, 9) == numbers


@pytest.mark.parametrize(
    "line", ["0", "10", "4-11", "1-", "-1", "1-2-3", "999999999999", "\u0663", "1-999999"]
)
def test_number_of_no_link_is_refused(line):
    with pytest.raises(ValueError, match=r"^no (link|number)"):
        numbers_of(line, 9)


# --- on a terminal --------------------------------------------------------------------------------


PROMPT, NORTH = "q quits): ", "http://www.example.org/north"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., OnTerminal]]:
    """Start the program on a terminal, until it asks; it ends with the test.

    The stub ``opener`` notes its arguments.
    """
    started: list[OnTerminal] = []
    note = 'printf "%s\\n" "$#" "$@" >> opened; exit ${STATUS:-0}'
    for name in ("opener", "other", "xdg-open"):
        write_script(tmp_path / "bin" / name, f"echo {name} >> openers", note)

    def start_one(*words: str, data: bytes = BOTH, until: str = PROMPT, **how: str) -> OnTerminal:
        environment = {"URLEXTRACT_OPENER": "opener", **how} if "BROWSER" not in how else how
        started.append(OnTerminal(["pick", *words], data, tmp_path, **environment))
        started[-1].wait_for(until)
        return started[-1]

    yield start_one
    for each in started:
        each.close()


def after(session: OnTerminal, typed: str) -> tuple[int, str, str]:
    """Type a line, and end the input; return the exit status, the output and the error messages."""
    session.type(typed)
    with suppress(OSError):  # it has ended
        os.write(session.master, b"\x04")
    return session.end()


def opened(home: Path) -> list[str]:
    file = home / "opened"
    return file.read_text().splitlines() if file.exists() else []


TABLES = "http://www.example.org/tables"
QUIET = (0, "", "")
SESSIONS = [  # the options, what the prompt has, what is typed, the end, and what is opened
    ([], "3   the north", "3", QUIET, [NORTH]),
    ([], "A number opens", "4,1-2", QUIET, ["ftp://ftp.example.org/pub", TABLES, "http://form.example.org/go"]),
    (["--print"], "A number prints", "3,1", (0, f"{NORTH}\n{TABLES}\n", ""), []),
    (["--print"], "A number prints", "q", (1, "", ""), []),
    (["--copy"], "A number copies (1,4-6 several; Enter lists, q quits)", "q", QUIET, []),
    (["--unwrap"], "the north", "3", QUIET, [NORTH]),
]  # fmt: skip


@pytest.mark.parametrize("case", SESSIONS)
def test_line_at_the_prompt_ends_the_session(start, tmp_path, case):
    words, shown, typed, end, urls = case
    session = start(*words)
    assert shown.encode() in session.shown
    assert after(session, typed) == end
    assert opened(tmp_path) == [word for url in urls for word in ("1", url)]
    assert session.modes_now == session.modes


def test_links_can_be_opened_one_after_the_other_and_the_list_shown_again(start, tmp_path):
    session = start()
    session.type("3")
    session.wait_for(PROMPT)
    session.type("")
    session.wait_for("3   the north")
    session.wait_for(PROMPT)
    session.type("y 1")
    session.wait_for(PROMPT)
    assert copied(session.shown) == [TABLES.encode()]
    assert after(session, "4")[0] == 0
    assert opened(tmp_path) == ["1", NORTH, "1", "ftp://ftp.example.org/pub"]


def test_unwrap_hands_on_the_target(start, tmp_path):
    wrapped = f"{SAFE}https%3A%2F%2Fa.example%2Fx&data=05\n"
    assert after(start("--unwrap", data=wrapped.encode()), "1") == QUIET
    assert opened(tmp_path) == ["1", "https://a.example/x"]


def test_odd_input_at_the_prompt_is_told_and_asked_again(start, tmp_path):
    session = start()
    for typed, told in (
        ("7", "no link 7"),
        ("x", "no number: x"),
        ("/north", "no number: /north"),
        ("", ""),
        ("1-2-3", "no number: 1-2-3"),
    ):
        session.type(typed)
        session.wait_for(told)
        session.wait_for(PROMPT)
    assert after(session, "q") == (0, "", "")
    assert not opened(tmp_path)


def test_other_readings_are_rows_that_can_be_opened(start, tmp_path):
    session = start(data=b"See http://a.example/tide-\ntables for it.\nAnd http://b.example/ too.\n")
    assert session.shown.decode().replace("\r\n", "\n").splitlines()[:4] == [
        "1 ? See                \u00b7 a.example/tide-",
        "2 ? with the next line \u00b7 a.example/tide-tables",
        "3 ? other hyphens      \u00b7 a.example/tidetables",
        "4   And                \u00b7 b.example",
    ]
    assert after(session, "2")[0] == 0
    assert opened(tmp_path) == ["1", "http://a.example/tide-tables"]


@pytest.mark.parametrize(("keys", "status"), [(b"\x04", 0), (b"\x03", 130), (b"q\n", 0)])
def test_keys_that_end_it_leave_the_terminal_as_it_was(start, tmp_path, heeded_signals, keys, status):
    session = start()
    session.press(keys)
    assert session.end()[0] == status
    assert session.modes_now == session.modes
    assert not opened(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it(start, heeded_signals, number):
    session = start()
    session.process.send_signal(number)
    assert session.end()[0] == 128 + number
    assert session.modes_now == session.modes


def test_closed_window_ends_it(start, heeded_signals):
    session = start()
    session.hang_up()
    assert session.process.wait(LIMIT) in {1, 129, -1}


def test_rows_are_printed_for_an_editor(tmp_path):
    (tmp_path / "letter").write_bytes(BOTH)
    done = outcome("pick", "--rows", "letter", cwd=tmp_path, start_new_session=True)
    assert done == (0, (
        "1   the tables \u00b7 www.example.org/tables\thttp://www.example.org/tables\t\n"
        "2   (form)     \u00b7 form.example.org/go\thttp://form.example.org/go\t\n"
        "3   the north  \u00b7 www.example.org/north\thttp://www.example.org/north\t\n"
        "4              \u00b7 ftp://ftp.example.org/pub\tftp://ftp.example.org/pub\t\n"
    ), "")  # fmt: skip
    assert outcome("pick", "--rows", data=b"none\n", start_new_session=True) == (1, "", "")
    _, row, _ = outcome(
        "pick", "--rows", data=b"<!doctype html><a href='file:///x'>x</a>", start_new_session=True
    )
    assert row.endswith('\tfile:///x\tURLs of the scheme "file" are not opened\n')


def test_narrow_terminal_has_a_short_prompt_and_short_lines(start, tmp_path):
    session = start(data=LIES, size=(20, 10), until="> ")
    lines = session.shown.decode().replace("\r\n", "\n").split("\n")
    assert max(map(cells_of, lines)) <= 20
    assert "1 ! \u2026ogin.evil.exam" not in lines
    assert lines[0] == "1 ! \u2026n.evil.example"
    assert after(session, "1")[0] == 0
    assert opened(tmp_path) == ["1", "http://login.evil.example/x"]


def test_narrow_terminal_shows_warnings_in_full(start):
    session = start("-y", data=LIES, size=(24, 30), until="number or q: ")
    assert "    ! letters of\r\n      several scripts:\r\n      Cyrillic, Latin\r\n" in session.shown.decode()


def test_each_row_of_the_readme_is_what_the_terminal_shows(start):
    shown = README.partition("$ urlextract pick corpora/letters/newsletter.eml\n")[2].partition("```")[0]
    session = start(str(ROOT / "corpora" / "letters" / "newsletter.eml"))
    assert session.shown.decode().replace("\r\n", "\n").strip() == shown.strip()


def test_nothing_of_a_message_acts_on_the_terminal(start):
    hostile = "<a href='http://a.example/\x1b[2J\x9b'>a\x1b]0;x\x07\u202e\x9b31m\u2028b</a> <p>\x1b[2J http://b.example/"
    head = b"Content-Type: text/html; charset=utf-8\nSubject: x\n\n"
    session = start(data=head + hostile.encode())
    shown = session.shown.decode()
    assert not set(shown) & {"\x1b", "\x07", "\x9b", "\u202e", "\u2028"}
    session.type("q")
    session.end()


def test_echo_that_another_program_left_off_is_there_and_then_off_again(start):
    import termios

    session = start(until="")
    raw = termios.tcgetattr(session.master)
    raw[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(session.master, termios.TCSANOW, raw)
    session.wait_for(PROMPT)
    assert session.modes_now[3] & termios.ECHO
    assert after(session, "q")[0] == 0
    assert session.modes_now[:4] == raw[:4]


# --- opening --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("browser", "words"), [
    ("other", ["1", NORTH]),
    ("missing:other", ["1", NORTH]),
    ("broken:other", ["1", NORTH]),
    ("other --url='%s' -x", ["2", f"--url={NORTH}", "-x"]),
    ("'other' 'a b' %s", ["2", "a b", NORTH]),
    (":other:", ["1", NORTH]),
    ("", ["1", NORTH]),
])  # fmt: skip
def test_browser_is_a_list_of_programs_with_arguments(start, tmp_path, browser, words):
    """One that fails is followed by the next; if none is named, the desktop opens."""
    write_script(tmp_path / "bin" / "broken", "exit 4")
    assert after(start(BROWSER=browser), "3") == QUIET
    assert opened(tmp_path) == words
    assert (tmp_path / "openers").read_text() == ("other\n" if browser else "xdg-open\n")


def test_url_reaches_no_shell(start, tmp_path):
    url = "http://a.example/$(touch${IFS}made);`touch$IFS@made`|'\"&%s"
    page = f'<!doctype html><a href="{url.replace(chr(34), "&quot;")}">x</a>'
    assert after(start(data=page.encode()), "1")[0] == 0
    assert opened(tmp_path) == ["1", url]
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(("opener", "told"), [
    ("missing", "not opened: not installed: missing"),
    ("opener 'x", "not opened: URLEXTRACT_OPENER or BROWSER: No closing quotation"),
    ("&", "not opened: URLEXTRACT_OPENER or BROWSER: no program in '&'"),
    ("sh -c 'echo %s'", "not opened: URLEXTRACT_OPENER or BROWSER: 'echo %s': a shell would read the URL"),
    ("sh -c %s", "not opened: URLEXTRACT_OPENER or BROWSER: '%s': a shell would read the URL"),
    ("tmux new-window", "not opened: URLEXTRACT_OPENER or BROWSER: tmux: a shell would read the URL"),
    ("x --eval=%s", "not opened: URLEXTRACT_OPENER or BROWSER: '--eval=%s': a shell would read the URL"),
    ("bash -lc", "not opened: URLEXTRACT_OPENER or BROWSER: '%s': a shell would read the URL"),
    ("ssh host xdg-open", "not opened: URLEXTRACT_OPENER or BROWSER: ssh: a shell would read the URL"),
    ("sh -c 'exit 3'", "not opened: sh: exit status 3"),
    ("sh -c 'kill -9 $$'", "not opened: sh: ended by signal 9"),
])  # fmt: skip
def test_opener_that_fails_is_told_and_the_url_printed(start, opener, told):
    session = start(URLEXTRACT_OPENER=opener, path=":/bin:/usr/bin", TERM="dumb")
    status, output, errors = after(session, "3")
    assert (status, output) == (2, "http://www.example.org/north\n")
    assert errors.startswith(f"urlextract: {told}")
    assert errors.count("\n") == 1


def test_program_with_windows_is_left_alone_in_the_background(start, tmp_path):
    until_go = "for _ in $(seq 1200); do test -e go && break; sleep 0.05; done"
    lines = "PATH=/bin:/usr/bin", "echo noise", "tty > tty", until_go, "touch ended"
    write_script(tmp_path / "bin" / "gui", *lines)
    session = start(URLEXTRACT_OPENER="gui", DISPLAY=":0")
    assert after(session, "3") == (0, "", "")
    assert not (tmp_path / "ended").exists()
    (tmp_path / "go").touch()
    assert b"noise" not in session.shown
    wait_until((tmp_path / "ended").exists, "the end of the program in the background")
    assert (tmp_path / "tty").read_text() == "not a tty\n"


@pytest.mark.parametrize("display", ["", ":0"])
def test_terminal_browser_has_the_terminal(start, tmp_path, display):
    lines = "PATH=/bin:/usr/bin", "tty > tty", 'echo "page $1"', "read key", 'echo "$key" > key'
    write_script(tmp_path / "bin" / "lynx", *lines)
    session = start(URLEXTRACT_OPENER="lynx", DISPLAY=display)
    session.type("3")
    session.wait_for("page http://www.example.org/north")
    assert after(session, "down") == (0, "", "")
    assert (tmp_path / "key").read_text() == "down\n"
    assert (tmp_path / "tty").read_text().startswith("/dev/")


def test_interrupt_in_a_terminal_browser_is_for_the_browser(start, tmp_path, heeded_signals):
    write_script(tmp_path / "bin" / "w3m", "trap 'echo caught > caught; exit 0' INT", "echo here", "read key")
    session = start(URLEXTRACT_OPENER="w3m")
    session.type("3")
    session.wait_for("here")
    session.press(b"\x03")
    session.wait_for(PROMPT)
    assert after(session, "q")[0] == 0
    assert (tmp_path / "caught").exists()


UNSAFE = [
    "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vbscript:x", "JaVaScRiPt:x", "",
    "man:ls(1)", "telnet://a.example/", "ssh://-oProxyCommand=x/", "ms-msdt:/id", "tel:+1", "-x", "--help",
    "mailto:a@b.example?attach=/etc/passwd", "mailto:a@b.example?subject=x&aTTach%6Dent=x", "x-man-page://x",
]  # fmt: skip
SAFE_ONES = [
    "http://a.example/", "HTTPS://a.example/", "ftp://a.example/x", "gopher://a.example/", "news:comp.text",
    "mailto:a@b.example", "mailto:a@b.example?Subject=x&body=y&cc=c@d.example",
]  # fmt: skip


@pytest.mark.parametrize(("url", "is_safe"), [(url, url in SAFE_ONES) for url in UNSAFE + SAFE_ONES])
def test_only_what_is_safe_is_opened(url, is_safe):
    assert (refusal(url) == "") == is_safe
    assert all(name[0].isalpha() for name in OPENED)  # no URL that is opened is an option


def test_program_of_the_desktop_does_not_get_the_programs_of_browser(start, tmp_path):
    """Of these, xdg-open makes a command of a shell."""
    write_script(tmp_path / "bin" / "xdg-open", 'printf "%s" "${BROWSER-none}" > opened')
    status, output, errors = after(start(BROWSER="eval %s"), "3")
    assert (status, output) == (2, f"{NORTH}\n")
    assert errors.endswith("BROWSER: eval: a shell would read the URL\n")
    assert after(start(BROWSER="missing"), "3")[0] == 0
    assert opened(tmp_path) == ["none"]


def test_refused_link_is_printed(start, tmp_path):
    session = start(data=b"<!doctype html><a href='file:///etc/passwd'>x</a> <a href=http://a.example/>a</a>")
    assert after(session, "1-2") == (
        2, "file:///etc/passwd\n", 'urlextract: not opened: URLs of the scheme "file" are not opened\n'
    )  # fmt: skip
    assert opened(tmp_path) == ["1", "http://a.example/"]


def test_variables_are_tried_in_order(monkeypatch):
    monkeypatch.setenv("BROWSER", "a -x:b %s &")
    monkeypatch.setenv("URLEXTRACT_OPENER", "")
    assert openers()[:2] == [Opener(("a", "-x")), Opener(("b", "%s"), in_background=True)]
    assert openers()[2].words[0] in {"xdg-open", "open"}
    monkeypatch.setenv("URLEXTRACT_OPENER", "c")
    assert openers() == [Opener(("c",))]


# --- copying --------------------------------------------------------------------------------------


def copied(shown: bytes) -> list[bytes]:
    """Return what the terminal is asked to copy."""
    return [b64decode(part.partition(b"\x07")[0]) for part in shown.split(b"\x1b]52;c;")[1:]]


def test_the_terminal_copies(start):
    session = start(SSH_TTY="/dev/pts/9")
    told = "urlextract: copied by the terminal, if it allows that (OSC 52)\n"
    assert after(session, "y 3,4") == (0, "", told)
    assert copied(session.shown) == [f"{NORTH}\nftp://ftp.example.org/pub".encode()]


def test_tmux_gets_the_url(start, tmp_path):
    write_script(tmp_path / "bin" / "tmux", 'echo "$@" > words', "/bin/cat > copied")
    session = start("--copy", TMUX=":0", until="A number copies")
    assert after(session, "3") == (0, "", "urlextract: copied by tmux\n")
    assert (tmp_path / "copied").read_text() == "http://www.example.org/north"
    assert (tmp_path / "words").read_text() == "load-buffer -w -\n"


@pytest.mark.parametrize("terminal", ["dumb", "linux"])
def test_without_any_clipboard_the_url_is_printed(start, terminal):
    told = "urlextract: not copied: there is no clipboard, or it is too small\n"
    assert after(start(TERM=terminal), "y3") == (2, f"{NORTH}\n", told)


def test_too_much_for_a_terminal_is_printed(start):
    url = b"http://a.example/" + b"x" * LARGEST
    session = start("-y", data=b"<!doctype html><a href=%b>x</a>" % url, until="A number copies")
    status, output, _ = after(session, "1")
    assert (status, output.encode()) == (2, url + b"\n")
    assert b"\x1b" not in session.shown


def test_tmux_that_fails_is_followed_by_the_terminal(start, tmp_path):
    write_script(tmp_path / "bin" / "tmux", "exit 1")
    session = start(TMUX="no,1,0", SSH_CONNECTION="x")
    assert after(session, "y3")[0] == 0
    assert copied(session.shown) == [NORTH.encode()] * 2
    assert b"\x1bPtmux;\x1b\x1b]52;c;" in session.shown


# --- bad surroundings -----------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "status", "told"), [
    (b"", 1, "no link"),
    (b"\n\n", 1, "no link"),
    (b"Subject: x\n\nnothing here\n", 1, "no link"),
    (b"X-URL: <http://a.example/>\nTo: x\n\n", 1,
     "no link in the body: --headers shows those of header fields (1)"),
    (BOTH, 2, "no terminal to choose links on; urlextract --links prints all of them"),
])  # fmt: skip
def test_one_line_says_why_there_is_nothing_to_choose(data, status, told):
    assert outcome("pick", data=data, start_new_session=True) == (status, "", f"urlextract: {told}\n")


@pytest.mark.parametrize(("words", "how", "told"), [
    (["missing"], {}, "missing: No such file or directory"),
    ([], {"preexec_fn": lambda: os.close(0)}, "-: standard input is closed"),
], ids=["a missing file", "no standard input"])  # fmt: skip
def test_what_cannot_be_read_is_told_once(words, how, told, tmp_path):
    done = outcome("pick", *words, start_new_session=True, cwd=tmp_path, **how)
    assert done == (2, "", f"urlextract: {told}\n")


def test_what_cannot_be_read_does_not_hide_the_links(start, tmp_path):
    data = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n--b\n"
        b"Content-Type: application/ms-tnef; name=winmail.dat\n\nx\n--b--\n"
    )
    status, _, errors = after(start(data=data), "1")
    assert (status, opened(tmp_path)) == (0, ["1", "http://a.example/"])
    assert "winmail.dat" in errors or "tnef" in errors


def test_host_after_a_long_user_name_is_shown_and_letters_that_nobody_sees_are_encoded():
    page = f"<html><a href='https://bank:{'a' * 966}.www.bank.comb@evil.example/x'>in</a>".encode()
    [row] = rows_of(page, 80)
    assert row.endswith("evil.example/x")
    [choice] = links_of(b"<html><a href='https://www.ba&#x3164;nk.com/'>in</a>").choices
    assert "\u3164" not in choice.url + choice.target
    assert choice.lie


@pytest.mark.parametrize("words", [
    [], ["rewrap"], ["format"], ["parse"], ["pick"], ["index", "x.db"], ["a", "-"], ["a"],
], ids=str)  # fmt: skip
def test_terminal_without_input_is_told_that_it_is_read(words, tmp_path):
    """It is told nothing if files are named."""
    (tmp_path / "a").write_text("http://a.example/\n")
    session = OnTerminal([], b"", tmp_path, program=(sys.executable, "-m", "urlextract", *words))
    try:
        if words == ["a"]:
            session.wait_for("http://a.example/")
            assert session.process.wait(LIMIT) == 0
            assert b"standard input" not in session.shown
        else:
            session.wait_for("urlextract: reads standard input; Ctrl-D ends it")
            session.press(b"\x04")
            assert session.process.wait(LIMIT) in {0, 1, 2}
    finally:
        session.close()
