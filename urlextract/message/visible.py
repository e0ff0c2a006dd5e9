"""What a reader of an HTML page sees: the text between the tags, parted where blocks part it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.message.entities import decode_attribute, decode_entities
from urlextract.message.tags import CONSTRUCT, INLINE, PARTING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["SEPARATORS", "seen", "shows", "visible_text", "without"]

_SPACE = " \t\n\f\r"
_CUT = later(r"(?:\[(?:\.{3}|\u2026)\]|\.{2,}|\u2026)")  # what stands for a part that is not shown
_PORTS = {"http": ":80", "https": ":443", "ftp": ":21"}
_BEGINNINGS = frozenset(("http", "ftp:", "www.", "ftp.", "mail"))
_UNSEEN_INSIDE = later("\u00ad|(?<=[!-~])[\u200b\u2060\ufeff]{1,9}+(?=[!-~])")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


def shows(markup: str, raw_url: str) -> bool:
    """Say whether the text of a link is its URL, be it without scheme or last slash.

    >>> shows("<b>www.example.org/</b>", "http://www.example.org"), shows("<i title='.'>x</i>", "x")
    (True, False)
    """
    if "." not in markup and ":" not in markup:
        return False
    if markup == raw_url and "<" not in markup and "&" not in markup:
        return True
    shown = "".join(visible_text(markup).split()).rstrip("/")
    url = decode_attribute(raw_url).strip(_SPACE).rstrip("/")
    if "." not in shown and ":" not in shown:  # they were in the markup
        return False
    if shown in (url, url.partition("://")[2], url.removeprefix("mailto:")):
        return True
    scheme, rest = _as_read(url)
    cut = _CUT.search(shown)
    for text, tail in ((shown, ""), (shown[: cut.start()], shown[cut.end() :]) if cut else (shown, "")):
        name, head = _as_read(text, scheme)
        if name in ("", scheme) and (head == rest or (text != shown and _begins(rest, head, tail))):
            return True
    return False


def _as_read(url: str, known: str = "") -> tuple[str, str]:
    """Give the scheme of a URL, if there is one, and the rest without encoding and what cannot be seen.

    A port that the scheme has of itself is left out; ``known`` is the scheme where there is none.
    """
    from urllib.parse import unquote  # noqa: PLC0415 - few links show a URL in other words

    url = "".join(unquote(url).translate(_UNSEEN).split()).strip("<>()[]").rstrip("/.?")
    scheme, slashes, rest = url.partition("://") if "://" in url else ("", "", url)
    host, slash, path = rest.partition("/")
    host = _in_ascii(host).removesuffix(_PORTS.get((scheme or known).lower(), "/"))
    return scheme.lower() if slashes else "", host + slash + path


def _in_ascii(host: str) -> str:
    """Give the form in which hosts of other scripts are looked up."""
    try:
        return host.lower() if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host.lower()


def _begins(rest: str, head: str, tail: str) -> bool:
    """Say whether ``head`` is the beginning of ``rest``, with all of its host, and ``tail`` its end."""
    is_whole_host = "/" in head or rest[len(head) :][:1] in ("/", "?", "#")
    return is_whole_host and rest.startswith(head) and rest.endswith(tail.rstrip("/"))


def left_out(_: str) -> str:
    """Give nothing in place of a stretch."""
    return ""


def without(text: str, spans: list[tuple[int, int]], instead: Callable[[str], str] = left_out) -> str:
    """Give a text without the stretches at ``spans``, in order; one that ends within another is none.

    >>> without("a (b) c", [(2, 5), (3, 4)]), without("a b c", [(2, 3)], str.upper)
    ('a  c', 'a B c')
    """
    if not spans:
        return text
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        if end > at:
            pieces += (text[at:start], instead(text[start:end]))
            at = end
    return "".join((*pieces, text[at:]))


class _Separators(dict[str | None, str]):
    """What a tag puts between the texts around it, by its name; hidden things have none."""

    def __missing__(self, name: str) -> str:
        return "" if name.lower().removeprefix("/") in INLINE else "\n"


SEPARATORS = _Separators({None: ""})
"""By the name of a tag, what it puts between the texts around it."""

for _names, _separator in ((INLINE, ""), (PARTING, "\n")):
    for _name in _names:
        for _tag in (_name, f"/{_name}"):
            SEPARATORS[_tag] = SEPARATORS[_tag.upper()] = _separator


def visible_text(text: str) -> str:
    r"""Give the text between the tags; block tags part it, inline tags do not.

    >>> visible_text("<p>a<b>b</b>c<br>\nd &lt;e&gt;<script>x</script><td>f <a href='g")
    "\nabc\nd <e>\nf <a href='g"
    """
    if "<" not in text:
        return seen(text)
    pieces: list[str] = CONSTRUCT.split(text)
    if "" in pieces[2::3]:
        return seen("".join(_readable_pieces(text)))
    return seen(woven(pieces[0::3], list(map(SEPARATORS.__getitem__, pieces[1::3]))))


def woven(texts: list[str], between: list[str]) -> str:
    """Put together the texts of a page and what its tags put between them.

    A URL that begins behind a tag begins a word, for so it is meant and mostly drawn.

    >>> woven(["Web", "http://a.example/", "x"], ["", ""])
    'Web http://a.example/x'
    """
    for at in [at for at, text in enumerate(texts) if text[:4] in _BEGINNINGS]:
        before = at
        while before and not between[before - 1]:
            before -= 1
            if texts[before]:
                texts[at] = f" {texts[at]}" if texts[before][-1].isalnum() else texts[at]
                break
    pieces = texts + between
    pieces[0::2], pieces[1::2] = texts, between
    return "".join(pieces)


def seen(text: str) -> str:
    r"""Decode the entities of a text; soft hyphens, and places to break a word of ASCII, are none of it.

    >>> seen("http://a.example/long/pa&shy;th &lt;x&gt;")
    'http://a.example/long/path <x>'
    """
    text = decode_entities(text)
    if text.isascii() or not any(char in text for char in "\u00ad\u200b\u2060\ufeff"):
        return text
    return _UNSEEN_INSIDE.sub("", text)


def _readable_pieces(text: str) -> Iterator[str]:
    """Give the pieces of a text in which some tag never ends: that one is read as text."""
    at = 0
    for construct in CONSTRUCT.finditer(text):
        name, is_open = construct.groups()
        yield text[at : construct.start()]
        yield SEPARATORS[name] if is_open is None else construct[0]
        at = construct.end()
    yield text[at:]
