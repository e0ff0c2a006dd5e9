"""What ``urlextract parse`` prints: URLs taken apart, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.errors import UrlSyntaxError
from urlextract.output.breakdown import breakdown, error_record, record_of_url
from urlextract.output.jsonl import json_line
from urlextract.output.words import texts_of
from urlextract.output.writer import opened
from urlextract.schemes.parsing import parse_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["print_parsed"]


def print_parsed(words: Iterable[str], report: Callable[[str], None], *, as_json: bool) -> int:
    """Print each URL taken apart; give the number of those that do not parse, told to ``report``."""
    failed = 0
    with opened(None, end="\n", is_prompt=True) as writer:
        for word in texts_of(words):
            try:
                url = parse_url(word)
            except UrlSyntaxError as error:
                failed += 1
                if as_json:
                    writer.write([json_line(error_record(error))])
                else:
                    report(f"{error}")
                continue
            writer.write([json_line(record_of_url(url)) if as_json else breakdown(url)], is_safe=not as_json)
    return failed
