r"""Parts of Office's XML (ECMA-376): documents, sheets and slides, and relationships, which have their links.

Their markup becomes a page, byte for byte, so that all places stay: tags that separate texts become ``<p>``,
and what is no text is blank. Of tags that a page does not know, the attributes are not read, and the texts
around them are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.streams import peek

# The namespaces of all parts begin so (transitional and strict), and the first tag declares one.
_SIGN = lazy_re(
    rb"(?:\xef\xbb\xbf)?(?>(?:\s|<\?[^<>]*>|<!--[^<>]*-->)*)<(?:[\w.-]+:)?([\w.-]+)\s(?:[^<>]*\s)?"
    rb"xmlns(?::[\w.-]+)?\s*=\s*[\"']https?://(?:schemas\.openxmlformats\.org|purl\.oclc\.org/ooxml)/"
)
_SIGN_WITHIN = 4096  # bytes
_TAG = lazy_re(rb"<(/?)((?:[\w.-]+:)?)([\w.-]+)[^<>]*>")
# Texts of comments; headers and footers of sheets; properties of documents, and sources that they cite
_ALONE = frozenset(
    b"text oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter "
    b"title subject description keywords lpwstr HyperlinkBase URL".split()
)
# Elements that hold text: also of runs, formulas and values of cells, fields such as HYPERLINK "..."
_TEXTS = _ALONE | {b"t", b"f", b"v", b"instrText"}
# Also paragraphs, strings and cells, what is read aloud of a string, line ends and tabs
_PARTING = _ALONE | {b"p", b"si", b"is", b"c", b"rPh", b"br", b"cr", b"tab"}
_INSTRUCTION = lazy_re(rb"<[^<>]*?[\s:]instr\s*=\s*[\"']((?<=\")[^\"]*|(?<=')[^']*)")  # of a simple field
_CODE = lazy_re(rb"(?<!&amp;)&amp;[A-Za-z]")  # of headers and footers of sheets: the left part, the page, ...
# Elements of strings of cells, which have no prefix
_OF_RUNS = frozenset(b"t r rPr b i u strike sz color rFont family scheme charset vertAlign".split())

_TARGET = lazy_re(rb"\sTarget\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_IS_EXTERNAL = lazy_re(rb"\sTargetMode\s*=\s*[\"']External[\"']")

_LONGEST = 64 * 1024  # bytes that are held until a tag ends
_BLANK = bytes(each if each in b"\t\r\n" or each > 127 else 32 for each in range(256))


def with_links_only(blocks: Iterator[bytes]) -> tuple[str, Iterator[bytes]]:
    """Return the media type and the blocks of a page of XML; a part of Office has only what may be links."""
    head, blocks = peek(blocks, lambda head: len(head) >= _SIGN_WITHIN)
    part = _SIGN.match(head[:_SIGN_WITHIN])
    if not part:
        return "text/xml", blocks
    if part[1] == b"Relationships":
        return "text/xml", targets_of(blocks)
    return "application/xml", page_of(blocks)  # tags of text/xml would separate all texts


def page_of(blocks: Iterator[bytes]) -> Iterator[bytes]:
    r"""Yield the markup of a part as that of a page.

    >>> part = b"<w:p><w:id>1</w:id><w:t>http://a.ex</w:t><w:b/><w:t>ample/</w:t></w:p>"
    >>> b"".join(page_of(iter([part])))
    b'<p  ><w:id> </w:id><w:t>http://a.ex</w:t><w:b/><w:t>ample/</w:t><p><p>'
    """
    text, last = b"", b""  # the element whose text this is, and that of the text before it
    has_choice, fallbacks = False, 0  # what is for programs that do not know an element is in place of it
    for data in _whole_tags(blocks):
        page: list[bytes] = []
        at = 0
        for tag in _TAG.finditer(data):
            between = data[at : tag.start()]
            at = tag.end()
            slash, _, name = tag.groups()
            if name in (b"AlternateContent", b"Choice"):
                has_choice = name == b"Choice"
            elif name == b"Fallback" and (has_choice or fallbacks) and not tag[0].endswith(b"/>"):
                fallbacks += -1 if slash else 1
            if fallbacks:
                page.append((between + tag[0]).translate(_BLANK))
                continue
            is_field = name == b"fldSimple" and not slash
            is_parting = name in _PARTING or (name in _TEXTS and last not in (b"", name))
            page += _text(between, text), _markup_of(tag, is_parting=is_parting)
            if name in _TEXTS or is_field:
                last, text = name, b"" if slash or is_field or tag[0].endswith(b"/>") else name
        page.append(_text(data[at:], text))
        yield b"".join(page)


def _text(data: bytes, name: bytes) -> bytes:
    """Return the text in an element of that name; all else is blank."""
    if not name:
        return data.translate(_BLANK)
    if name.endswith((b"Header", b"Footer")):
        return _CODE.sub(lambda code: bytes(len(code[0])).translate(_BLANK), data)
    return data


def _markup_of(tag: re.Match[bytes], *, is_parting: bool) -> bytes:
    """Return what a tag becomes in a page, where it is as long."""
    slash, prefix, name = tag.groups()
    markup = tag[0]
    if is_parting:
        return _as(b"<p><p" if len(markup) > len("<p><p") else b"<p", markup)
    if name == b"noBreakHyphen" and not slash:
        return _as(b"-<x", markup)
    if name == b"fldSimple" and (field := _INSTRUCTION.match(markup)):
        start, end = field.span(1)
        return _as(b"<p", markup[:start]) + markup[start:end] + markup[end:].translate(_BLANK)
    return markup if prefix or name in _OF_RUNS else _as(b"<x", markup)


def _as(begin: bytes, tag: bytes) -> bytes:
    """Return a tag that begins so in place of one of XML, as long as that."""
    return begin + tag[len(begin) : -1].translate(_BLANK) + b">"


def targets_of(blocks: Iterator[bytes]) -> Iterator[bytes]:
    r"""Yield the markup of relationships, of which only the targets that are external are left.

    >>> tag = b"<Relationship Type='http://a.example/' Target='http://b.example/' TargetMode='External'/>"
    >>> b"".join(targets_of(iter([tag])))
    b"<Relationship                           Target='http://b.example/'                       >"
    """
    for data in _whole_tags(blocks):
        yield _TAG.sub(_target_of, data)


def _target_of(tag: re.Match[bytes]) -> bytes:
    target = _TARGET.search(tag[0])
    if not (target and _IS_EXTERNAL.search(tag[0])):
        return tag[0].translate(_BLANK)
    start, end = target.span()
    name = tag.end(3) - tag.start()
    blank = tag[0].translate(_BLANK)
    return tag[0][:name] + blank[name:start] + target[0] + blank[end:-1] + b">"


def _whole_tags(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield what blocks hold so that none ends in a tag, unless that is very long."""
    held = b""
    for block in blocks:
        held += block
        end = held.rfind(b">") + 1
        if not end and len(held) > _LONGEST:
            end = held.rfind(b"<") if held.rfind(b"<") > 0 else len(held)
        if end:
            yield held[:end]
            held = held[end:]
    yield held
