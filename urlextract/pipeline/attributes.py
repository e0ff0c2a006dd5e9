"""The value of an attribute of HTML: one URL, or none. Nothing in it is searched for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlextract.grammar.chars import squeeze
from urlextract.grammar.registry import SCHEME_NAME, has_shape, is_registered
from urlextract.pipeline.assembly import found_of, rejection_of
from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.scanner.bare import host_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.pipeline.options import Options
    from urlextract.pipeline.positions import Positions
    from urlextract.records import Found, Rejection, Segment

__all__ = ["attribute_fault", "read_attribute"]

_NAME = re.compile(rf"({SCHEME_NAME}):")


def attribute_fault(url: str, *, any_scheme: bool = False) -> str | None:
    """Say why the value ``url`` of an attribute is no URL to report, None where it is one."""
    match = _NAME.match(url)
    if match is None:
        return "a relative reference without a base"
    name, rest = match[1].lower(), url[match.end() :]
    if rest.startswith("//"):
        if not any_scheme and not is_registered(name):
            return "not a registered scheme"
        return host_fault(name, url, match.end() + 2)
    return None if has_shape(name, rest) else f'what follows does not have the shape of "{name}:"'


def read_attribute(
    segment: Segment, options: Options, positions: Positions, *, explains: bool
) -> Iterator[Found | Rejection]:
    """Read the segment as one URL; line breaks inside it are none of the URL's."""
    url = squeeze(segment.text) if "\n" in segment.text or "\t" in segment.text else segment.text.strip()
    span = Span(segment.start, segment.start + len(segment.text))
    fault = attribute_fault(url, any_scheme=options.any_scheme)
    if fault is None:
        candidate = Candidate(span=span, form=Form.HTML_ATTRIBUTE, raw=url, inner=span)
        found = found_of(candidate, segment.origin, options, positions, defects=segment.defects)
        if options.lets_pass(found):
            yield found
    elif explains:
        refusal = Refusal(span=span, form=Form.HTML_ATTRIBUTE, raw=segment.text, reason=fault)
        yield rejection_of(refusal, segment.origin, positions)
