"""The library as a whole: names, options that are made once, names of what is read, codes, own gateways."""

from __future__ import annotations

import contextlib
import gzip
import inspect
import io
import json
import pickle
import sqlite3
import typing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from commands import outcome
from remarks import words

import urlextract
from urlextract import (
    Extractor,
    Found,
    HtmlExtractor,
    Message,
    MessageExtractor,
    Rejection,
    compare_link,
    examine,
    examine_html,
    examine_message,
    examine_source,
    extract,
    extract_html,
    extract_message,
    extract_source,
    index_sources,
    parse_url,
    read_messages,
    read_texts,
    types,
    unwrap,
    urls,
)
from urlextract.types import AlternativeCode, CautionCode, Rule, ViolationCode

BOX = (
    b"From a@b Mon Nov 14 09:12:44 1994\nSubject: one\n\nsee http://a.example/\n\n"
    b"From a@b Mon Nov 14 09:12:45 1994\nSubject: two\n\nsee http://b.example/\n"
)

# --- names ------------------------------------------------------------------------------------------


def test_there_are_fifty_names_at_most_and_their_type_hints_can_be_read() -> None:
    assert len(urlextract.__all__) <= 50
    assert all(hasattr(types, name) for name in types.__all__)
    values = [getattr(module, name) for module in (urlextract, urls) for name in module.__all__]
    for value in values:
        for each in (value, *(vars(value).values() if isinstance(value, type) else ())):
            inner = getattr(each, "fget", None) or getattr(each, "__func__", None) or each
            if callable(inner) and getattr(inner, "__module__", "").startswith("urlextract"):
                typing.get_type_hints(inner)


def test_repr_leaves_out_what_is_default() -> None:
    (found,) = extract("see http://a.example/")
    assert repr(found) == (
        "Found(v=5, url='http://a.example/', form=<Form.BARE: 'bare'>, scheme='http', host='a.example', "
        "start=4, end=21, inner=Span(start=4, end=21), byte=None, line=1, column=5, raw='http://a.example/', "
        "pieces=(Span(start=4, end=21),), confidence=0.9)"
    )
    assert repr(Message(b"x")) == "Message(data=b'x')"


# --- options that are made once ---------------------------------------------------------------------


def test_one_extractor_serves_many_threads() -> None:
    extractor = Extractor(relaxed=True)
    texts = [f"see h{number}.example.com and <http://a.example/{number}\nx>" for number in range(300)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(extractor, texts)) == [list(extract(text, relaxed=True)) for text in texts]


def test_a_page_is_called_with_its_base() -> None:
    extractor = HtmlExtractor(links=True, base="http://a.example/")
    assert [found.url for found in extractor("<a href=x>")] == ["http://a.example/x"]
    found = extractor("<a href=x>", base="http://b.example/")
    assert [each.url for each in found] == ["http://b.example/x"]
    with pytest.raises(ValueError, match="base"):
        extractor("<a href=x>", base="x")


# --- names of what is read --------------------------------------------------------------------------


def test_a_message_in_memory_has_a_name() -> None:
    data = b"Subject: x\n\nsee http://a.example/ and <warning: long>\n"
    for results in (
        extract_message(data, source="UID 7"),
        examine_message(data, source="UID 7"),
        MessageExtractor()(data, source="UID 7"),
        MessageExtractor(source="UID 7")(data),
        (found for part in read_texts(data, source="UID 7") for found in part.found),
    ):
        assert {result.source for result in results} == {"UID 7"}
    extractor = MessageExtractor(source="UID 7")
    extractor.feed(data)
    assert [found.source for found in extractor.close()] == ["UID 7"]


def test_a_message_that_was_read_goes_into_every_function(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.write_bytes(BOX)
    first, second = read_messages(box)
    assert [*extract_message(first), *extract_message(second)] == list(extract_source(box))
    assert MessageExtractor()(second) == list(extract_message(second))
    assert [found.message for part in read_texts(second) for found in part.found] == [2]
    assert next(extract_message(second, source="x")).source == "x"
    assert [type(result) for result in examine_message(first)] == [Found]


def test_a_source_has_the_name_that_it_is_given(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.write_bytes(BOX)
    for source in (lambda: box, lambda: str(box), lambda: io.BytesIO(BOX)):
        for read in (extract_source, examine_source, read_messages):
            assert {each.source for each in read(source(), name="mail/inbox")} == {"mail/inbox"}  # type: ignore[operator]
    page = b"http://a.example/ <a href=http://b.example/>x</a>"
    assert len(list(extract_source(io.BytesIO(page), name="x.html"))) == 2


def test_an_index_takes_records_in_hand(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    records = [found for number in (1, 2) for found in extract_message(BOX[35:], source=f"UID {number}")]
    assert index_sources(path, records=records).places == len(records) > 1
    with contextlib.closing(sqlite3.connect(path)) as index:
        rows = index.execute("SELECT source, url, subject FROM links ORDER BY source, url").fetchall()
    assert rows == sorted((found.source, found.url, found.subject) for found in records)


# --- codes ------------------------------------------------------------------------------------------


def test_rejections_have_codes_and_links() -> None:
    (rejection,) = examine("<warning: long>")
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.text, rejection.shown) == (Rule.NOT_IN_BRACKETS, None, None)
    (rejection,) = examine("Tel:12")
    assert isinstance(rejection, Rejection)
    assert (rejection.code.value, rejection.reason) == ("label", '"Tel:" is a label')
    page = "<a href='javascript:pay()'>www.bank.example</a>"
    rejection = next(each for each in examine_html(page) if isinstance(each, Rejection))
    assert rejection.code is Rule.SCRIPT
    assert (rejection.text, rejection.shown) == ("www.bank.example", "www.bank.example")
    results = examine("<http://a.example:99999/>", valid=True)
    (rejection,) = (each for each in results if isinstance(each, Rejection))
    assert rejection.code is Rule.NOT_VALID
    assert pickle.loads(pickle.dumps(rejection)) == rejection


def test_alternatives_violations_and_warnings_have_codes() -> None:
    (found,) = extract("see http://a.example/tide-\ntables for it and more of that, as always")
    assert found.alternatives[0].code is AlternativeCode.MORE_LINES
    (found,) = extract("<http://a.example/a b>")
    codes = {other.code for other in found.alternatives}
    assert codes >= {AlternativeCode.BLANKS, AlternativeCode.FIRST_BLANK}
    (violation,) = parse_url("http://a.example:99999/").violations
    assert violation.code is ViolationCode.PORT
    cautions = [warning.code for warning in parse_url("http://bank.example@2130706433:81/").warnings]
    assert cautions == [CautionCode.USER_LIKE_HOST, CautionCode.ADDRESS_AS_NUMBER, CautionCode.LOW_PORT]


def test_records_have_the_codes_and_come_back() -> None:
    (found,) = extract("<http://me:pw@a.example/a b>", parse=True)
    record = json.loads(json.dumps(found.to_dict()))
    assert record["alternatives"][0]["code"] == "blanks"
    assert [warning["code"] for warning in record["warnings"]] == ["password"]
    assert Found.from_dict(record) == found


@pytest.mark.parametrize(("text", "target", "differs", "code"), [
    ("www.bank.example", "https://www.bank.example/login", "path", None),
    ("bank.com", "https://evil.example/", "domain", "shows-another-domain"),
    ("Log in at bank.com today", "https://evil.example/", None, "mentions-another-domain"),
    ("bank.com", "https://www.google.com/url?q=https://bank.com/", None, None),
    ("paypal.com", "https://paypa1.com/", "lookalike", "shows-another-domain"),
    ("here", "https://evil.example/", None, None),
])  # fmt: skip
def test_a_link_is_compared_with_its_target(text: str, target: str, differs: Any, code: Any) -> None:
    found = compare_link(text, target)
    assert (found.differs, found.defect and found.defect.code) == (differs, code)
    record, *_ = extract_html(f'<a href="{target}">{text}</a>')
    assert (found.shown, found.differs) == (record.shown, record.differs)
    defects = [defect for defect in record.defects if "domain" in defect.words or "redirect" in defect.words]
    assert ([found.defect] if found.defect else []) == defects


# --- gateways and schemes of one's own --------------------------------------------------------------

GATEWAYS = [("links.corp.example/r", "u"), (".gate.example", "to")]
WRAPPED = {
    "https://links.corp.example/r?u=https%3A%2F%2Fa.example%2Fx": "https://a.example/x",
    "https://LINKS.corp.example/r/?k=1&u=https%3A%2F%2Fa.example%2Fx": "https://a.example/x",
    "https://eu.gate.example/anything?to=https%3A%2F%2Fa.example%2Fx&k=2": "https://a.example/x",
    "https://www.google.com/url?q=https://links.corp.example/r%3Fu%3Dhttps%253A%252F%252Fa.example%252F":
        "https://a.example/",
}  # fmt: skip
OTHERS = [
    "https://links.corp.example/s?u=https%3A%2F%2Fa.example%2Fx",
    "https://gate.example.org/?to=http://a.example/",
]


@pytest.mark.parametrize("link", WRAPPED)
def test_targets_of_own_gateways(link: str) -> None:
    target = unwrap(link, GATEWAYS)
    assert target is not None
    assert target.url == WRAPPED[link]
    (found,) = extract(f"see <{link}> there", gateways=GATEWAYS)
    assert (found.url, found.unwrapped, found.wrapped_by) == (link, WRAPPED[link], target.by)
    assert Found.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    (found,) = extract(f"see <{link}> there", gateways=GATEWAYS, unwrap=True)
    assert (found.url, found.wrapped_by) == (WRAPPED[link], target.by)
    assert Found.from_dict(found.to_dict()) == found


@pytest.mark.parametrize("link", OTHERS)
def test_what_is_not_at_an_own_gateway_stays(link: str) -> None:
    assert unwrap(link, GATEWAYS) is None
    assert [found.wrapped_by for found in extract(link, gateways=GATEWAYS)] == [None]


def test_a_link_through_an_own_gateway_does_not_deceive() -> None:
    page = '<a href="https://links.corp.example/r?u=https%3A%2F%2Fwww.bank.example%2F">www.bank.example</a>'
    codes = [defect.code.value for found in extract_html(page) for defect in found.defects]
    assert codes == ["may-redirect"]
    assert [found.defects for found in extract_html(page, gateways=GATEWAYS)] == [()]


@pytest.mark.parametrize("pair", ["a.example", ("a.example",), ("a b", "u"), ("a.example", ""), (1, "u")])
def test_what_is_no_pair_is_named(pair: Any) -> None:
    with pytest.raises(ValueError, match=r"gateways: .* is not a pair"):
        extract("x", gateways=[pair])
    with pytest.raises(ValueError, match=r"gateways: .* is not a pair"):
        unwrap("http://a.example/", [pair])


def test_a_scheme_of_ones_own_is_found_by_its_name() -> None:
    text = 'bolt://a.example/x, <myapp:open/5>, "myapp:6", <URL:myapp:7>, myapp:8, other://b.example/, <x:9>'
    own = ["myapp:open/5", "myapp:6", "myapp:7"]
    assert [found.url for found in extract(text, schemes=["bolt", "myapp"])] == ["bolt://a.example/x", *own]
    assert [found.url for found in extract(text, schemes="myapp")] == own


def test_the_command_reads_gateways_from_a_file(tmp_path: Path) -> None:
    rows = tmp_path / "gateways"
    rows.write_text("# ours\n\nlinks.corp.example/r u\r\n.gate.example\tto\n")
    data = " ".join(WRAPPED)
    assert outcome("--gateways", rows, "--unwrap", data=data) == (0, "\n".join([*WRAPPED.values(), ""]), "")
    for text, told in (
        ("links.corp.example\n", f"{rows}, line 1: 'links.corp.example': is not two words"),
        ("# ours\nhttp://links.corp.example/ u\n", f"{rows}, line 2: 'http://links.corp.example/ u': "),
        (None, "No such file"),
    ):
        rows.unlink() if text is None else rows.write_text(text)
        status, _, errors = outcome("--gateways", rows, data=data)
        assert (status, errors.count("\n")) == (2, 1)
        assert "gateways" in errors
        assert told in errors
        assert "('" not in errors


def test_mend_takes_gateways(tmp_path: Path) -> None:
    rows = tmp_path / "gateways"
    rows.write_text("links.corp.example/r u\n")
    data = "see https://links.corp.example/r?u=https%3A%2F%2Fa.example%2Fx there\n"
    changed = outcome("mend", "--unwrap", "--gateways", rows, data=data)
    assert changed == (0, "see https://a.example/x there\n", "")


@pytest.mark.parametrize(("data", "words"), [
    ("see <http://a.example/\nb>\n".encode("utf-16"), "UTF-16"),
    ("see <http://a.example/\nb>\n".encode("utf-32-le"), "UTF-32"),
    (gzip.compress(b"see <http://a.example/\nb>\n", mtime=0), "is compressed"),
], ids=["UTF-16", "UTF-32", "gzip"])  # fmt: skip
def test_what_cannot_be_rewritten_is_refused(data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    for command in (["mend"], ["mend", "-i"], ["rewrap"]):
        status, out, errors = outcome(*command, tmp_path / "file")
        assert (status, out, errors.count("\n")) == (2, "", 1)
        assert words in errors
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("encoding", ["7-bit", "base64", "BASE64", "8bits"])
def test_a_body_that_is_not_encoded_as_it_says_is_mended(encoding: str) -> None:
    head = f"Subject: x\nFrom: a@b.example\nContent-Transfer-Encoding: {encoding}\n\n"
    status, out, errors = outcome("mend", data=f"{head}See <http://a.example/\nb.html> there\n")
    assert (status, out, errors) == (0, f"{head}See <http://a.example/b.html>\nthere\n", "")


def test_each_command_says_what_it_does() -> None:
    helps = {name: outcome(name, "-h")[1].split("\n\n")[1] for name in ("mend", "rewrap", "format")}
    assert len(set(helps.values())) == len(helps)
    assert "Fill the paragraphs" in helps["rewrap"]


def test_a_hyphen_at_the_end_of_a_long_line_is_in_doubt() -> None:
    prose = "It may go on: see the table of the tides which is there at "
    text = "http://www.example.org/harbour/tide-\ntables for it, and more of that.\n"
    for before in (prose, prose * 2):
        (found,) = extract(before + text)
        assert (words(found.defects), found.alternatives[0].code) == (
            ("may-continue",),
            AlternativeCode.MORE_LINES,
        )


# --- what a stranger found --------------------------------------------------------------------------


@pytest.mark.parametrize("url", [
    "http://www.mybank.com:login@m\u00fcnchen.de/x", "http://me:pw@b\u00fccher.example/x",
    "http://user:p\u00e4ss@example.com/x", "http://me:a:b@b\u00fccher.example/",
])  # fmt: skip
def test_a_login_before_a_host_beyond_ascii_is_no_host(url: str) -> None:
    for text in (f"see {url} there", f"<{url}>", f"<URL:{url}>", f'"{url}"', urlextract.format_url(url)):
        assert [found.url for found in extract(text)] == [url]
    assert [(found.url, words(found.defects)) for found in extract_html(f'<a href="{url}">x</a>')] == [
        (url, ())
    ]


def test_what_looks_like_a_login_after_a_blank_is_none() -> None:
    text = "http://a.example: joe@b.example, http://a.example:80/x@y http://a.example:80"
    assert [found.url for found in extract(text)] == [
        "http://a.example", "http://a.example:80/x@y", "http://a.example:80",
    ]  # fmt: skip


def test_a_url_does_not_go_on_in_the_next_link() -> None:
    page = "<a href='https://e.example/'>http://www.bank.example/a-</a>\n<a href='https://c.example/x'>tables</a>"
    _, found, _ = extract_html(page)
    assert (found.url, found.alternatives) == ("http://www.bank.example/a-", ())
    page = "<a href='https://e.example/'>www.bank.example</a>\n<a href='https://c.example/x'>bank.example</a>"
    _, found, _ = extract_html(page)
    assert (found.url, words(found.defects), found.alternatives) == ("http://www.bank.example", (), ())
    # Programs that make links of a text often take its first line only.
    page = "<a href='https://e.example/a-'>http://e.example/a-</a>\ntables.html"
    assert "http://e.example/a-tables.html" in [found.url for found in extract_html(page)]


@pytest.mark.parametrize("host", ["\u24d4vil.example", "ev\u200bil.example", "%65vil.example"])
def test_a_host_in_letters_that_browsers_replace_is_hidden(host: str) -> None:
    (found,) = extract_html(f'<a href="http://{host}/">z</a>')
    assert (found.url, words(found.defects)) == ("http://evil.example/", ("hidden-host",))
    (found,) = extract_html('<a href="http://b\u00fccher.example/">z</a>')
    assert words(found.defects) == ()


def test_a_script_and_an_own_gateway_are_compared() -> None:
    defect = compare_link("www.bank.example", "javascript:pay()").defect
    assert defect is not None
    assert str(defect) == "shows-another-domain: bank.example, leads to a script"
    link = next(iter(WRAPPED))
    assert compare_link("a.example", link, GATEWAYS).defect is None
    assert compare_link("www.a.example", link).defect is not None


def test_wrong_values_are_named(tmp_path: Path) -> None:
    index = tmp_path / "x.db"
    calls: dict[str, Callable[[], object]] = {
        "relaxed is str": lambda: extract("x", relaxed="no"),
        "source is int": lambda: extract_message(b"x", source=3),
        "schemes: options count in sources": lambda: index_sources(index, records=(), schemes="http"),
        r"records has dict.*from_dict": lambda: index_sources(index, records=[{}]),
        "schemes is int": lambda: extract("x", schemes=3),
        "width is str": lambda: urlextract.format_url("http://a.example/", width="40"),
        "text is bytes": lambda: parse_url(b"http://a.example/"),
        "function returned int": lambda: urlextract.replace_urls("http://a.example/", lambda _: 3),
        r"'zzz' is no keyword(?!.*base)": lambda: extract_message(b"x", zzz="x"),
    }
    for message, call in calls.items():
        with pytest.raises(TypeError, match=message):
            call()


def test_hints_have_the_keywords_of_the_signature() -> None:
    assert set(typing.get_type_hints(extract)) == {*inspect.signature(extract).parameters, "return"}
