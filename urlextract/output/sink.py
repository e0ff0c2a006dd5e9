"""Where results go: standard output or a file, in the lines that were asked for."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from urlextract.output.lines import line_of
from urlextract.output.progress import size_of, with_progress
from urlextract.output.terminal import harmless
from urlextract.pipeline.entry import options_of, read_items
from urlextract.pipeline.evidence import by_evidence
from urlextract.pipeline.plain import is_plain, read_urls
from urlextract.records import Found
from urlextract.sources import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.errors import SourceError
    from urlextract.pipeline.options import Options
    from urlextract.records import RawMessage, RawText, Rejection

__all__ = ["Sink"]


@dataclass(slots=True, kw_only=True)
class Sink:
    """What to print, and how; `write_all` prints it."""

    as_json: bool = False
    unique: bool = False
    count: bool = False
    quiet: bool = False
    null: bool = False
    with_filename: bool = False
    message_id: bool = False
    line_number: bool = False
    max_count: int | None = None
    output: str | None = None
    kind: str = "auto"
    raw: bool = False
    explain: bool = False
    _seen: set[str] = field(default_factory=set)

    def write_all(
        self, sources: Sequence[str], wishes: dict[str, Any], trouble: Callable[[SourceError], None]
    ) -> int:
        """Write the results of all sources; give how many were found."""
        options = options_of(wishes)  # type: ignore[arg-type]  # the command line's names are the function's
        with _opened(self.output) as stream:
            return self._write(sources, options, trouble, stream)

    def _write(
        self,
        sources: Sequence[str],
        options: Options,
        trouble: Callable[[SourceError], None],
        stream: BinaryIO,
    ) -> int:
        if self.max_count == 0:
            return 0
        writer = _Writer(stream, end=b"\0" if self.null else b"\n", has_name=self.output is not None)
        if self.count:
            return sum(self._count(source, sources, options, trouble, writer) for source in sources)
        items = self._items(sources, trouble)
        if self._wants_urls(options):
            return self._write_urls(read_urls(items, options), writer)
        results = read_items(items, options, explains=self.explain)
        if options.hyphen == "evidence":
            results = by_evidence(results)
        return self._write_records(results, writer)

    def _items(
        self, sources: Sequence[str], trouble: Callable[[SourceError], None]
    ) -> Iterator[RawMessage | RawText]:
        items = (item for source in sources for item in read_source(source, self.kind, on_damage=trouble))
        total = size_of(sources)
        if total and sys.stderr is not None and sys.stderr.isatty() and not sys.stdout.isatty():
            return with_progress(items, total)
        return items

    def _wants_urls(self, options: Options) -> bool:
        named = self.with_filename or self.message_id or self.line_number
        return not (self.as_json or self.raw or self.explain or named) and is_plain(options)

    def _fresh(self, urls: Iterable[str]) -> list[str]:
        """Give those of the URLs that were not given before."""
        fresh = [url for url in dict.fromkeys(urls) if url not in self._seen]
        self._seen.update(fresh)
        return fresh

    def _write_urls(self, batches: Iterator[list[str]], writer: _Writer) -> int:
        written = 0
        for batch in batches:
            urls = self._fresh(batch) if self.unique else [url for url in batch if url]
            if self.max_count is not None:
                urls = urls[: self.max_count - written]
            written += len(urls)
            if self.quiet:
                if written:
                    return written
                continue
            writer.write(urls)
            if written == self.max_count:
                break
        return written

    def _count(
        self,
        source: str,
        sources: Sequence[str],
        options: Options,
        trouble: Callable[[SourceError], None],
        writer: _Writer,
    ) -> int:
        items = self._items([source], trouble)
        if is_plain(options):
            urls = (url for batch in read_urls(items, options) for url in batch if url)
        else:
            results = read_items(items, options)
            urls = (
                result.url
                for result in (by_evidence(results) if options.hyphen == "evidence" else results)
                if isinstance(result, Found)
            )
        if self.max_count is not None:
            urls = (url for url in islice(urls, self.max_count))
        found = len(set(urls)) if self.unique else sum(1 for _ in urls)
        if not self.quiet:
            writer.write([f"{source}:{found}" if len(sources) > 1 or self.with_filename else str(found)])
        return found

    def _write_records(self, results: Iterator[Found | Rejection], writer: _Writer) -> int:
        if self.unique and self.as_json:
            return self._write_merged(results, writer)
        written = 0
        for result in results:
            if isinstance(result, Found):
                if self.unique and not self._fresh([result.url]):
                    continue
                written += 1
            if not self.quiet:
                writer.write([self._line(result, writer)])
            elif written:
                break
            if written == self.max_count:
                break
        return written

    def _line(self, result: Found | Rejection, writer: _Writer) -> str:
        if self.explain:
            from urlextract.output.explain import explanation  # noqa: PLC0415 - asked for by few

            return explanation(result, color=writer.is_terminal and "NO_COLOR" not in os.environ)
        assert isinstance(result, Found)  # noqa: S101 - only explanations speak of others
        if self.as_json:
            from urlextract.output.jsonl import json_line, record_of  # noqa: PLC0415

            return json_line(record_of(result))
        return line_of(
            result, raw=self.raw, source=self.with_filename, message_id=self.message_id, line=self.line_number
        )

    def _write_merged(self, results: Iterator[Found | Rejection], writer: _Writer) -> int:
        """Write one record a URL, with all its places, when all have been seen."""
        from urlextract.output.jsonl import json_line, place_of, record_of  # noqa: PLC0415

        merged: dict[str, dict[str, Any]] = {}
        for result in results:
            if not isinstance(result, Found):
                continue
            known = merged.get(result.url)
            if known is None:
                if len(merged) == self.max_count:
                    continue
                known = merged[result.url] = {**record_of(result), "places": []}
            known["places"].append(place_of(result))
        if not self.quiet:
            writer.write([json_line(record) for record in merged.values()])
        return len(merged)


class _Writer:
    """Writes lines at once: what was found is not kept back."""

    def __init__(self, stream: BinaryIO, *, end: bytes, has_name: bool) -> None:
        self._stream, self._end = stream, end
        self.is_terminal = not has_name and stream.isatty()

    def write(self, lines: list[str]) -> None:
        """Write each of ``lines`` with its end."""
        if not lines:
            return
        if self.is_terminal:
            lines = [harmless(line) if "\x1b[3" not in line else line for line in lines]
        end = self._end
        text = (end.decode().join(lines)).encode("utf-8", "surrogateescape")
        self._stream.write(text + end)
        self._stream.flush()


@contextmanager
def _opened(path: str | None) -> Iterator[BinaryIO]:
    if path is None or path == "-":
        yield sys.stdout.buffer
    else:
        with open(path, "wb") as stream:
            yield stream
