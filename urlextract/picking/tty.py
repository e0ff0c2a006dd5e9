"""The terminal of the user: where keys come from, also if standard input is a message from a pipe.

Lines are read as the terminal edits them, so it is never in another mode, and there is nothing to put
right if the program is killed. A program that left the terminal without echo or line editing before it
started this one gets it back so.
"""

from __future__ import annotations

import codecs
import locale
import os
import select
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

_PATH = "/dev/tty"
_COLUMNS, _ROWS = 80, 24
_SHAPES = str.maketrans({"\u00b7": "|", "\u2026": "~"})  # of our own marks, for other charsets than UTF-8


class Terminal:
    """A terminal that is open for reading and writing, by its file descriptor ``number``.

    From the descriptor ``signals`` there is something to read when a signal has come.
    """

    def __init__(self, number: int, signals: int) -> None:
        self.number, self._signals = number, signals
        self._encoding = _encoding()

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows; 80 and 24 if they are not known."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self.number)
            return columns or _COLUMNS, rows or _ROWS
        return _COLUMNS, _ROWS

    def write(self, text: str) -> None:
        """Write ``text``, in which nothing of a message is but what `plain` returned."""
        if self._encoding != "utf-8":
            text = text.translate(_SHAPES)
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
            while not line.endswith(b"\n"):
                # A signal right before a read would be heeded after it
                ready, _, _ = select.select([self.number, self._signals], [], [])
                if self._signals in ready:
                    os.read(self._signals, 4096)
                    continue
                got = os.read(self.number, 4096)
                if not got:
                    break
                line += got
        except OSError:  # the terminal has gone
            return None
        except KeyboardInterrupt:
            self.write("\n")
            raise
        return line.decode(self._encoding, "replace").strip() if line else None


def _encoding() -> str:

    with suppress(LookupError, locale.Error):
        return codecs.lookup(locale.getpreferredencoding(do_setlocale=False)).name
    return "utf-8"


@contextmanager
def opened_terminal() -> Iterator[Terminal | None]:
    """Open the terminal of this process, None if it has none; leave it as it was at the end.

    Signals that end the process do so in order: blocks that end with this one are left first.
    """
    try:
        number = os.open(_PATH, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        yield None
        return
    try:
        with _ended_in_order() as signals, _edited_lines(number):
            yield Terminal(number, signals)
    finally:
        os.close(number)


@contextmanager
def _ended_in_order() -> Iterator[int]:
    """Turn signals that end the process into `SystemExit`; not those that are ignored, as by nohup.

    Yield a descriptor from which each signal that is handled can be read.
    """

    def end(number: int, _: Any) -> None:
        raise SystemExit(128 + number)

    before = {
        number: signal.signal(number, end)
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    signals, written = os.pipe()
    os.set_blocking(written, False)
    descriptor = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    try:
        yield signals
    finally:
        signal.set_wakeup_fd(descriptor)
        os.close(signals)
        os.close(written)
        for number, handler in before.items():
            signal.signal(number, handler)


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
