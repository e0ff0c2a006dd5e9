"""Names with dots that are no hosts: of files, packages, attributes and newsgroups, and sentences.

``end.The``, ``setup.py``, ``java.util.List``, ``self.name``: their last label may be a
top-level domain, too. The tables of `grammar.tlds` say which are as often something
else; a path or a label such as the ``co`` of ``co.uk`` makes a host of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlextract.grammar.tlds import FILES, OLDEST, SITES, WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PATH_ELSEWHERE", "Name", "fault_of", "is_path_elsewhere"]

_SECOND = OLDEST | frozenset(("ac", "co", "go", "gob", "gouv", "govt", "ne", "or"))
"""Labels before a country's domain under which names are registered."""

_PACKAGES = OLDEST | frozenset(("de", "dev", "eu", "io", "java", "javax", "me", "net"))
"""The first labels of packages, which are domains backwards."""

_GROUPS = frozenset(
    ("alt", "bit", "comp", "gnu", "humanities", "linux", "misc", "news", "rec", "sci", "soc", "talk")
)
"""The first labels of newsgroups."""

_THIS = frozenset(("cls", "self", "super", "this"))
"""What a program calls an object in its own methods."""

_PRODUCTS = frozenset(("ado.net", "asp.net", "ml.net", "vb.net"))


class Name(NamedTuple):
    """A name that may be a host: its labels, the last one as `tld_of` has it, and what stands with it.

    ``behind`` are the two characters after the host; ``is_alone`` says that there is
    no more on its line, or in its bracket.
    """

    labels: list[str]
    tld: str
    behind: str = ""
    has_path: bool = False
    has_port: bool = False
    is_alone: bool = False

    @property
    def is_registered_below(self) -> bool:
        """Whether the label before the last is one under which names are registered: "x.co.in"."""
        return len(self.labels) > 2 and len(self.tld) == 2 and self.labels[-2].lower() in _SECOND

    @property
    def is_ambiguous(self) -> bool:
        """Whether nothing but the last label speaks for a host."""
        return not (self.has_path or self.is_registered_below)


def _is_variable(name: Name) -> bool:
    return name.labels[0] in _THIS or any("_" in label for label in name.labels[-2:])


def _is_call(name: Name) -> bool:
    return name.behind == "()" or (name.behind[:1] in ("(", "=") and name.tld not in OLDEST)


def _is_sentence(name: Name) -> bool:
    """Return whether the last label is written as the first word of a sentence."""
    typed = name.labels[-1]
    if not typed.isascii() or typed.islower():
        return False
    if typed.isupper():
        return not name.labels[-2].isupper() and (name.tld not in OLDEST or name.tld == "net")
    return name.tld not in OLDEST or (name.tld == "net" and typed.istitle())


def _is_package(name: Name) -> bool:
    is_backward = len(name.labels) > 2 and name.labels[0].lower() in _PACKAGES and len(name.tld) > 2
    return is_backward and name.tld not in OLDEST and not name.has_path


def _is_group(name: Name) -> bool:
    is_group = len(name.labels) > 2 and name.labels[0] in _GROUPS and len(name.tld) > 2
    return is_group and name.tld not in OLDEST and not name.has_path


PATH_ELSEWHERE = "a path on another host, which is no URL"


def is_path_elsewhere(behind: str) -> bool:
    """Return whether a path of scp(1) follows, the rest of one of UUCP, or a user of a Windows domain."""
    first, second = behind[:1], behind[1:]
    is_remote = first == ":" and (second.isalpha() or second in ("/", "~"))
    is_user = first == "\\" and second not in ("", "n", "r", "t")
    return is_remote or is_user or (first == "!" and second.isalnum())


def _is_file(name: Name) -> bool:
    return name.tld in FILES and name.is_ambiguous


def _is_attribute(name: Name) -> bool:
    """Return whether the last label is a word as programs have them, or the first one a letter."""
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


def _is_product(name: Name) -> bool:
    return ".".join(name.labels).lower() in _PRODUCTS and name.is_ambiguous


def _is_address(name: Name) -> bool:
    return any("-at-" in label for label in name.labels)


_FAULTS: tuple[tuple[Callable[[Name], bool], str], ...] = (
    (_is_variable, "a name in a program"),
    (_is_call, "a name in a program"),
    (_is_sentence, "a sentence without a blank"),
    (_is_package, "the name of a package"),
    (_is_group, "the name of a newsgroup"),
    (lambda name: is_path_elsewhere(name.behind), PATH_ELSEWHERE),
    (_is_file, "the name of a file"),
    (_is_attribute, "a name in a program"),
    (_is_words, "a sentence without a blank"),
    (_is_number, "a number"),
    (_is_product, "the name of a product"),
    (_is_address, "a mail address that is hidden"),
)


def fault_of(name: Name) -> str:
    """Return why ``name`` is no host, or "".

    >>> fault_of(Name(["docs", "python", "org"], "org")), fault_of(Name(["setup", "py"], "py"))
    ('', 'the name of a file')
    """
    return next((reason for is_one, reason in _FAULTS if is_one(name)), "")
