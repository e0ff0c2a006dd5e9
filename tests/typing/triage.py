"""A program of a user: what deceives in a message."""

from __future__ import annotations

import email.message
import html
from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage

from urlextract import (
    Extractor,
    Found,
    MessageExtractor,
    PartText,
    Rejection,
    Url,
    defang,
    examine,
    extract,
    extract_html,
    extract_message,
    mend,
    parse_url,
    read_texts,
    replace_urls,
    unwrap,
)
from urlextract.types import Defect, Repair, TextOptions
from urlextract.urls import FtpUrl, HttpUrl


def reasons(found: Found) -> Iterator[str]:
    if found.differs in ("domain", "lookalike"):
        yield f"{found.shown} is not {found.host}"
    defects: tuple[Defect, ...] = found.defects
    repairs: tuple[Repair, ...] = found.repairs
    yield from (f"{defect.code}: {defect}" for defect in defects)
    yield from (f"{repair.code}: {repair}" for repair in repairs)
    url: Url | None = found.parse()
    if isinstance(url, HttpUrl):
        yield from (warning.message for warning in url.warnings)


def when(found: Found) -> datetime | None:
    return datetime.fromisoformat(found.date) if found.date else None


def highlighted(data: bytes) -> Iterator[str]:
    part: PartText
    for part in read_texts(data, quoted="skip", parts=["text", "html"]):
        for found in part.found:
            yield part.text[found.start : found.end] + str(part.media_type) + part.view


def refused(data: bytes) -> list[str]:
    results: Iterator[Found | Rejection] = examine(message=data, emails=True)
    return [result.reason for result in results if isinstance(result, Rejection)]


ONE: TextOptions = {"schemes": "http", "hosts": ".a.example", "gateways": ("links.corp.example/r", "u")}


def alone(mail: EmailMessage, old: email.message.Message, data: bytes) -> Iterator[Found]:
    """One value, or one pair, needs no list; a message of the standard library is one, too."""
    yield from extract_message(mail, parts="text", forms="bare", gateways=("links.corp.example/r", "u"))
    yield from extract_message(old, parts=("text", "html"), gateways=[("a.example", "u"), ("b.example", "v")])
    yield from extract("x", **ONE)
    yield from MessageExtractor(parts="headers", source="x")(mail)
    pages = Extractor(html=True, base="http://a.example/", links=True)
    yield from [*pages("<a href=x>"), *pages(data, base="http://b.example/"), *pages.feed(data)]
    for part in read_texts(old):
        yield from part.found


def page(text: str) -> str:
    link = unwrap(text, ("links.corp.example/r", "u"))
    whole: bytes = mend(b"x", unwrap=True, gateways=("links.corp.example/r", "u"))
    return replace_urls(text, defang, escape=html.escape) + str(link) + str(whole)


def explained(text: str, data: bytes, mail: EmailMessage) -> Iterator[Found | Rejection]:
    yield from examine(text, relaxed=True)
    yield from examine(html=data, base="http://a.example/")
    yield from examine(message=mail, source="UID 7", parts="text")
    yield from examine(source="/dev/null", format="mbox", since="7d")


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
    extract_message(data, parts="texts")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    extract("x", base="http://a.example/")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    examine(data)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    extract(data)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    HttpUrl("http://a.example/")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    url = parse_url("http://a.example/")
    url.replace(port="80")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    if isinstance(url, FtpUrl):
        url.replace(name="b", host="c.example", typecode=None)
