"""Mail as real delivery agents write and pipe it: maildrop, and procmail with the README's recipe."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from indexes import rows
from realtools import README, extract, need, pick, read_records, run, surroundings, write_script

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MESSAGES = (
    b"""\
From: Ada <ada@cs.example.edu>
To: harbour@example.org
Subject: the tables
Message-ID: <one@cs.example.edu>
Date: Mon, 14 Nov 1994 09:12:44 +0000

They are at <URL:http://www.example.org/harbour/
tables/1996/north.html> now, said
From http://from.example.org/tides they can be had, too.

From here on, see ftp://ftp.example.org/pub/tides/.
""",
    b"""\
From: Ben <ben@cs.example.edu>
Subject: =?iso-8859-1?q?Gr=FC=DFe?=
Message-ID: <two@cs.example.edu>
List-Archive: <http://lists.example.org/tides>
MIME-Version: 1.0
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe, and look at http://www.example.org/?q=3Da&=
r=3Db.
""",
    b"""\
From: Cilla <cilla@cs.example.edu>
Subject: no line end, and none needed
Message-ID: <three@cs.example.edu>
MIME-Version: 1.0
Content-Type: text/plain
Content-Transfer-Encoding: base64

R29waGVyOiBnb3BoZXI6Ly9nb3BoZXIuZXhhbXBsZS5lZHUvMTEvdGlkZXMK""",
)
URLS = (
    ("<one@cs.example.edu>", "http://www.example.org/harbour/tables/1996/north.html"),
    ("<one@cs.example.edu>", "http://from.example.org/tides"),
    ("<one@cs.example.edu>", "ftp://ftp.example.org/pub/tides/"),
    ("<two@cs.example.edu>", "http://lists.example.org/tides"),
    ("<two@cs.example.edu>", "http://www.example.org/?q=a&r=b"),
    ("<three@cs.example.edu>", "gopher://gopher.example.edu/11/tides"),
)


def by_maildrop(home: Path, box: str) -> None:
    """Deliver our messages with maildrop, to a Maildir if the box ends in "/"."""
    maildrop = need("maildrop", "maildrop")
    if box.endswith("/"):
        run(need("maildrop", "maildirmake.maildrop"), home / box)
    recipe = home / "mailfilter"
    recipe.write_text(f'to "{home / box}"\n')
    recipe.chmod(0o600)  # it takes no other
    for message in MESSAGES:
        run(maildrop, recipe, data=message, cwd=home, env=surroundings(home))


def by_procmail(home: Path, box: str) -> None:
    """Deliver our messages with procmail, to a Maildir if the box ends in "/"."""
    for message in MESSAGES:
        procmail(home, message, f":0:\n{box}\n" if box == "mbox" else f":0\n{box}\n")


def procmail(home: Path, message: bytes, recipes: str) -> None:
    """Run procmail on one message with some recipes; undelivered mail goes to the file "rest"."""
    deliver(home, message, write_recipes(home, recipes))


def write_recipes(home: Path, recipes: str) -> Path:
    """Write the settings of procmail with some recipes."""
    environment = surroundings(home)
    settings = {"HOME": home, "MAILDIR": home, "DEFAULT": home / "rest", "LOGFILE": home / "log"}
    settings |= {"PATH": environment["PATH"], "SHELL": "/bin/sh"}
    lines = [f"{name}={value}" for name, value in settings.items()]
    recipe = home / "procmailrc"
    recipe.write_text("\n".join((*lines, recipes)))
    return recipe


def deliver(home: Path, message: bytes, recipe: Path) -> None:
    """Run procmail on one message."""
    program = need("procmail", "procmail")
    # -m: ignore the mailbox of the system; -f: write a postmark, as a mail server does
    command = (program, "-p", "-m", "-f", "ada@cs.example.edu", recipe)
    run(*command, data=message, cwd=home, env=surroundings(home))


AGENTS = pytest.mark.parametrize("deliver", [by_maildrop, by_procmail])


@AGENTS
def test_delivered_mbox_has_all_urls_in_order(deliver: Callable[[Path, str], None], tmp_path: Path) -> None:
    """Lines that begin with "From " are quoted there."""
    deliver(tmp_path, "mbox")
    box = tmp_path / "mbox"
    assert b"\n>From here on" in box.read_bytes()
    records = extract(box)
    assert pick(records, "message_id", "url") == list(URLS)
    assert [record["message"] for record in records] == [1, 1, 1, 2, 2, 3]


@AGENTS
def test_delivered_maildir_has_all_urls_of_each_message(
    deliver: Callable[[Path, str], None], tmp_path: Path
) -> None:
    """File names need not sort in the order of delivery."""
    deliver(tmp_path, "box/")
    assert len(list((tmp_path / "box" / "new").iterdir())) == len(MESSAGES)
    records = extract(tmp_path / "box")
    for message_id in dict(URLS):
        found = [record["url"] for record in records if record["message_id"] == message_id]
        assert found == [url for of, url in URLS if of == message_id]
    assert len(records) == len(URLS)
    assert {record["message"] for record in records} == {1}


def readme_recipe() -> str:
    """Return the recipe of the README that indexes each mail."""
    recipe = re.search(r"^procmail, [^\n]*: index[^\n]*\n```text\n(.*?)```", README, re.MULTILINE | re.DOTALL)
    assert recipe
    return recipe[1]


def recording_recipe() -> str:
    """Return a recipe with the line of the README that records the URLs of each mail."""
    line = re.search(r"^procmail, [^\n]*record its URLs with `([^`]+)`", README, re.MULTILINE)
    assert line
    return f":0 cW:\n{line[1]}\n"


def test_recipe_of_the_readme_indexes_each_message_once(tmp_path: Path) -> None:
    """Mail that comes at the same time, too, and mail that comes twice."""
    recipe = write_recipes(tmp_path, f"LOCKSLEEP=1\n{readme_recipe()}")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda message: deliver(tmp_path, message, recipe), [*MESSAGES, *MESSAGES]))
    found = rows(tmp_path / "links.db", "SELECT message_id, url FROM links")
    assert sorted(found) == sorted(URLS)
    assert sorted(pick(extract(tmp_path / "rest"), "message_id", "url")) == sorted([*URLS, *URLS])
    assert not (tmp_path / "links.db.lock").exists()
    log = (tmp_path / "log").read_text()
    assert "lockfile" not in log
    assert "rror" not in log


def test_recipe_of_the_readme_records_the_urls_and_delivers(tmp_path: Path) -> None:
    """Each message is delivered as usual."""
    for message in MESSAGES:
        procmail(tmp_path, message, recording_recipe())
    records = read_records((tmp_path / "urls.jsonl").read_bytes())
    assert pick(records, "message_id", "url") == list(URLS)
    assert {record["source"] for record in records} == {"-"}
    assert pick(extract(tmp_path / "rest"), "message_id", "url") == list(URLS)


def test_recipe_of_the_readme_delivers_a_message_without_a_url(tmp_path: Path) -> None:
    """Although the exit status of the program is 1."""
    procmail(tmp_path, b"Subject: nothing\n\nhere\n", recording_recipe())
    assert (tmp_path / "urls.jsonl").read_bytes() == b""
    assert b"Subject: nothing" in (tmp_path / "rest").read_bytes()


def test_recipe_of_the_readme_lets_one_program_write_at_a_time(tmp_path: Path) -> None:
    """Mail that comes at the same time waits for the lock, which is then gone."""
    write_script(tmp_path / "bin" / "urlextract", "echo begin", "sleep 0.4", "echo end")
    recipe = write_recipes(tmp_path, f"LOCKSLEEP=1\n{recording_recipe()}")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda message: deliver(tmp_path, message, recipe), MESSAGES))
    assert (tmp_path / "urls.jsonl").read_text().split() == ["begin", "end"] * 3
    assert not (tmp_path / "urls.jsonl.lock").exists()
    assert "rror" not in (tmp_path / "log").read_text()
