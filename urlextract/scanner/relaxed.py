"""Hosts without a scheme, and mail addresses: found only on request."""

from __future__ import annotations

from collections.abc import Callable

from urlextract.grammar.chars import UNSPACED
from urlextract.grammar.hosts import LONGEST_LABEL, PORT, named_host_end
from urlextract.grammar.marks import FREE_MARKS, WRAPPER_OPENER, WRAPPERS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.rules import Rule
from urlextract.grammar.tlds import OLDEST, tld_of
from urlextract.linebreaks.joining import without_prefixes
from urlextract.records import Escapes, Form, Match, Span
from urlextract.scanner.bare import HEAD, LONGEST_HOST, host_head
from urlextract.scanner.buffer import Buffer, line_prefix, match_at, with_url
from urlextract.scanner.lookalikes import is_of_machines, is_path_elsewhere, lookalike_rejection
from urlextract.scanner.places import DOT
from urlextract.scanner.reading import after_host, follows_name, read_at_colon, read_at_dot, taken
from urlextract.scanner.wrappers import closed_at

_OPENED = lazy_re(rf"({WRAPPER_OPENER})(?i:URL:)?\Z")
_LONGEST_OPENED = 8  # characters

_LONGEST_LOCAL = 100  # characters: RFC 5321, section 4.5.3.1.1, has 64
_ATEXT = r"[\w!#$%&'*+/=?^`{|}~-]"
_WORD = rf'(?:{_ATEXT}++|"[^"@\\\r\n]{{1,62}}+")'
_LOCAL = lazy_re(rf"(?<!{_ATEXT}){_WORD}(?>(?:\.{_WORD})*)\Z")
_MARKS = "!#$%&'*+/=?^`{|}~-"
LOCAL_DOMAINS = frozenset(("example", "internal", "lan", "local", "localdomain", "test"))
"""Top-level domains of addresses that IANA does not list: RFC 2606, RFC 6762, private networks."""
_PART_BEFORE = lazy_re(r"\w\.\.\Z")  # "joe..smith@a.org" is no address, and "smith@a.org" in it is none
_EMPHASIS = lazy_re(r"[_*~]*")
_EMPHASIZED = lazy_re(r"([A-Za-z0-9.-]+)([_*~]{1,3})(?!\w)")  # a domain, and the marks after it
_LITERAL = lazy_re(r"\[[0-9]{1,3}(?:\.[0-9]{1,3}){3}\]")
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


def read_address(buffer: Buffer, sign: int) -> Match | None:
    """Read the address whose ``@`` is at ``sign``."""
    text, is_asked = buffer.text, buffer.limits.emails
    start = _local_start(text, sign, buffer.last) if buffer.limits.asks_for_addresses else None
    if start is None:
        return None
    head = host_head(buffer, sign + 1)
    emphasized = _EMPHASIZED.match(head)
    if emphasized:
        head, opened = emphasized[1], _EMPHASIS.match(text, start)
        start = opened.end() if opened and opened[0].endswith(emphasized[2][0]) else start
    inside, match = _read_closed(buffer, start)
    local, _, domain = inside.rpartition("@")
    if match and local == text[start:sign] and 0 < _domain_end(domain) == len(domain):
        match = match._replace(confidence=0.95)
    else:
        end = _domain_end(head)
        is_login = _LOGIN_BEFORE.search(text, max(0, start - 2), start) and _URL_AFTER.match(head, end)
        if not end or is_login or _REMOTE.match(head, end):
            return None
        inner = Span(start, sign + 1 + end)
        match = match_at(text, inner, Form.ABBREVIATED, inner, Rule.ADDRESS)._replace(confidence=0.9)
    is_message_id = (
        _MESSAGE_ID.fullmatch(text, start, sign)
        or is_of_machines(text, start)
        or _ID_BEFORE.search(text, max(0, start - 20), start)
    )
    if not is_asked and is_message_id:
        return None
    if is_message_id or not is_asked:
        rejection = Rule.MESSAGE_ID if is_message_id else Rule.ADDRESS_ON_DEMAND
        buffer.reject(match.form, *match.span, rejection)
        return None
    return with_url(match._replace(added="mailto:"))


def _local_start(text: str, sign: int, floor: int) -> int | None:
    """Return the start of the local part that ends at ``sign``, or None."""
    earliest = max(floor, sign - _LONGEST_LOCAL - 1, text.rfind("@", floor, sign) + 1)
    match = _LOCAL.search(text[earliest:sign])
    if match is None or len(match[0]) > _LONGEST_LOCAL or text[sign - 1] in ".}%`|)":
        return None
    start = sign - len(match[0].lstrip(_MARKS))
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
    literal = _LITERAL.match(run)
    if literal:
        return literal.end()
    labels = _host_labels(run)
    while len(labels) > 1 and not (tld_of(labels[-1]) or labels[-1].lower() in LOCAL_DOMAINS):
        labels.pop()
    domain = ".".join(labels)
    return len(domain) if len(labels) > 1 and "_" not in domain else 0


# --- hosts ----------------------------------------------------------------------------------------

_LABELS = lazy_re(
    r"\.([A-Za-z0-9-]{1,63}+(?>(?:\.[A-Za-z0-9-]{1,63}+){0,3})(?<!-))(?=[ \t,;!?()/']|\.[\s\"])"
)
_LABEL = lazy_re(rf"(?<![\w-])[\w-]{{1,{LONGEST_LABEL}}}\Z")
# A variable, an anchor, an escape, a further host of UUCP; a name in a program; another scheme
_NO_HOST_AFTER = lazy_re(
    r"(?:[$%#~&^+!\\]|::"
    r"|(?<![A-Za-z])(?i:sips?|mailto|urn|tag|tel|xmpp|im|acct|file|data|s3|jdbc|scp|git):)\Z"
)
_BEFORE_ASCII = lazy_re(rf"[{UNSPACED}](?=[A-Za-z0-9][\x00-!#-\x7f]*\Z)")
_BEFORE_WORDS = lazy_re(rf"(?<=\.)[A-Za-z]{{2,}}(?=[{UNSPACED}])")  # of the next sentence
_PORT = lazy_re(PORT)
_MOST_PORT = 65_535
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = lazy_re(rf"(?!0){_OCTET}(?:\.{_OCTET}){{3}}(?![\w-]|\.\w)")
"""An IPv4 address."""
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


def _at_name(buffer: Buffer, dot: int) -> Match | None:
    """Read the host whose first label ends before ``dot``."""
    text, floor = buffer.text, buffer.last
    if not buffer.limits.asks_for_hosts or text[dot - 1 : dot].isspace():
        return None
    buffer.need(2, dot)
    name = _LABELS.match(text, dot)
    if name and not any(
        tld_of(label) or label.isdigit() or label.lower() in LOCAL_DOMAINS for label in name[1].split(".")
    ):
        return None  # as most words with a dot inside
    earliest = max(floor, dot - LONGEST_LABEL - 1)
    match = _LABEL.search(text[earliest:dot]) if text[dot + 1 : dot + 2].isalnum() else None
    start = word_start(text, earliest + match.start(), dot) if match else dot
    if start == dot or text[start] in "-_":
        return None
    is_part = _NO_HOST_AFTER.search(text, max(0, start - 8), start) or follows_name(text, start)
    return None if is_part or is_of_machines(text, start) else _read(buffer, start)


def _at_local(buffer: Buffer, mark: int) -> Match | None:
    """Read ``localhost`` before a colon or a slash."""
    earliest = max(buffer.last, mark - 9)
    is_local = buffer.limits.asks_for_hosts and _LOCALHOST.search(buffer.text, earliest, mark)
    return _read(buffer, mark - 9) if is_local else None


def _read(buffer: Buffer, start: int) -> Match | None:
    """Read the host that begins at ``start``, in a bracket or free."""
    text, is_asked = buffer.text, buffer.limits.relaxed
    inside, match = _read_closed(buffer, start)
    end = _host_end(inside) if match else 0
    if match and end and not _rejection(inside, end):
        if is_asked:
            return with_url(match._replace(added="http://", confidence=0.9, rule=Rule.ANY_HOST))
        buffer.reject(match.form, *match.span, Rule.HOST_ON_DEMAND)
        return None
    head = host_head(buffer, start)
    end = _host_end(head)
    if not end or (end == len(head) >= LONGEST_HOST):
        return None
    # The next name may stand in what follows one that is rejected: of that, only the head is read.
    length, defects = after_host(buffer, start, head, end, most=HEAD)
    run = text[start : start + length]
    before, after = text[max(0, start - _BEFORE) : start], text[start + end : start + end + 2]
    if after == "\\":
        buffer.need(2, start + end)
    rejection = _rejection(run, end, before, after)
    if rejection or not is_asked:
        if is_asked or not rejection:
            buffer.reject(Form.ABBREVIATED, start, start + length, rejection or Rule.HOST_ON_DEMAND)
        return None
    may_go_on = "/" in run  # a host alone does not go on in the next line
    if defects:  # it is longer than its head
        length, defects = after_host(buffer, start, head, end)
        run = text[start : start + length]
    span, rule = Span(start, start + length), Rule.ANY_HOST
    match = taken(
        buffer, span, start, Form.ABBREVIATED, rule, defects=defects, added="http://", may_go_on=may_go_on
    )
    return match._replace(confidence=_confidence(run, end))


def _read_closed(buffer: Buffer, start: int) -> tuple[str, Match | None]:
    """Return the inside of the bracket before ``start``, without line ends, and its match.

    Return "" and None if there is no bracket right before ``start``, or blanks inside a line.
    """
    text = buffer.text
    opened = _OPENED.search(text, max(buffer.last, start - _LONGEST_OPENED), start)
    if opened is None:
        return "", None
    opens, opening = opened.start(), opened[1]
    prefix = line_prefix(text, opens)
    ending = closed_at(buffer, start, prefix, WRAPPERS[opening])
    if ending is None:
        return "", None
    inner = Span(start, start + len(text[start : ending[0]].rstrip()))
    match = match_at(text, Span(opens, ending[1]), Form.ABBREVIATED, inner, Rule.ADDRESS, prefix)
    inside = without_prefixes(match.raw, match.prefix)
    if " " in inside:
        return "", None
    escapes: Escapes = "entities" if opening == "&lt;" else ""
    return inside.replace("\n", ""), match._replace(escapes=escapes)


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


def _host_labels(run: str) -> list[str]:
    """Return the labels of the host that a run begins with, without text glued to them.

    Such text is the next sentence ("example.com.Then"), or words of a script without blanks.
    """
    end = named_host_end(run)
    if end is None or run.startswith("@", end):
        return []
    for glued in () if run.isascii() else _BEFORE_WORDS.finditer(run, 0, run.rindex(".", 0, end)):
        if tld_of(glued[0]):
            return run[: glued.end()].split(".")
    labels = run[:end].split(".")
    while len(labels) > 2 and labels[-1].istitle() and labels[-2].islower() and tld_of(labels[-2]):
        labels.pop()
    return labels


def _rejection(run: str, end: int, before: str = "", after: str = "") -> Rule | None:
    """Return why the name that ends at ``end`` of ``run`` is no host, or None.

    ``before`` and ``after`` are what stands around it, nothing if it is in a bracket.
    """
    port = _PORT.match(run, end)
    digits, rest = (port[0][1:], run[port.end() :]) if port else ("", run[end:])
    if digits and int(digits) > _MOST_PORT:
        return Rule.PORT_NUMBER
    labels = run[:end].split(".")
    if len(labels) == 1:  # localhost
        return None
    if labels[-1].isdigit():
        if is_path_elsewhere(after):
            return Rule.PATH_ELSEWHERE
        if not digits and (_NETWORK.match(rest) or _IPV6_BEFORE.search(before)):
            return Rule.PART_OF_NUMBER
        is_address = _ADDRESS_ALONE.match(run[:end]) and not _VERSION_BEFORE.search(before)
        return None if digits or rest or is_address else Rule.VERSION
    if not rest and _HIDDEN_BEFORE.search(before):
        return Rule.HIDDEN_ADDRESS
    tld = tld_of(labels[-1]) or ""
    has_path = rest[:1] == "/" and not (rest.endswith(f".{tld}") and tld not in OLDEST)
    # Alone on its line, which may be quoted
    _, has_line_end, line = before.rpartition("\n")
    is_begun = not line.strip(FREE_MARKS + " \t") and (bool(has_line_end) or len(before) < _BEFORE)
    is_alone = is_begun and after[:1] in ("", "\n", "\r")
    return lookalike_rejection(
        labels, tld, after, has_path=has_path, has_port=bool(digits), is_alone=is_alone
    )


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


READERS: dict[str, Callable[[Buffer, int], Match | None]] = {
    ":": lambda buffer, at: read_at_colon(buffer, at) or _at_local(buffer, at),
    ".": lambda buffer, at: (DOT.match(buffer.text, at) and read_at_dot(buffer, at)) or _at_name(buffer, at),
    "@": read_address,
    "/": _at_local,
}
"""By the character of a place: what reads it, where hosts without a scheme or mail addresses count."""
