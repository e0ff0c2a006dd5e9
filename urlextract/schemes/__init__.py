"""Parse a URL into a value of its scheme's type, with its components.

Nothing here depends on where the URL was found. There is one module for each family of
schemes. ``SCHEMES`` in ``grammar.registry`` has an entry for each scheme, which names its
type. "The draft" in these modules is the Internet-Draft of the URI working group (version 03) that
came before RFC 1738.

This package imports nothing, so that a program that only searches text loads no types.
"""
