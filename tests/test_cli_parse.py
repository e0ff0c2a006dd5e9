"""The ``parse`` command, ``--valid`` and ``--parse`` from outside (SPEC §5)."""

from __future__ import annotations

import json
import subprocess

import pytest
from commands import COMMAND, outcome
from realtools import LIMIT, on_a_terminal

from urlextract import extract, parse_url


def test_parse_prints_the_parts_of_each_url() -> None:
    status, out, err = outcome("parse", "news:comp.lang.c", "http://a.example:x/", "man:ls(1)")
    assert (status, out) == (1, """\
news:comp.lang.c
^^^^              scheme    news
     ^^^^^^^^^^^  group     comp.lang.c
    fits rfc1738, rfc5538, rfc1630
man:ls(1)
^^^        scheme    man
    ^^     name      ls
       ^   section   1
    fits uri(7), rfc3986
""")  # fmt: skip
    told = f"urlextract: port is not a number\n    http://a.example:x/\n{' ' * 21}^\n"
    assert err == told


@pytest.mark.parametrize("words", [["parse"], ["parse", "-"]])
def test_parse_reads_urls_from_stdin(words) -> None:
    data = b"\xef\xbb\xbfhttp://a.example/\n\n ftp://b.example/\r\nhttp://\xff.example/\n"
    status, out, err = outcome(*words, data=data)
    assert (status, err) == (0, "")
    fits = [line for line in out.splitlines() if line.startswith("    fits")]
    assert fits[:2] == ["    fits rfc1738, rfc3986, rfc1630"] * 2
    assert "not a label of a host" in out


def test_json_has_the_same_keys_for_valid_and_invalid_urls() -> None:
    status, out, err = outcome("parse", "--json", "ldap://h.example/o=x???(a=b)?!c=d,e", "nothing")
    assert (status, err) == (1, "")
    first, second = map(json.loads, out.splitlines())
    assert list(first) == list(second) == ["url", "parsed", "violations", "warnings", "error"]
    assert first["error"] is None
    assert first["parsed"]["extensions"] == [["!c", "d"], ["e", None]]
    assert first["parsed"]["default_port"] == 389
    assert second["parsed"] is None
    assert second["error"] == {"start": 0, "end": 1, "message": "no scheme"}


def test_violations_and_warnings_are_printed_with_their_spans() -> None:
    _, out, _ = outcome("parse", "http://me:pw@a.example/b c")
    assert out.splitlines()[-3:] == [
        "    fits no grammar of its scheme",
        "    violation, 25-25: unsafe character unencoded (RFC 3986, appendix A: hsegment)",
        "    warning, 11-12: a password for everyone to read",
    ]


def test_parse_has_help() -> None:
    status, out, _ = outcome("parse", "--help")
    assert (status, "Usage: urlextract parse" in out) == (0, True)


def test_escape_sequence_never_reaches_a_terminal() -> None:
    shown = on_a_terminal(["parse", "http://a.example/\x1b[31m", "no\x1b[31m"])
    assert b"\x1b" not in shown
    assert b"unsafe character" in shown


def test_full_output_is_reported() -> None:
    with open("/dev/full", "wb") as full:
        words = [*COMMAND, "parse", "news:a.b"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, check=False, timeout=LIMIT)
    assert (done.returncode, done.stderr) == (2, b"urlextract: output: No space left on device\n")


@pytest.mark.parametrize(("url", "line"), [
    ("file:///", "       ^  path      /"),
    ("http://h.dom:08080/", "             ^^^^^   port      8080"),
    ("http://例え.dom/", "       ^^^^^^^^   host      例え.dom"),
    ("mailto:x@y.dom?a=b&c&d=", "  headers    a=b, c, d="),
    ("ldap:///????!e=f,g", "  extensions  !e=f, g"),
    ("http://a.example/" + "b" * 200, "8-16  host      a.example"),  # too long for markers
])  # fmt: skip
def test_marker_is_below_its_part(url, line) -> None:
    assert any(shown.endswith(line) for shown in outcome("parse", url)[1].splitlines())


TEXT = b"ftp://a.example/b;type=d http://c.example:99999/ <http://d.example/%zz> http://e.example/~f\n"


def test_strict_prints_only_valid_urls() -> None:
    status, out, _ = outcome("--valid", data=TEXT)
    assert (status, out) == (0, "ftp://a.example/b;type=d\nhttp://e.example/~f\n")


def test_strict_explains_the_violated_rule_and_its_place() -> None:
    _, out, _ = outcome("--valid", "--explain", data=TEXT)
    reasons = [line.partition("not taken, ")[2] for line in out.splitlines() if "not taken" in line]
    assert reasons == [
        "bare: RFC 1738, section 5: port: port out of range, '99999' at character 18",
        "angle: RFC 1738, section 5: hsegment: \"%\" without two hexadecimal digits, '%' at character 18",
    ]


@pytest.mark.parametrize(("text", "reason"), [
    ("<URL:http://h.dom/~a|b>", "'|' at character 16"),
    ("<URL:http://[::1]/~a|b>", "'|' at character 16"),
    ("<http://h.dom:/a^>", "'^' at character 16"),
])  # fmt: skip
def test_strict_names_the_rule_of_the_nearest_grammar(text, reason) -> None:
    _, out, _ = outcome("--valid", "--explain", data=text.encode())
    assert f"RFC 3986, appendix A: hsegment: unsafe character unencoded, {reason}" in out


def test_parse_option_fills_violations_warnings_and_parsed() -> None:
    data = b"see ftp://me:pw@a.example/b~c and ftp://a.example/%zz and http://a:x/"
    first, wrong, second = map(json.loads, outcome("--parse", data=data)[1].splitlines())
    assert wrong["violations"] == [{
        "start": 16, "end": 17, "rule": "RFC 1738, section 5: fsegment",
        "message": '"%" without two hexadecimal digits', "code": "bad-escape",
    }]  # fmt: skip
    assert first["violations"] == []  # RFC 3986 allows the tilde
    warning = {"start": 9, "end": 11, "message": "a password for everyone to read", "code": "password"}
    assert first["warnings"] == [warning]
    assert (first["parsed"]["user"], first["parsed"]["grammars"]) == ("me", ["rfc3986"])
    assert second["url"] == "http://a"
    (merged,) = outcome("--parse", "-u", data=b"http://a.example/ http://a.example/")[1].splitlines()
    assert json.loads(merged)["parsed"]["host"] == "a.example"
    assert json.loads(outcome("-j", data=b"http://a.example/")[1])["parsed"] is None


def test_found_has_the_violations_and_warnings_of_its_url() -> None:
    (found,) = extract("ftp://me:pw@a.example/b%zz", parse=True)
    url = parse_url(found.url)
    assert found.parse() == url
    assert found.parsed
    assert (found.parsed["name"], found.parsed["user"]) == ("b%zz", "me")
    assert (found.violations, found.warnings) == (url.violations, url.warnings)
