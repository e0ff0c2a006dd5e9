"""Print results: each as a line, in order or counted, to standard output or a file.

- ``outputs``: the table of outputs, and the options that choose one.
- ``lines``: the URL, or the text that was found.
- ``jsonl``: ``--json``.
- ``table``: ``--csv`` and ``--fields``.
- ``explanations``: ``--explain``.
- ``parquet``: records as rows of Parquet, and back.
- ``breakdown``: ``urlextract parse``.
- ``filtered``: ``urlextract mend`` and ``rewrap``.
- ``unique``: which URLs count as one.
- ``counting``: prints lines as they come, each once, or with their counts; or the number of those of each
  source, or its name.
- ``writer``: writes to standard output or a file.
- ``status``: the status line of a long run.
- ``escaping``: makes the text of strangers harmless for a terminal.
"""
