"""Find URLs in many texts, pages and messages with options that are made once, whole or fed in pieces."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import IO, Generic, Self, TypeVar, Unpack, cast

from urlextract.arguments import alone
from urlextract.errors import SourceError
from urlextract.message.quoting import Mask
from urlextract.pipeline.assembly import Positions
from urlextract.pipeline.choice import with_targets
from urlextract.pipeline.entry import (
    BYTES,
    Bytes,
    raw_message,
    results_of_message,
    results_of_page,
    results_of_text,
)
from urlextract.pipeline.evidence import Result
from urlextract.pipeline.options import (
    ExtractOptions,
    HtmlOptions,
    MessageOptions,
    TextOptions,
    options_of,
    takes_options,
)
from urlextract.pipeline.reading import TextReader
from urlextract.records import Provenance, RawMessage
from urlextract.results import Found, Message
from urlextract.sources.formats.messages import LARGEST_HELD
from urlextract.sources.streams import BLOCK

_Piece = TypeVar("_Piece")


class _Feeding(ABC, Generic[_Piece]):
    """What is fed in pieces and closed, one text after the other."""

    def __init__(self) -> None:
        self._turn = [None]
        self._rest: list[Found] = []

    @alone
    def feed(self, piece: _Piece) -> list[Found]:
        """Take a piece, of any length; return the results that no later piece can change.

        Raise `TypeError` if the piece has another type than it should have.
        """
        return self._fed(piece)

    @alone
    def close(self) -> list[Found]:
        """End what was fed; return the results that waited for more of it. The next piece begins anew."""
        rest, self._rest = [*self._rest, *self._ended()], []
        return rest

    def __enter__(self) -> Self:
        return self

    @alone
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._rest += self._ended()
        self._forget()

    @abstractmethod
    def _fed(self, piece: _Piece) -> list[Found]: ...

    @abstractmethod
    def _ended(self) -> list[Found]: ...

    @abstractmethod
    def _begin(self) -> None:
        """Be as if nothing had been fed."""

    def _forget(self) -> None:
        self._begin()


class Extractor(_Feeding[str]):
    r"""Finds the URLs of texts, as `extract` does, with options that are made once.

    Call it with a whole text, from as many threads as you like, or feed it a text in pieces: `feed` takes a
    piece and returns the results that no later piece can change, `close` returns the rest, and the next piece
    begins another text. The results do not depend on the pieces; spans count characters from the first one.
    Memory is bounded, however long the text is. The end of a ``with`` statement ends the text, too: the rest
    is kept for `close`. Two threads cannot feed one at once: the second call raises `RuntimeError`.

    The keyword arguments and errors are those of `extract`.

    >>> extractor = Extractor(schemes="http")
    >>> [found.url for found in extractor("see http://a.example/ and ftp://b.example/")]
    ['http://a.example/']
    >>> for piece in ("see <http://a.ex", "\nample/> and www.b.", "example"):
    ...     print([found.url for found in extractor.feed(piece)])
    []
    ['http://a.example/']
    []
    >>> [found.url for found in extractor.close()]
    ['http://www.b.example']
    """

    _fed_text: _FedText | None

    @takes_options(TextOptions)
    def __init__(self, **options: Unpack[TextOptions]) -> None:
        super().__init__()
        self._options = options_of(options, TextOptions)
        self._begin()

    def __call__(self, text: str) -> list[Found]:
        """Return the results of a whole text."""
        if not isinstance(text, str):
            raise TypeError(_NO_TEXT.format(type(text).__name__))
        return cast("list[Found]", list(results_of_text(text, self._options)))

    def _fed(self, piece: str) -> list[Found]:
        if not isinstance(piece, str):
            raise TypeError(_NO_TEXT.format(type(piece).__name__))
        self._fed_text = self._fed_text or _FedText(self._options)
        return self._fed_text.feed(piece)

    def _ended(self) -> list[Found]:
        rest = self._fed_text.close() if self._fed_text else []
        self._begin()
        return rest

    def _begin(self) -> None:
        self._fed_text = None


_NO_TEXT = "text is {}, not str: MessageExtractor and HtmlExtractor read bytes"


class _FedText:
    """One text that is fed in pieces."""

    def __init__(self, options: ExtractOptions) -> None:
        self._options = options
        self._reading = TextReader(Provenance(), options, Positions(), explains=False)
        self._mask = Mask(options.choice) if options.choice.masks else None

    def feed(self, text: str) -> list[Found]:
        return self._found(self._mask.feed(text) if self._mask else text)

    def close(self) -> list[Found]:
        return self._found(self._mask.close() if self._mask else "", is_whole=True)

    def _found(self, text: str, *, is_whole: bool = False) -> list[Found]:
        results = self._reading.feed(text, is_whole=is_whole)
        return cast("list[Found]", list(with_targets(results, self._options)))


class _Spooled(_Feeding[_Piece]):
    """What must be whole before it is read; what exceeds 1 MiB is kept in a temporary file without a name."""

    _held: IO[bytes] | None
    _length: int

    def __init__(self) -> None:
        super().__init__()
        self._begin()

    def _begin(self) -> None:
        self._held = None
        self._length = 0

    def _keep(self, data: Bytes) -> list[Found]:
        if self._held is None:
            self._held = tempfile.SpooledTemporaryFile(max_size=LARGEST_HELD)  # noqa: SIM115 - see `_forget`
        self._length += self._held.write(data)
        return []

    def _ended(self) -> list[Found]:
        if self._held is None:
            return []
        self._held.seek(0)
        found = list(cast("Iterator[Found]", self._read(self._held)))
        self._forget()
        return found

    @abstractmethod
    def _read(self, held: IO[bytes]) -> Iterator[Result]: ...

    def _forget(self) -> None:
        if self._held:
            self._held.close()
        self._begin()


class MessageExtractor(_Spooled[bytes | bytearray | memoryview]):
    r"""Finds the URLs of messages, as `extract_message` does, with options that are made once.

    Call it with a whole message, from as many threads as you like, or feed it one in pieces. A message is
    read when it is complete, so `close` returns the results; `feed` returns []. Memory is bounded, however
    large the message is, apart from its results. The end of a ``with`` statement ends the message, too: the
    results are kept for `close`. Two threads cannot feed one at once: the second call raises `RuntimeError`.

    The keyword arguments and errors are those of `extract_message`.

    >>> extractor = MessageExtractor(parts="text")
    >>> [found.url for found in extractor(b"Subject: x\n\nsee http://a.example/\n", source="UID 7")]
    ['http://a.example/']
    >>> for piece in (b"Subject: x\n\nsee http://a.ex", b"ample/\n"):
    ...     print(extractor.feed(piece))
    []
    []
    >>> [found.url for found in extractor.close()]
    ['http://a.example/']
    """

    @takes_options(MessageOptions)
    def __init__(
        self,
        *,
        source: str | None = None,
        on_damage: Callable[[SourceError], None] | None = None,
        **options: Unpack[MessageOptions],
    ) -> None:
        super().__init__()
        self._options = options_of(options, MessageOptions)
        self._source, self._on_damage = source, on_damage

    def __call__(self, data: Bytes | Message, *, source: str | None = None) -> list[Found]:
        """Return the results of a whole message; ``source`` is its name in the records."""
        message = raw_message(data, self._source if source is None else source)
        return cast("list[Found]", list(results_of_message(message, self._options, self._on_damage)))

    def _fed(self, piece: Bytes) -> list[Found]:
        if not isinstance(piece, BYTES):
            raise TypeError(f"data is {type(piece).__name__}, not bytes: Extractor reads text")
        return self._keep(piece)

    def _read(self, held: IO[bytes]) -> Iterator[Result]:
        data = held.read(LARGEST_HELD)
        rest = iter(lambda: held.read(BLOCK), b"") if self._length > LARGEST_HELD else None
        provenance = Provenance(source=self._source, message=1, offset=0, length=self._length)
        return results_of_message(RawMessage(data, provenance, rest=rest), self._options, self._on_damage)


class HtmlExtractor(_Spooled[str | bytes | bytearray | memoryview]):
    """Finds the URLs of pages of HTML, as `extract_html` does, with options that are made once.

    Call it with a whole page, from as many threads as you like, or feed it one in pieces, which are all text
    or all bytes. A page is read when it is complete, so `close` returns the results; `feed` returns [].
    Memory is bounded, however large the page is, apart from its results. The end of a ``with`` statement ends
    the page, too: the results are kept for `close`. Two threads cannot feed one at once: the second call
    raises `RuntimeError`.

    The keyword arguments and errors are those of `extract_html`.

    >>> extractor = HtmlExtractor(links=True)
    >>> [found.url for found in extractor("<a href='x'>x</a> <img src='y'>", base="http://a.example/")]
    ['http://a.example/x']
    >>> for piece in (b"<a href='//a.ex", b"ample/'>"):
    ...     print(extractor.feed(piece))
    []
    []
    >>> [found.url for found in extractor.close()]
    ['https://a.example/']
    """

    _is_text: bool | None

    @takes_options(HtmlOptions)
    def __init__(self, **options: Unpack[HtmlOptions]) -> None:
        super().__init__()
        self._options = options_of(options, HtmlOptions)

    def __call__(self, markup: str | Bytes, *, base: str | None = None) -> list[Found]:
        """Return the results of a whole page; ``base`` is its URL."""
        options = self._options if base is None else self._options.with_base(base)
        return cast("list[Found]", list(results_of_page(markup, options)))

    def _fed(self, piece: str | Bytes) -> list[Found]:
        is_text = isinstance(piece, str)
        if self._is_text not in (None, is_text) or not isinstance(piece, (str, *BYTES)):
            raise TypeError(
                f"markup is {type(piece).__name__}: all pieces of a page are str, or all are bytes"
            )
        self._is_text = is_text
        return self._keep(piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece)

    def _read(self, held: IO[bytes]) -> Iterator[Result]:
        blocks = iter(lambda: held.read(BLOCK), b"")
        if not self._is_text:
            return results_of_page(blocks, self._options)
        decoder = getincrementaldecoder("utf-8")("surrogatepass")
        return results_of_page(map(decoder.decode, blocks), self._options)

    def _begin(self) -> None:
        super()._begin()
        self._is_text = None
