"""Names with dots that are no hosts: of files, packages, attributes and newsgroups, and sentences.

``end.The``, ``setup.py``, ``java.util.List``, ``self.name``: their last label may also be a
top-level domain. The tables of `grammar.tlds` list those that are as often something else.
A name with such a label is a host if it has a path, or a label such as the ``co`` of ``co.uk``.
Hosts and Message-IDs in header fields that machines fill in do not count either.
"""

from __future__ import annotations

from urlextract.grammar.extensions import extensions
from urlextract.grammar.marks import QUOTE_MARK
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.tlds import OLDEST, SITES, WORDS

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

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = lazy_re(rf"(?!0){_OCTET}(?:\.{_OCTET}){{3}}(?![\w-]|\.\w)")
"""An IPv4 address."""

_FILES = extensions("domain")
_PRODUCTS = frozenset(("ado.net", "asp.net", "ml.net", "vb.net"))


def is_path_elsewhere(after: str) -> bool:
    """Return whether a path of scp(1), the rest of a UUCP path, or a user of a Windows domain follows."""
    first, second = after[:1], after[1:]
    is_remote = first == ":" and (second.isalpha() or second in ("/", "~"))
    is_user = first == "\\" and second not in ("", "n", "r", "t")
    return is_remote or is_user or (first == "!" and second.isalnum())


def refused_lookalike(
    labels: list[str],
    tld: str,
    after: str = "",
    *,
    has_path: bool = False,
    has_port: bool = False,
    is_alone: bool = False,
) -> str:
    """Return why a name of two labels or more is no host, "" if it is one.

    ``tld`` is the last label as `tld_of` returns it, ``after`` the two characters after the name.
    ``is_alone`` is true if there is nothing else on its line, or in its bracket.

    >>> refused_lookalike(["docs", "python", "org"], "org"), refused_lookalike(["setup", "py"], "py")
    ('', 'the name of a file')
    """
    first, before, last = labels[0], labels[-2], labels[-1]
    is_pair, is_old, is_long_tld = len(labels) == 2, tld in OLDEST, len(tld) > 2
    is_registered_below = not is_pair and len(tld) == 2 and before.lower() in _SECOND  # "x.co.in"
    # The last label is the only evidence for a host
    is_ambiguous = not (has_path or is_registered_below)
    is_ambiguous_pair = is_ambiguous and is_pair
    # The last label may be any word, after the first ones of a reversed name
    is_read_from_left = is_long_tld and not (is_pair or is_old or has_path)
    is_called = after == "()" or (after[:1] in ("(", "=") and not is_old)
    # The last label is written as the first word of a sentence: "done.So"
    is_capital = last.isascii() and not last.islower() and not (last.isupper() and before.isupper())
    is_sentence = is_capital and (not is_old or (tld == "net" and (last.isupper() or last.istitle())))
    # A word of a program, or the first label is a single letter
    is_letter = is_pair and len(first) == 1 and first.isascii()
    is_word = (is_letter or (is_long_tld and tld not in SITES)) and not (is_old or tld.startswith("xn--"))

    reasons = (
        (is_called or first in THIS or "_" in before + last, "a name in a program"),
        (is_sentence, "a sentence without a blank"),
        (is_read_from_left and first.lower() in _PACKAGES, "the name of a package"),
        (is_read_from_left and first in _GROUPS, "the name of a newsgroup"),
        (is_path_elsewhere(after), "a path on another host, which is no URL"),
        (is_ambiguous and tld in _FILES, "the name of a file"),
        (is_ambiguous and is_word, "a name in a program"),
        (is_ambiguous_pair and tld in WORDS and not (has_port or is_alone), "a sentence without a blank"),
        (is_ambiguous_pair and first.isdigit() and not is_old and tld != "cn", "a number"),
        (is_ambiguous_pair and f"{first}.{last}".lower() in _PRODUCTS, "the name of a product"),
        (any("-at-" in label for label in labels), "a mail address that is hidden"),
    )
    return next((reason for holds, reason in reasons if holds), "")


# --- lines that machines wrote: fields of pasted headers, reports of delivery ----------------------

_LOOKS_BACK = 900  # characters, and
_LINES = 8  # lines: a long field, folded
_FIELD = lazy_re(
    rf"(?>(?:[ \t]?{QUOTE_MARK}){{0,9}})(?>(?P<fold>[ \t]+)?)(?P<name>(?=[A-Za-z][A-Za-z0-9-]{{1,40}}+:\s)"
    r"(?i:(?:x-)?received(?:-spf)?|(?:x-|resent-|original-)*message-id|references|in-reply-to|return-path"
    r"|(?:dkim|domainkey|arc|cancel|nntp|(?:x-)?authentication)-[a-z0-9-]*|path|xref|newsgroups"
    r"|x-(?:spam|virus|originating|trace|injection|ms|google|gm|mailman)-[a-z0-9-]*|supersedes"
    r"|(?:reporting|remote|received-from|x-original)-mta|(?:final|original)-recipient|diagnostic-code"
    r"|content-(?:id|type)|mime-version|x-mailer|list-id|errors-to|delivered-to):)?"
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
        line = _FIELD.match(text, start, at)
        if line and line["name"]:
            return True
        if not start or line is None or not line["fold"]:
            return False
        end = start - 1
    return False
