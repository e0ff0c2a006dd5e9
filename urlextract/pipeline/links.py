"""What a link shows, and whether it leads there.

A text shows something where all of it is a URL, a host or a mail address. Click trackers lead elsewhere
for a living, so which difference is a lie is for the caller to say: `is_redirector` names them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from urlextract.grammar.confusables import skeleton
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEME_NAME
from urlextract.linebreaks.joining import joined_url
from urlextract.records import Candidate
from urlextract.scanner.buffer import Limits, candidate_of
from urlextract.scanner.stream import Stream
from urlextract.schemes.escapes import decoded_text
from urlextract.schemes.names import to_unicode

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

    from urlextract.results import Difference

__all__ = ["NOTHING", "Shown", "difference", "host_of", "is_redirector", "what_is_shown"]


class Shown(NamedTuple):
    """The URL, host or address that a text is, and how it differs from where its link leads."""

    text: str | None
    differs: Difference | None = None


NOTHING = Shown(None)

_UNSEEN = later("[\u00ad\u200b-\u200f\u2060\ufeff]")
_ROUND = " \t\n\r\f\xa0<>()[]{}\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a"
_BEHIND = f"{_ROUND},;:!"
_LABEL = later(r"(?i:URL:\s*+)")
_CUT = later(r"\[?(?:\.\.\.|\u2026)\]?")
_MAY_BE_ONE = later(rf"[^\s@]++@[^\s@]++\Z|[^\s.]++\.\S++\Z|{SCHEME_NAME}:\S")
_WITH_SCHEME = later(rf"{SCHEME_NAME}://")
_LIMITS = Limits(relaxed=True, emails=True)

# RFC 3986, appendix B
_PARTS = later(r"(?:([^:/?#]++):)?+(?://([^/?#]*+))?+([^?#]*+)(\?[^#]*+)?+(#.*)?+", re.DOTALL)
_PORT = later(r":([0-9]*)\Z")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21"}
_ADDRESS = later(r"[0-9.]+\Z|\[.*\]\Z")
_LEAST_LIKE = 0.3  # distance of two names, from 0 (the same) to 1


class _Target(NamedTuple):
    """A URL as far as two are compared: its host (None: it has none), and all that follows."""

    host: str | None
    rest: str


def what_is_shown(text: str, target: str) -> Shown:
    """Return what the text of a link to ``target`` shows.

    >>> what_is_shown("www.a.example/x", "http://a.example/x"), what_is_shown("read more", "http://a.example/")
    (Shown(text='www.a.example/x', differs=None), Shown(text=None, differs=None))
    >>> [what_is_shown(text, "https://paypa1.com/in").differs for text in ("paypal.com", "bank.com")]
    ['lookalike', 'domain']
    """
    shown = _LABEL.sub("", _UNSEEN.sub("", text).strip(_ROUND), 1).lstrip(_ROUND).rstrip(_BEHIND)
    if not _MAY_BE_ONE.match(shown):
        return NOTHING
    cut = _CUT.search(shown)
    if cut:
        return _of_a_cut(shown, cut.start(), cut.end(), target)
    shown = shown.rstrip(f"{_BEHIND}.")
    url = _url_of(shown)
    if url:
        return Shown(shown, difference(target, url))
    # Blanks in it are those of the target.
    is_target = _WITH_SCHEME.match(shown) and difference(target, "%20".join(shown.split())) is None
    return Shown(shown) if is_target else NOTHING


@lru_cache(maxsize=256)
def _url_of(text: str) -> str | None:
    """Return the URL that ``text`` is, with its scheme, or None."""
    stream = Stream(_LIMITS)
    for hit in stream.feed(text, is_whole=True)[0]:
        candidate = candidate_of(hit, text)
        if isinstance(candidate, Candidate) and candidate.span == (0, len(text)):
            return joined_url(candidate)
    return None


def _of_a_cut(shown: str, start: int, end: int, target: str) -> Shown:
    """Return what a text with an ellipsis at ``start:end`` shows.

    One that is cut within its host says nothing of where that ends.
    """
    begin, rest = shown[:start], shown[end:]
    if any(sign.isspace() for sign in shown):
        return NOTHING
    with_scheme = begin if _WITH_SCHEME.match(begin) else f"http://{begin}"
    url = _url_of(begin)
    if url is None and not _WITH_SCHEME.match(begin):
        return NOTHING
    shown_parts, parts = _parts_of(url or with_scheme), _parts_of(target)
    is_host_cut = "/" not in with_scheme.partition("://")[2]
    if shown_parts.host == parts.host or (is_host_cut and url is None):
        whole = f"{parts.host}{parts.rest}"
        seen = f"{shown_parts.host}{'' if is_host_cut else shown_parts.rest}"
        if whole.startswith(seen) and whole[len(seen) :].endswith(_normal(rest).rstrip("/")):
            return Shown(shown)
    return Shown(shown, difference(target, url or with_scheme) or "path")


def difference(target: str, shown: str) -> Difference | None:
    """Return how the URL ``shown`` differs from ``target``, None where it is the same in other words.

    >>> difference("https://www.a.example/x/", "http://A.example/%78")
    >>> [difference("http://evil.example/", "http://a.example/"), difference("http://b.amazon.de", "http://amazon.com")]
    ['domain', 'brand']
    """
    if target == shown:
        return None
    one, other = _parts_of(target), _parts_of(shown)
    if one == other:
        return None
    if one.host == other.host:
        return "path"
    if one.host is None or other.host is None:
        return "domain"
    return _difference_of_hosts(one.host, other.host)


@lru_cache(maxsize=1024)
def _parts_of(url: str) -> _Target:
    scheme, authority, path, query, fragment = _PARTS.fullmatch(url).groups(default="")  # type: ignore[union-attr]
    scheme = scheme.lower()
    rest = _normal(path + query + fragment)
    if scheme == "mailto":
        address = _normal(path)
        _, at, host = address.rpartition("@")
        return _Target(_host(host, scheme) if at else None, address.lower())
    if not authority:
        return _Target(None, f"{scheme}:{rest}")
    host = _host(authority.rpartition("@")[2], scheme)
    return _Target(host, rest.rstrip("/") if scheme in _DEFAULT_PORTS else f"{scheme}:{rest}")


def _normal(text: str) -> str:
    """Return a text whose percent signs are undone, as far as readers and servers take them for the same."""
    return decoded_text(text.replace("&amp;", "&")).removesuffix("?")


def _host(authority: str, scheme: str) -> str:
    """Return a host as it is compared: in lower case and in its own letters, without ``www.``."""
    port = _PORT.search(authority)
    if port and port[1] in ("", _DEFAULT_PORTS.get(scheme)):
        authority = authority[: port.start()]
    return to_unicode(decoded_text(authority).lower()).rstrip(".").removeprefix("www.")


def host_of(url: str) -> str:
    """Return the host of a URL, as a reader knows it.

    >>> host_of("http://www.paypal.com@evil.example:80/x")
    'evil.example'
    """
    return _parts_of(url).host or url


@cache
def _suffixes(*, only_icann: bool) -> PublicSuffixList:
    """Return the Public Suffix List: 30 ms that only links pay which show another host."""
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - as above

    return PublicSuffixList(only_icann=only_icann)


@lru_cache(maxsize=1024)
def _difference_of_hosts(target: str, shown: str) -> Difference:
    target, shown = (_PORT.sub("", host) for host in (target, shown))
    one, other = _registered(target), _registered(shown)
    if one == other:
        return "host"
    name, other_name = one.partition(".")[0], other.partition(".")[0]
    if _ADDRESS.match(one) or _ADDRESS.match(other):
        return "domain"
    if name == other_name and _is_of_a_registry(one) and _is_of_a_registry(other):
        return "brand"
    if name != other_name and skeleton(name) == skeleton(other_name):
        return "lookalike"
    distance = 2 * _levenshtein(one, other) / (len(one) + len(other))
    return "lookalike" if distance <= _LEAST_LIKE else "domain"


def _registered(host: str) -> str:
    """Return the domain that somebody registered, of an address the address."""
    return host if _ADDRESS.match(host) else _suffixes(only_icann=False).privatesuffix(host) or host


def _is_of_a_registry(domain: str) -> bool:
    """Return whether a domain is registered with a registry, not had from somebody who gives away names."""
    return _suffixes(only_icann=True).privatesuffix(domain) == domain


_LONGEST_COMPARED = 80  # characters; time grows with the square


def _levenshtein(one: str, other: str) -> int:
    """Return how many characters have to be put in or left out to make one name of the other."""
    one, other = one[:_LONGEST_COMPARED], other[:_LONGEST_COMPARED]
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        before, row[0] = row[0], number
        for at, another in enumerate(other, 1):
            before, row[at] = row[at], before if letter == another else min(row[at], row[at - 1]) + 1
    return row[-1]


# Gateways that rewrite links, click trackers, and services that shorten: what they lead to is not seen.
_REDIRECTORS = frozenset(
    re.findall(
        r"\S+",
        """safelinks.protection.outlook.com safelinks.protection.office365.us mcas.ms
        urldefense.proofpoint.com urldefense.com urldefense.us urlisolation.com linkprotect.cudasvc.com
        secure-web.cisco.com trendmicro.com protection.sophos.com protect2.fireeye.com
        clicktime.symantec.com url-protection.com protect.checkpoint.com url.avanan.click
        link.edgepilot.com link.zixcentral.com atpscan.global.hornetsecurity.com linklock.titanhq.com
        scanner.topsec.com scanmail.trustwave.com urlsand.esvalabs.com vadesecure.com mailinblack.com
        mimecast.com mimecastprotect.com url.emailprotection.link mailguard.com.au
        l.facebook.com lm.facebook.com l.instagram.com l.threads.com l.messenger.com out.reddit.com
        slack-redir.net t.umblr.com deref-gmx.net deref-web.de deref-mail.com
        awstrack.me mandrillapp.com pstmrk.it acemlna.com acemlnb.com acemlnc.com acemlnd.com
        sendgrid.net list-manage.com mailchi.mp hubspotlinks.com hubspotemail.net rs6.net exct.net
        exacttarget.com createsend.com cmail19.com cmail20.com klclick.com klaviyomail.com
        customeriomail.com mailgun.org sparkpostmail.com clicks.aweber.com convertkit-mail.com
        convertkit-mail2.com mailjet.com mjt.lu sendibt2.com sendibt3.com sendibm1.com getresponse.com
        constantcontact.com doubleclick.net googleadservices.com mktoweb.com en25.com pardot.com
        bit.ly t.co tinyurl.com goo.gl ow.ly lnkd.in is.gd buff.ly amzn.to dlvr.it fb.me j.mp rebrand.ly
        t.ly cutt.ly trib.al wp.me""",
    )
)
# Of these hosts only some paths redirect.
_REDIRECTING = later(
    r"https?://(?:www\.google\.[a-z.]{2,6}/url|(?:www\.)?bing\.com/ck/a|(?:www\.)?duckduckgo\.com/l/"
    r"|search\.yahoo\.com/.{0,200}/RU=|r\.search\.yahoo\.com/|(?:www\.)?linkedin\.com/(?:safety/go|redir/)"
    r"|(?:www\.)?youtube\.com/redirect|(?:www\.)?vk\.com/away\.php|steamcommunity\.com/linkfilter/"
    r"|outlook\.office\.com/mail/safelink|(?:[\w-]+\.)?substack\.com/redirect/)",
    re.IGNORECASE,
)


def is_redirector(url: str) -> bool:
    """Return whether a URL is one of a service that leads on to others, so that its own host says nothing.

    >>> is_redirector("https://eur01.safelinks.protection.outlook.com/?url=x"), is_redirector("http://at.co/")
    (True, False)
    """
    labels = host_of(url).split(".")
    hosts = (".".join(labels[at:]) for at in range(max(0, len(labels) - 4), len(labels)))
    return any(host in _REDIRECTORS for host in hosts) or _REDIRECTING.match(url) is not None
