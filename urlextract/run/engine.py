"""Read a command's input and print its output, with one process or several."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack

from urlextract.errors import OnDamage, SourceError
from urlextract.output.counting import print_counts, print_lines
from urlextract.output.outputs import OutputOptions
from urlextract.output.writer import Writer, is_written_to, opened
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Item
from urlextract.run.progress import Progress, progress_of, with_progress
from urlextract.run.results import lines_of, print_together
from urlextract.sources.checkpoint import Checkpoint
from urlextract.sources.folders.tree import TreeFilter, Written
from urlextract.sources.reading import read_source
from urlextract.sources.streams import names_in

LARGE = 16 * 1024 * 1024
"""Bytes of files: one process reads fewer than that in the time that others take to start."""

_MOST = 8  # processes that are started by default: the one that prints could not keep up with more


def are_files(sources: Sequence[str]) -> bool:
    """Return whether all sources are files or directories; "-", standard input, is neither."""
    return all(source != "-" and (os.path.isfile(source) or os.path.isdir(source)) for source in sources)


def processes_for(sources: Sequence[str], output: OutputOptions) -> int:
    """Return the number of processes that read.

    By default it is more than one only for large input, and if the number of results is not limited. All
    sources must be files or directories, and no option may need all results in one process.
    """
    if output.jobs is None:
        if output.max_count is not None or not _are_large(sources):
            return 1
    elif output.jobs == 1:
        return 1
    can_be_shared = output.is_lines and not output.quiet and are_files(sources)
    return (output.jobs or default_jobs()) if can_be_shared else 1


def _are_large(sources: Sequence[str]) -> bool:
    """Return whether the files have at least `LARGE` bytes in all, or a directory is among the sources."""
    size = 0
    for source in sources:
        try:
            status = os.stat(source)
        except (OSError, ValueError):  # it is gone, or its name has a NUL: reported when it is read
            continue
        if stat.S_ISDIR(status.st_mode):
            return True
        size += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return size >= LARGE


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_jobs() -> int:
    """Return the number of processes that read large input."""
    return min(processors(), _MOST)


def print_all(
    sources: Sequence[str],
    output: OutputOptions,
    options: ExtractOptions,
    on_damage: OnDamage,
    notice: Callable[[str], None],
) -> int:
    """Print the results for the sources; return the number of URLs found.

    ``on_damage`` is called for each error in a source, ``notice`` with other messages to the user.
    """
    if output.max_count == 0:
        return 0
    sources = all_sources(sources, output)
    with ExitStack() as stack:
        state = None
        if output.state is not None:
            from urlextract.sources.state import opened_state  # SQLite is slow to load

            # If results wait for others, what was read is not saved before the end of the run
            state = stack.enter_context(opened_state(output.state, can_rest=not output.waits))
        return _Run(sources, output, options, on_damage, notice, state=state).print_all()


def all_sources(sources: Sequence[str], output: OutputOptions) -> Sequence[str]:
    """Return the named sources and those in the file of names, or standard input if neither is given."""
    if output.files_from is not None:
        if is_written_to(output.files_from, output.output):
            raise OSError(0, "the list of names is also the output", output.files_from)
        sources = (*sources, *names_in(output.files_from))
    elif not sources:
        sources = ("-",)
    for source in sources:
        if is_written_to(source, output.output):
            raise OSError(0, "the input is also the output", source)
        if output.state is not None and is_written_to(source, output.state):
            raise OSError(0, "the input is also the state", source)
    if output.state is not None and output.output is not None and is_same(output.state, output.output):
        raise OSError(0, "the state is also the output", output.output)
    return sources


def is_same(one: str, other: str) -> bool:
    """Return whether two names are those of one file, which need not be there."""
    try:
        return os.path.realpath(one) == os.path.realpath(other) or os.path.samefile(one, other)
    except (OSError, ValueError):  # ValueError: a NUL in a name
        return False


def _is_there(source: str) -> bool:
    return sys.stdin is not None if source == "-" else os.access(source, os.R_OK)


def _tree_filter(
    sources: Sequence[str], output: OutputOptions, notice: Callable[[str], None], beside: Sequence[str]
) -> TreeFilter | None:
    """Return the filter for the files of directories, or None if no source is a directory.

    Files ``beside`` the state are passed over in silence.
    """
    if not any(map(os.path.isdir, sources)):
        return None

    files: list[str | int] = [1, 2, *filter(None, (output.output, output.state)), *beside]

    def tell(path: str) -> None:
        if os.path.realpath(path) not in beside:
            notice(f"{path}: is written to by this run, and not read")

    written = Written(files, tell)
    return TreeFilter(output.include, output.exclude, output.follow, written)


class _Run:
    """One run: what is read, and how it is printed."""

    def __init__(
        self,
        sources: Sequence[str],
        output: OutputOptions,
        options: ExtractOptions,
        on_damage: OnDamage,
        notice: Callable[[str], None],
        *,
        state: Checkpoint | None,
    ) -> None:
        self._notice = notice
        self._sources, self._output, self._options, self._on_damage = sources, output, options, on_damage
        self._writer: Writer | None = None
        self._state = state
        self._tree_filter = _tree_filter(sources, output, self._say, state.beside if state else ())
        # Input from a pipe may come slowly: each result is written at once.
        self._is_prompt = output.line_buffered or not are_files(sources)

    def print_all(self) -> int:
        """Print all results, then save what was read."""
        output, state = self._output, self._state
        path = output.output
        is_unseen = output.quiet and not path and sys.stdout is None
        if is_unseen or (path and self._sources and not any(map(_is_there, self._sources))):
            path = os.devnull  # an output file stays as it is
        length = state.length_of(path) if state and path else None
        end = "\0" if output.null else "\n"
        with opened(path, end=end, is_prompt=self._is_prompt, length=length) as writer:
            self._writer = writer
            header = output.header_line()
            if header is not None and writer.is_at_start:
                writer.write(header)
            if state:
                state.flush = writer.flush
                state.save()  # a file that cannot be written is reported before anything is read
            found = self._print(writer)
            if state and found != output.max_count:  # else it is not known how much was read
                state.save()
        self._writer = None  # it is closed
        return found

    def _tell(self, damage: SourceError) -> None:
        """Report damage, after the results that were found before it."""
        if self._writer:
            self._writer.flush()
        self._on_damage(damage)

    def _say(self, message: str) -> None:
        """Report a message that is not about damage, after the results that were found before it."""
        if self._writer:
            self._writer.flush()
        self._notice(message)

    def _print(self, writer: Writer) -> int:
        output, options = self._output, self._options
        jobs = 1 if self._state else processes_for(self._sources, output)
        found = self._print_shared(writer, jobs) if jobs > 1 else None
        if found is not None:
            return found
        if output.row.counts:
            return print_counts(self._sources, self._batches(), output, writer)
        items = self._items(self._sources)
        progress = self._progress()
        if progress:
            items = with_progress(items, progress)
        if output.is_lines:
            return print_lines(lines_of(items, output, options, self._tell), output, writer)
        return print_together(items, output, options, writer, self._tell)

    def _items(self, sources: Iterable[str]) -> Iterator[Item]:
        for source in sources:
            yield from read_source(
                source,
                self._output.format,
                on_damage=self._tell,
                tree_filter=self._tree_filter,
                checkpoint=self._state,
                is_followed=self._output.line_buffered,
            )

    def _print_shared(self, writer: Writer, jobs: int) -> int | None:
        """Print the results of several processes, or return None if the input cannot be shared."""
        from urlextract.run.sharing import print_shared

        return print_shared(
            self._sources,
            self._output,
            self._options,
            writer,
            jobs,
            least=LARGE,
            tree_filter=self._tree_filter,
            on_damage=self._tell,
            progress=self._progress(),
        )

    def _progress(self) -> Progress | None:
        """Return the progress, if standard error is a terminal and no results are printed to one."""
        output = self._output
        is_elsewhere = output.output or output.quiet or (sys.stdout is not None and not sys.stdout.isatty())
        is_watched = is_elsewhere and sys.stderr is not None and sys.stderr.isatty()
        if not is_watched:
            return None

        return progress_of(self._sources)

    def _batches(self) -> Iterator[tuple[int, list[tuple[str, str]]]]:
        """Yield the results one by one, each with the index of its source."""
        for turn, source in enumerate(self._sources):
            results = lines_of(self._items([source]), self._output, self._options, self._tell)
            yield from ((turn, [result]) for result in results)
            yield turn + 1, []
