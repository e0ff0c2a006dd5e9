"""Texts and messages that are fed in pieces (API §3)."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library import extract_urls
from remarks import without_contexts
from strategies import MESSAGE_LINES, examples

from urlextract import (
    Extractor,
    Found,
    MessageExtractor,
    SourceError,
    extract,
    extract_html,
    extract_message,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

LINES = st.sampled_from(
    [
        "see http://a.example/x-", "y and", "> quoted <URL:http://b.ex", "> ample/z>", "", "-- ",
        "www.c.example", "http://d.example/x-y", "<http://d.example/x-", "y> ", "é \udce9 http://e.example/é",
        "github.com/x", "joe@f.example", "http://" + "g" * 75 + ".example/",
    ]
)  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {}, {"hyphen": "both"}, {"quoted": "skip"},
    {"signature": "skip", "join": "likely"},
    {"relaxed": True, "emails": True}, {"schemes": {"http"}, "valid": True}, {"context": True},
]  # fmt: skip


def fed(pieces: Iterable[str], **options: Any) -> list[Found]:
    with Extractor(**options) as extractor:
        found = [each for piece in pieces for each in extractor.feed(piece)]
        return found + extractor.close()


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@examples(200)
@given(
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(1, 60),
    st.sampled_from(OPTIONS),
)
def test_an_extractor_finds_what_extract_finds(
    lines: list[str], end: str, size: int, options: dict[str, Any]
) -> None:
    text = end.join(lines)
    whole = without_contexts(extract(text, **options))
    assert without_contexts(fed([text], **options)) == whole
    assert without_contexts(fed(cut(text, size), **options)) == whole
    assert without_contexts(extract(cut(text, size), **options)) == whole
    assert list(extract_urls(text, **options)) == [found.url for found in whole]
    assert list(extract_urls(cut(text, size), **options)) == [found.url for found in whole]


def test_results_come_as_soon_as_they_are_certain() -> None:
    extractor = Extractor()
    assert extractor.feed("see http://a.exa") == []
    assert extractor.feed("mple/ and <http://b.example/\n") == []
    assert [found.url for found in extractor.feed("c>\n\nx")] == ["http://a.example/", "http://b.example/c"]
    # Over the end of a page a URL may go on.
    assert extractor.feed(" http://c.example/d-\n\n") == []
    assert [found.url for found in extractor.close()] == ["http://c.example/d-"]


def test_the_end_of_a_with_statement_keeps_the_rest() -> None:
    with Extractor() as extractor:
        assert extractor.feed("see http://a.example/") == []
    assert [found.url for found in extractor.close()] == ["http://a.example/"]
    with MessageExtractor() as messages:
        messages.feed(b"Subject: x\n\nhttp://a.example/\n")
    assert [found.url for found in messages.close()] == ["http://a.example/"]
    assert messages.close() == extractor.close() == []


@pytest.mark.parametrize(("extractor", "first", "second"), [
    (Extractor(html=True), "<a href='http://secret.example/'>s</a>", "<a href='http://b.example/'>b</a>"),
    (Extractor(), "see http://secret.exam", "http://b.example/ "),
    (MessageExtractor(), b"Subject: x\n\nhttp://secret.example/", b"Subject: x\n\nhttp://b.example/\n"),
])  # fmt: skip
def test_what_was_fed_before_an_error_is_forgotten(extractor: Any, first: Any, second: Any) -> None:
    def fail() -> None:
        with extractor:
            extractor.feed(first)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert extractor.close() == []
    assert [found.url for found in extractor.feed(second) + extractor.close()] == ["http://b.example/"]


@pytest.mark.parametrize(("extractor", "pieces"), [
    (Extractor(schemes="http"), ("see http://a.ex", "ample/ ftp://b.example")),
    (MessageExtractor(schemes="http"), (b"Subject: x\n\nhttp://a.ex", b"ample/ ftp://b.example")),
    (Extractor(html=True, schemes="http"), ("<a href=http://a.ex", "ample/>\u00e9</a>")),
    (Extractor(html=True, schemes="http"), (b"<a href=http://a.ex", b"ample/>\xc3\xa9</a>")),
])  # fmt: skip
def test_the_next_piece_begins_anew(extractor: Any, pieces: Any) -> None:
    """Each text has the places of its own, and is what the call with the whole returns."""
    whole = extractor(pieces[0] + pieces[1])
    assert [found.url for found in whole] == ["http://a.example/"]
    for _ in range(2):
        found = [each for piece in pieces for each in extractor.feed(piece)]
        assert [*found, *extractor.close()] == whole
        assert extractor.close() == []


def test_a_call_does_not_touch_what_is_fed() -> None:
    extractor = Extractor()
    extractor.feed("see http://a.ex")
    assert [found.url for found in extractor("http://b.example/")] == ["http://b.example/"]
    extractor.feed("ample/")
    assert [found.url for found in extractor.close()] == ["http://a.example/"]


def test_pieces_of_a_page_are_text_or_bytes() -> None:
    with Extractor(html=True) as extractor:
        extractor.feed("<p>")
        with pytest.raises(TypeError, match="all pieces"):
            extractor.feed(b"<p>")
    with pytest.raises(TypeError, match="int"):
        extract_html([1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="int"):
        Extractor(html=True).feed(1)  # type: ignore[arg-type]


def test_a_page_in_pieces_is_the_page() -> None:
    page = "<base href='http://a.example/'>" + "<p>\u00e9 <a href='x'>there</a> http://b.example/\n" * 2_000
    whole = list(extract_html(page))
    assert len(whole) == 4_001
    data = page.encode()
    for pieces in (cut(page, 1_000), [data[at : at + 1_001] for at in range(0, len(data), 1_001)]):
        assert [found.url for found in extract_html(pieces)] == [found.url for found in whole]  # type: ignore[arg-type]
        extractor = Extractor(html=True)
        assert not [each for piece in pieces for each in extractor.feed(piece)]
        assert [found.span for found in extractor.close()] == [found.span for found in whole]


def test_pieces_of_the_wrong_type_are_refused() -> None:
    with pytest.raises(TypeError, match="MessageExtractor"):
        Extractor().feed(b"http://a.example/")  # type: ignore[arg-type]
    with MessageExtractor() as extractor, pytest.raises(TypeError, match="Extractor reads text"):
        extractor.feed("http://a.example/")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="extract_message"):
        extract_urls(b"http://a.example/")  # type: ignore[arg-type]


@given(st.lists(MESSAGE_LINES, max_size=28), st.integers(1, 90))
def test_a_message_extractor_finds_what_extract_message_finds(lines: list[bytes], size: int) -> None:
    data = b"\n".join(lines)
    with MessageExtractor() as extractor:
        for at in range(0, len(data), size):
            assert extractor.feed(data[at : at + size]) == []
        assert extractor.close() == list(extract_message(data))


def test_a_message_extractor_takes_options_and_reports_damage() -> None:
    damage: list[SourceError] = []
    extractor = MessageExtractor(on_damage=damage.append, hyphen="drop", parts={"text"})
    extractor.feed(bytearray(b"Subject: http://s.example/\n\n<http://a.example/b-\nc>\n"))
    assert [found.url for found in extractor.close()] == ["http://a.example/bc"]
    extractor = MessageExtractor(on_damage=damage.append)
    extractor.feed(memoryview(b"Content-Type: application/ms-tnef\n\nx"))
    assert extractor.close() == []
    assert "tnef" in str(damage[0])


_LARGE = """
from urlextract import MessageExtractor
extractor = MessageExtractor()
extractor.feed(b"Subject: x\\nContent-Type: multipart/mixed; boundary=b\\n\\n--b\\n\\nhttp://a.example/\\n")
extractor.feed(b"--b\\nContent-Type: image/png\\nContent-Transfer-Encoding: base64\\n\\n")
block = (b"A" * 76 + b"\\n") * 1000
for _ in range(300_000_000 // len(block)):
    extractor.feed(block)
extractor.feed(b"--b\\nContent-Type: text/html\\n\\n")
for _ in range(100):
    extractor.feed(b"<td width=10><b>x</b></td><td><i>y</i></td>\\n" * 4_000)
extractor.feed(b"--b\\nContent-Type: text/plain\\n\\n")
block = b"x" * 76 + b"\\n"
for _ in range(20_000_000 // (len(block) * 1000)):
    extractor.feed(block * 1000)
extractor.feed(b"http://z.example/\\n--b--\\n")
urls = [found.url for found in extractor.close()]
# ru_maxrss would be that of the parent, if that was larger
(peak,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:"))
print(urls, peak)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_memory_is_bounded_for_a_message_of_300_mb() -> None:
    done = subprocess.run([sys.executable, "-c", _LARGE], capture_output=True, text=True, check=True)
    urls, kilobytes = done.stdout.rsplit(maxsplit=1)
    assert urls == "['http://a.example/', 'http://z.example/']"
    assert int(kilobytes) < 64 * 1024


def test_lines_of_a_file_are_pieces() -> None:
    lines = io.StringIO("<http://a.example/\nb> and\nhttp://c.example/")
    assert list(extract_urls(lines)) == ["http://a.example/b", "http://c.example/"]


KINDS = {
    Extractor: "see http://a.example/ and <URL:http://b.example/\n x> there ",
    MessageExtractor: b"see http://a.example/ there\n",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_thread_at_once_is_an_error(kind: Any) -> None:
    """The second one comes when the method that reads has begun."""
    extractor, one = kind(), kind()
    reads = "_feed" if hasattr(kind, "_feed") else "feed"
    errors: list[str] = []

    def interrupt(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name == reads and frame.f_locals.get("self") is extractor:
            for call in (lambda: extractor.feed(KINDS[kind]), extractor.close):
                with pytest.raises(RuntimeError) as raised:
                    in_other_thread(call)
                errors.append(str(raised.value))

    sys.setprofile(interrupt)
    try:
        found = extractor.feed(KINDS[kind])
    finally:
        sys.setprofile(None)
    assert errors == [f"this {kind.__name__} is in use: each thread needs one of its own"] * 2
    assert found + extractor.close() == one.feed(KINDS[kind]) + one.close()


def in_other_thread(call: Callable[[], object]) -> None:
    """Call a function in a thread, and raise what it raises."""
    raised: list[RuntimeError] = []

    def work() -> None:
        try:
            call()
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


@pytest.mark.parametrize("kind", KINDS)
def test_threads_that_take_turns_use_one(kind: Any) -> None:
    extractor, one = kind(), kind()
    found: list[Any] = []
    for _ in range(3):
        in_other_thread(lambda: found.extend(extractor.feed(KINDS[kind])))
    expected = [each for _ in range(3) for each in one.feed(KINDS[kind])]
    assert found + extractor.close() == expected + one.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_goes_on_by_itself(kind: Any) -> None:
    extractor = kind()
    extractor.feed(KINDS[kind])
    for again in (copy.deepcopy(extractor), pickle.loads(pickle.dumps(extractor))):
        again.feed(KINDS[kind])
        again.close()
    assert extractor.close() is not None
