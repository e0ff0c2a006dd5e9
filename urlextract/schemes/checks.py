"""Violations of the grammars of a URL, by the rows of its scheme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from urlextract.grammar import bnf
from urlextract.grammar.bnf import OF_RFC3986, RFC1630, RFC3986, STANDARDS, URI7
from urlextract.grammar.codes import WordedCode
from urlextract.grammar.patterns import lazy_re
from urlextract.records import Span
from urlextract.schemes.components import UrlBase
from urlextract.schemes.rows import Chars, Fault, pattern_of


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


class Violation(NamedTuple):
    """A violation of a grammar of the scheme: its place, the rule, a description, and its kind.

    ``span`` is half-open and counts characters of the URL. ``rule`` is the standard and the name of
    its grammar rule.

    >>> from urlextract import parse_url
    >>> (violation,) = parse_url("ftp://ds.internic.net/a b").violations
    >>> violation.span, violation.rule, violation.message
    (Span(start=23, end=24), 'RFC 1738, section 5: fsegment', 'unsafe character unencoded')
    """

    span: Span
    rule: str
    message: str
    code: ViolationCode


# RFC 1034, section 3.5 and RFC 1123, section 2.1
#   domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
#   toplabel    = alpha | alpha *[ alphadigit | "-" ] alphadigit
_LABEL = lazy_re(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_TOP_LABEL = lazy_re(r"[A-Za-z]")
_NUMBER = lazy_re(r"[0-9]+(?:\.[0-9]+){3}\Z")
_LONGEST_NAME = 253  # characters of a host: RFC 1035, section 2.3.4

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
        names = ", ".join(url.GRAMMARS)
        kind = type(url).__name__
        raise ValueError(f"grammar: unknown value {grammar!r} for {kind}: choose one of {names}")
    return tuple(sorted(_violations(url, grammar)))


def grammars_of(url: UrlBase) -> tuple[str, ...]:
    """Return the grammars that the URL fits."""
    return tuple(name for name in url.GRAMMARS if next(_violations(url, name), None) is None)


def nearest_violations_of(url: UrlBase) -> tuple[Violation, ...]:
    """Return the violations of the grammar of which the URL has the fewest, the first of several."""
    nearest: tuple[Violation, ...] | None = None
    for name in url.GRAMMARS:
        found = tuple(_violations(url, name))
        if nearest is None or len(found) < len(nearest):
            nearest = found
        if not found:
            break
    return tuple(sorted(nearest or ()))


_ANY = bnf.QUERY  # the characters of a fragment
_FRAGMENT = Chars("fragment", "fragment", _ANY, _ANY, _ANY)
_OF_RFC1738 = Chars._fields.index("rfc1738")
_COLUMNS = {
    **dict.fromkeys(OF_RFC3986, Chars._fields.index("rfc3986")),
    RFC1630: Chars._fields.index("rfc1630"),
    URI7: Chars._fields.index("uri7"),
}
"""The fields of `Chars` that have the characters of a grammar; the others have those of RFC 1738."""


def _violations(url: UrlBase, grammar: str) -> Iterator[Violation]:
    standard = STANDARDS.get(grammar, grammar)
    if url.host is not None:
        yield from _login_violations(url, grammar, standard)
        if url._parts[2].startswith("?") and grammar not in OF_RFC3986:
            span = Span(url._path_start, url._path_start + 1)
            yield Violation(span, f"{standard}: urlpath", 'no "/" before it', ViolationCode.STRUCTURE)
    if not url._has_form:
        span, rule = Span(url._path_start, url._query_end), f"{standard}: {url.scheme}"
        yield Violation(span, rule, "not the form of the scheme", ViolationCode.STRUCTURE)
    for fault in url.FAULTS:
        if grammar in fault.grammars:
            yield from _matches_of(fault, url, standard)
    column = _COLUMNS.get(grammar, _OF_RFC1738)
    for chars in url.CHARS if url.fragment is None else (*url.CHARS, _FRAGMENT):
        start, end = url._stretch(chars.stretch)
        if start >= 0:
            allowed = chars[column] or chars.rfc3986
            for at, stop, message in bnf.faults(url._text, start, end, allowed):
                yield Violation(Span(at, stop), f"{standard}: {chars.rule}", message, _CODES[message])


def _matches_of(fault: Fault, url: UrlBase, standard: str) -> Iterator[Violation]:
    """Yield a violation for each place of a fault in a URL."""
    start, end = url._stretch(fault.stretch)
    if start >= 0 and (fault.when is None or fault.when(url)):
        for match in pattern_of(fault.pattern).finditer(url._text[start:end]):
            span = Span(start + match.start(1), start + match.end(1))
            yield Violation(span, f"{standard}: {fault.rule}", fault.message, ViolationCode.STRUCTURE)


def _login_violations(url: UrlBase, grammar: str, standard: str) -> Iterator[Violation]:
    """Yield the violations of user, password, host and port."""
    start, end = url._login_start, url._host_start - 1
    user, password, host = url.user, url.password, url.host or ""
    if user is not None:
        allowed = bnf.USERINFO if grammar in OF_RFC3986 else bnf.USER
        if not url._HAS_LOGIN and grammar != RFC3986:
            message = "a user name, which the scheme does not have"
            yield Violation(Span(start, end), f"{standard}: hostport", message, ViolationCode.USER)
        for at, stop, message in bnf.faults(url.text, start, start + len(user), allowed):
            yield Violation(Span(at, stop), f"{standard}: user", message, _CODES[message])
        if password is not None:
            for at, stop, message in bnf.faults(url.text, start + len(user) + 1, end, allowed):
                yield Violation(Span(at, stop), f"{standard}: password", message, _CODES[message])
    yield from _host_violations(url.text, url._host_start, host, grammar, standard)
    yield from _port_violations(url, url._host_start + len(host), grammar, standard)


def _host_violations(text: str, start: int, host: str, grammar: str, standard: str) -> Iterator[Violation]:
    end = start + len(host)
    if not host:
        return
    if host.startswith("["):
        if grammar not in OF_RFC3986:
            message = "an address in brackets, which RFC 3986 has"
            yield Violation(Span(start, end), f"{standard}: host", message, ViolationCode.HOST)
        elif "%" in host and not _ZONE.match(host):
            yield Violation(
                Span(start, end),
                "RFC 6874, section 2: ZoneID",
                'a zone without "%25" before it',
                ViolationCode.HOST,
            )
    elif grammar in OF_RFC3986:
        for at, stop, message in bnf.faults(text, start, end, bnf.REG_NAME):
            yield Violation(Span(at, stop), f"{standard}: reg-name", message, _CODES[message])
    elif _NUMBER.match(host):
        if any(len(number) > 3 or int(number) > 255 for number in host.split(".")):
            yield Violation(
                Span(start, end), f"{standard}: hostnumber", "not an IP address", ViolationCode.HOST
            )
    else:
        yield from _label_violations(start, host, standard)


def _label_violations(start: int, host: str, standard: str) -> Iterator[Violation]:
    labels = host.removesuffix(".").split(".")
    at = start
    for label in labels:
        if not _LABEL.match(label):
            message = "not a label of a host" if label.isascii() else "a label that is not ASCII"
            yield Violation(
                Span(at, at + len(label)), f"{standard}: domainlabel", message, ViolationCode.HOST
            )
        at += len(label) + 1
    last = labels[-1]
    if not _TOP_LABEL.match(last) and _LABEL.match(last):
        span = Span(at - 1 - len(last), at - 1)
        yield Violation(
            span, f"{standard}: toplabel", "the last label begins with a digit", ViolationCode.HOST
        )
    if host.endswith("."):
        span = Span(start + len(host) - 1, start + len(host))
        yield Violation(span, f"{standard}: hostname", "a dot after the last label", ViolationCode.HOST)
    if len(host) > _LONGEST_NAME:
        yield Violation(
            Span(start, start + len(host)),
            f"{standard}: host",
            "longer than a host's name may be",
            ViolationCode.HOST,
        )


def _port_violations(url: UrlBase, start: int, grammar: str, standard: str) -> Iterator[Violation]:
    if url.text[start : start + 1] != ":":
        return
    port = url.port
    if port is None and grammar not in OF_RFC3986:
        yield Violation(
            Span(start, start + 1), f"{standard}: port", "a colon without a port", ViolationCode.PORT
        )
    elif port is not None and port > 65535:
        span = Span(start + 1, start + 1 + len(url._login.port or ""))
        yield Violation(span, f"{standard}: port", "port out of range", ViolationCode.PORT)
