"""The end of a bare URL: what of it is the sentence's, or the markup's that stands round it."""

from __future__ import annotations

from urlextract.grammar.chars import TRIMMED, without_end_marks
from urlextract.grammar.patterns import later

__all__ = ["closed_end", "trimmed"]

_APOSTROPHE = later(r"'(?!\w)")
# Stars at the edges of words
_STAR = later(r"(?<![\w*/])(?P<opens>\*{1,3})(?=[^\s*])|(?<=[^\s*])(?P<closes>\*{1,3})(?!\w)")
_SMILE = (":-", ";-")
_LONGEST_LINE = 300  # characters before a URL in which its line is looked at


def trimmed(run: str, text: str, start: int) -> str:
    """Take from the end of ``run`` the punctuation of the sentence; ``start`` is the URL's in ``text``.

    A mark of emphasis, or of verbatim text, counts where one stands right before the URL, and
    a star where words before it on the line begin with one; a bracket or a "=" there, and a
    bar anywhere before it on the line, say that the next bar is none of the URL, an apostrophe
    that the next one closes it which stands before no letter. What is left of a smile is none
    of it either.
    """
    before = text[start - 1 : start]
    run = run[: closed_end(run, text, start)]
    marks = TRIMMED + before if before and before in "*_~+" else TRIMMED
    run = without_end_marks(run, marks)
    if run.endswith(_SMILE):
        run = without_end_marks(run[:-2], marks)
    if run.endswith("/'s"):
        return run[:-2]
    if "*" not in run[-2:]:
        return run
    line = _line_before(text, start)
    if run.endswith("*/") and ("/*" in line or line.lstrip().startswith("*")):
        return without_end_marks(run[:-2], marks + "*")
    return without_end_marks(run, marks + "*") if _opens_emphasis(line) else run


def closed_end(run: str, text: str, start: int) -> int:
    """Return where a bar or an apostrophe closes ``run``, or its length; ``start`` is the URL's in ``text``.

    See `trimmed`.
    """
    before, end = text[start - 1 : start], len(run)
    bar = run.find("|")
    if bar >= 0 and not run.startswith("///"):  # "file:///C|/x"
        is_parted = before in ("[", "<", "{", "=") or "|" in _line_before(text, start)
        end = bar if is_parted else end
    quote = _APOSTROPHE.search(run) if before == "'" else None
    return min(end, quote.start()) if quote else end


def _line_before(text: str, start: int) -> str:
    """Return what comes before ``start`` on its line, as far as it is looked at."""
    low = max(0, start - _LONGEST_LINE)
    return text[max(text.rfind("\n", low, start) + 1, low) : start]


def _opens_emphasis(line: str) -> bool:
    """Say whether words of ``line`` begin with a star that none has closed."""
    stars = [star.lastgroup for star in _STAR.finditer(line)]
    return stars[-1:] == ["opens"]
