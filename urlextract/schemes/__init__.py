"""Stage scheme: the text of a URL becomes a value of its parts.

One line of text in, `Url` or `UrlSyntaxError` out; nothing here knows where the
text was found.
"""

from urlextract.schemes.generic import Url, parse_url

__all__ = ["Url", "parse_url"]
