"""Read a body that is too long to be held: decoded, unfolded, without what is no text, piece by piece.

The steps are those of ``parts``. What the body is is judged by its first piece.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from itertools import chain

from urlextract.message.charsets import codec_for, decoded_pieces
from urlextract.message.content import Body
from urlextract.message.kinds import kind_of
from urlextract.message.parts import UNDECLARED, charset_of, declared, is_chosen
from urlextract.message.pgp import BlockFilter
from urlextract.message.quoting import mask_pieces
from urlextract.message.running_text import running_pieces
from urlextract.message.transfer import IDENTITIES, is_undeclared, undone_pieces
from urlextract.records import LongText, Origin, PartFilter
from urlextract.sources.streams import in_blocks


def read_long(body: Body, rest: Iterator[bytes], origin: Origin, choice: PartFilter) -> Iterator[LongText]:
    """Yield the text of a body that begins with the data of ``body``, and goes on with ``rest``."""
    content = body.content
    if not is_chosen(body, choice):
        return
    undeclared = is_undeclared(body.data, body.encoding)
    undone = undone_pieces(chain((body.data,), rest), "quoted-printable" if undeclared else body.encoding)
    first = next(undone, b"")
    codec = codec_for(first, declared(charset_of(content, first)) or choice.charset)
    pieces: Iterable[str] = decoded_pieces(chain(in_blocks(first), undone), codec)
    kind = kind_of(content.kind)
    is_page = kind.reader == "page"
    if not is_page:
        pieces = BlockFilter().filtered(running_pieces(pieces, content, kind.running))
        if choice.masks:
            pieces = mask_pieces(pieces, choice)
    # A byte order mark is not part of the text.
    place = None if body.offset is None else body.offset + len(BOM_UTF8) * first.startswith(BOM_UTF8)
    is_as_sent = body.encoding in IDENTITIES and not undeclared and codec == "utf-8"
    is_plain = is_page or not (kind.running or content.flowed)
    yield LongText(
        iter(pieces),
        origin,
        is_page,
        body.base if is_page else None,
        place if is_as_sent and is_plain else None,
        (UNDECLARED,) if undeclared else (),
    )
