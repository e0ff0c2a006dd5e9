"""What all bare URLs have in common: what stands around one is told, and it is joined with its next lines."""

from __future__ import annotations

from urlextract.grammar.chars import readable
from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import SCHEME_OF_HOST, WITHOUT_HYPHEN, joined
from urlextract.linebreaks.prefixes import prefix_before
from urlextract.records import MAY_CONTINUE, UNDECODABLE, Alternative, Defect, Form, Match
from urlextract.scanner import bare, lines, wrappers
from urlextract.scanner.evidence import Certainty
from urlextract.scanner.window import Window

_ESCAPED_MARK = lazy_re(r"\\(?=[_~#()])")
_GLUED_AFTER = Defect.of(DefectCode.GLUED_AFTER)
_UNCLOSED = Defect.of(DefectCode.UNCLOSED)


def told(window: Window, match: Match) -> Match:
    """Return ``match``, a bare URL, with what stands around it told, and joined with its next lines."""
    text, start, stop = window.text, match.first, match.stop
    added = match.url[: len(match.url) - len(match.raw)]
    others, defects, repairs = list(match.others), list(match.defects), match.repairs
    url = match.raw
    if not url.isascii():
        readable_url = readable(url)
        defects += [UNDECODABLE] if readable_url != url else []
        url = readable_url
        shorter = bare.doubtful_name(added + url)
        if shorter:
            others.append(Alternative(shorter, "without the words glued on", AlternativeCode.GLUED))
            defects += [] if shorter[-1] == "/" else [_GLUED_AFTER]
    raw, url = url, _without_escapes(url)
    repairs = (wrappers.DECODED, *repairs) if url != raw else repairs
    if "&" in url:
        undone = wrappers.without_references(text, start, url)
        repairs = (wrappers.DECODED_ENTITIES, *repairs) if undone != url else repairs
        url = undone
        others += wrappers.markup_reading(added + url)
    whole, reason = bare.glued_on(text, start, stop)
    if whole:
        others.append(Alternative(added + whole, reason, AlternativeCode.GLUED))
    if window.inside:
        others.append(Alternative.of(window.inside, AlternativeCode.IN_BRACKETS))
    if bare.is_cut_off(text, start, stop):
        defects.append(wrappers.CUT_OFF)
    if window.is_unclosed or text[start - 1] == "<":
        defects.insert(0, _UNCLOSED)
    match = match._replace(
        raw=raw, url=added + url, others=tuple(others), defects=tuple(defects), repairs=repairs
    )
    rest = lines.goes_on(text, start, stop) if window.joins else None
    return with_lines(window, match, rest, added) if rest else match


def _without_escapes(url: str) -> str:
    """Return ``url`` without the backslashes of Markdown; a ``file:`` may have its own."""
    return _ESCAPED_MARK.sub("", url) if "\\" in url and not url.startswith("file:") else url


def with_lines(window: Window, match: Match, rest: lines.Continuation, added: str = "") -> Match:
    """Return ``match`` with the next lines of its URL, or with the note that it may go on there.

    The scheme, if it lacks its own, is ``added``. What was undone on its first line is undone on all.
    """
    text, start, stop = window.text, match.first, match.stop
    prefix = prefix_before(text, start)
    raw, hyphen = readable(text[start : rest.end]), window.options.hyphen

    def undone(url: str) -> str:
        return wrappers.without_references(text, start, _without_escapes(url))

    plain = added + (joined(raw, prefix, hyphen) if hyphen == "drop" or "/-" in raw else rest.url)
    whole = undone(plain)
    if rest.certainty < window.least:
        hint = "; --join likely joins it" if rest.certainty is Certainty.LIKELY else ""
        more = Alternative(
            whole, f"{AlternativeCode.MORE_LINES.words}: {rest.reason}{hint}", AlternativeCode.MORE_LINES
        )
        dropped = undone(added + joined(raw, prefix, "drop"))
        without = Alternative(dropped, WITHOUT_HYPHEN, AlternativeCode.OTHER_HYPHENS)
        more_lines = (more, without) if dropped != whole and "-" in text[stop - 1 : stop + 1] else (more,)
        return match._replace(
            others=(*more_lines, *match.others), defects=(*match.defects, MAY_CONTINUE), other_end=rest.end
        )
    one = Alternative(
        match.url, f"{AlternativeCode.ONE_LINE.words}; joined because {rest.reason}", AlternativeCode.ONE_LINE
    )
    match = match._replace(
        end=rest.end,
        stop=rest.end,
        raw=raw,
        url=plain,
        prefix=prefix,
        others=(one, *match.others),
        other_end=stop,
    )
    return match if whole == plain else wrappers.with_readings_undone(match, whole, undone)


def alone(window: Window, start: int, mark: int) -> Match | None:
    """Return the URL whose scheme, or ``www.``, ends its line, if the next line begins with its host."""
    if not window.joins or start < window.last:
        return None
    text = window.text
    rest = lines.goes_on_alone(text, start, mark)
    if rest is None:
        return None
    prefix = prefix_before(text, start)
    raw = readable(text[start : rest.end])
    url = joined(raw, prefix, window.options.hyphen)
    match = Match(start, rest.end, start, rest.end, Form.BARE, raw, url, prefix)
    if text[mark] == ":":
        return match
    added = SCHEME_OF_HOST[url[:4].lower()]
    repairs = (wrappers.added_scheme(added),)
    return match._replace(form=Form.ABBREVIATED, url=added + url, repairs=repairs)
