"""Programs of users, in ``typing/``, pass the strict modes of mypy and pyright (API §4)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent / "typing").glob("*.py"))


def copied(tmp_path: Path) -> list[Path]:
    """Copy the programs to where no settings of this checkout apply."""
    return [Path(shutil.copy(program, tmp_path)) for program in PROGRAMS]


def test_mypy_strict_accepts_the_programs(tmp_path: Path) -> None:
    options = ("--strict", "--no-incremental", "--config-file=", "--warn-unused-ignores")
    command = [sys.executable, "-m", "mypy", *options]
    done = subprocess.run(
        [*command, *copied(tmp_path)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.stdout.strip() == f"Success: no issues found in {len(PROGRAMS)} source files", done.stdout


@pytest.mark.slow
def test_pyright_strict_accepts_the_programs(tmp_path: Path) -> None:
    if not shutil.which("npm"):
        pytest.skip("no npm to install pyright with")
    got = subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "pyright@1"],
        capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False,
    )  # fmt: skip
    pyright = tmp_path / "node_modules" / ".bin" / "pyright"
    if not pyright.exists():
        pytest.skip(f"npm cannot install pyright: {got.stderr.strip()[:200]}")
    settings = {
        "include": [program.name for program in copied(tmp_path)],
        "typeCheckingMode": "strict",
        "enableTypeIgnoreComments": False,
        "reportUnnecessaryTypeIgnoreComment": "error",
        "extraPaths": [sysconfig.get_path("purelib")],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [pyright, "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False)
    report = json.loads(done.stdout)
    assert report["generalDiagnostics"] == []
    assert report["summary"]["filesAnalyzed"] == len(PROGRAMS)
