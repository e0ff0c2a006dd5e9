"""Join URLs that are broken over lines: RFC 1738, appendix, and the habits of mail programs.

Whether a bare URL goes on after a line is decided in ``scanner``, by its modules for lines.

- ``prefixes``: quote prefixes, and the patterns of what stands between the pieces of one URL.
- ``joining``: joins the pieces of a raw text; lists the readings with and without hyphens and blanks.
"""
