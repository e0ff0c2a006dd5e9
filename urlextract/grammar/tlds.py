"""The top-level domains, and tables of those that are as often words; `extensions` has those of files."""

from urlextract.grammar.names import names_in

TLDS = names_in("tlds.txt")
"""The names, in lower case, those beyond ASCII as A-labels."""

OLDEST = frozenset(("com", "org", "net", "edu", "gov", "mil"))
"""Top-level domains that are hardly ever anything else, in any case: "Example.COM"."""

_SITES = """
academy aero agency art asia bayern berlin bike biz blog brussels cloud club codes coffee community
company computer consulting coop dev digital engineering eus expert foundation gal guru hamburg
hosting info institute international koeln london ltd media mobi museum network ninja nrw nyc online
paris photography photos press pub rocks ruhr saarland scot site social software solutions space
swiss tech technology tel tirol tokyo travel university vegas vlaanderen wales website wien wiki xxx
xyz zone
"""

SITES = frozenset(_SITES.split())
"""Longer ones that suffice to make a name a host; others are also words of programs and prose."""

_WORDS = """
am as at be by do ge gt id in is it la lt me my ne no pm re so to us
"""

WORDS = frozenset(_WORDS.split())
"""Country domains that are also words or operators: "home.it was", "operator.lt"."""

LOCAL_DOMAINS = frozenset(("example", "internal", "lan", "local", "localdomain", "test"))
"""Top-level domains of hosts that IANA does not list: RFC 2606, RFC 6762, private networks."""


def tld_of(label: str) -> str | None:
    """Return ``label`` in lower case and ASCII if it is a top-level domain, else None.

    >>> tld_of("COM"), tld_of("рф"), tld_of("example")
    ('com', 'xn--p1ai', None)
    """
    name = label.lower()
    if not name.isascii():
        name = f"xn--{name.encode('punycode').decode('ascii')}"
    return name if name in TLDS else None
