"""The output of ``urlextract format``: URLs with line breaks, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from urlextract.errors import FormatError, UrlSyntaxError
from urlextract.formatter.printing import format_url
from urlextract.output.writer import opened


def print_formatted(texts: Iterable[str], report: Callable[[str], None], how: dict[str, Any]) -> int:
    """Print each URL with `format_url`; ``report`` those that cannot be printed, and return their number."""
    failed = 0
    with opened(None, end="\n", is_prompt=True) as writer:
        for text in texts:
            try:
                printed = format_url(text, **how)
            except (UrlSyntaxError, FormatError) as error:
                failed += 1
                report(str(error))
                continue
            writer.write(printed)
    return failed
