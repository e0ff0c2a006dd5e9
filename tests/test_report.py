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
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from commands import COMMAND, ENVIRONMENT, outcome
from costs import LINEAR, growth
from made_indexes import connect, fill, insert
from realtools import ROOT

from urlextract import index_sources
from urlextract.errors import IndexFileError
from urlextract.index import database
from urlextract.index.database import opened_for_reading
from urlextract.index.schema import VERSION
from urlextract.report.chart import HEIGHT, chart_of
from urlextract.report.figures import MOST, Figures, add_functions, figures_of
from urlextract.report.listing import Row, packed, rows_of
from urlextract.report.rendering import LIMIT, page_of
from urlextract.report.wording import LONGEST_TEXT, LONGEST_URL, address_of, shortened

if TYPE_CHECKING:
    from pathlib import Path

    from made_indexes import Mail

LIE = {
    "element": "a", "attribute": "href", "text": "www.bank.example", "shown": "www.bank.example",
    "differs": "domain", "defects": "shows-another-domain",
}  # fmt: skip


def mail(sender: str, date: str | None, subject: str, *places: dict[str, Any]) -> Mail:
    return {"from": sender, "date": date, "subject": subject}, list(places)


# The archive of a small club: what a careful person would want to see of it is in the tests.
ARCHIVE = [
    mail("Ada Moss <ada@a.example>", "2024-12-30T08:00:00Z", "Tides",
         {"url": "http://www.harbour.example/tides", "context": "see http://www.harbour.example/tides now"},
         {"url": "http://lists.example.org/leave", "header": "List-Unsubscribe"}),
    mail("Ada <ADA@a.example>", "2025-01-02T08:00:00Z", "Tides again",
         {"url": "HTTP://www.harbour.example:80/tides"},
         {"url": "http://lists.example.org/leave", "header": "List-Unsubscribe"}),
    mail("dan@b.example", "2025-01-03T09:30:00Z", "Re: Tides",
         {"url": "http://www.harbour.example/tides"},
         {"url": "http://www.harbour.example/map", "raw": "http://www.harbour.example/\n> map", "repaired": 1,
          "repairs": "joined-lines removed-quote-prefix"},
         {"url": "http://www.example.com", "raw": "www.example.com", "repaired": 1,
          "repairs": "added-scheme"},
         {"url": "http://lists.example.org/leave", "header": "List-Unsubscribe"},
         {"url": "http://pixel.example.net/1.gif", "element": "img", "attribute": "src"}),
    mail("bank@c.example", "2025-03-01T00:00:00Z", "Your account",
         {"url": "http://login.example.net/in", **LIE},
         {"url": "http://pixel.example.net/1.gif", "element": "img", "attribute": "src"},
         {"url": "https://gate.example/?u=1", "unwrapped": "http://login.example.net/z",
          "wrapped_by": "Gate", **LIE}),
    mail("bank@c.example", None, "Your account, again", {"url": "http://login.example.net/in", **LIE}),
    mail("dan@b.example", "2025-03-02T00:00:00Z", "Nothing"),
]  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return fill(tmp_path / "links.db", ARCHIVE)


def figures(index: Path) -> Figures:
    with opened_for_reading(str(index)) as connection:
        add_functions(connection)
        return figures_of(connection)


def rows(index: Path, limit: int | None = None) -> list[Row]:
    with opened_for_reading(str(index)) as connection:
        return rows_of(connection, limit)


# --- figures ---------------------------------------------------------------------------------------


def test_figures_count_what_is_in_the_index(archive):
    found = figures(archive)
    assert (found.sources, found.messages, found.with_links) == (1, 6, 6)
    assert (found.links, found.urls, found.domains) == (13, 8, 5)
    assert (found.lying, found.mended_links) == (3, 1)
    assert (found.first, found.last, found.updated) == ("2024-12-30", "2025-03-02", "2026-02-01 10:00")
    assert found.months == (("2024-12", 2), ("2025-01", 7), ("2025-03", 3))


def test_records_that_were_loaded_do_not_say_how_many_mails_were_read(archive):
    assert "<dt>mails read</dt><dd>6</dd>" in page_of(str(archive))
    with sqlite3.connect(archive) as connection:
        insert(connection, "sources", path="links/part-1.jsonl.zst", kind="part")
    assert (figures(archive).messages, figures(archive).with_links) == (None, 6)
    page = page_of(str(archive))
    assert "mails read" not in page
    assert "<dt>mails with links</dt><dd>6</dd>" in page


def test_domains_come_by_the_number_of_their_links(archive):
    top = [(domain.name, domain.links, domain.urls) for domain in figures(archive).top_domains]
    assert top == [
        ("example.net", 4, 2), ("harbour.example", 4, 3), ("example.org", 3, 1), ("example.com", 1, 1),
        ("gate.example", 1, 1),
    ]  # fmt: skip


def test_people_who_sent_a_link_count_once_each(archive):
    """Ada has two spellings of her name, and the URL two; lists and pictures are nobody's own words."""
    [shared] = figures(archive).shared
    assert (shared.address.text, shared.senders, shared.links) == ("http://www.harbour.example/tides", 2, 3)
    assert (shared.first, shared.last) == ("2024-12-30", "2025-01-03")


def test_a_gateways_links_of_the_same_target_are_one(tmp_path):
    mails = [
        mail(f"{name}@a.example", "2025-01-02T08:00:00Z", "x",
             {"url": f"https://gate.example/?u={name}", "wrapped_by": "Gate",
              "unwrapped": "http://a.example/"})
        for name in ("ada", "dan", "eve")
    ]  # fmt: skip
    [shared] = figures(fill(tmp_path / "links.db", mails)).shared
    assert (shared.senders, shared.address.target) == (3, "Leads on to http://a.example/, through Gate")


def test_lies_say_what_is_shown_and_where_it_leads(archive):
    lies = [(lie.shown, lie.host, lie.links, lie.last, lie.subject) for lie in figures(archive).lies]
    assert lies == [
        ("www.bank.example", "login.example.net", 2, "2025-03-01", "Your account"),
        ("www.bank.example", "login.example.net", 1, "2025-03-01", "Your account"),
    ]


def test_mended_urls_are_those_that_were_broken(archive):
    [mended] = figures(archive).mended
    assert mended.lines == ("http://www.harbour.example/", "> map")
    assert (mended.address.text, mended.repairs) == (
        "http://www.harbour.example/map", "joined lines, removed quote prefix"
    )  # fmt: skip


def test_tables_of_the_summary_are_bounded_and_say_so(tmp_path):
    mails = [
        mail(f"{name}@a.example", "2025-01-02T08:00:00Z", "x", *(
            {"url": f"http://h{number}.example/"} for number in range(MOST + 5)
        ))
        for name in ("ada", "dan")
    ]  # fmt: skip
    index = fill(tmp_path / "links.db", mails)
    assert len(figures(index).top_domains) == len(figures(index).shared) == MOST
    assert page_of(str(index)).count(f"The first {MOST} of {MOST + 5}.") == 2


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
    assert (found.messages, found.with_links, found.links) == (1, 1, 3)
    assert [(lie.shown, lie.host, lie.sender) for lie in found.lies] == [
        ("www.bank.example", "evil.example", "Dan <dan@b.example>")
    ]
    [mended] = found.mended
    assert mended.lines == ("http://www.harbour.example/", "tides")
    [row] = [row for row in rows(tmp_path / "links.db") if row.is_mended]
    assert (row.date, row.context) == ("2025-01-02 08:00", "Look at <[URL]> now.")


# --- the chart ---------------------------------------------------------------------------------------


def test_chart_has_whole_years_without_gaps():
    chart = chart_of([("2023-11", 2), ("2025-02", 4)])
    assert [year.name for year in chart.years] == ["2023", "2024", "2025"]
    assert [year.links for year in chart.years] == [2, 0, 4]
    assert chart.years[0].months == (0,) * 10 + (2, 0)
    assert [(bar.month, bar.y, bar.height) for bar in chart.bars] == [
        ("2023-11", HEIGHT / 2, HEIGHT / 2), ("2025-02", 0, HEIGHT)
    ]  # fmt: skip
    assert chart.bars[0].x < chart.bars[1].x < 960


@pytest.mark.parametrize("years", range(1, 41))
def test_labels_of_years_are_within_the_chart(years):
    labelled = [
        year.x for year in chart_of([("1994-11", 1), (f"{1993 + years}-12", 1)]).years if year.x is not None
    ]
    assert labelled[0] == 0
    assert labelled[-1] <= 960 - 40


def test_dates_of_other_centuries_do_not_squeeze_the_chart():
    months = [("0001-01", 3), ("1970-01", 4), ("2004-05", 5), ("2026-01", 7), ("2100-01", 1), ("9999-12", 2)]
    chart = chart_of(months)
    assert [bar.month for bar in chart.bars] == ["2004-05", "2026-01"]
    assert chart.outside == 10


@pytest.mark.parametrize(
    "months", [[], [("", 1)], [("x", 1), ("2024-13", 2)], [("20240-1", 1)], [("2024-", 1)]]
)
def test_a_chart_of_no_month_is_empty(months):
    chart = chart_of(months)
    assert (chart.bars, chart.years, chart.outside) == ((), (), sum(links for _, links in months))


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
])  # fmt: skip
def test_the_host_is_where_a_click_leads(url, host, warning):
    address = address_of(url)
    assert address.text[slice(*address.host)] == host
    assert address.warning.startswith(warning)
    assert bool(address.warning) == bool(warning)


def test_characters_that_deceive_are_escapes():
    deceiving = "a\u202eb\u2066c\u200bd\x00e\x1b[2Jf\u2028g\udc80h\u206ai\ufeffj\u061ck"
    assert shortened(deceiving) == (r"a\u202eb\u2066c\u200bd\x00e\x1b[2Jf g\x80h\u206ai\ufeffj\u061ck")
    assert "\u202e" not in address_of(f"http://a.example/{deceiving}").text


def test_long_texts_are_cut_where_an_ellipsis_is():
    assert shortened("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT
    cut = shortened("x" * 1_000_000)
    assert (len(cut), cut[-2:]) == (LONGEST_TEXT, "x\u2026")
    assert len(address_of(f"http://a.example/{'x' * 100_000}").text) == LONGEST_URL


# --- the table -----------------------------------------------------------------------------------------


def test_rows_are_the_latest_and_those_without_a_date_come_last(archive):
    found = rows(archive)
    assert len(found) == 13
    assert [row.date for row in found] == sorted((row.date for row in found), reverse=True)
    assert (found[-1].date, found[-1].subject) == ("", "Your account, again")
    assert rows(archive, 3) == found[:3]


def test_a_row_has_what_is_known_of_the_link(archive):
    [row] = [row for row in rows(archive) if row.date == "2024-12-30 08:00" and row.context]
    assert (row.sender, row.subject, row.context) == ("Ada Moss <ada@a.example>", "Tides", "see [URL] now")
    assert (row.domain, row.address.text) == ("harbour.example", "http://www.harbour.example/tides")
    lies = {row.lie for row in rows(archive)}
    assert lies == {"", "Shows www.bank.example, but leads to login.example.net"}
    assert [row.address.text for row in rows(archive) if row.is_mended] == ["http://www.harbour.example/map"]


def unpacked(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows that the script of the page makes of its data."""
    links, urls, messages = data["links"], data["urls"], data["messages"]
    return [
        (
            messages["date"][message],
            data["senders"][messages["sender"][message]],
            data["subjects"][messages["subject"][message]],
            data["texts"][links["text"][at]],
            data["contexts"][links["context"][at]],
            data["domains"][urls["domain"][url]],
            urls["text"][url],
            (urls["start"][url], urls["end"][url]),
            bool(urls["isLink"][url]),
            data["notes"][urls["target"][url]],
            data["notes"][urls["warning"][url]],
            data["notes"][links["lie"][at]],
            bool(links["isMended"][at]),
        )
        for at, (message, url) in enumerate(zip(links["message"], links["url"], strict=True))
    ]


def test_packed_rows_are_the_rows(archive):
    found = rows(archive)
    assert unpacked(packed(found)) == [(*row[:6], *row.address, *row[7:]) for row in found]


def test_packed_lists_are_sorted_as_the_table_sorts(archive):
    data = packed(rows(archive))
    for name in ("senders", "subjects", "texts", "domains"):
        assert data[name] == sorted(data[name], key=str.casefold)
    assert data["messages"]["date"] == sorted(data["messages"]["date"])
    assert data["urls"]["domain"] == sorted(data["urls"]["domain"])
    assert data["notes"][0] == ""


# --- the page ------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements of a page with their attributes, and the texts of blocks and cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "template": []}
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


def test_the_page_allows_its_own_style_and_script_alone(archive):
    page = Page(page_of(str(archive)))
    [policy] = [meta["content"] for meta in page.named("meta") if "http-equiv" in meta and "src" in str(meta)]
    assert policy
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == rules["img-src"] == "'none'"
    for rule, block in (("script-src", page.texts["script"][1]), ("style-src", page.texts["style"][0])):
        digest = b64encode(sha256(block.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_the_page_needs_nothing_else(archive):
    page = Page(page_of(str(archive)))
    loading = {
        "src",
        "srcset",
        "background",
        "poster",
        "data",
        "action",
        "formaction",
        "style",
        "ping",
        "srcdoc",
    }
    for tag, attributes in page.elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "img", "video", "audio", "source"), (
            tag
        )
        assert not loading & set(attributes), (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
    for link in page.named("a"):
        assert link["href"] == "" or re.match(r"#\w+\Z|(?i:https?|ftp)://|mailto:", str(link["href"]))
        if not str(link["href"]).startswith("#"):
            assert (link["rel"], link["target"]) == ("noreferrer noopener", "_blank")


def test_the_page_can_be_used_without_eyes_or_mouse(archive):
    page = Page(page_of(str(archive)))
    assert page.named("html")[0]["lang"] == "en"
    assert page.texts["title"][0] == "Links of links.db"
    names = {str(attributes.get("id")) for _, attributes in page.elements if attributes.get("id")}
    for tag, attributes in page.elements:
        for name in ("aria-labelledby", "for", "list"):
            assert set((attributes.get(name) or "").split()) <= names, (tag, attributes)
    labelled = {label["for"] for label in page.named("label")}
    assert labelled == {field["id"] for tag in ("input", "select") for field in page.named(tag)}
    assert all(header.get("scope") for header in page.named("th"))
    assert {"header", "nav", "main"} <= {tag for tag, _ in page.elements}
    assert [attributes for _, attributes in page.elements if attributes.get("role") == "status"]
    levels = [int(tag[1]) for tag, _ in page.elements if re.match(r"h\d", tag)]
    assert levels[0] == 1
    assert set(levels[1:]) == {2}


def test_without_a_script_the_latest_rows_are_there(tmp_path):
    mails = [
        mail("a@a.example", f"{2020 + number // 12}-{number % 12 + 1:02}-01T00:00:00Z", f"Mail {number}",
             *({"url": f"http://a.example/{number}/{each}"} for each in range(10)))
        for number in range(40)
    ]  # fmt: skip
    page = page_of(str(fill(tmp_path / "links.db", mails)))
    before = page.partition('<script type="application/json"')[0]
    assert before.count("Mail 39<") == 10
    assert before.count('<td role="cell" class="subject">Mail') == 200
    assert "these are the latest 200" in before
    assert "these are the latest" not in page_of(str(fill(tmp_path / "few.db", mails[:9])))


def test_a_limit_is_said(archive):
    page = page_of(str(archive), 5)
    assert "The table has the latest 5 of 13 links" in page
    assert len(Page(page).data["links"]["url"]) == 5
    assert "The table has the latest" not in page_of(str(archive))


def test_an_empty_index_makes_a_page_that_says_so(tmp_path):
    index = fill(tmp_path / "links.db", [], finished=None)
    page = page_of(str(index))
    assert "There are no links in this index" in page
    assert "goes on, or was stopped" in page
    fill(index, [mail("a@a.example", None, "x")])
    assert "There are no links in this index: 1 mail read" in page_of(str(index))


def test_the_page_says_of_what_time_the_mail_is(tmp_path):
    """A date of another century says nothing of the rest."""
    at = {"url": "http://a.example/"}
    one = fill(tmp_path / "one.db", [mail("a@a.example", "2024-05-01T00:00:00Z", "x", at)])
    page = page_of(str(one))
    assert "<p>Mail of 2024-05-01. Indexed until 2026-02-01 10:00 UTC.</p>" in page
    assert "Bars of 2024-05; the highest has 1 link." in page
    fill(one, [mail("a@a.example", "2025-06-01T00:00:00Z", "x", at, at)])
    page = page_of(str(one))
    assert "<p>Mail from 2024-05-01 to 2025-06-01. Indexed until" in page
    assert "Bars from 2024-05 to 2025-06; the highest has 2 links." in page
    fill(one, [mail("a@a.example", "3609-06-01T00:00:00Z", "x", at)])
    page = page_of(str(one))
    assert "<p>Mail from 2024-05 to 2025-06, and some with dates decades away. Indexed until" in page
    assert "Not drawn: 1 link of mails" in page
    undated = page_of(str(fill(tmp_path / "undated.db", [mail("a@a.example", None, "x", at)])))
    assert "<p>Indexed until 2026-02-01 10:00 UTC.</p>" in undated


HOSTILE = (
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<!--<script>", "]]>",
    "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "{{7*7}}",
    "{% raw %}", "</title><b>", "</style><b>", "</template><b>", "\u2028\u2029", "&lt;b&gt;", "\\u003c",
    "a\x00b", "\x1b[2J", "\u202egpj.exe", "x" * 1_000_000, "<" * 100_000,
)  # fmt: skip


def page_with(text: str, index: Path) -> Page:
    """Return the page of an index that has ``text`` in every column."""
    place = {
        "url": f"http://a.example/{text}", "raw": text, "text": text, "context": text, "shown": text,
        "differs": "domain", "defects": "shows-another-domain", "element": "a", "attribute": "href",
        "domain": text, "unwrapped": text, "wrapped_by": text, "repaired": 1,
        "repairs": f"joined-lines {text}",
    }  # fmt: skip
    return Page(page_of(str(fill(index, [mail(text, text, text, place)]))))


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_strangers_stay_texts(text, tmp_path):
    hostile, plain = page_with(text, tmp_path / "hostile.db"), page_with("x", tmp_path / "plain.db")
    kinds = [{(tag, *attributes) for tag, attributes in page.elements} for page in (hostile, plain)]
    assert kinds[0] - {("span", "class")} <= kinds[1]
    assert hostile.texts["script"][1:] == plain.texts["script"][1:]
    assert hostile.data["subjects"] == [shortened(text)]


def test_data_cannot_end_its_block(archive, tmp_path):
    hostile = mail("a@a.example", None, "</script><!--&\u2028", {"url": "http://a.example/"})
    page = page_of(str(fill(tmp_path / "hostile.db", [hostile])))
    block = page.partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&\u2028") & set(block)


# --- indexes that cannot be read, or are written to -----------------------------------------------------


def bad_indexes(folder: Path) -> dict[str, Path]:
    """Return files that are no index of this program, by what is said of them."""
    (folder / "text").write_text("http://a.example/\n")
    (folder / "empty").touch()
    (folder / "folder").mkdir()
    other = sqlite3.connect(folder / "other")
    other.execute("CREATE TABLE places (id)")
    other.close()
    newer = connect(folder / "newer")
    newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    newer.close()
    whole = fill(folder / "whole", ARCHIVE).read_bytes()
    (folder / "cut").write_bytes(whole[: len(whole) // 2])
    without = connect(folder / "without")
    without.execute("DROP VIEW deceptive_links")
    without.close()
    return {
        "No such file or directory": folder / "missing",
        "is no index of URLs, and no SQLite file": folder / "text",
        "is no index of URLs": folder / "empty",
        "is no index of URLs, and no file": folder / "folder",
        "is no index of URLs, but another SQLite file": folder / "other",
        f"is an index of a newer version of the program ({VERSION + 1}; this one has {VERSION})": (
            folder / "newer"
        ),
        "is damaged: database disk image is malformed": folder / "cut",
        "lacks the view deceptive_links: make a new index": folder / "without",
    }


def test_what_is_no_index_is_one_line(tmp_path):
    for cause, path in bad_indexes(tmp_path).items():
        page = tmp_path / "page.html"
        page.write_text("the page of yesterday")
        assert outcome("report", path, "-o", page) == (2, "", f"urlextract: {path}: {cause}\n")
        assert page.read_text() == "the page of yesterday"
    assert not list(tmp_path.glob(".urlextract-*"))


def outcome_of(index: Path) -> str:
    try:
        return "a page" if "<title>" in page_of(str(index)) else "half a page"
    except IndexFileError as error:
        return str(error)


def test_damage_anywhere_is_one_line_or_a_page(tmp_path):
    """Bytes are changed at random: SQLite finds most of it, and what it does not find is shown."""
    whole = fill(tmp_path / "links.db", ARCHIVE).read_bytes()
    chance = random.Random(1738)
    damaged = tmp_path / "damaged.db"
    outcomes = set()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 200)):
            data[chance.randrange(100, len(data))] = chance.randrange(256)
        damaged.write_bytes(data)
        outcomes.add(outcome_of(damaged))
    assert "a page" in outcomes
    assert len(outcomes) > 5
    assert not [text for text in outcomes if "\n" in text]


def test_columns_of_another_type_are_shown_as_texts(tmp_path):
    index = fill(tmp_path / "links.db", ARCHIVE)
    connection = connect(index)
    with connection:
        for table, column in (
            ("messages", '"from"'), ("messages", "subject"), ("places", "text"), ("places", "context"),
            ("places", "raw"), ("places", "repairs"), ("places", "shown"), ("urls", "wrapped_by"),
            ("urls", "unwrapped"),
        ):  # fmt: skip
            connection.execute(f"UPDATE {table} SET {column} = x'00ff3c'")  # noqa: S608 - of the test
        connection.execute("UPDATE messages SET date = 7")
    connection.close()
    assert "<title>" in page_of(str(index))


def test_a_locked_index_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "_PATIENCE", 0.01)
    index = fill(tmp_path / "links.db", ARCHIVE)
    other = sqlite3.connect(index, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(IndexFileError, match=r"links\.db: is being written by another run\Z"):
        page_of(str(index))
    other.close()


def test_a_page_is_of_one_moment_while_the_index_is_written(tmp_path):
    index = fill(tmp_path / "links.db", ARCHIVE)
    writer = sqlite3.connect(index, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    with opened_for_reading(str(index)) as connection:
        add_functions(connection)
        assert len(rows_of(connection, None)) == 13
        source = insert(writer, "sources", path="more.mbox", kind="file", messages=9)
        message = insert(writer, "messages", source_id=source, number=1)
        insert(
            writer, "places", url_id=1, source_id=source, message_id=message, form="bare", line=1, column=1,
            start=0, end=1, raw="x", repaired=0, confidence=1,
        )  # fmt: skip
        assert figures_of(connection).messages == 6
        assert len(rows_of(connection, None)) == 13
    assert figures(index).messages == 15
    writer.close()


# --- the command ---------------------------------------------------------------------------------------


def test_the_page_is_printed_or_written_to_a_file(archive, tmp_path):
    status, page, errors = outcome("report", archive)
    assert (status, errors) == (0, "")
    assert page == page_of(str(archive))
    assert outcome("report", archive, "-o", tmp_path / "links.html") == (0, "", "")
    assert (tmp_path / "links.html").read_text("utf-8") == page
    assert outcome("report", archive, "-o", "/dev/stdout")[1] == page
    assert os.path.exists("/dev/null")
    assert outcome("report", archive, "-o", "/dev/null") == (0, "", "")
    assert not os.path.isfile("/dev/null")


def test_the_manual_has_the_limits_of_the_page():
    page = ROOT / "urlextract" / "share" / "man" / "man1" / "urlextract.1"
    manual = " ".join(page.read_text().split())
    assert f"Default: {LIMIT}." in manual
    assert f"Texts are cut at {LONGEST_TEXT} characters and URLs at {LONGEST_URL:,}" in manual
    assert f"has {MOST} rows at most" in manual


def test_a_limit_of_any_size_is_a_limit(archive, tmp_path):
    assert page_of(str(archive), 10**30) == page_of(str(archive), None)


def test_no_limit_is_zero(archive):
    assert len(Page(outcome("report", archive, "--limit", "0")[1]).data["links"]["url"]) == 13
    assert len(Page(outcome("report", archive, "--limit", "2")[1]).data["links"]["url"]) == 2
    assert outcome("report", archive, "--limit", "-1") == (2, "", "urlextract: --limit: -1 is less than 0\n")


@pytest.mark.parametrize("name", ["links.db", "symbolic", "hard", "links.db-wal"])
def test_the_index_is_not_the_output(name, archive, tmp_path):
    (tmp_path / "symbolic").symlink_to(archive)
    (tmp_path / "hard").hardlink_to(archive)
    (tmp_path / "links.db-wal").write_bytes(b"")
    before = archive.read_bytes()
    expected = (2, "", f"urlextract: {archive}: is the output, too, and would be lost\n")
    assert outcome("report", archive, "-o", tmp_path / name) == expected
    assert archive.read_bytes() == before


def test_files_beside_the_target_of_a_link_are_the_index_too(archive, tmp_path):
    """SQLite has them where the target is."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "index").symlink_to(archive)
    (tmp_path / "links.db-wal").write_bytes(b"")
    status, _, errors = outcome("report", other / "index", "-o", tmp_path / "links.db-wal")
    assert (status, "is the output, too" in errors) == (2, True)


def test_the_index_is_not_standard_output(archive):
    before = archive.read_bytes()
    with archive.open("ab") as stream:
        command = [*COMMAND, "report", archive]
        done = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
    assert done.returncode == 2
    assert b"is the output, too" in done.stderr
    assert archive.read_bytes() == before


def test_a_full_disk_leaves_the_page_of_before(archive, tmp_path):
    page = tmp_path / "links.html"
    page.write_text("the page of yesterday")

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))

    expected = (2, "", f"urlextract: {page}: File too large\n")
    assert outcome("report", archive, "-o", page, preexec_fn=little_room) == expected
    assert page.read_text() == "the page of yesterday"
    assert not list(tmp_path.glob(".urlextract-*"))


def test_full_standard_output_is_one_line(archive):
    with open("/dev/full", "wb") as full:
        command = [*COMMAND, "report", archive]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stderr) == (2, b"urlextract: output: No space left on device\n")


def test_an_output_that_cannot_be_made_is_one_line(archive, tmp_path):
    missing = tmp_path / "no" / "links.html"
    assert outcome("report", archive, "-o", missing) == (
        2, "", f"urlextract: {missing}: No such file or directory\n"
    )  # fmt: skip
    assert outcome("report", archive, "-o", tmp_path)[::2] == (2, f"urlextract: {tmp_path}: Is a directory\n")


def test_without_jinja_a_line_says_how_to_install_it(archive):
    program = (
        "import sys; sys.modules['jinja2'] = None; sys.argv[1:] = ['report', sys.argv[1]];"
        "from urlextract.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, archive], capture_output=True, env=ENVIRONMENT, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == (
        b"urlextract: report needs Jinja2, which is not installed: pip install 'urlextract-mail[report]'\n"
    )


def test_other_commands_need_no_jinja():
    program = "import sys, urlextract.cli.extracting; print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=ENVIRONMENT, check=True)
    assert done.stdout == b"False\n"


# --- cost ------------------------------------------------------------------------------------------------


def test_time_is_in_proportion_to_the_rows(tmp_path):
    def index(count: int) -> str:
        path = tmp_path / f"{count}.db"
        return str(fill(path, (
            mail(f"a{number}@a.example", "2025-01-01T00:00:00Z", f"subject {number}",
                 {"url": f"http://h{number}.example/{number}", "context": f"words {number}"})
            for number in range(count)
        )))  # fmt: skip

    assert growth(page_of, index, 1_000, 8_000) < LINEAR


@pytest.mark.parametrize("piece", ["<", "a@", "\u202e", " ", "\u0301", "\udc80", "&", "\n"])
def test_time_for_hostile_texts_is_proportional_to_the_length(piece):
    def work(text: str) -> None:
        shortened(text)
        address_of(f"http://{text}")

    assert growth(work, lambda size: piece * (size // len(piece)), 50_000, 400_000) < LINEAR
