"""Stage scheme: the text of a URL becomes a value of its parts.

One line of text in, a value of its scheme's type or `UrlSyntaxError` out; nothing here
knows where the text was found. One module a family of schemes; ``SCHEMES`` in
``grammar.registry`` has a row for each, which names its type.

Who searches text and asks for no parts loads none of it: so nothing is imported here.
"""
