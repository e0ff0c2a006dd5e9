"""``urlextract index``: what was found is in an SQLite file, once, and stays so when a run is killed."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from commands import COMMAND, ENVIRONMENT, outcome, run, until_it_has_worked
from indexes import contents, records, rows, urls
from realtools import LIMIT, ROOT, wait_until

from urlextract import SourceError, extract_source, index_sources
from urlextract.errors import IndexFileError
from urlextract.index import batches, indexing
from urlextract.index.database import opened_for_reading
from urlextract.index.schema import VERSION
from urlextract.records import Item, RawMessage
from urlextract.results import IndexRun

CORPORA = ROOT / "corpora"
POSTMARK = b"From ada@a.example Mon Nov 14 09:12:44 1994\n"


def message(number: int, path: str = "m") -> bytes:
    filler = b"words that fill the body of this message\n" * 20
    head = b"From: Ada <ada@a.example>\nSubject: tide %d\nMessage-ID: <%d@a.example>\n" % (number, number)
    text = b"see <http://x.example/%s%d> and http://x.example/all\n" % (path.encode(), number)
    return head + b"Date: Mon, 14 Nov 1994 09:%02d:44 +0100\n\n" % (number % 60) + text + filler


def mailbox(*numbers: int, path: str = "m") -> bytes:
    return b"".join(POSTMARK + message(number, path) + b"\n" for number in numbers)


def indexed(tmp_path: Path, *sources: Path, **how: object) -> list[str]:
    """Add sources to the index ``links.db``; return the URLs of all its places, sorted."""
    path = tmp_path / "links.db"
    index_sources(path, sources, **how)
    contents(path)
    return urls(path)


# --- what is in it --------------------------------------------------------------------------------


@pytest.mark.parametrize("source", sorted(CORPORA.iterdir()), ids=lambda path: path.name)
def test_rows_are_the_records_of_the_source(tmp_path: Path, source: Path) -> None:
    path = tmp_path / "links.db"
    index_sources(path, source)
    found = [each.to_dict() for each in extract_source(source)]
    links = records(path, "SELECT * FROM links ORDER BY id")
    assert len(links) == len(found)
    for link, record in zip(links, found, strict=True):
        same = set(link) & set(record) - {
            "date", "source", "repairs", "defects", "newsgroups", "title", "context",
        }  # fmt: skip
        assert {key: link[key] for key in same} == {key: record[key] for key in same}
        assert len(same) >= 24
        assert record["title"] in (link["title"], None)  # a message has one title, also for its header
        assert link["source"] == os.path.abspath(record["source"])
        assert json.loads(link["repairs"] or "[]") == [each["code"] for each in record["repairs"]]
        assert json.loads(link["defects"] or "[]") == [each["code"] for each in record["defects"]]
        groups = (record["newsgroups"] or "").replace(" ", "").split(",")
        assert json.loads(link["newsgroups"] or '[""]') == groups
        named = link["sender"], link["col"], link["stop"]
        assert named == (record["from"], record["column"], record["end"])
    contents(path)


LONG = "".join(f"größer {n} http://x.example/{n} und\n" + "\n" * (n % 7 == 0) for n in range(9000)).encode()


@pytest.mark.parametrize("text", [LONG, b"\xef\xbb\xbf" + LONG, LONG.replace(b"\n", b"\r\n")])
def test_long_text_has_the_places_of_its_records(tmp_path: Path, text: bytes) -> None:
    """It is read in stretches."""
    (tmp_path / "a.txt").write_bytes(text)
    index_sources(tmp_path / "links.db", tmp_path / "a.txt")
    found = [(f.url, f.start, f.end, f.line, f.column, f.byte) for f in extract_source(tmp_path / "a.txt")]
    query = "SELECT url, start, stop, line, col, byte FROM links ORDER BY id"
    assert rows(tmp_path / "links.db", query) == found


def test_processes_make_the_rows_that_one_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_ITEMS", 10)
    monkeypatch.setattr(indexing, "_PLACES", 7)
    monkeypatch.setattr(indexing, "_rows_of", partial(in_another, os.getpid(), indexing._rows_of))
    (tmp_path / "box").write_bytes(mailbox(*range(95)))
    index_sources(tmp_path / "two.db", tmp_path / "box", jobs=2)
    monkeypatch.undo()
    index_sources(tmp_path / "one.db", tmp_path / "box", jobs=1)
    assert contents(tmp_path / "one.db") == contents(tmp_path / "two.db")


def in_another(own: int, rows_of, *arguments: object):
    assert os.getpid() != own
    return rows_of(*arguments)


def poisoned(deed: str, read, items: Iterable[Item], *arguments: object, **how: object):
    """Read items, unless one is the poison, by which a process dies, or in which the program fails."""

    def checked() -> Iterator[Item]:
        for item in items:
            if isinstance(item, RawMessage) and b"tide 17" in item.data:
                os._exit(9) if deed == "die" else next(iter([1 / 0]))
            yield item

    return read(checked(), *arguments, **how)


@pytest.mark.parametrize(("deed", "jobs"), [("die", 2), ("fail", 2), ("fail", 1)])
def test_what_cannot_be_read_is_told_and_read_again_by_the_next_run(
    deed: str, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch of ten mails is lost meanwhile, of which one ends its process, or meets a fault."""
    monkeypatch.setattr(batches, "_ITEMS", 10)
    monkeypatch.setattr("urlextract.run.processes._start_method", lambda: "fork")
    (tmp_path / "box").write_bytes(mailbox(*range(35)))
    (tmp_path / "other").write_bytes(mailbox(40))
    sources, damage = (tmp_path / "box", tmp_path / "other"), []
    with monkeypatch.context() as patch:
        patch.setattr(indexing, "found_in", partial(poisoned, deed, indexing.found_in))
        run = index_sources(tmp_path / "links.db", sources, jobs=jobs, on_damage=damage.append)
    assert (run.messages, run.places, run.damaged) == (26, 52, 1)
    [error] = damage
    reasons = {
        "die": "the process that read it has died",
        "fail": "a fault of this program (ZeroDivisionError: ",
    }
    assert str(error).startswith(f"{tmp_path / 'box'}, byte 10274: {reasons[deed]}")
    assert str(error).endswith(": 10 messages and texts from there on")
    assert len(urls(tmp_path / "links.db")) == 52
    assert len(indexed(tmp_path, *sources, jobs=jobs)) == 72
    index_sources(tmp_path / "fresh.db", sources)
    assert contents(tmp_path / "links.db") == contents(tmp_path / "fresh.db")


def test_context_is_what_a_reader_sees_or_a_line_and_is_bounded(tmp_path: Path) -> None:
    page = b"<html><body><p>The new <a href='http://a.example/t'>tables</a> of\n the <b>harbour</b>.</p>"
    (tmp_path / "page.html").write_bytes(page)
    text = b"one\nsee http://a.example/x now\nthree\nhttp://b.example/" + b"y" * 900
    (tmp_path / "text").write_bytes(text)
    indexed(tmp_path, tmp_path / "page.html", tmp_path / "text")
    first, second, third = rows(tmp_path / "links.db", "SELECT text, context FROM places ORDER BY id")
    assert first == ("tables", "The new tables of the harbour.")
    assert second == (None, "see http://a.example/x now")
    assert len(third[1]) == 500


def test_search_finds_words_of_links_hosts_subjects_senders_and_lines(tmp_path: Path) -> None:
    mail = b"From: Zoe Quick <zq@mail.example>\n\nhttp://docs.tides.example/almanac/1994\n"
    (tmp_path / "box").write_bytes(mailbox(1, 2) + POSTMARK + mail)
    indexed(tmp_path, tmp_path / "box")

    def search(words: str) -> list[str]:
        query = "SELECT links.url FROM search JOIN links ON links.id = search.rowid WHERE search MATCH ?"
        return sorted(url for (url,) in rows(tmp_path / "links.db", query, words))

    assert search("subject: tide 2") == ["http://x.example/all", "http://x.example/m2"]
    for words in ("almanac", '"docs.tides.example"', "host: tides", "quick", '"zq@mail.example"', "url:1994"):
        assert search(words) == ["http://docs.tides.example/almanac/1994"], words
    (tmp_path / "box").write_bytes(mailbox(1))
    indexed(tmp_path, tmp_path / "box")
    assert not search("subject: tide 2")


def test_odd_bytes_are_valid_text(tmp_path: Path) -> None:
    """Of names of files, of fields and of texts; names stay apart."""
    for name in (b"caf\xe9.eml", b"caf\xe8.eml"):
        path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
        Path(path).write_bytes(b"Subject: a\0b \xe9\n\n\xe9\0 http://a.example/\xe9\n")
    indexed(tmp_path, tmp_path)
    for table in ("links", "messages", "urls", "copies"):
        for row in rows(tmp_path / "links.db", f"SELECT * FROM {table}"):  # noqa: S608 - as above
            assert not [each for each in row if isinstance(each, str) and "\0" in each]
            assert "\udce9" not in str(row)
    names = sorted(
        Path(source).name for (source,) in rows(tmp_path / "links.db", "SELECT source FROM copies")
    )
    assert names == [r"caf\udce8.eml", r"caf\udce9.eml"]


def test_views_answer_what_they_are_for(tmp_path: Path) -> None:
    """Deceptive links are all that show another domain, also one with the same brand."""
    link = "Content-Type: text/html\n\n<a href='http://{}/'>{}</a>"
    shown = [("evil.example", "www.bank.example"), ("bank.com.co", "bank.com"), ("bank.de", "bank.com"),
             ("x.example/?to=bank.com", "bank.com")]  # fmt: skip
    mails = [f"Date: {day} Feb 2026 09:00 +0000\n{link.format(*each)}" for day, each in enumerate(shown, 1)]
    for number, mail in enumerate(mails):
        (tmp_path / f"{number}.eml").write_text(mail)
    (tmp_path / "box").write_bytes(mailbox(1, 2))
    indexed(tmp_path, *sorted(tmp_path.glob("*.eml")), tmp_path / "box")
    path = tmp_path / "links.db"
    assert rows(path, "SELECT url, shown, differs FROM deceptive_links ORDER BY url") == [
        ("http://bank.com.co/", "bank.com", "brand"), ("http://evil.example/", "www.bank.example", "domain"),
    ]  # fmt: skip
    assert rows(path, "SELECT month, messages, with_links, places, urls FROM by_month") == [
        ("1994-11", 2, 2, 4, 3), ("2026-02", 4, 4, 5, 5),
    ]  # fmt: skip
    assert ("x.example", 4, 5) in rows(path, "SELECT domain, urls, places FROM domains")


def test_dates_are_utc_and_those_that_no_mail_has_are_marked_and_are_no_first_or_last(tmp_path: Path) -> None:
    dates = ["1 Jan 1969 10:00:00 +0000", "7 Jan 2001 10:00:00 +0100", "1 Jan 2099 10:00:00 +0000",
             "1 Jan 2001 10:00:00 -0100", "soon", "5 Jan 2001 10:00:00 +0100"]  # fmt: skip
    mails = (b"Date: %s\n\nhttp://x.example/\n\n" % date.encode() for date in dates)
    (tmp_path / "box").write_bytes(b"".join(POSTMARK + mail for mail in mails))
    index_sources(tmp_path / "links.db", tmp_path / "box")
    assert rows(tmp_path / "links.db", "SELECT date, doubtful_date FROM links ORDER BY id") == [
        (None, "1969-01-01T10:00:00Z"), ("2001-01-07T09:00:00Z", None), (None, "2099-01-01T10:00:00Z"),
        ("2001-01-01T11:00:00Z", None), (None, None), ("2001-01-05T09:00:00Z", None),
    ]  # fmt: skip
    assert rows(tmp_path / "links.db", "SELECT first_seen, last_seen, places FROM urls") == [
        ("2001-01-01T11:00:00Z", "2001-01-07T09:00:00Z", 6)
    ]
    assert rows(tmp_path / "links.db", "SELECT month, messages FROM by_month") == [("2001-01", 3)]


def test_a_mail_with_links_only_in_a_mail_in_it_has_links(tmp_path: Path) -> None:
    inner = b"Date: 1 Mar 2024 10:00 +0000\nMessage-ID: <2@x>\n\nhttp://x.example/\n"
    mail = b"Date: 2 Apr 2024 10:00 +0000\nMessage-ID: <1@x>\nContent-Type: message/rfc822\n\n" + inner
    (tmp_path / "a.eml").write_bytes(mail)
    index_sources(tmp_path / "links.db", tmp_path / "a.eml")
    by_month = rows(tmp_path / "links.db", "SELECT * FROM by_month")
    assert by_month == [("2024-03", 0, 0, 1, 1), ("2024-04", 1, 1, 0, 0)]
    both = (
        "SELECT outermost.message_id, messages.message_id FROM messages "
        "LEFT JOIN messages AS outermost ON outermost.id = messages.outer_id ORDER BY messages.id"
    )
    assert rows(tmp_path / "links.db", both) == [(None, "<1@x>"), ("<1@x>", "<2@x>")]


def test_people_are_columns_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(
        b'From: "Doe, Ann" <Ann@X.example>\nTo: bo@x.example, "C, D" <cd@x.example>\n'
        b"Newsgroups: a.b, c.d\n\nhttp://x.example/\n"
    )
    index_sources(tmp_path / "links.db", tmp_path / "a.eml")
    [row] = records(tmp_path / "links.db", "SELECT * FROM links")
    assert (row["from_name"], row["from_address"]) == ("Doe, Ann", "ann@x.example")
    assert row["recipients"] == '["bo@x.example", "C, D <cd@x.example>"]'
    assert row["newsgroups"] == '["a.b", "c.d"]'
    each = "SELECT value FROM links, json_each(recipients)"
    assert rows(tmp_path / "links.db", each) == [("bo@x.example",), ("C, D <cd@x.example>",)]


def test_domains_count_where_links_lead_behind_gateways(tmp_path: Path) -> None:
    safe = "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.x.example%2F{}&data=1"
    (tmp_path / "a.txt").write_text("".join(f"{safe.format(n % 2)}\n\n" for n in range(4)))
    index_sources(tmp_path / "links.db", tmp_path / "a.txt")
    assert rows(tmp_path / "links.db", "SELECT domain, urls, places FROM domains") == [("x.example", 2, 4)]
    query = "SELECT DISTINCT domain, target, target_domain, target_key FROM links ORDER BY target"
    assert rows(tmp_path / "links.db", query) == [
        ("outlook.com", f"https://www.x.example/{n}", "x.example", f"https://www.x.example/{n}")
        for n in (0, 1)
    ]


def test_no_name_needs_quotes(tmp_path: Path) -> None:
    """Each column can be asked for as it is written."""
    path = tmp_path / "links.db"
    index_sources(path, [])
    for table in ("messages", "copies", "files", "urls", "places", "links", "domains", "by_month"):
        names = [name for (name,) in rows(path, "SELECT name FROM pragma_table_info(?)", table)]
        assert len(names) >= 4
        for name in names:
            rows(path, f"SELECT {name} FROM {table} WHERE {name} IS NULL ORDER BY {name}")  # noqa: S608


# --- what is new ----------------------------------------------------------------------------------


def test_second_run_adds_nothing(tmp_path: Path) -> None:
    words = "index", tmp_path / "links.db", CORPORA
    assert outcome(*words) == (0, "", "")
    before = contents(tmp_path / "links.db")
    assert outcome(*words) == (0, "", "")
    assert contents(tmp_path / "links.db") == before
    assert os.listdir(tmp_path) == ["links.db"]


def test_same_file_from_another_directory_is_the_same_source(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(mailbox(1))
    assert outcome("index", "links.db", "box", cwd=tmp_path)[0] == 0
    before = contents(tmp_path / "links.db")
    assert outcome("index", tmp_path / "links.db", f"../{tmp_path.name}/box", cwd=tmp_path) == (0, "", "")
    assert contents(tmp_path / "links.db") == before


def changed(folder: Path, step: int) -> None:
    """Make what people and their programs make of mail between two runs; step 0 makes the tree."""
    box, maildir, mh = folder / "box", folder / "mail", folder / "mh"
    if step == 0:
        for part in ("mail/cur", "mail/new", "mail/tmp", "mh", "news/a/b"):
            (folder / part).mkdir(parents=True)
        (mh / ".mh_sequences").write_bytes(b"unseen: 3\n")
        box.write_bytes(b"Words before it, at http://before.example/\n\n" + mailbox(*range(40)))
        log = (b"%d http://x.example/t%d\n\n" % (n, n) for n in range(300))
        (folder / "log.txt").write_bytes(b"".join(log))
        for number in range(1, 30):
            (maildir / "new" / f"{number}.x").write_bytes(message(number, "d"))
            (mh / str(number)).write_bytes(message(number, "h"))
            (folder / "news/a/b" / str(number)).write_bytes(message(number, "s"))
        (folder / "old.gz").write_bytes(gzip.compress(mailbox(*range(20), path="z")))
        (folder / "page.html").write_bytes(b"<html><p>see <a href='http://x.example/p'>it</a>" * 200)
        with zipfile.ZipFile(folder / "two.zip", "w") as archive:
            archive.writestr("a.txt", "http://x.example/za\n" * 20)
            archive.writestr("b/b.eml", message(1, "zb"))
            archive.writestr("b/c.mbox", mailbox(1, 2, path="zc"))
    elif step == 1:
        box.write_bytes(box.read_bytes() + mailbox(40, 41) + POSTMARK + message(42)[:150])
        for number in range(1, 9):
            (maildir / "new" / f"{number}.x").rename(maildir / "cur" / f"{number}.x:2,S")
        (maildir / "new" / "9.x").unlink()
        (maildir / "new" / "30.x").write_bytes(message(30, "d"))
        with (folder / "log.txt").open("ab") as log:
            log.write(b"300 http://x.example/t300\n\n301 http://x.exa")
        (folder / "news/a/b" / "30").write_bytes(message(30, "s"))
    elif step == 2:
        box.write_bytes(box.read_bytes() + message(42)[150:] + b"\n" + mailbox(43))
        with (folder / "log.txt").open("ab") as log:
            log.write(b"mple/t301\n\n")
        (mh / "5").write_bytes(message(55, "h"))
        os.utime(mh / "5", (1, 1))
        (folder / "page.html").write_bytes(b"<html><p>see <a href='http://x.example/q'>it</a>")
        (folder / "old.gz").write_bytes(gzip.compress(mailbox(*range(3, 22), path="z")))
    elif step == 3:
        box.write_bytes(mailbox(1, *range(5, 30), 50))
        (folder / "log.txt").write_bytes(b"anew: http://x.example/anew\n")
        with zipfile.ZipFile(folder / "two.zip", "w") as archive:
            archive.writestr("b/b.eml", message(2, "zb"))


STEPS = 4


def expected(folder: Path) -> list[str]:
    """Return the URLs that are in the tree now, and that of the mail that was removed from the Maildir."""
    gone = ["http://x.example/d9", "http://x.example/all"] if (folder / "mail/cur/1.x:2,S").exists() else []
    return sorted([*(found.url for found in extract_source(folder)), *gone])


def test_changes_replace_what_was_there(tmp_path: Path) -> None:
    """Appended, incomplete, rewritten and compressed mail, moved and removed mails, used numbers, texts."""
    folder = tmp_path / "in"
    for step in range(STEPS):
        changed(folder, step)
        assert indexed(tmp_path, folder) == expected(folder)
        assert indexed(tmp_path, folder) == expected(folder)


def test_each_cut_of_a_mailbox_gives_the_whole(tmp_path: Path) -> None:
    """Wherever a file that is being written ends when a run reads it."""
    chance = random.Random(1)
    data = mailbox(*range(6))
    text = b"".join(b"see http://x.example/%d now\n" % number for number in range(40))
    for name, whole in (("box", data), ("text", text)):
        path, end = tmp_path / name, 0
        while end < len(whole):
            end += chance.randint(1, len(whole) // 6)
            path.write_bytes(whole[:end])
            indexed(tmp_path, path)
    whole = [found.url for name in ("box", "text") for found in extract_source(tmp_path / name)]
    assert indexed(tmp_path) == sorted(whole)


_FORWARDED = b"From bo@x.example Mon Nov 14 09:12:44 1994\nX: y\n\nsee http://x.example/inner\n"
_NEXT = b"From p@x.example Mon Nov 14 09:12:44 1994\nSubject: next\n\nsee http://x.example/next\n"


@pytest.mark.parametrize(("begun", "rest"), [
    (b"Subject: one\n\nsee http://x.example/1\n\n", _NEXT),
    (b"Subject: one\n\nsee http://x.example/1\n", b"\n" + _NEXT),
    (b"Subject: one\nX-Fo", _NEXT),  # its writer died
    (b"Subject: one\nX-Fo\n", _NEXT),
    (b"Subject: one\n\nsee http://x.exam", b"ple/1\n\n" + _NEXT),
    (b"Content-Length: %d\n\n" % len(_FORWARDED), _FORWARDED + b"\n" + _NEXT),
    (b"Content-Length: %d\n\n\n\n" % (len(_FORWARDED) + 2), _FORWARDED + b"\n" + _NEXT),
    (b"Content-Length: 400\n\nsee http://x.example/1\n\n", _NEXT),  # a length that is wrong
])  # fmt: skip
def test_message_that_was_last_is_read_again_if_it_goes_on(tmp_path: Path, begun: bytes, rest: bytes) -> None:
    """The index is that of a run that has met the whole mailbox alone."""
    first = b"From a@x.example Mon Nov 14 09:12:44 1994\nSubject: first\n\nsee http://x.example/0\n\n"
    begun = first + b"From a@x.example Mon Nov 14 09:12:44 1994\n" + begun
    path = tmp_path / "box"
    path.write_bytes(begun)
    index_sources(tmp_path / "links.db", path)
    path.write_bytes(begun + rest)
    index_sources(tmp_path / "links.db", path)
    index_sources(tmp_path / "whole.db", path)
    assert contents(tmp_path / "links.db") == contents(tmp_path / "whole.db")


_TEXT = b"see http://x.example/1\n\nsee http://x.example/2 and 3\n"


@pytest.mark.parametrize(("before", "after"), [
    # The rest of a broken URL is written later.
    (b"http://x.example/1\n\nand <http://x.example/long/\n", b"http://x.example/1\n\nand <http://x.example/long/\npath>\n"),
    # Cut: its last paragraph, which begins at 24, is where it is resumed.
    *((_TEXT, _TEXT[:kept]) for kept in (0, 23, 24, 40)),
    # Edited without another size.
    *((b"see http://x.example/1" + end, b"see http://x.example/2" + end) for end in (b"", b"\n", b"\n\n")),
])  # fmt: skip
def test_text_that_has_changed_is_read_again_once(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(before)
    indexed(tmp_path, path)
    path.write_bytes(after)
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    assert indexed(tmp_path, path) == sorted(found.url for found in extract_source(path))
    assert index_sources(tmp_path / "links.db", path) == IndexRun()


def test_large_message_is_read_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_ITEMS", 2)
    filler = b"words that fill the body of this message\n" * 60_000
    (tmp_path / "box").write_bytes(b"".join(mailbox(n) + filler + b"\n" for n in range(6)))
    index_sources(tmp_path / "two.db", tmp_path / "box", jobs=2)
    index_sources(tmp_path / "one.db", tmp_path / "box", jobs=1)
    assert contents(tmp_path / "one.db") == contents(tmp_path / "two.db")
    assert len(urls(tmp_path / "two.db")) == 12


def test_stream_is_known_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    texts = b"see http://x.example/text\n", b"<html><a href='http://x.example/p'>"
    for data in (message(1), mailbox(2, 3), *texts):
        assert outcome("index", path, data=data) == (0, "", "")
        before = contents(path)
        assert outcome("index", path, "-", data=data) == (0, "", "")
        assert contents(path) == before
    assert outcome("index", path, data=mailbox(2, 3, 4))[0] == 0
    assert [urls(path).count(f"http://x.example/m{number}") for number in (3, 4)] == [1, 1]


@pytest.mark.slow
def test_very_large_text_and_message_are_there_once(tmp_path: Path) -> None:
    many = b"".join(b"see http://x.example/%d now\n\n" % number for number in range(50_000))
    (tmp_path / "page.html").write_bytes(b"<html>" + many)
    (tmp_path / "big.eml").write_bytes(b"Subject: big\nMessage-ID: <1@a>\n\n" + many)
    assert len(indexed(tmp_path, tmp_path / "page.html", tmp_path / "big.eml")) == 100_000
    assert rows(tmp_path / "links.db", "SELECT subject FROM messages") == [("big",)]
    assert indexed(tmp_path, tmp_path / "page.html") == indexed(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_mail_that_cannot_be_read_is_read_by_a_later_run(tmp_path: Path) -> None:
    (tmp_path / "in/cur").mkdir(parents=True)
    (tmp_path / "in/new").mkdir()
    mail = tmp_path / "in/cur/1.x"
    mail.write_bytes(message(1))
    mail.chmod(0)
    assert outcome("index", tmp_path / "links.db", tmp_path / "in")[0] == 2
    mail.chmod(0o600)
    assert outcome("index", tmp_path / "links.db", tmp_path / "in")[0] == 0


def test_index_in_the_tree_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"http://x.example/\n")
    for _ in range(3):
        assert outcome("index", tmp_path / "links.db", tmp_path) == (0, "", "")
    assert urls(tmp_path / "links.db") == ["http://x.example/"]


def test_index_that_is_a_link_into_the_tree_is_passed_over(tmp_path: Path) -> None:
    """SQLite has the files beside it where the target of the link is."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tmp_path / "links.db").symlink_to(tree / "real.db")
    (tree / "z.mbox").write_bytes(mailbox(1))
    index_sources(tmp_path / "links.db", tree)
    (tree / "z.mbox").write_bytes(mailbox(*range(1, 30)))
    assert indexed(tmp_path, tree) == sorted(found.url for found in extract_source(tree / "z.mbox"))
    assert rows(tmp_path / "links.db", "SELECT CAST(path AS TEXT) FROM files") == [(f"{tree}/z.mbox",)]


# --- parts ----------------------------------------------------------------------------------------


def written_parts(tmp_path: Path) -> Path:
    """Write the records of a mailbox into two parts, and what else a cluster leaves."""
    from backports import zstd

    (tmp_path / "box").write_bytes(mailbox(*range(30)))
    lines = [json.dumps(found.to_dict()).encode() + b"\n" for found in extract_source(tmp_path / "box")]
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "1.jsonl.zst").write_bytes(zstd.compress(b"".join(lines[:25])))
    (parts / "2.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[25:])))
    (parts / ".part-x.jsonl").write_bytes(lines[0])
    return parts


def test_parts_are_loaded_once(tmp_path: Path) -> None:
    parts, path = written_parts(tmp_path), tmp_path / "links.db"
    assert outcome("index", path, "--from", parts) == (0, "", "")
    before = contents(path)
    assert outcome("index", path, "--from", parts) == (0, "", "")
    assert contents(path) == before
    index_sources(tmp_path / "other.db", tmp_path / "box")
    others = records(tmp_path / "other.db", "SELECT * FROM links")
    assert records(path, "SELECT * FROM links") == [{**link, "context": None} for link in others]


def test_part_that_is_damaged_is_told_and_one_that_has_changed_replaces_what_it_had(tmp_path: Path) -> None:
    parts, path = written_parts(tmp_path), tmp_path / "links.db"
    second = parts / "2.jsonl.gz"
    whole = second.read_bytes()

    def load(*more: str) -> tuple[int, int]:
        return outcome("index", path, "--from", parts, *more)[0], len(urls(path))

    second.write_bytes(whole[:-40])
    status, _, errors = outcome("index", path, "--from", parts)
    assert (status, errors.count("\n"), len(urls(path))) == (2, 1, 25)
    assert errors.startswith(f"urlextract: {second}")
    second.write_bytes(whole)
    assert load() == (0, 60)
    second.write_bytes(gzip.compress(b"".join(gzip.decompress(whole).splitlines(keepends=True)[:10])))
    assert load() == (0, 35)
    second.rename(parts / "9.jsonl.gz")
    assert load() == (0, 35)
    (parts / "9.jsonl.gz").unlink()
    assert load() == (0, 25)
    (parts / "3.jsonl").write_bytes(b"{}\n")
    assert (
        "line 1 is no record: Object missing required field `v`" in outcome("index", path, "--from", parts)[2]
    )
    contents(path)


@pytest.mark.parametrize(("change", "status"), [
    ({"line": 10**30}, 2), ({"byte": -1}, 2), ({"confidence": float("nan")}, 2), ({"form": "odd"}, 2),
    ({"url": 1}, 2), ({"repairs": [{"code": "odd", "words": "odd"}]}, 2), ({"v": 1}, 2),
    ({"differs": "\0"}, 2),
    *(({name: "\ud800\0"}, 0) for name in ("url", "raw", "source", "part", "header", "subject", "date")),
    ({"element": "\ud800", "attribute": "\0", "text": "\ud800", "shown": "\0"}, 0),
    ({"wrapped_by": "\ud800", "unwrapped": "http://a.example/x"}, 0),
])  # fmt: skip
def test_odd_record_is_told_or_made_valid(tmp_path: Path, change: dict[str, object], status: int) -> None:
    mail = b"Content-Type: text/html\n\n<a href='http://a.example/x'>x</a>"
    record = next(extract_source(io.BytesIO(mail))).to_dict() | change
    (tmp_path / "1.jsonl").write_text(json.dumps(record) + "\n")
    got, _, errors = outcome("index", tmp_path / "links.db", "--from", tmp_path)
    assert (got, errors.count("\n")) == (status, 1 if status else 0)
    assert "Traceback" not in errors
    contents(tmp_path / "links.db")


def test_messages_of_parts_are_counted_once(tmp_path: Path) -> None:
    """A mail in a mail is none of its own, and a text is none at all."""
    inner = b"Subject: b\n\nhttp://a.example/2\n"
    outer = b"Content-Type: message/rfc822\nList-Archive: <http://a.example/1>\n\n" + inner
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.eml").write_bytes(outer)
    (tmp_path / "in" / "2.eml").write_bytes(inner)
    (tmp_path / "in" / "text").write_bytes(b"http://a.example/3\n")
    (tmp_path / "1.jsonl").write_bytes(run("-j", tmp_path / "in").stdout)
    counts = index_sources(tmp_path / "links.db", [], parts_from=tmp_path)
    assert (counts.messages, counts.places) == (2, 4)


@pytest.mark.parametrize(("name", "error"), [
    ("in", "no records in this directory (.jsonl, .jsonl.gz, .jsonl.zst, .parquet)"),  # but mail
    ("none", "No such file or directory"),
])  # fmt: skip
def test_directory_without_parts_is_told(tmp_path: Path, name: str, error: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "mail.eml").write_bytes(b"Subject: tides\n\nhttp://a.example/\n")
    told = f"urlextract: {tmp_path / name}: {error}\n"
    assert outcome("index", tmp_path / "links.db", "--from", tmp_path / name) == (2, "", told)


# --- killed runs ----------------------------------------------------------------------------------

# Batches are small here, so that a kill falls between any two transactions. No public option sets this.
OFTEN = (
    "from urlextract.index import batches; batches._BYTES, batches._ITEMS = 8_000, 5;"
    "from urlextract.__main__ import main; main()"
)


def command(*words: object) -> list[str]:
    return [sys.executable, "-c", OFTEN, "index", *map(str, words)]


def kill_at_random(chance: random.Random, words: list[str], longest: float) -> bool:
    """Start a run and kill it after a random time; return True if it had ended before."""
    process = subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE)
    time.sleep(chance.uniform(0, 1) * longest)
    process.send_signal(signal.SIGKILL)
    _, errors = process.communicate()
    assert all(b"no longer there" in line for line in errors.splitlines())  # the mail that was removed
    return process.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_killed_runs_leave_the_index_of_an_undisturbed_one(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder, calm, killed = tmp_path / "in", tmp_path / "calm.db", tmp_path / "killed.db"
    ended = []
    for step in range(STEPS):
        changed(folder, step)
        started = time.perf_counter()
        assert subprocess.run(command(calm, folder), check=False, env=ENVIRONMENT).returncode == 0
        longest = time.perf_counter() - started
        words = command(killed, *(("-J", "2") if step % 2 else ()), folder)
        ended += [kill_at_random(chance, words, longest) for _ in range(8)]
        assert subprocess.run(words, check=False, env=ENVIRONMENT).returncode == 0
        assert contents(killed) == contents(calm)
        assert urls(killed) == expected(folder)
    assert ended.count(False) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_leaves_a_consistent_file(tmp_path: Path, number: int, heeded_signals: None) -> None:
    (tmp_path / "box").write_bytes(mailbox(*range(3000)))
    words = command(tmp_path / "links.db", tmp_path / "box")
    process = subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE)
    wait_until((tmp_path / "links.db-wal").exists, "its log")
    until_it_has_worked(process, 0.3)
    process.send_signal(number)
    _, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, errors) == ({signal.SIGINT: 130, signal.SIGTERM: -15}[number], b"")
    assert len(indexed(tmp_path, tmp_path / "box")) == 6000


# --- bad input ------------------------------------------------------------------------------------


def refused(path: Path, *words: object) -> str:
    """Return the only line on standard error of a run that must change nothing, without its beginning."""
    before = path.read_bytes() if path.is_file() else None
    status, output, errors = outcome("index", path, *words, data=message(1))
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"urlextract: {path}: ")
    assert "Traceback" not in errors
    assert (path.read_bytes() if path.is_file() else None) == before
    return errors.removeprefix(f"urlextract: {path}: ").rstrip()


@pytest.mark.parametrize("data", [b"x", b"text\n" * 70, mailbox(1), b"SQLite format 3\0", b"\0" * 8192])
def test_other_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "links.db"
    path.write_bytes(data)
    assert refused(path) == "is no index of URLs, and no SQLite file"


ANEW = "make a new index of its sources"


@pytest.mark.parametrize(("version", "expected"), [
    (None, "is no index of URLs, but another SQLite file"),
    (VERSION + 1, f"is an index of a newer version of the program ({VERSION + 1}; this one has {VERSION})"),
    (2, f"is an index of an older version of the program (2; this one has {VERSION}): {ANEW}"),
])  # fmt: skip
def test_other_sqlite_file_and_other_version_are_refused(tmp_path: Path, version, expected: str) -> None:
    path = tmp_path / "links.db"
    if version is not None:
        index_sources(path, [])
    with closing(sqlite3.connect(path)) as index:
        index.execute("CREATE TABLE mine (id)" if version is None else f"PRAGMA user_version = {version}")
    assert refused(path) == expected


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path) == "Is a directory"
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/null"), Path("/dev/full")):
        assert refused(path) == "is no index of URLs, and no file"


@pytest.mark.parametrize("name", [":memory:", "file:a?mode=memory", "file::memory:", "-o", "a?#%41 '\"\n.db"])
def test_any_name_is_that_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """SQLite has names that mean a database in memory."""
    monkeypatch.chdir(tmp_path)
    index_sources(name, io.BytesIO(message(1)))
    assert os.listdir() == [name]
    assert urls(tmp_path / name) == ["http://x.example/all", "http://x.example/m1"]
    with opened_for_reading(name) as index:
        assert index.execute("SELECT count(*) FROM urls").fetchone() == (2,)


def test_empty_file_becomes_an_index(tmp_path: Path) -> None:
    (tmp_path / "links.db").touch()
    assert outcome("index", tmp_path / "links.db", data=message(1))[0] == 0


def test_planted_link_is_refused(tmp_path: Path) -> None:
    open_folder = tmp_path / "tmp"
    open_folder.mkdir()
    open_folder.chmod(0o1777)
    link = open_folder / "links.db"
    link.symlink_to(tmp_path / "target")
    if os.geteuid() != 0:
        pytest.skip("only root can give a link to somebody else")
    os.chown(link, 12345, -1, follow_symlinks=False)
    os.chown(open_folder, 0, -1)
    assert "is a link that somebody else made" in refused(open_folder / "links.db")
    assert not (tmp_path / "target").exists()
    assert os.listdir(open_folder) == [link.name]


def test_index_as_its_own_source_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    index_sources(path, io.BytesIO(message(1)))
    assert refused(path, path) == "the input is also the index"
    with pytest.raises(SourceError, match="the input is also the index"):
        index_sources(path, path)


@pytest.mark.slow
def test_second_writer_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    first = subprocess.Popen([*COMMAND, "index", path], stdin=subprocess.PIPE, env=ENVIRONMENT)
    try:
        wait_until(path.with_name("links.db-wal").exists, "the log, which comes after the tables")
        assert rows(path, "SELECT count(*) FROM links") == [(0,)]
        status, _, errors = outcome("index", path, data=message(2))
        assert (status, errors) == (2, f"urlextract: {path}: is being written by another run\n")
    finally:
        first.communicate(message(1), timeout=LIMIT)
    assert first.returncode == 0
    assert "http://x.example/m1" in urls(path)


@pytest.mark.slow
def test_transaction_of_another_program_is_waited_for_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    index_sources(path, io.BytesIO(message(1)))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    told = f"urlextract: {path}: is being written by another run\n"
    assert outcome("index", path, data=message(2)) == (2, "", told)
    other.close()


@pytest.mark.parametrize("seed", range(12))
def test_damaged_index_is_one_clear_line(tmp_path: Path, seed: int) -> None:
    """Wherever it is damaged: the run ends well if it does not meet it."""
    path, chance = tmp_path / "links.db", random.Random(seed)
    (tmp_path / "box").write_bytes(mailbox(*range(300)))
    index_sources(path, tmp_path / "box")
    data = bytearray(path.read_bytes())
    if seed < 3:
        del data[chance.randrange(4096, len(data)) :]
    else:
        for _ in range(40):
            data[chance.randrange(100, len(data))] ^= 0xFF
    path.write_bytes(data)
    (tmp_path / "box").write_bytes(mailbox(*range(400, 700)))
    status, output, errors = outcome("index", path, tmp_path / "box")
    assert (status, output, errors.count("\n")) in ((2, "", 1), (0, "", 0))
    assert "Traceback" not in errors
    if status == 2:
        assert errors.startswith(f"urlextract: {path}: ")


def test_full_disk_is_one_clear_line_and_leaves_a_consistent_file(tmp_path: Path) -> None:
    """A limit of the size of files stands for the disk."""
    path = tmp_path / "links.db"
    (tmp_path / "box").write_bytes(mailbox(*range(3000)))
    limited = f"ulimit -f 600; exec {sys.executable} -m urlextract index {path} {tmp_path / 'box'}"
    done = subprocess.run(["sh", "-c", limited], capture_output=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert done.stderr.startswith(f"urlextract: {path}: cannot be written: ".encode())
    assert len(indexed(tmp_path, tmp_path / "box")) == 6000


def test_file_system_that_is_full_is_one_clear_line(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=0755", "tmpfs", disk]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        (tmp_path / "box").write_bytes(mailbox(*range(3000)))
        status, _, errors = outcome("index", disk / "links.db", tmp_path / "box")
        full = f"urlextract: {disk / 'links.db'}: cannot be written: the disk is full\n"
        assert (status, errors) == (2, full)
        contents(disk / "links.db")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_missing_source_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(mailbox(1))
    status, _, errors = outcome("index", tmp_path / "links.db", tmp_path / "none", tmp_path / "box")
    assert (status, errors) == (2, f"urlextract: {tmp_path / 'none'}: No such file or directory\n")
    assert len(urls(tmp_path / "links.db")) == 2


@pytest.mark.parametrize(("how", "error"), [
    ({"format": "mobx"}, ValueError), ({"jobs": 0}, ValueError), ({"schemes": {"htpp"}}, ValueError),
    ({"unwarp": True}, TypeError), ({"sources": b"a.eml"}, TypeError),
])  # fmt: skip
def test_wrong_arguments_raise_before_a_file_is_made(tmp_path: Path, how: dict, error: type) -> None:
    with pytest.raises(error):
        index_sources(**{"path": tmp_path / "links.db", "sources": [], **how})
    assert not list(tmp_path.iterdir())


def test_library_raises_damage_after_the_end(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        index_sources(tmp_path / "links.db", [tmp_path / "none", io.BytesIO(message(1))])
    assert len(urls(tmp_path / "links.db")) == 2
    damage: list[SourceError] = []
    done = index_sources(tmp_path / "links.db", tmp_path / "none", on_damage=damage.append)
    assert (done.damaged, len(damage)) == (1, 1)


def test_error_has_its_path_and_cause(tmp_path: Path) -> None:
    (tmp_path / "links.db").write_bytes(b"x")
    with pytest.raises(IndexFileError) as caught:
        index_sources(tmp_path / "links.db", [])
    assert caught.value.path == str(tmp_path / "links.db")
    assert caught.value.cause == "is no index of URLs, and no SQLite file"
    assert isinstance(caught.value, OSError)


def test_runs_say_what_they_did(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(mailbox(1, 2))
    assert index_sources(tmp_path / "links.db", tmp_path / "box") == IndexRun(messages=2, places=4, urls=3)
    assert index_sources(tmp_path / "links.db", tmp_path / "box") == IndexRun()
    (tmp_path / "box").write_bytes(mailbox(2, 3, 4))
    done = index_sources(tmp_path / "links.db", tmp_path / "box")
    assert done == IndexRun(messages=2, places=4, urls=1)
