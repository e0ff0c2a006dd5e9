"""Every sample yields exactly the records that its reader wrote down."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from urlextract import extract_source

CORPORA = Path(__file__).parent.parent / "corpora"
EXPECTED = sorted(CORPORA.rglob("*.expected.jsonl"))


def shown(found, sample):
    """Return the record of ``found`` with the keys and values that the labels use."""
    record = found.to_dict()
    record["repairs"] = [repair["words"] for repair in record["repairs"]]
    record["alternatives"] = [a["url"] for a in record["alternatives"]]
    if sample.is_dir():
        record["source"] = Path(os.path.relpath(record["source"], sample)).as_posix()
    return record


@pytest.mark.parametrize("labels", EXPECTED, ids=[str(path.relative_to(CORPORA)) for path in EXPECTED])
def test_sample_yields_the_expected_records(labels: Path) -> None:
    sample = labels.with_name(labels.name.removesuffix(".expected.jsonl"))
    expected = [json.loads(line) for line in labels.read_text("utf-8").splitlines()]
    records = [shown(found, sample) for found in extract_source(sample)]
    assert [record["url"] for record in records] == [label["url"] for label in expected]
    for record, label in zip(records, expected, strict=True):
        got = {key: record[key] for key in label}
        if "alternatives" in label:
            got["alternatives"] = [url for url in record["alternatives"] if url in label["alternatives"]]
        assert got == label


def test_corpora_have_at_least_16_samples() -> None:
    assert len(EXPECTED) >= 16
