"""The settings file that URLEXTRACT_CONFIG names."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import ENVIRONMENT, outcome

from urlextract.cli import COMMANDS

TEXT = "http://a.example http://b.example/ mailto:x@y.example http://a.example/\nftp://c.example/\n"


@pytest.fixture
def settings(tmp_path: Path):
    """Return a function that runs the program with settings."""

    def run(content: str | bytes, *words: object, data: str = TEXT) -> tuple[int, str, str]:
        path = tmp_path / "settings"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        status, out, error = outcome(*words, data=data, env={**ENVIRONMENT, "URLEXTRACT_CONFIG": str(path)})
        return status, out, error.replace(str(path), "FILE")

    return run


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ""), ("# nothing\n\n   \n", ""), ("-u\n", "-u"), ("--unique", "-u"), ("-nH\n-m 2\n", "-nH -m2"),
        ("-m2\n", "-m 2"), ("--max-count=2\r\n--scheme http\r\n", "-m2 --scheme http"),
        ("\ufeff  --scheme  \t http,ftp  \n", "--scheme http,ftp"),
        ("--top", "--top"), ("--top 1", "--top 1"),
        ("--host a.example\n--host=b.example\n", "--host a.example,b.example"), ("-C 1\n-n", "-C1 -n"),
        ("--csv", "--csv"), ("--form bare\n--join likely", "--form bare --join likely"),
    ],
)  # fmt: skip
def test_options_are_those_of_the_command_line(settings, content: str, words: str) -> None:
    assert settings(content) == outcome(*words.split(), data=TEXT)
    assert settings(content, "--no-config") == outcome(data=TEXT)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("--scheme mailto", "--scheme ftp"), ("--host a.example\n--host b.example", "--host c.example"),
        ("-m 1", "-m 2"), ("--json", "--csv"), ("--csv\n-u", "-c"), ("--top", "--explain"), ("-C1", "-j"),
        ("--color always", "-j"), ("--hyperlink always", "-c"),
    ],
)  # fmt: skip
def test_the_command_line_wins(settings, content: str, words: str) -> None:
    kept = "-u" if "-u" in content else ""
    assert settings(content, *words.split()) == outcome(*words.split(), *kept.split(), data=TEXT)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("--josn", "line 1: --josn: no such option: did you mean --json?"),
        ("\n# x\n--scheme htpp\n", "line 3: --scheme: unknown value 'htpp': did you mean 'http'?"),
        ("-m x", "line 1: --max-count: 'x' is not a number"),
        ("-m", "line 1: -m: a value is missing"),
        ("--top x", "line 1: --top: cannot be followed by 'x'"),
        ('-u\n--host "a.example"', 'line 2: --host: leave out the quotes around "a.example"'),
        ("--include='*.txt'", "line 1: --include: leave out the quotes around '*.txt'"),
        ("--json x", "line 1: --json: takes no value"),
        ("--json=x", "line 1: --json: takes no value"),
        ("mail.mbox", "line 1: 'mail.mbox' is not an option: write one a line, as in --scheme http"),
        ("--", "line 1: '--' is not an option: write one a line, as in --scheme http"),
        ("--help", "line 1: --help: is for the command line alone"),
        ("--no-config", "line 1: --no-config: is for the command line alone"),
        ("-u\n-j\n--csv", "line 3: --json: cannot be used with --csv"),
        ("--host http://a/", "line 1: --host: 'http://a/' is no host: no host has a '/'"),
        ("--a\x1b[2J", "line 1: --a\\x1b[2J: no such option"),
    ],
)
def test_mistake_is_one_line_with_its_place(settings, content: str, message: str) -> None:
    assert settings(content) == (2, "", f"urlextract: FILE, {message}\n")
    assert settings(content, "--no-config")[0] == 0
    assert settings(content, "--version")[0] == 0
    assert settings(content, "-h")[0] == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\0", "is not a text file"), (b"-u\n\xff", "is not a text file"),
        (b"#" * 100_000, "is larger than 65536 bytes"),
    ],
)  # fmt: skip
def test_file_that_is_no_text_is_one_line(settings, content: bytes, message: str) -> None:
    assert settings(content) == (2, "", f"urlextract: FILE: {message} (URLEXTRACT_CONFIG names it)\n")


def test_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path / "none", "No such file or directory"),
        (tmp_path, "is not a regular file"),
    ):
        environment = {**ENVIRONMENT, "URLEXTRACT_CONFIG": str(path)}
        expected = (2, "", f"urlextract: {path}: {message} (URLEXTRACT_CONFIG names it)\n")
        assert outcome(data=TEXT, env=environment) == expected
        assert outcome("--no-config", data=TEXT, env=environment)[0] == 0


def test_only_the_variable_names_the_file(tmp_path: Path) -> None:
    for name in ("urlextract.conf", ".urlextractrc", ".urlextract", "config"):
        (tmp_path / name).write_text("--josn\n")
    environment = {
        **ENVIRONMENT,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "URLEXTRACT_CONFIG": "",
    }
    assert outcome("-u", data=TEXT, env=environment, cwd=tmp_path)[0] == 0


def test_files_without_options_are_read_with_the_settings(settings, tmp_path: Path) -> None:
    (tmp_path / "text").write_text(TEXT)
    assert settings("--scheme ftp", tmp_path / "text") == (0, "ftp://c.example/\n", "")


def test_other_commands_have_no_settings(settings) -> None:
    for name in COMMANDS:
        assert "josn" not in settings("--josn", name, data="http://a.example/\n")[2]
