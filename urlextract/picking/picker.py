"""``urlextract pick``: read a source, let the user choose among its links, and hand the chosen ones on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from urlextract.errors import SourceError
from urlextract.linebreaks.joining import Join
from urlextract.output.writer import opened
from urlextract.picking.asking import choose_by_number
from urlextract.picking.choices import MOST, Choice, Links, links_of
from urlextract.picking.copying import copy
from urlextract.picking.fuzzy import choose_by_fzf, has_fzf
from urlextract.picking.opening import open_url, refusal
from urlextract.picking.rows import Table
from urlextract.picking.tty import Terminal, opened_terminal

Action = Literal["open", "copy", "print"]

_VERBS: dict[str, str] = {"open": "opens", "copy": "copies", "print": "prints"}


class PickOptions(NamedTuple):
    """The options of the command.

    With ``unwrap`` the target of a mail gateway's link is opened. ``plain_list`` is whether fzf is not used,
    though it is there.
    """

    format: str = "auto"
    action: Action = "open"
    headers: bool = False
    join: Join = "safe"
    unwrap: bool = False
    plain_list: bool = False


class _Report(NamedTuple):
    """Where messages go: ``trouble`` also sets the exit status, ``notice`` does not."""

    trouble: Callable[[str], None]
    notice: Callable[[str], None]


def pick(
    sources: Sequence[str],
    options: PickOptions,
    *,
    on_damage: Callable[[SourceError], None],
    trouble: Callable[[str], None],
    notice: Callable[[str], None],
) -> int | None:
    """Let the user choose links of some sources; return how many were opened, copied or printed.

    Return None if the user chose none of them.

    ``on_damage`` gets what of the source cannot be read, ``trouble`` why a link was not opened, and
    ``notice`` other messages.
    """
    report = _Report(trouble, notice)
    damaged: list[SourceError] = []

    def note(damage: SourceError) -> None:
        damaged.append(damage)
        on_damage(damage)

    links = links_of(
        *sources, format=options.format, headers=options.headers, join=options.join, on_damage=note
    )
    if not links.choices:
        if not damaged:
            notice(_why_none(links))
        return 0
    if links.is_cut:
        notice(f"more than {MOST} links: the first {MOST} are shown")
    with opened_terminal() as terminal:
        if terminal is None:
            trouble("no terminal to choose links on; urlextract --links prints all of them")
            return 0
        action, chosen = _choose(links.choices, terminal, options, report)
        choices = (links.choices[at] for at in chosen)
        urls = [choice.target if options.unwrap else choice.url for choice in choices]
        return _DO[action or options.action](urls, terminal, report) if urls else None


def print_rows(
    sources: Sequence[str], options: PickOptions, columns: int, *, on_damage: Callable[[SourceError], None]
) -> int:
    """Print the rows of the links of some sources; return their number.

    So an editor shows them, in a window of so many ``columns``. Behind each are, after tabs, its URL and why
    that is not to be opened.
    """
    links = links_of(
        *sources, format=options.format, headers=options.headers, join=options.join, on_damage=on_damage
    )
    table = Table(links.choices, columns)
    urls = [choice.target if options.unwrap else choice.url for choice in links.choices]
    return _print([f"{table.row(at)}\t{url}\t{refusal(url)}" for at, url in enumerate(urls)])


def _why_none(links: Links) -> str:
    if links.in_headers:
        return f"no link in the body: --headers shows those of header fields ({links.in_headers})"
    return "no link"


def _choose(
    choices: Sequence[Choice], terminal: Terminal, options: PickOptions, report: _Report
) -> tuple[str, list[int]]:
    """Return what to do, and the numbers of the chosen links: by fzf if it is there, else from a list."""
    verb = _VERBS[options.action]
    if not options.plain_list and has_fzf():
        chosen = choose_by_fzf(choices, terminal, verb)
        if chosen is not None:
            return chosen
        report.notice("fzf failed; the links as a list:")

    return choose_by_number(choices, terminal, verb)


def _open(urls: Sequence[str], terminal: Terminal, report: _Report) -> int:
    """Open URLs; print those that are not opened, so that the user still has them."""
    left = []
    for url in urls:
        why = open_url(url, terminal)
        if why:
            report.trouble(f"not opened: {why}")
            left.append(url)
    _print(left)
    return len(urls) - len(left)


def _copy(urls: Sequence[str], terminal: Terminal, report: _Report) -> int:
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


_DO: dict[str, Callable[[Sequence[str], Terminal, _Report], int]] = {
    "open": _open,
    "copy": _copy,
    "print": lambda urls, *_: _print(urls),
}
