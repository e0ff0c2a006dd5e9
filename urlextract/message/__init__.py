"""Read one raw message into decoded segments of text.

``walk`` goes over plain mail, which is most of it, straight through its bytes; what is odd in any way
goes through the stdlib's parser in ``mime``, and very large messages are cut down first by ``large``.
``segments`` makes segments of the parts that either finds. ``parts`` reads one part, with ``content``,
``transfer``, ``charsets``, ``running_text``, ``pgp`` and, for HTML, ``html_page``; ``heads``, ``fields`` and
``context`` read the head.
Nothing here raises an exception because of its input.
"""
