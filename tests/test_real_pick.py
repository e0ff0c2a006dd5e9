"""``urlextract pick`` in real mail readers, news readers and editors, by the lines of the README."""

from __future__ import annotations

import atexit
import re
import shlex
import subprocess
import sys
import time
from base64 import b64encode
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from realtools import (
    EMACS_LISP,
    LIMIT,
    README,
    install,
    need,
    run,
    surroundings,
    wait_until,
    write_script,
)
from screens import Screen, Screens, closing_screens, manual_block, readme_line
from terminals import OnTerminal
from test_real_mutt import IN_BODY, MESSAGE, open_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LETTER = MESSAGE.partition(b"\n")[2].partition(b"\nFrom ben")[0]
PICK = "urlextract pick"
WAYS = {"fzf": PICK, "list": f"{PICK} --list"}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """Return how links are chosen: with fzf, or from a list."""
    if request.param == "fzf":
        need("fzf", "fzf")
    return request.param


@pytest.fixture
def screens(tmp_path: Path) -> Iterator[Screens]:
    """Yield screens that are closed at the end. A stub notes what is opened."""
    write_script(tmp_path / "bin" / "xdg-open", 'printf "%s\\n" "$#" "$@" > part; mv part "$HOME/opened"')
    with closing_screens() as opened:
        yield opened


def press_until(screen: Screen, key: str, is_so: Callable[[], bool]) -> None:
    """Press a key, again from time to time: aerc takes none as long as it reads its folder."""
    pressed = 0.0

    def is_so_now() -> bool:
        nonlocal pressed
        if not is_so() and time.monotonic() - pressed > 2:
            screen.press(key)
            pressed = time.monotonic()
        return is_so()

    wait_until(is_so_now, lambda: f"what {key} does:\n{screen.shown}")
    screen.press("C-u")  # the key may have been pressed once too often


def choose_second(screen: Screen, way: str) -> None:
    if way == "fzf":
        screen.wait_for("Enter opens")
        screen.wait_for("gopher.example.edu")
        screen.press("Down")
        second = re.compile(r"^> .*www.example.org/abc/", re.MULTILINE)
        wait_until(lambda: second.search(screen.shown), "the second link")
        screen.press("Enter")
    else:
        screen.wait_for("A number opens")
        screen.type("2")


def opened(home: Path) -> list[str]:
    """Return the number of arguments and the arguments of the stub that opens URLs."""
    wait_until((home / "opened").exists, "what was opened")
    return (home / "opened").read_text().splitlines()


def check_second(screen: Screen, way: str, home: Path) -> None:
    """Choose the second link of our message, and see that it is opened; leave the list."""
    choose_second(screen, way)
    assert opened(home) == ["1", IN_BODY[1]]
    if way == "list":
        screen.type("q")


def of_readme(begin: str, way: str) -> str:
    """Return the line that the README has for a program, with the way to choose links."""
    return f"{readme_line(begin).replace(PICK, WAYS[way])}\n"


def of_manual(begin: str, way: str) -> str:
    """Return the lines that the manual has for a program, with the way to choose links."""
    return manual_block(begin).replace(PICK, WAYS[way])


@pytest.mark.parametrize("reader", ["mutt", "neomutt"])
def test_macro_of_mutt_opens_the_chosen_link_and_mutt_goes_on(reader, way, screens, tmp_path):
    macro = of_readme("mutt and neomutt", way)
    screen = open_reader(screens, reader, tmp_path, macro)
    screen.press("C-b")
    check_second(screen, way, tmp_path)
    screen.wait_for("another one")
    screen.press("j")
    screen.press("C-b", until="other.example.org")


@pytest.mark.parametrize("reader", ["mutt", "neomutt"])
def test_macro_of_mutt_works_in_the_pager(reader, screens, tmp_path):
    macro = of_readme("mutt and neomutt", "list")
    screen = open_reader(screens, reader, tmp_path, macro)
    screen.press("Enter", until="They are at")
    screen.press("C-b")
    check_second(screen, "list", tmp_path)
    screen.wait_for("They are at")


@pytest.mark.parametrize("reader", ["mutt", "neomutt"])
@pytest.mark.parametrize("key", ["C-c", "C-d"])
def test_mutt_goes_on_after_nothing_was_chosen(reader, key, screens, tmp_path):
    """It asks for a key only after an interrupt."""
    screen = open_reader(screens, reader, tmp_path, of_readme("mutt and neomutt", "list"))
    screen.press("C-b", until="A number opens")
    screen.press(key)
    if key == "C-c":
        wait_until(lambda: "A number opens" not in screen.shown or "Press any key" in screen.shown, "mutt")
        screen.press("x")
    screen.wait_for("another one")
    screen.press("C-b")
    check_second(screen, "list", tmp_path)


def open_aerc(screens: Screens, home: Path, bindings: str) -> Screen:
    """Start aerc with our message in its only folder; ``bindings`` is its file of these."""
    for name in ("cur", "new", "tmp"):
        (home / "mail" / "box" / name).mkdir(parents=True)
    (home / "mail" / "box" / "cur" / "1:2,S").write_bytes(LETTER)
    settings = home / ".config" / "aerc"
    settings.mkdir(parents=True)
    accounts = settings / "accounts.conf"
    accounts.write_text(f"[x]\nsource = maildir://{home}/mail\ndefault = box\nfrom = a@a.example\n")
    accounts.chmod(0o600)
    (settings / "binds.conf").write_text(bindings)
    screen = screens.open([need("aerc", "aerc")], home, XDG_RUNTIME_DIR=str(home))
    screen.wait_for("the tables of the harbour")
    return screen


def check_aerc(screen: Screen, way: str, home: Path) -> None:
    press_until(screen, "C-b", lambda: f"{'Enter' if way == 'fzf' else 'A number'} opens" in screen.shown)
    check_second(screen, way, home)


def test_binding_of_aerc_opens_the_chosen_link(way, screens, tmp_path):
    binding = of_readme("aerc", way)
    check_aerc(open_aerc(screens, tmp_path, f"[messages]\n{binding}"), way, tmp_path)


def test_binding_of_aerc_works_where_a_message_is_viewed(screens, tmp_path):
    binding = of_readme("aerc", "list")
    screen = open_aerc(screens, tmp_path, f"[messages]\n<Enter> = :view<Enter>\n[view]\n{binding}")
    press_until(screen, "Enter", lambda: "They are at" in screen.shown)
    check_aerc(screen, "list", tmp_path)


def test_binding_of_aerc_replaces_the_line_that_it_comes_with(screens, tmp_path):
    binding = of_readme("aerc", "list")
    need("aerc", "aerc")
    line, own = re.compile(r"^<C-b> =.*\n", re.MULTILINE), Path("/usr/share/aerc/binds.conf").read_text()
    bindings, replaced = line.subn(lambda _: binding, own)
    assert replaced == 1
    check_aerc(open_aerc(screens, tmp_path, bindings), "list", tmp_path)


def test_aerc_pipes_without_a_shell(screens, tmp_path):
    write_script(tmp_path / "bin" / "noted", 'printf "%s\\n" "$@" > part; mv part "$HOME/words"')
    screen = open_aerc(screens, tmp_path, "[messages]\n<C-b> = :pipe -m noted $HOME|x&y $(z)<Enter>\n")
    press_until(screen, "C-b", (tmp_path / "words").exists)
    assert (tmp_path / "words").read_text().split() == ["$HOME|x&y", "$(z)"]


def notmuch(home: Path) -> dict[str, str]:
    """Make a database with our message; return the environment."""
    program, environment = need("notmuch", "notmuch"), surroundings(home)
    box = home / "mail" / "cur"
    box.mkdir(parents=True)
    (box / "1:2,").write_bytes(LETTER)
    user = "[user]\nname=A\nprimary_email=a@a.example\n[new]\ntags=unread;inbox\n"
    (home / ".notmuch-config").write_text(f"[database]\npath={home}/mail\n{user}")
    run(program, "new", env=environment)
    return {"NOTMUCH_CONFIG": str(home / ".notmuch-config")}


def test_binding_of_alot_opens_the_chosen_link(way, screens, tmp_path):
    alot, environment = need("alot", "alot"), notmuch(tmp_path)
    settings = tmp_path / "alot"
    account = "[accounts]\n  [[a]]\n    realname = A\n    address = a@a.example\n"
    binding = of_manual("alot", way)
    settings.write_text(f"initial_command = search tag:inbox\n{binding}{account}")
    screen = screens.open([alot, "-c", str(settings)], tmp_path, **environment)
    screen.wait_for("the tables of the")
    screen.press("Enter", until="They are at")
    screen.press("C-b")
    check_second(screen, way, tmp_path)
    screen.wait_for("They are at")


def test_line_of_notmuch_opens_the_chosen_link(screens, tmp_path):
    screen = screens.open(["sh"], tmp_path, **notmuch(tmp_path))
    screen.type(of_readme("notmuch, in a shell", "list").strip())
    check_second(screen, "list", tmp_path)


GROUP = "comp.test"


ARTICLE = b"""\
Path: x!not
Newsgroups: comp.test
From: Ada <ada@cs.example.edu>
Subject: the tables of the harbour
Message-ID: <one@cs.example.edu>
Date: Mon, 14 Nov 1994 09:12:44 +0000

They are at <URL:http://www.example.org/harbour/
tables/north.html?year=1996> now, or was it http://www.example.org/abc/?

Gopher: gopher://gopher.example.edu/11/tides
"""


def make_spool(home: Path) -> Path:
    """Make a spool with one group and one article."""
    spool, library = home / "spool", home / "lib"
    folder = spool / GROUP.replace(".", "/")
    folder.mkdir(parents=True)
    library.mkdir()
    (folder / "1").write_bytes(ARTICLE)
    fields = ("1", "the tables of the harbour", "Ada <ada@cs.example.edu>", "Mon, 14 Nov 1994 09:12:44 +0000",
              "<one@cs.example.edu>", "", str(len(ARTICLE)), "20")  # fmt: skip
    (folder / ".overview").write_text("\t".join(fields) + "\n")
    names = "Subject:\nFrom:\nDate:\nMessage-ID:\nReferences:\nBytes:\nLines:\n"
    (library / "overview.fmt").write_text(names)
    (library / "active").write_text(f"{GROUP} 0000000001 0000000001 y\n")
    (library / "active.times").touch()
    (library / "newsgroups").write_text(f"{GROUP}\ttests\n")
    (home / "newsrc").write_text(f"{GROUP}:\n")
    return spool


def open_article(screen: Screen) -> None:
    screen.wait_for(GROUP)
    screen.press("Enter", until="the tables of the harbour")
    screen.press("Enter", until="They are at")


def test_macro_of_slrn_opens_the_chosen_link(way, screens, tmp_path):
    slrn, spool = need("slrn", "slrn"), make_spool(tmp_path)
    files = {"spool_root": spool, "spool_nov_root": spool, "spool_nov_file": ".overview",
             "spool_inn_root": tmp_path / "lib", "spool_active_file": "active", "username": "a",
             "spool_activetimes_file": "active.times", "spool_newsgroups_file": "newsgroups",
             "hostname": "a.example"}  # fmt: skip
    (tmp_path / "pick.sl").write_text(of_manual("slrn", way))
    lines = [*(f'set {name} "{value}"' for name, value in files.items()), 'interpret "pick.sl"', ""]
    (tmp_path / ".slrnrc").write_text("\n".join(lines))
    screen = screens.open([slrn, "-f", "newsrc", "--spool"], tmp_path)
    open_article(screen)
    screen.press("C-b")
    check_second(screen, way, tmp_path)
    screen.wait_for("They are at")


def test_setting_of_tin_opens_the_chosen_link(way, screens, tmp_path):
    tin, spool = need("tin", "tin"), make_spool(tmp_path)
    (tmp_path / ".tin").mkdir()
    (tmp_path / ".tin" / "tinrc").write_text(of_readme("tin, in ", way))
    where = {"TIN_SPOOLDIR": str(spool), "TIN_NOVROOTDIR": str(spool), "TIN_LIBDIR": str(tmp_path / "lib"),
             "TIN_ACTIVEFILE": str(tmp_path / "lib" / "active")}  # fmt: skip
    screen = screens.open([tin, "-x", "-n", "-f", "newsrc"], tmp_path, **where)
    open_article(screen)
    for key, answer in (("|", "Pipe a=article"), ("a", "Pipe to command")):
        screen.press(key, until=answer)
    screen.press("Enter")
    check_second(screen, way, tmp_path)


def test_mapping_of_vim_opens_the_chosen_link(way, screens, tmp_path):
    vim = need("vim", "vim")
    (tmp_path / "letter").write_bytes(LETTER)
    (tmp_path / "vimrc").write_text(of_manual("Vim", way))
    screen = screens.open([vim, "-N", "-u", "vimrc", "letter"], tmp_path)
    screen.wait_for("Return-Path")
    screen.press("\\", "u")
    check_second(screen, way, tmp_path)
    screen.wait_for("ENTER")
    screen.press("Enter", "Enter", until="Return-Path")


EMACS_SETTINGS = """\
(setq inhibit-startup-screen t auto-save-default nil make-backup-files nil
      browse-url-browser-function
      (lambda (url &rest _) (write-region url nil "part") (rename-file "part" "opened")))
"""
GNUS = """\
(setq gnus-select-method '(nnnil "") gnus-init-file nil gnus-startup-file "newsrc" gnus-save-newsrc-file nil
      gnus-read-newsrc-file nil)
(require 'gnus)
(gnus-no-server)
(gnus-group-read-ephemeral-group
 "box" `(nndoc "box" (nndoc-address ,(expand-file-name "box")) (nndoc-article-type mbox)))
(gnus-summary-select-article nil t)
"""
MU4E = """\
(require 'mu4e)
(mu4e t)
(mu4e-view-message-with-message-id "one@cs.example.edu")
"""
NOTMUCH = """\
(require 'notmuch)
(notmuch-show "id:one@cs.example.edu")
"""


def for_gnus(home: Path) -> dict[str, str]:
    (home / "box").write_bytes(b"From a@b Mon Nov 14 09:12:44 1994\n" + LETTER + b"\n")
    return {}


def need_library(package: str, name: str) -> None:
    """Install a library of Emacs if needed, or skip the test."""

    def is_there() -> bool:
        return any(Path("/usr/share/emacs/site-lisp").rglob(name))

    trouble = "" if is_there() else install(package)
    if not is_there():
        pytest.skip(f"no {name}: {trouble or 'it is not in package ' + package}")


def for_mu4e(home: Path) -> dict[str, str]:
    need("maildir-utils", "mu")
    need_library("mu4e", "mu4e.el")
    for folder in ("", "sent", "drafts", "trash"):
        for name in ("cur", "new", "tmp"):
            (home / "Maildir" / folder / name).mkdir(parents=True)
    (home / "Maildir" / "cur" / "1:2,S").write_bytes(LETTER)
    run("mu", "init", "--maildir", home / "Maildir", env=surroundings(home))
    run("mu", "index", env=surroundings(home))
    return {}


def for_notmuch(home: Path) -> dict[str, str]:
    need_library("elpa-notmuch", "notmuch.el")
    return notmuch(home)


@pytest.mark.parametrize(("prepare", "start"), [(for_gnus, GNUS), (for_mu4e, MU4E), (for_notmuch, NOTMUCH)],
                         ids=["Gnus", "mu4e", "notmuch"])  # fmt: skip
def test_function_of_emacs_browses_the_chosen_link(
    prepare: Callable[[Path], dict[str, str]], start: str, screens: Screens, tmp_path: Path
) -> None:
    emacs = need("emacs-nox", "emacs")
    environment = prepare(tmp_path)
    (tmp_path / "init.el").write_text(EMACS_SETTINGS + EMACS_LISP.read_text() + start)
    screen = screens.open([emacs, "-nw", "-q", "-l", "init.el"], tmp_path, **environment)
    screen.wait_for("They are at")
    screen.press("M-x")
    screen.type("urlextract-browse", until="Link:")
    screen.tmux("send-keys", "-l", "org/abc")
    screen.press("Tab", "Enter")
    assert opened(tmp_path) == [IN_BODY[1]]


def test_function_of_emacs_browses_a_link_of_a_buffer(tmp_path):
    emacs = need("emacs-nox", "emacs")
    (tmp_path / "letter").write_bytes(LETTER)
    (tmp_path / "init.el").write_text(EMACS_SETTINGS + EMACS_LISP.read_text())
    (tmp_path / "choose.el").write_text(
        '(defun completing-read (_ links &rest _) (nth 1 (all-completions "" links)))'
    )
    run(emacs, "-Q", "--batch", "-l", "init.el", "-l", "choose.el", "letter", "-f", "urlextract-browse",
        cwd=tmp_path, env=surroundings(tmp_path))  # fmt: skip
    assert opened(tmp_path) == [IN_BODY[1]]


def test_function_of_emacs_says_that_there_is_no_link(tmp_path):
    emacs = need("emacs-nox", "emacs")
    (tmp_path / "letter").write_text("none\n")
    words = [emacs, "-Q", "--batch", "-l", EMACS_LISP, "letter", "-f", "urlextract-browse"]
    done = subprocess.run(words, cwd=tmp_path, env=surroundings(tmp_path), capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode != 0
    assert '(user-error "No link")' in done.stderr


FILLED = """\
(mark-whole-buffer)
(condition-case trouble (urlextract-rewrap (point-min) (point-max)) (error (princ trouble)))
(write-region nil nil "filled")
"""


@pytest.mark.parametrize("is_there", [True, False])
def test_editors_fill_a_text_and_keep_it_without_the_program(is_there, tmp_path):
    emacs, vim = need("emacs-nox", "emacs"), need("vim", "vim")
    words = "The tables of the harbour are now to be found at http://a.example/x, by"
    rest = "which nobody has to call the pilots, and of which all is free."
    text, filled = f"{words} {rest}\n", f"{words}\n{rest}\n"
    environment = surroundings(tmp_path)
    if not is_there:
        environment["PATH"] = "/usr/bin:/bin"
    (tmp_path / "letter").write_text(text)
    (tmp_path / "fill.el").write_text(FILLED)
    run(emacs, "-Q", "--batch", "-l", EMACS_LISP, "letter", "-l", "fill.el", cwd=tmp_path, env=environment)
    assert (tmp_path / "filled").read_text() == (filled if is_there else text)
    (tmp_path / "vimrc").write_text(manual_block("Vim"))
    run(vim, "-N", "-es", "-u", "vimrc", "-c", "normal gqG", "-c", "write! filled", "-c", "qall!", "letter",
        cwd=tmp_path, env=environment)  # fmt: skip
    assert (tmp_path / "filled").read_text() == (filled if is_there else text)


# --- fzf, terminals and clipboards ----------------------------------------------------------------


@cache
def newest_fzf() -> Path | None:
    """Return the newest fzf, which a package of PyPI brings with it; None where it cannot be had."""
    folder = Path(mkdtemp(prefix="fzf-"))
    atexit.register(rmtree, folder)
    words = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "iterfzf")
    subprocess.run(words, capture_output=True, check=False)
    for wheel in folder.glob("*.whl"):
        path = Path(ZipFile(wheel).extract("iterfzf/fzf", folder))
        path.chmod(0o755)
        return path
    return None


@pytest.fixture(params=["of Debian", "newest"])
def fzf(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Have fzf of Debian, or the newest one."""
    if request.param == "of Debian":
        need("fzf", "fzf")
    elif program := newest_fzf():
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / "fzf").symlink_to(program)
    else:
        pytest.skip("no iterfzf on PyPI's registry, which has the newest fzf")


@pytest.fixture
def open_pick(screens: Screens, tmp_path: Path) -> Callable[..., Screen]:
    """Start the program in a shell, which shows its exit status; its input is a pipe."""

    def start(words: str = "", command: str = "", *, until: str, data: bytes = LETTER, **how: str) -> Screen:
        (tmp_path / "letter").write_bytes(data)
        screen = screens.open(["sh"], tmp_path, **how)
        command = command or f"cat letter | {PICK} {words}"
        screen.type(f"PS1=; stty -a > before; clear; {command}; echo status $?; stty -a > after", until=until)
        return screen

    return start


def is_left_as_it_was(home: Path) -> bool:
    wait_until((home / "after").exists, "the end")
    wait_until((home / "after").read_text, "the modes of the terminal")
    return (home / "before").read_text() == (home / "after").read_text()


def test_several_links_are_marked_in_fzf(fzf, open_pick, tmp_path):
    screen = open_pick("--print > printed", until="Enter prints")
    screen.press("Tab", "Tab", "Enter", until="status 0")
    assert (tmp_path / "printed").read_text().splitlines() == IN_BODY[:2]
    assert is_left_as_it_was(tmp_path)


@pytest.mark.parametrize("options", [
    "--read0 --print0 --ansi --print-query --with-nth=1 --delimiter=: --no-multi --preview='touch made {}'",
    "--expect=ctrl-x --tac --height=50% --bind='ctrl-y:abort' --no-header",
    "--height 20% --layout=reverse --border --margin 5 --color light --preview-window=up:90% --such=none",
    "--bind 'enter:execute(touch made)' --tmux",
    "'",
])  # fmt: skip
def test_options_of_the_user_do_not_confuse_fzf(fzf, options, open_pick, tmp_path):
    screen = open_pick("-p", FZF_DEFAULT_OPTS=options, FZF_DEFAULT_COMMAND="touch made", until="gopher")
    screen.tmux("send-keys", "-l", "abc/")
    screen.wait_for("1/3")
    screen.press("Enter", until="status 0")
    assert IN_BODY[1] in screen.shown.splitlines()
    assert not (tmp_path / "made").exists()


SAME_WORDS = b"<!doctype html>" + b"".join(
    b"<p><a href='http://www.example.org/a/very/long/way/to/the/%s?utm_source=a_long_letter'>%s</a>"
    % (end, b"one and the same long text of a link " * 3)
    for end in (b"north", b"south", b"east")
)


def test_rows_follow_a_window_that_is_resized(fzf, open_pick, tmp_path):
    """At 40 columns each has its host and the ends of its path; what was marked stays marked."""
    screen = open_pick("-p > printed", data=SAME_WORDS, size="120x20", until="3/3")
    screen.press("Tab", "Tab", until="(2)")

    def rows(*ends: str) -> bool:
        lines = [line for line in screen.shown.splitlines() if "www.example.org/\u2026" in line]
        return [end for line, end in zip(lines, ends, strict=False) if end in line] == [*ends]

    for columns, words in ((40, ""), (100, "one and the same"), (40, ""), (160, "/a/very/long/way/to/the/")):
        screen.tmux("resize-window", "-x", str(columns), "-y", "20")
        ends = [f"{end}?\u2026" for end in ("north", "south", "east")]
        wait_until(lambda: rows(*ends) and words in screen.shown, lambda: screen.shown)  # noqa: B023
        assert "(2)" in screen.shown
    screen.press("Enter", until="status 0")
    printed = (tmp_path / "printed").read_text().splitlines()
    assert [url.partition("/the/")[2][:5] for url in printed] == ["north", "south"]


@pytest.mark.parametrize("size", ["80x11", "40x10"])
def test_preview_goes_where_it_would_cover_the_list(fzf, size, open_pick, tmp_path):
    columns, _, rows = size.partition("x")
    screen = open_pick(
        size="80x24", data=SAME_WORDS, until="| one and the same"
    )  # its context, in the preview
    screen.tmux("resize-window", "-x", columns, "-y", rows)

    def is_list() -> bool:
        lines = screen.shown.splitlines()
        return sum("www.example.org/\u2026" in line for line in lines) == 3 and "  | " not in screen.shown

    wait_until(is_list, lambda: screen.shown)


def test_single_link_is_shown_before_it_is_opened(fzf, open_pick, tmp_path):
    options = "--select-1 --exit-0 --header-lines=1"
    screen = open_pick(data=b"see http://a.example/\n", FZF_DEFAULT_OPTS=options, until="a.example")
    screen.wait_for("1/1")
    assert not (tmp_path / "opened").exists()
    screen.press("Enter")
    assert opened(tmp_path) == ["1", "http://a.example/"]


def test_fzf_that_fails_is_followed_by_the_list(open_pick, tmp_path):
    write_script(tmp_path / "bin" / "fzf", "exit 2")
    screen = open_pick(until="fzf failed; the links as a list:")
    check_second(screen, "list", tmp_path)


@pytest.mark.parametrize("key", ["C-c", "Escape"])
def test_fzf_that_is_left_leaves_the_terminal_as_it_was(fzf, key, open_pick, tmp_path):
    open_pick(until="Enter opens").press(key, until="status 0")
    assert is_left_as_it_was(tmp_path)


@pytest.mark.parametrize(("name", "status"), [("TERM", 143), ("HUP", 129)])
def test_signal_ends_fzf_too_and_leaves_the_terminal_as_it_was(fzf, name, status, open_pick, tmp_path):
    write_script(tmp_path / "bin" / "started", 'echo $$ > pid; exec urlextract pick -p "$@"')
    screen = open_pick(command="started letter", TMPDIR=str(tmp_path), until="Enter prints")
    run("sh", "-c", f"kill -{name} $(cat pid)", cwd=tmp_path)
    screen.wait_for(f"status {status}")
    assert is_left_as_it_was(tmp_path)
    assert not list(tmp_path.glob("urlextract-*"))


def test_hostile_message_runs_nothing_in_fzf(fzf, open_pick, tmp_path):
    words = "$(touch made) `touch made` '; touch made; ' {1} {q} {+f} \\' | touch made &"
    page = f"<p>{words} <a href='http://a.example/$(touch%20made)`touch`;{{}}'>{words}\x1b[2J</a> <a href=http://b.example/>b</a>"
    screen = open_pick(data=b"Content-Type: text/html\nTo: x\n\n" + page.encode(), until="a.example")
    screen.press("Down", until="http://b.example/")
    screen.press("Up", "Enter")
    assert opened(tmp_path) == ["1", "http://a.example/$(touch%20made)`touch`;{}"]
    assert not (tmp_path / "made").exists()


def test_narrow_terminal_shows_hosts_in_fzf(fzf, open_pick, tmp_path):
    screen = open_pick(size="20x10", until="3/3")
    assert len([line for line in screen.shown.splitlines() if "xample." in line]) == 3
    screen.press("Enter")
    assert opened(tmp_path) == ["1", IN_BODY[0]]


def test_link_is_copied_by_tmux(open_pick, tmp_path):
    screen = open_pick("--list", SSH_TTY="/dev/pts/0", until="A number opens")
    screen.type("y 2", until="copied by tmux")
    assert screen.tmux("show-buffer") == IN_BODY[1]


def test_over_ssh_the_link_gets_through_tmux_to_the_terminal(tmp_path):
    program = need("tmux", "tmux")
    (tmp_path / "letter").write_bytes(LETTER)
    own = {"SSH_TTY": "/dev/pts/0", "TERM": "xterm-256color", "TMUX_TMPDIR": str(tmp_path)}
    environment = surroundings(tmp_path, **own)
    write_script(tmp_path / "bin" / "inside", f"{PICK} --list letter")
    session = OnTerminal(
        ["-f", "/dev/null", "new-session", "inside"], b"", tmp_path, program=[program], **environment
    )
    try:
        session.wait_for("A number opens")
        session.type("y 2")
        session.wait_for(b64encode(IN_BODY[1].encode()).decode())
        assert b"\x1b]52;" in session.shown
    finally:
        session.close()
        command = [program, "kill-server"]
        subprocess.run(command, env=environment, capture_output=True, timeout=LIMIT, check=False)


@pytest.mark.parametrize("browser", ["w3m", "lynx"])
def test_browser_of_the_terminal_shows_the_page_and_returns(browser, open_pick, tmp_path):
    need(browser, browser)
    write_script(tmp_path / "bin" / "xdg-open", "exit 1")
    settings = {"BROWSER": browser, "DISPLAY": ":9", "http_proxy": "http://127.0.0.1:9/"}
    screen = open_pick("--list", until="A number opens", **settings)
    screen.type("2")
    wait_until(lambda: "status" in screen.shown or "refused" in screen.shown.lower(), "the browser")
    screen.press("q", "y", "C-u")
    screen.type("q", until="status")
    assert is_left_as_it_was(tmp_path)


def test_lines_of_the_readme_are_those_of_the_manual():
    macro = readme_line("mutt and neomutt")
    assert macro in manual_block("mutt and neomutt")
    assert readme_line("Vim") in manual_block("Vim")
    assert shlex.split(macro)[:2] == ["macro", "index,pager"]
    assert README.count(PICK) >= 6
