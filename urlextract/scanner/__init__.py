"""Stage scanner: text in chunks to candidates, in one pass at the speed of ``re``.

``stream`` holds the text fed and `Scanner`; ``detect`` finds the places in it, and reads the
plain ones; ``places`` reads one place by the rules: those of ``brackets`` for what encloses it,
those of ``bare`` for running text, and ``runs_on`` at the end of a line. ``buffer`` is what
they share, ``latin1`` applies them to bytes, ``attributes`` to a value of HTML.
"""

from urlextract.scanner.stream import Scanner

__all__ = ["Scanner"]
