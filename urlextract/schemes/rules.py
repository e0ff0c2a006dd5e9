"""How a type of URL states its rules: what each stretch may hold, and what is wrong as a whole.

One text is judged by several grammars, for the standards differ; ``judging`` reads this.
"""

from __future__ import annotations

from typing import NamedTuple

from urlextract.grammar import bnf

__all__ = [
    "OF_RFC3986",
    "RFC1630",
    "RFC1738",
    "RFC2392",
    "RFC3986",
    "RFC4516",
    "RFC5538",
    "RFC6068",
    "RFC8141",
    "URI7",
    "Component",
    "Departure",
]

RFC1738, RFC3986, RFC1630, URI7 = "rfc1738", "rfc3986", "rfc1630", "uri(7)"
RFC2392, RFC4516, RFC5538, RFC6068, RFC8141 = "rfc2392", "rfc4516", "rfc5538", "rfc6068", "rfc8141"

OF_RFC3986 = frozenset((RFC3986, RFC4516, RFC5538, RFC6068, RFC8141))
"""Those that took RFC 3986's characters: their host may be any reg-name, or in brackets."""


class Component(NamedTuple):
    """A stretch of the text, the name of its rule, and the class that each grammar has for it.

    A scheme's own grammar has that of RFC 3986 where it came later, else that of
    RFC 1738; uri(7) has that of RFC 3986 where it names none.
    """

    start: int
    end: int
    rule: str
    rfc1738: str
    rfc3986: str = bnf.PCHAR
    rfc1630: str = bnf.RFC1630_PATH
    uri7: str = ""


class Departure(NamedTuple):
    """Where a URL does not have the structure that its scheme asks for, and in which grammars.

    ``rule`` is its name there. All of those a scheme's document does not tell apart.
    """

    start: int
    end: int
    rule: str
    message: str
    grammars: tuple[str, ...] = (RFC1738, RFC3986, RFC1630)
