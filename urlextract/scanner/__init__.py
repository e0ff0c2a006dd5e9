"""Stage scanner: text in chunks to candidates, in one pass at the speed of ``re``.

``stream`` holds the text fed and `Scanner`; ``detect`` finds the places in it, and reads the
plain ones; ``relaxed`` finds hosts and addresses too, which ``schemeless`` and ``addresses`` read.
``places`` reads one place by the rules: ``brackets`` finds the wrapper round it, ``insides``
judges what the wrapper holds, ``bare`` reads running text, and ``onward`` the lines after it, by
the evidence in ``joints``. ``buffer`` is what they share, ``latin1`` applies them to bytes,
``attributes`` to a value of HTML.
"""

from urlextract.scanner.stream import Scanner

__all__ = ["Scanner"]
