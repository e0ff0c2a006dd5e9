"""The bounds of the reader of messages made small: a short one goes through all that is made for 50 MB."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from urlextract.message import limits

SMALL = {
    "JUDGED": 64, "BLOCK": 1, "HEAD": 2000, "BOUNDARY": 90, "PREAMBLE": 900, "PART": 3000, "PIECE": 700,
    "ENCODED_LINE": 300, "WINDOW": 400,
}  # fmt: skip


@contextmanager
def limits_of(**sizes: int) -> Iterator[None]:
    """Set bounds by their names; the others stay."""
    with mock.patch.multiple(limits, **(sizes or {"PART": limits.PART})):
        yield
