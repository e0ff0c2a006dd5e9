"""``relaxed`` and ``emails``: hosts and addresses without a scheme, and what only looks like them (SPEC §1)."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from costs import LINEAR, growth
from hostile import times
from hypothesis import example, given
from hypothesis import strategies as st
from remarks import part_of, without_contexts, words
from sampled import mostly_slow
from scans import cut
from strategies import PIECES, examples

from urlextract import Found, Rejection, examine, extract, extract_message
from urlextract.grammar.domains import OLDEST, SITES, TLDS, WORDS
from urlextract.grammar.names import extensions
from urlextract.scanner.schemeless import refused_lookalike

BOTH = {"relaxed": True, "emails": True}


def found(text, **keywords):
    return [each.url for each in extract(text, **(keywords or BOTH))]


# ruff: noqa: E501
HOSTS = [  # texts, and the hosts in them
    *((text, text) for text in (
        "example.com?q=a", "example.com#part", "example.com:8080", "example.com:8080/path?x#y",
        "GitHub.com/x", "a-b.example.co.uk", "shop.example.com.au", "example.co.in", "wiki.example.dev",
        "localhost:8080/x", "localhost/phpmyadmin", "10.0.0.1/admin", "10.11.12.13:8000", "192.168.1.1",
        "8.8.8.8", "docs.rs/serde", "youtu.be/abc", "example.it/x", "example.tools/x", "m\u00fcnchen.de/x",
        "\u4f8b\u3048.jp", "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "xn--mnchen-3ya.de",
        "example.info",
    )),
    *((text, found) for found, texts in {
        "10.50.23.250 93.184.216.34": ["10.50.23.250 and 93.184.216.34"],
        "example.com/a.html example.com/b": ["example.com/a.html中文example.com/b"],
        "example.com example.org/b": ["see example.com中文example.org/b"],
        "github.com/foo": ["see github.com/foo."],
        "docs.python.org": ["docs.python.org, please"],
        "example.com": [
            "go to example.com!", "(example.com)", "Is it example.com?", "*example.com*",
            "example.com: a host", "Web:example.com", "url=example.com", r"see\nexample.com",
            "\u8bf7\u770bexample.com\u5427", "see example.com.Then go", "example.com<br>", "[example.com]",
            "example.com\u2014a host", "example.com- a host",
        ],
        "example.com/x": [
            '"example.com/x"', "//example.com/x", "\u300cexample.com/x\u300d\u3002", "<example.com/x>",
            "http//example.com/x",
        ],
        "a.example.org b.example.org": ["a.example.org,b.example.org"],
        "example.com/a_(b)": ["example.com/a_(b) and"],
        "example.com/a": ["(see example.com/a)"],
        "example.com/?q=a&b#c": ["example.com/?q=a&b#c."],
        "EXAMPLE.COM": ["EXAMPLE.COM."],
        "localhost:3000": ["(localhost:3000)"],
        "example.it example.me": ["example.it\nexample.me"],
        "example.it": ["see\n> example.it\n", "<example.it>"],
        "example.com/x.": ["<example.com/x.>"],
        "github.com/foo/bar": ["<github.com/foo/\nbar>", "> <github.com/foo/\n> bar>"],
        "example.org/y": ["<URL:example.org/y>", "&lt;example.org/y&gt;"],
    }.items() for text in texts),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), HOSTS)
def test_host_without_a_scheme_is_found(text, expected):
    assert found(text) == [f"http://{host}" for host in expected.split()]
    assert found(text, relaxed=True) == found(text)


ADDRESSES = [  # texts, and the addresses in them
    *((text, text) for text in (
        "joe.o'brien@example.org", "user+tag@sub.example.co.uk", "user_name@example-host.com",
        "123456@qq.com", "192.168.1.1@gmail.com", "JOE@EXAMPLE.ORG", "joe@example.shop", "joe@example.it",
        "\u0438\u043c\u044f@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
        "joe@www.example.org", "_joe@example.org", f"{'a' * 100}@example.org", "jo$e@example.org",
    )),
    *((text, found) for found, texts in {
        "joe@example.org": [
            "mail joe@example.org.", "<joe@example.org>", "Joe <joe@example.org>; Sue", "(joe@example.org)",
            "'joe@example.org'", "*joe@example.org*", "Email:joe@example.org", "email=joe@example.org",
            ".joe@example.org", "wait...joe@example.org", "E-Mail:joe@example.org, or",
            "joe@example.org.Then", "joe@example.org/x", "\u90ae\u7bb1joe@example.org", "joe@example.org<br>",
            "joe@example.org- yes", "joe@example.org:25",
        ],
        "joe@example.org sue@example.net": [
            "joe@example.org, sue@example.net", "joe@example.org/sue@example.net",
            "joe@example.org|sue@example.net",
        ],
        "%22john%20doe%22@example.com": ['"john doe"@example.com'],
        "test.%22foo%22.bar@example.co.uk": ['test."foo".bar@example.co.uk!'],
        "list-joe%3Da.org@example.org": ["list-joe=a.org@example.org"],
        "user%25host@example.org": ["user%host@example.org"],
        "joe.smith@example.org": ["<joe.smith@example.\norg>", "to=joe.smith@example.org"],
        "joe+x@mail.example root@printer.local": ["at joe+x@mail.example or root@printer.local"],
        "jo%3De@example.org": ["jo=e@example.org"],
    }.items() for text in texts),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_mail_address_is_found(text, expected):
    assert found(text) == [f"mailto:{address}" for address in expected.split()]
    assert found(text, emails=True) == found(text)


NEITHER = (
    "setup.py", "readme.md", "main.rs", "foo.sh", "archive.zip", "a.pl", "Makefile.am", "config.h.in", "lib.so", "x.ps",
    "see README.md.", "node.js", "vue.js and d3.js", "index.html", "foo.txt", "image.png", "my.file.txt", "setup.py:12",
    "readme.md#usage", "a.py/b.py",
    "1.2.3", "3.14", "1.2.3.4", "version 192.168.1.1", "1.2.3.4.5", "1.2.3.400", "10.0.0.0/8", "v2.0", "5.pm", "10.30.am",
    "e.g. this", "i.e. that", "U.S. and U.K.", "Ph.D", "M.Sc", "a.m. or p.m.", "et.al",
    "the end.The next", "done.So what", "home.it was", "went home.it\nwas", r"a.com\joe", "here.Is it", "yes.no or", "Mr.Smith", "No.1", "wait...what",
    "java.util.List", "com.example.foo", "org.apache.commons", "io.github.app", "os.path.join", "self.name", "user.id",
    "obj.method()", "System.out.println", "System.IO", "event.target", "this.style", "list.map(x)", "a.b.c", "foo.bar",
    "6.7.8.9:/export", "mount 10.0.0.5:/export/home", "::ffff:129.144.52.38", "1::2:10.0.0.1", "8.8.4.4", "10.2.0.1",
    "239.1.200.200", "@joe@example.org", "joe@foo.invalid", f"{'a' * 101}@example.org",
    "user:pass@example.com/x", "user:pass@example.com:8080", "foo..bar@example.com",
    "std::foo.bar", "array.length", "my_file.de", "foo_bar.com", "$foo.com", "%s.com", "#example.com", "ASP.NET",
    "comp.lang.java.security", "rec.games", "import numpy.io",
    "/usr/lib/foo.so", "./setup.py", r"C:\x.com", r"EXAMPLE.COM\joe", "path/to/example.com", "@example.com", "-foo.com",
    ".example.com", "*.example.com", "_example.com", "hello..world", "example.invalidtld", "example.local", "example",
    "localhost", "localhost/", "localhost:", "xlocalhost:80", "example.com:99999", "foo://example.com/x",
    "hppt://example.com", "http://.example.com", "host:/etc/x", "example.com:srv/x", "a.com!b.com!joe",
    "(joe at example.com)", "joe-at-example.com", "joe (at) example.com", "sip:example.com",
    "joe@example", "joe@localhost", "<joe@vax>", "joe@.com", "@joe", "@joe@example.org", "a@2x.png", "icon@2x", "joe @example",
    "git@github.com:foo/bar", "git@github.com:foo/bar.git", "root@example.org:~#", "joe@a@example.org", "a@b", "a@b.c",
    "$joe@example.org", "%s@example.org", "{joe}@example.org", "/joe@example.org", "joe@foo_bar.com", "joe.@example.org",
    "Message-ID: <joe@example.org>", "In article <joe@example.org> he wrote", "<199411140912.AA12345@example.com>",
    "<4F3A2B1C.5060708@example.com>", "<87r1qjz5wz.fsf@example.org>", "<alpine.DEB.2.00.1101@example.org>",
    "cid:joe@example.org", "Received: from a.example.com by b.example.com", "> References: <joe@example.org>",
    "Received: from a.example.com\n\tby b.example.com",
)  # fmt: skip


@pytest.mark.parametrize("text", NEITHER)
def test_text_that_is_neither_has_no_url(text):
    assert [url for url in found(text) if url.startswith(("http:", "mailto:"))] == []


def test_host_inside_a_url_is_not_found_again():
    """Text after a URL may hold another host."""
    text = (
        "http://a.com/b.org?c=d.net@e.com http://joe@f.com/ <http://g.com/\nh.org> mailto:joe@i.com www.j.com"
    )
    urls = "http://a.com/b.org?c=d.net@e.com http://joe@f.com/ http://g.com/h.org mailto:joe@i.com http://www.j.com"
    assert found(text) == urls.split()
    assert found("see k.com <http://k.com/>, k.org") == ["http://k.com", "http://k.com/", "http://k.org"]


@pytest.mark.parametrize("text", [text for text, _ in (*HOSTS, *ADDRESSES)])
def test_rejection_names_the_option(text):
    assert not any(url.startswith("http://") for url in found(text, valid=False))
    reasons = [each.reason for each in examine(text) if isinstance(each, Rejection)]
    option = "--emails" if "@" in text else "--relaxed"
    assert any(reason.endswith(f"it counts with {option}") for reason in reasons), reasons


def test_text_that_is_neither_is_not_rejected_for_lack_of_the_option():
    told = [
        each.raw for text in NEITHER for each in examine(text) if "counts with" in getattr(each, "reason", "")
    ]
    assert told == []


def test_rejection_has_its_reason():
    reasons = [each.reason for each in examine("setup.py, done.So", relaxed=True)]
    assert reasons == ["the name of a file", "a sentence without a blank"]


def record(text):
    (each,) = extract(text, **BOTH)
    return each


def test_record_has_form_repairs_and_span():
    host = record("see <github.com/foo/\nbar> and")
    assert (host.form, words(host.repairs)) == ("abbreviated", ("joined 2 lines", "added http://"))
    assert (host.start, host.end, host.raw) == (4, 25, "github.com/foo/\nbar")
    address = record("see joe@example.org.")
    assert (address.form, words(address.repairs), address.scheme) == (
        "abbreviated",
        ("added mailto:",),
        "mailto",
    )
    assert (address.start, address.end) == (4, 19)
    assert words(record('"john doe"@example.com').repairs) == ("encoded what no URL holds", "added mailto:")


def test_undecodable_bytes_never_raise():
    for stray in ("\udcf6", "\ud800"):
        for text in (f'"j {stray}"@example.org', f"<j{stray}@example.org>", f"{stray}.de/x", f"a.de/{stray}"):
            list(extract(text, **BOTH))
    (each,) = extract('"j \udcf6"@example.org', **BOTH)
    assert (each.url, words(each.defects)) == ("mailto:%22j%20ö%22@example.org", ("undecodable bytes",))


def test_confidence_grows_with_the_evidence_for_a_host():
    texts = "<example.com> example.com/x docs.example.com example.com example.wiki 192.168.1.1"
    grades = [record(text).confidence for text in texts.split()]
    assert grades == sorted(grades, reverse=True)
    assert len(set(grades)) == len(grades)
    assert record("example.com:80").confidence == record("example.com/x").confidence > 0.6
    assert record("example.com").confidence < 0.5
    assert record("joe@example.org").confidence == 0.9


MESSAGE = b"""\
Received: from a.example.com by b.example.com for <a@example.com>
Message-ID: <b.1@example.com>
From: Joe <joe@example.com>
To: =?utf-8?q?J=C3=B6rg?= <jim@example.com>, sue@example.com
Subject: see c.example.com, bob@example.com
Organization: d.example.com
X-Homepage: e.example.com/joe
X-Mailer: mailer of f.example.com, g@example.com
List-Id: a list <list.example.com>
List-Post: <mailto:list@example.com>
Return-Path: <h@example.com>

i.example.com
"""


def test_fields_of_people_are_read_and_those_of_machines_are_not():
    names = [
        (each.url.removeprefix("http://").removeprefix("mailto:"), part_of(each))
        for each in extract_message(MESSAGE, **BOTH)
    ]
    assert names == [
        ("joe@example.com", "From"), ("jim@example.com", "To"), ("sue@example.com", "To"),
        ("c.example.com", "Subject"), ("bob@example.com", "Subject"), ("d.example.com", "Organization"),
        ("e.example.com/joe", "X-Homepage"), ("list@example.com", "List-Post"), ("i.example.com", "1"),
    ]  # fmt: skip
    told = [
        (each.raw.strip("<>"), part_of(each))
        for each in examine(source=io.BytesIO(MESSAGE), format="message")
    ]
    assert [raw.removeprefix("mailto:") for raw, _ in told] == [name for name, _ in names]


def test_malformed_message_has_the_same_fields():
    odd = MESSAGE.replace(b"Subject:", b"Content-Type: text/plain\nContent-Type: text/plain\nSubject:")
    as_ever = [each.url for each in extract_message(MESSAGE, **BOTH)]
    assert [each.url for each in extract_message(odd, **BOTH)] == as_ever


def test_link_that_shows_its_host_is_one_record():
    page = b"Content-Type: text/html\n\n<a href='http://example.com/'>example.com</a> <a href='mailto:joe@example.com'>joe@example.com</a>"
    urls = ["http://example.com/", "mailto:joe@example.com"]
    assert [each.url for each in extract_message(page, **BOTH)] == urls


def test_tables_of_top_level_domains_are_consistent():
    assert extensions("domain", "name", "marked") | SITES | OLDEST | WORDS <= TLDS
    assert not SITES & (extensions("domain") | OLDEST | WORDS)
    assert all(name == name.lower() and name.isascii() for name in TLDS)
    assert refused_lookalike(["example", "com"], "com") == ""


MARKS = (
    "example.com", "a.b", "github.com/foo", "joe", "@", ".", "localhost", ":80", "/x", "10.0.0.1", "www.", "ftp.", "x.py",
    "Received:", "\n\t", "<", ">", '"', " ", "\u65e5", "\u00e9.de", "_", "-", "(", ")", "=", "\\n", "\\", "it", "Message-ID: ", "mailto:", "com",
)  # fmt: skip
marked = st.lists(
    st.one_of(st.sampled_from(MARKS), st.sampled_from(MARKS), st.sampled_from(PIECES)), max_size=16
).map("".join)


@examples(600)
@given(marked, st.lists(st.integers(0, 120), max_size=6))
@example("joe@example.com", [4])
@example("<joe@example.com>", [5, 16])
@example("localhost:80", [10])
def test_any_slicing_has_the_same_results_which_do_not_overlap(text, places):
    for keywords in ({}, BOTH):
        pieces = examine(cut(text, places), **keywords)
        assert without_contexts(pieces) == without_contexts(examine(text, **keywords))
    assert list(extract(cut(text, places), **BOTH)) == list(extract(text, **BOTH))
    assert list(extract(text, **BOTH)) == list(extract(list(text), **BOTH))
    taken = [each for each in examine(text, **BOTH) if isinstance(each, Found)]
    assert [each.url for each in taken] == found(text)
    assert all(one.end <= other.start for one, other in pairwise(taken))
    assert all(each.span.of(text) for each in taken)


HOSTILE = (
    "a.", "a@", ".", "@", "a.com ", "a@b.com ", "a.b@", '"', '"a"@', '"a".', "localhost:", "localhost/", "1.1.1.1", "1.",
    "\u00e9.", "\u65e5.", "\u65e5a.", "a-", "a_.", "\n\ta.com", "Received: a.com\n\t", "> a.com\n> ", "<a.com\n", "<a@b.com\n", "a:b.com", "//a.com",
    "=a@b.com", "a=", "a.b(", "a.com/a.com(", "a'@b.com", "a.com.", "A.Com.", "xn--.", "a.com:1:",
)  # fmt: skip


@pytest.mark.parametrize("unit", mostly_slow(HOSTILE), ids=[ascii(unit)[1:-1] for unit in HOSTILE])
def test_hostile_text_takes_linear_time(unit):
    assert growth(lambda text: list(examine(text, **BOTH)), times(unit), 4_000, 16_000) < LINEAR


@pytest.mark.parametrize(("text", "urls"), [
    ("to ~ada/list@lists.a.org, ~bob@a.org", ["mailto:~ada%2Flist@lists.a.org", "mailto:~bob@a.org"]),
    ("_ada@a.org_ and _bob_c@a.org_.", ["mailto:ada@a.org", "mailto:bob_c@a.org"]),
    ("~~ada@a.org~~", ["mailto:ada@a.org"]),
    ("at printer.lan:8080/status, NAS.local:5000/ or std.lan:80",
     ["http://printer.lan:8080/status", "http://NAS.local:5000/"]),
    ("__ada@a.org__ _see bob@a.org_", ["mailto:ada@a.org", "mailto:bob@a.org"]),
    ("_**ada@a.org**_ ~bob@a.org~ ~cy@a.org", ["mailto:ada@a.org", "mailto:bob@a.org", "mailto:~cy@a.org"]),
])  # fmt: skip
def test_marks_before_an_address_and_hosts_of_a_local_network(text: str, urls: list[str]) -> None:
    assert [found.url for found in extract(text, **BOTH)] == urls


@pytest.mark.parametrize(("text", "url"), [
    (r"\f5user\-tim@a.example.com\fR,", "mailto:user-tim@a.example.com"),
    (r"<\fIdebian\-l10n\-french@lists.example.org\fR>", "mailto:debian-l10n-french@lists.example.org"),
    (r"see \fIexample.com/x\fR", "http://example.com/x"),
    ("<\njoe@example.com>", "mailto:joe@example.com"),
    ("> <example.com/\n> x>", "http://example.com/x"),
])  # fmt: skip
def test_hosts_and_addresses_are_read_as_other_urls_in_roff_and_in_brackets(text: str, url: str) -> None:
    assert [found.url for found in extract(text, relaxed=True, emails=True)] == [url]
