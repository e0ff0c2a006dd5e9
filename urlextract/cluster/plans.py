r"""Plans: shards that can be printed, one line of JSON each, and read by any process that has the files.

A line has all that its results depend on: the file and the range in it, or the files; their stamps; the
options of extraction; the version of this program. ``id`` is a hash of all that.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, BinaryIO

from urlextract import __version__
from urlextract.cluster.stores import FilesAndObjects, ReadFailedError, is_url, open_stamped, resolved
from urlextract.errors import SourceError, SourceNotFoundError, UrlExtractError
from urlextract.pipeline.options import ExtractOptions, options_of
from urlextract.run.cutting import Cutter
from urlextract.sources.folders.git import tip_of
from urlextract.sources.folders.tree import EVERYTHING, File, Stamp, TreeFilter
from urlextract.sources.reading import NO_MESSAGE, SOURCE_FORMATS
from urlextract.sources.stretches import Start, Stretch

OnDamage = Callable[[SourceError], None]


SHARD_SIZE = 64 << 20
"""The size of the shards of a plan, in bytes."""

_VERSION = 2
_FILES = 2_000  # of a directory that a shard has at most, and some 500 on average
_NO_PART_OF_ID = ("id", "error")
_NO_SHARD = "no shard of a plan"


class ChangedError(UrlExtractError):
    """A file that is not the one any more for which the plan was made."""


class PlanError(UrlExtractError):
    """A line that is no shard of a plan, or of a plan of another version of this program."""


@dataclass(frozen=True)
class PlannedShard:
    """A shard with all that its results depend on.

    ``shard`` has the names that records have, and the stamp of its file, or of each of its files; ``url`` is
    the absolute path or the URL of its ``source``. ``options`` are the keywords of the
    library that are not left at their defaults. ``copy`` counts equal shards before this one: of a file that
    was named twice, or that is also in a directory. ``error`` says why the last run has not read it.
    """

    shard: Stretch
    url: str
    options: dict[str, Any]
    copy: int = 0
    program: str = __version__
    error: str | None = None

    @cached_property
    def id(self) -> str:
        """The hash of all else but the error, in hexadecimal digits."""
        return _hash(self.content, 20)

    def line(self) -> str:
        """Return the shard as a line of JSON, in ASCII."""
        head = {"id": self.id} if self.error is None else {"id": self.id, "error": self.error}
        return f"{_encoded(head)[:-1]},{self.content[1:]}"

    @cached_property
    def content(self) -> str:
        """All else but the error, as an object of JSON."""
        shard = self.shard
        content: dict[str, Any] = {"v": _VERSION, "source": shard.source, "url": self.url}
        content["format"] = shard.format
        if shard.files is not None:
            content["files"] = [[*file[:2], file.repositories, *file.stamp] for file in shard.files]
        else:
            content |= {
                "start": list(shard.start), "end": shard.end, "stamp": list(shard.stamp),
            }  # fmt: skip
        fingerprint = _hash(_encoded([self.program, self.options]), 16)
        content |= {
            "size": shard.size, "copy": self.copy, "options": self.options, "program": self.program,
            "fingerprint": fingerprint,
        }  # fmt: skip
        return _encoded(content)

    def open(self, name: str) -> BinaryIO:
        """Open the file that records call ``name``.

        Raise `ChangedError` if it has changed since the plan, and `ReadFailedError` for what is no fault of
        the source.
        """
        planned = self._stamps[name]
        try:
            stream, stamp = open_stamped(self._path_of(name), name)
        except FileNotFoundError:
            raise ChangedError(f"{name}: is gone since the plan was made") from None
        except OSError as error:
            words = error.cause if isinstance(error, SourceError) else error.strerror or str(error)
            raise ReadFailedError(f"{name}: {words}") from None
        if stamp != planned:
            stream.close()
            raise ChangedError(f"{name}: has changed since the plan was made{_difference(planned, stamp)}")
        return stream

    @cached_property
    def _stamps(self) -> dict[str, Stamp]:
        if self.shard.files is not None:
            return {file.path: file.stamp for file in self.shard.files}
        return {self.shard.source: self.shard.stamp}

    def check_repositories(self) -> None:
        """Raise `ChangedError` if a public inbox has other messages than when the plan was made."""
        for file in self.shard.files or ():
            if _with_tips(file) != file:
                raise ChangedError(f"{file.path}: has changed since the plan was made")

    def _path_of(self, name: str) -> str:
        below = name[len(self.shard.source) :].lstrip("/")
        return f"{self.url.rstrip('/')}/{below}" if below else self.url


def _difference(planned: Stamp, found: Stamp) -> str:
    if planned.size != found.size:
        return f": it has {found.size} bytes, and had {planned.size}"
    return ""


def _hash(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:digits]


def _encoded(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def shard_of_line(line: str) -> PlannedShard:
    """Return the shard that a line of a plan holds; raise `PlanError` if it is none."""
    try:
        content = json.loads(line)
        if content["v"] != _VERSION:
            raise PlanError(f"the version of the plan is {content['v']!r}: {_VERSION} can be read")
        if content["program"] != __version__:
            raise PlanError(
                f"the plan is of version {content['program']!r} of this program, which is {__version__}: "
                "make a new one"
            )
        if not all(check(content[name]) for name, check in _CHECKS.items() if name in content):
            raise PlanError(_NO_SHARD)
        planned = _planned_of(content)
        rest = {name: value for name, value in content.items() if name not in _NO_PART_OF_ID}
        is_whole = content["id"] == planned.id and rest == json.loads(planned.content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise PlanError(_NO_SHARD) from None
    if not is_whole:
        raise PlanError("the id is not that of the shard")
    return planned


def _is_number(value: object, least: int = 0) -> bool:
    return type(value) is int and least <= value <= sys.maxsize


def _is_number_or_null(value: object) -> bool:
    return value is None or _is_number(value)


def _is_name(value: object) -> bool:
    """Return whether a file can have this name; raise `ValueError` for a lone surrogate."""
    return isinstance(value, str) and b"\0" not in os.fsencode(value)


def _is_stamp(value: Iterable[object]) -> bool:
    size, mark = value
    return _is_number_or_null(size) and type(mark) in (int, str, type(None))


def _is_file(value: Iterable[Any]) -> bool:
    path, is_mail, repositories, *stamp = value
    is_read = _is_name(path) and isinstance(is_mail, bool) and isinstance(repositories, list)
    return is_read and all(map(_is_name, repositories)) and _is_stamp(stamp)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "source": _is_name,
    "url": _is_name,
    "format": lambda value: value in SOURCE_FORMATS,
    "files": lambda value: isinstance(value, list) and bool(value) and all(map(_is_file, value)),
    "start": lambda value: isinstance(value, list) and [*map(_is_number, value)] == [True] * len(Start()),
    "end": _is_number_or_null,
    "stamp": _is_stamp,
    "size": _is_number,
    "copy": _is_number,
    "options": lambda value: isinstance(value, dict),
    "error": lambda value: isinstance(value, str),
}
"""What the values of a line can be: a wrong one is no shard, also where its id is right."""


def _planned_of(content: dict[str, Any]) -> PlannedShard:
    if "files" in content:
        files = tuple(
            File(path, is_mail, tuple(repositories), Stamp(*stamp))
            for path, is_mail, repositories, *stamp in content["files"]
        )
        shard = Stretch(content["source"], content["format"], files=files, size=content["size"])
    else:
        shard = Stretch(
            content["source"],
            content["format"],
            Start(*content["start"]),
            content["end"],
            size=content["size"],
            stamp=Stamp(*content["stamp"]),
        )
    options = content["options"]
    options_of(options)
    error = content.get("error")
    return PlannedShard(shard, content["url"], options, content["copy"], error=error)


def read_plan(path: str, lines: Iterable[str], first: int = 1) -> Iterator[PlannedShard]:
    """Yield the shards of a plan; raise `PlanError` with the number of the line if one is none.

    ``first`` is the number of the first line.
    """
    for number, line in enumerate(lines, first):
        try:
            yield shard_of_line(line)
        except PlanError as error:
            raise PlanError(f"{path}, line {number}: {error}") from None


def plan_sources(
    sources: Sequence[str],
    format: str,
    keywords: Mapping[str, Any],
    *,
    shard_size: int | None = None,
    tree_filter: TreeFilter | None = None,
    on_damage: OnDamage,
) -> Iterator[PlannedShard]:
    """Yield the shards of the sources, in order; ``on_damage`` gets what cannot be read.

    ``keywords`` are those of the library; ``shard_size`` is the size of shards in bytes.
    """
    planner = _Planner(format, keywords, shard_size, tree_filter, on_damage)
    seen: Counter[str] = Counter()
    for planned in planner.shards(sources):
        yield replace(planned, copy=seen[planned.id]) if planned.id in seen else planned
        seen[planned.id] += 1


class _Planner:
    """Plans one source after the other."""

    def __init__(
        self,
        format: str,
        keywords: Mapping[str, Any],
        shard_size: int | None,
        tree_filter: TreeFilter | None,
        on_damage: OnDamage,
    ) -> None:
        self._tree_filter, self._on_damage = tree_filter or EVERYTHING, on_damage
        self._options = _lasting(keywords)
        self._files = FilesAndObjects()
        texts = options_of(self._options).choice.reads_pieces_alike
        self._cutter = Cutter(format, shard_size or SHARD_SIZE, _FILES, texts=texts, files=self._files)

    def shards(self, sources: Sequence[str]) -> Iterator[PlannedShard]:
        """Yield the shards of the sources; report what cannot be planned."""
        for shard in (shard for source in sources for shard in self._shards_of(source)):
            if shard.damage:
                self._on_damage(shard.damage)
            else:
                files = shard.files and tuple(map(_with_tips, shard.files))
                planned = shard._replace(files=files)
                yield PlannedShard(planned, resolved(shard.source), self._options)

    def _shards_of(self, source: str) -> Iterator[Stretch]:
        """Yield the shards of a source; report what cannot be read."""
        try:
            if source == "-" or not self._files.is_folder(source):
                yield from self._cutter.file(source, self._stamp(source))
                return
            is_empty = True
            for shard in self._cutter.directory(source, self._tree_filter):
                if shard.files != () or shard.damage:
                    is_empty = False
                    yield shard
            if is_empty:
                self._on_damage(SourceError(source, NO_MESSAGE))
        except SourceError as error:
            self._on_damage(error)
        except ReadFailedError as error:
            self._on_damage(SourceError(source, str(error).removeprefix(f"{source}: ")))
        except FileNotFoundError as error:
            self._on_damage(SourceNotFoundError(source, error.strerror or str(error), None, error.errno))
        except (OSError, ValueError) as error:
            words = error.strerror if isinstance(error, OSError) else None
            self._on_damage(SourceError(source, words or str(error)))

    def _stamp(self, source: str) -> Stamp:
        """Return the stamp of a file; raise `SourceError` for what is no file whose size is known."""
        if source == "-":
            raise SourceError(source, "standard input cannot be read in shards")
        stamp = self._files.stamp(source)
        if stamp.size is None and not is_url(source):
            raise SourceError(source, "is no regular file, and cannot be read in shards")
        return stamp


def _with_tips(file: File) -> File:
    """Return a public inbox with absolute paths and its stamp as it is now, any other file as it is.

    One that cannot be read is told of when it is read.
    """
    if not file.repositories:
        return file
    tips = []
    repositories = tuple(map(os.path.abspath, file.repositories))
    for path in repositories:
        try:
            tips.append(tip_of(path) or "")
        except (OSError, ValueError):
            tips.append("unreadable")
    return file._replace(repositories=repositories, stamp=Stamp(None, " ".join(tips)))


def _lasting(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not left at their defaults, as JSON holds them; a duration ends today."""
    options: dict[str, Any] = {}
    for name, value in keywords.items():
        given = options_of({name: value})
        if given != ExtractOptions():
            moment = given.since or given.until
            options[name] = moment.isoformat() if moment else value
    return dict(json.loads(_encoded(options)))
