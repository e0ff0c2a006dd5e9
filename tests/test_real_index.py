"""An index in the programs that people open SQLite files with: sqlite3, Datasette and sqlite-utils."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inboxes import MESSAGES, URLS, Repository, mail
from indexes import rows
from realtools import LIMIT, ROOT, need, run

from urlextract import index_sources
from urlextract.results import IndexRun

WORDS = ("varnish", "Varnish (was: oil)")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "links.db"
    index_sources(path, ROOT / "corpora")
    return path


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of an environment with Datasette and sqlite-utils; skip without a registry."""
    folder = tmp_path_factory.mktemp("tools")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    installed = subprocess.run(
        [folder / "bin" / "pip", "install", "-q", "datasette", "sqlite-utils"],
        capture_output=True, timeout=10 * LIMIT, check=False,
    )  # fmt: skip
    if installed.returncode:
        pytest.skip(f"no Datasette: {installed.stderr.decode().strip().rpartition(chr(10))[2]}")
    return folder / "bin"


def test_sqlite3_opens_it(index: Path) -> None:
    sqlite3 = need("sqlite3", "sqlite3")
    query = "SELECT subject FROM search WHERE search MATCH 'varnish'"
    found = json.loads(run(sqlite3, "-readonly", "-json", str(index), query))
    assert any(WORDS[1] in (row["subject"] or "") for row in found)
    assert run(sqlite3, str(index), "PRAGMA integrity_check; PRAGMA journal_mode") == b"ok\ndelete\n"


def test_datasette_shows_tables_views_and_search(index: Path, tools: Path) -> None:
    def get(path: str) -> list[dict[str, Any]]:
        answer: dict[str, Any] = json.loads(run(tools / "datasette", index, "--get", path))
        return answer["rows"]

    [link] = get("/links/links.json?_size=1&_shape=objects&scheme=gopher")
    assert (link["scheme"], link["host"]) == ("gopher", "gopher.example.org")
    assert get("/links/domains.json?_shape=objects&domain=example.org")[0]["places"] > 1
    found = get(f"/links/search.json?_search={WORDS[0]}&_shape=objects")
    assert any(WORDS[1] in (row["subject"] or "") for row in found)
    assert get("/links/places.json?_shape=objects&_size=1&url_id=1")[0]["url_id"] == 1


def test_sqlite_utils_lists_and_searches(index: Path, tools: Path) -> None:
    def asked(*words: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(run(tools / "sqlite-utils", words[0], index, *words[1:]))
        return found

    counts = {row["table"]: row["count"] for row in asked("tables", "--counts")}
    assert counts["places"] == counts["search"] > counts["urls"] > 0
    assert {row["view"] for row in asked("views")} == {"links", "domains", "by_month", "deceptive_links"}
    found = asked("search", "search", WORDS[0])
    assert any(WORDS[1] in (row["subject"] or "") for row in found)


def test_mails_of_a_public_inbox_are_read_once(tmp_path: Path) -> None:
    """However many runs had no news."""
    path, inbox = tmp_path / "links.db", tmp_path / "inbox"
    repository = Repository(inbox / "git" / "0.git")
    for message_id in MESSAGES:
        repository.commit({"m": mail(message_id)})
        runs = [index_sources(path, inbox) for _ in range(3)]
        assert runs[0].messages == 1
        assert runs[1:] == [IndexRun(), IndexRun()]
    assert rows(path, "SELECT message_id, url FROM links ORDER BY id") == URLS
    assert rows(path, "SELECT count(*) FROM messages") == [(3,)]
