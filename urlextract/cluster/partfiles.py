"""Part files: the results of one shard each, in a directory or below a URL.

A part has a name by the id of its shard, and is there as a whole or not at all: in a directory it is written
to a draft, which is renamed; an object store gets it in one request. See `urlextract.replacing` for
drafts.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from urlextract.cluster.manifest import DAMAGE, is_part
from urlextract.cluster.stores import file_system, files_in, is_url, store_errors
from urlextract.errors import SourceError, SourceNotFoundError, UrlExtractError
from urlextract.replacing import STALE, new_draft, remove_drafts, replace_file

_DRAFT = ".part-"
# Object stores: what is written there is visible when it is complete
_ATOMIC = frozenset(("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "r2"))


class Parts(Protocol):
    """The directory of parts of one format."""

    def prepare(self) -> None:
        """Make the directory if there is none, sweep it, and raise an error if it cannot be written to."""

    def sweep(self) -> None:
        """Remove the drafts of processes that have died."""

    def sizes(self) -> dict[str, int]:
        """Return the names of the parts, and of their files of damage, each with its size in bytes."""

    def has(self, name: str) -> bool:
        """Return whether a part is there."""

    def writing(self, name: str) -> Any:
        """Return a context manager for a stream; what is written becomes the part, unless that fails."""

    def put(self, name: str, data: bytes) -> None:
        """Write a small file, as a whole."""

    def get(self, name: str) -> bytes | None:
        """Return the content of a small file, None if there is none."""

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""


def parts_in(out: str) -> Parts:
    """Return the parts in a directory or below a URL; raise `UrlExtractError` if it can only be read."""
    if not is_url(out):
        return _Directory(out)
    if out.startswith(("http://", "https://")):
        raise UrlExtractError(f"{out}: http and https can be read only")
    return _Store(out)


class _Directory:
    """Parts in a directory."""

    def __init__(self, path: str) -> None:
        self._path = path

    def prepare(self) -> None:
        os.makedirs(self._path, exist_ok=True)
        self.sweep()
        try:
            number, draft = new_draft(self._path, _DRAFT, 0o600)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._path) from None
        os.close(number)
        os.unlink(draft)

    def sweep(self) -> None:
        remove_drafts(self._path, _DRAFT)

    def sizes(self) -> dict[str, int]:
        return _sizes_in(self._path)

    def has(self, name: str) -> bool:
        return os.path.exists(os.path.join(self._path, name))

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        number, draft = new_draft(self._path, f".{name}.", 0o666)
        try:
            with open(number, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                os.replace(draft, os.path.join(self._path, name))
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise

    def put(self, name: str, data: bytes) -> None:
        replace_file(os.path.join(self._path, name), data)

    def get(self, name: str) -> bytes | None:
        try:
            return Path(self._path, name).read_bytes()
        except FileNotFoundError:
            return None

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(self._path, name))


class _Store:
    """Parts below a URL."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        with store_errors(url):
            self._system, self._path = file_system(self._url)
        protocols = self._system.protocol
        self._is_atomic = not _ATOMIC.isdisjoint((protocols,) if isinstance(protocols, str) else protocols)

    def _at(self, name: str) -> str:
        return f"{self._path.rstrip('/')}/{name}"

    def prepare(self) -> None:
        with store_errors(self._url):
            if not self._is_atomic:
                self._system.makedirs(self._path, exist_ok=True)
        self.sweep()
        tried = f"{_DRAFT}{os.urandom(6).hex()}"
        try:
            self.put(tried, b"")
            self.remove(tried)
        except SourceNotFoundError:
            raise SourceError(self._url, "cannot be written to: there is no such bucket") from None
        except SourceError as error:
            raise SourceError(self._url, f"cannot be written to: {error.cause}") from None

    def sweep(self) -> None:
        with store_errors(self._url):
            for info in [] if self._is_atomic else self._system.ls(self._path, detail=True):
                is_draft = info["name"].rpartition("/")[2].startswith(_DRAFT)
                if is_draft and time.time() - _seconds_of(info) > STALE:
                    self._system.rm_file(info["name"])

    def sizes(self) -> dict[str, int]:
        return _sizes_in(self._url)

    def has(self, name: str) -> bool:
        with store_errors(self._url):
            return bool(self._system.exists(self._at(name)))

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        with tempfile.NamedTemporaryFile(prefix="urlextract-") as held:
            stream: BinaryIO = held.file  # type: ignore[assignment]  # typeshed has its class
            yield stream
            stream.flush()
            with store_errors(f"{self._url}/{name}"):
                self._publish(held.name, name)

    def put(self, name: str, data: bytes) -> None:
        with self.writing(name) as stream:
            stream.write(data)

    def get(self, name: str) -> bytes | None:
        with store_errors(f"{self._url}/{name}"), suppress(FileNotFoundError):
            data: bytes = self._system.cat_file(self._at(name))
            return data
        return None

    def remove(self, name: str) -> None:
        with store_errors(self._url), suppress(FileNotFoundError):
            self._system.rm_file(self._at(name))

    def _publish(self, local: str, name: str) -> None:
        """Copy a file to the store: in one request, or to a draft that is renamed."""
        if self._is_atomic:
            self._system.put_file(local, self._at(name))
            return
        draft = self._at(f".{name}.{os.urandom(6).hex()}")
        try:
            with open(local, "rb") as source, self._system.open(draft, "wb") as target:
                shutil.copyfileobj(source, target)
            self._system.mv(draft, self._at(name))
        except BaseException:
            with suppress(Exception):  # the store may be gone: the error that came first is raised
                self._system.rm_file(draft)
            raise


def _sizes_in(folder: str) -> dict[str, int]:
    try:
        stamps = files_in(folder)
    except FileNotFoundError:  # a store has no empty directories
        return {}
    return {name: stamp.size or 0 for name, stamp in stamps.items() if is_part(name.removesuffix(DAMAGE))}


def put_damage(parts: Parts, name: str, damage: Iterable[str]) -> None:
    """Keep what is damaged in the source of a part, if anything is, each in one line."""
    if lines := "".join(f"{each}\n" for each in damage):
        parts.put(name + DAMAGE, lines.encode("utf-8", "surrogateescape"))


def damage_of(parts: Parts, name: str) -> tuple[str, ...]:
    """Return what is damaged in the source of a part that is there; raise `UrlExtractError` if that fails."""
    try:
        data = parts.get(name + DAMAGE) or b""
    except OSError as error:
        raise UrlExtractError(f"{name}{DAMAGE}: {error.strerror or error}") from None
    return tuple(line for line in data.decode("utf-8", "surrogateescape").split("\n") if line)


def _seconds_of(info: dict[str, Any]) -> float:
    """Return the time of the last change of an object; now if it is not known."""
    for key in ("mtime", "modificationTime", "LastModified", "created"):
        value: Any = info.get(key)
        if isinstance(value, datetime):
            return value.timestamp()
        if isinstance(value, int | float):
            return float(value)
    return time.time()
