"""Put other text in place of the URLs of a text: targets of rewritten links, defanged forms, or anything."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape as escaped
from typing import Any, Literal, NamedTuple, Unpack

from urlextract.arguments import check_function
from urlextract.errors import FormatError, RewrapError, UrlSyntaxError
from urlextract.formatter.printable import printable_url
from urlextract.formatter.texts.broken import kept_ranges, sound
from urlextract.formatter.texts.units import Unit
from urlextract.grammar.codes import RepairCode
from urlextract.grammar.defanged import defang, refang
from urlextract.grammar.edits import Edit, edited
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.message.charsets import decode_words
from urlextract.message.entities import decode_attribute
from urlextract.pipeline.entry import extract, extract_html
from urlextract.pipeline.options import TextOptions, takes_options
from urlextract.records import is_cut
from urlextract.results import Found

Fang = Literal["defang", "refang"]
"""What is done to URLs that nobody, or that everybody, is to follow."""


@takes_options(TextOptions)
def replace_urls(
    text: str,
    function: Callable[[Found], str | None],
    *,
    escape: Callable[[str], str] | None = None,
    **options: Unpack[TextOptions],
) -> str:
    r"""Return a text with what ``function`` returns for each `Found` in its place; None leaves it.

    URLs and options are those of `extract`. The brackets or quotes around a URL and the label ``URL:`` stay:
    what is replaced is `Found.inner`, with its line ends. ``escape`` is applied to all else. The text is not
    read again.

    >>> from html import escape
    >>> from urlextract import defang
    >>> print(replace_urls("see <URL:http://a.example/\nx>.", defang))
    see <URL:hxxp://a[.]example/x>.
    >>> replace_urls("R&D: www.a.example", lambda found: f"<a href='{escape(found.url)}'>", escape=escape)
    "R&amp;D: <a href='http://www.a.example'>"
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}: it is a str")
    check_function("function", function, "a Found", required=True)
    check_function("escape", escape, "a str")
    edits = _edits(text, function, options)
    if escape:
        ends, starts = [0, *(each.end for each in edits)], [*(each.start for each in edits), len(text)]
        kept = [Edit(*place, escape(text[slice(*place)])) for place in zip(ends, starts, strict=True)]
        if not all(isinstance(each.new, str) for each in kept):
            raise TypeError("escape returned what is no str")
        edits = sorted([*edits, *kept])
    return edited(text, edits)


def _edits(text: str, function: Other, options: TextOptions) -> list[Edit]:
    return _replaced(extract(text, **options), function)


def _replaced(results: Iterable[Found], function: Other) -> list[Edit]:
    edits: list[Edit] = []
    for found in results:
        start, end = found.inner
        if edits and start < edits[-1].end:  # the other reading of a URL with a hyphen
            continue
        new = function(found)
        if not isinstance(new, str | None):
            raise TypeError(f"function returned {type(new).__name__}: it is str or None")
        if new is not None:
            edits.append(Edit(start, end, new))
    return edits


class Replaced(NamedTuple):
    """A unit with other URLs; ``left`` is how many stay that were to be replaced."""

    text: str
    left: int


Other = Callable[[Found], str | None]
"""Returns what is to stand in place of a URL, None if it is to stay."""

# Fields that say which way a message went and what its parts are, and boundary lines; URLs in them are names.
_KEPT_IN_HEADS = lazy_re(
    r"^(?:--|(?:content-type(?=(?:[^\n]|\n[ \t]){0,2000}?boundary)|(?:x-)?received|received-spf|return-path"
    r"|(?:dkim|arc|domainkey)-[^:\n]*|authentication-results|message-id|references|in-reply-to|path|xref"
    r"|(?:nntp|x)-[^:\n]{0,20}posting-host)[ \t]*:)[^\n]*(?:\n[ \t][^\n]*)*",
    re.IGNORECASE | re.MULTILINE,
)


def with_targets(
    unit: Unit, join: Join = "safe", gateways: tuple[str, str] | Iterable[tuple[str, str]] = ()
) -> Replaced:
    r"""Return a unit with the targets of links that gateways have rewritten in place of these.

    A link stays if it may be cut, or if its target would not be read back.

    >>> from urlextract.formatter.texts.bodies import TEXT
    >>> with_targets(Unit("see <https://www.google.com/url?q=http://a.example/x>", TEXT)).text
    'see <http://a.example/x>'
    """
    text, options = unit.text, TextOptions(join=join, gateways=gateways)
    if unit.part.is_sealed or unit.part.content is None:
        return _in_heads(unit, lambda _: _target, options)
    unsigned = _Unsigned(unit, _target, _target)
    edits = sound(text, _edits(text, unsigned, options), partial(_has_targets, join))
    return Replaced(edited(text, edits), unsigned.left)


def with_fangs(unit: Unit, fang: Fang, join: Join = "safe") -> Replaced:
    r"""Return a unit with its URLs defanged, or with defanged URLs as those that they stand for.

    >>> from urlextract.formatter.texts.bodies import TEXT
    >>> with_fangs(Unit("see http://a.example/x", TEXT), "defang").text
    'see hxxp://a[.]example/x'
    >>> with_fangs(Unit("hxxp://a[.]example", TEXT), "refang").text
    'http://a.example'
    """
    options = TextOptions(join=join, refang=fang == "refang")
    if unit.part.is_sealed or unit.part.content is None:
        return _in_heads(unit, partial(_other, fang, keeps_lines=True), options)
    by_lines = _other(fang, unit.text, keeps_lines=True)
    other = _Unsigned(unit, by_lines if unit.part.content.flowed else _other(fang, unit.text), by_lines)
    options.update(_LINKED)
    return Replaced(edited(unit.text, _edits(unit.text, other, options)), other.left)


class _Unsigned:
    """Returns what is to stand in place of a URL, None in what is signed; ``left`` counts these.

    In code, diffs and the like, where lines are not joined, that is what ``by_lines`` returns.
    """

    def __init__(self, unit: Unit, other: Other, by_lines: Other) -> None:
        self._other, self._by_lines, self.left = other, by_lines, 0
        self._ranges = [*kept_ranges(unit.text, unit.opened)]
        self._starts = [start for start, _, _ in self._ranges]

    def __call__(self, found: Found) -> str | None:
        at = bisect_right(self._starts, found.inner.start) - 1
        opened = self._ranges[at][2] if at >= 0 and found.inner.start < self._ranges[at][1] else None
        new = (self._by_lines if opened else self._other)(found)
        if new is None or not (opened and opened.is_signed):
            return new
        self.left += 1
        return None


# Mail programs make links of hosts without a scheme and of addresses, too; in heads these are names.
_LINKED = TextOptions(relaxed=True, emails=True)


def _other(fang: Fang, text: str, *, keeps_lines: bool = False) -> Other:
    """Return the function that returns the other form of a URL of a text, joined or with its line ends."""

    def other(found: Found) -> str | None:
        written = found.inner.of(text)
        if fang == "refang":
            is_defanged = any(repair.code is RepairCode.REFANGED for repair in found.repairs)
            return refang(written) if is_defanged else None
        if found.scheme in _OF_THE_MESSAGE:
            return None
        first, *_ = written.split(maxsplit=1)
        if keeps_lines:
            return defang(first) + written[len(first) :]
        return defang(written if first == written else found.url)

    return other


def _in_heads(unit: Unit, other_in: Callable[[str], Other], options: TextOptions) -> Replaced:
    """Replace URLs in the heads of messages and parts; those in encoded words (RFC 2047) stay."""
    masked = _masked(_KEPT_IN_HEADS, unit.text)
    edits = _edits(masked, other_in(masked), options)
    if unit.part.is_sealed:
        return Replaced(unit.text, len(edits))
    decoded = [decode_words(words[0]) for words in _ENCODED_WORDS.finditer(masked)] if "=?" in masked else []
    left = sum(len(_edits(text, other_in(text), options)) for text in decoded)
    return Replaced(edited(unit.text, edits), left)


_ENCODED_WORDS = lazy_re(r"(?:\s*=\?[^?\s]{1,80}\?[bBqQ]\?[^?\r\n]{0,900}\?=){1,50}")


def _masked(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)


def in_page(markup: str, fang: Fang | None, gateways: Any) -> Replaced:
    r"""Return a page with its URLs (de)fanged, or without ``fang`` with the targets of rewritten links.

    First are those that browsers know, then those of scripts, comments and the like, as in a text. What
    browsers still know is ``left``.

    >>> in_page("<a href='http://a.example/?b&amp;c'>http://b.example</a>", "defang", ()).text
    "<a href='hxxp://a[.]example/?b&amp;c'>hxxp://b[.]example</a>"
    """

    def other(found: Found) -> str | None:
        written = found.inner.of(markup)
        if fang is None:
            target = _target(found)
            return None if target is None else _in_markup(target, found)
        is_defanged = any(repair.code is RepairCode.REFANGED for repair in found.repairs)
        if "<" in written or is_defanged != (fang == "refang"):
            return None  # there are tags in it: its beginning is changed as in a text
        if fang == "refang":
            return refang(written)
        read = _UNREAD.sub("", decode_attribute(written)).replace("\\", "/")
        if found.element and not _ABSOLUTE.match(read):
            return None  # the URL against which it is resolved is defanged
        if found.scheme in _OF_THE_MESSAGE:
            return None
        return defang(written) if _PLAIN_BEGIN.match(written) else _in_markup(defang(found.url), found)

    options = TextOptions(refang=fang == "refang", gateways=gateways)
    if fang:
        options.update(_LINKED)
    edits = _replaced(extract_html(markup, **options), other)
    markup = edited(markup, edits)
    if fang is None:
        return Replaced(markup, 0)
    masked = _masked(_NAMES, markup)
    markup = edited(markup, _edits(masked, _other(fang, masked), TextOptions(refang=fang == "refang")))
    left = 0
    if fang == "defang":
        live = extract_html(markup, **options)
        left = sum(each.element is None or bool(_ABSOLUTE.match(each.raw)) for each in live)
    return Replaced(markup, left)


def _in_markup(url: str, found: Found) -> str:
    """Return a URL as it is written in the place of another one, in any charset."""
    if found.element == "style":  # nothing is escaped there
        return url
    return escaped(url).encode("ascii", "xmlcharrefreplace").decode("ascii")


_OF_THE_MESSAGE = ("cid", "mid")  # schemes that lead to its own parts, or to another message
# The beginning of a URL as it is defanged; what browsers leave out of an attribute; what is no URL but a name
_PLAIN_BEGIN = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s&\\]{1,250}|[^\s&\\:/]{1,250}\.[^\s&]")
_ABSOLUTE = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*:|//|www\.|ftp\.")
_UNREAD = lazy_re(r"\A[\x00-\x20]+|[\t\r\n]")
_NAMES = lazy_re(
    r"(?i)<!doctype[^>]{0,500}>|\bxmlns(?::\w{1,40})?\s{0,9}=\s{0,9}(?:\"[^\"]{0,200}\"|'[^']{0,200}')"
)


def check_fangs(before: str, after: str, join: Join) -> None:
    """Raise `RewrapError` if a text with its URLs (de)fanged stands for other URLs than it did before."""

    def urls_of(text: str) -> list[str]:
        return [found.url for found in extract(text, join=join, refang=True, relaxed=True, emails=True)]

    if urls_of(before) != urls_of(after):
        raise RewrapError("what is printed stands for other URLs")


def _target(found: Found) -> str | None:
    """Return the target of a link as it is written in its place, None if it is to stay."""
    target = found.unwrapped if found.wrapped_by and not is_cut(found.defects) else None
    if target is None:
        return None
    try:
        printed = _printable(target)
    except (FormatError, UrlSyntaxError):
        return None
    if [found.url for found in extract(printed)] != [printed]:
        return None
    return printed


def _printable(url: str) -> str:
    """Return a URL as it is, or encoded if it has characters that cannot be printed (see `printable_url`)."""
    try:
        return printable_url(url)
    except FormatError:
        return printable_url(url, encode=True)


def _has_targets(join: Join, text: str, edits: Sequence[Edit]) -> bool:
    """Return whether a text with ``edits`` has the URLs as before, but for those that these put in."""
    targets = {each.start: each.new for each in edits}
    wanted = [targets.get(found.inner.start, found.url) for found in extract(text, join=join)]
    return [found.url for found in extract(edited(text, edits), join=join)] == wanted
