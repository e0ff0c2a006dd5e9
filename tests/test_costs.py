"""The laws on cost hold for what is linear and fail for what is not, however noisy the machine is."""

from __future__ import annotations

import gc
import random
from contextlib import contextmanager
from functools import lru_cache

import costs
import pytest
from costs import LINEAR, TRIES, dearness, growth


class Machine:
    """A clock that a call moves on, by its true cost and what other work on the machine adds to it."""

    def __init__(self, cost, noise=lambda: 1.0):
        self.now, self.cost, self.noise, self.lengths = 0.0, cost, noise, []

    def call(self, text):
        self.lengths.append(len(text))
        self.now += self.cost(len(text)) * self.noise()

    def growth(self, small=1_000, large=4_000):
        return growth(self.call, lambda size: "a" * size, small, large, clock=lambda: self.now)


def bursts(seed):
    """Return a source of noise: one call in five takes up to four times as long."""
    chance = random.Random(seed)
    return lambda: chance.uniform(1, 4) if chance.random() < 1 / 5 else chance.uniform(1, 1.2)


@pytest.mark.parametrize("power", [1.0, 1.2, 1.8, 2.0])
def test_exponent_is_that_of_the_cost(power):
    assert Machine(lambda n: n**power).growth() == pytest.approx(power, abs=0.15)


def test_constant_part_does_not_hide_the_square_and_very_small_costs_do_not_count():
    assert Machine(lambda n: 1 + n + n * n / 500).growth() > LINEAR
    assert Machine(lambda n: n * n * 1e-14).growth() == 0  # below a tenth of a millisecond


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("times", [4, 8])
def test_noise_changes_no_verdict(seed, times):
    assert Machine(lambda n: n, bursts(seed)).growth(1_000, times * 1_000) < LINEAR
    assert Machine(lambda n: n * n, bursts(seed)).growth(1_000, times * 1_000) > LINEAR


def test_first_good_try_is_enough_and_bad_ones_end():
    quiet, square = Machine(lambda n: n), Machine(lambda n: n * n)
    quiet.growth()
    square.growth()
    assert len(quiet.lengths) == 7
    assert len(square.lengths) == 2 * sum(4 * rounds + 3 for rounds in range(1, TRIES + 1))
    assert len(square.lengths) == len(set(square.lengths))  # no two texts of a size are alike


@pytest.mark.parametrize(("power", "verdict"), [(1, True), (2, False)])
def test_what_seems_to_break_a_law_is_measured_once_more_alone(monkeypatch, power, verdict):
    """As long as others work, each long call takes four times as long, in every try."""
    hold_up, measured = [4], []

    @contextmanager
    def alone():
        measured.append(len(machine.lengths))
        hold_up.append(1)
        yield
        measured.append(len(machine.lengths))

    machine = Machine(lambda n: n**power * (hold_up[-1] if n > 2_000 else 1))
    monkeypatch.setattr(costs, "alone", alone)
    assert (machine.growth() < LINEAR) is verdict
    once, twice = measured
    assert once == sum(4 * rounds + 3 for rounds in range(1, TRIES + 1))
    assert twice == (once + 7 if verdict else 2 * once)


def test_text_that_grows_more_than_its_size_is_measured_by_its_length():
    machine = Machine(lambda n: n)
    exponent = growth(machine.call, lambda size: "a" * size**2, 100, 200, clock=lambda: machine.now)
    assert exponent == pytest.approx(1, abs=0.02)


def linear(text):
    return sum(1 for _ in text)


def quadratic(text):
    return sum(linear(text[at:]) for at in range(0, len(text), 64))


@pytest.mark.parametrize("cached", [lambda call: call, lru_cache])
def test_real_work_is_judged_rightly(cached):
    """A cache does not hide the square."""
    assert growth(cached(linear), lambda size: "a" * size, 20_000, 80_000) < LINEAR
    assert growth(cached(quadratic), lambda size: "a" * size, 2_000, 8_000) > LINEAR


def test_dearness_compares_two_texts_of_a_size():
    machine = Machine(None)
    machine.cost = lambda n: n * (7 if machine.is_dear else 1)

    def call(text):
        machine.is_dear = text.startswith("b")
        machine.call(text)

    def found(most):
        cheap, dear = (call, "a".ljust), (call, lambda size: "b" * size)
        return dearness(cheap, dear, 1_000, most=most, clock=lambda: machine.now)

    assert [found(most) for most in (6, 8)] == pytest.approx([7, 7], rel=0.001)


@pytest.mark.parametrize("is_on", [True, False])
def test_garbage_is_collected_as_before(is_on):
    states = []

    def call(_):
        states.append(gc.isenabled())
        raise LookupError

    (gc.enable if is_on else gc.disable)()
    try:
        with pytest.raises(LookupError):
            growth(call, lambda size: "a" * size, 1, 2)
        assert (states, gc.isenabled()) == ([False], is_on)
    finally:
        gc.enable()
