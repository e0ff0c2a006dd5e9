"""The manifest of a cluster's parts: whoever goes by it has each record of the sources once."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from clusters import listed, records_of, records_of_one, with_module
from commands import outcome, run
from test_jobs import mailbox

from urlextract.cluster.manifest import ListedPart, Manifest, read_manifest
from urlextract.cluster.plans import plan_sources
from urlextract.errors import SourceError

pytest.importorskip("distributed")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A mailbox, a text, and a Maildir of many mails, in ``in``."""
    folder = tmp_path / "in"
    (folder / "mail" / "cur").mkdir(parents=True)
    (folder / "mail" / "new").mkdir()
    (folder / "box").write_bytes(mailbox(8_000, each=300))
    (folder / "text").write_text("see http://a.example/x or\n\n" * 100)
    for number in range(300):
        add_mail(folder, number)
    return folder


def add_mail(folder: Path, number: int) -> None:
    mail = f"Subject: {number}\n\nhttp://a.example/{number}\n"
    (folder / "mail" / "cur" / f"17000{number:05}.M1P2.host:2,S").write_text(mail)


def cluster(cwd: Path, *words: object, sources: tuple[str, ...] = ("in",)) -> tuple[Any, ...]:
    """Run a cluster of one worker; return its status, the number of parts that it has read, and errors."""
    how = ("cluster", "--workers", 1, "--out", "out", *(("--shard-size", "4k") if sources else ()))
    status, output, errors = outcome(*how, *words, *sources, cwd=cwd)
    return status, int(output.split()[0]) if output else None, errors.replace(f"{cwd}/", "")


def parts_there(out: Path) -> set[str]:
    return {path.name for path in out.iterdir() if path.name.startswith("part-")}


def changed(folder: Path, name: str) -> None:
    """Change the sources in the way that has this name."""
    mail = folder / "mail" / "cur" / "1700000150.M1P2.host:2,S"
    match name:
        case "changed":
            (folder / "box").write_bytes(mailbox(8_000, each=300, seed=1))
        case "appended":
            with (folder / "box").open("ab") as stream:
                stream.write(b"\nFrom a Mon Nov 14 09:12:31 1994\nSubject: x\n\nhttp://appended.example/\n")
        case "one mail more":
            mail.with_name("1700000150.M7P2.host:2,").write_text("Subject: n\n\nhttp://n.example/\n")
        case "one mail less":
            mail.unlink()
        case "one mail read":
            mail.rename(mail.with_name("1700000150.M1P2.host:2,RS"))
        case "one file gone":
            (folder / "text").unlink()


CHANGES = ["changed", "appended", "one mail more", "one mail less", "one mail read", "one file gone"]


def planned(cwd: Path) -> list[str]:
    """Write the file ``plan``; return its lines."""
    plan = run("shards", "--shard-size", "4k", "in", cwd=cwd).stdout.decode()
    (cwd / "plan").write_text(plan)
    return plan.splitlines()


def shards_of_the_plan(cwd: Path, count: int) -> tuple[int, str, str]:
    """Read each shard of the plan, as xargs and Slurm do."""
    numbers = [word for number in range(1, count + 1) for word in ("--number", number)]
    return outcome("shard", "--plan", "plan", "--out", "out", *numbers, cwd=cwd)


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_manifest_names_the_records_of_one_process_after_a_change(
    change: str, tree: Path, tmp_path: Path
) -> None:
    """In the order of one process. What is left of the first run is told, and removed with --prune."""
    out = tmp_path / "out"
    assert cluster(tmp_path) == (0, len(parts_there(out)), "")
    assert records_of(out) == records_of_one("in", cwd=tmp_path)
    before = parts_there(out)
    changed(tree, change)
    status, done, errors = cluster(tmp_path)
    gone = len(before - set(listed(out)))
    assert (status, done) == (0, len(set(listed(out)) - before))
    parts = f"{gone} part{'s' if gone != 1 else ''}"
    assert errors == (f"urlextract: out: {parts} of earlier runs there, too: see --prune\n" if gone else "")
    assert records_of(out) == records_of_one("in", cwd=tmp_path)
    if "mail" in change:
        assert gone + done <= 4  # of some 15: a shard, or two where one begins or ends with it
    assert before <= parts_there(out)
    assert cluster(tmp_path, "--prune") == (0, 0, "")
    assert parts_there(out) == set(listed(out))
    assert records_of(out) == records_of_one("in", cwd=tmp_path)


@pytest.mark.parametrize("size", [3_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_one_mail_more_changes_one_shard_of_a_large_maildir(size: int, tmp_path: Path) -> None:
    """The shards after it stay as they are, whatever limits them."""
    folder = tmp_path / "in"
    (folder / "mail" / "cur").mkdir(parents=True)
    (folder / "mail" / "new").mkdir()
    for number in range(0, 6_000, 2):
        add_mail(folder, number)

    def ids() -> set[str]:
        planned = plan_sources([str(folder)], "auto", {}, shard_size=size, on_damage=pytest.fail)
        return {each.id for each in planned}

    before = ids()
    assert len(before) > 10
    for number in range(1, 100, 10):
        add_mail(folder, number)
        after = ids()
        assert 1 <= len(after - before) <= 3
        before = after


@pytest.mark.slow
def test_index_has_the_parts_of_the_manifest_alone(tree: Path, tmp_path: Path) -> None:
    """What was loaded of parts that others have replaced goes."""
    for change in ("", "changed", "one mail more", "one file gone"):
        changed(tree, change)
        assert cluster(tmp_path)[0] == 0
        status = int(change == "one file gone")  # 1: nothing is new
        assert outcome("index", "links.db", "--from", "out", cwd=tmp_path) == (status, "", "")
        with closing(sqlite3.connect(tmp_path / "links.db")) as index:
            urls = [url for (url,) in index.execute("SELECT url FROM links ORDER BY url")]
        assert urls == sorted(json.loads(line)["url"] for line in records_of_one("in", cwd=tmp_path))
    assert outcome("index", "links.db", "--from", "out", cwd=tmp_path) == (1, "", "")


@pytest.mark.slow
@pytest.mark.parametrize(("damaged", "content", "message"), [
    ("part", None, "1 part that it names is not there, or not whole: {}"),
    ("part", "x", "1 part that it names is not there, or not whole: {}"),
    ("manifest.json", "{}", "is no manifest of parts (version 1)"),
])  # fmt: skip
def test_index_of_parts_that_are_missing_is_told_in_one_line(
    damaged: str, content: str | None, message: str, tree: Path, tmp_path: Path
) -> None:
    assert cluster(tmp_path)[0] == 0
    name = listed(tmp_path / "out")[3]
    path = tmp_path / "out" / (name if damaged == "part" else damaged)
    path.unlink()
    if content is not None:
        path.write_text(content)
    told = f"urlextract: out/manifest.json: {message.format(name)}\n"
    assert outcome("index", "links.db", "--from", "out", cwd=tmp_path) == (2, "", told)


@pytest.mark.slow
def test_other_options_are_refused_unless_forced(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert cluster(tmp_path)[0] == 0
    before = records_of(out)
    refused = "urlextract: out: the parts there were made with other options ({}): name another directory, "
    refused += "or replace them with --force\n"
    others = ("--emails", "--scheme", "mailto")
    assert cluster(tmp_path, *others) == (2, None, refused.format("schemes, emails"))
    assert records_of(out) == before
    assert cluster(tmp_path, "--emails", "--force", "--prune")[0] == 0
    assert records_of(out) == records_of_one("--emails", "in", cwd=tmp_path)
    assert parts_there(out) == set(listed(out))
    assert cluster(tmp_path) == (2, None, refused.format("emails"))
    assert cluster(tmp_path, "--emails") == (0, 0, "")


@pytest.mark.slow
def test_run_that_is_not_complete_leaves_the_manifest(tree: Path, tmp_path: Path) -> None:
    """Of a plan, when a file has changed since; of sources, when one is missing."""
    out = tmp_path / "out"
    assert cluster(tmp_path)[0] == 0
    before = (out / "manifest.json").read_bytes()
    status, _, errors = cluster(tmp_path, "--prune", sources=("in", "none"))
    kept = "urlextract: out: {}, and so manifest.json is not written"
    missing = "urlextract: none: No such file or directory"
    assert (status, errors.splitlines()) == (2, [missing, kept.format("not all sources were read")])
    (tree / "text").write_text("http://b.example/\n")
    planned(tmp_path)
    (tree / "text").write_text("http://c.example/\n")
    status, _, errors = cluster(tmp_path, "--plan", "plan", "--prune", sources=())
    assert status == 2
    assert (out / "manifest.json").read_bytes() == before
    assert len((out / "failures.jsonl").read_bytes().splitlines()) == 1
    assert errors.splitlines()[-1] == kept.format("1 part missing")


@pytest.mark.slow
def test_list_of_failures_completes_the_run(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    plan = planned(tmp_path)
    (tree / "text").rename(tmp_path / "text")
    (tree / "box").rename(tmp_path / "box")
    status, done, _ = cluster(tmp_path, "--plan", "plan", sources=())
    assert status == 2
    assert not (out / "manifest.json").exists()
    (tmp_path / "text").rename(tree / "text")
    failures = (out / "failures.jsonl").read_bytes()
    assert len(failures.splitlines()) + done == len(plan)
    assert cluster(tmp_path, "--plan", "out/failures.jsonl", sources=())[0] == 2
    assert not (out / "manifest.json").exists()
    (tmp_path / "box").rename(tree / "box")
    assert cluster(tmp_path, "--plan", "out/failures.jsonl", sources=())[::2] == (0, "")
    assert records_of(out) == records_of_one("in", cwd=tmp_path)
    assert {path.name for path in out.iterdir()} == {"manifest.json", *listed(out)}
    # once more: the list says nothing of the other shards
    (tmp_path / "old").write_bytes(failures)
    told = "urlextract: out: not all sources were read, and so manifest.json is not written\n"
    assert cluster(tmp_path, "--plan", "old", sources=()) == (0, 0, told)
    assert records_of(out) == records_of_one("in", cwd=tmp_path)


@pytest.mark.slow
def test_shards_that_others_have_read_get_their_manifest_without_dask(tree: Path, tmp_path: Path) -> None:
    """After xargs or Slurm; no worker is started."""
    count = len(planned(tmp_path))
    assert shards_of_the_plan(tmp_path, count)[0] == 0
    environment = with_module(tmp_path, "distributed", "raise ImportError\n")
    words = ("cluster", "--plan", "plan", "--out", "out")
    status, output, errors = outcome(*words, cwd=tmp_path, env=environment)
    assert (status, errors) == (0, "")
    assert output.startswith(f"0 shards done, {count} skipped, 0 failed; ")
    assert records_of(tmp_path / "out") == records_of_one("in", cwd=tmp_path)


@pytest.mark.slow
def test_damage_is_told_by_each_run(tree: Path, tmp_path: Path) -> None:
    """Also by those that find the part of it, and until it is mended; its part has what could be read."""
    packed = gzip.compress(b"Subject: x\n\nhttp://a.example/\n" * 99, 0)
    (tree / "cut.gz").write_bytes(packed[:-20])
    told = f"urlextract: in/cut.gz, byte {len(packed) - 20}: gzip data is cut short\n"
    status, done, errors = cluster(tmp_path)
    assert (status, errors) == (2, told)
    assert records_of(tmp_path / "out") == records_of_one("in", cwd=tmp_path)
    assert cluster(tmp_path) == (2, 0, told)
    planned(tmp_path)
    assert cluster(tmp_path, "--plan", "plan", sources=()) == (2, 0, told)
    status, _, errors = shards_of_the_plan(tmp_path, done)
    assert (status, errors) == (2, told)
    (tree / "cut.gz").write_bytes(packed)
    assert cluster(tmp_path, "--prune") == (0, 1, "")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"manifest.json", *listed(tmp_path / "out")}


@pytest.mark.slow
def test_link_that_leads_nowhere_leaves_nothing_out(tree: Path, tmp_path: Path) -> None:
    """It is told if links are followed, but for its sake no run would be complete; not so if it was named."""
    (tree / "dangling").symlink_to("nowhere")
    told = "urlextract: in/dangling: No such file or directory\n"
    status, _, errors = cluster(tmp_path, "-L")
    assert (status, errors) == (2, told)
    assert records_of(tmp_path / "out") == records_of_one("in", cwd=tmp_path)
    status, _, errors = cluster(tmp_path, sources=("in", "in/dangling"))
    assert status == 2
    assert errors.endswith("out: not all sources were read, and so manifest.json is not written\n")


def test_plan_without_a_shard_is_none(tmp_path: Path) -> None:
    (tmp_path / "plan").write_text("")
    assert cluster(tmp_path, "--plan", "plan", sources=()) == (2, None, "urlextract: plan: has no shard\n")


def test_directory_is_tried_before_anything_is_read(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    assert cluster(tmp_path, sources=("none",)) == (2, None, "urlextract: out: File exists\n")


@pytest.mark.slow
def test_shell_reads_the_parts_by_the_manifest(tree: Path, tmp_path: Path) -> None:
    """As the manual says, with jq and zstd."""
    if not shutil.which("jq") or not shutil.which("zstd"):
        pytest.skip("no jq and zstd")
    for change in ("", "changed"):
        changed(tree, change)
        assert cluster(tmp_path)[0] == 0
    recipe = "jq -r '.parts[].name' manifest.json | xargs zstd -dcq"
    done = subprocess.run(["sh", "-c", recipe], cwd=tmp_path / "out", capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == records_of_one("in", cwd=tmp_path)


PART = ListedPart("part-0123456789abcdef0123.jsonl.zst", 7, "mail\udcff")


def test_manifest_is_ascii_and_reads_back() -> None:
    manifest = Manifest((PART, PART._replace(name=PART.name.replace("0", "f"))), "jsonl", {"emails": True})
    names = [part.name for part in manifest.parts]
    data = manifest.encoded()
    assert data.isascii()
    assert [part["name"] for part in json.loads(data)["parts"]] == names
    read = read_manifest(data, "x")
    assert read._replace(parts=()) == manifest._replace(parts=())
    assert [part[:2] for part in read.parts] == [part[:2] for part in manifest.parts]
    assert manifest.missing({PART.name: 7}) == names[1:]
    assert manifest.missing(dict.fromkeys(names, 8)) == names


@pytest.mark.parametrize(("old", "new"), [
    ('"name":"part-', '"name":"../part-'), ('"name":"part-', '"name":"/part-'),
    (":7,", ':"7",'), (":7,", ":true,"), ('"v": 1', '"v": 2'), ('"options": {}', '"options": 1'), ("}", ""),
    ('"parts": [', '"parts": [1,'), ('"parts": [', '"parts": [{"name": 1},'),
    ('"source"', '"sources"'), ('"program"', '"x"'), ('"size"', '"error":"","size"'),
    ('"parts": [', '"parts": ' + "[" * 100_000),
])  # fmt: skip
def test_what_is_no_manifest_is_refused(old: str, new: str) -> None:
    """Above all names that lead elsewhere, and a part that is named twice."""
    data = Manifest((PART,), "jsonl", {}).encoded()
    wrong = data.decode().replace(old, new).encode()
    assert wrong != data
    for each in (wrong, Manifest((PART, PART), "jsonl", {}).encoded()):
        with pytest.raises(SourceError, match="x: is no manifest of parts"):
            read_manifest(each, "x")
