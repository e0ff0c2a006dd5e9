"""Running text: a URL that no bracket holds, read from its scheme or its host onwards."""

from __future__ import annotations

from urlextract.grammar.hosts import PORT, abbreviated_host_end
from urlextract.grammar.patterns import later
from urlextract.records import Alternative, Candidate, Form, Refusal, Span
from urlextract.scanner.bare import (
    LONGEST_HOST,
    bare_run,
    byte_defects,
    clean_run,
    head_of_run,
    may_be_label,
    readable,
    whole_run,
)
from urlextract.scanner.openers import line_prefix, url_label_start
from urlextract.scanner.outcome import Limits, Outcome, refused
from urlextract.scanner.starts import scheme_start
from urlextract.scanner.trimming import trimmed
from urlextract.scanner.wrappers import is_name_in_markup

__all__ = ["after_host", "completed", "read_host", "read_scheme"]

_PORT = later(PORT)


def read_scheme(
    text: str, run_start: int, colon: int, limits: Limits, refusals: tuple[Refusal, ...], *, is_whole: bool
) -> Outcome | None:
    """Read the URL whose scheme is a suffix of ``run_start:colon``.

    ``refusals`` say why no bracket around it holds one.
    """
    if len(text) - colon < 3 and not is_whole:
        return None
    has_slashes = text.startswith("//", colon + 1)
    start = scheme_start(text, run_start, colon, has_slashes=has_slashes, any_scheme=limits.any_scheme)
    if start is None:
        if has_slashes:
            refusals += refused(Form.BARE, text, run_start, colon + 3, "not a registered scheme").refusals
        return Outcome(None, refusals)
    run = bare_run(text, start, colon + 1, limits, is_whole=is_whole)
    if run is None:
        return None
    label = url_label_start(text, start)
    form = Form.BARE if label is None else Form.PREFIXED
    fault = run.fault
    if not fault and text[start - 1 : start] == '"' and is_name_in_markup(text, start, text[start : run.end]):
        fault = "a name in an attribute of markup"
    if fault:
        return Outcome(None, refusals + refused(form, text, start, max(run.end, colon + 1), fault).refusals)
    inner = Span(start, run.end)
    candidate = Candidate(
        span=inner if label is None else Span(label, run.end),
        form=form,
        raw=inner.of(text),
        inner=inner,
        defects=run.defects,
        also=(*_label_and_host(text, colon, inner), *_bracketed(refusals)),
    )
    return completed(text, candidate, refusals, limits, is_whole=is_whole)


def _label_and_host(text: str, colon: int, url: Span) -> tuple[Alternative, ...]:
    """Give the reading of "news:www.example.com" as a word and a host."""
    rest = text[colon + 1 : url.end]
    return (Alternative(f"http://{rest}", "a label and a host"),) if may_be_label(rest) else ()


def _bracketed(refusals: tuple[Refusal, ...]) -> tuple[Alternative, ...]:
    """Return the readings of all that the bracket round a URL holds."""
    joined = [refusal.joined for refusal in refusals if refusal.joined]
    return tuple(Alternative(url, "all that stands in the brackets") for url in joined)


def completed(
    text: str, candidate: Candidate, refusals: tuple[Refusal, ...], limits: Limits, *, is_whole: bool
) -> Outcome | None:
    """Put in what the text round the candidate says of it."""
    inner, raw = candidate.inner, candidate.raw
    onward: str | None = ""
    if limits.looks_on:
        from urlextract.scanner.runs_on import continuation  # noqa: PLC0415 - URLs alone need no other readings

        onward = continuation(text, inner, limits, is_whole=is_whole)
    if onward is None:
        return None
    is_unclosed = any(refusal.form in (Form.ANGLE, Form.URL_WRAPPER) for refusal in refusals)
    if onward or is_unclosed or not raw.isascii():
        candidate = candidate._replace(
            raw=readable(raw),
            prefix=line_prefix(text, inner.start) if onward else "",
            runs_on=readable(raw + onward) if onward else None,
            defects=(*(("unclosed",) if is_unclosed else ()), *candidate.defects, *byte_defects(raw)),
        )
    return Outcome(candidate, refusals)


def _abbreviated_fault(head: str, host: int | None) -> str:
    """Say why what ends at ``host`` is no host that stands for a URL, "" where it is one."""
    if host is None:
        return "no host of three labels"
    if head[host : host + 1] == "@":
        return "a mail address"
    goes_on = len(head) >= LONGEST_HOST and not head[host:].strip(".-")
    return "longer than any host" if goes_on else ""


def read_host(
    text: str, start: int, limits: Limits, refusals: tuple[Refusal, ...], *, is_whole: bool
) -> Outcome | None:
    """Read the abbreviated URL whose host begins at ``start`` with ``www.`` or ``ftp.``."""
    head = head_of_run(text, start, limits, is_whole=is_whole)
    if head is None:
        return None
    host = abbreviated_host_end(head)
    fault = _abbreviated_fault(head, host)
    if host is None or fault:
        refusal = refused(Form.ABBREVIATED, text, start, start + (host or 4), fault).refusals
        return Outcome(None, refusals + refusal)
    also: tuple[Alternative, ...] = ()
    if head[host : host + 2] == ":/" and head[:3].lower() == "ftp":  # "ftp.funet.fi:/pub", for ftp(1)
        run = whole_run(text, start, limits, is_whole=is_whole)
        if run is None:
            return None
        if run:
            port = _PORT.match(head, host)
            path = trimmed(run[port.end() if port else host :], text, start)
            also = (Alternative(f"ftp://{run[:host]}{path}", "a host and a path as ftp(1) users write them"),)
        tail: tuple[int, tuple[str, ...]] | None = host, ()
    else:
        tail = after_host(text, start, head, host, limits, is_whole=is_whole)
    if tail is None:
        return None
    inner = Span(start, start + tail[0])
    candidate = Candidate(
        span=inner, form=Form.ABBREVIATED, raw=inner.of(text), inner=inner, defects=tail[1], also=also
    )
    return completed(text, candidate, refusals, limits, is_whole=is_whole)


def after_host(
    text: str, start: int, head: str, host: int, limits: Limits, *, is_whole: bool
) -> tuple[int, tuple[str, ...]] | None:
    """Return the length of the URL at ``start`` whose host ends at ``host`` of ``head``, and its defects.

    None asks for more text.
    """
    port = _PORT.match(head, host)
    end = port.end() if port else host
    if head[end : end + 1] not in ("/", "?", "#"):
        return len(trimmed(head[:end], text, start)), ()
    clean = clean_run(text, start, start, limits, is_whole=is_whole)
    if clean is None:
        return None
    return len(trimmed(clean[0], text, start)), clean[1]
