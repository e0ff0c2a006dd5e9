"""The examples in the README are true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
SHOWN = [
    pytest.param(command, output, id=command[:60])
    for block in BLOCKS
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_console_example_has_the_output_shown(command: str, output: str, tmp_path: Path) -> None:
    if "sqlite3 " in command and shutil.which("sqlite3") is None:
        pytest.skip("sqlite3 is not installed")
    script = tmp_path / "urlextract"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m urlextract "$@"\n')
    script.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    (tmp_path / "corpora").symlink_to(ROOT / "corpora")
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert done.stderr == b""
    assert done.stdout.decode() == output


def test_line_of_cron_prints_what_is_new_and_fails_only_on_trouble(tmp_path: Path) -> None:
    [line] = re.findall(r"^    0 7 \* \* \*  (.*)$", README, re.MULTILINE)
    words = line.replace("urlextract", f"{sys.executable} -m urlextract", 1)
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def run() -> tuple[int, str]:
        done = subprocess.run(
            ["sh", "-c", words], env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    assert run()[0] != 0
    shutil.copytree(ROOT / "corpora" / "maildir", tmp_path / "Maildir")
    status, printed = run()
    assert (status, "\thttp://www.example.net/shed/way.html\n" in printed) == (0, True)
    assert run() == (0, "")


def test_every_option_named_exists() -> None:
    from urlextract.cli import COMMANDS
    from urlextract.cli.extracting import extract_command
    from urlextract.cli.program import load

    commands = [extract_command, *map(load, COMMANDS)]
    known = {name for command in commands for param in command.params for name in param.opts}
    named = set(re.findall(r"`(?:urlextract )?(--[a-z-]+)", README))
    assert named
    assert named - known <= {"--help", "--hypothesis-profile"}


def test_it_is_read_in_five_minutes() -> None:
    assert len(README.splitlines()) <= 150


def test_there_are_two_setup_commands() -> None:
    commands = re.findall(r"^    (python3 -m venv .*)$", README, re.MULTILINE)
    assert len(commands) == 2
    assert all("\n" not in command for command in commands)
