"""Mail as real delivery agents write and pipe it: maildrop, and procmail with the manual's recipes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from indexes import rows
from realtools import extract, need, pick, read_records, run, surroundings, write_script
from screens import manual_block

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


def by_maildrop(home, box):
    """Deliver our messages with maildrop, to a Maildir if the box ends in "/"."""
    maildrop = need("maildrop", "maildrop")
    if box.endswith("/"):
        run(need("maildrop", "maildirmake.maildrop"), home / box)
    recipe = home / "mailfilter"
    recipe.write_text(f'to "{home / box}"\n')
    recipe.chmod(0o600)  # it takes no other
    for message in MESSAGES:
        run(maildrop, recipe, data=message, cwd=home, env=surroundings(home))


def by_procmail(home, box):
    """Deliver our messages with procmail, to a Maildir if the box ends in "/"."""
    recipe = write_recipes(home, f":0:\n{box}\n" if box == "mbox" else f":0\n{box}\n")
    for message in MESSAGES:
        deliver(home, message, recipe)


def write_recipes(home, recipes):
    """Write the settings of procmail with some recipes; undelivered mail goes to the file "rest"."""
    settings = {"HOME": home, "MAILDIR": home, "DEFAULT": home / "rest", "LOGFILE": home / "log"}
    settings |= {"PATH": surroundings(home)["PATH"], "SHELL": "/bin/sh"}
    lines = [f"{name}={value}" for name, value in settings.items()]
    recipe = home / "procmailrc"
    recipe.write_text("\n".join((*lines, recipes)))
    return recipe


def deliver(home, message, recipe):
    program = need("procmail", "procmail")
    # -m: ignore the mailbox of the system; -f: write a postmark, as a mail server does
    command = (program, "-p", "-m", "-f", "ada@cs.example.edu", recipe)
    run(*command, data=message, cwd=home, env=surroundings(home))


AGENTS = pytest.mark.parametrize("deliver", [by_maildrop, by_procmail])


@AGENTS
def test_delivered_mbox_has_all_urls_in_order(deliver, tmp_path):
    """Lines that begin with "From " are quoted there."""
    deliver(tmp_path, "mbox")
    box = tmp_path / "mbox"
    assert b"\n>From here on" in box.read_bytes()
    records = extract(box)
    assert pick(records, "message_id", "url") == list(URLS)
    assert [record["message"] for record in records] == [1, 1, 1, 2, 2, 3]


@AGENTS
def test_delivered_maildir_has_all_urls(deliver, tmp_path):
    """File names need not sort in the order of delivery."""
    deliver(tmp_path, "box/")
    assert len(list((tmp_path / "box" / "new").iterdir())) == len(MESSAGES)
    records = extract(tmp_path / "box")
    for message_id in dict(URLS):
        found = [record["url"] for record in records if record["message_id"] == message_id]
        assert found == [url for of, url in URLS if of == message_id]
    assert len(records) == len(URLS)
    assert {record["message"] for record in records} == {1}


def indexing_recipe():
    return manual_block("procmail, in .procmailrc")


def recording_recipe():
    return manual_block("procmail, to record")


def deliver_at_once(home, messages, recipes):
    """Run procmail on several messages at the same time, which lock each other."""
    recipe = write_recipes(home, f"LOCKSLEEP=1\n{recipes}")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda message: deliver(home, message, recipe), messages))
    assert not list(home.glob("*.lock"))
    assert "rror" not in (home / "log").read_text()


def test_recipe_of_the_readme_indexes_each_message_once(tmp_path):
    """Mail that comes at the same time, too, and mail that comes twice."""
    deliver_at_once(tmp_path, [*MESSAGES, *MESSAGES], indexing_recipe())
    found = rows(tmp_path / "links.db", "SELECT message_id, url FROM links")
    assert sorted(found) == sorted(URLS)
    assert sorted(pick(extract(tmp_path / "rest"), "message_id", "url")) == sorted([*URLS, *URLS])
    assert "lockfile" not in (tmp_path / "log").read_text()


def test_recipe_of_the_readme_records_the_urls_and_delivers(tmp_path):
    """Each message as usual, and one without a URL too, of which the exit status of the program is 1."""
    recipe = write_recipes(tmp_path, recording_recipe())
    for message in (*MESSAGES, b"Subject: nothing\n\nhere\n"):
        deliver(tmp_path, message, recipe)
    records = read_records((tmp_path / "urls.jsonl").read_bytes())
    assert pick(records, "message_id", "url") == list(URLS)
    assert {record["source"] for record in records} == {"-"}
    assert pick(extract(tmp_path / "rest"), "message_id", "url") == list(URLS)
    assert b"Subject: nothing" in (tmp_path / "rest").read_bytes()


def test_recipe_of_the_readme_lets_one_program_write_at_a_time(tmp_path):
    """Mail that comes at the same time waits for the lock, which is then gone."""
    write_script(tmp_path / "bin" / "urlextract", "echo begin", "sleep 0.4", "echo end")
    deliver_at_once(tmp_path, MESSAGES, recording_recipe())
    assert (tmp_path / "urls.jsonl").read_text().split() == ["begin", "end"] * 3
