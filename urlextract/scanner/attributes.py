"""The value of an HTML attribute, read as a browser reads it; a value that is no URL is read as text.

URL Standard, "basic URL parser": blanks around the value, and line ends and tabs in it, are removed.
In http, https and ftp a backslash is a slash, and any number of slashes after the colon is read as two.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize

from urlextract.grammar.chars import BLANK_OR_CONTROL, IGNORED_IN_URLS
from urlextract.grammar.codes import DefectCode
from urlextract.grammar.defanged import HINT
from urlextract.grammar.defanged import refang as without_marks
from urlextract.grammar.escapes import decoded_text, escaped
from urlextract.grammar.hosts import FULL_STOPS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import MARKED_URL, SCHEME_NAME, SCHEMES, has_shape, is_registered
from urlextract.message.entities import decode_attribute
from urlextract.records import REFANGED, Defect, Match, Repair
from urlextract.scanner.checks import DEFANGED, SCHEME, UNREGISTERED, refused_authority, refused_shape
from urlextract.scanner.scan import urls_in
from urlextract.scanner.window import SHOWN, ScanOptions

RELATIVE = "a relative reference without a base"
SCRIPT, DATA = "a script", "the data of a file, and no address"
NO_ADDRESSES = frozenset((SCRIPT, DATA))
"""Why values are refused in which no URL is searched for."""

_NO_SCHEME = Defect.of(DefectCode.NO_SCHEME)  # the URL begins with "//", and no base URL supplies the scheme
_HIDDEN_HOST = Defect.of(DefectCode.HIDDEN_HOST)  # it is percent-encoded, so that people cannot read it


class AttributeUrl(NamedTuple):
    """The result of reading a value: its URL and defects, and why it is refused, in words, or "".

    ``repairs`` are not empty if the value is a defanged URL, and ``url`` the one that it stands for.
    """

    url: str
    refused: str = ""
    defects: tuple[Defect, ...] = ()
    repairs: tuple[Repair, ...] = ()


# Blanks, controls and invisible characters around a URL are not part of it.
_EDGES = BLANK_OR_CONTROL + "\xa0\u200b\u200e\u200f\u2060\ufeff"
_BROKEN = lazy_re(r"[ ]*[\t\n\r]+[ ]*")
_LINE_END = lazy_re(r"[\t\n\r]+")
_SPACES, _SPACE = lazy_re(r"\s++"), lazy_re(r"\s")
_CONTROL = lazy_re(r"[\x00-\x1f\x7f]")
_NO_ADDRESS = lazy_re(r"(?i:javascript|vbscript|data):")
_ABSOLUTE = lazy_re(rf"{SCHEME_NAME}:|{MARKED_URL}")
_HOST_FIRST = lazy_re(r"[/\\]{2}")
_PATH = lazy_re(r"[^?#]*+")
_SLASHES = lazy_re(r"\A/{2,}+")
_SPECIAL = lazy_re(r"(https?|ftp):[/\\]*+([^?#]*+)", re.IGNORECASE)
# After a missing closing quote, the value goes on to the next quote, and contains tags.
_TAG_INSIDE = lazy_re(r">[^<]{0,2000}+</?[A-Za-z]")
_BLANK = lazy_re(r"[\x00-\x20\x7f\ufffd]")
_NO_HOST = lazy_re(r"[#%/:<>?@\[\\\]^|]")
_ODD_HOST = lazy_re(
    r"(?i:https?|ftp)://(?:[^/?#@]*@)?[^\x00-\x20/?#%:@<>\"\\]+\.[^\x00-\x20/?#%:@<>\"\\]+(?::[0-9]*)?(?:[/?#]|\Z)"
)
_PORT = lazy_re(r":[0-9]*\Z")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


def read_value(
    raw: str, bases: tuple[str | None, ...] = (), *, any_scheme: bool = False, refang: bool = False
) -> AttributeUrl | None:
    r"""Read the value ``raw`` of an attribute, against ``bases``, outermost first.

    Return None for an empty one and for a place in the page. With ``refang``, a defanged URL is read
    as the one that it stands for.

    >>> read_value(" http:\\\\a.example/b\n c ").url
    'http://a.example/bc'
    >>> read_value("../x", ("http://a.example/b/c",)).url, read_value("../x").refused
    ('http://a.example/x', 'a relative reference without a base')
    >>> read_value("javascript:x").refused, read_value("#top") is None
    ('a script', True)
    """
    reference = decode_attribute(raw).strip(_EDGES)
    start = reference[:200].translate(IGNORED_IN_URLS)
    if start[:1] in ("", "#"):
        return None
    named = _NO_ADDRESS.match(start)
    if named:
        return AttributeUrl(reference[:SHOWN], DATA if named[0].lower() == "data:" else SCRIPT)
    meant = without_marks(reference) if HINT.search(reference) else reference
    if meant != reference and _ABSOLUTE.match(meant) and (refang or not any_scheme):
        found = read_value(meant) if refang else None
        return found._replace(repairs=(REFANGED,)) if found else AttributeUrl(reference, DEFANGED)
    defects: tuple[Defect, ...] = ()
    url: str | None = reference
    if not _ABSOLUTE.match(start):
        base = absolute(bases)
        url = absolute((base, reference)) if base else None
        if not base and _HOST_FIRST.match(start):
            url, defects = f"https:{reference}", (_NO_SCHEME,)
    read = _as_browsers_read(url) if url else None
    if read is None:
        return AttributeUrl(reference, "a blank, a control or a delimiter in the host" if url else RELATIVE)
    url, is_hidden = read
    defects += (_HIDDEN_HOST,) if is_hidden else ()
    refused = _refused(url, any_scheme=any_scheme)
    if refused and _ODD_HOST.match(url):  # cutting the host would make it another one
        return AttributeUrl(url, "", (*defects, Defect(DefectCode.ODD_VALUE, refused)))
    return AttributeUrl(url, refused, defects)


def absolute(references: tuple[str | None, ...]) -> str | None:
    """Return the absolute URL of the last reference, each resolved against those before it, or None."""
    url: str | None = None
    for raw in references:
        reference = decode_attribute(raw).strip(_EDGES) if raw else ""
        if _ABSOLUTE.match(reference):
            url = reference
        elif url and reference:
            if _SPECIAL.match(url):  # backslashes of a path are slashes, and no more than two begin it
                reference = _PATH.sub(
                    lambda path: _SLASHES.sub("//", path[0].replace("\\", "/")), reference, count=1
                )
            try:
                from urllib.parse import urljoin  # relative references alone need it

                url = urljoin(url, reference)
            except ValueError:
                return None
    return url


def _as_browsers_read(url: str) -> tuple[str, bool] | None:
    """Return a URL as a browser reads it, and whether its host is hidden: encoded, or in replaced letters.

    Line ends are removed, blanks and controls encoded, and slashes corrected. Blanks beside line ends, and
    all but one of several, are removed before the query only: in it they are words of a search or a subject.
    The host is decoded and normalised: full stops of other scripts become ".", and invisible characters are
    removed (UTS 46, section 4). Return None if the host has a blank or a control.
    """
    place, mark, query = url.strip(_EDGES).partition("?")
    place = _SPACES.sub("%20", _BROKEN.sub("", place))
    url = place + mark + _SPACE.sub("%20", _LINE_END.sub("", query))
    # HTML replaces NUL by U+FFFD.
    url = _CONTROL.sub(escaped, url.replace("\0", "%EF%BF%BD"))
    special = _SPECIAL.match(url)
    if special is None:
        return url, False
    scheme, tail = special[1], url[special.end() :]
    authority, slash, path = special[2].replace("\\", "/").partition("/")
    login, at, host = authority.rpartition("@")
    is_hidden = False
    if "%" in host or not host.isascii():
        name = _PORT.sub("", host)
        written = decoded_text(name).translate(FULL_STOPS)
        read = normalize("NFKC", written.translate(_UNSEEN))
        if _BLANK.search(read):
            return None
        if not _NO_HOST.search(read):
            is_hidden = "%" in name or (read.isascii() and not written.isascii())
            host = read + host[len(name) :]
    return f"{scheme}://{login}{at}{host}{slash}{path}{tail}", is_hidden


def _refused(url: str, *, any_scheme: bool) -> str:
    """Return why ``url`` is not to be reported as a URL, "" if it is."""
    if ">" in url and _TAG_INSIDE.search(url):
        return "a tag inside"
    match = SCHEME.match(url)
    if match is None:
        return RELATIVE
    name, rest = match[1].lower(), url[match.end() :]
    is_known = any_scheme or is_registered(name)
    if rest.startswith("//"):
        return refused_authority(name, rest) if is_known else UNREGISTERED[0]
    if name == "mailto" and rest.startswith("?"):  # RFC 6068, section 2: the reader chooses the recipient
        return ""
    is_whole = has_shape(name, rest) or (name not in SCHEMES and rest and is_known)
    return "" if is_whole else refused_shape(name, name, rest) or "no URL"


def find_in_value(value: str, *, any_scheme: bool = False) -> list[Match]:
    """Return the URLs in a value that is no URL, read as text; none if it is a relative reference.

    >>> [match.raw for match in find_in_value("blocked::http://a.example/b")]
    ['http://a.example/b']
    >>> find_in_value("go?to=http://a.example/b")
    []
    """
    if "://" not in value or not _ABSOLUTE.match(value):
        return []
    return urls_in(value, ScanOptions(any_scheme=any_scheme))
