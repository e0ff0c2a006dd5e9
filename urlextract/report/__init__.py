"""Make a page of HTML of the links of an index, to be searched and looked at: ``urlextract report``.

The modules stand in the order of the data.

- ``wording``: makes what is shown of texts and URLs of strangers.
- ``links``: reads the targets, with the places where they were found and the messages of these.
- ``figures``: counts them by time and domain, finds what several people sent, and groups what deceives.
- ``origins``: reads the sources, what could not be read of them, and the runs of the program.
- ``chart``: draws the numbers by time.
- ``packing``: makes lists of the links for the script of the page.
- ``rendering``: fills the template in ``page`` with all of it.
"""
