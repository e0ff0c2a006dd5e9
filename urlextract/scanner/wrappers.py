"""Wrappers and quotations: whether what a bracket closes on is a URL.

RFC 1738, appendix; RFC 3986, appendix C; uri(7). Each function gives an outcome
with a candidate, or with the reason why there is none, or None for more text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.chars import BLANKS, LINE_END, WHITESPACE, ends_file_name, squeeze
from urlextract.grammar.hosts import abbreviated_host_end
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEME_NAME, SCHEMES, has_shape, is_registered
from urlextract.linebreaks.joining import joined_url, without_prefixes
from urlextract.linebreaks.prefixes import skip_prefix, used_prefix
from urlextract.linebreaks.readings import holds_another
from urlextract.records import Alternative, Candidate, Form, Span
from urlextract.scanner.bare import byte_defects, host_fault, readable
from urlextract.scanner.endings import MORE, Bracket, Ending, quotation_ending, wrapper_ending
from urlextract.scanner.openers import Opener, line_prefix
from urlextract.scanner.outcome import Limits, Outcome, refused, rest_fault
from urlextract.scanner.quoted_printable import with_quoted_printable

if TYPE_CHECKING:
    import re

__all__ = ["is_name_in_markup", "read_quotation", "read_wrapper"]

_NAME = later(rf"({SCHEME_NAME}):")
_GAP = later(rf"[{BLANKS}]*+({LINE_END})?+")
_BLANK_AFTER = later(rf"[{BLANKS}]")
_LONGEST_GAP = 200  # characters between the colon of a scheme and what must stand behind it
_ABBREVIATED = later(r"(?i:www|ftp)\.")
_INNER_BLANK = later(rf"(?<=\w)[{BLANKS}]++(?=\w)")
_INNER_GAP = later(rf"(?<=[^{WHITESPACE}])[{BLANKS}]++(?=[^{WHITESPACE}])")
# What somebody wrote behind a URL: two words on a line, one word right behind it, or a line of one mark.
_WORD = r"[(\[]?[A-Za-z]++(?:['\u2019][A-Za-z]++)?[)\].,;:!?]*+"
_WORD_OR_DASH = rf"(?:{_WORD}|-{{1,3}}+|[\u2013\u2014])"
_ENDS = rf"(?=[{WHITESPACE}]|\Z)"
_NUMBER = r"[0-9]{1,4}[).,;:!?]*+"  # behind a word: "in 1999"
_WORDS = later(
    rf"(?<![{WHITESPACE}])[{WHITESPACE}]++{_WORD_OR_DASH}[{BLANKS}]++(?:{_WORD_OR_DASH}|{_NUMBER}){_ENDS}"
)
_RULE = later(rf"[\r\n]([-=_*~#])\1{{4,}}+{_ENDS}")
# One word is as often a piece of the URL, but in brackets, or behind the name of a file that is all there.
_WORD_BEHIND = later(rf"[{BLANKS}]++(?:[(\[][A-Za-z]++[)\]]|{_WORD}){_ENDS}")
_BROKEN_LABEL = later(rf"\w[{WHITESPACE}]")
_NAMES = later(
    r"/[^\r\n]*(?:\w\.[A-Za-z][A-Za-z0-9]{1,4}|[^\s/]/)\Z"
)  # of folders and a file, to the last one
_URL_BEHIND = later(rf"[{WHITESPACE}]+{SCHEME_NAME}://")
_ATTRIBUTE_NAME = later(r"[A-Za-z:_-]{1,30}\Z")
_LINK_ATTRIBUTES = frozenset(("href", "cite", "action", "longdesc", "data", "formaction"))
_AUTHORITY = later(r"[/?#]")
_PATH_BEGINS = later(r"//[^/?#]*[/?#]")


def read_wrapper(
    text: str, opener: Opener, start: int, form: Form, limits: Limits, *, is_whole: bool
) -> Outcome | None:
    """Read the wrapper that opens at ``opener`` and whose inside begins at ``start``."""
    if form is Form.ANGLE:
        fault = _angle_fault(text, start, opener.prefix, limits, is_whole=is_whole)
        if fault is None:
            return None
        if fault:
            return refused(form, text, opener.start, text.find(":", start) + 1, fault)
    ending = wrapper_ending(
        Bracket(text, start, opener.prefix, limits, is_whole=is_whole, escaped=opener.escaped)
    )
    if ending is MORE:
        return None
    if ending.fault:
        return refused(form, text, opener.start, ending.end, ending.fault)
    return _closed(text, opener, ending, form, is_whole=is_whole)


def _angle_fault(text: str, start: int, prefix: str, limits: Limits, *, is_whole: bool) -> str | None:
    """Say why what stands at ``start`` opens no bracket, "" where it may, None for more text.

    The scheme is judged on the raw text: a "<" before prose must not swallow it.
    """
    match = _NAME.match(text, start)
    if match is None:
        return ""
    end = match.end()
    behind = text[end : end + 2]
    if len(squeeze(behind)) < 2:
        if not is_whole and len(text) - end < _LONGEST_GAP:
            return None
        behind = _next_two(text, end, prefix)
    fault = rest_fault(behind)
    if fault:
        return fault
    name = match[1].lower()
    if behind.startswith("//") or (limits.any_name and name not in SCHEMES and is_registered(name)):
        return ""
    row = SCHEMES.get(name)
    if row is None or row.shape is None:
        return 'no scheme that stands in brackets without "//"'
    if row.label and (_BLANK_AFTER.match(text, end) or not (row.any_case or match[1].islower())):
        return f'"{match[1]}:" is a label'
    return ""


def _next_two(text: str, at: int, prefix: str) -> str:
    """Give the next two characters, with blanks, line ends and the quote prefix before each left out."""
    found = ""
    for _ in range(2):
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        at = skip_prefix(text, at, prefix) if gap and gap[1] else at
        found += text[at : at + 1]
        at += 1
    return found


def _closed(text: str, opener: Opener, ending: Ending, form: Form, *, is_whole: bool) -> Outcome | None:
    """Judge the inside of a closed wrapper, and make a candidate of it."""
    start = ending.start
    raw = text[start : ending.raw_end]
    gap = len(raw) - len(raw.lstrip())
    line = max(raw.rfind("\n", 0, gap), raw.rfind("\r", 0, gap)) + 1
    begins = skip_prefix(text, start + line, opener.prefix) if line else start + gap
    raw, start = text[begins : ending.raw_end], begins
    if raw.startswith("//") and _NAME.match(raw, 2):  # "<URL://http://..." was printed
        raw, start = raw[2:], start + 2
    is_short = _ABBREVIATED.match(raw) is not None
    closed = Candidate(
        span=Span(opener.start, ending.end),
        form=Form.ABBREVIATED if is_short else form,
        raw=readable(raw).rstrip(),
        inner=Span(start, start + len(raw.rstrip())),
        prefix=used_prefix(raw, opener.prefix),
        escapes="entities" if opener.escaped else "",
        defects=byte_defects(raw),
    )
    candidate = with_quoted_printable(text, closed, is_whole=is_whole)
    if candidate is None:
        return None
    inside = without_prefixes(candidate.raw, candidate.prefix)
    fault = _blank_fault(inside)
    if form is not Form.URL_WRAPPER:  # which says that it is all URL
        words_fault = None if fault else _words_fault(inside, is_printed=ending.is_printed)
        if words_fault:
            joined = None if _inside_fault(candidate) else joined_url(candidate)
            return refused(form, text, opener.start, ending.end, words_fault, joined=joined)
        candidate = candidate._replace(also=_up_to_blank(inside, candidate))
    fault = fault or _inside_fault(candidate)
    if fault:
        return refused(form, text, opener.start, ending.end, fault)
    return Outcome(candidate)


def _up_to_blank(inside: str, candidate: Candidate) -> tuple[Alternative, ...]:
    """Return the reading of ``inside`` up to the first blank inside a line, if that is a URL with a host."""
    blank = _INNER_GAP.search(inside)
    if blank is None:
        return ()
    head = candidate._replace(raw=inside[: blank.start()], prefix="")
    url = joined_url(head)
    is_url = "://" in url and _inside_fault(head) is None
    return (Alternative(url, "the URL ends at the first blank"),) if is_url else ()


def _blank_fault(raw: str) -> str | None:
    """Say why the blanks inside the lines of ``raw`` make it prose.

    They may be meant in a path, in the query of a mailto, in a node's name.
    """
    match = _URL_BEHIND.search(raw)
    if match and ":" in raw[: match.start()] and not holds_another(raw[: match.start()].rstrip("\\ ")):
        return "another URL after a blank"
    match = _INNER_BLANK.search(raw)
    if match is None:
        return None
    head = raw[: match.start()]
    if _PATH_BEGINS.search(squeeze(head)) or ("?" in head and head[:7].lower() == "mailto:"):
        return None
    if head[:5].lower() == "info:" or head[:4].lower() == "tel:":
        return None
    return "a blank where no URL has one"


def _words_fault(raw: str, *, is_printed: bool) -> str | None:
    """Say that words stand behind the URL, as a title does, or where a "<" was never closed.

    A path of names that hold blanks, as a file's may, is all URL; so is a line of one
    mark where a formatter may have printed it.
    """
    scheme = _NAME.match(raw)
    row = SCHEMES.get(scheme[1].lower()) if scheme else None
    if row and row.spaced:
        return None
    head, bar, label = raw.partition("|")
    if bar and ("?" not in head or _BROKEN_LABEL.search(label)):
        return "a label behind the URL"
    match = _WORDS.search(raw) or _word_behind(raw) or (None if is_printed else _RULE.search(raw))
    if match is None or _NAMES.search(raw):
        return None
    return "words behind the URL" if _PATH_BEGINS.search(squeeze(raw[: match.start()])) else None


def _word_behind(raw: str) -> re.Match[str] | None:
    """Find one word that is plainly none of the URL: in brackets, or behind the name of a file."""
    return next(
        (
            match
            for match in _WORD_BEHIND.finditer(raw)
            if "?" not in raw[: match.start()]
            and (match.group().strip()[0] in "([" or ends_file_name(raw[: match.start()]))
        ),
        None,
    )


def _inside_fault(candidate: Candidate) -> str | None:
    url = joined_url(candidate)
    match = _NAME.match(url)
    if match is None:
        return "no scheme"
    name, rest = match[1].lower(), url[match.end() :]
    if not any(c.isalnum() for c in rest) and rest not in ("*", "///"):
        return "nothing after the scheme"
    fault = rest_fault(rest)
    if fault:
        return fault
    if candidate.form is Form.ABBREVIATED:
        if "@" in _AUTHORITY.split(url[len(name) + 3 :], maxsplit=1)[0]:
            return "a mail address"
        return None if abbreviated_host_end(url, len(name) + 3) else "no host of three labels"
    if rest.startswith("//"):
        return host_fault(name, url, match.end() + 2)
    if candidate.form is not Form.URL_WRAPPER and name in SCHEMES and not has_shape(name, rest):
        return f'what follows does not have the shape of "{name}:"'
    return None


def read_quotation(text: str, start: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Read the quotation whose inside begins at ``start``."""
    prefix = line_prefix(text, start - 1)
    fault = _angle_fault(text, start, prefix, limits, is_whole=is_whole)
    if fault is None:
        return None
    if fault:
        return refused(Form.QUOTED, text, start - 1, text.find(":", start) + 1, fault)
    ending = quotation_ending(Bracket(text, start, prefix, limits, is_whole=is_whole))
    if ending is MORE:
        return None
    if ending.fault:
        return refused(Form.QUOTED, text, start - 1, ending.end, ending.fault)
    # Printers put the sentence's own full stop or comma before the closing quote: uri(7).
    raw = text[start : ending.raw_end].rstrip(".,")
    closed = Candidate(
        span=Span(start - 1, ending.end),
        form=Form.QUOTED,
        raw=readable(raw),
        inner=Span(start, start + len(raw)),
        prefix=used_prefix(raw, prefix),
        defects=byte_defects(raw),
    )
    candidate = with_quoted_printable(text, closed, is_whole=is_whole)
    if candidate is None:
        return None
    fault = _inside_fault(candidate)
    if fault:
        return refused(Form.QUOTED, text, start - 1, ending.end, fault)
    if is_name_in_markup(text, start, raw):
        return refused(Form.QUOTED, text, start - 1, ending.end, "a name in an attribute of markup")
    return Outcome(candidate)


def is_name_in_markup(text: str, start: int, raw: str) -> bool:
    """Say whether ``raw`` is a name to the markup it stands in, and nothing to go to.

    Namespaces (``xmlns="urn:..."``) and references into the message itself
    (``src="cid:..."``); not what an attribute for links holds.
    """
    if text[start - 2 : start - 1] != "=" or raw[:4].lower() not in ("urn:", "cid:", "mid:"):
        return False
    match = _ATTRIBUTE_NAME.search(text, max(0, start - 40), start - 2)
    return match is None or match.group().lower() not in _LINK_ATTRIBUTES
