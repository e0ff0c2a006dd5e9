"""What a wrapper held, broken over lines, made one line again: RFC 1738, appendix, and what mail does.

``prefixes`` knows quote prefixes and the page breaks of RFCs, ``joining`` takes a raw text apart, and
``readings`` weighs what a hyphen or a blank at a break may have meant.
"""

from urlextract.linebreaks.joining import rejoin

__all__ = ["rejoin"]
