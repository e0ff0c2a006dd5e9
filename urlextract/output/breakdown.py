"""The output of ``urlextract parse``: URLs and their parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlextract.errors import printable
from urlextract.grammar.cells import cells_of
from urlextract.schemes.components import span_of
from urlextract.schemes.url import Url

_BEFORE_THE_PATH = ("scheme", "user", "password", "host", "port")
_LONGEST_DRAWN = 120  # characters; for the parts of longer URLs, places are numbers instead of underlines


def breakdown(url: Url) -> str:
    """Return a URL with its parts underlined, its grammars, violations and warnings, without a last line end.

    >>> from urlextract import parse_url
    >>> print(breakdown(parse_url("ftp://info.cern.ch/pub/www/doc;type=d")))
    ftp://info.cern.ch/pub/www/doc;type=d
    ^^^                                    scheme    ftp
          ^^^^^^^^^^^^                     host      info.cern.ch
                       ^^^ ^^^             cwd       pub, www
                               ^^^         name      doc
                                        ^  typecode  d
        fits rfc1738, rfc3986
    """
    text = printable(url.text)
    is_drawn = len(text) <= _LONGEST_DRAWN
    width = max(map(len, url.parts()))
    lines = [text]
    for name, value, places in _places(url):
        shown = ", ".join(map(_shown, value)) if isinstance(value, tuple) else str(value)
        marks = _marks(places, text) if is_drawn else f"{_figures(places):>11}"
        lines.append(f"{marks}  {name:{width}}  {printable(shown) or '(empty)'}".rstrip())
    fits = ", ".join(url.grammars)
    lines.append(f"    fits {fits}" if fits else "    fits no grammar of its scheme")
    lines += [
        f"    violation, {_figures([fault.span])}: {fault.message} ({fault.rule})" for fault in url.violations
    ]
    lines += [f"    warning, {_figures([caution.span])}: {caution.message}" for caution in url.warnings]
    return "\n".join(lines)


def _shown(value: Any) -> str:
    """Return an item of a list: a text, or a name with its value."""
    if not isinstance(value, tuple):
        return str(value)
    name, content = value
    return name if content is None else f"{name}={content}"


def _places(url: Url) -> Iterator[tuple[str, Any, list[tuple[int, int]]]]:
    """Yield the parts that a URL has, with their places; each is searched for after the one before."""
    at = 0
    for name, value in url.parts().items():
        if value is None or value == ():
            continue
        if name not in _BEFORE_THE_PATH:
            at = max(at, span_of(url, "path").start)
        places = []
        source = url.text.lower() if name == "scheme" else url.text
        for text in [span_of(url, "port").of(url.text)] if name == "port" else _texts(value):
            start = source.find(text, at)
            if start >= 0 and text:
                at = start + len(text)
                places.append((start, at))
        yield name, value, places


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif value is not None:
        yield str(value)


def _marks(places: list[tuple[int, int]], text: str) -> str:
    line = [" "] * len(text)
    for start, end in places:
        line[start:end] = "^" * (end - start)
    return "".join(mark * cells_of(char) for mark, char in zip(line, text, strict=True))


def _figures(places: list[Any]) -> str:
    """Return places as numbers; characters count from 1."""
    return " ".join(f"{start + 1}-{max(end, start + 1)}" for start, end in places)
