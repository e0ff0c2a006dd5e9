"""The option ``unwrap``: records of links that a gateway has rewritten become those of their targets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Alternative, Defect, Link
from urlextract.results import Found, Rejection
from urlextract.schemes.gateways import gateway_of, target_or_self, unwrap, unwrap_cut, without_reader

_URL = lazy_re(r"https?://[^\s<>\"]++")


def with_targets(results: Iterable[Found | Rejection]) -> Iterator[Found | Rejection]:
    """Yield the results with the targets of rewritten links."""
    for result in results:
        yield with_target(result) if isinstance(result, Found) else result


def with_target(found: Found) -> Found:
    """Return the record with the target of its link, if a gateway has rewritten that.

    Links of gateways may have the mail address of their reader, so no text of the result is one.
    """
    target = (unwrap_cut if found.is_cut else unwrap)(found.url)
    others = [Alternative(printed_target(each.url), each.reason) for each in found.alternatives]
    url = without_reader(target.url if target else found.url)
    changed = replace(
        found,
        url=url,
        alternatives=tuple(each for each in others if each.url != url),
        target_of=target.by if target else None,
        defects=tuple(Defect(each.code, _with_targets_in(each)) for each in found.defects),
        inside=found.inside and printed_target(found.inside),
        link=found.link and _readable(found.link),
    )
    return changed if url == found.url else replace(changed, raw=url)


def printed_target(url: str) -> str:
    """Return the target of a rewritten link, or ``url`` without what names its reader.

    >>> printed_target("https://www.google.com/url?q=https://a.example/"), printed_target("http://a.example/")
    ('https://a.example/', 'http://a.example/')
    """
    return without_reader(target_or_self(str(url)))


def _readable(link: Link) -> Link:
    """Return a link whose texts have the targets of rewritten links, too."""
    return replace(link, text=_with_targets_in(link.text), shown=link.shown and _with_targets_in(link.shown))


def _with_targets_in(text: str) -> str:
    """Return a text with the targets of the links in it.

    What follows a link of SafeLinks may be the rest of that, and is left out.
    """
    return _URL.sub(_target_of, _BROKEN.sub("\\1 \u2026", text))


_BROKEN = lazy_re(r"(?is)(https?://\S*safelinks\.(?:protection\.|html)\S*+)\s.*+")


def _target_of(match: re.Match[str]) -> str:
    """Return the target of a link in a text; of one that was cut there, what comes before its parameters."""
    url = match.group()
    target = printed_target(url)
    return url.partition("?")[0] if target == url and gateway_of(url) else target
