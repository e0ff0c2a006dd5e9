"""Read a file, a directory or a stream into raw messages, texts and pages.

Nothing here raises an exception because of its input: damage is reported, and reading goes on.

- ``reading``: what a path names: `read_source`.
- ``files``: reads one file, whatever it holds.
- ``stretches``: what is read at a time: a file, a part of one, some files of a directory.
- ``streams``: opens files, and reads them in blocks.
- ``counting``: counts the lines before each message, for ``--line-number``.
- ``sniff``: the table of formats, and how each is detected.
- ``compress``: undoes compression, and reads archives.
- ``formats``: cuts a stream into messages, by a module for each format.
- ``folders``: walks directories, and reads public inboxes.
- ``resuming``: leaves out what was read before.
- ``checkpoint``: what it asks for that: how far each source was read.
- ``maildir``: names of messages in Maildirs, which mail readers change.
- ``identity``: by what a source is known that was moved.
- ``state``: a checkpoint in a file, for ``--state``.
"""
