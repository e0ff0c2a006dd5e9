r"""The line end after a bare URL: the evidence that the URL goes on in the next line.

About one in fifty of the bare URLs that end a line goes on, so the next word is not part of
the URL unless the evidence is strong. Some tests rule a continuation out (`_RULES_OUT`). All
others are rows of `_EVIDENCE`. Their weights are rounded natural logarithms of odds, and are
added up. Weights and thresholds were fitted to 693 joints of real mail, and checked against 67,000
places of machine-printed text in which hardly any URL goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from urlextract.grammar.chars import ends_file_name
from urlextract.grammar.marks import BARE_BREAKS, ENDS_WHOLE, SOFT_BREAKS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, SCHEME_NAME
from urlextract.grammar.tlds import tld_of

_LONGEST_LINE = 82
"""Columns beyond which nobody wraps mail."""

PROSE_WORD = r"[A-Z]?[a-z']{0,30}[.,;:!?]{0,3}"
"""A word of prose; it does not continue a URL if more words follow on its line."""


class Grade(IntEnum):
    """How sure it is that a URL goes on after a line end."""

    NONE = 0
    POSSIBLE = 1  # less likely than not, but worth an alternative and a defect
    LIKELY = 2  # more likely than not
    SAFE = 3  # as good as certain


class Joint(NamedTuple):
    """A line end within what may be one URL, and the text on both sides of it.

    ``url`` is the URL up to the line end, ``piece`` the part of it on the last line, with its
    ``indent`` and its ``depth`` of quoting; ``word`` is what the next line begins with, up to a
    blank. Widths are columns without the quote prefix: ``width`` of the line, ``last_width`` of the
    piece before it (0 for the first line), ``fill`` of the longest line of prose nearby (0 if there
    is none). ``before`` and ``after`` are the line before the URL and the one after that of
    ``word``, without quote prefix and indent.
    """

    url: str
    piece: str
    width: int
    last_width: int
    begins_line: bool
    indent: int
    depth: int
    before: str = ""
    word: str = ""
    is_alone: bool = False
    is_indented: bool = False
    is_item: bool = False
    is_quoted_less: bool = False
    lost_mark: bool = False
    fill: int = 0
    after: str = ""

    @property
    def is_later(self) -> bool:
        """Whether this is not the first line end of the URL."""
        return self.last_width > 0


_Test = Callable[[Joint], object]


# Words that begin a sentence or a line of their own far more often than they end a URL.
_SMALL = """
a about after all also although an and any are as at be because been before being both but
by can could did do does done during each either else etc even for from further had has have he
hello hi his how however i if in instead into is it its just let like may me more most much my
no nor not note now of off on once one only or other our out over per please regards same says
see shall she should since so some such than thank thanks that the their them then there these
they this those to too two under until up us use used using very via was we well were what when
where whether which while who why will with within without would wrote yes yet you your
cheers best bye ciao merci gruss sincerely subject date sent reply
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_MARKS_BEHIND = ".,;:!?\u2026"

_ENDS_WHOLE = lazy_re(rf"[{re.escape(ENDS_WHOLE)})\]}}\"*>|]\Z")
_SCHEME = rf"{SCHEME_NAME}:(?://|\S{{1,99}}@)|(?:{'|'.join(NAMES_WITHOUT_SLASHES)}):(?=\S)"
BEGINS_ANEW = rf"[<>\[\](){{}}\"'$\\@]|(?i:www|ftp)\.|{_SCHEME}"
"""What begins a line that does not continue a URL, after the quote prefix of the line."""
LIST_NUMBER = r"\d{1,3}[.):]"
PAGE_NAME = r"(?i:[sx]?html?|php\d?|aspx?|jsp|cgi|pdf|cfm)"
"""The extension of the file name of a web page, without the dot."""

_BEGINS_ANEW = lazy_re(
    rf"{BEGINS_ANEW}|{LIST_NUMBER}\Z|[A-Z]<|[-+]{{1,2}}(?:{_SCHEME})|[*|!\u2022\u2013\u2014]|\+(?!\S*[+&%=])|//|--|==|__|~~|[-#]\Z"
)
_ADDRESS = lazy_re(r"[^@/?=&]+@[^@/?=&]+\.\w+\W*\Z")
_PROMPT = lazy_re(r"[\w@.:~/\[\]-]{1,80}[$#%]\Z")
_TROFF_REQUEST = lazy_re(r"\.[A-Z]{1,2}[A-Z0-9]?\Z")
_PROSE = lazy_re(rf"{PROSE_WORD}\Z")
_CAPITALISED = lazy_re(r"[A-Z][a-z']+[.,;:!?)]*\Z")


def _ends_in_soft_break(joint: Joint) -> bool:
    return joint.piece[-1] in BARE_BREAKS


def _goes_on_in_host(joint: Joint) -> bool:
    """Return whether a host follows an escaped slash at the end of the line."""
    return joint.piece[-3:].upper() == "%2F" and _SHORT_HOST.match(joint.word) is not None


def _is_open_word(joint: Joint) -> bool:
    """Return whether a word may continue the URL: after a hyphen, half an escape, or the dot of ".html"."""
    is_half = _HALF_ESCAPE.search(joint.piece) and joint.word[0] in _HEX_DIGITS
    is_page = joint.piece[-1] == "." and _PAGE_ALONE.match(joint.word)
    return bool(_ends_in_soft_break(joint) or is_half or is_page)


_RULES_OUT: tuple[tuple[str, _Test], ...] = (
    ("it ends in a mark that ends no piece of a URL", lambda j: _ENDS_WHOLE.search(j.piece)),
    (
        "the next line does not begin as a URL goes on",
        lambda j: _BEGINS_ANEW.match(j.word) and not _goes_on_in_host(j),
    ),
    ("the next word is a common short word", lambda j: j.word.lower().rstrip(_MARKS_BEHIND) in _SMALL_WORDS),
    ("the next word has no letter or digit", lambda j: not any(map(str.isalnum, j.word))),
    ("a mail address follows", lambda j: j.piece[-1] not in "-." and _ADDRESS.match(j.word)),
    (
        "a shell prompt follows",
        lambda j: j.piece[-1] not in "-." and not j.is_alone and _PROMPT.match(j.word),
    ),
    ("a request of troff follows", lambda j: _TROFF_REQUEST.match(j.word)),
    ("a sentence goes on", lambda j: not j.is_alone and _PROSE.match(j.word) and not _is_open_word(j)),
    ("a sentence begins", lambda j: j.piece[-1] == "-" and not j.is_alone and _CAPITALISED.match(j.word)),
)

_CAPITALS = lazy_re(r"[A-Z][A-Z0-9_-]*[.,;:!?)]*\Z")
_ENGLISH = lazy_re(r"[a-z][a-z']*(?:-[a-z]+)?[.,;:!?)]*\Z")
_HEX_BEFORE = lazy_re(r"(?<![0-9a-zA-Z])(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{8,64}\Z")
_HEX_BEHIND = lazy_re(r"(?=[a-f]{0,64}\d)[0-9a-f]{2,64}(?![0-9a-zA-Z])|[0-9a-f]{6,64}(?![0-9a-zA-Z])")
_HASH_LENGTHS = (32, 40, 64)
_SHORT_LENGTHS = (7, 8, 10, 12, 16)  # of abbreviated hashes
_ENDS_NUMBER = lazy_re(r"(?:\.\.[0-9a-f]{7,12}|-[0-9a-f]{4}-[0-9a-f]{12})\Z")  # two hashes, or a UUID
_HEX_OF_HASH = r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})"
_HASH = lazy_re(rf"(?i:(?:(?:sha[0-9]{{1,3}}|md5)[:=])?{_HEX_OF_HASH})\Z")
_BEGINS_HASH = lazy_re(rf"{_HEX_OF_HASH}(?![0-9A-Za-z_:-])")
_ASKS_HASH = lazy_re(
    r"(?:=|(?:/|\A)(?:blob|c|changeset|commitdiff|commits?|compare|diff|info|log|patch|plain|raw|rev|revisions?|tree)/)\Z"
)
_SHORT_HASH = lazy_re(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,12}\Z")
_HALF_ESCAPE = lazy_re(r"%[0-9A-Fa-f]\Z")
_CUT_ESCAPE = lazy_re(r"%[0-9A-Fa-f]?\Z")
_HEX_DIGITS = "0123456789abcdefABCDEF"
_QUERY = lazy_re(r"[?&][\w.%-]+=|%[0-9A-F]{2}|\w=\w[^&]{0,80}&")
_URL_SIGN = lazy_re(r"[/=&?]|%[0-9A-Fa-f]{2}|\+\S*\+")
_HAS_QUERY = lazy_re(r"[?#]")
_MORE_SIGNS = lazy_re(r"(?=\S{20})\S{0,200}?[/=&%?]\S{0,200}?[/=&%?]")
_SIGN_FIRST = lazy_re(r"[?&=.]\w|%[0-9A-Fa-f]{2}")
_FRAGMENT = lazy_re(r"#(?!(?:[0-9]+|[A-Za-z]+)\W*\Z)\w")  # neither a list number nor a tag
_PARAMETER = lazy_re(r"[\w.%\[\]-]{1,40}=")
_SETTING = lazy_re(r"\+?[A-Za-z_][\w.-]*=(?![=&]|\Z)")
_OPEN_PARAMETER = lazy_re(r"[?&;][^?&;#=]{0,200}\Z")
_LABEL_AND_VALUE = lazy_re(r"[A-Za-z][\w-]{1,15}:[^\s/&=?]+\Z")
_KNOWN_LABEL = lazy_re(r"(?i:sha[0-9]{1,3}|md5|uid|doi|isbn|arxiv|icq|gpg|pgp):\S")
_OF_ITS_OWN = lazy_re(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.Z+-]+)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}"  # dates
    r"|(?:[0-9]{3}[.-])?[0-9]{3}[.-][0-9]{4}|10\.[0-9]{4,9}/\S+|[\w.-]+/[\w.-]+\#[0-9]+"  # telephones, DOIs
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{7,40}\.\.[0-9a-f]{7,40})\Z"
)
_TOKEN_AND_HYPHEN = lazy_re(
    r"(?<![^/=&?])(?=[A-Za-z_-]*[0-9])(?=[a-z0-9_-]*[A-Z])(?=[A-Z0-9_-]*[a-z])[\w-]{9,}-\Z"
)
_TOKEN = lazy_re(r"(?=[A-Za-z_%-]*[0-9])(?=[0-9_%-]*[A-Za-z])|\w*[a-z][A-Z]\w*[a-z][A-Z]|[\w-]*[A-Z]{2}[a-z]")
_PATH_OF_FILES = lazy_re(
    r"/(?:bin|boot|dev|etc|home|lib(?:32|64)?|mnt|opt|proc|root|run|s?bin|srv|sys|tmp|usr|var|Users|Library"
    r"|Applications|System|Volumes)/"
)
_MARK_INSIDE = lazy_re(r"[._#-]\w")
_RANDOM = lazy_re(r"(?:[A-Za-z_%-]{1,9}[0-9]{1,9}){3}")
_MIXED = lazy_re(r"(?=[A-Za-z_%-]{0,99}[0-9])(?=[0-9_%-]{0,99}[A-Za-z])[\w%-]{8}")
_FILE = r"(?i:txt|gz|zip|bz2|xz|jpe?g|png|gif|docx?|xml|do|msg|diff|patch|tar|rpm|deb)"
_ENDS_FILE = r"(?:[?#&.]|[.,;:!?)]*\Z)"
_HAS_PAGE = lazy_re(rf"\.{PAGE_NAME}{_ENDS_FILE}")
_PAGE_ALONE = lazy_re(rf"{PAGE_NAME}[.,;:!?)]*\Z")
_HAS_FILE = lazy_re(rf"\.{_FILE}{_ENDS_FILE}")
_FILE_ALONE = lazy_re(r"\S{1,200}\.[a-z]\w{0,7}\Z")
_SOURCE = lazy_re(r"\.(?:c|cc|cpp|h|hpp|py|pl|rb|java|js|ts|go|rs|sh|el|tex|po)[:,]?\Z")
_OWN_HOST = lazy_re(
    r"(?:[A-Za-z0-9-]{1,63}\.){1,9}(?:com|org|net|edu|gov|info)(?:[/:]|\Z)"
    r"|(?:[A-Za-z0-9-]{1,63}\.){2,9}[a-z]{2}/|[A-Za-z0-9-]{1,63}\.(?!gz|xz|py|js)[a-z]{2}\Z"
)
_OPEN_SAFELINK = lazy_re(r"(?i)\.safelinks\.protection\.outlook\.com/.*[?&]url=(?!.*reserved=0)")
_OPEN_DEFENSE = lazy_re(r"urldefense\.(?:com|us|proofpoint\.com)/v3/__(?!.*\$)")
_HOST_NAME = lazy_re(r"\.([A-Za-z]+)\Z")
_SHORT_HOST = lazy_re(r"(?i:www|ftp)\.")
_OTHER_URL = lazy_re(r"://|(?i:mailto):")
_LONGEST_LINK = 4_096
_LONGEST_EXTENSION = 6  # characters, with the dot
_RAGGED = 3  # columns by which the longest of a few lines of prose may differ from the wrap column
_NARROWEST = 68  # wrap column of mail if no prose is nearby
_CHUNK = lazy_re(r"[^-/?&=.]*+[-/?&=.]?")


def _number_goes_on(joint: Joint) -> bool:
    """Return whether a hexadecimal number goes on in the next line.

    It does if both parts together are as long as a hash, or if the rest is alone on its line.
    """
    before, behind = _HEX_BEFORE.search(joint.piece), _HEX_BEHIND.match(joint.word)
    if before is None or behind is None or len(before[0]) in _HASH_LENGTHS:
        return False
    if len(before[0]) + len(behind[0]) in _HASH_LENGTHS:
        return True
    are_two = len(before[0]) in _SHORT_LENGTHS and len(joint.word) in _SHORT_LENGTHS
    is_other = are_two or behind[0].isdigit() or behind[0].isalpha() or _ENDS_NUMBER.search(joint.piece)
    return joint.is_alone and not (is_other or _HASH.match(joint.word) or _OF_ITS_OWN.match(joint.word))


def _number_may_go_on(joint: Joint) -> bool:
    """Return whether the next word may continue a hexadecimal number, or be another number."""
    is_number = _HEX_BEFORE.search(joint.piece) and _HEX_BEHIND.match(joint.word)
    return bool(is_number) and not _number_goes_on(joint)


def _ends_hash(joint: Joint) -> bool:
    """Return whether the URL ends in a whole hash, and no sign of a URL begins the next word."""
    before = _HEX_BEFORE.search(joint.piece)
    return before is not None and len(before[0]) in _HASH_LENGTHS and joint.word[0] not in "/?#&.;-_"


def _is_link_open(joint: Joint) -> bool:
    """Return whether a mail gateway's link lacks what it always ends in."""
    url = joint.url[:_LONGEST_LINK]
    return bool(_OPEN_SAFELINK.search(url) or _OPEN_DEFENSE.search(url))


def _is_host_open(joint: Joint) -> bool:
    """Return whether the URL is no more than a host so far."""
    return "/" not in joint.url.partition("://")[2]


def _is_host_cut(joint: Joint) -> bool:
    """Return whether the host has several labels, and the last one is no top-level domain."""
    name = _HOST_NAME.search(joint.url)
    return name is not None and tld_of(name[1]) is None


def _would_fit(joint: Joint) -> bool:
    """Return whether there was room on the line for the next word up to where it may be broken."""
    chunk = _CHUNK.match(joint.word)
    return joint.width + len(chunk.group() if chunk else joint.word) <= joint.fill


def _is_made_whole(joint: Joint, name: re.Pattern[str]) -> bool:
    """Return whether the name of a file at or in the end of the URL is complete only with the next line."""
    if joint.piece[-1] == "/" or ends_file_name(joint.url):
        return False
    tail = joint.url[-_LONGEST_EXTENSION:]
    return any(match.end() > len(tail) for match in name.finditer(tail + joint.word))


def _is_cut_alike(joint: Joint) -> bool:
    """Return whether this line and the next are single words of the same width."""
    is_pair = not joint.is_later and joint.begins_line and joint.is_alone
    return is_pair and joint.width == len(joint.word) >= 50


def _is_too_wide(joint: Joint) -> bool:
    """Return whether the line is longer than mail is wrapped, and nothing shows that it was cut."""
    return joint.width > _LONGEST_LINE and not (joint.is_later or _is_cut_alike(joint))


def _is_in_word(joint: Joint) -> bool:
    """Return whether the line end cuts a word, as programs do that cut at a column."""
    return joint.piece[-1].isalnum() and joint.word[0].isalnum()


def _is_at_sign(joint: Joint) -> bool:
    """Return whether the line ends between words, and is not wider than the prose nearby."""
    return joint.width <= joint.fill and not _is_in_word(joint)


def _cuts_word_when_full(joint: Joint) -> bool:
    return bool(joint.fill) and _is_in_word(joint) and 0 <= joint.width - joint.fill <= _RAGGED


def _cuts_word_early(joint: Joint) -> bool:
    is_cut_alike = joint.is_later or joint.width == len(joint.word)
    return _is_in_word(joint) and not is_cut_alike and joint.width < (joint.fill or _NARROWEST)


def _follows_shorter_line(joint: Joint) -> bool:
    """Return whether the last line is much shorter than the one before, and the next word not longer."""
    return joint.width < 0.7 * joint.last_width and len(joint.word) <= joint.width


def _follows_one_word(joint: Joint) -> bool:
    """Return whether the line before the URL is one word, as in a list of such lines."""
    before = joint.before
    return 0 < len(before) < 50 and " " not in before and "://" not in before and before[-1] not in ",;:!?."


def _may_be_empty_parameter(joint: Joint) -> bool:
    is_value = _begins_value(joint) or _MIXED.search(joint.word) or _URL_SIGN.search(joint.word)
    return joint.piece[-1] in "_&=?+#" and not is_value


def _begins_value(joint: Joint) -> bool:
    return joint.piece[-1] == "=" and bool(joint.word[0].isdigit() or _MIXED.match(joint.word))


def _closes_bracket(joint: Joint) -> bool:
    """Return whether the next word closes a bracket that the URL opens."""
    inner, closing, _ = joint.word.partition(")")
    return bool(closing) and "(" not in inner and joint.url.count("(") > joint.url.count(")")


def _follows_fragment(joint: Joint) -> bool:
    """Return whether a fragment follows the name of a file; a number such as "#1" is a list item."""
    return bool(_FRAGMENT.match(joint.word)) and ends_file_name(joint.url)


def _is_own_hash(joint: Joint) -> bool:
    """Return whether a whole hash follows where no hash belongs."""
    return not (_ends_in_soft_break(joint) or _ASKS_HASH.search(joint.piece)) and bool(
        _HASH.match(joint.word)
    )


def _asks_for_hash(joint: Joint) -> bool:
    """Return whether the line ends where a hash belongs, and one follows."""
    return bool(_ASKS_HASH.search(joint.piece) and _BEGINS_HASH.match(joint.word))


def _is_short_hash(joint: Joint) -> bool:
    is_number = _SHORT_HASH.match(joint.word) and not _HEX_BEFORE.search(joint.piece)
    return _is_in_word(joint) and bool(is_number)


def _ends_token(joint: Joint) -> bool:
    """Return whether the hyphen is a character of a random token, and the next word is not its rest."""
    if not _TOKEN_AND_HYPHEN.search(joint.piece):
        return False
    return not (_TOKEN.match(joint.word) or _URL_SIGN.search(joint.word))


def _follows_setting(joint: Joint) -> bool:
    """Return whether ``name=value`` follows, and the URL has no unfinished parameter before it."""
    is_setting = joint.piece[-1] not in "?&;#-%" and _SETTING.match(joint.word)
    return bool(is_setting) and not _OPEN_PARAMETER.search(joint.url)


def _follows_label(joint: Joint) -> bool:
    """Return whether a label with its value follows, as in a calendar or a list of checksums."""
    is_known = not _ends_in_soft_break(joint) and _KNOWN_LABEL.match(joint.word)
    return bool(is_known or (joint.piece[-1].isalnum() and _LABEL_AND_VALUE.match(joint.word)))


def _changes_kind(joint: Joint) -> bool:
    """Return whether letters follow digits or digits letters, and the next word does not look random."""
    is_change = _is_in_word(joint) and joint.piece[-1].isdigit() != joint.word[0].isdigit()
    return is_change and not (_MIXED.match(joint.word) or _HEX_BEHIND.match(joint.word))


def _begins_list(joint: Joint) -> bool:
    """Return whether the name of a file follows, and another one is on the line after it."""
    is_file = _HAS_FILE.search(joint.word) or _HAS_PAGE.search(joint.word) or _SOURCE.search(joint.word)
    return bool(is_file and _FILE_ALONE.match(joint.after))


def _soft_break(name: str) -> tuple[str, float, _Test]:
    """Return the row for the marks of soft breaks of that name; two hyphens are a dash."""
    marks = tuple(mark.text for mark in SOFT_BREAKS if mark.joins and mark.name == name)
    words = f"it ends in {'an' if name[0] in 'aeiou' else 'a'} {name}"
    return words, 5.0, lambda j: j.piece.endswith(marks) and not j.piece.endswith("--")


_EVIDENCE: tuple[tuple[str, float, _Test], ...] = (
    *map(_soft_break, dict.fromkeys(mark.name for mark in SOFT_BREAKS if mark.joins)),
    ("a hexadecimal number goes on", 4.0, _number_goes_on),
    ("a hexadecimal number may go on", 0.5, _number_may_go_on),
    ("an escape is cut in two", 6.0, lambda j: _CUT_ESCAPE.search(j.piece) and j.word[0] in _HEX_DIGITS),
    ("the link of a mail gateway is not at its end", 4.0, _is_link_open),
    ("the next line lost its quote mark", 2.0, lambda j: j.lost_mark),
    ("the next word is alone on its line", 1.5, lambda j: j.is_alone),
    ("a blank line follows it", 0.5, lambda j: j.is_alone and not j.after),
    ("the URL begins its line", 0.5, lambda j: j.begins_line),
    ("the next line makes the name of a page whole", 1.5, lambda j: _is_made_whole(j, _HAS_PAGE)),
    ("the next line makes the name of a file whole", 0.7, lambda j: _is_made_whole(j, _HAS_FILE)),
    ("the name of a page follows the slash", 1.0, lambda j: j.piece[-1] == "/" and _HAS_PAGE.search(j.word)),
    ("the next word is part of a query", 1.5, lambda j: _QUERY.search(j.word)),
    ("the next word has signs of a URL", 1.0, lambda j: _URL_SIGN.search(j.word)),
    ("it has several of them", 1.0, lambda j: _MORE_SIGNS.match(j.word)),
    ("the next word has marks inside", 0.5, lambda j: _MARK_INSIDE.search(j.word)),
    ("the next word looks random", 0.7, lambda j: _RANDOM.search(j.word)),
    ("a fragment follows a file", 1.2, _follows_fragment),
    ("a hash sign begins the next line", -1.0, lambda j: j.word[0] == "#" and not _follows_fragment(j)),
    ("a value follows its sign", 1.1, _begins_value),
    ("the next word closes a bracket that the URL opens", 5.0, _closes_bracket),
    ("a host follows its escaped slashes", 4.0, _goes_on_in_host),
    ("a parameter follows its sign", 2.0, lambda j: j.piece[-1] in "?&" and _PARAMETER.match(j.word)),
    ("the next line begins with a sign that goes on a URL", 0.7, lambda j: _SIGN_FIRST.match(j.word)),
    ("the next line begins with a slash", 0.3, lambda j: j.word[0] == "/"),
    ("a word is cut where the line is full", 1.0, _cuts_word_when_full),
    ("the next word would not have fitted", 1.0, lambda j: _is_at_sign(j) and not _would_fit(j)),
    (
        "the next line is long and has no blank",
        1.5,
        lambda j: j.is_alone and len(j.word) >= max(40, 0.7 * j.width),
    ),
    ("both lines end at the same column", 2.0, _is_cut_alike),
    ("it ends at the column of the line before", 2.0, lambda j: j.width == j.last_width),
    ("it goes on over the line before", 1.5, lambda j: j.is_later),
    ("a small letter follows a full stop", 1.0, lambda j: j.piece[-1] == "." and j.word[0].islower()),
    ("the next word would have fitted", -0.5, lambda j: _is_at_sign(j) and _would_fit(j)),
    ("there was room for all of the next word", -0.7, lambda j: j.width + len(j.word) <= j.fill),
    ("the line is short", -0.6, lambda j: j.width < 50),
    ("a word would be cut before the line is full", -1.5, _cuts_word_early),
    ("it ends in a sign that may end a parameter", -1.2, _may_be_empty_parameter),
    ("it ends in a slash", -0.3, lambda j: j.piece[-1] == "/"),
    ("it ends in the name of a file", -2.5, lambda j: ends_file_name(j.url) and j.word[0] not in "?#&.;"),
    (
        "its host is whole",
        -2.0,
        lambda j: _is_host_open(j) and j.word[0] not in "/?" and j.piece[-1] != "-" and not _is_host_cut(j),
    ),
    ("it ends in a whole hash", -3.0, _ends_hash),
    ("a path of files follows", -5.0, lambda j: j.piece[-1].isalnum() and _PATH_OF_FILES.match(j.word)),
    ("the line is longer than mail is wrapped", -3.5, _is_too_wide),
    ("it follows the end of a shorter line", -1.5, _follows_shorter_line),
    ("an English word follows", -1.2, lambda j: _ENGLISH.match(j.word)),
    ("a capitalised word follows", -2.5, lambda j: _CAPITALISED.match(j.word)),
    ("a word in capitals follows", -1.0, lambda j: _CAPITALS.match(j.word)),
    ("a label follows", -3.0, lambda j: j.word[-1] == ":"),
    ("a host follows", -4.0, lambda j: not _is_host_open(j) and _OWN_HOST.match(j.word)),
    ("the next word holds another URL", -3.0, lambda j: _OTHER_URL.search(j.word)),
    ("a hash follows", -4.0, _is_own_hash),
    ("a hash follows where one belongs", 1.5, _asks_for_hash),
    ("the start of a hash follows", -1.0, _is_short_hash),
    ("the hyphen is a letter of a token", -4.0, _ends_token),
    ("a setting follows", -2.5, _follows_setting),
    ("a label with its value follows", -2.5, _follows_label),
    (
        "a date or a number of its own follows",
        -3.0,
        lambda j: j.piece[-1].isalnum() and _OF_ITS_OWN.match(j.word),
    ),
    ("two slashes meet", -3.0, lambda j: j.piece[-1] == "/" == j.word[0]),
    ("letters and digits meet", -0.7, _changes_kind),
    (
        "a file follows a query",
        -1.0,
        lambda j: _is_in_word(j) and _HAS_QUERY.search(j.url) and _FILE_ALONE.match(j.word),
    ),
    ("a call of a function follows", -2.0, lambda j: "(" in j.word),
    ("the name of a source file follows", -1.5, lambda j: _SOURCE.search(j.word)),
    ("a list of files follows", -2.0, _begins_list),
    ("the line before it holds one word", -1.5, _follows_one_word),
    ("a line with another URL follows", -1.0, lambda j: "://" in j.after.partition(" ")[0]),
    ("the next line is quoted less deeply", -1.5, lambda j: j.is_quoted_less and not j.lost_mark),
    ("an item of a list begins", -2.0, lambda j: j.is_item),
    ("it is an indented word before another URL", -9.0, lambda j: j.is_indented and "://" in j.after),
    ("the next line is indented", -0.5, lambda j: j.is_indented),
)
_BIAS = -1.7
_THRESHOLDS = ((2.5, Grade.SAFE), (1.2, Grade.LIKELY), (-0.6, Grade.POSSIBLE))
_DOUBT = -1.5


def ruled_out(joint: Joint) -> str | None:
    """Return the reason why the URL cannot go on after ``joint``, or None.

    The fields ``before`` and ``after`` are not used.
    """
    return next((words for words, holds in _RULES_OUT if holds(joint)), None)


def weigh(joint: Joint) -> tuple[Grade, bool, str]:
    """Return the grade of ``joint``, whether its score exceeds `_DOUBT`, and the reasons.

    Call it only if `ruled_out` returns None. A grade of NONE with a score above `_DOUBT`
    misses the next grade by a small margin.
    """
    rows = [(words, weight) for words, weight, holds in _EVIDENCE if holds(joint)]
    score = _BIAS + sum(weight for _, weight in rows)
    grade = next((grade for least, grade in _THRESHOLDS if score >= least), Grade.NONE)
    pros = ", ".join(words for words, weight in rows if weight > 0) or "nothing speaks against it"
    cons = ", ".join(words for words, weight in rows if weight < 0)
    return grade, score > _DOUBT, f"{pros}, although {cons}" if cons else pros
