r"""The line end after a bare URL: the evidence that the URL goes on in the next line.

About one in fifty of the bare URLs that end a line goes on, so the next word is not part of the URL unless
the evidence is strong. Three things count: `_NEVER`, a table of what no word begins with that continues a
URL, in a pattern that is asked first and is enough for nearly all (`ENDS_HERE`); the proofs of `proof_of`,
which need no weights; and `EVIDENCE`, rows of words, a weight and a test. Weights are rounded natural
logarithms of odds, and are added up. They and the thresholds were fitted to 693 line ends of real mail, and
checked against 67,000 places of machine-printed text in which hardly any URL goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from urlextract.grammar.chars import LINE_END, ends_file_name
from urlextract.grammar.domains import LOCAL_DOMAINS, registered_domain, tld_of
from urlextract.grammar.escapes import decoded_text
from urlextract.grammar.marks import (
    AFTER_WORD,
    BARE_BREAKS,
    CLOSERS,
    COMMENT_MARK,
    MARKS_AND_BLANKS,
    QUOTE_MARK,
    SENTENCE_MARKS,
    STOP,
)
from urlextract.grammar.names import extension_of
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import ANY_NAME_WITHOUT_SLASHES, SCHEME_NAME


class Certainty(IntEnum):
    """How sure it is that a URL goes on after a line end."""

    NONE = 0
    POSSIBLE = 1  # less likely than not, but worth an alternative and a defect
    LIKELY = 2  # more likely than not
    SAFE = 3  # as good as certain


@dataclass(slots=True)
class LineEnd:
    """A line end within what may be one URL, and the text on both sides of it.

    ``url`` is the URL up to the line end, ``piece`` the part of it on the last line; ``word`` is what the
    next line begins with, up to a blank, and ``is_alone`` if nothing follows it there. Widths are columns
    without the quote prefix: ``width`` of the line, ``last_width`` of the piece before it (0 for the first
    line). ``lead`` is what stands before the URL on its line. ``fill`` is the width of the longest line of
    prose nearby (0 if there is none), ``after`` is the line after that of ``word`` (a form feed at the end of
    a page); these and ``lost_mark`` are known only when the evidence is weighed.
    """

    url: str
    piece: str
    word: str = ""
    width: int = 0
    last_width: int = 0
    begins_line: bool = False
    depth: int = 0
    lead: str = ""
    is_alone: bool = False
    is_item: bool = False
    is_quoted_less: bool = False
    lost_mark: bool = False
    fill: int = 0
    after: str = ""


# --- what rules it out ------------------------------------------------------------------------------

ENDS_WHOLE = frozenset(",;:!)]}'\"*>|")
"""A piece that ends in one of these is whole."""

_URL = rf"{SCHEME_NAME}:(?://|\S{{1,99}}@)|(?:{ANY_NAME_WITHOUT_SLASHES}):(?=\S)"
_PAGE = rf"(?i:{extension_of('page')})"
_EXTENSION = rf"(?:{extension_of('page', 'file')}|md|(?![a-z]\b){extension_of('source')})"
_NEVER = {
    "a bracket, a quote": rf"[<\[\](){{}}\"'$\\@]|{QUOTE_MARK}|//|--|==|__|~~|[A-Z]<",
    "an escape of quoted-printable": r"=(?:20|3D|09|A0)|[A-Za-z]*=[C-F][0-9A-F]=",
    "a path of files": r"\.{1,2}/|~/|[A-Za-z]:\\",
    "another URL": rf"(?i:www|ftp)\.|(?=\S{{2,40}}:)(?:{_URL})",
    "an item of a list": r"\d{1,3}[.):](?=\s)|[*!\u2022\u2013\u2014]|[-#](?=\s)",
    "a sign of a patch or a command": r"\+(?!\S*[+&%=])|-[A-Z][a-z]*(?=\s)",
    "no letter or digit": r"[^\w\s]++(?=\s)",
    "a request of troff": r"\.[A-Z]{1,2}[A-Z0-9]?(?=\s)",
    "a row of a table of users": r"(?!\S*://)\w[^\s:]*:[^\s:]*:",
}
_BEGINS = "|".join(_NEVER.values())
BEGINS_ANEW = lazy_re(_BEGINS)
"""What no word begins with that continues a URL."""

_PROSE_WORD = rf"[A-Z]?[a-z']{{0,30}}{STOP}{{0,3}}"  # it continues no URL if more words follow on its line
_NEXT = rf"{LINE_END}{MARKS_AND_BLANKS}*+"
# No ">" may follow soon: it would be the quote mark of a name ("John Doe> ").
_PROSE = rf"(?=[A-Za-z])(?!{_EXTENSION}\b){_PROSE_WORD}[ \t](?![^\n>]{{0,48}}+>)"
_COMMENT = rf"(?:[-+]?{COMMENT_MARK}(?=\s)|-)"  # it may be the prefix of both lines
ENDS_HERE = lazy_re(
    rf"(?<![{re.escape(BARE_BREAKS)}%\\])(?<!%[0-9A-Fa-f]){_NEXT}(?!{_COMMENT})(?:{_PROSE}|{_BEGINS})"
)
"""The line end after a URL that goes on in no case."""
ENDS_HERE_IF_OPEN = lazy_re(rf"{_NEXT}(?!{_COMMENT})(?:{_BEGINS})")
"""The same after a hyphen, or after half an escape."""
COMMENT_LINE = lazy_re(rf"{_NEXT}{_COMMENT}")
"""A line end, and what may be the mark of a comment on the next line."""

# Words that begin a sentence or a line of their own far more often than they end a URL
_OF_SENTENCES = """
a about after all also although an and any are as at be because been before being both but by can could did
do does done during each either else etc even for from further had has have he hello hi his how however i if
in instead into is it its just let like may me more most much my no nor not note now of off ok on once one
only or other our out over per please regards same says see shall she should since so some such than thank
thanks that the their them then there these they this those to too two under until up us use used using very
via was we well were what when where whether which while who why will with within without would wrote yes
yet you your cheers best bye ciao merci gruss sincerely subject date sent reply
"""
_SENTENCE_WORDS = frozenset(_OF_SENTENCES.split())
_PLAIN_WORD = lazy_re(rf"{_PROSE_WORD}\Z")
_ADDRESS = lazy_re(r"[^@/?=&]+@[^@/?=&]+\.\w+\W*\Z")
_PROMPT = lazy_re(r"[\w@.:~/\[\]-]{1,80}[$#%]\Z")
_HALF_ESCAPE = lazy_re(r"%[0-9A-Fa-f]?\Z")
# No English word, and no command; "8.2-Mojave.dmg" goes on from "gfortran-8."
_EXTENSION_ALONE = lazy_re(
    r"(?!(?:css|diff|doc?|el|git|go|log|msg|patch|ps|rpm|rss|so|tar|z|zip)\b)"
    rf"(?:[0-9]\S*\.)?{_EXTENSION}(?:[?#]\S+|{AFTER_WORD}*)\Z"
)
_WHOLE_PAGE = lazy_re(rf"(?:\.{_PAGE}|[/.?#=&])\.\Z")  # before the full stop of a sentence
ANY_FILE = lazy_re(rf"\.(?i:{extension_of('page', 'file', 'source')})\Z")
"""The extension of a file at the end of a URL, of program text too."""
_HEX = "0123456789abcdefABCDEF"


def is_ruled_out(end: LineEnd) -> bool:
    """Return whether the URL cannot go on after ``end``; its field ``after`` is not used."""
    last, word = end.piece[-1], end.word
    if last in ENDS_WHOLE or BEGINS_ANEW.match(word + "\n"):
        return True
    if end.url.isascii() and not word[0].isascii():
        return True
    if word.lower().rstrip(SENTENCE_MARKS + "\u2026") in _SENTENCE_WORDS:
        return True
    if last == "%" and ANY_FILE.search(end.piece, 0, len(end.piece) - 1):  # a comment of TeX
        return True
    if last not in "-." and (
        (_ADDRESS.match(word) and not is_message_id_open(end)) or (_PROMPT.match(word) and not end.is_alone)
    ):
        return True
    return not end.is_alone and _is_prose(end)


def _is_prose(end: LineEnd) -> bool:
    """Return whether a sentence goes on, or begins, with a word that more words follow on its line."""
    last, word = end.piece[-1], end.word
    is_open = last in BARE_BREAKS or _is_escape_cut(end) or (last == "." and _EXTENSION_ALONE.match(word))
    if not is_open:
        return _PLAIN_WORD.match(word) is not None
    return last == "-" and _CAPITALISED.match(word) is not None


def _is_page_number(end: LineEnd) -> bool:
    """Return whether a number of a page or a note follows: alone, after a full stop or a number."""
    is_number = end.is_alone and end.word.isdigit() and len(end.word) <= 4
    is_version = end.piece[-1] == "." and end.piece[-2:-1].isdigit()
    is_later = end.last_width > 0 and end.piece[-1].isalpha()
    is_before_another = end.after[:4].isdigit() or end.after.startswith("\f")
    return is_number and ((end.piece[-1] == "." and not is_version) or is_later or is_before_another)


# --- tests ------------------------------------------------------------------------------------------

_CAPITALISED = lazy_re(rf"[A-Z][a-z']+{AFTER_WORD}*\Z")
_HEX_BEFORE = lazy_re(r"(?<![0-9a-zA-Z])(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{8,64}\Z")
_HEX_AFTER = lazy_re(r"(?=[a-f]{0,64}\d)[0-9a-f]{2,64}(?![0-9a-zA-Z])|[0-9a-f]{6,64}(?![0-9a-zA-Z])")
_LONGEST_NUMBER = 65  # characters, with the one before it
_HASHES, _SHORT_HASHES = (32, 40, 64), (7, 8, 10, 12, 16)
_ENDS_NUMBER = lazy_re(r"(?:\.\.[0-9a-f]{7,12}|-[0-9a-f]{4}-[0-9a-f]{12})\Z")  # two hashes, or a UUID
_HASH = lazy_re(r"(?i:(?:(?:sha[0-9]{1,3}|md5)[:=])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}))\Z")
_ASKS_HASH = lazy_re(
    r"(?:=|(?:/|\A)"
    r"(?:blob|c|changeset|commitdiff|commits?|compare|diff|info|log|patch|plain|raw|rev|revisions?|tree)/)\Z"
)
# Dates, telephone numbers, UUIDs, ranges of commits
_OF_ITS_OWN = lazy_re(
    r"(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}(?:T[0-9:.Z+-]+)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}"
    r"|\(?0[0-9]{1,4}\)?[/ -][0-9]{3,}(?:[-/][0-9]+)*|(?:[0-9]{3}[.-])?[0-9]{3}[.-][0-9]{4}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{7,40}\.\.[0-9a-f]{7,40})[.,]?\Z"
)
_IS_FILE = lazy_re(rf"[\w./+-]{{1,60}}\.(?i:{extension_of('page', 'file', 'source')})\Z")
_QUERY = lazy_re(r"[?&][\w.%-]+=|%[0-9A-F]{2}|\w=\w[^&]{0,80}&")
_URL_SIGN = lazy_re(r"[/=&?]|%[0-9A-Fa-f]{2}|\+\S*\+")
_MORE_SIGNS = lazy_re(r"(?=\S{20})\S{0,200}?[/=&%?]\S{0,200}?[/=&%?]")
_MIXED = lazy_re(r"(?=[A-Za-z_%-]{0,99}[0-9])(?=[0-9_%-]{0,99}[A-Za-z])[\w%-]{8}")
_RANDOM = lazy_re(r"(?:[A-Za-z_%-]{1,9}[0-9]{1,9}){3}")
_ENDS_FILE = rf"(?:[?#&.]|{AFTER_WORD}*\Z)"
_HAS_PAGE = lazy_re(rf"\.{_PAGE}{_ENDS_FILE}")
_HAS_FILE = lazy_re(rf"\.(?i:{extension_of('file')}){_ENDS_FILE}")
_OWN_HOST = lazy_re(
    r"(?:[A-Za-z0-9-]{1,63}\.){1,9}(?:com|org|net|edu|gov|info)(?:[/:]|\Z)"
    r"|(?:[A-Za-z0-9-]{1,63}\.){2,9}[a-z]{2}/|[A-Za-z0-9-]{1,63}\.(?!gz|xz|py|js)[a-z]{2}\Z"
)
_OPEN_LINK = lazy_re(
    r"(?i)https?://(?:[^/]*\.safelinks\.protection\.outlook\.com/.*[?&]url=(?!.*reserved=0)"
    r"|urldefense\.(?:com|us|proofpoint\.com)/v3/__(?!.*\$))"
)
_LONGEST_LINK = 4_096
# The shape of a Message-ID at the end of a path, before its "@", or before the end of its host
_MESSAGE_ID = lazy_re(r"[A-Za-z0-9+.-]+://[^/]*/(?>(?:[^/?#]*/)*)([A-Za-z0-9][\w.+=-]*(?:@[\w.-]*)?)\Z")
_REST_OF_ID = lazy_re(r"[\w.+=-]*@[\w-]+\.")
_WHOLE_ID = lazy_re(r"(?=[^@]*[0-9]{4})[\w.+=-]*@[\w-]+\.")
_REST_OF_HOST = lazy_re(rf"[\w.-]*\.([A-Za-z]{{2,63}})/?(?:[#?]|{AFTER_WORD}*\Z)")
_SHORT, _MARK_INSIDE = lazy_re(r"[a-z]{1,2}\Z"), lazy_re(r"[._#-]\w")
_PATH_OF_FILES = lazy_re(
    r"/(?:bin|boot|dev|etc|home|lib(?:32|64)?|mnt|opt|proc|root|run|s?bin|srv|sys|tmp|usr|var|Users|Library"
    r"|Applications|System|Volumes)/"
)
_PATH_AND_CLOSER = lazy_re(r"[^\s()]*/[^\s()]*\)")
_PARAMETER, _AFTER_HOST = lazy_re(r"[\w.%\[\]-]{1,40}="), lazy_re(r"[/?#:]")
_ENGLISH = lazy_re(rf"[a-z][a-z']*(?:-[a-z]+)?{AFTER_WORD}*\Z")
_CHUNK = lazy_re(r"[^-/?&=.]*+[-/?&=.]?")
_WIDEST, _NARROWEST, _RAGGED = 82, 68, 3
"""Columns: beyond which nobody wraps mail, at which it is wrapped, by which lines of prose differ."""


def is_link_open(end: LineEnd) -> bool:
    """Return whether the link of a mail gateway lacks what it always ends in."""
    return _OPEN_LINK.match(end.url, 0, _LONGEST_LINK) is not None


def is_message_id_open(end: LineEnd) -> bool:
    """Return whether the path holds a Message-ID that lacks its host, or a part of it."""
    if "@" not in end.url and "@" not in end.word:
        return False
    path = _MESSAGE_ID.match(end.url)
    if path is None:  # an address below somebody's home page has no four digits in a row
        is_folder = end.url[-1] == "/" and end.url.count("/") > 3 and "@" not in end.url
        return is_folder and _WHOLE_ID.match(end.word) is not None
    _, sign, host = path[1].partition("@")
    if not sign:
        return any(map(str.isdigit, path[1])) and _REST_OF_ID.match(end.word) is not None
    rest = _REST_OF_HOST.match(end.word)
    return not _is_suffix(host.rpartition(".")[2]) and rest is not None and _is_suffix(rest[1])


_DOI = lazy_re(r"doi\.org/10\.[0-9]{4,9}/\S")


def _is_doi_open(end: LineEnd) -> bool:
    """Return whether a DOI is cut in or before its prefix, which the next word makes whole: ISO 26324."""
    at = end.url.rfind("doi.org/")
    return at >= 0 and not _DOI.match(end.url, at) and _DOI.match((end.url + end.word)[at:]) is not None


def _host(end: LineEnd) -> str:
    """Return the host of a URL that is no more than that so far, else ""."""
    host = end.url.partition("://")[2] or end.url
    return "" if "/" in host else host


_LAST_LABEL, _FIRST_LABEL = lazy_re(r"\.([a-z]*)\Z"), lazy_re(r"([a-z]+)(?=[/:?#])")
_HOST_FIRST = lazy_re(
    rf"((?:[A-Za-z0-9_-]+\.)*([A-Za-z]{{2,63}}))(?=[/:?#]|(?:{AFTER_WORD}|[\]}}])*\Z|[)\]}}])"
)
_SUFFIX_FIRST = lazy_re(r"([a-z]{2,63})(?![\w-])")
_RESERVED = LOCAL_DOMAINS | {"invalid", "localhost"}


def _is_suffix(label: str) -> bool:
    """Return whether ``label`` is a top-level domain, one that is reserved included: RFC 2606, RFC 6761."""
    return tld_of(label) is not None or label.lower() in _RESERVED


def _is_cut_at_dot(host: str) -> bool:
    """Return whether a host ends in a dot, and has no known suffix before it."""
    before, dot, label = host[:-1].rpartition(".")
    is_whole = label.lower() in _RESERVED or (dot and before and _is_suffix(label))
    return host.endswith(".") and not is_whole


def makes_host_whole(end: LineEnd) -> bool:
    """Return whether the host is cut in its last label or at a dot, and whole with the next word."""
    host = _host(end)
    label, first = _LAST_LABEL.search(host), _FIRST_LABEL.match(end.word)
    if label and first and not (label[1] and _is_suffix(label[1])) and _is_suffix(label[1] + first[1]):
        return True
    rest = _HOST_FIRST.match(end.word)
    if not host or rest is None or not _is_suffix(rest[2]):
        return False
    has_labels = "." in rest[1] or end.word[rest.end() : rest.end() + 1] == "/"
    is_sure = rest[1].islower() or end.word[rest.end() : rest.end() + 1] == "/" or host.lower() == "www."
    return _is_cut_at_dot(host) and has_labels and is_sure


def may_make_host_whole(end: LineEnd) -> bool:
    """Return whether the host is cut at a dot, where nobody ends one, and the next word may be its suffix."""
    host, suffix = _host(end), _SUFFIX_FIRST.match(end.word)
    return _is_cut_at_dot(host) and suffix is not None and _is_suffix(suffix[1])


def _number_before(end: LineEnd) -> re.Match[str] | None:
    """Return the match of the hexadecimal number that the line ends in."""
    piece = end.piece
    return _HEX_BEFORE.search(piece, max(0, len(piece) - _LONGEST_NUMBER)) if piece[-1] in _HEX else None


def _number_goes_on(end: LineEnd) -> bool:
    """Return whether a hexadecimal number goes on: to the length of a hash, or alone on its line."""
    before, after = _number_before(end), _HEX_AFTER.match(end.word)
    if not before or not after or len(before[0]) in _HASHES:
        return False
    if len(before[0]) + len(after[0]) in _HASHES:
        return True
    are_two = len(before[0]) in _SHORT_HASHES and len(end.word) in _SHORT_HASHES
    is_other = are_two or after[0].isdigit() or after[0].isalpha() or _ENDS_NUMBER.search(end.piece)
    return end.is_alone and not (is_other or _HASH.match(end.word) or _OF_ITS_OWN.match(end.word))


def _ends_hash(end: LineEnd) -> bool:
    before = _number_before(end)
    return before is not None and len(before[0]) in _HASHES and end.word[0] not in "/?#&.;-_"


def _is_made_whole(end: LineEnd, name: re.Pattern[str]) -> bool:
    """Return whether the next word makes the ``name`` of a file whole."""
    if end.piece[-1] == "/" or ends_file_name(end.url):
        return False
    tail = end.url[-6:]
    return any(match.end() > len(tail) for match in name.finditer(tail + end.word))


def _is_in_word(end: LineEnd) -> bool:
    return end.piece[-1].isalnum() and end.word[0].isalnum()


def _is_cut_alike(end: LineEnd) -> bool:
    return not end.last_width and end.begins_line and end.is_alone and end.width == len(end.word) >= 50


def _fits(end: LineEnd) -> bool | None:
    """Return whether the next word would have fitted, up to a break; None if that tells nothing."""
    if end.width > end.fill or _is_in_word(end):
        return None
    chunk = _CHUNK.match(end.word)
    return end.width + len((chunk and chunk[0]) or end.word) <= end.fill


def _is_too_wide(end: LineEnd) -> bool:
    is_cut = end.last_width or _is_cut_alike(end) or is_link_open(end) or is_message_id_open(end)
    return end.width > _WIDEST and not is_cut and end.piece[-1] != "-"


def _cuts_early(end: LineEnd) -> bool:
    is_alike = end.last_width or end.width == len(end.word)
    return _is_in_word(end) and not is_alike and end.width < (end.fill or _NARROWEST)


def _begins_value(end: LineEnd) -> bool:
    return end.piece[-1] == "=" and bool(end.word[0].isdigit() or _MIXED.match(end.word))


def _is_empty_parameter(end: LineEnd) -> bool:
    is_sign = end.piece[-1] in "_&=?+#"
    return is_sign and not (_begins_value(end) or _MIXED.search(end.word) or _URL_SIGN.search(end.word))


def _host_is_whole(end: LineEnd) -> bool:
    host = _host(end)
    is_cut = "." in host and not _is_suffix(host.rpartition(".")[2])
    return bool(host) and end.word[0] not in "/?" and end.piece[-1] != "-" and not is_cut


def _is_name_of_file(end: LineEnd) -> bool:
    """Return whether the next word is the last segment of the URL, which may be encoded."""
    segment = end.url.rpartition("/")[2]
    names = (end.word, end.word.rpartition(".")[0])
    return end.is_alone and segment != "" and any(name in names for name in (segment, decoded_text(segment)))


def _changes_kind(end: LineEnd) -> bool:
    is_change = _is_in_word(end) and end.piece[-1].isdigit() != end.word[0].isdigit()
    return is_change and not (_MIXED.match(end.word) or _HEX_AFTER.match(end.word))


def _is_escape_cut(end: LineEnd) -> bool:
    half = _HALF_ESCAPE.search(end.piece)
    if half is None or ANY_FILE.search(end.piece, 0, half.start()):
        return False
    return all(digit in _HEX for digit in end.word[: 3 - len(half[0])])


def _is_follow_up_host(end: LineEnd) -> bool:
    is_in = _host(end) or is_link_open(end) or is_message_id_open(end)
    return _OWN_HOST.match(end.word) is not None and not is_in


def _up_to_closer(opener: str, word: str) -> str:
    """Return ``word`` up to the closer of the bracket right before the URL, "" if it has none."""
    depth, closer = 1, CLOSERS.get(opener, "")
    for at, char in enumerate(word) if closer else ():
        depth += (char == opener) - (char == closer)
        if not depth:
            return word[:at]
    return ""


Test = Callable[[LineEnd], object]


def _begins(pattern: str) -> Test:
    """Return the test whether the next word begins with ``pattern``."""
    compiled = lazy_re(pattern)
    return lambda end: compiled.match(end.word)


# fmt: off
EVIDENCE: tuple[tuple[str, float, Test], ...] = (
    # a URL is cut
    ("it ends in a hyphen", 5.0, lambda end: end.piece[-1] in BARE_BREAKS and not end.piece.endswith("--")),
    ("a hexadecimal number goes on", 4.0, _number_goes_on),
    ("an escape is cut in two", 6.0, _is_escape_cut),
    ("the link of a mail gateway is not at its end", 4.0, is_link_open),
    ("the next line makes the host whole", 6.0, makes_host_whole),
    ("the number of a document goes on", 6.0, _is_doi_open),
    ("the Message-ID in the path is not at its end", 4.0, is_message_id_open),
    ("the next word ends in a slash and a full stop", 4.5, _begins(r"\w\S*/\.\Z")),
    ("the next line makes the name of a page whole", 1.5, lambda end: _is_made_whole(end, _HAS_PAGE)),
    ("the next line makes the name of a file whole", 0.7, lambda end: _is_made_whole(end, _HAS_FILE)),
    # the next word looks like a part of one
    ("the name of a page follows the slash", 1.0,
     lambda end: end.piece[-1] == "/" and _HAS_PAGE.search(end.word)),
    ("the next word is part of a query", 1.5, lambda end: _QUERY.search(end.word)),
    ("the next word has signs of a URL", 1.0, lambda end: _URL_SIGN.search(end.word)),
    ("it has several of them", 1.0, lambda end: _MORE_SIGNS.match(end.word)),
    ("the next word has marks inside", 0.5, lambda end: _MARK_INSIDE.search(end.word)),
    ("the next word looks random", 0.7, lambda end: _RANDOM.search(end.word)),
    ("a value follows its sign", 1.1, _begins_value),
    ("a parameter follows its sign", 2.0, lambda end: end.piece[-1] in "?&" and _PARAMETER.match(end.word)),
    ("the next line begins with a sign that goes on a URL", 0.7, _begins(r"[?&=.]\w|%[0-9A-Fa-f]{2}")),
    ("a path follows, and closes a bracket before it", 1.0,
     lambda end: end.lead.count("(") > end.lead.count(")") and _PATH_AND_CLOSER.match(end.word)),
    ("a hash follows where one belongs", 1.5,
     lambda end: _HASH.match(end.word) and _ASKS_HASH.search(end.piece)),
    ("a small letter follows a full stop", 1.0, lambda end: end.piece[-1] == "." and end.word[0].islower()),
    # the lines look cut
    ("the next line lost its quote mark", 2.0, lambda end: end.lost_mark),
    ("the next word is alone on its line", 1.5, lambda end: end.is_alone),
    ("it is too short for a line of its own", 2.2, lambda end: end.is_alone and _SHORT.match(end.word)),
    ("a blank line follows it", 0.5, lambda end: end.is_alone and not end.after),
    ("the URL begins its line", 0.5, lambda end: end.begins_line),
    ("a word is cut where the line is full", 1.0,
     lambda end: end.fill and _is_in_word(end) and 0 <= end.width - end.fill <= _RAGGED),
    ("the next word would not have fitted", 1.0, lambda end: _fits(end) is False),
    ("the next line is long and has no blank", 1.5,
     lambda end: end.is_alone and len(end.word) >= max(40, 0.7 * end.width)),
    ("both lines end at the same column", 2.0, _is_cut_alike),
    ("it ends at the column of the line before", 2.0, lambda end: end.width == end.last_width),
    ("it goes on over the line before", 1.5, lambda end: end.last_width > 0),
    # the URL is whole
    ("it ends in a sign that may end a parameter", -1.2, _is_empty_parameter),
    ("it ends in the name of a file", -2.5,
     lambda end: ends_file_name(end.url) and end.word[0] not in "?#&.;"),
    ("its host is whole", -2.0, _host_is_whole),
    ("it ends in a whole hash", -3.0, _ends_hash),
    # the next word is of its own
    ("an English word follows", -1.2,
     lambda end: _ENGLISH.match(end.word) and not _is_made_whole(end, _HAS_PAGE)),
    ("a capitalised word follows", -3.5, lambda end: _CAPITALISED.match(end.word)),
    ("a word in capitals follows", -1.0, _begins(rf"[A-Z][A-Z0-9_-]*{AFTER_WORD}*\Z")),
    ("a label follows", -3.0, lambda end: end.word[-1] == ":"),
    ("a path of files follows", -5.0, lambda end: end.piece[-1].isalnum() and _PATH_OF_FILES.match(end.word)),
    ("a host follows", -5.0, _is_follow_up_host),
    ("the name of the file stands below its URL", -9.0, _is_name_of_file),
    ("the next word holds another URL", -3.0, _begins(r"(?![&]\S*=)\S*?(?:://|(?i:mailto):)")),
    ("the number of a page or a note follows", -9.0, _is_page_number),
    ("letters and digits meet", -0.7, _changes_kind),
    # the lines are of their own
    ("the next word would have fitted", -0.5, _fits),
    ("there was room for all of the next word", -0.7, lambda end: end.width + len(end.word) <= end.fill),
    ("the line is short", -0.6, lambda end: end.width < 50),
    ("a word would be cut before the line is full", -1.5, _cuts_early),
    ("the line is longer than mail is wrapped", -5.0, _is_too_wide),
    ("it follows the end of a shorter line", -1.5,
     lambda end: end.width < 0.7 * end.last_width and len(end.word) <= end.width),
    ("a line with another URL follows", -1.0, lambda end: "://" in end.after.partition(" ")[0]),
    ("the next line is quoted less deeply", -1.5, lambda end: end.is_quoted_less and not end.lost_mark),
    ("an item of a list begins", -9.0, lambda end: end.is_item),
)
# fmt: on

_BIAS = -1.7
_THRESHOLDS = ((2.5, Certainty.SAFE), (-0.6, Certainty.LIKELY), (-1.3, Certainty.POSSIBLE))


def judged(end: LineEnd) -> tuple[Certainty, str]:
    """Return how sure it is that the URL goes on after ``end``, and what speaks for it and against it."""
    rows = [(words, weight) for words, weight, holds in EVIDENCE if holds(end)]
    total = round(_BIAS + sum(weight for _, weight in rows), 1)
    sure = next((certainty for least, certainty in _THRESHOLDS if total >= least), Certainty.NONE)
    if is_in_registered_domain(end):
        sure = min(sure, Certainty.LIKELY)
    pros = ", ".join(words for words, weight in rows if weight > 0)
    cons = ", ".join(words for words, weight in rows if weight < 0)
    return sure, f"{pros}, although {cons}" if cons else pros


# --- proofs -----------------------------------------------------------------------------------------

# Schemes that may stand alone at the end of a line, with their host on the next one
OF_HOSTS = frozenset((
    "ftp", "ftps", "git", "gopher", "http", "https", "irc", "rsync", "rtsp", "sftp", "ssh", "svn", "ws",
    "wss",
))  # fmt: skip
_SCHEME_ALONE = lazy_re(rf"(?i:{'|'.join(sorted(OF_HOSTS))}):/{{0,2}}\Z")
# An option, a comment and the like: no rest after a backslash
_NO_ARGUMENT = lazy_re(rf"[-&~\#]|\./|{_BEGINS}")
_ANOTHER = lazy_re(rf"<|(?i:www|ftp)\.|{_URL}")
_WORD_OR_CALL = lazy_re(r"(?:[A-Za-z]+(?:\([^()]*\)?)?|[0-9]+)\Z")  # or the year of a paper
_COMMIT = lazy_re(r"[0-9a-f]{7,40}\Z")
_TEX = lazy_re(r"\\(?:url|href|nolinkurl)\{\Z")  # in its argument a "%" at a line end is a comment


def is_tex(lead: str) -> bool:
    """Return whether a command of TeX stands before a URL, in whose argument a "%" ends the line."""
    return _TEX.search(lead) is not None


def proof_of(end: LineEnd) -> str:
    """Return what proves that the URL goes on after ``end``, "" without a proof."""
    if is_in_registered_domain(end):
        return ""
    last, word = end.piece[-1], end.word
    if last == "\\" and end.url[-1] != ":":
        is_label = word[-1] == ":" or (_CAPITALISED.match(word) and not end.is_alone)
        no_rest = is_label or _ANOTHER.match(word) or _NO_ARGUMENT.match(word + "\n")
        return "" if no_rest or ends_file_name(end.url) else "a backslash ends the line"
    if last == "." and _EXTENSION_ALONE.match(word) and not (_WHOLE_PAGE.search(end.url) or _host(end)):
        return "the next word makes the name of a file whole"
    if _SCHEME_ALONE.match(end.url):
        return "the scheme ends its line, and a host begins the next one" if _is_host(end) else ""
    if last == "%" and is_tex(end.lead) and not ends_file_name(end.url):
        return "a comment of TeX ends the line"
    inside = _up_to_closer(end.lead[-1:], word)
    if not inside or any(each.match(inside) for each in (_ANOTHER, _ADDRESS, _COMMIT)):
        return ""
    is_of_its_own = _WORD_OR_CALL.match(inside) or (_IS_FILE.match(inside) and "/" not in inside)
    is_prose = last in ",;" or (ANY_FILE.search(end.url) and is_of_its_own)
    is_other = end.url.isascii() and not inside.isascii()
    host = _host(end)
    name = _AFTER_HOST.split(host + inside, maxsplit=1)[0].removesuffix(".") if host else ""
    if name and not (_is_suffix(name.rpartition(".")[2]) or name[-1].isdigit()):  # nobody has such a host
        return ""
    return "" if is_prose or is_other else "the next word closes the bracket before the URL"


def _is_host(end: LineEnd) -> bool:
    """Return whether the next word begins with a host that has a known suffix, or ``www.``."""
    slashes = len(end.word) - len(end.word.lstrip("/"))
    host = _HOST_FIRST.match(end.word, slashes)
    if host is None or slashes + end.url.count("/") != 2 or "." not in host[1]:
        return False
    is_sure = host[1].islower() or end.word[host.end() : host.end() + 1] in ("/", ")", "]", "}")
    return host[1][:4].lower() in ("www.", "ftp.") or (is_sure and _is_suffix(host[2]))


def is_in_registered_domain(end: LineEnd) -> bool:
    """Return whether the line ends at a hyphen in the registered label, which decides whose host it is."""
    host = end.url.partition("://")[2] or end.url
    if end.piece[-1] != "-" or _AFTER_HOST.search(host):
        return False
    whole = (host + _AFTER_HOST.split(end.word, maxsplit=1)[0]).rstrip(".").lower()
    return len(host) > len(whole) - len(registered_domain(whole))
