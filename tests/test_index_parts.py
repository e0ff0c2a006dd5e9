"""``urlextract index --from``: the parts in a directory or below a URL, and the messages in them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from clusters import compress
from commands import outcome, run
from indexes import contents, mailbox, records, rows, tree, urls

from urlextract import SourceError, extract, extract_message, extract_source, index_sources
from urlextract.results import IndexRun
from urlextract.sources.checkpoint import hash_of

fsspec = pytest.importorskip("fsspec")

FOLDER = "memory://bucket/links"
NAMES = [f"{number:032x}.jsonl.zst" for number in range(3)]
ENDS = "(.jsonl, .jsonl.gz, .jsonl.zst, .parquet)"


@pytest.fixture
def memory() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def line(url: str, mail: bytes = b"", **more: object) -> bytes:
    """Return the records of a text, or of a mail with its hash, as a part has them."""
    found = extract_message(mail, source="box") if mail else extract(url)
    own = {"hash": hash_of(mail).hex() if mail else None, **more}
    return b"".join(f"{json.dumps({**each.to_dict(), **own})}\n".encode() for each in found)


def part(number: int) -> bytes:
    return line(f"http://a.example/{number}")


# --- which parts are loaded -----------------------------------------------------------------------


def test_index_has_what_the_parts_below_a_url_have(memory: Any, tmp_path: Path) -> None:
    """It equals that of the same parts in a directory; no store is asked later: it was not named then."""
    index = tmp_path / "links.db"
    memory.pipe({"/bucket/links/run.json": b"{}", "/bucket/links/more/c.jsonl": part(9),
                 "/bucket/links/.hidden.jsonl": part(9)})  # fmt: skip
    for numbers, added in (([1, 2], 2), ([1, 2], 0), ([1, 4, 3], 2), ([1, 4], 0)):
        for path, data in zip_longest((f"/bucket/links/{name}" for name in NAMES), map(part, numbers)):
            if (memory.cat(path) if memory.exists(path) else None) != data:
                memory.rm(path) if data is None else memory.pipe(path, data)
        assert index_sources(index, parts_from=FOLDER + "/" * (added == 0)).places == added
        assert urls(index) == sorted(f"http://a.example/{number}" for number in numbers)
    folder = tree(tmp_path / "links", {name: memory.cat(f"/bucket/links/{name}") for name in NAMES[:2]})
    index_sources(tmp_path / "path.db", parts_from=folder)
    assert contents(tmp_path / "path.db") == contents(index)
    memory.store.clear()
    assert index_sources(index, prune=True).gone == ()
    assert len(urls(index)) == 2


def test_a_part_replaces_what_it_had_and_one_that_is_damaged_is_told(tmp_path: Path) -> None:
    """An index of parts is that of their sources, but for the contexts."""
    index, box = tmp_path / "links.db", tree(tmp_path, {"box": mailbox(*range(30))}) / "box"
    lines = [json.dumps(found.to_dict()).encode() + b"\n" for found in extract_source(box)]
    first, whole = compress(b"".join(lines[:25])), gzip.compress(b"".join(lines[25:]))
    parts = tmp_path / "parts"

    def load(files: dict[str, bytes], *gone: str) -> tuple[int, int, str]:
        tree(parts, files)
        for name in gone:
            (parts / name).unlink()
        status, _, errors = outcome("index", index, "--from", parts)
        assert errors.count("\n") == (status == 2)
        contents(index)
        return status, len(urls(index)), errors

    status, count, error = load({"1.jsonl.zst": first, "2.jsonl.gz": whole[:-40], ".part-x.jsonl": lines[0]})
    assert (status, count, error.startswith(f"urlextract: {parts}/2.jsonl.gz")) == (2, 25, True)
    assert load({"2.jsonl.gz": whole[:-8]})[:2] == (2, 25)  # all of its lines, but not its end
    assert load({"2.jsonl.gz": whole}) == (0, 60, "")
    directly = tmp_path / "other.db"
    index_sources(directly, box)
    expected = [{**link, "context": None} for link in records(directly, "SELECT * FROM links")]
    assert records(index, "SELECT * FROM links") == expected
    before = contents(index)
    assert load({}) == (0, 60, "")
    assert contents(index) == before
    assert load({"2.jsonl.gz": gzip.compress(b"".join(lines[25:35]))})[:2] == (0, 35)
    assert load({"9.jsonl": b"".join(lines[25:35]).rstrip()}, "2.jsonl.gz")[:2] == (0, 35)
    assert load({"9.jsonl": b"".join(lines[25:35]) + b"{}\n"})[:2] == (2, 35)  # as it was before
    other = line("http://b.example/")
    assert index_sources(index, parts_from=tree(tmp_path / "parts more", {"a.jsonl": other})).places == 1
    assert load({}, "9.jsonl")[:2] == (0, 26)  # those of another directory stay


# --- messages in parts ----------------------------------------------------------------------------

MAIL = b"Subject: tides\nMessage-ID: <1@x>\n\nhttp://a.example/1\n\nand http://a.example/2\n"
FORWARDED = b"Subject: outer\nContent-Type: message/rfc822\n\n" + MAIL
COPIES = (
    "SELECT copies.source, number, subject FROM copies JOIN messages ON messages.id = message ORDER BY 1, 2"
)


def test_mail_in_two_parts_and_in_a_file_is_there_once(tmp_path: Path) -> None:
    index, file = tmp_path / "links.db", tree(tmp_path, {"1.eml": MAIL}) / "1.eml"
    copies = line("", MAIL, source="copy", message=2) * 2
    folder = tree(tmp_path / "parts", {"a.jsonl": line("", MAIL), "b.jsonl": copies})
    assert index_sources(index, parts_from=folder).places == 2
    lies = [("box", 1, "tides"), ("copy", 2, "tides")]
    assert rows(index, COPIES) == lies
    assert index_sources(index, file) == IndexRun()
    assert rows(index, COPIES) == [(str(file), 1, "tides"), *lies]
    for path in (folder / "a.jsonl", file):  # it lies in the other one still
        path.unlink()
        index_sources(index, parts_from=folder, prune=True)
        assert urls(index) == ["http://a.example/1", "http://a.example/2"]
    assert rows(index, COPIES) == lies[1:]
    tree(folder, {"b.jsonl": line("", FORWARDED)})
    index_sources(index, parts_from=folder)
    assert rows(index, COPIES) == lies[:1]  # the record has the subject of the inner one
    contents(index)


@pytest.mark.parametrize("known", [{}, {"hash": None}])
def test_records_of_a_mail_that_are_not_together_are_of_one_message(known: Any, tmp_path: Path) -> None:
    """As in a file that was sorted, with a hash or without one."""
    first, second = line("", MAIL, **known).splitlines(keepends=True)
    folder = tree(tmp_path / "parts", {"a.jsonl": first + part(7) + second})
    assert index_sources(tmp_path / "links.db", parts_from=folder).messages == 1
    assert rows(tmp_path / "links.db", "SELECT count(*) FROM messages") == [(1,)]
    assert len(urls(tmp_path / "links.db")) == 3


def test_messages_of_parts_are_counted_once(tmp_path: Path) -> None:
    """A mail in a mail is none of its own, and a text is none at all."""
    inner = b"Subject: b\n\nhttp://a.example/2\n"
    outer = b"Content-Type: message/rfc822\nList-Archive: <http://a.example/1>\n\n" + inner
    folder = tree(tmp_path / "in", {"1.eml": outer, "2.eml": inner, "text": b"http://a.example/3\n"})
    tree(tmp_path, {"1.jsonl": run("-j", folder).stdout})
    counts = index_sources(tmp_path / "links.db", [], parts_from=tmp_path)
    assert (counts.messages, counts.places) == (2, 4)


# --- what cannot be read --------------------------------------------------------------------------

NO_HASH = "its hash is not one of 32 hexadecimal digits"
SURROGATE = ("url", "raw", "source", "part", "header", "subject", "date")


@pytest.mark.parametrize(("change", "error"), [
    ({"line": 10**30}, "a place is out of range"), ({"byte": -1}, "a place is out of range"),
    ({"byte": 1 << 62}, "a place is out of range"), ({"offset": -1}, "a place is out of range"),
    *(({"hash": value}, NO_HASH) for value in (1, "", "0" * 31, "g" * 32, "0" * 33, ["0"])),
    *((change, "") for change in (
        {"confidence": float("nan")}, {"form": "odd"}, {"url": 1}, {"v": 1}, {"differs": "\0"}, {"v": ...},
        {"repairs": [{"code": "odd", "words": "odd"}]})),
    *(({name: "\ud800\0"}, None) for name in SURROGATE),
    ({"element": "\ud800", "attribute": "\0", "text": "\ud800", "shown": "\0"}, None),
    ({"wrapped_by": "\ud800", "unwrapped": "http://a.example/x"}, None),
])  # fmt: skip
def test_odd_record_is_told_or_made_valid(tmp_path: Path, change: Any, error: str | None) -> None:
    """One that is told loads nothing of its part."""
    [found] = extract_message(b"Content-Type: text/html\n\n<a href='http://a.example/x'>x</a>")
    odd = {name: value for name, value in (found.to_dict() | change).items() if value is not ...}
    folder = tree(tmp_path / "parts", {"a.jsonl": part(1) + json.dumps(odd).encode() + b"\n"})
    status, _, errors = outcome("index", tmp_path / "links.db", "--from", folder)
    if error is None:
        assert (status, errors, len(urls(tmp_path / "links.db"))) == (0, "", 2)
    else:
        assert errors.startswith(f"urlextract: {folder}/a.jsonl: line 2 is no record: {error}")
        assert (status, errors.count("\n"), urls(tmp_path / "links.db")) == (2, 1, [])
    assert r"\x00" not in str(contents(tmp_path / "links.db"))


def test_a_line_that_nests_too_deep_or_is_none_is_one_error(tmp_path: Path) -> None:
    for data in (b"[" * 100_000, b"x", b"1", b'"v"'):
        tree(tmp_path / "parts", {"a.jsonl": data})
        status, _, errors = outcome("index", "links.db", "--from", "parts", cwd=tmp_path)
        assert (status, errors.count("\n"), "a.jsonl: line 1 is no record: " in errors) == (2, 1, True)


@pytest.mark.parametrize(("folder", "error"), [
    ("in", f"no records in this directory {ENDS}"),  # but mail
    ("none", "No such file or directory"),
    ("memory://bucket/none", "no such object"),
    ("memory://bucket/empty", f"no records in this directory {ENDS}"),
    ("what://x/y", "Protocol not known: what"),
    ("http://127.0.0.1:1/links", "http and https have no directories"),
])  # fmt: skip
def test_directory_without_parts_is_told(memory: Any, folder: str, error: str, tmp_path: Path) -> None:
    memory.pipe("/bucket/empty/x", b"")
    tree(tmp_path / "in", {"mail.eml": b"Subject: tides\n\nhttp://a.example/\n"})
    told = f"urlextract: {folder}: {error}\n"
    assert outcome("index", "links.db", "--from", folder, cwd=tmp_path) == (2, "", told)


class FailingStream(io.BytesIO):
    """A stream of a store that fails after its first bytes, as libraries do: with errors of their own."""

    def read(self, size: int = -1) -> bytes:
        if data := super().read(size):
            return data
        raise RuntimeError("the store\nis down")

    def seekable(self) -> bool:
        return False


def test_what_a_store_cannot_give_is_one_error(memory: Any, tmp_path, monkeypatch) -> None:
    """Or what is none of ours; the other parts are loaded."""
    memory.pipe(
        {f"/bucket/links/{name}": data for name, data in zip(NAMES, (part(1), part(2), b"x"), strict=True)}
    )
    opened = type(memory).open

    def open_failing(self: Any, path: str, *arguments: Any, **how: Any) -> Any:
        stream = opened(self, path, *arguments, **how)
        return FailingStream(stream.read(3)) if path.endswith(NAMES[1]) else stream

    monkeypatch.setattr(type(memory), "open", open_failing)
    damage: list[SourceError] = []
    index_sources(tmp_path / "links.db", parts_from=FOLDER, on_damage=damage.append)
    first, second = map(str, damage)
    assert first == f"{FOLDER}/{NAMES[1]}, byte 3: the store is down"
    assert second.startswith(f"{FOLDER}/{NAMES[2]}: line 1 is no record: Expecting value")
    assert urls(tmp_path / "links.db") == ["http://a.example/1"]


# --- Parquet --------------------------------------------------------------------------------------


@pytest.mark.parametrize("context", ["a number", "bytes", "cut"])
def test_parquet_of_another_form_is_one_error(context: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    from urlextract.output.parquet import write_parquet

    path = tmp_path / "a.parquet"
    with path.open("wb") as stream:
        write_parquet(((found, {}) for found in extract("http://a.example/")), stream)
    table = parquet.read_table(path)
    invalid = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff"))
    column = pa.array([1]) if context == "a number" else invalid
    table = table.set_column(table.schema.get_field_index("context"), "context", column)
    parquet.write_table(table, path)
    if context == "cut":
        path.write_bytes(b"PAR1 and no more PAR1")
    status, _, errors = outcome("index", "links.db", "--from", ".", cwd=tmp_path)
    assert (status, errors.count("\n")) == (2, 1)
    assert errors.startswith("urlextract: ./a.parquet: ")
