"""The command line: the commands by name, one of which is loaded and run.

This package contains no rules about URLs. Results go to standard output as soon as they are
known, all else goes to standard error. Exit statuses are those of grep: 0 found, 1 none, 2 trouble.

- ``program``: runs a command with click; turns each mistake into one line with a hint.
- ``rows``: makes options of click from the tables of options.
- ``values``: the types of their values.
- ``together``: checks which options exclude each other.
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
    "parse": ("parse_command", "parse_command"),
    "format": ("text_commands", "format_command"),
    "mend": ("text_commands", "mend_command"),
    "rewrap": ("text_commands", "rewrap_command"),
    "pick": ("pick_command", "pick_command"),
    "index": ("index_command", "index_command"),
    "report": ("report_command", "report_command"),
    "cluster": ("cluster_command", "cluster_command"),
}
"""The commands with a name, each with its module and its name there; any other call extracts URLs."""

COMPLETES = "_URLEXTRACT_COMPLETE"
"""The environment variable with which a shell asks for completions."""


def hint_at_command(word: str) -> str:
    """Return a hint at the command whose name is like ``word``; an empty string for the name of a file."""
    if word.startswith("-") or "\0" in word or os.path.lexists(word):
        return ""
    if word in COMMANDS:
        return f": the command comes first: urlextract {word}"
    if word == "help":
        return f": there is help for {', '.join(COMMANDS)}"
    if "://" in word:
        return (
            ": nothing is fetched: echo URL | urlextract reads it, curl -s URL | urlextract --base URL a page"
        )
    from difflib import get_close_matches  # a mistake alone needs it

    guesses = get_close_matches(word, [*COMMANDS, *_NO_COMMANDS], 1, _LIKE)
    if not guesses:
        return ""
    return f": did you mean 'urlextract {_NO_COMMANDS.get(guesses[0], guesses[0])}'?"


_NO_COMMANDS = {"help": "help", "version": "--version"}  # that are commands of other programs
_LIKE = 0.75  # of names that are mistyped: 1 is that of equal names


def run(words: list[str]) -> None:
    """Run the command that the first of the words names, or the one that extracts; then exit.

    A shell may ask for completions instead.
    """
    from urlextract.cli.extracting import extract_command
    from urlextract.cli.program import load, run_program

    if COMPLETES in os.environ:
        from urlextract.cli.completing import complete

        complete(extract_command)
    elif words and words[0] in COMMANDS:
        run_program(load(words[0]), words[1:], f"urlextract {words[0]}")
    elif words[:1] == ["help"] and (len(words) == 1 or words[1] in COMMANDS) and not os.path.lexists("help"):
        run([*words[1:2], "--help"])
    else:
        run_program(extract_command, words, "urlextract")
