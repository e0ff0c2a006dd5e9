"""Parse a URL into a value of its scheme's type, with its components.

Nothing here depends on where the URL was found. ``SCHEMES`` in ``grammar.registry`` has an entry for each
scheme, which names its type. "The draft" in these modules is the Internet-Draft of the URI working group
(version 03) that came before RFC 1738. This package imports nothing, so that a program that only searches
text loads no types.

- ``url``: `Url`, the type of all other schemes, and `parse_url`.
- ``rfc1738``: http, ftp, gopher, telnet, wais, prospero.
- ``messages``: mailto, mid, cid, news, nntp.
- ``local``: man, info, whatis, about, file, afs.
- ``ldap``: ldap and ldaps.
- ``urn``: urn.
- ``authority``: user, password, host and port.
- ``components``: the other parts that all schemes share.
- ``escapes``: percent-encoding.
- ``changing``: makes a URL from another one.
- ``resolving``: resolves relative references.
- ``parsed``: the components of a URL in a record.
- ``comparing``: normal forms, and whether two URLs name the same resource.
- ``validation``: violations of the grammars.
- ``cautions``: warnings about valid URLs that may be unsafe.
- ``deceiving``: these warnings in words, and which are about the host.
- ``gateways``: the targets of links that gateways have rewritten.
"""
