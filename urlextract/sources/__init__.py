"""Read a file, a directory or a stream into raw messages, texts and pages.

Nothing here raises an exception because of its input: damage is reported, and reading goes on.

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
