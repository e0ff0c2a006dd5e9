"""The scan that also reads hosts without a scheme, and mail addresses.

It asks about every colon, dot and "@" in the order of the text. It is used only with
``relaxed``, ``emails`` or ``explains``: `detect` is for all else.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later
from urlextract.scanner.addresses import read_address
from urlextract.scanner.buffer import Buffer, Hit
from urlextract.scanner.detect import EVERY_COLON, RULED_DOT, Scan
from urlextract.scanner.places import read_at_colon, read_at_dot
from urlextract.scanner.schemeless import read_local, read_name

__all__ = ["MarkScan"]

_MARK = later(rf"{EVERY_COLON}|\.(?<![\s.]\.)|@(?<!\s@)|/(?<=(?i:localhost)/)")


class MarkScan(Scan):
    """Reads all marks that give away a URL, a host or an address."""

    def run(self, start: int) -> int:
        """Read all places from ``start`` on in their order; return where the next scan begins."""
        for match in _MARK.finditer(self.b.text, start):
            at = match.start()
            if at >= self.b.last:
                self.by_rules(_READERS[self.b.text[at]], at)
        return self.b.size


def _at_colon(b: Buffer, at: int) -> Hit | None:
    return read_at_colon(b, at) or read_local(b, at)


def _at_dot(b: Buffer, at: int) -> Hit | None:
    hit = read_at_dot(b, at) if RULED_DOT.match(b.text, at) else None
    return hit or read_name(b, at)


_READERS = {":": _at_colon, ".": _at_dot, "@": read_address, "/": read_local}
