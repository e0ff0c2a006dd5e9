"""What is read in a text: marks, characters, hosts, schemes, escapes. All other packages ask here.

- ``codes``: codes that have words, and those of repairs, other readings and defects.
- ``rules``: the rules that take or reject a place.
- ``patterns``: compiles patterns when they are first used.
- ``marks``: the marks around URLs and at both ends of lines.
- ``chars``: line ends, blanks, and the characters at which a URL ends.
- ``hosts``: what may come after ``//``.
- ``registry``: the schemes, and the shape of what follows their colon.
- ``backslashes``: escapes inside URLs: of JSON, of markup, of quoted-printable.
- ``defanged``: the marks with which people keep others from following a URL.
- ``edits``: a copy of a text in which escapes or such marks are undone, with the offsets of both.
- ``names``: reads the lists of names in ``data``.
- ``tlds``: the top-level domains.
- ``domains``: registered domains, by the Public Suffix List.
- ``extensions``: the extensions of file names.
- ``confusables``: letters that look alike.
- ``cells``: the width of text on a terminal.
- ``escapes``: percent-encoding.
- ``bnf``: the character classes of the standards, and the faults of a text against them.
"""
