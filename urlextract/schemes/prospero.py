"""prospero: RFC 1738 section 3.11, with the version of the draft.

::

    prosperourl  = "prospero://" hostport "/" ppath *[ fieldspec ]
    ppath        = psegment *[ "/" psegment ]
    psegment     = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
    fieldspec    = ";" fieldname "=" fieldvalue
    prosperolink = p r o s p e r o : / / hostport / hsoname [ % 0 0 version [ attributes ] ]   (draft)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1738, RFC3986, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.url import Url


class _ProsperoComponents(Components, total=False):
    hsoname: str | None
    version: str | None
    fields: tuple[tuple[str, str | None], ...]


_VERSION = lazy_re(r"%00([0-9]++)([A-Za-z0-9]*+)\Z")


class ProsperoUrl(Url):
    """An object of the Prospero directory service: RFC 1738, section 3.11.

    >>> from urlextract import parse_url
    >>> url = parse_url("prospero://host.dom//pros/name;OBJECT-VERSION=3")
    >>> url.hsoname, url.fields
    ('/pros/name', (('OBJECT-VERSION', '3'),))
    >>> parse_url("prospero://host.dom/a/b%0012").version
    '12'
    """

    __slots__ = ()
    _FIELDS: ClassVar = (
        "user", "password", "host", "port", "hsoname", "version", "fields", "fragment",
    )  # fmt: skip
    _HAS_QUERY: ClassVar = False
    _HAS_LOGIN: ClassVar = False
    _NEEDS_HOST: ClassVar = True
    _IS_ACTED_ON: ClassVar = True
    _PART_OF: ClassVar = dict.fromkeys(("hsoname", "version", "fields"), ("path",))
    _SEGMENT: ClassVar = bnf.PCHAR.replace(";", "")  # a semicolon begins a field

    def replace(self, **components: Unpack[_ProsperoComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def _name(self) -> str:
        return self.path[1:].partition(";")[0]

    @property
    def hsoname(self) -> str | None:
        """The host-specific object name, which only the server interprets; None without a path."""
        return _VERSION.sub("", self._name) if self.path else None

    @property
    def version(self) -> str | None:
        """The version, which the draft writes after ``%00``; None if there is none."""
        match = _VERSION.search(self._name)
        return match[1] if match else None

    @property
    def fields(self) -> tuple[tuple[str, str | None], ...]:
        """The fields and their values, None for a field without "="."""
        pairs = (field.partition("=") for field in self.path.split(";")[1:])
        return tuple((name, value if equals else None) for name, equals, value in pairs)

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of name, version and fields; attributes after the version stay."""
        if values["hsoname"] is None:
            return {"path": ""}
        match = _VERSION.search(self._name)
        version = "" if values["version"] is None else f"%00{values['version']}{match[2] if match else ''}"
        fields = (f";{name}" + ("" if value is None else f"={value}") for name, value in values["fields"])
        return {"path": f"/{values['hsoname']}{version}{''.join(fields)}"}

    def _directory(self) -> str:
        """Return the path without the fields."""
        return self.path.partition(";")[0]

    def _components(self) -> Iterator[Component]:
        """Yield the name and the fields."""
        start, end = self._path_start, self._path_end
        semicolon = self.path.find(";")
        stop = start + semicolon if semicolon >= 0 else end
        yield Component(start, stop, "psegment", bnf.FSEGMENT + "/", bnf.QUERY, bnf.RFC1630_PATH)
        yield Component(stop, end, "fieldspec", bnf.FSEGMENT + ";", bnf.QUERY, bnf.RFC1630_PATH)

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures of the name and the fields."""
        start, end = self._path_start, self._path_end
        if not self.path:
            yield Departure(start, end, "prosperourl", "no object")
        at = self.path.find(";")
        for name, value in self.fields:
            stop = at + 1 + len(name) + (0 if value is None else 1 + len(value))
            if value is None:
                message = 'a field without "="'
                yield Departure(start + at, start + stop, "fieldspec", message)
            elif "=" in value:
                place = start + at + 2 + len(name) + value.find("=")
                message = "reserved character unencoded"
                yield Departure(place, place + 1, "fieldvalue", message, (RFC1738, RFC3986))
            at = stop
