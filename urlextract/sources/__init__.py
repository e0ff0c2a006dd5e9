"""Read a file, a directory or a stream into raw messages, texts and pages.

Nothing here raises an exception because of its input: damage is reported, and reading goes on.

**What comes in and goes out.** A path, ``-`` or a binary stream comes in. Items go out in its order, as soon
as they are there: a raw message, a text or a page, as bytes with their provenance. The chunks of a text are
read before the next item is asked for, so that one block of it is held at a time.

**The way of a file.** It is opened if it is a file or a pipe, and no device, and read in blocks. ``compress``
undoes layer after layer of compression; ``sniff`` looks at the head of what comes out, and names a row of the
table of formats, whose reader yields the items. An archive is such a row, too: each of its members goes the
same way again. A directory is walked in the order of names, and each of its files goes this way.

**What is decided when.** The format is decided by the head, as soon as that leaves no other: the name of a
file counts only where its content does not tell. What is asked for by ``--format`` is read so, whatever it
looks like. Where a mailbox begins its next message is decided by its postmarks, or by Content-Length where
that leads to one.

**Who is told.** An `Origin` goes along with the blocks: the name of what is read, and who gets the damage. A
budget goes along with compression and archives: it counts bytes, layers and members, stops a bomb, and tells
the first fault of a stream, of which all later ones follow.

**What is new.** With a `Checkpoint` a file that is as it was is passed over, a grown one read from where its
last message began, or its last line. A message is new if no message had its hash, wherever it lies now.

**What is not nice, and why.** The list of a zip stands at its end, so a zip is kept in a temporary file. A
message that is too long to be held comes as its beginning and an iterator, which only one reader can use.

- ``reading``: what a path names: `read_source`.
- ``files``: reads one file, whatever it holds.
- ``stretches``: what is read at a time: a file, a part of one, some files of a directory.
- ``streams``: opens files, and reads them in blocks.
- ``sniff``: the table of formats, and how each is detected.
- ``compress``: undoes compression, and reads archives.
- ``formats``: cuts a stream into messages, by a module for each format.
- ``folders``: walks directories, and reads public inboxes.
- ``checkpoint``: what earlier runs have read, for ``--state``.
- ``state``: the file that has it.
- ``resuming``: reads what is new since then.
- ``maildir``: names of messages in Maildirs, which mail readers change.
"""
