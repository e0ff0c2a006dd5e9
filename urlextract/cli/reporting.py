"""What all commands share: exit statuses, messages on standard error, texts on standard input."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import click

from urlextract.errors import FormatError, PassedOver, SourceError, UrlExtractError, UrlSyntaxError
from urlextract.output import status
from urlextract.output.escaping import harmless
from urlextract.output.writer import opened
from urlextract.pipeline.options import OPTIONS, options_of

FOUND, NONE, TROUBLE = 0, 1, 2
"""Exit statuses, as grep has them."""


_LONGEST_LINE = 600  # characters of an error


def check_keywords(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return those of the ``chosen`` options that are keywords of the library.

    Raise `UsageError` for an invalid value, with the name of the option in place of that of the keyword.
    """
    keywords = {name: chosen[name] for name, row in OPTIONS.items() if row.flags and name in chosen}
    try:
        options_of(keywords)
    except ValueError as error:
        keyword, colon, rest = str(error).partition(":")
        row = OPTIONS.get(keyword)
        raise click.UsageError(f"{row.flags if row else keyword}{colon}{rest}") from None
    return keywords


class ErrorReporter:
    """Reports each damage in one line on standard error, and remembers that there was any.

    Files that are passed over are counted, and told at the end. ``hint`` returns what is added to the error
    of a source.
    """

    def __init__(self, hint: Callable[[str], str] | None = None) -> None:
        self.happened = False
        self._hint = hint
        self._passed_over = PassedOver()

    def __call__(self, error: SourceError) -> None:
        """Report ``error``."""
        if error.within is not None:
            self._passed_over.add(error)
            return
        self.report(f"{error}{self._hint(error.source) if self._hint else ''}")

    def report(self, message: str) -> None:
        """Report ``message`` in one line, and remember that there was an error."""
        self.happened = True
        self.show(message.replace("\n", "\\n"))

    def end(self) -> None:
        """Print a line for each kind of files that were passed over; they do not count as errors."""
        for line in self._passed_over.lines():
            self.show(line.replace("\n", "\\n"))

    def show(self, message: str) -> None:
        """Print ``message`` on standard error, in as many lines as it has."""
        status.clear()
        line = "\n".join(_shortened(harmless(line)) for line in message.split("\n"))
        with suppress(OSError, AttributeError, ValueError):  # standard error may be full, or closed
            sys.stderr.buffer.write(f"urlextract: {line}\n".encode("utf-8", "surrogateescape"))
            sys.stderr.flush()


def _shortened(line: str) -> str:
    """Return a line, of a longer one its beginning and its end."""
    if len(line) <= _LONGEST_LINE - len("urlextract: "):
        return line
    half = _LONGEST_LINE // 2 - len("urlextract: ...")
    return f"{line[:half]}...{line[-half:]}"


def status_of(work: Callable[[ErrorReporter], int], sources: Sequence[str] = ()) -> int:
    """Call ``work``, which returns the number of failures; return the exit status."""
    errors = ErrorReporter()
    failed = 0
    with errors_reported(errors, sources):
        failed = work(errors)
    if errors.happened:
        return TROUBLE
    return NONE if failed else FOUND


@contextmanager
def errors_reported(errors: ErrorReporter, sources: Sequence[str] = ()) -> Iterator[None]:
    """Report errors; end the process as a signal would on an interrupt, or if the output has no reader.

    If "-" is among the ``sources`` and standard input is a terminal, one line says so: whoever has forgotten
    to name a file would wait for ever.
    """
    if "-" in sources and sys.stdin is not None and sys.stdin.isatty():
        errors.show("reads standard input; Ctrl-D ends it")
    try:
        yield
    except BrokenPipeError:
        _leave("SIGPIPE")
    except KeyboardInterrupt:
        _leave("SIGINT")
    except StoppedError as stopped:
        _leave(str(stopped))
    except SourceError as error:
        errors(error)
    except UrlExtractError as error:
        errors.report(str(error))
    except OSError as error:
        errors.report(f"{'output' if error.filename is None else error.filename}: {error.strerror or error}")
        _discard_output()
    finally:
        errors.end()


class StoppedError(BaseException):
    """A signal that asks the program to end has come; its text is the name of the signal."""


@contextmanager
def stops_in_order() -> Iterator[None]:
    """Raise `StoppedError` on SIGTERM (as of Slurm and systemd) and SIGHUP, unless they are ignored (nohup).

    So what was opened is closed, and processes that were started are ended, as on an interrupt.
    """

    def stop(number: int, _: object) -> None:
        raise StoppedError(signal.Signals(number).name)

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
    status.clear()
    os._exit(128 + signal.Signals[name])


def texts_of(words: Iterable[str]) -> Iterator[str]:
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


def print_each(
    words: Sequence[str], line_of: Callable[[str], str], *, line_of_error: Callable[[Any], str] | None = None
) -> int:
    """Print ``line_of`` each URL, "-" or none at all being those of standard input; return the exit status.

    What it raises of one is an error, or printed as ``line_of_error``.
    """

    def print_lines(errors: ErrorReporter) -> int:
        failed = 0
        with opened(None, end="\n", is_prompt=True) as writer:
            for text in texts_of(words or ("-",)):
                try:
                    writer.write(line_of(text))
                except (UrlSyntaxError, FormatError) as error:
                    failed += 1
                    if line_of_error:
                        writer.write(line_of_error(error))
                    elif text in words and os.path.lexists(text):
                        errors.show(
                            f"{text}: is a file, and no URL: write < {text} to have its lines read as URLs"
                        )
                    else:
                        errors.show(str(error))
        return failed

    return status_of(print_lines, words or ("-",))


def is_watched() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()
