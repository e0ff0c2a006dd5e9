"""Records as lines: the URL, or the text that was found, with names before it."""

from __future__ import annotations

from urlextract.grammar.defanged import defang
from urlextract.output.outputs import OutputOptions
from urlextract.results import Found


def line_of(found: Found, output: OutputOptions) -> str:
    """Return the line of ``found`` without its end, with names and numbers before it as grep prints them.

    With ``output.defang``, nobody follows the URL.
    """
    return _line_of(found, defang(found.url) if output.defang else found.url, output)


def raw_line_of(found: Found, output: OutputOptions) -> str:
    """Return the text of ``found`` as it was written, line ends too, with what `line_of` has before it."""
    return _line_of(found, found.raw, output)


def _line_of(found: Found, text: str, output: OutputOptions) -> str:
    """Return the source, the Message-ID and the number of the line, as asked for, and ``text``."""
    names = []
    if output.with_filename:
        names.append(found.source or "-")
    if output.message_id:
        names.append(found.message_id or "-")
    if output.line_number:
        names.append(str(found.line))
    return ":".join((*names, text))
