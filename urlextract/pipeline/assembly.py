"""Make the records of matches: the URL, its repairs and defects, its place, its confidence."""

from __future__ import annotations

from operator import ne
from typing import Any, NamedTuple

from msgspec.structs import replace

from urlextract.grammar.codes import AlternativeCode, RepairCode
from urlextract.grammar.escapes import percent_encoded
from urlextract.linebreaks.joining import readings, removal, without_hyphens
from urlextract.message.html_page import Page
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.positions import Positions
from urlextract.records import (
    MAY_CONTINUE,
    Alternative,
    Defect,
    Difference,
    Form,
    Match,
    Provenance,
    Refusal,
    Repair,
    Span,
    is_cut,
)
from urlextract.results import SCHEMA_VERSION, Found, Rejection
from urlextract.schemes.gateways import unwrapped
from urlextract.schemes.parsed import remarks_on
from urlextract.schemes.url import host_name_of

# The confidence for each form that a URL was meant, and was read completely.
_CONFIDENCE = {
    Form.URL_WRAPPER: 1.0,
    Form.HTML_ATTRIBUTE: 1.0,
    Form.ANGLE: 0.98,
    Form.HEADER: 0.95,
    Form.QUOTED: 0.95,
    Form.PREFIXED: 0.95,
    Form.BARE: 0.9,
    Form.ABBREVIATED: 0.75,
}
_DOUBT = 0.9  # the factor if there are alternatives, and again if there are defects
_CUT = 0.7  # the factor if a URL may continue on the next line


def _confidence(
    form: Form, defects: tuple[Defect, ...], *, is_doubtful: bool, own: float | None = None
) -> float:
    sure = _CONFIDENCE[form] if own is None else own
    if not (is_doubtful or defects):
        return sure
    whole = _CUT if MAY_CONTINUE in defects else 1.0
    return round(sure * _DOUBT ** (is_doubtful + bool(defects)) * whole, 2)


class Linked(NamedTuple):
    """The attribute of HTML that has a URL, and the text of its element: see the fields of `Found`."""

    element: str | None = None
    attribute: str | None = None
    text: str | None = None
    shown: str | None = None
    differs: Difference | None = None


_UNLINKED = Linked()
_NO_REMARKS = None, None, None


def found_of(
    match: Match,
    provenance: Provenance,
    options: ExtractOptions,
    positions: Positions,
    *,
    base: int = 0,
    form: Form | None = None,
    defects: tuple[Defect, ...] = (),
    repairs: tuple[Repair, ...] = (),
    context: str | None = None,
    raw: str | None = None,
    page: Page | None = None,
    linked: Linked = _UNLINKED,
    inside: str | None = None,
) -> Found:
    """Return the record of ``match``, found in a text that begins at ``base``.

    ``positions`` must be at its start.

    If the match was found in the visible text of ``page``, its places are mapped to the markup.
    ``raw`` is the text in the source, if that is not the one of ``match``. ``defects`` and ``repairs`` are
    added to those of the match.
    """
    url, span = match.url, (match.start + base, match.end + base)
    inner = Span(match.first + base, match.stop + base)
    pieces: tuple[Span, ...] = (inner,)
    own_repairs, alternatives = match.repairs, match.others
    if match.prefix is not None or match.pieces is not None:  # it is broken, or something was undone in it
        _, places, own_repairs, alternatives = readings(match)
        # The value of an attribute may differ from the markup.
        pieces = pieces if linked.element else tuple([piece.moved(inner.start) for piece in places])
    is_doubtful = bool(alternatives)
    encoded = percent_encoded(url)
    if encoded != url:
        alternatives = (*alternatives, Alternative.of(encoded, AlternativeCode.PERCENT_ENCODED))
    raw = match.raw if raw is None else raw
    if page:
        pieces = tuple(place.moved(page.start) for piece in pieces for place in page.places.spans(piece))
        inner = page.places.hull(inner)
        span, inner, raw = (
            page.places.hull(Span(*span)).moved(page.start),
            inner.moved(page.start),
            inner.of(page.text),
        )
    defects = (*match.defects, *defects)
    form = form or match.form
    target = unwrapped(url, options.gateways, is_cut=bool(defects) and is_cut(defects))
    return Found(  # its fields in their order: to name them takes ten times as long
        SCHEMA_VERSION, url, form, url.partition(":")[0].lower(), host_name_of(url),
        *span, inner, positions.byte, positions.line, positions.column,  # from ``start`` on
        raw, pieces, context, (*repairs, *own_repairs), defects, alternatives,
        _confidence(form, defects, is_doubtful=is_doubtful, own=match.confidence),
        linked.element, linked.attribute, linked.text, linked.shown, linked.differs, inside,
        target.url if target else None, target.by if target else None,  # ``unwrapped``, ``wrapped_by``
        *(remarks_on(url) if options.given["parse"] else _NO_REMARKS),  # from ``violations`` on
        *provenance.shared,  # from ``source`` on
    )  # fmt: skip


def with_url(found: Found, url: str, **others: Any) -> Found:
    """Return ``found`` with another URL, what is said of that by its own fields, and ``others``."""
    violations, warnings, parsed = remarks_on(url) if found.violations is not None else _NO_REMARKS
    return replace(
        found, url=url, scheme=url.partition(":")[0].lower(), host=host_name_of(url),
        violations=violations, warnings=warnings, parsed=parsed, **others,
    )  # fmt: skip


def without_its_hyphens(found: Found, options: ExtractOptions) -> Found | None:
    """Return ``found`` without the hyphens at its line ends, None if it has none."""
    reading = next((each for each in found.alternatives if each.code is AlternativeCode.OTHER_HYPHENS), None)
    if reading is None or len(found.pieces) == 1:
        return None
    start = found.inner.start
    spans = [piece.moved(-start) for piece in found.pieces]
    kept = without_hyphens(found.raw, spans)
    reason = "with every hyphen kept at the line break"
    target = unwrapped(reading.url, options.gateways, is_cut=is_cut(found.defects))
    return with_url(
        found,
        reading.url,
        unwrapped=target.url if target else None,
        wrapped_by=target.by if target else None,
        pieces=tuple(piece.moved(start) for piece in kept),
        repairs=(
            *found.repairs,
            removal(RepairCode.REMOVED_HYPHENS, sum(map(ne, spans, kept)), "hyphen"),
        ),
        alternatives=(
            Alternative(found.url, reason, AlternativeCode.OTHER_HYPHENS),
            *(each for each in found.alternatives if each != reading),
        ),
    )


def rejection_of(
    refused: Refusal,
    provenance: Provenance,
    positions: Positions,
    context: str | None = None,
    linked: Linked = _UNLINKED,
) -> Rejection:
    """Return the record of a refused place; ``linked`` is the link whose target it is."""
    return Rejection(
        span=refused.span,
        form=refused.form,
        raw=refused.raw,
        line=positions.line,
        column=positions.column,
        reason=refused.reason,
        hint=refused.hint,
        context=context,
        source=provenance.source,
        message=provenance.message,
        part=provenance.part,
        header=provenance.header,
        occurrence=provenance.occurrence,
        text=linked.text,
        shown=linked.shown,
    )
