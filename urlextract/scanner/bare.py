"""Bare URLs in running text: where they begin and end, and where two are glued together."""

from __future__ import annotations

import re

from urlextract.grammar.chars import (
    ENTITY,
    ends_file_name,
    first_foreign_end,
    glued_text,
    without_end_marks,
)
from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.grammar.defanged import DOT, is_address
from urlextract.grammar.extensions import extension_of
from urlextract.grammar.hosts import abbreviated_host_end, authority, loose_authority
from urlextract.grammar.marks import END_MARKS, OPENERS, WRAPPERS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_CHARACTERS, SCHEMES, has_shape, is_registered, may_have_shape
from urlextract.grammar.rules import Rule
from urlextract.linebreaks.joining import joined_url
from urlextract.records import Alternative, Defect, Match
from urlextract.scanner.buffer import Buffer, MoreNeeded, readable

_WELL_KNOWN = r"(?i:https?|ftp)"
_PART_SIGNS = "/=?&:#"  # characters before a URL that is part of another URL
# It begins with the colon, so that `re` skips the text before it quickly.
_NAMES_BEFORE = "|".join(rf"(?<=(?<![{_PART_SIGNS}])(?i:{name})://)" for name in ("https", "http", "ftp"))
_NEXT = lazy_re(
    rf":(?://(?:{_NAMES_BEFORE})(?=[^\W_]|\[)|(?<=(?<![{_PART_SIGNS}])(?<=[^\w\x00-+\--:<-{{}}~\x7f])mailto:))"
)
_NAME_BEFORE = lazy_re(rf"(?:{_WELL_KNOWN}|mailto)\Z")
_LONGEST_KNOWN = 6  # characters of these names
# "/v3/__https://..." is how a mail gateway writes it.
_GOES_ON = lazy_re(rf"(?:[{_PART_SIGNS}]|/___?|&amp;|%(?:25)*(?:2[Ff36]|3[AaDdFf]))\Z")
_LONGEST_SIGN = 16  # characters of a sign that is percent-encoded several times
_WORD_BEFORE = lazy_re(rf"[A-Za-z]{{3,38}}?({_WELL_KNOWN})\Z")
_WORD = lazy_re(r"[A-Za-z]*\Z")
_ENDS_WELL_KNOWN = lazy_re(rf"(?:\A|\+){_WELL_KNOWN}\Z")
_WHOLE_HOST = lazy_re(
    r"://(?:[^\s/?#@]{1,256}@)?(?:(?i:localhost)|[^\s/?#:.]+(?:\.[^\s/?#:.]+)+\.?)(?:[:/?#]|\Z)"
)
_OF_PROGRAMS = frozenset(("gsiftp", "gridftp", "ncftp", "wuftp"))  # unregistered schemes that end in "ftp"


def next_url(run: str) -> int:
    """Return where another URL begins that is glued to the first one, or the length of ``run``.

    >>> next_url("//a.example/6http://b.example/7"), next_url("//a.example/web/2001/http://b.example/")
    (13, 38)
    >>> next_url("//a.example/6svn+http://b.example/"), next_url("//a.example/svn+http://b.example/")
    (13, 33)
    >>> next_url("//a.example/,mailto:a@b.example"), next_url("//a.example/?q=svn+http://b.example/")
    (13, 36)
    """
    for match in _NEXT.finditer(run):
        colon = match.start()
        name = _NAME_BEFORE.search(run, max(0, colon - _LONGEST_KNOWN), colon)
        if name and _parts(run, name.start()):
            start = _scheme_start(run, name.start(), colon)
            if _parts(run, start):
                return start
    return len(run)


def _parts(run: str, start: int) -> bool:
    """Return whether the URL at ``start`` is not part of the one that ``run`` begins with."""
    return start > 0 and not _GOES_ON.search(run, max(0, start - _LONGEST_SIGN), start)


def _scheme_start(run: str, start: int, colon: int) -> int:
    """Return the start of the longest registered scheme that ends with the one at ``start``."""
    earliest = max(0, colon - LONGEST_SCHEME)
    first = earliest + len(run[earliest:start].rstrip(SCHEME_CHARACTERS))
    for at in range(first, start):
        if run[at].isalpha() and (at == first or not run[at - 1].isalpha()) and is_registered(run[at:colon]):
            return at
    return start


def glued_start(text: str, start: int, colon: int) -> int:
    """Return where http, https or ftp begins after a word in ``start:colon``, or -1.

    A word has three letters or more. One or two letters end an escape, or begin a scheme that is
    mistyped or made up ("1mhttp", "xhttp", "hhttp"). A digit is the number of a note.

    >>> glued_start("Seehttps://a.example/", 0, 8), glued_start("xhttp://a.example/", 0, 5)
    (3, -1)
    """
    word = _WORD.search(text, start, colon)
    match = _WORD_BEFORE.match(text, word.start(), colon) if word else None
    return match.start(1) if match and match[0].lower() not in _OF_PROGRAMS else -1


def is_whole_host(text: str, colon: int, end: int) -> bool:
    """Return whether the host after ``colon`` of a URL that ends at ``end`` has a dot, or is localhost."""
    return _WHOLE_HOST.match(text, colon, end) is not None


def is_well_known(name: str) -> bool:
    """Return whether ``name`` is http, https or ftp, or ends in "+" and one of these."""
    return _ENDS_WELL_KNOWN.search(name) is not None


HEAD = 512
"""Characters of a run that are read to see whether it is a URL: any login and host are shorter."""

FIRST_REACH = 128
"""Characters of a run that are read at first: most runs are shorter."""

LONGEST_HOST = 256
"""Characters within which a host ends: 253 by RFC 1035, section 2.3.4, and a full stop may follow."""

# --- where a scheme begins ----------------------------------------------------------------------

_ESCAPES = r"\\(?:[nrt]|f[BIRP1-9])|=[0-9A-F]{2}|\x1b\[[0-9;]{0,20}m|\x03[0-9]{1,2}(?:,[0-9]{1,2})?"
_ESCAPE = lazy_re(_ESCAPES)
# Also brackets, quotes and dashes of troff and JSON, before a scheme with slashes.
_ESCAPE_OR_GLYPH = lazy_re(rf"{_ESCAPES}|\\\((?:la|[acdlo]q|em|en|bu)|\\u00[2-7][0-9A-Fa-f]")
_ESCAPE_SIGNS = "\\=\x1b\x03"
_INSIDE_ESCAPE = frozenset(_ESCAPE_SIGNS + "[;,(")  # characters of an escape before its letters and digits
_BEFORE_WORD = frozenset(" \t\r\n<>\"':|*#")  # characters of neither a name nor an escape
_LONGEST_ESCAPE = 24
_IN_URI = lazy_re(r"[A-Za-z0-9]:\?[^\s<>\"]{0,50}=\Z")


LONGEST_SCHEME = 40
"""Characters of the longest name that is read as one: see `SCHEME_NAME`."""


def name_start(buffer: Buffer, colon: int) -> int:
    """Return the start of the characters of a scheme's name before ``colon``, at most one too many."""
    earliest = max(buffer.last, colon - LONGEST_SCHEME - 1)
    return earliest + len(buffer.text[earliest:colon].rstrip(SCHEME_CHARACTERS))


def scheme_start(buffer: Buffer, run_start: int, colon: int, *, has_slashes: bool) -> int:
    r"""Return the start of the scheme that ends before ``colon``, or -1 if there is none.

    It is the longest registered name without an ASCII letter or digit before it.
    A letter or digit that ends an escape does not count: see `follows_escape`.
    """
    text, name = buffer.text, buffer.text[run_start:colon]
    before = text[run_start - 1] if run_start else " "
    if before in "_=" and not has_slashes and _goes_on(text, run_start, colon):
        return -1
    if before in _BEFORE_WORD and name.lower() in SCHEMES:  # the usual case
        return run_start
    for start in _starts(text, run_start, colon, before, has_slashes=has_slashes):
        name = text[start:colon]
        is_word = start == 0 or text[start - 1] not in "+.-"
        if _counts(buffer, name, has_slashes=has_slashes, is_word=is_word):
            return -1 if text[max(0, start - 3) : colon].lower() in _HALF_NAMES else start
    return -1


_HALF_NAMES = frozenset(("h**p", "h**ps"))  # defanged: "p" is no scheme


def _counts(buffer: Buffer, name: str, *, has_slashes: bool, is_word: bool) -> bool:
    """Return whether ``name`` counts as a scheme; "www." and "ftp." begin a host.

    One that the caller names counts without ``//`` if it ``is_word``: "X-Ticket:" is a label.
    """
    if has_slashes and buffer.limits.any_scheme:
        return name[:4].lower() not in ("www.", "ftp.")
    lower = name.lower()
    if lower in buffer.limits.schemes:
        return has_slashes or is_word
    return is_registered(name) if has_slashes else lower in SCHEMES


def _starts(text: str, run_start: int, colon: int, before: str, *, has_slashes: bool) -> list[int]:
    """Return the offsets where a scheme may begin: after escapes, and where words begin."""
    starts = []
    if before in _INSIDE_ESCAPE:
        escapes = _ESCAPE_OR_GLYPH if has_slashes else _ESCAPE
        found = escapes.finditer(text, max(0, run_start - _LONGEST_ESCAPE), colon)
        starts = [match.end() for match in found if run_start < match.end() < colon]
    follows_word = before.isascii() and before.isalnum()  # the end of another URL
    if before == "\\":  # "\\verb+http://x+"
        follows_word = text.find("+", run_start, colon) >= 0
    follows_url = has_slashes and follows_word and before != "\\" and is_well_known(text[run_start:colon])
    if (follows_url or not follows_word) and text[run_start].isalpha():
        starts.append(run_start)
    if not text[run_start:colon].isalpha():
        starts += [at for at in range(run_start + 1, colon) if text[at].isalpha() and text[at - 1] in "+.-"]
    return starts


def _goes_on(text: str, start: int, colon: int) -> bool:
    """Return whether ``start:colon`` continues an identifier ("PATH_INFO:") or a URI ("magnet:?xt=urn:")."""
    before = text[start - 1 : start]
    if before == "_":
        return start > 1 and text[start - 2].isascii() and text[start - 2].isalnum()
    is_urn = before == "=" and text[start:colon].lower() == "urn"
    return is_urn and _IN_URI.search(text, max(0, start - 60), start) is not None


def follows_escape(text: str, at: int) -> bool:
    r"""Return whether an escape ends at ``at``, so that its last letter is not part of a word.

    Escapes are line ends and tabs of program text, fonts of troff, colours of
    terminals and of IRC, and quoted-printable that was not decoded.

    >>> [follows_escape(text, len(text)) for text in (r"see\n", r"\fB", "\x1b[1;34m", "=20", "m")]
    [True, True, True, True, False]
    """
    return any(match.end() == at for match in _ESCAPE.finditer(text, max(0, at - _LONGEST_ESCAPE), at))


# --- where a run of characters ends -------------------------------------------------------------

_RUN = lazy_re(r'[^\x00-\x20<>"`\x7f]*+')
# No event, and brackets with none inside
_CALM = r"[^()\[\]{}\\&]"
_BALANCED = lazy_re(rf"(?>(?:{_CALM}++|\({_CALM}*+\)|\[(?!/){_CALM}*+\]|\{{{_CALM}*+\}})*)")
# What can end a run, and opening brackets, which are counted to match the closing ones. "[/" begins a
# closing tag of forums.
_EVENT = lazy_re(rf"\[/|[()\[\]{{}}\\]|{ENTITY}")
_EVENT_OF_FILE = lazy_re(rf"\[/|[()\[\]{{}}]|{ENTITY}")  # in "file://C:\\x" a backslash is none
# By opening bracket: the words on the line up to a bracket of the same kind.
_WORDS = {pair[0]: lazy_re(rf'[^{re.escape(pair)}<>"\r\n]{{1,120}}') for pair in ("()", "[]", "{}")}
_OPENING = frozenset(OPENERS.values())
_LONGEST_END = 32  # characters needed to see that a run ends: an entity, and what may follow it


def cut_run(
    buffer: Buffer, start: int, url: int, reach: int, *, keeps_backslash: bool = False
) -> tuple[str, bool]:
    """Return the run that begins at ``start``, and whether it surely ends within ``reach`` characters.

    Blanks, quotes, brackets that were not opened and another URL end it. So does a bar or an
    apostrophe that matches what comes before ``url``, the start of the URL: see `trimmed`.
    """
    text = buffer.text
    reach = min(reach, buffer.limits.max_run)
    match = _RUN.match(text, start, start + reach)
    end = match.end() if match else start
    run = text[start:end]
    if not run.isascii():
        run = readable(run)
        run = run[: first_foreign_end(run)]
        stop, is_end = glued_text(run)
        run = run[:stop] if is_end else run
    if "://" in run or "mailto:" in run:
        run = run[: next_url(run)]
    closed = run[: _first_unopened(run, keeps_backslash=keeps_backslash)]
    if "|" in closed or text[url - 1 : url] in _CLOSES_AGAIN:
        closed = closed[: _closed_end(closed + text[start + len(closed) : end + 1][:1], text, url)]
    # What ends it right before the end of the window may be read in another way with the text after that.
    margin = 0 if reach == buffer.limits.max_run else _LONGEST_END
    is_ended = end - start < reach or len(closed) < reach - margin
    is_open = len(run) - len(closed) < _LONGEST_END
    if (
        is_open
        and end == buffer.size
        and not buffer.is_whole
        and len(run) == end - start < buffer.limits.max_run
    ):
        raise MoreNeeded
    if len(closed) == end - start and text[end : end + 1] in (" ", "\t") and not _OPENING.isdisjoint(closed):
        closed = closed[: _bracket_of_words(buffer, closed, end)]
    return closed, is_ended


_USUAL_HEAD, _LONGEST_MARK = 64, 16  # characters, and those of a port or of a mark for a dot after the host
_NOT_OF_HOST = lazy_re(r"[\x00-,/:-@\[-^`{-\x7f]")


def host_head(buffer: Buffer, start: int) -> str:
    """Return the run at ``start``, as far as a host and what comes right after it may reach."""
    head, _ = cut_run(buffer, start, start, _USUAL_HEAD)
    if len(head) < _USUAL_HEAD or _NOT_OF_HOST.search(head, 0, _USUAL_HEAD - _LONGEST_MARK):
        return head
    return cut_run(buffer, start, start, LONGEST_HOST)[0]


def clean_run(
    buffer: Buffer, start: int, url: int, *, keeps_backslash: bool = False, most: int | None = None
) -> tuple[str, tuple[Defect, ...]]:
    """Return the run at ``start`` of the URL at ``url``, untrimmed, with its defects.

    Each attempt reads four times as far as the one before, so that short runs are cheap.
    At most ``most`` characters are read, by default `ScanLimits.max_run`.
    """
    reach, most = FIRST_REACH, most or buffer.limits.max_run
    while True:
        run, is_ended = cut_run(buffer, start, url, reach, keeps_backslash=keeps_backslash)
        if is_ended:
            return run, ()
        if reach >= most:
            return run, (cut_at(most),)
        reach *= 4


def cut_at(most: int) -> Defect:
    """Return the defect of a URL of which only ``most`` characters were read."""
    return Defect(DefectCode.CUT, f"cut at {most} characters")


def _bracket_of_words(buffer: Buffer, run: str, end: int) -> int:
    """Return the offset in ``run`` of a bracket that closes after more words, as in "x[the docs]".

    Return the length of ``run`` if there is none. ``end`` is where the run ends in the text.
    """
    text = buffer.text
    opened: list[int] = []
    for at, char in enumerate(run):
        if char in "([{":
            opened.append(at)
        elif opened and OPENERS.get(char) == run[opened[-1]]:
            opened.pop()
    if not opened:
        return len(run)
    words = _WORDS[run[opened[-1]]].match(text, end)
    stop = words.end() if words else end
    if stop == buffer.size:
        buffer.need(1, stop)
        return len(run)
    return opened[-1] if OPENERS.get(text[stop]) == run[opened[-1]] else len(run)


def _first_unopened(run: str, *, keeps_backslash: bool) -> int:
    """Return the offset of the first closing bracket without an opening one, or of a mark that ends a run."""
    balanced = _BALANCED.match(run)
    start = balanced.end() if balanced else 0
    if start == len(run):
        return start
    opened = {"(": 0, "[": 0, "{": 0}
    for match in (_EVENT_OF_FILE if keeps_backslash else _EVENT).finditer(run, start):
        char = match.group()
        if char in opened:
            opened[char] += 1
        elif char in OPENERS:
            opened[OPENERS[char]] -= 1
            if opened[OPENERS[char]] < 0:
                return match.start()
        else:
            return match.start()
    return len(run)


def without_unopened(run: str) -> str:
    """Return ``run`` without the closing brackets at its end that it does not open.

    >>> without_unopened("http://a.example/x)"), without_unopened("http://a.example/(x)")
    ('http://a.example/x', 'http://a.example/(x)')
    """
    end = _first_unopened(run, keeps_backslash=True)
    return run[:end] if not run[end:].strip(")]}") else run


# --- the end of a URL: punctuation of the sentence, and markup around the URL ---------------------

_APOSTROPHE = lazy_re(r"'(?!\w)")
# Stars at the edges of words
_STAR = lazy_re(r"(?<![\w*/])(?P<opens>\*{1,3})(?=[^\s*])|(?<=[^\s*])(?P<closes>\*{1,3})(?!\w)")
_LONGEST_LINE = 300  # characters of its line that are read before a URL


def trimmed(run: str, text: str, start: int) -> str:
    """Return ``run`` without the sentence punctuation at its end; the URL begins at ``start`` in ``text``.

    A mark of emphasis or of verbatim text is removed if the same mark comes right before the
    URL. A star is also removed if words before the URL on the line begin with a star. So is a label in
    brackets or after a bar at the end of a path: see `_closed_end` for others.
    """
    before = text[start - 1 : start]
    if before in _CLOSES_AGAIN or "|" in run:
        run = run[: _closed_end(run, text, start)]
    marks = END_MARKS + _emphasis(run, text, start)
    run = without_end_marks(run, marks)
    if run[-1:] == "]" or "|" in run:
        label = _LABEL_AT_END.search(run) or (_LETTER_AT_END.search(run) if _is_macro(text, start) else None)
        where = _IN_PATH if label and label[0][0] == "|" else _IN_PATH_OR_FRAGMENT
        if label and where.match(run, 0, label.start()):
            run = without_end_marks(run[: label.start()], marks)
    if run[-1:] not in ("s", "*", "/"):
        return run
    if run.endswith("/'s"):
        return run[:-2]
    if "*" not in run[-2:]:
        return run
    line = _line_before(text, start)
    if run.endswith("*/") and ("/*" in line or line.lstrip().startswith("*")):
        return without_end_marks(run[:-2], marks + "*")
    return without_end_marks(run, marks + "*") if _opens_emphasis(line) else run


_SEPARATORS = ",;\t"
_CLOSES_AGAIN = frozenset(_SEPARATORS + "'")  # what ends a URL if it comes right before it, too
_BEFORE_BAR = ("|", "[", "{", "=")
_REFERENCE = lazy_re(r"&#?\w{1,8};\Z")


def _closed_end(run: str, text: str, start: int) -> int:
    """Return where a mark ends ``run`` that comes right before the URL, too, or the length of ``run``.

    That is a bar, or a bar after a bracket or "=", as in wikis; an apostrophe without a letter after it; the
    separator of a list without blanks.
    """
    before, end = text[start - 1 : start], len(run)
    bar = run.find("|")
    if bar >= 0 and not run.startswith("///"):  # "file:///C|/x"
        is_opened = before in _BEFORE_BAR or any(text.endswith(opener, 0, start) for opener in WRAPPERS)
        end = bar if is_opened else end
    quote = _APOSTROPHE.search(run) if before == "'" else None
    if before and before in _SEPARATORS and not text[start - 2 : start - 1].isspace():
        is_separator = start > 1 and not _REFERENCE.search(text, max(0, start - 10), start)
        separator = run.find(before) if is_separator else -1
        end = min(end, separator) if separator >= 0 else end
    return min(end, quote.start()) if quote else end


def _line_before(text: str, start: int) -> str:
    """Return what comes before ``start`` on its line, at most `_LONGEST_LINE` characters."""
    earliest = max(0, start - _LONGEST_LINE)
    return text[max(text.rfind("\n", earliest, start) + 1, earliest) : start]


def _opens_emphasis(line: str) -> bool:
    """Return whether words of ``line`` begin with a star that is not closed."""
    stars = [star.lastgroup for star in _STAR.finditer(line)]
    return stars[-1:] == ["opens"]


# A footnote, a label of AsciiDoc, or a word after a bar, as in "curl http://a.example/x|sh"
_LABEL_AT_END = lazy_re(
    r"(?<=[\w/-])(?:\[(?:[0-9]*|(?![.\u2026]*\])[^\s\[\]]{2,80})\]|\|(?:[A-Za-z]{3,}[0-9]{1,2}|[A-Za-z]+))\Z"
)
_LETTER_AT_END = lazy_re(r"\[[^\s\[\]]\]\Z")
_LABEL = lazy_re(r"\[[^\r\n\[\]]{0,80}\]|\|(?:[A-Za-z]{3,}[0-9]{1,2}|[A-Za-z]+)")
_UP_TO_PATH = r"(?:(?!file:)[A-Za-z][A-Za-z0-9+.-]{0,39}+:)?(?://)?[^/?#]++/[^?#]*+"
_IN_PATH = lazy_re(rf"(?!.*\|){_UP_TO_PATH}\Z")  # with another bar, it is a part of the URL
_IN_PATH_OR_FRAGMENT = lazy_re(rf"{_UP_TO_PATH}(?:#[^=]*+)?\Z")


def _is_macro(text: str, start: int) -> bool:
    """Return whether a macro of AsciiDoc begins right before a URL, so that its label follows."""
    return text.endswith(("link:", "image::"), 0, start)


def _emphasis(run: str, text: str, start: int) -> str:
    """Return the mark of emphasis or of verbatim text that comes right before a URL, "" if there is none."""
    mark = text[start - 1 : start]
    if mark not in ("*", "_", "~", "=", "+"):
        return ""
    if mark == "+":  # also of "\verb+http://a.example/+"
        return mark
    before = text[max(0, start - _MOST_MARKS) : start].rstrip(mark)[-1:]
    is_emphasis = not before or before.isspace() or before in "([{<\"'>"
    return mark if is_emphasis and not (mark == "=" and "?" in run) else ""


_MOST_MARKS = 8  # of emphasis before a URL
_DOTS = r"(?:\.{3}|\u2026)"
_ELLIPSIS = lazy_re(rf"{_DOTS}(?=[\s)\]}}>\"',;]|\Z)")
# Forums show a long URL as its beginning, dots and its last characters, in which there is a sign of URLs.
_SHORTENED = lazy_re(
    rf"[ ]?{_DOTS}[ ]?"
    rf"(?=[^\s:]{{0,60}}?(?:[#?=&%_]|[0-9/][/.]|[0-9]{{4,}}(?!\w)|\.{extension_of('page', 'file')}(?:\W|\Z)))"
)
_PATH_OF = lazy_re(r"(?>(?:[A-Za-z][A-Za-z0-9+.-]*+://)?)[^/?#]*+[/?#]")
_SHORT_PATH = lazy_re(r"[A-Za-z]+")
_LONG = 40  # characters, from which programs cut URLs


def is_cut_off(text: str, start: int, end: int) -> bool:
    """Return whether an ellipsis after the URL ``start:end`` shows that its end is missing.

    So does one between it and what looks like the end of one, with a blank on either side or none. After a
    host, a slash, a file name or a short path of one word, it is that of the sentence.

    >>> [is_cut_off(text, 0, text.index("...")) for text in ("http://a.b/long/pa...", "http://a.b/docs...")]
    [True, False]
    >>> [is_cut_off(f"http://a.b/x/pa ... {rest}", 0, 15) for rest in ("c.html", "and so on")]
    [True, False]
    """
    is_cut = _ELLIPSIS.match(text, end) or _SHORTENED.match(text, end)
    return is_cut is not None and may_be_cut_off(text, start, end)


def may_be_cut_off(text: str, start: int, end: int) -> bool:
    """Return whether an ellipsis after the URL ``start:end`` would be that of the URL."""
    path = _PATH_OF.match(text, start, end)
    if path is None or path.end() == end or text[end - 1] == "/" or ends_file_name(text[start:end]):
        return False
    return end - start >= _LONG or not _SHORT_PATH.fullmatch(text, path.end(), end)


_LONGEST_GLUED = 256  # characters after a URL that may be part of it


def with_glued_text(buffer: Buffer, match: Match) -> Match:
    """Return ``match`` with another reading if text is glued to the URL: a label, a sign, another script."""
    text, (start, end), raw = buffer.text, match.inner, match.raw
    label = _LABEL.match(text, end) if text.startswith(("[", "|"), end) else None
    if label and not buffer.joined:
        return _with_reading(match, raw + label[0], "with the label glued on")
    if raw.isascii() and text[end : end + 1].isascii():
        return match
    head = raw.find("://") + 1
    stop, _ = glued_text(raw[head:])
    if head + stop < len(raw):  # it may end before
        defects = (*match.defects, GLUED_AFTER) if raw[head + stop].isalpha() else match.defects
        shorter = trimmed(raw[: head + stop], text, start)
        return _with_reading(match._replace(defects=defects), shorter, "without the words glued on")
    if not raw.isascii() or text[end : end + 1].isascii():
        return match
    run = _RUN.match(text, end, end + _LONGEST_GLUED)
    last = run.end() if run else end
    if last == buffer.size:
        buffer.need(_LONGEST_GLUED, end)
    whole = readable(text[start:last])
    whole = whole[: head + first_foreign_end(whole[head:])]
    if glued_text(whole[head:]) != (len(raw) - head, True):
        return match
    return _with_reading(match, trimmed(whole, text, start), "with the words glued on")


def _with_reading(match: Match, raw: str, reason: str) -> Match:
    if raw == match.raw:
        return match
    other = Alternative(joined_url(match._replace(raw=raw)), reason, AlternativeCode.GLUED)
    return match._replace(also=(*match.also, other))


GLUED_AFTER = Defect.of(DefectCode.GLUED_AFTER)
SHORTENING = (" .", " \u2026", "\u2026")
"""What a text goes on with behind a URL that may have been shortened."""

SHORTENED_REACH = 70
"""The most characters after a URL that tell whether it was shortened."""

CUT_OFF = Defect(DefectCode.CUT, "cut: an ellipsis follows")
"""The defect of a URL whose end somebody has left out."""


# --- what comes after a scheme's colon ----------------------------------------------------------

_HEADS = (FIRST_REACH, HEAD)

# "a..b", "a-.b", "a[.]b" and "a[.b" of defanged URLs: the first part of a faulty host is no host.
_HOST_GOES_ON = lazy_re(rf"(?:[.-]{{1,8}}[{{%]?|{DOT}|\[\.)\w|%[0-9A-Fa-f]{{2}}")
_PORT_END = lazy_re(r":[0-9]++\Z")
_SCHEME_AS_HOST = lazy_re(r"//(?i:https?|ftp)://")  # "http://http://a.example/"
_ESCAPED_HOST = lazy_re(r"\\(?:[.-]|&[.])\w")
_OWN_SCHEME = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]{0,39}+://")
_NO_GROUP = lazy_re(r"[/:?#]")
_OWN_HOST = lazy_re(r"(?i:www\.)(?![^@\s/]{0,200}+@)")


def bare_end(buffer: Buffer, start: int, rest: int) -> tuple[int, Rule | None, tuple[Defect, ...]]:
    """Return the end of the URL at ``start``, the rule that rejects it or None, and its defects.

    ``rest`` is the offset after the colon of its scheme.
    """
    text = buffer.text
    written = text[start : rest - 1]
    name = written.lower()
    has_slashes = text.startswith("//", rest)
    if not (has_slashes or buffer.limits.explains) and _is_hopeless(buffer, name, rest):
        return rest, no_shape(), ()
    for reach in _HEADS[1:] if "@" in text[rest : rest + HEAD] else _HEADS:  # a login may be long
        run, is_ended = cut_run(buffer, rest, start, reach, keeps_backslash=name == "file")
        host_end = _host_end(name, run) if has_slashes else len(run)
        if is_ended or host_end is None or (has_slashes and host_end < reach - _LONGEST_MARK):
            break
    if host_end is None or (
        text.startswith("\\", rest + host_end) and _is_escaped_host(run, text, rest + host_end)
    ):
        return rest + (host_end or 0), Rule.NO_HOST, ()
    has_path = run[host_end : host_end + 1] in ("/", "?", "#")
    if is_ended or not (has_path or host_end == len(run)):
        run = trimmed(run if has_path else run[:host_end], text, start)
        return rest + len(run), bare_rejection(name, run, written), ()
    rejection = bare_rejection(name, run, written)
    if rejection:  # a longer run is rejected, too: do not look for its end
        return rest, rejection, ()
    run, defects = clean_run(buffer, rest, start, keeps_backslash=name == "file")
    return rest + len(trimmed(run, text, start)), None, defects


def _is_hopeless(buffer: Buffer, name: str, rest: int) -> bool:
    """Return whether the text at ``rest`` cannot have the shape of ``name:``, wherever it ends.

    Text with a backslash may have it, once its escapes are decoded.
    """
    head = buffer.text[rest : rest + HEAD]
    if "\\" in head or name not in SCHEMES or not (buffer.is_whole or len(head) == HEAD):
        return False
    return not may_have_shape(name, readable(head), 0, HEAD)


def _is_escaped_host(run: str, text: str, end: int) -> bool:
    """Return whether the host goes on after a backslash, as in a pattern or a man page."""
    is_host = run.startswith("//") and {"/", "?", "#"}.isdisjoint(run[2:])
    return is_host and _ESCAPED_HOST.match(text, end) is not None


def _host_end(name: str, run: str) -> int | None:
    """Return the end of the host of ``run``, None if there is none; only a path or the like may follow it."""
    row = SCHEMES.get(name)
    if row is None or row.any_authority:
        return loose_authority(run, 2) if len(run) > 2 else None
    if row.hostless and run[2:3] == "/":
        return 2
    if name == "file":  # "file://C:\\x" and "file://host/x" alike
        return len(run) if len(run) > 2 and (run[2].isalnum() or run[2] in "\\~") else None
    host = authority(run, 2)
    if host is None or (run[host - 1] == ":" and _SCHEME_AS_HOST.match(run)):
        return None
    if _HOST_GOES_ON.match(run, host) and not _PORT_END.search(run, max(0, host - 10), host):
        return None
    return host


def bare_rejection(name: str, run: str, written: str) -> Rule | None:
    """Return what is wrong with ``run``, the text after ``name:``, which is ``written`` so, or None."""
    if run.startswith("//"):
        return None if len(run) > 2 else Rule.NOTHING_AFTER_SLASHES
    row = SCHEMES.get(name)  # None for one that the caller names
    if row and not row.bare:
        return Rule.WRAPPERS_ONLY
    if row and not row.any_case and written != written.lower():
        return Rule.LABEL
    if rest_rejection(run):
        return rest_rejection(run)
    if ("://" in run and _OWN_SCHEME.match(run)) or (
        may_be_label(run) and (written != "news" or _NO_GROUP.search(run))
    ):
        return Rule.LABEL_OF_URL
    is_whole = has_shape(name, run) if row else any(map(str.isalnum, run))
    return None if is_whole else no_shape(run)


def no_shape(rest: str = "") -> Rule:
    """Return the rule that rejects ``rest``, which does not have the shape of its scheme."""
    return Rule.DEFANGED if is_address(rest) else Rule.NO_SHAPE


def rest_rejection(rest: str) -> Rule | None:
    """Return what is wrong with ``rest``, the text after the colon of any scheme, or None."""
    return Rule.TWO_COLONS if rest.startswith(":") else None


def may_be_label(run: str) -> bool:
    """Return whether ``run`` is a URL without its scheme, so that the name before it may be a label."""
    return (
        run[:1] in ("w", "W") and _OWN_HOST.match(run) is not None and abbreviated_host_end(run) is not None
    )


def host_rejection(name: str, url: str, start: int) -> Rule | None:
    """Return what is wrong with the host that begins at ``start`` of a bracketed ``url``, or None."""
    run = url[start - 2 :]
    end = _host_end(name, run)
    if end is None:
        return Rule.NO_HOST
    return None if run[end:] in ("", ".") or run[end] in "/?#" else Rule.HOST_ENDS_ODDLY
