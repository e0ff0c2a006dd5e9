"""Print URLs and whole texts so that the rest of the package reads them back.

- ``printable``: the characters that can be printed, and the check that a URL is read back.
- ``opportunities``: where a URL may be broken, and what each place costs.
- ``layout``: chooses among these places: where the lines of a URL end.
- ``targets``: how each language (mail, LaTeX, HTML, ...) writes a URL.
- ``printing``: puts these together: `format_url`.
- ``texts``: rewrites whole texts.
"""
