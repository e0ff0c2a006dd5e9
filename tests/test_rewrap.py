"""Filling texts with URLs kept whole: what is filled, what is left alone, what is never lost (SPEC §7)."""

from __future__ import annotations

import os
import re

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from realtools import ROOT
from rewriting import check_text
from scans import urls_of
from strategies import PIECES, examples
from test_cases import texts_of

from urlextract import extract, mend, rewrap
from urlextract.errors import RewrapError

SHARED = ROOT.parent / "shared"


def test_nothing_is_filled_with_nothing():
    """What is filled is in ``cases/rewrap.txt``."""
    assert rewrap("", 72) == ""


PROSE = "one two three four five six\nseven"
PROSE_FILLED = "one two three four five six seven"
UNTOUCHED = texts_of("rewrap-kept")


@pytest.mark.parametrize("kept", UNTOUCHED.values(), ids=UNTOUCHED)
@pytest.mark.parametrize("break_urls", [False, True])
def test_layout_by_hand_is_left_alone(kept, break_urls):
    for text in (kept, kept.replace("\n", "\r\n")):
        assert rewrap(text, 40, break_urls=break_urls) == text
    around = f"{PROSE}\n\n{kept}"
    assert rewrap(around, 40, break_urls=break_urls) == f"{PROSE_FILLED}\n\n{kept}"


def test_page_break_loses_nothing():
    text = (
        "one two three four <URL:http://a.example/b/\n\n\n\nAuthor          [Page 1]\n\f\n"
        "RFC 9999       Title       May 1995\n\n\nc.html> five.\n"
    )
    assert urls_of(text) == ["http://a.example/b/c.html"]
    for break_urls in (False, True):
        result = rewrap(text, 30, break_urls=break_urls)
        assert urls_of(result) == urls_of(text)
        assert result.split() == text.split()


LONG_LINE = "the lamp on the north quay went out in the storm of last week, and it is out, and all is said\n"
PAIR = "they are at http://www.example.org/harbour/tables/\nabc.html is it there and so on\n"


def test_a_paragraph_in_which_a_url_may_go_on_is_left_and_others_are_filled():
    text = f"{LONG_LINE}{PAIR}{LONG_LINE}"
    assert any(found.alternatives for found in extract(text))
    assert rewrap(text, 72) == f"{LONG_LINE}{PAIR}{rewrap(LONG_LINE, 72)}"


def test_in_such_a_paragraph_broken_urls_are_mended_as_mend_does():
    brackets = (
        "The list is at <http://docs.example/d/1a\nb2c3/edit>, and all that you want to read is there.\n"
    )
    assert rewrap(f"{PAIR}{brackets}", 72) == mend(f"{PAIR}{brackets}")


def test_roman_numbers_are_items_of_a_list():
    items = "i. the first thing\nii. the second thing\niii. the third\niv) the fourth\n"
    assert rewrap(f"{items}{LONG_LINE}", 72).startswith(items)


VERSE = "The sea is wide,\nthe lamp is out,\nthe moon is there,\n"


@pytest.mark.parametrize(("text", "said"), [
    (f"{LONG_LINE}\n\n    code\n\n-- \nAda\n", ""),
    (f"{VERSE}\n{LONG_LINE}", "1 paragraph with lists or verse; the first at line 1"),
    (f"{LONG_LINE}\n{VERSE}\n{VERSE}\n{LONG_LINE}{PAIR}",
     "2 paragraphs with lists or verse, 1 paragraph in which a URL may go on; the first at line 4"),
    (f"From: a@b\nTo: c@d\n\n{VERSE}", "1 paragraph with lists or verse; the first at line 4"),
    ("From: a@b\nTo: c@d\nContent-Transfer-Encoding: base64\n\nYSBiIGMgZCBlIGYK\n",
     "1 encoded part; the first at line 5"),
])  # fmt: skip
def test_what_is_left_is_counted(text, said, tmp_path):
    path = tmp_path / "letter"
    path.write_text(text)
    line = f"urlextract: {path}: left as it is: {said} of the result\n" if said else ""
    assert outcome("rewrap", "-w72", path) == (0, rewrap(text, 72), line)


def test_unclosed_bracket_never_swallows_the_next_words():
    text = "It is <http://a.example/b, as is said in the long text of Ada's, and more than that> now.\n"
    for width in range(10, 60):
        assert urls_of(rewrap(text, width)) == urls_of(text)


def test_unknown_value_is_refused_in_words_that_say_what_is_allowed():
    joins = "'none', 'delimited', 'safe', 'likely'"
    with pytest.raises(ValueError, match=f"^join: unknown value 'all': choose one of {joins}$"):
        rewrap("a", join="all")
    with pytest.raises(ValueError, match=r"^width: 0 is less than 1$"):
        rewrap("a", width=0)


def test_check_fails_if_a_url_or_a_word_changes():
    with pytest.raises(RewrapError, match="URLs"):
        check_text("see http://a.example/", "see http://a.example/b")
    with pytest.raises(RewrapError, match="words"):
        check_text("one two", "one too")


PARTS = (
    *PIECES,
    *("word", "another", " ", " ", " ", "\n", "\n", "\n\n", "- ", "> ", "    ", "1. ", "-- \n", "a: b\n"),
    *("http://www.example.org/a/long/path-to/some.where?it=is", "<URL:http://a.example/b/\nc>", "日本", "\t"),
    *("{", ";\n", "```\n", "From ", ".", "--", "[1] ", "[2]: "),
    *("\nSmith> ", "\nSmith> ", "\nJ.D.> > ", "\n:> ", "\n-> ", "\nftp> "),
)
words = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)


@examples(500, derandomize=True)
@given(words, st.sampled_from((1, 5, 20, 40, 72)), st.booleans())
def test_rewrap_keeps_every_url_and_word(text, width, break_urls):
    check_text(text, rewrap(text, width, break_urls=break_urls))


FILES = [*(ROOT / "corpora").rglob("*"), *(SHARED / "corpora").rglob("*")]
CORPORA = sorted(path for path in FILES if path.is_file() and path.stat().st_size < 300_000)


LENGTH = re.compile(r"(?im)^content-length:[ \t]*[0-9]+")  # which is that of the new body


@pytest.mark.slow
@pytest.mark.parametrize("break_urls", [False, True])
def test_rewrap_of_a_real_text_keeps_every_url_and_is_stable(break_urls):
    for path in CORPORA[:: 3 if break_urls else 1]:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        result = rewrap(text, 66, break_urls=break_urls)
        again = rewrap(result, 66, break_urls=break_urls)
        for before, after in ((text, result), (result, again)):
            check_text(LENGTH.sub("", before), LENGTH.sub("", after))
        assert again == result, path


def test_rewrap_command_fills_its_input():
    text = b"see <URL:http://a.example/\nbc> now\xe9\r\n"
    filled = "see <URL:http://a.example/bc> now\udce9\r\n"
    assert outcome("rewrap", "-w", "72", data=text) == (0, filled, "")
    text = "see http://a.example/bcdefg now\n"
    for option, break_urls in (([], False), (["--break"], True)):
        assert outcome("rewrap", "-w", "24", *option, data=text)[1] == rewrap(text, 24, break_urls=break_urls)


def test_format_command_prints_urls_and_names_the_least_width():
    printed = "<URL:http://a.example/b/\n cdefg>\n<URL:ftp://a.example/>\n"
    words = ("-w", "24", "http://a.example/b/cdefg", "-")
    assert outcome("format", *words, data=b"ftp://a.example/\n\n") == (0, printed, "")
    status, printed, said = outcome("format", "-w", "11", "http://a.example/", "ftp://a/")
    assert (status, printed) == (1, "<URL:ftp://\n a/>\n")
    assert "12, not 11" in said


@pytest.mark.parametrize(("words", "printed"), [
    ((), "<URL:http://a.example/b.>\n"),
    (("-t", "rst"), "`<http://a.example/b.>`__\n"),
    (("-t", "man", "--brackets", "<>"), "\\%<http://\\:\\%a.example/\\:\\%b\\:\\%.>\n"),
    (("--brackets", "none", "--encode"), "http://a.example/b%2E\n"),
])  # fmt: skip
def test_format_command_has_the_wrapper_of_the_target(words, printed):
    assert outcome("format", *words, "http://a.example/b.") == (0, printed, "")


def test_format_command_refuses_an_option_that_changes_nothing():
    for words in (("-t", "markdown", "-w72"), ("-t", "html", "--prefix", ">"), ("-t", "rst", "--indent=1")):
        status, output, complaint = outcome("format", *words, "http://a.example/")
        assert (status, output) == (2, "")
        assert complaint.endswith(f"changes nothing for the target {words[1]}\n")
        assert complaint.count("\n") == 1


def test_format_command_names_the_wrapper_that_would_do():
    status, output, complaint = outcome("format", "--brackets", "none", "http://a.example/b.")
    assert (status, output) == (1, "")
    assert 'a reader ends the URL before ".": print it in <URL:...>' in complaint


@pytest.mark.parametrize("text", [
    "  \t <URL:http://www.example.org/aaaaaaaaaaaaaaaaaaaa>.\n",
    "a;\n| x - y |\n| http://a.example/ z |\n| more words\n",
])  # fmt: skip
def test_indented_url_and_table_are_left_alone(text):
    for break_urls in (False, True):
        assert rewrap(text, 30, break_urls=break_urls) == text


def test_in_place_refuses_what_is_not_a_regular_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/full", str(tmp_path / "pipe")):
        status, output, complaint = outcome("rewrap", "-i", path)
        assert (status, output) == (2, "")
        assert complaint == f"urlextract: {path}: is not a regular file, and cannot be replaced\n"


def test_in_place_keeps_mode_links_and_unchanged_files(tmp_path):
    path, link = tmp_path / "a b", tmp_path / "link"
    path.write_bytes(b"see <URL:http://a.example/\nbc>\n")
    path.chmod(0o640)
    link.symlink_to(path)
    assert outcome("rewrap", "-i", link) == (0, "", "")
    assert path.read_bytes() == b"see <URL:http://a.example/bc>\n"
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    node = path.stat().st_ino
    assert outcome("rewrap", "-i", path) == (0, "", "")
    assert path.stat().st_ino == node
    assert sorted(os.listdir(tmp_path)) == ["a b", "link"]


UNITS = (
    "word and another one ", "word\n", "> quoted\n", "<URL:http://a.example/\nb>\n", "-- \n", "--\n",
    "<http://a", "x\n\n", "- item\n", "    code\n    <http://a.example/\nb>\n", "From a@b 1994\n", "a: b\n",
    "```\n", "日本 ", "[1] http://a.example/\n", "http://a.example/ ", "begin 644 x\n", "diff --git a b\n",
    "| x\n", ">\n<\n",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_rewrapping_time_is_proportional_to_the_length(unit):
    assert growth(rewrap, times(unit), 40_000, 160_000) < LINEAR


@pytest.mark.parametrize(("field", "is_filled"), [
    ("Content-Type: text/plain; charset=us-ascii (Plain text)", True),
    ("Content-Type: text/plain;\n charset*=utf-8''us-ascii", True),
    ("content-type: TEXT/PLAIN\nContent-Transfer-Encoding: 8bit (as it is)", True),
    ("Content-Type: text/plain; format*=''flowed", False),
    ("Content-Type: text/html (a page)", False),
    ("Content-Transfer-Encoding: x-unknown", False),
    ("Content-Transfer-Encoding: quoted-printable (soft)", False),
    ("Content-Type: multipart/mixed; boundary*=''b", False),
    ("Content-Type: ;;; \udcff", True),
])  # fmt: skip
def test_unusual_content_type_is_understood(field: str, is_filled: bool) -> None:
    """Comments, folds and RFC 2231 parameters."""
    head = f"From: ada@cs.example.edu\nSubject: tides\n{field}\n\n"
    body = "The tables are here for all of you\nto see, on the wall.\n"
    text = head + body
    assert rewrap(text, width=56) == (head + body.replace("you\nto", "you to") if is_filled else text)


@pytest.mark.parametrize("unit", ["http://a.example/", "abc/", "?x=1&"])
def test_url_too_long_to_be_joined_is_wrapped_once(unit: str) -> None:
    """Wrapping it again changes nothing."""
    text = f"see http://www.example.org/{unit * (4_000 // len(unit))} now"
    wrapped = rewrap(text, break_urls=True)
    assert wrapped.count("<") == wrapped.count(">") == 1
    assert rewrap(wrapped, break_urls=True) == wrapped
    assert [found.url for found in extract(wrapped)] == [found.url for found in extract(text)]
