"""Run a command: choose the processes that read its input, and print their results in its order.

**One process or several.** `engine` counts the bytes of the files. If there are few, or the input is a pipe,
or an option needs all results at once, items are read and printed in this process. Else `cutting` cuts the
sources into stretches (a file, a piece of a large one between messages or paragraphs, some files of a
directory), and `sharing` has several processes read these. Both ways make lines by the same function,
`results.lines_of`.

**Order.** The stretches are tasks. A few more are under way than there are processes; what comes of them is
handed on in the order of the tasks, so the output is that of one process, byte by byte. A process writes its
results into a file without a name, and says through the pipe of the pool only that it is done: so memory does
not grow with the results, and a process that is killed leaves no half of them.

**What goes wrong.** If a process dies, the tasks that were under way are done again, each by a process of its
own; one that dies twice more is told and left out. An exception within a task ends that task, with one line.
The processes end with their parent, whatever ends that.

**What is not nice, and why.** Processes are forked where no other thread runs, for that is quick, and started
anew where one does, for a lock that it holds would stay locked for ever. A text or a mailbox is read once
before it is cut: nothing else tells where its messages begin, and on which line.

- ``engine``: decides how many processes read, and prints all: `print_all`.
- ``results``: the results of items, and their lines, for one process and for several.
- ``file_lines``: the lines of files on which URLs stand, for ``--line-number``.
- ``cutting``: cuts sources into stretches.
- ``runner``: hands tasks to any executor of `concurrent.futures`, in turn.
- ``processes``: those of this machine, and how tasks and results reach them.
- ``sharing``: has them read the stretches, and prints what they find.
- ``progress``: shows how much was read.
"""
