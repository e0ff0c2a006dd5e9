"""The examples of RFC 1738's appendix, broken over lines, and labelled wrappers of other RFCs (SPEC §2)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from urlextract import extract

# The appendix's three examples, broken where the RFC broke them.
APPENDIX = """\
   Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
      type=d> but you can probably pick it up from <URL:ftp://ds.in
      ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
      net/instructions/overview.html#WARNING>.
"""
SHARED = Path(__file__).parent.parent.parent / "shared" / "corpora"
LABELS = SHARED / "rfc-wrappers.jsonl"


def test_appendix_example_is_joined() -> None:
    assert [found.url for found in extract(APPENDIX)] == [
        "ftp://info.cern.ch/pub/www/doc;type=d",
        "ftp://ds.internic.net/rfc",
        "http://ds.internic.net/instructions/overview.html#WARNING",
    ]


@pytest.mark.parametrize("prefix", ["> ", ">> ", "> > ", "| ", "# ", "JD> ", "// ", " * ", "dnl ", "% "])
def test_quoted_appendix_has_the_same_urls(prefix: str) -> None:
    quoted = "".join(prefix + line for line in APPENDIX.splitlines(keepends=True))
    assert [found.url for found in extract(quoted)] == [found.url for found in extract(APPENDIX)]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\r\r\n"])
def test_appendix_has_the_same_urls_with_any_line_end(end: str) -> None:
    found = list(extract(APPENDIX.replace("\n", end)))
    assert [f.url for f in found] == [f.url for f in extract(APPENDIX)]
    assert [(f.line, f.column) for f in found] == [(f.line, f.column) for f in extract(APPENDIX)]


@cache
def found_in(name: str):
    text = (SHARED / name).read_bytes().decode("latin-1")
    return list(extract(text))


@pytest.mark.skipif(not LABELS.exists(), reason="the labelled RFCs are not beside the checkout")
def test_99_percent_of_the_labelled_wrappers_are_right() -> None:
    """At least 99 % of the labels that are not optional; nothing is found where a label says none."""
    rows = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]
    wrong = []
    for row in rows:
        met = [f for f in found_in(row["file"]) if f.start < row["byte_end"] and f.end > row["byte_start"]]
        if row["kind"] == "none":
            assert not met or row.get("allow_inner"), row
        elif not row["optional"]:
            is_right = [f.url in (row["expected"], *row["alternatives"]) for f in met] == [True]
            wrong += [] if is_right else [row]
    assert len(wrong) <= 0.01 * len(rows), wrong
