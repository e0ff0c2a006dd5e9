"""Rewrite whole texts: fill them to a width with URLs as units, or put numbers in place of URLs.

- ``bodies``: finds the bodies of plain text in a message or a mailbox.
- ``quotes``: the quote prefix, the indent and the list mark of a line.
- ``untouched``: recognizes text that is never changed: code, tables, signatures, ...
- ``paragraphs``: decides which line ends were made on purpose.
- ``blocks``: cuts a text into paragraphs that are filled, and lines that are kept.
- ``markup``: finds Markdown and HTML in a paragraph.
- ``units``: cuts a text into units that are rewritten one by one, so that only one of them is held.
- ``mending``: joins broken URLs, so that each is one word.
- ``filling``: fills words into lines.
- ``reflowing``: makes lines that flow (RFC 3676), and breaks URLs in filled lines.
- ``checking``: checks that URLs and words are unchanged.
- ``entries``: the entries of reference lists.
- ``rewrapping``: `rewrap`.
- ``repairing``: `mend`.
- ``replacing``: `replace_urls`, targets of rewritten links and defanged forms in place of URLs.
- ``numbering``: `to_refs` and `from_refs`.
"""
