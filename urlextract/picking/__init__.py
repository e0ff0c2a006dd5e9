"""Choose links of a message at a terminal, and open, copy or print them.

``choices`` makes the list of links from a source, ``rows`` the lines that show them. ``asking`` and
``fuzzy`` let the user choose: a numbered list with a prompt, or fzf. ``opening`` and ``copying`` hand
the chosen URLs on. ``tty`` is the only module that reads keys, ``picker`` calls all of these.

Nothing of a message reaches a shell, and none of its control characters reaches the terminal.
"""
