"""Rewrite whole texts: fill them to a width with URLs as units, or put numbers in place of URLs.

``bodies`` finds the bodies of a message, ``quotes`` the quote prefix of a line, ``markup`` the
Markdown and HTML of a paragraph, and ``untouched`` what is left alone. ``mending`` joins broken
URLs, ``blocks`` cuts a text into paragraphs, ``filling`` fills them, and ``checking`` checks that
all URLs are unchanged. ``entries`` has the entries of reference lists, and ``reflowing`` makes
lines that flow. ``rewrapping`` and ``numbering`` have the public functions.
"""
