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
found = [*extract("see http://a.example/x\\n" * 150), *extract_message(message)]
for frame in (pandas.DataFrame(found), polars.DataFrame(found)):
    assert frame.shape[0] == len(found), frame.shape
    assert list(frame["url"]) == [each.url for each in found]
rows = [each.to_dict() for each in found]
assert list(pandas.DataFrame(rows)["date"])[-1] == "1994-11-14T09:12:44Z"
assert polars.DataFrame(rows, infer_schema_length=None)["subject"][-1] == "x"
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
    assert "the record has no" in str(error)
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
