"""Links that gateways have rewritten: each service's own encoding, and what is none of its links."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from urllib.parse import quote

import pytest
from costs import LINEAR, growth
from hypothesis import assume, given
from hypothesis import strategies as st
from library import gateway_of, target_of
from sampled import mostly_slow
from strategies import examples
from test_cases import cases_of

from urlextract import Unwrapped, extract, parse_url, unwrap
from urlextract.schemes.gateways import _GATEWAYS, own_gateways, unwrapped


def percent(target):
    return quote(target, safe="")


def base64(target):
    return urlsafe_b64encode(target.encode()).decode()


def proofpoint_v2(target):
    return quote(target, safe=":/").replace("_", "%5F").replace("-", "%2D").replace("~", "%7E").replace(
        ":", "%3A").replace("%", "-").replace("/", "_")  # fmt: skip


def proofpoint_v3(target):
    """Write all but the characters that are safe there as asterisks, runs of them as two and a length."""
    lengths = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    safe = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?&=")
    octets, text, at = b"", "", 0
    while at < len(target):
        end = at
        while end < len(target) and target[end] not in safe and len(target[at : end + 1].encode()) <= 65:
            end += 1
        run = target[at:end].encode()
        octets += run
        text += f"**{lengths[len(run) - 2]}" if len(run) > 1 else "*" * len(run)
        text += target[end : end + 1] if end < len(target) and target[end] in safe else ""
        at = end + (end < len(target) and target[end] in safe)
    return f"{text}__;{base64_of(octets)}"


def base64_of(octets):
    return urlsafe_b64encode(octets).decode().rstrip("=")


def nested_record(target):
    return record(p=json.dumps({"url": target}))


def one_slash(link):
    return link.replace("://", ":/", 1)


def record(**fields):
    return base64(json.dumps(fields, separators=(",", ":")))


SAFE = "safelinks.protection.outlook.com"
DEREF = "mail/client/xyz/dereferrer/?redirectUrl="

# How each service writes a link to a target.
WRITERS = {
    "SafeLinks": ("SafeLinks", lambda t: f"https://eur01.{SAFE}/?url={percent(t)}&data=05%7C02%7Cada%40a.example"),
    "SafeLinks, of another year": ("SafeLinks", lambda t: f"https://nam02.{SAFE}/?p=bT0x&url={percent(t)}&reserved=0"),
    "SafeLinks of an app": ("SafeLinks", lambda t: f"https://eur01.{SAFE}/ap/t-59584e83/?url={percent(t)}&data=05"),
    "SafeLinks of a government": (
        "SafeLinks", lambda t: f"https://usg01.safelinks.protection.office365.us/?url={percent(t)}&data=05"),
    "SafeLinks of the web mail": (
        "SafeLinks", lambda t: f"https://outlook.office.com/mail/safelink.html?url={percent(t)}&corid=1"),
    "Proofpoint 1": ("Proofpoint", lambda t: f"https://urldefense.proofpoint.com/v1/url?u={percent(t)}&k=oIv%3D%0A&r=x"),
    "Proofpoint 2": ("Proofpoint", lambda t: f"https://urldefense.com/v2/url?u={proofpoint_v2(t)}&d=DwMF&c=x&r=y"),
    "Proofpoint 2, short": ("Proofpoint", lambda t: f"https://urldefense.proofpoint.com/v2/url?u={proofpoint_v2(t)}&c=x"),
    "Proofpoint 3": ("Proofpoint", lambda t: f"https://urldefense.com/v3/__{proofpoint_v3(t)}!!ab!cd$"),
    "Proofpoint 3, one slash": (
        "Proofpoint", lambda t: f"https://urldefense.us/v3/__{one_slash(proofpoint_v3(t))}!!a!c$"),
    "Isolation": ("Proofpoint Isolation", lambda t: f"https://urlisolation.com/browser?clickId=1&url={percent(t)}"),
    "Barracuda": ("Barracuda", lambda t: f"https://linkprotect.cudasvc.com/url?a={percent(t)}&c=E,1,x&typo=1"),
    "Barracuda, short": ("Barracuda", lambda t: f"https://linkprotect.cudasvc.com/?a={percent(t)}"),
    "Cisco": ("Cisco", lambda t: f"https://secure-web.cisco.com/1AbC-d_e/{percent(t)}"),
    "Cisco, twice": ("Cisco", lambda t: f"https://secure-web.cisco.com/1AbC-d_e/{percent(percent(t))}"),
    "Trend Micro": ("Trend Micro", lambda t: f"https://ca.trendmicro.com/wis/clicktime/v1/query?url={percent(t)}&umid=1"),
    "Sophos": ("Sophos", lambda t: f"https://eu.protection.sophos.com/?d=a.example&u={base64(t)}&i=x&t=y"),
    "Sophos, no padding": ("Sophos", lambda t: f"https://eu.protection.sophos.com?u={base64(t).rstrip('=')}&i=x"),
    "FireEye": ("FireEye", lambda t: f"https://protect2.fireeye.com/v1/url?k=1&q=1&e=2&u={percent(t)}"),
    "Trellix": ("FireEye", lambda t: f"https://protect2.fireeye.com/url?k=1&u={percent(t)}"),
    "FortiMail": ("FortiMail", lambda t: f"https://mail.b.example/fmlurlsvc/?fewReq=:B:abc&url={percent(t)}"),
    "Symantec": ("Symantec", lambda t: f"https://clicktime.symantec.com/3Bx/7V?u={percent(t)}"),
    "Avanan": ("Check Point", lambda t: f"https://b.url-protection.com/v1/r02/url?o={percent(t)}&g=x"),
    "Check Point": (
        "Check Point", lambda t: f"https://protect.checkpoint.com/v2/r01/___{t.replace('%', '*')}___.YXA6"),
    "EdgePilot": ("EdgePilot", lambda t: f"https://link.edgepilot.com/s/1a2b/x-Y_z?u={percent(t)}"),
    "Zix": ("Zix", lambda t: f"https://link.zixcentral.com/u/1a/x?u={percent(t)}"),
    "Hornetsecurity": ("Hornetsecurity", lambda t: f"https://atpscan.global.hornetsecurity.com/index.php?u={percent(t)}"),
    "TitanHQ": ("TitanHQ", lambda t: f"https://linklock.titanhq.com/analyse?url={percent(t)}&data=x"),
    "Topsec": ("Topsec", lambda t: f"https://scanner.topsec.com/?d=1&r=auto&u={percent(t)}"),
    "Trustwave": ("Trustwave", lambda t: f"https://scanmail.trustwave.com/?c=1&d=x&u={percent(t)}"),
    "ESVA": ("Libraesva", lambda t: f"https://urlsand.esvalabs.com/?u={percent(t)}&e=1&h=2"),
    "Vade": ("Vade", lambda t: f"https://antiphishing.vadesecure.com/v4?f=x&i=y&u={percent(t)}"),
    "Vade, proxy, twice": ("Vade", lambda t: f"https://x.vadesecure.com/safeproxy/v4?f=1&u={percent(percent(t))}"),
    "Mailinblack": ("Mailinblack", lambda t: f"https://mibc-fr-02.mailinblack.com/securelink/?key={record(url=t)}"),
    "Outlook Web Access": ("Outlook Web Access", lambda t: f"https://mail.b.example/OWA/redir.aspx?C=x&URL={percent(t)}"),
    "Exchange": ("Outlook Web Access", lambda t: f"http://mail.b.example/exchweb/bin/redir.asp?URL={percent(t)}"),
    "Google": ("Google", lambda t: f"https://www.google.co.uk/url?sa=t&q=&url={percent(t)}&usg=x"),
    "Google, q": ("Google", lambda t: f"https://www.google.com/url?q={percent(t)}&sa=D"),
    "Bing": ("Bing", lambda t: f"https://www.bing.com/ck/a?!&&p=1&u=a1{base64(t).rstrip('=')}&ntb=1"),
    "Yahoo": ("Yahoo", lambda t: f"https://r.search.yahoo.com/_ylt=x;_ylu=y/RV=2/RO=10/RU={percent(t)}/RK=2/RS=z"),
    "DuckDuckGo": ("DuckDuckGo", lambda t: f"https://duckduckgo.com/l/?uddg={percent(t)}&rut=1"),
    "Facebook": ("Meta", lambda t: f"https://l.facebook.com/l.php?u={percent(t)}&h=AT0"),
    "Instagram": ("Meta", lambda t: f"https://l.instagram.com/?u={percent(t)}&e=AT0"),
    "LinkedIn": ("LinkedIn", lambda t: f"https://www.linkedin.com/safety/go?url={percent(t)}&trk=x"),
    "LinkedIn, old": ("LinkedIn", lambda t: f"https://www.linkedin.com/redir/redirect?url={percent(t)}&urlhash=x"),
    "YouTube": ("YouTube", lambda t: f"https://www.youtube.com/redirect?event=x&q={percent(t)}"),
    "Reddit": ("Reddit", lambda t: f"https://out.reddit.com/t3_1?url={percent(t)}&token=x"),
    "VK": ("VK", lambda t: f"https://vk.com/away.php?to={percent(t)}&cc_key="),
    "Steam": ("Steam", lambda t: f"https://steamcommunity.com/linkfilter/?u={percent(t)}"),
    "Slack": ("Slack", lambda t: f"https://slack-redir.net/link?url={percent(t)}"),
    "Tumblr": ("Tumblr", lambda t: f"https://t.umblr.com/redirect?z={percent(t)}&t=x"),
    "WEB.DE": ("GMX, WEB.DE", lambda t: f"https://deref-web.de/{DEREF}{percent(t)}"),
    "GMX, twice": ("GMX, WEB.DE", lambda t: f"https://deref-gmx.net/{DEREF}{percent(percent(t))}"),
    "Amazon SES": ("Amazon SES", lambda t: f"https://x.r.eu-west-1.awstrack.me/L0/{percent(t)}/1/0102/abc=1"),
    "Mandrill": ("Mandrill", lambda t: f"https://mandrillapp.com/track/click/30/x?p={nested_record(t)}"),
    "Mandrill, plain": ("Mandrill", lambda t: f"https://mandrillapp.com/track/click.php?u=1&url={percent(t)}"),
    "Substack": ("Substack", lambda t: f"https://b.substack.com/redirect/2/{record(e=t)}.sig-x?r=1"),
    "ActiveCampaign": ("ActiveCampaign", lambda t: f"https://b.acemlnc.com/Prod/link-tracker?redirectUrl={percent(base64(percent(t)))}&sig=x"),
}  # fmt: skip


@pytest.mark.parametrize("target", [
    "https://a.example/",
    "http://a.example/x/y-z_w~v.html?year=1996&month=11#north",
    "https://a.example:8443/a%20b%2Fc?q=%26amp%3B&r=a+b",
    "ftp://ftp.a.example/pub/tides.tar.gz",
    "http://[2001:db8::7]:8080/tides",
    "https://web.archive.org/web/1996/http:/b.example/",
    "https://münchen.example/straße?q=grün",
    "https://www.a.example/search?u=http%3A%2F%2Fb.example%2F&url=x",
    "https://192.0.2.7/x",
])  # fmt: skip
@pytest.mark.parametrize(("by", "write"), WRITERS.values(), ids=WRITERS)
def test_target_of_each_service_is_decoded(by, write, target):
    link = write(target)
    assert unwrap(link) == Unwrapped(target, (target,), by)
    assert unwrap(link.replace("&", "&amp;")) == Unwrapped(target, (target,), by)
    assert gateway_of(link) == by


def test_every_row_has_a_writer_or_says_that_its_target_is_unknown():
    unwritten = {"Defender for Cloud Apps", "Postmark"}  # these change the target: see below
    holding = {row.service for row in _GATEWAYS if row.holds_target}
    assert holding == {by for by, _ in WRITERS.values()} | unwritten


OF_PATHS = [
    case.text
    for case in cases_of("gateways")
    if len(case.lines) == 2 and ("/v3/__" in case.text or "/___" in case.text)
]


@pytest.mark.parametrize("link", OF_PATHS)
def test_link_with_another_in_its_path_is_one_url_in_text(link):
    assert [found.url for found in extract(f"see {link} now")] == [link]


@pytest.mark.parametrize("link", [
    "https://www.google.com/url?q=https://a.example/\ud800",
    f"https://x.mailinblack.com/securelink/?key={base64('[' * 100_000)}",
    "",
], ids=["a lone surrogate", "deep JSON", "nothing"])  # fmt: skip
def test_odd_link_has_no_target(link):
    """All others are in ``cases/gateways.txt``."""
    assert target_of(link) is None


def nested(target, names):
    """Return ``target`` and the links to it, each in the one after it."""
    links = [target]
    for name in names:
        links.append(WRITERS[name][1](links[-1]))
    return links


CHAINS = {
    "five": ("SafeLinks", "Proofpoint 3", "Google", "Sophos", "Cisco"),
    "seven": ("Vade", "SafeLinks", "Vade", "SafeLinks", "Vade", "SafeLinks", "Vade"),
    "eight": ("Proofpoint 2", "Bing", "Barracuda", "Trustwave", "Google, q", "Symantec", "Zix", "Slack"),
    "twenty": ("Steam",) * 20,
}  # fmt: skip


@pytest.mark.parametrize("names", CHAINS.values(), ids=CHAINS)
def test_links_in_links_are_followed_twenty_deep(names):
    *inner, link = nested("https://a.example/x?y=%20", names)
    assert unwrap(link) == Unwrapped(inner[0], tuple(reversed(inner)), WRITERS[names[-1]][0])


@pytest.mark.parametrize(("target", "names"), [
    ("https://a.example/", ("Steam",) * 21),
    ("https://protect-eu.mimecast.com/s/AbC1", ("SafeLinks",)),
    ("https://out.reddit.com/t3_1?url=javascript:x", ("Google, q", "Slack")),
    ("https://urldefense.com/v3/__https://www.a.example/x", ("Barracuda", "Sophos")),
], ids=["twenty-one", "a target that nobody knows", "a script", "cut"])  # fmt: skip
def test_wrapper_at_the_end_is_never_the_target(target, names):
    link = nested(target, names)[-1]
    assert target_of(link) is None
    assert gateway_of(link)


@pytest.mark.parametrize(("target", "url"), [
    ("www.a.example", "http://www.a.example"),
    ("WWW.a.example/x?y=1#z", "http://WWW.a.example/x?y=1#z"),
    ("ftp.a.example/pub/", "ftp://ftp.a.example/pub/"),
])  # fmt: skip
@pytest.mark.parametrize("name", ["SafeLinks", "Google, q", "Sophos", "Trend Micro"])
def test_target_may_be_an_abbreviated_host(name, target, url):
    assert target_of(WRITERS[name][1](target)) == url


@pytest.mark.parametrize(
    "target", ["a.example", "www.a", "www.a@b.example", "wwww.a.example", "ftp.", "www./x.y"]
)
def test_other_text_without_a_scheme_is_no_target(target):
    assert target_of(WRITERS["SafeLinks"][1](target)) is None


def test_url_values_are_accepted():
    assert target_of(parse_url("https://www.google.com/url?q=https://a.example/")) == "https://a.example/"


HOSTS = st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){1,3}", fullmatch=True)
RESTS = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x2FF, categories=("L", "N", "P", "S")), max_size=40
)


@examples(300)
@given(HOSTS, RESTS, st.sampled_from(sorted(WRITERS)))
def test_any_target_comes_back(host, rest, name):
    unfit = dict.fromkeys(map(ord, '<>"`{}|\\^'), None)
    target = f"https://{host}/{rest.translate(unfit)}"
    assume("&amp;" not in target)  # two of them write "&" so
    assume("__;" not in target)  # this ends a target of Proofpoint's third form
    # This one writes "%" as "*", and ends a target in "___."; a "%" that begins no escape stays "*".
    assume(name != "Check Point" or not re.search(r"\*|___\.|%(?![0-9A-Fa-f]{2})", target))
    found = unwrap(WRITERS[name][1](target))
    assert found
    assert found.chain[0] == target


@examples(300)
@given(st.sampled_from(sorted(WRITERS)), st.data())
def test_part_of_a_link_never_has_another_host(name, data):
    link = WRITERS[name][1]("https://harbour.example/tides/1996.html?north=1&x=2")
    found = target_of(link[: data.draw(st.integers(0, len(link)))])
    assert found is None or found.startswith("https://harbour.example/")


class _Counted(dict):
    """A table that counts how often it is asked, and is never read as a whole."""

    asked = 0
    __iter__ = items = values = keys = None

    def get(self, *given):
        self.asked += 1
        return super().get(*given)


@pytest.mark.parametrize("count", [1, 1_000])
def test_gateways_of_a_user_are_looked_up_by_host(count):
    pairs = [(f"g{number}.corp.example", "u") for number in range(count)]
    own = _Counted(own_gateways("gateways", pairs))
    assert unwrapped("https://g0.corp.example/?u=ftp://b.example/", own).url == "ftp://b.example/"
    assert own.asked == 6  # the host and two domains, and the link is opened twice


@pytest.mark.parametrize("pair", [
    ("g{}.a.example", "u"), ("g{}.a.example/r", "u"),
])  # fmt: skip
def test_time_does_not_grow_with_the_gateways_of_a_user(pair):
    place, parameter = pair
    link = f"https://{place}{'' if '/' in place else '/'}?{parameter}=http://b.example/".format
    numbers = range(20)

    def make(size):
        gateways = own_gateways("gateways", [(place.format(n), parameter.format(n)) for n in range(size)])
        return [(link(size - 1 - n, size - 1 - n), gateways) for n in numbers]

    assert {unwrapped(*each).url for each in make(500)} == {"http://b.example/"}
    assert growth(lambda links: [unwrapped(*each) for each in links], make, 500, 16_000) < 0.5


@pytest.mark.parametrize(("path", "is_one"), [
    ("/a/b?u=", True), ("/a/b/?u=", True), ("/a/b/c/d?u=", True), ("/a/bc?u=", False), ("/a?u=", False),
    ("/a/b?x=1&U=", True), ("/a/b?x=", False), ("/A/b?u=", False), ("/a//b?u=", False), ("/a/b#?u=", False),
])  # fmt: skip
def test_folder_of_a_gateway_of_a_user_is_whole(path, is_one):
    found = unwrap(
        f"https://g.example{path}http://b.example/", [("g.example/a/b/", "u"), ("G.example/", "v")]
    )
    assert (found is not None and found.url == "http://b.example/") == is_one


@pytest.mark.parametrize("order", [1, -1])
def test_first_gateway_of_a_user_counts(order):
    pairs = [(".corp.example", "u"), ("a.corp.example", "v"), (".a.corp.example", "w")][::order]
    link = "https://a.corp.example/?u=http://u.example/&v=http://v.example/&w=http://w.example/"
    assert unwrap(link, pairs).url == f"http://{'u' if order == 1 else 'v'}.example/"


PIECES = (
    "&url=", "&u=", "&amp;", "___", "__;", "%25", "%", "https%3A", "*", "**A", "/", "?", "&k", "a", "/RU=",
    "(", "fewReq=",
)  # fmt: skip


@pytest.mark.parametrize("piece", mostly_slow(PIECES))
def test_time_is_proportional_to_the_length(piece):
    starts = [
        f"https://{'b.example' if row.hosts.startswith('/') else 'b' if row.hosts.startswith('.') else ''}"
        f"{row.hosts.split()[0]}{path}"
        for row in _GATEWAYS
        for path in ("/", "/v1/url?", "/v2/url?u=", "/v3/__", "/?url=")
    ]

    def links(size):
        return [start + piece * (size // len(piece)) for start in starts]

    assert growth(lambda links: [unwrap(link) for link in links], links, 8_000, 32_000) < LINEAR
