"""Records: codes, places, conversion, and properties that never raise (API §1)."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from commands import lines, run
from hypothesis import given
from hypothesis import strategies as st
from remarks import words
from strategies import examples

from urlextract import (
    Found,
    SourceError,
    UrlSyntaxError,
    examine,
    extract,
    extract_html,
    extract_message,
    extract_source,
    parse_url,
)
from urlextract.dates import moment_of_field
from urlextract.output.jsonl import json_line
from urlextract.results import KEYS
from urlextract.schemes.url import host_name_of
from urlextract.types import CautionCode, Defect, DefectCode, Repair, RepairCode, ViolationCode

ROOT = Path(__file__).resolve().parent.parent
CORPORA = ROOT / "corpora"


def one(results: Any) -> Found:
    (found,) = results
    assert isinstance(found, Found)
    return found


# --- codes ---------------------------------------------------------------------------------------

REPAIRS = [
    ("joined-lines", "<http://a.ex\nample/>", {}),
    ("removed-quote-prefix", "> <http://a.ex\n> ample/>", {}),
    ("removed-blanks", "<http://a.example/b c>", {}),
    ("removed-backslashes", "<http://a.example/b\\\nc>", {}),
    ("removed-percent-signs", "\\url{http://a.example/b%\nxy}", {}),
    ("removed-hyphens", "<http://a.example/b\u2010\nc>", {}),
    ("removed-invisible", "\x1b[31mhttp://a.example/\x1b[1mb\x1b[0m", {}),
    ("removed-page-breaks", "<http://a.example/b\n\nOne [Page 9]\n\f\nRFC 1 Two 1994\n\nc>", {}),
    ("decoded-entities", "&lt;http://a.example/?b&amp;c&gt;", {}),
    ("decoded-escapes", '{"a":"http:\\/\\/a.example\\/b"}', {}),
    ("decoded-quoted-printable", f"caf=C3=A9 =20\n{'x' * 60} http://a.exam=\nple/=3Fb=3Dc =C3=A9=20\n", {}),
    ("encoded-characters", '"joe smith"@a.example', {"emails": True}),
    ("added-scheme", "www.a.example", {}),
    ("refanged", "hxxp://a.example/", {"refang": True}),
]


@pytest.mark.parametrize(("code", "text", "options"), REPAIRS, ids=[code for code, _, _ in REPAIRS])
def test_repairs_have_codes(code: str, text: str, options: dict[str, Any]) -> None:
    found = next(extract(text, **options))
    assert code in [repair.code for repair in found.repairs]
    assert all(
        isinstance(repair, Repair) and str(repair) == repair.words != repair.code for repair in found.repairs
    )


DEFECTS = [
    ("unclosed", "(see <http://a.example/ and more"),
    ("may-continue", "see http://a.example/one-\ntwos for it"),
    ("glued-before", "Seehttp://a.example/"),
    ("glued-after", "http://a.example/C言語"),
    ("cut", f"http://a.example/{'x' * 70_000}"),
    ("no-scheme", '<a href="//a.example/">'),
    ("odd-value", '<a href="http://a..example/">'),
    ("hidden-host", '<a href="http://%61.example/">'),
    ("shows-another-domain", '<a href="http://evil.example/">www.bank.example</a>'),
    ("mentions-another-domain", '<a href="http://evil.example/">Log in: www.bank.example</a>'),
    ("may-redirect", '<a href="http://a.example/?to=www.bank.example">www.bank.example</a>'),
    ("bidi-override", '<a href="http://a.example/">\u202ekcilc</a>'),
    ("undecodable-bytes", "http://a.example/\udce9t"),
    ("undecoded-quoted-printable", "see http://a.example/?x=3Dy, and"),
    ("undeclared-quoted-printable",
     b"Subject: x\n\n=C3=A9 =C3=A4 http://a.example/?b=3Dc=\nd =20\n=E2=82=AC =3D\n"),
    ("wrong-length", b"#! rnews 99\nPath: a\nSubject: x\n\nhttp://a.example/\n"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "text"), DEFECTS, ids=[code for code, _ in DEFECTS])
def test_defects_have_codes(code: str, text: str | bytes, tmp_path: Path) -> None:
    results = extract(text) if isinstance(text, str) else iter(())
    if isinstance(text, bytes):
        (tmp_path / "file").write_bytes(text)
        results = extract_source(tmp_path / "file")
    elif text.startswith("<a "):
        results = extract_html(text)
    found = next(results)
    assert code in [defect.code for defect in found.defects]
    assert all(isinstance(defect, Defect) for defect in found.defects)


def test_every_code_has_a_case() -> None:
    assert [code for code, _, _ in REPAIRS] == [code.value for code in RepairCode]
    assert [code for code, _ in DEFECTS] == [code.value for code in DefectCode]


@pytest.mark.parametrize("value", [
    Repair(RepairCode.JOINED_LINES, "joined 2 lines"), Defect.of(DefectCode.UNCLOSED),
])  # fmt: skip
def test_a_code_survives_copies(value: Repair | Defect) -> None:
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*pickled, copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert again.code is value.code
        assert type(again) is type(value)


# --- places --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "span", "inner", "pieces"), [
    # A text, what is at span, at inner, and at each of pieces.
    ("see http://a.example/x.", "http://a.example/x", "http://a.example/x", ["http://a.example/x"]),
    ("<URL:http://a.example/x>", "<URL:http://a.example/x>", "http://a.example/x", ["http://a.example/x"]),
    ("< http://a.example/x >", "< http://a.example/x >", "http://a.example/x", ["http://a.example/x"]),
    ('"http://a.example/x"', '"http://a.example/x"', "http://a.example/x", ["http://a.example/x"]),
    ("URL:http://a.example/x", "URL:http://a.example/x", "http://a.example/x", ["http://a.example/x"]),
    ("www.a.example", "www.a.example", "www.a.example", ["www.a.example"]),
    ("<www.a.example>", "<www.a.example>", "www.a.example", ["www.a.example"]),
    ("> <http://a.ex\n> ample/>", "<http://a.ex\n> ample/>", "http://a.ex\n> ample/",
     ["http://a.ex", "ample/"]),
    ("é <http://b.example/é>", "<http://b.example/é>", "http://b.example/é", ["http://b.example/é"]),
])  # fmt: skip
def test_span_inner_and_pieces(text: str, span: str, inner: str, pieces: list[str]) -> None:
    found = one(extract(text))
    assert found.span.of(text) == span
    assert found.inner.of(text) == inner == found.raw
    assert [piece.of(text) for piece in found.pieces] == pieces


KEPT = ("http://a.example/b-c", ["http://a.example/b-", "c"], ["joined 2 lines"])
DROPPED = ("http://a.example/bc", ["http://a.example/b", "c"], ["joined 2 lines", "removed hyphen"])


@pytest.mark.parametrize(
    ("hyphen", "expected"), [("drop", [DROPPED]), ("keep", [KEPT]), ("both", [KEPT, DROPPED])]
)
def test_pieces_and_repairs_are_those_of_the_reading(hyphen: Any, expected: list[Any]) -> None:
    text = "<http://a.example/b-\nc>"
    assert [
        (found.url, [piece.of(text) for piece in found.pieces], list(words(found.repairs)))
        for found in extract(text, hyphen=hyphen)
    ] == expected


def test_pieces_without_hyphens_are_those_of_the_quoted_lines() -> None:
    text = "> <http://a.example/b-\n> c-\n> d- e->"
    kept, dropped = extract(text, hyphen="both")
    assert [piece.of(text) for piece in kept.pieces] == ["http://a.example/b-", "c-", "d-", "e-"]
    assert [piece.of(text) for piece in dropped.pieces] == ["http://a.example/b", "c", "d-", "e-"]
    assert (dropped.url, words(dropped.repairs)[-1]) == ("http://a.example/bcd-e-", "removed 2 hyphens")
    assert dropped.alternatives[0].url == kept.url


def test_readings_of_hyphens_are_not_those_of_joints() -> None:
    joined = (
        "> It is at\n> https://lists.example.org/archives/list/harbor/thread/2026-\n> November/AB3Q7Z/tides\n"
    )
    assert [found.url.partition("2026")[2] for found in extract(joined, hyphen="both")] == [
        "-November/AB3Q7Z/tides",
        "November/AB3Q7Z/tides",
    ]
    cut = "See http://www.example.org/harbour/tide-\ntables for it.\n"
    assert [found.raw for found in extract(cut, hyphen="both")] == ["http://www.example.org/harbour/tide-"]


def test_each_reading_of_a_hyphen_has_its_own_host() -> None:
    text = "see <http://ab-\ncd.example/x>"
    readings = extract(text, hyphen="both")
    assert [(found.url, found.host) for found in readings] == [
        ("http://ab-cd.example/x", "ab-cd.example"), ("http://abcd.example/x", "abcd.example"),
    ]  # fmt: skip
    for host in ("ab-cd.example", "abcd.example"):
        assert [found.host for found in extract(text, hyphen="both", hosts=host)] == [host]


@pytest.mark.parametrize("unwrap", [False, True])
@pytest.mark.parametrize("text", [
    "see <http://ab-\ncd.example:80/x>", "<https://www.google.com/url?q=https://a.example/b-\nc&sa=D>",
])  # fmt: skip
def test_each_reading_of_a_hyphen_has_what_is_said_of_its_own_url(text: str, unwrap: bool) -> None:
    """All but the alternatives is what the option for that reading alone tells."""
    both = [*extract(text, hyphen="both", parse=True, unwrap=unwrap)]
    assert [msgspec.structs.replace(found, alternatives=()) for found in both] == [
        msgspec.structs.replace(
            next(extract(text, hyphen=hyphen, parse=True, unwrap=unwrap)), alternatives=()
        )
        for hyphen in ("keep", "drop")
    ]


def test_pieces_of_visible_text_are_in_the_markup() -> None:
    page = "<p>www.a.ex<b>ample</b>/x&amp;y"
    found = one(extract_html(page))
    assert [piece.of(page) for piece in found.pieces] == ["www.a.ex", "ample", "/x", "&amp;", "y"]
    assert found.inner.of(page) == found.raw == "www.a.ex<b>ample</b>/x&amp;y"


HREFS = ["//host:", "h&#116;tp://g.ex ample/", "http://a..example/x y", " http://a.example/\n"]


@pytest.mark.parametrize("href", HREFS)
def test_raw_of_an_attribute_is_in_the_markup(href: str) -> None:
    page = f"<a href='{href}'>y</a>"
    for found in extract_html(page):
        assert found.inner.of(page) == found.raw


def test_context_has_the_lines_of_the_place() -> None:
    text = "one\ntwo <http://a.ex\nample/> three\nfour"
    assert one(extract(text)).context is None
    found = one(extract(text, context=True))
    assert found.context == "two <http://a.ex\nample/> three"
    assert [each.context for each in examine(text)] == [found.context]


def test_context_is_bounded() -> None:
    found = one(extract(f"{'a ' * 500}http://a.example/{' b' * 500}", context=True))
    assert found.context == f"{'a ' * 30}http://a.example/{' b' * 60}"


def test_results_of_messages_and_pages_have_a_context() -> None:
    message = (
        b"Subject: see www.s.example\nContent-Type: text/html\n\nx\n<p>a <a href='http://a.example/'>b</a>\ny"
    )
    contexts = [result.context for result in examine(message=message)]
    assert contexts == ["see www.s.example", "<p>a <a href='http://a.example/'>b</a>"]
    assert [found.context for found in extract_message(message, context=True)] == contexts
    assert {found.context for found in extract_message(message)} == {None}


def test_examine_of_a_source_has_rejections_and_contexts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n<warning: x> http://a.example/\n")
    rejection, found = examine(source=tmp_path / "a.txt")
    assert (rejection.raw, found.raw) == ("<warning:", "http://a.example/")
    assert rejection.context == found.context == "<warning: x> http://a.example/"


@pytest.mark.parametrize(("one", "other", "is_same"), [
    ("http://a.example", "HTTP://A.example:80/", True), ("http://a.example/%61", "http://a.example/a", True),
    ("http://a.example/#b", "http://a.example/", False), ("http://a.example/x/", "http://a.example/x", False),
    ("http:x", "http:x", True), ("http:x", "http:y", False),
])  # fmt: skip
def test_key_is_equal_for_the_same_url(one: str, other: str, is_same: bool) -> None:
    """It never raises; `-u`, the picker and the index use it (API)."""
    first, second = (found.key for found in extract(f"<URL:{one}> <URL:{other}>"))
    assert (first == second) == is_same
    assert first == (parse_url(one).key if "//" in one else one)


# --- properties that never raise -----------------------------------------------------------------


@pytest.mark.parametrize("text", ["<URL:http:x>", "<URL:gopher:x>", "<URL:nntp:x>"])
def test_a_url_that_does_not_parse_has_empty_properties(text: str) -> None:
    found = one(extract(text))
    assert found.parse() is None
    assert (found.host, found.domain, found.key) == (None, None, found.url)
    (fault,) = one(extract(text, parse=True)).violations
    assert (fault.rule, fault.code) == ("syntax", ViolationCode.SYNTAX)
    assert found.scheme == found.url.partition(":")[0]


@pytest.mark.parametrize(("url", "host"), [
    ("http://A.Example:80/x", "a.example"), ("http://me:pw@A.example/", "a.example"),
    ("http://bücher.example/", "xn--bcher-kva.example"), ("mailto:joe@a.example", None),
    ("file:///etc/motd", None), ("http://192.0.2.1/", "192.0.2.1"), ("news:comp.lang.python", None),
    ("ftp://a.example", "a.example"), ("http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
])  # fmt: skip
def test_host_is_lower_case_with_a_labels(url: str, host: str | None) -> None:
    found = one(extract(f"<URL:{url}>"))
    assert found.host == host == found.to_dict()["host"]


@examples(500)
@given(
    st.sampled_from(["http:", "HTTPS:", "ftp:", "gopher:", "news:", "x:", ""]),
    st.sampled_from(["//", "/", ""]),
    st.text(st.sampled_from("aB1.:@[]%?#/\\ é-\n"), max_size=12),
)
def test_host_is_that_of_the_parsed_url(scheme: str, slashes: str, rest: str) -> None:
    text = scheme + slashes + rest
    try:
        expected = parse_url(text).host_name
    except UrlSyntaxError:
        expected = None
    assert host_name_of(text) == expected


# --- where it is from ----------------------------------------------------------------------------


def test_a_record_has_the_fields_of_the_message() -> None:
    data = (
        b"From: Ada <a@b.example>\nTo: =?utf-8?Q?J=C3=BCrg?= <j@c.example>,\n k@c.example\nSubject: x\n"
        b"Message-ID: <1@b>\nDate: Mon, 14 Nov 1994 09:12:31 -0500\nList-Id: a list <l.b.example>\n"
        b"Newsgroups: comp.lang.c\n\nhttp://a.example/\n"
    )
    found = one(extract_message(data))
    assert found.from_ == "Ada <a@b.example>"
    assert found.to == "Jürg <j@c.example>, k@c.example"
    assert (found.subject, found.list_id, found.newsgroups) == ("x", "l.b.example", "comp.lang.c")
    assert (found.message_id, found.part) == ("<1@b>", "1")
    assert (found.date_field, found.date) == ("Mon, 14 Nov 1994 09:12:31 -0500", "1994-11-14T14:12:31Z")
    assert (found.offset, found.length) == (0, len(data))
    assert data[found.byte :].startswith(b"http://a.example/")


@pytest.mark.parametrize(("text", "moment"), [
    ("Mon, 14 Nov 1994 09:12:31 GMT", "1994-11-14T09:12:31+00:00"),
    ("14 Nov 94 09:12 -0000", "1994-11-14T09:12:00+00:00"),
    ("1994-11-14T09:12:31Z", "1994-11-14T09:12:31+00:00"),
    ("Mon, 14 Nov 1994 09:12:31 +0100 (MET)", "1994-11-14T09:12:31+01:00"),
    ("Tue, 30 Jun 1992 23:59:60 GMT", "1992-06-30T23:59:59+00:00"),
    ("yesterday", None), ("", None), ("99 Foo 2020", None), ("Mon, 14 Nov 1994 99:12:31 +9999", None),
])  # fmt: skip
def test_moment_has_a_zone_or_is_none(text: str, moment: str | None) -> None:
    read = moment_of_field(text)
    assert (read.isoformat() if read else None) == moment


def test_offset_and_length_of_a_message_in_its_source() -> None:
    path = CORPORA / "inbox.mbox"
    data = path.read_bytes()
    for found in extract_source(path):
        assert found.offset is not None
        assert found.length is not None
        message = data[found.offset : found.offset + found.length]
        assert data[: found.offset].endswith(b"\n")
        assert found.message_id is None or found.message_id.encode() in message


# --- records -------------------------------------------------------------------------------------


def printed(*words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(run("-j", *words, cwd=ROOT))]


@pytest.mark.parametrize("parse", [False, True])
def test_to_dict_is_what_the_command_prints(parse: bool) -> None:
    damage: list[SourceError] = []
    found = list(extract_source(str(CORPORA.relative_to(ROOT)), on_damage=damage.append, parse=parse))
    records = printed(*(["--parse"] if parse else []), "corpora")
    assert len(records) > 100
    assert [each.to_dict() for each in found] == records
    assert [Found.from_dict(record) for record in records] == found
    assert all(tuple(record) == KEYS for record in records)
    assert {record["v"] for record in records} == {5}


@pytest.mark.parametrize("parse", [False, True])
def test_parse_fills_what_is_null_without_it(parse: bool) -> None:
    found = one(extract("<ftp://me:pw@a.example/b c>", parse=parse))
    if not parse:
        assert (found.violations, found.warnings, found.parsed) == (None, None, None)
        return
    url = parse_url(found.url)
    assert (found.violations, found.warnings) == (url.violations, url.warnings)
    assert found.warnings
    assert found.warnings[0].code is CautionCode.PASSWORD
    assert found.parsed
    assert (found.parsed["user"], found.parsed["name"], found.parsed["default_port"]) == ("me", "bc", 21)


def test_records_fit_the_schema() -> None:
    schema = Found.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for record in [
        *printed("--parse", "corpora", "tests/cases"),
        *printed("-u", "--defang", "corpora"),
        *(found.to_dict() for found in extract("http://a.example/", context=True)),
    ]:
        validator.validate(record)
    assert list(schema["properties"]) == [*KEYS, "defanged", "count", "places"]
    assert schema["required"] == list(KEYS)
    assert not validator.is_valid({**record, "more": 1})
    assert not validator.is_valid({**record, "form": "wrapped"})
    assert not validator.is_valid({**record, "line": None})
    assert not validator.is_valid({**record, "v": 4})


def test_each_key_of_the_schema_has_its_meaning() -> None:
    properties = Found.schema()["properties"]
    assert all(properties[key]["description"].endswith(".") for key in KEYS)
    assert properties["repairs"]["items"]["properties"]["code"]["enum"] == sorted(RepairCode)
    assert set(properties["places"]["items"]["properties"]) == {
        "form", "start", "end", "byte", "line", "column", "source", "message", "message_id", "part", "header",
    }  # fmt: skip


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"url": 1}, "url"), ({"start": "x"}, "start"), ({"form": "no"}, "no"),
    ({"pieces": None}, "pieces"), ({"pieces": [[1]]}, "pieces"), ({"inner": [1]}, "inner"),
    ({"inner": [1, True]}, "inner"), ({"line": None}, "line"), ({"line": True}, "line"),
    ({"confidence": "high"}, "confidence"), ({"alternatives": [1]}, "alternatives"),
    ({"alternatives": [{"url": "x"}]}, "alternatives"), ({"repairs": [{"code": "no", "words": "x"}]}, "no"),
    ({"repairs": ["x"]}, "repairs"), ({"defects": [{"code": "cut"}]}, "defects"),
    ({"date": 5}, "date"), ({"subject": ["x"]}, "subject"), ({"message": "1"}, "message"),
    ({"occurrence": None}, "occurrence"), ({"start": -1}, "start"), ({"line": 0}, "line"),
    ({"confidence": float("nan")}, "confidence"), ({"confidence": 2.0}, "confidence"),
    ({"parsed": []}, "parsed"), ({"differs": "no"}, "differs"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_from_dict_refuses_what_is_no_record(change: dict[str, Any], message: str) -> None:
    record = one(extract("<http://a.example/>")).to_dict()
    with pytest.raises(ValueError, match=message):
        Found.from_dict({**record, **change})


@pytest.mark.parametrize("version", [1, 2, 3, 4, 6, "5", None])
def test_from_dict_names_another_version(version: Any) -> None:
    record = {**one(extract("<http://a.example/>")).to_dict(), "v": version}
    with pytest.raises(ValueError, match=f"the version of the record is {version!r}: only 5 can be read"):
        Found.from_dict(record)


@pytest.mark.parametrize("record", [None, "x", ["url"], 1])
def test_from_dict_refuses_what_is_no_object(record: Any) -> None:
    with pytest.raises(ValueError, match="object"):
        Found.from_dict(record)


@pytest.mark.parametrize("key", [
    "v", "url", "form", "scheme", "host", "start", "end", "inner", "byte", "line", "column", "raw", "pieces",
])  # fmt: skip
def test_from_dict_names_a_missing_key(key: str) -> None:
    record = one(extract_html("<a href='http://a.example/'>x</a>")).to_dict()
    del record[key]
    with pytest.raises(ValueError, match=f"`{key}`"):
        Found.from_dict(record)


# --- other libraries -----------------------------------------------------------------------------

ODD = b"From: \xff\nSubject: \xe9t\xe9\n\nsee http://a.example/\xe9 and <http://b.ex\nample/>\n"


def records() -> list[Found]:
    return [
        *extract_message(ODD, parse=True, context=True),
        *extract("http://a.example/b-\nc", join="likely"),
    ]


def test_msgspec_reads_and_writes_records() -> None:
    found = records()
    assert msgspec.json.decode(msgspec.json.encode(found), type=list[Found]) == found
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=list[Found]) == found
    with pytest.raises(msgspec.ValidationError, match="v"):
        msgspec.json.decode(msgspec.json.encode({**found[0].to_dict(), "v": 4}), type=Found)


def test_json_and_pickle_and_copies_keep_records() -> None:
    for found in records():
        assert Found.from_dict(json.loads(json.dumps(found.to_dict()))) == found
        assert pickle.loads(pickle.dumps(found)) == found == copy.copy(found) == copy.deepcopy(found)
        assert (
            found.__replace__(url="http://c.example/").url == "http://c.example/"
        )  # what copy.replace calls


def test_a_record_is_a_key_of_sets() -> None:
    assert len({*records(), *records()}) == len(records())


def test_lone_surrogates_come_back() -> None:
    """The name of a file may be in any encoding; valid JSON has U+FFFD in its place."""
    (found,) = extract_message(b"Subject: x\n\nhttp://a.example/", source="caf\udce9")
    assert Found.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert found.source == "caf\udce9"
    assert json_line(found).startswith('{"v":5,')
    assert json.loads(json_line(found))["source"] == "caf\ufffd"
