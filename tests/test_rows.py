"""A new gateway, key, output and option is one row: every way through the program knows it.

The package is copied and changed, as its next reader would. For marks, see `test_marks`; for a type of
archive and a kind of part, `test_sources_archives` and `test_message`.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from realtools import ROOT

MESSAGE = (
    "From a@b Mon Nov 14 09:12:44 1994\nDate: Mon, 14 Nov 1994 09:12:31 +0100\n\n"
    "see http://links.example/go?to=http%3A%2F%2Fa.example%2Fbc and\nhttp://b.example/d\n\n"
)
LINK, TARGET = "http://links.example/go?to=http%3A%2F%2Fa.example%2Fbc", "http://a.example/bc"
OTHER = "http://b.example/d"


class Copy:
    """A copy of the package in which lines were put, with what commands and programs print of `MESSAGE`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("share", "__pycache__")
        shutil.copytree(ROOT / "urlextract", folder / "urlextract", ignore=ignored)
        (folder / "box").write_text(2 * MESSAGE)
        (folder / "text").write_text(MESSAGE.partition("\n\n")[2])

    def put(self, file: str, before: str, line: str) -> None:
        """Put a line before the only place of some text."""
        path = self.folder / "urlextract" / file
        source = path.read_text()
        assert source.count(before) == 1
        path.write_text(source.replace(before, f"{line}\n{before}"))

    def run(self, *words: object, **how: Any) -> str:
        return subprocess.run(
            [sys.executable, "-P", *map(str, words)], capture_output=True, check=True, cwd=self.folder,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(self.folder), "PYTHONUTF8": "1", **how.pop("env", {})},
            **how,
        ).stdout  # fmt: skip

    def command(self, *words: object, **how: Any) -> list[str]:
        return self.run("-m", "urlextract", *words, **how).splitlines()

    def index(self, query: str, *words: object) -> list[tuple[Any, ...]]:
        (self.folder / "links.db").unlink(missing_ok=True)
        self.command("index", *words, "links.db", "box")
        with closing(sqlite3.connect(self.folder / "links.db")) as index:
            return index.execute(query).fetchall()


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


@pytest.mark.slow
def test_a_new_gateway_is_one_row(copy: Copy) -> None:
    assert copy.command("--unwrap", "text") == [LINK, OTHER]
    copy.put("schemes/gateways.py", "    # Links of some services always have more",
             '    _Gateway("Ours", "links.example", r"/go\\?", "to"),')  # fmt: skip
    assert copy.command("--unwrap", "text") == [TARGET, OTHER]
    assert copy.command("--unwrap", "-J", 2, "box", "text") == 3 * [TARGET, OTHER]
    assert copy.command("--fields", "wrapped_by,unwrapped", "text") == [f"Ours\t{TARGET}", "\t"]
    assert copy.index("SELECT url, unwrapped, wrapped_by FROM urls ORDER BY id") == [
        (LINK, TARGET, "Ours"), (OTHER, None, None)
    ]  # fmt: skip
    code = f"from urlextract import unwrap; print(unwrap({LINK!r}).url)"
    assert copy.run("-c", code).strip() == TARGET


@pytest.mark.slow
def test_a_new_key_is_one_field_and_its_value(copy: Copy) -> None:
    copy.put(
        "results.py",
        "\n    # fmt: on",
        '    size: Annotated[int, meaning("The length of url.", column=27)] = 0',
    )
    copy.put("pipeline/assembly.py", "    )  # fmt: skip\n\n\ndef with_url", "        len(url),")
    sizes = [str(len(url)) for url in (LINK, OTHER)]
    assert copy.command("--fields", "size", "text") == sizes
    assert [json.loads(line)["size"] for line in copy.command("-j", "-J", 2, "text")] == list(map(int, sizes))
    rows = copy.command("--csv", "text")
    assert [row.rpartition(",")[2] for row in rows] == ["size", *sizes]
    code = (
        "import json; from urlextract import Found, extract\n"
        f"[found] = extract({OTHER!r})\n"
        "print(json.dumps([found.to_dict()['size'], Found.from_dict(found.to_dict()) == found,\n"
        "    Found.schema()['properties']['size']['type']]))"
    )
    assert json.loads(copy.run("-c", code)) == [len(OTHER), True, "integer"]


@pytest.mark.slow
def test_a_new_output_is_one_row_and_its_function(copy: Copy) -> None:
    copy.put("output/outputs.py", '    Output(chosen_by=("counts",)',
             '    Output(chosen_by=("numbered",), flags=("--numbered",), help="Print numbers and URLs.",\n'
             '           line="numbered:line_of"),')  # fmt: skip
    module = "def line_of(found, _):\n    return f'{found.message} {found.url}'\n"
    (copy.folder / "urlextract" / "output" / "numbered.py").write_text(module)
    lines = [f"{number} {url}" for number in (1, 2) for url in (LINK, OTHER)]
    assert copy.command("--numbered", "box") == lines
    assert copy.command("--numbered", "-J", 2, "box") == lines
    assert copy.command("--numbered", "-u", "box") == lines[:2]
    assert copy.command("--numbered", "--top", "box") == [f"      2 {line}" for line in lines[:2]]
    assert copy.command("--numbered", "--state", "state", "box") == lines[:2]  # the other mail is a copy
    assert any("--numbered" in line for line in copy.command("--help"))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "urlextract", "--numbered", "-j", "box"], capture_output=True,
        check=False, cwd=copy.folder, env={**os.environ, "PYTHONPATH": str(copy.folder)},
    )  # fmt: skip
    assert done.stderr == b"urlextract: --json: cannot be used with --numbered\n"


def test_a_new_option_is_one_row(copy: Copy) -> None:
    copy.put("pipeline/options.py", "    bracketed: Annotated[bool, _switch(",
             '    short: Annotated[bool, _switch("--short", "URLs of less than 30 characters.",\n        '
             "passes=lambda _, found: len(found.url) < 30)]")  # fmt: skip
    assert copy.command("--short", "text") == [OTHER]
    assert copy.command("--short", "-J", 2, "-c", "box", "text") == ["box:2", "text:1"]
    assert any("--short" in line for line in copy.command("--help"))
    asked = {"_URLEXTRACT_COMPLETE": "bash_complete", "COMP_WORDS": "urlextract --sho", "COMP_CWORD": "1"}
    assert copy.command(env=asked) == ["plain,--short"]
    assert copy.index("SELECT url FROM urls", "--short") == [(OTHER,)]
    assert copy.command("cluster", "--short", "--out", "parts", "text")[0].endswith("URLs: 1")
    code = (
        "import inspect; from urlextract import Extractor, extract\n"
        "text = open('text').read()\n"
        "extractor = Extractor(short=True)\n"
        "found = [*extractor.feed(text), *extractor.close()]\n"
        "assert [each.url for each in found] == [each.url for each in extract(text, short=True)]\n"
        "print(found[0].url, 'short' in inspect.signature(extract).parameters)"
    )
    assert copy.run("-c", code).strip() == f"{OTHER} True"


@pytest.mark.slow
def test_new_evidence_of_a_join_is_one_row(copy: Copy) -> None:
    text = "see http://b.example/some/path/of/the/docs_\nnorth/map.html for it\n"
    (copy.folder / "text").write_text(text)
    [found] = copy.command("text")
    assert found == "http://b.example/some/path/of/the/docs_"
    copy.put("scanner/evidence.py", '    ("a hexadecimal number goes on", 4.0, _number_goes_on),',
             '    ("it ends in an underscore", 9.0, lambda end: end.piece[-1] == "_"),')  # fmt: skip
    whole = ["http://b.example/some/path/of/the/docs_north/map.html"]
    (copy.folder / "box").write_text(f"From a@b Mon Nov 14 09:12:44 1994\nSubject: x\n\n{text}")
    assert copy.command("text") == copy.command("-J", 2, "box", "text")[1:] == whole
    assert [json.loads(line)["url"] for line in copy.command("-j", "box")] == whole
    assert "it ends in an underscore" in " ".join(copy.command("--explain", "text"))
    assert copy.command("mend", "text")[0] == f"see {whole[0]}"
    code = (
        "from urlextract import Extractor\n"
        "extractor = Extractor()\n"
        "found = [each.url for char in open('text').read() for each in extractor.feed(char)]\n"
        "print(*found, *(each.url for each in extractor.close()))"
    )
    assert copy.run("-c", code).split() == whole
    (copy.folder / "page.html").write_text(f"<html><body><pre>{text}</pre></body></html>")
    assert copy.command("page.html") == whole
    assert copy.index("SELECT url FROM urls") == [(whole[0],)]
