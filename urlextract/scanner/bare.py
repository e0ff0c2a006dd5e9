"""Bare URLs: where one ends in running text.

Nothing but the text says so: blanks, brackets and punctuation behind it.
"""

import re
from typing import NamedTuple

from urlextract.grammar.chars import (
    ENTITY,
    OPENERS,
    STRAY_BYTES,
    end_beyond_ascii,
)
from urlextract.grammar.hosts import ASCII_HOST, PORT, abbreviated_host_end, authority, loose_authority
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEMES, has_shape, may_have_shape
from urlextract.scanner.glued import next_url
from urlextract.scanner.outcome import Limits, rest_fault
from urlextract.scanner.trimming import closed_end, trimmed

__all__ = [
    "HEAD",
    "LONGEST_HOST",
    "OWN_AUTHORITY",
    "Run",
    "bare_run",
    "byte_defects",
    "clean_run",
    "head_of_run",
    "host_fault",
    "may_be_label",
    "readable",
    "whole_run",
]

HEAD = 512
"""Characters of a run that are looked at first: any host and login end in them."""

LONGEST_HOST = 256
"""Characters in which a host ends: RFC 1035, section 2.3.4, has 253, and a full stop may follow."""

_RUN = later(r'[^\x00-\x20<>"`\x7f]*+')
# What can end a run as a bracket that closes does; "[/" closes a tag of forums.
_END_MARK = later(r"[)\]}\\&]")
# What can end a run, and brackets that open, for the sake of those that close
_EVENT = later(rf"\[/|[()\[\]{{}}\\]|{ENTITY}")
# By the bracket that opens before them: words on the line up to one of its kind.
_WORDS = {pair[0]: later(rf'[^{re.escape(pair)}<>"\r\n]{{1,120}}') for pair in ("()", "[]", "{}")}
OWN_AUTHORITY = later(rf"[A-Za-z][A-Za-z0-9+.-]*+://{ASCII_HOST}{PORT}(?:[/?#]|\Z)")
"""A joined URL whose host and port are plain."""

# "a..b", "a-.b", and "a[.]b" of those who defuse URLs: a stump of a faulty host is no host.
_HOST_GOES_ON = later(r"(?:[.-]{1,8}[{%]?|\[\.\]|\(\.\)|\{\.\}|\[(?i:dot)\])\w|%[0-9A-Fa-f]{2}")
_LONGEST_END = 32  # characters that show together that a run ends: an entity, and what may follow it
_STRAY_BYTE = later(r"[\udc80-\udcff]")
_PORT_END = later(r":[0-9]++\Z")
_SCHEME_AS_HOST = later(r"//(?i:https?|ftp)://")  # "http://http://a.example/"
_ESCAPED_HOST = later(r"\\(?:[.-]|&[.])\w")
_OWN_SCHEME = later(r"[A-Za-z][A-Za-z0-9+.-]{0,39}+://")
_NO_GROUP = later(r"[/:?#]")
_OWN_HOST = later(r"(?i:www\.)(?![^@\s/]{0,200}+@)")


class Run(NamedTuple):
    """A bare run: where it ends, why it is none, what is wrong with it."""

    end: int
    fault: str | None = None
    defects: tuple[str, ...] = ()


def bare_run(text: str, start: int, rest: int, limits: Limits, *, is_whole: bool) -> Run | None:
    """Find the end of the URL whose scheme begins at ``start`` and whose rest at ``rest``.

    None where more text is needed.
    """
    written = text[start : rest - 1]
    name = written.lower()
    if not limits.explains and _is_hopeless(name, text, rest, is_whole=is_whole):
        return Run(rest, _no_shape(name))
    cut = _Cutter(text, start, limits, is_whole, keeps_backslash=name == "file")
    head = cut.run(rest, HEAD)
    if head is None:
        return None
    host_end = _host_end(name, head.text) if head.text.startswith("//") else len(head.text)
    if host_end is None or _is_escaped_host(head.text, text, rest + host_end):
        return Run(rest + (host_end or 0), 'no host after "//"')
    if head.is_ended or host_end < len(head.text):
        run = trimmed(head.text[:host_end], text, start)
        return Run(rest + len(run), _bare_fault(name, run, written))
    fault = _bare_fault(name, head.text, written)
    if fault:  # no run that is longer has the shape: do not look for its end
        return Run(rest, fault)
    clean = cut.clean_run(rest)
    if clean is None:
        return None
    run = trimmed(clean[0], text, start)
    return Run(rest + len(run), None, clean[1])


class _Cut(NamedTuple):
    text: str
    is_ended: bool


class _Cutter(NamedTuple):
    """Cuts runs where blanks, quotes or brackets end them, or what comes before ``url`` closes them."""

    text: str
    url: int
    limits: Limits
    is_whole: bool
    keeps_backslash: bool = False

    def clean_run(self, start: int) -> tuple[str, tuple[str, ...]] | None:
        """Return the run that begins at ``start``, untrimmed, with its defects, or None for more text.

        It looks four times as far each time, so that no place costs more than what it holds.
        """
        reach, most = HEAD, self.limits.max_run
        while True:
            cut = self.run(start, reach)
            if cut is None:
                return None
            if cut.is_ended:
                return cut.text, ()
            if reach >= most:
                return cut.text, (f"cut at {most} characters",)
            reach *= 4

    def run(self, start: int, reach: int) -> _Cut | None:
        """Look at most ``reach`` characters far for the end of the run that begins at ``start``."""
        text, most = self.text, self.limits.max_run
        reach = min(reach, most)
        match = _RUN.match(text, start, start + reach)
        end = match.end() if match else start
        run = text[start:end]
        if not run.isascii():
            run = readable(run)
            run = run[: end_beyond_ascii(run)]
        if ":" in run:
            run = run[: next_url(run)]
        closed = run[: _closed_end(run, keeps_backslash=self.keeps_backslash)]
        closed = closed[: closed_end(closed + text[start + len(closed) : end + 1][:1], text, self.url)]
        is_ended = len(closed) < end - start or end - start < reach
        is_open = len(run) - len(closed) < _LONGEST_END
        if is_open and end == len(text) and not self.is_whole and len(run) == end - start < most:
            return None
        if len(closed) == end - start and text[end : end + 1] in (" ", "\t"):
            words = _bracket_of_words(closed, text, end)
            if words is None and not self.is_whole:
                return None
            closed = closed[:words]
        return _Cut(closed, is_ended)


def clean_run(
    text: str, start: int, url: int, limits: Limits, *, is_whole: bool
) -> tuple[str, tuple[str, ...]] | None:
    """Cut the run at ``start`` that belongs to the URL at ``url``: see `_Cutter.clean_run`."""
    return _Cutter(text, url, limits, is_whole).clean_run(start)


def head_of_run(text: str, start: int, limits: Limits, *, is_whole: bool) -> str | None:
    """Give as much of the run that begins at ``start`` as a host can take, None for more text."""
    head = _Cutter(text, start, limits, is_whole).run(start, LONGEST_HOST)
    return None if head is None else head.text


def whole_run(text: str, start: int, limits: Limits, *, is_whole: bool) -> str | None:
    """Return the run that begins at ``start``, "" if it is longer than people type, None for more text."""
    cut = _Cutter(text, start, limits, is_whole).run(start, HEAD)
    return cut and (cut.text if cut.is_ended else "")


def _is_escaped_host(run: str, text: str, end: int) -> bool:
    """Say whether the host goes on behind a backslash, as in a pattern or a man page."""
    is_host = run.startswith("//") and {"/", "?", "#"}.isdisjoint(run[2:])
    return is_host and _ESCAPED_HOST.match(text, end) is not None


def _bracket_of_words(run: str, text: str, end: int) -> int | None:
    """Give where a bracket opens in ``run`` that closes behind words on the line, as in "x[the docs]".

    Without one it is the length of the run, which ends at ``end`` in ``text``; None for more text.
    """
    opened: list[int] = []
    for at, char in enumerate(run) if any(opener in run for opener in OPENERS.values()) else ():
        if char in "([{":
            opened.append(at)
        elif opened and OPENERS.get(char) == run[opened[-1]]:
            opened.pop()
    if not opened:
        return len(run)
    words = _WORDS[run[opened[-1]]].match(text, end)
    stop = words.end() if words else end
    if stop == len(text):
        return None
    return opened[-1] if OPENERS.get(text[stop]) == run[opened[-1]] else len(run)


def readable(text: str) -> str:
    """Read stray bytes as Windows-1252, character for character."""
    if text.isascii():
        return text
    for byte in {*_STRAY_BYTE.findall(text)}:  # few, where there are any
        text = text.replace(byte, STRAY_BYTES[ord(byte)])
    return text


def byte_defects(raw: str) -> tuple[str, ...]:
    """Give the defect of a text with bytes that its charset does not know."""
    return () if readable(raw) == raw else ("undecodable bytes",)


def _closed_end(run: str, *, keeps_backslash: bool) -> int:
    """Give the place of the first bracket that was never opened, or of what ends a run like it."""
    if not _may_be_ended(run):
        return len(run)
    opened = {"(": 0, "[": 0, "{": 0}
    for match in _EVENT.finditer(run):
        char = match.group()
        if char in opened:
            opened[char] += 1
        elif char in OPENERS:
            opened[OPENERS[char]] -= 1
            if opened[OPENERS[char]] < 0:
                return match.start()
        elif char != "\\" or not keeps_backslash:
            return match.start()
    return len(run)


def _may_be_ended(run: str) -> bool:
    """Return whether a mark in ``run`` can end it."""
    return _END_MARK.search(run) is not None or "[/" in run


def _host_end(name: str, run: str) -> int | None:
    """Give where the URL must end because its host does, None without a host."""
    row = SCHEMES.get(name)
    if row is None or row.any_authority:
        end = loose_authority(run, 2)
        return (len(run) if run[end : end + 1] in ("/", "?", "#") else end) if len(run) > 2 else None
    if row.hostless and run[2:3] == "/":
        return len(run)
    if name == "file":  # "file://C:\\x" and "file://host/x" alike
        return len(run) if len(run) > 2 and (run[2].isalnum() or run[2] in "\\~") else None
    host = authority(run, 2)
    if host is None or _SCHEME_AS_HOST.match(run):
        return None
    if _HOST_GOES_ON.match(run, host) and not _PORT_END.search(run, max(0, host - 10), host):
        return None
    return len(run) if run[host : host + 1] in ("/", "?", "#") else host


def _bare_fault(name: str, run: str, written: str) -> str | None:
    if run.startswith("//"):
        return None if len(run) > 2 else 'nothing after "//"'
    row = SCHEMES[name]
    if not row.bare:
        return f'"{name}:" counts in <URL:...> only'
    if not row.any_case and written != written.lower():
        return f'"{written}:" is a label'
    if rest_fault(run):
        return rest_fault(run)
    if _OWN_SCHEME.match(run) or (may_be_label(run) and (written != "news" or _NO_GROUP.search(run))):
        return f'"{written}:" is a label of the URL behind it'
    if not has_shape(name, run):
        return _no_shape(name)
    return None


def _no_shape(name: str) -> str:
    return f'what follows does not have the shape of "{name}:"'


def _is_hopeless(name: str, text: str, rest: int, *, is_whole: bool) -> bool:
    """Return whether what begins at ``rest`` has not the shape of ``name:``, wherever it ends.

    Whether escapes stand in it is for others to see.
    """
    head = text[rest : rest + HEAD]
    if head.startswith("//") or "\\" in head or not (is_whole or len(head) == HEAD):
        return False
    return not may_have_shape(name, readable(head), 0, HEAD)


def may_be_label(run: str) -> bool:
    """Say whether what stands before ``run`` may be a word, for it is a URL without its scheme."""
    return _OWN_HOST.match(run) is not None and abbreviated_host_end(run) is not None


def host_fault(name: str, url: str, start: int) -> str | None:
    """Say what is wrong with the host that begins at ``start`` of a bracketed URL."""
    row = SCHEMES.get(name)
    rest = url[start:]
    if row is None or row.any_authority:
        end = loose_authority(url, start)
        is_sound = end > start and url[end : end + 1] in ("", "/", "?", "#")
        return None if is_sound else 'no host after "//"'
    if row.hostless and (rest[:1] == "/" or (name == "file" and rest)):
        return None
    host = authority(url, start)
    if host is None or _SCHEME_AS_HOST.match(url, start - 2):
        return 'no host after "//"'
    if url[host : host + 1] in ("", "/", "?", "#") or url[host:] == ".":
        return None
    return "a host that does not end as one"
