"""Whole texts for print: filled to a width with URLs as units, or with numbers in their place.

``quotes`` knows what stands before a line's own text, ``untouched`` what is left alone,
``blocks`` cuts a text into that and paragraphs, ``mending`` makes one line of broken
URLs, ``filling`` fills paragraphs, ``rewrapping`` and ``references`` are the two ends.
"""
