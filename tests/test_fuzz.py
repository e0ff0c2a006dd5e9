"""Each fuzz target, on its past failures, its seeds and generated input."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from realtools import ROOT
from strategies import PIECES, examples

sys.path.insert(0, str(ROOT / "tests" / "fuzz"))

from run import failures_in
from targets import TARGETS

CASES = sorted(path for path in (ROOT / "tests" / "cases").iterdir() if path.suffix not in ("", ".txt"))
SEEDS = sorted(
    path for path in (ROOT / "corpora").rglob("*") if path.is_file() and path.stat().st_size < 9_000
)
hostile = st.lists(
    st.sampled_from([piece.encode("utf-8", "surrogateescape") for piece in PIECES]) | st.binary()
)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_past_failure_no_longer_fails(path):
    TARGETS[path.name.partition(".")[0]](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_do_not_fail(name):
    assert len(SEEDS) > 20
    for path in SEEDS:
        TARGETS[name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
@examples(50)
@given(hostile)
def test_generated_input_does_not_fail(name, pieces):
    TARGETS[name](b"".join(pieces))


def test_slow_unit_is_not_counted_as_a_failure(tmp_path):
    for name in ("crash-1", "slow-unit-2", "timeout-3", "oom-4"):
        (tmp_path / name).touch()
    assert [path.name for path in failures_in(tmp_path)] == ["crash-1", "oom-4", "timeout-3"]
