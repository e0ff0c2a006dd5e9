"""How fast mail and news are read, and in how much memory: ratios from one run, medians of several.

    python tests/benchmarks/mail.py --mbox FILE [--runs 5] [--huge GB]

FILE is a mailbox, as peers.py writes one. The yardsticks:
`rg -oU` on the same file, which decodes nothing; the library of PyPI's urlscan on its
first 4 MB; a Python program that copies the files of a spool to its output. --huge adds
a mailbox of that many GB on a pipe. A missing program is reported and skipped.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import re
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from speed import COMMAND, PATTERN, in_turn, peak, process

SLICE = 4_000_000  # bytes of the mailbox for slow programs
CAT = """
import os, sys
for folder, folders, files in os.walk(sys.argv[1]):
    folders.sort()
    for name in sorted(files, key=int):
        with open(os.path.join(folder, name), "rb") as article:
            sys.stdout.buffer.write(article.read())
"""
POSTMARK = b"From a@b.example Mon Nov 14 09:12:44 1994\n"


def mailbox(path, runs):
    """Read the whole mailbox, in one process and in two."""
    rg = shutil.which("rg")
    if rg:
        mine, yard, ratio = in_turn(
            lambda: process(*COMMAND, path),
            lambda: process(rg, "-a", "-o", "-U", "-N", "--no-unicode", PATTERN, path),
            runs,
        )
        print(f"mailbox         {mine:.3f} s, rg -oU {yard:.3f} s: {ratio:.2f}")
    else:
        print("mailbox: no rg on the path")
    two, one, ratio = in_turn(
        lambda: process(*COMMAND, "-J", "2", path), lambda: process(*COMMAND, "-J", "1", path), runs
    )
    print(f"mailbox         -J 2 {two:.3f} s, -J 1 {one:.3f} s: {1 / ratio:.2f} times faster")


def against_urlscan(path):
    """Read the first megabytes with this library and with urlscan."""
    try:
        from urlscan import urlscan
    except ImportError:
        print("urlscan: not installed")
        return
    from urlextract.pipeline.item_results import read_urls
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.sources.reading import read_source

    with open(path, "rb") as file, tempfile.NamedTemporaryFile() as part:
        data = file.read(SLICE)
        part.write(data)
        part.flush()
        seconds = []
        for _ in range(5):
            started = time.perf_counter()
            items = read_source(part.name, on_damage=print)
            found = sum(1 for _ in read_urls(items, ExtractOptions()))
            seconds.append(time.perf_counter() - started)
    started, theirs = time.perf_counter(), 0
    for raw in re.split(rb"\n\n(?=From )", data):
        message = email.message_from_bytes(raw, policy=email.policy.default)
        try:
            theirs += sum(1 for _ in urlscan.msgurls(message))
        except Exception as error:
            print(f"urlscan: {type(error).__name__}: {error}", file=sys.stderr)
    ratio = (time.perf_counter() - started) / statistics.median(seconds)
    print(f"urlscan         {ratio:.0f} times slower on {len(data)} bytes ({found} URLs; {theirs} chunks)")


def spool(path, runs):
    """Read 10,000 articles, half of them in wire format."""
    with tempfile.TemporaryDirectory() as folder:
        with open(path, "rb") as file:
            messages = file.read(60_000_000).split(b"\n\nFrom ")[1:10_001]
        for number, message in enumerate(messages, 1):
            group = Path(folder, "news", f"group{number % 20}")
            group.mkdir(parents=True, exist_ok=True)
            article = b"Path: a!b\n" + message.partition(b"\n")[2] + b"\n"
            (group / str(number)).write_bytes(article.replace(b"\n", b"\r\n") if number % 2 else article)
        mine, yard, ratio = in_turn(
            lambda: process(*COMMAND, folder), lambda: process(sys.executable, "-c", CAT, folder), runs
        )
        print(f"spool           {len(messages)} articles {mine:.3f} s, copied {yard:.3f} s: {ratio:.2f}")


def attachment():
    line = b"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3\n" * 1000
    head = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=q\n\n--q\n\nhttp://a.example/\n--q\n"
    yield POSTMARK + head + b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
    yield from [line] * (300_000_000 // len(line))
    yield b"--q\n\nhttp://b.example/\n--q--\n"


def one_line(head):
    yield head + b"http://a.example/ "
    yield from [b"word " * 20_000] * 2_000
    yield b" http://b.example/\n"


def repeated(path, size):
    with open(path, "rb") as file:
        data = file.read(20_000_000)
    data = data[: data.rfind(b"\n\nFrom ") + 2]
    yield from [data] * (size // len(data))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mbox", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--huge", type=float, metavar="GB")
    arguments = parser.parse_args()
    peak("a 300 MB attachment", attachment())
    peak("a 200 MB line", one_line(b""))
    peak("a 200 MB line in a message", one_line(POSTMARK + b"Subject: a\n\n"))
    if arguments.huge:
        peak(f"a mailbox of {arguments.huge} GB", repeated(arguments.mbox, int(arguments.huge * 1e9)))
    mailbox(arguments.mbox, arguments.runs)
    spool(arguments.mbox, arguments.runs)
    against_urlscan(arguments.mbox)


if __name__ == "__main__":
    main()
