"""Resolve relative references (in RFC 1630: partial forms) against a base URL.

RFC 3986, section 5.2, or RFC 1630, section "Partial (relative) form".
"""

from __future__ import annotations

import re

from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.components import PARTS, joined_parts

_SLASHES = lazy_re("/+")


def target_of(base: re.Match[str], partial: str) -> str:
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


def full_form(context: str, partial: str) -> str:
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
