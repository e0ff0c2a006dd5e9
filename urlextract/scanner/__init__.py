"""Find URLs in a text: places, grammar, rules. What is found is a `urlextract.records.Match`.

Theory of operation
-------------------

A **place** is a colon or a dot at which a URL may be; of hosts without a scheme and of mail addresses also
an "@" or a slash. `window` has a pattern for each, which begins with its character, so that text without
places costs next to nothing. For http and https, which most URLs have, the pattern of colons takes the
**run** as well: host, path, query, up to the first character that has a rule (``grammar.runs``). Balanced
brackets are part of that grammar: an opener that nothing closes ends the run.

What is decided when: `scan` goes from place to place. Where a run stopped at a blank, a line end or a
bracket, and nothing before it opens anything, the run without the marks of the sentence is the URL. At any
other place the same grammar goes on: the character at which it stopped says which rule is asked (`bare`),
the character before the place says whether a bracket or a quote may be open (`wrappers`), the colon of a
name without slashes whether what follows has its shape (`checks`), a line end whether the URL goes on in
the next line (`lines`, by the tables of `evidence`). What is joined is read again as unbroken text by the
same rules, so these alone say where it ends.

The rules read plain text, but for references and the backslashes of Markdown. What is written in another
way (codes of terminals, defanged signs, escapes of JSON, roff, quoted-printable, the ends of pages) is
undone before, on a copy that knows its places (`undone`): of a whole window where its sign is rare, else of
the paragraph of a place that shows a sign of it.

What is remembered, so that time stays linear: the end of the last URL, before which no place counts; the
end of the last paragraph that was undone, or has nothing to undo. No rule looks beyond a blank line,
or further back or on than the bound beside it; of what is refused only a head is
read, since the next place may stand in it. A text is cut at blank lines into windows (`feeding`), so that
no rule asks whether more text is to come.

What is not nice: the end of a page holds blank lines over which a URL may go on, so a text is not cut near
one. In a paragraph longer than 8,000 characters, what is undone depends on the place that asked. Lines that
are decided as they come are scanned each by itself, but for an open bracket. The patterns of a quote prefix
are made for it.

- ``feeding``: a text in pieces, held and cut into windows.
- ``window``: a window with its options, its places (colons and dots), and what is noted in it.
- ``scan``: goes from place to place, and reads each.
- ``bare``: where a URL in running text begins and ends.
- ``around``: what all bare URLs have in common: what stands around one, and its next lines.
- ``wrappers``: brackets and quotes round a URL.
- ``checks``: whether it is a URL, and if not, why, in words.
- ``lines``: a bare URL that goes on in the next lines.
- ``evidence``: what speaks for that, and against it.
- ``undone``: what is undone before the rules read a text.
- ``defanged``: which places of a text are defanged URLs.
- ``schemeless``: hosts without a scheme, mail addresses, and names with dots that are neither.
- ``attributes``: the value of an attribute of HTML.
"""
