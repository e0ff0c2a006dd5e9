"""Forms, wrappers and bare URLs: a text, and the URLs that a careful reader types (SPEC §1, §2, §4)."""

from __future__ import annotations

import json

import pytest
from remarks import words

from urlextract import Found, examine, extract
from urlextract.types import Form

LONG = [
    ("<http://a.example/b\n" + "c\n" * 62 + "d>", "http://a.example/b" + "c" * 62 + "d"),
    ("<http://a.example/b\n" + "c\n" * 63 + "d>", "http://a.example/b"),
    ("<http://a.example/" + "b" * 60_000 + ">", "http://a.example/" + "b" * 60_000),
    ("<URL:http://a.example/b\n" + ("c" * 400 + "\n") * 19 + ">", "http://a.example/b" + "c" * 7_600),
    ("<URL:http://a.example/b\n" + ("c" * 400 + "\n") * 21 + ">", "http://a.example/b"),
]


@pytest.mark.parametrize(("text", "url"), LONG, ids=["lines", "too many", "long", "long lines", "too long"])
def test_long_wrapper_is_joined_up_to_a_limit(text: str, url: str) -> None:
    """All other texts are in ``cases/forms.txt``."""
    assert [found.url for found in extract(text)] == [url]
    assert [found.url for found in extract(list(text))] == [url]


@pytest.mark.parametrize(("text", "form"), [
    ("<URL:http://a.example>", Form.URL_WRAPPER),
    ("<http://a.example>", Form.ANGLE),
    ('"http://a.example"', Form.QUOTED),
    ('"http://a.example is"', Form.BARE),
    ("URL:http://a.example", Form.PREFIXED),
    ("http://a.example", Form.BARE),
    ("www.a.example", Form.ABBREVIATED),
    ("<URL:www.a.example>", Form.ABBREVIATED),
])  # fmt: skip
def test_form_is_that_of_the_delimiters(text: str, form: Form) -> None:
    (found,) = extract(text)
    assert found.form is form


def test_scheme_any_accepts_unregistered_schemes() -> None:
    assert [f.url for f in extract("foo://bar/baz", schemes={"any"})] == ["foo://bar/baz"]
    text = "www.://y www.http://a.example/"
    found = [f.url for f in examine(text, schemes={"any"}) if isinstance(f, Found)]
    assert [f.url for f in extract(text, schemes={"any"})] == found
    assert all(not url.startswith("www.") for url in found)


def test_span_line_and_column_are_those_of_the_text() -> None:
    text = "see <URL: http://a.example/\nb> and URL:http://c.example."
    first, second = extract(text)
    assert first.span.of(text) == "<URL: http://a.example/\nb>"
    assert [piece.of(text) for piece in first.pieces] == ["http://a.example/", "b"]
    assert (first.line, first.column, second.line, second.column) == (1, 5, 2, 8)
    assert second.span.of(text) == "URL:http://c.example"


@pytest.mark.parametrize(("text", "url", "defect"), [
    ("<http://a.example/b\n\nc>", "http://a.example/b", "unclosed"),
    (b"http://a.example/Gr\xf6\xdfe\x94 x".decode("utf-8", "surrogateescape"), "http://a.example/Größe",
     "undecodable bytes"),
])  # fmt: skip
def test_what_was_not_whole_has_a_defect(text: str, url: str, defect: str) -> None:
    (found,) = extract(text)
    assert (found.url, words(found.defects)) == (url, (defect,))


@pytest.mark.parametrize(("text", "reason"), [
    ("<http://a.example/x The Foo Page>", "words after the URL"),
    ("<warning: long>", 'no scheme that stands in brackets without "//"'),
    ("<std::string>", '"::" is no URL'),
    ("foo://bar", "not a registered scheme"),
    ("<http://a.example/b\n\n", "never closed"),
    ("<http://a.example/b. And>", "a sentence goes on inside"),
    ("http:///x", 'no host after "//"'),
    ("news:one", 'what follows does not have the shape of "news:"'),
    ("www.one", "no host of three labels"),
    ("Tel:555", '"Tel:" is a label'),
])  # fmt: skip
def test_rejection_has_its_reason(text: str, reason: str) -> None:
    assert reason in [r.reason for r in examine(text) if not hasattr(r, "url")]


def test_registered_name_in_brackets_is_taken_if_asked_for() -> None:
    text = "<lpa:?xt=urn:btih:abc> <dav:x> <xsl:template>"
    assert not list(extract(text))  # "urn:" goes on with a URI
    assert [found.url for found in extract(text, schemes=["lpa"])] == ["lpa:?xt=urn:btih:abc"]
    assert [found.url for found in extract(text, schemes=["any"])] == ["lpa:?xt=urn:btih:abc", "dav:x"]


def test_rejection_names_the_option_that_would_accept_it() -> None:
    hints = {result.raw: result.hint for result in examine("foo://bar <dav:x> <xsl:template>")}
    assert hints == {
        "foo://": "--scheme any takes unregistered schemes",
        "<dav:": "--scheme any takes registered schemes in brackets",
        "<xsl:": None,
    }
    (broken,) = [r for r in examine("<mailto:a@b.\nexample>", join="none") if r.form is Form.ANGLE]
    assert (broken.reason, broken.hint) == ("broken over lines", "--join delimited joins it")


# --- what is undone, is undone in paragraphs: of longer ones in parts, which no URL is cut by -------------


@pytest.mark.parametrize("length", range(5, 20))
@pytest.mark.parametrize("as_rows", [False, True])
def test_long_lines_of_json_are_read_whole(length, as_rows):
    urls = [f"http://a.example/page/{number:04}{'z' * length}" for number in range(600)]
    rows = [{"u": url} for url in urls] if as_rows else urls
    text = json.dumps(rows, separators=(",", ":")).replace("/", "\\/")
    assert [found.url for found in extract(text)] == urls


def test_url_before_the_part_that_is_undone_stays():
    first, second = f"http://a.example/{'y' * 200}", r"http:\/\/b.example\/c"
    text = f"{'w ' * 10}{first} {'word ' * 1_580}see {second} end"
    assert [(found.url, found.raw) for found in extract(text)] == [
        (first, first), ("http://b.example/c", second)
    ]  # fmt: skip
    assert all(found.span.of(text) == found.raw for found in extract(text))


def test_bracket_that_was_given_up_is_not_told_of_a_host_after_it():
    text = "<http://a.example/x/b c is\nwords> \n\nsee b.example.com/yes here"
    host = [*extract(text, relaxed=True)][-1]
    assert (host.url, host.defects, host.alternatives) == ("http://b.example.com/yes", (), ())
