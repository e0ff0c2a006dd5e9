"""Choose links from a numbered list, by what the user types at a prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import plain
from urlextract.picking.choices import Choice
from urlextract.picking.rows import MARK, Table, details_of, folded
from urlextract.picking.tty import Terminal

Action = Literal["", "open", "copy", "show", "filter", "help", "more", "quit", "wrong"]


class Command(NamedTuple):
    """What the user typed: an action, the numbers of links (from 1), and a text."""

    action: Action
    numbers: tuple[int, ...] = ()
    text: str = ""


_ACTIONS: dict[str, Action] = {"": "", "o": "open", "y": "copy", "?": "show"}
_WORDS: dict[str, Action] = {
    "": "more", "q": "quit", "quit": "quit", "exit": "quit", "?": "help", "h": "help", "help": "help",
}  # fmt: skip
_NUMBERED = lazy_re(r"([oy?]?) *([0-9][0-9, -]*)", re.IGNORECASE)
_BETWEEN, _ROUND_A_DASH = lazy_re(r"[ ,]+"), lazy_re(r" *- *")
_RANGE = lazy_re(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")
_LONGEST_LIE = 500  # characters
_TYPED = 8  # columns for what is typed
_PLURALS = {"opens": "open", "copies": "copy", "prints": "print"}
_HELP_INDENT = 9
_HELP = """\
3        {verb} link 3; 1,4-6 several links
o 3      open, y 3 copy, ? 3 show all that is known of it
/word    only links with this word in the line or the URL; / all links again
Enter    the next page, or the only link
q        quit
"""


def command_of(line: str, count: int) -> Command:
    """Return what the user typed as a command for a list of ``count`` links.

    >>> command_of("1,4-6", 9), command_of("y 2", 9)
    (Command(action='', numbers=(1, 4, 5, 6), text=''), Command(action='copy', numbers=(2,), text=''))
    >>> command_of("/tables", 9).text, command_of("12", 9).text
    ('tables', 'no link 12')
    """
    if line.startswith("/"):
        return Command("filter", text=line[1:].strip())
    if line.lower() in _WORDS:
        return Command(_WORDS[line.lower()])
    numbered = _NUMBERED.fullmatch(line)
    numbers = _numbers(numbered[2], count) if numbered else "? for help"
    if numbered is None or isinstance(numbers, str):
        return Command("wrong", text=str(numbers))
    return Command(_ACTIONS[numbered[1].lower()], numbers)


def _numbers(text: str, count: int) -> tuple[int, ...] | str:
    """Return the numbers that ``text`` lists, each once, or what is wrong with it."""
    numbers: dict[int, None] = {}
    for item in filter(None, _BETWEEN.split(_ROUND_A_DASH.sub("-", text))):
        match = _RANGE.fullmatch(item)
        if not match:
            return f"no number: {item}"
        first, last = int(match[1]), int(match[2] or match[1])
        for number in (first, last):
            if not 1 <= number <= count:
                return f"no link {number}"
        numbers.update(dict.fromkeys(range(first, last + 1) if first <= last else range(first, last - 1, -1)))
    return tuple(numbers)


class _List:
    """A numbered list on a terminal: a page at a time, of all links or those with a word."""

    def __init__(self, choices: Sequence[Choice], terminal: Terminal, verb: str) -> None:
        self._choices, self._terminal, self._verb = choices, terminal, verb
        self.seen = list(range(len(choices)))
        self._at = 0

    def show_page(self) -> None:
        """Show the next page, the first one after the last."""
        columns, rows = self._terminal.size
        table = Table(self._choices, columns - 1, numbers=True)
        lines = 0
        self._at = 0 if self._at >= len(self.seen) else self._at
        while self._at < len(self.seen):
            index = self.seen[self._at]
            shown = [table.row(index)]
            if lie := self._choices[index].lie:
                shown += folded(f"    {MARK} {plain(lie)}"[:_LONGEST_LIE], columns - 1, 6)
            if lines and lines + len(shown) > max(4, rows - 2):
                break
            lines += len(shown)
            self._at += 1
            self._write(shown)

    def _write(self, lines: Sequence[str]) -> None:
        self._terminal.write("".join(f"{line}\n" for line in lines))

    def filter_by(self, word: str) -> None:
        """Show only links with a word in their line or URL, in any case; all if there is no word."""
        table = Table(self._choices, 1_000, numbers=False)
        fits = [at for at in range(len(self._choices)) if _has(word, table.row(at), self._choices[at])]
        if not fits:
            self.say(f'no link has "{word}"')
            return
        self.seen, self._at = fits, 0
        self.show_page()

    def command(self, line: str) -> Command:
        """Return what a typed line means; a link that the list does not show has no number."""
        command = command_of(line, len(self._choices))
        hidden = [number for number in command.numbers if number - 1 not in self.seen]
        return Command("wrong", text=f"no link {hidden[0]} in this list: / shows all") if hidden else command

    def show(self, numbers: Sequence[int]) -> None:
        """Show all that is known of some links; long lines are not cut, so that they can be copied."""
        for number in numbers:
            self._terminal.write("\n".join((*details_of(self._choices[number - 1]), "")))

    def show_help(self) -> None:
        """Show what can be typed."""
        for line in _HELP.format(verb=_PLURALS[self._verb]).splitlines():
            self._write(folded(line, self._terminal.size[0] - 1, _HELP_INDENT))

    def ask(self) -> str | None:
        """Return what the user types at the prompt, the longest one that fits."""
        more = len(self.seen) - self._at
        rest = f"{more} more: Enter; " if more else ""
        other = "o opens" if self._verb == "copies" else "y copies"
        prompts = (
            f"A number {self._verb} ({rest}{other}, / filters, ? helps, q quits): ",
            f"{rest}number or ?: ",
        )
        room = self._terminal.size[0] - _TYPED
        return self._terminal.ask(next((prompt for prompt in prompts if len(prompt) <= room), "> "))

    def say(self, text: str) -> None:
        """Show a message."""
        self._write(folded(plain(text), self._terminal.size[0] - 1, 0))


def _has(word: str, row: str, choice: Choice) -> bool:
    return word.lower() in row.lower() or word.lower() in choice.target.lower()


def choose_by_number(choices: Sequence[Choice], terminal: Terminal, verb: str) -> tuple[str, list[int]]:
    """Show the list and ask until links are chosen; ``verb`` says what a number alone does.

    Return what to do with them ("" is what the command line says), and their numbers, from 0.
    """
    shown = _List(choices, terminal, verb)
    shown.show_page()
    while (line := shown.ask()) is not None:
        command = shown.command(line)
        match command.action:
            case "" | "open" | "copy":
                return command.action, [number - 1 for number in command.numbers]
            case "more" if len(shown.seen) == 1:
                return "", shown.seen
            case "more":
                shown.show_page()
            case "filter":
                shown.filter_by(command.text)
            case "show":
                shown.show(command.numbers)
            case "help":
                shown.show_help()
            case "wrong":
                shown.say(command.text)
            case "quit":
                return "", []
    terminal.write("\n")
    return "", []
