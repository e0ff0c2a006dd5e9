"""Records in the programs of analysts and of web handlers: pandas, polars, pydantic."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from realtools import LIMIT, ROOT

CODE = """
import json
import pandas, polars
from pydantic import BaseModel, TypeAdapter, ValidationError
from urlextract import Found, extract, extract_message

message = b"Subject: x\\nDate: Mon, 14 Nov 1994 09:12:44 +0000\\n\\nsee http://b.example/a-\\nb"
found = [*extract("see http://a.example/x\\n" * 150), *extract_message(message, parse=True, context=True)]
rows = [each.to_dict() for each in found]
for frame in (
    pandas.DataFrame(map(Found.to_dict, found)),
    polars.DataFrame(map(Found.to_dict, found), infer_schema_length=None),
):
    assert frame.shape == (len(found), len(rows[0])), frame.shape
    assert list(frame.columns) == list(rows[0])
    assert list(frame["url"]) == [each.url for each in found]
    assert list(frame["date"])[-1] == "1994-11-14T09:12:44Z"
    assert list(frame["subject"])[-1] == "x"
    assert [each["code"] for each in list(frame["repairs"])[-1]] == ["joined-lines"]
    assert [[*piece] for piece in list(frame["pieces"])[-1]] == [[4, 23], [24, 25]]
several = TypeAdapter(list[Found])
written = several.dump_json(found)
assert json.loads(written) == rows
assert several.validate_json(written) == several.validate_python(found) == found
assert "url" in json.dumps(several.json_schema())

class Answer(BaseModel):
    found: list[Found]

assert Answer(found=rows).found == found
try:
    several.validate_json('[{"v": 4}]')
except ValidationError as error:
    assert "the version of the record is 4" in str(error)
else:
    raise AssertionError("a record without its keys was read")
print("done")
"""


def test_frames_and_models_take_records(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path], check=True, timeout=5 * LIMIT)
    python = tmp_path / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    wanted = subprocess.run(
        [*pip, "pandas", "polars", "pydantic"], capture_output=True, check=False, timeout=20 * LIMIT
    )
    if wanted.returncode:
        pytest.skip("no pandas, polars and pydantic to install")
    subprocess.run([*pip, ROOT], check=True, timeout=20 * LIMIT)
    done = subprocess.run(
        [python, "-P", "-c", CODE], capture_output=True, text=True, check=False, timeout=5 * LIMIT
    )
    assert done.stdout == "done\n", done.stderr
