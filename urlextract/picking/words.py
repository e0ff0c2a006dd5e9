r"""The words of links in plain text: what leads to each, or says behind it what it is.

Wrong words are worse than none: nothing is taken over the end of a sentence, a blank line or another link.
"""

from __future__ import annotations

from bisect import bisect_left

from urlextract.grammar.marks import DELIMITERS, OPENER, QUOTE_MARK
from urlextract.grammar.patterns import lazy_re

BEFORE, AFTER = 400, 200
"""Characters before a link, and behind it, that are looked at."""

# What nobody sees, or only between other letters. Newsletters are full of it.
_UNSEEN, _JOINERS = lazy_re("[\u00ad\u034f\u200b\u2060\ufeff]++"), "\u200c\u200d "
_URL = lazy_re(r"\S*:\S|\S*www\.")
_QUOTE = lazy_re(rf"(?>(?:{QUOTE_MARK}|\s)*)")
_BULLET = lazy_re(
    r"\A(?:[-*+\u2022\u00b7\u2013\u2014]|\(?[0-9]{1,3}[.):]|\[[0-9]{1,3}\][.:]?|\[[^\]\n]{1,40}\]:)(?:\s++|\Z)"
)
_OPENER = lazy_re(rf"(?>(?:{OPENER}|[(\[{{'`\u201c\uff08\u3008\u300a\u300c\u300e\u3010]|(?i:URL:)|\s)*)\Z")
_CLOSERS = (
    "".join(each for each in DELIMITERS.values() if len(each) == 1)
    + ")]}\"'` \u201d\uff09\u3009\u300b\u300d\u300f\u3011"
)
# A dot after a capital and a letter, or after one letter, is that of an abbreviation.
_SENTENCE_END = lazy_re(r"(?:(?<=[^\W_A-Z]{2})\.|[!?;])[\"')\]\u201d]*(?=\s|\Z)|[\u3002\uff01\uff1f]")
_COMMA = lazy_re(r"[,\u3001](?=\s|\Z)")
_SEPARATOR = lazy_re(r"[ \t]*(?:\t|  |[-:|(\u2013\u2014])")  # begins what a link is said to be
_IN_SENTENCE = lazy_re(r"[.,;!?\u3001\u3002]")
_ENDS = " \t,;:|-\u2013\u2014"
_JOINERS_OF_LINKS = ("and", "or", "und", "oder", "et", "ou", "y", "o", "e")
_FOOTNOTE = lazy_re(r"(?:\A|\n)[>|\s]*\[([0-9]{1,3})\][.:]?[ \t]*<?\Z")
_REFERENCE = lazy_re(r"(?<=[^\s>|])[ \t]?\[([0-9]{1,3})\]")
# A link alone on its line, and its title below it: other such pairs, or a list, show what is whose.
_TITLE = lazy_re(r"[^\n]{0,200}\n([^\n]{1,200})(?=\n|\Z)")
_ALONE = r"(?:[-*+] |[0-9]{1,3}[.)] )?<?[a-z]{2,9}:[^\s]{1,2000}[ \t]{0,9}"
_NEXT_PAIRS = lazy_re(
    rf"(?:(?:\n[>| \t]{{0,40}}){{1,9}}{_ALONE}\n[>| \t]{{0,40}}(?!{_ALONE}\n)[^\s>|][^\n]{{0,200}}){{1,9}}"
    r"(?=\n[>| \t]{0,40}(?:\n|\Z)|\n?\Z)"
)


class Words:
    r"""The words of the links of one text, which are asked for in their order.

    >>> text = "The tables: http://a.example/\nhttp://b.example/ - the harbour\n"
    >>> words = Words(text)
    >>> words.of(12, 29), words.of(30, 47)
    ('The tables:', 'the harbour')
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = 0  # the end of the link before
        self._leads = False  # whether words come before the first link of the line, and so before the others
        self._title = -BEFORE  # that of its title, if that is on the line below it
        self._doubtful = 0  # that of lines of which nobody knows whether titles are above or below
        self._references: dict[str, list[int]] | None = None

    def of(self, start: int, end: int, *, is_element: bool = False) -> str:
        """Return the words of the link at ``start:end``, "" if it has none.

        Behind an element of HTML stands what belongs to other links.
        """
        text, last = self._text, min(self._last, start)
        self._last = max(last, end)
        floor = max(0, start - BEFORE)
        line = max(text.rfind("\n", floor, start) + 1, floor)
        note = None if is_element else _FOOTNOTE.search(text[max(line - 1, last, 0) : start])
        at = self._reference(note[1], line) if note else None
        if at is not None:
            begin = max(text.rfind("\n", max(0, at - BEFORE), at) + 1, at - BEFORE, 0)
            *_, words = _REFERENCE.sub("|", text[begin:at]).rstrip("| ").rsplit("|", 1)
            return _ending(words)
        lead = text[max(line, last) : start]
        is_second = last > line  # on its line
        if is_second:  # what belongs to the first one is left out
            lead = lead.lstrip(_CLOSERS[:-1]) if "[[" not in lead else lead[lead.rfind("]]") + 2 :]
        self._leads = self._leads and not _SENTENCE_END.search(lead)
        separator = _SEPARATOR.match(lead) if is_second else None
        is_of_first = is_second and not self._leads and (separator or _IN_SENTENCE.match(lead))
        lead = lead[separator.end() :] if separator and self._leads else lead
        words = _ending(lead, is_second=is_second) if not is_of_first or _COMMA.search(lead) else ""
        self._leads = self._leads if is_second else bool(words)
        if words or is_element:
            return words or ("" if is_second else self._above(line, last))
        is_table = "\t" in lead or text[line : line + 1] == "|"
        behind = self._behind(end, is_table=is_table)
        is_own = _SEPARATOR.match(text[end : end + AFTER].lstrip(_CLOSERS[:-1])) and not self._leads
        if is_second or is_table or is_own:
            return behind if is_own or not is_second else ""
        if behind:
            return self._above(line, last) or behind
        is_item = _BULLET.match(_QUOTE.sub("", lead, 1)) is not None
        return self._title_below(line, end, is_item=is_item) or ("" if is_item else self._above(line, last))

    def _reference(self, number: str, end: int) -> int | None:
        """Return the offset of the last reference to a footnote before ``end``, which comes after words."""
        if self._references is None:
            self._references = {}
            for found in _REFERENCE.finditer(self._text):
                self._references.setdefault(found[1], []).append(found.start())
        places = self._references.get(number, [])
        at = bisect_left(places, end)
        return places[at - 1] if at else None

    def _behind(self, end: int, *, is_table: bool) -> str:
        """Return what stands behind a link on its line, up to another link or the end of the sentence."""
        line = self._text[end : end + AFTER].partition("\n")[0].lstrip(_CLOSERS[:-1])
        if _IN_SENTENCE.match(line):
            return ""
        words = (
            _SENTENCE_END.split(_URL.split(line, maxsplit=1)[0], maxsplit=1)[0].strip(_ENDS).removesuffix(".")
        )
        if is_table:
            words = words.replace("|", "\t").partition("\t")[0]
        if words[:1] == "(" and words.find(")") in (-1, len(words) - 1):
            words = words[1:].removesuffix(")")
        return _shown(_OPENER.sub("", words))

    def _above(self, line: int, last: int) -> str:
        """Return the end of the line above, which leads to the link that begins ``line``."""
        start = max(self._text.rfind("\n", max(0, line - BEFORE), max(0, line - 1)) + 1, line - BEFORE, 0)
        above = self._text[start : max(0, line - 1)]
        is_free = (
            last <= start and self._title != line - 1 and line > self._doubtful and not _URL.search(above)
        )
        return _ending(above) if is_free else ""

    def _title_below(self, line: int, end: int, *, is_item: bool) -> str:
        """Return the line below a link that is alone on its own, if that is the way of the text."""
        text = self._text
        below = _TITLE.match(text, end)
        title = _shown(_QUOTE.sub("", below[1], 1)) if below and not _URL.search(below[1]) else ""
        if not below or not title or line < self._doubtful:
            return ""
        goes_on = line - BEFORE < self._title and not text[self._title : line].strip()
        is_below = goes_on or (is_item and below[1][:1] in " \t")
        pairs = None if is_below else _NEXT_PAIRS.match(text, below.end())
        if pairs:
            above = text[max(0, line - BEFORE) : max(0, line - 1)].rpartition("\n")[2].strip(" \t>|")
            is_below = not above or above.endswith(":")
            self._doubtful = 0 if is_below else pairs.end()
        if not is_below:
            return ""
        self._title = below.end()
        return title


def _ending(text: str, *, is_second: bool = False) -> str:
    """Return the words at the end of a line, of its last sentence; of the last clause behind another link."""
    words = text if is_second else _QUOTE.sub("", text, 1)
    words = _OPENER.sub("", words)
    words = words if is_second else _BULLET.sub("", words, 1)
    *_, words = _SENTENCE_END.split(words)
    if is_second:
        *_, words = _COMMA.split(words)
    *_, words = words.rstrip(_ENDS.replace(":", "")).split("\t")
    if text.lstrip("> ").startswith("|"):
        *_, words = words.split("|")
    words = _shown(words)
    is_word = is_second and words in _JOINERS_OF_LINKS
    return "" if is_word else words


def _shown(words: str) -> str:
    """Return words as they are seen, "" if they have no letter."""
    words = seen(words).lstrip(_CLOSERS + _ENDS)
    return words if any(map(str.isalpha, words)) else ""


def seen(text: str) -> str:
    """Return a text on one line, without what is not seen of it."""
    return " ".join(_UNSEEN.sub("", text).split()).strip(_JOINERS)
