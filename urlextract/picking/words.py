r"""The words of links in plain text: what leads to each, or says behind it what it is.

Wrong words are worse than none: nothing is taken over the end of a sentence, a blank line or another link.
"""

from __future__ import annotations

from urlextract.grammar.marks import DELIMITERS, MARKS_AND_BLANKS, OPENER, QUOTE_MARK
from urlextract.grammar.patterns import lazy_re

BEFORE, AFTER = 400, 200
"""Characters before a link, and behind it, that are looked at."""

# A link alone on its line, a title on the next one, and a blank line: two such pairs show what is whose.
_QUOTE_PREFIX = rf"{MARKS_AND_BLANKS}{{0,40}}"
_PAIR = rf"{_QUOTE_PREFIX}<?[A-Za-z]{{2,9}}:[^\s]{{1,2000}}[ \t]{{0,9}}\n{_QUOTE_PREFIX}((?!\S{{1,40}}://)[^\s>|][^\n]{{0,200}})"
_GAP = rf"(?:\n{_QUOTE_PREFIX}){{1,4}}\n"
_TITLE = lazy_re(rf"{_PAIR}(?={_GAP}|\s*\Z)")
_PAIR_BEHIND = lazy_re(rf"{_GAP}{_PAIR}(?={_GAP}|\s*\Z)")
_PAIR_BEFORE = lazy_re(rf"(?:\A|\n){_PAIR}{_GAP}\Z")
_LINK_AND_WORDS = lazy_re(rf"[^\n]*\n{_QUOTE_PREFIX}<?[A-Za-z]{{2,9}}:[^\s]{{1,2000}}[ \t]{{1,9}}\S")
_PAIR_REACH = 2_500  # characters before a link

_BELOW = lazy_re(r"[>)\]]?[ \t]{0,9}\n([^\n]{1,200})(?:\n([^\n]{0,200})|\Z)")
_FURTHEST = 20_000  # characters before a footnote in which the reference to it is looked for

# What nobody sees, or only between other letters. Newsletters are full of it.
_UNSEEN, _JOINERS = lazy_re("[\u00ad\u034f\u200b\u2060\ufeff]++"), "\u200c\u200d "
_URL = lazy_re(r"(?<!\S)(?:[^\s:]*[A-Za-z]:[^\s:]|\S*?www\.)(?:\S*[^\s.,;:!?)>\]'\"])?")
_QUOTE = lazy_re(rf"(?>(?:{QUOTE_MARK}|\s)*)")
_BULLET = lazy_re(
    r"\A(?:[-*+\u2022\u00b7\u2013\u2014]|\(?[0-9]{1,3}[.):]|(\[[^\]\n]{1,40}\])[.:]?)(?:\s++|\Z)"
)
# A link that the text marks: [words](URL) of Markdown, [words]<URL> of Outlook, <a href="URL">words</a>.
_MARKDOWN = lazy_re(r"\[(?![0-9^]{1,4}\]|cid:)([^\[\]]{1,200})\](?:\(<?)?\Z")
_TAG_BEFORE, _TAG_AFTER = (
    lazy_re(r"<(?i:a)\s[^<>]{0,200}=[\"']?\Z"),
    lazy_re(r"[^<>]{0,200}>(.{1,200}?)</(?i:a)\b"),
)
_TAG = lazy_re(r"<[^<>]*>")
_OPENER = lazy_re(rf"(?>(?:{OPENER}|[(\[{{'`\u201c\uff08\u3008\u300a\u300c\u300e\u3010]|(?i:URL:)|\s)*)\Z")
_CLOSERS = (
    "".join(each for each in DELIMITERS.values() if len(each) == 1)
    + ")]}\"'` \u201d\uff09\u3009\u300b\u300d\u300f\u3011"
)
# A dot after a capital and a letter, or after one letter, is that of an abbreviation.
_SENTENCE_END = lazy_re(r"(?:(?<=[^\W_A-Z]{2})\.|[!?;])[\"')\]\u201d]*(?=\s|\Z)|[\u3002\uff01\uff1f]")
_LABEL = lazy_re(r"\[[0-9]{1,3}\]")
_COMMA = lazy_re(r"[,\u3001](?=\s|\Z)")
_SEPARATOR = lazy_re(r"[ \t]*(?:\t|  |[-:|(\u2013\u2014])")  # begins what a link is said to be
_IN_SENTENCE = lazy_re(r"[.,;!?\u3001\u3002]")
_CELL = lazy_re(r"[\t|]")
_ENDS = " \t,;:|-\u2013\u2014"
_JOINERS_OF_LINKS = ("and", "or", "und", "oder", "et", "ou", "y", "o", "e")


def words_around(text: str, start: int, end: int) -> tuple[str, bool]:
    r"""Return the words of the link at ``start:end`` of a text, and whether the text marks them as its own.

    >>> text = "The tables: http://a.example/\nhttp://b.example/ - the harbour\n[log](http://c.example/)"
    >>> words_around(text, 12, 29), words_around(text, 30, 47), words_around(text, 68, 85)
    (('The tables:', False), ('the harbour', False), ('log', True))
    """
    before, after = text[max(0, start - BEFORE) : start], text[end : end + AFTER]
    if marked := _MARKDOWN.search(before) or (_TAG_BEFORE.search(before) and _TAG_AFTER.match(after)):
        return seen(_TAG.sub("", marked[1])), True
    above, _, line = before.rpartition("\n")
    begin = start - len(line)
    line = _QUOTE.sub("", line, 1).rpartition(">")[2]  # behind the end of a broken URL
    behind = after.partition("\n")[0].lstrip(_CLOSERS[:-1])
    is_said = _SEPARATOR.match(behind)
    first, *between = _URL.split(line)
    if between:  # it is not the first link of its line: where that one has words before it, this one has, too
        leads = _ending(first) and not _SENTENCE_END.search(between[-1])
        words = _clause(between[-1]) if leads else ""
        return words or (_beginning(behind) if is_said and not leads else ""), False
    bullet = _BULLET.match(line)
    if title := _title_below(text, begin, end):
        return title, False
    words = _ending(line[bullet.end() :] if bullet else line) or (
        _item_below(text, begin, end) if bullet else ""
    )
    if not words and bullet and bullet[1]:
        words = _reference(text, bullet[1], start - len(line))
    if not words and (is_said or "\t" in line or line[:1] == "|" or _LINK_AND_WORDS.match(after)):
        words = _beginning(behind)
    return words or (not bullet and _line_above(above)) or _beginning(behind), False


def _title_below(text: str, line: int, end: int) -> str:
    """Return the line below a link that is alone on its line, if another such pair comes before or behind."""
    low = max(0, line - _PAIR_REACH)
    found = _TITLE.match(text, line, end + AFTER)
    is_pair = found and (_PAIR_BEHIND.match(text, found.end()) or _PAIR_BEFORE.search(text[low:line]))
    return _shown(_QUOTE.sub("", found[1], 1)) if found and is_pair else ""


def _item_below(text: str, begin: int, end: int) -> str:
    """Return the words below a link alone in an item of a list: a line that is indented more than its mark.

    A line that may lead to the next link has none.
    """
    found = _BELOW.match(text, end)
    if not found:
        return ""
    own, below, after = (_QUOTE.match(each)[0] for each in (text[begin:end], *found.groups("")))  # type: ignore[index]
    line, following = found[1][len(below) :], (found[2] or "")[len(after) :]
    is_inside = below.startswith(own) and below[len(own) :].isspace()
    leads = _URL.search(following) and not _BULLET.match(following)
    return "" if not is_inside or leads or _URL.search(line) or _BULLET.match(line) else _beginning(line)


def _reference(text: str, label: str, end: int) -> str:
    """Return the words before the last ``label`` of a footnote, such as "[1]", that stands before ``end``."""
    low = max(0, end - _FURTHEST)
    at = text.rfind(label, low, end)
    line = text[max(low, at - BEFORE) : max(low, at)].rpartition("\n")[2]
    return _ending(_BULLET.sub("", _LABEL.sub("|", _QUOTE.sub("", line, 1)), 1).rpartition("|")[2])


def _line_above(text: str) -> str:
    """Return the end of the last line of a text, if that leads on and belongs to no link."""
    rest, _, line = text.rpartition("\n")
    line = _QUOTE.sub("", line, 1)
    words = _BULLET.sub("", line, 1)
    is_free = not _URL.search(line) and (words != line or not _URL.search(rest.rpartition("\n")[2]))
    return _ending(words) if is_free else ""


def _ending(text: str) -> str:
    """Return the words at the end of a text: of its last sentence, or of the last cell of a table."""
    *_, words = _SENTENCE_END.split(_OPENER.sub("", text))
    words = words.rstrip(_ENDS.replace(":", ""))
    return _shown(_CELL.split(words)[-1] if text[:1] == "|" or "\t" in text else words)


def _clause(text: str) -> str:
    """Return the words at the end of a text between two links: of its last clause."""
    *_, words = _COMMA.split(_OPENER.sub("", text))
    words = _shown(words.rstrip(_ENDS.replace(":", "")))
    return "" if words in _JOINERS_OF_LINKS else words


def _beginning(line: str) -> str:
    """Return the words at the beginning of a line, up to a link, the end of the sentence, or of the cell."""
    if _IN_SENTENCE.match(line):
        return ""
    words = _SENTENCE_END.split(_URL.split(line, maxsplit=1)[0], maxsplit=1)[0].strip(_ENDS)
    words = _CELL.split(words.removesuffix("."))[0]
    if words[:1] == "(" and words.find(")") in (-1, len(words) - 1):
        words = words[1:].removesuffix(")")
    return _shown(_OPENER.sub("", words))


def _shown(words: str) -> str:
    """Return words as they are seen, "" if they have no letter."""
    words = seen(words).lstrip(_CLOSERS + _ENDS)
    return words if any(map(str.isalpha, words)) else ""


def seen(text: str) -> str:
    """Return a text on one line, without what is not seen of it."""
    return " ".join(_UNSEEN.sub("", text).split()).strip(_JOINERS)
