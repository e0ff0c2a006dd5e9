"""Defanged URLs: ``refang`` and ``defang``, what only looks like them, and what they are without the option."""

from __future__ import annotations

import json
import re

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import example, given
from hypothesis import strategies as st
from library import extract_urls
from remarks import without_contexts, words
from sampled import mostly_slow
from scans import cut
from strategies import examples

from urlextract import (
    Found,
    Rejection,
    defang,
    examine,
    extract,
    extract_html,
    extract_message,
    refang,
)
from urlextract.types import DefectCode, RepairCode


def urls(text, **keywords):
    return [each.url for each in extract(text, refang=True, **keywords)]


# ruff: noqa: E501


@pytest.mark.parametrize(("url", "defanged"), [
    ("https://example.com/x", "hxxps://example[.]com/x"),
    ("http://www.example.com", "hxxp://www[.]example[.]com"),
    ("http://93.184.216.34/a.php?b=c.d#e.f", "hxxp://93[.]184[.]216[.]34/a.php?b=c.d#e.f"),
    ("http://example.com:8080/", "hxxp://example[.]com:8080/"),
    ("http://[2001:db8::1]:8080/x", "hxxp://[2001:db8::1]:8080/x"),
    ("http://[::ffff:192.0.2.1]/", "hxxp://[::ffff:192[.]0[.]2[.]1]/"),
    ("http://joe:pw@example.com/", "hxxp://joe:pw@example[.]com/"),
    ("https://bücher.example/é", "hxxps://bücher[.]example/é"),
    ("https://xn--bcher-kva.example/", "hxxps://xn--bcher-kva[.]example/"),
    ("http://localhost/x", "hxxp://localhost/x"),
    ("ftp://ftp.example.org/pub/a.txt", "fxp://ftp[.]example[.]org/pub/a.txt"),
    ("ftps://example.org/", "fxps://example[.]org/"),
    ("gopher://example.org/1", "gopher[:]//example[.]org/1"),
    ("HTTP://EXAMPLE.COM/", "HTTP[:]//EXAMPLE[.]COM/"),
    ("ssh://git@example.org:22/x", "ssh[:]//git@example[.]org:22/x"),
    ("mailto:ada@example.com", "mailto:ada[@]example[.]com"),
    ("mailto:a.b@example.com?subject=x.y", "mailto:a.b[@]example[.]com?subject=x.y"),
    # What a program would take for a URL in the rest
    ("http://a.example/?to=https://b.example/c", "hxxp://a[.]example/?to=https[:]//b.example/c"),
    ("http://a.example/web/www.b.example", "hxxp://a[.]example/web/www[.]b.example"),
    # What `refang` would take for a mark
    ("http://a.example/[.]b(.)c{.}d[/]", "hxxp://a[.]example/[[.]]b([.])c{[.]}d[[/]]"),
])  # fmt: skip
def test_defang_and_refang_are_inverse_and_both_forms_are_found_alike(url, defanged):
    assert defang(url) == defanged
    assert refang(defanged) == url
    assert (defang(defanged), refang(url)) == (defanged, url)
    for form in ("<{}>", "<URL:{}>", "see {} now"):
        live = [(each.url, each.form) for each in extract(form.format(url))]
        assert [(each.url, each.form) for each in extract(form.format(defanged), refang=True)] == live


@pytest.mark.parametrize(("url", "defanged"), [
    ("http:@a.example/x", "hxxp:[@]a[.]example/x"),  # browsers open it
    ("tel:+1.2", "tel[:]+1.2"),
    ("news:comp.lang.c", "news[:]comp.lang.c"),
    ("file:///etc/motd", "file[:]///etc/motd"),
    ("mailto:?to=ada@example.com", "mailto[:]?to=ada@example.com"),
    ("javascript:x()", "javascript[:]x()"),
])  # fmt: skip
def test_urls_without_slashes_get_a_mark(url, defanged):
    assert (defang(url), refang(defanged)) == (defanged, url)


CHARACTERS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SIGNS = st.lists(
    st.sampled_from(["[.]", "(.)", "{.}", "[:]", "[/]", "[@]", "[", "]", "://", "www.", ".", "a", "/", "@"]),
    max_size=8,
).map("".join)
LABELS = st.text("abcxyz019-é", min_size=1, max_size=8)
HOSTS = st.one_of(
    st.lists(LABELS, min_size=1, max_size=4).map(".".join),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map("[{}]".format),
)


@examples(600)
@given(
    st.sampled_from(["http", "https", "ftp", "ftps", "HTTP", "hTTps", "gopher", "svn+ssh", "x-y"]),
    st.sampled_from(["", "joe@", "j.o:p.w@"]),
    HOSTS,
    st.sampled_from(["", ":80", ":"]),
    st.one_of(CHARACTERS, SIGNS).map(lambda rest: rest and f"/{rest}"),
)
@example("http", "", "a.b", "", "/[.]")
def test_refang_returns_every_url_with_a_host_exactly(scheme, user, host, port, rest):
    url = f"{scheme}://{user}{host}{port}{rest}"
    assert refang(defang(url)) == url
    assert defang(defang(url)) == defang(url)
    assert "://" not in defang(url).partition("://")[2]


DEFANGED = [(text, urls) for urls, texts in {
    "http://example.com/x": [
        "hxxp://example.com/x", "hXXp://example.com/x", "h**p://example.com/x", "http[://]example.com/x",
        "http://example[.]com/x", "example[.]com/x.", "<URL:hxxp://example[.]com/x>", "<example[.]com/x>",
        "<URL:example[.]com/x>", '"hxxp://example[.]com/x"', "URL:hxxp://example[.]com/x",
        "&lt;hxxp://example[.]com/x&gt;", "(hxxp://example[.]com/x)", "見てhxxp://example[.]com/x",
    ],
    "https://EXAMPLE.COM/": ["HXXPS://EXAMPLE.COM/"],
    "https://example.com/x": [
        "h**ps://example.com/x", "https[:]//example.com/x", "hxxps:\\/\\/example[.]com\\/x",
    ],
    "ftp://example.com/x": ["fxp://example.com/x"],
    "ftps://example.com/x": ["fxps://example.com/x"],
    "http://example.com": [
        "hxxp[:]//example.com", "hxxp[://]example.com", "hxxp:[/][/]example.com", "hxxp://example(.)com",
        "hxxp://example{.}com", "example[.]com", "(example[.]com)", "[example[.]com]", "`example[.]com`",
        "**example[.]com**", "*example[.]com*", "host=example[.]com", "| example[.]com | C2 |",
        "Is it example[.]com?", "It is example[.]com[.] Then",
    ],
    "sftp://example.com/x": ["sftp[:]//example.com/x"],
    "https://intranet/x": ["hxxps://intranet/x"],
    "http://www.example.com/a.php?b=c": ["hxxp://www[.]example[.]com/a[.]php?b=c"],
    "http://example.com/": ["hxxp://example[dot]com/", "hxxp://example(dot)com/", "hxxp://example[DOT]com/"],
    "https://93.184.216.34/x": ["https://93.184.216[.]34/x"],
    "http://joe@example.com/": ["http://joe@example[.]com/"],
    "http://example.com:8080/x": ["hxxp://example[.]com[:]8080[/]x"],
    "http://[2001:db8::1]/x": ["hxxp://[2001:db8::1]/x"],
    "http://пример.рф/я": ["hxxp://пример[.]рф/я"],
    "http://abcdefgh.onion/": ["hxxp://abcdefgh[.]onion/"],
    "http://EXAMPLE.COM": ["EXAMPLE[.]COM"],
    "http://www.example.com": ["www[.]example[.]com"],
    "http://www.example.com/x": ["www.example[.]com/x"],
    "ftp://ftp.example.org/pub": ["ftp[.]example[.]org/pub"],
    "http://a-b.example.co.uk": ["a-b.example[.]co[.]uk"],
    "http://1.2.3.4": ["1[.]2[.]3[.]4"],
    "http://1.2.3.4:8080/x": ["1.2.3[.]4:8080/x"],
    "http://t.me/abc": ["t[.]me/abc"],
    "http://evil.monster": ["evil[.]monster"],
    "http://evil.cc http://evil.pl": ["evil[.]cc, evil[.]pl"],
    "http://transfer.sh/x": ["transfer[.]sh/x"],
    "http://example.com/ab": ["<hxxp://example[.]com/a b>"],
    "http://example.com/a/b.php": ["<hxxp://example[.]com/a/\n b[.]php>"],
    "http://example.com/x.php": ["> see <hxxp://example[.]com/\n> x[.]php>"],
    "http://example.com http://example.com/x": ["[example[.]com](hxxp://example[.]com/x)"],
    "http://example.com http://1.2.3.4": ["C2: example[.]com; 1[.]2[.]3[.]4"],
    "http://example.com http://example.org": ["example[.]com,example[.]org"],
    "http://example.com/?u=http://b.org/": ["hxxp://example[.]com/?u=hxxp://b[.]org/"],
    "http://a.example/?u=http://b.example/": ["hxxp://a[.]example/?u=http://b.example/"],
    "https://g.example/?u=https%3A%2F%2Fb.example%2Fx&d=1": [
        "hxxps://g[dot]example/?u=https%3A%2F%2Fb[dot]example%2Fx&d=1",
        "hxxps://g[.]example/?u=hxxps%3A%2F%2Fb[.]example%2Fx&d=1",
    ],
    "https://u.example/v2/url?u=http-3A__login.b.example_a&d=1": [
        "hxxps://u[.]example/v2/url?u=hxxp-3A__login[.]b[.]example_a&d=1",
    ],
    "http://a.example/?u=hxxp://b&x[dot]=1": ["hxxp://a[.]example/?u=hxxp://b&x[dot]=1"],
    "mailto:ada@example.com": ["mailto:ada[@]example[.]com"],
    "http://example.com./x": ["hxxp://example.com[.]/x"],
    "": [
        "hxxp://example[.com/x hxxp://example\\.com/x", "hxxps://evil[d]com/a", "hxxp://evil [.] com",
        "hxxp://evil.]com/a", "hxxp://evil,com/a", "hxxp://evil<dot>com", "hxxps://evil\u2022com/a",
        "hxxp://sub.evil<.>com/a", "hxxp://evil DOT com",
    ],
    "http://a.example/x http://b.example/[.]y": ["hxxp://a[.]example/x http://b.example/[.]y"],
}.items() for text in texts]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DEFANGED)
def test_defanged_urls_are_read(text, expected):
    found = list(extract(text, refang=True))
    assert [each.url for each in found] == expected.split()
    assert all(each.inner.of(text) == each.raw for each in found)
    changed = [each for each in found if each.raw != each.url]
    assert all(RepairCode.REFANGED in [repair.code for repair in each.repairs] for each in changed)
    assert list(extract_urls(text, refang=True)) == expected.split()


@pytest.mark.parametrize(("text", "expected"), [
    ("ada[@]example[.]com", "mailto:ada@example.com"),
    ("ada@example[.]com", "mailto:ada@example.com"),
    ("ada[@]example.com", "mailto:ada@example.com"),
    ("ada.b[at]example[dot]com", "mailto:ada.b@example.com"),
    ("ada(at)example(dot)com", "mailto:ada@example.com"),
    ("<ada[@]example[.]com>", "mailto:ada@example.com"),
    ("v[at]x.name", ""),
    ("${array[@]}.com", ""),
    ("x[@]y", ""),
])  # fmt: skip
def test_addresses_are_read_with_emails(text, expected):
    assert urls(text, emails=True) == expected.split()
    assert urls(text) == []


# Parted by line ends and by three blanks
FALSE_FRIENDS = re.split(r" {3}|\n", r"""The pattern [.] matches one dot, and (.) any character.   grep -E '^foo[.]com$' hosts.txt
sed 's/[.]com$//' names   re.compile(r"https?://(www[.])?example[.]com/.*")
re.match(r"^www[.]example[.]org$", name)   RewriteCond %{HTTP_HOST} ^www[.]example[.]com$ [NC]
if [[ $x =~ .*[.]com ]]; then   /example[.]com/d   s/example[.]org\b/x/   files: ^setup[.]py$
find . -name '*[.]py'   exclude setup[.]py and README[.]md   split("[.]", name)   awk -F'[.]' '{print $1}'
a[.]b and x[.]y[.]z   a[i].b, a[i].com() and b[j].org = 1   self[.]id   foo[0].bar[1].com   print(x[.5])
values[:].sort()   info.data[:] = [1, 2]   arr[:]   x.name[:]   matrix[:, 0]   A[i][j] = B[.][.]
f(.)g is a section of Haskell   (.) is composition: (f . g) x = f (g x)   map(.)xs   h(.)k(.)l
the operators (+), (.) and ($)   \mathbb{.}x   {.}   x{.}y   see note [1] and note [2].
He wrote that it works.[1] Then he left.[2]   as shown in [Smith, 2001].[3]   (see appendix [.])
[...] and so on [...]   He said that he had left[.] So they stayed.   "The end[.]The rest is silence."
she left[.]So did he   example.[com] and [example].com   foo.[bar]   [.com]   example[.com and example.]com
example [.] com   example [dot] com   example DOT com   ada @ example com   ada AT example DOT com
www\.example\.com   example\.com   2[.]6[.]32   v1[.]2   version 1.2(.)3   10[.]0[.]0[.]0/24
999[.]1[.]2[.]3   1[.]2[.]3   fe80::1 and ::ffff:10.0.0.1 and [::1]:80   [2001:db8::1]
std::vector<int> v[.]   int a[2] = {.x = 1, .y = 2};   struct s t = {.com = 1};
[text](page.html) and [text][1]   ![image](a.png)   [1]: notes.txt   - [ ] todo and - [x] done
array[dot]product   u(dot)v   a [:] b   key[:]value   [/] means root   <b>[/b] [/url] [i]x[/i]
meow://example[.]invalid   xhxxp://example.com   ahh**p and fxpress and hxxpress   foo://a.b.c[:]d
rate [/] second   f(x)[.]n   jq '.[.a]'   `[.]`   E[.] coli and E[.]coli   U[.]S[.]A[.]
cat a[.]txt b[.]log c[.]conf""")  # fmt: skip


@pytest.mark.parametrize("line", FALSE_FRIENDS)
def test_ordinary_text_has_no_defanged_url(line):
    """What is found with the option is what is found without it."""
    for keywords in ({}, {"emails": True}):
        plain = [(each.url, each.span) for each in extract(line, **keywords)]
        assert [(each.url, each.span) for each in extract(line, refang=True, **keywords)] == plain
        assert plain == []


@pytest.mark.parametrize("form", ["see {} now", "<{}>", "<URL:{}>", '"{}"', "(URL:{})"])
@pytest.mark.parametrize("text", [
    "hxxp://example.com/x", "hxxps://example.com/x", "fxp://example.com/x", "h**p://example.com/x",
    "hxxp[:]//example.com/x", "http://example[.]com/x", "www.evil.example[.]com/x", "example[.]com/x",
])  # fmt: skip
def test_without_the_option_defanged_urls_are_turned_down(text, form):
    line = form.format(text)
    assert list(extract(line)) == []
    [rejection] = examine(line)
    assert isinstance(rejection, Rejection)
    assert (rejection.raw, rejection.reason) == (text, "a defanged URL")
    assert rejection.hint is not None
    assert "--refang" in rejection.hint


@pytest.mark.parametrize("form", ["see {} now", "<{}>", '"{}"', "x <{}>."])
@pytest.mark.parametrize(
    "address",
    ["mailto:ada[@]a[.]example", "mailto:ada[at]a.org", "mailto:ada@a(dot)org", "sip:ada[@]a.org?x"],
)
def test_without_the_option_defanged_addresses_are_turned_down(address, form):
    line = form.format(address)
    assert list(extract(line)) == []
    assert "a defanged URL" in {each.reason for each in examine(line) if isinstance(each, Rejection)}


def test_marks_outside_of_an_address_are_part_of_its_url():
    address = "mailto:ada@a.example?subject=b[.]c"
    assert [each.url for each in extract(address)] == [address]


@pytest.mark.parametrize(
    "value",
    ["hxxp://a.example/", "h**p://a.example/", "fxp://a.example/", "http://a[.]org/", "mailto:ada[@]a.org"],
)
def test_without_the_option_defanged_attributes_are_turned_down(value):
    page = f'Content-Type: text/html\n\n<a href="{value}">x</a>'.encode()
    for base in (None, "http://base.example/"):
        assert list(extract_html(page, base=base)) == []
    [rejection] = examine(message=page)
    assert (rejection.raw, rejection.reason) == (value, "a defanged URL")
    assert "--refang" in rejection.hint


def test_any_scheme_takes_what_is_a_scheme_as_it_is():
    text = "hxxp://a.example/ <fxp://b.example/>"
    assert [each.url for each in extract(text, schemes={"any"})] == ["hxxp://a.example/", "fxp://b.example/"]
    assert urls(text, schemes={"any"}) == ["http://a.example/", "ftp://b.example/"]


def test_a_url_inside_a_defanged_one_is_still_found():
    text = "hxxp://a[.]example/?u=http://b.example/"
    assert [each.url for each in extract(text)] == ["http://b.example/"]


def test_record_keeps_the_text():
    text = "see <hxxp://example[.]com/a/\n b[.]php> or bad[.]top"
    first, second = extract(text, refang=True)
    assert first.raw == "hxxp://example[.]com/a/\n b[.]php"
    assert [piece.of(text) for piece in first.pieces] == ["hxxp://example[.]com/a/", "b[.]php"]
    assert words(first.repairs) == ("joined 2 lines", "refanged the URL")
    assert (second.raw, second.url) == ("bad[.]top", "http://bad.top")
    assert words(second.repairs) == ("refanged the URL", "added http://")
    assert Found.from_dict(first.to_dict()) == first


def test_continued_lines_have_places_in_the_text():
    text = "see hxxp://example[.]com/harbour/tide-\ntables for it.\n"
    for join in ("safe", "likely"):
        [found] = extract(text, refang=True, join=join)
        assert found.inner.of(text) == found.raw
        both = {found.url, *(other.url for other in found.alternatives)}
        assert {"http://example.com/harbour/tide-", "http://example.com/harbour/tide-tables"} <= both


MESSAGE = b"""Subject: hxxp://a[.]example/ b[.]com
X-Note: see hxxp[:]//c[.]com
X-Other: =?utf-8?Q?hxxp=5B:=5D//d=5B.=5Dcom?=
From: e[@]f[.]com
Content-Type: text/html

<a href="hxxp://g[.]com/">x</a> <img src="h**p://i.com/">
<a href="http://j.com/">hxxp://j[.]com/</a> k<b>[.]</b>top <i title="l[.]com">z</i>
"""


def test_messages_and_pages_are_read():
    expected = (
        "http://a.example/ http://b.com http://c.com http://d.com http://g.com/ http://i.com/"
        " http://j.com/ http://k.top http://l.com"
    )
    found = list(extract_message(MESSAGE, refang=True))
    assert [each.url for each in found] == expected.split()
    assert [each.raw for each in found if each.url == "http://k.top"] == ["k<b>[.]</b>top"]
    found = extract_message(MESSAGE, refang=True, emails=True)
    assert [(each.url, each.header) for each in found if each.scheme == "mailto"] == [
        ("mailto:e@f.com", "From")
    ]


# --- laws -------------------------------------------------------------------------------------------

TOKENS = (
    "dot", " dot ", " [.] ", "hxxp://tides ",
    "hxxp", "hXXps", "h**p", "fxp", "http", "://", "[:]//", "[://]", "[.]", "(.)", "[dot]", "(dot)", "[:]",
    "[/]", "[@]", "@", "[at]", ".", "com", "org", "a", "1", "www", "evil", "/", "?q=", " ", "\n", "\n> ", "<",
    ">", "URL:", '"', "(", ")", "[", "]", "*", "mailto:", ",", ":", "=", "-", "é", "日本", "...", "…", "\\/\\/",
    "&lt;", "&gt;", "|", "`", "_", "hxxp://a[.]com/x", "evil[.]com", "hXXps[:]//b(dot)org", "1[.]2[.]3[.]4",
    "ada[@]a[.]com", "<hxxp://a[.]com/\nb[.]c>", "www[.]a[.]com",
)  # fmt: skip
texts = st.lists(st.sampled_from(TOKENS), max_size=20).map("".join)
options = st.sampled_from([
    {"refang": True}, {"refang": True, "emails": True}, {"refang": True, "relaxed": True, "emails": True}, {},
    {"refang": True, "schemes": {"any"}}, {"refang": True, "join": "likely"},
])  # fmt: skip


@examples(500)
@given(texts, st.lists(st.integers(0, 120), max_size=5), options)
@example("evil[.]com", [4], {"refang": True})
@example("`https[://][@][@]", [1, 5, 15], {})
@example("hXXps[:]//b(dot)orghxxp>hxxp", [24], {"refang": True})
@example("see hxxp://tides [.] com or", [18], {"refang": True})
@example("see hxxp://tides\n\ndot com or", [20], {"refang": True})
def test_slices_never_change_the_answer(text, places, keywords):
    whole = list(extract(text, **keywords))
    assert list(extract(cut(text, places), **keywords)) == whole
    assert list(extract(iter(text), **keywords)) == whole
    assert list(extract_urls(text, **keywords)) == [each.url for each in whole]
    assert all(each.inner.of(text) == each.raw for each in whole)
    explained = without_contexts(examine(text, **keywords))
    assert without_contexts(examine(cut(text, places), **keywords)) == explained
    assert [each for each in explained if isinstance(each, Found)] == whole


def test_long_texts_are_cut_anywhere():
    text = ("word " * 300 + "hxxp://a[.]com/" + "b[.]" * 900 + " evil[.]top\n") * 6
    whole = urls(text)
    assert len(whole) == 12
    for size in (997, 4_096, 5_120):
        assert urls(text[at : at + size] for at in range(0, len(text), size)) == whole


HOSTILE = (
    "hxxp[:]//", "[.]", "a[.]", "(dot)", "a(dot)", "[", "hxxp", "hxxp://", "h**p://", "a[.]com", "a[.]com,",
    "hxxp://a[.]com/", "http://a[.]", "ada[@]", "a@b[.]", "<hxxp://", '"a[.]com', "x[.]com=", "[[.]]", "a[.]b\n",
    "1[.]", "-[.]", "hxxp://a@", "a[.]com ", "{.}", "h**", "(.)", "a.b[.]com:",
)  # fmt: skip


@pytest.mark.parametrize("unit", mostly_slow(HOSTILE))
def test_cost_is_in_proportion(unit):
    def read(text):
        return [sum(1 for _ in extract(text, refang=True, emails=True)), sum(1 for _ in examine(text))]

    assert growth(read, times(unit), 10_000, 80_000) < LINEAR
    assert growth(refang, times(unit), 10_000, 80_000) < LINEAR
    assert growth(defang, times(unit, "http://"), 10_000, 80_000) < LINEAR


# --- the command ------------------------------------------------------------------------------------

TEXT = "IOC: hxxps://evil[.]example/a[.]php, http://live.example/ and bad[.]top\n"


def test_command_prints_the_urls_of_the_records():
    plain = outcome("--refang", data=TEXT)
    assert plain == (0, "https://evil.example/a.php\nhttp://live.example/\nhttp://bad.top\n", "")
    records = [json.loads(line) for line in outcome("--refang", "-j", data=TEXT)[1].splitlines()]
    assert [record["url"] for record in records] == plain[1].split()
    assert [repair["code"] for repair in records[0]["repairs"]] == ["refanged"]
    assert records[0]["raw"] == "hxxps://evil[.]example/a[.]php"
    assert "defanged" not in records[0]


def test_command_prints_defanged_urls():
    expected = "hxxps://evil[.]example/a.php\nhxxp://live[.]example/\nhxxp://bad[.]top\n"
    assert outcome("--refang", "--defang", data=TEXT) == (0, expected, "")
    assert outcome("--defang", data=TEXT) == (0, "hxxp://live[.]example/\n", "")
    assert outcome("--defang", "-n", data=TEXT) == (0, "1:hxxp://live[.]example/\n", "")
    assert outcome("--defang", "-c", data=TEXT) == (0, "1\n", "")
    again = outcome("--refang", "--defang", data=expected)
    assert again == (0, expected, "")


def test_records_have_both_forms():
    for flags in (("-j",), ("-uj",), ("--parse",)):
        [record] = map(json.loads, outcome("--defang", *flags, data=TEXT)[1].splitlines())
        assert (record["url"], record["defanged"]) == ("http://live.example/", "hxxp://live[.]example/")


@pytest.mark.parametrize("other", ["--raw", "--explain"])
def test_live_urls_are_not_printed_beside_defanged_ones(other):
    status, output, error = outcome("--defang", other, data=TEXT)
    assert (status, output) == (2, "")
    assert "--defang" in error


def test_explain_names_the_option():
    output = outcome("--explain", data="see hxxp://a.example/\n")[1]
    assert "not taken, bare: a defanged URL; --refang reads defanged URLs" in output


def test_several_processes_find_the_same(tmp_path):
    path = tmp_path / "text"
    path.write_text((TEXT + "\n") * 3_000)
    one = outcome("--refang", "-J", "1", path)
    assert one[1].count("\n") == 9_000
    assert outcome("--refang", "-J", "2", path) == one


# --- what has to do with it: URLs that were cut, scripts ---------------------------------------------


@pytest.mark.parametrize(("text", "is_cut"), [
    # Forums show the beginning of a long URL, and its last characters
    *((text, True) for text in (
        "http://a.example/long/pa...", "http://a.example/long/pa… and",
        "see www.a.example.com/some-long-arti... (News)", "<http://a.example/long/pa...>",
        '"http://a.example/long/pa..."', "(http://a.example/?id=12...)",
        "http://a.example/documentationofthisprogram...",
        "see http://a.example/forum/viewtopic ... t=4711#p12 now",
        "see www.a.example/news/2026/the-lo … ides.html", "http://a.example/a/pa…g=1&h=2 and",
    )),
    # The sentence trails off
    *((text, False) for text in (
        "http://a.example/a/path [...] /29/x.php and", "http://a.example/a/path ... and more",
        "http://a.example/a/path [...] he wrote", "http://a.example/a/path ... and/or more",
        "http://a.example/a/path ...", "http://a.example/compare/v1...v2 and", "see http://a.example/...",
        "see http://a.example/…", "see http://a.example...", "http://a.example/dir/... Really?!",
        "I read http://a.example/docs...", "it is http://a.example/tides.html...",
        "it is http://a.example/long/pa....", "it is http://a.example/long/pa..",
        "it is http://a.example/long/pa.", "<http://a.example/...>",
    )),
])  # fmt: skip
def test_ellipsis_after_a_url_is_a_defect(text, is_cut):
    for pieces in (text, iter(text)):
        [found] = extract(pieces)
        assert (DefectCode.CUT in [defect.code for defect in found.defects]) is is_cut
    assert list(extract_urls(text)) == [found.url]


def test_rejection_of_data_is_short():
    page = b'Content-Type: text/html\n\n<img src="data:image/png;base64,%b">' % (b"A" * 100_000)
    [rejection] = examine(message=page)
    assert len(rejection.raw) == 200
    assert rejection.span.end - rejection.span.start > 100_000


def test_table_of_an_incident_has_defanged_urls():
    told = outcome("--csv", "--fields", "line,defanged,url", data=b"see http://a.example/x\n")
    assert told == (0, "line,defanged,url\n1,hxxp://a[.]example/x,http://a.example/x\n", "")
    assert outcome("--fields", "defanged", data=b"see http://a.example/x\n") == (
        0,
        "hxxp://a[.]example/x\n",
        "",
    )
