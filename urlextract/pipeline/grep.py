"""Search for a pattern in a URL, and in the words of its link."""

from __future__ import annotations

import regex

from urlextract.errors import UrlExtractError
from urlextract.results import Found

_PATIENCE = 1.0  # seconds


class Grep:
    """A regular expression of the package ``regex``, which is searched for in each result, in any case.

    Searching ends with `UrlExtractError` after a second: a pattern may take time that grows with 2ⁿ.
    """

    def __init__(self, name: str, pattern: str) -> None:
        try:
            self._pattern = regex.compile(pattern, regex.IGNORECASE)
        except regex.error as error:
            raise ValueError(f"{name}: {pattern!r} is not a pattern: {error}") from None

    def fits(self, found: Found) -> bool:
        """Return whether the URL or the text of its link has the pattern."""
        try:
            return any(
                self._pattern.search(text, timeout=_PATIENCE) for text in (found.url, found.text or "")
            )
        except TimeoutError:
            raise UrlExtractError(
                f"--grep: {self._pattern.pattern!r} takes too long for {found.url}"
            ) from None
