"""Join URLs that are broken over lines: RFC 1738, appendix, and the habits of mail programs.

Whether a bare URL goes on after a line is decided in ``scanner``, by its modules for lines.

- ``prefixes``: quote prefixes, and the page breaks of RFCs, between the lines of one URL.
- ``joining``: joins the pieces of a raw text; lists the readings with and without hyphens and blanks.
"""
