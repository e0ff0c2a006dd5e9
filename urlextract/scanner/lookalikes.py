"""Names with dots that are no hosts: of files, packages, attributes and newsgroups, and sentences.

``end.The``, ``setup.py``, ``java.util.List``, ``self.name``: their last label may also be a
top-level domain. The tables of `grammar.tlds` list those that are as often something else.
A name with such a label is a host if it has a path, or a label such as the ``co`` of ``co.uk``.
Hosts and Message-IDs in header fields that machines fill in do not count either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from urlextract.grammar.marks import QUOTE_MARK
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.tlds import FILES, OLDEST, SITES, WORDS
from urlextract.records import Rule
from urlextract.scanner import rules

_SECOND = OLDEST | frozenset(("ac", "co", "go", "gob", "gouv", "govt", "ne", "or"))
"""Second-level labels of country domains under which names are registered, as in "co.uk"."""

_PACKAGES = OLDEST | frozenset(("de", "dev", "eu", "io", "java", "javax", "me", "net"))
"""The first labels of package names, which are reversed domains."""

_GROUPS = frozenset(
    ("alt", "bit", "comp", "gnu", "humanities", "linux", "misc", "news", "rec", "sci", "soc", "talk")
)
"""The first labels of newsgroups."""

THIS = frozenset(("cls", "self", "super", "this"))
"""The names of an object in its own methods."""

_PRODUCTS = frozenset(("ado.net", "asp.net", "ml.net", "vb.net"))


class Name(NamedTuple):
    """A name that may be a host: its labels, the last one as `tld_of` returns it, and what surrounds it.

    ``after`` is the two characters after the host. ``is_alone`` is true if there is
    nothing else on its line, or in its bracket.
    """

    labels: list[str]
    tld: str
    after: str = ""
    has_path: bool = False
    has_port: bool = False
    is_alone: bool = False

    @property
    def is_registered_below(self) -> bool:
        """Whether the label before the last is one under which names are registered: "x.co.in"."""
        return len(self.labels) > 2 and len(self.tld) == 2 and self.labels[-2].lower() in _SECOND

    @property
    def is_ambiguous(self) -> bool:
        """Whether the last label is the only evidence for a host."""
        return not (self.has_path or self.is_registered_below)


def _is_of_program(name: Name) -> bool:
    """Return whether ``name`` is a variable, or the call of a function."""
    is_variable = name.labels[0] in THIS or any("_" in label for label in name.labels[-2:])
    is_called = name.after[:1] in ("(", "=") and name.tld not in OLDEST
    return is_variable or is_called or name.after == "()"


def _is_sentence(name: Name) -> bool:
    """Return whether the last label is written as the first word of a sentence."""
    typed = name.labels[-1]
    if not typed.isascii() or typed.islower():
        return False
    if typed.isupper():
        return not name.labels[-2].isupper() and (name.tld not in OLDEST or name.tld == "net")
    return name.tld not in OLDEST or (name.tld == "net" and typed.istitle())


def _is_read_from_left(name: Name) -> bool:
    """Return whether ``name`` has three labels or more and no path, and its last label may be any word."""
    return len(name.labels) > 2 and len(name.tld) > 2 and name.tld not in OLDEST and not name.has_path


def is_path_elsewhere(after: str) -> bool:
    """Return whether a path of scp(1), the rest of a UUCP path, or a user of a Windows domain follows."""
    first, second = after[:1], after[1:]
    is_remote = first == ":" and (second.isalpha() or second in ("/", "~"))
    is_user = first == "\\" and second not in ("", "n", "r", "t")
    return is_remote or is_user or (first == "!" and second.isalnum())


def _is_attribute(name: Name) -> bool:
    """Return whether the last label is probably a word of a program, or the first one a single letter."""
    if name.tld in OLDEST or name.tld.startswith("xn--"):
        return False
    is_letter = len(name.labels) == 2 and len(name.labels[0]) == 1 and name.labels[0].isascii()
    return name.is_ambiguous and (is_letter or (len(name.tld) > 2 and name.tld not in SITES))


def _is_words(name: Name) -> bool:
    is_short = name.tld in WORDS and len(name.labels) == 2 and name.is_ambiguous
    return is_short and not (name.has_port or name.is_alone)


def _is_number(name: Name) -> bool:
    is_number = len(name.labels) == 2 and name.labels[0].isdigit() and name.is_ambiguous
    return is_number and name.tld not in OLDEST and name.tld != "cn"


_REJECTIONS: tuple[tuple[Callable[[Name], bool], Rule], ...] = (
    (_is_of_program, rules.NAME_IN_PROGRAM),
    (_is_sentence, rules.GLUED_SENTENCES),
    (lambda name: name.labels[0].lower() in _PACKAGES and _is_read_from_left(name), rules.PACKAGE),
    (lambda name: name.labels[0] in _GROUPS and _is_read_from_left(name), rules.NEWSGROUP),
    (lambda name: is_path_elsewhere(name.after), rules.PATH_ELSEWHERE),
    (lambda name: name.is_ambiguous and name.tld in FILES, rules.FILE),
    (_is_attribute, rules.NAME_IN_PROGRAM),
    (_is_words, rules.GLUED_SENTENCES),
    (_is_number, rules.NUMBER),
    (lambda name: name.is_ambiguous and ".".join(name.labels).lower() in _PRODUCTS, rules.PRODUCT),
    (lambda name: any("-at-" in label for label in name.labels), rules.HIDDEN_IN_LABEL),
)


def lookalike_rejection(name: Name) -> Rule | None:
    """Return why ``name`` is no host, or None.

    >>> lookalike_rejection(Name(["docs", "python", "org"], "org"))
    >>> str(lookalike_rejection(Name(["setup", "py"], "py")))
    'the name of a file'
    """
    return next((rule for is_one, rule in _REJECTIONS if is_one(name)), None)


# --- lines that machines wrote: fields of pasted headers, reports of delivery ----------------------

_LOOKS_BACK = 900  # characters, and
_LINES = 8  # lines: a long field, folded
_LINE = lazy_re(
    rf"(?>(?:[ \t]?{QUOTE_MARK}){{0,9}})(?>(?P<fold>[ \t]+)?)"
    r"(?:(?P<name>[A-Za-z][A-Za-z0-9-]{1,40}+):(?=\s))?"
)
_NAMES = lazy_re(
    r"(?i:(?:x-)?received(?:-spf)?|(?:x-|resent-|original-)*message-id|references|in-reply-to|return-path"
    r"|(?:dkim|domainkey|arc|cancel|nntp|x-(?:spam|virus|originating|trace|injection|ms|google|gm|mailman))-.*"
    r"|(?:x-)?authentication-.*|path|xref|newsgroups|content-(?:id|type)|mime-version|supersedes"
    r"|(?:reporting|remote|received-from|x-original)-mta|(?:final|original)-recipient|diagnostic-code"
    r"|x-mailer|list-id|errors-to|delivered-to)"
)


def is_of_machines(text: str, at: int) -> bool:
    r"""Return whether ``at`` is in a field that machines fill in, quoted or not.

    >>> text = "> Received: from a.org by\n>  mx.b.org\nsee c.org"
    >>> [is_of_machines(text, text.index(host)) for host in ("a.org", "mx.b", "c.org")]
    [True, True, False]
    """
    earliest = max(0, at - _LOOKS_BACK)
    end = at
    for _ in range(_LINES):
        start = text.rfind("\n", earliest, end) + 1
        if earliest and not start:
            return False
        line = _LINE.match(text, start, at)
        if line and line["name"] and _NAMES.fullmatch(line["name"]):
            return True
        if not start or line is None or not line["fold"]:
            return False
        end = start - 1
    return False
