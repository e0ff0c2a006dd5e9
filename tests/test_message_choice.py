"""Options that choose what is read: parts, quoted lines, signatures, dates, charsets."""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from remarks import part_of

from urlextract import Found, UrlExtractError, extract, extract_html, extract_message, extract_source
from urlextract.dates import moment_of


def hosts(found: Iterable[Found]) -> str:
    """Return the first label of each host: in these tests it has one letter."""
    return "".join(each.url.split("://")[1][0] for each in found)


def places(found: Iterable[Found]) -> list[tuple[Any, ...]]:
    """Return each URL with its position and part."""
    return [(each.url, each.span, each.line, each.column, each.byte, part_of(each)) for each in found]


# quoted lines


@pytest.mark.parametrize("quoted", ["keep", "skip", "only"])
def test_bytes_are_counted_in_what_is_left_out(quoted: str) -> None:
    data = "\u00e4 http://a.example/\n> \u20ac http://b.example/\n\u00e4 http://c.example/\n".encode()
    for found in extract_source(io.BytesIO(data), "text", quoted=quoted):
        assert found.byte is not None
        assert data[found.byte :].startswith(found.raw.encode())


THREAD = """a http://a.example/.
> b http://b.example/.
> > c http://c.example/.
>>d http://d.example/.
JD> e http://e.example/.
  > f http://f.example/.
>
g http://g.example/.
a > h http://h.example/.
x> i http://i.example/.
John Doe> j http://j.example/.
J.D.> > k http://k.example/.
the John Doe> l http://l.example/.
"""


@pytest.mark.parametrize(
    ("quoted", "expected"), [("keep", "abcdefghijkl"), ("skip", "aghil"), ("only", "bcdefjk")]
)
def test_quoted_option_selects_quoted_or_unquoted_lines(quoted: Any, expected: str) -> None:
    """A line is quoted after one or more ">", or initials and ">"; a ">" further on does not count."""
    assert hosts(extract(THREAD, quoted=quoted)) == expected
    assert hosts(extract_message(b"To: x\n\n" + THREAD.encode(), quoted=quoted)) == expected
    assert hosts(extract_source(io.BytesIO(THREAD.encode()), "text", quoted=quoted)) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoted", ["skip", "only"])
def test_skipped_lines_do_not_move_positions(quoted: Any, end: str) -> None:
    text = THREAD.replace("\n", end)
    message = b"X-URL: http://z.example/\n\n" + text.encode()
    for read, data in (
        (extract, text), (extract_message, message),
        (lambda data, **how: extract_source(io.BytesIO(data), **how), text.encode()),
    ):  # fmt: skip
        kept = places(read(data, quoted=quoted))  # type: ignore[operator]
        assert kept
        assert [place for place in places(read(data)) if place in kept] == kept  # type: ignore[operator]


LINES = st.sampled_from([
    "http://a.example/.", "> http://b.example/, x", ">> <http://c.example/>", "", ">", "-- ", "> -- ",
    "AB> www.d.eu",
])  # fmt: skip


@given(st.lists(LINES), st.sampled_from(["\n", "\r\n"]), st.integers(1, 40))
def test_quoted_and_unquoted_urls_together_are_all(lines: list[str], end: str, size: int) -> None:
    """Each in its place, however the text is sliced."""
    text = end.join(lines)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    both = [place for quoted in ("skip", "only") for place in places(extract(pieces, quoted=quoted))]  # type: ignore[arg-type]
    assert sorted(both, key=lambda place: place[1]) == places(extract(text))
    message = b"To: x\n\n" + text.encode()
    both = [place for quoted in ("skip", "only") for place in places(extract_message(message, quoted=quoted))]  # type: ignore[arg-type]
    assert sorted(both, key=lambda place: place[1]) == places(extract_message(message))


@pytest.mark.parametrize("quoted", ["keep", "only"])
@pytest.mark.parametrize("text", [
    "a\n> see <URL:http://w.example/one/\n> two/\n> three.html>.\nb",
    "a\n> > see <http://w.example/one/two/\n> > three.html>.\nb",
    "JD> see <URL:http://w.example/one/two\nJD> /three.html>.\n",
    "> <URL:\n> http://w.example/one/two/three.html>\n",
])  # fmt: skip
def test_wrapper_in_quoted_lines_stays_whole(text: str, quoted: Any) -> None:
    urls = ["http://w.example/one/two/three.html"]
    assert [found.url for found in extract(text, quoted=quoted)] == urls
    assert [found.url for found in extract_message(b"To: x\n\n" + text.encode(), quoted=quoted)] == urls
    assert list(extract(text, quoted="skip")) == []


def test_wrapper_between_quoted_lines_stays_whole() -> None:
    text = "> q http://q.example/\nsee <URL:http://w.example/one/\n two> and\n> r http://r.example/\n"
    assert [found.url for found in extract(text, quoted="skip")] == ["http://w.example/one/two"]


ORIGINALS = [
    "-----Original Message-----", " -----Original Message----- ", "---- Original Message ----",
    "-----Ursprüngliche Nachricht-----", "-----ORIGINAL MESSAGE-----",
]  # fmt: skip


@pytest.mark.parametrize(("quoted", "expected"), [("keep", "abc"), ("skip", "a"), ("only", "bc")])
@pytest.mark.parametrize("line", ORIGINALS)
def test_lines_after_an_original_message_line_are_quoted(line: str, quoted: Any, expected: str) -> None:
    """Outlook marks what it quotes in no other way."""
    text = f"a http://a.example/\n\n{line}\nFrom: http://b.example/\n\nc http://c.example/\n"
    data = b"Content-Type: text/plain; charset=utf-8\n\n" + text.encode()
    assert hosts(extract(text, quoted=quoted)) == expected
    assert hosts(extract_message(data, quoted=quoted)) == expected


def test_original_message_line_inside_prose_quotes_nothing() -> None:
    text = "the Original Message said:\n-----Original Message----- http://a.example/\nhttp://b.example/\n"
    assert hosts(extract(text, quoted="skip")) == "ab"


def test_headers_are_not_quoted() -> None:
    data = b"Subject: http://s.example/\n\nhttp://a.example/\n> http://q.example/\n"
    assert hosts(extract_message(data, quoted="skip")) == "sa"
    assert hosts(extract_message(data, quoted="only")) == "q"


def flowed(text: str, delsp: str = "no") -> bytes:
    head = f"Content-Type: text/plain; format=flowed; delsp={delsp}\n\n"
    return head.encode() + text.encode()


def test_skipped_lines_do_not_move_positions_in_flowed_text() -> None:
    """Skipped lines still count (RFC 3676)."""
    data = flowed("one http://a.example/\n> two \n> http://b.example/\nthree \nhttp://c.example/\n-- \nsig\n")
    for keywords in ({"quoted": "skip"}, {"signature": "skip"}, {"quoted": "skip", "signature": "skip"}):
        kept = places(extract_message(data, **keywords))  # type: ignore[arg-type]
        assert [place for place in places(extract_message(data)) if "b.example" not in place[0]] == [
            place for place in kept if "b.example" not in place[0]
        ]


@pytest.mark.parametrize("quote", [">", "> ", "> x", ">> quoted "])
@pytest.mark.parametrize("delsp", ["yes", "no"])
def test_flowed_lines_around_a_quote_are_not_joined(quote: str, delsp: str) -> None:
    """Quote depths differ, so the paragraph ends (RFC 3676, section 4.5)."""
    data = flowed(f"see http://a.example/x \n{quote}\nyz http://b.example/\n", delsp)
    urls = ["http://a.example/x", "http://b.example/"]
    assert [found.url for found in extract_message(data)] == urls
    assert [found.url for found in extract_message(data, quoted="skip")] == urls


# signatures

SIGNED = "a http://a.example/\n-- \nb http://b.example/\n\n-- \nc http://c.example/\n"


def test_signature_extends_to_the_end() -> None:
    assert hosts(extract(SIGNED)) == "abc"
    assert hosts(extract(SIGNED, signature="skip")) == "a"
    assert hosts(extract_message(b"X-URL: http://h.example/\n\n" + SIGNED.encode(), signature="skip")) == "ha"
    assert hosts(extract_source(io.BytesIO(SIGNED.replace("\n", "\r\n").encode()), signature="skip")) == "a"


@pytest.mark.parametrize("line", ["--", "---", "-- x", " -- ", "--  ", "- -- "])
def test_other_line_of_hyphens_is_not_a_signature(line: str) -> None:
    """A signature begins with exactly two hyphens and a space (RFC 3676, section 4.3)."""
    assert hosts(extract(f"a http://a.example/\n{line}\nb http://b.example/\n", signature="skip")) == "ab"


def test_signature_ends_where_the_quote_depth_changes() -> None:
    """The signature of a quoted message ends before the answer to it."""
    text = (
        "> a http://a.example/\n> -- \n> b http://b.example/\n> c http://c.example/\n"
        "d http://d.example/\n>> -- \n>> e http://e.example/\n> f http://f.example/\n"
        "-- \ng http://g.example/\n"
    )
    assert hosts(extract(text, signature="skip")) == "adf"
    assert hosts(extract(text, signature="skip", quoted="skip")) == "d"
    assert hosts(extract(text, signature="skip", quoted="only")) == "af"


def test_skipped_signature_does_not_move_positions() -> None:
    text = "> a\n> -- \n> http://b.example/\nd <URL:http://d.example/\nx> e http://e.example/\n"
    assert places(extract(text, signature="skip")) == places(extract(text))[1:]


def test_each_part_has_its_own_signature() -> None:
    data = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n-- \nhttp://b.example/\n"
        b"--b\n\nhttp://c.example/\n--b--\n"
    )
    assert hosts(extract_message(data, signature="skip")) == "ac"


# pages


def page(markup: str, head: str = "") -> bytes:
    return f"{head}Content-Type: text/html; charset=utf-8\n\n{markup}\n".encode()


QUOTING_PAGE = (
    '<p>é <a href="http://a.example/">x</a></p><BLOCKQUOTE type="cite"><p>b http://b.example/\n'
    '<blockquote><a href="http://c.example/">y</a></blockquote> <img src="http://d.example/i">'
    "</p></blockquote>e http://e.example/ <blockquote class=gmail_quote>f http://f.example/</blockquote>"
)


@pytest.mark.parametrize(("quoted", "expected"), [("keep", "abcdef"), ("skip", "ae"), ("only", "bcdf")])
def test_blockquote_of_a_page_is_quoted(quoted: Any, expected: str) -> None:
    """Its links, images and inner blockquotes too."""
    found = list(extract_message(page(QUOTING_PAGE), quoted=quoted))
    assert "".join(sorted(hosts(found))) == expected


def test_skipped_blockquote_does_not_move_positions() -> None:
    everything = places(extract_message(page(QUOTING_PAGE)))
    for quoted in ("skip", "only"):
        kept = places(extract_message(page(QUOTING_PAGE), quoted=quoted))  # type: ignore[arg-type]
        links = [place for place in kept if place[0][7] in "acd"]
        assert links
        assert all(place in everything for place in links)


A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"
SIGNATURE = (
    f"<p>{A}</p><div %s>-- <br><div>{B}</div><a href='{C}'>c</a></div><div class=x>http://d.example/</div>"
)
BOTH = (
    f'{A} <blockquote>{B} <div class="moz-signature">{C}</div></blockquote> http://d.example/ '
    '<div class="moz-signature">http://e.example/</div>'
)
SKIP, ONLY, UNSIGNED = {"quoted": "skip"}, {"quoted": "only"}, {"signature": "skip"}
PAGES = [
    # without its end tag, a blockquote extends to the end
    (f"{A} <blockquote>{B} </p> {C}", SKIP, "a"),
    (f"{A} <blockquote>{B} </p> {C}", ONLY, "bc"),
    # what only looks like one
    *((f"{A} {tag} {B}", SKIP, "ab")
      for tag in ("<blockquotes>", "<p title='<blockquote>'>", "<!-- <blockquote> -->", "</blockquote>")),
    *((SIGNATURE % attribute, UNSIGNED, "ad")
      for attribute in ('class="moz-signature"', "class=moz-signature", "class='x moz-signature'",
                        'class="gmail_signature" dir="ltr"')),
    # elements of other classes
    *((f"<div {attribute}>{A}</div> <p>{B}</p>", UNSIGNED, "ab")
      for attribute in ('class="signatures"', 'id="x" class="designature"', 'title="no signature"')),
    (BOTH, UNSIGNED, "abd"), (BOTH, UNSIGNED | ONLY, "b"), (BOTH, UNSIGNED | SKIP, "ad"),
]  # fmt: skip


@pytest.mark.parametrize(("markup", "keywords", "expected"), PAGES)
def test_quotes_and_signatures_of_a_page_are_elements(
    markup: str, keywords: dict[str, Any], expected: str
) -> None:
    assert len(list(extract_message(page(markup)))) == markup.count("http://")
    assert hosts(extract_message(page(markup), **keywords)) == expected


# parts

PARTS = (
    b"Subject: http://h.example/\nContent-Type: multipart/mixed; boundary=b\n\n"
    b"--b\nContent-Type: multipart/alternative; boundary=c\n\n"
    b"--c\n\ntext http://t.example/\n--c\nContent-Type: text/html\n\n<a href='http://p.example/'>x</a>\n--c--\n"
    b"--b\nContent-Type: text/plain; name=x.txt\nContent-Disposition: attachment; filename=x.txt\n\n"
    b"http://a.example/\n"
    b"--b\nContent-Type: text/html\ncontent-disposition:  ATTACHMENT\n\nhttp://b.example/\n"
    b"--b\nContent-Type: text/plain\nContent-Disposition: inline; filename=attachment\n\nhttp://i.example/\n"
    b"--b--\n"
)


@pytest.mark.parametrize(("parts", "expected"), [
    (None, "htpabi"), ({"text", "html", "headers", "attach"}, "htpabi"), ({"attach"}, "ab"), ("attach", "ab"),
    (["text"], "ti"), (("html",), "p"), ({"headers"}, "h"), ({"html", "attach"}, "pab"),
    ({"text", "html", "headers"}, "htpi"), ((), ""),
])  # fmt: skip
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_parts_option_selects_the_kinds_of_parts(parts: Any, expected: str, end: bytes) -> None:
    """A part is attached if its disposition says so; an attached page is not a page of the message."""
    data = PARTS.replace(b"\n", end)
    everything = places(extract_message(data))
    found = list(extract_message(data, parts=parts))
    assert hosts(found) == expected
    assert all(place in everything for place in places(found))
    assert hosts(extract_source(io.BytesIO(data), parts=parts)) == expected


def test_parts_option_applies_inside_an_attached_message_and_to_a_whole_one() -> None:
    head = b"Subject: http://h.example/\nContent-Type: multipart/mixed; boundary=o\n\n"
    data = head + b"--o\nContent-Type: message/rfc822\n\n" + PARTS + b"\n--o--\n"
    attached = b"Content-Disposition: attachment; filename=x\n\nhttp://a.example/\n"
    for message, parts, expected in (
        (data, "attach", "ab"), (data, "headers", "hh"), (attached, "attach", "a"), (attached, "text", ""),
    ):  # fmt: skip
        assert hosts(extract_message(message, parts={parts})) == expected


# dates


def dated(date: str | None, end: str = "\n") -> bytes:
    field = "" if date is None else f"Date: {date}{end}"
    return f"Subject: x{end}{field}To: y{end}{end}http://a.example/{end}".encode()


def box_of(**dates: datetime) -> io.BytesIO:
    """Return a mailbox of a message for each date, with a URL whose host is the name."""
    return io.BytesIO(b"".join(
        b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\nDate: %s\n\nhttp://%s.example/\n\n"
        % (format_datetime(date).encode(), name.encode()) for name, date in dates.items()
    ))  # fmt: skip


BEFORE = ["Mon, 14 Nov 1994 09:12:44 +0000", "14 Nov 94 09:12:44 GMT", "Mon, 14 Nov 1994\n\t09:12:44 -0000"]
AFTER = ["Mon, 18 Mar 2024 09:12:44 +0000", "18 Mar 24 09:12 EST", "2024-03-18T09:12:44Z"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n", "\r"])
@pytest.mark.parametrize("date", BEFORE)
def test_message_dated_before_since_is_skipped(date: str, end: str) -> None:
    """Line ends are normalized before any rule looks at them."""
    data = dated(date.replace("\n", end), end)
    assert hosts(extract_message(data, since="1990-01-01")) == "a"
    assert hosts(extract_message(data, since="1999-12-31")) == ""
    assert hosts(extract_source(io.BytesIO(data), since="1999-12-31")) == ""


@pytest.mark.parametrize("date", [*AFTER, None, "", "yesterday", "Mon, 99 Foo 1994 99:99:99", "\xff"])
def test_message_dated_after_since_or_undated_is_read(date: str | None) -> None:
    assert hosts(extract_message(dated(date), since="1999-12-31")) == "a"


def test_since_before_any_date_accepts_every_message() -> None:
    for since in ("999999d", "999999w"):
        assert hosts(extract_message(dated(BEFORE[0]), since=since)) == "a"


def test_date_line_in_the_body_is_ignored() -> None:
    for end in (b"\n", b"\r\n", b"\r\r\n"):
        data = b"Subject: x\n\nhttp://a.example/\nDate: Mon, 14 Nov 1994 09:12:44 +0000\n".replace(b"\n", end)
        assert hosts(extract_message(data, since="1999-12-31")) == "a"


@pytest.mark.parametrize(
    ("since", "expected"), [("7d", "bc"), ("3w", "abc"), ("36h", "c"), ("1h", ""), ("0d", "")]
)
def test_since_takes_a_duration(since: str, expected: str) -> None:
    now = datetime.now(UTC)
    box = box_of(**{name: now - timedelta(days=days) for name, days in (("a", 14), ("b", 5), ("c", 1))})
    assert hosts(extract_source(box, since=since)) == expected


@pytest.mark.parametrize(("since", "expected"), [
    ("2024-03-18T08:12:44+00:00", "a"),
    ("2024-03-18T08:12:45+00:00", ""),
    (datetime(2024, 3, 18, 8, 12, 44, tzinfo=UTC), "a"),
    (datetime(2024, 3, 18, 9, 12, 44, tzinfo=UTC), ""),
], ids=str)  # fmt: skip
def test_since_compares_times_with_time_zones(since: Any, expected: str) -> None:
    data = dated("Mon, 18 Mar 2024 09:12:44 +0100")
    assert hosts(extract_message(data, since=since)) == expected


@pytest.mark.parametrize(("until", "expected"), [  # a day counts as a whole
    ("2024-03-18", "a"), ("2024-03-17", ""), (date(2024, 3, 18), "a"), ("yesterday", "a"), ("100y", ""),
    ("2024-03", "a"), ("2024-02", ""), ("2024", "a"), ("2023", ""),
    ("2024-03-18T08:12:43+00:00", ""), ("2024-03-18T08:12:44+00:00", "a"), (timedelta.max, ""),
], ids=str)  # fmt: skip
def test_message_dated_after_until_is_left_out(until: Any, expected: str) -> None:
    data = dated("Mon, 18 Mar 2024 09:12:44 +0100")
    assert hosts(extract_message(data, until=until)) == expected
    assert hosts(extract_message(b"Subject: x\n\nhttp://a.example/\n", until=until)) == "a"  # undated


@pytest.mark.parametrize(("keywords", "expected"), [
    ({"since": "yesterday"}, "abc"), ({"since": "today"}, "ab"), ({"since": "today", "until": "today"}, "a"),
    ({"until": "yesterday"}, "cdef"), ({"since": "1m"}, "abcd"), ({"since": "6m"}, "abcd"),
    ({"since": "last week"}, "abc"), ({"since": "3 days ago"}, "abc"), ({"since": "Last Year"}, "abcde"),
    ({"since": "11m"}, "abcde"), ({"since": "1y", "until": "6m"}, "e"), ({"until": "1y"}, "f"),
], ids=str)  # fmt: skip
def test_days_months_and_years(keywords: dict[str, str], expected: str) -> None:
    today = datetime.now().astimezone().replace(hour=12, minute=0)
    ages = {"a": 0, "b": -1, "c": 1, "d": 20, "e": 300, "f": 800}
    box = box_of(**{name: today - timedelta(days=days) for name, days in ages.items()})
    assert hosts(extract_source(box, **keywords)) == expected


def test_the_last_day_of_a_shorter_month_counts() -> None:
    for months in range(1, 40):
        moment = moment_of("since", f"{months}m")
        now = datetime.now(UTC)
        assert (now.year - moment.year) * 12 + now.month - moment.month == months
        assert moment.day == now.day or (moment + timedelta(days=1)).day == 1


def test_parts_and_since_do_not_apply_to_plain_text() -> None:
    text = b"Date: Mon, 14 Nov 1994 09:12:44 +0000\n\nhttp://a.example/\n"
    for keywords in ({"since": "1999-12-31"}, {"parts": {"headers"}}):
        assert hosts(extract_source(io.BytesIO(text), "text", **keywords)) == "a"  # type: ignore[arg-type]


# charsets

WORD = "привет"
KOI8 = f"see http://x.example/{WORD}, да".encode("koi8-r")
RUSSIAN = [f"http://x.example/{WORD}"]


def urls(data: bytes, **keywords: Any) -> list[str]:
    return [found.url for found in extract_message(data, **keywords)]


@pytest.mark.parametrize(
    "head", [b"To: x\n\n", b"Content-Type: text/plain\n\n", b"Content-Type: text/html\n\n"]
)
def test_charset_option_applies_to_undeclared_text(head: bytes) -> None:
    assert urls(head + KOI8, charset="koi8-r") == RUSSIAN
    assert urls(head + KOI8, charset="KOI8-R") == RUSSIAN
    assert urls(head + KOI8) != RUSSIAN


def test_charset_option_applies_to_a_text_file_without_a_byte_order_mark() -> None:
    marked = [f"see http://x.example/{WORD} ".encode(codec) for codec in ("utf-8-sig", "utf-16")]
    for data in (KOI8, *marked):
        found = extract_source(io.BytesIO(data), "text", charset="koi8-r")
        assert [each.url for each in found] == RUSSIAN


def test_declared_charset_overrides_the_option() -> None:
    text = f"see http://x.example/{WORD}"
    for name in ("koi8-r", "windows-1251", "utf-8", "iso-8859-5"):
        data = b"Content-Type: text/plain; charset=" + name.encode() + b"\n\n" + text.encode(name)
        assert urls(data, charset="iso-8859-1") == RUSSIAN
        markup = b"Content-Type: text/html\n\n<meta charset=" + name.encode() + b">" + text.encode(name)
        assert urls(markup, charset="iso-8859-1") == RUSSIAN


@pytest.mark.parametrize("declared", ["us-ascii", "x-unknown"])
def test_a_page_names_its_charset_where_the_part_names_none_that_counts(declared: str) -> None:
    head = f"Content-Type: text/html; charset={declared}\n\n<meta charset=koi8-r>".encode()
    assert urls(head + KOI8, charset="iso-8859-1") == RUSSIAN


def test_charset_option_applies_to_plain_text_after_an_encoded_body() -> None:
    head = b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\naGk=\n____\n"
    assert urls(head + KOI8, charset="koi8-r") == RUSSIAN


# unknown values

UNKNOWN = [
    {"parts": {"bodies"}}, {"parts": "texts"}, {"parts": ["text", "images"]}, {"quoted": "drop"},
    {"quoted": "Only"}, {"signature": "only"}, {"signature": ""}, {"charset": "klingon"}, {"charset": ""},
    {"since": "tomorrow"}, {"until": "6x"}, {"since": "7x"}, {"since": "d"}, {"since": ""},
    {"since": "2024-13-01"},
]  # fmt: skip


@pytest.mark.parametrize("keywords", UNKNOWN, ids=str)
def test_unknown_value_raises_value_error_naming_the_option(keywords: dict[str, Any]) -> None:
    """The error is raised at the call."""
    (name,) = keywords
    with pytest.raises(ValueError, match=name):
        extract_message(b"", **keywords)
    with pytest.raises(ValueError, match=name):
        extract_source(io.BytesIO(), **keywords)


@pytest.mark.parametrize("charset", ["us-ascii", "ascii", "utf-8", "latin1", "x-sjis"])
def test_charset_alias_is_known(charset: str) -> None:
    assert urls(b"To: x\n\nhttp://a.example/", charset=charset) == ["http://a.example/"]


# --- by sender, subject and pattern ---------------------------------------------------------------

OF_TWO = (
    b"From a@b Mon Nov 14 09:12:44 1994\nFrom: =?utf-8?q?Ad=C3=A4?= <ada@a.example>\n"
    b"Subject: The harbour\n tables of =?utf-8?b?w6Q=?=\n\n%bsee http://a.example/one\n\n"
    b"From a@b Mon Nov 14 09:12:44 1994\nFrom: ben@a.example\nSubject: x\n\nFrom: ada@a.example\nhttp://b.example/\n\n"
)


@pytest.mark.parametrize(("options", "expected"), [
    ({"sender": "AD\u00c4"}, "a"), ({"sender": "ada"}, "a"), ({"sender": "ben@"}, "b"),
    ({"sender": "a.example"}, "ab"),
    ({"sender": "ada ben"}, ""), ({"subject": "TABLES harbour \u00e4"}, "a"),
    ({"subject": "x", "sender": "ben"}, "b"),
    ({"subject": "none"}, ""), ({"grep": "on[e]$"}, "a"), ({"grep": "(?i)//B"}, "b"), ({"grep": "^one"}, ""),
])  # fmt: skip
def test_messages_are_chosen_by_words_of_their_fields_and_urls_by_a_pattern(options, expected):
    data = OF_TWO % b""
    assert hosts(extract_source(io.BytesIO(data), **options)) == expected
    assert hosts(extract_source(io.BytesIO(OF_TWO % (b"x" * 3_000_000)), **options)) == expected


def test_text_that_is_no_message_has_no_sender():
    assert hosts(extract_source(io.BytesIO(b"see http://a.example/"), "text", sender="a")) == ""


def test_pattern_is_searched_for_in_the_words_of_a_link():
    page = (
        "<a href=http://a.example/>The tables</a> <a href=http://b.example/>Leave</a> http://c.example/tables"
    )
    assert hosts(extract_html(page, grep="tables")) == "ac"


def test_pattern_that_takes_too_long_is_told():
    with pytest.raises(UrlExtractError, match=r"^--grep: .* takes too long for http://a.example/xx"):
        list(extract(f"http://a.example/{'x' * 60}!y", grep=r"(?:(x)|(xx))+(?:\1|\2)[b-w]$"))
