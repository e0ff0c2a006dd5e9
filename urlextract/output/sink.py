"""What is printed: URLs alone, numbers, or records, of all the sources that were named."""

from __future__ import annotations

import os
import sys
from itertools import islice
from typing import TYPE_CHECKING

from urlextract.output.sharing import are_files, processes_for
from urlextract.output.writer import Writer, is_written_to, opened, print_batches
from urlextract.pipeline.plain import is_plain, read_urls
from urlextract.sources import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.errors import SourceError
    from urlextract.output.progress import Progress
    from urlextract.output.wanted import Wanted
    from urlextract.pipeline.options import Options
    from urlextract.records import Item
    from urlextract.sources.folders.filters import TreeFilter
    from urlextract.sources.state.memory import Memory

__all__ = ["print_all"]


def print_all(
    sources: Sequence[str],
    wanted: Wanted,
    options: Options,
    on_damage: Callable[[SourceError], None],
    notice: Callable[[str], None],
) -> int:
    """Print what is wanted of the sources; return the number of URLs found.

    ``on_damage`` is called with what cannot be read, ``notice`` with what else the user should know.
    """
    if wanted.max_count == 0:
        return 0
    if wanted.quiet:  # the first one answers the question
        wanted = wanted._replace(as_json=False, counts=False, max_count=1)
    return _Run(_all_sources(sources, wanted), wanted, options, on_damage, notice).print_all()


def _all_sources(sources: Sequence[str], wanted: Wanted) -> Sequence[str]:
    """Give the sources that were named, and those in the file of names; standard input where none was."""
    if wanted.files_from is not None:
        from urlextract.sources.lists import names_in  # noqa: PLC0415 - asked for by some

        if is_written_to(wanted.files_from, wanted.output):
            raise OSError(0, "the list of names is also the output", wanted.files_from)
        sources = (*sources, *names_in(wanted.files_from, end=b"\0" if wanted.from0 else b"\n"))
    elif not sources:
        sources = ("-",)
    for source in sources:
        if is_written_to(source, wanted.output):
            raise OSError(0, "the input is also the output", source)
        if wanted.state is not None and is_written_to(source, wanted.state):
            raise OSError(0, "the input is also the state", source)
    return sources


def _tree_filter(sources: Sequence[str], wanted: Wanted, notice: Callable[[str], None]) -> TreeFilter | None:
    """Return what is read of directories, if any is named."""
    if not any(map(os.path.isdir, sources)):
        return None
    from urlextract.sources.folders.filters import TreeFilter, Written  # noqa: PLC0415 - a file needs none of it

    files: list[str | int] = [1, 2, *filter(None, (wanted.output, wanted.state))]
    written = Written(files, lambda path: notice(f"{path}: is written to by this run, and not read"))
    return TreeFilter(wanted.include, wanted.exclude, wanted.follow, written)


def _memory(wanted: Wanted, options: Options) -> Memory | None:
    """Give what earlier runs have read, if that is asked for.

    Where results wait for others, what was read is written down at the end only.
    """
    if wanted.state is None:
        return None
    from urlextract.sources.state.memory import Memory  # noqa: PLC0415 - asked for by some

    waits = options.hyphen == "evidence" or (wanted.unique and wanted.as_json) or wanted.counts
    return Memory(wanted.state, can_rest=not waits)


class _Run:
    """One run: what is read, and how it is printed."""

    def __init__(
        self,
        sources: Sequence[str],
        wanted: Wanted,
        options: Options,
        on_damage: Callable[[SourceError], None],
        notice: Callable[[str], None],
    ) -> None:
        self._notice = notice
        self._sources, self._wanted, self._options, self._on_damage = sources, wanted, options, on_damage
        self._writer: Writer | None = None
        self._memory = _memory(wanted, options)
        self._tree_filter = _tree_filter(sources, wanted, self._say)
        # Who waits at a pipe is given each result at once.
        self._is_prompt = not are_files(sources)
        self._is_lean = (wanted.urls_alone or wanted.counts) and is_plain(options)

    def print_all(self) -> int:
        """Print all; then remember what was read."""
        wanted, memory = self._wanted, self._memory
        if memory and wanted.output and os.path.abspath(wanted.state or "") == os.path.abspath(wanted.output):
            raise OSError(0, "the state is also the output", wanted.output)
        length = memory.length_of(wanted.output) if memory and wanted.output else None
        end = "\0" if wanted.null else "\n"
        is_unseen = wanted.quiet and not wanted.output and sys.stdout is None
        output = os.devnull if is_unseen else wanted.output
        with opened(output, end=end, is_prompt=self._is_prompt, length=length) as writer:
            self._writer = writer
            if memory:
                memory.flush = writer.flush
                memory.save()  # what cannot be written is told before anything is read
            found = self._print(writer)
            if memory and found != wanted.max_count:  # else what was read last is not known
                memory.save()
        return found

    def _tell(self, damage: SourceError) -> None:
        """Tell of damage, behind all that was found before it."""
        if self._writer:
            self._writer.flush()
        self._on_damage(damage)

    def _say(self, message: str) -> None:
        """Report what is not damage, after the results that were found before it."""
        if self._writer:
            self._writer.flush()
        self._notice(message)

    def _print(self, writer: Writer) -> int:
        wanted, options = self._wanted, self._options
        jobs = 1 if self._memory else processes_for(self._sources, wanted, options)
        found = self._print_shared(writer, jobs) if jobs > 1 else None
        if found is not None:
            return found
        if wanted.counts:
            return self._print_counts(writer)
        items = self._items(self._sources)
        progress = self._progress()
        if progress:
            from urlextract.output.progress import with_progress  # noqa: PLC0415 - on terminals only

            items = with_progress(items, progress)
        if self._is_lean:
            batches = self._batches(items)
            return print_batches(_fresh(batches) if wanted.unique else batches, wanted, writer)
        from urlextract.output.recorded import print_records  # noqa: PLC0415 - records are asked for by some

        return print_records(items, wanted, options, writer, self._tell)

    def _items(self, sources: Iterable[str]) -> Iterator[Item]:
        in_bulk = self._is_lean and not self._is_prompt and not self._memory
        for source in sources:
            yield from read_source(
                source,
                self._wanted.kind,
                on_damage=self._tell,
                tree_filter=self._tree_filter,
                in_bulk=in_bulk,
                memory=self._memory,
            )

    def _batches(self, items: Iterator[Item]) -> Iterator[list[str]]:
        """Give URLs alone; what is remembered of a message must be printed by then."""
        is_prompt = self._is_prompt or self._memory is not None
        return read_urls(items, self._options, is_prompt=is_prompt, on_damage=self._tell)

    def _print_shared(self, writer: Writer, jobs: int) -> int | None:
        """Let several processes read, if the work can be parted."""
        from urlextract.output.parallel import print_shared  # noqa: PLC0415 - of large files only, or asked for

        return print_shared(
            self._sources,
            self._wanted,
            self._options,
            writer,
            jobs,
            is_lean=self._is_lean,
            tree_filter=self._tree_filter,
            on_damage=self._tell,
            progress=self._progress(),
        )

    def _progress(self) -> Progress | None:
        """Give a bar for standard error, where somebody looks at it and nothing else comes."""
        wanted = self._wanted
        is_elsewhere = wanted.output or wanted.quiet or (sys.stdout is not None and not sys.stdout.isatty())
        is_watched = is_elsewhere and sys.stderr is not None and sys.stderr.isatty()
        if not is_watched:
            return None
        from urlextract.output.progress import progress_of  # noqa: PLC0415 - on terminals only

        return progress_of(self._sources)

    def _print_counts(self, writer: Writer) -> int:
        wanted = self._wanted
        total = 0
        for source in self._sources:
            urls = self._urls_of(source)
            found = sum(1 for _ in islice(dict.fromkeys(urls) if wanted.unique else urls, wanted.rest(total)))
            total += found
            writer.write([wanted.count_line(source, found, is_alone=len(self._sources) == 1)])
        return total

    def _urls_of(self, source: str) -> Iterator[str]:
        items = self._items([source])
        if self._is_lean:
            return (url for batch in self._batches(items) for url in batch)
        from urlextract.output.recorded import found_in  # noqa: PLC0415 - records are asked for by some

        return (found.url for found in found_in(items, self._options, self._tell))


def _fresh(batches: Iterable[list[str]]) -> Iterator[list[str]]:
    """Give of each batch the URLs that were not there before."""
    seen: set[str] = set()
    for batch in batches:
        urls = [url for url in dict.fromkeys(batch) if url not in seen]
        seen.update(urls)
        yield urls
