"""Have many processes and machines read sources, each stretch of them into a part: a file of its own.

The command that extracts imports nothing of this, an index what it needs to load parts. The extra ``cluster``
is needed only to run Dask, and to read URLs of stores.

- ``stores``: opens, lists and stamps files by path or URL.
- ``parts``: the directory of parts, in which each is whole or not there, and what is in a part.
- ``running``: what the command does, apart from its options and messages.
"""
