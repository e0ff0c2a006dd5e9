"""The lines around results, as grep -C prints them."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from commands import outcome
from hypothesis import given
from hypothesis import strategies as st

from urlextract.output.context import Lines
from urlextract.records import Origin

LINES = {
    5: "five http://a.example/5", 6: "six http://a.example/6", 9: "nine <http://a.example/",
    10: "9>", 14: "fourteen http://a.example/14", 20: "twenty http://a.example/20",
}  # fmt: skip
TEXT = "".join(f"{LINES.get(number, f'line {number}')}\n" for number in range(1, 21))


def grepped(*words: str, text: str = TEXT) -> str:
    """Return what grep prints for the same lines: those with a URL, and the end of the broken one."""
    done = subprocess.run(
        ["grep", "-E", *words, "http:|^9>"], input=text.encode(), capture_output=True, check=False
    )
    return done.stdout.decode()


@pytest.mark.parametrize(
    "words", ["-C0", "-C1", "-C2", "-C3", "-C20", "-C1 -n", "-C2 -n", "-C0 -n", "-C9 -n"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
def test_prints_what_grep_prints(words: str, end: str) -> None:
    text = TEXT.replace("\n", end)
    expected = grepped(*words.split(), text=text).replace("\r", "")
    if words in ("-C0", "-C0 -n"):
        expected = "".join(f"{line}\n" for line in expected.splitlines() if line != "--")
    printed = outcome(*words.split(), data=text)[1]
    if words in ("-C0", "-C0 -n"):
        printed = "".join(f"{line}\n" for line in printed.splitlines() if line != "--")
    assert printed == expected


def test_groups_without_context_are_apart() -> None:
    assert outcome("-C0", "-n", data="http://a.example/\nno\nhttp://b.example/\n")[1] == (
        "1:http://a.example/\n--\n3:http://b.example/\n"
    )


def test_names_are_marked_as_numbers_are() -> None:
    assert outcome("-C1", "-nH", "-m1", data="one\nhttp://a.example/\nthree\n")[1] == (
        "--1-one\n-:2:http://a.example/\n--3-three\n"
    )


def test_parts_of_messages_are_shown_decoded(tmp_path: Path) -> None:
    message = (
        "Message-ID: <1@a.example>\nSubject: =?utf-8?q?see_http=3A//a.example/?=\nContent-Transfer-Encoding: "
        "quoted-printable\n\nbefore=20\nhttp://b.exam=\nple/\nafter\nfar\n"
    )
    (tmp_path / "a.eml").write_text(message)
    (tmp_path / "b.eml").write_text(message.replace("a.example", "c.example"))
    expected = "Subject: see http://a.example/\n--\nbefore \nhttp://b.example/\nafter\n"
    assert outcome("-C1", tmp_path / "a.eml") == (0, expected, "")
    both = f"{expected}--\n{expected.replace('a.example', 'c.example')}"
    assert outcome("-C1", tmp_path / "a.eml", tmp_path / "b.eml") == (0, both, "")
    assert outcome("-C1", "-u", tmp_path / "a.eml", tmp_path / "b.eml")[1] == (
        f"{expected}--\nSubject: see http://c.example/\n"
    )
    assert outcome("-C0", "-I", "-n", tmp_path / "a.eml")[1] == (
        "<1@a.example>:2:Subject: see http://a.example/\n--\n<1@a.example>:6:http://b.example/\n"
    )


def test_markup_is_shown_as_it_is() -> None:
    page = "<html>\n<a href='http://a.example/'>\nhere</a>\n"
    assert outcome("-C1", data=page)[1] == page


def test_other_options() -> None:
    assert outcome("-C1", "--host", "b.example", data="http://a.example/\nx\nhttp://b.example/\n")[1] == (
        "x\nhttp://b.example/\n"
    )
    assert outcome("-C1", data="none") == (1, "", "")
    assert outcome("-qC1", data=TEXT) == (0, "", "")
    assert outcome("-C", "-1", data=TEXT)[2] == "urlextract: --context: -1 is less than 0\n"


@pytest.mark.parametrize("words", ["-j", "-c", "-0", "--raw", "--explain", "--top", "--sort", "--csv"])
def test_what_cannot_go_together_is_one_line(words: str) -> None:
    status, out, error = outcome("-C1", *words.split(), data=TEXT)
    assert (status, out) == (2, "")
    assert error.count("\n") == 1
    assert ": cannot be used with --" in error


def test_only_the_end_of_a_long_text_is_kept() -> None:
    for piece in ("x" * 70 + "\n", "x" * 71, "\n", "\r"):
        lines = Lines(Origin(), start=0, line=1, around=3)
        for size in range(65_536, 40 * 65_536, 65_536):
            lines.add(piece * (65_536 // len(piece)))
            if size > 36 * 65_536:  # four times what may be kept
                kept = sum(len(text) + 1 for _, _, text in lines.numbered(1, 1 << 40))
                assert 200_000 < kept < 600_000


def test_lines_between_far_groups_are_dropped(tmp_path: Path) -> None:
    far = "x" * 70 + "\n"
    (tmp_path / "text").write_text(f"first http://a.example/\n{far * 100_000}last http://b.example/\nend\n")
    expected = f"first http://a.example/\n{far}--\n{far}last http://b.example/\nend\n"
    assert outcome("-C1", tmp_path / "text") == (0, expected, "")


def test_line_of_any_length(tmp_path: Path) -> None:
    long = "x " * 3_000_000 + "http://a.example/ \n" + "y" * 3_000_000
    (tmp_path / "text").write_text(f"a\n{long}\nz")
    status, out, _ = outcome("-C1", "-n", tmp_path / "text")
    assert status == 0
    assert [re.match("[0-9]+[:-]", line)[0] for line in out.splitlines()] == ["1-", "2:", "3-"]
    assert "http://a.example/ \n" in out


PIECES = st.lists(st.text(st.sampled_from("ab\r\n"), max_size=5), max_size=12)


@given(PIECES)
def test_lines_are_those_of_the_whole_text(pieces: list[str]) -> None:
    lines, whole = Lines(Origin(), start=0, line=1, around=2), Lines(Origin(), start=0, line=1, around=2)
    for piece in pieces:
        lines.add(piece)
    whole.add("".join(pieces))
    assert list(lines.numbered(1, 99)) == list(whole.numbered(1, 99))
    for (_, start, text), (_, end, _) in pairwise(whole.numbered(1, 99)):
        assert "".join(pieces)[start : start + len(text)] == text
        assert not "".join(pieces)[start + len(text) : end].strip("\r\n")
