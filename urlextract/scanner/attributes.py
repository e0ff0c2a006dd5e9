"""The value of an attribute of HTML: one URL; what is none is read by the rules of text."""

from __future__ import annotations

import re

from urlextract.grammar.hosts import ASCII_HOST
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import MARKED_URL, SCHEME_NAME, SCHEMES, has_shape, is_registered
from urlextract.records import Candidate
from urlextract.scanner.bare import UNREGISTERED, host_fault, no_shape
from urlextract.scanner.insides import NAME
from urlextract.scanner.stream import Scanner

__all__ = ["attribute_fault", "attribute_text", "attribute_url"]

_BROKEN = later(r"[ ]*[\t\n\r]+[ ]*")
_EDGES = "".join(map(chr, range(33)))
_CONTROL = later(r"[\x00-\x1f\x7f]")
_SPECIAL = later(r"(https?|ftp):([/\\]++)([^?#]++)", re.IGNORECASE)
# RFC 3986, section 3.2.2: a registered name may be percent-encoded; where quotes
# delimit it no prose is to be feared.
_ENCODED_HOST = later(r"(?:[\w.-]|%[0-9A-Fa-f]{2}){1,500}(?::[0-9]{1,5})?(?:[/?#]|\Z)")
# Nine of ten: a host without a fault, whatever follows it.
_PLAIN = later(rf"https?://{ASCII_HOST}(?::[0-9]{{1,5}}+)?+(?:[/?#]|\Z)")
# A quote that was forgotten ends with the next one, behind the tag and maybe others.
_TAG_INSIDE = later(r">[^<]{0,2000}+</?[A-Za-z]")
_ENCODED_BLANK = later(r"%(?:[01][0-9A-Fa-f]|20|7[Ff]|EF%BF%BD)")
_BEGINS = later(rf"{SCHEME_NAME}:|{MARKED_URL}")
_AUTHORITY = later(r"[^/?#]*+")


def attribute_fault(url: str, *, any_scheme: bool = False) -> str | None:
    """Say why the value ``url`` of an attribute is no URL to report, None where it is one."""
    if ">" in url and _TAG_INSIDE.search(url):
        return "a tag inside"
    if _PLAIN.match(url):
        return None
    match = NAME.match(url)
    if match is None:
        return "a relative reference without a base"
    name, rest = match[1].lower(), url[match.end() :]
    if rest.startswith("//"):
        if not any_scheme and not is_registered(name):
            return UNREGISTERED
        if "%" in url and _ENCODED_BLANK.search(_host(url, match.end() + 2)):
            return "a blank or a control in the host"
        fault = host_fault(name, url, match.end() + 2)
        return None if fault and _ENCODED_HOST.match(url, match.end() + 2) else fault
    if name not in SCHEMES and rest and (any_scheme or is_registered(name)):
        return None
    return None if has_shape(name, rest) else no_shape(name)


def _host(url: str, start: int) -> str:
    """Give the host and port that begin at ``start``, or behind the login there."""
    authority = _AUTHORITY.match(url, start)
    return authority.group().rpartition("@")[2] if authority else ""


def attribute_text(value: str, *, any_scheme: bool = False) -> list[Candidate]:
    """Find the URLs in a value that is none, as in text, but those that a relative reference holds.

    >>> [candidate.raw for candidate in attribute_text("blocked::http://a.example/b")]
    ['http://a.example/b']
    >>> attribute_text("go?to=http://a.example/b")
    []
    """
    if "://" not in value or not _BEGINS.match(value):
        return []
    scanner = Scanner(any_scheme=any_scheme)
    return [*scanner.feed(value), *scanner.close()]


def attribute_url(value: str) -> str:
    r"""Give the URL that a value writes: line breaks and tabs go, a blank inside it is meant.

    Other controls, slashes that are too many or too few, and backslashes are read as browsers
    read them (URL Standard, "basic URL parser").

    >>> attribute_url(" http://a.example/b\n c d "), attribute_url("http:\\\\a.example\\b\x01c")
    ('http://a.example/bc%20d', 'http://a.example/b%01c')
    """
    url = "%20".join(_BROKEN.sub("", value).strip(_EDGES).split())
    url = _CONTROL.sub(_encoded, url)
    special = _SPECIAL.match(url)
    if special is None or (special[2] == "//" and "\\" not in special[3]):
        return url
    return f"{special[1]}://" + special[3].replace("\\", "/") + url[special.end() :]


def _encoded(control: re.Match[str]) -> str:
    """Encode a control; HTML has U+FFFD for NUL."""
    return "%EF%BF%BD" if control[0] == "\0" else f"%{ord(control[0]):02X}"
