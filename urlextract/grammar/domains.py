"""Registered domains by the Public Suffix List, which names the domains below which anyone can register."""

from __future__ import annotations

from functools import cache
from typing import Any

from urlextract.grammar.patterns import lazy_re

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
