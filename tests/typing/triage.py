"""A program of a user: what deceives in a message."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from urlextract import (
    Extractor,
    Found,
    Link,
    MessageExtractor,
    PartText,
    Rejection,
    Url,
    examine_message,
    extract,
    extract_html,
    extract_message,
    parse_url,
    read_texts,
)
from urlextract.types import Defect, Repair
from urlextract.urls import FtpUrl, HttpUrl


def reasons(found: Found) -> Iterator[str]:
    link: Link | None = found.link
    if link is not None and link.differs in ("domain", "lookalike"):
        yield f"{link.shown} is not {found.host}"
    defects: tuple[Defect, ...] = found.defects
    repairs: tuple[Repair, ...] = found.repairs
    yield from (f"{defect.code}: {defect}" for defect in defects)
    yield from (f"{repair.code}: {repair}" for repair in repairs)
    url: Url | None = found.parse()
    if isinstance(url, HttpUrl):
        yield from (warning.message for warning in url.warnings)


def when(found: Found) -> datetime | None:
    return found.origin.date_time


def highlighted(data: bytes) -> Iterator[str]:
    part: PartText
    for part in read_texts(data, quoted="skip", parts=["text", "html"]):
        for found in part.found:
            yield part.text[found.start : found.end] + str(part.media_type) + part.view


def refused(data: bytes) -> list[str]:
    results: Iterator[Found | Rejection] = examine_message(data, emails=True)
    return [result.reason for result in results if isinstance(result, Rejection)]


def all_urls(text: str, data: bytes) -> set[str]:
    urls = {found.url for found in extract([text, text], hyphen="both")}
    urls |= {found.url for found in extract(text, relaxed=True, context=True)}
    urls |= {found.url for found in extract_message(bytearray(data), charset="koi8-r")}
    urls |= {found.url for found in extract_html(data, base="http://a.example/")}
    with Extractor(join="none") as extractor, MessageExtractor(links=True) as messages:
        urls |= {found.url for found in [*extractor.feed(text), *extractor.close()]}
        urls |= {found.url for found in [*messages.feed(memoryview(data)), *messages.close()]}
    return urls | {str(parse_url("http://a.example/"))}


def mistakes(data: bytes) -> None:
    """Each of these is an error for a type checker: an ignored error that does not occur is one, too."""
    extract("x", hypen="drop")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    extract("x", hyphen="no")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    extract("x", forms=1)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    extract_message("x")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    extract(data)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    HttpUrl("http://a.example/")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    url = parse_url("http://a.example/")
    url.replace(port="80")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    if isinstance(url, FtpUrl):
        url.replace(name="b", host="c.example", typecode=None)
