"""The laws on cost: twice the text takes about twice the time, and no text costs far more than another.

Processor time is measured, and compared only with other processor time: no machine is too slow for a
law. Other work on the machine can make a call slower, so a comparison is tried several times, and one
try in which the law holds is enough: a cost that breaks the law breaks it in every try. If it seems to, all
is measured once more, while no other test of the run works.
"""

from __future__ import annotations

import gc
import math
import time

from alone import alone

LINEAR = 1.4
"""The exponent above which a cost does not grow in proportion to the length of the text.

7 times the time for 4 times the text, and 18 times the time for 8 times the text, are too much. A linear
cost stays below 1.3 in one try or another on a busy machine, and the square is at 2.
"""

DEAR = 45
"""How many times as long as `PLAIN` a hostile text of its length may take: each candidate costs little.

The dearest known takes 38 times as long: hosts without a scheme, each at the end of a line that may go on.
"""

PLAIN = "http://a.example/ "  # a unit of ordinary text, if it is full of URLs
TRIES = 5
LEAST = 0.0001  # seconds: what takes less counts as this


def growth(call, make, small, large, *, clock=time.process_time):
    """Return the exponent with which the time of ``call(make(size))`` grows between two sizes.

    It is 1 if the time is in proportion to the size, and 2 if it grows as the square of the size. The
    exponent of the first try below `LINEAR` is returned, else the least of all tries. Where the lengths
    of the texts grow more than the sizes, they count instead.

    >>> growth(sorted, lambda size: "ba" * (size // 2), 10_000, 80_000) < LINEAR
    True
    """

    def exponents(begin):
        few, many = (_Costs(call, make, size, clock, begin) for size in (small, large))
        for ratio in _ratios(few, many):
            yield math.log(ratio, max(large / small, many.length / few.length))

    return _first_below(LINEAR, exponents)


def dearness(one, other, size, *, most=DEAR, clock=time.process_time):
    """Return how many times as long ``other`` takes as ``one``; both are pairs of a call and a maker.

    The number of the first try below ``most`` is returned, else the least of all tries.

    >>> dearness((str.upper, "a".ljust), (list, "a".ljust), 100_000, most=1_000) < 1_000
    True
    """

    def ratios(begin):
        return _ratios(_Costs(*one, size, clock, begin), _Costs(*other, size, clock, begin))

    return _first_below(most, ratios)


class _Costs:
    """Measures a call with texts of about one size. No two are alike, so that none is found in a cache."""

    def __init__(self, call, make, size, clock, begin):
        self._call, self._make, self._size, self._clock = call, make, size, clock
        self._count = begin
        self.length = 0.0

    def measure(self, count):
        """Return the seconds that each of ``count`` texts takes."""
        return [self._measure_one() for _ in range(count)]

    def _measure_one(self):
        longer = 1 + self._count / 200
        self._count += 1
        text = self._make(round(self._size * longer))
        self.length = len(text) / longer
        return seconds(self._call, text, self._clock) / longer


def seconds(call, text, clock=time.process_time):
    """Return the time of a call, without that of collecting garbage, which depends on all that lives."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        started = clock()
        call(text)
        return clock() - started
    finally:
        if was_enabled:
            gc.enable()


def _ratios(one, other):
    """Yield, for each try, how many times as long ``other`` takes as ``one``.

    A try measures ``other`` more often than the try before it, and ``one`` three times before and after;
    the least time of each counts. If ``one`` were slow each time and ``other`` were not, the ratio would
    be too low.
    """
    for rounds in range(1, TRIES + 1):
        few, many = one.measure(3), []
        for _ in range(rounds):
            many += other.measure(1)
            few += one.measure(3)
        yield max(LEAST, min(many)) / max(LEAST, min(few))


def _first_below(most, tries):
    """Return the first number below ``most`` that ``tries`` yields, at once or alone, else the least."""
    number = _first_or_least(most, tries(0))
    if number < most:
        return number
    with alone():
        return min(number, _first_or_least(most, tries(1 / 2)))  # texts between those of before


def _first_or_least(most, numbers):
    least = math.inf
    for number in numbers:
        least = min(least, number)
        if least < most:
            break
    return least
