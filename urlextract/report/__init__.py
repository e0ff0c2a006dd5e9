"""Make a page of HTML of the links of an index, to be searched and looked at: ``urlextract report``.

The modules stand in the order of the data.

- ``wording``: makes what is shown of texts and URLs of strangers.
- ``reads``: reads the targets, with the places where they were found and the messages of these.
- ``figures``: counts them.
- ``chart``: draws their numbers by month.
- ``rendering``: fills the template in ``page`` with all of it.
"""
