"""The filters that the README shows, in real Vim, mutt and Emacs."""

from __future__ import annotations

import pytest
from realtools import EMACS_LISP, need, run, surroundings, wait_until
from screens import manual_block, readme_line

TEXT = "> See <URL:http://www.example.org/harbour/\n> tables/north.html> for it, and\n> read on.\n"
FILLED = "> See <URL:http://www.example.org/harbour/tables/north.html> for it, and\n> read on.\n"
MESSAGE = f"From a@a.example Mon Nov 14 09:12:44 1994\nFrom: a@a.example\nSubject: x\n\n{TEXT}\n"


def test_vim_fills_a_text_by_the_readmes_setting(tmp_path):
    vim = need("vim", "vim")
    (tmp_path / "mail").write_text(TEXT)
    (tmp_path / "vimrc").write_text(manual_block("Vim"))
    run(vim, "-Nu", "vimrc", "-es", "-c", "normal gggqG", "-c", "wq", "mail",
        cwd=tmp_path, env=surroundings(tmp_path))  # fmt: skip
    assert (tmp_path / "mail").read_text() == FILLED


def test_emacs_fills_a_text_by_the_readmes_function(tmp_path):
    emacs = need("emacs-nox", "emacs")
    (tmp_path / "mail").write_text(TEXT)
    (tmp_path / "init.el").write_text(EMACS_LISP.read_text())
    call = "(progn (urlextract-rewrap (point-min) (point-max)) (save-buffer))"
    run(emacs, "-Q", "--batch", "-l", "init.el", "mail", "--eval", call,
        cwd=tmp_path, env=surroundings(tmp_path))  # fmt: skip
    assert (tmp_path / "mail").read_text() == FILLED


@pytest.mark.parametrize("reader", ["mutt", "neomutt"])
def test_mutt_shows_the_output_of_the_readmes_filter(reader, tmp_path):
    mutt, tmux = need(reader, reader), need("tmux", "tmux")
    (tmp_path / "box").write_text(MESSAGE)
    line = readme_line("the same")
    (tmp_path / "muttrc").write_text(f'{line}\nset folder=. spoolfile=box record="" sort=mailbox-order\n')
    environment = {**surroundings(tmp_path), "TERM": "screen", "TMUX_TMPDIR": str(tmp_path)}
    command = f"{mutt} -n -F muttrc -f box -e 'push <display-message>'"
    run(tmux, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", command,
        cwd=tmp_path, env=environment)  # fmt: skip
    screen = ""

    def is_shown() -> bool:
        nonlocal screen
        screen = run(tmux, "capture-pane", "-p", env=environment).decode()
        return "for it" in screen

    try:
        wait_until(is_shown, "the message on the screen")
    finally:
        run(tmux, "kill-server", env=environment)
    assert "<URL:http://www.example.org/harbour/tables/north.html>" in screen
    assert "Subject: x" in screen
