"""Whole texts for print: filled to a width with URLs as units, or with numbers in their place.

``bodies`` finds those of a message, ``quotes`` the quote prefix of a line, ``untouched`` what is
left alone. ``mending`` makes one line of a broken URL, ``blocks`` cuts a text into paragraphs,
``filling`` fills them, and ``checking`` proves that all URLs are as they were. ``rewrapping``,
``numbering`` and ``entries`` are what callers ask for, ``reflowing`` is for parts that flow.
"""
