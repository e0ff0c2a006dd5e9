r"""Which places of a text are defanged URLs, and the edits that make of each the URL that it stands for.

They are read in a copy of the text with these edits (`undone`), so a defanged URL may be in brackets,
quoted, broken over lines or glued to words, as any other. What is replaced depends only on its run of
characters without blanks, and on `_MOST_HOST` and `_MOST_REST` characters of it at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlextract.grammar.chars import END_OF_PARAGRAPH
from urlextract.grammar.defanged import AT, DOT, HINT, NAME, SEPARATOR, edits_of, real_name
from urlextract.grammar.domains import LOCAL_DOMAINS, OLDEST, tld_of
from urlextract.grammar.edits import Edit
from urlextract.grammar.marks import SENTENCE_MARKS
from urlextract.grammar.names import extensions
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import ANY_NAME_WITHOUT_SLASHES, is_registered
from urlextract.linebreaks.joining import SCHEME_OF_HOST
from urlextract.records import Span
from urlextract.scanner.schemeless import IPV4, THIS, refused_lookalike
from urlextract.scanner.window import ScanOptions

# --- which places of a text are defanged ---------------------------------------------------------

_MOST_HOST = 600  # characters of a scheme and a host, marks included
_MOST_REST = 1_500  # characters after the start of a place in which marks are replaced

_LABEL = r"[^\W_](?:[\w-]{0,61}\w)?(?![\w-])"
_HOST = rf"{_LABEL}(?:(?:\.|{DOT}){_LABEL}){{1,40}}"
_LOCAL = r"\w[\w.+-]{0,63}"
_AT = rf"{_LOCAL}(?:@|{AT})"
# Before a host without a scheme: no part of a name, of a path or of a pattern. A host may be a value,
# as in "host=a[.]example", or emphasised.
_BEFORE = r"(?:(?<![\w.@/\\^$%#&+?!)\]}|~=:*-])|(?<=[\w\"'][=:])|(?<=[\s*(\"'>]\*)|(?<=\A\*))"
_PLACE = lazy_re(
    rf"(?<![A-Za-z0-9*])(?P<scheme>{NAME}|[A-Za-z][A-Za-z0-9+-]{{0,39}}+)(?P<separator>{SEPARATOR})"
    rf"(?:[^\s/?#@\[\]<>\"'`]{{1,64}}@)?(?P<named>{_HOST})?"
    rf"|(?<![A-Za-z0-9])(?i:mailto|sips?|xmpp|im)(?::|\[:\]){_AT}(?P<linked>{_HOST})"
    rf"|(?<![A-Za-z0-9])(?P<alone>(?i:{ANY_NAME_WITHOUT_SLASHES}))\[:\](?=[^\s\[/])"
    rf"|{_BEFORE}(?:{_AT}(?P<mailed>{_HOST})|(?P<host>{_HOST}))"
)
_DOT = lazy_re(DOT)
_STRONG = lazy_re(rf"{DOT}|\[@\]")  # "[at]" alone may be a word of a program
_SPLIT = lazy_re(rf"\.|{DOT}")
_RUN = lazy_re(r"[^\s<>\"]*+")
_DELIMITER = lazy_re(r"[\s<>\"]")
_GOES_ON = lazy_re(rf"{DOT}?(?:[/?#]|:[0-9]|\[[:/]\])")
# What follows a name in a pattern or a program; "*" may also end an emphasis
_NO_END = lazy_re(r"[\\$^+|({@=_~%&]|\[(?![:/]\]|\.\](?:[\s/]|\Z))|/[0-9]{1,2}(?![\w./-])")
_PATTERN = lazy_re(r"\.[*+]|\[\^|\\[.bdswDSW/]|\(\?|[)\]][*+{]|\$\Z|\[[a-z0]-")
_MOST_AROUND = 100  # characters before and after a host that may show that it is in a pattern, or half of one
_GAP = rf"(?:(?!{END_OF_PARAGRAPH})\s){{1,{_MOST_AROUND}}}"  # up to a blank line
_AFTER_HOST = rf"""[{re.escape(SENTENCE_MARKS)})\]}}"'>]"""  # marks that end no host, but what is around it
_HOST_END = lazy_re(rf"""[/?#]|:[0-9]|\[[:/]|(?:{_AFTER_HOST}|[*_])*(?:\s|\Z)""")
# An address of IPv6, or a name without a full stop, and with no odd mark after it
_LONE_HOST = lazy_re(
    r"""\[[0-9A-Fa-f:.\[\]]*:|[^\W_](?:[\w-]{0,61}\w)?(?![\w-])"""
    rf"""(?=[/?#]|:[0-9]|{_AFTER_HOST}*(?:\Z|(?=\s)(?!{_GAP}(?:[\[({{<]|(?i:dot)\b))))"""
)
_FILES = extensions("marked")
_RESERVED = LOCAL_DOMAINS | {"onion"}  # RFC 7686
_RESERVED_ALONE = frozenset(("example", "onion"))  # those of hosts without a scheme


def defanged_places(text: str, options: ScanOptions) -> Iterator[tuple[Span, list[Edit]]]:
    """Yield the defanged URLs of ``text`` in order, each with its edits."""
    known = 0
    hint = HINT.search(text)
    while hint:
        at = hint.start()
        end = _run_end(text, at, len(text))
        for place in _PLACE.finditer(text, run_start(text, at, max(known, at - _MOST_HOST)), end):
            start, stop = place.span()
            added = _added(text, place, options) if start >= known and stop - start < _MOST_HOST else None
            if added is None:
                continue
            # An odd host, or none, is read with all that follows it.
            is_odd = place["alone"] or (place["scheme"] and place["named"] is None)
            known = _run_end(text, stop, start + _MOST_REST) if is_odd or _GOES_ON.match(text, stop) else stop
            edits = [Edit(start, start, added)] if added else []
            edits += [Edit(a + start, b + start, new) for a, b, new in edits_of(text[start:known])]
            yield Span(start, known), edits
        known = max(known, end)
        hint = HINT.search(text, known)


def run_start(text: str, at: int, earliest: int) -> int:
    """Return the start of the run of characters that ends at ``at``; it is ``earliest`` or more."""
    return at - len(_DELIMITER.split(text[earliest:at])[-1])


def _run_end(text: str, at: int, latest: int) -> int:
    """Return the end of the run of characters that begins at ``at``, at ``latest`` or before it."""
    run = _RUN.match(text, at, latest)
    return run.end() if run else at


def _added(text: str, place: re.Match[str], options: ScanOptions) -> str | None:
    """Return the scheme to add to a defanged URL, "" if it has one; None if ``place`` is no such URL."""
    name, end = place["scheme"], place.end()
    if place["alone"]:
        return ""
    if not name and not _STRONG.search(place[0]):
        return None
    host = place["named"] or place["linked"] or place["mailed"] or place["host"] or ""
    labels = _SPLIT.split(host)
    last = labels[-1].lower()
    reserved = _RESERVED_ALONE if place["host"] else _RESERVED
    has_suffix = tld_of(last) or last in reserved or IPV4.fullmatch(".".join(labels))
    if name and real_name(name):  # but not half of one with an odd mark
        return "" if has_suffix or (_HOST_END if host else _LONE_HOST).match(text, end) else None
    if name:
        is_marked = has_suffix and _DOT.search(host) and not _is_in_pattern(text, place)
        return "" if is_registered(name) and ("[" in place["separator"] or is_marked) else None
    if not place["host"]:
        is_asked = place["linked"] or (options.emails and options.addresses)
        return "" if has_suffix and is_asked else None
    if has_suffix and options.hosts and _is_host(text, place, labels):
        return SCHEME_OF_HOST.get(f"{labels[0].lower()}.", "http://")
    return None


def _is_in_pattern(text: str, place: re.Match[str]) -> bool:
    """Return whether a place is in a pattern of a program, in which brackets are a class or a group."""
    start, end = place.span()
    if _NO_END.match(text, end) or (text[end : end + 1] == "*" and text[start - 1 : start] != "*"):
        return True
    before = text[run_start(text, start, max(0, start - _MOST_AROUND)) : start]
    after = text[end : _run_end(text, end, end + _MOST_AROUND)]
    return any(map(_PATTERN.search, (before, after)))


def _is_host(text: str, place: re.Match[str], labels: list[str]) -> bool:
    """Return whether a host without a scheme is one, and no pattern, file, or word of a program."""
    first, before, last = labels[0], labels[-2], labels[-1]
    if _is_in_pattern(text, place):
        return False
    if last.isdigit():
        return True
    end = place.end()
    has_path = text.startswith("/", end)
    if len(labels) == 2 and not has_path and (last.lower() in _FILES or first.isdigit()):
        return last.lower() in OLDEST
    is_sentence = last.istitle() and not before.istitle()
    if is_sentence or first in THIS:
        return False
    if "[" in place[0] or "dot)" in place[0].lower():  # marks that programs do not have
        return True
    return not refused_lookalike(labels, tld_of(last) or "", text[end : end + 2], has_path=has_path)
