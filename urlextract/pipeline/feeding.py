"""Find URLs in many texts, pages and messages with options that are made once, whole or fed in pieces."""

from __future__ import annotations

import tempfile
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Any, Generic, Literal, Self, TypeVar, Unpack, cast, overload

from urlextract.arguments import alone
from urlextract.brief import Brief
from urlextract.errors import OnDamage
from urlextract.pipeline.entry import (
    BYTES,
    AnyMessage,
    Bytes,
    message_results,
    page_results,
    raw_message,
    text_results,
)
from urlextract.pipeline.options import (
    ExtractOptions,
    HtmlOptions,
    MessageOptions,
    TextOptions,
    held,
    options_in_words,
    options_of,
    takes_options,
)
from urlextract.pipeline.positions import Positions
from urlextract.pipeline.texts import Result, TextReader
from urlextract.records import Provenance, RawMessage
from urlextract.results import Found
from urlextract.scanner.feeding import Pieces
from urlextract.sources.formats.messages import LARGEST_HELD
from urlextract.sources.streams import BLOCK

_Piece = TypeVar("_Piece")


class _Feeding(Generic[_Piece], metaclass=Brief):
    """What is fed in pieces and closed, one text after the other."""

    _begin: Callable[[], Any]  # what is fed and closed
    _check: Callable[[_Piece], object]

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._turn = [None]
        self._rest: list[Found] = []
        self._fed: Any = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({options_in_words(self._given)})"

    @alone
    def feed(self, piece: _Piece) -> list[Found]:
        """Take a piece, of any length; return the results that no later piece can change."""
        self._check(piece)
        fed = self._fed or self._begin()
        found = cast("list[Found]", list(fed.feed(piece)))
        self._fed = fed
        return found

    @alone
    def close(self) -> list[Found]:
        """End what was fed; return the results that waited for more of it. The next piece begins anew."""
        rest, self._rest = [*self._rest, *self._ended()], []
        return rest

    def _ended(self) -> list[Found]:
        fed, self._fed = self._fed, None
        return list(fed.close()) if fed else []

    def __enter__(self) -> Self:
        return self

    @alone
    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._rest += self._ended()
        self._fed = None


class Extractor(_Feeding[str | Bytes]):
    r"""Finds the URLs of texts, as `extract` does, or of pages with ``html=True``, as `extract_html` does.

    The options are read once. Call it with a whole text, or feed it one in pieces; after `close`, the next
    piece begins another text. A page is read when it is closed. The end of a ``with`` statement ends the
    text, too: the rest is kept for `close`, but after an error forgotten.

    Many threads can call one, and it can be pickled. One thread at a time can feed it: a second one gets
    `RuntimeError`.

    >>> extractor = Extractor(schemes="http")
    >>> [found.url for piece in ("<http://a.ex", "\nample/> and\n\n") for found in extractor.feed(piece)]
    ['http://a.example/']
    >>> Extractor(html=True)("<a href='x'>x</a>", base="http://a.example/")[0].url
    'http://a.example/x'
    """

    @overload
    def __init__(self, *, html: Literal[False] = False, **options: Unpack[TextOptions]) -> None: ...
    @overload
    def __init__(self, *, html: bool, **options: Unpack[HtmlOptions]) -> None: ...
    @takes_options(HtmlOptions)
    def __init__(self, *, html: bool = False, **options: Any) -> None:
        if not isinstance(html, bool):
            raise TypeError(f"html is {type(html).__name__}: it is True or False")
        given = held(options)
        self._options = options_of(given, HtmlOptions if html else TextOptions)
        self._html = html
        super().__init__({"html": html, **given})

    def __call__(self, text: str | Bytes, *, base: str | None = None) -> list[Found]:
        """Return the results of a whole text, or of a whole page, of which ``base`` is the URL."""
        if self._html:
            options = self._options if base is None else self._options.with_base(base)
            return cast("list[Found]", list(page_results(text, options)))
        if base is not None:
            raise TypeError("'base' counts in HTML, and not here")
        self._check(text)
        return cast("list[Found]", list(text_results(cast(str, text), self._options)))

    def _check(self, piece: object) -> None:
        if not self._html and not isinstance(piece, str):
            kind = type(piece).__name__
            raise TypeError(f"text is {kind}, not str: MessageExtractor and Extractor(html=True) read bytes")

    def _begin(self) -> _FedText | _Held:
        if self._html:
            return _Held(partial(_of_page, self._options))
        return _FedText(self._options)


class MessageExtractor(_Feeding[Bytes]):
    r"""Finds the URLs of messages, as `extract_message` does, with options that are read once.

    Call it with a whole message, or feed it the bytes of one: it is read when `close` is called, so `feed`
    returns []. Threads, processes and ``with`` are as for `Extractor`; memory is bounded, apart from the
    results.

    >>> extractor = MessageExtractor(parts="text")
    >>> extractor.feed(b"Subject: x\n\nsee http://a.ex") + extractor.feed(b"ample/\n")
    []
    >>> [found.url for found in extractor.close()]
    ['http://a.example/']
    """

    @takes_options(MessageOptions)
    def __init__(
        self,
        *,
        source: str | None = None,
        on_damage: OnDamage | None = None,
        **options: Unpack[MessageOptions],
    ) -> None:
        given = held(options)
        self._options = options_of(given, MessageOptions)
        self._source, self._on_damage = source, on_damage
        raw_message(b"", source, on_damage)
        super().__init__({"source": source, "on_damage": on_damage, **given})

    def __call__(self, data: AnyMessage, *, source: str | None = None) -> list[Found]:
        """Return the results of a whole message; ``source`` is its name in the records."""
        message = raw_message(data, self._source if source is None else source)
        return cast("list[Found]", list(message_results(message, self._options, self._on_damage)))

    def _check(self, piece: object) -> None:
        if not isinstance(piece, BYTES):
            raise TypeError(f"data is {type(piece).__name__}, not bytes: Extractor reads text")

    def _begin(self) -> _Held:
        return _Held(partial(_of_message, self._options, self._source, self._on_damage))


class _FedText:
    """A text that is read as it comes."""

    def __init__(self, options: ExtractOptions) -> None:
        self._pieces = Pieces()
        self._reader = TextReader(Provenance(), options, Positions())

    def feed(self, piece: str) -> Iterator[Result]:
        """Feed a piece of the text; yield the results that no later piece can change."""
        return self._reader.read(self._pieces.feed(piece))

    def close(self) -> Iterator[Result]:
        """End the text; yield the results that waited for more of it."""
        return self._reader.read(self._pieces.close())


class _Held:
    """What must be whole before it is read; what exceeds 1 MiB is kept in a temporary file without a name.

    ``read`` returns its results, when it is closed.
    """

    def __init__(self, read: Callable[[_Held], Iterator[Result]]) -> None:
        self._read = read
        self.file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=LARGEST_HELD)  # noqa: SIM115
        self.length = 0
        self.is_text: bool | None = None

    def feed(self, piece: str | Bytes) -> Iterator[Result]:
        """Keep a piece; all are text, or all are bytes."""
        is_text = isinstance(piece, str)
        if self.is_text not in (None, is_text) or not isinstance(piece, (str, *BYTES)):
            kind = type(piece).__name__
            raise TypeError(f"markup is {kind}: all pieces of a page are str, or all are bytes")
        self.is_text = is_text
        self.length += self.file.write(
            piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
        )
        return iter(())

    def close(self) -> Iterator[Result]:
        """Return the results."""
        self.file.seek(0)
        return self._read(self)

    def __del__(self) -> None:
        self.file.close()

    def blocks(self) -> Iterator[bytes]:
        """Yield what is left of the bytes."""
        return iter(lambda: self.file.read(BLOCK), b"")


def _of_page(options: ExtractOptions, held: _Held) -> Iterator[Result]:
    if not held.is_text:
        return page_results(held.blocks(), options)
    decoder = getincrementaldecoder("utf-8")("surrogatepass")
    return page_results(map(decoder.decode, held.blocks()), options)


def _of_message(
    options: ExtractOptions, source: str | None, on_damage: OnDamage | None, held: _Held
) -> Iterator[Result]:
    data = held.file.read(LARGEST_HELD)
    rest = held.blocks() if held.length > LARGEST_HELD else None
    provenance = Provenance(source=source, message=1, offset=0, length=held.length)
    return message_results(RawMessage(data, provenance, rest=rest), options, on_damage)
