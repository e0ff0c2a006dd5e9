"""Lines that machines wrote into a text: fields of pasted heads, and what reports of delivery say.

Hosts and Message-IDs in them are for machines, too.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later

__all__ = ["is_of_machines"]

_LOOKS_BACK = 900  # characters, and
_LINES = 8  # lines: a long field, folded
_LINE = later(r"(?:[ \t]?[>|]){0,9}+(?P<fold>[ \t]+)?+(?:(?P<name>[A-Za-z][A-Za-z0-9-]{1,40}+):(?=\s))?")
_NAMES = later(
    r"(?i:(?:x-)?received(?:-spf)?|(?:x-|resent-|original-)*message-id|references|in-reply-to|return-path"
    r"|(?:dkim|domainkey|arc|cancel|nntp|x-(?:spam|virus|originating|trace|injection|ms|google|gm|mailman))-.*"
    r"|(?:x-)?authentication-.*|path|xref|newsgroups|content-(?:id|type)|mime-version|supersedes"
    r"|(?:reporting|remote|received-from|x-original)-mta|(?:final|original)-recipient|diagnostic-code"
    r"|x-mailer|list-id|errors-to|delivered-to)"
)


def is_of_machines(text: str, at: int) -> bool:
    r"""Return whether ``at`` is in a field that machines fill in, quoted or not.

    >>> text = "> Received: from a.org by\n>  mx.b.org\nsee c.org"
    >>> [is_of_machines(text, text.index(host)) for host in ("a.org", "mx.b", "c.org")]
    [True, True, False]
    """
    low = max(0, at - _LOOKS_BACK)
    end = at
    for _ in range(_LINES):
        start = text.rfind("\n", low, end) + 1
        if low and not start:
            return False
        line = _LINE.match(text, start, at)
        if line and line["name"] and _NAMES.fullmatch(line["name"]):
            return True
        if not start or line is None or not line["fold"]:
            return False
        end = start - 1
    return False
