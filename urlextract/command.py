"""Run a command whose arguments are parsed: print results, report trouble, return an exit status.

This module uses no command line library, so that a call with only file names needs none.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from urlextract.errors import IndexFileError, RewrapError, SourceError, UrlExtractError
from urlextract.output.outputs import OutputOptions
from urlextract.pipeline.options import options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.cluster.running import InputOptions
    from urlextract.index.indexing import Reading
    from urlextract.schemes.parsing import Rules

    Notice = Callable[[str], None]
    """Called with a message for the user, without the name of the file."""

__all__ = [
    "FOUND",
    "NONE",
    "TROUBLE",
    "MisuseError",
    "Trouble",
    "check_keywords",
    "run_cluster",
    "run_command",
    "run_format",
    "run_index",
    "run_parse",
    "run_pick",
    "run_report",
    "run_shard",
    "run_shards",
    "run_text",
]

FOUND, NONE, TROUBLE = 0, 1, 2
"""Exit statuses, as grep has them."""

_KEYWORDS = (
    "schemes", "forms", "hosts", "not_hosts", "domains", "wrapped", "strict", "hyphen", "join",
    "parts", "quoted", "signature", "charset", "since", "relaxed", "emails", "refang", "links",
    "base", "unwrap",
)  # fmt: skip


class MisuseError(Exception):
    """An invalid value or use of an option; the message begins with the name of the option."""


_OPTIONS = {
    "schemes": "scheme", "forms": "form", "hosts": "host", "not_hosts": "not-host", "domains": "domain",
}  # fmt: skip
# The options whose keywords in the library have another name.


def _misuse_of(error: ValueError) -> MisuseError:
    """Return the error with the name of the option in place of that of the keyword."""
    keyword, colon, rest = str(error).partition(":")
    return MisuseError(f"{_OPTIONS.get(keyword, keyword)}{colon}{rest}")


class Trouble:
    """Reports each damage in one line on standard error, and remembers that there was any.

    ``hint`` returns what is added to the error of a source.
    """

    def __init__(self, hint: Callable[[str], str] | None = None) -> None:
        self.happened = False
        self._hint = hint

    def __call__(self, error: SourceError) -> None:
        """Report ``error``."""
        self.report(f"{error}{self._hint(error.source) if self._hint else ''}")

    def report(self, message: str) -> None:
        """Report ``message`` in one line, and remember that there was trouble."""
        self.happened = True
        self.show(message.replace("\n", "\\n"))

    def show(self, message: str) -> None:
        """Print ``message`` on standard error, in as many lines as it has."""
        from urlextract.output import status  # noqa: PLC0415 - in trouble only
        from urlextract.output.escaping import harmless  # noqa: PLC0415 - as above

        status.clear()
        line = "\n".join(map(harmless, message.split("\n")))
        with suppress(OSError, AttributeError, ValueError):  # standard error may be full, or closed
            sys.stderr.buffer.write(f"urlextract: {line}\n".encode("utf-8", "surrogateescape"))
            sys.stderr.flush()


def check_keywords(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return those of the ``chosen`` options that are keywords of the library.

    Raise `MisuseError` for an invalid value.
    """
    keywords = {name: chosen[name] for name in _KEYWORDS if name in chosen}
    try:
        options_of(keywords)
    except ValueError as error:
        raise _misuse_of(error) from None
    return keywords


def run_command(
    sources: Sequence[str], chosen: dict[str, Any], hint: Callable[[str], str] | None = None
) -> int:
    """Print the results for the sources, with the options ``chosen``; return the exit status.

    ``hint`` returns what is added to the error of a source that may be the name of a command.

    Raises `MisuseError` for an invalid option. If the reader of its output goes away, the
    process ends as SIGPIPE would end it.
    """
    from urlextract.run.engine import print_all  # noqa: PLC0415 - other commands do not need it

    keywords = check_keywords(chosen)
    output = OutputOptions.of(chosen)
    options = options_of(keywords)
    trouble = Trouble(lambda source: hint(source) if hint and source in sources[:1] else "")
    found = 0
    with _ends_told(trouble):
        found = print_all(sources, output, options, trouble, trouble.show)
    if trouble.happened and not (output.quiet and found):
        return TROUBLE
    return FOUND if found else NONE


def run_parse(urls: Sequence[str], *, as_json: bool, rules: Rules = "rfc3986") -> int:
    """Print the parts of each URL, parsed by ``rules``.

    "-", or no URL at all, reads them from standard input, one a line.
    """
    from urlextract.output.breakdown import print_parsed  # noqa: PLC0415 - a command of its own

    return _status_of(
        lambda trouble: print_parsed(_texts_of(urls or ("-",)), trouble.show, as_json=as_json, rules=rules)
    )


def run_format(urls: Sequence[str], how: dict[str, Any], *, check: bool) -> int:
    """Print each URL with line breaks; "-", or no URL at all, reads them as `run_parse` does.

    Raises `MisuseError` for an invalid option.
    """
    from urlextract.output.printed import print_formatted  # noqa: PLC0415 - a command of its own

    try:
        return _status_of(
            lambda trouble: print_formatted(_texts_of(urls or ("-",)), trouble.show, how, check=check)
        )
    except ValueError as error:
        raise MisuseError(str(error)) from None


def run_text(source: str, change: Callable[[str, Notice], str], *, in_place: bool) -> int:
    """Print the text of a file as ``change`` returns it, or replace the file; "-" is standard input.

    What ``change`` reports by its second argument, and what goes wrong, is printed in lines
    ``urlextract: FILE: message``; the former is no trouble.

    Raises `MisuseError` for an invalid option.
    """
    from urlextract.output.filtered import print_filtered, replace_filtered  # noqa: PLC0415 - as above

    if in_place and source == "-":
        raise MisuseError("in-place: name a file: standard input cannot be replaced")
    trouble = Trouble()

    def changed(text: str) -> str:
        return change(text, lambda message: trouble.show(f"{source}: {message}"))

    with _ends_told(trouble):
        try:
            if in_place:
                replace_filtered(source, changed, trouble.show)
            else:
                print_filtered(source, changed)
        except RewrapError as error:
            trouble.report(f"{source}: {error}")
            return NONE
    return TROUBLE if trouble.happened else FOUND


def run_index(path: str, sources: Sequence[str], chosen: dict[str, Any]) -> int:
    """Add what is new in the sources to an index; return the exit status: 0 if places were added.

    Raises `MisuseError` for an invalid option.
    """
    from urlextract.index.indexing import IndexRun, check_options, write_index  # noqa: PLC0415 - as above

    keywords = check_keywords(chosen)
    try:
        check_options(keywords)
    except ValueError as error:
        raise _misuse_of(error) from None
    trouble = Trouble()
    run = IndexRun()
    with _ends_told(trouble):
        run = write_index(path, _reading_of(path, sources, chosen, keywords, trouble), trouble)
        if _is_watched():
            trouble.show(
                f"{path}: {run.messages:,} messages read, {run.places:,} places added, {run.urls:,} URLs new"
            )
    if trouble.happened:
        return TROUBLE
    return FOUND if run.places else NONE


def _reading_of(
    path: str, sources: Sequence[str], chosen: dict[str, Any], keywords: dict[str, Any], trouble: Trouble
) -> Reading:
    """Return what the command ``index`` is to read."""
    from urlextract.index.indexing import Reading  # noqa: PLC0415 - a command of its own
    from urlextract.run.engine import all_sources  # noqa: PLC0415 - as above
    from urlextract.run.progress import progress_of  # noqa: PLC0415 - as above
    from urlextract.sources.folders.filters import TreeFilter  # noqa: PLC0415 - as above

    output = OutputOptions(files_from=chosen["files_from"], from0=chosen["from0"])
    is_all = chosen["parts_from"] is not None and not sources and not output.files_from
    listed = () if is_all else all_sources(sources, output)
    return Reading(
        listed,
        chosen["kind"],
        TreeFilter(chosen["include"], chosen["exclude"], chosen["follow"], outside=set()),
        keywords,
        jobs=chosen["jobs"],
        notice=lambda message: trouble.show(f"{path}: {message}"),
        parts_from=chosen["parts_from"],
        progress=progress_of(listed, walks=True) if _is_watched() else None,
    )


def _is_watched() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def run_pick(source: str, chosen: dict[str, Any]) -> int:
    """Let the user choose links of a source at the terminal; "-" is standard input.

    Damage in the source is trouble only if nothing was chosen.
    """
    from urlextract.picking.picker import PickOptions, pick  # noqa: PLC0415 - as above

    damage, trouble = Trouble(), Trouble()
    done = 0
    with _ends_told(trouble):
        done = pick(
            source,
            PickOptions(**chosen),
            on_damage=damage,
            trouble=trouble.report,
            notice=trouble.show,
        )
    if trouble.happened or (damage.happened and not done):
        return TROUBLE
    return FOUND if done else NONE


def run_report(index: str, output: str | None, limit: int | None) -> int:
    """Write the report of the index ``index`` to the file ``output``, or to standard output if it is None.

    The table of the report has the ``limit`` latest links, or all.
    """
    from urlextract.index.trust import files_of  # noqa: PLC0415 - as above
    from urlextract.output.writer import is_written_to, write_whole  # noqa: PLC0415 - as above
    from urlextract.report.rendering import page_of  # noqa: PLC0415 - as above

    def write(_: Trouble) -> int:
        output_file = None if output == "-" else output
        if any(is_written_to(file, output_file) for file in files_of(index)):
            raise IndexFileError(index, "is the output, too, and would be lost")
        write_whole(output_file, page_of(index, limit))
        return 0

    return _status_of(write)


def run_shards(sources: Sequence[str], chosen: dict[str, Any]) -> int:
    """Print a plan: the shards of the sources, one a line; return the exit status.

    Raises `MisuseError` for an invalid option.
    """
    from urlextract.cluster.running import print_plan  # noqa: PLC0415 - a command of its own

    keywords, given = _shard_options(chosen)
    trouble = Trouble()
    count = 0
    with _ends_told(trouble):
        count = print_plan(sources, given, keywords, on_damage=trouble, notice=trouble.show)
    if trouble.happened:
        return TROUBLE
    return FOUND if count else NONE


def run_shard(plan: str, out: str, to: str, ids: Sequence[str], numbers: Sequence[int]) -> int:
    """Read shards of a plan into their parts; "-" among the ``ids`` is those on standard input."""
    from urlextract.cluster.running import read_chosen  # noqa: PLC0415 - as above

    trouble = Trouble()
    with _ends_told(trouble):
        read_chosen(plan, out, to, list(_texts_of(ids)), numbers, tell=trouble.report)
    return TROUBLE if trouble.happened else FOUND


def run_cluster(sources: Sequence[str], chosen: dict[str, Any], how: dict[str, Any]) -> int:
    """Read all shards of the sources, or of a plan, on a cluster; return the exit status.

    Raises `MisuseError` for an invalid option.
    """
    from urlextract.cluster.running import ClusterOptions, run_on_cluster  # noqa: PLC0415 - as above

    keywords, given = _shard_options(chosen)
    trouble = Trouble()
    gc.enable()  # the libraries leave reference cycles behind
    with _ends_told(trouble), _stops_in_order():
        run_on_cluster(
            sources,
            given,
            keywords,
            ClusterOptions(**how),
            on_damage=trouble,
            tell=trouble.report,
            notice=trouble.show,
        )
    return TROUBLE if trouble.happened else FOUND


def _shard_options(chosen: dict[str, Any]) -> tuple[dict[str, Any], InputOptions]:
    """Return the keywords of the library, and the options of what is read in shards."""
    from urlextract.cluster.running import InputOptions  # noqa: PLC0415 - as above

    keywords = check_keywords(chosen)
    if keywords.get("hyphen") == "evidence":
        raise MisuseError("hyphen: evidence needs all texts in one process, and cannot be used with shards")
    return keywords, InputOptions(**{name: chosen[name] for name in InputOptions._fields if name in chosen})


def _texts_of(words: Iterable[str]) -> Iterator[str]:
    """Yield each word; for "-" the lines of standard input that are not blank, trimmed."""
    for word in words:
        if word != "-":
            yield word
        else:
            if sys.stdin is None:
                raise OSError(0, "standard input is closed", "-")
            for line in sys.stdin.buffer:
                text = line.decode("utf-8", "surrogateescape").strip().lstrip("\ufeff")
                if text:
                    yield text


def _status_of(work: Callable[[Trouble], int]) -> int:
    """Call ``work``, which returns the number of failures; return the exit status."""
    trouble = Trouble()
    failed = 0
    with _ends_told(trouble):
        failed = work(trouble)
    if trouble.happened:
        return TROUBLE
    return NONE if failed else FOUND


@contextmanager
def _ends_told(trouble: Trouble) -> Iterator[None]:
    """Report errors; end the process as a signal would on an interrupt, or if the output has no reader."""
    try:
        yield
    except BrokenPipeError:
        _leave("SIGPIPE")
    except KeyboardInterrupt:
        _leave("SIGINT")
    except _Stopped as stopped:
        _leave(str(stopped))
    except SourceError as error:
        trouble(error)
    except UrlExtractError as error:
        trouble.report(str(error))
    except OSError as error:
        trouble.report(f"{'output' if error.filename is None else error.filename}: {error.strerror or error}")
        _discard_output()


class _Stopped(BaseException):
    """A signal that asks the program to end has come; its text is the name of the signal."""


@contextmanager
def _stops_in_order() -> Iterator[None]:
    """Raise `_Stopped` on SIGTERM (as of Slurm and systemd) and SIGHUP, unless they are ignored (nohup).

    So what was opened is closed, and processes that were started are ended, as on an interrupt.
    """
    import signal  # noqa: PLC0415 - slow to import

    def stop(number: int, _: object) -> None:
        raise _Stopped(signal.Signals(number).name)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    heeded = [number for number, handler in before.items() if handler is signal.SIG_DFL]
    for number in heeded:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)


def _discard_output() -> None:
    """Send what is still to be flushed to the null device: the interpreter would fail on it once more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _leave(name: str) -> None:
    """Exit like a program that the signal ``name`` ends: with its status, no message and no last flush."""
    import signal  # noqa: PLC0415 - slow to import for two numbers

    from urlextract.output import status  # noqa: PLC0415 - as above

    status.clear()
    os._exit(128 + signal.Signals[name])
