r"""The line end after a bare URL: the evidence that the URL goes on in the next line.

About one in fifty of the bare URLs that end a line goes on, so the next word is not part of
the URL unless the evidence is strong. Some tests rule a continuation out (`_RULES_OUT`). All
others are rows of `_EVIDENCE`. Their weights are rounded natural logarithms of odds, and are
added up. Weights and thresholds were fitted to 693 line breaks of real mail, and checked against 67,000
places of machine-printed text in which hardly any URL goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import NamedTuple

from urlextract.grammar.chars import ends_file_name
from urlextract.grammar.domains import registered_domain
from urlextract.grammar.escapes import decoded_text
from urlextract.grammar.extensions import extension_of
from urlextract.grammar.marks import BARE_BREAKS, ENDS_WHOLE, OPENERS, SOFT_BREAKS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import ANY_NAME_WITHOUT_SLASHES, SCHEME_NAME
from urlextract.grammar.tlds import tld_of

_LONGEST_LINE = 82
"""Columns beyond which nobody wraps mail."""

PROSE_WORD = r"[A-Z]?[a-z']{0,30}[.,;:!?]{0,3}"
"""A word of prose; it does not continue a URL if more words follow on its line."""


class Certainty(IntEnum):
    """How sure it is that a URL goes on after a line end."""

    NONE = 0
    POSSIBLE = 1  # less likely than not, but worth an alternative and a defect
    LIKELY = 2  # more likely than not
    SAFE = 3  # as good as certain


class LineBreak(NamedTuple):
    """A line end within what may be one URL, and the text on both sides of it.

    ``opening`` is the text right before the URL. ``url`` is the URL up to the line end, ``piece`` the
    part of it on the last line, with its ``indent`` and its ``depth`` of quoting; ``word`` is what the
    next line begins with, up to a
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
    opening: str = ""
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


_Test = Callable[[LineBreak], object]


# Words that begin a sentence or a line of their own far more often than they end a URL.
_SMALL = """
a about after all also although an and any are as at be because been before being both but
by can could did do does done during each either else etc even for from further had has have he
hello hi his how however i if in instead into is it its just let like may me more most much my
no nor not note now of off ok on once one only or other our out over per please regards same says
see shall she should since so some such than thank thanks that the their them then there these
they this those to too two under until up us use used using very via was we well were what when
where whether which while who why will with within without would wrote yes yet you your
cheers best bye ciao merci gruss sincerely subject date sent reply
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_MARKS_AFTER = ".,;:!?\u2026"

_ENDS_WHOLE = lazy_re(rf"[{re.escape(ENDS_WHOLE)})\]}}\"*>|]\Z")
_SCHEME = rf"{SCHEME_NAME}:(?://|\S{{1,99}}@)|(?:{ANY_NAME_WITHOUT_SLASHES}):(?=\S)"
BEGINS_ANEW = rf"[<>\[\](){{}}\"'$\\@]|//|--|==|__|~~|(?i:www|ftp)\.|{_SCHEME}"
"""What begins a line that does not continue a URL, after the quote prefix of the line."""
LIST_NUMBER = r"\d{1,3}[.):]"
PAGE_NAME = rf"(?i:{extension_of('page')})"
"""The extension of the file name of a web page, without the dot."""

_BEGINS_ANEW = lazy_re(
    rf"{BEGINS_ANEW}|{LIST_NUMBER}\Z|[A-Z]<|[-+]{{1,2}}(?:{_SCHEME})|[*|!\u2022\u2013\u2014]|\+(?!\S*[+&%=])|[-#]\Z|-[A-Z][a-z]*\Z"
)
_ADDRESS = lazy_re(r"[^@/?=&]+@[^@/?=&]+\.\w+\W*\Z")
_PROMPT = lazy_re(r"[\w@.:~/\[\]-]{1,80}[$#%]\Z")
_TROFF_REQUEST = lazy_re(r"\.[A-Z]{1,2}[A-Z0-9]?\Z")
_PROSE = lazy_re(rf"{PROSE_WORD}\Z")
_CAPITALISED = lazy_re(r"[A-Z][a-z']+[.,;:!?)]*\Z")


def _ends_in_soft_break(end: LineBreak) -> bool:
    return end.piece[-1] in BARE_BREAKS


def _goes_on_in_host(end: LineBreak) -> bool:
    """Return whether a host follows an escaped slash at the end of the line."""
    return end.piece[-3:].upper() == "%2F" and _SHORT_HOST.match(end.word) is not None


def _is_open_word(end: LineBreak) -> bool:
    """Return whether a word may continue the URL: after a hyphen, half an escape, or the dot of ".html"."""
    is_half = _HALF_ESCAPE.search(end.piece) and end.word[0] in _HEX_DIGITS
    is_page = end.piece[-1] == "." and _PAGE_ALONE.match(end.word)
    return bool(_ends_in_soft_break(end) or is_half or is_page)


_RULES_OUT: tuple[_Test, ...] = (
    # It ends in a mark that ends no piece of a URL.
    lambda end: _ENDS_WHOLE.search(end.piece),
    # The next line does not begin as a URL goes on.
    lambda end: _BEGINS_ANEW.match(end.word) and not _goes_on_in_host(end),
    # A common short word follows.
    lambda end: end.word.lower().rstrip(_MARKS_AFTER) in _SMALL_WORDS,
    # The next word has no letter or digit.
    lambda end: not any(map(str.isalnum, end.word)),
    # A mail address follows, and no Message-ID goes on.
    lambda end: end.piece[-1] not in "-." and _ADDRESS.match(end.word) and not _is_message_id_open(end),
    # The next word is of another script.
    lambda end: end.url.isascii() and not end.word[0].isascii(),
    # A row of a table of users follows.
    lambda end: end.word.count(":") > 1 and "://" not in end.word,
    # A shell prompt follows.
    lambda end: end.piece[-1] not in "-." and not end.is_alone and _PROMPT.match(end.word),
    # A request of troff follows.
    lambda end: _TROFF_REQUEST.match(end.word),
    # A sentence goes on.
    lambda end: not end.is_alone and _PROSE.match(end.word) and not _is_open_word(end),
    # A sentence begins.
    lambda end: end.piece[-1] == "-" and not end.is_alone and _CAPITALISED.match(end.word),
)

_CAPITALS = lazy_re(r"[A-Z][A-Z0-9_-]*[.,;:!?)]*\Z")
_ENGLISH = lazy_re(r"[a-z][a-z']*(?:-[a-z]+)?[.,;:!?)]*\Z")
_SHORT = lazy_re(r"[a-z]{1,2}\Z")
_HEX_BEFORE = lazy_re(r"(?<![0-9a-zA-Z])(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{8,64}\Z")
_HEX_AFTER = lazy_re(r"(?=[a-f]{0,64}\d)[0-9a-f]{2,64}(?![0-9a-zA-Z])|[0-9a-f]{6,64}(?![0-9a-zA-Z])")
_LONGEST_NUMBER = 65  # characters, with the one before it
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
_NUMBER_AND_STOP = lazy_re(r"[0-9]\.\Z")
_CUT_ESCAPE = lazy_re(r"%[0-9A-Fa-f]?\Z")
_HEX_DIGITS = "0123456789abcdefABCDEF"
_QUERY = lazy_re(r"[?&][\w.%-]+=|%[0-9A-F]{2}|\w=\w[^&]{0,80}&")
_URL_SIGN = lazy_re(r"[/=&?]|%[0-9A-Fa-f]{2}|\+\S*\+")
_HAS_QUERY = lazy_re(r"[?#]")
_MORE_SIGNS = lazy_re(r"(?=\S{20})\S{0,200}?[/=&%?]\S{0,200}?[/=&%?]")
_SIGN_FIRST = lazy_re(r"[?&=.]\w|%[0-9A-Fa-f]{2}")
_ENDS_FOLDER = lazy_re(r"\w\S*/\.\Z")
_FRAGMENT = lazy_re(r"#(?!(?:[0-9]+|[A-Za-z]+)\W*\Z)\w")  # neither a list number nor a tag
_PARAMETER = lazy_re(r"[\w.%\[\]-]{1,40}=")
_NEXT = lazy_re(r"&[\w.%-]{1,40}=")
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
_ENDS_FILE = r"(?:[?#&.]|[.,;:!?)]*\Z)"
_HAS_PAGE = lazy_re(rf"\.{PAGE_NAME}{_ENDS_FILE}")
_PAGE_ALONE = lazy_re(rf"{PAGE_NAME}[.,;:!?)]*\Z")
_HAS_FILE = lazy_re(rf"\.(?i:{extension_of('file')}){_ENDS_FILE}")
_FILE_ALONE = lazy_re(r"\S{1,200}\.[a-z]\w{0,7}\Z")
_SOURCE = lazy_re(rf"\.{extension_of('source')}[:,]?\Z")
_OWN_HOST = lazy_re(
    r"(?:[A-Za-z0-9-]{1,63}\.){1,9}(?:com|org|net|edu|gov|info)(?:[/:]|\Z)"
    r"|(?:[A-Za-z0-9-]{1,63}\.){2,9}[a-z]{2}/|[A-Za-z0-9-]{1,63}\.(?!gz|xz|py|js)[a-z]{2}\Z"
)
_OPEN_SAFELINK = lazy_re(r"(?i)\.safelinks\.protection\.outlook\.com/.*[?&]url=(?!.*reserved=0)")
_OPEN_DEFENSE = lazy_re(r"urldefense\.(?:com|us|proofpoint\.com)/v3/__(?!.*\$)")
_HOST_NAME = lazy_re(r"\.([A-Za-z]+)\Z")
_REST_OF_NAME = lazy_re(r"([a-z]+)(?=[/:?#])")
# Archives of mail with the Message-ID of a mail in the path of its page
_MESSAGE_ID_IN_PATH = lazy_re(
    r"://(?:(?:lore|lkml|patchwork|public-inbox)\.[^/]*/(?:[^/]*/)*|[^/]*/(?:[^/]*/)*(?:msgid|message-id)/)([^/]+)\Z"
)
_REST_OF_ID = lazy_re(r"[\w.+=-]*@[\w-]+\.")
_REST_OF_HOST = lazy_re(r"[\w.-]*\.([A-Za-z]{2,63})/?(?:[#?]|[.,;:!?)]*\Z)")
_SHORT_HOST = lazy_re(r"(?i:www|ftp)\.")
_OTHER_URL = lazy_re(r"://|(?i:mailto):")
_LONGEST_LINK = 4_096
_LONGEST_EXTENSION = 6  # characters, with the dot
_RAGGED = 3  # columns by which the longest of a few lines of prose may differ from the wrap column
_NARROWEST = 68  # wrap column of mail if no prose is nearby
_CHUNK = lazy_re(r"[^-/?&=.]*+[-/?&=.]?")


def _number_before(end: LineBreak) -> re.Match[str] | None:
    """Return the match of the hexadecimal number that the line ends in."""
    piece = end.piece
    return (
        _HEX_BEFORE.search(piece, max(0, len(piece) - _LONGEST_NUMBER)) if piece[-1] in _HEX_DIGITS else None
    )


def _number_goes_on(end: LineBreak) -> bool:
    """Return whether a hexadecimal number goes on in the next line.

    It does if both parts together are as long as a hash, or if the rest is alone on its line.
    """
    before, after = _number_before(end), _HEX_AFTER.match(end.word)
    if before is None or after is None or len(before[0]) in _HASH_LENGTHS:
        return False
    if len(before[0]) + len(after[0]) in _HASH_LENGTHS:
        return True
    are_two = len(before[0]) in _SHORT_LENGTHS and len(end.word) in _SHORT_LENGTHS
    is_other = are_two or after[0].isdigit() or after[0].isalpha() or _ENDS_NUMBER.search(end.piece)
    return end.is_alone and not (is_other or _HASH.match(end.word) or _OF_ITS_OWN.match(end.word))


def _number_may_go_on(end: LineBreak) -> bool:
    """Return whether the next word may continue a hexadecimal number, or be another number."""
    is_number = _number_before(end) and _HEX_AFTER.match(end.word)
    return bool(is_number) and not _number_goes_on(end)


def _ends_hash(end: LineBreak) -> bool:
    """Return whether the URL ends in a whole hash, and no sign of a URL begins the next word."""
    before = _number_before(end)
    return before is not None and len(before[0]) in _HASH_LENGTHS and end.word[0] not in "/?#&.;-_"


def is_link_open(end: LineBreak) -> bool:
    """Return whether a mail gateway's link lacks what it always ends in."""
    url = end.url[:_LONGEST_LINK]
    return bool(_OPEN_SAFELINK.search(url) or _OPEN_DEFENSE.search(url))


def _is_host_open(end: LineBreak) -> bool:
    """Return whether the URL is no more than a host so far."""
    return "/" not in (end.url.partition("://")[2] or end.url)


def _is_host_cut(end: LineBreak) -> bool:
    """Return whether the host has several labels, and the last one is no top-level domain."""
    name = _HOST_NAME.search(end.url)
    return name is not None and tld_of(name[1]) is None


def _makes_host_whole(end: LineBreak) -> bool:
    """Return whether the host is cut in its last label, and whole with the beginning of the next word."""
    name, rest = _HOST_NAME.search(end.url), _REST_OF_NAME.match(end.word)
    if name is None or rest is None or not _is_host_open(end) or tld_of(name[1]):
        return False
    return tld_of(f"{name[1]}{rest[1]}") is not None


def _is_message_id_open(end: LineBreak) -> bool:
    """Return whether the path holds a Message-ID that lacks its host, or a part of it."""
    if "@" not in end.url and "@" not in end.word:  # as in most
        return False
    path = _MESSAGE_ID_IN_PATH.search(end.url)
    if path is None:
        return end.url.endswith("/r/") and _REST_OF_ID.match(end.word) is not None
    _, sign, host = path[1].partition("@")
    if not sign:
        return _REST_OF_ID.match(end.word) is not None
    name, rest = host.rpartition(".")[2], _REST_OF_HOST.match(end.word)
    return tld_of(name) is None and rest is not None and tld_of(rest[1]) is not None


def _is_host_in(end: LineBreak) -> bool:
    """Return whether a host may follow as a part of the URL."""
    return _is_host_open(end) or is_link_open(end) or _is_message_id_open(end)


def _is_name_of_file(end: LineBreak) -> bool:
    """Return whether the next word is the last segment of the URL, which may be encoded twice."""
    segment = end.url.rpartition("/")[2]
    names = (end.word, end.word.rpartition(".")[0])
    return end.is_alone and segment != "" and any(name in names for name in (segment, decoded_text(segment)))


def _would_fit(end: LineBreak) -> bool:
    """Return whether there was room on the line for the next word up to where it may be broken."""
    chunk = _CHUNK.match(end.word)
    return end.width + len(chunk.group() if chunk else end.word) <= end.fill


def _is_made_whole(end: LineBreak, name: re.Pattern[str]) -> bool:
    """Return whether the name of a file at or in the end of the URL is complete only with the next line."""
    if end.piece[-1] == "/" or ends_file_name(end.url):
        return False
    tail = end.url[-_LONGEST_EXTENSION:]
    return any(match.end() > len(tail) for match in name.finditer(tail + end.word))


def _is_cut_alike(end: LineBreak) -> bool:
    """Return whether this line and the next are single words of the same width."""
    is_pair = not end.is_later and end.begins_line and end.is_alone
    return is_pair and end.width == len(end.word) >= 50


def _is_too_wide(end: LineBreak) -> bool:
    """Return whether the line is longer than mail is wrapped, and nothing shows that it was cut."""
    is_cut = end.is_later or _is_cut_alike(end) or is_link_open(end) or _is_message_id_open(end)
    is_cut = is_cut or end.piece[-1] == "-"  # as few URLs end
    return end.width > _LONGEST_LINE and not is_cut


def _is_in_word(end: LineBreak) -> bool:
    """Return whether the line end cuts a word, as programs do that cut at a column."""
    return end.piece[-1].isalnum() and end.word[0].isalnum()


def _is_at_sign(end: LineBreak) -> bool:
    """Return whether the line ends between words, and is not wider than the prose nearby."""
    return end.width <= end.fill and not _is_in_word(end)


def _cuts_word_when_full(end: LineBreak) -> bool:
    return bool(end.fill) and _is_in_word(end) and 0 <= end.width - end.fill <= _RAGGED


def _cuts_word_early(end: LineBreak) -> bool:
    is_cut_alike = end.is_later or end.width == len(end.word)
    return _is_in_word(end) and not is_cut_alike and end.width < (end.fill or _NARROWEST)


def _follows_shorter_line(end: LineBreak) -> bool:
    """Return whether the last line is much shorter than the one before, and the next word not longer."""
    return end.width < 0.7 * end.last_width and len(end.word) <= end.width


def _follows_one_word(end: LineBreak) -> bool:
    """Return whether the line before the URL is one word, as in a list of such lines."""
    before = end.before
    if before.startswith("[") and before.endswith("]"):  # the number of a footnote
        return False
    return 0 < len(before) < 50 and " " not in before and "://" not in before and before[-1] not in ",;:!?."


def _may_be_empty_parameter(end: LineBreak) -> bool:
    if end.piece[-1] not in "_&=?+#":
        return False
    return not (_begins_value(end) or _MIXED.search(end.word) or _URL_SIGN.search(end.word))


def _begins_value(end: LineBreak) -> bool:
    return end.piece[-1] == "=" and bool(end.word[0].isdigit() or _MIXED.match(end.word))


def _follows_fragment(end: LineBreak) -> bool:
    """Return whether a fragment follows the name of a file; a number such as "#1" is a list item."""
    return bool(_FRAGMENT.match(end.word)) and ends_file_name(end.url)


def _is_own_hash(end: LineBreak) -> bool:
    """Return whether a whole hash follows where no hash belongs."""
    return bool(_HASH.match(end.word)) and not (_ends_in_soft_break(end) or _ASKS_HASH.search(end.piece))


def _asks_for_hash(end: LineBreak) -> bool:
    """Return whether the line ends where a hash belongs, and one follows."""
    return bool(_BEGINS_HASH.match(end.word) and _ASKS_HASH.search(end.piece))


def _is_short_hash(end: LineBreak) -> bool:
    is_number = _SHORT_HASH.match(end.word) and not _number_before(end)
    return _is_in_word(end) and bool(is_number)


def _ends_token(end: LineBreak) -> bool:
    """Return whether the hyphen is a character of a random token, and the next word is not its rest."""
    if end.piece[-1] != "-" or not _TOKEN_AND_HYPHEN.search(end.piece):
        return False
    return not (_TOKEN.match(end.word) or _URL_SIGN.search(end.word))


def _follows_setting(end: LineBreak) -> bool:
    """Return whether ``name=value`` follows, and the URL has no unfinished parameter before it."""
    is_setting = end.piece[-1] not in "?&;#-%" and _SETTING.match(end.word)
    return bool(is_setting) and not _OPEN_PARAMETER.search(end.url)


def _follows_label(end: LineBreak) -> bool:
    """Return whether a label with its value follows, as in a calendar or a list of checksums."""
    is_known = not _ends_in_soft_break(end) and _KNOWN_LABEL.match(end.word)
    return bool(is_known or (end.piece[-1].isalnum() and _LABEL_AND_VALUE.match(end.word)))


def _changes_kind(end: LineBreak) -> bool:
    """Return whether letters follow digits or digits letters, and the next word does not look random."""
    is_change = _is_in_word(end) and end.piece[-1].isdigit() != end.word[0].isdigit()
    return is_change and not (_MIXED.match(end.word) or _HEX_AFTER.match(end.word))


def _begins_list(end: LineBreak) -> bool:
    """Return whether the name of a file follows, and another one is on the line after it."""
    is_file = _HAS_FILE.search(end.word) or _HAS_PAGE.search(end.word) or _SOURCE.search(end.word)
    return bool(is_file and _FILE_ALONE.match(end.after))


def _soft_break(name: str) -> tuple[str, float, _Test]:
    """Return the row for the marks of soft breaks of that name; two hyphens are a dash."""
    marks = tuple(mark.text for mark in SOFT_BREAKS if mark.joins and mark.name == name)
    words = f"it ends in {'an' if name[0] in 'aeiou' else 'a'} {name}"
    return words, 5.0, lambda end: end.piece.endswith(marks) and not end.piece.endswith("--")


_EVIDENCE: tuple[tuple[str, float, _Test], ...] = (
    *map(_soft_break, dict.fromkeys(mark.name for mark in SOFT_BREAKS if mark.joins)),
    ("a hexadecimal number goes on", 4.0, _number_goes_on),
    ("a hexadecimal number may go on", 0.5, _number_may_go_on),
    (
        "an escape is cut in two",
        6.0,
        lambda end: _CUT_ESCAPE.search(end.piece) and end.word[0] in _HEX_DIGITS,
    ),
    ("the link of a mail gateway is not at its end", 4.0, is_link_open),
    ("the next line makes the host whole", 6.0, _makes_host_whole),
    ("the Message-ID in the path is not at its end", 4.0, _is_message_id_open),
    ("the next word ends in a slash and a full stop", 4.5, lambda end: _ENDS_FOLDER.match(end.word)),
    ("the next line lost its quote mark", 2.0, lambda end: end.lost_mark),
    ("the next word is alone on its line", 1.5, lambda end: end.is_alone),
    ("it is too short for a line of its own", 2.2, lambda end: end.is_alone and _SHORT.match(end.word)),
    ("a blank line follows it", 0.5, lambda end: end.is_alone and not end.after),
    ("the URL begins its line", 0.5, lambda end: end.begins_line),
    ("the next line makes the name of a page whole", 1.5, lambda end: _is_made_whole(end, _HAS_PAGE)),
    ("the next line makes the name of a file whole", 0.7, lambda end: _is_made_whole(end, _HAS_FILE)),
    (
        "the name of a page follows the slash",
        1.0,
        lambda end: end.piece[-1] == "/" and _HAS_PAGE.search(end.word),
    ),
    ("the next word is part of a query", 1.5, lambda end: _QUERY.search(end.word)),
    ("the next word has signs of a URL", 1.0, lambda end: _URL_SIGN.search(end.word)),
    ("it has several of them", 1.0, lambda end: _MORE_SIGNS.match(end.word)),
    ("the next word has marks inside", 0.5, lambda end: _MARK_INSIDE.search(end.word)),
    ("the next word looks random", 0.7, lambda end: _RANDOM.search(end.word)),
    ("a fragment follows a file", 1.2, _follows_fragment),
    ("a hash sign begins the next line", -1.0, lambda end: end.word[0] == "#" and not _follows_fragment(end)),
    ("a value follows its sign", 1.1, _begins_value),
    ("a host follows its escaped slashes", 4.0, _goes_on_in_host),
    ("a parameter follows its sign", 2.0, lambda end: end.piece[-1] in "?&" and _PARAMETER.match(end.word)),
    ("the next line begins with a sign that goes on a URL", 0.7, lambda end: _SIGN_FIRST.match(end.word)),
    ("the next line begins with a slash", 0.3, lambda end: end.word[0] == "/"),
    ("a word is cut where the line is full", 1.0, _cuts_word_when_full),
    ("the next word would not have fitted", 1.0, lambda end: _is_at_sign(end) and not _would_fit(end)),
    (
        "the next line is long and has no blank",
        1.5,
        lambda end: end.is_alone and len(end.word) >= max(40, 0.7 * end.width),
    ),
    ("both lines end at the same column", 2.0, _is_cut_alike),
    ("it ends at the column of the line before", 2.0, lambda end: end.width == end.last_width),
    ("it goes on over the line before", 1.5, lambda end: end.is_later),
    ("a small letter follows a full stop", 1.0, lambda end: end.piece[-1] == "." and end.word[0].islower()),
    (
        "a word follows a number and a full stop",
        -1.5,
        lambda end: end.word.isalpha() and _NUMBER_AND_STOP.search(end.piece),
    ),
    ("the next word would have fitted", -0.5, lambda end: _is_at_sign(end) and _would_fit(end)),
    ("there was room for all of the next word", -0.7, lambda end: end.width + len(end.word) <= end.fill),
    ("the line is short", -0.6, lambda end: end.width < 50),
    ("a word would be cut before the line is full", -1.5, _cuts_word_early),
    ("it ends in a sign that may end a parameter", -1.2, _may_be_empty_parameter),
    ("it ends in a slash", -0.3, lambda end: end.piece[-1] == "/"),
    (
        "it ends in the name of a file",
        -2.5,
        lambda end: ends_file_name(end.url) and end.word[0] not in "?#&.;",
    ),
    (
        "its host is whole",
        -2.0,
        lambda end: (
            _is_host_open(end) and end.word[0] not in "/?" and end.piece[-1] != "-" and not _is_host_cut(end)
        ),
    ),
    ("it ends in a whole hash", -3.0, _ends_hash),
    ("a path of files follows", -5.0, lambda end: end.piece[-1].isalnum() and _PATH_OF_FILES.match(end.word)),
    ("the line is longer than mail is wrapped", -5.0, _is_too_wide),
    ("it follows the end of a shorter line", -1.5, _follows_shorter_line),
    (
        "an English word follows",
        -1.2,
        lambda end: _ENGLISH.match(end.word) and not _is_made_whole(end, _HAS_PAGE),
    ),
    ("a capitalised word follows", -3.5, lambda end: _CAPITALISED.match(end.word)),
    ("a word in capitals follows", -1.0, lambda end: _CAPITALS.match(end.word)),
    ("a label follows", -3.0, lambda end: end.word[-1] == ":"),
    (
        "a host follows",
        -5.0,
        lambda end: _OWN_HOST.match(end.word) and not _is_host_in(end),
    ),
    ("the name of the file stands below its URL", -9.0, _is_name_of_file),
    (
        "the next word holds another URL",
        -3.0,
        lambda end: (
            _OTHER_URL.search(end.word) and not (_HAS_QUERY.search(end.url) and _NEXT.match(end.word))
        ),
    ),
    ("a hash follows", -4.0, _is_own_hash),
    ("a hash follows where one belongs", 1.5, _asks_for_hash),
    ("the start of a hash follows", -1.0, _is_short_hash),
    ("the hyphen is a letter of a token", -4.0, _ends_token),
    ("a setting follows", -2.5, _follows_setting),
    ("a label with its value follows", -2.5, _follows_label),
    (
        "a date or a number of its own follows",
        -3.0,
        lambda end: end.piece[-1].isalnum() and _OF_ITS_OWN.match(end.word),
    ),
    ("two slashes meet", -3.0, lambda end: end.piece[-1] == "/" == end.word[0]),
    ("letters and digits meet", -0.7, _changes_kind),
    (
        "a file follows a query",
        -1.0,
        lambda end: _is_in_word(end) and _HAS_QUERY.search(end.url) and _FILE_ALONE.match(end.word),
    ),
    ("a call of a function follows", -2.0, lambda end: "(" in end.word),
    ("the name of a source file follows", -1.5, lambda end: _SOURCE.search(end.word) and "/" not in end.word),
    ("a list of files follows", -2.0, _begins_list),
    ("the line before it holds one word", -1.5, _follows_one_word),
    ("a line with another URL follows", -1.0, lambda end: "://" in end.after.partition(" ")[0]),
    ("the next line is quoted less deeply", -1.5, lambda end: end.is_quoted_less and not end.lost_mark),
    ("an item of a list begins", -3.0, lambda end: end.is_item),
    ("it is an indented word before another URL", -9.0, lambda end: end.is_indented and "://" in end.after),
    ("the next line is indented", -0.5, lambda end: end.is_indented),
)

# --- proofs ---------------------------------------------------------------------------------------

_CLOSERS = {opener: closer for closer, opener in OPENERS.items()}
_TEX = lazy_re(r"\\(?:url|href|nolinkurl)\{\Z")  # commands in whose argument a "%" at a line end is a comment
_WORD_OR_CALL = lazy_re(r"(?:[A-Za-z]+(?:\([^()]*\)?)?|[0-9]+)\Z")  # or the year of a paper
_COMMIT = lazy_re(r"[0-9a-f]{7,40}\Z")
_ANOTHER = lazy_re(rf"<|(?i:www|ftp)\.|{_SCHEME}")


def is_comment(opening: str, piece: str) -> bool:
    """Return whether a "%" at the end of a line begins a comment of TeX."""
    return piece[-1:] == "%" and _TEX.search(opening) is not None


def proof_of(end: LineBreak) -> Evidence:
    """Return the evidence that proves that the URL goes on after ``end``, if there is any."""
    if is_in_registered_domain(end):
        return NO_EVIDENCE
    if end.piece[-1] == "\\" and end.url[-1] != ":" and end.word[0] not in "[(\\":
        return () if _ANOTHER.match(end.word) else (("a backslash ends the line", _PROOF),)
    if is_comment(end.opening, end.piece):
        return (("a comment of TeX ends the line", _PROOF),)
    closed = _closed_part(end)
    return (("the next word closes the bracket before the URL", _PROOF),) if closed else NO_EVIDENCE


def _closed_part(end: LineBreak) -> str:
    """Return the next word up to the closer of the bracket before the URL, if that may be the rest of it."""
    opener, depth, size = end.opening[-1:], 1, 0
    closer = _CLOSERS.get(opener)
    while closer and depth and size < len(end.word):
        depth += (end.word[size] == opener) - (end.word[size] == closer)
        size += 1
    inside = "" if depth else end.word[: size - 1]
    is_other = any(each.match(inside) for each in (_ANOTHER, _ADDRESS, _COMMIT))
    is_other = is_other or (end.url.isascii() and not inside.isascii())
    is_prose = end.piece[-1] in ",;" or (ends_file_name(end.url) and _WORD_OR_CALL.match(inside))
    return "" if is_other or is_prose else inside


def is_in_registered_domain(end: LineBreak) -> bool:
    """Return whether the line ends at a hyphen in the domain of the host that somebody has registered.

    Whether the hyphen is part of the host decides whose host it is.
    """
    host = end.url.partition("://")[2] or end.url
    if end.piece[-1] != "-" or _AFTER_HOST.search(host):
        return False
    whole = (host + _AFTER_HOST.split(end.word, maxsplit=1)[0]).rstrip(".").lower()
    return len(host) > len(whole) - len(registered_domain(whole))


_AFTER_HOST = lazy_re(r"[/?#:]")
_PROOF = 5.0
_BIAS = -1.7
_THRESHOLDS = ((2.5, Certainty.SAFE), (-0.6, Certainty.LIKELY), (-1.3, Certainty.POSSIBLE))
_DOUBT = -1.5


Evidence = Sequence[tuple[str, float]]
"""The rows that hold for a line break: their words and weights."""

NO_EVIDENCE: Evidence = ()


def ruled_out(end: LineBreak) -> bool:
    """Return whether the URL cannot go on after ``end``; its fields ``before`` and ``after`` are not used."""
    return any(holds(end) for holds in _RULES_OUT)


def score(end: LineBreak) -> tuple[Certainty, bool, Evidence]:
    """Return the certainty of ``end``, whether its score exceeds `_DOUBT`, and the evidence.

    Call it only if `ruled_out` returns False. A certainty of NONE with a score above `_DOUBT`
    misses the next one by a small margin.
    """
    evidence = [(words, weight) for words, weight, holds in _EVIDENCE if holds(end)]
    total = round(_BIAS + sum(weight for _, weight in evidence), 1)
    certainty = next((certainty for least, certainty in _THRESHOLDS if total >= least), Certainty.NONE)
    return certainty, total > _DOUBT, evidence


def reasons(evidence: Evidence) -> str:
    """Return the words of the evidence: what speaks for it, and what against it."""
    pros = ", ".join(words for words, weight in evidence if weight > 0)
    cons = ", ".join(words for words, weight in evidence if weight < 0)
    return f"{pros}, although {cons}" if cons else pros
