"""Character classes, BNF rules and the table of schemes: the one home of each.

``chars`` holds what a line, a blank and the end of a URL are, ``hosts`` what may
stand after ``//``, ``registry`` the schemes and the shape of each, ``backslashes`` the
escapes in which a URL may be written.
"""
