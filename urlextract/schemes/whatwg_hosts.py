"""Hosts as web browsers read them: WHATWG URL Standard, section 3.

A host is a domain, an IPv4 address in any of its spellings, an IPv6 address in brackets, or, in schemes
that are not special, an opaque host.
"""

from __future__ import annotations

from unicodedata import bidirectional, category

import idna

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.hosts import address_v6
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.escapes import decoded_text, escaped

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
