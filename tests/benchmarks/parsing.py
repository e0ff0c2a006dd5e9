"""The speed of `parse_url` on http URLs, and of other parsers in the same run.

Medians over several rounds of distinct URLs, so that no parser's cache helps it; a
second figure with one URL again and again, so that every cache does. What is not
installed is skipped with a word.
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import time
from urllib.parse import urlsplit

from urlextract import parse_url

PEERS = (("yarl", "URL"), ("rfc3986", "urlparse"), ("hyperlink", "parse"))


def made(count):
    """Return URLs like those in mail."""
    dice = random.Random(1738)
    words = ["pub", "docs", "www", "archive", "rfc", "news", "index", "page", "list", "lib", "src", "data"]

    def one(number):
        host = ".".join(dice.sample(words, 2)) + ".example"
        path = "/".join(dice.choices(words, k=dice.randrange(5)))
        tail = dice.choice(["", "", "", "?q=1&r=two", "#top", ".html"])
        port = dice.choice(["", "", "", "", ":8080"])
        return f"{dice.choice(['http', 'https'])}://{host}{port}/{path}/{number}{tail}"

    return [one(number) for number in range(count)]


def microseconds(parse, urls, rounds):
    """Return the median time of one call."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for url in urls:
            parse(url)
        times.append((time.perf_counter() - start) / len(urls) * 1e6)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    peers = {"parse_url": parse_url, "urlsplit": urlsplit}
    for module, name in PEERS:
        try:
            peers[module] = getattr(importlib.import_module(module), name)
        except ImportError:
            print(f"{module}: not installed, skipped")
    for kind, urls in (("distinct", made(5_000)), ("one again and again", made(1) * 5_000)):
        yard = microseconds(urlsplit, urls, runs)
        for name, parse in peers.items():
            mine = microseconds(parse, urls, runs)
            print(f"{kind:20} {name:10} {mine:7.2f} us, of urlsplit's: {mine / yard:.2f}")


if __name__ == "__main__":
    main()
