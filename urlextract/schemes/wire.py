"""What a URL sends over the wire: octets that a protocol would act on are refused.

RFC 1738, section 6: encoded delimiters of a protocol must not be unencoded before
transmission, for they would be commands of their own.
"""

from __future__ import annotations

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import later
from urlextract.schemes.escapes import decoded_octets

__all__ = ["ACTED_ON", "sendable"]

ACTED_ON = later(r"(?:%0[0aAdD]|[\x00\r\n])+")
"""Line ends and NUL, encoded or not."""


def sendable(component: str, url: str, start: int, *, unsafe: bool) -> bytes:
    """Decode a component that begins at ``start`` of ``url``, to be sent.

    Raises `UrlSyntaxError` for CR, LF or NUL, unless ``unsafe``.
    """
    match = None if unsafe else ACTED_ON.search(component)
    if match:
        span = start + match.start(), start + match.end()
        raise UrlSyntaxError("a line end or NUL, which the protocol would act on", url, span)
    return decoded_octets(component)
