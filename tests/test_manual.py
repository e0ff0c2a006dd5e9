"""The manual page and what shells complete: as installed, in the real programs."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from realtools import LIMIT, ROOT, need, run, surroundings, wait_until

from urlextract import extract
from urlextract.cli import COMMANDS, load
from urlextract.cli.extracting import extract_command
from urlextract.cli.manual import EXAMPLES, man_page
from urlextract.cli.screen import options_of

SHARE = ROOT / "urlextract" / "share"
PAGE = SHARE / "man" / "man1" / "urlextract.1"
COMPLETIONS = {
    "bash": SHARE / "bash-completion" / "completions" / "urlextract",
    "zsh": SHARE / "zsh" / "site-functions" / "_urlextract",
    "fish": SHARE / "fish" / "vendor_completions.d" / "urlextract.fish",
}
# What stands on the line, and what must then be offered, one of it alone where only that can be meant
LINES = [
    ("urlextract --js", {"--json"}),
    ("urlextract rew", {"rewrap"}),
    ("urlextract parse --j", {"--json"}),
    ("urlextract -u -F mb", {"mbox"}),
    ("urlextract format -t late", {"latex"}),
    ("urlextract rewrap --policy fl", {"flowed"}),
    ("urlextract letter.eml --hyphen e", {"evidence"}),
]


def shown(*words: str, width: int = 80) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(width)}
    done = subprocess.run(
        [sys.executable, "-m", "urlextract", *words],
        capture_output=True,
        env=environment,
        timeout=LIMIT,
        check=True,
    )
    return done.stdout.decode().splitlines()


def test_the_page_is_what_the_commands_say():
    assert PAGE.read_text() == man_page(), "python -m urlextract.cli.manual > " + str(PAGE)


DEFECTIVE = (
    "see http://a.example/one-\ntwos for it",
    "Seehttp://a.example/",
    "<http://a.example/ and more",
    "see http://a.example/?x=3Dy, and",
    "http://a.example/\udce9t",
    f"http://a.example/{'x' * 70_000}",
)


@pytest.mark.parametrize("text", DEFECTIVE)
def test_the_page_has_the_defects_of_texts(text: str) -> None:
    defects = [defect for found in extract(text) for defect in found.defects]
    assert defects
    assert not [
        defect for defect in defects if f"\\fB{defect.replace('-', chr(92) + '-')}\\fR" not in man_page()
    ]


def test_the_page_has_every_option_of_every_command():
    page = PAGE.read_text()
    commands = [extract_command, *map(load, COMMANDS)]
    for command in commands:
        for option in options_of(command):
            assert rf"\fB{max(option.opts, key=len)}\fR".replace("-", r"\-") in page
    assert sum(len(list(options_of(command))) for command in commands) > 50


def test_the_help_of_all_options_is_a_sentence():
    for option in options_of(extract_command):
        assert re.match(r"[A-Z-].{15,}[.]\Z|.*repeatable", option.help or ""), option.opts


def test_the_help_fits_two_screens():
    lines = shown("--help")
    assert len(lines) <= 2 * 50
    assert max(map(len, lines)) < 80
    text = "\n".join(lines)
    for option in extract_command.params:
        if isinstance(option, click.Option):
            assert f"--{max(option.opts, key=len).lstrip('-')} " in text


def test_on_a_narrow_screen_nothing_is_cut():
    lines = shown("--help", width=40)
    assert {line.split()[0] for line in lines if line.startswith("  -")} >= {"-j,", "--since", "-h,"}


@pytest.mark.slow
@pytest.mark.parametrize(("program", "package", "words"), [
    ("mandoc", "mandoc", ("-Tlint", "-Wwarning")),
    ("groff", "groff", ("-man", "-ww", "-Tutf8", "-z")),
])  # fmt: skip
def test_troff_has_nothing_to_complain_of(program, package, words):
    done = subprocess.run(
        [need(package, program), *words, PAGE], capture_output=True, timeout=LIMIT, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, b"")


@pytest.mark.slow
def test_man_finds_the_page_by_the_place_of_the_command(tmp_path):
    man = need("man-db", "man")
    (tmp_path / "bin").mkdir()
    (tmp_path / "share").symlink_to(SHARE)
    environment = surroundings(tmp_path, MANWIDTH="78", MANROFFOPT="-c", PAGER="cat", MAN_DISABLE_SECCOMP="1")
    text = re.sub(".\b", "", run(man, "urlextract", env=environment, cwd=tmp_path).decode())
    assert "find URLs in mail, news and text, and print them" in text
    assert "--policy HOW" in text


@pytest.mark.parametrize("words", [words for _, words in EXAMPLES if "|" not in words])
def test_the_examples_of_the_page_work(words, tmp_path):
    (tmp_path / "mail.mbox").write_bytes((ROOT / "corpora" / "inbox.mbox").read_bytes())
    (tmp_path / "letter.eml").write_bytes((ROOT / "corpora" / "sample.eml").read_bytes())
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "1").write_text("From: a@a.example\nSubject: x\n\nhttp://a.example/\n")
    output = run("sh", "-c", words, cwd=tmp_path, env=surroundings(tmp_path))
    assert output or "-i" in words


def test_all_is_installed():
    try:
        files = importlib.metadata.distribution("urlextract-mail").files or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package runs from its folder, and is not installed")
    installed = {
        Path(str(path)).parts[-4:]: Path(str(path.locate())).read_text()
        for path in files
        if "share" in path.parts
    }
    for path in (PAGE, *COMPLETIONS.values()):
        assert installed[("share", *path.parts[-3:])] == path.read_text()


@pytest.mark.parametrize(("line", "offered"), LINES)
def test_bash_completes(line, offered, tmp_path):
    words = shlex.split(line)
    script = (
        f". {COMPLETIONS['bash']}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        '_urlextract_completion urlextract; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    output = run("bash", "--norc", "-c", script, cwd=tmp_path, env=surroundings(tmp_path))
    assert set(output.decode().split()) == offered


@pytest.mark.slow
@pytest.mark.parametrize(("line", "offered"), LINES)
def test_fish_completes(line, offered, tmp_path):
    script = f"source {COMPLETIONS['fish']}; complete -C {shlex.quote(line)}"
    output = run(need("fish", "fish"), "-N", "-c", script, cwd=tmp_path, env=surroundings(tmp_path)).decode()
    assert {line.partition("\t")[0] for line in output.splitlines()} == offered


@pytest.mark.slow
def test_fish_completes_files(tmp_path):
    (tmp_path / "letter.eml").touch()
    script = f"source {COMPLETIONS['fish']}; complete -C 'urlextract -u lett'"
    output = run(need("fish", "fish"), "-N", "-c", script, cwd=tmp_path, env=surroundings(tmp_path))
    assert output.decode().split() == ["letter.eml"]


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_tab_completes(shell, tmp_path):
    program, tmux = need(shell, shell), need("tmux", "tmux")
    (tmp_path / "letter.eml").touch()
    (tmp_path / ".zshrc").write_text(
        f"fpath=({COMPLETIONS['zsh'].parent} $fpath)\nautoload -U compinit; compinit -u\nPS1='ready> '\n"
    )
    (tmp_path / "bashrc").write_text(f". {COMPLETIONS['bash']}\nPS1='ready> '\n")
    environment = surroundings(tmp_path, TMUX_TMPDIR=str(tmp_path), TERM="screen", SHELL="/bin/sh")
    start = f"{program} --rcfile bashrc -i" if shell == "bash" else f"{program} -i"
    tell = (tmux, "-L", shell, "-f", "/dev/null")
    run(*tell, "new-session", "-d", "-x", "100", "-y", "20", start, cwd=tmp_path, env=environment)

    def wait_for(text: str) -> None:
        wait_until(
            lambda: text in run(*tell, "capture-pane", "-p", env=environment).decode(), f"{text!r} in {shell}"
        )

    try:
        wait_for("ready>")
        for typed, completed in (
            ("urlextract --uni", "--unique"),
            (" --hyphen evi", "evidence"),
            (" lett", "letter.eml"),
        ):
            run(*tell, "send-keys", "-l", typed, env=environment)
            run(*tell, "send-keys", "Tab", env=environment)
            wait_for(completed)
    finally:
        run(*tell, "kill-server", env=environment)
