"""The options of the public functions, as one value that the stages share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES, is_registered
from urlextract.linebreaks.joining import Hyphen, Join
from urlextract.records import EVERYTHING, PARTS, Form, PartFilter
from urlextract.scanner.buffer import ScanLimits
from urlextract.scanner.joints import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from urlextract.results import Found

__all__ = ["WRAPPED_FORMS", "ExtractOptions", "options_of"]

WRAPPED_FORMS = frozenset({Form.URL_WRAPPER, Form.ANGLE})
"""The forms that ``wrapped`` accepts; it also accepts an abbreviated URL in brackets."""

_HYPHENS = ("keep", "drop", "both", "evidence")
_OF_THE_CHOICE = ("parts", "quoted", "signature", "charset")
_JOINS = ("none", "delimited", "safe", "likely")
# The least grade of evidence for joining a bare URL with the next line.
_LEAST_GRADES = {"safe": Grade.SAFE, "likely": Grade.LIKELY}
_NO_GRADE = Grade.SAFE + 1


class ExtractOptions(NamedTuple):
    """How texts are read, and which results are yielded: see `extract`.

    ``schemes`` and ``forms`` are those of the results, None for all. ``"any"`` in ``schemes`` means
    all schemes, and unregistered ones, too. ``choice`` selects the parts and lines of a message.
    Messages dated before ``since`` are left out. ``relaxed`` accepts hosts without a scheme, ``emails``
    mail addresses. ``links`` selects URLs that a reader can follow. ``base`` is the base URL of HTML
    that is not part of a message. ``strict`` is checked by `choice.chosen`.
    """

    hyphen: Hyphen = "keep"
    join: Join = "safe"
    schemes: frozenset[str] | None = None
    forms: frozenset[Form] | None = None
    wrapped: bool = False
    strict: bool = False
    choice: PartFilter = EVERYTHING
    since: datetime | None = None
    relaxed: bool = False
    emails: bool = False
    links: bool = False
    base: str | None = None

    @property
    def any_scheme(self) -> bool:
        """Whether unregistered schemes are accepted before ``://``."""
        return self.schemes is not None and "any" in self.schemes

    @property
    def joins_bare(self) -> bool:
        """Whether bare URLs may be joined over line ends."""
        return self.join in _LEAST_GRADES

    @property
    def lets_all_pass(self) -> bool:
        """Whether every URL that is found is a result."""
        is_any = self.schemes is None or self.any_scheme
        return is_any and self.forms is None and not (self.wrapped or self.strict or self.links)

    def limits(self, *, looks_on: bool, explains: bool = False) -> ScanLimits:
        """Return the limits of the scanner for these options."""
        is_any = self.any_scheme
        names = is_any or any(name not in SCHEMES and is_registered(name) for name in self.schemes or ())
        return ScanLimits(
            any_scheme=is_any,
            any_name=names,
            joins=self.join != "none",
            looks_on=looks_on or self.joins_bare,
            least_grade=_LEAST_GRADES.get(self.join, _NO_GRADE),
            explains=explains,
            relaxed=self.relaxed,
            emails=self.emails,
        )

    def lets_pass(self, found: Found) -> bool:
        """Return whether ``found`` is a result, apart from ``strict``."""
        if self.forms is not None and found.form not in self.forms:
            return False
        if (self.wrapped and not is_wrapped(found)) or (self.links and not can_be_followed(found)):
            return False
        return self.schemes is None or self.any_scheme or found.scheme in self.schemes


_BASE = lazy_re(r"(?i:[a-z][a-z0-9+.-]*://[^/?#\s]|file:/)")


def options_of(keywords: Mapping[str, Any]) -> ExtractOptions:
    """Return the options for the keyword arguments of the public functions.

    Raise `ValueError` for an unknown value, `TypeError` for an unknown argument.
    """
    known = dict(keywords)
    choice = {name: known.pop(name) for name in _OF_THE_CHOICE if name in known}
    if choice.get("parts") is not None:
        choice["parts"] = frozenset(_each(choice["parts"]))
        _check("parts", choice["parts"], PARTS)
    if choice.get("charset") is not None:
        from urlextract.message.content import codec_of, is_ascii  # noqa: PLC0415 - rarely needed

        if codec_of(choice["charset"]) is None and not is_ascii(choice["charset"]):
            raise ValueError(f"charset is not known: {choice['charset']!r}")
    choice["schemeless"] = bool(known.get("relaxed") or known.get("emails"))
    known["choice"] = EVERYTHING._replace(**{name: each for name, each in choice.items() if each is not None})
    if known.get("since") is not None:
        from urlextract.pipeline.dates import moment_of  # noqa: PLC0415 - rarely needed

        known["since"] = moment_of(known["since"])
    if known.get("schemes") is not None:
        known["schemes"] = frozenset(name.lower().rstrip(":") for name in _each(known["schemes"]))
        _check_schemes(known["schemes"])
    if known.get("forms") is not None:
        known["forms"] = frozenset(Form(form) for form in _each(known["forms"]))
    if known.get("base") is not None and not _BASE.match(known["base"]):
        raise ValueError(f"base is no absolute URL: {known['base']!r}")
    options = ExtractOptions(**known)
    _check("hyphen", (options.hyphen,), _HYPHENS)
    _check("join", (options.join,), _JOINS)
    _check("quoted", (options.choice.quoted,), ("keep", "skip", "only"))
    _check("signature", (options.choice.signature,), ("keep", "skip"))
    return options


def _check(name: str, values: Iterable[str], known: Iterable[str]) -> None:
    for value in values:
        if value not in known:
            raise ValueError(f"{name}: unknown value {value!r}: choose one of {', '.join(known)}")


def _check_schemes(names: frozenset[str]) -> None:
    """Raise `ValueError` for an unregistered name that is similar to one of `SCHEMES`.

    Any other unregistered name may be a private scheme, used in ``<URL:...>``.
    """
    unknown = (
        () if "any" in names else [name for name in names if name not in SCHEMES and not is_registered(name)]
    )
    for name in unknown:
        from difflib import get_close_matches  # noqa: PLC0415 - only for mistakes

        for guess in get_close_matches(name, SCHEMES, 1, 0.65):
            raise ValueError(f"scheme: {name!r} is not known: did you mean {guess!r}?")


def _each(names: str | Iterable[str]) -> Iterable[str]:
    """Return ``names``, or a tuple with it if it is a single string."""
    return (names,) if isinstance(names, str) else names


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
    return found.scheme != "cid" and (link is None or (link.element, link.attribute) in _FOLLOWED)
