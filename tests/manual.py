"""What the manual says that the program knows: ``python tests/manual.py`` writes it into the pages.

A block of a page that begins with a line ``.\\" generated: NAME`` and ends with ``.\\" end`` is what
`blocks_of` returns for that name; all else is written by hand. A test fails if a block is stale.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from textwrap import wrap
from typing import Any, get_args, get_type_hints

import click
import msgspec

from urlextract import Found, __version__
from urlextract.cli import COMMANDS
from urlextract.cli.extracting import extract_command
from urlextract.cli.program import load
from urlextract.cli.rows import SECTIONS
from urlextract.grammar.codes import AlternativeCode, DefectCode, RepairCode
from urlextract.index.schema import SCHEMA
from urlextract.output.table import COLUMNS
from urlextract.picking.opening import OPENED
from urlextract.schemes.cautions import CautionCode
from urlextract.schemes.checks import ViolationCode
from urlextract.schemes.gateways import _GATEWAYS
from urlextract.schemes.rows import Part
from urlextract.schemes.url import TYPES, Url, type_of

MAN = Path(__file__).parent.parent / "urlextract" / "share" / "man"
PAGES = [*sorted((MAN / "man1").iterdir()), *(MAN / "man5").iterdir()]
DATE = "2026-11-29"
BLOCK = re.compile(r'(?ms)^\.\\" generated: (?P<name>[^\n]+)\n.*?^\.\\" end\n')


# --- troff ------------------------------------------------------------------------------------------

_ESCAPES = str.maketrans({"\\": r"\e", "-": r"\-", "^": r"\(ha", "~": r"\(ti", "`": r"\(ga", "'": r"\(aq"})


def troff(text: str) -> str:
    """Return a text as troff reads it."""
    return text.translate(_ESCAPES)


def plain(text: str) -> str:
    """Return a text of a page without fonts and escapes."""
    signs = {sign: chr(code) for code, sign in _ESCAPES.items()}
    text = re.sub(r"\\f[BIR]|\\&", "", text).replace(r"\(dq", '"')
    return re.sub(r"\\(?:-|e|\(..)", lambda escape: signs[escape[0]], text)


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a paragraph."""
    for line in wrap(troff(text), 108, break_on_hyphens=False, break_long_words=False):
        yield rf"\&{line}" if line.startswith(".") else line


def entry(term: str, text: str) -> Iterator[str]:
    r"""Yield an entry of a list; in its term, which is troff, stand \fB and \fI."""
    yield f'.IP "{term}" 7'
    yield from lines_of(text)


def verbatim(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that are shown as they are."""
    yield from (".RS 4", ".nf")
    yield from (rf"\&{line}" if line.startswith(".") else line for line in map(troff, lines))
    yield from (".fi", ".RE")


def bold(name: str) -> str:
    return rf"\fB{troff(name)}\fR"


# --- commands ---------------------------------------------------------------------------------------


def options(command: click.Command, section: str = "") -> Iterator[str]:
    """Yield the options of a command, or those of a section of its help; without those that all have."""
    context = click.Context(command)
    for option in command.get_params(context):
        record = option.get_help_record(context)
        of_all = ("help", "version", "man")
        is_listed = getattr(option, "section", "Other") == section if section else option.name not in of_all
        if isinstance(option, click.Option) and record and is_listed:
            kind = "" if option.is_flag else rf" \fI{troff(option.make_metavar(context))}\fR"
            text = re.sub(r"  \[(default: .*)\]$", r" (\1)", record[1])
            yield from entry(", ".join(map(bold, option.opts)) + kind, text)


def heading(title: str, section: int, volume: str) -> str:
    """Return the first line of a page."""
    return f'.TH {troff(title.upper())} {section} "{DATE}" "urlextract {__version__}" "{volume}"'


def head(name: str) -> Iterator[str]:
    """Yield the page of a command up to its options, with them, and its exit status."""
    command = load(name) if name else extract_command
    title = "urlextract" + f"-{name}" * bool(name)
    first, *paragraphs = [" ".join(each.split()) for each in (command.help or "").split("\n\n")]
    yield heading(title, 1, "User Commands")
    yield from (".SH NAME", rf"{troff(title)} \- {troff(first[0].lower() + first[1:].removesuffix('.'))}")
    arguments = " ".join(each.make_metavar(click.Context(command)) for each in command.params
                         if isinstance(each, click.Argument))  # fmt: skip
    yield from (".SH SYNOPSIS", rf"\fB{troff(title.replace('-', ' '))}\fR [OPTIONS] {troff(arguments)}")
    if not name:
        yield from (".br", r"\fBurlextract\fR \fICOMMAND\fR [OPTIONS] [ARGUMENT]...")
    yield ".SH DESCRIPTION"
    yield from paragraphs_of([first, *paragraphs])
    yield ".SH OPTIONS"
    for section in SECTIONS if not name else ():
        yield f".SS {section}"
        yield from options(command, section)
    if name:
        yield from options(command)
        more, _, status = (command.epilog or "").partition("Exit status:")
        yield from examples_of(command)
        for paragraph in filter(str.strip, more.split("\n\n")):
            yield from (".PP", *lines_of(" ".join(paragraph.split())))
        yield ".SH EXIT STATUS"
        yield from lines_of(" ".join(status.split()))


def paragraphs_of(texts: list[str]) -> Iterator[str]:
    for at, text in enumerate(texts):
        yield from [".PP"] * bool(at)
        yield from lines_of(text)


def examples_of(command: Any) -> Iterator[str]:
    """Yield the examples in the help of a command."""
    if command.examples:
        width = max((len(call) for call, does in command.examples if does), default=0)
        yield from (".PP", "Examples:")
        yield from verbatim(f"{call:{width}}   {does}".rstrip() for call, does in command.examples)


def commands() -> Iterator[str]:
    """Yield the commands, with what each does."""
    for name in COMMANDS:
        first = (load(name).help or "").partition("\n\n")[0]
        yield from entry(rf"\fBurlextract\-{name}\fR(1)", " ".join(first.split()))


# --- records and tables -----------------------------------------------------------------------------


def kind_of(schema: dict[str, Any]) -> str:
    """Return the type that a part of a schema allows, in words."""
    choices = schema.get("anyOf", [schema])
    kinds = [kind for kind in choices if kind != {"type": "null"}]
    names = [_kind_of(kind) for kind in kinds]
    return " or ".join(dict.fromkeys([*names, *["null"] * (len(kinds) < len(choices))]))


def _kind_of(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return "integer" if isinstance(schema["enum"][0], int) else "string"
    if schema["type"] != "array":
        return str(schema["type"])
    items = schema.get("items") or schema["prefixItems"][0]
    inner = _kind_of(items)
    return f"list of {inner.replace('list', 'lists')}" if inner.startswith("list") else f"list of {inner}s"


def keys(properties: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the keys of an object, each with its type and its meaning, and those of objects in its lists."""
    for name, schema in properties.items():
        objects = [each["items"]["properties"] for each in schema.get("anyOf", [schema])
                   if "properties" in each.get("items", ())]  # fmt: skip
        words = in_json(schema["description"])
        if words.endswith(":"):
            words += f" {', '.join(objects.pop())}."
        yield from entry(rf"{bold(path + name)} \fI{kind_of(schema)}\fR", words)
        for inner in objects:
            yield from keys(inner, f"{path}{name}[].")


def in_json(text: str) -> str:
    """Return a text about Python's values as one about JSON's."""
    return text.replace("``", "").replace("None", "null").replace("() and", "[] and")


def components() -> Iterator[str]:
    """Yield the keys of ``parsed``: of what only some schemes have, with these schemes."""
    type_of("http")  # loads all types
    hints: dict[str, Any] = {"scheme": str}
    docs: dict[str, dict[str, None]] = {"scheme": {"The scheme, in lower case.": None}}
    for kind in (Url, *dict.fromkeys(TYPES.values())):
        for name in (*kind._FIELDS, "query"):
            row = getattr(kind, name)
            is_part = isinstance(row, Part)
            hint = get_args(row.__orig_class__)[0] if is_part else get_type_hints(row.fget)["return"]
            hints[name] = hints.get(name, hint) | hint
            docs.setdefault(name, {})[" ".join((row.__doc__ or "").split("\n\n", 1)[0].split())] = None
    for name, hint in hints.items():
        schemes = [each for each, kind in TYPES.items() if name in kind._FIELDS]
        words = "" if name in {*Url._FIELDS, "scheme", "query"} else f"{', '.join(schemes)}: "
        schema = {**msgspec.json.schema(hint), "description": words + " ".join(docs[name])}
        yield from keys({f"parsed.{name}": schema})
    for name, (hint, words) in DERIVED.items():
        yield from keys({f"parsed.{name}": {**msgspec.json.schema(hint), "description": words}})


DERIVED: dict[str, tuple[Any, str]] = {
    "default_port": (int | None, "The port that the scheme has if the URL names none."),
    "grammars": (tuple[str, ...], "The grammars that the URL fits, of those that define the scheme."),
    "normalized": (str, "The normal form of the URL, which lacks the default port and needless escapes."),
}


def codes(kind: type[StrEnum]) -> Iterator[str]:
    """Yield the codes of a kind, each with its words."""
    for code in kind:
        words = str(code.words).replace(": {}", "").replace("{}", "X")  # type: ignore[attr-defined]
        yield from entry(bold(code.value), f"{words[0].upper()}{words[1:]}.")


def services(*, holds_target: bool) -> Iterator[str]:
    """Return the services whose links hold their targets, or those of which no link does."""
    holding = {row.service for row in _GATEWAYS if row.holds_target}
    names = dict.fromkeys(row.service for row in _GATEWAYS if (row.service in holding) is holds_target)
    return lines_of(f"{', '.join(names)}.")


def tables() -> Iterator[str]:
    """Yield the statements that make the tables of an index, with their comments."""
    for statement in re.findall(r"(?ms)^CREATE TABLE \w+ \( +--.*?^\);", SCHEMA):
        yield from verbatim(statement.splitlines())


def views() -> Iterator[str]:
    """Yield the views of an index, each with its comment."""
    for name, comment in re.findall(r"(?m)^CREATE VIEW (\w+) AS +-- (.*)", SCHEMA):
        yield from entry(bold(name), f"{comment[0].upper()}{comment[1:]}.")


BLOCKS: dict[str, Callable[[], Iterator[str]]] = {
    "urlextract": lambda: head(""),
    **{f"urlextract {name}": lambda name=name: head(name) for name in COMMANDS},  # type: ignore[misc]
    "urlextract-records": lambda: iter([heading("urlextract-records", 5, "File Formats")]),
    "commands": commands,
    "columns": lambda: lines_of(f"{', '.join(COLUMNS)}."),
    "decoded gateways": lambda: services(holds_target=True),
    "other gateways": lambda: services(holds_target=False),
    "opened schemes": lambda: lines_of(f"{', '.join(sorted(OPENED))}."),
    "keys": lambda: keys(Found.schema()["properties"]),
    "components": components,
    "repairs": lambda: codes(RepairCode),
    "defects": lambda: codes(DefectCode),
    "alternatives": lambda: codes(AlternativeCode),
    "violations": lambda: codes(ViolationCode),
    "warnings": lambda: codes(CautionCode),
    "tables": tables,
    "views": views,
}


def renewed(page: str) -> str:
    """Return a page with its generated blocks as they have to be."""

    def block(found: re.Match[str]) -> str:
        lines = BLOCKS[found["name"]]()
        return "\n".join((rf".\" generated: {found['name']}", *lines, r".\" end", ""))

    return BLOCK.sub(block, page)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(renewed(page.read_text("utf-8")), "utf-8")
    sys.stdout.write("The pages are written. pip install -e '.[test]' puts them where man finds them.\n")
