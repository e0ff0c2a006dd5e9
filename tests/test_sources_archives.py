"""Archives and compressed streams of every kind: nested, truncated, corrupted, and bombs (SPEC §8).

The expected content of a truncated stream is what its library returns when fed a byte at a time.
"""

import bz2
import gzip
import io
import lzma
import random
import struct
import sys
import tarfile
import tracemalloc
import zipfile
import zlib
from contextlib import suppress
from functools import partial
from types import ModuleType
from unittest import mock

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import PACKED
from hypothesis import given
from hypothesis import strategies as st
from packing import BOX, TEXT, plant, tarred, undo, write_zip, zip_of
from sampled import mostly_slow
from slices import read
from test_jobs import web_archive

from urlextract.sources import compress, sniff
from urlextract.sources.compress import decoders, tars, zips
from urlextract.sources.streams import BLOCK, Origin, Reader, in_blocks

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SIZES = (1, 7, BLOCK)


def contents(data, size=BLOCK, form="auto"):
    """Read without damage; return the items without their names."""
    items, damage = read(data, form, size)
    assert not damage
    return [item[1:] for item in items]


def members(data):
    """Read an archive without damage, in slices of each size; return its members by name."""
    items, damage = read(data)
    assert not damage
    assert all(read(data, size=size) == (items, []) for size in SIZES)
    return {item.source: item.data for item in items}


def with_damage(data):
    """Read an archive in slices of each size; return names and content of its members, and what is told."""
    readings = [read(data, size=size) for size in SIZES]
    (items, (damage,)), *_ = readings
    assert all(found == items and len(told) == 1 for found, told in readings)
    return [(item.source, item.data) for item in items], damage


def flipped(data, at, bits=0xFF):
    """Change a byte."""
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


# how data are packed


def by_bzip2(data):
    return bz2.compress(data, 1)  # in blocks of 100,000 bytes


def by_zstd(data):
    """Pack with a checksum, as zstd(1) does."""
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


def by_zip(data):
    return zip_of({"box.mbox": data})


def by_tar(data):
    return tarred({"box.mbox": data})


def zipped(method=zipfile.ZIP_DEFLATED, **files):
    """Make an archive of members by their names; a "_" in them is a dot."""
    return zip_of({name.replace("_", "."): data for name, data in files.items()}, method)


LAYERS = [gzip.compress, by_bzip2, lzma.compress, by_zstd]
BEGINNERS = {  # the library's decompressor, the length of the magic, what it raises
    gzip.compress: (partial(zlib.decompressobj, 31), 2, zlib.error),
    by_bzip2: (bz2.BZ2Decompressor, 10, OSError),
    lzma.compress: (lzma.LZMADecompressor, 6, lzma.LZMAError),
    by_zstd: (zstd.ZstdDecompressor, 4, zstd.ZstdError),
}


# a new type of archive: a module and a row, here one whose members follow a line with name and size


def made_up_members(blocks, budget):
    reader = Reader(blocks)
    reader.line()
    while line := reader.line():
        name, size = line.split()
        yield reader.pieces(int(size)), budget.within(name.decode())


def by_made_up(data):
    return b"!<made up>\nbox.mbox %d\n" % len(data) + data


@pytest.fixture
def made_up_row(monkeypatch):
    module = ModuleType("made_up")
    monkeypatch.setattr(module, "members", made_up_members, raising=False)
    monkeypatch.setitem(sys.modules, "urlextract.sources.compress.made_up", module)
    signs = (sniff.magic(b"!<made up>\n"),)
    row = sniff.Format("made up", "compress.made_up:members", signs, is_archive=True)
    monkeypatch.setitem(sniff.FORMATS, row.name, row)


TYPES = [*LAYERS, by_zip, by_tar, by_made_up]


@pytest.mark.usefixtures("made_up_row")
@pytest.mark.parametrize("pack", TYPES)
def test_what_is_packed_is_read_in_any_form_from_a_pipe_and_a_file(pack, tmp_path):
    """Named, and in a directory."""
    for form in ("auto", "text", "message", "mbox"):
        whole = contents(BOX, form=form)
        for size in (1, 300, BLOCK):
            assert contents(pack(BOX), size, form) == whole
            assert contents(gzip.compress(pack(BOX)), size, form) == whole
        if form != "mbox":  # which a text is not
            assert contents(pack(TEXT), form=form) == contents(TEXT, form=form)
        plant(tmp_path, {"packed": pack(BOX)})
        name = f"{tmp_path}/packed" + "/box.mbox" * (pack not in LAYERS)
        for source in (tmp_path / "packed", tmp_path):
            items, damage = read(source, form)
            assert [(item.source, item[1:]) for item in items] == [(name, item) for item in whole]
            assert not damage


@pytest.mark.usefixtures("made_up_row")
@pytest.mark.parametrize("inner", TYPES)
@pytest.mark.parametrize("outer", TYPES)
def test_any_type_is_opened_in_any_other(outer, inner):
    """Messages, numbers and offsets are those of the mailbox."""
    packed = outer(inner(BOX))
    assert all(contents(packed, size) == contents(BOX) for size in SIZES)
    assert contents(packed, form="message") == contents(BOX, form="message")


# whole streams


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pack", LAYERS)
def test_members_padding_and_junk(pack, size):
    """Zeros follow as on tapes, and as xz(1) allows; what else follows is damage."""
    for padding in (b"", bytes(1), bytes(8), bytes(700), bytes(100_000 if size > 1 else 70)):
        data = pack(b"one ") + padding + pack(b"two ") + pack(b"") + pack(b"3") + padding
        assert undo(data, size) == (b"one two 3", [])
    packed = pack(TEXT)
    for junk in (b"junk", b"\x1f", b"\0\0junk", b"\x1fx"):
        data, (damage,) = undo(packed + junk, size)
        assert (data, "junk" in damage.cause) == (TEXT, True)
        assert damage.offset == len(packed) + len(junk) - len(junk.lstrip(b"\0"))


@pytest.mark.parametrize("size", [BLOCK, 4_096])
def test_members_that_each_fill_many_blocks(size):
    """Where one ends, the next has been fed to it in part."""
    data = b"see http://a.example/1 and more\n" * 60_000
    found, damage = undo(3 * gzip.compress(data), size)
    assert (found == 3 * data, damage) == (True, [])


@given(st.binary(max_size=300), st.integers(1, 50))
def test_any_slicing_has_the_same_data(data, size):
    packed = gzip.compress(data)
    assert undo(packed, size) == (data, []) or compress.layer_of(data)
    assert undo(b"\x1f\x8b" + data, size)[0] == undo(b"\x1f\x8b" + data)[0]


def test_skippable_frames_of_zstandard_and_texts_that_begin_like_a_magic_number():
    """RFC 8878, section 3.1.2."""
    skipped = b"\x5a\x2a\x4d\x18" + struct.pack("<L", 9) + b"skip this"
    texts = b"\x1f", b"\x1fx", b"BZh", b"BZh91AY&S", b"\xfd7zX", b"\x28\xb5\x2f", b"BZh6 is a level"
    for size in SIZES:
        assert undo(skipped + by_zstd(b"1 ") + skipped + by_zstd(b"2") + skipped, size) == (b"1 2", [])
        for text in texts:
            assert undo(text, size) == (text, [])


@pytest.mark.parametrize("pack", LAYERS)
def test_large_output_comes_in_bounded_blocks(pack):
    chance = random.Random(1)
    data = chance.randbytes(300_000) + chance.randbytes(200_000).hex().encode() + bytes(3_000_000)
    budget = compress.DecompressionBudget(Origin("x", pytest.fail))
    blocks = list(compress.decompress(iter([pack(data)]), budget))
    assert b"".join(blocks) == data
    assert 0 < min(map(len, blocks)) <= max(map(len, blocks)) <= BLOCK


def test_nesting_is_read_up_to_4_times():
    for pack in (gzip.compress, by_zip):
        data = BOX
        for _ in range(4):
            data = pack(data)
            assert contents(data) == contents(BOX)
        items, (damage,) = read(pack(data))
        assert (items, "more than 4" in damage.cause) == ([], True)


# damage


@pytest.mark.parametrize("pack", LAYERS)
def test_truncation_at_every_byte_yields_all_data_before(pack):
    """As much as the library returns; the damage is at the end of the file."""
    begin, least, _ = BEGINNERS[pack]
    packed = pack(TEXT)
    for length in range(least, len(packed)):
        library = begin()
        known = b"".join(library.decompress(packed[at : at + 1]) for at in range(length))
        for size in SIZES:
            data, (damage,) = undo(packed[:length], size)
            assert (data, damage.offset, "cut short" in damage.cause) == (known, length, True)


@pytest.mark.parametrize("inner", [*LAYERS, by_zip])
@pytest.mark.parametrize("outer", LAYERS)
def test_truncated_nested_stream_is_one_damage(outer, inner):
    """The inner stream is truncated too, but for the same reason."""
    packed, whole = outer(inner(BOX)), contents(BOX)
    for length in range(40, len(packed), 29):
        items, damage = read(packed[:length])
        assert [(error.offset, "cut short" in error.cause) for error in damage] == [(length, True)]
        assert [item[1:] for item in items[:-1]] == whole[: max(0, len(items) - 1)]


def salvaged(pack, broken):
    """Return what the library inflates in the smallest steps until it fails."""
    begin, _, fault = BEGINNERS[pack]
    library, known = begin(), b""
    with suppress(fault, EOFError):
        for at in range(len(broken)):
            tail = broken[at : at + 1]
            if pack is not gzip.compress:
                known += library.decompress(tail)
            while pack is gzip.compress and (byte := library.decompress(tail, 1)):
                tail = library.unconsumed_tail
                known += byte
    return known


@pytest.mark.parametrize("pack", LAYERS)
def test_corruption_at_every_byte_is_one_damage(pack):
    """The data before it are those that the library returns."""
    packed = pack(TEXT)
    for at in range(BEGINNERS[pack][1], len(packed)):
        broken = flipped(packed, at)
        known = salvaged(pack, broken)
        (data, damage), (slow, again) = undo(broken), undo(broken, 1)
        if pack is not gzip.compress:
            assert (slow, len(again), bool(damage)) == (known, 1, True)
            continue
        assert data.startswith(known)
        assert damage or at in range(4, 10)  # time, flags and system are not checked
        if at >= len(packed) - 8:  # the checksum, or the size
            assert (data, len(packed) - 8 <= damage[0].offset < len(packed)) == (TEXT, True)
        assert (slow, [error.cause for error in again]) == (data, [error.cause for error in damage])
        assert all(abs(a.offset - b.offset) <= 1 for a, b in zip(again, damage, strict=True))


def test_all_before_a_fault_in_xz_is_read():
    """But for a step of compressed bytes, wherever a block of what it gives ends."""
    packed = lzma.compress(b"".join(b"http://a.example/%d\n" % (number**3) for number in range(20_000)))
    for at in range(2_000, len(packed) - 1_000, 2_500):
        broken = packed[:at] + bytes(40) + packed[at + 40 :]
        found, inflater = b"", lzma.LZMADecompressor()
        with suppress(lzma.LZMAError):
            for start in range(0, len(broken), 1024):
                found += inflater.decompress(broken[start : start + 1024])
        assert undo(broken)[0].startswith(found)


@pytest.mark.parametrize("pack", LAYERS)
def test_blocks_before_a_damaged_one_are_yielded(pack):
    """So is a member before a damaged one."""
    data = random.Random(3).randbytes(200_000).hex().encode()
    packed = pack(data)
    at = len(packed) * 9 // 10
    for size in (1000, BLOCK):
        given, (damage,) = undo(flipped(packed, at), size)
        assert given[: len(data) // 2] == data[: len(data) // 2]
        assert at - BLOCK < damage.offset <= len(packed)
    first, second = pack(BOX), pack(BOX)
    items, (damage,) = read(first + second[:-9])
    assert [item[1:] for item in items][:39] == contents(BOX)[:39]
    assert damage.offset == len(first + second) - 9


# bombs


@pytest.fixture
def small_limits(monkeypatch):
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    monkeypatch.setattr(compress, "BOMB_RATIO", 100)


@pytest.mark.parametrize("pack", [*LAYERS, by_zip])
def test_bomb_is_stopped_soon_after_the_limit(pack, small_limits):
    """In two layers, too: the bytes that were really read count, not those that the inner layer takes."""
    items, (damage,) = read(pack(b"a" * 8_000_000))
    assert 1_000_000 <= sum(len(item.data) for item in items) <= 1_000_000 + 8 * BLOCK
    assert "bomb" in damage.cause
    assert damage.offset is not None
    lines = b"".join(b"%d " % n + b"a" * 10_000 + b"\n" for n in range(300))
    for inner in (*LAYERS, by_zip):
        packed = pack(inner(lines))
        items, damage = read(packed)
        limit = max(1_000_000, 100 * len(packed))
        assert sum(len(item.data) for item in items) <= limit + 3 * BLOCK
        assert len(lines) <= limit or any("bomb" in error.cause for error in damage)


@pytest.mark.parametrize("pack", [*LAYERS, by_zip])
def test_data_within_the_size_or_the_ratio_are_no_bomb(pack, monkeypatch):
    assert contents(pack(b"a" * 3_000_000)) == [(None, None, b"a" * 3_000_000)]
    monkeypatch.setattr(compress, "BOMB_FLOOR", 100_000)
    data = random.Random(4).randbytes(400_000).hex().encode()
    assert contents(pack(data)) == [(None, None, data)]


def test_bomb_of_archives_in_an_archive_is_stopped(monkeypatch):
    """Many archives of many members, each within the limits, as in 42.zip."""
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    inner = zipped(**{f"m{n}": b"a" * 900_000 for n in range(20)})
    outer = zipped(**{f"z{n}_zip": inner for n in range(10)})
    items, damage = read(outer)
    assert len(outer) * compress.BOMB_RATIO < 200 * 900_000  # it is a bomb
    assert sum(len(item.data) for item in items) <= compress.BOMB_RATIO * len(outer) + 1_000_000 + 3 * BLOCK
    assert ["bomb" in error.cause for error in damage] == [True]


COUNT = 3_000
EMPTY = {  # what holds so many members without content, and its bytes that are unpacked
    "gzip": (gzip.compress(b"") * COUNT, 0),
    "tar": (gzip.compress(tarred(dict.fromkeys(map(str, range(COUNT)), b""))), 512 * COUNT),
    "zip": (empty := zip_of(dict.fromkeys(map(str, range(COUNT)), b"")), len(empty)),
    "zip without a list": (cut := empty[: empty.index(b"PK\1\2")], len(cut)),
}


@pytest.mark.parametrize("kind", EMPTY)
def test_members_count_though_they_are_empty(kind, monkeypatch):
    """Each takes time, so it counts a kilobyte, once there are many."""
    packed, size = EMPTY[kind]
    monkeypatch.setattr(compress, "BOMB_RATIO", (size + 512 * COUNT) // len(packed))
    assert "bomb" not in str(read(packed)[1])
    monkeypatch.setattr(compress, "MEMBER_FLOOR", COUNT // 2)
    items, (damage,) = read(packed)
    assert (items, "bomb" in damage.cause) == ([], True)


def test_a_tar_counts_once_and_what_is_read_counts_to_the_ratio(monkeypatch):
    """Its bytes are not counted again as those of its members, and nothing is no bomb any more later."""
    data = tarred({"log": b"http://a.example/\n" * 40_000})
    monkeypatch.setattr(compress, "BOMB_FLOOR", len(data) + 10_000)
    assert [len(content) for *_, content in contents(gzip.compress(data))] == [18 * 40_000]
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    monkeypatch.setattr(compress, "BOMB_RATIO", 100)
    bomb = tarred(
        {"1.gz": gzip.compress(b"a" * 9_000_000), "2": random.Random(1).randbytes(90_000), "3": TEXT}
    )
    items, (damage,) = read(bomb, size=4096)
    assert ("bomb" in damage.cause, [item.source for item in items]) == (True, ["1.gz"])


def zstd_of_window(size):
    """Pack with a window whose size is so many bits, as if there were much more."""
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: size})
    return packer.compress(TEXT) + packer.flush()


def xz_of_dictionary(size):
    return lzma.compress(TEXT, filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << size}])


@pytest.mark.parametrize(("pack", "most", "inner"), [(zstd_of_window, 27, 23), (xz_of_dictionary, 26, 24)])
def test_a_layer_that_takes_much_memory_is_damage(pack, most, inner):
    """A layer inside another one may take less."""
    for data in (pack(most), gzip.compress(pack(inner)), zip_of({"a": pack(inner)})):
        assert [content for *_, content in contents(data)] == [TEXT]
    for data in (pack(most + 1), gzip.compress(pack(inner + 1))):
        items, (damage,) = read(data)
        assert (items, "data cannot be read" in damage.cause) == ([], True)


# archives in all details

METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2]


class Unseekable(io.RawIOBase):
    """A pipe: the sizes of a member are written after it."""

    def __init__(self):
        self.written = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.written += data
        return len(data)


def streamed(files, method=zipfile.ZIP_DEFLATED, *, is_long=False):
    """Make an archive as a program that writes to a pipe does."""
    pipe = Unseekable()
    write_zip(pipe, files, method, is_long=is_long)
    return bytes(pipe.written)


def headers(data):
    """Return an archive without its list."""
    return bytes(data[: data.index(b"PK\1\2")])


def patched(archive, name, at, value):
    """Change a field of two bytes that a member has in its header and, two bytes further on, in the list."""
    header, entry = archive.index(name) - 30, archive.rindex(name) - 46
    assert (archive[header : header + 4], archive[entry : entry + 4]) == (b"PK\3\4", b"PK\1\2")
    data = bytearray(archive)
    data[header + at : header + at + 2] = data[entry + at + 2 : entry + at + 4] = struct.pack("<H", value)
    return bytes(data)


def with_field(header, at, value):
    """Change a field of a header of tar, and its checksum with it."""
    changed = header[:at] + value + header[at + len(value) :]
    total = sum(changed[:148]) + sum(changed[156:512]) + 8 * ord(" ")
    return changed[:148] + b"%06o\0 " % total + changed[156:]


def pad(data):
    """Add zeros up to the end of the block of tar."""
    return data + bytes(-len(data) % 512)


def header_of(kind, size, name="x"):
    """Return the header of a member of that kind; the size is as it is written."""
    return with_field(with_field(tarfile.TarInfo(name).tobuf(), 156, kind), 124, size)


def pax(records, kind=tarfile.XHDTYPE):
    """Make a pax header of some records."""
    return header_of(kind, b"%011o\0" % len(records)) + pad(records)


def pax_record(keyword, value):
    """Make a record of a pax header: its length includes that of the number."""
    rest = b" %s=%s\n" % (keyword, value)
    length = next(n for n in range(len(rest), len(rest) + 9) if n == len(rest) + len(str(n)))
    return b"%d%s" % (length, rest)


HEAD = pad(tarred({"0.txt": TEXT})[: 512 + len(TEXT)])
BODY = b"see http://b.example/ once"
NEGATIVE = b"\xff" * 10 + b"\xfe\0"  # -512 in base 256
HIDDEN = tarred({"false": b"see http://false.example/"})[:1024]  # in a member, so it is no header


def of_pax(kind=tarfile.XHDTYPE, /, data=BODY, **records):
    """Make a member "a" after a pax header; "_" in the keywords stands for "."."""
    lines = [pax_record(keyword.replace("_", ".").encode(), value) for keyword, value in records.items()]
    return pax(b"".join(lines), kind) + pad(tarred({"a": data})[: 512 + len(data)])


def sparse(extensions=0):
    """Make a sparse member in the old format of GNU tar, whose map of holes goes on in more blocks."""
    header = tarfile.TarInfo("a")
    header.type, header.size = tarfile.GNUTYPE_SPARSE, len(HIDDEN)
    maps = [HIDDEN[:504] + bytes((number < extensions,)) + bytes(7) for number in range(1, extensions + 1)]
    block = with_field(header.tobuf(tarfile.GNU_FORMAT), 482, bytes((extensions > 0,)))
    return block + b"".join(maps) + HIDDEN


def commented(more):
    """Return an archive whose list and comment hold signs of others."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        head = zipfile.ZipInfo("a.txt")
        head.comment = archive.comment = b"PK\3\4 and PK\3\4" + bytes(26) + b"http://false.example/"
        archive.comment += more
        archive.writestr(head, TEXT)
    return stream.getvalue()


def overlapping():
    """Return an archive in which the header of a member claims what holds the next one; the list is right."""
    data = bytearray(zipped(zipfile.ZIP_STORED, a_txt=TEXT, b_txt=TEXT[:60], c_txt=b"c"))
    third = data.index(b"PK\3\4", data.index(b"PK\3\4", 4) + 4)
    whole = data[30 + len("a.txt") : third]
    struct.pack_into("<LLL", data, 14, zlib.crc32(whole), len(whole), len(whole))
    return bytes(data)


def in_method(method, pack):
    """Return an archive with a member in another method; the checksum is that of the text (APPNOTE 4.4.5)."""
    archive = zipped(zipfile.ZIP_STORED, a_txt=pack(TEXT), b_txt=TEXT[:60], c_txt=b"c")
    archive = bytearray(patched(archive, b"a.txt", 8, method))
    struct.pack_into("<L", archive, archive.index(b"PK\1\2") + 16, zlib.crc32(TEXT))
    return bytes(archive)


def long_name(kind, behind):
    """Return the header of a long name, which ends at the first NUL."""
    name = b"n" * 120 + behind
    return header_of(kind, b"%011o\0" % len(name)) + pad(name)


def listed_at(*, is_long=False, off=0):
    """Return an archive whose list is wrong in where its second member is; an offset may have 64 bits."""
    data = bytearray(ABC)
    entry = data.index(b"PK\1\2", data.index(b"PK\1\2") + 4)
    at = int.from_bytes(data[entry + 42 : entry + 46], "little") + off
    if not is_long:
        struct.pack_into("<L", data, entry + 42, at)
        return bytes(data)
    extra = struct.pack("<HHQ", 1, 8, at)
    data[entry + 42 : entry + 46] = b"\xff" * 4
    data[entry + 30] = len(extra)
    data[entry + 51 : entry + 51] = extra
    data[-10] += len(extra)  # the size of the list
    return bytes(data)


def damaged_header(number, behind=b""):
    """Return an archive without its list, where the name of a member claims to go on behind the end."""
    data = bytearray(headers(ABC))
    at = (0, SECOND)[number]
    data[at + 26 : at + 28] = b"\xff\xff"
    return bytes(data) + behind


def damaged_stream():
    """Return an archive from a pipe with a type of block that is none (RFC 1951, section 3.2.3)."""
    data = bytearray(headers(streamed(FILES)))
    data[30 + len("a.txt")] = 0xFF
    return bytes(data)


def too_deep():
    archive = TEXT
    for _ in range(6):
        archive = zip_of({"a.txt": TEXT, "b.zip": archive, "c.zip": archive})
    return archive


def of_another_size(claim):
    """Return a member whose size is in a pax header alone: it has 8 GiB and more."""
    member = with_field(tarred({"a": BODY})[:512], 124, claim)
    return pax(pax_record(b"size", b"26")) + member + pad(BODY) + tarred({"c.txt": TEXT})


FILES = {"a.txt": TEXT, "b.txt": TEXT[:60], "c.txt": b"c"}
ABC = zip_of(FILES)
SECOND = ABC.index(b"PK\3\4", 4)
MANY = {"a.txt": TEXT, ".hidden": TEXT, "b/c.txt": b"- PK\3\4 see http://x/ PK\1\2\n" * 9, "z": b"z"}
TAIL = tarred({"c.txt": TEXT})
ONE, ONCE = {"a.txt": TEXT}, {"c.txt": TEXT}
WHOLE = {  # archives that are read as a whole, and their members
    **{f"zip, {how} {long}{method}": (make(MANY, method, is_long=long), MANY)
       for how, make in (("a file", zip_of), ("a pipe", streamed)) for long in (False, True)
       for method in METHODS},
    **{f"zip from a pipe, unsigned {long}": (
        headers(streamed(MANY, is_long=long)).replace(b"PK\7\x08", b"") + b"PK\5\6" + bytes(18), MANY)
       for long in (False, True)},  # APPNOTE 4.3.9.3
    "zip, empty members": (zip_of({"a": b"", **FILES}), FILES),
    "zip, Zstandard": (in_method(93, by_zstd), FILES), "zip, xz": (in_method(95, lzma.compress), FILES),
    "zip, overlapping members": (overlapping(), FILES),
    "zip, an offset of 64 bits": (listed_at(is_long=True), FILES),
    "zip, zeros behind": (ABC + bytes(700), FILES),
    "zip, to be split": (b"PK00" + ABC, FILES),  # APPNOTE 8.5.4
    **{f"zip, signs in comments {more!r:.12}": (commented(more), ONE)
        for more in (b"", b"PK\5\6", b"PK\5\6" + bytes(30))},
    **{f"cat, {pack.__name__}": (pack(ONE) + pack(ONCE), {**ONE, **ONCE}) for pack in (tarred, zip_of)},
    **{f"tar, type {kind}": (with_field(tarred(ONE), 156, kind), ONE)
       for kind in (b"Z", b"M", b"7", b"D")},  # POSIX.1-2017
    **{f"tar, type {kind:c}, empty": (header_of(bytes([kind]), b"%011o\0" % len(TEXT)) + TAIL, ONCE)
        for kind in b"123456"},
    **{f"tar, size in pax {claim!r}": (of_another_size(claim), {"a": BODY, **ONCE})
       for claim in (b"00000000000\0", b"77777777777\0")},
    "tar, a long name, padded": (long_name(b"L", bytes(99)) + TAIL, {"n" * 120: TEXT}),
    "tar, a long link, padded": (long_name(b"K", bytes(99)) + TAIL, ONCE),
    "tar, many digits": (pax(pax_record(b"comment", b"9" * 5000)) + TAIL, ONCE),
    "tar, a name in pax": (of_pax(path=b"p") + TAIL, {"p": BODY, **ONCE}),
    "tar, a global one": (of_pax(tarfile.XGLTYPE, path=b"p") + tarred({"b": BODY}), {"p": BODY}),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_archive_of_any_kind_is_read(name):
    data, expected = WHOLE[name]
    assert members(data) == {name: data for name, data in expected.items() if data}


ENCRYPTED = "encrypted members of a zip archive cannot be read: unzip it first"
UNKNOWN = "members of a zip archive in method {} cannot be read: unzip it first"
NOT_THERE = "is not where the list of the members says"
NO_HEADER = "the header of a member is damaged"
NO_SPARSE = "sparse members of a tar archive cannot be read: unpack it with 'tar -x'"
MISFIT = "tar archive is corrupt (its size is not that in its pax header)"
A_AND_C = {"a.txt": TEXT, "c.txt": b"c"}
SPARSE = {
    "old": sparse(),
    "old, of three blocks": sparse(2),
    "pax 0.0": of_pax(data=HIDDEN, GNU_sparse_size=b"26", GNU_sparse_offset=b"0", GNU_sparse_numbytes=b"5"),
    "pax 0.1": of_pax(data=HIDDEN, GNU_sparse_map=b"0,5", GNU_sparse_size=b"26"),
    "pax 1.0": of_pax(data=HIDDEN, GNU_sparse_major=b"1", GNU_sparse_name=b"a", path=b"GNUSparseFile.0/a"),
}
MISFITS = {
    "size that is too small": of_pax(size=b"5"),
    "size that goes on": of_pax(size=b"600"),
    "size without digits": of_pax(size=b""),
    "global size that goes on": of_pax(tarfile.XGLTYPE, size=b"600"),
    "global size of 0": of_pax(tarfile.XGLTYPE, size=b"0"),
    "global size in another base": of_pax(tarfile.XGLTYPE, size=b"0x1e"),
}
DAMAGED = {  # archives, the members that are read, what is told, and where in the file
    **{f"encrypted {method}": (patched(zip_of(FILES, method), b"b.txt", 6, 1), A_AND_C, ENCRYPTED, None)
        for method in METHODS},
    **{f"method {number}": (patched(ABC, b"b.txt", 8, number), A_AND_C, UNKNOWN.format(number), None)
       for number in (1, 9, 14, 98)},
    **{f"from a pipe, without the list, {method}": (
        headers(streamed(FILES, method)), {}, "a.txt: has no length before its data: unzip it first", 35)
       for method in (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2)},
    "a binary member from a pipe, without the list": (
        headers(streamed({"a.png": b"\x89PNG\0" + random.Random(1).randbytes(20_000), "b.txt": TEXT})),
        {"b.txt": TEXT}, "zip archive is cut short", None),
    "junk behind": (ABC + b"a comment http://y/", FILES, "junk after the end of the zip archive", len(ABC)),
    "junk within": (ABC[:SECOND] + b"junk" + ABC[SECOND:], FILES, f"a.txt: {NOT_THERE}", 4),
    "junk behind a tar": (tarred(ONE) + b"junk http://b.example/", ONE,
                          "tar archive is corrupt (a header cannot be read)", len(tarred(ONE))),
    "a member that is not there": (listed_at(off=1), FILES, f"b.txt: {NOT_THERE}", SECOND + 1),
    "one in 64 bits": (listed_at(is_long=True, off=1), FILES, f"b.txt: {NOT_THERE}", SECOND + 1),
    "a header": (damaged_header(0), {**FILES, "a.txt": None}, NO_HEADER, 0),
    "a second header": (damaged_header(1), A_AND_C, NO_HEADER, SECOND),
    "a header, cat": (damaged_header(0, zip_of({"d": BODY})),
                      {**FILES, "a.txt": None, "d": BODY}, NO_HEADER, 0),
    "a second one, cat": (damaged_header(1, zip_of({"d": BODY})), {**A_AND_C, "d": BODY}, NO_HEADER, SECOND),
    "data from a pipe": (damaged_stream(), {**FILES, "a.txt": None}, "a.txt: zip data cannot be", None),
    "too deep, told once": (too_deep(), {},
        "archives in archives, more than 4 deep, cannot be read: unpack it first", None),
    **{f"sparse, {kind}": (HEAD + data + TAIL, {"0.txt": TEXT, **ONCE}, NO_SPARSE, None)
       for kind, data in SPARSE.items()},
    "sparse, thrice": (SPARSE["old"] * 3 + TAIL, ONCE, NO_SPARSE, None),
    **{kind: (HEAD + data + TAIL, {"0.txt": TEXT, "a": BODY, **ONCE}, MISFIT, None)
       for kind, data in MISFITS.items()},
    **{f"data behind a long name {kind}": (long_name(kind, b"\0\0see http://b.example/") + TAIL, ONCE,
       "tar archive is corrupt (its pax header or long name is invalid)", 0) for kind in (b"L", b"K")},
    "a name in pax before a false header": (pax(pax_record(b"path", b"p")) + b"x" * 512 + TAIL, ONCE,
                                            "tar archive is corrupt (a header cannot be read)", 1024),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damage_in_an_archive_hides_no_member(name):
    data, expected, cause, offset = DAMAGED[name]
    found, damage = with_damage(data)
    if "deep" in name:
        assert [content for _, content in found] == [TEXT] * (1 + 2 + 4 + 8)
    else:
        assert found == [(member, content) for member, content in expected.items() if content]
    assert damage.cause.startswith(cause)
    assert offset in (None, damage.offset)


def test_members_that_cannot_be_read_are_told_once_a_kind_beside_a_fault():
    archive = zipped(zipfile.ZIP_STORED, a_txt=b"a", b_txt=b"b", c_txt=b"c", d_txt=TEXT, e_txt=b"e")
    for name, at, value in ((b"a.txt", 6, 1), (b"b.txt", 8, 9), (b"c.txt", 8, 14), (b"e.txt", 6, 1)):
        archive = patched(archive, name, at, value)
    items, damage = read(archive.replace(TEXT, b"x" + TEXT[1:]))
    assert [item.data for item in items] == [b"x" + TEXT[1:]]
    told = ["d.txt: checksum does not fit", ENCRYPTED, UNKNOWN.format(9)]
    assert [error.cause for error in damage] == told


@pytest.mark.parametrize("method", METHODS)
def test_members_that_share_their_data_count_each_time(method, monkeypatch):
    """The list of a bomb without nesting has one member again and again."""
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    monkeypatch.setattr(compress, "BOMB_RATIO", 5)
    data = bytearray(
        zipped(method, **{f"{number:03}": b"a" * 50_000 * (not number) for number in range(300)})
    )
    entry = first = data.index(b"PK\1\2")
    while (entry := data.find(b"PK\1\2", entry + 4)) >= 0:
        data[entry + 16 : entry + 28] = data[first + 16 : first + 28]  # checksum and sizes
        struct.pack_into("<H", data, entry + 10, method)
        struct.pack_into("<L", data, entry + 42, 0)
    items, (damage,) = read(bytes(data))
    assert 700_000 < sum(len(item.data) for item in items) < 1_000_000 + 2 * BLOCK
    assert "bomb" in damage.cause


def test_members_are_read_as_the_files_of_a_directory(tmp_path):
    """By content, or as a message if they have a number; hidden ones, and those in archives, too."""
    names = [".hidden", "folder/.x", ".git/config", "__MACOSX/a.txt", "a/__MACOSX", "b.txt"]
    assert list(members(zip_of({"folder/": b"", **dict.fromkeys(names, TEXT)}))) == names
    image = b"\x89PNG\r\n\x1a\n\0\0\0http://x/"
    assert members(zipped(zipfile.ZIP_STORED, a_png=image, b_txt=TEXT)) == {"b.txt": TEXT}
    files = {"m.eml": b"Subject: a\n\nhi\n", "news/7": b"no head\n", "n": b"no head\n", "x.mbox": BOX}
    for archive in (zip_of(files), tarred(files)):
        items, damage = read(archive)
        assert not damage
        assert [item[:2] for item in items[:4]] == [("m.eml", 1), ("news/7", 1), ("n", None), ("x.mbox", 1)]
        assert [item[1:] for item in items[3:]] == contents(BOX)
    archive = zipped(a_gz=gzip.compress(TEXT), b_zip=zipped(c_xz=lzma.compress(TEXT), d=TEXT), e=b"e")
    assert members(archive) == {"a.gz": TEXT, "b.zip/c.xz": TEXT, "b.zip/d": TEXT, "e": b"e"}
    assert contents(ABC.replace(b"b.txt", b"a.txt")) == [(None, None, data) for data in FILES.values()]
    plant(tmp_path, {"group.mbox.zip": zip_of({"Übersicht/Liste.mbox": BOX})})
    path = tmp_path / "group.mbox.zip"
    assert {item.source for item in read(path)[0]} == {f"{path}/Übersicht/Liste.mbox"}


@pytest.mark.parametrize("pack", [zip_of, streamed], ids=["file", "pipe"])
def test_zip_truncated_at_every_byte_yields_the_data_before(pack):
    """Whole members, and the beginning of the last; the damage is at the end of the file."""
    files = {"a": TEXT, "b": TEXT[::-1], "c": b"see http://c.example/\n" * 30}
    packed = pack(files)
    for length in range(4, len(packed)):
        items, damage = read(packed[:length])
        assert [(error.offset, "cut short" in error.cause) for error in damage] == [(length, True)], length
        assert all(files[item.source].startswith(item.data) for item in items)
        assert [item.data for item in items[:-1]] == list(files.values())[: max(0, len(items) - 1)]
    assert [item.data for item in items] == list(files.values())


@pytest.mark.parametrize("inner", [*LAYERS, by_zip])
def test_truncated_compressed_member_is_one_damage(inner):
    """The archive and its member end too early for the same reason."""
    packed = zipped(zipfile.ZIP_STORED, a_mbox=inner(BOX))
    for length in range(60, len(packed) - 150, 17):
        assert len(read(packed[:length])[1]) == 1


@pytest.mark.parametrize("method", METHODS)
def test_corrupted_member_does_not_stop_the_others(method):
    """A member that does not fit its checksum is damage (APPNOTE 4.4.7), and one that is too short."""
    packed = zipped(method, a_txt=b"one", b_txt=TEXT, c_txt=b"two")
    start = packed.index(b"b.txt") + len("b.txt")
    for at in range(start, packed.index(b"PK\3\4", start), 3):
        items, (damage,) = read(flipped(packed, at, 0x10))
        named = {item.source: item.data for item in items}
        assert (named["a.txt"], named["c.txt"], "b.txt" in damage.cause) == (b"one", b"two", True)
    data = bytearray(zipped(method, a_txt=TEXT, b_txt=TEXT, c_txt=TEXT))
    entry, second = data.index(b"PK\1\2"), data.index(b"PK\3\4", 4)
    size = data.index(b"PK\3\4", second + 4) - 30 - len("a.txt")
    for at, cut in ((entry + 20, len(data)), (18, entry)):  # as the list says, or the headers
        short = bytearray(data)
        struct.pack_into("<L", short, at, size)
        items, (damage,) = read(bytes(short[:cut]))
        assert items[0].data.startswith(TEXT)
        assert (items[-1].data, "a.txt: " in damage.cause) == (TEXT, True)
    for size in (0, 3, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF):  # with the list nothing is lost
        struct.pack_into("<L", data, 18, size)
        assert members(bytes(data)) == {"a.txt": TEXT, "b.txt": TEXT, "c.txt": TEXT}
        assert len(read(headers(data))[1]) == 1


@pytest.mark.parametrize("is_listed", [True, False])
def test_a_zip_of_too_many_members_is_told(is_listed, monkeypatch):
    monkeypatch.setattr(zips, "_MOST", 5)  # no public option: it is 100,000
    archive = zipped(**{f"{number}_txt": TEXT for number in range(9)})
    items, (damage,) = read(archive if is_listed else headers(archive))
    assert ([item.data for item in items], damage.cause) == (
        [TEXT] * 5,
        "more than 5 members: unzip it first",
    )


def test_a_zip_for_which_there_is_no_space_is_told(monkeypatch):
    """It takes at most half of what is free for temporary files."""
    archive = zipped(zipfile.ZIP_STORED, a=TEXT * 1_000, b=TEXT)
    assert len(read(archive)[0]) == 2
    usage = mock.Mock(free=1_200_000)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    items, (damage,) = read(archive)
    assert (damage.cause, damage.errno is None) == (
        "zip archive takes more than half of the free space for temporary files: unzip it first", False
    )  # fmt: skip
    assert TEXT.startswith(items[0].data[:100])


# tar archives


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar_members_are_read_like_files(mode):
    files = {"./a.mbox": BOX, ".hidden": TEXT, "b.gz": gzip.compress(TEXT), "c.png": b"\x89PNG\0\0"}
    for size in (7, BLOCK):
        items, damage = read(tarred(files, mode), size=size)
        assert not damage
        assert [item[1:] for item in items[:40]] == contents(BOX)
        assert {item.source: item.data for item in items[39:]} == {
            "a.mbox": items[39].data, ".hidden": TEXT, "b.gz": TEXT
        }  # fmt: skip


@pytest.mark.parametrize("name", [name for name in PACKED if name.startswith(("tar", "zip,"))])
@pytest.mark.parametrize("words", mostly_slow([[], ["-j"], ["-J", "2"], ["-j", "-J", "2"]]), ids=" ".join)
def test_hostile_archive_stops_no_other_input(name, words, tmp_path):
    """Whatever the library raises becomes one line about that archive."""
    texts = {f"{number}.txt": f"http://a.example/{number}\n" for number in (1, 3)}
    plant(tmp_path, {**texts, "2.tar": PACKED[name](1_000_000)})
    status, out, errors = outcome(*words, "1.txt", "2.tar", "3.txt", cwd=tmp_path)
    said = errors.splitlines()
    assert len(said) <= 1 + ("sparse members" in errors)  # which are refused, beside a fault
    assert all(line.startswith("urlextract: 2.tar") for line in said)
    assert status == (2 if said else 0)
    first, *_, last = out.splitlines()
    assert ("http://a.example/1" in first, "http://a.example/3" in last) == (True, True)


KINDS = [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT]


@pytest.mark.parametrize("kind", KINDS)
def test_corrupted_tar_is_at_most_one_damage(kind):
    """No change of up to three bytes of its headers raises."""
    length = 90 if kind == tarfile.USTAR_FORMAT else 120
    data = tarred({f"{number}/{'n' * length}": TEXT for number in range(3)}, kind=kind)
    source = random.Random(3)
    for _ in range(400):
        broken = bytearray(data)
        for _ in range(source.randrange(1, 4)):
            broken[source.randrange(len(data) // 512) * 512 + source.randrange(160)] = source.randrange(256)
        assert len(read(bytes(broken))[1]) <= 1


def test_damaged_member_of_a_tar_does_not_stop_the_others():
    whole = gzip.compress(TEXT)
    files = {"a.txt": TEXT, "b.gz": whole[:-20], "c.txt": TEXT, "d.gz": whole, "e.gz": b"\x1f\x8bxx"}
    items, damage = read(tarred(files))
    assert [item.source for item in items] == ["a.txt", "b.gz", "c.txt", "d.gz"]
    assert [item.data for item in items if item.source != "b.gz"] == [TEXT] * 3
    assert len(damage) == 2


MIDDLE = pad(tarred({"b.txt": b"see http://b.example/\n" * 40})[:-1024].rstrip(b"\0"))
SENSELESS = {
    "negative": with_field(MIDDLE, 124, b"\xff" * 8 + b"\xff\xff\xfc\0"),
    "negative by one block": with_field(MIDDLE, 124, b"\xff" * 10 + b"\xfe\0"),
    "huge": with_field(MIDDLE, 124, b"\x80" + b"\x7f" * 11),
    "2^60": with_field(MIDDLE, 124, b"\x80\0\0\0" + struct.pack(">Q", 1 << 60)),
    "signed": with_field(MIDDLE, 124, b"-0000001000\0"),
    "in parts": with_field(MIDDLE, 124, b"0000 001000\0"),
    "blank": with_field(MIDDLE, 124, b" " * 12),
    "no number": with_field(MIDDLE, 124, b"99999999999\0"),
    "letters": with_field(MIDDLE, 124, b"0x000001000\0"),
    "checksum": MIDDLE[:148] + b"0000000\0" + MIDDLE[156:],
    "pax negative": pax(pax_record(b"size", b"-1000")) + MIDDLE,
    "pax negative by its header": pax(pax_record(b"size", b"-1536")) + MIDDLE,
    "pax huge": pax(pax_record(b"size", b"9" * 30)) + MIDDLE,
    "pax no number": pax(pax_record(b"size", b"abc")) + MIDDLE,
    "pax without digits": pax(pax_record(b"size", b"")) + MIDDLE,
    "pax of endless keywords": pax(b"5 aaa" * 12_000 + b"=\n") + MIDDLE,
    "pax with a false length": pax(b"99 path=x\n") + MIDDLE,
    "pax before a false header": pax(pax_record(b"path", b"x")) + b"x" * 512,
    "long name without end": with_field(
        with_field(MIDDLE, 156, tarfile.GNUTYPE_LONGNAME), 124, b"77777777777\0"
    ),
    "sparse, stored negative": with_field(with_field(MIDDLE, 156, b"S"), 124, b"\xff" * 11 + b"\0"),
    "junk": b"x" * 1_000 + bytes(24),
    **{f"{kind} before it, of {size[:3]} {bool(before)}": before + header_of(kind, size)
       for kind in (b"L", b"K", b"x", b"g", b"X")
       for size in (NEGATIVE, b"\x80\0\0\0\0\2".ljust(12, b"\0"), b"00002000000\0")
       for before in (b"", pax(pax_record(b"path", b"p")))},
}  # fmt: skip


@pytest.mark.parametrize("name", SENSELESS)
def test_senseless_header_of_a_tar_is_told_and_hides_nothing(name):
    """The library ends at some silently, and goes back or on by the size of others."""
    found, damage = with_damage(HEAD + SENSELESS[name] + tarred({"c.txt": TEXT}))
    assert {("0.txt", TEXT), ("c.txt", TEXT)} <= set(found)
    assert "tar archive is corrupt" in damage.cause
    assert damage.offset >= 512 + len(TEXT)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_tar_cut_off_anywhere_is_told(kind):
    """Before its end, which two blocks of zeros mark; one of them is enough (GNU tar)."""
    text = (b"see http://a.example/\n" * 40)[:700]
    data = tarred({"a" * 150: text, "b": text}, kind=kind)
    end = len(data.rstrip(b"\0")) // 512 * 512 + 512
    for length in [*range(512, end, 97), *range(512, end + 1, 512)]:
        _, (damage,) = read(data[:length])
        assert (damage.cause, damage.offset) == ("tar archive is cut short", length)
    assert len(contents(data[: end + 512])) == len(contents(data)) == 2
    ((_, begun),), _ = with_damage(tarred({"b.txt": TEXT * 99}, kind=kind)[:2000])
    assert begun == (TEXT * 99)[: len(begun)]
    assert len(begun) > 2000 - 512 - 256


NAMES = [
    "../../etc/a", "/etc/a", "./.hidden", ".mail/inbox", "a/../b", "a\\..\\b", "C:\\a", "//a", "a//b",
    ".", "..", "__MACOSX/a.txt", "._a.txt",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_member_is_read_whatever_its_name(name):
    """Nothing is written, so no name can harm; none hides a member."""
    placeholder = "Q" * len(name)
    packed = zip_of({placeholder: TEXT}, zipfile.ZIP_STORED).replace(placeholder.encode(), name.encode())
    for data in (tarred({name: TEXT, "z": TEXT}), packed):
        assert [content for *_, content in contents(data)] == [TEXT] * data.count(TEXT)


@pytest.mark.parametrize("kind", [tarfile.XGLTYPE, tarfile.XHDTYPE])
def test_records_of_pax_that_are_not_used_cost_no_memory(kind):
    data = b"".join(pax(pax_record(b"k%d" % number, bytes(120_000)), kind) for number in range(60))
    blocks = in_blocks(data + tarred({"a": BODY}))
    tracemalloc.start()
    try:
        budget = compress.DecompressionBudget(Origin("x", pytest.fail))
        assert [b"".join(content) for content, _ in tars.members(blocks, budget)] == [BODY]
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()


def test_records_of_pax_are_not_read_for_each_member():
    def make(size):
        keys = range(size // 2)
        lines = (
            b"".join(pax_record(b"k%d" % key, b"") for key in keys[at : at + 5000]) for at in keys[::5000]
        )
        empty = tarred({"a": b""})[:512]
        return b"".join(pax(each, tarfile.XGLTYPE) for each in lines) + empty * (size // 256)

    assert growth(read, make, 20_000, 80_000) < LINEAR


# web archives in Zstandard, which may begin with a dictionary


def with_dictionary(archive, *, packed=False, more=b"", content=None):
    """Compress an archive by a dictionary, which is in its first frame, as the IIPC has it.

    ``content`` is in the frame in place of it.
    """
    known = zstd.train_dict(archive.split(b"WARC/1.0\r\n") * 20, 2_000).dict_content + more
    if content is None:
        content = zstd.compress(known) if packed else known
    frame = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    pack = partial(zstd.compress, zstd_dict=zstd.ZstdDict(known, is_raw=False))
    records = archive.split(b"WARC/1.0\r\n")[1:]
    return frame + b"".join(pack(b"WARC/1.0\r\n" + record) for record in records)


@pytest.mark.parametrize("packed", [False, True])
def test_a_dictionary_at_the_beginning_is_for_all_members(packed):
    archive = web_archive(random.Random(1), 60)
    data = with_dictionary(archive, packed=packed)
    assert contents(data) == contents(archive)
    assert contents(data[: 8 + int.from_bytes(data[4:8], "little")]) == []  # of no members


@pytest.mark.parametrize("content", [
    b"", b"x" * 99, b"\x37\xa4\x30\xec" + b"x" * 99, b"\x28\xb5\x2f\xfdx",
], ids=["empty", "text", "damaged", "damaged frame"])  # fmt: skip
def test_a_dictionary_that_is_none_is_damage(content):
    items, (damage,) = read(with_dictionary(web_archive(random.Random(1), 9), content=content))
    assert (items, "ictionary" in damage.cause) == ([], True)


def test_a_dictionary_that_is_too_large_is_none(monkeypatch):
    monkeypatch.setattr(decoders, "_LARGEST_DICTIONARY", 1_000)  # no public option: it is 16 MiB
    items, (damage,) = read(with_dictionary(web_archive(random.Random(1), 9)))
    assert (items, "zstd data cannot be read" in damage.cause) == ([], True)


def test_a_large_dictionary_takes_time_in_proportion(monkeypatch):
    """It is read once, however many frames follow."""
    data = with_dictionary(web_archive(random.Random(1), 40), more=bytes(3 << 20))
    fed, original = [], zstd.ZstdDecompressor

    class Counted:
        def __init__(self, *arguments):
            self.inner = original(*arguments)

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def decompress(self, data, *limit):
            fed.append(len(data))
            return self.inner.decompress(data, *limit)

    monkeypatch.setattr("urlextract.sources.compress.decoders.ZstdDecompressor", Counted)
    assert len(contents(data)) > 30
    assert sum(fed) < 1 << 20
