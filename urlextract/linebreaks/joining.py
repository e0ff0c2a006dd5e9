"""Join the pieces of a URL that is broken over lines, and tell what was removed: RFC 1738, appendix.

Pieces are joined with nothing between them ("the whitespace should be ignored when extracting the URL"). "The
hyphen may or may not actually be part of the URL", says the same appendix. In all 67 cases where the answer
is known it is part of it, so that is the first reading, and the one without all such hyphens is another.

The URL is one substitution. Pieces, repairs and other readings are worked out from the same pattern when they
are asked for, so that a scan for URLs alone does not pay for them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import ne
from typing import Literal

from urlextract.grammar.codes import AlternativeCode, RepairCode
from urlextract.grammar.marks import SOFT_BREAKS
from urlextract.linebreaks.prefixes import Prefix, patterns_of
from urlextract.records import Alternative, Match, Rejoined, Repair, Span

Hyphen = Literal["keep", "drop", "both"]
"""What to do with a hyphen before a line break: "keep" and "drop" choose which reading comes first.

"both" is for `extract`, which can return two results; here it means "keep".
"""

Join = Literal["none", "delimited", "safe", "likely"]
"""What is joined over line ends.

"delimited" joins URLs in brackets or quotes. "safe" also joins bare URLs that certainly go on, "likely" those
that go on more likely than not.
"""

SCHEME_OF_HOST = {"www.": "http://", "ftp.": "ftp://"}
"""The scheme to add to a URL that begins with its host, by the first four characters."""

WITHOUT_HYPHEN = "without the hyphen at the line break, which may not belong to the URL"
"""Why a URL without the hyphen at a line end is another reading."""
_REMOVED = {mark.text: (mark.name, mark.repair) for mark in SOFT_BREAKS if mark.is_added}
_REMOVED["%"] = ("percent sign", RepairCode.REMOVED_PERCENT_SIGNS)  # in an argument of TeX
"""Marks at a line end that no URL has, each with its name and the code of the repair."""


def joined(raw: str, prefix: str, hyphen: Hyphen = "keep") -> str:
    r"""Return the URL that is written as ``raw``, without line ends, quote prefixes and blanks.

    A hyphen that typesetters put after a slash goes, too.

    >>> joined("http://a.ex\n> ample/b-\n> c", "> "), joined("http://a.example/-\nb", "")
    ('http://a.example/b-c', 'http://a.example/b')
    """
    if not is_broken(raw):  # as most
        return raw
    patterns = patterns_of(prefix)
    return patterns.gap.sub("", _without_marks(raw, patterns, hyphen))


_BREAK = re.compile(r"[\s\u200b\ufeff]")


def is_broken(raw: str) -> bool:
    """Return whether there is white space in ``raw``."""
    return _BREAK.search(raw) is not None


def _without_marks(raw: str, patterns: Prefix, hyphen: Hyphen) -> str:
    """Return ``raw`` without the hyphens at its line ends that are not part of the URL."""
    if hyphen == "drop":
        return patterns.hyphen.sub("\n", raw)
    return patterns.slash_hyphen.sub("/\n", raw) if "/-" in raw else raw


def readings(match: Match) -> Rejoined:
    """Return the URL of ``match``, its pieces, its repairs and its other readings.

    A match that was found in a copy of the text has its pieces already.
    """
    if match.pieces is not None:
        return Rejoined(match.url, match.pieces, match.repairs, match.others)
    if match.prefix is None:  # it is not broken
        whole = Span(0, len(match.raw))
        return Rejoined(match.url, (whole,), match.repairs, match.others)
    read = _read(match.raw, match.url, match.prefix)
    others = [other for other in (*read.alternatives, *match.others) if other.url != match.url]
    return Rejoined(
        match.url,
        read.pieces,
        (*read.repairs, *match.repairs),
        tuple({other.url: other for other in reversed(others)}.values())[::-1],
    )


def removal(code: RepairCode, count: int, noun: str) -> Repair:
    """Return the repair that removed ``count`` of something."""
    nouns = f"{noun}es" if noun.endswith("sh") else f"{noun}s"
    return Repair(code, f"removed {count} {nouns}" if count > 1 else f"removed {noun}")


def _read(raw: str, url: str, prefix: str) -> Rejoined:
    """Return the readings of ``raw``, of which ``url`` is the first one."""
    patterns = patterns_of(prefix)
    is_tex = "%" in raw and len(url) < len(patterns.gap.sub("", raw)) - raw.count("-")
    gaps = [Span(*gap.span()) for gap in (patterns.gap_of_tex if is_tex else patterns.gap).finditer(raw)]
    edges = [0, *(edge for gap in gaps for edge in gap), len(raw)]
    spans = tuple(Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True))
    without = without_hyphens(raw, spans)
    kept, dropped = ("".join([span.of(raw) for span in pieces]) for pieces in (spans, without))
    # An added scheme comes before all readings, and what was undone is the same in all.
    added = next((url[: len(url) - len(each)] for each in (kept, dropped) if url.endswith(each)), "")
    hyphens = sum(map(ne, spans, without))
    is_dropped = hyphens > 0 and len(url) < len(added + kept)
    others: list[Alternative] = []
    repairs = _repairs([gap.of(raw) for gap in gaps])
    if hyphens:
        words = f"{hyphens} hyphens" if hyphens > 1 else "the hyphen"
        reason = WITHOUT_HYPHEN.replace("the hyphen", words)
        reason = f"with {words} kept at the line break" if is_dropped else reason
        other = kept if is_dropped else dropped
        others.append(Alternative(added + other, reason, AlternativeCode.OTHER_HYPHENS))
    if is_dropped:
        repairs.append(removal(RepairCode.REMOVED_HYPHENS, hyphens, "hyphen"))
    spaced = _with_blanks(raw, spans)
    if spaced != kept:
        reason = "the blanks inside a line may be meant"
        others.append(Alternative(added + spaced, reason, AlternativeCode.BLANKS))
    pieces = without if is_dropped else spans
    return Rejoined(url, pieces, tuple(repairs), tuple(other for other in others if other.url != url))


def _is_turn(gap: str) -> bool:
    """Return whether there is a line end between two pieces, and not only blanks."""
    return "\n" in gap or "\r" in gap


def without_hyphens(raw: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    r"""Return the pieces ``spans`` of ``raw`` without the hyphens at their line ends.

    >>> [tuple(span) for span in without_hyphens("ftp://a/in-\nnotes", [Span(0, 11), Span(12, 17)])]
    [(0, 10), (12, 17)]
    """
    dropped = [
        Span(start, end - (raw.startswith("-", end - 1) and _is_turn(raw[end:following])))
        for (start, end), (following, _) in pairwise(spans)
    ]
    return (*dropped, *spans[-1:])


def _with_blanks(raw: str, spans: tuple[Span, ...]) -> str:
    """Return the reading in which blanks inside a line are meant, between two letters or digits.

    RFC 1630 has selectors with such blanks.
    """
    pieces = [spans[0].of(raw)]
    for (_, end), (start, stop) in pairwise(spans):
        is_inside = raw[end - 1 : end].isalnum() and raw[start : start + 1].isalnum()
        pieces.append("%20" * (is_inside and not _is_turn(raw[end:start])) + raw[start:stop])
    return "".join(pieces)


def _repairs(gaps: list[str]) -> list[Repair]:
    """Return what was removed with the ``gaps``: line ends, quote prefixes, blanks, marks."""
    turns = [gap for gap in gaps if _is_turn(gap)]
    repairs = []
    if turns:
        lines = sum(turn.replace("\r\n", "\n").replace("\r", "\n").count("\n") for turn in turns)
        repairs.append(Repair(RepairCode.JOINED_LINES, f"joined {lines + 1} lines"))
    for prefix in dict.fromkeys(turn.replace("\r", "\n").rpartition("\n")[2] for turn in turns):
        if prefix.strip():
            words = f'removed quote prefix "{prefix.strip()}{" " * prefix[-1].isspace()}"'
            repairs.append(Repair(RepairCode.REMOVED_QUOTE_PREFIX, words))
    blanks = sum(map(len, gaps)) - sum(map(len, turns))
    if blanks:
        words = f"removed {blanks} blank{'s' if blanks > 1 else ''}"
        repairs.append(Repair(RepairCode.REMOVED_BLANKS, words))
    marks = Counter(_REMOVED.get(turn.lstrip()[:1]) for turn in turns)
    return repairs + [removal(mark[1], count, mark[0]) for mark, count in marks.items() if mark]


def holds_another(before: str) -> bool:
    """Return whether a URL that is ``before`` up to a break may go on with another URL inside it.

    Otherwise a scheme after the break begins a URL of its own.

    >>> holds_another("http://archive.example/"), holds_another("http://a.example/x,")
    (True, False)
    """
    return before.endswith(("/", "=", "?"))
