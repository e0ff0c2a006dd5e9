"""Cut one stream into messages, by a module for each format or family.

- ``single``: sources that are one item: a text, a page, a message, an .emlx.
- ``office``: of the XML of documents, sheets and slides, only what may have links.
- ``mbox``: mailboxes: mbox and MMDF.
- ``postmark``: the ``From `` line that begins a message in an mbox.
- ``usenet``: news: batches and sessions.
- ``warc``: web archives, and messages of HTTP.
- ``messages``: joins the pieces that these cut into whole or streamed messages, and undoes the wire format.
"""
