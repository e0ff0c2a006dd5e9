"""Find URLs in text that comes in pieces, in one pass: places, grammar, rules.

What is found is a `urlextract.records.Match`: taken, with its URL, or rejected, and by which rule.

- ``stream``: holds the text that was fed, and goes from place to place.
- ``places``: finds the colons and dots at which a URL may be.
- ``unbroken``: the grammar of URLs to which no rule applies, as most are. All others go to the rules.
- ``reading``: reads one place by the rules.
- ``wrappers``: finds the bracket or quote around it, and where that closes.
- ``url_checks``: decides whether the inside of a bracket is a URL.
- ``bare``: where a URL in running text begins and ends.
- ``continuation``: where it ends if it goes on in the next lines.
- ``line_breaks``: the evidence that it goes on.
- ``quoted_printable``: recognizes escapes of quoted-printable that nobody has decoded.
- ``references``: character references of URLs in tags that stand in text.
- ``relaxed``: hosts without a scheme, and mail addresses.
- ``lookalikes``: names with dots that are no hosts.
- ``defanged``: scans a copy of the text in which defanged URLs are what they stand for.
- ``attributes``: reads the value of an attribute of HTML.
- ``buffer``: the text, its limits, and helpers that all rules share.
"""
