"""The rules that take or reject a place: a code each, and its words."""

from __future__ import annotations

from urlextract.grammar.codes import WordedCode


class Rule(WordedCode):
    """The rule that took a place as a URL, or that rejected it; `Rejection.code` is one of these.

    >>> from urlextract import examine
    >>> [rejection.code.value for rejection in examine("a <warning: long> line")]
    ['not-in-brackets']
    """

    MADE_BY_HAND = "made-by-hand", "made by a program"

    # that take

    WRAPPER = "wrapper", "a URL in brackets"
    QUOTATION = "quotation", "a URL in quotes"
    SCHEME = "scheme", "a scheme and what follows it"
    ABBREVIATED_HOST = "abbreviated-host", 'a host that begins with "www." or "ftp."'
    ANY_HOST = "any-host", "a host without a scheme"
    ADDRESS = "address", "a mail address"
    ESCAPED = "escaped", "a URL whose escapes are decoded"
    VALUE = "value", "the value of an attribute"

    # that reject a scheme, or what follows it

    UNREGISTERED = "unregistered", "not a registered scheme"
    NO_HOST = "no-host", 'no host after "//"'
    NOTHING_AFTER_SLASHES = "nothing-after-slashes", 'nothing after "//"'
    WRAPPERS_ONLY = "wrappers-only", '"{}:" counts in <URL:...> only'
    LABEL = "label", '"{}:" is a label'
    LABEL_OF_URL = "label-of-url", '"{}:" is a label of the URL after it'
    TWO_COLONS = "two-colons", '"::" is no URL'
    NO_SHAPE = "no-shape", 'what follows does not have the shape of "{}:"'
    DEFANGED = "defanged", "a defanged URL"
    NAME_IN_MARKUP = "name-in-markup", "a name in an attribute of markup"
    PATTERN = "pattern", "an escape of a pattern"
    NO_URL = "no-url", "no URL"
    NOT_VALID = "not-valid", "it fits no grammar of its scheme"

    # that reject a host

    THREE_LABELS = "three-labels", "no host of three labels"
    MAIL_ADDRESS = "mail-address", "a mail address"
    LONG_HOST = "long-host", "longer than any host"
    HOST_ENDS_ODDLY = "host-ends-oddly", "a host that does not end as one"

    # that give up a bracket or a quotation

    NOT_IN_BRACKETS = "not-in-brackets", 'no scheme that stands in brackets without "//"'
    LONG = "long", "longer than {:,} characters"
    MANY_LINES = "many-lines", "longer than {} lines"
    NEVER_CLOSED = "never-closed", "never closed"
    BROKEN_OVER_LINES = "broken-over-lines", "broken over lines"
    BLANK_LINE = "blank-line", "a blank line"
    ANOTHER_BRACKET = "another-bracket", 'another "<"'
    NO_CHARACTER = "no-character", "a character no URL holds ({})"
    SENTENCE = "sentence", "a sentence goes on inside"
    NOT_QUOTED = "not-quoted", "a character no quoted URL holds"
    BACKSLASH = "backslash", "a backslash inside the quotation"
    BLANK_QUOTED = "blank-quoted", "a blank inside the quotation"
    OWN_SCHEME = "own-scheme", "the next line has a scheme of its own"

    # that reject what a bracket holds

    ANOTHER_URL = "another-url", "another URL after a blank"
    ODD_BLANK = "odd-blank", "a blank where no URL has one"
    LABEL_AFTER = "label-after", "a label after the URL"
    WORDS_AFTER = "words-after", "words after the URL"
    NO_SCHEME = "no-scheme", "no scheme"
    NOTHING = "nothing", "nothing after the scheme"

    # that reject the value of an attribute

    RELATIVE = "relative", "a relative reference without a base"
    NO_NAME = "no-name", "a blank, a control or a delimiter in the host"
    SCRIPT = "script", "a script"
    DATA = "data", "the data of a file, and no address"
    TAG = "tag", "a tag inside"

    # that reject a host without a scheme, or a mail address

    HOST_ON_DEMAND = "host-on-demand", "a host without a scheme: it counts with --relaxed"
    ADDRESS_ON_DEMAND = "address-on-demand", "a mail address: it counts with --emails"
    MESSAGE_ID = "message-id", "the ID of a message"
    PORT_NUMBER = "port-number", "no port has that number"
    HIDDEN_ADDRESS = "hidden-address", "a mail address that is hidden, or a name in a program"
    PART_OF_NUMBER = "part-of-number", "a network, or a part of a longer number"
    VERSION = "version", "a version, a section, or an address of mail"
    PATH_ELSEWHERE = "path-elsewhere", "a path on another host, which is no URL"
    NAME_IN_PROGRAM = "name-in-program", "a name in a program"
    GLUED_SENTENCES = "glued-sentences", "a sentence without a blank"
    PACKAGE = "package", "the name of a package"
    NEWSGROUP = "newsgroup", "the name of a newsgroup"
    FILE = "file", "the name of a file"
    NUMBER = "number", "a number"
    PRODUCT = "product", "the name of a product"
    HIDDEN_IN_LABEL = "hidden-in-label", "a mail address that is hidden"

    def about(self, raw: str, detail: str | int = "") -> str:
        """Return the words of the rule for a place; ``detail`` is by default the name before its colon.

        >>> Rule.LABEL.about("<Tel: 12>")
        '"Tel:" is a label'
        """
        return self.words.format(detail or name_in(raw))


def name_in(raw: str) -> str:
    """Return what stands before the colon of a place, without the bracket or quote that opens it."""
    return raw.lstrip('<" \t\r\n').partition(":")[0]


NO_ADDRESSES = frozenset((Rule.SCRIPT, Rule.DATA))
"""The rules that reject values in which no URL is searched for."""
