"""Run two installations on the same input, and show each difference in what they print.

    python tests/benchmarks/differences.py OLD [NEW] [--all] [--only REGEX] [--judged FILE]

OLD and NEW are commands such as ``../base/.venv/bin/urlextract``; NEW is by default the one of the
environment that runs this. Standard output, standard error, exit status, and the views of an index
are compared for each combination of options and input: ``corpora/``, the texts and messages of the
folder of shared corpora where that lies beside the checkout, texts from ``strategies.py`` with a fixed
seed, a damaged file of each kind, and the files of the bench folder's make_corpora.py. Without ``--all``
it takes some minutes.

A difference that is meant stands in ``differences.toml``, with its reason: what the old one prints is
rewritten by these patterns before it is compared. The exit status is 1 if other differences are left.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import damaged

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Made = TypeVar("Made")
HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SHARED = ROOT.parent / "shared"
LIMIT = 1_800  # seconds for one command
SHOWN = 12  # lines of a difference
VIEWS = ("links", "deceptive_links")  # of an index
WHERE = ("id", "source", "message", "offset", "byte")  # which are another mail's if it lies in several files
LARGEST = 200_000  # bytes of a file that the commands for one text are run on

sys.path.insert(0, str(HERE.parent))

# Options of extraction, one set a line; the first ones are tried for each commit.
OPTIONS = """

-j
--explain
-n -H
--csv
-c
--relaxed --emails
--refang -j
--join likely -j
-u
--fields subject,raw,url
-J 2
-J 2 -j
"""
MORE_OPTIONS = """
--parse
--raw
--defang
-0
-I -n
-q
-m 7
-m 7 -j
--top
--top 5 -j
-u -j
--join none
--join delimited -j
--hyphen both
--hyphen drop -j
--bracketed -j
--links -j
--unwrap
--unwrap -j
--valid -j
--relaxed --emails --explain
--refang --explain
--scheme any -j
--scheme ftp,gopher
--form bare -n
--host .example --not-host a.example
--domain example.org -j
--parts text -j
--parts html,headers
--quoted skip
--quoted only -j
--signature skip
--charset latin-1 -j
--since 2001-01-01 -j
--base http://base.example/x/ -j
-F text -j
-F html -j
-F message -j
-J 2 -n -H
-J 2 --csv
-J 2 -u
-J 2 --explain
-J 2 --top
-J 2 -c
"""
# Commands that read one text. What an older installation calls otherwise stands behind "was".
ON_ONE = """
rewrap
rewrap --break was rewrap --policy bracket
mend
mend --unwrap
pick --print --list
"""
MORE_ON_ONE = """
rewrap --width 40
rewrap --break --width 40 was rewrap --policy bracket --width 40
pick --print --headers --list
"""
# Commands that read URLs, one a line
ON_URLS = """
parse
parse --json
format
format --encode
format --width 40 --prefix >
format --encode --target html
format --encode --target latex
format --encode --target man
format --encode --target rst
format --encode --target markdown
format --brackets none
"""


class Case(NamedTuple):
    """A command line, the file that is its standard input if there is one, and an index that it writes.

    ``old_words`` are those for the old installation, where it has other names.
    """

    words: tuple[str, ...]
    stdin: Path | None = None
    index: str = ""
    old_words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(self.words) + (f" < {self.stdin}" if self.stdin else "")


class Outcome(NamedTuple):
    """What a command left: the lines of its streams and of its index, and its exit status."""

    stdout: list[str]
    stderr: list[str]
    index: list[str]
    status: list[str]


class Judged(NamedTuple):
    """A difference that is meant: ``old`` in what the old installation prints has become ``new``.

    ``on`` is searched in the command line. With ``both`` the pattern is also applied to the new one,
    for what two runs never print alike.
    """

    reason: str
    old: re.Pattern[str]
    new: str
    on: re.Pattern[str]
    both: bool

    def rewritten(self, lines: list[str]) -> list[str]:
        """Return the lines rewritten, without those of which nothing is left."""
        pairs = ((line, self.old.sub(self.new, line)) for line in lines)
        return [new for old, new in pairs if new or not old]


def judged(path: Path) -> list[Judged]:
    rows = tomllib.loads(path.read_text("utf-8")).get("judged", [])
    return [
        Judged(
            row["reason"],
            re.compile(row["old"]),
            row["new"],
            re.compile(row.get("on", "")),
            row.get("both", False),
        )
        for row in rows
    ]


# --- input ----------------------------------------------------------------------------------------


def generated(folder: Path, count: int) -> None:
    """Write texts and messages of the strategies, the same ones in each run, as files of ``folder``."""
    import strategies
    from hypothesis import strategies as st

    messages = st.lists(strategies.MESSAGE_LINES, max_size=14).map(b"\n".join)
    texts = st.one_of(strategies.texts, strategies.broken_texts, strategies.plain_texts)
    encoded = texts.map(lambda text: text.encode("utf-8", "surrogateescape"))
    for suffix, strategy in (("txt", encoded), ("eml", messages)):
        for number, data in enumerate(drawn(strategy, count)):
            (folder / f"{number:04}.{suffix}").write_bytes(data)


def drawn(strategy: SearchStrategy[Made], count: int) -> list[Made]:
    """Return so many values of a strategy, the same ones in each run."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    found: list[Made] = []
    checks = list(HealthCheck)

    @seed(20261126)
    @settings(max_examples=count, database=None, phases=[Phase.generate], suppress_health_check=checks)
    @given(strategy)
    def keep(value: Made) -> None:
        found.append(value)

    keep()
    return found


def bench_files(folder: Path, scale: str) -> list[str]:
    """Return the files that make_corpora.py writes, none where there is no such program."""
    maker = SHARED / "bench" / "make_corpora.py"
    if not maker.exists():
        return []
    words = [sys.executable, maker, "--out", folder, "--scale", scale]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [str(folder / name) for name in ("plain.txt", "dense.txt", "angle.txt", "mail.mbox")]


def small_files(*folders: Path) -> list[Path]:
    files = (path for folder in folders for path in sorted(folder.rglob("*")))
    return [path for path in files if path.is_file() and path.stat().st_size < LARGEST]


def cases(folder: Path, *, is_all: bool) -> Iterator[Case]:
    """Yield the cases; ``folder`` takes the input that is made."""
    for name in ("generated", "bench", "damaged"):
        (folder / name).mkdir()
    generated(folder / "generated", 1_000 if is_all else 150)
    bench = bench_files(folder / "bench", "0.1" if is_all else "0.005")
    shared = [path for path in sorted((SHARED / "corpora").glob("*")) if path.is_dir()]
    folders = [ROOT / "corpora", *(path for path in shared if is_all or path.name != "rfc")]
    sources = [tuple(map(str, folders)), (str(folder / "generated"),), *([tuple(bench)] if bench else [])]
    for words in sets(OPTIONS, MORE_OPTIONS if is_all else ""):
        yield from (Case((*words, *source)) for source in sources)
    pipes = [ROOT / "corpora" / "sample.eml", ROOT / "corpora" / "inbox.mbox", *map(Path, bench)]
    for words in sets("\n\n-j\n-n\n--explain\n"):
        yield from (Case(words, path) for path in pipes)  # a pipe has no name and no size
    for words in sets("\n\n--relaxed --emails --join likely\n"):
        yield from (Case(("index", "links.db", *words, *source), index="links.db") for source in sources)
    files = small_files(*folders, folder / "generated")
    step = 1 if is_all else max(1, len(files) // 12)
    for words in sets(ON_ONE, MORE_ON_ONE if is_all else ""):
        new, old = renamed(words)
        yield from (Case((*new, str(path)), old_words=(*old, str(path))) for path in files[::step])
    urls = folder / "urls"
    urls.write_text("\n".join(urls_of_schemes(1_000 if is_all else 300)), "utf-8", "surrogateescape")
    yield from (Case((*words, "-"), urls) for words in sets(ON_URLS))
    for path in damaged.make(folder / "damaged"):
        yield from (Case((*words, str(path))) for words in (("-H",), ("-j",)))
    yield Case(("-H", str(folder / "damaged")))


def urls_of_schemes(count: int) -> list[str]:
    """Return the examples of the standards, URLs of all schemes, and texts that are none or nearly one."""
    import strategies
    from scheme_cases import CASES

    fixed = [text for text, *_ in CASES]
    lines = strategies.texts.map(lambda text: " ".join(text.split()))
    return [*fixed, *drawn(strategies.printed_urls, count), *drawn(lines, count)]


def renamed(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a command for the new installation and for the old one."""
    new, _, old = " ".join(words).partition(" was ")
    return tuple(new.split()), tuple((old or new).split())


def sets(*tables: str) -> list[tuple[str, ...]]:
    """Return the words of each line of the tables."""
    return [tuple(line.split()) for table in tables for line in table.splitlines()[1:]]


# --- comparison -----------------------------------------------------------------------------------


def run(command: str, case: Case, words: tuple[str, ...]) -> Outcome:
    """Run a command with these words in an empty folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        with open(case.stdin or "/dev/null", "rb") as stdin:
            done = subprocess.run(
                [command, *words],
                stdin=stdin,
                capture_output=True,
                cwd=folder,
                timeout=LIMIT,
                check=False,
            )
        index = Path(folder, case.index) if case.index else None
        rows = dumped(index) if index and index.exists() else []
    return Outcome(lines_of(done.stdout), lines_of(done.stderr), rows, [str(done.returncode)])


def lines_of(data: bytes) -> list[str]:
    return [as_now(line) for line in data.decode("utf-8", "backslashreplace").splitlines()]


def as_now(line: str) -> str:
    """Return a record of version 4 as one of version 5, without the context, its keys in one order.

    Another line is returned as it is.
    """
    if not line.startswith(('{"v":4,', '{"v":5,', '{"url":')):
        return line
    record = json.loads(line)
    for name, codes in (("repairs", "repair_codes"), ("defects", "defect_codes")):
        if codes in record:
            pairs = zip(record.pop(codes), record[name], strict=True)
            record[name] = [{"code": code, "words": words} for code, words in pairs]
    record.pop("context", None)
    record |= {"v": 5} if "v" in record else {}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def dumped(path: Path) -> list[str]:
    """Return the rows of the views of an index in the order of their texts, each once, without where it is.

    A mail that lies in several files may be counted once.
    """
    with closing(sqlite3.connect(path)) as base:
        base.row_factory = sqlite3.Row
        rows = ((view, dict(row)) for view in VIEWS for row in base.execute(f"SELECT * FROM {view}"))  # noqa: S608
        return sorted({f"{view} {row | dict.fromkeys(WHERE)}" for view, row in rows})


def difference(old: Outcome, new: Outcome, rules: list[Judged], used: set[Judged]) -> list[str]:
    """Return the lines of a diff, none if the outcomes are equal but for what is judged."""
    shown: list[str] = []
    for name, before, after in zip(Outcome._fields, old, new, strict=True):
        if before == after:
            continue
        left, right = before, after
        for rule in rules:
            rewritten = rule.rewritten(left)
            if rewritten != left:
                used.add(rule)
            left, right = rewritten, rule.rewritten(right) if rule.both else right
        if left != right:
            shown += [f"  {name}:", *(f"    {line}" for line in diff(left, right))]
    return shown


def diff(before: list[str], after: list[str]) -> Iterator[str]:
    """Yield the first lines of a diff of what lies between the first and the last difference."""
    start = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    before, after = before[start : start + 2_000], after[start : start + 2_000]
    changes = (line for line in difflib.ndiff(before, after) if line[0] in "+-")
    for number, line in enumerate(changes):
        if number == SHOWN:
            yield "..."
            return
        yield line[:400]


def compare(old: str, new: str, chosen: list[Case], rules: list[Judged]) -> int:
    """Print the differences of all cases; return the number of cases that have one."""
    used: set[Judged] = set()
    count = 0
    with ThreadPoolExecutor(2) as pool:
        for case in chosen:
            outcomes = pool.map(run, (old, new), (case, case), (case.old_words or case.words, case.words))
            its_rules = [rule for rule in rules if rule.on.search(str(case))]
            shown = difference(*outcomes, its_rules, used)
            if shown:
                count += 1
                print(case, *shown, sep="\n", flush=True)
    for rule in rules:
        if rule not in used and not rule.both:
            print(f"not met: {rule.reason}")
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", help="the command to compare with")
    parser.add_argument("new", nargs="?", default=str(Path(sys.executable).with_name("urlextract")))
    parser.add_argument("--all", action="store_true", help="all options on all input")
    parser.add_argument("--only", default="", help="only cases whose command line has this pattern")
    parser.add_argument("--judged", type=Path, default=HERE / "differences.toml")
    chosen = parser.parse_args()
    old, new = (str(Path(path).absolute()) for path in (chosen.old, chosen.new))
    with tempfile.TemporaryDirectory() as folder:
        every = [case for case in cases(Path(folder), is_all=chosen.all) if re.search(chosen.only, str(case))]
        count = compare(old, new, every, judged(chosen.judged))
    print(f"{len(every)} cases, {count} with differences that nobody has judged")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
