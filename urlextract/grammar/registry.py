"""The schemes: the type of their URLs, the port, what follows each name, and where it may stand in text.

One row a scheme. A shape is what must follow ``scheme:`` where no ``//`` does;
a scheme without one asks for ``//host``. In ``<URL:...>`` every scheme is taken,
for there the writer has said that it is one.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple, NoReturn

from urlextract.grammar.patterns import compiled

__all__ = [
    "MARKED_URL",
    "NAMES_WITHOUT_SLASHES",
    "SCHEMES",
    "SCHEME_CHARACTERS",
    "SCHEME_NAME",
    "Scheme",
    "by_length",
    "has_shape",
    "is_registered",
    "may_have_shape",
]

# RFC 3986, section 3.1 (RFC 1738, section 2.1, without the case)
#   scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
SCHEME_NAME = r"[A-Za-z][A-Za-z0-9+.-]{0,39}+"

SCHEME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
"""The characters of a scheme's name, to be stripped from the end of a text."""

MARKED_URL = rf"[^\w/?#.&=%+~:;,-]{{1,9}}+{SCHEME_NAME}://"
"""The beginning of a URL behind brackets, quotes and the like, which are none of any reference."""

# An address as mail has it: something on both sides of the "@", which most text has not:
# it is asked for first.
_ADDRESS = r"(?=[^@]*+@)[^@\s/]++@[^@\s/]+"


class Scheme(NamedTuple):
    """One scheme's row.

    ``value`` is the type of its URLs, by module and name in ``schemes``. ``hostless``
    schemes may have an empty host after ``//``. ``bare`` is false where the name is too
    common a word to count outside brackets, ``any_case`` where only lower case makes a
    URL of it (``Tel:`` is a label). ``spaced`` ones have names in their paths that
    people write with blanks. A ``label`` is a word of forms and signatures, too: a blank
    after its colon, or a case that is none of its own, makes it no scheme, in a bracket as well.
    """

    name: str
    value: str
    port: int | None = None
    shape: str | None = None
    hostless: bool = False
    bare: bool = True
    any_case: bool = True
    spaced: bool = False
    label: bool = False

    @property
    def any_authority(self) -> bool:
        """Whether any authority of RFC 3986 may follow ``//``: apps are not hosts ("whatsapp://send")."""
        return self.label


_GENERIC = "value.Url"


# RFC 1738, section 3.6: a group, "*", or an article's <unique>@<full_domain_name>.
# A single word is no group to a reader: "news: a dot, or *".
_NEWS = rf"(?:\*|[A-Za-z0-9][\w+-]*(?:\.(?:[\w+-]+|\*))+(?:/[0-9-]+)?|{_ADDRESS})\Z"

# A telephone number of three digits or more, several with commas between, and what an app is to do with it.
_NUMBER = r"(?=[+(0-9])(?:(?:[().,+-]|%20)*[0-9]){3,80}[().+-]*(?:[;?][^\s]*)?\Z"
_DEGREES = r"-?[0-9]{1,3}(?:\.[0-9]{1,20})?"

_ROWS = (
    Scheme("ftp", "ftp.FtpUrl", 21),
    Scheme("ftps", "ftp.FtpUrl", 990),
    Scheme("http", "web.HttpUrl", 80),
    Scheme("https", "web.HttpUrl", 443),
    Scheme("gopher", "gopher.GopherUrl", 70, spaced=True),
    Scheme("mailto", "mail.MailtoUrl", shape=rf"{_ADDRESS}|\?(?:(?!to=)[^\s])*+to=[^\s]*@"),
    Scheme("news", "news.NewsUrl", 119, shape=_NEWS),
    Scheme("snews", "news.NewsUrl", 563, shape=_NEWS),
    Scheme("nntp", "news.NntpUrl", 119),
    Scheme("nntps", "news.NntpUrl", 563),
    Scheme("telnet", "telnet.TelnetUrl", 23),
    Scheme("rlogin", "telnet.TelnetUrl", 513),
    Scheme("tn3270", "telnet.TelnetUrl", 23),
    Scheme("wais", "wais.WaisUrl", 210, spaced=True),
    # RFC 1738, section 3.10 and uri(7): "file:/path"; "file:C|/x" of DOS. "File: x" is prose.
    Scheme("file", "files.FileUrl", shape=r"/|\\\\|[A-Za-z][|:][/\\]|~/", hostless=True, spaced=True),
    Scheme("prospero", "prospero.ProsperoUrl", 1525, spaced=True),
    Scheme("mid", "mail.MidUrl", shape=_ADDRESS),
    Scheme("cid", "mail.CidUrl", shape=_ADDRESS),
    # RFC 1630: afs:/cell/path
    Scheme("afs", "files.AfsUrl", shape=r"/[\w@.-]", hostless=True, spaced=True),
    # RFC 8141: nid ":" nss; RFC 1630: urn:/iana/...
    Scheme("urn", "urn.UrnUrl", shape=r"[A-Za-z0-9][A-Za-z0-9-]{0,31}:[^\s:]|/\w"),
    # uri(7): man:name(section), info:name#node, info:(name)node, ghelp:name
    Scheme("man", "local.ManUrl", shape=r"[\w.+:@-]+\(\w{1,8}\)"),
    Scheme("info", "local.InfoUrl", shape=r"\(\w|[\w.+-]+#|[\w.+-]*/\w"),
    Scheme("ghelp", "local.InfoUrl", shape=r"\(\w|[\w.+-]+#|[\w.+-]*/\w"),
    Scheme("whatis", "local.WhatisUrl", bare=False),
    Scheme("toc", "local.AboutUrl", bare=False),
    Scheme("about", "local.AboutUrl", shape=r"[A-Za-z][\w-]*(?:[?#][^\s]*)?\Z"),
    Scheme("ldap", "ldap.LdapUrl", 389, hostless=True, spaced=True),
    Scheme("ldaps", "ldap.LdapUrl", 636, hostless=True, spaced=True),
    Scheme("sip", _GENERIC, 5060, shape=_ADDRESS),
    Scheme("sips", _GENERIC, 5061, shape=_ADDRESS),
    Scheme("xmpp", _GENERIC, shape=_ADDRESS),
    Scheme("im", _GENERIC, shape=_ADDRESS),
    Scheme("tel", _GENERIC, shape=r"[+(]?[\d(](?:[\d().,*#+-]|%20)*(?:;[^\s]*)?\Z", any_case=False),
    # RFC 5724: numbers, and a text; "callto:" and "whatsapp:" as Skype and Twilio have them
    Scheme("sms", _GENERIC, shape=_NUMBER, any_case=False, label=True),
    Scheme("callto", _GENERIC, shape=_NUMBER, any_case=False, label=True),
    Scheme("whatsapp", _GENERIC, shape=_NUMBER, any_case=False, label=True),
    # IANA's registrations of "facetime" (a number or an address) and "skype" (what to do is asked of it here)
    Scheme("facetime", _GENERIC, shape=rf"{_ADDRESS}|{_NUMBER}", any_case=False, label=True),
    Scheme("skype", _GENERIC, shape=r"[\w.,:+@-]{0,200}\?[a-z]{3}", any_case=False, label=True),
    # Messengers that are gone, but in signatures
    Scheme("aim", _GENERIC, shape=r"[a-z]{4,9}\?[a-z]+=", label=True),
    Scheme("msnim", _GENERIC, shape=r"[a-z]{3,9}\?[a-z]+=", label=True),
    Scheme("ymsgr", _GENERIC, shape=r"[a-z]{3,9}\?[A-Za-z]", label=True),
    # Matrix 1.8, appendix 4.6: a user, a room by its alias or by its id
    Scheme(
        "matrix", _GENERIC, shape=r"(?:u(?:ser)?|r(?:oom)?)/[^\s/:?]+:[^\s/:?]|roomid/[^\s/?]", label=True
    ),
    Scheme(
        "spotify", _GENERIC, shape=r"(?:[a-z]{4,8}:[^\s:]{1,99}:)?[a-z]{4,8}:[A-Za-z0-9]{22}\b", label=True
    ),
    Scheme("msteams", _GENERIC, shape=r"/l/[a-z]", label=True),
    Scheme("magnet", _GENERIC, shape=r"\?(?:[^\s&]*+&)*?xt(?:\.[0-9]{1,3})?=[^\s]", label=True),
    # RFC 5870: latitude, longitude, and maybe the height; "GEO:12.5,8" is a field of a card
    Scheme(
        "geo",
        _GENERIC,
        shape=rf"{_DEGREES},{_DEGREES}(?:,-?[0-9.]{{1,20}})?(?:[;?][^\s]*)?\Z",
        any_case=False,
        label=True,
    ),
    # ISO 26324: prefix "/" suffix
    Scheme("doi", _GENERIC, shape=r"10\.[0-9][0-9.]{0,30}/[^\s/]", label=True),
    # BIP 21, and ERC-681: the address, and what to pay
    Scheme("bitcoin", _GENERIC, shape=r"[A-Za-z0-9]{25,90}(?:\?[^\s]*)?\Z", label=True),
    Scheme("ethereum", _GENERIC, shape=r"(?:pay-)?0x[0-9A-Fa-f]{40}(?![0-9A-Za-z])", label=True),
    Scheme("openpgp4fpr", _GENERIC, shape=r"[0-9A-Fa-f]{40}(?![0-9A-Za-z])", label=True),
    # With "//" only: calendars, and what opens an app
    Scheme("webcal", _GENERIC, label=True),
    Scheme("zoommtg", _GENERIC, label=True),
    Scheme("slack", _GENERIC, label=True),
    Scheme("tg", _GENERIC, label=True),
)


class _Table(dict[str, Scheme]):
    """A row for each scheme, by its name in lower case; not to be changed.

    >>> SCHEMES["gopher"].port, "gopher" in SCHEMES
    (70, True)
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the table of schemes is not to be changed")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse


SCHEMES: Mapping[str, Scheme] = _Table((row.name, row) for row in _ROWS)
"""The schemes of RFC 1738, its drafts, uri(7) and today's mail, by name in lower case."""


NAMES_WITHOUT_SLASHES = tuple(row.name for row in _ROWS if row.shape)
"""The schemes that count in text without ``//``."""


def by_length(names: Iterable[str]) -> list[tuple[int, str]]:
    """Return the alternatives of a pattern for ``names``, by length, as look-behinds need them.

    >>> by_length(["http", "ftp", "wais"])
    [(4, 'http|wais'), (3, 'ftp')]
    """
    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(len(name), []).append(name)
    return [(length, "|".join(group)) for length, group in groups.items()]


def is_registered(name: str) -> bool:
    """Say whether ``name`` counts before ``://``: in our table, IANA's list, or derived.

    >>> is_registered("http"), is_registered("svn+ssh"), is_registered("x-tool")
    (True, True, True)
    >>> is_registered("xhttp"), is_registered("www.example.org+http"), is_registered("-svn+ssh")
    (False, False, False)
    """
    name = name.lower()
    if name in SCHEMES:
        return True
    from urlextract.grammar.iana import IANA_SCHEMES  # noqa: PLC0415 - rarely asked

    if name in IANA_SCHEMES or (name.startswith("x-") and len(name) > 2):
        return True
    head, plus, last = name.rpartition("+")
    is_derived = plus and head[:1].isalpha() and "." not in head  # else it is a host, and a URL behind it
    return bool(is_derived and (last in SCHEMES or last in IANA_SCHEMES))


def has_shape(name: str, rest: str) -> bool:
    """Say whether ``rest`` is what follows ``name:`` in a URL without ``//``.

    >>> has_shape("mailto", "joe@example.org"), has_shape("info", "see below")
    (True, False)
    """
    row = SCHEMES.get(name.lower())
    return bool(row and row.shape and _pattern(row.shape).match(rest))


def may_have_shape(name: str, text: str, start: int, end: int) -> bool:
    """Return whether a URL that begins at ``start`` may have the shape of ``name:``, wherever it ends.

    >>> may_have_shape("tel", "tel:1 ", 4, 6), may_have_shape("tel", "tel:tel:", 4, 8)
    (True, False)
    """
    row = SCHEMES[name]
    return bool(row.shape and _pattern(row.shape.removesuffix(r"\Z")).match(text, start, end))


@cache
def _pattern(shape: str) -> re.Pattern[str]:
    """Compile a shape: a text asks about few of them."""
    return compiled(shape)
