"""Records as CSV: what Python's csv module, sqlite3 and a spreadsheet read."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from commands import lines, outcome, run
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from urlextract import extract
from urlextract.output.outputs import OutputOptions
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
            text = "; ".join(each["code"] for each in own) if isinstance(own, list) else own
            text = "" if text is None else str(text)
            assert value in {text, f"'{text}"}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\uff1d1", '=LINK("http://x")'])
def test_no_field_is_a_formula(text: str, tmp_path: Path) -> None:
    subject = f"=?utf-8?q?{''.join(f'={b:02X}' for b in text.encode())}?="
    (tmp_path / "m").write_text(f"From: {text}\nSubject: {subject}\n\nhttp://a.example/\n")
    [row] = [row for row in rows(tmp_path / "m") if row["url"] == "http://a.example/"]
    assert row["subject"] in {f"'{text}", f"'{text.strip()}"}
    assert row["from"][:1] in {"'", ""}


def row_of(**values: str) -> str:
    (found,) = extract("http://a.example/")
    output = OutputOptions.of({"csv": True})
    row: str = output.row.function("line")(replace(found, **values), output)
    return row


CUTS = [
    ("a;=cmd", "a;'=cmd"), ("a; -1", "a; '-1"), ('a;"=1+1"', "a;\"'=1+1\""), ("a\t=1", "a\t'=1"),
    ("a|@SUM(A1)", "a|'@SUM(A1)"), ("a\n+1", "a\n'+1"), (" =1", " '=1"), ('"=1"', "\"'=1\""),
    ("http://a.example/;=x|-1", "http://a.example/;'=x|'-1"), ("a;\0=1", "a;\0'=1"),
    ("a;;\t \uff1d1", "a;;\t '\uff1d1"),
    ("a,=1", "a,=1"), ("a=b;c-d|e@f", "a=b;c-d|e@f"), ("a;'=1", "a;'=1"), ("-", "-"), ("=", "'="),
]  # fmt: skip


@pytest.mark.parametrize(("text", "cell"), CUTS)
def test_no_cell_is_a_formula_if_it_is_cut_elsewhere(text: str, cell: str) -> None:
    """Our quotes begin no cell where ";", "|" or tabs are the separators, so they protect nothing."""
    [row] = csv.reader(io.StringIO(row_of(subject=text), newline=""), strict=True)
    assert row[COLUMNS.index("subject")] == cell


TEXT = st.text(st.sampled_from("=+-@;|,\t\r\n\"' a1\uff1d")) | st.text()


@given(source=TEXT, subject=TEXT, sender=TEXT, separator=st.sampled_from(",;\t|"), keeps_quotes=st.booleans())
def test_no_piece_of_a_row_is_a_formula(source: str, subject: str, sender: str, separator: str, keeps_quotes):
    """A row is cut at a separator and at line ends, by a reader that knows quotes or by one that does not."""
    row = row_of(source=source, subject=subject, from_=sender)
    if separator == "," or keeps_quotes:
        table = csv.reader(io.StringIO(row, newline=""), delimiter=separator)
        pieces = [cell for cells in table for cell in cells]
    else:
        pieces = re.split(f"[{separator}\r\n]", row)
    if source == "-":  # standard input
        del pieces[0]
    for piece in (each for each in pieces if each != "-"):  # alone it is no formula
        assert not re.match("[=+\\-@\uff1d\uff0b\uff0d\uff20]", piece.strip(' "\t\r\n')), row


def test_quotes_commas_and_line_ends_survive(tmp_path: Path) -> None:
    (tmp_path / "m").write_text('Subject: a "b", c\nMessage-ID: <1@x>\n\n"http://a.example/b,c"\n')
    [row] = rows(tmp_path / "m")
    assert (row["subject"], row["url"], row["line"]) == ('a "b", c', "http://a.example/b,c", "1")
    assert b',"a ""b"", c",' in run("--csv", tmp_path / "m").stdout


def test_header_is_printed_without_results() -> None:
    assert outcome("--csv", data="none") == (1, ",".join(COLUMNS) + "\n", "")
    assert outcome("--csv", "-q", data="http://a.example/") == (0, "", "")


def test_lists_and_limits() -> None:
    assert rows(data="http://a.example/")[0]["source"] == "-"  # standard input, which is no formula
    text = "http://b.example/ http://a.example http://b.example/ http://A.example/"
    assert [row["url"] for row in rows("-u", data=text)] == ["http://b.example/", "http://a.example"]
    assert [row["url"] for row in rows("-u", "-m1", data=text)] == ["http://b.example/"]
    assert [row["count"] for row in rows("--top", data=text)] == ["2", "2"]
    assert tuple(rows("--top", data=text)[0]) == ("count", *COLUMNS)


def test_state_goes_on_with_the_same_table(tmp_path: Path) -> None:
    def added(url: str) -> list[str]:
        with (tmp_path / "text").open("a") as file:
            file.write(f"{url}\n")
        words = ("--state", tmp_path / "state", "-o", tmp_path / "out.csv", tmp_path / "text")
        assert outcome("--csv", *words) == (0, "", "")
        with (tmp_path / "out.csv").open(newline="") as table:
            return [row["url"] for row in csv.DictReader(table)]

    assert added("http://a.example/") == ["http://a.example/"]
    assert added("http://b.example/") == ["http://a.example/", "http://b.example/"]
    (tmp_path / "out.csv").unlink()
    assert added("http://c.example/") == ["http://c.example/"]


def test_processes_make_the_same_table(tmp_path: Path) -> None:
    one = "From a@b Mon Nov 14 09:12:44 1994\nSubject: x\n\nsee http://{}.example/\n\n"
    (tmp_path / "mbox").write_text("".join(one.format(n) for n in range(300)))
    one, two = (rows(jobs, tmp_path / "mbox", tmp_path / "mbox") for jobs in ("-J1", "-J2"))
    assert one == two


def test_bytes_that_are_no_text_are_replaced() -> None:
    run("--csv", data=b"Subject: caf\xe9\xff\x80\n\n<http://a.example/\xff>\n").stdout.decode()


# columns that are chosen

MAIL = (
    b"From: Ada <ada@example.org>\nDate: Mon, 14 Nov 1994 09:12:31 +0100\nSubject: the\n\ttables, 1994\n\n"
    b"see <http://a.example/b-\nc> and http://b.example/\n"
)
URLS = ("http://a.example/b-c", "http://b.example/")


def test_chosen_keys_have_tabs_between_them() -> None:
    rows = [line.split("\t") for line in lines(run("--fields", "date,from,url", data=MAIL))]
    assert rows == [["1994-11-14T08:12:31Z", "Ada <ada@example.org>", url] for url in URLS]
    assert lines(run("--fields", "host", "--fields", "newsgroups,line", data=MAIL)) == [
        "a.example\t\t1", "b.example\t\t2"
    ]  # fmt: skip


def test_a_value_is_one_line_and_one_field() -> None:
    """Blanks are in place of tabs and line ends; lists are joined, or are JSON."""
    first, _ = lines(run("--fields", "raw,repairs,pieces,alternatives", data=MAIL))
    raw, repairs, pieces, alternatives = first.split("\t")
    assert raw == "http://a.example/b- c"
    assert repairs == "joined-lines"
    assert json.loads(pieces) == [[5, 24], [25, 26]]
    assert alternatives == "http://a.example/bc"


def test_chosen_keys_are_columns_of_csv() -> None:
    done = run("--csv", "--fields", "subject,url,date_field", data=MAIL)
    assert list(csv.reader(io.StringIO(done.stdout.decode()))) == [
        ["subject", "url", "date_field"],
        *(["the\ttables, 1994", url, "Mon, 14 Nov 1994 09:12:31 +0100"] for url in URLS),
    ]


def test_every_key_of_a_record_can_be_chosen() -> None:
    [record] = map(json.loads, lines(run("-j", "-m", "1", data=MAIL)))
    known = [name for name in record if name not in ("violations", "warnings", "parsed")]
    [line] = lines(run("-m", "1", "--fields", ",".join(known), data=MAIL))
    values = dict(zip(known, line.split("\t"), strict=True))
    for name, value in record.items():
        if name in known and not isinstance(value, list) and name not in ("raw", "context"):
            assert values[name] == ("" if value is None else str(value).replace("\t", " "))


def test_key_domain_and_context_are_made_when_they_are_asked_for() -> None:
    text = "The tides:\n<HTTP://www.A.co.uk:80/%7Eb>\n"
    line = run("--fields", "key,domain,context,host", data=text).stdout.decode()
    assert line == "http://www.a.co.uk/~b\ta.co.uk\tThe tides: <HTTP://www.A.co.uk:80/%7Eb>\twww.a.co.uk\n"
    assert json.loads(lines(run("-j", data=text))[0])["context"] is None


def test_chosen_keys_can_be_counted_and_read_by_several_processes(tmp_path: Path) -> None:
    path = tmp_path / "box"
    path.write_bytes(b"".join(b"From a@b Mon Nov 14 09:12:44 1994\n" + MAIL + b"\n" for _ in range(30)))
    assert lines(run("--fields", "host,url", "--top", path)) == [
        f"30\ta.example\t{URLS[0]}", f"30\tb.example\t{URLS[1]}"
    ]  # fmt: skip
    assert lines(run("--fields", "url", "-u", path)) == list(URLS)
    numbered = run("--fields", "message,url", path)
    assert numbered.stdout == run("-J", "2", "--fields", "message,url", path).stdout
    assert lines(numbered)[-1] == f"30\t{URLS[1]}"


@pytest.mark.parametrize(("words", "complaint"), [
    ("urk", "--fields: unknown value 'urk': choose v, url, form, "), (",", "--fields: a value is missing"),
    ("url -j", "--json: cannot be used with --fields"), ("url -c", "--fields: cannot be used with --count"),
    ("url --defang", "--defang: cannot be used with --fields"),
])  # fmt: skip
def test_wrong_columns_are_told(words: str, complaint: str) -> None:
    status, output, errors = outcome("--fields", *words.split())
    assert (status, output) == (2, "")
    assert errors.startswith(f"urlextract: {complaint}")
