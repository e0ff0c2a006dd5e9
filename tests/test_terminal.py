"""Colours and links: on a terminal, and nothing of them in a pipe."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import COMMAND, ENVIRONMENT, outcome, run
from realtools import LIMIT, ROOT, need, on_a_terminal
from terminals import OnTerminal

from urlextract.output.terminal import Style, shows_colors, style_of, styled_url

HOST, PLAIN = "\x1b[01;31m", "\x1b[0m"
TEXT = "see http://www.bank.example@evil.example:80/x or mailto:a@b.example\n"
COLORED = f"http://www.bank.example@{HOST}evil.example{PLAIN}:80/x"
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[!-~]*\x1b\\")


def shown(*words: object, data: str = TEXT, **environment: str) -> str:
    """Return what a terminal gets, with line feeds for its line ends."""
    environment = {"TERM": "xterm-256color", "NO_COLOR": "", **environment}
    return on_a_terminal([*words], data.encode(), **environment).decode().replace("\r\n", "\n")


def test_the_host_is_coloured_on_a_terminal() -> None:
    assert shown() == f"{COLORED}\nmailto:a@b.example\n"
    assert shown("-n", "-m1") == f"\x1b[32m1{PLAIN}\x1b[36m:{PLAIN}{COLORED}\n"
    assert shown("-H", "-m1") == f"\x1b[35m-{PLAIN}\x1b[36m:{PLAIN}{COLORED}\n"
    assert shown("--top", "1") == f"      1 {COLORED}\n"
    assert shown("-u", "--sort", "-m1") == f"{COLORED}\n"
    assert shown("-C0", data="x http://a.example/ y\n") == f"x {HOST}http://a.example/{PLAIN} y\n"


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), ([], {"TERM": ""}), (["--color", "never"], {}),
        (["--color=never"], {"NO_COLOR": ""}),
    ],
)  # fmt: skip
def test_no_colours_where_nobody_wants_them(words, environment) -> None:
    assert shown(*words, **environment) == "http://www.bank.example@evil.example:80/x\nmailto:a@b.example\n"


def test_no_color_does_not_stop_what_is_asked_for() -> None:
    assert shown("--color", "always", "-m1", NO_COLOR="1", TERM="dumb") == f"{COLORED}\n"


@pytest.mark.parametrize("words", [[], ["-n"], ["-u"], ["-C1"], ["--hyperlink", "auto"], ["--color", "auto"]])
def test_nothing_changes_in_a_pipe(words) -> None:
    terminal = {**ENVIRONMENT, "TERM": "xterm-kitty", "VTE_VERSION": "7000", "COLORTERM": "truecolor"}
    done = outcome(*words, data=TEXT, env=terminal)
    assert done == outcome(*words, data=TEXT, env={**ENVIRONMENT, "NO_COLOR": "1"})
    assert "\x1b" not in done[1]


def test_always_is_for_pipes_too(tmp_path: Path) -> None:
    assert outcome("--color", "always", "-m1", data=TEXT)[1] == f"{COLORED}\n"
    assert run("--color", "always", "-m1", "-o", tmp_path / "out", data=TEXT).returncode == 0
    assert (tmp_path / "out").read_text() == f"{COLORED}\n"
    (tmp_path / "a").write_text(TEXT * 5)
    (tmp_path / "b").write_text(TEXT * 5)
    words = ("--color=always", "--hyperlink=always", "-H", tmp_path)
    assert outcome(*words, "-J2") == outcome(*words, "-J1")


def linked(url: str, text: str | None = None) -> str:
    return f"\x1b]8;;{url}\x1b\\{text or url}\x1b]8;;\x1b\\"


LINKS = [
    ("http://a.example/x;y?z", "http://a.example/x;y?z"), ("https://a.example/", "https://a.example/"),
    ("HTTP://A.example/", "HTTP://A.example/"), ("ftp://a.example/", "ftp://a.example/"),
    ("mailto:a@b.example", "mailto:a@b.example"), ("javascript:alert(1)", None), ("file:///etc/passwd", None),
    ("data:text/html,x", None), ("x-man-page://ls", None), ("news:a.b", None), ("httpx://a.example/", None),
    ("http://b\xfccher.example/\xe9", "http://xn--bcher-kva.example/%C3%A9"),
    ("http://a.example/\x1b]8;;evil\x07", "http://a.example/%1B]8;;evil%07"),
    ("http://a.example/ \x9c\x7f", "http://a.example/%20%C2%9C"), ("http://\u202ea/", "http://%E2%80%AEa/"),
    ("http://a.example/\udc9b", "http://a.example/"), ("http://a.example/" + "x" * 3_000, None),
]  # fmt: skip


@pytest.mark.parametrize(("url", "target"), LINKS)
def test_only_harmless_targets_are_links(url: str, target: str | None) -> None:
    for text in (url, "raw\ntext \x1b]8;;http://evil.example\x1b\\"):
        line = styled_url(text, url, Style(color=False, links=True))
        found = re.match(r"\x1b\]8;;([!-~]+)\x1b\\", line)
        assert bool(found) == (target is not None)
        if found and target:
            assert found[1].startswith(target)
        assert "\x1b" not in SEQUENCE.sub("", line)
        assert line.count("\x1b]8;;") == (2 if target else 0)


def test_links_are_written_if_asked_for() -> None:
    plain = "http://www.bank.example@evil.example:80/x"
    expected = f"{linked(plain)}\n{linked('mailto:a@b.example')}\n"
    assert outcome("--hyperlink", "always", data=TEXT)[1] == expected
    both = outcome("--hyperlink=always", "--color=always", "-n", "-m1", data=TEXT)[1]
    assert both == f"\x1b[32m1{PLAIN}\x1b[36m:{PLAIN}{linked(plain, COLORED)}\n"
    assert "\x1b]8" not in shown()
    assert "\x1b]8" not in shown("--hyperlink", "auto")
    assert linked("mailto:a@b.example") in shown("--hyperlink", "auto", TERM="xterm-kitty")
    assert "\x1b]8" not in shown("--hyperlink", "never", TERM="xterm-kitty")


XTERM = {"TERM": "xterm"}
TERMINALS: list[tuple[dict[str, str], bool]] = [
    ({}, False), ({"TERM": "xterm-256color"}, False), ({"TERM": "xterm-kitty"}, True),
    ({"TERM": "foot-extra"}, True), ({"TERM": "linux", "WT_SESSION": "x"}, False),
    ({"TERM": "dumb", "VTE_VERSION": "7000"}, False), ({**XTERM, "VTE_VERSION": "7000"}, True),
    ({**XTERM, "VTE_VERSION": "5000"}, False), ({**XTERM, "VTE_VERSION": "x"}, False),
    ({**XTERM, "VTE_VERSION": "9" * 99}, False), ({**XTERM, "KONSOLE_VERSION": "220401"}, True),
    ({**XTERM, "KONSOLE_VERSION": "190800"}, False), ({**XTERM, "TERM_PROGRAM": "vscode"}, True),
    ({**XTERM, "TERM_PROGRAM": "Apple_Terminal"}, False), ({**XTERM, "WT_SESSION": "x"}, True),
    ({"TERM": "screen-256color", "VTE_VERSION": "7000"}, False),
    ({"TERM": "tmux-256color", "VTE_VERSION": "7000"}, False),
    ({**XTERM, "VTE_VERSION": "7000", "TMUX": "socket,1,0"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("environment", "links"), TERMINALS)
def test_terminals_that_take_links(environment: dict[str, str], links: bool) -> None:
    style = style_of("never", "auto", is_terminal=True, environment=environment)
    assert style == (Style(color=False, links=True) if links else None)
    assert style_of("never", "auto", is_terminal=False, environment=environment) is None


def test_any_value_of_no_color_counts_but_none() -> None:
    for value, colors in (("", True), ("0", False), ("1", False), ("false", False)):
        environment = {"TERM": "xterm", "NO_COLOR": value}
        assert shows_colors("auto", is_terminal=True, environment=environment) is colors


HOSTILE = (
    "Subject: \x1b[2J http://a.example/\x1b]0;x\x07\nFrom: \x9b31m\n\nhttp://b.example/\x1b[31m \x1b]8;;http://evil.example/\x1b\\here\n"
    "<http://c.example/\x9b31m> http://d\u202e.example/\u200b www.e.example\x1b[5n\n"
)


@pytest.mark.parametrize(
    "words", [[], ["-nHI"], ["--raw"], ["-C2", "-n"], ["--top"], ["--explain"], ["-u", "--sort"]]
)
def test_no_other_sequence_reaches_a_terminal(words, tmp_path: Path) -> None:
    name = tmp_path / "a\x1b[2Jb"
    name.write_text(HOSTILE)
    links = [] if {"-C2", "--explain"} & {*words} else ["--hyperlink", "always"]
    printed = outcome(*words, "--color", "always", *links, name)[1]
    assert "http" in printed
    rest = SEQUENCE.sub("", printed)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\udc80-\udcff]", rest)


@pytest.mark.parametrize("words", ["-j", "-c", "--csv", "--parse"])
@pytest.mark.parametrize("option", ["--color", "--hyperlink"])
def test_what_has_no_colours_says_so(words: str, option: str) -> None:
    status, out, error = outcome(option, "always", words, data=TEXT)
    assert (status, out) == (2, "")
    assert error == f"urlextract: {option} always: cannot be used with {LONG[words]}\n"


LONG = {"-j": "--json", "-c": "--count", "--csv": "--csv", "--parse": "--parse"}


@pytest.mark.slow
def test_tmux_shows_colours_and_no_rubbish(tmp_path: Path) -> None:
    tmux = need("tmux", "tmux")
    (tmp_path / "text").write_text(TEXT)
    command = [tmux, "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    program = " ".join([*COMMAND, "--hyperlink", "always", "-n", str(tmp_path / "text")])
    environment = {**ENVIRONMENT, "NO_COLOR": "", "LC_ALL": "C.UTF-8"}
    inside = f"env PYTHONPATH={ROOT} {program}; echo END; sleep 60"

    def call(*words: str) -> str:
        done = subprocess.run(
            [*command, *words], capture_output=True, env=environment, timeout=LIMIT, check=True
        )
        return done.stdout.decode()

    call("new-session", "-d", "-x", "80", "-y", "10", inside)
    try:
        ends = time.monotonic() + LIMIT
        while "END" not in call("capture-pane", "-p") and time.monotonic() < ends:
            time.sleep(0.1)
        lines = call("capture-pane", "-p").splitlines()
        assert lines[:3] == ["1:http://www.bank.example@evil.example:80/x", "1:mailto:a@b.example", "END"]
        colored = re.sub(r"\x1b\]8;[^\x1b]*\x1b\\", "", call("capture-pane", "-p", "-e"))
        assert re.search(r"\x1b\[1m\x1b\[31mevil\.example\x1b\[0?m", colored)
    finally:
        call("kill-server")


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
    """Return the lines that are seen in the end."""
    lines = []
    for line in shown.split("\n"):
        seen = ""
        for text in line.split("\r"):
            seen = text + seen[len(text) :]
        lines.append(seen.rstrip())
    return lines


@pytest.fixture
def archive(tmp_path: Path) -> list[Path]:
    """Return a mailbox, and a file that was cut short."""
    (tmp_path / "cut.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\3x")
    return [ROOT / "corpora" / "inbox.mbox", tmp_path / "cut.gz"]


TO_FILES = pytest.mark.parametrize("words", [["index", "links.db"], ["-j", "-o", "links.jsonl"]], ids=str)


@TO_FILES
@pytest.mark.parametrize("columns", [20, 80, 0])
def test_progress_fits_the_terminal_and_messages_are_lines_of_their_own(
    columns: int, words: list[str], archive: list[Path], tmp_path: Path
) -> None:
    """A line that is wrapped cannot be written over; 0 is a terminal that does not know its width."""
    status, shown = watched(tmp_path, columns, *words, *archive)
    assert status == 2
    found = ", 13 messages, 92 places" if words[0] == "index" else ""
    drawn = [text for text in re.split(r"[\r\n]+", shown) if text.startswith("reading: ")]
    assert drawn[-1] in {
        f"reading: {share}%, 0:00 left{found}"[: (columns or 80) - 1] for share in range(101)
    }
    assert all(len(text) < (columns or 80) for text in re.split(r"[\r\n]+|urlextract: .*", shown))
    assert "\x1b" not in shown
    told = [f"urlextract: {archive[1]}, byte 11: gzip data is cut short"]
    if words[0] == "index":
        told.append("urlextract: links.db: 13 messages read, 92 places added, 78 URLs new")
    assert screen(shown) == [*told, ""]


@TO_FILES
def test_an_interrupt_leaves_the_terminal_as_it_was(
    words: list[str], archive: list[Path], tmp_path: Path
) -> None:
    """There is no part of a line, and a cursor."""
    status, shown = watched(tmp_path, 80, *words, *archive[:1], interrupted=True)
    assert (status, screen(shown)) == (130, [""])
    assert "reading: " in shown
    assert "\x1b" not in shown
