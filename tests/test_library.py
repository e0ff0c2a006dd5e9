"""The public library: values, sources, streams, errors (SPEC §6, §8)."""

from __future__ import annotations

import copy
import io
import pickle
import re
import sys
from inspect import isfunction
from pathlib import Path

import pytest
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from library import extract_urls
from msgspec.structs import replace
from remarks import words

import urlextract
from urlextract import (
    Extractor,
    Found,
    SourceError,
    UrlExtractError,
    UrlSyntaxError,
    extract,
    extract_message,
    extract_source,
    parse_url,
    types,
    urls,
)
from urlextract.records import Provenance, RawMessage, RawText
from urlextract.run import progress

CORPORA = Path(__file__).parent.parent / "corpora"


def test_every_public_name_exists_and_has_a_docstring() -> None:
    for name in urlextract.__all__:
        value = getattr(urlextract, name)
        assert value.__doc__, name
    assert set(urlextract.__all__) <= set(dir(urlextract))
    with pytest.raises(AttributeError):
        urlextract.no_such_name  # noqa: B018


def test_found_is_an_immutable_value() -> None:
    (found,) = extract("<http://a.example/b-\nc>")
    assert pickle.loads(pickle.dumps(found)) == found == copy.copy(found)
    assert hash(found) == hash(copy.deepcopy(found))
    assert found.parse() is found.parse()
    assert found.parse().host == "a.example"
    with pytest.raises(AttributeError):
        found.url = "x"  # type: ignore[misc]


def test_extract_reads_an_iterable_lazily() -> None:
    read = []

    def pieces():
        for piece in ("see http://a.exa", "mple/ and\n\n", "", " http://b.example"):
            read.append(piece)
            yield piece

    found = extract(pieces())
    assert next(found).url == "http://a.example/"
    assert len(read) == 2
    assert [f.url for f in found] == ["http://b.example"]


def test_extract_source_takes_a_path_a_name_or_a_stream(tmp_path) -> None:
    data = b"see http://a.example/x\n"
    path = tmp_path / "file"
    path.write_bytes(data)
    with path.open("rb") as stream:
        assert [f.url for f in extract_source(stream)] == ["http://a.example/x"]
    for source in (path, str(path), io.BytesIO(data)):
        (found,) = extract_source(source)
        assert data[found.byte :].startswith(b"http://a.example/x")


def test_byte_offset_counts_in_the_source() -> None:
    data = "\N{ZERO WIDTH NO-BREAK SPACE}é日 <http://a.example/é>\r\nand http://b.example".encode()
    first, second = extract_source(io.BytesIO(data), "text")
    assert data[first.byte :].startswith(b"<http://a.example/")
    assert data[second.byte :].startswith(b"http://b.example")
    assert (second.line, second.column) == (2, 5)


def test_line_end_split_between_chunks_counts_once() -> None:
    found = extract(["a\r", "\nb http://a.example/\r", "\r\n", "http://b.example/\r", "\rhttp://c.example/ "])
    assert [(f.line, f.column) for f in found] == [(2, 3), (3, 1), (5, 1)]


def test_damage_raises_after_everything_readable(tmp_path) -> None:
    (tmp_path / "a.txt").write_text("http://a.example/")
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b\x08\x00")
    (tmp_path / "c.txt").write_text("http://c.example/")
    found = extract_source(tmp_path)
    assert [next(found).url, next(found).url] == ["http://a.example/", "http://c.example/"]
    with pytest.raises(SourceError, match="broken"):
        next(found)
    damage: list[SourceError] = []
    assert len(list(extract_source(tmp_path, on_damage=damage.append))) == 2
    assert len(damage) == 1


def test_message_without_headers_loses_no_url() -> None:
    assert [f.url for f in extract_message(b"Note: see http://a.example/ now")] == ["http://a.example/"]
    assert list(extract_message(b"")) == []


@given(st.binary(max_size=400))
def test_no_message_makes_extract_message_raise(data) -> None:
    assert all(isinstance(found, Found) for found in extract_message(data))


def test_syntax_error_points_at_the_place() -> None:
    with pytest.raises(ValueError, match="port is not a number") as caught:
        parse_url("http://a.example:x/")
    assert str(caught.value).splitlines()[-1].index("^") == 4 + 17


@pytest.mark.parametrize("error", [UrlSyntaxError("no", "text", (1, 2)), SourceError("name", "why", 3)])
def test_error_can_be_pickled(error) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
    assert isinstance(error, UrlExtractError)


def test_bare_url_that_is_too_long_is_cut_with_a_defect() -> None:
    (found,) = extract("http://a.example/" + "b" * 70_000)
    assert (len(found.url), words(found.defects)) == (65_536, ("cut at 65536 characters",))


def test_progress_passes_every_byte_on(monkeypatch, capsys) -> None:
    # No public option makes the progress bar appear at once and at every byte.
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    monkeypatch.setattr(progress, "_STEP", 1)
    items = [
        RawMessage(data=b"abc", provenance=Provenance()),
        RawText(chunks=iter([b"de", b"f"]), provenance=Provenance()),
    ]
    passed = [
        b"".join(item.chunks) if isinstance(item, RawText) else item.data
        for item in progress.with_progress(items, progress.Progress(6))
    ]
    assert passed == [b"abc", b"def"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("call", [
    lambda: extract(b"http://a.example"), lambda: extract([b"http://a.example"]),
    lambda: extract_urls([b"http://a.example"]), lambda: extract_urls([b"x"], hyphen="drop"),
    lambda: Extractor()(b"http://a.example"),
])  # fmt: skip
def test_str_and_bytes_are_not_interchangeable(call) -> None:
    with pytest.raises(TypeError, match="bytes, not str"):
        list(call())


def test_types_in_public_signatures_are_public() -> None:
    public = {*urlextract.__all__, *types.__all__, *urls.__all__}
    functions = [
        value for value in (getattr(urlextract, name) for name in urlextract.__all__) if isfunction(value)
    ]
    assert functions
    for function in functions:
        hints = [hint for hint in function.__annotations__.values() if isinstance(hint, str)]
        for name in re.findall(r"\b[A-Z]\w+", " ".join(hints)):
            home = getattr(sys.modules[function.__module__], name, None)
            is_ours = isinstance(home, type) and home.__module__.startswith("urlextract")
            assert not is_ours or name in public or name.startswith("_"), (function, name)


def test_replaced_url_is_parsed_anew() -> None:
    (found,) = extract("http://a.example/")
    assert found.parse().host == "a.example"
    assert replace(found, url="http://b.example/").parse().host == "b.example"


def test_long_content_type_is_read_in_linear_time() -> None:
    head = b'From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/plain; a="'

    def read(data: bytes) -> None:
        assert [f.url for f in extract_message(data)] == ["http://a.example/"]

    assert growth(read, times(b";", head, b"\n\nsee http://a.example/\n"), 75_000, 300_000) < LINEAR


@pytest.mark.parametrize(("value", "url"), [
    ("http://a.example/?x=1&region=us&sect=5&amp;y=2&copy", "http://a.example/?x=1&region=us&sect=5&y=2©"),
    (" http://a.example/b c ", "http://a.example/b%20c"),
])  # fmt: skip
def test_attribute_is_read_as_browsers_do(value, url) -> None:
    markup = f'Content-Type: text/html; charset=utf-8\n\n<a href="{value}">'
    assert [f.url for f in extract_message(markup.encode())] == [url]
