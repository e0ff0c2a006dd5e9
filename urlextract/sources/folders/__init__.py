"""Find the messages in directories.

- ``tree``: Maildirs, MH folders, news spools, and trees of any files.
- ``git``: public inboxes, which keep mail in git.
"""
