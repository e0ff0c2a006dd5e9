"""The top-level domains; registered domains, by the Public Suffix List.

That list names the domains below which anyone can register.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from urlextract.grammar.names import names_in
from urlextract.grammar.patterns import lazy_re

TLDS = names_in("tlds.txt")
"""The names, in lower case, those beyond ASCII as A-labels."""

OLDEST = frozenset(("com", "org", "net", "edu", "gov", "mil"))
"""Top-level domains that are hardly ever anything else, in any case: "Example.COM"."""

_SITES = """
academy aero agency art asia bayern berlin bike biz blog brussels cloud club codes coffee community
company computer consulting coop dev digital engineering eus expert foundation gal guru hamburg
hosting info institute international koeln london ltd media mobi museum network ninja nrw nyc online
paris photography photos press pub rocks ruhr saarland scot site social software solutions space
swiss tech technology tel tirol tokyo travel university vegas vlaanderen wales website wien wiki xxx
xyz zone
"""

SITES = frozenset(_SITES.split())
"""Longer ones that suffice to make a name a host; others are also words of programs and prose."""

_WORDS = """
am as at be by do ge gt id in is it la lt me my ne no pm re so to us
"""

WORDS = frozenset(_WORDS.split())
"""Country domains that are also words or operators: "home.it was", "operator.lt"."""

LOCAL_DOMAINS = frozenset(("example", "internal", "lan", "local", "localdomain", "test"))
"""Top-level domains of hosts that IANA does not list: RFC 2606, RFC 6762, private networks."""


def tld_of(label: str) -> str | None:
    """Return ``label`` in lower case and ASCII if it is a top-level domain, else None.

    >>> tld_of("COM"), tld_of("рф"), tld_of("example")
    ('com', 'xn--p1ai', None)
    """
    name = label.lower()
    if not name.isascii():
        name = f"xn--{name.encode('punycode').decode('ascii')}"
    return name if name in TLDS else None


# --- registered domains ---------------------------------------------------------------------------------

_ADDRESS = lazy_re(r"[0-9.]+\Z|\[.*\]\Z|[^:]*:")


@cache
def _suffixes(*, only_icann: bool) -> Any:
    """Return the Public Suffix List; loading takes 30 ms, so only what compares domains loads it."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=only_icann)


def is_address(host: str) -> bool:
    """Return whether a host is an IP address: of version 4, or of version 6."""
    return _ADDRESS.match(host) is not None


def registered_domain(host: str) -> str:
    """Return the registered domain of a host; return a public suffix and an IP address unchanged.

    The host has U-labels or A-labels, and so has the result.

    >>> registered_domain("www.a.co.uk"), registered_domain("me.github.io"), registered_domain("127.0.0.1")
    ('a.co.uk', 'me.github.io', '127.0.0.1')
    """
    return host if is_address(host) else _suffixes(only_icann=False).privatesuffix(host) or host


def is_of_a_registry(domain: str) -> bool:
    """Return whether a domain is registered with a registry of a top-level domain.

    A name below a private suffix of the list, such as github.io, is not.
    """
    return bool(_suffixes(only_icann=True).privatesuffix(domain) == domain)
