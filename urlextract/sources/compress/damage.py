"""What the layers round one stream share: the bytes really read, the limit of a bomb, and faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.streams import Place

__all__ = ["BOMB_FLOOR", "BOMB_RATIO", "DamagedError", "Wrapping"]

BOMB_FLOOR = 256 * 1024 * 1024  # bytes: below this much output no ratio is a bomb
BOMB_RATIO = 400  # output to input; deflate reaches 1032, others a million


class DamagedError(Exception):
    """Where reading of one layer ends before its time, and why."""

    def __init__(self, cause: str, offset: int) -> None:
        super().__init__(cause)
        self.cause = cause
        self.offset = offset


class Wrapping:
    """Counts what is really read, under however many layers, and tells of the first fault only.

    What is cut short outside is cut short inside too: one thing happened.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._taken = 0
        self._is_told = False

    def metered(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Pass the outermost blocks, and count them."""
        for block in blocks:
            self._taken += len(block)
            yield block

    def is_bomb(self, given: int) -> bool:
        """Say whether ``given`` bytes are more than honest data of that size makes."""
        return given > max(BOMB_FLOOR, BOMB_RATIO * self._taken)

    def damage(self, fault: DamagedError) -> None:
        """Tell of a fault, unless one was told that explains it."""
        if not self._is_told:
            self._is_told = True
            self._place.damage(fault.cause, fault.offset)
