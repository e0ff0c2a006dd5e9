"""The keywords of the public functions: what is shown of them, and mistakes (API §4)."""

from __future__ import annotations

import copy
import errno
import inspect
import io
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

import urlextract
from urlextract import (
    Extractor,
    Found,
    MessageExtractor,
    SourceError,
    examine,
    extract,
    extract_html,
    extract_message,
    extract_source,
    index_sources,
    read_messages,
    read_texts,
    replace_urls,
)
from urlextract.arguments import Option
from urlextract.errors import SourceNotFoundError
from urlextract.pipeline.options import OPTIONS, TYPES, options_of
from urlextract.records import SourceFormat
from urlextract.sources.reading import SOURCE_FORMATS
from urlextract.types import HtmlOptions, MessageOptions, Options, TextOptions

FUNCTIONS: dict[Any, type] = {
    extract: TextOptions, replace_urls: TextOptions,
    extract_html: HtmlOptions, Extractor.__init__: HtmlOptions,
    extract_message: MessageOptions, read_texts: MessageOptions, MessageExtractor.__init__: MessageOptions,
    extract_source: Options, examine: Options, index_sources: Options,
}  # fmt: skip


def examined(source: Any, **given: Any) -> object:
    return examine(source=source, **given)


def page_extractor(**options: Any) -> Extractor:
    return Extractor(html=True, **options)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_keywords_stand_in_the_signature(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    names = list(FUNCTIONS[function].__annotations__)
    assert list(parameters)[-len(names) :] == names
    assert all(each.kind is not inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    defaults = {name: parameters[name].default for name in names}
    assert defaults["hyphen"] == "keep"
    assert defaults["join"] == "safe"
    assert defaults["schemes"] is None
    assert defaults["relaxed"] is defaults["context"] is False


def test_keywords_that_would_change_nothing_are_refused() -> None:
    for name in ("links", "base", "parts", "charset", "since", "until"):
        for call in (lambda **given: extract("x", **given), Extractor):
            with pytest.raises(TypeError, match=f"{name}.* counts in "):
                call(**{name: None})
    with pytest.raises(TypeError, match="'base' counts in HTML"):
        extract_message(b"x", base="http://a.example/")  # type: ignore[call-arg]
    for name in ("parts", "since", "until"):
        with pytest.raises(TypeError, match=f"{name}.* counts in messages"):
            extract_html("x", **{name: None})


def test_help_shows_each_keyword_with_its_default() -> None:
    shown = str(inspect.signature(extract_message))
    assert shown.startswith("(data, *, source=None, on_damage=None, forms=None, ")
    assert "hyphen='keep', join='safe', " in shown


def test_defaults_are_what_no_keyword_means() -> None:
    parameters = inspect.signature(extract).parameters.values()
    defaults = {each.name: each.default for each in parameters if each.default is not inspect.Parameter.empty}
    text = "> <http://a.example/b-\n> c> www.b.example\nhttp://c.example/a-\nb\n-- \nfoo://x\n"
    assert list(extract(text, **defaults)) == list(extract(text))


# A keyword, a wrong value, the exception, and what its message says beside the keyword and the value.
WRONG: list[tuple[str, Any, str]] = [
    ("hyphen", "elsewhere", "both"), ("join", "all", "likely"),
    ("schemes", "http,ftp", "'ftp'"), ("schemes", ["htp"], "http"), ("schemes", ["http,ftp"], "each"),
    ("schemes", ["http://a.example"], "did you mean 'http'?"), ("schemes", "http://", "did you mean 'http'?"),
    ("schemes", "http:", "did you mean 'http'?"),
    ("forms", ["no"], "angle"), ("forms", "angle,bare", "angle"),
    ("hosts", "http://a.example", "no host"), ("domains", ["www.a.co.uk"], "a.co.uk"),
    ("parts", ["body"], "attach"), ("parts", "text,html", "attach"), ("quoted", "no", "only"),
    ("signature", "only", "skip"), ("charset", "utf-99", "known"), ("since", "soon", "2024-01-31"),
    ("until", "soon", "2024-01-31"),
    ("base", "a.example", "absolute"), ("gateways", [("a b", "u")], "parameter"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG)
def test_wrong_values_raise_at_the_call(name: str, value: Any, allowed: str) -> None:
    calls: dict[type, list[Callable[..., object]]] = {
        TextOptions: [partial(extract, "x"), partial(examine, "x"), Extractor],
        HtmlOptions: [partial(extract_html, "x"), partial(examine, html="x"), page_extractor],
        MessageOptions: [
            partial(extract_message, b"x"), partial(read_texts, b"x"), partial(examine, message=b"x"),
            MessageExtractor,
        ],
        Options: [partial(extract_source, "/dev/null"), partial(examine, source="/dev/null")],
    }  # fmt: skip
    for function in (each for table in calls if name in table.__annotations__ for each in calls[table]):
        with pytest.raises(ValueError, match=name) as caught:
            function(**{name: value})
        message = str(caught.value)
        assert name in message
        assert allowed in message
        assert repr(next(iter(value)) if isinstance(value, list) else value) in message


def test_a_row_of_a_number_has_its_bound_in_the_library_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPTIONS, "size", Option("--size", "Take only URLs of N characters.", "N", least=2))
    monkeypatch.setitem(TYPES, "size", int | None)
    monkeypatch.setitem(TextOptions.__annotations__, "size", int | None)
    for value, words in ((1, "size: 1 is less than 2"), ("3", "size is str: it is a number")):
        with pytest.raises((TypeError, ValueError), match=words):
            options_of({"size": value}, TextOptions)


@pytest.mark.parametrize(
    ("name", "hint"), [("hypen", "'hyphen'"), ("scheme", "'schemes'"), ("zzz", "hyphen, join")]
)
def test_unknown_keyword_is_named(name: str, hint: str) -> None:
    with pytest.raises(TypeError, match=f"{name}.*{hint}"):
        extract("x", **{name: 1})
    with pytest.raises(TypeError, match=f"{name}.*{hint}"):
        MessageExtractor(**{name: 1})


@pytest.mark.parametrize("name", Options.__annotations__)
def test_none_is_the_default_of_what_may_be_left_out(name: str) -> None:
    default = inspect.signature(extract_source).parameters[name].default
    assert list(extract_source(io.BytesIO(b"http://a.example/"), **{name: default}))


NOW = datetime.now(UTC)


@pytest.mark.parametrize("since", [
    NOW - timedelta(days=2), (NOW - timedelta(days=2)).date(), timedelta(days=2), "2d",
    f"{NOW - timedelta(days=2):%Y-%m-%d}",
])  # fmt: skip
def test_since_is_a_date_or_a_duration(since: Any) -> None:
    def found(days: int) -> list[Found]:
        field = f"Date: {NOW - timedelta(days=days):%a, %d %b %Y %H:%M:%S} +0000"
        return list(extract_message(f"{field}\n\nhttp://a.example/\n".encode(), since=since))

    assert (len(found(1)), len(found(4))) == (1, 0)


@pytest.mark.parametrize(("since", "count"), [
    (date(1994, 11, 14), 1), (date(1994, 11, 15), 0), (date.min, 1),  # a date begins at midnight
    (timedelta.max, 1), (timedelta.min, 0),  # beyond all dates
])  # fmt: skip
def test_any_date_and_duration_will_do(since: Any, count: int) -> None:
    message = b"Date: Mon, 14 Nov 1994 12:00:00 +0000\n\nhttp://a.example/\n"
    found = list(extract_message(message, since=since))
    assert [each.date for each in found] == ["1994-11-14T12:00:00Z"] * count


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_any_type_are_a_message(kind: Any) -> None:
    data = b"Subject: x\n\nhttp://a.example/\n"
    for results in (extract_message(kind(data)), examine(message=kind(data))):
        assert [found.raw for found in results] == ["http://a.example/"]
    assert [part.text for part in read_texts(kind(data))] == ["http://a.example/\n"]
    assert [found.url for found in extract_html(kind(b"<a href=http://a.example/>"))] == ["http://a.example/"]


WRONG_INPUTS: list[tuple[Any, Any, str]] = [
    (extract, b"http://a.example/", "extract_message"), (extract, 5, "str"), (extract, None, "str"),
    (examine, bytearray(b"x"), "str"), (examine, None, "a text, message="),
    (Extractor(), memoryview(b"x"), "str"), (extract_html, 5, "bytes"),
    (extract_message, "x", "extract reads text"), (extract_message, None, "bytes"),
    (read_texts, "x", "bytes"),
    (extract_source, b"/tmp/x", "extract_message"),
    (extract_source, bytearray(b"x"), "extract_message"), (extract_source, 5, "path"),
    (extract_source, None, "path"), (read_messages, b"x", "extract_message"),
    (extract_source, io.StringIO("x"), "text stream"), (read_messages, io.StringIO("x"), "text stream"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "value", "words"), WRONG_INPUTS)
def test_input_of_a_wrong_type_raises_at_the_call(function: Any, value: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        function(value)


def test_a_lone_name_needs_no_list(tmp_path: Path) -> None:
    for name in ("a.eml", "b.txt"):
        (tmp_path / name).write_text(f"see http://{name}.example/")
    assert [found.host for found in extract_source(tmp_path, include="*.eml")] == ["a.eml.example"]
    assert [found.host for found in extract_source(tmp_path, exclude="*.eml")] == ["b.txt.example"]
    assert list(extract("ftp://a.example/", schemes="ftp", hosts="a.example", forms="bare"))


def test_a_path_that_cannot_be_is_not_one_that_is_missing() -> None:
    with pytest.raises(SourceError) as caught:
        extract_source("x" * 5_000)
    assert not isinstance(caught.value, FileNotFoundError)
    assert caught.value.errno == errno.ENAMETOOLONG


def test_unknown_format_raises_at_the_call(tmp_path: Path) -> None:
    assert get_args(SourceFormat) == SOURCE_FORMATS
    for function in (extract_source, examined, read_messages):
        with pytest.raises(ValueError, match=r"mbx.*mbox"):
            function(tmp_path, format="mbx")  # type: ignore[operator]


@pytest.mark.parametrize("function", [extract_source, examined, read_messages])
def test_missing_source_raises_at_the_call(function: Any, tmp_path: Path) -> None:
    path = tmp_path / "none"
    for kind in (FileNotFoundError, SourceNotFoundError, SourceError, OSError):
        with pytest.raises(kind) as caught:
            function(path)
        assert caught.value.errno == 2  # type: ignore[attr-defined]
        assert str(caught.value) == f"{path}: No such file or directory"
    damage: list[SourceError] = []
    assert list(function(path, on_damage=damage.append)) == []
    assert [type(each) for each in damage] == [SourceNotFoundError]


def test_source_that_goes_away_raises_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("http://a.example/")
    results = extract_source(path)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="No such file"):
        list(results)


def test_errors_survive_copying() -> None:
    error = SourceNotFoundError("a", "No such file or directory", None, 2)
    again = copy.copy(error)
    assert (type(again), str(again), again.errno) == (SourceNotFoundError, str(error), 2)


def test_iterables_that_end_are_read_once(tmp_path: Path) -> None:
    text = "http://a.example/ ftp://b.example/"
    assert [found.url for found in extract(text, schemes=iter(["http"]))] == ["http://a.example/"]
    assert [found.url for found in extract(text, not_hosts=iter(["a.example"]))] == ["ftp://b.example/"]
    mail = io.BytesIO(f"Subject: x\n\n{text}\n".encode())
    assert urlextract.index_sources(tmp_path / "links.db", mail, schemes=iter(["http"])).places == 1
