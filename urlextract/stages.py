r"""The stages of the way from text to URL, each by itself: places in a text, and their URLs on one line.

>>> from urlextract.stages import Scanner, rejoin
>>> (match,) = Scanner().feed("see <URL:http://a.ex\nample/> and")
>>> rejoin(match).url
'http://a.example/'
"""

from __future__ import annotations

from urlextract.linebreaks.joining import rejoin
from urlextract.records import Candidate, Rejoined
from urlextract.scanner.stream import Scanner

__all__ = [
    "Candidate",
    "Rejoined",
    "Scanner",
    "rejoin",
]
