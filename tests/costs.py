"""Processor time of a call, for the laws on cost."""

from __future__ import annotations

import time


def seconds(call, *arguments, rounds):
    """Return the least processor time that a call takes in so many rounds."""
    best = []
    for _ in range(rounds):
        started = time.process_time()
        call(*arguments)
        best.append(time.process_time() - started)
    return min(best)
