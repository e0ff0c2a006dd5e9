"""Stage scheme: the text of a URL becomes a value of its parts.

One line of text in, a value of its scheme's type or `UrlSyntaxError` out; nothing here
knows where the text was found. One module a family of schemes; ``SCHEMES`` in
``grammar.registry`` has a row for each, which names its type.
"""

from urlextract.grammar.registry import SCHEMES
from urlextract.schemes.parsing import parse_url
from urlextract.schemes.references import resolve
from urlextract.schemes.remarks import Caution, Violation
from urlextract.schemes.sameness import same_resource
from urlextract.schemes.value import Url

__all__ = ["SCHEMES", "Caution", "Url", "Violation", "parse_url", "resolve", "same_resource"]
