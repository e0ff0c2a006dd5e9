"""Whether a text is a URL: with the shape of its scheme, or a host after ``//``; and if not, why, in words.

In these "{}" stands for the name before the colon of the place.
"""

from __future__ import annotations

from urlextract.grammar.chars import BLANK
from urlextract.grammar.defanged import DEFANGED_NAMES, is_address
from urlextract.grammar.hosts import authority_end
from urlextract.grammar.marks import SENTENCE_MARKS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_NAME, SCHEMES, has_shape
from urlextract.grammar.runs import run_of
from urlextract.records import Form
from urlextract.scanner.window import END

NOT_IN_BRACKETS = 'no scheme that stands in brackets without "//"'
UNREGISTERED = "not a registered scheme", "--scheme any takes unregistered schemes"
DEFANGED = "a defanged URL"
REFANG = "--refang reads defanged URLs"
NO_HOST, THREE_LABELS, MAIL_ADDRESS = 'no host after "//"', "no host of three labels", "a mail address"
NO_SHAPE, IN_WRAPPERS = 'what follows does not have the shape of "{}:"', '"{}:" counts in <URL:...> only'
IS_LABEL, TWO_COLONS, NAME_IN_MARKUP = (
    '"{}:" is a label',
    '"::" is no URL',
    "a name in an attribute of markup",
)
_LABEL_OF_NEXT = '"{}:" is a label of the URL after it'
_ODD_PLACE = "a blank where no URL has one"

SCHEME = lazy_re(rf"({SCHEME_NAME}):")
"""A scheme and its colon."""
_LETTER_OR_DIGIT = lazy_re(r"[^\W_]")
_ODD_BLANK = lazy_re(rf"(?<=\w){BLANK}++(?=\w)")
PATH_BEGINS = lazy_re(r"//[^/?#]*[/?#]")
"""An authority, and the sign after which a path, a query or a fragment begins."""
_AFTER_HOST = lazy_re(r"\.?(?:[/?#]|\Z)")


def refused_url(url: str, form: Form, raw: str, *, any_scheme: bool = False) -> str:
    """Return why ``url``, which a bracket or a quotation holds as ``raw``, is none, "" if it is one.

    Any bracket may hold a made-up scheme before ``//``; a defanged one counts only if ``any_scheme``.
    """
    refused = refused_unbroken(url, form, any_scheme=any_scheme)
    return refused or (_ODD_PLACE if _has_odd_blank(raw) else "")


def refused_unbroken(url: str, form: Form, *, any_scheme: bool = False) -> str:
    """Return the same as `refused_url` of a URL that is written without blanks."""
    scheme = SCHEME.match(url)
    if scheme is None:
        return "no scheme"
    lower, rest = scheme[1].lower(), url[scheme.end() :]
    if rest.startswith(":"):
        return TWO_COLONS
    if not (_LETTER_OR_DIGIT.search(rest) or rest in ("*", "///")):
        return "nothing after the scheme"
    if lower in DEFANGED_NAMES and not any_scheme:
        return DEFANGED
    if rest.startswith("//"):
        return refused_host_name(rest[2:]) if form is Form.ABBREVIATED else refused_authority(lower, rest)
    is_whole = form is Form.URL_WRAPPER or lower not in SCHEMES or has_shape(lower, rest)
    return "" if is_whole else NO_SHAPE


def _has_odd_blank(raw: str) -> bool:
    """Return whether a blank between two words stands where no URL has one: before its path, or its query."""
    blank = _ODD_BLANK.search(raw)
    head = "".join(raw[: blank.start()].split()) if blank else ""
    if not blank or PATH_BEGINS.search(head) or head[:5].lower() == "info:" or head[:4].lower() == "tel:":
        return False
    return not ("?" in head and head[:7].lower() == "mailto:")


def refused_host_name(rest: str) -> str:
    """Return why ``rest`` is no abbreviated URL, "" if it begins with a host of three labels."""
    if "@" in rest.partition("/")[0]:
        return MAIL_ADDRESS
    end = authority_end(rest + END, 0)
    return "" if end and rest.count(".", 0, end) > 1 else THREE_LABELS


def refused_authority(name: str, rest: str) -> str:
    """Return what is wrong with the host that ``rest`` begins with, after ``//``, "" if nothing is."""
    is_made_up = name not in SCHEMES and rest[2:3] not in ("/", "?")  # with a host, which is one
    match = None if is_made_up else run_of(name).match(rest + END)
    if match and match.lastindex:
        return ""
    end = len(match[0].rstrip(SENTENCE_MARKS)) if match else authority_end(rest + END, 2)
    if not end:
        return NO_HOST
    return "" if _AFTER_HOST.match(rest, end) else "a host that does not end as one"


_OWN_SCHEME = lazy_re(rf"{SCHEME_NAME}://")
_NO_GROUP = lazy_re(r"[/:?#]")


def refused_shape(name: str, written: str, rest: str) -> str:
    """Return why ``rest`` may not follow ``written:`` without slashes, outside of brackets, "" if it may."""
    row = SCHEMES.get(name)
    if row and not row.bare:
        return IN_WRAPPERS
    if row and not (row.any_case or written.islower()):
        return IS_LABEL
    if rest.startswith(":"):
        return TWO_COLONS
    if "://" in rest and _OWN_SCHEME.match(rest):
        return _LABEL_OF_NEXT
    if (
        rest[:4].lower() == "www."
        and (written != "news" or _NO_GROUP.search(rest))
        and not refused_host_name(rest)
    ):
        return _LABEL_OF_NEXT
    if row and has_shape(name, rest):
        return ""
    if row is None and any(map(str.isalnum, rest)):
        return ""
    return DEFANGED if is_address(rest) else NO_SHAPE
