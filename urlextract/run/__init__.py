"""Run a command: choose the processes that read its input, and print their results in its order."""
