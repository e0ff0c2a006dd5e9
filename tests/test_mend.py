"""Making broken URLs whole, and changing no other line: `mend` and ``urlextract mend``."""

from __future__ import annotations

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from rewriting import check_text
from scans import urls_of
from strategies import PIECES, broken_texts, examples

from urlextract import mend

# ruff: noqa: E501
# A text and the result, written by hand.
BARE = "http://www.example.org/harbour/north-"  # goes on: a hyphen ends no URL
MENDED = {
    "the rest of the line gets a line of its own": (
        f"> {BARE}\n> quay.html and more words.\n", f"> {BARE}quay.html\n> and more words.\n"),
    "a line that becomes empty goes": (f"see {BARE}\nquay.html\nand\n", f"see {BARE}quay.html\nand\n"),
    "brackets": ("see <http://a.example/b/\nc> now\n", "see <http://a.example/b/c>\nnow\n"),
    "quotes": ('"http://a.example/b/\nc" now', '"http://a.example/b/c"\nnow'),
    "a label": ("<URL:\n> http://a.example/b/\nc> now\n", "<URL:\n> http://a.example/b/\nc> now\n"),
    "a quoted label": ("> <URL:\n> http://a.example/b/\n> c> now\n", "> <URL:http://a.example/b/c>\n> now\n"),
    "brackets that are escaped": ("&lt;http://a.example/b/\nc&gt; now", "&lt;http://a.example/b/c&gt;\nnow"),
    "an abbreviated one": ("<URL:www.a.example/b/\nc> now", "<URL:www.a.example/b/c>\nnow"),
    "punctuation stays with the URL": ("(<http://a.example/b/\nc>), now", "(<http://a.example/b/c>),\nnow"),
    "two on three lines": (
        "<http://a.example/b/\nc> or <http://a.example/d/\ne>.\n",
        "<http://a.example/b/c>\nor <http://a.example/d/e>.\n"),
    "two glued": ("<http://a.example/b/\nc><http://a.example/d/\ne>", "<http://a.example/b/c><http://a.example/d/e>"),
    "five lines": ("<http://a.example/b/\nc/\nd/\ne/\nf> x\n", "<http://a.example/b/c/d/e/f>\nx\n"),
    "the closing bracket alone": ("see <http://a.example/b\n>\nnow\n", "see <http://a.example/b>\nnow\n"),
    "the closing bracket alone, quoted": ("> <http://a.example/b\n> >, now\n", "> <http://a.example/b>,\n> now\n"),
    "a prefix that is lost stays lost": ("> <http://a.example/b/\nc> now\n", "> <http://a.example/b/c>\nnow\n"),
    "an item keeps its indent": ("- <http://a.example/b/\n  c> now\n- x\n", "- <http://a.example/b/c>\n  now\n- x\n"),
    "a comment": ("# see <http://a.example/b/\n# c> now\n", "# see <http://a.example/b/c>\n# now\n"),
    "an indent that breaks the URL": ("see <URL:http://a.example/b/\n c> now\n", "see <URL:http://a.example/b/c>\nnow\n"),
    "a deep indent of the URL alone": (
        "<URL:http://a.example/b/\n    c> now\nand then\n", "<URL:http://a.example/b/c>\nnow\nand then\n"),
    "a deep indent of all lines": (
        "[1]  <URL:http://a.example/b/\n     c> now\n     and then\n", "[1]  <URL:http://a.example/b/c>\n     now\n     and then\n"),
    "a backslash": ("<http://a.example/b/\\\nc> now", "<http://a.example/b/c>\nnow"),
    "a mark begins no line": ("<http://a.example/b/\nc> - and\n", "<http://a.example/b/c> -\nand\n"),
    "blanks within a line stay": ("<URL: http://a.example/b c/\nd>  now \n", "<URL: http://a.example/b c/d>\nnow \n"),
    "CRLF": ("<http://a.example/b/\r\nc> now\r\n", "<http://a.example/b/c>\r\nnow\r\n"),
    "lone CR": ("<http://a.example/b/\rc> now\r", "<http://a.example/b/c>\rnow\r"),
    "a byte that is not UTF-8": ("\udcfc <http://a.example/b/\nc>\udcfc\n", "\udcfc <http://a.example/b/c>\udcfc\n"),
    "a signature": ("-- \nAda <http://a.example/b/\nc>\n", "-- \nAda <http://a.example/b/c>\n"),
    "a table below": ("<http://a.example/b/\nc>\n\na    1 \nb    2\n", "<http://a.example/b/c>\n\na    1 \nb    2\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", MENDED)
def test_broken_url_is_whole_on_one_line(name):
    text, result = MENDED[name]
    assert mend(text) == result
    assert mend(result) == result
    check_text(text, result)


HEAD = "From: ada@a.example\nList-Archive: <http://a.example/\n list>\n"
BROKEN = "see <http://a.example/b/\nc>\n"
WHOLE = "see <http://a.example/b/c>\n"


QUOTED = "Content-Transfer-Encoding: quoted-printable"


def test_in_a_message_only_plain_bodies_are_mended():
    assert mend(f"{HEAD}\n{BROKEN}") == f"{HEAD}\n{WHOLE}"
    parts = f'{HEAD}Content-Type: multipart/mixed; boundary="b"\n\n{BROKEN}--b\n\n{BROKEN}--b--\n{BROKEN}'
    assert mend(parts) == parts.replace(f"--b\n\n{BROKEN}", f"--b\n\n{WHOLE}")
    assert mend(f"{HEAD}{QUOTED}\n\n{BROKEN}") == f"{HEAD}{QUOTED}\n\n{WHOLE}"
    for field in ("Content-Type: text/html", "Content-Type: text/plain; format=flowed"):
        assert mend(f"{HEAD}{field}\n\n{BROKEN}") == f"{HEAD}{field}\n\n{BROKEN}"


KEPT = {
    "nothing": "",
    "no URL": "one  two \r\nthree\t\rfour\x00\udcff\n\n> a \n",
    "whole URLs": "see <http://a.example/b> or\nhttp://a.example/c \n",
    "a blank after the label": "see <URL: http://a.example/b>\n",
    "one that may go on, or not": "http://www.example.org/harbour/tables\nnorth.html is it\n",
    "a page break": "<URL:http://a.example/b/\n\n\nAda        [Page 1]\n\x0c\nRFC 9999    May 1995\n\n\nc>\n",
    "signed": f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n{BROKEN}-----BEGIN PGP SIGNATURE-----\n\nAb\n-----END PGP SIGNATURE-----\n",
    "a diff": "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n see <http://a.example/b/\n c>\n-x\n",
    "a mark that may be a quote's": "See <http://a.example/b\n> I do not agree.\n> At all.\n",
    "a deeper quotation": "> Ben on <http://a.example/b\n>> I do not agree.\n",
    "an attribution": "On 3 May, Ben <http://a.example/b\n> wrote:\n> I agree.\n",
    "a quotation with a bracket": "On Monday, Ben <http://a.example/\n> ben> wrote:\n",
    "a fence": f"```\n{BROKEN}```\n",
}  # fmt: skip


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_text_is_kept_byte_for_byte(text):
    assert mend(text) == text


def test_join_says_which_urls_are_mended():
    text = f"<http://a.example/b/\nc>\n\n{BARE}\nquay.html\n"
    brackets = text.replace("b/\nc", "b/c")
    assert mend(text, "none") == text
    assert mend(text, "delimited") == brackets
    assert mend(text, "safe") == brackets.replace("north-\n", "north-")


def test_invalid_join_is_refused():
    with pytest.raises(ValueError, match=r"^join: "):
        mend("a", "all")


_PARTS = (
    *PIECES, "\n", "\n", " ", " and ", "\n\n", "- ", "-- \n", "```\n", "<http://a.example/b/\n> c", "<http://a.example/b/\nc>",
    "> <http://a.example/b/\n> c> and\n", f"{BARE}\n", "quay.html and", "/\n", "URL:\n", "From: a@b\n\n", "From a@b 1994\n", " \n", "| ",
)  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(_PARTS), max_size=40).map("".join), broken_texts)
joins = st.sampled_from(("safe", "likely", "delimited", "none"))


@examples(500)
@given(texts, joins)
def test_urls_are_the_same_and_mending_again_changes_nothing(text, join):
    result = mend(text, join)
    assert urls_of(result, join=join) == urls_of(text, join=join)
    assert mend(result, join) == result


@examples(200)
@given(texts, st.sampled_from(("\n", "\r\n")), st.sampled_from(("", "> ", "  ", "# ")))
def test_lines_before_and_after_are_kept(text, end, prefix):
    """Neither a blank, a line end nor a mark is changed around a broken URL."""
    before = f"One  two \t{end}\x00three {end}{prefix}{end}"
    broken = f"{prefix}see <http://a.example/b/{end}{prefix}c>{end}"
    whole = f"{prefix}see <http://a.example/b/c>{end}"
    after = f"{end}  four {end}\tfive\udcff - {end}"
    assert mend(before + broken + after) == before + whole + after
    quiet = "".join(char for char in text if char.isalnum() or char in " \t\r\n>|-.,")  # has no URL
    assert mend(quiet) == quiet


UNITS = (
    "<http://a.example/\n", "<http://a.example/b\nc> - ", f"{BARE}\nx and ", "<URL:\n",
    "<http://a.example/b\nc>> > > >",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_time_is_proportional_to_the_length(unit):
    assert growth(mend, times(unit), 40_000, 320_000) < LINEAR


def test_command_mends_checks_and_replaces(tmp_path):
    text, result = f"{HEAD}\n{BROKEN}x \n", f"{HEAD}\n{WHOLE}x \n"
    assert outcome("mend", data=text.encode()) == (0, result, "")
    assert outcome("mend", "--join", "none", data=text.encode()) == (0, text, "")
    (tmp_path / "mail").write_text(text)
    assert outcome("mend", "-i", tmp_path / "mail") == (0, "", "")
    assert (tmp_path / "mail").read_text() == result
