"""Find URLs in texts and messages that are fed in pieces, for callers that receive them so."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterator
from types import TracebackType
from typing import Self, Unpack, cast

from urlextract.arguments import alone
from urlextract.errors import SourceError
from urlextract.message.quoting import Mask
from urlextract.pipeline.assembly import Positions
from urlextract.pipeline.evidence import Evidence, weighed
from urlextract.pipeline.item_results import read_items
from urlextract.pipeline.options import Options, options_of, takes_options
from urlextract.pipeline.reading import TextReader
from urlextract.records import Origin, RawMessage
from urlextract.results import Found, Rejection
from urlextract.sources.formats.messages import LARGEST_HELD
from urlextract.sources.streams import BLOCK


class Extractor:
    r"""Finds the URLs of a text that is fed in pieces, as `extract` does.

    `feed` takes a piece and returns the results that no later piece can change; `close` returns the
    rest. The results do not depend on the pieces; spans count characters from the first one fed. Memory
    is bounded, however long the text is. The end of a ``with`` statement ends the text, too: the rest is
    kept for `close`. Two threads cannot use one at once: the second call raises `RuntimeError`.

    The keyword arguments and errors are those of `extract`.

    >>> with Extractor() as extractor:
    ...     for piece in ("see <http://a.ex", "\nample/> and www.b.", "example"):
    ...         print([found.url for found in extractor.feed(piece)])
    ...     print([found.url for found in extractor.close()])
    []
    ['http://a.example/']
    []
    ['http://www.b.example']
    """

    @takes_options
    def __init__(self, **options: Unpack[Options]) -> None:
        chosen = options_of(options)
        self._reading = TextReader(Origin(), chosen, Positions(), explains=False)
        self._evidence = Evidence(chosen)
        self._mask = Mask(chosen.choice) if chosen.choice.masks else None
        self._is_closed = False
        self._turn = [None]
        self._rest: list[Found] = []

    @alone
    def feed(self, text: str) -> list[Found]:
        """Take a piece of the text, of any length; return the results that are certain now.

        Raise `TypeError` if ``text`` is not `str`, and `ValueError` after `close`.
        """
        if self._is_closed:
            raise ValueError("the extractor is closed")
        if not isinstance(text, str):
            raise TypeError(f"text is {type(text).__name__}, not str: MessageExtractor reads bytes")
        if self._mask:
            text = self._mask.feed(text)
        return self._weighed(self._reading.feed(text))

    @alone
    def close(self) -> list[Found]:
        """End the text; return the results that waited for more of it. A second call returns []."""
        self._end()
        rest, self._rest = self._rest, []
        return rest

    def _end(self) -> None:
        """End the text, and keep the results that waited for more of it."""
        if self._is_closed:
            return
        self._is_closed = True
        rest = self._mask.close() if self._mask else ""
        self._rest = self._weighed(self._reading.feed(rest, is_whole=True), is_last=True)

    def _weighed(self, results: Iterator[Found | Rejection], *, is_last: bool = False) -> list[Found]:
        certain = [each for result in results for each in self._evidence.feed(result)]
        certain += self._evidence.close() if is_last else ()
        return cast("list[Found]", certain)

    def __enter__(self) -> Self:
        return self

    @alone
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()


class MessageExtractor:
    r"""Finds the URLs of one message of mail or news that is fed in pieces, as `extract_message` does.

    A message is read when it is complete, so `close` returns the results; `feed` returns []. Memory is
    bounded, however large the message is, apart from its results: what exceeds 1 MiB is kept in a
    temporary file without a name. The end of a ``with`` statement ends the message, too: the results are
    kept for `close`. Two threads cannot use one at once: the second call raises `RuntimeError`.

    The keyword arguments and errors are those of `extract_message`.

    >>> with MessageExtractor() as extractor:
    ...     for piece in (b"Subject: x\n\nsee http://a.ex", b"ample/\n"):
    ...         print(extractor.feed(piece))
    ...     print([found.url for found in extractor.close()])
    []
    []
    ['http://a.example/']
    """

    @takes_options
    def __init__(
        self, *, on_damage: Callable[[SourceError], None] | None = None, **options: Unpack[Options]
    ) -> None:
        self._options, self._on_damage = options_of(options), on_damage

        self._held = tempfile.SpooledTemporaryFile(max_size=LARGEST_HELD)  # noqa: SIM115 - closed in `close`
        self._length = 0
        self._turn = [None]
        self._rest: list[Found] = []

    @alone
    def feed(self, data: bytes | bytearray | memoryview) -> list[Found]:
        """Take a piece of the message, of any length; return [].

        Raise `TypeError` if ``data`` is not bytes, and `ValueError` after `close`.
        """
        if self._held.closed:
            raise ValueError("the extractor is closed")
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"data is {type(data).__name__}, not bytes: Extractor reads text")
        self._length += self._held.write(data)
        return []

    @alone
    def close(self) -> list[Found]:
        """End the message; return its results. A second call returns []."""
        self._end()
        rest, self._rest = self._rest, []
        return rest

    def _end(self) -> None:
        """End the message, and keep its results."""
        if self._held.closed:
            return
        with self._held as held:
            held.seek(0)
            data = held.read(LARGEST_HELD)
            rest = iter(lambda: held.read(BLOCK), b"") if self._length > LARGEST_HELD else None
            origin = Origin(message=1, offset=0, length=self._length)
            message = RawMessage(data=data, origin=origin, rest=rest)
            results = read_items([message], self._options, on_damage=self._on_damage)
            self._rest = list(cast("Iterator[Found]", weighed(results, self._options)))

    def __enter__(self) -> Self:
        return self

    @alone
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._end()
        self._held.close()


@takes_options
def aextract(pieces: AsyncIterable[str], **options: Unpack[Options]) -> AsyncGenerator[Found, None]:
    """Yield the URLs of a text that comes in pieces from an asynchronous iterable, as `extract` does.

    Each is yielded as soon as it is certain. The keyword arguments and errors are those of `extract`.

    >>> import asyncio
    >>> async def pieces():
    ...     yield "see http://a.ex"
    ...     yield "ample/ now"
    >>> async def main():
    ...     return [found.url async for found in aextract(pieces())]
    >>> asyncio.run(main())
    ['http://a.example/']
    """
    if not hasattr(pieces, "__aiter__"):
        raise TypeError(f"pieces is {type(pieces).__name__}, not an asynchronous iterable of str")
    return _extracted(pieces, Extractor(**options))


async def _extracted(pieces: AsyncIterable[str], extractor: Extractor) -> AsyncGenerator[Found, None]:
    async for piece in pieces:
        for found in extractor.feed(piece):
            yield found
    for found in extractor.close():
        yield found
