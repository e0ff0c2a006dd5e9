"""The status line of a long run, on a terminal."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from realtools import ROOT
from sampled import mostly_slow
from terminals import OnTerminal

# The progress is shown at once and at every byte, which no option asks for.
WATCHED = """
import signal
from urlextract.output import status
from urlextract.run import progress
progress._PATIENCE, progress._STEP, draw = 0, 1, status.draw

def drawn(text):
    draw(text)
    if INTERRUPTED:
        signal.raise_signal(signal.SIGINT)  # here, whichever thread the system would choose

status.draw = drawn
from urlextract.__main__ import main
main()
"""


def watched(home: Path, columns: int, *words: object, interrupted: bool = False) -> tuple[int, str]:
    """Return the exit status, and what a terminal of so many columns gets."""
    program = (sys.executable, "-c", WATCHED.replace("INTERRUPTED", str(interrupted)))
    terminal = OnTerminal([*map(str, words)], b"", home, size=(columns, 24), program=program)
    try:
        return terminal.wait(), terminal.shown.decode().replace("\r\n", "\n")
    finally:
        terminal.close()


def screen(shown: str) -> list[str]:
    lines = []
    for line in shown.split("\n"):
        seen = ""
        for text in line.split("\r"):
            seen = text + seen[len(text) :]
        lines.append(seen.rstrip())
    return lines


@pytest.fixture
def archive(tmp_path: Path) -> list[Path]:
    (tmp_path / "cut.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\3x")
    return [ROOT / "corpora" / "inbox.mbox", tmp_path / "cut.gz"]


TO_FILES = pytest.mark.parametrize("words", [["index", "links.db"], ["-j", "-o", "links.jsonl"]], ids=str)


@TO_FILES
@pytest.mark.parametrize("columns", mostly_slow([20, 80, 0]))
def test_progress_fits_the_terminal_and_messages_are_lines_of_their_own(columns, words, archive, tmp_path):
    """A line that is wrapped cannot be written over; 0 is a terminal that does not know its width."""
    status, shown = watched(tmp_path, columns, *words, *archive)
    assert status == 2
    found = ", 13 messages, 92 places" if words[0] == "index" else ""
    drawn = [text for text in re.split(r"[\r\n]+", shown) if text.startswith("reading: ")]
    assert drawn[-1] in {f"reading: {n}%, 0:00 left{found}"[: (columns or 80) - 1] for n in range(101)}
    assert all(len(text) < (columns or 80) for text in re.split(r"[\r\n]+|urlextract: .*", shown))
    assert "\x1b" not in shown
    told = [f"urlextract: {archive[1]}, byte 11: gzip data is cut short"]
    if words[0] == "index":
        told.append("urlextract: links.db: 13 messages read, 92 places added, 78 URLs new")
    assert screen(shown) == [*told, ""]


@TO_FILES
@pytest.mark.usefixtures("heeded_signals")
def test_an_interrupt_leaves_the_terminal_as_it_was(words, archive: list[Path], tmp_path: Path) -> None:
    """There is no part of a line, and a cursor."""
    status, shown = watched(tmp_path, 80, *words, *archive[:1], interrupted=True)
    assert (status, screen(shown)) == (130, [""])
    assert "reading: " in shown
    assert "\x1b" not in shown
