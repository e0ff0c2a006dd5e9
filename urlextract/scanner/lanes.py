r"""The passes over the text: where a URL may be, and most of them whole.

Every pattern begins with a literal that has no case, so that ``re`` skips plain
text at gigabytes a second: ":" gives away schemes and labels, "." hosts that
begin with www or ftp. What comes before is asked by look-behinds.

Nine URLs of ten are plain: letters, digits and marks that no rule asks about,
with a plain character before and behind. Those are read by the pattern itself, in
fast lanes: the last group of a match tells its lane, and the scheme's width. Groups
are few, for a match costs as much as it has of them.
Every other place goes to ``places``, whose answer is the rule; a lane never gives
what ``places`` would not give.
"""

from __future__ import annotations

import re
from enum import IntEnum, auto
from typing import TYPE_CHECKING

from urlextract.grammar.chars import INSIDE
from urlextract.grammar.hosts import ASCII_HOST
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import NAMES_WITH_SHAPE, by_length

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "AFTER_BARE",
    "COLON",
    "COLON_LANES",
    "DOT",
    "DOT_LANES",
    "EVERY_COLON",
    "EVERY_COLON_LANES",
    "OPEN_END",
    "Lane",
]


class Lane(IntEnum):
    """What a match has read."""

    FREE = auto()  # a bare URL, with nothing round it that a rule asks about
    ANGLE = auto()  # <http://...>, unbroken
    WRAPPER = auto()  # <URL:...>, unbroken
    QUOTED = auto()  # "http://..."
    CHECKED = auto()  # a bare URL, if what stands before it has no say
    CHECKED_ANGLE = auto()  # what a ">" closes, if the scheme is one and "<" stands before it
    BROKEN_ANGLE = auto()  # joined without a rule's help, if the whole is sound
    BROKEN_WRAPPER = auto()
    CHECKED_BROKEN_ANGLE = auto()  # as those, if no quote prefix but ">", and no hyphen, has a say
    CHECKED_BROKEN_WRAPPER = auto()
    GAPPED = auto()  # a name with blanks behind it: for the rules, if a bracket may be open
    TAG = auto()  # name:word>, for the rules, if "<" opens no tag there or the word has the shape of a URL
    PLACE = auto()  # for the rules: a match without a group


COLON_LANES: dict[int | None, tuple[Lane, int]] = {None: (Lane.PLACE, 0)}
"""By group of `COLON`: the lane, and the characters from the colon back to the scheme; 0 if unknown."""


def _lane(lane: Lane, back: int = 0) -> str:
    """Give the empty group that marks a lane; groups count in the order of the calls."""
    COLON_LANES[len(COLON_LANES)] = (lane, back)
    return "()"


_BLANK = r" \t\r\n\x0b\x0c"
_PORT = r"(?::[0-9]{1,9}+)?+"
# What may stand in a plain URL; "://" only where it begins no URL of its own (see ``glued``),
# and "=" only where it is no escape (see ``quoted_printable``).
_MARKS = r"[A-Za-z0-9_~/#@$%+&\-.!?]"
_INNER_URL = "|".join(rf"(?<=[/=?&:]{name}:)" for name in ("http", "https", "ftp"))
_PLAIN = rf"{_MARKS}{{0,40000}}+(?:(?::(?:(?!//)|{_INNER_URL})|=(?!3D|[ \t\r\n])){_MARKS}{{0,2000}}+){{0,9}}+"
# One pair of brackets, opened and closed in the path: "wiki/URL_(x)".
_PAIR = rf"(?:\({_PLAIN}\){_PLAIN}|)"
_PATH = rf"(?:[/#?]{_PLAIN}{_PAIR}(?<!:-)|)"
# What ends any URL is read with it, and the punctuation of the sentence before that, which
# who takes the URL takes from it (`AFTER_BARE`); "&lt;" is markup, not a path.
_END = rf"[{_BLANK}<\")\]}}`]"
_AFTER = rf"[.,:!?']*+(?:{_END}|(?:;(?<=[^&]{{8}};)[.,:!?']*+)++{_END})"
_BARE = rf"{ASCII_HOST}{_PORT}{_PATH}{_AFTER}"

AFTER_BARE = ".,:!?';"
"""The marks that a match may hold between a bare URL and the character that ends it."""

_UNQUOTED = f"[{INSIDE.replace('=', '')}]"
_INNER = rf"{_UNQUOTED}{{0,300}}+(?:(?:=(?!3D){_UNQUOTED}{{0,120}}+){{1,5}}+|{_UNQUOTED}{{0,600}}+)"
_CLOSED = rf"{ASCII_HOST}{_PORT}(?:[/?#]{_INNER}|)>"
# Broken over lines, where no rule but "join" has a say: no hyphen or backslash
# before the break, no blank inside a line, nothing that may be a quote prefix.
_LINE = rf"[{INSIDE}]{{0,900}}+(?<![-\\:])"
_NO_PREFIX = r"(?!//|[=_~]{4}|(?:[A-Za-z][\w.'-]{0,14}|[=~]{1,3})>)(?=[A-Za-z0-9/_?&=.~(])"
_LINES = rf"(?:\n[ ]{{0,80}}+{_NO_PREFIX}{_LINE}){{1,8}}+>"
_BROKEN = rf"(?:[A-Za-z0-9]{_LINE}|(?=\n)){_LINES}"
# Broken where a quote prefix or a hyphen might have a say; a line of one mark is none of the URL's.
_ANY_LINE = rf"[{INSIDE}]{{0,900}}+"
_ANY_LINES = rf"(?:\n[> ]{{0,80}}+(?![=_*~#-]{{4}})[{INSIDE}]{_ANY_LINE}){{1,8}}+>"
_CHECKED_BROKEN = rf"(?:[A-Za-z0-9]{_ANY_LINE}|(?=\n)){_ANY_LINES}"


_INDENTS = ("", "  ", "    ")


def _plain_before(width: int) -> str:
    """Give the look-behinds for plain text before the last ``width`` characters: no bracket opens there.

    After a word and a blank, with a dash between or not; after an opening mark; at the start
    of a line, or indented, where the line before does not end in "<" or "/".
    """
    line_starts = "".join(rf"|(?<=[^ \t\r\x0b\x0c</]\n{indent}.{{{width}}})" for indent in _INDENTS)
    word = rf"(?<=[^{_BLANK}<>;:|#*%/!}}\"+-] .{{{width}}})|(?<=[^{_BLANK}] - .{{{width}}})"
    return rf"(?:{word}|(?<=[(=,\[{{].{{{width}}}){line_starts})"


def _before_authority(name: str) -> str:
    """Give the mark for plain text before ``name://``; its rest is read by one pattern for all."""
    return rf"(?<={name}://){_plain_before(len(name) + 3)}{_lane(Lane.FREE, len(name))}"


_NAMES_WITH_SLASHES = ("http", "https", "ftp")


def _authority_lanes() -> str:
    """Give the lanes behind ``://``: the marks come first, so that the rest stands here but once."""
    other = "".join(rf"(?<!{name}://)" for name in _NAMES_WITH_SLASHES)
    free = "|".join(map(_before_authority, _NAMES_WITH_SLASHES))
    quoted = "|".join(rf'(?<="{name}://)' for name in _NAMES_WITH_SLASHES)
    # What a bracket opens is for the alternative behind this one.
    unopened = "".join(rf"(?<!<.{{{width}}}://)" for width in range(2, 9))
    free += rf"|(?:{quoted}){_lane(Lane.QUOTED)}|(?<=[A-Za-z0-9]://){unopened}{_lane(Lane.CHECKED)}"
    angle = "|".join(rf"(?<=<{name}://){_lane(Lane.ANGLE, len(name))}" for name in _NAMES_WITH_SLASHES)
    angle += rf"|(?<=[A-Za-z0-9]://){other}{_lane(Lane.CHECKED_ANGLE)}"
    broken = f"{_BROKEN}{_lane(Lane.BROKEN_ANGLE)}|{_CHECKED_BROKEN}{_lane(Lane.CHECKED_BROKEN_ANGLE)}"
    return rf"(?:{free}){_BARE}|(?:{angle})(?:{_CLOSED}|{broken})|"


def _labelled_lanes() -> str:
    """Give the lanes behind ``URL:``; the scheme's first letter has been read, or a blank before it."""
    first = rf"(?:(?<=[A-Za-z])|(?<=[{_BLANK}])[A-Za-z])(?<![wW](?=[wW]{{2}}\.))(?<![fF](?=[tT][pP]\.))"
    scheme = rf"{first}[A-Za-z0-9+.-]{{0,30}}+:"
    lanes = (
        rf"{scheme}(?:(?://{_CLOSED}|[A-Za-z0-9]{_INNER}>){_lane(Lane.WRAPPER)}"
        rf"|/{{0,2}}+(?:{_BROKEN}{_lane(Lane.BROKEN_WRAPPER)}"
        rf"|{_CHECKED_BROKEN}{_lane(Lane.CHECKED_BROKEN_WRAPPER)}))|"
    )
    return rf"(?<=<{_URL}.)(?:{lanes})|(?<={_GAP}{_URL}.)"


_FIRST = "[A-Za-z0-9]"


def _closed_lane(name: str, rest: str) -> str:
    """Give the lane of a scheme without ``//`` in a bracket; the first character behind it has been read."""
    return rf"(?<=<{name}:{_FIRST}){rest}>{_lane(Lane.ANGLE, len(name))}"


def _name_mark(name: str) -> str:
    """Give the marks of a scheme without ``//`` in plain text."""
    width = len(name) + 2
    return (
        rf"(?<={name}:.)(?<={_FIRST})(?:{_plain_before(width)}{_lane(Lane.FREE, len(name))}"
        rf"|(?<=[^A-Za-z0-9+.<-].{{{width}}}){_lane(Lane.CHECKED, len(name))})"
    )


_QUERY = rf"(?:\?{_INNER})?"
_MAILTO = rf"[A-Za-z0-9._+-]{{0,63}}+@{ASCII_HOST}"
# "News:www.example.org" is a label and a host.
_GROUP = r"[A-Za-z0-9_+-]*+(?:\.[A-Za-z0-9_+-]++)++"
_NEWS = rf"(?<![wW](?=[wW]{{2}}\.))(?:{_GROUP}|[A-Za-z0-9._$+-]{{0,200}}+@{ASCII_HOST})"

_NAMES = by_length((*NAMES_WITH_SHAPE, "url"))
"""The schemes without ``//``, and the label of wrappers, by their length."""


def _any_case(letters: Iterable[str]) -> str:
    """Return the class of ``letters`` and their capitals."""
    letters = sorted(set(letters))
    return f"[{''.join(letters)}{''.join(letters).upper()}]"


def _name_ends() -> str:
    """Return the look-behinds for the letters in which the names end: two of any name, then three of one.

    Most colons of prose have others before them.
    """
    names = "|".join(_NAMES.values()).split("|")
    pair = "".join(_any_case(name[at] for name in names) for at in (-2, -1))
    ends: dict[str, set[str]] = {}
    for name in names:
        ends.setdefault(name[-1], set()).add(name[-3:])
    long = "|".join(
        "".join(_any_case(end[at] for end in group if len(end) > 2) for at in range(3))
        for group in ends.values()
    )
    short = "|".join(f"(?<=(?i:{name}):.)" for name in names if len(name) < 3)
    return f"(?<={pair}:.)(?:(?<=(?:{long}):.)|{short})"


_NAME_ENDS = _name_ends()
_GAP = rf"[{_BLANK}>|#*%;:]"  # between "<" and what it opens
# Between "<ftp:" and "//", blanks of all scripts too; said by what it is not, for a class
# with a range beyond ASCII takes milliseconds to compile.
_WIDE_GAP = r"""[^!"$&'()+,\-./0-9<=?@A-Z\[\\\]^_`a-z{}~]{0,80}+"""
_URL = "[uU][rR][lL]:"


def _escape(width: int) -> str:
    """Give the look-behinds for what ends an escape before the last ``width`` characters."""
    two, three = r"\\[nrt]|[0-9;\[]m|\x03[0-9]", r"\\f[BIRP1-9]|[=\x03][0-9A-F]{2}"
    return rf"(?<=(?:{two}).{{{width}}})|(?<=(?:{three}).{{{width}}})"


_NO_ESCAPE_END = "a-lo-qsu-zGHJ-OQS-Z"  # letters, but for those in which an escape may end


def _whole_name() -> str:
    """Give the look-behinds for a name with no letter before it, but for what may end an escape."""
    return "|".join(
        rf"(?<=(?i:{names}):.)(?<![{_NO_ESCAPE_END}].{{{width}}}:.)(?<![A-Za-z][a-z].{{{width}}}:.)"
        for width, names in _NAMES.items()
    )


def _in_bracket() -> str:
    """Give the patterns for blanks behind a name that a bracket or a quote opens, or a ">" may close."""
    opened = "|".join(rf'(?<=[<";].{{{width}}}:.)' for width in _NAMES)
    return rf"{opened}|(?=[^<>]{{0,200}}+(?:>|\Z))"


# Each alternative begins with what it asks of one character, which is how ``re``
# passes by most colons of prose and programs without trying it.
COLON = later(
    rf":(?://(?:{_authority_lanes()})|\\(?=/\\/)"
    # Blanks behind the colon: in a wrapper only.
    rf"|[^/:]{_NAME_ENDS}(?:{_labelled_lanes()}"
    rf"|(?:{_whole_name()})(?:(?<=[{_BLANK}])(?:{_in_bracket()}){_lane(Lane.GAPPED)}|(?<![{_BLANK}])(?<!{_URL}.)(?:"
    rf"{_closed_lane('mailto', _MAILTO + _QUERY)}|{_closed_lane('news', _NEWS)}"
    rf"|(?:(?<=<mailto:.)|(?<=<news:.))(?<={_FIRST}){_ANY_LINE}{_ANY_LINES}{_lane(Lane.CHECKED_BROKEN_ANGLE)}"
    rf"|(?:{_name_mark('mailto')}{_MAILTO}|{_name_mark('news')}{_NEWS}){_AFTER}"
    rf"|[A-Za-z0-9_-]{{0,80}}+(?<=[A-Za-z0-9])>{_lane(Lane.TAG)}|)))"
    rf"|[^!-~]{_WIDE_GAP}/{_lane(Lane.GAPPED)}"
    r"|/(?!/))",
    re.DOTALL,
)

_LABEL = r"[A-Za-z0-9]++(?:-++[A-Za-z0-9]++)*+"
_SHORT = r"(?i:www|ftp)\."
DOT = later(
    rf"\.(?<=[wWpP]\.)(?<!://.{{4}})(?<={_SHORT})(?:(?<![A-Za-z0-9/@._-].{{4}})|{_escape(4)}"
    rf"|(?<=/.{{4}})(?<![A-Za-z0-9_.~@-]/.{{4}})|(?<=_.{{4}})(?<![A-Za-z0-9/@.-]_.{{4}}))"
    rf"(?:(?:(?:{_plain_before(4)})()|()){_LABEL}(?:\.{_LABEL})++{_PORT}{_PATH}{_AFTER}|())",
    re.DOTALL,
)
DOT_LANES = (Lane.PLACE, Lane.FREE, Lane.CHECKED, Lane.PLACE)
"""By group of `DOT`: the lane."""

OPEN_END = later(rf":(?:[^!-~]{_WIDE_GAP}|\\/?\\?)?\Z")
"""A colon at the end of a text: what follows it may make it a match of `COLON`."""

EVERY_COLON = later(r":(?<=[A-Za-z0-9+.-]:)")
"""Each place that could be asked about: for `examine`, and to hold the lanes to the rule."""

EVERY_COLON_LANES: dict[int | None, tuple[Lane, int]] = {None: (Lane.PLACE, 0)}
"""As `COLON_LANES`."""
