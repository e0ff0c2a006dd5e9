"""The types of the schemes: a class of rows each (see `rows`), with the grammar of its standard above.

A new scheme is a class more, which names its schemes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.bnf import (
    ATOM,
    FSEGMENT,
    HOST,
    HSEGMENT,
    PCHAR,
    QCHAR,
    QUERY,
    RESERVED,
    RFC1630,
    RFC1630_PATH,
    RFC1630_SEARCH,
    RFC1738,
    RFC2392,
    RFC3986,
    RFC4516,
    RFC5538,
    RFC6068,
    RFC8141,
    UCHAR,
    URI7,
    XCHAR,
)
from urlextract.grammar.escapes import ACTED_ON, decoded_octets
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.rows import ALL, OF_ALL, START, Chars, Fault, Part, listed, paired, unlike
from urlextract.schemes.url import Url

_OLD, _BUT_RFC1630 = (RFC1738, RFC1630), (RFC1738, RFC3986)


def _has(stretch: str) -> Callable[[Url], bool]:
    return lambda url: url._stretch(stretch)[0] >= 0


def _lacks(stretch: str) -> Callable[[Url], bool]:
    return lambda url: url._stretch(stretch)[0] < 0


# http and https: RFC 1738 section 3.3, RFC 3986.
#
#     httpurl  = "http://" hostport [ "/" hpath [ "?" search ]]
#     hpath    = hsegment *[ "/" hsegment ]
#     hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
#     search   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]


class HttpUrl(Url, schemes="http https", authority="host", login=False, same={"": "/"}):
    """An ``http`` or ``https`` URL: RFC 1738, section 3.3.

    >>> from urlextract import parse_url
    >>> url = parse_url("http://info.my.org/AboutUs/Index/Phonebook?dobbins")
    >>> url.host, url.port, url.default_port, url.path, url.search
    ('info.my.org', None, 80, '/AboutUs/Index/Phonebook', 'dobbins')
    """

    __slots__ = ()
    FORM = "{path}[?{search}]"
    CHARS = (
        Chars("path", "hsegment", HSEGMENT + "/", PCHAR + "/"),
        Chars("query", "search", HSEGMENT, QUERY, RFC1630_SEARCH),
    )
    FAULTS = (Fault(r"\A(\?)", "httpurl", 'no "/" before the search', (RFC1738,)),)
    search = Part[str | None](
        "The query by its name in RFC 1738: the text after ``?``, None if there is none."
    )


# ftp: RFC 1738 section 3.2, with the type codes of the draft.
#
#     ftpurl   = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
#     fpath    = fsegment *[ "/" fsegment ]
#     fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
#     ftptype  = "A" | "I" | "D" | "a" | "i" | "d"
#
# In RFC 1630 and the draft:
#
#     ftptype  = A formcode | E formcode | I | L digits
#     formcode = N | T | C

_DRAFT_TYPE = "[AEae][NTCntc]|[Ii]|[Ll][0-9]+"
_OF_TWO_LETTERS = lazy_re(rf"(?=..)(?:{_DRAFT_TYPE})\Z")


class FtpUrl(Url, schemes="ftp ftps", authority="host", acted_on=True, after_segments="_typecode"):
    """A file or a directory on an FTP server: RFC 1738, section 3.2.

    >>> from urlextract import parse_url
    >>> url = parse_url("ftp://info.cern.ch/pub/www/doc;type=d")
    >>> url.cwd, url.name, url.typecode
    (('pub', 'www'), 'doc', 'd')
    """

    __slots__ = ()
    FORM = "[/{cwd}{name}[;type={typecode}]]"
    CHARS = (
        Chars("cwd name", "fsegment", FSEGMENT + "/", PCHAR.replace(";", "") + "/"),
        Chars("_typecode", "ftptype", FSEGMENT + ";", PCHAR, XCHAR),
    )
    FAULTS = (
        Fault(unlike("[AIDaid]"), "ftptype", "a type that is none of a, i and d", _BUT_RFC1630, "typecode"),
        Fault(unlike(_DRAFT_TYPE), "ftptype", "a type that the draft does not have", (RFC1630,), "typecode"),
    )
    cwd = Part[tuple[str, ...]](
        "The directories to change to, in this order.",
        "(?:.*/)?",
        lambda raw: tuple(raw.split("/")[:-1]) if raw else (),
        lambda names: "".join(name + "/" for name in names),
    )
    name = Part[str | None](
        'The name of the file; "" if the path ends with a slash, None without a path.', "[^/]*?"
    )
    typecode = Part[str | None]("The type code after ``;type=``, None if there is none.", "[^;/]*")

    def commands(self, *, unsafe: bool = False) -> tuple[str, ...]:
        """Return the FTP commands that fetch the file after the login: RFC 1738, section 3.2.2.

        Octets that are not valid UTF-8 become surrogates (``surrogateescape``). Raise
        `UrlSyntaxError` if an argument has a line end or NUL, which would begin another command,
        unless ``unsafe``.

        >>> from urlextract import parse_url
        >>> parse_url("ftp://myname@host.dom/%2Fetc/motd").commands()
        ('CWD /etc', 'RETR motd')
        >>> parse_url("ftp://myname@host.dom//etc/motd;type=a").commands()
        ('CWD ', 'CWD etc', 'TYPE a', 'RETR motd')
        """
        at = self._stretch("cwd")[0]
        arguments: list[str] = []
        for segment in (*self.cwd, self.name or ""):
            octets = _sendable(self, at, at + len(segment), unsafe=unsafe)
            arguments.append(octets.decode("utf-8", "surrogateescape"))
            at += len(segment) + 1
        *directories, name = arguments
        changes = tuple(f"CWD {directory}" for directory in directories)
        typecode = self.typecode
        if typecode in ("d", "D") or not name:
            return (*changes, f"NLST {name}" if name else "NLST")
        if not typecode:
            return (*changes, f"RETR {name}")
        code = _sendable(self, *self._stretch("typecode"), unsafe=unsafe).decode("latin-1")
        if _OF_TWO_LETTERS.match(code):
            code = f"{code[0]} {code[1:]}"  # the blank of RFC 959, which the draft leaves out
        return (*changes, f"TYPE {code}", f"RETR {name}")


def _sendable(url: Url, start: int, end: int, *, unsafe: bool) -> bytes:
    """Return the octets to send for a component of ``url``, which is between two offsets of its text.

    Raise `UrlSyntaxError` if it has a CR, LF or NUL, encoded or not, unless ``unsafe``.
    """
    match = None if unsafe else ACTED_ON.search(url.text, start, end)
    if match:
        raise UrlSyntaxError("a line end or NUL, which the protocol would act on", url.text, match.span())
    return decoded_octets(url.text[start:end])


# gopher: RFC 1738 section 3.4, with the requests of the draft.
#
#     gopherurl = "gopher://" hostport [ "/" [ gtype [ selector
#                 [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
#     gtype     = xchar
#     selector  = *xchar
#
# No character is reserved after the host, so "?" does not begin a query.

# A filled-in form (ASK): the view, a flag for the data after it, the data, a full stop.
_ASK_FORM = lazy_re(rb"\+[^\t\r\n\0]*\t1\r\n\+-1\r\n(?:(?!\.\r)[^\r\n\0]*\r\n)*\.\r\n\Z")


class GopherUrl(
    Url, schemes="gopher", authority="host", login=False, segments=False, acted_on=True,
    same={"": "/1", "/": "/1"},
):  # fmt: skip
    """An item, a directory or a search of Gopher or Gopher+: RFC 1738, section 3.4.

    >>> from urlextract import parse_url
    >>> url = parse_url("gopher://gopher.example/7a_gopher_selector%09foobar")
    >>> url.gtype, url.selector, url.search, url.gopher_plus
    ('7', 'a_gopher_selector', 'foobar', None)
    """

    __slots__ = ()
    FORM = "[/{gtype}{selector}[%09{search}[%09{gopher_plus}]]]"
    CHARS = (Chars("path", "selector", XCHAR, QUERY, XCHAR),)
    gtype = Part[str](
        'The type of the item, one character or its escape; "1", a directory, if there is none.',
        "(?:(?<=/)(?:%[0-9A-Fa-f]{2}|.))?",  # nothing in "gopher://host?a", which has no slash
        lambda raw: raw or "1",
    )
    selector = Part[str](
        "The name of the item that the client sends; empty for the top directory of the server.",
        read=lambda raw: raw or "",
    )
    search = Part[str | None]("The words to search for, None if there are none.")
    gopher_plus = Part[str | None](
        "The Gopher+ string (a view, attributes or a form), None if there is none."
    )

    def _has_form(self) -> bool:
        """Return whether the Gopher+ string is a filled-in form (section 3.4.9), which has line ends."""
        return _ASK_FORM.match(decoded_octets(self.gopher_plus or "")) is not None

    def request(self, *, unsafe: bool = False) -> bytes:
        r"""Return the bytes that a client sends to request the item.

        Raise `UrlSyntaxError` for a line end or NUL, except in a filled-in form, unless ``unsafe``.

        >>> from urlextract import parse_url
        >>> parse_url("gopher://host/7a_gopher_selector%09foobar").request()
        b'a_gopher_selector\tfoobar\r\n'
        >>> parse_url("gopher://host/0a_gopher_selector%09%09!").request()
        b'a_gopher_selector\t!\r\n'
        """
        is_form = self._has_form()
        sent = []
        for name in ("selector", "search", "gopher_plus"):
            piece = self._piece(name)
            # Section 3.4.9 and the draft: an empty search before a Gopher+ string is not sent.
            if piece is not None and (piece or name != "search"):
                may_end = unsafe or (is_form and name == "gopher_plus")
                sent.append(_sendable(self, *self._stretch(name), unsafe=may_end))
        return b"\t".join(sent) + (b"" if is_form else b"\r\n")

    def _acted_on(self) -> Iterable[tuple[int, int]]:
        """Return the span of the path without a filled-in form, in which line ends are allowed."""
        end = self._stretch("gopher_plus")[0] if self._has_form() else self._path_end
        return ((self._path_start, end),)


# telnet, rlogin and tn3270: RFC 1738 section 3.8, and the draft.
#
#     telneturl = "telnet://" login [ "/" ]


class TelnetUrl(
    Url, schemes="telnet rlogin tn3270", authority="host", segments=False, acted_on=True, same={"": "/"}
):
    """An interactive service: RFC 1738, section 3.8.

    User and password are advice to the person who logs in.

    >>> from urlextract import parse_url
    >>> url = parse_url("telnet://guest:guest@locis.loc.gov/")
    >>> url.user, url.password, url.host, url.default_port
    ('guest', 'guest', 'locis.loc.gov', 23)
    """

    __slots__ = ()
    FORM = "{path}"
    CHARS = (Chars("path", "telneturl", XCHAR, QUERY, XCHAR),)
    FAULTS = (Fault(unlike("/?"), "telneturl", "a path, which a login does not have"),)


# wais: RFC 1738 section 3.9, with the fields of document identifiers in the draft.
#
#     waisdatabase = "wais://" hostport "/" database
#     waisindex    = "wais://" hostport "/" database "?" search
#     waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
#     wpath        = *uchar                             (RFC 1738)
#     wpath        = digits = path ; [ wpath ]          (RFC 1630 and the draft)

_WFIELD = lazy_re(r"([0-9]++)=([^;]*+);")


class WaisUrl(Url, schemes="wais", authority="host", login=False, segments=False, acted_on=True):
    """A WAIS database, a search of it, or a document in it: RFC 1738, section 3.9.

    >>> from urlextract import parse_url
    >>> url = parse_url("wais://quake.think.com/wais-discussion-archives?lynch")
    >>> url.database, url.search, url.wtype
    ('wais-discussion-archives', 'lynch', None)
    >>> parse_url("wais://host/db/TEXT/1=a;2=b%3Bc;").wfields
    (('1', 'a'), ('2', 'b%3Bc'))
    """

    __slots__ = ()
    FORM = "[/{database}[/{wtype}[/{wpath}]]][?{search}]"
    CHARS = (
        Chars("database", "database", UCHAR + "/", PCHAR + "/"),
        Chars("wtype opaque", "wpath", UCHAR + "/", PCHAR + "/"),
        Chars("fields", "wpath", UCHAR + "/", PCHAR + "/", RFC1630_PATH + "=;"),
        Chars("query", "search", HSEGMENT, QUERY, RFC1630_SEARCH),
    )
    FAULTS = (
        Fault(r"\A((?:/(?=/|\Z).*)?)\Z", "waisurl", "no database", stretch="path"),
        Fault(r"\A(/[^/]*/[^/]*)\Z", "waisdoc", "a type, and no document", stretch="path"),
        Fault(r"\A[^/]*(/)", "wpath", RESERVED, (RFC1738,), "wpath"),
        Fault(ALL, "wpath", "fields that are not number, content and semicolon", (RFC1630,), "opaque"),
        Fault(r"\A(?:/[^/?]*){2}/[^?]*(\?)", "waisurl", "a search of a document", _BUT_RFC1630),
    )
    database = Part[str | None]("The name of the database, None without a path.", "[^/?]*")
    wtype = Part[str | None]("The type of the document, None if the URL names none.", "[^/?]*")
    wpath = Part[str | None](
        "The identifier of the document, which only the server interprets; None if there is none.",
        r"(?P<fields>(?>(?:[0-9]++=[^;?]*+;)+)(?=\?|\Z))|(?P<opaque>[^?]*)",
    )
    search = Part[str | None]("The words to search for, None if there are none.")

    @property
    def wfields(self) -> tuple[tuple[str, str], ...] | None:
        """The numbers and contents of the identifier's fields, None if it does not have this form.

        RFC 1630 and the draft define the fields.
        """
        fields = self._piece("fields")
        return tuple(_WFIELD.findall(fields)) if fields else None


# prospero: RFC 1738 section 3.11, with the version of the draft.
#
#     prosperourl  = "prospero://" hostport "/" ppath *[ fieldspec ]
#     ppath        = psegment *[ "/" psegment ]
#     psegment     = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
#     fieldspec    = ";" fieldname "=" fieldvalue
#     prosperolink = p r o s p e r o : / / hostport / hsoname [ % 0 0 version [ attributes ] ]   (draft)


class ProsperoUrl(
    Url, schemes="prospero", authority="host", login=False, acted_on=True, after_segments="fields"
):
    """An object of the Prospero directory service: RFC 1738, section 3.11.

    >>> from urlextract import parse_url
    >>> url = parse_url("prospero://host.dom//pros/name;OBJECT-VERSION=3")
    >>> url.hsoname, url.fields
    ('/pros/name', (('OBJECT-VERSION', '3'),))
    >>> parse_url("prospero://host.dom/a/b%0012").version
    '12'
    """

    __slots__ = ()
    FORM = "[/{hsoname}[%00{version}{_attributes}]{fields}]"
    CHARS = (
        Chars("hsoname", "psegment", FSEGMENT + "/", QUERY),
        Chars("fields", "fieldspec", FSEGMENT + ";", QUERY),
    )
    FAULTS = (
        Fault(r"\A()\Z", "prosperourl", "no object"),
        Fault(r"(;[^;=]*)(?=;|\Z)", "fieldspec", 'a field without "="', stretch="fields"),
        Fault(r";[^;=]*=[^;=]*(=)", "fieldvalue", RESERVED, _BUT_RFC1630, "fields"),
    )
    hsoname = Part[str | None](
        "The host-specific object name, which only the server interprets; None without a path.", "[^;]*?"
    )
    version = Part[str | None](
        "The version, which the draft writes after ``%00``; None if there is none.", "[0-9]++"
    )
    _attributes = Part[str | None]("The attributes of the draft, which stay as they are.", "[A-Za-z0-9]*+")
    fields = paired(
        'The fields and their values, None for a field without "=".', ";", pattern="(?:;.*)?", first=";"
    )


# mailto, mid and cid: RFC 1738 section 3.5, RFC 6068, RFC 2392.
#
#     mailtoURI = "mailto:" [ to ] [ hfields ]
#     to        = addr-spec *("," addr-spec )
#     hfields   = "?" hfield *( "&" hfield )
#     hfield    = hfname "=" hfvalue
#     mid-url   = "mid" ":" message-id [ "/" content-id ]
#     cid-url   = "cid" ":" content-id
#
# In RFC 1738 and RFC 1630 a mailto URL is a single address.

_TO = ATOM + ".,@"
_ATOMS = rf"(?>(?:[{ATOM}]|%(?![01][0-9A-Fa-f]|20|7[fF])[0-9A-Fa-f]{{2}})+)"
_DOTTED = rf"{_ATOMS}(?>(?:\.{_ATOMS})*)"
_ADDRESS = rf"(?:{_DOTTED}|%22[^@,]*+)@(?:{_DOTTED}|%5[bB][^@,]*+)"
_NO_ADDRESS = rf"(?:\A(?!\Z)|,)((?!{_ADDRESS}(?:,|\Z))[^,]*)"
_OF_FIELDS = (RFC6068, RFC3986)
_IDENTIFIER = rf"(?:{_DOTTED}|%22[^@]*+)@(?:{_DOTTED}|%5[bB][^@]*+)"
_DOMAIN = lazy_re(r"@[^@,]*(?=,|\Z)")
_HEADER = lazy_re(r"((?i:body)=)[^&]*|[^&]+")


class MailtoUrl(Url, schemes="mailto", authority="none"):
    """Mail addresses, and header fields of the message to write: RFC 6068, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("mailto:a@example.org,b@example.org?subject=Hi%20there&body=x")
    >>> url.addresses, url.headers
    (('a@example.org', 'b@example.org'), (('subject', 'Hi%20there'), ('body', 'x')))
    >>> url.decoded("headers")[0]
    ('subject', 'Hi there')
    """

    __slots__ = ()
    FORM = "{addresses}[?{headers}]"
    GRAMMARS = (RFC6068, RFC1738, RFC3986, RFC1630)
    CHARS = (Chars("path", "to", XCHAR, _TO), Chars("query", "hfields", XCHAR, QCHAR + "&=", RFC1630_SEARCH))
    FAULTS = (
        Fault(_NO_ADDRESS, "addr-spec", "not an address", stretch="path"),
        Fault(r"\A()\Z", "encoded822addr", "no address", _OLD, "path"),
        Fault(r"\A([^,]*,.*)", "encoded822addr", "several addresses, which RFC 6068 alone has", _OLD, "path"),
        Fault(r"\A[^?]*(\?.*)", "encoded822addr", "header fields, which RFC 6068 alone has", _OLD),
        Fault(r"\A[^?]*(\?)\Z", "hfields", "no header field", _OF_FIELDS),
        Fault(r"(?:\A(?!\Z)|&)([^=&]*)(?=&|\Z)", "hfield", "a field without a value", _OF_FIELDS, "query"),
        Fault(r"(?:\A|&)[^=&]*=[^=&]*(=)", "hfvalue", RESERVED, _OF_FIELDS, "query"),
    )
    addresses = listed('The addresses before "?"; there may be none.', ",")
    headers = paired('The header fields and their values, None for a field without "=".', "&")

    def _acted_on(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the addresses and of the header fields, without the value of a "body" field.

        Line ends are allowed in a body.
        """
        yield self._path_start, self._path_end
        at, end = self._stretch("query")
        for field in _HEADER.finditer(self.text, at, end) if at >= 0 else ():
            yield field.span(field.lastindex or 0)

    def _levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form: the addresses with their hosts in lower case."""
        return _DOMAIN.sub(lambda match: match.group().lower(), levelled)


class MidUrl(Url, schemes="mid", authority="none"):
    """A message by its Message-ID, or a part of it by its Content-ID: RFC 2392, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("mid:960830.1639@XIson.com/partA.960830.1639@XIson.com")
    >>> url.message_id, url.content_id
    ('960830.1639@XIson.com', 'partA.960830.1639@XIson.com')
    """

    __slots__ = ()
    FORM = "{message_id}[/{content_id}]"
    GRAMMARS = (RFC2392, RFC3986, RFC1630)
    CHARS = (Chars("path", "message-id", UCHAR + "@/", _TO + "/"),)
    FAULTS = (
        Fault(unlike(_IDENTIFIER), "message-id", "not an identifier", stretch="message_id"),
        Fault(unlike(_IDENTIFIER), "content-id", "not an identifier", stretch="content_id"),
    )
    message_id = Part[str | None]("The Message-ID without its angle brackets.", "[^/]*")
    content_id = Part[str | None](
        "The Content-ID without its angle brackets, None for the whole message.", ".*"
    )


class CidUrl(MidUrl, schemes="cid"):
    """A part of the message that holds the URL, by its Content-ID: RFC 2392, section 2.

    >>> from urlextract import parse_url
    >>> parse_url("cid:foo4%25foo1@bar.net").decoded("content_id")
    'foo4%foo1@bar.net'
    """

    __slots__ = ()
    FORM = "{content_id}"


# news, snews, nntp and nntps: RFC 1738 sections 3.6 and 3.7, RFC 5538, and the draft.
#
#     newsurl   = "news:" grouppart
#     grouppart = "*" | group | article
#     group     = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
#     article   = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
#     nntpurl   = "nntp://" hostport "/" group [ "/" digits ]
#
# In RFC 5538 a news URL may have a server; in the draft an nntp URL has none:
#
#     newsURL     = scheme ":" [ news-server ] [ refs ]
#     nntpaddress = n n t p : group / digits

_NO_GROUP = "not the name of a group"
_GROUP = "[A-Za-z][A-Za-z0-9.+_-]*"
_WILDMAT = "(?:[A-Za-z0-9.+_*?!,-]|%[0-9A-Fa-f]{2})+"
_DRAFT_GROUP = rf"[A-Za-z](?:[{RFC1630_SEARCH}]|%[0-9A-Fa-f]{{2}})*"


def _is_of_group(url: NewsUrl) -> bool:
    """Return whether a URL must name a group; a server alone stands for all its groups."""
    return url.article is None and (url.host is None or url.group != "" or url.numbers is not None)


class NewsUrl(Url, schemes="news snews", login=False, segments=False, acted_on=True, slash=True):
    """A newsgroup, all newsgroups ("*"), or an article by its Message-ID: RFC 1738, section 3.6.

    >>> from urlextract import parse_url
    >>> url = parse_url("news:comp.infosystems.www.misc")
    >>> url.group, url.article
    ('comp.infosystems.www.misc', None)
    >>> parse_url("news:9405121234.AA123@cern.ch").article
    '9405121234.AA123@cern.ch'
    """

    __slots__ = ()
    FORM = "{group}[/{numbers}] | {article}"
    GRAMMARS = (RFC1738, RFC5538, RFC1630)
    CHARS = (
        Chars("group numbers", "grouppart", XCHAR, PCHAR + "/", XCHAR),
        Chars("unique", "article", UCHAR + ";/?:&=", PCHAR + "/", RFC1630_SEARCH),
        Chars("domain", "host", HOST, PCHAR, HOST),
    )
    FAULTS = (
        Fault(ALL, "newsurl", "a server, which only RFC 5538 has", _OLD, "authority"),
        Fault(unlike(rf"{_GROUP}|\*"), "group", _NO_GROUP, (RFC1738,), when=_is_of_group),
        Fault(unlike(_WILDMAT), "newsgroups", _NO_GROUP, (RFC5538,), when=_is_of_group),
        Fault(unlike(rf"{_DRAFT_GROUP}|\*"), "group", _NO_GROUP, (RFC1630,), when=_is_of_group),
        Fault(r"\A(@[^@]*|.*@)\Z", "article", 'nothing on one side of the "@"'),
        Fault(r"\A(.*%.*)", "host", "an escape, which a host does not have", _OLD, "domain"),
    )
    group = Part[str | None]('The group, "*" for all groups, None for an article.', "(?!.*@).*?")
    numbers = Part[str | None](
        'The numbers of articles in the group, such as "1-5" or "7", else None; no standard has them.',
        "[0-9]++(?:-[0-9]*+)?",
    )
    article = Part[str | None](
        'The Message-ID without its angle brackets, None for a group; only a Message-ID has an "@".',
        "(?P<unique>.*)@(?P<domain>.*)",
    )


class NntpUrl(
    Url, schemes="nntp nntps", authority="host", login=False, segments=False, acted_on=True, slash=True,
    bare="[A-Za-z][^/]*/[0-9]+",
):  # fmt: skip
    """An article by its number in a group of one server: RFC 1738, section 3.7.

    >>> from urlextract import parse_url
    >>> url = parse_url("nntp://news.cern.ch/cern.computing/1234")
    >>> url.host, url.group, url.article, url.default_port
    ('news.cern.ch', 'cern.computing', '1234', 119)
    >>> parse_url("nntp:cern.computing/1234").grammars
    ('rfc1630',)
    """

    __slots__ = ()
    FORM = "[{group}[/{article}]]"
    CHARS = (Chars("path", "nntpurl", UCHAR + "/", PCHAR + "/"),)
    FAULTS = (
        Fault(ALL, "nntpurl", "no server, which the draft alone allows", _BUT_RFC1630, "", _lacks("host")),
        Fault(
            START, "nntpaddress", "a server, which the draft does not have", (RFC1630,), "path", _has("host")
        ),
        Fault(rf"\A((?!{_GROUP}(?:/|\Z)|\*\Z)[^/]*)", "group", _NO_GROUP),
        Fault(unlike("[0-9]+"), "nntpurl", "not the number of an article", stretch="article"),
    )
    # An empty group comes after the slash of a host; without one there is no group.
    group = Part[str | None]("The group, None for the server as a whole.", "[^/]+|(?<=/)")
    article = Part[str | None]("The number of the article in the group, None for the whole group.", ".*")


# file and afs: RFC 1738 section 3.10, RFC 8089, uri(7), RFC 1630.
#
#     fileurl    = "file://" [ host | "localhost" ] "/" fpath
#     afsaddress = a f s : / / cellname / path


class FileUrl(Url, schemes="file", login=False):
    """A file on a host, or on the local machine: RFC 1738, section 3.10.

    >>> from urlextract import parse_url
    >>> url = parse_url("file://vms.host.edu/disk$user/my/notes/note12345.txt")
    >>> url.host, url.path, url.is_local
    ('vms.host.edu', '/disk$user/my/notes/note12345.txt', False)
    >>> parse_url("file:///C|/autoexec.bat").drive, parse_url("file:/etc/passwd").is_local
    ('C', True)
    """

    __slots__ = ()
    FORM = "{path}"
    GRAMMARS = (RFC1738, RFC3986, RFC1630, URI7)
    CHARS = (
        Chars("before", "fsegment", FSEGMENT + "/", PCHAR + "/", uri7=PCHAR + "/|"),
        Chars("after", "fsegment", FSEGMENT + "/", PCHAR + "/"),
    )
    FAULTS = (
        Fault(START, "fileurl", 'no "//", which uri(7) alone allows', OF_ALL, when=_lacks("host")),
        Fault(r"\A()\Z", "fileurl", "no path", (RFC1738,), when=_has("host")),
        Fault(START, "fileurl", "a port, which a file does not have", OF_ALL, when=_has("port")),
    )
    path = Part[str](
        "The path between authority and query, with its first slash; it may be empty.",
        r"(?P<before>/?(?P<letter>[A-Za-z])[|:](?=/|\Z))?(?P<after>.*)",
    )

    @property
    def is_local(self) -> bool:
        """Whether the file is on the local machine: there is no host, or it is empty or ``localhost``."""
        return (self.host or "localhost").lower() == "localhost"

    @property
    def drive(self) -> str | None:
        """The letter of the drive in a DOS path (``C|`` or ``C:``), None if there is none."""
        return self._piece("letter")

    def _same_host(self) -> str:
        """Return the host for comparison; all forms of the local host are equal (section 3.10)."""
        return "" if self.is_local else (self.host or "").lower()


class AfsUrl(Url, schemes="afs", login=False):
    """A file of the Andrew File System, by its cell and its path in the cell: RFC 1630.

    >>> from urlextract import parse_url
    >>> url = parse_url("afs://athena.mit.edu/user/t/timbl")
    >>> url.cell, url.path
    ('athena.mit.edu', '/user/t/timbl')
    >>> parse_url("afs:/athena.mit.edu/user").cell
    'athena.mit.edu'
    """

    __slots__ = ()
    FORM = "{path}"
    GRAMMARS = (RFC1630, RFC3986)
    CHARS = (Chars("path", "path", XCHAR, PCHAR + "/"),)
    FAULTS = (Fault(START, "afsaddress", 'no "//" before the cell', (RFC1630,), when=_lacks("host")),)

    @property
    def cell(self) -> str:
        """The cell: the host, or the first segment of a path without one."""
        return self.path.removeprefix("/").partition("/")[0] if self.host is None else self.host


# urn: RFC 8141, and the early form of RFC 1630.
#
#     namestring    = assigned-name [ rq-components ] [ "#" f-component ]
#     assigned-name = "urn" ":" NID ":" NSS
#     rq-components = [ "?+" r-component ] [ "?=" q-component ]
#     NID           = (alphanum) 0*30(ldh) (alphanum)
#     NSS           = pchar *(pchar / "/")

_ESCAPE = lazy_re("%[0-9A-Fa-f]{2}")
_OF_URN = (RFC8141, RFC3986)
_NID = "[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]"
_TAIL, _NO_LETTER = "_r_component _q_component", "nothing, or not a letter first"
_LETTER = rf"(?:[{PCHAR}]|%[0-9A-Fa-f]{{2}})"
_R_COMPONENT = rf"\?=.*|\?\+{_LETTER}.*"
_Q_COMPONENT = rf"(?>(?:\?\+.*?(?=\?=|\Z))?)(?:\?={_LETTER}.*)?"


class UrnUrl(Url, schemes="urn", authority="none"):
    """A name in a namespace: RFC 8141, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("urn:ietf:rfc:2648")
    >>> url.nid, url.nss
    ('ietf', 'rfc:2648')
    >>> parse_url("urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3").grammars
    ('rfc1630',)
    """

    __slots__ = ()
    FORM = "[{nid}:]{nss}[?+{r_component}][?={q_component}]"
    GRAMMARS = (RFC8141, RFC3986, RFC1630)
    CHARS = (
        Chars("nid nss", "NSS", PCHAR + "/", PCHAR + "/"),
        Chars(_TAIL, "rq-components", QUERY, QUERY, RFC1630_SEARCH),
    )
    FAULTS = (
        Fault(START, "URN", "no slash before the name", (RFC1630,), when=_has("nid")),
        Fault(unlike("/.*"), "URN", "no slash before the name", (RFC1630,), "nss", when=_lacks("nid")),
        Fault(ALL, "assigned-name", "no name space", _OF_URN, "nss", _lacks("nid")),
        Fault(unlike(_NID), "NID", "not the name of a name space", _OF_URN, "nid"),
        Fault(r"\A()\Z", "NSS", "no name in the name space", _OF_URN, "nss", _has("nid")),
        Fault(r"\A(/)", "NSS", "a slash at the beginning", _OF_URN, "nss", _has("nid")),
        Fault(unlike(_R_COMPONENT), "r-component", _NO_LETTER, _OF_URN, _TAIL),
        Fault(unlike(_Q_COMPONENT), "q-component", _NO_LETTER, _OF_URN, _TAIL),
    )
    nid = Part[str | None](
        "The namespace identifier, None if there is no colon after it.", r"(?![^:]*?\?[+=])[^:/]*"
    )
    nss = Part[str](
        "The name in that namespace; the whole name in the form of RFC 1630.", r".*?(?=\?[+=]|\Z)"
    )
    r_component = Part[str | None](
        "The text after ``?+``, for the resolver; None if there is none (RFC 8141, section 2.3.1).",
        r".*?(?=\?=|\Z)",
    )
    q_component = Part[str | None](
        "The text after ``?=``, for the named resource; None if there is none (RFC 8141, section 2.3.2).",
        ".*",
    )

    def _same_path(self) -> str:
        """Return the name for comparison; r- and q-components are ignored (RFC 8141, section 3.2)."""
        return self.text[slice(*self._stretch("nid nss"))]

    def _levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form: RFC 8141, section 3.1.

        The namespace is in lower case and escapes are in upper case. Nothing is decoded.
        """
        if self.nid is None:
            return levelled
        nid, colon, nss = self.path.partition(":")
        return nid.lower() + colon + _ESCAPE.sub(lambda match: match.group().upper(), nss)


# man, info, ghelp, whatis, about and toc: the schemes of uri(7) for the documentation of a system.
#
#     man:command-name          info:virtual-filename          info:(virtual-filename)
#     man:command-name(section) info:virtual-filename#nodename info:(virtual-filename)nodename
#     whatis:string             ghelp:name-of-application      about:subject   toc:subject


class _Local(Url, authority="none"):
    """The base class: a name without a server."""

    __slots__ = ()
    FORM = "{path}"
    GRAMMARS = (URI7, RFC3986)
    CHARS = (
        Chars("path", "character encoding", QUERY, QUERY),
        Chars("query", "character encoding", QUERY, QUERY),
    )


class ManUrl(_Local, schemes="man"):
    """A ``man`` URL, as in uri(7): a page of the manual.

    >>> from urlextract import parse_url
    >>> url = parse_url("man:ls(1)")
    >>> url.name, url.section
    ('ls', '1')
    """

    __slots__ = ()
    FORM = "{name}[({section})]"
    FAULTS = (Fault(unlike(r"[^()/]+(?:\([^()]+\))?"), "man", "not a name with a section after it"),)
    name = Part[str]("The name of the page.", "[^()/]*|.*")
    section = Part[str | None]("The section of the manual, None for any section.", "[^()]*")


class InfoUrl(_Local, schemes="info ghelp"):
    """An ``info`` or ``ghelp`` URL, as in uri(7): a node of an info file, in the form of GNOME or KDE.

    >>> from urlextract import parse_url
    >>> gnome, kde = parse_url("info:gcc#G++_and_GCC"), parse_url("info:(gcc)G++ and GCC")
    >>> gnome.name, gnome.node, kde.name, kde.node
    ('gcc', 'G++_and_GCC', 'gcc', 'G++ and GCC')
    """

    __slots__ = ()
    FORM = "({name})[{node}] | {name}[#{node}]"
    CHARS = (
        Chars("name_of_kde node_of_kde", "info", QUERY, QUERY, uri7=QUERY + " "),
        Chars("name_of_gnome", "info", QUERY, QUERY),
    )
    FAULTS = (Fault(r"\A(\(\).*|\((?![^()]*\)).*|//.*|)\Z", "info", "no name of a file", stretch="path"),)
    # The form of KDE has the name after a parenthesis, that of GNOME after the colon.
    name = Part[str]("The name of the file.", r"(?<=\()(?P<name_of_kde>[^()]*)|(?<!\()(?P<name_of_gnome>.*?)")
    node = Part[str | None](
        'The node, None for "Top"; KDE writes blanks in it, GNOME underscores.',
        r"(?<=\))(?P<node_of_kde>.+)|(?<=#).*",
    )


class WhatisUrl(_Local, schemes="whatis"):
    """A ``whatis`` URL, as in uri(7): a word to look up in the descriptions of commands.

    >>> from urlextract import parse_url
    >>> parse_url("whatis:ed").word
    'ed'
    """

    __slots__ = ()
    FORM = "{word}"
    word = Part[str]("The word to look up.")


class AboutUrl(_Local, schemes="about toc"):
    """An ``about`` or ``toc`` URL, as in uri(7): a page that the program generates itself.

    >>> from urlextract import parse_url
    >>> url = parse_url("about:config?filter=font")
    >>> url.subject, url.query
    ('config', 'filter=font')
    """

    __slots__ = ()
    FORM = "{subject}[?{query}]"
    subject = Part[str]("The subject of the page.")


# ldap and ldaps: RFC 4516, uri(7).
#
#     ldapurl     = scheme COLON SLASH SLASH [host [COLON port]]
#                      [SLASH dn [QUESTION [attributes]
#                      [QUESTION [scope] [QUESTION [filter]
#                      [QUESTION extensions]]]]]
#     attributes  = attrdesc *(COMMA attrdesc)
#     scope       = "base" / "one" / "sub"
#     extensions  = extension *(COMMA extension)
#     extension   = [EXCLAMATION] extype [EQUALS exvalue]


class LdapUrl(
    Url, schemes="ldap ldaps", authority="slashes", login=False, segments=False, acted_on=True, same={"": "/"}
):
    """A search in an LDAP directory: RFC 4516, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("ldap://host.com:6666/o=University%20of%20Michigan,c=US??sub?(cn=Babs%20Jensen)")
    >>> url.dn, url.attributes, url.scope, url.filter, url.extensions
    ('o=University%20of%20Michigan,c=US', (), 'sub', '(cn=Babs%20Jensen)', ())
    """

    __slots__ = ()
    FORM = "[/{dn}][?{attributes}[?{scope}[?{filter}[?{extensions}]]]]"
    GRAMMARS = (RFC4516, RFC3986)
    CHARS = (Chars("path", "dn", PCHAR + "/", PCHAR + "/"), Chars("query", "ldapurl", QUERY, QUERY))
    FAULTS = (
        Fault(r"\A()(?=\?)", "ldapurl", 'no "/" before the search'),
        Fault(unlike(".*=.*|"), "dn", "not a distinguished name", stretch="dn"),
        Fault(r"\A(,.*|.*,,.*|.*,)\Z", "attributes", "an attribute without a name", stretch="attributes"),
        Fault(
            unlike("(?i:base|one|sub|)"), "scope", "a scope that is none of base, one and sub", (), "scope"
        ),
        Fault(unlike(r"|\(.*\)"), "filter", "a filter without parentheses", stretch="filter"),
        Fault(
            r"\A(.*\?.*|(?:.*,)?!?(?:[,=].*)?)\Z",
            "extensions",
            "an extension without a name",
            stretch="extensions",
        ),
    )
    dn = Part[str | None](
        "The distinguished name of the object where the search begins, None without a path.", "[^?]*"
    )
    attributes = Part[tuple[str, ...] | None](
        "The requested attributes; () and None mean all.",
        "[^?]*",
        lambda raw: tuple(raw.split(",")) if raw else None if raw is None else (),
        lambda names: None if names is None else ",".join(names),
    )
    scope = Part[str | None](
        'The scope of the search: ``base``, ``one`` or ``sub``; "" and None mean ``base``.', "[^?]*"
    )
    filter = Part[str | None]("The filter for the entries of the result, None if there is none.", "[^?]*")
    extensions = paired(
        'The extensions and their values, None for one without "="; a critical one begins with "!".', ","
    )
