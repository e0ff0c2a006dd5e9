"""Records as CSV: what Python's csv module, sqlite3 and a spreadsheet read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from commands import lines, outcome, run

from urlextract.output.table import COLUMNS


def rows(*words: object, data: str = "") -> list[dict[str, str]]:
    done = run("--csv", *words, data=data)
    return list(csv.DictReader(io.StringIO(done.stdout.decode(), newline=""), strict=True))


def test_columns_are_keys_of_the_record() -> None:
    table, records = rows("corpora"), [json.loads(line) for line in lines(run("-j", "corpora"))]
    assert len(table) == len(records) > 1_000
    for row, record in zip(table, records, strict=True):
        assert tuple(row) == COLUMNS
        for column, value in row.items():
            own = record[column]
            text = "; ".join(own) if isinstance(own, list) else "" if own is None else str(own)
            assert value in {text, f"'{text}"}


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\uff1d1", '=HYPERLINK("http://x")']
)
def test_no_field_is_a_formula(text: str, tmp_path: Path) -> None:
    (tmp_path / "m").write_text(
        f"From: {text}\nSubject: =?utf-8?q?{''.join(f'={b:02X}' for b in text.encode())}?=\n\nhttp://a.example/\n"
    )
    [row] = [row for row in rows(tmp_path / "m") if row["url"] == "http://a.example/"]
    assert row["subject"] in {f"'{text}", f"'{text.strip()}"}
    assert row["from"][:1] in {"'", ""}


def test_quotes_commas_and_line_ends_survive(tmp_path: Path) -> None:
    (tmp_path / "m").write_text('Subject: a "b", c\nMessage-ID: <1@x>\n\n"http://a.example/b,c"\n')
    [row] = rows(tmp_path / "m")
    assert (row["subject"], row["url"], row["line"]) == ('a "b", c', "http://a.example/b,c", "1")
    assert b',"a ""b"", c",' in run("--csv", tmp_path / "m").stdout


def test_standard_input_is_no_formula() -> None:
    assert rows(data="http://a.example/")[0]["source"] == "-"


def test_header_is_printed_without_results() -> None:
    assert outcome("--csv", data="none") == (1, ",".join(COLUMNS) + "\n", "")
    assert outcome("--csv", "-q", data="http://a.example/") == (0, "", "")


def test_lists_and_limits() -> None:
    text = "http://b.example/ http://a.example http://b.example/ http://A.example/"
    assert [row["url"] for row in rows("-u", data=text)] == ["http://b.example/", "http://a.example"]
    assert [row["url"] for row in rows("--sort", "-m1", data=text)] == ["http://A.example/"]
    assert [row["count"] for row in rows("--top", data=text)] == ["2", "2"]
    assert tuple(rows("--top", data=text)[0]) == ("count", *COLUMNS)


def test_state_goes_on_with_the_same_table(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("http://a.example/\n")
    words = ("--csv", "--state", tmp_path / "state", "-o", tmp_path / "out.csv", tmp_path / "text")
    assert run(*words).returncode == 0
    with (tmp_path / "text").open("a") as file:
        file.write("http://b.example/\n")
    assert run(*words).returncode == 0
    with (tmp_path / "out.csv").open(newline="") as table:
        assert [row["url"] for row in csv.DictReader(table)] == ["http://a.example/", "http://b.example/"]
    (tmp_path / "out.csv").unlink()
    with (tmp_path / "text").open("a") as file:
        file.write("http://c.example/\n")
    assert run(*words).returncode == 0
    with (tmp_path / "out.csv").open(newline="") as table:
        assert [row["url"] for row in csv.DictReader(table)] == ["http://c.example/"]


def test_processes_make_the_same_table(tmp_path: Path) -> None:
    one = "From a@b Mon Nov 14 09:12:44 1994\nSubject: x\n\nsee http://{}.example/\n\n"
    (tmp_path / "mbox").write_text("".join(one.format(n) for n in range(300)))
    assert rows("-J2", tmp_path / "mbox", tmp_path / "mbox") == rows(
        "-J1", tmp_path / "mbox", tmp_path / "mbox"
    )


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"Subject: caf\xe9\xff\x80\n\n<http://a.example/\xff>\n")
    run("--csv", tmp_path / "m").stdout.decode()
