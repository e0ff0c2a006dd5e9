"""The manual page and what shells complete: as installed, in the real programs."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
import scheme_cases
from made_indexes import fill
from realtools import LIMIT, ROOT, need, run, surroundings, wait_until

from urlextract import Found, Link, extract, extract_html, extract_message, index_sources, parse_url
from urlextract.cli import COMMANDS
from urlextract.cli.extracting import extract_command
from urlextract.cli.index_reference import INDEX_COLUMNS, INDEX_EXAMPLES, INDEX_VIEWS
from urlextract.cli.manual import EXAMPLES, man_page
from urlextract.cli.program import load
from urlextract.cli.reference import (
    CONFIDENCES,
    FORMS,
    LINKS,
    LINKS_COMMANDS,
    MAIL,
    MAIL_COMMANDS,
    OPTION_DETAILS,
    OPTION_VALUES,
    entries_of,
)
from urlextract.cli.screen import options_of
from urlextract.output.table import COLUMNS
from urlextract.records import Alternative, Form, Origin
from urlextract.schemes.ldap import LdapExtension
from urlextract.schemes.url import Url
from urlextract.schemes.validation import Caution, Violation

SHARE = ROOT / "urlextract" / "share"
PAGE = SHARE / "man" / "man1" / "urlextract.1"
COMPLETIONS = {
    "bash": SHARE / "bash-completion" / "completions" / "urlextract",
    "zsh": SHARE / "zsh" / "site-functions" / "_urlextract",
    "fish": SHARE / "fish" / "vendor_completions.d" / "urlextract.fish",
}
# What stands on the line, and what must then be offered, one of it alone where only that can be meant
LINES = [
    ("urlextract --js", {"--json"}),
    ("urlextract rew", {"rewrap"}),
    ("urlextract ind", {"index"}),
    ("urlextract index links.db --fr", {"--from", "--from0"}),
    ("urlextract report --li", {"--limit"}),
    ("urlextract parse --j", {"--json"}),
    ("urlextract -u -F mb", {"mbox"}),
    ("urlextract format -t late", {"latex"}),
    ("urlextract rewrap --policy fl", {"flowed"}),
    ("urlextract letter.eml --hyphen e", {"evidence"}),
]


def shown(*words: str, width: int = 80) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(width)}
    done = subprocess.run(
        [sys.executable, "-m", "urlextract", *words],
        capture_output=True,
        env=environment,
        timeout=LIMIT,
        check=True,
    )
    return done.stdout.decode().splitlines()


def test_the_page_is_what_the_commands_say():
    assert PAGE.read_text() == man_page(), "python -m urlextract.cli.manual > " + str(PAGE)


DEFECTIVE = (
    "see http://a.example/one-\ntwos for it",
    "Seehttp://a.example/",
    "<http://a.example/ and more",
    "see http://a.example/?x=3Dy, and",
    "http://a.example/\udce9t",
    f"http://a.example/{'x' * 70_000}",
)


DEFECTIVE_PAGES = (
    '<a href="//a.example/">',
    '<a href="http://%61.example/">',
    '<a href="http://a..example/">',
    '<a href="http://a|b.example/">',
    '<a href="http://a.example/<b>x</b>">',
)


@pytest.mark.parametrize("text", [*DEFECTIVE, *DEFECTIVE_PAGES])
def test_the_page_has_the_defects_of_texts(text: str) -> None:
    results = extract_html(text) if text in DEFECTIVE_PAGES else extract(text)
    defects = [defect for found in results for defect in found.defects]
    assert defects
    assert not [
        defect for defect in defects if f"\\fB{defect.replace('-', chr(92) + '-')}\\fR" not in man_page()
    ]


TYPES = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "list": list, "object": dict,
    "null": type(None),
}  # fmt: skip


@cache
def section(title: str, *, level: str = "SH") -> str:
    """Return a section of the page, without its troff escapes of characters."""
    _, start, rest = man_page().replace("\\-", "-").partition(f"\n.{level} {title}\n")
    assert start, title
    return re.split(r"^[.]SH|^[.]SS" if level == "SS" else r"^[.]SH", rest, maxsplit=1, flags=re.MULTILINE)[0]


def keys_of_page(text: str) -> dict[str, str]:
    return dict(re.findall(r"^\\fB(.*)\\fR \\fI(.*)\\fR$", text, re.MULTILINE))


def values_by_key(value: Any, path: str = "") -> list[tuple[str, Any]]:
    """Return each key in a record, with what is in it; nested ones have their path."""
    if isinstance(value, dict):
        return [
            pair
            for key, each in value.items()
            for name in [f"{path}.{key}" if path else key]
            for pair in [(name, each), *values_by_key(each, name)]
        ]
    if isinstance(value, list):
        return [pair for each in value for pair in values_by_key(each, f"{path}[]")]
    return []


def printed(*words: str, text: str = "") -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "urlextract", *words],
        input=text.encode(), capture_output=True, cwd=ROOT, timeout=LIMIT, check=False,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


URLS = [*(text for text, _ in scheme_cases.CASES), "wais://host", "prospero://host"]


@cache
def printed_records() -> list[dict[str, Any]]:
    """Return the records of all corpora, and of the URLs of the standards."""
    wrapped = "\n".join(f"<URL:{url}>" for url in URLS)
    more = ("-uj", "--defang", "--parse", "--relaxed", "--emails", "--scheme", "any")
    return [*printed(*more, "corpora", "tests/cases"), *printed(*more, text=f"{wrapped}\n<URL:telnet:x>")]


@cache
def records_of_parse() -> list[dict[str, Any]]:
    return printed("parse", "--json", text="\n".join([*URLS, "http://"]))


def check_keys(listed: dict[str, str], records: list[dict[str, Any]]) -> None:
    pairs = [pair for record in records for pair in values_by_key(record)]
    assert {name for name, _ in pairs} == set(listed)
    for name, value in pairs:
        kinds = tuple(TYPES[kind.split()[0]] for kind in listed[name].split(" or "))
        assert isinstance(value, kinds), (name, value)
        assert not isinstance(value, bool) or "boolean" in listed[name], name


def test_page_lists_the_keys_of_records():
    check_keys(keys_of_page(section("JSON RECORDS").partition(".SS Records of")[0]), printed_records())


def test_page_lists_the_keys_of_parse():
    listed = keys_of_page(section("Records of urlextract parse --json", level="SS"))
    below = ("parsed.", "violations[]", "warnings[]")
    inherited = {
        name: kind for name, kind in keys_of_page(section("JSON RECORDS")).items() if name.startswith(below)
    }
    check_keys(listed | inherited, records_of_parse())


def test_page_lists_the_keys_in_their_order():
    listed = [name for name in keys_of_page(section("JSON RECORDS").partition(".SS")[0]) if "." not in name]
    assert listed == list(printed_records()[0])


def test_page_lists_the_null_values():
    """A key that can be null says so, and one that says so can be."""
    pairs = [
        pair
        for record in [*printed("-j", "corpora"), *printed_records(), *records_of_parse()]
        for pair in values_by_key(record)
    ]
    nullable = {name for name, value in pairs if value is None} - {"error"}
    listed = keys_of_page(section("JSON RECORDS").partition(".SS Records of")[0])
    nullable.add("source")  # in records of the library
    assert nullable == {name for name, kind in listed.items() if "null" in kind}


def test_page_lists_the_fields_of_the_library():
    apart = {"span": ("start", "end"), "from_": ("from",)}
    apart |= {"target_of": ("wrapped_by",)} | dict.fromkeys(
        ("link", "origin", "context", "context_start"), ()
    )
    listed = keys_of_page(section("JSON RECORDS").partition(".SS Records of")[0])
    names = [field.name for value in (Found, Link) for field in fields(value)] + [*Origin._fields]
    for name in names:
        assert set(apart.get(name, (name,))) <= set(listed), name
    for path, fields_of_value in (
        ("alternatives[]", Alternative._fields),
        ("violations[]", Violation._fields),
        ("warnings[]", Caution._fields),
        ("parsed.extensions[]", LdapExtension._fields),
    ):
        expected = {each for name in fields_of_value for each in apart.get(name, (name,))}
        assert expected == {name.rpartition(".")[2] for name in listed if name.startswith(f"{path}.")}, path


def test_page_lists_the_components_of_all_schemes():
    def types_of_url(kind: type[Url]) -> list[type[Url]]:
        return [kind, *(each for child in kind.__subclasses__() for each in types_of_url(child))]

    for url in URLS:
        parse_url(url)  # imports the type of its scheme
    listed = keys_of_page(section("Components in parsed", level="SS"))
    of_types = {name for kind in types_of_url(Url) for name in kind._FIELDS}
    always = {"scheme", "default_port", "grammars", "normalized"}
    assert {name.split(".")[1].removesuffix("[]") for name in listed} == of_types | always


@cache
def index_of_corpora() -> sqlite3.Connection:
    """Return an index of all samples."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "links.db")
        index_sources(path, ROOT / "corpora")
        index = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(path)) as written:
            written.backup(index)
    return index


SQL_TYPES = {"string": "TEXT", "integer": "INTEGER", "real": "REAL"}


@pytest.mark.parametrize("table", INDEX_COLUMNS)
def test_page_lists_the_columns_of_the_index(table):
    listed = [term.partition(", ")[::2] for term, _ in entries_of(INDEX_COLUMNS[table][1])]
    info = index_of_corpora().execute(f"PRAGMA table_info({table})").fetchall()
    is_null = {name: not not_null and not key for _, name, _, not_null, _, key in info}
    assert listed == [
        (name, next(word for word, kind in SQL_TYPES.items() if kind == type_) + " or null" * is_null[name])
        for _, name, type_, *_ in info
    ]


def test_page_lists_the_tables_and_views_of_the_index():
    made = index_of_corpora().execute("SELECT type, name FROM sqlite_schema WHERE name NOT GLOB 'search_*'")
    names = {name for kind, name in made if kind in ("table", "view")}
    assert names == {*INDEX_COLUMNS, *(name for name, _ in entries_of(INDEX_VIEWS))}
    assert section("INDEX").count(".SS Table") == len(INDEX_COLUMNS)


@pytest.mark.parametrize("query", [query for _, query in INDEX_EXAMPLES])
def test_queries_of_the_page_find_something(query):
    query = query.replace("harbour.example.org", "boats.lists.example.org").replace("'tides'", "'varnish'")
    assert index_of_corpora().execute(query).fetchall()


def test_meanings_of_keys_take_three_lines():
    for paragraph in section("JSON RECORDS").split(".TP\n")[1:]:
        meaning = paragraph.partition("\n.S")[0].splitlines()[1:]
        assert 0 < len(" ".join(meaning)) <= 3 * 64, meaning


VALUES = [
    pytest.param(values, value, output, id=f"{values.option}-{value}")
    for values in OPTION_VALUES
    for value, _, output in values.values
]


@pytest.mark.parametrize(("values", "value", "output"), VALUES)
def test_values_of_options_print_what_the_page_shows(values, value, output):
    done = run(sys.executable, "-m", "urlextract", values.option, value, data=values.text.encode(), cwd=ROOT)
    assert done.decode() == output


def test_page_names_each_value_of_these_options():
    shown = {values.option: [value for value, *_ in values.values] for values in OPTION_VALUES}
    shown["--form"] = [form for form, *_ in FORMS]
    for option in options_of(extract_command):
        name = max(option.opts, key=len)
        if name in shown:
            assert isinstance(option.type, click.Choice)
            assert sorted(shown.pop(name)) == sorted(option.type.choices)
            assert f".SS Values of {name}" in man_page().replace("\\-", "-")
    assert not shown


def found_of_form(form: str, example: str) -> Found:
    if form == "header":
        [found] = extract_message(f"{example}\n\n".encode())
    elif form == "html-attribute":
        [found] = extract_html(example)
    else:
        [found] = extract(example)
    return found


@pytest.mark.parametrize(("form", "meaning", "example"), FORMS)
def test_examples_of_forms_have_the_form_and_the_confidence_of_the_page(form, meaning, example):
    found = found_of_form(form, example)
    assert found.form is Form(form)
    pattern = rf"forms? [^;.]*\b{form}\b"
    [figure] = [figure for figure, places in entries_of(CONFIDENCES) if re.search(pattern, places)]
    assert found.confidence == float(figure)


@pytest.mark.parametrize(("figure", "places"), list(entries_of(CONFIDENCES)))
def test_examples_of_confidence_have_the_figure(figure, places):
    examples = re.findall(r"\((.*)\)\Z", places)
    assert examples or places.startswith("The form")
    for example in filter(None, ", ".join(examples).split(", ")):
        [found] = extract(example, relaxed=True, emails=True)
        assert found.confidence == float(figure), example


@pytest.mark.parametrize(("text", "confidence"), [
    ("see http://www.example.org/harbour/tide-\ntables for it", 0.51),
    ("<http://www.example.org/tide-\ntables>", 0.88),
    ("Seehttp://a.example/", 0.81),
    ("http://a.example/\xe9", 0.9),
])  # fmt: skip
def test_confidence_has_the_factors_of_the_page(text: str, confidence: float) -> None:
    [found] = extract(text)
    assert found.confidence == confidence
    stated = re.findall(r"= *([0-9.]+)[.;]", " ".join(section("CONFIDENCE").split()))
    assert stated == ["0.51", "0.88"]


@pytest.fixture
def command(tmp_path: Path) -> dict[str, str]:
    """Return an environment that finds this program, and no installed one."""
    script = tmp_path / "bin" / "urlextract"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m urlextract "$@"\n')
    script.chmod(0o755)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    return {**surroundings(tmp_path), "PATH": path, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize(("words", "output"), [(words, output) for _, words, output in MAIL_COMMANDS])
def test_examples_of_mail_print_what_the_page_shows(words, output, command, tmp_path):
    (tmp_path / "today.eml").write_text(MAIL)
    assert run("sh", "-c", words, cwd=tmp_path, env=command).decode() == output


@pytest.mark.parametrize(("words", "output"), [(words, output) for _, words, output in LINKS_COMMANDS])
def test_examples_of_links_print_what_the_page_shows(words, output, command, tmp_path):
    (tmp_path / "links.txt").write_text(LINKS, "utf-8")
    assert run("sh", "-c", words, cwd=tmp_path, env=command).decode() == output


@pytest.mark.parametrize(("words", "status"), [
    ("echo http://a.example/ | urlextract", 0),
    ("echo none | urlextract", 1),
    ("urlextract empty", 1),
    ("echo http://a.example/ | urlextract -m 0", 1),
    ("urlextract --no-such-option", 2),
    ("urlextract missing", 2),
    ("echo http://a.example/ | urlextract missing -", 2),
    ("echo http://a.example/ | urlextract -q missing -", 0),
    ("echo http://a.example/ > own; urlextract -o own own", 2),
    ("urlextract parse http://", 1),
    ("urlextract format 'http://a.example/a b'", 1),
])  # fmt: skip
def test_exit_statuses_are_those_of_the_page(words, status, command, tmp_path):
    (tmp_path / "empty").touch()
    done = subprocess.run(
        ["sh", "-c", words], cwd=tmp_path, env=command, capture_output=True, timeout=LIMIT, check=False
    )
    assert done.returncode == status
    assert f"\n\\fB{status}\\fR\n" in section("EXIT STATUS")


def test_state_and_in_place_leave_no_other_files(command, tmp_path):
    (tmp_path / "text").write_text("a\n<http://a.example/\nb>\n")
    run("urlextract", "--state", "state", "-o", "output", "text", cwd=tmp_path, env=command)
    run("urlextract", "rewrap", "-i", "text", cwd=tmp_path, env=command)
    assert {path.name for path in tmp_path.iterdir()} == {"bin", "text", "state", "output"}
    for name in ("--state", "--output", "rewrap -i", "--files-from", "report -o"):
        assert f"\n\\fB{name} FILE\\fR\n" in section("FILES")


def test_the_page_has_every_option_of_every_command():
    page = PAGE.read_text()
    commands = [extract_command, *map(load, COMMANDS)]
    for command in commands:
        for option in options_of(command):
            assert rf"\fB{max(option.opts, key=len)}\fR".replace("-", r"\-") in page
    assert sum(len(list(options_of(command))) for command in commands) > 50


def test_page_lists_the_columns_of_tables():
    listed = OPTION_DETAILS["--csv"].partition("records: ")[2].partition(";")[0]
    assert listed.replace(" and ", ", ").split(", ") == list(COLUMNS)


def test_the_help_of_all_options_is_a_sentence():
    for option in options_of(extract_command):
        assert re.match(r"[A-Z-].{15,}[.]\Z|.*repeatable", option.help or ""), option.opts


def test_the_help_fits_two_screens():
    lines = shown("--help")
    assert len(lines) <= 2 * 50
    assert max(map(len, lines)) < 80
    text = "\n".join(lines)
    for option in extract_command.params:
        if isinstance(option, click.Option):
            assert f"--{max(option.opts, key=len).lstrip('-')} " in text


def test_on_a_narrow_screen_nothing_is_cut():
    lines = shown("--help", width=40)
    assert {line.split()[0] for line in lines if line.startswith("  -")} >= {"-j,", "--since", "-h,"}


@pytest.mark.slow
@pytest.mark.parametrize(("program", "package", "words"), [
    ("mandoc", "mandoc", ("-Tlint", "-Wwarning")),
    ("groff", "groff", ("-man", "-ww", "-Tutf8", "-z")),
])  # fmt: skip
def test_troff_has_nothing_to_complain_of(program, package, words):
    done = subprocess.run(
        [need(package, program), *words, PAGE], capture_output=True, timeout=LIMIT, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, b"")


@pytest.mark.slow
def test_man_finds_the_page_by_the_place_of_the_command(tmp_path):
    man = need("man-db", "man")
    (tmp_path / "bin").mkdir()
    (tmp_path / "share").symlink_to(SHARE)
    environment = surroundings(tmp_path, MANWIDTH="78", MANROFFOPT="-c", PAGER="cat", MAN_DISABLE_SECCOMP="1")
    text = re.sub(".\b", "", run(man, "urlextract", env=environment, cwd=tmp_path).decode())
    assert "find URLs in mail, news and text, and print them" in text
    assert "--policy HOW" in text


@pytest.mark.parametrize("words", [words for _, words in EXAMPLES if "|" not in words])
def test_the_examples_of_the_page_work(words, tmp_path):
    (tmp_path / "mail.mbox").write_bytes((ROOT / "corpora" / "inbox.mbox").read_bytes())
    (tmp_path / "letter.eml").write_bytes((ROOT / "corpora" / "sample.eml").read_bytes())
    fill(tmp_path / "links.db", [])
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "1").write_text("From: a@a.example\nSubject: x\n\nhttp://a.example/\n")
    (tmp_path / "Mail").mkdir()
    (tmp_path / "Mail" / "sent").write_text("From: a@a.example\n\nhttp://a.example/\n")
    output = run("sh", "-c", words, cwd=tmp_path, env=surroundings(tmp_path))
    assert output or "-i" in words or " -o " in words or words.startswith("urlextract index")


def test_all_is_installed():
    try:
        files = importlib.metadata.distribution("urlextract-mail").files or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package runs from its folder, and is not installed")
    installed = {
        Path(str(path)).parts[-4:]: Path(str(path.locate())).read_text()
        for path in files
        if "share" in path.parts
    }
    for path in (PAGE, *COMPLETIONS.values()):
        assert installed[("share", *path.parts[-3:])] == path.read_text()


@pytest.mark.parametrize(("line", "offered"), LINES)
def test_bash_completes(line, offered, tmp_path):
    words = shlex.split(line)
    script = (
        f". {COMPLETIONS['bash']}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        '_urlextract_completion urlextract; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    output = run("bash", "--norc", "-c", script, cwd=tmp_path, env=surroundings(tmp_path))
    assert set(output.decode().split()) == offered


@pytest.mark.slow
@pytest.mark.parametrize(("line", "offered"), LINES)
def test_fish_completes(line, offered, tmp_path):
    script = f"source {COMPLETIONS['fish']}; complete -C {shlex.quote(line)}"
    output = run(need("fish", "fish"), "-N", "-c", script, cwd=tmp_path, env=surroundings(tmp_path)).decode()
    assert {line.partition("\t")[0] for line in output.splitlines()} == offered


@pytest.mark.slow
def test_fish_completes_files(tmp_path):
    (tmp_path / "letter.eml").touch()
    script = f"source {COMPLETIONS['fish']}; complete -C 'urlextract -u lett'"
    output = run(need("fish", "fish"), "-N", "-c", script, cwd=tmp_path, env=surroundings(tmp_path))
    assert output.decode().split() == ["letter.eml"]


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_tab_completes(shell, tmp_path):
    program, tmux = need(shell, shell), need("tmux", "tmux")
    (tmp_path / "letter.eml").touch()
    (tmp_path / ".zshrc").write_text(
        f"fpath=({COMPLETIONS['zsh'].parent} $fpath)\nautoload -U compinit; compinit -u\nPS1='ready> '\n"
    )
    (tmp_path / "bashrc").write_text(f". {COMPLETIONS['bash']}\nPS1='ready> '\n")
    environment = surroundings(tmp_path, TMUX_TMPDIR=str(tmp_path), TERM="screen", SHELL="/bin/sh")
    start = f"{program} --rcfile bashrc -i" if shell == "bash" else f"{program} -i"
    tell = (tmux, "-L", shell, "-f", "/dev/null")
    run(*tell, "new-session", "-d", "-x", "100", "-y", "20", start, cwd=tmp_path, env=environment)

    def wait_for(text: str) -> None:
        wait_until(
            lambda: text in run(*tell, "capture-pane", "-p", env=environment).decode(), f"{text!r} in {shell}"
        )

    try:
        wait_for("ready>")
        for typed, completed in (
            ("urlextract --uni", "--unique"),
            (" --hyphen evi", "evidence"),
            (" lett", "letter.eml"),
        ):
            run(*tell, "send-keys", "-l", typed, env=environment)
            run(*tell, "send-keys", "Tab", env=environment)
            wait_for(completed)
    finally:
        run(*tell, "kill-server", env=environment)
