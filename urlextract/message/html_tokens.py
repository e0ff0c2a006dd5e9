"""The lexical side of HTML: tags, comments, elements whose content is no text, attributes.

HTML Standard, section 13.2.5. One pattern finds all that is no text. Patterns do not backtrack:
each character is looked at once. Each turn of a loop over groups costs memory, so loops are bounded.
A tag that exceeds the bound, or never ends, does not end with ``>`` in the match, and counts as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import character_of

# "<http://...>", "<mailto:...>" and "<joe@host>" that nobody escaped are no tags.
_NAME = r"[a-zA-Z][a-zA-Z0-9]*+(?:(?=[ >])|[\w-]*+(?::[\w.-]++)?(?=[\s/>]|\Z))"
# Quotes count after "=" only. `_USUAL` is the form that most programs write.
_USUAL = r"""[^>"'=]*+(?>(?:="[^"]*+"[^>"'=]*+){0,20})>"""
_ANY = r"""(?>(?:[^>=]++|=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))?){0,400})>?"""
_SEEN = r"(?![sS](?i:cript|tyle)[\s/>])"

# A comment that never ends hides all that follows, as in browsers. Of conditional comments, only the
# delimiters are no text, for Outlook shows their content.
_COMMENT = r"!--(?:\[if[^<>\]]{0,200}+\]>|-?>|[\s\S]*?(?:--!?>|\Z))|!\[CDATA\[|[!?][^>]*+(?:>|\Z)"


def _raw_text(name: str) -> str:
    """Return the pattern of an element whose content is no text, with that content."""
    return rf"(?i:{name})(?=[\s/>])(?:{_USUAL}|{_ANY})[\s\S]*?(?:</(?i:{name})[^>]*+(?:>|\Z)|\Z)"


# A line end directly after ``<br>`` is not a second line break.
_BREAK = "|".join(rf"(?<=<[bB][rR]{end}>\n)" for end in ("", "/", " /"))

CONSTRUCT = lazy_re(
    rf"(<(?:/?{_SEEN}{_NAME}(?:{_USUAL}|{_ANY})(?>(?:\n(?:{_BREAK}))?)"
    rf"|{_COMMENT}|{_raw_text('script')}|{_raw_text('style')}))"
)
"""All that is no text, as one group: a page split by it has texts at even indexes."""

_TAG_NAME = lazy_re(rf"<(/?{_NAME})")

PARTING = frozenset(
    re.findall(
        r"\S+",
        """address applet area article aside audio base blockquote body br button canvas caption center col
        colgroup dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset
        h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input isindex legend li link listing main map
        marquee menu meta nav noframes noscript object ol optgroup option p param plaintext pre script search
        section select style summary svg table tbody td textarea tfoot th thead title tr track ul v:roundrect
        video xmp""",
    )
)
"""HTML Standard, section 15.3: elements that separate the texts around them; all others are inline."""

# A quote before a URL that ends at the ">" of its tag, with another tag after that: the closing quote was
# forgotten. Browsers take all text up to the next quote, wherever that is.
_FORGOTTEN = "|".join(
    rf"""{quote}(?=\s?[A-Za-z][A-Za-z0-9+.-]{{1,20}}+:[^\s<>"']{{1,2000}}+>[^<>{quote}]{{0,1000}}+</?[A-Za-z])"""
    for quote in ('"', "'")
)
_FORGOTTEN_QUOTE = lazy_re(rf"=(?:{_FORGOTTEN})")


def without_stray_quotes(text: str) -> str:
    """Blank out each quote that opens a URL in an attribute and is never closed; offsets stay.

    >>> without_stray_quotes('<a href="http://a.example/x>a</a> <a href="http://b.example/">b</a>')
    '<a href= http://a.example/x>a</a> <a href="http://b.example/">b</a>'
    """
    return _FORGOTTEN_QUOTE.sub("= ", text)


def tag_name(construct: str) -> str:
    """Return the name of a tag in lower case, of an end tag with its slash; "" for what is no tag.

    >>> tag_name("<A href=x>"), tag_name("</td >"), tag_name("<!-- x -->")
    ('a', '/td', '')
    """
    match = _TAG_NAME.match(construct)
    return match[1].lower() if match else ""


def is_closed(construct: str) -> bool:
    """Return whether a construct, or the start tag of a script or a style, ends; a tag that does not is text.

    >>> is_closed("<a href=x>"), is_closed('<a href="x>'), is_closed("<!-- x"), is_closed("<script>x")
    (True, False, True, True)
    """
    if construct[1:2] in ("!", "?"):
        return True
    may_end = construct.rstrip("\n")[-1] == ">" or _HIDING.match(construct)
    return bool(may_end) and _CLOSED.match(construct) is not None


# What begins a construct whose content is no text: a comment, a declaration, a script, a style.
_HIDING = lazy_re(r"<(?:!--|[!?]|(script|style)(?=[\s/>]))", re.IGNORECASE)


_CLOSED = lazy_re(
    rf"""</?{_NAME}(?:{_USUAL}|(?>(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|(?!["']))){{0,400}})>)"""
)


def last_construct(markup: str) -> int:
    """Return the offset of the last construct in a page, 0 without one: it may continue in later text.

    >>> last_construct("<p>a<b>c"), last_construct("<script>a"), last_construct("a")
    (4, 0, 0)
    """
    pieces: list[str] = CONSTRUCT.split(markup)
    return len(markup) - sum(map(len, pieces[-2:])) if len(pieces) > 2 else 0


def opener_at_end(markup: str) -> str:
    """Return what begins a construct like the one that begins ``markup`` and does not end in it.

    It is "" for a tag, which is text if it is too long, and if ``markup`` ends outside of a construct.

    >>> opener_at_end("<!-- a -- b"), opener_at_end("<style a> b"), opener_at_end("<!-- a -->b")
    ('<!-- ', '<style>', '')
    """
    hiding = _HIDING.match(markup)
    construct = CONSTRUCT.match(markup + "x") if hiding else None  # what is open holds any letter
    if not hiding or not construct or construct.end() <= len(markup):
        return ""
    return f"<{hiding[1].lower()}>" if hiding[1] else f"{hiding[0]} "


# --- attributes -----------------------------------------------------------------------------------

_WANTED = (
    r"(?:(?:x?link|o):)?href|(?:low|dyn|image)?src(?:set)?|originalsrc|(?:form)?action|background|cite|longdesc|data"
    r"|codebase|poster|manifest|ping|usemap|content|data-saferedirecturl"
)
_INTERESTING = lazy_re(rf"""(?i:[\s"'/](?:{_WANTED})\s*=|url\(|@import|(?:alt|title|aria-label|value)\s*=)""")
# Attributes that hold no URL are skipped; those that are read, or say how to read others, are not.
_READ = rf"(?i:{_WANTED}|alt|title|aria-label|value|type|style|http-equiv)(?=[\s=])"
_ANY_VALUE = r"""\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>]*+)"""
_DULL = rf"""(?>(?:[\s/]++|(?!{_READ})[^\s/>=][^\s/>=]*+(?:{_ANY_VALUE})?|=){{0,200}})"""
_ATTRIBUTE = lazy_re(
    rf"""{_DULL}(?:({_READ})\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>]*+))|(.)|\Z)""", re.DOTALL
)


TARGETS = ("href", "xlink:href")
"""The attributes that hold the target of a link."""

LABELS = ("title", "aria-label", "value")
"""The attributes with what a reader is told of a link or a button."""


class Value(NamedTuple):
    """The value of an attribute, or a part of it or of a style, that is a URL or may hold some.

    ``start`` is the offset of ``raw`` in the markup, ``tag`` that of its tag. With ``is_text``
    URLs are searched in it as in text.
    """

    start: int
    raw: str
    tag: int
    element: str
    attribute: str
    is_text: bool = False


def may_have_urls(construct: str) -> bool:
    """Return whether a construct may have URLs: a quick test before `values_of`."""
    return _INTERESTING.search(construct) is not None


# Nine of ten constructs with URLs: a link or an image with no other attribute that may hold one.
# `_ATTRIBUTE` reads all others.
_USUAL_VALUE = lazy_re(
    r"""<(a|img) (href|src)="([^"&\s]++)\""""
    r"""(?>(?: (?:target|rel|class|id|width|height|border)="[^"]*+")*) ?/?>"""
)


def usual_value(construct: str, at: int) -> Value | None:
    """Return the one value of a link or an image as most programs write them, None for any other construct.

    >>> usual_value('<a href="x.html" class="c">', 5)
    Value(start=14, raw='x.html', tag=5, element='a', attribute='href', is_text=False)
    """
    usual = _USUAL_VALUE.fullmatch(construct)
    return Value(at + usual.start(3), usual[3], at, usual[1], usual[2]) if usual else None


def values_of(construct: str, name: str, at: int) -> tuple[list[Value], str | None]:
    """Return the values of a start tag that are URLs or may hold some, and its ``codebase``.

    ``at`` is the offset of the construct. Of attributes with the same name, the first counts.
    """
    found: dict[str, Value] = {}
    end = 1 + len(name)
    for match in _ATTRIBUTE.finditer(construct, end):
        group = match.lastindex
        if match[5] == ">":  # of a script or a style, the content follows
            end = match.end()
            break
        if group is not None and 1 < group < 5:
            key, raw = match[1].lower(), match[group]
            start = at + match.end(group) - len(raw.lstrip())
            found.setdefault(key, Value(start, raw.strip(), at, name, key))
    values: list[Value] = []
    for key, value in found.items():
        reader = _READERS.get(key)
        if reader:
            values += reader(value, found)
    if name == "style":
        values += _styled(Value(at + end, construct[end:], at, name, ""), found)
    base = found.get("codebase")
    return values, base.raw if base else None


_XML_ATTRIBUTE = lazy_re(r"""(?<![^\s/"'])([^\s<>=/"']++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
# Namespaces in XML 1.0, section 3; XML Schema 1.0, section 2.6.3: what they hold are names.
_OF_NAMES = lazy_re(r"xmlns(?::|\Z)|(?:[^:]*:)?(?:noNamespace)?schemaLocation\Z", re.IGNORECASE)


def xml_values(construct: str, name: str, at: int) -> Iterator[Value]:
    """Yield the values of a start tag of XML that are URLs, or are read in HTML.

    >>> [value.raw for value in xml_values('<x xmlns="http://a.example/" url="http://b.example/">', "x", 0)]
    ['http://b.example/']
    """
    for match in _XML_ATTRIBUTE.finditer(construct):
        group, key = match.lastindex or 1, match[1].lower()
        raw = match[group]
        value = Value(at + match.end(group) - len(raw.lstrip()), raw.strip(), at, name, key)
        if _OF_NAMES.match(key):
            continue
        if _WHOLE_URL.match(raw) or _WHOLE_ADDRESS.match(raw):
            yield value
        elif key in _READERS:
            yield from _READERS[key](value, {})


_Attributes = dict[str, Value]


def _url(value: Value, _: _Attributes) -> Iterator[Value]:
    yield value


def _data(value: Value, _: _Attributes) -> Iterator[Value]:
    if value.element == "object":
        yield value


_CANDIDATE = lazy_re(r"[\s,]*+([^\s,]\S*+)")


def _candidates(value: Value, _: _Attributes) -> Iterator[Value]:
    """Yield the URLs of a srcset: separated by commas, each with a width or a density."""
    at = 0
    while candidate := _CANDIDATE.match(value.raw, at):
        url = candidate[1].rstrip(",")
        yield value._replace(start=value.start + candidate.start(1), raw=url)
        at = candidate.end() if url != candidate[1] else value.raw.find(",", candidate.end())
        if at < 0:
            return


def _each_word(value: Value, _: _Attributes) -> Iterator[Value]:
    for word in re.finditer(r"\S+", value.raw):
        yield value._replace(start=value.start + word.start(), raw=word[0])


# HTML, "shared declarative refresh steps": seconds; url="..."
_QUOTE = r"""["']|&(?:quot|apos|#3[49]);"""
_REFRESH = lazy_re(
    rf"[\s\d.]*+[;,\s]\s*+(?:url\s*+=\s*+)?(?:{_QUOTE})?(.*?)(?:{_QUOTE}|\Z)", re.IGNORECASE | re.DOTALL
)
_WHOLE_URL = lazy_re(r"\s*+[A-Za-z][A-Za-z0-9+.-]*+:(?://|\\\\)\S++\s*+\Z")


_WHOLE_ADDRESS = lazy_re(r"\s*+(?i:mailto|tel|news|urn|magnet|geo):[^\s:]\S*+\s*+\Z")


def _content(value: Value, attributes: _Attributes) -> Iterator[Value]:
    """Yield the URL of a meta element: that of a refresh, or a content that is nothing but a URL."""
    if value.element != "meta":
        return
    kind = attributes.get("http-equiv")
    if kind and kind.raw.strip().lower() == "refresh":
        refresh = _REFRESH.match(value.raw)
        if refresh:
            yield value._replace(start=value.start + refresh.start(1), raw=refresh[1])
    elif _WHOLE_URL.match(value.raw):
        yield value


# CSS Syntax, section 4: a URL with or without quotes, and an import of a string; not in comments or strings.
_IN_QUOTES = r"""(?:"((?>(?:[^"\\\n]|\\[\s\S])*))"|'((?>(?:[^'\\\n]|\\[\s\S])*))')"""
_STYLE = lazy_re(
    rf"""/\*[\s\S]*?(?:\*/|\Z)"""
    rf"""|(?i:url)\(\s*+(?:{_IN_QUOTES}|((?!["'])(?>(?:[^\s()"'\\]|\\[\s\S])+)))\s*+\)"""
    rf"""|@(?i:import)\s*+{_IN_QUOTES}|"(?>(?:[^"\\\n]|\\[\s\S])*)"|'(?>(?:[^'\\\n]|\\[\s\S])*)'"""
)
_ESCAPE = lazy_re(r"\\(?:([0-9A-Fa-f]{1,6})(?:\r\n|\s)?|\r?\n|(.))")


def without_escapes(raw: str) -> str:
    r"""Return a URL of a style without the escapes of CSS (CSS Syntax, section 4.3.7).

    >>> without_escapes(r"http://a.example/x\29 y\)")
    'http://a.example/x)y)'
    """
    return _ESCAPE.sub(_unescaped, raw)


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2] or ""
    return character_of(int(escape[1], 16))


def _styled(value: Value, _: _Attributes) -> Iterator[Value]:
    """Yield the URLs of a style."""
    raw = value.raw
    if "&" in raw and value.attribute:  # quotes may be written as references; the length stays
        raw = raw.replace("&quot;", ' "    ').replace("&#39;", " '   ").replace("&apos;", " '    ")
    for match in _STYLE.finditer(raw):
        if match.lastindex:
            text = match[match.lastindex]
            start = match.end(match.lastindex) - len(text.lstrip())
            url = value.raw[start : start + len(text.strip())]
            yield value._replace(start=value.start + start, raw=url, attribute="style")


def _text(value: Value, _: _Attributes) -> Iterator[Value]:
    yield value._replace(is_text=True)


def _button(value: Value, attributes: _Attributes) -> Iterator[Value]:
    """Yield what a button shows that sends a form."""
    kind = attributes.get("type")
    if value.element == "input" and kind and kind.raw.strip().lower() == "submit":
        yield value._replace(is_text=True)


_URLS = """href xlink:href o:href src lowsrc dynsrc originalsrc action formaction background cite longdesc
codebase poster manifest usemap data-saferedirecturl"""
_READERS = {
    **dict.fromkeys(re.findall(r"\S+", _URLS), _url),
    "data": _data,
    "srcset": _candidates,
    "imagesrcset": _candidates,
    "ping": _each_word,
    "content": _content,
    "style": _styled,
    "alt": _text,
    "title": _text,
    "aria-label": _text,
    "value": _button,
}
"""The reader of each attribute, by its name: HTML Standard, "Attributes", and what mail programs add."""
