"""The library in programs of others: short texts, dense text, memory of records, time to import.

    python tests/benchmarks/library.py [--old PYTHON] [--rounds 7]

Short texts are read by default, and with options that are made once; with hosts and mail addresses beside
linkify-it-py, which is installed into a temporary folder (PyPI). Dense text is compared with an older version
of this package, if ``--old`` names the Python of an environment that has it. All times are of the processor,
medians of rounds in which the candidates take turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile

TWO = "See http://www.example.org/tides/ and also https://a.example.com/path?q=1 for more of it.\n"
NONE = "There is nothing to be seen in this line of plain text, which goes on to its very end.\n"
LINE = (
    "Some words of a text that go before it: https://www.example.org/a/b/c/{}.html?x=1 and so on, and more.\n"
)
TEXTS = {
    "a line with two URLs": (TWO, 2_000),
    "a line without any": (NONE, 4_000),
    "ten URLs in 1.1 kB": ("".join(map(LINE.format, range(10))), 300),
    "a host": ("It is at github.com/x/y, with more.\n", 2_000),
    "www.": ("It is at www.example.com/x, with more.\n", 2_000),
    "an address": ("Write to joe@example.com about it.\n", 2_000),
    "hanzi": (
        "\u8bf7\u53c2\u9605 http://www.example.com/\u8def\u5f84 \u4ee5\u4e86\u89e3\u66f4\u591a\u3002\n",
        2_000,
    ),
    "names with dots": ("e.g. this, i.e. that, file.txt and foo.bar() in v1.2.3, at 10:30.\n", 2_000),
    "words and colons": ("10:31:22 INFO:root: key=value: foo: bar\n", 2_000),
}
MESSAGE = b"Subject: hi\n\nsee http://www.example.org/x y\n"

# Each program reads lines of JSON (a text, and how often to read it), and prints the seconds for a reading.
LOOP = """
import json, sys, time
{setup}
for line in sys.stdin:
    text, count = json.loads(line)
    start = time.process_time()
    for _ in range(count):
        {call}
    print((time.process_time() - start) / count, flush=True)
"""
OURS = LOOP.format(setup="from urlextract import extract", call="list(extract(text))")
ONCE = LOOP.format(setup="from urlextract import Extractor\nfinder = Extractor()", call="finder(text)")
LIKE = LOOP.format(
    setup="from urlextract import Extractor\nfinder = Extractor(relaxed=True, emails=True)",
    call="finder(text)",
)
LINKIFY = LOOP.format(
    setup="from linkify_it import LinkifyIt\nfinder = LinkifyIt()", call="finder.match(text)"
)
MAIL = LOOP.format(
    setup="from urlextract import extract_message", call="list(extract_message(text.encode()))"
)
IMPORT = (
    "import time; s = time.process_time(); from urlextract import extract; print(time.process_time() - s)"
)
MEMORY = """
import resource
from urlextract import extract
def text():
    for number in range(1_000_000):
        yield f"see <http://www.example.org/tides/{number}> and more\\n"
next(extract(text()))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = list(extract(text()))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / len(found))
"""


class Program:
    """A program that runs until it is closed, and times what it is given."""

    def __init__(self, code: str, python: str = sys.executable, path: str = "") -> None:
        environment = {"PYTHONPATH": path} if path else None
        self._process = subprocess.Popen(
            [python, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def seconds(self, text: str, count: int) -> float:
        """Return the seconds of processor time for each reading of ``text``."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([text, count]) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End the program."""
        self._process.communicate()


def medians(programs: dict[str, Program], text: str, count: int, rounds: int) -> dict[str, float]:
    """Return the median of the seconds of each program; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            times[name].append(program.seconds(text, count))
    return {name: statistics.median(each) for name, each in times.items()}


def dense(lines: int = 20_000) -> str:
    """Return a text in which every line has a URL: bare, in brackets, in quotes."""
    forms = (
        "see http://www.example.org/a/{}/ and",
        "<http://www.example.org/{}>",
        '"http://a.example/{}.html",',
    )
    return "".join(forms[number % 3].format(number) + "\n" for number in range(lines))


def printed(code: str, python: str = sys.executable) -> float:
    """Return the number that a program prints."""
    return float(subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", metavar="PYTHON", help="the Python of an environment with an older version")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        got = subprocess.run(
            [sys.executable, "-m", "pip", "-q", "install", "--target", folder, "linkify-it-py"],
            capture_output=True, check=False,
        )  # fmt: skip
        programs = {"extract": Program(OURS), "made once": Program(ONCE), "relaxed, emails": Program(LIKE)}
        if got.returncode == 0:
            programs["linkify-it-py"] = Program(LINKIFY, path=folder)
        else:
            print("linkify-it-py cannot be installed")
        for name, (text, count) in TEXTS.items():
            times = medians(programs, text, count, options.rounds)
            other = times.get("linkify-it-py")
            shown = ", ".join(f"{each} {time * 1e6:.1f} µs" for each, time in times.items())
            print(
                f"{name}: {shown}"
                + (f"; relaxed, emails takes {times['relaxed, emails'] / other:.2f} of it" if other else "")
            )
        for program in programs.values():
            program.close()
    mail = Program(MAIL)
    seconds = medians({"": mail}, MESSAGE.decode(), 1_000, options.rounds)[""]
    print(f"a message of {len(MESSAGE)} bytes: {seconds * 1e6:.1f} µs")
    mail.close()
    candidates = {"new": Program(OURS)}
    if options.old:
        candidates["old"] = Program(OURS, options.old)
    times = medians(candidates, dense(), 1, options.rounds)
    print(
        "dense text: "
        + ", ".join(f"{name} {time / 20_000 * 1e6:.2f} µs a record" for name, time in times.items())
    )
    imports = statistics.median(printed(IMPORT) for _ in range(options.rounds))
    print(f"from urlextract import extract: {imports * 1e3:.1f} ms")
    print(f"memory of a million records: {printed(MEMORY):.0f} bytes each")


if __name__ == "__main__":
    main()
