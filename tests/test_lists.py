"""Lists of URLs: each once, and the most frequent ones, their hosts or domains."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from commands import lines, outcome, run
from hypothesis import given
from hypothesis import strategies as st
from sampled import mostly_slow

from urlextract import parse_url
from urlextract.errors import UrlSyntaxError
from urlextract.output.unique import key_by
from urlextract.schemes.url import normal_form

TEXT = (
    "http://a.example http://b.example/ HTTP://A.example:80/ http://a.example/ http://b.example/x\n"
    "http://c.b.example/#f mailto:x@y http://b.example/\n"
)
ALL = TEXT.split()


def listed(*numbers: int) -> list[str]:
    return [ALL[number] for number in numbers]


@pytest.mark.parametrize(("options", "expected"), [
    ("-u", listed(0, 1, 4, 5, 6)),
    ("-u -m 2", listed(0, 1)),
    ("-c -u", ["5"]),
    ("-u -n", ["1:http://a.example", "1:http://b.example/", "1:http://b.example/x",
               "2:http://c.b.example/#f", "2:mailto:x@y"]),
    ("--top", ["      3 http://a.example", "      2 http://b.example/", "      1 http://b.example/x",
               "      1 http://c.b.example/#f", "      1 mailto:x@y"]),
    ("--top 2", ["      3 http://a.example", "      2 http://b.example/"]),
    ("--top -m 1", ["      3 http://a.example"]),
    ("--top 1 -m 2", ["      3 http://a.example"]),
    ("--top -H -n -m 1", ["      3 -:1:http://a.example"]),
    ("--top --by domain", ["      4 b.example", "      3 a.example", "      1 mailto:x@y"]),
    ("--by host --top", ["      3 a.example", "      3 b.example", "      1 c.b.example",
                         "      1 mailto:x@y"]),
    ("--top 2 -m 1 --by domain", ["      4 b.example"]),
    ("--top=1 --by=domain --scheme mailto", ["      1 mailto:x@y"]),
    ("--top 1 --by domain --defang", ["      4 b[.]example"]),
    ("--top 1 --by domain -n", ["      4 1:http://b.example/"]),
    ("--top 1 --by domain -H", ["      4 -:http://b.example/"]),
    ("--top 2 --by domain --raw", ["      4 http://b.example/", "      3 http://a.example"]),
    ("--top 2 --by domain --fields host,line", ["4\tb.example\t1", "3\ta.example\t1"]),
    ("--top 1 --by domain --csv --fields host,url", ["count,host,url", "4,b.example,http://b.example/"]),
    ("-q --top --by host", []),
    ("-q --top", []),
])  # fmt: skip
def test_lists(options: str, expected: list[str]) -> None:
    done = run(*options.split(), data=TEXT)
    assert (lines(done), done.returncode, done.stderr) == (expected, 0, b"")


def test_nul_ends_each_line_of_top() -> None:
    done = run("--top", "2", "-0", data=TEXT)
    assert done.stdout == b"      3 http://a.example\0      2 http://b.example/\0"


def test_the_number_of_top_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "text").write_text(TEXT)
    (tmp_path / "1").write_text(TEXT)
    assert lines(run("--top", "text", cwd=tmp_path))[0] == "      3 http://a.example"
    assert len(lines(run("--top", "1", "text", cwd=tmp_path))) == 1
    assert lines(run("--top", "--", "1", "text", cwd=tmp_path))[0] == "      6 http://a.example"
    assert len(lines(run("--top", "./1", cwd=tmp_path))) == 5
    assert run("--", "--top", cwd=tmp_path).stderr == b"urlextract: --top: No such file or directory\n"


@pytest.mark.parametrize(("words", "message"), [
    ("--top 0", "--top: 0 is less than 1"), ("--top=x", "--top: 'x' is not a number"),
    ("--top --by url", "--by: unknown value 'url': choose host or domain"),
    ("--by host", "--by: needs --top"), ("-q --by host", "--by: needs --top"),
])  # fmt: skip
def test_wrong_values(words: str, message: str) -> None:
    assert outcome(*words.split(), data=TEXT) == (2, "", f"urlextract: {message}\n")


def records(*options: str) -> list[dict]:
    return [json.loads(line) for line in lines(run(*options, data=TEXT))]


def test_records_have_the_count_and_all_places() -> None:
    counts = [(record["url"], record["count"], len(record["places"])) for record in records("-j", "--top")]
    assert counts == [(ALL[0], 3, 3), (ALL[1], 2, 2), (ALL[4], 1, 1), (ALL[5], 1, 1), (ALL[6], 1, 1)]
    assert [record["count"] for record in records("-j", "--top", "1")] == [3]
    assert records("-u", "-j") == sorted(records("-j", "--top"), key=lambda r: ALL.index(r["url"]))
    assert [place["column"] for place in records("-u", "-j", "-m", "1")[0]["places"]] == [1, 36, 57]
    by_domain = [(record["url"], record["count"], len(record["places"]))
                 for record in records("-j", "--top", "2", "--by", "domain")]  # fmt: skip
    assert by_domain == [(ALL[1], 4, 4), (ALL[0], 3, 3)]
    assert all("count" not in record for record in records("-j"))


@pytest.mark.parametrize("options", mostly_slow(
    ["--top 3 --by domain", "-u", "--top 3", "-u -n", "--top -H", "-c -u", "--top --by host -n"]
))  # fmt: skip
def test_processes_make_the_same_lists(options: str, tmp_path: Path) -> None:
    for number in range(30):
        text = f"From: a@b.example\nSubject: {number}\n\n{TEXT} http://{number % 7}.example\n"
        (tmp_path / str(number)).write_text(text)
    single = outcome(*options.split(), "-J1", tmp_path)
    assert single == outcome(*options.split(), "-J2", tmp_path)
    assert single[1]


def test_state_with_a_list_gives_what_is_new(tmp_path: Path) -> None:
    (tmp_path / "text").write_text(TEXT)
    words = ("--top", "1", "--state", tmp_path / "state", tmp_path / "text")
    assert lines(run(*words)) == ["      3 http://a.example"]
    with (tmp_path / "text").open("a") as file:
        file.write("http://new.example/\n")
    assert lines(run(*words)) == ["      1 http://new.example/"]


def test_no_result_is_status_1() -> None:
    for options in (["-u"], ["--top"], ["--top", "-j"], ["--top", "--by", "host"]):
        assert outcome(*options, data="none") == (1, "", "")


SAME = [
    ("http://a.example", "HTTP://A.Example:80/"), ("http://a.example?x", "http://a.example/?x"),
    ("http://a.example/%7Ex", "http://a.example/~x"), ("http://b\xfccher.example", "http://xn--bcher-kva.example/"),
    ("http://a.example/#f", "http://a.example#f"), ("ftp://a.example:21/x", "ftp://A.example/x"),
    ("http://a.example/\xe9", "http://a.example/%C3%A9"),
]  # fmt: skip
OTHERS = [
    ("http://a.example/", "https://a.example/"), ("http://a.example/", "http://a.example:8080/"),
    ("http://a.example/x", "http://a.example/x/"), ("http://a.example/#f", "http://a.example/"),
    ("http://a.example/X", "http://a.example/x"), ("http://a.example/%2F", "http://a.example//"),
    ("http://a.example/?", "http://a.example/"), ("http://www.a.example/", "http://a.example/"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME + OTHERS)
def test_normal_forms_are_equal_or_differ(one: str, other: str) -> None:
    assert (normal_form(one) == normal_form(other)) == ((one, other) in SAME)


PIECES = [*"aZx09.-_~/?#@:%[]!$&'()*+,;=|^`{}\\\"<> \xe9", "%7E", "%2f", "http://", "https://", "a.example",
          ":80", "0x7f"]  # fmt: skip
SCHEMES = ["http://", "https://", "ftp://", "mailto:", "urn:a:", ""]


@given(st.sampled_from(SCHEMES), st.lists(st.sampled_from(PIECES), max_size=12))
def test_the_short_cut_gives_the_normal_form(scheme: str, pieces: list[str]) -> None:
    url = scheme + "".join(pieces)
    try:
        value = parse_url(url)
    except UrlSyntaxError:
        assert normal_form(url) == url
        return
    assert normal_form(url) == value.key
    assert normal_form(normal_form(url)) == normal_form(url)


def test_keys_of_what_is_no_url() -> None:
    for by in (None, "host", "domain"):
        assert key_by(by)("no url") == "no url"
    assert Counter(map(key_by("domain"), ["http://[::1]/", "http://[0::1]:80/", "http://127.0.0.1/"])) == {
        "::1": 2, "127.0.0.1": 1
    }  # fmt: skip


def test_hosts_and_domains_of_other_scripts_are_those_of_dns() -> None:
    text = "http://www.b\xfccher.example/ http://xn--bcher-kva.example./x http://a.co.uk http://B.A.co.uk"
    domains = ["      2 xn--bcher-kva.example", "      2 a.co.uk"]
    assert lines(run("--top", "--by", "domain", data=text)) == domains
    assert len(lines(run("--top", "--by", "host", data=text))) == 4


def test_each_file_of_a_directory_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.txt").write_text("http://a.example/ http://a.example/ http://b.example/\n")
    (tmp_path / "a" / "none.txt").write_text("no URL\n")
    (tmp_path / "box").write_text("http://c.example/\n")
    (tmp_path / "empty").write_text("")
    for words, printed in {
        "-c a box empty": ["a/none.txt:0", "a/one.txt:3", "box:1", "empty:0"],
        "-cu a": ["a/none.txt:0", "a/one.txt:2"],
        "-c -m 2 a box": ["a/none.txt:0", "a/one.txt:2", "box:0"],
        "-l a box empty": ["a/one.txt", "box"], "-l empty": [], "-c box": ["1"],
    }.items():  # fmt: skip
        for jobs in ("1", "2"):
            assert lines(run("-J", jobs, *words.split(), cwd=tmp_path)) == printed, words


def test_names_of_sources_end_in_nul_for_xargs(tmp_path: Path) -> None:
    (tmp_path / "a b").write_text("http://a.example/\n")
    assert run("-l0", tmp_path).stdout == f"{tmp_path}/a b\0".encode()
    assert (run("-l", data="http://a.example").stdout, run("-l", data="").returncode) == (b"-\n", 1)
