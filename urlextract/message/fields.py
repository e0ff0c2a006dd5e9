"""Header fields of a message (RFC 5322, section 2.2) as text, as far as they may hold URLs or describe it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from urlextract.dates import utc_of_field
from urlextract.grammar.defanged import HINT
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES
from urlextract.message import limits
from urlextract.message.charsets import decode, decode_words
from urlextract.message.heads import Field, fields_named, is_signless, value_of
from urlextract.message.window import with_lf
from urlextract.records import EVERYTHING, PartFilter

# Printable ASCII that is not folded and cannot encode other characters: most values.
_UNCODED = re.compile(rb"[\t -<>-}]*+")
# Inside the brackets around a URL, a fold is removed together with its blanks.
_FOLDED_URL = lazy_re(r"<[A-Za-z][A-Za-z0-9+.-]{0,40}+:[^<>\s]{0,900}+(?>(?:\n[ \t]++[^<>\s]{0,900}+){1,9})>")


def unfolded(value: bytes, charset: str | None = None) -> str:
    r"""Return a value as one line of text; ``charset`` is that of bytes beyond ASCII, if it is known.

    Only the line end of a fold is removed; the blanks after it stay, but within the brackets round a URL.

    >>> unfolded(b" a\n b <http://a.example/b\n c> =?utf-8?Q?=C3=A4?=")
    'a b <http://a.example/bc> ä'
    """
    if _UNCODED.fullmatch(value):
        return value.decode("ascii").strip(" \t")
    text, _ = decode(value, charset)
    if "\n" in text:
        text = _FOLDED_URL.sub(_without_blanks, text).replace("\n ", " ").replace("\n\t", "\t")
    return (decode_words(text) if "=?" in text else text).strip(" \t\n")


def _without_blanks(match: re.Match[str]) -> str:
    return "".join(match[0].split())


# A text may be taken for a message because of its first lines: "http://..." and
# "<mailto:..." are no names of fields, and are read with what follows.
_IS_NAME = lazy_re(rb"[A-Za-z0-9][A-Za-z0-9_.-]*+")
_SCHEMES = frozenset(name.encode() for name in NAMES_WITHOUT_SLASHES)

# Words in the names of fields that machines fill in ("NNTP-Posting-Host", "X-Authentication-Warning",
# "X-Virus-Scanned"): there a "www." begins the name of a machine, and only URLs with a scheme count.
_OF_MACHINES = frozenset(
    b"antiabuse auth authenticated authentication checked checker clientproxiedby dir distribution domain"
    b" face gateway helo host hostname id injected injection loop mta originating path posting proxy received"
    b" relay scanned scanner script sender server spam spf trace ua via virus".split()
)
_MACHINE = lazy_re(r"(?<![A-Za-z0-9/@_-])(?:www|ftp)(?=\.)", re.IGNORECASE)
_OF_PEOPLE = frozenset(b"homepage page site uri url web webpage website".split())
_OF_TEXT = frozenset(("subject", "comments", "organization", "organisation", "summary"))
_OF_ADDRESSES = frozenset(
    {"from", "to", "cc", "bcc", "reply-to", "mail-copies-to", "mail-followup-to", "mail-reply-to"}
    | {"resent-from", "resent-to", "resent-cc", "resent-bcc"}
)

# RFC 2369, section 2, and RFC 5064, section 2: all text in the brackets is a URL.
_OF_URLS = (b"list-", b"archived-at")
# RFC 2557, section 4.4, and RFC 2017, section 3.1: white space in these comes from folding.
_ONE_URL = frozenset((b"content-location", b"content-base"))
_IN_BRACKETS = lazy_re(r"<[^<>\s]{0,8000}+\s[^<>]{0,8000}+>")  # with blanks


def field_text(field: Field, choice: PartFilter = EVERYTHING) -> str | None:
    r"""Return a field's value as one line of text, None if it can hold no URL.

    RFC 5322, section 2.2.3: only the line end of a fold is removed, the blank stays. If the ``choice`` is
    schemeless, hosts and addresses without a scheme count, and defanged URLs; so do schemes that it names.

    >>> field_text(Field(b"Subject", b" =?utf-8?Q?http=3A//a.e?=\n =?utf-8?Q?xample/?= b", 0))
    'http://a.example/ b'
    >>> field_text(Field(b"Date", b"Mon, 14 Nov 1994 09:12:31", 0))
    """
    value = field.value
    is_url = value.startswith(b"//") or field.name.lower() in _SCHEMES
    if is_url or not _IS_NAME.fullmatch(field.name):  # the name is the beginning of a URL
        value = field.name + b":" + value
    schemeless = choice.schemeless
    is_asked = schemeless and any(schemeless_in(field.name.decode("ascii", "replace")))
    if not (schemeless or choice.named) and is_signless(value):
        return None
    decoded = unfolded(value, choice.charset)
    is_asked = is_asked or (schemeless and HINT.search(decoded) is not None)
    is_asked = is_asked or any(f"{name}:" in decoded.lower() for name in choice.named)
    if not is_asked and is_signless(value):
        return None
    text = _as_meant(field.name.lower(), decoded)
    is_changed = text != decoded or (b"=?" in value and "=?" not in text)
    is_sure = is_asked or not is_changed
    return text if is_sure or not is_signless(text.encode("utf-8", "replace")) else None


@lru_cache(maxsize=1024)
def schemeless_in(name: str) -> tuple[bool, bool]:
    """Return whether hosts, and whether addresses, without a scheme count in a field.

    Both count in fields of text, and addresses also in the fields that name people.

    >>> schemeless_in("Subject"), schemeless_in("From"), schemeless_in("List-Id")
    ((True, True), (False, True), (False, False))
    """
    name = name.lower()
    is_text = name in _OF_TEXT or not _OF_PEOPLE.isdisjoint(name.encode("ascii", "replace").split(b"-"))
    return is_text, is_text or name in _OF_ADDRESSES


def _as_meant(name: bytes, text: str) -> str:
    """Return the value of a field without what, by the field's name, is not part of a URL.

    In fields of mailing lists that is blanks in brackets; in fields of machines it is the "www" or
    "ftp" of their names, which would begin a URL without a scheme elsewhere.

    >>> _as_meant(b"list-post", "<mailto:a@b.example?subject=c d> x y")
    '<mailto:a@b.example?subject=cd> x y'
    >>> _as_meant(b"x-virus-scanned", "by http://a.example/ at www.example.org")
    'by http://a.example/ at ___.example.org'
    """
    if name in _ONE_URL:
        return "".join(text.split())
    if name.startswith(_OF_URLS):
        text = _IN_BRACKETS.sub(_without_blanks, text)
    words = name.split(b"-")
    is_of_machines = not _OF_MACHINES.isdisjoint(words) and _OF_PEOPLE.isdisjoint(words)
    return _MACHINE.sub("___", text) if is_of_machines else text


_HEAD_END = lazy_re(rb"\A(?:\r{0,2}\n|\r(?!\n))|\n\r{0,2}\n|\r\r(?!\n)")  # the blank line after a head
_LONGEST_READ = 16_384  # bytes of a value


def head_of(data: bytes) -> bytes:
    """Return the head of a message that begins with ``data``, after a line end, with LF as line ends."""
    blank = _HEAD_END.search(data, 0, limits.HEAD)
    return b"\n%s\n" % with_lf(data[: blank.start()] if blank else data)


def value_in(names: bytes, head: bytes) -> str:
    r"""Return the text of the first field of these names, which are alternatives, "" without one.

    >>> value_in(b"date|subject", head_of(b"To: x\r\nSubject: a\r\n b\r\n\r\nDate: y"))
    'a b'
    """
    return unfolded(value_of(names, head)[:_LONGEST_READ])


def fields_of_head(data: bytes) -> Iterator[tuple[str, str]]:
    r"""Yield the name and the text of each field in the head of a message; other lines are left out.

    >>> list(fields_of_head(b"From a@b 1994\r\nSubject: =?utf-8?Q?=C3=A4?=\r\n  x\r\n\r\nTo: y"))
    [('Subject', 'ä  x')]
    """
    for name, value in fields_named(b"[!-9;-~]++").findall(head_of(data)):
        yield name.decode("ascii"), unfolded(value)


_ABSOLUTE = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*+://\S")


def base_url(*heads: bytes) -> str | None:
    r"""Return the absolute URL of a page that the heads of its part and of its message name.

    RFC 2557, section 4: Content-Location; Content-Base is from RFC 2110, its predecessor.
    ISO 28500, section 5.7: WARC-Target-URI.

    A relative URL is resolved against the next one, which is that of the enclosing part or message.

    >>> base_url(b"\nContent-Location: c\n", b"\nContent-Location: b/\nContent-Base: http://a.example/d\n")
    'http://a.example/b/c'
    """
    references: list[str] = []
    bases = fields_named(b"content-base|content-location|warc-target-uri")
    for value in (value for head in heads for _, value in bases.findall(head)):
        url = "".join(unfolded(value).strip('"<>').split())
        if _ABSOLUTE.match(url):
            try:
                for reference in reversed(references):
                    from urllib.parse import urljoin

                    url = urljoin(url, reference)
            except ValueError:  # a bracket in a host
                pass
            return url
        references.append(url)
    return None


# --- what a message is ---------------------------------------------------------------------------

# RFC 5322, section 3.6.4
#   in-reply-to = "In-Reply-To:" 1*msg-id CRLF
#   references  = "References:" 1*msg-id CRLF
#   msg-id      = [CFWS] "<" id-left "@" id-right ">" [CFWS]
# RFC 822 allowed words beside them: 'Your message of "Mon, 14 Nov 1994 09:12:31 +0100" <1@a.example>'. Some
# programs made identifiers without "@".
_IDENTIFIER = lazy_re(rb"<(?:[^<>\s]{1,1000}+|[^<>@]{1,1000}+@[^<>]{1,1000}+)>")
_FIRST_WITHIN = 8192  # bytes of a field in which its first Message-ID is looked for
_DESCRIBING = (
    b"date|from|to|newsgroups|subject|list-id|message-id|in-reply-to|references|warc-date|warc-record-id"
)


def values_of(head: bytes) -> tuple[str | None, ...]:
    """Return the values of `HEAD_FIELDS` in the head of a message or of a web record, after a line end."""
    fields: dict[bytes, bytes] = {}
    for name, value in fields_named(_DESCRIBING).findall(head):
        fields.setdefault(name.lower(), value)  # the first field of a name counts
    threading = (fields.pop(name, b"") for name in (b"in-reply-to", b"references"))
    replied_to, first = map(_first_identifier, threading)
    own = fields.get(b"message-id", b"")[:_FIRST_WITHIN]
    values = {name: unfolded(value) for name, value in fields.items()}
    message_id = values.get(b"message-id", values.get(b"warc-record-id"))
    date_field = values.get(b"date", values.get(b"warc-date"))
    list_id = values.get(b"list-id")
    _, bracket, identifier = (list_id or "").rpartition("<")
    return (
        message_id and " ".join(message_id.split()),  # encoded words may hide line ends
        replied_to,
        first or replied_to or _first_identifier(own) or "".join(unfolded(own).split()) or None,
        utc_of_field(date_field) if date_field else None,
        date_field,
        values.get(b"from"),
        values.get(b"to"),
        values.get(b"newsgroups"),
        values.get(b"subject"),
        # RFC 2919, section 3: a phrase may precede the identifier
        identifier.partition(">")[0].strip() if bracket else list_id,
    )


def _first_identifier(value: bytes) -> str | None:
    r"""Return the first Message-ID in a value, with its brackets, None if there is none.

    >>> _first_identifier(b' Your message of "Monday" <1@a.\n example> <2@b.example>')
    '<1@a.example>'
    """
    found = _IDENTIFIER.search(value, 0, _FIRST_WITHIN)
    return "".join(unfolded(found[0]).split()) if found else None


# RFC 5322, section 3.4
#   mailbox = ([display-name] "<" addr-spec ">") / addr-spec
# What is in quotation marks, in brackets or in a comment has no comma that ends a mailbox.
_OF_ADDRESSES_FIELD = lazy_re(r'"(?>(?:[^"\\]|\\.)*)"|<[^<>]*>|\([^()]*\)|[^",;<(]+|.', re.DOTALL)
_LONGEST_ADDRESSES = 16_384  # characters of a field of addresses that are read


def mailboxes_in(field: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the address of each mailbox in the text of a field of addresses; both may be empty.

    >>> list(mailboxes_in('"Doe, Ann" <ann@a.example>, b@b.example (Bob); <c@c.example>'))
    [('Doe, Ann', 'ann@a.example'), ('Bob', 'b@b.example'), ('', 'c@c.example')]
    """
    words: list[str] = []
    comment = address = ""
    for match in _OF_ADDRESSES_FIELD.finditer(f"{field[:_LONGEST_ADDRESSES]},"):
        token = match[0]
        if token in (",", ";"):
            name = " ".join("".join(words).split())
            if not address and "@" in name and " " not in name:
                address, name = name, ""
            if name or address:
                yield name or comment, address
            words, comment, address = [], "", ""
        elif token[0] == "<" and len(token) > 1:
            address = "".join(token[1:-1].split())
        elif token[0] == "(" and len(token) > 1:
            comment = " ".join(token[1:-1].split())
        elif token[0] == '"' and len(token) > 1:
            words.append(re.sub(r"\\(.)", r"\1", token[1:-1]))
        else:
            words.append(token.rpartition(":")[2] if "@" not in token else token)  # "Friends: a@b, c@d;"
