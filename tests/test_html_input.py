"""HTML outside messages: detected by content, read in source order, with spans in the markup (SPEC §1)."""

from __future__ import annotations

import codecs
import io
from pathlib import Path

import pytest
from commands import outcome
from remarks import without_contexts, words
from scans import urls_only
from slices import Slices

from urlextract import Found, examine, extract_html, extract_source
from urlextract.pipeline import entry, page_source
from urlextract.sources.reading import read_source

PAGE = """<!DOCTYPE html>
<title>a page</title><base href="http://a.example/b/c">
<link rel=icon href="/i.png"><style>p{background:url(bg.png)}</style>
<p>first http://t.example/1, then <a href="d.html">a link</a> and <img src=e.gif alt="see http://t.example/2">
<a href="http://f.example/">http://f.example/</a> <a href="#top">top</a> <a href="cid:1@a">part</a>
<form action=g><button formaction=h>go</button></form> http://t.exam<wbr>ple/3&amp;x
<script>"http://no.example/"</script><!-- http://no.example/ -->
"""
URLS = [
    "http://a.example/b/c", "http://a.example/i.png", "http://a.example/b/bg.png", "http://t.example/1",
    "http://a.example/b/d.html", "http://a.example/b/e.gif", "http://t.example/2", "http://f.example/",
    "cid:1@a", "http://a.example/b/g", "http://a.example/b/h", "http://t.example/3&x",
]  # fmt: skip
FOLLOWED = [
    "http://t.example/1", "http://a.example/b/d.html", "http://f.example/", "http://a.example/b/g",
    "http://a.example/b/h", "http://t.example/3&x",
]  # fmt: skip


def urls_of(data: bytes, form: str = "auto", **keywords: object) -> list[str]:
    """Return the URLs of a source, on which the URLs-only reader must agree."""
    urls = [found.url for found in extract_source(io.BytesIO(data), form, **keywords)]
    if not keywords:
        items = read_source(io.BytesIO(data), form, on_damage=pytest.fail)
        assert urls_only(items) == urls
    return urls


def test_page_is_read_in_source_order() -> None:
    assert urls_of(PAGE.encode()) == URLS
    assert [found.url for found in extract_html(PAGE)] == URLS
    assert [found.url for found in extract_html(PAGE.encode())] == URLS
    assert urls_of(PAGE.encode(), links=True) == FOLLOWED


def check_places(found: list[Found], page: str) -> None:
    """Check that spans, lines and columns are those of the markup."""
    for each in found:
        assert each.span.of(page).strip() == each.raw
        assert each.line == page[: each.start].count("\n") + 1
        assert page.splitlines()[each.line - 1].startswith(each.raw, each.column - 1)
        assert each.byte in (None, len(page[: each.start].encode()))


def test_spans_and_pieces_are_those_of_the_markup() -> None:
    found = list(extract_html(PAGE.encode()))
    check_places(found, PAGE)
    assert [each.byte for each in found] == [each.start for each in found]
    last = list(extract_html(PAGE))[-1]
    assert [piece.of(PAGE) for piece in last.pieces] == ["http://t.exam", "ple/3", "&amp;", "x"]
    assert last.raw == "http://t.exam<wbr>ple/3&amp;x"


def test_record_has_element_attribute_and_text_of_its_link() -> None:
    links = {found.url: found for found in extract_html(PAGE)}
    bare = links["http://t.example/1"]
    assert (bare.element, bare.attribute, bare.text, bare.shown) == (None,) * 4
    linked = [each for each in links.values() if each.element]
    assert [(each.element, each.attribute, each.text, each.shown) for each in linked] == [
        ("base", "href", "", None), ("link", "href", "", None), ("style", "style", "", None),
        ("a", "href", "a link", None), ("img", "src", "see http://t.example/2", None),
        ("img", "alt", "see http://t.example/2", None), ("a", "href", "http://f.example/", "http://f.example/"),
        ("a", "href", "part", None), ("form", "action", "", None), ("button", "formaction", "", None),
    ]  # fmt: skip
    assert {found.media_type for found in extract_html(PAGE)} == {"text/html"}


LINK = '<a href="http://a.example/é">x</a>'
FORMS = [
    (b"<!doctype html>" + LINK.encode(), True),
    (b"<HTML lang=de>" + LINK.encode(), True),
    (b"\n \t<head>" + LINK.encode(), True),
    (b"<BODY\n>" + LINK.encode(), True),
    (b"<!-- saved from a server -->" + LINK.encode(), True),
    (codecs.BOM_UTF8 + b"\r\n<html>" + LINK.encode(), True),
    (codecs.BOM_UTF16_LE + f"<html>{LINK}".encode("utf-16-le"), True),
    (codecs.BOM_UTF16_BE + f"<!-- a > b -->\n<p class=x>{LINK}".encode("utf-16-be"), True),
    (codecs.BOM_UTF16_LE + f"<?xml version='1.0'?><!-- x --><r>{LINK}".encode("utf-16-le"), True),
    (codecs.BOM_UTF16_BE + f" <!DOCTYPE HTML PUBLIC>{LINK}".encode("utf-16-be"), True),
    (b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD">' + LINK.encode(), True),
    (f"<html><meta charset=iso-8859-1>{LINK}".encode("latin-1"), True),
    (f"<html>{LINK}".encode("cp1252"), True),
    (b"<meta charset=utf-8>" + LINK.encode(), True),
    (b"<title>" + LINK.encode().replace(b"<", b"</title><", 1), True),
    (b"<p>" + LINK.encode(), False),
    (b"<p>" + LINK.encode() + b"</P>", True),
    (b"<p\nclass=x>" + LINK.encode(), True),
    (b"<htmlx>" + LINK.encode(), False),
    (b'<?xml version="1.0"?><!-- x --><rss>' + LINK.encode(), True),
    (b"Note: <html>" + LINK.encode(), False),
]  # fmt: skip


@pytest.mark.parametrize(("data", "is_page"), FORMS)
@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_page_is_detected_by_its_first_tag(data: bytes, is_page: bool, size: int) -> None:
    (found,) = extract_source(Slices(data, size))
    assert (found.url, found.form) == ("http://a.example/é", "html-attribute" if is_page else "quoted")
    (found,) = extract_source(io.BytesIO(data), "html")
    assert (found.url, found.form) == ("http://a.example/é", "html-attribute")


def test_numbered_file_that_begins_like_a_page_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "7").write_bytes(b"<html>\n" + LINK.encode())
    (found,) = extract_source(tmp_path)
    assert (found.message, found.form) == (1, "quoted")
    (tmp_path / "7").rename(tmp_path / "page")
    (found,) = extract_source(tmp_path)
    assert (found.message, found.form) == (None, "html-attribute")


@pytest.mark.parametrize("base", ["foo", "", "/x", "//h.example/", "http://", "mailto:a@b.example"])
def test_base_that_is_not_an_absolute_url_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match=r"base: '.*' is not an absolute URL"):
        extract_html("<a href=x>y</a>", base=base)


def test_relative_reference_is_resolved_against_the_given_base() -> None:
    markup = "<html><a href='../x?y'>x</a> <a href='//b.example/z'>z</a>"
    urls = [found.url for found in extract_html(markup, base="ftp://a.example/b/c")]
    assert urls == ["ftp://a.example/x?y", "ftp://b.example/z"]
    urls = urls_of(markup.encode(), base="http://a.example/b/c")
    assert urls == ["http://a.example/x?y", "http://b.example/z"]
    (found,) = extract_html(markup)
    assert (found.url, words(found.defects)) == ("https://b.example/z", ("no-scheme",))
    own = "<base href='d/'>" + markup
    assert [f.url for f in extract_html(own, base="http://a.example/b/c")][1] == "http://a.example/b/x?y"


@pytest.mark.parametrize("largest", [1, 50, 333, 1 << 20])
def test_long_page_has_the_same_records_in_several_blocks(
    monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    # No public option sets the size of a block: it is a megabyte.
    monkeypatch.setattr(page_source, "_WINDOW", largest)
    monkeypatch.setattr(page_source, "_LARGEST", max(largest, 200))
    page = "".join(f"<p>ä {PAGE.removeprefix('<!DOCTYPE html>')}" for _ in range(5))
    found = list(extract_html(page.encode()))
    assert [each.url for each in found] == URLS * 5
    check_places(found, page)
    assert None not in {each.byte for each in found}
    assert urls_of(page.encode(), "html") == URLS * 5


def test_unclosed_script_hides_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_source, "_LARGEST", 100)  # no public option sets it
    monkeypatch.setattr(page_source, "_WINDOW", 50)
    script = "<script>" + "x" * 1_000_000
    assert urls_of((script + LINK).encode(), "html") == []
    assert urls_of((script + "</script>" + LINK).encode(), "html") == ["http://a.example/é"]


LONG, SHOWN = "word http://w.example/ " * 100, ["http://w.example/"] * 100
STYLE = "p{background:url(http://s.example/)} "
LONG_PAGES = [
    (f"<!--{LONG}--->{LINK}", [LINK]), (f"<!-- {LONG}--!>{LINK}", [LINK]),
    (f"<!--a > b -> {LONG}-->{LINK}", [LINK]), (f"<script>{LONG}", []),
    (f"<script>{LONG}</script>{LINK}", [LINK]), (f"<SCRIPT a>{LONG}</script x>{LINK}", [LINK]),
    (f"<!x {LONG}>{LINK}", [LINK]), (f"<?x {LONG}>{LINK}", [LINK]), (f"<!--{LONG}", []),
    (f"<style>{STYLE * 100}</style>{LINK}", ["http://s.example/"] * 100 + [LINK]),
    (f"<title>{LONG}</title>{LINK}", [*SHOWN, LINK]), (f"<p title='{LONG}'>{LINK}", [*SHOWN, LINK]),
    (f"<a href='http://b.example/'>{LONG}</a>{LINK}", ["http://b.example/", *SHOWN, LINK]),
    (f"<img src='data:x,{'a' * 3_000}'>{LINK}", [LINK]),
]  # fmt: skip


@pytest.mark.parametrize(("page", "urls"), LONG_PAGES, ids=[page[:20] for page, _ in LONG_PAGES])
@pytest.mark.parametrize("longest", [200, 333, 1_000])
def test_what_is_longer_than_a_stretch_hides_or_shows_as_before(
    monkeypatch: pytest.MonkeyPatch, longest: int, page: str, urls: list[str]
) -> None:
    """A comment, a script or a style goes on in the next stretch; a tag so long is text, as others are."""
    monkeypatch.setattr(page_source, "_WINDOW", 50)  # no public options set them
    monkeypatch.setattr(page_source, "_LARGEST", longest)
    monkeypatch.setattr(entry, "_SLICE", 64)
    page = f"<p>\n{page}"
    found = list(extract_html(page))
    assert [each.url for each in found] == ["http://a.example/é" if url is LINK else url for url in urls]
    check_places(found, page)


def test_first_base_of_a_page_counts_in_all_later_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_source, "_WINDOW", 20)  # no public options set them
    monkeypatch.setattr(page_source, "_LARGEST", 100)
    links = "<p><a href=x></a>" * 30
    page = f"{links}<base href='http://b.example/'>{links}<base href=/no/>{links}"
    found = [each.url for each in extract_html(page, base="http://a.example/")]
    assert found[0] == "http://a.example/x"
    assert set(found[-60:]) == {"http://b.example/x", "http://a.example/no/"}


def test_window_ends_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_source, "_WINDOW", 40)  # no public options set them
    monkeypatch.setattr(page_source, "_LARGEST", 400)
    page = "see http://<wbr>a.example/<wbr>b and <b>that</b>, " * 50
    assert [each.url for each in extract_html(page)] == ["http://a.example/b"] * 50


def test_values_of_xml_need_no_quotes() -> None:
    xml = b"<?xml version='1.0'?><rss xmlns=http://no.example/><x url=http://a.example/1 length=2/></rss>"
    assert urls_of(xml) == ["http://a.example/1"]


def test_command_reads_a_page_from_a_pipe() -> None:
    def urls(*options: str) -> list[str]:
        status, out, said = outcome(*options, data=PAGE)
        assert (status, said) == (0, "")
        return out.split()

    assert urls() == URLS
    assert urls("--links") == FOLLOWED
    bare = urls("-F", "html", "--base", "http://z.example/", "--form", "bare")
    assert bare == ["http://t.example/1", "http://t.example/3&x"]


def test_state_remembers_a_page(tmp_path: Path) -> None:
    page, state = tmp_path / "page.html", tmp_path / "state"
    page.write_text(PAGE, "utf-8")

    def urls() -> list[str]:
        return outcome("--state", state, page)[1].split()

    assert urls() == URLS
    assert urls() == []
    page.write_text(PAGE + "http://new.example/", "utf-8")
    assert urls() == [*URLS, "http://new.example/"]


@pytest.mark.parametrize("markup", [None, 1, [1]])
def test_markup_of_another_type_is_refused_at_the_call(markup: object) -> None:
    with pytest.raises(TypeError, match="markup"):
        extract_html(markup)  # type: ignore[arg-type]


MESSAGES = Path(__file__).resolve().parents[1] / "corpora"


@pytest.mark.parametrize(
    "path", [*MESSAGES.glob("*.mbox"), *MESSAGES.glob("formats/*.mbox")], ids=lambda p: p.name
)
def test_extract_source_yields_what_examine_accepts(path: Path) -> None:
    """The fast way to make a record leaves out nothing."""
    page = b"From a@b Mon Nov 14 09:12:44 1994\nContent-Type: text/html\n\n" + PAGE.encode()
    for data in (path.read_bytes(), page):
        explained = without_contexts(examine(source=io.BytesIO(data), format="mbox"))
        found = [each for each in explained if isinstance(each, Found)]
        assert found == list(extract_source(io.BytesIO(data), "mbox"))
