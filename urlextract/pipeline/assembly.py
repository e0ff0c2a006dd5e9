"""Make the records of candidates: the URL, its repairs and defects, its place, its confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.chars import LINE_END, end_before_words
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import is_registered
from urlextract.linebreaks import rejoin
from urlextract.records import MAY_CONTINUE, Alternative, Candidate, Form, Origin, Span
from urlextract.results import Draft, Found, Rejection
from urlextract.scanner.bare import UNREGISTERED
from urlextract.scanner.brackets import BROKEN_OVER_LINES, NOT_IN_BRACKETS
from urlextract.schemes.escapes import percent_encoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.message.html_page import Page
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.records import Refusal
    from urlextract.results import Link

__all__ = ["Positions", "found_as_it_stands", "found_of", "readings_of", "rejection_of"]

_LINE_END = lazy_re(LINE_END)


class Positions:
    """Counts lines, columns and bytes in a text; its places must be asked for in ascending order.

    ``line`` is the line of the place last gone to, counted from 1. ``byte`` is the offset of that
    place in UTF-8 bytes, None if the argument ``byte`` is None.
    """

    def __init__(self, *, start: int = 0, line: int = 1, column: int = 1, byte: int | None = None) -> None:
        self._at = start
        self._line_start = start - column + 1
        self.line = line
        self.byte = byte

    def go_to(self, place: int, text: str, base: int) -> None:
        """Advance to the offset ``place``.

        ``text`` begins at the offset ``base`` and must hold everything from the last place on.
        """
        start, end = self._at - base, place - base
        if end <= start:
            return
        if self.byte is not None:
            self.byte += _utf8_length(text, start, end)
        self._at = place
        if text.find("\r", start, end) >= 0:
            self._count_mixed(text, start, end, base)
        elif (last := text.rfind("\n", start, end)) >= 0:
            self.line += text.count("\n", start, last) + 1
            self._line_start = last + 1 + base

    def _count_mixed(self, text: str, start: int, end: int, base: int) -> None:
        for match in _LINE_END.finditer(text, start, end):
            if match.end() + base > self._line_start:
                self.line += match.start() + base >= self._line_start
                self._line_start = match.end() + base

    def column_of(self, place: int) -> int:
        """Return the column of ``place``, from 1; ``place`` is on the line last gone to, or before it."""
        return max(1, place - self._line_start + 1)


def _utf8_length(text: str, start: int, end: int) -> int:
    stretch = text[start:end]
    return end - start if stretch.isascii() else len(stretch.encode("utf-8", "surrogateescape"))


_TAKEN_WITH = {
    UNREGISTERED: "--scheme any takes unregistered schemes",
    BROKEN_OVER_LINES: "--join delimited joins it",
}
_ON_DEMAND = "--scheme any takes registered schemes in brackets"


def hint_of(refusal: Refusal) -> str | None:
    """Return a hint at the option that would accept a refused place, None if there is none."""
    if refusal.reason == NOT_IN_BRACKETS:
        name = refusal.raw.lstrip('<" \t\r\n').partition(":")[0]
        return _ON_DEMAND if is_registered(name) else None
    return _TAKEN_WITH.get(refusal.reason)


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
    raw: str | None = None,
    link: Link | None = None,
    inside: str | None = None,
) -> Found:
    """Return the record of an ASCII URL that is not broken over lines, encoded or ambiguous.

    The result is that of `found_of`, but most of the checks are left out. ``added`` is the number of
    characters at the start of ``url`` that an abbreviated URL lacks. ``raw`` is the text in the
    source, if that is not ``url``.
    """
    repairs: tuple[str, ...] = ()
    if added:
        raw, repairs = url[added:], (f"added {url[:added]}",)
    confidence = round(_CONFIDENCE[form] * _DOUBT, 2) if defects else _CONFIDENCE[form]
    return _record(
        url,
        form,
        span,
        url if raw is None else raw,
        origin,
        positions,
        defects,
        confidence,
        repairs,
        link=link,
        inside=inside,
    )


def found_of(
    candidate: Candidate,
    origin: Origin,
    options: ExtractOptions,
    positions: Positions,
    *,
    form: Form | None = None,
    defects: tuple[str, ...] = (),
    context: str | None = None,
    raw: str | None = None,
    page: Page | None = None,
    link: Link | None = None,
    inside: str | None = None,
) -> Found:
    """Return the record of ``candidate``; ``positions`` must be at its start.

    If the candidate was found in the visible text of ``page``, its places are mapped to the markup.
    ``raw`` is the text in the source, if that is not the candidate's.
    """
    rejoined = rejoin(candidate, hyphen=options.hyphen)
    alternatives = [*rejoined.alternatives, *_shorter(candidate, rejoined.url)]
    is_doubtful = bool(alternatives)
    ascii_url = percent_encoded(rejoined.url)
    if ascii_url != rejoined.url:
        alternatives.append(Alternative(ascii_url, "percent-encoded (RFC 3987)"))
    defects = (*candidate.defects, *defects)
    kind = form or candidate.form
    pieces = [piece.moved(candidate.inner.start) for piece in rejoined.pieces]
    span, raw = candidate.span, candidate.raw if raw is None else raw
    if link:  # the value that was read may differ from the markup
        pieces = []
    elif page:
        pieces = [place.moved(page.start) for piece in pieces for place in page.places(piece)]
        span, raw = page.hull(span).moved(page.start), page.hull(candidate.inner).of(page.text)
    return _record(
        rejoined.url,
        kind,
        span,
        raw,
        origin,
        positions,
        defects,
        _confidence(kind, defects, is_doubtful=is_doubtful, own=candidate.confidence),
        rejoined.repairs,
        tuple(pieces) if len(pieces) > 1 else (),
        tuple(alternatives),
        context,
        link,
        inside,
    )


def _record(  # noqa: PLR0917 - all fields except those from positions; calls by keyword take longer
    url: str,
    form: Form,
    span: Span,
    raw: str,
    origin: Origin,
    positions: Positions,
    defects: tuple[str, ...],
    confidence: float,
    repairs: tuple[str, ...],
    pieces: tuple[Span, ...] = (),
    alternatives: tuple[Alternative, ...] = (),
    context: str | None = None,
    link: Link | None = None,
    inside: str | None = None,
) -> Found:
    """Return the record of a URL; ``positions`` must be at its start."""
    draft = Draft()
    draft.url, draft.form, draft.span, draft.raw, draft.origin = url, form, span, raw, origin
    draft.line, draft.column, draft.byte = positions.line, positions.column_of(span[0]), positions.byte
    draft.repairs, draft.pieces, draft.alternatives, draft.defects = repairs, pieces, alternatives, defects
    draft.confidence, draft.context, draft.link, draft.inside = confidence, context, link, inside
    return draft.frozen()


def _shorter(candidate: Candidate, url: str) -> list[Alternative]:
    """Return the alternative without the words after a bare URL, in languages that write no blanks."""
    if url.isascii() or candidate.span != candidate.inner:
        return []
    end = end_before_words(url)
    return [Alternative(url[:end], "without the words glued on")] if end < len(url) else []


def readings_of(found: Found, options: ExtractOptions) -> Iterator[Found]:
    """Yield ``found``, and with ``hyphen="both"`` also a record for each other reading of its hyphens."""
    yield found
    if options.hyphen != "both":
        return
    from dataclasses import replace  # noqa: PLC0415 - rarely needed

    for alternative in found.alternatives:
        if "hyphen" in alternative.reason:
            others = tuple(a for a in found.alternatives if a != alternative)
            first = Alternative(found.url, "with every hyphen kept at the line break")
            yield replace(found, url=alternative.url, alternatives=(first, *others))


def rejection_of(
    refusal: Refusal, origin: Origin, positions: Positions, context: str | None = None
) -> Rejection:
    """Return the record of a refused place."""
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
