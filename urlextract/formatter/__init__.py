"""URLs and whole texts for print, which the rest of the package reads back.

``printable`` says what of a URL can be printed and proves that it reads back, ``opportunities`` where
it may be broken, ``layout`` where its lines end, ``targets`` how each language writes it; ``printing``
puts these together.
"""
