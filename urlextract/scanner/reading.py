"""Read one place in a text, found by its colon or dot, and return the URL there, if any.

A bracket or a quote around it is tried first; if that is given up, the place is read as
running text. No state is kept between places: the result depends only on the text from
`CONTEXT` characters before the place to the end of the URL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from urlextract.grammar.backslashes import (
    LONGEST_ESCAPE,
    SLASHES,
    Escaping,
    begins_mark,
    decodings,
    escaped_end,
)
from urlextract.grammar.chars import LINE_END
from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.grammar.defanged import MARKED_DOT
from urlextract.grammar.edits import Copy
from urlextract.grammar.hosts import PORT, abbreviated_host_end, named_host_end
from urlextract.grammar.marks import MARKS_AND_BLANKS, WRAPPERS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.rules import Rule
from urlextract.grammar.tlds import tld_of
from urlextract.linebreaks.joining import SCHEME_OF_HOST
from urlextract.linebreaks.prefixes import skip_prefix, used_prefix
from urlextract.records import MAY_CONTINUE, Alternative, Defect, Form, Match, Span
from urlextract.scanner.bare import (
    CUT_OFF,
    FIRST_REACH,
    HEAD,
    LONGEST_HOST,
    LONGEST_SCHEME,
    SHORTENED_REACH,
    SHORTENING,
    bare_end,
    clean_run,
    cut_at,
    follows_escape,
    glued_start,
    host_head,
    is_cut_off,
    is_whole_host,
    may_be_cut_off,
    may_be_label,
    name_start,
    scheme_start,
    trimmed,
    with_glued_text,
)
from urlextract.scanner.buffer import QUOTED_AFTER, Buffer, byte_defects, line_prefix, readable, with_url
from urlextract.scanner.continuation import ENDS_HERE, LONGEST_OPENING, Continuation, continuation
from urlextract.scanner.line_breaks import Certainty, is_comment, reasons
from urlextract.scanner.quoted_printable import (
    SPLIT_SCHEME,
    break_limit,
    is_quoted_printable,
    may_be_quoted,
    split_name,
    with_doubt,
)
from urlextract.scanner.references import with_references
from urlextract.scanner.url_checks import is_name_in_markup
from urlextract.scanner.wrappers import (
    AFTER_OPENER,
    find_opener,
    may_be_opened,
    read_head_of_scheme,
    read_quotation,
    read_wrapper,
)

_BLANKS = frozenset(" \t\n\r\v\f")
_UNCLOSED = Defect.of(DefectCode.UNCLOSED)
_GLUED_BEFORE = Defect.of(DefectCode.GLUED_BEFORE)
# "//www.example.com/x.js" in markup and programs, "_www.example.com_" as underlined text;
# "http//www.example.com", "http;//www..." as typing errors.
_NO_NAME = lazy_re(r"(?:[\s\"'=(]|\A)(?://|_{1,3})\Z|(?<![A-Za-z0-9])(?i:https?|ftp)(?:[:;.]?//|:/)\Z")
# Marks of a list at the start of a line, and three dots
_LIST = lazy_re(rf"(?:\A|[\r\n]){MARKS_AND_BLANKS}*+(?:-{{1,2}}|[0-9]{{1,9}}\.)\Z|(?<![\w.])\.{{3,9}}\Z")
_LONGEST_NO_NAME = 10
# A scheme that ends its line; some of its slashes may begin the next one.
_ENDS_LINE = lazy_re(rf":(/{{0,2}}+)[ \t]{{0,8}}+{LINE_END}")
_SLASHES = lazy_re(r"/{0,2}+")
_SCHEMES_OF_HOSTS = frozenset(
    (
        "ftp",
        "ftps",
        "git",
        "gopher",
        "http",
        "https",
        "irc",
        "rsync",
        "rtsp",
        "sftp",
        "ssh",
        "svn",
        "ws",
        "wss",
    )
)


def read_at_colon(buffer: Buffer, colon: int) -> Match | None:
    """Read the place whose scheme, or ``URL``, ends before ``colon``."""
    start = name_start(buffer, colon)
    split = split_name(buffer, start, colon)
    if split:
        first, length = split
        return _read_quoted_printable(buffer, first, None, _scheme_reader(length))
    if not 0 < colon - start <= LONGEST_SCHEME:
        return None
    found = _read_named(buffer, start, colon)
    alone = None if found else _read_alone(buffer, start, colon)
    if alone:
        buffer.rejected.clear()
    return found or alone


def _read_named(buffer: Buffer, start: int, colon: int) -> Match | None:
    """Read the place whose scheme, or ``URL``, is ``start:colon`` or ends it."""
    text = buffer.text
    after = text[colon + 1 : colon + 2]
    if after in _BLANKS and not buffer.limits.explains and not may_be_opened(buffer, colon):
        return None  # no bare URL has a blank after its colon
    if after == "\\" and SLASHES.startswith(text[colon + 1 : colon + 1 + len(SLASHES)]):
        buffer.need(len(SLASHES) + 1, colon)
        if not text.startswith(SLASHES, colon + 1):
            return None
        return _read_escaped(buffer, start, "json", _scheme_reader(colon - start))
    if text[colon - 3 : colon].lower() == "url":
        opener = find_opener(buffer, colon - 3)  # without one, the scheme after it is a place of its own
        return read_wrapper(buffer, opener, colon + 1, Form.URL_WRAPPER) if opener else None
    if start > buffer.last and text[start].isalpha():
        found = _read_bracketed(buffer, start, colon)
        if found:
            return found
    found, reader = _read_scheme(buffer, start, colon), _scheme_reader(colon - start)
    if buffer.stop < 0:
        return None  # no scheme ends there, decoded or not
    if _goes_on_escaped(buffer):
        return _read_escaped(buffer, start, "marks", reader)
    return _read_quoted_printable(buffer, start, found, reader)


def read_at_dot(buffer: Buffer, dot: int) -> Match | None:
    """Read the place whose ``www`` or ``ftp`` ends before ``dot``."""
    start = dot - 3
    if start < buffer.last or follows_name(buffer.text, start):
        return None
    opener = _unlabelled_opener(buffer, start)
    if opener:
        found = read_wrapper(buffer, opener, start, Form.ABBREVIATED)
        if found:
            return found
    found = _read_host(buffer, start)
    if _goes_on_escaped(buffer):
        found = _read_escaped(buffer, start, "marks", _read_host)
    else:
        found = _read_quoted_printable(buffer, start, found, _read_host)
    return found


def follows_name(text: str, start: int) -> bool:
    """Return whether ``start`` is inside a name: of a host, a file or a mail address."""
    before = text[start - 1] if start > 0 else " "
    if not (before.isascii() and (before.isalnum() or before in "/@._-")) or follows_escape(text, start):
        return False
    if text.startswith("_", start + 4):
        return True
    earliest = max(0, start - _LONGEST_NO_NAME)
    return _NO_NAME.search(text, earliest, start) is None and _LIST.search(text, earliest, start) is None


def _read_alone(buffer: Buffer, start: int, colon: int) -> Match | None:
    """Read the URL whose scheme ends its line if the next line begins with its host.

    That is one that begins with ``www.`` or has a known suffix, in small letters.
    """
    text = buffer.text
    ends_line = _ENDS_LINE.match(text, colon)
    is_known = ends_line is not None and text[start:colon].lower() in _SCHEMES_OF_HOSTS
    if not (is_known and ends_line and buffer.limits.joins) or find_opener(buffer, start):
        return None
    prefix = line_prefix(text, start)
    at = skip_prefix(text, ends_line.end(), prefix)
    buffer.need(2, at)
    slashes = _SLASHES.match(text, at)
    host_start = slashes.end() if slashes else at
    if len(ends_line[1]) + host_start - at != 2:
        return None
    head = host_head(buffer, host_start)
    host = abbreviated_host_end(head) or named_host_end(head)
    name = head[:host]
    if host is None or not (
        name[:4] in SCHEME_OF_HOST or (name.islower() and tld_of(name.rpartition(".")[2]))
    ):
        return None
    length, defects = after_host(buffer, host_start, head, host)
    span = Span(host_start, host_start + length)
    match = taken(buffer, span, host_start, Form.BARE, Rule.SCHEME, defects=defects)
    inner = Span(start, match.span.end)
    raw, prefix = readable(inner.of(text)), used_prefix(inner.of(text), prefix)
    return with_url(match._replace(span=inner, inner=inner, raw=raw, prefix=prefix, also=()))


# --- brackets -----------------------------------------------------------------------------------


def _read_bracketed(buffer: Buffer, start: int, colon: int) -> Match | None:
    text = buffer.text
    if text[start - 1] == '"':
        return read_quotation(buffer, start)
    opener = _unlabelled_opener(buffer, start)
    if opener:
        return read_wrapper(buffer, opener, start, Form.ANGLE)
    if text.startswith("//", colon + 1):
        return read_head_of_scheme(buffer, start, colon)
    return None


def _unlabelled_opener(buffer: Buffer, start: int) -> tuple[int, str, str] | None:
    """Return the opening bracket before ``start``, or None.

    A bracket with ``URL:`` after it is not returned: it was tried at the colon of ``URL:``.
    """
    text, before = buffer.text, buffer.text[start - 1]
    if start <= buffer.last:
        return None
    if before == "<":
        return start - 1, line_prefix(text, start - 1), WRAPPERS["<"]
    if before not in AFTER_OPENER and not before.isspace():
        return None
    opener = find_opener(buffer, start)
    if opener and text[opener[0] : start].rstrip().lower().endswith("url:"):
        return None
    return opener


# --- running text -------------------------------------------------------------------------------

_PORT = lazy_re(PORT)
_DIGITS = lazy_re(r":[0-9]{1,9}+")


def _read_scheme(buffer: Buffer, run_start: int, colon: int) -> Match | None:
    """Read the URL whose scheme is a suffix of ``run_start:colon``.

    Set ``buffer.stop`` to where it ends, whether it is taken or rejected.
    """
    text = buffer.text
    if buffer.size - colon < 3:
        buffer.need(3, colon)
    has_slashes = text.startswith("//", colon + 1)
    start = scheme_start(buffer, run_start, colon, has_slashes=has_slashes)
    is_glued = start < 0 and has_slashes
    if is_glued:
        start = glued_start(text, run_start, colon)
    if start < 0:
        if has_slashes:
            buffer.stop = colon + 3
            buffer.reject(Form.BARE, run_start, buffer.stop, Rule.UNREGISTERED)
        return None
    end, rejection, defects = bare_end(buffer, start, colon + 1)
    if is_glued:
        defects = (_GLUED_BEFORE, *defects)
        if rejection or not is_whole_host(text, colon, end):
            buffer.stop = max(end, colon + 3)
            buffer.reject(Form.BARE, run_start, buffer.stop, Rule.UNREGISTERED)
            return None
    before = text[start - 1 : start]
    label = label_start(text, start, buffer.last) if before == ":" else start
    form = Form.BARE if label == start else Form.PREFIXED
    buffer.is_unclosed = buffer.is_unclosed or (label < start and find_opener(buffer, label) is not None)
    if not rejection and before == '"' and is_name_in_markup(text, start, text[start:end]):
        rejection = Rule.NAME_IN_MARKUP
    if rejection:
        buffer.stop = max(end, colon + 1)
        buffer.reject(form, start, buffer.stop, rejection)
        return None
    buffer.stop = end
    rest = "" if has_slashes else text[colon + 1 : end]
    also = (Alternative.of(f"http://{rest}", AlternativeCode.LABEL),) if may_be_label(rest) else ()
    return taken(buffer, Span(label, end), start, form, Rule.SCHEME, defects=defects, also=also)


def label_start(text: str, at: int, last: int) -> int:
    """Return the start of the ``URL:`` right before ``at``, or ``at`` if there is none after ``last``."""
    if at < last + 4 or text[at - 4 : at].lower() != "url:":
        return at
    before = text[at - 5] if at > 4 else " "
    return at if before.isascii() and before.isalnum() else at - 4


def taken(
    buffer: Buffer,
    span: Span,
    start: int,
    form: Form,
    rule: Rule,
    *,
    defects: tuple[Defect, ...],
    also: tuple[Alternative, ...] = (),
    added: Literal["", "http://", "mailto:"] = "",
    may_go_on: bool = True,
) -> Match:
    """Return the match of the URL that begins at ``start`` in ``span``.

    It is joined with the next lines if it goes on there. ``added`` is the scheme that it lacks.
    ``may_go_on`` is false if the URL ends with its line.
    """
    end = span.end
    raw = buffer.text[start:end]
    if buffer.text.startswith((" ", "\u2026"), end) and may_be_cut_off(buffer.text, start, end):
        buffer.need(2, end)
        if buffer.text.startswith(SHORTENING, end):
            buffer.need(SHORTENED_REACH, end)
    if is_cut_off(buffer.text, start, end):
        defects = (*defects, CUT_OFF)
    rest = continuation(buffer, start, end) if may_go_on else ENDS_HERE
    if buffer.joined and buffer.is_unclosed:
        also = (*also, Alternative.of(buffer.joined, AlternativeCode.IN_BRACKETS))
    match = Match(
        span=span,
        form=form,
        raw=readable(raw),
        inner=Span(start, end),
        defects=(*((_UNCLOSED,) if buffer.is_unclosed else ()), *defects, *byte_defects(raw)),
        also=also,
        added=added,
        rule=rule,
    )
    match = with_references(buffer, match)
    if rest is ENDS_HERE:
        return with_url(with_glued_text(buffer, match))
    return _with_next_lines(buffer, match, rest)


def _with_next_lines(buffer: Buffer, match: Match, rest: Continuation) -> Match:
    """Join ``match`` with the next lines of its URL, or note that it may go on there."""
    is_joined = rest.certainty >= buffer.limits.least_certainty
    hint = "" if is_joined or rest.certainty < Certainty.LIKELY else "; --join likely joins it"
    start = match.inner.start
    opening = buffer.text[max(0, start - LONGEST_OPENING) : start]
    match = match._replace(
        prefix=line_prefix(buffer.text, start),
        escapes="comments" if is_comment(opening, match.raw) else match.escapes,
        more_lines=readable(buffer.text[start : rest.end]),
        reasons=reasons(rest.evidence) + hint,
        defects=(*match.defects, MAY_CONTINUE),
    )
    return with_url(match.with_more_lines() if is_joined else match)


def _read_host(buffer: Buffer, start: int) -> Match | None:
    """Read the abbreviated URL whose host begins at ``start`` with ``www.`` or ``ftp.``."""
    text = buffer.text
    head = host_head(buffer, start)
    host = abbreviated_host_end(head)
    rejection = _abbreviated_rejection(head, host)
    if host is None or rejection:
        buffer.stop = start + (host or 4)
        buffer.reject(Form.ABBREVIATED, start, buffer.stop, rejection or Rule.THREE_LABELS)
        return None
    also: tuple[Alternative, ...] = ()
    defects: tuple[Defect, ...] = ()
    end = host
    if head[host : host + 2] == ":/" and head[:3].lower() == "ftp":  # "ftp.funet.fi:/pub", for ftp(1)
        run, more = clean_run(buffer, start, start, most=HEAD)
        if not more:
            port = _PORT.match(head, host)
            path = trimmed(run[port.end() if port else host :], text, start)
            also = (Alternative.of(f"ftp://{run[:host]}{path}", AlternativeCode.HOST_AND_PATH),)
    else:
        end, defects = after_host(buffer, start, head, host)
    buffer.stop = start + end
    span = Span(start, buffer.stop)
    return taken(buffer, span, start, Form.ABBREVIATED, Rule.ABBREVIATED_HOST, defects=defects, also=also)


def after_host(
    buffer: Buffer, start: int, head: str, host: int, *, most: int | None = None
) -> tuple[int, tuple[Defect, ...]]:
    """Return the length of the URL at ``start`` whose host ends at ``host`` of ``head``, and its defects.

    At most ``most`` characters are read, by default `ScanLimits.max_run`.
    """
    port = _DIGITS.match(head, host)
    end = port.end() if port else host
    if head[end : end + 1] not in ("/", "?", "#"):
        return len(trimmed(head[:end], buffer.text, start)), ()
    run, defects = clean_run(buffer, start, start, most=most)
    return len(trimmed(run, buffer.text, start)), defects


def _abbreviated_rejection(head: str, host: int | None) -> Rule | None:
    """Return why the host that ends at ``host`` of ``head`` is no abbreviated URL, None if it is one."""
    if host is None:
        return Rule.THREE_LABELS
    if head[host : host + 1] == "@":
        return Rule.MAIL_ADDRESS
    if MARKED_DOT.match(head, host):
        return Rule.DEFANGED
    goes_on = len(head) >= LONGEST_HOST and not head[host:].strip(".-")
    return Rule.LONG_HOST if goes_on else None


# --- escapes of JSON, man pages and the like: read decoded, and located in the original text ---------

_BEFORE = 300  # characters before a URL that may decide where it ends
_SENTINEL = "a"  # added to a run that is cut, so that its last marks are not read as sentence punctuation

_Read = Callable[[Buffer, int], Match | None]


def _scheme_reader(length: int) -> _Read:
    """Return a function that reads a scheme of ``length`` characters."""

    def read(buffer: Buffer, start: int) -> Match | None:
        # A decoded run may end within the scheme: at a soft break, if another quote prefix follows it.
        colon = start + length
        return _read_scheme(buffer, start, colon) if buffer.text.startswith(":", colon) else None

    return read


def _goes_on_escaped(buffer: Buffer) -> bool:
    """Return whether an escaped mark follows what `_read_scheme` or `_read_host` read last."""
    if buffer.stop < 0 or not buffer.text.startswith("\\", buffer.stop):
        return False
    buffer.need(LONGEST_ESCAPE["marks"], buffer.stop)
    return begins_mark(buffer.text, buffer.stop)


def _read_quoted_printable(buffer: Buffer, start: int, found: Match | None, read: _Read) -> Match | None:
    """Read the place at ``start`` decoded, if the lines around it are quoted-printable.

    Otherwise return ``found``, the result of reading it undecoded. It has a defect if the lines
    may be quoted-printable.
    """
    if not may_be_quoted(buffer, start):
        return found
    end = escaped_end(buffer.text, start, start + QUOTED_AFTER, "quoted-printable") or start
    if end < start + QUOTED_AFTER:
        buffer.need(LONGEST_ESCAPE["quoted-printable"], end)
    if is_quoted_printable(buffer, start, end):
        return _read_escaped(buffer, start, "quoted-printable", read) or found
    is_split = found is None and SPLIT_SCHEME.match(buffer.text, start) is not None
    if is_split:
        found = _read_escaped(buffer, start, "quoted-printable", read)
    return found and with_doubt(buffer, found, is_split=is_split)


def _read_escaped(buffer: Buffer, start: int, escaping: Escaping, read: _Read) -> Match | None:
    """Read the run at ``start`` decoded, by calling ``read``, and locate the match in the text.

    Each attempt reads four times as far as the one before, so that short runs are cheap.
    """
    text, most = buffer.text, buffer.limits.max_run
    limits, longest = buffer.limits._replace(looks_on=False), LONGEST_ESCAPE[escaping]
    buffer.rejected.clear()
    earliest = max(0, start - _BEFORE)
    reach = FIRST_REACH
    while True:
        reach = min(reach, most)
        stop = escaped_end(text, start, start + reach, escaping)
        if stop is None:
            buffer.reject(Form.BARE, start, start + 1, Rule.PATTERN)
            return None
        is_cut = start + reach - stop < longest
        if escaping == "quoted-printable":
            limit = break_limit(text, start, stop, joins=buffer.limits.joins)
            is_cut, stop = is_cut and limit == stop, limit
        if not (is_cut and reach == most):
            buffer.need(longest, stop)
        window = text[earliest:stop]
        copy = Copy(window, decodings(window, start - earliest, escaping))
        quiet = Buffer(copy.text + _SENTINEL if is_cut else copy.text, limits, is_whole=True)
        quiet.is_unclosed, quiet.joined = buffer.is_unclosed, buffer.joined
        found = read(quiet, start - earliest)
        if found is None:
            buffer.reject(Form.BARE, start, stop, quiet.rejected[-1].rule if quiet.rejected else Rule.NO_URL)
            return None
        if not is_cut or found.inner.end <= len(copy.text) or reach == most:
            break
        reach *= 4

    def original(span: Span) -> Span:
        end = min(span.end, len(copy.text))
        return Span(earliest + copy.original(span.start), earliest + copy.original(end, is_end=True))

    raw = original(found.inner).of(text)
    is_quoted = escaping == "quoted-printable"
    is_escaped = ("=" if is_quoted else "\\") in raw
    is_long = found.inner.end > len(copy.text)
    return with_url(
        found._replace(
            span=original(found.span),
            inner=original(found.inner),
            raw=readable(raw),
            prefix=used_prefix(raw, line_prefix(text, start)) if is_quoted else found.prefix,
            escapes=escaping if is_escaped else "",
            defects=(*found.defects, *((cut_at(most),) if is_long else ())),
            rule=Rule.ESCAPED if is_escaped else found.rule,
        )
    )
