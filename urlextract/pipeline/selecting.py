"""Which URLs the options ``hosts``, ``domains`` and ``grep`` select: by patterns of hosts, names, a regex."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from ipaddress import IPv6Address
from typing import NamedTuple, Self
from unicodedata import normalize

import regex

from urlextract.errors import UrlExtractError
from urlextract.grammar.domains import registered_domain, tld_of
from urlextract.grammar.patterns import lazy_re
from urlextract.results import Found
from urlextract.schemes.hosts import to_ascii, to_unicode

_OF_NO_HOST = lazy_re(r"[\s/@,#%\\\"'<>\x00-\x20\x7f]")
_OPEN_SET = lazy_re(r"\[(?!!?.[^\]]*\])")  # "[" of a glob that has no "]"
_GLOB = lazy_re(r"[*?\[]")
_PATIENCE = 1.0  # seconds for a regex


class Hosts(NamedTuple):
    """Patterns for hosts, each in A-labels or U-labels; a host fits if one of them fits either form."""

    globs: tuple[str, ...]

    @classmethod
    def of(cls, name: str, patterns: Iterable[str]) -> Self:
        """Return the patterns of the option ``name``; raise `ValueError` for one that no host can fit.

        >>> Hosts.of("hosts", [".Example.com"]).has("www.example.com")
        True
        >>> Hosts.of("hosts", ["http://a.example/"])
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
        return cls(tuple(globs))

    def has(self, host: str) -> bool:
        """Return whether a host, in lower case and with A-labels, fits one of the patterns."""
        host = host.removesuffix(".")
        forms = {host, to_unicode(host)}
        return any(form == glob or fnmatchcase(form, glob) for glob in self.globs for form in forms)

    def fits(self, found: Found) -> bool:
        """Return whether a result is selected."""
        return found.host is not None and self.has(found.host)


class OtherHosts(Hosts):
    """Patterns for hosts that are left out."""

    def fits(self, found: Found) -> bool:
        """Return whether a result is selected."""
        return found.host is None or not self.has(found.host)


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


class Domains(NamedTuple):
    """Registered domains in A-labels."""

    names: frozenset[str]

    @classmethod
    def of(cls, name: str, domains: Iterable[str]) -> Self:
        """Return domains; raise `ValueError` for a name that is none.

        >>> sorted(Domains.of("domains", ["A.co.uk", "bücher.example"]).names)
        ['a.co.uk', 'xn--bcher-kva.example']
        >>> Domains.of("domains", ["www.a.co.uk"])
        Traceback (most recent call last):
        ValueError: domains: 'www.a.co.uk' is no registered domain: did you mean 'a.co.uk'?
        """
        return cls(frozenset(_domain(name, given) for given in domains))

    def fits(self, found: Found) -> bool:
        """Return whether a result is selected."""
        return found.host is not None and registered_domain(found.host.removesuffix(".")) in self.names


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
    if registered_domain(f"x.{domain}") != domain and tld_of(domain.rpartition(".")[2]):
        hint = f"the host '.{given}' takes all below it"
        raise ValueError(f"{name}: {given!r} is a public suffix, and no registered domain: {hint}")
    return domain


class Regex(NamedTuple):
    """A pattern of the package ``regex`` that counts in any case."""

    pattern: regex.Pattern[str]

    @classmethod
    def of(cls, name: str, pattern: str) -> Self:
        """Return a pattern; raise `ValueError` for a wrong one."""
        try:
            return cls(regex.compile(pattern, regex.IGNORECASE))
        except regex.error as error:
            raise ValueError(f"{name}: {pattern!r} is not a pattern: {error}") from None

    def fits(self, found: Found) -> bool:
        """Return whether the URL or the text of its link has the pattern.

        Raise `UrlExtractError` after a second: a pattern may take time that grows with 2ⁿ.
        """
        texts = found.url, found.text or ""
        try:
            return any(self.pattern.search(text, timeout=_PATIENCE) for text in texts)
        except TimeoutError:
            words = f"--grep: {self.pattern.pattern!r} takes too long for {found.url}"
            raise UrlExtractError(words) from None


Selecting = Hosts | Domains | Regex
KINDS: dict[str, type[Selecting]] = {
    "hosts": Hosts,
    "other hosts": OtherHosts,
    "domains": Domains,
    "regex": Regex,
}
"""What selects results, by the name that the table of options gives it."""
