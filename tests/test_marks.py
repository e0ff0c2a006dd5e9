"""The table of marks: each row counts, and one more row is all that a new mark needs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest
from remarks import words
from sampled import mostly_slow

from urlextract import extract, extract_message, mend, rewrap
from urlextract.grammar import marks

ROOT = Path(__file__).parent.parent


def urls(text: str) -> list[str]:
    return [found.url for found in extract(text)]


# --- each row -----------------------------------------------------------------------------------

DELIMITED = {'"': '"', "&lt;": "&gt;", "<": ">"}
LINES = (">", "|", ":", "#", "//", ";", "%", "dnl", "REM", "*", '.\\"')
"""The marks of lines."""
QUOTES = (">", "|", ":")
COMMENTS = ("#", "//", ";", "%", "dnl", "REM")
ENDS = ".,;:!?'([{|"
BREAKS = {"-": "-", "\N{HYPHEN}": "", "\N{SOFT HYPHEN}": ""}


def test_cases_are_complete() -> None:
    assert DELIMITED == marks.DELIMITERS
    assert list(LINES) == [mark.text for mark in marks.LINE_MARKS]
    assert set(ENDS) == set(marks.END_MARKS)
    assert {*BREAKS, "\\"} == {mark.text for mark in marks.SOFT_BREAKS}


@pytest.mark.parametrize(("opener", "closer"), DELIMITED.items())
def test_delimiters(opener: str, closer: str) -> None:
    text = f"see {opener}http://a.example/b/\nc{closer} or"
    assert urls(text) == ["http://a.example/b/c"]
    assert mend(text) == f"see {opener}http://a.example/b/c{closer}\nor"


@pytest.mark.parametrize("mark", [*LINES, "rem", "##", "////", ";;;", "%%%%%"])
def test_marks_of_lines(mark: str) -> None:
    """They are no part of a wrapped URL."""
    [found] = extract(f"{mark} see <http://a.example/b\n{mark} c>")
    assert found.url == "http://a.example/bc"
    assert "removed-quote-prefix" in [repair.code for repair in found.repairs]


@pytest.mark.parametrize("mark", ["!", "--", "/*", "}", "'\\\""])
def test_other_marks_are_text(mark: str) -> None:
    """The lines of a wrapper may begin alike: only what is listed is removed."""
    assert "http://a.example/bc" not in urls(f"{mark} see <http://a.example/b\n{mark} c>")


@pytest.mark.parametrize("mark", [*QUOTES, *COMMENTS, "rem", "DNL"])
def test_marks_of_lines_are_kept_by_rewrapping(mark: str) -> None:
    text = f"{mark} words that go on, and\n{mark} more of them to <http://a.example/b\n{mark} c> here\n"
    lines = rewrap(text, 30).splitlines()
    assert lines != text.splitlines()
    assert all(line.startswith(f"{mark} ") for line in lines)
    assert urls("\n".join(lines)) == ["http://a.example/bc"]


@pytest.mark.parametrize(("mark", "is_quoted"), [(">", True), ("|", False)])
def test_marks_of_quoted_lines(mark: str, is_quoted: bool) -> None:
    found = extract_message(f"Subject: x\n\n{mark} http://a.example/b\n".encode(), quoted="skip")
    assert [each.url for each in found] == ([] if is_quoted else ["http://a.example/b"])


@pytest.mark.parametrize("mark", ENDS)
@pytest.mark.parametrize("after", ["", " x", "\nx"])
def test_end_marks(mark: str, after: str) -> None:
    assert urls(f"see http://a.example/b{mark}{after}") == ["http://a.example/b"]


@pytest.mark.parametrize(("mark", "kept"), BREAKS.items())
def test_soft_breaks(mark: str, kept: str) -> None:
    text = f"http://a.example/some/long/path/of/some/page{mark}\nnorth/map-of-it.html\n"
    [found] = extract(text)
    assert found.url == f"http://a.example/some/long/path/of/some/page{kept}north/map-of-it.html"
    assert any("it ends in a hyphen" in other.reason for other in found.alternatives)
    [found] = extract("<http://a.example/b\\\nc>")
    assert (found.url, "removed backslash" in words(found.repairs)) == ("http://a.example/bc", True)


# --- one more row ---------------------------------------------------------------------------------

NEW = {
    "a mark that ends no URL": (
        ("END_MARKS = \".", "END_MARKS = \"~."),
        ("see http://a.example/x~ and (http://b.example/y~) or www.c.example/z~.\n<http://d.example/u~>\n"
        "http://e.example/t~\nnext.html line\n\n"
        # what follows the name of a file, and a clause within a bracket; a second mark beyond ASCII
        "https://f.example/lib.\npy~ and\n\n<http://g.example/b~ as is said~ of it>\n"
        "http://h.example/é~…~ x\n"),
        ["http://a.example/x", "http://b.example/y", "http://www.c.example/z", "http://d.example/u~",
         "http://e.example/t", "https://f.example/lib.py", "http://g.example/b", "http://h.example/é"],
    ),
    "a quote mark": (
        ("LINE_MARKS = (\n", 'LINE_MARKS = (\n    LineMark("¦", is_free=True, rewrapped="quote"),\n'),
        ("¦ see <http://a.example/b/\n¦ c> and then quite a lot of words so that it is wrapped at\n"
        "¦ the usual place, http://b.example/some/long/path/of/some/page/of/the-\n¦ north/map.html and more\n"
        "¦ \n¦¦ <\n¦¦ http://c.example/d>\n> ¦ <URL:ftp://d.example/\n> ¦ z>\n\n"
        # what asks for the quote depth: a link over a blank line, a mark that was lost
        "¦ https://urldefense.com/v3/__https://e.exam\n¦ ple.com/docs__;!!B4NdrdkgtR\n¦\n¦ aKVT9!5otlOz$\n\n"
        "¦¦ He wrote that the tables are kept at the office of the town, in its cellar\n"
        "¦¦ https://www.example.com/harbour/archive/tables/of-the-north-sea/nineteen\n¦ hundred/index.html\n"
        "¦¦ and that nobody reads them.\n\n"
        # brackets in brackets, a rule before a host, literals
        "¦ <mailto:a@b.example\n¦ <mailto:a@b.example>> x\n\n¦ ---www.f.example\n\n"
        "¦ \"see <https://g.example/en/\"\n¦ \"latest/x.html> for\"\n\n"
        # what comes between a bracket and its URL, emphasis at the start of a line
        "¦ <\n¦ http://h.example/b\n¦ c>\n\n¦<\n¦http://i.example/b\n¦c>\n\n¦_http://j.example_\n"),
        ["http://a.example/b/c", "http://b.example/some/long/path/of/some/page/of/the-north/map.html",
         "http://c.example/d", "ftp://d.example/z",
         "https://urldefense.com/v3/__https://e.example.com/docs__;!!B4NdrdkgtRaKVT9!5otlOz$",
         "https://www.example.com/harbour/archive/tables/of-the-north-sea/nineteenhundred/index.html",
         "mailto:a@b.example", "http://www.f.example", "https://g.example/en/latest/x.html",
         "http://h.example/bc", "http://i.example/bc", "http://j.example"],
    ),
    "a bracket": (
        ('    "&lt;": "&gt;",', '    "⟨": "⟩",\n    "&lt;": "&gt;",'),
        ("see ⟨http://a.example/b/\nc⟩ or ⟨URL: ftp://b.example/d\ne⟩.\n(⟨www.c.example/f\ng⟩), "
        "x⟨mailto:a@b.example⟩\n\n⟨http://d.example/h and\n\ni⟩\n> ⟨http://e.example/j\n> k/⟩ and\n"),
        ["http://a.example/b/c", "ftp://b.example/de", "http://www.c.example/fg", "mailto:a@b.example",
         "http://d.example/h", "http://e.example/jk/"],
    ),
    "a comment mark": (
        ("LINE_MARKS = (\n", 'LINE_MARKS = (\n    LineMark("§", repeats=True, rewrapped="comment"),\n'),
        ("§§ see http://a.example/some/long/path/of/some/page/of/2026-\n§§ November/map-of-it.html and\n\n"
        "§ <http://b.example/b\n§ c> then\n\n+§ http://c.example/some/long/path/of/some/page/of/the-\n"
        "+§ north/map.html and\n\n§ http://d.example/x-\n\n§ http://e.example/y\n§ and more\n"),
        ["http://a.example/some/long/path/of/some/page/of/2026-November/map-of-it.html",
         "http://b.example/bc", "http://c.example/some/long/path/of/some/page/of/the-north/map.html",
         "http://d.example/x-", "http://e.example/y"],
    ),
    "a soft break": (
        ("SOFT_BREAKS = (\n", 'SOFT_BREAKS = (\n    SoftBreak("→", "arrow"),\n'),
        ("see http://a.example/some/long/path/of/some/page→\nnorth/map.html and\n"
         "<http://b.example/c→\nd> then\n"
        "> www.c.example/some/long/path/of/some/page/of→\n> some/map.html\n> and more\n"),
        ["http://a.example/some/long/path/of/some/pagenorth/map.html", "http://b.example/cd",
         "http://www.c.example/some/long/path/of/some/page/ofsome/map.html"],
    ),
}  # fmt: skip

WAYS = """
import json, sys
from urlextract import Extractor, Found, examine, extract, extract_message, mend, rewrap
text = sys.stdin.read()
mail = "Content-Type: text/plain; charset=utf-8\\n\\n" + text
urls = lambda text, **how: [found.url for found in extract(text, **how)]
extractor = Extractor()
fed = [found.url for char in text for found in extractor.feed(char)]
ways = {
    "extract": urls(text),
    "examine": [result.url for result in examine(text) if isinstance(result, Found)],
    "feed": fed + [found.url for found in extractor.close()],
    "mend": urls(mend(text), join="none"),
    "quoted": [
        found.url
        for quoted in ("skip", "only")
        for found in extract_message(mail.encode(), quoted=quoted)
    ],
}
for width in (40, 72, 100):
    ways[f"rewrap {width}"] = urls(rewrap(text, width))
    ways[f"rewrap {width} --break"] = urls(rewrap(text, width, break_urls=True))
print(json.dumps(ways))
"""
MESSAGE = "From a@b Mon Nov 14 09:12:44 1994\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"


@pytest.mark.parametrize("name", mostly_slow(NEW))
def test_a_new_mark_is_one_row(name: str, tmp_path: Path) -> None:
    """All ways through the program know it: the command and its outputs, the library, rewriting, an index."""
    (old, new), text, expected = NEW[name]
    shutil.copytree(ROOT / "urlextract", tmp_path / "urlextract", ignore=shutil.ignore_patterns("share"))
    table = tmp_path / "urlextract" / "grammar" / "marks.py"
    source = table.read_text("utf-8")
    assert source.count(old) == 1
    assert urls(text) != expected
    table.write_text(source.replace(old, new), "utf-8")
    files = {"text": text, "box": f"{MESSAGE}{text}\n{MESSAGE}\n", "page": f"<html><pre>{escape(text)}</pre>"}
    for file, content in files.items():
        (tmp_path / file).write_text(content, "utf-8")

    def run(*words: object, data: str = "") -> str:
        return subprocess.run(
            [sys.executable, "-P", *map(str, words)], input=data, capture_output=True, check=True,
            cwd=tmp_path, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONUTF8": "1"},
        ).stdout  # fmt: skip

    ways = json.loads(run("-c", WAYS, data=text))
    for file in files:
        ways[file] = run("-m", "urlextract", file).splitlines()
    ways["pipe"] = run("-m", "urlextract", data=text).splitlines()
    ways["two processes"] = run("-m", "urlextract", "-J", 2, "text", "box").splitlines()[len(expected) :]
    ways["records"] = [json.loads(line)["url"] for line in run("-m", "urlextract", "-j", "box").splitlines()]
    told = [line for line in run("-m", "urlextract", "--explain", "text").splitlines() if ": taken, " in line]
    ways["explain"] = [line.rpartition(": ")[2] for line in told]
    run("-m", "urlextract", "index", "links", "box")
    ways["index"] = run("-c", READ_INDEX).splitlines()
    for way, found in ways.items():
        assert found == expected, way


READ_INDEX = """
import sqlite3
for (url,) in sqlite3.connect("links").execute(
    "SELECT url FROM places JOIN urls ON urls.id = places.url_id ORDER BY places.id"
):
    print(url)
"""
