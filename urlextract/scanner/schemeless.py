"""Hosts without a scheme, and mail addresses, found only on request; and names with dots that are neither.

``end.The``, ``setup.py``, ``java.util.List``, ``self.name``: the last label of such a name may also be a
top-level domain. The tables of `grammar.domains` list those that are also words. A name with such
a label is a host if it has a path, or a label such as the ``co`` of ``co.uk``. Hosts and Message-IDs in
header fields that machines fill in do not count either.
"""

from __future__ import annotations

import re

from urlextract.grammar.chars import readable
from urlextract.grammar.codes import RepairCode
from urlextract.grammar.domains import LOCAL_DOMAINS, OLDEST, SITES, WORDS, tld_of
from urlextract.grammar.escapes import encoded_except
from urlextract.grammar.hosts import LONGEST_LABEL, authority_end
from urlextract.grammar.marks import FREE_MARKS, QUOTE_MARK
from urlextract.grammar.names import extensions
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.runs import REST_OF_RUN
from urlextract.linebreaks.joining import joined
from urlextract.linebreaks.prefixes import prefix_before
from urlextract.records import UNDECODABLE, Form, Match, Repair
from urlextract.scanner import bare, wrappers
from urlextract.scanner.window import END, Window


def read_mark(window: Window, at: int) -> Match | None:
    """Return the host without a scheme, or the mail address, whose mark is at ``at``."""
    mark = window.text[at]
    if mark == "@":
        return _address(window, at)
    if mark == ".":
        found = _named_host(window, at)
        if window.options.explains and not (found or window.refused):
            _refuse_slashes(window, at)
        return found
    is_local = window.options.asks_for_hosts and _LOCALHOST.search(window.text, max(window.last, at - 9), at)
    return _host(window, at - 9) if is_local else None


def _inside_of_bracket(window: Window, start: int) -> tuple[str, int, int, int]:
    """Return the inside of the bracket before ``start`` on one line, "" without one, or with blanks.

    Then come the offsets where the place begins, where the inside ends, and where the place ends.
    """
    text, opener = window.text, wrappers.opener_before(window, start)
    inside = wrappers.inside_of(text, opener, start) if opener is not None else None
    if (
        inside is None
        or opener is None
        or inside.has_blank
        or wrappers.is_opener(text, inside.closer)
        or ("\n" in inside.lines and not window.joins)
    ):
        return "", 0, 0, 0
    return joined(inside.raw, inside.prefix), opener, inside.stop, inside.end


# --- mail addresses ---------------------------------------------------------------------------------

_LONGEST_LOCAL = 100  # characters: RFC 5321, section 4.5.3.1.1, has 64
_ATEXT = r"[\w!#$%&'*+/=?^`{|}~-]"
_WORD = rf'(?:{_ATEXT}++|"[^"@\\\r\n]{{1,62}}+")'
_LOCAL = lazy_re(rf"(?<!{_ATEXT}){_WORD}(?>(?:\.{_WORD})*)\Z")
_SIGNS_OF_LOCAL_PARTS = "!#$%&'*+/=?^`{|}~-"
_PART_BEFORE = lazy_re(r"\w\.\.\Z")  # "joe..smith@a.org" is no address, and "smith@a.org" in it is none
_EMPHASIS = lazy_re(r"[_*~]*")
_EMPHASIZED = lazy_re(r"([A-Za-z0-9.-]+)([_*~]{1,3})(?!\w)")  # a domain, and the marks after it
_REMOTE = lazy_re(r":(?:[A-Za-z_/~]|[0-9]+/)|@")  # a path of scp(1), or another "@"
_LOGIN_BEFORE = lazy_re(r"\w:\Z")  # "user:password@a.org/x", a URL without its scheme
_URL_AFTER = lazy_re(r"[/?#]\w|:[0-9]")
_KEY = lazy_re(r"(?i:mail|to|cc|from|user|login|name|addr(?:ess)?|contact|sender|author|account|id)\Z")
_ID_BEFORE = lazy_re(
    r"(?i:\b(?:(?:article|message(?:[ -]id)?|msg-?id)\b[ \t:]{0,3}<?|(?:cid|mid|s?news):))\Z"
)
_MESSAGE_ID = lazy_re(
    # Many digits among other characters; digits alone, more than a telephone number has
    r"(?=(?:[^0-9]*[0-9]){10})[0-9]*[^0-9].*|[0-9]{14,}"
    # Hexadecimal, as in the IDs of Thunderbird; UUIDs
    r"|[0-9A-Fa-f]{8}[.-][0-9A-Fa-f]{4,}.*|(?=.*[0-9])(?=.*[A-Fa-f])[0-9A-Fa-f]{16,}"
    # Random letters of both cases
    r"|(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[\w+/=.-]{24,}"
    # By the name of the program
    r"|(?i:alpine|pine|slrn\w*)\..*|.*\.(?:fsf|camel|gnus|ln)|.*[0-9].*[$].*|.*[$].*[0-9].*"
)
# RFC 6068, section 2: characters of an address that are not encoded; "%" is encoded.
_PLAIN_ADDRESS = lazy_re(r"[\w.~!$'*+:@\[\]-]*+", re.ASCII)
_HEAD = lazy_re(r"[^\s<>\"`\x00-\x1f]{0,256}")


def _address(window: Window, sign: int) -> Match | None:
    """Return the address whose ``@`` is at ``sign``."""
    text, is_asked = window.text, window.options.emails
    start = _local_start(text, sign, window.last) if window.options.asks_for_addresses else None
    if start is None:
        return None
    head = _HEAD.match(text, sign + 1)[0]  # type: ignore[index]
    emphasized = _EMPHASIZED.match(head)
    if emphasized:
        head, opened = emphasized[1], _EMPHASIS.match(text, start)
        start = opened.end() if opened and opened[0].endswith(emphasized[2][0]) else start
    whole, place, stop, end = _inside_of_bracket(window, start)
    local, _, domain = whole.rpartition("@")
    sure = 0.95
    if not (whole and local == text[start:sign] and 0 < _domain_end(domain) == len(domain)):
        size, sure = _domain_end(head), 0.9
        is_login = _LOGIN_BEFORE.search(text, max(0, start - 2), start) and _URL_AFTER.match(head, size)
        if not size or is_login or _REMOTE.match(head, size):
            return None
        place, stop = start, sign + 1 + size
        end, whole = stop, text[start:stop]
    is_message_id = bool(
        _MESSAGE_ID.fullmatch(text, start, sign)
        or is_of_machines(text, start)
        or _ID_BEFORE.search(text, max(0, start - 20), start)
    )
    if is_message_id or not is_asked:
        reason = "the ID of a message" if is_message_id else "a mail address: it counts with --emails"
        window.refuse(Form.ABBREVIATED, place, end, reason)
        return None
    repairs = [wrappers.added_scheme("mailto:")]
    if not _PLAIN_ADDRESS.fullmatch(whole):
        whole = encoded_except(readable(whole), r"\w.~!$'*+:@\[\]-")
        repairs.insert(0, Repair(RepairCode.ENCODED_CHARACTERS, "encoded what no URL holds"))
    raw = text[start:stop]
    prefix = prefix_before(text, start) if "\n" in raw or "\r" in raw else None
    return Match(
        place, end, start, stop, Form.ABBREVIATED, raw, f"mailto:{whole}", prefix,
        defects=() if readable(raw) == raw else (UNDECODABLE,), repairs=tuple(repairs), confidence=sure,
    )  # fmt: skip


def _local_start(text: str, sign: int, floor: int) -> int | None:
    """Return the start of the local part that ends at ``sign``, or None."""
    earliest = max(floor, sign - _LONGEST_LOCAL - 1, text.rfind("@", floor, sign) + 1)
    match = _LOCAL.search(text[earliest:sign])
    if match is None or len(match[0]) > _LONGEST_LOCAL or text[sign - 1] in ".}%`|)":
        return None
    start = sign - len(match[0].lstrip(_SIGNS_OF_LOCAL_PARTS))
    marks = match[0][: len(match[0]) - (sign - start)]
    if marks.endswith("~"):  # a list of sr.ht
        start -= 1
    elif start < sign:
        start = word_start(text, start, sign)
        # "email=joe", but the "=" of "list-joe=a.org" is part of the local part
        key, is_key, name = text[start:sign].rpartition("=")
        if is_key and _KEY.search(key) and name[:1].isalnum():
            start = sign - len(name)
    before = text[start - 1 : start]
    follows_url = floor > 0 and start - floor <= (before == "/")
    if start == sign or not (follows_url or before not in ("@", "/", "$", "%", "{")):
        return None
    return None if _PART_BEFORE.search(text, max(0, start - 3), start) else start


def _domain_end(run: str) -> int:
    """Return the end of the domain that a run begins with, 0 if it begins with none."""
    labels = _host_labels(run)
    while len(labels) > 1 and not (tld_of(labels[-1]) or labels[-1].lower() in LOCAL_DOMAINS):
        labels.pop()
    domain = ".".join(labels)
    return len(domain) if len(labels) > 1 and "_" not in domain else 0


# --- hosts ------------------------------------------------------------------------------------------

_LABELS = lazy_re(
    r"\.([A-Za-z0-9-]{1,63}+(?>(?:\.[A-Za-z0-9-]{1,63}+){0,3})(?<!-))(?=[ \t,;!?()/']|\.[\s\"])"
)
_LABEL = lazy_re(rf"(?<![\w-])[\w-]{{1,{LONGEST_LABEL}}}\Z")
# A variable, an anchor, an escape, a further host of UUCP; a name in a program; another scheme
_NO_HOST_AFTER = lazy_re(
    r"(?:[$%#~&^+!\\]|::"
    r"|(?<![A-Za-z])(?i:sips?|mailto|urn|tag|tel|xmpp|im|acct|file|data|s3|jdbc|scp|git):)\Z"
)
_UNSPACED = r"\u2e80-\ud7ff\uf900-\U0003ffff"  # scripts without blanks, and their punctuation
_BEFORE_ASCII = lazy_re(rf"[{_UNSPACED}](?=[A-Za-z0-9][\x00-!#-\x7f]*\Z)")
_PORT = lazy_re(r"(?>(?::(?:[0-9]{1,9}+|(?=[/?#])))?)")
_MOST_PORT = 65_535
_NETWORK = lazy_re(r"/[0-9.]{1,15}\Z")
# Four numbers alone are more often a version or a section number than a host.
_ADDRESS_ALONE = lazy_re(
    r"(?!.*\.(?:0|255)\Z)(?!2(?:2[4-9]|[3-5][0-9])\.)"
    r"(?:[0-9]{3}\.|10\.0\.|10\..*[0-9]{3}|(?:.*?\b[0-9]{3}\b){2}|([1-9][0-9]?)\.\1\.\1\.\1\Z)"
)
_IPV6_BEFORE = lazy_re(r":[0-9A-Fa-f]{0,4}:\Z")
_VERSION_BEFORE = lazy_re(r"(?i:\b(?:v|version|release|section|build)[.:]?\s?)\Z|\[\Z")
# "joe at a.org" and the like, and imports in programs
_HIDDEN_BEFORE = lazy_re(
    r"(?i:[(\[{<]\s?at\s?[)\]}>]\s?|-at-\s{0,3}|[(<]\s?[\w.+-]{1,30}\sat\s|\b(?:import|require|package)\s)\Z"
)
_BEFORE = 40  # characters before a host that may show that it is none
_LOCALHOST = lazy_re(r"(?<![\w./@:\\$%#-])(?i:localhost)\Z")
_PORT_AND_PATH = lazy_re(r":[0-9]{2,5}/")
_LOCAL_REST = lazy_re(r":[0-9]{2,5}(?![\w.-]|:\w)|/[A-Za-z~]")


def word_start(text: str, start: int, end: int) -> int:
    r"""Return where the name in ``start:end`` begins, after text glued to it, or ``end`` if there is none.

    Words of a script without blanks belong to the sentence, and the "n" of "\n" to the escape.

    >>> word_start("\\njoe", 1, 5), word_start("\u4e2d\u6587joe", 0, 5), word_start("\\joe", 1, 4)
    (2, 2, 4)
    """
    if not text[start:end].isascii():
        words = _BEFORE_ASCII.search(text, start, end)
        start = words.end() if words else start
    if text[start - 1 : start] == "\\":
        start = start + 1 if text[start] in "nrt" else end
    return start


def _named_host(window: Window, dot: int) -> Match | None:
    """Return the host whose first label ends before ``dot``."""
    text, floor = window.text, window.last
    if not window.options.asks_for_hosts or text[dot - 1].isspace():
        return None
    name = _LABELS.match(text, dot)
    if name and not any(
        tld_of(label) or label.isdigit() or label.lower() in LOCAL_DOMAINS for label in name[1].split(".")
    ):
        return None  # as most words with a dot inside
    earliest = max(floor, dot - LONGEST_LABEL - 1)
    match = _LABEL.search(text[earliest:dot]) if text[dot + 1].isalnum() else None
    start = word_start(text, earliest + match.start(), dot) if match else dot
    if start == dot or text[start] in "-_":
        return None
    is_part = _NO_HOST_AFTER.search(text, max(0, start - 8), start) or bare.follows_name(text, start)
    return None if is_part or is_of_machines(text, start) else _host(window, start)


def _refuse_slashes(window: Window, dot: int) -> None:
    """Note that a host without a scheme comes after "//", also one of no known domain."""
    text = window.text
    slashes = _AFTER_SLASHES.search(text, max(window.last, dot - LONGEST_LABEL - 3), dot)
    if slashes and text[dot + 1].isalnum():
        end = _SLASHED.match(text, dot).end()  # type: ignore[union-attr]
        window.refuse(
            Form.ABBREVIATED, slashes.start(), bare.trimmed(text, dot, end), 'no scheme before "//"'
        )


def _host(window: Window, start: int) -> Match | None:
    """Return the host that begins at ``start``, in a bracket or free."""
    text, is_asked = window.text, window.options.relaxed
    repairs = (wrappers.added_scheme("http://"),)
    inside, place, stop, close = _inside_of_bracket(window, start)
    size = _host_end(inside) if inside else 0
    if size and not _refused(inside, size):
        if is_asked:
            raw = text[start:stop]
            prefix = prefix_before(text, start) if "\n" in raw or "\r" in raw else None
            return Match(
                place, close, start, stop, Form.ABBREVIATED, raw, f"http://{inside}", prefix, repairs=repairs,
                confidence=0.9,
            )  # fmt: skip
        window.refuse(Form.ABBREVIATED, place, close, _ON_DEMAND)
        return None
    head = _HEAD.match(text, start)[0]  # type: ignore[index]
    size = _host_end(head)
    if not size:
        return None
    # The next name may stand in what follows one that is refused: of that, only the head is read.
    low = max(0, start - _BEFORE)
    near = text[low : start + _LONGEST_HEAD] + END
    stop = low + _run_end(near, start - low, size)
    reason = _refused(text[start:stop], size, near[: start - low], near[start - low + size :][:2])
    if reason or not is_asked:
        window.refuse(Form.ABBREVIATED, start, stop, reason or _ON_DEMAND)
        return None
    if stop - start > _LONGEST_HEAD // 2:  # it may go on
        stop = _run_end(text, start, size)
    run = text[start:stop]
    return Match(
        start, stop, start, stop, Form.ABBREVIATED, run, f"http://{run}", repairs=repairs,
        confidence=_confidence(run, size),
    )  # fmt: skip


def _run_end(text: str, start: int, size: int) -> int:
    """Return where the URL ends whose host has ``size`` characters."""
    port = _PORT.match(text, start + size)
    end = port.end() if port else start + size
    limit = bare.limit_of(text, start)
    if text[end] in "/?#" and end < limit:
        end = bare.end_of_run(text, start, REST_OF_RUN.match(text, end, limit).end(), limit)  # type: ignore[union-attr]
    return bare.trimmed(text, start, end)


_LONGEST_HEAD = 320  # characters of a run that are read to see whether it is a URL
_ON_DEMAND = "a host without a scheme: it counts with --relaxed"


def _host_end(run: str) -> int:
    """Return the end of the host that a run begins with, 0 if it begins with none."""
    if _LOCALHOST.search(run, 0, 9) and _LOCAL_REST.match(run, 9):
        return 9
    number = IPV4.match(run)
    if number:
        return 0 if run.startswith("@", number.end()) else number.end()
    labels = _host_labels(run)
    end = len(".".join(labels))
    is_local = labels and labels[-1].lower() in LOCAL_DOMAINS and _PORT_AND_PATH.match(run, end)
    return end if labels and (tld_of(labels[-1]) or is_local) else 0


_AFTER_SLASHES = lazy_re(r"(?<![\w:/.;])(?<!: )//[\w-]{1,63}\Z")
_SLASHED = lazy_re(r"\.[\w.:-]{0,253}(?:/[^\s<>\"'()\[\]{}]{0,256})?")
_NAME = lazy_re(r"[^\x00-,/:-@\[-^`{-\x7f]+")


def _host_labels(run: str) -> list[str]:
    """Return the labels of the host that a run begins with, without text glued to them.

    Such text is the next sentence ("example.com.Then"), or words of a script without blanks.
    """
    name = _NAME.match(run)
    end = authority_end(name[0] + "\n\n\n", 0) if name else None
    if end is None or run.startswith("@", end) or "." not in run[:end]:
        return []
    labels = run[:end].rstrip(".").split(".")
    while len(labels) > 2 and labels[-1].istitle() and labels[-2].islower() and tld_of(labels[-2]):
        labels.pop()
    return labels if len(labels) > 1 else []


def _refused(run: str, end: int, before: str = "", after: str = "") -> str:
    """Return why the name that ends at ``end`` of ``run`` is no host, "" if it is one.

    ``before`` and ``after`` are what stands around it, nothing if it is in a bracket.
    """
    port = _PORT.match(run, end)
    digits, rest = (port[0][1:], run[port.end() :]) if port else ("", run[end:])
    if digits and int(digits) > _MOST_PORT:
        return "no port has that number"
    labels = run[:end].split(".")
    if len(labels) == 1:  # localhost
        return ""
    if labels[-1].isdigit():
        if is_path_elsewhere(after):
            return "a path on another host, which is no URL"
        if not digits and (_NETWORK.match(rest) or _IPV6_BEFORE.search(before)):
            return "a network, or a part of a longer number"
        is_address = _ADDRESS_ALONE.match(run[:end]) and not _VERSION_BEFORE.search(before)
        return "" if digits or rest or is_address else "a version, a section, or an address of mail"
    if not rest and _HIDDEN_BEFORE.search(before):
        return "a mail address that is hidden, or a name in a program"
    tld = tld_of(labels[-1]) or ""
    has_path = rest[:1] == "/" and not (rest.endswith(f".{tld}") and tld not in OLDEST)
    # Alone on its line, which may be quoted
    _, has_line_end, line = before.rpartition("\n")
    is_begun = not line.strip(FREE_MARKS + " \t") and (bool(has_line_end) or len(before) < _BEFORE)
    is_alone = is_begun and after[:1] in ("", "\n", "\r")
    return refused_lookalike(labels, tld, after, has_path=has_path, has_port=bool(digits), is_alone=is_alone)


def _confidence(run: str, end: int) -> float:
    """Return the confidence that a host outside brackets is a URL, by its kind and what comes with it."""
    if end < len(run):
        return 0.7
    labels = run.split(".")
    if labels[-1].isdigit():
        return 0.25
    if len(labels) > 2:
        return 0.5
    tld = tld_of(labels[-1]) or ""
    return 0.4 if tld in OLDEST or len(tld) == 2 else 0.3


# --- names with dots that are no hosts -----------------------------------------------------------------

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
