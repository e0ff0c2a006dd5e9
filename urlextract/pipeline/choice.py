"""Select the records that the options ask for; with ``valid``, those that fit a grammar of their scheme."""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.errors import UrlSyntaxError
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.targets import with_target
from urlextract.results import Found, Rejection
from urlextract.schemes.url import parse_url

_SHOWN = 40  # characters of the place at fault


def chosen(found: Found, options: ExtractOptions, *, explains: bool) -> Iterator[Found | Rejection]:
    """Yield ``found`` if the options ask for it.

    With ``explains``, yield a `Rejection` with the reason if only ``valid`` leaves it out. With ``unwrap``,
    what is chosen is the target of a rewritten link.
    """
    chosen_by = found
    if options.given["unwrap"]:
        chosen_by = with_target(found)
    if not options.lets_pass(chosen_by):
        return
    fault = _fault_of(chosen_by) if options.given["valid"] else None
    if fault is None:
        yield found
    elif explains:
        yield Rejection(
            span=found.span,
            form=found.form,
            raw=found.raw,
            reason=fault,
            line=found.line,
            column=found.column,
            origin=found.origin,
            context=found.context,
            context_start=found.context_start,
        )


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
