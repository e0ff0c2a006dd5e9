"""A program in a terminal of its own, by tmux: what it shows, and keys that are pressed."""

from __future__ import annotations

import re
import shlex
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

from manual import plain
from realtools import README, ROOT, need, run, surroundings, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PAGE = (ROOT / "urlextract" / "share" / "man" / "man1" / "urlextract-pick.1").read_text("utf-8")
SECTION = README.partition("## In a mail reader")[2].partition("\n## ")[0]


class Screens(list["Screen"]):
    def open(self, command: Sequence[str], home: Path, **how: str) -> Screen:
        """Start a program in a terminal of its own."""
        self.append(Screen(command, home, **how))
        return self[-1]


@contextmanager
def closing_screens() -> Iterator[Screens]:
    """Yield a list of screens that are closed at the end."""
    screens = Screens()
    try:
        yield screens
    finally:
        for screen in screens:
            screen.close()


def readme_line(begin: str) -> str:
    """Return the code of the item of the README's section on mail readers that begins so."""
    line = re.search(rf"^- {re.escape(begin)}[^\n]*: `([^`]+)`$", SECTION, re.MULTILINE)
    assert line, begin
    return line[1]


def manual_block(begin: str) -> str:
    """Return the code after the paragraph of the manual page that begins so."""
    block = re.search(rf"^{re.escape(begin)}.*?^\.nf\n(.*?)^\.fi", PAGE, re.MULTILINE | re.DOTALL)
    assert block, begin
    return plain(block[1])


class Screen:
    """A program in a terminal of its own, which ends with it."""

    def __init__(
        self, command: Sequence[str], home: Path, *, size: str = "120x30", **environment: str
    ) -> None:
        self._tmux = (need("tmux", "tmux"), "-L", "urlextract", "-f", "/dev/null")
        self._home = home
        self._environment = surroundings(
            home, TMUX_TMPDIR=str(home), TERM="screen", SHELL="/bin/sh", **environment
        )
        columns, _, rows = size.partition("x")
        self.tmux("new-session", "-d", "-x", columns, "-y", rows, shlex.join(command))

    def tmux(self, *arguments: str) -> str:
        """Run a tmux command; return its output."""
        return run(*self._tmux, *arguments, cwd=self._home, env=self._environment).decode()

    @property
    def shown(self) -> str:
        return self.tmux("capture-pane", "-p")

    def wait_for(self, text: str) -> None:
        wait_until(lambda: text in self.shown, lambda: f"{text!r} on the screen:\n{self.shown}")

    def press(self, *keys: str, until: str = "") -> None:
        """Press keys, by tmux's names for them, and wait for a text."""
        self.tmux("send-keys", *keys)
        if until:
            self.wait_for(until)

    def type(self, text: str, until: str = "") -> None:
        """Type a line, and wait for a text."""
        self.tmux("send-keys", "-l", text)
        self.press("Enter", until=until)

    def close(self) -> None:
        """End the program, and tmux with it, which may have ended with the program."""
        command = [*self._tmux, "kill-server"]
        subprocess.run(command, cwd=self._home, env=self._environment, capture_output=True, check=False)
