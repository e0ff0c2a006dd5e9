"""Make a URL from another one: replace components, or append a segment to the path.

Components are encoded as in the text. A change is accepted if the new text, parsed again, has exactly
the components that were asked for, and the others as before. So no rule of the parser stands here, only
those on what the parser tolerates: a port out of range, control characters, blanks in a host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.bnf import PCHAR
from urlextract.grammar.escapes import encoded_except
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.components import UrlBase, joined_parts
from urlextract.schemes.hosts import Login

_Url = TypeVar("_Url", bound=UrlBase)

_ALLOWED = {
    "scheme": "the name of a scheme whose URLs can have the other components",
    "user": 'None, or text without ":", "/", "?" and "#", if there is a host',
    "password": 'None, or text without "/", "?" and "#", if there is a user',
    "host": "a name, an IPv4 address, another IP address in brackets, or None if the scheme needs no host",
    "port": "None, or an int from 0 to 65535 if there is a host",
    "path": 'text without "#", and without "?" if the scheme has queries; after a host it begins with "/"',
    "query": 'None, or text without "#"',
    "fragment": "None, or text",
}
"""What the generic components may be. Their names are accepted for each type."""
_ALLOWED_OWN = (
    "a value as in parts(), with the delimiters of the scheme percent-encoded, beside the components it needs"
)

_CONTROL = lazy_re(r"[\x00-\x1f\x7f]")
_NOT_IN_HOST = lazy_re(r"[\x00-\x1f\x7f\s\\]")
_SHOWN = 60  # characters of a value in a message


def replaced(url: _Url, components: Mapping[str, Any]) -> _Url:
    """Return ``url`` with other ``components``; the errors are those of `Url.replace`."""
    kind, names = type(url), _known_names(type(url), components)
    changes = {name: value for name, value in components.items() if not _is_now(url, name, value)}
    for name, value in changes.items():
        if name not in names:
            message = f"{name}={_shown(value)} is not allowed, {kind.__name__} has no {name}"
            raise UrlSyntaxError(f"{message}: use {', '.join(names)}", url.text, (0, 0))
        _check(name, value, kind)
    wanted = {**_unlinked(url, changes, names), **components}
    if not changes:
        return url
    return _parsed_again(
        url, changes, kind, wanted, lambda made: {each: getattr(made, each) for each in wanted}
    )


def moved(url: UrlBase, components: Mapping[str, Any], kind: type[_Url]) -> _Url:
    """Return ``url`` with a scheme of the type ``kind``, and other ``components``: see `Url.replace`."""
    _known_names(kind, components)
    own = {name: value for name, value in components.items() if name not in _ALLOWED}
    changes = {name: value for name, value in components.items() if name in _ALLOWED}
    for name, value in changes.items():
        _check(name, value, kind)
    return replaced(_parsed_again(url, changes, kind, _generic(url) | changes, _generic), own)


def _known_names(kind: type[UrlBase], components: Iterable[str]) -> tuple[str, ...]:
    """Return what can be replaced in a type; raise `TypeError` for a component that no URL of it has."""
    names = _names(kind)
    for name in components:
        if name not in names and name not in _ALLOWED:
            message = f"{kind.__name__} has no component {name!r} to replace: use {', '.join(names)}"
            raise TypeError(message)
    return names


def _names(kind: type[UrlBase]) -> tuple[str, ...]:
    """Return what can be replaced: the components of the type, and the path and query they are part of."""
    wholes = {whole for wholes in kind._PART_OF.values() for whole in wholes}
    names = ("scheme", *kind._FIELDS, *(name for name in ("path", "query") if name in wholes))
    return tuple(dict.fromkeys(names))


def _generic(url: UrlBase) -> dict[str, Any]:
    """Return the components that a URL of any scheme has: RFC 3986, section 3."""
    _, _, path, query, fragment = url._parts
    parts = {"path": path, "query": query, "fragment": fragment}
    return {"scheme": url.scheme, **url._login._asdict(), "port": url.port, **parts}


def _is_now(url: UrlBase, name: str, value: object) -> bool:
    current = getattr(url, name)
    return type(value) is type(current) and bool(value == current)


def _check(name: str, value: object, kind: type[UrlBase]) -> None:
    """Raise `TypeError` for a value of a wrong type, `UrlSyntaxError` for what only the parser tolerates."""
    if not _has_type(name, value, kind):
        raise _type_error({name: value})
    if isinstance(value, int) and name == "port" and not 0 <= value <= 65535:
        raise _error({name: value}, "", repr(value), (0, len(repr(value))))
    for text in _texts(value):
        match = (_NOT_IN_HOST if name == "host" else _CONTROL).search(text)
        if match:
            raise _error({name: value}, f", it has {match.group()!r}", text, match.span())


def _has_type(name: str, value: object, kind: type[UrlBase]) -> bool:
    """Return whether a value has a type that the component ``name`` may have."""
    if name not in _ALLOWED:
        try:
            return isinstance(getattr(kind, name).write(value), str | None)
        except (TypeError, ValueError):  # what cannot be joined, or taken apart into names and values
            return False
    if value is None:
        return name not in ("scheme", "path")
    return type(value) is int if name == "port" else isinstance(value, str)


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value, which may be a tuple of tuples."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)


def _error(changes: Mapping[str, Any], reason: str, text: str, span: tuple[int, int]) -> UrlSyntaxError:
    return UrlSyntaxError(_not_allowed(changes, reason), text, span)


def _type_error(changes: Mapping[str, Any]) -> TypeError:
    return TypeError(_not_allowed(changes, ", it has another type"))


def _not_allowed(changes: Mapping[str, Any], reason: str) -> str:
    allowed = dict.fromkeys(_ALLOWED.get(name, _ALLOWED_OWN) for name in changes)
    return f"{_listed(changes)} is not allowed{reason}: use {'; '.join(allowed)}"


def _listed(components: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_shown(value)}" for name, value in components.items())


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


def _unlinked(url: UrlBase, changes: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the components that are not to change: neither the changed ones nor those they are part of."""
    own = url._PART_OF
    return {
        name: getattr(url, name)
        for name in names
        if not any(name in own.get(changed, ()) or changed in own.get(name, ()) for changed in changes)
    }


def _parsed_again(
    url: UrlBase,
    changes: Mapping[str, Any],
    kind: type[_Url],
    wanted: dict[str, Any],
    read: Callable[[UrlBase], dict[str, Any]],
) -> _Url:
    """Return ``url`` of the type ``kind`` with ``changes``; raise if it is not read as ``wanted``."""
    try:
        text = _text_with(url, changes)
    except TypeError:  # a part without which there is no path is None, or was not there
        if None in changes.values():
            raise _type_error(changes) from None
        raise _error(changes, ", another part is missing", url.text, (0, len(url.text))) from None
    try:
        made = kind._of_text(text)
    except UrlSyntaxError as error:
        raise _error(changes, f", {error.message}", error.text, error.span) from None
    wanted["scheme"] = wanted["scheme"].lower()
    wrong = {name: now for name, now in read(made).items() if now != wanted[name]}
    if wrong:
        at_fault = {name: value for name, value in changes.items() if name in wrong} or changes
        if any(_is_of_another_type(value, wrong.get(name)) for name, value in at_fault.items()):
            raise _type_error(at_fault)
        raise _error(at_fault, f", it would be read as {_listed(wrong)}", text, (0, len(text)))
    return made


def _is_of_another_type(value: object, read: object) -> bool:
    return value is not None and read is not None and type(value) is not type(read)


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
    return joined_parts(parts["scheme"], _authority(parts), parts["path"], parts["query"], parts["fragment"])


def _authority(parts: Mapping[str, Any]) -> str | None:
    """Return the authority. A port without a host, or a password without a user, are written all the same."""
    user, password, host, port = (parts[name] for name in Login._fields)
    if user is None and password is None and host is None and port is None:
        return None
    text = "" if password is None else f":{password}"
    text += "" if user is None and password is None else "@"
    return f"{user or ''}{text}{host or ''}" + ("" if port is None else f":{port}")


def appended(url: _Url, segment: str) -> _Url:
    """Return ``url`` with a segment after its path: see `Url.__truediv__`."""
    path = url._directory()
    if path is None:
        raise ValueError(f"the path of {url.text[:_SHOWN]!r} has no segments to append {_shown(segment)} to")
    if segment in (".", ".."):
        raise ValueError(f"{segment!r} does not name a segment: use join({segment + '/'!r})")
    segment.encode("utf-8", "surrogateescape")  # raises for a surrogate that stands for no byte
    allowed = PCHAR.replace(";", "") if url._AFTER_SEGMENTS else PCHAR
    slash = "" if path.endswith("/") else "/"
    return url._of_text(f"{url.text[: url._path_start]}{path}{slash}{encoded_except(segment, allowed)}")
