"""The options of extraction: a table of them, and one value of all that the stages share.

A row of `Options` is all that an option needs: the library, the command line, the index, clusters and
completion have it from there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from encodings.aliases import aliases
from functools import partial
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Self,
    TypedDict,
    TypeVar,
    cast,
    get_origin,
)

from urlextract.arguments import (
    Option,
    check_choice,
    check_count,
    check_switches,
    check_type,
    is_list,
    listed,
    rows_of,
)
from urlextract.dates import When, moment_of
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES, is_registered
from urlextract.linebreaks.joining import Hyphen, Join
from urlextract.message.charsets import codec_of, is_ascii
from urlextract.records import EVERYTHING, PARTS, Form, Part, PartFilter, Quoted, Signature
from urlextract.scanner.window import ScanOptions

if TYPE_CHECKING:
    from urlextract.pipeline.selecting import Selecting
    from urlextract.results import Found
    from urlextract.schemes.gateways import Gateways

# --- how values are read: functions of the name of an option and of its value ----------------------

_SCHEME = lazy_re(r"[a-z][a-z0-9+.-]*")
_BASE = lazy_re(r"(?i:[a-z][a-z0-9+.-]*://[^/?#\s]|file:/)")
_COMMON = ("http", "https", "ftp", "mailto", "news", "file", "gopher", "telnet", "ldap")


def _schemes(name: str, schemes: Iterable[str]) -> frozenset[str]:
    """Return names of schemes; one that is not registered is private, or a common one that is misspelt."""
    names = frozenset(each.lower() for each in schemes)
    for each in names:
        if not _SCHEME.fullmatch(each):
            raise ValueError(f"{name}: {each!r} is not the name of a scheme{_hint_at_scheme(each)}")
        if "any" in names or each in SCHEMES or is_registered(each):
            continue
        for guess in _COMMON:
            if _is_one_letter_off(each, guess):
                raise ValueError(f"{name}: unknown value {each!r}: did you mean {guess!r}?")
    return names


def _is_one_letter_off(word: str, other: str) -> bool:
    """Return whether a letter was added, left out, or replaced, or two were exchanged.

    >>> [_is_one_letter_off(word, "http") for word in ("htp", "htttp", "hytp", "htpt", "tcp")]
    [True, True, True, True, False]
    """
    short, long = sorted((word, other), key=len)
    if len(long) > len(short):
        return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    places = [at for at, pair in enumerate(zip(word, other, strict=True)) if pair[0] != pair[1]]
    is_exchange = len(places) == 2 and places[1] == places[0] + 1 and sorted(word) == sorted(other)
    return len(places) == 1 or is_exchange


def _hint_at_scheme(given: str) -> str:
    """Return what may be meant by what is no scheme: several names, or the beginning of a URL."""
    if "," in given:
        return ": name each by itself, as in {'http', 'ftp'}"
    name = given.partition(":")[0].lower()
    return f": did you mean {name!r}?" if name in SCHEMES else ""


def _charset(name: str, charset: str) -> str:
    if codec_of(charset) is None and not is_ascii(charset):
        from difflib import get_close_matches

        known = {name for name in aliases.values() if codec_of(name)}
        guesses = get_close_matches(charset.lower().replace("-", "_"), known, 1)
        hint = f": did you mean {guesses[0].replace('_', '-')!r}?" if guesses else ""
        raise ValueError(f"{name}: unknown value {charset!r}{hint}")
    return charset


def _base(name: str, base: str) -> str:
    if not _BASE.match(base):
        raise ValueError(f"{name}: {base!r} is not an absolute URL, such as http://a.example/b/")
    return base


# What few ask for is loaded then.


def _gateways(name: str, pairs: Any) -> Gateways:
    from urlextract.schemes.gateways import own_gateways

    return own_gateways(name, pairs)


def _selecting(kind: str, name: str, value: Any) -> Selecting:
    from urlextract.pipeline.selecting import KINDS

    return KINDS[kind].of(name, value)


def _words(name: str, words: str) -> tuple[str, ...]:
    """Return words that a field has to have, in any case."""
    listed = tuple(words.casefold().split())
    if not listed:
        raise ValueError(f"{name}: a value is missing: name words of the field, or leave out the option")
    return listed


# --- which results are asked for: functions of the value of an option and of a `Found` ---------------


def _of_form(forms: frozenset[Form], found: Found) -> bool:
    return found.form in forms


def _of_scheme(schemes: frozenset[str], found: Found) -> bool:
    return "any" in schemes or found.scheme in schemes


def _fits(selecting: Selecting, found: Found) -> bool:
    return selecting.fits(found)


def _is_bracketed(_: bool, found: Found) -> bool:
    if found.form is Form.ABBREVIATED:
        return found.end - found.start >= len(found.raw) + 2
    return found.form in (Form.URL_WRAPPER, Form.ANGLE)


_FOLLOWED = frozenset((
    ("a", "href"), ("a", "xlink:href"), ("area", "href"), ("form", "action"), ("button", "formaction"),
    ("input", "formaction"), ("v:roundrect", "href"),
))  # fmt: skip


def _can_be_followed(_: bool, found: Found) -> bool:
    """Return whether a reader can follow a URL: the target of a link or form, or a URL in text.

    A URL in the text of a link that leads elsewhere cannot be followed: the record of the link shows it.
    """
    is_target = (found.element, found.attribute) in _FOLLOWED
    return found.scheme != "cid" and found.inside is None and (found.element is None or is_target)


# --- the table -------------------------------------------------------------------------------------


def _switch(flags: str, help: str = "", **more: Any) -> Option:
    return Option(flags, help, default=False, **more)


# fmt: off
class TextOptions(TypedDict, total=False):
    """The keyword arguments that count in every text: see `extract`."""

    forms: Annotated[Form | str | Iterable[Form | str] | None, Option(
        "--form", f"Take only URLs written in these forms: {', '.join(Form)}.",
        "FORM,...", passes=_of_form, names=tuple(Form))]
    schemes: Annotated[str | Iterable[str] | None, Option(
        "--scheme", 'Take only URLs of these schemes; "any": others, too.', "NAME,...", read=_schemes,
        passes=_of_scheme)]
    hosts: Annotated[str | Iterable[str] | None, Option(
        "--host", "Take only URLs of such hosts (.a.example: all below).",
        "PATTERN,...", read=partial(_selecting, "hosts"), passes=_fits, is_daily=True)]
    not_hosts: Annotated[str | Iterable[str] | None, Option(
        "--not-host", "Leave out URLs of such hosts.", "PATTERN,...", read=partial(_selecting, "other hosts"),
        passes=_fits)]
    domains: Annotated[str | Iterable[str] | None, Option(
        "--domain", "Take only URLs of such registered domains (a.co.uk).", "NAME,...",
        read=partial(_selecting, "domains"), passes=_fits)]
    grep: Annotated[str | None, Option(
        "--grep", "Take only URLs with this regex in them or their link.", "PATTERN",
        read=partial(_selecting, "regex"), passes=_fits, is_daily=True)]
    relaxed: Annotated[bool, _switch("--relaxed", "Take hosts without a scheme, too, as github.com/x.")]
    emails: Annotated[bool, _switch("--emails", "Take mail addresses, too, as mailto: URLs.")]
    refang: Annotated[bool, _switch("--refang", "Take defanged URLs, too, as hxxp://example[.]com.")]
    bracketed: Annotated[bool, _switch(
        "--bracketed", "Take only URLs in angle brackets.", passes=_is_bracketed)]
    unwrap: Annotated[bool, _switch(
        "--unwrap", "Print the targets of links that gateways rewrote.", is_daily=True)]
    gateways: Annotated[tuple[str, str] | Iterable[tuple[str, str]] | None, Option(
        "--gateways", "Read own gateways from lines 'host/folder parameter'.", "FILE", read=_gateways)]
    valid: Annotated[bool, _switch("--valid", "Take only URLs that fit a grammar of their scheme.")]
    hyphen: Annotated[Hyphen, Option(
        "--hyphen", "Keep or drop a hyphen before a line break, or print both.", "HOW", "keep")]
    join: Annotated[Join, Option(
        "--join", "Join over line ends: none, delimited (in brackets), safe (bare ones that certainly go "
        "on) or likely.", "WHAT", "safe")]
    quoted: Annotated[Quoted, Option(
        "--quoted", "Keep, skip or read only lines that quote others.", "HOW", "keep", section="Messages")]
    signature: Annotated[Signature, Option(
        "--signature", "Keep or skip what follows a line '-- '.", "HOW", "keep", section="Messages")]
    context: Annotated[bool, _switch("")]
    parse: Annotated[bool, _switch("")]


class _MarkupOptions(TextOptions, total=False):
    links: Annotated[bool, _switch(
        "--links", "Take only what can be followed: no images and styles.", passes=_can_be_followed,
        is_daily=True)]
    charset: Annotated[str | None, Option(
        "--charset", "Read text that declares no charset so. Default: UTF-8.", "NAME", read=_charset,
        section="Messages")]


class HtmlOptions(_MarkupOptions, total=False):
    """The keyword arguments that count in a page of HTML: see `extract_html`."""

    base: Annotated[str | None, Option(
        "--base", "Resolve relative references of a page of HTML so.", "URL", read=_base)]


class MessageOptions(_MarkupOptions, total=False):
    """The keyword arguments that count in a message: see `extract_message`."""

    parts: Annotated[Part | Iterable[Part] | None, Option(
        "--parts", f"Read only these parts of messages: {', '.join(PARTS)}.",
        "NAME,...", names=PARTS, section="Messages")]
    since: Annotated[When | None, Option(
        "--since", "Read no messages dated before 2024-01-31, 2024-01, 7d.", "DATE", read=moment_of,
        section="Messages", is_daily=True)]
    until: Annotated[When | None, Option(
        "--until", "Read no messages dated after that.", "DATE",
        read=partial(moment_of, is_end=True), section="Messages", is_daily=True)]
    sender: Annotated[str | None, Option(
        "--sender", "Read only messages with these words in From.", "WORDS", read=_words,
        section="Messages", is_daily=True)]
    subject: Annotated[str | None, Option(
        "--subject", "Read only messages with these words in Subject.", "WORDS", read=_words,
        section="Messages", is_daily=True)]


class Options(HtmlOptions, MessageOptions, total=False):
    r"""All keyword arguments of functions that find URLs: those that count in a source of any format.

    >>> from urlextract import extract_source
    >>> import io
    >>> options: Options = {"hyphen": "drop", "schemes": {"http"}}
    >>> [found.url for found in extract_source(io.BytesIO(b"<http://a.example/b-\nc>"), **options)]
    ['http://a.example/bc']
    """


# fmt: on


_ROWS = rows_of(Options)
OPTIONS: dict[str, Option] = {name: row for name, (row, _) in _ROWS.items()}
"""The row of each option, by its name in the library."""
TYPES: dict[str, Any] = {name: kind for name, (_, kind) in _ROWS.items()}
"""The type of each option, by its name."""
_DEFAULTS = cast("Options", {name: row.default for name, row in OPTIONS.items()})


_NO_GATEWAYS: Gateways = {}  # their module takes long to load
_SCHEMELESS = ("relaxed", "emails", "refang")


class ExtractOptions(NamedTuple):
    """How texts are read, and which results are yielded: see `extract`.

    ``given`` are all options; the others are what some of them were read as. ``choice`` selects the parts and
    lines of a message, ``scan`` are those of the scanner. ``selecting`` are the options that select results,
    each with its row and its value. If an index ``sees`` a page, the context of a result is its visible text
    in place of its markup, on one line.
    """

    given: Options = _DEFAULTS
    sender: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    gateways: Gateways = _NO_GATEWAYS
    choice: PartFilter = EVERYTHING
    scan: ScanOptions = ScanOptions()
    selecting: tuple[tuple[Option, Any], ...] = ()
    sees: bool = False

    def with_base(self, base: str) -> Self:
        """Return the options with the URL of a page; raise `ValueError` if it is not absolute."""
        return self._replace(given={**self.given, "base": _read("base", base)})

    @property
    def chooses_messages(self) -> bool:
        """Whether not all messages are read."""
        return bool(self.since or self.until or self.sender or self.subject)

    @property
    def takes_each(self) -> bool:
        """Whether every URL that is found is one result, as it is."""
        given = self.given
        return not (self.selecting or given["valid"] or given["unwrap"] or given["hyphen"] == "both")


_READ = ("sender", "subject", "since", "until", "gateways")
_OF_THE_CHOICE = frozenset(PartFilter._fields)
_OF_THE_SCAN = ("join", "hyphen", "relaxed", "emails", "refang")
_DEFAULT = ExtractOptions()


def options_of(keywords: Mapping[str, Any], table: type = Options) -> ExtractOptions:
    """Return the options for the keyword arguments of the public functions, of those of a ``table``.

    Raise `TypeError` for an unknown argument, or one that does not count there, `ValueError` for an unknown
    value; it names the argument, the value and what is allowed.
    """
    if not keywords:
        return _DEFAULT
    for name in keywords:
        if name in OPTIONS and name not in table.__annotations__:
            tables = {"in HTML": HtmlOptions, "in messages": MessageOptions}
            where = " and ".join(words for words, each in tables.items() if name in each.__annotations__)
            raise TypeError(f"{name!r} counts {where}, and not here")
        if name not in OPTIONS:
            from difflib import get_close_matches

            names = [each for each in OPTIONS if each in table.__annotations__]
            guesses = get_close_matches(name, names, 1)
            hint = f": did you mean {guesses[0]!r}?" if guesses else f": the options are {', '.join(names)}"
            raise TypeError(f"{name!r} is no keyword of these{hint}")
    read = {
        name: _read(name, value)
        for name, value in keywords.items()
        if value is not None or OPTIONS[name].default is not None  # None is the default of most
    }
    choice = {name: read[name] for name in _OF_THE_CHOICE.intersection(read)}
    schemes = read.get("schemes") or frozenset()
    is_any, named = "any" in schemes, schemes.difference(SCHEMES, {"any"})
    choice["schemeless"] = any(read.get(name) for name in _SCHEMELESS)
    choice["named"] = frozenset({""}) if is_any else named
    given = cast("Options", {**_DEFAULTS, **read})
    since, until = read.get("since"), read.get("until")
    if since and until and until < since:
        raise ValueError(
            f"until: {keywords['until']!r} is before {keywords['since']!r}, the value of since: exchange them"
        )
    of_scan = {name: given[name] for name in _OF_THE_SCAN}  # type: ignore[literal-required]
    return ExtractOptions(
        given,
        choice=EVERYTHING._replace(**choice),
        scan=ScanOptions(any_scheme=is_any, schemes=named, **of_scan),
        selecting=tuple(
            (row, read[name])
            for name, row in OPTIONS.items()
            if row.passes and read.get(name, False) is not False
        ),
        **{name: read[name] for name in _READ if name in read},
    )


def _read(name: str, value: Any) -> Any:
    """Return what the program works with for the value of an option; raise `ValueError` for a wrong one."""
    kind, read = TYPES[name], OPTIONS[name].read
    if kind is bool:
        check_switches(**{name: value})
    if get_origin(kind) is Literal:
        check_choice(name, value, kind)
    if kind == str | None:
        check_type(name, value, str, "a str")
    if kind == int | None:
        check_count(name, value, OPTIONS[name].least)
    if is_list(kind) and name != "gateways":  # these are read with their check
        value = listed(name, value)
    if names := OPTIONS[name].known():
        for each in value:
            if each not in names:
                raise ValueError(f"{name}: unknown value {each!r}: choose one of {', '.join(names)}")
        value = frozenset(value)
    return read(name, value) if read else value


def held(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments that can be read more than once, whatever iterables are among them."""
    return {
        name: tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else value
        for name, value in keywords.items()
    }


def options_in_words(keywords: Mapping[str, Any]) -> str:
    """Return the keyword arguments that are not left at their defaults, as they are written in a call.

    >>> options_in_words({"html": False, "relaxed": True, "join": "safe", "schemes": ("http", "ftp")})
    "relaxed=True, schemes=('http', 'ftp')"
    """
    defaults = {"html": False, **_DEFAULTS}
    return ", ".join(
        f"{name}={value!r}" for name, value in keywords.items() if value not in (None, defaults.get(name))
    )


_Function = TypeVar("_Function", bound=Callable[..., Any])


def takes_options(table: type = Options) -> Callable[[_Function], _Function]:
    """Replace ``**options`` in the signature of a function with the keywords of a table, and their defaults.

    `help` shows these, without types; editors and type checkers read ``Unpack[Options]``, which has them.
    """

    def changed(function: _Function) -> _Function:
        signature = inspect.signature(function)
        own = [
            each.replace(annotation=each.empty)
            for each in signature.parameters.values()
            if each.kind is not each.VAR_KEYWORD
        ]
        shared = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=OPTIONS[name].default)
            for name in table.__annotations__
        ]
        function.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
        return function

    return changed
