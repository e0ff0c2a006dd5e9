"""Violations of the grammars of a URL, by the rows of its scheme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from msgspec import Struct

from urlextract.grammar import bnf
from urlextract.grammar.bnf import OF_RFC3986, RFC1630, RFC3986, STANDARDS, URI7
from urlextract.grammar.codes import WordedCode
from urlextract.grammar.hosts import LONGEST_NAME
from urlextract.grammar.patterns import lazy_re
from urlextract.records import Span, meaning
from urlextract.schemes.components import NOWHERE, UrlBase
from urlextract.schemes.rows import Chars, pattern_of


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


# RFC 1034, section 3.5 and RFC 1123, section 2.1
#   domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
#   toplabel    = alpha | alpha *[ alphadigit | "-" ] alphadigit
_LABEL = lazy_re(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_TOP_LABEL = lazy_re(r"[A-Za-z]")
_NUMBER = lazy_re(r"[0-9]+(?:\.[0-9]+){3}\Z")

_ZONE_ID = "ZoneID"
_ZONE = lazy_re(r"\[[^%]*%25(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+\]\Z")

_CODES = {
    bnf.UNSAFE: ViolationCode.UNSAFE_CHARACTER,
    bnf.RESERVED: ViolationCode.RESERVED_CHARACTER,
    bnf.BAD_ESCAPE: ViolationCode.BAD_ESCAPE,
}


def violations_of(url: UrlBase, grammar: str) -> tuple[Violation, ...]:
    """Return the violations of ``grammar``, in the order of the text.

    Raise `ValueError` if ``grammar`` is not in the ``GRAMMARS`` of the URL's type.
    """
    if grammar not in url.GRAMMARS:
        message = f"grammar: unknown value {grammar!r} for {type(url).__name__}"
        raise ValueError(f"{message}: choose one of {', '.join(url.GRAMMARS)}")
    return tuple(sorted(_violations(url, grammar)))


def grammars_of(url: UrlBase) -> tuple[str, ...]:
    """Return the grammars that the URL fits."""
    return tuple(name for name in url.GRAMMARS if next(_violations(url, name), None) is None)


def nearest_violations_of(url: UrlBase) -> tuple[Violation, ...]:
    """Return the violations of the grammar of which the URL has the fewest, the first of several."""
    nearest: tuple[Violation, ...] = ()
    for name in url.GRAMMARS:
        found = tuple(_violations(url, name))
        if not found:
            return ()
        nearest = found if not nearest or len(found) < len(nearest) else nearest
    return tuple(sorted(nearest))


_FRAGMENT = Chars("fragment", "fragment", bnf.QUERY, bnf.QUERY, bnf.QUERY)
_COLUMNS = {**dict.fromkeys(OF_RFC3986, "rfc3986"), RFC1630: "rfc1630", URI7: "uri7"}
"""The fields of `Chars` that have the characters of a grammar; the others have those of RFC 1738."""
_Found: TypeAlias = tuple[int, int, str, str, ViolationCode]
"""The start and the end of a violation, its rule without the standard, its message and its code."""


def _violations(url: UrlBase, grammar: str) -> Iterator[Violation]:
    standard = STANDARDS.get(grammar, grammar)
    for start, end, rule, message, code in _found(url, grammar):
        of = "RFC 6874, section 2" if rule == _ZONE_ID else standard
        yield Violation(start, end, f"{of}: {rule}", message, code)


def _found(url: UrlBase, grammar: str) -> Iterator[_Found]:
    text, code = url._text, ViolationCode.STRUCTURE
    if url.host is not None:
        yield from _in_authority(url, grammar)
        is_told = grammar in OF_RFC3986 and "?" not in url.CHARS[0].rfc3986  # as a character, below
        if url._parts[2].startswith("?") and not is_told:
            yield url._path_start, url._path_start + 1, "urlpath", 'no "/" before it', code
    if not url._FITS_ALL and url._matched[1] is None:
        yield url._path_start, url._query_end, url.scheme, "not the form of the scheme", code
    for fault in url.FAULTS:
        is_of_grammar = not fault.grammars or grammar in fault.grammars
        start, end = url._stretch(fault.stretch) if is_of_grammar else NOWHERE
        if start >= 0 and (fault.when is None or fault.when(url)):
            for match in pattern_of(fault.pattern).finditer(text[start:end]):
                yield start + match.start(1), start + match.end(1), fault.rule, fault.message, code
    column = Chars._fields.index(_COLUMNS.get(grammar, "rfc1738"))
    for chars in url.CHARS if url.fragment is None else (*url.CHARS, _FRAGMENT):
        start, end = url._stretch(chars.stretch)
        if start >= 0:
            yield from _characters(text, start, end, chars.rule, chars[column] or chars.rfc3986)


def _characters(text: str, start: int, end: int, rule: str, allowed: str) -> Iterator[_Found]:
    """Yield the characters in ``text[start:end]`` that are not ``allowed``."""
    for at, stop, message in bnf.faults(text, start, end, allowed):
        yield at, stop, rule, message, _CODES[message]


def _in_authority(url: UrlBase, grammar: str) -> Iterator[_Found]:
    """Yield the violations of user, password, host and port."""
    text, (user, password, host, port) = url._text, url._login
    if user is not None:
        start, end = url._stretch("user")
        allowed = bnf.USERINFO if grammar in OF_RFC3986 else bnf.USER
        if not url._LOGIN and grammar != RFC3986:
            message, stop = "a user name, which the scheme does not have", url._stretch("host")[0] - 1
            yield start, stop, "hostport", message, ViolationCode.USER
        yield from _characters(text, start, end, "user", allowed)
        if password:
            yield from _characters(text, *url._stretch("password"), "password", allowed)
    start, end = url._stretch("host")
    yield from _in_host(text, start, host or "", grammar)
    if port and (url.port or 0) > 65535:
        yield end + 1, end + 1 + len(port), "port", "port out of range", ViolationCode.PORT
    elif port == "" and grammar not in OF_RFC3986:
        yield end, end + 1, "port", "a colon without a port", ViolationCode.PORT


def _in_host(text: str, start: int, host: str, grammar: str) -> Iterator[_Found]:
    end, code = start + len(host), ViolationCode.HOST
    if host.startswith("["):
        if grammar not in OF_RFC3986:
            yield start, end, "host", "an address in brackets, which RFC 3986 has", code
        elif "%" in host and not _ZONE.match(host):
            yield start, end, _ZONE_ID, 'a zone without "%25" before it', code
    elif grammar in OF_RFC3986:
        yield from _characters(text, start, end, "reg-name", bnf.REG_NAME)
    elif _NUMBER.match(host):
        if any(len(number) > 3 or int(number) > 255 for number in host.split(".")):
            yield start, end, "hostnumber", "not an IP address", code
    elif host:
        yield from _in_labels(start, host)


def _in_labels(start: int, host: str) -> Iterator[_Found]:
    at, end, code = start, start + len(host), ViolationCode.HOST
    labels = host.removesuffix(".").split(".")
    for label in labels:
        if not _LABEL.match(label):
            message = "not a label of a host" if label.isascii() else "a label that is not ASCII"
            yield at, at + len(label), "domainlabel", message, code
        at += len(label) + 1
    last = labels[-1]
    if not _TOP_LABEL.match(last) and _LABEL.match(last):
        yield at - 1 - len(last), at - 1, "toplabel", "the last label begins with a digit", code
    if host.endswith("."):
        yield end - 1, end, "hostname", "a dot after the last label", code
    if len(host) > LONGEST_NAME:
        yield start, end, "host", "longer than a host's name may be", code
