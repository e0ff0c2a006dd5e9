"""Rewrite whole texts: fill them to a width with URLs as units, or put other text in place of URLs.

- ``bodies``: finds the parts of a message or a mailbox, and how each may be rewritten.
- ``encoded``: changes the text of a part that is encoded for transfer.
- ``quotes``: the quote prefix, the indent and the list mark of a line.
- ``untouched``: recognizes text that is never changed: code, tables, signatures, ...
- ``paragraphs``: decides which line ends were made on purpose.
- ``mending``: joins broken URLs, so that each is one word.
- ``blocks``: cuts a text into paragraphs that are filled, and lines that are kept.
- ``units``: cuts a text into units that are rewritten one by one, so that only one of them is held.
- ``breaking``: breaks a URL that is wider than a line.
- ``filling``: fills words into lines.
- ``checking``: checks that URLs and words are unchanged.
- ``rewrapping``: `rewrap`.
- ``repairing``: `mend`.
- ``replacing``: `replace_urls`, targets of rewritten links and defanged forms in place of URLs.
"""
