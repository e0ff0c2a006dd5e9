"""Copy text to the clipboard: by tmux, or by the terminal (OSC 52), also over SSH.

A terminal does not say whether it copies.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Mapping

from urlextract.picking.tty import Terminal

LARGEST = 74_994
"""Bytes that OSC 52 carries in xterm: 100,000 with the sequence, in base64. Other terminals take more."""

_PATIENCE = 3.0  # seconds for tmux
_WITHOUT_OSC = ("", "dumb", "unknown", "linux", "vt52", "vt100", "vt102", "vt220")
_TMUX = ("tmux", "load-buffer", "-w", "-")


def copy(text: str, terminal: Terminal | None) -> str:
    """Copy ``text``; return by what, "" if there is nothing that copies."""
    data = text.encode("utf-8", "surrogatepass")
    if os.environ.get("TMUX") and shutil.which(_TMUX[0]) and _is_copied(data):
        return "tmux"
    if terminal and os.environ.get("TERM", "") not in _WITHOUT_OSC and len(data) <= LARGEST:
        terminal.send(osc52(data, os.environ))
        return "the terminal, if it allows that (OSC 52)"
    return ""


def _is_copied(data: bytes) -> bool:
    """Hand ``data`` to tmux, which hands it to its terminal; return whether it took them."""
    null = subprocess.DEVNULL
    try:
        done = subprocess.run(_TMUX, input=data, stdout=null, stderr=null, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def osc52(data: bytes, environment: Mapping[str, str]) -> bytes:
    r"""Return the control sequence with which xterm copies ``data``, as tmux passes it on.

    >>> osc52(b"http://a.example/", {})
    b'\x1b]52;c;aHR0cDovL2EuZXhhbXBsZS8=\x07'
    """
    sequence = b"\x1b]52;c;" + b64encode(data) + b"\x07"
    if environment.get("TMUX"):
        # by tmux itself (set-clipboard on), and past it (allow-passthrough on)
        return sequence + b"\x1bPtmux;" + sequence.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    return sequence
