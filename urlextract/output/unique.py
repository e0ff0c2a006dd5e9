"""Which URLs count as one: for ``--unique``, and for ``--top``, which ``--by`` has count hosts or domains."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

By = Literal["host", "domain"]
"""What ``--top`` counts instead of URLs."""


def key_by(by: By | None) -> Callable[[str], str]:
    """Return a function that returns the host or the domain of a URL, or its normal form.

    A URL without a host has its normal form in place of it.

    >>> [key_by(each)("HTTP://www.A.co.uk:80/%7Ex") for each in (None, "host", "domain")]
    ['http://www.a.co.uk/~x', 'www.a.co.uk', 'a.co.uk']
    """
    from urlextract.grammar.domains import registered_domain
    from urlextract.schemes.url import normal_form  # to parse URLs takes long to load

    if by is None:
        return normal_form
    if by == "host":
        return _host_of
    of_host = lru_cache(maxsize=4_096)(registered_domain)
    return lambda url: of_host(_host_of(url))


def _host_of(url: str) -> str:
    from urlextract.schemes.url import host_name_of, normal_form

    return (host_name_of(url) or "").removesuffix(".") or normal_form(url)


class Seen:
    """The URLs that were found before."""

    def __init__(self) -> None:
        self._normal_form = key_by(None)
        self._forms: set[str] = set()

    def is_new(self, url: str) -> bool:
        """Return whether a URL was not found before, and remember it."""
        if url in self._forms:  # a normal form is its own normal form
            return False
        form = self._normal_form(url)
        is_new = form not in self._forms
        self._forms.add(form)
        return is_new
