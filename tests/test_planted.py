"""Nothing planted beside an index or in it is obeyed, and no report of it runs for ever (SPEC §8)."""

from __future__ import annotations

import io
import os
import sqlite3
from contextlib import closing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from commands import outcome
from indexes import urls
from made_indexes import connect, fill
from planted import journal_of, log_of, with_tree

from urlextract import index_sources
from urlextract.errors import IndexFileError
from urlextract.index import trust
from urlextract.index.schema import SCHEMA
from urlextract.index.store import IndexStore
from urlextract.report.rendering import page_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STRANGER = 12345
COMMANDS = ("index", "report")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")


def made(path: Path, url: str = "http://a.example/") -> Path:
    """Return the path of an index with one URL."""
    (path.parent / "text").write_text(f"see {url} there")
    index_sources(path, path.parent / "text")
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Return the path of an index."""
    return made(tmp_path / "links.db")


def refused(command: str, path: Path) -> str:
    """Return what is said of an index that is refused, and check that no file in its folder has changed."""
    before = contents_of(path.parent)
    status, output, errors = outcome(command, path, data="see http://new.example/")
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
    index.with_name("links.db-wal").write_bytes(
        log_of(made(index.with_name("other.db"), "http://b.example/"))
    )
    page = outcome("report", index)[1]
    assert "b.example" in page
    assert "a.example" not in page


@as_root
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
@pytest.mark.parametrize("mode", [0o1777, 0o755])
def test_a_file_of_a_stranger_beside_an_index_is_refused(
    command: str, end: str, mode: int, index: Path
) -> None:
    planted = index.with_name(f"links.db{end}")
    other = made(index.with_name("other.db"), "http://b.example/")
    planted.write_bytes({"-journal": journal_of(index), "-wal": log_of(other), "-shm": b""}[end])
    os.chown(planted, STRANGER, -1)
    index.parent.chmod(mode)
    cause = f"belongs to another user ({STRANGER}), and is not trusted"
    assert refused(command, index) == f"links.db{end} beside it {cause}: move it away"


@as_root
@pytest.mark.parametrize("owner", ["the user", "root", "of the folder"])
def test_a_file_of_the_user_of_root_or_of_the_folder_is_read(owner: str, index: Path) -> None:
    log = index.with_name("links.db-wal")
    log.write_bytes(log_of(made(index.with_name("other.db"), "http://b.example/")))
    if owner == "of the folder":
        os.chown(index.parent, STRANGER, -1)
        os.chown(log, STRANGER, -1)
    assert "b.example" in read(index)


@as_root
def test_an_index_and_a_log_of_its_owner_are_read_and_written_in_a_folder_of_few(index: Path) -> None:
    """Whoever may change the index gains nothing by a file beside it: a folder that a group shares."""
    other = made(index.with_name("b.db"), "http://b.example/")
    log = index.with_name("links.db-wal")
    log.write_bytes(log_of(other))
    for file in (index, log):
        os.chown(file, STRANGER, -1)
    assert "b.example" in read(index)
    assert index.stat().st_uid == STRANGER


def test_nobody_can_plant_a_file_while_the_index_is_opened(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sticky folder a file that is there can be replaced by its owner alone."""
    there = []

    def connected(path: str, **how: Any) -> sqlite3.Connection:
        there.extend(sorted(each.name for each in index.parent.glob("links.db-*")))
        return sqlite3.connect(path, **how)

    fake = SimpleNamespace(**{**vars(sqlite3), "connect": connected})
    monkeypatch.setattr("urlextract.index.database.sqlite3", fake)
    assert index_sources(index, io.BytesIO(b"see http://new.example/")).places == 1
    assert there == ["links.db-journal", "links.db-wal"]
    assert [each.name for each in index.parent.glob("links.db*")] == ["links.db"]


@as_root
def test_an_index_of_a_stranger_in_a_folder_for_all_is_read_and_not_written_to(index: Path) -> None:
    os.chown(index, STRANGER, -1)
    index.parent.chmod(0o1777)
    assert refused("index", index) in (
        f"belongs to another user ({STRANGER}), and is not trusted",
        "Permission denied",  # of Linux, with fs.protected_regular
    )
    assert "a.example" in outcome("report", index)[1]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_what_is_no_file_of_its_own_beside_an_index_is_refused(command: str, end: str, index: Path) -> None:
    """SQLite would empty or overwrite the file of which it is another name."""
    planted, victim = index.with_name(f"links.db{end}"), index.with_name("victim")
    victim.write_text("precious")
    for plant, cause in (
        (lambda: planted.symlink_to(victim), "is no regular file"),
        (lambda: planted.hardlink_to(victim), "is a hard link"),
        (lambda: os.mkfifo(planted), "is no regular file"),
    ):
        plant()
        assert refused(command, index) == f"links.db{end} beside it {cause}: move it away"
        planted.unlink()


def test_no_index_is_made_beside_a_planted_file(tmp_path: Path) -> None:
    (tmp_path / "links.db-wal").symlink_to(tmp_path / "victim")
    assert refused("index", tmp_path / "links.db").startswith("links.db-wal beside it is no regular file")
    assert os.listdir(tmp_path) == ["links.db-wal"]


def test_files_beside_the_target_of_a_link_are_looked_at(index: Path) -> None:
    index.with_name("links.db-journal").write_bytes(journal_of(index, index.with_name("victim")))
    index.with_name("linked.db").symlink_to(index)
    assert "links.db-journal beside it names a file" in refused("index", index.with_name("linked.db"))


# --- the schema -----------------------------------------------------------------------------------

_ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n"
_SPACES = "UPDATE sqlite_master SET sql = replace(sql, '''domain''', '''  domain''')"
_TRIGGER = "CREATE TRIGGER evil AFTER INSERT ON urls BEGIN DELETE FROM places; END"
# SQLite goes by the text, whatever the other columns say; the last row is one of the program's own.
_HIDDEN = """
UPDATE sqlite_master SET type = 'view', name = 'links', tbl_name = 'links' WHERE name = 'evil';
INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE sql LIKE 'CREATE VIEW links%';
DELETE FROM sqlite_master WHERE rowid = (SELECT min(rowid) FROM sqlite_master WHERE name = 'links')
"""
_OTHER, _ANOTHER = "which is not of this program", "in another form than this program"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("statements", "difference"),
    [
        (f"DROP VIEW deceptive_links; CREATE VIEW deceptive_links AS {_ENDLESS}",
         f"has the view deceptive_links {_ANOTHER}"),
        ("CREATE VIEW mine AS SELECT 1", f"has the view mine, {_OTHER}"),
        ("CREATE TABLE mine (id)", f"has the table mine, {_OTHER}"),
        ("CREATE INDEX mine ON places(raw)", f"has the index mine, {_OTHER}"),
        ("CREATE VIRTUAL TABLE mine USING fts5(a)", f"has the table mine, {_OTHER}"),
        (_TRIGGER, f"has the trigger evil, {_OTHER}"),
        ('CREATE VIEW "a\n\x1b[2J\'" AS SELECT 1', f"has the view a \\x1b[2J', {_OTHER}"),
        ("DROP VIEW deceptive_links", "lacks the view deceptive_links"),
        ("DROP TABLE seen", "lacks the table seen"),
        ("DROP INDEX urls_by_host; CREATE INDEX urls_by_host ON urls(scheme)",
         f"has the index urls_by_host {_ANOTHER}"),
        ("ALTER TABLE runs ADD COLUMN more", f"has the table runs {_ANOTHER}"),
        ("DROP TABLE search; CREATE VIRTUAL TABLE search USING fts5(text, subject, context)",
         f"has the table search {_ANOTHER}"),
        (f"PRAGMA writable_schema = ON; {_SPACES}",
         f"has the view deceptive_links {_ANOTHER}"),
        (("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'TEXT NOT NULL', "
         "'TEXT NOT' || char(160) || 'NULL') WHERE name = 'urls'"), f"has the table urls {_ANOTHER}"),
    ],
)  # fmt: skip
def test_a_schema_of_somebody_else_is_refused(
    command: str, statements: str, difference: str, index: Path
) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.executescript(statements)
    assert refused(command, index).startswith(f"{difference}: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_has_the_name_of_something_else_is_refused(command: str, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.executescript(f"{_TRIGGER}; PRAGMA writable_schema = ON; {_HIDDEN}")
    assert refused(command, index) in (
        f"has the view links {_ANOTHER}: make a new index",
        "is damaged: malformed database schema (links)",  # of versions of SQLite that compare the names
    )


@pytest.mark.parametrize("statement", ["ANALYZE", "VACUUM", "REINDEX", "PRAGMA journal_mode = WAL"])
def test_what_sqlite_does_for_speed_is_accepted(statement: str, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute(statement)
    assert "a.example" in read(index)


def test_comments_of_the_schema_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the program can change its comments, and still read indexes that it made before."""
    index = fill(tmp_path / "links.db", [])
    monkeypatch.setattr(trust, "SCHEMA", SCHEMA.replace("-- each URL once", "/* other words */\n"))
    trust._own_schema.cache_clear()
    with closing(sqlite3.connect(index)) as connection:
        assert "each URL once" in SCHEMA
        trust.check_schema(str(index), connection)
    trust._own_schema.cache_clear()


# --- queries that end -----------------------------------------------------------------------------


def rows_of(url: str, count: int, subject: str = "") -> list:
    return [({"subject": subject}, [{"url": url}] * count)]


def tables_and_indexes() -> list[str]:
    """Return the names of what a report may read."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(SCHEMA)
        query = "SELECT name FROM sqlite_master WHERE rootpage > 0 AND name NOT LIKE 'search%'"
        return [name for (name,) in empty.execute(query)]


TREES: dict[str, Callable[[int, int], list[int]]] = {
    "branches that meet": lambda page, _: [page + 1] * 400,
    "a branch to itself": lambda page, _: [page] * 400,
    "very deep": lambda page, _: [page + 1],
    "very deep, with rows": lambda page, last: [last, page + 1],
}


@pytest.mark.parametrize("shape", TREES)
@pytest.mark.parametrize("name", tables_and_indexes())
def test_pages_without_end_are_refused(shape: str, name: str, tmp_path: Path) -> None:
    index = fill(tmp_path / "links.db", rows_of("http://a.example/", 3))
    with_tree(index, name, TREES[shape], 10 if "branch" in shape else 100)
    with pytest.raises(IndexFileError, match=r"links\.db: is damaged: .+\Z"):
        page_of(str(index))


@pytest.mark.parametrize("name", ["places", "places_by_url"])
@pytest.mark.parametrize("shape", ["very deep", "very deep, with rows"])
def test_pages_of_a_depth_at_which_sqlite_would_crash_are_refused(
    shape: str, name: str, tmp_path: Path
) -> None:
    index = fill(tmp_path / "links.db", rows_of("http://a.example/", 3))
    with_tree(index, name, TREES[shape], 60_000)
    assert refused("report", index) == "is damaged: database disk image is malformed"


def test_a_text_that_goes_in_circles_is_refused(tmp_path: Path) -> None:
    index = fill(tmp_path / "links.db", rows_of("http://a.example/", 3, "word" * 10_000))
    data = bytearray(index.read_bytes())
    pages = [at for at in range(0, len(data), 4096) if data[at + 4 : at + 4096].count(b"word") > 1000]
    assert len(pages) > 5
    data[pages[3] : pages[3] + 4] = (pages[1] // 4096 + 1).to_bytes(4, "big")
    index.write_bytes(data)
    assert "2nd reference to page" in refused("report", index)


def test_a_long_text_at_very_many_places_is_refused(tmp_path: Path) -> None:
    """Each place would be read with it: 10,000 places and a text of 5 MB are 50 GB."""
    index = fill(tmp_path / "links.db", rows_of("http://a.example/", 10_000, "x" * 5_000_000))
    expected = "has texts in messages that are too long for the number of places"
    assert refused("report", index) == expected


def test_a_report_is_far_from_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes two steps a byte where rows are as short as they can be, an eighth of what it may."""
    index = fill(tmp_path / "links.db", (rows_of("http://a.b", 1)[0] for _ in range(5_000)))
    monkeypatch.setattr(trust, "_FREE_STEPS", 0)
    monkeypatch.setattr(trust, "_STEPS", trust._STEPS // 4)
    assert "<title>" in page_of(str(index), None)


@pytest.mark.parametrize("state", ["x", b"\0", 1e999, 1.5, None, "7"])
def test_a_count_that_is_none_is_zero(state: object, index: Path) -> None:
    with closing(connect(index)) as connection:
        connection.execute("INSERT INTO sources (path, kind, state) VALUES ('/inbox', 'inbox', ?)", (state,))
        known = IndexStore(connection).progress("/inbox")
        assert (known.items if known else 0) == (7 if state == "7" else 0)


def test_an_index_without_free_numbers_is_one_line(index: Path) -> None:
    with closing(connect(index)) as connection, connection:
        connection.execute("UPDATE places SET id = 9223372036854775807")
    expected = f"urlextract: {index}: is damaged: places has no numbers left\n"
    assert outcome("index", index, data="see http://new.example/") == (2, "", expected)
