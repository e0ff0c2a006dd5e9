"""What is said of a URL that parses: where it departs from its grammar, and what to be wary of."""

from __future__ import annotations

from typing import NamedTuple

from urlextract.records import Span

__all__ = ["Caution", "Violation"]


class Violation(NamedTuple):
    """A departure from the grammar of a scheme: its place, the rule, and what is wrong there.

    >>> from urlextract import parse_url
    >>> (violation,) = parse_url("ftp://ds.internic.net/a b").violations
    >>> violation.span, violation.rule, violation.message
    (Span(start=23, end=24), 'RFC 1738, section 5: fsegment', 'unsafe character unencoded')
    """

    span: Span
    rule: str
    message: str


class Caution(NamedTuple):
    """What is lawful and still unsafe, with its place: RFC 1738, section 6.

    >>> from urlextract import parse_url
    >>> [caution.message for caution in parse_url("ftp://me:secret@host.example/").warnings]
    ['a password for everyone to read']
    """

    span: Span
    message: str
