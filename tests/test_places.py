"""Places of the shared cases, each with what it must give, as a user would try them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import commands
import pytest

CASES = Path(__file__).parent.parent.parent / "shared" / "cases" / "places.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text().splitlines()] if CASES.exists() else []


def run(case: dict[str, Any], folder: Path, *more: str) -> subprocess.CompletedProcess[bytes]:
    """Call the command on the text of a case, in a file of its name or on standard input."""
    words, data = [*case["args"], *more], case["input"].encode()
    if case["file"] is None:
        return commands.run(*words, data=data, cwd=folder)
    (folder / case["file"]).write_bytes(data)
    return commands.run(*words, case["file"], cwd=folder)


@pytest.mark.skipif(not ROWS, reason="the shared cases are not beside this checkout")
@pytest.mark.parametrize("case", ROWS, ids=[f"{at}-{row['kind'][:40]}" for at, row in enumerate(ROWS)])
def test_place_gives_what_it_must(case: dict[str, Any], tmp_path: Path) -> None:
    done = run(case, tmp_path)
    urls, want = done.stdout.decode().splitlines(), case["want"]
    if isinstance(want, list):
        assert urls == want, done.stderr
        return
    if "-j" in case["args"]:
        urls = [json.loads(line)["url"] for line in urls]
    if {"defect", "no_defect"} & want.keys():
        records = [json.loads(line) for line in run(case, tmp_path, "-j").stdout.decode().splitlines()]
        codes = [defect["code"] for record in records for defect in record["defects"]]
        assert "defect" not in want or want["defect"] in (*codes, *(["any"] if codes else []))
        assert "no_defect" not in want or (records and want["no_defect"] not in codes)
    assert set(want.get("contains", ())) <= set(urls)
    assert not set(want.get("lacks", ())) & set(urls)
    assert "any" not in want or urls in want["any"]
    assert "status" not in want or done.returncode == want["status"], done.stderr
