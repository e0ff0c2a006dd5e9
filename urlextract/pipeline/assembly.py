"""A candidate becomes a record: rejoined, weighed, with its place in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.chars import end_before_words
from urlextract.linebreaks import rejoin
from urlextract.pipeline.hints import hint_of
from urlextract.records import MAY_CONTINUE, Alternative, Candidate, Form, Origin, Span
from urlextract.results import Draft, Found, Rejection
from urlextract.schemes.escapes import percent_encoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.pipeline.options import Options
    from urlextract.pipeline.positions import Positions
    from urlextract.records import Refusal

__all__ = ["found_as_it_stands", "found_of", "readings_of", "rejection_of"]

# How sure each form is that a URL was meant, and that it was read whole.
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
_DOUBT = 0.9  # for each thing that may be read in another way
_CUT = 0.7  # where a URL may go on in the next line


def _confidence(
    form: Form, defects: tuple[str, ...], *, is_doubtful: bool, own: float | None = None
) -> float:
    doubts = is_doubtful + bool(defects)
    sure = _CONFIDENCE[form] if own is None else own
    whole = _CUT if MAY_CONTINUE in defects else 1.0
    return round(sure * _DOUBT**doubts * whole, 2) if doubts else sure


def found_as_it_stands(
    url: str,
    span: Span,
    origin: Origin,
    positions: Positions,
    *,
    form: Form,
    defects: tuple[str, ...],
    added: int = 0,
) -> Found:
    """Return the record of a URL of ASCII in which nothing is broken, encoded or ambiguous.

    It is that of `found_of`, without asking for each thing that most URLs have not. Of an
    abbreviated one, the first characters were ``added``.
    """
    place = span[0]
    confidence = _CONFIDENCE[form]
    draft = Draft()
    draft.url, draft.form, draft.span, draft.raw = url, form, span, url[added:] if added else url
    draft.line, draft.column, draft.byte = positions.line, positions.column_of(place), positions.byte
    draft.repairs = (f"added {url[:added]}",) if added else ()
    draft.pieces = draft.alternatives = ()
    draft.defects, draft.origin = defects, origin
    draft.confidence = round(confidence * _DOUBT, 2) if defects else confidence
    draft.shown = draft.context = None
    return draft.frozen()


def found_of(
    candidate: Candidate,
    origin: Origin,
    options: Options,
    positions: Positions,
    *,
    form: Form | None = None,
    defects: tuple[str, ...] = (),
    context: str | None = None,
    shown: str | None = None,
) -> Found:
    """Make the record of ``candidate``; ``positions`` has gone to its start."""
    rejoined = rejoin(candidate, hyphen=options.hyphen)
    alternatives = [*rejoined.alternatives, *_shorter(candidate, rejoined.url)]
    is_doubtful = bool(alternatives)
    ascii_url = percent_encoded(rejoined.url)
    if ascii_url != rejoined.url:
        alternatives.append(Alternative(ascii_url, "percent-encoded (RFC 3987)"))
    defects = (*candidate.defects, *defects)
    is_broken = len(rejoined.pieces) > 1
    kind = form or candidate.form
    span = candidate.span
    draft = Draft()
    draft.url, draft.form, draft.span, draft.raw = rejoined.url, kind, span, candidate.raw
    draft.line, draft.column, draft.byte = positions.line, positions.column_of(span.start), positions.byte
    shift = candidate.inner.start
    draft.pieces = tuple([piece.moved(shift) for piece in rejoined.pieces]) if is_broken else ()
    draft.repairs, draft.alternatives, draft.defects = rejoined.repairs, tuple(alternatives), defects
    draft.confidence = _confidence(kind, defects, is_doubtful=is_doubtful, own=candidate.confidence)
    draft.shown, draft.origin, draft.context = shown, origin, context
    return draft.frozen()


def _shorter(candidate: Candidate, url: str) -> list[Alternative]:
    """Give a bare URL without the particles and words that languages without blanks glue on."""
    if url.isascii() or candidate.span != candidate.inner:
        return []
    end = end_before_words(url)
    return [Alternative(url[:end], "without the words glued on")] if end < len(url) else []


def readings_of(found: Found, options: Options) -> Iterator[Found]:
    """Give ``found``, and with ``hyphen="both"`` each other reading of its hyphens too."""
    yield found
    if options.hyphen != "both":
        return
    from dataclasses import replace  # noqa: PLC0415 - asked for by few

    for alternative in found.alternatives:
        if "hyphen" in alternative.reason:
            others = tuple(a for a in found.alternatives if a != alternative)
            first = Alternative(found.url, "with every hyphen kept at the line break")
            yield replace(found, url=alternative.url, alternatives=(first, *others))


def rejection_of(
    refusal: Refusal, origin: Origin, positions: Positions, context: str | None = None
) -> Rejection:
    """Make the record of a place that was turned down."""
    return Rejection(
        span=refusal.span,
        form=refusal.form,
        raw=refusal.raw,
        reason=refusal.reason,
        hint=hint_of(refusal),
        line=positions.line,
        column=positions.column_of(refusal.span.start),
        origin=origin,
        context=context,
    )
