"""What a call costs, for the laws of cost."""

from __future__ import annotations

import time


def seconds(call, *arguments, rounds):
    """Return the least time of the processor that a call takes."""
    best = []
    for _ in range(rounds):
        started = time.process_time()
        call(*arguments)
        best.append(time.process_time() - started)
    return min(best)
