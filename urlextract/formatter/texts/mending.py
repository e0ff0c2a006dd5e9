"""Make the broken URLs of texts and messages whole, and put others in their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, AnyStr

from urlextract.arguments import check_choice, check_switches
from urlextract.formatter.texts.bodies import PAGE, Part, is_own_text
from urlextract.formatter.texts.broken import Reader, mended
from urlextract.formatter.texts.encoded import with_changed_text
from urlextract.formatter.texts.replacing import Fang, check_fangs, in_page, with_fangs, with_targets
from urlextract.formatter.texts.units import Unit, rewritten, rewritten_part
from urlextract.linebreaks.joining import Join
from urlextract.message.charsets import decode
from urlextract.message.content import kind_of
from urlextract.message.events import Body
from urlextract.message.transfer import undo_transfer
from urlextract.pipeline.entry import extract, extract_html
from urlextract.pipeline.options import held
from urlextract.schemes.gateways import own_gateways


def mend(
    text: AnyStr,
    join: Join = "safe",
    *,
    unwrap: bool = False,
    gateways: tuple[str, str] | Iterable[tuple[str, str]] = (),
    defang: bool = False,
    refang: bool = False,
) -> AnyStr:
    r"""Return a text with each broken URL whole on one line, and all else as it is.

    What follows the URL on its last line becomes a line of its own. ``join`` is as for `extract`. With
    ``unwrap``, links that gateways have rewritten are replaced by their targets; with ``defang`` or
    ``refang``, URLs, hosts and addresses are written so, or back.

    Of a message, lines are joined in plain text, but for flowed text, diffs, blocks between fences and of
    HTML; URLs are replaced also in HTML, attached texts and fields. What is signed stays.

    >>> print(mend("> They are at <URL:http://a.example/\n> north.html>, and\n> with Cilla."))
    > They are at <URL:http://a.example/north.html>,
    > and
    > with Cilla.
    >>> mend(b"\xfc <http://a.example/\nb>", defang=True)
    b'\xfc <hxxp://a[.]example/b>'
    """
    check_choice("join", join, Join)
    check_switches(unwrap=unwrap, defang=defang, refang=refang)
    if defang and refang:
        raise ValueError("defang: cannot be used with refang")
    given = held({"gateways": gateways})["gateways"]
    if own_gateways("gateways", given) and not unwrap:
        raise ValueError("gateways: they change nothing without unwrap")
    fang: Fang | None = "defang" if defang else "refang" if refang else None
    mender = Mender(join, gateways=given if unwrap else None, fang=fang)
    return rewritten(text, mender.mended)


class Mender:
    """Makes the URLs of a text whole, unit by unit, and puts others in their place.

    ``gateways`` are those of the user, None if no targets are put in. ``fang`` is what is done to all URLs.
    If it ``checks``, it raises `RewrapError` where the text would not read back. ``left`` are the URLs that
    were to be changed and could not be, ``unread`` the parts that may have some more.
    """

    def __init__(
        self,
        join: Join,
        *,
        gateways: tuple[str, str] | Iterable[tuple[str, str]] | None,
        fang: Fang | None,
        checks: bool = False,
    ) -> None:
        self._join, self._gateways, self._fang, self._checks = join, gateways, fang, checks
        self._reader = Reader(join)
        self.left = self.unread = 0

    def mended(self, unit: Unit) -> str:
        """Return the text of a unit, changed."""
        if unit.part is PAGE and not (self._fang or self._gateways is not None):
            return unit.text
        if unit.part.body:
            return self._of_body(unit.text, unit.part.body, is_sealed=unit.part.is_sealed)
        result = mended(unit.text, self._reader, unit.opened) if unit.part.is_fixed else unit.text
        if self._checks:
            self._reader.check(unit.text, result)
        if self._gateways is not None:
            result, left = with_targets(unit._replace(text=result), self._join, self._gateways)
            self.left += 0 if self._fang else left
        if self._fang:
            before = result
            result, left = with_fangs(unit._replace(text=before), self._fang, self._join)
            self.left += left
            if self._checks and unit.part.content:
                check_fangs(before, result, self._join)
        return result

    def _of_body(self, written: str, body: Body, *, is_sealed: bool) -> str:
        """Return a part that is changed as a whole; of one that is sealed, its URLs are counted."""
        reader = kind_of(body.content.kind).reader
        if reader not in ("text", "page"):
            self.unread += self._fang == "defang"
            return written
        is_page = reader == "page"

        def change(text: str) -> str:
            if is_page:
                if self._gateways is not None:
                    text, _ = in_page(text, None, self._gateways)
                if self._fang:
                    text, left = in_page(text, self._fang, ())
                    self.left += left
                return text
            # Only the lines of plain text of the message itself are joined.
            content = body.content if is_own_text(body) else body.content._replace(flowed=True)
            return rewritten_part(text, Part(content), self.mended)

        before = self.left
        result = (
            None if is_sealed else with_changed_text(written, body.encoding, body.content.charset, change)
        )
        if result is not None:
            return result
        self.left = before + _count(body, is_page=is_page, fang=self._fang, gateways=self._gateways)
        return written


def _count(body: Body, *, is_page: bool, fang: Fang | None, gateways: Any) -> int:
    """Return the number of URLs that are to be changed in a part that cannot be."""
    if fang is None and gateways is None:
        return 0
    data, _ = undo_transfer(body.data, body.encoding)
    text, _ = decode(data, body.content.charset)
    read = extract_html if is_page else extract
    results = read(text, refang=fang == "refang", gateways=gateways or ())
    count = sum(bool(fang or found.wrapped_by) for found in results)
    return max(count, body.rest is not None)  # of a long one, only the beginning is read
