"""``urlextract cluster --coalesce``: the records of all parts, each once, in files sorted by domain."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from commands import outcome

from urlextract import extract
from urlextract.cluster import coalescing
from urlextract.cluster.coalescing import coalesce
from urlextract.errors import UrlExtractError
from urlextract.output.parquet import write_parquet
from urlextract.run.manifest import ListedPart, Manifest, read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("distributed")


class Client:
    """A client of a cluster that does each task at once, as often as it is to be tried."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def submit(self, work: Callable[..., Any], *call: Any, retries: int, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.done.append(work.__name__)
        for _try in range(retries + 1):
            try:
                future.set_result(work(*call))
                break
            except Exception as error:
                failure = error
        else:
            future.set_exception(failure)
        return future

    def cancel(self, *_: Any, **__: Any) -> None:
        """There is nothing that still runs."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of some 12 KB, of four slices each, chunks of some records, and a sample of a fifth."""
    for name, value in (("_FILE", 12_000), ("_SLICE", 20_000), ("_CHUNK", 5_000), ("_ROWS", 7), ("_STEP", 5)):
        monkeypatch.setattr(coalescing, name, value)


def test_slices_of_long_urls_have_fewer_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some 600 bytes a record, and five times those of its key: 60,000 for 100, then 10,600 each."""
    monkeypatch.setattr(coalescing, "_STEP", 1)
    monkeypatch.setattr(coalescing, "_SLICE", 112_000)
    sample = [(False, "a.com", "", number) for number in range(100)]
    sample += [(False, "b.com", "x" * 2_000, number) for number in range(100, 200)]
    rows = [row for _, _, _, row in coalescing._cuts(sample)]
    assert rows == [104, 115, 126, 136, 147, 157, 168, 178, 189]


def make_parts(folder: Path, texts: Sequence[str]) -> Manifest:
    """Write a part of each text."""
    folder.mkdir(exist_ok=True)
    parts = []
    for number, text in enumerate(texts):
        id_ = hashlib.blake2b(f"{number} {text}".encode(), digest_size=10).hexdigest()
        name = f"part-{id_}.parquet"
        with (folder / name).open("wb") as stream:
            write_parquet(extract(text), stream)
        parts.append(ListedPart(name, (folder / name).stat().st_size, "text"))
    return Manifest(tuple(parts), "parquet", {})


def rows_of(folder: Path, names: Iterable[str]) -> list[list[dict[str, Any]]]:
    return [parquet.read_table(folder / name).to_pylist() for name in names]


def listed(folder: Path) -> list[str]:
    return [part.name for part in read_manifest((folder / "manifest.json").read_bytes(), "x").parts]


def coalesced(out: Path, manifest: Manifest, client: Client | None = None, *, retries: int = 0) -> list[str]:
    """Coalesce parts; return the names of the files."""
    coalesce(lambda: client or Client(), str(out), manifest, retries=retries, show=len)
    return listed(out / "by-domain")


def in_order(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """By domain, those without one last; the URL; and, as sorting is stable, the order of the run."""
    return sorted(rows, key=lambda row: (row["domain"] is None, row["domain"] or "", row["key"]))


def links(numbers: Iterable[int], domains: int) -> str:
    return "".join(
        f"http://h{each % 3}.d{each % domains}.com/{each % 7} mid:{each % 2}@x\n" for each in numbers
    )


@pytest.mark.parametrize(
    ("texts", "least"),
    [
        ([links(range(part * 100, part * 100 + 100), 17) for part in range(8)], 3),
        ([links(range(900), 1_000)], 2),
        (["http://a.com/\n" * 400, "http://a.com/\n" * 300, "http://b.com/"], 2),  # one URL fills files
        (["http://a.com/", "mid:1@x http://b.com/", "", "http://A.com/ http://a.com./x"], 1),
    ],
)
@pytest.mark.usefixtures("small")
def test_files_have_the_records_of_the_parts_in_their_order(
    texts: list[str], least: int, tmp_path: Path
) -> None:
    manifest = make_parts(tmp_path, texts)
    names = coalesced(tmp_path, manifest)
    found = rows_of(tmp_path / "by-domain", names)
    parts = rows_of(tmp_path, [part.name for part in manifest.parts])
    assert [row for rows in found for row in rows] == in_order(row for rows in parts for row in rows)
    assert len(names) >= least
    assert all(name.endswith(f"-{number:05}.parquet") for number, name in enumerate(names))
    assert {path.name for path in (tmp_path / "by-domain").iterdir()} == {*names, "manifest.json"}


@pytest.mark.usefixtures("small")
def test_files_and_slices_are_of_similar_sizes(tmp_path: Path) -> None:
    """Also if most records have the same URL."""
    manifest = make_parts(tmp_path, [links(range(500), 90), "http://a.com/\n" * 3_000, links(range(500), 9)])
    counts = [len(rows) for rows in rows_of(tmp_path / "by-domain", coalesced(tmp_path, manifest))]
    assert len(counts) > 2
    assert max(counts) < 2 * min(counts)


def test_domain_of_no_record_is_last(tmp_path: Path) -> None:
    manifest = make_parts(tmp_path, ["mid:1@x http://z.com/ http://a.com/b http://[::1]/ http://a.com/a"])
    [rows] = rows_of(tmp_path / "by-domain", coalesced(tmp_path, manifest))
    assert [(row["domain"], row["url"]) for row in rows] == [
        ("::1", "http://[::1]/"), ("a.com", "http://a.com/a"), ("a.com", "http://a.com/b"),
        ("z.com", "http://z.com/"), (None, "mid:1@x"),
    ]  # fmt: skip


def test_parts_without_records_give_one_empty_file(tmp_path: Path) -> None:
    [name] = coalesced(tmp_path, make_parts(tmp_path, ["no link", ""]))
    table = parquet.read_table(tmp_path / "by-domain" / name)
    assert (table.num_rows, table.schema) == (0, parquet.read_schema(next(tmp_path.glob("part-*"))))


@pytest.mark.usefixtures("small")
def test_same_parts_write_nothing_anew_and_others_replace_the_files(tmp_path: Path) -> None:
    client = Client()
    manifest = make_parts(tmp_path, [links(range(300), 17)])
    names = coalesced(tmp_path, manifest, client)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "by-domain").iterdir()}
    client.done.clear()
    assert coalesced(tmp_path, manifest, client) == names
    assert client.done == []
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "by-domain").iterdir()} == before
    (tmp_path / "by-domain" / names[1]).unlink()  # a file that is missing
    assert coalesced(tmp_path, manifest, client) == names
    assert (tmp_path / "by-domain" / names[1]).exists()
    (tmp_path / "by-domain" / "of others.parquet").write_text("")
    other = make_parts(tmp_path, [links(range(20, 300), 17)])
    replaced = coalesced(tmp_path, other)
    assert set(replaced).isdisjoint(names)
    there = {path.name for path in (tmp_path / "by-domain").iterdir()}
    assert there == {*replaced, "manifest.json", "of others.parquet"}


@pytest.mark.parametrize("work", ["sample_of", "sort_parts", "write_sorted"])
@pytest.mark.usefixtures("small")
def test_run_that_fails_leaves_the_files_of_the_last_one(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = coalesced(tmp_path, make_parts(tmp_path, [links(range(300), 17)]))
    before = {path: path.read_bytes() for path in (tmp_path / "by-domain").iterdir()}
    other = make_parts(tmp_path, [links(range(300), 16), links(range(300), 15), links(range(300), 14)])
    doing, calls = getattr(coalescing, work), []

    def failing(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        return doing(*arguments)

    failing.__name__ = work
    monkeypatch.setattr(coalescing, work, failing)
    with pytest.raises(UrlExtractError, match=r"by-domain: \[Errno 28\] No space left on device"):
        coalesced(tmp_path, other, retries=1)
    assert {path: path.read_bytes() for path in (tmp_path / "by-domain").iterdir()} == before
    assert listed(tmp_path / "by-domain") == names


@pytest.mark.usefixtures("small")
def test_what_a_killed_run_leaves_is_not_counted_and_goes(tmp_path: Path) -> None:
    id_ = "0123456789abcdef0123"
    (tmp_path / "by-domain").mkdir()
    for name in (f"domain-{id_}-00000.parquet", f"sorted-{id_}-00000", f".domain-{id_}-00001.parquet.a1b2c3"):
        (tmp_path / "by-domain" / name).write_bytes(b"PAR1")
    names = coalesced(tmp_path, make_parts(tmp_path, [links(range(30), 3)]))
    assert {path.name for path in (tmp_path / "by-domain").iterdir()} == {*names, "manifest.json"}


class LostClient(Client):
    """A client whose scheduler goes away: Dask cancels the futures."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.cancel()
        return future


def test_scheduler_that_is_lost_is_one_error(tmp_path: Path) -> None:
    manifest = make_parts(tmp_path, ["http://a.com/"])
    with pytest.raises(
        UrlExtractError, match="by-domain: the connection to the scheduler is lost: run again"
    ):
        coalesced(tmp_path, manifest, LostClient())
    assert list((tmp_path / "by-domain").iterdir()) == []


def test_damaged_part_is_one_error(tmp_path: Path) -> None:
    manifest = make_parts(tmp_path, ["http://a.com/", "http://b.com/"])
    name = manifest.parts[1].name
    (tmp_path / name).write_bytes(b"PAR1 and no more PAR1")
    with pytest.raises(UrlExtractError, match=name) as caught:
        coalesced(tmp_path, manifest)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "by-domain" / "manifest.json").exists()


@pytest.mark.usefixtures("small")
def test_files_below_a_url(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    try:
        manifest = make_parts(tmp_path, [links(range(part * 100, part * 100 + 100), 17) for part in range(5)])
        for part in manifest.parts:
            system.put(str(tmp_path / part.name), f"/bucket/out/{part.name}")
        coalesce(Client, "memory://bucket/out", manifest, retries=0, show=len)
        there = {name.rpartition("/")[2] for name in system.ls("/bucket/out/by-domain", detail=False)}
        names = coalesced(tmp_path, manifest)
        assert there == {*names, "manifest.json"}
        for name in there:
            data = system.cat(f"/bucket/out/by-domain/{name}")
            assert data == (tmp_path / "by-domain" / name).read_bytes()
    finally:
        system.store.clear()
        system.pseudo_dirs[:] = [""]


def test_command_puts_a_complete_run_by_domain(tmp_path: Path) -> None:
    """On workers of their own; not if the run is not complete."""
    words = ("cluster", "--workers", 2, "--to", "parquet", "--coalesce", "--out", "out")
    (tmp_path / "text").write_text("http://b.com/ http://a.com/\n")
    status, _, errors = outcome(*words, "text", "none", cwd=tmp_path)
    assert (status, errors.count("\n")) == (2, 2)  # no such file, no manifest
    assert not (tmp_path / "out" / "by-domain").exists()
    for status in (0, 0):
        assert outcome(*words, "text", cwd=tmp_path)[::2] == (status, "")
        [rows] = rows_of(tmp_path / "out" / "by-domain", listed(tmp_path / "out" / "by-domain"))
        assert [row["url"] for row in rows] == ["http://a.com/", "http://b.com/"]
    assert len(json.loads((tmp_path / "out" / "manifest.json").read_bytes())["parts"]) == 1
    status, _, errors = outcome("index", "links.db", "--from", "out/by-domain", cwd=tmp_path)
    told = "the records here are sorted by domain: load the directory of the parts"
    assert (status, errors) == (2, f"urlextract: out/by-domain/manifest.json: {told}\n")
    assert outcome("index", "links.db", "--from", "out", cwd=tmp_path) == (0, "", "")
    (tmp_path / "text").write_text("http://c.com/\n")
    status, _, errors = outcome(*words[:5], "--prune", "--out", "out", "text", cwd=tmp_path)
    told = f"{tmp_path}/out/by-domain: has the records of other parts: see --coalesce"
    assert (status, errors) == (0, f"urlextract: {told}\n")
    assert outcome(*words, "text", cwd=tmp_path)[::2] == (0, "")
    assert outcome(*words[:5], "--out", "out", "text", cwd=tmp_path)[::2] == (0, "")
    (tmp_path / "out" / "by-domain" / "manifest.json").write_text("{}")
    status, _, errors = outcome(*words, "text", cwd=tmp_path)
    assert (status, errors.count("\n")) == (2, 1)
    assert "by-domain/manifest.json: is no manifest of parts (version 1)" in errors


@pytest.mark.parametrize("domain", ["a.com", "é.example", "\U0001f600.example", "z" * 300, ""])
def test_order_of_a_cut_is_that_of_the_tables(domain: str) -> None:
    """Python compares texts as pyarrow compares their bytes."""
    pa = pytest.importorskip("pyarrow")
    domains = sorted(["a.com", "b.com", "é.example", "\uffee.example", "\U0001f600.example", "z", ""])
    table = pa.table({"domain": [*domains, None], "key": ["x"] * 8, "order": list(range(8))})
    table = table.sort_by([("domain", "ascending"), ("key", "ascending"), ("order", "ascending")])
    assert table["domain"].to_pylist() == [*domains, None]
    at = [coalescing._cut_at(table, [(False, domain, key, 0)])[0] for key in ("", "y")]
    assert at == [sum(each < domain for each in domains), sum(each <= domain for each in domains)]
    assert coalescing._cut_at(table, [(True, "", "", 0), (True, "", "y", 0)]) == [7, 8]
    assert all(first <= second for first, second in pairwise(at))
