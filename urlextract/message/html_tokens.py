"""The lexical side of HTML: tags, comments, elements whose content is no text, attributes.

HTML Standard, section 13.2.5. One pattern finds all that is no text. It does not backtrack, and each turn of
a loop over groups costs memory, so loops are bounded. A tag that exceeds the bound, or has a quote that never
ends, is taken up to there, without a ``>``: it is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re

# --- tags and the like ----------------------------------------------------------------------------

# "<http://...>", "<mailto:...>" and "<joe@host>" that nobody escaped are no tags.
_NAME = r"[a-zA-Z][\w-]*+(?::[\w.-]++)?(?=[\s/>])"
# What most programs write, or anything else. Quotes count after the "=" of an attribute only.
_VALUE = r"""\s*+=\s*+ (?: "[^"]*+" | '[^']*+' | (?!["'])[^\s>]*+ )"""
_ATTRIBUTES = rf"""(?>
    [^<>"'=]*+ (?>(?: (?<=[\w-])="[^"]*+" [^<>"'=]*+ ){{0,20}}) >
  | (?>(?: [\s/]*+ [^\s/>][^\s/>=]*+ (?: {_VALUE} | (?!\s*+=) ) ){{0,400}}) [\s/]*+ >?
)"""
RAW = ("script", "style")
"""The elements whose content is no text."""
_RAW = "|".join(
    rf"(?i:{name})(?=[\s/>]) {_ATTRIBUTES} (?<=>) (?: [\s\S]*?</(?i:{name})(?=[\s/>])[^>]*+>? | [\s\S]*+ )"
    for name in RAW
)

CONSTRUCT = lazy_re(
    rf"""(<(?:
        (?i:br)\ ?/?>\n?                        # a line end right behind it is no second one
      | {_RAW}
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

FORGOTTEN_QUOTE = lazy_re(
    r"""=(["'])(?=\s?[A-Za-z][A-Za-z0-9+.-]{1,20}+:[^\s<>"']{1,2000}+>(?>(?:(?!\1)[^<>]){0,1000})</?[A-Za-z])"""
)
"""A quote before a URL that ends at the ">" of its tag, before another tag: browsers would take that, too."""

_PARTING = """address applet area article aside audio base blockquote body br button canvas caption center
col colgroup dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1
h2 h3 h4 h5 h6 head header hgroup hr html iframe img input isindex legend li link listing main map marquee
menu meta nav noframes noscript object ol optgroup option p param plaintext pre search section select
summary svg table tbody td textarea tfoot th thead title tr track ul v:roundrect video xmp"""
PARTING = frozenset(_PARTING.split())
"""HTML Standard, section 15.3: elements that separate the texts around them; all others are inline."""

_TAG_NAME = lazy_re(rf"<(/?{_NAME})")


def tag_name(construct: str) -> str:
    """Return the name of a tag in lower case, of an end tag with its slash; "" for what is no tag.

    >>> tag_name("<A href=x>"), tag_name("</td >"), tag_name("<!-- x -->")
    ('a', '/td', '')
    """
    match = _TAG_NAME.match(construct)
    return match[1].lower() if match else ""


# --- attributes -----------------------------------------------------------------------------------


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


_ATTRIBUTE = lazy_re(
    r"""[\s/]*+([^\s/>][^\s/>=]*+|>)(?:(?<!>)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]*+)))?"""
)


def attributes_of(tag: str, name: str, at: int = 0) -> dict[str, Value]:
    """Return the attributes of a start tag at the offset ``at`` by their names; of twins, the first counts.

    The one named ">" begins behind the tag.

    >>> attributes_of("<a HREF = x href='y'>", "a")["href"][:3]
    (10, 'x', 0)
    """
    found: dict[str, Value] = {}
    for match in _ATTRIBUTE.finditer(tag, 1 + len(name)):
        key, group = match[1].lower(), match.lastindex or 1
        raw = match[group] if group > 1 else ""
        found.setdefault(key, Value(at + match.end(group) - len(raw.lstrip()), raw.strip(), at, name, key))
        if key == ">":
            break
    return found


# HTML Standard, "Attributes", and what mail programs add.
_NAMES = """href xlink:href o:href src lowsrc dynsrc originalsrc action formaction background cite longdesc
data codebase poster manifest usemap data-saferedirecturl"""
_URLS = frozenset(_NAMES.split())
_TEXTS = ("alt", "title", "aria-label")
_ONLY_IN = {"data": "object", "content": "meta"}

# CSS Syntax, section 4: a URL with or without quotes, and an import of a string; not in comments or strings.
_STRING = r"""(?:"((?>(?:[^"\\\n]|\\[\s\S])*))"|'((?>(?:[^'\\\n]|\\[\s\S])*))')"""
_STYLE = lazy_re(
    rf"""/\*[\s\S]*?(?:\*/|\Z)|@(?i:import)\s*+{_STRING}"""
    rf"""|(?i:url)\(\s*+(?:{_STRING}|((?!["'])(?>(?:[^\s()"'\\]|\\[\s\S])+)))\s*+\)"""
    rf"""|{_STRING.replace("((?>", "(?:(?>")}"""
)
_CANDIDATE = lazy_re(r"[\s,]*+([^\s,](?:\S*[^\s,])?)(?:,+(?=\s|\Z)|[^,]*+)")  # URLs with a width or a density
_WHOLE_URL = r"[A-Za-z][A-Za-z0-9+.-]*+:(?://|\\\\)\S++\Z"
_PARTS = {
    "srcset": _CANDIDATE,
    "imagesrcset": _CANDIDATE,
    "ping": lazy_re(r"(\S+)"),
    "style": _STYLE,
    "content": lazy_re(rf"\A({_WHOLE_URL})"),
    # HTML, "shared declarative refresh steps": seconds; url="..."
    "refresh": lazy_re(r"""(?is)\A[\s\d.]*+[;,\s]\s*+(?:url\s*+=\s*+)?["']?(.*?)(?:["']|\Z)"""),
}
"""The patterns of the URLs in the values of other attributes, and in a refresh."""

_MAY_HAVE_URLS = lazy_re(
    rf"(?i:[\s\"'/](?:{'|'.join({*_URLS, *_TEXTS, *_PARTS} - {'style'})})\s*=|url\(|@import)"
)
# In XML, any attribute may hold a URL. These hold names: Namespaces in XML 1.0, 3; XML Schema 1.0, 2.6.3.
_WHOLE = lazy_re(rf"{_WHOLE_URL}|(?i:mailto|tel|news|urn|magnet|geo):[^\s:]\S*+\Z")
_OF_NAMES = lazy_re(r"xmlns(?::|\Z)|(?:[^:]*:)?(?:noNamespace)?schemaLocation\Z", re.IGNORECASE)


def values_of(tag: str, name: str, at: int, *, is_xml: bool = False) -> Iterator[Value]:
    """Yield the values of a start tag at the offset ``at`` that are URLs or may hold some.

    >>> [value.raw for value in values_of('<x xmlns="urn:x:y" b=http://a.example/>', "x", 0, is_xml=True)]
    ['http://a.example/']
    """
    if not (is_xml or _MAY_HAVE_URLS.search(tag)):
        return
    attributes = attributes_of(tag, name, at)
    for key, value in attributes.items():
        if is_xml and (_WHOLE.match(value.raw) or _OF_NAMES.match(key)):
            yield from () if _OF_NAMES.match(key) else (value,)
        elif _ONLY_IN.get(key, name) != name:
            continue
        elif key in _URLS:
            yield value
        elif key in _TEXTS:
            yield value._replace(is_text=True)
        elif key in _PARTS:
            equivalent = attributes.get("http-equiv")
            is_refresh = key == "content" and equivalent and equivalent.raw.lower() == "refresh"
            yield from _parts(value, _PARTS["refresh" if is_refresh else key])
    if name == "style" and ">" in attributes:
        start = attributes[">"].start
        yield from _parts(Value(start, tag[start - at :], at, name, "style"), _STYLE)


def _parts(value: Value, pattern: re.Pattern[str]) -> Iterator[Value]:
    """Yield the parts of a value that are URLs: the groups of a pattern, without blanks around them."""
    raw = value.raw
    if "&" in raw:  # quotes may be written as references; the length stays
        raw = raw.replace("&quot;", ' "    ').replace("&#39;", " '   ").replace("&apos;", " '    ")
    for match in pattern.finditer(raw):
        if match.lastindex:
            start = match.end(match.lastindex) - len(match[match.lastindex].lstrip())
            url = value.raw[start : start + len(match[match.lastindex].strip())]
            yield value._replace(start=value.start + start, raw=url)
