"""``urlextract pick``: let the user choose among links, and hand the chosen ones on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from urlextract.output.writer import opened
from urlextract.picking.asking import choose_by_number
from urlextract.picking.choices import Choice
from urlextract.picking.copying import copy
from urlextract.picking.fuzzy import choose_by_fzf, has_fzf
from urlextract.picking.opening import open_url, refusal
from urlextract.picking.rows import Table
from urlextract.picking.tty import Terminal, opened_terminal

Action = Literal["open", "copy", "print"]

_VERBS: dict[str, str] = {"open": "opens", "copy": "copies", "print": "prints"}


class PickOptions(NamedTuple):
    """What is done with the chosen links.

    With ``unwrap`` the target of a mail gateway's link is opened. ``plain_list`` is whether fzf is not used,
    though it is there.
    """

    action: Action = "open"
    unwrap: bool = False
    plain_list: bool = False

    def url_of(self, choice: Choice) -> str:
        """Return the URL that is handed on."""
        return choice.target if self.unwrap else choice.url


class Report(NamedTuple):
    """Where messages go: ``trouble`` also sets the exit status, ``notice`` does not."""

    trouble: Callable[[str], None]
    notice: Callable[[str], None]


def pick(choices: Sequence[Choice], options: PickOptions, report: Report) -> int | None:
    """Let the user choose links; return how many were opened, copied or printed, None if none was chosen.

    From a list without fzf, links can be chosen again after some were opened or copied.
    """
    with opened_terminal() as terminal:
        if terminal is None:
            report.trouble("no terminal to choose links on; urlextract --links prints all of them")
            return 0
        done = None
        for action, chosen in _chosen(choices, terminal, options, report):
            urls = [options.url_of(choices[at]) for at in chosen]
            done = (done or 0) + _DO[action or options.action](urls, terminal, report)
        return done


def print_rows(choices: Sequence[Choice], options: PickOptions, columns: int) -> int:
    """Print the rows of links, for an editor with a window of so many ``columns``; return their number.

    Behind each are, after tabs, its URL and why that is not to be opened.
    """
    table, urls = Table(choices, columns), map(options.url_of, choices)
    return _print([f"{table.row(at)}\t{url}\t{refusal(url)}" for at, url in enumerate(urls)])


def _chosen(
    choices: Sequence[Choice], terminal: Terminal, options: PickOptions, report: Report
) -> Iterable[tuple[str, list[int]]]:
    """Return what to do, with the numbers of the chosen links: by fzf if it is there, else from a list."""
    verb = _VERBS[options.action]
    if not options.plain_list and has_fzf():
        chosen = choose_by_fzf(choices, terminal, verb)
        if chosen is not None:
            return [chosen] if chosen[1] else []
        report.notice("fzf failed; the links as a list:")
    return choose_by_number(choices, terminal, verb, once=options.action == "print")


def _open(urls: Sequence[str], terminal: Terminal, report: Report) -> int:
    """Open URLs; print those that are not opened, so that the user still has them."""
    left = []
    for url in urls:
        why = open_url(url, terminal)
        if why:
            report.trouble(f"not opened: {why}")
            left.append(url)
    _print(left)
    return len(urls) - len(left)


def _copy(urls: Sequence[str], terminal: Terminal, report: Report) -> int:
    """Copy URLs, one a line; print them if nothing copies."""
    by = copy("\n".join(urls), terminal)
    if by:
        report.notice(f"copied by {by}")
        return len(urls)
    report.trouble("not copied: there is no clipboard, or it is too small")
    _print(urls)
    return 0


def _print(lines: Sequence[str]) -> int:
    if lines:
        with opened(None, end="\n", is_prompt=True) as writer:
            for line in lines:
                writer.write(line)
    return len(lines)


_DO: dict[str, Callable[[Sequence[str], Terminal, Report], int]] = {
    "open": _open,
    "copy": _copy,
    "print": lambda urls, *_: _print(urls),
}
