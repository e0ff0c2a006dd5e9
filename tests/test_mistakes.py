"""What the command says of mistakes: one line on standard error, with a hint, and status 2."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import closing

import pytest
from commands import outcome

JOINS = "choose none, delimited, safe or likely"
CASES = {
    "--josn": "no such option: --josn (did you mean --json?)",
    "-json x": "no such option: -json (did you mean --json?)",
    "--json=x": "--json: takes no value",
    "--qzx": "no such option: --qzx",
    "-z": "no such option: -z (what is compressed is read as it is; -0 ends results with NUL)",
    "-Z": "no such option: -Z",
    "-j -H": "--with-filename: cannot be used with --json",
    "--csv -n": "--line-number: cannot be used with --csv",
    "--fields url -I": "--message-id: cannot be used with --fields",
    "--thread": "no such option: --thread (--fields thread_id,url prints it)",
    "--files0-from x": "no such option: --files0-from (-T reads names with NUL after each, too)",
    "-i x": "no such option: -i (hosts, --grep, --sender and --subject count in any case)",
    "-u mend": "mend: No such file or directory: the command comes first: urlextract mend",
    "--uni": "no such option: --uni (did you mean --unique?)",
    "-F eml x": "--format: unknown value 'eml' (message reads it)",
    "-v": "no such option: -v (--not-host leaves hosts out, --explain says why, --version shows the version)",
    "search x": "no such command: search (--grep PATTERN takes URLs that have it; urlextract index makes an "
    "SQLite file)",
    "--grep [": "--grep: '[' is not a pattern: unterminated character set at position 1",
    "http://a.example/": "http://a.example/: No such file or directory: nothing is fetched: echo URL | "
    "urlextract reads it, curl -s URL | urlextract --base URL a page",
    "help foo": "help: No such file or directory: there is help for pick, mend, rewrap, format, "
    "parse, index, report, cluster, records",
    "--join": "--join: a value is missing: choose none, delimited, safe or likely",
    "-m": "-m: a value is missing",
    "--join sfe": f"--join: unknown value 'sfe': {JOINS}: did you mean safe?",
    "--join zzz": f"--join: unknown value 'zzz': {JOINS}",
    "-J x": "--jobs: 'x' is not a number",
    "-J 0": "--jobs: 0 is less than 1",
    "-m -1": "--max-count: -1 is less than 0",
    f"-m {10**30}": f"--max-count: {10**30} is more than {2**63 - 1}",
    f"--top {10**30}": f"--top: {10**30} is more than {2**63 - 1}",
    **{f"--scheme http,{name}": f"--scheme: unknown value '{name}': did you mean '{guess}'?"
       for name, guess in (
           ("htpp", "http"), ("htttps", "https"), ("mialto", "mailto"), ("fpt", "ftp"), ("new", "news"),
       )},
    "--since foo": "--since: 'foo' is neither a date such as 2024-01-31 nor a time such as 7d",
    "--since 2026-01-01 --until 2020-01-01": "--until: '2020-01-01' is before '2026-01-01', the value of "
    "since: exchange them",
    "--base foo": "--base: 'foo' is not an absolute URL, such as http://a.example/b/",
    "--charset utf-88": "--charset: unknown value 'utf-88': did you mean 'utf-8'?",
    "--charset klingon": "--charset: unknown value 'klingon'",
    "--parts text,htm": "--parts: unknown value 'htm': choose text, html, headers or attach: "
    "did you mean html?",
    "--parts=": "--parts: a value is missing",
    "--scheme ,": "--scheme: a value is missing",
    "missing": "missing: No such file or directory",
    "rewarp": "rewarp: No such file or directory: did you mean 'urlextract rewrap'?",
    "-j fromat": "fromat: No such file or directory: did you mean 'urlextract format'?",
    "rewarp --width 5 x": "rewarp: no such file or command: did you mean 'urlextract rewrap'?",
    "parse --josn": "no such option: --josn (did you mean --json?)",
    "rewrap -w 0": "--width: 0 is less than 1",
    "format --indent 901 x": "--indent: 901 is more than 900",
    "-5 x": "no such option: -5 (-m N stops after N results)",
    "--csv --defang": "--defang: cannot be used with --csv: --fields defanged prints such URLs",
    "--sender ''": "--sender: a value is missing: name words of the field, or leave out the option",
    "rewrap -72 a": "no such option: -72 (-w N sets the width)",
    "rewrap 72 a": "72: No such file or directory: -w 72 sets the width",
    "rewrap -o x": "no such option: -o (> FILE does it)",
    "pick -j": "no such option: -j (urlextract --links -j prints records)",
    "pick -u": "no such option: -u (each link is shown once)",
    "pick -H": "no such option: -H (urlextract has it)",
    "pick -p -y": "--print: cannot be used with --copy",
    "report": "LINKS.db is missing: urlextract report [OPTIONS] LINKS.db",
    "report A B": "B: one file is read; -o FILE names the page",
    "rewrap a b": "b: without --in-place, one file is read",
    "rewrap missing": "missing: No such file or directory",
    "mend a b c": "b c: without --in-place, one file is read",
    "pick --prnt": "no such option: --prnt (did you mean --print?)",
    "pick missing": "missing: No such file or directory",
    "mend --refang --defang": "--defang: cannot be used with --refang",
    "rewrap -i": "--in-place: name a file: standard input cannot be replaced",
    "--a\x1b[2Jb": "no such option: --a\\x1b[2Jb",
    "-F 'a\nb'": "--format: unknown value 'a\\nb': choose auto, text, html, xml, calendar, csv, message, "
    "mbox, rnews, nntp, mmdf, warc, emlx, maildir, inbox or tree",
}  # fmt: skip


@pytest.mark.parametrize(("words", "message"), CASES.items())
def test_mistake_is_one_line(words: str, message: str, tmp_path) -> None:
    assert outcome(*shlex.split(words), cwd=tmp_path) == (2, "", f"urlextract: {message}\n")


def test_file_in_place_of_a_url_is_told(tmp_path) -> None:
    (tmp_path / "urls").write_text("http://a.example/\n")
    told = "urlextract: urls: is a file, and no URL: write < urls to have its lines read as URLs\n"
    for command in ("format", "parse"):
        assert outcome(command, "urls", cwd=tmp_path) == (1, "", told)


def test_blank_in_a_url_names_the_option_that_encodes_it() -> None:
    status, _, told = outcome("format", "http://a.example/b c")
    assert status == 1
    assert told.startswith('urlextract: " " is not read back unless it is encoded as %20: --encode does so\n')


def test_an_index_of_nothing_is_told(tmp_path):
    told = "urlextract: letters.mbox: is a new index with nothing in it: what is to be read comes after it\n"
    assert outcome("index", "letters.mbox", cwd=tmp_path) == (0, "", told)
    assert outcome("index", "letters.mbox", cwd=tmp_path) == (0, "", "")


def test_sqlite_file_is_no_source_and_the_index_comes_first(tmp_path) -> None:
    with closing(sqlite3.connect(tmp_path / "links.db")) as made:
        made.execute("CREATE TABLE x (y)")
    (tmp_path / "box").mkdir()
    read = (
        "urlextract: links.db: an SQLite file cannot be read: 'sqlite3 FILE .dump' prints it as text; of an "
        "index, 'urlextract report' makes a page\n"
    )
    assert outcome("links.db", cwd=tmp_path) == (2, "", read)
    for wrong in ("box", "missing"):
        told = f"urlextract: the index comes first, as in urlextract index links.db Maildir: {wrong}\n"
        assert outcome("index", wrong, "links.db", cwd=tmp_path) == (2, "", told)
    assert not (tmp_path / "missing").exists()


def test_file_of_a_name_like_a_command_is_read(tmp_path) -> None:
    (tmp_path / "rewarp").write_text("http://a.example/")
    assert outcome("rewarp", cwd=tmp_path) == (0, "http://a.example/\n", "")
    assert outcome("rewarp", "--josn", cwd=tmp_path) == (
        2, "", "urlextract: no such option: --josn (did you mean --json?)\n"
    )  # fmt: skip


def test_only_the_first_word_may_be_a_command(tmp_path) -> None:
    (tmp_path / "a").write_text("http://a.example/")
    expected = (2, "http://a.example/\n", "urlextract: rewarp: No such file or directory\n")
    assert outcome("a", "rewarp", cwd=tmp_path) == expected
