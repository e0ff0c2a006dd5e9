"""The numbers of articles that were read, as ranges: a newsreader keeps them so."""

from __future__ import annotations

from bisect import bisect_right

__all__ = ["Numbers"]


class Numbers:
    """Numbers in any order, kept as ranges.

    >>> numbers = Numbers("1-3")
    >>> numbers.add(4), numbers.add(9)
    (None, None)
    >>> str(numbers), 5 in numbers
    ('1-4,9', False)
    """

    def __init__(self, ranges: str = "") -> None:
        self._lows: list[int] = []
        self._highs: list[int] = []
        for each in filter(None, ranges.split(",")):
            low, _, high = each.partition("-")
            self._lows.append(int(low))
            self._highs.append(int(high or low))
        if self._lows != sorted(self._lows) or self._highs != sorted(self._highs):
            raise ValueError(ranges)

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._lows, number) - 1
        return at >= 0 and number <= self._highs[at]

    def add(self, number: int) -> None:
        """Put a number in."""
        if number in self:
            return
        at = bisect_right(self._lows, number)
        joins_before = at > 0 and self._highs[at - 1] == number - 1
        joins_behind = at < len(self._lows) and self._lows[at] == number + 1
        if joins_before and joins_behind:
            self._highs[at - 1] = self._highs.pop(at)
            del self._lows[at]
        elif joins_before:
            self._highs[at - 1] = number
        elif joins_behind:
            self._lows[at] = number
        else:
            self._lows.insert(at, number)
            self._highs.insert(at, number)

    def __str__(self) -> str:
        pairs = zip(self._lows, self._highs, strict=True)
        return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in pairs)
