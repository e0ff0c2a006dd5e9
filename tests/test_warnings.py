"""The warnings about URLs that are valid but may deceive or be unsafe: their places and words."""

from __future__ import annotations

import pytest

from urlextract import parse_url

NUMBER, BACKSLASH = "an address written as a number", "a backslash, which browsers read as a slash"
NO_NAME = "a host name that the standards do not allow"
LIKE_A_HOST, PASSWORD = "a user name that looks like a host", "a password for everyone to read"
INVISIBLE, CONTROL = "an invisible character", "a control character"
ACTED_ON = "a line end or NUL, which the protocol would act on"
ENCODED = "a percent-encoded host name: "
LIKE_A_DELIMITER = "a character in the host that looks like a delimiter: "
PORT = "a port below 1024 that is not the scheme's"


def other(name):
    return f"characters that browsers replace: the host is {name}"


@pytest.mark.parametrize(("text", "warnings"), [
    # numbers, and what is no name: the whole host
    *((f"http://{host}/", {(7, 7 + len(host)): NUMBER}) for host in (
        "2130706433", "0x7f.1", "010.0.0.1", "017700000001", "192.168.1", "256.1", "4294967296", "0x", "09",
        "127.1.",
    )),
    *((f"http://{host}/", {(7, 7 + len(host)): NO_NAME}) for host in (
        "1.2.3.4.5", "1.2.3.256", "a.09", "a.0x1.",
    )),
    *((f"http://{host}/", {(7, 7 + len(host)): NO_NAME}) for host in (
        "\u0300a.example", "i\u2764.ws", "xn--a.example", "xn--abc-.example", "%ff", "1\u05d0",
    )),
    ("http://0X7F000001:80/", {(7, 17): NUMBER}),
    ("http://1..2/", {(7, 11): NO_NAME}),
    ("http://\uff11\uff12\uff17.1/", {(7, 12): [NUMBER, other("127.1")]}),
    ("http://%30x7f.1/", {(7, 15): [ENCODED + "0x7f.1", NUMBER]}),
    # a host that is not what it looks like
    ("http://%65xample.com/", {(7, 20): ENCODED + "example.com"}),
    ("http://\uff45xample.com/", {(7, 18): other("example.com")}),
    ("http://example\u3002com/", {(7, 18): other("example.com")}),
    ("http://b\u00fccher.\uff4frg/", {(7, 17): other("xn--bcher-kva.org")}),
    ("http://xn--80ak6aa92e.com/", {(7, 25): "letters of another script, drawn like apple.com"}),
    ("http://\u0430\u0440\u0440\u04cf\u0435.com/",
     {(7, 16): "letters of another script, drawn like apple.com"}),
    ("http://\u0410\u0440\u0440\u04cf\u0435.com/",
     {(7, 16): "letters of another script, drawn like apple.com"}),
    ("http://p\u0430ypal.example/", {(7, 21): "letters of several scripts: Cyrillic, Latin"}),
    ("http://xn--pypal-4ve.example/", {(7, 28): "letters of several scripts: Cyrillic, Latin"}),
    # backslashes and slashes
    ("http://good.example\\@evil.example/", {(7, 20): LIKE_A_HOST, (19, 20): BACKSLASH}),
    ("http://a.example/b\\c", {(18, 19): BACKSLASH}),
    ("file:\\\\host\\share\\x", {(5, 7): BACKSLASH}),
    ("https://a.example/\\b?\\c#\\d", {(18, 19): BACKSLASH}),
    ("ws:a.example\\b", {(12, 13): BACKSLASH}),
    # delimiters, scripts of which all looks like ASCII
    ("http://bank.example\u2044x.example.net/", {(7, 33): [LIKE_A_DELIMITER + "\u2044", NO_NAME]}),
    ("http://bank.example\u01c3x.example.net/", {(7, 33): LIKE_A_DELIMITER + "\u01c3"}),
    ("http://%D1%80aypal.dom/", {(7, 22): "letters of several scripts: Cyrillic, Latin"}),
    # users, ports, labels
    ("ftp://me:secret@host.dom/", {(9, 15): PASSWORD}),
    ("http://host.dom:25/", {(16, 18): PORT}),
    ("URL:ftp://host.dom/", {(0, 4): "a label before a URL, not a scheme"}),
    ("http://www.bank.example@evil.example/", {(7, 23): LIKE_A_HOST}),
    ("http://www.bank.example:80@evil.example/",
     {(7, 23): LIKE_A_HOST, (24, 26): PASSWORD}),
    ("http://www%2Ebank\u3002example@evil.example/", {(7, 25): LIKE_A_HOST}),
    ("ftp://www.bank.example@evil.example/", {(6, 22): LIKE_A_HOST}),
    ("ftp://bank.com@evil.example/", {(6, 14): LIKE_A_HOST}),
    ("ftp://online.bank.de@evil.example/", {(6, 20): LIKE_A_HOST}),
    # invisible characters, and controls
    ("http://a.example/\u202egnp.exe", {(17, 18): INVISIBLE}),
    ("http://a.example/b\u200bc?d\u2060#\ufeffe",
     {(18, 19): INVISIBLE, (22, 23): INVISIBLE, (24, 25): INVISIBLE}),
    ("http://a.example/b\xadc\u200dd", {(18, 19): INVISIBLE, (20, 21): INVISIBLE}),
    ("http://a.exa\xadmple/", {(7, 17): other("a.example"), (12, 13): INVISIBLE}),
    ("mailto:a\u200b@b.example", {(8, 9): INVISIBLE}),
    ("http://a.example/\x1b[2J", {(17, 18): CONTROL}),
    ("http://a.example/\tb\nc", {(17, 18): CONTROL, (19, 20): CONTROL}),
    ("http://a.exa\tmple/", {(12, 13): CONTROL}),
    ("http://0x7f\r\n.1/", {(7, 15): NUMBER, (11, 13): CONTROL}),
    ("ftp://u:p\t@a.example/", {(8, 10): PASSWORD, (9, 10): CONTROL}),
    ("ftp://host.dom/a%0Ab%00", {(16, 19): ACTED_ON, (20, 23): ACTED_ON}),
    ("news:a%0D%0Ab@host.dom", {(6, 12): ACTED_ON}),
    ("gopher://host.dom:25/1HELO%0D%0AMAIL", {(18, 20): PORT, (26, 32): ACTED_ON}),
    ("gopher://host/0f%0Ao%09%09+%091%0D%0A+-1%0D%0A.%0D%0A", {(16, 19): ACTED_ON}),
    ("mailto:a@b.dom%0A", {(14, 17): ACTED_ON}),
    ("mailto:a@b.example?body=%0A&subject=%0a", {(36, 39): ACTED_ON}),
    # names that no host has
    ("http://a..example/", {(7, 17): NO_NAME}),
    ("http://.example/", {(7, 15): NO_NAME}),
    (f"http://{'a' * 64}.example/", {(7, 79): NO_NAME}),
    (f"http://{'abcde.' * 42}ab/", {(7, 261): NO_NAME}),
    ("http://*.example/", {(7, 16): NO_NAME}),
    ("http://a b.example/", {(7, 18): NO_NAME}),
    ("http://<host>/", {(7, 13): NO_NAME}),
    ("http://a%00b/", {(7, 12): NO_NAME}),
    ("http://a\u200cb/", {(7, 10): NO_NAME, (8, 9): INVISIBLE}),
    (f"http://{'é' * 1025}/", {(7, 1032): NO_NAME}),
    ("ftp://a%20b/", {(6, 11): NO_NAME}),
])  # fmt: skip
def test_warning_has_its_place_and_words(text, warnings):
    expected = [
        (place, message)
        for place, messages in warnings.items()
        for message in ([messages] if isinstance(messages, str) else messages)
    ]
    found = [(tuple(warning.span), warning.message) for warning in parse_url(text).warnings]
    assert sorted(found) == sorted(expected)
    assert [place for place, _ in found] == sorted(place for place, _ in found)


@pytest.mark.parametrize("text", [
    "http://a.example", "https://www.a.example:8443/b/c.html?d=e&f=%20g#h", "http://localhost:8080/",
    "http://127.0.0.1/", "http://192.0.2.1.:80/", "http://\u05d0\u05d1.example/",
    "http://[2001:db8::1]:80/", "http://1.example/",
    "http://0x7g.example/", "http://a.example./", "http://a_b.example/", "http://_dmarc.a.example/",
    "http://-a-.example/", "http://a--b.example/", "http://B\u00fccher.example/",
    "http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/", "http://\u4f8b\u3048\u3002jp/",
    "http://\u043f\u043e\u0447\u0442\u0430.\u0440\u0444/", "http://a.example/\u00e9\u4f8b",
    "http://fa\u00df.example/", "http://a.example/a@b.example", "http://a.example/?u=http://b.example/@c",
    "http://a.example/?q=a\\b#c\\d", "http://a.example/%5C%00%0A", "http://john@a.example/",
    "ftp://john.smith@a.example/", "ftp://joe%40b.com@a.example/", "ftp://anonymous@a.example/b;type=a",
    "https://fa.wikipedia.org/wiki/\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "https://hi.wikipedia.org/wiki/\u0915\u094d\u200d\u0937", "https://a.example/\U0001f469\u200d\U0001f4bb",
    "https://a.example/\u2764\ufe0f", "https://a.example/\U0001f469\U0001f3fd\u200d\U0001f4bb",
    "https://\u0915\u094d\u200d\u0937.example/",
    "file:///C:/a/b.txt", "file:///C|/a", "file:///C:\\a\\b.txt", "file://host/share/a%20b", "file:c:\\a",
    "file://C|/a",
    "mailto:first.last@a.example?subject=b", "mailto:a@b.example?body=c%0D%0Ad", "urn:isbn:0395363411",
    "news:comp.lang.c", "tel:+49-30-123", "x-tool://any thing!/b", "x:a\\b", "jdbc:mysql://h/a",
    "http://host.dom:80/", "ftp://me:@host.dom/", "ssh://host.dom:22/", "http://host.dom/a%0A", "http://12.example/",
    "http://\u043f\u043e\u0447\u0442\u0430.com", "http://\u4f8b\u3048.example/",
    "gopher://host/0foo%09%09+%091%0D%0A+-1%0D%0A.%0D%0A",
    "gopher://host.dom/0s%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A",
    "redis://h:6379/0", "ssh://git@a.example/b", "git+ssh://git@a.example:22/b", "data:text/plain,a%00b",
])  # fmt: skip
def test_ordinary_url_has_no_warning(text):
    assert parse_url(text).warnings == ()


def test_invisible_character_in_an_encoded_host_is_found():
    messages = [warning.message for warning in parse_url("http://a.exa%C2%ADmple/").warnings]
    assert messages == [INVISIBLE, other("a.example")]
