"""Where a bare URL begins and ends: the marks that a run stops at, and what is trimmed from its end."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from urlextract.grammar.chars import ends_file_name, readable
from urlextract.grammar.hosts import authority_end
from urlextract.grammar.marks import END_MARKS, MARKS_AND_BLANKS, QUOTING_MARKS, SENTENCE_MARKS
from urlextract.grammar.patterns import lazy_re, lazy_regex
from urlextract.grammar.registry import SCHEME_CHARACTERS, SCHEMES, is_registered
from urlextract.grammar.runs import NAMED_RUN, REST_OF_RUN, run_of
from urlextract.linebreaks.prefixes import line_start
from urlextract.scanner.evidence import ANY_FILE
from urlextract.scanner.window import ScanOptions

LONGEST_SCHEME = 40
"""Characters of the longest name that is read as one: see `SCHEME_NAME`."""

LONGEST_URL = 65_536
"""Characters at which a bare URL, or a wrapper on one line, is cut."""

# --- where a scheme begins --------------------------------------------------------------------------------

_WELL_KNOWN = lazy_re(r"(?:.*\+)?(?i:https?|ftp)\Z")
# Words and numbers of notes right before a scheme; one or two letters end an escape, or begin a scheme that
# is mistyped or made up ("1mhttp", "xhttp").
_GLUED = lazy_re(
    r"(?:(?<![A-Za-z])[A-Za-z]{3,38}?|(?<![A-Za-z0-9])(?:[0-9]{1,2}:)*[0-9]{1,9})((?i:https?|ftp))\Z"
)
_OF_PROGRAMS = frozenset(("gsiftp", "gridftp", "ncftp", "wuftp"))  # unregistered schemes that end in "ftp"
# Escapes whose last letter or digit is no part of a word: of program text, fonts and glyphs of troff, JSON,
# quoted-printable, colours of terminals
_ESCAPE = lazy_re(
    r"\\(?:[nrt]|f[BIRP1-9]|\*?\((?:la|[acdlo]q|em|en|bu)|u00[2-7][0-9A-Fa-f])|=[0-9A-F]{2}"
    r"|\x1b\[[0-9;]{0,20}m"
)
_INSIDE_ESCAPE = frozenset("\\=\x1b[;(")  # what an escape has before its letters and digits
_LONGEST_ESCAPE = 24


def scheme_start(
    text: str, first: int, colon: int, last: int, options: ScanOptions
) -> tuple[int | None, bool]:
    r"""Return where the scheme before ``colon`` begins, None without one, and whether a word is glued to it.

    ``first:colon`` are characters of a name. It is the longest registered name without an ASCII letter or
    digit before it, but those of an escape and of the URL that ends at ``last``.

    >>> [scheme_start(text, 1, len(text), 0, ScanOptions())
    ...  for text in ("\nhttp", "\nSeehttp", "\nxhttp")]
    [(1, False), (4, True), (None, False)]
    """
    before, name = text[first - 1], text[first:colon]
    starts = []
    if before in _INSIDE_ESCAPE:
        escapes = _ESCAPE.finditer(text, max(last, first - _LONGEST_ESCAPE), colon)
        starts = [match.end() for match in escapes if first < match.end() < colon]
    is_escape = before == "\\" and text[first - 2] != "\\"  # two of them are a line break of TeX
    is_inside = first < last or (first == last and before.isascii() and before.isalnum())
    if not is_escape and (not is_inside or _WELL_KNOWN.match(name)):
        starts.append(first)
    if not name.isalpha():
        starts += [at for at in range(first + 1, colon) if text[at - 1] in "+.-"]
    for start in starts:
        if start >= last and text[start].isalpha() and _counts(text, start, colon, options):
            return start, False
    glued = _GLUED.search(name)
    if glued and name.lower() not in _OF_PROGRAMS and not (before == "." and glued[0][0].isdigit()):
        return first + glued.start(1), True
    return None, False


def _counts(text: str, start: int, colon: int, options: ScanOptions) -> bool:
    """Return whether the name counts as a scheme; of those that the caller names, "X-Ticket:" is a label."""
    name, has_slashes = text[start:colon].lower(), text.startswith("//", colon + 1)
    if has_slashes and options.any_scheme:
        return name[:4] not in ("www.", "ftp.")
    if name in options.schemes:
        return has_slashes or text[start - 1] not in "+.-"
    return is_registered(name) if has_slashes else name in SCHEMES


def follows_escape(text: str, at: int) -> bool:
    r"""Return whether an escape ends at ``at``, so that its last letter is not part of a word.

    >>> [follows_escape(text, len(text)) for text in (r"see\n", r"\fB", "\x1b[1;34m", "=20", "m")]
    [True, True, True, True, False]
    """
    return any(match.end() == at for match in _ESCAPE.finditer(text, max(0, at - _LONGEST_ESCAPE), at))


# Marks of a list at the start of a line, three dots; "//www..." in markup, "_www..._" as underlined text.
# None ends with a letter, a digit, or a letter and a dot.
_NO_NAME = lazy_re(
    rf"(?:(?:\A|[\r\n]){MARKS_AND_BLANKS}*+(?:-{{1,80}}|[0-9]{{1,9}}\.)"
    r"|(?<![\w.])\.{3,9}|(?:[\s\"'=(]|\A)(?://|_{1,3})|(?<![A-Za-z0-9])(?i:https?|ftp)(?:[:;.]?//|:/))\Z"
)


_LONGEST_MARKS = 100  # characters before a host in which such marks stand


def follows_name(text: str, start: int) -> bool:
    """Return whether ``start`` is inside a name: of a host, a file or a mail address."""
    before = text[start - 1]
    if not (before.isascii() and (before.isalnum() or before in "/@._-")) or follows_escape(text, start):
        return False
    if before.isalnum() or (before == "." and text[start - 2].isalpha()) or text[start + 4] == "_":
        return True
    return _NO_NAME.search(text, max(0, start - _LONGEST_MARKS), start) is None


# --- the marks within a run: each function returns where the run goes on, or where the URL ends -----

_SIGN_OF_PART = lazy_re(r"(?:[/=?&:#]|/___?|&amp;|%(?:25)*(?:2[Ff36]|3[AaDdFf]))\Z")
_NEXT_NAME = lazy_re(r"(?i:https?|ftp)\Z")
_PAIR = lazy_re(r"\\\([^\s()\\<>\"]*\\\)")
# Character references of markup, blanks and quotes, which end a bare URL
ENTITY = lazy_re(
    r"&(?:amp;)?(?:(?:lt|gt|quot|nbsp|[lr](?:[sd]|a)quo|hellip|mdash|bull"
    r"|#0{0,2}(?:9|10|13|32|34|60|62|160|171|187|82(?:1[267]|2[0126]|30))"
    r"|#[xX]0{0,2}(?:[9aAdD]|2[02]|3[cCeE]|[aA]0|[aAbB][bB]|20(?:1[489cCdDeE]|2[26])));"
    r"|(?:apos|#0{0,2}39|#[xX]0{0,2}27);(?!\w)"
    rf"|(?:amp|copy|reg|trade);(?=[{re.escape(SENTENCE_MARKS)})\]}}]|\Z|\s))"
)


def _after_apostrophe(text: str, start: int, at: int) -> int:
    return at if text[start - 1] == "'" and not text[at + 1].isalnum() else at + 1


def _after_reference(text: str, start: int, at: int) -> int:
    return at if ENTITY.match(text, at) else at + 1


def _after_bar(text: str, start: int, at: int) -> int:
    if text.startswith("file:", start):  # "file:///C|/x"
        return at + 1
    return at if text[start - 1] in "<|[{=" or text.endswith("&lt;", 0, start) else at + 1


def _after_backslash(text: str, start: int, at: int) -> int:
    r"""Skip a backslash: of ``file:``, before ``_ ~ #`` (Markdown), and before a pair ``\(`` ``\)``."""
    if text[at + 1] in "_~#" or (text.startswith("file:", start) and text[at + 1] != '"'):
        return at + 2
    pair = _PAIR.match(text, at)
    return pair.end() if pair else at


def _after_colon(text: str, start: int, at: int) -> int:
    """Return where another URL begins that is glued to this one, else the offset after the colon.

    It is part of this one after a sign that paths and queries hold others behind (archives, redirectors).
    """
    if text.startswith("mailto", at - 6):
        return at - 6 if text[at - 7] in ",;|" or not text[at - 7].isascii() else at + 1
    known = _NEXT_NAME.search(text, max(start + 4, at - 5), at)
    if not known or not (text[at + 3].isalnum() or text[at + 3] == "["):
        return at + 1
    low = max(start + 4, at - LONGEST_SCHEME)
    first = low + len(text[low : known.start()].rstrip(SCHEME_CHARACTERS))
    derived = (i for i in range(first, known.start()) if text[i].isalpha() and not text[i - 1].isalpha())
    begin = next((i for i in derived if is_registered(text[i:at])), known.start())
    is_part = any(_SIGN_OF_PART.search(text, max(0, i - 16), i) for i in (begin, known.start()))
    return at + 1 if is_part else begin


_BEYOND_ASCII = lazy_re(r"[^\x00-\x7f]+")
_FOREIGN_END = lazy_regex(
    r"(?V1)"
    r"[“”‘’„‚«»‹›⟨⟩…—•\ufffc\s"
    r"[\p{P}&&[\p{EA=W}\p{EA=F}\p{EA=H}]][\p{S}&&[\p{EA=F}\p{EA=H}]]"  # wide punctuation and symbols
    r"\p{Cc}\p{Cs}\p{Co}[\p{Cf}--[\u200c\u200d]]\u2500-\u257f]"  # controls, frames; not the joiners of words
)
_SYMBOL = lazy_regex(r"(?V1)[[\p{So}\p{Sk}\p{No}\u2190-\u21ff]--[\ufffd]]")
_PICTURE = lazy_regex(r"(?V1)[\U0001f000-\U0010ffff\p{Emoji_Presentation}]|.\ufe0f")
# Languages that glue endings to words, and alphabets: a path does not begin in the middle of a word
_SPOKEN = lazy_regex(r"[\p{L}\p{M}]*?[\p{Hiragana}\p{Hangul}\p{Cyrillic}\p{Greek}]")
_UNSPACED = lazy_regex(r"(?<=[A-Za-z0-9])[\p{Han}\p{Katakana}]")
_QUERY_GOES_ON = lazy_re(r"[^\s<>\"]{0,256}?[/?#&=%]")


def _after_foreign(text: str, start: int, at: int) -> int:
    """Return where the characters beyond ASCII at ``at`` end, or ``at`` if the URL ends there.

    A URL in ASCII so far ends before a sign (but one after "=", and a picture after "/"), and before letters
    right after a letter or digit if they are of a language that glues endings to words.
    """
    run = readable(_BEYOND_ASCII.match(text, at)[0])  # type: ignore[index]
    stop = _FOREIGN_END.search(run)
    if stop and stop.start() == 0:
        return at
    if text[start:at].isascii():
        before = text[at - 1]
        is_sign = _SYMBOL.match(run) and before != "=" and not _QUERY_GOES_ON.match(text, at)
        if is_sign and not (before == "/" and _PICTURE.match(run)):
            return at
        if before.isalnum() and run[0].isalpha() and (_SPOKEN.match(run) or ends_file_name(text[start:at])):
            return at
    return at + (stop.start() if stop else len(run))


_RULES: dict[str, Callable[[str, int, int], int]] = {
    "'": _after_apostrophe,
    "&": _after_reference,
    "|": _after_bar,
    "\\": _after_backslash,
    ":": _after_colon,
    "*": lambda _text, _start, at: at + 1,
}


def end_of_run(text: str, start: int, at: int, limit: int = sys.maxsize) -> int:
    """Return where the run of the URL at ``start`` ends, at ``limit`` at the latest.

    The plain part of its path ends at ``at``.
    """
    while at < limit:
        after = _RULES.get(text[at]) or (_after_foreign if text[at] > "\x7f" else None)
        end = after(text, start, at) if after else at
        if end <= at or end >= limit:
            return min(end, limit)
        at = REST_OF_RUN.match(text, end, limit).end()  # type: ignore[union-attr]
    return limit


def odd_run_end(text: str, start: int, host: int, limit: int = sys.maxsize) -> int | None:
    """Return where the URL at ``start`` ends whose ``host`` is none of plain ASCII, None without a host."""
    end = authority_end(text, host)
    if end is not None and text.startswith("://", end):  # another URL is glued to it
        return end_of_run(text, start, end, limit)
    if end is None or text[end] not in "/?#":
        return end
    return end_of_run(text, start, REST_OF_RUN.match(text, end, limit).end(), limit)  # type: ignore[union-attr]


def end_of_match(text: str, start: int, match: re.Match[str], limit: int = sys.maxsize) -> int:
    """Return where the run ends that ``match`` begins: after its host, or up to a URL glued to it."""
    end = match.end()
    if match.lastindex or text.startswith("://", end):
        return end_of_run(text, start, end, limit)
    return end


def end_after_slashes(text: str, start: int, colon: int, limit: int = sys.maxsize) -> int | None:
    """Return where the run of the URL at ``start`` ends, which has slashes after its ``colon``.

    Return None if no host follows them.
    """
    name = text[start:colon].lower()
    match = run_of(name).match(text, colon + 1, limit)
    if match:
        return end_of_match(text, start, match, limit)
    return odd_run_end(text, start, colon + 3, limit) if name in SCHEMES else None


def end_after_name(text: str, start: int, at: int, limit: int = sys.maxsize) -> int:
    """Return where the run of the URL at ``start`` ends, which has no slashes, and goes on at ``at``."""
    run = NAMED_RUN.match(text, at, limit)
    return end_of_run(text, start, run.end(), limit) if run else at


_SEPARATORS = ",;\t"
_REFERENCE = lazy_re(r"&(?:amp;)?#?\w{1,8};\Z")


def limit_of(text: str, start: int) -> int:
    """Return up to where the URL is read: the longest one, or the next item of a list without blanks.

    Before that stands the separator that is right before the URL, too.
    """
    before = text[start - 1]
    if (
        before in _SEPARATORS
        and not text[start - 2].isspace()
        and not _REFERENCE.search(text, max(0, start - 10), start)
    ):
        end = text.find(before, start, start + LONGEST_URL)
        if end >= 0:
            return end
    return min(len(text), start + LONGEST_URL + 1)


# --- the marks of the sentence and of markup at the end of a URL ------------------------------------

# A footnote, a label of AsciiDoc, or a word after a bar, as in "curl http://a.example/x|sh"
_LABEL = lazy_re(
    r"(?<=[A-Za-z0-9/])\[(?:[0-9]*|(?![.\u2026]*\])[^\[\]]{2,80})\]\Z"
    r"|(?<=[A-Za-z0-9/])\|(?:[A-Za-z]{3,}[0-9]{1,2}|[A-Za-z]+)\Z"
    r"|(?<=--)\[(?:[0-9]*|[^\[\]]{2,80})\]\Z"
)
_LETTER = lazy_re(r"\[[^\s\[\]]\]\Z")  # behind a macro of AsciiDoc only
_UP_TO_PATH = r"(?!file:)(?>(?:[A-Za-z][A-Za-z0-9+.-]*+:)?(?://)?)[^/?#]++/[^?#]*+"
_IN_PATH = lazy_re(rf"{_UP_TO_PATH}(?:#[^=]*+)?\Z|mailto:[^?]*\Z")
_IN_PATH_ALONE = lazy_re(rf"(?!.*\|){_UP_TO_PATH}\Z")  # with another bar, it is a part of the URL
_END_SIGNS = lazy_regex(
    rf"(?rV1)(?:[{re.escape(END_MARKS)}]"
    r"|[\x80-\U0010ffff&&[\p{P}\p{No}]]"
    r"|(?:(?<=[\p{L}\p{N}])|(?<=/)(?=[\x80-\u25ff&&[\p{So}\p{Sm}]]))[\x80-\U0010ffff&&[\p{S}\ufe0f]]+)*\Z"
)


def trimmed(text: str, start: int, end: int) -> int:
    """Return the end of the URL ``start:end`` without the marks of the sentence and of markup round it."""
    run = text[start:end]
    marks = END_MARKS + _emphasis(text, start, run)
    run = _without(run, marks)
    if run[-1:] == "]" or "|" in run:
        is_macro = text.endswith(("link:", "image::"), max(0, start - 7), start)
        label = _LABEL.search(run) or (_LETTER.search(run) if is_macro else None)
        where = _IN_PATH_ALONE if label and label[0][0] == "|" else _IN_PATH
        if label and where.match(run, 0, label.start()):
            run = _without(run[: label.start()], marks)
    if run.endswith("/'s"):
        run = run[:-2]
    if run[-1:] == "$" and text[start + len(run)] == "{":  # the next place of a template
        run = run[:-1]
    if run[-1:] == "%" and ANY_FILE.search(run, 0, len(run) - 1):  # a comment of TeX
        run = run[:-1]
    if "*" in run[-2:]:
        run = _without_stars(text, start, run, marks)
    return start + len(run)


# Stars at the edges of words
_STAR = lazy_re(r"(?<![\w*/])(?P<opens>\*{1,3})(?=[^\s*])|(?<=[^\s*])(?P<closes>\*{1,3})(?!\w)")
_LONGEST_LINE = 300  # characters of its line that are read before a URL


def _without_stars(text: str, start: int, run: str, marks: str) -> str:
    """Return ``run`` without the stars that end an emphasis of words before it, or a comment."""
    line = text[max(line_start(text, start), start - _LONGEST_LINE) : start]
    if run.endswith("*/") and ("/*" in line or line.lstrip().startswith("*")):
        return _without(run[:-2], marks + "*")
    *_, last = ("", *(star.lastgroup for star in _STAR.finditer(line)))
    return _without(run, marks + "*") if last == "opens" else run


def _without(run: str, marks: str) -> str:
    run = run.rstrip(marks)
    return run if run.isascii() else run[: _END_SIGNS.search(run).start()]


_EMPHASIS = "*_~=+"


def _emphasis(text: str, start: int, run: str) -> str:
    """Return the marks of emphasis right before a URL, with a blank or an opener before them, else ""."""
    mark = text[start - 1]
    if mark not in _EMPHASIS:
        return ""
    before = text[max(0, start - 8) : start]
    outside = before.rstrip(_EMPHASIS)
    is_emphasis = (
        mark == "+" or not outside or outside[-1].isspace() or outside[-1] in "([{<\"'" + QUOTING_MARKS
    )
    marks = before[len(outside) :] if is_emphasis else ""
    return marks.replace("=", "") if "?" in run else marks


# --- what may be missing, or glued on ---------------------------------------------------------------

_DOTS = lazy_re(r" ?(?:\.{3}|\u2026)(?=[\s)\]}>\"',;\0]|\Z| ?\S)(?!\.)")
_SHORT_PATH = lazy_re(r"[A-Za-z]+\Z")
_PATH_OF = lazy_re(r"(?>(?:[A-Za-z][A-Za-z0-9+.-]*+://)?)[^/?#]*+[/?#]")
_SIGN_AFTER = lazy_re(
    r" ?(?:\.{3}|\u2026) ?[^\s:]{0,60}?(?:[#?=&%_]|[0-9/][/.]|[0-9]{4,}(?!\w)|\.[a-z]{2,5}\b)"
)
_LONG = 40  # characters, from which programs cut URLs


def is_cut_off(text: str, start: int, end: int) -> bool:
    """Return whether dots after the URL show that somebody has left out its end.

    They stand right behind it, or after a blank if the end of a URL follows them. After a host, a slash, a
    file name or a short path of one word, they are those of the sentence.

    >>> [is_cut_off(text, 0, text.index(".", 10)) for text in ("http://a.b/long/pa...", "http://a.b/docs...")]
    [True, False]
    """
    dots = _DOTS.match(text, end)
    if not dots or (dots[0][0] == " " and not _SIGN_AFTER.match(text, end)):
        return False
    path = _PATH_OF.match(text, start, end)
    if path is None or path.end() == end or text[end - 1] == "/" or ends_file_name(text[start:end]):
        return False
    return end - start >= _LONG or not _SHORT_PATH.match(text[path.end() : end])


_TOKEN = lazy_re(r"[^\s<>\"`]{1,256}")


def glued_on(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the URL at ``start`` with what is glued to its ``end``, and what that is, "" for nothing.

    That is a label or an open bracket, or a word of another script.
    """
    mark = text[end]
    if mark == "\u200b":  # a blank without width, which ends a URL but at its marks
        token = _TOKEN.match(text, end + 1)
        whole = text[start:end] + (token[0].rstrip(END_MARKS) if token else "")
        return (whole, "without the blank of no width") if len(whole) > end - start else ("", "")
    if mark in "([{|":
        whole = text[start:end] + _TOKEN.match(text, end)[0].rstrip(END_MARKS)  # type: ignore[index]
        what = "the label" if mark in "[|" and whole[-1:] != mark else "the open bracket"
        return (whole, f"with {what} glued on") if len(whole) > end - start + 1 else ("", "")
    if mark > "\x7f" and text[start:end].isascii() and (mark.isalpha() or _SYMBOL.match(mark)):
        run = _TOKEN.match(text, end)
        whole = readable(text[start : run.end()] if run else "")
        stop = _FOREIGN_END.search(whole, end - start)
        whole = _without(whole[: stop.start()] if stop else whole, END_MARKS)
        return (whole, "with the words glued on") if len(whole) > end - start else ("", "")
    return "", ""


def doubtful_name(url: str) -> str:
    """Return ``url`` up to what may be glued to it, else "".

    That is a name in Han or katakana after a letter or digit in ASCII, and a picture after a slash.

    >>> doubtful_name("http://a.example/wiki/C言語"), doubtful_name("http://a.example/日本")
    ('http://a.example/wiki/C', '')
    """
    first = _BEYOND_ASCII.search(url, url.find("/", url.find("://") + 3) + 1 or len(url))
    if first is None or not url[: first.start()].isascii() or _QUERY_GOES_ON.match(url, first.start()):
        return ""
    is_picture = url[first.start() - 1] == "/" and _PICTURE.match(url, first.start())
    return url[: first.start()] if is_picture or _UNSPACED.match(url, first.start()) else ""
