"""The scheme parser, by the examples and rules of the standards (SPEC §5)."""

from __future__ import annotations

import contextlib
import re

import pytest
from costs import LINEAR, growth
from hostile import times
from hypothesis import given
from hypothesis import strategies as st
from library import same_resource
from scheme_cases import CASES

from urlextract import Url, UrlSyntaxError, extract, parse_url
from urlextract.grammar.names import names_in
from urlextract.urls import SCHEMES


@pytest.mark.parametrize(("text", "parts"), CASES, ids=[text for text, _ in CASES])
def test_example_has_its_parts(text, parts) -> None:
    url = parse_url(text)
    found = {name: value for name, value in url.parts().items() if value is not None}
    empty = {name: () for name, value in found.items() if value == () and name not in parts}
    assert found == {"scheme": text.partition(":")[0]} | empty | parts
    assert str(url) == text


# Examples of the standards that the first grammar of their scheme does not allow, with the violation.
ODD = {
    "http://fred:fredpassword@example.com:8080/": "a user name, which the scheme does not have",
    "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred": '"%" without two hexadecimal digits',
    "news:12345667123%asdghfh@info.cern.ch": '"%" without two hexadecimal digits',
    "http://info.cern.ch/RDB/EMP?*%20where%20name%%3Ddobbins": '"%" without two hexadecimal digits',
    "gopher://gopher.micro.umn.edu/00/Information About Gopher/About Gopher": "unsafe character unencoded",
    "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3": "no name space",
    "nntp:comp.lang.c/1234": "no server, which the draft alone allows",
    "wais://host/database/TEXT/1=quake;2=210;3=%2Fpath;": "reserved character unencoded",
    "file:path_segments": 'no "//", which uri(7) alone allows',
    "file:/cgi-bin": 'no "//", which uri(7) alone allows',
    "file:/etc/passwd": 'no "//", which uri(7) alone allows',
} | dict.fromkeys(
    (f"ftp://host.dom/{name}" for name in ("text;type=AN", "text;type=EC", "bytes;type=L8")),
    "a type that is none of a, i and d",
)


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_example_has_only_these_violations_of_the_first_grammar(text) -> None:
    url = parse_url(text)
    messages = {violation.message for violation in url.violations_of(url.GRAMMARS[0])}
    if "ip_server" in text:
        assert messages == {"not a label of a host"}
    elif text.startswith("ldap://hostport/dn"):  # placeholders instead of valid names
        assert messages <= {
            "not a distinguished name",
            "a scope that is none of base, one and sub",
            "a filter without parentheses",
        }
    else:
        assert messages == ({ODD[text]} if text in ODD else set())


# Examples that no grammar of their scheme allows: mistakes in the standards, and placeholders.
OF_NO_GRAMMAR = (
    "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred",
    "news:12345667123%asdghfh@info.cern.ch",
    "http://info.cern.ch/RDB/EMP?*%20where%20name%%3Ddobbins",
    "gopher://gopher.micro.umn.edu/00/Information About Gopher/About Gopher",
    "ldap://hostport/dn",
)


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_example_of_any_grammar_has_no_violations(text) -> None:
    assert bool(parse_url(text).violations) == text.startswith(OF_NO_GRAMMAR)


BY_GRAMMARS = {
    ("rfc1738", "rfc3986"): [
        "ftp://host.dom/a;type=d", "nntp://host.dom/a.b/1", "wais://host.dom/db/T/opaque",
    ],
    ("rfc1630",): ["ftp://host.dom/a;type=L8", "nntp:a.b/1", "news:alt.foo$bar", "urn:/iana/dns"],
    ("rfc1738", "rfc3986", "rfc1630"): ["ftp://host.dom/a;type=I", "prospero://host.dom/a%0012"],
    (): [
        "ftp://host.dom/a;type=zz", "ftp://host.dom/a;b", "http://host.dom/a b", "urn:iana",
        "urn:example:a?+", "urn:example:a?=?x", "mailto:a@b.dom?", "mailto:a@b.dom?subject=a=b",
        "mailto:a@b.dom?body=http://x.dom/y?z", "mailto:a@b.dom&subject=c", "mailto:a/b@c.dom",
        "mailto:a@b@c.dom", "mailto:a..b@c.dom", "mailto:a%0D%0A@b.dom", "mailto:,a@b.dom", "cid:a@b/c@d",
        "mid:a@b/c@d/e@f", "cid:a@b?x", "ftp://host.dom?q", "telnet://host.dom/path",
        "http://[fe80::1%eth0]/", "http://[fe80::1%25eth 0]/", "http://[fe80::%31]/", "man://host/ls",
        "info:(gcc", "ldap://h.dom/o=x???(&(a=b)(c=d\\29))", "ldap://h.dom/o=x???a=b",
        "ldap://h.dom/o=x???(a=b", "ldap://h.dom/x", "ldap://h.dom/o=x?a,,b",
        "ldap://h.dom/o=x????", "ldap://h.dom/o=x????e?f",
    ],
    ("rfc3986",): [
        "ftp://host.dom/~me/a", "http://host.dom/~me/", "http://me@host.dom/", "http://host.dom/a?b?c",
        "http://[2001:db8::1]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%25%65th%2D0-._~]/",
        "afs:/cell.dom/a",
    ],
    ("rfc5538", "rfc1630"): ["news:alt.foo!bar", "news:alt.*"],
    ("rfc1738", "rfc5538", "rfc1630"): ["news:alt.foo", "news:a%3Cb@host.dom"],
    ("rfc5538",): ["news://host.dom/alt.foo", "news://host.dom/alt.*", "news:a@host%2Edom"],
    ("rfc3986", "rfc1630"): ["wais://host.dom/db/T/1=a;2=b;", "http://host.dom?q"],
    ("rfc8141", "rfc3986"): ["urn:ietf:rfc:2648", "urn:example:a?+b?=c"],
    ("rfc6068", "rfc1738", "rfc3986", "rfc1630"): [
        "mailto:a@b.dom", "mailto:a%2Fb@c.dom", "mailto:%22not%40me%22@example.org",
        "mailto:gorby%25kremvax@example.com",
    ],
    ("rfc6068", "rfc3986"): [
        "mailto:a@b.dom?subject=c", "mailto:a@b.dom?subject=", "mailto:a@b.dom?=x",
        "mailto:unlikely%3Faddress@example.com?blat=foop",
    ],
    ("rfc2392", "rfc3986", "rfc1630"): ["mid:a@b/c@d"],
    ("uri(7)",): ["file:/etc/motd", "file:motd", "file:///C|/x", "info:(gcc)G++ and GCC"],
    ("rfc1738", "rfc3986", "uri(7)"): ["file:///C:/x"],
    ("rfc4516", "rfc3986"): [
        "ldap://h.dom/o=x???(a=b)", "ldap://h.dom/o=x???((a=b)(c=d))", "ldap://h.dom/o=x????!e=f",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
    ],
}  # fmt: skip


@pytest.mark.parametrize("grammars", BY_GRAMMARS)
def test_url_has_the_grammars_that_it_fits(grammars) -> None:
    found = {text: parse_url(text).grammars for text in BY_GRAMMARS[grammars]}
    assert found == dict.fromkeys(BY_GRAMMARS[grammars], grammars)


@pytest.mark.parametrize(("text", "places"), [
    ("http://host.dom/a b<c", [(17, 18), (19, 20)]),
    ("http://host.dom/%zz%4", [(16, 17), (19, 20)]),
    ("http://ho_st.dom/", [(7, 12)]),
    ("http://-a.dom/", [(7, 9)]),
    ("http://a..dom/", [(9, 9)]),
    ("http://a.dom./", [(12, 13)]),
    ("http://a.4x/", [(9, 11)]),
    ("http://1.2.3.256/", [(7, 16)]),
    ("http://a.dom:65536/", [(13, 18)]),
    ("http://a.dom:0000000080/", []),
    ("http://a.dom:/", [(13, 13)]),
    ("http://bücher.example/", [(7, 13)]),
    (f"http://{'a' * 64}.dom/", [(7, 71)]),
    ("ftp://us@er:pa@ss@host.dom/", [(8, 9), (14, 15)]),
    ("ftp://a:b:c@host.dom/", [(9, 10)]),
    ("ftp://host.dom/a;b/c", [(16, 17)]),
    ("telnet://host.dom/path", [(17, 22)]),
    ("news:4group", [(5, 11)]),
    ("news:@host", [(5, 10)]),
    ("nntp://host.dom/group/12x", [(22, 25)]),
    ("prospero://host.dom/a;b", [(21, 23)]),
    ("mailto:joe", [(7, 10)]),
    ("mailto:a@b.dom,joe?subject", [(15, 18), (19, 26)]),
    ("urn:x:y", [(4, 5)]),
    ("man:ls()", [(4, 8)]),
    ("x-any:a#b c", [(9, 10)]),
])  # fmt: skip
def test_violations_of_the_first_grammar_have_their_spans(text, places) -> None:
    url = parse_url(text)
    violations = url.violations_of(url.GRAMMARS[0])
    assert [tuple(violation.span) for violation in violations] == places
    assert all(violation.rule and violation.message for violation in violations)


@pytest.mark.parametrize(("text", "rules"), [
    ("http://host.dom/~me", []),
    ("http://ho_st.dom/", []),
    ("news:4group", []),
    ("http://host.dom/a b", [(17, 18, "RFC 1738, section 5: hsegment")]),  # of several, the first grammar
    ("http://me@host.dom/a b", [(20, 21, "RFC 3986, appendix A: hsegment")]),
    ("ftp://host.dom/~a;b", [(17, 18, "RFC 3986, appendix A: fsegment")]),
    ("ftp://host.dom/~a;type=L", [(23, 24, "RFC 3986, appendix A: ftptype")]),
    ("ftp://host.dom/|;type=L8", [(15, 16, "RFC 1630: fsegment")]),
    ("mailto:a@b.dom?subject=a b", [(24, 25, "RFC 6068, section 2: hfields")]),
    ("man:ls()", [(4, 8, "uri(7): man")]),
])  # fmt: skip
def test_violations_are_those_of_the_grammar_that_fits_best(text, rules) -> None:
    violations = parse_url(text).violations
    assert [(*violation.span, violation.rule) for violation in violations] == rules


@pytest.mark.parametrize(("text", "grammar"), [
    ("http://host.dom/", "rfc8141"), ("urn:a:b", "rfc1738"), ("news:a.b", ""), ("x:y", "RFC1738"),
])  # fmt: skip
def test_violations_of_an_unknown_grammar_raises_value_error(text, grammar) -> None:
    with pytest.raises(ValueError, match=r"grammar: unknown value .* choose one of rfc"):
        parse_url(text).violations_of(grammar)


@pytest.mark.parametrize(("text", "message", "span"), [
    ("", "no scheme", (0, 0)),
    ("no scheme", "no scheme", (0, 1)),
    ("//host/", "no scheme", (0, 1)),
    ("4x:a", "no scheme", (0, 1)),
    ("http:", "nothing after the scheme", (5, 5)),
    ("mailto:", "nothing after the scheme", (7, 7)),
    ("http:/path", 'no "//" and host, which http asks for', (5, 5)),
    ("http://", 'no host after "//"', (7, 7)),
    ("HTTP:///path", 'no host after "//"', (7, 7)),
    ("gopher:host", 'no "//" and host, which gopher asks for', (7, 7)),
    ("wais:/db", 'no "//" and host, which wais asks for', (5, 5)),
    ("prospero:x", 'no "//" and host, which prospero asks for', (9, 9)),
    ("telnet:host", 'no "//" and host, which telnet asks for', (7, 7)),
    ("nntp:group", 'no "//" and host, which nntp asks for', (5, 5)),
    ("ldap:o=x", 'no "//", which ldap asks for', (5, 5)),
    ("http://ho[st/", "brackets that hold no IP address", (7, 12)),
    ("http://[::g]/", "brackets that hold no IP address", (7, 12)),
    ("http://[::1/", "a bracket that is not closed", (7, 11)),
    ("http://[fe80::1%25]/", "brackets that hold no IP address", (7, 19)),
    ("http://[fe80::1%]/", "brackets that hold no IP address", (7, 17)),
    ("http://[::1]x/", "no port after the bracket", (12, 13)),
    ("ftp://ds.internic.net:ftp/rfc", "port is not a number", (22, 25)),
    ("http://host:\u0664/", "port is not a number", (12, 13)),
    (f"http://host:{'9' * 5000}/", "port has too many digits", (12, 5012)),
])  # fmt: skip
def test_syntax_error_has_its_message_and_span(text, message, span) -> None:
    with pytest.raises(UrlSyntaxError) as caught:
        parse_url(text)
    assert (caught.value.message, caught.value.span, caught.value.text) == (message, span, text)


@pytest.mark.parametrize(("text", "commands"), [
    ("ftp://myname@host.dom/%2Fetc/motd", ["CWD /etc", "RETR motd"]),
    ("ftp://myname@host.dom/etc/motd", ["CWD etc", "RETR motd"]),
    ("ftp://myname@host.dom//etc/motd", ["CWD ", "CWD etc", "RETR motd"]),
    ("ftp://info.cern.ch/pub/www/doc;type=d", ["CWD pub", "CWD www", "NLST doc"]),
    ("ftp://ds.internic.net/rfc/rfc1436.txt;type=a", ["CWD rfc", "TYPE a", "RETR rfc1436.txt"]),
    ("ftp://host.dom/a%20b;type=AN", ["TYPE A N", "RETR a b"]),
    ("ftp://host.dom/a;type=L8", ["TYPE L 8", "RETR a"]),
    ("ftp://host.dom/a%3Btype=d", ["RETR a;type=d"]),
    ("ftp://host.dom/pub/", ["CWD pub", "NLST"]),
    ("ftp://host.dom", ["NLST"]),
    ("ftp://host.dom/a?b", ["RETR a?b"]),
])  # fmt: skip
def test_ftp_url_has_the_commands_of_rfc1738(text, commands) -> None:
    assert list(parse_url(text).commands()) == commands


FORM = "+%091%0D%0A+-1%0D%0Aask_item1_value%0D%0Aask_item2_value%0D%0A.%0D%0A"
SENT = b"+\t1\r\n+-1\r\nask_item1_value\r\nask_item2_value\r\n.\r\n"


@pytest.mark.parametrize(("path", "request_"), [
    ("", b"\r\n"),
    ("/", b"\r\n"),
    ("/1", b"\r\n"),
    ("/11/a", b"1/a\r\n"),
    ("/0a%20b%2Fc", b"a b/c\r\n"),
    ("/0a?b", b"a?b\r\n"),
    ("/7sel%09two%20words", b"sel\ttwo words\r\n"),
    ("/0sel%09%09+", b"sel\t+\r\n"),
    ("/0sel%09%09!", b"sel\t!\r\n"),
    ("/1sel%09%09$", b"sel\t$\r\n"),
    ("/0sel%09%09!+ABSTRACT%20+SMELL", b"sel\t!+ABSTRACT +SMELL\r\n"),
    ("/0sel%09%09+application/postscript%20Es_ES", b"sel\t+application/postscript Es_ES\r\n"),
    ("/7sel%09words%09+", b"sel\twords\t+\r\n"),
    (f"/0sel%09%09{FORM}", b"sel\t" + SENT),
    ("/0sel%09%09+view_name%20language_name%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A",
     b"sel\t+view_name language_name\t1\r\n+-1\r\none\r\n.\r\n"),
])  # fmt: skip
def test_gopher_url_has_its_request(path, request_) -> None:
    assert parse_url(f"gopher://host{path}").request() == request_


@pytest.mark.parametrize("text", [
    "gopher://host/1a%0D%0AQUIT",
    "gopher://host/7a%09b%0AQUIT",
    "gopher://host/0a%00",
    "gopher://host/0a%09%09+%0D%0AQUIT",
    f"gopher://host/0a%09%09{FORM}QUIT%0D%0A",
    "gopher://host/0a%09%09+%091%0D%0A+-1%0D%0A.%0D%0AQUIT%0D%0A.%0D%0A",
    f"gopher://host/0a%0D%0A%09%09{FORM}",
    "gopher://host/0a\r\nQUIT",
])  # fmt: skip
def test_gopher_request_with_a_line_end_or_nul_is_refused(text) -> None:
    with pytest.raises(UrlSyntaxError, match="line end or NUL"):
        parse_url(text).request()
    assert b"\r\n" in parse_url(text).request(unsafe=True)


@pytest.mark.parametrize("path", ["a%0D%0ADELE%20b", "a%0a/b", "%00", "a;type=a%0D%0ADELE", "a\nb"])
def test_ftp_command_with_a_line_end_or_nul_is_refused(path) -> None:
    url = parse_url(f"ftp://host.dom/{path}")
    with pytest.raises(UrlSyntaxError, match="line end or NUL") as caught:
        url.commands()
    start, end = caught.value.span
    assert str(url)[start:end].lower() in ("%0d%0a", "%0a", "%00", "\n")
    assert url.commands(unsafe=True)


@pytest.mark.parametrize(("text", "parts"), [
    ("ftp://host.dom?q", {"cwd": (), "name": "?q"}),
    ("gopher://h?7a", {"gtype": "1", "selector": "?7a"}),
    ("gopher://h?7a%09b", {"gtype": "1", "selector": "?7a", "search": "b"}),
    ("prospero://h?a;b=c", {"hsoname": "?a", "fields": (("b", "c"),)}),
    ("news://h?a.b", {"group": "?a.b", "article": None}),
    ("news://h?a@b", {"group": None, "article": "?a@b"}),
    ("nntp://h?a/1", {"group": "?a", "article": "1"}),
    ("telnet://h?a", {"path": "?a"}),
    ("file://h?a", {"path": "?a"}),
    ("news:comp.lang.c/1-5", {"group": "comp.lang.c", "numbers": "1-5"}),
    ("news://me@host.dom/comp.lang.c", {"user": "me", "host": "host.dom", "group": "comp.lang.c"}),
    ("http://host.dom:0000000080/", {"port": 80}),
    (f"http://host.dom:{'0' * 5000}80/", {"port": 80}),
    ("ldap:///??sub??e-bindname=cn=x", {"dn": "", "attributes": (), "scope": "sub", "filter": ""}),
])  # fmt: skip
def test_unusual_url_has_these_parts(text, parts) -> None:
    found = parse_url(text).parts()
    assert {name: found[name] for name in parts} == parts


@pytest.mark.parametrize(
    "text", ["ftp://h?a", "gopher://h?7a", "prospero://h?a", "news://h?a.b", "nntp://h?a/1"]
)
def test_question_mark_right_after_a_host_is_a_violation_where_no_query_is(text) -> None:
    at = text.index("?")
    violations = parse_url(text).violations_of("rfc1738")
    assert ((at, at + 1), 'no "/" before it') in [(tuple(each.span), each.message) for each in violations]


@pytest.mark.parametrize(("one", "other"), [
    ("afs:/a.dom/x", "afs:/b.dom/x"), ("gopher://h?", "gopher://h/1"), ("gopher://h?7a", "gopher://h/7a"),
])  # fmt: skip
def test_keys_of_other_resources_differ(one, other) -> None:
    assert parse_url(one).key != parse_url(other).key


@pytest.mark.parametrize("call", [
    lambda: parse_url(None),
    lambda: parse_url(b"http://a/"),
    lambda: same_resource(1, 2),
    lambda: parse_url("http://a/").join(b"b"),
    lambda: parse_url("http://a/").join(None),
    lambda: SCHEMES.pop("ftp"),
])  # fmt: skip
def test_argument_of_a_wrong_type_raises(call) -> None:
    with pytest.raises((TypeError, AttributeError)):
        call()


@pytest.mark.parametrize(("host", "ascii_", "unicode_", "address"), [
    ("bücher.example", "xn--bcher-kva.example", "bücher.example", None),
    ("xn--bcher-kva.example", "xn--bcher-kva.example", "bücher.example", None),
    ("b%C3%BCcher.example", "xn--bcher-kva.example", "bücher.example", None),
    ("faß.de", "xn--fa-hia.de", "faß.de", None),
    ("host.dom", "host.dom", "host.dom", None),
    ("xn--zzzzzz.dom", None, "xn--zzzzzz.dom", None),
    ("a%2Fb.dom", None, "a/b.dom", None),
    ("a..b", None, "a..b", None),
    ("bü_cher.example", None, "bü_cher.example", None),
    ("192.0.2.17", "192.0.2.17", "192.0.2.17", "192.0.2.17"),
    ("192.0.2.256", "192.0.2.256", "192.0.2.256", None),
    ("[::1]", "::1", "[::1]", "::1"),
    ("[2001:DB8::1]", "2001:db8::1", "[2001:DB8::1]", "2001:db8::1"),
    ("[fe80::1%25eth0]", "fe80::1%eth0", "[fe80::1%25eth0]", "fe80::1%eth0"),
    ("[fe80::1%eth0]", "fe80::1%eth0", "[fe80::1%eth0]", "fe80::1%eth0"),
    ("[v7.x:y]", "v7.x:y", "[v7.x:y]", None),
])  # fmt: skip
def test_host_has_its_ascii_and_unicode_forms_and_address(host, ascii_, unicode_, address) -> None:
    url = parse_url(f"http://{host}:80/")
    assert (url.host_name, url.host_unicode, url.host) == (ascii_, unicode_, host)
    assert (url.address and str(url.address)) == address


@pytest.mark.parametrize(("text", "normal"), [
    ("HTTP://Info.CERN.CH:80/Albert/marie%2dclaude", "http://info.cern.ch/Albert/marie-claude"),
    ("http://host.dom/a%2fb", "http://host.dom/a%2Fb"),
    ("http://host.dom:/", "http://host.dom/"),
    ("http://host.dom:08080", "http://host.dom:8080"),
    ("http://host.dom/./a/../b//", "http://host.dom/./a/../b//"),
    ("http://Bücher.example/é?ü#ö", "http://xn--bcher-kva.example/%C3%A9?%C3%BC#%C3%B6"),
    ("ftp://Me:Pw%41@HOST.dom:21/%7Eme;type=A", "ftp://Me:PwA@host.dom/~me;type=A"),
    ("MAILTO:Joe@Host.DOM?Subject=A", "mailto:Joe@host.dom?Subject=A"),
    ("URN:ISBN:0-395-36341-1", "urn:isbn:0-395-36341-1"),
    ("news:Comp.Lang.C", "news:Comp.Lang.C"),
    ("gopher://HOST/0a%09b", "gopher://host/0a%09b"),
    ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ("http://[FE80::1%25EN1]/", "http://[fe80::1%25EN1]/"),
    ("http://[fe80::1%25a b]/", "http://[fe80::1%25a b]/"),
    ("http://[fe80::1%41]/", "http://[fe80::1%41]/"),
    ("http://A%2dB.dom/%c3", "http://a-b.dom/%C3"),
    ("http://%FF.dom/", "http://%FF.dom/"),
    ("urn:Example:%2d%2c", "urn:example:%2D%2C"),
    ("afs:/Cell.dom/a%2Db", "afs:/Cell.dom/a-b"),
    ("x:%0%65%66", "x:%0%65f"),
    ("x:%%41", "x:%%41"),
])  # fmt: skip
def test_normalized_url_has_the_normal_form(text, normal) -> None:
    assert str(parse_url(text).normalized()) == normal
    assert str(parse_url(normal).normalized()) == normal


@pytest.mark.parametrize(("one", "other", "same"), [
    *((one, other, True) for one, other in (
        ("http://a.dom", "http://A.dom:80/"), ("http://a.dom/x#1", "http://a.dom/x#2"),
        ("http://a.dom/%61", "http://a.dom/a"), ("gopher://a.dom", "gopher://a.dom/1"),
        ("telnet://a.dom", "telnet://a.dom/"), ("file:///x", "file://localhost/x"), ("file:/x", "file:///x"),
        ("http://bücher.example/", "http://xn--bcher-kva.example"),
        ("http://[::1]/", "http://[0:0:0:0:0:0:0:1]/"), ("http://EXAMPLE%2ecom/", "http://example.com"),
        ("http://h%c3%a9.dom/", "http://hé.dom/"), ("news://a.dom:119/b.c", "news://a.dom/b.c"),
        ("urn:example:a123,z456", "URN:example:a123,z456"),
        ("urn:example:a123,z456", "urn:EXAMPLE:a123,z456?+abc"),
        ("urn:example:a123,z456", "urn:example:a123,z456?=xyz"),
        ("urn:example:a123,z456", "urn:example:a123,z456#789"),
        ("urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"), ("urn:example:a?+b", "URN:Example:a?=c"),
    )),
    *((one, other, False) for one, other in (
        ("http://a.dom/x", "http://a.dom/x/"), ("http://a.dom/a%2Fb", "http://a.dom/a/b"),
        ("http://a.dom/A", "http://a.dom/a"), ("https://a.dom/", "http://a.dom/"),
        ("file://a.dom/x", "file:///x"), ("http://[fe80::1%251]/", "http://[fe80::1]/"),
        ("http://a%2Fb.dom/", "http://a/b.dom"), ("urn:example:a123,z456", "urn:example:a123,z456/foo"),
        ("urn:example:a123,z456", "urn:example:A123,z456"),
        ("urn:example:a123,z456", "urn:example:%61123,z456"), ("ftp://@a.dom/", "ftp://a.dom/"),
    )),
])  # fmt: skip
def test_same_resource_compares_normal_forms(one, other, same) -> None:
    assert same_resource(one, other) is same
    assert same_resource(parse_url(other), one) is same


def test_url_is_an_immutable_value() -> None:
    url = parse_url("ftp://me@host.dom/a;type=d")
    assert {url: 1}[parse_url(str(url))] == 1
    assert repr(url) == "FtpUrl('ftp://me@host.dom/a;type=d')"
    with pytest.raises(TypeError):
        type(url).__init__(url, "x", (), None)  # type: ignore[call-arg]
    for name in ("host", "text", "new"):
        with pytest.raises(AttributeError):
            setattr(url, name, "x")
    with pytest.raises(AttributeError):
        del url._text  # the attributes that hold the value have private names only
    assert not hasattr(url, "__dict__")
    with pytest.raises(ValueError, match=r"^name: unknown value 'text': choose one of scheme, .*fragment$"):
        url.decoded("text")
    assert url.decoded("path") == "/a;type=d"


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_every_scheme_of_the_table_has_a_type_that_reads_it(scheme) -> None:
    url = parse_url(f"{scheme.upper()}://host.dom/a")
    assert url.scheme == scheme
    assert url.default_port == SCHEMES[scheme].port
    assert type(url).__doc__


hostile = st.text(
    st.sampled_from("ab1.:/?#[]@%;=&+-!,()|~\\^ \t\r\n\0é。א\u200d\udc80\ud800\u202e"), max_size=40
)
starts = st.sampled_from(["", *(f"{name}:" for name in SCHEMES), *(f"{name}://" for name in SCHEMES), "x://"])


@given(starts, hostile | st.text(max_size=30))
def test_any_text_parses_consistently_or_raises_url_syntax_error(start, text) -> None:
    text = start + text
    try:
        url = parse_url(text)
    except UrlSyntaxError as error:
        low, high = error.span
        assert 0 <= low <= high <= len(text)
        return
    assert str(url) == text
    assert isinstance(url, Url)
    for remark in (*url.violations, *url.warnings):
        assert 0 <= remark.span.start <= remark.span.end <= len(text)
        assert remark.message
    assert set(url.grammars) <= set(url.GRAMMARS)
    by_name = {name: url.violations_of(name) for name in url.GRAMMARS}
    assert url.grammars == tuple(name for name in url.GRAMMARS if not by_name[name])
    assert url.violations == min(by_name.values(), key=len)
    for name in url._FIELDS:
        url.decoded(name)
    assert (url.host_name, url.host_unicode, url.address) is not None
    normal = url.normalized()
    assert normal.normalized() == normal
    assert same_resource(url, normal)
    for method in ("commands", "request"):
        if hasattr(url, method):
            assert getattr(url, method)(unsafe=True) is not None


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "unit", ["a", ".", "a.", "%", "/", "/..", "@", "[", "\ud800", "é", "1=2;", "%0D%0A", "?", ","]
)
@pytest.mark.parametrize(
    "start", ["http://h/", "http://", "ftp://h/", "mailto:", "news:", "urn:a:", "wais://h/d/t/"]
)
def test_any_megabyte_parses_or_raises_url_syntax_error(start, unit) -> None:
    text = start + unit * (MEGABYTE // len(unit))
    with contextlib.suppress(UrlSyntaxError):
        url = parse_url(text)
        assert str(url) == text
        assert url.parts()


@pytest.mark.parametrize("start", ["http://", "http://a:", "http://[", "http:/"])
def test_error_message_is_bounded(start) -> None:
    with pytest.raises(UrlSyntaxError) as caught:
        parse_url(start + "[" * MEGABYTE)
    assert len(str(caught.value)) < 1_000


def ask_everything(text):
    """Ask for every property of a URL."""
    with contextlib.suppress(UrlSyntaxError):
        url = parse_url(text)
        assert url.parts() is not None
        assert url.violations is not None
        assert url.warnings is not None
        assert url.normalized()
        assert url.host_name != ""


@pytest.mark.slow
@pytest.mark.parametrize(("start", "unit"), [
    ("wais://h/d/t/", "1="), ("prospero://h/", "%000"), ("news:", "/1"), ("mailto:", "a@"), ("urn:a:", "?+"),
    ("mailto:a@b?", "a&"), ("ftp://h/", ";type="), ("ldap://h/?", "a,"), ("ldap://h/???", "("), ("x:", "#"),
    ("gopher://h/0", "%09"), ("http://", "a."), ("http://", "-."), ("http://", "é."), ("http://h/", "%"),
    ("info:(", "("), ("man:", "a("), ("http://[", ":"), ("http://a:", "@"), ("mid:", "a@b/"),
    ("http://", "xn--a."), ("http://", "1."), ("http://", "\u200d"), ("http://h/", "\u200b"), ("file:", "\\"),
    ("news:", "a"), ("news:a@", "%"), ("gopher://h", "?"), ("prospero://h/", "%000a"), ("urn:", "?a"),
    ("urn:", ":"), ("info:", "()"), ("afs:", "/"), ("nntp://h/", "/"), ("wais://h/d/t/", "1=2;"),
    ("cid:", "a.@"), ("about:", "?"),
])  # fmt: skip
def test_parsing_time_is_proportional_to_the_length(start, unit) -> None:
    assert growth(ask_everything, times(unit, start), 20_000, 80_000) < LINEAR


def test_registered_names_are_whole() -> None:
    """One name a line: names with hyphens were cut where the list was filled, and their pieces counted."""
    names = names_in("schemes.txt")
    assert {name for name in names if not re.fullmatch(r"[a-z][a-z0-9+.-]*(?<!-)", name)} == set()
    text = "see ms-settings-wifi://x, word://y, ms-word:ofe://z and location://w"
    assert [found.url for found in extract(text)] == ["ms-settings-wifi://x"]


def test_top_level_domains_are_names_of_hosts() -> None:
    names = names_in("tlds.txt")
    assert {name for name in names if not re.fullmatch(r"[a-z]{2,63}|xn--[a-z0-9-]{2,59}", name)} == set()
    assert {"com", "de", "xn--p1ai"} <= names


@pytest.mark.parametrize(("text", "name", "value"), [
    ("ftp://h.dom?7a", "name", "?7a"), ("gopher://h.dom?7a", "selector", "?7a"),
    ("prospero://h.dom?a", "hsoname", "?a"), ("news://h.dom?a.b", "group", "?a.b"),
    ("nntp://h.dom?a.b/5", "group", "?a.b"),
])  # fmt: skip
def test_question_mark_right_after_the_host_is_kept_with_a_violation(text, name, value) -> None:
    """These schemes have no query, and the standard of each asks for a slash there."""
    url = parse_url(text)
    assert (url.parts()[name], str(url)) == (value, text)
    assert url.violations[0].start == text.index("?")
    assert url.grammars == ()
