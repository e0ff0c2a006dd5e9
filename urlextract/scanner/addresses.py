"""Mail addresses: RFC 5322, section 3.4.1, as people write them in text.

::

    addr-spec  = local-part "@" domain
    local-part = dot-atom / quoted-string / obs-local-part
    domain     = dot-atom / domain-literal

A Message-ID looks the same: what its local part is made of tells it.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later
from urlextract.grammar.tlds import tld_of
from urlextract.records import Form, Span
from urlextract.scanner.bare import LONGEST_HOST, cut_run
from urlextract.scanner.buffer import Buffer, Hit, candidate_at
from urlextract.scanner.lookalikes import is_of_machines
from urlextract.scanner.schemeless import host_labels, read_closed, weighed, word_start

__all__ = ["read_address"]

_WOULD_COUNT = "a mail address: it counts with --emails"
_FREE, _IN_BRACKETS = 0.9, 0.95  # how sure they are

_LONGEST_LOCAL = 100  # characters: RFC 5321, section 4.5.3.1.1, has 64
_ATEXT = r"[\w!#$%&'*+/=?^`{|}~-]"
_WORD = rf'(?:{_ATEXT}++|"[^"@\\\r\n]{{1,62}}+")'
_LOCAL = later(rf"(?<!{_ATEXT}){_WORD}(?:\.{_WORD})*+\Z")
_MARKS = "!#$%&'*+/=?^`{|}~-"
_LOCAL_DOMAINS = frozenset(("example", "internal", "lan", "local", "localdomain", "test"))
"""What no registry has, but addresses: RFC 2606, RFC 6762, and the networks of firms."""
_PART_BEFORE = later(r"\w\.\.\Z")  # "joe..smith@a.org" is no address, nor is the end of it
_LITERAL = later(r"\[[0-9]{1,3}(?:\.[0-9]{1,3}){3}\]")
_REMOTE = later(r":(?:[A-Za-z_/~]|[0-9]+/)|@")  # a path of scp(1), or another "@"
_LOGIN_BEFORE = later(r"\w:\Z")  # "user:password@a.org/x", of a URL without its scheme
_URL_BEHIND = later(r"[/?#]\w|:[0-9]")

_KEY = later(r"(?i:mail|to|cc|from|user|login|name|addr(?:ess)?|contact|sender|author|account|id)\Z")
_ID_BEFORE = later(r"(?i:\b(?:(?:article|message(?:[ -]id)?|msg-?id)\b[ \t:]{0,3}<?|(?:cid|mid|s?news):))\Z")
_MESSAGE_ID = later(
    # Many digits among other things; digits alone as long as no number of a telephone
    r"(?=(?:[^0-9]*[0-9]){10})[0-9]*[^0-9].*|[0-9]{14,}"
    # Hexadecimal: of Thunderbird, and UUIDs
    r"|[0-9A-Fa-f]{8}[.-][0-9A-Fa-f]{4,}.*|(?=.*[0-9])(?=.*[A-Fa-f])[0-9A-Fa-f]{16,}"
    # Random letters of both cases
    r"|(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[\w+/=.-]{24,}"
    # By the name of the program
    r"|(?i:alpine|pine|slrn\w*)\..*|.*\.(?:fsf|camel|gnus|ln)|.*[0-9].*[$].*|.*[$].*[0-9].*"
)


def read_address(b: Buffer, sign: int) -> Hit | None:
    """Read the address whose ``@`` is at ``sign``."""
    text = b.text
    start = _local_start(text, sign, b.last) if b.limits.asks_for_addresses else None
    if start is None:
        return None
    head, _ = cut_run(b, sign + 1, sign + 1, LONGEST_HOST)
    inside, candidate = read_closed(b, start)
    local, _, domain = inside.rpartition("@")
    if candidate and local == text[start:sign] and 0 < domain_end(domain) == len(domain):
        candidate = candidate._replace(confidence=_IN_BRACKETS)
    else:
        end = domain_end(head)
        is_login = _LOGIN_BEFORE.search(text, max(0, start - 2), start) and _URL_BEHIND.match(head, end)
        if not end or is_login or _REMOTE.match(head, end):
            return None
        inner = Span(start, sign + 1 + end)
        candidate = candidate_at(text, inner, Form.ABBREVIATED, inner)._replace(confidence=_FREE)
    fault = "the ID of a message" if _is_message_id(text, start, sign) else ""
    if not b.limits.emails and fault:
        return None
    would_count = "" if b.limits.emails else _WOULD_COUNT
    return weighed(b, candidate._replace(added="mailto:"), fault or would_count)


def _local_start(text: str, sign: int, floor: int) -> int | None:
    """Return the start of the local part that ends at ``sign``, or None."""
    low = max(floor, sign - _LONGEST_LOCAL - 1, text.rfind("@", floor, sign) + 1)
    match = _LOCAL.search(text[low:sign])
    if match is None or match.end() - match.start() > _LONGEST_LOCAL:
        return None
    local = match.group()
    start = low + match.start() + len(local) - len(local.lstrip(_MARKS))
    if start < sign:
        start = _after_key(text, word_start(text, start, sign), sign)
    before = text[start - 1 : start]
    follows_url = floor > 0 and start - floor <= (before == "/")
    is_begun = start < sign and (follows_url or before not in ("@", "/", "$", "%", "{"))
    is_whole = is_begun and not _PART_BEFORE.search(text, max(0, start - 3), start)
    return start if is_whole and text[sign - 1] not in ".}%`|)" else None


def _after_key(text: str, start: int, sign: int) -> int:
    """Return where the value of "email=joe" begins; the "=" of "list-joe=a.org" is of the local part."""
    key, is_key, name = text[start:sign].rpartition("=")
    is_value = is_key and _KEY.search(key) and name[:1].isalnum()
    return start + len(key) + 1 if is_value else start


def domain_end(run: str) -> int:
    """Return the end of the domain that a run begins with, 0 if it begins with none."""
    literal = _LITERAL.match(run)
    if literal:
        return literal.end()
    labels = host_labels(run)
    while len(labels) > 1 and not (tld_of(labels[-1]) or labels[-1].lower() in _LOCAL_DOMAINS):
        labels.pop()
    domain = ".".join(labels)
    return len(domain) if len(labels) > 1 and "_" not in domain else 0


def _is_message_id(text: str, start: int, sign: int) -> bool:
    """Return whether the local part, or what stands before it, is that of a Message-ID."""
    if _MESSAGE_ID.fullmatch(text, start, sign) or is_of_machines(text, start):
        return True
    return _ID_BEFORE.search(text, max(0, start - 20), start) is not None
