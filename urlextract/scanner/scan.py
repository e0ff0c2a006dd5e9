"""Go from place to place of one text, and return its URLs.

The match of a place is that of its URL: for http and https its pattern takes the plain run as well. Where
that stopped at a plain end, and nothing before it opens anything, `_at_colon` is done. At any other place
the same grammar goes on in ``bare``, ``wrappers`` or ``lines``; there is no second one.
"""

from __future__ import annotations

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.grammar.hosts import authority_end
from urlextract.grammar.marks import END_MARKS, LINE_MARK_ENDS, SENTENCE_MARKS, WORD_MARKS, WRAPPERS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_CHARACTERS, SCHEMES, has_shape, may_have_shape
from urlextract.grammar.runs import ABBREVIATED, NAMED_RUN, REST_OF_RUN, RUNS
from urlextract.linebreaks.joining import SCHEME_OF_HOST
from urlextract.records import Alternative, Defect, Form, Match, Refusal
from urlextract.scanner import bare, checks, lines, wrappers
from urlextract.scanner.around import alone, told, with_lines
from urlextract.scanner.bare import LONGEST_SCHEME, LONGEST_URL
from urlextract.scanner.defanged import defanged_places
from urlextract.scanner.evidence import ENDS_HERE
from urlextract.scanner.schemeless import read_mark
from urlextract.scanner.undone import (
    asks_for_undoing,
    copy_of_paragraph,
    copy_of_text,
    placed,
    shows_no_sign,
    with_doubt,
)
from urlextract.scanner.window import DEFAULT, END, NEW, NOTHING, SHOWN, ScanOptions, Window, places_of

Result = Match | Refusal

_PLAIN_ENDS = frozenset(' \t\n\r\f\v<>")]}`\0')
_OPENER_ENDS = "".join(opener[-1] for opener in WRAPPERS)
# Nothing is open, and the scheme begins nowhere else.
_PLAIN_BEFORE = frozenset(map(chr, range(128))) - frozenset("\"'*_~+:\\=,;\t|" + _OPENER_ENDS)
# The ends of a bracket and of what comes between it and its URL: "URL:", blanks, marks of lines
_AFTER_OPENER = frozenset(" \n\r\f\v:" + LINE_MARK_ENDS + _OPENER_ENDS)
_AFTER_OPENER |= {letter for word in WORD_MARKS for letter in (word[-1], word[-1].upper())}
_LINE_ENDS = frozenset("\n\r")
_SHORT_HEAD, _HEAD = 96, 512  # characters of a run that tell whether it may have the shape of its scheme
_BARE, _ANGLE, _QUOTED, _WRAPPER = Form.BARE, Form.ANGLE, Form.QUOTED, Form.URL_WRAPPER


def scan(text: str, options: ScanOptions = DEFAULT) -> list[Result]:
    r"""Return the URLs of ``text``, in order; with ``explains`` also what was refused.

    >>> [match.url for match in scan("see http://a.example/b, or <http://a.ex\nample/c>")]
    ['http://a.example/b', 'http://a.example/c']
    """
    if "\r" in text and "\n" not in text:  # the line ends of old Macs
        found = scan(text.replace("\r", "\n"), options)
        return [each._replace(raw=each.raw.replace("\n", "\r")) for each in found]
    copy = copy_of_text(text, options)
    if copy:
        found = [placed(result, copy, text) for result in _scan(copy.text, options, asks=True)]
    else:
        found = _scan(text, options, asks=True)
    return _with_defanged(text, found, options) if options.explains and not options.refang else found


def urls_in(text: str, options: ScanOptions = DEFAULT) -> list[Match]:
    """Return the URLs of ``text``, without what was refused."""
    return [result for result in scan(text, options) if isinstance(result, Match)]


def _with_defanged(text: str, found: list[Result], options: ScanOptions) -> list[Result]:
    """Return what was found, with each defanged URL refused, in place of other refusals there."""
    marks = bytearray(len(text))  # by character: 1 of a URL that was taken, 2 of a defanged one
    for result in found:
        if isinstance(result, Match):
            marks[result.start : result.end] = b"\1" * (result.end - result.start)
    spans = [span for span, _ in defanged_places(text, options) if marks[span.start] != 1]
    for start, end in spans:
        marks[start:end] = b"\2" * (end - start)
    kept = [
        result for result in found if isinstance(result, Match) or marks.find(2, result.start, result.end) < 0
    ]
    for start, end in spans:
        raw = text[start:end].rstrip(_NO_LAST)
        kept.append(Refusal(start, start + len(raw), _BARE, raw[:SHOWN], checks.DEFANGED, checks.REFANG))
    return sorted(kept, key=lambda result: result.start)


_NO_LAST = END_MARKS + ")]}*"


def _scan(text: str, options: ScanOptions, *, asks: bool) -> list[Result]:
    """Return the URLs of a text; a paragraph of which a place ``asks`` for it is undone and read again."""
    window = Window(text, options)
    found: list[Result] = []
    text = window.text
    # The ends of the last URL, and of paragraphs that were undone, or have nothing to undo
    last = done = plain = 0
    places = places_of(text, options)
    # Places at which only --explain looks ask for no undoing, or it would find other URLs.
    quiet = (
        {at for at, _ in places}.difference(dict(places_of(text, options._replace(explains=False))))
        if options.explains
        else ()
    )
    for at, end in places:
        if at < last:
            continue
        is_mark = text[at] != ":"
        match = (_at_dot(window, at - 3) if end else None) if is_mark else _at_colon(window, at, end)
        if match is None and options.reads_marks:
            match = _at_mark(window, at)
        if window.refused:
            found += window.refused
            window.refused.clear()
        is_plain = match is not None and shows_no_sign(match, text, at)
        may_ask = asks and not is_plain and at >= plain and at not in quiet
        paragraph = asks_for_undoing(text, at, done) if may_ask else None
        if paragraph:
            plain = paragraph[1]
            if _read_undone(window, found, *paragraph):
                window.last = last = done = plain
                continue
        if match:
            window.last = last = match[1]
            found.append(match if is_plain else with_doubt(match, text))
    return found


def _read_undone(window: Window, found: list[Result], start: int, end: int) -> bool:
    """Undo all in the paragraph ``start:end``, and read it again in place of what was ``found`` in it.

    Return false, and change nothing, if nothing is undone.
    """
    kept = len(found)
    while kept and found[kept - 1].start >= start:
        kept -= 1
    if kept and isinstance(found[kept - 1], Match):
        start = max(start, found[kept - 1].end)
    paragraph = window.text[start:end]
    copy = copy_of_paragraph(paragraph, joins=window.joins)
    if copy:
        again = _scan(copy.text, window.options, asks=False)
        found[kept:] = [placed(each, copy, paragraph).moved(start) for each in again]
    return copy is not None


# --- places -----------------------------------------------------------------------------------------


def _at_mark(window: Window, at: int) -> Match | None:
    """Return the host without a scheme, or the mail address, that has its mark at ``at``."""
    window.is_unclosed, window.inside = False, ""
    found = read_mark(window, at)
    # A host alone does not go on in the next line.
    goes_on = found is not None and found.end == found.stop and "/" in found.raw and found.url[0] == "h"
    return told(window, found) if found and goes_on else found


def _at_colon(window: Window, colon: int, end: int) -> Match | None:
    """Return the URL whose scheme ends before ``colon``; the plain run of http, if any, ends at ``end``."""
    text = window.text
    if end > colon + 3:
        return _of_run(window, colon - (5 if text[colon - 1] == "s" else 4), colon, end)
    earliest = max(window.last, colon - LONGEST_SCHEME - 1)
    start = earliest + len(text[earliest:colon].rstrip(SCHEME_CHARACTERS))
    name, has_slashes = text[start:colon], text.startswith("//", colon + 1)
    if name not in SCHEMES or not (has_slashes or SCHEMES[name].shape):
        return _at_name(window, start, colon)
    if not has_slashes and not may_have_shape(name, text, colon + 1, colon + _HEAD):
        return _odd(window, start, colon, colon)
    longest = colon + (LONGEST_URL if has_slashes else _HEAD)
    match = (RUNS[name] if has_slashes else NAMED_RUN).match(text, colon + 1, longest)
    if match is None or match.end() == longest:
        return _odd(window, start, colon, colon)
    return _of_run(window, start, colon, match.end(), "" if has_slashes else name)


def _of_run(window: Window, start: int, colon: int, end: int, named: str = "") -> Match | None:
    """Return the URL of the plain run ``start:end``; its scheme, if that has no slashes, is ``named``."""
    text = window.text
    before, after = text[start - 1], text[end]
    if before in '<"':
        url, is_closed = text[start:end], text[end - 1] not in SENTENCE_MARKS and not named
        if is_closed and before == "<" and after == ">":
            return NEW(Match, (start - 1, end + 1, start, end, _ANGLE, url, url, *NOTHING))
        if is_closed and before == after == '"' and "&" not in url and len(url) < LONGEST_URL:
            return NEW(Match, (start - 1, end + 1, start, end, _QUOTED, url, url, *NOTHING))
        closed = wrappers.plain(window, start - 1, start, _ANGLE) if before == "<" else None
        if closed:
            return closed
    if (
        after not in _PLAIN_ENDS
        or before not in _PLAIN_BEFORE
        or (before in _AFTER_OPENER and text[start - 2] in _AFTER_OPENER and _may_be_open(window, start))
        or end - start > LONGEST_URL
        or (after == " " and text[end + 1] in ".\u2026")  # dots, for what somebody has left out
    ):
        return _odd(window, start, colon, end)
    url = text[start:end].rstrip(SENTENCE_MARKS)
    stop = start + len(url)
    if (
        url[-1] in "]%"
        or stop < end - 2
        or stop < colon + 4
        or (named and not has_shape(named, url[colon + 1 - start :]))
    ):
        return _odd(window, start, colon, end)
    is_last = after in _LINE_ENDS or (after == " " and url[-1] in "-/" and text[end + 1] in _LINE_ENDS)
    if is_last and window.joins:
        is_over = stop == end and before not in "([{" and ENDS_HERE.match(text, end)
        rest = None if is_over else lines.goes_on(text, start, stop)
        if rest:
            return with_lines(window, Match(start, stop, start, stop, _BARE, url, url), rest)
    return NEW(Match, (start, stop, start, stop, _BARE, url, url, *NOTHING))


def _may_be_open(window: Window, start: int) -> bool:
    """Return whether a bracket may be open before ``start``; `wrappers.opener_before` says whether one is."""
    text = window.text
    is_next = text[max(0, start - 9) : start].rstrip(" ").endswith(wrappers.OTHER_OPENERS)
    return is_next or text.rfind("<", max(0, start - wrappers.REACH), start) >= window.last


def _at_name(window: Window, start: int, colon: int) -> Match | None:
    """Return the URL at a name that has no row with what follows it, such as ``URL``, or an odd spelling."""
    text, name = window.text, window.text[start:colon].lower()
    if name[-3:] == "url":
        is_opened = text[colon - 4] == "<" and colon - 4 >= window.last
        closed = wrappers.plain(window, colon - 4, colon + 1, _WRAPPER) if is_opened else None
        if closed:
            return closed
        opener = wrappers.opener_before(window, colon - 3)
        return wrappers.read(window, opener, colon + 1, labelled=True) if opener is not None else None
    if text[colon + 1].isspace() and not window.options.explains:
        opened = text.find("<", max(window.last, start - wrappers.REACH), start) >= 0
        if not (opened or text[start - 1] == '"'):
            return alone(window, start, colon)
    return _odd(window, start, colon, colon)


_PARTED = lazy_re(r":[ \t]{1,9}//\w[^\s<>\"]{0,200}")
_IN_QUERY = lazy_re(r"\?[^\s<>\"]{0,50}=\Z")
_HOST_WITH_DOT = lazy_re(r"://(?:[^\s/?#@]{1,256}@)?(?:(?i:localhost)|[^\s/?#:.]+(?:\.[^\s/?#:.]+)+)")


def _odd(window: Window, start: int, colon: int, end: int) -> Match | None:
    """Return the URL at a place that has a rule; the plain run of its scheme, if any, ends at ``end``."""
    text, last, options = window.text, window.last, window.options
    window.is_unclosed, window.inside = False, ""
    if text[start].isalpha() and start >= last:
        opened = _bracketed(window, start, colon)
        if opened:
            return opened
    if text[colon + 1].isspace():
        is_scheme = window.options.explains and text[start:colon].lower() in SCHEMES
        parted = _PARTED.match(text, colon) if is_scheme else None
        if parted:
            window.refuse(_BARE, start, parted.end(), 'a blank before "//"')
        return alone(window, start, colon)
    is_glued = False
    first: int | None = start
    if not (end > colon and start > last and text[start - 1] != "\\"):
        first, is_glued = bare.scheme_start(text, start, colon, last, options)
    if first is None:
        if text.startswith("//", colon + 1):
            window.refuse(_BARE, start, colon + 3, *checks.UNREGISTERED)
        return None
    return _with_scheme(window, start, first, colon, is_glued=is_glued) or alone(window, first, colon)


def _with_scheme(window: Window, word: int, start: int, colon: int, *, is_glued: bool) -> Match | None:
    """Return the URL whose scheme is ``start:colon``; a word that is glued to it begins at ``word``."""
    text = window.text
    # Another place may stand in what follows one that is refused, so of that only the head is read.
    is_refused = is_glued and not _HOST_WITH_DOT.match(text, colon, colon + _HEAD)
    stop, defects = (None, ()) if is_refused else _end_of_odd(window, start, colon)
    if is_refused or (is_glued and stop and not _HOST_WITH_DOT.match(text, colon, stop)):
        window.refuse(_BARE, word, stop or _end_of_refused(text, colon), *checks.UNREGISTERED)
        return None
    if stop is None:
        return None
    url, before = text[start:stop], text[start - 1]
    if before == '"' and wrappers.is_name_in_markup(text, start, url):
        window.refuse(_BARE, start, stop, checks.NAME_IN_MARKUP)
        return None
    is_label = before == ":" and text[start - 4 : start - 1].lower() == "url"
    has_label = is_label and start - 4 >= window.last and not text[start - 5].isalnum()
    place, form = (start - 4, Form.PREFIXED) if has_label else (start, _BARE)
    if has_label and wrappers.opener_before(window, place) is not None:
        window.is_unclosed = True
    rest = text[colon + 1 : stop]
    is_host = rest[:4].lower() == "www."
    others = (Alternative.of(f"http://{rest}", AlternativeCode.LABEL),) if is_host else ()
    defects = (_GLUED_BEFORE, *defects) if is_glued else defects
    return told(window, Match(place, stop, start, stop, form, url, url, None, others, defects))


_GLUED_BEFORE = Defect.of(DefectCode.GLUED_BEFORE)


def _end_of_odd(window: Window, start: int, colon: int) -> tuple[int | None, tuple[Defect, ...]]:
    """Return where the URL at ``start`` ends by the rules of each mark, None if it is none; its defects."""
    text = window.text
    end, refused = _run_or_refusal(window, start, colon)
    if end is not None:
        cut = start + LONGEST_URL
        stop = bare.trimmed(text, start, min(end, cut))
        refused = _refused_run(text, start, colon, stop)
        if not refused:
            words = f"cut at {LONGEST_URL} characters"
            return stop, ((Defect(DefectCode.CUT, words),) if end > cut else ())
    if refused:
        window.refuse(_BARE, start, _end_of_refused(text, colon), refused)
    return None, ()


def _run_or_refusal(window: Window, start: int, colon: int) -> tuple[int | None, str]:
    """Return where the run of the URL at ``start`` ends, None if it is none, and why."""
    text, name = window.text, window.text[start:colon].lower()
    row, limit = SCHEMES.get(name), bare.limit_of(text, start)
    if text.startswith("//", colon + 1):
        return bare.end_after_slashes(text, start, colon, limit), checks.NO_HOST
    if row is None and name not in window.options.schemes:
        return None, ""
    if _is_in_name(text, start, name):
        return None, "no URL"
    if row and row.shape is None:
        return None, checks.IN_WRAPPERS
    # Another place may stand in what follows one that is refused: of that, only the head is read.
    if row and not may_have_shape(name, text, colon + 1, colon + _HEAD):
        return None, checks.refused_shape(
            name, text[start:colon], text[colon + 1 : _end_of_refused(text, colon)]
        )
    low, head = max(0, start - 16), text[colon : colon + _HEAD]
    size = _HEAD if "@" in head or "?" in head else _SHORT_HEAD
    near = text[low : min(limit, colon + size)] + END
    end = bare.end_after_name(near, start - low, colon + 1 - low, len(near))
    refused = _refused_run(near, start - low, colon - low, bare.trimmed(near, start - low, end))
    if refused:
        return None, refused
    return bare.end_after_name(text, start, colon + 1, limit), ""


def _refused_run(text: str, start: int, colon: int, stop: int) -> str:
    """Return why the run that ends at ``stop`` is no URL, "" if it is one."""
    name = text[start:colon].lower()
    if not text.startswith("//", colon + 1):
        return checks.refused_shape(name, text[start:colon], text[colon + 1 : stop])
    row = SCHEMES.get(name)
    return "" if stop > colon + 3 or (row and row.hostless) else 'nothing after "//"'


def _end_of_refused(text: str, colon: int) -> int:
    match = _REFUSED.match(text, colon + 1, colon + 1 + SHOWN)
    return max(colon + 1, match.end() if match else 0)


_REFUSED = lazy_re(r"[^\s<>\"]*")


def _is_in_name(text: str, start: int, name: str) -> bool:
    """Return whether ``name`` goes on an identifier ("PATH_INFO:") or a URI ("magnet:?xt=urn:")."""
    before = text[start - 1]
    if before == "_":
        return text[start - 2].isalnum()
    return before == "=" and name == "urn" and _IN_QUERY.search(text, max(0, start - 60), start) is not None


def _bracketed(window: Window, start: int, colon: int) -> Match | None:
    """Return the URL if a bracket or a quote is open right before ``start``, and closes."""
    text, before = window.text, window.text[start - 1]
    if before == '"':
        return wrappers.quoted(window, start)
    if before not in _AFTER_OPENER and not before.isspace():
        return None
    opener = wrappers.opener_before(window, start)
    if opener is None and text.startswith("//", colon + 1):
        opener = wrappers.opener_of_cut_scheme(window, start, colon)
        start = start if opener is None else opener + 1
    if opener is None or text[opener:start].rstrip().lower().endswith("url:"):
        return None
    return wrappers.read(window, opener, start, labelled=False)


_CUT_HOST = lazy_re(rf"[A-Za-z]{{3}}\.(?:[A-Za-z0-9-]{{1,63}}\.)?(?=[ \t]{{0,8}}{LINE_END})")
_FTP_PATH = lazy_re(r":[0-9]{0,9}/")


def _at_dot(window: Window, start: int) -> Match | None:
    """Return the URL whose host begins at ``start`` with ``www.`` or ``ftp.``, and lacks its scheme."""
    text = window.text
    if start < window.last or bare.follows_name(text, start):
        return None
    window.is_unclosed, window.inside = False, ""
    before = text[start - 1]
    is_after = before in _OPENER_ENDS or (before in _AFTER_OPENER and text[start - 2] in _AFTER_OPENER)
    if is_after and _may_be_open(window, start):
        opener = wrappers.opener_before(window, start)
        found = wrappers.read(window, opener, start, labelled=False) if opener is not None else None
        if found:
            return found
    cut = _CUT_HOST.match(text, start)
    joint = alone(window, start, cut.end() - 1) if cut else None
    if joint:
        return joint
    limit = bare.limit_of(text, start)
    match = ABBREVIATED.match(text, start, limit)
    end = bare.end_of_match(text, start, match, limit) if match else _odd_host_end(text, start, limit)
    if end is None or text[end] == "@":
        reason = checks.THREE_LABELS if end is None else checks.MAIL_ADDRESS
        window.refuse(Form.ABBREVIATED, start, end or start + 4, reason)
        return None
    stop = bare.trimmed(text, start, end)
    added = SCHEME_OF_HOST[text[start : start + 4].lower()]
    raw = text[start:stop]
    others: tuple[Alternative, ...] = ()
    port = _FTP_PATH.search(raw) if added == "ftp://" and raw.find(":") > 0 else None
    if text[stop : stop + 2] == ":/" and added == "ftp://":  # "ftp.funet.fi:/pub", for ftp(1)
        path = REST_OF_RUN.match(text, stop + 1)
        whole = raw + text[stop + 1 : bare.trimmed(text, start, path.end() if path else stop)]
        others = (Alternative.of(added + whole, AlternativeCode.HOST_AND_PATH),)
    elif port:
        others = (Alternative.of(added + raw.replace(":/", "/", 1), AlternativeCode.HOST_AND_PATH),)
        stop = start + port.start() if port[0] == ":/" else stop
        raw = text[start:stop]
    repairs = (wrappers.added_scheme(added),)
    return told(
        window, Match(start, stop, start, stop, Form.ABBREVIATED, raw, added + raw, None, others, (), repairs)
    )


def _odd_host_end(text: str, start: int, limit: int) -> int | None:
    end = authority_end(text, start)
    if end is None or text.count(".", start, end) < 2 or "@" in text[start:end]:
        return None
    return bare.odd_run_end(text, start, start, limit)
