"""The value of an HTML attribute, read as a browser reads it; a value that is no URL is read as text.

URL Standard, "basic URL parser": blanks around the value, and line ends and tabs in it, are removed.
In http, https and ftp a backslash is a slash, and any number of slashes after the colon is read as two.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote, urljoin

from urlextract.grammar.chars import BLANK_OR_CONTROL, IGNORED_IN_URLS
from urlextract.grammar.defanged import HINT
from urlextract.grammar.hosts import FULL_STOPS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import MARKED_URL, SCHEME_NAME, SCHEMES, has_shape, is_registered
from urlextract.message.entities import decode_attribute
from urlextract.records import Defect, DefectCode, Match, Repair, Rule
from urlextract.scanner import rules
from urlextract.scanner.bare import host_rejection, no_shape
from urlextract.scanner.buffer import SHOWN, ScanLimits
from urlextract.scanner.defanged import repaired
from urlextract.scanner.stream import scan
from urlextract.scanner.url_checks import NAME

NO_SCHEME = Defect(DefectCode.NO_SCHEME)
"""The defect of a URL that begins with ``//`` and its host, if no base URL supplies the scheme."""

HIDDEN_HOST = Defect(DefectCode.HIDDEN_HOST)
"""The defect of a URL whose host is percent-encoded, so that people cannot read it."""


class AttributeUrl(NamedTuple):
    """The result of reading a value: its URL and defects, and the rule that rejects it, or None.

    ``repairs`` are not empty if the value is a defanged URL, and ``url`` the one that it stands for.
    """

    url: str
    rejection: Rule | None = None
    defects: tuple[Defect, ...] = ()
    repairs: tuple[Repair, ...] = ()


# Blanks, controls and invisible characters around a URL are not part of it.
_EDGES = BLANK_OR_CONTROL + "\xa0\u200b\u200e\u200f\u2060\ufeff"
_BROKEN = lazy_re(r"[ ]*[\t\n\r]+[ ]*")
_CONTROL = lazy_re(r"[\x00-\x1f\x7f]")
_NO_URL = lazy_re(r"#|\Z")
_NO_ADDRESS = lazy_re(r"(?i:javascript|vbscript|data):")
_ABSOLUTE = lazy_re(rf"{SCHEME_NAME}:|{MARKED_URL}")
_HOST_FIRST = lazy_re(r"[/\\]{2}")
_IS_SPECIAL = lazy_re(r"(?:https?|ftp):", re.IGNORECASE)
_PATH = lazy_re(r"[^?#]*+")
_SLASHES = lazy_re(r"\A/{2,}+")
_SPECIAL = lazy_re(r"(https?|ftp):([/\\]*+)([^?#]*+)", re.IGNORECASE)
# After a missing closing quote, the value goes on to the next quote, and contains tags.
_TAG_INSIDE = lazy_re(r">[^<]{0,2000}+</?[A-Za-z]")
_NO_HOST = lazy_re(r"[\x00-\x20\x7f\ufffd#%/:<>?@\[\\\]^|]")
_BLANK = lazy_re(r"[\x00-\x20\x7f\ufffd]")
_ODD_HOST = lazy_re(
    r"(?i:https?|ftp)://(?:[^/?#@]*@)?[^\x00-\x20/?#%:@<>\"\\]+\.[^\x00-\x20/?#%:@<>\"\\]+(?::[0-9]*)?(?:[/?#]|\Z)"
)
_HOST_END = lazy_re(r":[0-9]*\Z")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


def read_value(
    raw: str, bases: tuple[str | None, ...] = (), *, any_scheme: bool = False, refang: bool = False
) -> AttributeUrl | None:
    r"""Read the value ``raw`` of an attribute, against ``bases``, outermost first.

    Return None for an empty one and for a place in the page. With ``refang``, a defanged URL is read
    as the one that it stands for.

    >>> read_value(" http:\\\\a.example/b\n c ").url
    'http://a.example/bc'
    >>> read_value("../x", ("http://a.example/b/c",)).url, str(read_value("../x").rejection)
    ('http://a.example/x', 'a relative reference without a base')
    >>> str(read_value("javascript:x").rejection), read_value("#top") is None
    ('a script', True)
    """
    reference = decode_attribute(raw).strip(_EDGES)
    start = reference[:200].translate(IGNORED_IN_URLS)
    if _NO_URL.match(start):
        return None
    named = _NO_ADDRESS.match(start)
    if named:
        return AttributeUrl(reference[:SHOWN], rules.DATA if named[0].lower() == "data:" else rules.SCRIPT)
    defanged = _read_defanged(reference, any_scheme=any_scheme, refang=refang)
    return defanged or _read_reference(reference, start, bases, any_scheme=any_scheme)


def _read_reference(
    reference: str, start: str, bases: tuple[str | None, ...], *, any_scheme: bool
) -> AttributeUrl:
    """Read a reference that begins with ``start``, apart from what browsers ignore, against ``bases``."""
    defects: tuple[Defect, ...] = ()
    url: str | None = reference
    if not _ABSOLUTE.match(start):
        base = absolute(bases)
        if base:
            url = absolute((base, reference))
        elif _HOST_FIRST.match(start):
            url, defects = f"https:{reference}", (NO_SCHEME,)
        else:
            url = None
    if url is None:
        return AttributeUrl(reference, rules.RELATIVE)
    read = _with_host(_as_browsers_read(url))
    if read is None:
        return AttributeUrl(reference, rules.NO_NAME)
    url, is_hidden = read
    defects += (HIDDEN_HOST,) if is_hidden else ()
    rejection = _rejection(url, any_scheme=any_scheme)
    if rejection and _ODD_HOST.match(url):  # cutting the host would make it another one
        return AttributeUrl(url, None, (*defects, Defect(DefectCode.ODD_VALUE, str(rejection))))
    return AttributeUrl(url, rejection, defects)


def _read_defanged(reference: str, *, any_scheme: bool, refang: bool) -> AttributeUrl | None:
    """Return the reading of a defanged URL; None if ``reference`` is none, or is taken as it is."""
    if not HINT.search(reference):
        return None

    url, repairs = repaired(reference)
    if refang:
        read = read_value(url, any_scheme=any_scheme) if repairs else None
        return read and read._replace(repairs=repairs)
    has_scheme = len(repairs) == 1  # without one it is a relative reference
    is_taken = any_scheme and _ABSOLUTE.match(reference)
    return AttributeUrl(reference, rules.DEFANGED) if has_scheme and not is_taken else None


def absolute(references: tuple[str | None, ...]) -> str | None:
    """Return the absolute URL of the last reference, each resolved against those before it, or None."""
    url: str | None = None
    for raw in references:
        reference = decode_attribute(raw).strip(_EDGES) if raw else ""
        if _ABSOLUTE.match(reference):
            url = reference
        elif url and reference:
            if _IS_SPECIAL.match(url):
                reference = _PATH.sub(_with_slashes, reference, 1)
            try:
                url = urljoin(url, reference)
            except ValueError:
                return None
    return url


def _with_slashes(path: re.Match[str]) -> str:
    """Return a path with slashes for backslashes, and with two slashes if it begins with more."""
    return _SLASHES.sub("//", path[0].replace("\\", "/"))


def _as_browsers_read(url: str) -> str:
    """Return a URL without line ends, with blanks and controls encoded, and with slashes corrected."""
    url = "%20".join(_BROKEN.sub("", url).strip(_EDGES).split())
    url = _CONTROL.sub(_encoded, url)
    special = _SPECIAL.match(url)
    if special is None or (special[2] == "//" and "\\" not in special[3]):
        return url
    return f"{special[1]}://" + special[3].replace("\\", "/") + url[special.end() :]


def _encoded(control: re.Match[str]) -> str:
    """Return a control percent-encoded; HTML replaces NUL by U+FFFD."""
    return "%EF%BF%BD" if control[0] == "\0" else f"%{ord(control[0]):02X}"


def _with_host(url: str) -> tuple[str, bool] | None:
    """Return a URL with its host decoded and normalised, and whether the host was percent-encoded.

    Full stops of other scripts become ".", and invisible characters are removed: UTS 46, section 4.
    Return None if the host has a blank or a control.
    """
    special = _SPECIAL.match(url)
    if special is None:
        return url, False
    authority, slash, path = special[3].partition("/")
    login, at, host = authority.rpartition("@")
    if "%" not in host and host.isascii():
        return url, False

    port = _HOST_END.search(host)
    name = host[: port.start()] if port else host
    read = normalize("NFKC", unquote(name, errors="replace").translate(FULL_STOPS).translate(_UNSEEN))
    if _NO_HOST.search(read):
        return None if _BLANK.search(read) else (url, False)
    host = read + host[len(name) :]
    return f"{special[1]}://{login}{at}{host}{slash}{path}{url[special.end() :]}", "%" in name


def _rejection(url: str, *, any_scheme: bool) -> Rule | None:
    """Return why ``url`` is not to be reported as a URL, None if it is."""
    if ">" in url and _TAG_INSIDE.search(url):
        return rules.TAG
    match = NAME.match(url)
    if match is None:
        return rules.RELATIVE
    name, rest = match[1].lower(), url[match.end() :]
    if rest.startswith("//"):
        if not any_scheme and not is_registered(name):
            return rules.UNREGISTERED
        return host_rejection(name, url, match.end() + 2)
    if name == "mailto" and rest.startswith("?"):  # RFC 6068, section 2: the reader chooses the recipient
        return None
    if name not in SCHEMES and rest and (any_scheme or is_registered(name)):
        return None
    return None if has_shape(name, rest) else no_shape(name, rest)


def find_in_value(value: str, *, any_scheme: bool = False) -> list[Match]:
    """Return the URLs in a value that is no URL, read as text; none if it is a relative reference.

    >>> [match.raw for match in find_in_value("blocked::http://a.example/b")]
    ['http://a.example/b']
    >>> find_in_value("go?to=http://a.example/b")
    []
    """
    if "://" not in value or not _ABSOLUTE.match(value):
        return []
    return scan(value, ScanLimits(any_scheme=any_scheme))
