"""Names of hosts in other scripts: IDNA 2008, through the ``idna`` package."""

from __future__ import annotations

from functools import lru_cache

from urlextract.grammar.patterns import later
from urlextract.schemes.escapes import decoded_text

__all__ = ["mixed_scripts", "to_ascii", "to_unicode"]

_MARK = "xn--"  # of an A-label: RFC 5890, section 2.3.1
_LONGEST = 1_024  # characters; no name of a host comes near
_DELIMITER = later(r"[\s\x00-\x20/?#@:\[\]%\\]")
# Scripts that are written together: Japanese, Chinese and Korean, each with Latin.
_TOGETHER = (
    {"Latin", "Han", "Hiragana", "Katakana"},
    {"Latin", "Han", "Bopomofo"},
    {"Latin", "Han", "Hangul"},
)
_SCRIPTS = (
    "Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Devanagari", "Thai", "Georgian",
    "Cherokee", "Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Bengali", "Tamil", "Telugu",
    "Kannada", "Malayalam", "Gujarati", "Gurmukhi", "Sinhala", "Lao", "Khmer", "Myanmar", "Ethiopic",
    "Tibetan", "Mongolian", "Coptic", "Canadian_Aboriginal", "Syriac", "Thaana", "Oriya",
)  # fmt: skip


def to_ascii(host: str) -> str | None:
    """Give a host with A-labels, None if it can have none; what is ASCII stays as it is.

    >>> to_ascii("bücher.example"), to_ascii("Example.ORG"), to_ascii("bü cher")
    ('xn--bcher-kva.example', 'Example.ORG', None)
    """
    if host.startswith("["):
        return host
    if "%" in host:  # RFC 3986, section 3.2.2: the UTF-8 of a name, encoded
        host = decoded_text(host)
    if len(host) > _LONGEST or _DELIMITER.search(host):
        return None
    if not host.isascii():
        return _encoded(host)
    labels = host.removesuffix(".").lower().split(".")
    is_sound = all(0 < len(label) < 64 for label in labels)
    return host if is_sound and all(map(_may_stand, labels)) else None


def _encoded(host: str) -> str | None:
    import idna  # noqa: PLC0415 - names in ASCII pay for no tables

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return None


def _may_stand(label: str) -> bool:
    """Say whether a label is no A-label, or one that stands for something."""
    return not label.startswith(_MARK) or _decoded(label) is not None


def _decoded(label: str) -> str | None:
    import idna  # noqa: PLC0415 - as above

    try:
        return idna.decode(label)
    except (idna.IDNAError, UnicodeError):
        return None


def to_unicode(host: str) -> str:
    """Give a host with U-labels where its A-labels stand for some.

    >>> to_unicode("xn--bcher-kva.example"), to_unicode("xn--.example")
    ('bücher.example', 'xn--.example')
    """
    if "%" in host and not host.startswith("["):
        host = decoded_text(host)
    if _MARK not in host.lower() or len(host) > _LONGEST:
        return host
    return ".".join(map(_unicode_label, host.split(".")))


def _unicode_label(label: str) -> str:
    lower = label.lower()
    return (_decoded(lower) if lower.startswith(_MARK) else None) or label


def mixed_scripts(host: str) -> tuple[str, ...]:
    """Give the scripts of a label that mixes some that nobody writes together.

    >>> mixed_scripts("pаypal.example"), mixed_scripts("bücher.例え.jp")
    (('Cyrillic', 'Latin'), ())
    """
    for label in host[:_LONGEST].split("."):
        if label.isascii():
            continue
        scripts = {script for char in label for script in _script_of(char)}
        if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
            return tuple(sorted(scripts))
    return ()


@lru_cache(maxsize=1_024)
def _script_of(char: str) -> tuple[str, ...]:
    """Give the script of a letter, nothing for what many scripts share."""
    import regex  # noqa: PLC0415 - for hosts beyond ASCII only

    match = regex.match("|".join(rf"(?P<{script}>\p{{{script}}})" for script in _SCRIPTS), char)
    return (match.lastgroup,) if match and match.lastgroup else ()
