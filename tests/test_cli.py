"""The command line from outside: real processes, real pipes, a real terminal (SPEC §8)."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from commands import COMMAND, ENVIRONMENT, lines, outcome, run, started
from realtools import LIMIT, ROOT, on_a_terminal
from sampled import mostly_slow

from urlextract.results import KEYS

TEXT = (
    "see <URL:http://a.example/\nb> and http://c.example, then ftp.d.example/x and http://c.example again\n"
)


@pytest.mark.parametrize(("options", "expected"), [
    ([], ["http://a.example/b", "http://c.example", "ftp://ftp.d.example/x", "http://c.example"]),
    (["-u"], ["http://a.example/b", "http://c.example", "ftp://ftp.d.example/x"]),
    (["-c"], ["4"]),
    (["-c", "-u"], ["3"]),
    (["-q"], []),
    (["-m", "2"], ["http://a.example/b", "http://c.example"]),
    (["-m", "1", "-u"], ["http://a.example/b"]),
    (["-n"], ["1:http://a.example/b", "2:http://c.example", "2:ftp://ftp.d.example/x", "2:http://c.example"]),
    (["-H", "-m1"], ["-:http://a.example/b"]),
    (["--scheme", "ftp"], ["ftp://ftp.d.example/x"]),
    (["--scheme", "ftp,gopher"], ["ftp://ftp.d.example/x"]),
    (["--form", "url-wrapper", "--form", "abbreviated"], ["http://a.example/b", "ftp://ftp.d.example/x"]),
    (["--bracketed"], ["http://a.example/b"]),
    (["--valid", "-m1"], ["http://a.example/b"]),
    (["--join", "none", "-m1"], ["http://a.example/"]),
    (["--raw", "-m2"], ["http://a.example/", "b", "http://c.example"]),
    (["--top", "all"], ["      2 http://c.example", "      1 http://a.example/b", "      1 ftp://ftp.d.example/x"]),
])  # fmt: skip
def test_option_selects_or_changes_the_lines(options, expected) -> None:
    done = run(*options, data=TEXT)
    assert (lines(done), done.returncode, done.stderr) == (expected, 0, b"")


def test_nul_byte_ends_each_result() -> None:
    assert run("-0", data=TEXT).stdout.split(b"\0")[1] == b"http://c.example"
    assert run("-0", "--raw", data=TEXT).stdout.split(b"\0")[0] == b"http://a.example/\nb"


def test_json_record_has_every_key_in_order() -> None:
    records = [json.loads(line) for line in lines(run("-j", data=TEXT))]
    assert all(list(record) == list(KEYS) for record in records)
    first = records[0]
    assert (first["v"], first["url"], first["form"]) == (5, "http://a.example/b", "url-wrapper")
    assert (first["start"], first["end"], first["byte"], first["line"], first["column"]) == (4, 29, 4, 1, 5)
    assert first["pieces"] == [[9, 26], [27, 28]]
    assert first["source"] == "-"
    assert first["message"] is None


def test_unique_json_record_lists_all_its_places() -> None:
    records = [json.loads(line) for line in lines(run("-ju", data=TEXT))]
    assert [len(record["places"]) for record in records] == [1, 2, 1]


def test_exit_status_is_1_if_no_url_is_found() -> None:
    assert run(data="no more").returncode == 1
    assert run(data="").returncode == 1
    assert run("-c", data="").stdout == b"0\n"


def test_exit_status_is_2_on_an_error_and_the_rest_is_printed(tmp_path) -> None:
    (tmp_path / "good.txt").write_text("http://a.example/")
    (tmp_path / "empty").mkdir()
    for name in ("missing", "empty"):
        done = run(tmp_path / name, tmp_path / "good.txt")
        assert (lines(done), done.returncode) == (["http://a.example/"], 2)
        assert done.stderr.decode().count("\n") == 1
        assert name in done.stderr.decode()


def test_urls_before_the_end_of_a_truncated_gzip_file_are_printed(tmp_path) -> None:
    packed = tmp_path / "mail.gz"
    noise = random.Random(1).randbytes(100_000).hex()
    packed.write_bytes(gzip.compress(f"http://a.example/ {noise}".encode())[:-2000])
    done = run(packed)
    assert (lines(done)[0], done.returncode) == ("http://a.example/", 2)
    assert "mail.gz, byte" in done.stderr.decode()


def test_output_option_writes_to_the_file(tmp_path) -> None:
    target = tmp_path / "urls"
    done = run("-o", target, data=TEXT)
    assert (done.stdout, done.returncode) == (b"", 0)
    assert target.read_text().splitlines()[0] == "http://a.example/b"
    assert run("-o", tmp_path / "no" / "urls", data=TEXT).returncode == 2


@pytest.mark.parametrize(
    ("sources", "left"),
    [
        (["missing"], "kept\n"), (["missing", "n" * 300, "nowhere/x"], "kept\n"),
        (["none"], ""), (["missing", "none"], ""), (["none", "missing"], ""), (["-"], ""),
        (["missing", "one"], "http://a.example/\n"), (["-T", os.devnull], ""),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("words", [[], ["-J", "2"]], ids=" ".join)
def test_output_file_stays_if_no_input_can_be_opened(words, sources, left, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urls").write_text("kept\n")
    (tmp_path / "none").write_text("no URL\n")
    (tmp_path / "one").write_text("http://a.example/\n")
    status, _, errors = outcome("-o", "urls", *words, *sources, data="")
    assert (tmp_path / "urls").read_text() == left
    assert (status, "missing" in errors) == (2, "missing" in sources) or "missing" not in sources


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (b"a\nb c\r\n\n", "ab"), (b"a\0b c\0", "ab"), (b"b c\0", "b"), (b"d\ne\0a", "da"), (b"", ""),
        (b"a", "a"), (b"d\ne\0", "d"),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("list_of", ["-", "names"])
def test_names_are_lines_or_end_with_nul(list_of, names, read, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, url in {"a": "a", "b c": "b", "d\ne": "d"}.items():
        (tmp_path / name).write_text(f"http://{url}.example/\n")
    (tmp_path / "names").write_bytes(names)
    done = run("-T", list_of, data=names)
    assert (lines(done), done.stderr) == ([f"http://{each}.example/" for each in read], b"")


def test_explain_shows_accepted_and_rejected_with_a_pointer() -> None:
    shown = run("--explain", data="a <warning: x> http://b.example").stdout.decode()
    assert "not taken, angle" in shown
    assert "taken, bare: http://b.example" in shown
    assert "    |   ^^^^^^^^^\n" in shown


def in_shell(script: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of the shell, in which the program is $urlextract."""
    environment = {**ENVIRONMENT, "urlextract": " ".join(COMMAND)}
    return subprocess.run(["bash", "-c", script], capture_output=True, env=environment, check=False, cwd=ROOT)


def test_closed_output_pipe_ends_the_run_quietly(tmp_path) -> None:
    big = tmp_path / "big.txt"
    big.write_text("http://a.example/ some words\n" * 200_000)
    done = in_shell(f"$urlextract {big} | head -n 1")
    assert (done.stdout, done.stderr) == (b"http://a.example/\n", b"")


def test_urls_are_printed_when_their_paragraph_ends() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        process.stdin.write(b"first http://a.example/ and\n\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"http://a.example/\n"
        process.stdin.write(b"<URL:ftp://ds.in\nternic.net/rfc>.\n\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"ftp://ds.internic.net/rfc\n"
        process.stdin.close()


@pytest.mark.parametrize("words", [[], ["-nH"], ["--explain"], ["--top"], ["-j"]])
def test_a_terminal_gets_what_a_pipe_gets(words) -> None:
    shown = on_a_terminal(words, TEXT.encode(), TERM="xterm-256color")
    assert shown.replace(b"\r\n", b"\n") == run(*words, data=TEXT).stdout


def test_a_file_of_options_that_still_lies_there_is_not_read(tmp_path) -> None:
    (tmp_path / "options").write_text("--josn\n")
    environment = {**ENVIRONMENT, "URLEXTRACT_CONFIG": str(tmp_path / "options")}
    assert outcome(data=TEXT, env=environment) == outcome(data=TEXT)


@pytest.mark.usefixtures("heeded_signals")
def test_interrupt_ends_without_a_traceback() -> None:
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(COMMAND, env=ENVIRONMENT, **streams) as process:
        process.stdin.write(b"see http://a.example/ here\n\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert b"Traceback" not in process.stderr.read()
        assert process.wait(LIMIT) == 130


def test_file_name_may_hold_any_bytes(tmp_path) -> None:
    name = os.fsencode(tmp_path) + b"/odd\n\xff.txt"
    Path(os.fsdecode(name)).write_text("http://a.example/")
    assert started("-H", "-0", name).stdout == name + b":http://a.example/\0"
    assert json.loads(started("-j", name).stdout.decode())["url"] == "http://a.example/"


def test_undecodable_input_is_not_an_error() -> None:
    done = run(data=b"\x00\xff\xfe http://a.example/\xf6\x00 \r\r\n\x80 http://b.example/\r")
    expected = ["http://a.example/ö", "http://b.example/"]
    assert (lines(done), done.returncode, done.stderr) == (expected, 0, b"")


def test_utf16_is_detected_by_its_byte_order_mark() -> None:
    assert lines(run("-n", data="\nhttp://a.example/é".encode("utf-16"))) == ["2:http://a.example/é"]


@pytest.mark.parametrize("sample", ["inbox.mbox", "sample.eml", "news", "maildir", "text"])
def test_plain_output_has_the_urls_of_the_json_records(sample) -> None:
    path = ROOT / "corpora" / sample
    records = [json.loads(line)["url"] for line in lines(run("-j", path))]
    assert lines(run(path)) == records
    assert sum(int(line.rpartition(":")[2]) for line in lines(run("-c", path))) == len(records)


def test_installation_mixed_with_another_project_is_detected(tmp_path) -> None:
    from urlextract.__main__ import is_mixed

    assert not is_mixed(str(tmp_path))
    (tmp_path / "urlextract_core.py").write_text("")
    assert is_mixed(str(tmp_path))


def test_import_loads_no_submodule() -> None:
    code = "import sys, urlextract; print(sorted(m for m in sys.modules if m.startswith('urlextract')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=ENVIRONMENT, check=True)
    assert done.stdout.strip() == b"['urlextract']"


@pytest.mark.slow
def test_memory_is_constant_for_a_40_mb_pipe() -> None:
    code = (
        "import resource, subprocess, sys\n"
        "unit = sys.argv[1].encode().decode('unicode_escape').encode() * 4096\n"
        "child = subprocess.Popen([sys.executable, '-m', 'urlextract', '-c'], stdin=subprocess.PIPE)\n"
        "for _ in range(40_000_000 // len(unit)): child.stdin.write(unit)\n"
        "child.stdin.close(); child.wait()\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)\n"
    )
    for unit in (r"some words http://a.example/ and more\n", "http://a.example/-", "x "):
        done = subprocess.run(
            [sys.executable, "-c", code, unit], capture_output=True, env=ENVIRONMENT, check=True
        )
        assert int(done.stderr) < 64 * 1024


LARGE_LIBRARIES = {
    "asyncio", "concurrent", "ctypes", "distributed", "fsspec", "http", "jinja2", "logging",
    "multiprocessing", "pyarrow", "regex", "sqlite3", "ssl", "tarfile", "wcwidth", "xml", "zipfile",
}  # fmt: skip


@pytest.mark.parametrize("words", ["-", "README.md"])
def test_start_loads_no_large_library(words) -> None:
    """They are for input, options and commands that need them."""
    command = [sys.executable, "-X", "importtime", "-m", "urlextract", words]
    done = subprocess.run(
        command, input=b"see http://a.example/\n", capture_output=True, env=ENVIRONMENT, check=True
    )
    loaded = {line.rpartition("|")[2].split(".")[0].strip() for line in done.stderr.decode().splitlines()}
    assert "urlextract" in loaded
    assert not loaded & LARGE_LIBRARIES


def test_files_after_an_unreadable_one_are_read(tmp_path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("http://a.example/")
    bad.write_text("http://b.example/")
    bad.chmod(0)
    if os.access(bad, os.R_OK):
        pytest.skip("root reads every file")
    done = run("-n", bad, good)
    assert (lines(done), done.returncode) == (["1:http://a.example/"], 2)
    assert done.stderr.count(b"\n") == 1


def test_output_to_the_input_file_is_refused(tmp_path) -> None:
    path = tmp_path / "text"
    path.write_text("http://a.example/\n")
    assert run("-o", path, path).returncode == 2
    assert in_shell(f"$urlextract {path} >> {path}").returncode == 2
    assert path.read_text() == "http://a.example/\n"


SOURCES = (
    "echo http://a.example/ | $urlextract {}", "$urlextract {} < corpora/sample.eml",
    "$urlextract {} corpora/sample.eml",
)  # fmt: skip


@pytest.mark.parametrize(("command", "redirection"), [
    *mostly_slow(
        (source.format(options), redirection)
        for source, redirection, options in itertools.product(
            SOURCES, [">&-", ">/dev/full", "2>&- >/dev/full"], ["", "-j", "-c", "--explain"]
        )
    ),
    ("$urlextract --help", ">/dev/full"),
])  # fmt: skip
def test_unwritable_output_exits_2_with_one_line(command, redirection) -> None:
    done = in_shell(f"{command} {redirection}")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == (0 if "2>&-" in redirection else 1)


@pytest.mark.parametrize("options", ["-q", "-q -j", "-q --explain", "-q -J 2"])
def test_quiet_needs_no_output(options: str) -> None:
    done = in_shell(f"$urlextract {options} corpora/sample.eml >&-")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("options", ["", "-c", "-uj", "-n"])
def test_quiet_stops_at_the_first_url(options: str) -> None:
    assert in_shell(f"yes http://a.example/ | timeout 20 $urlextract -q {options}").returncode == 0


@pytest.fixture
def installed():
    """Return the installed command, which is a shell script."""
    path = Path(sysconfig.get_path("scripts")) / "urlextract"
    if not path.exists():
        pytest.skip("the package runs from its folder, and is not installed")
    return path


@pytest.mark.parametrize(
    "words", [[], ["-"], ["-j"], ["-F", "text"], ["-T", "-"], ["parse"], ["format"], ["rewrap"]], ids=" ".join
)
def test_directory_on_stdin_is_reported(words, installed, tmp_path) -> None:
    """The shell script reports it: Python itself would end before it ran any code."""
    folder = os.open(tmp_path, os.O_RDONLY)
    done = subprocess.run([installed, *words], stdin=folder, capture_output=True, check=False)
    os.close(folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"urlextract: -: is a directory: name it, as in 'urlextract DIR'\n"


def test_command_works_through_symbolic_links(installed, tmp_path) -> None:
    (tmp_path / "one").symlink_to(installed)
    (tmp_path / "urlextract").symlink_to("one")
    done = subprocess.run([tmp_path / "urlextract"], input=TEXT.encode(), capture_output=True, check=False)
    assert (done.stdout, done.returncode) == (run(data=TEXT).stdout, 0)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", "urlextract -c x"], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"urlextract: x: No such file or directory\n")


def test_named_scheme_counts_as_registered() -> None:
    text = "obsidian://open?v=x, Seehttp://a.example/ foo://b <intent://c> X-Obsidian:y"
    found = lines(run("--scheme", "obsidian,http,bolt,tcp,intent", data=text))
    assert found == ["obsidian://open?v=x", "http://a.example/", "intent://c"]
    page = '<a href="obsidian://open?a&amp;b">x</a> <a href="foo://x">obsidian://c</a>'
    found = lines(run("-F", "html", "--scheme", "obsidian", data=page))
    assert found == ["obsidian://open?a&b", "obsidian://c"]


def test_private_scheme_is_accepted() -> None:
    text = "<URL:wobble:x> <URL:ftb:y> http://a.example/"
    assert lines(run("--scheme", "wobble", data=text)) == ["wobble:x"]
    assert lines(run("--scheme", "any,ftb", data=text)) == ["wobble:x", "ftb:y", "http://a.example/"]


@pytest.mark.parametrize("field", [
    "Subject: =?utf-8?Q?two=0A=3Dcmd?=", "From: =?utf-8?Q?a=0D=3Dcmd?= <a@a.example>",
])  # fmt: skip
def test_line_end_in_a_field_of_a_table_is_quoted(field):
    table = outcome("--csv", "-F", "message", data=f"{field}\n\nhttp://a.example/\n")[1]
    rows = list(csv.reader(io.StringIO(table, newline="")))
    assert [len(row) for row in rows] == [len(rows[0])] * 2
    assert not [cell for row in rows for cell in row if cell.startswith("=")]


def test_message_id_is_one_line():
    data = "Message-ID: =?utf-8?Q?a=0A=3Dcmd?=\n\nhttp://a.example/\n"
    assert outcome("-I", "-F", "message", data=data)[1].count("\n") == 1
