"""Which URLs the options ``hosts``, ``domains`` and ``grep`` select: patterns of hosts, names, a regex."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from ipaddress import IPv6Address
from typing import NamedTuple
from unicodedata import normalize

import regex

from urlextract.errors import UrlExtractError
from urlextract.grammar.domains import registered_domain
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.tlds import tld_of
from urlextract.results import Found
from urlextract.schemes.hosts import to_ascii, to_unicode

_OF_NO_HOST = lazy_re(r"[\s/@,#%\\\"'<>\x00-\x20\x7f]")
_OPEN_SET = lazy_re(r"\[(?!!?.[^\]]*\])")  # "[" of a glob that has no "]"
_GLOB = lazy_re(r"[*?\[]")
_PATIENCE = 1.0  # seconds for a regex


class HostPatterns(NamedTuple):
    """Patterns for hosts, each in A-labels or U-labels; a host fits if one of them fits either form."""

    globs: tuple[str, ...]

    def fits(self, host: str) -> bool:
        """Return whether a host, in lower case and with A-labels, fits one of the patterns."""
        host = host.removesuffix(".")
        forms = {host, to_unicode(host)}
        return any(form == glob or fnmatchcase(form, glob) for glob in self.globs for form in forms)


def patterns_of(name: str, patterns: Iterable[str]) -> HostPatterns:
    """Return the patterns of the option ``name``; raise `ValueError` for one that no host can fit.

    >>> patterns_of("hosts", [".Example.com"]).fits("www.example.com")
    True
    >>> patterns_of("hosts", ["http://a.example/"])
    Traceback (most recent call last):
    ValueError: hosts: 'http://a.example/' is no host: no host has a '/'
    """
    globs: list[str] = []
    for given in patterns:
        pattern = _checked(name, given)
        if pattern.startswith("."):  # the domain itself, and all below it
            globs.append(pattern[1:])
            pattern = f"*{pattern}"
        globs.append(pattern)
    return HostPatterns(tuple(globs))


def _checked(name: str, given: str) -> str:
    """Return a pattern in lower case, with U-labels; an IP address of version 6 as `Found.host` has it."""
    fault = _OF_NO_HOST.search(given) or (None if ":" in given else _OPEN_SET.search(given))
    if fault:
        raise ValueError(f"{name}: {given!r} is no host: no host has a {fault.group()!r}")
    if ":" in given:  # no other host has a colon
        try:
            return str(IPv6Address(given.removeprefix("[").removesuffix("]")))
        except ValueError:
            words = f"{name}: {given!r} is no host: leave out the scheme and the port"
            raise ValueError(words) from None
    pattern = normalize("NFKC", given).lower().removesuffix(".")
    if not pattern.strip("."):
        raise ValueError(
            f"{name}: {given!r} is no host: name one, as in 'www.example.org' or '*.example.org'"
        )
    return to_unicode(pattern)


def domains_of(name: str, domains: Iterable[str]) -> frozenset[str]:
    """Return registered domains in A-labels; raise `ValueError` for a name that is none.

    >>> sorted(domains_of("domains", ["A.co.uk", "bücher.example"]))
    ['a.co.uk', 'xn--bcher-kva.example']
    >>> domains_of("domains", ["www.a.co.uk"])
    Traceback (most recent call last):
    ValueError: domains: 'www.a.co.uk' is no registered domain: did you mean 'a.co.uk'?
    """
    return frozenset(_domain(name, given) for given in domains)


def _domain(name: str, given: str) -> str:
    fault = _OF_NO_HOST.search(given) or _GLOB.search(given)
    domain = None if fault else to_ascii(_checked(name, given))
    if not domain or domain.startswith("."):
        raise ValueError(f"{name}: {given!r} is no domain: name each by itself, as in 'example.org'")
    registered = registered_domain(domain)
    if registered != domain:
        raise ValueError(
            f"{name}: {given!r} is no registered domain: did you mean {to_unicode(registered)!r}?"
        )
    if domain_of(f"x.{domain}") != domain and tld_of(domain.rpartition(".")[2]):
        hint = f"the host '.{given}' takes all below it"
        raise ValueError(f"{name}: {given!r} is a public suffix, and no registered domain: {hint}")
    return domain


def domain_of(host: str) -> str:
    """Return the registered domain of a host with A-labels."""
    return registered_domain(host.removesuffix("."))


def regex_of(name: str, pattern: str) -> regex.Pattern[str]:
    """Return a pattern of the package ``regex`` that counts in any case."""
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except regex.error as error:
        raise ValueError(f"{name}: {pattern!r} is not a pattern: {error}") from None


def has(pattern: regex.Pattern[str], found: Found) -> bool:
    """Return whether the URL or the text of its link has a pattern.

    Raise `UrlExtractError` after a second: a pattern may take time that grows with 2ⁿ.
    """
    try:
        return any(pattern.search(text, timeout=_PATIENCE) for text in (found.url, found.text or ""))
    except TimeoutError:
        raise UrlExtractError(f"--grep: {pattern.pattern!r} takes too long for {found.url}") from None
