"""Messages as real mutt and neomutt pipe them, by hand and by the README's macro."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest
from realtools import README, need, pick, read_records, run, surroundings, wait_until, write_script

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MESSAGE = b"""\
From ada@cs.example.edu Mon Nov 14 09:12:44 1994
Return-Path: <ada@cs.example.edu>
From: Ada <ada@cs.example.edu>
To: harbour@example.org
Subject: the tables of the harbour
Message-ID: <one@cs.example.edu>
List-Archive: <http://lists.example.org/harbour>
Date: Mon, 14 Nov 1994 09:12:44 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=="

--==
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe!  They are at <URL:http://www.example.org/harbour/
tables/north.html?year=3D1996> now, or was it http://www.example.org/a=
bc/?

--==
Content-Type: text/plain
Content-Transfer-Encoding: base64

R29waGVyOiBnb3BoZXI6Ly9nb3BoZXIuZXhhbXBsZS5lZHUvMTEvdGlkZXMK
--==--

From ben@cs.example.edu Mon Nov 14 09:12:45 1994
From: Ben <ben@cs.example.edu>
Subject: another one
Message-ID: <two@cs.example.edu>

http://other.example.org/
"""
IN_HEAD = "http://lists.example.org/harbour"
IN_BODY = [
    "http://www.example.org/harbour/tables/north.html?year=1996",
    "http://www.example.org/abc/",
    "gopher://gopher.example.edu/11/tides",
]
SETTINGS = """\
set folder=. spoolfile=box record="" postponed=drafts history_file=history
set sort=mailbox-order wait_key=no quit=yes mark_old=no
"""
COMMAND = "urlextract -j > part; mv part found"  # the file "found" appears only when it is complete


class Screen:
    """A mail reader in a terminal of its own, with our mailbox."""

    def __init__(self, reader: str, home: Path, settings: str) -> None:
        self._tmux = (need("tmux", "tmux"), "-L", "urlextract", "-f", "/dev/null")
        self._home = home
        self._environment = surroundings(home, TMUX_TMPDIR=str(home), TERM="screen", SHELL="/bin/sh")
        (home / "box").write_bytes(MESSAGE)
        (home / "muttrc").write_text(SETTINGS + settings)
        program = shlex.join((need(reader, reader), "-n", "-R", "-F", "muttrc", "-f", "box"))
        self.tmux("new-session", "-d", "-x", "120", "-y", "30", program)

    def tmux(self, *arguments: str) -> str:
        """Run a tmux command; return its output."""
        return run(*self._tmux, *arguments, cwd=self._home, env=self._environment).decode()

    def wait_for(self, text: str) -> None:
        """Wait until a text is on the screen."""
        wait_until(lambda: text in self.tmux("capture-pane", "-p"), f"{text!r} on the screen")

    def press(self, key: str) -> None:
        """Press one key."""
        self.tmux("send-keys", key)

    def type(self, text: str) -> None:
        """Type a line."""
        self.tmux("send-keys", "-l", text)
        self.press("Enter")

    def close(self) -> None:
        """End the reader, and tmux with it."""
        self.tmux("kill-server")


@pytest.fixture(params=["mutt", "neomutt"])
def reader(request: pytest.FixtureRequest) -> str:
    """Return the name of a mail reader."""
    return request.param


@pytest.fixture
def screens() -> Iterator[list[Screen]]:
    """Yield a list; screens added to it are closed at the end."""
    opened: list[Screen] = []
    yield opened
    for screen in opened:
        screen.close()


def open_reader(screens: list[Screen], reader: str, home: Path, settings: str = "") -> Screen:
    """Start a mail reader, and wait for its index."""
    screens.append(Screen(reader, home, settings))
    screens[-1].wait_for("the tables of the harbour")
    return screens[-1]


def pipe_message(screen: Screen, found: Path) -> list[dict[str, object]]:
    """Pipe the message at the cursor to our program, and return what it found."""
    screen.press("|")
    screen.wait_for("Pipe to command")
    screen.type(COMMAND)
    wait_until(found.exists, "what the program found")
    return read_records(found.read_bytes())


def test_piped_raw_message_has_all_urls(reader: str, screens: list[Screen], tmp_path: Path) -> None:
    """By default, the message is piped unchanged."""
    records = pipe_message(open_reader(screens, reader, tmp_path), tmp_path / "found")
    expected = [("<one@cs.example.edu>", url) for url in (IN_HEAD, *IN_BODY)]
    assert pick(records, "message_id", "url") == expected


def test_piped_decoded_message_has_the_urls_of_its_body(
    reader: str, screens: list[Screen], tmp_path: Path
) -> None:
    """With pipe_decode, the header is weeded and the parts are one text."""
    settings = "set pipe_decode=yes\nignore *\nunignore from subject date\n"
    records = pipe_message(open_reader(screens, reader, tmp_path, settings), tmp_path / "found")
    assert pick(records, "message_id", "url", "from") == [
        (None, url, "Ada <ada@cs.example.edu>") for url in IN_BODY
    ]


def test_macro_of_the_readme_opens_the_chosen_url(reader: str, screens: list[Screen], tmp_path: Path) -> None:
    """It offers each URL once, and passes the chosen one as one word."""
    macro = re.search(r"^macro .*$", README, re.MULTILINE)
    assert macro
    write_script(tmp_path / "bin" / "fzf", r"tee offered | tr '\0' '\n' | sed -n 2p | tr '\n' '\0'")
    write_script(tmp_path / "bin" / "xdg-open", 'printf "%s\\n" "$#" "$@" > part; mv part opened')
    open_reader(screens, reader, tmp_path, macro[0] + "\n").press("C-b")
    opened = tmp_path / "opened"
    wait_until(opened.exists, "what was opened")
    assert opened.read_text().splitlines() == ["1", IN_BODY[0]]
    assert (tmp_path / "offered").read_text().split("\0") == [IN_HEAD, *IN_BODY, ""]
