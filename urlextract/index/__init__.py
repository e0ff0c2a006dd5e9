"""Keep the links of archives in one SQLite file, which remembers in itself what was read.

- ``schema``: the tables.
- ``database``: opens the file, for readers and one writer.
- ``trust``: checks what a stranger may have put into the file or beside it.
- ``store``: what the index remembers of its sources: a `Checkpoint`.
- ``found_rows``: makes rows of what was found, in any process.
- ``loading``: reads the parts of a cluster in place of sources.
- ``writing``: writes rows and what was read.
- ``indexing``: puts these together: `index_sources`.
"""
