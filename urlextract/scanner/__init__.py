"""Find candidates in text that comes in pieces, in one pass at the speed of ``re``.

``stream`` holds the text that was fed, and `Scanner`. ``detect`` finds the places in it, and reads
the plain ones. ``places`` reads one place by the rules: ``brackets`` finds the wrapper around it,
``insides`` checks the inside of the wrapper, ``bare`` reads running text, and ``onward`` the lines
after it, by the evidence in ``joints``. ``quoted_printable`` recognises undecoded escapes.
``relaxed`` finds hosts without a scheme and mail addresses, ``lookalikes`` names that are no hosts.
``defanged`` scans a copy of the text in which defanged URLs are what they stand for.
``buffer`` is what they share. ``attributes`` applies them to HTML attributes.
"""
