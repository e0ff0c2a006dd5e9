"""Data for the tests of sources: texts, archives, trees of files, and the undoing of all layers."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

from urlextract.errors import SourceError
from urlextract.sources import compress
from urlextract.sources.streams import BLOCK, Origin

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"
BOX = b"".join(POSTMARK + b"Subject: %d\n\nsee http://x.example/%d\n\n" % (n, n * n) for n in range(40))
TEXT = b"".join(b"see http://x.example/%d\n" % (n * n) for n in range(60))


def undo(data: bytes, size: int = BLOCK) -> tuple[bytes, list[SourceError]]:
    """Undo the layers around data that arrive in blocks of ``size``; return the data and the errors."""
    damage: list[SourceError] = []
    blocks = (data[at : at + size] for at in range(0, len(data), size))
    return b"".join(
        compress.decompress(blocks, compress.DecompressionBudget(Origin("x", damage.append)))
    ), damage


def tarred(files: dict[str, bytes], mode: str = "w", kind: int = tarfile.DEFAULT_FORMAT) -> bytes:
    """Make a tar archive of members by their names."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode, format=kind) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def zip_of(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, **how: Any) -> bytes:
    """Make a zip archive of members by their names."""
    packed = io.BytesIO()
    write_zip(packed, files, method, **how)
    return packed.getvalue()


def write_zip(file: Any, files: dict[str, bytes], method: int, *, is_long: bool = False) -> None:
    """Write a zip archive; one that ``is_long`` has sizes of 64 bits."""
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            with archive.open(name, "w", force_zip64=is_long) as member:
                member.write(data)


def plant(root: Path, files: dict[str, bytes | str], links: dict[str, str] | None = None) -> Path:
    """Write files under ``root``, and symbolic links to targets; a name that ends in "/" is a directory."""
    for name, data in files.items():
        path = root / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_bytes(data.encode() if isinstance(data, str) else data)
    for name, target in (links or {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target)
    return root
