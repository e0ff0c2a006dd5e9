"""What a link shows, and whether it leads there.

A text shows something where all of it is a URL, a host or a mail address. Click trackers lead elsewhere
for a living, so which difference is a lie is for the caller to say: `is_redirector` names them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from urlextract.grammar.confusables import skeleton
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_NAME
from urlextract.grammar.tlds import tld_of
from urlextract.linebreaks.joining import joined_url
from urlextract.records import Candidate
from urlextract.scanner.buffer import ScanLimits, candidate_of
from urlextract.scanner.stream import Stream
from urlextract.schemes.authority import to_unicode
from urlextract.schemes.escapes import decoded_text

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

    from urlextract.results import Difference

__all__ = ["NOTHING", "Shown", "difference", "host_of", "is_redirector", "what_is_shown"]


class Shown(NamedTuple):
    """The URL, host or address that a text is, and how it differs from where its link leads."""

    text: str | None
    differs: Difference | None = None


NOTHING = Shown(None)

# What Unicode calls default ignorable, controls, and a letter that is blank; what stands for a dot.
_UNSEEN = lazy_re(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_DOTS = dict.fromkeys(map(ord, "\u3002\uff61"), ".")
_LABEL = lazy_re(r"(?i:URL:\s*+)")
_CUT = lazy_re(r"\[?(?:\.\.\.|\u2026)\]?")
# Marks that people put around a URL or after it. They belong to it only if the target has them, too.
_ROUND = (
    "<>()[]{}\"'`*_|~- \u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c"
    "\u2013\u2014\u2022\u00b7\u25b6\u25ba\u2190\u2192\u2197\u279c\u27a1\u300d\u300e\u300f\u3010\u3011"
)
_BEHIND = f"{_ROUND}.,;:!?"
_MAY_BE_ONE = lazy_re(rf"[^\s@]++@[^\s@]++\Z|[^\s.]++\.\S++\Z|{SCHEME_NAME}:\S")
_WITH_SCHEME = lazy_re(rf"{SCHEME_NAME}:")
_AFTER_SLASHES = lazy_re(r":(?:// |\\\\)")
_NAME = lazy_re(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}\Z")
# Top-level domains that are extensions of files, which links are named after, more often.
_OF_FILES = frozenset(["am", "cc", "md", "ml", "mm", "mov", "pm", "ps", "py", "rs", "sh", "so", "zip"])
_LIMITS = ScanLimits(relaxed=True, emails=True)

# RFC 3986, appendix B
_PARTS = lazy_re(r"(?:([^:/?#]++):)?+(?://([^/?#]*+))?+([^?#]*+)(\?[^#]*+)?+(#.*)?+", re.DOTALL)
_PORT = lazy_re(r":([0-9]*)\Z")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21"}
_NUMBERS = lazy_re(r"\[.*\]\Z|[0-9][0-9A-Fa-fxX.]*\Z")
_ADDRESS = lazy_re(r"[0-9.]+\Z|\[.*\]\Z")
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
    if not text.isascii():
        pieces = text.translate(_DOTS).split("\u2026")  # which NFKC would make dots of
        text = "\u2026".join(normalize("NFKC", piece) for piece in pieces)
    whole = _LABEL.sub("", " ".join(_UNSEEN.sub("", text).split()), 1)
    if _WITH_SCHEME.match(whole):
        blanks = ("%20", "") if " " in whole else ("",)  # those of the target, or of lines that were cut
        if any(difference(target, whole.replace(" ", blank)) is None for blank in blanks):
            return Shown(whole)
    inner = _AFTER_SLASHES.sub("://", whole.strip(_ROUND))
    cut = _CUT.search(inner)
    if cut and " " not in inner:
        return _of_a_cut(inner, cut.start(), cut.end(), target)
    for shown in (whole, inner, inner.rstrip(_BEHIND)):
        url = _url_of(shown, target) if _MAY_BE_ONE.match(shown) else None
        if url:
            return Shown(shown, difference(target, url))
    return NOTHING


def _url_of(text: str, target: str) -> str | None:
    """Return the URL that ``text`` is, with its scheme, or None."""
    url = _url_alone(text)
    tld = text.rpartition(".")[2].lower()
    if url or not _NAME.match(text) or not tld_of(tld) or tld in _OF_FILES:
        return url
    # What may be the name of a file is one where the target has it.
    return None if f"/{text}" in f"{_parts_of(target).rest}/" else f"http://{text}"


@lru_cache(maxsize=256)
def _url_alone(text: str) -> str | None:
    """Return the URL that the scanner finds ``text`` to be."""
    stream = Stream(_LIMITS)
    for hit in stream.feed(text, is_whole=True)[0]:
        candidate = candidate_of(hit, text)
        if isinstance(candidate, Candidate) and candidate.span == (0, len(text)):
            return joined_url(candidate)
    return None


def _of_a_cut(shown: str, start: int, end: int, target: str) -> Shown:
    """Return what a text with an ellipsis at ``start:end`` shows.

    A host that is cut within a label says nothing of where it ends.
    """
    begin, rest = shown[:start], shown[end:]
    url = _url_of(begin, "")
    if url is None and not _WITH_SCHEME.match(begin):
        return NOTHING
    seen, parts = _parts_of(url or begin), _parts_of(target)
    host, target_host = seen.host or "", parts.host or ""
    is_complete = tld_of(host.rpartition(".")[2]) or target_host[len(host) :].startswith(".")
    if host == target_host or not (seen.rest or (is_complete and not begin.endswith("."))):
        whole, seen_text = f"{target_host}{parts.rest}", f"{host}{seen.rest}"
        if whole.startswith(seen_text) and whole[len(seen_text) :].endswith(_normal(rest).rstrip("/")):
            return Shown(shown)
    return Shown(shown, difference(target, url or begin) or "path")


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
    if one.host is None or other.host is None:  # tel:, doi: and the like are no domain
        return "path"
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
    if _NUMBERS.match(authority):
        authority = _address(authority)
    return to_unicode(decoded_text(authority).lower()).rstrip(".").removeprefix("www.")


def _address(host: str) -> str:
    """Return an address as it is usually written, if it is one."""
    from ipaddress import IPv6Address  # noqa: PLC0415 - few hosts are addresses
    from socket import inet_aton, inet_ntoa  # noqa: PLC0415 - as above

    try:
        return f"[{IPv6Address(host[1:-1])}]" if host.startswith("[") else inet_ntoa(inet_aton(host))
    except (OSError, ValueError):
        return host


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
    if one == other or target.endswith(f".{shown}"):
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
        t.ly youtu.be cutt.ly trib.al wp.me""",
    )
)
# Of these hosts only some paths redirect.
_REDIRECTING = lazy_re(
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
