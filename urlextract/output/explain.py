"""What was taken and what was not, each with its reason and its place pointed at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.cells import cells_of
from urlextract.output import terminal
from urlextract.results import Found

if TYPE_CHECKING:
    from urlextract.results import Rejection

__all__ = ["explanation"]

_WIDTH = 100  # columns of the text that are shown
_GREEN, _RED, _PLAIN = "\x1b[32m", "\x1b[31m", "\x1b[0m"


def explanation(result: Found | Rejection, *, color: bool = False, harmless: bool = False) -> str:
    """Give the lines about one place, each indented but the first, without a last line end.

    ``color`` marks the verdict; ``harmless`` shows control characters instead of sending them.
    """
    taken = isinstance(result, Found)
    verdict = "taken" if taken else "not taken"
    if color:
        verdict = f"{_GREEN if taken else _RED}{verdict}{_PLAIN}"
    safe = terminal.harmless if harmless else str
    lines = [f"{safe(_where(result))}: {verdict}, {result.form}: {safe(_reason(result))}", *_pointed(result)]
    if isinstance(result, Found):
        lines += [safe(f"    {repair}") for repair in result.repairs]
        lines += [safe(f"    defect: {defect}") for defect in result.defects]
        lines += [safe(f"    or {other.url} ({other.reason})") for other in result.alternatives]
    return "\n".join(lines)


def _where(result: Found | Rejection) -> str:
    origin = result.origin
    parts = [origin.source or "-"]
    if origin.message is not None:
        parts.append(f"message {origin.message}")
    if origin.part is not None:
        parts.append(f"part {origin.part}")
    if origin.header is not None:
        parts.append(f"header {origin.header}")
    return ", ".join([*parts, f"line {result.line}, column {result.column}"])


def _reason(result: Found | Rejection) -> str:
    if isinstance(result, Found):
        return result.url
    return f"{result.reason}; {result.hint}" if result.hint else result.reason


def _pointed(result: Found | Rejection) -> list[str]:
    """Draw the line of the place, with the place underlined."""
    before, _, behind = (result.context or "").partition("\0")
    before = "".join(c if c.isprintable() else " " for c in before)
    behind = "".join(c if c.isprintable() else " " for c in behind[: _WIDTH - len(before)])
    if not behind:
        return []
    size = max(1, min(result.span.end - result.span.start, len(behind)))
    blank, mark = cells_of(before), cells_of(behind[:size])
    return [f"    | {before}{behind}", f"    | {' ' * blank}{'^' * max(1, mark)}"]
