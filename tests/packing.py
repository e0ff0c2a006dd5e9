"""Compressed data for the tests of sources: texts, packers and the undoing of all layers."""

from __future__ import annotations

import io
import tarfile

from urlextract.errors import SourceError
from urlextract.sources import compress
from urlextract.sources.streams import BLOCK, Place

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"
BOX = b"".join(POSTMARK + b"Subject: %d\n\nsee http://x.example/%d\n\n" % (n, n * n) for n in range(40))
TEXT = b"".join(b"see http://x.example/%d\n" % (n * n) for n in range(60))


def undo(data: bytes, size: int = BLOCK) -> tuple[bytes, list[SourceError]]:
    """Undo the layers around data that arrive in blocks of ``size``; return the data and the errors."""
    damage: list[SourceError] = []
    blocks = (data[at : at + size] for at in range(0, len(data), size))
    return b"".join(
        compress.decompress(blocks, compress.DecompressionBudget(Place("x", damage.append)))
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
