"""What is read in a text: marks, characters, hosts, schemes, escapes. All other packages ask here.

- ``codes``: codes that have words, and those of repairs, other readings and defects.
- ``patterns``: compiles patterns when they are first used.
- ``marks``: the marks around URLs and at both ends of lines.
- ``chars``: line ends, blanks, stray bytes, and the names of files.
- ``hosts``: what may come after ``//``.
- ``runs``: what follows the colon of a URL, up to the first character that has a rule.
- ``registry``: the schemes, and the shape of what follows their colon.
- ``defanged``: the marks with which people keep others from following a URL.
- ``edits``: a copy of a text in which escapes or such marks are undone, with the offsets of both.
- ``names``: reads the lists of names in ``data``; the extensions of file names.
- ``domains``: the top-level domains, and registered domains.
- ``confusables``: letters that look alike.
- ``cells``: the width of text on a terminal.
- ``escapes``: percent-encoding.
- ``bnf``: the character classes of the standards, and the faults of a text against them.
"""
