"""What a line end, a blank and the end of a URL are.

Patterns are source texts, to be put into larger ones. Those that meet plain
text are for the stdlib's ``re``; those with Unicode properties are for
``regex``, and meet only the few dozen characters of a hit.
"""

from __future__ import annotations

from functools import lru_cache

from urlextract.grammar.patterns import lazy_re

__all__ = [
    "BLANKS",
    "ENTITY",
    "INSIDE",
    "LINE_END",
    "NAMED_MARK",
    "OPENERS",
    "STRAY_BYTES",
    "TRIMMED",
    "UNSPACED",
    "WHITESPACE",
    "WRAPPERS",
    "end_before_words",
    "end_beyond_ascii",
    "ends_file_name",
    "squeeze",
    "without_end_marks",
]

LINE_END = r"(?:\r{0,4}+\n|\r)"
"""One line end: LF, CRLF, the CR CR LF of a twice converted file, a lone CR."""

BLANKS = " \t\v\f\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
"""Blanks that may stand inside a wrapper and go, as the inside of a class."""

NAMED_MARK = r"(?:[^\W\d_][\w.'-]{0,14}(?: [^\W\d_a-z][\w.'-]{0,14}){0,2}|[-=~*:+#]{1,3})>"
"""A quote mark after initials, a name or a sign: "JD>", "John Doe>", ":>".

Text may begin so, too: it is a mark where two lines do.
"""

WHITESPACE = r"\s\u200b\ufeff"
"""Blanks and line ends, as the inside of a class."""

TRIMMED = ".,;:!?'([{|"
"""What ends a sentence, or opens the next bracket: never the end of a bare URL."""

INSIDE = r"!#-;=?-\[\]-{}~"
"""What a bracket may hold on a line where no rule asks about it, as the inside of a class.

Visible ASCII but < > " and the backslash, and the bar, after which a label may stand.
"""

UNSPACED = r"\u2e80-\ud7ff\uf900-\U0003ffff"
"""Characters of scripts without blanks, and their punctuation, as the inside of a class."""

WRAPPERS = {"<": ">", "&lt;": "&gt;"}
"""What opens a wrapper around a URL, and what closes it."""

OPENERS = {")": "(", "]": "[", "}": "{"}

ENTITY = (
    r"&(?:amp;)?(?:(?:lt|gt|quot|nbsp|[lr](?:[sd]|a)quo|hellip|mdash|bull"
    r"|#0{0,2}(?:9|10|13|32|34|60|62|160|171|187|82(?:1[267]|2[0126]|30))"
    r"|#[xX]0{0,2}(?:[9aAdD]|2[02]|3[cCeE]|[aA]0|[aAbB][bB]|20(?:1[489cCdDeE]|2[26])));"
    r"|(?:apos|#0{0,2}39|#[xX]0{0,2}27);(?!\w)|(?:amp|copy|reg|trade);(?=[.,;:!?')\]}]|\Z))"
)
"""Escaped markup, blanks and quotes after a URL: a bare one ends before them."""

# Bytes that are no UTF-8 stand in decoded text as lone surrogates U+DC80 to
# U+DCFF. Mail that never named its charset is mostly Windows-1252.
STRAY_BYTES = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


def without_end_marks(run: str, marks: str = TRIMMED) -> str:
    """Take the punctuation of all scripts from the end of ``run``, ``marks`` of ASCII.

    Signs (arrows, hands, smiles) are taken where they are glued to a word, those that are no
    pictures after a slash too, and so are the small figures of footnotes.

    >>> without_end_marks("http://a.example/x).", TRIMMED + ")"), without_end_marks("http://a.example/é؟")
    ('http://a.example/x', 'http://a.example/é')
    >>> without_end_marks("http://a.example/x👈."), without_end_marks("http://a.example/│")
    ('http://a.example/x', 'http://a.example/')
    >>> without_end_marks("http://a.example/x¹"), without_end_marks("http://a.example/👍.")
    ('http://a.example/x', 'http://a.example/👍')
    """
    if run.isascii():
        return run.rstrip(marks)
    end = len(run)
    while True:
        while end and (run[end - 1] in marks or _is_beyond_ascii(run[end - 1], "P", "No")):
            end -= 1
        word = end
        while word and (_is_beyond_ascii(run[word - 1], "S") or run[word - 1] == "\ufe0f"):
            word -= 1
        before = run[word - 1 : word]
        if word == end or not (before.isalnum() or (before == "/" and _is_frame(run[word]))):
            return run[:end]
        end = word


def _is_frame(char: str) -> bool:
    """Return whether a sign is an arrow, of a frame, or a block: none that may be all of a path."""
    return char < _FIRST_PICTURE and _is_beyond_ascii(char, "So", "Sm")


def _is_beyond_ascii(char: str, *kinds: str) -> bool:
    if char < "\x80":
        return False
    from unicodedata import category  # noqa: PLC0415 - ASCII text does not pay for the tables

    return category(char).startswith(kinds)


_WHITESPACE = lazy_re(rf"[{WHITESPACE}]+")


def squeeze(text: str) -> str:
    r"""Take all whitespace out of ``text``.

    >>> squeeze("ftp://ds.in\n  ternic.net/")
    'ftp://ds.internic.net/'
    """
    return _WHITESPACE.sub("", text)


_BEYOND_ASCII = lazy_re(r"[^\x00-\x7f]")
_ENDS = frozenset("“”‘’„‚«»‹›⟨⟩…—•\ufffc\ufffd")
_JOINERS = frozenset("\u200c\u200d")


def end_beyond_ascii(run: str) -> int:
    r"""Return where a bare URL ends although ASCII has no say in it: at a blank, a mark, a sign.

    Blanks and controls of all scripts (but the joiners that words are spelt
    with), typographic quotes, ellipsis, em dash and bullet, wide punctuation and
    full-width symbols; arrows, stars, smiles and the like after a letter or a digit;
    and scripts without blanks right after a file's name or a host of mail.

    >>> end_beyond_ascii("http://example.jp/日本語。次"), end_beyond_ascii("http://example.org/é")
    (21, 20)
    >>> end_beyond_ascii("http://a.example/k│l"), end_beyond_ascii("http://a.example/x.html에서")
    (18, 23)
    """
    kinds = {char: _kind(char) for char in set(run) if char > "\x7f"}
    found = {*kinds.values()}
    end = len(run)
    if "end" in found:
        end = min(run.find(char) for char, kind in kinds.items() if kind == "end")
    if "sign" in found:
        signs = (sign.start() for sign in _GLUED_SIGN.finditer(run) if kinds[sign[0]] == "sign")
        end = min(end, next(signs, end))
    if "letter" in found and "." in run:
        names = (name.end() for name in _FILE_NAME_INSIDE.finditer(run) if run[name.end()].isalpha())
        hosts = (mail.end() for mail in _MAIL_INSIDE.finditer(run) if _is_mail_host(mail[1], run[mail.end()]))
        end = min(end, next(names, end), next(hosts, end))
    return end


_FIRST_PICTURE = "\u2600"  # such may be all of a path; before them stand arrows, frames, blocks
_FIRST_SIGN = "\u2190"  # arrows; what is before them is met in text of which the charset is unknown


_EXTENSION = (
    r"\.(?i:[sx]?html?|php\d?|aspx?|jsp|cgi|txt|pdf|e?ps|t?gz|tar|zip|bz2|xz|z|exe|jpe?g|png|gif|docx?"
    r"|xml|rss|git)"
)
_FILE_NAME = lazy_re(rf"{_EXTENSION}\Z")


def ends_file_name(text: str) -> bool:
    """Return whether ``text`` ends as the name of a file does that is all there.

    >>> ends_file_name("http://a.example/x.tar.gz"), ends_file_name("http://a.example")
    (True, False)
    """
    return _FILE_NAME.search(text, max(0, len(text) - 6)) is not None


def end_before_words(url: str) -> int:
    """Return where words of a script without blanks may begin that are glued to ``url``, as particles are.

    Such are all that follows, and stand right after a letter or a digit of a path or a query.

    >>> end_before_words("http://a.example/1234에서"), end_before_words("http://a.example/日本")
    (21, 19)
    """
    match = _BEYOND_ASCII.search(url)
    at = match.start() if match else 0
    is_glued = at > 0 and url[at] >= _FIRST_UNSPACED and url[at].isalpha() and url[at - 1].isalnum()
    is_path = "/" in url[:at].partition("://")[2]
    return at if is_glued and is_path and not _GOES_ON.search(url, at) else len(url)


_FIRST_UNSPACED = "\u2e80"
_GOES_ON = lazy_re(r"[/?#&=%]")


# A sign that is glued to the word before it: one of a frame, or one with another character
# beyond ASCII after it. Hosts and paths of the playful hold signs between letters of ASCII:
# "http://c✶.ws", "http://i❤️.ws" (U+FE0F makes a picture of it); of one at the end others decide.
_GLUED_SIGN = lazy_re(r"[^\w\x00-\u218f](?<=[^\W_].)(?:(?<=[\u2500-\u257f])|(?=\ufe0f?+[^\x00-\x7f]))")
# What ends where scripts without blanks begin: a file's name, a host of mail.
_UNSPACED = r"[^\W\x00-\u2e7f]"
_FILE_NAME_INSIDE = lazy_re(rf"{_EXTENSION}(?={_UNSPACED})")
_MAIL_INSIDE = lazy_re(rf"@([\x00-.0-?A-\x7f]{{4,79}}+)(?={_UNSPACED})")


def _is_mail_host(host: str, behind: str) -> bool:
    return behind.isalpha() and "." in host.strip(".") and host[-2:].isalpha()


@lru_cache(maxsize=4096)
def _kind(char: str) -> str:
    """Return what a character beyond ASCII may do to a bare URL: "end" it, or as a "sign" or "letter"."""
    if _ends_bare(char):
        return "end"
    if char >= _FIRST_SIGN and _is_beyond_ascii(char, "S"):
        return "sign"
    return "letter" if char >= _FIRST_UNSPACED and char.isalpha() else ""


def _ends_bare(char: str) -> bool:
    from unicodedata import category, east_asian_width  # noqa: PLC0415 - as above

    if char in _ENDS or char.isspace():
        return True
    kind = category(char)
    if kind[0] == "P":
        return east_asian_width(char) in "WFH"
    if kind[0] == "S":
        return east_asian_width(char) in "FH"
    return kind in ("Cc", "Cs", "Co") or (kind == "Cf" and char not in _JOINERS)
