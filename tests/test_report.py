"""``urlextract report``: what it reads, counts, draws and shows; indexes and outputs that will not do."""

from __future__ import annotations

import os
import random
import re
import resource
import sqlite3
import subprocess
import sys
import tomllib
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import COMMAND, ENVIRONMENT, outcome, started
from costs import LINEAR, growth
from indexes import tree
from made_indexes import LIE, Mail, codes, connect, fill
from realtools import ROOT
from sampled import mostly_slow

from urlextract import index_sources
from urlextract.errors import IndexFileError
from urlextract.index import database
from urlextract.index.database import opened_for_reading
from urlextract.index.schema import VERSION
from urlextract.report.chart import HEIGHT, chart_of
from urlextract.report.figures import figures_of
from urlextract.report.reads import Links, Message, Place, links_of
from urlextract.report.rendering import page_of
from urlextract.report.wording import LONGEST_TEXT, LONGEST_URL, address_of, moment_of, shortened

HARBOUR = "http://www.harbour.example"
AT = {"url": "http://a.example/"}


def mail(sender: str, date: str | None, subject: str, *places: dict[str, Any], **more: Any) -> Mail:
    return {"sender": sender, "date": date and f"{date}:00Z", "subject": subject, **more}, list(places)


# A small archive that was counted by hand: 12 links in six of seven mails and pages, one without a date.
ARCHIVE = [
    mail("Ada Moss <ada@a.example>", "2024-12-30T08:00", "Tides",
         {"url": f"{HARBOUR}/tides", "context": f"see {HARBOUR}/tides now"},
         {"url": "http://lists.example.org/leave", "header": "List-Unsubscribe"}, file="cur/1:2,S"),
    mail("Ada <ADA@a.example>", "2025-01-02T08:00", "Tides again",
         {"url": "HTTP://www.harbour.example:80/tides"},
         {"url": "http://lists.example.org/leave", **LIE, "defects": codes()}),  # a service of the sender
    mail("dan@b.example", "2025-01-03T09:30", "Re: Tides", {"url": f"{HARBOUR}/tides"},
         {"url": f"{HARBOUR}/map", "raw": f"{HARBOUR}/\n> map", "repaired": 1,
          "repairs": codes("joined-lines", "removed-quote-prefix")},
         {"url": f"{HARBOUR}/a=b", "repaired": 1, "repairs": codes("decoded-quoted-printable")},
         {"url": "http://www.example.com", "repaired": 1, "repairs": codes("added-scheme")}),
    mail("bank@c.example", "2025-03-01T00:00", "Your account", {"url": "http://login.example.net/in", **LIE},
         {"url": "https://gate.example/?u=1", "unwrapped": "http://login.example.net/z", **LIE}),
    mail("bank@c.example", None, "Again", {"url": "http://login.example.net/in", **LIE},
         doubtful_date="1904-01-01T00:00:00Z"),
    mail("dan@b.example", "2025-03-02T00:00", "Nothing"),
    ({"page": "http://p.example/", "title": "Ropes", "date": "2024-12-01T08:00:00Z"},
     [{"url": "http://q.example/"}]),
]  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return fill(tmp_path / "links.db", ARCHIVE)


def read(index: Path, limit: int | None = None) -> Links:
    with opened_for_reading(str(index)) as connection:
        return links_of(connection, limit)


def places(index: Path, url: str) -> list[tuple[Message, Place]]:
    links = read(index)
    [target] = [target for target in links.targets if target.address.text == url]
    return [(links.messages[place.message], place) for place in target.places]


# --- what is read, and counted -----------------------------------------------------------------------


def test_the_numbers_are_those_that_a_person_counts(archive):
    found = figures_of(read(archive))
    assert (found.mails, found.links, found.targets, found.domains) == (5, 12, 8, 5)
    assert (found.deceptive, found.mended, found.undated) == (3, 2, 1)
    assert (found.first, found.last) == ("2024-12-01", "2025-03-01")
    assert found.months == {"2024-12": 3, "2025-01": 6, "2025-03": 2}


def test_targets_come_with_what_is_known_of_their_places(archive):
    assert [(each.domain, each.address.text, len(each.places)) for each in read(archive).targets] == [
        ("example.com", "http://www.example.com", 1), ("example.net", "http://login.example.net/in", 2),
        ("example.net", "http://login.example.net/z", 1),
        ("example.org", "http://lists.example.org/leave", 2), ("harbour.example", f"{HARBOUR}/a=b", 1),
        ("harbour.example", f"{HARBOUR}/map", 1), ("harbour.example", f"{HARBOUR}/tides", 3),
        ("q.example", "http://q.example/", 1),
    ]  # fmt: skip
    (_, latest), (_, spelled), (message, first) = places(archive, f"{HARBOUR}/tides")
    told = Message("2024-12-30 08:00", "Ada Moss <ada@a.example>", "Tides", "mail0.mbox/cur/1:2,S, message 1")
    assert (message, first[1:]) == (told, ("", "see [URL] now", "", "", "", False))
    assert (latest.written, spelled.written) == ("", "HTTP://www.harbour.example:80/tides")
    [(_, place)] = places(archive, "http://login.example.net/z")
    lie = "Shows www.bank.example, but leads to login.example.net"
    assert (place.written, place.lie) == ("https://gate.example/?u=1", lie)
    assert places(archive, f"{HARBOUR}/map")[0][1].broken == f"{HARBOUR}/ \u23ce > map"
    page = Message("2024-12-01 08:00", "http://p.example/", "Ropes", "mail0.mbox, message 7")
    assert places(archive, "http://q.example/")[0][0] == page
    dates = [message.date for message, _ in places(archive, "http://login.example.net/in")]
    assert dates == ["2025-03-01 00:00", ""]


def test_an_index_that_the_program_made(tmp_path):
    """A mail that has another one in it is one mail, and a text is none."""
    mail = (
        "From: Ada <ada@a.example>\nDate: Thu, 2 Jan 2025 09:00:00 +0100\nSubject: see\n"
        "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nLook at <http://a.example/\ntides> now.\n"
        "--x\nContent-Type: message/rfc822\n\nSubject: inner\n"
        "Content-Type: text/html\n\n<a href=http://evil.example/>www.bank.example</a>\n--x--\n"
    )
    page = b"<title>Ropes</title><a href=http://b.example/>x</a>"
    folder = tree(tmp_path / "in", {"mail.eml": mail.encode(), "page.html": page, "text": b"news:a.b\n"})
    index_sources(index := tmp_path / "links.db", folder)
    found = figures_of(read(index))
    assert (found.mails, found.links, found.deceptive, found.mended, found.domains) == (1, 5, 1, 1, 4)
    assert found.undated == 4
    [(message, place)] = places(index, "http://a.example/tides")
    assert message[:3] == ("2025-01-02 08:00", "Ada <ada@a.example>", "see")
    assert (place.broken, place.context) == ("http://a.example/ \u23ce tides", "Look at <[URL]> now.")
    assert places(index, "http://evil.example/")[0][0].subject == "inner"
    assert places(index, "http://b.example/")[0][0] == Message("", "", "Ropes", f"{folder}/page.html")


def test_a_limit_is_of_those_that_came_last_and_is_said(archive):
    links = read(archive, 2)  # the others were seen in January
    assert [target.address.text[-3:] for target in links.targets] == ["/in", "t/z"]
    assert (figures_of(links).links, links.mails, links.left_out) == (3, 2, 6)
    page = outcome("report", archive, "--limit", "2")[1]
    assert page == page_of(str(archive), 2)
    assert "about the 2 targets that came last" in page
    assert "6 older ones are left out" in page
    assert "left out" not in page_of(str(archive))
    assert page_of(str(archive), 10**30) == outcome("report", archive, "--limit", "0")[1]
    assert outcome("report", archive, "--limit", "-1") == (2, "", "urlextract: --limit: -1 is less than 0\n")


def test_a_page_is_of_one_moment_while_the_index_is_written(archive):
    with closing(sqlite3.connect(archive, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        with opened_for_reading(str(archive)) as connection:
            before = links_of(connection)
            writer.execute("UPDATE messages SET subject = 'x'")
            assert links_of(connection) == before
        assert {message.subject for message in read(archive).messages} == {"x"}


def test_the_page_says_of_what_time_the_mail_is(tmp_path):
    for mails, told in (
        ([], ["no links in this index"]),
        ([mail("a@a.example", date, "x", AT) for date in (None, "2024-05-01T00:00")],
         ["<p>Dated 2024-05-01.</p>", '<a href="#q=is:undated">1 link</a> without a date']),
        ([mail("a@a.example", "2025-06-01T00:00", "x", AT)], ["<p>Dated 2024-05-01 to 2025-06-01.</p>"]),
    ):  # fmt: skip
        page = page_of(str(fill(tmp_path / "links.db", mails)))
        assert [words for words in told if words not in page] == []


# --- the picture -------------------------------------------------------------------------------------


def months(counts: list[int], year: int = 2000) -> Counter[str]:
    return Counter({f"{year + at // 12}-{at % 12 + 1:02}": count for at, count in enumerate(counts)})


def test_one_burst_does_not_make_all_others_a_pixel_high():
    chart = chart_of(months([700 + 10 * (at % 7) for at in range(60)]) + Counter({"2001-09": 25_000}))
    assert chart.top == 760
    assert min(bar.height for bar in chart.bars) > HEIGHT / 2
    assert max(bar.height for bar in chart.bars if not bar.is_cut) == chart.tall < HEIGHT
    assert [(bar.date, bar.links, bar.height) for bar in chart.cut] == [("2001-09", 25_760, HEIGHT)]


def test_all_is_within_the_picture_and_nothing_is_cut_that_can_be_seen():
    for counts in [[], [1], [1, 1_000], [1, 2, 3, 4], [9, 4, 4, 4], *([7] * end for end in range(1, 481, 5))]:
        chart = chart_of(months(counts))
        assert (len(chart.bars), chart.cut) == (len(counts), [])
        assert all(0 <= bar.y < HEIGHT and 0 <= bar.x < bar.x + bar.width < 100.1 for bar in chart.bars)
        assert all(0 <= label.x < 100 for label in chart.labels)
        assert all(bar.height >= 2 for bar in chart.bars)
        assert len(chart.labels) <= 18
        assert sum(label.is_major for label in chart.labels) <= 6


def test_dates_decades_away_do_not_squeeze_the_picture_and_are_told(tmp_path):
    dates = {"1971-01": 4, "2014-05": 5, "2026-01": 7, "2098-01": 1}
    mails = [mail("a@a.example", f"{date}-05T00:00", "x", *number * [AT]) for date, number in dates.items()]
    index = fill(tmp_path / "links.db", mails)
    bars = chart_of(figures_of(read(index)).months).bars
    assert [bar.date for bar in bars] == ["2014-05", "2026-01"]
    page = page_of(str(index))
    assert "Links by month" in page
    assert '<a href="#q=before:2014-01">4 links</a> decades before the others' in page
    assert '<a href="#q=after:2027-01">1 link</a> decades after the others' in page


def test_more_than_forty_years_are_a_bar_for_each_year():
    chart = chart_of(months([1] * 12 * 41, 1986))
    assert (chart.period, chart.before, chart.after, chart.top) == ("year", 0, 0, 12)
    assert [(bar.date, bar.links) for bar in chart.bars] == [(str(year), 12) for year in range(1986, 2027)]
    assert chart.bars[-1].x + chart.bars[-1].width == pytest.approx(100, abs=0.5)


def test_the_url_in_a_context_is_a_mark_and_what_may_be_cut_is_said(tmp_path):
    text = "http://a.example/long/page and http://a.example/ too\n\nSee http://c.example/tables/lon... now"
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt").write_text("<http://b.example/>\n")
    index_sources(index := tmp_path / "links.db", tmp_path)
    [(_, place)] = places(index, "http://a.example/")
    assert (place.context, place.is_cut) == ("http://a.example/long/page and [URL] too", False)
    assert places(index, "http://b.example/")[0][1].context == ""
    assert places(index, "http://c.example/tables/lon")[0][1].is_cut


# --- what is shown of URLs and texts -------------------------------------------------------------------


@pytest.mark.parametrize(("urls", "is_link"), [
    (["http://a.example/", "https://a.example/x?y#z", "ftp://a.example/x", "HTTPS://A.example/",
      "mailto:ada@a.example", "http:/a.example/", "http:\\\\a.example\\x", "http://a_b.example/",
      "http://[::1]/"], True),
    (["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
      "data:text/html,<b>", "file:///etc/passwd", "vbscript:x", "blob:http://a.example/1",
      "gopher://a.example/", "news:a.b", "x-other:y", "mailto:a@b.example?attach=/etc/passwd",
      "http://a b.example/", "http://[::x]/", "http://a.example:99999/", "http://[fe80::1%25eth0]/",
      "http://xn--a.example/", "http://%ff/", "http://4294967296/", "http://1.2.3.4.5/", "http://a%3Ab/",
      f"http://a.example/{'x' * LONGEST_URL}"], False),
])  # fmt: skip
def test_only_whole_urls_that_show_something_are_links(urls, is_link):
    assert [url for url in urls if address_of(url).is_link != is_link] == []


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
    assert (address.warning.startswith(warning), bool(address.warning)) == (True, bool(warning))


def test_characters_that_deceive_are_escapes_and_long_texts_are_cut_where_an_ellipsis_is():
    deceiving = "a\u202eb\u2066c\u200bd\x00e\x1b[2Jf\u2028g\udc80h\u206ai\ufeffj\u061ck"
    assert shortened(deceiving) == (r"a\u202eb\u2066c\u200bd\x00e\x1b[2Jf g\x80h\u206ai\ufeffj\u061ck")
    assert "\u202e" not in address_of(f"http://a.example/{deceiving}").text
    assert shortened("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT
    assert shortened("x" * 1_000_000) == f"{'x' * (LONGEST_TEXT - 1)}\u2026"
    assert len(address_of(f"http://a.example/{'x' * 100_000}").text) == LONGEST_URL
    assert [moment_of(date) for date in ("2026-02-31T09:12:00Z", "26-1-1", "1904-01-01T00:00:00Z", 7)] == [
        ""
    ] * 4
    manual = " ".join((ROOT / "urlextract/share/man/man1/urlextract-report.1").read_text().split())
    assert f"Texts are cut at {LONGEST_TEXT} characters and URLs at {LONGEST_URL:,}" in manual


def test_texts_of_strangers_are_no_markup(tmp_path):
    """All that a browser could do with them: `test_real_report.py`."""
    text = "</script></title><script><!--<svg><b \"' onload=alert(1)>{{7*7}}\u2028"
    columns = ("raw", "context", "text", "shown", "unwrapped", "target_domain")
    place = {"url": f"http://a.example/{text}", **LIE, **dict.fromkeys(columns, text)}
    page = page_of(str(fill(tmp_path / f"{text.replace('/', '')}.db", [mail(text, None, text, place)])))
    assert not set("<>&\u2028") & set(page.partition('id="data">')[2].partition("</script>")[0])
    assert (page.count("<script"), page.count("<svg>"), "{{7*7}}" in page) == (2, 0, True)
    assert str(tmp_path) not in page


# --- indexes and outputs that will not do ----------------------------------------------------------------


def test_what_is_no_index_or_locked_is_one_line(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.01)
    whole = archive.read_bytes()
    tree(tmp_path, {"text": b"http://a.example/\n", "empty": b"", "cut": whole[: len(whole) // 2],
                    "page": b"yesterday", **dict.fromkeys(("newer", "without", "whole"), whole)})  # fmt: skip
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, statement in (("other", "CREATE TABLE places (id)"), ("without", "DROP TABLE urls"),
                            ("newer", f"PRAGMA user_version = {VERSION + 1}")):  # fmt: skip
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.execute(statement)
    locking = sqlite3.connect(tmp_path / "whole", isolation_level=None)
    locking.execute("BEGIN EXCLUSIVE")
    for name, cause in {
        "missing": "No such file or directory",
        "text": "is no index of URLs, and no SQLite file",
        "empty": "is no index of URLs",
        **dict.fromkeys(("folder", "pipe"), "is no index of URLs, and no file"),
        "other": "is no index of URLs, but another SQLite file",
        "newer": f"is an index of a newer version of the program ({VERSION + 1}; this one has {VERSION})",
        "cut": "is damaged: database disk image is malformed",
        "without": "lacks the table urls: make a new index",
        "whole": "is read or written by another program: run again later",
    }.items():
        expected = (2, "", f"urlextract: {tmp_path / name}: {cause}\n")
        assert outcome("report", tmp_path / name, "-o", tmp_path / "page") == expected
    locking.close()
    assert (tmp_path / "page").read_text() == "yesterday"
    assert not list(tmp_path.glob(".urlextract-*"))


def test_damage_anywhere_is_one_line_or_a_page(archive):
    """Bytes are changed at random: SQLite finds most of it, and what it does not find is shown."""
    whole, chance, outcomes = archive.read_bytes(), random.Random(1738), set()
    for _ in range(50):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 200)):
            data[chance.randrange(100, len(data))] = chance.randrange(256)
        archive.write_bytes(data)
        try:
            outcomes.add("a page" if "<title>" in page_of(str(archive)) else "half a page")
        except IndexFileError as error:
            outcomes.add(str(error))
    assert {"a page"} <= outcomes
    assert (len(outcomes) > 5, [text for text in outcomes if "\n" in text]) == (True, [])


def test_columns_of_another_type_are_shown_as_texts(archive):
    with closing(connect(archive)) as connection, connection:
        for table, columns in {
            "messages": "sender subject page title", "copies": "source number",
            "places": "text context raw repairs shown", "urls": "unwrapped target_key target_domain",
        }.items():  # fmt: skip
            for column in columns.split():
                connection.execute(f"UPDATE {table} SET {column} = x'00ff3c'")  # noqa: S608 - of the test
        for statement in (
            "messages SET date = 7", "messages SET subject = CAST(x'61ff' AS TEXT)",
            "places SET url_id = 'x', message_id = 'y', source = x'00' WHERE id = 3",
            "places SET message_id = 'y', source = 1.5, title = x'ff' WHERE id = 4",
        ):  # fmt: skip
            connection.execute(f"UPDATE {statement}")
    assert "a\ufffd" in page_of(str(archive))


def test_the_page_is_printed_or_written_to_a_file(archive, tmp_path):
    page = page_of(str(archive))
    assert outcome("report", archive) == (0, page, "")
    assert outcome("report", archive, "-o", tmp_path / "links.html") == (0, "", "")
    assert (tmp_path / "links.html").read_text("utf-8") == page
    assert started("report", archive, "-o", "/dev/stdout").stdout.decode() == page  # a pipe
    assert outcome("report", archive, "-o", "/dev/null") == (0, "", "")
    assert Path("/dev/null").is_char_device()


def test_the_index_is_not_the_output(archive, tmp_path):
    (tmp_path / "symbolic").symlink_to(archive)
    (tmp_path / "hard").hardlink_to(archive)
    tree(tmp_path, {"links.db-wal": b"", "elsewhere/x": b""})
    (tmp_path / "elsewhere" / "index").symlink_to(archive)  # SQLite has its files where the target is
    before = archive.read_bytes()
    for index in (archive, tmp_path / "elsewhere" / "index"):
        for name in ("links.db", "symbolic", "hard", "links.db-wal"):
            expected = (2, "", f"urlextract: {index}: is the output, too, and would be lost\n")
            assert outcome("report", index, "-o", tmp_path / name) == expected
    with archive.open("ab") as stream:
        how = {"stdout": stream, "stderr": subprocess.PIPE, "env": ENVIRONMENT}
        done = subprocess.run([*COMMAND, "report", archive], check=False, **how)
    assert (done.returncode, b"is the output, too" in done.stderr) == (2, True)
    assert archive.read_bytes() == before


def test_an_output_that_is_full_or_cannot_be_made_is_one_line(archive, tmp_path):
    page = tree(tmp_path, {"links.html": b"the page of yesterday"}) / "links.html"
    room = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4_096, 4_096))
    expected = (2, "", f"urlextract: {page}: File too large\n")
    assert outcome("report", archive, "-o", page, preexec_fn=room) == expected
    assert page.read_text() == "the page of yesterday"
    assert not list(tmp_path.glob(".urlextract-*"))
    for path, cause in {tmp_path / "no" / "x": "No such file or directory", tmp_path: "Is a directory",
                        "/dev/full": "No space left on device"}.items():  # fmt: skip
        assert outcome("report", archive, "-o", path) == (2, "", f"urlextract: {path}: {cause}\n")


def test_without_jinja_a_line_says_how_to_install_it_from_a_checkout_too(archive):
    """The library is named, not the package, which is not that of a checkout. No other command needs it."""
    program = "import sys; sys.modules['jinja2'] = None; from urlextract.__main__ import main; main()"
    needs = "urlextract: report needs Jinja2, which is not installed: pip install jinja2\n"
    for words, told in ((["report", archive], needs), ([ROOT / "README.md"], "")):
        command = [sys.executable, "-c", program, *words]
        done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
        assert (done.returncode, done.stderr.decode()) == (2 if told else 0, told)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert [re.split(r"\W", name)[0] for name in extras["report"]] == ["jinja2"]


# --- cost ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_time_is_in_proportion_to_the_links(tmp_path):
    def index(count: int) -> str:
        mails = (mail(f"a{n}@a.example", "2025-01-01T00:00", f"{n}", {"url": f"http://h{n}.example/{n}"})
                 for n in range(count))  # fmt: skip
        return str(fill(tmp_path / f"{count}.db", mails))

    assert growth(page_of, index, 1_000, 8_000) < LINEAR


@pytest.mark.parametrize("piece", mostly_slow(["<", "a@", "\u202e", " ", "\u0301", "\udc80", "&", "\n"]))
def test_time_for_hostile_texts_is_proportional_to_the_length(piece):
    def work(text: str) -> None:
        shortened(text)
        address_of(f"http://{text}")

    assert growth(work, lambda size: piece * (size // len(piece)), 50_000, 400_000) < LINEAR
