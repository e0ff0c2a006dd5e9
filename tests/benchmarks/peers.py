"""The speed of this program and of others that find URLs in text and in mail: two tables for README.md.

    python tests/benchmarks/peers.py [--corpora DIR] [--runs 3]

Writes its own texts (seeded; or takes plain.txt, dense.txt, angle.txt and mail.mbox of DIR), installs
the others into a temporary folder (PyPI, npm, Debian's liburi-find-perl), and has each read
the same text in blocks of whole paragraphs, as much of it as it gets through in some seconds.
Time is what each needs to search, without its start; of this program and of ripgrep,
that of the whole process over the whole text. What cannot be installed is left out, and said.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING

from speed import PATTERN, on_one_processor

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
TEXTS = ("plain", "dense", "angle")
WORDS = "the tide harbour of berth and table is in north wind for sail a pier to letter from ferry"
SIZE = 32_000_000  # bytes of a text
# Each prints the seconds that it takes for the paragraphs of a file, read as JSON.
PYTHON = """
import json, sys, time
paragraphs = json.load(open(sys.argv[1]))
{setup}
start = time.perf_counter()
for text in paragraphs:
    {call}
print(time.perf_counter() - start)
"""
SETUPS = {
    "urlextract": ("from urlextract import URLExtract; finder = URLExtract()", "finder.find_urls(text)"),
    "linkify-it-py": ("from linkify_it import LinkifyIt; finder = LinkifyIt()", "finder.match(text)"),
    "urlscan": ("from urlscan.urlscan import extracturls", "extracturls(text)"),
}
NODE = """
const {LinkifyIt, default: other} = require("linkify-it");
const finder = LinkifyIt ? new LinkifyIt() : new (other || require("linkify-it"))();
const paragraphs = JSON.parse(require("fs").readFileSync(process.argv[2]));
const start = process.hrtime.bigint();
for (const text of paragraphs) finder.match(text);
console.log(Number(process.hrtime.bigint() - start) / 1e9);
"""
PERL = """
use URI::Find; use JSON::PP; use Time::HiRes "time";
local $/; open my $file, "<", $ARGV[0]; my $paragraphs = decode_json(<$file>);
my $finder = URI::Find->new(sub { $_[1] });
my $start = time; for my $text (@$paragraphs) { $finder->find(\\$text) } print time - $start, "\\n";
"""
# The same for the messages of a mailbox, parsed and decoded.
MAILBOX = """
import email, email.policy, re, sys, time
data = open(sys.argv[1], "rb").read()
{setup}
start = time.perf_counter()
for raw in re.split(rb"\\n\\n(?=From )", data):
    message = email.message_from_bytes(raw, policy=email.policy.default)
    try:
        {call}
    except Exception:
        pass  # a message that it cannot read
print(time.perf_counter() - start)
"""
MAIL_SETUPS = {
    "urlscan": ("from urlscan.urlscan import msgurls", "list(msgurls(message))"),
    "Python's email and re": (
        "find = re.compile(r'https?://[^\\s<>\"]+').findall",
        "[find(part.get_content()) for part in message.walk() if part.get_content_maintype() == 'text']",
    ),
}
MAIL_SHARE = 4  # megabytes of the mailbox for slow programs
# Megabytes for each program, fewer for slow ones.
ALONE = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
SHARES = {"PyPI urlextract": 0.5, "linkify-it-py": 1, "urlscan": 2, "npm linkify-it": 8, "Perl URI::Find": 4}


def write_texts(folder: Path) -> None:
    """Write texts like mail, like lists of links, and like markup and programs."""
    chance = random.Random(1994)
    words = WORDS.split()
    for name, share in zip(TEXTS, (0.004, 0.07, 0.03), strict=True):
        pieces: list[str] = []
        size = 0
        while size < SIZE:
            line = " ".join(chance.choices(words, k=12))
            if chance.random() < share * 12:
                line += chance.choice((" http://www.{0}.example/{1}/{2}.html", " <URL:ftp://{0}.example/{1}/{2}>",
                                       " see <http://{0}.example/{1}?{2}>", " www.{0}.example,")).format(
                    *chance.choices(words, k=3))  # fmt: skip
            if name == "angle":
                line = f"<item name={line[:9]!r}><b>{line}</b></item> std::map<{line[:4]}>"
            pieces.append(line + ("\n\n" if chance.random() < 0.1 else "\n"))
            size += len(pieces[-1])
        (folder / f"{name}.txt").write_text("".join(pieces))


def paragraphs_of(path: Path, size: int) -> list[str]:
    """Return the first ``size`` bytes of a text in blocks of some 4 kB that end with a paragraph."""
    text = path.read_bytes()[:size].decode("utf-8", "replace")
    blocks, at = [], 0
    while at < len(text):
        end = text.find("\n\n", at + 4_096)
        end = len(text) if end < 0 else end + 2
        blocks.append(text[at:end])
        at = end
    return blocks


def installed(folder: Path) -> dict[str, list[str]]:
    """Install what can be installed; return the command of each."""
    commands = {}
    for package, (setup, call) in SETUPS.items():
        place = folder / package
        done = subprocess.run([sys.executable, "-m", "venv", place], check=False)
        pip = [place / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", package]
        if done.returncode or subprocess.run(pip, capture_output=True, check=False).returncode:
            print(f"{package} cannot be installed", file=sys.stderr)
            continue
        script = folder / f"search-with-{package}.py"  # not the name of any module
        script.write_text(PYTHON.format(setup=setup, call=call))
        name = "PyPI urlextract" if package == "urlextract" else package
        commands[name] = [str(place / "bin" / "python"), str(script)]
    (folder / "find.cjs").write_text(NODE)
    npm = shutil.which("npm")
    if (
        npm
        and not subprocess.run(
            [npm, "install", "--silent", "linkify-it"], cwd=folder, capture_output=True, check=False
        ).returncode
    ):
        commands["npm linkify-it"] = ["node", str(folder / "find.cjs")]
    (folder / "find.pl").write_text(PERL)
    if os.geteuid() == 0 and shutil.which("apt-get"):
        apt = ["apt-get", "install", "-y", "-q", "liburi-find-perl", "ripgrep"]
        subprocess.run(apt, capture_output=True, check=False)
    if subprocess.run(["perl", "-MURI::Find", "-e", "1"], capture_output=True, check=False).returncode == 0:
        commands["Perl URI::Find"] = ["perl", str(folder / "find.pl")]
    return commands


def write_mailbox(path: Path) -> None:
    """Write a mailbox of plain, quoted-printable and two-part messages."""
    chance = random.Random(822)
    words = WORDS.split()
    with path.open("wb") as file:
        while file.tell() < SIZE:
            lines = [" ".join(chance.choices(words, k=12)) for _ in range(chance.randrange(5, 60))]
            lines.insert(
                len(lines) // 2, "see http://www.{}.example/{}.html".format(*chance.choices(words, k=2))
            )
            message = EmailMessage()
            message["From"], message["Subject"] = "jo@a.example", " ".join(chance.choices(words, k=4))
            message["Date"] = "Mon, 14 Nov 1994 09:12:44 +0000"
            message.set_content("\n".join(lines), cte=chance.choice(("7bit", "quoted-printable")))
            if chance.random() < 0.3:
                message.add_alternative("<p>" + "<br>\n".join(lines) + "</p>", subtype="html")
            file.write(b"From jo@a.example Mon Nov 14 09:12:44 1994\n" + bytes(message) + b"\n")


def mail_table(path: Path, ours: list[str], environment: dict[str, str], folder: Path, runs: int) -> None:
    """Print the rates at which programs that decode mail read a mailbox."""
    share = folder / "share.mbox"
    share.write_bytes(path.read_bytes()[: MAIL_SHARE * 1_000_000])
    seconds: dict[str, list[float]] = {}
    for _ in range(runs):
        seconds.setdefault("urlextract-mail", []).append(whole([*ours, str(path)], environment))
        alone = whole([*ours, str(path)], environment, on_one_processor)
        seconds.setdefault("the same in one process", []).append(alone)
        for name, (setup, call) in MAIL_SETUPS.items():
            python = folder / name / "bin" / "python"
            script = folder / "mailbox.py"
            script.write_text(MAILBOX.format(setup=setup, call=call))
            words = [str(python if python.exists() else sys.executable), str(script), str(share)]
            done = subprocess.run(words, capture_output=True, text=True, check=False, env=ALONE)
            if done.returncode == 0:
                seconds.setdefault(name, []).append(float(done.stdout))
    print("\n| program | mailbox, MB/s | times slower than this |\n| --- | ---: | ---: |")
    sizes = {name: MAIL_SHARE if name in MAIL_SETUPS else path.stat().st_size / 1e6 for name in seconds}
    rates = {name: sizes[name] / statistics.median(times) for name, times in seconds.items()}
    for name, rate in rates.items():
        print(f"| {name} | {rate:.3g} | {rates['urlextract-mail'] / rate:.2g} |")


def whole(
    command: list[str], environment: dict[str, str], prepare: Callable[[], None] | None = None
) -> float:
    """Return the seconds that a process takes from its start to its end."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, preexec_fn=prepare) as child:  # noqa: PLW1509 - there are no threads
        while child.stdout and child.stdout.read(1 << 20):
            pass
    return time.perf_counter() - start


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--corpora", type=Path)
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = chosen.corpora or folder
        if not chosen.corpora:
            write_texts(folder)
        others = installed(folder)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        ours = [sys.executable, "-c", "from urlextract.__main__ import main; main()"]
        ripgrep = ["rg", "-oUN", "--no-filename", "--no-unicode", PATTERN]
        rows: dict[str, list[float]] = {
            "urlextract-mail": [],
            "the same in one process": [],
            "rg -oU": [],
            **{other: [] for other in others},
        }
        for text in TEXTS:
            path = texts / f"{text}.txt"
            size = path.stat().st_size / 1e6
            seconds: dict[str, list[float]] = {row: [] for row in rows}
            for other in others:
                share = min(size, SHARES[other]) * 1e6
                (folder / f"{other}.json").write_text(json.dumps(paragraphs_of(path, int(share))))
            for _ in range(chosen.runs):  # in turn, because machines are noisy
                seconds["urlextract-mail"].append(whole([*ours, str(path)], environment))
                seconds["the same in one process"].append(
                    whole([*ours, str(path)], environment, on_one_processor)
                )
                seconds["rg -oU"].append(whole([*ripgrep, str(path)], environment))
                for other, command in others.items():
                    words = [*command, str(folder / f"{other}.json")]
                    done = subprocess.run(words, capture_output=True, text=True, check=True, env=ALONE)
                    seconds[other].append(float(done.stdout))
            for row, times in seconds.items():
                megabytes = min(size, SHARES.get(row, size))
                rows[row].append(megabytes / statistics.median(times))
        print(f"| program | {' | '.join(f'{text}, MB/s' for text in TEXTS)} | times slower than this |")
        print(f"| --- {'| ---: ' * (len(TEXTS) + 1)}|")
        first = rows["urlextract-mail"]
        for row, rates in rows.items():
            ratios = " / ".join(
                f"{ours / rate:.0f}" if ours > 10 * rate else f"{ours / rate:.1f}"
                for ours, rate in zip(first, rates, strict=True)
            )
            print(f"| {row} | {' | '.join(f'{rate:.3g}' for rate in rates)} | {ratios} |")
        mailbox = texts / "mail.mbox"
        if not mailbox.exists():
            mailbox = folder / "mail.mbox"
            write_mailbox(mailbox)
        mail_table(mailbox, ours, environment, folder, chosen.runs)


if __name__ == "__main__":
    main()
