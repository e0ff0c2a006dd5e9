"""The exceptions of this package: wrong arguments, and input that cannot be read.

Malformed text is not an error: the scanner and ``linebreaks`` note a defect and continue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from urlextract.brief import Brief


class UrlExtractError(Exception, metaclass=Brief):
    """The base class of the exceptions of this package.

    >>> from urlextract import UrlExtractError, parse_url
    >>> try:
    ...     parse_url("http://")
    ... except UrlExtractError as error:
    ...     print(type(error).__name__)
    UrlSyntaxError
    """


class _AtPlaceError(UrlExtractError, ValueError):
    """An error of a text, with the half-open range of characters at fault."""

    def __init__(self, message: str, text: str, span: tuple[int, int]) -> None:
        self.message = message
        self.text = text
        self.span = span
        super().__init__(message, text, span)  # by these it is pickled

    def __str__(self) -> str:
        return f"{self.message}\n{caret(self.text, self.span)}"


class UrlSyntaxError(_AtPlaceError):
    """A text that cannot be parsed as a URL.

    ``text`` is the text, and ``span`` the half-open range of characters at fault.

    >>> from urlextract import parse_url
    >>> parse_url("no scheme here")
    Traceback (most recent call last):
    urlextract.errors.UrlSyntaxError: no scheme
        no scheme here
        ^
    """


class FormatError(_AtPlaceError):
    """A URL that cannot be printed so that a reader finds the same URL; the message says what is allowed.

    ``text`` is the URL and ``span`` the half-open range of characters at fault.

    >>> from urlextract import format_url
    >>> format_url("http://www.example.org/what?", brackets=None)
    Traceback (most recent call last):
    urlextract.errors.FormatError: without brackets, a reader ends the URL before "?": print it in <URL:...>
        http://www.example.org/what?
                                   ^
    """


class WidthError(FormatError):
    """A width that is too small to print a URL.

    ``width`` is the requested width, and ``least`` the least possible one, in terminal cells.

    >>> from urlextract import format_url
    >>> format_url("http://www.example.org/", width=8)
    Traceback (most recent call last):
    urlextract.errors.WidthError: the least width for this URL is 12, not 8
        http://www.example.org/
        ^^^^^^^
    """

    def __init__(self, width: int, least: int, text: str, span: tuple[int, int]) -> None:
        super().__init__(f"the least width for this URL is {least}, not {width}", text, span)
        self.width = width
        self.least = least
        self.args = (width, least, text, span)


class MissingExtraError(UrlExtractError):
    """A library of an extra that is not installed; the message says how to install it."""


class RewrapError(UrlExtractError, ValueError):
    """A text whose URLs or words differ after it was rewrapped, which is a bug of this program."""


class SourceError(UrlExtractError, OSError):
    r"""An input that cannot be read, or not completely.

    ``source`` is its name, ``cause`` what went wrong, ``offset`` the byte where reading stopped, or the
    message begins, ``errno`` the system's. What was passed over in the source ``within`` is told, never
    raised.

    >>> import io
    >>> from urlextract import extract_source
    >>> list(extract_source(io.BytesIO(b"\x1f\x8b\x08\0\0\0"), on_damage=print))
    <stream>, byte 6: gzip data is cut short
    []
    """

    def __init__(
        self,
        source: str,
        cause: str,
        offset: int | None = None,
        errno: int | None = None,
        within: str | None = None,
    ) -> None:
        self.source = source
        self.cause = cause
        self.offset = offset
        self.within = within
        where = "" if offset is None else f", byte {offset}"
        super().__init__(f"{source}{where}: {cause}")
        self.errno = errno

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[SourceError], tuple[Any, ...]]:
        return type(self), (self.source, self.cause, self.offset, self.errno, self.within)


OnDamage: TypeAlias = Callable[[SourceError], None]
"""Called with each error of an input, while reading goes on."""


class PassedOver:
    """Counts the files that were passed over, by what was read and why.

    >>> passed_over = PassedOver()
    >>> for name in ("in/a.rar", "in/b.rar"):
    ...     passed_over.add(SourceError(name, "a rar archive cannot be read", within="in"))
    >>> [*passed_over.lines()]
    ['in/a.rar, and 1 more: a rar archive cannot be read']
    """

    def __init__(self) -> None:
        self._files: dict[tuple[str | None, str], tuple[str, int]] = {}  # the first, and how many

    def add(self, error: SourceError) -> None:
        """Count a file."""
        first, count = self._files.get((error.within, error.cause), (error.source, 0))
        self._files[error.within, error.cause] = first, count + 1

    def lines(self) -> Iterator[str]:
        """Yield a line for each kind of files."""
        for (_, cause), (first, count) in self._files.items():
            yield f"{first}{f', and {count - 1} more' if count > 1 else ''}: {cause}"


def raise_first(damage: Iterable[SourceError]) -> None:
    """Raise the first error, with notes about the others; a file that was passed over is none."""
    errors = [each for each in damage if each.within is None]
    if errors:
        for further in errors[1:]:
            errors[0].add_note(str(further))
        raise errors[0]


class SourceNotFoundError(SourceError, FileNotFoundError):
    """A source that does not exist.

    >>> from urlextract import extract_source
    >>> try:
    ...     extract_source("/no/such/file")
    ... except FileNotFoundError as error:
    ...     print(error)
    /no/such/file: No such file or directory
    """


class IndexFileError(UrlExtractError, OSError):
    """An index that cannot be read or written, or a file that is no index.

    ``path`` is its name, and ``cause`` a description of what is wrong. It is not the fault of a source.

    >>> from urlextract import index_sources
    >>> try:
    ...     index_sources("/no/such/folder/links.db", [])
    ... except IndexFileError as error:
    ...     print(error)
    /no/such/folder/links.db: No such file or directory
    """

    def __init__(self, path: str, cause: str) -> None:
        self.path = path
        self.cause = cause
        super().__init__(f"{path}: {cause}")

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[IndexFileError], tuple[str, str]]:
        return type(self), (self.path, self.cause)


_CONTEXT = 60  # characters shown before and after the place


def printable(text: str) -> str:
    r"""Return ``text`` with U+FFFD for each character that is not printable.

    >>> print(printable("a\tb"))
    a�b
    """
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def caret(text: str, span: tuple[int, int]) -> str:
    """Return ``text`` with a line of carets below ``span``; only the text around the span is shown.

    The end of a long span is left out.

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
