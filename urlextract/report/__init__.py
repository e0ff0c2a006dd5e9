"""``urlextract report``: the links of an index as one page of HTML, to be searched and looked at.

In the order of the data: `snapshot` opens the index, `figures` and `listing` read it, `chart` draws the
months, and `rendering` fills the template with all of it.
"""
