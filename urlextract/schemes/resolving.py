"""Resolve relative references (in RFC 1630: partial forms) against a base URL.

RFC 3986, section 5.2, RFC 1630, section "Partial (relative) form", or WHATWG URL Standard, section 4.4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from urlextract.arguments import check_choice, check_is
from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.components import PARTS, joined_parts

if TYPE_CHECKING:
    from urlextract.schemes.value import Url

__all__ = ["ResolveRules", "resolve"]

ResolveRules = Literal["rfc3986", "rfc1630", "whatwg"]
"""The rules by which a reference is resolved: see `resolve`."""

_SLASHES = lazy_re("/+")


def resolve(base: str | Url, partial: str | Url, rules: ResolveRules = "rfc3986") -> str:
    r"""Return the URL of the relative reference ``partial``, resolved against ``base``.

    With ``rules="rfc3986"``, RFC 3986, section 5.2 applies in its strict form: a reference with a
    scheme, such as ``http:g``, stays as it is. With ``rules="rfc1630"``, a reference that begins with
    slashes replaces the text of ``base`` from its first run of the same number of slashes on. With
    ``rules="whatwg"``, both are read as web browsers read them: see `parse_url`. Raise
    `UrlSyntaxError` if ``base`` has no scheme, or if a browser could not read it or ``partial``,
    `ValueError` for other rules, and `TypeError` for an argument of another type, such as bytes.

    >>> resolve("http://a/b/c/d;p?q", "../g;x=1/./y")
    'http://a/b/g;x=1/y'
    >>> resolve("magic://a/b/c//d/e/f", "//g", rules="rfc1630")
    'magic://g'
    >>> resolve("http://a/b/c", "\\\\0x7f.1\\d", rules="whatwg")
    'http://127.0.0.1/d'
    """
    context, reference = _text_of("base", base), _text_of("partial", partial)
    if rules != "rfc3986":
        check_choice("rules", rules, ResolveRules)
    if rules == "whatwg":
        from urlextract.schemes.whatwg import resolved  # noqa: PLC0415 - for these rules only

        return resolved(context, reference)
    match = PARTS.match(context)
    if match is None or match[1] is None:
        raise UrlSyntaxError("no scheme", context, (0, min(1, len(context))))
    return _resolved(match, reference) if rules == "rfc3986" else _expanded(context, reference)


def _text_of(name: str, value: str | Url) -> str:
    """Return the text of a URL or reference; raise `TypeError` if it is neither `str` nor `Url`."""
    if isinstance(value, str):
        return value
    from urlextract.schemes.value import Url  # noqa: PLC0415 - imports this module

    check_is(name, value, str, Url)
    return str(value)


def _resolved(base: re.Match[str], partial: str) -> str:
    """Return the target of a reference: RFC 3986, section 5.2.2."""
    reference = PARTS.match(partial)
    if reference is None:
        return partial
    scheme, authority, path, query, fragment = reference.groups()
    if scheme is not None:
        return _recomposed(scheme, authority, _without_dots(path), query, fragment)
    scheme = base[1]
    if authority is not None:
        return _recomposed(scheme, authority, _without_dots(path), query, fragment)
    authority = base[2]
    if not path:
        return _recomposed(scheme, authority, base[3], base[4] if query is None else query, fragment)
    if not path.startswith("/"):
        path = _merged(base, path)
    return _recomposed(scheme, authority, _without_dots(path), query, fragment)


def _merged(base: re.Match[str], path: str) -> str:
    """Return a relative path merged with the path of the base: RFC 3986, section 5.2.3."""
    if base[2] is not None and not base[3]:
        return f"/{path}"
    return base[3][: base[3].rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """Return ``path`` without dot segments: RFC 3986, section 5.2.4.

    >>> _without_dots("/a/b/c/./../../g"), _without_dots("mid/content=5/../6"), _without_dots("../a/..")
    ('/a/g', 'mid/6', '/')
    """
    absolute = path.startswith("/")
    kept: list[str] = []
    segments = path.split("/")[1 if absolute else 0 :]
    last = len(segments) - 1
    is_rooted = absolute
    for index, segment in enumerate(segments):
        if segment == "..":
            if kept:
                kept.pop()
                is_rooted = is_rooted or not kept
        elif segment != ".":
            kept.append(segment)
        if segment in (".", "..") and index == last and (kept or is_rooted):
            kept.append("")
    return ("/" if is_rooted else "") + "/".join(kept)


def _recomposed(
    scheme: str, authority: str | None, path: str, query: str | None, fragment: str | None
) -> str:
    """Return the URL with these components: RFC 3986, section 5.3."""
    if authority is None and path.startswith("//"):
        path = f"/.{path}"  # otherwise its first segment would be the authority: section 4.2
    return joined_parts(scheme, authority, path, query, fragment)


def _expanded(context: str, partial: str) -> str:
    """Return the full form of ``partial`` by the rules of RFC 1630."""
    colon, slash = partial.find(":"), partial.find("/")
    if colon > 0 and (slash < 0 or colon < slash):
        return partial
    context = context.partition("#")[0]
    if not partial or partial.startswith("#"):
        return context + partial
    count = len(partial) - len(partial.lstrip("/"))
    if count:
        runs = (match.start() for match in _SLASHES.finditer(context) if len(match.group()) == count)
        start = next(runs, None)
        return context + partial if start is None else context[:start] + partial
    context = context.partition("?")[0]
    start = max(context.rfind("/"), context.find(":")) + 1
    text = context[:start] + partial
    match = PARTS.match(text)
    if match is None:
        return text
    start, end = match.span(3)
    return text[:start] + _without_steps(text[start:end]) + text[end:]


def _without_steps(path: str) -> str:
    """Return ``path`` without "." elements, and without each ".." and the element before it: RFC 1630.

    A ".." stays if there is no element before it to remove.
    """
    kept: list[str] = []
    elements = path.split("/")
    for index, element in enumerate(elements):
        is_last = index == len(elements) - 1
        if element == ".":
            if is_last:
                kept.append("")
        elif element == ".." and kept and kept[-1] not in ("", ".."):
            kept.pop()
            if is_last:
                kept.append("")
        else:
            kept.append(element)
    return "/".join(kept)
