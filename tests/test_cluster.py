"""Shards as values: plans, parts, and what a cluster of processes makes of them."""

from __future__ import annotations

import errno
import fcntl
import gzip
import io
import json
import math
import os
import random
import re
import subprocess
import sys
from concurrent.futures import CancelledError
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest
from commands import ENVIRONMENT, outcome, run
from hypothesis import given
from hypothesis import strategies as st
from inboxes import plant_v2_in_two_epochs
from realtools import LIMIT, ROOT
from test_jobs import mailbox, web_archive

from urlextract import extract_source
from urlextract.cluster.driver import Cluster, ClusterOptions, Report, read_all
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
from urlextract.cluster.tasks import part_name, read_into
from urlextract.errors import SourceError, UrlExtractError
from urlextract.output.jsonl import json_line
from urlextract.run.shards import Shard
from urlextract.run.stores import FilesAndObjects
from urlextract.sources.folders.tree import File, Stamp
from urlextract.sources.reading import SOURCE_FORMATS

if sys.version_info >= (3, 14):
    from compression.zstd import compress, decompress
else:
    from backports.zstd import compress, decompress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

CORPORA = ROOT / "corpora"


def planned_of(
    *sources: str | Path, shard_size: int = 2048, form: str = "auto", **options: Any
) -> list[PlannedShard]:
    return list(
        plan_sources(list(map(str, sources)), form, options, shard_size=shard_size, on_damage=pytest.fail)
    )


def lines_of(planned: Sequence[PlannedShard], out: Path | str) -> list[str]:
    """Read all shards into parts; return the lines of these, in the order of the plan."""
    parts = parts_in(str(out))
    parts.prepare()
    for each in planned:
        assert read_into(each, parts, "jsonl").failure is None
    return [line for each in planned for line in lines_in(Path(out) / part_name(each, "jsonl"))]


def lines_in(part: Path) -> list[str]:
    return decompress(part.read_bytes()).decode().splitlines()


def lines_of_one(*sources: str | Path, **options: Any) -> list[str]:
    """Return the records of one process."""
    found = (each for source in sources for each in extract_source(str(source), **options))
    return [json_line(each.to_dict()) for each in found]


# plans and parts


@pytest.mark.slow
@pytest.mark.parametrize("shard_size", [1024, 20_000])
def test_parts_of_the_corpora_are_the_records_of_one_process(shard_size: int, tmp_path: Path) -> None:
    """As a tree, and each file named."""
    files = sorted(str(path) for path in CORPORA.rglob("*") if path.is_file())
    planned = planned_of(CORPORA, shard_size=shard_size)
    assert len(planned) > 10
    assert lines_of(planned, tmp_path / "tree") == lines_of_one(CORPORA)
    readable = [path for path in files if extract_is_clean(path)]
    assert len(readable) > 80
    assert lines_of(planned_of(*readable, shard_size=shard_size), tmp_path / "named") == lines_of_one(
        *readable
    )


def extract_is_clean(path: str) -> bool:
    damage: list[object] = []
    list(extract_source(path, on_damage=damage.append))
    return not damage


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shard_size", [1024, 3_000, 50_000])
def test_parts_of_generated_sources_are_the_records_of_one_process(
    seed: int, shard_size: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    folder = tmp_path / "in"
    (folder / "mh").mkdir(parents=True)
    (folder / "box").write_bytes(mailbox(40_000, each=400, seed=seed))
    (folder / "box.gz").write_bytes(gzip.compress(mailbox(9_000, each=400, seed=seed + 1), 1))
    (folder / "pages.warc").write_bytes(web_archive(chance, 40))
    (folder / "text").write_text(
        "see http://a.example/x or\r\n\r\nwww.b.example, http://c.example/\ny\n\n" * 300
    )
    for number in range(1, 120):
        (folder / "mh" / str(number)).write_text(f"Subject: http://s.example/{number}\n\nhttp://b.example/\n")
    assert lines_of(planned_of(folder, shard_size=shard_size), tmp_path / "tree") == lines_of_one(folder)
    named = [folder / name for name in ("text", "box", "pages.warc", "box")]
    assert lines_of(planned_of(*named, shard_size=shard_size), tmp_path / "named") == lines_of_one(*named)


def packed(pieces: Iterable[bytes], layer: str) -> bytes:
    """Compress pieces, each as a member of its own."""
    pack = {"gz": lambda piece: gzip.compress(piece, 1), "zst": compress}[layer]
    return b"".join(map(pack, pieces))


@pytest.mark.parametrize("layer", ["gz", "zst"])
@pytest.mark.parametrize("form", ["whole", "cut short", "damaged", "junk"])
def test_a_compressed_file_is_one_shard(layer: str, form: str, tmp_path: Path) -> None:
    """Also a web archive with a member for each record; the damage is that of one process."""
    path = tmp_path / f"pages.warc.{layer}"
    records = re.split(rb"(?=WARC/1\.0\r\n)", web_archive(random.Random(1), 60))[1:]
    data = packed(records, layer)
    path.write_bytes({
        "whole": data,
        "cut short": data[:-20],
        "damaged": data[: len(data) // 2] + b"\0\1\2" * 9 + data[len(data) // 2 + 27 :],
        "junk": data + b"junk",
    }[form])  # fmt: skip
    [planned] = planned_of(path, shard_size=1024)
    parts = parts_in(str(tmp_path))
    parts.prepare()
    outcome = read_into(planned, parts, "jsonl")
    damage: list[SourceError] = []
    found = [json_line(each.to_dict()) for each in extract_source(str(path), on_damage=damage.append)]
    assert lines_in(tmp_path / part_name(planned, "jsonl")) == found
    assert list(outcome.damage) == list(map(str, damage))
    assert bool(damage) == (form != "whole")


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


@pytest.mark.parametrize("seed", range(5))
def test_shards_cover_each_source_without_overlap(seed: int, tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(mailbox(30_000, each=300, seed=seed))
    (tmp_path / "warc").write_bytes(web_archive(random.Random(seed), 40))
    (tmp_path / "text").write_text("http://a.example/\n\n" * 2_000)
    for name in ("box", "warc", "text"):
        shards = [each.shard for each in planned_of(tmp_path / name, shard_size=1500)]
        assert len(shards) > 5
        for one, other in pairwise(shards):
            assert one.until == (other.start if name == "text" else other.after)
        assert shards[0].after in {-1, (shards[0].start or 0) - 1}
        assert shards[-1].until == sys.maxsize
    files = [file.path for each in planned_of(tmp_path, CORPORA) for file in each.shard.files]
    assert len(files) == len(set(files))


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

    monkeypatch.setattr("urlextract.run.shards.open_file", Breaking)
    damage: list[SourceError] = []
    planned = plan_sources([str(path)], "auto", {}, shard_size=20_000, on_damage=damage.append)
    first = next(planned)
    assert first.shard.number == 0
    assert 20_000 < first.shard.until < 21_000
    is_broken = True
    [rest] = planned
    assert (rest.shard.after, rest.shard.until) == (first.shard.until, sys.maxsize)
    assert rest.shard.number > 10
    assert damage == []


def test_a_duration_ends_when_the_plan_is_made() -> None:
    [planned] = planned_of(CORPORA / "sample.eml", since="7d")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT.*\+00:00", planned.options["since"])


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=9)
NUMBERS = st.integers(0, sys.maxsize)
STAMPS = st.builds(Stamp, st.none() | NUMBERS, st.none() | st.integers() | NAMES)


def shard(*fields: Any, **others: Any) -> Shard:
    """Return a shard; by its type, Hypothesis would draw the fields that a line does not have."""
    return Shard(*fields, **others)


RANGES = st.builds(
    shard, NAMES, st.sampled_from(SOURCE_FORMATS), st.none() | NUMBERS, st.integers(-1, sys.maxsize),
    NUMBERS, NUMBERS,
    size=NUMBERS, place=st.tuples(NUMBERS, NUMBERS), at_head=st.booleans(), stamp=STAMPS,
)  # fmt: skip
FILES = st.builds(File, NAMES, st.booleans(), st.lists(NAMES).map(tuple), STAMPS)
FOLDERS = st.builds(
    shard,
    NAMES,
    st.sampled_from(SOURCE_FORMATS),
    files=st.lists(FILES, min_size=1).map(tuple),
    is_folder=st.just(True),
)


@given(st.data())
def test_a_shard_reads_back_from_its_line(data: st.DataObject) -> None:
    shard = data.draw(RANGES | FOLDERS)
    planned = PlannedShard(shard, data.draw(NAMES), {"emails": True}, data.draw(st.integers(0, 3)))
    assert shard_of_line(planned.line()) == planned
    assert planned.line().isascii()
    failed = replace(planned, error="x")
    assert shard_of_line(failed.line()) == failed
    assert failed.id == planned.id


@pytest.mark.parametrize("key", [
    "source", "url", "format", "start", "after", "until", "number", "place", "at_head", "stamp",
    "size", "copy", "options", "program", "fingerprint", "id", "v",
])  # fmt: skip
def test_each_key_of_a_line_is_part_of_its_id(key: str) -> None:
    [planned] = planned_of(CORPORA / "sample.eml")
    content = json.loads(planned.line())
    changed = {"options": {"emails": True}, "place": [1, 1], "stamp": [1, 2], "at_head": True}
    content[key] = changed.get(key, content[key] + 1 if isinstance(content[key], int) else "x")
    with pytest.raises(PlanError):
        shard_of_line(json.dumps(content))


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "null", "1", '{"v":1}', '{"v":2}', "[" * 10_000, '{"v":1,"id":1,"program":1}']
)
def test_what_is_no_shard_is_refused(line: str) -> None:
    with pytest.raises(PlanError):
        shard_of_line(line)


WRONG = [
    None, True, -1, -2, 1 << 63, -(10**30), 1.5, math.inf, "", "x", "\0", "\ud800", [], [1], [1, 2, 3],
    [-1, -1], [None, 0], [0, True], [0, 1 << 63], ["1", "2"], [[], []], {}, {"0": 1, "1": 2},
]  # fmt: skip
# Of these, the values that are right
RIGHT = {
    "source": ("", "x"), "url": ("", "x"), "path": ("", "x"), "is_mail": (True,),
    "repositories": ([], ["1", "2"]), "start": (None,), "after": (-1,), "until": (None,),
    "at_head": (True,), "stamp": ([None, 0], [0, 1 << 63]),
    "stamp of a file": ([None, 0], [0, 1 << 63]), "options": ({},),
}  # fmt: skip


def is_in(value: object, values: Iterable[object]) -> bool:
    return any(value == each and type(value) is type(each) for each in values)


def sealed(content: dict[str, Any], changed: str | None = None) -> str:
    """Return a line with the right id and, if these are changed, the right fingerprint of its options."""
    content = {key: value for key, value in content.items() if key != "id"}
    if changed in ("options", "program") and changed in content:
        content["fingerprint"] = _hash(_encoded([content.get("program"), content["options"]]), 16)
    return json.dumps({**content, "id": _hash(_encoded(content), 20)})


def damaged(content: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """Return the content of a line with another value for a key, or for a part of its first file."""
    places = {
        "path": slice(0, 1),
        "is_mail": slice(1, 2),
        "repositories": slice(2, 3),
    }
    content = json.loads(json.dumps(content))
    if key in places:
        content["files"][0][places[key]] = [value]
    elif key == "stamp of a file":
        content["files"][0][3:] = value if isinstance(value, list) else [value]
    else:
        content[key] = value
    return content


OF_RANGES = ["source", "url", "format", "start", "after", "until", "number", "place", "at_head",
             "stamp", "size", "copy", "options", "program", "fingerprint", "v"]  # fmt: skip
OF_FOLDERS = ["files", "path", "is_mail", "repositories", "stamp of a file"]


@pytest.mark.parametrize("key", OF_RANGES + OF_FOLDERS)
def test_a_line_with_a_wrong_value_is_refused(key: str, tmp_path: Path) -> None:
    """Whether its id is that of the damaged line, or of the whole one."""
    (tmp_path / "text").write_text("http://a.example/\n")
    [planned] = planned_of(tmp_path if key in OF_FOLDERS else tmp_path / "text")
    content = json.loads(planned.line())
    assert shard_of_line(sealed(content)) == planned
    for value in WRONG:
        changed = damaged(content, key, value)
        if is_in(value, RIGHT.get(key, ())):
            shard_of_line(sealed(changed, key))
        else:
            with pytest.raises(PlanError):
                shard_of_line(sealed(changed, key))
        if changed != content:
            with pytest.raises(PlanError):
                shard_of_line(json.dumps(changed))
    if key in content:
        del content[key]
        with pytest.raises(PlanError):
            shard_of_line(sealed(content, key))


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_damaged_line_is_refused(is_folder: bool, tmp_path: Path) -> None:
    """Cut anywhere, or with another character anywhere."""
    (tmp_path / "text").write_text("http://a.example/\n")
    [planned] = planned_of(tmp_path if is_folder else tmp_path / "text")
    line = planned.line()
    for end in range(len(line)):
        with pytest.raises(PlanError):
            shard_of_line(line[:end])
        other = line[:end] + chr(ord(line[end]) ^ 1) + line[end + 1 :]
        with pytest.raises(PlanError):
            shard_of_line(other)


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
    ('"place":[0,1]', '"place":[]'), ('"v":1', '"v":"\\ud800"'), ('"program":"', '"program":"\\ud800\\n'),
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
    parts = parts_in(str(tmp_path / "out"))
    parts.prepare()
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
    parts = parts_in(str(tmp_path / "out"))
    parts.prepare()
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
    parts = parts_in(str(tmp_path / "out"))
    parts.prepare()
    monkeypatch.setattr("urlextract.run.stores.open_file", denied)
    with pytest.raises(UrlExtractError, match=r"in/a: Permission denied"):
        read_into(whole, parts, "jsonl")
    assert list((tmp_path / "out").iterdir()) == []


def denied(path: str) -> BinaryIO:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


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
    words = ("cluster", "--workers", 1, "--out", "out", "text")
    status, output, errors = outcome(*words, cwd=tmp_path, env={**os.environ, name: value})
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("urlextract: Dask cannot use its settings (")


def test_a_part_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    [planned] = planned_of(CORPORA / "sample.eml", shard_size=1 << 20)
    parts = parts_in(str(tmp_path))
    assert (read_into(planned, parts, "jsonl").urls, read_into(planned, parts, "jsonl").skipped) == (9, True)
    (part,) = tmp_path.iterdir()
    part.write_bytes(b"mine")
    assert read_into(planned, parts, "jsonl").skipped
    assert part.read_bytes() == b"mine"
    assert part.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_drafts_of_the_dead_are_swept_and_those_of_the_living_stay(tmp_path: Path) -> None:
    dead, living, other = (
        tmp_path / f".part-1.jsonl.zst.{'a' * 12}",
        tmp_path / f".part-2.jsonl.zst.{'b' * 12}",
        tmp_path / ".other",
    )
    for path in (dead, living, other):
        path.touch()
    with living.open("r+b") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        parts_in(str(tmp_path)).prepare()
        assert set(tmp_path.iterdir()) == {living, other}
    parts_in(str(tmp_path)).prepare()
    assert set(tmp_path.iterdir()) == {other}


def test_a_part_that_is_being_written_is_not_swept(tmp_path: Path) -> None:
    parts = parts_in(str(tmp_path))
    with parts.writing("part-1.jsonl.zst") as stream:
        stream.write(b"a")
        parts_in(str(tmp_path)).prepare()
        assert len(list(tmp_path.iterdir())) == 1
        assert not parts.has("part-1.jsonl.zst")
    assert (tmp_path / "part-1.jsonl.zst").read_bytes() == b"a"


# other file systems, by URL


@pytest.fixture
def memory() -> Iterator[Any]:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def plant(folder: Path) -> None:
    """A tree with a Maildir, a folder of MH, a mailbox that is cut, dot files and binary files."""
    for name, text in (
        ("box", mailbox(9_000, each=300)),
        ("text", b"http://a.example/\n"),
        (".hidden", b"http://hidden.example/\n"),
        ("binary", b"\0http://binary.example/\n"),
        ("mh/10", b"Odd\n\nhttp://ten.example/\n"),
        ("mh/9", b"Subject: x\n\nhttp://nine.example/\n"),
        ("maildir/cur/1:2,S", b"Subject: x\n\nhttp://cur.example/\n"),
        ("maildir/new/2", b"Subject: y\n\nhttp://new.example/\n"),
        ("maildir/.sent/cur/3", b"Subject: z\n\nhttp://sent.example/\n"),
        ("maildir/.sent/new/4", b"Subject: z\n\nhttp://four.example/\n"),
        ("maildir/stray", b"http://stray.example/\n"),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def test_objects_below_a_url_are_read_as_a_tree(memory: Any, tmp_path: Path) -> None:
    plant(tmp_path / "in")
    memory.put(str(tmp_path / "in"), "/bucket/in", recursive=True)
    planned = planned_of("memory://bucket/in")
    assert any(each.shard.format == "mbox" for each in planned)
    found = lines_of(planned, tmp_path / "out")
    assert found == [
        line.replace(str(tmp_path / "in"), "memory://bucket/in") for line in lines_of_one(tmp_path / "in")
    ]
    one = [line.replace(str(tmp_path), "memory://bucket") for line in lines_of_one(tmp_path / "in" / "box")]
    assert lines_of(planned_of("memory://bucket/in/box"), tmp_path / "out") == one


def test_parts_below_a_url(memory: Any) -> None:
    [planned] = planned_of(CORPORA / "sample.eml", shard_size=1 << 20)
    parts = parts_in("memory://bucket/out")
    parts.prepare()
    assert (read_into(planned, parts, "jsonl").urls, read_into(planned, parts, "jsonl").skipped) == (9, True)
    name = part_name(planned, "jsonl")
    assert memory.find("/bucket/out") == [f"/bucket/out/{name}"]
    assert parts.sizes() == {name: memory.size(f"/bucket/out/{name}")}
    assert decompress(memory.cat(f"/bucket/out/{name}")).decode().splitlines() == lines_of_one(
        CORPORA / "sample.eml"
    )


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

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:  # a reader that has seen enough closes the connection
            pass

    with Server(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
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


@pytest.fixture
def surrounded(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which `urlextract` is a command."""
    script = tmp_path / "bin" / "urlextract"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m urlextract "$@"\n')
    script.chmod(0o755)
    return {**ENVIRONMENT, "PATH": f"{script.parent}{os.pathsep}{os.environ['PATH']}"}


def test_the_records_have_the_names_that_were_given(tmp_path: Path, box: Path) -> None:
    """Wherever the shard is read."""
    plan = plan_file(tmp_path, "mail/box", "mail")
    numbers = [word for number in range(1, len(plan) + 1) for word in ("--number", number)]
    done = run("shard", "--plan", tmp_path / "plan", "--out", tmp_path / "parts", *numbers, cwd="/")
    assert (done.returncode, done.stderr) == (0, b"")
    expected = [str(tmp_path / "parts" / f"part-{shard['id']}.jsonl.zst") for shard in plan]
    assert done.stdout.decode().splitlines() == expected
    assert (
        union(tmp_path / "parts", plan)
        == run("-j", "mail/box", "mail", cwd=tmp_path).stdout.decode().splitlines()
    )


@pytest.mark.slow
def test_xargs_reads_a_plan(tmp_path: Path, box: Path, surrounded: dict[str, str]) -> None:
    plan = plan_file(tmp_path, "mail")
    words = "seq $(wc -l < plan) | xargs -P 3 -n 1 urlextract shard --plan plan --out parts --number"
    subprocess.run(
        ["sh", "-c", words],
        cwd=tmp_path,
        env=surrounded,
        check=True,
        timeout=LIMIT,
        stdout=subprocess.DEVNULL,
    )
    assert union(tmp_path / "parts", plan) == run("-j", "mail", cwd=tmp_path).stdout.decode().splitlines()


@pytest.mark.slow
def test_make_reads_a_plan(tmp_path: Path, box: Path, surrounded: dict[str, str]) -> None:
    plan = plan_file(tmp_path, "mail")
    (tmp_path / "Makefile").write_text(
        'IDS := $(shell sed \'s/.*"id":"\\([0-9a-f]*\\)".*/\\1/\' plan)\n'
        "all: $(IDS:%=parts/part-%.jsonl.zst)\n"
        "parts/part-%.jsonl.zst:\n"
        "\turlextract shard --plan plan --out parts --id $*\n"
    )
    for expected in (len(plan), 0):
        done = subprocess.run(
            ["make", "-j", "2"], cwd=tmp_path, env=surrounded, check=True, timeout=LIMIT, capture_output=True
        )
        assert done.stdout.decode().count("urlextract shard") == expected
    assert union(tmp_path / "parts", plan) == run("-j", "mail", cwd=tmp_path).stdout.decode().splitlines()


def test_ids_come_from_standard_input(tmp_path: Path, box: Path) -> None:
    plan = plan_file(tmp_path, "mail")
    ids = "".join(f"{shard['id']}\n" for shard in plan)
    done = run("shard", "--plan", "plan", "--out", "parts", "--id", "-", data=ids, cwd=tmp_path)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, len(plan))
    done = run(
        "shard",
        "--plan",
        "-",
        "--out",
        "parts",
        plan[0]["id"],
        data=(tmp_path / "plan").read_bytes(),
        cwd=tmp_path,
    )
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)


def test_damage_is_reported_once_and_the_part_is_whole(tmp_path: Path) -> None:
    (tmp_path / "box.gz").write_bytes(gzip.compress(mailbox(20_000, each=300), 1)[:-500])
    plan_file(tmp_path, "box.gz")
    status, names, errors = outcome("shard", "--plan", "plan", "--number", 1, "--out", "parts", cwd=tmp_path)
    one = run("-j", "box.gz", cwd=tmp_path)
    assert (status, one.returncode) == (2, 2)
    assert errors == one.stderr.decode()
    assert errors.count("\n") == 1
    assert lines_in(tmp_path / names.strip()) == one.stdout.decode().splitlines()


MISTAKES = [
    (("shards",), "name a file, a directory or a URL to be read"),
    (("shards", "none"), "none: No such file or directory"),
    (("shards", "-"), "-: standard input cannot be read in shards"),
    (("shards", "pipe"), "pipe: is no regular file, and cannot be read in shards"),
    (("shards", "empty"), "empty: no message in this directory"),
    (("shards", "--shard-size", "1", "text"), "--shard-size: 1 is less than 1024"),
    (("shards", "--shard-size", "xM", "text"), "--shard-size: 'xM' is not a number"),
    (("shards", "--since", "x", "text"),
     "--since: 'x' is neither a date such as 2024-01-31 nor a time such as 7d"),
    (("shards", "what://x/y"), "what://x/y: Protocol not known: what"),
    (("shard", "--out", "o", "--number", "1"), "--plan is missing"),
    (("shard", "--plan", "plan", "--number", "1"), "--out is missing"),
    (("shard", "--plan", "plan", "--out", "o"), "name shards by --id or --number"),
    (("shard", "--plan", "none", "--out", "o", "--number", "1"), "none: No such file or directory"),
    (("shard", "--plan", "plan", "--out", "o", "--number", "9"), "plan: has no line 9"),
    (("shard", "--plan", "plan", "--out", "o", "--id", "abc"), "plan: has no shard abc"),
    (("shard", "--plan", "text", "--out", "o", "--number", "1"), "text, line 1: no shard of a plan"),
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
    ("fsspec", ("shards", "s3://bucket/x"), "needs fsspec: pip install 'urlextract-mail[cluster]'"),
    ("s3fs", ("shards", "s3://bucket/x"), "to access S3: pip install 'urlextract-mail[cluster]'"),
    ("gcsfs", ("shards", "gs://bucket/x"), "gs://bucket/x: Please install gcsfs to access Google Storage"),
    ("distributed", ("cluster", "--out", "o", "text"), "pip install 'urlextract-mail[cluster]'"),
    ("cryptography", ("cluster", "--workers", "2", "--out", "o", "text"),
     "needs cryptography, to keep other users out: pip install 'urlextract-mail[cluster]'"),
    ("pyarrow", ("cluster", "--to", "parquet", "--out", "o", "text"),
     "pip install 'urlextract-mail[parquet]'"),
    ("pyarrow", ("index", "links.db", "--from", "parts"), "pip install 'urlextract-mail[parquet]'"),
])  # fmt: skip
def test_without_an_extra_a_line_says_how_to_install_it(
    missing: str, words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "text").touch()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part.parquet").write_bytes(b"PAR1")
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / f"{missing}.py").write_text(f"raise ImportError(\"No module named '{missing}'\")\n")
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{tmp_path / 'path'}{os.pathsep}{ROOT}"}
    status, output, errors = outcome(*words, cwd=tmp_path, env=environment)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert message in errors
    assert list(tmp_path.glob("o/*")) == []


def test_the_plain_command_loads_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("http://a.example/\n\n" * 60_000)
    script = (
        "import sys, atexit, os; sys.argv = ['urlextract', '-j', '-J', '2', 'text']; "
        "import urlextract.__main__ as program\n"
        "def check(*_):\n"
        "    loaded = [name for name in sys.modules if name.startswith(('urlextract.cluster', 'fsspec', "
        "'distributed', 'pyarrow', 'asyncio', 'ssl'))]\n"
        "    print(loaded, file=sys.stderr, flush=True)\n"
        "sys.exit, leave = (lambda *a: (check(), leave(*a))), sys.exit\n"
        "program.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.stderr == b"[]\n"
    assert done.stdout.count(b"\n") == 60_000


# a cluster of processes


def cluster(*words: object, **how: Any) -> tuple[int, str, str]:
    """Run ``urlextract cluster``; return its status, output and errors."""
    pytest.importorskip("distributed")
    return outcome("cluster", "--workers", 2, "--shard-size", "2k", *words, **how)


def test_a_cluster_of_two_workers_has_the_records_of_one_process(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    words = ("cluster", "--workers", 2, "--shard-size", "20k", "--out", "parts", CORPORA)
    status, output, errors = outcome(*words, cwd=tmp_path)
    assert (status, errors) == (0, "")
    listed = json.loads((tmp_path / "parts" / "manifest.json").read_bytes())["parts"]
    assert output.startswith(f"{len(listed)} shards done, 0 skipped, 0 failed; ")
    assert len(listed) > 10
    found = [line for part in listed for line in lines_in(tmp_path / "parts" / part["name"])]
    assert found == lines_of_one(CORPORA)


@pytest.mark.slow
def test_a_cluster_reads_all_shards_and_skips_those_that_are_done(tmp_path: Path, box: Path) -> None:
    plan = plan_file(tmp_path, "mail")
    found = run("-j", "mail", cwd=tmp_path).stdout.decode().splitlines()
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
    box.write_bytes(mailbox(20_000, each=300, seed=5))
    status, output, errors = cluster("--out", "parts", "mail", cwd=tmp_path)
    assert (status, errors) == (
        0,
        f"urlextract: {tmp_path}/parts: {len(plan)} parts of earlier runs there, too: see --prune\n",
    )


POISON = """
import os, signal, sys, time
import urlextract.cluster.tasks as tasks

original = tasks.read_shard

def read_shard(shard, *arguments, **how):
    if shard.source.endswith("raises"):
        raise RuntimeError("a fault\\nof two lines")
    if shard.source.endswith("dies"):
        os.kill(os.getpid(), signal.SIGKILL)
    if shard.source.endswith("sleeps"):
        time.sleep(1000)
    return original(shard, *arguments, **how)

if "urlextract" not in sys.argv[0]:
    tasks.read_shard = read_shard
"""


@pytest.fixture
def poisoned(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which reading some shards fails, by their names."""
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "sitecustomize.py").write_text(POISON)
    return {**ENVIRONMENT, "PYTHONPATH": f"{tmp_path / 'path'}{os.pathsep}{ROOT}"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "error"), [
    ("raises", "RuntimeError: a fault of two lines"),
    ("dies", "the worker that read it has died, each time"),
    ("sleeps", "not done in 6 seconds"),
])  # fmt: skip
def test_a_shard_that_always_fails_is_named_and_all_others_are_read(
    name: str, error: str, tmp_path: Path, box: Path, poisoned: dict[str, str]
) -> None:
    (tmp_path / name).write_text("http://a.example/\n")
    plan = plan_file(tmp_path, "mail/box", name)
    options = ("--out", "parts", "--retries", 1, "--shard-timeout", 6 if "6" in error else 60)
    status, output, errors = cluster(
        *options, name, "mail/box", cwd=tmp_path, env=poisoned, timeout=4 * LIMIT
    )
    assert status == 2
    assert output.startswith(f"{len(plan) - 1} shards done, 0 skipped, 1 failed; ")
    assert errors.splitlines() == [
        f"urlextract: shard {plan[-1]['id']}: {error}",
        f"urlextract: {tmp_path}/parts: 1 part missing, and so manifest.json is not written",
    ]
    failures = (tmp_path / "parts" / "failures.jsonl").read_text()
    assert json.loads(failures) == {**plan[-1], "error": error}
    found = run("-j", "mail/box", cwd=tmp_path).stdout.decode().splitlines()
    assert union(tmp_path / "parts", plan[:-1]) == found
    # the file of failures is a plan
    status, output, errors = cluster_of_plan("parts/failures.jsonl", cwd=tmp_path)
    assert status == 0
    assert output.startswith("1 shard done, 0 skipped, 0 failed; 0 messages, 1 URL\n")
    assert not (tmp_path / "parts" / "failures.jsonl").exists()
    listed = json.loads((tmp_path / "parts" / "manifest.json").read_bytes())["parts"]
    in_order = (plan[-1], *plan[:-1])  # as the sources were named
    assert [part["name"] for part in listed] == [f"part-{shard['id']}.jsonl.zst" for shard in in_order]


def cluster_of_plan(plan: str, **how: Any) -> tuple[int, str, str]:
    return outcome("cluster", "--workers", 1, "--out", "parts", "--plan", plan, **how)


@pytest.mark.slow
def test_damage_and_change_are_reported_by_a_cluster(tmp_path: Path, box: Path) -> None:
    (tmp_path / "box.gz").write_bytes(gzip.compress(mailbox(20_000, each=300), 1)[:-500])
    (tmp_path / "text").write_text("http://a.example/\n")
    plan = plan_file(tmp_path, "box.gz", "mail", "text")
    (tmp_path / "text").write_text("http://b.example/\n\n")
    pytest.importorskip("distributed")
    status, output, errors = cluster_of_plan("plan", cwd=tmp_path)
    assert status == 2
    assert f"{len(plan) - 1} shards done, 0 skipped, 1 failed; " in output
    incomplete, damage, failure = sorted(errors.splitlines())
    assert incomplete == f"urlextract: {tmp_path}/parts: 1 part missing, and so manifest.json is not written"
    assert damage.startswith("urlextract: box.gz, byte ")
    assert failure == "urlextract: text: has changed since the plan was made: it has 19 bytes, and had 18"


@pytest.mark.slow
def test_source_that_has_changed_is_told_once(tmp_path: Path, box: Path) -> None:
    """Not for each of its shards; all of these are in the list of failures."""
    plan = plan_file(tmp_path, "mail/box")
    box.write_bytes(mailbox(20_000, each=300, seed=1) + b"\n")
    pytest.importorskip("distributed")
    status, _, errors = cluster_of_plan("plan", cwd=tmp_path)
    told, incomplete = errors.splitlines()
    assert status == 2
    assert told.startswith("urlextract: mail/box: has changed since the plan was made: it has ")
    assert incomplete.endswith(f"{len(plan)} parts missing, and so manifest.json is not written")
    failures = (tmp_path / "parts" / "failures.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in failures] == [shard["id"] for shard in plan]


def cluster_of(client: object, **how: Any) -> Cluster:
    """Return a cluster with this client."""
    cluster = Cluster(ClusterOptions("out", **how), print)
    cluster._client = client
    return cluster


class LostClient:
    """A client whose scheduler goes away before the result of a finished task is fetched."""

    status = "running"

    def nthreads(self) -> dict[str, int]:
        """One worker with one thread."""
        return {"worker": 1}

    def submit(self, *_: object, **__: object) -> LostClient:
        """The future is the client itself."""
        return self

    def add_done_callback(self, put: Callable[[object], None]) -> None:
        """It is finished at once."""
        self.status = "finished"
        put(self)

    def result(self) -> None:
        """What Dask raises for a future whose scheduler is gone."""
        raise CancelledError("scheduler-connection-lost")


class ClosedClient(LostClient):
    """A client that Dask has closed because its scheduler is gone."""

    def submit(self, *_: object, **__: object) -> LostClient:
        """Raise what Dask raises then."""
        from distributed.client import ClosedClientError

        raise ClosedClientError("Client is closed.")


@pytest.mark.parametrize("client", [LostClient, ClosedClient])
def test_scheduler_that_is_lost_at_any_call_is_one_clear_error(client: type[LostClient]) -> None:
    planned = planned_of(CORPORA / "sample.eml")
    report = Report(tell=print, notice=print, advance=print)
    with pytest.raises(UrlExtractError, match="the connection to the scheduler is lost: run again to go on"):
        read_all(cluster_of(client()), planned, report)


class DeadlyClient(LostClient):
    """A client of a scheduler that has tried a shard, each time on a worker that has died."""

    key = "shard"

    def __init__(self) -> None:
        self.submitted: list[int] = []

    def submit(self, *_: object, retries: int, **__: object) -> DeadlyClient:
        """The future is the client itself."""
        self.submitted.append(retries)
        return self

    def add_done_callback(self, put: Callable[[object], None]) -> None:
        """It has failed."""
        self.status = "error"
        put(self)

    def exception(self) -> Exception:
        """What Dask says of it."""
        killed: type[Exception] = type("KilledWorker", (Exception,), {})
        return killed()

    def release(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize("retries", [0, 3])
def test_tries_are_counted_by_the_scheduler(retries: int) -> None:
    [planned] = planned_of(CORPORA / "sample.eml", shard_size=1 << 20)
    told: list[str] = []
    client = DeadlyClient()
    report = Report(tell=told.append, notice=print, advance=print)
    summary, failures = read_all(cluster_of(client, retries=retries), [planned], report)
    words = "the worker that read it has died, each time"
    assert (summary.failed, failures, client.submitted) == (1, [replace(planned, error=words)], [retries])
    assert told == [f"shard {planned.id}: {words}"]


class SlowClient(DeadlyClient):
    """A client of a cluster whose workers have no nannies, in which a task does not end."""

    cluster = None

    def add_done_callback(self, put: Callable[[object], None]) -> None:
        """It does not end."""

    def processing(self) -> dict[str, list[str]]:
        """The worker reads it."""
        return {"worker": [self.key]}

    def cancel(self, *_: object, **__: object) -> None:
        """What is asked for is done."""

    def restart_workers(self, *_: object, **__: object) -> None:
        """What Dask raises."""
        raise ValueError("Restarting workers requires a nanny to be used.")


def test_shard_that_takes_too_long_is_given_up_where_workers_have_no_nannies() -> None:
    [planned] = planned_of(CORPORA / "sample.eml", shard_size=1 << 20)
    told: list[str] = []
    report = Report(tell=told.append, notice=told.append, advance=print)
    cluster = cluster_of(SlowClient(), retries=0, shard_timeout=0.001)
    _, failures = read_all(cluster, [planned], report)
    assert [each.error for each in failures] == ["not done in 0.001 seconds"]
    assert told == [
        "a shard takes too long, and its worker has no nanny to restart it",
        f"shard {planned.id}: not done in 0.001 seconds",
    ]
