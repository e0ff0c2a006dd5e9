"""Read a file, a directory or a stream into raw messages and texts.

``sniff`` detects what a stream holds, and ``files`` hands it to its reader. ``compress`` undoes
compression and reads archives, ``formats`` cuts a stream into messages, ``folders`` walks directories.
``resuming`` leaves out what was read before; ``state`` keeps that in a file.
``reading`` only calls them. Nothing here raises an exception
because of its input.
"""
