"""The run of a command: which processes read its input, and how their results come out in its order."""
