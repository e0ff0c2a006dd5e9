"""Errors: what a caller did wrong, or what could not be read.

Messy text is no error: the stages up to ``linebreaks`` note a defect and go on.
"""

from __future__ import annotations

from typing import Any

__all__ = ["FormatError", "RewrapError", "SourceError", "UrlExtractError", "UrlSyntaxError", "WidthError"]


class UrlExtractError(Exception):
    """The base of every error this package raises on purpose."""


class UrlSyntaxError(UrlExtractError, ValueError):
    """A text that is no URL, with the place that says so.

    ``text`` is what was to be parsed and ``span`` the half-open range of
    characters at fault.

    >>> from urlextract import parse_url
    >>> parse_url("no scheme here")
    Traceback (most recent call last):
    urlextract.errors.UrlSyntaxError: no scheme
        no scheme here
        ^
    """

    def __init__(self, message: str, text: str, span: tuple[int, int]) -> None:
        self.message = message
        self.text = text
        self.span = span
        super().__init__(f"{message}\n{caret(text, span)}")

    def __reduce__(self) -> tuple[type[UrlSyntaxError], tuple[str, str, tuple[int, int]]]:
        return type(self), (self.message, self.text, self.span)


class FormatError(UrlExtractError, ValueError):
    """A URL that cannot be printed so that it is read back, with the place that says why.

    ``text`` is the URL and ``span`` the half-open range of characters at fault.

    >>> from urlextract import format_url
    >>> format_url("http://www.example.org/what?", wrapper=None)
    Traceback (most recent call last):
    urlextract.errors.FormatError: without a wrapper, a reader ends the URL before "?"
        http://www.example.org/what?
                                   ^
    """

    def __init__(self, message: str, text: str, span: tuple[int, int]) -> None:
        self.message = message
        self.text = text
        self.span = span
        super().__init__(f"{message}\n{caret(text, span)}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[Any, ...]]:
        return type(self), (self.message, self.text, self.span)


class WidthError(FormatError):
    """A width below the least at which a URL can be printed, which is ``least`` (terminal cells).

    >>> from urlextract import format_url
    >>> format_url("http://www.example.org/", width=8)
    Traceback (most recent call last):
    urlextract.errors.WidthError: the least width for this URL is 12, not 8
        http://www.example.org/
        ^^^^^^^
    """

    def __init__(self, width: int, least: int, text: str, span: tuple[int, int]) -> None:
        self.width = width
        self.least = least
        super().__init__(f"the least width for this URL is {least}, not {width}", text, span)

    def __reduce__(self) -> tuple[type[FormatError], tuple[Any, ...]]:
        return type(self), (self.width, self.least, self.text, self.span)


class RewrapError(UrlExtractError, ValueError):
    """A text whose URLs or words are not the same after it was filled, which is a fault of this program."""


class SourceError(UrlExtractError, OSError):
    """An input that could not be read to its end.

    ``source`` names it, ``offset`` is the byte at which reading stopped (None
    where there is no such place) and ``cause`` says what happened. Whatever
    was before the damage has been delivered.
    """

    def __init__(self, source: str, cause: str, offset: int | None = None) -> None:
        self.source = source
        self.cause = cause
        self.offset = offset
        where = "" if offset is None else f", byte {offset}"
        super().__init__(f"{source}{where}: {cause}")

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, str, int | None]]:
        return type(self), (self.source, self.cause, self.offset)


_CONTEXT = 60  # characters shown on either side of the place


def printable(text: str) -> str:
    r"""Return ``text`` with a mark for each character that would not be seen.

    >>> print(printable("a\tb"))
    a�b
    """
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def caret(text: str, span: tuple[int, int]) -> str:
    """Draw ``text`` with the place underlined, the beginning of it if it is long.

    >>> print(caret("ftp://ds.internic.net:ftp/rfc", (22, 25)))
        ftp://ds.internic.net:ftp/rfc
                              ^^^
    """
    start, end = span
    low = max(0, start - _CONTEXT)
    high = min(len(text), max(end, start) + _CONTEXT, start + 3 * _CONTEXT)
    shown = printable(text[low:high])
    width = max(1, min(end, high) - start)
    return f"    {shown}\n    {' ' * (start - low)}{'^' * width}"
