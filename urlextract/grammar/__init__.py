"""Marks, character classes, BNF rules, and the tables of schemes and top-level domains.

``marks`` has the marks around URLs and at both ends of lines. ``chars`` defines line ends, blanks and the
end of a URL, ``hosts`` what may come after ``//``, ``registry`` the schemes and the shape of each,
``backslashes`` the escapes in which a URL may be written, ``defanged`` the marks that keep programs from
following one, ``edits`` copies in which either is decoded. ``tlds`` and ``domains`` know the names of hosts,
``extensions`` those of files, ``confusables`` and ``cells`` how letters look, ``bnf`` the grammars of the
standards. ``patterns`` compiles patterns when they are first used.
"""
