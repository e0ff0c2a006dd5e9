r"""Warnings about a URL that is valid but may be unsafe, or may deceive people: RFC 1738, section 6.

Where browsers read another host than RFC 3986 has, as in ``http://a.example\@b.example/``, that of RFC 3986
is checked, and the backslash is a warning of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from urlextract.grammar.chars import BLANK_OR_CONTROL, IGNORED_IN_URLS
from urlextract.grammar.codes import WordedCode
from urlextract.grammar.confusables import drawn_in_ascii
from urlextract.grammar.domains import OLDEST, tld_of
from urlextract.grammar.escapes import ACTED_ON, decoded_text
from urlextract.grammar.hosts import FULL_STOPS, LONGEST_NAME
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES
from urlextract.records import Span, meaning
from urlextract.schemes.components import UrlBase, span_of
from urlextract.schemes.hosts import address_of, mixed_scripts, to_ascii, to_unicode


class CautionCode(WordedCode):
    """The kinds of warnings.

    >>> from urlextract import parse_url
    >>> [caution.code.value for caution in parse_url("http://2130706433/").warnings]
    ['address-as-number']
    """

    LABEL = "label", "a label before a URL, not a scheme"
    ACTED_ON = "acted-on", "a line end or NUL, which the protocol would act on"
    CONTROL = "control", "a control character"
    INVISIBLE = "invisible", "an invisible character"
    BACKSLASH = "backslash", "a backslash, which browsers read as a slash"
    PASSWORD = "password", "a password for everyone to read"
    USER_LIKE_HOST = "user-like-host", "a user name that looks like a host"
    LOW_PORT = "low-port", "a port below 1024 that is not the scheme's"
    MIXED_SCRIPTS = "mixed-scripts", "letters of several scripts: {}"
    LOOKALIKE = "lookalike", "letters of another script, drawn like {}"
    ENCODED_HOST = "encoded-host", "a percent-encoded host name: {}"
    REPLACED_CHARACTERS = "replaced-characters", "characters that browsers replace: the host is {}"
    LIKE_DELIMITER = "like-delimiter", "a character in the host that looks like a delimiter: {}"
    ADDRESS_AS_NUMBER = "address-as-number", "an address written as a number"
    NO_HOST_NAME = "no-host-name", "a host name that the standards do not allow"


class Caution(Struct, frozen=True, order=True, gc=False):
    """Something in a URL that is valid but may be unsafe, in words and as a code: RFC 1738, section 6.

    ``start`` and ``end`` are half-open and count characters of the URL; ``span`` has both.

    >>> from urlextract import parse_url
    >>> [caution.message for caution in parse_url("ftp://me:secret@host.example/").warnings]
    ['a password for everyone to read']
    """

    start: Annotated[int, meaning("The first character of it, from 0 in url.")]
    end: Annotated[int, meaning("The character after it.")]
    message: Annotated[str, meaning("What is unsafe, in words.")]
    code: Annotated[CautionCode, meaning("The code of it.")]

    @classmethod
    def of(cls, code: CautionCode, span: tuple[int, int], detail: str = "") -> Caution:
        """Return a caution with the words of its code, in which ``detail`` stands in place of "{}"."""
        return cls(*span, code.words.format(detail), code)

    @property
    def span(self) -> Span:
        """The place in the URL."""
        return Span(self.start, self.end)


DECEIVING = frozenset((
    CautionCode.USER_LIKE_HOST, CautionCode.MIXED_SCRIPTS, CautionCode.LOOKALIKE, CautionCode.ENCODED_HOST,
    CautionCode.LIKE_DELIMITER, CautionCode.ADDRESS_AS_NUMBER, CautionCode.INVISIBLE,
))  # fmt: skip
"""The warnings that a host is not what it seems."""
# A host with a top-level domain of letters, and without A-labels, user name and port.
_PLAIN_HOST = lazy_re(
    r"(?:https?|ftp)://(?![^/?#]*xn--)(?>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+)[a-z]{2,63}(?=[/?#]|\Z)(?!.*\\)"
)


def has_plain_host(url: str) -> bool:
    """Return whether a URL has a host of which there can be no warning, as most have."""
    return url.isascii() and url.isprintable() and _PLAIN_HOST.match(url) is not None


_WELL_KNOWN = 1024
# Schemes in which browsers read a backslash as a slash: URL Standard (WHATWG), section 4.2, "special scheme"
_SPECIAL = frozenset(("ftp", "file", "http", "https", "ws", "wss"))


def cautions_of(url: UrlBase) -> tuple[Caution, ...]:
    """Return the warnings about a URL, in the order of the text."""
    return tuple(sorted({*_authority_cautions(url), *_text_cautions(url)}))


# What is wherever it is

_BEFORE_QUERY = lazy_re(r"[^?#]*+")
_CONTROLS = lazy_re(r"[\x00-\x1f\x7f-\x9f]+")
_BACKSLASHES = lazy_re(r"\\+")
_FILE_HOST = lazy_re(r"[^:]*+:[/\\\s]*+(?![A-Za-z][:|])[^/\\?#]*+")
# Characters of Unicode's Default_Ignorable_Code_Point that nothing shows and no language needs: no
# variation selectors, which choose the form of a sign, and no joiners between letters or pictures.
_UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
_JOINED = rf"[^\x00-\x7f\u200c\u200d{_UNSEEN}]"
_INVISIBLE = lazy_re(rf"(?:[{_UNSEEN}]|(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED}))+")


def _text_cautions(url: UrlBase) -> Iterator[Caution]:
    text = url.text
    end = len(text.rstrip(BLANK_OR_CONTROL))
    if url.scheme == "url":  # RFC 1738, appendix
        yield Caution.of(CautionCode.LABEL, (0, 4))
    acted_on = [match.span() for place in url._acted_on() for match in ACTED_ON.finditer(text, *place)]
    yield from (Caution.of(CautionCode.ACTED_ON, place) for place in acted_on)
    told = {start for start, _ in acted_on}
    for match in _CONTROLS.finditer(text, 0, end):
        if match.start() not in told:
            yield Caution.of(CautionCode.CONTROL, match.span())
    for match in () if text.isascii() else _INVISIBLE.finditer(text, 0, end):
        yield Caution.of(CautionCode.INVISIBLE, match.span())
    if url.scheme in _SPECIAL:  # in the path of a file, everyone on Windows writes backslashes
        before = (_FILE_HOST if url.scheme == "file" else _BEFORE_QUERY).match(text)
        for match in _BACKSLASHES.finditer(text, 0, before.end()) if before else ():
            yield Caution.of(CautionCode.BACKSLASH, match.span())


# Authorities


def _authority_cautions(url: UrlBase) -> Iterator[Caution]:
    """Yield the warnings about user, password, host and port; tabs and line ends in them do not count."""
    user, password, host, _ = ((part or "").translate(IGNORED_IN_URLS) for part in url._login)
    if password:
        yield Caution.of(CautionCode.PASSWORD, span_of(url, "password"))
    if user and _looks_like_host(user, has_login=url._LOGIN):  # RFC 3986, section 7.6
        yield Caution.of(CautionCode.USER_LIKE_HOST, span_of(url, "user"))
    if host:
        yield from _host_cautions(url, host, span_of(url, "host"))
    if url.port is not None and url.port < _WELL_KNOWN and url.default_port not in (None, url.port):
        yield Caution.of(CautionCode.LOW_PORT, span_of(url, "port"))


_HOST_FIRST = lazy_re(r"(?:www|ftp)\.[\w-]")


def _looks_like_host(user: str, *, has_login: bool) -> bool:
    """Return whether a user name looks like a host; "john.smith" does not where users are common."""
    name = decoded_text(user[:_LONGEST]).translate(FULL_STOPS).lower().rstrip("\\/")
    if not has_login:
        return "." in name
    labels = name.split(".")
    if "@" in name or not all(labels) or len(labels) < 2:
        return False
    last = labels[-1]
    is_long = len(labels) > 2 and last.isascii() and tld_of(last) is not None
    return is_long or last in OLDEST or _HOST_FIRST.match(name) is not None


_LONGEST = 1_024
# An IPv4 address in a form that old programs accept: fewer than four numbers, or octal or hexadecimal ones.
_ADDRESS_IN_NUMBERS = lazy_re(
    r"(?!(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){3}\.?\Z)(?:(?:0[xX][0-9A-Fa-f]*|[0-9]+)(?:\.|\.?\Z)){1,4}\Z"
)
# URL Standard (WHATWG), section 3.5, "ends in a number checker": such a host must be an IPv4 address.
_ENDS_IN_NUMBER = lazy_re(r"(?<![^.])(?:0x[0-9a-f]*|[0-9]+)\.?\Z")
_DRIVE = lazy_re(r"[A-Za-z][:|]?\Z")  # where a host would be: "file://C|/x"
_NEEDLESS_ESCAPE = lazy_re(r"%(?:2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff])")


def _host_cautions(url: UrlBase, host: str, span: Span) -> Iterator[Caution]:
    if host.startswith("[") or (url.scheme == "file" and _DRIVE.match(host)):
        return
    written = decoded_text(host) if "%" in host else host
    is_plain = written.isascii() and "xn--" not in written.lower()
    name = written.lower() if is_plain else to_ascii(written)
    shown = written if is_plain else to_unicode(name or written)
    if not shown.isascii():
        yield from _letter_cautions(shown, span)
    if name and _NEEDLESS_ESCAPE.search(host):
        yield Caution.of(CautionCode.ENCODED_HOST, span, name[:LONGEST_NAME])
    elif name and _is_written_oddly(written, name):
        yield Caution.of(CautionCode.REPLACED_CHARACTERS, span, name[:LONGEST_NAME])
    if _INVISIBLE.search(written) and "%" in host:
        yield Caution.of(CautionCode.INVISIBLE, span)
    for match in _LIKE_DELIMITERS.finditer(shown if written.isascii() else written):
        yield Caution.of(CautionCode.LIKE_DELIMITER, span, match.group())
    if _ADDRESS_IN_NUMBERS.match(name or written):
        yield Caution.of(CautionCode.ADDRESS_AS_NUMBER, span)
    if (url.scheme in SCHEMES or url.scheme in _SPECIAL) and (name is None or _is_no_name(name)):
        yield Caution.of(CautionCode.NO_HOST_NAME, span)


def _letter_cautions(shown: str, span: Span) -> Iterator[Caution]:
    """Yield the warnings about the letters of a host in U-labels.

    A host whose top-level domain is not ASCII looks like no ASCII host.
    """
    if scripts := mixed_scripts(shown):
        yield Caution.of(CautionCode.MIXED_SCRIPTS, span, ", ".join(scripts))
    labels = shown.removesuffix(".").split(".")
    drawn = [drawn_in_ascii(label) for label in labels]
    if any(drawn) and labels[-1].isascii():
        looks_like = ".".join(each or label for each, label in zip(drawn, labels, strict=True))
        yield Caution.of(CautionCode.LOOKALIKE, span, looks_like)


# Characters drawn like "/", "?", ":" and the backslash (Unicode's confusables.txt) that browsers accept in
# hosts: with them "www.bank.example" seems to be all of a longer host.
_LIKE_DELIMITERS = lazy_re("[\u01c3\u0294\u02d0\ua789\u2044\u2215\u2571\u2572\u27cb\u29f5\u29f8\u29f9]")


def _is_written_oddly(written: str, name: str) -> bool:
    """Return whether a host, or a label of it, has characters beyond ASCII that are read as ASCII."""
    if written.isascii() or "xn--" not in name:
        return not written.isascii()
    pairs = zip(written.translate(FULL_STOPS).split("."), name.split("."), strict=False)
    return any(not label.isascii() and not looked_up.startswith("xn--") for label, looked_up in pairs)


# RFC 1035, section 2.3.4: a label has 1 to 63 octets, a name 255 with its length octets, which are 253
# characters. Letters, digits and "-" are in the names of hosts (RFC 1123, section 2.1), and "_" in many
# names that resolve. "-" at the beginning or end of a label resolves, too.
_NAME = lazy_re(r"(?>(?:[a-z0-9_-]{1,63}+(?:\.|\Z))+)\Z")


def _is_no_name(name: str) -> bool:
    """Return whether no host of the DNS can have a name, which is in lower case."""
    if len(name.removesuffix(".")) > LONGEST_NAME or not _NAME.match(name):
        return True
    is_address = _ADDRESS_IN_NUMBERS.match(name) or address_of(name.removesuffix("."))
    return _ENDS_IN_NUMBER.search(name) is not None and not is_address
