"""Read one raw message into decoded segments of text. Nothing here raises an exception because of its input.

**What comes in and goes out.** Bytes of one message come in, in blocks of any size. Texts go out in its
order, each with its provenance: the text of each field that may hold a URL, of each part, of what stands
outside the parts, and advice on parts that cannot be read. Spans of later stages count in these texts.

**Events.** ``events`` turns bytes into events: a `Head` for each head of a message or of a part, a `Body` for
each text, as it was sent. All open multiparts are on one stack, and their boundary lines in one dictionary: a
line that begins with hyphens is looked up once, however many are open; the outermost one counts, and closes
all within. A message inside another is one more head. Only one that is encoded needs a second reader.

**What is decided when.** Each decision counts from where its head or body began, never from where the window
of bytes ends: so it does not matter in which blocks the message comes.

- A head ends at its blank line, at a boundary line, at a line that is no field, or after `limits.HEAD` bytes.
- A multipart begins at its boundary line. If none comes within `limits.PREAMBLE` bytes, what comes is a
  preamble; if the message ends without one, or without a line that looks like one, it is one text.
- A body is judged by its first `limits.PART` bytes: whether it is quoted-printable that nobody declared, and
  which charset it has.

**What is held.** One head, a preamble while no boundary line has come, a body of up to `limits.PART` bytes. A
longer body comes in windows of `limits.WINDOW` characters, cut at blank lines. Each later step (decoding,
unfolding, leaving out lines) is a function of one str, for a body and for a window of one alike. A body that
nobody reads is passed over.

**What is put off.** From, To, Subject, Date are decoded when a record asks for them. The stdlib's reader of
mail and the table of charsets are loaded when a value needs them. Fields without a sign of a URL are passed
over by one pattern.

**What is not nice, and why.** A message with NULs keeps its CRs, for in UTF-16 they are halves of characters
(``window``). A stray line in a head is joined to the line before if a field that says how to read the body
comes after it, for mail programs break lines without the blank (``heads``). Of two Content-Types a multipart
counts whose boundary is there, for gateways add a second one (``events``). Base64 is read by lines where it
is not valid, for list servers put text before, after and between (``transfer``).

The modules, in the order of the data:

- ``limits``: how much of a message is held, looked at or waited for.
- ``window``: the bytes that are held, and the boundary lines among them.
- ``heads``: reads a head into fields.
- ``content``: what the fields say of a body, and how each media type is read.
- ``events``: yields heads, bodies, and the texts between the parts, in order.
- ``segments``: makes segments of the events: `read_message`.
- ``fields``: the text of a field, as far as it may hold URLs, and what the fields say of a message.
- ``transfer``: undoes transfer encodings.
- ``charsets``: decodes bytes to text.
- ``running_text``: makes running text of formats such as ``format=flowed``, CSV or calendars.
- ``quoting``: blanks out quoted lines and signatures.
- ``html_page``: a page: its attributes, its links, the text that a reader sees, and where that stands.
- ``html_tokens``: tags, comments and attributes.
- ``entities``: character references.
"""
