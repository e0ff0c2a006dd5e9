"""Find URLs in many texts, pages and messages with options that are made once, whole or fed in pieces."""

from __future__ import annotations

import tempfile
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from typing import IO, Any, Generic, Literal, Protocol, Self, TypeVar, Unpack, cast, overload

from urlextract.arguments import alone
from urlextract.brief import Brief
from urlextract.message.quoting import Mask
from urlextract.pipeline.choice import with_targets
from urlextract.pipeline.entry import (
    BYTES,
    AnyMessage,
    Bytes,
    OnDamage,
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
from urlextract.pipeline.reading import Result, TextReader
from urlextract.records import Provenance, RawMessage
from urlextract.results import Found
from urlextract.sources.formats.messages import LARGEST_HELD
from urlextract.sources.streams import BLOCK

_Piece = TypeVar("_Piece")
_Piece_contra = TypeVar("_Piece_contra", contravariant=True)


class _Fed(Protocol[_Piece_contra]):
    """A text, page or message that is fed in pieces."""

    def feed(self, piece: _Piece_contra, /) -> Iterator[Result]: ...

    def close(self) -> Iterator[Result]: ...


class _Feeding(Generic[_Piece], metaclass=Brief):
    """What is fed in pieces and closed, one text after the other."""

    _begin: Callable[[], _Fed[_Piece]]

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._turn = [None]
        self._rest: list[Found] = []
        self._fed: _Fed[_Piece] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({options_in_words(self._given)})"

    @alone
    def feed(self, piece: _Piece) -> list[Found]:
        """Take a piece, of any length; return the results that no later piece can change."""
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
        return cast("list[Found]", list(fed.close())) if fed else []

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
        return cast("list[Found]", list(text_results(_text(text), self._options)))

    def _begin(self) -> _Fed[str | Bytes]:
        return _FedPage(self._options) if self._html else _FedText(self._options)


def _text(text: str | Bytes) -> str:
    if not isinstance(text, str):
        kind = type(text).__name__
        raise TypeError(f"text is {kind}, not str: MessageExtractor and Extractor(html=True) read bytes")
    return text


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

    def _begin(self) -> _Fed[Bytes]:
        return _FedMessage(self._options, self._source, self._on_damage)


# --- what is fed ----------------------------------------------------------------------------------


class _FedText:
    """A text that is read as it comes."""

    def __init__(self, options: ExtractOptions) -> None:
        self._options = options
        self._reading = TextReader(Provenance(), options, Positions(), explains=False)
        self._mask = Mask(options.choice) if options.choice.masks else None

    def feed(self, piece: str | Bytes) -> Iterator[Result]:
        text = _text(piece)
        return self._results(self._mask.feed(text) if self._mask else text)

    def close(self) -> Iterator[Result]:
        return self._results(self._mask.close() if self._mask else "", is_whole=True)

    def _results(self, text: str, *, is_whole: bool = False) -> Iterator[Result]:
        return with_targets(self._reading.feed(text, is_whole=is_whole), self._options)


class _Held:
    """What must be whole before it is read; what exceeds 1 MiB is kept in a temporary file without a name."""

    def __init__(self, options: ExtractOptions) -> None:
        self._options = options
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=LARGEST_HELD)  # noqa: SIM115
        self._length = 0

    def _keep(self, data: Bytes) -> Iterator[Result]:
        self._length += self._file.write(data)
        return iter(())

    def close(self) -> Iterator[Result]:
        self._file.seek(0)
        return self._read()

    def __del__(self) -> None:
        self._file.close()

    def _read(self) -> Iterator[Result]:
        raise NotImplementedError

    def _blocks(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(BLOCK), b"")


class _FedMessage(_Held):
    """A message that is read when it is whole."""

    def __init__(self, options: ExtractOptions, source: str | None, on_damage: OnDamage | None) -> None:
        super().__init__(options)
        self._source, self._on_damage = source, on_damage

    def feed(self, piece: Bytes) -> Iterator[Result]:
        if not isinstance(piece, BYTES):
            raise TypeError(f"data is {type(piece).__name__}, not bytes: Extractor reads text")
        return self._keep(piece)

    def _read(self) -> Iterator[Result]:
        data = self._file.read(LARGEST_HELD)
        rest = self._blocks() if self._length > LARGEST_HELD else None
        provenance = Provenance(source=self._source, message=1, offset=0, length=self._length)
        return message_results(RawMessage(data, provenance, rest=rest), self._options, self._on_damage)


class _FedPage(_Held):
    """A page that is read when it is whole; its pieces are all text or all bytes."""

    _is_text: bool | None = None

    def feed(self, piece: str | Bytes) -> Iterator[Result]:
        is_text = isinstance(piece, str)
        if self._is_text not in (None, is_text) or not isinstance(piece, (str, *BYTES)):
            kind = type(piece).__name__
            raise TypeError(f"markup is {kind}: all pieces of a page are str, or all are bytes")
        self._is_text = is_text
        return self._keep(piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece)

    def _read(self) -> Iterator[Result]:
        if not self._is_text:
            return page_results(self._blocks(), self._options)
        decoder = getincrementaldecoder("utf-8")("surrogatepass")
        return page_results(map(decoder.decode, self._blocks()), self._options)
