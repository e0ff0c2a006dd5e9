"""Stage rejoin: what stood in a wrapper, broken over lines, made one line again.

RFC 1738, appendix, and what mail does beyond it. ``prefixes`` knows what a
reply puts before a line, ``pages`` what a page break of an RFC leaves in the
middle of one, ``joining`` takes a raw text apart and ``readings`` weighs what a
hyphen or a blank at a break may have meant. ``opportunities`` are the places where a
formatter may break one,
"""

from urlextract.linebreaks.joining import rejoin

__all__ = ["rejoin"]
