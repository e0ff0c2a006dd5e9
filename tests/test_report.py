"""``urlextract report``: the figures of an index, its page, and indexes that cannot be read."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import sqlite3
import subprocess
import sys
import tomllib
from base64 import b64encode
from collections import Counter
from contextlib import closing
from functools import partial
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from commands import COMMAND, ENVIRONMENT, outcome, started
from costs import LINEAR, growth
from made_indexes import Mail, add_place, codes, connect, fill, insert
from made_indexes import archive as large_archive
from realtools import ROOT
from sampled import mostly_slow

from urlextract import index_sources
from urlextract.errors import IndexFileError
from urlextract.index import database
from urlextract.index.database import opened_for_reading
from urlextract.index.schema import VERSION
from urlextract.report.chart import HEIGHT, chart_of
from urlextract.report.figures import Figures, figures_of
from urlextract.report.reads import Links, Message, Place, links_of
from urlextract.report.rendering import page_of
from urlextract.report.wording import LONGEST_TEXT, LONGEST_URL, address_of, moment_of, shortened

LIE = {
    "element": "a", "attribute": "href", "text": "www.bank.example", "shown": "www.bank.example",
    "differs": "domain", "defects": codes("shows-another-domain"),
}  # fmt: skip
BROKEN = {
    "raw": "http://www.harbour.example/\n> map", "repaired": 1,
    "repairs": codes("joined-lines", "removed-quote-prefix"),
}  # fmt: skip


def mail(sender: str, date: str | None, subject: str, *places: dict[str, Any], **more: Any) -> Mail:
    return {"sender": sender, "date": date, "subject": subject, **more}, list(places)


# The archive of a small club, which was counted by hand: 13 links in five of its six mails, one without a
# date; two in December, seven in January, three in March.
ARCHIVE = [
    mail("Ada Moss <ada@a.example>", "2024-12-30T08:00:00Z", "Tides",
         {"url": "http://www.harbour.example/tides", "context": "see http://www.harbour.example/tides now"},
         {"url": "http://lists.example.org/leave", "header": "List-Unsubscribe"}),
    mail("Ada <ADA@a.example>", "2025-01-02T08:00:00Z", "Tides again",
         {"url": "HTTP://www.harbour.example:80/tides"},
         {"url": "http://lists.example.org/leave", "header": "List-Unsubscribe"}),
    mail("dan@b.example", "2025-01-03T09:30:00Z", "Re: Tides",
         {"url": "http://www.harbour.example/tides"},
         {"url": "http://www.harbour.example/map", "media_type": "text/plain", **BROKEN},
         {"url": "http://www.example.com", "raw": "www.example.com", "repaired": 1,
          "repairs": codes("added-scheme")},
         {"url": "http://lists.example.org/leave", "header": "List-Unsubscribe"},
         {"url": "http://pixel.example.net/1.gif", "element": "img", "attribute": "src"}),
    mail("bank@c.example", "2025-03-01T00:00:00Z", "Your account",
         {"url": "http://login.example.net/in", **LIE},
         {"url": "http://pixel.example.net/1.gif", "element": "img", "attribute": "src"},
         {"url": "https://gate.example/?u=1", "unwrapped": "http://login.example.net/z",
          "wrapped_by": "Gate", **LIE}),
    mail("bank@c.example", None, "Your account, again", {"url": "http://login.example.net/in", **LIE},
         doubtful_date="1904-01-01T00:00:00Z"),
    mail("dan@b.example", "2025-03-02T00:00:00Z", "Nothing"),
]  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return fill(tmp_path / "links.db", ARCHIVE)


def read(index: Path, limit: int | None = None) -> Links:
    with opened_for_reading(str(index)) as connection:
        return links_of(connection, limit)


def figures(index: Path) -> Figures:
    return figures_of(read(index))


def places(index: Path, url: str) -> list[tuple[Message, Place]]:
    links = read(index)
    [target] = [target for target in links.targets if target.address.text == url]
    return [(links.messages[place.message], place) for place in target.places]


# --- what is read, and counted -----------------------------------------------------------------------


def test_the_numbers_are_those_that_a_person_counts(archive):
    found = figures(archive)
    assert (found.mails, found.links, found.targets, found.domains) == (5, 13, 7, 4)
    assert (found.deceptive, found.mended, found.undated) == (3, 1, 1)
    assert (found.first, found.last) == ("2024-12-30", "2025-03-01")
    assert found.months == {"2024-12": 2, "2025-01": 7, "2025-03": 3}


def test_a_target_is_one_whatever_its_links_look_like(archive):
    links = read(archive)
    dates = [sorted(links.messages[place.message].date[:10] for place in each.places)
             for each in links.targets]  # fmt: skip
    assert list(zip([(each.domain, each.address.text) for each in links.targets], dates, strict=True)) == [
        (("example.com", "http://www.example.com"), ["2025-01-03"]),
        (("example.net", "http://login.example.net/in"), ["", "2025-03-01"]),
        (("example.net", "http://login.example.net/z"), ["2025-03-01"]),
        (("example.net", "http://pixel.example.net/1.gif"), ["2025-01-03", "2025-03-01"]),
        (("example.org", "http://lists.example.org/leave"), ["2024-12-30", "2025-01-02", "2025-01-03"]),
        (("harbour.example", "http://www.harbour.example/map"), ["2025-01-03"]),
        (("harbour.example", "http://www.harbour.example/tides"), ["2024-12-30", "2025-01-02", "2025-01-03"]),
    ]  # by domain


def test_places_come_with_what_is_known_of_them_the_latest_first(archive):
    (_, latest), (_, spelled), first = places(archive, "http://www.harbour.example/tides")
    sent = Message("2024-12-30 08:00", "Ada Moss <ada@a.example>", "Tides", "mail0.mbox, message 1")
    assert first[0] == sent
    assert first[1][1:] == ("", "see [URL] now", "", "", "")
    assert (latest.written, spelled.written) == ("", "HTTP://www.harbour.example:80/tides")
    [(_, gateway)] = places(archive, "http://login.example.net/z")
    assert gateway.written == "https://gate.example/?u=1"
    assert gateway.lie == "Shows www.bank.example, but leads to login.example.net"
    [(_, mended)] = places(archive, "http://www.harbour.example/map")
    assert mended.broken == "http://www.harbour.example/ \u23ce > map"
    undated = places(archive, "http://login.example.net/in")[-1][0]
    assert (undated.date, undated.subject) == ("", "Your account, again")  # not of 1904


def test_a_file_of_a_folder_a_page_and_a_text_are_found_by_what_names_them(tmp_path):
    message = mail("a@a.example", None, "x", {"url": "http://a.example/"}, file="cur/1:2,S")
    page = ({"page": "http://a.example/p", "title": "Of ropes", "date": "2020-01-02T08:00:00Z"},
            [{"url": "http://b.example/"}, {"url": "http://c.example/"}])  # fmt: skip
    index = fill(tmp_path / "links.db", [message, page])
    with closing(connect(index)) as connection, connection:
        source = insert(connection, "sources", path="/notes.html", kind="file", title="Notes")
        connection.execute("UPDATE places SET message_id = NULL, source_id = ? WHERE id = 3", (source,))
    assert [places(index, f"http://{name}.example/")[0][0] for name in "abc"] == [
        Message("", "a@a.example", "x", "mail0.mbox/cur/1:2,S, message 1"),
        Message("2020-01-02 08:00", "http://a.example/p", "Of ropes", "mail0.mbox, message 2"),
        Message("", "", "Notes", "/notes.html"),
    ]
    assert figures(index).mails == 2


@pytest.mark.parametrize("date", [
    "0102-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2100-01-01T00:00:00Z", "2025-02-30T00:00:00Z",
    "2025-01-01", "x", "", None, 7, b"2025",
])  # fmt: skip
def test_a_date_that_is_none_is_no_date(date):
    assert moment_of(date) == ""


def test_figures_are_those_of_the_views_of_the_index(tmp_path):
    index = fill(tmp_path / "links.db", large_archive(400))
    found = figures(index)
    with sqlite3.connect(index) as connection:
        assert dict(found.months) == dict(connection.execute("SELECT month, places FROM by_month"))
        assert [(found.domains, found.links)] == list(
            connection.execute("SELECT count(*), sum(places) FROM domains")
        )
        assert [(found.deceptive,)] == list(connection.execute("SELECT count(*) FROM deceptive_links"))


def test_a_page_of_an_index_that_the_program_made(tmp_path):
    """A mail that has another one in it is one mail; the text around each link is there."""
    (tmp_path / "mail.eml").write_text(
        "From: Ada <ada@a.example>\nDate: Thu, 2 Jan 2025 09:00:00 +0100\nSubject: see\n"
        "Content-Type: multipart/mixed; boundary=x\n\n--x\n\n"
        "Look at <http://www.harbour.example/\ntides> now.\n"
        "--x\nContent-Type: message/rfc822\n\nFrom: Dan <dan@b.example>\nSubject: inner\n"
        "Content-Type: text/html\n\n<a href=http://evil.example/>www.bank.example</a>\n--x--\n"
    )
    index_sources(tmp_path / "links.db", [tmp_path / "mail.eml"])
    found = figures(tmp_path / "links.db")
    assert (found.mails, found.links, found.deceptive, found.mended) == (1, 3, 1, 1)
    [(message, place)] = places(tmp_path / "links.db", "http://www.harbour.example/tides")
    assert message[:3] == ("2025-01-02 08:00", "Ada <ada@a.example>", "see")
    assert place.broken == "http://www.harbour.example/ \u23ce tides"
    assert "Look at <[URL]> now." in place.context
    [(message, place)] = places(tmp_path / "links.db", "http://evil.example/")
    assert place.lie == "Shows www.bank.example, but leads to evil.example"


def test_a_limit_is_of_those_that_came_last_and_is_said(archive):
    links = read(archive, 3)  # the others were seen in January
    assert {target.address.text for target in links.targets} == {
        "http://login.example.net/in", "http://login.example.net/z", "http://pixel.example.net/1.gif"
    }  # fmt: skip
    assert (figures_of(links).links, links.mails, links.left_out) == (5, 3, 4)
    page = page_of(str(archive), 3)
    assert "This page is about the 3 targets that came last" in page
    assert "4 older ones are left out" in page
    whole = page_of(str(archive))
    assert "are left out" not in whole
    assert page_of(str(archive), 10**30) == whole
    for limit, targets in (("0", 7), ("2", 2)):  # 0 is none
        assert len(Page(outcome("report", archive, "--limit", limit)[1]).data["targets"]) == targets
    assert outcome("report", archive, "--limit", "-1") == (2, "", "urlextract: --limit: -1 is less than 0\n")


# --- the picture -------------------------------------------------------------------------------------


def test_one_burst_does_not_make_all_others_a_pixel_high():
    counts = {f"{2000 + at // 12}-{at % 12 + 1:02}": 700 + 10 * (at % 7) for at in range(60)}
    counts["2001-09"] = 25_602
    chart = chart_of(Counter(counts))
    assert chart.top == 760
    assert min(bar.height for bar in chart.bars) > HEIGHT / 2
    assert [(bar.month, bar.links, bar.height) for bar in chart.cut] == [("2001-09", 25_602, HEIGHT)]


@pytest.mark.parametrize("counts", [[], [1], [1, 1_000], [1, 2, 3, 4], [1.02**n for n in range(350, 470)]])
def test_nothing_is_cut_where_all_can_be_seen(counts):
    chart = chart_of(Counter({f"{2000 + at // 12}-{at % 12 + 1:02}": int(n) for at, n in enumerate(counts)}))
    assert chart.cut == []
    assert len(chart.bars) == len(counts)
    assert all(0 <= bar.y < HEIGHT and 0 <= bar.x < bar.x + bar.width <= 100 for bar in chart.bars)


@pytest.mark.parametrize("years", range(1, 41))
def test_labels_of_years_are_within_the_picture(years):
    chart = chart_of(Counter({"1994-11": 1, f"{1993 + years}-12": 1}))
    assert (chart.start, chart.end) == ("1994-01", f"{1994 + years}-01")
    assert 1 <= len(chart.labels) <= 18
    assert 1 <= sum(label.is_major for label in chart.labels) <= 6
    assert (chart.labels[0].x, chart.labels[0].year) == (0, "1994")
    assert all(0 <= label.x <= 100 for label in chart.labels)


def test_dates_decades_away_do_not_squeeze_the_picture_and_are_told(tmp_path):
    dates = {"1971-01": 4, "2014-05": 5, "2026-01": 7, "2098-01": 1}
    mails = [mail("a@a.example", f"{date}-05T00:00:00Z", "x", *number * [{"url": "http://a.example/"}])
             for date, number in dates.items()]  # fmt: skip
    index = fill(tmp_path / "links.db", mails)
    chart = chart_of(figures(index).months)
    assert [bar.month for bar in chart.bars] == ["2014-05", "2026-01"]
    page = page_of(str(index))
    assert '<a href="#q=before:2014-01">4 links</a> decades before the others' in page
    assert '<a href="#q=after:2027-01">1 link</a> decades after the others' in page


# --- what is shown of URLs and texts -------------------------------------------------------------------


@pytest.mark.parametrize(("url", "is_link"), [
    ("http://a.example/", True), ("https://a.example/x?y#z", True), ("ftp://a.example/x", True),
    ("HTTPS://A.example/", True), ("mailto:ada@a.example", True),
    ("javascript:alert(1)", False), ("JaVaScRiPt:alert(1)", False), ("data:text/html,<b>", False),
    ("file:///etc/passwd", False), ("vbscript:x", False), ("blob:http://a.example/1", False),
    ("gopher://a.example/", False), ("news:a.b", False), ("x-other:y", False),
    (" javascript:alert(1)", False), ("java\tscript:alert(1)", False),
    ("mailto:a@b.example?attach=/etc/passwd", False),
    ("http://a b.example/", False), ("http://[::x]/", False), ("http://a.example:99999/", False),
    ("http:/a.example/", True), ("http:\\\\a.example\\x", True), ("http://a_b.example/", True),
    ("http://[::1]/", True), ("http://[fe80::1%25eth0]/", False), ("http://xn--a.example/", False),
    ("http://%ff/", False), ("http://4294967296/", False), ("http://1.2.3.4.5/", False),
    (f"http://a.example/{'x' * LONGEST_URL}", False),
])  # fmt: skip
def test_only_whole_urls_that_show_something_are_links(url, is_link):
    assert address_of(url).is_link == is_link


@pytest.mark.parametrize(("url", "host", "warning"), [
    ("http://a.example/b", "a.example", ""),
    ("http://ada:pw@a.example:81/b", "a.example", "Leads to a.example: a password"),
    ("http://www.bank.example@evil.example/", "evil.example", "Leads to evil.example: a user name"),
    ("http://evil.example\\@bank.example/", "evil.example", "Leads to evil.example: "),
    ("http://b\u0430nk.example/", "b\u0430nk.example", "Leads to xn--bnk-6cd.example: letters of several"),
    ("http://0x7f000001/", "0x7f000001", "Leads to 127.0.0.1: an address written as a number"),
    ("http://%30x7f.1./", "%30x7f.1.", "Leads to 127.0.0.1: a percent-encoded host name"),
    ("file:\\\\host\\share", "", "Leads to host: a backslash"),
])  # fmt: skip
def test_the_host_is_where_a_click_leads(url, host, warning):
    address = address_of(url)
    assert address.text[slice(*address.host)] == host
    assert address.warning.startswith(warning)
    assert bool(address.warning) == bool(warning)


def test_characters_that_deceive_are_escapes_and_long_texts_are_cut_where_an_ellipsis_is():
    deceiving = "a\u202eb\u2066c\u200bd\x00e\x1b[2Jf\u2028g\udc80h\u206ai\ufeffj\u061ck"
    assert shortened(deceiving) == (r"a\u202eb\u2066c\u200bd\x00e\x1b[2Jf g\x80h\u206ai\ufeffj\u061ck")
    assert "\u202e" not in address_of(f"http://a.example/{deceiving}").text
    assert shortened("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT
    cut = shortened("x" * 1_000_000)
    assert (len(cut), cut[-2:]) == (LONGEST_TEXT, "x\u2026")
    assert len(address_of(f"http://a.example/{'x' * 100_000}").text) == LONGEST_URL


# --- the page ------------------------------------------------------------------------------------------


class Page(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self._inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        self.texts.setdefault(self._inside, []).append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def data(self) -> dict[str, Any]:
        block: dict[str, Any] = json.loads(self.texts["script"][0])
        return block


def test_the_page_allows_its_own_style_and_script_alone_and_needs_nothing_else(archive):
    page = Page(page_of(str(archive)))
    [policy] = [meta["content"] for meta in page.named("meta") if "http-equiv" in meta and "src" in str(meta)]
    rules = dict(rule.strip().split(" ", 1) for rule in str(policy).split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for rule, block in (("script-src", page.texts["script"][1]), ("style-src", page.texts["style"][0])):
        digest = b64encode(sha256(block.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    loading = {"src", "srcset", "background", "poster", "data", "action", "formaction", "style", "ping",
               "srcdoc"}  # fmt: skip
    elements = {"link", "iframe", "object", "embed", "base", "img", "video", "audio", "source"}
    for tag, attributes in page.elements:
        assert tag not in elements, tag
        assert not loading & set(attributes), (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
    assert all(re.match(r"#\w+\Z|#q=[\w:&=-]*\Z", str(link["href"])) for link in page.named("a")
               if "href" in link)  # fmt: skip


def test_the_page_can_be_used_without_eyes_or_mouse(archive):
    page = Page(page_of(str(archive)))
    assert page.named("html")[0]["lang"] == "en"
    assert page.texts["title"][0] == "Links of links.db"
    names = {str(attributes.get("id")) for _, attributes in page.elements if attributes.get("id")}
    for tag, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert set((attributes.get(name) or "").split()) <= names, (tag, attributes)
    assert [label["for"] for label in page.named("label")] == [field["id"] for field in page.named("input")]
    assert all(header.get("scope") for header in page.named("th"))
    assert {"header", "main"} <= {tag for tag, _ in page.elements}
    assert [int(tag[1]) for tag, _ in page.elements if re.match(r"h\d", tag)] == [1, 2, 2, 2]


def test_the_page_says_of_what_time_the_mail_is_and_whether_there_is_more(tmp_path):
    at = {"url": "http://a.example/"}
    index = fill(tmp_path / "links.db", [], finished=None)
    assert "There are no links in this index" in page_of(str(index))
    assert "goes on, or was stopped" in page_of(str(index))
    fill(index, [mail("a@a.example", None, "x", at)])
    assert "<p>Indexed until 2026-02-01 10:00 UTC.</p>" in page_of(str(index))
    assert '<a href="#q=is:undated">1 link</a> without a date' in page_of(str(index))
    assert "goes on, or was stopped" not in page_of(str(index))
    fill(index, [mail("a@a.example", "2024-05-01T00:00:00Z", "x", at)])
    assert "<p>Mail of 2024-05-01. Indexed until 2026-02-01 10:00 UTC.</p>" in page_of(str(index))
    fill(index, [mail("a@a.example", "2025-06-01T00:00:00Z", "x", at, at)])
    assert "<p>Mail from 2024-05-01 to 2025-06-01. Indexed until" in page_of(str(index))


HOSTILE = (
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<!--<script>", "]]>",
    "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "{{7*7}}",
    "{% raw %}", "</title><b>", "</style><b>", "</template><b>", "\u2028\u2029", "&lt;b&gt;", "\\u003c",
    "a\x00b", "\x1b[2J", "\u202egpj.exe", "x" * 1_000_000, "<" * 100_000,
)  # fmt: skip


def page_with(text: str, index: Path) -> str:
    """Return the page of an index that has ``text`` in every column."""
    place = {
        "url": f"http://a.example/{text}", "raw": text, "text": text, "context": text, "shown": text,
        "differs": "domain", "defects": codes("shows-another-domain"), "element": "a", "attribute": "href",
        "domain": text, "unwrapped": text, "wrapped_by": text, "repaired": 1, "media_type": text,
        "target_domain": text, "repairs": codes("joined-lines", text[:500]),
    }  # fmt: skip
    columns = ("doubtful_date", "message_id", "list_id", "file", "page", "title", "from_name")
    fill(index, [mail(text, text, text, place, **dict.fromkeys(columns, text))])
    with closing(connect(index)) as connection, connection:
        connection.execute("UPDATE runs SET program = ?1, options = ?1, started = ?1, finished = ?1", (text,))
        connection.execute("UPDATE sources SET path = ?1, kind = ?1", (text,))
    return page_of(str(index))


@pytest.mark.parametrize("text", mostly_slow(HOSTILE, 5))
def test_texts_of_strangers_stay_texts(text, tmp_path):
    source = page_with(text, tmp_path / "hostile.db")
    hostile, plain = Page(source), Page(page_with("x", tmp_path / "plain.db"))
    assert hostile.elements[8:] == plain.elements[8:]  # behind the head, whose title is another
    assert hostile.texts["script"][1:] == plain.texts["script"][1:]
    assert hostile.data["messages"][0][1] == shortened(text)
    block = source.partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&\u2028") & set(block)


# --- indexes that cannot be read, or are written to -----------------------------------------------------


def changed(path: Path, statement: str) -> Path:
    with closing(connect(path)) as connection:
        connection.execute(statement)
    return path


def test_what_is_no_index_is_one_line(tmp_path):
    (tmp_path / "text").write_text("http://a.example/\n")
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE places (id)")
    whole = fill(tmp_path / "whole", ARCHIVE).read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    changed(tmp_path / "newer", f"PRAGMA user_version = {VERSION + 1}")
    changed(tmp_path / "without", "DROP TABLE urls")
    page = tmp_path / "page.html"
    page.write_text("the page of yesterday")
    for name, cause in {
        "missing": "No such file or directory",
        "text": "is no index of URLs, and no SQLite file",
        "empty": "is no index of URLs",
        "folder": "is no index of URLs, and no file",
        "other": "is no index of URLs, but another SQLite file",
        "newer": f"is an index of a newer version of the program ({VERSION + 1}; this one has {VERSION})",
        "cut": "is damaged: database disk image is malformed",
        "without": "lacks the table urls: make a new index",
    }.items():
        path = tmp_path / name
        assert outcome("report", path, "-o", page) == (2, "", f"urlextract: {path}: {cause}\n")
        assert page.read_text() == "the page of yesterday"
    assert not list(tmp_path.glob(".urlextract-*"))


def test_damage_anywhere_is_one_line_or_a_page(tmp_path):
    """Bytes are changed at random: SQLite finds most of it, and what it does not find is shown."""
    whole = fill(tmp_path / "links.db", ARCHIVE).read_bytes()
    chance = random.Random(1738)
    damaged = tmp_path / "damaged.db"
    outcomes = set()
    for _ in range(50):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 200)):
            data[chance.randrange(100, len(data))] = chance.randrange(256)
        damaged.write_bytes(data)
        try:
            outcomes.add("a page" if "<title>" in page_of(str(damaged)) else "half a page")
        except IndexFileError as error:
            outcomes.add(str(error))
    assert "a page" in outcomes
    assert len(outcomes) > 5
    assert not [text for text in outcomes if "\n" in text]


def test_columns_of_another_type_are_shown_as_texts(archive):
    with closing(connect(archive)) as connection, connection:
        for table, columns in {
            "messages": "sender from_address subject list_id number message_id page file",
            "places": "text context header raw repairs shown", "sources": "path kind",
            "urls": "wrapped_by unwrapped target_key target_domain scheme",
            "runs": "program options messages finished",
        }.items():  # fmt: skip
            for column in columns.split():
                connection.execute(f"UPDATE {table} SET {column} = x'00ff3c'")  # noqa: S608 - of the test
        connection.execute("UPDATE messages SET date = 7")
        connection.execute("UPDATE places SET url_id = 'x', message_id = 'y', source_id = -1 WHERE id = 3")
        connection.execute("UPDATE places SET message_id = 'y', source_id = -1 WHERE id = 4")
    assert "<title>" in page_of(str(archive))


def test_a_locked_index_is_one_line(archive, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.01)
    with closing(sqlite3.connect(archive, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(IndexFileError, match=r"links\.db: is being written by another run\Z"):
            page_of(str(archive))


def test_a_page_is_of_one_moment_while_the_index_is_written(archive):
    writer = sqlite3.connect(archive, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    with opened_for_reading(str(archive)) as connection:
        before = links_of(connection)
        source = insert(writer, "sources", path="more.mbox", kind="file")
        message = insert(writer, "messages", source_id=source, number=1)
        add_place(writer, source, message, {}, {"url": "http://www.harbour.example/tides"})
        assert links_of(connection) == before
    assert (figures(archive).mails, figures(archive).links) == (6, 14)
    writer.close()


# --- the command ---------------------------------------------------------------------------------------


def test_the_page_is_printed_or_written_to_a_file(archive, tmp_path):
    status, page, errors = outcome("report", archive)
    assert (status, errors) == (0, "")
    assert page == page_of(str(archive))
    assert outcome("report", archive, "-o", tmp_path / "links.html") == (0, "", "")
    assert (tmp_path / "links.html").read_text("utf-8") == page
    assert started("report", archive, "-o", "/dev/stdout").stdout.decode() == page  # a pipe
    assert outcome("report", archive, "-o", "/dev/null") == (0, "", "")
    assert os.path.exists("/dev/null")
    assert not os.path.isfile("/dev/null")


def test_the_manual_has_the_limits_of_the_page():
    page = ROOT / "urlextract" / "share" / "man" / "man1" / "urlextract.1"
    manual = " ".join(page.read_text().split())
    assert f"Texts are cut at {LONGEST_TEXT} characters and URLs at {LONGEST_URL:,}" in manual


@pytest.mark.parametrize("name", ["links.db", "symbolic", "hard", "links.db-wal"])
def test_the_index_is_not_the_output(name, archive, tmp_path):
    (tmp_path / "symbolic").symlink_to(archive)
    (tmp_path / "hard").hardlink_to(archive)
    (tmp_path / "links.db-wal").write_bytes(b"")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "index").symlink_to(archive)  # SQLite has its files where the target is
    before = archive.read_bytes()
    for index in (archive, tmp_path / "elsewhere" / "index"):
        expected = (2, "", f"urlextract: {index}: is the output, too, and would be lost\n")
        assert outcome("report", index, "-o", tmp_path / name) == expected
    assert archive.read_bytes() == before


def errors_of_a_page_to(stream: BinaryIO, index: Path) -> bytes:
    command = [*COMMAND, "report", index]
    done = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
    assert done.returncode == 2
    return done.stderr


def test_the_index_is_not_standard_output(archive):
    before = archive.read_bytes()
    with archive.open("ab") as stream:
        assert b"is the output, too" in errors_of_a_page_to(stream, archive)
    assert archive.read_bytes() == before


def test_an_output_that_is_full_or_cannot_be_made_is_one_line(archive, tmp_path):
    page = tmp_path / "links.html"
    page.write_text("the page of yesterday")
    room = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4_096, 4_096))
    expected = (2, "", f"urlextract: {page}: File too large\n")
    assert outcome("report", archive, "-o", page, preexec_fn=room) == expected
    assert page.read_text() == "the page of yesterday"
    assert not list(tmp_path.glob(".urlextract-*"))
    with open("/dev/full", "wb") as full:
        told = b"urlextract: output: No space left on device\n"
        assert errors_of_a_page_to(full, archive) == told
    for path, cause in {
        tmp_path / "no" / "x": "No such file or directory",
        tmp_path: "Is a directory",
    }.items():
        assert outcome("report", archive, "-o", path) == (2, "", f"urlextract: {path}: {cause}\n")


def test_without_jinja_a_line_says_how_to_install_it_from_a_checkout_too(archive):
    """The library is named, not an extra of the package: that one is not on PyPI for a checkout."""
    program = "import sys; sys.modules['jinja2'] = None; from urlextract.__main__ import main; main()"
    command = [sys.executable, "-c", program, "report", archive]
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
    told = b"report needs Jinja2, which is not installed: pip install jinja2"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"urlextract: %s\n" % told)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert [re.match(r"\w+", name).group() for name in extras["report"]] == ["jinja2"]


def test_other_commands_need_no_jinja():
    program = "import sys, urlextract.cli.extracting; print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=ENVIRONMENT, check=True)
    assert done.stdout == b"False\n"


# --- cost ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_time_is_in_proportion_to_the_links(tmp_path):
    def index(count: int) -> str:
        path = tmp_path / f"{count}.db"
        return str(fill(path, (
            mail(f"a{number}@a.example", "2025-01-01T00:00:00Z", f"subject {number}",
                 {"url": f"http://h{number}.example/{number}", "context": f"words {number}"})
            for number in range(count)
        )))  # fmt: skip

    assert growth(page_of, index, 1_000, 8_000) < LINEAR


@pytest.mark.parametrize("piece", mostly_slow(["<", "a@", "\u202e", " ", "\u0301", "\udc80", "&", "\n"]))
def test_time_for_hostile_texts_is_proportional_to_the_length(piece):
    def work(text: str) -> None:
        shortened(text)
        address_of(f"http://{text}")

    assert growth(work, lambda size: piece * (size // len(piece)), 50_000, 400_000) < LINEAR
