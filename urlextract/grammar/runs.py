"""The grammar of URLs in running text: what follows a colon, up to the first character that has a rule.

A class of characters stops at each character that has a rule; what it stops at says which rule is asked
(`scanner.bare.end_of_run`). So a URL to which no rule applies, as most are, is one match, and nothing has to
be known twice. Balanced brackets are part of the run: an opener that the token does not close ends the URL,
and so does a closer that nothing opened, without any code.
"""

from __future__ import annotations

import re

from urlextract.grammar.hosts import AUTHORITY, END_OF_HOST, HOST
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES

PLAIN = r"A-Za-z0-9_~/#@$%+=.!?,;^\-"
"""Characters of a path, a query or a fragment to which no rule applies, as the inside of a class."""

# A colon but that of another URL, "&" but that of a character reference
_COLON_OR_AND = r":(?!//|(?<=mailto:))|&(?!\#?\w{1,8};)"


def _balanced(opener: str, closer: str) -> str:
    """Return the pattern of brackets and what they hold.

    Other brackets, letters of any script, quotes and bars stand in them as any character.
    """
    own = re.escape(opener + closer)
    inside = rf"(?>(?:[^\s\x00-\x1f\x7f\u200b\ufeff<>\"`\\:&{own}]++|{_COLON_OR_AND})*)"
    opener, closer = re.escape(opener), re.escape(closer)
    return rf"{opener}{inside}(?>(?:{opener}{inside}{closer}{inside})*){closer}"


# "[/" begins a closing tag of forums.
_BRACKETS = rf"{_balanced('(', ')')}|(?!\[/){_balanced('[', ']')}|{_balanced('{', '}')}"
REST = rf"[{PLAIN}]*+(?>(?:(?:{_COLON_OR_AND}|{_BRACKETS})[{PLAIN}]*+)*)"
"""What follows a host, or the colon of a scheme without ``//``."""

REST_OF_RUN = lazy_re(REST)
NAMED_RUN = lazy_re(rf"(?=[^\s:]){REST}")
"""What follows the colon of a scheme without ``//``."""

# Marks of a sentence after a host, but the colon of another URL
_AFTER_HOST = r"(?>(?:[.,;!?]|:(?!//))*)"
# In these the empty group is matched if a path, a query or a fragment follows the host, so that more of
# the URL may follow where the match ends.
_OF_HOST = lazy_re(rf"//{AUTHORITY}(?:(?=[/?#]){REST}()|{_AFTER_HOST})")
_OF_ANY_AUTHORITY = lazy_re(rf"//(?=[\w.~!$&'()*+,;=:@%\[\]/?#-]){REST}()")
_OF_PATH_OR_HOST = lazy_re(rf"//(?:(?=/){REST}()|{AUTHORITY}(?:(?=[/?#]){REST}())?)")
_OF_FILE = lazy_re(rf"//(?=[A-Za-z0-9\\~/]){REST}()")

RUNS = {
    name: _OF_FILE
    if name == "file"
    else _OF_PATH_OR_HOST
    if row.hostless
    else _OF_ANY_AUTHORITY
    if row.any_authority
    else _OF_HOST
    for name, row in SCHEMES.items()
}
"""What follows the colon of each scheme of the table if ``//`` does."""


def run_of(name: str) -> re.Pattern[str]:
    """Return the pattern of what follows ``name:`` with slashes; any authority follows other schemes."""
    return RUNS.get(name.lower(), _OF_ANY_AUTHORITY)


_PORT_OR_END = rf"(?>(?::[0-9]{{1,9}}+)?){END_OF_HOST}"
ABBREVIATED = lazy_re(
    rf"(?i:www|ftp)\.(?=[A-Za-z0-9_-]++\.\w){HOST}(?:(?=[/?#])|{_PORT_OR_END})"
    rf"(?:(?=[/?#]){REST}()|{_AFTER_HOST})"
)
"""A host that begins with ``www.`` or ``ftp.`` and has two dots, and what follows it."""

WEB = (
    r"//(?:(?<=(?<![A-Za-z0-9+.-])https://)|(?<=(?<![A-Za-z0-9+.-])http://))"
    rf"{AUTHORITY}(?:(?=[/?#]){REST}|{_AFTER_HOST})"
)
"""What follows the colon of http and https, as a source: most URLs are read with it where they are found."""
