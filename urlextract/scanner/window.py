"""A window of a text that is scanned, the options of a scan, its places, and what the rules note of one."""

import re
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES, by_length
from urlextract.grammar.runs import WEB
from urlextract.linebreaks.joining import Hyphen, Join
from urlextract.records import Form, Match, Refusal
from urlextract.scanner.evidence import Certainty

END = "\n\n\0\n\n"
"""What is put after a text, so that no rule asks for its end: it ends each URL, bracket and paragraph.

And the character before the first one, at the offset -1, is a line end.
"""

NEW = tuple.__new__
"""What makes a match of all its fields, without a call of Python."""
NOTHING = Match(0, 0, 0, 0, Form.BARE, "", "")[7:]
"""The last fields of a match to which no rule applied, from its prefix on."""

SHOWN = 200
"""Characters of a refused place that are kept."""


class ScanOptions(NamedTuple):
    """What counts as a URL, and what is joined over line ends.

    ``any_scheme`` accepts unregistered names before ``://``, ``schemes`` only these, also without it; with
    either, registered names that are not of the table count without it in brackets. ``relaxed`` accepts hosts
    without a scheme, ``emails`` mail addresses, ``refang`` defanged URLs. ``hosts`` and ``addresses`` are
    false for a text without them, such as a field that machines fill in. ``explains`` yields the places that
    were refused, too.
    """

    join: Join = "safe"
    hyphen: Hyphen = "keep"
    any_scheme: bool = False
    schemes: frozenset[str] = frozenset()
    relaxed: bool = False
    emails: bool = False
    refang: bool = False
    hosts: bool = True
    addresses: bool = True
    explains: bool = False

    @property
    def any_name(self) -> bool:
        """Whether names that are not of the table of schemes count without ``//`` in brackets."""
        return self.any_scheme or bool(self.schemes)

    @property
    def asks_for_hosts(self) -> bool:
        """Whether hosts without a scheme are accepted, or told as refused."""
        return self.hosts and (self.relaxed or self.explains)

    @property
    def asks_for_addresses(self) -> bool:
        """Whether mail addresses are accepted, or told as refused."""
        return self.addresses and (self.emails or self.explains)

    @property
    def reads_marks(self) -> bool:
        """Whether the marks in hosts and addresses are places."""
        return self.asks_for_hosts or self.asks_for_addresses


DEFAULT = ScanOptions()


def in_words(reason: str, raw: str) -> str:
    """Return the reason why ``raw`` is no URL, with the name before its colon in place of "{}".

    >>> in_words('"{}:" is a label', "<Tel: 12>")
    '"Tel:" is a label'
    """
    return reason.replace("{}", raw.lstrip('<" \t\r\n').partition(":")[0])


_LEAST = {
    "none": Certainty.SAFE + 1,
    "delimited": Certainty.SAFE + 1,
    "safe": Certainty.SAFE,
    "likely": Certainty.LIKELY,
}
"""How certain it must be that a bare URL goes on, for it to be joined with its next lines."""


class Window:
    """A text with `END` after it, and the options; ``last`` is the end of the last URL that was taken in it.

    What was ``refused`` is kept if the options ask for it.
    ``joins`` is false if nothing is joined over a line end, and no bare URL is read on; ``least`` is how
    certain it must be that one goes on, to be joined.

    If a bracket before the place was given up, ``is_unclosed`` is true, and ``inside`` is what all of it
    would be, or "".
    """

    __slots__ = ("inside", "is_unclosed", "joins", "last", "least", "options", "refused", "text")

    def __init__(self, text: str, options: ScanOptions) -> None:
        self.text, self.options, self.last = text + END, options, 0
        self.joins, self.least = options.join != "none", _LEAST[options.join]
        self.refused: list[Refusal] = []
        self.is_unclosed, self.inside = False, ""

    def refuse(self, form: Form, start: int, end: int, reason: str, hint: str | None = None) -> None:
        """Note that the place ``start:end`` is no URL; ``{}`` in the reason is the name before its colon."""
        if self.options.explains:
            raw = self.text[start : min(end, start + SHOWN)]
            self.refused.append(Refusal(start, end, form, raw, in_words(reason, raw), hint))

    def give_up(self, form: Form, start: int, end: int, reason: str, hint: str | None = None) -> None:
        """Note that the bracket or quotation ``start:end`` is none: its URL, if any, is read as bare."""
        self.is_unclosed = self.is_unclosed or form is not Form.QUOTED
        self.refuse(form, start, end, reason, hint)


# --- places: where a URL may be ---------------------------------------------------------------------

# Each pattern begins with its character, so that `re` skips the text between two places quickly, and looks
# back with fixed widths. The pattern of colons takes the plain run of http and https as well, which most URLs
# are: what it matched is the URL, if nothing around it has a rule.


def _named() -> str:
    """Return look-behinds for a colon after ``url``, or after a scheme of the table.

    The first ones test one or two characters, which rarely come before other colons of prose.
    """
    names = ("url", *SCHEMES)
    ends: dict[str, set[str]] = {}
    for name in names:
        ends.setdefault(name[-1], set()).update((name[-2], name[-2].upper()))
    lasts = "".join(ends)
    pairs = "|".join(f"[{''.join(sorted(before))}][{last}{last.upper()}]" for last, before in ends.items())
    whole = "|".join(rf"(?<=(?i:{group}):)" for _, group in by_length(names))
    return rf"(?<=[{lasts}{lasts.upper()}]:)(?<=(?:{pairs}):)(?:{whole})"


_COLON = lazy_re(
    r":(?:"
    rf"{WEB}"  # the plain run of http and https
    r"|(?=//)"  # another scheme, or an odd host
    r"|(?=\\/\\/)"  # in JSON
    rf"|(?=[^:]){_named()}"  # a name of the table, alone or without slashes
    r")",
    re.DOTALL,
)
# All of these, and any name: for those who want to know what was refused, and where each name counts
_EVERY_COLON = lazy_re(rf":(?:{WEB}|(?<=[A-Za-z0-9+.-]:)|(?=//)|(?=\\/\\/))")
# After "://" it is in the host of a URL, after a mark in the rest of a name.
_DOT = lazy_re(
    r"\.(?<=[wWpP]\.)(?<=(?i:www|ftp)\.)(?<!://.{4})(?<!@.{4})(?=[\w\s\xad\u2060\u200b-\u200d])", re.DOTALL
)
# In hosts without a scheme, and in mail addresses
_MARK = lazy_re(r"\.(?<![\s.]\.)(?=\w)|@(?<!\s@)|/(?<=(?i:localhost)/)|:(?<=(?i:localhost):)", re.DOTALL)


def places_of(text: str, options: ScanOptions) -> list[tuple[int, int]]:
    """Return each place of a text, with the end of its run: 0 for a mark, that of the pattern for others."""
    colon = _EVERY_COLON if options.any_name or options.explains else _COLON
    places = [match.span() for match in colon.finditer(text)]
    places += [match.span() for match in _DOT.finditer(text)]
    if options.reads_marks:
        places = [*({match.start(): 0 for match in _MARK.finditer(text)} | dict(places)).items()]
    places.sort()
    return places
