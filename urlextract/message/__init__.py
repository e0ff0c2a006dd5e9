"""Read one raw message into decoded segments of text.

Nothing here raises an exception because of its input.

- ``reading``: makes segments of the events of a message: `read_message`.
- ``events``: yields heads, bodies, and the texts between the parts, in order.
- ``window``: the part of the message that is looked at, and the boundary lines in it.
- ``context``: what all parts of one message have in common.
- ``heads``: reads a head into fields.
- ``fields``: the text of a field, as far as it may hold URLs.
- ``content``: what the fields say of a body, and how each media type is read.
- ``transfer``: undoes transfer encodings.
- ``charsets``: decodes bytes to text.
- ``running_text``: makes running text of formats such as ``format=flowed``, CSV or calendars.
- ``quoting``: blanks out quoted lines and signatures.
- ``html_page``: a page: its attributes, its links, the text that a reader sees, and where that stands.
- ``html_tokens``: tags, comments and attributes.
- ``entities``: character references.
"""
