"""Messages as real mutt and neomutt pipe them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from realtools import need, pick, read_records, wait_until
from screens import Screen, Screens, closing_screens

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
    "http://www.example.org/harbour/tables/north.html?year=1996", "http://www.example.org/abc/",
    "gopher://gopher.example.edu/11/tides",
]  # fmt: skip
SETTINGS = """\
set folder=. spoolfile=box record="" postponed=drafts history_file=history
set sort=mailbox-order wait_key=no quit=yes mark_old=no
"""
COMMAND = "urlextract -j > part; mv part found"  # the file "found" appears only when it is complete


@pytest.fixture(params=["mutt", "neomutt"])
def reader(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def screens() -> Iterator[Screens]:
    """Yield screens that are closed at the end."""
    with closing_screens() as opened:
        yield opened


def open_reader(screens: Screens, reader: str, home: Path, settings: str = "", **how: str) -> Screen:
    """Start a mail reader with our mailbox, and wait for its index."""
    (home / "box").write_bytes(MESSAGE)
    (home / "muttrc").write_text(SETTINGS + settings)
    command = (need(reader, reader), "-n", "-R", "-F", "muttrc", "-f", "box")
    screen = screens.open(command, home, **how)
    screen.wait_for("the tables of the harbour")
    return screen


def pipe_message(screen: Screen, found: Path) -> list[dict[str, object]]:
    screen.press("|", until="Pipe to command")
    screen.type(COMMAND)
    wait_until(found.exists, "what the program found")
    return read_records(found.read_bytes())


def test_piped_raw_message_has_all_urls(reader: str, screens: Screens, tmp_path: Path) -> None:
    """By default, the message is piped unchanged."""
    records = pipe_message(open_reader(screens, reader, tmp_path), tmp_path / "found")
    expected = [("<one@cs.example.edu>", url) for url in (IN_HEAD, *IN_BODY)]
    assert pick(records, "message_id", "url") == expected


def test_piped_decoded_message_has_the_urls_of_its_body(
    reader: str, screens: Screens, tmp_path: Path
) -> None:
    """With pipe_decode, the header is weeded and the parts are one text."""
    settings = "set pipe_decode=yes\nignore *\nunignore from subject date\n"
    records = pipe_message(open_reader(screens, reader, tmp_path, settings), tmp_path / "found")
    expected = [(None, url, "Ada <ada@cs.example.edu>") for url in IN_BODY]
    assert pick(records, "message_id", "url", "from") == expected
