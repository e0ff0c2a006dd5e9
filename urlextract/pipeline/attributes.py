"""Attributes of HTML: the record of a value, or of its refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.linebreaks import rejoin
from urlextract.pipeline.assembly import found_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.scanner.attributes import attribute_fault, attribute_text, attribute_url
from urlextract.scanner.stream import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.pipeline.elsewhere import Elsewhere
    from urlextract.pipeline.options import Options
    from urlextract.pipeline.positions import Positions
    from urlextract.records import Segment
    from urlextract.results import Found, Rejection

__all__ = ["SHOWS_ANOTHER", "read_attribute"]

SHOWS_ANOTHER = "the link shows another URL"
"""The defect of a link that says one URL and leads to another: the way of phishing."""

_CUT = ("...", "\N{HORIZONTAL ELLIPSIS}")  # what stands behind a URL that is shown in part


def read_attribute(
    segment: Segment,
    options: Options,
    positions: Positions,
    *,
    explains: bool,
    elsewhere: Elsewhere | None = None,
) -> Iterator[Found | Rejection]:
    """Read the segment as one URL; line breaks inside it are none of the URL's."""
    url = attribute_url(segment.text)
    span = Span(segment.start, segment.start + len(segment.text))
    fault = attribute_fault(url, any_scheme=options.any_scheme)
    if fault is None:
        candidate = Candidate(span=span, form=Form.HTML_ATTRIBUTE, raw=url, inner=span)
        shown = _another_shown(url, segment.shown, options) if segment.shown else None
        defects = (*segment.defects, *((SHOWS_ANOTHER,) if shown else ()))
        found = found_of(candidate, segment.origin, options, positions, defects=defects, shown=shown)
        if elsewhere:
            elsewhere.note(found)
        yield from chosen(found, options, explains=explains)
        return
    if explains:
        refusal = Refusal(span=span, form=Form.HTML_ATTRIBUTE, raw=segment.text, reason=fault)
        yield rejection_of(refusal, segment.origin, positions)
    for inside in attribute_text(segment.text, any_scheme=options.any_scheme):
        candidate = inside._replace(span=span, form=Form.HTML_ATTRIBUTE)
        found = found_of(candidate, segment.origin, options, positions, defects=(*segment.defects, fault))
        if elsewhere:
            elsewhere.note(found)
        yield from chosen(found, options, explains=explains)


def _another_shown(url: str, text: str, options: Options) -> str | None:
    """Give the URL that the text of a link shows, unless it leads there, or shows only its beginning."""
    target = _bare(url)
    scanner = Scanner(any_scheme=options.any_scheme)
    candidates = [*scanner.feed(text), *scanner.close()]
    for candidate in candidates:
        shown = _bare(rejoin(candidate).url)
        is_cut = text.startswith(_CUT, candidate.span.end)
        if shown == target or (is_cut and _begins(target, shown)) or _is_same(rejoin(candidate).url, url):
            return None
    return rejoin(candidates[0]).url if candidates else None


def _begins(target: str, shown: str) -> bool:
    """Say whether ``shown`` is the beginning of ``target``, with all of its host."""
    is_whole_host = "/" in shown.partition("://")[2] or target[len(shown) :][:1] in ("/", "?", "#")
    return is_whole_host and target.startswith(shown)


def _is_same(one: str, other: str) -> bool:
    """Say whether two URLs are one resource, be it that only the writing of the host differs."""
    from urlextract.errors import UrlSyntaxError  # noqa: PLC0415 - few links show another URL
    from urlextract.schemes.parsing import same_resource  # noqa: PLC0415 - as above

    try:
        return same_resource(one, other)
    except UrlSyntaxError:
        return False


def _bare(url: str) -> str:
    """Give what a person compares of a URL: not whether it is http or https, nor the last slash."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    scheme = scheme.lower()
    return (("http" if scheme == "https" else scheme) + mark + host.lower() + slash + path).rstrip("/")
