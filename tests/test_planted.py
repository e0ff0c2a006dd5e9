"""An index and a state are kept where nobody else can write, and nothing beside or in an index is obeyed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from commands import outcome
from indexes import contents, urls
from made_indexes import connect, fill
from planted import journal_of, log_of, with_tree
from sampled import mostly_slow

from urlextract import index_sources
from urlextract.errors import IndexFileError
from urlextract.index import trust
from urlextract.index.database import opened_for_writing
from urlextract.index.schema import SCHEMA
from urlextract.index.writing import IndexWriter
from urlextract.report.rendering import page_of
from urlextract.sources.state import opened_state
from urlextract.sources.stretches import Start

STRANGER = 12345
COMMANDS = ("index", "report")
Words = tuple[str, ...]
WRITERS = (("index",), ("--state",))
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")


def made(path: Path, url: str = "http://a.example/") -> Path:
    (path.parent / "text").write_text(f"see {url} there")
    index_sources(path, path.parent / "text")
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return made(tmp_path / "links.db")


def refused(command: str | tuple[str, ...], path: Path) -> str:
    """Return what is said of an index that is refused, and check that no file in its folder has changed."""
    before = contents_of(path.parent)
    words = (command,) if isinstance(command, str) else command
    status, output, errors = outcome(*words, path, data="see http://new.example/")
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert contents_of(path.parent) == before
    assert errors.startswith(f"urlextract: {path}: ")
    return errors.removeprefix(f"urlextract: {path}: ").rstrip()


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def read(path: Path) -> str:
    """Return the page of an index that can be read and written to."""
    assert outcome("index", path, data="see http://new.example/") == (0, "", "")
    status, page, errors = outcome("report", path)
    assert (status, errors) == (0, "")
    return page


# --- the directory --------------------------------------------------------------------------------

OWN = "keep it in a directory of your own"


of_all = pytest.mark.parametrize("words", [*WRITERS, ("report",)], ids=" ".join)
of_writers = pytest.mark.parametrize("words", WRITERS, ids=" ".join)


@pytest.mark.parametrize("mode", [0o777, 0o707, 0o702, 0o2777])
@of_all
def test_a_directory_where_others_can_write_is_refused(words: Words, mode: int, index: Path) -> None:
    path = index if words == ("report",) else index.with_name("new")
    path.parent.chmod(mode)
    expected = f"is in a directory where others can write: chmod o-w {path.parent}, or {OWN}"
    assert refused(words, path) == expected


@of_all
def test_a_directory_for_all_is_refused_and_one_of_the_user_in_it_is_not(words: Words, index: Path) -> None:
    """As /tmp, whose mode is not to be changed."""
    open_folder = index.parent
    path = index if words == ("report",) else open_folder / "new"
    open_folder.chmod(0o1777)
    assert refused(words, path) == f"is in a directory where others can write: {OWN}"
    (open_folder / "mine").mkdir(mode=0o755)
    moved = index.rename(open_folder / "mine" / "links.db")
    path = moved if words == ("report",) else open_folder / "mine" / "new"
    assert outcome(*words, path, data="see http://new.example/")[::2] == (0, "")


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o770, 0o775, 0o2775])
def test_a_group_that_can_write_is_trusted(mode: int, index: Path) -> None:
    index.parent.chmod(mode)
    assert "new.example" in read(index)
    state = index.with_name("state")
    assert outcome("--state", state, data="see http://a.example/") == (0, "http://a.example/\n", "")


@as_root
@of_writers
def test_a_directory_of_another_user_is_refused_and_an_index_in_it_is_read(words: Words, index: Path) -> None:
    """For root, too: its owner could have root write to any file."""
    os.chown(index.parent, STRANGER, -1)
    expected = f"is in a directory of another user ({STRANGER}): {OWN}"
    assert refused(words, index.with_name("new")) == expected
    assert refused("index", index) == expected
    os.chown(index, STRANGER, -1)
    status, page, errors = outcome("report", index)
    assert ("a.example" in page, status, errors) == (True, 0, "")


@as_root
def test_a_directory_of_root_is_trusted(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: STRANGER)
    assert index_sources(index, index.with_name("text")).messages == 0
    with opened_state(str(index.with_name("state")), can_rest=True):
        pass
    os.chown(index.parent, STRANGER + 1, -1)
    with pytest.raises(IndexFileError, match="is in a directory of another user"):
        index_sources(index, index.with_name("text"))


@of_writers
def test_the_directory_is_that_of_the_target_of_a_link(words: Words, tmp_path: Path) -> None:
    for name, mode in (("own", 0o755), ("open", 0o777)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    (tmp_path / "open" / "to own").symlink_to(tmp_path / "own" / "file")
    (tmp_path / "own" / "to open").symlink_to(tmp_path / "open" / "file")
    (tmp_path / "own" / "folder").symlink_to(tmp_path / "open")
    for path in (tmp_path / "own" / "to open", tmp_path / "own" / "folder" / "file"):
        assert "where others can write" in refused(words, path)
    assert outcome(*words, tmp_path / "open" / "to own", data="see http://a.example/")[0] == 0
    assert os.path.isfile(tmp_path / "own" / "file")
    errors = outcome(*words, "file", data="see http://a.example/", cwd=tmp_path / "open")[2]
    assert f"chmod o-w {tmp_path}/open, or" in errors


@of_all
def test_a_directory_that_is_not_there_is_one_line(words: Words, tmp_path: Path) -> None:
    path = tmp_path / "no" / "file"
    cause = "the state cannot be written: " if words == ("--state",) else ""
    expected = (2, "", f"urlextract: {path}: {cause}No such file or directory\n")
    assert outcome(*words, path, data="see http://a.example/") == expected


# --- files beside an index ------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_a_journal_that_names_another_file_is_refused(command: str, index: Path) -> None:
    victim = index.with_name("victim")
    victim.write_text("precious")
    journal = index.with_name("links.db-journal")
    journal.write_bytes(journal_of(index, victim))
    expected = "links.db-journal beside it names a file that SQLite would delete: move it away"
    assert refused(command, index) == expected
    journal.write_bytes(journal_of(index, victim)[-8:])  # SQLite reads the end of it alone
    assert refused(command, index) == expected


def test_sqlite_would_delete_that_file(index: Path) -> None:
    """The journal of the test above does what it is said to do."""
    victim = index.with_name("victim")
    victim.write_text("precious")
    index.with_name("links.db-journal").write_bytes(journal_of(index, victim))
    assert urls(index) == ["http://a.example/"]
    assert not victim.exists()


def test_the_journal_of_a_run_that_was_stopped_is_restored(index: Path) -> None:
    whole = index.read_bytes()
    index.with_name("links.db-journal").write_bytes(journal_of(index))
    index.write_bytes(bytes(100) + whole[100:])
    assert refused("report", index) == (
        "has links.db-journal beside it, which a run left that was stopped, or that still writes: "
        "run urlextract index on it again, or on a copy of both in a folder of your own"
    )
    assert "new.example" in read(index)


def test_the_log_of_a_run_that_was_stopped_is_read(index: Path) -> None:
    other = made(index.with_name("other.db"), "http://b.example/")
    index.with_name("links.db-wal").write_bytes(log_of(other))
    page = outcome("report", index)[1]
    assert "b.example" in page
    assert "a.example" not in page


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_what_is_no_file_of_its_own_beside_an_index_is_refused(command: str, end: str, index: Path) -> None:
    """SQLite would empty or overwrite the file of which it is another name."""
    planted, victim = index.with_name(f"links.db{end}"), index.with_name("victim")
    victim.write_text("precious")
    for plant in (planted.symlink_to, planted.hardlink_to, lambda _: os.mkfifo(planted)):
        plant(victim)
        expected = f"links.db{end} beside it is a link, or no regular file: move it away"
        assert refused(command, index) == expected
        planted.unlink()


def test_no_index_is_made_beside_a_planted_file(tmp_path: Path) -> None:
    (tmp_path / "links.db-wal").symlink_to(tmp_path / "victim")
    assert refused("index", tmp_path / "links.db").startswith("links.db-wal beside it is a link")
    assert os.listdir(tmp_path) == ["links.db-wal"]


def test_files_beside_the_target_of_a_link_are_looked_at(index: Path) -> None:
    index.with_name("links.db-journal").write_bytes(journal_of(index, index.with_name("victim")))
    index.with_name("linked.db").symlink_to(index)
    assert "links.db-journal beside it names a file" in refused("index", index.with_name("linked.db"))


# --- the schema -----------------------------------------------------------------------------------

_ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n"
_TRIGGER = "CREATE TRIGGER evil AFTER INSERT ON urls BEGIN DELETE FROM places; END"
_CHANGED = "PRAGMA writable_schema = ON; UPDATE sqlite_master SET"
_OTHER = "which is not of this program: remove it in sqlite3 with"
_ANOTHER = "in another form than this program: make a new index"
_PLACES = "SELECT 1 AS id, 1 AS url_id, 1 AS message_id, '2026' AS date, 1 AS start"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("statements", "expected"), [
    (_TRIGGER, f'has the trigger evil, {_OTHER} DROP TRIGGER "evil"'),
    ('CREATE TRIGGER "a\n\x1b[2J\'" AFTER INSERT ON copies BEGIN SELECT 1; END',
     f"has the trigger a \\x1b[2J', {_OTHER.removesuffix(' with')}"),
    ('CREATE TRIGGER "a""; b" AFTER INSERT ON copies BEGIN SELECT 1; END',
     f'has the trigger a"; b, {_OTHER} DROP TRIGGER "a""; b"'),
    ("CREATE INDEX mine ON places(json_extract(repairs, '$[0]'))",
     "has mine, which uses json_extract(): remove it in sqlite3"),
    ("DROP TRIGGER urls_counted; CREATE TRIGGER urls_counted AFTER DELETE ON places BEGIN SELECT 1; END",
     f"has urls_counted {_ANOTHER}"),
    ("DROP TRIGGER urls_counted", "lacks the trigger urls_counted: make a new index"),
    ("DROP TABLE seen", "lacks the table seen: make a new index"),
    (f"DROP TABLE places; CREATE VIEW places AS {_PLACES}", f"has places {_ANOTHER}"),
    (f"DROP TABLE places; CREATE VIEW places AS {_ENDLESS}", f"has places {_ANOTHER}"),
    ("ALTER TABLE copies ADD COLUMN more", f"has copies {_ANOTHER}"),
    ("DROP TABLE seen; CREATE TABLE seen (hash PRIMARY KEY ON CONFLICT IGNORE)",
     f"has seen {_ANOTHER}"),
    ("DROP TABLE search; CREATE VIRTUAL TABLE search USING fts5(text, subject, context)",
     f"has search {_ANOTHER}"),
    # triggers and "search" read it
    (f"DROP VIEW links; CREATE VIEW links AS {_ENDLESS}", f"has links {_ANOTHER}"),
    ("DROP VIEW links", "lacks the view links: make a new index"),
    (f"{_TRIGGER}; {_CHANGED} tbl_name = 'URLS' WHERE name = 'evil'",
     f'has the trigger evil, {_OTHER} DROP TRIGGER "evil"'),
    (f"{_TRIGGER}; {_CHANGED} type = 'view' WHERE name = 'evil'",
     "is damaged: malformed database schema (evil)"),  # says SQLite
])  # fmt: skip
def test_a_trigger_of_others_and_a_table_of_another_form_are_refused(command, statements, expected, index):
    with closing(sqlite3.connect(index)) as connection:
        connection.executescript(statements)
    assert refused(command, index) == expected


def test_a_trigger_is_dropped_as_the_line_says(index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.executescript(_TRIGGER)
        connection.execute(refused("index", index).partition(" with ")[2])
    assert "new.example" in read(index)


# What users add, and what Datasette and sqlite-utils add for them.
OF_THE_USER = {
    "view": "CREATE VIEW mine AS SELECT * FROM links WHERE domain = 'a.example'",
    "endless view": f"CREATE VIEW mine AS {_ENDLESS}",
    "view of what is not there": "CREATE VIEW mine AS SELECT this FROM nowhere",
    "view of several": "CREATE VIEW mine AS SELECT url FROM urls" + 9 * " UNION ALL SELECT url FROM urls",
    "view with a long condition": "CREATE VIEW mine AS SELECT id FROM urls WHERE 0" + 200 * " OR host = 'x'",
    "view of an object": "CREATE VIEW mine AS SELECT json_object('', 0" + 40 * ", host" + ") FROM urls",
    "index": "CREATE INDEX mine ON places(raw)",
    "index of some": "CREATE INDEX mine ON places(lower(raw)) WHERE raw LIKE 'http%' AND line > 0",
    "table": "CREATE TABLE mine (id INTEGER PRIMARY KEY, place_id INTEGER); "
             "INSERT INTO mine (place_id) SELECT id FROM places",
    "wide table": f"CREATE TABLE mine ({', '.join(f'c{n}' for n in range(200))})",
    "table that counts": "CREATE TABLE mine (id INTEGER PRIMARY KEY AUTOINCREMENT)",
    "full text": "CREATE VIRTUAL TABLE mine USING fts5(raw, content='places', content_rowid='id'); "
                 "INSERT INTO mine (mine) VALUES ('rebuild')",
    "triggers of a table": "CREATE TABLE mine (id); CREATE VIRTUAL TABLE mine_fts USING fts5(id); "
                           "CREATE TRIGGER mine_ai AFTER INSERT ON mine BEGIN "
                           "INSERT INTO mine_fts (rowid, id) VALUES (new.rowid, new.id); END",
    "other views of the program": "DROP VIEW domains; DROP VIEW by_month; DROP VIEW deceptive_links; "
                                  f"CREATE VIEW deceptive_links AS {_ENDLESS}",
    "other indexes of the program": "DROP INDEX urls_by_host; CREATE INDEX urls_by_host ON urls(scheme); "
                                    "DROP INDEX places_by_url",
    "statistics": "ANALYZE",
    "what SQLite does for speed": "VACUUM; REINDEX; PRAGMA journal_mode = WAL",
}  # fmt: skip


@pytest.mark.parametrize("name", OF_THE_USER)
def test_what_the_user_adds_is_left_alone(name: str, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.executescript(OF_THE_USER[name])
        query = "SELECT name, sql FROM sqlite_master ORDER BY name"
        before = connection.execute(query).fetchall()
    assert "new.example" in read(index)
    text = index.with_name("text")
    text.write_text("see http://other.example/")  # what it had is deleted
    assert outcome("index", index, text)[0] == 0
    with closing(sqlite3.connect(index)) as connection:
        assert connection.execute(query).fetchall() == before
    contents(index)
    assert urls(index) == ["http://new.example/", "http://other.example/"]


def test_deceptive_links_are_told_whatever_the_view_says(tmp_path: Path) -> None:
    place = {
        "url": "http://bad.example/", "text": "www.bank.example", "shown": "www.bank.example",
        "differs": "domain", "defects": '["shows-another-domain"]', "element": "a", "attribute": "href",
    }  # fmt: skip
    index = fill(tmp_path / "links.db", [({"date": "2026-01-01T00:00:00Z"}, [place])])
    before = page_of(str(index))
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("DROP VIEW deceptive_links")
        connection.execute("CREATE VIEW deceptive_links AS SELECT * FROM links WHERE 0")
    assert page_of(str(index)) == before


def test_the_schema_is_not_trusted_while_an_index_is_written(index: Path) -> None:
    with opened_for_writing(str(index)) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
        connection.execute("BEGIN")
        text = str(index.with_name("text"))
        IndexWriter(connection).begin(text, os.fsencode(text), Start())
        assert connection.execute("SELECT count(*) FROM places").fetchone() == (0,)
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)


def test_comments_of_the_schema_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the program can change its comments, and still read indexes that it made before."""
    index = fill(tmp_path / "links.db", [])
    monkeypatch.setattr(trust, "SCHEMA", SCHEMA.replace("-- each URL once", "-- other words\n"))
    trust._own_schema.cache_clear()
    with closing(sqlite3.connect(index)) as connection:
        assert "each URL once" in SCHEMA
        trust.check_schema(str(index), connection)
    trust._own_schema.cache_clear()


# --- queries that end -----------------------------------------------------------------------------


def rows_of(url: str, count: int, subject: str = "") -> list:
    return [({"subject": subject}, [{"url": url}] * count)]


TREES: dict[str, Callable[[int, int], list[int]]] = {
    "branches that meet": lambda page, _: [page + 1] * 400,
    "a branch to itself": lambda page, _: [page] * 400,
    "very deep": lambda page, _: [page + 1],
    "very deep, with rows": lambda page, last: [last, page + 1],
}


@pytest.mark.parametrize("shape", TREES)
@pytest.mark.parametrize("name", mostly_slow(["urls", "messages", "places", "places_by_message"]))
def test_a_report_of_pages_without_end_ends(shape: str, name: str, tmp_path: Path) -> None:
    """SQLite goes down 20 pages at most, and it is stopped after so many steps."""
    index = fill(tmp_path / "links.db", rows_of("http://a.example/", 3))
    with_tree(index, name, TREES[shape], 10 if "branch" in shape else 100)
    try:
        page_of(str(index))
    except IndexFileError as error:
        assert str(error).startswith(f"{index}: is damaged: ")  # noqa: PT017 - or it is not read at all
    else:
        assert "_by_" in name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["places", "places_by_url"])
def test_a_depth_at_which_a_check_of_sqlite_would_crash_is_no_matter(name: str, tmp_path: Path) -> None:
    index = fill(tmp_path / "links.db", rows_of("http://a.example/", 3))
    with_tree(index, name, TREES["very deep"], 60_000)
    assert outcome("report", index)[0] == (2 if name == "places" else 0)


def test_a_report_is_far_from_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes two steps a byte where rows are as short as they can be, an eighth of what it may."""
    index = fill(tmp_path / "links.db", (rows_of("http://a.b", 1)[0] for _ in range(5_000)))
    monkeypatch.setattr(trust, "_STEPS", trust._STEPS // 4)
    assert "<title>" in page_of(str(index), None)


@pytest.mark.parametrize("value", ["x", b"\0", 1e999, 1.5, None, "7", -1])
def test_a_note_of_a_file_that_is_none_is_unknown(value: object, index: Path) -> None:
    """The file is read again."""
    text = index.with_name("text")
    before = urls(index)
    with closing(connect(index)) as connection, connection:
        for column in ("size", "mark", "end", "offset", "messages", "characters", "lines"):
            connection.execute(f"UPDATE files SET {column} = ?", (value,))  # noqa: S608 - of this test
    assert outcome("index", index, text) == (0, "", "")
    assert urls(index) == before
    contents(index)


def test_an_index_without_free_numbers_is_one_line(index: Path) -> None:
    with closing(connect(index)) as connection, connection:
        connection.execute("UPDATE places SET id = 9223372036854775807")
    expected = f"urlextract: {index}: is damaged: places has no numbers left\n"
    assert outcome("index", index, data="see http://new.example/") == (2, "", expected)
