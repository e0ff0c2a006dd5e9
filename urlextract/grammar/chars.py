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
from urlextract.grammar.tlds import tld_of

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
    r"“”‘’„‚«»‹›⟨⟩…—•\ufffc\s[\p{P}&&[\p{EA=W}\p{EA=F}\p{EA=H}]][\p{S}&&[\p{EA=F}\p{EA=H}]]"
    r"\p{Cc}\p{Cs}\p{Co}[\p{Cf}--[\u200c\u200d]]"
)
# A sign that is glued to the word before it: a line of a frame, or a sign with another character
# beyond ASCII after it. Some hosts and paths have signs between ASCII letters: "http://c✶.ws",
# "http://i❤️.ws" (with U+FE0F it is shown as a picture). `without_end_marks` handles one at the end.
# Signs below the arrows also result from an unknown charset.
_GLUED_SIGN = (
    r"(?<=[\p{L}\p{N}][[\u2190-\U0010ffff&&\p{S}]--[\ufffd]])"
    r"(?:(?<=[\u2500-\u257f])|(?=\ufe0f?+[^\x00-\x7f]))"
)
# A lost letter is part of a word; at the end of one, it was a quote.
_LOST_QUOTE = r"(?<=\ufffd)(?![\ufffd\w/?#&=%.-])"
# Letters of all scripts are skipped quickly.
_END = lazy_regex(rf"(?V1)[^\x00-\x7f\p{{L}}\p{{M}}\p{{Nd}}](?:(?<=[{_ENDS}])|{_GLUED_SIGN}|{_LOST_QUOTE})")
_SPOKEN = lazy_regex(r"[\p{Hiragana}\p{Hangul}\p{Cyrillic}\p{Greek}]")
_GLUED_LETTERS = lazy_regex(r"(?V1)(?<=[A-Za-z0-9])[[\p{L}\p{M}]--[\x00-\x7f]]++")
_UNSPACED_LETTERS = lazy_regex(r"[\p{Han}\p{Katakana}]")
_SIGN = lazy_regex(r"(?V1)[[\p{So}\p{Sk}\p{No}]--[\ufffd]]")
_PICTURE = lazy_regex(r"(?V1)[\U0001f000-\U0010ffff\p{Emoji_Presentation}]|.\ufe0f")
_SUFFIX_BEFORE_LETTERS = lazy_re(rf"(?<=\w\.)[A-Za-z]{{2,63}}(?=[{UNSPACED}\u0370-\u03ff\u0400-\u052f])")
_AFTER_HOST = lazy_re(r"[/?#]")
_GOES_ON = lazy_re(r"[/?#&=%]")


def first_foreign_end(run: str) -> int:
    r"""Return where a bare URL ends at a character beyond ASCII, or the length of ``run``.

    It ends at blanks and controls of all scripts (except the joiners that words are
    spelt with), typographic quotes, ellipsis, em dash, bullet, wide punctuation and
    full-width symbols. It also ends at arrows, stars, smileys and the like after a letter
    or a digit.

    >>> first_foreign_end("http://example.jp/日本語。次"), first_foreign_end("http://example.org/é")
    (21, 20)
    >>> first_foreign_end("http://a.example/k│l")
    18
    """
    sign = _END.search(run)
    return sign.start() if sign else len(run)


def glued_text(run: str) -> tuple[int, bool]:
    """Return where text is glued to the part of a URL after its scheme, and whether the URL ends there.

    A URL in ASCII ends before a sign, but for one after "=" and a picture after a slash, and before
    letters right after a letter or a digit if they are of a language that glues endings to words, or of an
    alphabet: a path that is named in it does not begin in the middle of a word. Han and katakana alone
    may be a name, as in "C言語": the URL may end there. Its host ends only after a known suffix. Return
    the length of ``run`` if nothing is glued to it.

    >>> glued_text("//a.example/planをご覧"), glued_text("//a.example/C言語"), glued_text("//a.example/日本")
    ((16, True), (13, False), (14, False))
    >>> glued_text("www.a.comおよび"), glued_text("//a.example/?ok=✓"), glued_text("//a.example/─")
    ((9, True), (17, False), (12, True))
    """
    first = _BEYOND_ASCII.search(run)
    if first is None:
        return len(run), False
    at, before = first.start(), run[first.start() - 1 : first.start()]
    path = _AFTER_HOST.search(run, 2 if run.startswith("//") else 0)
    if path is None or at < path.start():
        for suffix in _SUFFIX_BEFORE_LETTERS.finditer(run):
            if tld_of(suffix[0]) or "@" in run[: suffix.start()]:
                return suffix.end(), True
        return len(run), False
    goes_on = _GOES_ON.search(run, at) is not None
    if before != "=" and not goes_on and _SIGN.match(run, at):
        return at, not (before == "/" and _PICTURE.match(run, at))
    letters = _GLUED_LETTERS.match(run, at)
    if letters and (_SPOKEN.search(letters[0]) or ends_file_name(run[:at])):
        return at, True
    is_name = letters and _UNSPACED_LETTERS.match(run, at) and not goes_on
    return (at, False) if is_name else (len(run), False)


def ends_file_name(text: str) -> bool:
    """Return whether ``text`` ends in a known file extension, as a complete file name does.

    >>> ends_file_name("http://a.example/x.tar.gz"), ends_file_name("http://a.example")
    (True, False)
    """
    return _FILE_NAME.search(text, max(0, len(text) - 6)) is not None
