"""What was taken and what was not, each with its reason and its place pointed at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import Found

if TYPE_CHECKING:
    from urlextract.records import Rejection

__all__ = ["explanation"]

_WIDTH = 100  # columns of the text that are shown
_GREEN, _RED, _PLAIN = "\x1b[32m", "\x1b[31m", "\x1b[0m"


def explanation(result: Found | Rejection, *, color: bool = False) -> str:
    """Give the lines about one place, each indented but the first, without a last line end."""
    taken = isinstance(result, Found)
    verdict = "taken" if taken else "not taken"
    if color:
        verdict = f"{_GREEN if taken else _RED}{verdict}{_PLAIN}"
    lines = [f"{_where(result)}: {verdict}, {result.form}: {_reason(result)}", *_pointed(result)]
    if isinstance(result, Found):
        lines += [f"    {repair}" for repair in result.repairs]
        lines += [f"    defect: {defect}" for defect in result.defects]
        lines += [f"    or {alternative.url} ({alternative.reason})" for alternative in result.alternatives]
    return "\n".join(lines)


def _where(result: Found | Rejection) -> str:
    origin = result.origin
    parts = [origin.source or "-"]
    if origin.message is not None:
        parts.append(f"message {origin.message}")
    if origin.part is not None:
        parts.append(f"part {origin.part}")
    return ", ".join([*parts, f"line {result.line}, column {result.column}"])


def _reason(result: Found | Rejection) -> str:
    return result.url if isinstance(result, Found) else result.reason


def _pointed(result: Found | Rejection) -> list[str]:
    """Draw the line of the place, with the place underlined."""
    before, _, behind = (result.context or "").partition("\0")
    before = "".join(c if c.isprintable() else " " for c in before)
    behind = "".join(c if c.isprintable() else " " for c in behind[: _WIDTH - len(before)])
    if not behind:
        return []
    size = max(1, min(result.span.end - result.span.start, len(behind)))
    return [f"    | {before}{behind}", f"    | {' ' * len(before)}{'^' * size}"]
