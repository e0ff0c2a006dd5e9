"""One pass over what has come in: what it holds, in the order of the text."""

from __future__ import annotations

from urlextract.scanner.bare import LONGEST_HOST
from urlextract.scanner.hits import Looks, Pass
from urlextract.scanner.lanes import (
    AFTER_BARE,
    COLON,
    COLON_LANES,
    DOT,
    DOT_LANES,
    EVERY_COLON,
    EVERY_COLON_LANES,
    OPEN_END,
    Lane,
)
from urlextract.scanner.onward import ENDS_WITH_LINE
from urlextract.scanner.settling import Settler, short_url

__all__ = ["read_pass"]

# Members are looked up once: of an enum that costs as much as the rest of a hit.
_FREE, _ANGLE, _WRAPPER, _PLACE = Lane.FREE, Lane.ANGLE, Lane.WRAPPER, Lane.PLACE
_NEVER = 1 << 62
_LINE_ENDS = "\r\n"
_FAR = 256  # characters of a place that are not passed over match by match: each may read to its end


class _Dots:
    """The hosts that begin with www or ftp, each read when the colons before it are."""

    __slots__ = ("_dot", "_dots", "_has_lanes", "_settler", "_text")

    def __init__(self, settler: Settler, *, lanes: bool) -> None:
        self._settler, self._text, self._has_lanes = settler, settler.text, lanes

    def start(self, at: int) -> int:
        """Begin to look for dots at ``at``; give where the first one's host would begin."""
        self._dots = DOT.finditer(self._text, at)
        self._dot = next(self._dots, None)
        return self._dot.start() - 3 if self._dot else _NEVER

    def place(self) -> int:
        """Give the place of the dot that waits for more text."""
        return self._dot.start() if self._dot else len(self._text)

    def read(self, before: int) -> int:
        """Read the hosts that begin before ``before``; give the next one's place, -1 for more text."""
        text, settler = self._text, self._settler
        while self._dot:
            dot, end = self._dot.span()
            start = dot - 3
            if start >= before:
                return start
            lane = DOT_LANES[self._dot.lastindex or 0] if self._has_lanes else _PLACE
            if start < settler.last:
                if end - 1 > settler.last or settler.last - dot > _FAR:
                    self.start(max(dot + 1, settler.last))
                    continue
            elif (
                settler.alone
                and lane is _FREE
                and end - start < LONGEST_HOST
                and not (settler.looks_on and text[end - 1] in _LINE_ENDS)
            ):
                settler.last = end - 1
                settler.urls.append(short_url(text[start : settler.last].rstrip(AFTER_BARE)))
            elif lane is _PLACE or not settler.takes_host(lane, start, end):
                if not settler.look(settler.looks.dot, dot):
                    return -1
                self.start(max(dot + 1, settler.last))
                continue
            self._dot = next(self._dots, None)
        return _NEVER


def read_pass(  # noqa: C901, PLR0912 - the one hot loop
    text: str, start: int, last: int, looks: Looks, *, is_whole: bool, lanes: bool = True
) -> Pass:
    """Read ``text`` from ``start`` on; ``last`` is the end of the last place taken.

    ``is_whole`` says that no more text follows; ``lanes`` is false to have every
    place read by the rules alone. Where URLs alone are wanted, the lanes that most of
    them take are read here: a call for each would double its time.
    """
    lanes = lanes and not looks.limits.any_name  # they know the schemes that count without "//"
    settler = Settler(text, last, looks, is_whole=is_whole)
    dots = _Dots(settler, lanes=lanes)
    settles, take_url, after = settler.settles, settler.urls.append, AFTER_BARE
    pattern, table = (COLON, COLON_LANES) if lanes else (EVERY_COLON, EVERY_COLON_LANES)
    free, angle, wrapper = (_FREE, _ANGLE, _WRAPPER) if settler.alone else (None, None, None)
    looks_on, ends_with_line = settler.looks_on, ENDS_WITH_LINE.match
    dot_at = dots.start(start)
    goes_on = True
    while goes_on:
        goes_on = False
        for match in pattern.finditer(text, start):
            lane, back = table[match.lastindex]
            colon, end = match.span()
            if dot_at < colon:
                settler.last = last
                dot_at = dots.read(colon)
                last = settler.last
                if dot_at < 0:
                    return settler.result(dots.place())
            if colon < last:
                if end <= last and last - colon < _FAR:
                    continue
                start, goes_on = last, True  # a match may not hide what stands behind ``last``
                break
            if lane is free and not (
                looks_on and text[end - 1] in _LINE_ENDS and not ends_with_line(text, end - 1)
            ):
                last = end - 1
                take_url(text[colon - back : last].rstrip(after))
            elif lane is angle:
                last = end
                take_url(text[colon - back : end - 1])
            elif lane is wrapper:
                last = end
                take_url(text[colon + 1 : end - 1].lstrip())
            else:
                settler.last = last
                is_settled = settles(lane, back, colon, end)
                if not (is_settled or settler.look(looks.colon, colon)):
                    return settler.result(colon)
                last = settler.last
                if not is_settled and (start := max(colon + 1, last)) != end:
                    goes_on = True
                    break
    settler.last = last
    if dot_at < _NEVER and dots.read(_NEVER) < 0:
        return settler.result(dots.place())
    open_end = OPEN_END.search(text, max(0, len(text) - 82)) if lanes and not is_whole else None
    return settler.result(open_end.start() if open_end else len(text))
