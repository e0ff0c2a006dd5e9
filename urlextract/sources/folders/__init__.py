"""Messages in directories: Maildirs, MH folders, spools, inboxes in git, any tree of files."""
