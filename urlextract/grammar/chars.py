"""Line ends, blanks, and the characters at the end of a URL.

Patterns are source texts, to be inserted into larger ones.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from urlextract.grammar.extensions import extension_of
from urlextract.grammar.marks import END_MARKS
from urlextract.grammar.patterns import lazy_re, lazy_regex

LINE_END = r"(?:\r{0,4}+\n|\r)"
"""One line end: LF, CRLF, the CR CR LF of a file that was converted twice, or a lone CR."""

BLANK_LINE = r"\n[ \t]*+\r?\n"
"""A blank line, with the end of the line before it. What decides about a URL never stands beyond one."""

BLANKS = " \t\v\f\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
"""Blanks that are removed inside a wrapper, as the inside of a class."""

BLANK_OR_CONTROL = "".join(map(chr, range(33)))
"""The blank and the C0 controls, which browsers ignore around a URL: URL Standard, section 4.4."""

IGNORED_IN_URLS = dict.fromkeys(map(ord, "\t\n\r"))
"""A table that removes what browsers ignore within a URL: tabs and line ends (section 4.4)."""

WHITESPACE = r"\s\u200b\ufeff"
"""Blanks and line ends, as the inside of a class."""

INSIDE = r"!#-;=?-\[\]-{}~"
"""Characters inside a bracket to which no rule applies, as the inside of a class.

Visible ASCII except < > " and the backslash, and except the bar, which a label may follow.
"""

UNSPACED = r"\u2e80-\ud7ff\uf900-\U0003ffff"
"""Characters of scripts without blanks, and their punctuation, as the inside of a class."""

ENTITY = (
    r"&(?:amp;)?(?:(?:lt|gt|quot|nbsp|[lr](?:[sd]|a)quo|hellip|mdash|bull"
    r"|#0{0,2}(?:9|10|13|32|34|60|62|160|171|187|82(?:1[267]|2[0126]|30))"
    r"|#[xX]0{0,2}(?:[9aAdD]|2[02]|3[cCeE]|[aA]0|[aAbB][bB]|20(?:1[489cCdDeE]|2[26])));"
    r"|(?:apos|#0{0,2}39|#[xX]0{0,2}27);(?!\w)|(?:amp|copy|reg|trade);(?=[.,;:!?')\]}]|\Z))"
)
"""Entities for markup, blanks and quotes: a bare URL ends before them."""

# Bytes that are not UTF-8 are lone surrogates U+DC80 to U+DCFF in decoded text.
# Mail that does not declare its charset is mostly Windows-1252.
STRAY_BYTES = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


_LAST_FRAME = "\u25ff"  # arrows, frames and blocks; pictures, which may be a whole path, come after them
_FIRST_UNSPACED = "\u2e80"
_BEYOND = r"\x80-\U0010ffff"


@lru_cache(maxsize=16)
def _end_marks(marks: str) -> Any:
    """Return the pattern of all marks at the end of a run; it is searched from the right."""
    frame = rf"[\x80-{_LAST_FRAME}&&[\p{{So}}\p{{Sm}}]]"
    glued = rf"(?:(?<=[\p{{L}}\p{{N}}])|(?<=/)(?={frame}))[{_BEYOND}&&[\p{{S}}\ufe0f]]+"
    return lazy_regex(rf"(?rV1)(?:[{re.escape(marks)}]|[{_BEYOND}&&[\p{{P}}\p{{No}}]]|{glued})*\Z")


def without_end_marks(run: str, marks: str = END_MARKS) -> str:
    """Return ``run`` without the punctuation at its end: of all scripts, and in ASCII ``marks``.

    Signs (arrows, hands, smileys) are removed if they are glued to a word. Those that are no
    pictures are also removed after a slash. Superscript digits of footnotes are removed, too.

    >>> without_end_marks("http://a.example/x).", END_MARKS + ")"), without_end_marks("http://a.example/é؟")
    ('http://a.example/x', 'http://a.example/é')
    >>> without_end_marks("http://a.example/x👈."), without_end_marks("http://a.example/│")
    ('http://a.example/x', 'http://a.example/')
    >>> without_end_marks("http://a.example/x¹"), without_end_marks("http://a.example/👍.")
    ('http://a.example/x', 'http://a.example/👍')
    """
    if run.isascii():
        return run.rstrip(marks)
    return run[: _end_marks(marks).search(run).start()]


_WHITESPACE = lazy_re(rf"[{WHITESPACE}]+")


def squeeze(text: str) -> str:
    r"""Return ``text`` without whitespace.

    >>> squeeze("ftp://ds.in\n  ternic.net/")
    'ftp://ds.internic.net/'
    """
    return _WHITESPACE.sub("", text)


_BEYOND_ASCII = lazy_re(r"[^\x00-\x7f]")
_EXTENSION = rf"\.(?i:{extension_of('page', 'file')})"
_FILE_NAME = lazy_re(rf"{_EXTENSION}\Z")

# What ends a bare URL: typographic quotes, ellipsis, em dash and bullet; blanks; wide punctuation, and
# full-width symbols; controls, and what is in no script, but for the joiners that words are spelt with.
_ENDS = (
    r"“”‘’„‚«»‹›⟨⟩…—•\ufffc\ufffd\s[\p{P}&&[\p{EA=W}\p{EA=F}\p{EA=H}]][\p{S}&&[\p{EA=F}\p{EA=H}]]"
    r"\p{Cc}\p{Cs}\p{Co}[\p{Cf}--[\u200c\u200d]]"
)
# A sign that is glued to the word before it: a line of a frame, or a sign with another character
# beyond ASCII after it. Some hosts and paths have signs between ASCII letters: "http://c✶.ws",
# "http://i❤️.ws" (with U+FE0F it is shown as a picture). `without_end_marks` handles one at the end.
# Signs below the arrows also result from an unknown charset.
_GLUED_SIGN = r"(?<=[\p{L}\p{N}][\u2190-\U0010ffff&&\p{S}])(?:(?<=[\u2500-\u257f])|(?=\ufe0f?+[^\x00-\x7f]))"
# Letters of all scripts are skipped quickly.
_END = lazy_regex(rf"(?V1)[^\x00-\x7f\p{{L}}\p{{M}}\p{{Nd}}](?:(?<=[{_ENDS}])|{_GLUED_SIGN})")
# What ends where scripts without blanks begin: a file name, the host of a mail address.
_LETTER = rf"(?=[^\x00-{chr(ord(_FIRST_UNSPACED) - 1)}])"
_OF_HOST = r"[\x00-.0-?A-\x7f]"  # at least
_IS_LETTER = lazy_regex(r"\p{L}")
_FILE_BEFORE_LETTER = lazy_re(rf"(?=\.[A-Za-z0-9]{{1,5}}+{_LETTER}){_EXTENSION}{_LETTER}")
_HOST_BEFORE_LETTER = lazy_re(
    rf"@(?={_OF_HOST}{{4,79}}+{_LETTER})\.*+[\x00-\-0-?A-\x7f]++\.{_OF_HOST}*[A-Za-z]{{2}}{_LETTER}"
)


def first_foreign_end(run: str) -> int:
    r"""Return where a bare URL ends at a character beyond ASCII, or the length of ``run``.

    It ends at blanks and controls of all scripts (except the joiners that words are
    spelt with), typographic quotes, ellipsis, em dash, bullet, wide punctuation and
    full-width symbols. It also ends at arrows, stars, smileys and the like after a letter
    or a digit, and at scripts without blanks right after a file name or the host of a
    mail address.

    >>> first_foreign_end("http://example.jp/日本語。次"), first_foreign_end("http://example.org/é")
    (21, 20)
    >>> first_foreign_end("http://a.example/k│l"), first_foreign_end("http://a.example/x.html에서")
    (18, 23)
    """
    sign = _END.search(run)
    words = [*_FILE_BEFORE_LETTER.finditer(run), *(_HOST_BEFORE_LETTER.finditer(run) if "@" in run else ())]
    ends = [match.end() for match in words if _IS_LETTER.match(run, match.end())]
    return min([sign.start(), *ends] if sign else ends, default=len(run))


def ends_file_name(text: str) -> bool:
    """Return whether ``text`` ends in a known file extension, as a complete file name does.

    >>> ends_file_name("http://a.example/x.tar.gz"), ends_file_name("http://a.example")
    (True, False)
    """
    return _FILE_NAME.search(text, max(0, len(text) - 6)) is not None


def end_before_words(url: str) -> int:
    """Return where words of a script without blanks begin that may be glued to ``url``, or its length.

    Such words, as particles, come right after a letter or a digit of a path or a query, and
    extend to the end of ``url``.

    >>> end_before_words("http://a.example/1234에서"), end_before_words("http://a.example/日本")
    (21, 19)
    """
    match = _BEYOND_ASCII.search(url)
    at = match.start() if match else 0
    is_glued = at > 0 and url[at] >= _FIRST_UNSPACED and url[at].isalpha() and url[at - 1].isalnum()
    is_path = "/" in url[:at].partition("://")[2]
    return at if is_glued and is_path and not _GOES_ON.search(url, at) else len(url)


_GOES_ON = lazy_re(r"[/?#&=%]")
