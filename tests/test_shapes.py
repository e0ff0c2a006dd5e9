"""The shape of what follows a scheme without ``//``: what each row accepts and rejects (SPEC §1)."""

from __future__ import annotations

import pytest
from scans import urls_of

from urlextract import parse_url
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, SCHEMES

# ruff: noqa: E501
HASH = "c12fe1c06bba254a9dc9f519b335aa7c1367a88a"
COIN = "175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W"

# By scheme: URLs, and what only looks like one: prose, labels, tags, program text.
CASES = {
    "magnet": (
        (f"magnet:?xt=urn:btih:{HASH}&dn=boats", f"magnet:?dn=boats&xt=urn:btih:{HASH}", f"magnet:?xt.1=urn:sha1:{HASH}"),
        ("magnet:?", "magnet:?dn=boats", "magnet:north", "magnet: ?xt=x", "magnet::pull(xt=1)"),
    ),
    "sms": (
        ("sms:+15105550101", "sms:911", "sms:+15105550101,+15105550102?body=hello%20there", "sms:(510)555-0101"),
        ("sms:foo", "sms: 5551234", "SMS:5551234", "{sms:1}", "sms:[5551234]", "sms::send(555)", "sms:on"),
    ),
    "callto": (
        ("callto:+15105550101", "callto:5550101"),
        ("callto: 1", "callto:joe", "callto:1", "callto::number", "Callto:5550101"),
    ),
    "whatsapp": (
        ("whatsapp:+14155238886", "whatsapp://send?phone=14155238886&text=hi"),
        ("whatsapp:joe", "WhatsApp:+14155238886", "whatsapp: +14155238886", "whatsapp://"),
    ),
    "facetime": (
        ("facetime:joe@a.example", "facetime:+14085551234", "facetime://14085551234", "facetime://joe@a.example"),
        ("facetime:me", "FaceTime: +14085551234", "facetime:on", "facetime::call(1)"),
    ),
    "skype": (
        ("skype:echo123?call", "skype:john.doe?chat", "skype:a,b?call"),
        ("skype:john.doe", "Skype: john?call", "skype:", "skype::call", "Skype:john?"),
    ),
    "aim": (("aim:goim?screenname=joe",), ("aim:high", "aim: goim?screenname=joe", "our aim:peace")),
    "msnim": (("msnim:chat?contact=joe@a.example",), ("msnim:joe@a.example", "msnim: chat?contact=joe")),
    "ymsgr": (("ymsgr:sendim?joe",), ("ymsgr:joe", "ymsgr: sendim?joe")),
    "matrix": (
        ("matrix:u/joe:a.example", "matrix:r/boats:a.example?action=join", "matrix:roomid/x3:a.example/e/ev4", "matrix:roomid/x3"),
        ("matrix:hover", "matrix:u/joe", "matrix: u/joe:a.example", "matrix:r/:x", "matrix:3x3", "matrix::row", "matrix:ab/cd"),
    ),
    "spotify": (
        ("spotify:track:6rqhFgbbKwnb9MLmUQDhG6", "spotify:user:joe:playlist:6rqhFgbbKwnb9MLmUQDhG6"),
        ("spotify:track", "spotify: track:6rqhFgbbKwnb9MLmUQDhG6", "spotify:premium:now", "spotify::track"),
    ),
    "msteams": (("msteams:/l/meetup-join/19:x",), ("msteams:/", "msteams: /l/meetup", "msteams:l/x")),
    "geo": (
        ("geo:37.786971,-122.399677;u=35", "geo:48.2010,16.3695,183", "geo:12,13", "geo:0,0?q=Vienna", "geo:-1.5,2"),
        ("Geo: 12,13", "geo: 12,13", "GEO:12.5,8.25", "geo::point", "geo:12", "geo:12.13", "geo:12,13,14,15", "geo:x,y"),
    ),
    "doi": (
        ("doi:10.1000/182", "DOI:10.1002/0470841559.ch1", "doi:10.1000.10/a(b)c"),
        ("DOI: 10.1000/x", "doi:10.1000", "doi:11.1000/x", "doi:none", "doi::new(10.1000/x)", "doi:10.x/y"),
    ),
    "bitcoin": (
        (f"bitcoin:{COIN}", f"bitcoin:{COIN}?amount=20.3&label=Luke-Jr", f"BITCOIN:{COIN}"),
        ("bitcoin:core", "bitcoin: " + COIN, "bitcoin:" + "a" * 24, "bitcoin::" + COIN, "bitcoin:" + "a-b" * 12),
    ),
    "ethereum": (
        (f"ethereum:0x{HASH}", f"ethereum:pay-0x{HASH}@1/transfer?value=1"),
        ("ethereum:0x12", "ethereum:" + HASH, f"ethereum: 0x{HASH}"),
    ),
    "openpgp4fpr": ((f"openpgp4fpr:{HASH}", f"OPENPGP4FPR:{HASH.upper()}"), ("openpgp4fpr:abc", f"openpgp4fpr: {HASH}")),
    "webcal": (("webcal://a.example/races.ics",), ("webcal:hover", "webcal: races", "webcal:races.ics")),
    "zoommtg": (("zoommtg://zoom.us/join?confno=1",), ("zoommtg:join",)),
    "slack": (("slack://channel?team=T1&id=C1",), ("slack:off",)),
    "tg": (("tg://resolve?domain=boats",), ("tg:join", "tg::resolve")),
}  # fmt: skip

# Not a URL in ``<URL:...>`` either.
NEVER = ("magnet:?", "{sms:1}", "whatsapp://", "skype:", "our aim:peace", "msteams:/")

GOOD = [url for goods, _ in CASES.values() for url in goods]
BAD = [text for _, bads in CASES.values() for text in bads]


@pytest.mark.parametrize("url", GOOD)
def test_url_of_the_shape_is_found_in_every_form(url):
    for form in ("see {}, and", "({})", "{}\n", "<{}>", '"{}"', "URL:{}", "<URL:{}>"):
        assert urls_of(form.format(url)) == [url], form
    assert str(parse_url(url)) == url


@pytest.mark.parametrize("url", GOOD)
def test_broken_url_of_the_shape_is_joined_in_brackets(url):
    at = len(url) - 3
    assert urls_of(f"<{url[:at]}\n{url[at:]}>") == [url]


@pytest.mark.parametrize("text", BAD)
def test_text_without_the_shape_is_rejected(text):
    for form in (f"see {text}, and", f"{text}\n", f"<{text}>", f'"{text}"', f"  {text};", f"({text})"):
        assert urls_of(form) == [], form


@pytest.mark.parametrize("text", BAD)
def test_url_wrapper_accepts_any_shape(text):
    """Its writer has said that it is a URL."""
    expected = [] if text in NEVER or "::" in text else [text.replace(" ", "")]
    assert urls_of(f"<URL:{text}>") == expected


@pytest.mark.parametrize("text", [
    "data: x", "data:text/plain,x", "a:hover { matrix:none }", "callto: 1\nsms: on\ngeo: 1,2\n", '{"sms":5551234,"geo":"1,2"}',
    "2024-01-02 sms:failed geo:none", "std::geo::point<geo::x>", "PATH_SMS:5551234", "transform: matrix(1,0,0,1,2,3)",
    "case geo:\n", "x = magnet ? 1 : 2", "isms:5551234 adoi:10.1000/x egeo:1,2", "view-source:x", "jabber:joe@a.example",
    "acct:joe@a.example", "<geo:lat>48.2</geo:lat>", '<georss:point xmlns:geo="geo:">', "<sms:body/>", "<doi:doi>", "<matrix:row>",
])  # fmt: skip
def test_program_text_has_no_url(text):
    assert urls_of(text) == []


def test_every_labelled_scheme_has_cases():
    """Each row of the table of schemes that has a shape is tested here."""
    assert {name for name in NAMES_WITHOUT_SLASHES if SCHEMES[name].label} <= set(CASES) <= set(SCHEMES)


def test_header_field_named_like_a_scheme_is_read_whole():
    from urlextract import extract_message

    found = extract_message(b"geo:1.5,2\nSubject: see sms:+15105550101\n\ndoi:10.1000/182\n")
    assert [f.url for f in found] == ["geo:1.5,2", "sms:+15105550101", "doi:10.1000/182"]
