"""Making broken URLs whole, and changing no other line: `mend` and ``urlextract mend``."""

from __future__ import annotations

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from sampled import mostly_slow
from scans import urls_of
from strategies import PIECES, broken_texts, examples

from urlextract import mend

# ruff: noqa: E501
BARE = "http://www.example.org/harbour/north-"  # goes on: a hyphen ends no URL


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


def test_nothing_is_made_of_nothing():
    """What is mended, and what is kept, is in ``cases/mend.txt``."""
    assert mend("") == ""


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


MIXED = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'
MESSAGES = [  # the fields of a message, and its body
    ("", "\u00e9 <http://a.example/b/\nc> and\n"), ("", "no URL\n"), (MIXED, f"http://b.example/\n--b\n\n{BROKEN}--b--\n"),
    ("", "http://a.example/ " * 70_000 + f"\n\n{BROKEN}"),
]  # fmt: skip


@pytest.mark.parametrize("end", mostly_slow([b"\n", b"\r\n"]))
@pytest.mark.parametrize("how", mostly_slow([{"defang": True}, {}]))
def test_content_length_in_a_mailbox_is_that_of_the_new_body(how, end):
    """For mutt and Dovecot; where nothing changes, it stays, right or wrong."""
    postmark = "From a@b Mon Nov 14 09:12:44 1994\nFrom: ada@a.example\n"
    mailbox = b""
    for fields, text in MESSAGES:
        body = text.encode().replace(b"\n", end)
        head = f"{postmark}{fields}Content-Length: {len(body)}\nX: y\n\n"
        mailbox += head.encode().replace(b"\n", end) + body + end
    changed = mend(mailbox, **how)
    bodies = [each.partition(end * 2) for each in changed.split(b"From a@b ")[1:]]
    assert [int(head.split(b"ength: ")[1].split()[0]) for head, _, _ in bodies] == [
        len(body) - len(end) for *_, body in bodies
    ]
    assert len(changed) != len(mailbox)
    wrong = f"{postmark}Content-Length: 0005\n\nno URL\n".encode()
    assert mend(wrong) == wrong


def test_command_mends_checks_and_replaces(tmp_path):
    text, result = f"{HEAD}\n{BROKEN}x \n", f"{HEAD}\n{WHOLE}x \n"
    assert outcome("mend", data=text.encode()) == (0, result, "")
    assert outcome("mend", "--join", "none", data=text.encode()) == (0, text, "")
    (tmp_path / "mail").write_text(text)
    assert outcome("mend", "-i", tmp_path / "mail") == (0, "", "")
    assert (tmp_path / "mail").read_text() == result
