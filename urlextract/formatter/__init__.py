"""Print URLs and whole texts so that the rest of the package reads them back.

**The promise.** What is printed is read back as the same URL by ``scanner``, at every width and in every
frame, and what cannot be is refused with its place. A whole text that is rewritten has the same URLs and the
same words. Neither is taken on trust: each result is read again before it is printed.

**One URL.** `opportunities` says where it may be broken, and what each place costs: never after a hyphen,
never within an escape, best after a slash. `layout` ends each line at the cheapest place in its last third.
`targets` has a row for each language: how it writes a character, a break and a link.

**Whole texts.** `texts` goes through a message part by part, and through a part unit by unit; a unit ends at
a blank line, so no URL is in two. To ``mend`` a text is to remove the line ends from broken URLs, and to put
targets or defanged forms in the place of others; to ``rewrap`` it is to do the first of these, and then to
fill paragraphs. Each change is an edit; one after which the text would be read in another way is left out,
and what stays as it was is told. All bytes that no edit is about are those that came in.

**What is not nice, and why.** What is no running text (code, tables, verse, addresses) is known by signs
alone; in doubt it is left as it is, for a paragraph that is not filled does no harm. A part that is encoded
is changed as a whole, and encoded again as it was.

- ``printable``: the characters that can be printed, and the check that a URL is read back.
- ``opportunities``: where a URL may be broken, and what each place costs.
- ``layout``: chooses among these places: where the lines of a URL end.
- ``targets``: how each language (mail, LaTeX, HTML, ...) writes a URL.
- ``printing``: puts these together: `format_url`.
- ``texts``: rewrites whole texts.
"""
