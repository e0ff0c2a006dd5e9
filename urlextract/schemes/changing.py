"""Make a URL from another one: with other components, with a segment more, in normal form, from a reference.

Components are encoded as in the text. A change is accepted if the new text, parsed again, has exactly
the components that were asked for, and the others as before. So no rule of the parser stands here, only
those on what the parser tolerates: a port out of range, control characters, blanks in a host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.bnf import PCHAR
from urlextract.grammar.escapes import encoded_except, same_level
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.components import PARTS, Parts, UrlBase, joined_parts
from urlextract.schemes.hosts import Login, to_ascii

_Url = TypeVar("_Url", bound=UrlBase)

# Other components

_ANY_TYPE = ("scheme", *UrlBase._FIELDS)
"""The names of components that are accepted for each type."""
_OTHER_TYPE = ", it has another type"

_CONTROL = lazy_re(r"[\x00-\x1f\x7f]")
_NOT_IN_HOST = lazy_re(r"[\x00-\x1f\x7f\s\\]")
_SHOWN = 60  # characters of a value in a message


def replaced(url: _Url, components: Mapping[str, Any]) -> _Url:
    """Return ``url`` with other ``components``; the errors are those of `Url.replace`."""
    kind, names = type(url), _names(type(url), components)
    now = _values(url, components, kind)
    changes = {
        name: value
        for name, value in components.items()
        if (type(value), value) != (type(now[name]), now[name])
    }
    for name, value in changes.items():
        if name not in names:
            message = f"{name}={_shown(value)} is not allowed, {kind.__name__} has no {name}"
            raise UrlSyntaxError(f"{message}: use {', '.join(names)}", url.text, (0, 0))
        _check(name, value, kind)
    if not changes:
        return url
    # What is to stay is neither changed, nor part of what is changed, nor has a part that is changed.
    whole = kind._PART_OF
    others = [
        name
        for name in names
        if not any(name in whole.get(each, ()) or each in whole.get(name, ()) for each in changes)
    ]
    return _parsed_again(url, changes, kind, _values(url, others, kind) | dict(components), kind)


def moved(url: UrlBase, components: Mapping[str, Any], kind: type[_Url]) -> _Url:
    """Return ``url`` with a scheme of the type ``kind``, and other ``components``: see `Url.replace`."""
    _names(kind, components)
    generic = {name: value for name, value in components.items() if name in _ANY_TYPE}
    own = {name: value for name, value in components.items() if name not in _ANY_TYPE}
    for name, value in generic.items():
        _check(name, value, kind)
    made = _parsed_again(url, generic, kind, _values(url, _ANY_TYPE, UrlBase) | generic, UrlBase)
    return replaced(made, own)


def _names(kind: type[UrlBase], components: Iterable[str]) -> tuple[str, ...]:
    """Return what can be replaced: the components of a type, and the path and query they are part of.

    Raise `TypeError` for a component that no URL has.
    """
    wholes = {whole for wholes in kind._PART_OF.values() for whole in wholes} & {"path", "query"}
    names = tuple(dict.fromkeys(("scheme", *kind._FIELDS, *sorted(wholes))))
    for name in components:
        if name not in names and name not in _ANY_TYPE:
            message = f"{kind.__name__} has no component {name!r} to replace: use {', '.join(names)}"
            raise TypeError(message)
    return names


def _values(url: UrlBase, names: Iterable[str], kind: type[UrlBase]) -> dict[str, Any]:
    """Return components by name, as ``kind`` has them: `UrlBase` has those of any scheme."""
    return {name: getattr(kind, name).__get__(url) for name in names}


def _parsed_again(
    url: UrlBase, changes: Mapping[str, Any], kind: type[_Url], wanted: dict[str, Any], reader: type[UrlBase]
) -> _Url:
    """Return ``url`` with ``changes`` as a ``kind``; raise if ``reader`` does not read what is ``wanted``."""
    try:
        text = _text_with(url, changes)
    except TypeError:  # a part without which there is no path is None, or was not there
        if None in changes.values():
            raise TypeError(_not_allowed(changes, _OTHER_TYPE)) from None
        message = _not_allowed(changes, ", another part is missing")
        raise UrlSyntaxError(message, url.text, (0, len(url.text))) from None
    try:
        made = kind._of_text(text)
    except UrlSyntaxError as error:
        raise UrlSyntaxError(_not_allowed(changes, f", {error.message}"), error.text, error.span) from None
    wanted["scheme"] = wanted["scheme"].lower()
    wrong = {name: now for name, now in _values(made, wanted, reader).items() if now != wanted[name]}
    if not wrong:
        return made
    at_fault = {name: value for name, value in changes.items() if name in wrong} or changes
    for name, value in at_fault.items():
        if value is not None and wrong.get(name) is not None and type(value) is not type(wrong[name]):
            raise TypeError(_not_allowed(at_fault, _OTHER_TYPE))
    message = _not_allowed(at_fault, f", it would be read as {_listed(wrong)}")
    raise UrlSyntaxError(message, text, (0, len(text)))


def _check(name: str, value: Any, kind: type[UrlBase]) -> None:
    """Raise `TypeError` for a value of a wrong type, `UrlSyntaxError` for what only the parser tolerates."""
    if name == "port" and type(value) is int:
        if not 0 <= value <= 65535:
            message = _not_allowed({name: value}, ", a port is 0 to 65535")
            raise UrlSyntaxError(message, repr(value), (0, len(repr(value))))
        return
    try:
        text = value if name in _ANY_TYPE else getattr(kind, name).write(value)
    except (TypeError, ValueError):  # what cannot be joined, or taken apart into names and values
        text = ()
    may_be_none, may_be_text = name not in ("scheme", "path"), name != "port"
    if not (may_be_none if text is None else may_be_text and isinstance(text, str)):
        raise TypeError(_not_allowed({name: value}, _OTHER_TYPE))
    match = (_NOT_IN_HOST if name == "host" else _CONTROL).search(text or "")
    if match:
        message = _not_allowed({name: value}, f", it has {match.group()!r}")
        raise UrlSyntaxError(message, text, match.span())


def _not_allowed(changes: Mapping[str, Any], reason: str) -> str:
    """Return the words of an error: the changes, and the reason."""
    return f"{_listed(changes)} is not allowed{reason}"


def _listed(components: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_shown(value)}" for name, value in components.items())


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


def _text_with(url: UrlBase, changes: Mapping[str, Any]) -> str:
    """Return the text of ``url`` with ``changes``, which may be read in another way."""
    scheme, _, path, query, fragment = url._parts
    parts: dict[str, Any] = {"scheme": scheme, "path": path, "query": query, "fragment": fragment}
    parts |= url._login._asdict()
    parts |= {name: value for name, value in changes.items() if name in parts}
    own = changes.keys() & url._PART_OF.keys()
    if own:
        wholes = {whole for name in own for whole in url._PART_OF[name]} - (changes.keys() - own)
        values = {name: getattr(url, name) for name in url._FIELDS} | dict(changes)
        parts |= {name: value for name, value in url._composed(values).items() if name in wholes}
    authority = _authority(*(parts[name] for name in Login._fields))
    return joined_parts(parts["scheme"], authority, parts["path"], parts["query"], parts["fragment"])


def _authority(
    user: str | None, password: str | None, host: str | None, port: int | str | None
) -> str | None:
    """Return the authority. A port without a host, or a password without a user, are written all the same."""
    if user is None and password is None and host is None and port is None:
        return None
    login = (user or "") + ("" if password is None else f":{password}")
    at = "" if user is None and password is None else "@"
    return f"{login}{at}{host or ''}" + ("" if port is None else f":{port}")


# A segment more


def appended(url: _Url, segment: str) -> _Url:
    """Return ``url`` with a segment after its path: see `Url.__truediv__`."""
    start, end = url._stretch("path")
    after = url._stretch(url._AFTER_SEGMENTS)[0] if url._AFTER_SEGMENTS else -1
    end = end if after < 0 else after
    is_rooted = url.host is not None or url.text.startswith("/", start)
    if not is_rooted or not url._SEGMENTS or url._AUTHORITY == "none":
        raise ValueError(f"the path of {url.text[:_SHOWN]!r} has no segments to append {_shown(segment)} to")
    if segment in (".", ".."):
        raise ValueError(f"{segment!r} does not name a segment: use join({segment + '/'!r})")
    segment.encode("utf-8", "surrogateescape")  # raises for a surrogate that stands for no byte
    allowed = PCHAR.replace(";", "") if url._AFTER_SEGMENTS else PCHAR
    slash = "" if url.text.endswith("/", start, end) else "/"
    return url._of_text(f"{url.text[:end]}{slash}{encoded_except(segment, allowed)}")


# The normal form

_OUTSIDE_ESCAPES = lazy_re("%[0-9A-F]{2}|([A-Z]+)")


def normal_text(url: UrlBase) -> str:
    """Return the normal form of a URL: see `Url.normalized`."""
    return _levelled(url, url._levelled_path(same_level(url._parts[2])), _normal_host(url))


def key_of(normal: UrlBase) -> str:
    """Return a text that is equal for two URLs of the same resource; ``normal`` is a normal form.

    A slash is ignored if the standard of the scheme allows omitting it.
    """
    return _levelled(normal, normal._same_path(), normal._same_host())


def _levelled(url: UrlBase, path: str, host: str | None) -> str:
    """Return the URL with this path and host, no default port, and the rest at the same level of encoding."""
    (user, password, _, _), (_, _, _, query, fragment) = url._login, url._parts
    port = None if url.port is None or url.port == url.default_port else url.port
    authority = _authority(user and same_level(user), password and same_level(password), host, port)
    return joined_parts(
        url.scheme, authority, path, query and same_level(query), fragment and same_level(fragment)
    )


def _normal_host(url: UrlBase) -> str | None:
    host = url.host
    if host is None:
        return None
    if host.startswith("["):  # escapes are in the zone, which has a meaning only on the local machine
        address, percent, zone = host.partition("%")
        return address.lower() + percent + zone
    if not host.isascii() or "%" in host:
        host = to_ascii(host) or same_level(host)
    return _OUTSIDE_ESCAPES.sub(lambda match: match.group().lower() if match[1] else match.group(), host)


# Relative references (in RFC 1630: partial forms)

_SLASHES = lazy_re("/+")
_FIRST_STEPS = lazy_re(r"\A(?>(?:\.\.?(?:/|\Z))+)")
_SEGMENT = lazy_re("/?[^/]*")


def target_of(base: Parts, partial: str) -> str:
    """Return the target of a reference to a URL: RFC 3986, section 5.2.2."""
    reference = PARTS.match(partial)
    if reference is None:
        return partial
    scheme, authority, path, query, fragment = reference.groups()
    if scheme is None and authority is None and not path:
        path, query = base[2], base[3] if query is None else query
    else:
        if scheme is None and authority is None and not path.startswith("/"):
            path = _merged(base, path)
        path = _without_dots(path)
    if scheme is None:
        scheme, authority = base[0], base[1] if authority is None else authority
    if authority is None and path.startswith("//"):
        path = f"/.{path}"  # otherwise its first segment would be the authority: section 4.2
    return joined_parts(scheme, authority, path, query, fragment)


def _merged(base: Parts, path: str) -> str:
    """Return a relative path merged with the path of the base: RFC 3986, section 5.2.3."""
    if base[1] is not None and not base[2]:
        return f"/{path}"
    return base[2][: base[2].rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """Return ``path`` without dot segments: RFC 3986, section 5.2.4.

    >>> _without_dots("/a/b/c/./../../g"), _without_dots("mid/content=5/../6"), _without_dots("../a/..")
    ('/a/g', 'mid/6', '/')
    """
    path = _FIRST_STEPS.sub("", path)
    kept: list[str] = []
    for segment in _SEGMENT.findall(path):  # with the slash before it
        if segment == "/..":
            del kept[-1:]
        elif segment != "/.":
            kept.append(segment)
    return "".join(kept) + ("/" if path.endswith(("/.", "/..")) else "")


def full_form(context: str, partial: str) -> str:
    """Return the full form of ``partial``: RFC 1630, section "Partial (relative) form"."""
    colon, slash = partial.find(":"), partial.find("/")
    if colon > 0 and (slash < 0 or colon < slash):
        return partial
    context = context.partition("#")[0]
    if not partial or partial.startswith("#"):
        return context + partial
    count = len(partial) - len(partial.lstrip("/"))
    if count:
        runs = (match.start() for match in _SLASHES.finditer(context) if len(match.group()) == count)
        return context[: next(runs, None)] + partial
    context = context.partition("?")[0]
    text = context[: max(context.rfind("/"), context.find(":")) + 1] + partial
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
    is_step = False
    for element in path.split("/"):
        goes_up = element == ".." and bool(kept) and kept[-1] not in ("", "..")
        is_step = goes_up or element == "."
        if goes_up:
            kept.pop()
        elif not is_step:
            kept.append(element)
    return "/".join([*kept, ""] if is_step else kept)
