"""Keep the links of archives in one SQLite file, which remembers in itself what was read.

**What comes in and goes out.** The items of sources come in, with an `IndexCheckpoint` in place of that of
``--state``; rows go out, of messages by their hashes, of the copies that say where each lies, of URLs, and of
the places where they stand. What was read is noted in the same file, in the transaction of the rows: so a run
that is killed and started again ends with the rows of one that was not.

**Batches.** `batches` puts items together until they are large or old enough. The processes of ``run`` make
the rows of a batch; one connection writes them, batch by batch, in the order in which they were read. A batch
that fails is rolled back and told, and its files are read again by the next run.

**What is decided when.** Whether a message is new is decided by its hash when it is read: of one that is
known, only the further copy is noted. What a file had before is marked when it is read again, and deleted
when it was read to its end, but for messages that were found elsewhere. What is no longer there is told at
the end of a run, and deleted with ``--prune``.

**Who may have written the file.** Somebody else: so it is opened only in a directory where no other user can
write, a trigger that is not ours is refused, and its values are checked when they are read.

**What is not nice, and why.** A message that is too large to be held is read by the process that writes,
for the others cannot go on with its stream. Counts of places are kept by triggers, so that rows can be
deleted by SQL.

- ``schema``: the tables.
- ``database``: opens the file, for readers and one writer.
- ``trust``: checks what a stranger may have put into the file or beside it.
- ``rows``: makes rows of what was found, in any process.
- ``batches``: what is new in sources, and what is to be noted with it.
- ``writing``: writes rows and what was read.
- ``loading``: reads the parts of a cluster in place of sources.
- ``indexing``: puts these together: `index_sources`.
"""
