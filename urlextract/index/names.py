r"""Names of files, as texts that every reader of SQLite accepts."""

from __future__ import annotations

import re

from urlextract.grammar.patterns import lazy_re


def kept_name(name: str) -> str:
    r"""Return a path or a name of a file as text that every reader of SQLite accepts.

    Bytes that are no UTF-8 are escapes; a name between slashes that has some, or what looks like one, has two
    backslashes for each of its own. So different names are kept as different texts.

    >>> kept_name("a\\b"), kept_name("a\\b/caf\udce9\\b"), kept_name(r"caf\xe9")
    ('a\\b', 'a\\b/caf\\xe9\\\\b', 'caf\\\\xe9')
    """
    if name.isascii() and "\\" not in name and "\0" not in name:
        return name
    return "/".join(_kept(each) for each in name.split("/")) if _ODD.search(name) else name


def _kept(name: str) -> str:
    return _CHARACTER.sub(_escaped, name.replace("\\", "\\\\")) if _ODD.search(name) else name


# NUL, and bytes that are no UTF-8, which a `str` has as lone surrogates; archives may have others
_CHARACTER = lazy_re("[\0\ud800-\udfff]")
_ODD = lazy_re("[\0\ud800-\udfff]|" + r"\\(?:\\|x[0-9a-f]{2}|u[0-9a-f]{4})")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code & 0xFF:02x}" if code == 0 or 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
