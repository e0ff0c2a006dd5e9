"""The end of a bare URL: what of it is the sentence's, or the markup's that stands round it."""

from __future__ import annotations

from urlextract.grammar.chars import TRIMMED, without_end_marks
from urlextract.grammar.patterns import later

__all__ = ["trimmed"]

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
    low = max(0, start - _LONGEST_LINE)
    if "|" in run and not run.startswith("///"):  # "file:///C|/x"
        is_parted = before in ("[", "<", "{", "=") or "|" in _line_before(text, low, start)
        run = run.partition("|")[0] if is_parted else run
    elif before == "'":
        run = _APOSTROPHE.split(run, maxsplit=1)[0]
    marks = TRIMMED + before if before and before in "*_~+" else TRIMMED
    run = without_end_marks(run, marks)
    if run.endswith(_SMILE):
        run = without_end_marks(run[:-2], marks)
    if run.endswith("/'s"):
        return run[:-2]
    if "*" not in run[-2:]:
        return run
    line = _line_before(text, low, start)
    if run.endswith("*/") and ("/*" in line or line.lstrip().startswith("*")):
        return without_end_marks(run[:-2], marks + "*")
    return without_end_marks(run, marks + "*") if _opens_emphasis(line) else run


def _line_before(text: str, low: int, start: int) -> str:
    """Give what stands before ``start`` on its line, from ``low`` on."""
    return text[max(text.rfind("\n", low, start) + 1, low) : start]


def _opens_emphasis(line: str) -> bool:
    """Say whether words of ``line`` begin with a star that none has closed."""
    stars = [star.lastgroup for star in _STAR.finditer(line)]
    return stars[-1:] == ["opens"]
