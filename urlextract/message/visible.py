"""What a reader of an HTML page sees: the text between the tags, parted where blocks part it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.message.entities import decode_attribute, decode_entities
from urlextract.message.tags import CONSTRUCT, INLINE, PARTING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["SEPARATORS", "seen", "shows", "visible_text", "without"]

_SPACE = " \t\n\f\r"
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
    for text in (shown, _shortened(shown)):
        name, head = _as_read(text)
        if name in ("", scheme) and (head == rest or (text != shown and _begins(rest, head))):
            return True
    return False


def _as_read(url: str) -> tuple[str, str]:
    """Give the scheme of a URL, if there is one, and the rest without encoding and what cannot be seen."""
    from urllib.parse import unquote  # noqa: PLC0415 - few links show a URL in other words

    url = "".join(unquote(url).translate(_UNSEEN).split()).strip("<>()[]").rstrip("/.")
    scheme, slashes, rest = url.partition("://") if "://" in url else ("", "", url)
    host, slash, path = rest.partition("/")
    return scheme.lower() if slashes else "", _in_ascii(host) + slash + path


def _in_ascii(host: str) -> str:
    """Give the form in which hosts of other scripts are looked up."""
    try:
        return host.lower() if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host.lower()


def _shortened(shown: str) -> str:
    """Give what stands before the dots at the end of a text that is cut short."""
    return shown.rstrip(".\u2026") if shown.endswith(("..", "\u2026")) else shown


def _begins(rest: str, head: str) -> bool:
    """Say whether ``head`` is the beginning of ``rest``, with all of its host."""
    return rest.startswith(head) and ("/" in head or rest[len(head) :][:1] in ("/", "?", "#"))


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
    woven = pieces[0::3] + pieces[1::3]
    woven[0::2], woven[1::2] = pieces[0::3], map(SEPARATORS.__getitem__, pieces[1::3])
    return seen("".join(woven))


def seen(text: str) -> str:
    r"""Decode the entities of a text; soft hyphens are none of it.

    >>> seen("http://a.example/long/pa&shy;th &lt;x&gt;")
    'http://a.example/long/path <x>'
    """
    text = decode_entities(text)
    return text.replace("\u00ad", "") if "\u00ad" in text else text


def _readable_pieces(text: str) -> Iterator[str]:
    """Give the pieces of a text in which some tag never ends: that one is read as text."""
    at = 0
    for construct in CONSTRUCT.finditer(text):
        name, is_open = construct.groups()
        yield text[at : construct.start()]
        yield SEPARATORS[name] if is_open is None else construct[0]
        at = construct.end()
    yield text[at:]
