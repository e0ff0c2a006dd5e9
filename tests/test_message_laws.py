"""Laws of the reader of messages, with its bounds made small (SPEC §8).

In whatever blocks a message comes, its texts are the same; what has a place in the source stands there; a
long text has the same URLs in windows as in one.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scans import urls_only
from small import SMALL, limits_of

from urlextract import extract_message
from urlextract.message.segments import read_message
from urlextract.records import LongText, Provenance, RawMessage, Unread
from urlextract.sources.reading import read_source

HERE = Path(__file__).parent
CORPORA = (HERE.parent / "corpora", HERE.parent.parent / "shared" / "corpora")
LARGEST = 40_000  # bytes of a message that goes through byte by byte


def shown(data: bytes, blocks: Iterator[bytes] | None = None) -> list[tuple[Any, ...]]:
    """Return what is known of each text of a message."""
    message = RawMessage(b"" if blocks else data, Provenance(offset=0), rest=blocks)
    texts: list[tuple[Any, ...]] = []
    for each in read_message(message):
        where = each.provenance
        if isinstance(each, Unread):
            texts.append((where.part, each.advice))
            continue
        text = "".join(each.pieces) if isinstance(each, LongText) else each.text
        texts.append(
            (where.part, where.header, where.media_type, text, each.byte, each.defects, where.head.values)
        )
    return texts


def in_blocks(data: bytes, sizes: tuple[int, ...], chance: random.Random) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        size = chance.choice(sizes)
        yield data[at : at + size]
        at += size


def messages() -> list[bytes]:
    """Return the messages of the corpora, and those that stand in the tests of messages."""
    found: dict[bytes, None] = {}
    for path in (path for folder in CORPORA for path in sorted(folder.rglob("*")) if path.is_file()):
        items = read_source(path, on_damage=lambda _: None)
        found |= {item.data: None for item in items if isinstance(item, RawMessage) and not item.rest}
    for path in HERE.glob("test_message*.py"):
        literals = (
            node.value for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Constant)
        )
        found |= {value: None for value in literals if isinstance(value, bytes) and b"\n" in value}
    return [data for data in found if len(data) < LARGEST]


MESSAGES = messages()


@pytest.mark.parametrize("sizes", [(1,), (1, 2, 3, 50), (700,)])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\r\n"])
def test_blocks_do_not_matter(sizes: tuple[int, ...], end: bytes) -> None:
    chance = random.Random(1)
    for number, message in enumerate(MESSAGES):
        if end != b"\n" and number % 7:
            continue
        data = message.replace(b"\r\n", b"\n").replace(b"\n", end)
        with limits_of(**SMALL):
            assert shown(data, in_blocks(data, sizes, chance)) == shown(data), data


def test_text_with_a_place_stands_there() -> None:
    placed = 0
    for data in MESSAGES:
        for limits in (SMALL, {}):
            with limits_of(**limits):
                for text in shown(data):
                    if len(text) > 2 and text[4] is not None and (limits != SMALL or b"\r" not in data):
                        placed += 1
                        at = data[text[4] :].replace(b"\r", b"\n")
                        assert at.startswith(text[3].encode("utf-8", "surrogateescape")), data
    assert placed > 400


KINDS = ["text/plain", "text/plain; format=flowed", "text/html", "text/csv", "text/calendar", "text/xml"]


@pytest.mark.parametrize("kind", KINDS)
def test_long_text_has_the_same_urls_in_windows(kind: str) -> None:
    chance = random.Random(2)
    words = [
        "word",
        "and",
        "see",
        "http://a.example/{}",
        "<http://b.example/{}>",
        "www.c.example,",
        "x-{}",
        "=",
        "\xe9",
    ]
    lines = [" ".join(chance.choices(words, k=9)).replace("{}", str(at)) for at in range(3_000)]
    body = "".join(f"{line}\n\n" if at % 5 == 0 else f"{line}.\n" for at, line in enumerate(lines))
    data = f"Content-Type: {kind}\nContent-Transfer-Encoding: 8bit\n\n{body}".encode()
    whole = [found.url for found in extract_message(data)]
    assert len(whole) > 3_000
    with limits_of(PART=3_000, PIECE=700, WINDOW=8_000):
        assert urls_only([RawMessage(data, Provenance())]) == whole


def test_text_without_a_line_end_is_cut_between_words() -> None:
    words = [f"http://a.example/{number}" if number % 3 else "word" for number in range(3_000)]
    data = b"Subject: x\n\n" + " ".join(words).encode()
    with limits_of(PART=3_000, PIECE=700, WINDOW=1_000):
        found = [each.url for each in extract_message(data)]
    assert found == [word for word in words if word != "word"]
