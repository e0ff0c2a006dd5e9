"""The terminal of the user: where keys come from, also if standard input is a message from a pipe.

Lines are read as the terminal edits them, so it is never in another mode, and there is nothing to put
right if the program is killed. A program that left the terminal without echo or line editing before it
started this one gets it back so.
"""

from __future__ import annotations

import locale
import os
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

_PATH = "/dev/tty"
_COLUMNS, _ROWS = 80, 24


class Terminal:
    """A terminal that is open for reading and writing, by its file descriptor ``number``."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._encoding = locale.getpreferredencoding(do_setlocale=False)

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows; 80 and 24 if they are not known."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self.number)
            return columns or _COLUMNS, rows or _ROWS
        return _COLUMNS, _ROWS

    def write(self, text: str) -> None:
        """Write ``text``, in which nothing of a message is but what `plain` returned."""
        self.send(text.encode(self._encoding, "replace"))

    def send(self, data: bytes) -> None:
        """Write bytes."""
        while data:
            data = data[os.write(self.number, data) :]

    def ask(self, prompt: str) -> str | None:
        """Return the line that the user types, without blanks around it; None at the end of input.

        The end is Ctrl-D, or a window that was closed.
        """
        line = b""
        try:
            self.write(prompt)
            while not line.endswith(b"\n") and (got := os.read(self.number, 4096)):
                line += got
        except OSError:  # the terminal has gone
            return None
        except KeyboardInterrupt:
            self.write("\n")
            raise
        return line.decode(self._encoding, "replace").strip() if line else None


@contextmanager
def opened_terminal() -> Iterator[Terminal | None]:
    """Open the terminal of this process, None if it has none; leave it as it was at the end."""
    try:
        number = os.open(_PATH, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        yield None
        return
    try:
        with _edited_lines(number):
            yield Terminal(number)
    finally:
        os.close(number)


@contextmanager
def _edited_lines(number: int) -> Iterator[None]:
    """Let the terminal edit and echo lines, as a shell does; restore its modes at the end."""
    modes = termios.tcgetattr(number)
    wanted = [*modes]
    wanted[0] |= termios.ICRNL
    wanted[1] |= termios.OPOST | termios.ONLCR
    wanted[3] |= termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN | termios.ECHOE
    if wanted != modes:
        _set_modes(number, wanted)
    try:
        yield
    finally:
        with suppress(OSError, termios.error):  # the terminal has gone
            if termios.tcgetattr(number) != modes:
                _set_modes(number, modes)


def _set_modes(number: int, modes: list[Any]) -> None:
    """Set the modes of a terminal, also from the background, where that would stop the process."""
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        termios.tcsetattr(number, termios.TCSADRAIN, modes)
    finally:
        signal.signal(signal.SIGTTOU, before)


_GRACE = 2.0  # seconds in which a program puts the terminal right after SIGTERM


@contextmanager
def ended_with_us(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process that has the terminal; end it, and wait for that, if this program is ended."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
