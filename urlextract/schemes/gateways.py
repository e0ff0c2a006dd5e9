"""Find the targets of links that gateways, mail senders and sites have rewritten, without a network.

Gateways of mail replace each link by one to themselves that has the target in it, encoded. `_GATEWAYS` has
a row for each form of such a link: all that a new service takes is a row, and a case in its test. A target
is only returned if all of it is there: a link that was cut, or that somebody made up, has none.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import unescape
from typing import Any, NamedTuple, TypeAlias

from urlextract.brief import brief
from urlextract.grammar.domains import tld_of
from urlextract.grammar.escapes import decoded_octets, escaped
from urlextract.grammar.hosts import authority_end
from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import REFERENCE
from urlextract.schemes.url import Url

Gateways: TypeAlias = Mapping[str, "list[tuple[int, _Gateway]]"]
"""Gateways that a user names, by host: each with its number in the order of the user."""
NO_GATEWAYS: Gateways = {}


@brief
class Unwrapped(NamedTuple):
    """The target of a link that was rewritten, and the service that has rewritten it.

    ``url`` is the innermost target, ``chain`` the target after each step, of which ``url`` is the last; it is
    None if a target cannot be decoded. ``by`` is the name of the service that made the outermost link.

    >>> from urlextract import unwrap
    >>> unwrap("https://urldefense.com/v3/__https://a.example/x__;!!b!c$")
    Unwrapped(url='https://a.example/x', chain=('https://a.example/x',), by='Proofpoint')
    """

    url: str | None
    chain: tuple[str, ...]
    by: str


def unwrap(url: str | Url, gateways: tuple[str, str] | Iterable[tuple[str, str]] = ()) -> Unwrapped | None:
    """Return the target of a link that a gateway, a mail sender or a site has rewritten; None for any other.

    Links in links are followed, at most twenty deep; nothing is looked up. The target is None if it cannot be
    decoded: it is not in the link, was cut, or is no URL of http, https or ftp with a host. Its escapes stay.

    ``gateways`` are gateways of one's own, each a pair: its host, with a folder or without, and the parameter
    that holds the target; one need not be in a list. A host that begins with a dot is any below it.

    >>> unwrap("https://protect.mimecast.com/s/AbC1?domain=a.example")
    Unwrapped(url=None, chain=(), by='Mimecast')
    >>> unwrap("https://a.example/r?url=https%3A%2F%2Fb.example%2F", ("a.example/r", "url")).url
    'https://b.example/'
    """
    if not isinstance(url, str | Url):
        raise TypeError(f"url is {type(url).__name__}: it is a str or a Url")
    return unwrapped(str(url), own_gateways("gateways", gateways))


def unwrapped(url: str, own: Gateways = NO_GATEWAYS, *, is_cut: bool = False) -> Unwrapped | None:
    """Return what `unwrap` does; a link that ``is_cut`` has no target if that may go on.

    >>> link = "https://www.google.com/url?q=https://a.example/x"
    >>> unwrapped(link, is_cut=True).url, unwrapped(f"{link}&sa=D", is_cut=True).url
    (None, 'https://a.example/x')
    """
    first, _ = _opened(url, own)
    if first is None:
        return None
    chain = tuple(target for _, target in _steps(url, own))
    is_open = not chain or _opened(chain[-1], own)[0] is not None
    if is_open or (is_cut and tuple(target for _, target in _steps(f"{url}x", own)) != chain):
        return Unwrapped(None, chain, first.service)
    return Unwrapped(chain[-1], chain, first.service)


def own_gateways(name: str, pairs: Any) -> Gateways:
    """Return the gateways that a user names; ``name`` is that of the argument, for errors."""
    if isinstance(pairs, str) or (isinstance(pairs, tuple) and [*map(type, pairs)] == [str, str]):
        pairs = (pairs,)
    if not isinstance(pairs, Iterable):
        raise TypeError(f"{name} is {type(pairs).__name__}: it is a pair, or several of them")
    hosts: dict[str, list[tuple[int, _Gateway]]] = {}
    for number, pair in enumerate(pairs):
        row = _own_gateway(name, pair)
        hosts.setdefault(row.hosts, []).append((number, row))
    return hosts


def _own_gateway(name: str, pair: Any) -> _Gateway:
    match pair:
        case (str(place), str(parameter)) if _PLACE.fullmatch(place) and parameter.strip():
            host, _, folder = place.rstrip("/").partition("/")
            path = rf"/{re.escape(folder)}(?=[/?])" if folder else "/?(?=[^?#]*[?])"
            return _Gateway(place, host.lower(), path, parameter, is_own=True)
    raise ValueError(
        f"{name}: {pair!r} is not a pair of a host, with a folder or without, and a parameter, such as "
        "('links.corp.example/r', 'u')"
    )


def hides_its_target(url: str) -> bool:
    """Return whether a link was rewritten by a gateway of a known host whose links do not hold their targets.

    >>> hides_its_target("https://protect.mimecast.com/s/A"), hides_its_target("https://google.com/url?q=//a.example")
    (True, False)
    """
    row, _ = _opened(url)
    return row is not None and not row.holds_target


def trusted_target(url: str, own: Gateways = NO_GATEWAYS) -> str:
    """Return where a link leads that a gateway of a known host has rewritten; any other URL as it is.

    Some gateways run on the hosts of their users. Their links are recognized by a path, which anybody may
    have on a host of his own, to lead elsewhere than the link says.

    >>> link = "https://www.google.com/url?q=https://b.example/owa/redir.aspx%3FURL=https://bank.example/"
    >>> unwrap(link).url, trusted_target(link)
    ('https://bank.example/', 'https://b.example/owa/redir.aspx?URL=https://bank.example/')
    """
    for row, target in _steps(url, own):
        if row.hosts.startswith("/"):
            break
        url = target
    return url


def target_or_self(url: str, own: Gateways = NO_GATEWAYS) -> str:
    """Return the target of a rewritten link; return any other URL as it is.

    >>> target_or_self("https://www.google.com/url?q=https://a.example/"), target_or_self("https://b.example/")
    ('https://a.example/', 'https://b.example/')
    """
    found = unwrapped(url, own)
    return (found and found.url) or url


def without_reader(text: str) -> str:
    """Return a URL or a text without the parameters of SafeLinks that have the mail address of its reader.

    They may be in a link within a link, encoded.

    >>> without_reader("https://eur01.safelinks.protection.outlook.com/?url=tel%3A12&data=05%7Cada%40a.example&reserved=0")
    'https://eur01.safelinks.protection.outlook.com/?url=tel%3A12&reserved=0'
    """
    return _OF_THE_READER.sub(r"\1", text) if _SAFELINKS.search(text) else text


_SAFELINKS = lazy_re(r"(?i)safelinks\.(?:protection\.|html)")
_END_OF_PARAMETER = r"[&#;]|%(?>(?:25)*)2[36]"
_OF_THE_READER = lazy_re(
    r"(?i)(?:(\?|%(?>(?:25)*)3F)|&(?>(?:amp;|#38;)?)|%(?>(?:25)*)26)s?data(?:=|%(?>(?:25)*)3D)"
    rf"(?>(?:(?!{_END_OF_PARAMETER})\S)*)"
)


# Links

_DEEPEST = 20  # links in links; seven were met
_LINK = lazy_re(
    r"(?i)https?://(?>(?:[^/?#\\@]{0,256}+@)?)([^/?#\\@:]{1,256}+)(?>(?::[0-9]{0,9}+)?)"
    r"(?=(/(?:owa|exchweb|fmlurlsvc)/)|[/?#]|\Z)"
)
_AMPERSAND = lazy_re(r"&(?:amp|#38);")
_GOOGLE = lazy_re(r"(?:www\.)?google\.(?:com|cat|[a-z]{2}|com?\.[a-z]{2})\Z")
_compiled = cache(lazy_re)


def _steps(url: str, own: Gateways = NO_GATEWAYS) -> Iterator[tuple[_Gateway, str]]:
    """Yield the row and the target of each link in a link."""
    for _ in range(_DEEPEST):
        row, target = _opened(url, own)
        if row is None or target is None:
            break
        yield row, target
        if len(target) >= len(url):  # encoding its characters has made it longer
            break
        url = target


def _opened(url: str, own: Gateways = NO_GATEWAYS) -> tuple[_Gateway | None, str | None]:
    """Return the row of the service that has rewritten a link, and its target if that can be decoded."""
    link = _LINK.match(url)
    rows = _rows_for(*link.groups()) if link else ()
    if not link or not (rows or own):
        return None, None
    if own:
        rows = (*_own_rows(link[1], own), *rows)
    rest = _AMPERSAND.sub("&", url[link.end() :])  # left in by a mail program that has read HTML as text
    known: _Gateway | None = None
    for row in rows:
        match = _compiled(row.path).match(rest)
        if match:
            known = known or row
            targets = {_target(row, value, rest) for value in row.values(rest, match)} - {None}
            if len(targets) == 1:
                return row, targets.pop()
    return known, None


def _own_rows(host: str, own: Gateways) -> list[_Gateway]:
    """Return those gateways of a user that have a host, in the order of the user."""
    names = _names_of(host.lower().removesuffix("."))
    return [row for _, row in sorted(each for name in names for each in own.get(name, ()))]


def _names_of(host: str) -> list[str]:
    """Return the names by which rows have a host: its own, and those of the domains above it.

    >>> _names_of("a.b.example")
    ['a.b.example', '.b.example', '.example']
    """
    labels = host.split(".")
    return [host, *(f".{'.'.join(labels[at:])}" for at in range(1, len(labels)))]


@lru_cache(maxsize=4_096)
def _rows_for(host: str, folder: str | None) -> tuple[_Gateway, ...]:
    """Return the rows for a host and the first folder of a path on it.

    These are the rows of the host, those of domains above it, and those of folders on any host.
    """
    host = host.lower().removesuffix(".")
    is_google = _GOOGLE.match(host) and tld_of(host.rpartition(".")[2])
    names = _names_of("www.google.com" if is_google else host)
    return tuple(row for name in (*names, (folder or "").lower()) for row in _BY_PLACE.get(name, ()))


# Targets

_MOST_ENCODED = 2  # how often a target may be percent-encoded beyond what its service does
_TARGET = lazy_re(r"(?i)(?:https?|ftp)://")
_ENCODED = lazy_re(r"(?i)(?:https?|ftp)%(?:25)?3A")
_ABBREVIATED = lazy_re(r"(?i)(?:www|(ftp))\.[^/?#:@]*\.")
_ONE_SLASH = lazy_re(r"(?i)\A((?:https?|ftp):/)(?!/)")  # a server on the way made one of two
_NAMED_HOST = lazy_re(r"[^/?#:@]*\.")
_CUT_ESCAPE = lazy_re(r"%[0-9A-Fa-f]?\Z")
_NO_OCTET = lazy_re("[\ud800-\udc7f\udd00-\udfff]")
_UNFIT = lazy_re(r'[\x00-\x20\x7f-\xa0<>"`\\\ud800-\udfff]|\s')  # what no URL in a text can have


def _target(row: _Gateway, value: tuple[str, ...], rest: str) -> str | None:
    """Return the target that a link holds as ``value``, None if it is no URL with a whole host.

    ``rest`` is the link after its host. If the value is at its end, it may have been cut.
    """
    try:
        text = row.decode(*value) or ""
        for _ in range(_MOST_ENCODED):
            text = _percent(text) if _ENCODED.match(text) else text
    except (ValueError, RecursionError):  # cut, not base64, or not JSON
        return None
    abbreviated = _ABBREVIATED.match(text)
    if abbreviated:
        text = f"{'ftp' if abbreviated[1] else 'http'}://{text}"
    text = _ONE_SLASH.sub(r"\1/", text, 1)
    start = _TARGET.match(text)
    end = authority_end(text, start.end()) if start else None
    if not start or end is None or text[end : end + 1] not in ("", "/", "?", "#"):
        return None
    domain, _, label = text[start.end() : end].rpartition(".")
    is_last = value[-1] and rest.endswith(value[-1])
    may_be_cut = is_last and not row.is_own and end == len(text) and label.isalpha()
    is_whole = tld_of(label) and domain.lower() not in ("", "www")  # "www.ru" may go on: "www.rugby.com"
    if (not domain and label.isdigit()) or (may_be_cut and not is_whole):
        return None  # a number, or what is left of a name that was cut
    return _UNFIT.sub(escaped, text)


def _percent(value: str) -> str:
    """Return a value without its percent-encoding; octets that are no UTF-8 become lone surrogates."""
    if _CUT_ESCAPE.search(value) or _NO_OCTET.search(value):
        raise ValueError("the value was cut within an escape, or is no text")
    return decoded_octets(value).decode("utf-8", "surrogateescape")


def _https(value: str) -> str:
    """Return a target that has no scheme, but a host."""
    text = _percent(value)
    if _TARGET.match(text) or _ENCODED.match(text) or not _NAMED_HOST.match(text):
        return text
    return f"https://{text}"


def _proofpoint_v1(value: str) -> str:
    return REFERENCE.sub(lambda match: unescape(match[0]), _percent(value))


def _proofpoint_v2(value: str) -> str:
    return _proofpoint_v1(value.replace("-", "%").replace("_", "/"))


_RUNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_FILLED = re.compile(rb"\*(?:\*([A-Za-z0-9_-]))?")


def _proofpoint_v3(value: str, code: str) -> str | None:
    """Return a target in which ``*`` stands for the next octet of ``code``, and ``**X`` for a run of them."""
    octets = _base64_octets(code)
    done = 0

    def filled(match: re.Match[bytes]) -> bytes:
        nonlocal done
        start = done
        done += 2 + _RUNS.index(match[1].decode()) if match[1] else 1
        return octets[start:done]

    text = _FILLED.sub(filled, value.encode("utf-8", "surrogatepass"))
    return text.decode("utf-8", "surrogateescape") if done == len(octets) else None


_HOST_ALONE = lazy_re(r"(?i)\Ahttps?://[^/?#]*\Z")
_PROXY = lazy_re(r"(?i)\A(https?://[^/?#]+)\.mcas\.ms(?=[:/?#]|\Z)")


def _cloud_apps(value: str) -> str:
    """Return a target without the domain that was added to its host; a host without it was cut."""
    text, count = _PROXY.subn(r"\1", _percent(value))
    if not count and _HOST_ALONE.match(text):
        raise ValueError("the value was cut within the domain that was added")
    return text


def _check_point(value: str) -> str:
    """Return a target whose percent signs are written as asterisks."""
    return re.sub(r"\*(?=[0-9A-Fa-f]{2})", "%", value)


def _base64_octets(value: str) -> bytes:
    """Return the octets of base64, in either alphabet, with its padding or without (RFC 4648)."""
    text = _percent(value).replace("-", "+").replace("_", "/").rstrip("=")
    return binascii.a2b_base64(text + "=" * (-len(text) % 4), strict_mode=True)


def _base64(value: str) -> str:
    return _base64_octets(value).decode("utf-8")


def _bing(value: str) -> str | None:
    return _base64(value[2:]) if value.startswith("a1") else None


def _json(*names: str) -> Callable[[str], str | None]:
    """Return what decodes JSON in base64: the target is a field of an object, which may be in a field."""

    def decode(value: str) -> str | None:
        text = _base64(value)
        for name in names:
            record: Any = json.loads(text)
            field = record.get(name) if isinstance(record, dict) else None
            if not isinstance(field, str):
                return None
            text = field
        return text

    return decode


class _Gateway(NamedTuple):
    """One form of link of one service.

    ``hosts`` are names, with blanks between them: ".a.example" is any host below that domain. A name in
    slashes is the first folder of the path, on any host; `_LINK` has these. ``path`` matches what follows
    the host. Its groups are the encoded target; without groups, the parameters ``names`` are. If ``names``
    end with "&", another parameter must follow. ``decode`` returns the target of the encoded one. A row
    without groups and names is that of a service whose links do not hold their target. A row that ``is_own``
    is one of the user's: at the end of such a link, a host is whole.
    """

    service: str
    hosts: str
    path: str = ""
    names: str = ""
    decode: Callable[..., str | None] = _percent
    is_own: bool = False

    @property
    def holds_target(self) -> bool:
        """Whether such links hold their target."""
        return bool(self.names or _compiled(self.path).groups)

    def values(self, rest: str, match: re.Match[str]) -> list[tuple[str, ...]]:
        """Return the encoded targets that may be in a link, of which ``rest`` follows the host.

        Parameters are found by their names in any case. Of one with several values, and of one that is not
        encoded and may go on in the next one, "" is returned.
        """
        if match.re.groups:
            return [match.groups(default="")]
        query = rest.partition("?")[2].partition("#")[0] if self.names else ""
        parameters = [parameter.partition("=") for parameter in query.split("&")]
        if self.names.endswith("&"):
            parameters.pop()
        found: dict[str, set[str]] = {name: set() for name in self.names.rstrip("&").lower().split()}
        for name, _, value in parameters:
            if value and name.lower() in found:
                goes_on = not query.endswith(value) and _MAY_GO_ON.match(value)
                found[name.lower()].add("" if goes_on else value)
        return [(*values,) if len(values) == 1 else ("",) for values in found.values() if values]


_MAY_GO_ON = lazy_re(r"[a-z]+://[^?]*\?[^=]*=")
_PLACE = lazy_re(r"\.?[^\s/?#@:*]+(?:/[^\s?#]*)?")  # a host, and a folder on it

_PROOFPOINT = "urldefense.proofpoint.com urldefense.com urldefense.us"
_GATEWAYS = (
    # Links of some services always have more after their target: without it, the target may have been cut.
    _Gateway("SafeLinks",
             ".safelinks.protection.outlook.com .safelinks.protection.office365.us",
             r"/(?:ap/[a-z]+-[0-9a-f]+/)?\?", "url &"),
    _Gateway("SafeLinks",
             ".safelinks.protection.outlook.com .safelinks.protection.office365.us", r"/"),
    _Gateway("SafeLinks", "outlook.office.com outlook.live.com",
             r"/mail/(?:[^?#]*/)?safelink\.html\?", "url"),
    _Gateway("SafeLinks", "statics.teams.cdn.office.net", r"/[^?#]*safelinks\.html\?", "url"),
    _Gateway("Defender for Cloud Apps", "mcas-proxyweb.mcas.ms", r".*?/certificate-checker\?",
             "originalUrl", _cloud_apps),
    _Gateway("Proofpoint", _PROOFPOINT, r"/v1/url\?u=(.+?)&k=", decode=_proofpoint_v1),
    _Gateway("Proofpoint", _PROOFPOINT, r"/v2/url\?", "u &", _proofpoint_v2),
    _Gateway("Proofpoint", _PROOFPOINT, r"/v3/__(.+)__;([A-Za-z0-9_-]*=*)!", decode=_proofpoint_v3),
    _Gateway("Proofpoint", _PROOFPOINT, r"/v[123]/"),
    _Gateway("Proofpoint Isolation", "urlisolation.com", r"/browser\?", "url"),
    _Gateway("Barracuda", "linkprotect.cudasvc.com", r"/(?:url)?\?", "a"),
    _Gateway("Cisco", "secure-web.cisco.com", r"/[^/?#]+/([^/?#]+)(?:[?#]|\Z)"),
    _Gateway("Trend Micro", ".trendmicro.com", r"(?:/[^/?#]+)?/wis/clicktime/v1/query\?", "url"),
    _Gateway("Sophos", ".protection.sophos.com", "", "u", _base64),
    _Gateway("FireEye", "protect2.fireeye.com", r"/(?:v1/)?url\?", "u"),
    _Gateway("FortiMail", "/fmlurlsvc/", r"/fmlurlsvc/\?(?=(?:[^#]*?&)?fewReq=)", "url"),
    _Gateway("Symantec", "clicktime.symantec.com", "", "u"),
    _Gateway("Check Point", ".url-protection.com", r"/v1/(?:[^?#]*/)?url\?", "o"),
    _Gateway("Check Point", "protect.checkpoint.com url.avanan.click",
             r"/v2/(?:[^/?#]+/)?___(.+)___\.", decode=_check_point),
    _Gateway("Check Point", "protect.checkpoint.com url.avanan.click", r"/v[0-9]/"),
    _Gateway("EdgePilot", "link.edgepilot.com", r"/[sx]/[^?#]*\?", "u"),
    _Gateway("Zix", "link.zixcentral.com", r"/u/[^?#]*\?", "u"),
    _Gateway("Hornetsecurity", "atpscan.global.hornetsecurity.com", "", "u"),
    _Gateway("TitanHQ", "linklock.titanhq.com", r"/analyse\?", "url"),
    _Gateway("Topsec", "scanner.topsec.com", "", "u"),
    _Gateway("Trustwave", "scanmail.trustwave.com", "", "u"),
    _Gateway("Libraesva", "urlsand.esvalabs.com", "", "u"),
    _Gateway("Vade", ".vadesecure.com", r"/v[0-9]+\?", "u"),
    _Gateway("Vade", ".vadesecure.com", r"/safeproxy/[^?#]*\?", "u"),
    _Gateway("Mailinblack", ".mailinblack.com", r"/securelink/?\?", "key", _json("url")),
    _Gateway("Outlook Web Access", "/owa/", r"(?i)/owa/(?:[^?#]*/)?redir\.aspx\?", "URL"),
    _Gateway("Outlook Web Access", "/exchweb/", r"(?i)/exchweb/bin/redir\.asp\?URL=(.+)"),
    _Gateway("Google", "www.google.com", r"/url\?", "url q"),
    _Gateway("Google", "scholar.google.com", r"/scholar_url\?", "url"),
    _Gateway("Google", "meet.google.com", r"/linkredirect\?", "dest"),
    _Gateway("Google", "www.google.com", r"/amp/s/(.+)", decode=_https),
    _Gateway("Bing", "bing.com www.bing.com cn.bing.com", r"/ck/a\?", "u", _bing),
    _Gateway("Yahoo", "search.yahoo.com .search.yahoo.com", r"/(?:[^?#]*/)?RU=([^/?#]+)/RK="),
    _Gateway("DuckDuckGo", "duckduckgo.com .duckduckgo.com", r"/l/\?", "uddg"),
    _Gateway("Meta", "l.facebook.com lm.facebook.com l.instagram.com l.threads.com l.messenger.com",
             r"/(?:l\.php)?\?", "u"),
    _Gateway("Meta", "facebook.com www.facebook.com m.facebook.com", r"/l\.php\?", "u"),
    _Gateway("LinkedIn", "linkedin.com www.linkedin.com", r"/(?:safety/go|redir/redirect)/?\?", "url"),
    _Gateway("YouTube", "youtube.com www.youtube.com m.youtube.com", r"/redirect\?", "q"),
    _Gateway("Reddit", "out.reddit.com", "", "url"),
    _Gateway("VK", "vk.com www.vk.com m.vk.com", r"/away\.php\?", "to"),
    _Gateway("Steam", "steamcommunity.com", r"/linkfilter/?\?", "url u"),
    _Gateway("Tumblr", "t.umblr.com", r"/redirect\?", "z"),
    _Gateway("Slack", "slack-redir.net", r"/link\?", "url"),
    _Gateway("GMX, WEB.DE", "deref-gmx.net deref-web.de deref-mail.com",
             r"/mail/client/(?:[^?#]*/)?dereferrer/?\?", "redirectUrl"),
    _Gateway("Amazon SES", ".awstrack.me", r"/[A-Z]{1,2}0/([^/?#]+)/"),
    _Gateway("Mandrill", "mandrillapp.com", r"/track/click[^?#]*\?", "url"),
    _Gateway("Mandrill", "mandrillapp.com", r"/track/click[^?#]*\?", "p", _json("p", "url")),
    _Gateway("Substack", "substack.com .substack.com", r"/redirect/2/([A-Za-z0-9_=-]+)\.", decode=_json("e")),
    _Gateway("Substack", "substack.com .substack.com", r"/redirect/"),
    _Gateway("Postmark", "click.pstmrk.it track.pstmrk.it", r"/3s/([^/?#]+)/", decode=_https),
    _Gateway("ActiveCampaign", ".acemlna.com .acemlnb.com .acemlnc.com .acemlnd.com",
             r"/Prod/link-tracker\?", "redirectUrl", _base64),
    _Gateway("Mimecast", ".mimecast.com .mimecastprotect.com", r"/[rs]/"),
    _Gateway("Intermedia", "url.emailprotection.link"),
    _Gateway("SendGrid", ".ct.sendgrid.net", r"/(?:[a-z]+/){1,3}"),
    _Gateway("Mailchimp", ".list-manage.com", r"/track/"),
    _Gateway("HubSpot", ".hubspotlinks.com .hubspotemail.net"),
    _Gateway("Mailguard", "console.mailguard.com.au link.mailguard.com.au"),
)  # fmt: skip


_BY_PLACE: dict[str, list[_Gateway]] = {}
for _row in _GATEWAYS:
    for _place in _row.hosts.split():
        _BY_PLACE.setdefault(_place, []).append(_row)
