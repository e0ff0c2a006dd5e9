"""Print URLs and whole texts so that the rest of the package reads them back.

``printable`` has the characters that can be printed, and checks that a URL is read back.
``opportunities`` finds where it may be broken, and ``layout`` where its lines end. ``targets`` knows
how each language writes it. ``printing`` puts these together. ``texts`` rewrites whole texts.
"""
