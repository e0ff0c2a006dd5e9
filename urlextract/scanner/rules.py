"""The rules that take or reject a place, and their words."""

from __future__ import annotations

from urlextract.records import Rule

# --- that take ------------------------------------------------------------------------------------

WRAPPER = Rule("a URL in brackets")
QUOTATION = Rule("a URL in quotes")
SCHEME = Rule("a scheme and what follows it")
ABBREVIATED_HOST = Rule('a host that begins with "www." or "ftp."')
ANY_HOST = Rule("a host without a scheme")
ADDRESS = Rule("a mail address")
ESCAPED = Rule("a URL whose escapes are decoded")
VALUE = Rule("the value of an attribute")

# --- that reject a scheme, or what follows it -----------------------------------------------------

UNREGISTERED = Rule("not a registered scheme")
NO_HOST = Rule('no host after "//"')
NOTHING_AFTER_SLASHES = Rule('nothing after "//"')
WRAPPERS_ONLY = Rule('"{}:" counts in <URL:...> only')
LABEL = Rule('"{}:" is a label')
LABEL_OF_URL = Rule('"{}:" is a label of the URL after it')
TWO_COLONS = Rule('"::" is no URL')
NO_SHAPE = Rule('what follows does not have the shape of "{}:"')
DEFANGED = Rule("a defanged URL")
NAME_IN_MARKUP = Rule("a name in an attribute of markup")
PATTERN = Rule("an escape of a pattern")
NO_URL = Rule("no URL")

# --- that reject a host ---------------------------------------------------------------------------

THREE_LABELS = Rule("no host of three labels")
MAIL_ADDRESS = Rule("a mail address")
LONG_HOST = Rule("longer than any host")
HOST_ENDS_ODDLY = Rule("a host that does not end as one")

# --- that give up a bracket or a quotation --------------------------------------------------------

NOT_IN_BRACKETS = Rule('no scheme that stands in brackets without "//"')
LONG = Rule("longer than {:,} characters")
MANY_LINES = Rule("longer than {} lines")
NEVER_CLOSED = Rule("never closed")
BROKEN_OVER_LINES = Rule("broken over lines")
BLANK_LINE = Rule("a blank line")
ANOTHER_BRACKET = Rule('another "<"')
NO_CHARACTER = Rule("a character no URL holds ({})")
SENTENCE = Rule("a sentence goes on inside")
NOT_QUOTED = Rule("a character no quoted URL holds")
BACKSLASH = Rule("a backslash inside the quotation")
BLANK_QUOTED = Rule("a blank inside the quotation")
OWN_SCHEME = Rule("the next line has a scheme of its own")

# --- that reject what a bracket holds -------------------------------------------------------------

ANOTHER_URL = Rule("another URL after a blank")
ODD_BLANK = Rule("a blank where no URL has one")
LABEL_AFTER = Rule("a label after the URL")
WORDS_AFTER = Rule("words after the URL")
NO_SCHEME = Rule("no scheme")
NOTHING = Rule("nothing after the scheme")

# --- that reject the value of an attribute --------------------------------------------------------

RELATIVE = Rule("a relative reference without a base")
NO_NAME = Rule("a blank, a control or a delimiter in the host")
SCRIPT = Rule("a script")
DATA = Rule("the data of a file, and no address")
TAG = Rule("a tag inside")

NO_ADDRESSES = frozenset((SCRIPT, DATA))
"""The rules that reject values in which no URL is searched for."""

# --- that reject a host without a scheme, or a mail address ---------------------------------------

HOST_ON_DEMAND = Rule("a host without a scheme: it counts with --relaxed")
ADDRESS_ON_DEMAND = Rule("a mail address: it counts with --emails")
MESSAGE_ID = Rule("the ID of a message")
PORT_NUMBER = Rule("no port has that number")
HIDDEN_ADDRESS = Rule("a mail address that is hidden, or a name in a program")
PART_OF_NUMBER = Rule("a network, or a part of a longer number")
VERSION = Rule("a version, a section, or an address of mail")
PATH_ELSEWHERE = Rule("a path on another host, which is no URL")
NAME_IN_PROGRAM = Rule("a name in a program")
GLUED_SENTENCES = Rule("a sentence without a blank")
PACKAGE = Rule("the name of a package")
NEWSGROUP = Rule("the name of a newsgroup")
FILE = Rule("the name of a file")
NUMBER = Rule("a number")
PRODUCT = Rule("the name of a product")
HIDDEN_IN_LABEL = Rule("a mail address that is hidden")
