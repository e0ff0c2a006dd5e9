"""Checks of the inside of a bracket or quotation: a URL, prose, or a URL with words after it."""

from __future__ import annotations

import re

from urlextract.grammar.chars import BLANKS, WHITESPACE, ends_file_name, squeeze
from urlextract.grammar.codes import AlternativeCode
from urlextract.grammar.defanged import DEFANGED_NAMES, MARKED_DOT
from urlextract.grammar.hosts import abbreviated_host_end
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_NAME, SCHEMES, has_shape
from urlextract.grammar.rules import Rule
from urlextract.linebreaks.joining import holds_another, joined_url
from urlextract.records import Alternative, Form, Match
from urlextract.scanner.bare import host_rejection, no_shape, rest_rejection

NAME = lazy_re(rf"({SCHEME_NAME}):")
"""A scheme and its colon."""

_WORD_CHARACTER = lazy_re(r"[^\W_]")
_BLANK_IN_WORDS = lazy_re(rf"(?<=\w)[{BLANKS}]++(?=\w)")
_INNER_GAP = lazy_re(rf"(?<=[^{WHITESPACE}])[{BLANKS}]++(?=[^{WHITESPACE}])")
# Text after a URL: two words on a line, one word right after it, or a line of one repeated mark.
_WORD = r"[(\[]?[A-Za-z]++(?:['\u2019][A-Za-z]++)?[)\].,;:!?]*+"
_WORD_OR_DASH = rf"(?:{_WORD}|-{{1,3}}+|[\u2013\u2014])"
_ENDS = rf"(?=[{WHITESPACE}]|\Z)"
_NUMBER = r"[0-9]{1,4}[).,;:!?]*+"  # after a word: "in 1999"
_WORDS = lazy_re(
    rf"(?<![{WHITESPACE}])[{WHITESPACE}]++{_WORD_OR_DASH}[{BLANKS}]++(?:{_WORD_OR_DASH}|{_NUMBER}){_ENDS}"
)
_RULE = lazy_re(rf"[\r\n]([-=_*~#])(?>\1{{4,}}){_ENDS}")
# One word is as often a piece of the URL, except in brackets, or after a complete file name.
_WORD_AFTER = lazy_re(rf"[{BLANKS}]++(?:[(\[][A-Za-z]++[)\]]|{_WORD}){_ENDS}")
_OWN_SCHEME = lazy_re(rf"{SCHEME_NAME}://")
_URL_SIGN = lazy_re(r"[/.=&?%#:]")
# Names of folders and a file, to the last one
_NAMES = lazy_re(r"/[^\r\n]*(?:\w\.[A-Za-z][A-Za-z0-9]{1,4}|[^\s/]/)\Z")
_URL_AFTER = lazy_re(rf"[{WHITESPACE}]+{SCHEME_NAME}://")
_ATTRIBUTE_NAME = lazy_re(r"[A-Za-z:_-]{1,30}\Z")
_LINK_ATTRIBUTES = frozenset(("href", "cite", "action", "longdesc", "data", "formaction"))
_AUTHORITY = lazy_re(r"[/?#]")
_PATH_BEGINS = lazy_re(r"//[^/?#]*[/?#]")


def up_to_blank(inside: str, match: Match) -> tuple[Alternative, ...]:
    """Return the reading of ``inside`` up to the first blank inside a line, if that is a URL with a host."""
    blank = _INNER_GAP.search(inside)
    if blank is None:
        return ()
    head = match._replace(raw=inside[: blank.start()], prefix="")
    url = joined_url(head)
    is_url = "://" in url and inside_rejection(url, match.form) is None
    return (Alternative.of(url, AlternativeCode.FIRST_BLANK),) if is_url else ()


def blank_rejection(raw: str) -> Rule | None:
    """Return why the blanks inside the lines of ``raw`` make it prose, or None.

    Blanks may be intended in a path, in the query of a mailto URL, and in the name of an info node.
    """
    match = _URL_AFTER.search(raw)
    if match and ":" in raw[: match.start()] and not holds_another(raw[: match.start()].rstrip("\\ ")):
        return Rule.ANOTHER_URL
    match = _BLANK_IN_WORDS.search(raw)
    if match is None:
        return None
    head = raw[: match.start()]
    if _PATH_BEGINS.search(squeeze(head)) or ("?" in head and head[:7].lower() == "mailto:"):
        return None
    if head[:5].lower() == "info:" or head[:4].lower() == "tel:":
        return None
    return Rule.ODD_BLANK


def words_rejection(raw: str, *, is_printed: bool) -> Rule | None:
    """Return a reason if words come after the URL, such as a title, or text after an unclosed "<".

    A path of names that may contain blanks, as those of files, is all part of the URL. So is
    a line of one mark if the lines are printed by a formatter.
    """
    scheme = NAME.match(raw)
    row = SCHEMES.get(scheme[1].lower()) if scheme else None
    if row and row.spaced:
        return None
    head, bar, label = raw.partition("|")  # as Slack writes links; its label may be the end of the URL
    word = squeeze(label)
    is_word = squeeze(head).endswith(word) or not _URL_SIGN.search(word) or _OWN_SCHEME.match(word)
    is_label = is_word or _INNER_GAP.search(label)
    if bar and "|" not in label and is_label:
        return Rule.LABEL_AFTER
    match = _WORDS.search(raw) or _word_after(raw)
    if match is None and not is_printed:
        match = _RULE.search(raw)
    if match is None or _NAMES.search(raw):
        return None
    return Rule.WORDS_AFTER if _PATH_BEGINS.search(squeeze(raw[: match.start()])) else None


def _word_after(raw: str) -> re.Match[str] | None:
    """Return the match of one word that is not part of the URL: in brackets, or after a file name."""
    return next(
        (
            match
            for match in _WORD_AFTER.finditer(raw)
            if "?" not in raw[: match.start()]
            and (match.group().strip()[0] in "([" or ends_file_name(raw[: match.start()]))
        ),
        None,
    )


def inside_rejection(url: str, form: Form, *, any_scheme: bool = False) -> Rule | None:
    """Return what is wrong with the ``url`` in a bracket, or None; any bracket may hold a made-up scheme.

    A defanged one counts only if ``any_scheme``.
    """
    scheme = NAME.match(url)
    if scheme is None:
        return Rule.NO_SCHEME
    name, rest = scheme[1].lower(), url[scheme.end() :]
    if not _WORD_CHARACTER.search(rest) and rest not in ("*", "///"):
        return Rule.NOTHING
    rejection = rest_rejection(rest)
    if rejection or (name in DEFANGED_NAMES and not any_scheme):
        return rejection or Rule.DEFANGED
    if form is Form.ABBREVIATED:
        return _abbreviated_rejection(url, len(name) + 3)
    if rest.startswith("//"):
        return host_rejection(name, url, scheme.end() + 2)
    if form is not Form.URL_WRAPPER and name in SCHEMES and not has_shape(name, rest):
        return no_shape(rest)
    return None


def _abbreviated_rejection(url: str, start: int) -> Rule | None:
    """Return what is wrong with the host of an abbreviated URL, which begins at ``start``, or None."""
    if "@" in _AUTHORITY.split(url[start:], maxsplit=1)[0]:
        return Rule.MAIL_ADDRESS
    end = abbreviated_host_end(url, start)
    if end and MARKED_DOT.match(url, end):
        return Rule.DEFANGED
    return None if end else Rule.THREE_LABELS


def is_name_in_markup(text: str, start: int, raw: str) -> bool:
    """Return whether ``raw`` is a name in an attribute of markup, and not a link.

    Names are namespaces (``xmlns="urn:..."``) and references into the message itself
    (``src="cid:..."``), but not the values of link attributes.
    """
    if text[start - 2 : start - 1] != "=" or raw[:4].lower() not in ("urn:", "cid:", "mid:"):
        return False
    match = _ATTRIBUTE_NAME.search(text, max(0, start - 40), start - 2)
    return match is None or match.group().lower() not in _LINK_ATTRIBUTES
