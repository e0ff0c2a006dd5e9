"""The manifest of a directory of parts: it names those of the last complete run, in the order of its plan.

Other parts may be there, too: of a source as it was before, or of a run that was not complete. Whoever reads
the parts goes by the manifest, and so gets each record once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from urlextract import __version__
from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import valid_text

MANIFEST = "manifest.json"
"""The name of the file."""

DAMAGE = ".damage"
"""The end of the name of the file beside a part that has what is damaged in its source, a line each."""

_VERSION = 1
_PART = lazy_re(r"part-[0-9a-f]{20}\.(?:jsonl\.zst|parquet)\Z")


def is_part(name: str) -> bool:
    """Return whether a file has the name of a part.

    >>> is_part("part-0123456789abcdef0123.parquet"), is_part("part-1.parquet"), is_part("../x.parquet")
    (True, False, False)
    """
    return _PART.match(name) is not None


class ListedPart(NamedTuple):
    """A part: the name of the file, its size in bytes, and the source whose records it has."""

    name: str
    size: int
    source: str


class Manifest(NamedTuple):
    """The parts of a run, the format of these, and the options of extraction."""

    parts: tuple[ListedPart, ...]
    to: str
    options: dict[str, Any]
    program: str = __version__

    def encoded(self) -> bytes:
        """Return the content of the file: JSON in ASCII, with a line for each part."""
        head = {"v": _VERSION, "program": self.program, "to": self.to, "options": self.options}
        lines = (
            json.dumps({**part._asdict(), "source": valid_text(part.source)}, separators=(",", ":"))
            for part in self.parts
        )
        return (json.dumps(head)[:-1] + ', "parts": [\n' + ",\n".join(lines) + "\n]}\n").encode("ascii")

    def with_sizes(self, sizes: Mapping[str, int]) -> Manifest:
        """Return the manifest with the sizes of the files that are there, by their names; 0 if one is not."""
        parts = (part._replace(size=sizes.get(part.name, 0)) for part in self.parts)
        return self._replace(parts=tuple(parts))

    def missing(self, sizes: Mapping[str, int]) -> list[str]:
        """Return the names of parts that are not among these files, or have another size."""
        return [part.name for part in self.parts if sizes.get(part.name) != part.size]


def read_manifest(data: bytes, path: str) -> Manifest:
    """Return the manifest that a file holds; raise `SourceError` if it is none.

    >>> part = ListedPart("part-0123456789abcdef0123.jsonl.zst", 9, "mail.mbox")
    >>> manifest = Manifest((part,), "jsonl", {"emails": True})
    >>> read_manifest(manifest.encoded(), "links/manifest.json") == manifest
    True
    """
    try:
        content = json.loads(data)
        parts = tuple(ListedPart(**part) for part in content["parts"])
        manifest = Manifest(parts, content["to"], content["options"], content["program"])
        is_read = content["v"] == _VERSION and isinstance(manifest.options, dict) and _are_listed(parts)
    except (ValueError, KeyError, TypeError, RecursionError):
        is_read = False
    if not is_read:
        raise SourceError(path, f"is no manifest of parts (version {_VERSION})")
    return manifest


def _are_listed(parts: Sequence[ListedPart]) -> bool:
    """Return whether each part has the name of one, a size and a source, and is there once."""
    are_parts = all(
        isinstance(name, str) and is_part(name) and type(size) is int and isinstance(source, str)
        for name, size, source in parts
    )
    return are_parts and len({part.name for part in parts}) == len(parts)
