"""Put the records of Parquet parts into large files that are sorted by domain, in three rounds of tasks.

1. A sample of the records says where their order is cut into slices of equal size, about.
2. Each task sorts the records of some parts, a chunk at a time, and writes them to a draft, slice by slice.
3. Each task fetches some slices from all drafts, sorts one after the other, and writes a file of them.

So each record is read and written twice, however many there are, and no task holds more than a chunk or a
slice. A domain, or a URL, that fills files is cut as all else is, for the order of the run is the last key.

The manifest of the files names them when they are complete; before, nobody counts them. Their names have a
hash of the parts, so that other parts have other files.
"""

from __future__ import annotations

import hashlib
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, chain, groupby, pairwise
from typing import Any, NamedTuple, TypeAlias

from urlextract.cluster.driver import results_of
from urlextract.cluster.partfiles import Parts, parts_in
from urlextract.cluster.tasks import until_stopped
from urlextract.errors import UrlExtractError
from urlextract.output.parquet import parquet_file, parquet_schema, pyarrow_for
from urlextract.run.manifest import BY_DOMAIN, MANIFEST, ListedPart, Manifest, read_manifest
from urlextract.run.stores import FilesAndObjects, files_in, read_range

if sys.version_info >= (3, 14):
    from compression.zstd import compress, decompress
else:
    from backports.zstd import compress, decompress

_FILE = 256 << 20  # bytes of a file, and of the parts that a task sorts, about
_SLICE = 160 << 20  # bytes of the records of a slice in memory, about
_RECORD, _TIMES = 600, 5  # bytes of a record in memory, about: so many, and so many times those of its key
_CHUNK = 128 << 20  # bytes of records in memory
_STEP = 997  # records of a part for each of the sample; a prime, for mail that repeats the same links
_ROWS = 10_000  # records that are read at a time
_ORDER = "order"  # the column with the part and the row of a record
_SORTED = [(name, "ascending") for name in ("domain", "key", _ORDER)]  # what has no domain comes last
_OURS = ("domain-", "sorted-")

Key: TypeAlias = tuple[bool, str, str, int]
"""By what records are sorted: whether there is no domain, the domain, the key of the URL, and the order."""


class _Part(NamedTuple):
    name: str
    number: int  # among all parts

    def order(self, row: int) -> int:
        return self.number << 32 | row


def coalesce(
    connect: Callable[[], Any], out: str, manifest: Manifest, *, retries: int, show: Callable[[str], None]
) -> None:
    """Put the records of the parts into files sorted by domain, unless they are there.

    ``connect`` returns the client of a cluster; ``show`` gets what is being done. Raise `UrlExtractError` if
    a task fails: then the files stay what they were.
    """
    id_, folder = _id_of(manifest), folder_of(out)
    target = parts_in(folder)
    if _is_of(_listed(target, folder), id_, target):
        return
    target.prepare()

    def done(work: Callable[..., Any], calls: list[tuple[Any, ...]], doing: str) -> list[Any]:
        show(f"by domain: {doing}")
        return results_of(connect(), work, calls, retries, lambda count: show(f"by domain: {doing} {count}"))

    try:
        batches = _batches(manifest.parts)
        samples = done(sample_of, [(out, batch) for batch in batches], "sampling")
        cuts = _cuts(sorted(chain.from_iterable(samples)))
        drafts = [f"sorted-{id_}-{number:05}" for number in range(len(batches))]
        calls = [(out, batch, cuts, draft) for batch, draft in zip(batches, drafts, strict=True)]
        offsets = dict(zip(drafts, done(sort_parts, calls, "sorting"), strict=True))
        count = min(len(cuts) + 1, -(-sum(part.size for part in manifest.parts) // _FILE))
        files = [
            (out, f"domain-{id_}-{number:05}.parquet", ranges)
            for number, ranges in enumerate(_ranges_of_files(offsets, len(cuts) + 1, count))
        ]
        done(write_sorted, files, "writing")
        listed = Manifest(tuple(ListedPart(name, 0, "") for _, name, _ in files), BY_DOMAIN, manifest.options)
        target.put(MANIFEST, listed.with_sizes(target.sizes()).encoded())
    except UrlExtractError as error:
        raise UrlExtractError(f"{folder}: {error}") from None
    finally:
        _sweep(target, folder)


def is_stale(out: str, manifest: Manifest) -> bool:
    """Return whether there are files of other parts than those of the manifest."""
    folder = folder_of(out)
    target = parts_in(folder)
    last = _listed(target, folder)
    return last is not None and not _is_of(last, _id_of(manifest), target)


def folder_of(out: str) -> str:
    """Return the directory of the files beside their parts."""
    return f"{out.rstrip('/')}/{BY_DOMAIN}"


def _id_of(manifest: Manifest) -> str:
    return hashlib.blake2b(repr([part[:2] for part in manifest.parts]).encode(), digest_size=10).hexdigest()


def _listed(target: Parts, folder: str) -> Manifest | None:
    data = target.get(MANIFEST)
    return None if data is None else read_manifest(data, f"{folder}/{MANIFEST}")


def _is_of(last: Manifest | None, id_: str, target: Parts) -> bool:
    """Return whether all files of a manifest are there, and are those of the parts with this hash."""
    are_of_parts = last and last.parts and all(f"-{id_}-" in part.name for part in last.parts)
    return bool(last and are_of_parts and not last.missing(target.sizes()))


def _sweep(target: Parts, folder: str) -> None:
    """Remove drafts and files that the manifest does not name; what cannot be removed is not counted."""
    with suppress(OSError):
        last = _listed(target, folder)
        kept = {part.name for part in last.parts} if last else set()
        for name in files_in(folder):
            if name.lstrip(".").startswith(_OURS) and name not in kept:
                target.remove(name)


def _batches(parts: Sequence[ListedPart]) -> list[list[_Part]]:
    """Return the parts in runs of some `_FILE` bytes each."""
    ends = accumulate(part.size for part in parts)
    numbered = (_Part(part.name, number) for number, part in enumerate(parts))
    batches = groupby(zip(ends, numbered, strict=True), key=lambda each: each[0] // _FILE)
    return [[part for _, part in batch] for _, batch in batches]


def _cuts(sample: Sequence[Key]) -> list[Key]:
    """Return the keys with which slices begin, but for the first: of long URLs there are fewer in each.

    >>> _cuts([(False, "", "", number) for number in range(900)])
    [(False, '', '', 224), (False, '', '', 449), (False, '', '', 674)]
    """
    ends = list(accumulate(_RECORD + _TIMES * len(key) for _, _, key, _ in sample))
    size = ends[-1] if ends else 0
    count = -(-size * _STEP // _SLICE)
    return sorted({sample[bisect_left(ends, size * number // count)] for number in range(1, count)})


_Ranges: TypeAlias = list[tuple[str, list[int]]]
"""Of each chunk of each draft, the offsets at which the slices of a file begin, and the last one ends."""


def _ranges_of_files(offsets: dict[str, list[int]], slices: int, count: int) -> Iterator[_Ranges]:
    """Yield what each of ``count`` files consists of; ``offsets`` are those of drafts.

    >>> list(_ranges_of_files({"draft": [0, 1, 3, 4, 9]}, 2, 1))  # two chunks, of two slices each
    [[('draft', [0, 1, 3]), ('draft', [3, 4, 9])]]
    """
    for first, last in pairwise(slices * number // count for number in range(count + 1)):
        yield [
            (draft, each[chunk + first : chunk + last + 1])
            for draft, each in offsets.items()
            for chunk in range(0, len(each) - 1, slices)
        ]


# What a worker does


def sample_of(out: str, parts: Iterable[_Part]) -> list[Key]:
    """Return the keys of some records of parts, each with the same chance, and always the same."""
    found: list[Key] = []
    for part in parts:
        start = int(part.name[5:13], 16) % _STEP
        row = 0
        for batch in _read(out, part, ["domain", "key"]):
            found += [
                _key_of(batch["domain"][at], batch["key"][at], part.order(row + at))
                for at in range(start, batch.num_rows, _STEP)
            ]
            start = (start - batch.num_rows) % _STEP
            row += batch.num_rows
    return found


def _key_of(domain: Any, key: Any, order: int) -> Key:
    """Return the key of a record; its columns are scalars of pyarrow."""
    return not domain.is_valid, domain.as_py() or "", key.as_py(), order


def _read(out: str, part: _Part, columns: Sequence[str] | None = None) -> Iterator[Any]:
    """Yield the records of a part, some at a time."""
    path = f"{out.rstrip('/')}/{part.name}"
    with FilesAndObjects().open(path) as stream, parquet_file(stream, path) as file:
        yield from until_stopped(file.iter_batches(_ROWS, columns=columns))


def sort_parts(out: str, parts: Iterable[_Part], cuts: Sequence[Key], draft: str) -> list[int]:
    """Write the records of parts to a draft; return 0, and where its slices end, chunk by chunk."""
    pa = pyarrow_for("--coalesce")
    offsets = [0]
    with parts_in(folder_of(out)).writing(draft) as stream:
        for table in _chunks(pa, out, parts):
            for begin, end in pairwise([0, *_cut_at(table, cuts), table.num_rows]):
                if begin < end:
                    stream.write(_packed(pa, table.slice(begin, end - begin)))
                offsets.append(stream.tell())
            del table  # before the next one is read
    return offsets


def _packed(pa: Any, table: Any) -> bytes:
    """Return some records compressed with the names of their columns, for there may be few in a piece."""
    held = pa.BufferOutputStream()
    with pa.ipc.new_stream(held, table.schema) as writer:
        writer.write_table(table)
    return compress(held.getvalue(), 1)


def _chunks(pa: Any, out: str, parts: Iterable[_Part]) -> Iterator[Any]:
    """Yield the records of parts in sorted tables, which are held in memory, with their order."""
    held: list[Any] = []
    size = 0
    for part in parts:
        row = 0
        for batch in _read(out, part):
            order = pa.array(range(part.order(row), part.order(row + batch.num_rows)), pa.int64())
            held.append(batch.append_column(_ORDER, order))
            row += batch.num_rows
            size += batch.nbytes
            if size >= _CHUNK:
                size = 0
                yield _sorted(pa, held)
    if held:
        yield _sorted(pa, held)


def _sorted(pa: Any, batches: list[Any]) -> Any:
    """Return a sorted table of some batches, which are not held any more."""
    table = pa.Table.from_batches(batches)
    batches.clear()
    return table.sort_by(_SORTED)


def _cut_at(table: Any, cuts: Sequence[Key]) -> list[int]:
    """Return the first row of a sorted table for each of the keys that is not less."""
    domains, keys, orders = (table[name].combine_chunks() for name, _ in _SORTED)

    def key_at(row: int) -> Key:
        return _key_of(domains[row], keys[row], orders[row].as_py())

    return [bisect_left(range(table.num_rows), cut, key=key_at) for cut in cuts]


def write_sorted(out: str, name: str, ranges: _Ranges) -> None:
    """Write a file of the slices at these ranges of drafts."""
    pa = pyarrow_for("--coalesce")
    folder = folder_of(out)
    schema = parquet_schema(pa)
    with (
        parts_in(folder).writing(name) as stream,
        pa.parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for number in until_stopped(range(len(ranges[0][1]) - 1 if ranges else 0)):
            batches: list[Any] = []
            for draft, offsets in ranges:
                if offsets[number] < offsets[number + 1]:
                    data = read_range(f"{folder}/{draft}", offsets[number], offsets[number + 1])
                    batches += pa.ipc.open_stream(decompress(data))
            if batches:
                writer.write_table(_sorted(pa, batches).drop_columns([_ORDER]))
