"""Texts that are rewritten unit by unit: the same result as of the whole, in memory that does not grow."""

from __future__ import annotations

import tracemalloc

import pytest
from commands import outcome
from hypothesis import given
from hypothesis import strategies as st
from strategies import PIECES, broken_texts, examples

from urlextract import mend, rewrap
from urlextract.formatter.texts.mending import Mender
from urlextract.formatter.texts.units import rewrite, rewritten

# ruff: noqa: E501
MENDED = Mender("safe", gateways=None, fang=None).mended
BROKEN, WHOLE = "see <http://a.example/b/\nc>\n", "see <http://a.example/b/c>\n"
PROSE = "The lamp on the north quay went out during the storm of last week, and it is out.\n"
HEAD = "From: ada@a.example\nSubject: tides\nMessage-ID: <1@a.example>\n"
FILLER = f"{PROSE}\n" * 2_000  # some 160 KB
PARTS = (
    *PIECES, "\n\n", "\n\n", "```\n", "-- \n", "--- a\n+++ b\n", "> see <http://a.example/b/\n> c> and\n\n", BROKEN,
    "<div>\n", "</div>\n", "\r\n", "From: a@b\n\n", f"{HEAD}\n", "From a@b Mon Nov 14 09:12:44 1994\n", "\r", "é\udcff",
    'Content-Type: multipart/mixed; boundary="b"\n', "--b\n", "--b--\n",
)  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(PARTS), max_size=60).map("".join), broken_texts)


@examples(300)
@given(texts)
def test_parts_are_all_of_a_text(text):
    assert rewritten(text, lambda unit: unit.text) == text


def mended(pieces):
    done: list[str] = []
    rewrite(pieces, MENDED, done.append)
    return "".join(done)


def mended_in_small_units(text, size):
    return mended(text[at : at + size] for at in range(0, len(text), size))


@examples(200)
@given(texts)
def test_the_pieces_of_a_text_change_nothing(text):
    assert mended(text) == mend(text)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("size", [1, 7, 100])
def test_the_units_of_a_text_change_nothing(size, end):
    code = f"```\n{BROKEN}\n\n{BROKEN}\n```\n"
    patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n see <http://a.example/b/\n c>\n \n-x\n\n"
    page = f"<pre>\n{BROKEN}\n{BROKEN}</pre>\n"
    signed = f"-----BEGIN PGP SIGNED MESSAGE-----\n\n{BROKEN}\n{BROKEN}-----END PGP SIGNATURE-----\n"
    text = f"{BROKEN}\n{code}\n{BROKEN}\n{patch}{BROKEN}\n{page}\n{signed}\n{BROKEN}-- \n{BROKEN}\n{BROKEN}"
    result = f"{WHOLE}\n{code}\n{WHOLE}\n{patch}{WHOLE}\n{page}\n{signed}\n{WHOLE}-- \n{WHOLE}\n{WHOLE}"
    assert mended_in_small_units(text.replace("\n", end), size) == result.replace("\n", end)
    for head in (f"{HEAD}\n", f"From a@b Mon Nov 14 09:12:44 1994\n{HEAD}\n"):
        assert mended_in_small_units((head + text) * 3, size) == (head + result) * 3


@pytest.mark.parametrize(("begin", "end"), [
    ("```\n", "```\n"), ("<pre>\n", "</pre>\n"),
    ("-----BEGIN PGP SIGNED MESSAGE-----\n\n", "-----END PGP SIGNATURE-----\n"),
])  # fmt: skip
def test_a_structure_that_is_longer_than_a_unit_stays(begin, end):
    kept = f"{begin}{BROKEN}\n{FILLER}{BROKEN}\n{end}\n"
    assert mend(f"{BROKEN}\n{kept}{BROKEN}") == f"{WHOLE}\n{kept}{WHOLE}"
    assert rewrap(kept, 40) == kept


@pytest.mark.slow
def test_a_large_message_is_mended_where_it_is_text():
    large = f"{'QUJD' * 19}\n" * 40_000  # 3 MB
    parts = f"Content-Type: text/plain\n\n{{0}}\n--b\nContent-Transfer-Encoding: base64\n\n{large}--b\n\n{FILLER * 20}{{0}}\n--b--\n"
    message = f'{HEAD}Content-Type: multipart/mixed; boundary="b"\n\n--b\n{parts}'
    for end in ("\n", "\r\n"):
        text, result = (message.format(each).replace("\n", end) for each in (BROKEN, WHOLE))
        assert mend(text) == result
    postmark = "From a@b Mon Nov 14 09:12:44 1994\n"
    mailbox = f"{postmark}{message}\n{postmark}{HEAD}\n{{0}}"
    assert mend(mailbox.format(BROKEN)) == mailbox.format(WHOLE)


SOURCES = (
    f"{PROSE}{BROKEN}\n", f"{PROSE}{BROKEN}", "a", "\n", "see http://a.example/b and (http://a.example/c) ",
    f"From a@b Mon Nov 14 09:12:44 1994\n{HEAD}\n{PROSE}{BROKEN}\n",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", SOURCES)
def test_memory_does_not_grow_with_the_text(unit):
    """Of 1 MiB without a blank line, the densest text takes some 40 MB, however much follows."""
    pieces = (unit * (60_000 // len(unit)) for _ in range(100))  # 6 MB
    tracemalloc.start()
    try:
        rewrite(pieces, MENDED, len)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_a_long_line_is_defanged_as_a_whole():
    text = "see http://a.example/b and <URL:http://b.example/c d/e>, " * 4_000
    result = text.replace("http", "hxxp").replace(".example", "[.]example").replace("c d", "cd")
    assert outcome("mend", "--defang", data=text.encode()) == (0, result, "")


WORDS = "the lamp on the north quay went out during the storm of last week and it is\n"


@pytest.mark.parametrize("quote", ["", "> "])
def test_a_paragraph_of_any_length_is_filled(quote):
    text = f"{quote}{WORDS}" * 2_000
    filled = rewrap(text, 40)
    lines = filled.splitlines()
    assert max(map(len, lines)) <= 40
    assert [word for line in lines for word in line.removeprefix(quote).split()] == WORDS.split() * 2_000
    assert rewrap(filled, 40) == filled


@pytest.mark.parametrize("function", [mend, rewrap])
def test_bytes_come_back_as_bytes(function):
    text = "\udcfc <http://a.example/b/\nc>, é \udce4.\n"
    data = text.encode("utf-8", "surrogateescape")
    for given_data in (data, bytearray(data), memoryview(data)):
        result = function(given_data)
        assert isinstance(result, bytes)
        assert result == function(text).encode("utf-8", "surrogateescape")
    with pytest.raises(TypeError, match="text is list"):
        function([text])
