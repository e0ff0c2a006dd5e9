"""The known schemes: a table of those with rules of their own, and all names that IANA registers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from urlextract.grammar.defanged import ADDRESS, DEFANGED_NAMES
from urlextract.grammar.names import names_in

IANA_SCHEMES = names_in("schemes.txt")
"""The names that IANA registers."""


# RFC 3986, section 3.1 (RFC 1738, section 2.1, without the case)
#   scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
SCHEME_NAME = r"[A-Za-z][A-Za-z0-9+.-]{0,39}+"

SCHEME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
"""The characters of a scheme's name, to be stripped from the end of a text."""

MARKED_URL = rf"[^\w/?#.&=%+~:;,-]{{1,9}}+{SCHEME_NAME}://"
"""The beginning of a URL after brackets, quotes and other marks that no reference begins with."""


class Scheme(NamedTuple):
    r"""One scheme's row.

    ``shape`` is the pattern of what
    follows the colon without ``//``: of its beginning, or of all of it if it ends in ``\Z``. ``hostless``
    schemes may have an empty host after ``//``. ``bare`` is false if the name is too common a word to count
    outside brackets. ``any_case`` is false if only the lower-case name counts (``Tel:`` is a label).
    ``spaced`` schemes have names in their paths that people write with blanks. A ``label`` is
    also a word of forms and signatures: with a blank after its colon, or in a case that
    ``any_case`` excludes, it is no scheme, even in a bracket.

    >>> from urlextract.urls import SCHEMES
    >>> SCHEMES["gopher"].port, SCHEMES["tel"].shape is None
    (70, False)
    """

    name: str
    port: int | None = None
    shape: str | None = None
    hostless: bool = False
    bare: bool = True
    any_case: bool = True
    spaced: bool = False
    label: bool = False

    @property
    def any_authority(self) -> bool:
        """Whether any authority of RFC 3986 may follow ``//``: "send" in "whatsapp://send" is no host."""
        return self.label


# RFC 1738, section 3.6: a group, "*", or an article's <unique>@<full_domain_name>.
# A single word does not count as a group: "news: a dot, or *".
_NEWS = rf"(?:\*|[A-Za-z0-9][\w+-]*(?:\.(?:[\w+-]+|\*))+(?:/[0-9-]+)?|{ADDRESS})\Z"

# Telephone numbers of three digits or more, separated by commas, and parameters for an app.
_NUMBER = r"(?=[+(0-9])(?:(?:[().,+-]|%20)*[0-9]){3,80}[().+-]*(?:[;?][^\s]*)?\Z"
_DEGREES = r"-?[0-9]{1,3}(?:\.[0-9]{1,20})?"

_ROWS = (
    Scheme("ftp", 21),
    Scheme("ftps", 990),
    Scheme("http", 80),
    Scheme("https", 443),
    Scheme("gopher", 70, spaced=True),
    Scheme("mailto", shape=rf"{ADDRESS}|\?(?>(?:(?!to=)[^\s])*)to=[^\s]*@"),
    Scheme("news", 119, shape=_NEWS),
    Scheme("snews", 563, shape=_NEWS),
    Scheme("nntp", 119),
    Scheme("nntps", 563),
    Scheme("telnet", 23),
    Scheme("rlogin", 513),
    Scheme("tn3270", 23),
    Scheme("wais", 210, spaced=True),
    # RFC 1738, section 3.10 and uri(7): "file:/path"; "file:C|/x" of DOS. "File: x" is prose.
    Scheme("file", shape=r"/|\\\\[\w?.]|[A-Za-z][|:][/\\]|~/", hostless=True, spaced=True),
    Scheme("prospero", 1525, spaced=True),
    Scheme("mid", shape=ADDRESS),
    Scheme("cid", shape=ADDRESS),
    # RFC 1630: afs:/cell/path
    Scheme("afs", shape=r"/[\w@.-]", hostless=True, spaced=True),
    # RFC 8141: nid ":" nss; RFC 1630: urn:/iana/...
    Scheme("urn", shape=r"[A-Za-z0-9][A-Za-z0-9-]{0,31}:[^\s:]|/\w"),
    # uri(7): man:name(section), info:name#node, info:(name)node, ghelp:name
    Scheme("man", shape=r"[\w.+:@-]+\(\w{1,8}\)"),
    Scheme("info", shape=r"\(\w|[\w.+-]+#|[\w.+-]*/\w"),
    Scheme("ghelp", shape=r"\(\w|[\w.+-]+#|[\w.+-]*/\w"),
    Scheme("whatis", bare=False),
    Scheme("toc", bare=False),
    Scheme("about", shape=r"[A-Za-z][\w-]*(?:[?#][^\s]*)?\Z"),
    Scheme("ldap", 389, hostless=True, spaced=True),
    Scheme("ldaps", 636, hostless=True, spaced=True),
    Scheme("sip", 5060, shape=ADDRESS),
    Scheme("sips", 5061, shape=ADDRESS),
    Scheme("xmpp", shape=ADDRESS),
    Scheme("im", shape=ADDRESS),
    Scheme("tel", shape=r"[+(]?[\d(](?:[\d().,*#+-]|%20)*(?:;[^\s]*)?\Z", any_case=False),
    # RFC 5724: numbers, and a text; "callto:" and "whatsapp:" as Skype and Twilio document them
    Scheme("sms", shape=_NUMBER, any_case=False, label=True),
    Scheme("callto", shape=_NUMBER, any_case=False, label=True),
    Scheme("whatsapp", shape=_NUMBER, any_case=False, label=True),
    # IANA's registrations of "facetime" (a number or an address) and "skype" (here an action is required)
    Scheme("facetime", shape=rf"{ADDRESS}|{_NUMBER}", any_case=False, label=True),
    Scheme("skype", shape=r"[\w.,:+@-]{0,200}\?[a-z]{3}", any_case=False, label=True),
    # Messengers that are gone, but still in signatures
    Scheme("aim", shape=r"[a-z]{4,9}\?[a-z]+=", label=True),
    Scheme("msnim", shape=r"[a-z]{3,9}\?[a-z]+=", label=True),
    Scheme("ymsgr", shape=r"[a-z]{3,9}\?[A-Za-z]", label=True),
    # Matrix 1.8, appendix 4.6: a user, a room by its alias or by its id
    Scheme("matrix", shape=r"(?:u(?:ser)?|r(?:oom)?)/[^\s/:?]+:[^\s/:?]|roomid/[^\s/?]", label=True),
    Scheme("spotify", shape=r"(?:[a-z]{4,8}:[^\s:]{1,99}:)?[a-z]{4,8}:[A-Za-z0-9]{22}\b", label=True),
    Scheme("msteams", shape=r"/l/[a-z]", label=True),
    Scheme("magnet", shape=r"\?(?:[^\s&]*+&)*?xt(?:\.[0-9]{1,3})?=[^\s]", label=True),
    # RFC 5870: latitude, longitude, and optionally altitude; "GEO:12.5,8" is a field of a card
    Scheme(
        "geo",
        shape=rf"{_DEGREES},{_DEGREES}(?:,-?[0-9.]{{1,20}})?(?:[;?][^\s]*)?\Z",
        any_case=False,
        label=True,
    ),
    # ISO 26324: prefix "/" suffix
    Scheme("doi", shape=r"10\.[0-9][0-9.]{0,30}/[^\s/]", label=True),
    # BIP 21, and ERC-681: the address, and what to pay
    Scheme("bitcoin", shape=r"[A-Za-z0-9]{25,90}(?:\?[^\s]*)?\Z", label=True),
    Scheme("ethereum", shape=r"(?:pay-)?0x[0-9A-Fa-f]{40}(?![0-9A-Za-z])", label=True),
    Scheme("openpgp4fpr", shape=r"[0-9A-Fa-f]{40}(?![0-9A-Za-z])", label=True),
    # With "//" only: calendars, and links that open an app
    Scheme("webcal", label=True),
    Scheme("zoommtg", label=True),
    Scheme("slack", label=True),
    Scheme("tg", label=True),
)


SCHEMES: Mapping[str, Scheme] = MappingProxyType({row.name: row for row in _ROWS})
"""The schemes of RFC 1738, its drafts, uri(7) and today's mail, by name in lower case."""


NAMES_WITHOUT_SLASHES = tuple(row.name for row in _ROWS if row.shape)
"""The schemes that count in text without ``//``."""

ANY_NAME_WITHOUT_SLASHES = "|".join(map(re.escape, NAMES_WITHOUT_SLASHES))
"""A pattern of their names."""


def by_length(names: Iterable[str]) -> list[tuple[int, str]]:
    """Return the alternatives of a pattern for ``names``, by their lengths, as look-behinds need them.

    >>> by_length(["http", "ftp", "wais"])
    [(4, 'http|wais'), (3, 'ftp')]
    """
    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(len(name), []).append(re.escape(name))
    return [(length, "|".join(group)) for length, group in groups.items()]


def is_registered(name: str) -> bool:
    """Return whether ``name`` counts before ``://``: in our table, IANA's list, or derived.

    The defanged schemes in IANA's list do not count: nothing can be fetched from them.

    >>> is_registered("http"), is_registered("svn+ssh"), is_registered("x-tool")
    (True, True, True)
    >>> is_registered("xhttp"), is_registered("www.example.org+http"), is_registered("-svn+ssh")
    (False, False, False)
    """
    name = name.lower()
    if name in SCHEMES:
        return True
    if name in DEFANGED_NAMES:
        return False
    if name in IANA_SCHEMES or (name.startswith("x-") and len(name) > 2):
        return True
    head, plus, last = name.rpartition("+")
    is_derived = plus and head[:1].isalpha() and "." not in head  # else it is a host with a URL after it
    return bool(is_derived and (last in SCHEMES or last in IANA_SCHEMES))


def has_shape(name: str, rest: str) -> bool:
    """Return whether ``rest`` is what follows ``name:`` in a URL without ``//``.

    >>> has_shape("mailto", "joe@example.org"), has_shape("info", "see below")
    (True, False)
    """
    shape = _shape_of(name.lower())
    return shape is not None and shape.match(rest) is not None


def may_have_shape(name: str, text: str, start: int, end: int) -> bool:
    """Return whether a URL that begins at ``start`` may have the shape of ``name:``, wherever it ends.

    >>> may_have_shape("tel", "tel:1 ", 4, 6), may_have_shape("tel", "tel:tel:", 4, 8)
    (True, False)
    """
    shape = _shape_of(name, is_whole=False)
    return shape is not None and shape.match(text, start, end) is not None


@cache
def _shape_of(name: str, *, is_whole: bool = True) -> re.Pattern[str] | None:
    """Return the compiled pattern of the shape of a scheme, None without one; most texts need only a few."""
    shape = SCHEMES[name].shape if name in SCHEMES else None
    return re.compile(shape if is_whole else shape.replace(r"\Z", "")) if shape else None
