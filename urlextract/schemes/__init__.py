"""Parse a URL into a value of its scheme's type, with its components.

Nothing here depends on where the URL was found. "The draft" in these modules is the Internet-Draft of the URI
working group (version 03) that came before RFC 1738. This package imports nothing, so that a program that
only searches text loads no types.

- ``rows``: what a type of URLs is made of: its form, its parts, their characters, and what must not be.
- ``hosts``: user, password, host and port; hosts in other scripts.
- ``components``: reads, and writes, a URL by the rows of its type.
- ``checks``: violations of the grammars.
- ``cautions``: warnings about valid URLs that may be unsafe, and which of them are about the host.
- ``changing``: makes a URL from another one: other components, normal forms, relative references.
- ``url``: `Url`, the type of all other schemes, and `parse_url`.
- ``schemes``: the types of the schemes, each a class of rows.
- ``parsed``: the components of a URL in a record.
- ``gateways``: the targets of links that gateways have rewritten.
"""
