"""Open URLs with the program that the user names, or that of the desktop; never by way of a shell.

Each URL is one argument of a program, and begins with a scheme, so it is never taken for an option.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import NamedTuple

from urlextract.grammar.escapes import decoded_text
from urlextract.grammar.patterns import lazy_re
from urlextract.picking.tty import Terminal, ended_with_us

OPENED = frozenset(
    ("http", "https", "ftp", "ftps", "gopher", "gemini", "mailto",
     "news", "snews", "nntp", "nntps", "irc", "ircs", "webcal")
)  # fmt: skip
"""The schemes that are opened. Those that run or read what is on this machine (``javascript``, ``file``,
``data``, ``man``, ``telnet`` ...) are not, nor those of other programs, which may do anything."""

# The fields of a mail that a link may fill in (RFC 6068, section 7). "attach" would send a file.
_FIELDS = frozenset(("to", "cc", "bcc", "subject", "body", "in-reply-to", "references", "keywords"))

# Browsers that need the terminal. Others get it only where there is no display for them.
_IN_TERMINAL = frozenset(
    ("lynx", "w3m", "links", "links2", "elinks", "felinks", "www-browser", "browsh", "carbonyl", "cha",
     "chawan", "edbrowse", "netrik", "retawq", "amfora", "bombadillo", "offpunk", "curl", "wget")
)  # fmt: skip
# What takes the next word for a program text, or all words for a command of a shell
_RUNS_NEXT = lazy_re(r"-[A-Za-z]{0,3}[ce]|--(?:eval|exec|execute|command)")
_RUNS_ALL = frozenset(("ssh", "su", "watch", "eval", "tmux"))
_PATIENCE = 1.0  # seconds


class Opener(NamedTuple):
    """A program that opens URLs: its arguments, with ``%s`` for the URL, or without."""

    words: tuple[str, ...]
    in_background: bool = False
    """The user says that the program does not need the terminal ("&" after the command)."""

    def command(self, url: str) -> list[str]:
        """Return the arguments for a URL.

        >>> Opener(("lynx", "-accept_all_cookies")).command("http://a.example/%s")
        ['lynx', '-accept_all_cookies', 'http://a.example/%s']
        >>> Opener(("surf", "--url=%s", "-x")).command("http://a.example/")
        ['surf', '--url=http://a.example/', '-x']
        """
        if any("%s" in word for word in self.words[1:]):
            return [self.words[0], *(word.replace("%s", url) for word in self.words[1:])]
        return [*self.words, url]

    @property
    def fault(self) -> str:
        """Why a URL would be run as a program text, "" if it is but an argument.

        >>> Opener(("sh", "-c", "firefox %s")).fault
        "'firefox %s': a shell would read the URL"
        >>> Opener(("sh", "-c", 'firefox "$1"', "-")).fault
        ''
        """
        for before, word in pairwise(self.command("%s")):
            start = word.partition("%s")[0].removesuffix("=")
            is_read = set(word) & set(" \t\n") or _RUNS_NEXT.fullmatch(before) or _RUNS_NEXT.fullmatch(start)
            if "%s" in word and is_read:
                return f"{word!r}: a shell would read the URL"
        name = self.words[0]
        return f"{name}: a shell would read the URL" if os.path.basename(name) in _RUNS_ALL else ""

    def run(self, url: str, terminal: Terminal | None) -> str:
        """Open a URL; return why that failed, "" if it did not.

        A program that needs the terminal is waited for. Any other goes on when this one ends: it is waited
        for a moment, in which it must fail if it does.
        """
        needs_terminal = os.path.basename(self.words[0]) in _IN_TERMINAL or not _has_display()
        waits = needs_terminal and not self.in_background
        stream = terminal.number if terminal and waits else subprocess.DEVNULL
        # of BROWSER xdg-open makes commands of a shell
        environment = {name: value for name, value in os.environ.items() if name != "BROWSER"}
        with ExitStack() as stack:
            if waits:
                stack.enter_context(_interrupts_left_alone())
            try:
                process = subprocess.Popen(
                    self.command(url), stdin=stream, stdout=stream, stderr=stream,
                    start_new_session=not waits, env=environment,
                )  # fmt: skip
            except (OSError, ValueError) as error:
                return getattr(error, "strerror", None) or str(error)
            if waits:
                stack.enter_context(ended_with_us(process))
            try:
                status = process.wait(None if waits else _PATIENCE)
            except subprocess.TimeoutExpired:
                status = process.returncode = 0  # it runs on: nobody waits for it
        if status < 0:
            return f"ended by signal {-status}"
        return f"exit status {status}" if status else ""


def open_url(url: str, terminal: Terminal | None) -> str:
    """Open a URL with the first of `openers` that can; return why none does, "" if it was opened."""
    why = refusal(url)
    if why:
        return why
    try:
        programs = openers()
    except ValueError as error:
        return f"URLEXTRACT_OPENER or BROWSER: {error}"
    names = ", ".join(program.words[0] for program in programs)
    why = f"not installed: {names} (URLEXTRACT_OPENER and BROWSER name programs)"
    for program in programs:
        if shutil.which(program.words[0]) is None:
            continue
        failure = program.run(url, terminal)
        if not failure:
            return ""
        why = f"{program.words[0]}: {failure}"
    return why


def refusal(url: str) -> str:
    """Return why a URL is not opened, "" if it is.

    >>> refusal("http://a.example/"), refusal("javascript:alert(1)")
    ('', 'URLs of the scheme "javascript" are not opened')
    >>> refusal("mailto:a@b.example?subject=x&attach=/etc/passwd")
    'it fills in the field "attach" of a mail'
    """
    scheme, _, rest = url.partition(":")
    if scheme.lower() not in OPENED:
        return f'URLs of the scheme "{scheme}" are not opened'
    if scheme.lower() == "mailto":
        fields = rest.partition("?")[2].split("&")
        names = (decoded_text(field.partition("=")[0]) for field in fields if field)
        for name in names:
            if name.lower() not in _FIELDS:
                return f'it fills in the field "{name[:40]}" of a mail'
    return ""


def openers() -> list[Opener]:
    """Return the programs to try, in order: URLEXTRACT_OPENER, those of BROWSER, that of the desktop.

    Raise `ValueError` if a variable has a quote that does not end, or a program that would run a URL.
    """
    own = os.environ.get("URLEXTRACT_OPENER", "").strip()
    if own:
        return [_opener(own)]
    named = [each.strip() for each in os.environ.get("BROWSER", "").split(os.pathsep)]
    desktop = ("open",) if sys.platform == "darwin" else ("xdg-open",)
    return [*map(_opener, filter(None, named)), Opener(desktop)]


def _opener(command: str) -> Opener:
    """Return the program that a variable names: words with quotes as in a shell, perhaps "&" at the end."""
    words = shlex.split(command.removesuffix("&"))
    if not words:
        raise ValueError(f"no program in {command!r}")
    opener = Opener((os.path.expanduser(words[0]), *words[1:]), in_background=command.endswith("&"))
    if opener.fault:
        raise ValueError(opener.fault)
    return opener


def _has_display() -> bool:
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@contextmanager
def _interrupts_left_alone() -> Iterator[None]:
    """Leave Ctrl-C to the program in the foreground from its start on, as a shell does."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
