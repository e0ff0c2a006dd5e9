"""Violations of the grammars of a URL, by the rows of its scheme, and by those of the authority."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated

from msgspec import Struct

from urlextract.grammar import bnf
from urlextract.grammar.bnf import OF_RFC3986, RFC1630, RFC1738, RFC2392, RFC3986, STANDARDS, URI7
from urlextract.grammar.codes import WordedCode
from urlextract.grammar.hosts import LONGEST_NAME
from urlextract.records import Span, meaning
from urlextract.schemes.components import UrlBase
from urlextract.schemes.rows import ALL, Chars, Fault, unlike


class ViolationCode(WordedCode):
    """The kinds of violations.

    >>> from urlextract import parse_url
    >>> [violation.code.value for violation in parse_url("http://a.example/b c").violations]
    ['unsafe-character']
    """

    SYNTAX = "syntax", "it does not parse"
    UNSAFE_CHARACTER = "unsafe-character", "a character that no URL has unencoded"
    RESERVED_CHARACTER = "reserved-character", "one that has a meaning of its own"
    BAD_ESCAPE = "bad-escape", "a percent sign without two hexadecimal digits"
    USER = "user", "a user name, which the scheme does not have"
    HOST = "host", "no name or address of a host"
    PORT = "port", "no number of a port"
    STRUCTURE = "structure", "a part is missing, or is not what the scheme has there"


class Violation(Struct, frozen=True, order=True, gc=False):
    """A violation of a grammar of the scheme: its place, the rule, a description, and its kind.

    ``start`` and ``end`` are half-open and count characters of the URL; ``span`` has both.

    >>> from urlextract import parse_url
    >>> (violation,) = parse_url("ftp://ds.internic.net/a b").violations
    >>> violation.span, violation.rule, violation.message
    (Span(start=23, end=24), 'RFC 1738, section 5: fsegment', 'unsafe character unencoded')
    """

    start: Annotated[int, meaning("The first character of the departure, from 0 in url.")]
    end: Annotated[int, meaning("The character after it.")]
    rule: Annotated[
        str,
        meaning(
            "The standard and its rule: RFC 1738, section 5: hsegment. If the URL does not parse, its one "
            "violation has the rule syntax."
        ),
    ]
    message: Annotated[str, meaning("What is wrong, in words.")]
    code: Annotated[ViolationCode, meaning("The kind of the departure.")]

    @property
    def span(self) -> Span:
        """The place in the URL."""
        return Span(self.start, self.end)


_OLD, _NEW = (RFC1738, RFC1630, RFC2392, URI7), tuple(OF_RFC3986)
_BUT_RFC3986 = (*_OLD, *(OF_RFC3986 - {RFC3986}))

# RFC 1034, section 3.5 and RFC 1123, section 2.1
#   domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
#   toplabel    = alpha | alpha *[ alphadigit | "-" ] alphadigit
# RFC 6874, section 2
#   ZoneID      = 1*( unreserved / pct-encoded )
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_NUMBER = r"[0-9]+(?:\.[0-9]+){3}\Z"
_OCTET = r"(?:[01]?[0-9]{1,2}|2[0-4][0-9]|25[0-5])"
_ZONE = r"%25(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+\]\Z"
_UNFIT = rf"((?:%(?![0-9A-Fa-f]{{2}})|[^{bnf.REG_NAME}%])+)"


def _is_named(url: UrlBase) -> bool:
    return bool(url.host) and not (url.host or "").startswith("[")


_OF_AUTHORITY = (
    Fault(r"\A(\?)", "urlpath", 'no "/" before it', (), "path"),
    Fault(ALL, "hostport", "a user name, which the scheme does not have", _BUT_RFC3986, "user",
          lambda url: not url._LOGIN),
    Fault(r"\A(\[.*)", "host", "an address in brackets, which RFC 3986 has", _OLD, "host"),
    Fault(rf"\A(\[[^%]*(?!{_ZONE})%.*)", "IP-literal", 'a zone without "%25" before it', _NEW, "host"),
    Fault(_UNFIT, "reg-name", "a character that no host has", _NEW, "host", _is_named),
    Fault(rf"(?:\A|\.(?!\Z))((?!{_LABEL}(?:\.|\Z))[^.]*)", "domainlabel", "not a label of a host",
          _OLD, "host", _is_named),
    Fault(rf"\A(?!{_NUMBER})(?:.*\.)?([0-9](?:[A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?)\.?\Z", "toplabel",
          "the last label begins with a digit", _OLD, "host"),
    Fault(rf"\A(?={_NUMBER})((?!{_OCTET}(?:\.{_OCTET}){{3}}\Z).*)", "hostnumber", "not an IP address",
          _OLD, "host"),
    Fault(r"(\.)\Z", "hostname", "a dot after the last label", _OLD, "host"),
    Fault(rf"\A(.{{{LONGEST_NAME + 1}}}.*)", "host", "longer than a host's name may be", _OLD, "host"),
    Fault(ALL, "port", "port out of range", (), "port", lambda url: (url.port or 0) > 65535),
    Fault(unlike(".+"), "port", "a colon without a port", _OLD, "port"),
)  # fmt: skip
"""What must not be in the authority of any URL."""
_OTHER_CHARS = (
    Chars("user", "user", bnf.USER, bnf.USERINFO, bnf.USER),
    Chars("password", "password", bnf.USER, bnf.USERINFO, bnf.USER),
    Chars("fragment", "fragment", bnf.QUERY, bnf.QUERY, bnf.QUERY),
)
_CODES = {
    "user": ViolationCode.USER,
    "host": ViolationCode.HOST,
    "port": ViolationCode.PORT,
    bnf.UNSAFE: ViolationCode.UNSAFE_CHARACTER,
    bnf.RESERVED: ViolationCode.RESERVED_CHARACTER,
    bnf.BAD_ESCAPE: ViolationCode.BAD_ESCAPE,
}
"""The code of a fault by its stretch, and of a character by its message; all others are of the structure."""
_COLUMNS = {**dict.fromkeys(OF_RFC3986, "rfc3986"), RFC1630: "rfc1630", URI7: "uri7"}
"""The fields of `Chars` that have the characters of a grammar; the others have those of RFC 1738."""


def violations_in(url: UrlBase, grammar: str) -> Iterator[Violation]:
    """Yield the violations of a grammar of the URL's type."""
    text, standard = url._text, STANDARDS.get(grammar, grammar)
    if not url._FITS_ALL and url._matched[1] is None:
        span, rule = url._stretch(""), f"{standard}: {url.scheme}"
        yield Violation(*span, rule, "not the form of the scheme", ViolationCode.STRUCTURE)
    for stretch, rows in _faults_of(type(url), grammar, has_host=url.host is not None).items():
        start, end = url._stretch(stretch)
        piece = text[start:end]
        for fault, pattern in rows if start >= 0 else ():
            if fault.when is None or fault.when(url):
                for match in pattern.finditer(piece):
                    place = start + match.start(1), start + match.end(1)
                    code = _CODES.get(stretch, ViolationCode.STRUCTURE)
                    yield Violation(*place, f"{standard}: {fault.rule}", fault.message, code)
    column = Chars._fields.index(_COLUMNS.get(grammar, "rfc1738"))
    for chars in (*url.CHARS, *_OTHER_CHARS):
        start, end = url._stretch(chars.stretch)
        if start >= 0:
            for at, stop, message in bnf.faults(text, start, end, chars[column] or chars.rfc3986):
                yield Violation(at, stop, f"{standard}: {chars.rule}", message, _CODES[message])


@cache
def _faults_of(
    kind: type[UrlBase], grammar: str, *, has_host: bool
) -> dict[str, list[tuple[Fault, re.Pattern[str]]]]:
    """Return, by stretch, what a grammar does not allow in the URLs of a type, with a host or without."""
    found: dict[str, list[tuple[Fault, re.Pattern[str]]]] = {}
    for row in (*_OF_AUTHORITY, *kind.FAULTS) if has_host else kind.FAULTS:
        if not row.grammars or grammar in row.grammars:
            found.setdefault(row.stretch, []).append((row, re.compile(row.pattern, re.DOTALL)))
    return found
