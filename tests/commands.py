"""The command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from realtools import LIMIT, ROOT

COMMAND = [sys.executable, "-m", "urlextract"]
BEGUN = b"begun\n"
TELLING = [
    sys.executable,
    "-c",
    f"""
from urlextract import __main__ as program
begin = program._run
def told():
    print({BEGUN.decode().strip()!r}, flush=True)
    begin()
program._run = told
program.main()
""",
]
"""The command with a first line of output that says that it has begun, so that a signal is not too early."""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def run(*words: object, data: bytes | str = b"", **how: Any) -> subprocess.CompletedProcess[bytes]:
    """Run ``urlextract`` with these words and this standard input; the test looks at the exit status."""
    how = {"env": ENVIRONMENT, "timeout": LIMIT, **how}
    data = data.encode() if isinstance(data, str) else data
    words = tuple(word if isinstance(word, bytes) else str(word) for word in words)
    return subprocess.run([*COMMAND, *words], input=data, capture_output=True, check=False, **how)


def outcome(*words: object, data: bytes | str = b"", **how: Any) -> tuple[int, str, str]:
    """Run ``urlextract``; return the exit status, the output and the error messages."""
    done = run(*words, data=data, **how)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode()


def lines(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """Return the lines of the output."""
    return done.stdout.decode().splitlines()


def until_it_has_worked(process: subprocess.Popen[bytes], seconds: float = 0.1) -> None:
    """Return when a process has used so much processor time, or has ended."""
    least = seconds * os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= least:  # user and system time: proc(5)
            return
        time.sleep(0.01)
