"""Run a command: choose the processes that read its input, and print their results in its order.

- ``engine``: decides how many processes read, and prints all: `print_all`.
- ``results``: the results of items, and their lines, for one process and for several.
- ``cutting``: cuts sources into stretches.
- ``stores``: opens, lists and stamps files by path or URL.
- ``manifest``: the file that names the parts of a run on a cluster.
- ``workers``: the processes, which do tasks in turn.
- ``sharing``: has them read the stretches, and prints what they find.
- ``progress``: shows how much was read.
"""
