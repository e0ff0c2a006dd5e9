"""Sources as shards that many processes and machines read, each into a part file of its own.

``stores`` opens and lists files by path or URL, ``plans`` cuts sources into shards that can be printed,
``partfiles`` writes parts so that each is whole or not there, ``tasks`` reads one shard, and ``driver`` has
a Dask cluster read all of them. Nothing of this is imported by the command that extracts.
"""
