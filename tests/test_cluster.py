"""Shards as values: plans, parts, and what a cluster of processes makes of them."""

from __future__ import annotations

import errno
import gzip
import io
import json
import math
import os
import random
import re
import subprocess
import sys
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest
from clusters import (
    compress,
    decompress,
    lines_in,
    listed,
    plant,
    records_of,
    records_of_one,
    with_reader,
)
from commands import ENVIRONMENT, outcome, run, with_module
from inboxes import plant_v2_in_two_epochs
from realtools import LIMIT, ROOT
from test_jobs import mailbox, web_archive

from urlextract import extract_source
from urlextract.cluster.driver import ClusterOptions, Report, read_all
from urlextract.cluster.partfiles import parts_in
from urlextract.cluster.plans import (
    ChangedError,
    PlanError,
    PlannedShard,
    _encoded,
    _hash,
    plan_sources,
    shard_of_line,
)
from urlextract.cluster.stores import FilesAndObjects
from urlextract.cluster.tasks import part_name, read_into
from urlextract.errors import SourceError, UrlExtractError
from urlextract.output.jsonl import json_line
from urlextract.sources.folders.tree import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CORPORA = ROOT / "corpora"


def planned_of(
    *sources: str | Path, shard_size: int = 2048, form: str = "auto", **options: Any
) -> list[PlannedShard]:
    return list(
        plan_sources(list(map(str, sources)), form, options, shard_size=shard_size, on_damage=pytest.fail)
    )


def prepared(out: Path | str) -> Any:
    """Return the parts in a directory, which is made."""
    parts = parts_in(str(out))
    parts.prepare()
    return parts


def lines_of(planned: Sequence[PlannedShard], out: Path | str) -> list[str]:
    """Read all shards into parts; return the lines of these, in the order of the plan."""
    parts = prepared(out)
    for each in planned:
        assert read_into(each, parts, "jsonl").failure is None
    return [line for each in planned for line in lines_in(Path(out) / part_name(each, "jsonl"))]


def lines_of_one(*sources: str | Path, **options: Any) -> list[str]:
    """Return the records of one process."""
    found = (each for source in sources for each in extract_source(str(source), **options))
    return [json_line(each.to_dict()) for each in found]


# plans and parts


def made(folder: Path, seed: int) -> Path:
    """Make a tree of sources of each kind."""
    (folder / "mh").mkdir(parents=True)
    (folder / "box").write_bytes(mailbox(40_000, each=400, seed=seed))
    (folder / "box.gz").write_bytes(gzip.compress(mailbox(9_000, each=400, seed=seed + 1), 1))
    (folder / "pages.warc").write_bytes(web_archive(random.Random(seed), 40))
    (folder / "text").write_text(
        "see http://a.example/x or\r\n\r\nwww.b.example, http://c.example/\ny\n\n" * 300
    )
    for number in range(1, 120):
        (folder / "mh" / str(number)).write_text(f"Subject: http://s.example/{number}\n\nhttp://b.example/\n")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "shard_size"), [
    (None, 1024), (None, 20_000), *((seed, size) for seed in range(6) for size in (1024, 3_000, 50_000)),
])  # fmt: skip
def test_parts_are_the_records_of_one_process(seed: int | None, shard_size: int, tmp_path: Path) -> None:
    """Of the corpora or of made sources: as a tree, and each file named, one of them twice."""
    folder = CORPORA if seed is None else made(tmp_path / "in", seed)
    planned = planned_of(folder, shard_size=shard_size)
    assert len(planned) > 3
    assert lines_of(planned, tmp_path / "tree") == lines_of_one(folder)
    damage: list[SourceError] = []
    list(extract_source(str(folder), on_damage=damage.append))
    files = {str(path) for path in folder.rglob("*") if path.is_file() and path.parent != folder / "mh"}
    files -= {each.source for each in damage}
    assert len(files) > (80 if folder == CORPORA else 3)
    named = [*sorted(files), min(files)]
    assert lines_of(planned_of(*named, shard_size=shard_size), tmp_path / "named") == lines_of_one(*named)


def test_options_are_those_of_the_plan(tmp_path: Path) -> None:
    options = {"schemes": ["mailto"], "emails": True, "parts": ["headers"], "join": "none"}
    found = lines_of(planned_of(CORPORA / "inbox.mbox", **options), tmp_path)
    assert found == lines_of_one(CORPORA / "inbox.mbox", **options)
    assert found


def test_a_text_is_not_cut_where_a_shard_would_depend_on_the_text_before(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("> http://q.example/\n\nhttp://a.example/\n\n" * 400)
    assert len(planned_of(path)) > 1
    planned = planned_of(path, quoted="skip")
    assert len(planned) == 1
    assert lines_of(planned, tmp_path / "parts") == lines_of_one(path, quoted="skip")
    planned = planned_of(path, relaxed=True, emails=True, refang=True)
    assert len(planned) > 1
    assert lines_of(planned, tmp_path / "more") == lines_of_one(path, relaxed=True, emails=True, refang=True)


def test_first_shards_of_a_mailbox_are_planned_before_its_end_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that they can be read meanwhile; what cannot be read then goes with one shard, which fails."""
    path = tmp_path / "box"
    path.write_bytes(mailbox(200_000, each=300))
    is_broken = False

    class Breaking(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            if is_broken:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return super().read(min(1_000, size or 0))

    monkeypatch.setattr("urlextract.run.cutting.open_file", Breaking)
    damage: list[SourceError] = []
    planned = plan_sources([str(path)], "auto", {}, shard_size=20_000, on_damage=damage.append)
    first = next(planned)
    assert first.shard.start.messages == 0
    assert 20_000 < first.shard.end < 21_000
    is_broken = True
    [rest] = planned
    assert (rest.shard.start.offset, rest.shard.end) == (first.shard.end, None)
    assert rest.shard.start.messages > 10
    assert damage == []


def test_a_duration_ends_when_the_plan_is_made() -> None:
    [planned] = planned_of(CORPORA / "sample.eml", since="7d")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT.*\+00:00", planned.options["since"])


def test_a_shard_reads_back_from_its_line(tmp_path: Path) -> None:
    """With names of any letters, of a tree, of parts of files, and of what was named twice."""
    for name in (b"\xff", b"a\nb", "é\u2028\U0001f600".encode(), b'"\\'):
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_text("http://a.example/\n\n" * 200)
    sources = (tmp_path, *tmp_path.iterdir(), CORPORA, CORPORA)
    for planned in planned_of(*sources, emails=True):
        assert shard_of_line(planned.line()) == planned
        assert planned.line().isascii()
        failed = replace(planned, error="x")
        assert shard_of_line(failed.line()) == failed
        assert failed.id == planned.id


def sealed(content: dict[str, Any], changed: str | None = None) -> str:
    """Return a line with the right id and, if these are changed, the right fingerprint of its options."""
    content = {key: value for key, value in content.items() if key != "id"}
    if changed in ("options", "program") and changed in content:
        content["fingerprint"] = _hash(_encoded([content.get("program"), content["options"]]), 16)
    return json.dumps({**content, "id": _hash(_encoded(content), 20)})


def damaged(content: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """Return the content of a line with another value for a key, or for a part of its first file."""
    content = json.loads(json.dumps(content))
    if key in ("path", "is_mail", "repositories"):
        content["files"][0][["path", "is_mail", "repositories"].index(key)] = value
    elif key == "stamp of a file":
        content["files"][0][3:] = value if isinstance(value, list) else [value]
    else:
        content[key] = value
    return content


NO_NAME = [None, True, 1, 1.5, "\0", "\ud800", [], {}]
NO_NUMBER = [None, True, -2, 1 << 63, -(10**30), 1.5, math.inf, "", "x", [], [1], {}]
NO_NUMBER_OR_NULL = NO_NUMBER[1:]
TWO = {"0": 1, "1": 2}
NO_STAMP = [None, True, 1, "", "x", [], [1], [1, 2, 3], [-1, -1], [None, True], [0, True], [[], []], TWO]
WRONG = {
    # of a range of a file
    "source": NO_NAME, "url": NO_NAME, "format": [None, True, 1, "", "x", [], {}],
    "start": [None, "x", [], [1, 2, 3], [-1] * 4, [None, 0, 0, 0], [0, 0, 0, True], [0, 0, 0, 1 << 63], {}],
    "end": NO_NUMBER_OR_NULL, "stamp": NO_STAMP, "size": [-1, *NO_NUMBER], "copy": [-1, *NO_NUMBER],
    "options": [None, True, 1, "", "x", [], [1], TWO], "program": NO_NAME,
    "fingerprint": NO_NAME, "v": [-1, *NO_NUMBER],
    # of the files of a folder
    "files": [None, True, 1, "", "x", [], [1], [[], []], {}, TWO], "path": NO_NAME,
    "is_mail": [None, 1, "x", []], "repositories": [None, True, 1, "", "x", [1], [[], []], {}],
    "stamp of a file": NO_STAMP,
}  # fmt: skip
OF_FOLDERS = ("files", "path", "is_mail", "repositories", "stamp of a file")


@pytest.mark.parametrize("key", WRONG)
def test_a_line_with_a_wrong_value_is_refused(key: str, tmp_path: Path) -> None:
    """Whether its id is that of the damaged line, or of the whole one."""
    (tmp_path / "text").write_text("http://a.example/\n")
    [planned] = planned_of(tmp_path if key in OF_FOLDERS else tmp_path / "text")
    content = json.loads(planned.line())
    assert shard_of_line(sealed(content)) == planned
    wrong = [damaged(content, key, value) for value in WRONG[key]]
    wrong += [{name: value for name, value in content.items() if name != key}] if key in content else []
    for changed in wrong:
        lines = [sealed(changed, key), *([json.dumps(changed)] if changed != content else [])]
        for line in lines:
            with pytest.raises(PlanError):
                shard_of_line(line)


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_damaged_line_is_refused(is_folder: bool, tmp_path: Path) -> None:
    """Cut anywhere, or with another character anywhere, or another line altogether."""
    (tmp_path / "text").write_text("http://a.example/\n")
    [planned] = planned_of(tmp_path if is_folder else tmp_path / "text")
    line = planned.line()
    cut = [line[:end] for end in range(len(line))]
    other = [line[:at] + chr(ord(line[at]) ^ 1) + line[at + 1 :] for at in range(len(line))]
    for wrong in (*cut, *other, "[]", "1", '{"v":2}', "[" * 10_000, '{"v":2,"id":1,"program":1}'):
        with pytest.raises(PlanError):
            shard_of_line(wrong)


def test_a_plan_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    """Also where Python is strict about standard input."""
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "utf-8:strict"}
    words = ("shard", "--plan", "-", "--number", 1, "--out", "out")
    status, output, errors = outcome(*words, data=b"\xff\0\n", cwd=tmp_path, env=environment)
    assert (status, output, errors) == (2, "", "urlextract: -, line 1: no shard of a plan\n")


@pytest.mark.parametrize("words", [
    ("shard", "--number", "1"), ("shard", "--id", "abc"), ("cluster", "--workers", "1"),
])  # fmt: skip
@pytest.mark.parametrize(("old", "new"), [
    ('"start":[0,0,0,0]', '"start":[]'), ('"v":2', '"v":"\\ud800"'), ('"program":"', '"program":"\\ud800\\n'),
])  # fmt: skip
def test_a_damaged_plan_is_one_line(words: tuple[str, ...], old: str, new: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("http://a.example/\n")
    [shard] = plan_file(tmp_path, "text")
    plan = (tmp_path / "plan").read_text().replace(old, new)
    assert plan != (tmp_path / "plan").read_text()
    (tmp_path / "plan").write_text(plan)
    words = tuple(shard["id"] if word == "abc" else word for word in words)
    status, output, errors = outcome(*words, "--plan", "plan", "--out", "out", cwd=tmp_path)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("urlextract: plan, line 1: ")


def test_ids_are_equal_on_each_day_and_differ_for_each_shard() -> None:
    planned = planned_of(CORPORA / "inbox.mbox", CORPORA, CORPORA / "inbox.mbox")
    ids = [each.id for each in planned]
    assert len(set(ids)) == len(ids)
    assert ids == [each.id for each in planned_of(CORPORA / "inbox.mbox", CORPORA, CORPORA / "inbox.mbox")]


@pytest.mark.parametrize("change", ["grows", "is touched", "is gone"])
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_file_that_has_changed_is_named_and_not_read(change: str, is_folder: bool, tmp_path: Path) -> None:
    path = tmp_path / "in" / "text"
    path.parent.mkdir()
    path.write_text("http://a.example/\n")
    [planned] = planned_of(path.parent if is_folder else path)
    if change == "grows":
        path.write_text("http://a.example/\nhttp://b.example/\n")
    elif change == "is touched":
        os.utime(path, ns=(1, 1))
    else:
        path.unlink()
    parts = prepared(tmp_path / "out")
    words = "is gone" if change == "is gone" else "has changed"
    with pytest.raises(ChangedError, match=f"{path}: {words} since the plan was made"):
        read_into(planned, parts, "jsonl")
    assert list((tmp_path / "out").iterdir()) == []


def test_mail_that_is_moved_and_marked_since_the_plan_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As mail readers do all day; a shard may be read from any directory. One name in both parts are two."""
    names = [f"new/{number}.P1.host" for number in range(9)]
    for name in [*names, "cur/8.P1.host:2,S"]:
        path = tmp_path / "mail" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Subject: x\n\nhttp://a.example/{'x' * len(name)}\n")
    monkeypatch.chdir(tmp_path)
    [planned] = planned_of("mail", shard_size=1 << 20)
    for name in names[:8]:
        (tmp_path / "mail" / name).rename(tmp_path / "mail" / "cur" / f"{name[4:]}:2,RS")
    (tmp_path / "mail" / "cur" / "8.P1.host:2,S").rename(tmp_path / "mail" / "cur" / "8.P1.host:2,FS")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    parts = prepared(tmp_path / "out")
    listings: list[object] = []
    listdir = os.listdir
    monkeypatch.setattr("os.listdir", lambda path: listings.append(path) or listdir(path))
    assert read_into(planned, parts, "jsonl").urls == 10
    assert listings == [str(tmp_path / "mail" / "cur")]  # not one for each mail
    (tmp_path / "mail" / "cur" / "0.P1.host:2,RS").write_text("Subject: y\n")
    with pytest.raises(ChangedError, match=r"mail/new/0\.P1\.host: has changed since"):
        read_into(planned, parts_in(str(tmp_path)), "jsonl")


def test_a_public_inbox_is_one_shard_until_it_has_a_new_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all its repositories: a mail that comes again is left out, and all are numbered."""
    repositories = plant_v2_in_two_epochs(tmp_path / "in" / "inbox")
    for name in ("a", "z"):
        (tmp_path / "in" / name).write_text("http://a.example/\n")
    monkeypatch.chdir(tmp_path)
    planned = planned_of("in", shard_size=1 << 20)
    names = [[os.path.basename(file.path) for file in each.shard.files] for each in planned]
    assert names == [["a", "z"], ["inbox"]]
    assert lines_of(planned, tmp_path / "out") == lines_of_one("in")
    assert [shard_of_line(each.line()) for each in planned] == planned
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    inbox = planned[1]
    assert lines_of([inbox], tmp_path / "more")
    repositories[1].commit({"m": b"Subject: x\n\nhttp://new.example/\n"})
    with pytest.raises(ChangedError, match="in/inbox: has changed since the plan was made"):
        read_into(inbox, parts_in(str(tmp_path)), "jsonl")
    monkeypatch.chdir(tmp_path)
    assert len(set(map(str, planned_of("in", shard_size=1 << 20))) - set(map(str, planned))) == 1


def test_mail_that_is_moved_while_the_plan_is_made_is_read(tmp_path: Path) -> None:
    (tmp_path / "mail" / "new").mkdir(parents=True)
    (tmp_path / "mail" / "cur").mkdir()
    (tmp_path / "mail" / "cur" / "1.P1.host:2,S").write_text("Subject: x\n\nhttp://a.example/\n")
    old = str(tmp_path / "mail" / "new" / "1.P1.host")
    assert FilesAndObjects().stamp(old) == Stamp.of((tmp_path / "mail/cur/1.P1.host:2,S").stat())


def test_a_file_that_may_not_be_read_is_in_no_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its stamp does not show that it may be read later; one that a worker may not read fails the shard."""
    (tmp_path / "in").mkdir()
    for name in "abc":
        (tmp_path / "in" / name).write_text(f"http://{name}.example/\n")
    locked = str(tmp_path / "in" / "b")
    told: list[SourceError] = []
    with monkeypatch.context() as patched:
        patched.setattr("os.access", lambda path, *_, **__: path != locked)
        [planned] = plan_sources([str(tmp_path / "in")], "auto", {}, on_damage=told.append)
        assert list(plan_sources([locked], "auto", {}, on_damage=told.append)) == []
    assert [str(error) for error in told] == [f"{locked}: Permission denied"] * 2  # and it cuts no shard
    assert [os.path.basename(file.path) for file in planned.shard.files] == ["a", "c"]
    [whole] = planned_of(tmp_path / "in", shard_size=1 << 20)

    def denied(path: str) -> BinaryIO:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr("urlextract.cluster.stores.open_file", denied)
    with pytest.raises(UrlExtractError, match=r"in/a: Permission denied"):
        read_into(whole, prepared(tmp_path / "out"), "jsonl")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [("DASK_DISTRIBUTED__LOGGING", ""), ("DASK_CONFIG", "wrong"), ("DASK_CONFIG", "broken")],
)
def test_settings_of_dask_that_are_none_are_one_line(name: str, value: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    for folder, content in (("wrong", "distributed:\n  logging:\n"), ("broken", "distributed: [\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dask.yaml").write_text(content)
    (tmp_path / "text").write_text("http://a.example/\n")
    words = ("cluster", "--scheduler", "tcp://127.0.0.1:1", "--out", "out", "text")
    status, output, errors = outcome(*words, cwd=tmp_path, env={**os.environ, name: value})
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("urlextract: Dask cannot use its settings (")


def test_a_part_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    [planned] = planned_of(CORPORA / "sample.eml", shard_size=1 << 20)
    parts = prepared(tmp_path)
    assert (read_into(planned, parts, "jsonl").urls, read_into(planned, parts, "jsonl").skipped) == (9, True)
    (part,) = tmp_path.iterdir()
    part.write_bytes(b"mine")
    assert read_into(planned, parts, "jsonl").skipped
    assert part.read_bytes() == b"mine"
    mask = os.umask(0)
    os.umask(mask)
    assert part.stat().st_mode & 0o777 == 0o666 & ~mask


def test_drafts_of_the_dead_are_swept_and_those_of_the_living_stay(tmp_path: Path) -> None:
    dead, other = tmp_path / f".part-1.jsonl.zst.{'a' * 12}", tmp_path / ".other"
    for path in (dead, other):
        path.touch()
    parts = parts_in(str(tmp_path))
    with parts.writing("part-2.jsonl.zst") as stream:
        stream.write(b"a")
        prepared(tmp_path)
        assert other.exists()
        assert not dead.exists()
        assert len(list(tmp_path.iterdir())) == 2
        assert not parts.has("part-2.jsonl.zst")
    assert (tmp_path / "part-2.jsonl.zst").read_bytes() == b"a"


# other file systems, by URL


@pytest.fixture
def memory() -> Iterator[Any]:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def test_objects_below_a_url_are_read_as_a_tree(memory: Any, tmp_path: Path) -> None:
    plant(tmp_path / "in")
    memory.put(str(tmp_path / "in"), "/bucket/in", recursive=True)
    planned = planned_of("memory://bucket/in")
    assert any(each.shard.format == "mbox" for each in planned)
    for name in ("in", "in/box"):
        found = lines_of(planned_of(f"memory://bucket/{name}"), tmp_path / "out")
        expected = lines_of_one(tmp_path / name)
        assert found == [line.replace(str(tmp_path), "memory://bucket") for line in expected]


def test_parts_below_a_url(memory: Any) -> None:
    path = CORPORA / "sample.eml"
    [planned] = planned_of(path, shard_size=1 << 20)
    parts = prepared("memory://bucket/out")
    assert (read_into(planned, parts, "jsonl").urls, read_into(planned, parts, "jsonl").skipped) == (9, True)
    name = part_name(planned, "jsonl")
    assert memory.find("/bucket/out") == [f"/bucket/out/{name}"]
    assert parts.sizes() == {name: memory.size(f"/bucket/out/{name}")}
    assert decompress(memory.cat(f"/bucket/out/{name}")).decode().splitlines() == lines_of_one(path)


def test_an_object_that_has_changed_is_not_read(memory: Any, tmp_path: Path) -> None:
    memory.pipe("/bucket/text", b"http://a.example/\n")
    [planned] = planned_of("memory://bucket/text")
    memory.pipe("/bucket/text", b"http://b.example/\n")
    parts = parts_in(str(tmp_path))
    with pytest.raises(ChangedError, match="memory://bucket/text: has changed"):
        read_into(planned, parts, "jsonl")
    memory.rm("/bucket/text")
    with pytest.raises(ChangedError, match="is gone"):
        read_into(planned, parts, "jsonl")


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[str]:
    """Serve files by HTTP, without ranges of bytes."""
    pytest.importorskip("aiohttp")
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    # a reader that has seen enough closes the connection
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server_type = type("Server", (ThreadingHTTPServer,), {"handle_error": lambda *_: None})
    with server_type(("127.0.0.1", 0), partial(quiet, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_file_of_a_web_server_without_ranges_is_one_shard(pages: str, tmp_path: Path) -> None:
    """Its messages have their numbers; a page with links is no directory."""
    (tmp_path / "box").write_bytes(mailbox(12_000_000, each=6_000))
    (tmp_path / "page.html").write_text('<html><a href="http://a.example/">b</a> <a href="box">c</a>')
    planned = planned_of(f"{pages}/box")
    assert len(planned) == 1
    expected = [line.replace(str(tmp_path), pages) for line in lines_of_one(tmp_path / "box")]
    assert lines_of(planned, tmp_path / "out") == expected
    assert len(lines_of(planned_of(f"{pages}/page.html"), tmp_path / "out")) == 1


# commands


def plan_file(tmp_path: Path, *words: object) -> list[dict[str, Any]]:
    """Write the file ``plan``; return its shards."""
    status, plan, errors = outcome("shards", "--shard-size", "2k", *words, cwd=tmp_path)
    assert (status, errors) == (0, "")
    (tmp_path / "plan").write_text(plan)
    return [json.loads(line) for line in plan.splitlines()]


def union(folder: Path, plan: list[dict[str, Any]]) -> list[str]:
    return [line for shard in plan for line in lines_in(folder / f"part-{shard['id']}.jsonl.zst")]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "mail" / "box"
    path.parent.mkdir()
    path.write_bytes(mailbox(20_000, each=300))
    return path


def test_the_records_have_the_names_that_were_given(tmp_path: Path, box: Path) -> None:
    """Wherever the shard is read."""
    plan = plan_file(tmp_path, "mail/box", "mail")
    numbers = [word for number in range(1, len(plan) + 1) for word in ("--number", number)]
    done = run("shard", "--plan", tmp_path / "plan", "--out", tmp_path / "parts", *numbers, cwd="/")
    assert (done.returncode, done.stderr) == (0, b"")
    expected = [str(tmp_path / "parts" / f"part-{shard['id']}.jsonl.zst") for shard in plan]
    assert done.stdout.decode().splitlines() == expected
    assert union(tmp_path / "parts", plan) == records_of_one("mail/box", "mail", cwd=tmp_path)


MAKEFILE = r"""
IDS := $(shell sed 's/.*"id":"\([0-9a-f]*\)".*/\1/' plan)
all: $(IDS:%=parts/part-%.jsonl.zst)
parts/part-%.jsonl.zst:
\turlextract shard --plan plan --out parts --id $*
""".replace(r"\t", "\t")


@pytest.mark.slow
@pytest.mark.parametrize("program", ["xargs", "make"])
def test_programs_read_a_plan(program: str, tmp_path: Path, box: Path) -> None:
    script = tmp_path / "bin" / "urlextract"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m urlextract "$@"\n')
    script.chmod(0o755)
    environment = {**ENVIRONMENT, "PATH": f"{script.parent}{os.pathsep}{os.environ['PATH']}"}
    plan = plan_file(tmp_path, "mail")
    (tmp_path / "Makefile").write_text(MAKEFILE)
    seq = "seq $(wc -l < plan) | xargs -P 3 -n 1 urlextract shard --plan plan --out parts --number"
    for count in (len(plan), 0):  # the second time, make has nothing to do
        words = ["make", "-j", "2"] if program == "make" else ["sh", "-c", seq]
        how = {"cwd": tmp_path, "env": environment, "timeout": LIMIT, "capture_output": True}
        printed = subprocess.run(words, check=True, **how).stdout
        assert program != "make" or printed.count(b"urlextract shard") == count
    assert union(tmp_path / "parts", plan) == records_of_one("mail", cwd=tmp_path)


def test_ids_come_from_standard_input(tmp_path: Path, box: Path) -> None:
    plan = plan_file(tmp_path, "mail")
    ids = "".join(f"{shard['id']}\n" for shard in plan)
    one = ("--plan", "-", plan[0]["id"])
    for words, data, count in (
        (("--plan", "plan", "--id", "-"), ids, len(plan)),
        (one, (tmp_path / "plan").read_bytes(), 1),
    ):
        done = run("shard", "--out", "parts", *words, data=data, cwd=tmp_path)
        assert (done.returncode, len(done.stdout.splitlines())) == (0, count)


@pytest.mark.parametrize("layer", ["gz", "zst"])
@pytest.mark.parametrize("form", ["whole", "cut short", "damaged", "junk"])
def test_a_compressed_file_is_one_shard(layer: str, form: str, tmp_path: Path) -> None:
    """Also a web archive with a member for each record; the damage is that of one process."""
    name = f"pages.warc.{layer}"
    records = re.split(rb"(?=WARC/1\.0\r\n)", web_archive(random.Random(1), 60))[1:]
    data = b"".join(map({"gz": gzip.compress, "zst": compress}[layer], records))
    (tmp_path / name).write_bytes({
        "whole": data,
        "cut short": data[:-20],
        "damaged": data[: len(data) // 2] + b"\0\1\2" * 9 + data[len(data) // 2 + 27 :],
        "junk": data + b"junk",
    }[form])  # fmt: skip
    assert len(plan_file(tmp_path, name)) == 1
    status, names, errors = outcome("shard", "--plan", "plan", "--number", 1, "--out", "parts", cwd=tmp_path)
    one = run("-j", name, cwd=tmp_path)
    assert (status, errors) == (one.returncode, one.stderr.decode())
    assert (status, errors.count("\n")) == ((0, 0) if form == "whole" else (2, 1))
    assert lines_in(tmp_path / names.strip()) == one.stdout.decode().splitlines()


MISTAKES = [
    (("shards",), "name a file, a directory or a URL to be read"),
    (("shards", "none"), "none: No such file or directory"),
    (("shards", "-"), "-: standard input cannot be read in shards"),
    (("shards", "pipe"), "pipe: is no regular file, and cannot be read in shards"),
    (("shards", "empty"), "empty: no message in this directory"),
    (("shards", "--shard-size", "1", "text"), "--shard-size: 1 is less than 1024"),
    (("shards", "what://x/y"), "what://x/y: Protocol not known: what"),
    (("shard", "--plan", "plan", "--out", "o"), "name shards by --id or --number"),
    (("shard", "--plan", "plan", "--out", "o", "--number", "9"), "plan: has no line 9"),
    (("shard", "--plan", "plan", "--out", "o", "--id", "abc"), "plan: has no shard abc"),
    (("shard", "--plan", "plan", "--out", "http://a.example/", "--number", "1"),
     "http://a.example/: http and https can be read only"),
    (("shard", "--plan", "plan", "--out", "text", "--number", "1"), "text: File exists"),
    (("cluster", "text"), "--out is missing"),
    (("cluster", "--out", "o", "--plan", "plan", "text"), "--plan: cannot be used with sources"),
    (("cluster", "--out", "o", "--plan", "plan", "--emails"),
     "--emails: cannot be used with --plan, which has its own"),
    (("cluster", "--out", "o", "--workers", "1", "--scheduler", "x", "text"),
     "--workers: cannot be used with --scheduler"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), MISTAKES, ids=[" ".join(words)[:60] for words, _ in MISTAKES])
def test_a_mistake_is_one_line(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("http://a.example/\n")
    plan_file(tmp_path, "text")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    status, output, errors = outcome(*words, cwd=tmp_path)
    assert (status, output) == (2, "")
    assert errors.replace(f"{tmp_path}/", "") == f"urlextract: {message}\n"


def test_parts_in_a_directory_that_is_read_are_refused(tmp_path: Path, box: Path) -> None:
    (tmp_path / "mail" / "text").touch()
    plan = plan_file(tmp_path, "mail")
    for words in (("shard", "--plan", "plan", "--number", len(plan)), ("cluster", "mail")):
        status, _, errors = outcome(*words, "--out", "mail/parts", cwd=tmp_path)
        expected = f"{tmp_path}/mail/parts: the parts would be in a directory that is read: {tmp_path}/mail"
        assert (status, errors) == (2, f"urlextract: {expected}\n")


@pytest.mark.parametrize(("missing", "words", "message"), [
    ("fsspec", "shards s3://bucket/x", "needs fsspec: pip install 'urlextract-mail[cluster]'"),
    ("s3fs", "shards s3://bucket/x", "to access S3: pip install 'urlextract-mail[cluster]'"),
    ("gcsfs", "shards gs://bucket/x", "gs://bucket/x: Please install gcsfs to access Google Storage"),
    ("distributed", "cluster --scheduler tcp://127.0.0.1:1 --out o text",
     "cluster --scheduler needs distributed: pip install 'urlextract-mail[cluster]'"),
    ("pyarrow", "cluster --to parquet --out o text", "pip install 'urlextract-mail[parquet]'"),
    ("pyarrow", "index links.db --from parts", "pip install 'urlextract-mail[parquet]'"),
])  # fmt: skip
def test_without_an_extra_a_line_says_how_to_install_it(
    missing: str, words: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "text").touch()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part.parquet").write_bytes(b"PAR1")
    environment = with_module(tmp_path, missing, f"raise ImportError(\"No module named '{missing}'\")\n")
    status, output, errors = outcome(*words.split(), cwd=tmp_path, env=environment)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert message in errors
    assert list(tmp_path.glob("o/*")) == []


LOADED = """
import sys
sys.argv = ["urlextract", "-j", "-J", "2", "text"]
import urlextract.__main__ as program
def check(*arguments):
    unwanted = ("urlextract.cluster", "fsspec", "distributed", "pyarrow", "asyncio", "ssl")
    print([name for name in sys.modules if name.startswith(unwanted)], file=sys.stderr, flush=True)
    leave(*arguments)
sys.exit, leave = check, sys.exit
program.main()
"""


def test_the_plain_command_loads_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("http://a.example/\n\n" * 60_000)
    how = {"cwd": tmp_path, "env": ENVIRONMENT, "capture_output": True, "timeout": LIMIT}
    done = subprocess.run([sys.executable, "-c", LOADED], check=False, **how)
    assert done.stderr == b"[]\n"
    assert done.stdout.count(b"\n") == 60_000


# a cluster of processes


def cluster(*words: object, **how: Any) -> tuple[int, str, str]:
    """Run ``urlextract cluster``; return its status, output and errors."""
    return outcome("cluster", "--workers", 2, "--shard-size", "2k", *words, **how)


def test_a_cluster_of_two_workers_has_the_records_of_one_process(tmp_path: Path) -> None:
    words = ("cluster", "--workers", 2, "--shard-size", "20k", "--out", "parts", CORPORA)
    status, output, errors = outcome(*words, cwd=tmp_path)
    assert (status, errors) == (0, "")
    count = len(listed(tmp_path / "parts"))
    assert output.startswith(f"{count} shards done, 0 skipped, 0 failed; ")
    assert count > 10
    assert records_of(tmp_path / "parts") == lines_of_one(CORPORA)


@pytest.mark.slow
def test_a_cluster_reads_all_shards_and_skips_those_that_are_done(tmp_path: Path, box: Path) -> None:
    plan = plan_file(tmp_path, "mail")
    found = records_of_one("mail", cwd=tmp_path)
    messages = len({json.loads(line)["message"] for line in found})
    status, output, errors = cluster("--out", "parts", "mail", cwd=tmp_path)
    expected = f"{len(plan)} shards done, 0 skipped, 0 failed; {messages} messages, {len(found)} URLs\n"
    assert (status, output.splitlines(keepends=True)[0], errors) == (0, expected, "")
    speed = r"[\d,.]+ s, [\d,.]+ MB/s; slowest: ([0-9a-f]{20}) \([\d.]+ s\)(?:, [0-9a-f]{20} \([\d.]+ s\)){2}"
    assert (match := re.fullmatch(speed, output.splitlines()[1]))
    assert match[1] in {shard["id"] for shard in plan}
    assert union(tmp_path / "parts", plan) == found
    assert len(list((tmp_path / "parts").iterdir())) == len(plan) + 1  # the manifest
    (tmp_path / "parts" / f"part-{plan[0]['id']}.jsonl.zst").unlink()
    status, output, errors = cluster("--out", "parts", "mail", cwd=tmp_path)
    assert output.startswith(f"1 shard done, {len(plan) - 1} skipped, 0 failed; ")


@pytest.fixture
def poisoned(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which reading some shards fails, by their names."""
    return with_reader(
        tmp_path,
        "name = os.path.basename(shard.source)\n"
        '    if name == "raises": raise RuntimeError("a fault\\nof two lines")\n'
        '    if name == "dies": os.kill(os.getpid(), signal.SIGKILL)\n',
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "error"), [
    ("raises", "RuntimeError: a fault of two lines"),
    ("dies", "the worker that read it has died, each time"),
])  # fmt: skip
def test_a_shard_that_always_fails_is_named_and_all_others_are_read(
    name: str, error: str, tmp_path: Path, box: Path, poisoned: dict[str, str]
) -> None:
    (tmp_path / name).write_text("http://a.example/\n")
    plan = plan_file(tmp_path, "mail/box", name)
    options = ("--out", "parts", "--retries", 1)
    status, output, errors = cluster(*options, name, "mail/box", cwd=tmp_path, env=poisoned)
    assert status == 2
    assert output.startswith(f"{len(plan) - 1} shards done, 0 skipped, 1 failed; ")
    assert errors.splitlines() == [
        f"urlextract: shard {plan[-1]['id']}: {error}",
        f"urlextract: {tmp_path}/parts: 1 part missing, and so manifest.json is not written",
    ]
    failures = (tmp_path / "parts" / "failures.jsonl").read_text()
    assert json.loads(failures) == {**plan[-1], "error": error}
    found = records_of_one("mail/box", cwd=tmp_path)
    assert union(tmp_path / "parts", plan[:-1]) == found
    # the file of failures is a plan
    status, output, errors = cluster_of_plan("parts/failures.jsonl", cwd=tmp_path)
    assert status == 0
    assert output.startswith("1 shard done, 0 skipped, 0 failed; 0 messages, 1 URL\n")
    assert not (tmp_path / "parts" / "failures.jsonl").exists()
    in_order = (plan[-1], *plan[:-1])  # as the sources were named
    assert listed(tmp_path / "parts") == [f"part-{shard['id']}.jsonl.zst" for shard in in_order]


def cluster_of_plan(plan: str, **how: Any) -> tuple[int, str, str]:
    return outcome("cluster", "--workers", 1, "--out", "parts", "--plan", plan, **how)


@pytest.mark.slow
def test_source_that_has_changed_is_told_once(tmp_path: Path, box: Path) -> None:
    """Not for each of its shards; all of these are in the list of failures. Damage is told beside it."""
    (tmp_path / "box.gz").write_bytes(gzip.compress(mailbox(20_000, each=300), 1)[:-500])
    plan = plan_file(tmp_path, "box.gz", "mail/box")
    size = box.stat().st_size
    with box.open("ab") as stream:
        stream.write(b"\n")
    status, output, errors = cluster_of_plan("plan", cwd=tmp_path)
    lost = len(plan) - 1
    assert (status, output.partition("; ")[0]) == (2, f"1 shard done, 0 skipped, {lost} failed")
    incomplete, damage, told = sorted(errors.splitlines())
    words = f"{lost} parts missing, and so manifest.json is not written"
    assert incomplete == f"urlextract: {tmp_path}/parts: {words}"
    assert damage.startswith("urlextract: box.gz, byte ")
    words = f"has changed since the plan was made: it has {size + 1} bytes, and had {size}"
    assert told == f"urlextract: mail/box: {words}"
    failures = (tmp_path / "parts" / "failures.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in failures] == [shard["id"] for shard in plan[1:]]


@pytest.mark.slow
def test_a_shard_that_fails_is_tried_again(tmp_path: Path, box: Path) -> None:
    """Whether its process dies, as the first time here, or an exception is raised, as twice after that."""
    fails = (
        'number = len(os.listdir("tries")); open(f"tries/{number}", "x").close()\n'
        "    if number == 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        '    if number < 3: raise OSError("down")'
    )
    environment = with_reader(tmp_path, fails)
    for retries, failed in ((1, 1), (2, 0)):
        (tmp_path / "tries").mkdir()
        words = ("cluster", "--workers", 1, "--retries", retries, "--out", f"parts{retries}", "mail")
        status, output, errors = outcome(*words, cwd=tmp_path, env=environment)
        assert f"{1 - failed} shard" in output
        assert f" 0 skipped, {failed} failed; " in output
        assert (status, ": down\n" in errors) == (2 * failed, bool(failed))
        (tmp_path / "tries").rename(tmp_path / f"tries{retries}")
    assert records_of(tmp_path / "parts2") == records_of_one("mail", cwd=tmp_path)


class FakeClient(Executor):
    """A client, which is also its own executor: tasks end with this error, or are cancelled if it is None."""

    status = "running"

    def __init__(self, error: Exception | None, *, is_closed: bool = False) -> None:
        self.error, self.is_closed = error, is_closed

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def get_executor(self, **how: object) -> FakeClient:
        self.how = how
        return self

    def submit(self, *_: object, **__: object) -> Future[Any]:  # type: ignore[override]
        if self.is_closed and self.error:
            raise self.error
        future: Future[Any] = Future()
        if self.error:
            future.set_exception(self.error)
        else:
            future.cancel()
            future.set_running_or_notify_cancel()
        return future

    def read(self, planned: list[PlannedShard], tell: Callable[[str], None], **how: Any) -> Any:
        """Read shards by a cluster with this client; return the summary and the failures."""
        return read_all(self, ClusterOptions("out", **how), planned, Report(tell, print, print))


@pytest.mark.parametrize("is_closed", [True, False])
def test_scheduler_that_is_lost_at_any_call_is_one_clear_error(is_closed: bool) -> None:
    """What Dask raises where it has closed the client, and does with futures."""
    errors = pytest.importorskip("distributed.client")
    client = FakeClient(errors.ClosedClientError() if is_closed else None, is_closed=is_closed)
    with pytest.raises(UrlExtractError, match="the connection to the scheduler is lost: run again to go on"):
        client.read(planned_of(CORPORA / "sample.eml"), print)


@pytest.mark.parametrize("retries", [0, 3])
def test_tries_are_counted_by_the_scheduler(retries: int) -> None:
    [planned] = planned_of(CORPORA / "sample.eml", shard_size=1 << 20)
    told: list[str] = []
    client = FakeClient(type("KilledWorker", (Exception,), {})())
    summary, failures = client.read([planned], told.append, retries=retries)
    words = "the worker that read it has died, each time"
    assert (summary.failed, failures, client.how["retries"]) == (1, [replace(planned, error=words)], retries)
    assert told == [f"shard {planned.id}: {words}"]
