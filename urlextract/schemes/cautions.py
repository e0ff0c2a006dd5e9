r"""Warnings about a URL that is valid but may be unsafe, or may deceive people: RFC 1738, section 6.

They are found in the text as it was given, and so they do not depend on the rules by which it was
parsed. Where RFC 3986 and the WHATWG URL Standard read different hosts, as in
``http://a.example\@b.example/``, those of the rules that were used are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import category

import idna

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.chars import BLANK_OR_CONTROL, IGNORED_IN_URLS
from urlextract.grammar.confusables import drawn_in_ascii
from urlextract.grammar.hosts import FULL_STOPS, LONGEST_LABEL
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES
from urlextract.grammar.tlds import OLDEST, tld_of
from urlextract.records import Span
from urlextract.schemes.authority import Places, mixed_scripts, to_unicode
from urlextract.schemes.components import UrlBase, split_parts
from urlextract.schemes.escapes import ACTED_ON, decoded_text
from urlextract.schemes.validation import Caution, CautionCode
from urlextract.schemes.whatwg import DEFAULT_PORTS, Reading, domain_to_ascii, ends_in_number

_WELL_KNOWN = 1024


class _Given(NamedTuple):
    """A text as it was given, with the places in it that a reader found."""

    text: str
    start: int
    """The offset of the URL, after blanks."""
    end: int
    path_end: int
    """The offset of the query or the fragment."""
    slashes: tuple[int, int] | None
    """The place between scheme and authority, if browsers read an authority there."""
    places: Places
    acted_on: tuple[tuple[int, int], ...]
    """The places of line ends and NUL, encoded or not, that the protocol would act on."""

    def part(self, place: tuple[int, int] | None) -> str | None:
        """Return the text at a place, without the tabs and line ends that browsers remove."""
        return None if place is None else self.text[slice(*place)].translate(IGNORED_IN_URLS)


def cautions_of(url: UrlBase) -> tuple[Caution, ...]:
    """Return the warnings about a URL, in the order of the text that was given."""
    given = _as_parsed(url) if url.given == url.text else _as_browsers_read(url)
    found = {*_authority_cautions(url, given), *_text_cautions(url, given)}
    return tuple(sorted(found))


def _as_parsed(url: UrlBase) -> _Given:
    """Return the places that are those of the components of the URL."""
    text, start = url.text, url._host_start
    user, password, host, port = url._login
    places = Places()
    if host is not None:
        at = url._login_start
        end = start + len(host)
        places = Places(
            None if user is None else (at, at + len(user)),
            None if password is None else (start - 1 - len(password), start - 1),
            (start, end),
            None if port is None else (end + 1, end + 1 + len(port)),
        )
    end = len(text.rstrip(BLANK_OR_CONTROL))
    before_query = _BEFORE_QUERY.match(text)
    path_end = before_query.end() if before_query else 0
    return _Given(text, 0, end, path_end, None, places, tuple(_acted_on(url, text)))


def _acted_on(url: UrlBase, text: str) -> Iterator[tuple[int, int]]:
    for start, end in url._acted_on():
        yield from (match.span() for match in ACTED_ON.finditer(text, start, end))


def _as_browsers_read(url: UrlBase) -> _Given:
    reading = Reading(url.given)
    return _Given(
        reading.given,
        reading.start,
        reading.end,
        reading.place(0, reading.path_end)[1],
        reading.place(*reading.slashes) if reading.slashes else None,
        reading.places,
        tuple(reading.place(*place) for place in _acted_on_in(url, reading.text)),
    )


def _acted_on_in(url: UrlBase, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places in a text that has only been trimmed; ``url`` may have another path."""
    try:
        yield from _acted_on(type(url)._read(text, split_parts(text)), text)
    except UrlSyntaxError:  # only a browser reads it
        if url._IS_ACTED_ON:
            yield from (match.span() for match in ACTED_ON.finditer(text))


# What is wherever it is


_BEFORE_QUERY = lazy_re(r"[^?#]*+")
_LINE_ENDS = lazy_re(r"[\t\n\r]+")
_CONTROLS = lazy_re(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+")
_BACKSLASHES = lazy_re(r"\\+")
# Characters of Unicode's Default_Ignorable_Code_Point that nothing shows and no language needs: no
# variation selectors, which choose the form of a sign. Of the others, the joiners are checked below.
_UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
_INVISIBLE = lazy_re(f"[{_UNSEEN}\u200c\u200d]+")
_ALWAYS_INVISIBLE = lazy_re(f"[{_UNSEEN}]")
_NEIGHBOURS = 32  # characters on each side that decide whether a joiner has an effect


def _text_cautions(url: UrlBase, given: _Given) -> Iterator[Caution]:
    text, start, end = given.text, given.start, given.end
    if url.scheme == "url":  # RFC 1738, appendix
        yield Caution.of(CautionCode.LABEL, Span(start, start + 4))
    for place in given.acted_on:
        yield Caution.of(CautionCode.ACTED_ON, Span(*place))
    acted_on = {start for start, _ in given.acted_on}
    for match in _LINE_ENDS.finditer(text, start, end):
        if match.start() not in acted_on:
            yield Caution.of(CautionCode.LINE_END, Span(*match.span()))
    for match in _CONTROLS.finditer(text, start, end):
        if match.start() not in acted_on:
            yield Caution.of(CautionCode.CONTROL, Span(*match.span()))
    for match in () if text.isascii() else _INVISIBLE.finditer(text, start, end):
        if _ALWAYS_INVISIBLE.search(match.group()) or not _joins(text, *match.span()):
            yield Caution.of(CautionCode.INVISIBLE, Span(*match.span()))
    yield from _slash_cautions(url, given)


def _joins(text: str, start: int, end: int) -> bool:
    """Return whether the joiners in ``text[start:end]`` change how their neighbours are written.

    They do in Persian and in the scripts of India (RFC 5892, appendix A), and between pictures.
    """
    before, after = text[max(0, start - _NEIGHBOURS) : start], text[end : end + _NEIGHBOURS]
    if end - start > 1:
        return False
    try:
        if idna.valid_contextj(f"{before}{text[start]}{after}", len(before)):
            return True
    except ValueError:
        return False
    pictures = before.rstrip("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")[-1:], after[:1]
    return all(picture and category(picture) == "So" for picture in pictures)


def _slash_cautions(url: UrlBase, given: _Given) -> Iterator[Caution]:
    """Yield the backslashes that browsers read as slashes, and missing or additional slashes."""
    scheme, end = url.scheme, given.path_end
    if scheme not in DEFAULT_PORTS:
        return
    if scheme == "file":  # in a path, everyone on Windows writes them
        match = _FILE_HOST.match(given.text, given.start, end)
        end = match.end() if match else given.start
    for match in _BACKSLASHES.finditer(given.text, given.start, end):
        yield Caution.of(CautionCode.BACKSLASH, Span(*match.span()))
    slashes = given.part(given.slashes)
    if given.slashes and slashes is not None and slashes.replace("\\", "/") != "//":
        yield Caution.of(CautionCode.SLASHES, Span(*given.slashes))


_FILE_HOST = lazy_re(r"[^:]*+:[/\\\s]*+(?![A-Za-z][:|])[^/\\]*+")

# Authorities


def _authority_cautions(url: UrlBase, given: _Given) -> Iterator[Caution]:
    user, password, host, port = map(given.part, given.places)
    places = given.places
    if places.password and password:
        yield Caution.of(CautionCode.PASSWORD, Span(*places.password))
    if places.user and user and _looks_like_host(user, has_login=url._HAS_LOGIN):
        yield Caution.of(CautionCode.USER_LIKE_HOST, Span(*places.user))  # RFC 3986, section 7.6
    if places.host and host:
        yield from _host_cautions(url, host, Span(*places.host))
    own = url.default_port
    if places.port and port and port.isdigit() and own is not None:
        number = port.lstrip("0")
        if len(number) <= 4 and int(number or "0") < _WELL_KNOWN and int(number or "0") != own:
            yield Caution.of(CautionCode.LOW_PORT, Span(*places.port))


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
_ADDRESS = lazy_re(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.|\.?\Z)){4}\Z")
_DRIVE = lazy_re(r"[A-Za-z][:|]?\Z")  # where a host would be: "file://C|/x"
_NEEDLESS_ESCAPE = lazy_re(r"%(?:2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff])")


def _host_cautions(url: UrlBase, host: str, span: Span) -> Iterator[Caution]:
    if host.startswith("[") or (url.scheme == "file" and _DRIVE.match(host)):
        return
    written = decoded_text(host) if "%" in host else host
    name = domain_to_ascii(written)
    shown = to_unicode(written if name is None else name)
    scripts = mixed_scripts(shown)
    if scripts:
        yield Caution.of(CautionCode.MIXED_SCRIPTS, span, ", ".join(scripts))
    drawn = _drawn_in_ascii(shown)
    if drawn:
        yield Caution.of(CautionCode.LOOKALIKE, span, drawn)
    if name and _NEEDLESS_ESCAPE.search(host):
        yield Caution.of(CautionCode.ENCODED_HOST, span, name[:_SHOWN])
    elif name and _is_written_oddly(written, name):
        yield Caution.of(CautionCode.REPLACED_CHARACTERS, span, name[:_SHOWN])
    if _INVISIBLE.search(written) and "%" in host:
        yield Caution.of(CautionCode.INVISIBLE, span)
    for match in _LIKE_DELIMITERS.finditer(shown if written.isascii() else written):
        yield Caution.of(CautionCode.LIKE_DELIMITER, span, match.group())
    number = (written if name is None else name).lower()
    if _ADDRESS_IN_NUMBERS.match(number):
        yield Caution.of(CautionCode.ADDRESS_AS_NUMBER, span)
    if url.scheme in SCHEMES or url.scheme in DEFAULT_PORTS:
        yield from _name_cautions(host, name, span)


_SHOWN = 253
# Characters drawn like "/", "?", ":" and the backslash (Unicode's confusables.txt) that browsers accept in
# hosts: with them "www.bank.example" seems to be all of a longer host.
_LIKE_DELIMITERS = lazy_re("[\u01c3\u0294\u02d0\ua789\u2044\u2215\u2571\u2572\u27cb\u29f5\u29f8\u29f9]")


def _is_written_oddly(written: str, name: str) -> bool:
    """Return whether a host, or a label of it, has characters beyond ASCII that are read as ASCII."""
    if written.isascii():
        return False
    if "xn--" not in name:
        return True
    labels, names = written.translate(FULL_STOPS).split("."), name.split(".")
    pairs = zip(labels, names, strict=False) if len(labels) == len(names) else ()
    return any(not label.isascii() and not looked_up.startswith("xn--") for label, looked_up in pairs)


def _drawn_in_ascii(host: str) -> str | None:
    """Return the ASCII host that ``host`` looks like, None if none of its labels looks like ASCII.

    A host whose top-level domain is not ASCII is not checked.
    """
    labels = host.removesuffix(".").split(".")
    if host.isascii() or not labels[-1].isascii():
        return None
    drawn = [drawn_in_ascii(label) for label in labels]
    return ".".join(each or label for each, label in zip(drawn, labels, strict=True)) if any(drawn) else None


# RFC 1035, section 2.3.4: a label has 1 to 63 octets, a name 255 with its length octets, which are 253
# characters. Letters, digits and "-" are in the names of hosts (RFC 1123, section 2.1), and "_" in many
# names that resolve. "-" at the beginning or end of a label resolves, too.

_LONGEST_NAME = 253
_IN_NO_NAME = lazy_re(r"[^a-z0-9_.-]+")


def _name_cautions(host: str, name: str | None, span: Span) -> Iterator[Caution]:
    """Yield why no host of the DNS can have the name; ``host`` is as written, at ``span``."""
    if name is None:
        yield Caution.of(CautionCode.NOT_IDNA, span)
        return
    exact = host.isascii() and "%" not in host and span.end - span.start == len(host)
    for start, end, code in _faults_of(name):
        yield Caution.of(code, Span(span.start + start, span.start + end) if exact else span)


def _faults_of(name: str) -> Iterator[tuple[int, int, CautionCode]]:
    at = 0
    for label in name.removesuffix(".").split("."):
        if not label:
            yield at, at, CautionCode.EMPTY_LABEL
        elif len(label) > LONGEST_LABEL:
            yield at, at + len(label), CautionCode.LONG_LABEL
        at += len(label) + 1
    for match in _IN_NO_NAME.finditer(name):
        yield *match.span(), CautionCode.ODD_CHARACTER
    if len(name.removesuffix(".")) > _LONGEST_NAME:
        yield 0, len(name), CautionCode.LONG_HOST
    if ends_in_number(name) and not _ADDRESS.match(name) and not _ADDRESS_IN_NUMBERS.match(name):
        yield 0, len(name), CautionCode.ENDS_IN_NUMBER
