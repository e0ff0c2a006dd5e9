"""Keep the links of archives in one SQLite file, which remembers in itself what was read.

- ``schema``: the tables.
- ``database``: opens the file, for readers and one writer.
- ``trust``: checks what a stranger may have put into the file or beside it.
- ``notes``: what it remembers of its sources: how far each was read.
- ``identity``: by what a source is known that was moved.
- ``store``: reads that from the tables, and keeps a journal of what is new.
- ``resuming``: leaves out what was read before.
- ``found_rows``: makes rows of what was found, in any process.
- ``loading``: reads the parts of a cluster in place of sources.
- ``writing``: writes rows and what was read.
- ``indexing``: puts these together: `index_sources`.
"""
