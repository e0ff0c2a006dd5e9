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
from urlextract.report.chart import HEIGHT, LOW, bars_of, charts_of, drawn_months
from urlextract.report.figures import MOST, Figures, figures_of
from urlextract.report.links import Links, Place, Target, links_of
from urlextract.report.origins import Origins, origins_of
from urlextract.report.packing import packed
from urlextract.report.rendering import page_of
from urlextract.report.wording import LONGEST_TEXT, LONGEST_URL, address_of, moment_of, query, shortened

LIE = {
    "element": "a", "attribute": "href", "text": "www.bank.example", "shown": "www.bank.example",
    "differs": "domain", "defects": codes("shows-another-domain"),
}  # fmt: skip
BROKEN = {
    "raw": "http://www.harbour.example/\n> map", "repaired": 1,
    "repairs": codes("joined-lines", "removed-quote-prefix"),
}  # fmt: skip


def mail(sender: str, date: str | None, subject: str, *places: dict[str, Any], **more: Any) -> Mail:
    address = sender.rpartition("<")[2].rstrip(">").lower()
    message = {"sender": sender, "from_address": address, "date": date, "subject": subject, **more}
    return message, list(places)


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


def read(index: Path, limit: int | None = None) -> tuple[Links, Figures, Origins]:
    with opened_for_reading(str(index)) as connection:
        links = links_of(connection, limit)
        return links, figures_of(connection, links), origins_of(connection, links)


def figures(index: Path) -> Figures:
    return read(index)[1]


def targets(index: Path, limit: int | None = None) -> dict[str, Target]:
    return {target.address.text: target for target in read(index, limit)[0].targets}


def places(index: Path, url: str) -> list[Place]:
    return targets(index)[url].places


# --- targets and their places ------------------------------------------------------------------------


def test_a_target_is_one_whatever_its_links_look_like(archive):
    found = {text: (len(each.places), each.senders, each.first[:10], each.last[:10])
             for text, each in targets(archive).items()}  # fmt: skip
    expected = {
        "http://www.example.com": (1, 1, "2025-01-03", "2025-01-03"),
        "http://login.example.net/in": (2, 1, "2025-03-01", "2025-03-01"),
        "http://login.example.net/z": (1, 1, "2025-03-01", "2025-03-01"),
        "http://pixel.example.net/1.gif": (2, 2, "2025-01-03", "2025-03-01"),
        "http://lists.example.org/leave": (3, 2, "2024-12-30", "2025-01-03"),
        "http://www.harbour.example/map": (1, 1, "2025-01-03", "2025-01-03"),
        "http://www.harbour.example/tides": (3, 2, "2024-12-30", "2025-01-03"),
    }
    assert list(found.items()) == list(expected.items())  # by domain


def test_places_come_with_what_is_known_of_them(archive):
    latest, spelled, first = places(archive, "http://www.harbour.example/tides")
    assert [place.message.date for place in (latest, spelled, first)] == [
        "2025-01-03 09:30", "2025-01-02 08:00", "2024-12-30 08:00"
    ]  # fmt: skip
    assert (first.message.sender, first.message.subject) == ("Ada Moss <ada@a.example>", "Tides")
    assert (first.context, first.written) == ("see [URL] now", "")
    assert spelled.written == "HTTP://www.harbour.example:80/tides"
    assert (first.message.file, first.message.number) == ("mail0.mbox", "1")
    [gateway] = places(archive, "http://login.example.net/z")
    assert (gateway.written, gateway.service) == ("https://gate.example/?u=1", "Gate")
    assert gateway.lie == "Shows www.bank.example, but leads to login.example.net"
    assert gateway.deceit == "bank.example \u2192 example.net"
    [mended] = places(archive, "http://www.harbour.example/map")
    assert mended.mend == "joined lines, removed quote prefix in text/plain"
    fields = {place.where for place in places(archive, "http://lists.example.org/leave")}
    assert fields == {"header field List-Unsubscribe"}


def test_a_mail_or_a_page_of_a_web_archive_is_found_by_what_names_it(tmp_path):
    message = mail("a@a.example", "2025-01-02T08:00:00Z", "x", {"url": "http://a.example/"},
                   file="cur/1:2,S", message_id="<1@a.example>")  # fmt: skip
    page = ({"page": "http://a.example/p", "title": "Of ropes", "date": "2020-01-02T08:00:00Z"},
            [{"url": "http://b.example/"}])  # fmt: skip
    index = fill(tmp_path / "links.db", [message, page])
    [[mailed], [paged]] = (places(index, f"http://{name}.example/") for name in "ab")
    assert mailed.message.file == "mail0.mbox/cur/1:2,S"
    assert (mailed.message.number, mailed.message.message_id) == ("1", "<1@a.example>")
    assert (paged.message.page, paged.message.subject) == ("http://a.example/p", "Of ropes")
    assert (paged.message.date, paged.message.person) == ("2020-01-02 08:00", "")


def test_a_link_in_a_text_that_is_no_message_is_there(archive):
    with closing(connect(archive)) as connection, connection:
        source = insert(connection, "sources", path="/notes.html", kind="file", title="Notes")
        connection.execute("UPDATE places SET message_id = NULL, source_id = ? WHERE id = 1", (source,))
    place = places(archive, "http://www.harbour.example/tides")[-1]
    assert (place.message.file, place.message.date, place.message.number) == ("/notes.html", "", "")
    assert place.message.subject == "Notes"


def test_a_doubtful_date_is_no_first_or_last_of_anything(archive):
    place = places(archive, "http://login.example.net/in")[-1]
    assert (place.message.date, place.message.doubtful) == ("", "1904-01-01T00:00:00Z")
    assert "1904-01" not in figures(archive).months
    [(text, only)] = targets(fill(archive.with_name("only.db"), [ARCHIVE[4]])).items()
    assert (text, only.first, only.last) == ("http://login.example.net/in", "", "")


@pytest.mark.parametrize("date", [
    "0102-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2100-01-01T00:00:00Z", "2025-02-30T00:00:00Z",
    "2025-01-01", "x", "", None, 7, b"2025",
])  # fmt: skip
def test_a_date_that_is_none_is_no_date(date):
    assert moment_of(date) == ""


def test_a_limit_is_of_those_that_came_last(archive):
    links, found, _ = read(archive, 3)  # the others were seen in January
    assert {target.address.text for target in links.targets} == {
        "http://login.example.net/in", "http://login.example.net/z", "http://pixel.example.net/1.gif"
    }  # fmt: skip
    assert (found.links, links.left_out) == (5, 4)


# --- figures ---------------------------------------------------------------------------------------


def test_figures_count_what_is_in_the_index(archive):
    found = figures(archive)
    assert (found.messages, found.mails, found.links) == (6, 5, 13)
    assert (found.deceptive, found.mended, found.undated) == (3, 1, 1)
    assert (found.first, found.last) == ("2024-12-30", "2025-03-02")
    assert found.months == {"2024-12": 2, "2025-01": 7, "2025-03": 3}
    assert found.weekdays == {0: 2, 3: 2, 4: 5, 5: 3}
    assert found.hours == {8: 4, 9: 5, 0: 3}
    assert [(each.name, each.links, len(each.targets), len(each.people)) for each in found.domains] == [
        ("example.net", 5, 3, 2), ("harbour.example", 4, 2, 2), ("example.org", 3, 1, 2),
        ("example.com", 1, 1, 1),
    ]  # fmt: skip
    [kind] = found.mends
    assert (kind.name, kind.links) == ("joined lines, removed quote prefix in text/plain", 1)
    assert kind.lines == ["http://www.harbour.example/", "> map"]


def test_figures_are_those_of_the_views_of_the_index(tmp_path):
    index = fill(tmp_path / "links.db", large_archive(400))
    found = figures(index)
    with sqlite3.connect(index) as connection:
        assert dict(found.months) == dict(connection.execute("SELECT month, places FROM by_month"))
        domains = "SELECT domain, places, substr(first_seen, 1, 10), substr(last_seen, 1, 10) FROM domains"
        assert {
            (each.name, each.links, each.first[:10] or None, each.last[:10] or None) for each in found.domains
        } == set(connection.execute(domains))
        assert [(found.deceptive,)] == list(connection.execute("SELECT count(*) FROM deceptive_links"))


def test_records_that_were_loaded_do_not_say_how_many_mails_were_read(archive):
    assert "<dt>mails read</dt><dd>6</dd>" in page_of(str(archive))
    with sqlite3.connect(archive) as connection:
        insert(connection, "sources", path="links/part-1.jsonl.zst", kind="part")
    assert (figures(archive).messages, figures(archive).mails) == (None, 5)
    page = page_of(str(archive))
    assert "mails read" not in page
    assert "<dt>mails with links</dt><dd>5</dd>" in page


def test_kinds_of_deceit_say_what_is_shown_and_where_it_leads(tmp_path):
    mails = [
        mail("a@a.example", f"2025-01-0{number}T08:00:00Z", f"x {number}",
             {"url": f"http://in{number}.evil.example/", **LIE},
             {"url": "http://bonk.example/", **LIE, "differs": "lookalike", "shown": "bank.example"})
        for number in (1, 2)
    ]  # fmt: skip
    kinds = figures(fill(tmp_path / "links.db", mails)).deceits
    assert [(kind.name, kind.links, kind.last[:10]) for kind in kinds] == [
        ("bank.example \u2192 evil.example", 2, "2025-01-02"),
        ("looks alike: bank.example \u2192 bonk.example", 2, "2025-01-02"),
    ]
    assert kinds[0].example
    assert kinds[0].example[0].address.text == "http://in2.evil.example/"


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
    assert (found.messages, found.mails, found.links) == (1, 1, 3)
    assert [kind.name for kind in found.deceits] == ["bank.example \u2192 evil.example"]
    [kind] = found.mends
    assert kind.lines == ["http://www.harbour.example/", "tides"]
    [place] = places(tmp_path / "links.db", "http://www.harbour.example/tides")
    assert place.message.date == "2025-01-02 08:00"
    assert "Look at <[URL]> now." in place.context


def test_groups_are_at_most_twenty_and_the_page_says_how_many_more(tmp_path):
    mails = [
        mail(f"{name}@a.example", "2025-01-02T08:00:00Z", "x", *(
            {"url": f"http://h{number}.example/", **LIE, **BROKEN, "media_type": f"text/{number}"}
            for number in range(MOST + 5)))
        for name in ("ada", "dan")
    ]  # fmt: skip
    page = page_of(str(fill(tmp_path / "links.db", mails)))
    for noun, times in (("domains", 1), ("targets", 1), ("kinds", 2)):
        assert page.count(f"And 5 more {noun}.") == times
    assert page.count('<td class="kind">') == 2 * MOST


# --- what several people sent ------------------------------------------------------------------------


def shared(index: Path) -> dict[str, int]:
    return {each.target.address.text: each.people for each in figures(index).shared}


def sent(*senders: str, url: str = "http://a.example/", **more: Any) -> list[Mail]:
    """Return a mail of each sender with the URL, and another link."""
    return [
        mail(f"{sender}@a.example", "2025-01-02T08:00:00Z", "x", {"url": url, **more.get("place", {})},
             {"url": f"http://other.example/{url}/{sender}/{number}"}, list_id=more.get("list_id"))
        for number, sender in enumerate(senders)
    ]  # fmt: skip


def test_people_who_sent_a_target_count_once_each(archive):
    """Ada has two spellings of her name, and the URL two; header fields and pictures are no words."""
    assert shared(archive) == {"http://www.harbour.example/tides": 2}
    assert [len(found.target.places) for found in figures(archive).shared] == [3]


GATE = {"wrapped_by": "Gate", "unwrapped": "http://a.example/"}


@pytest.mark.parametrize(("mails", "expected"), [
    (sent("ada", "dan"), 2),
    (sent("ada", "ada"), None),
    (sent("ada", "dan", place={"header": "X-URL"}), None),
    (sent("ada", "dan", place={"element": "img", "attribute": "src"}), None),
    (sent("ada", "dan", place={"context": "Yours, Ada\n-- \nhttp://a.example/"}), None),
    (sent("ada", "dan", place={"context": "http://a.example/\n-- \nAda"}), 2),
    # All four mails of a list have it, or half of them; of three mails nobody can tell.
    (sent("ada", "dan", "eve", "bo", list_id="l"), None),
    (sent("ada", "dan", list_id="l") + sent("a", "b", url="http://b.example/", list_id="l"), None),
    (sent("ada", "dan", list_id="l") + sent("a", "b", "c", url="http://b.example/", list_id="l"), 2),
    (sent("ada", "dan", "eve", list_id="l"), 3),
    # Each mail of Ada has it, so that only Dan and Eve count.
    (sent("ada", "ada", "ada", "ada", "dan", "eve"), 2),
    (sent("ada", "ada", "ada", "ada", "dan"), None),
    # The footer of a provider: of those who sent enough mail to tell, most have it in all mails.
    (sent(*4 * ("ada", "dan"), "eve", "bo"), None),
    # The links of a gateway to one target are one.
    ([each for name in ("ada", "dan", "eve")
      for each in sent(name, url=f"https://gate.example/?u={name}", place=GATE)], 3),
])  # fmt: skip
def test_footers_are_sent_by_nobody(mails, expected, tmp_path):
    assert shared(fill(tmp_path / "links.db", mails)).get("http://a.example/") == expected


# --- where it comes from -----------------------------------------------------------------------------


def test_sources_runs_and_damage_are_told(archive):
    fill(archive, [ARCHIVE[0]])
    with closing(connect(archive)) as connection, connection:
        insert(connection, "damage", source="mail0.mbox", cause="gzip ends too early", offset=77)
        insert(connection, "damage", source="mail0.mbox (a.txt)", cause="is no text")
        connection.execute("UPDATE runs SET options = ?, messages = 6", ('{"since": "2y", "unwrap": true}',))
    origins = read(archive)[2]
    assert [(each.name, each.messages, each.links, each.damage) for each in origins.sources] == [
        ("mail0.mbox", 6, 13, 1), ("mail1.mbox", 1, 2, 0)
    ]  # fmt: skip
    assert [(each.source, each.cause, each.offset) for each in origins.damage] == [
        ("mail0.mbox", "gzip ends too early", "77"), ("mail0.mbox (a.txt)", "is no text", "")
    ]  # fmt: skip
    run = origins.runs[0]
    assert (run.program, run.options, run.messages) == ("0.1", "since: 2y, unwrap", "6")
    assert (run.started, run.finished) == ("2026-02-01 09:00", "2026-02-01 10:00")
    page = page_of(str(archive))
    assert "<li>mail0.mbox, at byte 77: gzip ends too early</li>" in page
    assert "since: 2y, unwrap" in page


# --- the pictures --------------------------------------------------------------------------------------


def test_a_picture_has_whole_years_without_gaps():
    counts = Counter({"2023-11": 2, "2025-02": 4})
    months = drawn_months(counts)
    assert (months[0], months[-1], len(months)) == ("2023-01", "2025-12", 36)
    chart = bars_of("x", [(month, counts[month], "#") for month in months], 160, [])
    assert [(bar.name, bar.y, bar.height) for bar in chart.bars] == [("2023-11", 80, 80), ("2025-02", 0, 160)]
    assert chart.bars[0].x < chart.bars[1].x < 100


def test_one_burst_does_not_make_all_others_a_pixel_high():
    counts = [700 + 10 * (number % 7) for number in range(60)]
    counts[20] = 25_602
    chart = bars_of("x", [(str(at), links, "#") for at, links in enumerate(counts)], HEIGHT, [])
    assert chart.top == 760
    assert min(bar.height for bar in chart.bars) > HEIGHT / 2
    assert [(bar.name, bar.links, bar.height) for bar in chart.cut] == [("20", 25_602, HEIGHT)]


@pytest.mark.parametrize(
    "counts", [[], [0], [1], [1, 1_000], [1, 2, 3, 4], [100 * 1.02**n for n in range(360)]]
)
def test_nothing_is_cut_where_all_can_be_seen(counts):
    chart = bars_of("x", [("a", int(links), "#") for links in counts], LOW, [])
    assert chart.cut == []
    assert all(0 <= bar.y < LOW for bar in chart.bars)


@pytest.mark.parametrize("years", range(1, 41))
def test_labels_of_years_are_within_the_picture(years, tmp_path):
    months = drawn_months(Counter({"1994-11": 1, f"{1993 + years}-12": 1}))
    assert len(months) == 12 * years
    dates = (f"{year}-11-01T00:00:00Z" for year in {1994, 1993 + years})
    mails = [mail("a@a.example", date, "x", {"url": "http://a.example/"}) for date in dates]
    chart = charts_of(figures(fill(tmp_path / "links.db", mails)))
    for picture, most in ((chart.months, 18), (chart.domains[0], 4)):
        assert 1 <= len(picture.labels) <= most
        assert picture.labels[0].x == 0
        assert all(0 <= label.x <= 100 for label in picture.labels)


def test_dates_decades_away_do_not_squeeze_the_picture(tmp_path):
    dates = {"1971-01": 4, "2014-05": 5, "2026-01": 7, "2098-01": 1}
    mails = [mail("a@a.example", f"{date}-05T00:00:00Z", "x", *number * [{"url": "http://a.example/"}])
             for date, number in dates.items()]  # fmt: skip
    charts = charts_of(figures(fill(tmp_path / "links.db", mails)))
    assert [bar.name for bar in charts.months.bars] == ["2014-05", "2026-01"]
    assert charts.outside == 5
    assert [year.name for year in charts.years] == ["1971", "2014", "2026", "2098"]


def test_pictures_lead_to_their_links(archive):
    charts = charts_of(figures(archive))
    assert [(bar.name, bar.links, bar.href) for bar in charts.months.bars] == [
        ("2024-12", 2, "#q=month:2024-12"), ("2025-01", 7, "#q=month:2025-01"),
        ("2025-03", 3, "#q=month:2025-03"),
    ]  # fmt: skip
    assert [(bar.name, bar.links, bar.href) for bar in charts.weekdays.bars] == [
        ("Monday", 2, "#q=weekday:mon"), ("Thursday", 2, "#q=weekday:thu"),
        ("Friday", 5, "#q=weekday:fri"), ("Saturday", 3, "#q=weekday:sat"),
    ]  # fmt: skip
    assert [(bar.name, bar.href) for bar in charts.hours.bars] == [
        ("00", "#q=hour:00"), ("08", "#q=hour:08"), ("09", "#q=hour:09")
    ]  # fmt: skip
    assert [(chart.name, chart.bars[0].href) for chart in charts.domains][:2] == [
        ("example.net", "#q=domain:example.net%20month:2025-01"),
        ("harbour.example", "#q=domain:harbour.example%20month:2024-12"),
    ]  # fmt: skip


@pytest.mark.parametrize(("value", "href"), [
    ("2026-01", "#q=x:2026-01"), ("a b", "#q=x:%22a%20b%22"), ("a&q=b#+", "#q=x:%22a%26q%3Db%23%2B%22"),
    ('a"b', "#q=x:%22a%2522b%22"), ("\u6f6e", "#q=x:%E6%BD%AE"), ("", "#q=x:%22%22"),
])  # fmt: skip
def test_a_search_is_one_address_whatever_is_in_it(value, href):
    assert query(x=value) == href


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


def test_long_urls_are_cut_in_rows_and_whole_in_the_address(tmp_path):
    url = f"http://a.example/{'x' * 400}"
    page = page_of(str(fill(tmp_path / "links.db", [mail("a@a.example", None, "x", {"url": url})])))
    assert f'href="{url}"' in page
    assert f'<bdi dir="ltr" class="after">/{"x" * 183}…</bdi>' in page  # 200 in all


# --- what the script gets ------------------------------------------------------------------------------


def unpacked(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the places that the script of the page makes of its data."""

    def text(column: Any, at: int) -> str:
        values = column if isinstance(column, list) else dict(zip(column["at"], column["value"], strict=True))
        return str(data["texts"][values[at] if isinstance(column, list) else values.get(at, 0)])

    found = []
    target_of = [at for at, count in enumerate(data["targets"]["places"]) for _ in range(count)]
    for at, target in enumerate(target_of):
        messages, message = data["messages"], data["places"]["message"][at]
        found.append((
            text(data["targets"]["url"], target), text(data["targets"]["domain"], target),
            messages["date"][message], messages["number"][message],
            *(text(messages[name], message) for name in
              ("doubtful", "sender", "person", "subject", "source", "file", "id", "page")),
            *(text(data["places"][name], at) for name in
              ("text", "context", "where", "written", "service", "warning", "lie", "deceit", "mend")),
        ))  # fmt: skip
    return found


def test_packed_places_are_the_places(tmp_path):
    links = read(fill(tmp_path / "links.db", ARCHIVE + list(large_archive(200))))[0]
    expected = [
        (target.address.text, target.domain, message.date, message.number, message.doubtful, message.sender,
         message.person, message.subject, message.source, message.file, message.message_id, message.page,
         *place[1:10])
        for target in links.targets for place in target.places for message in [place.message]
    ]  # fmt: skip
    assert unpacked(packed(links)) == expected


def test_packed_texts_are_there_once_and_messages_sorted(archive):
    data = packed(read(archive)[0])
    assert data["texts"][0] == ""
    assert len(data["texts"]) == len(set(data["texts"]))
    assert data["messages"]["date"] == sorted(data["messages"]["date"])
    assert data["messages"]["date"][0] == ""


# --- the page ------------------------------------------------------------------------------------------


class Page(HTMLParser):
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
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == rules["img-src"] == "'none'"
    for rule, block in (("script-src", page.texts["script"][1]), ("style-src", page.texts["style"][0])):
        digest = b64encode(sha256(block.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_the_page_needs_nothing_else(archive):
    page = Page(page_of(str(archive)))
    loading = {"src", "srcset", "background", "poster", "data", "action", "formaction", "style", "ping",
               "srcdoc"}  # fmt: skip
    elements = {"link", "iframe", "object", "embed", "base", "img", "video", "audio", "source"}
    for tag, attributes in page.elements:
        assert tag not in elements, tag
        assert not loading & set(attributes), (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
    for link in (each for each in page.named("a") if "href" in each):  # not the template of a row
        assert re.match(r"#\w+\Z|#q=[\w:.%-]+\Z|(?i:https?|ftp)://|mailto:", str(link["href"]))
        if not str(link["href"]).startswith("#"):
            assert (link["rel"], link["target"]) == ("noreferrer noopener", "_blank")


def test_the_page_can_be_used_without_eyes_or_mouse(archive):
    page = Page(page_of(str(archive)))
    assert page.named("html")[0]["lang"] == "en"
    assert page.texts["title"][0] == "Links of links.db"
    names = {str(attributes.get("id")) for _, attributes in page.elements if attributes.get("id")}
    for tag, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert set((attributes.get(name) or "").split()) <= names, (tag, attributes)
    labelled = {label["for"] for label in page.named("label")}
    assert labelled == {field["id"] for tag in ("input", "select") for field in page.named(tag)}
    assert all(header.get("scope") for header in page.named("th"))
    assert {"header", "nav", "main"} <= {tag for tag, _ in page.elements}
    assert [attributes for _, attributes in page.elements if attributes.get("role") == "status"]
    levels = [int(tag[1]) for tag, _ in page.elements if re.match(r"h\d", tag)]
    assert levels[0] == 1
    assert set(levels[1:]) == {2, 3}


def test_without_a_script_the_latest_targets_are_there(tmp_path):
    mails = [
        mail("a@a.example", f"{2020 + number // 12}-{number % 12 + 1:02}-01T00:00:00Z", f"Mail {number}",
             *({"url": f"http://a.example/{number}/{each}"} for each in range(10)))
        for number in range(40)
    ]  # fmt: skip
    page = page_of(str(fill(tmp_path / "links.db", mails)))
    before = page.partition('<script type="application/json"')[0]
    assert before.count("Mail 39<") == 10
    assert before.count('<tr role="row" class="target">') == 200 + 1  # and the template
    assert "these are the latest 200 of 400 targets" in before
    assert "these are the latest" not in page_of(str(fill(tmp_path / "few.db", mails[:9])))


def test_a_limit_is_said(archive):
    page = page_of(str(archive), 3)
    assert "This page is about the 3 targets that came last" in page
    assert "4 older ones are left out" in page
    assert len(Page(page).data["targets"]["url"]) == 3
    whole = page_of(str(archive))
    assert "are left out" not in whole
    assert page_of(str(archive), 10**30) == whole
    for limit, targets in (("0", 7), ("2", 2)):  # 0 is none
        page = outcome("report", archive, "--limit", limit)[1]
        assert len(Page(page).data["targets"]["url"]) == targets
    assert outcome("report", archive, "--limit", "-1") == (2, "", "urlextract: --limit: -1 is less than 0\n")


def test_an_empty_index_makes_a_page_that_says_so(tmp_path):
    index = fill(tmp_path / "links.db", [], finished=None)
    page = page_of(str(index))
    assert "There are no links in this index" in page
    assert "goes on, or was stopped" in page
    fill(index, [mail("a@a.example", None, "x")])
    assert "There are no links in this index: 1 mail read" in page_of(str(index))


def test_the_page_says_of_what_time_the_mail_is(tmp_path):
    at = {"url": "http://a.example/"}
    one = fill(tmp_path / "one.db", [mail("a@a.example", "2024-05-01T00:00:00Z", "x", at)])
    assert "<p>Mail of 2024-05-01. Indexed until 2026-02-01 10:00 UTC.</p>" in page_of(str(one))
    fill(one, [mail("a@a.example", "2025-06-01T00:00:00Z", "x", at, at)])
    assert "<p>Mail from 2024-05-01 to 2025-06-01. Indexed until" in page_of(str(one))
    undated = page_of(str(fill(tmp_path / "undated.db", [mail("a@a.example", None, "x", at)])))
    assert "<p>Indexed until 2026-02-01 10:00 UTC.</p>" in undated
    assert '<a href="#q=is:undated">1 link</a> without a date' in undated


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
        "differs": "domain", "defects": codes("shows-another-domain"), "element": "a", "attribute": "href",
        "domain": text, "unwrapped": text, "wrapped_by": text, "repaired": 1, "media_type": text,
        "target_domain": text, "repairs": codes("joined-lines", text[:500]),
    }  # fmt: skip
    columns = ("doubtful_date", "message_id", "list_id", "file", "page", "title", "from_name")
    fill(index, [mail(text, text, text, place, **dict.fromkeys(columns, text))])
    with closing(connect(index)) as connection, connection:
        connection.execute("UPDATE runs SET program = ?1, options = ?1, started = ?1, finished = ?1", (text,))
        connection.execute("UPDATE sources SET path = ?1, kind = ?1", (text,))
        insert(connection, "damage", source=text, cause=text, offset=text)
    return Page(page_of(str(index)))


@pytest.mark.parametrize("text", mostly_slow(HOSTILE, 5))
def test_texts_of_strangers_stay_texts(text, tmp_path):
    hostile, plain = page_with(text, tmp_path / "hostile.db"), page_with("x", tmp_path / "plain.db")
    kinds = [{(tag, *attributes) for tag, attributes in page.elements} for page in (hostile, plain)]
    assert kinds[0] - {("span", "class")} <= kinds[1]
    assert hostile.texts["script"][1:] == plain.texts["script"][1:]
    assert shortened(text) in hostile.data["texts"]


def test_data_cannot_end_its_block(tmp_path):
    hostile = mail("a@a.example", None, "</script><!--&\u2028", {"url": "http://a.example/"})
    page = page_of(str(fill(tmp_path / "hostile.db", [hostile])))
    block = page.partition('id="data">')[2].partition("</script>")[0]
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
    changed(tmp_path / "without", "DROP TABLE damage")
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
        "without": "lacks the table damage: make a new index",
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


def test_columns_of_another_type_are_shown_as_texts(tmp_path):
    index = fill(tmp_path / "links.db", ARCHIVE)
    with closing(connect(index)) as connection, connection:
        for table, columns in {
            "messages": "sender from_address subject list_id number message_id page file",
            "places": "text context header raw repairs shown", "sources": "path kind",
            "urls": "wrapped_by unwrapped target_key target_domain scheme",
            "runs": "program options messages",
        }.items():  # fmt: skip
            for column in columns.split():
                connection.execute(f"UPDATE {table} SET {column} = x'00ff3c'")  # noqa: S608 - of the test
        connection.execute("UPDATE messages SET date = 7")
        connection.execute("UPDATE places SET url_id = 'x', message_id = 'y', source_id = -1 WHERE id = 3")
    assert "<title>" in page_of(str(index))


def test_a_locked_index_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.01)
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
        links = links_of(connection, None)
        source = insert(writer, "sources", path="more.mbox", kind="file")
        message = insert(writer, "messages", source_id=source, number=1)
        add_place(writer, source, message, {}, {"url": "http://www.harbour.example/tides"})
        assert figures_of(connection, links).messages == 6
        assert figures_of(connection, links_of(connection, None)).links == 13
    assert (figures(index).messages, figures(index).links) == (7, 14)
    writer.close()


# --- the command ---------------------------------------------------------------------------------------


def test_the_page_is_printed_or_written_to_a_file(archive, tmp_path):
    status, page, errors = outcome("report", archive)
    assert (status, errors) == (0, "")
    assert page == page_of(str(archive))
    assert outcome("report", archive, "-o", tmp_path / "links.html") == (0, "", "")
    assert (tmp_path / "links.html").read_text("utf-8") == page
    assert started("report", archive, "-o", "/dev/stdout").stdout.decode() == page  # a pipe
    assert os.path.exists("/dev/null")
    assert outcome("report", archive, "-o", "/dev/null") == (0, "", "")
    assert not os.path.isfile("/dev/null")


def test_the_manual_has_the_limits_of_the_page():
    page = ROOT / "urlextract" / "share" / "man" / "man1" / "urlextract.1"
    manual = " ".join(page.read_text().split())
    assert f"Texts are cut at {LONGEST_TEXT} characters and URLs at {LONGEST_URL:,}" in manual
    assert f"Tables have {MOST} rows at most" in manual


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


def test_a_full_disk_leaves_the_page_of_before(archive, tmp_path):
    page = tmp_path / "links.html"
    page.write_text("the page of yesterday")
    expected = (2, "", f"urlextract: {page}: File too large\n")
    room = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4_096, 4_096))
    assert outcome("report", archive, "-o", page, preexec_fn=room) == expected
    assert page.read_text() == "the page of yesterday"
    assert not list(tmp_path.glob(".urlextract-*"))


def test_an_output_that_is_full_or_cannot_be_made_is_one_line(archive, tmp_path):
    with open("/dev/full", "wb") as full:
        told = b"urlextract: output: No space left on device\n"
        assert errors_of_a_page_to(full, archive) == told
    for path, cause in {
        tmp_path / "no" / "x": "No such file or directory",
        tmp_path: "Is a directory",
    }.items():
        assert outcome("report", archive, "-o", path) == (2, "", f"urlextract: {path}: {cause}\n")


def test_without_jinja_a_line_says_how_to_install_it(archive):
    program = "import sys; sys.modules['jinja2'] = None; from urlextract.__main__ import main; main()"
    command = [sys.executable, "-c", program, "report", archive]
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
    told = b"report needs Jinja2, which is not installed: pip install 'urlextract-mail[report]'"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"urlextract: %s\n" % told)


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
