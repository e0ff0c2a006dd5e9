"""What the text of a link shows, how it differs from the target, and whether it deceives.

A link shows a URL only if its whole text is a URL, a host or a mail address. Where a gateway leads to is
decoded. Click trackers always lead to another URL than the one shown: that is a difference, and no lie.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv6Address
from socket import inet_aton, inet_ntoa
from typing import NamedTuple
from unicodedata import category, normalize

from urlextract.grammar.codes import DefectCode
from urlextract.grammar.confusables import skeleton
from urlextract.grammar.domains import is_address, is_of_a_registry, registered_domain, tld_of
from urlextract.grammar.escapes import decoded_text
from urlextract.grammar.marks import SENTENCE_MARKS
from urlextract.grammar.names import extensions
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_NAME
from urlextract.records import Defect, Difference
from urlextract.scanner.scan import urls_in
from urlextract.scanner.window import ScanOptions
from urlextract.schemes.gateways import hides_its_target, trusted_target
from urlextract.schemes.hosts import to_unicode
from urlextract.schemes.url import host_name_of


class Shown(NamedTuple):
    """The URL, host or address that the text of a link is, None if none, and how the target differs."""

    text: str | None
    differs: Difference | None = None


NOTHING = Shown(None)

# --- what a text shows ----------------------------------------------------------------------------

# Default ignorable characters of Unicode, control characters, and a blank letter.
_UNSEEN = lazy_re(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_EMOJI = lazy_re("[^\x00-\x7f]\ufe0f|.\ufe0f?\u20e3")  # letters and digits that are shown as signs
_DOTS = dict.fromkeys(map(ord, "\u3002\uff61"), ".")
_LABEL = lazy_re(r"(?i:URL:\s*+)")
_CUT = lazy_re(r"[ ]?\[?(?:\.\.\.|\u2026)\]?[ ]?")
# ASCII marks that people write around a URL or after it: part of it only if the target has them, too.
_ROUND = "<>()[]{}\"'`*_|~-#+=!$^& "
_BEHIND = _ROUND + SENTENCE_MARKS
_MAY_BE_ONE = lazy_re(rf"[^\s@]++@[^\s@]++\Z|[^\s.]++\.\S++\Z|{SCHEME_NAME}:\S")
_WITH_SCHEME = lazy_re(rf"{SCHEME_NAME}:")
_WWW = lazy_re(r"(?i)www\.")
_SLASHES = lazy_re(r": ?(?:// ?|\\\\)")
_WITH_PATH = lazy_re(rf"(?=.* ){SCHEME_NAME}://[^\s/]+ ?/")  # with blanks, which a broken line may have left
_NAME = lazy_re(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}\Z")
_OF_FILES = extensions("name")  # which many links have as their text
_OPTIONS = ScanOptions(relaxed=True, emails=True)


def what_is_shown(text: str, target: str) -> Shown:
    """Return the URL that ``text``, the text of a link to ``target``, shows.

    >>> what_is_shown("www.a.example/x", "http://a.example/x")
    Shown(text='www.a.example/x', differs=None)
    >>> what_is_shown("read more", "http://a.example/")
    Shown(text=None, differs=None)
    >>> [what_is_shown(text, "https://paypa1.com/in").differs for text in ("paypal.com", "bank.com")]
    ['lookalike', 'domain']
    """
    whole = _LABEL.sub("", _as_read(text), 1)
    begin = "" if _WITH_SCHEME.match(whole) else "http://" if _WWW.match(whole) else None
    if begin is not None:
        blanks = ("%20", "") if " " in whole else ("",)  # a blank of the target, or from a broken line
        seen = begin + _SLASHES.sub("://", whole)
        if any(difference(target, seen.replace(" ", blank)) is None for blank in blanks):
            return Shown(whole)
    inner = _SLASHES.sub("://", _without_signs(whole, _ROUND).lstrip(".\u2026 "))
    cut = _CUT.search(inner)
    if cut and " " not in inner[: cut.start()] + inner[cut.end() :]:
        return _of_a_cut(inner, inner[: cut.start()], inner[cut.end() :], target)
    if _WITH_PATH.match(inner):
        inner = inner.replace(" ", "")
    for shown in (whole, inner, _without_signs(inner, _BEHIND)):
        url = _url_of(shown, target) if _MAY_BE_ONE.match(shown) else None
        if url:
            return Shown(shown, difference(target, url))
    return NOTHING


def _as_read(text: str) -> str:
    """Return a text on one line as a reader reads it, with ASCII for the letters that look like it."""
    if not text.isascii():
        text = _without_signs(_UNSEEN.sub("", _EMOJI.sub("", text)), " ")
        pieces = text.translate(_DOTS).split("\u2026")  # NFKC would replace this character with dots
        text = "\u2026".join(normalize("NFKC", piece) for piece in pieces)
    return " ".join(_UNSEEN.sub("", text).split())


def _without_signs(text: str, marks: str) -> str:
    """Return a text without ``marks`` round it, and without what is in no URL, such as emoji."""
    if text.isascii():
        return text.strip(marks)
    signs = {char for char in text if not (char.isascii() or char.isalnum() or category(char)[0] == "M")}
    return text.strip(marks + "".join(signs - {"\u2026"}))


def _url_of(text: str, target: str) -> str | None:
    """Return ``text`` as a URL with its scheme, None if it is no URL, host or address."""
    url = _url_alone(text)
    tld = text.rpartition(".")[2].lower()
    if url or not _NAME.match(text) or not tld_of(tld) or tld in _OF_FILES:
        return url
    # The text is the name of a file if the target has it after a slash.
    return None if f"/{text}" in f"{_parts_of(target).rest}/" else f"http://{text}"


@lru_cache(maxsize=256)
def _url_alone(text: str) -> str | None:
    """Return the URL if the scanner finds that the whole of ``text`` is one, else None."""
    found = (match.url for match in urls_in(text, _OPTIONS) if match.span == (0, len(text)))
    return next(found, None)


def _of_a_cut(shown: str, begin: str, rest: str, target: str) -> Shown:
    """Return the URL that a text shows of which only the beginning and the rest are there.

    A host that is cut within a label is compared with the beginning of the target's host.
    """
    url = _url_of(begin, "") or begin
    if not _WITH_SCHEME.match(url):
        return NOTHING
    seen, parts = _parts_of(url), _parts_of(target)
    host, target_host = seen.host or "", parts.host or ""
    is_complete = tld_of(host.rpartition(".")[2]) or target_host[len(host) :].startswith(".")
    if host == target_host or not (seen.rest or (is_complete and not begin.endswith("."))):
        whole, seen_text = f"{target_host}{parts.rest}", f"{host}{seen.rest}"
        if whole.startswith(seen_text) and whole[len(seen_text) :].endswith(_normal(rest).rstrip("/")):
            return Shown(shown)
    return Shown(shown, difference(target, url) or "path")


# --- how two URLs differ --------------------------------------------------------------------------

# RFC 3986, appendix B
_PARTS = lazy_re(r"(?>(?:([^:/?#]++):)?)(?>(?://([^/?#]*+))?)([^?#]*+)(?>(\?[^#]*+)?)(?>(#.*)?)", re.DOTALL)
_PORT = lazy_re(r":([0-9]*)\Z")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21"}
_NUMBERS = lazy_re(r"\[.*\]\Z|[0-9][0-9A-Fa-fxX.]*\Z")
_LEAST_LIKE = 0.3  # the greatest distance of two similar names, from 0 (equal) to 2 (nothing in common)
_LONGEST_COMPARED = 80  # characters; the time is quadratic


class _Parts(NamedTuple):
    """The parts of a URL that are compared: its host (None if it has none), and the text after it."""

    host: str | None
    rest: str


def difference(target: str, shown: str) -> Difference | None:
    """Return how the URL ``shown`` differs from ``target``, None if both are equivalent.

    Of links that gateways have rewritten, the targets are compared.

    >>> difference("https://www.a.example/x/", "http://A.example/%78")
    >>> [difference("http://evil.example/", "http://a.example/"),
    ...  difference("http://b.amazon.de", "http://amazon.com")]
    ['domain', 'brand']
    """
    one, other = _parts_of(target), _parts_of(shown)
    if one == other:
        return None
    if one.host == other.host or one.host is None or other.host is None:  # tel: and doi: have no host
        return "path"
    return _difference_of_hosts(one.host, other.host)


@lru_cache(maxsize=1024)
def _parts_of(url: str) -> _Parts:
    """Return the parts of a URL; of a link that a gateway has rewritten, those of its target."""
    match = _PARTS.fullmatch(trusted_target(url))
    scheme, authority, path, query, fragment = match.groups(default="")  # type: ignore[union-attr]
    scheme = scheme.lower()
    rest = _normal(path + query + fragment)
    if scheme == "mailto":
        address = _normal(path)
        _, at, authority = address.rpartition("@")
        return _Parts(_host(authority, scheme) if at else None, address.lower())
    if not authority:
        return _Parts(None, f"{scheme}:{rest}")
    host = _host(authority.rpartition("@")[2], scheme)
    return _Parts(host, rest.rstrip("/") if scheme in _DEFAULT_PORTS else f"{scheme}:{rest}")


def _normal(text: str) -> str:
    """Return ``text`` for comparison: decoded, with "&" for ``&amp;``, and without a "?" at its end."""
    return decoded_text(text.replace("&amp;", "&")).removesuffix("?")


def _host(authority: str, scheme: str) -> str:
    """Return a host in lower case, with U-labels, without ``www.`` and default port; an address as usual."""
    port = _PORT.search(authority)
    if port and port[1] in ("", _DEFAULT_PORTS.get(scheme)):
        authority = authority[: port.start()]
    if _NUMBERS.match(authority):
        try:
            is_v6 = authority.startswith("[")
            return f"[{IPv6Address(authority[1:-1])}]" if is_v6 else inet_ntoa(inet_aton(authority))
        except (OSError, ValueError):
            pass  # it is a name
    return to_unicode(decoded_text(authority).lower()).rstrip(".").removeprefix("www.")


@lru_cache(maxsize=1024)
def _difference_of_hosts(target: str, shown: str) -> Difference:
    target, shown = (_PORT.sub("", host) for host in (target, shown))
    one, other = registered_domain(target), registered_domain(shown)
    if one == other or target.endswith(f".{shown}"):
        return "host"
    name, other_name = one.partition(".")[0], other.partition(".")[0]
    if is_address(one) or is_address(other):
        return "domain"
    if name == other_name and is_of_a_registry(one) and is_of_a_registry(other):
        return "brand"
    is_alike = (name != other_name and skeleton(name) == skeleton(other_name)) or (
        2 * _levenshtein(one, other) <= _LEAST_LIKE * (len(one) + len(other))
    )
    return "lookalike" if is_alike else "domain"


def _levenshtein(one: str, other: str) -> int:
    """Return the least number of inserted and deleted characters that turns one name into the other."""
    one, other = one[:_LONGEST_COMPARED], other[:_LONGEST_COMPARED]
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        before, row[0] = row[0], number
        for at, another in enumerate(other, 1):
            before, row[at] = row[at], before if letter == another else min(row[at], row[at - 1]) + 1
    return row[-1]


# --- whether that deceives ------------------------------------------------------------------------

# Senders of mail that track clicks, and URL shorteners: their URLs do not hold the final target.
_SERVICES = """mcas.ms awstrack.me mandrillapp.com pstmrk.it acemlna.com acemlnb.com acemlnc.com acemlnd.com
sendgrid.net list-manage.com mailchi.mp hubspotlinks.com hubspotemail.net rs6.net exct.net exacttarget.com
createsend.com cmail19.com cmail20.com klclick.com klaviyomail.com customeriomail.com mailgun.org
sparkpostmail.com clicks.aweber.com convertkit-mail.com convertkit-mail2.com mailjet.com mjt.lu sendibt2.com
sendibt3.com sendibm1.com getresponse.com constantcontact.com doubleclick.net googleadservices.com
mktoweb.com en25.com pardot.com bit.ly t.co tinyurl.com goo.gl ow.ly lnkd.in is.gd buff.ly amzn.to dlvr.it
fb.me j.mp rebrand.ly t.ly youtu.be cutt.ly trib.al wp.me"""
_REDIRECTORS = frozenset(_SERVICES.split())
# The paths of trackers of clicks that run on the hosts of their users.
_TRACKER = lazy_re(
    r"(?i)[^?#]*(?:/(?:ls|wf)/click\?(?:[^#]*&)?upn=|/track-url/|/track/click/|/t\.aspx/subid/"
    r"|/redirect(?:tracking)?\.aspx\?[^#]*=|/e3t/ctc/|/(?:tr|mk)/cl/|/acton/ct/|/lt\.php\?|/nrd\.php\?p="
    r"|/tn\.jsp\?f=|/ctt\?(?:[^#]*&)?m=|/link\.php\?(?=[^#]*\bM=)(?=[^#]*\bN=)[^#]*\bL=|/linkClick\b)"
    r"|[^#]*[?&]linkClick\b|(?=[^#]*[?&]mailpoet_router\b)[^#]*[?&]action=click|[^?#]*\?qs=[0-9a-f]{64,}\Z"
)
_MAY_HAVE_ONE = lazy_re(r"\w\.\w|://")
_LEAST_SURE = 0.4  # the confidence of a host in a text that has neither a scheme nor "www."
_MOST_DECODED = 3
_MOST_LABELS, _LONGEST_LABEL = 8, 1000  # of a link, that are compared with its target
_LONGEST_READ = 200  # characters of its text
_DOMAINS = ("brand", "domain", "lookalike")
_OVERRIDE = lazy_re("[\u202d\u202e]")  # UAX 9, section 2.2: what is displayed is not what is read here


def deceptions(target: str, shown: Shown, text: str, labels: Sequence[str]) -> tuple[Defect, ...]:
    """Return the defects of a link to ``target`` with that ``text``, which shows or mentions another domain.

    ``labels`` are those that stand with it, such as a title.

    >>> str(*deceptions("https://evil.example/", Shown("bank.com", "domain"), "bank.com", ()))
    'shows-another-domain: bank.com, leads to evil.example'
    >>> str(*deceptions("https://evil.example/", NOTHING, "Log in: www.bank.com", ()))
    'mentions-another-domain: www.bank.com, leads to evil.example'
    """
    overrides = (Defect.of(DefectCode.BIDI_OVERRIDE),) if _OVERRIDE.search(text) else ()
    code, named = _code_of(target, shown.text, shown.differs) if shown.text else None, shown.text
    if not code:
        if len(text) > _LONGEST_READ:
            text = text[:_LONGEST_READ].rpartition(" ")[0]  # its last word may be cut
        texts = [*([] if named else [text]), *labels[:_MOST_LABELS]]
        mentioned = (_mentioned_elsewhere(each[:_LONGEST_LABEL], target) for each in texts)
        named = next(filter(None, mentioned), None)
        code = DefectCode.MENTIONS_ANOTHER_DOMAIN if named else None
    return (_defect(code, named, _in_ascii(_host_of(target))), *overrides) if code else overrides


def refused(text: str, url: str, why: str) -> Defect:
    """Return the defect of a link to a script or to data, whose ``text`` shows or mentions ``url``."""
    shows = what_is_shown(text, "").text
    code = DefectCode.SHOWS_ANOTHER_DOMAIN if shows else DefectCode.MENTIONS_ANOTHER_DOMAIN
    return _defect(code, _host_of(url), why)


def _defect(code: DefectCode, shown: str | None, leads_to: str) -> Defect:
    return Defect(code, f"{code}: {shown}, leads to {leads_to}")


def _host_of(url: str) -> str:
    """Return the host to which a URL or a gateway's link leads, or the text if it has none."""
    return _parts_of(url).host or url


def _in_ascii(host: str) -> str:
    """Return a host with A-labels, so that look-alikes are seen."""
    return host if host.isascii() else host_name_of(f"http://{host}/") or host


def _code_of(target: str, shown: str, differs: Difference | None) -> DefectCode | None:
    """Return the code of the defect of a link whose text ``shown`` differs from its target, None if none."""
    if differs not in _DOMAINS or _is_redirector(target) or _is_redirector(shown):
        return None
    begin = _CUT.split(shown, 1)[0]
    host, seen = _host_of(target), _host_of(begin if _WITH_SCHEME.match(begin) else f"http://{begin}")
    # "paypal.com" begins paypal.com.co and paypal-com.example.
    if f"{host}.".replace("-", ".").startswith(f"{seen}.".replace("-", ".")):
        return DefectCode.SHOWS_ANOTHER_DOMAIN
    path = _PARTS.fullmatch(trusted_target(target)).expand(r"\3\4")  # type: ignore[union-attr]
    if differs == "brand" or _TRACKER.match(path):
        return None
    return DefectCode.MAY_REDIRECT if _names(path, shown, seen) else DefectCode.SHOWS_ANOTHER_DOMAIN


def _is_redirector(url: str) -> bool:
    """Return whether a URL, or a host, is that of a service that hides its target."""
    labels = _host_of(url if "://" in url else f"http://{url}").split(".")
    hosts = (".".join(labels[at:]) for at in range(max(0, len(labels) - 4), len(labels)))
    return any(host in _REDIRECTORS for host in hosts) or hides_its_target(trusted_target(url))


def _names(path: str, shown: str, host: str) -> bool:
    """Return whether a path and query name the host that is shown, or the mail address."""
    name = shown if "@" in shown and "://" not in shown else host
    names = "|".join(map(re.escape, {name, _in_ascii(host)}))
    pattern = re.compile(rf"(?<![\w.@-])(?:www\.)?(?:{names})(?![\w-]|\.\w)", re.IGNORECASE)
    for _ in range(_MOST_DECODED):
        if pattern.search(path):
            return True
        path = decoded_text(path)
    return False


def _mentioned_elsewhere(text: str, target: str) -> str | None:
    """Return the URL or host in a text, if its domain is not that of the target, nor any other one is."""
    if not _MAY_HAVE_ONE.search(text):
        return None
    found = None
    read = _as_read(text)
    for match in urls_in(read, _OPTIONS):
        sure = match.confidence is None or match.confidence >= _LEAST_SURE
        if match.url.startswith("mailto:") or not sure:
            continue
        differs = difference(target, match.url)
        if differs not in _DOMAINS:
            return None
        if not found and _code_of(target, match.url, differs) is DefectCode.SHOWS_ANOTHER_DOMAIN:
            found = match.inner.of(read)
    return found
