"""Join URLs that are broken over lines: RFC 1738, appendix, and the habits of mail programs.

``prefixes`` recognises quote prefixes and the page breaks of RFCs. ``joining`` splits a raw text into
pieces and joins them; it lists the readings with and without hyphens and blanks at a break, too.
Whether a bare URL goes on after a line is decided in ``scanner``, by ``continuation`` and ``line_breaks``.
"""
