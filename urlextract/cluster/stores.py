"""Files by path or by URL: open, list and stamp them.

Paths are read as everywhere else. URLs need fsspec, which is loaded for the first one, and the library that
it uses for their protocol. Each call asks fsspec for the file system of a URL: it has one for each thread.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, BinaryIO, cast

from urlextract.errors import MissingExtraError, SourceError, SourceNotFoundError, UrlExtractError
from urlextract.grammar.patterns import lazy_re
from urlextract.run.cutting import Files
from urlextract.sources.folders.tree import File, Kind, Stamp, TreeFilter, Walker, is_skipped, rank
from urlextract.sources.maildir import located
from urlextract.sources.streams import Origin, open_file

PAGES = ("http://", "https://")
"""How URLs begin that can be read only; a page with links is no directory."""

RECORDS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
"""How the names of files of records end that an index loads."""

_URL = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]{1,30}://")
_EXTRA = "pip install 'urlextract-mail[cluster]'"
_OF_EXTRA = ("s3://", "s3a://", *PAGES)  # whose libraries it brings
# What stores call the version of an object, in the order of its worth
_VERSION_KEYS = (
    "ETag", "etag", "md5Hash", "Content-MD5", "Digest", "generation", "VersionId", "version_id",
    "LastModified", "last_modified", "Last-Modified", "mtime", "modificationTime", "created",
)  # fmt: skip


def is_url(name: str) -> bool:
    """Return whether a name is a URL; any other is a path.

    >>> is_url("s3://bucket/mail.mbox"), is_url("mail/in:box"), is_url("mail::s3")
    (True, False, False)
    """
    return _URL.match(name) is not None


def resolved(name: str) -> str:
    """Return a URL as it is, a path as an absolute one."""
    return name if is_url(name) else os.path.abspath(name)


def file_system(url: str) -> tuple[Any, str]:
    """Return the file system of a URL as fsspec has it for this thread, and the path in it.

    Raise `MissingExtraError` if a library is missing, `SourceError` for an unknown protocol.
    """
    try:
        import fsspec
    except ImportError:
        raise MissingExtraError(f"{url}: needs fsspec: {_EXTRA}") from None
    try:  # not `url_to_fs`, which takes "::" in the name of an object for a chain of file systems
        kind = fsspec.get_filesystem_class(url.partition("://")[0].lower())
        system = kind(use_listings_cache=False, **kind._get_kwargs_from_urls(url))
    except ImportError as error:
        hint = f": {_EXTRA}" if url.startswith(_OF_EXTRA) else ""
        raise MissingExtraError(f"{url}: {str(error).rstrip('.')}{hint}") from None
    except ValueError as error:
        raise SourceError(url, str(error)) from None
    return system, kind._strip_protocol(url)


@contextmanager
def store_errors(name: str) -> Iterator[None]:
    """Raise `SourceError` with a name for other errors: libraries of stores have classes of their own."""
    try:
        yield
    except UrlExtractError:
        raise
    except Exception as error:
        is_missing = isinstance(error, FileNotFoundError)
        words = "no such object" if is_missing and is_url(name) else words_of(error)
        number = error.errno if isinstance(error, OSError) else None
        raise (SourceNotFoundError if is_missing else SourceError)(name, words, errno=number) from error


def words_of(error: BaseException) -> str:
    """Return what went wrong in one line: of an `OSError` without the name of the file."""
    words = error.strerror if isinstance(error, OSError) else None
    return " ".join((words or str(error)).split()) or type(error).__name__


def files_in(folder: str) -> dict[str, Stamp]:
    """Return the names of the files in a directory, or of the objects right below a URL, each with its stamp.

    Raise `OSError` if there are none, or they cannot be listed.
    """
    if is_url(folder):
        return {name: stamp for name, stamp in _entries(folder).items() if stamp is not None}
    stamps: dict[str, Stamp] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # a draft of another process, which has renamed it
                if entry.is_file():
                    stamps[entry.name] = Stamp.of(entry.stat())
    return stamps


def _entries(url: str) -> dict[str, Stamp | None]:
    """Return the names right below a URL, each with the stamp of the object, or None for a directory."""
    if url.startswith(PAGES):
        raise SourceError(url, "http and https have no directories")
    with store_errors(url):
        system, inner = file_system(url)
        infos = system.ls(inner, detail=True)
    entries: dict[str, Stamp | None] = {}
    for info in infos:
        full = info["name"].rstrip("/")
        # An object of its own name marks a directory
        if full != inner.rstrip("/") and info["type"] in ("file", "directory"):
            entries[full.rpartition("/")[2]] = _stamp_of(info) if info["type"] == "file" else None
    return entries


def _stamp_of(info: dict[str, Any]) -> Stamp:
    """Return the stamp of an object by what its store says of it."""
    mark: Any = next((info[key] for key in _VERSION_KEYS if info.get(key) is not None), None)
    if isinstance(mark, datetime):
        mark = mark.timestamp()
    if isinstance(mark, float):  # the same time may come in either type
        mark = f"{mark:.6f}"
    return Stamp(info.get("size"), None if mark is None else str(mark).strip('"'))


def _info(url: str) -> dict[str, Any]:
    with store_errors(url):
        system, path = file_system(url)
        info: dict[str, Any] = system.info(path)
        return info


class FilesAndObjects(Files):
    """Files of this machine by path, and objects of stores by URL.

    The stamps of objects that were listed are remembered until they are asked for.
    """

    def __init__(self) -> None:
        self._known: dict[str, Stamp] = {}

    def is_folder(self, path: str) -> bool:
        """Return whether a path is a directory, or a URL the beginning of those of objects."""
        if not is_url(path):
            return super().is_folder(path)
        return not path.startswith(PAGES) and _info(path)["type"] == "directory"

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        return open_stamped(path)[0] if is_url(path) else super().open(path)

    def walk(
        self, path: str, format: str, origin: Callable[[str], Origin], tree_filter: TreeFilter
    ) -> Iterator[File]:
        """Yield the files of a directory, or the objects whose URLs begin with one, as of a directory."""
        if not is_url(path):
            return super().walk(path, format, origin, tree_filter)
        return _Listing(format, origin, tree_filter, self._known).walk(path)

    def stamp(self, path: str) -> Stamp:
        """Return the stamp of a file or an object; raise `OSError` or `ValueError`.

        A file that may not be read has none: there is nothing by which a later run would know that it may be.
        """
        if is_url(path):
            return self._known.pop(path, None) or _stamp_of(_info(path))
        found, status = located(path)
        if stat.S_ISREG(status.st_mode) and not os.access(found, os.R_OK, effective_ids=True):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return Stamp.of(status)


class _Listing(Walker):
    """Walks the objects whose URLs begin with one, as if they were files in directories."""

    def __init__(
        self, format: str, origin: Callable[[str], Origin], tree_filter: TreeFilter, known: dict[str, Stamp]
    ) -> None:
        super().__init__(format, origin, tree_filter)
        self._place_of = origin
        self._known = known
        self._entries_of = lru_cache(8)(self._fetched)  # of a directory, those around it and its parts

    def is_folder(self, path: str) -> bool:
        """Return whether there are objects below ``path``."""
        folder, _, name = path.rstrip("/").rpartition("/")
        entries = self._entries_of(folder)
        return name in entries and entries[name] is None

    def repositories(self, path: str) -> tuple[str, ...]:
        """Return none: git reads what is on this machine."""
        return ()

    def listed(self, path: str, kind: Kind = "folder") -> tuple[list[str], list[str]]:
        """List the files and the directories below ``path``, sorted."""
        files: list[str] = []
        folders: list[str] = []
        entries = self._entries_of(path.rstrip("/"))
        for name in sorted(entries, key=rank):
            stamp = entries[name]
            if is_skipped(name, kind):
                continue
            url = os.path.join(path, name)
            if stamp is not None:
                files.append(url)
                self._known[url] = stamp
            elif self.takes(url, kind, is_folder=True):
                folders.append(url)
        return files, folders

    def _fetched(self, path: str) -> dict[str, Stamp | None]:
        try:
            return _entries(path)
        except SourceError as error:
            self._place_of(path).on_damage(error)
            return {}


def open_stamped(path: str) -> tuple[BinaryIO, Stamp]:
    """Open a file by its path or URL; return the stream and its stamp. Raise `OSError` if that fails."""
    if is_url(path):
        with store_errors(path):
            system, inner = file_system(path)
            is_stream = path.startswith(PAGES) and not system.info(inner).get("partial")  # no ranges of bytes
            stream: BinaryIO = system.open(inner, "rb", **({"block_size": 0} if is_stream else {}))
        details = getattr(stream, "details", None)
        stamp = _stamp_of(details if isinstance(details, dict) else {})
        return cast("BinaryIO", _Object(stream)), stamp if stamp.mark is not None else _stamp_of(_info(path))
    stream = open_file(path)
    status = os.fstat(stream.fileno())
    if not stat.S_ISREG(status.st_mode):
        stream.close()
        raise OSError("is no regular file")
    return stream, Stamp.of(status)


class _Object(io.RawIOBase):
    """An object of a store, which cannot be read for reasons of the system: `OSError` with a number."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable  # type: ignore[method-assign]

    def readable(self) -> bool:
        """Return True, as Parquet's reader asks."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Return at most ``size`` bytes."""
        try:
            return self._stream.read(-1 if size is None else size)
        except Exception as error:  # libraries of stores have errors of their own
            raise OSError(errno.EIO, words_of(error)) from error

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()
        super().close()
