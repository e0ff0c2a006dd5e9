"""Whether what is printed is read back: asked of the reader itself."""

from __future__ import annotations

from urlextract.errors import FormatError
from urlextract.linebreaks import rejoin
from urlextract.message.flowed import unflow
from urlextract.scanner import Scanner

__all__ = ["LONGEST", "check_layout", "check_printed", "check_reading"]

LONGEST = 65_000
"""Characters of a URL that a reader takes."""

_READ_AS = {
    "mail": b"Content-Type: text/plain; charset=utf-8\n\n",
    "flowed": b"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n",
    "html": b"Content-Type: text/html; charset=utf-8\n\n",
}
"""The targets that the reader itself reads, as parts of a message; "plain" and "rst" read as "mail"."""


def check_reading(url: str, opening: str) -> None:
    """Raise `FormatError` if a reader would not give ``url`` back from its unbroken form.

    ``opening`` is the bracket that it stands in, "" for none.
    """
    if len(url) > LONGEST:
        raise FormatError(f"longer than {LONGEST:,} characters", url, (LONGEST, len(url)))
    text = f"{opening}{url}{'>' if opening else ''}"
    found = _read(text, len(url) + 1)
    if found == [url]:
        return
    if opening:
        raise FormatError(_reason(text), url, (0, len(url)))
    end = next((len(one) for one in found if url.startswith(one)), 0)
    if not end:
        raise FormatError("without a wrapper, a reader finds no URL", url, (0, len(url)))
    raise FormatError(f'without a wrapper, a reader ends the URL before "{url[end]}"', url, (end, end + 1))


def check_layout(printed: str, url: str, opening: str, *, is_flowed: bool) -> None:
    """Raise `FormatError` if the lines ``printed``, prefixes and all, do not read back as ``url``.

    A prefix may be none that a reader knows, or the lines more than it joins without an indent.
    """
    text = unflow(printed, delsp=True) if is_flowed else printed
    if _read(text, 1_000) != [url]:
        check_reading(url, opening)  # which may know a reason that has to do with no line
        raise FormatError("not read back from lines with such a prefix or indent", url, (0, len(url)))


def _read(text: str, max_chars: int) -> list[str]:
    scanner = Scanner(max_chars=max_chars)
    return [rejoin(candidate).url for candidate in (*scanner.feed(text), *scanner.close())]


def check_printed(printed: str, url: str, target: str) -> None:
    """Raise `FormatError` if ``printed`` does not read back as ``url`` alone.

    Raises `ValueError` for a target that only a program of its own can read.
    """
    from urlextract.pipeline.entry import extract_message  # noqa: PLC0415 - only who asks pays

    head = _READ_AS.get({"plain": "mail", "rst": "mail"}.get(target, target))
    if head is None:
        raise ValueError(f"check: what is printed for {target} is read by a program of its own")
    data = head + printed.encode("utf-8", "surrogateescape") + b"\n"
    found = dict.fromkeys(result.url for result in extract_message(data))
    if list(found) != [url]:
        raise FormatError("what is printed is not read back", url, (0, len(url)))


def _reason(text: str) -> str:
    """Say why the reader turns ``text`` down."""
    from urlextract.pipeline.entry import examine  # noqa: PLC0415 - for errors only

    reasons = [getattr(result, "reason", "") for result in examine(text)]
    return f"not read back: {next(filter(None, reasons), 'it reads as another URL')}"
