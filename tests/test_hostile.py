"""Hostile input: it never raises, its cost is linear and its memory is bounded (SPEC §8)."""

from __future__ import annotations

import gc
import io
import json
import re
import subprocess
import sys
from functools import partial

import pytest
from commands import COMMAND, ENVIRONMENT
from costs import DEAR, LINEAR, PLAIN, dearness, growth, seconds
from hostile import DENSE, HEAD, HOSTILE, HTML, PACKED, REWRITTEN, TEXTS, times
from realtools import LIMIT
from slices import Slices

from urlextract import extract_source, rewrap
from urlextract.scanner.scan import scan

SIZE = 100_000  # bytes
MEMORY = 256  # MiB at most, of which the interpreter takes 13, for some megabytes of input
LARGE = 4_000_000
SLOW = 2_000_000  # bytes a second of processor time: slower input is made smaller
# Run a command from a small process: the peak memory of a child begins with that of its parent.
MEASURED = (
    "import json, os, subprocess, sys\n"
    "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
    "_, status, used = os.wait4(child.pid, 0)\n"
    "print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024]))\n"
)


def named(table):
    return pytest.mark.parametrize("name", table, ids=[ascii(name)[1:-1] for name in table])


hostile = named(HOSTILE)


def read(data):
    re.purge()  # what one input compiled is of no use to the next
    troubles = []
    urls = [found.url for found in extract_source(io.BytesIO(data), on_damage=troubles.append)]
    assert len(troubles) <= 3
    return urls


@hostile
def test_hostile_input_never_raises(name):
    assert len(HOSTILE) > 100
    read(HOSTILE[name](SIZE // 20))


@pytest.mark.slow
@pytest.mark.parametrize("unit", [
    b"://", b"http://a.example/x", b"ab\n", b"\nFrom", b"<!--",
    b"Slide\n\n- a\n\f\n\n", b"text\n\n[Page 1]\n\n",
])  # fmt: skip
@pytest.mark.parametrize("head", [b"", b"From: a@a.example\nSubject: b\n\n"])
def test_small_reads_take_linear_time(unit, head):
    def found(data):
        return list(extract_source(Slices(data, 64)))

    assert growth(found, times(unit, head), 16_000, 128_000) < LINEAR


@pytest.mark.slow
@hostile
def test_hostile_input_takes_linear_time(name):
    """One step is allowed: input that is too odd or too long for a fast path takes a slower one."""
    assert any(growth(read, HOSTILE[name], size // 8, size) < LINEAR for size in (4 * SIZE, 16 * SIZE))


def measured(*words):
    """Run ``urlextract``; return the exit status, the most MiB that it took, and the error messages."""
    command = [sys.executable, "-c", MEASURED, *COMMAND, *map(str, words)]
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=4 * LIMIT, check=True)
    return *json.loads(done.stdout), done.stderr


@pytest.mark.slow
@hostile
def test_hostile_input_takes_bounded_memory(name, tmp_path):
    make = HOSTILE[name]
    sample = make(SIZE)
    rate = len(sample) / max(seconds(read, sample), 0.001)
    size = LARGE if rate > SLOW or name in PACKED else SIZE * 4
    (tmp_path / "input").write_bytes(make(size))
    status, peak, errors = measured(tmp_path / "input")
    assert status in (0, 1, 2)
    assert peak < MEMORY
    lines = errors.decode().splitlines()
    assert len(lines) <= 3
    assert all(line.startswith("urlextract: ") for line in lines)


WORDS = b"word " * 1_000
LINK = b"<!doctype html><a href=http://a.example/>"
HUGE = {
    "words in a link": (LINK, WORDS, b"</a>"),
    "words in a link, in a mail": (HTML + LINK, WORDS, b"</a>"),
    "letters of another script in a link": (LINK, "wort\u4e2d ".encode() * 1_000, b"</a>"),
    "words in a link, beside a text": (
        HEAD + b"Content-Type: multipart/alternative; boundary=q\n\n--q\n\nhttp://a.example/\n"
        b"--q\nContent-Type: text/html\n\n" + LINK, b"word word\n" * 1_000, b"</a>\n--q--\n"
    ),
    "the target of a link": (LINK[:-1] + b"a", b"a/" * 4_000, b">x</a>"),
    "the base of a page": (b"<html><base href='http://a.example/", b"a/" * 4_000, b"'><a href=b>c</a>"),
    "an attribute": (b"<html><p title='", WORDS, b"'>"),
    "attributes": (b"<html><a", b" a='b'" * 1_000, b">x</a>"),
    "a title": (b"<html><title>", WORDS, b"</title>"),
    "a word in a page": (b"<html>", b"w" * 5_000, b""),
    "a comment": (b"<html><!--", WORDS, b"-->"),
    "a subject": (b"From: a@b.example\nSubject: ", WORDS, b"\n\nhttp://a.example/\n"),
    "two-byte letters": (
        HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\n\n", b"\x1b$B!!\x1b(B" * 1_000, b""
    ),
}  # fmt: skip
"""Messages and pages whose one part is as long as is liked: what comes before it, a piece of it, the rest."""


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["-j"], ["--explain"]], ids=str)
@pytest.mark.parametrize("name", HUGE)
def test_50_mb_of_any_kind_take_less_than_150_mb(name, options, tmp_path):
    before, piece, rest = HUGE[name]
    with (tmp_path / "input").open("wb") as file:
        file.write(before)
        file.writelines(piece for _ in range(50_000_000 // len(piece)))
        file.write(rest)
    status, peak, errors = measured("-J1", *options, tmp_path / "input")
    assert (status in (0, 1), errors) == (True, b"")
    assert peak < 150


@pytest.mark.slow
@named(DENSE)
def test_each_candidate_costs_little(name):
    assert dearness((read, times(PLAIN.encode())), (read, DENSE[name]), SIZE) < DEAR


@pytest.mark.slow
@pytest.mark.parametrize(("break_urls", "unit"), REWRITTEN, ids=ascii)
def test_rewrapping_hostile_text_takes_linear_time(break_urls, unit):
    """It reads a text more than once, but a longer text no more often."""
    fill = partial(rewrap, break_urls=break_urls)
    assert dearness((fill, times(PLAIN)), (fill, times(unit)), SIZE // 4) < DEAR
    assert growth(fill, times(unit), SIZE // 2, SIZE) < LINEAR  # both in several units


@named(TEXTS)
def test_candidates_leave_no_reference_cycles(name):
    """The command runs with the garbage collector off, so a cycle for each candidate would fill memory."""
    gc.disable()
    gc.freeze()  # what is older is not looked at
    try:
        scan(TEXTS[name](4_000).decode("latin-1"))
        assert gc.collect() < 100
    finally:
        gc.unfreeze()
        gc.enable()
