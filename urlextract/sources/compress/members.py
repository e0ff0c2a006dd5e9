"""What the compressed formats have in common: members, one behind the other, and padding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.sources.compress.damage import BOMB_RATIO, DamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.compress.damage import Wrapping
    from urlextract.sources.compress.layers import Layer

__all__ = ["Members"]


class Members:
    """Reads one layer, member by member; a format says how a member is read."""

    def __init__(self, layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> None:
        self.layer = layer
        self.data = b""  # compressed, not yet used
        self._blocks = blocks
        self._wrapping = wrapping
        self._read = 0  # compressed bytes up to the end of ``data``
        self._members = 0

    def all(self) -> Iterator[bytes]:
        """Undo all members."""
        while self._at_member():
            yield from self.member()

    def member(self) -> Iterator[bytes]:
        """Undo the member that begins here."""
        raise NotImplementedError

    @property
    def offset(self) -> int:
        """The offset of the next compressed byte."""
        return self._read - len(self.data)

    def more(self) -> bool:
        """Read another block; tell whether there was one."""
        block = next(self._blocks, b"")
        self.data += block
        self._read += len(block)
        return bool(block)

    def weigh(self, size: int) -> None:
        """Count what was given, and stop a bomb."""
        self._wrapping.weigh(size)
        if self._wrapping.is_bomb:
            raise DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", self.offset)

    def cut_short(self) -> DamagedError:
        """Give the fault of data that ends before its time."""
        return DamagedError(f"{self.layer.name} data is cut short", self._read)

    def _at_member(self) -> bool:
        """Tell whether another member follows, padding with zeros aside (RFC 1952, section 2.2)."""
        while self._members and not self.data.strip(b"\0"):
            self.data = b""
            if not self.more():
                return False
        if self._members:
            self.data = self.data.lstrip(b"\0")
        longest = max(map(len, self.layer.magics))
        while len(self.data) < longest and self.more():
            pass
        if self.data.startswith(self.layer.magics):
            self._members += 1
            return True
        raise DamagedError(f"junk after the end of the {self.layer.name} data", self.offset)
