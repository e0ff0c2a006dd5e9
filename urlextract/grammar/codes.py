"""Codes that have words: what programs compare, and what people read."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class WordedCode(StrEnum):
    """A code with its words, in which "{}" stands for a detail."""

    words: str

    def __new__(cls, code: str, words: str = "") -> Self:
        """Return a member of a code and its words; call the class with a code alone to look one up."""
        value = str.__new__(cls, code)
        value._value_ = code
        value.words = words
        return value

    def __init_subclass__(cls) -> None:
        """Add the codes with their words to the docstring."""
        rows = "\n".join(f"    - {code}: {code.words}" for code in cls)
        cls.__doc__ = f"{(cls.__doc__ or '').rstrip()}\n\n{rows}\n    "


class RepairCode(WordedCode):
    r"""The kinds of changes between the text of a place and its URL.

    >>> from urlextract import extract
    >>> [repair.code.value for repair in next(extract("<www.a.ex\nample>")).repairs]
    ['joined-lines', 'added-scheme']
    """

    JOINED_LINES = "joined-lines", "it was broken over lines"
    REMOVED_QUOTE_PREFIX = "removed-quote-prefix", "its other lines began with the prefix of quoted text, too"
    REMOVED_BLANKS = "removed-blanks", "there were blanks in it, or round it in its brackets"
    REMOVED_BACKSLASHES = "removed-backslashes", "a line of it ended in a backslash"
    REMOVED_PERCENT_SIGNS = "removed-percent-signs", "a line of it ended in the percent sign of TeX"
    REMOVED_HYPHENS = "removed-hyphens", "a line of it ended in a hyphen that is no part of it"
    REMOVED_INVISIBLE = "removed-invisible", "codes of a terminal, or characters without width, were in it"
    REMOVED_PAGE_BREAKS = "removed-page-breaks", "the end of a page was in it"
    DECODED_ENTITIES = "decoded-entities", "character references such as &amp; are undone"
    DECODED_ESCAPES = "decoded-escapes", "escapes of JSON, Markdown and the like are undone"
    DECODED_QUOTED_PRINTABLE = "decoded-quoted-printable", "escapes such as =3D are undone"
    ENCODED_CHARACTERS = "encoded-characters", "an address had characters that a mailto URL encodes"
    ADDED_SCHEME = "added-scheme", "it was written without its scheme"
    REFANGED = "refanged", "it was defanged"


class AlternativeCode(WordedCode):
    r"""The kinds of other readings of a place.

    >>> from urlextract import extract
    >>> [other.code.value for other in next(extract("see <http://a.example/b-\nc>")).alternatives]
    ['other-hyphens']
    """

    MORE_LINES = "more-lines", "if it goes on in the next line"
    ONE_LINE = "one-line", "if it ends with its line"
    OTHER_HYPHENS = "other-hyphens", "with other hyphens at the line breaks"
    BLANKS = "blanks", "the blanks may be meant"
    FIRST_BLANK = "first-blank", "the URL ends at the first blank"
    IN_BRACKETS = "in-brackets", "all that stands in the brackets"
    GLUED = "glued", "with or without what is glued on"
    TRIMMED = "trimmed", "without what ends no URL in text"
    MARKUP = "markup", '"&amp;" stands for "&" in markup'
    LABEL = "label", "a label and a host"
    HOST_AND_PATH = "host-and-path", "a host and a path as ftp(1) users write them"
    PERCENT_ENCODED = "percent-encoded", "percent-encoded (RFC 3987)"


class DefectCode(WordedCode):
    """The kinds of problems that a place may have.

    >>> from urlextract import extract
    >>> [defect.code.value for defect in next(extract("see http://a.example/long/pa...")).defects]
    ['cut']
    """

    UNCLOSED = "unclosed", "a bracket opens before it and is not closed after it"
    MAY_CONTINUE = "may-continue", "it ends its line, and may go on in the next one"
    GLUED_BEFORE = "glued-before", "a word is right before it"
    GLUED_AFTER = (
        "glued-after",
        "letters of another script follow a word of it: they may be part of it or not",
    )
    CUT = "cut", "a part of it may be missing: an ellipsis follows, or it is too long"
    NO_SCHEME = "no-scheme", "HTML has it without a scheme, as //host/x"
    ODD_VALUE = "odd-value", "an attribute has there what is no host, or a tag"
    HIDDEN_HOST = "hidden-host", "its host is percent-encoded, or in letters that browsers replace"
    SHOWS_ANOTHER_DOMAIN = (
        "shows-another-domain",
        "its link shows a domain and leads to another one, or to a script",
    )
    MENTIONS_ANOTHER_DOMAIN = (
        "mentions-another-domain",
        "the text or a label of its link has another domain beside other words",
    )
    MAY_REDIRECT = (
        "may-redirect",
        "its link shows a domain that is named in its path or query: it may lead there",
    )
    BIDI_OVERRIDE = (
        "bidi-override",
        "the text of its link has a character that overrides the direction of writing",
    )
    UNDECODABLE_BYTES = "undecodable-bytes", "some of its bytes are none of the charset of its text"
    UNDECODED_QUOTED_PRINTABLE = (
        "undecoded-quoted-printable",
        "it may hold escapes such as =3D that nobody decoded",
    )
    UNDECLARED_QUOTED_PRINTABLE = (
        "undeclared-quoted-printable",
        "its part is quoted-printable, but does not say so",
    )
    WRONG_LENGTH = "wrong-length", "its source gives another size of the message"


CUT_DEFECTS = frozenset((DefectCode.CUT, DefectCode.MAY_CONTINUE))
"""The defects of a URL of which a part may be missing."""
