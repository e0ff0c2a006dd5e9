"""Choose links with fzf.

fzf gets the lines on its standard input, and prints the chosen ones. Its preview runs a shell, but the
command has nothing but two numbers in it: the lines to show of a file with what is known of all links.
They are before the line of each link, with tabs between; fzf searches in the line, and cannot in what it does
not show. A line is the same at any width, and fzf cuts it at its end: fzf of Debian 12 cannot take other
lines when the window changes, and newer ones forget what was marked. Of the user's FZF_DEFAULT_OPTS only the
colours count: others could hide the links, or hand their words to a shell.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from urlextract.grammar.patterns import lazy_re
from urlextract.picking.choices import Choice
from urlextract.picking.rows import DOUBT, MARK, Table, details_of
from urlextract.picking.tty import Terminal, ended_with_us
from urlextract.records import is_cut

Chosen = tuple[str, list[int]]
"""What to do with the chosen links ("" is what the command line says), and their numbers, from 0."""

_COPY = "ctrl-y"
_NARROWEST = 30  # columns for a header
_GUTTER = 4  # columns that fzf needs before a line and after it, also for the sign that it was cut
_NO_MATCH, _ABORTED = 1, 130
_WITHOUT_CURSOR = ("", "dumb", "unknown")


def has_fzf() -> bool:
    """Return whether fzf is installed, and the terminal can move its cursor."""
    return os.environ.get("TERM", "") not in _WITHOUT_CURSOR and shutil.which("fzf") is not None


def choose_by_fzf(choices: Sequence[Choice], terminal: Terminal, verb: str) -> Chosen | None:
    """Let the user choose with fzf; return None if it fails. ``verb`` says what Enter does."""
    columns, _ = terminal.size
    table = Table(choices, columns - _GUTTER)
    command = [*_COMMAND, "--header", _header(choices, verb, columns)]
    lines: list[str] = []
    details: list[str] = []
    for number, choice in enumerate(choices):
        first = len(details) + 1
        details += ["", *details_of(choice)]  # fzf writes on the first line how many there are
        lines.append(f"{first}\t{len(details)}\t{table.row_of_any_width(number)}")
    with tempfile.TemporaryDirectory(prefix="urlextract-") as folder:
        (Path(folder) / _DETAILS).write_bytes("\n".join((*details, "")).encode("utf-8", "replace"))
        return _chosen(command, lines, folder, terminal)


_DETAILS = "details"
# The preview has two fifths of the rows, and goes if these are not six: the list would have none.
# Nothing is opened that the user has not seen, so a single link is not chosen by itself. fzf stops only
# itself, and not this program, which would wait for it.
_COMMAND = (
    "fzf", "--multi", "--reverse", "--exact", "--no-hscroll", "--ellipsis", "\u2026", "--delimiter", "\t",
    "--with-nth", "3..", "--expect", _COPY, "--bind", "ctrl-z:ignore",
    "--preview", f"sed -n {{1}},{{2}}p {_DETAILS}", "--preview-window", "down,40%,wrap,<6(hidden)",
)  # fmt: skip
_COLOURS = lazy_re(
    r"""(?<!\S)--(?:color(?:[= ](?:'[^']*'|"[^"]*"|[^\s'"])+)?|no-color|black|bold|no-bold)(?!\S)"""
)


def _environment() -> dict[str, str]:
    """Return the environment of fzf: of its options only the colours."""
    colours = " ".join(_COLOURS.findall(os.environ.get("FZF_DEFAULT_OPTS", "")))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FZF_")}
    return {**environment, "FZF_DEFAULT_OPTS": colours}


def _header(choices: Sequence[Choice], verb: str, columns: int) -> str:
    if columns < _NARROWEST:
        return ""
    lie = f"; {MARK} is a link that deceives" if any(choice.lie for choice in choices) else ""
    is_doubtful = any(choice.is_reading or is_cut(choice.found.defects) for choice in choices)
    doubt = f"; {DOUBT} may be cut, or another reading" if is_doubtful else ""
    copies = "" if verb == "copies" else ", Ctrl-Y copies"
    return f"Enter {verb}{copies}, Tab marks{lie}{doubt}"


def _chosen(command: list[str], lines: list[str], folder: str, terminal: Terminal) -> Chosen | None:
    """Run fzf in ``folder``, where the file of its preview is."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=terminal.number,
            cwd=folder,
            env=_environment(),
        )
    except OSError:
        return None
    with ended_with_us(process):
        output, _ = process.communicate("\n".join(lines).encode("utf-8", "replace"))
    if process.returncode in (_NO_MATCH, _ABORTED):
        return "", []
    return _read(output.decode("utf-8", "replace"), lines) if process.returncode == 0 else None


def _read(output: str, lines: list[str]) -> Chosen:
    """Return what fzf printed: the key, if it was not Enter, then the chosen lines."""
    numbers = {line: number for number, line in enumerate(lines)}
    printed = output.splitlines()
    return "copy" if _COPY in printed else "", [numbers[line] for line in printed if line in numbers]
