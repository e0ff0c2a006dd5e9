"""What a command can print: the table of outputs, what each needs, and the options that choose one.

Whoever reads, orders, counts or shares work asks the row. To add an output, write a module with a function
that makes a line of a record, and a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, get_args

from urlextract.arguments import Option
from urlextract.doors import load_named
from urlextract.output.unique import By
from urlextract.records import SourceFormat


def fields() -> tuple[str, ...]:
    """Return what --fields can print: the keys that need no other option, and what is made when asked for."""
    from urlextract.results import KEYS  # records take long to load

    known = (key for key in KEYS if key not in ("violations", "warnings", "parsed"))
    return (*known, "key", "domain", "defanged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A way to print results. The defaults ask for all that a line of a record may need.

    A function is named "module:function", the module below `urlextract.output`, and loaded on first use.
    """

    chosen_by: tuple[str, ...] = ()
    """The names of the options that choose it."""

    flags: tuple[str, ...] = ()
    """The first of these options as it is written; none if it is declared with the other options."""

    help: str = ""

    line: str = "lines:line_of"
    """``(found, options) -> str``: the line of one result, without its end."""

    prints: str = ""
    """``(results, options, writer) -> int``: prints all results, returns their number; it has no lines."""

    merges: str = ""
    """What ``prints`` is, if each URL is printed once, with all its places."""

    header: str = ""
    """``(options) -> str``: the line before the first result."""

    counted: str = "{:7} {}"
    """How the number of a URL and its line are written with ``--top``."""

    takes: Literal["urls", "records", "rejections"] = "records"
    """What is read for it: URLs, records, or rejected places too."""

    is_named: bool = False
    """Whether the name of the source, the Message-ID and the number of the line can stand before a result."""

    counts: Literal["", "numbers", "names"] = ""
    """Whether it has the numbers of results of sources, or the names of those that have any."""

    excludes: tuple[str, ...] = ()
    """Other options that it cannot be used with."""

    has: Mapping[str, str] = field(default_factory=dict)
    """What does the work of such an option here."""

    is_daily: bool = False
    """Whether ``-h`` shows its option, as one of every day."""

    shapes: tuple[str, ...] = ()
    """Options that choose other outputs, and only shape this one."""

    def function(self, name: str) -> Any:
        """Return the function that the field ``name`` names."""
        return load_named("output", getattr(self, name))


URLS = Output(takes="urls", is_named=True)
"""URLs, one a line: what is printed if no output is chosen."""

_STANDS_BEFORE = ("with_filename", "message_id", "line_number")
_DEFANGED = {"defang": "--fields defanged prints such URLs"}

OUTPUTS = (
    Output(chosen_by=("as_json", "parse"), flags=("-j", "--json"),
           help="Print a JSON record of each URL.",
           line="jsonl:line_of", merges="jsonl:print_merged", excludes=_STANDS_BEFORE, is_daily=True),
    Output(chosen_by=("csv",), flags=("--csv",),
           help="Print a table with a header row, as CSV.",
           line="table:line_of", header="table:header_row", counted="{},{}", shapes=("fields",),
           excludes=("null", "defang", *_STANDS_BEFORE), has=_DEFANGED, is_daily=True),
    Output(chosen_by=("fields",),
           line="table:tabbed_line_of", counted="{}\t{}", excludes=("defang", *_STANDS_BEFORE),
           has=_DEFANGED),
    Output(chosen_by=("counts",), flags=("-c", "--count"),
           help="Print the number of URLs of each source.",
           takes="urls", counts="numbers", excludes=("top",), is_daily=True),
    Output(chosen_by=("files_with_matches",), flags=("-l", "--files-with-matches"),
           help="Print the names of the sources that have a URL.",
           takes="urls", counts="names", excludes=("top",)),
    Output(chosen_by=("explain",), flags=("--explain",),
           help="Print why each place was taken or rejected.",
           takes="rejections", prints="explanations:print_explanations",
           excludes=("top", "unique", "defang"), is_daily=True),
    Output(chosen_by=("raw",), flags=("--raw",),
           help="Print each URL as it was written, line breaks too.",
           line="lines:raw_line_of", is_named=True, excludes=("defang",)),
)  # fmt: skip


def is_chosen(value: Any) -> bool:
    """Return whether the value of an option means that it was given."""
    return value is not None and value is not False


# fmt: off
class OutputOptions(NamedTuple):
    """The options of the command about what is read and printed, and how.

    If ``jobs`` is None, the number of processes is chosen by the size of the input. ``top`` is the
    number of URLs that are printed with their counts: 0 for all of them, None for no counts.
    """

    row: Output = URLS
    parse: Annotated[bool, Option(
        "--parse", "Add components and warnings to records, as --json.", section="Output")] = False
    fields: Annotated[tuple[str, ...] | None, Option(
        "--fields", "Print these keys of its record, with tabs between.",
        "KEY,...", names=fields, section="Output", is_daily=True)] = None
    unique: Annotated[bool, Option(
        "-u --unique", "Print each URL once; with --json, with all its places.", section="Output",
        is_daily=True)] = False
    top: Annotated[int | None, Option(
        "--top", "Print the N most frequent URLs, or all, with numbers.", "[N]",
        names=("all",), least=1, section="Output", is_daily=True)] = None
    by: Annotated[By | None, Option(
        "--by", "Count by host or by domain, the registered one, with --top.", "WHAT",
        section="Output")] = None
    quiet: Annotated[bool, Option(
        "-q --quiet", "Print nothing; only the exit status says whether there are URLs.",
        section="Output")] = False
    null: Annotated[bool, Option(
        "-0 --null", "End each result with a NUL byte, for xargs -0.", section="Output")] = False
    with_filename: Annotated[bool, Option(
        "-H --with-filename", "Print the name of the source before each URL.", section="Output",
        is_daily=True)] = False
    message_id: Annotated[bool, Option(
        "-I --message-id", "Print the Message-ID before each URL.", section="Output")] = False
    line_number: Annotated[bool, Option(
        "-n --line-number", "Print the number of its line in the file.", section="Output")] = False
    line_buffered: Annotated[bool, Option(
        "--line-buffered", "Decide each line of a text as it comes, as for tail -f.",
        section="Output")] = False
    max_count: Annotated[int | None, Option(
        "-m --max-count", "Stop after N results.", "N", section="Output")] = None
    output: Annotated[str | None, Option(
        "-o --output", "Write to FILE instead of standard output.", "FILE", section="Output")] = None
    defang: Annotated[bool, Option(
        "--defang", "Print URLs that nobody follows: hxxp://a[.]com.",
        section="Output", is_daily=True)] = False
    format: Annotated[SourceFormat, Option(
        "-F --format", f"Read the input as this, and detect nothing: "
        f"{', '.join(get_args(SourceFormat)[1:])}.", "FORMAT", section="Input")] = "auto"
    include: Annotated[tuple[str, ...], Option(
        "--include", "Read only such files in directories (repeatable).", "GLOB", section="Input")] = ()
    exclude: Annotated[tuple[str, ...], Option(
        "--exclude", "Read no such files in directories (repeatable).", "GLOB", section="Input")] = ()
    follow: Annotated[bool, Option(
        "-L --follow", "Follow symbolic links in directories.", section="Input")] = False
    files_from: Annotated[str | None, Option(
        "-T --files-from", "Read the files that FILE names, one a line.", "FILE", section="Input")] = None
    jobs: Annotated[int | None, Option(
        "-J --jobs", "Read with N processes. Default: as many as pay.", "N", least=1, section="Other")] = None
    state: Annotated[str | None, Option(
        "--state", "Read only what is new since the last run with FILE.", "FILE", section="Other",
        is_daily=True)] = None
    # fmt: on

    @classmethod
    def of(cls, chosen: Mapping[str, Any]) -> OutputOptions:
        """Return the options of the values ``chosen`` on the command line; others among them are left out."""
        options = cls(**{name: value for name, value in chosen.items() if name in cls._fields})
        if options.quiet:  # the first URL decides the exit status
            return options._replace(max_count=0 if options.max_count == 0 else 1, top=None)
        rows = (each for each in OUTPUTS if any(is_chosen(chosen.get(name)) for name in each.chosen_by))
        return options._replace(row=next(rows, URLS), unique=options.unique or options.top is not None)

    @property
    def asks(self) -> dict[str, bool]:
        """The options of the library without which records lack what is printed."""
        return {"parse": self.parse, "context": "context" in (self.fields or ())}

    @property
    def limit(self) -> int | None:
        """The greatest number of results that are printed, None for any number."""
        return min((limit for limit in (self.top or None, self.max_count) if limit is not None), default=None)

    @property
    def merges(self) -> bool:
        """Whether one record is printed for all places of a URL, after all input."""
        return self.unique and bool(self.row.merges)

    @property
    def is_lines(self) -> bool:
        """Whether one line is printed for each result, whatever the others are."""
        return not (self.row.prints or self.merges)

    @property
    def waits(self) -> bool:
        """Whether what was read counts as printed only after all input was read."""
        return self.top is not None or self.merges or bool(self.row.counts)

    @property
    def needs_records(self) -> bool:
        """Whether more than URLs is printed, or not as they are."""
        adds = self.defang or self.with_filename or self.message_id or self.line_number
        return self.row.takes != "urls" or bool(self.row.is_named and adds)

    def header_line(self) -> str | None:
        """Return the line before the first result, None if the output has none."""
        if not self.row.header:
            return None
        header: str = self.row.function("header")(self)
        return header if self.top is None else self.row.counted.format("count", header)
