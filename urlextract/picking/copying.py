"""Copy text to the clipboard: by a program, by tmux, or by the terminal (OSC 52), also over SSH.

Over SSH the clipboard is where the terminal is, not where this program runs. A terminal does not say
whether it copies.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from urlextract.picking.tty import Terminal

LARGEST = 74_994
"""Bytes that OSC 52 carries in xterm: 100,000 with the sequence, in base64. Other terminals take more."""

_PATIENCE = 3.0  # seconds for a program that copies
_WITHOUT_OSC = ("", "dumb", "unknown", "linux", "vt52", "vt100", "vt102", "vt220")
_CHUNK = 252  # bytes in a control string that screen passes on


class _Program(NamedTuple):
    """A program that copies its standard input, and the variable of its surroundings."""

    variable: str
    words: tuple[str, ...]


_LOCAL = (
    _Program("WAYLAND_DISPLAY", ("wl-copy",)),
    _Program("DISPLAY", ("xclip", "-selection", "clipboard")),
    _Program("DISPLAY", ("xsel", "--clipboard", "--input")),
)
_PBCOPY = _Program("", ("pbcopy",))
_TMUX = _Program("TMUX", ("tmux", "load-buffer", "-w", "-"))


def copy(text: str, terminal: Terminal | None) -> str:
    """Copy ``text``; return by what, "" if there is nothing that copies."""
    data = text.encode("utf-8", "surrogatepass")
    for program in _programs(os.environ):
        if shutil.which(program.words[0]) and _is_copied(program.words, data):
            return program.words[0]
    if terminal and os.environ.get("TERM", "") not in _WITHOUT_OSC and len(data) <= LARGEST:
        terminal.send(osc52(data, os.environ))
        return "the terminal, if it allows that (OSC 52)"
    return ""


def _programs(environment: Mapping[str, str]) -> Iterator[_Program]:
    """Yield the programs to try, in order; over SSH only tmux, which hands the text to its terminal."""
    if not (environment.get("SSH_TTY") or environment.get("SSH_CONNECTION")):
        if sys.platform == "darwin":
            yield _PBCOPY
        yield from (program for program in _LOCAL if environment.get(program.variable))
    if environment.get("TMUX"):
        yield _TMUX


def _is_copied(words: tuple[str, ...], data: bytes) -> bool:
    """Run a program with ``data`` as its input. It may stay in the background, to offer the text."""
    null = subprocess.DEVNULL
    try:
        done = subprocess.run(words, input=data, stdout=null, stderr=null, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def osc52(data: bytes, environment: Mapping[str, str]) -> bytes:
    r"""Return the control sequence with which xterm copies ``data``, as tmux or screen pass it on.

    >>> osc52(b"http://a.example/", {})
    b'\x1b]52;c;aHR0cDovL2EuZXhhbXBsZS8=\x07'
    """
    sequence = b"\x1b]52;c;" + b64encode(data) + b"\x07"
    if environment.get("TMUX"):
        # by tmux itself (set-clipboard on), and past it (allow-passthrough on)
        return sequence + b"\x1bPtmux;" + sequence.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    if environment.get("STY"):
        chunks = (sequence[at : at + _CHUNK] for at in range(0, len(sequence), _CHUNK))
        return b"".join(b"\x1bP" + chunk + b"\x1b\\" for chunk in chunks)
    return sequence
