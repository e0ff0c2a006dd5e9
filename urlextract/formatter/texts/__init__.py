"""Rewrite whole texts: fill them to a width with URLs as units, or put other text in place of URLs.

- ``bodies``: finds the parts of a message or a mailbox, and how each may be rewritten.
- ``encoded``: changes the text of a part that is encoded for transfer.
- ``units``: cuts a part into units that are rewritten one by one, so that only one of them is held.
- ``lines``: the quote prefix, the indent and the list mark of a line.
- ``kept``: recognizes text that keeps its lines: code, tables, signatures, ...
- ``broken``: makes the broken URLs of a unit whole, and checks that all URLs and words are as before.
- ``replacing``: `replace_urls`, targets of rewritten links and defanged forms in place of URLs.
- ``mending``: `mend`: whole URLs, and others in their place.
- ``paragraphs``: decides which line ends were made on purpose.
- ``filling``: fills words into lines, and breaks a URL that is wider than one.
- ``rewrapping``: `rewrap`: whole URLs, and paragraphs filled.
"""
