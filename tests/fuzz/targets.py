"""Fuzz targets: each takes bytes, and fails if a law does not hold.

The first bytes choose options, the rest is the input.
"""

from __future__ import annotations

import io
import json

from library import format_in_any_width
from remarks import without_contexts
from rewriting import check_text
from scans import urls_of

from urlextract import (
    SourceError,
    UrlSyntaxError,
    examine,
    extract,
    extract_message,
    extract_source,
    parse_url,
    rewrap,
)
from urlextract.errors import FormatError
from urlextract.grammar.registry import SCHEMES
from urlextract.sources.reading import SOURCE_FORMATS

NAMES = sorted(SCHEMES)
PREFIXES = ("", "> ", "> > ", "| ", "JD> ", "# ", "// ", "  ")
STREAMS = tuple(name for name in SOURCE_FORMATS if name not in ("maildir", "inbox", "tree"))


def text_of(data):
    return data.decode("utf-8", "surrogateescape")


def check_records(results):
    for found in results:
        assert found.start < found.end
        json.dumps(found.to_dict()).encode("utf-8")
        found.url.encode("utf-8")


def scanner(data):
    """Any slicing of a text has the same URLs."""
    cuts, text = data[:4], text_of(data[4:])
    places = sorted(cut * (len(text) + 1) // 256 for cut in cuts)
    pieces = [text[low:high] for low, high in zip([0, *places], [*places, len(text)], strict=True)]
    whole = list(extract(text))
    assert list(extract(pieces)) == whole
    assert without_contexts(examine(pieces)) == without_contexts(examine(text))
    assert urls_of(text) == [found.url for found in whole]
    check_records(whole)


def message(data):
    """No message raises, and every record can be encoded."""
    check_records(extract_message(data, on_damage=lambda error: None))


def parser(data):
    """A parsed URL prints as its text; normalizing twice changes nothing."""
    name = NAMES[data[0] % len(NAMES)] if data else "http"
    text = f"{name}:{text_of(data[1:])}"
    try:
        value = parse_url(text)
    except UrlSyntaxError as error:
        if not 0 <= error.span[0] <= error.span[1] <= len(error.text):
            raise
        return
    assert str(value) == text
    assert value.normalized().normalized() == value.normalized()
    assert list(value.violations) == list(parse_url(text).violations)


def formatter(data):
    """A formatted URL reads back as itself."""
    how = (*data[:3], 0, 0, 0)[:3]
    text = f"{NAMES[how[2] % len(NAMES)]}:{text_of(data[3:])}"
    prefix = PREFIXES[how[1] % len(PREFIXES)]
    wrapper = ("URL:", "<>")[how[1] >> 7]
    try:
        printed = format_in_any_width(text, width=8 + how[0], prefix=prefix, brackets=wrapper)
    except (FormatError, UrlSyntaxError):
        return
    assert [found.url for found in extract(f"{printed}\n")] == [text]


def filler(data):
    """A filled text has the same URLs and words."""
    how, text = (*data[:1], 0)[0], text_of(data[1:])
    check_text(text, rewrap(text, 1 + (how >> 2), break_urls=bool(how & 1)))


def source(form):
    """Return the target for one format: every error is reported as damage."""

    def target(data):
        damage = []
        check_records(extract_source(io.BytesIO(data), form, on_damage=damage.append))
        assert all(isinstance(error, SourceError) for error in damage)

    return target


TARGETS = {
    "scanner": scanner,
    "message": message,
    "parser": parser,
    "formatter": formatter,
    "filler": filler,
    **{f"source-{form}": source(form) for form in STREAMS},
}
