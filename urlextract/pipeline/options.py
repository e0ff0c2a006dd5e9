"""The options of the public functions: their keywords, and one value of them that the stages share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from difflib import get_close_matches
from encodings.aliases import aliases
from typing import Any, NamedTuple, TypedDict, TypeVar, get_args

from urlextract.dates import moment_of
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES, is_registered
from urlextract.linebreaks.joining import Hyphen, Join
from urlextract.message.content import codec_of, is_ascii
from urlextract.pipeline.host_patterns import HostPatterns, domain_of, domains_of, patterns_of
from urlextract.records import EVERYTHING, Form, Part, PartFilter, Quoted, Signature
from urlextract.results import Found
from urlextract.scanner.buffer import ScanLimits
from urlextract.scanner.line_breaks import Certainty


class Options(TypedDict, total=False):
    r"""The keyword arguments that `extract` explains, and that all functions which find URLs accept.

    >>> from urlextract import extract
    >>> options: Options = {"hyphen": "drop", "schemes": {"http"}}
    >>> [found.url for found in extract("<http://a.example/b-\nc>", **options)]
    ['http://a.example/bc']
    """

    hyphen: Hyphen
    join: Join
    schemes: Iterable[str] | None
    forms: Iterable[Form | str] | None
    hosts: Iterable[str] | None
    not_hosts: Iterable[str] | None
    domains: Iterable[str] | None
    wrapped: bool
    strict: bool
    parts: Iterable[Part] | None
    quoted: Quoted
    signature: Signature
    charset: str | None
    since: str | date | timedelta | None
    relaxed: bool
    emails: bool
    refang: bool
    links: bool
    base: str | None
    context: bool
    unwrap: bool


WRAPPED_FORMS = frozenset({Form.URL_WRAPPER, Form.ANGLE})
"""The forms that ``wrapped`` accepts; it also accepts an abbreviated URL in brackets."""

_OF_THE_CHOICE = ("parts", "quoted", "signature", "charset")
# How certain it must be that a bare URL goes on, for it to be joined with the next line.
_LEAST = {"safe": Certainty.SAFE, "likely": Certainty.LIKELY}
_NEVER = Certainty.SAFE + 1


class ExtractOptions(NamedTuple):
    """How texts are read, and which results are yielded: see `extract`.

    ``schemes`` and ``forms`` are those of the results, None for all. ``"any"`` in ``schemes`` means
    all schemes, and unregistered ones, too. ``hosts``, ``not_hosts`` and ``domains`` select results by
    `Found.host`; None selects all. ``choice`` selects the parts and lines of a message.
    Messages dated before ``since`` are left out. ``relaxed`` accepts hosts without a scheme, ``emails``
    mail addresses, ``refang`` defanged URLs. ``links`` selects URLs that a reader can follow. ``base``
    is the base URL of HTML that is not part of a message. ``strict`` is checked by `choice.chosen`.
    With ``context``, results have their context; with ``sees``, that of a page is its visible text in place
    of its markup, on one line. With ``unwrap``, the targets of rewritten links are the results.
    """

    hyphen: Hyphen = "keep"
    join: Join = "safe"
    schemes: frozenset[str] | None = None
    forms: frozenset[Form] | None = None
    hosts: HostPatterns | None = None
    not_hosts: HostPatterns | None = None
    domains: frozenset[str] | None = None
    wrapped: bool = False
    strict: bool = False
    choice: PartFilter = EVERYTHING
    since: datetime | None = None
    relaxed: bool = False
    emails: bool = False
    refang: bool = False
    links: bool = False
    base: str | None = None
    context: bool = False
    unwrap: bool = False
    sees: bool = False

    @property
    def any_scheme(self) -> bool:
        """Whether unregistered schemes are accepted before ``://``."""
        return self.schemes is not None and "any" in self.schemes

    @property
    def joins_bare(self) -> bool:
        """Whether bare URLs may be joined over line ends."""
        return self.join in _LEAST

    @property
    def lets_all_pass(self) -> bool:
        """Whether every URL that is found is a result."""
        is_any = self.schemes is None or self.any_scheme
        is_any = is_any and self.forms is None and not self.asks_for_hosts
        return is_any and not (self.wrapped or self.strict or self.links)

    @property
    def asks_for_hosts(self) -> bool:
        """Whether results are selected by their hosts."""
        return not (self.hosts is None and self.not_hosts is None and self.domains is None)

    def limits(self, *, explains: bool = False) -> ScanLimits:
        """Return the limits of the scanner for these options."""
        is_any = self.any_scheme
        names = is_any or any(name not in SCHEMES and is_registered(name) for name in self.schemes or ())
        return ScanLimits(
            any_scheme=is_any,
            any_name=names,
            joins=self.join != "none",
            least_certainty=_LEAST.get(self.join, _NEVER),
            explains=explains,
            relaxed=self.relaxed,
            emails=self.emails,
            refang=self.refang,
        )

    def lets_pass(self, found: Found) -> bool:
        """Return whether ``found`` is a result, apart from ``strict``."""
        if self.forms is not None and found.form not in self.forms:
            return False
        if (self.wrapped and not is_wrapped(found)) or (self.links and not can_be_followed(found)):
            return False
        if not (self.schemes is None or self.any_scheme or found.scheme in self.schemes):
            return False
        return not self.asks_for_hosts or self._lets_host_pass(found.host)

    def _lets_host_pass(self, host: str | None) -> bool:
        """Return whether the options ask for URLs of this host; None is that of a URL without one."""
        if host is None:
            return self.hosts is None and self.domains is None
        if (self.hosts and not self.hosts.fits(host)) or (self.not_hosts and self.not_hosts.fits(host)):
            return False
        if self.domains is None:
            return True

        return domain_of(host) in self.domains


_SCHEME = lazy_re(r"[a-z][a-z0-9+.-]*")
_BASE = lazy_re(r"(?i:[a-z][a-z0-9+.-]*://[^/?#\s]|file:/)")
_CHOICES: dict[str, tuple[str, ...]] = {
    "hyphen": get_args(Hyphen),
    "join": get_args(Join),
    "quoted": get_args(Quoted),
    "signature": get_args(Signature),
}
_OF_HOSTS = ("hosts", "not_hosts", "domains")
_SCHEMELESS = ("relaxed", "emails", "refang")
_SWITCHES = ("wrapped", "strict", "relaxed", "emails", "refang", "links", "context", "unwrap")
_DEFAULTS: dict[str, Any] = ExtractOptions._field_defaults | PartFilter._field_defaults | {"parts": None}
_DEFAULT = ExtractOptions()


def options_of(keywords: Mapping[str, Any]) -> ExtractOptions:
    """Return the options for the keyword arguments of the public functions.

    Raise `TypeError` for an unknown argument or a value of a wrong type, `ValueError` for an unknown
    value; they name the argument, the value and what is allowed.
    """
    if not keywords:
        return _DEFAULT
    _check_names(keywords)
    known = {
        name: value
        for name, value in keywords.items()
        if value is not None or _DEFAULTS[name] is not None  # None is the default of most
    }
    _check_values(known)
    known["choice"] = _part_filter(known)
    if "since" in known:
        known["since"] = moment_of(known["since"])
    if "schemes" in known:
        known["schemes"] = frozenset(name.lower().rstrip(":") for name in _each("schemes", known["schemes"]))
        _check_schemes(known["schemes"])
    if "forms" in known:
        names = tuple(_each("forms", known["forms"]))
        _check("forms", names, tuple(Form))
        known["forms"] = frozenset(map(Form, names))
    if any(name in known for name in _OF_HOSTS):
        for name in filter(known.__contains__, _OF_HOSTS):
            read = domains_of if name == "domains" else patterns_of
            known[name] = read(name, _each(name, known[name]))
    if "base" in known:
        _check_base(known["base"])
    return ExtractOptions(**known)


def given_options(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments that are not left at their defaults, as values of JSON, in order.

    >>> given_options({"unwrap": True, "join": "safe", "schemes": {"http", "ftp"}, "hosts": None})
    {'schemes': ['ftp', 'http'], 'unwrap': True}
    """
    return {
        name: value if isinstance(value, str | bool) else _listed(value)
        for name, value in sorted(keywords.items())
        if value is not None and value != _DEFAULTS[name]
    }


def _listed(value: object) -> list[str] | str:
    return sorted(map(str, value)) if isinstance(value, Iterable) else str(value)


def _part_filter(known: dict[str, Any]) -> PartFilter:
    """Return the options about parts and lines, and remove them from ``known``."""
    choice = {name: known.pop(name) for name in _OF_THE_CHOICE if name in known}
    if "parts" in choice:
        choice["parts"] = frozenset(_each("parts", choice["parts"]))
        _check("parts", choice["parts"], get_args(Part))
    if "charset" in choice:
        _check_charset(choice["charset"])
    is_schemeless = any(known.get(name, False) for name in _SCHEMELESS)
    return EVERYTHING._replace(schemeless=is_schemeless, **choice)


def _check_values(known: Mapping[str, Any]) -> None:
    """Raise `ValueError` or `TypeError` for values of options that have a few only."""
    for name, values in _CHOICES.items():
        if name in known:
            _check(name, (known[name],), values)
    for name in _SWITCHES:
        if not isinstance(known.get(name, False), bool):
            raise TypeError(f"{name} is {known[name]!r}: it is True or False")


def _check_names(keywords: Mapping[str, Any]) -> None:
    """Raise `TypeError` for a keyword that is none of `Options`."""
    for name in keywords:
        if name not in Options.__annotations__:
            guesses = get_close_matches(name, Options.__annotations__, 1)
            hint = f": did you mean {guesses[0]!r}?" if guesses else f": {', '.join(Options.__annotations__)}"
            raise TypeError(f"{name!r} is no keyword of these{hint}")


def _check(name: str, values: Iterable[object], known: tuple[str, ...]) -> None:
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{name} is {value!r}: choose a str of {', '.join(known)}")
        if value not in known:
            raise ValueError(f"{name}: unknown value {value!r}: choose one of {', '.join(known)}")


def _check_charset(name: object) -> None:

    if not isinstance(name, str):
        raise TypeError(f"charset is {name!r}: it is the name of a charset, such as 'koi8-r'")
    if codec_of(name) is None and not is_ascii(name):
        guesses = get_close_matches(name.lower().replace("-", "_"), {*aliases.values()}, 1)
        hint = f": did you mean {guesses[0].replace('_', '-')!r}?" if guesses else ""
        raise ValueError(f"charset: unknown value {name!r}{hint}")


def _check_base(base: object) -> None:
    if not isinstance(base, str):
        raise TypeError(f"base is {base!r}: it is an absolute URL as a str")
    if not _BASE.match(base):
        raise ValueError(f"base: {base!r} is not an absolute URL, such as http://a.example/b/")


def _hint_at_scheme(given: str) -> str:
    """Return what may be meant by what is no scheme: several names, or the beginning of a URL."""
    if "," in given:
        return ": name each by itself, as in {'http', 'ftp'}"
    name = given.partition(":")[0].lower()
    return f": did you mean {name!r}?" if name in SCHEMES else ""


def _check_schemes(names: frozenset[str]) -> None:
    """Raise `ValueError` for a name that cannot be a scheme, or is similar to one of `SCHEMES`.

    Any other unregistered name may be a private scheme, used in ``<URL:...>``.
    """
    for name in names:
        if not _SCHEME.fullmatch(name):
            raise ValueError(f"schemes: {name!r} is not the name of a scheme{_hint_at_scheme(name)}")
        if "any" in names or name in SCHEMES or is_registered(name):
            continue

        for guess in get_close_matches(name, SCHEMES, 1, 0.65):
            raise ValueError(f"schemes: unknown value {name!r}: did you mean {guess!r}?")


def check_callback(on_damage: object) -> None:
    """Raise `TypeError` if ``on_damage`` is neither None nor a function."""
    if on_damage is not None and not callable(on_damage):
        raise TypeError(f"on_damage is {on_damage!r}: it is a function of a SourceError, or None")


def _each(name: str, values: object) -> Iterable[str]:
    """Return ``values``, a single `str` as a list of one; raise `TypeError` for anything but names."""
    if not isinstance(values, Iterable) or isinstance(values, bytes | bytearray | memoryview):
        raise TypeError(f"{name} is {values!r}: it is a set or another iterable of names")
    names = (values,) if isinstance(values, str) else tuple(values)
    for each in names:
        if not isinstance(each, str):
            raise TypeError(f"{name} has {each!r}: its names are of type str")
    return names


_Function = TypeVar("_Function", bound=Callable[..., Any])


def takes_options(function: _Function) -> _Function:
    """Replace ``**options`` in the signature of ``function`` with the keywords of `Options`.

    This is what `help` and editors show; type checkers read ``Unpack[Options]``.
    """
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    shared = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS[name], annotation=kind.__forward_arg__
        )
        for name, kind in Options.__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
    return function


def is_wrapped(found: Found) -> bool:
    """Return whether ``found`` is in angle brackets."""
    if found.form in WRAPPED_FORMS:
        return True
    return found.form is Form.ABBREVIATED and found.end - found.start >= len(found.raw) + 2


_FOLLOWED = frozenset((
    ("a", "href"), ("a", "xlink:href"), ("area", "href"), ("form", "action"), ("button", "formaction"),
    ("input", "formaction"), ("v:roundrect", "href"),
))  # fmt: skip


def can_be_followed(found: Found) -> bool:
    """Return whether a reader can follow ``found``: the target of a link or form, or a URL in text."""
    link = found.link
    return is_followed(found.scheme, link.element if link else None, link.attribute if link else None)


def is_followed(scheme: str, element: str | None, attribute: str | None) -> bool:
    """Return whether a reader can follow a URL in this attribute of HTML; in text if there is none."""
    return scheme != "cid" and (element is None or (element, attribute) in _FOLLOWED)
