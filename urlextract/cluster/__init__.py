"""Have many processes and machines read sources, each shard of them into a part file of its own.

The command that extracts imports nothing of this, an index what it needs to load parts. The extra ``cluster``
is needed only to run Dask, and to read URLs of stores.

- ``stores``: opens, lists and stamps files by path or URL.
- ``plans``: cuts sources into shards that can be printed, one a line.
- ``partfiles``: the directory of parts, in which each part is whole or not there.
- ``partwriters``: the two formats of parts, JSON lines in Zstandard and Parquet.
- ``manifest``: the file that names the parts of a run.
- ``tasks``: reads one shard into its part: what a worker does.
- ``driver``: has processes, or a Dask cluster, read all shards of a plan.
- ``running``: what the three commands do, apart from their options and messages.
"""
