"""Hostile input: it never raises, its cost is linear and its memory is bounded (SPEC §8)."""

from __future__ import annotations

import gc
import io
import json
import os
import re
import subprocess
import sys

import pytest
from costs import seconds
from hostile import DENSE, HOSTILE, PACKED, REWRITTEN, TEXTS
from realtools import LIMIT, ROOT

from urlextract import extract_source, rewrap
from urlextract.pipeline.options import ExtractOptions
from urlextract.scanner.stream import Stream

SIZE = 100_000  # bytes; and four times that
MEMORY = 256  # MiB at most, of which the interpreter takes 13, for some megabytes of input
LARGE = 4_000_000
SLOW = 2_000_000  # bytes a second: slower input is made smaller
# Run a command from a small process: the peak memory of a child begins with that of its parent.
MEASURED = (
    "import json, os, subprocess, sys\n"
    "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
    "_, status, used = os.wait4(child.pid, 0)\n"
    "print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024]))\n"
)
DEAREST = 15e-6  # seconds a byte: three times what it takes on an idle machine
TWICE_READ = 4  # times that for a text that is rewrapped, which is read again until it is stable
hostile = pytest.mark.parametrize("name", HOSTILE, ids=[ascii(name)[1:-1] for name in HOSTILE])


def read(data):
    re.purge()  # what one input compiled is of no use to the next
    troubles = []
    urls = [found.url for found in extract_source(io.BytesIO(data), on_damage=troubles.append)]
    assert len(troubles) <= 3
    return urls


def test_hostile_table_has_over_100_rows():
    assert len(HOSTILE) > 100


def grows_too_fast(name, size):
    """Return True if four times the size takes nine times as long; quadratic growth would be 16."""
    small, large = (HOSTILE[name](length) for length in (size, 4 * size))
    few, many = seconds(read, small, rounds=2), seconds(read, large, rounds=1)
    return many > max(0.1, 9 * few * max(1, len(large) / len(small) / 4))


@hostile
def test_hostile_input_never_raises(name):
    read(HOSTILE[name](SIZE // 20))


@pytest.mark.slow
@hostile
def test_hostile_input_takes_linear_time(name):
    """One step is allowed: input that is too odd or too long for a fast path takes a slower one."""
    assert not (grows_too_fast(name, SIZE) and grows_too_fast(name, 4 * SIZE))


@pytest.mark.slow
@hostile
def test_hostile_input_takes_bounded_memory(name, tmp_path):
    make = HOSTILE[name]
    sample = make(SIZE)
    rate = len(sample) / max(seconds(read, sample, rounds=1), 0.001)
    size = LARGE if rate > SLOW or name in PACKED else SIZE * 4
    (tmp_path / "input").write_bytes(make(size))
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, sys.executable, "-m", "urlextract", str(tmp_path / "input")],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=4 * LIMIT,
        check=True,
    )
    status, peak = json.loads(done.stdout)
    assert status in (0, 1, 2)
    assert peak < MEMORY
    lines = done.stderr.decode().splitlines()
    assert len(lines) <= 3
    assert all(line.startswith("urlextract: ") for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", DENSE, ids=[ascii(name)[1:-1] for name in DENSE])
def test_each_candidate_costs_little(name):
    data = DENSE[name](SIZE)
    assert any(seconds(read, data, rounds=rounds) < DEAREST * len(data) for rounds in (1, 3))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "unit"), [(policy, unit) for policy, units in REWRITTEN.items() for unit in units], ids=ascii
)
def test_rewrapping_hostile_text_takes_linear_time(policy, unit):
    """It reads a text more than once, but a longer text no more often."""

    def cost(size, rounds):
        text = unit * (size // len(unit.encode()))
        return seconds(lambda: rewrap(text, policy=policy), rounds=rounds) / size

    assert any(cost(SIZE // 4, rounds) < DEAREST * TWICE_READ for rounds in (1, 3))
    assert any(cost(SIZE, rounds) < 2.5 * cost(SIZE // 8, rounds) for rounds in (1, 2, 4))


@pytest.mark.parametrize("name", TEXTS, ids=[ascii(name)[1:-1] for name in TEXTS])
def test_candidates_leave_no_reference_cycles(name):
    """The command runs with the garbage collector off, so a cycle for each candidate would fill memory."""
    stream = Stream(ExtractOptions().limits(looks_on=False))
    gc.collect()
    gc.disable()
    try:
        stream.feed(TEXTS[name](4_000).decode("latin-1"), is_whole=True)
        assert gc.collect() < 100
    finally:
        gc.enable()
