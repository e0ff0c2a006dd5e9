"""The search: each place in a text, in order, read by a plain pattern or by the rules.

A place is found by a colon, or by the dot of ``www.`` and ``ftp.``. One pattern for each
finds the places, and reads plain ones at once: a bare URL, ``<scheme://...>`` and
``<URL:...>``, unbroken. The table of schemes determines which colons count. Places that a
plain pattern does not match are read by the rules. For `examine` the rules read all places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from urlextract.grammar.backslashes import SOFT_END
from urlextract.grammar.marks import END_MARKS, QUOTE_MARK
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, SCHEMES, by_length
from urlextract.records import Form
from urlextract.scanner.bare import (
    BLANK,
    LONGEST_HOST,
    PLAIN,
    PLAIN_AFTER,
    PLAIN_HOST,
    PLAIN_PATH,
    is_plain_name,
    plain_before,
)
from urlextract.scanner.brackets import GAP, PLAIN_CLOSED, PLAIN_LABELLED, PLAIN_NAMED, read_plain
from urlextract.scanner.buffer import (
    CONTEXT,
    Buffer,
    Hit,
    short_url,
)
from urlextract.scanner.onward import ENDS_WITH_LINE
from urlextract.scanner.places import goes_on, read_at_colon, read_at_dot
from urlextract.scanner.quoted_printable import may_be_escaped

Look = Callable[[Buffer, int], Hit | None]

# --- patterns -----------------------------------------------------------------------------------

_FREE, _NAMED, _CLOSED, _CHECKED, _QUOTED, _PLACE = range(6)

_READS: dict[int | None, tuple[int, int, int, Form]] = {None: (_PLACE, 0, 0, Form.BARE)}
"""By group of `_COLON`: the kind, the distances from the colon back to the URL and its bracket, the form."""


def _mark(kind: int, back: int, form: Form, opening: int = 0) -> str:
    """Return an empty group that shows what a match has read; groups are numbered in order of the calls."""
    _READS[len(_READS)] = (kind, back, back + opening, form)
    return "()"


_COMMON = ("http", "https", "ftp")  # first, because nearly all URLs have them


def _after_slashes() -> str:
    """Return the plain patterns for what comes after ``scheme://``."""
    groups = by_length(
        [*_COMMON, *(name for name in SCHEMES if name not in _COMMON), *map(str.upper, _COMMON)]
    )
    free = "|".join(
        rf"(?<=(?:{names})://)(?:{plain_before(length + 3)}{_mark(_FREE, length, Form.BARE)}"
        rf'|(?<=".{{{length + 3}}}){_mark(_QUOTED, length, Form.QUOTED, 1)})'
        for length, names in groups
    )
    angle = "|".join(
        rf"(?<=<(?:{names})://){_mark(_CLOSED, length, Form.ANGLE, 1)}" for length, names in groups
    )
    return rf"(?:{free}){PLAIN_HOST}{PLAIN_PATH}{PLAIN_AFTER}|(?:{angle}){PLAIN_CLOSED}|"


def _before_anything() -> str:
    """Return look-behinds for the names that count without ``//``, and one character after the colon."""
    names = ("url", *NAMES_WITHOUT_SLASHES)
    # The last two letters of the names, which rarely come before other colons of prose.
    ends: dict[str, set[str]] = {}
    for name in names:
        ends.setdefault(name[-1], set()).update((name[-2], name[-2].upper()))
    lasts = "".join(ends)
    pairs = "|".join(f"[{''.join(sorted(before))}][{last}{last.upper()}]" for last, before in ends.items())
    # A name is not the end of a word, but may follow an escape that ends in a letter.
    whole = "|".join(
        rf"(?<=(?i:{group}):.)(?<![A-Za-z][a-z].{{{length}}}:.)" for length, group in by_length(names)
    )
    return rf"(?<=[{lasts}{lasts.upper()}]:.)(?<=(?:{pairs}):.)(?:{whole})"


def _after_names() -> str:
    """Return the plain pattern for names without ``//``; one character after the colon was read."""
    free = "|".join(
        rf"(?<=(?:{group}):.){plain_before(length + 2)}{_mark(_NAMED, length, Form.BARE)}"
        for length, group in by_length(NAMES_WITHOUT_SLASHES)
    )
    closed = "|".join(
        rf"(?<=<(?:{group}):.){_mark(_CHECKED, length, Form.ANGLE, 1)}"
        for length, group in by_length(NAMES_WITHOUT_SLASHES)
    )
    return rf"|(?<=[{PLAIN}])(?:{free})[{PLAIN}]{{0,400}}+{PLAIN_AFTER}|(?:{closed}){PLAIN_NAMED}|)"


def _labelled() -> str:
    """Return the plain pattern for what comes after ``<URL:``, of which one character was read."""
    first = rf"(?<=[A-Za-z]){_mark(_CLOSED, -1, Form.URL_WRAPPER, 5)}"
    blank = rf"(?<=[{BLANK}])[A-Za-z]{_mark(_CLOSED, -2, Form.URL_WRAPPER, 6)}"
    return rf"(?:(?<=<[uU][rR][lL]:.)(?:{first}|{blank}){PLAIN_LABELLED}"


def _colon(*, is_plain: bool) -> str:
    # Each alternative begins with a test of one character, so that ``re`` skips most colons of
    # prose and programs without trying the rest.
    slashes, labelled = (_after_slashes(), _labelled() + _after_names()) if is_plain else ("", "")
    broken = rf"=(?={SOFT_END})"  # quoted-printable
    others = rf"[^/:]{_before_anything()}{labelled}|[^!-~]{GAP}/|/(?!/)|{broken}"
    return rf":(?://(?:{slashes})|\\(?=/\\/)|{others})"


_COLON = lazy_re(_colon(is_plain=True), re.DOTALL)
_RULED_COLON = lazy_re(_colon(is_plain=False), re.DOTALL)
EVERY_COLON = rf":(?:(?<=[A-Za-z0-9+.-]:)|(?:(?<={QUOTE_MARK}:)|(?<=\s:))//)"
"""Every colon that may be a place: for `examine`, and where every registered name counts."""
_EVERY_COLON = lazy_re(EVERY_COLON)

# After "://" it is in the host of a URL, after a mark in the rest of a name.
_SHORT = r"\.(?<=[wWpP]\.)(?<=(?i:www|ftp)\.)(?<!://.{4})(?<![@.-].{4})"
_DOT = lazy_re(
    rf"{_SHORT}(?:{plain_before(4)}(?=[A-Za-z0-9-]++\.[A-Za-z0-9]){PLAIN_HOST}{PLAIN_PATH}{PLAIN_AFTER}()|)",
    re.DOTALL,
)
RULED_DOT = lazy_re(_SHORT, re.DOTALL)
"""The dot of a ``www.`` or ``ftp.`` that may begin a host."""
_OPEN_END = lazy_re(rf":(?:[^!-~]{GAP}|\\/?\\?|=[ \t]{{0,2}}\r?)?\Z")
"""A colon at the end of a text that may match `_COLON` when more text follows."""

# --- the scan -----------------------------------------------------------------------------------

_NEVER = 1 << 62
_FAR = 256  # characters; longer places are skipped at once: each match in them may read to the end


class Scan:
    """One scan of a buffer; ``waiting`` is the offset of the place that is being read."""

    def __init__(self, b: Buffer, *, plain: bool) -> None:
        self.b = b
        self.hits: list[Hit] = []
        self.waiting = 0
        is_any = b.limits.any_name or b.limits.explains
        self._pattern = _EVERY_COLON if is_any else _COLON if plain else _RULED_COLON
        self._hosts = _Hosts(_DOT if plain and not b.limits.explains else RULED_DOT)

    def by_rules(self, read: Look, at: int, broken: re.Match[str] | None = None) -> None:
        """Read a place by the rules, and take the hit; ``broken`` is tried as a plain wrapper first."""
        if broken and self._take_broken(broken):
            return
        b = self.b
        b.is_unclosed, b.joined, b.stop = False, None, -1
        self.waiting = at
        hit = read(b, at)
        if b.refusals:
            self.hits += [(*r.span, r.form, r.span.start, "", r) for r in b.refusals]
            b.refusals.clear()
        if hit:
            self.take(hit)

    def take(self, hit: Hit) -> None:
        """Add ``hit`` to the results."""
        self.b.last = hit[1]
        self.hits.append(hit)

    def goes_on(self, start: int, end: int) -> bool:
        """Return whether the plain URL ``start:end`` may go on in the next line."""
        self.waiting = start
        return goes_on(self.b, start, end)

    def run(self, start: int) -> int:
        """Read all places from ``start`` on, in order; return where the next scan begins.

        Plain places are taken inline, because a call for each would double the time.
        """
        b, text, pattern, reads = self.b, self.b.text, self._pattern, _READS
        asks, marks, last = b.limits.looks_on, END_MARKS, b.last
        ends_with_line, add_hit = ENDS_WITH_LINE.match, self.hits.append
        hosts = self._hosts
        hosts.begin(text, start)
        again = True
        while again:
            again = False
            for match in pattern.finditer(text, start):
                colon, end = match.span()
                if hosts.at < colon:
                    b.last = last
                    hosts.read(self, colon)
                    last = b.last
                if colon < last:
                    if end <= last and last - colon < _FAR:
                        continue
                    start, again = last, True  # the rest of the match after ``last`` may contain places
                    break
                kind, back, opening, form = reads[match.lastindex]
                first = colon - back
                if kind <= _NAMED:
                    url = text[first : end - 1].rstrip(marks)
                    stop = first + len(url)
                    is_plain = end - stop <= 3 and (kind == _FREE or is_plain_name(url))  # no ellipsis
                    if asks and text[end - 1] in "\r\n" and not ends_with_line(text, end - 1):
                        is_plain = is_plain and not self.goes_on(first, stop)
                else:
                    stop = end
                    url = text[first : end - 1]
                    is_plain = (kind == _CLOSED and "\n" not in url) or (
                        kind == _QUOTED
                        and first > last
                        and text[end - 1] == '"'
                        and text[end - 2] not in marks
                    )
                if is_plain and not ("=" in url and may_be_escaped(url)):
                    last = stop
                    add_hit((colon - opening, stop, form, first, url, None))
                    continue
                b.last = last
                self.by_rules(read_at_colon, colon, broken=match if kind in (_CLOSED, _CHECKED) else None)
                last = b.last
                start = max(colon + 1, last)
                if start != end:
                    again = True
                    break
        b.last = last
        hosts.read(self, _NEVER)
        is_open = pattern is not _EVERY_COLON and not b.is_whole
        open_end = _OPEN_END.search(text, max(0, b.size - 82)) if is_open else None
        return open_end.start() if open_end else b.size

    def _take_broken(self, match: re.Match[str]) -> bool:
        """Take a plain wrapper, whole or broken over lines; return False if the rules must decide."""
        b, text, (colon, end) = self.b, self.b.text, match.span()
        _, back, opening, form = _READS[match.lastindex]
        place = colon - opening
        if not text[max(0, place - CONTEXT) : place].isascii():
            return False
        hit = read_plain(b, place, colon - max(back, -1), end, form)
        if hit:
            self.take(hit)
        return hit is not None


class _Hosts:
    """The hosts that begin with www or ftp; each is read after the colons before it.

    ``at`` is where the next one begins.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self.at = _NEVER

    def begin(self, text: str, at: int) -> None:
        """Start the search for hosts at ``at``."""
        self._matches: Iterator[re.Match[str]] = self._pattern.finditer(text, at)
        self._advance()

    def _advance(self) -> None:
        self._match = next(self._matches, None)
        self.at = self._match.start() - 3 if self._match else _NEVER

    def read(self, scan: Scan, before: int) -> None:
        """Read the hosts that begin before ``before``."""
        while self.at < before:
            self._read_one(scan)

    def _read_one(self, scan: Scan) -> None:
        """Read the host that begins at ``at``."""
        match, last = self._match, scan.b.last
        if match is None:
            return
        dot, end = match.span()
        if self.at < last:
            if end - 1 <= last and last - dot <= _FAR:
                self._advance()
            else:
                self.begin(scan.b.text, max(dot + 1, last))
        elif match.lastindex and self._take_plain(scan, end):
            self._advance()
        else:
            scan.by_rules(read_at_dot, dot)
            self.begin(scan.b.text, max(dot + 1, scan.b.last))

    def _take_plain(self, scan: Scan, end: int) -> bool:
        """Take a plain host and path; return False if the rules must decide."""
        start = self.at
        url = scan.b.text[start : end - 1].rstrip(END_MARKS)
        stop = start + len(url)
        if end - stop > 3 or len(url) >= LONGEST_HOST or may_be_escaped(url) or scan.goes_on(start, stop):
            return False
        scan.take((start, stop, Form.ABBREVIATED, start, short_url(url), None))
        return True
