"""The inverse of all other stages: URLs and whole texts for print, which the path reads back.

``printable`` says what of a URL can be printed, ``layout`` where its lines end,
``targets`` how each language writes it, ``printing`` puts these together.
"""
