"""Run a command: choose the processes that read its input, and print their results in its order.

- ``engine``: decides how many processes read, and prints all: `print_all`.
- ``results``: the results of items, and their lines, for one process and for several.
- ``file_lines``: the lines of files on which URLs stand, for ``--line-number``.
- ``cutting``: cuts sources into stretches.
- ``runner``: hands tasks to any executor of `concurrent.futures`, in turn.
- ``processes``: those of this machine, and how tasks and results reach them.
- ``sharing``: has them read the stretches, and prints what they find.
- ``progress``: shows how much was read.
"""
