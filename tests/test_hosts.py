"""URLs chosen by their hosts: the options hosts, not_hosts and domains, in the library and the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import lines, outcome, run
from costs import LINEAR, growth
from hostile import times
from library import extract_urls

from urlextract import Found, Rejection, examine, extract, extract_html, extract_message, extract_source

TEXT = (
    "http://a.example/ http://www.Example.com:80/ http://B\xdcCHER.example/x mailto:a@b.example\n"
    "http://x.a.co.uk/ ftp://b.co.uk http://notexample.com http://[::1]/x http://127.0.0.1/\n"
    "http://c.EXAMPLE./y http://me.github.io/\n"
)
ALL = TEXT.split()


def chosen(*numbers: int) -> list[str]:
    return [ALL[number] for number in numbers]


CASES: list[tuple[dict[str, list[str]], list[str]]] = [
    ({"hosts": ["a.example"]}, chosen(0)),
    ({"hosts": ["A.EXAMPLE."]}, chosen(0)),
    ({"hosts": ["example.com"]}, []),
    ({"hosts": [".example.com"]}, chosen(1)),
    ({"hosts": [".EXAMPLE.*"]}, chosen(1)),
    ({"hosts": ["*example.com"]}, chosen(1, 6)),
    ({"hosts": ["[ac].example"]}, chosen(0, 9)),
    ({"hosts": ["?.co.uk", "*.io"]}, chosen(5, 10)),
    ({"hosts": ["B\xfccher.example"]}, chosen(2)),
    ({"hosts": ["xn--bcher-kva.EXAMPLE"]}, chosen(2)),
    ({"hosts": ["b\xfc*"]}, chosen(2)),
    ({"hosts": ["xn--*"]}, chosen(2)),
    ({"hosts": ["[0:0::1]"]}, chosen(7)),
    ({"hosts": ["::1", "127.*"]}, chosen(7, 8)),
    ({"hosts": ["*"]}, chosen(0, 1, 2, 4, 5, 6, 7, 8, 9, 10)),
    ({"not_hosts": ["*"]}, chosen(3)),
    ({"not_hosts": [".example", ".co.uk", "*.com", "*.io"]}, chosen(3, 7, 8)),
    ({"hosts": ["*.example"], "not_hosts": ["a.*"]}, chosen(2, 9)),
    ({"domains": ["a.co.uk"]}, chosen(4)),
    ({"domains": ["B.co.uk", "example.com"]}, chosen(1, 5)),
    ({"domains": ["b\xfccher.example"]}, chosen(2)),
    ({"domains": ["xn--bcher-kva.example"]}, chosen(2)),
    ({"domains": ["c.example"]}, chosen(9)),
    ({"domains": ["me.github.io", "127.0.0.1"]}, chosen(8, 10)),
    ({"domains": ["a.co.uk", "b.co.uk"], "not_hosts": ["b.*"]}, chosen(4)),
]  # fmt: skip


@pytest.mark.parametrize(("options", "expected"), CASES, ids=str)
def test_library_chooses_by_host(options, expected, tmp_path) -> None:
    assert [found.url for found in extract(TEXT, **options)] == expected
    assert list(extract_urls(TEXT, **options)) == expected
    told = list(examine(TEXT, **options))
    assert [result.raw for result in told if isinstance(result, Found)] == expected
    left_out = [result for result in told if isinstance(result, Rejection)]
    assert sorted(expected + [result.raw for result in left_out]) == sorted(ALL)
    assert all(
        f"--{name[:-1].replace('_', '-')}" in "".join(each.reason for each in left_out) for name in options
    )
    assert [
        found.url for found in extract_message(f"\n{TEXT}".encode(), charset="utf-8", **options)
    ] == expected
    path = tmp_path / "text"
    path.write_text(TEXT)
    assert [found.url for found in extract_source(path, **options)] == expected


@pytest.mark.parametrize(("options", "expected"), CASES, ids=str)
def test_command_chooses_by_host(options, expected) -> None:
    names = {"hosts": "--host", "not_hosts": "--not-host", "domains": "--domain"}
    words = [word for key, values in options.items() for value in values for word in (names[key], value)]
    assert lines(run(*words, data=TEXT)) == expected
    joined = [f"{names[key]}={','.join(values)}" for key, values in options.items()]
    assert run(*joined, "-c", data=TEXT).stdout == f"{len(expected)}\n".encode()
    assert run(*joined, "-q", data=TEXT).returncode == (0 if expected else 1)


def test_processes_and_state_choose_the_same(tmp_path: Path) -> None:
    mailbox = tmp_path / "mbox"
    head = "From a@b Mon Nov 14 09:12:44 1994\nSubject: www.example.com\n\n"
    mailbox.write_text("".join(f"{head}http://{n}.example.com/ http://b.example/\n\n" for n in range(5)))
    expected = [url for n in range(5) for url in ("http://www.example.com", f"http://{n}.example.com/")]
    for words in ([], ["-J", "2"], ["--state", tmp_path / "state"]):
        assert lines(run("--host", ".example.com", *words, mailbox)) == expected
    assert outcome("--host", ".example.com", "--state", tmp_path / "state", mailbox)[:2] == (1, "")


def test_page_is_chosen_from_by_the_target() -> None:
    page = "<a href='http://a.example/'>www.b.example</a>"
    assert [found.url for found in extract_html(page, hosts=["a.example"])] == ["http://a.example/"]


@pytest.mark.parametrize(("name", "value", "words"), [
    ("hosts", "http://a.example/", "no host has a '/'"), ("hosts", "a.example:80", "leave out the scheme"),
    ("hosts", "", "name one"), ("hosts", ".", "name one"), ("not_hosts", "a b", "no host has a ' '"),
    ("not_hosts", "me@a.example", "no host has a '@'"), ("hosts", "a.example,b.example", "no host has a ','"),
    ("hosts", "'a.example'", 'no host has a "\'"'), ("not_hosts", "x[a.example", "no host has a '['"),
    ("domains", "co.uk", "a public suffix"), ("domains", "com", "a public suffix"),
    ("domains", "github.io", "a public suffix"), ("domains", "www.a.co.uk", "did you mean 'a.co.uk'?"),
    ("domains", "*.co.uk", "no domain"), ("domains", ".a.example", "no domain"), ("domains", "", "no host"),
])  # fmt: skip
def test_what_no_host_can_fit_raises_at_the_call(name, value, words) -> None:
    with pytest.raises(ValueError, match=name) as caught:
        extract("x", **{name: value})
    assert words in str(caught.value)
    assert repr(value) in str(caught.value)


def test_command_names_the_option_and_what_is_allowed() -> None:
    status, out, error = outcome("--domain", "www.a.co.uk", data=TEXT)
    assert (status, out) == (2, "")
    assert "--domain: 'www.a.co.uk' is no registered domain: did you mean 'a.co.uk'?" in error


@pytest.mark.parametrize("repeated", ["a.", "xn--a.", "1.", "*", "[", "-"])
def test_time_is_in_proportion_to_the_host(repeated: str) -> None:
    def read(text: str) -> None:
        list(extract(text, hosts=["*a*b*c*", ".example"], domains=["example.org"]))

    assert growth(read, times(repeated, "http://", "example/"), 20_000, 160_000) < LINEAR
