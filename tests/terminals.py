"""Our program on a terminal of its own, from which its keys come; its input and output are pipes."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from realtools import LIMIT, ROOT


class OnTerminal:
    """``urlextract``, or another program, with a controlling terminal.

    Programs are found in ``home/bin``, and in what ``path`` adds to PATH. Another program has the terminal
    as its input and output, too.
    """

    def __init__(
        self, words: Sequence[str], data: bytes, home: Path, *, size: tuple[int, int] = (80, 24),
        path: str = "", program: Sequence[str] = (), **environment: str,
    ) -> None:  # fmt: skip
        self.master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.modes = termios.tcgetattr(self._slave)
        self.shown = b""
        stream = self._slave if program else subprocess.PIPE
        self.process = subprocess.Popen(
            [*(program or (sys.executable, "-m", "urlextract")), *words],
            stdin=stream, stdout=stream, stderr=stream, start_new_session=True, cwd=home,
            preexec_fn=self._take_terminal,  # noqa: PLW1509 - there are no threads
            env={"PATH": f"{home}/bin{path}", "HOME": str(home), "PYTHONPATH": str(ROOT), "TERM": "xterm",
                 "LC_ALL": "C.UTF-8", **environment},
        )  # fmt: skip
        if self.process.stdin:
            self.process.stdin.write(data)
            self.process.stdin.close()
            self.process.stdin = None

    def _take_terminal(self) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSCTTY, 0)

    @property
    def modes_now(self) -> list[object]:
        return termios.tcgetattr(self._slave)

    def read(self, seconds: float) -> bool:
        """Read what the terminal shows; return whether something came."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            self.shown += os.read(self.master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return False  # nobody has the terminal any more
        return True

    def wait_for(self, text: str) -> None:
        """Wait until the terminal shows a text, after the one that was waited for before."""
        deadline = time.monotonic() + LIMIT
        while text.encode() not in self.shown:
            if time.monotonic() > deadline or (self.process.poll() is not None and not self.read(0)):
                pytest.fail(f"waited in vain for {text!r}, {self.shown!r} {self.process.poll()}")
            self.read(0.1)

    def type(self, text: str) -> None:
        self.press(f"{text}\n".encode())

    def press(self, keys: bytes) -> None:
        """Press keys; what was shown before is forgotten."""
        self.shown = b""
        os.write(self.master, keys)

    def end(self) -> tuple[int, str, str]:
        """Wait for the end; return the exit status, the output and the error messages."""
        output, errors = self.process.communicate(timeout=LIMIT)
        while self.read(0):
            pass
        return self.process.returncode, output.decode(), errors.decode()

    def wait(self) -> int:
        """Wait for the end, and for all that is shown until then; return the exit status."""
        deadline = time.monotonic() + LIMIT
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read(0.1)
        os.close(self._slave)  # what was written before is read, then comes the end
        self._slave = -1
        while self.read(LIMIT):
            pass
        return self.process.wait(0)

    def close(self) -> None:
        """End the program, if it runs on, and close the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        for number in (self.master, self._slave):
            if number >= 0:
                os.close(number)
        self.master = self._slave = -1

    def hang_up(self) -> None:
        os.close(self._slave)
        os.close(self.master)
        self.master = self._slave = -1
