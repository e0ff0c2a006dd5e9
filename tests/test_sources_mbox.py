"""Mailboxes: which lines separate messages, which do not, and that nothing is lost (SPEC §8)."""

import io

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from slices import Blocks, read

from urlextract.run.cutting import Cutter
from urlextract.sources.formats import messages
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import PREAMBLE
from urlextract.sources.reading import read_source
from urlextract.sources.streams import Origin
from urlextract.sources.stretches import read_stretch

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"


def items_of(data, form="auto"):
    """Return number, offset and bytes of each item; a text has no number."""
    items, damage = read(data, form)
    assert not damage
    return [item[1:] for item in items]


def bodies(data, form="auto"):
    return [item[2] for item in items_of(data, form)]


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


def mailbox(second, before=b"\n", after=b"Subject: two\n\nbye\n"):
    return POSTMARK + b"Subject: one\n\nhello\n" + before + second + b"\n" + after


@pytest.mark.parametrize("line", POSTMARKS.values(), ids=POSTMARKS)
def test_postmark_separates_messages(line):
    """With every kind of line end; it begins a mailbox, and without a blank line needs a header after it."""
    for eol in EOLS.values():
        data = mailbox(line).replace(b"\n", eol)
        first, second = (
            text.replace(b"\n", eol) for text in (b"Subject: one\n\nhello\n\n", b"Subject: two\n\nbye\n")
        )
        at = len(POSTMARK) - 1 + len(eol)
        assert items_of(data) == [(1, at, first), (2, len(data) - len(second), second)]
    data = line + b"\nSubject: one\n\nhello\n"
    assert items_of(data) == [(1, len(line) + 1, b"Subject: one\n\nhello\n")]
    assert len(bodies(mailbox(line, before=b""))) == 2
    assert len(bodies(mailbox(line, before=b"", after=b"and so on\n"))) == 1


@pytest.mark.parametrize("line", TRAPS.values(), ids=TRAPS)
def test_line_that_looks_like_a_postmark_stays_in_the_body(line):
    for eol in EOLS.values():
        data = mailbox(line).replace(b"\n", eol)
        ((_, at, body),) = items_of(data)
        assert line in body == data[at:]


CERTAIN = POSTMARK.rstrip()


@pytest.mark.parametrize(("line", "after", "count"), [
    (b"From the talk at 10:30 2001", b"we went home\n", 1),
    (b"From the talk at 10:30 2001", b"Subject: two\n", 2),
    (b"From the talk at 10:30 2001", b"http://x.example/\n", 1),
    (b"From ada@x at 10:30 2001", b"no header\n", 2),
    (b"From us on Mon at 10:30 2001", b"no header\n", 2),
    (b"From the Monday meeting at 10:30 2001", b"no header\n", 1),
    (b"From - ", b"no header\n", 1), (b"From - ", b">From bob Mon Nov 14 09:12:43 1994\n", 2),
    (b"From ", b"no header\n", 1), (b"From ", b"", 1), (b"From 8422924699967609371", b"no header\n", 1),
    (CERTAIN, b"", 2), (CERTAIN, b">From bob Mon Nov 14 09:12:43 1994\n", 2),
    # what is blank before it
    *((blank + CERTAIN, b"no header\n", 2) for blank in (b" \t\n", b"\0\n", b"\n\n")),
])  # fmt: skip
def test_doubtful_postmark_is_decided_by_the_next_line(line, after, count):
    """It is doubtful if it has neither an address nor a weekday before the date."""
    is_blank = not line.startswith(b"From")
    assert len(bodies(mailbox(line, before=b"" if is_blank else b"\n", after=after))) == count


def with_length(body, off=0, name=b"Content-Length"):
    """Return a message of an mboxcl2 mailbox, whose Content-Length is wrong by ``off`` bytes."""
    return POSTMARK + b"Subject: one\n%b: %d\nTo: b\n\n" % (name, len(body) + off) + body + b"\n"


PASTED = b"look:\n\n" + POSTMARK + b"Subject: pasted\n\nsee http://a.example/\n"
TWO = POSTMARK + b"Subject: two\n\nx\n"


@pytest.mark.parametrize("name", [b"Content-Length", b"Content-length", b"content-length"])
def test_content_length_that_fits_is_used(name):
    """So a mail pasted into a body is not a message of its own."""
    for behind in (b"", b"\n", b"\n\n", TWO):
        data = with_length(PASTED, name=name) + behind
        items = items_of(data)
        assert (len(items), PASTED in items[0][2]) == (1 + (behind == TWO), True)
        for size in (1, 2, 7, 64, 300):
            again, damage = read(data, size=size)
            assert ([item[1:] for item in again], damage) == (items, [])


LONG = b"line of text\n" * 100_000 + b"\n" + PASTED + b"line of text\n" * 10_000
HUGE = b"line of text\n" * 170_000 + b"\n" + PASTED  # more than is believed
LENGTHS = {  # a mailbox, and the number of its messages
    "in each message": (b"".join(map(with_length,
        (PASTED, b"x\n\n" + with_length(PASTED), b"hi\n", PASTED))), 4),
    "of a large message": (with_length(LONG) + with_length(PASTED), 2),
    "of one that is too large": (with_length(HUGE) + with_length(PASTED), 3),
    "of a first one without a postmark (exports of Sympa)": (
        with_length(PASTED).removeprefix(POSTMARK) + TWO, 2),
    "that ends before a line of it": (with_length(PASTED + b"more\n", -5) + TWO, 3),
    "that ends within a line": (with_length(PASTED + b"see ")[:-1] + TWO + TWO, 3),
    **{f"off by {off}": (with_length(PASTED, off) + TWO, 3) for off in (-3, 2, -20, 20, 999, 99_999_999)},
}  # fmt: skip


@pytest.mark.parametrize("kind", LENGTHS)
def test_content_length(kind):
    """One that does not fit is ignored."""
    data, count = LENGTHS[kind]
    for size in (5_000, 65_536):
        assert len(read(data, size=size)[0]) == count


ONE = b"Subject: one\n\nhello\n"
BOX = POSTMARK + ONE
PREAMBLES = b"see http://x.example/\n\n"
ZERO = b"Subject: zero\nTo: b\n\nhi\n\n"
PLAIN = b"Subject: zero\n\nhi\n\n" + POSTMARK + b"Subject: one\n\n"
LOOKS = b"Subject: a\n\n>From b@c\n>>From d\n..dot\r\n.\n"
QUIET = b"Subject: one\n\nhello From here\n>From there\n"
WHOLE = {  # data, the form, and the items
    "after a byte order mark and blank lines": (b"\xef\xbb\xbf\r\n\n" + BOX, "auto",
        [(1, 6 + len(POSTMARK), ONE)]),
    "lines that only look like postmarks": (POSTMARK + LOOKS, "auto", [(1, len(POSTMARK), LOOKS)]),
    "a postmark without its line end is none": (BOX + b"\n" + CERTAIN, "auto",
        [(1, 49, ONE + b"\n" + CERTAIN)]),
    "messages may be empty": (POSTMARK + b"\n" + POSTMARK * 2 + ONE, "auto",
                              [(1, 49, b"\n"), (2, 99, b""), (3, 148, ONE)]),
    "an empty one": (POSTMARK, "auto", [(1, 49, b"")]),
    "text before the first postmark": (PREAMBLES + BOX, "mbox",
                                       [(None, None, PREAMBLES), (1, len(PREAMBLES + POSTMARK), ONE)]),
    "blank lines before it": (b"\n\n" + BOX, "mbox", [(1, 51, ONE)]),
    "a message before it": (b"\n" + ZERO + BOX, "mbox", [(1, 1, ZERO), (2, len(ZERO) + 50, ONE)]),
    "a first one without its postmark": (ZERO + BOX + b"\nFrom - \nTo: c\n", "auto", [
        (1, 0, ZERO), (2, len(ZERO) + 49, ONE + b"\n"), (3, len(ZERO + BOX) + 9, b"To: c\n")]),
    "the same, with CR": ((ZERO + BOX).replace(b"\n", b"\r"), "auto", [
        (1, 0, ZERO.replace(b"\n", b"\r")), (2, len(ZERO) + 49, ONE.replace(b"\n", b"\r"))]),
    "one quiet message": (QUIET, "auto", [(1, 0, QUIET)]),
    **{f"form {form}": (POSTMARK * is_box + PLAIN, form, [(1 if form == "message" else None, start, text)])
       for form, is_box, start, text in (
           ("message", False, 0, PLAIN), ("message", True, 49, PLAIN),
               ("text", True, None, POSTMARK + PLAIN))},
    # a doubtful postmark does not end a message that has none
    **{f"a message without one {number}": (ZERO[:-1] + rest, "auto", [(1, 0, ZERO[:-1] + rest)])
       for number, rest in enumerate((
           b"\nFrom - \nSubject: x\n", b"\n" + POSTMARK + b"no header\n", POSTMARK + b"Subject: x\n",
           b"\n" + POSTMARK, b"\nFrom here http://x.example/\nSubject: x\n", b"\nFrom now on\nTo: you\n"))},
}  # fmt: skip


@pytest.mark.parametrize("kind", WHOLE)
def test_what_a_mailbox_is(kind):
    data, form, expected = WHOLE[kind]
    assert items_of(data, form) == expected
    for size in (1, 5, 50):
        again, damage = read(data, form, size)
        assert ([item[1:] for item in again], damage) == (expected, [])


def test_single_message_is_not_cut_as_a_mailbox(monkeypatch):
    """Only a line that may be a postmark begins that: the first message of a mailbox may have none."""
    monkeypatch.setattr("urlextract.sources.formats.mbox.cut_at_postmarks", pytest.fail)
    assert bodies(QUIET) == [QUIET]


# --- in pieces ------------------------------------------------------------------------------------

SAMPLE = b"".join(
    b"\n".join((line, b"Subject: " + name.encode(), b"", b"text http://x.example/", before))
    for before in (b"", b"\n", b" \n")
    for table in (POSTMARKS, TRAPS)
    for name, line in table.items()
)


def pieces(data, size):
    """Cut data that comes in blocks of ``size``, and join the pieces of each message."""
    found = {}
    blocks = (data[at : at + size] for at in range(0, len(data), size))
    for start, piece, _, _ in cut_at_postmarks(blocks):
        found[start] = found.get(start, b"") + piece
    return list(found.items())


@pytest.mark.parametrize("eol", EOLS)
def test_block_size_does_not_change_the_messages(eol):
    data = (POSTMARK + SAMPLE).replace(b"\n", EOLS[eol])
    whole = pieces(data, len(data))
    assert len(whole) > 2 * len(POSTMARKS)
    for size in (1, 2, 3, 7, 64, 100, 1000, 4096):
        assert pieces(data, size) == whole


TOKENS = [*POSTMARKS.values(), *TRAPS.values(), b"\n", b"\n", b"\r\n", b"\r", b"\n\n", b"From ", b" "]
TOKENS += [b"Subject: x\n", b"http://x.example/", b"\0", b"\xef\xbb\xbf", b"text\n", POSTMARK, b"\r\r\n"]


@given(st.lists(st.sampled_from(TOKENS), max_size=30).map(b"".join), st.integers(1, 80))
def test_any_slicing_has_the_same_messages_and_every_byte_but_postmarks(data, size):
    """Between two messages is one line, which begins with "From "."""
    whole = pieces(data, len(data) + 1)
    assert pieces(data, size) == whole
    at = 0
    for start, piece in whole:
        if start != PREAMBLE:
            line = data[at:start]
            assert line.startswith(b"From ")
            assert b"http" not in line
            assert len(line.split()) == len(line.splitlines()[0].split())
            at = start
        assert data.startswith(piece, at)
        at += len(piece)
    assert at == len(data)


def test_message_is_yielded_as_soon_as_the_next_postmark_arrives():
    blocks = iter((POSTMARK + b"To: a\n\nhi\n\n", POSTMARK, b"To: b\n\n", b"ho\n"))
    items = read_source(Blocks(blocks), on_damage=pytest.fail)
    assert next(items).data == b"To: a\n\nhi\n\n"
    assert list(blocks) == [b"To: b\n\n", b"ho\n"]  # was not read
    blocks = iter([b"Subject: a\nTo: b\n\n", *[b"x" * 65_536] * 60])  # nor is all of a large one
    next(read_source(Blocks(blocks), on_damage=pytest.fail))
    assert len(list(blocks)) > 20


@pytest.mark.parametrize("form", ["auto", "message", "mbox"])
def test_rest_of_a_very_large_message_is_a_stream(monkeypatch, form):
    """What is not read of it is skipped."""
    monkeypatch.setattr(messages, "LARGEST_HELD", 100_000)
    message = b"Subject: a\nTo: b\n\n" + b"0123456789\n" * 30_000
    tail = b"" if form == "message" else b"\n" + POSTMARK + b"Subject: next\n\n"
    start = len(POSTMARK) * (form == "mbox")
    data = POSTMARK * (form == "mbox") + message + tail
    items = read_source(io.BytesIO(data), form, on_damage=pytest.fail)
    first = next(items)
    assert (first.provenance.message, first.provenance.offset) == (1, start)
    assert 100_000 <= len(first.data) < 200_000
    assert first.data + b"".join(first.rest) == message + (b"\n" if tail else b"")
    assert [item.provenance.message for item in items] == ([2] if tail else [])
    unread = list(read_source(io.BytesIO(data), form, on_damage=pytest.fail))
    assert [item.data for item in unread][1:] == ([b"Subject: next\n\n"] if tail else [])


@pytest.mark.parametrize("size", [100, 201])
def test_message_of_exactly_the_limit_is_whole(monkeypatch, size):
    monkeypatch.setattr(messages, "LARGEST_HELD", 100)
    data = b"Subject: a\nTo: b\n\n".ljust(size, b"x")
    [item] = read_source(io.BytesIO(data), on_damage=pytest.fail)
    assert (item.rest is None) == (size == 100)


HOSTILE = [
    b"From ", b"\nFrom ", b"\n\nFrom ", b"\n", b"\r", b"\nFrom a 10:30" + b" ABC" * 200 + b"\n",
    b"\nFrom " + b"10:30 " * 150 + b"\n", b"\nFrom 10:30" + b" " * 900 + b"\n",
    b"\n\nFrom " + b"a@" * 400 + b"\n", b"\n\nFrom - \n" + b"x" * 120 + b"\n", b"x", b"\0",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_mailbox_takes_linear_time(unit):
    for head in (POSTMARK + b"To: a\n\n", b"To: a\n\n"):
        assert growth(read, times(unit, head), 500_000, 4_000_000) < LINEAR


@pytest.mark.parametrize("words", [[], ["-j"]], ids=str)
def test_large_message_across_the_end_of_a_stretch_is_read_once(words, tmp_path):
    small = (POSTMARK + b"Subject: f\n\n" + b"z" * 4_000 + b"\n\n") * 750  # 3 MB
    body = b"http://one.example/\n\n" + POSTMARK + b"Subject: quoted\n\nhttp://two.example/\n\n"
    large = with_length(body + (b"y" * 70 + b"\n") * 27_000)  # 2 MB
    (tmp_path / "box").write_bytes((small + large) * 3)
    status, out, _ = outcome(*words, "-J", 2, tmp_path / "box")
    assert (status, out.count("\n")) == (0, 6)


@pytest.mark.parametrize("claim", [0, 1_500_000, 99_999_999])
def test_stretches_agree_on_messages_with_a_content_length(claim, tmp_path):
    """A header inside a body may claim to extend over the end of a stretch, rightly or wrongly."""
    inner = POSTMARK + b"Subject: inner\nContent-Length: %d\n\nhttp://in.example/\n" % claim
    long = with_length(b"x\n\n" + inner + b"line of text\n" * 30_000)
    (tmp_path / "box").write_bytes((with_length(PASTED) * 50 + long) * 6)
    whole = [item[1:3] for item in read(tmp_path / "box")[0]]
    for size in (50_000, 300_000, 1_000_000):
        stretches = list(Cutter(size=size).stretches(str(tmp_path / "box")))
        assert len(stretches) > 1
        found = []
        for item in (item for each in stretches for item in read_stretch(each, Origin("box", pytest.fail))):
            found.append((item.provenance.message, item.provenance.offset))
            assert all(item.rest or (True,))
        assert found == whole
