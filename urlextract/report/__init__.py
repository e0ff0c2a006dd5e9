"""``urlextract report``: the links of an index as one page of HTML, to be searched and looked at.

In the order of the data: `figures` and `listing` read the index, `wording` makes what is shown of texts and
URLs, `chart` draws the months, and `rendering` fills the template with all of it.
"""
