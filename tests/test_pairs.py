"""Repeated tokens and pairs of tokens take linear time (SPEC §8)."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import settings
from pairs import MODES, TOKENS, slow_units, slowness
from sampled import mostly_slow

SAMPLE = 30  # pairs of each mode, in the profile "quick": some seconds in all
ALL = 2_000  # examples of the profile "long", which reads all pairs


def is_long():
    return settings.default.max_examples >= ALL


def units(mode):
    """Return all pairs of tokens for the profile "long", else a random sample whose seed is printed."""
    pairs = ["".join(pair) for pair in itertools.product(TOKENS, repeat=2)]
    if is_long():
        return pairs
    seed = random.randrange(1 << 32)
    print(f"{mode}: seed {seed}")
    return random.Random(seed).sample(pairs, SAMPLE)


def test_token_table_has_no_duplicates():
    assert len(TOKENS) == len(set(TOKENS)) > 150


@pytest.mark.parametrize("mode", mostly_slow(MODES))
def test_repeated_pair_takes_linear_time(mode):
    slow = list(slow_units((mode, unit) for unit in units(mode)))
    assert not slow, "\n" + "\n".join(map(str, slow))


@pytest.mark.parametrize(("mode", "unit"), [
    ("relaxed", "[.]b.com:99999/"), ("relaxed", "[.]1.2.3.4:99999/"), ("explain", "[.]b.com/"),
    ("explain", "a:b.com/"), ("explain", "a::ba(ba.com/"), ("explain", ",b.com/"), ("explain", "a.com/中"),
    ("html explain", "a.com/中"), ("html refang", "1gopher://a/"), ("text", "Seehttp://a/"),
], ids=ascii)  # fmt: skip
def test_name_that_is_refused_is_not_read_to_the_end_of_its_run(mode, unit):
    assert slowness(mode, unit) is None
