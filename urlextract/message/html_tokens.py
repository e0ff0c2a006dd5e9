"""The lexical side of HTML: tags, comments, elements whose content is no text, attributes.

HTML Standard, section 13.2.5. One pattern finds all that is no text. Patterns do not backtrack: each
character is looked at a few times. Each turn of a loop over groups costs memory, so loops are bounded. A tag
that exceeds the bound, or has a quote that never ends, is taken up to there, without a ``>``: it is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import character_of

# --- tags and the like ----------------------------------------------------------------------------

# "<http://...>", "<mailto:...>" and "<joe@host>" that nobody escaped are no tags.
_NAME = r"[a-zA-Z][\w-]*+(?::[\w.-]++)?(?=[\s/>])"
# What most programs write, or anything else. Quotes count after the "=" of an attribute only.
_ATTRIBUTES = r"""(?>
    [^<>"'=]*+ (?>(?: (?<=[\w-])="[^"]*+" [^<>"'=]*+ ){0,20}) >
  | (?>(?: [\s/]*+ [^\s/>][^\s/>=]*+ (?: \s*+=\s*+ (?: "[^"]*+" | '[^']*+' | (?!["'])[^\s>]*+ ) | (?!\s*+=) ) ){0,400})
    [\s/]*+ >?
)"""  # noqa: E501
RAW = ("script", "style")
"""The elements whose content is no text."""

_OF_SCRIPT, _OF_STYLE = (
    rf"(?i:{name})(?=[\s/>]) {_ATTRIBUTES} (?<=>) (?: [\s\S]*?</(?i:{name})(?=[\s/>])[^>]*+>? | [\s\S]*+ )"
    for name in RAW
)

CONSTRUCT = lazy_re(
    rf"""(<(?:
        (?i:br)\ ?/?>\n?                        # a line end right behind it is no second one
      | {_OF_SCRIPT}
      | {_OF_STYLE}
      | /?{_NAME}{_ATTRIBUTES}
      | !--\[if[^<>\]]{{0,200}}+\]>             # Outlook shows what stands in a conditional comment
      | !---?>
      | !--(?: [\s\S]*?--!?> | [\s\S]*+ )       # one that never ends hides all that follows
      | !\[CDATA\[
      | [!?][^>]*+>?
    ))""",
    re.VERBOSE,
)
"""All that is no text, as one group: a page split by it has texts at even indexes."""

_TAG_NAME = lazy_re(rf"<(/?{_NAME})")

PARTING = frozenset(
    re.findall(
        r"\S+",
        """address applet area article aside audio base blockquote body br button canvas caption center col
        colgroup dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset
        h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input isindex legend li link listing main map
        marquee menu meta nav noframes noscript object ol optgroup option p param plaintext pre search section
        select summary svg table tbody td textarea tfoot th thead title tr track ul v:roundrect video xmp""",
    )
)
"""HTML Standard, section 15.3: elements that separate the texts around them; all others are inline."""

# A quote before a URL that ends at the ">" of its tag, with another tag after that: the closing quote was
# forgotten. Browsers take all text up to the next quote, wherever that is.
_FORGOTTEN_QUOTE = lazy_re(
    r"""=(["'])(?=\s?[A-Za-z][A-Za-z0-9+.-]{1,20}+:[^\s<>"']{1,2000}+>(?>(?:(?!\1)[^<>]){0,1000})</?[A-Za-z])"""
)


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


# --- attributes -----------------------------------------------------------------------------------

TARGETS = ("href", "xlink:href")
"""The attributes that hold the target of a link."""

LABELS = ("title", "aria-label", "value")
"""The attributes with what a reader is told of a link or a button."""


class Value(NamedTuple):
    """The value of an attribute, or a part of it or of a style, that is a URL or may hold some.

    ``start`` is the offset of ``raw`` in the markup, ``tag`` that of its tag. With ``is_text``
    URLs are searched in it as in text. ``base`` is the codebase of its element.
    """

    start: int
    raw: str
    tag: int
    element: str
    attribute: str
    is_text: bool = False
    base: str | None = None


_ATTRIBUTE = lazy_re(
    r"""[\s/]*+([^\s/>][^\s/>=]*+|>)(?:(?<!>)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]*+)))?"""
)


def attributes_of(tag: str, name: str, at: int = 0) -> dict[str, Value]:
    """Return the attributes of a start tag at the offset ``at``; of twins, the first counts.

    The one named ">" begins behind the tag.

    >>> [*attributes_of("<a HREF = x a='b c' href=y>", "a").values()][0]
    Value(start=10, raw='x', tag=0, element='a', attribute='href', is_text=False, base=None)
    """
    found: dict[str, Value] = {}
    for match in _ATTRIBUTE.finditer(tag, 1 + len(name)):
        key, group = match[1].lower(), match.lastindex or 1
        raw = match[group] if group > 1 else ""
        found.setdefault(key, Value(at + match.end(group) - len(raw.lstrip()), raw.strip(), at, name, key))
        if key == ">":
            break
    return found


# Nine of ten constructs with URLs: a link or an image with no other attribute that may hold one.
_USUAL_VALUE = lazy_re(
    r"""<(a|img) (href|src)="([^"&\s]++)\""""
    r"""(?>(?: (?:target|rel|class|id|width|height|border)="[^"]*+")*) ?/?>"""
)


def usual_value(construct: str, at: int) -> Value | None:
    """Return the one value of a link or an image as most programs write them, None for any other construct.

    >>> usual_value('<a href="x.html" class="c">', 5)[:5]
    (14, 'x.html', 5, 'a', 'href')
    """
    usual = _USUAL_VALUE.fullmatch(construct)
    return Value(at + usual.start(3), usual[3], at, usual[1], usual[2]) if usual else None


def values_of(tag: str, name: str, at: int, *, is_xml: bool = False) -> Iterator[Value]:
    """Yield the values of a start tag at the offset ``at`` that are URLs or may hold some.

    In XML, any attribute has one whose value is wholly a URL, but for names of namespaces.

    >>> [each.raw for each in values_of('<x xmlns="http://a.example/" b=http://c.example/>', "x", 0, is_xml=True)]
    ['http://c.example/']
    """
    if not (is_xml or _MAY_HAVE_URLS.search(tag)):
        return
    attributes = attributes_of(tag, name, at)
    for key, value in attributes.items():
        if is_xml and (_OF_NAMES.match(key) or _WHOLE.match(value.raw)):
            yield from () if _OF_NAMES.match(key) else (value,)
        elif key in _READERS:
            yield from _READERS[key](value, attributes)
    if name == "style" and ">" in attributes:
        start = attributes[">"].start
        yield from _styled(Value(start, tag[start - at :], at, name, ""), attributes)


# Namespaces in XML 1.0, section 3; XML Schema 1.0, section 2.6.3: what they hold are names.
_OF_NAMES = lazy_re(r"xmlns(?::|\Z)|(?:[^:]*:)?(?:noNamespace)?schemaLocation\Z", re.IGNORECASE)
_WHOLE_URL = r"[A-Za-z][A-Za-z0-9+.-]*+:(?://|\\\\)\S++\Z"
_WHOLE = lazy_re(rf"{_WHOLE_URL}|(?i:mailto|tel|news|urn|magnet|geo):[^\s:]\S*+\Z")

_Attributes = dict[str, Value]


def _url(value: Value, _: _Attributes) -> Iterator[Value]:
    yield value


def _data(value: Value, attributes: _Attributes) -> Iterator[Value]:
    if value.element == "object":
        yield value._replace(base=attributes["codebase"].raw if "codebase" in attributes else None)


def _text(value: Value, _: _Attributes) -> Iterator[Value]:
    yield value._replace(is_text=True)


def _button(value: Value, attributes: _Attributes) -> Iterator[Value]:
    """Yield what a button shows that sends a form."""
    if value.element == "input" and _raw_of(attributes, "type") == "submit":
        yield value._replace(is_text=True)


def _raw_of(attributes: _Attributes, key: str) -> str:
    return attributes[key].raw.lower() if key in attributes else ""


def _each_word(value: Value, _: _Attributes) -> Iterator[Value]:
    return (_part(value, word, 0) for word in re.finditer(r"\S+", value.raw))


def _part(value: Value, match: re.Match[str], group: int) -> Value:
    """Return the part of a value that is a group of a match in it, without blanks around it."""
    raw = match[group]
    return value._replace(start=value.start + match.end(group) - len(raw.lstrip()), raw=raw.strip())


_CANDIDATE = lazy_re(r"[\s,]*+([^\s,](?:\S*[^\s,])?)(?:,+(?=\s|\Z)|[^,]*+)")


def _candidates(value: Value, _: _Attributes) -> Iterator[Value]:
    """Yield the URLs of a srcset: separated by commas, each with a width or a density."""
    return (_part(value, candidate, 1) for candidate in _CANDIDATE.finditer(value.raw))


# HTML, "shared declarative refresh steps": seconds; url="..."
_QUOTE = r"""["']|&(?:quot|apos|#3[49]);"""
_REFRESH = lazy_re(
    rf"[\s\d.]*+[;,\s]\s*+(?:url\s*+=\s*+)?(?:{_QUOTE})?(.*?)(?:{_QUOTE}|\Z)", re.IGNORECASE | re.DOTALL
)


def _content(value: Value, attributes: _Attributes) -> Iterator[Value]:
    """Yield the URL of a meta element: that of a refresh, or a content that is nothing but a URL."""
    if value.element != "meta":
        return
    if _raw_of(attributes, "http-equiv") == "refresh":
        if refresh := _REFRESH.match(value.raw):
            yield _part(value, refresh, 1)
    elif re.match(_WHOLE_URL, value.raw):
        yield value


# CSS Syntax, section 4: a URL with or without quotes, and an import of a string; not in comments or strings.
_IN_QUOTES = r"""(?:"((?>(?:[^"\\\n]|\\[\s\S])*))"|'((?>(?:[^'\\\n]|\\[\s\S])*))')"""
_STYLE = lazy_re(
    rf"""/\*[\s\S]*?(?:\*/|\Z)|{_IN_QUOTES}"""
    rf"""|(?i:url)\(\s*+(?:{_IN_QUOTES}|((?!["'])(?>(?:[^\s()"'\\]|\\[\s\S])+)))\s*+\)"""
    rf"""|@(?i:import)\s*+{_IN_QUOTES}"""
)
_ESCAPE = lazy_re(r"\\(?:([0-9A-Fa-f]{1,6})(?:\r\n|\s)?|\r?\n|(.))")


def without_escapes(raw: str) -> str:
    r"""Return a URL of a style without the escapes of CSS (CSS Syntax, section 4.3.7).

    >>> without_escapes(r"http://a.example/x\29 y\)")
    'http://a.example/x)y)'
    """
    return _ESCAPE.sub(lambda each: character_of(int(each[1], 16)) if each[1] else each[2] or "", raw)


def _styled(value: Value, _: _Attributes) -> Iterator[Value]:
    """Yield the URLs of a style."""
    raw = value.raw
    if "&" in raw and value.attribute:  # quotes may be written as references; the length stays
        raw = raw.replace("&quot;", ' "    ').replace("&#39;", " '   ").replace("&apos;", " '    ")
    for match in _STYLE.finditer(raw):
        if match.lastindex and match.lastindex > 2:  # no string alone
            url = _part(value._replace(attribute="style"), match, match.lastindex)
            yield url._replace(raw=value.raw[url.start - value.start :][: len(url.raw)])


_URLS = """href xlink:href o:href src lowsrc dynsrc originalsrc action formaction background
cite longdesc codebase poster manifest usemap data-saferedirecturl"""
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

_MAY_HAVE_URLS = lazy_re(
    rf"(?i:[\s\"'/](?:{'|'.join(name for name in _READERS if name != 'style')})\s*=|url\(|@import)"
)
