"""Whole texts for print: filled to a width with URLs as units, or with numbers in their place.

``parts`` knows the bodies of a message, ``quotes`` what stands before a line's own text,
``untouched`` what is left alone; ``mending`` makes one line of broken URLs, ``blocks``
and ``cutting`` cut a text into paragraphs and what is kept, ``filling`` fills them, and
``checking`` asks the reader whether all is as it was. ``rewrapping`` and ``references``
are the two ends, ``reflowing`` the one for parts that flow.
"""
