"""Keep the links of archives in one SQLite file, which remembers in itself what was read.

- ``schema``: the tables.
- ``database``: opens the file, for readers and one writer.
- ``trust``: checks what a stranger may have put into the file or beside it.
- ``rows``: makes rows of what was found, in any process.
- ``batches``: what is new in sources, and what is to be noted with it.
- ``writing``: writes rows and what was read.
- ``loading``: reads the parts of a cluster in place of sources.
- ``indexing``: puts these together: `index_sources`.
"""
