"""The value that `parse_url` gives: what a URL is made of, and what is said of it.

What is said (departures from the grammar, what to be wary of, the normal form) is
worked out when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from urlextract.schemes.anatomy import Anatomy

if TYPE_CHECKING:
    from urlextract.schemes.remarks import Caution, Violation

__all__ = ["Url"]


class Url(Anatomy):
    """A URL in its parts: encoded as they stood, None where absent, which is not empty.

    ``str()`` gives the text back exactly. Values are equal if their texts are. This
    is the generic form, which every scheme has; the schemes' own types add theirs.

    >>> from urlextract import parse_url
    >>> url = parse_url("x-tool://example.org:8080/a;b?c#d")
    >>> url.scheme, url.host, url.port, url.path, url.query, url.fragment
    ('x-tool', 'example.org', 8080, '/a;b', 'c', 'd')
    >>> str(parse_url("HTTP://example.org:/x"))
    'HTTP://example.org:/x'
    """

    __slots__ = ()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The departures from the first of ``GRAMMARS``, in the order of the text."""
        from urlextract.schemes.judging import violations_of  # noqa: PLC0415 - only who asks pays

        return violations_of(self)

    def faults_of_nearest_grammar(self) -> tuple[Violation, ...]:
        """Give the departures from the grammar that the URL departs from least.

        >>> from urlextract import parse_url
        >>> [fault.rule for fault in parse_url("http://host.dom/~me/a|b").faults_of_nearest_grammar()]
        ['RFC 3986, appendix A: hsegment']
        """
        from urlextract.schemes.judging import least_violations_of  # noqa: PLC0415 - as above

        return least_violations_of(self)

    @property
    def grammars(self) -> tuple[str, ...]:
        """Those of ``GRAMMARS`` that the URL fits."""
        from urlextract.schemes.judging import grammars_of  # noqa: PLC0415 - as above

        return grammars_of(self)

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """What to be wary of: RFC 1738, section 6."""
        from urlextract.schemes.judging import cautions_of  # noqa: PLC0415 - as above

        return cautions_of(self)

    def normalized(self) -> Self:
        """Give the same URL in its normal form: RFC 1630, "Encoding reserved characters".

        Scheme and host are in lower case, a port that is the scheme's own is left
        out, what may be encoded or not is not, and nothing else is changed.

        >>> from urlextract import parse_url
        >>> str(parse_url("HTTP://Info.CERN.ch:80/albert/marie%2Dclaude%2fx").normalized())
        'http://info.cern.ch/albert/marie-claude%2Fx'
        """
        from urlextract.schemes.sameness import normal_text  # noqa: PLC0415 - as above

        return self.of_text(normal_text(self))
