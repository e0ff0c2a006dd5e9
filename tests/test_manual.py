"""The manual page and what shells complete: as installed, in the real programs."""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import cache
from pathlib import Path

import click
import commands
import pytest
from made_indexes import fill
from manual import BLOCK, BLOCKS, MAN, PAGES, plain, renewed
from realtools import LIMIT, ROOT, need, run, surroundings, wait_until

from urlextract import (
    Extractor,
    __version__,
    extract,
    extract_html,
    extract_message,
    index_sources,
)
from urlextract.cli import COMMANDS
from urlextract.cli.extracting import extract_command
from urlextract.cli.program import load
from urlextract.index.schema import SCHEMA, VERSION
from urlextract.records import Form

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
    ("urlextract index links.db --fr", {"--from"}),
    ("urlextract cluster --doma", {"--domain"}),
    ("urlextract report --li", {"--limit"}),
    ("urlextract parse --j", {"--json"}),
    ("urlextract -u -F mb", {"mbox"}),
    ("urlextract format -t late", {"latex"}),
    ("urlextract rewrap --join lik", {"likely"}),
    ("urlextract letter.eml --hyphen d", {"drop"}),
]


def shown(*words: str, width: int = 80) -> list[str]:
    done = commands.run(*words, env={**commands.ENVIRONMENT, "COLUMNS": str(width)})
    assert done.returncode == 0
    return commands.lines(done)


# --- the page as text -----------------------------------------------------------------------------


@cache
def sections() -> dict[str, str]:
    """Return the first section or subsection of each name, with its macros."""
    found = {}
    for page in sorted(PAGES, key=lambda page: page != PAGE):
        for ends in ("H", "[HS]"):
            pattern = rf"(?ms)^\.S{ends} ([^\n]*)\n(.*?)(?=^\.S{ends} |\Z)"
            for title, body in re.findall(pattern, page.read_text()):
                found.setdefault(plain(title), body)  # a section has its subsections
    return found


def section(title: str) -> str:
    """Return the lines of a section, or of a subsection."""
    return sections()[title]


def words(title: str) -> str:
    """Return the text of a section in one line."""
    lines = section(title).splitlines()
    return " ".join(plain(line) for line in lines if not line.startswith("."))


def entries(title: str) -> list[tuple[str, str]]:
    """Return the entries of the lists in a section: what each is about, and its text."""
    found: list[tuple[str, str]] = []
    is_in = False
    for line in section(title).splitlines():
        tag = re.fullmatch(r'[.]IP "(.*)" 7', line)
        if tag:
            found.append((tag[1], ""))
        is_in = bool(tag) or (is_in and not line.startswith("."))
        if is_in and not tag:
            found[-1] = found[-1][0], f"{found[-1][1]} {plain(line)}".strip()
    return found


def terms(title: str) -> list[tuple[str, str]]:
    return [(plain(tag), text) for tag, text in entries(title)]


def shown_lines(title: str) -> list[list[str]]:
    """Return the blocks of lines in a section that are shown as they are."""
    blocks = re.findall(r"^[.]nf\n(.*?)^[.]fi$", section(title), re.MULTILINE | re.DOTALL)
    return [[plain(line) for line in block.splitlines()] for block in blocks]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_generated_parts_are_those_of_the_program(page: Path) -> None:
    """If not: python tests/manual.py."""
    assert page.read_text("utf-8") == renewed(page.read_text("utf-8"))


def test_each_generated_part_is_in_one_page() -> None:
    names = [name for page in PAGES for name in BLOCK.findall(page.read_text("utf-8"))]
    assert sorted(names) == sorted(BLOCKS)


def test_page_has_each_table_and_view_of_the_index() -> None:
    made = set(re.findall(r"(?m)^CREATE (?:TABLE|VIEW) (\w+)", SCHEMA))
    told = set(re.findall(r"CREATE TABLE (\w+)", section("Tables"))) | {name for name, _ in terms("Views")}
    assert made - told == {"files", "seen"}


def options_of(command: click.Command) -> list[click.Option]:
    ctx = click.Context(command)
    options = [each for each in command.get_params(ctx) if isinstance(each, click.Option)]
    return [each for each in options if each.get_help_record(ctx)]


def mail(number, date, sender, body, *fields):
    head = f"From: {sender}", f"Date: {date} 10:00:00 +0000", f"Message-ID: <{number}@example.org>"
    return "\n".join(("From x@y Mon Nov 14 09:12:44 1994", *head, *fields, "", body, "", ""))


ANN, HOME = "Ann <ann@a.example>", "http://www.example.org/"
GATEWAY = "https://www.google.com/url?q=http%3A%2F%2Fwww.example.org%2F&sa=D&k="
PAGE_OF_EVE = "Content-Type: text/html\n\n<a href='http://evil.example/'>www.bank.example</a>"
MAILS = (
    mail(1, "1 Jan 2001", ANN, f"the tides: {HOME}", "Subject: tide"),
    mail(2, "1 Feb 2002", "bob@b.example", f"again {GATEWAY}1\n\n{GATEWAY}2", "References: <1@example.org>"),
    mail(3, "1 Mar 2002", ANN.upper(), "see https://www.rfc-editor.org/rfc/rfc1738.txt"),
    mail(4, "1 Jan 2002", "bob@b.example", "no link at all"),
    mail(5, "1 Feb 2002", "cy@c.example", "http://t.example/html/RFC1738 and http://t.example/rfc2369"),
    mail(6, "1 Mar 2003", "eve@e.example", "", PAGE_OF_EVE),
)


def answers(box):
    """Return what the first rows of each query are, as read from `MAILS` by hand; ``box`` has them."""
    return (
        [
            ("2001", "example.org", 1), ("2002", "example.org", 2), ("2002", "t.example", 2),
            ("2002", "rfc-editor.org", 1), ("2003", "bank.example", 1), ("2003", "evil.example", 1),
        ],
        [("bob@b.example", 2), ("ann@a.example", 1)],
        [(HOME, 2)],
        [("2001-01-01T10:00:00Z", ANN, "tide")],
        [("2003-03-01T10:00:00Z", "www.bank.example", "http://evil.example/", str(box), 6)],
        [(HOME,)],
        [(HOME, "2001-01-01T10:00:00Z", "2002-02-01T10:00:00Z", 3)],
        [("2001-01-01T10:00:00Z", HOME, f"the tides: {HOME}")],
        [("rfc1738", 2), ("rfc2369", 1)],
        [("2001-01", 100.0), ("2002-01", 0.0), ("2002-02", 100.0), ("2002-03", 100.0), ("2003-03", 100.0)],
    )  # fmt: skip


def test_queries_of_the_page_answer_what_it_says(tmp_path):
    box = tmp_path / "box"
    box.write_text("".join(MAILS))
    index_sources(tmp_path / "links.db", box)
    [queries] = shown_lines("Queries")
    with closing(sqlite3.connect(tmp_path / "links.db")) as index:
        for query, expected in zip(queries, answers(box), strict=True):
            assert index.execute(query).fetchall()[: len(expected)] == expected, query


JOINED = "http://www.example.org/a/north.html", "http://www.example.org/harbour/tables/2026/south-kqzx7.html"
AS_IT_STANDS = "http://www.example.org/a/", "http://www.example.org/harbour/tables/2026/south-"
LAST = "http://www.example.org/harbour/tide-"


@pytest.mark.parametrize(("value", "urls"), [
    ("none", [*AS_IT_STANDS, LAST]), ("delimited", [JOINED[0], AS_IT_STANDS[1], LAST]),
    ("safe", [*JOINED, LAST]), ("likely", [*JOINED, f"{LAST}tables"]),
])  # fmt: skip
def test_text_of_the_page_is_joined_as_it_says(value, urls):
    [text] = shown_lines("LINE ENDS")
    assert commands.lines(commands.run("--join", value, data="\n".join([*text, ""]))) == urls


def test_page_has_an_example_of_each_form():
    text = words("WHAT COUNTS").partition("--form selects")[2].partition(" --scheme selects")[0]
    shown = dict(re.findall(r"([a-z-]+) \((.*?)(?:\)(?=, |[.]$)|: )", text))
    assert set(shown) == set(Form)
    in_header = b"Subject: see <http://a.example/8>\n\n"
    readers = {"html-attribute": extract_html, "header": lambda _: extract_message(in_header)}
    for form, example in shown.items():
        [found] = readers.get(form, extract)(example)
        assert found.form is Form(form)
        [figure] = [figure for figure, places in FIGURES if re.search(rf"forms? [^;.]*\b{form}\b", places)]
        assert found.confidence == float(figure)


FIGURES = terms("CONFIDENCE")


@pytest.mark.parametrize(("figure", "places"), FIGURES)
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
    assert re.findall(r"= *([0-9.]+)[.;]", words("CONFIDENCE")) == ["0.51", "0.88"]


@pytest.fixture
def command(tmp_path: Path) -> dict[str, str]:
    """Return an environment that finds this program, and no installed one."""
    environment = surroundings(tmp_path)  # which makes it
    return {**environment, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def commands_shown(title: str) -> list[tuple[str, str]]:
    """Return the commands in the last block of lines of a section, each with what it prints."""
    shown = "\n".join(shown_lines(title)[-1]) + "\n"
    return re.findall(r"^[$] (.*)\n((?:(?![$] ).*\n)*)", shown, re.MULTILINE)


SHOWN = {"today.eml": "A message of today", "links.txt": "Links of many places"}


@pytest.mark.parametrize(("file", "words", "output"), [
    (file, *each) for file, title in SHOWN.items() for each in commands_shown(title)
])  # fmt: skip
def test_examples_print_what_the_page_shows(file, words, output, command, tmp_path):
    (tmp_path / file).write_text("\n".join(shown_lines(SHOWN[file])[0]) + "\n", "utf-8")
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
    assert str(status) in dict(terms("EXIT STATUS"))


def test_program_of_the_page_numbers_urls():
    [program] = [
        block for block in shown_lines("OTHER TEXT IN PLACE OF URLS") if "def number(found):" in block
    ]
    data = b"See <URL:http://a.example/b>, http://c.example/ and\n<http://a.example/\nb>.\n"
    output = run(sys.executable, "-c", "\n".join(program), data=data, env=commands.ENVIRONMENT)
    assert output == b"See [1], [2] and\n[1].\n\n[1]: <http://a.example/b>\n[2]: <http://c.example/>\n"
    assert len(list(filter(None, program))) <= 10


def test_state_and_in_place_leave_no_other_files(command, tmp_path):
    (tmp_path / "text").write_text("a\n<http://a.example/\nb>\n")
    run("urlextract", "--state", "state", "-o", "output", "text", cwd=tmp_path, env=command)
    run("urlextract", "rewrap", "-i", "text", cwd=tmp_path, env=command)
    assert {path.name for path in tmp_path.iterdir()} == {"bin", "text", "state", "output"}
    for name in ("--state", "--output", "mend -i FILE, rewrap -i"):
        assert f"{name} FILE" in dict(terms("FILES"))


def test_the_page_has_the_version_of_the_index() -> None:
    assert f"user_version, that of these tables, is {VERSION}." in words("INDEX")


def test_the_help_of_all_options_is_a_sentence():
    for option in options_of(extract_command):
        assert re.match(r"[A-Z-].{15,}[.]\Z|.*repeatable", option.help or ""), option.opts


def test_short_help_is_one_screen():
    lines = shown("-h")
    assert len(lines) <= 40
    assert max(map(len, lines)) < 80
    text = "\n".join(lines)
    daily = (
        "-j --csv -c --explain --fields -u --top -H --defang --host --grep --unwrap --links --since --until "
        "--sender --subject --state"
    )
    assert {each for each in daily.split() if f" {each}" not in text} == set()
    assert len(re.findall(r"^  +-", text, re.MULTILINE)) == len(daily.split())
    assert all(name in text for name in COMMANDS)


@pytest.mark.parametrize("words", [("help", "pick"), ("--help", "pick"), ("-h", "pick"), ("pick", "-h")])
def test_help_of_a_command_is_asked_for_before_it_or_behind_it(words):
    assert shown(*words)[0] == "Usage: urlextract pick [OPTIONS] [FILE|-]..."


@pytest.mark.parametrize("words", [("-V",), ("--version",), ("pick", "-V"), ("mend", "--version")])
def test_version_is_shown_by_each_command(words):
    assert shown(*words) == [f"urlextract, version {__version__}"]


@pytest.mark.parametrize(("words", "page"), [
    ("--man", "man1/urlextract.1"), ("pick --man", "man1/urlextract-pick.1"),
    ("--man pick", "man1/urlextract-pick.1"), ("help records", "man5/urlextract-records.5"),
])  # fmt: skip
def test_page_of_a_command_is_named_where_there_is_no_man(words, page, tmp_path):
    done = commands.started(*words.split(), env={**commands.ENVIRONMENT, "PATH": str(tmp_path)})
    told = f"urlextract: --man: there is no program man; the page is {MAN / page}\n"
    assert (done.returncode, done.stderr.decode()) == (2, told)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_into_a_narrow_window(name):
    """But for an example, of which no line is broken."""
    lines = [line for line in shown(*[name] * bool(name), "-h", width=60) if not line.startswith("  sqlite3")]
    assert [line for line in lines if len(line) > 60 and not line.startswith("  urlextract")] == []
    assert "Examples:" in lines or name == "cluster"


@pytest.mark.parametrize("call", [
    call for name in ("format", "parse", "mend", "rewrap") for call, _ in load(name).examples
])  # fmt: skip
def test_examples_in_help_work(call, command, tmp_path):
    (tmp_path / "notes").mkdir()
    for file in ("letter.eml", "mail.mbox", "draft.txt", "notes/a.txt", "urls"):
        (tmp_path / file).write_text("http://a.example/\n")
    words = call.replace(" URL", " http://a.example/")
    assert run("sh", "-c", words, cwd=tmp_path, env=command) or " -i " in call or ">" in call


def test_help_has_all_options():
    text = "\n".join(shown("--help"))
    for option in options_of(extract_command):
        assert f"{max(option.opts, key=len)} " in text
    narrow = {line.split()[0] for line in shown("--help", width=40) if line.startswith("  -")}
    assert narrow >= {"-j,", "--since", "-h"}  # nothing is cut


@pytest.mark.parametrize("name", ["index", "cluster"])
def test_help_of_a_command_points_to_the_options_that_it_shares(name):
    for option in ("-h", "--help"):
        text = "\n".join(shown(name, option))
        assert "--scheme" not in text
        assert "urlextract --help" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["mandoc", "-Tlint", "-Wwarning"], ["groff", "-man", "-ww", "-Tutf8", "-z"]]
)
def test_troff_has_nothing_to_complain_of(words):
    command = [need(words[0], words[0]), *words[1:], *PAGES]
    done = subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, b"")


@pytest.mark.slow
def test_man_finds_the_page_by_the_place_of_the_command(tmp_path):
    man = need("man-db", "man")
    (tmp_path / "bin").mkdir()
    (tmp_path / "share").symlink_to(SHARE)
    environment = surroundings(tmp_path, MANWIDTH="78", MANROFFOPT="-c", PAGER="cat", MAN_DISABLE_SECCOMP="1")
    text = re.sub(".\b", "", run(man, "urlextract", env=environment, cwd=tmp_path).decode())
    assert "print every URL in mail, news and text" in text
    assert "--top [N]" in text


EXAMPLES = [
    line for block in shown_lines("EXAMPLES") for line in block
    if line.startswith("urlextract") and not set("|$>") & set(line)
]  # fmt: skip


@pytest.mark.parametrize(
    "words", [pytest.param(words, marks=[pytest.mark.slow] * ("cluster" in words)) for words in EXAMPLES]
)
def test_the_examples_of_the_page_work(words, tmp_path):
    for name, sample in (("mail.mbox", "inbox.mbox"), ("letter.eml", "sample.eml")):
        (tmp_path / name).write_bytes((ROOT / "corpora" / sample).read_bytes())
    fill(tmp_path / "links.db", [])
    for name, text in (
        ("news/1", "From: a@a.example\nSubject: x\n\nhttp://a.example/\n"),
        ("Mail/sent", "From: a@a.example\n\nhttp://a.example/\n"),
    ):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    output = run("sh", "-c", words, cwd=tmp_path, env=surroundings(tmp_path))
    assert output or "-i" in words or " -o " in words or words.startswith("urlextract index")


def test_the_lines_for_asyncio_find_each_url_as_soon_as_it_is_certain():
    [lines] = [block for block in shown_lines("EXAMPLES") if any("async for" in line for line in block)]
    assert len(lines) == 3
    known = {}
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"async def read(pieces, extractor, found):\n{body}", known)  # noqa: S102 - our own page
    found, seen = [], []

    async def pieces():
        for piece in ("see <http://a.exa", "mple/\nb> and\n\n", " http://c.example/"):
            yield piece
            seen.append([each.url for each in found])

    asyncio.run(known["read"](pieces(), Extractor(), found))
    assert seen == [[], ["http://a.example/b"], ["http://a.example/b"]]
    assert [each.url for each in found] == ["http://a.example/b", "http://c.example/"]


def test_all_is_installed():
    try:
        files = importlib.metadata.distribution("urlextract-mail").files or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package runs from its folder, and is not installed")
    shared = [Path(str(path.locate())) for path in files if "share" in path.parts]
    installed = {path.parts[-4:]: path.read_text() for path in shared}
    for path in (*PAGES, *COMPLETIONS.values()):
        assert installed[("share", *path.parts[-3:])] == path.read_text()


@pytest.mark.parametrize(("line", "offered"), [*LINES, ("urlextract --fields date,subj", {"date,subject"})])
def test_bash_completes(line, offered, tmp_path):
    words = shlex.split(line)
    script = (
        f". {COMPLETIONS['bash']}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        '_urlextract_completion urlextract; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    output = run("bash", "--norc", "-c", script, cwd=tmp_path, env=surroundings(tmp_path))
    assert set(output.decode().split()) == offered


@pytest.mark.slow
@pytest.mark.parametrize(("line", "offered"), [*LINES, ("urlextract -u lett", {"letter.eml"})])
def test_fish_completes(line, offered, tmp_path):
    (tmp_path / "letter.eml").touch()
    script = f"source {COMPLETIONS['fish']}; complete -C {shlex.quote(line)}"
    output = run(need("fish", "fish"), "-N", "-c", script, cwd=tmp_path, env=surroundings(tmp_path)).decode()
    assert {line.partition("\t")[0] for line in output.splitlines()} == offered


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_tab_completes(shell, tmp_path):
    program, tmux = need(shell, shell), need("tmux", "tmux")
    (tmp_path / "letter.eml").touch()
    of_zsh = f"fpath=({COMPLETIONS['zsh'].parent} $fpath)\nautoload -U compinit; compinit -u\n"
    for name, lines in ((".zshrc", of_zsh), ("bashrc", f". {COMPLETIONS['bash']}\n")):
        (tmp_path / name).write_text(f"{lines}PS1='ready> '\n")
    environment = surroundings(tmp_path, TMUX_TMPDIR=str(tmp_path), TERM="screen", SHELL="/bin/sh")
    start = f"{program} --rcfile bashrc -i" if shell == "bash" else f"{program} -i"
    tell = (tmux, "-L", shell, "-f", "/dev/null")
    run(*tell, "new-session", "-d", "-x", "100", "-y", "20", start, cwd=tmp_path, env=environment)

    def wait_for(text: str) -> None:
        shows = lambda: text in run(*tell, "capture-pane", "-p", env=environment).decode()  # noqa: E731
        wait_until(shows, f"{text!r} in {shell}")

    try:
        wait_for("ready>")
        for typed, completed in (
            ("urlextract --uni", "--unique"), (" --hyphen bo", "both"), (" lett", "letter.eml"),
        ):  # fmt: skip
            run(*tell, "send-keys", "-l", typed, env=environment)
            run(*tell, "send-keys", "Tab", env=environment)
            wait_for(completed)
    finally:
        run(*tell, "kill-server", env=environment)
