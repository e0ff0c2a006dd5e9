"""Read one raw message into decoded segments of text.

``events`` reads the structure: heads, bodies, the texts between them. What is odd in fields that say how to
read a body is read by the stdlib, in ``odd_values``; very large messages are cut down first by ``large``.
``segments`` makes segments of the events. ``parts`` reads one part, with ``content``, ``transfer``,
``charsets``, ``running_text``, ``pgp`` and, for HTML, ``html_page``; ``heads``, ``fields``, ``context`` read
the head. Nothing here raises an exception because of its input.
"""
