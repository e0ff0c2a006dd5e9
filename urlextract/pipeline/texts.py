"""Scan texts, segments and pages, and make records of the matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import attrgetter

from urlextract.message.fields import schemeless_in
from urlextract.message.html_page import Page, Readable
from urlextract.message.quoting import Mask
from urlextract.pipeline.assembly import found_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.pages import PageReader
from urlextract.pipeline.positions import Positions
from urlextract.pipeline.surroundings import LONGEST_CONTEXT, context_of
from urlextract.pipeline.urls import matches_in, windows_of
from urlextract.records import Defect, Form, LongText, Match, Provenance, Refusal, Segment
from urlextract.results import Found, Rejection
from urlextract.scanner.window import SHOWN, ScanOptions

Result = Found | Rejection
_START = attrgetter("start")


class TextReader:
    """Scans one text, and makes records of the matches, with line, column and byte.

    ``positions`` are at its beginning, which is at the offset ``start`` of a longer text. ``form`` and
    ``defects`` are those of all its URLs. If it ``is_followed``, each window ends with a line, which is
    decided as it comes. If it ``is_masked``, the lines that the options leave out are blanked out before.
    """

    def __init__(
        self,
        provenance: Provenance,
        options: ExtractOptions,
        positions: Positions,
        *,
        explains: bool = False,
        form: Form | None = None,
        defects: tuple[Defect, ...] = (),
        start: int = 0,
        is_followed: bool = False,
        is_masked: bool = True,
    ) -> None:
        field = provenance.header if form is Form.HEADER else None
        self._scan = _scan_options(options.scan, field, explains=explains)
        # No line of a calendar and the like goes on in the next one.
        self._is_followed = is_followed and provenance.media_type is None
        self._provenance, self._options, self._positions = provenance, options, positions
        self._explains, self._form, self._defects, self._start = explains, form, defects, start
        self._mask = Mask(options.choice) if is_masked and options.choice.masks else None
        self._takes_each = options.takes_each
        self._has_context = explains or options.given["context"]
        self._before = ""  # the text before the next window, as far as a context goes

    def read(self, windows: Iterable[tuple[int, str]]) -> Iterator[Result]:
        """Yield the results of windows of the text, each with its offset."""
        for base, window in windows:
            yield from self._results(base + self._start, window)

    def _results(self, base: int, window: str) -> Iterator[Result]:
        """Yield the results of a window that begins at the offset ``base``."""
        shift, positions = len(self._before), self._positions
        text = self._mask(window) if self._mask else window
        shown = window if self._explains else text
        matches: list[Match | Refusal] = matches_in(text, self._scan, is_followed=self._is_followed)
        if self._mask and self._explains:
            matches = sorted((*matches, *self._left_out(window, text)), key=_START)
        for match in matches:
            positions.go_to(match.start + base, window, base)
            context = None
            if self._has_context:
                context = context_of(self._before + shown, match.start + shift, match.end + shift)
            if isinstance(match, Refusal):
                yield rejection_of(match.moved(base), self._provenance, positions, context)
                continue
            found = found_of(
                match,
                self._provenance,
                self._options,
                positions,
                base=base,
                form=self._form,
                defects=self._defects,
                context=context,
            )
            if self._takes_each:
                yield found
            else:
                yield from chosen(found, self._options, explains=self._explains)
        positions.go_to(base + len(window), window, base)
        self._before = (self._before + shown)[-LONGEST_CONTEXT:] if self._has_context else ""

    def _left_out(self, window: str, text: str) -> Iterator[Refusal]:
        """Yield the URLs in the lines of a window that the options leave out; in ``text`` they are blank."""
        choice = self._options.choice
        flags = ["--quoted"] * (choice.quoted != "keep") + ["--signature"] * (choice.signature == "skip")
        reason = f"a URL in a line that {' or '.join(flags)} leaves out"
        pairs = zip(window, text, strict=True)
        others = "".join(char if char != read or char in "\r\n" else " " for char, read in pairs)
        for match in matches_in(others, self._scan):
            if isinstance(match, Match):
                yield Refusal(match.start, match.end, match.form, match.raw[:SHOWN], reason)


@lru_cache(maxsize=16)
def _scan_options(options: ScanOptions, field: str | None, *, explains: bool) -> ScanOptions:
    """Return the options of a scan of texts, or of header fields of the name ``field``.

    The results are cached, because a message has many fields, and most are short.
    """
    options = options._replace(explains=explains)
    if field is not None and (options.reads_marks or options.refang):
        hosts, addresses = schemeless_in(field)
        options = options._replace(hosts=hosts, addresses=addresses)
    return options


class Records:
    """Makes records."""

    def __init__(self, options: ExtractOptions, *, explains: bool = False) -> None:
        self._options, self._explains = options, explains

    def of_text(
        self,
        pieces: Iterable[str],
        provenance: Provenance,
        byte: int | None = None,
        start: int = 0,
        line: int = 1,
        *,
        is_followed: bool = False,
    ) -> Iterator[Result]:
        """Yield the results of a text in pieces, in the order of the text; a tuple of one is the whole text.

        ``byte`` is the offset of its first byte in the source, None if bytes are not counted. ``start``
        (in characters) and ``line`` are the place where it begins in a longer text.
        """
        reader = TextReader(
            provenance,
            self._options,
            Positions(start=start, line=line, byte=byte),
            explains=self._explains,
            start=start,
            is_followed=is_followed,
        )
        return reader.read(windows_of(pieces, is_followed=is_followed))

    def of_segments(self, segments: Iterable[Readable | LongText]) -> Iterator[Result]:
        """Yield the results of the texts of one message, or of a stretch of a page."""
        options, explains = self._options, self._explains
        for segment in segments:
            if isinstance(segment, Page):
                scan_options = _scan_options(options.scan, None, explains=explains)
                yield from PageReader(segment, options, scan_options).results()
                continue
            pieces: Iterable[str] = (segment.text,) if isinstance(segment, Segment) else segment.pieces
            reader = TextReader(
                segment.provenance,
                options,
                Positions(byte=segment.byte),
                explains=explains,
                form=segment.form if isinstance(segment, Segment) else None,
                defects=segment.defects,
                is_masked=explains and segment.provenance.header is None,
            )
            yield from reader.read(windows_of(pieces))
