"""Run the stages in their order: from a source, a message or a text to `Found` and `Rejection` records.

``entry`` has the public functions, ``options`` their options. ``texts`` decodes streams. ``reading``
scans a text, ``assembly`` makes its records with line, column and byte. ``pages``, ``page_records`` and
``page_source`` do the same for HTML; ``links`` compares the text of a link with its target. ``items``,
``dates`` and ``choice`` leave out what the options do not ask for. ``elsewhere`` and ``evidence`` look
for the same URL in the rest of the text. ``plain`` reads URLs only, without records.
"""
