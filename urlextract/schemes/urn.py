"""urn: RFC 8141, and the early form of RFC 1630.

::

    namestring    = assigned-name [ rq-components ] [ "#" f-component ]
    assigned-name = "urn" ":" NID ":" NSS
    rq-components = [ "?+" r-component ] [ "?=" q-component ]
    NID           = (alphanum) 0*30(ldh) (alphanum)
    NSS           = pchar *(pchar / "/")
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC3986, RFC8141, Component, StructuralViolation
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.url import Url


class _UrnComponents(Components, total=False):
    nid: str | None
    nss: str
    r_component: str | None
    q_component: str | None


_ESCAPE = lazy_re("%[0-9A-Fa-f]{2}")
_NID = lazy_re(r"[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]\Z")
_BOTH = (RFC8141, RFC3986)
_STARTS = lazy_re(rf"[{bnf.PCHAR}]|%[0-9A-Fa-f]{{2}}")
_RQ = lazy_re(r"\?\+(?P<r>.*?)(?=\?=|\Z)|\?=(?P<q>.*)\Z", re.DOTALL)


class UrnUrl(Url):
    """A name in a namespace: RFC 8141, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("urn:ietf:rfc:2648")
    >>> url.nid, url.nss
    ('ietf', 'rfc:2648')
    >>> parse_url("urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3").grammars
    ('rfc1630',)
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("nid", "nss", "r_component", "q_component", "fragment")
    GRAMMARS: ClassVar = (RFC8141, RFC3986, RFC1630)
    _STANDARDS: ClassVar = Url._STANDARDS | {RFC8141: "RFC 8141, section 2"}
    _HAS_AUTHORITY: ClassVar = False
    _PART_OF: ClassVar = dict.fromkeys(("nid", "nss", "r_component", "q_component"), ("path",))
    _HAS_QUERY: ClassVar = False

    def replace(self, **components: Unpack[_UrnComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def _name(self) -> str:
        ends = (at for mark in ("?+", "?=") if (at := self.path.find(mark)) >= 0)
        return self.path[: min(ends, default=len(self.path))]

    @property
    def nid(self) -> str | None:
        """The namespace identifier, None if there is no colon after it."""
        nid, colon, _ = self._name.partition(":")
        return nid if colon and "/" not in nid else None

    @property
    def nss(self) -> str:
        """The name in that namespace; the whole name in the form of RFC 1630."""
        return self._name if self.nid is None else self._name[len(self.nid) + 1 :]

    @property
    def r_component(self) -> str | None:
        """The text after ``?+``, for the resolver; None if there is none (RFC 8141, section 2.3.1)."""
        return self._tail("r")

    @property
    def q_component(self) -> str | None:
        """The text after ``?=``, for the named resource; None if there is none (RFC 8141, section 2.3.2)."""
        return self._tail("q")

    def _tail(self, name: str) -> str | None:
        found = (match[name] for match in _RQ.finditer(self.path, len(self._name)))
        return next((part for part in found if part is not None), None)

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of name space, name, r- and q-component."""
        marks = (("nid", "", ":"), ("nss", "", ""), ("r_component", "?+", ""), ("q_component", "?=", ""))
        pieces = (f"{mark}{values[name]}{end}" for name, mark, end in marks if values[name] is not None)
        return {"path": "".join(pieces)}

    def _components(self) -> Iterator[Component]:
        """Yield the name, and the r- and q-components after it."""
        start, end = self._path_start, self._path_end
        name_end = start + len(self._name)
        yield Component(start, name_end, "NSS", bnf.PCHAR + "/", bnf.PCHAR + "/", bnf.RFC1630_PATH)
        yield Component(name_end, end, "rq-components", bnf.QUERY, bnf.QUERY, bnf.RFC1630_SEARCH)

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of the namespace, the name, and the r- and q-components."""
        start, nid = self._path_start, self.nid
        name_end = start + len(self._name)
        if nid is None:
            yield StructuralViolation(start, name_end, "assigned-name", "no name space", _BOTH)
            if not self._name.startswith("/"):
                yield StructuralViolation(start, name_end, "URN", "no slash before the name", (RFC1630,))
            return
        yield StructuralViolation(start, start, "URN", "no slash before the name", (RFC1630,))
        at = start + len(nid) + 1
        if not _NID.match(nid):
            yield StructuralViolation(start, at - 1, "NID", "not the name of a name space", _BOTH)
        if not self.nss:
            yield StructuralViolation(at, at, "NSS", "no name in the name space", _BOTH)
        elif self.nss.startswith("/"):
            yield StructuralViolation(at, at + 1, "NSS", "a slash at the beginning", _BOTH)
        for name, part in (("r-component", self.r_component), ("q-component", self.q_component)):
            if part is not None and not _STARTS.match(part):
                yield StructuralViolation(
                    name_end, self._path_end, name, "nothing, or not a letter first", _BOTH
                )

    def _same_path(self) -> str:
        """Return the name for comparison; r- and q-components are ignored (RFC 8141, section 3.2)."""
        return self._name

    def _levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form: RFC 8141, section 3.1.

        The namespace is in lower case and escapes are in upper case. Nothing is decoded.
        """
        if self.nid is None:
            return levelled
        nid, colon, nss = self._whole_path.partition(":")
        return nid.lower() + colon + _ESCAPE.sub(lambda match: match.group().upper(), nss)
