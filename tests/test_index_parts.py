"""``urlextract index --from``: the parts below a URL, and what an index has of those in Parquet."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import ENVIRONMENT, outcome, run
from indexes import contents, rows, urls
from realtools import LIMIT

from urlextract import SourceError, extract, extract_message, index_sources
from urlextract.results import IndexRun
from urlextract.sources.checkpoint import hash_of

fsspec = pytest.importorskip("fsspec")

FOLDER = "memory://bucket/links"
NAMES = [f"{number:032x}.jsonl.zst" for number in range(3)]


@pytest.fixture
def memory() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def line(url: str, mail: bytes = b"", **more: object) -> bytes:
    """Return the records of a text, or of a mail with its hash, as a part has them."""
    if not mail:
        [found] = extract(url)
        return f"{json.dumps({**found.to_dict(), 'hash': None, **more})}\n".encode()
    records = (found.to_dict() for found in extract_message(mail, source="box"))
    return b"".join(
        f"{json.dumps({**each, 'hash': hash_of(mail).hex(), **more})}\n".encode() for each in records
    )


def part(number: int) -> bytes:
    return line(f"http://a.example/{number}")


def put(memory: Any, *numbers: int) -> None:
    """Write parts, and what else a cluster leaves; those that are there as they are stay so."""
    for name, number in zip(NAMES, numbers, strict=False):
        if not memory.exists(f"/bucket/links/{name}") or memory.cat(f"/bucket/links/{name}") != part(number):
            memory.pipe(f"/bucket/links/{name}", part(number))
    for name in NAMES[len(numbers) :]:
        if memory.exists(f"/bucket/links/{name}"):
            memory.rm(f"/bucket/links/{name}")
    memory.pipe("/bucket/links/run.json", b"{}")
    memory.pipe("/bucket/links/more/c.jsonl", part(9))


def test_index_has_what_the_parts_below_a_url_have(memory: Any, tmp_path: Path) -> None:
    index = tmp_path / "links.db"
    put(memory, 1, 2)
    assert index_sources(index, parts_from=FOLDER).places == 2
    assert urls(index) == ["http://a.example/1", "http://a.example/2"]
    assert index_sources(index, parts_from=f"{FOLDER}/").places == 0
    put(memory, 1, 4, 3)  # one that has changed, and a new one
    assert index_sources(index, parts_from=FOLDER).places == 2
    assert urls(index) == ["http://a.example/1", "http://a.example/3", "http://a.example/4"]
    put(memory, 1, 4)  # one that is no longer there
    assert index_sources(index, parts_from=FOLDER).places == 0
    assert urls(index) == ["http://a.example/1", "http://a.example/4"]


def test_parts_below_a_url_give_the_index_of_those_in_a_directory(memory: Any, tmp_path: Path) -> None:
    put(memory, 1, 2, 3)
    (tmp_path / "links").mkdir()
    for name in NAMES:
        (tmp_path / "links" / name).write_bytes(memory.cat(f"/bucket/links/{name}"))
    found = {}
    for name, folder in (("url.db", FOLDER), ("path.db", str(tmp_path / "links"))):
        index_sources(tmp_path / name, parts_from=folder)
        found[name] = contents(tmp_path / name)
    assert found["url.db"] == found["path.db"]


def test_parts_below_a_url_are_not_gone(memory: Any, tmp_path: Path) -> None:
    """No store is asked that was not named: the file may come from a stranger."""
    put(memory, 1, 2, 3)
    index_sources(tmp_path / "links.db", parts_from=FOLDER)
    memory.store.clear()
    assert index_sources(tmp_path / "links.db", prune=True).gone == ()
    assert len(urls(tmp_path / "links.db")) == 3


# --- messages in parts ----------------------------------------------------------------------------

MAIL = b"Subject: tides\nMessage-ID: <1@x>\n\nhttp://a.example/1\n\nand http://a.example/2\n"
FORWARDED = b"Subject: outer\nContent-Type: message/rfc822\n\n" + MAIL
COPIES = (
    "SELECT copies.source, number, subject FROM copies JOIN messages ON messages.id = message ORDER BY 1, 2"
)


def folder_of(tmp_path: Path, **parts: bytes) -> Path:
    (tmp_path / "parts").mkdir(exist_ok=True)
    for name, data in parts.items():
        (tmp_path / "parts" / f"{name}.jsonl").write_bytes(data)
    return tmp_path / "parts"


def test_mail_in_two_parts_and_in_a_file_is_there_once(tmp_path: Path) -> None:
    index, file = tmp_path / "links.db", tmp_path / "1.eml"
    file.write_bytes(MAIL)
    folder = folder_of(tmp_path, a=line("", MAIL), b=line("", MAIL, source="copy", message=2) * 2)
    assert index_sources(index, parts_from=folder).places == 2
    assert rows(index, COPIES) == [("box", 1, "tides"), ("copy", 2, "tides")]
    assert index_sources(index, file) == IndexRun()
    assert rows(index, COPIES) == [(str(file), 1, "tides"), ("box", 1, "tides"), ("copy", 2, "tides")]
    for path in (folder / "a.jsonl", file):  # it lies in the other one still
        path.unlink()
        index_sources(index, parts_from=folder, prune=True)
        assert urls(index) == ["http://a.example/1", "http://a.example/2"]
    assert rows(index, COPIES) == [("copy", 2, "tides")]
    folder_of(tmp_path, b=line("", FORWARDED))
    index_sources(index, parts_from=folder)
    assert rows(index, COPIES) == [("box", 1, "tides")]  # the record has the subject of the inner one
    contents(index)


def test_records_of_a_mail_that_are_not_together_are_of_one_message(tmp_path: Path) -> None:
    """As in a file that was sorted, with a hash or without one."""
    for known in ({}, {"hash": None}):
        index = tmp_path / f"{len(known)}.db"
        first, second = line("", MAIL, **known).splitlines(keepends=True)
        folder = folder_of(tmp_path, a=first + part(7) + second)
        assert index_sources(index, parts_from=folder).messages == 1
        assert rows(index, "SELECT count(*) FROM messages") == [(1,)]
        assert len(urls(index)) == 3


@pytest.mark.parametrize("value", [1, "", "0" * 31, "g" * 32, "0" * 33, ["0"]])
def test_hash_that_is_none_is_one_error(value: object, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, a=line("", MAIL, hash=value))
    told = f"{folder}/a.jsonl: line 1 is no record: its hash is not one of 32 hexadecimal digits"
    assert outcome("index", tmp_path / "links.db", "--from", folder) == (2, "", f"urlextract: {told}\n")


# --- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize(("folder", "message"), [
    ("memory://bucket/none", "memory://bucket/none: no such object"),
    ("memory://bucket/empty",
     "memory://bucket/empty: no records in this directory (.jsonl, .jsonl.gz, .jsonl.zst, .parquet)"),
    ("what://x/y", "what://x/y: Protocol not known: what"),
    ("http://127.0.0.1:1/links", "http://127.0.0.1:1/links: http and https have no directories"),
])  # fmt: skip
def test_url_without_parts_is_one_error(memory: Any, folder: str, message: str, tmp_path: Path) -> None:
    memory.pipe("/bucket/empty/x", b"")
    with pytest.raises(SourceError) as caught:
        index_sources(tmp_path / "links.db", parts_from=folder)
    assert str(caught.value) == message


def test_bad_answer_of_a_store_is_one_error(memory: Any, tmp_path: Path) -> None:
    put(memory, 1, 2)
    memory.pipe(f"/bucket/links/{NAMES[0]}", b"x")
    damage: list[SourceError] = []
    index_sources(tmp_path / "links.db", parts_from=FOLDER, on_damage=damage.append)
    [error] = damage
    assert str(error).startswith(f"{FOLDER}/{NAMES[0]}: line 1 is no record: Expecting value")
    assert "\n" not in str(error)


class FailingStream(io.BytesIO):
    """A stream of a store that fails after its first bytes, as libraries do: with errors of their own."""

    def read(self, size: int = -1) -> bytes:
        if data := super().read(size):
            return data
        raise RuntimeError("the store\nis down")

    def seekable(self) -> bool:
        return False


def test_store_that_fails_while_it_is_read_is_one_error(memory: Any, tmp_path, monkeypatch) -> None:
    """The other parts are loaded."""
    put(memory, 1, 2)
    name, opened = NAMES[1], type(memory).open

    def open_failing(self: Any, path: str, *arguments: Any, **how: Any) -> Any:
        stream = opened(self, path, *arguments, **how)
        return FailingStream(stream.read(3)) if path.endswith(name) else stream

    monkeypatch.setattr(type(memory), "open", open_failing)
    damage: list[SourceError] = []
    index_sources(tmp_path / "links.db", parts_from=FOLDER, on_damage=damage.append)
    assert [str(error) for error in damage] == [f"{FOLDER}/{name}: the store is down"]
    assert urls(tmp_path / "links.db") == ["http://a.example/1"]


def test_index_of_a_directory_loads_no_library_of_stores(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.jsonl").write_bytes(part(1))
    script = (
        "import sys; from urlextract import index_sources\n"
        "index_sources('links.db', 'text', parts_from='parts')\n"
        "libraries = 'fsspec', 'distributed', 'pyarrow'\n"
        "print([name for name in sys.modules if name.startswith(libraries)])"
    )
    (tmp_path / "text").write_text("http://b.example/\n")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=ENVIRONMENT, timeout=LIMIT,
                          capture_output=True, check=True)  # fmt: skip
    assert done.stdout == b"[]\n"


# --- Parquet --------------------------------------------------------------------------------------

TEXTS = {
    "page.html": b"<p>see <b>the</b>\n tables: <a href='http://a.example/x'>here</a> of 1994</p>",
    "letter.eml": b"Subject: tides\n\nThe tables:\n\n  http://b.example/\n\nBye\n",
    "long": b"see http://c.example/" + b"x" * 900 + b" now\n",
    "odd": b"a \xff b http://d.example/ d\n",
}


@pytest.mark.slow
def test_index_of_parquet_has_the_contexts_of_one_made_directly(tmp_path: Path) -> None:
    """That of lines has none."""
    pytest.importorskip("pyarrow")
    (tmp_path / "in").mkdir()
    for name, data in TEXTS.items():
        (tmp_path / "in" / name).write_bytes(data)
    links = {}
    for to in ("parquet", "jsonl"):
        words = ("cluster", "--workers", 1, "--to", to, "--out", to, "in")
        assert run(*words, cwd=tmp_path).returncode == 0
        assert outcome("index", f"{to}.db", "--from", to, cwd=tmp_path) == (0, "", "")
    index_sources(tmp_path / "directly.db", tmp_path / "in")
    for how in ("directly", "parquet", "jsonl"):
        links[how] = dict(rows(tmp_path / f"{how}.db", "SELECT url, context FROM links"))
    assert links["directly"] == links["parquet"] == {
        "http://a.example/x": "see the tables: here of 1994",
        "http://b.example/": "The tables:\n\n  http://b.example/",
        "http://c.example/" + "x" * 900: "see http://c.example/" + "x" * (500 - len("see http://c.example/")),
        "http://d.example/": "a \N{REPLACEMENT CHARACTER} b http://d.example/ d",
    }  # fmt: skip
    assert links["jsonl"] == dict.fromkeys(links["directly"])


@pytest.mark.parametrize("context", ["number", "bytes"])
def test_context_that_is_no_text_is_one_error(context: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    from urlextract.output.parquet import write_parquet

    with (tmp_path / "a.parquet").open("wb") as stream:
        write_parquet(((found, {}) for found in extract("http://a.example/")), stream)
    table = parquet.read_table(tmp_path / "a.parquet")
    invalid = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff"))
    column = pa.array([1]) if context == "number" else invalid
    table = table.set_column(table.schema.get_field_index("context"), "context", column)
    parquet.write_table(table, tmp_path / "a.parquet")
    status, _, errors = outcome("index", "links.db", "--from", ".", cwd=tmp_path)
    assert (status, errors.count("\n")) == (2, 1)
    assert errors.startswith("urlextract: ./a.parquet: ")
