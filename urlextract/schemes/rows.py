"""The rows of a scheme: its form, its parts, their characters, and what must not be.

A type of URLs is a class of rows: ``FORM`` is the grammar of path and query, as the standards write one, with
a `Part` for each of its names; ``CHARS`` has the characters that are allowed in its stretches, ``FAULTS``
what must not be there.

A stretch is the name of a part, or of another group in the pattern of a part; "authority", "user",
"password", "host", "port", "path", "query" or "fragment"; or "", all that the form matches. An optional in
the form that begins with text is a stretch, too, which holds this text: its name is that of its first part,
after "_".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Generic, NamedTuple, Self, TypeVar, overload

from urlextract.grammar.bnf import PCHAR, RFC1630, RFC1630_PATH, RFC1738, RFC3986
from urlextract.grammar.patterns import lazy_re

Value_co = TypeVar("Value_co", covariant=True)


_ANY = ".*?"  # up to what comes after it in the form


def _itself(value: Any) -> Any:
    return value


class Part(property, Generic[Value_co]):
    """A part of a form: what it is, the pattern of its text, and how that is read and written.

    The pattern has to match in linear time. `None` stands for the text of a part that is not there, in what
    ``read`` gets and ``write`` returns.
    """

    def __init__(
        self,
        doc: str,
        pattern: str = _ANY,
        read: Callable[[Any], Value_co] = _itself,
        write: Callable[[Any], str | None] = _itself,
    ) -> None:
        super().__init__()
        self.__doc__ = doc
        self.pattern, self._read, self.write = pattern, read, write

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, url: None, owner: type, /) -> Self: ...
    @overload
    def __get__(self, url: object, owner: type | None = None, /) -> Value_co: ...
    def __get__(self, url: Any, owner: type | None = None, /) -> Any:
        """Return what the part of a URL is."""
        return self if url is None else self._read(url._piece(self._name))


def listed(doc: str, separator: str, pattern: str = _ANY) -> Part[tuple[str, ...]]:
    """Return a part that is a tuple of texts, which a separator separates; () if there is none."""
    return Part[tuple[str, ...]](
        doc, pattern, lambda raw: tuple(raw.split(separator)) if raw else (), separator.join
    )


def paired(
    doc: str, separator: str, *, pattern: str = _ANY, first: str = ""
) -> Part[tuple[tuple[str, str | None], ...]]:
    """Return a part that is a tuple of names with values, None for a name without "="; () if there is none.

    ``first`` stands before the first of them.
    """

    def read(raw: str | None) -> tuple[tuple[str, str | None], ...]:
        pairs = (each.partition("=") for each in raw[len(first) :].split(separator)) if raw else ()
        return tuple((name, value if equals else None) for name, equals, value in pairs)

    def write(pairs: Iterable[tuple[str, str | None]]) -> str | None:
        texts = [name if value is None else f"{name}={value}" for name, value in pairs]
        return first + separator.join(texts) if texts else "" if first else None

    return Part[tuple[tuple[str, str | None], ...]](doc, pattern, read, write)


class Chars(NamedTuple):
    """The characters that a stretch of a URL may have, by grammar, and the name of its rule.

    ``stretch`` has the names of one stretch or of several, of which the first and the last that are there
    count, and what is between them. The characters are the inside of a regular expression's set. The grammar
    of a scheme's own document uses those of RFC 3986 if it is later than that, else those of RFC 1738. uri(7)
    uses those of RFC 3986 if ``uri7`` is empty.
    """

    stretch: str
    rule: str
    rfc1738: str
    rfc3986: str = PCHAR
    rfc1630: str = RFC1630_PATH
    uri7: str = ""


OF_ALL = (RFC1738, RFC3986, RFC1630)


class Fault(NamedTuple):
    """What must not be: each match of ``pattern`` in a stretch, and the grammars that do not allow it.

    The first group of the pattern is the place. ``rule`` is the name of the rule in the grammars, which are
    all that the type has if none are named. If ``when`` is given, it must be true of the URL, too.
    """

    pattern: str
    rule: str
    message: str
    grammars: tuple[str, ...] = ()
    stretch: str = ""
    when: Callable[[Any], bool] | None = None


ALL, START = r"\A(.*)", r"\A()"
"""Patterns of a fault that is all of its stretch, and of one at its start."""


def unlike(pattern: str) -> str:
    """Return the pattern of a fault that is all of its stretch, if ``pattern`` does not match that."""
    return rf"\A((?!(?:{pattern})\Z).*)"


# Forms

TOKEN = lazy_re(r"\{(\w+)\}|\[(?=[^][{}]+\{(\w+))|[][]|[^][{}]+")
_ESCAPE = lazy_re(r"(%([0-9A-F]{2}))")


@cache
def pattern_of(source: str) -> re.Pattern[str]:
    """Return a pattern of a row, in which "." is any character; it is compiled when it is first used."""
    return lazy_re(source, re.DOTALL)


class Form:
    """One way in which the path, the query and the fragment of a scheme are written."""

    def __init__(self, form: str, kind: type) -> None:
        self.names = [token[1] for token in TOKEN.finditer(form) if token[1]]
        place, _, fragment = form.partition("[#")
        path, _, query = place.partition("[?{")
        self.wholes = {"path": path}
        if query:
            self.wholes["query"] = f"{{{query}".removesuffix("]")
        if fragment:
            self.wholes["fragment"] = fragment.removesuffix("]")
        self.whole_parts = {
            part: index
            for index, whole in ((2, "path"), (3, "query"))
            for part in self.names
            if self.wholes.get(whole) == f"{{{part}}}" and _pattern(part, kind) == _ANY
        }
        self.pattern = pattern_of(TOKEN.sub(lambda token: self._pattern_of(token, kind), form))

    def _pattern_of(self, token: re.Match[str], kind: type) -> str:
        """Return the pattern of a token: each part is a group, and each optional that begins with text."""
        text, part, optional = token[0], token[1], token[2]
        if part:
            return f"(?P<{part}>{_pattern(part, kind)})"
        if text == "[":
            return f"(?P<_{optional}>" if optional else "(?:"
        if text == "]":
            return ")?"
        if text == "/" and token.start() <= 1 and "query" not in self.wholes:
            return r"(?:/|(?=\?))"  # no query begins at the "?" of "ftp://host?a": it is in the path
        either = _ESCAPE.sub(r"(?:\1|\\x\2)", re.escape(text))  # an escape, or the character itself
        return f"(?i:{either})"


def _pattern(part: str, kind: type) -> str:
    row = getattr(kind, part, None)
    return row.pattern if isinstance(row, Part) else _ANY
