"""The command line: the commands by name, one of which is loaded and run.

This package contains no rules about URLs. Results go to standard output as soon as they are
known, all else goes to standard error. Exit statuses are those of grep: 0 found, 1 none, 2 trouble.

- ``program``: runs a command with click; turns each mistake into one line with a hint.
- ``rows``: makes options of click from the tables of options.
- ``values``: the types of their values.
- ``gone``: what earlier versions had, and what does it now.
- ``completing``: answers a shell that asks for completions.
- ``reporting``: exit statuses, errors on standard error, signals, texts on standard input.
- ``extracting``: the command without a name, which prints the URLs of its sources.
- ``parse_command``: ``urlextract parse``.
- ``text_commands``: ``urlextract format``, ``mend`` and ``rewrap``.
- ``pick_command``: ``urlextract pick``.
- ``index_command``: ``urlextract index``.
- ``report_command``: ``urlextract report``.
- ``cluster_command``: ``urlextract cluster``.
"""

from __future__ import annotations

import os

COMMANDS = {
    "pick": ("pick_command", "choose links of a message, and open them"),
    "mend": ("text_commands", "make broken URLs whole"),
    "rewrap": ("text_commands", "fill paragraphs around URLs"),
    "format": ("text_commands", "print a URL with safe line breaks"),
    "parse": ("parse_command", "take a URL apart"),
    "index": ("index_command", "keep URLs in an SQLite file"),
    "report": ("report_command", "make a page of it"),
    "cluster": ("cluster_command", "read archives on many machines"),
}
"""The commands with a name, each with its module and what it does; any other call extracts URLs."""

COMPLETES = "_URLEXTRACT_COMPLETE"
"""The environment variable with which a shell asks for completions."""


def hint_at_command(word: str) -> str:
    """Return a hint at the command whose name is like ``word``; an empty string for the name of a file."""
    if word.startswith("-") or "\0" in word or os.path.lexists(word):
        return ""
    if word in COMMANDS:
        return f": the command comes first: urlextract {word}"
    if word == "help":
        return f": there is help for {', '.join(COMMANDS)}, {_RECORDS}"
    if "://" in word:
        return (
            ": nothing is fetched: echo URL | urlextract reads it, curl -s URL | urlextract --base URL a page"
        )
    from difflib import get_close_matches  # a mistake alone needs it

    guesses = get_close_matches(word, [*COMMANDS, *_NO_COMMANDS], 1, _LIKE)
    if not guesses:
        return ""
    return f": did you mean 'urlextract {_NO_COMMANDS.get(guesses[0], guesses[0])}'?"


_ASKING = ("-h", "--help", "--man")
_RECORDS = "records"  # a page of the manual that is of no command
_NO_COMMANDS = {"help": "help", "version": "--version"}  # that are commands of other programs
_LIKE = 0.75  # of names that are mistyped: 1 is that of equal names


def run(words: list[str]) -> None:
    """Run the command that the first of the words names, or the one that extracts; then exit.

    Help is asked for before the command, too: ``help pick``, ``--man pick``. A shell may ask for completions
    instead.
    """
    from urlextract.cli.extracting import extract_command
    from urlextract.cli.program import load, run_program, show_page

    first, topic = [*words, "", ""][:2]
    if first == "help" and not os.path.lexists(first):
        is_topic = topic in ("", _RECORDS, *COMMANDS)
        words = [first := "--help", *words[1:]] if is_topic else words[:1]
    if first in _ASKING and topic in COMMANDS:
        words = [topic, first]
    if COMPLETES in os.environ:
        from urlextract.cli.completing import complete

        complete(extract_command)
    elif words and words[0] in COMMANDS:
        run_program(load(words[0]), words[1:], f"urlextract {words[0]}")
    elif first in _ASKING and topic == _RECORDS:
        show_page("man5", f"urlextract-{topic}.5")
    else:
        run_program(extract_command, words, "urlextract")
