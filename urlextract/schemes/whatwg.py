"""Parse URLs as web browsers do: WHATWG URL Standard, section 3.5 for hosts, section 4.4 for URLs.

The standard describes a machine that reads one code point at a time. Here each of its states that
decides something is a function that reads a whole component. That is the same, because ``#`` ends every
component but the fragment, and ``?`` every component before the query. So a text is cut at these first.

Nothing is a syntax error for a browser that it can guess to mean something. What it guesses is in the
text of the value, what was written is in `Url.given`, and `Url.warnings` tells of the difference.
"""

from __future__ import annotations

from typing import NamedTuple
from unicodedata import bidirectional, category

import idna

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.chars import BLANK_OR_CONTROL, IGNORED_IN_URLS
from urlextract.grammar.hosts import address_v6
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.authority import Places
from urlextract.schemes.escapes import decoded_text, escaped

# Hosts as web browsers read them: WHATWG URL Standard, section 3.
#
# A host is a domain, an IPv4 address in any of its spellings, an IPv6 address in brackets, or, in schemes
# that are not special, an opaque host.


_LONGEST = 1_024  # characters of a domain for which the tables of IDNA are consulted
_LONGEST_NUMBER = 40  # digits; 2**32 has 12 in base 8, and `int` takes quadratic time
_MARK = "xn--"

# Section 3.2, "forbidden host code point" and "forbidden domain code point"
_FORBIDDEN = lazy_re(r"[\x00\t\n\r #/:<>?@\[\\\]^|]")
_FORBIDDEN_IN_DOMAIN = lazy_re(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")
_CONTROL = lazy_re(r"[^\x20-\x7e]+")  # section 1.3, "C0 control percent-encode set"

_LONGEST_V6 = 45  # characters: six pieces, and an IPv4 address for the last two
_RUN_OF_ZEROS = lazy_re(r"\b0(?::0)+\b")
_NUMERIC = lazy_re(r"(?:0x[0-9a-f]*|[0-9]+)\Z")


def host_of(text: str, *, is_special: bool) -> str:
    """Return the host that ``text`` is read as, serialized: sections 3.5 and 3.6.

    Raise `UrlSyntaxError`, with the place in ``text``, for a host that the standard rejects.

    >>> host_of("0x7F.1", is_special=True), host_of("ＥＸ%41mple。org", is_special=True)
    ('127.0.0.1', 'example.org')
    >>> host_of("[1:0:0::2]", is_special=True), host_of("Ex%41mple", is_special=False)
    ('[1::2]', 'Ex%41mple')
    """
    if text.startswith("["):
        return _address_v6_of(text)
    if not is_special:
        return _opaque_host_of(text)
    domain = decoded_text(text) if "%" in text else text
    name = domain_to_ascii(domain)
    if name is None:
        raise UrlSyntaxError("a host name that IDNA does not allow", text, (0, len(text)))
    if not name:
        raise UrlSyntaxError("no host", text, (0, len(text)))
    forbidden = _FORBIDDEN_IN_DOMAIN.search(name)
    if forbidden:
        start = text.find(forbidden[0])
        place = (start, start + 1) if start >= 0 else (0, len(text))
        raise UrlSyntaxError("a character that is not allowed in a host", text, place)
    return _address_v4_of(name, text) if ends_in_number(name) else name


def _opaque_host_of(text: str) -> str:
    """Return the host of a scheme that is not special: section 3.5, "opaque-host parser"."""
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        raise UrlSyntaxError("a character that is not allowed in a host", text, forbidden.span())
    return _CONTROL.sub(escaped, text)


# Section 3.3, "domain to ASCII", with its argument beStrict false: UTS #46, section 4.2, "ToASCII", with
# CheckBidi and CheckJoiners, but without CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength.


def domain_to_ascii(domain: str) -> str | None:
    """Return a domain as it is looked up: in lower case, with A-labels; None if IDNA does not allow it.

    This is the processing of UTS #46, which allows more than IDNA 2008 does, such as "_" and emoji.
    The name is not checked for the length of its labels. A domain of more than 1,024 characters that
    needs the tables of IDNA is not allowed.

    >>> domain_to_ascii("Bücher.Example"), domain_to_ascii("xn--a.example"), domain_to_ascii("a_b")
    ('xn--bcher-kva.example', None, 'a_b')
    """
    if domain.isascii():
        name = domain.lower()
        if _MARK not in name:
            return name
    if len(domain) > _LONGEST:
        return None
    mapped = _mapped(domain)
    if mapped is None:
        return None
    labels = [_decoded(label) if label.startswith(_MARK) else label for label in mapped.split(".")]
    is_bidi = _is_bidi(mapped) or any(_is_bidi(label) for label in labels if label)
    names = [_encoded(label, is_bidi=is_bidi) for label in labels if label is not None]
    sound = [name for name in names if name is not None]
    return ".".join(sound) if len(sound) == len(labels) else None


def _mapped(domain: str) -> str | None:

    try:
        return idna.uts46_remap(domain, std3_rules=False)
    except (idna.IDNAError, UnicodeError):
        return None


def _decoded(label: str) -> str | None:
    """Return the U-label of an A-label, None if there is none."""
    try:
        decoded = label[len(_MARK) :].encode("ascii").decode("punycode")
        is_canonical = _punycode(decoded) == label
    except (UnicodeError, OverflowError):
        return None
    is_sound = not decoded.isascii() and is_canonical and not decoded.startswith(_MARK)
    return decoded if is_sound and _mapped(decoded) == decoded else None


def _punycode(label: str) -> str:
    return f"{_MARK}{label.encode('punycode').decode('ascii')}"


def _is_bidi(text: str) -> bool:
    """Return whether a text has a character that is written from right to left: RFC 5893, section 2."""
    return not text.isascii() and any(bidirectional(char) in ("R", "AL", "AN") for char in text)


def _encoded(label: str, *, is_bidi: bool) -> str | None:
    """Return the A-label of a mapped label, None if the label is not valid: UTS #46, section 4.1."""
    if not label or (label.isascii() and not is_bidi):
        return label
    if category(label[0]).startswith("M"):
        return None
    try:
        joined = all(
            idna.valid_contextj(label, at) for at, char in enumerate(label) if char in "\u200c\u200d"
        )
        if not joined or (is_bidi and not idna.check_bidi(label, check_ltr=True)):
            return None
    except (idna.IDNAError, ValueError):
        return None
    return label if label.isascii() else _punycode(label)


# Section 3.5, "ends in a number checker", "IPv4 parser", "IPv4 number parser"


def ends_in_number(name: str) -> bool:
    """Return whether the last label of a name in lower case is a number, so that it must be an address.

    >>> ends_in_number("0x7f.1."), ends_in_number("1.example"), ends_in_number("a.09")
    (True, False, True)
    """
    last = name.removesuffix(".").rpartition(".")[2]
    return _NUMERIC.match(last) is not None


def _address_v4_of(name: str, text: str) -> str:
    numbers = [_number_of(label) for label in name.removesuffix(".").split(".", 4)]
    values = [number for number in numbers if number is not None]
    is_sound = len(values) == len(numbers) <= 4
    *first, last = values or [0]
    if not is_sound or any(number > 255 for number in first) or last >= 256 ** (5 - len(numbers)):
        raise UrlSyntaxError("a number that is not an IPv4 address", text, (0, len(text)))
    address = last + sum(number << (24 - 8 * index) for index, number in enumerate(first))
    return ".".join(str(octet) for octet in address.to_bytes(4, "big"))


def _number_of(label: str) -> int | None:
    """Return a number in decimal, octal ("0") or hexadecimal ("0x") notation, None if it is none."""
    if _NUMERIC.match(label) is None:
        return None
    if label.startswith("0x"):
        base, digits = 16, label[2:].lstrip("0")
    else:
        base, digits = 8 if label.startswith("0") else 10, label.lstrip("0")
    try:
        return int(digits or "0", base) if len(digits) <= _LONGEST_NUMBER else 1 << 32
    except ValueError:
        return None


# Section 3.5, "IPv6 parser"; section 3.6, "IPv6 serializer"


def _address_v6_of(text: str) -> str:
    if not text.endswith("]"):
        raise UrlSyntaxError("a bracket that is not closed", text, (0, len(text)))
    inside = text[1:-1]
    address = address_v6(inside) if len(inside) <= _LONGEST_V6 and "%" not in inside else None
    if address is None:
        raise UrlSyntaxError("brackets that hold no IPv6 address", text, (0, len(text)))
    number = int(address)
    pieces = ":".join(f"{number >> shift & 0xFFFF:x}" for shift in range(112, -1, -16))
    runs = [match.span() for match in _RUN_OF_ZEROS.finditer(pieces)]
    if not runs:
        return f"[{pieces}]"
    start, end = max(runs, key=lambda run: run[1] - run[0])
    return f"[{pieces[:start].removesuffix(':')}::{pieces[end:].removeprefix(':')}]"


# Parse URLs as web browsers do: WHATWG URL Standard, section 4.4, "basic URL parser".
#
# The standard describes a machine that reads one code point at a time. Here each of its states that
# decides something is a function that reads a whole component. That is the same, because ``#`` ends every
# component but the fragment, and ``?`` every component before the query. So a text is cut at these first.
#
# Nothing is a syntax error for a browser that it can guess to mean something. What it guesses is in the
# text of the value, what was written is in `Url.given`, and `Url.warnings` tells of the difference.


DEFAULT_PORTS: dict[str, int | None] = {
    "ftp": 21, "file": None, "http": 80, "https": 443, "ws": 80, "wss": 443,
}  # fmt: skip
"""The special schemes and their default ports: section 4.2."""

_GREATEST_PORT = 65_535

_SURROGATE = lazy_re(r"[\ud800-\udfff]")
_SCHEME = lazy_re(r"([A-Za-z][A-Za-z0-9+.-]*+):")
_SLASHES = lazy_re(r"[/\\]*+")
_SLASH = lazy_re(r"[/\\]")
_BEFORE_PORT = lazy_re(r"(?>(?:[^\[:]++|\[[^\]]*+\]?)*)")
_DRIVE = lazy_re(r"[A-Za-z][:|]\Z")  # section 4.2, "Windows drive letter"
_DRIVE_FIRST = lazy_re(r"[A-Za-z][:|](?:[/\\]|\Z)")
_LAST_BLANK = lazy_re(r" \Z")

# Section 1.3, the percent-encode sets. Unlike in the standard, runs are encoded at once.
_IN_OPAQUE_PATH = lazy_re(r"[^\x20-\x7e]+")
_IN_FRAGMENT = lazy_re(r"[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]+")
_IN_QUERY = lazy_re(r"[^\x21\x24-\x3b\x3d\x3f-\x7e]+")
_IN_SPECIAL_QUERY = lazy_re(r"[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]+")
_IN_PATH = lazy_re(r"[^\x21\x24-\x3b\x3d\x40-\x5d\x5f\x61-\x7a\x7c\x7e]+")
_IN_USERINFO = lazy_re(r"[^\x21\x24-\x2e0-9A-Z_a-z~]+")

# Section 4.2, "single-dot URL path segment" and "double-dot URL path segment"
_SINGLE_DOT = (".", "%2e")
_DOUBLE_DOT = ("..", ".%2e", "%2e.", "%2e%2e")


class Record(NamedTuple):
    """A URL record: section 4.1. A path that is a text is opaque."""

    scheme: str
    user: str = ""
    password: str = ""
    host: str | None = None
    port: int | None = None
    path: tuple[str, ...] | str = ()
    query: str | None = None
    fragment: str | None = None


def serialized(record: Record) -> str:
    """Return the text of a record: section 4.5, "URL serializer".

    >>> serialized(Record("http", host="a.example", path=("b", "")))
    'http://a.example/b/'
    """
    path = record.path if isinstance(record.path, str) else "".join(f"/{part}" for part in record.path)
    if record.host is not None:
        login = record.user + (f":{record.password}" if record.password else "")
        port = "" if record.port is None else f":{record.port}"
        path = f"//{login}{'@' if login else ''}{record.host}{port}{path}"
    elif path.startswith("//") and not isinstance(record.path, str):
        path = f"/.{path}"  # otherwise its second segment would be the host
    query = "" if record.query is None else f"?{record.query}"
    fragment = "" if record.fragment is None else f"#{record.fragment}"
    return f"{record.scheme}:{path}{query}{fragment}"


def href_of(text: str) -> str:
    r"""Return the absolute URL that a browser reads in ``text``; raise `UrlSyntaxError` if there is none.

    >>> href_of(" HTTP:\\\\Ex%41mple.org:80/a/%2e./b\n c?d"), href_of("http:2130706433")
    ('http://example.org/b%20c?d', 'http://127.0.0.1/')
    """
    return serialized(Reading(text).record)


def resolved(base: str, reference: str) -> str:
    """Return the URL that a browser reads in ``reference`` on a page at ``base``.

    Raise `UrlSyntaxError` if ``base`` or ``reference`` cannot be read.

    >>> resolved("http://a.example/b/c", "https:d"), resolved("http://a.example/b/c", "http:d")
    ('https://d/', 'http://a.example/b/d')
    """
    return serialized(Reading(reference, Reading(base).record).record)


class Reading:
    """One text, read by the basic URL parser: its record, and the places of the parts in the text.

    Places count characters of the text as it was given.
    """

    def __init__(self, given: str, base: Record | None = None) -> None:
        self.given = given
        self.start = len(given) - len(given.lstrip(BLANK_OR_CONTROL))
        self.end = max(self.start, len(given.rstrip(BLANK_OR_CONTROL)))
        whole = given[self.start : self.end]
        self.text = _SURROGATE.sub("\ufffd", whole.translate(IGNORED_IN_URLS))
        self._is_cut = len(self.text) < len(whole)
        self._kept: list[int] = []
        self._base = base
        hash_ = self.text.find("#")
        self._query_end = len(self.text) if hash_ < 0 else hash_
        mark = self.text.find("?", 0, self._query_end)
        self.path_end = self._query_end if mark < 0 else mark
        self.slashes: tuple[int, int] | None = None
        self.places = Places()
        self.record = self._read()

    # Places

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the given text of a range of characters of ``text``."""
        if not self._is_cut:
            return self.start + start, self.start + end
        if not self._kept:
            self._kept = [at for at in range(self.start, self.end) if self.given[at] not in "\t\n\r"]
            self._kept.append(self.end)
        first = self._kept[start]
        return first, self._kept[end - 1] + 1 if end > start else first

    def _error(self, message: str, start: int, end: int) -> UrlSyntaxError:
        return UrlSyntaxError(message, self.given, self.place(start, end))

    # "Scheme start state", "scheme state", "no scheme state"

    def _read(self) -> Record:
        match = _SCHEME.match(self.text, 0, self.path_end)
        if match is None:
            return self._without_scheme()
        scheme, at = match[1].lower(), match.end()
        if scheme == "file":
            return self._file(at)
        has_slashes = self.text.startswith("//", at)
        if scheme in DEFAULT_PORTS:
            # "special relative or authority state", "special authority slashes state"
            if self._base and self._base.scheme == scheme and not has_slashes:
                return self._relative(self._base, at)
            return self._with_authority(scheme, at, self._after_slashes(at))
        if has_slashes:  # "path or authority state"
            return self._with_authority(scheme, at, at + 2)
        if self.text.startswith("/", at):
            return self._finished(Record(scheme, path=self._segments(scheme, at + 1)))
        return self._finished(Record(scheme, path=self._opaque_path(at)))

    def _without_scheme(self) -> Record:
        base = self._base
        if base is None:
            raise self._error("no scheme", 0, min(1, len(self.text)))
        if isinstance(base.path, str):
            if not self.text.startswith("#"):
                raise self._error("a relative reference to a base that has no hierarchy", 0, len(self.text))
            return base._replace(fragment=self._fragment())
        return self._file(0) if base.scheme == "file" else self._relative(base, 0)

    def _after_slashes(self, at: int) -> int:
        """Return where the authority begins: "special authority ignore slashes state"."""
        match = _SLASHES.match(self.text, at, self.path_end)
        return match.end() if match else at

    def _is_slash(self, at: int, scheme: str) -> bool:
        char = self.text[at : min(at + 1, self.path_end)]
        return char == "/" or (char == "\\" and scheme in DEFAULT_PORTS)

    # "Relative state", "relative slash state"

    def _relative(self, base: Record, at: int) -> Record:
        scheme = base.scheme
        if self._is_slash(at, scheme):
            if self._is_slash(at + 1, scheme):
                is_special = scheme in DEFAULT_PORTS
                return self._with_authority(scheme, at, self._after_slashes(at) if is_special else at + 2)
            return self._finished(base._replace(path=self._segments(scheme, at + 1)))
        return self._beside(base, at, _shortened(base.path, scheme))

    def _beside(self, base: Record, at: int, kept: tuple[str, ...]) -> Record:
        """Return the record of a relative path, which begins with the segments ``kept`` of the base."""
        if at < self.path_end:
            return self._finished(base._replace(path=self._segments(base.scheme, at, kept)))
        if self.path_end < self._query_end:
            return self._finished(base)
        return base._replace(fragment=self._fragment())

    # "File state", "file slash state", "file host state"

    def _file(self, at: int) -> Record:
        base = self._base if self._base and self._base.scheme == "file" else None
        if self._is_slash(at, "file"):
            if self._is_slash(at + 1, "file"):
                return self._with_file_host(at + 2)
            first = base.path[:1] if base and isinstance(base.path, tuple) else ()
            is_kept = first and _DRIVE.match(first[0]) and not self._has_drive(at + 1)
            path = self._segments("file", at + 1, first if is_kept else ())
            return self._finished(Record("file", host=base.host if base else "", path=path))
        if base is None:
            return self._finished(Record("file", host="", path=self._segments("file", at)))
        return self._beside(base, at, () if self._has_drive(at) else _shortened(base.path, "file"))

    def _has_drive(self, at: int) -> bool:
        """Return whether a Windows drive letter begins at ``at``: section 4.2."""
        return _DRIVE_FIRST.match(self.text, at, self.path_end) is not None

    def _with_file_host(self, at: int) -> Record:
        match = _SLASH.search(self.text, at, self.path_end)
        end = match.start() if match else self.path_end
        self.slashes = at - 2, at
        if _DRIVE.match(self.text[at:end]):
            return self._finished(Record("file", host="", path=self._segments("file", at)))
        host = self._host("file", at, end) if end > at else ""
        path = self._path_after_authority("file", end)
        return self._finished(Record("file", host="" if host == "localhost" else host, path=path))

    # "Authority state", "host state", "port state"

    def _with_authority(self, scheme: str, slashes: int, start: int) -> Record:
        """Return the record of a URL whose authority begins at ``start``, its slashes at ``slashes``."""
        if scheme in DEFAULT_PORTS:
            match = _SLASH.search(self.text, start, self.path_end)
            end = match.start() if match else self.path_end
        else:
            end = self.text.find("/", start, self.path_end)
            end = self.path_end if end < 0 else end
        self.slashes = slashes, start
        at = self.text.rfind("@", start, end)
        user, password = self._login(start, at)
        if 0 <= at == end - 1:
            raise self._error('no host after "@"', end, end)
        host, port = self._hostport(scheme, at + 1 if at >= 0 else start, end)
        path = self._path_after_authority(scheme, end)
        return self._finished(Record(scheme, user, password, host, port, path))

    def _login(self, start: int, end: int) -> tuple[str, str]:
        if end < 0:
            return "", ""
        user, colon, password = self.text[start:end].partition(":")
        middle = start + len(user)
        self.places = self.places._replace(
            user=self.place(start, middle), password=self.place(middle + 1, end) if colon else None
        )
        return _IN_USERINFO.sub(escaped, user), _IN_USERINFO.sub(escaped, password)

    def _hostport(self, scheme: str, start: int, end: int) -> tuple[str, int | None]:
        match = _BEFORE_PORT.match(self.text, start, end)
        middle = match.end() if match else start
        if middle == start and (middle < end or scheme in DEFAULT_PORTS):
            raise self._error("no host", start, start)
        host = self._host(scheme, start, middle)
        return host, self._port(scheme, middle + 1, end) if middle < end else None

    def _host(self, scheme: str, start: int, end: int) -> str:
        self.places = self.places._replace(host=self.place(start, end))
        try:
            return host_of(self.text[start:end], is_special=scheme in DEFAULT_PORTS)
        except UrlSyntaxError as error:
            low, high = error.span
            raise self._error(error.message, start + low, start + high) from None

    def _port(self, scheme: str, start: int, end: int) -> int | None:
        digits = self.text[start:end]
        self.places = self.places._replace(port=self.place(start, end))
        if not digits:
            return None
        if not (digits.isascii() and digits.isdigit()):
            raise self._error("port is not a number", start, end)
        digits = digits.lstrip("0") or "0"
        port = int(digits) if len(digits) <= 5 else _GREATEST_PORT + 1
        if port > _GREATEST_PORT:
            raise self._error("port out of range", start, end)
        return None if port == DEFAULT_PORTS.get(scheme) else port

    # "Path start state", "path state", "opaque path state", "query state", "fragment state"

    def _path_after_authority(self, scheme: str, at: int) -> tuple[str, ...]:
        if at == self.path_end and scheme not in DEFAULT_PORTS:
            return ()
        return self._segments(scheme, at + 1 if at < self.path_end else at)

    def _segments(self, scheme: str, start: int, kept: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the path that begins at ``start`` without its first slash, after the segments ``kept``."""
        text = self.text[start : self.path_end]
        path = list(kept)
        segments = (text.replace("\\", "/") if scheme in DEFAULT_PORTS else text).split("/")
        last = len(segments) - 1
        for index, segment in enumerate(segments):
            lower = segment.lower() if len(segment) <= 6 else ""
            if lower in _DOUBLE_DOT or lower in _SINGLE_DOT:
                if lower in _DOUBLE_DOT:
                    _shorten(path, scheme)
                if index == last:
                    path.append("")
            elif scheme == "file" and not path and _DRIVE.match(segment):
                path.append(f"{segment[0]}:")
            else:
                path.append(_IN_PATH.sub(escaped, segment))
        return tuple(path)

    def _opaque_path(self, start: int) -> str:
        text = self.text[start : self.path_end]
        if self.path_end < len(self.text):  # a blank at the end of a URL would not be read back
            text = _LAST_BLANK.sub("%20", text)
        return _IN_OPAQUE_PATH.sub(escaped, text)

    def _finished(self, record: Record) -> Record:
        """Return the record with the query and the fragment of the text."""
        query = None
        if self.path_end < self._query_end:
            unsafe = _IN_SPECIAL_QUERY if record.scheme in DEFAULT_PORTS else _IN_QUERY
            query = unsafe.sub(escaped, self.text[self.path_end + 1 : self._query_end])
        return record._replace(query=query, fragment=self._fragment())

    def _fragment(self) -> str | None:
        if self._query_end == len(self.text):
            return None
        return _IN_FRAGMENT.sub(escaped, self.text[self._query_end + 1 :])


def _shorten(path: list[str], scheme: str) -> None:
    """Remove the last segment, unless it is the letter of a drive: section 4.2, "shorten a URL's path"."""
    if path and not (scheme == "file" and len(path) == 1 and _DRIVE.match(path[0])):
        path.pop()


def _shortened(path: tuple[str, ...] | str, scheme: str) -> tuple[str, ...]:
    kept = list(path)
    _shorten(kept, scheme)
    return tuple(kept)
