"""A public inbox is read by ranges of its commits, on a cluster: its messages are those of one process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inboxes import Repository

from urlextract.cluster.plans import PlanError, plan_sources, shard_of_line
from urlextract.records import Item, RawMessage
from urlextract.run.shards import Shard, read_shard
from urlextract.sources.folders import git
from urlextract.sources.reading import read_source

pytest.importorskip("fsspec")


def mail(number: int) -> bytes:
    return f"From: a@b.example\nMessage-ID: <{number}@b.example>\n\nhttp://a.example/{number}\n".encode()


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "_TOGETHER", 4)


def read(items: list[Item]) -> list[tuple[int | None, str | None, bytes]]:
    return [
        (item.origin.message, item.origin.source, item.data) for item in items if isinstance(item, RawMessage)
    ]


def planned(path: Path) -> list[Shard]:
    """Return the shards of a plan, which its lines hold as a whole."""
    found = list(plan_sources([str(path)], "auto", {}, shard_size=1024, on_damage=pytest.fail))
    assert [shard_of_line(each.line()) for each in found] == found
    return [each.shard for each in found]


def check(path: Path) -> int:
    """The shards have the messages of one process; return how many there are."""
    shards = planned(path)
    found = [item for shard in shards for item in read_shard(shard, pytest.fail)]
    assert read(found) == read(list(read_source(path, on_damage=pytest.fail)))
    return len(shards)


def test_version_two_with_mails_that_come_again(tmp_path: Path) -> None:
    """A mail that was deleted has its blob again, and one of the first epoch is in the second, too."""
    first = Repository(tmp_path / "inbox" / "git" / "0.git")
    for number in range(10):
        first.commit({"m": mail(number)})
    first.commit({"d": mail(2)})
    first.commit({"m": mail(10)})
    second = Repository(tmp_path / "inbox" / "git" / "1.git")
    for number in (11, 3, 12, 13, 14, 15):
        second.commit({"m": mail(number)})
    assert check(tmp_path) == 5
    commits = [file.commits for shard in planned(tmp_path) for file in shard.files]
    assert [each.number for each in commits if each] == [0, 4, 8, 11, 14]
    assert [len(each.seen) for each in commits if each] == [0, 0, 1, 1, 0]
    # a new mail changes the last shard of its repository
    before = planned(tmp_path)
    second.commit({"m": mail(16)})
    assert [shard for shard in planned(tmp_path) if shard not in before] == planned(tmp_path)[-1:]
    assert check(tmp_path) == 5


def test_version_one(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "inbox.git")
    files = {}
    for number in range(9):
        files[f"{number:02x}/{number:038x}"] = mail(number)
        repository.commit(files)
    assert check(tmp_path) == 3
    assert check(tmp_path / "inbox.git") == 3


def test_a_small_inbox_is_one_shard(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "inbox.git")
    repository.commit({"m": mail(1)})
    assert check(tmp_path) == 1
    assert planned(tmp_path)[0].files[0].commits is None


def test_commits_with_two_parents_are_read_together(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "inbox.git")
    for number in range(6):
        repository.commit({"m": mail(number)})
    [tip] = repository._parent
    root = repository.git("rev-list", "--max-parents=0", tip)
    repository._parent = (root,)
    repository.commit({"m": mail(7)})
    repository._parent = (tip, *repository._parent)
    repository.commit({"m": mail(8)})
    assert check(tmp_path) == 1


def test_a_repository_in_which_a_mail_is_missing_is_read_together(tmp_path: Path) -> None:
    """Otherwise the numbers of those after it would be wrong."""
    repository = Repository(tmp_path / "inbox.git")
    for number in range(9):
        repository.commit({"m": mail(number)})
    blob = repository.git("hash-object", "--stdin", data=mail(2))
    (repository.path / "objects" / blob[:2] / blob[2:]).unlink()
    [shard] = planned(tmp_path)
    damage: list[str] = []
    found = read(list(read_shard(shard, lambda error: damage.append(str(error)))))
    assert [number for number, _, _ in found] == list(range(1, 9))
    assert [each.partition(": ")[2] for each in damage] == ["1 of the messages are missing in the repository"]


@pytest.mark.parametrize("commits", [
    ["--upload-pack=x", "0" * 40, 0, []], [None, "HEAD", 0, []], [None, "0" * 40, -1, []],
    [None, "0" * 40, 0, ["x"]], [None, "0" * 40], {"until": 1}, "0" * 40,
])  # fmt: skip
def test_a_plan_names_commits_and_nothing_else(commits: object, tmp_path: Path) -> None:
    """They are words of a command."""
    Repository(tmp_path / "inbox.git").commit({"m": mail(1)})
    [each] = plan_sources([str(tmp_path)], "auto", {}, shard_size=1024, on_damage=pytest.fail)
    content = json.loads(each.line())
    content["files"][0][3] = commits
    with pytest.raises(PlanError, match="no shard of a plan"):
        shard_of_line(json.dumps(content))
