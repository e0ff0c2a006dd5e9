"""Run the stages in their order: from a source, a message or a text to `Found` and `Rejection` records.

- ``entry``: the public functions.
- ``feeding``: those that are fed in pieces.
- ``options``: the table of their options.
- ``item_results``: reads the items of a source, one after the other.
- ``urls``: scans texts for URLs alone.
- ``texts``: scans texts, and makes records of the matches.
- ``pages``: does the same for pages of HTML.
- ``page_source``: cuts a page into stretches.
- ``links``: compares the text of a link with its target.
- ``assembly``: makes a record of a match, with its confidence.
- ``positions``: counts lines, columns and bytes.
- ``surroundings``: the text around a place.
- ``choice``: leaves out the records that the options do not ask for; unwraps links.
- ``selecting``: patterns of hosts, names of domains, a regex, for the options that select by them.
"""
