"""What holds of every text that is rewritten."""

from __future__ import annotations

from urlextract.formatter.texts.broken import Reader


def check_text(before, after):
    """Raise `RewrapError` if a text has other URLs or words once it is rewritten."""
    Reader("safe").check(before, after)
