"""Public inboxes, in both layouts, as git and public-inbox make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from inboxes import DELETED, MESSAGES, URLS, Repository, mail, plant_v1, plant_v2, plant_v2_in_two_epochs
from realtools import extract, need, pick, run, surroundings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])
@pytest.mark.parametrize("plant", [plant_v2, plant_v2_in_two_epochs, plant_v1])
def test_inbox_made_by_git_yields_each_mail_once(
    plant: Callable[[Path], list[Repository]], is_packed: bool, tmp_path: Path
) -> None:
    """The oldest commit first, deleted mails too."""
    for repository in plant(tmp_path / "inbox"):
        if is_packed:
            repository.git("gc", "--quiet", "--prune=now")
    assert pick(extract(tmp_path / "inbox"), "message_id", "url") == URLS


@pytest.mark.parametrize("version", [1, 2])
def test_inbox_made_by_public_inbox_yields_only_mails(version: int, tmp_path: Path) -> None:
    """Its indexes are not read."""
    inbox = tmp_path / "inbox"
    environment = surroundings(
        tmp_path, PI_CONFIG=str(tmp_path / "config"), ORIGINAL_RECIPIENT="list@example.org"
    )

    def public_inbox(verb: str, *arguments: str, data: bytes = b"") -> None:
        program = need("public-inbox", f"public-inbox-{verb}")
        run(program, *arguments, data=data, cwd=tmp_path, env=environment)

    (tmp_path / "config").write_text("[publicinboxmda]\n\tspamcheck = none\n")
    where = ("harbour", str(inbox), "http://list.example.org/harbour", "list@example.org")
    public_inbox("init", f"-V{version}", "-L", "basic", *where)
    for message_id in MESSAGES:
        public_inbox("mda", "--no-precheck", data=mail(message_id))
    public_inbox("learn", "rm", data=mail(DELETED))
    assert pick(extract(inbox), "message_id", "url") == URLS
