"""Which URLs count as the same: ``--unique-by``, which ``--unique`` and ``--top`` follow."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from urlextract.grammar.domains import registered_domain
from urlextract.schemes.comparing import host_name_of, normal_form

UniqueBy = Literal["text", "url", "host", "domain"]
"""What two URLs must have in common to count as one."""


def key_by(unique_by: UniqueBy | None) -> Callable[[str], str]:
    """Return a function that returns equal texts for URLs that count as the same.

    A URL without a host is compared by its normal form.

    >>> [key_by(each)("HTTP://www.A.co.uk:80/%7Ex") for each in ("text", "url", "host", "domain")]
    ['HTTP://www.A.co.uk:80/%7Ex', 'http://www.a.co.uk/~x', 'www.a.co.uk', 'a.co.uk']
    """
    return _KEYS[unique_by or "url"]()


def _by_text() -> Callable[[str], str]:
    return str


def _by_normal_form() -> Callable[[str], str]:

    return normal_form


def _by_host() -> Callable[[str], str]:

    return lambda url: (host_name_of(url) or "").removesuffix(".") or normal_form(url)


def _by_domain() -> Callable[[str], str]:

    by_host, of_host = _by_host(), lru_cache(maxsize=4_096)(registered_domain)
    return lambda url: of_host(by_host(url))


_KEYS = {"text": _by_text, "url": _by_normal_form, "host": _by_host, "domain": _by_domain}


class Seen:
    """The URLs that were found before."""

    def __init__(self, unique_by: UniqueBy | None) -> None:
        self._key = key_by(unique_by)
        self._keys: set[str] = set()

    def is_new(self, url: str) -> bool:
        """Return whether a URL was not found before, and remember it."""
        if url in self._keys:  # a key has itself as its key
            return False
        key = self._key(url)
        is_new = key not in self._keys
        self._keys.add(key)
        return is_new
