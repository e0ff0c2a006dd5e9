"""Why each place was taken or rejected: ``--explain``."""

from __future__ import annotations

from collections.abc import Iterable

from urlextract.grammar.cells import cells_of
from urlextract.grammar.patterns import lazy_re
from urlextract.output.outputs import OutputOptions
from urlextract.output.writer import Writer
from urlextract.pipeline.surroundings import place_in_context
from urlextract.results import Found, Rejection

_WIDTH = 100  # columns of the text that are shown
_LINE, _LAST_LINE = lazy_re(r"[^\r\n]*+"), lazy_re(r"[\s\S]*[\r\n]")


def explanation(result: Found | Rejection) -> str:
    """Return the lines about one place, each indented but the first, without a last line end."""
    verdict = "taken" if isinstance(result, Found) else "not taken"
    lines = [f"{_where(result)}: {verdict}, {result.form}: {_reason(result)}", *_pointed(result)]
    if isinstance(result, Found):
        lines += [f"    {repair}" for repair in result.repairs]
        lines += [f"    defect: {defect}" for defect in result.defects]
        lines += [f"    or {other.url} ({other.reason})" for other in result.alternatives]
    elif result.text:
        lines.append(f"    text of the link: {result.text}")
    return "\n".join(lines)


def _where(result: Found | Rejection) -> str:
    parts = [result.source or "-"]
    if result.message is not None:
        parts.append(f"message {result.message}")
    if result.part is not None:
        parts.append(f"part {result.part}")
    if result.header is not None:
        parts.append(f"header {result.header}")
    return ", ".join([*parts, f"line {result.line}, column {result.column}"])


def _reason(result: Found | Rejection) -> str:
    if isinstance(result, Found):
        return result.url
    return f"{result.reason}; {result.hint}" if result.hint else result.reason


def _pointed(result: Found | Rejection) -> list[str]:
    """Return the line that has the place, and a line that underlines it."""
    if not result.context:
        return []
    inside = result.inner.start - result.start if isinstance(result, Found) else 0
    at = place_in_context(result.context, result.column, result.raw, inside)
    before = _printable(_LAST_LINE.sub("", result.context[:at]))  # the context may be a paragraph
    first_line = _LINE.match(result.context, at)
    behind = first_line[0] if first_line else ""
    behind = _printable(behind[: _WIDTH - len(before)])
    if not behind:
        return []
    size = max(1, min(result.span.end - result.span.start, len(behind)))
    blank, mark = cells_of(before), cells_of(behind[:size])
    return [f"    | {before}{behind}", f"    | {' ' * blank}{'^' * max(1, mark)}"]


def _printable(text: str) -> str:
    """Return ``text`` with blanks for controls and other characters that cannot be shown."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)


def print_explanations(results: Iterable[Found | Rejection], output: OutputOptions, writer: Writer) -> int:
    """Print the lines about each place; return the number of URLs found."""
    found = 0
    for result in results:
        found += isinstance(result, Found)
        writer.write(explanation(result))
        if found and found == output.max_count:
            break
    return found
