"""Hosts without a scheme: ``github.com/x``, ``docs.python.org``, ``localhost:8080/x``, ``10.0.0.1/x``.

The table of top-level domains says what may be one, `lookalikes` what else such a name
is; where it ends is for the rules of bare URLs.
"""

from __future__ import annotations

from typing import NamedTuple

from urlextract.grammar.hosts import PORT, named_host_end
from urlextract.grammar.patterns import later
from urlextract.grammar.tlds import OLDEST, tld_of
from urlextract.linebreaks.joining import without_prefixes
from urlextract.linebreaks.prefixes import used_prefix
from urlextract.records import Candidate, Form, Span
from urlextract.scanner.bare import LONGEST_HOST, byte_defects, head_of_run, readable
from urlextract.scanner.endings import MORE, Bracket, wrapper_ending
from urlextract.scanner.lookalikes import Name, fault_of
from urlextract.scanner.machines import is_of_machines
from urlextract.scanner.openers import line_prefix, url_label_start
from urlextract.scanner.outcome import NOTHING, Limits, Outcome, refused
from urlextract.scanner.places import follows_name
from urlextract.scanner.running import after_host, completed

__all__ = ["begins_sentence", "look_at_local", "look_at_name", "read_closed", "weighed"]

_WOULD_COUNT = "a host without a scheme: it counts with --relaxed"

_LONGEST_LABEL = 63  # RFC 1035, section 2.3.4
_LABEL = later(r"(?<![\w-])[\w-]{1,63}\Z")
_NO_START = frozenset("$%#~&^+!\\")  # before a variable, an anchor, an escape, the next host of UUCP
_OTHER_SCHEME = later(r"(?<![A-Za-z])(?i:sips?|mailto|urn|tag|tel|xmpp|im|acct|file|data|s3|jdbc|scp|git):\Z")
_BEFORE_ASCII = later(r"[\u2e80-\ud7ff\uf900-\U0003ffff](?=[A-Za-z0-9-]+\Z)")  # scripts without blanks
_PORT = later(PORT)
_MOST_PORT = 65_535
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = later(rf"(?!0){_OCTET}(?:\.{_OCTET}){{3}}(?![\w-]|\.\w)")
_NETWORK = later(r"/[0-9.]{1,15}\Z")
# Four numbers alone are a version, or the number of a section, more often than a host.
_ADDRESS_ALONE = later(
    r"(?!.*\.(?:0|255)\Z)(?:(?:1[0-9][0-9]|2(?:[01][0-9]|2[0-3]))\.|10\.0\.|([1-9][0-9]?)\.\1\.\1\.\1\Z)"
)
_VERSION_BEFORE = later(r"(?i:\b(?:v|version|release|section|build)[.:]?\s?)\Z|\[\Z")
# "joe at a.org" and the like, and what programs import
_HIDDEN_BEFORE = later(
    r"(?i:[(\[{<]\s?at\s?[)\]}>]\s?|-at-\s{0,3}|[(<]\s?[\w.+-]{1,30}\sat\s|\b(?:import|require|package)\s)\Z"
)
_BEFORE = 40  # characters before a host that say what is none
_LOCALHOST = later(r"(?<![\w./@:\\$%#-])(?i:localhost)\Z")
_LOCAL_REST = later(r":[0-9]{2,5}(?![\w.-]|:\w)|/[A-Za-z~]")

# How sure a host is a URL, by what stands with it.
_IN_BRACKETS, _WITH_MORE, _OF_THREE, _OLD, _NEW, _NUMBER = 0.9, 0.7, 0.5, 0.4, 0.3, 0.25


class Closed(NamedTuple):
    """What a bracket holds that is closed, and the same without what broke it."""

    candidate: Candidate
    text: str


def label_start(text: str, end: int, floor: int) -> int | None:
    """Return the start of the label that ends at ``end``, or None.

    What is glued to letters of ASCII in a script without blanks is the sentence's.
    """
    match = _LABEL.search(text, max(floor, end - _LONGEST_LABEL), end)
    if match is None:
        return None
    words = None if match.group().isascii() else _BEFORE_ASCII.search(text, match.start(), end)
    return words.end() if words else match.start()


def _name_start(text: str, end: int, floor: int) -> int | None:
    """Return the start of the host whose first label ends at ``end``, or None."""
    start = label_start(text, end, floor)
    if start is None:
        return None
    before = text[start - 1] if start else " "
    if before == "\\" and text[start] in "nrt":  # of program text
        return start + 1 if start + 1 < end else None
    if before in _NO_START or text[start] in "-_" or text[max(0, start - 2) : start] == "::":
        return None
    if before == ":" and _OTHER_SCHEME.search(text, max(0, start - 8), start):
        return None
    return None if follows_name(text, start) else start


def look_at_name(text: str, dot: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Read the host whose first label ends before ``dot``; None asks for more text."""
    if not limits.asks_for_hosts or text[dot - 1 : dot].isspace():
        return NOTHING
    if dot + 1 == len(text):
        return NOTHING if is_whole else None
    if not text[dot + 1].isalnum():
        return NOTHING
    start = _name_start(text, dot, floor)
    if start is None or is_of_machines(text, start):
        return NOTHING
    return _read(text, start, floor, limits, is_whole=is_whole)


def look_at_local(text: str, mark: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Read ``localhost`` before a colon or a slash; None asks for more text."""
    if not limits.asks_for_hosts or not _LOCALHOST.search(text, max(floor, mark - 9), mark):
        return NOTHING
    return _read(text, mark - 9, floor, limits, is_whole=is_whole)


def _read(text: str, start: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Read the host that begins at ``start``, in a bracket or free."""
    closed = read_closed(text, start, floor, limits, is_whole=is_whole)
    if closed is None:
        return None
    end = host_end(closed.text)
    if end and not _fault(closed.text, end, is_alone=True):
        candidate = closed.candidate._replace(added="http://", confidence=_IN_BRACKETS)
        return weighed(text, candidate, limits, "" if limits.relaxed else _WOULD_COUNT)
    return _read_free(text, start, limits, is_whole=is_whole)


def _read_free(text: str, start: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    head = head_of_run(text, start, limits, is_whole=is_whole)
    if head is None:
        return None
    end = host_end(head)
    if not end or (end == len(head) >= LONGEST_HOST):
        return NOTHING
    tail = after_host(text, start, head, end, limits, is_whole=is_whole)
    if tail is None:
        return None
    inner = Span(start, start + tail[0])
    raw = inner.of(text)
    before, behind = text[max(0, start - _BEFORE) : start], text[start + end : start + end + 2]
    if behind == "\\" and not is_whole:
        return None
    fault = _fault(raw, end, before, behind, is_alone=_is_alone(before, behind))
    candidate = Candidate(
        span=inner,
        form=Form.ABBREVIATED,
        raw=raw,
        inner=inner,
        defects=tail[1],
        added="http://",
        confidence=_confidence(raw, end),
    )
    if not limits.relaxed:
        return NOTHING if fault else weighed(text, candidate, limits, _WOULD_COUNT)
    if fault:
        return weighed(text, candidate, limits, fault)
    quiet = limits if "/" in raw else limits._replace(looks_on=False)  # a host alone does not go on
    return completed(text, candidate, (), quiet, is_whole=is_whole)


def weighed(text: str, candidate: Candidate, limits: Limits, fault: str) -> Outcome:
    """Return the candidate, or with ``fault`` its refusal where somebody asks for that."""
    if not fault:
        return Outcome(candidate)
    return refused(candidate.form, text, *candidate.span, fault) if limits.explains else NOTHING


def read_closed(text: str, start: int, floor: int, limits: Limits, *, is_whole: bool) -> Closed | None:
    """Read the bracket that opens right before ``start`` and holds no blank but at line ends.

    Without one, the text in it is ""; None asks for more text.
    """
    at = url_label_start(text, start) or start
    escaped = text[max(0, at - 4) : at] == "&lt;"
    opens = at - (4 if escaped else 1)
    if opens < floor or not (escaped or text[opens] == "<"):
        return _NOT_CLOSED
    prefix = line_prefix(text, opens)
    ending = wrapper_ending(Bracket(text, start, prefix, limits, is_whole=is_whole, escaped=escaped))
    if ending is MORE:
        return None
    if ending.fault or ending.start != start:
        return _NOT_CLOSED
    raw = text[start : ending.raw_end].rstrip()
    used = used_prefix(raw, prefix)
    inside = without_prefixes(readable(raw), used)
    if " " in inside:
        return _NOT_CLOSED
    candidate = Candidate(
        span=Span(opens, ending.end),
        form=Form.ABBREVIATED,
        raw=readable(raw),
        inner=Span(start, start + len(raw)),
        prefix=used,
        escapes="entities" if escaped else "",
        defects=byte_defects(raw),
    )
    return Closed(candidate, inside.replace("\n", ""))


_NOT_CLOSED = Closed(Candidate(Span(0, 0), Form.ABBREVIATED, "", Span(0, 0)), "")


def host_end(run: str) -> int:
    """Return the end of the host that a run begins with, 0 if it begins with none.

    Where the next sentence is glued on ("example.com.Then"), it ends before it.
    """
    if _LOCALHOST.search(run, 0, 9) and _LOCAL_REST.match(run, 9):
        return 9
    number = _IPV4.match(run)
    if number:
        return 0 if run.startswith("@", number.end()) else number.end()
    end = named_host_end(run)
    if end is None or run.startswith("@", end):
        return 0
    labels = run[:end].split(".")
    while begins_sentence(labels):
        labels.pop()
    return len(".".join(labels)) if tld_of(labels[-1]) else 0


def begins_sentence(labels: list[str]) -> bool:
    """Return whether the last label is the first word of a sentence that is glued to a host."""
    if len(labels) < 3 or not labels[-1].istitle():
        return False
    return labels[-2].islower() and tld_of(labels[-2]) is not None


def _is_alone(before: str, behind: str) -> bool:
    """Return whether a host has a line of its own, be it quoted."""
    _, end, line = before.rpartition("\n")
    return behind[:1] in ("", "\n", "\r") and not line.strip("> |\t") and (bool(end) or len(before) < _BEFORE)


def _fault(run: str, end: int, before: str = "", behind: str = "", *, is_alone: bool) -> str:
    """Return why the host that ends at ``end`` of ``run`` is none, or ""."""
    port = _PORT.match(run, end)
    digits = port.group()[1:] if port else ""
    rest = run[port.end() if port else end :]
    if digits and int(digits) > _MOST_PORT:
        return "no port has that number"
    labels = run[:end].split(".")
    if len(labels) == 1:  # localhost
        return ""
    if labels[-1].isdigit():
        return "" if digits else _number_fault(run[:end], rest, before)
    if not rest and _HIDDEN_BEFORE.search(before):
        return "a mail address that is hidden, or a name in a program"
    tld = tld_of(labels[-1]) or ""
    has_path = rest[:1] == "/" and not (rest.endswith(f".{tld}") and tld not in OLDEST)
    return fault_of(Name(labels, tld, behind, has_path, bool(digits), is_alone))


def _number_fault(host: str, rest: str, before: str) -> str:
    """Return why four numbers are no host: a network, a version, or an address as mail has it."""
    if _NETWORK.match(rest):
        return "a network"
    if rest:
        return ""
    is_address = _ADDRESS_ALONE.match(host) and not _VERSION_BEFORE.search(before)
    return "" if is_address else "a version, a section, or an address of mail"


def _confidence(run: str, end: int) -> float:
    """Return how sure a free host is a URL."""
    if end < len(run):
        return _WITH_MORE
    labels = run.split(".")
    if labels[-1].isdigit():
        return _NUMBER
    if len(labels) > 2:
        return _OF_THREE
    tld = tld_of(labels[-1]) or ""
    return _OLD if tld in OLDEST or len(tld) == 2 else _NEW
