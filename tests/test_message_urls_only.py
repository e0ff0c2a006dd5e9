"""Messages read for URLs only: the same URLs as in the records."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scans import urls_only
from strategies import MESSAGE_LINES, examples

from urlextract import extract_message, extract_source
from urlextract.records import Provenance, RawMessage
from urlextract.sources.reading import read_source

CORPORA = Path(__file__).resolve().parent.parent / "corpora"
SAMPLES = sorted(p for p in CORPORA.rglob("*") if p.is_file() and not p.name.endswith(".jsonl"))


def urls_of_messages(*messages: bytes) -> list[str]:
    """Return the URLs of messages, without records."""
    return urls_only([RawMessage(data, Provenance()) for data in messages])


OTHER = b"Subject: www.o.example\nContent-Type: text/html\n\n<a href='http://p.example/'>\xc3\xa9</a>"


def check(data: bytes) -> None:
    """Check that both readers agree, also with other messages after it."""
    expected = [found.url for found in extract_message(data)]
    assert urls_of_messages(data) == expected
    others = ["http://www.o.example", "http://p.example/"]
    assert urls_of_messages(data, OTHER, data) == [*expected, *others, *expected]


@pytest.mark.parametrize("path", [*SAMPLES, CORPORA], ids=lambda path: os.path.relpath(path, CORPORA))
def test_urls_only_agrees_with_records_on_samples(path: Path) -> None:
    damage: list[object] = []
    expected = [found.url for found in extract_source(path, on_damage=damage.append)]
    assert urls_only(read_source(str(path), on_damage=damage.append)) == expected


@pytest.mark.slow
@examples(1500)
@given(st.lists(MESSAGE_LINES, max_size=28), st.booleans())
def test_urls_only_agrees_with_records_on_generated_messages(lines: list[bytes], crlf: bool) -> None:
    check((b"\r\n" if crlf else b"\n").join(lines))


VALUES = st.lists(
    st.sampled_from((
        "http://", "https://", "ftp://", "HTTP://", "mailto:", "news:", "svn+ssh://", "x://", "//",
        "www.a.example", "A-b.example", "a--b.example", "xn--a.example", "a..b", "-a.example",
        "a-.example", "192.0.2.1", "[::1]", ":80", ":123456", ":", "/", "/p", "/p_(x)", "/p)",
        "?q=1", "&amp;r=2", "&r=2", "#f", "#", "%20", "%", "é", "日", "&#58;", "&lt;", "&gt;",
        "&quot;", "&eacute;", "&#46;", "\\", "|", "{", "}", "^", "`", "~", "*", "@",
        "joe@b.example", "j.o-e+x@b.example", "?subject=a", ".", "..", ",", ";", "!", "=", "(", ")",
        "[", "]", "javascript:", "cid:", "tel:+1", "urn:isbn:1", " ", "\t", "\n", "\x7f",
        "http://h.example", "x" * 70, "y" * 820,
    )),
    max_size=6,
).map("".join)  # fmt: skip
TEXTS = st.sampled_from((
    "text", "http://t.example/", "www.t.example", "<b>", "</b>", "<br>", "<p>", "see:",
    "&lt;http://e.example/&gt;", "<i>", "</i>", "a:b", "</a>", "<td>", "<", ">", ".",
    "<script>http://s.example</script>", "&nbsp;", "mailto:t@t.example", "<br>\n", "\n", " ",
    "<!-- c -->", "<i title='.'>", "<base href='http://base.example/x/'>", "<BR>\n", "<br />\n",
    '<p style="a:b">', '<i title="<br>">', "<style>", "</style>", "</script>", "</>", "<1>", "<x@y.example>",
))  # fmt: skip
LINKS = st.builds(
    "<{0}{1} {2}={3}{4}{3}{1}>{5}".format,
    st.sampled_from(["a", "a", "a", "A", "img", "form", "td", "link"]),
    st.sampled_from(["", ' class="x"', " alt"]),
    st.sampled_from(["href", "href", "HREF", "src", "srcset", "action", "data-x"]),
    st.sampled_from(['"', "'", ""]),
    VALUES,
    st.one_of(VALUES, TEXTS, VALUES.map("<b>{}</b>".format)),
)


@pytest.mark.slow
@examples(800)
@given(st.lists(st.one_of(LINKS, TEXTS), max_size=12).map("".join))
@example(f"see www.a.{'b' * 600} <a href=http://www.a.{'b' * 600}>x</a>")
@example("<a href='%日#'>%日#<a></i><script>http://s.example</script></a>www.t.example")
@example("<a href='www.a.example+ssh://b'>x</a>")
@example('<a href="http://a.example/x|y">x</a>')
def test_urls_only_agrees_with_records_on_generated_pages(page: str) -> None:
    check(b"Content-Type: text/html; charset=utf-8\n\n" + page.encode())
