"""Print one URL: its text, where it is broken, and how its target writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from urlextract.errors import FormatError, WidthError
from urlextract.formatter.layout import Frame, line_ends, pieces_of
from urlextract.formatter.opportunities import FORCED, BreakPoint, Opportunities, opportunities
from urlextract.formatter.printable import LONGEST, HostLetters, check_layout, check_reading, printable_url
from urlextract.formatter.targets import TARGETS, Target, TargetName, Wrapper, brackets_of
from urlextract.grammar.cells import cells_of
from urlextract.grammar.patterns import lazy_re

if TYPE_CHECKING:
    from urlextract.schemes.value import Url

__all__ = ["Overflow", "break_points", "format_url", "printed_url"]

Overflow = Literal["error", "keep"]
"""What is done with a URL whose pieces are wider than the width: see `format_url`."""

_WIDEST = 900  # cells of a line: in brackets over several lines, a reader gives up on longer ones
_UNSAFE_AT_THE_EDGE = lazy_re(r"[.\-#>]")  # for SMTP and NNTP, for PGP, as comment sign, as quote mark
_NOWHERE = Opportunities((), frozenset(), 0, 0)


def format_url(
    url: str | Url,
    *,
    width: int = 72,
    target: TargetName = "mail",
    wrapper: Wrapper | None = "URL:",
    prefix: str = "",
    indent: str = " ",
    first: int = 0,
    overflow: Overflow = "error",
    host: HostLetters = "keep",
    encode: bool = False,
) -> str:
    r"""Return a URL with line breaks that are safe: `extract` finds the very same URL in it.

    The lines are at most ``width`` terminal cells wide. This includes the ``prefix`` of each
    line, the ``indent`` of each line but the first, and the brackets. There is no line end
    after the last line. No line ends in a hyphen. The URL is never broken in an escape or in
    the scheme, and in the host or a word only if nothing else fits. If ``first`` is not 0, the
    first line follows that many cells of the caller's text, and has no prefix.

    For the ``target`` "mail", "flowed" (RFC 3676 with DelSp), "plain" and "rst", the result has
    line breaks. For "latex", "html" and "man", it has marks where the program that fills the
    text may break the URL, and for "markdown" it has no breaks; ``width`` does not count then.
    ``wrapper`` is "URL:" for ``<URL:...>``, "<>", or None for no brackets; without brackets a
    URL for "mail" or "plain" is not broken. "rst" and "markdown" have brackets of their own.

    With ``encode``, characters that RFC 1738 calls unsafe are encoded. With ``host`` "ascii", a
    host in another script is printed with A-labels (IDNA 2008), with "unicode" with U-labels.
    The URL that is read back is then the changed one.

    Raises `UrlSyntaxError` for a text that does not parse, and `FormatError`, with the place,
    for what would not be read back. Raises `WidthError`, which names the least width, for a URL
    that does not fit; with ``overflow`` "keep", it is printed at the least width instead.

    >>> print(format_url("ftp://ds.internic.net/instructions/overview-of-it.html", width=40))
    <URL:ftp://ds.internic.net/instructions/
     overview-of-it.html>
    >>> print(format_url("http://www.example.org/a/b", width=26, prefix="> "))
    > <URL:http://
    >  www.example.org/a/b>
    """
    row = _row(target)
    brackets = brackets_of(row, wrapper)
    text = printed_url(url, target=target, wrapper=wrapper, host=host, encode=encode)
    _check_choices(overflow, host, first)
    opening = "<URL:" if row.write and brackets[0] else brackets[0].removeprefix("`")
    if row.write or len(text) > LONGEST:
        check_reading(text, opening)
    if row.write:
        return _written(text, row, brackets)
    margin = prefix + _indent(row, prefix, indent)
    ending = len(row.ending)  # the last line has none
    frame = Frame(
        min(width, _WIDEST) - ending,
        (first or cells_of(prefix)) + len(brackets[0]),
        cells_of(margin),
        len(brackets[1]) - ending,
    )
    try:
        ends = _ends(text, _opportunities(text, row, brackets, margin), frame, overflow, ending)
    except WidthError:
        check_reading(text, opening)  # raises instead if the URL is not read back at any width
        raise
    body = f"{row.ending}\n{margin}".join(pieces_of(text, ends))
    printed = f"{brackets[0]}{body}{brackets[1]}"
    if len(ends) > 1 or (prefix and not brackets[0]):  # a bare URL may be glued to its prefix
        check_layout(f"{prefix}{printed}", text, opening, is_flowed=bool(row.ending))
    else:
        check_reading(text, opening)
    return printed if first else prefix + printed


def printed_url(
    url: str | Url,
    *,
    target: TargetName = "mail",
    wrapper: Wrapper | None = "URL:",
    host: HostLetters = "keep",
    encode: bool = False,
) -> str:
    """Return the URL that is read back from what `format_url` returns: ``host`` and ``encode`` may change it.

    With ``encode``, a full stop at the end of a URL without brackets, which would end a sentence, is encoded.

    >>> printed_url("http://a.example/b|c."), printed_url("http://a.example/b|c.", wrapper=None, encode=True)
    ('http://a.example/b|c.', 'http://a.example/b%7Cc%2E')
    """
    text = printable_url(url, host, encode=encode)
    row = _row(target)
    is_bare = not (row.write or brackets_of(row, wrapper)[0])
    if is_bare and encode and text.endswith("."):
        return f"{text[:-1]}%2E"
    at = next((at for at, char in enumerate(text) if char in row.refused), None)
    if at is not None:
        raise FormatError(
            f'"{text[at]}" cannot be printed for {target} unless it is encoded', text, (at, at + 1)
        )
    return text


def break_points(
    url: str | Url, *, target: TargetName = "mail", host: HostLetters = "keep", encode: bool = False
) -> list[BreakPoint]:
    """Return each place where ``url`` may be broken: its offset, its class, its cost.

    Offsets count characters of the URL as `format_url` prints it with the same ``host`` and ``encode``.

    The cost is 0 for the best and 3 for a bad place (more before what looks like a URL of
    its own), and 9 inside a host or a word, where a break must be forced. Raises
    `UrlSyntaxError` and `FormatError` as `format_url` does.

    >>> break_points("http://a.example/b-c")[1]
    BreakPoint(offset=8, kind='host', cost=9)
    """
    row = _row(target)
    if row.column is None:
        return []
    text = printable_url(url, host, encode=encode)
    found = opportunities(text, row.column)
    points = {point.offset: point for point in found.points}
    return [
        points.get(at) or BreakPoint(at, found.kind_of_forced(at), FORCED)
        for at in range(1, len(text))
        if at not in found.never
    ]


def _check_choices(overflow: str, host: str, first: int) -> None:
    for name, value, choices in (("overflow", overflow, Overflow), ("host", host, HostLetters)):
        if value not in get_args(choices):
            raise ValueError(f"{name}: {value!r} is not one of {', '.join(get_args(choices))}")
    if first < 0:
        raise ValueError(f"first: {first} is less than 0")


def _row(target: str) -> Target:
    if target not in TARGETS:
        raise ValueError(f"target: {target!r} is not one of {', '.join(TARGETS)}")
    return TARGETS[target]


def _indent(row: Target, prefix: str, indent: str) -> str:
    """Return what is between the prefix and the URL on each line but the first."""
    if not prefix.isprintable():
        raise ValueError(f"prefix: {prefix!r} has characters that are not seen")
    if indent.strip(" "):
        raise ValueError(f"indent: {indent!r} is not of blanks")
    if row.ending:  # RFC 3676, section 4.4: a line is stuffed with one blank, which the reader removes
        return "" if prefix.endswith(" ") else " "
    return indent if row.keeps_margin else ""


def _opportunities(url: str, row: Target, brackets: tuple[str, str], margin: str) -> Opportunities:
    """Return where the lines of ``url`` may end."""
    if row.column is None or not (brackets[0] or row.breaks_bare):
        return _NOWHERE._replace(never=frozenset(range(len(url) + 1)))
    found = opportunities(url, row.column)
    barred: set[int] = set()
    if brackets[0].endswith("<") and "|" in url:  # a reader takes words after a bar for a label
        barred.update(range(url.index("|") + 2, len(url)))
    if not margin:
        barred.update(match.start() for match in _UNSAFE_AT_THE_EDGE.finditer(url))
    points = tuple(point for point in found.points if point.offset not in barred)
    return found._replace(points=points, never=found.never | barred)


def _ends(url: str, found: Opportunities, frame: Frame, overflow: Overflow, ending: int) -> list[int]:
    """Return where the lines end; each line but the last ends with ``ending`` more cells."""
    try:
        return line_ends(url, found, frame)
    except WidthError as error:
        if overflow != "keep":
            raise WidthError(error.width + ending, error.least + ending, url, error.span) from None
        return line_ends(url, found, frame._replace(width=error.least))


def _written(url: str, row: Target, brackets: tuple[str, str]) -> str:
    """Return ``url`` as written for a program that fills its lines itself."""
    points = [] if row.column is None else opportunities(url, row.column).points
    pieces = pieces_of(url, [*(point.offset for point in points), len(url)])
    assert row.write is not None  # noqa: S101
    return row.write(url, pieces, [point.cost for point in points], brackets)
