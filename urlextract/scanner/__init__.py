"""Find URLs in text that comes in pieces, in one pass: places, grammar, rules.

``stream`` holds the text that was fed, and goes from place to place. ``places`` finds the colons and
dots at which a URL may be. ``unbroken`` has the grammar of URLs to which no rule applies, as most are.
All other places go to the rules: ``reading`` reads one of them. ``wrappers`` finds the brackets or quotes
around it, ``url_checks`` checks what these hold, ``bare`` reads running text, and ``continuation`` the
lines after it, by the evidence in ``line_breaks``. ``quoted_printable`` recognises undecoded escapes.
``relaxed`` finds hosts without a scheme and mail addresses, ``lookalikes`` names that are no hosts.
``defanged`` scans a copy of the text in which defanged URLs are what they stand for. ``rules`` names the
rules that take or reject a place, and ``buffer`` is what all share. ``attributes`` applies them to the
attributes of HTML.

What is found is a `urlextract.records.Match`: taken, with its URL, or rejected, and by which rule.
"""
