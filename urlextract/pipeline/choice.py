"""Select the records that the options ask for; replace rewritten links with their targets (``unwrap``)."""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import lazy_re
from urlextract.pipeline.assembly import with_url, without_its_hyphens
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Defect
from urlextract.results import Found, Rejection
from urlextract.schemes.gateways import NO_GATEWAYS, Gateways, target_or_self, unwrapped, without_reader
from urlextract.schemes.url import parse_url

_SHOWN = 40  # characters of the place at fault


_OF_A_PLACE = (
    "span", "form", "raw", "line", "column", "context", "source", "message", "part", "header", "occurrence",
)  # fmt: skip
"""What the records of a URL and of a rejected place have in common."""


def chosen(found: Found, options: ExtractOptions, *, explains: bool) -> Iterator[Found | Rejection]:
    """Yield ``found`` if the options ask for it; with ``hyphen="both"`` also without its hyphens.

    With ``explains``, yield a `Rejection` with the reason if they leave it out. With ``unwrap``,
    what is chosen and yielded is the target of a rewritten link.
    """
    other = without_its_hyphens(found, options) if options.given["hyphen"] == "both" else None
    for reading in (found, other) if other else (found,):
        result = with_target(reading, options.gateways) if options.given["unwrap"] else reading
        fault = _left_out_by(result, options)
        if fault is None and options.given["valid"]:
            fault = _fault_of(result)
        if fault is None:
            yield result
        elif explains:
            yield Rejection(reason=fault, **{name: getattr(reading, name) for name in _OF_A_PLACE})


def _left_out_by(found: Found, options: ExtractOptions) -> str | None:
    """Return which option leaves out a URL, in words, None if none does."""
    for row, value in options.selecting:
        if row.passes and not row.passes(value, found):
            return f"a URL that {row.flags} leaves out"
    return None


def _fault_of(found: Found) -> str | None:
    """Return the first violation and its place if a URL fits no grammar of its scheme, else None."""
    try:
        url = parse_url(found.url)
    except UrlSyntaxError as error:
        return f"{error.message}, at character {error.span[0] + 1} of {found.url[:_SHOWN]!r}"
    if url.grammars:
        return None
    first = url.violations[0]
    place = first.span.of(found.url)[:_SHOWN]
    return f"{first.rule}: {first.message}, {place!r} at character {first.span.start + 1}"


# --- targets of rewritten links ------------------------------------------------------------------

_URL = lazy_re(r"https?://[^\s<>\"]++")
_BROKEN = lazy_re(r"(?is)(https?://\S*safelinks\.(?:protection\.|html)\S*+)\s.*+")


def with_target(found: Found, own: Gateways = NO_GATEWAYS) -> Found:
    """Return the record with the target of its link, if a gateway has rewritten that.

    Links of gateways may have the mail address of their reader, so no text of the result is one.
    """
    url = without_reader(found.unwrapped or found.url)
    others = [each.with_url(_printed_target(each.url, own)) for each in found.alternatives]
    return with_url(
        found,
        url,
        raw=found.raw if url == found.url else url,
        unwrapped=found.unwrapped and url,
        alternatives=tuple(each for each in others if each.url != url),
        defects=tuple(Defect(each.code, _with_targets_in(each.words, own)) for each in found.defects),
        text=found.text and _with_targets_in(found.text, own),
        shown=found.shown and _with_targets_in(found.shown, own),
        inside=found.inside and _printed_target(found.inside, own),
    )


def _printed_target(url: str, own: Gateways = NO_GATEWAYS) -> str:
    """Return the target of a rewritten link, or ``url`` without what names its reader.

    >>> _printed_target("https://www.google.com/url?q=https://a.example/"), _printed_target("http://a.example/")
    ('https://a.example/', 'http://a.example/')
    """
    return without_reader(target_or_self(str(url), own))


def _with_targets_in(text: str, own: Gateways) -> str:
    """Return a text with the targets of the links in it.

    What follows a link of SafeLinks may be the rest of that, and is left out.
    """
    return _URL.sub(lambda match: _target_of(match[0], own), _BROKEN.sub("\\1 \u2026", text))


def _target_of(url: str, own: Gateways) -> str:
    """Return the target of a link in a text; of one that was cut there, what comes before its parameters."""
    target = _printed_target(url, own)
    return url.partition("?")[0] if target == url and unwrapped(url, own) else target
