"""Attributes of HTML: the record of a value, or of its refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.pipeline.assembly import found_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.scanner.attributes import attribute_fault, attribute_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.pipeline.options import Options
    from urlextract.pipeline.positions import Positions
    from urlextract.records import Segment
    from urlextract.results import Found, Rejection

__all__ = ["read_attribute"]


def read_attribute(
    segment: Segment, options: Options, positions: Positions, *, explains: bool
) -> Iterator[Found | Rejection]:
    """Read the segment as one URL; line breaks inside it are none of the URL's."""
    url = attribute_url(segment.text)
    span = Span(segment.start, segment.start + len(segment.text))
    fault = attribute_fault(url, any_scheme=options.any_scheme)
    if fault is None:
        candidate = Candidate(span=span, form=Form.HTML_ATTRIBUTE, raw=url, inner=span)
        found = found_of(candidate, segment.origin, options, positions, defects=segment.defects)
        yield from chosen(found, options, explains=explains)
    elif explains:
        refusal = Refusal(span=span, form=Form.HTML_ATTRIBUTE, raw=segment.text, reason=fault)
        yield rejection_of(refusal, segment.origin, positions)
