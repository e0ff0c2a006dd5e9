"""Choose links from a numbered list, by what the user types at a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import plain
from urlextract.picking.choices import Choice
from urlextract.picking.rows import Table, lie_of
from urlextract.picking.tty import Terminal

_NUMBERED = lazy_re(r"(y?) *([0-9][0-9, -]*)", re.IGNORECASE)
_BETWEEN, _ROUND_A_DASH = lazy_re(r"[ ,]+"), lazy_re(r" *- *")
_RANGE = lazy_re(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")
_QUITS = ("q", "quit", "exit")
_TYPED = 8  # columns for what is typed


def numbers_of(text: str, count: int) -> list[int]:
    """Return the numbers that ``text`` lists, each once; raise `ValueError` with what is wrong with it.

    >>> numbers_of("1,4-6, 4", 9)
    [1, 4, 5, 6]
    """
    numbers: dict[int, None] = {}
    for item in filter(None, _BETWEEN.split(_ROUND_A_DASH.sub("-", text))):
        match = _RANGE.fullmatch(item)
        if not match:
            raise ValueError(f"no number: {item}")
        first, last = int(match[1]), int(match[2] or match[1])
        for number in (first, last):
            if not 1 <= number <= count:
                raise ValueError(f"no link {number}")
        numbers.update(dict.fromkeys(range(first, last + 1) if first <= last else range(first, last - 1, -1)))
    return list(numbers)


def choose_by_number(
    choices: Sequence[Choice], terminal: Terminal, verb: str, *, once: bool
) -> Iterator[tuple[str, list[int]]]:
    """Show the list and ask until the user quits, or ``once``; ``verb`` says what a number alone does.

    Yield what to do with the links that are chosen ("" is what the command line says, or "copy"), and their
    numbers, from 0.
    """
    columns, _ = terminal.size
    table = Table(choices, columns - 1)
    copies = "" if verb == "copies" else "y 3 copies, "
    several = f"A number {verb} (1,4-6 several; {copies}"
    prompts = (f"{several}Enter lists, q quits): ", f"{several}q quits): ", "number or q: ")
    prompt = next((prompt for prompt in prompts if len(prompt) <= columns - _TYPED), "> ")
    line: str | None = ""
    while line is not None and line.lower() not in _QUITS:
        numbered = _NUMBERED.fullmatch(line)
        try:
            numbers = numbers_of(numbered[2] if numbered else line, len(choices))
        except ValueError as error:
            terminal.write(f"{plain(str(error))}\n")
        else:
            if numbered and numbers:
                yield "copy" if numbered[1] else "", [number - 1 for number in numbers]
                if once:
                    return
            elif not line:
                for index, choice in enumerate(choices):
                    lines = table.row(index), *lie_of(choice, columns - 1)
                    terminal.write("".join(f"{each}\n" for each in lines))
        line = terminal.ask(prompt)
    if line is None:
        terminal.write("\n")
