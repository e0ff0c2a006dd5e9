"""Violations of the grammar of a URL, and the type of its warnings; `cautions` finds these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from urlextract.grammar import bnf
from urlextract.grammar.bnf import OF_RFC3986, RFC1630, RFC3986, URI7, Component
from urlextract.grammar.codes import WordedCode
from urlextract.grammar.patterns import lazy_re
from urlextract.records import Span, meaning
from urlextract.schemes.components import UrlBase


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

    @classmethod
    def at(cls, span: Span, rule: str, message: str, code: ViolationCode) -> Violation:
        """Return the violation at a place."""
        return cls(*span, rule, message, code)

    @property
    def span(self) -> Span:
        """The place in the URL."""
        return Span(self.start, self.end)


class CautionCode(WordedCode):
    """The kinds of warnings.

    >>> from urlextract import parse_url
    >>> [caution.code.value for caution in parse_url("http://2130706433/").warnings]
    ['address-as-number']
    """

    LABEL = "label", "a label before a URL, not a scheme"
    ACTED_ON = "acted-on", "a line end or NUL, which the protocol would act on"
    LINE_END = "line-end", "a tab or line end, which browsers remove"
    CONTROL = "control", "a control character"
    INVISIBLE = "invisible", "an invisible character"
    BACKSLASH = "backslash", "a backslash, which browsers read as a slash"
    PASSWORD = "password", "a password for everyone to read"
    USER_LIKE_HOST = "user-like-host", "a user name that looks like a host"
    LOW_PORT = "low-port", "a port below 1024 that is not the scheme's"
    MIXED_SCRIPTS = "mixed-scripts", "letters of several scripts: {}"
    LOOKALIKE = "lookalike", "letters of another script, drawn like {}"
    ENCODED_HOST = "encoded-host", "a percent-encoded host name: {}"
    REPLACED_CHARACTERS = "replaced-characters", "characters that browsers replace: the host is {}"
    LIKE_DELIMITER = "like-delimiter", "a character in the host that looks like a delimiter: {}"
    ADDRESS_AS_NUMBER = "address-as-number", "an address written as a number"
    NOT_IDNA = "not-idna", "a host name that IDNA does not allow"
    EMPTY_LABEL = "empty-label", "an empty label in the host name"
    LONG_LABEL = "long-label", "a label of more than 63 characters"
    ODD_CHARACTER = "odd-character", "a character that is not allowed in host names"
    LONG_HOST = "long-host", "a host name of more than 253 characters"
    ENDS_IN_NUMBER = "ends-in-number", "a host that ends in a number, but is not an IPv4 address"


class Caution(Struct, frozen=True, order=True, gc=False):
    """Something in a URL that is valid but may be unsafe, in words and as a code: RFC 1738, section 6.

    ``start`` and ``end`` are half-open and count characters of the URL; ``span`` has both.

    >>> from urlextract import parse_url
    >>> [caution.message for caution in parse_url("ftp://me:secret@host.example/").warnings]
    ['a password for everyone to read']
    """

    start: Annotated[int, meaning("The first character of it, from 0 in url.")]
    end: Annotated[int, meaning("The character after it.")]
    message: Annotated[str, meaning("What is unsafe, in words.")]
    code: Annotated[CautionCode, meaning("The code of it.")]

    @classmethod
    def of(cls, code: CautionCode, span: Span, detail: str = "") -> Caution:
        """Return a caution with the words of its code, in which ``detail`` stands in place of "{}"."""
        return cls(*span, code.words.format(detail), code)

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
    return min((violations_of(url, name) for name in url.GRAMMARS), key=len)


def _violations(url: UrlBase, grammar: str) -> Iterator[Violation]:
    standard = url._STANDARDS.get(grammar, grammar)
    for violation in url._structural_violations():
        if grammar in violation.grammars:
            span = Span(violation.start, violation.end)
            yield Violation.at(
                span, f"{standard}: {violation.rule}", violation.message, ViolationCode.STRUCTURE
            )
    if url.host is not None:
        yield from _login_violations(url, grammar, standard)
        if url._whole_path.startswith("?") and grammar not in OF_RFC3986:
            span = Span(url._path_start, url._path_start + 1)
            yield Violation.at(span, f"{standard}: urlpath", 'no "/" before it', ViolationCode.STRUCTURE)
    for component in (*url._components(), *_fragment(url)):
        rule, allowed = f"{standard}: {component.rule}", _class_of(component, grammar)
        for start, end, message in bnf.faults(url.text, component.start, component.end, allowed):
            yield Violation.at(Span(start, end), rule, message, _CODES[message])


def _class_of(component: Component, grammar: str) -> str:
    if grammar in OF_RFC3986:
        return component.rfc3986
    if grammar == URI7:
        return component.uri7 or component.rfc3986
    return component.rfc1630 if grammar == RFC1630 else component.rfc1738


def _fragment(url: UrlBase) -> Iterator[Component]:
    if url.fragment is not None:
        end = len(url.text)
        yield Component(end - len(url.fragment), end, "fragment", bnf.QUERY, bnf.QUERY, bnf.QUERY)


def _login_violations(url: UrlBase, grammar: str, standard: str) -> Iterator[Violation]:
    """Yield the violations of user, password, host and port."""
    start, end = url._login_start, url._host_start - 1
    user, password, host = url.user, url.password, url.host or ""
    if user is not None:
        allowed = bnf.USERINFO if grammar in OF_RFC3986 else bnf.USER
        if not url._HAS_LOGIN and grammar != RFC3986:
            message = "a user name, which the scheme does not have"
            yield Violation.at(Span(start, end), f"{standard}: hostport", message, ViolationCode.USER)
        for at, stop, message in bnf.faults(url.text, start, start + len(user), allowed):
            yield Violation.at(Span(at, stop), f"{standard}: user", message, _CODES[message])
        if password is not None:
            for at, stop, message in bnf.faults(url.text, start + len(user) + 1, end, allowed):
                yield Violation.at(Span(at, stop), f"{standard}: password", message, _CODES[message])
    yield from _host_violations(url.text, url._host_start, host, grammar, standard)
    yield from _port_violations(url, url._host_start + len(host), grammar, standard)


def _host_violations(text: str, start: int, host: str, grammar: str, standard: str) -> Iterator[Violation]:
    end = start + len(host)
    if not host:
        return
    if host.startswith("["):
        if grammar not in OF_RFC3986:
            message = "an address in brackets, which RFC 3986 has"
            yield Violation.at(Span(start, end), f"{standard}: host", message, ViolationCode.HOST)
        elif "%" in host and not _ZONE.match(host):
            yield Violation.at(
                Span(start, end),
                "RFC 6874, section 2: ZoneID",
                'a zone without "%25" before it',
                ViolationCode.HOST,
            )
    elif grammar in OF_RFC3986:
        for at, stop, message in bnf.faults(text, start, end, bnf.REG_NAME):
            yield Violation.at(Span(at, stop), f"{standard}: reg-name", message, _CODES[message])
    elif _NUMBER.match(host):
        if any(len(number) > 3 or int(number) > 255 for number in host.split(".")):
            yield Violation.at(
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
            yield Violation.at(
                Span(at, at + len(label)), f"{standard}: domainlabel", message, ViolationCode.HOST
            )
        at += len(label) + 1
    last = labels[-1]
    if not _TOP_LABEL.match(last) and _LABEL.match(last):
        span = Span(at - 1 - len(last), at - 1)
        yield Violation.at(
            span, f"{standard}: toplabel", "the last label begins with a digit", ViolationCode.HOST
        )
    if host.endswith("."):
        span = Span(start + len(host) - 1, start + len(host))
        yield Violation.at(span, f"{standard}: hostname", "a dot after the last label", ViolationCode.HOST)
    if len(host) > _LONGEST_NAME:
        yield Violation.at(
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
        yield Violation.at(
            Span(start, start + 1), f"{standard}: port", "a colon without a port", ViolationCode.PORT
        )
    elif port is not None and port > 65535:
        span = Span(start + 1, start + 1 + len(url._login.port or ""))
        yield Violation.at(span, f"{standard}: port", "port out of range", ViolationCode.PORT)
