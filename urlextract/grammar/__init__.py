"""Character classes, BNF rules, and the tables of schemes and top-level domains.

``chars`` defines line ends, blanks and the end of a URL, ``hosts`` what may come after
``//``, ``registry`` the schemes and the shape of each, ``backslashes`` the escapes in which
a URL may be written.
"""
