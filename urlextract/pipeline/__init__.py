"""The stages in their order: a source, a message or a text in, `Found` and `Rejection` out.

``entry`` has the public functions, ``options`` what they may be asked for, ``texts`` decodes streams.
``reading`` takes a text through the scanner, ``assembly`` makes its records with line, column and byte;
``pages``, ``page_records`` and ``page_source`` do so for HTML, ``links`` compares what a link shows with
its target. ``items``, ``dates`` and ``choice`` leave out what is not asked for, ``elsewhere`` and
``evidence`` look for the same URL in the rest of the text. ``plain`` gives URLs alone.
"""
