"""Read one raw message into decoded segments of text.

``reading`` makes segments of the events that ``events`` yields: heads, bodies, the texts between them,
found in a ``window`` of the message. ``heads`` reads a head, ``content`` what it says of the body and how
that is read, ``fields`` and ``context`` the fields that may hold URLs and those that tell where the message
comes from. A body is read with ``transfer``, ``charsets``, ``running_text``, ``enclosed``, ``quoting`` and,
for HTML, ``html_page`` (on ``html_tokens`` and ``entities``). Nothing here raises an exception because of
its input.
"""
