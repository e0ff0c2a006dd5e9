"""Mailboxes: which lines separate messages, which do not, and that nothing is lost (SPEC §8)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from slices import Blocks, Slices, read_slices

from urlextract.records import RawMessage, RawText
from urlextract.run.cutting import Cutter
from urlextract.sources.formats import messages
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import PREAMBLE, Piece
from urlextract.sources.reading import read_source
from urlextract.sources.streams import Place
from urlextract.sources.stretches import read_stretch

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"


def read(data: bytes, form: str = "auto") -> list[tuple[str, int | None, int | None, bytes]]:
    """Read bytes; return kind, number, offset and bytes of each item. Damage fails the test."""
    return [flat(item) for item in read_source(io.BytesIO(data), form, on_damage=pytest.fail)]


def flat(item: RawMessage | RawText) -> tuple[str, int | None, int | None, bytes]:
    origin = item.provenance
    if isinstance(item, RawMessage):
        return "message", origin.message, origin.offset, item.data
    return "text", origin.message, origin.offset, b"".join(item.chunks)


def bodies(data: bytes, form: str = "auto") -> list[bytes]:
    return [item[3] for item in read(data, form)]


# Lines that separate two messages, after a blank line and before a header.
POSTMARKS = {
    "asctime": b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994",
    "two blanks": b"From MAILER-DAEMON@x  Fri Apr  6 16:46:09 2001",
    "no seconds": b"From ada Thu Nov 24 18:22 1986",
    "no address": b"From MAILER-DAEMON Fri Apr 06 16:46:09 2001",
    "short year": b"From ada@x Mon Nov 14 09:12:44 94",
    "zone before the year": b"From ada@x Mon Nov 14 09:12:44 GMT 1994",
    "two zones": b"From ada@x Mon Nov 14 09:12:44 MET DST 1994",
    "numeric zone before the year": b"From ada@x Mon Nov 14 09:12:44 +0100 1994",
    "zone after the year": b"From ada@x Mon Nov 14 09:12:44 1994 -0700",
    "uucp": b"From uucp Thu Nov 24 18:22 1986 remote from decvax",
    "bang path": b"From decvax!ucb!ada Thu Nov 24 18:22:01 PST 1986 remote from decvax",
    "pipermail": b"From ada at cs.example.edu  Thu Nov 24 18:22:48 1998",
    "netscape": b"From - Mon Nov 14 09:12:44 1994",
    "netscape without a date": b"From - ",
    "bare": b"From ",
    "google groups": b"From -8946248053963491671",
    "usenet archive": b"From 8422924699967609371",
    "takeout": b"From 1844347792267117879@xxx",
    "takeout with a date": b"From 1844347792267117879@xxx Mon Nov 14 09:12:44 +0000 2011",
    "quoted sender": b'From "Ada Lund"@x Mon Nov 14 09:12:44 1994',
    "empty sender": b"From <> Mon Nov 14 09:12:44 1994",
    "nul": b"From ada\0@x Mon Nov 14 09:12:44 1994",
    "long sender": b"From " + b"a" * 300 + b" Mon Nov 14 09:12:44 1994",
    "trailing blank": b"From ada@x Mon Nov 14 09:12:44 1994 \t",
}

# Lines of a body, after a blank line and before one that looks like a header.
TRAPS = {
    "url": b"From here on http://x.example/",
    "url and date": b"From http://x.example/ at 10:30 2001",
    "url in a whole postmark": b"From ada@x see <URL:http://x.example/> Mon Nov 14 09:12:44 1994",
    "url as the sender": b"From http://ada@x.example Mon Nov 14 09:12:44 1994",
    "url behind the date": b"From ada@x.example Mon Nov 14 09:12:44 1994 http://x.example/",
    "host": b"From the page www.example.org, Mon Nov 14 09:12:44 1994",
    "prose": b"From now on nothing is lost.",
    "prose with a time": b"From 10:30 on we met",
    "address alone": b"From ada@cs.example.edu",
    "short number": b"From 1994",
    "colon": b"From the RFC about ending boundary:",
    "very long": b"From ada@x " + b"x" * 1000 + b" Mon Nov 14 09:12:44 1994",
    "lower case": b"from ada@x Mon Nov 14 09:12:44 1994",
    "quoted": b">From ada@x Mon Nov 14 09:12:44 1994",
    "indented": b" From ada@x Mon Nov 14 09:12:44 1994",
    "no blank after From": b"From: ada@x Mon Nov 14 09:12:44 1994",
}

EOLS = {"lf": b"\n", "crlf": b"\r\n", "crcrlf": b"\r\r\n", "cr": b"\r"}


def mailbox(second: bytes, before: bytes = b"\n", after: bytes = b"Subject: two\n\nbye\n") -> bytes:
    return POSTMARK + b"Subject: one\n\nhello\n" + before + second + b"\n" + after


@pytest.mark.parametrize("eol", EOLS.values(), ids=EOLS)
@pytest.mark.parametrize("line", POSTMARKS.values(), ids=POSTMARKS)
def test_postmark_separates_messages(line: bytes, eol: bytes) -> None:
    """Every kind of postmark, with every kind of line end."""
    data = mailbox(line).replace(b"\n", eol)
    second = b"Subject: two\n\nbye\n".replace(b"\n", eol)
    first = b"Subject: one\n\nhello\n\n".replace(b"\n", eol)
    at = len(POSTMARK) - 1 + len(eol)
    assert read(data) == [("message", 1, at, first), ("message", 2, len(data) - len(second), second)]


@pytest.mark.parametrize("line", POSTMARKS.values(), ids=POSTMARKS)
def test_postmark_begins_a_mailbox_and_without_blank_line_needs_a_header_after_it(line: bytes) -> None:
    data = line + b"\nSubject: one\n\nhello\n"
    assert read(data) == [("message", 1, len(line) + 1, b"Subject: one\n\nhello\n")]
    assert len(read(mailbox(line, before=b""))) == 2
    assert len(read(mailbox(line, before=b"", after=b"and so on\n"))) == 1


@pytest.mark.parametrize("eol", EOLS.values(), ids=EOLS)
@pytest.mark.parametrize("line", TRAPS.values(), ids=TRAPS)
def test_line_that_looks_like_a_postmark_stays_in_the_body(line: bytes, eol: bytes) -> None:
    data = mailbox(line).replace(b"\n", eol)
    (only,) = read(data)
    assert line in only[3]
    assert only[3] == data[only[2] :]


@pytest.mark.parametrize(("line", "after", "count"), [
    (b"From the talk at 10:30 2001", b"we went home\n", 1),
    (b"From the talk at 10:30 2001", b"Subject: two\n", 2),
    (b"From the talk at 10:30 2001", b"http://x.example/\n", 1),
    (b"From ada@x at 10:30 2001", b"no header\n", 2),
    (b"From us on Mon at 10:30 2001", b"no header\n", 2),
    (b"From the Monday meeting at 10:30 2001", b"no header\n", 1),
    (b"From - ", b"no header\n", 1),
    (b"From - ", b">From bob Mon Nov 14 09:12:43 1994\n", 2),
    (b"From ", b"no header\n", 1),
    (b"From ", b"", 1),
    (b"From 8422924699967609371", b"no header\n", 1),
    (b"From ada@x Mon Nov 14 09:12:44 1994", b"", 2),
    (b"From ada@x Mon Nov 14 09:12:44 1994", b">From bob Mon Nov 14 09:12:43 1994\n", 2),
])  # fmt: skip
def test_doubtful_postmark_is_decided_by_the_next_line(line: bytes, after: bytes, count: int) -> None:
    """It is doubtful if it has neither an address nor a weekday before the date."""
    assert len(read(mailbox(line, after=after))) == count


@pytest.mark.parametrize("blank", [b"\n", b" \t\n", b"\0\n", b"\n\n\n"])
def test_blank_line_before_a_postmark_may_hold_spaces(blank: bytes) -> None:
    assert len(read(mailbox(POSTMARK.rstrip(), before=blank, after=b"no header\n"))) == 2


def test_byte_order_mark_and_blank_lines_before_a_postmark_are_skipped() -> None:
    data = b"\xef\xbb\xbf\r\n\n" + POSTMARK + b"Subject: one\n\nhello\n"
    assert read(data) == [("message", 1, 6 + len(POSTMARK), b"Subject: one\n\nhello\n")]


@pytest.mark.parametrize("body", [
    b"Subject: a\n\n>From b@c\n>>From d\n..dot\r\n.\n",
    b"Subject: one\n\nhello\n\n" + POSTMARK.rstrip(),  # without its line end, a postmark is none
])  # fmt: skip
def test_lines_that_only_look_like_postmarks_are_left_unchanged(body: bytes) -> None:
    assert bodies(POSTMARK + body) == [body]


def with_length(body: bytes, off: int = 0, name: bytes = b"Content-Length", end: bytes = b"\n") -> bytes:
    """Return a message of an mboxcl2 mailbox, whose Content-Length is wrong by ``off`` bytes."""
    head = POSTMARK + b"Subject: one\n%b: %d\nTo: b\n\n" % (name, len(body) + off)
    return (head + body).replace(b"\n", end) + end


PASTED = b"look:\n\n" + POSTMARK + b"Subject: pasted\n\nsee http://a.example/\n"


@pytest.mark.parametrize("behind", [b"", b"\n", b"\n\n", POSTMARK + b"Subject: two\n\nx\n"])
@pytest.mark.parametrize("name", [b"Content-Length", b"Content-length", b"content-length"])
def test_content_length_that_fits_is_used(name: bytes, behind: bytes) -> None:
    """So a mail pasted into a body is not a message of its own."""
    data = with_length(PASTED, name=name) + behind
    found = bodies(data)
    assert len(found) == (2 if b"two" in behind else 1)
    assert PASTED in found[0]
    for size in (1, 2, 7, 64, 300):
        items, damage = read_slices(data, size, "auto")
        assert ([item[1] for item in items], damage) == (found, [])


def test_content_length_is_used_in_each_message() -> None:
    inner = b"x\n\n" + with_length(PASTED)
    assert len(bodies(b"".join(map(with_length, (PASTED, inner, b"hi\n", PASTED))))) == 4


@pytest.mark.parametrize("off", [-3, 2, -20, 20, 999, 99_999_999])
def test_content_length_that_does_not_fit_is_ignored(off: int) -> None:
    assert len(bodies(with_length(PASTED, off) + POSTMARK + b"Subject: three\n\nx\n")) == 3


def test_content_length_of_a_large_message_is_used() -> None:
    body = b"line of text\n" * 100_000 + b"\n" + PASTED + b"line of text\n" * 10_000
    data = with_length(body) + with_length(PASTED)
    for size in (5_000, 65_536):
        found = [
            PASTED in item.data + b"".join(item.rest or ())
            for item in read_source(Slices(data, size), on_damage=pytest.fail)
        ]
        assert found == [True, True]


def test_content_length_of_a_first_message_without_postmark_is_used() -> None:
    """Exports of Sympa."""
    data = with_length(PASTED).removeprefix(POSTMARK) + POSTMARK + b"Subject: two\n\nx\n"
    assert len(bodies(data)) == 2


def test_message_may_be_empty() -> None:
    data = POSTMARK * 2 + b"Subject: a\n\n"
    assert bodies(POSTMARK + b"\n" + data) == [b"\n", b"", b"Subject: a\n\n"]
    assert bodies(POSTMARK) == [b""]


def test_text_before_the_first_postmark_is_kept() -> None:
    """It is a message if it looks like one; blank lines are skipped."""
    box = POSTMARK + b"Subject: one\n\nhello\n"
    preamble = b"see http://x.example/\n\n"
    assert read(preamble + box, "mbox") == [
        ("text", None, None, preamble),
        ("message", 1, len(preamble + POSTMARK), b"Subject: one\n\nhello\n"),
    ]
    assert [item[:3] for item in read(b"\n\n" + box, "mbox")] == [("message", 1, 2 + len(POSTMARK))]
    message = b"\nSubject: zero\n\nhi\n\n"
    assert read(message + box, "mbox")[0] == ("message", 1, 1, message[1:])
    assert [item[1] for item in read(message + box, "mbox")] == [1, 2]
    assert read(preamble, "mbox") == [("text", None, None, preamble)]


def test_first_message_may_lack_its_postmark() -> None:
    """Some exports leave it out; the next postmark must then be certain."""
    first = b"Subject: zero\nTo: b\n\nhi\n\n"
    data = first + POSTMARK + b"Subject: one\n\nhello\n\nFrom - \nTo: c\n"
    assert bodies(data) == [first, b"Subject: one\n\nhello\n\n", b"To: c\n"]
    assert [item[1:3] for item in read(data)] == [
        (1, 0),
        (2, data.index(b"Sub", 9)),
        (3, data.index(b"To: c")),
    ]


@pytest.mark.parametrize("rest", [
    b"\nFrom - \nSubject: x\n", b"\n" + POSTMARK + b"no header\n", POSTMARK + b"Subject: x\n",
    b"\n" + POSTMARK, b"\nFrom here http://x.example/\nSubject: x\n",
])  # fmt: skip
def test_doubtful_postmark_does_not_end_a_message_without_one(rest: bytes) -> None:
    data = b"Subject: zero\nTo: b\n\nhi\n" + rest
    assert read(data) == [("message", 1, 0, data)]


def test_form_message_is_never_divided() -> None:
    data = b"Subject: zero\n\nhi\n\n" + POSTMARK + b"Subject: one\n\n"
    assert read(data, "message") == [("message", 1, 0, data)]
    assert read(POSTMARK + data, "message") == [("message", 1, len(POSTMARK), data)]
    assert read(POSTMARK + data, "text") == [("text", None, None, POSTMARK + data)]


SAMPLE = b"".join(
    b"\n".join((line, b"Subject: " + name.encode(), b"", b"text http://x.example/", before))
    for before in (b"", b"\n", b" \n")
    for table in (POSTMARKS, TRAPS)
    for name, line in table.items()
)
SAMPLES = {name: (POSTMARK + SAMPLE).replace(b"\n", eol) for name, eol in EOLS.items()}


def pieces(data: bytes, size: int) -> list[tuple[int, bytes]]:
    """Cut data that comes in blocks of ``size``, and join the pieces of each message."""
    found: dict[int, bytes] = {}
    blocks = (data[at : at + size] for at in range(0, len(data), size))
    for start, piece, _, _ in cut_at_postmarks(blocks):
        found[start] = found.get(start, b"") + piece
    return list(found.items())


@pytest.mark.parametrize("eol", EOLS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100, 1000, 4096])
def test_block_size_does_not_change_the_messages(size: int, eol: str) -> None:
    whole = pieces(SAMPLES[eol], len(SAMPLES[eol]))
    assert pieces(SAMPLES[eol], size) == whole
    assert len(whole) > 2 * len(POSTMARKS)


TOKENS = [*POSTMARKS.values(), *TRAPS.values(), b"\n", b"\n", b"\r\n", b"\r", b"\n\n", b"From ", b" "]
TOKENS += [b"Subject: x\n", b"http://x.example/", b"\0", b"\xef\xbb\xbf", b"text\n", POSTMARK, b"\r\r\n"]
MAIL = st.lists(st.sampled_from(TOKENS), max_size=30).map(b"".join)


@given(MAIL, st.integers(1, 80))
def test_any_slicing_has_the_same_messages(data: bytes, size: int) -> None:
    assert pieces(data, size) == pieces(data, len(data) + 1)


@given(MAIL)
def test_every_byte_except_postmarks_is_in_a_message(data: bytes) -> None:
    """Between two messages is one line, which begins with "From "."""
    at = 0
    for start, piece in pieces(data, 50):
        if start != PREAMBLE:
            line = data[at:start]
            assert line.startswith(b"From ")
            assert b"http" not in line
            assert len(line.split()) == len(line.splitlines()[0].split())
            at = start
        assert data.startswith(piece, at)
        at += len(piece)
    assert at == len(data)


def test_message_is_yielded_as_soon_as_the_next_postmark_arrives() -> None:
    blocks = iter((POSTMARK + b"To: a\n\nhi\n\n", POSTMARK, b"To: b\n\n", b"ho\n"))
    items = read_source(Blocks(blocks), on_damage=pytest.fail)
    assert flat(next(items))[3] == b"To: a\n\nhi\n\n"
    assert list(blocks) == [b"To: b\n\n", b"ho\n"]  # was not read


@pytest.mark.parametrize("form", ["auto", "message", "mbox"])
def test_rest_of_a_very_large_message_is_a_stream(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(messages, "LARGEST_HELD", 100_000)
    message = b"Subject: a\nTo: b\n\n" + b"0123456789\n" * 30_000
    tail = b"" if form == "message" else b"\n" + POSTMARK + b"Subject: next\n\n"
    start = len(POSTMARK) * (form == "mbox")
    items = read_source(io.BytesIO(POSTMARK * (form == "mbox") + message + tail), form, on_damage=pytest.fail)
    first = next(items)
    assert isinstance(first, RawMessage)
    assert (first.provenance.message, first.provenance.offset) == (1, start)
    assert 100_000 <= len(first.data) < 200_000
    assert first.rest is not None
    assert first.data + b"".join(first.rest) == message + (b"\n" if tail else b"")
    assert [item.provenance.message for item in items] == ([2] if tail else [])


def test_unread_rest_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LARGEST_HELD", 1000)
    data = POSTMARK + b"To: a\n\n" + b"x\n" * 90_000 + b"\n" + POSTMARK + b"To: b\n\n"
    items = list(read_source(io.BytesIO(data), on_damage=pytest.fail))
    assert [item.provenance.message for item in items] == [1, 2]
    assert isinstance(items[1], RawMessage)
    assert items[1].data == b"To: b\n\n"


@pytest.mark.parametrize("size", [100, 201])
def test_message_of_exactly_the_limit_is_whole(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(messages, "LARGEST_HELD", 100)
    data = b"Subject: a\nTo: b\n\n".ljust(size, b"x")
    [item] = read_source(io.BytesIO(data), on_damage=pytest.fail)
    assert isinstance(item, RawMessage)
    assert (item.rest is None) == (size == 100)


HOSTILE = [
    b"From ", b"\nFrom ", b"\n\nFrom ", b"\n", b"\r", b"\nFrom a 10:30" + b" ABC" * 200 + b"\n",
    b"\nFrom " + b"10:30 " * 150 + b"\n", b"\nFrom 10:30" + b" " * 900 + b"\n",
    b"\n\nFrom " + b"a@" * 400 + b"\n", b"\n\nFrom - \n" + b"x" * 120 + b"\n", b"x", b"\0",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_mailbox_takes_linear_time(unit: bytes) -> None:
    for head in (POSTMARK + b"To: a\n\n", b"To: a\n\n"):
        assert growth(read, times(unit, head), 500_000, 4_000_000) < LINEAR


def test_large_message_across_the_end_of_a_stretch_is_read_once(tmp_path: Path) -> None:
    small = (POSTMARK + b"Subject: f\n\n" + b"z" * 4_000 + b"\n\n") * 750  # 3 MB
    body = b"http://one.example/\n\n" + POSTMARK + b"Subject: quoted\n\nhttp://two.example/\n\n"
    large = with_length(body + (b"y" * 70 + b"\n") * 27_000)  # 2 MB
    (tmp_path / "box").write_bytes((small + large) * 3)
    for words in ([], ["-j"]):
        for jobs in ("1", "2", "3"):
            status, out, _ = outcome(*words, "-J", jobs, tmp_path / "box")
            assert (status, out.count("\n")) == (0, 6)


@pytest.mark.parametrize("size", [50_000, 300_000, 1_000_000])
@pytest.mark.parametrize("claim", [0, 1_500_000, 99_999_999])
def test_stretches_agree_on_messages_with_a_content_length(size: int, claim: int, tmp_path: Path) -> None:
    """A header inside a body may claim to extend over the end of a stretch, rightly or wrongly."""
    inner = POSTMARK + b"Subject: inner\nContent-Length: %d\n\nhttp://in.example/\n" % claim
    long = with_length(b"x\n\n" + inner + b"line of text\n" * 30_000)
    (tmp_path / "box").write_bytes((with_length(PASTED) * 50 + long) * 6)
    whole = [
        (item.provenance.message, item.provenance.offset)
        for item in read_source(tmp_path / "box", on_damage=pytest.fail)
    ]
    stretches = list(Cutter(size=size).stretches(str(tmp_path / "box")))
    assert len(stretches) > 1
    found = []
    for stretch in stretches:
        for item in read_stretch(stretch, Place("box", pytest.fail)):
            found.append((item.provenance.message, item.provenance.offset))
            for _ in item.rest or ():
                pass
    assert found == whole


def test_single_message_is_not_cut_as_a_mailbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a line that may be a postmark begins that: the first message of a mailbox may have none."""
    quiet = b"Subject: one\n\nhello From here\n>From there\n"
    cut: list[bool] = []

    def noted(*args: Any, **how: Any) -> Iterator[Piece]:
        cut.append(True)
        return cut_at_postmarks(*args, **how)

    monkeypatch.setattr("urlextract.sources.formats.mbox.cut_at_postmarks", noted)
    assert bodies(quiet) == [quiet]
    assert not cut
    for message in (quiet, quiet + b"\nFrom now on\nTo: you\n"):
        assert bodies(message) == [message]
        assert bodies(message + b"\n" + POSTMARK + message) == [message + b"\n", message]
    assert cut
