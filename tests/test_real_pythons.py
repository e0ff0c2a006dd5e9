"""The program under Debian's own Python, whose `re` may be older."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from realtools import LIMIT, ROOT, install

PYTHON = Path("/usr/bin/python3")
TESTS = [
    f"tests/test_{name}.py" for name in ("corpora", "forms", "linebreaks", "message_corpora", "patterns")
]
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")


def done(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program in the checkout, without PYTHON variables and with 4 GB of memory."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    limited = ("sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh", *arguments)
    return subprocess.run(
        limited, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=20 * LIMIT
    )


def run(*arguments: str | Path) -> str:
    """Run a program that must succeed, as `done` does; return its output."""
    ended = done(*arguments)
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
    return ended.stdout


def test_main_tests_pass_under_debians_python(tmp_path: Path) -> None:
    if trouble := install("python3-venv"):
        pytest.skip(trouble)
    version = run(PYTHON, "-c", "import sys; print(sys.version_info >= (3, 11), sys.version)")
    if version.strip() == f"True {sys.version}":
        pytest.skip("Debian's Python is the one that runs these tests")
    if not version.startswith("True"):
        pytest.skip(f"Debian's Python is too old: {version[6:]}")
    python = tmp_path / "bin" / "python"
    run(PYTHON, "-m", "venv", tmp_path)
    if done(python, *PIP, "pytest", "hypothesis").returncode:
        pytest.skip("no pytest to install for Debian's Python")
    run(python, *PIP, ".")
    alone = ("-o", "addopts=-q", "-p", "no:cacheprovider")  # as it is run here needs pytest-xdist, too
    assert " passed" in run(python, "-m", "pytest", *alone, *TESTS)
