"""``urlextract index``: what was found is in an SQLite file, once, and stays so when a run is stopped."""

from __future__ import annotations

import fcntl
import io
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import COMMAND, ENVIRONMENT, outcome, until_it_has_worked
from indexes import POSTMARK, contents, mailbox, message, records, rows, small_disk, tree, urls
from realtools import LIMIT, ROOT, wait_until

from urlextract import SourceError, extract_source, index_sources
from urlextract.errors import IndexFileError
from urlextract.index import batches, database, indexing
from urlextract.index.database import opened_for_reading
from urlextract.index.schema import VERSION
from urlextract.index.writing import IndexWriter
from urlextract.records import Item, RawMessage
from urlextract.results import IndexRun

CORPORA = ROOT / "corpora"


def indexed(tmp_path: Path, *sources: Path, **how: object) -> list[str]:
    """Add sources to the index ``links.db``; return the URLs of all its places, sorted."""
    index_sources(tmp_path / "links.db", sources, **how)
    contents(tmp_path / "links.db")
    return urls(tmp_path / "links.db")


# --- what is in it --------------------------------------------------------------------------------


@pytest.mark.parametrize("source", sorted(CORPORA.iterdir()), ids=lambda path: path.name)
def test_rows_are_the_records_of_the_source(tmp_path: Path, source: Path) -> None:
    index_sources(tmp_path / "links.db", source)
    found = [each.to_dict() for each in extract_source(source)]
    links = records(tmp_path / "links.db", "SELECT * FROM links ORDER BY id")
    for link, record in zip(links, found, strict=True):
        others = {"date", "source", "repairs", "defects", "newsgroups", "title", "context", "byte"}
        same = set(link) & set(record) - others
        assert {key: link[key] for key in same} == {key: record[key] for key in same}
        assert len(same) >= 23
        assert record["byte"] in (None, (link["byte"] or 0) + (link["offset"] or 0))
        assert record["title"] in (link["title"], None)  # a message has one title, also for its header
        assert link["source"] == os.path.abspath(record["source"])
        for name in ("repairs", "defects"):
            assert json.loads(link[name] or "[]") == [each["code"] for each in record[name]]
        groups = (record["newsgroups"] or "").replace(" ", "").split(",")
        assert json.loads(link["newsgroups"] or '[""]') == groups
        named = link["sender"], link["col"], link["stop"]
        assert named == (record["from"], record["column"], record["end"])
    contents(tmp_path / "links.db")


LONG = "".join(f"größer {n} http://x.example/{n} und\n" + "\n" * (n % 7 == 0) for n in range(9000)).encode()


@pytest.mark.parametrize("text", [LONG, b"\xef\xbb\xbf" + LONG, LONG.replace(b"\n", b"\r\n")])
def test_long_text_has_the_places_of_its_records(tmp_path: Path, text: bytes) -> None:
    """It is read in stretches."""
    index_sources(tmp_path / "links.db", tree(tmp_path, {"a.txt": text}) / "a.txt")
    found = [(f.url, f.start, f.end, f.line, f.column, f.byte) for f in extract_source(tmp_path / "a.txt")]
    query = "SELECT url, start, stop, line, col, byte FROM links ORDER BY id"
    assert rows(tmp_path / "links.db", query) == found


def search(words: str) -> str:
    found = f"SELECT rowid FROM search WHERE search MATCH '{words}'"  # noqa: S608 - of the tests
    return f"SELECT url FROM links WHERE id IN ({found}) ORDER BY url"  # noqa: S608


def showing(day: int, target: str, text: str) -> bytes:
    head = f"Date: {day} Feb 2026 09:00 +0000\nContent-Type: text/html\n\n"
    return f"{head}<a href='http://{target}/'>{text}</a>".encode()


DATES = ("1 Jan 1969 10:00:00 +0000", "7 Jan 2001 10:00:00 +0100", "1 Jan 2099 10:00:00 +0000",
         "1 Jan 2001 10:00:00 -0100", "soon", "5 Jan 2001 10:00:00 +0100")  # fmt: skip
GATE = "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.x.example%2F{}&data=1\n\n"
INNER = b"Date: 1 Mar 2024 10:00 +0000\nMessage-ID: <2@x>\n\nhttp://x.example/\n"
BY_MONTH = "SELECT month, messages, with_links, places, urls FROM by_month"
# What is read, then queries with their rows
ASKED: dict[str, tuple[dict[str, bytes], dict[str, list[tuple[Any, ...]]]]] = {
    "a context is what a reader sees, or a line, and is bounded": (
        {"page.html": b"<p>The new <a href='http://a.example/t'>tables</a> of\n the <b>harbour</b>.</p>",
         "text": b"one\nsee http://a.example/x now\nthree\n",
         "long": b"http://b.example/" + b"y" * 900},
        {"SELECT text, substr(context, 1, 40), length(context) FROM links ORDER BY url": [
            ("tables", "The new tables of the harbour.", 30), (None, "see http://a.example/x now", 26),
            (None, "http://b.example/" + 23 * "y", 500),
        ]},
    ),
    "words of links, hosts, subjects, senders and lines are searched": (
        {"box": mailbox(1, 2),
         "mail": b"From: Zoe Quick <zq@mail.example>\n\nhttp://docs.tides.example/almanac/1994\n"},
        {search("subject: tide 2"): [("http://x.example/all",), ("http://x.example/m2",)],
         **{search(words): [("http://docs.tides.example/almanac/1994",)] for words in (
             "almanac", '"docs.tides.example"', "host: tides", "quick", '"zq@mail.example"', "url:1994")}},
    ),
    "deceptive links are those that show another domain, also one with the same brand": (
        {"box": mailbox(1, 2), "1.eml": showing(1, "evil.example", "www.bank.example"),
         "2.eml": showing(2, "bank.com.co", "bank.com"), "3.eml": showing(3, "bank.de", "bank.com"),
         "4.eml": showing(4, "x.example/?to=bank.com", "bank.com")},
        {"SELECT url, shown, differs FROM deceptive_links ORDER BY url": [
            ("http://bank.com.co/", "bank.com", "brand"),
            ("http://evil.example/", "www.bank.example", "domain")],
         BY_MONTH: [("1994-11", 2, 2, 4, 3), ("2026-02", 4, 4, 5, 5)],
         "SELECT domain, urls, places FROM domains WHERE domain = 'x.example'": [("x.example", 4, 5)]},
    ),
    "dates are in UTC, and those that no mail has are doubtful, and no first or last one": (
        {"box": b"".join(POSTMARK + f"Date: {each}\n\nhttp://x.example/\n\n".encode() for each in DATES)},
        {"SELECT date, doubtful_date FROM links ORDER BY id": [
            (None, "1969-01-01T10:00:00Z"), ("2001-01-07T09:00:00Z", None), (None, "2099-01-01T10:00:00Z"),
            ("2001-01-01T11:00:00Z", None), (None, None), ("2001-01-05T09:00:00Z", None)],
         "SELECT first_seen, last_seen, places FROM urls": [
             ("2001-01-01T11:00:00Z", "2001-01-07T09:00:00Z", 6)],
         BY_MONTH: [("2001-01", 3, 3, 3, 1)]},
    ),
    "a mail has links that are only in a mail in it": (
        {"a.eml": b"Date: 2 Apr 2024 10:00 +0000\nMessage-ID: <1@x>\n"
                  b"Content-Type: message/rfc822\n\n" + INNER},
        {BY_MONTH: [("2024-03", 0, 0, 1, 1), ("2024-04", 1, 1, 0, 0)],
         "SELECT outermost.message_id, messages.message_id FROM messages LEFT JOIN messages AS outermost "
         "ON outermost.id = messages.outer_id ORDER BY messages.id": [(None, "<1@x>"), ("<1@x>", "<2@x>")],
         "SELECT hash IS NULL FROM messages ORDER BY id": [(0,), (1,)]},
    ),
    "people are columns of their own": (
        {"a.eml": b'From: "Doe, Ann" <Ann@X.example>\nTo: bo@x.example, "C, D" <cd@x.example>\n'
                  b"Newsgroups: a.b, c.d\n\nhttp://x.example/\n"},
        {"SELECT from_name, from_address, recipients, newsgroups FROM links": [
            ("Doe, Ann", "ann@x.example", '["bo@x.example", "C, D <cd@x.example>"]', '["a.b", "c.d"]')]},
    ),
    "domains count where links lead behind gateways": (
        {"a.txt": "".join(GATE.format(n % 2) for n in range(4)).encode()},
        {"SELECT domain, urls, places FROM domains": [("x.example", 2, 4)],
         "SELECT DISTINCT domain, target, target_domain, target_key FROM links ORDER BY target": [
             ("outlook.com", f"https://www.x.example/{n}", "x.example", f"https://www.x.example/{n}")
             for n in (0, 1)]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ASKED)
def test_an_index_answers(what: str, tmp_path: Path) -> None:
    files, queries = ASKED[what]
    indexed(tmp_path, tree(tmp_path / "in", files))
    assert {query: rows(tmp_path / "links.db", query) for query in queries} == queries


def test_no_name_needs_quotes(tmp_path: Path) -> None:
    """Each column can be asked for as it is written."""
    index_sources(tmp_path / "links.db", [])
    for table in ("messages", "copies", "files", "urls", "places", "links", "domains", "by_month"):
        names = rows(tmp_path / "links.db", "SELECT name FROM pragma_table_info(?)", table)
        assert len(names) >= 4
        for (name,) in names:
            rows(tmp_path / "links.db", f"SELECT {name} FROM {table} WHERE {name} IS NULL ORDER BY {name}")  # noqa: S608


def test_odd_bytes_are_valid_text(tmp_path: Path) -> None:
    """Of names of files, of fields and of texts; names stay apart."""
    for name in (b"caf\xe9.eml", b"caf\\xe9.eml"):
        path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
        Path(path).write_bytes(b"Subject: a\0b \xe9\n\n" + name + b"\0 http://a.example/\xe9\n")
    indexed(tmp_path, tmp_path)
    for table in ("links", "messages", "urls", "copies"):
        for row in rows(tmp_path / "links.db", f"SELECT * FROM {table}"):  # noqa: S608 - as above
            assert not [each for each in row if isinstance(each, str) and "\0" in each]
            assert "\udce9" not in str(row)
    names = rows(tmp_path / "links.db", "SELECT source FROM copies ORDER BY source")
    assert [source.rpartition("/")[2] for (source,) in names] == [r"caf\\xe9.eml", r"caf\udce9.eml"]


def test_processes_make_the_rows_that_one_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of large messages, whose ends are read when they are asked for."""
    large = mailbox(95) + b"words that fill the body of this message\n" * 60_000 + b"\n"
    (tmp_path / "box").write_bytes(mailbox(*range(95)) + large + mailbox(96))
    index_sources(tmp_path / "one.db", tmp_path / "box", jobs=1)
    monkeypatch.setattr(batches, "_ITEMS", 10)
    monkeypatch.setattr(indexing, "_PLACES", 7)
    monkeypatch.setattr(indexing, "_rows_of", partial(in_another, os.getpid(), indexing._rows_of))
    index_sources(tmp_path / "two.db", tmp_path / "box", jobs=2)
    assert contents(tmp_path / "one.db") == contents(tmp_path / "two.db")
    assert len(urls(tmp_path / "two.db")) == 2 * 97


def in_another(own: int, rows_of: Any, *arguments: object) -> Any:
    assert os.getpid() != own
    return rows_of(*arguments)


@pytest.mark.slow
def test_very_large_text_and_message_are_there_once(tmp_path: Path) -> None:
    many = b"".join(b"see http://x.example/%d now\n\n" % number for number in range(50_000))
    (tmp_path / "page.html").write_bytes(b"<html>" + many)
    (tmp_path / "big.eml").write_bytes(b"Subject: big\nMessage-ID: <1@a>\n\n" + many)
    assert len(indexed(tmp_path, tmp_path / "page.html", tmp_path / "big.eml")) == 100_000
    assert rows(tmp_path / "links.db", "SELECT subject FROM messages") == [("big",)]
    assert indexed(tmp_path, tmp_path / "page.html") == indexed(tmp_path)


# --- what is new ----------------------------------------------------------------------------------


def test_second_run_adds_nothing_wherever_it_is_started(tmp_path: Path) -> None:
    shutil.copytree(CORPORA, tmp_path / "in")
    assert outcome("index", "links.db", "in", cwd=tmp_path) == (0, "", "")
    before = contents(tmp_path / "links.db")
    assert outcome("index", "../links.db", "../in", cwd=tmp_path / "in") == (0, "", "")
    assert contents(tmp_path / "links.db") == before
    assert sorted(os.listdir(tmp_path)) == ["in", "links.db"]


def test_runs_say_what_they_did(tmp_path: Path) -> None:
    path, box = tmp_path / "links.db", tmp_path / "box"
    for numbers, done in (((1, 2), IndexRun(messages=2, places=4, urls=3)), ((1, 2), IndexRun()),
                          ((2, 3, 4), IndexRun(messages=2, places=4, urls=1))):  # fmt: skip
        box.write_bytes(mailbox(*numbers))
        assert index_sources(path, box) == done
    assert rows(path, search("subject: tide 1")) == []


FIRST = b"From a@x.example Mon Nov 14 09:12:44 1994\nSubject: first\n\nsee http://x.example/0\n\n"
SECOND = FIRST + b"From a@x.example Mon Nov 14 09:12:44 1994\n"
FORWARDED = b"From bo@x.example Mon Nov 14 09:12:44 1994\nX: y\n\nsee http://x.example/inner\n"
NEXT = b"From p@x.example Mon Nov 14 09:12:44 1994\nSubject: next\n\nsee http://x.example/next\n"
TEXT = b"see http://x.example/1\n\nsee http://x.example/2 and 3\n"
BROKEN = b"http://x.example/1\n\nand <http://x.example/long/\n"


@pytest.mark.parametrize(("before", "after"), [
    # The last message of a mailbox goes on.
    *((SECOND + begun, SECOND + begun + rest) for begun, rest in (
        (b"Subject: one\n\nsee http://x.example/1\n\n", NEXT),
        (b"Subject: one\n\nsee http://x.example/1\n", b"\n" + NEXT),
        (b"Subject: one\nX-Fo", NEXT),  # its writer died
        (b"Subject: one\nX-Fo\n", NEXT),
        (b"Subject: one\n\nsee http://x.exam", b"ple/1\n\n" + NEXT),
        (b"Content-Length: %d\n\n" % len(FORWARDED), FORWARDED + b"\n" + NEXT),
        (b"Content-Length: %d\n\n\n\n" % (len(FORWARDED) + 2), FORWARDED + b"\n" + NEXT),
        (b"Content-Length: 400\n\nsee http://x.example/1\n\n", NEXT),  # a length that is wrong
    )),
    (BROKEN, BROKEN + b"path>\n"),
    # A text is cut: its last paragraph, which begins at 24, is where it is resumed.
    *((TEXT, TEXT[:kept]) for kept in (0, 23, 24, 40)),
    # It is edited without another size.
    *((b"see http://x.example/1" + end, b"see http://x.example/2" + end) for end in (b"", b"\n", b"\n\n")),
])  # fmt: skip
def test_what_has_changed_is_read_again_once(tmp_path: Path, before: bytes, after: bytes) -> None:
    """The index is that of a run that has met the whole file alone."""
    path = tmp_path / "file"
    for number, data in enumerate((before, after)):
        path.write_bytes(data)
        os.utime(path, ns=(0, number))
        indexed(tmp_path, path)
    index_sources(tmp_path / "whole.db", path)
    assert contents(tmp_path / "links.db") == contents(tmp_path / "whole.db")
    assert index_sources(tmp_path / "links.db", path) == IndexRun()


def test_what_is_told_does_not_depend_on_what_was_read_first(tmp_path: Path) -> None:
    """A text that has grown is that of a new index; byte is that of the message, whatever is added to it."""
    folder, path = tree(tmp_path / "in", {"a.txt": b"boats http://b.example/\n\n"}), tmp_path / "links.db"
    head, body = b"Subject: x\n", b"\nsee http://a.example/x\n"
    for marked, text in ((b"", b""), (b"Status: RO\n", b"http://a.example/9.html\n")):
        tree(folder, {"box": POSTMARK + head + marked + body, "a.txt": b"boats http://b.example/\n\n" + text})
        index_sources(path, folder)
    assert rows(path, "SELECT byte FROM links WHERE subject = 'x'") == [(len(head) + 5,)]
    index_sources(tmp_path / "fresh.db", folder)
    assert contents(path) == contents(tmp_path / "fresh.db")


@pytest.mark.parametrize("names", [("1", "2"), ("2", "1")])
def test_a_target_is_no_rewritten_link_itself(names: tuple[str, str], tmp_path: Path) -> None:
    """With --unwrap: the columns are those of the URL, and not of one of its places."""
    files = dict(zip(names, (GATE.format("t").encode(), b"https://www.x.example/t\n"), strict=True))
    index_sources(tmp_path / "links.db", tree(tmp_path / "in", files), unwrap=True)
    target = "https://www.x.example/t"
    query = "SELECT url, unwrapped, wrapped_by, target FROM links"
    assert rows(tmp_path / "links.db", query) == 2 * [(target, None, None, target)]


def test_rows_can_be_deleted_and_a_url_goes_with_its_last_place(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    index_sources(path, tree(tmp_path / "in", {"box": mailbox(1, 2), "text": b"http://x.example/m1\n"}))
    with closing(sqlite3.connect(path, isolation_level=None)) as index:
        with pytest.raises(sqlite3.IntegrityError, match="delete its places"):
            index.execute("DELETE FROM urls")
        index.execute("DELETE FROM messages WHERE subject = 'tide 1'")
        index.execute("DELETE FROM places WHERE url_id = (SELECT id FROM urls WHERE url LIKE '%m2')")
    assert contents(path)["urls"]
    assert urls(path) == ["http://x.example/all", "http://x.example/m1"]


@pytest.mark.parametrize("whole", [
    mailbox(*range(6)), b"".join(b"see http://x.example/%d now\n" % number for number in range(40)),
])  # fmt: skip
def test_each_cut_of_a_file_gives_the_whole(whole: bytes, tmp_path: Path) -> None:
    """Wherever a file that is being written ends when a run reads it."""
    chance, end = random.Random(1), 0
    while end < len(whole):
        end += chance.randint(1, len(whole) // 6)
        found = indexed(tmp_path, tree(tmp_path, {"file": whole[:end]}) / "file")
    assert found == sorted(found.url for found in extract_source(tmp_path / "file"))


def test_a_run_that_is_stopped_in_a_file_keeps_what_follows(tmp_path, monkeypatch):
    """Also if the next run reads another file; the one after that goes on in this one."""
    path, box = tmp_path / "links.db", tmp_path / "box"
    tree(tmp_path, {"box": mailbox(*range(40)), "other": b"see http://x.example/other\n"})
    index_sources(path, box)
    box.write_bytes(mailbox(50, *range(39)))
    begin, begun = IndexWriter.begin_batch, []

    def stop(writer: IndexWriter, batch: batches.Batch) -> None:
        begun.append(batch)
        begin(writer, batch)
        if len(begun) > 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(batches, "_ITEMS", 10)
        patch.setattr(IndexWriter, "begin_batch", stop)
        with pytest.raises(KeyboardInterrupt):
            index_sources(path, box, jobs=1)
    index_sources(path, tmp_path / "other")
    assert len(urls(path)) == 2 * 41 + 1
    index_sources(path, box)
    index_sources(tmp_path / "fresh.db", [box, tmp_path / "other"])
    assert contents(path) == contents(tmp_path / "fresh.db")


def test_stream_is_known_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    page = b"<html><a href='http://x.example/p'>"
    wide = "see http://x.example/wide\n\nand http://x.example/more\n".encode("utf-16")
    for data in (message(1), mailbox(2, 3), b"see http://x.example/text\n", page, wide):
        assert outcome("index", path, data=data) == (0, "", "")
        before = contents(path)
        assert outcome("index", path, "-", data=data) == (0, "", "")
        assert contents(path) == before
    for number in (3, 4):
        assert outcome("index", path, data=mailbox(*range(2, 2 + number)))[0] == 0
        assert urls(path).count(f"http://x.example/m{number}") == 1
    paragraph = b"see http://x.example/twice\n" + b"words of a paragraph\n" * 100 + b"\n"
    for more, most in ((b"", 500), (b"http://x.example/more\n", 700)):  # but for the last stretch, known
        assert outcome("index", path, data=paragraph * 500 + more)[0] == 0
        assert 500 <= urls(path).count("http://x.example/twice") <= most


@pytest.mark.parametrize("target", ["in/links.db", "links.db"])
def test_index_in_the_tree_is_passed_over(target: str, tmp_path: Path) -> None:
    """Also one that a link into the tree names: SQLite has the files beside it where the target is."""
    path = tmp_path / target
    if path.parent == tmp_path:
        path.symlink_to(tmp_path / "in" / "real.db")
    for numbers in (range(1), range(30)):
        folder = tree(tmp_path / "in", {"z.mbox": mailbox(*numbers)})
        assert outcome("index", path, folder) == (0, "", "")
    assert urls(path) == sorted(found.url for found in extract_source(folder / "z.mbox"))
    assert rows(path, "SELECT CAST(path AS TEXT) FROM files") == [(f"{folder}/z.mbox",)]


# --- what fails -----------------------------------------------------------------------------------


def poisoned(deed: str, read: Any, items: Iterable[Item], *arguments: object, **how: object) -> Any:
    """Read items, unless one is the poison, by which a process dies, or in which the program fails."""

    def checked() -> Iterator[Item]:
        for item in items:
            if isinstance(item, RawMessage) and b"tide 17" in item.data:
                os._exit(9) if deed == "die" else next(iter([1 / 0]))
            yield item

    return read(checked(), *arguments, **how)


@pytest.mark.parametrize(("deed", "jobs", "told"), [
    ("die", 2, "the process that read it has died"),
    *(("fail", jobs, "a fault of this program (ZeroDivisionError: ") for jobs in (1, 2)),
])  # fmt: skip
def test_what_cannot_be_read_is_told_and_read_again_by_the_next_run(deed, jobs, told, tmp_path, monkeypatch):
    """A batch of ten mails is lost meanwhile, of which one ends its process, or meets a fault."""
    monkeypatch.setattr(batches, "_ITEMS", 10)
    monkeypatch.setattr("urlextract.run.processes.active_count", lambda: 1)
    tree(tmp_path, {"box": mailbox(*range(35)), "other": mailbox(40), "copy": mailbox(12)})
    sources, damage = [tmp_path / name for name in ("box", "other", "copy")], []
    with monkeypatch.context() as patch:
        patch.setattr(indexing, "found_in", partial(poisoned, deed, indexing.found_in))
        run = index_sources(tmp_path / "links.db", sources, jobs=jobs, on_damage=damage.append)
    # A mail of the batch is in a copy, which was noted as one if the batch had not failed by then.
    found = run.messages
    assert found in ((27,) if jobs == 1 else (26, 27))
    assert (run.places, run.damaged) == (2 * found, 1)
    [error] = map(str, damage)
    assert error.startswith(f"{tmp_path / 'box'}, byte 10274: {told}")
    assert error.endswith(": 10 messages and texts from there on")
    assert len(urls(tmp_path / "links.db")) == 2 * found
    assert len(indexed(tmp_path, *sources, jobs=jobs)) == 72
    index_sources(tmp_path / "fresh.db", sources)
    assert contents(tmp_path / "links.db") == contents(tmp_path / "fresh.db")


def test_missing_source_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    """The library raises it at the end, unless somebody listens."""
    path, none = tmp_path / "links.db", tmp_path / "none"
    box = tree(tmp_path, {"box": mailbox(1)}) / "box"
    assert outcome("index", path, none, box) == (2, "", f"urlextract: {none}: No such file or directory\n")
    assert len(urls(path)) == 2
    with pytest.raises(FileNotFoundError):
        index_sources(path, [none, io.BytesIO(message(2))])
    assert len(urls(path)) == 4
    damage: list[SourceError] = []
    assert index_sources(path, none, on_damage=damage.append) == IndexRun(damaged=len(damage))
    assert len(damage) == 1


@pytest.mark.parametrize(("how", "error"), [
    ({"format": "mobx"}, ValueError), ({"jobs": 0}, ValueError), ({"schemes": {"htpp"}}, ValueError),
    ({"unwarp": True}, TypeError), ({"sources": b"a.eml"}, TypeError),
])  # fmt: skip
def test_wrong_arguments_raise_before_a_file_is_made(tmp_path: Path, how: dict, error: type) -> None:
    with pytest.raises(error):
        index_sources(**{"path": tmp_path / "links.db", "sources": [], **how})
    assert not list(tmp_path.iterdir())


def refused(path: Path, *words: object) -> str:
    """Return the only line on standard error of a run that must change nothing, without its beginning."""
    before = path.read_bytes() if path.is_file() else None
    status, output, errors = outcome("index", path, *words, data=message(1))
    assert (status, output, errors.count("\n"), "Traceback" in errors) == (2, "", 1, False)
    assert errors.startswith(f"urlextract: {path}: ")
    assert (path.read_bytes() if path.is_file() else None) == before
    return errors.removeprefix(f"urlextract: {path}: ").rstrip()


def of_version(number: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        index_sources(path, [])
        with closing(sqlite3.connect(path)) as index:
            index.execute(f"PRAGMA user_version = {number}")

    return make


def of_others(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE mine (id)")


OF_VERSION = f"is an index of {{}} version of the program ({{}}; this one has {VERSION})"


@pytest.mark.parametrize(("make", "expected"), [
    *((partial(lambda data, path: path.write_bytes(data), data), "is no index of URLs, and no SQLite file")
      for data in (b"x", b"text\n" * 70, mailbox(1), b"SQLite format 3\0", b"\0" * 8192)),
    (of_others, "is no index of URLs, but another SQLite file"),
    (of_version(VERSION + 1), OF_VERSION.format("a newer", VERSION + 1)),
    (of_version(2), f"{OF_VERSION.format('an older', 2)}: make a new index of its sources"),
    *((make, "is no index of URLs, and no file")
      for make in (os.mkfifo, lambda path: path.symlink_to("/dev/full"))),
])  # fmt: skip
def test_what_is_no_index_is_refused(make: Callable[[Path], object], expected: str, tmp_path: Path) -> None:
    make(tmp_path / "links.db")
    assert refused(tmp_path / "links.db") == expected
    if tmp_path.joinpath("links.db").is_file():
        with pytest.raises(IndexFileError) as caught:
            index_sources(tmp_path / "links.db", [])
        assert (caught.value.path, caught.value.cause) == (str(tmp_path / "links.db"), expected)
        assert isinstance(caught.value, OSError)


def test_index_that_is_not_named_first_is_told(tmp_path: Path) -> None:
    tree(tmp_path, {"box/mail": mailbox(1)})
    told = "urlextract: the index comes first, as in urlextract index links.db Maildir: box\n"
    assert outcome("index", "box", "links.db", cwd=tmp_path) == (2, "", told)
    assert [path.name for path in tmp_path.iterdir()] == ["box"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a link to somebody else")
def test_planted_link_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    (tmp_path / "links.db").symlink_to(tmp_path / "target")
    os.chown(tmp_path / "links.db", 12345, -1, follow_symlinks=False)
    assert "is a link that somebody else made" in refused(tmp_path / "links.db")
    assert os.listdir(tmp_path) == ["links.db"]


def test_index_as_its_own_source_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    index_sources(path, io.BytesIO(message(1)))
    assert refused(path, path) == "the input is also the index"


@pytest.mark.parametrize("name", [":memory:", "file:a?mode=memory", "file::memory:", "-o", "a?#%41 '\"\n.db"])
def test_any_name_is_that_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """SQLite has names that mean a database in memory. An empty file becomes an index."""
    monkeypatch.chdir(tmp_path)
    Path(name).touch()
    index_sources(name, io.BytesIO(message(1)))
    assert os.listdir() == [name]
    assert urls(tmp_path / name) == ["http://x.example/all", "http://x.example/m1"]
    with opened_for_reading(name) as index:
        assert index.execute("SELECT count(*) FROM urls").fetchone() == (2,)


def test_another_run_is_waited_for_and_then_told(tmp_path, monkeypatch):
    path = tmp_path / "links.db"
    index_sources(path, io.BytesIO(message(1)))
    with path.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        timer = threading.Timer(0.3, fcntl.flock, (held, fcntl.LOCK_UN))
        timer.start()
        assert index_sources(path, io.BytesIO(message(2))).messages == 1
        timer.join()
        monkeypatch.setattr(database, "PATIENCE", 0.01)
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(IndexFileError, match="is being written by another run"):
            index_sources(path, io.BytesIO(message(3)))


@pytest.mark.slow
def test_another_writer_is_waited_for_and_told_and_readers_are_not(tmp_path: Path) -> None:
    """A run that is stopped leaves what it had, and the next one goes on."""
    path = tmp_path / "links.db"
    told = f"urlextract: {path}: is being written by another run\n"
    first = subprocess.Popen([*COMMAND, "index", path], stdin=subprocess.PIPE, env=ENVIRONMENT)
    try:
        wait_until(path.with_name("links.db-wal").exists, "the log, which comes after the tables")
        assert rows(path, "SELECT count(*) FROM links") == [(0,)]
        assert outcome("index", path, data=message(2)) == (2, "", told)
    finally:
        first.communicate(message(1), timeout=LIMIT)
    assert (first.returncode, len(urls(path))) == (0, 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        told = f"urlextract: {path}: is read or written by another program: run again later\n"
        assert outcome("index", path, data=message(2)) == (2, "", told)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_leaves_a_consistent_file(tmp_path: Path, number: int, heeded_signals: None) -> None:
    box = tree(tmp_path, {"box": mailbox(*range(3000))}) / "box"
    process = subprocess.Popen(
        [*COMMAND, "index", tmp_path / "links.db", box], env=ENVIRONMENT, stderr=subprocess.PIPE
    )
    wait_until((tmp_path / "links.db-wal").exists, "its log")
    until_it_has_worked(process, 0.3)
    process.send_signal(number)
    _, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, errors) == ({signal.SIGINT: 130, signal.SIGTERM: -15}[number], b"")
    assert len(indexed(tmp_path, box)) == 6000


def test_damaged_index_is_one_clear_line(tmp_path: Path) -> None:
    """Wherever it is damaged: the run ends well if it does not meet it."""
    path, chance, told = tmp_path / "links.db", random.Random(1), 0
    index_sources(path, tree(tmp_path, {"box": mailbox(*range(200))}) / "box")
    whole = path.read_bytes()
    tree(tmp_path, {"box": mailbox(*range(400, 600))})
    for seed in range(12):
        data = bytearray(whole)
        if seed < 3:
            del data[chance.randrange(4096, len(data)) :]
        for _ in range(40 * (seed >= 3)):
            data[chance.randrange(100, len(data))] ^= 0xFF
        path.write_bytes(data)
        status, output, errors = outcome("index", path, tmp_path / "box")
        assert (status, output, errors.count("\n")) in ((2, "", 1), (0, "", 0))
        assert errors.startswith(f"urlextract: {path}: " if status else "")
        assert "Traceback" not in errors
        told += status == 2
    assert told > 3


@pytest.fixture(params=["a limit of the size of files", "a small disk"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, dict[str, Any], str]]:
    """Return the folder of an index for which there is no room, how to start a run, and what is told."""
    if "limit" in request.param:
        room = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (200_000, 200_000))
        yield tmp_path, {"preexec_fn": room}, ""
        return
    with small_disk(tmp_path / "disk", "300k") as disk:
        yield disk, {}, "the disk is full\n"


def test_a_full_disk_is_one_clear_line_and_leaves_a_consistent_file(full, tmp_path):
    folder, how, cause = full
    path, box = folder / "links.db", tree(tmp_path, {"box": mailbox(*range(600))}) / "box"
    status, output, errors = outcome("index", path, box, **how)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"urlextract: {path}: cannot be written: {cause}")
    contents(path)
    if how:
        assert len(indexed(tmp_path, box)) == 1200
