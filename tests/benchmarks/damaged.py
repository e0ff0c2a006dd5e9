"""A damaged or refused file of each kind, made in a folder, for differences.py."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAIL = (
    b"From: ada@a.example\nSubject: %d\nDate: Mon, 14 Nov 1994 09:12:44 +0000\n\nsee http://a.example/%d\n\n"
)
BOX = b"".join(
    b"From ada@a.example Mon Nov 14 09:12:44 1994\n" + MAIL % (number, number**9) for number in range(900)
)
RECORD = (
    b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\n"
    b"Content-Length: %d\r\n\r\nsee http://b.example/\n\r\n\r\n"
)
OLD_MESSAGE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the magic of Microsoft's compound files

REFUSED = {
    "old.Z": b"\x1f\x9d\x90" + BOX[:90],
    "unix.batch": b"#! cunbatch\n\x1f\x9d\x90" + BOX[:90],
    "seven.batch": b"#! c7unbatch\n" + BOX[:90],
    "babyl": b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1f\n\x0c\n1,,\n*** EOOH ***\n" + MAIL % (1, 1),
    "overview": b"".join(
        b"%d\tsubject\tada@a.example\t14 Nov 1994\t<%d@a.example>\t\t90\t2\tXref: x y:%d\n" % ((n,) * 3)
        for n in range(9)
    ),
    "letters.7z": b"7z\xbc\xaf\x27\x1c\0\4" + BOX[:90],
    "letters.rar": b"Rar!\x1a\x07\x01\0" + BOX[:90],
    "folder.pst": b"!BDN" + bytes(600),
    "letter.msg": OLD_MESSAGE + bytes(600),
    "winmail.dat": b"\x78\x9f\x3e\x22" + bytes(90),
    "folder.mbx": b"*mbx*\r\n" + BOX[:90],
    "paper.pdf": b"%PDF-1.4\n1 0 obj\n<< /URI (http://a.example/p) >>\nendobj\n",
}
"""Formats that are not read, or in part."""


def make(folder: Path) -> list[Path]:
    """Write the files; return their paths, a folder, a dangling link and a missing name among them."""
    half, warc = len(BOX) // 2, RECORD % 22
    packed = {
        "gz": gzip.compress(BOX, mtime=0),
        "bz2": bz2.compress(BOX),
        "xz": lzma.compress(BOX),
        "zst": zstd.compress(BOX),
        "zip": _zip(),
        "tar": _tar(),
    }
    files = {
        **REFUSED,
        **{f"cut.{name}": data[: len(data) * 2 // 3] for name, data in packed.items()},
        **{f"odd.{name}": _with_odd_bytes(data) for name, data in packed.items()},
        **{f"more.{name}": data + b"what no member is\n" for name, data in packed.items()},
        "sealed.zip": _sealed(packed["zip"]),
        "nested.tar.gz": gzip.compress(packed["tar"][:half], mtime=0),
        "cut.mbox": BOX[:half],
        "cut.warc": warc + warc[:-9],
        "long.warc": RECORD % 999_999 + warc,
        "cut.warc.gz": gzip.compress(warc, mtime=0) + gzip.compress(warc, mtime=0)[:40],
        "cut.batch": b"#! rnews 9999\n" + MAIL % (1, 1),
        "odd.batch": b"#! rnews 7\n" + MAIL % (1, 1) + b"#! rnews 5\nx",
        "bomb.gz": gzip.compress(gzip.compress(bytes(30_000_000), mtime=0) * 9, mtime=0),
        "cut.eml": b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href='http://a.exam",
        "empty": b"",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "dangling").symlink_to("nowhere")
    (folder / "nothing").mkdir()
    _broken_repository(folder / "inbox")
    names = [*files, "dangling", "nothing", "inbox", "missing"]
    return [folder / name for name in names]


def _with_odd_bytes(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(byte ^ 0x55 for byte in data[middle : middle + 40]) + data[middle + 40 :]


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("first.mbox", "second.mbox"):
            archive.writestr(zipfile.ZipInfo(name), BOX)
    return stream.getvalue()


def _sealed(data: bytes) -> bytes:
    """Return a zip whose members claim to be encrypted: bit 0 of their flags."""
    local, central = b"PK\3\4\x14\0", b"PK\1\2\x14\3\x14\0"
    return data.replace(local + b"\0", local + b"\1").replace(central + b"\0", central + b"\1")


def _tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, kind in (
            ("first.mbox", tarfile.REGTYPE),
            ("holes", tarfile.GNUTYPE_SPARSE),
            ("second.mbox", tarfile.REGTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.size, info.type = len(BOX), kind
            archive.addfile(info, io.BytesIO(BOX))
    return stream.getvalue()


def _broken_repository(path: Path) -> None:
    """Make a repository whose branch names a commit that is not there, where git is installed."""
    try:
        subprocess.run(
            ["git", "init", "--quiet", "--bare", "-b", "master", path / "git" / "0.git"], check=True
        )
    except FileNotFoundError:
        path.mkdir()
        return
    (path / "git" / "0.git" / "refs" / "heads" / "master").write_text("1" * 40 + "\n")
