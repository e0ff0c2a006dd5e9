"""No token, and no pair of tokens, costs much more than others when it is repeated: time is in proportion."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import settings
from pairs import MODES, TOKENS, slow_units

SAMPLE = 30  # pairs of each mode, in the profile "quick": some seconds in all
ALL = 2_000  # examples of the profile "long": it asks for all pairs
GENEROUS = 4.0  # for the sample: others use the machine, too
FAIR = 2.0


def is_long():
    return settings.default.max_examples >= ALL


def units(mode):
    """Return all pairs of tokens for the profile "long", or a sample, told apart by a printed seed."""
    pairs = ["".join(pair) for pair in itertools.product(TOKENS, repeat=2)]
    if is_long():
        return pairs
    seed = random.randrange(1 << 32)
    print(f"{mode}: seed {seed}")
    return random.Random(seed).sample(pairs, SAMPLE)


def test_the_table_has_no_token_twice():
    assert len(TOKENS) == len(set(TOKENS)) > 150


@pytest.mark.parametrize("mode", MODES)
def test_pairs_cost_in_proportion(mode):
    factor = FAIR if is_long() else GENEROUS
    slow = list(slow_units(((mode, unit) for unit in units(mode)), factor=factor))
    assert not slow, "\n" + "\n".join(map(str, slow))
