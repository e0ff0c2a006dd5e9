"""The texts of messages: spans of results count in them, whatever had to be decoded (API §2)."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser
from pathlib import Path

import archiver
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import MESSAGE_LINES

from urlextract import (
    Found,
    Message,
    PartText,
    SourceError,
    extract_message,
    extract_source,
    read_messages,
    read_texts,
)

CHECKOUT = Path(__file__).resolve().parent.parent
CORPORA = CHECKOUT / "corpora"
SHARED = CHECKOUT.parent / "shared" / "corpora"


def messages_in(*paths: Path) -> list[Message]:
    damage: list[SourceError] = []
    return [message for path in paths for message in read_messages(path, on_damage=damage.append)]


def check_places(data: bytes) -> int:
    """Check that all spans of the results of a message are true of its texts; return their number."""
    texts = list(read_texts(data))
    own = [found for text in texts for found in text.found]
    results = list(extract_message(data))
    assert sorted(map(repr, own)) == sorted(map(repr, results))
    for text in texts:
        for found in text.found:
            assert (found.part, found.header, found.media_type) == (text.part, text.header, text.media_type)
            check_place(found, text)
    return len(results)


def check_place(found: Found, part: PartText) -> None:
    text = part.text
    assert found.inner.of(text) == found.raw
    assert found.start <= found.inner.start < found.inner.end <= found.end
    assert found.raw in found.span.of(text)
    ends = [found.inner.start, *(at for piece in found.pieces for at in piece), found.inner.end]
    assert ends == sorted(ends)
    assert found.line == text.count("\n", 0, found.start) + 1
    assert found.column == found.start - text.rfind("\n", 0, found.start)
    if not found.repairs and not found.element and part.view != "html" and "&" not in found.raw:
        assert "".join(piece.of(text) for piece in found.pieces) == found.url
    assert Found.from_dict(json.loads(json.dumps(found.to_dict()))) == found


OF_OTHERS = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.is_dir(), reason="no corpora of others beside this checkout"),
]


@pytest.mark.parametrize(("folder", "least"), [(CORPORA, 100), pytest.param(SHARED, 400, marks=OF_OTHERS)])
def test_spans_of_corpora_are_true_of_the_texts(folder: Path, least: int) -> None:
    assert sum(check_places(message.data) for message in messages_in(folder)) > least


@given(st.lists(MESSAGE_LINES, max_size=28), st.sampled_from([b"\n", b"\r\n"]))
def test_spans_of_generated_messages_are_true_of_the_texts(lines: list[bytes], end: bytes) -> None:
    check_places(end.join(lines))
    check_archive(end.join(lines))


# A message, and its texts: view, text, and what was found at the spans.
CASES: dict[str, tuple[bytes, list[tuple[str, str, list[str]]]]] = {
    "format=flowed": (
        b"Content-Type: text/plain; format=flowed\n\nsee \nhttp://a.example/x for \nmore\n",
        [("text", "see http://a.example/x for more\n", ["http://a.example/x"])]),
    "format=flowed; delsp=yes": (
        b"Content-Type: text/plain; format=flowed; delsp=yes\n\nsee  \nhttp://a.example/lo \nng now\n",
        [("text", "see http://a.example/long now\n", ["http://a.example/long"])]),
    "quoted-printable": (
        (b"Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=utf-8\n\n"
        b"caf=C3=A9 <http://a.example/?x=3D1&lo=\nng>\n"),
        [("text", "café <http://a.example/?x=1&long>\n", ["<http://a.example/?x=1&long>"])]),
    "CRLF": (
        b"Subject: x\r\n\r\none\r\nhttp://a.example/\r\n", [("text", "one\nhttp://a.example/\n", ["http://a.example/"])]),
    "a folded and encoded field": (
        b"Subject: =?utf-8?Q?caf=C3=A9?=\n http://a.example/\n\n",
        [("header", "café http://a.example/", ["http://a.example/"])]),
    "HTML": (
        b'Content-Type: text/html\n\n<p>a&amp;b <a href="http://a.example/?x&amp;y">www.b.ex<wbr>ample</a>',
        [("html", '<p>a&amp;b <a href="http://a.example/?x&amp;y">www.b.ex<wbr>ample</a>',
          ["http://a.example/?x&amp;y", "www.b.ex<wbr>ample"])]),
    "fields of the same name": (
        b"X-URL: http://a.example/\nX-URL: <http://b.example/>\n\n",
        [("header", "http://a.example/", ["http://a.example/"]),
         ("header", "<http://b.example/>", ["<http://b.example/>"])]),
    "text around the parts": (
        (b"Content-Type: multipart/mixed; boundary=b\n\nhttp://a.example/\n--b\n\nhttp://b.example/\n"
        b"--b--\nhttp://c.example/\n"),
        [("text", "http://a.example/", ["http://a.example/"]), ("text", "http://b.example/", ["http://b.example/"]),
         ("text", "http://c.example/\n", ["http://c.example/"])]),
    "text after base64": (
        b"Content-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8=\n_____\nhttp://b.example/\n",
        [("text", "http://a.example/", ["http://a.example/"]),
         ("text", "_____\nhttp://b.example/\n", ["http://b.example/"])]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_texts_of_a_message(case: str) -> None:
    data, texts = CASES[case]
    parts = read_texts(data)
    assert [
        (part.view, part.text, [found.span.of(part.text) for found in part.found]) for part in parts
    ] == texts
    assert check_places(data)


def test_options_select_the_texts() -> None:
    data = b"Subject: www.a.example\n\n> http://b.example/\nhttp://c.example/\n"
    (part,) = read_texts(data, parts={"text"}, quoted="skip")
    assert part.text == "                   \nhttp://c.example/\n"
    assert [found.url for found in part.found] == ["http://c.example/"]


class Reader(HTMLParser):
    """Reads the page of the archiver: the texts of its ``pre`` elements, and its links."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[tuple[int, int, str]] = []  # the number of the text, an offset in it, the target

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "pre":
            self.texts.append("")
        elif tag == "a":
            self.links.append((len(self.texts) - 1, len(self.texts[-1]) - 1, dict(attrs)["href"] or ""))

    def handle_data(self, data: str) -> None:
        if self.texts:
            self.texts[-1] += data


def check_archive(data: bytes) -> int:
    """Check that the page has the texts of a message, and a link at each piece; return their number."""
    reader = Reader()
    page = archiver.page_of(data).encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    for part in page.split("</pre>"):  # one element at a time, so that no text runs on after it
        reader.feed(part.replace("\0", "\N{REPLACEMENT CHARACTER}"))
    reader.close()
    texts = [text for text in read_texts(data) if text.view != "html"]
    assert reader.links == [
        (number, piece.start, found.url)
        for number, text in enumerate(texts) for found in text.found for piece in found.pieces
    ]  # fmt: skip
    shown = [text.removeprefix("\n").rstrip("\n") for text in reader.texts]
    assert shown == [text.text.replace("\0", "\N{REPLACEMENT CHARACTER}").rstrip("\n") for text in texts]
    return len(reader.links)


@pytest.mark.parametrize(("folder", "least"), [(CORPORA, 50), pytest.param(SHARED, 100, marks=OF_OTHERS)])
def test_the_archiver_links_every_url_of_corpora(folder: Path, least: int) -> None:
    assert sum(check_archive(message.data) for message in messages_in(folder)) > least


def test_messages_of_a_source_have_their_places_and_fields() -> None:
    path = CORPORA / "inbox.mbox"
    data = path.read_bytes()
    messages = list(read_messages(path))
    results = list(extract_source(path))
    assert {found.message for found in results} <= {message.number for message in messages}
    for message in messages:
        assert message.offset is not None
        assert message.length is not None
        assert data[message.offset :].startswith(message.data[:40])
        assert message.length == len(message.data)
        assert message.field("Subject") == dict(message.fields)["Subject"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n", "\r"])
def test_a_message_has_its_fields_whatever_its_line_ends_are(end: str) -> None:
    (message,) = read_messages(io.BytesIO("To: x\nSubject: a\n b\n\nDate: y\n".replace("\n", end).encode()))
    assert message.fields == (("To", "x"), ("Subject", "a b"))


def test_a_message_says_whether_its_bytes_are_in_the_source() -> None:
    article = b"Path: a!b\r\n\r\n..x\r\n.\r\n"
    (message,) = read_messages(io.BytesIO(article), "message")
    assert (message.is_verbatim, message.offset, message.length) == (False, 0, len(article))
    data = b"Subject: x\nFrom: y\n\nhttp://b.example/\n"
    (message,) = read_messages(io.BytesIO(data), "message")
    assert (message.is_verbatim, message.data) == (True, data)
    for path in [CORPORA, *([SHARED] if SHARED.is_dir() else [])]:
        for message in messages_in(path):
            source = Path(message.source or "")
            if message.is_verbatim and source.is_file() and source.suffix not in {".gz", ".bz2", ".zip"}:
                start, size = message.offset or 0, message.length or 0
                assert source.read_bytes()[start : start + size] == message.data, source


def test_messages_of_a_text_are_none_and_a_large_one_is_whole(tmp_path: Path) -> None:
    data = b"Subject: x\nFrom: y\n\n" + b"http://a.example/\n" * 200_000
    (tmp_path / "a.txt").write_text("see http://a.example/\n")
    (tmp_path / "b.eml").write_bytes(data)
    (message,) = read_messages(tmp_path)
    assert (message.data, message.length) == (data, len(data))
