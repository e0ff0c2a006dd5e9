"""What is printed: URLs alone, numbers, or records, of all the sources that were named."""

from __future__ import annotations

import os
import sys
from itertools import islice
from typing import TYPE_CHECKING

from urlextract.output.writer import Writer, is_written_to, opened
from urlextract.pipeline.plain import is_plain, read_urls
from urlextract.sources import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.errors import SourceError
    from urlextract.output.wanted import Wanted
    from urlextract.pipeline.options import Options
    from urlextract.records import Item
    from urlextract.sources.names import Names

__all__ = ["print_all"]


def print_all(
    sources: Sequence[str], wanted: Wanted, options: Options, on_damage: Callable[[SourceError], None]
) -> int:
    """Print what is wanted of the sources; give the number of URLs found."""
    if wanted.max_count == 0:
        return 0
    sources = _all_sources(sources, wanted)
    for source in sources:
        if is_written_to(source, wanted.output):
            raise OSError(0, "the input is also the output", source)
    if wanted.quiet:  # the first one answers the question
        wanted = wanted._replace(as_json=False, counts=False, max_count=1)
    is_prompt = not all(os.path.isfile(source) or os.path.isdir(source) for source in sources)
    with opened(wanted.output, end="\0" if wanted.null else "\n", is_prompt=is_prompt) as writer:
        if wanted.jobs > 1:
            from urlextract.output.parallel import can_be_shared, print_shared  # noqa: PLC0415 - asked for by some

            if can_be_shared(sources, wanted, options):
                return print_shared(
                    sources, wanted, options, writer, names=_names(wanted), on_damage=on_damage
                )
        if wanted.counts:
            return _print_counts(sources, wanted, options, on_damage, writer)
        is_lean = wanted.urls_alone and is_plain(options)
        items = _items(sources, wanted, on_damage, in_bulk=is_lean and not is_prompt)
        items = _with_progress(sources, wanted, items)
        if is_lean:
            return _print_urls(
                read_urls(items, options, is_prompt=is_prompt, on_damage=on_damage), wanted, writer
            )
        from urlextract.output.recorded import print_records  # noqa: PLC0415 - records are asked for by some

        return print_records(items, wanted, options, writer, on_damage)


def _all_sources(sources: Sequence[str], wanted: Wanted) -> Sequence[str]:
    """Give the sources that were named, and those in the file of names; standard input where none was."""
    if wanted.files_from is None:
        return sources or ("-",)
    from urlextract.sources.lists import names_in  # noqa: PLC0415 - asked for by some

    return (*sources, *names_in(wanted.files_from, end=b"\0" if wanted.from0 else b"\n"))


def _items(
    sources: Iterable[str],
    wanted: Wanted,
    on_damage: Callable[[SourceError], None],
    *,
    in_bulk: bool = False,
) -> Iterator[Item]:
    names = _names(wanted)
    for source in sources:
        yield from read_source(source, wanted.kind, on_damage=on_damage, names=names, in_bulk=in_bulk)


def _names(wanted: Wanted) -> Names | None:
    """Give the patterns for the files of directories, if there are any."""
    if not wanted.include and not wanted.exclude:
        return None
    from urlextract.sources.names import Names  # noqa: PLC0415 - asked for by some

    return Names(wanted.include, wanted.exclude)


def _with_progress(sources: Sequence[str], wanted: Wanted, items: Iterator[Item]) -> Iterator[Item]:
    """Show on standard error how far the reading is, where somebody looks at it and nothing else."""
    is_elsewhere = wanted.output or wanted.quiet or (sys.stdout is not None and not sys.stdout.isatty())
    is_watched = is_elsewhere and sys.stderr is not None and sys.stderr.isatty()
    if not is_watched:
        return items
    from urlextract.output.progress import size_of, with_progress  # noqa: PLC0415 - on terminals only

    total = size_of(sources)
    return with_progress(items, total) if total else items


def _print_urls(batches: Iterator[list[str]], wanted: Wanted, writer: Writer) -> int:
    seen: set[str] = set()
    written = 0
    for batch in batches:
        urls = batch
        if wanted.unique:
            urls = [url for url in dict.fromkeys(batch) if url not in seen]
            seen.update(urls)
        if wanted.max_count is not None:
            urls = urls[: wanted.max_count - written]
        written += len(urls)
        if wanted.quiet and written:
            break
        writer.write(urls)
        if written == wanted.max_count:
            break
    return written


def _print_counts(
    sources: Sequence[str],
    wanted: Wanted,
    options: Options,
    on_damage: Callable[[SourceError], None],
    writer: Writer,
) -> int:
    total = 0
    for source in sources:
        urls: Iterator[str]
        items = _items([source], wanted, on_damage, in_bulk=is_plain(options))
        if is_plain(options):
            urls = (
                url
                for batch in read_urls(items, options, is_prompt=False, on_damage=on_damage)
                for url in batch
            )
        else:
            from urlextract.output.recorded import found_in  # noqa: PLC0415 - as above

            urls = (found.url for found in found_in(items, options, on_damage))
        if wanted.unique:
            urls = iter(dict.fromkeys(urls))
        found = sum(1 for _ in islice(urls, None if wanted.max_count is None else wanted.max_count - total))
        total += found
        writer.write([f"{source}:{found}" if len(sources) > 1 or wanted.with_filename else str(found)])
    return total
