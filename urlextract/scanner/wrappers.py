"""Brackets and quotes round a URL: what is open before a place, where it closes, and whether it holds a URL.

RFC 1738, appendix; RFC 3986, appendix C; uri(7). The inside of a wrapper over lines is one pattern for each
quote prefix (`linebreaks.prefixes`). What it matched is then checked: a "<" in prose often means "less than",
and must not swallow the URLs after it. A bracket that is given up is read as running text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from urlextract.grammar.chars import BLANK, LINE_END, readable
from urlextract.grammar.codes import AlternativeCode, DefectCode, RepairCode
from urlextract.grammar.hosts import AUTHORITY
from urlextract.grammar.marks import (
    AFTER_WORD,
    END_OF_CLAUSE,
    FREE_MARKS,
    MARKS_AND_BLANKS,
    SENTENCE_MARKS,
    WRAPPERS,
)
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_NAME, SCHEMES, is_registered
from urlextract.linebreaks.joining import SCHEME_OF_HOST, holds_another, is_broken, joined, readings
from urlextract.linebreaks.prefixes import patterns_of, prefix_before
from urlextract.message.entities import REFERENCE, decode_attribute
from urlextract.records import UNDECODABLE, Alternative, Defect, Form, Match, Repair
from urlextract.scanner.bare import LONGEST_URL, is_cut_off
from urlextract.scanner.checks import (
    IS_LABEL,
    NAME_IN_MARKUP,
    NOT_IN_BRACKETS,
    PATH_BEGINS,
    SCHEME,
    TWO_COLONS,
    refused_unbroken,
    refused_url,
)
from urlextract.scanner.window import NEW, NOTHING, SHOWN, Window

CUT_OFF = Defect(DefectCode.CUT, "cut: an ellipsis follows")
"""The defect of a URL whose end somebody has left out."""
DECODED = Repair(RepairCode.DECODED_ESCAPES, "decoded escapes")
"""The repair of a URL with escapes of Markdown and the like."""
DECODED_ENTITIES = Repair(RepairCode.DECODED_ENTITIES, "decoded entities")
"""The repair of a URL with character references."""

# --- what opens a bracket ---------------------------------------------------------------------------

_OPENERS = tuple(WRAPPERS)
OTHER_OPENERS = _OPENERS[1:]
"""The openers of wrappers but ``<``."""
REACH = 120
"""Characters from a "<" to what it opens: blanks, a line end and a prefix may come between."""
_OPENED = lazy_re(rf"(?i:URL:)?{BLANK}*+(?:{LINE_END}(?P<line>[^\r\nA-Za-z0-9]{{0,40}}))?\Z")
_SCHEME_HEAD = lazy_re(rf"<([A-Za-z][A-Za-z0-9+.-]{{0,30}}+){LINE_END}[^\r\n<A-Za-z0-9]{{0,80}}\Z")


def opener_before(window: Window, at: int) -> int | None:
    """Return the offset of the opener of a bracket round the place at ``at``, None without one.

    Only ``URL:``, blanks and, after ``<``, a line end and a quote prefix may come between them.
    """
    text, earliest = window.text, max(window.last, at - REACH)
    start = text.rfind("<", earliest, at)
    opened = _OPENED.match(text, start + 1, at) if start >= 0 else None
    if opened and (not opened["line"] or _begins_line(text, start, opened.start("line"), at)):
        return start
    before = text[earliest:at].rstrip(" ")
    before = before[:-4].rstrip(" ") if before[-4:].lower() == "url:" else before
    opener = next(filter(before.endswith, OTHER_OPENERS), "")
    return earliest + len(before) - len(opener) if opener else None


def _begins_line(text: str, opener: int, line: int, at: int) -> bool:
    """Return whether nothing but the opener's own quote prefix stands between ``line`` and ``at``."""
    prefix = patterns_of(prefix_before(text, opener)).skipped.match(text, line)
    return prefix is not None and prefix.end() == at


def opener_of_cut_scheme(window: Window, start: int, colon: int) -> int | None:
    """Return the offset of the bracket whose scheme is broken over two lines, its rest at ``start``."""
    text, name = window.text, window.text[start:colon]
    if not text[start - 1].isspace() and text[start - 1] not in FREE_MARKS:
        return None
    match = _SCHEME_HEAD.search(text, max(window.last, start - 100), start)
    is_cut = match and not is_registered(name) and is_registered(match[1] + name)
    return match.start() if match and is_cut else None


# --- wrappers ---------------------------------------------------------------------------------------

_MOST_LINES, _MOST_OVER_LINES, _LINES_WITH_BLANKS = 64, 8_000, 9
_SENTENCE = lazy_re(rf"(?<=[^\s;]){END_OF_CLAUSE}{BLANK}++(?=[^\s])")
_BLANK_INSIDE = lazy_re(rf"(?<=[^\s]){BLANK}++(?=[^\s])")
_URL_AFTER = lazy_re(rf"\s({SCHEME_NAME}://)")
_OUTER_CLOSER = lazy_re(rf"\s{{0,80}}+{MARKS_AND_BLANKS}{{0,9}}?>")
_LONGEST_GAP = 200  # characters after the colon of a scheme, up to the next two of the URL
# A title after a URL: two words on a line
_OPENS, _CLOSES = r"[(\['\u2018\u201c\u201e]", rf"(?:{AFTER_WORD}|[\]'\u2019\u201c\u201d])"
_WORD = rf"(?:{_OPENS}?[A-Za-z]++(?:['\u2019][A-Za-z]++)?{_CLOSES}*+|-{{1,3}}+|[\u2013\u2014])"
_WORDS = lazy_re(rf"(?<!\s)\s++{_WORD}{BLANK}++(?:{_WORD}|[0-9]{{1,4}}{_CLOSES}*+)(?=\s|\Z)")


class Inside:
    """What a bracket holds: ``raw``, which is ``first:stop`` of the text, without the blanks around it.

    ``lines`` is the same without quote prefixes. If it ``has_blank``, one stands within a line. What ends it,
    its closer or another opener, is ``closer:end``.
    """

    def __init__(self, text: str, first: int, stop: int, prefix: str, end: int) -> None:
        self.prefix, self.patterns, self.closer, self.end = prefix, patterns_of(prefix), stop, end
        self.is_broken = is_broken(text[first:stop])
        if self.is_broken:
            first, stop = self._without_blanks(text, first, stop)
        if text.startswith("//", first) and SCHEME.match(text, first + 2):
            first += 2  # some programs print "<URL://http://..."
        self.first, self.stop, self.raw = first, stop, text[first:stop]
        self.is_broken = self.is_broken and is_broken(self.raw)
        self.lines = self.patterns.next_line.sub("\n", self.raw) if self.is_broken else self.raw
        self.has_blank = self.is_broken and _BLANK_INSIDE.search(self.lines) is not None

    def _without_blanks(self, text: str, first: int, stop: int) -> tuple[int, int]:
        """Return ``first:stop`` without the blanks, line ends and quote prefixes at its ends."""
        gap = self.patterns.gap.match(text, first, stop) if is_broken(text[first]) else None
        first = gap.end() if gap else first
        raw = text[first:stop].rstrip().rstrip("\u200b\ufeff")
        own_marks = "".join(mark for mark in FREE_MARKS if mark in self.prefix)
        bare = raw.rstrip(" \t\r\n" + own_marks)  # the closer may stand alone on a quoted line
        is_alone = "\n" in raw[len(bare) :] or "\r" in raw[len(bare) :]
        return first, first + len(bare if is_alone else raw)

    @property
    def is_printed(self) -> bool:
        """Whether all lines but the first are indented, and none has a blank, as formatters print."""
        own = len(self.prefix) - len(self.prefix.rstrip())
        starts = [turn[1] for turn in self.patterns.next_line.finditer(self.raw)]
        return (
            bool(starts)
            and not self.has_blank
            and all(len(start) - len(start.rstrip()) > own for start in starts)
        )


def inside_of(text: str, opener: int, start: int) -> Inside | None:
    """Return what the bracket at ``opener`` holds from ``start`` on, None if nothing ends it."""
    prefix = prefix_before(text, opener)
    pattern = next(each for mark, each in patterns_of(prefix).inside.items() if text.startswith(mark, opener))
    match = pattern.match(text, start, start + LONGEST_URL + 9)
    return Inside(text, *match.span(1), prefix, match.end()) if match else None


def is_opener(text: str, at: int) -> bool:
    """Return whether a bracket opens at ``at``."""
    return text.startswith(_OPENERS, at)


_VISIBLE = r"[!#-;=?-\[\]-{}~]"  # ASCII but < > " \ and the bar, and no blank
_OF_LINES = "A-Za-z0-9/.?&"  # what a next line of a plain URL begins with
_MAY_BEGIN_LINE = lazy_re(f"[{_OF_LINES}>]")
# The next lines, none of which comes after a "=" of quoted-printable
_MORE = rf"(?>(?:(?<!=)\r?\n{BLANK}{{0,80}}+[{_OF_LINES}]{_VISIBLE}*+){{0,60}})"
_PLAIN = lazy_re(
    rf"{BLANK}?(?P<url>(?!www\.|ftp\.)[a-z][a-z0-9+.-]*+:(?:"
    rf"(?<!xp:)(?<!xps:)//(?!_)(?P<host>{AUTHORITY})(?:(?=>)|[/?#]{_VISIBLE}*+(?P<after_path>{_MORE}))"
    rf"|{_VISIBLE}++(?P<after_name>{_MORE})))(?<![{re.escape(SENTENCE_MARKS)}])>"
)


def plain(window: Window, opener: int, start: int, form: Form) -> Match | None:
    """Return the URL in the bracket at ``opener``, from ``start`` on, if no rule applies to it, as to most.

    The name before its colon counts in brackets. All others are for `read`, among them those in quoted text
    with a prefix of letters, for a line may begin with these.
    """
    match = _PLAIN.match(window.text, start, start + _MOST_OVER_LINES)
    if match is None or "&amp;" in match["url"]:
        return None
    url, (first, stop), more = match["url"], match.span("url"), match["after_path"] or match["after_name"]
    whole, prefix = url, None
    if more:
        if "://" in more or "/-" in url or not window.joins or window.options.hyphen == "drop":
            return None
        whole, prefix = "".join(url.split()), prefix_before(window.text, opener)
    if (prefix and _MAY_BEGIN_LINE.search(prefix)) or (
        match["host"] is None and refused_unbroken(whole, form)
    ):
        return None
    return NEW(Match, (opener, stop + 1, first, stop, form, url, whole, prefix, *NOTHING[1:]))


def read(window: Window, opener: int, start: int, *, labelled: bool) -> Match | None:
    """Return the URL in the bracket at ``opener``, from ``start`` on, None if it is given up."""
    text, form = window.text, Form.URL_WRAPPER if labelled else Form.ANGLE
    refused = "" if labelled else _refused_name(window, opener, start)
    if refused:
        stop = text.find(":", start) + 1
        is_known = refused == NOT_IN_BRACKETS and is_registered(text[start : stop - 1])
        hint = "--scheme any takes registered schemes in brackets" if is_known else None
        window.give_up(form, opener, stop, refused, hint)
        return None
    inside = inside_of(text, opener, start)
    if inside is None:
        window.give_up(form, opener, min(text.find("\n", start), start + SHOWN), "never closed")
        return None
    refused, hint = _refused_inside(inside), None
    if not refused and not window.joins and "\n" in inside.lines:
        refused, hint = "broken over lines", "--join delimited joins it"
    closed: Inside | None = inside
    if not refused and is_opener(text, inside.closer):
        closed = _nested(text, start, inside)
        refused = "" if closed else 'another "<"'
    if refused or closed is None:
        window.give_up(form, opener, inside.closer, refused, hint)
        return None
    return _closed(window, form, opener, closed)


_IN_NO_URL = lazy_re(r'["<>\x00-\x20\x7f]')


def _refused_name(window: Window, opener: int, start: int) -> str:
    """Return why the name at ``start`` cannot begin a URL in the delimiters at ``opener``, "" if it may.

    It is checked before the closer is searched for: a "<" before prose must not swallow it.
    """
    text, options = window.text, window.options
    match = SCHEME.match(text, start)
    if match is None:
        return ""  # the host of an abbreviated URL
    after = text[match.end() : match.end() + 2]
    if is_broken(after):
        prefix = prefix_before(text, opener)
        after = joined(text[match.end() : match.end() + _LONGEST_GAP], prefix)[:2]
    if after[:1] == ":":
        return TWO_COLONS
    name, written = match[1].lower(), match[1]
    row = SCHEMES.get(name)
    if after == "//" or (not row and options.any_name and (is_registered(name) or name in options.schemes)):
        return ""
    if row is None or row.shape is None:
        return NOT_IN_BRACKETS
    is_label = row.label and (text[match.end()] in " \t\xa0" or not (row.any_case or written.islower()))
    return IS_LABEL if is_label else ""


def _refused_inside(inside: Inside) -> str:
    """Return why the inside of a bracket is prose or too long, "" if it may be a URL.

    What a formatter has printed may have any number of lines.
    """
    if not inside.is_broken:
        return ""
    lines = inside.lines
    count = lines.count("\n")
    if count >= _MOST_LINES and not inside.is_printed:
        return f"longer than {_MOST_LINES} lines"
    if count and len(inside.raw) > _MOST_OVER_LINES and not inside.is_printed:
        return f"longer than {_MOST_OVER_LINES:,} characters"
    if inside.has_blank and _SENTENCE.search(lines):
        return "a sentence goes on inside"
    another = _URL_AFTER.search(lines)
    if another and ":" in lines[: another.start()]:
        before = lines[: another.start()].rstrip("\\ \n\t" + FREE_MARKS)
        return "" if holds_another(before) else "another URL after a blank"
    if inside.has_blank and count >= _LINES_WITH_BLANKS:
        return f"longer than {_LINES_WITH_BLANKS} lines"
    return ""


def _nested(text: str, start: int, outer: Inside) -> Inside | None:
    """Return the inside of the inner one of two brackets round the same URL; it ends with the outer one."""
    url = "".join(text[start : outer.closer].split()).rstrip(FREE_MARKS)
    inner = inside_of(text, outer.closer, outer.closer + 1) if url and text[outer.closer] == "<" else None
    if inner is None or is_opener(text, inner.closer) or "".join(inner.raw.split()) != url:
        return None
    close = _OUTER_CLOSER.match(text, inner.end)
    if close is None:
        return None
    inner.end = close.end()
    return inner


def _closed(window: Window, form: Form, opener: int, inside: Inside) -> Match | None:
    """Return the match of a closed wrapper, None if what is inside is no URL."""
    text, prefix, raw, lines = window.text, inside.prefix, inside.raw, inside.lines
    label = slack_label(lines) if "|" in lines and form is Form.ANGLE and "|" not in prefix else ""
    if label:
        raw, lines = raw[: raw.index("|")], lines[: -len(label)]
    written = readable(raw)
    url = joined(written, prefix, window.options.hyphen) if inside.is_broken else written
    repairs: tuple[Repair, ...] = ()
    is_escaped = "&" in url and (text[opener] == "&" or label != "")  # Slack escapes as markup does
    if is_escaped:
        url = decode_attribute(url)
        repairs = (DECODED_ENTITIES,)
        if _IN_NO_URL.search(url):
            window.give_up(form, opener, inside.end, "a character no URL holds")
            return None
    if url[:4].lower() in SCHEME_OF_HOST:
        form, added = Form.ABBREVIATED, SCHEME_OF_HOST[url[:4].lower()]
        url, repairs = added + url, (*repairs, added_scheme(added))
    refused = refused_url(url, form, lines, any_scheme=window.options.any_scheme)
    if not refused and inside.is_broken and form is not Form.URL_WRAPPER and _has_title(inside, lines):
        refused, window.inside = "words after the URL", url
    if refused:
        window.give_up(form, opener, inside.end, refused)
        return None
    first, stop = inside.first, inside.first + len(raw)
    others = (*(_up_to_blank(lines, form) if inside.has_blank else ()), *markup_reading(url))
    if label and " " not in label.strip():
        others += (
            Alternative(joined(readable(inside.raw), prefix), "with the label", AlternativeCode.GLUED),
        )
    match = Match(
        opener, inside.end, first, stop, form, written, url,
        prefix if inside.is_broken and is_broken(raw) else None,
        others, defects_of(text, first, raw, written), repairs,
    )  # fmt: skip
    if not is_escaped or match.prefix is None:
        return match
    return with_readings_undone(match._replace(url=joined(written, prefix)), url, decode_attribute)


def with_readings_undone(match: Match, url: str, undone: Callable[[str], str]) -> Match:
    """Return ``match``, whose URL is as written, with ``url`` in its place, its other readings ``undone``."""
    whole = readings(match)
    others = tuple(other.with_url(undone(other.url)) for other in whole.alternatives)
    return match._replace(url=url, pieces=whole.pieces, repairs=whole.repairs, others=others)


def defects_of(text: str, start: int, raw: str, written: str) -> tuple[Defect, ...]:
    """Return the defects of a URL in delimiters, ``raw`` in the text, with its stray bytes ``written``.

    Dots at its end tell that somebody has left out more of it.
    """
    end = start + len(raw.removesuffix("\u2026").removesuffix("..."))
    cut = (CUT_OFF,) if end < start + len(raw) and is_cut_off(text, start, end) else ()
    return cut if written == raw else (*cut, UNDECODABLE)


def added_scheme(scheme: str) -> Repair:
    """Return the repair of a URL that is written without its scheme."""
    return Repair(RepairCode.ADDED_SCHEME, f"added {scheme}")


def _has_title(inside: Inside, raw: str) -> bool:
    """Return whether words stand after the URL: a title, or the text after a "<" that nothing closes.

    Schemes with blanks in their names have none.
    """
    row = SCHEMES.get(raw.partition(":")[0].lower())
    words = _WORDS.search(raw) if inside.has_blank and not (row and row.spaced) else None
    if words is None or "/" in raw[words.start() :]:  # or folders whose names have blanks
        return False
    return PATH_BEGINS.search("".join(raw[: words.start()].split())) is not None


def _up_to_blank(lines: str, form: Form) -> tuple[Alternative, ...]:
    """Return the reading up to the first blank inside a line, if that is a URL with a host."""
    blank = _BLANK_INSIDE.search(lines) if form is not Form.URL_WRAPPER else None
    head = joined(readable(lines[: blank.start()]), "") if blank else ""
    is_url = "://" in head and not refused_url(head, form, head)
    return (Alternative.of(head, AlternativeCode.FIRST_BLANK),) if is_url else ()


_SIGN = lazy_re(r"\S[/.=&?%#:]")


def slack_label(raw: str) -> str:
    """Return the bar and the label of ``<URL|label>``, as Slack writes links, "" if there is none.

    >>> slack_label("http://a.example/|a page"), slack_label("http://a.example/x|y=z")
    ('|a page', '')
    """
    url, bar, label = raw.partition("|")
    row = SCHEMES.get(url.partition(":")[0].lower())
    if not bar or "|" in label or (row and row.spaced):
        return ""
    is_label = not _SIGN.search(label) or " " in label.strip() or label in url or "&amp;" in url
    return bar + label if is_label else ""


# --- quotations -------------------------------------------------------------------------------------

_OWN_SCHEME = lazy_re(rf"[\r\n]{MARKS_AND_BLANKS}*+({SCHEME_NAME}):(?=//|[^\s/])")


def quoted(window: Window, start: int) -> Match | None:
    """Return the URL in the quotation whose inside begins at ``start``, None if it is read as running text.

    Prose is quoted, too: with a blank inside a line, or a scheme at the start of a next one, it is given up.
    """
    text = window.text
    prefix = prefix_before(text, start - 1)
    refused = _refused_name(window, start - 1, start)
    match = None if refused else patterns_of(prefix).quotation.match(text, start, start + LONGEST_URL)
    if match is None:
        stop = text.find(":", start) + 1
        window.give_up(Form.QUOTED, start - 1, stop, refused or "a character no quoted URL holds")
        return None
    raw = match[1]
    defects = defects_of(text, start, raw, readable(raw))
    if raw[-1:] in (".", ","):  # printers put the sentence's own stop before the closing quote: uri(7)
        raw = raw.rstrip(".,")
        raw = raw[:-1] if raw[-1:] == ")" and raw.count("(") < raw.count(")") else raw
    refused = _refused_quotation(window, patterns_of(prefix).next_line.sub("\n", raw))
    if not refused:
        url = joined(readable(raw), prefix, window.options.hyphen)
        refused = refused_url(url, Form.QUOTED, raw, any_scheme=window.options.any_scheme)
        refused = refused or (NAME_IN_MARKUP if is_name_in_markup(text, start, raw) else "")
    if refused:
        window.give_up(Form.QUOTED, start - 1, match.end(), refused)
        return None
    undone = without_references(text, start, url)
    repairs = (DECODED_ENTITIES,) if undone != url else ()
    return Match(
        start - 1, match.end(), start, start + len(raw), Form.QUOTED, readable(raw), undone,
        prefix if is_broken(raw) else None, markup_reading(undone), defects, repairs,
    )  # fmt: skip


def _refused_quotation(window: Window, raw: str) -> str:
    if "\\" in raw.replace("\\\n", "\n"):
        return "a backslash inside the quotation"
    if "\n" not in raw:
        return ""
    if not window.joins:
        return "broken over lines"
    if len(raw) > _MOST_OVER_LINES:
        return f"longer than {_MOST_OVER_LINES:,} characters"
    own = _OWN_SCHEME.search(raw)
    return "the next line has a scheme of its own" if own and not holds_another(raw[: own.start()]) else ""


# --- URLs of markup that stands in text -------------------------------------------------------------

_QUOTE_PREFIX = lazy_re(rf"\n{MARKS_AND_BLANKS}+")
# What stands from the last "<" up to the URL: in program text, a backslash is before the quote.
_IN_MARKUP = lazy_re(r"<[A-Za-z][\w:.-]*+(?:\s[^<>]*=\s*\\?[\"']?|[^<>]*+>\s*)\Z")
_TAG_AND_WORDS = lazy_re(r"<[A-Za-z][^<>]*+>[^<>]*+\Z")
_END_TAG = lazy_re(rf"{AFTER_WORD}{{0,3}}</[A-Za-z]")
_MARKUP_REACH = 300  # characters before a URL in which its tag begins


def without_references(text: str, start: int, url: str) -> str:
    """Return ``url`` with its references undone if it stands in an attribute, or between two tags."""
    if "&" not in url or not REFERENCE.search(url):
        return url
    before = _QUOTE_PREFIX.sub("\n", text[max(0, start - _MARKUP_REACH) : start])
    before = before[before.rfind("<") :] if "<" in before else ""
    is_markup = _IN_MARKUP.match(before) or (
        _TAG_AND_WORDS.match(before) and _END_TAG.match(text, start + len(url))
    )
    return decode_attribute(url) if is_markup else url


def markup_reading(url: str) -> tuple[Alternative, ...]:
    """Return the reading in which "&amp;" stands for "&", as in markup, if ``url`` has one."""
    if "&amp;" not in url:
        return ()
    return (Alternative.of(url.replace("&amp;", "&"), AlternativeCode.MARKUP),)


_ATTRIBUTE_NAME = lazy_re(r"[A-Za-z:_-]{1,30}\Z")
_LINK_ATTRIBUTES = frozenset(("href", "cite", "action", "longdesc", "data", "formaction"))


def is_name_in_markup(text: str, start: int, raw: str) -> bool:
    """Return whether ``raw`` is a name in an attribute of markup, and no link.

    Names are namespaces (``xmlns="urn:..."``) and references into the message itself (``src="cid:..."``), but
    not the values of link attributes.
    """
    if text[start - 2 : start - 1] != "=" or raw[:4].lower() not in ("urn:", "cid:", "mid:"):
        return False
    match = _ATTRIBUTE_NAME.search(text, max(0, start - 40), start - 2)
    return match is None or match[0].lower() not in _LINK_ATTRIBUTES
