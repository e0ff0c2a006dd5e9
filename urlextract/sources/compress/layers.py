"""The layers: by what their data begins, and where each is undone."""

from typing import NamedTuple

__all__ = ["LAYERS", "Layer", "is_enough", "layer_of"]


class Layer(NamedTuple):
    """A way to compress: what its data begins with, and where its reader is.

    One that ``is_inner`` is inside another one: it may take little memory.
    """

    name: str
    magics: tuple[bytes, ...]
    module: str
    is_inner: bool = False


_BZIP2 = tuple(b"BZh%d" % size + mark for size in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90"))
# RFC 8878, sections 3.1.1 and 3.1.2: a frame, or one that is to be skipped
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes((low,)) + b"\x2a\x4d\x18" for low in range(0x50, 0x60)))

LAYERS = (
    Layer("gzip", (b"\x1f\x8b",), "inflate"),  # RFC 1952, section 2.3.1
    Layer("compress", (b"\x1f\x9d",), "lzw"),
    Layer("bzip2", _BZIP2, "blockwise"),
    Layer("xz", (b"\xfd7zXZ\0",), "blockwise"),
    Layer("zstd", _ZSTD, "blockwise"),
)


def layer_of(head: bytes) -> Layer | None:
    r"""Give the layer that data with this ``head`` is wrapped in.

    >>> layer_of(b"\x1f\x8b\x08").name, layer_of(b"BZh is no bzip2")
    ('gzip', None)
    """
    return next((layer for layer in LAYERS if head.startswith(layer.magics)), None)


def is_enough(head: bytes) -> bool:
    """Say whether ``head`` tells the layer, whatever follows."""
    return not any(magic.startswith(head) and magic != head for layer in LAYERS for magic in layer.magics)
