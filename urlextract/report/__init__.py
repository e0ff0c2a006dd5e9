"""Make a page of HTML of the links of an index, to be searched and looked at: ``urlextract report``.

The modules stand in the order of the data.

- ``figures``: reads how much there is, by month and domain, and what deceives.
- ``listing``: reads the rows of the table of links.
- ``wording``: makes what is shown of texts and URLs of strangers.
- ``chart``: draws the months.
- ``rendering``: fills the template in ``page`` with all of it.
"""
