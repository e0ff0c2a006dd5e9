"""Read a file, a directory or a stream into raw messages and texts.

``reading`` says what a path names, and ``files`` reads one file, whatever it holds: ``compress`` undoes
compression and reads archives, ``sniff`` has the table of formats and detects which one it is, ``formats``
cuts a stream into messages. ``folders`` walks directories and reads public inboxes. ``resuming`` leaves out
what was read before, which a ``checkpoint`` knows: ``state`` keeps it in a file. Bytes come from ``streams``.
Nothing here raises an exception because of its input.
"""
