"""Text in pieces to candidates, in one pass at the speed of ``re``.

``stream`` holds the text that was fed, and `Scanner`. ``detect`` finds the places in it, and reads
the plain ones. ``places`` reads one place by the rules: ``brackets`` finds the wrapper around it,
``insides`` judges what the wrapper holds, ``bare`` reads running text, and ``onward`` the lines after
it, by the evidence in ``joints``. ``relaxed`` finds hosts without a scheme and mail addresses,
``lookalikes`` what is none. ``buffer`` is what they share, ``latin1`` applies them to bytes,
``attributes`` to a value of HTML.
"""

from urlextract.scanner.stream import Scanner

__all__ = ["Scanner"]
