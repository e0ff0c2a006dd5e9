"""The library as a whole: names, options that are made once, names of what is read, codes, own gateways."""

from __future__ import annotations

import contextlib
import email.message
import email.policy
import gzip
import html
import io
import json
import pickle
import pydoc
import sqlite3
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
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
    Message,
    MessageExtractor,
    Rejection,
    SourceError,
    examine,
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
from urlextract.types import AlternativeCode, CautionCode, ViolationCode

BOX = (
    b"From a@b Mon Nov 14 09:12:44 1994\nSubject: one\n\nsee http://a.example/\n\n"
    b"From a@b Mon Nov 14 09:12:45 1994\nSubject: two\n\nsee http://b.example/\n"
)

# --- names ------------------------------------------------------------------------------------------


NAMES = {
    "extract", "extract_html", "extract_message", "extract_source", "examine", "read_messages", "read_texts",
    "index_sources", "parse_url", "unwrap", "defang", "refang", "format_url", "mend", "rewrap",
    "replace_urls", "Extractor", "MessageExtractor", "Found", "Rejection", "Span", "Message", "PartText",
    "Unwrapped", "Url",
    "UrlExtractError", "UrlSyntaxError", "SourceError",
}  # fmt: skip


def test_the_public_names_are_these() -> None:
    assert set(urlextract.__all__) == NAMES
    assert {name for name in dir(urlextract) if not name.startswith("_")} == NAMES
    for module in (types, urls):
        assert {name for name in dir(module) if not name.startswith("_")} == set(module.__all__)
    with pytest.raises(AttributeError, match="no attribute 'zzz'"):
        urlextract.zzz  # noqa: B018


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = "import sys, urlextract; print([name for name in sys.modules if name.startswith('urlextract')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['urlextract']\n"


def test_help_is_read_in_ten_minutes() -> None:
    text = pydoc.plain(pydoc.render_doc(urlextract))
    assert len(text.split()) <= 6_000


def test_type_hints_can_be_read() -> None:
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


def test_one_extractor_serves_many_processes() -> None:
    for extractor, given in (
        (Extractor(relaxed=True, schemes=iter(["http"])), "see a.example.com <http://a.example/\nx>"),
        (Extractor(html=True, links=True, base="http://a.example/"), "<a href=x>x</a><img src=y>"),
        (MessageExtractor(source="x", parts="text"), b"Subject: http://a.example/\n\nhttp://b.example/"),
    ):
        found = extractor(given)  # type: ignore[operator]
        assert found
        assert pickle.loads(pickle.dumps(extractor))(given) == found


def test_repr_names_the_options_that_are_set() -> None:
    assert repr(Extractor()) == "Extractor()"
    assert repr(Extractor(join="safe", relaxed=False, forms=None)) == "Extractor()"
    assert repr(Extractor(html=True, schemes="http", base="http://a.example/")) == (
        "Extractor(html=True, schemes='http', base='http://a.example/')"
    )
    assert repr(MessageExtractor(source="UID 7", parts=["text"], hyphen="drop")) == (
        "MessageExtractor(source='UID 7', parts=('text',), hyphen='drop')"
    )


def test_a_page_is_called_with_its_base() -> None:
    extractor = Extractor(html=True, links=True, base="http://a.example/")
    assert [found.url for found in extractor("<a href=x>")] == ["http://a.example/x"]
    found = extractor("<a href=x>", base="http://b.example/")
    assert [each.url for each in found] == ["http://b.example/x"]
    with pytest.raises(ValueError, match="base"):
        extractor("<a href=x>", base="x")
    with pytest.raises(TypeError, match="'base' counts in HTML"):
        Extractor()("x", base="http://a.example/")


# --- names of what is read --------------------------------------------------------------------------


def test_a_message_in_memory_has_a_name() -> None:
    data = b"Subject: x\n\nsee http://a.example/ and <warning: long>\n"
    for results in (
        extract_message(data, source="UID 7"),
        examine(message=data, source="UID 7"),
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
    assert [type(result) for result in examine(message=first)] == [Found]


def test_a_source_has_the_name_that_it_is_given(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.write_bytes(BOX)
    for source in (lambda: box, lambda: str(box), lambda: io.BytesIO(BOX)):
        for each in (
            *extract_source(source(), name="mail/inbox"),
            *examine(source=source(), name="mail/inbox"),
            *read_messages(source(), name="mail/inbox"),
        ):
            assert each.source == "mail/inbox"
    page = b"http://a.example/ <a href=http://b.example/>x</a>"
    assert len(list(extract_source(io.BytesIO(page), name="x.html"))) == 2


def test_an_index_takes_records_in_hand(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    records = [found for number in (1, 2) for found in extract_message(BOX[35:], source=f"UID {number}")]
    assert index_sources(path, records=records).places == len(records) > 1
    with contextlib.closing(sqlite3.connect(path)) as index:
        rows = index.execute("SELECT source, url, subject FROM links ORDER BY source, url").fetchall()
    assert rows == sorted((found.source, found.url, found.subject) for found in records)


@pytest.mark.parametrize("kind", [Extractor, MessageExtractor])
def test_an_extractor_with_all_it_can_have_is_pickled(kind: Any) -> None:
    extractor = kind(gateways=("links.corp.example/r", "u"), hosts=".a.example", schemes=["http", "ticket"])
    again = pickle.loads(pickle.dumps(extractor))
    text: Any = "ticket:1 http://links.corp.example/r?u=http%3A%2F%2Fwww.a.example http://b.a.example/"
    data = text if kind is Extractor else f"Subject: x\n\n{text}\n".encode()
    assert again(data) == extractor(data)
    assert [found.unwrapped for found in again(data)] == [None]


@pytest.mark.parametrize(("field", "schemes", "url"), [
    (b"Subject: see ticket:4711", "ticket", "ticket:4711"),
    (b"List-Unsubscribe: <ticket:leave>", {"ticket", "http"}, "ticket:leave"),
    (b"Comments: <acct:a@b.example>", "any", "acct:a@b.example"),
])  # fmt: skip
def test_a_scheme_that_is_named_is_found_in_fields(field: bytes, schemes: Any, url: str) -> None:
    data = field + b"\n\nhi\n"
    assert [found.url for found in extract_message(data, schemes=schemes)] == [url]
    assert list(extract_message(data)) == []


# --- codes ------------------------------------------------------------------------------------------


def test_rejections_have_codes_and_links() -> None:
    (rejection,) = examine("<warning: long>")
    assert isinstance(rejection, Rejection)
    assert (rejection.reason, rejection.text, rejection.shown) == (
        'no scheme that stands in brackets without "//"',
        None,
        None,
    )
    (rejection,) = examine("Tel:12")
    assert isinstance(rejection, Rejection)
    assert rejection.reason == '"Tel:" is a label'
    page = "<a href='javascript:pay()'>www.bank.example</a>"
    rejection = next(each for each in examine(html=page) if isinstance(each, Rejection))
    assert rejection.reason == "a script"
    assert (rejection.text, rejection.shown) == ("www.bank.example", "www.bank.example")
    results = examine("<http://a.example:99999/>", valid=True)
    (rejection,) = (each for each in results if isinstance(each, Rejection))
    assert pickle.loads(pickle.dumps(rejection)) == rejection


LEFT_OUT = {
    "--form": {"forms": "angle"},
    "--scheme": {"schemes": "ftp"},
    "--host": {"hosts": "b.example"},
    "--not-host": {"not_hosts": "a.example"},
    "--domain": {"domains": "b.example"},
    "--grep": {"grep": "zz"},
    "--bracketed": {"bracketed": True},
}


@pytest.mark.parametrize("flag", LEFT_OUT)
def test_option_that_leaves_out_a_url_is_named(flag: str) -> None:
    (rejection,) = examine("see http://a.example/", **LEFT_OUT[flag])
    assert isinstance(rejection, Rejection)
    assert (rejection.raw, rejection.reason) == ("http://a.example/", f"a URL that {flag} leaves out")


def test_option_that_leaves_out_lines_is_named_with_the_urls_in_them() -> None:
    text = "> see <http://a.example/b-\n> c> x\n\nor http://b.example/x\n-- \nhttp://c.example/\n"
    for each in (text, f"Subject: x\n\n{text}".encode()):
        where = {"message": each} if isinstance(each, bytes) else {"text": each}
        results = [*examine(**where, quoted="skip", signature="skip")]
        [found] = [result for result in results if isinstance(result, Found)]
        assert found.url == "http://b.example/x"
        assert [(result.line, result.reason) for result in results if isinstance(result, Rejection)] == [
            (1, "a URL in a line that --quoted or --signature leaves out"),
            (6, "a URL in a line that --quoted or --signature leaves out"),
        ]


def test_messages_that_options_leave_out_are_told(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.write_text("".join(f"From a@b Mon Nov 14 09:12:44 1994\nFrom: {name}\n\nx\n\n" for name in "abcc"))
    told: list[SourceError] = []
    assert not [*examine(source=box, sender="a", since="1990", on_damage=told.append)]
    assert str(told[0]) == f"{box}, message 2: not read: --since or --sender leave it out"
    assert len(told) == 3


def test_links_leave_out_the_url_in_the_text_of_another_link() -> None:
    page = "<a href='http://evil.example/x'>http://bank.example/</a> <img src='http://a.example/i'>"
    [link, *rest] = examine(html=page, links=True)
    assert isinstance(link, Found)
    assert (link.url, link.shown) == ("http://evil.example/x", "http://bank.example/")
    assert [(each.raw, each.reason) for each in rest if isinstance(each, Rejection)] == [
        ("http://bank.example/", "a URL that --links leaves out"),
        ("http://a.example/i", "a URL that --links leaves out"),
    ]


@pytest.mark.parametrize(("text", "raw", "reason"), [
    ("see //a.example/x.", "//a.example/x", 'no scheme before "//"'),
    ("see http: //a.example/x", "http: //a.example/x", 'a blank before "//"'),
    ("(//cdn.a.example)", "//cdn.a.example", 'no scheme before "//"'),
])  # fmt: skip
def test_slashes_without_a_scheme_are_told(text: str, raw: str, reason: str) -> None:
    (rejection,) = examine(text)
    assert isinstance(rejection, Rejection)
    assert (rejection.raw, rejection.reason) == (raw, reason)


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


@pytest.mark.parametrize(("text", "target", "shown", "differs", "code"), [
    ("www.bank.example", "https://www.bank.example/login", "www.bank.example", "path", None),
    ("bank.com", "https://evil.example/", "bank.com", "domain", "shows-another-domain"),
    ("Log in at bank.com today", "https://evil.example/", None, None, "mentions-another-domain"),
    ("bank.com", "https://www.google.com/url?q=https://bank.com/", "bank.com", None, None),
    ("paypal.com", "https://paypa1.com/", "paypal.com", "lookalike", "shows-another-domain"),
    ("here", "https://evil.example/", None, None, None),
])  # fmt: skip
def test_a_link_is_compared_with_its_target(
    text: str, target: str, shown: Any, differs: Any, code: Any
) -> None:
    record, *_ = extract_html(f'<a href="{target}">{text}</a>')
    assert (record.shown, record.differs) == (shown, differs)
    assert [defect.code for defect in record.defects] == ([code] if code else [])


# --- gateways and schemes of one's own --------------------------------------------------------------

GATEWAYS = [("links.corp.example/r", "u"), (".gate.example", "to")]
WRAPPED = {
    "https://links.corp.example/r?u=https%3A%2F%2Fa.example%2Fx": "https://a.example/x",
    "https://LINKS.corp.example/r/?k=1&u=https%3A%2F%2Fa.example%2Fx": "https://a.example/x",
    "https://eu.gate.example/anything?to=https%3A%2F%2Fa.example%2Fx&k=2": "https://a.example/x",
    "https://links.corp.example/r?u=http%3A%2F%2Fa.example": "http://a.example",
    "https://links.corp.example/r?k=2&u=http://localhost:80": "http://localhost:80",
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


def test_one_gateway_needs_no_list() -> None:
    link, target = next(iter(WRAPPED.items()))
    assert [found.unwrapped for found in extract(link, gateways=GATEWAYS[0])] == [target]
    assert str(unwrap(link, GATEWAYS[0])) == str(unwrap(link, GATEWAYS))
    assert urlextract.mend(link, unwrap=True, gateways=GATEWAYS[0]) == target


@pytest.mark.parametrize("pair", ["a.example", ("a.example",), ("a b", "u"), ("a.example", ""), (1, "u")])
def test_what_is_no_pair_is_named(pair: Any) -> None:
    for pairs in ([pair], pair):
        with pytest.raises(ValueError, match=r"gateways: .* is not a pair"):
            extract("x", gateways=pairs)
        with pytest.raises(ValueError, match=r"gateways: .* is not a pair"):
            unwrap("http://a.example/", pairs)


NAMED = [  # a text, and its URLs by ``schemes``
    ("bolt://a.example/x, other://b.example/", "bolt", ["bolt://a.example/x"]),
    ('<myapp:open/5>, "myapp:6", <URL:myapp:7> <x:9>', "myapp", ["myapp:open/5", "myapp:6", "myapp:7"]),
    ("see (ticket:4711), ticket:5.", "ticket", ["ticket:4711", "ticket:5"]),
    ("Ticket:12 ticket:a/b?c#d URL:ticket:8", "ticket", ["Ticket:12", "ticket:a/b?c#d", "ticket:8"]),
    ("X-Ticket:4711 my-ticket:3 my.ticket:3", "ticket", []),
    ("ticket: 5, ticket::new, ticket:, ticket:... myticket:1", "ticket", []),
    ("ticket:http://a.example/ ticket:www.a.example", "ticket", []),  # a label
    ("ticket:5 note: x, see:y http://a.example/", {"any", "ticket"}, ["ticket:5", "http://a.example/"]),
    ("ticket:5 note: x, see:y", {"any"}, []),
    ("ticket:5 note: x, see:y http:foo", "http", []),
    ("xcon:5 <xcon:7> dav:8", "xcon", ["xcon:5", "xcon:7"]),  # which IANA knows
]  # fmt: skip


@pytest.mark.parametrize(("text", "schemes", "urls"), NAMED)
def test_a_scheme_that_is_named_is_found(text: str, schemes: Any, urls: list[str]) -> None:
    assert [found.url for found in extract(text, schemes=schemes)] == urls
    named = [f"--scheme={name}" for name in ([schemes] if isinstance(schemes, str) else sorted(schemes))]
    assert outcome(*named, data=text)[1].split() == urls


def test_the_command_reads_gateways_from_a_file(tmp_path: Path) -> None:
    rows = tmp_path / "gateways"
    rows.write_text("# ours\n\nlinks.corp.example/r u\r\n.gate.example\tto\n")
    data = " ".join(WRAPPED)
    assert outcome("--gateways", rows, "--unwrap", data=data) == (0, "\n".join([*WRAPPED.values(), ""]), "")
    for text, told in (
        (
            "links.corp.example\n",
            f"{rows}, line 1: 'links.corp.example': is not a host, with a folder or without",
        ),
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
    rejection, *_ = examine(html='<a href="javascript:pay()">www.bank.example</a>')
    assert isinstance(rejection, Rejection)
    (found,) = extract_html('<a href="javascript:pay()">www.bank.example</a>')
    assert words(found.defects) == ("shows-another-domain: bank.example, leads to a script",)
    page = f'<a href="{next(iter(WRAPPED))}">www.a.example</a>'
    assert next(extract_html(page, gateways=GATEWAYS)).defects == ()
    assert next(extract_html(page)).defects != ()


def test_wrong_values_are_named(tmp_path: Path) -> None:
    index = tmp_path / "x.db"
    calls: dict[str, Callable[[], object]] = {
        "relaxed is str": lambda: extract("x", relaxed="no"),
        "source is int": lambda: extract_message(b"x", source=3),
        "schemes: options count in sources": lambda: index_sources(index, records=(), schemes="http"),
        r"records has dict.*from_dict": lambda: index_sources(index, records=[{}]),
        "schemes is int": lambda: extract("x", schemes=3),
        "schemes: 1 is int": lambda: extract("x", schemes=[1]),
        "hosts: 1 is int": lambda: extract("x", hosts=[1]),
        "forms: None is NoneType": lambda: extract("x", forms=[None]),
        "charset is int": lambda: extract_message(b"x", charset=1),
        "base is bytes": lambda: extract_html("x", base=b"http://a.example/"),
        "url is int: it is a str or a Found": lambda: urlextract.defang(1),
        "text is NoneType: it is a str": lambda: urlextract.refang(None),
        "url is NoneType: it is a str or a Url": lambda: unwrap(None),
        "gateways is int": lambda: unwrap("http://a.example/", 3),
        "on_damage is int: it is a function": lambda: extract_message(b"x", on_damage=1),
        "on_damage is str: it is a function": lambda: extract_source("/dev/null", on_damage="x"),
        "on_damage is float: it is a function": lambda: MessageExtractor(on_damage=1.5),
        "a message is bytes.*not str: extract reads text": lambda: extract_message("x"),
        "data is str, not bytes": lambda: MessageExtractor().feed("x"),
        "examine takes one of": lambda: examine("x", html="x"),
        "'format' is no keyword": lambda: examine("x", format="mbox"),
        "'base' counts in HTML": lambda: examine(message=b"x", base="http://a.example/"),
        "width is str": lambda: urlextract.format_url("http://a.example/", width="40"),
        "text is bytes": lambda: parse_url(b"http://a.example/"),
        "function returned int": lambda: urlextract.replace_urls("http://a.example/", lambda _: 3),
        "function is str": lambda: urlextract.replace_urls("x", "y"),
        "escape returned what is no str": lambda: urlextract.replace_urls("x", str, escape=len),
        "text is list: it is a str": lambda: urlextract.replace_urls(["x"], str),
        "base is int": lambda: Extractor(html=True)("x", base=1),
        "html is str: it is True or False": lambda: Extractor(html="<p>"),
        "include is int": lambda: extract_source("/dev/null", include=1),
        "name is int": lambda: read_messages("/dev/null", name=1),
        "indent is int: it is a str of blanks": lambda: urlextract.format_url("http://a.example/", indent=2),
        "prefix is int": lambda: urlextract.format_url("http://a.example/", prefix=1),
        "encode is str: it is True or False": lambda: urlextract.format_url("http://a.example/", encode="y"),
        "follow is str": lambda: extract_source("/dev/null", follow="no"),
        "defang is int": lambda: urlextract.mend("x", defang=1),
        "break_urls is str": lambda: urlextract.rewrap("x", break_urls="x"),
        "data is str": lambda: Message("Subject: x"),
        "path is NoneType": lambda: urlextract.index_sources(None),
        "records is NoneType": lambda: urlextract.index_sources(tmp_path / "i", records=None),
        "parts_from is int": lambda: urlextract.index_sources(tmp_path / "i", parts_from=3),
        "source is bytes, not a path": lambda: urlextract.index_sources(tmp_path / "i", bytearray(b"x")),
        "escape is bool": lambda: urlextract.replace_urls("x", str, escape=True),
        r"'zzz' is no keyword(?!.*base)": lambda: extract_message(b"x", zzz="x"),
    }
    for message, call in calls.items():
        with pytest.raises(TypeError, match=message):
            call()


# --- messages of the standard library -----------------------------------------------------------------

MAILS = sorted({*Path(__file__, "../../corpora/letters").resolve().glob("*.eml")})


@pytest.mark.parametrize("policy", [email.policy.compat32, email.policy.default, email.policy.SMTPUTF8])
@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.name)
def test_a_message_of_the_standard_library_has_the_urls_of_its_bytes(path: Path, policy: Any) -> None:
    data = path.read_bytes()
    message = email.message_from_bytes(data, policy=policy)
    assert [found.url for found in extract_message(message)] == [found.url for found in extract_message(data)]


def test_a_message_of_the_standard_library_is_taken_everywhere() -> None:
    long = f"http://a.example/{'x' * 90}"
    message = email.message.EmailMessage()
    message["Subject"] = f"caf\u00e9 {long}"
    message.set_content("see http://b.example/\u00e9 <http://c.example/\nx>\n")
    urls = [long, "http://b.example/\u00e9", "http://c.example/x"]
    for read in (
        extract_message(message),
        examine(message=message),
        MessageExtractor()(message),
        (found for part in read_texts(message) for found in part.found),
    ):
        assert [found.url for found in read if isinstance(found, Found)] == urls
    assert list(extract_message(email.message.EmailMessage())) == []


def odd_messages() -> Iterator[email.message.Message]:
    """Yield messages that the standard library cannot write."""
    contents: tuple[Any, ...] = (
        "http://a.example/ \u00e9", "http://a.example/ \ud800", b"http://a.example/ \xff",
        ["http://a.example/"], [["x", 1, None], b"http://a.example/"],
    )  # fmt: skip
    for content in contents:
        message = email.message.Message()
        message["Content-Type"] = "multipart/mixed" if isinstance(content, list) else "text/plain"
        message.set_payload(content)
        yield message
    message = email.message.EmailMessage()
    message.set_content("http://a.example/")
    message.replace_header("Content-Type", 'text/plain; charset="no such"')
    message._headers.append(("X", "one\n\nhttp://b.example/ \udcff"))  # type: ignore[attr-defined]
    yield message


@pytest.mark.parametrize("message", [*odd_messages()])
def test_no_message_of_the_standard_library_raises(message: Any) -> None:
    assert "http://a.example/" in [found.url for found in extract_message(message)]


# --- what is put in place of URLs ------------------------------------------------------------------------


def test_urls_are_replaced_and_the_rest_is_escaped() -> None:
    text = "R&D: <http://a.example/?x&y>, www.b.example & http://c.example/"

    def linked(found: Found) -> str | None:
        return f'<a href="{html.escape(found.url)}">{found.host}</a>' if found.host != "c.example" else None

    assert urlextract.replace_urls(text, linked, escape=html.escape) == (
        'R&amp;D: &lt;<a href="http://a.example/?x&amp;y">a.example</a>&gt;, '
        '<a href="http://www.b.example">www.b.example</a> &amp; http://c.example/'
    )
    assert urlextract.replace_urls("a & b", linked, escape=html.escape) == "a &amp; b"
    assert urlextract.replace_urls(text, urlextract.defang, hosts="a.example") == text.replace(
        "http://a.example", "hxxp://a[.]example"
    )


def test_mend_has_the_options_of_the_command() -> None:
    link = "https://www.google.com/url?q=https://a.example/x"
    text = f"see <{link[:20]}\n{link[20:]}> and\n"
    assert urlextract.mend(text) == f"see <{link}>\nand\n"
    assert urlextract.mend(text, unwrap=True) == "see <https://a.example/x>\nand\n"
    assert urlextract.mend(text, unwrap=True, defang=True) == "see <hxxps://a[.]example/x>\nand\n"
    assert urlextract.mend(b"hxxp://a[.]example/x", refang=True) == b"http://a.example/x"
    with pytest.raises(ValueError, match="defang: cannot be used with refang"):
        urlextract.mend("x", defang=True, refang=True)
    with pytest.raises(ValueError, match="gateways: they change nothing without unwrap"):
        urlextract.mend("x", gateways=("a.example", "u"))
