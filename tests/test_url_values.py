"""URLs as values: changed, joined, compared, and what other code asks of them."""

from __future__ import annotations

import copy
import inspect
import itertools
import json
import pickle
import pydoc
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from library import resolve, same_resource
from scheme_cases import CASES
from strategies import examples

import urlextract.urls
from urlextract import Url, UrlSyntaxError, parse_url
from urlextract.urls import FileUrl, FtpUrl, HttpUrl

GENERIC = ("scheme", "user", "password", "host", "port", "path", "query", "fragment")

ODD = [
    "HTTP://Host.dom:/x", "http://host.dom:0080", "http://host.dom?q", "http://h.dom#", "http://h.dom/?",
    "x:y", "ftp://h.dom?q", "ftp://h.dom/a;TYPE=a", "ftp://u:@h.dom//a//", "gopher://h.dom",
    "gopher://h.dom/%411", "wais://h.dom", "wais://h.dom/a/b/c/d?e", "prospero://h.dom",
    "prospero://h/a%0012b;;c;d=", "afs:cell", "afs:/cell", "afs:///p", "file:motd", "file:///a", "x:///a",
    "x://h", "x:/.//a", "urn:a", "urn:a?=b?+c", "urn:a:b?+?=", "mailto:?to=a@b", "mailto:a@b?",
    "mailto:a,,b?c&d=&=e", "mid:a@b/c/d", "cid:a/b", "man:ls()x", "info:(gcc", "info:()", "info:gcc#",
    "about:a?b?c", "news://h.dom", "news://h.dom/", "news:a.b/1-5", "news:/a@b", "nntp://h.dom",
    "nntp://h.dom/a/b/c", "ldap:///", "ldap://h?", "ldap://h/a???", "ldap://h/a????!b=c,,d",
    "telnet://u@h.dom:23", "tel:1", "http://[::1]:80/", "http://a@b:c@d.dom/", "x:a?b#c#d",
    "http://é.dom/ü", "gopher://h.dom/0a\tb",
]  # fmt: skip
SAMPLES = [parse_url(text) for text in dict.fromkeys([*(text for text, _ in CASES), *ODD])]
KINDS = [
    Url,
    *(
        kind
        for kind in vars(urlextract.urls).values()
        if isinstance(kind, type) and issubclass(kind, Url) and kind is not Url
    ),
]
BY_TYPE = {kind: [url for url in SAMPLES if type(url) is kind] for kind in KINDS}


def names_of(url):
    return dict.fromkeys((*GENERIC, *url.parts()))


# Parsing a value, and its text


@pytest.mark.parametrize("url", SAMPLES, ids=str)
def test_url_is_parsed_copied_and_pickled_as_it_is(url) -> None:
    assert parse_url(url) is url
    for again in (pickle.loads(pickle.dumps(url)), copy.copy(url), copy.deepcopy(url)):
        assert (again, type(again), again.parts()) == (url, type(url), url.parts())


def test_url_formats_as_its_text() -> None:
    url = parse_url("http://host.dom/")
    assert (
        f"{url}|{url:>20}|{url:.4}|{url!s}" == "http://host.dom/|    http://host.dom/|http|http://host.dom/"
    )
    assert format(url, "-^18") == "-http://host.dom/-"
    assert json.loads(json.dumps(str(url))) == "http://host.dom/"
    with pytest.raises(ValueError, match="format"):
        format(url, "d")


def test_url_equals_urls_with_the_same_text_only() -> None:
    url = parse_url("http://host.dom/")
    assert url != "http://host.dom/"
    assert url != parse_url("HTTP://host.dom/")
    assert len({url, parse_url("http://host.dom" + "/"), url.replace(port=None)}) == 1


# Constructors and names


@pytest.mark.parametrize("kind", KINDS)
def test_constructor_is_closed(kind) -> None:
    for words, keywords in (((), {}), (("http://host.dom/",), {}), ((), {"text": "x:y"}), ((1, 2, 3), {})):
        with pytest.raises(TypeError, match="parse_url"):
            kind(*words, **keywords)


COMMON = {
    "CHARS", "FAULTS", "FORM", "GRAMMARS", "address", "decoded", "default_port", "fragment", "grammars",
    "host", "host_name", "host_unicode", "join", "key", "normalized", "origin", "parts",
    "password", "path", "port", "query", "replace", "rest", "scheme", "text", "user", "violations",
    "violations_of", "warnings",
}  # fmt: skip
OF_TYPE = {
    "cell", "commands", "drive", "is_local", "message_id", "request", "wfields",
}  # fmt: skip


@pytest.mark.parametrize("url", SAMPLES, ids=str)
def test_dir_has_public_methods_and_components_which_can_be_decoded(url) -> None:
    public = {name for name in dir(url) if not name.startswith("_")}
    assert COMMON <= public <= COMMON | set(url.parts()) | OF_TYPE
    assert url.decoded("scheme") == url.scheme
    for name in url.parts():
        url.decoded(name)


@pytest.mark.parametrize("kind", KINDS)
def test_help_of_a_type_has_an_example_and_a_sentence_for_each_part(kind) -> None:
    shown = pydoc.render_doc(kind, renderer=pydoc.plaintext)
    assert ">>> " in kind.__doc__
    for name in kind._FIELDS:
        sentence = pydoc.getdoc(getattr(kind, name)).splitlines()[0]
        assert sentence.endswith(".")
        assert re.search(rf"\|  {name}\n \|      {re.escape(sentence)}", shown), name


def test_all_types_replace_by_one_signature() -> None:
    assert {kind.replace for kind in KINDS} == {Url.replace}
    names = list(inspect.signature(Url.replace).parameters)
    assert names == ["self", *GENERIC, "own"]


# replace: laws


@pytest.mark.parametrize("url", SAMPLES, ids=str)
def test_replacing_what_is_there_returns_the_same_url(url) -> None:
    values = {name: getattr(url, name) for name in names_of(url)}
    for name, value in values.items():
        assert url.replace(**{name: value}) is url
    assert url.replace(**values) is url
    assert url.replace() is url


def check_replaced(url, changes) -> bool:
    """Check that ``changes`` are refused, or are all that changes; return whether they are accepted."""
    try:
        made = url.replace(**changes)
    except (TypeError, UrlSyntaxError) as error:
        refusal = error
    else:
        refusal = None
    if refusal:
        no_part = "has no component" in str(refusal)  # of the type of another scheme
        assert any(f"{name}=" in str(refusal) for name in changes) or ("scheme" in changes and no_part)
    if isinstance(refusal, UrlSyntaxError):
        low, high = refusal.span
        assert 0 <= low <= high <= len(refusal.text)
    if refusal:
        return False
    again = parse_url(str(made))
    assert (again, type(again)) == (made, type(made))
    for name, value in changes.items():
        assert getattr(again, name) == (value.lower() if name == "scheme" else value)
    if type(made) is not type(url):
        assert made.scheme != url.scheme
        return True
    before, after = url.parts(), again.parts()
    # The path and the query are made of these, and a node may be the fragment.
    wholes = {"path", "query"} - before.keys() | ({"fragment"} if "node" in before else set())
    if not changes.keys() & (wholes | ({"node"} if "node" in before else set())):
        assert {name for name in before if before[name] != after[name]} <= changes.keys()
    return True


@pytest.mark.parametrize("kind", BY_TYPE, ids=lambda kind: kind.__name__)
def test_each_component_is_replaced_by_that_of_another_url_or_refused(kind) -> None:
    accepted = set()
    for url, other in itertools.product(BY_TYPE[kind], repeat=2):
        for name in names_of(url):
            before, after = getattr(url, name), getattr(other, name)
            if check_replaced(url, {name: after}) and before != after:
                accepted.add(name)
        check_replaced(url, {name: value for name, value in other.parts().items() if name != "scheme"})
    expected = {
        name for name in BY_TYPE[kind][0].parts() if len({getattr(u, name) for u in BY_TYPE[kind]}) > 1
    }
    assert expected <= accepted


texts = st.text(st.sampled_from("ab1.:/?#[]@%;=&+-!,()|~ \t\n\0é\udc80*"), max_size=8)
values = st.one_of(st.none(), st.integers(-1, 70_000), texts, texts.map(lambda text: "/" + text),
                   st.lists(texts, max_size=3).map(tuple),
                   st.lists(st.tuples(texts, st.none() | texts), max_size=3).map(tuple))  # fmt: skip


@examples(500)
@given(st.sampled_from(SAMPLES), st.data())
def test_any_value_is_what_the_result_has_or_is_refused(url, data) -> None:
    names = data.draw(st.lists(st.sampled_from(list(names_of(url))), min_size=1, max_size=3, unique=True))
    check_replaced(url, {name: data.draw(values) for name in names})


# replace: cases


@pytest.mark.parametrize(("text", "changes", "result"), [
    ("http://a.dom/b?c#d", {"host": "e.dom"}, "http://e.dom/b?c#d"),
    ("http://a.dom:8080/", {"port": None}, "http://a.dom/"),
    ("http://a.dom", {"port": 0}, "http://a.dom:0"),
    ("http://a.dom:0080/", {"port": 80}, "http://a.dom:0080/"),
    ("http://a.dom:/", {"host": "b.dom"}, "http://b.dom:/"),
    ("http://a.dom/", {"host": "[2001:db8::1]", "port": 65535}, "http://[2001:db8::1]:65535/"),
    ("http://a.dom/", {"host": "bücher.example"}, "http://bücher.example/"),
    ("http://a.dom/", {"user": "me", "password": ""}, "http://me:@a.dom/"),
    ("ftp://a:b@c.dom/", {"user": None, "password": None}, "ftp://c.dom/"),
    ("ftp://a:b@c.dom/", {"password": None}, "ftp://a@c.dom/"),
    ("HTTP://a.dom/", {"scheme": "https"}, "https://a.dom/"),
    ("http://a.dom/", {"scheme": "HTTPS"}, "HTTPS://a.dom/"),
    ("http://a.dom/b?c", {"path": ""}, "http://a.dom?c"),
    ("http://a.dom/b?c", {"path": "/~d/%7E e"}, "http://a.dom/~d/%7E e?c"),
    ("http://a.dom/b", {"query": ""}, "http://a.dom/b?"),
    ("http://a.dom/b?c", {"query": None, "fragment": "?#/"}, "http://a.dom/b#?#/"),
    ("http://a.dom/b?c", {"search": "d=e"}, "http://a.dom/b?d=e"),
    ("x-a://h/p", {"host": None}, "x-a:/p"),
    ("x-a:/p", {"host": ""}, "x-a:///p"),
    ("x-a:p", {"scheme": "x-b", "path": "q"}, "x-b:q"),
    ("file:/etc/motd", {"host": "h.dom"}, "file://h.dom/etc/motd"),
    ("file:///a?b", {"path": "/c?d"}, "file:///c?d"),
    ("ftp://h/a/b;type=i", {"name": "c"}, "ftp://h/a/c;type=i"),
    ("ftp://h/a/b;type=i", {"cwd": ("", "x", "y")}, "ftp://h//x/y/b;type=i"),
    ("ftp://h/a/b;type=i", {"typecode": None}, "ftp://h/a/b"),
    ("ftp://h/a/b;type=i", {"path": "/c"}, "ftp://h/c"),
    ("ftp://h", {"name": "a?b", "typecode": "d"}, "ftp://h/a?b;type=d"),
    ("ftp://h/a", {"name": None}, "ftp://h"),
    ("gopher://h", {"search": "a%20b"}, "gopher://h/1%09a%20b"),
    ("gopher://h/7a%09b", {"gtype": "%30", "selector": "c/d", "search": None}, "gopher://h/%30c/d"),
    ("gopher://h/0a", {"search": "", "gopher_plus": "+"}, "gopher://h/0a%09%09+"),
    ("wais://h/db?s", {"search": None, "wtype": "T", "wpath": "1=a;"}, "wais://h/db/T/1=a;"),
    ("wais://h/db/T/p", {"database": "x"}, "wais://h/x/T/p"),
    ("prospero://h/a%0012at;b=c", {"hsoname": "d/e"}, "prospero://h/d/e%0012at;b=c"),
    ("prospero://h/a", {"fields": (("b", "c"), ("d", None)), "version": "3"}, "prospero://h/a%003;b=c;d"),
    ("telnet://h/", {"user": "me"}, "telnet://me@h/"),
    ("news:a.b", {"host": "h.dom", "port": 119}, "news://h.dom:119/a.b"),
    ("news://h/a.b", {"host": None}, "news:a.b"),
    ("news://h", {"group": "a.b", "numbers": "1-5"}, "news://h/a.b/1-5"),
    ("news:a.b", {"group": None, "article": "c@d"}, "news:c@d"),
    ("news:a.b", {"scheme": "snews", "group": "*"}, "snews:*"),
    ("nntp:a.b/1", {"host": "h", "article": "2"}, "nntp://h/a.b/2"),
    ("nntp://h", {"group": "a.b"}, "nntp://h/a.b"),
    ("mailto:a@b", {"addresses": ("c@d", "e%2Cf@g")}, "mailto:c@d,e%2Cf@g"),
    ("mailto:a@b?c=d", {"headers": (("subject", "x"), ("e", None))}, "mailto:a@b?subject=x&e"),
    ("mailto:a@b?c=d", {"headers": ()}, "mailto:a@b"),
    ("mailto:a@b?", {"addresses": ("c@d",)}, "mailto:c@d?"),
    ("mailto:a@b?c=d", {"query": "e"}, "mailto:a@b?e"),
    ("mid:a@b", {"content_id": "c@d"}, "mid:a@b/c@d"),
    ("mid:a@b/c@d", {"message_id": "e@f", "content_id": None}, "mid:e@f"),
    ("cid:a@b", {"content_id": "c/d@e"}, "cid:c/d@e"),
    ("afs://c.dom/p", {"host": "d.dom"}, "afs://d.dom/p"),
    ("afs:/c.dom/p", {"path": "/d.dom/q"}, "afs:/d.dom/q"),
    ("urn:a:b", {"nid": "c", "nss": "d:e", "r_component": "f", "q_component": "?"}, "urn:c:d:e?+f?=?"),
    ("urn:a:b?+c?=d#e", {"r_component": None}, "urn:a:b?=d#e"),
    ("urn:a:/b", {"nid": None}, "urn:/b"),
    ("man:ls(1)", {"section": None}, "man:ls"),
    ("man:ls", {"name": "cat", "section": "1p"}, "man:cat(1p)"),
    ("info:gcc#a", {"node": "b"}, "info:gcc#b"),
    ("info:gcc#a", {"fragment": None}, "info:gcc"),
    ("info:(gcc)a#f", {"node": "b c"}, "info:(gcc)b c#f"),
    ("whatis:ed#x", {"word": "ls"}, "whatis:ls#x"),
    ("about:a?b", {"subject": "c"}, "about:c?b"),
    ("ldap://h/o=x?a?sub?(b=c)", {"dn": "o=y", "attributes": ("d", "e")}, "ldap://h/o=y?d,e?sub?(b=c)"),
    ("ldap://h/o=x??sub", {"scope": None, "attributes": None}, "ldap://h/o=x"),
    ("ldap:///??sub?(a=b)", {"extensions": (("!c", None), ("d", "e"))}, "ldap:///??sub?(a=b)?!c,d=e"),
    ("ldap://h/o=x", {"host": ""}, "ldap:///o=x"),
])  # fmt: skip
def test_replaced_components_are_in_the_text(text, changes, result) -> None:
    made = parse_url(text).replace(**changes)
    assert (str(made), made, type(made)) == (result, parse_url(result), type(parse_url(text)))


NOT_ALLOWED = {
    "http://u@h.dom:1/p?q#f": [
        {"host": "a/b"}, {"host": "a?b"}, {"host": "a#b"}, {"host": "a@b"}, {"host": "a:80"}, {"host": "a:"},
        {"host": "::1"}, {"host": "[::g]"}, {"host": "[::1"}, {"host": "a b"}, {"host": "a\nb"},
        {"host": "a\\b"}, {"host": ""}, {"host": None}, {"host": "a\u00a0b"}, {"host": "[::1]:80"},
        {"port": 70_000}, {"port": 65_536}, {"port": -1}, {"path": "a"}, {"path": "/a?b"}, {"path": "/a#b"},
        {"path": "?"}, {"path": "/a\0"}, {"query": "a#b"}, {"query": "#"}, {"query": "a\r\nb"},
        {"user": "a:b"}, {"user": "a/b"}, {"user": "a?b"}, {"user": "a#b"}, {"scheme": "ftp"},
        {"scheme": "mailto"}, {"scheme": ""}, {"scheme": "1"}, {"scheme": "a b"}, {"scheme": "http:"},
        {"fragment": "a\x7f"}, {"search": "a", "query": "b"},
    ],
    "http://h.dom/": [{"password": "x"}],
    "ftp://a:b@h.dom/": [{"user": None}],
    "x-a:b": [
        {"host": "h.dom"}, {"port": 80}, {"user": "me"}, {"path": "//c"}, {"path": ""}, {"scheme": "http"},
    ],
    "x-a://u@h/b": [{"host": None}],
    "x-a://h//b": [{"host": None}],
    "file:motd": [{"host": "h"}],
    "mailto:a@b": [
        {"host": "c"}, {"port": 25}, {"addresses": ()}, {"addresses": ("c,d",)}, {"headers": (("a=b", "c"),)},
        {"headers": (("a", "b&c"),)},
    ],
    "ftp://h/a/b": [
        {"query": "q"}, {"name": "c/d"}, {"name": "c;type=a"}, {"typecode": "a/b"}, {"cwd": ("c/d",)},
        {"path": "/c", "name": "d"}, {"path": "/a/b", "name": "c"},
    ],
    "ftp://h": [{"typecode": "a"}],
    "gopher://h/0a": [{"gtype": "00"}, {"selector": "b%09c"}, {"gopher_plus": "+"}, {"gtype": None}],
    "news:a.b": [{"article": "c@d"}, {"group": "c@d"}, {"group": "c/1"}],
    "nntp://h/a/1": [{"group": None}, {"host": None, "article": None}],
    "wais://h/db": [{"wpath": "p"}],
    "ldap://h/o=x": [{"scope": "sub"}, {"attributes": ("a?b",)}, {"attributes": ("a,b",)}, {"host": None}],
    "info:gcc": [{"node": "a", "fragment": None}],
    "info:gcc#a": [{"node": "b", "fragment": "a"}],
    "urn:a:b:c": [{"nid": None}],
    "urn:a:b": [{"r_component": "c?=d"}],
    "man:ls": [{"name": "ls(1)"}],
    "cid:a@b": [{"path": ""}],
    "afs://c.dom/p": [{"host": "d/e"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "changes"), [(text, each) for text, changes in NOT_ALLOWED.items() for each in changes], ids=str
)
def test_value_that_is_not_allowed_is_named_with_what_is(text, changes) -> None:
    with pytest.raises(UrlSyntaxError, match=r"is not allowed") as caught:
        parse_url(text).replace(**changes)
    assert any(f"{name}={value!r}" in caught.value.message for name, value in changes.items())


OF_ANOTHER_TYPE = {
    "http://u@h.dom:1/p?q#f": [
        {"scheme": 1}, {"user": 1}, {"host": 1}, {"path": 1}, {"query": 1}, {"search": 1}, {"port": "80"},
        {"port": ""}, {"port": True}, {"port": 80.0}, {"port": b"80"}, {"port": (80,)}, {"scheme": None},
        {"path": None}, {"host": b"h"}, {"path": ("a",)}, {"query": (("a", "b"),)},
    ],
    "mailto:a@b": [
        {"addresses": None}, {"addresses": "c@d"}, {"addresses": ["c@d"]}, {"addresses": (5,)},
        {"headers": ("abc",)},
    ],
    "ftp://h/a/b": [{"cwd": "c"}],
    "whatis:ed": [{"word": None}, {"word": 5}],
    "info:gcc": [{"name": None, "node": "a"}],
    "info:(gcc)a": [{"name": None}],
    "ftp://h": [{"cwd": None}, {"typecode": 7}],
    "wais://h/db": [{"search": 5}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "changes"),
    [(text, each) for text, changes in OF_ANOTHER_TYPE.items() for each in changes],
    ids=str,
)
def test_value_of_another_type_is_a_type_error(text, changes) -> None:
    with pytest.raises(TypeError, match=r"is not allowed, it has another type") as caught:
        parse_url(text).replace(**changes)
    assert any(f"{name}={value!r}" in str(caught.value) for name, value in changes.items())


def test_error_of_a_long_value_is_bounded() -> None:
    with pytest.raises(UrlSyntaxError) as caught:
        parse_url("http://h.dom/").replace(query="#" * 1_000_000, host="h" * 1_000_000)
    assert len(str(caught.value)) < 1_500


@pytest.mark.parametrize(("text", "name", "known"), [
    ("http://h/", "hots", "scheme, user, password, host, port, path, search, fragment, query"),
    ("http://h/", "typecode", "search"),
    ("ftp://h/", "search", "cwd, name, typecode, fragment, path"),
    ("x:y", "text", "query, fragment"),
    ("cid:a@b", "message_id", "scheme, content_id, fragment, path"),
    ("http://h/", "_text", "host"),
])  # fmt: skip
def test_unknown_component_is_a_type_error_that_names_the_known_ones(text, name, known) -> None:
    with pytest.raises(TypeError, match=f"no component '{name}' to replace: use .*{known}"):
        parse_url(text).replace(**{name: None})
    with pytest.raises(TypeError):
        parse_url(text).replace(name)


# replace: another scheme


@pytest.mark.parametrize(("text", "changes", "kind", "result"), [
    ("sip:a@b.example", {"scheme": "x-foo"}, Url, "x-foo:a@b.example"),
    ("http://me@h.dom:8080/a/b#c", {"scheme": "ftp"}, FtpUrl, "ftp://me@h.dom:8080/a/b#c"),
    ("http://h.dom/a/b", {"scheme": "ftp", "port": 21, "typecode": "i"}, FtpUrl, "ftp://h.dom:21/a/b;type=i"),
    ("ftp://h.dom/a/b", {"scheme": "FTPS", "name": "c"}, FtpUrl, "FTPS://h.dom/a/c"),
    ("x-a:b", {"scheme": "http", "host": "h.dom", "path": "/b"}, HttpUrl, "http://h.dom/b"),
    ("http://h.dom/a?b", {"scheme": "ftp", "query": None}, FtpUrl, "ftp://h.dom/a"),
    ("http://h.dom/a?b", {"scheme": "x-a"}, Url, "x-a://h.dom/a?b"),
    ("mailto:a@b.dom?subject=c", {"scheme": "sip"}, Url, "sip:a@b.dom?subject=c"),
    ("afs:/cell/a", {"scheme": "file"}, FileUrl, "file:/cell/a"),
])  # fmt: skip
def test_value_of_another_scheme_has_its_type(text, changes, kind, result) -> None:
    made = parse_url(text).replace(**changes)
    assert (type(made), str(made)) == (kind, result)


@pytest.mark.parametrize(("text", "scheme", "reason"), [
    ("http://h.dom/a?b", "ftp", "it would be read as path='/a?b', query=None"),
    ("http://h.dom/a", "mailto", "it would be read as host=None"),
    ("sip:a@b.dom", "http", 'no "//" and host, which http asks for'),
    ("ftp://h.dom/a", "a b", "no scheme"),
    ("urn:a:b?+c", "x-a", "it would be read as path='a:b', query='+c'"),
])  # fmt: skip
def test_scheme_by_which_the_rest_is_read_otherwise_is_refused(text, scheme, reason) -> None:
    with pytest.raises(UrlSyntaxError, match=re.escape(f"scheme={scheme!r} is not allowed, {reason}")):
        parse_url(text).replace(scheme=scheme)


def test_part_that_another_scheme_does_not_have_is_unknown() -> None:
    with pytest.raises(TypeError, match="HttpUrl has no component 'typecode' to replace"):
        parse_url("ftp://h.dom/a;type=a").replace(scheme="http", typecode=None)


# join and /


@pytest.mark.parametrize(("base", "reference", "kind", "result"), [
    ("http://a/b/c/d;p?q", "../g", HttpUrl, "http://a/b/g"),
    ("http://a/b/c/d;p?q", "", HttpUrl, "http://a/b/c/d;p?q"),
    ("http://a/b", "//c", HttpUrl, "http://c"),
    ("http://a/b", "ftp://c/d", FtpUrl, "ftp://c/d"),
    ("http://a/b", "x:y", Url, "x:y"),
    ("ftp://a/b;type=a", "c", FtpUrl, "ftp://a/c"),
    ("http://a", "b", HttpUrl, "http://a/b"),
])  # fmt: skip
def test_joined_url_has_the_type_of_its_scheme(base, reference, kind, result) -> None:
    made = parse_url(base).join(reference)
    assert (type(made), str(made)) == (kind, result)


def test_joined_text_that_does_not_parse_raises() -> None:
    with pytest.raises(UrlSyntaxError, match="port is not a number"):
        parse_url("http://a/b").join("//c:d/")


def test_reference_may_be_a_parsed_url() -> None:
    other = parse_url("ftp://c/d/../e")
    assert parse_url("http://a/b").join(other) == parse_url("ftp://c/e")
    assert resolve(parse_url("http://a/b"), other) == "ftp://c/e"


@pytest.mark.parametrize(("text", "segment", "result"), [
    ("http://h", "a", "http://h/a"),
    ("http://h/", "a", "http://h/a"),
    ("http://h/a", "b", "http://h/a/b"),
    ("http://h/a/", "b", "http://h/a/b"),
    ("http://h/a//", "b", "http://h/a//b"),
    ("http://h/a", "", "http://h/a/"),
    ("http://h/a/", "", "http://h/a/"),
    ("http://h?q#f", "a", "http://h/a"),
    ("http://u:p@h:80/a?q/r#f/g", "b", "http://u:p@h:80/a/b"),
    ("http://h/a", "b/c?d#e f", "http://h/a/b%2Fc%3Fd%23e%20f"),
    ("http://h/a", "50%", "http://h/a/50%25"),
    ("http://h/a", "%2F", "http://h/a/%252F"),
    ("http://h/a", "é~;=@:!$&'()*+,", "http://h/a/%C3%A9~;=@:!$&'()*+,"),
    ("http://h/a", "[x]\n\\|\x00", "http://h/a/%5Bx%5D%0A%5C%7C%00"),
    ("http://h/a", "\udcff", "http://h/a/%FF"),
    ("http://h/a", "...", "http://h/a/..."),
    ("ftp://h/a;type=d", "b;c", "ftp://h/a/b%3Bc"),
    ("ftp://h", "a", "ftp://h/a"),
    ("prospero://h/a;b=c", "d;e", "prospero://h/a/d%3Be"),
    ("file:///", "etc", "file:///etc"),
    ("file:/etc", "motd", "file:/etc/motd"),
    ("afs://cell", "a", "afs://cell/a"),
    ("x-a:/b", "c", "x-a:/b/c"),
    ("x-a:/", "", "x-a:/"),
    ("svn+ssh://h/a", "b", "svn+ssh://h/a/b"),
])  # fmt: skip
def test_slash_appends_a_segment(text, segment, result) -> None:
    url = parse_url(text)
    assert (str(url / segment), type(url / segment)) == (result, type(url))


@pytest.mark.parametrize("text", [
    "mailto:a@b", "news:a.b", "news://h/a.b", "nntp://h/a", "urn:a:b", "mid:a@b", "cid:a@b", "man:ls",
    "info:gcc", "whatis:ed", "about:a", "tel:1", "data:,", "x-a:b", "gopher://h/1a", "wais://h/a",
    "telnet://h/", "ldap://h/a",
])  # fmt: skip
def test_slash_needs_a_path_of_segments(text) -> None:
    with pytest.raises(ValueError, match="has no segments"):
        parse_url(text) / "x"


@pytest.mark.parametrize("segment", [".", "..", "\ud800", 5, None, b"a", ("a",)])
def test_slash_refuses_what_is_no_segment(segment) -> None:
    # Two reasons, and one of them is Python's own
    with pytest.raises(ValueError if isinstance(segment, str) else TypeError):
        parse_url("http://h/a") / segment


def has_segments(url):
    try:
        return bool(url / "x")
    except ValueError:
        return False


@given(st.sampled_from([*filter(has_segments, SAMPLES)]), st.text())
def test_appended_segment_decodes_to_its_text(url, segment) -> None:
    assume(segment not in (".", ".."))
    made = url / segment
    assert made.decoded("path").encode().endswith(f"/{segment}".encode())
    assert (made.host, made.port, made.user) == (url.host, url.port, url.user)
    assert (made.query, made.fragment) == (None, None)
    assert parse_url(str(made)) == made
    assert made.path.count("/") - (url / "").path.removesuffix("/").count("/") <= 1


# What a program asks of an address


@pytest.mark.parametrize(("text", "name", "origin"), [
    ("http://Example.ORG/a", "example.org", "http://example.org"),
    ("HTTP://u:p@h:80", "h", "http://h"),
    ("https://h:80/", "h", "https://h:80"),
    ("http://h:0080/", "h", "http://h"),
    ("http://h:/", "h", "http://h"),
    ("http://Bücher.example/", "xn--bcher-kva.example", "http://xn--bcher-kva.example"),
    ("http://XN--BCHER-KVA.example/", "xn--bcher-kva.example", "http://xn--bcher-kva.example"),
    ("http://b%C3%BCcher.example/", "xn--bcher-kva.example", "http://xn--bcher-kva.example"),
    ("http://h.dom./", "h.dom.", "http://h.dom."),
    ("http://192.0.2.1/", "192.0.2.1", "http://192.0.2.1"),
    ("http://[2001:DB8:0::1]:8080/", "2001:db8::1", "http://[2001:db8::1]:8080"),
    ("http://[fe80::1%25eth0]/", "fe80::1%eth0", "http://[fe80::1%25eth0]"),
    ("http://[v7.X:y]/", "v7.x:y", "http://[v7.x:y]"),
    ("ftp://h/", "h", "ftp://h"),
    ("x-a://H:5", "h", "x-a://h:5"),
    ("file://h/a", "h", "file://h"),
    *((text, None, None) for text in (
        "file:///a", "mailto:a@b.dom", "x:y", "http://a..b/", "http://a%2Fb/", "http://xn--zzzzzz.dom/",
    )),
])  # fmt: skip
def test_host_name_and_origin_are_in_one_form(text, name, origin) -> None:
    url = parse_url(text)
    assert (url.host_name, url.origin) == (name, origin)


@pytest.mark.parametrize("url", SAMPLES, ids=str)
def test_origin_is_the_same_for_all_spellings_of_a_url(url) -> None:
    assert url.origin == url.normalized().origin
    if url.origin is not None and url.scheme in ("http", "https"):
        assert same_resource(url.origin, url.replace(user=None, path="", query=None, password=None))
